"""Log of events: oldest first in `history[0 .. history_n)`."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._guard cimport ctz64
from lkicore._layout cimport Event, Game
from lkicore._opcodes cimport H_LAST_TURNS, RD_HISTORY
from lkicore._store cimport need_room, touched


cdef void history_add(Game *g, int kind, int player, uint16_t row, uint32_t id, uint16_t row2, uint32_t id2,
                      int amount) noexcept nogil:
    cdef Event *e
    if g.h.history_n == g.lay.history:
        need_room(g)
        return
    e = &g.history[g.h.history_n]
    g.h.history_n += 1
    e.turn = g.h.turn
    e.tick = g.h.tick
    e.kind = <uint8_t>ctz64(<uint64_t>kind)  # kinds are single bits
    e.player = <uint8_t>player
    e.amount = <int16_t>amount
    e.obj_row = row
    e.obj_id = id
    e.other_row = row2
    e.other_id = id2
    if g.h.wakes & RD_HISTORY:
        touched(g)
    if g.h.reads & RD_HISTORY:
        # A static ability looks at the log.
        g.h.all_dirty = 1
        g.h.bits_dirty |= 1


cdef inline bint askable(const Game *g, const Event *e) noexcept nogil:
    """It happened in this turn, in the one before, or in the last turn of some player (CR 608.2i, 800.4i)."""
    cdef uint32_t p
    if e.turn + 1 >= g.h.turn:
        return True
    if g.h.watch & H_LAST_TURNS:
        for p in range(g.lay.players):
            if e.turn == g.p_turn_last[p]:
                return True
    return False


cdef void history_forget(Game *g) noexcept nogil:
    """A turn begins: what can't be asked about any more is not kept."""
    cdef uint16_t k
    cdef uint16_t kept = 0
    for k in range(g.h.history_n):
        if askable(g, &g.history[k]):
            if kept != k:
                g.history[kept] = g.history[k]
            kept += 1
    if kept < g.h.history_n:
        memset(g.history + kept, 0, (g.h.history_n - kept) * sizeof(Event))
        g.h.history_n = kept
