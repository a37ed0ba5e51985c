"""Reading facts under a policy; references, values and filters of the effect language."""
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._defs cimport face_of
from lkicore._game cimport in_game
from lkicore._layout cimport Game, LkiRow, Ref
from lkicore._lki cimport FROM_LIVE, FROM_LKI, FROM_MISSING, NO_SLOT, lki_find
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, trace
from lkicore._types cimport Face, Node


cdef int x_of(const Game *g, uint16_t row) noexcept nogil:
    """The chosen X of an object on the stack, 0 elsewhere (CR 202.3e)."""
    cdef int i
    if g.zone[row] == Z_STACK:
        for i in range(g.h.n_stack):
            if g.stack[i].row == row:
                return g.stack[i].x
    return 0


cdef bint read_facts(Game *g, uint16_t row, uint32_t id, int policy, Facts *f) noexcept nogil:
    """Facts about the object (row, id) as the policy allows; false if there is no answer.

    The one place where the effect language and the rules learn anything about a specific object. Whoever asks about a
    target has looked at its legality before (608.2b); a target that is gone without being moved by the effect itself
    gives no answer.
    """
    cdef uint16_t s
    cdef LkiRow *r
    if is_live(g, row, id) and not g.status[row] & ST_PHASED_OUT:
        f.id = id
        f.keywords = g.keywords[row]
        f.power = g.power[row]
        f.toughness = g.toughness[row]
        f.damage = g.damage[row]
        f.c_p1p1 = g.c_p1p1[row]
        f.c_m1m1 = g.c_m1m1[row]
        f.c_loyalty = g.c_loyalty[row]
        f.c_charge = g.c_charge[row]
        f.types = g.types[row]
        f.defn = g.defn[row]
        f.colors = g.colors[row]
        f.controller = g.controller[row]
        f.owner = g.owner[row]
        f.status = g.status[row]
        f.zone = g.zone[row]
        f.row = row
        f.x = <int16_t>x_of(g, row)
        f.slot = NO_SLOT
        f.where = FROM_LIVE
        trace(g, TR_LOOKUP, f.defn, policy, FROM_LIVE, -1, id)
        return True
    if policy != P_LIVE_ONLY:
        s = lki_find(g, id)
        if s != NO_SLOT:
            r = &g.lki[s]
            f.id = id
            f.keywords = r.keywords
            f.power = r.power
            f.toughness = r.toughness
            f.damage = r.damage
            f.c_p1p1 = r.c_p1p1
            f.c_m1m1 = r.c_m1m1
            f.c_loyalty = r.c_loyalty
            f.c_charge = r.c_charge
            f.types = r.types
            f.defn = r.defn
            f.colors = r.colors
            f.controller = r.controller
            f.owner = r.owner
            f.status = r.status
            f.zone = r.zone
            f.row = r.row
            f.x = r.x
            f.slot = s
            f.where = FROM_LKI
            g.lki_answers += 1
            if r.pinned:
                g.lki_kept_answers += 1
            trace(g, TR_LOOKUP, f.defn, policy, FROM_LKI, s, id)
            return True
    memset(f, 0, sizeof(Facts))
    f.slot = NO_SLOT
    trace(g, TR_LOOKUP, -1, policy, FROM_MISSING, -1, id)
    return False


cdef bint ref_object(Game *g, const Ctx *c, int ref, uint16_t *row, uint32_t *id, int *policy) noexcept nogil:
    """The object of a reference; false for a player, an illegal target (CR 608.2b) or none."""
    cdef const Node *n = &g.cards.refs[ref]
    cdef Ref *t
    policy[0] = ref_policy(n.op)
    if n.op == R_SOURCE:
        row[0] = c.source_row
        id[0] = c.source_id
        return True
    if n.op == R_TARGET:
        if n.a >= chunk_len(g, c.targets):
            return False
        t = &chunk_refs(g, c.targets)[n.a]
        row[0] = t.row
        id[0] = t.id
        return t.kind == RK_OBJECT and not t.flags & RF_ILLEGAL
    return False


cdef int ref_players(Game *g, const Ctx *c, int ref) noexcept nogil:
    """Bit set of the players of a reference; 0 where there is no answer."""
    cdef const Node *n = &g.cards.refs[ref]
    cdef Ref *t
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef Facts f
    if n.op == R_YOU:
        return 1 << c.controller
    if n.op == R_TARGET:
        if n.a >= chunk_len(g, c.targets):
            return 0
        t = &chunk_refs(g, c.targets)[n.a]
        return 1 << t.row if t.kind == RK_PLAYER and not t.flags & RF_ILLEGAL else 0
    if n.op == R_EACH_PLAYER:
        return g.h.alive
    if n.op == R_EACH_OPPONENT:
        return g.h.alive & ~(1 << c.controller)
    if n.op == R_CONTROLLER_OF or n.op == R_OWNER_OF:
        if ref_object(g, c, n.a, &row, &id, &policy) and read_facts(g, row, id, policy, &f):
            return 1 << (f.controller if n.op == R_CONTROLLER_OF else f.owner)
    return 0


cdef int lowest(int mask) noexcept nogil:
    cdef int p = 0
    while not mask >> p & 1:
        p += 1
    return p


cdef int value(Game *g, const Ctx *c, int node, bint *known) noexcept nogil:
    """A number of the effect language, determined now (CR 608.2h); `known` becomes false where it can't be (608.2b)."""
    cdef const Node *n = &g.cards.values[node]
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int a, b
    cdef Facts f
    if n.op == V_CONST:
        return n.a
    if n.op == V_X:
        return c.x
    if n.op == V_POWER or n.op == V_TOUGHNESS or n.op == V_MANA_VALUE or n.op == V_COUNTERS:
        if not ref_object(g, c, n.a, &row, &id, &policy) or not read_facts(g, row, id, policy, &f):
            known[0] = False
            return 0
        if n.op == V_POWER:
            return f.power
        if n.op == V_TOUGHNESS:
            return f.toughness
        if n.op == V_MANA_VALUE:
            # CR 202.3e: X is the chosen one on the stack, 0 elsewhere.
            return face_of(g, f.defn).mv + f.x * face_of(g, f.defn).n_x
        if n.b == CK_P1P1:
            return f.c_p1p1
        if n.b == CK_M1M1:
            return f.c_m1m1
        return f.c_loyalty if n.b == CK_LOYALTY else f.c_charge
    if n.op == V_COUNT:
        a = 0
        row = g.z_head[Z_BATTLEFIELD * g.lay.players]
        while row:
            if passes(g, c, n.a, row):
                a += 1
            row = g.znext[row]
        return a
    if n.op == V_HAND_SIZE or n.op == V_LIFE:
        a = ref_players(g, c, n.a)
        if a == 0:
            known[0] = False
            return 0
        # CR 800.4i: a player's row stays as it was when the player left.
        a = lowest(a)
        if n.op == V_LIFE:
            return g.p_life[a]
        return g.z_n[Z_HAND * g.lay.players + a] if in_game(g, a) else g.p_left_hand[a]
    a = value(g, c, n.a, known)
    b = value(g, c, n.b, known)
    if n.op == V_ADD:
        return a + b
    if n.op == V_SUB:
        return a - b
    if n.op == V_MUL:
        return a * b
    if n.op == V_MIN:
        return min(a, b)
    return max(a, b)


cdef bint passes(Game *g, const Ctx *c, int node, uint16_t row) noexcept nogil:
    """A filter on a live object, by its computed values."""
    cdef const Node *n = &g.cards.filters[node]
    cdef const Face *f
    cdef int op = n.op
    cdef int k, v
    cdef uint64_t mask
    if op == FT_TYPES_ANY:
        return (g.types[row] & n.a) != 0
    if op == FT_TYPES_NONE:
        return (g.types[row] & n.a) == 0
    if op == FT_AND:
        return passes(g, c, n.a, row) and passes(g, c, n.b, row)
    if op == FT_OR:
        return passes(g, c, n.a, row) or passes(g, c, n.b, row)
    if op == FT_NOT:
        return not passes(g, c, n.a, row)
    if op == FT_COLORS_ANY:
        return (g.colors[row] & n.a) != 0
    if op == FT_COLORS_NONE:
        return (g.colors[row] & n.a) == 0
    if op == FT_KEYWORDS_ALL or op == FT_KEYWORDS_NONE:
        mask = <uint64_t><uint32_t>n.a | <uint64_t><uint32_t>n.b << 32
        return (g.keywords[row] & mask) == (mask if op == FT_KEYWORDS_ALL else 0)
    if op == FT_POWER:
        return n.a <= g.power[row] <= n.b
    if op == FT_TOUGHNESS:
        return n.a <= g.toughness[row] <= n.b
    if op == FT_MANA_VALUE:
        v = face_of(g, g.defn[row]).mv + x_of(g, row) * face_of(g, g.defn[row]).n_x
        return n.a <= v <= n.b
    if op == FT_YOURS:
        return g.controller[row] == c.controller
    if op == FT_OPPONENTS:
        return g.controller[row] != c.controller
    if op == FT_TAPPED:
        return (g.status[row] & ST_TAPPED) != 0
    if op == FT_UNTAPPED:
        return (g.status[row] & ST_TAPPED) == 0
    if op == FT_ATTACKING:
        return g.attacks[row] != 0
    if op == FT_BLOCKING:
        return (g.combat[row] & CB_BLOCKING) != 0
    if op == FT_TOKEN:
        return (g.oflags[row] & OF_TOKEN) != 0
    if op == FT_NOT_SOURCE:
        return g.id[row] != c.source_id
    if op == FT_ZONE:
        return g.zone[row] == n.a
    if op == FT_SUBTYPE:
        f = face_of(g, g.defn[row])
        for k in range(f.n_subtypes):
            if g.cards.subtypes[f.first_subtype + k] == n.a:
                return True
        return False
    return op == FT_ALL


cdef bint passes_player(Game *g, const Ctx *c, int node, int player) noexcept nogil:
    """A filter on a player in target position."""
    cdef const Node *n = &g.cards.filters[node]
    if n.op == FT_PLAYER or n.op == FT_ALL:
        return True
    if n.op == FT_OPPONENT:
        return player != c.controller
    if n.op == FT_YOU:
        return player == c.controller
    if n.op == FT_AND:
        return passes_player(g, c, n.a, player) and passes_player(g, c, n.b, player)
    if n.op == FT_OR:
        return passes_player(g, c, n.a, player) or passes_player(g, c, n.b, player)
    if n.op == FT_NOT:
        return not passes_player(g, c, n.a, player)
    return False


cdef bint may_target(const Game *g, int player, uint16_t row) noexcept nogil:
    """No shroud (CR 702.18), no hexproof against this player (702.11), not phased out (702.26d)."""
    if g.status[row] & ST_PHASED_OUT or g.keywords[row] & K_SHROUD:
        return False
    return not g.keywords[row] & K_HEXPROOF or g.controller[row] == player


cdef bint can_die(const Game *g, uint16_t row) noexcept nogil:
    """Destruction moves it (CR 702.12b)."""
    return not g.keywords[row] & K_INDESTRUCTIBLE
