# What permanents, cards and life are worth to `greedy`. 100 points are about one card.
from libc.stdint cimport uint16_t, uint64_t
from lkicore._defs cimport face_of
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport FACE_ACTS, FACE_PERMANENT, FACE_STATIC, Ability, Face

cdef enum:
    WIN = 20000       # a player is beaten
    CARD = 55         # a card in hand
    PLENTY = 5        # mana sources beyond which one more matters little


cdef inline int creature_worth(int power, int toughness, uint64_t k) noexcept nogil:
    """Points of a creature of this size with these keywords."""
    cdef int worth
    if power < 0:
        power = 0
    worth = 15 + 18 * power + 12 * toughness
    if k:
        if k & K_FLYING:
            worth += 8 * power
        if k & K_TRAMPLE:
            worth += 3 * power
        if k & K_MENACE:
            worth += 4 * power
        if k & K_UNBLOCKABLE:
            worth += 12 * power
        if k & (K_FEAR | K_INTIMIDATE | K_SHADOW | K_HORSEMANSHIP | K_SKULK):
            worth += 6 * power
        if k & (K_INFECT | K_TOXIC | K_WITHER):
            worth += 5 * power
        if k & K_LIFELINK:
            worth += 6 * power
        if k & K_DOUBLE_STRIKE:
            worth += 12 * power
        if k & K_FIRST_STRIKE:
            worth += 12
        if k & K_DEATHTOUCH:
            worth += 30
        if k & (K_DEFENDER | K_CANT_ATTACK):
            worth -= 12 * power
        if k & K_INDESTRUCTIBLE:
            worth += 40
        if k & (K_HEXPROOF | K_SHROUD):
            worth += 10
        if k & (K_PROTECTION | K_WARD):
            worth += 10
        if k & K_CANT_BLOCK:
            worth -= 10
        if k & K_CANT_ATTACK and k & K_CANT_BLOCK:
            worth = 10 + (worth >> 2)  # what it does else is not stopped
        if k & K_DOESNT_UNTAP:
            worth -= 8 * power + 20
        if k & (K_HASTE | K_VIGILANCE | K_REACH):
            worth += 5
    return worth


# What abilities other than activated ones add.
cdef int abilities_worth(const Game *g, const Face *f) noexcept nogil
# Points of a program for its controller, whatever the game is like.
cdef int program_worth(const Game *g, int program, int depth) noexcept nogil
cdef int ability_worth(const Game *g, const Ability *a, int depth) noexcept nogil
# What its controller gets when the permanent dies.
cdef int death_worth(const Game *g, const Face *f) noexcept nogil
cdef int enters_worth(const Game *g, const Face *f) noexcept nogil
# A triggered ability of this event that is about the object itself.
cdef bint triggers_itself(const Game *g, const Ability *a, int event) noexcept nogil
# What attacking with it adds, by what triggers then.
cdef int attack_worth(const Game *g, const Face *f) noexcept nogil
cdef int live_worth(Game *g, uint16_t row) noexcept nogil
cdef int entering_counters(const Game *g, const Face *f, int x, int kick) noexcept nogil
cdef int lands_of(const Game *g, int player) noexcept nogil
cdef int lands_in_hand(const Game *g, int player) noexcept nogil
# Points of a card in a player's hand, or of one that would come there.
cdef int card_worth(const Game *g, int player, const Face *f, int lands) noexcept nogil


cdef inline int body_worth(const Face *f, int worth) noexcept nogil:
    """A creature's worth with the mana and the activated abilities of its face."""
    if f.mana:
        worth += 20
    if f.flags & FACE_ACTS:
        worth += 40
    return worth if worth > 5 else 5


cdef inline int face_worth(const Game *g, const Face *f, int more) noexcept nogil:
    """Points of a permanent of this face on the battlefield, `more` counters of +1/+1 on it."""
    cdef int worth
    if f.types & T_CREATURE:
        worth = body_worth(f, creature_worth(f.power + more, f.toughness + more, f.keywords))
    else:
        worth = 10 + 12 * f.mv
        if f.mana or f.types & T_LAND:
            worth += 30
        if f.flags & FACE_ACTS:
            worth += 20
    if f.listens or f.flags & FACE_STATIC:
        worth += abilities_worth(g, f)
    return worth


cdef inline int arriving_worth(const Game *g, const Face *f) noexcept nogil:
    """Points of a permanent of this face as it enters."""
    cdef int worth = face_worth(g, f, 0)
    if f.listens:
        worth += enters_worth(g, f) + death_worth(g, f) * 6 // 10
    return worth


cdef inline int worth_of(const Game *g, uint16_t row) noexcept nogil:
    """Points of a permanent for its controller, without what ends with the turn."""
    cdef const Face *f = face_of(g, g.defn[row])
    if f.flags & FACE_STATIC or g.h.n_attached or (g.keywords[row] ^ f.keywords) & (K_CANT_ATTACK | K_CANT_BLOCK):
        return live_worth(<Game *>g, row)
    return face_worth(g, f, g.c_p1p1[row] - g.c_m1m1[row])


cdef inline int death_cost(const Game *g, uint16_t row) noexcept nogil:
    """Points that its controller loses when it dies."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int worth = worth_of(g, row)
    if f.listens:
        worth -= death_worth(g, f) * 8 // 10
        if worth < 3:
            worth = 3
    return worth


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
