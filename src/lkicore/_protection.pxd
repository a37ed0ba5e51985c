# What may be done to an object.
from libc.stdint cimport uint16_t
from lkicore._expr cimport Ctx, Facts
from lkicore._layout cimport Game

# CR 702.11, 702.16b, 702.18, 702.26d: this spell or ability may target the object.
cdef bint may_target(Game *g, const Ctx *c, uint16_t row) noexcept nogil
# CR 702.16: the object has protection from the source.
cdef bint protected_from(Game *g, uint16_t row, const Facts *source) noexcept nogil
cdef bint can_die(const Game *g, uint16_t row) noexcept nogil
