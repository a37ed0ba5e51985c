# Announcing a spell or ability (CR 601.2, 602.2, 603.3): modes, optional costs, X, targets, what costs are paid with.
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game

# Steps of an announcement, in this order.
cdef enum:
    STEP_MODES = 0
    STEP_KICK = 1
    STEP_X = 2
    STEP_SYMBOLS = 3
    STEP_TARGETS = 4
    STEP_DIVIDE = 5
    STEP_HELP = 6
    STEP_COSTS = 7
    STEP_PAY = 8
    STEP_FINISH = 9

# `own`: number of a way of the card's own, `permit`: way of a permission; -1 none (see `_casting`).
cdef void begin_cast(Game *g, uint16_t row, int player, int own, int permit) noexcept nogil
cdef void begin_activate(Game *g, uint16_t row, int ability, int player) noexcept nogil
# Take a waiting trigger out of the table and announce it.
cdef void begin_trigger(Game *g, int number) noexcept nogil
# The frame on top goes on: F_CAST, F_ACTIVATE, F_TRIGGER; and F_PAY, manual payment.
cdef void run_announce(Game *g) noexcept nogil
