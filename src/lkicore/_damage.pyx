"""Damage and its results, by what the source is or was (CR 120.3); life."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport MOST_ABILITIES, ability_of, own_abilities, player_counter
from lkicore._arena cimport chunk_at, chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._defs cimport ability_at, face_of
from lkicore._expr cimport Facts
from lkicore._game cimport ASKED, event_done, in_game
from lkicore._history cimport log_event
from lkicore._instead cimport counters_at_once, damage_heeds, damage_instead, life_at_once, life_instead
from lkicore._layers cimport changed, settle
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._player_rules cimport LIFE_FACTS, has_fact
from lkicore._status cimport put_counters
from lkicore._store cimport is_live, look_at, touched, trace
from lkicore._triggers cimport happened, heard
from lkicore._types cimport Face

cdef enum:
    MOST = 30000          # damage of one object, poison of one player stop here
    LIFE_CHANGERS = 1 << RP_LIFE_GAIN | 1 << RP_LIFE_LOSS   # of h.replaces


# ------------------------------------------------------------------------------------------------ told later

cdef void tell(Game *g, Dealing *d, bint all) noexcept nogil:
    """Put the counters that wait, then tell the events, in the order in which they happened.

    `all`: it has all been dealt. If not, the values that the rest is dealt by stay as they are.
    """
    cdef Told *t
    cdef int i
    cdef bint any = False
    for i in range(d.n):
        t = &d.told[i]
        if t.kind != EV_NONE:
            any = True
        elif is_live(g, t.row, t.id):
            put_counters(g, t.row, t.flags, counters_at_once(g, t.row, t.flags, t.amount))
    if any:
        if all:
            settle(g)  # CR 603.2: by the state after it
        for i in range(d.n):
            t = &d.told[i]
            if t.kind == EV_DAMAGE:
                tell_total_by(g, d, i)
            if t.kind != EV_NONE:
                happened(g, t.kind, t.row, t.id, t.row2, t.id2, t.player, t.amount, t.flags)
        if heard(g, EV_DAMAGE):
            tell_totals(g, d)
    d.n = 0


cdef void tell_totals(Game *g, const Dealing *d) noexcept nogil:
    """To each object and player once: the damage of all sources together."""
    cdef const Told *t
    cdef const Told *u
    cdef int i, k, amount
    cdef bint first
    for i in range(d.n):
        t = &d.told[i]
        if t.kind != EV_DAMAGE:
            continue
        first = True
        amount = 0
        for k in range(d.n):
            u = &d.told[k]
            if u.kind == EV_DAMAGE and u.id2 == t.id2 and (t.id2 or u.player == t.player):
                amount += u.amount
                if k < i:
                    first = False
        if first:
            happened(g, EV_DAMAGE, t.row, t.id, t.row2, t.id2, t.player, amount, t.flags | DF_TOTAL)


cdef void tell_total_by(Game *g, const Dealing *d, int i) noexcept nogil:
    """By the source of damage number i, if that is the first it dealt: its damage to all that it was dealt to."""
    cdef const Told *t = &d.told[i]
    cdef int amount = 0
    cdef int k
    for k in range(d.n):
        if d.told[k].kind == EV_DAMAGE and d.told[k].id == t.id:
            if k < i:
                return
            amount += d.told[k].amount
    happened(g, EV_DAMAGE, t.row, t.id, t.row2, t.id2, t.player, amount, t.flags | DF_TOTAL_BY)


cdef void later(Game *g, Dealing *d, int kind, uint16_t row, uint32_t id, uint16_t row2, uint32_t id2, int player,
                int amount, int flags) noexcept nogil:
    cdef Told *t
    if d.n == MOST_TOLD:
        tell(g, d, False)
    t = &d.told[d.n]
    d.n += 1
    t.kind = <uint8_t>kind
    t.row = row
    t.id = id
    t.row2 = row2
    t.id2 = id2
    t.player = <uint8_t>player
    t.amount = amount
    t.flags = <uint8_t>flags


cdef void dealing_end(Game *g, Dealing *d) noexcept nogil:
    if d.n:
        tell(g, d, True)


# ------------------------------------------------------------------------------------------------ players

cdef inline bint life_stays(const Game *g, int player, int n) noexcept nogil:
    """CR 119.7-8: nothing replaces what can't happen."""
    return (g.h.player_facts & LIFE_FACTS and has_fact(g, player, PY_CANT_GAIN_LIFE if n > 0 else PY_CANT_LOSE_LIFE))


cdef inline bint life_by(Game *g, int player, int n) noexcept nogil:
    if n == 0 or not in_game(g, player) or life_stays(g, player, n):
        return False
    trace(g, TR_LIFE, player, g.p_life[player], g.p_life[player] + n, 0, 0)
    g.p_life[player] += n
    touched(g)
    changed(g, RD_LIFE)
    if n < 0:
        g.h.sba |= SBA_PLAYERS
        log_event(g, H_LIFE_LOSS, player, 0, 0, 0, 0, -n)
    else:
        log_event(g, H_LIFE_GAIN, player, 0, 0, 0, 0, n)
    return True


cdef inline void life_later(Game *g, Dealing *d, int player, int n) noexcept nogil:
    cdef int kind = EV_GAINS_LIFE if n > 0 else EV_LOSES_LIFE
    if g.h.replaces & LIFE_CHANGERS and not life_stays(g, player, n):
        n = life_at_once(g, player, n)
    if life_by(g, player, n) and heard(g, kind):
        later(g, d, kind, 0, 0, 0, 0, player, n if n > 0 else -n, 0)


cdef void change_life(Game *g, int player, int n) noexcept nogil:
    """Gain (n > 0) or lose life (CR 119.3)."""
    cdef int kind = EV_GAINS_LIFE if n > 0 else EV_LOSES_LIFE
    if g.h.rules:
        settle(g)  # what says so may just have come or gone
    if g.h.replaces & LIFE_CHANGERS and not life_stays(g, player, n):
        n = life_instead(g, player, n)
        if n == ASKED:
            return
        if g.h.asked:
            event_done(g)
    if life_by(g, player, n) and heard(g, kind):
        settle(g)
        happened(g, kind, 0, 0, 0, 0, player, n if n > 0 else -n, 0)


cdef int poison(Game *g, int player, int n) noexcept nogil:
    """A player gets poison counters (CR 122.1f); state-based actions look at them (704.5c). Returns how many."""
    n = min(n, MOST - <int>g.p_poison[player])
    if n <= 0:
        return 0
    g.p_poison[player] += <uint16_t>n
    g.h.sba |= SBA_PLAYERS
    changed(g, RD_PLAYERS)
    trace(g, TR_PLAYER_COUNTERS, player, n, CK_POISON, 0, 0)
    return n


cdef void poison_later(Game *g, Dealing *d, int player, int n) noexcept nogil:
    n = poison(g, player, n)
    if n and heard(g, EV_PLAYER_COUNTERS):
        later(g, d, EV_PLAYER_COUNTERS, 0, 0, 0, 0, player, n, CK_POISON)


cdef void set_player_counters(Game *g, int player, int kind, int n) noexcept nogil:
    cdef uint16_t list = g.p_extra[player]
    cdef int m = chunk_len(g, list)
    cdef int i
    for i in range(m):
        if chunk_refs(g, list)[i].kind == RK_COUNTER and chunk_refs(g, list)[i].row == kind:
            if n > 0:
                chunk_refs(g, list)[i].id = <uint32_t>n
                return
            while i + 1 < m:
                chunk_refs(g, list)[i] = chunk_refs(g, list)[i + 1]
                i += 1
            chunk_at(g, list).n = <uint16_t>(m - 1)
            if m == 1:
                chunk_free(g, list)
                g.p_extra[player] = 0
            return
    if n > 0:
        list = refs_add(g, list, <uint32_t>n, <uint16_t>kind, RK_COUNTER)
        if list:
            g.p_extra[player] = list


cdef int player_counters(Game *g, int player, int kind, int n) noexcept nogil:
    """Counters of any kind (CR 122.1, 107.14); n < 0 removes them. Returns how many."""
    cdef int have
    if not in_game(g, player) or n == 0:
        return 0
    if kind == CK_POISON and n > 0:
        n = poison(g, player, n)
    else:
        have = player_counter(g, player, kind)
        n = max(-have, min(n, MOST - have))
        if kind == CK_POISON:
            g.p_poison[player] = <uint16_t>(have + n)
        elif n:
            set_player_counters(g, player, kind, have + n)
        changed(g, RD_PLAYERS)
        touched(g)
        trace(g, TR_PLAYER_COUNTERS, player, n, kind, 0, 0)
    if n > 0 and heard(g, EV_PLAYER_COUNTERS):
        settle(g)
        happened(g, EV_PLAYER_COUNTERS, 0, 0, 0, 0, player, n, kind)
    return n


cdef int toxic_value(const Game *g, const Facts *source) noexcept nogil:
    """CR 702.164b: the sum of its toxic abilities, as it is or was."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Face *f
    cdef int i
    cdef int n = 0
    cdef int sum = 0
    if source.oflags & OF_OWN_ABILITIES:
        n = own_abilities(g, source.extra, list)
    else:
        f = face_of(g, source.defn)
        for i in range(min(<int>f.n_abilities, <int>MOST_ABILITIES)):
            list[i] = <uint16_t>ability_at(g, f, i)
        n = min(<int>f.n_abilities, <int>MOST_ABILITIES)
    for i in range(n):
        if ability_of(g, list[i]).kind == AB_TOXIC:
            sum += ability_of(g, list[i]).amount
    return sum


cdef void commander_dealt(Game *g, const Facts *source, int player, int n) noexcept nogil:
    """CR 704.6c, 903.10a: combat damage that this physical card, a commander, has dealt to the player."""
    cdef uint16_t card = g.card[source.row] if is_live(g, source.row, source.id) else g.lki[source.slot].card
    cdef uint16_t list = g.p_extra[player]
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_COMMANDER and chunk_refs(g, list)[i].row == card:
            chunk_refs(g, list)[i].id = min(<uint32_t>MOST, chunk_refs(g, list)[i].id + <uint32_t>n)
            break
    else:
        list = refs_add(g, list, <uint32_t>min(<int>MOST, n), card, RK_COMMANDER)
        if list:
            g.p_extra[player] = list
    g.h.sba |= SBA_PLAYERS


cdef int deal_to_player(Game *g, Dealing *d, const Facts *source, int player, int n, bint combat) noexcept nogil:
    cdef uint16_t to = 0
    if n <= 0 or not in_game(g, player):  # CR 120.8
        return 0
    if damage_heeds(g) or g.h.player_facts & PY_PLAYER_PROTECTION:
        n = damage_instead(g, source, 0, player, n, combat, True, &to)
        if n == 0:
            return 0
        if to:
            return strike(g, d, source, to, n, combat)
    return strike_player(g, d, source, player, n, combat)


cdef int strike_player(Game *g, Dealing *d, const Facts *source, int player, int n, bint combat) noexcept nogil:
    """What has been replaced and prevented is dealt (CR 120.4b-c)."""
    trace(g, TR_DAMAGE, source.defn, -1 - player, n, combat, source.id)
    if source.keywords & K_INFECT or has_fact(g, player, PY_DAMAGED_AS_BY_INFECT):
        poison_later(g, d, player, n)  # CR 120.3b, 702.90b
    else:
        life_later(g, d, player, -n)  # CR 120.3a
    if combat and source.keywords & K_TOXIC and source.types & T_CREATURE:
        poison_later(g, d, player, toxic_value(g, source))  # CR 120.3g, 702.164c
    if combat and source.oflags & OF_COMMANDER:
        commander_dealt(g, source, player, n)
    log_event(g, H_DAMAGE_PLAYER, player, source.row, source.id, 0, 0, n)
    if source.keywords & K_LIFELINK:
        d.gain += n
    if heard(g, EV_DAMAGE):
        later(g, d, EV_DAMAGE, source.row, source.id, 0, 0, player, n,
              DF_TO_PLAYER | (DF_COMBAT if combat else DF_NONCOMBAT))
    return n


# ------------------------------------------------------------------------------------------------ objects

cdef int deal_to_object(Game *g, Dealing *d, const Facts *source, uint16_t row, int n, bint combat) noexcept nogil:
    """Damage to a creature, planeswalker or battle on the battlefield (CR 120.3c-e, 120.3h)."""
    cdef uint16_t to = 0
    if n <= 0:
        return 0
    if not g.types[row] & (T_CREATURE | T_PLANESWALKER | T_BATTLE):
        return 0  # CR 120.1a
    if damage_heeds(g) or g.keywords[row] & K_PROTECTION:
        n = damage_instead(g, source, row, g.controller[row], n, combat, True, &to)
        if n == 0:
            return 0
        if to:
            row = to
    return strike(g, d, source, row, n, combat)


cdef int strike(Game *g, Dealing *d, const Facts *source, uint16_t row, int n, bint combat) noexcept nogil:
    trace(g, TR_DAMAGE, source.defn, g.defn[row], n, combat, g.id[row])
    if g.types[row] & T_CREATURE:
        if source.keywords & (K_WITHER | K_INFECT):
            # CR 120.3d: counters, and no damage is marked.
            later(g, d, EV_NONE, row, g.id[row], 0, 0, 0, n, CK_M1M1)
        else:
            g.h.damaged = 1
            g.damage[row] = <int16_t>min(<int>MOST, g.damage[row] + n)
            changed(g, RD_DAMAGE)
        if source.keywords & K_DEATHTOUCH:
            g.status[row] |= ST_DEATHTOUCHED  # CR 702.2b
        look_at(g, row)
    if g.types[row] & T_PLANESWALKER:
        later(g, d, EV_NONE, row, g.id[row], 0, 0, 0, -n, CK_LOYALTY)  # CR 120.3c
        look_at(g, row)
    if g.types[row] & T_BATTLE:
        later(g, d, EV_NONE, row, g.id[row], 0, 0, 0, -n, CK_DEFENSE)  # CR 120.3h, 310.6
        look_at(g, row)
    log_event(g, H_DAMAGE_OBJECT, g.controller[row], row, g.id[row], source.row, source.id, n)
    if source.keywords & K_LIFELINK:
        d.gain += n
    if heard(g, EV_DAMAGE):
        later(g, d, EV_DAMAGE, source.row, source.id, row, g.id[row], g.controller[row], n,
              DF_TO_OBJECT | (DF_COMBAT if combat else DF_NONCOMBAT))
    return n


# ------------------------------------------------------------------------------------------------ sources

cdef void source_done(Game *g, Dealing *d, const Facts *source) noexcept nogil:
    # CR 702.15b: the source's controller, or its owner if it has none; 702.15c: last known information decides.
    if d.gain:
        life_later(g, d, source.controller, d.gain)
        d.gain = 0


cdef int damage_player(Game *g, const Facts *source, int player, int n, bint combat) noexcept nogil:
    cdef Dealing d
    dealing_begin(&d)
    n = deal_to_player(g, &d, source, player, n, combat)
    source_done(g, &d, source)
    dealing_end(g, &d)
    return n


cdef int damage_object(Game *g, const Facts *source, uint16_t row, int n, bint combat) noexcept nogil:
    cdef Dealing d
    dealing_begin(&d)
    n = deal_to_object(g, &d, source, row, n, combat)
    source_done(g, &d, source)
    dealing_end(g, &d)
    return n
