# The turn machine: runs until someone must choose or the game ends.
from libc.stdint cimport uint16_t, uint64_t
from lkicore._layout cimport Game

cdef void advance(Game *g) noexcept nogil
cdef int apply(Game *g, int option) noexcept nogil
cdef void concede(Game *g, int player) noexcept nogil
