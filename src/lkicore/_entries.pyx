"""Entries of the stack."""
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memmove, memset

from lkicore._arena cimport chunk_free
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game, StackEntry
from lkicore._lki cimport NO_SLOT, lki_find
from lkicore._opcodes cimport *
from lkicore._store cimport need_room, touched
from lkicore._types cimport NONE16
from lkicore._zones cimport TO_END, begin_event, cease, change_zone, record


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
    chunk_free(g, g.stack[i].targets)
    memmove(&g.stack[i], &g.stack[i + 1], (g.h.n_stack - i - 1) * sizeof(StackEntry))
    g.h.n_stack -= 1
    memset(&g.stack[g.h.n_stack], 0, sizeof(StackEntry))
    touched(g)


cdef void entry_context(const Game *g, int i, Ctx *c) noexcept nogil:
    """Who asks while this entry resolves: a spell is its own source (CR 113.7)."""
    cdef StackEntry *e = &g.stack[i]
    c.self_row = e.row
    c.self_id = g.id[e.row]
    if e.ability == NONE16:
        c.source_row = e.row
        c.source_id = g.id[e.row]
    else:
        c.source_row = e.source_row
        c.source_id = e.source_id
    c.targets = e.targets
    c.x = e.x
    c.controller = e.controller


cdef void leave_stack(Game *g, uint16_t row, int zone_to) noexcept nogil:
    """A spell or ability leaves the stack: resolved, countered or without a legal target (CR 608.2b, 608.2n, 701.6)."""
    cdef int i = entry_of(g, row)
    cdef int x = 0
    cdef uint16_t slot
    if not begin_event(g, 1):
        return
    if i >= 0:
        x = g.stack[i].x
    record(g, row, Z_NONE if g.oflags[row] & (OF_ABILITY | OF_COPY) else zone_to)
    slot = lki_find(g, g.id[row])
    if slot != NO_SLOT:
        g.lki[slot].x = <short>x
    if i >= 0:
        entry_remove(g, i)
    if g.oflags[row] & (OF_ABILITY | OF_COPY):
        cease(g, row)
    else:
        change_zone(g, row, zone_to, TO_END)
