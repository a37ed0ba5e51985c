# Mana: sources counted as they tap and untap, whether a cost can be paid, and paying it.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._defs cimport face_of
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Ability, Mana

cdef enum:
    LANES_HIGH = 0x8000800080008000

cdef enum:
    TOTAL_SHIFT = 32
    EXTRA_SHIFT = 48


cdef void mana_count(Game *g, uint16_t row, int want) noexcept nogil
cdef bint can_pay_exact(Game *g, int player, const Mana *cost, uint16_t without) noexcept nogil
cdef bint pay_auto(Game *g, int player, const Mana *cost) noexcept nogil
cdef void tap_for_mana(Game *g, uint16_t row, int color) noexcept nogil
cdef bint pool_pays(Game *g, int player, const Mana *cost) noexcept nogil
cdef void pool_spend(Game *g, int player, Mana *cost, int color) noexcept nogil
cdef void pools_empty(Game *g) noexcept nogil
cdef int cost_pips(const Mana *cost, int color) noexcept nogil
cdef int cost_total(const Mana *cost) noexcept nogil


# A way to pay with mana abilities that cost or do more than tapping (CR 605): which, and the colours chosen for them.
cdef enum:
    MOST_USES = 16

cdef struct Plan:
    int n
    int life
    uint16_t row[MOST_USES]
    uint16_t ability[MOST_USES]
    uint8_t color[MOST_USES]   # of all the mana that it makes; 0xFF as each mana is needed
    Mana cost                  # in all, with what the abilities cost

# Whether such a payment exists, of a spell (row, 0 none) or anything else; `first`, if not 0: with this ability of that
# permanent. What the pool holds for the spell alone is spent first.
cdef bint others_pay(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell, uint16_t first,
                     int ability, Plan *plan) noexcept nogil
# The ability, one of the permanent's, can be activated for its mana now, as far as the permanent itself is concerned.
cdef bint mana_ready(Game *g, uint16_t row, int ability, int player) noexcept nogil
# What special mana of the pool pays for a spell goes off the cost; `spend`: it leaves the pool. True: it makes the
# spell one that can't be countered.
cdef bint take_special(Game *g, int player, Mana *cost, uint16_t spell, bint spend) noexcept nogil
# Payment finds the mana ability by itself; `life`: what it costs.
cdef bint found_alone(const Game *g, const Ability *a, int *life) noexcept nogil
# Mana into a pool, alike (use -1) or for what an ability says.
cdef void give_mana(Game *g, int player, int color, int n, int use, uint16_t source_row,
                    uint32_t source_id) noexcept nogil


cdef inline bint has_others(const Game *g) noexcept nogil:
    """Some permanent has a mana ability that is more than plain, or a pool holds mana that is not all alike."""
    return (g.h.casting >> CA_MANA & 1) != 0 or g.h.n_special != 0


cdef inline void mana_update(Game *g, uint16_t row) noexcept nogil:
    """Count or uncount a permanent among its controller's untapped mana sources."""
    cdef int want = g.mana[row]
    if want:
        if g.zone[row] != Z_BATTLEFIELD or g.status[row] & (ST_TAPPED | ST_PHASED_OUT):
            want = 0
        elif g.status[row] & ST_SICK and g.types[row] & T_CREATURE and not g.keywords[row] & K_HASTE:
            want = 0  # CR 302.6
    if want != g.mana_in[row]:
        mana_count(g, row, want)


cdef inline bint can_pay(Game *g, int player, const Mana *cost) noexcept nogil:
    """Some payment exists from the mana pool and untapped sources that cost only tapping."""
    cdef uint64_t lo, hi
    if g.h.options_mask & EO_PAY_FREE:
        return True
    if g.p_pool_n[player]:
        return can_pay_exact(g, player, cost, 0)
    lo = g.p_mana_lo[player]
    hi = g.p_mana_hi[player]
    # One comparison a word: a lane that is too small borrows from its guard bit.
    if (((hi | LANES_HIGH) - cost.hi) & ((lo | LANES_HIGH) - cost.lo) & LANES_HIGH) != LANES_HIGH:
        return False
    return hi >> EXTRA_SHIFT == 0 or can_pay_exact(g, player, cost, 0)
# How much mana a value says that the permanent's ability makes.
cdef int made_now(Game *g, uint16_t row, int player, int number) noexcept nogil
