# Part of _expr.pyx: what values and filters count, over zones, the log, mana costs and references. Values and filters
# ask each other, so that it cannot be a module of its own.

cdef int count_zone(Game *g, const Ctx *c, const Node *n, bint *known) noexcept nogil:
    """Objects of players in a zone: of whoever controls them on the battlefield and the stack, else of their owner."""
    cdef int mask = ref_players(g, c, n.c)
    cdef bint each = PRIVATE_ZONES >> n.b & 1
    cdef int count = 0
    cdef int p
    cdef uint16_t row
    if mask == 0:
        known[0] = False
    for p in range(<int>g.lay.players if each else 1):
        if each and not mask >> p & 1:
            continue
        row = g.z_head[n.b * <int>g.lay.players + p]
        while row:
            if ((each or mask >> g.controller[row] & 1) and not g.status[row] & ST_PHASED_OUT
                    and passes(g, c, n.a, row)):
                count += 1
            row = g.znext[row]
    return count


cdef int happened_times(Game *g, const Ctx *c, const Node *n) noexcept nogil:
    """CR 608.2i: events of this turn, wherever their objects are now; or of the last turn of whoever did them, also of
    a player who left, until that player's next turn would have begun (800.4i)."""
    cdef int mask = ref_players(g, c, n.b) if n.b >= 0 else 0
    cdef int count = 0
    cdef int i
    cdef bint last = n.op == V_HAPPENED_LAST_TURN
    cdef Event *e
    cdef Facts f
    for i in range(g.h.history_n - 1, -1, -1):
        e = &g.history[i]
        if last:
            if e.player == NO_PLAYER or e.turn != g.p_turn_last[e.player]:
                continue
        elif e.turn != g.h.turn:
            break
        if e.kind != n.a or (n.b >= 0 and (e.player == NO_PLAYER or not mask >> e.player & 1)):
            continue
        if n.c >= 0 and not (e.obj_id and facts_of(g, e.obj_row, e.obj_id, P_HISTORY, c.live_only, &f)
                             and passes_facts(g, c, n.c, &f)):
            continue
        count += 1
    if not c.live_only:
        trace(g, TR_ANSWER, P_HISTORY, n.a, count, 0, 0)
    return count


cdef bint did(Game *g, const Ctx *c, const Node *n, int player) noexcept nogil:
    """The player did so many events of a kind this turn (CR 608.2i)."""
    cdef int left = n.c
    cdef int i
    cdef Event *e
    cdef Facts f
    for i in range(g.h.history_n - 1, -1, -1):
        e = &g.history[i]
        if left <= 0 or e.turn != g.h.turn:
            break
        if (e.kind == n.a and e.player == player and e.obj_id
                and facts_of(g, e.obj_row, e.obj_id, P_HISTORY, c.live_only, &f) and passes_facts(g, c, n.b, &f)):
            left -= 1
    return left <= 0


cdef int symbols_in(const Game *g, const Face *f, int mask) noexcept nogil:
    """Mana symbols of a cost that are of a colour of the mask (CR 700.5): hybrid ones count once."""
    cdef int n = 0
    cdef int k
    for k in range(5):
        if mask >> k & 1:
            n += <int>((f.cost.lo >> 16 * k if k < 4 else f.cost.hi) & 0xFFFF)
    for k in range(f.n_hybrid):
        if g.cards.hybrids[f.hybrid + k] & mask:
            n += 1
    return n


cdef int devotion(Game *g, const Ctx *c, const Node *n) noexcept nogil:
    cdef int mask = ref_players(g, c, n.b)
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef int count = 0
    while row:
        if mask >> g.controller[row] & 1 and not g.status[row] & ST_PHASED_OUT:
            count += symbols_in(g, face_of(g, g.defn[row]), n.a)
        row = g.znext[row]
    return count


cdef int fact_of_row(Game *g, uint16_t row, int fact) noexcept nogil:
    if fact == FK_POWER:
        return g.power[row]
    if fact == FK_TOUGHNESS:
        return g.toughness[row]
    if fact == FK_MANA_VALUE:
        return mana_value(g, g.defn[row], g.oflags[row], Z_BATTLEFIELD, 0)
    return g.damage[row] if fact == FK_DAMAGE else g.c_p1p1[row]


cdef int extreme(Game *g, const Ctx *c, const Node *n) noexcept nogil:
    """GREATEST, LEAST: of a fact, over permanents that are there."""
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef bint any = False
    cdef int best = 0
    cdef int v
    while row:
        if not g.status[row] & ST_PHASED_OUT and passes(g, c, n.b, row):
            v = fact_of_row(g, row, n.a)
            if not any or (v > best if n.op == V_GREATEST else v < best):
                best = v
            any = True
        row = g.znext[row]
    return best


cdef int count_of(Game *g, const Ctx *c, const Node *n) noexcept nogil:
    """Objects of a reference that pass, as they are or last were by its policy."""
    cdef int policy = ref_policy(g.cards.refs[n.a].op)
    cdef int count = 0
    cdef Walk w
    cdef Obj o
    cdef Facts f
    walk(g, c, n.a, &w)
    while walk_next(g, c, &w, &o):
        if ask(g, c, &o, policy, &f) and passes_facts(g, c, n.b, &f):
            count += 1
    return count


cdef bint damaged_by(Game *g, const Ctx *c, int ref, uint32_t id) noexcept nogil:
    """CR 608.2i: an object of the reference dealt it damage this turn."""
    cdef int i
    cdef Event *e
    for i in range(g.h.history_n - 1, -1, -1):
        e = &g.history[i]
        if e.turn != g.h.turn:
            break
        if 1 << e.kind == H_DAMAGE_OBJECT and e.obj_id == id and e.other_id and among(g, c, ref, e.other_id):
            return True
    return False


cdef bint asks_for(const Game *g, int filter, int op, int a) noexcept nogil:
    """The filter, or one of those that it joins with "and", is this one."""
    cdef const Node *n
    cdef const Node *left
    if filter < 0:
        return False
    n = &g.cards.filters[filter]
    while n.op == FT_AND:
        left = &g.cards.filters[n.a]
        if left.op == op and left.a == a:
            return True
        n = &g.cards.filters[n.b]
    return n.op == op and n.a == a
