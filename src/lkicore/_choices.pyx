"""Priority (CR 117): what a player can do."""
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from lkicore._defs cimport ability_of, face_of
from lkicore._expr cimport Ctx
from lkicore._game cimport NO_PLAYER, add_option, answer_of, open_choice
from lkicore._history cimport log_event
from lkicore._layout cimport Game, Option
from lkicore._mana cimport EXTRA_SHIFT, LANES_HIGH, can_pay, can_pay_exact, tap_for_mana
from lkicore._opcodes cimport *
from lkicore._stack cimport begin_activate, begin_cast, has_target
from lkicore._store cimport trace, zone_first
from lkicore._types cimport Ability, Face, FACE_ACTS, FACE_HAS_COST, FACE_INSTANT_SPEED
from lkicore._zones cimport TO_END, move_one


cdef inline void own_context(const Game *g, uint16_t row, int player, bint spell, Ctx *c) noexcept nogil:
    """Who would ask: a card about to be cast, or a permanent with an ability about to be activated (CR 115.5)."""
    c.source_row = row
    c.source_id = g.id[row]
    c.self_row = row
    c.self_id = g.id[row] if spell else 0
    c.targets = 0
    c.x = 0
    c.controller = <uint8_t>player


cdef inline bint castable(Game *g, uint16_t row, const Face *f, int player) noexcept nogil:
    """Payable, and with a legal choice of targets; timing is the caller's matter (CR 601.2, 601.3)."""
    if not f.flags & FACE_HAS_COST or not can_pay(g, player, &f.cost):
        return False
    return f.n_targets == 0 or has_targets(g, row, f, player)


cdef bint has_targets(Game *g, uint16_t row, const Face *f, int player) noexcept nogil:
    """Each target of the spell can be chosen (CR 601.2c)."""
    cdef Ctx c
    cdef int k
    own_context(g, row, player, True, &c)
    for k in range(f.n_targets):
        if not has_target(g, &c, &g.cards.targets[f.first_target + k]):
            return False
    return True


cdef bint activatable(Game *g, uint16_t row, const Ability *a, int player) noexcept nogil:
    """CR 602.2, 602.5a."""
    cdef Ctx c
    cdef int k
    if a.cost_flags & CO_TAP:
        if g.status[row] & ST_TAPPED:
            return False
        if g.status[row] & ST_SICK and g.types[row] & T_CREATURE and not g.keywords[row] & K_HASTE:
            return False
    if a.cost.hi:
        # {T} among the costs keeps the source from tapping for mana as well.
        if a.cost_flags & CO_TAP and g.mana_in[row]:
            if not can_pay_exact(g, player, &a.cost, row) and not g.h.options_mask & EO_PAY_FREE:
                return False
        elif not can_pay(g, player, &a.cost):
            return False
    if a.n_targets:
        own_context(g, row, player, False, &c)
        for k in range(a.n_targets):
            if not has_target(g, &c, &g.cards.targets[a.first_target + k]):
                return False
    return True


cdef bint has_ability_now(Game *g, uint16_t row, int player) noexcept nogil:
    cdef const Face *f = face_of(g, g.defn[row])
    cdef const Ability *a
    cdef int k
    for k in range(f.n_abilities):
        a = ability_of(g, g.defn[row], k)
        if a.kind != AB_MANA and activatable(g, row, a, player):
            return True
    return False


cdef bint acts_on_board(Game *g, int player) noexcept nogil:
    """Some permanent has an ability to activate."""
    cdef uint16_t row
    if g.p_actors[player] == 0:
        return False
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if (g.controller[row] == player and face_of(g, g.defn[row]).flags & FACE_ACTS
                and has_ability_now(g, row, player)):
            return True
        row = g.znext[row]
    return False


cdef int can_act(Game *g, int player) noexcept nogil:
    """What the player can do besides passing, as ActBit; kept until the revision changes.

    Options are not listed for this: most players with priority can do nothing.
    """
    cdef uint16_t row
    cdef const Face *f
    cdef int act = 0
    if g.p_act_rev[player] == g.h.rev:
        return g.p_act[player]
    if g.h.options_mask & EO_PAY_MANUAL and (g.p_mana_hi[player] >> 32) & 0xFFFF:
        act = ACT_INSTANT
    else:
        row = zone_first(g, Z_HAND, player)
        while row:
            f = face_of(g, g.defn[row])
            if f.types & T_LAND:
                if g.p_lands[player] == 0:
                    act |= ACT_SORCERY
            elif f.flags & FACE_INSTANT_SPEED:
                if castable(g, row, f, player):
                    act |= ACT_INSTANT
                    break
            elif not act & ACT_SORCERY and castable(g, row, f, player):
                act |= ACT_SORCERY
            row = g.znext[row]
        if not act & ACT_INSTANT and acts_on_board(g, player):
            act |= ACT_INSTANT
    g.p_act[player] = <uint8_t>act
    g.p_act_rev[player] = g.h.rev
    return act


cdef bint look_for_actors(Game *g) noexcept nogil:
    """Compute `calm` for the present revision."""
    cdef int p
    cdef bint calm = True
    cdef bint manual = g.h.options_mask & EO_PAY_MANUAL
    for p in range(<int>g.lay.players):
        if (g.p_instants[p] or manual or g.p_actors[p]) and (g.h.alive >> p) & 1 and can_act(g, p) & ACT_INSTANT:
            calm = False
            break
    g.h.calm = calm
    g.h.calm_rev = g.h.rev
    return calm


cdef void offer_priority(Game *g, int player) noexcept nogil:
    """Canonical order: pass, then the hand by position, then permanents by timestamp and their abilities in order."""
    cdef bint sorcery = sorcery_time(g, player)
    cdef bint manual = g.h.options_mask & EO_PAY_MANUAL
    cdef uint16_t row
    cdef const Face *f
    cdef const Ability *a
    cdef int k
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
        elif (sorcery or f.flags & FACE_INSTANT_SPEED) and castable(g, row, f, player):
            add_option(g, O_CAST, row, 0, NO_PLAYER)
        row = g.znext[row]
    if not manual and g.p_actors[player] == 0:
        return
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.controller[row] == player:
            f = face_of(g, g.defn[row])
            if f.flags & FACE_ACTS:
                for k in range(f.n_abilities):
                    a = ability_of(g, g.defn[row], k)
                    if a.kind != AB_MANA and activatable(g, row, a, player):
                        add_option(g, O_ACTIVATE, row, k, NO_PLAYER)
            if manual and g.mana_in[row]:
                for k in range(6):
                    if g.mana_in[row] >> k & 1:
                        add_option(g, O_MANA, row, k, NO_PLAYER)
        row = g.znext[row]


cdef void take_priority_option(Game *g) noexcept nogil:
    """Carry out what the player with priority has chosen; passing is the turn machine's matter."""
    cdef Option *o = answer_of(g)
    cdef int player = g.h.priority
    cdef uint16_t row = o.row
    if o.kind == O_PLAY:
        # CR 116.2a, 305.1: no stack.
        g.p_lands[player] += 1
        move_one(g, row, Z_BATTLEFIELD, TO_END)
        trace(g, TR_PLAY, player, row, g.defn[row], 0, g.id[row])
        log_event(g, H_LAND, player, row, g.id[row], 0, 0, 0)
        g.h.passes = 0
    elif o.kind == O_CAST:
        begin_cast(g, row, player)
    elif o.kind == O_ACTIVATE:
        begin_activate(g, row, o.num, player)
    elif o.kind == O_MANA:
        tap_for_mana(g, row, o.num)
