# Instructions without a choice that are neither moves nor damage: keyword actions told, designations, cards revealed,
# counters moved, life totals set and exchanged.
from libc.stdint cimport int32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game

cdef bint is_deed(int op) noexcept nogil
# Carry out the instruction `w`; returns its result.
cdef int do_deed(Game *g, const Ctx *c, const int32_t *w) noexcept nogil
