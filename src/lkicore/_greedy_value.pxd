# What a program would be worth to its controller.
from libc.stdint cimport uint16_t, uint32_t, uint8_t
from lkicore._greedy_clash cimport Mods
from lkicore._layout cimport Game

cdef enum:
    MAX_TARGETS = 4
    BUDGET = 400      # choices of targets that are looked at for one spell

# A spell or ability that is being thought about.
cdef struct Trial:
    Mods mods                  # what it and what is assumed before it would do
    int controller
    int x
    int n                      # targets chosen
    int budget
    int depth
    int answer                 # entry of the stack that it must do something about, -1 none
    int threat                 # points of that entry as things stand
    uint16_t source
    uint16_t self_row
    bint combat                # blocks are declared, damage is not dealt yet
    int combat_before          # points of the combat as it stands
    int share                  # of 100: how damage in combat counts that does not beat an opponent
    int player[MAX_TARGETS]    # -1: an object
    uint16_t row[MAX_TARGETS]

cdef void trial_begin(const Game *g, Trial *t, int controller, uint16_t source, int x, int share) noexcept nogil
cdef int gain(Game *g, Trial *t, int program) noexcept nogil
cdef int best_gain(Game *g, Trial *t, int program, int first, int n) noexcept nogil
cdef int entry_gain(Game *g, int entry, const Mods *mods, Mods *after) noexcept nogil
cdef int lands_of(const Game *g, int player) noexcept nogil
cdef int spell_gain(Game *g, uint16_t face, Trial *t) noexcept nogil
cdef int keep_worth(const Game *g, int program) noexcept nogil
cdef int face_damage(Game *g, int program, int controller, int victim, int x, int first, int n) noexcept nogil
cdef bint has_effect(const Game *g, int program, int op) noexcept nogil
