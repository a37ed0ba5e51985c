"""Validating a block. Nothing in it is trusted but the sizes of its layout.

Each part is looked at before any later part is reached through it: lists before the rows that they link, chunks
before the frames that own them, chains before they are walked. A block that passes is one that the core plays without
a step outside it and without an endless loop; beyond that, every invariant between its tables holds: an object is in
one place, bit sets, indexes and mana counts say what the columns say, computing all values anew changes none of them
(CR 613), and whatever can still be asked about is there, live or in the LKI store (CR 608.2h).
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp, memset

from lkicore._abilities cimport entry_next
from lkicore._arena cimport Chunk
from lkicore._check_codes cimport *
from lkicore._check_play cimport (check_choice, check_effects, check_frames, check_history, check_moment,
                                  check_special, check_stack, check_triggers)
from lkicore._check_values cimport (check_combat, check_computed, check_elsewhere, check_field, check_index,
                                    check_players)
from lkicore._copies cimport MOST_DEFS, expected
from lkicore._defs cimport FACE_WORDS, LOCAL_DEFS, face_of, is_definition
from lkicore._facts cimport reached
from lkicore._game cimport in_game, uses_of
from lkicore._index cimport WATCHED
from lkicore._layout cimport MOST_OBJECTS, Definition, Game, Layout, LkiRow, Ref
from lkicore._lki cimport KEPT, NO_SLOT, follows, is_departure
from lkicore._opcodes cimport *
from lkicore._store cimport PRIVATE_ZONES, clear_bit, has_bit, set_bit
from lkicore._types cimport Face, MOST_ABILITIES, NONE16

cdef enum:
    MOST_TIMES = 20   # an optional cost is paid (see `_announce`)

# Kinds of entries, by where their list hangs.
cdef enum:
    ANYWHERE = 1 << RK_LINK | 1 << RK_USED
    ON_FIELD = (1 << RK_PLAYER | 1 << RK_LINK | 1 << RK_USED | 1 << RK_COUNTER | 1 << RK_CHOSEN | 1 << RK_CAST
                | 1 << RK_KICKED | 1 << RK_BASE | 1 << RK_WAY | 1 << RK_DESIGNATED | 1 << RK_SPENT | 1 << RK_BLOCKS)
    RESOLVING = 1 << RK_PAID | 1 << RK_MODE | 1 << RK_MOVED | 1 << RK_PICKED | 1 << RK_PICKED_PLAYER | 1 << RK_CHOSEN
    RESOLVING_TOO = 1 << RK_DIVIDED | 1 << RK_SYMBOL | 1 << RK_VOTE
    OF_SPELL = (1 << RK_LINK | 1 << RK_USED | 1 << RK_KICKED | 1 << RK_WAY | 1 << RK_HELP
                | 1 << RK_SURE | 1 << RK_SPENT)
    OF_EVENT = 1 << RK_EVENT_OBJECT | 1 << RK_EVENT_OTHER | 1 << RK_EVENT_PLAYER | 1 << RK_EVENT_AMOUNT

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
    "{unit} a list has entries that don't belong where it hangs",
    "{unit} chosen modes or optional costs are not those of the spell or ability",
    "{row} an ability is marked as used this turn, and nobody will take the mark away",
    "{definition} a definition of the block's own is not what its exceptions come to",
    "{row} a permanent's definition is not what copy effects make of it",
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
    "{effect} an effect is out of range, or its object is gone",
    "{trigger} a waiting trigger is out of range",
    "{mana} mana in a pool is out of range",
    "{event} an event of the history is out of range",
    "{option} an option is not possible",
    "the choice doesn't fit what is going on",
    "{frame} cards that are looked at are not in the library of the player who looks",
    "{frame} somebody else is asked than the instruction says",
    "a player has priority while values, state-based actions or triggers wait",
    "{row} an object may ask about events that are not kept",
    "{player} a player's column is out of range",
    "{player} a mana pool and its sum differ",
    "{player} untapped mana sources are miscounted",
    "{row} a permanent is counted among the mana sources otherwise than it should be",
    "{row} a bit set says otherwise than the columns",
    "a bit set has bits of rows that are not there",
    "{row} a computed value differs from what definition, effects and counters make of it",
    "{row} the effects on an object are miscounted",
    "tokens off the battlefield are miscounted",
    "{row} b_listen says otherwise than the object's abilities",
    "{row} b_static says otherwise than the permanent's abilities",
    "{row} b_replace says otherwise than the permanent's abilities",
    "{row} b_casting, or what it says in the header, is not what the permanents' abilities say",
    "{row} b_attached, or the number of its rows, says otherwise than the columns",
    "{row} a permanent is attached to what it can't be attached to",
    "the events that something waits for are not those of the abilities that listen",
    "what static abilities look at is not what those on the battlefield look at",
    "the replacements that there are are not those of the permanents",
    "the kinds of effects in the table are not those that it says",
    "{row} computing all values anew changes types, colours or keywords",
    "{row} computing all values anew changes power or toughness",
    "{row} computing all values anew changes who controls a permanent",
    "{row} computing all values anew changes an object's abilities or subtypes",
    "{row} computing all values anew changes a bit set, a mana source or a sum",
    "{row} combat columns don't fit the step or each other",
    "{row} damage is marked that nothing will remove",
    "{player} cards in hand that can be cast at instant speed are miscounted",
    "{player} permanents with abilities to activate are miscounted",
    "{row} what it is attached to is neither live nor in the LKI store",
    "{row} what it blocks is neither live nor in the LKI store",
    "{frame} the object of a frame is neither live nor in the LKI store",
    "{entry} the source of an ability is neither live nor in the LKI store",
    "{effect} the object of an effect is neither live nor in the LKI store",
    "{effect} the source of an effect is neither live nor in the LKI store",
    "{effect} what made a shield that does more is neither live nor in the LKI store",
    "{trigger} the source of a waiting trigger is neither live nor in the LKI store",
    "{trigger} the object of a waiting trigger's event is neither live nor in the LKI store",
    "{trigger} the other object of a waiting trigger's event is neither live nor in the LKI store",
    "{mana} the source of mana in a pool is neither live nor in the LKI store",
    "{event} the object of an event is neither live nor in the LKI store",
    "{event} the other object of an event is neither live nor in the LKI store",
    "{unit} an object of an arena list is neither live nor in the LKI store",
    "{slot} what a kept LKI row refers to is neither live nor in the LKI store",
    "{slot} an object of a kept LKI row's list is neither live nor in the LKI store",
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
    return {
        "objects.attached": LOST_ATTACHED, "objects.blocks": LOST_BLOCKED, "frame.obj": LOST_FRAME,
        "stack.source": LOST_SOURCE, "effect.affected": LOST_AFFECTED, "effect.source": LOST_EFFECT,
        "effect.maker": LOST_MAKER, "special.source": LOST_SPECIAL,
        "trigger.source": LOST_TRIGGER, "trigger.object": LOST_TRIGGER_OBJECT, "trigger.other": LOST_TRIGGER_OTHER,
        "history.obj": LOST_EVENT, "history.other": LOST_OTHER, "arena.lists": LOST_LIST, "lki.attached": LOST_LKI,
        "lki.blocks": LOST_LKI, "lki.extra": LOST_LKI_LIST,
    }[name]


# -------------------------------------------------------------------------------- header

cdef int check_header(const Game *g) noexcept nogil:
    cdef const Layout *lay = g.lay
    cdef int n = lay.players
    cdef int p
    cdef int alive = 0
    if lay.rows > MOST_OBJECTS or lay.ring > MAX_RING or lay.arena > MAX_ARENA or n > 8:
        return BAD_LAYOUT
    if g.h.magic != 0x42494B4C or g.h.version != 1 or g.h.size_class != lay.size_class or g.h.players != n:
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
            or g.h.chooser >= n or g.h.decider >= n or g.h.n_attackers >= lay.rows or g.h.forced > 6000
            or g.h.loop_next > 20000 or g.h.loop_span > 20000
            or g.h.all_dirty > g.h.bits_dirty or g.h.once > 1 or g.h.walkers > 1 or g.h.ending >= N_EG
            or g.h.phasing >> N_UF or g.h.restricts >> N_RU
            or g.h.listening >> N_EV or g.h.reads >> N_RD
            or g.h.replaces >> N_RP or g.h.casting >> N_CA or (g.h.shields & ~<uint32_t>WATCHED) >> N_EK
            or g.h.reach >> N_Z or g.h.reach >> Z_BATTLEFIELD & 1
            or g.h.reach_reads >> N_RD or g.h.rules > 1 or g.h.commanders > 1 or g.h.day > 2
            or g.h.player_facts >> N_PY or g.h.uses != uses_of(g) or g.h.held_targets or g.h.held_info
            or g.h.with_n):
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
    if (g.h.n_cards > lay.cards or g.h.n_frames > lay.frames or g.h.n_stack > lay.stack or g.h.n_effects > lay.effects
            or g.h.history_n > lay.history or g.h.n_options > lay.options or g.h.n_triggers > lay.triggers
            or g.h.n_special > lay.special
            or g.h.arena_top == 0 or g.h.arena_top > lay.arena or g.h.n_fighters > lay.rows
            or g.h.lki_limit == 0 or g.h.lki_limit > lay.ring or g.h.lki_head > g.h.lki_limit):
        return BAD_COUNT
    return check_queues(g)


cdef int check_queues(const Game *g) noexcept nogil:
    """Steps to come, with room for those that combat inserts; extra turns."""
    cdef int i, step
    cdef int more
    if (g.h.steps_head > g.h.steps_n or g.h.steps_n > QUEUE or g.h.steps_n - g.h.steps_head > MOST_STEPS + 1
            or g.h.turns_n > QUEUE):
        return BAD_QUEUE
    # Declaring attackers adds two steps, declaring blockers one.
    for i in range(g.h.steps_head - (g.h.phase_state != TS_NEXT_STEP), g.h.steps_n):
        step = g.h.step if i < g.h.steps_head else g.steps[i]
        more = 2 if step == STEP_DECLARE_ATTACKERS else 1 if step == STEP_DECLARE_BLOCKERS else 0
        if (i >= g.h.steps_head and not STEP_UNTAP <= step <= STEP_CLEANUP
                or <int>g.h.steps_n - i + more > MOST_STEPS + 2):
            return BAD_QUEUE
    for i in range(g.h.turns_n):
        if g.turns[i] >= g.lay.players:
            return BAD_QUEUE
    return FINE


# -------------------------------------------------------------------------------- objects and zones

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


cdef inline int status_elsewhere(int zone) noexcept nogil:
    """What status means outside the battlefield: a spell has its back face up or is face down (CR 708.4, 712.8c), a
    card is exiled face down (406.3)."""
    return ST_FLIPPED | ST_FACE_DOWN if zone == Z_STACK else ST_FACE_DOWN if zone == Z_EXILE else 0


cdef int check_rows(const Game *g, Scratch *s) noexcept nogil:
    """Columns in range; ids given out once; cards and objects refer to each other."""
    cdef uint32_t row, c
    cdef uint16_t card
    cdef int n = g.lay.players
    if g.id[0] or g.zone[0] or g.card[0] != NONE16:
        return BAD_NULL_ROW
    for row in range(g.lay.rows):
        if (not is_definition(g, g.defn[row]) or g.owner[row] >= n or g.controller[row] >= n or g.base_ctrl[row] >= n
                or g.status[row] >> N_ST or g.oflags[row] >> N_OF or g.attacks[row] > n or g.combat[row] >> N_CB
                or g.mana[row] > 63 or g.mana_in[row] > 63 or (g.mana_in[row] == 0) != (g.mana_n[row] == 0)
                or g.damage[row] < 0 or g.c_p1p1[row] < 0
                or g.c_m1m1[row] < 0
                or g.c_loyalty[row] < 0 or g.c_charge[row] < 0 or g.assigned[row] < 0
                or g.attached_row[row] >= g.lay.rows or g.blocks_row[row] >= g.lay.rows
                or g.attached_id[row] >= g.h.next_id or g.blocks_id[row] >= g.h.next_id
                or g.extra[row] >= g.lay.arena):
            return bad(BAD_ROW, row)
        if g.oflags[row] & OF_HOST:
            return bad(BAD_ROW, row)
        if g.zone[row] != Z_BATTLEFIELD and g.zone[row] != Z_PHASED_OUT and (
                g.damage[row] or g.c_p1p1[row] or g.c_m1m1[row] or g.c_loyalty[row] or g.c_charge[row]
                or g.assigned[row] or g.status[row] & ~status_elsewhere(g.zone[row]) or g.attacks[row]
                or g.combat[row] or g.attached_id[row] or g.attached_row[row] or g.blocks_id[row]
                or g.blocks_row[row] or g.mana_in[row]
                or (g.n_effects[row] and g.zone[row] == Z_NONE)
                or (g.oflags[row] & (OF_OWN_ABILITIES | OF_OWN_SUBTYPES)
                    and (g.zone[row] == Z_NONE
                         or not (reached(g, <uint16_t>row) or has_bit(g.b_dirty, <uint16_t>row))))):
            return bad(BAD_IDLE_ROW, row)
        if g.zone[row] == Z_NONE:
            if g.extra[row]:
                return bad(BAD_IDLE_ROW, row)
            continue
        if g.id[row] == 0 or g.id[row] >= g.h.next_id or g.timestamp[row] >= g.h.clock:
            return bad(BAD_ID, row)
        if not new_to(s, g.id[row]):
            return bad(BAD_SAME_ID, row)
        if (g.zone[row] != Z_BATTLEFIELD and g.zone[row] != Z_PHASED_OUT and g.zone[row] != Z_STACK
                and g.controller[row] != g.owner[row]):
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
        elif (g.pc_face[c] >= g.cards.n_faces or g.pc_owner[c] >= n or g.pc_row[c] >= g.lay.rows
              or g.pc_flags[c] >> N_CF or (g.pc_row[c] and (g.id[g.pc_row[c]] == 0 or g.card[g.pc_row[c]] != c))):
            return bad(BAD_CARD, c)
    return FINE


# -------------------------------------------------------------------------------- arena

cdef bint entry_possible(const Game *g, const Ref *r) noexcept nogil:
    """An entry of a list is in range for its kind."""
    cdef int kind = r.kind
    if kind >= N_RK:
        return False
    if RK_REFERS >> kind & 1:
        return 0 < r.row < g.lay.rows and 0 < r.id < g.h.next_id
    if kind == RK_PLAYER or kind == RK_EVENT_PLAYER or kind == RK_PICKED_PLAYER:
        return r.row < g.lay.players and r.id == 0
    if kind == RK_COUNTER:
        return CK_SHIELD <= r.row < g.cards.n_counters and r.row != CK_POISON and 0 < r.id <= MOST_COUNTERS
    if kind == RK_COMMANDER:
        return r.row < g.h.n_cards and 0 < r.id <= MOST_COUNTERS
    if kind == RK_ASSIGNED:
        return r.row < g.h.n_fighters and r.id >> 16 < g.h.n_fighters and r.flags == 0
    if kind == RK_VOTE:
        return r.row < 256 and r.id == 0 and r.flags < g.lay.players
    if kind == RK_ABILITY or kind == RK_USED:
        return r.row < g.cards.n_abilities
    if kind == RK_BASE:
        return r.id == 0 and r.flags <= 1 and is_definition(g, r.row)
    if kind == RK_SUBTYPE:
        return r.row < g.cards.n_subtypes
    if kind == RK_EVENT_AMOUNT:
        return r.row < g.lay.players and r.id <= 0xFFFF
    if kind == RK_KICKED:
        return 0 < r.id <= MOST_TIMES
    if kind == RK_CAST:
        return r.row == 0 and r.id <= MOST_X
    if kind == RK_SYMBOL:
        return r.id <= 7
    if kind == RK_DIVIDED:
        return 0 < r.id <= MOST_COUNTERS
    if kind == RK_WAY:
        return (r.row == NONE16 or r.row < g.cards.n_ways) and r.id <= <uint32_t>g.cards.n_ways
    if kind == RK_CHOSEN:
        return r.flags < N_CN and chosen_possible(g, r)
    if kind == RK_DESIGNATED:
        return r.row < N_DS
    return True  # RK_MODE: looked at with the spell or ability that it belongs to


cdef bint chosen_possible(const Game *g, const Ref *r) noexcept nogil:
    """What was chosen for an object is of its kind (CR 607.2d)."""
    if r.flags == CN_COLOR:
        return 0 < r.id < 32 and r.id & (r.id - 1) == 0
    if r.flags == CN_TYPE:
        return r.id < <uint32_t>g.cards.n_subtypes
    if r.flags == CN_LEVEL:
        return 1 < r.id < 10
    if r.flags == CN_PLAYER:
        return r.id < g.lay.players
    return r.flags != CN_NAME or r.id < <uint32_t>g.cards.n_faces


cdef int check_arena(const Game *g, Scratch *s) noexcept nogil:
    """Chunks follow one another up to the top; the free ones are in the list of their size; entries are in range."""
    cdef uint32_t h = 1
    cdef uint32_t units
    cdef uint32_t used = 1
    cdef int idle = 0
    cdef int i, k
    cdef uint16_t f
    cdef Chunk *c
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
                if not entry_possible(g, &chunk_refs(g, <uint16_t>h)[i]):
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


# -------------------------------------------------------------------------------- definitions

cdef bint definition_follows(const Game *g, Scratch *s, uint32_t k) noexcept nogil:
    """An entry of the table, whose base has been looked at: its list and its face are what its exceptions come to."""
    cdef const Definition *d = &g.definition[k]
    cdef uint16_t listed[MOST_ABILITIES + 256]
    cdef Face f
    cdef int i, n, n_subtypes
    if d.change + d.n > g.cards.n_changes or (d.ability != NONE16 and d.ability >= g.cards.n_abilities):
        return False
    for i in range(d.n):
        if not is_change(g, d.change + i) or (
                g.cards.changes[d.change + i].op == X_KEEP_ABILITY and d.ability == NONE16):
            return False
    if not own(s, d.list):
        return False
    n = expected(g, d, &f, listed, &n_subtypes)
    if chunk_len(g, d.list) != n or memcmp(&f, &g.def_face[k * FACE_WORDS], sizeof(Face)):
        return False
    for i in range(n):
        if (chunk_refs(g, d.list)[i].row != listed[i] or chunk_refs(g, d.list)[i].id
                or chunk_refs(g, d.list)[i].kind != (RK_SUBTYPE if i >= n - n_subtypes else RK_ABILITY)):
            return False
    return True


cdef int check_definitions(const Game *g, Scratch *s) noexcept nogil:
    """Each of the block's own definitions after the one that it was made from: no circles."""
    cdef uint8_t done[MOST_DEFS]
    cdef uint32_t k
    cdef uint32_t left = 0
    cdef bint more = True
    for k in range(g.lay.defs):
        done[k] = g.definition[k].n == 0
        left += g.definition[k].n != 0
        if g.definition[k].n == 0 and (g.definition[k].list or g.definition[k].base or g.definition[k].change):
            return bad(BAD_DEFINITION, k)
    while more and left:
        more = False
        for k in range(g.lay.defs):
            if done[k] or not is_definition(g, g.definition[k].base) or (
                    g.definition[k].base >= LOCAL_DEFS and not done[g.definition[k].base - LOCAL_DEFS]):
                continue
            if not definition_follows(g, s, k):
                return bad(BAD_DEFINITION, k)
            done[k] = 1
            left -= 1
            more = True
    return bad(BAD_DEFINITION, 0) if left else FINE


# -------------------------------------------------------------------------------- LKI store

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
        if r.id & <uint32_t>KEPT and (r.zone != Z_BATTLEFIELD or r.became == 0 or r.card != NONE16
                                      or (r.zone_to != Z_BATTLEFIELD and r.zone_to != Z_PHASED_OUT)):
            return bad(BAD_SLOT, k)
        if ((is_departure(r) and r.id >= g.h.next_id) or r.became >= g.h.next_id or r.tick > g.h.tick
                or r.zone >= N_Z or r.zone_to >= N_Z or r.zone == Z_NONE or r.owner >= n or r.controller >= n
                or not is_definition(g, r.defn)
                or r.row == 0 or r.row >= g.lay.rows or (r.card != NONE16 and r.card >= g.h.n_cards)
                or r.attached_row >= g.lay.rows or r.blocks_row >= g.lay.rows or r.attached_id >= g.h.next_id
                or r.blocks_id >= g.h.next_id or r.status >> N_ST or r.oflags >> N_OF or r.attacks > n
                or r.combat >> N_CB or (r.oflags & OF_ABILITY and r.oflags & (OF_OWN_ABILITIES | OF_OWN_SUBTYPES))):
            return bad(BAD_SLOT, k)
        if r.card != NONE16:
            of_cards += 1
        if not new_to(s, r.id):
            return bad(BAD_SLOT_ID, k)
        if not own(s, r.extra):
            return bad(BAD_CHUNK_OWNER, r.extra)
        if not entries_belong(g, r.extra, r.zone, r.oflags, r.defn, True):
            return bad(BAD_CHUNK_KIND, r.extra)
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
    for k in range(g.h.n_cards):
        if g.pc_lki[k] != NO_SLOT:
            rows = check_card_chain(g, k, &of_cards)
            if rows:
                return <int>rows
    return bad(BAD_CARD_CHAIN, NO_SLOT) if of_cards else FINE


cdef uint16_t older(const Game *g, uint32_t card, uint16_t link, uint32_t later) noexcept nogil:
    """Slot of the card's newest departure that is kept of those before a tick: where the link leads to if it still
    holds, else found by looking along the ring."""
    cdef uint16_t found = NO_SLOT
    cdef uint32_t k
    if link == NO_SLOT or follows(g, link, <uint16_t>card, later):
        return link
    for k in range(g.h.lki_limit):
        if (g.lki[k].id and follows(g, <uint16_t>k, <uint16_t>card, later)
                and (found == NO_SLOT or g.lki[k].tick > g.lki[found].tick)):
            found = <uint16_t>k
    return found


cdef int check_card_chain(const Game *g, uint32_t card, int *left) noexcept nogil:
    """A card's departures, newest first: none reaches into the next one, `became` leads to the next one."""
    cdef uint16_t slot = g.pc_lki[card]
    cdef uint32_t later = <uint32_t>FOREVER
    cdef uint32_t became = g.id[g.pc_row[card]] if g.pc_row[card] else 0
    cdef bint newest = True
    cdef LkiRow *r
    while slot != NO_SLOT:
        if slot >= g.h.lki_limit:
            return bad(BAD_CARD_CHAIN, slot)
        slot = older(g, card, slot, later)
        if slot == NO_SLOT:
            break
        r = &g.lki[slot]
        if r.id == 0 or r.owner != g.pc_owner[card]:
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
        left[0] -= 1
        newest = False
        later = r.tick
        became = r.id
        slot = r.prev
    return FINE


# -------------------------------------------------------------------------------- the whole

cdef bint list_kept(const Game *g, Scratch *s, uint32_t handle) noexcept nogil:
    cdef Ref *r
    cdef int i
    for i in range(chunk_at(g, <uint16_t>handle).n):
        r = &chunk_refs(g, <uint16_t>handle)[i]
        if RK_REFERS >> r.kind & 1 and not kept(g, s, r.row, r.id):
            return False
    return True


cdef int check_kept(const Game *g, Scratch *s) noexcept nogil:
    """Objects of arena lists, and what the LKI rows that can be asked about refer to in their turn.

    Lists of departed objects count only where their rows can be asked about.
    """
    cdef uint32_t h = 1
    cdef uint32_t slot
    cdef LkiRow *k
    memset(s.owned, 0, (g.lay.arena + 63) // 64 * 8)  # from here on: the lists of departed objects
    for slot in range(g.h.lki_limit):
        if g.lki[slot].extra:
            set_bit(s.owned, g.lki[slot].extra)
    while h < g.h.arena_top:
        if chunk_at(g, <uint16_t>h).kind == AK_REFS and not has_bit(s.owned, <uint16_t>h) and not list_kept(g, s, h):
            return bad(LOST_LIST, h)
        h += <uint32_t>1 << chunk_at(g, <uint16_t>h).log2
    while s.n_work:
        s.n_work -= 1
        slot = s.work[s.n_work]
        k = &g.lki[slot]
        if not kept(g, s, k.attached_row, k.attached_id) or not kept(g, s, k.blocks_row, k.blocks_id):
            return bad(LOST_LKI, slot)
        if k.extra and not list_kept(g, s, k.extra):
            return bad(LOST_LKI_LIST, slot)
    return FINE


cdef bint entries_belong(const Game *g, uint16_t list, int zone, int oflags, uint16_t defn,
                         bint departed) noexcept nogil:
    """The list of an object, there or departed, holds what an object in that zone can have."""
    cdef int kinds = ANYWHERE
    cdef int i
    cdef Ref *r
    if zone == Z_BATTLEFIELD or zone == Z_PHASED_OUT:
        kinds = ON_FIELD
    elif zone == Z_EXILE:
        kinds |= 1 << RK_COUNTER  # time counters (CR 702.62)
    elif zone == Z_SIDEBOARD:
        kinds = ANYWHERE | 1 << RK_DESIGNATED  # a companion (CR 702.139c)
    elif zone == Z_COMMAND and oflags & OF_EMBLEM:
        kinds = ANYWHERE | 1 << RK_CHOSEN  # a dungeon's venture marker
    elif zone == Z_STACK:
        kinds = RESOLVING | RESOLVING_TOO | (OF_EVENT if oflags & OF_ABILITY else OF_SPELL)
        if departed:
            kinds |= 1 << RK_OBJECT | 1 << RK_PLAYER
    if oflags & OF_OWN_ABILITIES:
        kinds |= 1 << RK_ABILITY
    if oflags & OF_OWN_SUBTYPES:
        kinds |= 1 << RK_SUBTYPE
    for i in range(chunk_len(g, list)):
        r = &chunk_refs(g, list)[i]
        # (Of what has become something else since, its optional costs are those that it was cast with.)
        if (r.kind == RK_KICKED and r.row >= face_of(g, defn).n_optional
                and entry_next(g, list, RK_BASE, 0) < 0):
            return False
    return holds_only(g, list, kinds)


cdef int check_extras(const Game *g, Scratch *s) noexcept nogil:
    """The lists of objects and players are theirs alone and hold what belongs there."""
    cdef uint32_t i
    cdef int k
    for i in range(g.lay.players):
        if g.p_extra[i] == 0:
            continue
        if not own(s, g.p_extra[i]):
            return bad(BAD_CHUNK_OWNER, g.p_extra[i])
        if not holds_only(g, g.p_extra[i], 1 << RK_COUNTER | 1 << RK_COMMANDER):
            return bad(BAD_CHUNK_KIND, g.p_extra[i])
    for i in range(1, g.lay.rows):
        if g.extra[i] == 0:
            continue
        if not own(s, g.extra[i]):
            return bad(BAD_CHUNK_OWNER, g.extra[i])
        if not entries_belong(g, g.extra[i], g.zone[i], g.oflags[i], g.defn[i], False):
            return bad(BAD_CHUNK_KIND, g.extra[i])
        for k in range(chunk_len(g, g.extra[i]) if not g.h.once else 0):
            if chunk_refs(g, g.extra[i])[k].kind == RK_USED:
                return bad(BAD_CHUNK_ONCE, i)
    return FINE


cdef int check_owners(const Game *g, Scratch *s) noexcept nogil:
    """Each chunk in use belongs to exactly one list, entry, object or LKI row."""
    cdef uint32_t i
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
        code = check_definitions(g, &s)
    if code == FINE:
        code = check_ring(g, &s)
    if code == FINE:
        code = check_extras(g, &s)
    if code == FINE:
        code = check_stack(g, &s)
    if code == FINE:
        code = check_frames(g, &s)
    if code == FINE:
        code = check_effects(g, &s)
    if code == FINE:
        code = check_triggers(g, &s)
    if code == FINE:
        code = check_special(g, &s)
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
        code = check_index(g)
    if code == FINE:
        code = check_combat(g, &s)
    if code == FINE:
        code = check_kept(g, &s)
    # From here on the engine itself is asked.
    if code == FINE:
        code = check_computed(g)
    return check_moment(g) if code == FINE else code
