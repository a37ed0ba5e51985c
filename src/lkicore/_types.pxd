# Plain structs that every module shares; no logic.
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t, uint64_t, uint8_t

# A node of the effect language: value, filter or reference (spec/opcodes.toml).
cdef struct Node:
    int32_t op
    int32_t a
    int32_t b
    int32_t c

# What may be targeted by one instance of the word "target" (CR 115.1): from `least` to `most` different objects or
# players.
cdef struct TargetSpec:
    int32_t filter
    uint8_t players   # players may be chosen
    uint8_t objects   # objects may be chosen
    uint8_t zone      # zone of the objects
    uint8_t least     # fewest
    uint8_t most      # most; 0xFF any number
    uint8_t x         # 1: exactly X
    uint8_t related   # 1: the filter asks about the other targets
    uint8_t anybody   # 1: it passes every player
    int32_t divided   # value: what is divided among the targets (CR 601.2d), -1 nothing

# Mana as two packed words of four 16-bit lanes: lo = W U B R, hi = G C total extra.
# A cost counts coloured symbols, C symbols and the mana value without X; `extra` is 0 there. Sources count, for each
# colour, how much of it they can make; `extra` counts sources whose mana can't be told from the lanes alone.
cdef struct Mana:
    uint64_t lo
    uint64_t hi

# What is asked most often about an ability or a face stands in its first 64 bytes.

# An ability (CR 113.3), of a face or granted. What a field means depends on the kind; -1 none.
cdef struct Ability:
    Mana cost
    int32_t program       # instructions, -1 none
    int32_t condition     # value: "only if" of an activation, intervening "if" (603.4), "as long as" of a static one
    int32_t filter        # static, replacement, protection: what it affects; triggered: object of the event
    int32_t other         # triggered: the other object of the event
    int32_t player        # triggered: filter of the event's player
    uint16_t zones        # where it works (1 << Zone)
    uint16_t zone_from    # triggered: zones that the object left
    uint16_t zone_to      # triggered: zones that it entered; 0 any, also none
    uint16_t first_target
    uint16_t first_cost   # nodes CostOp
    uint16_t first_mode   # modes are abilities of their own (kind SPELL)
    uint16_t flags        # TriggerFlag
    uint8_t kind          # AbilityKind
    uint8_t cost_flags    # CostFlag
    uint8_t timing        # Timing
    uint8_t event         # triggered: EventKind; replacement: ReplaceOp
    uint8_t step          # triggered: Step of EV_STEP, CounterKind of counters
    uint8_t own           # static: 1 affects only the source itself, 2 only what the source is attached to
    uint8_t sure          # no condition or modes, and of each target whoever is in the game can be one
    uint8_t n_targets
    uint8_t n_costs
    uint8_t n_modes
    uint8_t n_hybrid
    uint8_t n_x
    uint8_t mana_mask     # kind MANA: colours that it can make
    uint8_t mana_amount
    int32_t amount        # toxic n, ward
    uint32_t reads        # static: Read bits
    uint16_t first_change  # nodes: static ChangeOp, replacement EnterOp
    uint16_t layers       # static: layers that it applies in (1 << layer, see _layers.pxd)
    uint16_t affects      # static: zones of the objects that it affects (1 << Zone)
    uint16_t hybrid       # first of n_hybrid masks among `hybrids`
    uint8_t n_changes
    uint8_t least_modes
    uint8_t most_modes
    uint8_t alone         # an activated ability that its player activates by itself: payment doesn't look for it
    uint8_t odd           # activated: more decides whether it can be than time, flat mana and parts of its cost
    uint8_t flat          # activated: nothing is to be said of it but targets, and it costs flat mana
    uint64_t[4] spare     # up to 128 bytes, whole cache lines

cdef enum:
    # Among the bits of `history`:
    ASKS_STEP = 1 << 30   # what can be done with it depends on the step
    ASKS_HOST = 1 << 29   # what it may enchant depends on more than computed values (FACE_RESTLESS)

# A cost that may be paid besides, on casting: kicker and the like (CR 601.2b).
cdef struct OptionalCost:
    Mana cost
    uint16_t first_cost
    uint8_t n_costs
    uint8_t several   # any number of times (multikicker)
    uint8_t kicker    # it is a kicker cost (CR 702.33d)
    uint8_t returns   # buyback (CR 702.27)
    uint8_t promise   # a gift is promised to an opponent whom its player chooses (CR 702.174a)

# A way in which a card can be cast or played besides the usual one: for an alternative cost, from another zone (CR
# 118.9, 601.3). A permission by an effect is one, too: what it asks for and what follows.
cdef struct Way:
    Mana cost             # paid rather than the mana cost, if WF_COST says so
    int32_t condition     # value: when it can be chosen, -1 always
    uint16_t face         # the half or face that is cast so, NONE16: the card as it is
    uint16_t spell        # spell ability that it has then, NONE16: that of the face
    uint16_t zones        # where the card itself allows it (1 << Zone)
    uint16_t first_cost   # nodes CostOp
    uint16_t hybrid
    uint16_t flags        # WayFlag
    uint8_t n_costs
    uint8_t n_hybrid
    uint8_t n_x
    uint8_t kind          # WayKind

# A card face: what is printed (CR 200).
cdef struct Face:
    Mana cost
    uint64_t listens      # events that its triggered abilities wait for (1 << EventKind)
    uint64_t listens_own  # those of them that matter only where they happen to the object itself
    uint64_t name_hash
    uint32_t flags        # FaceFlag
    uint32_t replaces     # 1 << ReplaceOp of its replacement abilities
    uint16_t types
    uint16_t listen_zones  # zones where some triggered ability works (1 << Zone)
    uint16_t act_zones    # zones other than the battlefield where some activated ability works
    uint16_t first_ability
    uint8_t n_abilities
    uint8_t n_targets
    uint8_t n_hybrid
    uint8_t n_x
    uint8_t colors
    uint8_t mana          # colours that its tap-for-mana abilities can make
    uint8_t n_first       # abilities from first_ability on; the others stand in `more`
    uint8_t n_ways        # further ways in which it can be cast (CR 601.2b)
    uint64_t keywords
    uint32_t reads        # Read bits of its static abilities
    uint32_t history      # HistoryKind bits that it, or what it creates, may ask about (CR 608.2i); ASKS_STEP
    int16_t power
    int16_t toughness
    uint16_t first_target
    uint16_t first_subtype
    uint16_t spell        # its spell ability among the abilities, NONE16 none
    uint16_t first_cost   # additional costs (CostOp)
    uint16_t first_optional
    uint16_t rule_zones   # zones other than the battlefield where some static or replacement ability works (CR 113.6)
    uint16_t index_zones  # zones other than the battlefield where it must be found: triggers, statics, replacements
    uint16_t restricts    # 1 << RuleOp of its abilities of kind RULE
    uint16_t hosts        # types of what an Equipment or Fortification is attached to (CR 301.5, 301.6)
    uint16_t hybrid
    uint16_t number       # its own, among the faces of the card table; of a block's definition: the face named so
    uint16_t other        # the other face of its card, NONE16 none
    uint16_t more         # chunk with the abilities and subtypes that a block's definition has besides (see _defs)
    uint16_t first_way
    uint16_t casting      # 1 << CastOp of its CASTING abilities that work on the battlefield
    uint16_t casts_itself  # 1 << CastOp of those about itself, wherever it is
    uint8_t n_subtypes
    uint8_t layout        # Layout
    uint8_t back          # 1: the back face of its card, or a half of it
    uint8_t chapters      # its final chapter (CR 714.2d), 0 none
    uint8_t choices       # EnterFlag: what is chosen as it enters
    uint8_t n_first_subtypes  # subtypes from first_subtype on; the others stand in `more`, after the abilities
    uint8_t n_costs
    uint8_t n_optional
    uint8_t mana_amount   # most mana that one of them makes
    uint8_t mana_ability  # number of that ability
    uint8_t mv            # mana value without X (CR 202.3)
    uint8_t sort          # 0 a card, 1 an emblem, 2 a title, 3 a dungeon, 4 what is face down (NAMELESS)

cdef enum:
    FACE_TOKEN = 1
    FACE_HAS_COST = 2      # it can be cast
    FACE_ACTS = 4          # it has an activated ability that its player activates by itself
    FACE_INSTANT_SPEED = 8  # instant or flash
    FACE_PERMANENT = 16
    FACE_STATIC = 32       # it has static abilities (layers)
    FACE_MODAL = 64        # its spell has modes
    FACE_AURA = 128
    FACE_EQUIPMENT = 256
    FACE_ANNOUNCE = 512    # casting asks more than X and targets, or costs more than flat mana
    FACE_RESTLESS = 2048   # an Aura that may enchant what depends on more than the computed values of it
    FACE_SURE = 4096       # whoever is in the game can be each of its targets: one exists
    FACE_X_TARGETS = 8192  # what its targets may be, or how many, depends on X
    FACE_EASY = 16384      # it can be cast whenever its flat mana cost can be paid: nothing else is asked
    FACE_PLAIN = 32768     # no zone change of it means more than the change: nothing listens, acts or replaces
    FACE_OTHER_COST = 1 << 16  # an ability of its own changes what it costs, or helps to pay it
    FACE_MADNESS = 1 << 17     # it is discarded into exile (CR 702.35a)
    FACE_REBOUND = 1 << 18     # an ability of its own says what happens after it has rebounded (CR 702.88a)
    FACE_SPENT = 1 << 20       # it asks how much mana was spent to cast it (CR 400.7d)
    FACE_OPENING = 1 << 19     # it can be acted with from the opening hand (CR 103.6)
    FACE_ENTERS = 1024     # a replacement ability says how it enters itself (CR 614.1c)

cdef enum:
    ENTERS_COPY = 1        # it may enter as a copy (CR 707.5)

cdef enum:
    NAMELESS = 4           # `sort` of what is face down: it has no name (CR 708.2a)

cdef struct CardTable:
    uint64_t hash
    int32_t n_faces
    int32_t n_code
    int32_t n_abilities
    int32_t n_values
    int32_t n_filters
    int32_t n_refs
    int32_t n_changes
    int32_t n_costs
    int32_t n_ways
    int32_t n_subtypes
    int32_t n_counters   # kinds of counters
    int32_t copies       # 1: some instruction copies spells: what they target is kept as they leave the stack
    uint32_t uses        # UseBit
    uint64_t keywords    # Keyword bits that faces have and changes give
    uint32_t way_reads   # Read bits of what says when, or for how much, cards can be cast: all, or none
    int32_t again        # 1: something makes abilities trigger an additional time (CR 603.2d)
    int32_t asks_cast    # 1: some value asks whether, or how, a permanent was cast (CR 400.7d)
    const Face *faces
    const Ability *abilities
    const TargetSpec *targets
    const Node *values
    const Node *filters
    const Node *refs
    const Node *costs
    const Node *changes     # ChangeOp and EnterOp
    const OptionalCost *optional
    const Way *ways
    const uint8_t *hybrids  # pairs of colours (masks)
    const int32_t *code
    const uint16_t *subtypes
    const uint16_t *land_abilities  # by subtype: the mana ability of a basic land type (CR 305.6), NONE16 none
    const uint8_t *creature_types  # 1: the subtype is a creature type (CR 205.3m)
    const uint64_t *subtype_hashes  # of their names, for the checksum

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

cdef enum:
    MOST_ABILITIES = 64   # of one object; more are not looked at

cdef enum:
    LAYER_PLAYERS = 11   # static abilities that say facts of players, in Ability.layers (CR 613.10-11)

cdef enum:
    WORDS = 8   # words of an instruction: opcode and operands
