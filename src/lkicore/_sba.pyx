"""State-based actions: all that apply at once, one group, again until none does (CR 704.3).

They look only at what has changed: players when life, poison or a draw did (`SBA_PLAYERS`), the rows of `b_sba`, tokens
off the battlefield.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from lkicore._actions cimport returns_due
from lkicore._attach cimport can_be_attached, is_aura, unattach
from lkicore._defs cimport face_of
from lkicore._enter cimport entering
from lkicore._expr cimport can_die
from lkicore._game cimport in_game
from lkicore._guard cimport ctz64, on_stack, rare
from lkicore._layers cimport changed, dirty, settle
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._players cimport look_for_end, players_leave
from lkicore._replace cimport regenerates
from lkicore._store cimport has_bit, is_live, look_at, trace
from lkicore._triggers cimport happened, heard
from lkicore._types cimport ASKS_HOST, FACE_RESTLESS
from lkicore._zones cimport TO_END, begin_event, move_all

cdef enum:
    RULE_LETHAL = 1
    RULE_TOUGHNESS = 2
    RULE_DEATHTOUCH = 3
    RULE_TOKEN = 4
    RULE_COUNTERS = 5
    RULE_LOYALTY = 6
    RULE_AURA = 7
    RULE_LOOSE = 8

# The flags of eight rows, all tokens.
cdef uint64_t EIGHT_TOKENS = <uint64_t>OF_TOKEN * 0x0101010101010101ULL


cdef void sort_by_timestamp(const Game *g, uint16_t *rows, int n) noexcept nogil:
    cdef int i, k
    cdef uint16_t row
    for i in range(1, n):
        row = rows[i]
        k = i
        while k > 0 and g.timestamp[rows[k - 1]] > g.timestamp[row]:
            rows[k] = rows[k - 1]
            k -= 1
        rows[k] = row


cdef int collect(const Game *g, uint16_t *rows) noexcept nogil:
    """Rows to look at, by timestamp: sorted where they are few, found along the battlefield where they are many."""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    cdef int n = 0
    for w in range(g.lay.words):
        bits = g.b_sba[w]
        while bits:
            if n < 24:
                rows[n] = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            n += 1
            bits &= bits - 1
    if n <= 24:
        sort_by_timestamp(g, rows, n)
        return n
    n = 0
    row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    while row:
        if has_bit(g.b_sba, row):
            rows[n] = row
            n += 1
        row = g.znext[row]
    return n


cdef inline bint sits(Game *g, uint16_t row) noexcept nogil:
    """It is attached to what it may be attached to (CR 303.4c, 301.5c)."""
    return (has_bit(g.b_attached, row) and is_live(g, g.attached_row[row], g.attached_id[row])
            and can_be_attached(g, row, g.attached_row[row]))


cdef int verdict(Game *g, uint16_t row) noexcept nogil:
    """Which rule puts this permanent into the graveyard, 0 none."""
    cdef int types = g.types[row]
    if rare(g.status[row] & ST_PHASED_OUT):
        return 0
    if types & T_CREATURE:
        if g.toughness[row] <= 0:
            return RULE_TOUGHNESS  # CR 704.5f
        if can_die(g, row):
            if g.damage[row] >= g.toughness[row]:
                return RULE_LETHAL  # CR 704.5g
            # Damage by wither or infect left no mark but this one.
            if g.status[row] & ST_DEATHTOUCHED:
                return RULE_DEATHTOUCH  # CR 704.5h
    if types & T_PLANESWALKER and g.c_loyalty[row] <= 0:
        return RULE_LOYALTY  # CR 704.5i
    if types & T_ENCHANTMENT and is_aura(g, row) and not sits(g, row):
        return RULE_AURA  # CR 704.5m
    return 0


cdef int lost_tokens(const Game *g, uint16_t *out) noexcept nogil:
    """Tokens that are neither on the battlefield nor on the stack, by timestamp (CR 704.5d)."""
    cdef uint64_t eight
    cdef uint16_t row
    cdef int i
    cdef int n = 0
    for i in range(0, <int>g.lay.rows, 8):
        memcpy(&eight, &g.oflags[i], 8)
        if not eight & EIGHT_TOKENS:
            continue
        for row in range(<uint16_t>i, <uint16_t>(i + 8)):
            if (g.oflags[row] & OF_TOKEN and g.zone[row] != Z_BATTLEFIELD and g.zone[row] != Z_STACK
                    and g.id[row]):
                out[n] = row
                n += 1
        if n == g.h.n_tokens:
            break
    sort_by_timestamp(g, out, n)
    return n


cdef bint objects_pass(Game *g, bint tokens) noexcept nogil:
    """The part of one pass that concerns objects: one group (704.3, 704.8)."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t *paired = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t *loose = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.rows)
    cdef int n, i, m
    cdef int dying = 0
    cdef int ceasing = 0
    cdef int pairs = 0
    cdef int falling = 0
    cdef bint saved = False
    cdef uint16_t row
    n = collect(g, rows)
    for i in range(<int>g.lay.words):
        g.b_sba[i] = 0
    for i in range(n):
        row = rows[i]
        m = verdict(g, row)
        # CR 701.19b, 704.5g-h: instead of being destroyed.
        if (m == RULE_LETHAL or m == RULE_DEATHTOUCH) and regenerates(g, row):
            saved = True
            m = 0
        if m:
            rows[dying] = row
            to[dying] = Z_GRAVEYARD
            dying += 1
            trace(g, TR_SBA, m, g.defn[row], 0, 0, g.id[row])
            continue
        if g.c_p1p1[row] and g.c_m1m1[row]:
            paired[pairs] = row
            pairs += 1
        # A mark of deathtouch lasts for one check (704.5h).
        g.status[row] &= <uint8_t>~<int>ST_DEATHTOUCHED
        if (g.h.n_attached and has_bit(g.b_attached, row) and not g.status[row] & ST_PHASED_OUT
                and not sits(g, row)):
            loose[falling] = row
            falling += 1
    if dying == 0 and pairs == 0 and falling == 0 and not tokens:
        return saved
    if tokens:
        ceasing = lost_tokens(g, rows + dying)
        for i in range(ceasing):
            to[dying + i] = Z_NONE
        for i in range(ceasing):
            trace(g, TR_SBA, RULE_TOKEN, g.defn[rows[dying + i]], 0, 0, g.id[rows[dying + i]])
    # What leaves is recorded as it was before any of these actions (CR 704.8).
    if dying + ceasing:
        if not move_all(g, rows, to, dying + ceasing, TO_END, -1, False):
            return False
    elif not begin_event(g, 0):
        return False
    for i in range(pairs):
        row = paired[i]
        m = min(g.c_p1p1[row], g.c_m1m1[row])
        g.c_p1p1[row] -= <int16_t>m
        g.c_m1m1[row] -= <int16_t>m
        trace(g, TR_SBA, RULE_COUNTERS, g.defn[row], m, 0, g.id[row])
        changed(g, RD_COUNTERS)
        dirty(g, row)
        if heard(g, EV_COUNTERS_REMOVED):
            happened(g, EV_COUNTERS_REMOVED, row, g.id[row], 0, 0, g.controller[row], m, CK_P1P1)
            happened(g, EV_COUNTERS_REMOVED, row, g.id[row], 0, 0, g.controller[row], m, CK_M1M1)
    for i in range(falling):
        trace(g, TR_SBA, RULE_LOOSE, g.defn[loose[i]], 0, 0, g.id[loose[i]])
        unattach(g, loose[i])  # CR 704.5n, 704.5p
    return True


cdef bint players_pass(Game *g) noexcept nogil:
    """CR 704.5a-c: all who lose, lose together."""
    cdef int p
    cdef bint any = False
    cdef uint8_t why[8]
    for p in range(<int>g.lay.players):
        why[p] = 0
        if not in_game(g, p):
            continue
        if g.p_life[p] <= 0:
            why[p] = END_LIFE
        elif g.p_empty_draw[p]:
            why[p] = END_EMPTY_LIBRARY
        elif g.p_poison[p] >= 10:
            why[p] = END_POISON
        elif g.p_doomed[p]:
            why[p] = END_EFFECT  # CR 104.3e
        g.p_empty_draw[p] = 0
        g.p_doomed[p] = 0
        if why[p]:
            any = True
    if not any:
        return False
    g.h.tick += 1
    players_leave(g, why)
    look_for_end(g)
    return True


cdef void look_at_restless(Game *g) noexcept nogil:
    """Auras whose enchant ability asks for what no computed value tells: tapped, damaged, in combat, alone …"""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    for w in range(g.lay.words):
        bits = g.b_attached[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if face_of(g, g.defn[row]).flags & FACE_RESTLESS:
                look_at(g, row)


cdef bint check_sba(Game *g) noexcept nogil:
    """Perform state-based actions to the fixed point; true if any was performed."""
    cdef int what
    cdef bint any = False
    cdef bint more
    settle(g)
    if g.h.n_attached and g.h.watch & ASKS_HOST:
        look_at_restless(g)
    while g.h.sba and g.h.status == GS_RUNNING and not entering(g):
        what = g.h.sba
        g.h.sba = 0
        more = False
        if what & (SBA_OBJECTS | SBA_TOKENS):
            more = objects_pass(g, g.h.n_tokens > 0)
        if what & SBA_PLAYERS and g.h.status == GS_RUNNING:
            more |= players_pass(g)
        any |= more
        if g.h.shields >> EK_RETURN & 1:
            returns_due(g)
        settle(g)
    return any
