# The first half of an event in which objects leave their zones: a tick, room, and their rows.
from libc.stdint cimport uint16_t
from lkicore._defs cimport face_of
from lkicore._facts cimport sized_elsewhere
from lkicore._guard cimport apart, rare
from lkicore._layout cimport Game
from lkicore._lki cimport lki_begin, lki_record
from lkicore._opcodes cimport USE_HOSTS
from lkicore._types cimport FACE_STATIC


cdef inline bint begin_event(Game *g, int departures) noexcept nogil:
    """A new event in which so many objects leave their zones; false when the block has no room for it."""
    g.h.tick += 1
    return lki_begin(g, departures)


# The event with what is attached to those that leave.
cdef bint begin_unattaching(Game *g, const uint16_t *rows, int n) noexcept nogil


cdef inline bint begin_departures(Game *g, const uint16_t *rows, int n) noexcept nogil:
    """A new event in which these objects leave their zones, perhaps the battlefield; false when there is no room."""
    if g.h.n_attached and g.h.uses & USE_HOSTS:
        return begin_unattaching(g, rows, n)
    return begin_event(g, n)


# Record a card whose own ability defines its size, outside the battlefield: with the size that it has now.
cdef apart record_defined(Game *g, uint16_t row, int zone_to) noexcept nogil


cdef inline uint16_t record(Game *g, uint16_t row, int zone_to) noexcept nogil:
    """Record an object as it is (CR 608.2h); returns the slot. See `lki_record`."""
    if rare(face_of(g, g.defn[row]).flags & FACE_STATIC and sized_elsewhere(g, row)):
        record_defined(g, row, zone_to)  # CR 604.3: nobody has computed it
        return g.h.lki_head - 1
    return lki_record(g, row, zone_to)
