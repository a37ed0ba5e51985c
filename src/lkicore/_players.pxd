# Players who lose and leave (CR 104, 800.4).
from libc.stdint cimport uint8_t
from lkicore._layout cimport Game

# Before `players_leave`: what triggers on players losing.
cdef void tell_losses(Game *g, const uint8_t *why) noexcept nogil
cdef void players_leave(Game *g, const uint8_t *why) noexcept nogil
cdef void look_for_end(Game *g) noexcept nogil
cdef void stop(Game *g, int status, int reason) noexcept nogil
cdef void win(Game *g, int player) noexcept nogil
