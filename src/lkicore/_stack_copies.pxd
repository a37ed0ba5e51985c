# Copies of spells, abilities and cards (CR 707.10, 707.12), and other targets for what is on the stack (115.7).
from libc.stdint cimport int32_t, uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Frame, Game

# Copies of the spell or ability (row, id), as it is or last was, under a player's control; a list of them, 0 none.
cdef uint16_t copy_on_stack(Game *g, uint16_t row, uint32_t id, int player, int n) noexcept nogil
# A copy of a card where that is; its row, 0 no room.
cdef uint16_t copy_card(Game *g, uint16_t row, int player) noexcept nogil
# New targets (frame F_RETARGET) for what is in a list, which the frame owns from then on.
cdef void begin_retarget(Game *g, int player, uint16_t list, int flags, uint16_t source_row,
                         uint32_t source_id) noexcept nogil
cdef void run_retarget(Game *g) noexcept nogil
