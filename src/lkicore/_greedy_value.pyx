"""Programs judged by what they would do now: instruction after instruction on a note of changes, never on the game.

Points are the controller's: what enemies lose and it gains. A spell is no more than its instructions, values, filters
and references; nothing here knows a card.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t

from lkicore._abilities cimport ability_of
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._combat cimport can_attack
from lkicore._entries cimport entry_of
from lkicore._expr cimport Ctx, may_target, passes, passes_player, plain_context
from lkicore._game cimport in_game
from lkicore._greedy_clash cimport (MAX_MODS, WIN, Mod, Mods, combat_value, face_worth, life_worth, loss_of, mod_find,
                                    worth_of)
from lkicore._layout cimport Game, Ref, StackEntry
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, zone_count, zone_first
from lkicore._types cimport FACE_PERMANENT, NONE16, WORDS, Face, Node, TargetSpec

cdef enum:
    CARD = 55         # points of a card in hand
    PLENTY = 5        # mana sources beyond which one more matters little


cdef void trial_begin(const Game *g, Trial *t, int controller, uint16_t source, int x, int share) noexcept nogil:
    t.mods.n = 0
    t.controller = controller
    t.source = source
    t.self_row = source
    t.x = x
    t.n = 0
    t.budget = BUDGET
    t.depth = 0
    t.answer = -1
    t.threat = 0
    t.combat = g.h.step == STEP_DECLARE_BLOCKERS and g.h.n_attackers > 0
    t.combat_before = 0
    t.share = share
    if t.combat:
        t.combat_before = combat_value(g, controller, &t.mods, share)


cdef inline void context(const Game *g, const Trial *t, Ctx *c) noexcept nogil:
    """The context that filters look at."""
    plain_context(g, t.source, g.id[t.source], t.controller, c)
    c.self_row = t.self_row
    c.self_id = g.id[t.self_row]


cdef Mod *mod_of(Trial *t, uint16_t row) noexcept nogil:
    """The note on a permanent, made if there is none; NULL when there is no more room."""
    cdef Mod *m = mod_find(&t.mods, row)
    if m != NULL or t.mods.n == MAX_MODS:
        return m
    m = &t.mods.m[t.mods.n]
    t.mods.n += 1
    m.row = row
    m.keywords = 0
    m.power = 0
    m.toughness = 0
    m.damage = 0
    m.gone = 0
    return m


cdef inline bint is_gone(const Trial *t, uint16_t row) noexcept nogil:
    cdef Mod *m = mod_find(&t.mods, row)
    return m != NULL and m.gone


# ------------------------------------------------------------------------------------------------ references, values

cdef uint16_t object_of(const Game *g, const Trial *t, int ref) noexcept nogil:
    """Row of the one object of a reference, 0 none."""
    cdef const Node *n = &g.cards.refs[ref]
    if n.op == R_SOURCE:
        return t.source
    if n.op == R_TARGET and n.a < t.n and n.a < MAX_TARGETS and t.player[n.a] < 0:
        return t.row[n.a]
    return 0


cdef int players_of(const Game *g, const Trial *t, int ref) noexcept nogil:
    """Bit set of the players of a reference."""
    cdef const Node *n = &g.cards.refs[ref]
    cdef uint16_t row
    if n.op == R_YOU:
        return 1 << t.controller
    if n.op == R_TARGET:
        return 1 << t.player[n.a] if n.a < t.n and n.a < MAX_TARGETS and t.player[n.a] >= 0 else 0
    if n.op == R_EACH_PLAYER:
        return g.h.alive
    if n.op == R_EACH_OPPONENT:
        return g.h.alive & ~(1 << t.controller)
    if n.op == R_CONTROLLER_OF or n.op == R_OWNER_OF:
        row = object_of(g, t, n.a)
        if row:
            return 1 << (g.controller[row] if n.op == R_CONTROLLER_OF else g.owner[row])
    return 0


cdef int number(Game *g, const Trial *t, int node) noexcept nogil:
    """A value as it would be now."""
    cdef const Node *n = &g.cards.values[node]
    cdef uint16_t row
    cdef Ctx c
    cdef Mod *m
    cdef int a, b
    if n.op == V_CONST:
        return n.a
    if n.op == V_X:
        return t.x
    if n.op == V_POWER or n.op == V_TOUGHNESS or n.op == V_MANA_VALUE or n.op == V_COUNTERS:
        row = object_of(g, t, n.a)
        if row == 0:
            return 0
        m = mod_find(&t.mods, row)
        if n.op == V_POWER:
            return g.power[row] + (m.power if m != NULL else 0)
        if n.op == V_TOUGHNESS:
            return g.toughness[row] + (m.toughness if m != NULL else 0)
        if n.op == V_MANA_VALUE:
            return g.cards.faces[g.defn[row]].mv
        if n.b == CK_P1P1:
            return g.c_p1p1[row]
        if n.b == CK_M1M1:
            return g.c_m1m1[row]
        return g.c_loyalty[row] if n.b == CK_LOYALTY else g.c_charge[row]
    if n.op == V_COUNT:
        context(g, t, &c)
        a = 0
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if passes(g, &c, n.a, row):
                a += 1
            row = g.znext[row]
        return a
    if n.op == V_HAND_SIZE or n.op == V_LIFE:
        a = players_of(g, t, n.a)
        for b in range(<int>g.lay.players):
            if a >> b & 1:
                return g.p_life[b] if n.op == V_LIFE else zone_count(g, Z_HAND, b)
        return 0
    if n.op < V_ADD or n.op > V_MAX:
        return 0
    a = number(g, t, n.a)
    b = number(g, t, n.b)
    if n.op == V_ADD:
        return a + b
    if n.op == V_SUB:
        return a - b
    if n.op == V_MUL:
        return a * b
    if n.op == V_MIN:
        return min(a, b)
    return max(a, b)


# ------------------------------------------------------------------------------------------------ effects on one thing

cdef inline int side(const Game *g, const Trial *t, uint16_t row) noexcept nogil:
    """1: its loss is the controller's gain."""
    return -1 if g.controller[row] == t.controller else 1


cdef int remove(const Game *g, Trial *t, uint16_t row, int percent) noexcept nogil:
    """It leaves the battlefield."""
    cdef Mod *m = mod_of(t, row)
    if m != NULL:
        if m.gone:
            return 0
        m.gone = 1
    return side(g, t, row) * worth_of(g, row) * percent // 100


cdef int hurt(const Game *g, Trial *t, uint16_t row, int n, uint64_t by) noexcept nogil:
    """Damage to a permanent: it dies, or it is nearer to it in this combat."""
    cdef Mod *m
    cdef int left
    if n <= 0 or g.zone[row] != Z_BATTLEFIELD:
        return 0
    if g.types[row] & T_PLANESWALKER and not g.types[row] & T_CREATURE:
        if n >= g.c_loyalty[row]:
            return remove(g, t, row, 100)
        return side(g, t, row) * 8 * n
    if not g.types[row] & T_CREATURE:
        return 0
    m = mod_of(t, row)
    if m == NULL or m.gone:
        return 0
    m.damage += n
    left = g.toughness[row] - g.damage[row] + m.toughness - m.damage
    if (left <= 0 or by & K_DEATHTOUCH) and not (g.keywords[row] | m.keywords) & K_INDESTRUCTIBLE:
        return remove(g, t, row, 100)
    return 0


cdef int grow(const Game *g, Trial *t, uint16_t row, int power, int toughness, uint64_t keywords,
              bint lasting) noexcept nogil:
    """Power and toughness, until end of turn or for good. What it means in combat is looked at afterwards."""
    cdef Mod *m
    if not g.types[row] & T_CREATURE or g.zone[row] != Z_BATTLEFIELD:
        return 0
    m = mod_of(t, row)
    if m == NULL or m.gone:
        return 0
    m.power += power
    m.toughness += toughness
    m.keywords |= keywords
    if g.toughness[row] - g.damage[row] + m.toughness - m.damage <= 0:
        return remove(g, t, row, 100)
    if lasting:
        return -side(g, t, row) * (18 * power + 12 * toughness)
    return 0


cdef int tapping(const Game *g, const Trial *t, uint16_t row, bint to_tapped) noexcept nogil:
    """An enemy creature that can't block in our attack, or can't attack; our own one that can again."""
    cdef bint tapped = g.status[row] & ST_TAPPED
    cdef int n
    if tapped == to_tapped:
        return 0
    n = 12 if not g.types[row] & T_CREATURE else worth_of(g, row) // 5
    if to_tapped:
        if g.controller[row] == t.controller:
            return -n - 5
        # Worth something before attackers or blockers are declared, and not for itself.
        return n if g.h.step <= STEP_BEGIN_COMBAT and g.types[row] & T_CREATURE else 0
    return n // 2 if g.controller[row] == t.controller else -n - 5


cdef int to_player(const Game *g, Trial *t, int p, int n) noexcept nogil:
    """A player loses life."""
    cdef int v
    if n <= 0 or not in_game(g, p):
        return 0
    v = loss_of(g.p_life[p], n)
    return -v if p == t.controller else v


cdef int lands_of(const Game *g, int player) noexcept nogil:
    """Mana sources, tapped or not."""
    cdef int n = 0
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.controller[row] == player and g.mana[row]:
            n += 1
        row = g.znext[row]
    return n


cdef int drawing(const Game *g, int p, int n) noexcept nogil:
    """Points of drawing for the player who does."""
    cdef int room = g.p_hand_max[p] + 1 - zone_count(g, Z_HAND, p)
    if n >= zone_count(g, Z_LIBRARY, p):
        return -WIN
    if n > room:
        n = (n + max(room, 0)) // 2
    return CARD * n


# ------------------------------------------------------------------------------------------------ programs

cdef int apply_changes(Game *g, Trial *t, const int32_t *w, uint16_t row, int x, int y, bint each) noexcept nogil:
    """A continuous effect on one object."""
    cdef const Node *n
    cdef int power = 0
    cdef int toughness = 0
    cdef int total = 0
    cdef int i
    cdef uint64_t keywords = 0
    for i in range(w[3]):
        n = &g.cards.changes[w[2] + i]
        if n.op == X_ADD_PT:
            power += changed_by(g, t, n.a, x, y)
            toughness += changed_by(g, t, n.b, x, y)
        elif n.op == X_ADD_KEYWORDS:
            keywords |= <uint64_t><uint32_t>n.a | <uint64_t><uint32_t>n.b << 32
    total = grow(g, t, row, power, toughness, keywords, w[6] == D_PERMANENT)
    if each and not t.combat and g.h.step == STEP_MAIN1 and t.controller == g.h.active and \
            g.controller[row] == t.controller and can_attack(g, row):
        total += 10 * power
    return total


cdef inline int changed_by(Game *g, const Trial *t, int node, int x, int y) noexcept nogil:
    if node == -1:
        return x
    return y if node == -2 else number(g, t, node)


cdef int on_objects(Game *g, Trial *t, const int32_t *w, int ref, int number_, int second) noexcept nogil:
    """One instruction on each object of a reference."""
    cdef const Node *n = &g.cards.refs[ref]
    cdef Ctx c
    cdef uint16_t row
    cdef uint16_t source
    cdef bint each = n.op == R_EACH
    cdef int total = 0
    if each:
        context(g, t, &c)
        row = zone_first(g, Z_BATTLEFIELD, 0)
    else:
        row = object_of(g, t, ref)
    while row:
        if not each or passes(g, &c, n.a, row):
            if w[0] == E_DAMAGE:
                source = object_of(g, t, w[1])
                total += hurt(g, t, row, number_, g.keywords[source] if source else 0)
            elif w[0] == E_DESTROY:
                if not g.keywords[row] & K_INDESTRUCTIBLE:
                    total += remove(g, t, row, 100)
            elif w[0] == E_EXILE:
                total += remove(g, t, row, 105)
            elif w[0] == E_RETURN:
                total += remove(g, t, row, 100 if g.oflags[row] & OF_TOKEN else 45)
            elif w[0] == E_TAP or w[0] == E_UNTAP:
                total += tapping(g, t, row, w[0] == E_TAP)
            elif w[0] == E_APPLY:
                total += apply_changes(g, t, w, row, number_, second, each)
            elif w[0] == E_COUNTERS:
                if w[2] == CK_P1P1:
                    total += grow(g, t, row, number_, number_, 0, True)
                elif w[2] == CK_M1M1:
                    total += grow(g, t, row, -number_, -number_, 0, True)
                elif g.controller[row] == t.controller:
                    total += 10 * number_
        if not each:
            break
        row = g.znext[row]
    return total


cdef int on_players(Game *g, Trial *t, const int32_t *w, int n) noexcept nogil:
    """One instruction on each player of a reference."""
    cdef int mask = players_of(g, t, w[1])
    cdef int total = 0
    cdef int p, v
    for p in range(<int>g.lay.players):
        if not mask >> p & 1 or not in_game(g, p):
            continue
        v = 0
        if w[0] == E_DRAW:
            v = drawing(g, p, n)
        elif w[0] == E_DISCARD:
            v = -45 * min(n, zone_count(g, Z_HAND, p))
        elif w[0] == E_GAIN_LIFE:
            v = life_worth(g.p_life[p] + n) - life_worth(g.p_life[p]) if n > 0 else 0
        elif w[0] == E_LOSE_LIFE:
            v = -loss_of(g.p_life[p], n)
        elif w[0] == E_TOKEN:
            v = n * face_worth(&g.cards.faces[w[3]], 0)
        elif w[0] == E_MILL:
            v = -WIN // 4 if n >= zone_count(g, Z_LIBRARY, p) else -n
        elif w[0] == E_SEARCH_LAND:
            v = 70 if lands_of(g, p) < PLENTY else 15
        total += v if p == t.controller else -v
    return total


cdef int gain(Game *g, Trial *t, int program) noexcept nogil:
    """Points of a program with the targets chosen."""
    cdef const int32_t *w
    cdef int total = 0
    cdef int i, n, op, p, mask
    cdef uint16_t a, b
    cdef uint64_t ka
    if program < 0:
        return 0
    w = &g.cards.code[program]
    while w[0] != E_END:
        op = w[0]
        if op == E_DAMAGE:
            n = number(g, t, w[3])
            if g.cards.refs[w[2]].op == R_EACH or object_of(g, t, w[2]):
                total += on_objects(g, t, w, w[2], n, 0)
            else:
                mask = players_of(g, t, w[2])
                for p in range(<int>g.lay.players):
                    if mask >> p & 1:
                        total += to_player(g, t, p, n)
            a = object_of(g, t, w[1])
            if a and n > 0 and g.keywords[a] & K_LIFELINK:
                total += life_worth(g.p_life[t.controller] + n) - life_worth(g.p_life[t.controller])
        elif op == E_APPLY:
            total += on_objects(g, t, w, w[1], number(g, t, w[4]) if w[4] >= 0 else 0,
                                number(g, t, w[5]) if w[5] >= 0 else 0)
        elif op == E_COUNTERS:
            total += on_objects(g, t, w, w[1], number(g, t, w[3]), 0)
        elif op == E_DESTROY or op == E_EXILE or op == E_RETURN or op == E_TAP or op == E_UNTAP:
            total += on_objects(g, t, w, w[1], 0, 0)
        elif op == E_FIGHT:
            a = object_of(g, t, w[1])
            b = object_of(g, t, w[2])
            if a and b and not is_gone(t, a) and not is_gone(t, b):
                n = g.power[a] + (mod_find(&t.mods, a).power if mod_find(&t.mods, a) != NULL else 0)
                p = g.power[b] + (mod_find(&t.mods, b).power if mod_find(&t.mods, b) != NULL else 0)
                ka = g.keywords[b]
                total += hurt(g, t, b, n, g.keywords[a])
                total += hurt(g, t, a, p, ka)
        elif op == E_COUNTER:
            a = object_of(g, t, w[1])
            if a and g.zone[a] == Z_STACK:
                i = entry_of(g, a)
                if i >= 0:
                    if g.stack[i].controller == t.controller:
                        total -= 60
                    elif t.depth:
                        total += 40
                    else:
                        total += max(entry_gain(g, i, NULL, NULL), 15)
        elif op == E_DRAW or op == E_DISCARD or op == E_GAIN_LIFE or op == E_LOSE_LIFE or op == E_TOKEN or op == E_MILL:
            total += on_players(g, t, w, number(g, t, w[2]))
        elif op == E_SEARCH_LAND:
            total += on_players(g, t, w, 1)
        w += WORDS
    if t.combat and t.mods.n:
        total += combat_value(g, t.controller, &t.mods, t.share) - t.combat_before
    return total


cdef int best_gain(Game *g, Trial *t, int program, int first, int n) noexcept nogil:
    """Points with the best choice of the targets not chosen yet; the trial is left with no such choice in it."""
    cdef const TargetSpec *s
    cdef Ctx c
    cdef int best = -WIN * 4
    cdef int k, v, p
    cdef int mods = t.mods.n
    cdef uint16_t row
    if t.n >= n or t.n >= MAX_TARGETS:
        t.budget -= 1
        v = gain(g, t, program)
        if t.answer >= 0 and not has_effect(g, program, E_COUNTER):
            p = t.threat - entry_gain(g, t.answer, &t.mods, NULL)
            v += p if p > 0 else -WIN
        t.mods.n = mods
        return v
    k = t.n
    s = &g.cards.targets[first + k]
    context(g, t, &c)
    t.n = k + 1
    if s.players:
        for p in range(<int>g.lay.players):
            if in_game(g, p) and passes_player(g, &c, s.filter, p):
                t.player[k] = p
                v = best_gain(g, t, program, first, n)
                if v > best:
                    best = v
    if s.objects:
        t.player[k] = -1
        for p in range(<int>g.lay.players if s.zone == Z_GRAVEYARD else 1):
            row = zone_first(g, s.zone, p)
            while row and t.budget > 0:
                if row != t.self_row and may_target(g, &c, row) and passes(g, &c, s.filter, row):
                    t.row[k] = row
                    t.player[k] = -1
                    v = best_gain(g, t, program, first, n)
                    if v > best:
                        best = v
                row = g.znext[row]
    t.n = k
    return best


cdef int spell_gain(Game *g, uint16_t face, Trial *t) noexcept nogil:
    """Points of a spell of this face with its best targets."""
    cdef const Face *f = &g.cards.faces[face]
    cdef int v, n
    if not f.flags & FACE_PERMANENT:
        return best_gain(g, t, f.program, f.first_target, f.n_targets)
    v = face_worth(f, 0)
    if f.mana:
        n = lands_of(g, t.controller)
        v += 15 * (PLENTY - n) if n < PLENTY else -10
    if f.keywords & K_HASTE:
        v += 6 * f.power
    return v


cdef int entry_gain(Game *g, int entry, const Mods *mods, Mods *after) noexcept nogil:
    """Points for its controller of what is on the stack, with changes assumed before it resolves."""
    cdef StackEntry *e = &g.stack[entry]
    cdef const Face *f = &g.cards.faces[e.face]
    cdef Trial t
    cdef Ref *r
    cdef int i
    cdef int program = f.program
    if after != NULL:
        after.n = 0
    if e.ability == NONE16 and f.flags & FACE_PERMANENT:
        return face_worth(f, 0)
    trial_begin(g, &t, e.controller, e.row if e.ability == NONE16 else e.source_row, e.x, 100)
    t.depth = 1
    t.self_row = e.row
    if e.ability != NONE16:
        program = ability_of(g, e.ability).program
    t.n = min(chunk_len(g, e.targets), <int>MAX_TARGETS)
    for i in range(t.n):
        r = &chunk_refs(g, e.targets)[i]
        t.player[i] = r.row if r.kind == RK_PLAYER else -1
        t.row[i] = 0
        if r.kind == RK_OBJECT and is_live(g, r.row, r.id):
            t.row[i] = r.row
    if mods != NULL:
        t.mods = mods[0]
        for i in range(t.n):
            if t.player[i] < 0 and t.row[i] and is_gone(&t, t.row[i]):
                t.row[i] = 0
    if t.combat and t.mods.n:
        t.combat_before = combat_value(g, t.controller, &t.mods, t.share)
    i = gain(g, &t, program)
    if after != NULL:
        after[0] = t.mods
    return i


# ------------------------------------------------------------------------------------------------ kinds of programs

cdef bint has_effect(const Game *g, int program, int op) noexcept nogil:
    cdef const int32_t *w
    if program < 0:
        return False
    w = &g.cards.code[program]
    while w[0] != E_END:
        if w[0] == op:
            return True
        w += WORDS
    return False


cdef int keep_worth(const Game *g, int program) noexcept nogil:
    """Points of a spell kept for a better day: removal and tricks find better uses, drawing does not."""
    cdef const int32_t *w
    cdef const Node *n
    cdef int keep = 0
    if program < 0:
        return 0
    w = &g.cards.code[program]
    while w[0] != E_END:
        if w[0] == E_DESTROY or w[0] == E_EXILE:
            keep += 65
        elif w[0] == E_DAMAGE:
            n = &g.cards.values[w[3]]
            keep += min(15 * n.a, 55) if n.op == V_CONST else 45
        elif w[0] == E_FIGHT or w[0] == E_RETURN or w[0] == E_COUNTER:
            keep += 40
        elif w[0] == E_APPLY:
            keep += 30
        elif w[0] == E_TAP:
            keep += 15
        w += WORDS
    return keep


cdef int face_damage(Game *g, int program, int controller, int victim, int x, int first, int n) noexcept nogil:
    """Damage and loss of life that a program can cause a player as its one target, or without a target."""
    cdef const int32_t *w
    cdef const TargetSpec *s
    cdef Trial t
    cdef Ctx c
    cdef int total = 0
    if program < 0 or n > 1:
        return 0
    t.mods.n = 0
    t.controller = controller
    t.source = 0
    t.self_row = 0
    t.x = x
    t.n = 0
    if n == 1:
        s = &g.cards.targets[first]
        context(g, &t, &c)
        if s.players and passes_player(g, &c, s.filter, victim):
            t.n = 1
            t.player[0] = victim
            t.row[0] = 0
    w = &g.cards.code[program]
    while w[0] != E_END:
        if w[0] == E_DAMAGE and players_of(g, &t, w[2]) >> victim & 1:
            total += number(g, &t, w[3])
        elif w[0] == E_LOSE_LIFE and players_of(g, &t, w[1]) >> victim & 1:
            total += number(g, &t, w[2])
        w += WORDS
    return total
