"""Paying mana (CR 601.2g-h), also with mana abilities that cost or do more than tapping (CR 605).

Plain payment first (`_mana.pay_auto`). Where it doesn't do, the plan that `_plans.others_pay` finds is carried out:
each ability's costs are paid, its mana goes into the pool, and what it does besides happens; then the pool and plain
sources pay the whole.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from lkicore._abilities cimport ability_of
from lkicore._damage cimport Dealing, change_life, deal_to_player, dealing_begin, dealing_end, source_done
from lkicore._expr cimport Ctx, Facts, plain_context, read_facts, ref_object
from lkicore._mana cimport can_pay, can_pay_exact, cost_total, give_mana, has_others, pay_auto
from lkicore._opcodes cimport *
from lkicore._plans cimport (ANY_KIND, MOST_USES, MOST_YIELDS, Plan, Yield, others_pay, serves, take_made, take_special,
                             yields_of)
from lkicore._status cimport tap
from lkicore._triggers cimport happened, heard
from lkicore._types cimport Ability, WORDS
from lkicore._zones cimport sacrifice_group


# How much mana of each kind the yields of an activation are to be.
cdef struct Kinds:
    uint16_t n[MOST_YIELDS][6]


cdef void share_out(Game *g, int player, const Mana *cost, uint16_t spell, const Plan *plan,
                    Kinds *made) noexcept nogil:
    """Of which kind each mana is, in the order of the plan, which promises that it pays; what is left over is of the
    first kind that it can be."""
    cdef const Ability *a
    cdef Yield y
    cdef Mana left = cost[0]
    cdef int i, j, k
    memset(made, 0, plan.n * sizeof(Kinds))
    for i in range(plan.n):
        a = ability_of(g, plan.ability[i])
        yields_of(g, plan.row[i], a, player, plan.color[i], &y)
        for j in range(y.n):
            for _ in range(y.amount[j]):
                k = -1
                if y.use[j] < 0 or serves(g, ability_of(g, y.use[j]), y.row[j], y.id[j], player, spell):
                    k = take_made(&left, y.mask[j])
                if k < 0:
                    k = 0
                    while not y.mask[j] >> k & 1:
                        k += 1
                made[i].n[j][k] += 1
        left.lo += a.cost.lo
        left.hi += a.cost.hi


cdef void hurt(Game *g, const Ctx *c, int source, int amount) noexcept nogil:
    """The ability deals damage to its player besides (`found_alone`). Nobody is asked in which order it is replaced:
    costs are being paid."""
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int asks = g.h.asks
    cdef int asked = g.h.asked
    cdef Facts facts
    cdef Dealing d
    if amount <= 0 or not ref_object(g, c, source, &row, &id, &policy) or not read_facts(g, row, id, policy, &facts):
        return
    g.h.asks = 0
    g.h.asked = 0xFF
    g.h.tick += 1
    dealing_begin(&d)
    deal_to_player(g, &d, &facts, c.controller, amount, False)
    source_done(g, &d, &facts)
    dealing_end(g, &d)
    g.h.asks = <uint8_t>asks
    g.h.asked = <uint8_t>asked


cdef void use_ability(Game *g, int player, uint16_t row, const Ability *a, int color, const Kinds *made) noexcept nogil:
    """Activate it as planned (CR 605.3b): no stack."""
    cdef const int32_t *w
    cdef uint16_t source = row
    cdef uint32_t id = g.id[row]
    cdef Ctx c
    cdef Yield y
    cdef int i, k
    plain_context(g, row, id, player, &c)
    c.self_row = row
    yields_of(g, row, a, player, color, &y)
    if a.cost_flags & CO_TAP:
        tap(g, row)
        if heard(g, EV_MANA):
            happened(g, EV_MANA, row, id, 0, 0, player, y.kinds, 0)
    for i in range(a.n_costs):
        change_life(g, player, -g.cards.values[g.cards.costs[a.first_cost + i].a].a)
    if a.cost_flags & CO_SACRIFICE:
        sacrifice_group(g, &source, 1)
    for i in range(y.n):
        for k in range(6):
            give_mana(g, player, k, made.n[i][k], y.use[i], y.row[i], y.id[i])
    if a.program < 0:
        return
    w = &g.cards.code[a.program]
    while w[0] != E_END and g.h.status == GS_RUNNING:
        if w[0] == E_DAMAGE:
            hurt(g, &c, w[1], g.cards.values[w[3]].a)
        w += WORDS


cdef int pay_mana(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell) noexcept nogil:
    cdef Plan plan
    cdef Kinds made[MOST_USES]
    cdef Mana left = cost[0]
    cdef const Ability *a
    cdef int i, k
    cdef bint sure = False
    if g.h.options_mask & EO_PAY_FREE:
        return 1
    if has_others(g):
        if g.h.n_special:
            sure = take_special(g, player, &left, spell, True)
        if not (can_pay_exact(g, player, &left, without) if without else can_pay(g, player, &left)):
            if not others_pay(g, player, &left, without, spell, 0, 0, ANY_KIND, &plan):
                return 0
            share_out(g, player, &left, spell, &plan, made)
            left = plan.cost
            # What leaves the battlefield does so last: the others' amounts are those that were planned.
            for k in range(2):
                for i in range(plan.n - 1, -1, -1):
                    a = ability_of(g, plan.ability[i])
                    if (a.cost_flags & CO_SACRIFICE != 0) == k:
                        use_ability(g, player, plan.row[i], a, plan.color[i], &made[i])
            if g.h.n_special:
                sure = take_special(g, player, &left, spell, True) or sure
    if cost_total(&left) and not pay_auto(g, player, &left):
        return 0
    return 2 if sure else 1
