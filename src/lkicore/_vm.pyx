"""The interpreter: one instruction of an effect after another (CR 608.2c).

The frame that resolves holds the program counter (`a`) and survives choices; nothing else does.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from lkicore._damage cimport change_life, damage_object, damage_player
from lkicore._entries cimport entry_context, entry_of, leave_stack
from lkicore._expr cimport Ctx, Facts, can_die, passes, read_facts, ref_object, ref_players, value
from lkicore._game cimport (add_option, answer_of, NO_ANSWER, NO_PLAYER, in_game, next_player, open_choice, push_frame,
                            top_frame)
from lkicore._history cimport log_event
from lkicore._layers cimport effect_add, settle
from lkicore._layout cimport Frame, Game, Option
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, touched, trace, zone_first, zone_list
from lkicore._types cimport Node
from lkicore._zones cimport (TO_END, begin_event, change_zone, draw, make_token, move_one, put_counters, record,
                             shuffle, tap, untap)

cdef enum:
    MAX_GROUP = 18432   # rows of the largest block


cdef int objects_of(Game *g, const Ctx *c, int ref, bint cards, uint16_t *rows) noexcept nogil:
    """Live permanents that an instruction acts on: acting needs the very object (CR 400.7).

    `cards`: cards in graveyards and exile too, for instructions that move them.
    """
    cdef const Node *n = &g.cards.refs[ref]
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int k = 0
    if n.op == R_EACH:
        row = g.z_head[Z_BATTLEFIELD * g.lay.players]
        while row:
            if not g.status[row] & ST_PHASED_OUT and passes(g, c, n.a, row):
                rows[k] = row
                k += 1
            row = g.znext[row]
        return k
    if (ref_object(g, c, ref, &row, &id, &policy) and is_live(g, row, id) and not g.status[row] & ST_PHASED_OUT
            and (g.zone[row] == Z_BATTLEFIELD or (cards and (g.zone[row] == Z_GRAVEYARD or g.zone[row] == Z_EXILE)))):
        rows[0] = row
        return 1
    return 0


cdef void move_group(Game *g, const Ctx *c, int ref, int zone_to, bint destroy) noexcept nogil:
    """Destroy, exile or return: one event for all of them (CR 608.2f)."""
    cdef uint16_t rows[MAX_GROUP]
    cdef int n = objects_of(g, c, ref, not destroy, rows)
    cdef int i
    cdef int kept = 0
    if destroy:
        for i in range(n):
            if can_die(g, rows[i]):
                rows[kept] = rows[i]
                kept += 1
        n = kept
    settle(g)
    if n == 0 or not begin_event(g, n):
        return
    for i in range(n):
        record(g, rows[i], zone_to)
        if zone_to == Z_GRAVEYARD and g.types[rows[i]] & T_CREATURE:
            log_event(g, H_DIED, g.controller[rows[i]], rows[i], g.id[rows[i]], 0, 0, 0)
    for i in range(n):
        change_zone(g, rows[i], zone_to, TO_END)


cdef void deal(Game *g, const Ctx *c, int source_ref, int to, int amount) noexcept nogil:
    """The source, as it is or last was, deals damage (CR 120, 113.7a, 608.2h)."""
    cdef uint16_t rows[MAX_GROUP]
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int n, i, p, mask
    cdef Facts source
    if amount <= 0:
        return  # CR 107.1b, 120.8
    if not ref_object(g, c, source_ref, &row, &id, &policy) or not read_facts(g, row, id, policy, &source):
        return
    g.h.tick += 1
    n = objects_of(g, c, to, False, rows)
    for i in range(n):
        damage_object(g, &source, rows[i], amount, False)
    if g.cards.refs[to].op != R_EACH:
        mask = ref_players(g, c, to)
        for p in range(<int>g.lay.players):
            if mask >> p & 1:
                damage_player(g, &source, p, amount, False)


cdef void fight(Game *g, const Ctx *c, int one, int two) noexcept nogil:
    """CR 701.14: only if both are on the battlefield, creatures and legal; no last known information (701.14b)."""
    cdef uint16_t a[1]
    cdef uint16_t b[1]
    cdef Facts fa
    cdef Facts fb
    if g.cards.refs[one].op == R_EACH or g.cards.refs[two].op == R_EACH:
        return
    if objects_of(g, c, one, False, a) == 0 or objects_of(g, c, two, False, b) == 0:
        return
    if not g.types[a[0]] & T_CREATURE or not g.types[b[0]] & T_CREATURE:
        return
    read_facts(g, a[0], g.id[a[0]], P_RULE_LKI, &fa)
    read_facts(g, b[0], g.id[b[0]], P_RULE_LKI, &fb)
    g.h.tick += 1
    damage_object(g, &fa, b[0], fa.power, False)
    damage_object(g, &fb, a[0], fb.power, False)


cdef void pump(Game *g, const Ctx *c, int ref, int power, int toughness, uint64_t keywords) noexcept nogil:
    cdef uint16_t rows[MAX_GROUP]
    cdef int n = objects_of(g, c, ref, False, rows)
    cdef int i
    for i in range(n):
        effect_add(g, rows[i], power, toughness, keywords, D_END_OF_TURN, c.controller, c.source_row, c.source_id)
        trace(g, TR_PUMP, g.defn[rows[i]], power, toughness, 0, g.id[rows[i]])
    settle(g)


cdef void tap_group(Game *g, const Ctx *c, int ref, bint to_tapped) noexcept nogil:
    cdef uint16_t rows[MAX_GROUP]
    cdef int n = objects_of(g, c, ref, False, rows)
    cdef int i
    g.h.tick += 1
    for i in range(n):
        if to_tapped:
            tap(g, rows[i])
        else:
            untap(g, rows[i])


cdef void counters_group(Game *g, const Ctx *c, int ref, int kind, int n) noexcept nogil:
    cdef uint16_t rows[MAX_GROUP]
    cdef int k = objects_of(g, c, ref, False, rows)
    cdef int i
    if n <= 0:
        return
    g.h.tick += 1
    for i in range(k):
        put_counters(g, rows[i], kind, n)
    settle(g)


cdef void mill(Game *g, int player, int n) noexcept nogil:
    """CR 701.17: the top cards go to the graveyard together."""
    cdef int k = zone_list(g, Z_LIBRARY, player)
    cdef uint16_t row, after
    cdef int left
    n = min(n, <int>g.z_n[k])
    left = n
    if n <= 0 or not begin_event(g, n):
        return
    row = g.z_head[k]
    while left:
        record(g, row, Z_GRAVEYARD)
        row = g.znext[row]
        left -= 1
    row = g.z_head[k]
    while n:
        n -= 1
        after = g.znext[row]
        change_zone(g, row, Z_GRAVEYARD, TO_END)
        row = after


cdef bint search(Game *g, const Ctx *c, Frame *f, const int32_t *w) noexcept nogil:
    """CR 701.23: choose a card with the quality, or none; put it there; shuffle. True when the choice is open.

    Cards that are alike are one option: the player sees the whole library, in no order.
    """
    cdef int player = 0
    cdef int mask = ref_players(g, c, w[1])
    cdef uint16_t row, other
    cdef bint seen
    cdef Option *o
    if mask == 0:
        return False
    while not mask >> player & 1:
        player += 1
    if g.h.answer == NO_ANSWER:
        open_choice(g, CH_SEARCH, player)
        row = zone_first(g, Z_LIBRARY, player)
        while row:
            if passes(g, c, w[2], row):
                seen = False
                other = zone_first(g, Z_LIBRARY, player)
                while other != row and not seen:
                    seen = g.defn[other] == g.defn[row]
                    other = g.znext[other]
                if not seen:
                    add_option(g, O_OBJECT, row, 0, NO_PLAYER)
            row = g.znext[row]
        add_option(g, O_NO, 0, 0, NO_PLAYER)
        return True
    o = answer_of(g)
    g.h.answer = NO_ANSWER
    if o.kind == O_OBJECT:
        row = o.row
        move_one(g, row, w[3], TO_END)
        if w[3] == Z_BATTLEFIELD and w[4]:
            tap(g, row)
    shuffle(g, player)
    return False


cdef bint discard(Game *g, int players, int n) noexcept nogil:
    """CR 701.9: each of the players chooses cards to discard, the active player first (101.4)."""
    cdef int i, _
    cdef int p = g.h.active
    cdef int order[8]
    cdef int k = 0
    cdef Frame *f
    if n <= 0:
        return False
    if not in_game(g, p):
        p = next_player(g, p)
    for _ in range(<int>g.h.n_alive):
        if players >> p & 1 and g.z_n[zone_list(g, Z_HAND, p)]:
            order[k] = p
            k += 1
        p = next_player(g, p)
    # The frame on top runs first.
    for i in range(k - 1, -1, -1):
        f = push_frame(g, F_DISCARD, order[i])
        f.a = n
    return k > 0


cdef int run_program(Game *g, int entry) noexcept nogil:
    """Run the frame's program on; VM_WAIT when a player must choose."""
    cdef Frame *f = top_frame(g)
    cdef const int32_t *w
    cdef Ctx c
    cdef int op, p, n, m, mask, i, _i, _m
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef bint known
    cdef const Node *k
    entry_context(g, entry, &c)
    while g.h.status == GS_RUNNING:
        w = &g.cards.code[f.a]
        op = w[0]
        known = True
        if op == E_END:
            return VM_DONE
        if op == E_SEARCH_LAND:
            if search(g, &c, f, w):
                return VM_WAIT
            f.a += 5
            continue
        f.a += 5
        if op == E_DAMAGE:
            n = value(g, &c, w[3], &known)
            if known:
                deal(g, &c, w[1], w[2], n)
        elif op == E_DESTROY:
            move_group(g, &c, w[1], Z_GRAVEYARD, True)
        elif op == E_EXILE:
            move_group(g, &c, w[1], Z_EXILE, False)
        elif op == E_RETURN:
            move_group(g, &c, w[1], Z_HAND, False)
        elif op == E_PUMP:
            n = value(g, &c, w[2], &known)
            m = value(g, &c, w[3], &known)
            k = &g.cards.values[w[4]]
            if known:
                pump(g, &c, w[1], n, m, <uint64_t><uint32_t>k.a | <uint64_t><uint32_t>k.b << 32)
        elif op == E_TAP or op == E_UNTAP:
            tap_group(g, &c, w[1], op == E_TAP)
        elif op == E_COUNTERS:
            n = value(g, &c, w[3], &known)
            if known:
                counters_group(g, &c, w[1], w[2], n)
        elif op == E_FIGHT:
            fight(g, &c, w[1], w[2])
        elif op == E_COUNTER:
            if ref_object(g, &c, w[1], &row, &id, &policy) and is_live(g, row, id) and g.zone[row] == Z_STACK:
                trace(g, TR_COUNTERED, g.defn[row], 0, 0, 0, id)
                leave_stack(g, row, Z_GRAVEYARD)
                if row == c.self_row:
                    return VM_DONE  # it countered itself: nothing is left of it (CR 608.2m)
                # The entries below may have moved.
                entry_context(g, entry_of(g, c.self_row), &c)
        elif op == E_MANA:
            n = value(g, &c, w[2], &known)
            for i in range(6):
                if w[1] >> i & 1 and known and n > 0:
                    n = min(n, 60000 - <int>g.p_pool_n[c.controller])
                    g.p_pool[c.controller * 6 + i] += <uint16_t>n
                    g.p_pool_n[c.controller] += <uint16_t>n
                    g.h.pools = 1
                    touched(g)
                    trace(g, TR_MANA, c.controller, i, g.defn[c.self_row], n, 0)
                    break
        else:
            mask = ref_players(g, &c, w[1])
            n = value(g, &c, w[2], &known)
            if not known or mask == 0:
                continue
            if op == E_DISCARD:
                if discard(g, mask, n):
                    return VM_WAIT
                continue
            p = g.h.active if in_game(g, g.h.active) else next_player(g, g.h.active)
            for _i in range(<int>g.h.n_alive):  # CR 101.4
                if mask >> p & 1:
                    if op == E_DRAW:
                        for _m in range(n):
                            if not draw(g, p) or g.h.status != GS_RUNNING:
                                break
                    elif op == E_GAIN_LIFE:
                        change_life(g, p, max(n, 0))
                    elif op == E_LOSE_LIFE:
                        change_life(g, p, -max(n, 0))
                    elif op == E_MILL:
                        mill(g, p, n)
                    elif op == E_TOKEN:
                        g.h.tick += 1
                        for _m in range(n):
                            if make_token(g, p, w[3]) == 0:
                                break
                p = next_player(g, p)
    return VM_DONE
