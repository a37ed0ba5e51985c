"""Delayed triggered abilities, and what else waits for a turn or step."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport extra_drop
from lkicore._game cimport NO_PLAYER
from lkicore._layers cimport effect_add, effect_remove, effects_expire, settle
from lkicore._layout cimport Effect, Game
from lkicore._opcodes cimport *
from lkicore._triggers cimport happened, heard, trigger_add


cdef void delay(Game *g, int ability, uint16_t defn, uint16_t row, uint32_t id, int duration, int player, int x,
                uint16_t source_row, uint32_t source_id) noexcept nogil:
    cdef uint32_t n = g.h.n_effects
    effect_add(g, EK_DELAYED, row, id, ability, 0, x, duration, player, source_row, source_id)
    if g.h.n_effects > n:
        g.effect[n].y = <int16_t>defn  # the bits of it: what the source was (CR 603.7d-f)


cdef void delayed_due(Game *g, int duration, int player) noexcept nogil:
    """CR 603.7b: a delayed trigger triggers once, the next time."""
    cdef Effect e
    cdef uint32_t i = 0
    while i < g.h.n_effects:
        if g.effect[i].kind == EK_DELAYED and g.effect[i].duration == duration and (
                player == NO_PLAYER or g.effect[i].player == player):
            e = g.effect[i]
            effect_remove(g, i)
            trigger_add(g, e.what, <uint16_t>e.y, e.source_row, e.source_id, e.player, e.affected_row, e.affected_id,
                        0, 0, NO_PLAYER, 0, e.x)
        else:
            i += 1


cdef void settled_in(Game *g, int player) noexcept nogil:
    """The player's upkeep has begun with these permanents (CR 702.30a); nobody asks where nothing waits for a step."""
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    while row:
        if g.controller[row] == player:
            g.status[row] &= <uint8_t>~<int>ST_NEW
        row = g.znext[row]


cdef void tell_step(Game *g, int step) noexcept nogil:
    """CR 603.2b, 603.7: "at the beginning of" this step."""
    settle(g)
    if heard(g, EV_STEP):
        happened(g, EV_STEP, 0, 0, 0, 0, g.h.active, step, 0)
        if step == STEP_UPKEEP:
            settled_in(g, g.h.active)
    if g.h.shields >> EK_DELAYED & 1:
        if step == STEP_END:
            delayed_due(g, D_NEXT_END_STEP, NO_PLAYER)
            delayed_due(g, D_YOUR_NEXT_END_STEP, g.h.active)
        elif step == STEP_MAIN1 or step == STEP_MAIN2:
            delayed_due(g, D_YOUR_NEXT_MAIN, g.h.active)
        elif step == STEP_UPKEEP:
            delayed_due(g, D_NEXT_UPKEEP, NO_PLAYER)
            delayed_due(g, D_YOUR_NEXT_UPKEEP, g.h.active)
        elif step == STEP_CLEANUP:
            delayed_due(g, D_NEXT_CLEANUP, NO_PLAYER)
        elif step == STEP_END_COMBAT:
            delayed_due(g, D_END_OF_COMBAT, NO_PLAYER)


cdef void turns_passed_over(Game *g, int player) noexcept nogil:
    """CR 800.4m: "until your next turn" of players who left ends as their turns would have begun; nor is anything
    known of their last turns then (800.4i)."""
    cdef int p = g.h.last_turn_of
    for _ in range(<int>g.lay.players):
        p = p + 1 if p + 1 < <int>g.lay.players else 0
        if p == player:
            return
        g.p_turn_last[p] = 0
        if g.h.n_effects:
            effects_expire(g, D_YOUR_NEXT_TURN, p)


cdef void begin_anew(Game *g) noexcept nogil:
    """A turn begins: abilities that can be used once each turn can be again; "until your next turn" ends."""
    cdef uint16_t row
    if g.h.once:
        g.h.once = 0
        for row in range(1, g.lay.rows):
            if g.id[row] and g.extra[row]:
                extra_drop(g, row, RK_USED)
    if g.h.n_effects:
        effects_expire(g, D_YOUR_NEXT_TURN, g.h.active)
