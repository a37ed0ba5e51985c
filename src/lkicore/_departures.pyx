"""Events in which objects leave their zones: all are recorded before any of them moves (CR 603.10)."""
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t

from lkicore._expr cimport cda_size
from lkicore._guard cimport apart, ctz64, on_stack
from lkicore._layout cimport Game
from lkicore._lki cimport lki_keep, lki_record
from lkicore._opcodes cimport *
from lkicore._store cimport has_bit, is_live, set_bit


cdef bint begin_unattaching(Game *g, const uint16_t *rows, int n) noexcept nogil:
    """What is attached to something that leaves, and stays, is kept as it is now: the departed object can be asked what
    was attached to it, and what that was like."""
    cdef uint64_t *leaving = <uint64_t *>on_stack(g.lay.words * sizeof(uint64_t))
    cdef uint16_t *staying = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t row, host
    cdef int kept = 0
    cdef int i
    for w in range(g.lay.words):
        leaving[w] = 0
    for i in range(n):
        set_bit(leaving, rows[i])
    for w in range(g.lay.words):
        bits = g.b_attached[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            host = g.attached_row[row]
            # (Auras also enchant cards in graveyards: nothing asks those.)
            if (not has_bit(leaving, host) or not is_live(g, host, g.attached_id[row])
                    or (g.zone[host] != Z_BATTLEFIELD and g.zone[host] != Z_PHASED_OUT)):
                continue
            g.oflags[host] |= OF_HOST
            if has_bit(leaving, row):
                continue
            i = kept
            while i > 0 and g.timestamp[staying[i - 1]] > g.timestamp[row]:  # in the order of the battlefield
                staying[i] = staying[i - 1]
                i -= 1
            staying[i] = row
            kept += 1
    if not begin_event(g, n + kept):
        return False
    for i in range(kept):
        lki_keep(g, staying[i], Z_BATTLEFIELD)
    return g.h.status == GS_RUNNING


cdef apart record_defined(Game *g, uint16_t row, int zone_to) noexcept nogil:
    cdef int power = g.power[row]
    cdef int toughness = g.toughness[row]
    cdef uint16_t slot
    # (Before its list goes with the record.)
    cda_size(g, row, g.controller[row], &power, &toughness)
    slot = lki_record(g, row, zone_to)
    g.lki[slot].power = <int16_t>power
    g.lki[slot].toughness = <int16_t>toughness
