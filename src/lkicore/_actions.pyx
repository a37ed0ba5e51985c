"""Actions of instructions: moving, destroying, damage, counters, tokens, continuous effects, shields."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport extra_add, extra_drop
from lkicore._damage cimport (Dealing, deal_to_object, deal_to_player, dealing_begin, dealing_end, source_done)
from lkicore._expr cimport Ctx, Facts, Obj, can_die, read_facts, ref_object, ref_objects, ref_players
from lkicore._guard cimport on_stack
from lkicore._layers cimport changed, dirty_all, effect_add, effect_change, effect_remove, settle
from lkicore._layout cimport Effect, Game
from lkicore._opcodes cimport *
from lkicore._replace cimport regenerates
from lkicore._status cimport put_counters, tap, untap
from lkicore._store cimport is_live, zone_first
from lkicore._types cimport Node
from lkicore._zones cimport TO_END, TO_TOP, make_tokens, move_all, move_group, sacrifice_group


cdef inline bint acts_there(const Game *g, uint16_t row, bint cards) noexcept nogil:
    if g.status[row] & ST_PHASED_OUT:
        return False
    return g.zone[row] == Z_BATTLEFIELD or (cards and g.zone[row] != Z_STACK and not g.oflags[row] & OF_TOKEN)


cdef int objects_of(Game *g, const Ctx *c, int ref, bint cards, uint16_t *rows) noexcept nogil:
    """Acting needs the very object (CR 400.7): last known information never brings one back into reach."""
    cdef Obj *obj = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int k = 0
    cdef int n, i, op
    cdef const Node *node = &g.cards.refs[ref]
    op = node.op
    if op == R_EACH:
        n = ref_objects(g, c, ref, obj, &policy)
        for i in range(n):
            if g.zone[obj[i].row] == Z_BATTLEFIELD or (cards and not g.oflags[obj[i].row] & OF_TOKEN):  # CR 111.8
                rows[k] = obj[i].row
                k += 1
        return k
    if op == R_SOURCE or op == R_TARGET or op == R_EVENT_OBJECT or op == R_EVENT_CARD or op == R_HOST:
        if ref_object(g, c, ref, &row, &id, &policy) and is_live(g, row, id) and acts_there(g, row, cards):
            rows[0] = row
            return 1
        return 0
    n = ref_objects(g, c, ref, obj, &policy)
    for i in range(n):
        if is_live(g, obj[i].row, obj[i].id) and acts_there(g, obj[i].row, cards):
            rows[k] = obj[i].row
            k += 1
    return k


cdef void remember(Game *g, const Ctx *c, int kind, uint32_t id, uint16_t row, int flags) noexcept nogil:
    # A spell or ability that left the stack while it resolves (CR 608.2m) remembers nothing more.
    if c.self_id and is_live(g, c.self_row, c.self_id):
        extra_add(g, c.self_row, kind, id, row, flags)


cdef void forget(Game *g, const Ctx *c, int kind) noexcept nogil:
    if c.self_id and is_live(g, c.self_row, c.self_id) and g.extra[c.self_row]:
        extra_drop(g, c.self_row, kind)


cdef void keep(Game *g, const Ctx *c, const uint16_t *rows, int n, int flags) noexcept nogil:
    """What was moved can be found where it is now (CR 400.7j), and may be linked to the source (607.2)."""
    cdef int i
    if flags & MF_KEEP:
        forget(g, c, RK_MOVED)
        for i in range(n):
            remember(g, c, RK_MOVED, g.id[rows[i]], rows[i], 0)
    if flags & MF_LINK and is_live(g, c.source_row, c.source_id):
        for i in range(n):
            extra_add(g, c.source_row, RK_LINK, g.id[rows[i]], rows[i], 0)


cdef int move_objects(Game *g, const Ctx *c, int ref, int zone_to, int flags, int under) noexcept nogil:
    """One event for all of them (CR 608.2f); returns how many moved."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, ref, True, rows)
    cdef int i
    cdef int where = TO_END
    if zone_to == Z_LIBRARY and not flags & MF_BOTTOM:
        where = TO_TOP
    if n == 0 or not move_group(g, rows, n, zone_to, where, under, (flags & MF_TAPPED) != 0):
        return 0
    if flags & MF_ATTACKING:
        for i in range(n):
            put_into_combat(g, c, rows[i])
    keep(g, c, rows, n, flags)
    return n


cdef void put_into_combat(Game *g, const Ctx *c, uint16_t row) noexcept nogil:
    """CR 508.4: it enters attacking the player whom its source attacks, without having been declared."""
    cdef Facts f
    if g.h.n_attackers and read_facts(g, c.source_row, c.source_id, P_LIVE_THEN_LKI, &f) and f.attacks:
        g.attacks[row] = f.attacks
        g.h.n_attackers += 1
        g.h.fighters_old = 1
        changed(g, RD_COMBAT)


cdef int destroy_objects(Game *g, const Ctx *c, int ref, int flags) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, ref, False, rows)
    cdef int i
    cdef int k = 0
    settle(g)
    for i in range(n):
        if can_die(g, rows[i]) and (flags & MF_NO_REGENERATION or not regenerates(g, rows[i])):
            rows[k] = rows[i]
            k += 1
    if k == 0 or not move_group(g, rows, k, Z_GRAVEYARD, TO_END, -1, False):
        return 0
    keep(g, c, rows, k, flags)
    return k


cdef int sacrifice_objects(Game *g, const Ctx *c, int ref, int flags) noexcept nogil:
    """CR 701.21a: a player can sacrifice only what that player controls: "sacrifice it" asks for the ability's
    controller; what another player chose, that player sacrifices."""
    cdef int op = g.cards.refs[ref].op
    cdef bint own = (op == R_SOURCE or op == R_EVENT_OBJECT or op == R_EVENT_CARD or op == R_MOVED or op == R_EACH)
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, ref, False, rows)
    cdef int i
    cdef int k = 0
    for i in range(n):
        if not own or g.controller[rows[i]] == c.controller:
            rows[k] = rows[i]
            k += 1
    if k == 0 or not sacrifice_group(g, rows, k):
        return 0
    keep(g, c, rows, k, flags)
    return k


cdef int deal(Game *g, const Ctx *c, int source_ref, int to, int amount) noexcept nogil:
    """The source, as it is or last was, deals damage (CR 120, 113.7a, 608.2h); returns how much in all."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int n, i, p, mask
    cdef int dealt = 0
    cdef Facts source
    cdef Dealing d
    if amount <= 0:
        return 0  # CR 107.1b, 120.8
    if not ref_object(g, c, source_ref, &row, &id, &policy) or not read_facts(g, row, id, policy, &source):
        return 0
    g.h.tick += 1
    n = objects_of(g, c, to, False, rows)
    dealing_begin(&d)
    for i in range(n):
        dealt += deal_to_object(g, &d, &source, rows[i], amount, False)
    if g.cards.refs[to].op != R_EACH:
        mask = ref_players(g, c, to)
        for p in range(<int>g.lay.players):
            if mask >> p & 1:
                dealt += deal_to_player(g, &d, &source, p, amount, False)
    source_done(g, &d, &source)
    dealing_end(g, &d)
    return dealt


cdef void fight(Game *g, const Ctx *c, int one, int two) noexcept nogil:
    """CR 701.14: only if both are on the battlefield, creatures and legal; no last known information (701.14b)."""
    cdef uint16_t *a = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t *b = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef Facts fa
    cdef Facts fb
    cdef Dealing d
    if objects_of(g, c, one, False, a) != 1 or objects_of(g, c, two, False, b) != 1:
        return
    if not g.types[a[0]] & T_CREATURE or not g.types[b[0]] & T_CREATURE:
        return
    read_facts(g, a[0], g.id[a[0]], P_RULE_LKI, &fa)
    read_facts(g, b[0], g.id[b[0]], P_RULE_LKI, &fb)
    g.h.tick += 1
    dealing_begin(&d)
    deal_to_object(g, &d, &fa, b[0], fa.power, False)
    source_done(g, &d, &fa)
    deal_to_object(g, &d, &fb, a[0], fb.power, False)
    source_done(g, &d, &fb)
    dealing_end(g, &d)


cdef void apply_changes(Game *g, const Ctx *c, int ref, int first, int n, int x, int y, int duration) noexcept nogil:
    """A continuous effect on each of them: the set is locked (CR 611.2c), the numbers too (608.2h)."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int k
    cdef int m
    if duration == D_WHILE_SOURCE and not (is_live(g, c.source_row, c.source_id)
                                           and g.zone[c.source_row] == Z_BATTLEFIELD):
        return  # CR 611.2b: it would end before it begins
    m = objects_of(g, c, ref, False, rows)
    for k in range(m):
        effect_change(g, rows[k], first, n, x, y, duration, c.controller, c.source_row, c.source_id)
    settle(g)


cdef void tap_objects(Game *g, const Ctx *c, int ref, bint to_tapped) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, ref, False, rows)
    cdef int i
    g.h.tick += 1
    for i in range(n):
        if to_tapped:
            tap(g, rows[i])
        else:
            untap(g, rows[i])


cdef int counters_objects(Game *g, const Ctx *c, int ref, int kind, int n) noexcept nogil:
    """Put counters, or remove -n of them; returns on how many objects."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int k = objects_of(g, c, ref, False, rows)
    cdef int i
    if n == 0:
        return 0
    g.h.tick += 1
    for i in range(k):
        put_counters(g, rows[i], kind, n)
    settle(g)
    return k


cdef void mill(Game *g, const Ctx *c, int player, int n, int flags) noexcept nogil:
    """CR 701.17: the top cards go to the graveyard together."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t row = zone_first(g, Z_LIBRARY, player)
    cdef int k = 0
    while row and k < n:
        rows[k] = row
        k += 1
        row = g.znext[row]
    if k and move_group(g, rows, k, Z_GRAVEYARD, TO_END, -1, False):
        keep(g, c, rows, k, flags)


cdef void create(Game *g, const Ctx *c, int player, int n, int face, int flags) noexcept nogil:
    """Tokens (CR 111); they are what the instruction has moved, and may be linked to its source."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int k, i
    if n <= 0:
        return
    k = make_tokens(g, player, face, min(n, <int>g.lay.rows), (flags & MF_TAPPED) != 0, rows)
    for i in range(k):
        if flags & MF_LINK:
            # The token knows what made it: its size may depend on it (CR 604.7).
            extra_add(g, rows[i], RK_LINK, c.source_id, c.source_row, 0)
            dirty_all(g)
        if flags & MF_ATTACKING:
            put_into_combat(g, c, rows[i])
    keep(g, c, rows, k, flags)
    settle(g)


cdef void shield(Game *g, const Ctx *c, int kind, int ref, int amount, int duration, int flags) noexcept nogil:
    """A regeneration or prevention shield, or "exile it instead", for each object or player (CR 614.1, 615.1)."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int k, p, mask
    cdef int n = 0
    if ref < 0:
        effect_add(g, kind, 0, 0, 0, flags, amount, duration, c.controller, c.source_row, c.source_id)
        return
    n = objects_of(g, c, ref, False, rows)
    for k in range(n):
        effect_add(g, kind, rows[k], g.id[rows[k]], 0, flags, amount, duration, c.controller, c.source_row,
                   c.source_id)
    if kind == EK_PREVENT and g.cards.refs[ref].op != R_EACH:
        mask = ref_players(g, c, ref)
        for p in range(<int>g.lay.players):
            if mask >> p & 1:
                effect_add(g, kind, 0, 0, 1 + p, flags, amount, duration, c.controller, c.source_row, c.source_id)


cdef void exile_until(Game *g, const Ctx *c, int ref) noexcept nogil:
    """CR 610.3a: if the source has left already, nothing is exiled."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint8_t *zone = <uint8_t *>on_stack(g.lay.arena)
    cdef int n, i
    if not is_live(g, c.source_row, c.source_id) or g.zone[c.source_row] != Z_BATTLEFIELD:
        return
    n = objects_of(g, c, ref, True, rows)
    for i in range(n):
        zone[i] = g.zone[rows[i]]
    if n == 0 or not move_group(g, rows, n, Z_EXILE, TO_END, -1, False):
        return
    for i in range(n):
        if g.zone[rows[i]] == Z_EXILE:
            effect_add(g, EK_RETURN, rows[i], g.id[rows[i]], 0, 0, zone[i], D_WHILE_SOURCE, c.controller,
                       c.source_row, c.source_id)


cdef void returns_due(Game *g) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.arena)
    cdef int n = 0
    cdef uint32_t i = 0
    cdef Effect e
    while i < g.h.n_effects:
        e = g.effect[i]
        if e.kind != EK_RETURN or (is_live(g, e.source_row, e.source_id) and g.zone[e.source_row] == Z_BATTLEFIELD):
            i += 1
            continue
        effect_remove(g, i)
        if is_live(g, e.affected_row, e.affected_id) and g.zone[e.affected_row] == Z_EXILE:
            rows[n] = e.affected_row
            to[n] = <uint8_t>e.x
            n += 1
    # CR 610.3c: together, to the zones that they were in, under their owners' control.
    if n:
        move_all(g, rows, to, n, TO_END, -1, False)
