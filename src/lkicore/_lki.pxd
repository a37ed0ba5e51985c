# The LKI store: a ring of rows, each the copy of an object as it was just before it left a zone.
#
#     head ->  [ ][ ][p][ ][ ][p] ...     slots; p = pinned: something can still ask about it
#
# A departure takes the slot at the head. The head passes over pinned slots and leaves their rows in place, which is
# what moving them forward to the head amounts to. Pins are found anew by a mark pass each time that the head has gone
# once around. A row answers only for the very id that it holds.
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from lkicore._guard cimport rare
from lkicore._layout cimport Game, LkiRow
from lkicore._store cimport is_live

cdef enum:
    NO_SLOT = 0xFFFF

cdef enum:
    FROM_MISSING = 0
    FROM_LIVE = 1
    FROM_LKI = 2

include "_record.pxi"


cdef inline uint16_t lki_find(const Game *g, uint32_t id) noexcept nogil:
    """Slot of an object's departure, or NO_SLOT."""
    cdef uint16_t s = g.lki_hash[id & (g.lay.hash - 1)]
    while s != NO_SLOT:
        if g.lki[s].id == id:
            return s
        s = g.lki[s].hnext
    return NO_SLOT


cdef uint16_t lki_find_at(const Game *g, uint16_t card, uint32_t tick) noexcept nogil
cdef bint lki_make_room(Game *g, int departures) noexcept nogil
cdef uint16_t lki_record(Game *g, uint16_t row, int zone_to) noexcept nogil
cdef void lki_mark(Game *g) noexcept nogil
cdef void lki_init(Game *g) noexcept nogil


cdef inline bint lki_begin(Game *g, int departures) noexcept nogil:
    """Make sure that a group of departures can be recorded without a mark pass among them.

    A mark pass in the middle of a group would not see what its caller still holds in hand. False: the game needs room.
    """
    return not rare(departures > g.h.lki_free) or lki_make_room(g, departures)
