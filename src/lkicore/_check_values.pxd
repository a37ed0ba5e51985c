# Validating a block: what follows from other columns.
from libc.stdint cimport uint16_t
from lkicore._check_codes cimport Scratch
from lkicore._layout cimport Game

# Computed values of a row are what definition, effects and counters make of them (CR 613), as far as that can be told
# without computing all of them: where no static ability and no rarer change plays a part.
cdef bint values_follow(const Game *g, uint16_t row) noexcept nogil
cdef int check_players(const Game *g) noexcept nogil
cdef int check_field(const Game *g, Scratch *s) noexcept nogil
cdef int check_elsewhere(const Game *g) noexcept nogil
# Bit sets and sums over abilities, effects and attachments, from scratch.
cdef int check_index(const Game *g) noexcept nogil
# Computing all values anew, on a copy, changes nothing (CR 613.5). Without memory for the copy: not looked at.
cdef int check_computed(const Game *g) noexcept nogil
cdef int check_combat(const Game *g, Scratch *s) noexcept nogil
