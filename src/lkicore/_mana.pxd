# Mana: sources counted as they tap and untap, whether a cost can be paid, and paying it.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._defs cimport face_of
from lkicore._guard cimport rare
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Ability, Mana

cdef enum:
    LANES_HIGH = 0x8000800080008000

cdef enum:
    TOTAL_SHIFT = 32
    EXTRA_SHIFT = 48    # of sources: how many make one of several kinds, or several mana
    SNOW_SHIFT = 48     # of a cost: how many {S} symbols (CR 107.4h)
    SNOW_KIND = 64      # in a mask of kinds: it is mana of a snow source


cdef void mana_count(Game *g, uint16_t row, int want) noexcept nogil
cdef bint can_pay_exact(Game *g, int player, const Mana *cost, uint16_t without) noexcept nogil
cdef bint pay_auto(Game *g, int player, const Mana *cost) noexcept nogil
cdef void tap_for_mana(Game *g, uint16_t row, int color) noexcept nogil
cdef bint pool_pays(Game *g, int player, const Mana *cost) noexcept nogil
cdef void pool_spend(Game *g, int player, Mana *cost, int color) noexcept nogil
cdef void pools_empty(Game *g) noexcept nogil
cdef int cost_pips(const Mana *cost, int color) noexcept nogil
cdef int cost_total(const Mana *cost) noexcept nogil


# One mana paid: for a coloured symbol (color 0..5) or for generic mana (-1).
cdef void take_pip(Mana *cost, int color) noexcept nogil
cdef int snow_of(const Mana *cost) noexcept nogil
cdef void take_snow(Mana *cost) noexcept nogil
# Mana from this source is in the pool: how much of it is snow mana.
cdef void snow_made(Game *g, int player, int color, int n, uint16_t source) noexcept nogil
cdef int generic_of(const Mana *cost) noexcept nogil
cdef int own_amount(const Game *g, uint16_t row) noexcept nogil


cdef inline int amount_of(const Game *g, uint16_t row) noexcept nogil:
    """Most mana that one tap-for-mana ability of the permanent makes."""
    if rare(g.oflags[row] & OF_OWN_ABILITIES):
        return own_amount(g, row)
    return max(1, <int>face_of(g, g.defn[row]).mana_amount)


# Leave a source out of what is counted for a while, and count it again.
cdef uint8_t set_aside(Game *g, uint16_t row) noexcept nogil
cdef void put_back(Game *g, uint16_t row, int counted) noexcept nogil
cdef void drop_special(Game *g, uint32_t i) noexcept nogil
# A source has become tapped for mana.
cdef void tapped(Game *g, uint16_t row) noexcept nogil
cdef enum:
    # Kinds of E_ADD_MANA that depend on more: the colour chosen for the source, what the event's permanent made.
    KINDS_CHOSEN = 64
    KINDS_MADE = 128
# Mana into a pool, alike (use -1) or for what an ability says.
cdef void give_mana(Game *g, int player, int color, int n, int use, uint16_t source_row,
                    uint32_t source_id) noexcept nogil


cdef inline bint has_others(const Game *g) noexcept nogil:
    """Some permanent has a mana ability that is more than plain, or a pool holds mana that is not all alike."""
    return (g.h.casting & (1 << CA_MANA | 1 << CA_TAPPED)) != 0 or g.h.n_special != 0


cdef inline bint tapping(const Game *g) noexcept nogil:
    """Tapping permanents for mana may mean more than their mana, or other mana: none counts as a plain source."""
    return (g.h.casting >> CA_TAPPED & 1) != 0


cdef inline void mana_update(Game *g, uint16_t row) noexcept nogil:
    """Count or uncount a permanent among its controller's untapped mana sources."""
    cdef int want = g.mana[row]
    if want:
        if g.zone[row] != Z_BATTLEFIELD or g.status[row] & (ST_TAPPED | ST_PHASED_OUT):
            want = 0
        elif g.status[row] & ST_SICK and g.types[row] & T_CREATURE and not g.keywords[row] & K_HASTE:
            want = 0  # CR 302.6
        elif g.h.casting >> CA_TAPPED & 1:
            want = 0
    if want != g.mana_in[row] or (want and g.mana_n[row] != amount_of(g, row)):
        mana_count(g, row, want)


cdef inline bint can_pay(Game *g, int player, const Mana *cost) noexcept nogil:
    """Some payment exists from the mana pool and untapped sources that cost only tapping."""
    cdef uint64_t lo, hi
    if rare(g.h.options_mask & EO_PAY_FREE):
        return True
    if rare(g.p_pool_n[player]):
        return can_pay_exact(g, player, cost, 0)
    lo = g.p_mana_lo[player]
    hi = g.p_mana_hi[player]
    # One comparison a word: a lane that is too small borrows from its guard bit.
    if (((hi | LANES_HIGH) - cost.hi) & ((lo | LANES_HIGH) - cost.lo) & LANES_HIGH) != LANES_HIGH:
        return rare(cost.hi >> SNOW_SHIFT) and can_pay_exact(g, player, cost, 0)
    return hi >> EXTRA_SHIFT == 0 or can_pay_exact(g, player, cost, 0)
