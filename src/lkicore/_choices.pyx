"""Priority (CR 117): what a player can do."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._announce cimport activatable, begin_activate, begin_cast, castable
from lkicore._defs cimport face_of
from lkicore._game cimport NO_PLAYER, add_option, answer_of, open_choice
from lkicore._guard cimport ctz64, on_stack, rare
from lkicore._history cimport log_event
from lkicore._layout cimport Game, Option
from lkicore._mana cimport EXTRA_SHIFT, LANES_HIGH, can_pay, tap_for_mana
from lkicore._opcodes cimport *
from lkicore._store cimport ctrl_set, has_bit, trace, zone_first
from lkicore._triggers cimport happened, heard
from lkicore._types cimport FACE_EASY, FACE_INSTANT_SPEED, Face
from lkicore._zones cimport TO_END, move_one


cdef inline int next_activatable(Game *g, uint16_t row, int player, int k) noexcept nogil:
    """The first of an object's abilities, from number `k` on, that the player can activate now and that is no mana
    ability; -1 none."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Face *f
    cdef int n, first
    if rare(g.oflags[row] & OF_OWN_ABILITIES):
        n = abilities_of(g, row, list)
        while k < n and not (ability_of(g, list[k]).kind == AB_ACTIVATED and activatable(g, row, list[k], player)):
            k += 1
    else:
        f = face_of(g, g.defn[row])
        n = f.n_abilities
        first = f.first_ability
        while k < n and not (ability_of(g, first + k).kind == AB_ACTIVATED and activatable(g, row, first + k, player)):
            k += 1
    return k if k < n else -1


cdef bint acts(Game *g, int player) noexcept nogil:
    """Some permanent, or card elsewhere, has an ability that the player can activate now."""
    cdef const uint64_t *mine = ctrl_set(g, player)
    cdef const uint64_t *actors = g.b_acts
    cdef uint64_t bits
    cdef uint32_t words = g.lay.words
    cdef uint32_t w
    cdef uint16_t row
    cdef int elsewhere = g.p_actors[player]
    if elsewhere == 0:
        return False
    for w in range(words):
        bits = mine[w] & actors[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            elsewhere -= 1
            if next_activatable(g, row, player, 0) >= 0:
                return True
    return elsewhere > 0 and (acts_from(g, Z_HAND, player) or acts_from(g, Z_GRAVEYARD, player))


cdef bint acts_elsewhere(const Game *g, int player) noexcept nogil:
    """Cards of the player outside the battlefield have activated abilities: more actors than permanents that act."""
    cdef uint64_t *mine = ctrl_set(g, player)
    cdef uint64_t bits
    cdef uint32_t w
    cdef int n = g.p_actors[player]
    for w in range(g.lay.words):
        bits = mine[w] & g.b_acts[w]
        while bits:
            bits &= bits - 1
            n -= 1
    return n > 0


cdef bint acts_from(Game *g, int zone, int player) noexcept nogil:
    cdef uint16_t row = zone_first(g, zone, player)
    while row:
        if face_of(g, g.defn[row]).act_zones >> zone & 1 and next_activatable(g, row, player, 0) >= 0:
            return True
        row = g.znext[row]
    return False


cdef int can_act(Game *g, int player) noexcept nogil:
    """What the player can do besides passing at instant speed, as ActBit; kept until the revision changes.

    Options are not listed for this: most players with priority can do nothing.
    """
    cdef uint16_t row
    cdef const Face *f
    cdef int act = 0
    if g.p_act_rev[player] == g.h.rev:
        return g.p_act[player]
    if rare(g.h.options_mask & EO_PAY_MANUAL) and (g.p_mana_hi[player] >> 32) & 0xFFFF:
        act = ACT_INSTANT
    elif acts(g, player):
        act = ACT_INSTANT
    else:
        row = zone_first(g, Z_HAND, player) if g.p_instants[player] else 0
        while row:
            f = face_of(g, g.defn[row])
            if f.flags & FACE_INSTANT_SPEED and (can_pay(g, player, &f.cost) if f.flags & FACE_EASY
                                                 else castable(g, row, player)):
                act = ACT_INSTANT
                break
            row = g.znext[row]
    g.p_act[player] = <uint8_t>act
    g.p_act_rev[player] = g.h.rev
    return act


cdef bint look_for_actors(Game *g) noexcept nogil:
    """Compute `calm` for the present revision."""
    cdef int p = g.h.active  # whoever is asked first
    cdef bint calm = True
    cdef bint manual = g.h.options_mask & EO_PAY_MANUAL
    for _ in range(<int>g.lay.players):
        if (g.p_instants[p] or manual or g.p_actors[p]) and (g.h.alive >> p) & 1 and can_act(g, p) & ACT_INSTANT:
            calm = False
            break
        p = p + 1 if p + 1 < <int>g.lay.players else 0
    g.h.calm = calm
    g.h.calm_rev = g.h.rev
    return calm


cdef void offer_abilities(Game *g, uint16_t row, int player) noexcept nogil:
    """Activated abilities that are no mana abilities, by their number among the object's abilities."""
    cdef int k = next_activatable(g, row, player, 0)
    while k >= 0:
        add_option(g, O_ACTIVATE, row, k, NO_PLAYER)
        k = next_activatable(g, row, player, k + 1)


cdef bint offer_actors(Game *g, int player) noexcept nogil:
    """The player's permanents with activated abilities, by timestamp; whether cards elsewhere have some too."""
    cdef uint64_t *mine = ctrl_set(g, player)
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t row
    cdef int n = 0
    cdef int k
    for w in range(g.lay.words):
        bits = mine[w] & g.b_acts[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            k = n
            n += 1
            while k > 0 and g.timestamp[rows[k - 1]] > g.timestamp[row]:
                rows[k] = rows[k - 1]
                k -= 1
            rows[k] = row
    for k in range(n):
        offer_abilities(g, rows[k], player)
    return g.p_actors[player] > n


cdef void offer_battlefield(Game *g, int player) noexcept nogil:
    """With manual payment mana abilities are offered too, each behind the other abilities of its permanent."""
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef int k
    while row:
        if g.controller[row] == player:
            if has_bit(g.b_acts, row):
                offer_abilities(g, row, player)
            if g.mana_in[row]:
                for k in range(6):
                    if g.mana_in[row] >> k & 1:
                        add_option(g, O_MANA, row, k, NO_PLAYER)
        row = g.znext[row]


cdef void offer_priority(Game *g, int player) noexcept nogil:
    """Canonical order: pass, then the hand by position, then permanents by timestamp and their abilities in order,
    then the graveyard."""
    cdef bint sorcery = sorcery_time(g, player)
    cdef bint manual = g.h.options_mask & EO_PAY_MANUAL
    cdef uint16_t row
    cdef const Face *f
    # What `can_pay` looks at first, once for the whole hand: with plain sources and no pool one comparison decides.
    cdef uint64_t lo = g.p_mana_lo[player] | LANES_HIGH
    cdef uint64_t hi = g.p_mana_hi[player] | LANES_HIGH
    cdef bint plain = (not g.h.options_mask & EO_PAY_FREE and g.p_pool_n[player] == 0
                       and g.p_mana_hi[player] >> EXTRA_SHIFT == 0)
    open_choice(g, CH_PRIORITY, player)
    add_option(g, O_PASS, 0, 0, NO_PLAYER)
    row = zone_first(g, Z_HAND, player)
    while row:
        f = face_of(g, g.defn[row])
        if f.types & T_LAND:
            if sorcery and g.p_lands[player] == 0:
                add_option(g, O_PLAY, row, 0, NO_PLAYER)
        elif plain and ((hi - f.cost.hi) & (lo - f.cost.lo) & LANES_HIGH) != LANES_HIGH:
            pass
        elif (sorcery or f.flags & FACE_INSTANT_SPEED) and (
                (plain or can_pay(g, player, &f.cost)) if f.flags & FACE_EASY else castable(g, row, player)):
            add_option(g, O_CAST, row, 0, NO_PLAYER)
        if f.act_zones >> Z_HAND & 1:
            offer_abilities(g, row, player)
        row = g.znext[row]
    if not manual and g.p_actors[player] == 0:
        return
    if manual:
        offer_battlefield(g, player)
    if (acts_elsewhere(g, player) if manual else offer_actors(g, player)):
        row = zone_first(g, Z_GRAVEYARD, player)
    while row:
        if face_of(g, g.defn[row]).act_zones >> Z_GRAVEYARD & 1:
            offer_abilities(g, row, player)
        row = g.znext[row]


cdef void take_priority_option(Game *g) noexcept nogil:
    """Carry out what the player with priority has chosen; passing is the turn machine's matter."""
    cdef Option *o = answer_of(g)
    cdef int player = g.h.priority
    cdef uint16_t list[MOST_ABILITIES]
    cdef uint16_t row = o.row
    if o.kind == O_PLAY:
        # CR 116.2a, 305.1: no stack.
        g.p_lands[player] += 1
        move_one(g, row, Z_BATTLEFIELD, TO_END)
        trace(g, TR_PLAY, player, row, g.defn[row], 0, g.id[row])
        log_event(g, H_LAND, player, row, g.id[row], 0, 0, 0)
        if heard(g, EV_LAND_PLAYED):
            happened(g, EV_LAND_PLAYED, row, g.id[row], 0, 0, player, 0, 0)
        g.h.passes = 0
    elif o.kind == O_CAST:
        begin_cast(g, row, player)
    elif o.kind == O_ACTIVATE:
        abilities_of(g, row, list)
        begin_activate(g, row, list[o.num], player)
    elif o.kind == O_MANA:
        tap_for_mana(g, row, o.num)
