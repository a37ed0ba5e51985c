"""The interpreter: one instruction of an effect after another (CR 608.2c).

The frame that resolves holds all that survives a choice: `a` the program counter, `b` how far the instruction has got
(0: not begun), `c` its own, `d` the result of the last instruction, `list` what it collects. What later instructions
refer to (moved, picked, paid) stands in the list of the spell or ability itself.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport ability_of
from lkicore._actions cimport (apply_changes, counters_objects, create, deal, destroy_objects, exile_until, fight,
                               forget, mill, move_objects, objects_of, remember, returns_due, sacrifice_objects, shield,
                               tap_objects)
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._attach cimport attach, can_be_attached
from lkicore._costs cimport Price, find_payment, offer_cost, parts_payable, pay_parts
from lkicore._damage cimport change_life, player_counters
from lkicore._delayed cimport delay
from lkicore._enter cimport entering
from lkicore._entries cimport entry_of
from lkicore._expr cimport (Ctx, Facts, Obj, holds, info_of, passes, passes_player, read_facts,
                            ref_object, ref_objects, ref_players, value)
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, in_game, next_player, open_choice, push_frame,
                            top_frame)
from lkicore._guard cimport on_stack, rare
from lkicore._layers cimport changed, settle
from lkicore._layout cimport Frame, Game, Option
from lkicore._look cimport dig, scry, search
from lkicore._mana cimport pay_auto
from lkicore._opcodes cimport *
from lkicore._status cimport leave_combat
from lkicore._store cimport PRIVATE_ZONES, is_live, touched, trace, zone_count, zone_first
from lkicore._triggers cimport happened, heard, trigger_add
from lkicore._types cimport Ability, WORDS
from lkicore._zones cimport draw, leave_stack, sacrifice_group, shuffle

cdef enum:
    MOST_DRAWN = 1000   # cards, tokens and turns of one instruction: more would not end


cdef int one_of(int mask) noexcept nogil:
    """The first player of a bit set, -1 none."""
    cdef int p
    for p in range(8):
        if mask >> p & 1:
            return p
    return -1


cdef int apnap(const Game *g, int mask, int *order) noexcept nogil:
    """Players of a bit set who are in the game, the active player first (CR 101.4)."""
    cdef int p = g.h.active if in_game(g, g.h.active) else next_player(g, g.h.active)
    cdef int n = 0
    cdef int _
    for _ in range(<int>g.h.n_alive):
        if mask >> p & 1:
            order[n] = p
            n += 1
        p = next_player(g, p)
    return n


cdef bint discard(Game *g, const Ctx *c, const int32_t *w, int players, int n) noexcept nogil:
    """CR 701.9: each of the players chooses cards to discard, or chance does."""
    cdef int order[8]
    cdef int i
    cdef int k = 0
    cdef int m
    cdef Frame *f
    if n <= 0:
        return False
    forget(g, c, RK_MOVED)
    m = apnap(g, players, order)
    for i in range(m):
        if zone_count(g, Z_HAND, order[i]):
            order[k] = order[i]
            k += 1
    # The frame on top runs first.
    for i in range(k - 1, -1, -1):
        f = push_frame(g, F_DISCARD, order[i])
        f.a = n
        f.b = w[3]
        f.c = w[4]
    return k > 0


cdef enum:
    BEGUN = 1 << 16


cdef int next_edict(Game *g, const Ctx *c, Frame *f, const int32_t *w, int players, int n) noexcept nogil:
    """CR 701.21, 101.4: the players choose in turn; all that was chosen is sacrificed together.

    f.b: bit set of the players who are done, and a bit that it has begun; f.c: how many the present one has chosen;
    f.list: all chosen.
    """
    cdef int order[8]
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef Option *o
    cdef Ctx his = c[0]
    cdef uint16_t row
    cdef int m = apnap(g, players, order)
    cdef int i, k, p
    if f.b == 0:
        f.b = BEGUN
        f.c = 0
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        f.list = refs_add(g, f.list, o.id, o.row, RK_OBJECT)
        f.c += 1
    for k in range(m):
        p = order[k]
        if f.b >> p & 1:
            continue
        if f.c < n:
            his.controller = <uint8_t>p
            open_choice(g, CH_SACRIFICE, p)
            row = zone_first(g, Z_BATTLEFIELD, 0)
            while row:
                if (g.controller[row] == p and not rare(g.status[row] & ST_PHASED_OUT)
                        and passes(g, &his, w[3], row) and not listed(g, f.list, g.id[row])):
                    add_option(g, O_OBJECT, row, 0, NO_PLAYER)
                row = g.znext[row]
            if g.h.n_options > n - f.c or (g.h.n_options and not g.h.options_mask & EO_COLLAPSE):
                return VM_WAIT
            # All that is left: no choice.
            for i in range(g.h.n_options):
                f.list = refs_add(g, f.list, g.option[i].id, g.option[i].row, RK_OBJECT)
            g.h.choice = CH_NONE
            g.h.n_options = 0
        f.b |= 1 << p
        f.c = 0
    m = 0
    for i in range(chunk_len(g, f.list)):
        if is_live(g, chunk_refs(g, f.list)[i].row, chunk_refs(g, f.list)[i].id):
            rows[m] = chunk_refs(g, f.list)[i].row
            m += 1
    chunk_free(g, f.list)
    f.list = 0
    f.d = m
    if m and sacrifice_group(g, rows, m):
        forget(g, c, RK_MOVED)
        for i in range(m):
            remember(g, c, RK_MOVED, g.id[rows[i]], rows[i], 0)
    return VM_DONE


cdef bint listed(const Game *g, uint16_t list, uint32_t id) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].id == id:
            return True
    return False


cdef int next_pick(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 608.2d: objects chosen on resolution, between value w[3] and value w[4] of them.

    f.b: 1 + how many are chosen.
    """
    cdef bint known = True
    cdef int least = value(g, c, w[3], &known)
    cdef int most = value(g, c, w[4], &known)
    cdef int zone = w[5]
    cdef int p
    cdef Ctx his = c[0]
    cdef Option *o
    cdef uint16_t row
    if f.b == 0:
        f.b = 1
        if not w[6] & PF_ADD:
            forget(g, c, RK_PICKED)
            forget(g, c, RK_PICKED_PLAYER)
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind == O_DONE:
            return VM_DONE
        remember(g, c, RK_PICKED, o.id, o.row, 0)
        f.b += 1
    if f.b - 1 >= most or not known:
        return VM_DONE
    open_choice(g, CH_PICK, player)
    for p in range(<int>g.lay.players if PRIVATE_ZONES >> zone & 1 else 1):
        if w[6] & PF_OWN and PRIVATE_ZONES >> zone & 1 and p != player:
            continue
        row = zone_first(g, zone, p)
        while row:
            if (not rare(g.status[row] & ST_PHASED_OUT) and passes(g, &his, w[2], row)
                    and not (zone == Z_BATTLEFIELD and w[6] & PF_OWN and g.controller[row] != player)
                    and not picked(g, c, g.id[row])):
                if w[6] & PF_HIDDEN:
                    g.known_to[row] |= <uint8_t>(1 << player)
                add_option(g, O_OBJECT, row, 0, NO_PLAYER)
            row = g.znext[row]
    if g.h.n_options == 0:
        g.h.choice = CH_NONE
        return VM_DONE
    if f.b - 1 >= least:
        add_option(g, O_DONE, 0, 0, NO_PLAYER)
    return VM_WAIT


cdef bint picked(const Game *g, const Ctx *c, uint32_t id) noexcept nogil:
    cdef uint16_t list = info_of(g, c)
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_PICKED and chunk_refs(g, list)[i].id == id:
            return True
    return False


cdef int pick_player(Game *g, const Ctx *c, const int32_t *w, int player) noexcept nogil:
    cdef int p
    if g.h.answer != NO_ANSWER:
        p = answer_of(g).player
        g.h.answer = NO_ANSWER
        forget(g, c, RK_PICKED)
        forget(g, c, RK_PICKED_PLAYER)
        remember(g, c, RK_PICKED_PLAYER, 0, <uint16_t>p, 0)
        return VM_DONE
    open_choice(g, CH_PICK, player)
    for p in range(<int>g.lay.players):
        if in_game(g, p) and passes_player(g, c, w[2], p):
            add_option(g, O_PLAYER, 0, 0, p)
    if g.h.n_options:
        return VM_WAIT
    g.h.choice = CH_NONE
    return VM_DONE


cdef int pick_color(Game *g, const Ctx *c, int player) noexcept nogil:
    cdef int k
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).num
        g.h.answer = NO_ANSWER
        forget(g, c, RK_CHOSEN)
        remember(g, c, RK_CHOSEN, <uint32_t>(1 << k), 0, CN_COLOR)
        return VM_DONE
    open_choice(g, CH_COLOR, player)
    for k in range(5):
        add_option(g, O_COLOR, 0, k, NO_PLAYER)
    return VM_WAIT


cdef int chosen_color(const Game *g, const Ctx *c) noexcept nogil:
    """Number of the colour chosen for the spell or ability, 0 none."""
    cdef uint16_t list = info_of(g, c)
    cdef int i, k
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_CHOSEN and chunk_refs(g, list)[i].flags == CN_COLOR:
            for k in range(5):
                if chunk_refs(g, list)[i].id >> k & 1:
                    return k
    return 0


cdef int ask_may(Game *g, Frame *f, int player, int chunk) noexcept nogil:
    """A yes or no: 1 yes, 0 no, -1 the choice is open."""
    cdef bint yes
    if g.h.answer != NO_ANSWER:
        yes = answer_of(g).kind == O_YES
        g.h.answer = NO_ANSWER
        return yes
    open_choice(g, chunk, player)
    add_option(g, O_NO, 0, 0, NO_PLAYER)
    add_option(g, O_YES, 0, 0, NO_PLAYER)
    return -1


cdef int ask_payment(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 118.12: a player may pay; 1 paid, 0 not, -1 a choice is open.

    f.b: 0 not asked, 1 asked, 2 chooses what to pay with; f.c: offset of the parts' numbers.
    """
    cdef const Ability *a = ability_of(g, w[2])
    cdef Ctx his = c[0]
    cdef Price price
    cdef bint known = True
    cdef int x = value(g, c, w[4], &known) if w[4] >= 0 else 0
    his.controller = <uint8_t>player
    his.x = <int16_t>x
    his.self_id = 0
    price.mana = a.cost
    price.mana.hi += <unsigned long long>max(0, a.n_x * x) << 32
    price.hybrid = a.hybrid
    price.n_hybrid = a.n_hybrid
    if f.b == 0:
        if not known or not parts_payable(g, &his, a.first_cost, a.n_costs) or not find_payment(g, player, &price, 0):
            return 0
        f.b = 1
    if f.b == 1:
        x = ask_may(g, f, player, CH_PAY_COST)
        if x <= 0:
            return x
        f.b = 2
        forget(g, c, RK_PAID)
    if g.h.answer != NO_ANSWER:
        remember(g, c, RK_PAID, answer_of(g).id, answer_of(g).row, answer_of(g).num)
        g.h.answer = NO_ANSWER
    if offer_cost(g, &his, a.first_cost, a.n_costs, 0, info_of(g, c)):
        return -1
    if not find_payment(g, player, &price, 0) or not pay_auto(g, player, &price.mana):
        return 0
    if price.life:
        change_life(g, player, -price.life)
    pay_parts(g, &his, a.first_cost, a.n_costs, 0, info_of(g, c))
    return 1


cdef void counter_objects(Game *g, const Ctx *c, const int32_t *w, Ctx *after) noexcept nogil:
    """CR 701.6a: a spell goes to its owner's graveyard, or where the instruction says; an ability ceases to exist."""
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    if not ref_object(g, c, w[1], &row, &id, &policy) or not is_live(g, row, id) or g.zone[row] != Z_STACK:
        return
    if g.keywords[row] & K_CANT_BE_COUNTERED:
        return
    trace(g, TR_COUNTERED, g.defn[row], 0, 0, 0, id)
    if heard(g, EV_COUNTERED):
        happened(g, EV_COUNTERED, row, id, 0, 0, g.controller[row], 0, 0)  # CR 603.10e
    leave_stack(g, row, w[2] if w[2] else Z_GRAVEYARD, 0)
    # The entries below, and the lists of targets with them, may have moved.
    if after.self_id and is_live(g, after.self_row, after.self_id):
        after.targets = g.stack[entry_of(g, after.self_row)].targets
    else:
        after.targets = 0


cdef void attach_objects(Game *g, const Ctx *c, int what, int to) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t *host = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    if objects_of(g, c, what, False, rows) != 1 or objects_of(g, c, to, False, host) != 1:
        return
    if can_be_attached(g, rows[0], host[0]):
        g.h.tick += 1
        attach(g, rows[0], host[0])
        settle(g)


cdef void trigger_reflexive(Game *g, const Ctx *c, int ability, int result) noexcept nogil:
    """CR 603.12: it triggers at once, about what the instruction before it moved."""
    cdef uint16_t list = info_of(g, c)
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef Facts f
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_MOVED:
            row = chunk_refs(g, list)[i].row
            id = chunk_refs(g, list)[i].id
            break
    if id:
        # As it was before it moved: "its power" is last known (CR 608.2h); what it became is EVENT_CARD.
        for i in range(g.h.lki_limit):
            if g.lki[i].id and g.lki[i].became == id:
                row = g.lki[i].row
                id = g.lki[i].id
                break
    read_facts(g, c.source_row, c.source_id, P_LIVE_THEN_LKI, &f)
    trigger_add(g, ability, f.defn, c.source_row, c.source_id, c.controller, row, id, 0, 0, NO_PLAYER, result, c.x)


cdef void delay_ability(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    cdef Obj *about = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef int policy = 0
    cdef Facts f
    cdef int n = 0
    cdef int i
    read_facts(g, c.source_row, c.source_id, P_LIVE_THEN_LKI, &f)
    if w[2] < 0:
        delay(g, w[1], f.defn, 0, 0, w[3], c.controller, c.x, c.source_row, c.source_id)
        return
    n = ref_objects(g, c, w[2], about, &policy)
    for i in range(n):
        delay(g, w[1], f.defn, about[i].row, about[i].id, w[3], c.controller, c.x, c.source_row, c.source_id)


cdef void link_objects(Game *g, const Ctx *c, int ref, int number) noexcept nogil:
    cdef Obj *obj = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef Ctx his = c[0]
    cdef int policy = 0
    cdef int n = ref_objects(g, c, ref, obj, &policy)
    cdef int i
    his.self_row = c.source_row
    his.self_id = c.source_id
    for i in range(n):
        remember(g, &his, RK_LINK, obj[i].id, obj[i].row, number)


cdef bint player_action(Game *g, const Ctx *c, const int32_t *w, int p, int n, int *done) noexcept nogil:
    """Instructions that are carried out player by player (CR 101.4); false: no further player."""
    cdef int op = w[0]
    if op == E_DRAW:
        for _ in range(min(n, <int>MOST_DRAWN)):
            if not draw(g, p) or g.h.status != GS_RUNNING:
                break
            done[0] += 1
    elif op == E_GAIN_LIFE:
        change_life(g, p, max(n, 0))
        done[0] += max(n, 0)
    elif op == E_LOSE_LIFE:
        change_life(g, p, -max(n, 0))
        done[0] += max(n, 0)
    elif op == E_MILL:
        mill(g, c, p, n, w[3])
    elif op == E_TOKEN:
        create(g, c, p, min(n, <int>MOST_DRAWN), w[3], w[4])
    return g.h.status == GS_RUNNING


cdef void copy_tokens(Game *g, const Ctx *c, const int32_t *w, int player, int n) noexcept nogil:
    """CR 707.2, 111.12: tokens that are copies of an object as it is or last was."""
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef Facts f
    if ref_object(g, c, w[3], &row, &id, &policy) and read_facts(g, row, id, policy, &f):
        create(g, c, player, min(n, <int>MOST_DRAWN), f.defn, w[4])


cdef bint possible(Game *g, Ctx *c, const int32_t *w) noexcept nogil:
    """CR 608.2d: what can't be carried out is no option: an instruction that acts on objects, and there are none."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int op = w[0]
    if (op == E_COUNTERS or op == E_REMOVE_COUNTERS or op == E_TAP or op == E_UNTAP or op == E_DESTROY
            or op == E_SACRIFICE):
        return objects_of(g, c, w[1], False, rows) > 0
    if op == E_EXILE or op == E_RETURN or op == E_MOVE:
        return objects_of(g, c, w[1], True, rows) > 0
    return True


cdef int run_program(Game *g, Ctx *c) noexcept nogil:
    """Run the frame's program on; VM_WAIT when a player must choose."""
    cdef Frame *f = top_frame(g)
    cdef const int32_t *w
    cdef int op, n, m, mask
    cdef bint known
    while g.h.status == GS_RUNNING:
        w = &g.cards.code[f.a]
        op = w[0]
        known = True
        c.result = <int16_t>f.d
        if g.h.shields & 1 << EK_RETURN:
            returns_due(g)
            if entering(g):
                return VM_WAIT
        if op == E_END:
            return VM_DONE
        # Control, and instructions that may open a choice: they go on where they stand.
        if op == E_JUMP:
            f.a = w[1]
            continue
        if op == E_UNLESS:
            f.a = f.a + WORDS if holds(g, c, w[1]) else w[2]
            continue
        if op == E_MAY:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            n = ask_may(g, f, n, CH_MAY) if n >= 0 and (g.h.answer != NO_ANSWER or possible(g, c, w + WORDS)) else 0
            if n < 0:
                return VM_WAIT
            f.a = f.a + WORDS if n else w[2]
            continue
        if op == E_PAY:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            n = ask_payment(g, c, f, w, n) if n >= 0 else 0
            if n < 0:
                return VM_WAIT
            f.b = 0
            f.a = f.a + WORDS if n else w[3]
            continue
        if op == E_EDICT:
            n = value(g, c, w[2], &known)
            if known and next_edict(g, c, f, w, ref_players(g, c, w[1]), n) == VM_WAIT:
                return VM_WAIT
        elif op == E_PICK or op == E_PICK_PLAYER or op == E_PICK_COLOR:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0:
                m = (next_pick(g, c, f, w, n) if op == E_PICK else pick_player(g, c, w, n) if op == E_PICK_PLAYER
                     else pick_color(g, c, n))
                if m == VM_WAIT:
                    return VM_WAIT
        elif op == E_SEARCH_LAND or op == E_SCRY or op == E_SURVEIL or op == E_DIG:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0:
                m = (search(g, c, f, w, n) if op == E_SEARCH_LAND else dig(g, c, f, w, n) if op == E_DIG
                     else scry(g, c, f, w, n))
                if m:
                    return VM_WAIT
        elif op == E_DISCARD:
            mask = ref_players(g, c, w[1])
            n = value(g, c, w[2], &known)
            if known and mask and discard(g, c, w, mask, n):
                f.a += WORDS
                f.b = 0
                return VM_WAIT
        else:
            run_plain(g, c, f, w)
        if f.list:
            # A player left in the middle of it: what was collected is nobody's.
            chunk_free(g, f.list)
            f.list = 0
        f.a += WORDS
        f.b = 0
        f.c = 0
        if entering(g):
            return VM_WAIT
    return VM_DONE


cdef void run_plain(Game *g, Ctx *c, Frame *f, const int32_t *w) noexcept nogil:
    """An instruction without a choice."""
    cdef int op = w[0]
    cdef int n, m, i, x, y, mask
    cdef int done = 0
    cdef int order[8]
    cdef bint known = True
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    if op == E_DAMAGE:
        n = value(g, c, w[3], &known)
        f.d = deal(g, c, w[1], w[2], n) if known else 0
    elif op == E_DESTROY:
        f.d = destroy_objects(g, c, w[1], w[2])
    elif op == E_EXILE:
        f.d = move_objects(g, c, w[1], Z_EXILE, w[2], -1)
    elif op == E_RETURN:
        f.d = move_objects(g, c, w[1], Z_HAND, w[2], -1)
    elif op == E_MOVE:
        m = one_of(ref_players(g, c, w[4])) if w[4] >= 0 else -1
        f.d = move_objects(g, c, w[1], w[2], w[3], m)
    elif op == E_SACRIFICE:
        f.d = sacrifice_objects(g, c, w[1], w[2])
    elif op == E_APPLY:
        x = value(g, c, w[4], &known)
        y = value(g, c, w[5], &known)
        for i in range(w[3]):
            if g.cards.changes[w[2] + i].op == X_ADD_CHOSEN_ABILITY:
                x = chosen_color(g, c)
        if known:
            apply_changes(g, c, w[1], w[2], w[3], clamped(x), clamped(y), w[6])
    elif op == E_TAP or op == E_UNTAP:
        tap_objects(g, c, w[1], op == E_TAP)
    elif op == E_COUNTERS or op == E_REMOVE_COUNTERS:
        n = value(g, c, w[3], &known)
        if known and n > 0:
            f.d = counters_objects(g, c, w[1], w[2], n if op == E_COUNTERS else -n)
    elif op == E_FIGHT:
        fight(g, c, w[1], w[2])
    elif op == E_COUNTER:
        counter_objects(g, c, w, c)
    elif op == E_MANA:
        n = value(g, c, w[2], &known)
        for i in range(6):
            if w[1] >> i & 1 and known and n > 0:
                n = min(n, 60000 - <int>g.p_pool_n[c.controller])
                g.p_pool[c.controller * 6 + i] += <uint16_t>n
                g.p_pool_n[c.controller] += <uint16_t>n
                g.h.pools = 1
                touched(g)
                trace(g, TR_MANA, c.controller, i, g.defn[c.self_row], n, 0)
                break
    elif op == E_REGENERATE:
        shield(g, c, EK_REGENERATE, w[1], 0, D_END_OF_TURN, 0)
    elif op == E_PREVENT:
        n = value(g, c, w[2], &known) if w[2] >= 0 else 0
        if known:
            shield(g, c, EK_PREVENT, w[1], n, w[3], w[4])
    elif op == E_EXILE_INSTEAD:
        shield(g, c, EK_EXILE_INSTEAD, w[1], 0, w[2], 0)
    elif op == E_EXILE_UNTIL:
        exile_until(g, c, w[1])
    elif op == E_DELAY:
        delay_ability(g, c, w)
    elif op == E_REFLEXIVE:
        trigger_reflexive(g, c, w[1], f.d)
    elif op == E_ATTACH:
        attach_objects(g, c, w[1], w[2])
    elif op == E_LINK:
        link_objects(g, c, w[1], w[2])
    elif op == E_REMOVE_FROM_COMBAT:
        m = objects_of(g, c, w[1], False, rows)
        for i in range(m):
            leave_combat(g, rows[i])
        changed(g, RD_COMBAT)
    else:
        mask = ref_players(g, c, w[1])
        if (op == E_DRAW or op == E_GAIN_LIFE or op == E_LOSE_LIFE or op == E_MILL or op == E_TOKEN
                or op == E_COPY_TOKEN):
            n = value(g, c, w[2], &known)
        elif op == E_PLAYER_COUNTERS:
            n = value(g, c, w[3], &known)
        else:
            n = 0
        if not known:
            return
        m = apnap(g, mask, order)
        for i in range(m):
            if op == E_SHUFFLE:
                shuffle(g, order[i])
            elif op == E_PLAYER_COUNTERS:
                player_counters(g, order[i], w[2], n)
            elif op == E_EXTRA_TURN:
                if g.h.turns_n < 32:
                    g.turns[g.h.turns_n] = <uint8_t>order[i]
                    g.h.turns_n += 1
            elif op == E_LOSE_GAME:
                g.p_doomed[order[i]] = 1
                g.h.sba |= SBA_PLAYERS
            elif op == E_COPY_TOKEN:
                copy_tokens(g, c, w, order[i], n)
            elif not player_action(g, c, w, order[i], n, &done):
                break
        f.d = clamped(done)


cdef inline int clamped(int n) noexcept nogil:
    return max(-30000, min(30000, n))
