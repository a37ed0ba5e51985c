"""Clashes: one attacker against those who block it, played out with first strike, deathtouch and trample."""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from lkicore._greedy_worth cimport WIN, death_cost, loss_of
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, zone_first


cdef Mod *mod_find(const Mods *m, uint16_t row) noexcept nogil:
    cdef int i
    for i in range(m.n):
        if m.m[i].row == row:
            return <Mod *>&m.m[i]
    return NULL


cdef bint shielded(const Game *g, uint16_t row) noexcept nogil:
    cdef uint32_t i
    if not g.h.shields >> EK_REGENERATE & 1 or not g.n_effects[row]:
        return False
    for i in range(g.h.n_effects):
        if g.effect[i].kind == EK_REGENERATE and g.effect[i].affected_row == row \
                and g.effect[i].affected_id == g.id[row]:
            return True
    return False


cdef void fighter(const Game *g, uint16_t row, const Mods *mods, Fighter *f) noexcept nogil:
    cdef Mod *m = NULL
    f.row = row
    f.keywords = g.keywords[row]
    f.power = g.power[row]
    f.life = g.toughness[row] - g.damage[row]
    f.worth = death_cost(g, row)
    if mods != NULL and mods.n:
        m = mod_find(mods, row)
    if m != NULL:
        f.keywords = f.keywords & ~m.without | m.keywords
        f.power += m.power
        f.life += m.toughness - m.damage
    if f.life > 0 and (f.keywords & K_INDESTRUCTIBLE or shielded(g, row)):
        f.life = NEVER
    if f.power < 0:
        f.power = 0


cdef int duel(const Fighter *a, const Fighter *b, int *through) noexcept nogil:
    """One against one: A_DIES and B_DIES."""
    cdef uint64_t first = K_FIRST_STRIKE | K_DOUBLE_STRIKE
    cdef int to_a = 0
    cdef int to_b = 0
    cdef int need_a = enough(a, b.keywords)
    cdef int need_b = enough(b, a.keywords)
    cdef int dead = 0
    through[0] = 0
    if (a.keywords | b.keywords) & first:
        if a.keywords & first:
            to_b = a.power
        if b.keywords & first:
            to_a = b.power
        if to_a and to_a >= need_a:
            dead |= A_DIES
        if to_b and to_b >= need_b:
            dead |= B_DIES
        if to_b > need_b and a.keywords & K_TRAMPLE:
            through[0] = to_b - need_b
    if not dead & A_DIES and (not a.keywords & first or a.keywords & K_DOUBLE_STRIKE):
        if dead & B_DIES:
            if a.keywords & K_TRAMPLE:
                through[0] += a.power
        else:
            to_b += a.power
            if a.keywords & K_TRAMPLE and to_b > need_b:
                through[0] += to_b - need_b
    if not dead & B_DIES and (not b.keywords & first or b.keywords & K_DOUBLE_STRIKE):
        to_a += b.power
    if to_a and to_a >= need_a:
        dead |= A_DIES
    if to_b and to_b >= need_b:
        dead |= B_DIES
    return dead


cdef void strike(const Fighter *a, const Fighter *b, int n, int *left, int dead, Clash *c) noexcept nogil:
    """Divide the attacker's damage: kill the most valuable blockers it can; the rest tramples over or is wasted."""
    cdef int power = a.power
    cdef int taken = 0
    cdef int i, best, need
    while True:
        best = -1
        for i in range(n):
            if dead >> (i + 1) & 1 or taken >> i & 1:
                continue
            need = 1 if a.keywords & K_DEATHTOUCH and 1 < left[i] < NEVER else left[i]
            if need <= power and (best < 0 or b[i].worth > b[best].worth):
                best = i
        if best < 0:
            break
        taken |= 1 << best
        need = 1 if a.keywords & K_DEATHTOUCH and 1 < left[best] < NEVER else left[best]
        power -= need
        left[best] = 0
    for i in range(n):
        if not dead >> (i + 1) & 1 and not taken >> i & 1:
            if left[i] < NEVER:
                left[i] -= power
            return
    if a.keywords & K_TRAMPLE:
        c.through += power


cdef inline bint strikes_in(uint64_t keywords, int turn) noexcept nogil:
    """It deals damage in the first (0) or the second damage step."""
    if turn == 0:
        return (keywords & (K_FIRST_STRIKE | K_DOUBLE_STRIKE)) != 0
    return (keywords & (K_FIRST_STRIKE | K_DOUBLE_STRIKE)) != K_FIRST_STRIKE


cdef void clash(const Fighter *a, const Fighter *b, int n, Clash *c) noexcept nogil:
    """One attacker against n blockers."""
    cdef int left[GANG]
    cdef int own = a.life
    cdef int i, turn, hurt
    cdef int dead = 0
    cdef uint64_t all_keywords = a.keywords
    c.through = 0
    for i in range(n):
        left[i] = b[i].life
        all_keywords |= b[i].keywords
    for turn in range(2):
        if turn == 0 and not all_keywords & (K_FIRST_STRIKE | K_DOUBLE_STRIKE):
            continue
        hurt = dead
        if not dead & 1 and a.power and strikes_in(a.keywords, turn):
            strike(a, b, n, left, dead, c)
        for i in range(n):
            if hurt >> (i + 1) & 1:
                continue
            if b[i].power and own < NEVER and strikes_in(b[i].keywords, turn):
                own = 0 if b[i].keywords & K_DEATHTOUCH else own - b[i].power
            if left[i] <= 0:
                dead |= 2 << i
        if own <= 0:
            dead |= 1
    c.dead = dead
    c.exchange = -a.worth if dead & 1 else 0
    for i in range(n):
        if dead >> (i + 1) & 1:
            c.exchange += b[i].worth


cdef int combat_value(const Game *g, int me, const Mods *mods, int share) noexcept nogil:
    """Points for `me` of the combat that has been declared, with what a program would change.

    Damage to opponents that does not beat them counts by a share of 100.
    """
    cdef Fighter a
    cdef Fighter b[GANG]
    cdef Clash c
    cdef int damage[8]
    cdef int p, n, owner
    cdef int total = 0
    cdef uint16_t row, r
    cdef Mod *m
    for p in range(<int>g.lay.players):
        damage[p] = 0
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.attacks[row]:
            m = mod_find(mods, row)
            if m == NULL or not m.gone:
                fighter(g, row, mods, &a)
                p = g.attacks[row] - 1
                owner = g.controller[row]
                if not g.combat[row] & CB_BLOCKED:
                    damage[p] += hits(&a)
                else:
                    n = 0
                    r = zone_first(g, Z_BATTLEFIELD, 0)
                    while r and n < GANG:
                        if g.combat[r] & CB_BLOCKING and g.blocks_row[r] == row and is_live(g, row, g.blocks_id[r]):
                            m = mod_find(mods, r)
                            if m == NULL or not m.gone:
                                fighter(g, r, mods, &b[n])
                                n += 1
                        r = g.znext[r]
                    clash(&a, b, n, &c)
                    damage[p] += c.through
                    total += c.exchange if owner == me else (-c.exchange if p == me else 0)
        row = g.znext[row]
    for p in range(<int>g.lay.players):
        if damage[p]:
            n = loss_of(g.p_life[p], damage[p])
            if p == me:
                total -= n
            else:
                total += n if n >= WIN else n * share // 100
    return total
