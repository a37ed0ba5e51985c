# Which creatures can attack what and block what, and what restricts and requires declarations (CR 508.1, 509.1).
from libc.stdint cimport uint16_t, uint64_t
from lkicore._layout cimport Game
from lkicore._opcodes cimport *

# A planeswalker that the player controls, or a battle that the player protects.
cdef bint can_be_attacked(const Game *g, uint16_t row, int defender) noexcept nogil
cdef int more_blocks(Game *g, uint16_t row) noexcept nogil
# More than the creatures by themselves decides about this declaration.
cdef bint attack_rules(const Game *g, int player) noexcept nogil
cdef bint block_rules(const Game *g, int player) noexcept nogil
# The open choice offers all that the creature could do by itself: take out what can't be completed. `next`: number of
# the first creature that will be asked later.
cdef void restrict_attack(Game *g, int player, uint16_t row, int next) noexcept nogil
cdef void restrict_block(Game *g, int player, uint16_t row, int next) noexcept nogil
# Pay what the declared attackers cost (CR 508.1h-j).
cdef void pay_taxes(Game *g, int player) noexcept nogil
# The rarer evasion abilities.
cdef bint evades(Game *g, uint16_t attacker, uint16_t blocker) noexcept nogil


cdef inline bint can_attack(const Game *g, uint16_t row) noexcept nogil:
    """CR 508.1a, c: untapped, no defender, under control since the turn began or with haste."""
    if (not g.types[row] & T_CREATURE or g.status[row] & (ST_TAPPED | ST_PHASED_OUT)
            or g.keywords[row] & (K_DEFENDER | K_CANT_ATTACK)):
        return False
    return not g.status[row] & ST_SICK or (g.keywords[row] & K_HASTE) != 0


cdef inline bint can_block(const Game *g, uint16_t blocker, uint16_t attacker) noexcept nogil:
    """CR 509.1a-b for one pair; what needs several blockers is looked at in the declaration."""
    cdef uint64_t a = g.keywords[attacker]
    cdef uint64_t b = g.keywords[blocker]
    if a & K_UNBLOCKABLE or b & K_CANT_BLOCK:
        return False
    if a & K_FLYING and not b & (K_FLYING | K_REACH):
        return False  # CR 702.9b, 702.17b
    if a & (K_SHADOW | K_HORSEMANSHIP | K_FEAR | K_INTIMIDATE | K_SKULK | K_PROTECTION | K_EVASION | K_LANDWALK) \
            or b & (K_SHADOW | K_EVASION):
        return not evades(<Game *>g, attacker, blocker)
    return True


cdef inline bint may_block(const Game *g, uint16_t row, int player) noexcept nogil:
    """CR 509.1a: an untapped creature of the player; what it can block is another question."""
    return (g.controller[row] == player and g.types[row] & T_CREATURE
            and not g.status[row] & (ST_TAPPED | ST_PHASED_OUT) and not g.keywords[row] & K_CANT_BLOCK)
