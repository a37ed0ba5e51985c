# Attacks, blocks and combat damage of the agent `greedy`.
from lkicore._layout cimport Game

cdef int attack_option(const Game *g) noexcept nogil
cdef int block_option(const Game *g) noexcept nogil
cdef int assign_option(const Game *g) noexcept nogil
