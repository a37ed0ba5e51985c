# Priority: what a player can do, as a quick answer and as a list of options; taking an option.
from lkicore._layout cimport Game

cdef int can_act(Game *g, int player) noexcept nogil
cdef bint all_calm(Game *g) noexcept nogil
cdef void offer_priority(Game *g, int player) noexcept nogil
cdef void take_priority_option(Game *g) noexcept nogil
cdef bint sorcery_time(const Game *g, int player) noexcept nogil
