"""Combat as `greedy` sees it.

A battle is a set of attackers, the defender's creatures that may block, and a table of what each pair would lead to.
Blocks are planned on it by exchange: best pairs first, then two on one, then whatever keeps the defender alive. Attacks
are a search over sets of attackers, each judged by the blocks that this same plan would answer with and by what the
enemy could do in return.

Creatures are asked one at a time. Each time the plan is made anew around what has been declared, by the same rules, so
that the parts fit together without memory.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t

from lkicore._abilities cimport blocks_it, counters_on, defender_of
from lkicore._combat cimport can_attack, can_block
from lkicore._defs cimport face_of
from lkicore._game cimport top_frame
from lkicore._greedy_clash cimport (A_DIES, B_DIES, GANG, NEVER, Clash, Fighter, clash, duel, enough, fighter, hits)
from lkicore._greedy_worth cimport WIN, attack_worth, life_worth, loss_of
from lkicore._layout cimport Frame, Game
from lkicore._opcodes cimport *
from lkicore._store cimport zone_first
from lkicore._types cimport FACE_ACTS

cdef enum:
    SIDE = 16         # creatures of a side that a battle looks at, the strongest first
    JOIN = 5          # points that a second blocker must add
    CANNOT = -100000  # value of a block that is not allowed

cdef struct Battle:
    int na
    int nb
    int life          # of the defender
    int pairs
    Fighter a[SIDE]
    Fighter b[SIDE]
    int value[SIDE][SIDE]     # [a][b]: points for the defender
    int through[SIDE][SIDE]
    uint8_t out[SIDE][SIDE]
    uint8_t pair_a[SIDE * SIDE]
    uint8_t pair_b[SIDE * SIDE]

# Answer of a plan of blocks.
cdef struct Blocks:
    int damage        # that gets through
    int exchange      # points for the attacker
    int lost          # power of the blockers that die
    int by[SIDE]      # attacker that blocker i blocks, -1 none


# ------------------------------------------------------------------------------------------------ battles

cdef void rank(const Game *g, uint16_t *rows, int *n, uint16_t row) noexcept nogil:
    """Keep the strongest SIDE creatures, in battlefield order."""
    cdef int i
    cdef int weakest = 0
    if n[0] < SIDE:
        rows[n[0]] = row
        n[0] += 1
        return
    for i in range(1, SIDE):
        if g.power[rows[i]] < g.power[rows[weakest]]:
            weakest = i
    if g.power[row] <= g.power[rows[weakest]]:
        return
    for i in range(weakest, SIDE - 1):
        rows[i] = rows[i + 1]
    rows[SIDE - 1] = row


cdef void battle_make(const Game *g, Battle *t, const uint16_t *ra, int na, const uint16_t *rb, int nb,
                      int life) noexcept nogil:
    """The table of pairs, and the pairs worth blocking by, best first."""
    cdef int i, k, v, j
    cdef int margin, at
    cdef int order[SIDE * SIDE]
    t.na = na
    t.nb = nb
    t.life = life
    t.pairs = 0
    for i in range(na):
        fighter(g, ra[i], NULL, &t.a[i])
    for k in range(nb):
        fighter(g, rb[k], NULL, &t.b[k])
    for i in range(na):
        margin = loss_of(life, hits(&t.a[i]))
        if margin >= WIN:
            margin = life_worth(life)
        for k in range(nb):
            if not can_block(g, rb[k], ra[i]):
                t.value[i][k] = CANNOT
                continue
            j = duel(&t.a[i], &t.b[k], &t.through[i][k])
            t.out[i][k] = <uint8_t>j
            v = margin
            if t.through[i][k]:
                v -= min(margin, loss_of(life, t.through[i][k]))
            if j & A_DIES:
                v += t.a[i].worth
            if j & B_DIES:
                v -= t.b[k].worth + 10
            t.value[i][k] = v
            if v <= 0 or t.a[i].keywords & K_MENACE:
                continue
            # A cheaper blocker does as well: among equals the one worth least is used first.
            v = v * 8 - (t.b[k].worth >> 5)
            at = t.pairs
            while at > 0 and order[at - 1] < v:
                order[at] = order[at - 1]
                t.pair_a[at] = t.pair_a[at - 1]
                t.pair_b[at] = t.pair_b[at - 1]
                at -= 1
            order[at] = v
            t.pair_a[at] = <uint8_t>i
            t.pair_b[at] = <uint8_t>k
            t.pairs += 1


cdef int two_on_one(const Battle *t, int i, const int *by, int *one, int *two, Clash *c) noexcept nogil:
    """The two strongest free blockers against attacker i; points for the defender."""
    cdef Fighter gang[GANG]
    cdef int k
    one[0] = -1
    two[0] = -1
    for k in range(t.nb):
        if by[k] >= 0 or t.value[i][k] == CANNOT:
            continue
        if one[0] < 0 or t.b[k].power > t.b[one[0]].power:
            two[0] = one[0]
            one[0] = k
        elif two[0] < 0 or t.b[k].power > t.b[two[0]].power:
            two[0] = k
    if two[0] < 0:
        return CANNOT
    gang[0] = t.b[one[0]]
    gang[1] = t.b[two[0]]
    clash(&t.a[i], gang, 2, c)
    return -c.exchange + min(loss_of(t.life, hits(&t.a[i])), life_worth(t.life)) - JOIN


cdef int second_blocker(const Battle *t, int i, const int *by) noexcept nogil:
    """A free blocker that makes a block kill attacker i where one alone does not; -1 none."""
    cdef Fighter gang[GANG]
    cdef Clash c
    cdef int k
    cdef int first = 0
    cdef int best = -1
    cdef int alone
    while by[first] != i:
        first += 1
    if t.out[i][first] & A_DIES or t.a[i].life == NEVER:
        return -1
    for k in range(t.nb):
        if by[k] < 0 and t.value[i][k] != CANNOT and t.b[k].power > 0 and (best < 0 or t.b[k].power > t.b[best].power):
            best = k
    if best < 0:
        return -1
    gang[0] = t.b[first]
    gang[1] = t.b[best]
    clash(&t.a[i], gang, 2, &c)
    alone = t.b[first].worth if t.out[i][first] & B_DIES else 0
    return best if alone - c.exchange > JOIN else -1


cdef void chump(const Battle *t, uint32_t set, int *by, int *blocked, bint afresh, Blocks *r) noexcept nogil:
    """Stop as much damage as it takes to stay alive, with the creatures worth least."""
    cdef int i, k, best, cheap, other
    cdef int tried = 0
    if afresh:
        for k in range(t.nb):
            by[k] = -1
        for i in range(t.na):
            blocked[i] = 0
    while True:
        r.damage = 0
        best = -1
        for i in range(t.na):
            if not set >> i & 1:
                continue
            if not blocked[i]:
                r.damage += hits(&t.a[i])
                if not tried >> i & 1 and (best < 0 or hits(&t.a[i]) > hits(&t.a[best])):
                    best = i
            elif blocked[i] == 1:
                for k in range(t.nb):
                    if by[k] == i:
                        r.damage += t.through[i][k]
        if r.damage < t.life or best < 0:
            return
        tried |= 1 << best
        cheap = -1
        other = -1
        for k in range(t.nb):
            if by[k] >= 0 or t.value[best][k] == CANNOT:
                continue
            if cheap < 0 or t.value[best][k] > t.value[best][cheap]:
                other = cheap
                cheap = k
            elif other < 0 or t.value[best][k] > t.value[best][other]:
                other = k
        if cheap < 0 or (t.a[best].keywords & K_MENACE and other < 0):
            continue
        by[cheap] = best
        blocked[best] = 1
        if t.a[best].keywords & K_MENACE:
            by[other] = best
            blocked[best] = 2


cdef void blocks_plan(const Battle *t, uint32_t set, Blocks *r) noexcept nogil:
    """How a sensible defender blocks this set of attackers."""
    cdef int blocked[SIDE]   # number of blockers
    cdef int i, k, p, n
    cdef int free = t.nb
    cdef int one = 0
    cdef int two = 0
    cdef Clash c
    cdef Fighter gang[GANG]
    for i in range(t.na):
        blocked[i] = 0
    for k in range(t.nb):
        r.by[k] = -1
    for p in range(t.pairs):
        i = t.pair_a[p]
        k = t.pair_b[p]
        if set >> i & 1 and not blocked[i] and r.by[k] < 0:
            r.by[k] = i
            blocked[i] = 1
            free -= 1
    for i in range(t.na):
        if free == 0:
            break
        if not set >> i & 1:
            continue
        if not blocked[i]:
            if free > 1 and two_on_one(t, i, r.by, &one, &two, &c) > 0:
                r.by[one] = i
                r.by[two] = i
                blocked[i] = 2
                free -= 2
        else:
            one = second_blocker(t, i, r.by)
            if one >= 0:
                r.by[one] = i
                blocked[i] = 2
                free -= 1
    r.damage = 0
    for i in range(t.na):
        if set >> i & 1 and not blocked[i]:
            r.damage += hits(&t.a[i])
    for k in range(t.nb):
        if r.by[k] >= 0 and blocked[r.by[k]] == 1:
            r.damage += t.through[r.by[k]][k]
    if r.damage >= t.life:
        chump(t, set, r.by, blocked, False, r)
        if r.damage >= t.life:
            chump(t, set, r.by, blocked, True, r)
    r.exchange = 0
    r.lost = 0
    for i in range(t.na):
        if not set >> i & 1 or not blocked[i]:
            continue
        n = 0
        for k in range(t.nb):
            if r.by[k] != i:
                continue
            if blocked[i] == 1:
                if t.out[i][k] & A_DIES:
                    r.exchange -= t.a[i].worth
                if t.out[i][k] & B_DIES:
                    r.exchange += t.b[k].worth
                    r.lost += t.b[k].power
            elif n < GANG:
                gang[n] = t.b[k]
                n += 1
        if blocked[i] > 1:
            clash(&t.a[i], gang, n, &c)
            r.exchange += c.exchange
            for p in range(n):
                if c.dead >> (p + 1) & 1:
                    r.lost += gang[p].power


# ------------------------------------------------------------------------------------------------ attacking

# What the enemy could do to us on its next turn: its strongest creatures, those that nobody of ours can block first.
cdef struct Return:
    int n
    int sure              # damage that no blocker stops
    int power[SIDE]       # the others, strongest first


cdef void return_make(const Game *g, int me, int enemy, Return *r) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef uint16_t own
    cdef int i, power
    cdef bint stopped
    r.n = 0
    r.sure = 0
    while row:
        if g.controller[row] == enemy and g.types[row] & T_CREATURE and not g.keywords[row] & K_DEFENDER \
                and g.power[row] > 0:
            power = g.power[row] * (2 if g.keywords[row] & K_DOUBLE_STRIKE else 1)
            stopped = not g.keywords[row] & K_UNBLOCKABLE
            if g.keywords[row] & K_FLYING:
                stopped = False
                own = zone_first(g, Z_BATTLEFIELD, 0)
                while own and not stopped:
                    stopped = g.controller[own] == me and g.types[own] & T_CREATURE and can_block(g, own, row)
                    own = g.znext[own]
            if not stopped or r.n == SIDE:
                r.sure += power
            else:
                i = r.n
                while i > 0 and r.power[i - 1] < power:
                    r.power[i] = r.power[i - 1]
                    i -= 1
                r.power[i] = power
                r.n += 1
        row = g.znext[row]


cdef int attack_score(const Game *g, const Battle *t, const Return *back, uint32_t set, int home,
                      int me) noexcept nogil:
    """Points of attacking with a set: the exchange and the damage, less what comes back at those who stayed home."""
    cdef Blocks r
    cdef int i, comes
    cdef int score, eager
    blocks_plan(t, set, &r)
    if r.damage >= t.life:
        return WIN - (r.exchange < 0)
    score = r.exchange + loss_of(t.life, r.damage)
    # Patience wears thin: even trades are wanted more and more, or two equal boards would never meet.
    eager = min(g.h.turn, <uint32_t>40) // 2
    for i in range(t.na):
        if set >> i & 1:
            score += eager
            if not t.a[i].keywords & K_VIGILANCE:
                if not t.a[i].keywords & K_CANT_BLOCK:
                    home -= 1
                # What taps to attack is no mana and no pinger meanwhile.
                if g.mana[t.a[i].row]:
                    score -= 12
                if face_of(g, g.defn[t.a[i].row]).flags & FACE_ACTS:
                    score -= 10
            if face_of(g, g.defn[t.a[i].row]).listens:
                score += attack_worth(g, face_of(g, g.defn[t.a[i].row]))
    comes = back.sure
    for i in range(max(home, 0), back.n):
        comes += back.power[i]
    comes -= r.lost // 2
    if comes > 0:
        i = loss_of(g.p_life[me], comes)
        score -= i if i >= WIN else i * 3 // 4
    return score


cdef uint32_t attack_search(const Game *g, const Battle *t, const Return *back, uint32_t fixed, uint32_t free, int home,
                            int me, int *score) noexcept nogil:
    """Climb from nobody and from everybody; nobody wins ties."""
    cdef uint32_t set, best
    cdef int s, i, turn, start
    cdef int top = -1000000
    cdef bint moved
    best = fixed
    for start in range(2):
        set = fixed | (free if start else 0)
        s = attack_score(g, t, back, set, home, me)
        moved = True
        turn = 0
        while moved and turn < 2:
            moved = False
            turn += 1
            for i in range(t.na):
                if free >> i & 1:
                    score[0] = attack_score(g, t, back, set ^ (<uint32_t>1 << i), home, me)
                    if score[0] > s:
                        s = score[0]
                        set ^= <uint32_t>1 << i
                        moved = True
        if s > top:
            top = s
            best = set
        if free & (free - 1) == 0:
            break
    score[0] = top
    return best


cdef int walker_instead(const Game *g, int player, int option) noexcept nogil:
    """A planeswalker of the player, or a battle of one's own, that this attack can bring down or nearly so, instead of
    the player."""
    cdef uint16_t row
    cdef int k, left, i
    for k in range(g.h.n_options):
        row = g.option[k].row
        if g.option[k].kind != O_OBJECT or defender_of(g, row) != player:
            continue
        if g.types[row] & T_BATTLE and g.controller[row] != top_frame(g).player:
            continue
        left = counters_on(g, row, CK_DEFENSE if g.types[row] & T_BATTLE else CK_LOYALTY)
        for i in range(g.h.n_fighters):
            if g.attacks[g.fighter[i]] and g.blocks_row[g.fighter[i]] == row:
                left -= g.power[g.fighter[i]]
        if left > 0:
            return k
    return option


cdef int attack_option(const Game *g) noexcept nogil:
    """Whom the creature asked about attacks."""
    cdef int k = attack_player(g)
    # Those who win the game by it go for the player; so do most others where planeswalkers are none or done for.
    if (g.h.walkers and g.option[k].kind == O_PLAYER
            and g.p_life[g.option[k].player] > 2 * g.power[top_frame(g).obj_row]):
        return walker_instead(g, g.option[k].player, k)
    return k


cdef int attack_player(const Game *g) noexcept nogil:
    """Which player the creature asked about attacks."""
    cdef Frame *f = top_frame(g)
    cdef Battle t
    cdef Return back
    cdef uint16_t ra[SIDE]
    cdef uint16_t rb[SIDE]
    cdef int me = g.h.decider
    cdef int na = 0
    cdef int nb = 0
    cdef int i, k, p
    cdef int home = 0
    cdef int at = -1
    cdef int enemy = -1
    cdef int best = 0
    cdef int score = 0
    cdef int top = 0
    cdef uint32_t fixed = 0
    cdef uint32_t free = 0
    cdef uint32_t set
    cdef uint16_t row
    cdef bint asked = False
    cdef bint able
    if g.power[f.obj_row] <= 0:
        return 0
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if row == f.obj_row:
            asked = True
        if g.controller[row] == me and g.types[row] & T_CREATURE:
            if not g.keywords[row] & K_CANT_BLOCK and not g.status[row] & ST_TAPPED:
                home += 1
            able = g.attacks[row] != 0 or (asked and g.power[row] > 0 and can_attack(g, row))
            if g.attacks[row]:
                enemy = g.attacks[row] - 1
            if able:
                rank(g, ra, &na, row)
        row = g.znext[row]
    for i in range(na):
        if g.attacks[ra[i]] or g.keywords[ra[i]] & K_MUST_ATTACK:
            fixed |= <uint32_t>1 << i
        else:
            free |= <uint32_t>1 << i
        if ra[i] == f.obj_row:
            at = i
    if at < 0:
        # Too weak to count among so many: it goes along with them.
        for k in range(g.h.n_options):
            if g.option[k].kind == O_PLAYER and g.option[k].player == enemy:
                return k
        return 0
    for k in range(g.h.n_options):
        if g.option[k].kind != O_PLAYER:
            continue
        p = g.option[k].player
        if enemy >= 0 and p != enemy:
            continue
        nb = 0
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if g.controller[row] == p and g.types[row] & T_CREATURE \
                    and not g.status[row] & (ST_TAPPED | ST_PHASED_OUT) and not g.keywords[row] & K_CANT_BLOCK:
                rank(g, rb, &nb, row)
            row = g.znext[row]
        battle_make(g, &t, ra, na, rb, nb, g.p_life[p])
        return_make(g, me, p, &back)
        set = attack_search(g, &t, &back, fixed, free, home, me, &score)
        if set >> at & 1 and (best == 0 or score > top):
            best = k
            top = score
    return best


# ------------------------------------------------------------------------------------------------ blocking

cdef int join_value(const Game *g, uint16_t attacker, const Fighter *b, int player) noexcept nogil:
    """Points of joining those who block this attacker already; CANNOT if nobody does."""
    cdef Fighter a
    cdef Fighter gang[GANG]
    cdef Clash alone
    cdef Clash with_me
    cdef int n = 0
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row and n < GANG - 1:
        if g.blocks_row[row] == attacker and g.blocks_id[row] == g.id[attacker]:
            fighter(g, row, NULL, &gang[n])
            n += 1
        row = g.znext[row]
    if n == 0:
        return CANNOT
    fighter(g, attacker, NULL, &a)
    clash(&a, gang, n, &alone)
    gang[n] = b[0]
    clash(&a, gang, n + 1, &with_me)
    if n == 1 and a.keywords & K_MENACE:
        # The first one counted on a second.
        return -with_me.exchange + min(loss_of(g.p_life[player], hits(&a)), life_worth(g.p_life[player]))
    return alone.exchange - with_me.exchange - JOIN


cdef int block_option(const Game *g) noexcept nogil:
    """What the creature asked about blocks."""
    cdef Frame *f = top_frame(g)
    cdef Battle t
    cdef Blocks r
    cdef Fighter b
    cdef uint16_t ra[SIDE]
    cdef uint16_t rb[SIDE]
    cdef int me = g.h.decider
    cdef int na = 0
    cdef int nb = 0
    cdef int at = -1
    cdef int life = g.p_life[me]
    cdef int k, v
    cdef int best = -1
    cdef int top = 0
    cdef uint16_t target = 0
    cdef uint16_t row
    cdef bint asked = False
    cdef bint open_
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if row == f.obj_row:
            asked = True
        if g.attacks[row] == 1 + me:
            open_ = True
            for k in range(g.h.n_options):
                if g.option[k].kind == O_OBJECT and g.option[k].row == row:
                    fighter(g, f.obj_row, NULL, &b)
                    v = join_value(g, row, &b, me)
                    if v != CANNOT:
                        open_ = False
                        if v > top:
                            top = v
                            best = k
                    break
            else:
                # Blocked by others, or out of reach.
                if is_blocked(g, row):
                    open_ = False
            if open_:
                rank(g, ra, &na, row)
        elif asked and g.controller[row] == me and g.types[row] & T_CREATURE \
                and not g.status[row] & (ST_TAPPED | ST_PHASED_OUT) and not g.keywords[row] & K_CANT_BLOCK:
            rank(g, rb, &nb, row)
        row = g.znext[row]
    for k in range(nb):
        if rb[k] == f.obj_row:
            at = k
    if at >= 0 and na:
        battle_make(g, &t, ra, na, rb, nb, life)
        blocks_plan(&t, (<uint32_t>1 << na) - 1, &r)
        if r.by[at] >= 0:
            target = ra[r.by[at]]
            # Alone against it, or as one of two.
            for k in range(g.h.n_options):
                if g.option[k].kind == O_OBJECT and g.option[k].row == target:
                    if best < 0 or r.damage >= life or top < t.value[r.by[at]][at]:
                        best = k
                    break
    if best >= 0:
        return best
    for k in range(g.h.n_options):
        if g.option[k].kind == O_NO:
            return k
    # It must block: where it costs least.
    best = 0
    top = CANNOT
    for k in range(g.h.n_options):
        fighter(g, f.obj_row, NULL, &b)
        v = join_value(g, g.option[k].row, &b, me)
        if v > top:
            top = v
            best = k
    return best


cdef bint is_blocked(const Game *g, uint16_t attacker) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.blocks_row[row] == attacker and g.blocks_id[row] == g.id[attacker]:
            return True
        row = g.znext[row]
    return False


# ------------------------------------------------------------------------------------------------ damage

cdef int assign_option(const Game *g) noexcept nogil:
    """Kill the most valuable blockers that the damage left is enough for; trample over with the rest."""
    cdef Frame *f = top_frame(g)
    cdef uint16_t row
    cdef int taken[GANG]
    cdef Fighter x
    cdef int left = f.a
    cdef int n = 0
    cdef int i, k, best, need, worth
    cdef int give = 0
    cdef bint used
    cdef uint64_t kw = g.keywords[f.obj_row]
    if f.step == 1:
        # A blocker of several: enough for each, one after another.
        need = g.toughness[g.fighter[f.b]] - g.damage[g.fighter[f.b]]
        return min(f.a, max(0, min(need, 1) if kw & K_DEATHTOUCH else need))
    while n < GANG:
        best = -1
        worth = 0
        need = 0
        for k in range(f.b, <int>g.h.n_fighters):
            row = g.fighter[k]
            if blocks_it(g, row, f.obj_id) and not g.status[row] & ST_DEATHTOUCHED:
                used = False
                for i in range(n):
                    if taken[i] == k:
                        used = True
                fighter(g, row, NULL, &x)
                if not used and 0 < enough(&x, kw) <= left and x.worth > worth:
                    best = k
                    worth = x.worth
                    need = enough(&x, kw)
        if best < 0:
            break
        if best == f.b:
            give = need
            break
        taken[n] = best
        n += 1
        left -= need
    n = g.option[0].num
    if give < n:
        give = n
    i = give - n
    return i if i < g.h.n_options else g.h.n_options - 1
