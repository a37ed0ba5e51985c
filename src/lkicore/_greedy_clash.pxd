# Fights among creatures as `greedy` sees them.
from libc.stdint cimport uint16_t, uint64_t, uint8_t
from lkicore._layout cimport Game
from lkicore._opcodes cimport *

cdef enum:
    MAX_MODS = 16
    GANG = 6          # blockers of one attacker that a clash looks at
    NEVER = 9999      # damage that is never enough
    A_DIES = 1
    B_DIES = 2

# A permanent as it will be: what a program that is being judged would do to it.
cdef struct Mod:
    uint64_t keywords
    uint64_t without  # keywords that it loses
    int power
    int toughness
    int damage
    uint16_t row
    uint8_t gone

cdef struct Mods:
    int n
    Mod m[MAX_MODS]

cdef struct Fighter:
    uint64_t keywords
    int power
    int life          # damage that kills it, NEVER if none does
    int worth
    uint16_t row

# What became of a clash. Bit i of `dead`: the attacker (0), blocker i - 1.
cdef struct Clash:
    int dead
    int through       # damage to the player behind
    int exchange      # points: blockers that die less the attacker if it dies


cdef inline int enough(const Fighter *f, uint64_t by) noexcept nogil:
    """Damage that kills it, by a source with these keywords."""
    if by & K_DEATHTOUCH and 1 < f.life < NEVER:
        return 1
    return f.life


cdef inline int hits(const Fighter *f) noexcept nogil:
    """Damage of an unblocked attacker."""
    return f.power * 2 if f.keywords & K_DOUBLE_STRIKE else f.power


# A regeneration shield is on it (CR 701.19).
cdef bint shielded(const Game *g, uint16_t row) noexcept nogil
cdef Mod *mod_find(const Mods *m, uint16_t row) noexcept nogil
cdef void fighter(const Game *g, uint16_t row, const Mods *mods, Fighter *f) noexcept nogil
cdef int duel(const Fighter *a, const Fighter *b, int *through) noexcept nogil
cdef void clash(const Fighter *a, const Fighter *b, int n, Clash *c) noexcept nogil
cdef int combat_value(const Game *g, int me, const Mods *mods, int share) noexcept nogil
