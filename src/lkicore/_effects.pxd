# The table of what resolved spells and abilities leave behind: continuous effects (CR 611.2), shields (614, 615),
# delayed triggers (603.7). Everybody takes these names from _layers.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._layout cimport Game

cdef void effect_change(Game *g, uint16_t row, int what, int n, int x, int y, int duration, int player,
                        uint16_t source_row, uint32_t source_id) noexcept nogil
cdef void effect_add(Game *g, int kind, uint16_t row, uint32_t id, int what, int n, int x, int duration, int player,
                     uint16_t source_row, uint32_t source_id) noexcept nogil
cdef void effect_on_player(Game *g, int whom, int what, int n, int x, int y, int duration, int player,
                           uint16_t source_row, uint32_t source_id) noexcept nogil
cdef void effect_remove(Game *g, uint32_t i) noexcept nogil
cdef void effects_unseen(Game *g) noexcept nogil
cdef void effects_leave(Game *g, uint16_t row) noexcept nogil
cdef void effects_follow(Game *g, uint16_t row, uint32_t old) noexcept nogil
cdef void permits_leave(Game *g, uint16_t row) noexcept nogil
cdef void effects_expire(Game *g, int duration, int player) noexcept nogil
