# Payment with mana abilities that cost or do more than tapping, and where tapping for mana means more than its mana
# (CR 605): what an activation makes, and which of them pay a cost.
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game
from lkicore._triggers cimport Happening
from lkicore._types cimport Ability, Mana

# A way to pay with such abilities: which, and the colours chosen for them.
cdef enum:
    MOST_USES = 16
    MOST_YIELDS = 24
    ANY_KIND = 0xFF   # a colour: each mana of the kind that is needed

cdef struct Plan:
    int n
    int life
    uint16_t row[MOST_USES]
    uint16_t ability[MOST_USES]
    uint8_t color[MOST_USES]   # of all the mana that it makes; ANY_KIND as each mana is needed
    Mana cost                  # in all, with what the abilities cost

# What one activation makes, with replacements and triggered mana abilities: mana of one of some kinds each.
cdef struct Yield:
    int n
    int kinds                  # that the permanent was tapped for
    int mask[MOST_YIELDS]
    int amount[MOST_YIELDS]
    int use[MOST_YIELDS]       # ability that says what it can be spent on, -1 anything
    uint16_t row[MOST_YIELDS]
    uint32_t id[MOST_YIELDS]

# A triggered mana ability found: `n` counts on from the last one.
cdef struct Found:
    Ctx c
    const Ability *a
    int ability
    uint16_t row      # source; of a delayed ability what it was made by
    uint32_t id
    uint16_t defn
    int controller
    int x

# Whether such a payment exists, of a spell (row, 0 none) or anything else; `first`, if not 0: with this ability of that
# permanent, for mana of `color` (ANY_KIND any). What the pool holds for the spell alone is spent first.
cdef bint others_pay(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell, uint16_t first,
                     int ability, int color, Plan *plan) noexcept nogil
# The same of a spell that more can help to pay for; `list`: what helps already, which makes no mana (see `_help`).
cdef bint others_pay_helped(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell, int kinds,
                            uint16_t list, Plan *plan) noexcept nogil
# The ability, one of the permanent's, can be activated for its mana now, as far as the permanent itself is concerned.
cdef bint mana_ready(Game *g, uint16_t row, int ability, int player) noexcept nogil
# What special mana of the pool pays for a spell goes off the cost; `spend`: it leaves the pool. True: it makes the
# spell one that can't be countered.
cdef bint take_special(Game *g, int player, Mana *cost, uint16_t spell, bint spend) noexcept nogil
# CR 106.6: mana of this kind can be spent on the spell.
cdef bint serves(Game *g, const Ability *use, uint16_t source_row, uint32_t source_id, int player,
                 uint16_t spell) noexcept nogil
# Payment finds the mana ability by itself; `life`: what it costs.
cdef bint found_alone(const Game *g, const Ability *a, int *life) noexcept nogil
# What activating the ability makes as things stand.
cdef void yields_of(Game *g, uint16_t row, const Ability *a, int player, int color, Yield *y) noexcept nogil
# The mana goes off what is left to pay: mana number i of the yields, of the kind that is taken; -1: of no use.
cdef int take_made(Mana *left, int mask) noexcept nogil
# Kinds of E_ADD_MANA, with what they depend on.
cdef int kinds_of(const Game *g, const Ctx *c, int mask) noexcept nogil
# CR 106.12b, 614: the kinds and amount of mana that it is tapped for, after what replaces that.
cdef int replaced_mana(Game *g, uint16_t row, int player, int mask, int *amount) noexcept nogil
# The next triggered mana ability that triggers on this permanent's being tapped for mana of these kinds (CR 605.1b);
# `number`: from 0; false: no further.
cdef bint mana_trigger(Game *g, uint16_t row, int player, int kinds, int number, Found *f) noexcept nogil
# The plain mana ability of the permanent that makes mana of the kind; NONE16 none.
cdef int plain_ability(Game *g, uint16_t row, int player, int color) noexcept nogil
# The kinds of which its player may choose one as it taps the permanent by hand, 0 it can't be tapped.
cdef int kinds_to_tap(Game *g, uint16_t row, int player) noexcept nogil
