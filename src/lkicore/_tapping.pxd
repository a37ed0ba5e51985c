# Paying by hand, and what tapping permanents for mana triggers (CR 601.2g-h, 605.4a).
from libc.stdint cimport uint16_t, uint32_t
from lkicore._layout cimport Game

# Manual payment goes on.
cdef void run_pay(Game *g) noexcept nogil
# The permanent is tapped for mana of this kind, which `_plans.kinds_to_tap` offers.
cdef void tap_by_hand(Game *g, uint16_t row, int color) noexcept nogil
# A permanent has been tapped for mana of these kinds, and has made it: what triggers on that.
cdef void tapped_for_mana(Game *g, uint16_t row, uint32_t id, int player, int kinds) noexcept nogil
# The next triggered mana ability that waits, if there is one, resolves; false: none does.
cdef bint go_on_with_mana(Game *g) noexcept nogil
