"""Validating a block. Nothing in it is trusted but the sizes of its layout.

Each part is looked at before any later part is reached through it: lists before the rows that they link, chunks before
the frames that own them, chains before they are walked. A block that passes is one that the core plays without a step
outside it and without an endless loop; beyond that, every invariant between its tables holds: an object is in one place,
bit sets and mana counts say what the columns say, computed values follow from definition, effects and counters (CR 613),
and whatever can still be asked about is there, live or in the LKI store (CR 608.2h).
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._arena cimport Chunk, chunk_at, chunk_len, chunk_refs
from lkicore._defs cimport ability_of, face_of
from lkicore._entries cimport entry_of
from lkicore._game cimport NO_ANSWER, NO_PLAYER, in_game, top_frame
from lkicore._guard cimport ctz64
from lkicore._layout cimport Effect, Event, Frame, Game, Layout, LkiRow, Option, Ref, StackEntry
from lkicore._lki cimport NO_SLOT, lki_find
from lkicore._opcodes cimport *
from lkicore._rng cimport N_PURPOSES
from lkicore._store cimport PRIVATE_ZONES, clear_bit, ctrl_set, has_bit, is_live, set_bit, zone_list
from lkicore._types cimport Ability, FACE_ACTS, FACE_HAS_COST, FACE_INSTANT_SPEED, Face, NONE16, TargetSpec

cdef enum:
    MAX_ROWS = 18432
    MAX_RING = 6144
    MAX_ARENA = 24576
    MAX_IDS = 32768        # power of two above rows and ring together
    LAST = 0x7FFFFFFF      # serial numbers, ticks and clocks stop being trusted here
    MOST_LIFE = 1 << 30
    MOST_X = 1000
    QUEUE = 32
    FOREVER = 0xFFFFFFFF

cdef enum:
    FINE = 0
    BAD_LAYOUT, BAD_MAGIC, BAD_POOL, BAD_STATUS, BAD_HEADER, BAD_SEATS, BAD_QUEUE, BAD_CLOCK, BAD_COUNT, BAD_STREAM
    BAD_FREE_LIST, BAD_LIST, BAD_LIST_COUNT, BAD_LOST_ROW, BAD_NULL_ROW, BAD_ROW, BAD_ID, BAD_SAME_ID, BAD_CARD
    BAD_IDLE_ROW, BAD_ORDER
    BAD_CHUNK, BAD_CHUNK_FREE, BAD_CHUNK_REF, BAD_CHUNK_USED, BAD_CHUNK_OWNER, BAD_CHUNK_LOST
    BAD_SLOT, BAD_SLOT_ID, BAD_ID_CHAIN, BAD_CARD_CHAIN, BAD_UNTIL, BAD_BECAME, BAD_PINS, BAD_LKI_FREE
    BAD_FRAME, BAD_FRAME_ORDER, BAD_FRAME_OBJECT, BAD_CAST, BAD_PAYMENT, BAD_PROGRAM, BAD_COMBAT_FRAME
    BAD_STACK, BAD_STACK_ORDER, BAD_TARGETS, BAD_EFFECT, BAD_EVENT, BAD_OPTION, BAD_CHOICE
    BAD_PLAYER, BAD_POOL_SUM, BAD_MANA, BAD_MANA_SOURCE, BAD_BITS, BAD_STRAY_BITS, BAD_VALUES, BAD_EFFECTS, BAD_TOKENS
    BAD_COMBAT, BAD_DAMAGE, BAD_INSTANTS, BAD_ACTORS
    LOST_ATTACHED, LOST_BLOCKED, LOST_FRAME, LOST_SOURCE, LOST_EFFECT, LOST_EVENT, LOST_OTHER, LOST_LIST, LOST_LKI
    N_CODES

#: What is wrong, by number; the first word in braces says what the number beside it counts.
messages = (
    "nothing is wrong",
    "the layout is larger than any that is known",
    "magic, version, size class or number of players are not this layout's",
    "it belongs to another card table",
    "status, winner and reason don't fit together",
    "a field of the header is out of range",
    "players in the game, players who left and their number don't fit together",
    "the queues of turns and steps are out of range",
    "a serial number, tick or clock is out of range",
    "a table holds more than it has room for",
    "{player} a stream of chance is all zero",
    "{row} the list of free rows is broken",
    "{list} a zone list is broken, or its row is elsewhere",
    "{list} a zone list has another length than it says",
    "{row} a row is in no list",
    "row 0 is not empty",
    "{row} a column is out of range",
    "{row} an object's id is 0 or was never given out",
    "{row} two objects or records have one id",
    "{card} a card and its object don't refer to each other",
    "{row} a row outside the battlefield has what only permanents have",
    "{row} permanents are not in the order of their timestamps",
    "{unit} the arena's chunks are broken",
    "{size} a free list of the arena is broken",
    "{unit} an entry of an arena list is out of range",
    "the arena's units in use are miscounted",
    "{unit} a chunk is used twice, or is none",
    "{unit} a chunk in use belongs to nobody",
    "{slot} a field of an LKI row is out of range",
    "{slot} two LKI rows, or an LKI row and an object, have one id",
    "{slot} a chain of ids doesn't hold each LKI row once",
    "{slot} a card's chain of departures is broken",
    "{slot} a card's departures overlap in time",
    "{slot} an LKI row doesn't know what the object became",
    "the pinned LKI rows are miscounted",
    "the LKI rows that can be taken are miscounted",
    "{frame} a frame is out of range",
    "{frame} this frame can't stand there",
    "{frame} the frame's object is not where it must be",
    "{frame} a cast or activation is not possible",
    "{frame} a payment is not possible",
    "{frame} the program counter is not within the program that runs",
    "{frame} a combat frame is not possible",
    "{entry} a stack entry is out of range",
    "{entry} the stack's entries are not its objects in order",
    "{entry} targets don't match what the spell or ability asks for",
    "{effect} a continuous effect is out of range, or its object is gone",
    "{event} an event of the history is out of range",
    "{option} an option is not possible",
    "the choice doesn't fit what is going on",
    "{player} a player's column is out of range",
    "{player} a mana pool and its sum differ",
    "{player} untapped mana sources are miscounted",
    "{row} a permanent is counted among the mana sources otherwise than it should be",
    "{row} a bit set says otherwise than the columns",
    "a bit set has bits of rows that are not there",
    "{row} a computed value differs from what definition, effects and counters make of it",
    "{row} the effects on an object are miscounted",
    "tokens off the battlefield are miscounted",
    "{row} combat columns don't fit the step or each other",
    "{row} damage is marked that nothing will remove",
    "{player} cards in hand that can be cast at instant speed are miscounted",
    "{player} permanents with abilities to activate are miscounted",
    "{row} what it is attached to is neither live nor in the LKI store",
    "{row} what it blocks is neither live nor in the LKI store",
    "{frame} the object of a frame is neither live nor in the LKI store",
    "{entry} the source of an ability is neither live nor in the LKI store",
    "{effect} the source of an effect is neither live nor in the LKI store",
    "{event} the object of an event is neither live nor in the LKI store",
    "{event} the other object of an event is neither live nor in the LKI store",
    "{unit} an object of an arena list is neither live nor in the LKI store",
    "{slot} what a kept LKI row refers to is neither live nor in the LKI store",
)
if len(messages) != N_CODES:
    raise ImportError(f"{len(messages)} messages for {N_CODES} codes")


def explain(int code):
    """What a code of :func:`check_block` says, in words.

    Parameters
    ----------
    code : int
        0, or a code.

    Returns
    -------
    str
        The message, with the number of the row, slot, frame ... that it is about.
    """
    n = code & 0xFF
    if not 0 <= n < N_CODES:
        return f"code {code} is unknown"
    text = messages[n]
    if text[0] != "{":
        return text
    what, text = text[1:].split("} ", 1)
    return f"{text} ({what} {code >> 8})"


def code_of_reference(str name):
    """Code of a lost reference, one of ``lkicore._lki.MARKED``: the low byte of what the check returns."""
    return {"objects.attached": LOST_ATTACHED, "objects.blocks": LOST_BLOCKED, "frame.obj": LOST_FRAME,
            "stack.source": LOST_SOURCE, "effect.source": LOST_EFFECT, "history.obj": LOST_EVENT,
            "history.other": LOST_OTHER, "arena.lists": LOST_LIST, "lki.attached": LOST_LKI, "lki.blocks": LOST_LKI}[name]


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


cdef inline int popcount64(uint64_t x) noexcept nogil:
    cdef int n = 0
    while x:
        x &= x - 1
        n += 1
    return n


cdef bint new_to(Scratch *s, uint32_t id) noexcept nogil:
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


cdef bint kept(const Game *g, Scratch *s, uint16_t row, uint32_t id) noexcept nogil:
    """A reference is empty, live, or finds the row of its own object in the ring."""
    cdef uint16_t slot
    if id == 0 or row == 0 or is_live(g, row, id):
        return True
    slot = lki_find(g, id)
    if slot == NO_SLOT:
        return False
    if not has_bit(s.reach, slot):
        set_bit(s.reach, slot)
        s.work[s.n_work] = slot
        s.n_work += 1
    return True


# ------------------------------------------------------------------------------------------------ header

cdef int check_header(const Game *g) noexcept nogil:
    cdef const Layout *l = g.lay
    cdef int n = l.players
    cdef int p
    cdef int alive = 0
    if l.rows > MAX_ROWS or l.ring > MAX_RING or l.arena > MAX_ARENA or n > 8:
        return BAD_LAYOUT
    if g.h.magic != 0x42494B4C or g.h.version != 1 or g.h.size_class != l.size_class or g.h.players != n:
        return BAD_MAGIC
    if g.cards == NULL or g.h.pool_hash != g.cards.hash:
        return BAD_POOL
    if g.h.status >= N_GS or g.h.status == GS_NEED_ROOM or g.h.reason >= N_END or not -1 <= g.h.winner < n:
        return BAD_STATUS
    if (g.h.status == GS_RUNNING) != (g.h.reason == END_NONE) or (g.h.winner >= 0 and g.h.status != GS_ENDED):
        return BAD_STATUS
    if (g.h.options_mask >> N_EO or g.h.active >= n or g.h.step >= N_STEP or g.h.phase_state >= N_TS
            or g.h.priority >= n or g.h.starting >= n or g.h.last_turn_of >= n or g.h.cleanup_again > 1
            or g.h.combat_flags >> N_CBF or g.h.sba >> N_SBA or g.h.bits_dirty > 1 or g.h.calm > 1
            or g.h.damaged > 1 or g.h.fighters_old > 1 or g.h.pools > 1 or g.h.choice >= N_CH
            or g.h.chooser >= n or g.h.decider >= n or g.h.n_attackers >= l.rows or g.h.forced > 1000001):
        return BAD_HEADER
    for p in range(n):
        if in_game(g, p):
            alive += 1
        if in_game(g, p) != (g.p_lost[p] == END_NONE) or g.p_lost[p] >= N_END:
            return BAD_SEATS
    if g.h.alive >> n or g.h.n_alive != alive or g.h.passes > n:
        return BAD_SEATS
    if g.h.status == GS_RUNNING and alive < (2 if n > 1 else 1):
        return BAD_SEATS
    if g.h.winner >= 0 and not in_game(g, g.h.winner):
        return BAD_STATUS
    if (g.h.next_id == 0 or g.h.next_id > LAST or g.h.tick > LAST or g.h.clock > LAST or g.h.turn > LAST
            or g.h.lki_records > LAST):
        return BAD_CLOCK
    if (g.h.n_cards > l.cards or g.h.n_frames > l.frames or g.h.n_stack > l.stack or g.h.n_effects > l.effects
            or g.h.history_n > l.history or g.h.history_head >= l.history or g.h.n_options > l.options
            or g.h.arena_top == 0 or g.h.arena_top > l.arena or g.h.n_fighters > l.rows
            or g.h.lki_limit == 0 or g.h.lki_limit > l.ring or g.h.lki_head > g.h.lki_limit):
        return BAD_COUNT
    return check_queues(g)


cdef int check_queues(const Game *g) noexcept nogil:
    """Steps to come, with room for those that combat inserts; extra turns."""
    cdef int i, k
    cdef int room
    if g.h.steps_head > g.h.steps_n or g.h.steps_n > QUEUE or g.h.turns_n > QUEUE:
        return BAD_QUEUE
    room = QUEUE - g.h.steps_n
    for i in range(g.h.steps_head, g.h.steps_n):
        if not STEP_UNTAP <= g.steps[i] <= STEP_CLEANUP:
            return BAD_QUEUE
    # Declaring attackers inserts two steps, the one for blockers a third.
    for i in range(g.h.steps_head - 1, g.h.steps_n):
        k = g.h.step if i < g.h.steps_head else g.steps[i]
        if k == STEP_DECLARE_ATTACKERS:
            room -= 3
        elif k == STEP_DECLARE_BLOCKERS:
            room -= 1
    if room < 0:
        return BAD_QUEUE
    for i in range(g.h.turns_n):
        if g.turns[i] >= g.lay.players:
            return BAD_QUEUE
    return FINE


# ------------------------------------------------------------------------------------------------ objects and zones

cdef int check_lists(const Game *g, Scratch *s) noexcept nogil:
    """Every row is in exactly one zone list, or in the list of free rows."""
    cdef uint32_t k, left
    cdef uint32_t zone, owner
    cdef uint32_t met = 0
    cdef uint16_t row, before
    cdef int n = g.lay.players
    row = g.h.free_head
    while row:
        if row >= g.lay.rows or has_bit(s.seen, row) or g.id[row] or g.zone[row] != Z_NONE:
            return bad(BAD_FREE_LIST, row)
        set_bit(s.seen, row)
        met += 1
        row = g.znext[row]
    if met != g.h.n_free:
        return bad(BAD_FREE_LIST, met)
    for k in range(g.lay.lists):
        zone = k // <uint32_t>n
        owner = k % <uint32_t>n
        left = g.z_n[k]
        before = 0
        row = g.z_head[k]
        if left and (zone == Z_NONE or (owner and not (PRIVATE_ZONES >> zone) & 1)):
            return bad(BAD_LIST, k)
        while row:
            if left == 0:
                return bad(BAD_LIST_COUNT, k)
            if row >= g.lay.rows or has_bit(s.seen, row) or g.zprev[row] != before or g.zone[row] != zone:
                return bad(BAD_LIST, k)
            if g.owner[row] >= n or ((PRIVATE_ZONES >> zone) & 1 and g.owner[row] != owner):
                return bad(BAD_LIST, k)
            set_bit(s.seen, row)
            met += 1
            left -= 1
            before = row
            row = g.znext[row]
        if left or g.z_tail[k] != before:
            return bad(BAD_LIST_COUNT, k)
    if met != g.lay.rows - 1:
        for k in range(1, g.lay.rows):
            if not has_bit(s.seen, <uint16_t>k):
                return bad(BAD_LOST_ROW, k)
    return FINE


cdef int check_rows(const Game *g, Scratch *s) noexcept nogil:
    """Columns in range; ids given out once; cards and objects refer to each other."""
    cdef uint32_t row, c
    cdef uint16_t card
    cdef int n = g.lay.players
    if g.id[0] or g.zone[0] or g.card[0] != NONE16:
        return BAD_NULL_ROW
    for row in range(g.lay.rows):
        if (g.defn[row] >= g.cards.n_faces or g.owner[row] >= n or g.controller[row] >= n or g.status[row] >> N_ST
                or g.oflags[row] >> N_OF or g.attacks[row] > n or g.combat[row] >> N_CB or g.mana[row] > 63
                or g.mana_in[row] > 63 or g.damage[row] < 0 or g.c_p1p1[row] < 0 or g.c_m1m1[row] < 0
                or g.c_loyalty[row] < 0 or g.c_charge[row] < 0 or g.assigned[row] < 0
                or g.attached_row[row] >= g.lay.rows or g.blocks_row[row] >= g.lay.rows
                or g.attached_id[row] >= g.h.next_id or g.blocks_id[row] >= g.h.next_id
                or g.extra[row] >= g.lay.arena):
            return bad(BAD_ROW, row)
        if g.zone[row] != Z_BATTLEFIELD and (
                g.damage[row] or g.c_p1p1[row] or g.c_m1m1[row] or g.c_loyalty[row] or g.c_charge[row] or g.assigned[row]
                or g.status[row] or g.attacks[row] or g.combat[row] or g.attached_id[row] or g.attached_row[row]
                or g.blocks_id[row] or g.blocks_row[row] or g.n_effects[row] or g.mana_in[row]):
            return bad(BAD_IDLE_ROW, row)
        if g.zone[row] == Z_NONE:
            if g.extra[row]:
                return bad(BAD_IDLE_ROW, row)
            continue
        if g.id[row] == 0 or g.id[row] >= g.h.next_id or g.timestamp[row] >= g.h.clock:
            return bad(BAD_ID, row)
        if not new_to(s, g.id[row]):
            return bad(BAD_SAME_ID, row)
        if (g.zone[row] != Z_BATTLEFIELD and g.zone[row] != Z_STACK and g.controller[row] != g.owner[row]):
            return bad(BAD_IDLE_ROW, row)
        card = g.card[row]
        if card == NONE16:
            if not g.oflags[row] & (OF_TOKEN | OF_COPY | OF_ABILITY | OF_EMBLEM):
                return bad(BAD_ROW, row)
        elif card >= g.h.n_cards or g.pc_row[card] != row or g.pc_owner[card] != g.owner[row] or g.oflags[row] & (
                OF_TOKEN | OF_COPY | OF_ABILITY | OF_EMBLEM):
            return bad(BAD_CARD, card)
        if (g.oflags[row] & OF_ABILITY) != 0 and g.zone[row] != Z_STACK:
            return bad(BAD_ROW, row)
    for c in range(g.h.n_fighters):
        if g.fighter[c] >= g.lay.rows:
            return bad(BAD_ROW, c)
    for c in range(g.lay.cards):
        if c >= g.h.n_cards:
            if g.pc_face[c] != NONE16 or g.pc_lki[c] != NONE16:
                return bad(BAD_CARD, c)
        elif (g.pc_face[c] >= g.cards.n_faces or g.pc_owner[c] >= n or g.pc_row[c] >= g.lay.rows or g.pc_flags[c] >> N_CF
              or (g.pc_row[c] and (g.id[g.pc_row[c]] == 0 or g.card[g.pc_row[c]] != c))):
            return bad(BAD_CARD, c)
    return FINE


# ------------------------------------------------------------------------------------------------ arena

cdef int check_arena(const Game *g, Scratch *s) noexcept nogil:
    """Chunks follow one another up to the top; the free ones are in the list of their size; entries are in range."""
    cdef uint32_t h = 1
    cdef uint32_t units
    cdef uint32_t used = 1
    cdef int idle = 0
    cdef int i, k
    cdef uint16_t f
    cdef Chunk *c
    cdef Ref *r
    while h < g.h.arena_top:
        c = chunk_at(g, <uint16_t>h)
        if c.log2 > 11 or c.kind >= N_AK:
            return bad(BAD_CHUNK, h)
        units = <uint32_t>1 << c.log2
        if h + units > g.h.arena_top or c.n >= units:
            return bad(BAD_CHUNK, h)
        if c.kind == AK_FREE:
            set_bit(s.idle, <uint16_t>h)
            idle += 1
        else:
            set_bit(s.used, <uint16_t>h)
            s.n_used += 1
            used += units
            for i in range(c.n if c.kind == AK_REFS else 0):
                r = &chunk_refs(g, <uint16_t>h)[i]
                if r.kind >= N_RK or r.flags >> N_RF or r.id >= g.h.next_id:
                    return bad(BAD_CHUNK_REF, h)
                if r.row >= (g.lay.players if r.kind == RK_PLAYER else g.lay.rows):
                    return bad(BAD_CHUNK_REF, h)
        h += units
    if used != g.h.arena_used:
        return BAD_CHUNK_USED
    for k in range(12):
        f = g.arena_free[k]
        while f:
            if f >= g.h.arena_top or not has_bit(s.idle, f) or chunk_at(g, f).log2 != k:
                return bad(BAD_CHUNK_FREE, k)
            clear_bit(s.idle, f)
            idle -= 1
            f = chunk_at(g, f).next
    return bad(BAD_CHUNK_FREE, 12) if idle else FINE


# ------------------------------------------------------------------------------------------------ LKI store

cdef int check_ring(const Game *g, Scratch *s) noexcept nogil:
    """Rows in range and with ids of their own; each in one id chain and, if it was a card, in that card's chain."""
    cdef uint32_t k
    cdef uint32_t rows = 0
    cdef int of_cards = 0
    cdef int pinned = 0
    cdef int ahead = 0
    cdef int n = g.lay.players
    cdef uint16_t slot
    cdef LkiRow *r
    for k in range(g.lay.ring):
        r = &g.lki[k]
        if k >= g.h.lki_limit:
            if r.id or r.pinned or r.extra:
                return bad(BAD_SLOT, k)
            continue
        if r.pinned:
            pinned += 1
        elif k >= g.h.lki_head:
            ahead += 1
        if r.pinned > 1 or (r.pinned and not r.id):
            return bad(BAD_SLOT, k)
        if r.id == 0:
            if r.extra:
                return bad(BAD_SLOT, k)
            continue
        rows += 1
        if (r.id >= g.h.next_id or r.became >= g.h.next_id or r.tick > g.h.tick or r.zone >= N_Z or r.zone_to >= N_Z
                or r.zone == Z_NONE or r.owner >= n or r.controller >= n or r.defn >= g.cards.n_faces
                or r.row == 0 or r.row >= g.lay.rows or (r.card != NONE16 and r.card >= g.h.n_cards)
                or r.attached_row >= g.lay.rows or r.blocks_row >= g.lay.rows or r.attached_id >= g.h.next_id
                or r.blocks_id >= g.h.next_id or r.status >> N_ST or r.oflags >> N_OF or r.attacks > n or r.combat >> N_CB):
            return bad(BAD_SLOT, k)
        if r.card != NONE16:
            of_cards += 1
        if not new_to(s, r.id):
            return bad(BAD_SLOT_ID, k)
        if not own(s, r.extra):
            return bad(BAD_CHUNK_OWNER, r.extra)
    if pinned != g.h.lki_pinned:
        return BAD_PINS
    if ahead != g.h.lki_free:
        return BAD_LKI_FREE
    for k in range(g.lay.hash):
        slot = g.lki_hash[k]
        while slot != NO_SLOT:
            if slot >= g.h.lki_limit or has_bit(s.slots, slot) or g.lki[slot].id == 0:
                return bad(BAD_ID_CHAIN, slot)
            if (g.lki[slot].id & (g.lay.hash - 1)) != k:
                return bad(BAD_ID_CHAIN, slot)
            set_bit(s.slots, slot)
            rows -= 1
            slot = g.lki[slot].hnext
    if rows:
        return bad(BAD_ID_CHAIN, NO_SLOT)
    memset(s.slots, 0, sizeof(s.slots))
    for k in range(g.h.n_cards):
        if g.pc_lki[k] != NO_SLOT:
            rows = check_card_chain(g, s, k, &of_cards)
            if rows:
                return <int>rows
    return bad(BAD_CARD_CHAIN, NO_SLOT) if of_cards else FINE


cdef int check_card_chain(const Game *g, Scratch *s, uint32_t card, int *left) noexcept nogil:
    """A card's departures, newest first: ticks fall, none reaches into the next one, `became` leads to the next one."""
    cdef uint16_t slot = g.pc_lki[card]
    cdef uint32_t later = <uint32_t>FOREVER
    cdef uint32_t became = g.id[g.pc_row[card]] if g.pc_row[card] else 0
    cdef bint newest = True
    cdef LkiRow *r
    while slot != NO_SLOT:
        if slot >= g.h.lki_limit or has_bit(s.slots, slot):
            return bad(BAD_CARD_CHAIN, slot)
        r = &g.lki[slot]
        if r.id == 0 or r.card != card or r.tick >= later or r.owner != g.pc_owner[card]:
            return bad(BAD_CARD_CHAIN, slot)
        if r.until <= r.tick or r.until > later:
            return bad(BAD_UNTIL, slot)
        if newest:
            # Of a card that departed again, the later row may be forgotten before an older one that is pinned.
            if r.until != <uint32_t>FOREVER and r.until > g.h.tick:
                return bad(BAD_UNTIL, slot)
            if (r.until == <uint32_t>FOREVER) != (r.became == became):
                return bad(BAD_BECAME, slot)
        elif r.until == <uint32_t>FOREVER or r.became == 0 or (r.became == became) != (r.until == later):
            return bad(BAD_UNTIL, slot)
        set_bit(s.slots, slot)
        left[0] -= 1
        newest = False
        later = r.tick
        became = r.id
        slot = r.prev
    return FINE


# ------------------------------------------------------------------------------------------------ stack, effects, history

cdef inline bint field_row(const Game *g, uint16_t row) noexcept nogil:
    return row < g.lay.rows and g.id[row] and g.zone[row] == Z_BATTLEFIELD


cdef bint targets_fit(const Game *g, uint16_t list, int first, int n, bint whole) noexcept nogil:
    """Chosen targets are of the kinds that the specifications ask for; `whole`: all have been chosen."""
    cdef int i
    cdef int k = chunk_len(g, list)
    cdef Ref *r
    cdef const TargetSpec *t
    if k > n or (whole and k != n):
        return False
    if list and chunk_at(g, list).kind != AK_REFS:
        return False
    for i in range(k):
        r = &chunk_refs(g, list)[i]
        t = &g.cards.targets[first + i]
        if r.kind == RK_PLAYER:
            if not t.players or r.id:
                return False
        elif not t.objects or r.id == 0 or r.row == 0:
            return False
    return True


cdef int check_stack(const Game *g, Scratch *s) noexcept nogil:
    """Entries are the objects of the stack's list in order, with abilities and targets as their faces have them."""
    cdef uint16_t row = g.z_head[Z_STACK * g.lay.players]
    cdef uint32_t i
    cdef int first, n
    cdef StackEntry *e
    cdef const Ability *a
    for i in range(g.h.n_stack):
        e = &g.stack[i]
        if (e.row >= g.lay.rows or e.source_row >= g.lay.rows or e.source_id >= g.h.next_id or e.face >= g.cards.n_faces
                or e.controller >= g.lay.players or e.flags >> N_SF or not own(s, e.targets)):
            return bad(BAD_STACK, i)
        if row == 0 or e.row != row or g.controller[row] != e.controller or g.defn[row] != e.face:
            return bad(BAD_STACK_ORDER, i)
        row = g.znext[row]
        if e.ability == NONE16:
            first = face_of(g, e.face).first_target
            n = face_of(g, e.face).n_targets
            if g.oflags[e.row] & OF_ABILITY or e.source_id:
                return bad(BAD_STACK, i)
        else:
            if not g.oflags[e.row] & OF_ABILITY or e.ability >= face_of(g, e.face).n_abilities or e.source_id == 0:
                return bad(BAD_STACK, i)
            a = ability_of(g, e.face, e.ability)
            if a.kind == AB_MANA:
                return bad(BAD_STACK, i)
            first = a.first_target
            n = a.n_targets
        if not targets_fit(g, e.targets, first, n, True):
            return bad(BAD_TARGETS, i)
        if not kept(g, s, e.source_row, e.source_id):
            return bad(LOST_SOURCE, i)
    return bad(BAD_STACK_ORDER, g.h.n_stack) if row else FINE


cdef int check_effects(const Game *g, Scratch *s) noexcept nogil:
    cdef uint32_t i
    cdef uint32_t stamp = 0
    cdef Effect *e
    for i in range(g.h.n_effects):
        e = &g.effect[i]
        if (not field_row(g, e.affected_row) or g.id[e.affected_row] != e.affected_id or e.source_row >= g.lay.rows
                or e.source_id >= g.h.next_id or e.duration >= N_D or e.player >= g.lay.players
                or e.timestamp <= stamp or e.timestamp >= g.h.clock):
            return bad(BAD_EFFECT, i)
        stamp = e.timestamp
        if not kept(g, s, e.source_row, e.source_id):
            return bad(LOST_EFFECT, i)
    return FINE


cdef int check_history(const Game *g, Scratch *s) noexcept nogil:
    cdef uint32_t i
    cdef uint32_t turn = 0
    cdef uint32_t tick = 0
    cdef Event *e
    for i in range(g.h.history_n):
        e = &g.history[i]
        if (e.kind >= N_H or e.player >= g.lay.players or e.obj_row >= g.lay.rows or e.other_row >= g.lay.rows
                or e.obj_id >= g.h.next_id or e.other_id >= g.h.next_id or e.turn < turn or e.turn > g.h.turn
                or e.tick < tick or e.tick > g.h.tick or not (g.h.watch >> e.kind) & 1):
            return bad(BAD_EVENT, i)
        turn = e.turn
        tick = e.tick
        if not kept(g, s, e.obj_row, e.obj_id):
            return bad(LOST_EVENT, i)
        if not kept(g, s, e.other_row, e.other_id):
            return bad(LOST_OTHER, i)
    return FINE


# ------------------------------------------------------------------------------------------------ frames

cdef bint may_stand_on(int kind, int below, bint resolving) noexcept nogil:
    """Which frame can lie on which (0: none); `resolving`: a resolution lies somewhere below."""
    if kind == F_PAY:
        return below == F_CAST or below == F_ACTIVATE
    if kind == F_DISCARD:
        return below == F_NONE or below == F_RESOLVE or (below == F_DISCARD and resolving)
    if kind == F_BLOCK:
        return below == F_NONE or below == F_BLOCK
    return below == F_NONE


cdef int check_frames(const Game *g, Scratch *s) noexcept nogil:
    cdef uint32_t i
    cdef int below = F_NONE
    cdef bint resolving = False
    cdef bint top
    cdef Frame *f
    cdef int code
    for i in range(g.h.n_frames):
        f = &g.frame[i]
        if (f.kind == F_NONE or f.kind >= N_F or f.player >= g.lay.players or f.obj_row >= g.lay.rows
                or f.obj_id >= g.h.next_id or (f.obj_row == 0) != (f.obj_id == 0) or not own(s, f.list)):
            return bad(BAD_FRAME, i)
        if f.list and f.kind != F_CAST and f.kind != F_ACTIVATE:
            return bad(BAD_FRAME, i)
        if not may_stand_on(f.kind, below, resolving):
            return bad(BAD_FRAME_ORDER, i)
        if not kept(g, s, f.obj_row, f.obj_id):
            return bad(LOST_FRAME, i)
        top = i + 1 == g.h.n_frames
        if f.kind == F_CAST or f.kind == F_ACTIVATE:
            code = check_cast(g, f, top)
        elif f.kind == F_PAY:
            code = check_pay(g, f, &g.frame[i - 1])
        elif f.kind == F_RESOLVE:
            resolving = True
            code = check_resolve(g, f)
        elif f.kind == F_MULLIGAN:
            code = FINE if f.step <= 1 and not (f.a | f.b) >> g.lay.players and f.n <= g.p_hand_max[f.player] else BAD_FRAME
        elif f.kind == F_DISCARD:
            code = FINE if 0 < f.a else BAD_FRAME
        else:
            code = check_combat_frame(g, f, top)
        if code:
            return bad(code, i)
        below = f.kind
    return FINE


cdef int check_cast(const Game *g, const Frame *f, bint top) noexcept nogil:
    """A card in hand that is being cast, or a permanent's ability being activated; X and targets so far."""
    cdef const Face *face
    cdef const Ability *a
    cdef int first, n, n_x
    if f.obj_id == 0 or not is_live(g, f.obj_row, f.obj_id):
        return BAD_FRAME_OBJECT
    face = face_of(g, g.defn[f.obj_row])
    if f.kind == F_CAST:
        if g.zone[f.obj_row] != Z_HAND or g.owner[f.obj_row] != f.player or not face.flags & FACE_HAS_COST:
            return BAD_FRAME_OBJECT
        if face.types & T_LAND:
            return BAD_FRAME_OBJECT
        first = face.first_target
        n = face.n_targets
        n_x = face.n_x
    else:
        if g.zone[f.obj_row] != Z_BATTLEFIELD or g.controller[f.obj_row] != f.player:
            return BAD_FRAME_OBJECT
        if not 0 <= f.b < face.n_abilities:
            return BAD_CAST
        a = ability_of(g, g.defn[f.obj_row], f.b)
        if a.kind == AB_MANA:
            return BAD_CAST
        first = a.first_target
        n = a.n_targets
        n_x = a.n_x
    # Steps of a cast: 0 X, 1 targets, 3 all but the payment done.
    if not 0 <= f.a <= MOST_X or (f.a and not n_x) or f.n != chunk_len(g, f.list) or f.n > n:
        return BAD_CAST
    if not targets_fit(g, f.list, first, n, f.step == 3):
        return BAD_CAST
    if top:
        if g.h.choice == CH_X or (g.h.choice == CH_NONE and f.step == 0):
            return FINE if f.step == 0 and n_x and f.n == 0 and f.a == 0 else BAD_CAST
        return FINE if f.step == 1 and f.n < n else BAD_CAST
    return FINE if f.step == 3 else BAD_CAST


cdef int check_pay(const Game *g, const Frame *f, const Frame *cast) noexcept nogil:
    """What is still to pay: coloured symbols within the total (CR 202.1)."""
    cdef uint64_t lo = <uint64_t><uint32_t>f.a | <uint64_t><uint32_t>f.b << 32
    cdef uint64_t hi = <uint64_t><uint32_t>f.c | <uint64_t><uint32_t>f.d << 32
    cdef int pips = 0
    cdef int k
    for k in range(4):
        pips += <int>((lo >> (16 * k)) & 0xFFFF)
    pips += <int>(hi & 0xFFFF) + <int>((hi >> 16) & 0xFFFF)
    k = <int>((hi >> 32) & 0xFFFF)
    if hi >> 48 or pips > k or k == 0 or f.n > 1:
        return BAD_PAYMENT
    if f.player != cast.player or f.obj_row != cast.obj_row or f.obj_id != cast.obj_id:
        return BAD_PAYMENT
    return FINE


cdef int check_resolve(const Game *g, const Frame *f) noexcept nogil:
    """The object that resolves is on the stack, its program stands at an instruction of its own."""
    cdef int e
    cdef int32_t pc
    if f.obj_id == 0 or not is_live(g, f.obj_row, f.obj_id) or g.zone[f.obj_row] != Z_STACK:
        return BAD_FRAME_OBJECT
    e = entry_of(g, f.obj_row)
    if e < 0 or f.step != 1:
        return BAD_FRAME_OBJECT
    pc = face_of(g, g.stack[e].face).program
    if g.stack[e].ability != NONE16:
        pc = ability_of(g, g.stack[e].face, g.stack[e].ability).program
    if pc < 0 or f.a < pc or f.a >= g.cards.n_code or (f.a - pc) % 5:
        return BAD_PROGRAM
    while pc < f.a:
        if g.cards.code[pc] == E_END:
            return BAD_PROGRAM
        pc += 5
    if g.h.choice == CH_SEARCH and g.cards.code[f.a] != E_SEARCH_LAND:
        return BAD_PROGRAM
    return FINE


cdef int check_combat_frame(const Game *g, const Frame *f, bint top) noexcept nogil:
    """The creature that is asked about, and what the attacking player still has to assign."""
    cdef uint32_t i
    cdef uint16_t row
    cdef uint32_t stamp = 0
    if not top:
        return FINE if f.kind == F_BLOCK and f.obj_id == 0 and f.step == 0 and f.a == 0 else BAD_COMBAT_FRAME
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if not field_row(g, row) or not g.types[row] & T_CREATURE or g.timestamp[row] <= stamp:
            return BAD_COMBAT_FRAME
        stamp = g.timestamp[row]
    if not field_row(g, f.obj_row) or g.id[f.obj_row] != f.obj_id or g.controller[f.obj_row] != f.player:
        return BAD_FRAME_OBJECT
    if f.kind == F_ATTACK or f.kind == F_BLOCK:
        if f.step != 1 or not 1 <= f.a <= g.h.n_fighters or g.fighter[f.a - 1] != f.obj_row:
            return BAD_COMBAT_FRAME
        if f.kind == F_ATTACK:
            return FINE if g.h.step == STEP_DECLARE_ATTACKERS and f.player == g.h.active else BAD_COMBAT_FRAME
        return FINE if g.h.step == STEP_DECLARE_BLOCKERS and 0 <= f.b <= 1 else BAD_COMBAT_FRAME
    if g.h.step != STEP_COMBAT_DAMAGE and g.h.step != STEP_FIRST_STRIKE_DAMAGE:
        return BAD_COMBAT_FRAME
    if f.n != 1 or not 0 < f.a <= g.power[f.obj_row] or not 0 <= f.c <= 1 or not 0 <= f.b < g.h.n_fighters:
        return BAD_COMBAT_FRAME
    if not 1 <= f.d <= g.h.n_fighters or g.fighter[f.d - 1] != f.obj_row or not g.attacks[f.obj_row]:
        return BAD_COMBAT_FRAME
    row = g.fighter[f.b]
    return FINE if g.blocks_row[row] == f.obj_row and g.blocks_id[row] == f.obj_id else BAD_COMBAT_FRAME


# ------------------------------------------------------------------------------------------------ the choice

cdef int frame_of_choice(int choice) noexcept nogil:
    if choice == CH_MULLIGAN or choice == CH_BOTTOM:
        return F_MULLIGAN
    if choice == CH_ATTACK:
        return F_ATTACK
    if choice == CH_BLOCK:
        return F_BLOCK
    if choice == CH_ASSIGN:
        return F_ASSIGN
    if choice == CH_DISCARD:
        return F_DISCARD
    if choice == CH_PAY:
        return F_PAY
    if choice == CH_SEARCH:
        return F_RESOLVE
    return F_NONE


cdef int check_choice(const Game *g) noexcept nogil:
    """A running game stands at a choice with options, of the kind that its top frame or the turn machine asks for."""
    cdef int kind = g.h.choice
    cdef int top = top_frame(g).kind if g.h.n_frames else F_NONE
    cdef int turn_state = TS_CHECK
    cdef uint32_t i
    cdef Option *o
    if kind == CH_NONE:
        if g.h.n_options or (g.h.status == GS_RUNNING and (g.h.phase_state != TS_PREGAME or g.h.turn or top)):
            return BAD_CHOICE
        return FINE
    if g.h.status != GS_RUNNING or g.h.n_options == 0 or g.h.answer != NO_ANSWER:
        return BAD_CHOICE
    if not in_game(g, g.h.chooser) or not in_game(g, g.h.decider):
        return BAD_CHOICE
    if kind == CH_PRIORITY:
        turn_state = TS_PRIORITY
        if top or g.h.chooser != g.h.priority or g.option[0].kind != O_PASS:
            return BAD_CHOICE
    elif kind == CH_TARGET or kind == CH_X:
        if top != F_CAST and top != F_ACTIVATE:
            return BAD_CHOICE
    elif top != frame_of_choice(kind):
        return BAD_CHOICE
    if top == F_MULLIGAN:
        turn_state = TS_NEXT_TURN if g.h.phase_state == TS_NEXT_TURN else TS_NEXT_STEP
        if (kind == CH_BOTTOM) != (top_frame(g).step == 1) or g.h.turn:
            return BAD_CHOICE
    if g.h.phase_state != turn_state or (top and top != F_RESOLVE and g.h.chooser != top_frame(g).player):
        return BAD_CHOICE
    for i in range(g.h.n_options):
        o = &g.option[i]
        if (o.kind >= N_O or o.row >= g.lay.rows or o.id != g.id[o.row] or (o.row and o.id == 0)
                or (o.player != NO_PLAYER and o.player >= g.lay.players) or not option_fits(g, o)):
            return bad(BAD_OPTION, i)
    return FINE


cdef inline bint in_hand(const Game *g, uint16_t row, int zone) noexcept nogil:
    return row != 0 and g.zone[row] == zone and g.owner[row] == g.h.chooser


cdef bint mana_option(const Game *g, const Option *o) noexcept nogil:
    return (field_row(g, o.row) and g.controller[o.row] == g.h.chooser and 0 <= o.num < 6
            and (g.mana_in[o.row] >> o.num) & 1)


cdef bint option_fits(const Game *g, const Option *o) noexcept nogil:
    """Rows of an option are where the choice takes them from, numbers what it allows."""
    cdef int kind = g.h.choice
    cdef const Frame *f = top_frame(g) if g.h.n_frames else NULL
    cdef const Face *face = face_of(g, g.defn[o.row])
    if kind == CH_MULLIGAN:
        return o.row == 0 and (o.kind == O_KEEP or o.kind == O_MULLIGAN)
    if kind == CH_BOTTOM or kind == CH_DISCARD:
        return o.kind == O_OBJECT and in_hand(g, o.row, Z_HAND)
    if kind == CH_PRIORITY:
        if o.kind == O_PASS:
            return o.row == 0
        if o.kind == O_PLAY:
            return in_hand(g, o.row, Z_HAND) and (face.types & T_LAND) != 0
        if o.kind == O_CAST:
            return in_hand(g, o.row, Z_HAND) and (face.flags & FACE_HAS_COST) != 0 and not face.types & T_LAND
        if o.kind == O_ACTIVATE:
            return (field_row(g, o.row) and g.controller[o.row] == g.h.chooser and 0 <= o.num < face.n_abilities
                    and ability_of(g, g.defn[o.row], o.num).kind != AB_MANA)
        return o.kind == O_MANA and mana_option(g, o)
    if kind == CH_TARGET:
        return target_option(g, f, o)
    if kind == CH_X:
        return o.kind == O_NUMBER and o.row == 0 and 0 <= o.num <= MOST_X
    if kind == CH_ATTACK:
        return o.row == f.obj_row and (o.kind == O_NO or (o.kind == O_PLAYER and in_game(g, o.player)
                                                          and o.player != g.h.chooser))
    if kind == CH_BLOCK:
        if o.kind == O_NO:
            return o.row == f.obj_row
        return o.kind == O_OBJECT and field_row(g, o.row) and g.attacks[o.row] == 1 + g.h.chooser
    if kind == CH_ASSIGN:
        return o.kind == O_NUMBER and o.row == g.fighter[f.b] and 0 <= o.num <= f.a
    if kind == CH_PAY:
        if o.kind == O_COLOR:
            return o.row == 0 and 0 <= o.num < 6 and g.p_pool[g.h.chooser * 6 + o.num] > 0
        return o.kind == O_MANA and mana_option(g, o)
    if kind == CH_SEARCH:
        if o.kind == O_NO:
            return o.row == 0
        return o.kind == O_OBJECT and in_hand(g, o.row, Z_LIBRARY)
    return False


cdef bint target_option(const Game *g, const Frame *f, const Option *o) noexcept nogil:
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const TargetSpec *t
    if f.kind == F_CAST:
        t = &g.cards.targets[face.first_target + f.n]
    else:
        t = &g.cards.targets[ability_of(g, g.defn[f.obj_row], f.b).first_target + f.n]
    if o.kind == O_PLAYER:
        return t.players and o.row == 0 and in_game(g, o.player)
    return o.kind == O_OBJECT and t.objects and o.row != 0 and g.zone[o.row] == t.zone


# ------------------------------------------------------------------------------------------------ players, sets, values

cdef int check_players(const Game *g) noexcept nogil:
    """Ranges, mana pools, streams of chance, counts of what can be done at instant speed."""
    cdef int p, k, sum
    cdef uint16_t row
    cdef uint32_t quick = 0
    for p in range(<int>g.lay.players):
        if (not -MOST_LIFE <= g.p_life[p] <= MOST_LIFE or g.p_kept[p] > 1 or g.p_empty_draw[p] > 1 or g.p_act[p] >> N_ACT
                or g.p_left_tick[p] > g.h.tick):
            return bad(BAD_PLAYER, p)
        sum = 0
        row = g.z_head[zone_list(g, Z_HAND, p)]
        while row:
            if face_of(g, g.defn[row]).flags & FACE_INSTANT_SPEED:
                sum += 1
            row = g.znext[row]
        if sum != g.p_instants[p]:
            return bad(BAD_INSTANTS, p)
        quick += <uint32_t>sum
        sum = 0
        row = g.z_head[Z_BATTLEFIELD * g.lay.players]
        while row:
            if g.controller[row] == p and face_of(g, g.defn[row]).flags & FACE_ACTS:
                sum += 1
            row = g.znext[row]
        if sum != g.p_actors[p]:
            return bad(BAD_ACTORS, p)
        quick += <uint32_t>sum
        sum = 0
        for k in range(6):
            sum += g.p_pool[p * 6 + k]
        if sum != g.p_pool_n[p] or (sum and not g.h.pools):
            return bad(BAD_POOL_SUM, p)
        for k in range(N_PURPOSES):
            if not g.stream[(p * N_PURPOSES + k) * 2] and not g.stream[(p * N_PURPOSES + k) * 2 + 1]:
                return bad(BAD_STREAM, p)
    return FINE if quick == g.h.n_instants else bad(BAD_INSTANTS, NO_PLAYER)


cdef int mana_wanted(const Game *g, uint16_t row) noexcept nogil:
    """The mask that a permanent is to be counted with among its controller's untapped sources (CR 605, 302.6)."""
    if g.status[row] & (ST_TAPPED | ST_PHASED_OUT):
        return 0
    if g.types[row] & T_CREATURE and g.status[row] & ST_SICK and not g.keywords[row] & K_HASTE:
        return 0
    return g.mana[row]


cdef bint values_follow(const Game *g, uint16_t row) noexcept nogil:
    """Computed values anew: definition, effects, counters (CR 613)."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int power = f.power
    cdef int toughness = f.toughness
    cdef uint64_t keywords = f.keywords
    cdef uint32_t i
    if g.oflags[row] & OF_ABILITY:
        return not (g.types[row] | g.colors[row] | g.mana[row] | g.power[row] | g.toughness[row]) and g.keywords[row] == 0
    if g.types[row] != f.types or g.colors[row] != f.colors or g.mana[row] != f.mana:
        return False
    if g.zone[row] == Z_BATTLEFIELD:
        for i in range(g.h.n_effects):
            if g.effect[i].affected_row == row and g.effect[i].affected_id == g.id[row]:
                power += g.effect[i].power
                toughness += g.effect[i].toughness
                keywords |= g.effect[i].keywords
        power += g.c_p1p1[row] - g.c_m1m1[row]
        toughness += g.c_p1p1[row] - g.c_m1m1[row]
        if not f.types & T_CREATURE:
            power = 0
            toughness = 0
    return g.power[row] == <int16_t>power and g.toughness[row] == <int16_t>toughness and g.keywords[row] == keywords


cdef bint bits_follow(const Game *g, uint16_t row) noexcept nogil:
    cdef int p
    for p in range(<int>g.lay.players):
        if has_bit(ctrl_set(g, p), row) != (g.controller[row] == p):
            return False
    return (has_bit(g.b_creature, row) == ((g.types[row] & T_CREATURE) != 0)
            and has_bit(g.b_untapped, row) == ((g.status[row] & ST_TAPPED) == 0)
            and has_bit(g.b_sick, row) == ((g.status[row] & ST_SICK) != 0)
            and has_bit(g.b_acts, row) == ((face_of(g, g.defn[row]).flags & FACE_ACTS) != 0))


cdef int check_field(const Game *g, Scratch *s) noexcept nogil:
    """Permanents: order, values, effects, bit sets, mana sources; all other rows have none of these."""
    cdef uint64_t lo[8]
    cdef uint64_t hi[8]
    cdef uint16_t row
    cdef uint32_t stamp = 0
    cdef uint32_t i
    cdef int p, n, c, mask, amount
    cdef uint32_t w
    cdef uint64_t field
    cdef int effects = 0
    memset(lo, 0, sizeof(lo))
    memset(hi, 0, sizeof(hi))
    memset(s.seen, 0, g.lay.words * 8)
    row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    while row:
        set_bit(s.seen, row)
        if g.timestamp[row] <= stamp:
            return bad(BAD_ORDER, row)
        stamp = g.timestamp[row]
        if not bits_follow(g, row):
            return bad(BAD_BITS, row)
        n = 0
        for i in range(g.h.n_effects if g.n_effects[row] else 0):
            if g.effect[i].affected_row == row:
                n += 1
        if n != g.n_effects[row]:
            return bad(BAD_EFFECTS, row)
        effects += n
        if not has_bit(g.b_dirty, row):
            if not values_follow(g, row):
                return bad(BAD_VALUES, row)
            if g.mana_in[row] != mana_wanted(g, row):
                return bad(BAD_MANA_SOURCE, row)
        elif not g.h.bits_dirty:
            return bad(BAD_BITS, row)
        if has_bit(g.b_sba, row) and not g.h.sba & SBA_OBJECTS:
            return bad(BAD_BITS, row)
        mask = g.mana_in[row]
        if mask:
            p = g.controller[row]
            amount = face_of(g, g.defn[row]).mana_amount
            for c in range(4):
                if mask >> c & 1:
                    lo[p] += <uint64_t>amount << (16 * c)
            hi[p] += <uint64_t>amount << 32
            for c in range(4, 6):
                if mask >> c & 1:
                    hi[p] += <uint64_t>amount << (16 * (c - 4))
            if mask & (mask - 1) or amount > 1:
                hi[p] += <uint64_t>1 << 48
        row = g.znext[row]
    if effects != g.h.n_effects:
        return bad(BAD_EFFECTS, 0)
    for p in range(<int>g.lay.players):
        if g.p_mana_lo[p] != lo[p] or g.p_mana_hi[p] != hi[p]:
            return bad(BAD_MANA, p)
    for w in range(g.lay.words):
        field = s.seen[w]
        if (g.b_creature[w] | g.b_untapped[w] | g.b_sick[w] | g.b_acts[w] | g.b_dirty[w] | g.b_sba[w]) & ~field:
            return BAD_STRAY_BITS
        for p in range(<int>g.lay.players):
            if ctrl_set(g, p)[w] & ~field:
                return BAD_STRAY_BITS
    return FINE


cdef int check_elsewhere(const Game *g) noexcept nogil:
    """Objects off the battlefield: values as printed; tokens that wait to cease to exist (CR 704.5d)."""
    cdef uint32_t row
    cdef int tokens = 0
    for row in range(1, g.lay.rows):
        if g.id[row] == 0 or g.zone[row] == Z_BATTLEFIELD:
            continue
        if g.oflags[row] & OF_TOKEN:
            tokens += 1
        if not values_follow(g, <uint16_t>row):
            return bad(BAD_VALUES, row)
    return FINE if tokens == g.h.n_tokens else BAD_TOKENS


cdef int check_combat(const Game *g, Scratch *s) noexcept nogil:
    """Attackers and blockers only in combat; a blocker blocks something; references of permanents are kept."""
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef bint combat = STEP_DECLARE_ATTACKERS <= g.h.step <= STEP_END_COMBAT
    cdef int i
    memset(s.seen, 0, g.lay.words * 8)
    for i in range(g.h.n_fighters):
        set_bit(s.seen, g.fighter[i])
    while row:
        if (g.attacks[row] or g.combat[row] or g.blocks_id[row]) and not has_bit(s.seen, row):
            return bad(BAD_COMBAT, row)
        if g.damage[row] and not g.h.damaged:
            return bad(BAD_DAMAGE, row)
        if not combat and (g.attacks[row] or g.combat[row] or g.blocks_id[row]):
            return bad(BAD_COMBAT, row)
        if (g.blocks_id[row] != 0) != ((g.combat[row] & CB_BLOCKING) != 0):
            return bad(BAD_COMBAT, row)
        if g.combat[row] & CB_BLOCKED and not g.attacks[row]:
            return bad(BAD_COMBAT, row)
        if not kept(g, s, g.attached_row[row], g.attached_id[row]):
            return bad(LOST_ATTACHED, row)
        if not kept(g, s, g.blocks_row[row], g.blocks_id[row]):
            return bad(LOST_BLOCKED, row)
        row = g.znext[row]
    return FINE


cdef int check_kept(const Game *g, Scratch *s) noexcept nogil:
    """Objects of arena lists, and what the LKI rows that can be asked about refer to in their turn."""
    cdef uint32_t h = 1
    cdef int i
    cdef Chunk *c
    cdef Ref *r
    cdef LkiRow *k
    while h < g.h.arena_top:
        c = chunk_at(g, <uint16_t>h)
        if c.kind == AK_REFS:
            for i in range(c.n):
                r = &chunk_refs(g, <uint16_t>h)[i]
                if r.kind == RK_OBJECT and not kept(g, s, r.row, r.id):
                    return bad(LOST_LIST, h)
        h += <uint32_t>1 << c.log2
    while s.n_work:
        s.n_work -= 1
        k = &g.lki[s.work[s.n_work]]
        if not kept(g, s, k.attached_row, k.attached_id) or not kept(g, s, k.blocks_row, k.blocks_id):
            return bad(LOST_LKI, s.work[s.n_work])
    return FINE


cdef int check_owners(const Game *g, Scratch *s) noexcept nogil:
    """Each chunk in use belongs to exactly one list, entry, object or LKI row."""
    cdef uint32_t i
    for i in range(1, g.lay.rows):
        if not own(s, g.extra[i]):
            return bad(BAD_CHUNK_OWNER, g.extra[i])
    if s.n_owned != s.n_used:
        for i in range(g.lay.arena):
            if has_bit(s.used, <uint16_t>i) and not has_bit(s.owned, <uint16_t>i):
                return bad(BAD_CHUNK_LOST, i)
    return FINE


cdef int check_block(Game *g) noexcept nogil:
    """0 if the block is a game that can be played on, or is over; else a code (see `explain`).

    Safe for any bytes in a block of the view's layout. A game that was stopped in the middle of a step (a fault of the
    engine, the largest block too small) may fail.
    """
    cdef Scratch s
    cdef int code = check_header(g)
    cdef uint32_t words
    if code:
        return code
    words = g.lay.rows + g.lay.ring
    s.id_mask = 255
    while s.id_mask < words + words // 4:
        s.id_mask = s.id_mask * 2 + 1
    if s.id_mask >= MAX_IDS:
        s.id_mask = MAX_IDS - 1
    memset(s.ids, 0, (<size_t>s.id_mask + 1) * 4)
    memset(s.seen, 0, g.lay.words * 8)
    words = (g.lay.arena + 63) // 64 * 8
    memset(s.used, 0, words)
    memset(s.idle, 0, words)
    memset(s.owned, 0, words)
    words = (g.lay.ring + 63) // 64 * 8
    memset(s.slots, 0, words)
    memset(s.reach, 0, words)
    s.arena = g.lay.arena
    s.n_work = 0
    s.n_used = 0
    s.n_owned = 0
    code = check_lists(g, &s)
    if code == FINE:
        code = check_rows(g, &s)
    if code == FINE:
        code = check_arena(g, &s)
    if code == FINE:
        code = check_ring(g, &s)
    if code == FINE:
        code = check_stack(g, &s)
    if code == FINE:
        code = check_frames(g, &s)
    if code == FINE:
        code = check_effects(g, &s)
    if code == FINE:
        code = check_history(g, &s)
    if code == FINE:
        code = check_players(g)
    if code == FINE:
        code = check_choice(g)
    if code == FINE:
        code = check_owners(g, &s)
    if code == FINE:
        code = check_field(g, &s)
    if code == FINE:
        code = check_elsewhere(g)
    if code == FINE:
        code = check_combat(g, &s)
    return check_kept(g, &s) if code == FINE else code
