# The untap step (CR 502).
from lkicore._layout cimport Game

# All of it, unless a player must choose first (true): then the frame on top goes on.
cdef bint begin_untap(Game *g) noexcept nogil
cdef void run_untap(Game *g) noexcept nogil
