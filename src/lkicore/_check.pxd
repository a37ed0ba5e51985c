# Is this block a game that the core can play? For bytes from outside, and after every choice of a fuzz run.
from lkicore._layout cimport Game

# 0, or a code that `explain` renders: number of the message in its low byte, what it is about above.
cdef int check_block(Game *g) noexcept nogil
