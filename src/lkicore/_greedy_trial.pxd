# A spell or ability that `greedy` thinks about: what its references and values mean, and a note of what it changes.
from libc.stdint cimport uint16_t, uint8_t
from lkicore._expr cimport Ctx
from lkicore._greedy_clash cimport Mod, Mods, mod_find
from lkicore._layout cimport Frame, Game
from lkicore._opcodes cimport *
from lkicore._types cimport Ability

cdef enum:
    MAX_TARGETS = 6
    FEW = 6           # objects moved or picked that are kept in mind
    MANY = 64         # objects of a reference that are looked at
    BUDGET = 400      # choices of targets that are looked at for one spell

# What a program has done so far.
cdef struct Scene:
    Mods mods
    int result               # of the last instruction
    int n_moved
    int n_picked
    int picked_player        # -1 none
    uint16_t moved[FEW]
    uint16_t picked[FEW]
    bint fog                 # combat damage is prevented

cdef struct Trial:
    Ctx c                    # who asks, as the engine would ask
    Scene s
    int controller
    int x
    int n                    # targets chosen
    int budget
    int depth
    int answer               # entry of the stack that it must do something about, -1 none
    int threat               # points of that entry as things stand
    int kick                 # how often optional costs are paid, -1: as the game says
    uint16_t source
    uint16_t host            # what the source is, or would be, attached to
    uint16_t paid            # what a cost would be paid with, 0 nothing
    const Mods *doomed       # what is lost anyway, NULL nothing
    bint spell               # the source itself is what is cast
    bint within              # a program within another one: the combat is looked at by that one
    bint combat              # blocks are declared, damage is not dealt yet
    int combat_before        # points of the combat as it stands
    int share                # of 100: how damage in combat counts that does not beat an opponent
    int player[MAX_TARGETS]  # -1: an object
    uint16_t row[MAX_TARGETS]
    uint8_t spec[MAX_TARGETS]

# `share` below 0: whatever becomes of the combat.
cdef void trial_begin(const Game *g, Trial *t, int controller, uint16_t source, int x, int share) noexcept nogil
# The trial of part number `part` of an entry of the stack, with its targets.
cdef void trial_of_entry(const Game *g, Trial *t, int entry, int part) noexcept nogil
# The trial of what is being announced, with the targets chosen so far for one of its parts.
cdef void trial_of_frame(Game *g, Trial *t, const Frame *f, int part) noexcept nogil
cdef void combat_anew(const Game *g, Trial *t) noexcept nogil
cdef Mod *mod_of(Trial *t, uint16_t row) noexcept nogil
cdef int objects(Game *g, Trial *t, int ref, uint16_t *rows) noexcept nogil
cdef uint16_t object_of(Game *g, Trial *t, int ref) noexcept nogil
cdef int players_of(Game *g, Trial *t, int ref) noexcept nogil
cdef int number(Game *g, Trial *t, int node) noexcept nogil


cdef inline bint is_gone(const Trial *t, uint16_t row) noexcept nogil:
    cdef Mod *m = mod_find(&t.s.mods, row)
    return m != NULL and m.gone


cdef inline int side(const Game *g, const Trial *t, uint16_t row) noexcept nogil:
    """1: its loss is the controller's gain."""
    return -1 if g.controller[row] == t.controller else 1


cdef inline bint trick(const Game *g, int op, int duration) noexcept nogil:
    return op == E_APPLY and duration != D_PERMANENT and duration != D_WHILE_SOURCE
