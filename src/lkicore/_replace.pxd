# Replacement and prevention (CR 614, 615), regeneration (701.19): what happens instead.
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from lkicore._defs cimport face_of
from lkicore._layout cimport Game
from lkicore._opcodes cimport *

# How a permanent enters (CR 614.1c-d, 614.12): its values are computed, its row is on the battlefield, nothing has
# triggered. Taps it, puts counters on it.
# `entrants`: all that enter in this event.
cdef void enters_modified(Game *g, uint16_t row, const uint16_t *entrants, int n_entrants) noexcept nogil
# Its own abilities have its controller choose something as it enters (CR 614.12a).
cdef bint asks_as_enters(Game *g, uint16_t row) noexcept nogil
cdef void enter_tapped(Game *g, uint16_t row) noexcept nogil
# The zone that an object about to go to `zone_to` goes to instead (CR 614.6), or `zone_to`.
# `ASKED`: a player must choose first (CR 616.1, 903.9b); `really`: it happens, what follows on it waits.
cdef int zone_instead(Game *g, uint16_t row, int zone_to, bint really) noexcept nogil
# A player must choose where one of them goes before the event happens.
cdef bint asks_elsewhere(Game *g, const uint16_t *rows, const uint8_t *to, int n) noexcept nogil


cdef inline bint goes_elsewhere(const Game *g, uint16_t row, int zone_to) noexcept nogil:
    """Something may send it elsewhere."""
    return ((zone_to == Z_GRAVEYARD and (g.h.replaces or g.h.shields or g.h.rule_counters
                                         or face_of(g, g.defn[row]).replaces))
            or g.h.shields >> EK_EXILE_LEAVING & 1
            or (g.h.commanders and g.oflags[row] & OF_COMMANDER and (zone_to == Z_HAND or zone_to == Z_LIBRARY)))


# A regeneration shield takes the place of destruction (CR 701.19b): true if it did.
cdef bint regenerates(Game *g, uint16_t row) noexcept nogil
# CR 702.89, umbra armor: the permanent that is destroyed instead of this one, 0 none.
cdef uint16_t umbra_among(Game *g, uint16_t row) noexcept nogil


cdef inline uint16_t umbra_of(Game *g, uint16_t row) noexcept nogil:
    return umbra_among(g, row) if g.h.replaces >> RP_DESTROY & 1 else 0
