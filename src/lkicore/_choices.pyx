"""Priority (CR 117): what a player can do."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._allowed cimport activatable, castable, castable_in
from lkicore._announce cimport begin_activate, begin_cast
from lkicore._casting cimport (Manner, NO_WAY, announced_face, combines, has_permits, in_cast_time, manner_by,
                               permission, split_second)
from lkicore._defs cimport ability_at, face_of
from lkicore._game cimport NO_PLAYER, add_option, answer_of, open_choice
from lkicore._guard cimport ctz64, on_stack
from lkicore._hidden cimport turn_ups
from lkicore._lands cimport may_play_land, play_land
from lkicore._layout cimport Game, Option
from lkicore._mana cimport EXTRA_SHIFT, LANES_HIGH, can_pay, tapping
from lkicore._opcodes cimport *
from lkicore._plans cimport kinds_to_tap
from lkicore._player_rules cimport CLOSED
from lkicore._store cimport ctrl_set, has_bit, zone_first
from lkicore._tapping cimport tap_by_hand
from lkicore._types cimport FACE_EASY, FACE_INSTANT_SPEED, FACE_OTHER_COST, Face

cdef enum:
    OWN_WAYS = 63      # of the number of an option: 1 + the card's own way in which it is cast, 0 none
    PERMITS = 64       # times so many: the number of the permission, from 1, 0 none


cdef inline bint easy(const Game *g, const Face *f) noexcept nogil:
    """It can be cast whenever its mana can be paid: each of its targets exists, as players can be targets."""
    return f.flags & FACE_EASY and (f.n_targets == 0 or g.h.player_facts & CLOSED == 0)


cdef bint turns_up_now(Game *g, uint16_t row, int player) noexcept nogil:
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = turn_ups(g, row, list)
    cdef int k
    for k in range(n):
        if activatable(g, row, list[k], player):
            return True
    return False


cdef bint has_ability_now(Game *g, uint16_t row, int player) noexcept nogil:
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Face *f
    cdef int n, k
    if rare(g.status[row] & ST_FACE_DOWN) and turns_up_now(g, row, player):
        return True
    if not g.oflags[row] & OF_OWN_ABILITIES:
        f = face_of(g, g.defn[row])
        for k in range(f.first_ability, f.first_ability + f.n_first):
            if ability_of(g, k).alone and activatable(g, row, k, player):
                return True
        for k in range(f.n_first, f.n_abilities):
            if ability_of(g, ability_at(g, f, k)).alone and activatable(g, row, ability_at(g, f, k), player):
                return True
        return False
    n = abilities_of(g, row, list)
    for k in range(n):
        if ability_of(g, list[k]).alone and activatable(g, row, list[k], player):
            return True
    return False


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
            if has_ability_now(g, row, player):
                return True
    return elsewhere > 0 and (acts_from(g, Z_HAND, player) or acts_from(g, Z_GRAVEYARD, player)
                              or acts_from(g, Z_EXILE, player) or acts_from(g, Z_COMMAND, player))


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
        if (has_bit(g.b_acts, row) and g.owner[row] == player
                and (has_ability_now(g, row, player) or has_way_now(g, row, player))):
            return True
        row = g.znext[row]
    return False


cdef bint has_way_now(Game *g, uint16_t row, int player) noexcept nogil:
    """The card can be cast in a way of its own, where it is and now."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef Manner m
    cdef int k
    for k in range(f.n_ways):
        manner_by(g, f.first_way + k, NO_WAY, &m)
        if (m.own.zones >> g.zone[row] & 1 and in_cast_time(g, row, player, announced_face(g, row, &m), &m)
                and castable_in(g, row, player, f.first_way + k, NO_WAY)):
            return True
    return False


cdef bint offer_plays(Game *g, uint16_t row, int player, bint offer) noexcept nogil:
    """Ways in which the player can cast or play this card, but for the usual one from the hand: the card's own, then
    each permission with none of them, then with those that pay another cost. True if there are any; `offer`: as
    options."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef const Face *face
    cdef Manner m
    cdef bint any = False
    cdef int k
    cdef int number = 0
    cdef int way = NO_WAY
    for k in range(f.n_ways if g.owner[row] == player else 0):
        manner_by(g, f.first_way + k, NO_WAY, &m)
        if not m.own.zones >> (Z_HAND if g.zone[row] == Z_COMMAND else g.zone[row]) & 1:
            continue  # (A commander is cast as it is from the hand, CR 903.8.)
        face = announced_face(g, row, &m)
        if face.types & T_LAND:
            if g.zone[row] != Z_COMMAND and sorcery_time(g, player) and may_play_land(g, player):
                # CR 712.12: a back face that is a land
                any = True
                if not offer:
                    break
                add_option(g, O_PLAY, row, k + 1, NO_PLAYER)
        elif in_cast_time(g, row, player, face, &m) and castable_in(g, row, player, f.first_way + k, NO_WAY):
            if not offer:
                return True
            any = True
            add_option(g, O_CAST, row, k + 1, NO_PLAYER)
    if not has_permits(g):
        return any
    while True:
        number += 1
        way = permission(g, row, player, number)
        if way == NO_WAY:
            return any
        manner_by(g, NO_WAY, way, &m)
        for k in range(-1, f.n_ways):
            # As it is, then in its own ways.
            manner_by(g, f.first_way + k if k >= 0 else NO_WAY, way, &m)
            if k >= 0 and not combines(m.own, m.permit, g.zone[row]):
                continue
            face = announced_face(g, row, &m)
            if face.types & T_LAND:
                if not (m.permit.flags & WF_LANDS and sorcery_time(g, player) and may_play_land(g, player)):
                    continue
            elif not (m.permit.flags & WF_SPELLS and in_cast_time(g, row, player, face, &m) and castable_in(
                    g, row, player, f.first_way + k if k >= 0 else NO_WAY, way)):
                continue
            if not offer:
                return True
            any = True
            add_option(g, O_PLAY if face.types & T_LAND else O_CAST, row, number * PERMITS | k + 1, NO_PLAYER)


cdef bint plays_permitted(Game *g, int player, bint offer) noexcept nogil:
    """By permissions, from graveyards by seat, exile, and the tops of libraries by seat."""
    cdef int p
    cdef uint16_t row
    cdef bint any = False
    for p in range(<int>g.lay.players):
        row = zone_first(g, Z_GRAVEYARD, p)
        while row:
            if p != player or not face_of(g, g.defn[row]).act_zones >> Z_GRAVEYARD & 1:
                any |= offer_plays(g, row, player, offer)
            row = g.znext[row]
    row = zone_first(g, Z_EXILE, 0)
    while row:
        if g.owner[row] != player or not face_of(g, g.defn[row]).act_zones >> Z_EXILE & 1:
            any |= offer_plays(g, row, player, offer)
        row = g.znext[row]
    for p in range(<int>g.lay.players):
        row = zone_first(g, Z_LIBRARY, p)
        if row:
            any |= offer_plays(g, row, player, offer)
    return any


cdef bint plays_commander(Game *g, int player, bint offer) noexcept nogil:
    """CR 903.8: a commander can be cast from the command zone by its owner."""
    cdef uint16_t row = zone_first(g, Z_COMMAND, 0)
    cdef Manner plain
    cdef bint any = False
    plain.own = NULL
    plain.permit = NULL
    while row:
        if g.oflags[row] & OF_COMMANDER and g.owner[row] == player:
            if in_cast_time(g, row, player, face_of(g, g.defn[row]), &plain) and castable(g, row, player):
                any = True
                if offer:
                    add_option(g, O_CAST, row, 0, NO_PLAYER)
            if face_of(g, g.defn[row]).n_ways:
                any = offer_plays(g, row, player, offer) or any
            if any and not offer:
                break
        row = g.znext[row]
    return any


cdef bint plays_at_once(Game *g, int player) noexcept nogil:
    """Something can be cast at instant speed that only an ability or effect makes possible (CR 601.3)."""
    cdef uint16_t row = zone_first(g, Z_HAND, player)
    cdef const Face *f
    cdef Manner plain
    plain.own = NULL
    plain.permit = NULL
    while row:
        f = face_of(g, g.defn[row])
        if not f.types & T_LAND and (in_cast_time(g, row, player, f, &plain) and castable(g, row, player)):
            return True
        if offer_plays(g, row, player, False):
            return True
        row = g.znext[row]
    return has_permits(g) and plays_permitted(g, player, False)


cdef bint mana_by_hand(Game *g, int player) noexcept nogil:
    """With manual payment: the player can activate a mana ability."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef int n, k
    if (g.p_mana_hi[player] >> 32) & 0xFFFF and not tapping(g):
        return True
    while row:
        if g.controller[row] == player:
            if kinds_to_tap(g, row, player):
                return True
            n = abilities_of(g, row, list) if has_bit(g.b_acts, row) or has_bit(g.b_casting, row) else 0
            for k in range(n):
                if (ability_of(g, list[k]).kind == AB_MANA and ability_of(g, list[k]).program >= 0
                        and activatable(g, row, list[k], player)):
                    return True
        row = g.znext[row]
    return False


cdef bint acts_by_rules(Game *g, int player) noexcept nogil:
    """`can_act`, where more than cost and time of the cards themselves can decide (USE_CASTING)."""
    cdef uint16_t row
    cdef const Face *f
    if (g.h.options_mask & EO_PAY_MANUAL and mana_by_hand(g, player)) or acts(g, player):
        return True
    row = zone_first(g, Z_HAND, player) if g.p_instants[player] else 0
    while row:
        f = face_of(g, g.defn[row])
        if f.flags & FACE_INSTANT_SPEED and (
                (can_pay(g, player, &f.cost) if easy(g, f) and g.h.casting == 0 and not split_second(g)
                 else castable(g, row, player)) or (f.n_ways != 0 and has_way_now(g, row, player))):
            return True
        row = g.znext[row]
    return (at_other_times(g) and plays_at_once(g, player)) or (g.h.commanders and plays_commander(g, player, False))


cdef bint acts_plainly(Game *g, int player) noexcept nogil:
    cdef uint16_t row
    cdef const Face *f
    if acts(g, player):
        return True
    row = zone_first(g, Z_HAND, player) if g.p_instants[player] else 0
    while row:
        f = face_of(g, g.defn[row])
        if f.flags & FACE_INSTANT_SPEED and (
                can_pay(g, player, &f.cost) if easy(g, f) and not split_second(g) else castable(g, row, player)):
            return True
        row = g.znext[row]
    return False


cdef int can_act(Game *g, int player) noexcept nogil:
    """What the player can do besides passing at instant speed, as ActBit; kept until the revision changes.

    Options are not listed for this: most players with priority can do nothing.
    """
    cdef int act
    if g.p_act_rev[player] == g.h.rev:
        return g.p_act[player]
    act = ACT_INSTANT if (acts_by_rules(g, player) if rare(g.h.uses & USE_CASTING) else acts_plainly(g, player)) else 0
    g.p_act[player] = <uint8_t>act
    g.p_act_rev[player] = g.h.rev
    return act


cdef bint look_for_actors(Game *g) noexcept nogil:
    """Compute `calm` for the present revision."""
    cdef int p = g.h.active  # whoever is asked first
    cdef bint calm = True
    cdef bint anybody = rare(g.h.uses & USE_CASTING) and acts_otherwise(g)
    for _ in range(<int>g.lay.players):
        if ((g.p_instants[p] or g.p_actors[p] or anybody) and (g.h.alive >> p) & 1 and can_act(g, p) & ACT_INSTANT):
            calm = False
            break
        p = p + 1 if p + 1 < <int>g.lay.players else 0
    g.h.calm = calm
    g.h.calm_rev = g.h.rev
    return calm


cdef void offer_abilities(Game *g, uint16_t row, int player) noexcept nogil:
    """Activated abilities, but for mana abilities that payment looks for, by their number among the object's."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = abilities_of(g, row, list)
    cdef int k
    for k in range(n):
        if (ability_of(g, list[k]).alone or (
                ability_of(g, list[k]).kind == AB_MANA and ability_of(g, list[k]).program >= 0
                and g.h.options_mask & EO_PAY_MANUAL)) and activatable(g, row, list[k], player):
            add_option(g, O_ACTIVATE, row, k, NO_PLAYER)
    if g.status[row] & ST_FACE_DOWN:
        n = turn_ups(g, row, list)
        for k in range(n):
            if activatable(g, row, list[k], player):
                add_option(g, O_TURN_UP, row, k, NO_PLAYER)


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
    cdef int k, mask
    while row:
        if g.controller[row] == player:
            if has_bit(g.b_acts, row) or has_bit(g.b_casting, row):
                offer_abilities(g, row, player)
            mask = kinds_to_tap(g, row, player)
            if mask:
                for k in range(6):
                    if mask >> k & 1:
                        add_option(g, O_MANA, row, k, NO_PLAYER)
        row = g.znext[row]


cdef void offer_elsewhere(Game *g, int player) noexcept nogil:
    """What the player's cards in graveyard and exile can do there."""
    cdef uint16_t row
    cdef int k
    for k in range(2):
        row = zone_first(g, Z_GRAVEYARD if k == 0 else Z_EXILE, player)
        while row:
            if g.owner[row] == player and face_of(g, g.defn[row]).act_zones >> g.zone[row] & 1:
                offer_plays(g, row, player, True)
                offer_abilities(g, row, player)
            row = g.znext[row]


cdef void offer_ruled(Game *g, int player) noexcept nogil:
    """Where more than cost and time of the card itself can decide (USE_CASTING): the hand, and all that follows."""
    cdef bint sorcery = sorcery_time(g, player)
    cdef bint land = sorcery and may_play_land(g, player)
    cdef bint manual = g.h.options_mask & EO_PAY_MANUAL
    # Abilities of permanents are about what may be cast, or when, or for what.
    cdef bint ruled = g.h.casting != 0 or g.h.n_special != 0
    cdef uint16_t row = zone_first(g, Z_HAND, player)
    cdef const Face *f
    cdef Manner usual
    usual.own = NULL
    usual.permit = NULL
    while row:
        f = face_of(g, g.defn[row])
        if f.types & T_LAND:
            if land:
                add_option(g, O_PLAY, row, 0, NO_PLAYER)
        elif ruled or f.flags & FACE_OTHER_COST:
            # (Nothing is decided by the printed cost.)
            if in_cast_time(g, row, player, f, &usual) and castable(g, row, player):
                add_option(g, O_CAST, row, 0, NO_PLAYER)
        elif (sorcery or f.flags & FACE_INSTANT_SPEED) and (
                can_pay(g, player, &f.cost) if easy(g, f) and not split_second(g) else castable(g, row, player)):
            add_option(g, O_CAST, row, 0, NO_PLAYER)
        if f.n_ways or ruled:
            offer_plays(g, row, player, True)
        if has_bit(g.b_acts, row):
            offer_abilities(g, row, player)
        row = g.znext[row]
    if g.h.commanders:
        plays_commander(g, player, True)
    if manual:
        offer_battlefield(g, player)
        if acts_elsewhere(g, player):
            offer_elsewhere(g, player)
    elif g.p_actors[player] and offer_actors(g, player):
        offer_elsewhere(g, player)
    if has_permits(g):
        plays_permitted(g, player, True)


cdef void offer_priority(Game *g, int player) noexcept nogil:
    """Canonical order: pass, then the hand by position, then commanders, then permanents by timestamp and their
    abilities in order, then the graveyard and exile, then what permissions allow elsewhere. A card's usual way comes
    first."""
    cdef bint sorcery = sorcery_time(g, player)
    cdef uint16_t row
    cdef const Face *f
    # What `can_pay` looks at first, once for the whole hand: with plain sources and no pool one comparison decides.
    cdef uint64_t lo = g.p_mana_lo[player] | LANES_HIGH
    cdef uint64_t hi = g.p_mana_hi[player] | LANES_HIGH
    cdef bint plain = (not g.h.options_mask & EO_PAY_FREE and g.p_pool_n[player] == 0
                       and g.p_mana_hi[player] >> EXTRA_SHIFT == 0)
    open_choice(g, CH_PRIORITY, player)
    add_option(g, O_PASS, 0, 0, NO_PLAYER)
    if g.h.uses & USE_CASTING:
        offer_ruled(g, player)
        return
    row = zone_first(g, Z_HAND, player)
    while row:
        f = face_of(g, g.defn[row])
        if f.types & T_LAND:
            if sorcery and may_play_land(g, player):
                add_option(g, O_PLAY, row, 0, NO_PLAYER)
        elif plain and ((hi - f.cost.hi) & (lo - f.cost.lo) & LANES_HIGH) != LANES_HIGH:
            pass
        elif (sorcery or f.flags & FACE_INSTANT_SPEED) and (
                (plain or can_pay(g, player, &f.cost)) if easy(g, f) and not split_second(g)
                else castable(g, row, player)):
            add_option(g, O_CAST, row, 0, NO_PLAYER)
        if f.act_zones >> Z_HAND & 1:
            offer_abilities(g, row, player)
        row = g.znext[row]
    if g.p_actors[player] and offer_actors(g, player):
        offer_elsewhere(g, player)


cdef void take_priority_option(Game *g) noexcept nogil:
    """Carry out what the player with priority has chosen; passing is the turn machine's matter."""
    cdef Option *o = answer_of(g)
    cdef int player = g.h.priority
    cdef uint16_t list[MOST_ABILITIES]
    cdef uint16_t row = o.row
    cdef int own
    if o.kind == O_PLAY:
        if o.num & OWN_WAYS:
            g.status[row] |= ST_FLIPPED  # CR 712.12: with its back face up
        play_land(g, row, player)
        g.h.passes = 0
    elif o.kind == O_CAST:
        own = (o.num & OWN_WAYS) - 1
        begin_cast(g, row, player, face_of(g, g.defn[row]).first_way + own if own >= 0 else NO_WAY,
                   permission(g, row, player, o.num // PERMITS) if o.num // PERMITS else NO_WAY)
    elif o.kind == O_ACTIVATE:
        abilities_of(g, row, list)
        begin_activate(g, row, list[o.num], player)
    elif o.kind == O_TURN_UP:
        turn_ups(g, row, list)
        begin_activate(g, row, list[o.num], player)
    elif o.kind == O_MANA:
        tap_by_hand(g, row, o.num)
