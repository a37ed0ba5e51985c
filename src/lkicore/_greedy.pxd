# The agent `greedy`.
from lkicore._layout cimport Game

cdef int greedy_option(Game *g) noexcept nogil
