"""The agent `greedy`: a sensible player with integer scores."""
from lkicore._layout cimport Game
from lkicore._opcodes cimport *


cdef int greedy_option(Game *g) noexcept nogil:
    return 0
