# Whether a spell or ability can be announced (CR 601.3, 602.5): payable, in time, with a choice of modes and targets.
from libc.stdint cimport uint16_t
from lkicore._abilities cimport ability_of
from lkicore._expr cimport Ctx
from lkicore._guard cimport rare
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Ability

# Payable for its mana cost, with a legal choice of modes and targets; timing is the caller's matter (CR 601.2, 601.3).
cdef bint castable(Game *g, uint16_t row, int player) noexcept nogil
# The same in a way of the card's own and by a permission (numbers of ways, -1 none), with its conditions.
cdef bint castable_in(Game *g, uint16_t row, int player, int own, int permit) noexcept nogil
cdef bint activatable_oddly(Game *g, uint16_t row, const Ability *a, int ability, int player) noexcept nogil
cdef bint activatable_fully(Game *g, uint16_t row, const Ability *a, int ability, int player) noexcept nogil
cdef bint can_choose(Game *g, Ctx *c, int ability) noexcept nogil
cdef const Ability *mode_part(const Game *g, int ability, uint16_t info, int k) noexcept nogil
cdef int mode_parts(const Game *g, uint16_t info) noexcept nogil


cdef inline const Ability *part_of(const Game *g, int ability, uint16_t info, int k) noexcept nogil:
    """The ability that holds targets and program of chosen mode number k of an ability (itself without modes)."""
    cdef const Ability *a = ability_of(g, ability)
    return a if a.n_modes == 0 else mode_part(g, ability, info, k)


cdef inline int parts_of(const Game *g, int ability, uint16_t info) noexcept nogil:
    """How many of these there are."""
    return 1 if ability_of(g, ability).n_modes == 0 else mode_parts(g, info)


cdef inline bint at_hand(const Game *g, uint16_t row, const Ability *a) noexcept nogil:
    """It works where the object is, which can be tapped or untapped for it."""
    if not a.zones >> g.zone[row] & 1:
        return False
    if a.cost_flags & (CO_TAP | CO_UNTAP):
        if ((g.status[row] & ST_TAPPED) != 0) == ((a.cost_flags & CO_TAP) != 0):
            return False
        if g.status[row] & ST_SICK and g.types[row] & T_CREATURE and not g.keywords[row] & K_HASTE:
            return False  # CR 302.6
    return True


cdef inline bint activatable(Game *g, uint16_t row, int ability, int player) noexcept nogil:
    """CR 602.2, 602.5: this ability of this object, now."""
    cdef const Ability *a = ability_of(g, ability)
    if rare(a.odd):
        return activatable_oddly(g, row, a, ability, player)
    return at_hand(g, row, a) and activatable_fully(g, row, a, ability, player)
