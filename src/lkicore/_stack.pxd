# The stack: resolving (CR 608), triggered abilities on their way to it (603.3).
from lkicore._layout cimport Game

cdef void run_resolve(Game *g) noexcept nogil
# Triggered abilities wait: the frame that puts them on the stack.
cdef void begin_order(Game *g) noexcept nogil
cdef void run_order(Game *g) noexcept nogil
