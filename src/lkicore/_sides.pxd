# Permanents that are turned over: transformed or flipped (CR 701.27, 710), Classes that become a level (716).
from libc.stdint cimport uint16_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game

# They turn over together; `c`: the ability or spell that says so.
cdef void transform(Game *g, const Ctx *c, const uint16_t *rows, int n) noexcept nogil
# The other face of the permanent's card or token, if it has one that it can turn to (CR 701.27c-d, 712.9); else itself.
cdef uint16_t turned_over(Game *g, uint16_t row) noexcept nogil
# Its card has a back face that it can enter with (CR 712.14a).
cdef bint has_back(const Game *g, uint16_t row) noexcept nogil
cdef void set_level(Game *g, uint16_t row, int level) noexcept nogil
# What is bound to day and night is turned over (CR 702.145). (Only if `h.day`.)
cdef void turn_with_day(Game *g) noexcept nogil
