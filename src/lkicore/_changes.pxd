# A pass over the layers (CR 613): what it works on, and what a single change (ChangeOp) does to an object.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport LAYER_PLAYERS, Node

# The layers and their parts (CR 613.1, 613.4) as bits of Ability.layers: 1 << LAYER.
cdef enum:
    LAYER_COPY = 1
    LAYER_CONTROL = 2
    LAYER_TEXT = 3
    LAYER_TYPES = 4
    LAYER_COLORS = 5
    LAYER_ABILITIES = 6
    LAYER_CDA = 7
    LAYER_SET = 8
    LAYER_ADD = 9
    LAYER_SWITCH = 10

cdef enum:
    TO_COME = 0
    WAITS = 1
    DONE = 2

cdef enum:
    LOST = 1
    WILL_LOSE = 2   # later in the present layer: it does nothing, but others may wait for it until then

cdef enum:
    NO_SET = 0xFFFFFFFF
    MOST_SIZE = 30000

# A static ability that functions, or functioned when it began to apply.
cdef struct Static:
    uint32_t timestamp   # CR 613.7a
    uint32_t set         # where the set of the objects that it applies to begins, NO_SET none
    uint16_t row         # its permanent
    uint16_t ability
    uint16_t only        # the one object that it applies to, 0 none
    uint8_t began        # it applies to those objects (CR 613.6)
    uint8_t lost         # the permanent has lost it (LOST), or will (WILL_LOSE)
    uint8_t turn         # in the present layer: TO_COME, WAITS for what it depends on (CR 613.8), DONE

# Qualities that are asked for, or changed.
cdef struct Qualities:
    uint64_t keywords
    uint16_t types
    uint8_t colors
    uint8_t subtypes    # 1: some subtype

# An object's values as they were before the pass.
cdef struct Before:
    uint64_t keywords
    int16_t power
    int16_t toughness
    uint16_t types
    uint8_t colors
    uint8_t controller

cdef struct Pass:
    const uint16_t *rows  # permanents to compute
    Before *before
    int16_t *first       # numbers of the change being applied: power of each row
    int16_t *second      # toughness
    Static *statics      # by timestamp
    uint64_t *sets       # bits are numbers of rows in `rows`
    int n
    int n_statics
    int most_statics
    int width            # words of a set
    int used             # words of `sets` in use
    int most_sets
    int layers           # something applies there (1 << layer)
    bint whole           # all permanents
    bint all_changed
    bint any_changed
    bint any_quality     # of something else than sizes
    uint8_t *restricted  # by row: restrictions that effects have given it, see `restrictions`
    bint full            # more static abilities than it has room for
    bint sizes_asked     # some static ability looks at sizes
    Qualities stirred    # what is changed in the present layer


cdef inline int layer_of(int op) noexcept nogil:
    """The layer that a change (ChangeOp) is applied in."""
    if op == X_ADD_PT:
        return LAYER_ADD
    elif op == X_ADD_KEYWORDS or op == X_LOSE_KEYWORDS or op == X_ADD_ABILITY or op == X_ADD_CHOSEN_ABILITY:
        return LAYER_ABILITIES
    elif op == X_LOSE_ABILITIES:
        return LAYER_ABILITIES
    elif op == X_SET_PT:
        return LAYER_SET
    elif op == X_CONTROL:
        return LAYER_CONTROL
    elif op == X_SET_COLORS or op == X_ADD_COLORS:
        return LAYER_COLORS
    elif op == X_CDA_PT:
        return LAYER_CDA
    elif op == X_SWITCH_PT:
        return LAYER_SWITCH
    elif X_PLAYER_FACTS <= op <= X_PROTECT_PLAYER:
        return LAYER_PLAYERS
    return LAYER_TYPES


# A static ability begins to exist; number `after` is being applied (-1 none), and those before it have been.
cdef void static_add(Game *g, Pass *p, uint16_t row, int ability, uint32_t timestamp, int after) noexcept nogil
# A change in layers 4 to 6; `color`: number of the chosen colour, -1 none.
cdef void change_quality(Game *g, Pass *p, uint16_t row, const Node *x, int color, uint32_t timestamp,
                         int after) noexcept nogil
# A change in layer 7.
cdef void change_size(Game *g, uint16_t row, const Node *x, int power, int toughness, bint has_power,
                      bint has_toughness) noexcept nogil
# A number of a change: 0 where there is no answer.
cdef int number(Game *g, const Ctx *c, int node) noexcept nogil
# Subtypes of its type line that effects have changed, and the mana abilities that they mean (CR 612.1, 305.6).
cdef void change_type_words(Game *g, uint16_t row) noexcept nogil
# Number of the colour chosen for a permanent (CR 607.2d), -1 none.
cdef int chosen_color(const Game *g, uint16_t row) noexcept nogil


cdef inline int16_t sized(int v) noexcept nogil:
    return <int16_t>(MOST_SIZE if v > MOST_SIZE else (-MOST_SIZE if v < -MOST_SIZE else v))


cdef inline bint there(const Game *g, uint16_t row) noexcept nogil:
    return g.zone[row] == Z_BATTLEFIELD and not g.status[row] & ST_PHASED_OUT
