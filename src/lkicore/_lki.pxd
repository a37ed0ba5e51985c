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
    KEPT = 0x80000000   # in the id of a row that is no departure

cdef enum:
    FROM_MISSING = 0
    FROM_LIVE = 1
    FROM_LKI = 2


cdef inline uint16_t lki_find(const Game *g, uint32_t id) noexcept nogil:
    """Slot of an object's departure, or NO_SLOT."""
    cdef uint16_t s = g.lki_hash[id & (g.lay.hash - 1)]
    while s != NO_SLOT:
        if g.lki[s].id == id:
            return s
        s = g.lki[s].hnext
    return NO_SLOT


cdef inline bint is_departure(const LkiRow *r) noexcept nogil:
    """The object left its zone; else the row keeps how it was as something else left, or as it phased out."""
    return not r.id & <uint32_t>KEPT


cdef inline bint once_attached(const Game *g, uint16_t host, uint16_t s) noexcept nogil:
    """Slot s holds what was attached to the object of slot `host` as that left: it left with it, or was kept then."""
    return g.lki[s].attached_id == g.lki[host].id and g.lki[s].tick == g.lki[host].tick


cdef inline bint follows(const Game *g, uint16_t s, uint16_t card, uint32_t later) noexcept nogil:
    """The slot that a card's chain leads to still holds that departure: whatever took its place is later."""
    return g.lki[s].card == card and g.lki[s].tick < later


cdef uint16_t lki_find_at(const Game *g, uint16_t card, uint32_t tick) noexcept nogil
# How an object is that stays where it is, kept as a row of its own.
cdef void lki_keep(Game *g, uint16_t row, int zone_to) noexcept nogil
cdef bint lki_make_room(Game *g, int departures) noexcept nogil
cdef uint16_t lki_record(Game *g, uint16_t row, int zone_to) noexcept nogil
cdef void lki_mark(Game *g) noexcept nogil
cdef void lki_init(Game *g) noexcept nogil


cdef inline bint lki_begin(Game *g, int departures) noexcept nogil:
    """Make sure that a group of departures can be recorded without a mark pass among them.

    A mark pass in the middle of a group would not see what its caller still holds in hand. False: the game needs room.
    """
    return not rare(departures > g.h.lki_free) or lki_make_room(g, departures)
