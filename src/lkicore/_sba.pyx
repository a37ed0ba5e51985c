"""State-based actions: all that apply at once, one group, again until none does (CR 704.3).

They look only at what has changed: players when life, poison or a draw did (`SBA_PLAYERS`), the rows of `b_sba`, tokens
off the battlefield.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._expr cimport can_die
from lkicore._game cimport in_game
from lkicore._guard cimport ctz64
from lkicore._history cimport log_event
from lkicore._layers cimport dirty, settle
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._players cimport look_for_end, players_leave
from lkicore._store cimport has_bit, trace
from lkicore._zones cimport TO_END, begin_event, cease, change_zone, record

cdef enum:
    MAX_GROUP = 18432
    RULE_LETHAL = 1
    RULE_TOUGHNESS = 2
    RULE_DEATHTOUCH = 3
    RULE_TOKEN = 4
    RULE_COUNTERS = 5


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


cdef int verdict(const Game *g, uint16_t row) noexcept nogil:
    """Which rule puts this permanent into the graveyard, 0 none."""
    if not g.types[row] & T_CREATURE or g.status[row] & ST_PHASED_OUT:
        return 0
    if g.toughness[row] <= 0:
        return RULE_TOUGHNESS  # CR 704.5f
    if not can_die(g, row):
        return 0
    if g.damage[row] >= g.toughness[row]:
        return RULE_LETHAL  # CR 704.5g
    if g.status[row] & ST_DEATHTOUCHED and g.damage[row] > 0:
        return RULE_DEATHTOUCH  # CR 704.5h
    return 0


cdef bint objects_pass(Game *g, bint tokens) noexcept nogil:
    """The part of one pass that concerns objects: one group (704.3, 704.8)."""
    cdef uint16_t rows[MAX_GROUP]
    cdef uint16_t gone[MAX_GROUP]
    cdef uint8_t why[MAX_GROUP]
    cdef int n = collect(g, rows)
    cdef int dying = 0
    cdef int ceasing = 0
    cdef int pairs = 0
    cdef int i, m
    cdef uint16_t row
    for i in range(<int>g.lay.words):
        g.b_sba[i] = 0
    for i in range(n):
        row = rows[i]
        m = verdict(g, row)
        if m:
            rows[dying] = row
            why[dying] = <uint8_t>m
            dying += 1
        elif g.c_p1p1[row] and g.c_m1m1[row]:
            gone[pairs] = row
            pairs += 1
        # A mark of deathtouch lasts for one check (704.5h).
        if not m:
            g.status[row] &= <uint8_t>~<int>ST_DEATHTOUCHED
    if dying == 0 and pairs == 0 and not tokens:
        return False
    if tokens:
        for i in range(1, <int>g.lay.rows):
            if g.id[i] and g.oflags[i] & OF_TOKEN and g.zone[i] != Z_BATTLEFIELD and g.zone[i] != Z_STACK:
                rows[dying + ceasing] = <uint16_t>i
                ceasing += 1
        sort_by_timestamp(g, rows + dying, ceasing)
    if not begin_event(g, dying + ceasing):
        return False
    for i in range(dying):
        record(g, rows[i], Z_GRAVEYARD)
        trace(g, TR_SBA, why[i], g.defn[rows[i]], 0, 0, g.id[rows[i]])
        log_event(g, H_DIED, g.controller[rows[i]], rows[i], g.id[rows[i]], 0, 0, 0)
    for i in range(ceasing):
        record(g, rows[dying + i], Z_NONE)
        trace(g, TR_SBA, RULE_TOKEN, g.defn[rows[dying + i]], 0, 0, g.id[rows[dying + i]])
    for i in range(dying):
        change_zone(g, rows[i], Z_GRAVEYARD, TO_END)
    for i in range(ceasing):
        cease(g, rows[dying + i])
    for i in range(pairs):
        row = gone[i]
        m = min(g.c_p1p1[row], g.c_m1m1[row])
        g.c_p1p1[row] -= <int16_t>m
        g.c_m1m1[row] -= <int16_t>m
        trace(g, TR_SBA, RULE_COUNTERS, g.defn[row], m, 0, g.id[row])
        dirty(g, row)
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
        g.p_empty_draw[p] = 0
        if why[p]:
            any = True
    if not any:
        return False
    g.h.tick += 1
    players_leave(g, why)
    look_for_end(g)
    return True


cdef bint check_sba(Game *g) noexcept nogil:
    """Perform state-based actions to the fixed point; true if any was performed."""
    cdef int what
    cdef bint any = False
    cdef bint more
    settle(g)
    while g.h.sba and g.h.status == GS_RUNNING:
        what = g.h.sba
        g.h.sba = 0
        more = False
        if what & (SBA_OBJECTS | SBA_TOKENS):
            more = objects_pass(g, g.h.n_tokens > 0)
        if what & SBA_PLAYERS and g.h.status == GS_RUNNING:
            more |= players_pass(g)
        any |= more
        settle(g)
    return any
