# Tapped and untapped, counters, in combat or not.
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game

cdef void tap(Game *g, uint16_t row) noexcept nogil
cdef void untap(Game *g, uint16_t row) noexcept nogil
# Counters of any kind: put, or with n < 0 removed, never below none (CR 122).
cdef void put_counters(Game *g, uint16_t row, int kind, int n) noexcept nogil
cdef void leave_combat(Game *g, uint16_t row) noexcept nogil
