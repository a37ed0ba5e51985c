"""What permanents, cards and abilities are worth as they are printed, whatever the game is like.

Points of an ability are its controller's. They say what a card is worth keeping, killing or casting later; what it
would do now is tried out in _greedy_value.pyx.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport ability_of
from lkicore._defs cimport ability_at, face_of
from lkicore._guard cimport ctz64
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, zone_first
from lkicore._types cimport FACE_AURA, FACE_PERMANENT, FACE_STATIC, WORDS, Ability, Face, Node

cdef enum:
    MOST_STEPS = 64   # instructions of a program that are looked at
    DEEP = 2          # abilities within abilities
    MINE = 1          # whom a reference means: the controller or what it has,
    THEIRS = -1       # an opponent or what it has,
    FREE = 0          # whatever suits best,
    ALL = 2           # everything


cdef int whose(const Game *g, int ref) noexcept nogil:
    """Whom a reference is likely to mean."""
    cdef int op
    if ref < 0:
        return ALL
    op = g.cards.refs[ref].op
    if op == R_YOU or op == R_SOURCE or op == R_HOST or op == R_PAID or op == R_EVENT_OBJECT or op == R_EVENT_CARD:
        return MINE
    if op == R_EACH_OPPONENT or op == R_DEFENDING_PLAYER or op == R_EVENT_OTHER or op == R_EVENT_PLAYER:
        return THEIRS
    if op == R_EACH:
        return side_of(g, g.cards.refs[ref].a)
    if op == R_EACH_PLAYER or op == R_ACTIVE_PLAYER:
        return ALL
    if op == R_CONTROLLER_OF or op == R_OWNER_OF:
        return whose(g, g.cards.refs[ref].a) if g.cards.refs[ref].a != ref else ALL
    return FREE


cdef int side_of(const Game *g, int filter) noexcept nogil:
    """Whose objects pass a filter."""
    cdef const Node *n
    cdef int a, b
    if filter < 0:
        return ALL
    n = &g.cards.filters[filter]
    if n.op == FT_YOURS or n.op == FT_SOURCE or n.op == FT_HOST:
        return MINE
    if n.op == FT_OPPONENTS:
        return THEIRS
    if n.op == FT_NOT:
        a = side_of(g, n.a)
        return -a if a == MINE or a == THEIRS else ALL
    if n.op == FT_AND:
        a = side_of(g, n.a)
        b = side_of(g, n.b)
        return a if a != ALL else b
    return ALL


cdef int constant(const Game *g, int value) noexcept nogil:
    """A number as it may turn out."""
    cdef const Node *n
    if value < 0:
        return 0
    n = &g.cards.values[value]
    return max(-10, min(10, n.a)) if n.op == V_CONST else 2


cdef int changes_worth(const Game *g, int first, int n, bint lasts, int x, int y) noexcept nogil:
    """Points of changes for the controller of what they change."""
    cdef const Node *k
    cdef int total = 0
    cdef int i, p, t
    cdef uint64_t keywords
    for i in range(n):
        k = &g.cards.changes[first + i]
        if k.op == X_ADD_PT:
            p = x if k.a == -1 else y if k.a == -2 else constant(g, k.a)
            t = x if k.b == -1 else y if k.b == -2 else constant(g, k.b)
            total += 18 * p + 12 * t
        elif k.op == X_ADD_KEYWORDS:
            keywords = <uint64_t><uint32_t>k.a | <uint64_t><uint32_t>k.b << 32
            total += creature_worth(2, 2, keywords) - creature_worth(2, 2, 0)
        elif k.op == X_LOSE_ABILITIES or k.op == X_SET_PT:
            total -= 25
        elif k.op == X_ADD_ABILITY or k.op == X_ADD_CHOSEN_ABILITY:
            total += 15
        elif k.op == X_CONTROL:
            total -= 70
    return total if lasts else total // 3


cdef inline int to_side(int points, int who) noexcept nogil:
    """Points, good for whom they happen to, as the controller sees them."""
    if who == FREE:
        return abs(points)
    if who == ALL:
        return points // 4
    return points * who


cdef int step_worth(const Game *g, const int32_t *w, int depth) noexcept nogil:
    """Points of one instruction for its controller."""
    cdef int op = w[0]
    cdef int n, who
    if op == E_DAMAGE:
        n = constant(g, w[3])
        return to_side(-13 * n, whose(g, w[2]))
    elif op == E_DESTROY or op == E_EXILE or op == E_EXILE_UNTIL:
        who = whose(g, w[1])
        return 30 if who == ALL else to_side(-70, who)
    elif op == E_RETURN:
        return to_side(-35, whose(g, w[1]))
    elif op == E_MOVE:
        if w[2] == Z_BATTLEFIELD:
            return 60
        return 45 if w[2] == Z_HAND else 15
    elif op == E_DRAW:
        return to_side(CARD * constant(g, w[2]), whose(g, w[1]))
    elif op == E_DISCARD:
        return to_side(-40 * constant(g, w[2]), whose(g, w[1]))
    elif op == E_GAIN_LIFE:
        return to_side(6 * constant(g, w[2]), whose(g, w[1]))
    elif op == E_LOSE_LIFE:
        return to_side(-9 * constant(g, w[2]), whose(g, w[1]))
    elif op == E_APPLY:
        return to_side(changes_worth(g, w[2], w[3], w[6] == D_PERMANENT or w[6] == D_WHILE_SOURCE,
                                     constant(g, w[4]), constant(g, w[5])), whose(g, w[1]))
    elif op == E_COUNTERS:
        n = constant(g, w[3])
        if w[2] != CK_P1P1 and w[2] != CK_M1M1:
            return 3 * n
        return to_side(28 * n if w[2] == CK_P1P1 else -28 * n, whose(g, w[1]))
    elif op == E_ENTERS_WITH:
        return (28 if w[1] == CK_P1P1 or w[1] == CK_M1M1 else 3) * constant(g, w[2])
    elif op == E_TOKEN:
        return to_side(constant(g, w[2]) * (face_worth(g, &g.cards.faces[w[3]], 0) if depth < DEEP else 40),
                       whose(g, w[1]))
    elif op == E_PUT_FACE_DOWN:
        return to_side(face_worth(g, &g.cards.faces[w[2]], 0), whose(g, w[3]))
    elif op == E_COPY_TOKEN:
        return 70
    elif op == E_SEARCH_LAND:
        return 55
    elif op == E_COUNTER:
        return 60
    elif op == E_FIGHT:
        return 40
    elif op == E_SACRIFICE:
        return to_side(-45, whose(g, w[1]))
    elif op == E_EDICT:
        who = whose(g, w[1])
        return 20 if who == ALL else to_side(-55, who)
    elif op == E_SCRY or op == E_SURVEIL:
        return 10 * constant(g, w[2])
    elif op == E_DIG:
        return 50
    elif op == E_EXTRA_TURN:
        return 150
    elif op == E_LOSE_GAME:
        return to_side(-400, whose(g, w[1]))
    elif op == E_PLAYER_COUNTERS:
        return to_side(-15 * constant(g, w[3]), whose(g, w[1]))
    elif op == E_TAP:
        return to_side(-15, whose(g, w[1]))
    elif op == E_UNTAP or op == E_REGENERATE or op == E_PREVENT:
        return 8
    elif op == E_DELAY or op == E_REFLEXIVE:
        return ability_worth(g, ability_of(g, w[1]), depth + 1) * 7 // 10
    return 0


cdef int program_worth(const Game *g, int program, int depth) noexcept nogil:
    cdef const int32_t *w
    cdef int total = 0
    cdef int steps = 0
    cdef bint may = False
    if program < 0 or depth > DEEP:
        return 0
    w = &g.cards.code[program]
    while w[0] != E_END and steps < MOST_STEPS:
        steps += 1
        if w[0] == E_JUMP:
            # The end of a branch: what would be done else is not done.
            w = &g.cards.code[w[1]]
            continue
        if w[0] == E_MAY:
            may = True
        elif w[0] == E_PAY:
            may = may or whose(g, w[1]) == MINE
        else:
            total += step_worth(g, w, depth)
        w += WORDS
    if may and total < 0:
        return 0
    return max(-150, min(250, total))


cdef int ability_worth(const Game *g, const Ability *a, int depth) noexcept nogil:
    cdef int best = -150
    cdef int k
    if a.n_modes == 0:
        return program_worth(g, a.program, depth)
    for k in range(a.n_modes):
        best = max(best, program_worth(g, ability_of(g, a.first_mode + k).program, depth))
    return best


cdef bint triggers_itself(const Game *g, const Ability *a, int event) noexcept nogil:
    if a.kind != AB_TRIGGERED or a.event != event or a.filter < 0:
        return False
    if event == EV_LEAVES and a.zone_to and not a.zone_to >> Z_GRAVEYARD & 1:
        return False
    return g.cards.filters[a.filter].op == FT_SOURCE


cdef int trigger_worth(const Game *g, const Ability *a) noexcept nogil:
    """Points of a triggered ability for as long as its source stays: by how often it may trigger."""
    cdef bint own = a.filter >= 0 and g.cards.filters[a.filter].op == FT_SOURCE
    cdef int n = ability_worth(g, a, 0)
    cdef int e = a.event
    if not a.zones >> Z_BATTLEFIELD & 1 or (own and (e == EV_ENTERS or e == EV_LEAVES)):
        return 0
    if e == EV_STEP:
        # Every turn: for good or bad.
        return n if n > 0 else n // 2
    if e == EV_ATTACKS or e == EV_DAMAGE or e == EV_ATTACKERS or e == EV_CAST or e == EV_LAND_PLAYED or e == EV_DRAWS:
        n = n * 6 // 10
    elif e == EV_TARGETED:
        n = n // 5
    else:
        n = n * 35 // 100
    return n


cdef int abilities_worth(const Game *g, const Face *f) noexcept nogil:
    cdef const Ability *a
    cdef int total = 0
    cdef int k, who
    for k in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, k))
        if a.kind == AB_TRIGGERED:
            total += trigger_worth(g, a)
        elif a.kind == AB_STATIC and a.own != 1:
            who = side_of(g, a.filter)
            if a.own == 2:
                total += 0 if f.flags & FACE_AURA else 12
            else:
                total += max(-60, min(90, 2 * to_side(changes_worth(g, a.first_change, a.n_changes, True, 2, 2),
                                                      MINE if who == ALL else who)))
    return max(-120, min(200, total))


cdef int death_worth(const Game *g, const Face *f) noexcept nogil:
    cdef int total = 0
    cdef int k
    if not f.listens >> EV_LEAVES & 1:
        return 0
    for k in range(f.n_abilities):
        if triggers_itself(g, ability_of(g, ability_at(g, f, k)), EV_LEAVES):
            total += ability_worth(g, ability_of(g, ability_at(g, f, k)), 1)
    return total


cdef int attack_worth(const Game *g, const Face *f) noexcept nogil:
    cdef const Ability *a
    cdef int total = 0
    cdef int k
    if not f.listens & (<uint64_t>1 << EV_ATTACKS | <uint64_t>1 << EV_DAMAGE):
        return 0
    for k in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, k))
        if triggers_itself(g, a, EV_ATTACKS) and not a.flags & TF_ALONE:
            total += ability_worth(g, a, 1)
        elif triggers_itself(g, a, EV_DAMAGE):
            total += ability_worth(g, a, 1) // 3
    return max(-40, min(80, total))


cdef int enters_worth(const Game *g, const Face *f) noexcept nogil:
    cdef int total = 0
    cdef int k
    if not f.listens >> EV_ENTERS & 1:
        return 0
    for k in range(f.n_abilities):
        if triggers_itself(g, ability_of(g, ability_at(g, f, k)), EV_ENTERS):
            total += ability_worth(g, ability_of(g, ability_at(g, f, k)), 1)
    return total


cdef int live_worth(Game *g, uint16_t row) noexcept nogil:
    """Points of a permanent that static abilities or attachments make different from its face."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef uint64_t bits
    cdef uint64_t taken = K_CANT_ATTACK | K_CANT_BLOCK
    cdef uint32_t w
    cdef uint16_t other
    cdef int worth
    cdef int power = f.power + g.c_p1p1[row] - g.c_m1m1[row]
    cdef int toughness = f.toughness + g.c_p1p1[row] - g.c_m1m1[row]
    cdef uint64_t k = f.keywords | (g.keywords[row] & taken)
    if not f.types & T_CREATURE:
        worth = face_worth(g, f, 0)
        if g.attached_id[row] and not is_live(g, g.attached_row[row], g.attached_id[row]):
            return 5
        return worth
    if f.flags & FACE_STATIC and not g.n_effects[row]:
        power = g.power[row]
        toughness = g.toughness[row]
        k = g.keywords[row]
    elif g.h.n_attached and g.types[row] & T_CREATURE:
        # With what is attached to it its size is what it is now; what ends with the turn is not told apart.
        for w in range(g.lay.words):
            bits = g.b_attached[w]
            while bits:
                other = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
                bits &= bits - 1
                if g.attached_row[other] == row and g.attached_id[other] == g.id[row]:
                    power = g.power[row]
                    toughness = g.toughness[row]
                    k = g.keywords[row]
    worth = body_worth(f, creature_worth(power, toughness, k))
    if f.listens or f.flags & FACE_STATIC:
        worth += abilities_worth(g, f)
    return max(worth, 5)


cdef int entering_counters(const Game *g, const Face *f, int x, int kick) noexcept nogil:
    """+1/+1 counters that a permanent of this face enters with, kicked so often."""
    cdef const Ability *a
    cdef const Node *n
    cdef int more = 0
    cdef int k, i
    if not f.replaces >> RP_ENTERS & 1:
        return 0
    for k in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, k))
        if a.kind != AB_REPLACEMENT or a.event != RP_ENTERS or a.filter < 0:
            continue
        if a.condition >= 0 and not (kick > 0 and asks_kick(g, a.condition)):
            continue
        if g.cards.filters[a.filter].op != FT_SOURCE:
            continue
        for i in range(a.n_changes):
            n = &g.cards.changes[a.first_change + i]
            if n.op == EN_COUNTERS and n.a == CK_P1P1:
                if g.cards.values[n.b].op == V_X:
                    more += x
                else:
                    more += max(kick, 0) if g.cards.values[n.b].op == V_KICKED else constant(g, n.b)
    return more


cdef bint asks_kick(const Game *g, int value) noexcept nogil:
    cdef const Node *n = &g.cards.values[value]
    return n.op == V_KICKED or (n.op == V_AT_LEAST and g.cards.values[n.a].op == V_KICKED)


# ------------------------------------------------------------------------------------------------ cards

cdef int lands_of(const Game *g, int player) noexcept nogil:
    """Mana sources, tapped or not."""
    cdef int n = 0
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.controller[row] == player and g.mana[row]:
            n += 1
        row = g.znext[row]
    return n


cdef int lands_in_hand(const Game *g, int player) noexcept nogil:
    cdef int n = 0
    cdef uint16_t row = zone_first(g, Z_HAND, player)
    while row:
        if g.types[row] & T_LAND:
            n += 1
        row = g.znext[row]
    return n


cdef int card_worth(const Game *g, int player, const Face *f, int lands) noexcept nogil:
    """`lands`: mana sources that the player has, in hand and on the battlefield."""
    cdef int v
    if f.types & T_LAND:
        return 150 if lands <= 4 else (60 if lands == 5 else 8)
    v = arriving_worth(g, f) if f.flags & FACE_PERMANENT else 70 + 8 * f.mv
    if f.mv > lands + 1:
        v -= 30 * (f.mv - lands - 1)
    return v
