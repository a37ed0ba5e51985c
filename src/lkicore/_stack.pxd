# The stack: resolving (CR 608), triggered abilities on their way to it (603.3).
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game, StackEntry

# CR 608.2b: marks the illegal targets of an entry; false if there were targets and none is legal.
cdef bint check_targets(Game *g, StackEntry *e, Ctx *c, int ability) noexcept nogil
cdef void run_resolve(Game *g) noexcept nogil
# Triggered abilities wait: the frame that puts them on the stack.
cdef void begin_order(Game *g) noexcept nogil
cdef void run_order(Game *g) noexcept nogil
