"""Modes that cost something of their own.

The cost of a mode stands in the mode (spree), that of each mode beyond the first in the ability whose modes they are
(escalate; entwine, as it is about two modes). They are additional costs (CR 601.2b, 601.2f): they are paid whatever is
paid rather than the mana cost, and a copy of the spell has the same modes and pays nothing (707.10).
"""
from lkicore._abilities cimport ability_of, entry_next
from lkicore._arena cimport chunk_refs
from lkicore._costs cimport find_payment, offer_cost, part_payable, parts_payable, pay_parts
from lkicore._targets cimport has_targets


cdef void add_modes(const Game *g, int ability, uint16_t info, Mana *mana) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef const Ability *m
    cdef int i = entry_next(g, info, RK_MODE, 0)
    cdef bint first = True
    while i >= 0:
        m = ability_of(g, a.first_mode + chunk_refs(g, info)[i].row)
        mana.lo += m.cost.lo
        mana.hi += m.cost.hi
        if not first:
            mana.lo += a.cost.lo
            mana.hi += a.cost.hi
        first = False
        i = entry_next(g, info, RK_MODE, i + 1)


cdef bint some_mode(Game *g, Ctx *c, int ability, const Price *price, int player) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef const Ability *m
    cdef Price more
    cdef int k
    for k in range(a.n_modes):
        m = ability_of(g, a.first_mode + k)
        if not has_targets(g, c, m.first_target, m.n_targets) or not parts_payable(g, c, m.first_cost, m.n_costs):
            continue
        more = price[0]
        more.mana.lo += m.cost.lo
        more.mana.hi += m.cost.hi
        if find_payment(g, player, &more, 0):
            return True
    return False


cdef bint mode_parts(Game *g, const Ctx *c, int ability, uint16_t info, int k) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef const Ability *m = ability_of(g, a.first_mode + k)
    cdef Node part
    cdef int i = entry_next(g, info, RK_MODE, 0)
    cdef int before = 0
    while i >= 0:
        before += 1
        i = entry_next(g, info, RK_MODE, i + 1)
    if not parts_payable(g, c, m.first_cost, m.n_costs):
        return False
    for i in range(a.n_costs if before else 0):
        # One object can't pay twice.
        part = g.cards.costs[a.first_cost + i]
        if part.op != CP_LIFE and part.op != CP_PLAYER_COUNTERS:
            part.b *= before
        if not part_payable(g, c, &part, before):
            return False
    return True


cdef bint offer_modes(Game *g, const Ctx *c, int ability, uint16_t info) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef const Ability *m
    cdef int i = entry_next(g, info, RK_MODE, 0)
    cdef int base = MODE_COST
    while i >= 0:
        m = ability_of(g, a.first_mode + chunk_refs(g, info)[i].row)
        if m.n_costs and offer_cost(g, c, m.first_cost, m.n_costs, base, info):
            return True
        if a.n_costs and base > MODE_COST and offer_cost(g, c, a.first_cost, a.n_costs, base + BEYOND, info):
            return True
        base += MODE_SPAN
        i = entry_next(g, info, RK_MODE, i + 1)
    return False


cdef void pay_modes(Game *g, const Ctx *c, int ability, uint16_t info) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef const Ability *m
    cdef int i = entry_next(g, info, RK_MODE, 0)
    cdef int base = MODE_COST
    while i >= 0:
        m = ability_of(g, a.first_mode + chunk_refs(g, info)[i].row)
        if m.n_costs:
            pay_parts(g, c, m.first_cost, m.n_costs, base, info)
        if a.n_costs and base > MODE_COST:
            pay_parts(g, c, a.first_cost, a.n_costs, base + BEYOND, info)
        base += MODE_SPAN
        i = entry_next(g, info, RK_MODE, i + 1)


cdef const Node *part_of_mode(const Game *g, int ability, uint16_t info, int number) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef const Ability *m
    cdef int i = entry_next(g, info, RK_MODE, 0)
    cdef int base = MODE_COST
    while i >= 0:
        m = ability_of(g, a.first_mode + chunk_refs(g, info)[i].row)
        if base <= number < base + m.n_costs:
            return &g.cards.costs[m.first_cost + number - base]
        if base > MODE_COST and base + BEYOND <= number < base + BEYOND + a.n_costs:
            return &g.cards.costs[a.first_cost + number - base - BEYOND]
        base += MODE_SPAN
        i = entry_next(g, info, RK_MODE, i + 1)
    return NULL
