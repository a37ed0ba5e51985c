"""Playing lands (CR 305)."""
from libc.stdint cimport uint8_t, uint16_t

from lkicore._history cimport log_event
from lkicore._opcodes cimport *
from lkicore._store cimport trace
from lkicore._triggers cimport happened, heard
from lkicore._zones cimport TO_END, move_all, move_one


cdef void play_land(Game *g, uint16_t row, int player) noexcept nogil:
    """CR 116.2a, 305.1: no stack; whoever plays it controls it."""
    cdef uint8_t to = Z_BATTLEFIELD
    g.p_lands[player] += 1
    if g.owner[row] == player:
        move_one(g, row, Z_BATTLEFIELD, TO_END)
    else:
        move_all(g, &row, &to, 1, TO_END, player, False)
    trace(g, TR_PLAY, player, row, g.defn[row], 0, g.id[row])
    log_event(g, H_LAND, player, row, g.id[row], 0, 0, 0)
    if heard(g, EV_LAND_PLAYED):
        happened(g, EV_LAND_PLAYED, row, g.id[row], 0, 0, player, 0, 0)
