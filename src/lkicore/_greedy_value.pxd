# What a program would be worth to its controller.
from libc.stdint cimport uint16_t
from lkicore._greedy_clash cimport Mods
from lkicore._greedy_trial cimport Trial
from lkicore._layout cimport Game
from lkicore._types cimport Ability, Face

# From an instruction on, with the targets chosen; the combat included.
cdef int run(Game *g, Trial *t, int at) noexcept nogil
# With the best choice of the targets not chosen yet, from specification `spec` on, of which `have` are chosen.
cdef int best_gain(Game *g, Trial *t, const Ability *a, int spec, int have) noexcept nogil
# With the best modes and targets.
cdef int ability_gain(Game *g, Trial *t, int ability) noexcept nogil
cdef int spell_gain(Game *g, uint16_t face, Trial *t) noexcept nogil
# Points of each mode, and which of them are best; returns the points of those.
cdef int modes_gain(Game *g, Trial *t, const Ability *a, int after, int least, int most, int *first) noexcept nogil
cdef int entry_gain(Game *g, int entry, const Mods *mods, Mods *after) noexcept nogil
# Points that a player gives up by paying the cost of E_PAY; -1 it can't be paid.
cdef int pay_points(Game *g, Trial *t, int player, const Ability *cost, int x) noexcept nogil
cdef int keep_worth(const Game *g, int ability) noexcept nogil
cdef bint has_effect(const Game *g, int program, int op) noexcept nogil
# Of the program or one of the modes of an ability; -1 none.
cdef bint ability_has(const Game *g, int ability, int op) noexcept nogil
cdef bint has_trick(const Game *g, int ability) noexcept nogil
cdef int face_damage(Game *g, int program, int controller, uint16_t source, int victim, int x, int first,
                     int n) noexcept nogil
