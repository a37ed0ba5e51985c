"""Payment with mana abilities that cost or do more than tapping, and where tapping for mana means more than its mana.

What an activation makes is worked out before it is made (`yields_of`): the ability's mana, changed by what replaces
it (CR 106.12b), and the mana of triggered mana abilities, which resolve at once (605.4a). While anything of that kind
is on the battlefield (`tapping`), no permanent counts as a plain source: each is looked for here.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._casting cimport Rules, rules_begin, rules_next
from lkicore._expr cimport Ctx, holds, passes, passes_player, plain_context, ref_players, value
from lkicore._facts cimport chosen_for_source
from lkicore._game cimport top_frame
from lkicore._help cimport can_pay_helped, help_limit, helps_already, most_help
from lkicore._layout cimport Effect, SpecialMana
from lkicore._mana cimport (KINDS_CHOSEN, KINDS_MADE, LANES_HIGH, SNOW_KIND, TOTAL_SHIFT, can_pay_exact, cost_pips,
                            cost_total, drop_special, generic_of, put_back, set_aside, snow_of, take_pip, take_snow,
                            tapping)
from lkicore._opcodes cimport *
from lkicore._store cimport has_bit, touched
from lkicore._triggers cimport event_of, fits
from lkicore._types cimport NONE16, WORDS

cdef enum:
    MOST_OTHERS = 96      # mana abilities that are looked at
    MOST_TRIED = 3000     # combinations of them
    MOST_MADE = 1000      # mana of one activation
    MOST_AT_ONCE = 0x7FFF

# The abilities that payment may use, in their order.
cdef struct Sources:
    int n
    int m                              # the first m cost mana: they come in any order
    int budget
    int help                           # what else may help to pay (HELP_CONVOKE …), and for how much
    int limit
    uint16_t list                      # what helps already
    uint16_t row[MOST_OTHERS]
    uint16_t ability[MOST_OTHERS]
    Mana most[MOST_OTHERS + 1]         # what those from number i on make at most, by kind


cdef bint serves(Game *g, const Ability *use, uint16_t source_row, uint32_t source_id, int player,
                 uint16_t spell) noexcept nogil:
    """CR 106.6: mana of this kind can be spent on the spell."""
    cdef Ctx c
    if use.filter < 0:
        return True
    if spell == 0:
        return use.flags & MA_BESIDES != 0
    plain_context(g, source_row, source_id, player, &c)
    c.self_row = source_row
    return passes(g, &c, use.filter, spell)


cdef bint take_special(Game *g, int player, Mana *cost, uint16_t spell, bint spend) noexcept nogil:
    """On a symbol of its colour if there is one, else on generic mana: that leaves the rest no harder to pay."""
    cdef uint32_t i = 0
    cdef SpecialMana *m
    cdef const Ability *use
    cdef bint sure = False
    while i < g.h.n_special and cost_total(cost):
        m = &g.special[i]
        use = ability_of(g, m.ability)
        if m.player != player or not serves(g, use, m.source_row, m.source_id, player, spell) or (
                cost_pips(cost, m.color) == 0 and generic_of(cost) <= 0):
            i += 1
            continue
        take_pip(cost, m.color if cost_pips(cost, m.color) else -1)
        sure = sure or (use.flags & MA_SURE) != 0
        if spend:
            drop_special(g, i)
            touched(g)
        else:
            i += 1
    return sure


cdef bint found_alone(const Game *g, const Ability *a, int *life) noexcept nogil:
    """Payment looks for it (CR 605.3): it costs tapping, the permanent itself, life or fixed mana, and does nothing
    besides but damage."""
    cdef int i
    life[0] = 0
    if a.flags & MA_APART:
        return False
    for i in range(a.n_costs):
        if g.cards.costs[a.first_cost + i].op != CP_LIFE:
            return False
        life[0] += g.cards.values[g.cards.costs[a.first_cost + i].a].a
    return True


cdef bint life_left(const Game *g, int player, int n) noexcept nogil:
    """CR 119.4, 119.8."""
    return g.p_life[player] >= n and not g.p_facts[player] & PY_CANT_LOSE_LIFE


cdef int kinds_of(const Game *g, const Ctx *c, int mask) noexcept nogil:
    cdef int kind
    if mask & KINDS_CHOSEN:
        kind = chosen_for_source(g, c, CN_COLOR)
        return kind if kind > 0 else 0
    if mask & KINDS_MADE:
        return c.amount & 63
    return mask & 63


cdef int replaced_mana(Game *g, uint16_t row, int player, int mask, int *amount) noexcept nogil:
    """In the order of timestamps; each applies once (CR 614.5)."""
    cdef Rules r
    cdef const Ability *a
    cdef bint known
    cdef int n
    if not g.h.casting >> CA_TAPPED & 1:
        return mask
    rules_begin(g, CA_TAPPED, &r)
    a = rules_next(g, &r)
    while a != NULL:
        r.c.amount = <short>min(amount[0], <int>MOST_AT_ONCE)
        if (passes_player(g, &r.c, a.player, player) and passes(g, &r.c, a.filter, row)
                and holds(g, &r.c, a.condition)):
            known = True
            n = value(g, &r.c, a.amount, &known)
            if known:
                amount[0] = max(0, min(n, <int>MOST_MADE))
                if a.step:
                    mask = a.step
        a = rules_next(g, &r)
    return mask


cdef bint mana_trigger(Game *g, uint16_t row, int player, int kinds, int number, Found *f) noexcept nogil:
    """Of permanents in the order of timestamps, then delayed ones."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef Happening e
    cdef const Effect *d
    cdef uint16_t other = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef uint32_t i
    cdef int k, n
    e.kind = EV_MANA
    e.row = row
    e.id = g.id[row]
    e.row2 = 0
    e.id2 = 0
    e.player = player
    e.amount = kinds
    e.zone_from = 0
    e.zone_to = 0
    e.flags = 0
    while other:
        if has_bit(g.b_casting, other) and not g.status[other] & ST_PHASED_OUT:
            n = abilities_of(g, other, list)
            for k in range(n):
                f.a = ability_of(g, list[k])
                if f.a.kind != AB_TRIGGERED or not f.a.flags & TF_MANA:
                    continue
                plain_context(g, other, g.id[other], g.controller[other], &f.c)
                f.c.self_row = other
                event_of(&f.c, &e)
                if not fits(g, f.a, &e, &f.c):
                    continue
                if number == 0:
                    f.ability = list[k]
                    f.row = other
                    f.id = g.id[other]
                    f.defn = g.defn[other]
                    f.controller = g.controller[other]
                    f.x = 0
                    return True
                number -= 1
        other = g.znext[other]
    for i in range(g.h.n_effects if g.h.shields >> EK_DELAYED & 1 else 0):
        d = &g.effect[i]
        if d.kind != EK_DELAYED or d.n or not ability_of(g, d.what).flags & TF_MANA:
            continue
        f.a = ability_of(g, d.what)
        plain_context(g, d.source_row, d.source_id, d.player, &f.c)
        f.c.it_row = d.affected_row
        f.c.it_id = d.affected_id
        event_of(&f.c, &e)
        if not fits(g, f.a, &e, &f.c):
            continue
        if number == 0:
            f.ability = d.what
            f.row = d.source_row
            f.id = d.source_id
            f.defn = <uint16_t>d.y
            f.controller = d.player
            f.x = d.x
            return True
        number -= 1
    return False


cdef void yield_add(const Game *g, Yield *y, int mask, int amount, int use, uint16_t row, uint32_t id) noexcept nogil:
    if y.n == MOST_YIELDS or mask == 0 or amount <= 0:
        return
    y.mask[y.n] = mask | (SNOW_KIND if use < 0 and g.types[row] & T_SNOW else 0)
    y.amount[y.n] = amount
    y.use[y.n] = use
    y.row[y.n] = row
    y.id[y.n] = id
    y.n += 1


cdef int made_now(Game *g, const Ctx *c, int number) noexcept nogil:
    """How much mana the value says that the ability makes as things stand."""
    cdef bint known = True
    cdef int n
    if g.cards.values[number].op == V_CONST:
        return g.cards.values[number].a
    n = value(g, c, number, &known)
    return min(n, <int>MOST_MADE) if known else 0


cdef void yields_of(Game *g, uint16_t row, const Ability *a, int player, int color, Yield *y) noexcept nogil:
    cdef const int32_t *w
    cdef Ctx c
    cdef Found f
    cdef int n = a.mana_amount
    cdef int number = 0
    cdef int mask = a.mana_mask
    cdef bint taps = a.cost_flags & CO_TAP and tapping(g)
    y.n = 0
    y.kinds = 0
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    if a.program < 0:
        if taps:
            mask = replaced_mana(g, row, player, mask, &n)
        if color < 6 and mask >> color & 1:
            mask = 1 << color
        y.kinds = mask if n else 0
        yield_add(g, y, mask, n, -1, row, g.id[row])
    else:
        w = &g.cards.code[a.program]
        while w[0] != E_END:
            if w[0] == E_ADD_MANA:
                n = made_now(g, &c, w[3])
                mask = kinds_of(g, &c, w[2])
                if taps:
                    mask = replaced_mana(g, row, player, mask, &n)
                if color < 6 and mask >> color & 1:
                    mask = 1 << color
                if n > 0:
                    y.kinds |= mask
                yield_add(g, y, mask, n, w[4], row, g.id[row])
            w += WORDS
    while taps and mana_trigger(g, row, player, y.kinds, number, &f):
        number += 1
        w = &g.cards.code[f.a.program]
        while w[0] != E_END:
            if w[0] == E_ADD_MANA and ref_players(g, &f.c, w[1]) >> player & 1:
                yield_add(g, y, kinds_of(g, &f.c, w[2]), made_now(g, &f.c, w[3]), w[4], f.row, f.id)
            w += WORDS


cdef int take_made(Mana *left, int mask) noexcept nogil:
    cdef int k = 0
    while k < 6 and not (mask >> k & 1 and cost_pips(left, k)):
        k += 1
    if k < 6:
        take_pip(left, k)
        return k
    if mask & SNOW_KIND and snow_of(left):
        take_snow(left)
    elif generic_of(left) <= 0:
        return -1
    else:
        take_pip(left, -1)
    k = 0
    while not mask >> k & 1:
        k += 1
    return k


cdef bint use_made(Game *g, const Yield *y, int player, uint16_t spell, Mana *left) noexcept nogil:
    """What an activation makes goes off what is left to pay; false if it pays nothing of it."""
    cdef bint any = False
    cdef int i
    for i in range(y.n):
        if y.use[i] >= 0 and not serves(g, ability_of(g, y.use[i]), y.row[i], y.id[i], player, spell):
            continue
        for _ in range(y.amount[i]):
            if take_made(left, y.mask[i]) < 0:
                break
            any = True
    return any


cdef int one_of_kinds(Game *g, uint16_t row, const Ability *a, int player) noexcept nogil:
    """The kinds of which its player chooses one for all its mana; 0: nothing to choose, or each mana by itself."""
    cdef const int32_t *w
    cdef int n = a.mana_amount
    cdef int mask = a.mana_mask
    if a.program < 0:
        if a.cost_flags & CO_TAP:
            mask = replaced_mana(g, row, player, mask, &n)
        return mask if mask & (mask - 1) else 0
    w = &g.cards.code[a.program]
    while w[0] != E_END:
        if w[0] == E_ADD_MANA and w[5] and w[2] & (w[2] - 1):
            return w[2] & 63
        w += WORDS
    return 0


cdef int plain_ability(Game *g, uint16_t row, int player, int color) noexcept nogil:
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef int n = abilities_of(g, row, list)
    cdef int k, amount
    for k in range(n):
        a = ability_of(g, list[k])
        if a.kind == AB_MANA and a.program < 0:
            amount = a.mana_amount
            if replaced_mana(g, row, player, a.mana_mask, &amount) >> color & 1:
                return list[k]
    return NONE16


cdef inline bint could_tap(const Game *g, uint16_t row) noexcept nogil:
    """CR 302.6, 701.26."""
    return not (g.status[row] & (ST_TAPPED | ST_PHASED_OUT) or (
        g.status[row] & ST_SICK and g.types[row] & T_CREATURE and not g.keywords[row] & K_HASTE))


cdef int kinds_to_tap(Game *g, uint16_t row, int player) noexcept nogil:
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef int mask = 0
    cdef int k, n, amount
    if not tapping(g):
        return g.mana_in[row]
    if g.mana[row] == 0 or not could_tap(g, row):
        return 0
    n = abilities_of(g, row, list)
    for k in range(n):
        a = ability_of(g, list[k])
        if a.kind == AB_MANA and a.program < 0:
            amount = a.mana_amount
            mask |= replaced_mana(g, row, player, a.mana_mask, &amount)
    return mask


cdef bint mana_ready(Game *g, uint16_t row, int ability, int player) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef Ctx c
    if a.kind != AB_MANA or (a.program < 0 and not tapping(g)) or g.status[row] & ST_PHASED_OUT:
        return False
    if a.cost_flags & CO_TAP and not could_tap(g, row):
        return False
    if a.cost_flags & CO_SACRIFICE and g.attacks[row] and g.h.n_frames and top_frame(g).kind == F_ATTACK:
        return False  # it is being declared as an attacker: what that costs isn't paid with it
    if a.condition < 0:
        return True
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    return holds(g, &c, a.condition)


cdef inline bint exceeds(const Game *g, int player, const Mana *left, const Mana *most) noexcept nogil:
    """More is left to pay than all sources and the pool make, of one kind or in all."""
    cdef uint64_t lo = most.lo + g.p_mana_lo[player]
    cdef uint64_t hi = most.hi + (g.p_mana_hi[player] & 0xFFFFFFFFFFFFULL)
    cdef int c
    if g.p_pool_n[player]:
        hi += <uint64_t>min(<int>g.p_pool_n[player], 0x1FFF) << TOTAL_SHIFT
        for c in range(6):
            if c < 4:
                lo += <uint64_t>min(<int>g.p_pool[player * 6 + c], 0x1FFF) << 16 * c
            else:
                hi += <uint64_t>min(<int>g.p_pool[player * 6 + c], 0x1FFF) << 16 * (c - 4)
    hi = (hi | LANES_HIGH) - (left.hi & 0xFFFFFFFFFFFFULL)  # (whether it is snow mana is left out)
    return (hi & ((lo | LANES_HIGH) - left.lo) & LANES_HIGH) != LANES_HIGH


cdef void add_most(const Yield *y, Mana *most) noexcept nogil:
    """The most of each kind that it makes, in lanes that hold no more than 0x1FFF."""
    cdef int lane[7]
    cdef int i, c
    for c in range(7):
        lane[c] = <int>((most.lo >> 16 * c if c < 4 else most.hi >> 16 * (c - 4)) & 0xFFFF)
    for i in range(y.n):
        lane[6] += y.amount[i]
        for c in range(6):
            if y.mask[i] >> c & 1:
                lane[c] += y.amount[i]
    most.lo = 0
    most.hi = 0
    for c in range(7):
        if c < 4:
            most.lo |= <uint64_t>min(lane[c], 0x1FFF) << 16 * c
        else:
            most.hi |= <uint64_t>min(lane[c], 0x1FFF) << 16 * (c - 4)


cdef bint search_others(Game *g, int player, const Mana *left, uint16_t without, uint16_t spell, int from_,
                        Sources *s, Plan *plan) noexcept nogil:
    """Payable with what has been planned, or with more of the abilities, first in depth. The plan stands from its end:
    what an ability costs is paid with what is planned after it, so that those which cost mana, the first `m`, come in
    any order, then the others from number `from_` on. What pays nothing is not used."""
    cdef const Ability *a
    cdef Yield y
    cdef Mana rest
    cdef uint8_t counted
    cdef int i, k, life, mask, j
    cdef bint found, used
    s.budget -= 1
    if s.help | s.list:
        found = can_pay_helped(g, player, left, without, s.help, s.list, spell, plan.row, plan.n, s.limit)
    else:
        found = can_pay_exact(g, player, left, without)
    if found:
        return True
    if s.budget < 0 or plan.n == MOST_USES or exceeds(g, player, left, &s.most[0 if from_ < s.m else from_]):
        return False
    for i in range(0 if from_ < s.m else from_, s.n):
        used = s.row[i] == without or (s.list and helps_already(g, s.list, s.row[i]))
        for j in range(plan.n):
            used = used or plan.row[j] == s.row[i]
        a = ability_of(g, s.ability[i])
        if used or not found_alone(g, a, &life) or (life and not life_left(g, player, plan.life + life)):
            continue
        if s.help and generic_of(&a.cost) != cost_total(&a.cost):
            continue  # (What helps pays for the spell, not for this.)
        mask = one_of_kinds(g, s.row[i], a, player)
        for k in range(6):
            if (mask and not mask >> k & 1) or (mask == 0 and k):
                continue
            yields_of(g, s.row[i], a, player, k if mask else ANY_KIND, &y)
            rest = left[0]
            if not use_made(g, &y, player, spell, &rest):
                continue
            plan.row[plan.n] = s.row[i]
            plan.ability[plan.n] = s.ability[i]
            plan.color[plan.n] = <uint8_t>(k if mask else ANY_KIND)
            plan.n += 1
            plan.life += life
            rest.lo += a.cost.lo
            rest.hi += a.cost.hi
            # A source can't tap twice.
            counted = set_aside(g, s.row[i])
            found = search_others(g, player, &rest, without, spell, 0 if i < s.m else i + 1, s, plan)
            put_back(g, s.row[i], counted)
            if found:
                plan.cost.lo += a.cost.lo
                plan.cost.hi += a.cost.hi
                return True
            plan.n -= 1
            plan.life -= life
    return False


cdef void costly_first(const Game *g, int first, Sources *s) noexcept nogil:
    """Those from number `first` on that cost mana are put before the others, in their order."""
    cdef uint16_t row, ability
    cdef int i, k
    s.m = first
    for i in range(first, s.n):
        if cost_total(&ability_of(g, s.ability[i]).cost):
            row = s.row[i]
            ability = s.ability[i]
            for k in range(i, s.m, -1):
                s.row[k] = s.row[k - 1]
                s.ability[k] = s.ability[k - 1]
            s.row[s.m] = row
            s.ability[s.m] = ability
            s.m += 1


cdef bint others_pay(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell, uint16_t first,
                     int ability, int color, Plan *plan) noexcept nogil:
    return plan_payment(g, player, cost, without, spell, first, ability, color, 0, 0, plan)


cdef bint others_pay_helped(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell, int kinds,
                            uint16_t list, Plan *plan) noexcept nogil:
    return plan_payment(g, player, cost, without, spell, 0, 0, ANY_KIND, kinds, list, plan)


cdef bint plan_payment(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell, uint16_t first,
                       int ability, int color, int kinds, uint16_t helpers, Plan *plan) noexcept nogil:
    cdef Sources s
    cdef Yield y
    cdef uint16_t list[MOST_ABILITIES]
    cdef Mana left = cost[0]
    cdef uint16_t row
    cdef bint plain = tapping(g)
    cdef int i, k, n
    s.n = 0
    s.budget = MOST_TRIED
    s.help = kinds
    s.limit = help_limit(cost, kinds)
    s.list = helpers
    plan.n = 0
    plan.life = 0
    plan.cost = cost[0]
    if g.h.n_special:
        take_special(g, player, &left, spell, False)
        plan.cost = left
    for i in range(2):
        # The one that must be used stands first.
        row = first if i == 0 else (g.z_head[Z_BATTLEFIELD * g.lay.players]
                                    if plain or g.h.casting >> CA_MANA & 1 else 0)
        while row:
            if (g.controller[row] == player and (has_bit(g.b_casting, row) or (plain and g.mana[row]))
                    and (i == 0 or row != first)):
                n = abilities_of(g, row, list)
                for k in range(n):
                    if s.n < MOST_OTHERS and (i or list[k] == ability) and mana_ready(g, row, list[k], player):
                        s.row[s.n] = row
                        s.ability[s.n] = list[k]
                        s.n += 1
            row = g.znext[row] if i else 0
    costly_first(g, 1 if first else 0, &s)
    s.most[s.n].lo = 0
    s.most[s.n].hi = 0
    if kinds:
        s.most[s.n] = most_help(g, player, kinds, helpers, spell)
    for i in range(s.n - 1, -1, -1):
        s.most[i] = s.most[i + 1]
        yields_of(g, s.row[i], ability_of(g, s.ability[i]), player, ANY_KIND, &y)
        add_most(&y, &s.most[i])
    if first == 0:
        return search_others(g, player, &left, without, spell, 0, &s, plan)
    return s.n > 0 and s.row[0] == first and with_first(g, player, &left, without, spell, color, &s, plan)


cdef bint with_first(Game *g, int player, const Mana *left, uint16_t without, uint16_t spell, int color, Sources *s,
                     Plan *plan) noexcept nogil:
    """Payable after ability number 0 has been used."""
    cdef const Ability *a = ability_of(g, s.ability[0])
    cdef Yield y
    cdef Mana rest
    cdef uint8_t counted
    cdef int life = 0
    cdef int mask, k
    cdef bint found = False
    if not found_alone(g, a, &life) or (life and not life_left(g, player, life)):
        return False
    mask = one_of_kinds(g, s.row[0], a, player)
    counted = set_aside(g, s.row[0])
    for k in range(6):
        if found or (mask and not mask >> k & 1) or (mask == 0 and k) or (mask and color < 6 and k != color):
            continue
        yields_of(g, s.row[0], a, player, k if mask else ANY_KIND, &y)
        rest = left[0]
        use_made(g, &y, player, spell, &rest)
        rest.lo += a.cost.lo
        rest.hi += a.cost.hi
        plan.row[0] = s.row[0]
        plan.ability[0] = s.ability[0]
        plan.color[0] = <uint8_t>(k if mask else ANY_KIND)
        plan.n = 1
        plan.life = life
        found = search_others(g, player, &rest, without, spell, 1, s, plan)
    put_back(g, s.row[0], counted)
    return found
