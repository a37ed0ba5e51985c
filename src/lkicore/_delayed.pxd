# Delayed triggered abilities (CR 603.7): entries of the table of effects.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._layout cimport Game

# Ability `ability`, about (row, id) or nothing (0), waits for a duration's moment.
cdef void delay(Game *g, int ability, uint16_t defn, uint16_t row, uint32_t id, int duration, int player, int x,
                uint16_t source_row, uint32_t source_id) noexcept nogil
# The moment has come: of this player, for what waits for its own turn; NO_PLAYER any.
cdef void delayed_due(Game *g, int duration, int player) noexcept nogil
# "At the beginning of" a step (CR 603.2b, 603.7).
cdef void tell_step(Game *g, int step) noexcept nogil
# Seats of players who left, up to `player`, are passed over (CR 800.4m).
cdef void turns_passed_over(Game *g, int player) noexcept nogil
cdef void begin_anew(Game *g) noexcept nogil
