# What the parts of the block's check share: codes, what has been met so far, references that must be kept.
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from lkicore._arena cimport chunk_at, chunk_len, chunk_refs
from lkicore._layout cimport Game
from lkicore._lki cimport NO_SLOT, lki_find
from lkicore._opcodes cimport *
from lkicore._store cimport has_bit, is_live, set_bit
from lkicore._types cimport Node

cdef enum:
    MAX_RING = 6144
    MAX_ARENA = 24576
    MAX_IDS = 32768        # power of two above rows and ring together
    LAST = 0x7FFFFFFF      # serial numbers, ticks and clocks stop being trusted here
    MOST_LIFE = 1 << 30
    MOST_X = 1000
    MOST_COUNTERS = 32000
    QUEUE = 32
    MOST_STEPS = 29
    FOREVER = 0xFFFFFFFF

cdef enum:
    FINE = 0
    BAD_LAYOUT, BAD_MAGIC, BAD_POOL, BAD_STATUS, BAD_HEADER, BAD_SEATS, BAD_QUEUE, BAD_CLOCK, BAD_COUNT, BAD_STREAM
    BAD_FREE_LIST, BAD_LIST, BAD_LIST_COUNT, BAD_LOST_ROW, BAD_NULL_ROW, BAD_ROW, BAD_ID, BAD_SAME_ID, BAD_CARD
    BAD_IDLE_ROW, BAD_ORDER
    BAD_CHUNK, BAD_CHUNK_FREE, BAD_CHUNK_REF, BAD_CHUNK_USED, BAD_CHUNK_OWNER, BAD_CHUNK_LOST
    BAD_CHUNK_KIND, BAD_CHUNK_MODES, BAD_CHUNK_ONCE, BAD_DEFINITION, BAD_LAYER_ONE
    BAD_SLOT, BAD_SLOT_ID, BAD_ID_CHAIN, BAD_CARD_CHAIN, BAD_UNTIL, BAD_BECAME, BAD_PINS, BAD_LKI_FREE
    BAD_FRAME, BAD_FRAME_ORDER, BAD_FRAME_OBJECT, BAD_CAST, BAD_PAYMENT, BAD_PROGRAM, BAD_COMBAT_FRAME
    BAD_STACK, BAD_STACK_ORDER, BAD_TARGETS, BAD_EFFECT, BAD_TRIGGER, BAD_SPECIAL, BAD_EVENT, BAD_OPTION, BAD_CHOICE
    BAD_LOOKED, BAD_ASKED, BAD_WAITING, BAD_WATCH
    BAD_PLAYER, BAD_POOL_SUM, BAD_MANA, BAD_MANA_SOURCE, BAD_BITS, BAD_STRAY_BITS, BAD_VALUES, BAD_EFFECTS, BAD_TOKENS
    BAD_LISTEN, BAD_STATIC, BAD_REPLACE, BAD_CASTING, BAD_ATTACHED, BAD_HOST
    BAD_LISTENING, BAD_READS, BAD_REPLACES, BAD_SHIELDS
    BAD_COMPUTED, BAD_COMPUTED_SIZE, BAD_COMPUTED_CONTROL, BAD_COMPUTED_LIST, BAD_COMPUTED_INDEX
    BAD_COMBAT, BAD_DAMAGE, BAD_INSTANTS, BAD_ACTORS
    LOST_ATTACHED, LOST_BLOCKED, LOST_FRAME, LOST_SOURCE, LOST_AFFECTED, LOST_EFFECT, LOST_MAKER
    LOST_TRIGGER, LOST_TRIGGER_OBJECT, LOST_TRIGGER_OTHER, LOST_SPECIAL, LOST_EVENT, LOST_OTHER, LOST_LIST, LOST_LKI
    LOST_LKI_LIST
    N_CODES

# What has been met so far. Only the part that the layout uses is cleared.
cdef struct Scratch:
    uint64_t seen[288]      # rows in some list
    uint64_t used[384]      # arena units at which a chunk in use begins
    uint64_t idle[384]      # ... a free one
    uint64_t owned[384]     # ... that has an owner
    uint64_t slots[96]      # ring slots in a chain
    uint64_t reach[96]      # ring slots that something refers to
    uint16_t work[6144]     # ... whose own references are still to be looked at
    int n_work
    uint32_t arena
    int n_used
    int n_owned
    uint32_t ids[32768]
    uint32_t id_mask


cdef inline int bad(int code, uint32_t where) noexcept nogil:
    return code | <int>(where << 8)


cdef inline bint new_to(Scratch *s, uint32_t id) noexcept nogil:
    """The id was not met before."""
    cdef uint32_t k = (id * <uint32_t>0x9E3779B1) & s.id_mask
    while s.ids[k]:
        if s.ids[k] == id:
            return False
        k = (k + 1) & s.id_mask
    s.ids[k] = id
    return True


cdef inline bint own(Scratch *s, uint16_t handle) noexcept nogil:
    """A chunk gets its one owner; 0 is no chunk."""
    if handle == 0:
        return True
    if handle >= s.arena or not has_bit(s.used, handle) or has_bit(s.owned, handle):
        return False
    set_bit(s.owned, handle)
    s.n_owned += 1
    return True


cdef inline bint kept(const Game *g, Scratch *s, uint16_t row, uint32_t id) noexcept nogil:
    """A reference is empty, live, or finds the row of its own object in the ring."""
    cdef uint16_t slot
    if id == 0 or is_live(g, row, id):
        return True
    slot = lki_find(g, id)
    if slot == NO_SLOT:
        return False
    if not has_bit(s.reach, slot):
        set_bit(s.reach, slot)
        s.work[s.n_work] = slot
        s.n_work += 1
    return True


cdef inline bint holds_only(const Game *g, uint16_t list, int kinds) noexcept nogil:
    """A list has no entries but those of some kinds."""
    cdef int i
    for i in range(chunk_len(g, list)):
        if not kinds >> chunk_refs(g, list)[i].kind & 1:
            return False
    return list == 0 or chunk_at(g, list).kind == AK_REFS


cdef inline bint is_number(const Game *g, int k) noexcept nogil:
    """A value of the card table, or a number of the effect: -1, -2."""
    return -2 <= k < g.cards.n_values


cdef inline bint is_change(const Game *g, int k) noexcept nogil:
    """Row k of the card table's changes names what there is, read as what a continuous effect changes. (Rows about how
    things enter stand among them, in which the same numbers mean something else.)"""
    cdef const Node *x = &g.cards.changes[k]
    if x.op == X_ADD_SUBTYPE or x.op == X_SET_SUBTYPE:
        return 0 <= x.a < g.cards.n_subtypes
    if x.op == X_SET_NAME:
        return 0 <= x.a < g.cards.n_faces
    if x.op == X_ADD_ABILITY or x.op == X_PROTECT_PLAYER:
        return 0 <= x.a < g.cards.n_abilities
    if x.op == X_ADD_CHOSEN_ABILITY:
        return 0 <= x.a < g.cards.n_abilities - 4
    if x.op == X_CDA_PT or x.op == X_SET_PT or x.op == X_ADD_PT:
        return is_number(g, x.a) and is_number(g, x.b)
    if x.op == X_LAND_PLAYS or x.op == X_HAND_SIZE or x.op == X_ADD_HAND_SIZE:
        return is_number(g, x.a)
    return 0 <= x.op < N_X


cdef inline bint is_ability(const Game *g, int ability, int kind) noexcept nogil:
    """It is an ability of the card table, of this kind."""
    return 0 <= ability < g.cards.n_abilities and g.cards.abilities[ability].kind == kind


cdef inline bint known_id(const Game *g, uint16_t row, uint32_t id) noexcept nogil:
    """A reference could be one: to a row that there is and an id that was given out, or empty."""
    return row < g.lay.rows and id < g.h.next_id and (row != 0 or id == 0)


cdef inline bint field_row(const Game *g, uint16_t row) noexcept nogil:
    return row < g.lay.rows and g.id[row] and g.zone[row] == Z_BATTLEFIELD
