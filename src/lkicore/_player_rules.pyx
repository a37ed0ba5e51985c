"""Facts of players: maximum hand size, land plays, hexproof, what they can't do (CR 613.10, 613.11).

Static abilities with changes of players and effects with a duration are applied in timestamp order once the values of
objects are computed. `h.rules` says whether there are any; without them nothing is asked.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._changes cimport number
from lkicore._expr cimport Ctx, holds, passes_facts, passes_player, plain_context, read_facts
from lkicore._game cimport in_game
from lkicore._guard cimport ctz64
from lkicore._layout cimport Effect, Game
from lkicore._store cimport touched
from lkicore._types cimport Ability, LAYER_PLAYERS, Node

cdef enum:
    MOST_SOURCES = 256    # objects with such abilities; more are not looked at
    MOST_LANDS = 200


cdef int sources(const Game *g, uint16_t *rows) noexcept nogil:
    """Objects that may have such static abilities, by timestamp."""
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t row
    cdef int n = 0
    cdef int k
    for w in range(g.lay.words):
        bits = g.b_static[w]
        while bits and n < MOST_SOURCES:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if g.status[row] & ST_PHASED_OUT:
                continue
            k = n
            while k > 0 and g.timestamp[rows[k - 1]] > g.timestamp[row]:
                rows[k] = rows[k - 1]
                k -= 1
            rows[k] = row
            n += 1
    return n


cdef void change_player(Game *g, int p, const Node *x, int v) noexcept nogil:
    """One change of one player; `v`: its number."""
    if x.op == X_PLAYER_FACTS:
        g.p_facts[p] |= <uint32_t>x.a
    elif x.op == X_PROTECT_PLAYER:
        g.p_facts[p] |= PY_PLAYER_PROTECTION
    elif x.op == X_LAND_PLAYS:
        g.p_land_max[p] = <uint8_t>max(0, min(<int>MOST_LANDS, g.p_land_max[p] + v))
    elif x.op == X_HAND_SIZE:
        g.p_hand_max[p] = <uint16_t>max(0, min(<int>NO_LIMIT - 1, v))
    elif x.op == X_ADD_HAND_SIZE and g.p_hand_max[p] != NO_LIMIT:
        g.p_hand_max[p] = <uint16_t>max(0, min(<int>NO_LIMIT - 1, g.p_hand_max[p] + v))
    if g.p_facts[p] & PY_NO_MAXIMUM_HAND_SIZE:
        g.p_hand_max[p] = NO_LIMIT  # CR 402.2: an effect that says a size later doesn't matter


cdef bint apply_abilities(Game *g, uint16_t row) noexcept nogil:
    """The static abilities of one object; true if it has one about players."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = abilities_of(g, row, list)
    cdef const Ability *a
    cdef const Node *x
    cdef Ctx c
    cdef bint any = False
    cdef int i, k, p
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind != AB_STATIC or not a.layers >> LAYER_PLAYERS & 1 or not a.zones >> g.zone[row] & 1:
            continue
        any = True
        plain_context(g, row, g.id[row], g.controller[row], &c)
        c.it_row = row
        c.it_id = g.id[row]
        c.live_only = 1
        if not holds(g, &c, a.condition):
            continue
        for p in range(<int>g.lay.players):
            if not in_game(g, p) or not passes_player(g, &c, a.filter, p):
                continue
            for k in range(a.n_changes):
                x = &g.cards.changes[a.first_change + k]
                change_player(g, p, x, number(g, &c, x.a) if x.op == X_LAND_PLAYS or x.op == X_HAND_SIZE
                              or x.op == X_ADD_HAND_SIZE else 0)
    return any


cdef void apply_effect(Game *g, const Effect *e) noexcept nogil:
    """What a resolved spell or ability says of a player: its numbers are locked in (CR 608.2h)."""
    cdef const Node *x
    cdef int k
    for k in range(e.n):
        x = &g.cards.changes[e.what + k]
        change_player(g, e.affected_row, x, e.x if x.a == -1 else e.y if x.a == -2
                      else g.cards.values[x.a].a if x.op == X_LAND_PLAYS or x.op == X_HAND_SIZE
                      or x.op == X_ADD_HAND_SIZE else 0)


cdef bint facts_anew(Game *g) noexcept nogil:
    cdef uint16_t rows[MOST_SOURCES]
    cdef uint32_t before[8]
    cdef uint32_t lands[8]
    cdef int i = 0
    cdef int p
    cdef uint32_t k
    cdef int n = sources(g, rows)
    cdef bint any = False
    cdef bint other = False
    for p in range(<int>g.lay.players):
        before[p] = g.p_facts[p]
        lands[p] = g.p_land_max[p]
        if in_game(g, p):
            g.p_facts[p] = 0
            g.p_hand_max[p] = USUAL_HAND
            g.p_land_max[p] = 1
    for k in range(g.h.n_effects + 1):
        if k < g.h.n_effects and g.effect[k].kind != EK_PLAYER:
            continue
        while i < n and (k == g.h.n_effects or g.timestamp[rows[i]] < g.effect[k].timestamp):
            any |= apply_abilities(g, rows[i])
            i += 1
        if k < g.h.n_effects:
            any = True
            if in_game(g, g.effect[k].affected_row):
                apply_effect(g, &g.effect[k])
    g.h.player_facts = 0
    for p in range(<int>g.lay.players):
        if not in_game(g, p):
            continue
        if g.p_facts[p] & PY_CITYS_BLESSING:
            g.p_marks[p] |= PM_CITYS_BLESSING  # CR 702.131c: for the rest of the game
        if g.p_marks[p] & PM_CITYS_BLESSING:
            g.p_facts[p] |= PY_CITYS_BLESSING
        if g.p_marks[p] & PM_COMPLETED_DUNGEON:
            g.p_facts[p] |= PY_COMPLETED_DUNGEON
        g.h.player_facts |= g.p_facts[p]
        if before[p] & ~g.p_facts[p] & (PY_CANT_LOSE_GAME | PY_KEEPS_AT_ZERO_LIFE):
            g.h.sba |= SBA_PLAYERS  # what kept the player in the game does so no more
        other |= before[p] != g.p_facts[p]
        if before[p] != g.p_facts[p] or lands[p] != g.p_land_max[p]:
            touched(g)
    g.h.rules = any or (g.h.player_facts & (PY_CITYS_BLESSING | PY_COMPLETED_DUNGEON)) != 0
    return other


# ------------------------------------------------------------------------------------------------ protection

cdef bint guards(Game *g, const Ctx *c, int first, int n, const Facts *source) noexcept nogil:
    cdef const Node *x
    cdef int k
    for k in range(n):
        x = &g.cards.changes[first + k]
        if x.op == X_PROTECT_PLAYER and passes_facts(g, c, ability_of(g, x.a).filter, source):
            return True
    return False


cdef bint player_guarded(Game *g, int player, const Facts *source) noexcept nogil:
    cdef uint16_t rows[MOST_SOURCES]
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef uint32_t i
    cdef int k, m, n
    if not g.p_facts[player] & PY_PLAYER_PROTECTION:
        return False
    for i in range(g.h.n_effects):
        if g.effect[i].kind == EK_PLAYER and g.effect[i].affected_row == player:
            plain_context(g, g.effect[i].source_row, g.effect[i].source_id, player, &c)
            if guards(g, &c, g.effect[i].what, g.effect[i].n, source):
                return True
    n = sources(g, rows)
    for k in range(n):
        m = abilities_of(g, rows[k], list)
        while m:
            m -= 1
            a = ability_of(g, list[m])
            if a.kind != AB_STATIC or not a.layers >> LAYER_PLAYERS & 1 or not a.zones >> g.zone[rows[k]] & 1:
                continue
            plain_context(g, rows[k], g.id[rows[k]], g.controller[rows[k]], &c)
            if (passes_player(g, &c, a.filter, player) and holds(g, &c, a.condition)
                    and guards(g, &c, a.first_change, a.n_changes, source)):
                return True
    return False


cdef bint player_open(Game *g, int player, int controller, uint16_t source_row, uint32_t source_id) noexcept nogil:
    cdef uint32_t facts = g.p_facts[player]
    cdef Facts source
    if not facts & CLOSED:
        return True
    if facts & PY_PLAYER_SHROUD or (facts & PY_PLAYER_HEXPROOF and controller != player):
        return False
    return not (facts & PY_PLAYER_PROTECTION and read_facts(g, source_row, source_id, P_LEGALITY, &source)
                and player_guarded(g, player, &source))
