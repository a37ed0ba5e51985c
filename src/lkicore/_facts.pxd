# Facts about objects, current or last known; what an object's lists tell about its past. Everybody takes these names
# from _expr, which knows the policies of references.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._defs cimport face_of
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Face, Node

# Facts about one object, current or last known.
cdef struct Facts:
    uint64_t keywords
    uint32_t id
    uint32_t attached_id
    int16_t power
    int16_t toughness
    int16_t damage
    int16_t c_p1p1
    int16_t c_m1m1
    int16_t c_loyalty
    int16_t c_charge
    uint16_t types
    uint16_t defn
    uint16_t slot        # of the LKI row that answered, NO_SLOT
    uint16_t row         # that it has or had
    uint16_t attached_row
    uint16_t extra       # its list of what is rare
    int16_t x            # chosen X of a spell (CR 107.3m), else 0
    uint8_t colors
    uint8_t controller
    uint8_t owner
    uint8_t status
    uint8_t oflags
    uint8_t attacks
    uint8_t combat
    uint8_t zone
    uint8_t where        # FROM_MISSING, FROM_LIVE, FROM_LKI

# Who is asking: a spell or ability that is announced or resolves, a trigger condition, a static ability.
cdef struct Ctx:
    uint32_t source_id
    uint32_t self_id     # the spell or ability itself, 0 none
    uint32_t event_id    # object of the event that triggered it, 0 none
    uint32_t other_id
    uint32_t it_id       # the object that a static ability or a filter is asked about
    uint16_t source_row
    uint16_t self_row
    uint16_t event_row
    uint16_t other_row
    uint16_t it_row
    uint16_t targets     # chunk
    int16_t x
    int16_t amount       # of the event
    int16_t result       # of the last instruction
    int16_t share        # of what is divided, for the target that is acted on (CR 601.2d)
    uint8_t controller
    uint8_t player       # of the event, NO_PLAYER none
    uint8_t spec         # number of the first target specification of the mode
    uint8_t cost_flags   # what else the source itself pays (CostFlag)
    uint8_t live_only    # a static ability asks: nothing is last known (CR 604.7), sizes are as computed so far

# A reference to an object.
cdef struct Obj:
    uint32_t id
    uint16_t row

# The beginning of every context: `source` asks for its controller, everything else none.
cdef void plain_context(const Game *g, uint16_t source_row, uint32_t source_id, int controller, Ctx *c) noexcept nogil
# The columns of a live object, or its LKI row; see `read_facts` of _expr.
cdef bint known_facts(Game *g, uint16_t row, uint32_t id, int policy, Facts *f) noexcept nogil
# What the row of a slot holds; of something as it was as its host left, the object itself.
cdef void slot_facts(const Game *g, uint16_t slot, Facts *f) noexcept nogil
cdef int x_of(const Game *g, uint16_t row) noexcept nogil
cdef uint16_t extra_of(const Game *g, uint16_t row, uint32_t id, bint live_only) noexcept nogil
# The list of what was announced, paid, triggered and chosen, of the spell or ability that asks; 0 none.
cdef uint16_t info_of(const Game *g, const Ctx *c) noexcept nogil
# What was chosen for the source (ChosenKind), the last time; -1 nothing (CR 607.2d).
cdef int chosen_for_source(const Game *g, const Ctx *c, int kind) noexcept nogil
# What the source is attached to, or was when it left (CR 303.4, 400.7f).
cdef bint host_of(const Game *g, const Ctx *c, Obj *o) noexcept nogil
cdef bint became_of(const Game *g, const Ctx *c, Obj *o) noexcept nogil
cdef bint source_card(const Game *g, const Ctx *c, Obj *o) noexcept nogil
cdef uint32_t blocked_by(const Game *g, const Ctx *c) noexcept nogil
# Bit set of one player, or none.
cdef int defending_player(const Game *g, const Ctx *c) noexcept nogil
# Player number `number`, from 1, of a set, in turn order after player `first`; as a set, 0 nobody.
cdef int nth_player(const Game *g, int mask, int first, int number) noexcept nogil
cdef int counters_known(const Game *g, const Facts *f, int kind) noexcept nogil
# The level of a Class by its list (CR 716.2d).
cdef int level_in(const Game *g, uint16_t list) noexcept nogil
cdef int kicked_times(const Game *g, const Ctx *c, int cost) noexcept nogil
# Some optional cost of the spell that the list belongs, or belonged, to was paid.
cdef bint kicked(const Game *g, uint16_t list) noexcept nogil
# Counters, titles and facts of the players of a bit set; votes; day and night.
cdef int value_of_players(const Game *g, const Ctx *c, const Node *n, int mask, bint *known) noexcept nogil
cdef bint was_cast(const Game *g, const Ctx *c) noexcept nogil
cdef bint cast_way(const Game *g, const Ctx *c, int kind) noexcept nogil
# An event of one of these kinds (HistoryKind) happened to the object this turn.
cdef bint designated(const Game *g, uint16_t list, int what) noexcept nogil
cdef bint logged(const Game *g, int kinds, uint32_t id) noexcept nogil
# Bit set of the players among the legal targets of a specification, or the first chosen one only.
cdef int target_players(const Game *g, const Ctx *c, int spec, bint first) noexcept nogil
# An object (RK_OBJECT, by id) or a player (RK_PLAYER) has been chosen as a target while targets are being announced.
cdef bint target_already(const Game *g, const Ctx *c, uint32_t id, int kind, int player) noexcept nogil


cdef inline bint reached(const Game *g, uint16_t row) noexcept nogil:
    """Continuous effects may apply to this object outside the battlefield: its values are computed (CR 613)."""
    return (g.h.reach >> g.zone[row] & 1 or g.n_effects[row] != 0) and not g.oflags[row] & OF_ABILITY


cdef inline bint sized_elsewhere(const Game *g, uint16_t row) noexcept nogil:
    """An ability that defines its size is asked anew: no column holds it where the object is (CR 604.3)."""
    return (g.zone[row] != Z_BATTLEFIELD and g.zone[row] != Z_PHASED_OUT and not g.oflags[row] & OF_ABILITY
            and not reached(g, row))


cdef inline int bits_in(uint32_t m) noexcept nogil:
    cdef int n = 0
    while m:
        m &= m - 1
        n += 1
    return n


cdef inline uint16_t source_list(const Game *g, const Ctx *c) noexcept nogil:
    return extra_of(g, c.source_row, c.source_id, c.live_only)


cdef inline int mana_value(const Game *g, uint16_t defn, uint8_t oflags, int zone, int x) noexcept nogil:
    """CR 202.3, 202.3e: X is the chosen one on the stack, 0 elsewhere; an ability has no mana cost."""
    cdef const Face *f
    if oflags & OF_ABILITY:
        return 0
    f = face_of(g, defn)
    return f.mv + x * f.n_x if zone == Z_STACK else f.mv
