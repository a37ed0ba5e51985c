"""The agent `greedy`: a sensible player with integer scores.

It looks at what its player may know: its own hand, the public zones, life and mana. It keeps nothing from one choice to
the next and never writes to the game; ties go to the option that comes first.

Points: about 100 a card. A creature is worth its power, toughness and keywords (_greedy_clash.pxd), life is worth
more the less of it is left, a beaten player 20,000.

- Opening hands with 2 to 5 lands are kept, others sent back, down to five cards.
- With priority it plays a land, then spends its mana for most points: each spell and ability is judged by its program
  with the best modes and targets there are (_greedy_value.pyx), a permanent also by what triggers as it enters and by
  what it does to others, an Aura by the best permanent for it; less what it would be worth kept for later and what its
  costs give up. The best affordable set is found by mana (_greedy_plan.pyx), and its best member that should come now
  is taken. Creatures that help no attack wait for the second main phase; a counterspell in hand has some mana held for
  it. A kicker is paid if it adds more than its mana is worth.
- If the burn that it can pay for now beats a player, all of it goes there.
- Its patience in a turn has an end: after many spells and abilities each further one must be worth more. Who remembers
  nothing would go round in a circle for ever where nothing that it does there costs anything.
- Instants and abilities are used in its main phases, after blocks, at the end of an opponent's turn, and against a
  spell or ability on the stack that they would counter or blunt. While its own spell is on top of the stack it waits.
- Tricks are for combat: what the declared combat would come to with and without them.
- What must be sacrificed, discarded or paid is what is missed least; what is lost anyway is not missed at all.
- Choices on resolution (_greedy_choice.pyx) are those after which the rest of the program is worth most to who chooses.
- Attacks and blocks are planned by the exchange (_greedy_combat.pyx).
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport ability_of
from lkicore._casting cimport Manner, announced_face, announced_spell, manner_by, manner_of, permission
from lkicore._costs cimport Price
from lkicore._defs cimport ability_at, face_of
from lkicore._greedy_choice cimport (color_option, copy_option, cost_option, host_option, kick_option, kick_price,
                                     legend_option,
                                     look_option, may_option, mode_option, mulligan_option, name_option, option_of,
                                     pay_option, pick_option, replace_option, sacrifice_option, search_option,
                                     share_of, subtype_option, target_option, worst_option, x_option)
from lkicore._greedy_clash cimport Mods, mod_find
from lkicore._greedy_combat cimport assign_option, attack_option, block_option
from lkicore._greedy_effects cimport loss, parts_points
from lkicore._greedy_plan cimport (LATER, Plan, ability_number, finishing_option, mana_of, plan_add, plan_choose,
                                   price)
from lkicore._greedy_trial cimport Trial, trial_begin
from lkicore._greedy_value cimport ability_gain, ability_has, entry_gain, keep_worth, spell_gain
from lkicore._greedy_worth cimport WIN, arriving_worth, face_worth, lands_of, worth_of
from lkicore._guise cimport Guise, put_on, take_off
from lkicore._hidden cimport cost_under, definition_under, turn_ups
from lkicore._layout cimport Frame, Game, Option
from lkicore._mana cimport can_pay, cost_total
from lkicore._opcodes cimport *
from lkicore._price cimport price_of_manner
from lkicore._store cimport zone_count, zone_first
from lkicore._types cimport (FACE_AURA, FACE_HAS_COST, FACE_INSTANT_SPEED, FACE_PERMANENT, FACE_STATIC, MOST_ABILITIES,
                             NONE16, Ability, Face, Mana, OptionalCost, Trace)

cdef enum:
    HOLD = 60        # points of mana held for a counterspell
    PATIENCE = 40    # spells and abilities in a turn, after which each further one must be worth more


# ------------------------------------------------------------------------------------------------ spending mana

cdef int kept(const Game *g, int me, int ability) noexcept nogil:
    """What the card would be worth kept: less with a full hand or without enemies to use it on."""
    cdef int n = keep_worth(g, ability)
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


cdef void manner_of_option(Game *g, uint16_t row, int player, int number, Manner *m) noexcept nogil:
    """What the number of an option to cast says (see `_choices`)."""
    cdef int own = (number & 63) - 1
    manner_by(g, face_of(g, g.defn[row]).first_way + own if own >= 0 else -1,
              permission(g, row, player, number // 64) if number >= 64 else -1, m)


cdef int cast_points(Game *g, int me, uint16_t row, int number, int mana, int answer, int threat,
                     int *cost) noexcept nogil:
    """Points of casting a card now in the manner of an option, at its best X, kicked or not."""
    cdef Manner m
    cdef Guise guise
    cdef int v
    manner_of_option(g, row, me, number, &m)
    if m.own == NULL or m.own.face == NONE16:
        return manner_points(g, me, row, &m, number, mana, answer, threat, cost)
    put_on(g, row, m.own.face, &guise)
    v = manner_points(g, me, row, &m, number, mana, answer, threat, cost)
    take_off(g, &guise)
    return v


cdef int manner_points(Game *g, int me, uint16_t row, const Manner *m, int number, int mana, int answer, int threat,
                       int *cost) noexcept nogil:
    cdef const Face *f
    cdef Price p
    cdef int spell, n_x
    cdef Trial t
    cdef int base
    cdef int best = -WIN
    cdef int lost = 0
    cdef int x, v, most
    f = announced_face(g, row, m)
    spell = announced_spell(g, row, m)
    n_x = price_of_manner(f, m, &p)
    base = cost_total(&p.mana) + p.n_hybrid
    if answer >= 0 and not f.flags & FACE_PERMANENT and g.stack[answer].ability == NONE16 \
            and face_of(g, g.stack[answer].face).flags & FACE_PERMANENT and not ability_has(g, spell, E_COUNTER):
        return -WIN
    trial_begin(g, &t, me, row, 0, share_of(g, spell))
    t.answer = answer
    t.threat = threat
    t.kick = 0
    if f.n_costs:
        lost = parts_points(g, &t, me, f.first_cost, f.n_costs)
    if m.own != NULL and m.own.n_costs:
        lost += parts_points(g, &t, me, m.own.first_cost, m.own.n_costs)
    cost[0] = price(g, base)
    if m.own != NULL and m.own.spell != NONE16:
        best = ability_gain(g, &t, spell)
    elif n_x == 0:
        best = spell_gain(g, g.defn[row], &t)
    else:
        most = 20 if g.h.options_mask & EO_PAY_FREE else (mana - base) // n_x
        for x in range(1, most + 1):
            t.x = x
            t.c.x = <short>x
            t.budget = 100
            v = spell_gain(g, g.defn[row], &t) - 5 * x
            if v > best:
                best = v
                cost[0] = price(g, base + n_x * x)
    if f.n_optional and number == 0:
        best = max(best, kicked_points(g, &t, row, mana, base, best, cost))
    best -= lost
    if f.flags & FACE_PERMANENT:
        return best
    # What costs a creature, too, waits for one that is lost anyway.
    return best - kept(g, me, spell) - (25 if lost > 20 else 0)


cdef int kicked_points(Game *g, Trial *t, uint16_t row, int mana, int base, int plain, int *cost) noexcept nogil:
    """With the first optional cost paid once; its price goes off."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef const OptionalCost *o = &g.cards.optional[f.first_optional]
    cdef Mana sum = f.cost
    cdef int v
    sum.lo += o.cost.lo
    sum.hi += o.cost.hi
    base += cost_total(&o.cost)
    if (price(g, base) > mana and not g.h.options_mask & EO_PAY_FREE) or not can_pay(g, t.controller, &sum):
        return plain
    t.kick = 1
    t.budget = 200
    v = -kick_price(g, o)
    if o.n_costs:
        v -= parts_points(g, t, t.controller, o.first_cost, o.n_costs)
    v += spell_gain(g, g.defn[row], t)
    if v > plain:
        cost[0] = price(g, base)
    return v


cdef inline bint runs_out(const Ability *a) noexcept nogil:
    """Its costs besides mana can't be paid for ever."""
    return a.cost_flags & (CO_TAP | CO_SACRIFICE | CO_UNTAP) or a.n_costs > 0 or a.timing & (TM_ONCE | TM_LOYALTY)


cdef int activate_points(Game *g, int me, uint16_t row, int number, int mana, int answer, int threat,
                         const Mods *doomed, int *cost) noexcept nogil:
    """Points of activating an ability now, less what its costs give up."""
    cdef int ability = ability_number(g, row, number)
    cdef const Ability *a = ability_of(g, ability)
    cdef Trial t
    cdef const Mods *lost = doomed
    cdef int base = cost_total(&a.cost) + a.n_hybrid
    cdef int v, x, w, most
    cost[0] = price(g, base)
    # What costs nothing that runs out is never activated: it would have no end. To equip is worth something only
    # where it makes things better.
    if not runs_out(a) and (cost[0] == 0 or a.n_x) and not ability_has(g, ability, E_ATTACH):
        return -WIN
    if doomed != NULL and mod_find(doomed, row) != NULL and mod_find(doomed, row).gone:
        answer = -1
    else:
        doomed = NULL
    trial_begin(g, &t, me, row, 0, 100)
    t.spell = False
    t.doomed = lost
    t.answer = answer
    t.threat = threat
    w = parts_points(g, &t, me, a.first_cost, a.n_costs) if a.n_costs else 0
    if a.n_x and cost[0] + a.n_x <= mana:
        v = -WIN
        most = (mana - base) // a.n_x
        for x in range(1, most + 1):
            t.x = x
            t.c.x = <short>x
            t.budget = 100
            if ability_gain(g, &t, ability) - 5 * x > v:
                v = ability_gain(g, &t, ability) - 5 * x
                cost[0] = price(g, base + a.n_x * x)
    else:
        v = ability_gain(g, &t, ability)
    v -= w
    if doomed == NULL:
        if a.cost_flags & CO_SACRIFICE:
            # One mana source among many is worth little.
            v -= loss(g, &t, row)
        elif a.cost_flags & CO_TAP and g.types[row] & T_CREATURE and g.h.active == me and g.h.step <= STEP_MAIN2:
            v -= 12
    return v - 1


cdef inline int weariness(const Game *g, int me) noexcept nogil:
    return 20 * (g.p_acts[me] - PATIENCE) if g.p_acts[me] > PATIENCE else 0


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
            v = cast_points(g, me, o.row, o.num, mana, top, threat, &cost)
        elif o.kind == O_ACTIVATE:
            v = activate_points(g, me, o.row, o.num, mana, top, threat, &doomed, &cost)
        else:
            continue
        v -= weariness(g, me)
        if v > most:
            most = v
            best = k
    return best


cdef const Face *option_face(const Game *g, const Option *o) noexcept nogil:
    """The face, half or face-down form that an option to cast or play is about."""
    cdef const Face *f = face_of(g, g.defn[o.row])
    cdef int own = (o.num & 63) - 1
    if 0 <= own < f.n_ways and g.cards.ways[f.first_way + own].face != NONE16:
        return &g.cards.faces[g.cards.ways[f.first_way + own].face]
    return f


cdef int turn_up_points(Game *g, const Option *o, int mana, int *cost) noexcept nogil:
    """Points of turning a permanent face up: what it is more than what it looks like, and what it does then."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Face *f = face_of(g, definition_under(g, o.row))
    cdef const Ability *a
    cdef const Face *own
    cdef int k
    cdef int v = face_worth(g, f, 0) - worth_of(g, o.row)
    turn_ups(g, o.row, list)
    a = ability_of(g, list[o.num])
    own = cost_under(g, o.row, a)
    cost[0] = price(g, cost_total(&own.cost) if own != NULL else cost_total(&a.cost))
    for k in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, k))
        if a.kind == AB_TRIGGERED and a.event == EV_TURNED_UP:
            v += 40
        elif a.kind == AB_REPLACEMENT and a.event == RP_TURNED_UP:
            v += 60
    return v


cdef int land_option(const Game *g, int me) noexcept nogil:
    """The land whose colours the hand and the table need most; 0 none."""
    cdef int have = 0
    cdef int want = 0
    cdef int k, c, v, mask
    cdef int best = 0
    cdef int top = -1000
    cdef const Face *f
    cdef uint16_t row
    for k in range(1, <int>g.h.n_options):
        if g.option[k].kind == O_PLAY:
            best = k
            break
    if best == 0 or (not g.option[best].num & 63 and (
            best + 1 == g.h.n_options or g.option[best + 1].kind != O_PLAY)):
        return best
    best = 0
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.controller[row] == me:
            have |= g.mana[row]
        row = g.znext[row]
    row = zone_first(g, Z_HAND, me)
    while row:
        want |= face_of(g, g.defn[row]).colors
        row = g.znext[row]
    for k in range(1, <int>g.h.n_options):
        if g.option[k].kind == O_PLAY:
            f = option_face(g, &g.option[k])
            mask = f.mana
            v = 0
            if g.option[k].num & 63 and not face_of(g, g.defn[g.option[k].row]).types & T_LAND:
                # A card that is a spell on its other face is one land more only where there are few.
                v = -100
                if lands_of(g, me) >= face_of(g, g.defn[g.option[k].row]).mv:
                    continue
            for c in range(6):
                if mask >> c & 1:
                    v += 1 + (4 if want >> c & 1 else 0) + (16 if want & ~have & (1 << c) else 0)
            if v > top:
                top = v
                best = k
    return best


cdef inline bint helps_attack(const Game *g, const Face *f, int points) noexcept nogil:
    """Better before combat: what makes others stronger, and what does something as it enters."""
    return f.flags & (FACE_AURA | FACE_STATIC) or (f.listens >> EV_ENTERS & 1 and points >= face_worth(g, f, 0) + 30)


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
            v = cast_points(g, me, o.row, o.num, mana, -1, 0, &cost) - weariness(g, me)
            f = option_face(g, o)
            if step == STEP_MAIN1 and f.flags & FACE_PERMANENT and not f.keywords & K_HASTE and not f.mana \
                    and not helps_attack(g, f, v):
                plan_add(&p, LATER, cost, v)
            else:
                plan_add(&p, k, cost, v)
        elif o.kind == O_ACTIVATE:
            v = activate_points(g, me, o.row, o.num, mana, -1, 0, NULL, &cost) - weariness(g, me)
            plan_add(&p, k, cost, v)
        elif o.kind == O_TURN_UP:
            v = turn_up_points(g, o, mana, &cost)
            plan_add(&p, k, cost, v)
    if p.n and main:
        # A counterspell in hand is worth some mana held back.
        row = zone_first(g, Z_HAND, me)
        while row:
            f = face_of(g, g.defn[row])
            if f.flags & FACE_INSTANT_SPEED and ability_has(g, f.spell, E_COUNTER) and can_pay(g, me, &f.cost):
                plan_add(&p, LATER, price(g, cost_total(&f.cost)), HOLD)
            row = g.znext[row]
    if p.n and mine and not main:
        # What is to be cast after combat wants its mana.
        row = zone_first(g, Z_HAND, me)
        while row:
            f = face_of(g, g.defn[row])
            if f.flags & FACE_HAS_COST and f.flags & FACE_PERMANENT and not f.flags & FACE_INSTANT_SPEED \
                    and can_pay(g, me, &f.cost):
                plan_add(&p, LATER, price(g, cost_total(&f.cost)), arriving_worth(g, f))
            row = g.znext[row]
    return plan_choose(&p, mana)


cdef int cast_now_points(Game *g, int me, const Option *o) noexcept nogil:
    cdef Trial t
    cdef Guise guise
    cdef uint16_t defn = option_face(g, o).number if o.num & 63 else g.defn[o.row]
    cdef int v
    put_on(g, o.row, defn, &guise)
    trial_begin(g, &t, me, o.row, 0, 100)
    v = spell_gain(g, defn, &t)
    take_off(g, &guise)
    return v


cdef int cast_option(Game *g) noexcept nogil:
    """What is worth most to cast while something resolves; nothing, if that is better."""
    cdef int me = g.h.decider
    cdef int k, v
    cdef int best = -1
    cdef int top = -WIN * 8
    for k in range(<int>g.h.n_options):
        v = 0
        if g.option[k].kind == O_CAST:
            v = cast_now_points(g, me, &g.option[k])
        elif g.option[k].kind == O_PLAY:
            v = 50
        if v > top:
            top = v
            best = k
    return max(best, 0)


cdef int untap_option(const Game *g) noexcept nogil:
    """It stays tapped while something lasts by that."""
    cdef uint32_t i
    for i in range(g.h.n_effects):
        if (g.effect[i].source_id == g.option[0].id and (g.effect[i].duration == D_WHILE_TAPPED
                                                         or g.effect[i].duration == D_WHILE_YOURS_TAPPED)):
            return 0
    return 1


cdef int answer_to(Game *g, int kind) noexcept nogil:
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
    if kind == CH_MODE:
        return mode_option(g)
    if kind == CH_KICK:
        return kick_option(g)
    if kind == CH_COST:
        return cost_option(g)
    if kind == CH_MAY or kind == CH_PAY_COST:
        return may_option(g)
    if kind == CH_PICK:
        return pick_option(g)
    if kind == CH_SACRIFICE:
        return sacrifice_option(g)
    if kind == CH_UNTAP:
        return untap_option(g)
    if kind == CH_EXERT:
        return 1  # what comes of it is worth more than one untapping
    if kind == CH_LEGEND:
        return legend_option(g)
    if kind == CH_COLOR:
        return color_option(g)
    if kind == CH_LOOK:
        return look_option(g)
    if kind == CH_HOST:
        return host_option(g)
    if kind == CH_SUBTYPE:
        return subtype_option(g)
    if kind == CH_NUMBER:
        return g.h.n_options - 1
    if kind == CH_REPLACE:
        return replace_option(g)
    if kind == CH_CAST:
        return cast_option(g)
    if kind == CH_HELP:
        return option_of(g, O_DONE, 0)
    if kind == CH_RETARGET:
        return option_of(g, O_DONE, 0)
    if kind == CH_COMMANDER or kind == CH_REVEAL:
        return option_of(g, O_YES, 0)
    if kind == CH_NAME:
        return name_option(g)
    if kind == CH_COPY:
        return copy_option(g)
    return 0  # CH_ORDER, CH_VOTE, CH_ROOM


cdef bint announces_face(const Game *g, Manner *m) noexcept nogil:
    cdef const Frame *f
    if g.h.n_frames == 0 or g.frame[g.h.n_frames - 1].kind != F_CAST:
        return False
    f = &g.frame[g.h.n_frames - 1]
    if f.info == 0:
        return False
    manner_of(g, f.info, m)
    return m.own != NULL and m.own.face != NONE16


cdef int greedy_option(Game *g) noexcept nogil:
    """The option of the open choice that greedy takes. Thinking leaves no trace: nothing of it has happened."""
    cdef Trace *trace = g.trace
    cdef uint64_t answers = g.lki_answers
    cdef uint64_t kept_answers = g.lki_kept_answers
    cdef int best
    cdef Manner m
    cdef Guise guise
    if g.h.chooser != g.h.decider:
        return 0  # it makes no plans for another's turn: passes, declines, or takes what comes first
    g.trace = NULL
    if announces_face(g, &m):
        # It thinks of the half, face or face-down form that is being cast.
        put_on(g, g.frame[g.h.n_frames - 1].obj_row, m.own.face, &guise)
        best = answer_to(g, g.h.choice)
        take_off(g, &guise)
    else:
        best = answer_to(g, g.h.choice)
    g.trace = trace
    g.lki_answers = answers
    g.lki_kept_answers = kept_answers
    return best
