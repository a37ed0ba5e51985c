# Plain structs that every module shares; no logic.
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t, uint64_t, uint8_t

# A node of the effect language: value, filter or reference (spec/opcodes.toml).
cdef struct Node:
    int32_t op
    int32_t a
    int32_t b
    int32_t c

# What may be targeted (CR 115.1).
cdef struct TargetSpec:
    int32_t filter
    uint8_t players   # players may be chosen
    uint8_t objects   # objects may be chosen
    uint8_t zone      # zone of the objects
    uint8_t spare

# Mana as two packed words of four 16-bit lanes: lo = W U B R, hi = G C total extra.
# A cost counts coloured symbols, C symbols and the mana value without X; `extra` is 0 there. Sources count, for each
# colour, how much of it they can make; `extra` counts sources whose mana can't be told from the lanes alone.
cdef struct Mana:
    uint64_t lo
    uint64_t hi

cdef struct Ability:
    Mana cost
    int32_t program
    uint16_t first_target
    uint8_t n_targets
    uint8_t kind        # AbilityKind
    uint8_t cost_flags  # CostFlag
    uint8_t n_x
    uint8_t mana_mask   # kind MANA: colours that it can make
    uint8_t mana_amount

# A card face: what is printed (CR 200).
cdef struct Face:
    Mana cost
    uint64_t keywords
    uint64_t name_hash
    int32_t program       # of the spell, -1 none
    uint16_t types
    int16_t power
    int16_t toughness
    uint16_t first_target
    uint16_t first_ability
    uint16_t first_subtype
    uint8_t n_targets
    uint8_t n_abilities
    uint8_t n_subtypes
    uint8_t n_x
    uint8_t colors
    uint8_t mana          # colours that its tap-for-mana abilities can make
    uint8_t mana_amount   # most mana that one of them makes
    uint8_t mana_ability  # number of that ability
    uint8_t mv            # mana value without X (CR 202.3)
    uint8_t flags         # FaceFlag

cdef enum:
    FACE_TOKEN = 1
    FACE_HAS_COST = 2      # it can be cast
    FACE_ACTS = 4          # it has an activated ability that is no mana ability
    FACE_INSTANT_SPEED = 8  # instant or flash
    FACE_PERMANENT = 16

cdef struct CardTable:
    uint64_t hash
    int32_t n_faces
    int32_t n_code
    const Face *faces
    const Ability *abilities
    const TargetSpec *targets
    const Node *values
    const Node *filters
    const Node *refs
    const int32_t *code
    const uint16_t *subtypes

# Trace: records of what happened, for people. It lives outside the block and only while somebody looks on.
cdef struct TraceRecord:
    int32_t kind
    int32_t a
    int32_t b
    int32_t c
    int32_t d
    uint32_t id
    uint32_t tick

cdef struct Trace:
    TraceRecord *record
    uint32_t n
    uint32_t cap
    uint32_t lost   # records that found no memory
    # tests: void (Game *, uint16_t row, uint16_t slot), called as soon as a departure is recorded; NULL none
    void *recorded

cdef enum:
    NONE16 = 0xFFFF
