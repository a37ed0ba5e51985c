# Is this block a game that the core can play? For bytes from outside, and after every choice of a fuzz run.
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game

# 0, or a code that `explain` renders: number of the message in its low byte, what it is about above.
cdef int check_block(Game *g) noexcept nogil

# Computed values of a row are what definition, effects and counters make of them (CR 613).
cdef bint values_follow(const Game *g, uint16_t row) noexcept nogil
