# Entries of the stack (CR 405): which object, whose, with what targets.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game, StackEntry


cdef inline int entry_of(const Game *g, uint16_t row) noexcept nogil:
    """Index of an object's stack entry, -1 none."""
    cdef int i = g.h.n_stack - 1
    while i >= 0 and g.stack[i].row != row:
        i -= 1
    return i


cdef StackEntry *entry_push(Game *g, uint16_t row, int controller) noexcept nogil
cdef void entry_remove(Game *g, int i) noexcept nogil
# Who asks while this entry resolves, with what it remembers of its event.
cdef void entry_context(const Game *g, int i, Ctx *c) noexcept nogil
# What a list remembers of an event (EVENT_OBJECT …) goes into a context.
cdef void event_context(const Game *g, uint16_t list, Ctx *c) noexcept nogil
# The top object of the stack begins to resolve (CR 608.1).
cdef void begin_resolve(Game *g) noexcept nogil
# A new object on the stack for an ability (CR 113.1c), without an entry; 0 when there is no room.
cdef uint16_t make_ability(Game *g, int player, uint16_t defn) noexcept nogil
# A spell that may be copied after it left the stack takes its targets along.
cdef void keep_targets(Game *g, uint16_t row) noexcept nogil
