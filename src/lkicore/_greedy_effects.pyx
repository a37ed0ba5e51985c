"""Single instructions tried out: what they would do to permanents, cards and players, in points of the controller.

Nothing of it touches the game: what a permanent would be stands in the note of the trial (Mod).
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t

from lkicore._abilities cimport ability_of, counters_on
from lkicore._combat cimport can_attack
from lkicore._defs cimport ability_at, face_of
from lkicore._expr cimport Ctx, passes
from lkicore._game cimport in_game
from lkicore._greedy_clash cimport Mod, combat_value, mod_find, shielded
from lkicore._greedy_trial cimport (FEW, MANY, Trial, is_gone, mod_of, number, object_of, objects, players_of, side)
from lkicore._greedy_worth cimport (CARD, PLENTY, WIN, arriving_worth, card_worth, creature_worth, death_cost,
                                    face_worth, lands_in_hand, lands_of, life_worth, loss_of, worth_of)
from lkicore._hidden cimport definition_under
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._store cimport zone_count, zone_first
from lkicore._types cimport FACE_EQUIPMENT, FACE_PERMANENT, Ability, Face, Node

cdef enum:
    EVASION = K_FLYING | K_UNBLOCKABLE | K_FEAR | K_INTIMIDATE | K_SHADOW | K_HORSEMANSHIP

# What a list of changes does to one object.
cdef struct Change:
    uint64_t keywords
    uint64_t without
    int power
    int toughness
    int abilities
    bint control
    bint blank       # loses all abilities
    bint creature    # becomes one


# ------------------------------------------------------------------------------------------------ permanents

cdef int remove(const Game *g, Trial *t, uint16_t row, int percent) noexcept nogil:
    """It leaves the battlefield; it dies at 100 %, and then what it does on dying is not lost."""
    cdef Mod *m = mod_of(t, row)
    if m != NULL:
        if m.gone:
            return 0
        m.gone = 1
    return side(g, t, row) * (death_cost(g, row) if percent == 100 else max(worth_of(g, row), 3)) * percent // 100


cdef inline bint lasts_on(const Game *g, const Mod *m, uint16_t row) noexcept nogil:
    """Lethal damage and destruction do nothing to it."""
    return (((g.keywords[row] & ~m.without) | m.keywords) & K_INDESTRUCTIBLE) != 0 or shielded(g, row)


cdef int hurt(const Game *g, Trial *t, uint16_t row, int n, uint64_t by) noexcept nogil:
    """Damage to a permanent: it dies, or it is nearer to it in this combat."""
    cdef Mod *m
    cdef int left
    if n <= 0 or g.zone[row] != Z_BATTLEFIELD:
        return 0
    if g.types[row] & T_PLANESWALKER and not g.types[row] & T_CREATURE:
        if n >= g.c_loyalty[row]:
            return remove(g, t, row, 100)
        return side(g, t, row) * 8 * n
    if g.types[row] & T_BATTLE and not g.types[row] & T_CREATURE:
        return -side(g, t, row) * 4 * min(n, counters_on(g, row, CK_DEFENSE))  # whoever has cast it wants it defeated
    if not g.types[row] & T_CREATURE:
        return 0
    m = mod_of(t, row)
    if m == NULL or m.gone:
        return 0
    m.damage += n
    left = g.toughness[row] - g.damage[row] + m.toughness - m.damage
    if (left <= 0 or by & K_DEATHTOUCH) and not lasts_on(g, m, row):
        return remove(g, t, row, 100)
    return 0


cdef inline bint falls(const Game *g, uint16_t row, int toughness, int damage) noexcept nogil:
    """With so much more toughness and damage it dies: of toughness 0, or of the damage unless nothing destroys it."""
    if g.toughness[row] + toughness <= 0:
        return True
    return g.toughness[row] + toughness - g.damage[row] - damage <= 0 and not g.keywords[row] & K_INDESTRUCTIBLE


cdef int moment_worth(const Game *g, const Trial *t, uint16_t row, uint64_t keywords) noexcept nogil:
    """Keywords until end of turn, before attackers are declared."""
    cdef int p
    cdef int best = 0
    if g.h.step > STEP_BEGIN_COMBAT or t.controller != g.h.active:
        return 0
    if g.controller[row] != t.controller:
        return worth_of(g, row) // 6 if keywords & K_CANT_BLOCK and not g.status[row] & ST_TAPPED else 0
    if keywords & K_HASTE and g.status[row] & ST_SICK and not g.keywords[row] & K_HASTE:
        keywords |= K_UNBLOCKABLE
    elif not keywords & EVASION & ~g.keywords[row] or not can_attack(g, row):
        return 0
    if keywords & EVASION:
        for p in range(<int>g.lay.players):
            if p != t.controller and in_game(g, p):
                best = max(best, min(loss_of(g.p_life[p], g.power[row]), 200))
    return best // 3


cdef int grow(const Game *g, Trial *t, uint16_t row, const Change *k, bint lasting) noexcept nogil:
    """Power, toughness and keywords, until end of turn or for good. What it means in combat is looked at afterwards."""
    cdef Mod *m
    cdef int v
    if not g.types[row] & T_CREATURE or g.zone[row] != Z_BATTLEFIELD:
        return 0
    m = mod_of(t, row)
    if m == NULL or m.gone:
        return 0
    m.power += k.power
    m.toughness += k.toughness
    m.keywords |= k.keywords
    m.without |= k.without
    if k.toughness < 0 and falls(g, row, m.toughness, m.damage):
        return remove(g, t, row, 100)
    if lasting:
        v = creature_worth(g.power[row] + k.power, g.toughness[row] + k.toughness,
                           (g.keywords[row] & ~k.without) | k.keywords)
        v -= creature_worth(g.power[row], g.toughness[row], g.keywords[row])
        return -side(g, t, row) * (v + 15 * k.abilities - (25 if k.blank else 0))
    if k.keywords and not t.combat:
        return moment_worth(g, t, row, k.keywords)
    return 0


cdef inline void change_none(Change *k) noexcept nogil:
    k.keywords = 0
    k.without = 0
    k.power = 0
    k.toughness = 0
    k.abilities = 0
    k.control = False
    k.blank = False
    k.creature = False


cdef inline int number_in(Game *g, Trial *t, int node, int x, int y) noexcept nogil:
    if node == -1:
        return x
    return y if node == -2 else number(g, t, node)


cdef void change_make(Game *g, Trial *t, uint16_t row, int first, int n, int x, int y, Change *k) noexcept nogil:
    cdef const Node *c
    cdef int i, op, kind
    change_none(k)
    for i in range(n):
        c = &g.cards.changes[first + i]
        op = c.op
        if op == X_ADD_PT:
            k.power += number_in(g, t, c.a, x, y)
            k.toughness += number_in(g, t, c.b, x, y)
        elif op == X_SET_PT:
            k.power = number_in(g, t, c.a, x, y) - g.power[row]
            k.toughness = number_in(g, t, c.b, x, y) - g.toughness[row]
        elif op == X_SWITCH_PT:
            k.power += g.toughness[row] - g.power[row]
            k.toughness += g.power[row] - g.toughness[row]
        elif op == X_ADD_KEYWORDS:
            k.keywords |= <uint64_t><uint32_t>c.a | <uint64_t><uint32_t>c.b << 32
        elif op == X_LOSE_KEYWORDS:
            k.without |= <uint64_t><uint32_t>c.a | <uint64_t><uint32_t>c.b << 32
        elif op == X_LOSE_ABILITIES:
            k.without = ~<uint64_t>0
            k.blank = True
        elif op == X_ADD_CHOSEN_ABILITY:
            k.keywords |= K_PROTECTION
        elif op == X_ADD_ABILITY:
            kind = ability_of(g, c.a).kind
            if kind == AB_PROTECTION or kind == AB_HEXPROOF_FROM:
                k.keywords |= K_PROTECTION
            else:
                k.abilities += 1
        elif op == X_CONTROL:
            k.control = True
        elif (op == X_ADD_TYPES or op == X_SET_TYPES) and c.a & T_CREATURE:
            k.creature = True
    if k.keywords & (K_CANT_ATTACK | K_CANT_BLOCK | K_DOESNT_UNTAP):
        k.abilities = 0  # a way out, not a gift


cdef int seize(const Game *g, Trial *t, uint16_t row, bint lasting) noexcept nogil:
    """The controller takes it: until end of turn it attacks."""
    cdef int v
    if g.controller[row] == t.controller or is_gone(t, row):
        return 0
    v = max(worth_of(g, row), 5)
    if lasting:
        return v * 18 // 10
    if g.types[row] & T_CREATURE and g.h.active == t.controller and g.h.step <= STEP_BEGIN_COMBAT:
        return min(loss_of(g.p_life[g.controller[row]], g.power[row]), 400) + v // 4
    return 2


cdef int animate(const Game *g, const Trial *t, uint16_t row, const Change *k) noexcept nogil:
    """An own permanent becomes a creature until end of turn: to attack where nobody at home would kill it."""
    cdef int power = g.power[row] + k.power
    cdef int toughness = g.toughness[row] + k.toughness
    cdef int best = 0
    cdef int p
    cdef uint16_t r
    if g.controller[row] != t.controller or g.h.active != t.controller or g.h.step > STEP_BEGIN_COMBAT \
            or g.status[row] & (ST_TAPPED | ST_SICK):
        return 0
    r = zone_first(g, Z_BATTLEFIELD, 0)
    while r:
        if g.controller[r] != t.controller and g.types[r] & T_CREATURE and not g.status[r] & ST_TAPPED \
                and g.power[r] >= toughness:
            return 0
        r = g.znext[r]
    for p in range(<int>g.lay.players):
        if p != t.controller and in_game(g, p):
            best = max(best, min(loss_of(g.p_life[p], power), 300))
    return best


cdef int apply_changes(Game *g, Trial *t, const int32_t *w, uint16_t row, int x, int y, bint each) noexcept nogil:
    """A continuous effect on one object."""
    cdef Change k
    cdef bint lasting = w[6] == D_PERMANENT or w[6] == D_WHILE_SOURCE
    cdef int total
    change_make(g, t, row, w[2], w[3], x, y, &k)
    if k.control:
        return seize(g, t, row, lasting)
    if k.creature and not g.types[row] & T_CREATURE:
        return animate(g, t, row, &k)
    total = grow(g, t, row, &k, lasting)
    if each and not t.combat and g.h.step == STEP_MAIN1 and t.controller == g.h.active and \
            g.controller[row] == t.controller and can_attack(g, row):
        total += 10 * k.power
    return total


cdef int count_up(const Game *g, Trial *t, uint16_t row, int kind, int n) noexcept nogil:
    """n counters more, or -n less."""
    cdef Change k
    change_none(&k)
    if kind == CK_P1P1 or kind == CK_M1M1:
        k.power = n if kind == CK_P1P1 else -n
        k.toughness = k.power
        return grow(g, t, row, &k, True)
    return 10 * n if g.controller[row] == t.controller else 0


cdef int tapping(const Game *g, const Trial *t, uint16_t row, bint to_tapped) noexcept nogil:
    """An enemy creature that can't block in our attack, or can't attack; our own one that can again."""
    cdef bint tapped = g.status[row] & ST_TAPPED
    cdef int n
    if tapped == to_tapped:
        return 0
    n = 12 if not g.types[row] & T_CREATURE else worth_of(g, row) // 5
    if to_tapped:
        if g.controller[row] == t.controller:
            return -n - 5
        # Worth something before attackers or blockers are declared, and not for itself.
        return n if g.h.step <= STEP_BEGIN_COMBAT and g.types[row] & T_CREATURE else 0
    if not g.types[row] & T_CREATURE:
        n = 8  # mana for mana
    return n // 2 if g.controller[row] == t.controller else -n - 5


# ------------------------------------------------------------------------------------------------ moves

cdef int from_battlefield(const Game *g, Trial *t, uint16_t row, int to, int flags) noexcept nogil:
    if to == Z_EXILE:
        return remove(g, t, row, 105)
    if to == Z_HAND:
        # Where mana is waived, what comes back to hand costs nothing: going round in circles must not pay.
        if g.oflags[row] & OF_TOKEN or (g.h.options_mask & EO_PAY_FREE and g.controller[row] == t.controller):
            return remove(g, t, row, 105)
        return remove(g, t, row, 45)
    if to == Z_LIBRARY:
        return remove(g, t, row, 95 if flags & MF_BOTTOM else 75)
    return remove(g, t, row, 100) if to == Z_GRAVEYARD else 0


cdef int move(Game *g, Trial *t, uint16_t row, int to, int flags, int under) noexcept nogil:
    """An object goes to a zone; `under`: bit set of its controller there, 0 its owner."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int zone = g.zone[row]
    cdef int own = 1 if g.owner[row] == t.controller else -1
    cdef int v
    if zone == Z_BATTLEFIELD and not is_gone(t, row):
        return from_battlefield(g, t, row, to, flags)
    if g.oflags[row] & (OF_TOKEN | OF_ABILITY):
        return 0
    if zone == Z_STACK:
        # The spell itself, or one that is stopped for a while.
        return 0 if row == t.c.self_row or row == t.source else -40 * own
    if to == Z_BATTLEFIELD:
        v = arriving_worth(g, f) * 9 // 10 if f.flags & FACE_PERMANENT else 0
        if under:
            v = v if under >> t.controller & 1 else -v
        else:
            v *= own
        return v - (50 * own if zone == Z_HAND else 0)
    if zone == Z_HAND:
        if to == Z_HAND:
            return 0
        v = card_worth(g, g.owner[row], f, lands_of(g, g.owner[row]) + lands_in_hand(g, g.owner[row]))
        return -own * max(v, 20) // 2
    if to == Z_HAND:
        return own * (CARD + min(f.mv, 6) * 4 - (30 if f.types & T_LAND else 0))
    if to == Z_LIBRARY:
        return own * (8 if flags & MF_BOTTOM else 20)
    return -8 * own if to == Z_EXILE else 0


# ------------------------------------------------------------------------------------------------ players

cdef int to_player(const Game *g, Trial *t, int p, int n) noexcept nogil:
    """A player loses life."""
    cdef int v
    if n <= 0 or not in_game(g, p):
        return 0
    v = loss_of(g.p_life[p], n)
    return -v if p == t.controller else v


cdef int drawing(const Game *g, int p, int n) noexcept nogil:
    """Points of drawing for the player who does."""
    cdef int room = g.p_hand_max[p] + 1 - zone_count(g, Z_HAND, p)
    if n >= zone_count(g, Z_LIBRARY, p):
        return -WIN
    if n > room:
        n = (n + max(room, 0)) // 2
    return CARD * n


cdef int giving_up(Game *g, Trial *t, int p, int filter, int n) noexcept nogil:
    """Points that a player loses by sacrificing n permanents of its choice; they are gone from then on."""
    cdef uint16_t row
    cdef Mod *m
    cdef int total = 0
    while n > 0:
        row = cheapest(g, t, p, filter, Z_BATTLEFIELD, False)
        if row == 0:
            break
        total += plain_loss(g, t, row)
        m = mod_of(t, row)
        if m == NULL:
            break
        m.gone = 1
        n -= 1
    return total


cdef int player_step(Game *g, Trial *t, const int32_t *w, int p, int n) noexcept nogil:
    """Points of one instruction for the player that it happens to."""
    cdef int op = w[0]
    cdef uint16_t row
    if op == E_DRAW:
        return drawing(g, p, n)
    elif op == E_DISCARD:
        return -45 * max(0, min(n, zone_count(g, Z_HAND, p)))
    elif op == E_GAIN_LIFE:
        return life_worth(g.p_life[p] + n) - life_worth(g.p_life[p]) if n > 0 else 0
    elif op == E_LOSE_LIFE:
        return -loss_of(g.p_life[p], n)
    elif op == E_TOKEN:
        return n * face_worth(g, &g.cards.faces[w[3]], 0)
    elif op == E_COPY_TOKEN:
        row = object_of(g, t, w[3])
        return n * arriving_worth(g, face_of(g, g.defn[row])) if row else 0
    elif op == E_MILL:
        return -WIN // 4 if n >= zone_count(g, Z_LIBRARY, p) else -n
    elif op == E_SEARCH_LAND:
        return 70 if lands_of(g, p) < PLENTY else 15
    elif op == E_SCRY or op == E_SURVEIL:
        return 12 * min(n, 4)
    elif op == E_DIG:
        return CARD + 5 if w[5] == Z_HAND or w[5] == Z_BATTLEFIELD else 10
    elif op == E_PLAYER_COUNTERS:
        if w[2] == CK_POISON and g.p_poison[p] + n >= 10:
            return -WIN
        return -15 * n if w[2] == CK_POISON else 8 * n
    elif op == E_EXTRA_TURN:
        return 150
    elif op == E_LOSE_GAME:
        return -WIN
    elif op == E_WIN_GAME:
        return WIN
    elif op == E_TITLE or op == E_VENTURE or op == E_EMBLEM:
        return 60
    elif op == E_APPLY_PLAYERS or op == E_PROLIFERATE:
        return 10
    return 0


cdef int on_players(Game *g, Trial *t, const int32_t *w, int n) noexcept nogil:
    """One instruction on each player of a reference."""
    cdef int mask = players_of(g, t, w[1])
    cdef int total = 0
    cdef int p, v
    for p in range(<int>g.lay.players):
        if not mask >> p & 1 or not in_game(g, p):
            continue
        v = -giving_up(g, t, p, w[3], n) if w[0] == E_EDICT else player_step(g, t, w, p, n)
        total += v if p == t.controller else -v
    return total


# ------------------------------------------------------------------------------------------------ what is given up

cdef int plain_loss(const Game *g, const Trial *t, uint16_t row) noexcept nogil:
    """Points that its player loses with it, whatever becomes of the combat: nothing where it is lost anyway."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int zone = g.zone[row]
    cdef int v
    cdef Mod *m
    if zone == Z_GRAVEYARD:
        return 2 + (4 if f.types & T_CREATURE else 0)
    if zone == Z_HAND:
        v = card_worth(g, g.owner[row], f, lands_of(g, g.owner[row]) + lands_in_hand(g, g.owner[row]))
        return max(4, min(v, 90) * 6 // 10)
    if t.doomed != NULL:
        m = mod_find(t.doomed, row)
        if m != NULL and m.gone:
            return 0
    v = death_cost(g, row)
    if g.mana[row] and not g.types[row] & T_CREATURE and lands_of(g, g.controller[row]) > 6:
        v //= 2
    return v


cdef int loss(Game *g, Trial *t, uint16_t row) noexcept nogil:
    """The same, where what falls in this combat anyway is worth little."""
    cdef int v = plain_loss(g, t, row)
    cdef int after
    cdef Mod *m
    if t.combat and (g.attacks[row] or g.combat[row] & CB_BLOCKING) and mod_find(&t.s.mods, row) == NULL:
        m = mod_of(t, row)
        if m != NULL:
            m.gone = 1
            after = combat_value(g, t.controller, &t.s.mods, t.share) - t.combat_before
            t.s.mods.n -= 1
            v -= after if g.controller[row] == t.controller else -after
    return max(v, 0)


cdef uint16_t cheapest(Game *g, Trial *t, int player, int filter, int zone, bint to_tap) noexcept nogil:
    """The object of a player, of those that pass, that is missed least; 0 none."""
    cdef Ctx c = t.c
    cdef uint16_t row = zone_first(g, zone, player)
    cdef uint16_t best = 0
    cdef int low = 0
    cdef int v
    c.controller = <uint8_t>player
    while row:
        if not (zone == Z_BATTLEFIELD and (g.controller[row] != player or is_gone(t, row))) \
                and not (to_tap and g.status[row] & ST_TAPPED) and not (t.spell and row == t.source) \
                and passes(g, &c, filter, row):
            v = tap_loss(g, row) if to_tap else loss(g, t, row)
            if best == 0 or v < low:
                best = row
                low = v
        row = g.znext[row]
    return best


cdef int tap_loss(const Game *g, uint16_t row) noexcept nogil:
    """What tapping an own permanent costs: an attacker, or a blocker."""
    if not g.types[row] & T_CREATURE:
        return 5
    if g.h.active == g.controller[row] and not can_attack(g, row):
        return 3 + worth_of(g, row) // 20
    return 4 + worth_of(g, row) // 8


cdef int parts_points(Game *g, Trial *t, int player, int first, int n) noexcept nogil:
    cdef const Node *part
    cdef uint16_t row
    cdef int total = 0
    cdef int i, op, v, _
    for i in range(n):
        part = &g.cards.costs[first + i]
        op = part.op
        if op == CP_LIFE:
            v = number(g, t, part.a)
            total += loss_of(g.p_life[player], v) + v
        elif op == CP_SACRIFICE:
            for _ in range(part.b):
                row = cheapest(g, t, player, part.a, Z_BATTLEFIELD, False)
                if row:
                    total += giving_up(g, t, player, part.a, 1)
                    if t.paid == 0 and player == t.controller:
                        t.paid = row
        elif op == CP_DISCARD or op == CP_EXILE_HAND:
            row = cheapest(g, t, player, part.a, Z_HAND, False)
            total += part.b * (loss(g, t, row) if row else 40)
            t.paid = row
        elif op == CP_DISCARD_HAND:
            total += 40 * zone_count(g, Z_HAND, player)
        elif op == CP_DISCARD_SELF or op == CP_EXILE_SELF:
            total += loss(g, t, t.source) if t.source else 0
        elif op == CP_EXILE_GRAVEYARD:
            total += 3 * part.b
        elif op == CP_REMOVE_COUNTERS:
            total += part.b * (30 if part.a == CK_P1P1 else 8)
        elif op == CP_PUT_COUNTERS:
            total += part.b * (30 if part.a == CK_M1M1 else 2)
        elif op == CP_TAP_CREATURES:
            row = cheapest(g, t, player, part.a, Z_BATTLEFIELD, True)
            total += part.b * tap_loss(g, row) if row else 0
        elif op == CP_RETURN:
            row = cheapest(g, t, player, part.a, Z_BATTLEFIELD, False)
            total += part.b * (loss(g, t, row) // 2 if row else 30)
        elif op == CP_MILL:
            total += part.a
    return total


# ------------------------------------------------------------------------------------------------ attachments, statics

cdef int host_worth(Game *g, Trial *t, const Face *f, uint16_t host, bint attached) noexcept nogil:
    cdef const Ability *a
    cdef Change k
    cdef uint64_t keywords
    cdef int total = 0
    cdef int i, power, toughness, v
    cdef int sign = -side(g, t, host)
    cdef uint16_t before = t.host
    t.host = host
    for i in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, i))
        if a.kind != AB_STATIC or a.own != 2:
            continue
        change_make(g, t, host, a.first_change, a.n_changes, 0, 0, &k)
        if k.control:
            total += worth_of(g, host) * (18 if sign < 0 else 0) // 10
            continue
        if not g.types[host] & T_CREATURE:
            total += sign * 12 * k.abilities
            continue
        # With it, less without it.
        power = g.power[host]
        toughness = g.toughness[host]
        keywords = g.keywords[host]
        if attached:
            power -= k.power
            toughness -= k.toughness
            keywords &= ~k.keywords | face_of(g, g.defn[host]).keywords
        if k.toughness < 0 and falls(g, host, toughness + k.toughness - g.toughness[host], 0):
            total -= sign * death_cost(g, host)
            continue
        v = creature_worth(power + k.power, toughness + k.toughness, (keywords & ~k.without) | k.keywords)
        v -= creature_worth(power, toughness, keywords)
        total += sign * (v + 15 * k.abilities - (25 if k.blank else 0))
    t.host = before
    if sign > 0 and f.flags & FACE_EQUIPMENT:
        if g.keywords[host] & (K_CANT_ATTACK | K_CANT_BLOCK | K_DEFENDER):
            total //= 4
        elif can_attack(g, host):
            total += 10
    return total


cdef int attaching(Game *g, Trial *t, uint16_t what, uint16_t to) noexcept nogil:
    """Points of attaching it there, less those of where it is."""
    cdef const Face *f
    cdef int v
    if what == 0 or to == 0 or g.zone[what] != Z_BATTLEFIELD or is_gone(t, to) or (t.host == to and what == t.source):
        return 0
    f = face_of(g, g.defn[what])
    v = host_worth(g, t, f, to, False)
    if what == t.source and t.host:
        v -= host_worth(g, t, f, t.host, True) + 8
    return v


cdef int statics_gain(Game *g, Trial *t, const Face *f) noexcept nogil:
    cdef const Ability *a
    cdef Change k
    cdef int total = 0
    cdef int i, v
    cdef uint16_t row
    for i in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, i))
        if a.kind != AB_STATIC or a.own != 0 or a.condition >= 0:
            continue
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if g.types[row] & T_CREATURE and passes(g, &t.c, a.filter, row):
                change_make(g, t, row, a.first_change, a.n_changes, 0, 0, &k)
                if k.toughness < 0 and falls(g, row, k.toughness, 0):
                    total += side(g, t, row) * death_cost(g, row)
                else:
                    v = creature_worth(g.power[row] + k.power, g.toughness[row] + k.toughness,
                                       (g.keywords[row] & ~k.without) | k.keywords)
                    v -= creature_worth(g.power[row], g.toughness[row], g.keywords[row])
                    total -= side(g, t, row) * (v + 15 * k.abilities - (25 if k.blank else 0))
            row = g.znext[row]
    return total


# ------------------------------------------------------------------------------------------------ instructions

cdef int on_object(Game *g, Trial *t, const int32_t *w, uint16_t row, int n, int second, bint each) noexcept nogil:
    cdef int op = w[0]
    cdef uint16_t source
    cdef Mod *m
    cdef int under
    if op == E_DAMAGE:
        source = object_of(g, t, w[1])
        return hurt(g, t, row, n, g.keywords[source] if source else 0)
    elif op == E_DESTROY:
        m = mod_find(&t.s.mods, row)
        if g.keywords[row] & K_INDESTRUCTIBLE or (m != NULL and m.keywords & K_INDESTRUCTIBLE):
            return 0
        if not w[2] & MF_NO_REGENERATION and shielded(g, row):
            return 0
        return remove(g, t, row, 100) if g.zone[row] == Z_BATTLEFIELD else 0
    elif op == E_EXILE:
        return move(g, t, row, Z_EXILE, w[2], 0)
    elif op == E_RETURN:
        return move(g, t, row, Z_HAND, w[2], 0)
    elif op == E_MOVE:
        under = players_of(g, t, w[4]) if w[4] >= 0 else 0
        return move(g, t, row, w[2], w[3], under)
    elif op == E_SACRIFICE:
        if g.controller[row] != t.controller or g.zone[row] != Z_BATTLEFIELD or is_gone(t, row):
            return 0
        return remove(g, t, row, 100)
    elif op == E_TURN_UP or op == E_TURN_DOWN:
        return turning(g, t, row, &g.cards.faces[w[2]] if op == E_TURN_DOWN else NULL)
    elif op == E_EXILE_UNTIL:
        return remove(g, t, row, 85) if g.zone[row] == Z_BATTLEFIELD else 0
    elif op == E_TAP or op == E_UNTAP:
        return tapping(g, t, row, op == E_TAP)
    elif op == E_APPLY:
        return apply_changes(g, t, w, row, n, second, each)
    elif op == E_COUNTERS:
        return count_up(g, t, row, w[2], n)
    elif op == E_REMOVE_COUNTERS:
        return count_up(g, t, row, w[2], -n)
    elif op == E_REGENERATE or op == E_PREVENT:
        m = mod_of(t, row) if g.types[row] & T_CREATURE and g.zone[row] == Z_BATTLEFIELD else NULL
        if m != NULL:
            if op == E_REGENERATE or w[4] & DF_ALL:
                m.keywords |= K_INDESTRUCTIBLE
            else:
                m.damage -= n
    return 0


cdef int turning(const Game *g, Trial *t, uint16_t row, const Face *form) noexcept nogil:
    """It is turned face down, to this form, or up (NULL)."""
    if g.zone[row] != Z_BATTLEFIELD or (form == NULL) != ((g.status[row] & ST_FACE_DOWN) != 0) or is_gone(t, row):
        return 0
    if form == NULL:
        form = face_of(g, definition_under(g, row))
    return side(g, t, row) * (face_worth(g, form, 0) - worth_of(g, row))


cdef int on_objects(Game *g, Trial *t, const int32_t *w, int ref, int n, int second) noexcept nogil:
    """One instruction on each object of a reference."""
    cdef uint16_t rows[MANY]
    cdef int k = objects(g, t, ref, rows)
    cdef bint each = g.cards.refs[ref].op == R_EACH
    cdef bint moves = w[0] == E_DESTROY or w[0] == E_EXILE or w[0] == E_RETURN or w[0] == E_MOVE or w[0] == E_SACRIFICE
    cdef int total = 0
    cdef int i
    for i in range(k):
        total += on_object(g, t, w, rows[i], n, second, each)
    if moves:
        t.s.result = k
        t.s.n_moved = 0
        for i in range(k):
            if t.s.n_moved < FEW:
                t.s.moved[t.s.n_moved] = rows[i]
                t.s.n_moved += 1
    return total


cdef int damage_step(Game *g, Trial *t, const int32_t *w) noexcept nogil:
    cdef int n = number(g, t, w[3])
    cdef int total = 0
    cdef int p, mask
    cdef uint16_t source
    t.s.result = n
    if g.cards.refs[w[2]].op == R_EACH or object_of(g, t, w[2]):
        total += on_objects(g, t, w, w[2], n, 0)
    else:
        mask = players_of(g, t, w[2])
        for p in range(<int>g.lay.players):
            if mask >> p & 1:
                total += to_player(g, t, p, n)
    source = object_of(g, t, w[1])
    if source and n > 0 and g.keywords[source] & K_LIFELINK:
        total += life_worth(g.p_life[t.controller] + n) - life_worth(g.p_life[t.controller])
    return total


cdef int fight_step(Game *g, Trial *t, const int32_t *w) noexcept nogil:
    cdef uint16_t a = object_of(g, t, w[1])
    cdef uint16_t b = object_of(g, t, w[2])
    cdef int n, p
    cdef uint64_t keywords
    cdef int total
    if a == 0 or b == 0 or is_gone(t, a) or is_gone(t, b):
        return 0
    n = g.power[a] + (mod_find(&t.s.mods, a).power if mod_find(&t.s.mods, a) != NULL else 0)
    p = g.power[b] + (mod_find(&t.s.mods, b).power if mod_find(&t.s.mods, b) != NULL else 0)
    keywords = g.keywords[b]
    total = hurt(g, t, b, n, g.keywords[a])
    total += hurt(g, t, a, p, keywords)
    return total


cdef int step(Game *g, Trial *t, const int32_t *w) noexcept nogil:
    cdef int op = w[0]
    cdef int n
    if op == E_DAMAGE:
        return damage_step(g, t, w)
    elif op == E_APPLY:
        return on_objects(g, t, w, w[1], number(g, t, w[4]) if w[4] >= 0 else 0,
                          number(g, t, w[5]) if w[5] >= 0 else 0)
    elif op == E_COUNTERS or op == E_REMOVE_COUNTERS:
        return on_objects(g, t, w, w[1], number(g, t, w[3]), 0)
    elif op == E_FIGHT:
        return fight_step(g, t, w)
    elif op == E_PREVENT:
        n = number(g, t, w[2]) if w[2] >= 0 else 0
        if w[1] < 0:
            t.s.fog = t.s.fog or not w[4] & DF_NONCOMBAT
            return 0
        return on_objects(g, t, w, w[1], n, 0)
    elif op == E_ATTACH:
        return attaching(g, t, object_of(g, t, w[1]), object_of(g, t, w[2]))
    elif op == E_DESTROY or op == E_EXILE or op == E_RETURN or op == E_TAP or op == E_UNTAP or op == E_MOVE \
            or op == E_SACRIFICE or op == E_EXILE_UNTIL or op == E_REGENERATE or op == E_TURN_UP or op == E_TURN_DOWN:
        return on_objects(g, t, w, w[1], 0, 0)
    elif op == E_PUT_FACE_DOWN:
        n = face_worth(g, &g.cards.faces[w[2]], 0)
        return n if players_of(g, t, w[3]) >> t.controller & 1 else -n
    elif op == E_SEARCH_LAND or op == E_EXTRA_TURN or op == E_LOSE_GAME or op == E_WIN_GAME or op == E_TITLE \
            or op == E_VENTURE or op == E_EMBLEM or op == E_APPLY_PLAYERS or op == E_PROLIFERATE:
        return on_players(g, t, w, 1)
    elif op == E_PLAYER_COUNTERS:
        return on_players(g, t, w, number(g, t, w[3]))
    elif op == E_DRAW or op == E_DISCARD or op == E_GAIN_LIFE or op == E_LOSE_LIFE or op == E_TOKEN or op == E_MILL \
            or op == E_EDICT or op == E_SCRY or op == E_SURVEIL or op == E_DIG or op == E_COPY_TOKEN:
        n = number(g, t, w[2])
        t.s.result = n
        return on_players(g, t, w, n)
    return 0
