"""Delayed triggered abilities: made, and due."""
from libc.stdint cimport int16_t, uint16_t, uint32_t

from lkicore._game cimport NO_PLAYER
from lkicore._layers cimport effect_add, effect_remove
from lkicore._layout cimport Effect, Game
from lkicore._opcodes cimport *
from lkicore._triggers cimport trigger_add


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
