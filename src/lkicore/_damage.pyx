"""Damage and its results, by what the source is or was (CR 120.3); life."""
from libc.stdint cimport int16_t, uint16_t

from lkicore._expr cimport Facts
from lkicore._game cimport in_game
from lkicore._history cimport log_event
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._store cimport look_at, trace
from lkicore._zones cimport put_counters

cdef enum:
    MOST = 30000   # damage and counters of one object stop here


cdef void change_life(Game *g, int player, int n) noexcept nogil:
    """Gain (n > 0) or lose life (CR 119.3)."""
    if n == 0 or not in_game(g, player):
        return
    trace(g, TR_LIFE, player, g.p_life[player], g.p_life[player] + n, 0, 0)
    g.p_life[player] += n
    if n < 0:
        g.h.sba |= SBA_PLAYERS
        log_event(g, H_LIFE_LOSS, player, 0, 0, 0, 0, -n)
    else:
        log_event(g, H_LIFE_GAIN, player, 0, 0, 0, 0, n)


cdef inline void lifelink(Game *g, const Facts *source, int n) noexcept nogil:
    # CR 702.15b: the source's controller, or its owner if it has none; 702.15c: last known information decides.
    if source.keywords & K_LIFELINK:
        change_life(g, source.controller, n)


cdef void damage_player(Game *g, const Facts *source, int player, int n, bint combat) noexcept nogil:
    if n <= 0 or not in_game(g, player):  # CR 120.8
        return
    trace(g, TR_DAMAGE, source.defn, -1 - player, n, combat, source.id)
    change_life(g, player, -n)  # CR 120.3a
    log_event(g, H_DAMAGE_PLAYER, player, source.row, source.id, 0, 0, n)
    lifelink(g, source, n)


cdef void damage_object(Game *g, const Facts *source, uint16_t row, int n, bint combat) noexcept nogil:
    """Damage to a creature or planeswalker on the battlefield (CR 120.3c, 120.3e)."""
    if n <= 0:
        return
    if not g.types[row] & (T_CREATURE | T_PLANESWALKER | T_BATTLE):
        return  # CR 120.1a
    trace(g, TR_DAMAGE, source.defn, g.defn[row], n, combat, g.id[row])
    if g.types[row] & T_CREATURE:
        g.h.damaged = 1
        g.damage[row] = <int16_t>min(<int>MOST, g.damage[row] + n)
        if source.keywords & K_DEATHTOUCH:
            g.status[row] |= ST_DEATHTOUCHED
        look_at(g, row)
    if g.types[row] & T_PLANESWALKER:
        put_counters(g, row, CK_LOYALTY, -n)
        look_at(g, row)
    log_event(g, H_DAMAGE_OBJECT, g.controller[row], row, g.id[row], source.row, source.id, n)
    lifelink(g, source, n)
