"""What `greedy` spends its mana on, and whether what it can pay for beats a player."""
from libc.stdint cimport uint16_t, uint32_t

from lkicore._abilities cimport ability_of
from lkicore._defs cimport ability_at, face_of, spell_program
from lkicore._game cimport next_player
from lkicore._greedy_value cimport face_damage
from lkicore._layout cimport Game, Option
from lkicore._mana cimport amount_of, can_pay, cost_total, tapping
from lkicore._opcodes cimport *
from lkicore._store cimport zone_first
from lkicore._types cimport FACE_ACTS, FACE_HAS_COST, FACE_INSTANT_SPEED, Ability, Face


cdef int mana_of(const Game *g, int player) noexcept nogil:
    """Mana that the player can spend now."""
    cdef uint16_t row
    cdef int n
    if g.h.options_mask & EO_PAY_FREE:
        return MANA
    n = <int>((g.p_mana_hi[player] >> 32) & 0xFFFF) + g.p_pool_n[player]
    if tapping(g):
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if g.controller[row] == player and g.mana[row] and not g.status[row] & ST_TAPPED:
                n += amount_of(g, row)
            row = g.znext[row]
    return min(n, <int>MANA)


cdef bint sorcery_now(const Game *g, int player) noexcept nogil:
    return player == g.h.active and g.h.n_stack == 0 and (g.h.step == STEP_MAIN1 or g.h.step == STEP_MAIN2)


# ------------------------------------------------------------------------------------------------ beating a player

cdef inline bint burns_alone(const Ability *a) noexcept nogil:
    """It costs mana, tapping and itself only, at any time."""
    return a.cost_flags & (CO_TAP | CO_SACRIFICE) and a.n_costs == 0 and a.condition < 0 and a.timing == 0 \
        and a.zones >> Z_BATTLEFIELD & 1


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
        f = face_of(g, g.defn[r])
        if spell_program(g, f) >= 0 and f.n_targets <= 1 and (sorcery or f.flags & FACE_INSTANT_SPEED) \
                and f.flags & FACE_HAS_COST and f.n_costs == 0 and f.n_hybrid == 0 \
                and can_pay(g, me, &f.cost):
            damage = face_damage(g, spell_program(g, f), me, r, victim, 1, f.first_target, f.n_targets)
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
        if g.controller[r] == me and face_of(g, g.defn[r]).flags & FACE_ACTS:
            f = face_of(g, g.defn[r])
            for k in range(f.n_abilities):
                a = ability_of(g, ability_at(g, f, k))
                if a.kind != AB_ACTIVATED or a.n_targets > 1 or not burns_alone(a):
                    continue
                if a.cost_flags & CO_TAP and (g.status[r] & ST_TAPPED or (
                        g.status[r] & ST_SICK and g.types[r] & T_CREATURE and not g.keywords[r] & K_HASTE)):
                    continue
                cost = price(g, cost_total(&a.cost))
                damage = face_damage(g, a.program, me, r, victim, 0, a.first_target, a.n_targets)
                if damage <= 0 or cost > mana:
                    continue
                if r == row and ability == ability_at(g, f, k):
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
                    f = face_of(g, g.defn[o.row])
                    if o.kind == O_CAST and (f.n_x != 0) == (dealt == 1):
                        if face_damage(g, spell_program(g, f), me, o.row, p, 1, f.first_target, f.n_targets) > 0:
                            return k
                    elif o.kind == O_ACTIVATE and dealt == 0:
                        a = numbered(g, o.row, o.num)
                        if burns_alone(a) and \
                                face_damage(g, a.program, me, o.row, p, 0, a.first_target, a.n_targets) > 0:
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
