# What is under a face-down object (CR 708.2): what it would be face up, and how it can be turned so.
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game
from lkicore._types cimport Ability, Face

cdef enum:
    HIDDEN = 1        # flags of an entry BASE: what it is while it is face down

# The entry BASE with these flags in the object's list, -1 none.
cdef int base_entry(const Game *g, uint16_t row, int flags) noexcept nogil
# The definition that copy effects and being face down work on (CR 613.2).
cdef uint16_t base_of(const Game *g, uint16_t row) noexcept nogil
# What a token was made as that leaves the battlefield, and is recorded: copy effects on it are over (CR 400.7).
cdef uint16_t made_as(const Game *g, uint16_t row) noexcept nogil
# The definition that it has but for being face down (CR 613.2a).
cdef uint16_t definition_under(const Game *g, uint16_t row) noexcept nogil
# Abilities for which a face-down permanent can be turned face up (CR 702.37e, 701.40b): how many; `list` has room for
# MOST_ABILITIES.
cdef int turn_ups(const Game *g, uint16_t row, uint16_t *list) noexcept nogil
# The face whose mana cost is paid to turn it face up, if the ability says so; else NULL.
cdef const Face *cost_under(const Game *g, uint16_t row, const Ability *a) noexcept nogil
# They have a name in common (CR 201.2): what is face down has none, a split card those of its halves (709.4a).
cdef bint share_name(const Game *g, uint16_t d, uint16_t other) noexcept nogil
