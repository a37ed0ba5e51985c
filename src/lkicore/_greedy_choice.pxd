# What `greedy` answers where it isn't asked for an action: targets, modes, costs, choices on resolution, cards.
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game
from lkicore._types cimport OptionalCost

cdef int target_option(Game *g) noexcept nogil
cdef int mode_option(Game *g) noexcept nogil
cdef int kick_option(Game *g) noexcept nogil
cdef int x_option(Game *g) noexcept nogil
cdef int cost_option(Game *g) noexcept nogil
cdef int may_option(Game *g) noexcept nogil
cdef int pick_option(Game *g) noexcept nogil
cdef int sacrifice_option(Game *g) noexcept nogil
cdef int color_option(Game *g) noexcept nogil
cdef int host_option(Game *g) noexcept nogil
cdef int look_option(const Game *g) noexcept nogil
cdef int pay_option(const Game *g) noexcept nogil
cdef int mulligan_option(const Game *g) noexcept nogil
cdef int worst_option(const Game *g) noexcept nogil
cdef int search_option(const Game *g) noexcept nogil
# Of 100: a trick is not spent on a little damage.
cdef int share_of(const Game *g, int ability) noexcept nogil
# Points that paying an optional cost must add.
cdef int kick_price(const Game *g, const OptionalCost *o) noexcept nogil
