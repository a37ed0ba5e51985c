# Playing lands (CR 305, 116.2a): a special action that uses no stack.
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game

# One more land may be played this turn (CR 305.2); time and priority are the caller's matter.
cdef inline bint may_play_land(const Game *g, int player) noexcept nogil:
    return g.p_lands[player] < g.p_land_max[player] and player == g.h.active


cdef void play_land(Game *g, uint16_t row, int player) noexcept nogil
