"""Actions of instructions: moving, destroying, damage, counters, tokens, continuous effects, shields."""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport extra_add, extra_drop
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._entries cimport entry_of
from lkicore._damage cimport (Dealing, deal_to_object, deal_to_player, dealing_begin, dealing_end, source_done)
from lkicore._expr cimport (Ctx, Facts, Obj, info_of, read_facts, ref_object, ref_objects,
                            ref_players)
from lkicore._game cimport ASKED, can_ask, event_done, next_player, push_frame, top_frame
from lkicore._guard cimport on_stack
from lkicore._instead cimport counters_instead, damage_heeds, damage_instead, tokens_instead
from lkicore._layers cimport changed, dirty_all, effect_add, effect_change, effect_on_player, effect_remove, settle
from lkicore._layout cimport Effect, Frame, Game, Ref
from lkicore._lki cimport NO_SLOT, lki_find
from lkicore._opcodes cimport *
from lkicore._protection cimport can_die
from lkicore._replace cimport regenerates, umbra_of
from lkicore._rng cimport N_PURPOSES, S_CHANCE, below
from lkicore._sides cimport has_back
from lkicore._status cimport put_counters, tap, untap
from lkicore._store cimport is_live, link_after, link_tail, touched, unlink, zone_first, zone_list
from lkicore._triggers cimport happened, heard
from lkicore._turning cimport hide, set_x, turn_down, turn_up
from lkicore._types cimport NONE16, Node
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
        # (A spell that moves itself while it resolves is on the stack.)
        if ref_object(g, c, ref, &row, &id, &policy) and is_live(g, row, id) and (acts_there(g, row, cards) or (
                cards and row == c.self_row and g.zone[row] == Z_STACK and g.card[row] != NONE16)):
            rows[0] = row
            return 1
        return 0
    n = ref_objects(g, c, ref, obj, &policy)
    for i in range(n):
        if is_live(g, obj[i].row, obj[i].id) and acts_there(g, obj[i].row, cards):
            rows[k] = obj[i].row
            k += 1
    return k


cdef int live_objects(Game *g, const Ctx *c, int ref, uint16_t *rows) noexcept nogil:
    """All objects of a reference that are still there, in whatever zone: cards and spells too."""
    cdef Obj *obj = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef int policy = 0
    cdef int k = 0
    cdef int i
    cdef int n = ref_objects(g, c, ref, obj, &policy)
    for i in range(n):
        if is_live(g, obj[i].row, obj[i].id) and not g.status[obj[i].row] & ST_PHASED_OUT:
            if not g.oflags[obj[i].row] & OF_ABILITY:
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


cdef void link_to_source(Game *g, const Ctx *c, uint16_t row, uint32_t id, int number) noexcept nogil:
    """CR 607.2a: its other abilities find the object; if the source has left, by its record."""
    cdef uint16_t slot, list
    if is_live(g, c.source_row, c.source_id):
        extra_add(g, c.source_row, RK_LINK, id, row, number)
        return
    slot = lki_find(g, c.source_id)
    if slot == NO_SLOT:
        return
    list = refs_add(g, g.lki[slot].extra, id, row, RK_LINK)
    if list:
        g.lki[slot].extra = list
        chunk_refs(g, list)[chunk_len(g, list) - 1].flags = <uint8_t>number


cdef void keep(Game *g, const Ctx *c, const uint16_t *rows, int n, int flags) noexcept nogil:
    """What was moved can be found where it is now (CR 400.7j), and may be linked to the source (607.2)."""
    cdef int i
    if flags & MF_KEEP:
        forget(g, c, RK_MOVED)
        for i in range(n):
            remember(g, c, RK_MOVED, g.id[rows[i]], rows[i], 0)
    if flags & MF_LINK:
        for i in range(n):
            link_to_source(g, c, rows[i], g.id[rows[i]], 0)
        changed(g, RD_BOARD | RD_EXILE)  # what looks at linked objects


cdef void in_random_order(Game *g, int player, uint16_t *rows, int n) noexcept nogil:
    cdef uint64_t *s = &g.stream[(player * N_PURPOSES + S_CHANCE) * 2]
    cdef uint16_t row
    cdef int i, k
    for i in range(n - 1, 0, -1):
        k = <int>below(s, <uint32_t>(i + 1))
        row = rows[i]
        rows[i] = rows[k]
        rows[k] = row


cdef int turn_backs(Game *g, uint16_t *rows, int n) noexcept nogil:
    """CR 712.14a: cards are to enter with their back faces up; what has none stays where it is."""
    cdef int i
    cdef int k = 0
    for i in range(n):
        if has_back(g, rows[i]) and g.zone[rows[i]] != Z_BATTLEFIELD:
            g.status[rows[i]] |= ST_FLIPPED
            rows[k] = rows[i]
            k += 1
    return k


cdef int exile_face_down(Game *g, const Ctx *c, const uint16_t *rows, int n, int flags) noexcept nogil:
    """CR 406.3: whoever knew the cards still knows them, and nobody else."""
    cdef uint8_t *known = <uint8_t *>on_stack(g.lay.arena)
    cdef int i
    for i in range(n):
        known[i] = g.known_to[rows[i]]
    if n == 0 or not move_group(g, rows, n, Z_EXILE, TO_END, -1, False):
        return 0
    for i in range(n):
        if g.zone[rows[i]] == Z_EXILE:
            g.status[rows[i]] |= ST_FACE_DOWN
            g.known_to[rows[i]] = known[i]
    touched(g)
    keep(g, c, rows, n, flags)
    return n


cdef int turn_objects(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """Objects are turned face up or down (CR 708), or put onto the battlefield face down: how many there are."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, w[1], w[0] == E_PUT_FACE_DOWN, rows)
    cdef int p = 0
    cdef int i
    cdef int k = 0
    if w[0] == E_TURN_UP:
        if n == 1 and c.x and rows[0] == c.source_row:
            set_x(g, rows[0], c.x)  # CR 702.37f
        turn_up(g, rows, n)
        return n
    if w[0] == E_TURN_DOWN:
        turn_down(g, rows, n, <uint16_t>w[2])
        return n
    for i in range(n):
        if g.zone[rows[i]] != Z_BATTLEFIELD and g.zone[rows[i]] != Z_STACK and not g.oflags[rows[i]] & OF_COPY:
            rows[k] = rows[i]
            k += 1
    while p < <int>g.lay.players and not ref_players(g, c, w[3]) >> p & 1:
        p += 1
    if k == 0 or p == <int>g.lay.players:
        return 0
    hide(g, rows, k, <uint16_t>w[2])  # CR 708.3: before they enter
    if not move_group(g, rows, k, Z_BATTLEFIELD, TO_END, p, (w[4] & MF_TAPPED) != 0):
        return 0
    keep(g, c, rows, k, w[4])
    return k


cdef void put_at(Game *g, uint16_t row, int place) noexcept nogil:
    """A card on top of a library goes down to number `place` from the top, or to the bottom if there are fewer."""
    cdef int k = zone_list(g, Z_LIBRARY, g.owner[row])
    cdef uint16_t above = g.znext[row]
    cdef int _
    for _ in range(place - 2):
        if above:
            above = g.znext[above]
    if place < 2 or g.znext[row] == 0:
        return
    unlink(g, k, row)
    if above == 0:
        link_tail(g, k, row)
    else:
        link_after(g, k, above, row)


cdef int move_objects(Game *g, const Ctx *c, int ref, int zone_to, int flags, int under, int place) noexcept nogil:
    """One event for all of them (CR 608.2f); returns how many moved."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, ref, True, rows)
    cdef int i
    cdef int where = TO_END
    if zone_to == Z_EXILE and n == 0 and g.cards.refs[ref].op == R_SOURCE and c.self_id and c.self_id == c.source_id \
            and is_live(g, c.self_row, c.self_id) and g.zone[c.self_row] == Z_STACK:
        g.stack[entry_of(g, c.self_row)].flags |= SF_EXILES
        return 1
    if zone_to == Z_LIBRARY and not flags & MF_BOTTOM:
        where = TO_TOP
    if flags & MF_RANDOM:
        in_random_order(g, c.controller, rows, n)
    if flags & MF_TRANSFORMED:
        n = turn_backs(g, rows, n)
    if flags & MF_FACE_DOWN:
        return exile_face_down(g, c, rows, n, flags)
    if n == 0 or not move_group(g, rows, n, zone_to, where, under, (flags & MF_TAPPED) != 0):
        return 0
    if flags & MF_ATTACKING:
        for i in range(n):
            put_into_combat(g, c, rows[i], -1)
    for i in range(n if place else 0):
        if g.zone[rows[i]] == Z_LIBRARY:
            put_at(g, rows[i], place)
    keep(g, c, rows, n, flags)
    return n


cdef bint attacked_by(Game *g, uint16_t row, uint32_t id, uint16_t entrant) noexcept nogil:
    """The entrant attacks what this creature attacks or attacked."""
    cdef Facts f
    if id == 0 or not read_facts(g, row, id, P_LIVE_THEN_LKI, &f) or f.attacks == 0:
        return False
    g.attacks[entrant] = f.attacks
    g.blocks_row[entrant] = 0
    g.blocks_id[entrant] = 0
    if f.slot != NO_SLOT:
        g.blocks_row[entrant] = g.lki[f.slot].blocks_row
        g.blocks_id[entrant] = g.lki[f.slot].blocks_id
    elif g.blocks_id[row]:
        g.blocks_row[entrant] = g.blocks_row[row]
        g.blocks_id[entrant] = g.blocks_id[row]
    return True


cdef void put_into_combat(Game *g, const Ctx *c, uint16_t row, int whom) noexcept nogil:
    """CR 508.4: it enters attacking, without having been declared, what its controller chooses (`whom`: that player, or
    a planeswalker of the player); or what the creature attacked that was returned for it (702.49c)."""
    cdef Frame *f
    cdef uint16_t list = info_of(g, c)
    cdef int i
    cdef bint found = False
    if not STEP_DECLARE_ATTACKERS <= g.h.step <= STEP_END_COMBAT or g.h.n_attackers == 0:
        return
    if not g.types[row] & T_CREATURE or g.controller[row] != g.h.active:
        return  # CR 506.3b: only a creature, and only the active player's
    for i in range(chunk_len(g, list)):
        if not found and chunk_refs(g, list)[i].kind == RK_PAID:
            found = attacked_by(g, chunk_refs(g, list)[i].row, chunk_refs(g, list)[i].id, row)
    if not found:
        g.attacks[row] = <uint8_t>(1 + (whom if whom >= 0 else next_player(g, g.h.active)))
        if g.h.walkers or (whom < 0 and g.h.n_alive > 2):
            f = top_frame(g)
            if f.kind != F_JOIN:
                f = push_frame(g, F_JOIN, g.h.active)
            f.list = refs_add(g, f.list, g.id[row], row, RK_OBJECT)
            if f.list:
                chunk_refs(g, f.list)[chunk_len(g, f.list) - 1].flags = <uint8_t>(1 + whom)
    g.h.n_attackers += 1
    g.h.fighters_old = 1
    changed(g, RD_COMBAT)


cdef int destroy_objects(Game *g, const Ctx *c, int ref, int flags) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, ref, False, rows)
    cdef uint16_t *dying = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t umbra
    cdef int i, m
    cdef int k = 0
    settle(g)
    for i in range(n):
        if not can_die(g, rows[i]):
            continue
        if not flags & MF_NO_REGENERATION and regenerates(g, rows[i]):
            g.h.asks = 0  # it has happened: the instruction can't begin again with an answer about the others
            continue
        umbra = umbra_of(g, rows[i])
        if umbra and not can_die(g, umbra):
            continue
        umbra = umbra if umbra else rows[i]
        for m in range(k):
            if dying[m] == umbra:
                break
        else:
            dying[k] = umbra
            k += 1
    if k == 0 or not move_group(g, dying, k, Z_GRAVEYARD, TO_END, -1, False):
        return 0
    keep(g, c, dying, k, flags)
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


cdef int share_of(const Game *g, const Ctx *c, int spec, int kind, uint16_t row, uint32_t id) noexcept nogil:
    """CR 601.2d, 608.2i: as it was announced, whatever has become of the other targets."""
    cdef uint16_t info = info_of(g, c)
    cdef Ref *t
    cdef int i, k
    for i in range(chunk_len(g, c.targets)):
        t = &chunk_refs(g, c.targets)[i]
        if t.kind == kind and t.row == row and t.id == id and t.flags >> 1 == c.spec + spec:
            for k in range(chunk_len(g, info)):
                if chunk_refs(g, info)[k].kind == RK_DIVIDED and chunk_refs(g, info)[k].row == i:
                    return <int>chunk_refs(g, info)[k].id
    return 0


cdef inline int each_gets(const Game *g, const Ctx *c, int spec, int kind, uint16_t row, uint32_t id,
                          int amount) noexcept nogil:
    return amount if amount != DIVIDED else share_of(g, c, spec, kind, row, id)


cdef int deal(Game *g, const Ctx *c, int source_ref, int to, int amount) noexcept nogil:
    """The source, as it is or last was, deals damage (CR 120, 113.7a, 608.2h); returns how much in all."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int n, i, p, mask
    cdef int dealt = 0
    cdef int spec = g.cards.refs[to].a
    cdef Facts source
    cdef Dealing d
    if amount <= 0:
        return 0  # CR 107.1b, 120.8
    if g.h.rules:
        settle(g)
    if not ref_object(g, c, source_ref, &row, &id, &policy) or not read_facts(g, row, id, policy, &source):
        return 0
    n = objects_of(g, c, to, False, rows)
    mask = ref_players(g, c, to) if g.cards.refs[to].op != R_EACH else 0
    if can_ask(g) and damage_heeds(g):
        # CR 616.1: all that is to be chosen is chosen before any of it is dealt.
        for i in range(n):
            if damage_instead(g, &source, rows[i], g.controller[rows[i]],
                              each_gets(g, c, spec, RK_OBJECT, rows[i], g.id[rows[i]], amount), False, False,
                              &row) == ASKED:
                return 0
        for p in range(<int>g.lay.players):
            if mask >> p & 1 and damage_instead(g, &source, 0, p,
                                                each_gets(g, c, spec, RK_PLAYER, <uint16_t>p, 0, amount), False, False,
                                                &row) == ASKED:
                return 0
        g.h.asked = 0
        g.h.asks = 0
    g.h.tick += 1
    dealing_begin(&d)
    for i in range(n):
        dealt += deal_to_object(g, &d, &source, rows[i], each_gets(g, c, spec, RK_OBJECT, rows[i], g.id[rows[i]],
                                                                   amount), False)
    for p in range(<int>g.lay.players if mask else 0):
        if mask >> p & 1:
            dealt += deal_to_player(g, &d, &source, p, each_gets(g, c, spec, RK_PLAYER, <uint16_t>p, 0, amount), False)
    if g.h.asked:
        event_done(g)
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
    if heard(g, EV_ACTION):
        happened(g, EV_ACTION, a[0], g.id[a[0]], 0, 0, g.controller[a[0]], 0, KA_FIGHTS)
        if a[0] != b[0]:
            happened(g, EV_ACTION, b[0], g.id[b[0]], 0, 0, g.controller[b[0]], 0, KA_FIGHTS)


cdef void apply_changes(Game *g, const Ctx *c, int ref, int first, int n, int x, int y, int duration) noexcept nogil:
    """A continuous effect on each of them: the set is locked (CR 611.2c), the numbers too (608.2h)."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int k
    cdef int m
    if (duration == D_WHILE_SOURCE or duration == D_WHILE_CONTROLLED) and not (
            is_live(g, c.source_row, c.source_id) and g.zone[c.source_row] == Z_BATTLEFIELD):
        return  # CR 611.2b: it would end before it begins
    m = live_objects(g, c, ref, rows)
    for k in range(m):
        effect_change(g, rows[k], first, n, x, y, duration, c.controller, c.source_row, c.source_id)
    settle(g)


cdef void apply_to_players(Game *g, const Ctx *c, int players, int first, int n, int x, int y,
                           int duration) noexcept nogil:
    """What is said of players (CR 611.2, 613.10), one effect for each."""
    cdef int p
    for p in range(<int>g.lay.players):
        if players >> p & 1 and g.h.alive >> p & 1:
            effect_on_player(g, p, first, n, x, y, duration, c.controller, c.source_row, c.source_id)
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
    cdef int *amount = <int *>on_stack(g.lay.arena * sizeof(int))
    cdef int spec = g.cards.refs[ref].a
    cdef int k = 0
    cdef int n_found = objects_of(g, c, ref, True, rows)
    cdef int i
    if n == 0:
        return 0
    # On permanents, and on cards in exile (CR 122.1, 702.62).
    for i in range(n_found):
        if g.zone[rows[i]] == Z_BATTLEFIELD or g.zone[rows[i]] == Z_EXILE:
            rows[k] = rows[i]
            k += 1
    if n > 0 and g.h.replaces >> RP_COUNTERS & 1:
        # CR 616.1: for each of them its controller says what applies first, before any is put.
        for i in range(k):
            amount[i] = each_gets(g, c, spec, RK_OBJECT, rows[i], g.id[rows[i]], n)
            if g.zone[rows[i]] == Z_BATTLEFIELD:
                amount[i] = counters_instead(g, rows[i], kind, amount[i])
            if amount[i] == ASKED:
                return 0
        event_done(g)
        g.h.tick += 1
        for i in range(k):
            put_counters(g, rows[i], kind, amount[i])
    else:
        g.h.tick += 1
        for i in range(k):
            put_counters(g, rows[i], kind, each_gets(g, c, spec, RK_OBJECT, rows[i], g.id[rows[i]], n))
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
    if k and move_group(g, rows, k, Z_EXILE if flags & MF_EXILED else Z_GRAVEYARD, TO_END, -1, False):
        keep(g, c, rows, k, flags)


cdef void create(Game *g, const Ctx *c, int player, int n, int face, int flags, int whom) noexcept nogil:
    """Tokens (CR 111); they are what the instruction has moved, and may be linked to its source."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int k, i
    n = tokens_instead(g, player, n)
    if n <= 0:
        return  # (or `ASKED`)
    if g.h.asked:
        event_done(g)
    k = make_tokens(g, player, face, min(n, <int>g.lay.rows), (flags & MF_TAPPED) != 0, rows)
    for i in range(k):
        if flags & MF_LINK:
            # The token knows what made it: its size may depend on it (CR 604.7).
            extra_add(g, rows[i], RK_LINK, c.source_id, c.source_row, 0)
            dirty_all(g)
        if flags & MF_ATTACKING:
            put_into_combat(g, c, rows[i], whom)
    keep(g, c, rows, k, flags)
    settle(g)


cdef void followed(Game *g, const Ctx *c, int first, int ability) noexcept nogil:
    """The shields from entry number `first` on do something besides (CR 615.5)."""
    cdef int i
    if ability < 0 or c.source_id == 0:
        return
    for i in range(first, g.h.n_effects):
        g.effect[i].follows = <uint16_t>(1 + ability)
        g.effect[i].maker_row = c.source_row
        g.effect[i].maker_id = c.source_id


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


cdef void shield_from(Game *g, const Ctx *c, int from_, int ref, int amount, int duration, int flags,
                      int filter) noexcept nogil:
    """CR 609.7, 615: a shield against damage that one source would deal, whatever becomes of that source."""
    cdef Obj *obj = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int policy = 0
    cdef int n = ref_objects(g, c, from_, obj, &policy)
    cdef int i, k, p, mask
    cdef int m = objects_of(g, c, ref, False, rows) if ref >= 0 else 0
    cdef uint32_t first = g.h.n_effects
    for i in range(n):
        if ref < 0:
            effect_add(g, EK_PREVENT, 0, 0, 0, flags, amount, duration, c.controller, obj[i].row, obj[i].id)
            continue
        for k in range(m):
            effect_add(g, EK_PREVENT, rows[k], g.id[rows[k]], 0, flags, amount, duration, c.controller, obj[i].row,
                       obj[i].id)
        mask = ref_players(g, c, ref)
        for p in range(<int>g.lay.players):
            if mask >> p & 1:
                effect_add(g, EK_PREVENT, 0, 0, 1 + p, flags, amount, duration, c.controller, obj[i].row, obj[i].id)
    for i in range(<int>first, g.h.n_effects):
        g.effect[i].y = <int16_t>(1 + filter)  # CR 615.9: asked again when the damage would be dealt


cdef inline bint still_there(const Game *g, uint16_t row, uint32_t id) noexcept nogil:
    """It has not left the battlefield: phasing out is no change of zones (CR 702.26d)."""
    return is_live(g, row, id) and (g.zone[row] == Z_BATTLEFIELD or g.zone[row] == Z_PHASED_OUT)


cdef void exile_until(Game *g, const Ctx *c, int ref) noexcept nogil:
    """CR 610.3a: if the source has left already, nothing is exiled."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint8_t *zone = <uint8_t *>on_stack(g.lay.arena)
    cdef int n, i
    if not still_there(g, c.source_row, c.source_id):
        return
    n = objects_of(g, c, ref, True, rows)
    for i in range(n):
        zone[i] = g.zone[rows[i]]
    if n == 0 or not move_group(g, rows, n, Z_EXILE, TO_END, -1, False):
        return
    keep(g, c, rows, n, MF_KEEP)
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
        if e.kind != EK_RETURN or still_there(g, e.source_row, e.source_id):
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
