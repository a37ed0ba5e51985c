"""Programs judged by what they would do now: instruction after instruction on a note of changes, never on the game.

Points are the controller's: what enemies lose and it gains. A spell is no more than its instructions, values, filters
and references; nothing here knows a card. Where the program lets somebody choose, each side takes what is best for it.
"""
from libc.stdint cimport int32_t, uint16_t, uint64_t, uint8_t

from lkicore._abilities cimport ability_of
from lkicore._allowed cimport part_of, parts_of
from lkicore._casting cimport spell_of_entry
from lkicore._costs cimport Price, find_payment, parts_payable, price_plain
from lkicore._defs cimport ability_at, face_of
from lkicore._entries cimport entry_of
from lkicore._expr cimport Ctx, cda_size, passes, passes_player
from lkicore._game cimport in_game
from lkicore._greedy_clash cimport Mods, combat_value
from lkicore._greedy_effects cimport host_worth, parts_points, statics_gain, step
from lkicore._greedy_trial cimport (FEW, MAX_TARGETS, Scene, Trial, combat_anew, is_gone, number, object_of,
                                    players_of, trial_begin, trial_of_entry, trick)
from lkicore._greedy_worth cimport (PLENTY, WIN, abilities_worth, arriving_worth, creature_worth, death_worth,
                                    entering_counters, face_worth, lands_of, triggers_itself)
from lkicore._layout cimport Game, StackEntry
from lkicore._mana cimport cost_total
from lkicore._opcodes cimport *
from lkicore._protection cimport may_target
from lkicore._store cimport PRIVATE_ZONES, zone_first
from lkicore._targets cimport legal_player
from lkicore._types cimport (FACE_ACTS, FACE_AURA, FACE_EQUIPMENT, FACE_PERMANENT, FACE_STATIC, NONE16, WORDS,
                             Ability, Face, Node, TargetSpec)

cdef enum:
    MOST_STEPS = 80   # instructions of one walk
    NO_TARGET = -80000  # points where there is no legal target
    PICKS = 12        # objects that a choice on resolution looks at
    MANA_POINT = 4    # points of one mana spent on resolution


# ------------------------------------------------------------------------------------------------ programs

cdef int run(Game *g, Trial *t, int at) noexcept nogil:
    cdef const int32_t *w
    cdef int total = 0
    cdef int steps = 0
    cdef int op
    while at >= 0 and steps < MOST_STEPS:
        steps += 1
        w = &g.cards.code[at]
        op = w[0]
        if op == E_END:
            break
        if op == E_JUMP:
            at = w[1]
            continue
        if op == E_UNLESS:
            at = at + WORDS if number(g, t, w[1]) else w[2]
            continue
        if op == E_MAY:
            return total + may(g, t, at, w)
        if op == E_PAY:
            return total + pay(g, t, at, w)
        if op == E_PICK:
            return total + pick(g, t, at, w)
        if op == E_PICK_PLAYER:
            return total + pick_player(g, t, at, w)
        if op == E_COUNTER:
            total += stop(g, t, w)
        elif op == E_DELAY:
            total += later(g, t, w[1], w[2]) * 8 // 10
        elif op == E_REFLEXIVE:
            total += later(g, t, w[1], -1)
        else:
            total += step(g, t, w)
        at += WORDS
    if t.combat and not t.within and (t.s.mods.n or t.s.fog):
        if t.s.fog:
            total -= t.combat_before
        else:
            total += combat_value(g, t.controller, &t.s.mods, t.share) - t.combat_before
    return total


cdef int stop(Game *g, Trial *t, const int32_t *w) noexcept nogil:
    """Countering what is on the stack."""
    cdef uint16_t row = object_of(g, t, w[1])
    cdef int i = entry_of(g, row) if row and g.zone[row] == Z_STACK else -1
    if i < 0:
        return 0
    if g.stack[i].controller == t.controller:
        return -60
    if t.depth:
        return 40
    if g.keywords[row] & K_CANT_BE_COUNTERED:
        return 0
    return max(entry_gain(g, i, NULL, NULL), 15)


cdef int later(Game *g, Trial *t, int ability, int about) noexcept nogil:
    """A delayed or reflexive trigger: what it would do if it resolved now."""
    cdef Trial own = t[0]
    cdef uint16_t row = object_of(g, t, about) if about >= 0 else t.s.moved[0] if t.s.n_moved else 0
    cdef int v
    if t.depth > 3:
        return 0
    own.depth += 1
    own.n = 0
    own.within = True
    own.answer = -1
    own.c.event_row = row
    own.c.event_id = g.id[row] if row else 0
    v = ability_gain(g, &own, ability)
    return v if v > NO_TARGET // 2 else 0


cdef inline int first_of(int mask) noexcept nogil:
    cdef int p
    for p in range(8):
        if mask >> p & 1:
            return p
    return -1


cdef int may(Game *g, Trial *t, int at, const int32_t *w) noexcept nogil:
    """Both branches; who chooses takes the better one."""
    cdef int player = first_of(players_of(g, t, w[1]))
    cdef Scene before = t.s
    cdef Scene done
    cdef int yes, no
    t.budget -= 1
    no = run(g, t, w[2])
    if player < 0 or t.budget < 0:
        return no
    done = t.s
    t.s = before
    yes = run(g, t, at + WORDS)
    if (yes >= no) if player == t.controller else (yes <= no):
        return yes
    t.s = done
    return no


cdef int pay_points(Game *g, Trial *t, int player, const Ability *cost, int x) noexcept nogil:
    cdef Price price
    cdef Ctx his = t.c
    cdef int total
    his.controller = <uint8_t>player
    his.x = <short>x
    his.self_id = 0
    price_plain(&price)
    price.mana = cost.cost
    price.mana.hi += <uint64_t>max(0, cost.n_x * x) << 32
    price.hybrid = cost.hybrid
    price.n_hybrid = cost.n_hybrid
    if not parts_payable(g, &his, cost.first_cost, cost.n_costs) or not find_payment(g, player, &price, 0):
        return -1
    total = MANA_POINT * cost_total(&price.mana)
    return total + (parts_points(g, t, player, cost.first_cost, cost.n_costs) if cost.n_costs else 0)


cdef int pay(Game *g, Trial *t, int at, const int32_t *w) noexcept nogil:
    """Paid or not paid, whichever is better for who may pay."""
    cdef int player = first_of(players_of(g, t, w[1]) & g.h.alive)
    cdef Scene before = t.s
    cdef Scene done
    cdef int yes, no, cost
    t.budget -= 1
    no = run(g, t, w[3])
    if player < 0 or t.budget < 0:
        return no
    done = t.s
    t.s = before
    cost = pay_points(g, t, player, ability_of(g, w[2]), number(g, t, w[4]) if w[4] >= 0 else 0)
    if cost >= 0:
        yes = run(g, t, at + WORDS)
        yes += -cost if player == t.controller else cost
        if (yes > no) if player == t.controller else (yes < no):
            return yes
    t.s = done
    return no


cdef int picks(Game *g, Trial *t, const int32_t *w, int player, uint16_t *rows) noexcept nogil:
    """What may be chosen; the first PICKS of them."""
    cdef Ctx c = t.c
    cdef uint16_t row
    cdef int n = 0
    cdef int p
    cdef int zone = w[5]
    for p in range(<int>g.lay.players if PRIVATE_ZONES >> zone & 1 else 1):
        if w[6] & PF_OWN and PRIVATE_ZONES >> zone & 1 and p != player:
            continue
        row = zone_first(g, zone, p)
        while row and n < PICKS:
            if not (zone == Z_BATTLEFIELD and ((w[6] & PF_OWN and g.controller[row] != player) or is_gone(t, row))) \
                    and passes(g, &c, w[2], row):
                rows[n] = row
                n += 1
            row = g.znext[row]
    return n


cdef int pick(Game *g, Trial *t, int at, const int32_t *w) noexcept nogil:
    """A choice on resolution: one after the other, the best for who chooses."""
    cdef uint16_t rows[PICKS]
    cdef int player = first_of(players_of(g, t, w[1]) & g.h.alive)
    cdef int sign = 1 if player == t.controller else -1
    cdef int least = number(g, t, w[3])
    cdef int most = number(g, t, w[4])
    cdef int zone = w[5]
    cdef int n, i, v, best, chosen
    cdef int points = 0
    cdef Scene before
    if not w[6] & PF_ADD:
        t.s.n_picked = 0
    t.budget -= 1
    if player < 0 or t.budget < 0:
        return run(g, t, at + WORDS)
    if zone == Z_LIBRARY or (zone == Z_HAND and (w[6] & PF_HIDDEN or player != t.controller)):
        # Cards not seen yet.
        return run(g, t, at + WORDS) + 45 * sign * min(max(most, 0), 2)
    n = picks(g, t, w, player, rows)
    before = t.s
    chosen = 0
    points = run(g, t, at + WORDS)
    while chosen < most and chosen < n and before.n_picked < FEW:
        best = -1
        for i in range(n):
            if rows[i] == 0:
                continue
            t.s = before
            t.s.picked[t.s.n_picked] = rows[i]
            t.s.n_picked += 1
            v = run(g, t, at + WORDS)
            t.budget -= 1
            if best < 0 or (v - points) * sign > 0:
                if best < 0 and chosen >= least and (v - points) * sign <= 0:
                    continue
                best = i
                points = v
            if t.budget < 0:
                break
        if best < 0:
            break
        before.picked[before.n_picked] = rows[best]
        before.n_picked += 1
        rows[best] = 0
        chosen += 1
    t.s = before
    return run(g, t, at + WORDS)


cdef int pick_player(Game *g, Trial *t, int at, const int32_t *w) noexcept nogil:
    cdef int player = first_of(players_of(g, t, w[1]) & g.h.alive)
    cdef int best = -1
    cdef int points = 0
    cdef int p, v
    cdef Scene before = t.s
    t.budget -= 1
    for p in range(<int>g.lay.players):
        if t.budget < 0 or player < 0 or not in_game(g, p) or not passes_player(g, &t.c, w[2], p):
            continue
        t.s = before
        t.s.picked_player = p
        v = run(g, t, at + WORDS)
        if best < 0 or ((v > points) if player == t.controller else (v < points)):
            best = p
            points = v
    t.s = before
    t.s.picked_player = best
    return run(g, t, at + WORDS)


# ------------------------------------------------------------------------------------------------ targets

cdef int with_targets(Game *g, Trial *t, const Ability *a) noexcept nogil:
    """Points with all targets chosen; the trial is left as it was."""
    cdef Scene before = t.s
    cdef int v, p
    t.budget -= 1
    v = run(g, t, a.program)
    if t.answer >= 0 and not has_effect(g, a.program, E_COUNTER):
        p = t.threat - entry_gain(g, t.answer, &t.s.mods, NULL)
        v += p if p > 0 else -WIN
    t.s = before
    return v


cdef inline bint chosen_already(const Game *g, const Trial *t, const TargetSpec *s, int spec, int player,
                                uint16_t row) noexcept nogil:
    cdef int i
    for i in range(t.n):
        if (t.spec[i] == spec or s.related) and t.player[i] == player and (player >= 0 or t.row[i] == row):
            return True
    return False


cdef int each_target(Game *g, Trial *t, const Ability *a, int spec, int to, int have, int *player,
                     uint16_t *target) noexcept nogil:
    """The best next target for a specification; afterwards the targets go on with specification `to`."""
    cdef const TargetSpec *s = &g.cards.targets[a.first_target + spec]
    cdef int best = NO_TARGET
    cdef int k = t.n
    cdef int p, v
    cdef uint16_t row
    t.n = k + 1
    t.spec[k] = <uint8_t>spec
    if s.players:
        for p in range(<int>g.lay.players):
            if legal_player(g, &t.c, s, p):
                t.n = k
                if chosen_already(g, t, s, spec, p, 0):
                    continue
                t.n = k + 1
                t.player[k] = p
                t.row[k] = 0
                v = best_gain(g, t, a, to, have)
                if v > best:
                    best = v
                    player[0] = p
                    target[0] = 0
    if s.objects:
        for p in range(<int>g.lay.players if PRIVATE_ZONES >> s.zone & 1 else 1):
            row = zone_first(g, s.zone, p)
            while row and t.budget > 0:
                if not (t.spell and row == t.source) and passes(g, &t.c, s.filter, row) and may_target(g, &t.c, row):
                    t.n = k
                    if not chosen_already(g, t, s, spec, -1, row):
                        t.n = k + 1
                        t.player[k] = -1
                        t.row[k] = row
                        v = best_gain(g, t, a, to, have)
                        if v > best:
                            best = v
                            player[0] = -1
                            target[0] = row
                row = g.znext[row]
    t.n = k
    return best


cdef int several(Game *g, Trial *t, const Ability *a, int spec, int have, int least, int most) noexcept nogil:
    """A number of targets: one more as long as it is worth it."""
    cdef int k = t.n
    cdef int player = -1
    cdef uint16_t row = 0
    cdef int v
    cdef int points = best_gain(g, t, a, spec + 1, 0) if have >= least else NO_TARGET
    while have < most and t.n < MAX_TARGETS:
        v = each_target(g, t, a, spec, spec + 1, 0, &player, &row)
        if v <= NO_TARGET or (have >= least and v <= points):
            break
        t.player[t.n] = player
        t.row[t.n] = row
        t.spec[t.n] = <uint8_t>spec
        t.n += 1
        have += 1
        points = v
    t.n = k
    return points if have >= least or k + have >= MAX_TARGETS else NO_TARGET


cdef int best_gain(Game *g, Trial *t, const Ability *a, int spec, int have) noexcept nogil:
    cdef const TargetSpec *s
    cdef int player = -1
    cdef uint16_t row = 0
    cdef int least, most
    if spec >= a.n_targets or t.n >= MAX_TARGETS:
        return with_targets(g, t, a)
    s = &g.cards.targets[a.first_target + spec]
    least = t.x if s.x else s.least
    most = t.x if s.x else s.most
    if have >= most:
        return best_gain(g, t, a, spec + 1, 0)
    if least == 1 and most == 1:
        return each_target(g, t, a, spec, spec + 1, 0, &player, &row)
    return several(g, t, a, spec, have, least, most)


cdef int modes_gain(Game *g, Trial *t, const Ability *a, int after, int least, int most, int *first) noexcept nogil:
    """The modes behind number `after`: up to `most` of them that are worth something, at least `least`; `first`: the
    first of those, -1 none."""
    cdef int value[16]
    cdef int total = 0
    cdef int n = min(<int>a.n_modes, 16)
    cdef int k, i, best
    cdef int taken = 0
    first[0] = -1
    for k in range(after + 1, n):
        t.n = 0
        t.budget = 100
        value[k] = best_gain(g, t, ability_of(g, a.first_mode + k), 0, 0)
    for i in range(most):
        best = -1
        for k in range(after + 1, n):
            if not taken >> k & 1 and value[k] > NO_TARGET and (best < 0 or value[k] > value[best]):
                best = k
        if best < 0 or (i >= least and value[best] <= 0):
            break
        taken |= 1 << best
        total += value[best]
        if first[0] < 0 or best < first[0]:
            first[0] = best
    return total if first[0] >= 0 or least == 0 else NO_TARGET


cdef int ability_gain(Game *g, Trial *t, int ability) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef int first = -1
    if a.n_modes:
        return modes_gain(g, t, a, -1, a.least_modes, a.most_modes, &first)
    return best_gain(g, t, a, 0, 0)


# ------------------------------------------------------------------------------------------------ spells

cdef int aura_gain(Game *g, const Face *f, Trial *t) noexcept nogil:
    """On the permanent where it does most; it may be lost together with an own creature."""
    cdef const TargetSpec *s
    cdef const Ability *a
    cdef uint16_t row
    cdef int best = NO_TARGET
    cdef int v
    cdef int extra = abilities_worth(g, f)
    if f.spell == NONE16:
        return NO_TARGET
    a = ability_of(g, f.spell)
    if a.n_targets == 0:
        return NO_TARGET
    s = &g.cards.targets[a.first_target]
    row = zone_first(g, s.zone, 0) if s.objects and s.zone == Z_BATTLEFIELD else 0
    while row:
        if passes(g, &t.c, s.filter, row) and may_target(g, &t.c, row) and (t.n == 0 or t.row[0] == row):
            v = on_host(g, t, f, row, extra)
            if v > best:
                best = v
        row = g.znext[row]
    return best


cdef int on_host(Game *g, Trial *t, const Face *f, uint16_t host, int extra) noexcept nogil:
    cdef int v = host_worth(g, t, f, host, False)
    if g.controller[host] == t.controller:
        return v * 8 // 10 + extra
    return v - extra if v <= 0 else v


cdef int entering(Game *g, const Face *f, Trial *t) noexcept nogil:
    """What triggers as it enters, with the best targets."""
    cdef const Ability *a
    cdef Trial own
    cdef int total = 0
    cdef int k, v
    for k in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, k))
        if not triggers_itself(g, a, EV_ENTERS):
            continue
        own = t[0]
        own.n = 0
        own.budget = 100
        own.depth += 1
        own.answer = -1
        own.spell = True
        own.c.event_row = t.source
        own.c.event_id = g.id[t.source]
        if a.condition >= 0 and not number(g, &own, a.condition):
            continue
        v = ability_gain(g, &own, ability_at(g, f, k))
        if v > NO_TARGET // 2:
            total += v
        elif strikes_itself(g, &own, a):
            total -= face_worth(g, f, 0)
    return total


cdef bint strikes_itself(Game *g, const Trial *t, const Ability *a) noexcept nogil:
    """With nothing else to choose it would have to send itself away."""
    cdef const TargetSpec *s
    if a.n_targets != 1:
        return False
    s = &g.cards.targets[a.first_target]
    return s.objects and s.zone == Z_BATTLEFIELD and s.least and passes(g, &t.c, s.filter, t.source) and (
        has_effect(g, a.program, E_RETURN) or has_effect(g, a.program, E_EXILE) or has_effect(g, a.program, E_DESTROY)
        or has_effect(g, a.program, E_MOVE) or has_effect(g, a.program, E_DAMAGE))


cdef int permanent_gain(Game *g, const Face *f, Trial *t) noexcept nogil:
    cdef int v, n, k, best, power, toughness
    cdef uint16_t row
    if f.flags & FACE_AURA:
        return aura_gain(g, f, t)
    v = face_worth(g, f, entering_counters(g, f, t.x, t.kick) if f.replaces else 0)
    if f.flags & FACE_STATIC and f.types & T_CREATURE:
        power = f.power
        toughness = f.toughness
        cda_size(g, t.source, t.controller, &power, &toughness)
        if power != f.power or toughness != f.toughness:
            v += creature_worth(power, toughness, f.keywords) - creature_worth(f.power, f.toughness, f.keywords)
            if toughness <= 0:
                return -50
        v += statics_gain(g, t, f)
    elif f.flags & FACE_STATIC:
        v += statics_gain(g, t, f)
        if f.flags & FACE_EQUIPMENT:
            best = 0
            row = zone_first(g, Z_BATTLEFIELD, 0)
            while row:
                if g.controller[row] == t.controller and g.types[row] & T_CREATURE:
                    k = host_worth(g, t, f, row, False)
                    if k > best:
                        best = k
                row = g.znext[row]
            v += best // 2
    if f.mana:
        n = lands_of(g, t.controller)
        v += 15 * (PLENTY - n) if n < PLENTY else -10
    if f.keywords & K_HASTE:
        v += 6 * f.power
    if f.listens:
        if f.listens >> EV_ENTERS & 1 and not f.types & T_CREATURE and not f.mana \
                and not f.flags & (FACE_STATIC | FACE_ACTS):
            v -= 10 + 12 * f.mv  # it is what it does as it enters
        if f.listens >> EV_ENTERS & 1 and t.depth < 2:
            v += entering(g, f, t)
        v += death_worth(g, f) * 6 // 10
    return v


cdef int spell_gain(Game *g, uint16_t face, Trial *t) noexcept nogil:
    """Points of a spell of this face with its best modes and targets."""
    cdef const Face *f = face_of(g, face)
    if f.flags & FACE_PERMANENT:
        return permanent_gain(g, f, t)
    return ability_gain(g, t, f.spell) if f.spell != NONE16 else 0


cdef int entry_gain(Game *g, int entry, const Mods *mods, Mods *after) noexcept nogil:
    """Points for its controller of what is on the stack, with changes assumed before it resolves."""
    cdef StackEntry *e = &g.stack[entry]
    cdef const Face *f = face_of(g, e.face)
    cdef Trial t
    cdef int i, k, parts
    cdef int total = 0
    cdef int ability = e.ability if e.ability != NONE16 else spell_of_entry(g, entry)
    if after != NULL:
        after.n = 0
    if e.ability == NONE16 and f.flags & FACE_PERMANENT:
        if not f.flags & FACE_AURA:
            return arriving_worth(g, f)
        trial_of_entry(g, &t, entry, 0)
        t.depth = 1
        if t.n == 0 or t.row[0] == 0:
            return 0
        return on_host(g, &t, f, t.row[0], abilities_worth(g, f))
    if ability == NONE16:
        return 0
    parts = parts_of(g, ability, g.extra[e.row])
    for k in range(parts):
        trial_of_entry(g, &t, entry, k)
        t.depth = 1
        if mods != NULL:
            t.s.mods = mods[0]
            for i in range(t.n):
                if t.player[i] >= 0 or t.row[i] == 0:
                    continue
                if is_gone(&t, t.row[i]) or out_of_reach(g, &t, t.row[i]):
                    t.row[i] = 0
        if t.combat and t.s.mods.n:
            combat_anew(g, &t)
        total += run(g, &t, part_of(g, ability, g.extra[e.row], k).program)
        if after != NULL and k == parts - 1:
            after[0] = t.s.mods
    return total


cdef bint out_of_reach(const Game *g, const Trial *t, uint16_t row) noexcept nogil:
    """It would be no legal target any more, by keywords that it gets."""
    cdef int i
    cdef uint64_t k
    for i in range(t.s.mods.n):
        if t.s.mods.m[i].row == row:
            k = t.s.mods.m[i].keywords
            return (k & (K_SHROUD | K_PROTECTION)) != 0 or (k & K_HEXPROOF and g.controller[row] != t.controller)
    return False


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


cdef bint ability_has(const Game *g, int ability, int op) noexcept nogil:
    cdef const Ability *a
    cdef int k
    if ability < 0 or ability == NONE16:
        return False
    a = ability_of(g, ability)
    for k in range(a.n_modes):
        if has_effect(g, ability_of(g, a.first_mode + k).program, op):
            return True
    return has_effect(g, a.program, op)


cdef bint has_trick(const Game *g, int ability) noexcept nogil:
    """It changes something until end of turn."""
    cdef const int32_t *w
    if ability < 0 or ability == NONE16 or ability_of(g, ability).program < 0:
        return False
    w = &g.cards.code[ability_of(g, ability).program]
    while w[0] != E_END:
        if trick(g, w[0], w[6]):
            return True
        w += WORDS
    return False


cdef int program_keep(const Game *g, int program) noexcept nogil:
    cdef const int32_t *w
    cdef const Node *n
    cdef int keep = 0
    if program < 0:
        return 0
    w = &g.cards.code[program]
    while w[0] != E_END:
        if w[0] == E_DESTROY or w[0] == E_EXILE or w[0] == E_EXILE_UNTIL:
            keep += 65
        elif w[0] == E_DAMAGE:
            n = &g.cards.values[w[3]]
            keep += min(15 * n.a, 55) if n.op == V_CONST else 45
        elif w[0] == E_FIGHT or w[0] == E_RETURN or w[0] == E_COUNTER or w[0] == E_EDICT:
            keep += 40
        elif trick(g, w[0], w[6]):
            keep += 30
        elif w[0] == E_TAP or w[0] == E_REGENERATE or w[0] == E_PREVENT:
            keep += 15
        w += WORDS
    return min(keep, 110)


cdef int keep_worth(const Game *g, int ability) noexcept nogil:
    """Points of a spell kept for a better day: removal and tricks find better uses, drawing does not."""
    cdef const Ability *a
    cdef int keep, k
    if ability < 0 or ability == NONE16:
        return 0
    a = ability_of(g, ability)
    keep = program_keep(g, a.program)
    for k in range(a.n_modes):
        keep = max(keep, program_keep(g, ability_of(g, a.first_mode + k).program))
    return keep


cdef int face_damage(Game *g, int program, int controller, uint16_t source, int victim, int x, int first,
                     int n) noexcept nogil:
    """Damage and loss of life that a program is sure to cause a player as its one target, or without a target."""
    cdef const int32_t *w
    cdef const TargetSpec *s
    cdef Trial t
    cdef int total = 0
    cdef int steps = 0
    if program < 0 or n > 1:
        return 0
    trial_light(g, &t, controller, x)
    if n == 1:
        t.c.source_row = source
        t.c.source_id = g.id[source]
        s = &g.cards.targets[first]
        if s.players and legal_player(g, &t.c, s, victim):
            t.n = 1
            t.player[0] = victim
            t.row[0] = 0
            t.spec[0] = 0
    w = &g.cards.code[program]
    while w[0] != E_END and steps < MOST_STEPS:
        steps += 1
        if w[0] == E_JUMP:
            w = &g.cards.code[w[1]]
            continue
        if w[0] == E_UNLESS and not number(g, &t, w[1]):
            w = &g.cards.code[w[2]]
            continue
        if w[0] == E_MAY or w[0] == E_PAY or w[0] == E_PICK or w[0] == E_PICK_PLAYER:
            break
        if w[0] == E_DAMAGE and players_of(g, &t, w[2]) >> victim & 1:
            total += number(g, &t, w[3])
        elif w[0] == E_LOSE_LIFE and players_of(g, &t, w[1]) >> victim & 1:
            total += number(g, &t, w[2])
        w += WORDS
    return total


cdef void trial_light(const Game *g, Trial *t, int controller, int x) noexcept nogil:
    """Without a source, outside any combat."""
    trial_begin(g, t, controller, 0, x, -1)
    t.kick = 0
