# Replacement and prevention (CR 614, 615), regeneration (701.19): what happens instead.
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from lkicore._layout cimport Game

# How a permanent enters (CR 614.1c-d, 614.12): its values are computed, its row is on the battlefield, nothing has
# triggered. Taps it, puts counters on it.
# `entrants`: all that enter in this event.
cdef void enters_modified(Game *g, uint16_t row, const uint16_t *entrants, int n_entrants) noexcept nogil
cdef void enter_tapped(Game *g, uint16_t row) noexcept nogil
# The zone that an object about to go to `zone_to` goes to instead (CR 614.6), or `zone_to`.
cdef int zone_instead(Game *g, uint16_t row, int zone_to) noexcept nogil
# A regeneration shield takes the place of destruction (CR 701.19b): true if it did.
cdef bint regenerates(Game *g, uint16_t row) noexcept nogil
# CR 702.89, umbra armor: the permanent that is destroyed instead of this one, 0 none.
cdef uint16_t umbra_of(Game *g, uint16_t row) noexcept nogil
