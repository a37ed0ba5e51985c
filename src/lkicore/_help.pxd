# What helps to pay besides mana: convoke, improvise, delve (CR 702.51, 702.126, 702.66).
from libc.stdint cimport uint16_t, uint64_t
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Mana

cdef enum:
    HELP_CONVOKE = 1
    HELP_IMPROVISE = 2
    HELP_DELVE = 4
    GENERIC = 6       # in place of a colour: what is paid for is generic mana


cdef inline int help_of(uint64_t keywords) noexcept nogil:
    """What a spell with these keywords lets help."""
    return ((HELP_CONVOKE if keywords & K_CONVOKE else 0) | (HELP_IMPROVISE if keywords & K_IMPROVISE else 0)
            | (HELP_DELVE if keywords & K_DELVE else 0))


# The permanent, untapped, or card of the graveyard could help the player to pay for the spell `spell`.
cdef bint can_help(const Game *g, int player, int kinds, uint16_t row, uint16_t spell) noexcept nogil
# How much mana of the cost of a spell such help can pay for.
cdef int help_limit(const Mana *cost, int kinds) noexcept nogil
# Payable from the pool, from sources that cost only tapping, and with what can help (none of which is in `list`, or
# among the `n_used` permanents that are used otherwise), which pays for so much at most: the spell's own cost.
cdef bint can_pay_helped(Game *g, int player, const Mana *cost, uint16_t without, int kinds, uint16_t list,
                         uint16_t spell, const uint16_t *used, int n_used, int limit) noexcept nogil
# The most that what can help pays for, in lanes: of each colour, and in all.
cdef Mana most_help(Game *g, int player, int kinds, uint16_t list, uint16_t spell) noexcept nogil
# What the chosen helpers of a list pay goes off; false if they pay for what is not asked.
cdef bint take_help(const Game *g, uint16_t list, Mana *cost) noexcept nogil
# The helper has been chosen.
cdef bint helps_already(const Game *g, uint16_t list, uint16_t row) noexcept nogil
