# What single instructions would do, as points for the controller of a trial.
from libc.stdint cimport int32_t, uint16_t, uint64_t
from lkicore._expr cimport Ctx
from lkicore._greedy_trial cimport Trial
from lkicore._layout cimport Game
from lkicore._types cimport Face, Mana

# One instruction without a branch or a choice.
cdef int step(Game *g, Trial *t, const int32_t *w) noexcept nogil
cdef int to_player(const Game *g, Trial *t, int p, int n) noexcept nogil
# Points of this being attached to that; `attached`: it is already.
cdef int host_worth(Game *g, Trial *t, const Face *f, uint16_t host, bint attached) noexcept nogil
# Points of what static abilities of a permanent that comes would do to others.
cdef int statics_gain(Game *g, Trial *t, const Face *f) noexcept nogil
# Points that a player loses with this permanent, card or counter.
cdef int loss(Game *g, Trial *t, uint16_t row) noexcept nogil
# Points that a player gives up for a cost; what would be sacrificed is gone from then on.
cdef int parts_points(Game *g, Trial *t, int player, int first, int n) noexcept nogil
cdef int tap_loss(const Game *g, uint16_t row) noexcept nogil
