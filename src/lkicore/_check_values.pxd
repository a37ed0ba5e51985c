# Validating a block: what follows from other columns.
from libc.stdint cimport uint16_t
from lkicore._check_codes cimport Scratch
from lkicore._layout cimport Game

# Computed values of a row are what definition, effects and counters make of them (CR 613).
cdef bint values_follow(const Game *g, uint16_t row) noexcept nogil
cdef int check_players(const Game *g) noexcept nogil
cdef int check_field(const Game *g, Scratch *s) noexcept nogil
cdef int check_elsewhere(const Game *g) noexcept nogil
cdef int check_combat(const Game *g, Scratch *s) noexcept nogil
