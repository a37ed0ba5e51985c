"""Which creatures can attack what, and block what; what restricts and requires declarations (CR 508.1, 509.1).

A declaration is asked for creature by creature. Where more than the creatures by themselves decides about it (taxes,
goad, "can't attack alone", lures, limits), `restrict_attack` and `restrict_block` take out of the open choice what
can't be completed to a whole that obeys as many requirements as any could (see `_declare`).
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, blocks_it, defender_of
from lkicore._costs cimport payable
from lkicore._declare cimport (MOST_TARGETS, Whole, whole_begin, whole_declared, whole_item, whole_option, whole_points,
                               whole_target)
from lkicore._expr cimport Ctx, Facts, holds, passes, plain_context, read_facts, value
from lkicore._game cimport next_player
from lkicore._layout cimport Effect, Game, Option
from lkicore._mana cimport TOTAL_SHIFT, mana_update
from lkicore._opcodes cimport *
from lkicore._payment cimport pay_mana
from lkicore._protection cimport protected_from
from lkicore._store cimport zone_first
from lkicore._types cimport Ability, Mana

cdef enum:
    NO_LIMIT = 1 << 20


# ------------------------------------------------------------------------------------------------ one creature

cdef bint can_be_attacked(const Game *g, uint16_t row, int defender) noexcept nogil:
    """A planeswalker that the player controls, or a battle that the player protects (CR 506.3c, 508.1b, 310.8b)."""
    return (g.types[row] & (T_PLANESWALKER | T_BATTLE) and defender_of(g, row) == defender
            and not g.status[row] & ST_PHASED_OUT)


cdef bint limits(Game *g, uint16_t row, int blocking, uint16_t other) noexcept nogil:
    """An ability of `row` says that it can't be blocked by `other`, or (1) can't block it (CR 509.1b)."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int n = abilities_of(g, row, list)
    cdef int i
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind == AB_EVASION and a.amount == blocking:
            plain_context(g, row, g.id[row], g.controller[row], &c)
            if passes(g, &c, a.filter, other):
                return True
    return False


cdef bint walks(Game *g, uint16_t attacker, int player) noexcept nogil:
    """CR 702.14c: the defending player controls a land that a landwalk ability of the attacker names."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = abilities_of(g, attacker, list)
    cdef uint16_t row
    cdef Ctx c
    cdef int i
    plain_context(g, attacker, g.id[attacker], g.controller[attacker], &c)
    for i in range(n):
        if ability_of(g, list[i]).kind != AB_LANDWALK:
            continue
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if (g.controller[row] == player and g.types[row] & T_LAND
                    and passes(g, &c, ability_of(g, list[i]).filter, row)):
                return True
            row = g.znext[row]
    return False


cdef bint evades(Game *g, uint16_t attacker, uint16_t blocker) noexcept nogil:
    """The rarer evasion abilities (CR 509.1b): the attacker can't be blocked by this creature."""
    cdef uint64_t a = g.keywords[attacker]
    cdef Facts facts
    if (a ^ g.keywords[blocker]) & K_SHADOW:
        return True  # CR 702.28b
    if a & K_HORSEMANSHIP and not g.keywords[blocker] & K_HORSEMANSHIP:
        return True  # CR 702.31b
    if a & K_FEAR and not g.types[blocker] & T_ARTIFACT and not g.colors[blocker] & C_B:
        return True  # CR 702.36b
    if a & K_INTIMIDATE and not g.types[blocker] & T_ARTIFACT and not g.colors[blocker] & g.colors[attacker]:
        return True  # CR 702.13b
    if a & K_SKULK and g.power[blocker] > g.power[attacker]:
        return True  # CR 702.118b
    if a & K_LANDWALK and walks(g, attacker, g.controller[blocker]):
        return True
    if a & K_EVASION and limits(g, attacker, 0, blocker):
        return True
    if g.keywords[blocker] & K_EVASION and limits(g, blocker, 1, attacker):
        return True
    if not a & K_PROTECTION:
        return False
    # CR 702.16f.
    return read_facts(g, blocker, g.id[blocker], P_LIVE_ONLY, &facts) and protected_from(g, attacker, &facts)


cdef int more_blocks(Game *g, uint16_t row) noexcept nogil:
    """How many further attackers it can block (CR 509.1b)."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n, i
    cdef int more = 0
    if not g.keywords[row] & K_EVASION:
        return 0
    n = abilities_of(g, row, list)
    for i in range(n):
        if ability_of(g, list[i]).kind == AB_EVASION and ability_of(g, list[i]).amount > 2:
            more += ability_of(g, list[i]).amount - 2
    return more


# ------------------------------------------------------------------------------------------------ RULE abilities

cdef bint speaks(Game *g, const Ability *a, uint16_t source, uint16_t row, int player, uint16_t walker) noexcept nogil:
    """The ability of `source` is about this creature attacking this player, or planeswalker of the player."""
    cdef Ctx c
    if a.step != RW_ANYBODY and (g.controller[source] != player or (walker and (
            a.step == RW_YOU or not g.types[walker] & T_PLANESWALKER))):
        return False
    plain_context(g, source, g.id[source], g.controller[source], &c)
    return passes(g, &c, a.filter, row) and holds(g, &c, a.condition)


cdef bint forbidden(Game *g, uint16_t row, int player, uint16_t walker) noexcept nogil:
    """It can't attack this (CR 508.1c)."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef uint16_t source
    cdef int i, n
    if not g.h.restricts >> RU_CANT_ATTACK & 1:
        return False
    source = zone_first(g, Z_BATTLEFIELD, 0)
    while source:
        n = abilities_of(g, source, list)
        for i in range(n):
            if (ability_of(g, list[i]).kind == AB_RULE and ability_of(g, list[i]).event == RU_CANT_ATTACK
                    and speaks(g, ability_of(g, list[i]), source, row, player, walker)):
                return True
        source = g.znext[source]
    return False


cdef int tax(Game *g, uint16_t row, int player, uint16_t walker) noexcept nogil:
    """Mana that it costs to attack this (CR 508.1h)."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef uint16_t source
    cdef Ctx c
    cdef int i, n, much
    cdef int sum = 0
    cdef bint known
    if not g.h.restricts >> RU_ATTACK_TAX & 1:
        return 0
    source = zone_first(g, Z_BATTLEFIELD, 0)
    while source:
        n = abilities_of(g, source, list)
        for i in range(n):
            a = ability_of(g, list[i])
            if a.kind == AB_RULE and a.event == RU_ATTACK_TAX and speaks(g, a, source, row, player, walker):
                plain_context(g, source, g.id[source], g.controller[source], &c)
                known = True
                much = value(g, &c, a.amount, &known)
                sum += max(0, much)
        source = g.znext[source]
    return min(sum, 10000)


cdef int limit(Game *g, int rule, int player) noexcept nogil:
    """At most so many creatures in all (player -1), or against this player."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef uint16_t source
    cdef Ctx c
    cdef int i, n
    cdef int most = NO_LIMIT
    if not g.h.restricts >> rule & 1:
        return most
    source = zone_first(g, Z_BATTLEFIELD, 0)
    while source:
        n = abilities_of(g, source, list)
        for i in range(n):
            a = ability_of(g, list[i])
            if a.kind != AB_RULE or a.event != rule:
                continue
            if (a.step == RW_ANYBODY) != (player < 0) or (player >= 0 and g.controller[source] != player):
                continue
            plain_context(g, source, g.id[source], g.controller[source], &c)
            if holds(g, &c, a.condition):
                most = min(most, <int>a.amount)
        source = g.znext[source]
    return most


# ------------------------------------------------------------------------------------------------ attacks

cdef bint attack_rules(const Game *g, int player) noexcept nogil:
    cdef int i
    if (g.h.restricts & (1 << RU_CANT_ATTACK | 1 << RU_ATTACK_TAX | 1 << RU_MOST_ATTACKERS)
            or g.h.shields & (1 << EK_GOAD | 1 << EK_REQUIRE)):
        return True
    for i in range(g.h.n_fighters if g.cards.keywords & K_CANT_ATTACK_ALONE else 0):
        if g.controller[g.fighter[i]] == player and g.keywords[g.fighter[i]] & K_CANT_ATTACK_ALONE:
            return True
    return False


cdef int obeyed(const Game *g, uint16_t row, int player, uint16_t walker) noexcept nogil:
    """How many requirements it obeys by attacking this (CR 508.1d, 701.15b)."""
    cdef uint32_t i
    cdef const Effect *e
    cdef int n = 1 if g.keywords[row] & K_MUST_ATTACK else 0
    if not g.h.shields & (1 << EK_GOAD | 1 << EK_REQUIRE):
        return n
    for i in range(g.h.n_effects):
        e = &g.effect[i]
        if e.affected_row != row or e.affected_id != g.id[row]:
            continue
        if e.kind == EK_GOAD:
            n += 1
            if walker == 0 and player != e.player:
                n += 1
        elif e.kind == EK_REQUIRE:
            if e.what:
                n += walker == 0 and player == e.what - 1
            else:
                n += walker != 0 and e.source_row == walker and e.source_id == g.id[walker]
    return min(n, 200)


cdef int defenders(Game *g, int player, Whole *w, int *who, uint16_t *walker) noexcept nogil:
    """What can be attacked, as the options list it."""
    cdef int p = next_player(g, player)
    cdef int k
    cdef uint16_t row
    while p != player:
        k = whole_target(w, 1, limit(g, RU_MOST_ATTACKERS, p), 0)
        if k < 0:
            break
        who[k] = p
        walker[k] = 0
        row = zone_first(g, Z_BATTLEFIELD, 0) if g.h.walkers else 0
        while row:
            if can_be_attacked(g, row, p):
                k = whole_target(w, 1, NO_LIMIT, 0)
                if k < 0:
                    break
                who[k] = p
                walker[k] = row
            row = g.znext[row]
        p = next_player(g, p)
    return w.n_targets


cdef int owed(Game *g) noexcept nogil:
    """What the attackers declared so far cost."""
    cdef int i
    cdef uint16_t row
    cdef int sum = 0
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if g.attacks[row]:
            sum += tax(g, row, g.attacks[row] - 1, g.blocks_row[row] if g.blocks_id[row] else 0)
    return sum


cdef bint affordable(Game *g, int player, uint16_t row, int sum) noexcept nogil:
    """Payable, with mana abilities too (CR 508.1i), while the attackers are tapped: 508.1f comes before the costs."""
    cdef Mana cost
    cdef uint16_t f
    cdef int i
    cdef bint can
    cdef int was = g.attacks[row]
    if g.h.options_mask & EO_PAY_FREE:
        return True
    cost.lo = 0
    cost.hi = <uint64_t>sum << TOTAL_SHIFT
    g.attacks[row] = 1
    for i in range(g.h.n_fighters):
        f = g.fighter[i]
        if g.attacks[f] and not g.keywords[f] & K_VIGILANCE:
            g.status[f] |= ST_TAPPED
            mana_update(g, f)
    can = payable(g, player, &cost, 0, 0)
    for i in range(g.h.n_fighters):
        f = g.fighter[i]
        if g.attacks[f] and not g.keywords[f] & K_VIGILANCE:
            # (Who attacks was untapped, CR 508.1a.)
            g.status[f] &= <uint8_t>~<int>ST_TAPPED
            mana_update(g, f)
    g.attacks[row] = <uint8_t>was
    return can


cdef void items_of_attack(Game *g, int player, int next, Whole *w, const int *who,
                          const uint16_t *walker) noexcept nogil:
    """Creatures that are asked later, with what they could attack without a cost (CR 508.1d). Those that nothing is
    required of count as company only, for such as can't attack alone."""
    cdef uint16_t row
    cdef int i, k, n
    cdef int company = 0
    cdef bint must, loner
    for i in range(next, g.h.n_fighters):
        row = g.fighter[i]
        if g.controller[row] != player or not can_attack(g, row):
            continue
        loner = (g.keywords[row] & K_CANT_ATTACK_ALONE) != 0
        must = False
        for k in range(w.n_targets):
            must = must or obeyed(g, row, who[k], walker[k]) > 0
        if not must:
            if company == 2:
                continue
            company += 1
        if not whole_item(w, loner):
            return
        n = 0
        whole_option(w, -1, 0)
        for k in range(w.n_targets):
            if not forbidden(g, row, who[k], walker[k]) and tax(g, row, who[k], walker[k]) == 0:
                whole_option(w, k, obeyed(g, row, who[k], walker[k]))
                n += 1


cdef int target_of(const Whole *w, const int *who, const uint16_t *walker, int player, uint16_t row) noexcept nogil:
    cdef int k
    for k in range(w.n_targets):
        if who[k] == player and walker[k] == row:
            return k
    return -1


cdef void restrict_attack(Game *g, int player, uint16_t row, int next) noexcept nogil:
    cdef Whole w
    cdef int who[MOST_TARGETS]
    cdef uint16_t walker[MOST_TARGETS]
    cdef int points[MOST_TARGETS + 1]
    cdef bint loner = (g.keywords[row] & K_CANT_ATTACK_ALONE) != 0
    cdef int i, k, t, cost
    cdef int most = -1
    cdef uint16_t f
    cdef Option *o
    if g.h.n_options > MOST_TARGETS:
        return
    whole_begin(&w, limit(g, RU_MOST_ATTACKERS, -1))
    defenders(g, player, &w, who, walker)
    for i in range(g.h.n_fighters):
        f = g.fighter[i]
        if g.attacks[f]:
            t = target_of(&w, who, walker, g.attacks[f] - 1, g.blocks_row[f] if g.blocks_id[f] else 0)
            whole_declared(&w, t, (g.keywords[f] & K_CANT_ATTACK_ALONE) != 0)
    items_of_attack(g, player, next, &w, who, walker)
    for i in range(g.h.n_options):
        o = &g.option[i]
        points[i] = -1
        if o.kind == O_NO:
            points[i] = whole_points(&w, -1, 0, False)
            most = max(most, points[i])
            continue
        k = target_of(&w, who, walker, o.player if o.kind == O_PLAYER else defender_of(g, o.row),
                      0 if o.kind == O_PLAYER else o.row)
        if k < 0 or forbidden(g, row, who[k], walker[k]):
            continue
        cost = tax(g, row, who[k], walker[k])
        if cost and not affordable(g, player, row, owed(g) + cost):
            continue
        points[i] = whole_points(&w, k, obeyed(g, row, who[k], walker[k]), loner)
        # Nobody is required to pay (CR 508.1d).
        if cost == 0:
            most = max(most, points[i])
    keep_options(g, points, most)


cdef void keep_options(Game *g, const int *points, int most) noexcept nogil:
    """Options that can be completed to as much as is possible; to do nothing, if there is none."""
    cdef int i
    cdef int n = 0
    for i in range(g.h.n_options):
        if points[i] >= 0 and points[i] >= most:
            g.option[n] = g.option[i]
            n += 1
    if n == 0:
        g.option[0].kind = O_NO
        n = 1
    g.h.n_options = <uint16_t>n


cdef void pay_taxes(Game *g, int player) noexcept nogil:
    """All of it at once, once the attackers are tapped."""
    cdef int sum
    cdef Mana cost
    if not g.h.restricts >> RU_ATTACK_TAX & 1 or g.h.options_mask & EO_PAY_FREE:
        return
    sum = owed(g)
    if sum:
        cost.lo = 0
        cost.hi = <uint64_t>sum << TOTAL_SHIFT
        if not pay_mana(g, player, &cost, 0, 0):
            g.h.status = GS_FAULT


# ------------------------------------------------------------------------------------------------ blocks

cdef bint block_rules(const Game *g, int player) noexcept nogil:
    cdef int i
    cdef uint64_t k
    if g.h.restricts >> RU_MOST_BLOCKERS & 1 or g.h.shields >> EK_REQUIRE & 1:
        return True
    if not g.cards.keywords & (K_MUST_BE_BLOCKED | K_LURE | K_ONE_BLOCKER | K_MUST_BLOCK | K_CANT_BLOCK_ALONE):
        return False
    for i in range(g.h.n_fighters):
        k = g.keywords[g.fighter[i]]
        if g.attacks[g.fighter[i]] == 1 + player:
            if k & (K_MUST_BE_BLOCKED | K_LURE | K_ONE_BLOCKER):
                return True
        elif k & (K_MUST_BLOCK | K_CANT_BLOCK_ALONE) and g.controller[g.fighter[i]] == player:
            return True
    return False


cdef int obeyed_block(const Game *g, uint16_t row, uint16_t attacker) noexcept nogil:
    """How many requirements it obeys by blocking this attacker (CR 509.1c)."""
    cdef uint32_t i
    cdef const Effect *e
    cdef int n = (1 if g.keywords[row] & K_MUST_BLOCK else 0) + (1 if g.keywords[attacker] & K_LURE else 0)
    if g.h.shields >> EK_REQUIRE & 1:
        for i in range(g.h.n_effects):
            e = &g.effect[i]
            if (e.kind == EK_REQUIRE and e.affected_row == row and e.affected_id == g.id[row] and e.what == 0
                    and e.source_row == attacker and e.source_id == g.id[attacker]):
                n += 1
    return min(n, 200)


cdef void items_of_block(Game *g, int player, int next, Whole *w, const uint16_t *attackers) noexcept nogil:
    cdef uint16_t row
    cdef int i, k
    for i in range(next, g.h.n_fighters):
        row = g.fighter[i]
        if not may_block(g, row, player):
            continue
        for k in range(w.n_targets):
            # Of those who need not, such as a restriction or a requirement of the attacker could ask for.
            if can_block(g, row, attackers[k]) and (obeyed_block(g, row, attackers[k]) or w.bonus[k]
                                                    or w.least[k] > 1 or w.loners or w.most_total < NO_LIMIT):
                break
        else:
            if not g.keywords[row] & K_CANT_BLOCK_ALONE:
                continue
        if not whole_item(w, (g.keywords[row] & K_CANT_BLOCK_ALONE) != 0):
            return
        whole_option(w, -1, 0)
        for k in range(w.n_targets):
            if can_block(g, row, attackers[k]):
                whole_option(w, k, obeyed_block(g, row, attackers[k]))


cdef void restrict_block(Game *g, int player, uint16_t row, int next) noexcept nogil:
    cdef Whole w
    cdef uint16_t attackers[MOST_TARGETS]
    cdef int points[MOST_TARGETS + 1]
    cdef bint loner = (g.keywords[row] & K_CANT_BLOCK_ALONE) != 0
    cdef int i, k, t
    cdef int again
    cdef int most = -1
    cdef uint16_t f
    if g.h.n_options > MOST_TARGETS:
        return
    whole_begin(&w, limit(g, RU_MOST_BLOCKERS, -1))
    for i in range(g.h.n_fighters):
        f = g.fighter[i]
        if g.attacks[f] == 1 + player:
            k = whole_target(&w, 2 if g.keywords[f] & K_MENACE else 1, 1 if g.keywords[f] & K_ONE_BLOCKER else NO_LIMIT,
                             1 if g.keywords[f] & K_MUST_BE_BLOCKED else 0)
            if k >= 0:
                attackers[k] = f
    for i in range(g.h.n_fighters):
        f = g.fighter[i]
        if g.combat[f] & CB_BLOCKING and g.controller[f] == player:
            again = 0
            for t in range(w.n_targets):
                if blocks_it(g, f, g.id[attackers[t]]):
                    whole_declared(&w, t, (g.keywords[f] & K_CANT_BLOCK_ALONE) != 0 and not again)
                    w.total -= again  # (a creature that blocks several counts once)
                    again = 1
        elif g.combat[f] & CB_BLOCKING:
            w.total += 1  # of another defending player: limits count them all
    again = 1 if g.combat[row] & CB_BLOCKING else 0
    w.loners += loner
    items_of_block(g, player, next, &w, attackers)
    w.loners -= loner
    for i in range(g.h.n_options):
        points[i] = -1
        if g.option[i].kind == O_NO:
            points[i] = whole_points(&w, -1, 0, False)
        else:
            w.total -= again
            for t in range(w.n_targets):
                if attackers[t] == g.option[i].row:
                    points[i] = whole_points(&w, t, obeyed_block(g, row, attackers[t]), loner and not again)
            w.total += again
        most = max(most, points[i])
    keep_options(g, points, most)
