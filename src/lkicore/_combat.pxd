# Combat (CR 506-511).
from libc.stdint cimport uint16_t
from lkicore._layout cimport Game
from lkicore._restrict cimport can_attack, can_block

cdef bint has_attackers(const Game *g, int player) noexcept nogil
cdef void gather(Game *g) noexcept nogil
cdef void run_join(Game *g) noexcept nogil
cdef void run_attack(Game *g) noexcept nogil
cdef void begin_blocks(Game *g) noexcept nogil
# The last blockers have been declared, or the player who would have declared them has left.
cdef void blocks_declared(Game *g) noexcept nogil
cdef void run_block(Game *g) noexcept nogil
cdef void begin_damage(Game *g) noexcept nogil
cdef void run_assign(Game *g) noexcept nogil
cdef void end_combat(Game *g) noexcept nogil
cdef bint needs_first_strike(Game *g) noexcept nogil
cdef bint deals_now(const Game *g, uint16_t row) noexcept nogil
