# Whether a spell or ability can be announced (CR 601.3, 602.5): payable, in time, with a choice of modes and targets.
from libc.stdint cimport uint16_t
from lkicore._abilities cimport ability_of
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game
from lkicore._types cimport Ability

# Payable for its mana cost, with a legal choice of modes and targets; timing is the caller's matter (CR 601.2, 601.3).
cdef bint castable(Game *g, uint16_t row, int player) noexcept nogil
# The same in a way of the card's own and by a permission (numbers of ways, -1 none), with its conditions.
cdef bint castable_in(Game *g, uint16_t row, int player, int own, int permit) noexcept nogil
# CR 602.2, 602.5: this ability of this object, now.
cdef bint activatable(Game *g, uint16_t row, int ability, int player) noexcept nogil
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
