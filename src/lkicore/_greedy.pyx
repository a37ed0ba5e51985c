"""The agent `greedy`: a sensible player with integer scores.

It looks at what its player may know: its own hand, the public zones, life and mana. It keeps nothing from one choice to
the next and never writes to the game; ties go to the option that comes first.

Points: about 100 a card. A creature is worth its power, toughness and keywords (_greedy_clash.pxd), life is worth
more the less of it is left, a beaten player 20,000.

- Opening hands with 2 to 5 lands are kept, others sent back, down to five cards.
- With priority it plays a land, then spends its mana for most points: each spell and ability is judged by its program
  with the best targets there are (_greedy_value.pyx), less what it would be worth kept for later and what its costs
  give up; the best affordable set is found by mana, and its best member that should come now is taken. Creatures
  without haste wait for the second main phase; a counterspell in hand has some mana held for it.
- If the burn that it can pay for now beats a player, all of it goes there.
- Instants and abilities are used in its main phases, after blocks, at the end of an opponent's turn, and against a
  spell on the stack that they would counter or blunt. While its own spell is on top of the stack it waits.
- Tricks are for combat: what the declared combat would come to with and without them.
- Attacks and blocks are planned by the exchange (_greedy_combat.pyx).
"""
from libc.stdint cimport uint16_t, uint32_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._announce cimport part_of
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._game cimport next_player, top_frame
from lkicore._greedy_clash cimport WIN, Mods, face_worth, mod_find, worth_of
from lkicore._greedy_combat cimport assign_option, attack_option, block_option
from lkicore._greedy_value cimport (MAX_TARGETS, Trial, best_gain, entry_gain, face_damage, has_effect, keep_worth,
                                    lands_of, spell_gain, trial_begin)
from lkicore._layout cimport Frame, Game, Option, Ref
from lkicore._mana cimport can_pay, cost_total
from lkicore._opcodes cimport *
from lkicore._store cimport zone_count, zone_first
from lkicore._types cimport (FACE_ACTS, FACE_HAS_COST, FACE_INSTANT_SPEED, FACE_PERMANENT, NONE16, Ability, Face)

cdef enum:
    ITEMS = 16       # spells and abilities that one plan looks at
    MANA = 32        # mana that one plan looks at
    HOLD = 60        # points of mana held for a counterspell
    LATER = -1       # option of an item that can't be taken yet

# Something to spend mana on.
cdef struct Item:
    int cost
    int points
    int option       # LATER: competes for the mana only

cdef struct Plan:
    int n
    Item item[ITEMS]


cdef int mana_of(const Game *g, int player) noexcept nogil:
    """Mana that the player can spend now."""
    cdef int n
    if g.h.options_mask & EO_PAY_FREE:
        return MANA
    n = <int>((g.p_mana_hi[player] >> 32) & 0xFFFF) + g.p_pool_n[player]
    return min(n, <int>MANA)


cdef inline int price(const Game *g, int cost) noexcept nogil:
    return 0 if g.h.options_mask & EO_PAY_FREE else cost


cdef inline const Ability *numbered(const Game *g, uint16_t row, int number) noexcept nogil:
    """Ability number k of an object; its first where there are not so many."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = abilities_of(g, row, list)
    return ability_of(g, list[number if number < n else 0])


cdef bint sorcery_now(const Game *g, int player) noexcept nogil:
    return player == g.h.active and g.h.n_stack == 0 and (g.h.step == STEP_MAIN1 or g.h.step == STEP_MAIN2)


# ------------------------------------------------------------------------------------------------ beating a player

cdef bint burns_out(Game *g, int me, int victim, uint16_t row, int ability) noexcept nogil:
    """What can be paid for now beats the victim, with this spell (ability -1) or ability among it; row 0: any."""
    cdef int most[MANA + 1]
    cdef int mana = mana_of(g, me)
    cdef int life = g.p_life[victim]
    cdef int damage, cost, k, m
    cdef int x_base = -1
    cdef int x_each = 1
    cdef int total = 0
    cdef bint sorcery = sorcery_now(g, me)
    cdef const Face *f
    cdef const Ability *a
    cdef uint16_t r
    cdef bint found = row == 0
    for m in range(mana + 1):
        most[m] = 0
    r = zone_first(g, Z_HAND, me)
    while r:
        f = &g.cards.faces[g.defn[r]]
        if f.program >= 0 and f.n_targets <= 1 and (sorcery or f.flags & FACE_INSTANT_SPEED) \
                and f.flags & FACE_HAS_COST and can_pay(g, me, &f.cost):
            damage = face_damage(g, f.program, me, victim, 1, f.first_target, f.n_targets)
            if damage > 0:
                cost = price(g, cost_total(&f.cost))
                if r == row and ability < 0:
                    found = True
                if f.n_x and damage == 1:
                    if x_base < 0 or r == row:
                        x_base = cost
                        x_each = f.n_x
                elif cost <= mana:
                    total += damage
                    for m in range(mana, cost - 1, -1):
                        if most[m - cost] + damage > most[m]:
                            most[m] = most[m - cost] + damage
        r = g.znext[r]
    r = zone_first(g, Z_BATTLEFIELD, 0)
    while r:
        if g.controller[r] == me and g.cards.faces[g.defn[r]].flags & FACE_ACTS:
            f = &g.cards.faces[g.defn[r]]
            for k in range(f.n_abilities):
                a = ability_of(g, f.first_ability + k)
                if a.kind != AB_ACTIVATED or a.n_targets > 1 or not a.cost_flags & (CO_TAP | CO_SACRIFICE):
                    continue
                if a.cost_flags & CO_TAP and (g.status[r] & ST_TAPPED or (
                        g.status[r] & ST_SICK and g.types[r] & T_CREATURE and not g.keywords[r] & K_HASTE)):
                    continue
                cost = price(g, cost_total(&a.cost))
                damage = face_damage(g, a.program, me, victim, 0, a.first_target, a.n_targets)
                if damage <= 0 or cost > mana:
                    continue
                if r == row and ability == f.first_ability + k:
                    found = True
                total += damage
                for m in range(mana, cost - 1, -1):
                    if most[m - cost] + damage > most[m]:
                        most[m] = most[m - cost] + damage
                break
        r = g.znext[r]
    if not found:
        return False
    if most[mana] >= life:
        return True
    if x_base >= 0:
        for m in range(x_base, mana + 1):
            if most[mana - m] + (m - x_base) // x_each >= life:
                return True
    return False


cdef int finishing_option(Game *g, int me) noexcept nogil:
    """The first spell or ability of those that beat a player now; 0 none."""
    cdef int p = next_player(g, me)
    cdef int k, dealt
    cdef const Face *f
    cdef const Ability *a
    cdef Option *o
    while p != me:
        if burns_out(g, me, p, 0, 0):
            # Spells of a fixed size first: what X must be shows last.
            for dealt in range(2):
                for k in range(1, <int>g.h.n_options):
                    o = &g.option[k]
                    f = &g.cards.faces[g.defn[o.row]]
                    if o.kind == O_CAST and (f.n_x != 0) == (dealt == 1):
                        if face_damage(g, f.program, me, p, 1, f.first_target, f.n_targets) > 0:
                            return k
                    elif o.kind == O_ACTIVATE and dealt == 0:
                        a = numbered(g, o.row, o.num)
                        if a.cost_flags & (CO_TAP | CO_SACRIFICE) and \
                                face_damage(g, a.program, me, p, 0, a.first_target, a.n_targets) > 0:
                            return k
        p = next_player(g, p)
    return 0


# ------------------------------------------------------------------------------------------------ spending mana

cdef void plan_add(Plan *p, int option, int cost, int points) noexcept nogil:
    """An item, unless it is worth nothing; the least goes when there are too many."""
    cdef int i
    cdef int least = 0
    if points <= 0:
        return
    if p.n < ITEMS:
        i = p.n
        p.n += 1
    else:
        for i in range(1, ITEMS):
            if p.item[i].points <= p.item[least].points:
                least = i
        if p.item[least].points >= points:
            return
        i = least
    p.item[i].option = option
    p.item[i].cost = cost
    p.item[i].points = points


cdef int plan_choose(const Plan *p, int mana) noexcept nogil:
    """The best member, that can be taken now, of the best set that the mana pays for; 0 none."""
    cdef int best[MANA + 1]
    cdef uint32_t set[MANA + 1]
    cdef int i, m, cost, v
    cdef int chosen = -1
    if p.n == 0:
        return 0
    for m in range(mana + 1):
        best[m] = 0
        set[m] = 0
    for i in range(p.n):
        cost = p.item[i].cost
        for m in range(mana, cost - 1, -1):
            v = best[m - cost] + p.item[i].points
            if v > best[m]:
                best[m] = v
                set[m] = set[m - cost] | (<uint32_t>1 << i)
    for i in range(p.n):
        if set[mana] >> i & 1 and p.item[i].option != LATER:
            if chosen < 0 or p.item[i].points > p.item[chosen].points:
                chosen = i
    return p.item[chosen].option if chosen >= 0 else 0


cdef int kept(const Game *g, int me, int program) noexcept nogil:
    """What the card would be worth kept: less with a full hand or without enemies to use it on."""
    cdef int n = keep_worth(g, program)
    cdef int hand = zone_count(g, Z_HAND, me)
    cdef uint16_t row
    if n == 0 or hand > 6:
        return 0
    if hand == 6:
        n //= 2
    if g.h.turn < 8:
        return n
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.controller[row] != me and g.types[row] & T_CREATURE:
            return n
        row = g.znext[row]
    return n // 2


cdef inline int share_of(const Game *g, int program) noexcept nogil:
    """A trick is not spent on a little damage."""
    return 25 if has_effect(g, program, E_APPLY) else 100


cdef int cast_points(Game *g, int me, uint16_t row, int mana, int answer, int threat, int *cost) noexcept nogil:
    """Points of casting a card from hand now, at its best X."""
    cdef const Face *f = &g.cards.faces[g.defn[row]]
    cdef Trial t
    cdef int base = cost_total(&f.cost)
    cdef int best = -WIN
    cdef int x, v, most
    if answer >= 0 and not f.flags & FACE_PERMANENT and g.stack[answer].ability == NONE16 \
            and g.cards.faces[g.stack[answer].face].flags & FACE_PERMANENT and not has_effect(g, f.program, E_COUNTER):
        return -WIN
    trial_begin(g, &t, me, row, 0, share_of(g, f.program))
    t.answer = answer
    t.threat = threat
    cost[0] = price(g, base)
    if f.n_x == 0:
        best = spell_gain(g, g.defn[row], &t)
    else:
        most = 20 if g.h.options_mask & EO_PAY_FREE else (mana - base) // f.n_x
        for x in range(1, most + 1):
            t.x = x
            t.budget = 100
            v = spell_gain(g, g.defn[row], &t) - 5 * x
            if v > best:
                best = v
                cost[0] = price(g, base + f.n_x * x)
    if f.flags & FACE_PERMANENT:
        return best
    return best - kept(g, me, f.program)


cdef int activate_points(Game *g, int me, uint16_t row, int ability, int answer, int threat, const Mods *doomed,
                         int *cost) noexcept nogil:
    """Points of activating an ability now, less what its costs give up."""
    cdef const Face *f = &g.cards.faces[g.defn[row]]
    cdef const Ability *a = numbered(g, row, ability)
    cdef Trial t
    cdef int v
    cost[0] = price(g, cost_total(&a.cost))
    # What costs nothing that runs out is never activated: it would have no end.
    if not a.cost_flags & (CO_TAP | CO_SACRIFICE) and (cost[0] == 0 or a.n_x):
        return -WIN
    if doomed != NULL and mod_find(doomed, row) != NULL and mod_find(doomed, row).gone:
        answer = -1
    else:
        doomed = NULL
    trial_begin(g, &t, me, row, 0, 100)
    t.answer = answer
    t.threat = threat
    v = best_gain(g, &t, a.program, a.first_target, a.n_targets)
    if doomed == NULL:
        if a.cost_flags & CO_SACRIFICE:
            # One mana source among many is worth little.
            v -= worth_of(g, row) // (2 if g.mana[row] and lands_of(g, me) > 6 else 1)
        elif a.cost_flags & CO_TAP and g.types[row] & T_CREATURE and g.h.active == me and g.h.step <= STEP_MAIN2:
            v -= 12
    return v - 1


cdef int respond(Game *g, int me) noexcept nogil:
    """An answer to what an opponent has put on top of the stack; 0 none."""
    cdef int top = g.h.n_stack - 1
    cdef Mods doomed
    cdef int threat = entry_gain(g, top, NULL, &doomed)
    cdef int k, v
    cdef int cost = 0
    cdef int best = 0
    cdef int most = 0
    cdef int mana = mana_of(g, me)
    cdef Option *o
    if threat < 20:
        return 0
    for k in range(1, <int>g.h.n_options):
        o = &g.option[k]
        if o.kind == O_CAST:
            v = cast_points(g, me, o.row, mana, top, threat, &cost)
        elif o.kind == O_ACTIVATE:
            v = activate_points(g, me, o.row, o.num, top, threat, &doomed, &cost)
        else:
            continue
        if v > most:
            most = v
            best = k
    return best


cdef int land_option(const Game *g, int me) noexcept nogil:
    """The land whose colours the hand and the table need most; 0 none."""
    cdef int have = 0
    cdef int want = 0
    cdef int k, c, v, mask
    cdef int best = 0
    cdef int top = -1
    cdef const Face *f
    cdef uint16_t row
    for k in range(1, <int>g.h.n_options):
        if g.option[k].kind == O_PLAY:
            best = k
            break
    if best == 0 or best + 1 == g.h.n_options or g.option[best + 1].kind != O_PLAY:
        return best
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.controller[row] == me:
            have |= g.mana[row]
        row = g.znext[row]
    row = zone_first(g, Z_HAND, me)
    while row:
        want |= g.cards.faces[g.defn[row]].colors
        row = g.znext[row]
    for k in range(1, <int>g.h.n_options):
        if g.option[k].kind == O_PLAY:
            f = &g.cards.faces[g.defn[g.option[k].row]]
            mask = f.mana
            v = 0
            for c in range(6):
                if mask >> c & 1:
                    v += 1 + (4 if want >> c & 1 else 0) + (16 if want & ~have & (1 << c) else 0)
            if v > top:
                top = v
                best = k
    return best


cdef int priority_option(Game *g) noexcept nogil:
    cdef int me = g.h.decider
    cdef int step = g.h.step
    cdef bint mine = g.h.active == me
    cdef bint main = mine and (step == STEP_MAIN1 or step == STEP_MAIN2)
    cdef Plan p
    cdef Option *o
    cdef const Face *f
    cdef uint16_t row
    cdef int k, v, mana
    cdef int cost = 0
    if g.h.n_stack and g.stack[g.h.n_stack - 1].controller == me:
        return 0
    if main and g.h.n_stack == 0:
        k = land_option(g, me)
        if k:
            return k
    k = finishing_option(g, me)
    if k:
        return k
    if g.h.n_stack:
        return respond(g, me)
    if not main and step != STEP_DECLARE_BLOCKERS and (mine or step != STEP_END):
        return 0
    p.n = 0
    mana = mana_of(g, me)
    for k in range(1, <int>g.h.n_options):
        o = &g.option[k]
        if o.kind == O_CAST:
            v = cast_points(g, me, o.row, mana, -1, 0, &cost)
            f = &g.cards.faces[g.defn[o.row]]
            if step == STEP_MAIN1 and f.flags & FACE_PERMANENT and not f.keywords & K_HASTE and not f.mana:
                plan_add(&p, LATER, cost, v)
            else:
                plan_add(&p, k, cost, v)
        elif o.kind == O_ACTIVATE:
            v = activate_points(g, me, o.row, o.num, -1, 0, NULL, &cost)
            plan_add(&p, k, cost, v)
    if p.n and main:
        # A counterspell in hand is worth some mana held back.
        row = zone_first(g, Z_HAND, me)
        while row:
            f = &g.cards.faces[g.defn[row]]
            if f.flags & FACE_INSTANT_SPEED and has_effect(g, f.program, E_COUNTER) and can_pay(g, me, &f.cost):
                plan_add(&p, LATER, price(g, cost_total(&f.cost)), HOLD)
            row = g.znext[row]
    if p.n and mine and not main:
        # What is to be cast after combat wants its mana.
        row = zone_first(g, Z_HAND, me)
        while row:
            f = &g.cards.faces[g.defn[row]]
            if f.flags & FACE_HAS_COST and f.flags & FACE_PERMANENT and not f.flags & FACE_INSTANT_SPEED \
                    and can_pay(g, me, &f.cost):
                plan_add(&p, LATER, price(g, cost_total(&f.cost)), face_worth(f, 0))
            row = g.znext[row]
    return plan_choose(&p, mana)


# ------------------------------------------------------------------------------------------------ targets, X, payment

cdef void announced(const Game *g, const Frame *f, Trial *t) noexcept nogil:
    """The targets chosen so far."""
    cdef Ref *r
    cdef int i
    t.n = min(chunk_len(g, f.list), <int>MAX_TARGETS - 1)
    for i in range(t.n):
        r = &chunk_refs(g, f.list)[i]
        t.player[i] = r.row if r.kind == RK_PLAYER else -1
        t.row[i] = r.row if r.kind == RK_OBJECT else 0


cdef int target_option(Game *g) noexcept nogil:
    cdef Frame *f = top_frame(g)
    cdef const Ability *part = part_of(g, f.b, f.info, f.c >> 24 & 0xFF)
    cdef int program = part.program
    cdef int first = part.first_target
    cdef int n = part.n_targets
    cdef int me = g.h.decider
    cdef int ability = -1
    cdef int best = 0
    cdef int top = -WIN * 8
    cdef int k, v, at
    cdef Trial t
    cdef Mods doomed
    cdef Option *o
    if f.kind == F_ACTIVATE:
        ability = f.b
    k = share_of(g, program) if f.kind == F_CAST else 100
    trial_begin(g, &t, me, f.obj_row, f.a, k)
    if g.h.n_stack and g.stack[g.h.n_stack - 1].controller != me:
        # In response: what it saves counts.
        t.answer = g.h.n_stack - 1
        t.threat = entry_gain(g, t.answer, NULL, &doomed)
        if f.kind == F_ACTIVATE and mod_find(&doomed, f.obj_row) != NULL and mod_find(&doomed, f.obj_row).gone:
            t.answer = -1  # the source is lost anyway: to destroy it first saves nothing
            t.threat = 0
    announced(g, f, &t)
    at = t.n
    for k in range(<int>g.h.n_options):
        o = &g.option[k]
        t.n = at + 1
        t.budget = 100
        t.player[at] = o.player if o.kind == O_PLAYER else -1
        t.row[at] = o.row if o.kind == O_OBJECT else 0
        v = best_gain(g, &t, program, first, n)
        if o.kind == O_PLAYER and o.player != me and n == 1 and burns_out(g, me, o.player, f.obj_row, ability):
            v += WIN
        if v > top:
            top = v
            best = k
    return best


cdef int x_option(Game *g) noexcept nogil:
    """The X that is worth most; each mana has a small price, so that no more is spent than does something."""
    cdef Frame *f = top_frame(g)
    cdef const Ability *a
    cdef Trial t
    cdef int best = 0
    cdef int top = -WIN * 8
    cdef int k, v
    for k in range(<int>g.h.n_options):
        trial_begin(g, &t, g.h.decider, f.obj_row, g.option[k].num, 100)
        t.budget = 100
        if f.kind == F_ACTIVATE:
            a = ability_of(g, f.b)
            v = best_gain(g, &t, a.program, a.first_target, a.n_targets)
        else:
            v = spell_gain(g, g.defn[f.obj_row], &t)
        v -= 5 * g.option[k].num
        if v > top:
            top = v
            best = k
    return best


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
            mask = g.mana_in[o.row]
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

cdef int lands_in_hand(const Game *g, int player) noexcept nogil:
    cdef int n = 0
    cdef uint16_t row = zone_first(g, Z_HAND, player)
    while row:
        if g.types[row] & T_LAND:
            n += 1
        row = g.znext[row]
    return n


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
    cdef const Face *f
    for k in range(<int>g.h.n_options):
        f = &g.cards.faces[g.defn[g.option[k].row]]
        if f.types & T_LAND:
            v = 150 if lands <= 4 else (60 if lands == 5 else 8)
        else:
            v = face_worth(f, 0) if f.flags & FACE_PERMANENT else 70 + 8 * f.mv
            if f.mv > lands + 1:
                v -= 30 * (f.mv - lands - 1)
        if v < low:
            low = v
            best = k
    return best


cdef int cheapest_option(const Game *g) noexcept nogil:
    cdef int best = 0
    cdef int k
    for k in range(1, <int>g.h.n_options):
        if worth_of(g, g.option[k].row) < worth_of(g, g.option[best].row):
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
        f = &g.cards.faces[g.defn[g.option[k].row]]
        if f.types & T_LAND:
            v = 150 if few else 40
            mask = f.mana
            while mask:
                v += 1
                mask &= mask - 1
        else:
            v = face_worth(f, 0) if f.flags & FACE_PERMANENT else 70 + 8 * f.mv
        if v > top:
            top = v
            best = k
    return best


cdef int greedy_option(Game *g) noexcept nogil:
    """The option of the open choice that greedy takes."""
    cdef int kind = g.h.choice
    if kind == CH_PRIORITY:
        return priority_option(g)
    if kind == CH_TARGET:
        return target_option(g)
    if kind == CH_ATTACK:
        return attack_option(g)
    if kind == CH_BLOCK:
        return block_option(g)
    if kind == CH_ASSIGN:
        return assign_option(g)
    if kind == CH_MULLIGAN:
        return mulligan_option(g)
    if kind == CH_BOTTOM or kind == CH_DISCARD:
        return worst_option(g)
    if kind == CH_X:
        return x_option(g)
    if kind == CH_PAY:
        return pay_option(g)
    if kind == CH_SEARCH:
        return search_option(g)
    if kind == CH_SACRIFICE or kind == CH_COST:
        return cheapest_option(g)
    if kind == CH_KICK or kind == CH_MAY or kind == CH_PAY_COST or kind == CH_LOOK:
        return g.h.n_options - 1
    return 0
