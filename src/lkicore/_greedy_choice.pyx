"""Smaller choices of `greedy`: targets, modes, kicker, X, what costs are paid with, choices on resolution, cards.

Each is judged like an action: by what the rest of the program is worth with it. Among what must be given up, it is what
is missed least.
"""
from libc.stdint cimport int32_t, uint16_t

from lkicore._abilities cimport ability_of
from lkicore._allowed cimport part_of
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._casting cimport Manner, manner_of
from lkicore._defs cimport face_of, subtype_at
from lkicore._entries cimport entry_of
from lkicore._game cimport top_frame
from lkicore._greedy_clash cimport Mods, mod_find
from lkicore._greedy_effects cimport loss, parts_points, tap_loss
from lkicore._greedy_plan cimport burns_out
from lkicore._greedy_trial cimport (FEW, MAX_TARGETS, Scene, Trial, combat_anew, number, trial_begin, trial_of_entry,
                                    trial_of_frame)
from lkicore._greedy_value cimport (ability_gain, best_gain, entry_gain, has_trick, modes_gain, pay_points, run,
                                    spell_gain)
from lkicore._greedy_worth cimport WIN, arriving_worth, card_worth, lands_in_hand, lands_of, worth_of
from lkicore._layout cimport Frame, Game, Option
from lkicore._mana cimport cost_total
from lkicore._opcodes cimport *
from lkicore._price cimport WAY_COST
from lkicore._store cimport zone_first
from lkicore._types cimport Ability, Face, FACE_HAS_COST, FACE_PERMANENT, NONE16, OptionalCost, WORDS


cdef int share_of(const Game *g, int ability) noexcept nogil:
    return 25 if has_trick(g, ability) else 100


cdef int option_of(const Game *g, int kind, int otherwise) noexcept nogil:
    """The first option of a kind."""
    cdef int k
    for k in range(<int>g.h.n_options):
        if g.option[k].kind == kind:
            return k
    return otherwise


# ------------------------------------------------------------------------------------------------ announcing

cdef void in_response(Game *g, Trial *t, const Frame *f, Mods *doomed) noexcept nogil:
    """What it saves from what an opponent has put on the stack counts."""
    cdef Mods *d = doomed
    if f.kind == F_TRIGGER or g.h.n_stack == 0 or g.stack[g.h.n_stack - 1].controller == t.controller:
        return
    t.answer = g.h.n_stack - 1
    t.threat = entry_gain(g, t.answer, NULL, doomed)
    t.doomed = d
    if f.kind == F_ACTIVATE and mod_find(doomed, f.obj_row) != NULL and mod_find(doomed, f.obj_row).gone:
        t.answer = -1  # the source is lost anyway: to destroy it first saves nothing
        t.threat = 0


cdef void pay_in_thought(Game *g, Trial *t, const Frame *f) noexcept nogil:
    """What the costs will be paid with is chosen last, but the program may ask about it."""
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    if f.kind == F_CAST and face.n_costs:
        parts_points(g, t, f.player, face.first_cost, face.n_costs)
    elif f.kind == F_ACTIVATE and ability_of(g, f.b).n_costs:
        parts_points(g, t, f.player, ability_of(g, f.b).first_cost, ability_of(g, f.b).n_costs)


cdef int target_option(Game *g) noexcept nogil:
    cdef Frame *f = top_frame(g)
    cdef int part = f.c >> 24 & 0xFF
    cdef int spec = f.c & 0xFF
    cdef int have = f.c >> 8 & 0xFFFF
    cdef const Ability *a = part_of(g, f.b, f.info, part)
    cdef int me = g.h.decider
    cdef int best = 0
    cdef int top = -WIN * 8
    cdef int k, v, at
    cdef Trial t
    cdef Mods doomed
    cdef Option *o
    doomed.n = 0
    trial_of_frame(g, &t, f, part)
    if f.kind == F_CAST:
        t.share = share_of(g, f.b)
        combat_anew(g, &t)
    in_response(g, &t, f, &doomed)
    pay_in_thought(g, &t, f)
    at = min(t.n, <int>MAX_TARGETS - 1)
    for k in range(<int>g.h.n_options):
        o = &g.option[k]
        t.budget = 100
        t.n = at
        if o.kind == O_DONE:
            v = best_gain(g, &t, a, spec + 1, 0)
            # No target where none is better than this one.
            if v >= top:
                best = k
            break
        t.n = at + 1
        t.player[at] = o.player if o.kind == O_PLAYER else -1
        t.row[at] = o.row if o.kind == O_OBJECT else 0
        t.spec[at] = <unsigned char>spec
        if f.kind == F_CAST and a.program < 0:
            v = spell_gain(g, g.defn[f.obj_row], &t)
        else:
            v = best_gain(g, &t, a, spec, have + 1)
        if o.kind == O_PLAYER and o.player != me and a.n_targets == 1 and f.kind != F_TRIGGER \
                and burns_out(g, me, o.player, f.obj_row, -1 if f.kind == F_CAST else f.b):
            v += WIN
        if v > top:
            top = v
            best = k
    return best


cdef int mode_option(Game *g) noexcept nogil:
    """The first of the best modes not chosen yet."""
    cdef Frame *f = top_frame(g)
    cdef const Ability *a = ability_of(g, f.b)
    cdef Trial t
    cdef Mods doomed
    cdef int after = -1
    cdef int chosen = 0
    cdef int first = -1
    cdef int i, k
    doomed.n = 0
    for i in range(chunk_len(g, f.info)):
        if chunk_refs(g, f.info)[i].kind == RK_MODE:
            after = chunk_refs(g, f.info)[i].row
            chosen += 1
    trial_of_frame(g, &t, f, 0)
    in_response(g, &t, f, &doomed)
    pay_in_thought(g, &t, f)
    modes_gain(g, &t, a, after, max(0, <int>a.least_modes - chosen), a.most_modes - chosen, &first)
    for k in range(<int>g.h.n_options):
        if g.option[k].kind == O_MODE and g.option[k].num == first:
            return k
    return option_of(g, O_DONE, 0)


cdef int kick_price(const Game *g, const OptionalCost *o) noexcept nogil:
    """Mana that would be left over otherwise is cheap."""
    return 0 if g.h.options_mask & EO_PAY_FREE else 4 * cost_total(&o.cost)


cdef int kick_option(Game *g) noexcept nogil:
    cdef Frame *f = top_frame(g)
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const OptionalCost *o = &g.cards.optional[face.first_optional + f.d]
    cdef Trial t
    cdef Mods doomed
    cdef int times = 0
    cdef int i, without, better
    doomed.n = 0
    for i in range(chunk_len(g, f.info)):
        if chunk_refs(g, f.info)[i].kind == RK_KICKED and chunk_refs(g, f.info)[i].row == f.d:
            times = <int>chunk_refs(g, f.info)[i].id
    trial_of_frame(g, &t, f, 0)
    in_response(g, &t, f, &doomed)
    t.kick = times
    without = spell_gain(g, g.defn[f.obj_row], &t)
    t.kick = times + 1
    t.budget = 200
    better = -kick_price(g, o)
    if o.n_costs:
        better -= parts_points(g, &t, f.player, o.first_cost, o.n_costs)
    better += spell_gain(g, g.defn[f.obj_row], &t)
    return option_of(g, O_YES if better > without else O_NO, 0)


cdef int x_option(Game *g) noexcept nogil:
    """The X that is worth most; each mana has a small price, so that no more is spent than does something."""
    cdef Frame *f = top_frame(g)
    cdef Trial t
    cdef int best = 0
    cdef int top = -WIN * 8
    cdef int k, v
    for k in range(<int>g.h.n_options):
        trial_of_frame(g, &t, f, 0)
        t.n = 0
        t.x = g.option[k].num
        t.c.x = <short>t.x
        t.budget = 100
        if f.kind == F_ACTIVATE:
            v = ability_gain(g, &t, f.b)
        else:
            v = spell_gain(g, g.defn[f.obj_row], &t)
        v -= 5 * g.option[k].num
        if v > top:
            top = v
            best = k
    return best


cdef int part_first(Game *g, const Frame *f, int at) noexcept nogil:
    """Node of the cost part that is being paid; -1 unknown."""
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const int32_t *w
    cdef Manner m
    if f.kind == F_ACTIVATE:
        return ability_of(g, f.b).first_cost + at
    if f.kind == F_CAST:
        if at < 16:
            return face.first_cost + at
        if at >= WAY_COST:
            manner_of(g, f.info, &m)
            return (m.own if m.own != NULL and m.own.n_costs else m.permit).first_cost + at - WAY_COST
        return g.cards.optional[face.first_optional + at // 16 - 1].first_cost + at % 16
    if f.kind == F_RESOLVE and f.a >= 0:
        w = &g.cards.code[f.a]
        if w[0] == E_PAY:
            return ability_of(g, w[2]).first_cost + at
    return -1


cdef int least_missed(Game *g, Trial *t, bint to_tap) noexcept nogil:
    cdef int best = 0
    cdef int low = 1 << 20
    cdef int k, v
    for k in range(<int>g.h.n_options):
        if g.option[k].kind != O_OBJECT:
            continue
        v = tap_loss(g, g.option[k].row) if to_tap else loss(g, t, g.option[k].row)
        if v < low:
            low = v
            best = k
    return best


cdef int cost_option(Game *g) noexcept nogil:
    cdef Frame *f = top_frame(g)
    cdef int node = part_first(g, f, g.option[0].num)
    cdef Trial t
    cdef Mods doomed
    doomed.n = 0
    trial_begin(g, &t, g.h.decider, 0, 0, 100)
    if f.kind == F_CAST or f.kind == F_ACTIVATE:
        in_response(g, &t, f, &doomed)
    return least_missed(g, &t, node >= 0 and g.cards.costs[node].op == CP_TAP_CREATURES)


cdef int sacrifice_option(Game *g) noexcept nogil:
    cdef Trial t
    trial_begin(g, &t, g.h.decider, 0, 0, 100)
    return least_missed(g, &t, False)


cdef int legend_option(Game *g) noexcept nogil:
    """The one of several namesakes that is missed most stays: then what is attached and on it, then the readiest."""
    cdef Trial t
    cdef uint16_t row
    cdef int k, v
    cdef int best = 0
    cdef int top = -(1 << 20)
    trial_begin(g, &t, g.h.decider, 0, 0, 100)
    for k in range(<int>g.h.n_options):
        row = g.option[k].row
        v = 4 * (loss(g, &t, row) + 5 * g.c_loyalty[row]) - 2 * ((g.status[row] & ST_TAPPED) != 0) \
            - ((g.status[row] & ST_SICK) != 0)
        if v > top:
            top = v
            best = k
    return best


# ------------------------------------------------------------------------------------------------ on resolution

cdef bint resolving(Game *g, Trial *t) noexcept nogil:
    """The trial of what resolves, as far as it has got."""
    cdef Frame *f = top_frame(g)
    cdef int i
    if f.kind != F_RESOLVE or f.a < 0:
        return False
    i = entry_of(g, f.obj_row)
    if i < 0:
        return False
    trial_of_entry(g, t, i, max(f.step - 1, 0))
    t.s.result = f.d
    return True


cdef inline bint better_for(const Game *g, const Trial *t, int v, int than) noexcept nogil:
    """For who decides: the controller of what resolves, or somebody else."""
    return v > than if g.h.decider == t.controller else v < than


cdef int may_option(Game *g) noexcept nogil:
    """Yes, unless what follows a no is better; to pay, what is paid for must be worth it."""
    cdef Frame *f = top_frame(g)
    cdef Trial t
    cdef Scene before
    cdef const int32_t *w
    cdef int yes, no, cost
    cdef int accept = option_of(g, O_YES, 0)
    cdef int decline = option_of(g, O_NO, 0)
    if not resolving(g, &t):
        return accept
    w = &g.cards.code[f.a]
    before = t.s
    if w[0] == E_MAY:
        yes = run(g, &t, f.a + WORDS)
        t.s = before
        no = run(g, &t, w[2])
        return decline if better_for(g, &t, no, yes) else accept
    if w[0] != E_PAY:
        return accept
    cost = pay_points(g, &t, g.h.decider, ability_of(g, w[2]), number(g, &t, w[4]) if w[4] >= 0 else 0)
    yes = run(g, &t, f.a + WORDS)
    yes += -max(cost, 0) if g.h.decider == t.controller else max(cost, 0)
    t.s = before
    no = run(g, &t, w[3])
    return accept if better_for(g, &t, yes, no) else decline


cdef int pick_option(Game *g) noexcept nogil:
    """What makes the rest of the program best for who chooses."""
    cdef Frame *f = top_frame(g)
    cdef Trial t
    cdef Scene before
    cdef const int32_t *w
    cdef Option *o
    cdef int k, v
    cdef int best = -1
    cdef int top = 0
    if not resolving(g, &t):
        return 0
    w = &g.cards.code[f.a]
    if w[0] == E_DIG:
        return best_card(g, w[5])
    if w[0] == E_PROLIFERATE:
        return proliferate_option(g)
    before = t.s
    for k in range(<int>g.h.n_options):
        o = &g.option[k]
        t.s = before
        t.budget = 100
        if o.kind == O_PLAYER:
            t.s.picked_player = o.player
        elif o.kind == O_OBJECT and t.s.n_picked < FEW:
            t.s.picked[t.s.n_picked] = o.row
            t.s.n_picked += 1
        v = run(g, &t, f.a + WORDS)
        if best < 0 or better_for(g, &t, v, top) or (o.kind == O_DONE and v == top):
            best = k
            top = v
    return max(best, 0)


cdef int best_card(const Game *g, int to) noexcept nogil:
    """Of cards looked at, the one to have."""
    cdef int me = g.h.decider
    cdef int lands = lands_of(g, me) + lands_in_hand(g, me)
    cdef int best = option_of(g, O_DONE, 0)
    cdef int top = 0
    cdef int k, v
    cdef const Face *f
    for k in range(<int>g.h.n_options):
        if g.option[k].kind != O_OBJECT:
            continue
        f = face_of(g, g.defn[g.option[k].row])
        v = arriving_worth(g, f) if to == Z_BATTLEFIELD else card_worth(g, me, f, lands)
        if v > top:
            top = v
            best = k
    return best


cdef int proliferate_option(const Game *g) noexcept nogil:
    """What is good for the player or bad for others: own permanents without -1/-1 counters, poisoned opponents."""
    cdef int me = g.h.decider
    cdef int k
    cdef Option *o
    for k in range(<int>g.h.n_options):
        o = &g.option[k]
        if o.kind == O_DONE:
            return k
        if o.kind == O_PLAYER and (o.player == me) == (g.p_poison[o.player] == 0):
            return k
        if o.kind == O_OBJECT and (g.controller[o.row] == me) == (g.c_m1m1[o.row] == 0):
            return k
    return 0


cdef int name_option(const Game *g) noexcept nogil:
    """The name of the opponents' card of which most are elsewhere than in graveyard and exile; else the first."""
    cdef int me = g.h.decider
    cdef int best = 0
    cdef int top = -1
    cdef int k, c, n
    for k in range(<int>g.h.n_options):
        n = 0
        for c in range(g.h.n_cards):
            if (g.pc_owner[c] != me and g.pc_row[c] and g.zone[g.pc_row[c]] != Z_GRAVEYARD
                    and g.zone[g.pc_row[c]] != Z_EXILE and g.option[k].kind == O_NAME
                    and g.cards.faces[g.pc_face[c]].name_hash
                    == g.cards.faces[<uint16_t>g.option[k].num].name_hash):
                n += 1 if g.cards.faces[g.pc_face[c]].flags & FACE_HAS_COST else 0
        if n > top:
            top = n
            best = k
    return best


cdef int color_option(Game *g) noexcept nogil:
    """The colour of what an opponent has on the stack, else that of most of the enemy's creatures."""
    cdef int weight[5]
    cdef int me = g.h.decider
    cdef int best = 0
    cdef int i, k
    cdef uint16_t row
    for k in range(5):
        weight[k] = 0
    for i in range(<int>g.h.n_stack):
        if g.stack[i].controller != me:
            row = g.stack[i].row if g.stack[i].ability == NONE16 else g.stack[i].source_row
            for k in range(5):
                if g.colors[row] >> k & 1:
                    weight[k] += 1000
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.types[row] & T_CREATURE and g.controller[row] != me:
            for k in range(5):
                if g.colors[row] >> k & 1:
                    weight[k] += worth_of(g, row)
        row = g.znext[row]
    for k in range(<int>g.h.n_options):
        i = g.option[k].num
        if g.option[k].kind == O_COLOR and 0 <= i < 5 and weight[i] > weight[g.option[best].num]:
            best = k
    return best


cdef int copy_option(Game *g) noexcept nogil:
    """What is worth most to be once more; not a legend that the player has."""
    cdef const Face *f
    cdef uint16_t row
    cdef int best = option_of(g, O_NO, 0)
    cdef int top = 0
    cdef int k, v
    for k in range(<int>g.h.n_options):
        row = g.option[k].row
        if g.option[k].kind != O_OBJECT:
            continue
        f = face_of(g, g.defn[row])
        v = 1 + arriving_worth(g, f)
        if f.types & T_LEGENDARY and g.zone[row] == Z_BATTLEFIELD and g.controller[row] == g.h.decider:
            v = 0
        if v > top:
            top = v
            best = k
    return best


cdef int host_option(Game *g) noexcept nogil:
    """What the Aura that enters is best on."""
    cdef uint16_t aura = top_frame(g).obj_row
    cdef int best = 0
    cdef int top = -WIN * 8
    cdef int k, v
    cdef Trial t
    for k in range(<int>g.h.n_options):
        trial_begin(g, &t, g.h.decider, aura, 0, 100)
        t.spell = True
        t.n = 1
        t.player[0] = -1
        t.row[0] = g.option[k].row
        t.spec[0] = 0
        t.host = g.option[k].row
        v = spell_gain(g, g.defn[aura], &t)
        if v > top:
            top = v
            best = k
    return best


cdef int replace_option(const Game *g) noexcept nogil:
    """The newest effect first; a draw as usual, if it may be."""
    return g.h.n_options - 1


cdef int subtype_option(const Game *g) noexcept nogil:
    """The type of most of the cards that the player has in play and in hand."""
    cdef int me = g.h.decider
    cdef int best = 0
    cdef int top = -1
    cdef int i, k, v
    cdef const Face *f
    for k in range(<int>g.h.n_options):
        v = 0
        for i in range(1, <int>g.lay.rows):
            if g.id[i] == 0 or g.owner[i] != me or (g.zone[i] != Z_BATTLEFIELD and g.zone[i] != Z_HAND):
                continue
            f = face_of(g, g.defn[i])
            v += has_type(g, f, g.option[k].num)
        if v > top:
            top = v
            best = k
    return best


cdef inline bint has_type(const Game *g, const Face *f, int subtype) noexcept nogil:
    cdef int k
    for k in range(f.n_subtypes):
        if subtype_at(g, f, k) == subtype:
            return True
    return False


cdef bint wanted(const Game *g, int me, const Face *f) noexcept nogil:
    """A card that its player would like to draw now."""
    cdef int lands = lands_of(g, me) + lands_in_hand(g, me)
    if f.types & T_LAND:
        return lands < 5
    return lands > 2 and f.mv <= lands + 2


cdef int look_option(const Game *g) noexcept nogil:
    """Away with what is not wanted; of the rest, the best card goes on top last."""
    cdef int me = g.h.decider
    cdef int lands = lands_of(g, me) + lands_in_hand(g, me)
    cdef int best = 0
    cdef int low = 1 << 20
    cdef int k, v
    cdef const Face *f
    for k in range(<int>g.h.n_options):
        f = face_of(g, g.defn[g.option[k].row])
        if g.option[k].kind == O_DONE:
            return k
        if g.option[k].kind == O_TOP:
            v = card_worth(g, me, f, lands) + (0 if wanted(g, me, f) else -200)
            if v < low:
                low = v
                best = k
        elif option_of(g, O_DONE, -1) >= 0 and not wanted(g, me, f):
            return k
    return best


# ------------------------------------------------------------------------------------------------ payment

cdef int pay_option(const Game *g) noexcept nogil:
    """Lands before other permanents, fewer colours before more; from the pool colourless, then the most plentiful."""
    cdef int me = g.h.decider
    cdef int k, v, mask
    cdef int best = 0
    cdef int top = 1 << 20
    cdef Option *o
    for k in range(<int>g.h.n_options):
        o = &g.option[k]
        if o.kind == O_COLOR:
            v = -1000 if o.num == 5 else -<int>g.p_pool[me * 6 + o.num]
        elif o.kind == O_MANA:
            v = 0 if g.types[o.row] & T_LAND else 100
            mask = g.mana[o.row]
            while mask:
                v += 10
                mask &= mask - 1
        else:
            v = 1 << 19
        if v < top:
            top = v
            best = k
    return best


# ------------------------------------------------------------------------------------------------ cards in hand

cdef int mulligan_option(const Game *g) noexcept nogil:
    cdef int me = g.h.decider
    cdef int lands = lands_in_hand(g, me)
    cdef int back = g.p_mulligans[me]
    cdef int k
    if g.lay.players > 2 and back:
        back -= 1  # CR 103.5c
    if back < 2 and (lands < 2 or lands > 5):
        for k in range(<int>g.h.n_options):
            if g.option[k].kind == O_MULLIGAN:
                return k
    for k in range(<int>g.h.n_options):
        if g.option[k].kind == O_KEEP:
            return k
    return 0


cdef int worst_option(const Game *g) noexcept nogil:
    """The card to do without: surplus lands, then what costs too much, then the weakest."""
    cdef int me = g.h.decider
    cdef int lands = lands_of(g, me) + lands_in_hand(g, me)
    cdef int k, v
    cdef int best = 0
    cdef int low = 1 << 20
    for k in range(<int>g.h.n_options):
        v = card_worth(g, me, face_of(g, g.defn[g.option[k].row]), lands)
        if v < low:
            low = v
            best = k
    return best


cdef int search_option(const Game *g) noexcept nogil:
    """The best card to find: lands while they are few."""
    cdef int few = lands_of(g, g.h.decider) < 5
    cdef int k, v, mask
    cdef int best = 0
    cdef int top = -1
    cdef const Face *f
    for k in range(<int>g.h.n_options):
        if g.option[k].kind != O_OBJECT:
            continue
        f = face_of(g, g.defn[g.option[k].row])
        if f.types & T_LAND:
            v = 150 if few else 40
            mask = f.mana
            while mask:
                v += 1
                mask &= mask - 1
        else:
            v = arriving_worth(g, f) if f.flags & FACE_PERMANENT else 70 + 8 * f.mv
        if v > top:
            top = v
            best = k
    return best
