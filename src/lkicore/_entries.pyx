"""Entries of the stack."""
from libc.stdint cimport int16_t, uint8_t, uint16_t
from libc.string cimport memmove, memset

from lkicore._abilities cimport ability_of, extra_add
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs
from lkicore._expr cimport Ctx, plain_context
from lkicore._game cimport push_frame
from lkicore._layout cimport Frame, Game, Ref, StackEntry
from lkicore._opcodes cimport *
from lkicore._store cimport (is_live, link_tail, look_at, need_room, new_id, new_timestamp, take_row, touched,
                             zone_list)
from lkicore._types cimport NONE16


cdef StackEntry *entry_push(Game *g, uint16_t row, int controller) noexcept nogil:
    """Put an object's entry on top (CR 405.2); without room the top one, which is lost with the step."""
    cdef StackEntry *e
    if g.h.n_stack == g.lay.stack:
        need_room(g)
        g.h.n_stack -= 1
    e = &g.stack[g.h.n_stack]
    g.h.n_stack += 1
    memset(e, 0, sizeof(StackEntry))
    e.row = row
    e.ability = NONE16
    e.face = g.defn[row]
    e.controller = <uint8_t>controller
    g.controller[row] = <uint8_t>controller
    touched(g)
    return e


cdef void entry_remove(Game *g, int i) noexcept nogil:
    cdef StackEntry *e = &g.stack[i]
    if (e.ability != NONE16 and ability_of(g, e.ability).kind == AB_TRIGGERED
            and is_live(g, e.source_row, e.source_id)
            and (ability_of(g, e.ability).flags & TF_CHAPTER or g.types[e.source_row] & T_BATTLE)):
        look_at(g, e.source_row)  # CR 714.4, 310.7: it waited for that
    chunk_free(g, g.stack[i].targets)
    memmove(&g.stack[i], &g.stack[i + 1], (g.h.n_stack - i - 1) * sizeof(StackEntry))
    g.h.n_stack -= 1
    memset(&g.stack[g.h.n_stack], 0, sizeof(StackEntry))
    touched(g)


cdef void event_context(const Game *g, uint16_t list, Ctx *c) noexcept nogil:
    cdef Ref *r
    cdef int i
    for i in range(chunk_len(g, list)):
        r = &chunk_refs(g, list)[i]
        if r.kind == RK_EVENT_OBJECT:
            c.event_row = r.row
            c.event_id = r.id
        elif r.kind == RK_EVENT_OTHER:
            c.other_row = r.row
            c.other_id = r.id
        elif r.kind == RK_EVENT_PLAYER:
            c.player = <uint8_t>r.row
        elif r.kind == RK_EVENT_AMOUNT:
            c.amount = <int16_t><uint16_t>r.id


cdef void entry_context(const Game *g, int i, Ctx *c) noexcept nogil:
    cdef StackEntry *e = &g.stack[i]
    if e.ability == NONE16:
        plain_context(g, e.row, g.id[e.row], e.controller, c)  # a spell is its own source (CR 113.7)
    else:
        plain_context(g, e.source_row, e.source_id, e.controller, c)
    c.self_row = e.row
    c.self_id = g.id[e.row]
    c.targets = e.targets
    c.x = e.x
    if e.flags & (SF_TRIGGERED | SF_AT_ONCE):
        event_context(g, g.extra[e.row], c)


cdef void begin_resolve(Game *g) noexcept nogil:
    """The top object of the stack begins to resolve (CR 608.1)."""
    cdef Frame *f = push_frame(g, F_RESOLVE, g.stack[g.h.n_stack - 1].controller)
    f.obj_row = g.stack[g.h.n_stack - 1].row
    f.obj_id = g.id[f.obj_row]


cdef uint16_t make_ability(Game *g, int player, uint16_t defn) noexcept nogil:
    """An ability on the stack is an object without a card (CR 113.1c); 0 when there is no room."""
    cdef uint16_t row = take_row(g)
    if row == 0:
        return 0
    g.id[row] = new_id(g)
    g.timestamp[row] = new_timestamp(g)
    g.zone[row] = Z_STACK
    g.owner[row] = <uint8_t>player
    g.controller[row] = <uint8_t>player
    g.card[row] = NONE16
    g.defn[row] = defn
    g.oflags[row] = OF_ABILITY
    g.known_to[row] = 0xFF  # everyone
    g.types[row] = 0
    g.power[row] = 0
    g.toughness[row] = 0
    g.colors[row] = 0
    g.keywords[row] = 0
    g.mana[row] = 0
    link_tail(g, zone_list(g, Z_STACK, player), row)
    return row


cdef void keep_targets(Game *g, uint16_t row) noexcept nogil:
    """A spell that may be copied after it left the stack: its targets go with its list into its record (CR 608.2h)."""
    cdef int i = entry_of(g, row)
    cdef uint16_t list = g.stack[i].targets
    cdef Ref r
    cdef int k
    for k in range(chunk_len(g, list)):
        r = chunk_refs(g, list)[k]
        extra_add(g, row, r.kind, r.id, r.row, r.flags)
