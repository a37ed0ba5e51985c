# Announcing a spell or ability (CR 601.2, 602.2, 603.3): modes, optional costs, X, targets, what costs are paid with.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Frame, Game
from lkicore._types cimport Ability, Node

# Payable, with a legal choice of modes and targets; timing is the caller's matter (CR 601.2, 601.3).
cdef bint castable(Game *g, uint16_t row, int player) noexcept nogil
# CR 602.2, 602.5: this ability of this object, now.
cdef bint activatable(Game *g, uint16_t row, int ability, int player) noexcept nogil
cdef void begin_cast(Game *g, uint16_t row, int player) noexcept nogil
cdef void begin_activate(Game *g, uint16_t row, int ability, int player) noexcept nogil
# Take a waiting trigger out of the table and announce it.
cdef void begin_trigger(Game *g, int number) noexcept nogil
# The frame on top goes on: F_CAST, F_ACTIVATE, F_TRIGGER; and F_PAY, manual payment.
cdef void run_announce(Game *g) noexcept nogil
cdef void run_pay(Game *g) noexcept nogil
# The ability that holds targets and program of chosen mode number k of an ability (itself, where it has no modes).
cdef const Ability *part_of(const Game *g, int ability, uint16_t info, int k) noexcept nogil
cdef int parts_of(const Game *g, int ability, uint16_t info) noexcept nogil
# The part of an ability's cost that removes X counters from its source, NULL none.
cdef const Node *x_counters(const Game *g, const Frame *f) noexcept nogil
