"""References and values of a spell or ability that is only being thought about.

Its targets stand in the trial and not on the stack, what it has changed so far stands in a note; all else is asked of
the engine, with the context that the spell or ability would have. Cards that its player can't see are counted, never
looked at.
"""
from libc.stdint cimport int16_t, uint16_t, uint8_t
from libc.string cimport memset

from lkicore._allowed cimport part_of
from lkicore._casting cimport spell_of_entry
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._defs cimport face_of
from lkicore._entries cimport entry_context, event_context
from lkicore._expr cimport Obj, passes, passes_player, plain_context, ref_objects, ref_players, value
from lkicore._greedy_clash cimport MAX_MODS, Mod, combat_value, mod_find
from lkicore._guard cimport on_stack
from lkicore._layout cimport Frame, Game, Ref, StackEntry
from lkicore._opcodes cimport *
from lkicore._store cimport HIDDEN_ZONES, is_live, zone_count, zone_first
from lkicore._types cimport NONE16, Node


cdef void combat_anew(const Game *g, Trial *t) noexcept nogil:
    t.combat_before = combat_value(g, t.controller, &t.s.mods, t.share) if t.combat else 0


cdef void trial_begin(const Game *g, Trial *t, int controller, uint16_t source, int x, int share) noexcept nogil:
    plain_context(g, source, g.id[source], controller, &t.c)
    t.c.x = <int16_t>x
    t.s.mods.n = 0
    t.s.result = 0
    t.s.n_moved = 0
    t.s.n_picked = 0
    t.s.picked_player = -1
    t.s.fog = False
    t.controller = controller
    t.source = source
    t.host = 0
    if g.attached_id[source] and is_live(g, g.attached_row[source], g.attached_id[source]):
        t.host = g.attached_row[source]
    t.x = x
    t.n = 0
    t.budget = BUDGET
    t.depth = 0
    t.answer = -1
    t.threat = 0
    t.kick = -1
    t.paid = 0
    t.doomed = NULL
    t.spell = g.zone[source] == Z_HAND or g.zone[source] == Z_STACK
    t.within = False
    t.combat = share >= 0 and g.h.step == STEP_DECLARE_BLOCKERS and g.h.n_attackers > 0
    t.share = share
    combat_anew(g, t)


cdef void take_targets(const Game *g, Trial *t, uint16_t list, int base, int n) noexcept nogil:
    """Targets of the specifications from `base` on."""
    cdef Ref *r
    cdef int i
    t.n = 0
    for i in range(chunk_len(g, list)):
        r = &chunk_refs(g, list)[i]
        if not base <= r.flags >> 1 < base + n or r.flags & RF_ILLEGAL or t.n == MAX_TARGETS:
            continue
        t.player[t.n] = r.row if r.kind == RK_PLAYER else -1
        t.row[t.n] = r.row if r.kind == RK_OBJECT and is_live(g, r.row, r.id) else 0
        t.spec[t.n] = <uint8_t>((r.flags >> 1) - base)
        t.n += 1


cdef int base_of(const Game *g, int ability, uint16_t info, int part) noexcept nogil:
    cdef int n = 0
    cdef int k
    for k in range(part):
        n += part_of(g, ability, info, k).n_targets
    return n


cdef void trial_of_entry(const Game *g, Trial *t, int entry, int part) noexcept nogil:
    cdef StackEntry *e = &g.stack[entry]
    cdef uint16_t source = e.row
    cdef int ability = e.ability if e.ability != NONE16 else spell_of_entry(g, <int>(e - g.stack))
    cdef int i
    cdef uint16_t info = g.extra[e.row]
    cdef Ref *r
    if e.ability != NONE16:
        source = e.source_row if is_live(g, e.source_row, e.source_id) else 0
    trial_begin(g, t, e.controller, source, e.x, 100)
    entry_context(g, entry, &t.c)
    if ability != NONE16:
        take_targets(g, t, e.targets, base_of(g, ability, info, part), part_of(g, ability, info, part).n_targets)
    for i in range(chunk_len(g, info)):
        r = &chunk_refs(g, info)[i]
        if r.kind == RK_MOVED and t.s.n_moved < FEW and is_live(g, r.row, r.id):
            t.s.moved[t.s.n_moved] = r.row
            t.s.n_moved += 1
        elif r.kind == RK_PICKED and t.s.n_picked < FEW and is_live(g, r.row, r.id):
            t.s.picked[t.s.n_picked] = r.row
            t.s.n_picked += 1
        elif r.kind == RK_PICKED_PLAYER:
            t.s.picked_player = r.row


cdef void trial_of_frame(Game *g, Trial *t, const Frame *f, int part) noexcept nogil:
    cdef uint16_t source = f.obj_row if is_live(g, f.obj_row, f.obj_id) else 0
    trial_begin(g, t, f.player, source, f.a, 100)
    t.c.source_row = f.obj_row
    t.c.source_id = f.obj_id
    t.spell = f.kind == F_CAST
    if f.kind == F_TRIGGER:
        event_context(g, f.info, &t.c)
    if f.b >= 0:
        take_targets(g, t, f.list, base_of(g, f.b, f.info, part), part_of(g, f.b, f.info, part).n_targets)


cdef Mod *mod_of(Trial *t, uint16_t row) noexcept nogil:
    """The note on a permanent, made if there is none; NULL when there is no more room."""
    cdef Mod *m = mod_find(&t.s.mods, row)
    if m != NULL or t.s.mods.n == MAX_MODS:
        return m
    m = &t.s.mods.m[t.s.mods.n]
    t.s.mods.n += 1
    memset(m, 0, sizeof(Mod))
    m.row = row
    return m


# ------------------------------------------------------------------------------------------------ references

cdef int asked(Game *g, Trial *t, int ref, uint16_t *rows) noexcept nogil:
    """What the engine says that a reference means."""
    cdef Obj *obj = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef int policy = 0
    cdef int n = ref_objects(g, &t.c, ref, obj, &policy)
    cdef int k = 0
    cdef int i
    for i in range(n):
        if k < MANY and is_live(g, obj[i].row, obj[i].id):
            rows[k] = obj[i].row
            k += 1
    return k


cdef int objects(Game *g, Trial *t, int ref, uint16_t *rows) noexcept nogil:
    """The objects of a reference that are there; `rows` holds MANY."""
    cdef const Node *n = &g.cards.refs[ref]
    cdef int op = n.op
    cdef int k = 0
    cdef int i
    cdef uint16_t row
    if op == R_SOURCE:
        rows[0] = t.source
        return 1 if t.source else 0
    if op == R_TARGET or op == R_TARGETS:
        for i in range(t.n):
            if t.spec[i] != n.a:
                continue
            if t.player[i] < 0 and t.row[i]:
                rows[k] = t.row[i]
                k += 1
            if op == R_TARGET:
                break
        return k
    if op == R_EACH:
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row and k < MANY:
            if passes(g, &t.c, n.a, row):
                rows[k] = row
                k += 1
            row = g.znext[row]
        return k
    if op == R_MOVED:
        for i in range(t.s.n_moved):
            rows[i] = t.s.moved[i]
        return t.s.n_moved
    if op == R_PICKED:
        for i in range(t.s.n_picked):
            rows[i] = t.s.picked[i]
        return t.s.n_picked
    if op == R_HOST:
        rows[0] = t.host
        return 1 if t.host else 0
    if op == R_PAID and t.paid:
        rows[0] = t.paid
        return 1
    if op == R_CONTROLLER_OF or op == R_OWNER_OF or op == R_YOU or op == R_EACH_PLAYER or op == R_EACH_OPPONENT \
            or op == R_EVENT_PLAYER or op == R_ACTIVE_PLAYER or op == R_DEFENDING_PLAYER \
            or op == R_CHOSEN_PLAYER or op == R_HOST_PLAYER or op == R_OTHER_OPPONENT:
        return 0
    return asked(g, t, ref, rows)


cdef uint16_t object_of(Game *g, Trial *t, int ref) noexcept nogil:
    """Row of the one object of a reference, 0 none."""
    cdef const Node *n = &g.cards.refs[ref]
    cdef uint16_t rows[MANY]
    cdef int i
    if n.op == R_SOURCE:
        return t.source
    if n.op == R_TARGET:
        for i in range(t.n):
            if t.spec[i] == n.a:
                return t.row[i] if t.player[i] < 0 else 0
        return 0
    return rows[0] if objects(g, t, ref, rows) else 0


cdef int players_of(Game *g, Trial *t, int ref) noexcept nogil:
    """Bit set of the players of a reference."""
    cdef const Node *n = &g.cards.refs[ref]
    cdef uint16_t rows[MANY]
    cdef int mask = 0
    cdef int i, k
    if n.op == R_YOU:
        return 1 << t.controller
    if n.op == R_TARGET or n.op == R_TARGETS:
        for i in range(t.n):
            if t.spec[i] == n.a:
                if t.player[i] >= 0:
                    mask |= 1 << t.player[i]
                if n.op == R_TARGET:
                    break
        return mask
    if n.op == R_EACH_PLAYER:
        return g.h.alive
    if n.op == R_EACH_OPPONENT:
        return g.h.alive & ~(1 << t.controller)
    if n.op == R_CONTROLLER_OF or n.op == R_OWNER_OF:
        k = objects(g, t, n.a, rows)
        for i in range(k):
            mask |= 1 << (g.controller[rows[i]] if n.op == R_CONTROLLER_OF else g.owner[rows[i]])
        return mask
    if n.op == R_PICKED:
        return 1 << t.s.picked_player if t.s.picked_player >= 0 else 0
    if n.op == R_DEFENDING_PLAYER and not g.attacks[t.source]:
        # It does not attack yet.
        return g.h.alive & ~(1 << t.controller)
    if n.op == R_EVENT_PLAYER or n.op == R_ACTIVE_PLAYER or n.op == R_DEFENDING_PLAYER \
            or n.op == R_CHOSEN_PLAYER or n.op == R_HOST_PLAYER or n.op == R_OTHER_OPPONENT:
        return ref_players(g, &t.c, ref)
    return 0


# ------------------------------------------------------------------------------------------------ values

cdef int fact(Game *g, Trial *t, const Node *n) noexcept nogil:
    """A number of one object, as the note says it would be."""
    cdef uint16_t row = object_of(g, t, n.a)
    cdef Mod *m
    cdef int op = g.cards.refs[n.a].op
    cdef bint known = True
    cdef int v
    if row == 0:
        if op == R_TARGET or op == R_TARGETS or op == R_EACH:
            return 0
        v = value(g, &t.c, node_number(g, n), &known)  # it is gone: as it last was
        return v if known else 0
    m = mod_find(&t.s.mods, row)
    if n.op == V_POWER:
        return g.power[row] + (m.power if m != NULL else 0)
    if n.op == V_TOUGHNESS:
        return g.toughness[row] + (m.toughness if m != NULL else 0)
    if n.op == V_MANA_VALUE:
        return face_of(g, g.defn[row]).mv
    if n.op == V_DAMAGE:
        return g.damage[row] + (m.damage if m != NULL else 0)
    if n.op == V_COLORS:
        return bits(g.colors[row] & 31)
    if n.b == CK_P1P1:
        return g.c_p1p1[row]
    if n.b == CK_M1M1:
        return g.c_m1m1[row]
    if n.b == CK_LOYALTY:
        return g.c_loyalty[row]
    if n.b == CK_CHARGE:
        return g.c_charge[row]
    return counters_in(g, g.extra[row], n.b)


cdef int bits(int mask) noexcept nogil:
    cdef int n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


cdef int counters_in(const Game *g, uint16_t list, int kind) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_COUNTER and chunk_refs(g, list)[i].row == kind:
            return <int>chunk_refs(g, list)[i].id
    return 0


cdef int of_player(Game *g, Trial *t, const Node *n) noexcept nogil:
    cdef int mask = players_of(g, t, n.a)
    cdef int p
    for p in range(<int>g.lay.players):
        if mask >> p & 1:
            if n.op == V_LIFE:
                return g.p_life[p]
            return zone_count(g, Z_HAND if n.op == V_HAND_SIZE else
                              Z_LIBRARY if n.op == V_LIBRARY_SIZE else Z_GRAVEYARD, p)
    return 0


cdef int in_zone(Game *g, Trial *t, const Node *n) noexcept nogil:
    """COUNT_ZONE; what passes among hidden cards is guessed by their number."""
    cdef int mask, p
    cdef int total = 0
    cdef uint16_t row
    cdef bint known = True
    if not HIDDEN_ZONES >> n.b & 1:
        mask = value(g, &t.c, node_number(g, n), &known)
        return mask if known else 0
    mask = players_of(g, t, n.c)
    for p in range(<int>g.lay.players):
        if not mask >> p & 1:
            continue
        if n.b == Z_HAND and p == t.controller:
            row = zone_first(g, Z_HAND, p)
            while row:
                if passes(g, &t.c, n.a, row):
                    total += 1
                row = g.znext[row]
        else:
            total += (zone_count(g, n.b, p) + 1) // 2
    return total


cdef inline int node_number(const Game *g, const Node *n) noexcept nogil:
    return <int>(n - g.cards.values)


cdef int matching(Game *g, Trial *t, const Node *n) noexcept nogil:
    cdef uint16_t rows[MANY]
    cdef int mask = players_of(g, t, n.a)
    cdef int k = objects(g, t, n.a, rows)
    cdef int i
    cdef bint known = True
    for i in range(<int>g.lay.players):
        if mask >> i & 1 and passes_player(g, &t.c, n.b, i):
            return 1
    for i in range(k):
        if passes(g, &t.c, n.b, rows[i]):
            return 1
    if k or mask or g.cards.refs[n.a].op == R_TARGET:
        return 0
    k = value(g, &t.c, node_number(g, n), &known)  # it is gone: as it last was
    return k if known else 0


cdef int number(Game *g, Trial *t, int node) noexcept nogil:
    """A value as it would be now."""
    cdef const Node *n = &g.cards.values[node]
    cdef int op = n.op
    cdef uint16_t rows[MANY]
    cdef bint known = True
    cdef int a, b, i
    if op == V_CONST:
        return n.a
    if op == V_X:
        return t.x
    if op == V_POWER or op == V_TOUGHNESS or op == V_MANA_VALUE or op == V_COUNTERS or op == V_DAMAGE or op == V_COLORS:
        return fact(g, t, n)
    if op == V_HAND_SIZE or op == V_LIFE or op == V_LIBRARY_SIZE or op == V_GRAVEYARD_SIZE:
        return of_player(g, t, n)
    if op == V_RESULT:
        return t.s.result
    if op == V_KICKED and t.kick >= 0:
        return t.kick
    if op == V_WAS_CAST and t.spell:
        return 1
    if op == V_NUMBER_OF:
        return objects(g, t, n.a, rows) + bits(players_of(g, t, n.a))
    if op == V_COUNT_ZONE:
        return in_zone(g, t, n)
    if op == V_MATCHES:
        return matching(g, t, n)
    if op == V_ON_BATTLEFIELD:
        a = objects(g, t, n.a, rows)
        for i in range(a):
            if g.zone[rows[i]] == Z_BATTLEFIELD and not is_gone(t, rows[i]):
                return 1
        return 0
    if not (V_ADD <= op <= V_MAX or op == V_HALF_UP or op == V_HALF_DOWN or V_AT_LEAST <= op <= V_NOT):
        a = value(g, &t.c, node, &known)
        return a if known else 0
    a = number(g, t, n.a)
    if op == V_NOT:
        return a == 0
    if op == V_HALF_UP:
        return (a + 1) >> 1
    if op == V_HALF_DOWN:
        return a >> 1
    b = number(g, t, n.b)
    if op == V_ADD:
        return bounded(a + b)
    if op == V_SUB:
        return bounded(a - b)
    if op == V_MUL:
        return bounded(a * b)
    if op == V_MIN:
        return min(a, b)
    if op == V_MAX:
        return max(a, b)
    if op == V_AT_LEAST:
        return a >= b
    if op == V_EQUAL:
        return a == b
    if op == V_BOTH:
        return a != 0 and b != 0
    return a != 0 or b != 0  # V_EITHER


cdef inline int bounded(int v) noexcept nogil:
    return max(-30000, min(30000, v))
