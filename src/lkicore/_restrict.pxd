# Which creatures can attack what and block what, and what restricts and requires declarations (CR 508.1, 509.1).
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game

cdef bint can_attack(const Game *g, uint16_t row) noexcept nogil
# A planeswalker that the player controls, or a battle that the player protects.
cdef bint can_be_attacked(const Game *g, uint16_t row, int defender) noexcept nogil
cdef bint can_block(const Game *g, uint16_t blocker, uint16_t attacker) noexcept nogil
cdef int more_blocks(Game *g, uint16_t row) noexcept nogil
cdef bint may_block(const Game *g, uint16_t row, int player) noexcept nogil
# More than the creatures by themselves decides about this declaration.
cdef bint attack_rules(const Game *g, int player) noexcept nogil
cdef bint block_rules(const Game *g, int player) noexcept nogil
# The open choice offers all that the creature could do by itself: take out what can't be completed. `next`: number of
# the first creature that will be asked later.
cdef void restrict_attack(Game *g, int player, uint16_t row, int next) noexcept nogil
cdef void restrict_block(Game *g, int player, uint16_t row, int next) noexcept nogil
# Pay what the declared attackers cost (CR 508.1h-j).
cdef void pay_taxes(Game *g, int player) noexcept nogil
