# What creatures and life are worth to `greedy`, and fights among creatures. 100 points are about one card.
from libc.stdint cimport uint16_t, uint64_t, uint8_t
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport FACE_ACTS, Face

cdef enum:
    WIN = 20000       # a player is beaten
    MAX_MODS = 8
    GANG = 6          # blockers of one attacker that a clash looks at
    NEVER = 9999      # damage that is never enough
    A_DIES = 1
    B_DIES = 2

# A permanent as it will be: what a program that is being judged would do to it.
cdef struct Mod:
    uint64_t keywords
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


cdef inline int face_worth(const Face *f, int more) noexcept nogil:
    """Points of a permanent of this face, `more` counters of +1/+1 on it."""
    cdef int power, worth
    cdef uint64_t k = f.keywords
    if not f.types & T_CREATURE:
        worth = 10 + 12 * f.mv
        if f.mana or f.types & T_LAND:
            worth += 30
        if f.flags & FACE_ACTS:
            worth += 20
        return worth
    power = f.power + more
    if power < 0:
        power = 0
    worth = 15 + 18 * power + 12 * (f.toughness + more)
    if k:
        if k & K_FLYING:
            worth += 8 * power
        if k & K_TRAMPLE:
            worth += 3 * power
        if k & K_MENACE:
            worth += 4 * power
        if k & K_UNBLOCKABLE:
            worth += 12 * power
        if k & K_LIFELINK:
            worth += 6 * power
        if k & K_DOUBLE_STRIKE:
            worth += 12 * power
        if k & K_FIRST_STRIKE:
            worth += 12
        if k & K_DEATHTOUCH:
            worth += 30
        if k & K_DEFENDER:
            worth -= 12 * power
        if k & K_INDESTRUCTIBLE:
            worth += 40
        if k & (K_HEXPROOF | K_SHROUD):
            worth += 10
        if k & K_CANT_BLOCK:
            worth -= 10
        if k & (K_HASTE | K_VIGILANCE | K_REACH):
            worth += 5
    if f.mana:
        worth += 20
    if f.flags & FACE_ACTS:
        worth += 40
    return worth if worth > 5 else 5


cdef inline int worth_of(const Game *g, uint16_t row) noexcept nogil:
    """Points of an object for its controller, without what ends with the turn."""
    return face_worth(&g.cards.faces[g.defn[row]], g.c_p1p1[row] - g.c_m1m1[row])


cdef inline int life_worth(int life) noexcept nogil:
    """Points of a life total: the last points count most."""
    if life <= 0:
        return 0
    if life <= 5:
        return 28 * life
    if life <= 10:
        return 140 + 16 * (life - 5)
    if life <= 15:
        return 220 + 10 * (life - 10)
    if life <= 20:
        return 270 + 8 * (life - 15)
    if life <= 40:
        return 310 + 4 * (life - 20)
    return 390 + min(life, 140) - 40


cdef inline int loss_of(int life, int damage) noexcept nogil:
    """Points that damage costs a player with this life total."""
    if damage <= 0:
        return 0
    if damage >= life:
        return WIN
    return life_worth(life) - life_worth(life - damage)


cdef inline int enough(const Fighter *f, uint64_t by) noexcept nogil:
    """Damage that kills it, by a source with these keywords."""
    if by & K_DEATHTOUCH and 1 < f.life < NEVER:
        return 1
    return f.life


cdef inline int hits(const Fighter *f) noexcept nogil:
    """Damage of an unblocked attacker."""
    return f.power * 2 if f.keywords & K_DOUBLE_STRIKE else f.power


cdef Mod *mod_find(const Mods *m, uint16_t row) noexcept nogil
cdef void fighter(const Game *g, uint16_t row, const Mods *mods, Fighter *f) noexcept nogil
cdef int duel(const Fighter *a, const Fighter *b, int *through) noexcept nogil
cdef void clash(const Fighter *a, const Fighter *b, int n, Clash *c) noexcept nogil
cdef int combat_value(const Game *g, int me, const Mods *mods, int share) noexcept nogil
