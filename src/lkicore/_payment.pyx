"""Paying mana (CR 601.2g-h), also with mana abilities that cost or do more than tapping (CR 605).

Plain payment first (`_mana.pay_auto`). Where it doesn't do, the plan that `_mana.others_pay` finds is carried out: each
ability's costs are paid, its mana goes into the pool, and what it does besides happens; then the pool and plain sources
pay the whole.
"""
from libc.stdint cimport int32_t, uint16_t

from lkicore._abilities cimport ability_of
from lkicore._actions cimport deal
from lkicore._damage cimport change_life
from lkicore._expr cimport Ctx, plain_context
from lkicore._mana cimport (Plan, can_pay, can_pay_exact, cost_pips, cost_total, give_mana, has_others, made_now,
                            others_pay, pay_auto, take_special)
from lkicore._opcodes cimport *
from lkicore._status cimport tap
from lkicore._types cimport Ability, WORDS
from lkicore._zones cimport sacrifice_group


cdef void use_ability(Game *g, int player, uint16_t row, const Ability *a, int color, Mana *left) noexcept nogil:
    """Activate it as planned (CR 605.3b): no stack. `left` tells which colours are still needed."""
    cdef const int32_t *w = &g.cards.code[a.program]
    cdef uint16_t source = row
    cdef Ctx c
    cdef int i, k
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    if a.cost_flags & CO_TAP:
        tap(g, row)
    for i in range(a.n_costs):
        change_life(g, player, -g.cards.values[g.cards.costs[a.first_cost + i].a].a)
    if a.cost_flags & CO_SACRIFICE:
        sacrifice_group(g, &source, 1)
    while w[0] != E_END and g.h.status == GS_RUNNING:
        if w[0] == E_ADD_MANA:
            for _ in range(made_now(g, row, player, w[3])):
                k = color if color < 6 and w[2] >> color & 1 else 0xFF
                if k == 0xFF:
                    k = 0
                    while k < 6 and not (w[2] >> k & 1 and cost_pips(left, k)):
                        k += 1
                    if k == 6:
                        k = 0
                        while not w[2] >> k & 1:
                            k += 1
                if cost_pips(left, k):
                    # One symbol fewer to look for.
                    if k < 4:
                        left.lo -= <unsigned long long>1 << (16 * k)
                    else:
                        left.hi -= <unsigned long long>1 << (16 * (k - 4))
                give_mana(g, player, k, 1, w[4], c.source_row, c.source_id)
        elif w[0] == E_DAMAGE:
            deal(g, &c, w[1], w[2], g.cards.values[w[3]].a)
        w += WORDS


cdef int pay_mana(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell) noexcept nogil:
    cdef Plan plan
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
            if not others_pay(g, player, &left, without, spell, 0, 0, &plan):
                return 0
            left = plan.cost
            # What leaves the battlefield does so last: the others' amounts are those that were planned.
            for k in range(2):
                for i in range(plan.n - 1, -1, -1):
                    a = ability_of(g, plan.ability[i])
                    if (a.cost_flags & CO_SACRIFICE != 0) == k:
                        use_ability(g, player, plan.row[i], a, plan.color[i], &plan.cost)
            if g.h.n_special:
                sure = take_special(g, player, &left, spell, True) or sure
    if cost_total(&left) and not pay_auto(g, player, &left):
        return 0
    return 2 if sure else 1
