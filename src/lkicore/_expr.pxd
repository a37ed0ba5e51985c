# Reading: facts about specific objects under a policy, references, values, filters of the effect language.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._layout cimport Game

# Facts about one object, current or last known.
cdef struct Facts:
    uint64_t keywords
    uint32_t id
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
    int16_t x            # chosen X of a spell (CR 107.3m), else 0
    uint8_t colors
    uint8_t controller
    uint8_t owner
    uint8_t status
    uint8_t zone
    uint8_t where        # FROM_MISSING, FROM_LIVE, FROM_LKI

# Who is asking: a spell or ability that is announced or resolves.
cdef struct Ctx:
    uint32_t source_id
    uint32_t self_id
    uint16_t source_row
    uint16_t self_row
    uint16_t targets     # chunk
    int16_t x
    uint8_t controller

cdef bint read_facts(Game *g, uint16_t row, uint32_t id, int policy, Facts *f) noexcept nogil
cdef bint ref_object(Game *g, const Ctx *c, int ref, uint16_t *row, uint32_t *id, int *policy) noexcept nogil
cdef int ref_players(Game *g, const Ctx *c, int ref) noexcept nogil
cdef int value(Game *g, const Ctx *c, int node, bint *known) noexcept nogil
cdef bint passes(Game *g, const Ctx *c, int node, uint16_t row) noexcept nogil
cdef bint passes_player(Game *g, const Ctx *c, int node, int player) noexcept nogil
cdef bint may_target(const Game *g, int player, uint16_t row) noexcept nogil
cdef bint can_die(const Game *g, uint16_t row) noexcept nogil
