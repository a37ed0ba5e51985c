# Phasing (CR 702.26).
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game

# Permanents phase out together, with what is attached to them.
cdef void phase_out(Game *g, const uint16_t *rows, int n) noexcept nogil
# What phases in and out as a player's untap step begins (CR 502.1).
cdef void phase_step(Game *g, int player) noexcept nogil
