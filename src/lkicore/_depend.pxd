# Dependency (CR 613.8): which effects of a layer wait for others of it, whatever the timestamps.
from libc.stdint cimport uint32_t
from lkicore._changes cimport Pass
from lkicore._layout cimport Game

# A layer begins: true if some static ability asks for what something in it changes.
cdef bint order_matters(Game *g, Pass *p, int layer) noexcept nogil
# Static ability number i depends on something that has not been applied: a static ability whose turn is to come, an
# entry of the table of effects with a later timestamp than `now`.
cdef bint depends(Game *g, const Pass *p, int i, int layer, uint32_t now) noexcept nogil
