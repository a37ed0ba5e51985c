# Casting (CR 601), activating (CR 602), resolving (CR 608).
from libc.stdint cimport uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game
from lkicore._types cimport TargetSpec

cdef bint has_target(Game *g, const Ctx *c, const TargetSpec *t) noexcept nogil
cdef void begin_cast(Game *g, uint16_t row, int player) noexcept nogil
cdef void begin_activate(Game *g, uint16_t row, int ability, int player) noexcept nogil
cdef void run_cast(Game *g) noexcept nogil
cdef void run_pay(Game *g) noexcept nogil
cdef void run_resolve(Game *g) noexcept nogil
cdef void begin_resolve(Game *g) noexcept nogil
