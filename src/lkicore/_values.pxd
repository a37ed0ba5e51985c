# Values before and after a pass over the layers (CR 613).
from libc.stdint cimport uint16_t, uint64_t
from lkicore._changes cimport Pass
from lkicore._layout cimport Game

# Each row as its definition says, but for the size, which earlier layers read as it was; `own`: bits of those that had
# an ability list of their own.
cdef void start_rows(Game *g, Pass *p, uint64_t *own) noexcept nogil
cdef void start_sizes(Game *g, Pass *p) noexcept nogil
cdef void count_counters(Game *g, Pass *p) noexcept nogil
# Row number k is computed: bit sets, mana, indexes, state-based actions.
cdef void finish_row(Game *g, Pass *p, int k, bint had_own) noexcept nogil
# What is attached to a permanent, and itself if it is attached, may be so no longer (CR 704.5m-p).
cdef void look_at_attached(Game *g, uint16_t row) noexcept nogil
