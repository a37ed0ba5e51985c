"""What follows at once on replacement and prevention effects (CR 614.6, 615.5): their programs, run without the stack.

Whoever applies such an effect writes an entry into the table of waiting triggers (`_triggers.follow`), with a level: 1
+ how many objects that resolve at once were resolving then. An entry of a higher level than there are now begins as
soon as the event is over, before anything else goes on: its program runs like that of a mana ability (605.3b).
"""
from libc.stdint cimport uint16_t, uint32_t

from lkicore._arena cimport refs_add
from lkicore._entries cimport entry_push, make_ability
from lkicore._game cimport ASK_OPEN, NO_PLAYER, in_game, push_frame
from lkicore._layout cimport Frame, Game, StackEntry, Trigger
from lkicore._opcodes cimport *
from lkicore._triggers cimport depth_at_once, take_trigger


cdef int next_following(const Game *g) noexcept nogil:
    """Number of the first entry of the highest level."""
    cdef int best = -1
    cdef uint32_t i
    for i in range(g.h.n_triggers):
        if g.trigger[i].level and (best < 0 or g.trigger[i].level > g.trigger[best].level):
            best = <int>i
    return best


cdef bint follows_now(const Game *g) noexcept nogil:
    cdef int k = next_following(g)
    return k >= 0 and g.trigger[k].level > depth_at_once(g)


cdef void begin_following(Game *g) noexcept nogil:
    cdef Trigger t = take_trigger(g, next_following(g))
    cdef StackEntry *e
    cdef Frame *f
    cdef uint16_t list = 0
    cdef uint16_t row
    if g.h.asks == ASK_OPEN and g.h.choice == CH_NONE:
        g.h.asks = 0  # the instruction goes on where it stands, once this is over
    if not in_game(g, t.controller):
        return
    row = make_ability(g, t.controller, t.defn)
    if row == 0:
        return
    e = entry_push(g, row, t.controller)
    e.ability = t.ability
    e.source_row = t.source_row
    e.source_id = t.source_id
    e.flags = SF_AT_ONCE
    e.x = t.x
    if t.object_id:
        list = refs_add(g, list, t.object_id, t.object_row, RK_EVENT_OBJECT)
    if t.other_id:
        list = refs_add(g, list, t.other_id, t.other_row, RK_EVENT_OTHER)
    if t.player != NO_PLAYER:
        list = refs_add(g, list, 0, t.player, RK_EVENT_PLAYER)
    if t.amount:
        list = refs_add(g, list, <uint32_t><uint16_t>t.amount, 0, RK_EVENT_AMOUNT)
    g.extra[row] = list
    f = push_frame(g, F_RESOLVE, t.controller)
    f.obj_row = row
    f.obj_id = g.id[row]
