# Log of the events of this turn and the last (CR 608.2i). What nothing in the game can ask about is not kept: `watch`.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._guard cimport rare
from lkicore._layout cimport Game


cdef void history_add(Game *g, int kind, int player, uint16_t row, uint32_t id, uint16_t row2, uint32_t id2,
                      int amount) noexcept nogil
cdef void history_forget(Game *g) noexcept nogil


cdef inline void log_event(Game *g, int kind, int player, uint16_t row, uint32_t id, uint16_t row2, uint32_t id2,
                           int amount) noexcept nogil:
    """An event nobody can ask about costs a test of one word."""
    if rare(g.h.watch & kind):
        history_add(g, kind, player, row, id, row2, id2, amount)
