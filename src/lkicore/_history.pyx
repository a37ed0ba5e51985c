"""Log of events: oldest first in `history[0 .. history_n)`."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memmove, memset

from lkicore._guard cimport ctz64
from lkicore._layout cimport Event, Game
from lkicore._opcodes cimport RD_HISTORY
from lkicore._store cimport need_room


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
    if g.h.reads & RD_HISTORY:
        # A static ability looks at the log.
        g.h.all_dirty = 1
        g.h.bits_dirty |= 1


cdef void history_forget(Game *g) noexcept nogil:
    """A turn begins: events older than the last turn can't be asked about any more."""
    cdef uint16_t k = 0
    while k < g.h.history_n and g.history[k].turn + 1 < g.h.turn:
        k += 1
    if k:
        memmove(g.history, g.history + k, (g.h.history_n - k) * sizeof(Event))
        g.h.history_n -= k
        memset(g.history + g.h.history_n, 0, k * sizeof(Event))
