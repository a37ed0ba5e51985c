# Players who lose and leave (CR 104, 800.4).
from lkicore._layout cimport Game

cdef void player_leaves(Game *g, int player, int reason) noexcept nogil
cdef void look_for_end(Game *g) noexcept nogil
cdef void stop(Game *g, int status, int reason) noexcept nogil
