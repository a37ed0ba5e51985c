# Targets (CR 115, 601.2c, 608.2b): what can be chosen, whether anything can, whether it still is legal.
from libc.stdint cimport uint16_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game, StackEntry
from lkicore._types cimport TargetSpec

cdef bint legal_object(Game *g, const Ctx *c, const TargetSpec *t, uint16_t row) noexcept nogil
cdef bint legal_player(Game *g, const Ctx *c, const TargetSpec *t, int p) noexcept nogil
# Every specification of n from `first` on can be satisfied (CR 601.2c).
cdef bint has_targets(Game *g, Ctx *c, int first, int n) noexcept nogil
# Offer one target of a specification, leaving out what was chosen for it already; `done`: it may end here.
cdef void offer_targets(Game *g, Ctx *c, int first, int n, int spec, int base, int player, bint done) noexcept nogil
# How many are chosen for a specification, fewest and most.
cdef int least_of(const Ctx *c, const TargetSpec *t) noexcept nogil
cdef int most_of(const Ctx *c, const TargetSpec *t) noexcept nogil
# CR 608.2b for one entry of the list of targets.
cdef bint still_legal(Game *g, const Ctx *c, const TargetSpec *t, int i) noexcept nogil
