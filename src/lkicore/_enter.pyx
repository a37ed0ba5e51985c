"""How objects enter where a player must choose: what an Aura that was not cast enchants (CR 303.4f).

The objects are where they go to already; nothing has triggered and nothing has modified how they enter (614.1c). The
frame's list has two entries for each: what it is now, and what it was. frame: a number of the object asked about.
"""
from libc.stdint cimport uint16_t, uint32_t, uint8_t

from lkicore._arena cimport chunk_free, chunk_len, chunk_refs
from lkicore._attach cimport attach, can_be_attached
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, in_game, next_player, open_choice, pop_frame,
                            top_frame)
from lkicore._guard cimport on_stack
from lkicore._layout cimport Frame, Game, Ref
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, zone_first
from lkicore._zones cimport EF_HOST, entered


cdef inline bint enters_here(const Game *g, const Frame *f, uint16_t row) noexcept nogil:
    """It enters in this very event: an Aura that enters beside it can't enchant it."""
    cdef int i
    for i in range(0, chunk_len(g, f.list), 2):
        if chunk_refs(g, f.list)[i].row == row and chunk_refs(g, f.list)[i].id == g.id[row]:
            return True
    return False


cdef int next_homeless(const Game *g, const Frame *f) noexcept nogil:
    """The next Aura that needs a host: players choose in turn order, the active player first (CR 101.4)."""
    cdef Ref *r
    cdef int p = g.h.active if in_game(g, g.h.active) else next_player(g, g.h.active)
    cdef int i, _
    for _ in range(<int>g.h.n_alive):
        for i in range(0, chunk_len(g, f.list), 2):
            r = &chunk_refs(g, f.list)[i]
            if r.flags & EF_HOST and is_live(g, r.row, r.id) and g.controller[r.row] == p:
                return i
        p = next_player(g, p)
    return -1


cdef bint offer_hosts(Game *g, Frame *f, uint16_t row) noexcept nogil:
    """CR 303.4f: what the Aura may enchant, none of it targeted; false: nothing."""
    cdef uint16_t host = zone_first(g, Z_BATTLEFIELD, 0)
    f.player = g.controller[row]
    f.obj_row = row
    f.obj_id = g.id[row]
    open_choice(g, CH_HOST, f.player)
    while host:
        if can_be_attached(g, row, host) and not enters_here(g, f, host):
            add_option(g, O_OBJECT, host, 0, NO_PLAYER)
        host = g.znext[host]
    if g.h.n_options == 0:
        g.h.choice = CH_NONE
    return g.h.n_options > 0


cdef void run_enter(Game *g) noexcept nogil:
    cdef Frame *f = top_frame(g)
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint32_t *was = <uint32_t *>on_stack(g.lay.rows * sizeof(uint32_t))
    cdef uint8_t *zone = <uint8_t *>on_stack(g.lay.rows)
    cdef Ref *r
    cdef int i
    cdef int n = 0
    if g.h.answer != NO_ANSWER:
        attach(g, f.obj_row, answer_of(g).row)
        g.h.answer = NO_ANSWER
        chunk_refs(g, f.list)[f.a].flags &= <uint8_t>~<int>EF_HOST
    while True:
        i = next_homeless(g, f)
        if i < 0:
            break
        f.a = i
        if offer_hosts(g, f, chunk_refs(g, f.list)[i].row):
            return
        chunk_refs(g, f.list)[i].flags &= <uint8_t>~<int>EF_HOST
    for i in range(0, chunk_len(g, f.list), 2):
        r = &chunk_refs(g, f.list)[i]
        if is_live(g, r.row, r.id):
            rows[n] = r.row
            was[n] = chunk_refs(g, f.list)[i + 1].id
            zone[n] = chunk_refs(g, f.list)[i + 1].flags
            n += 1
    chunk_free(g, f.list)
    f.list = 0
    pop_frame(g)
    entered(g, rows, was, zone, n)
