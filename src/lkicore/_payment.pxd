# Paying mana (CR 601.2g-h): with mana abilities that cost or do more than tapping, and mana that is not all alike.
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game
from lkicore._types cimport Mana

# Pay a cost that can be paid, of a spell (row, 0 none); 1 paid, 2 and the spell can't be countered, 0 not paid.
# `without`: a source that can't tap.
cdef int pay_mana(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell) noexcept nogil
