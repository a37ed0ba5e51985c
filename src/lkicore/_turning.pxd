# Face-down permanents (CR 708): turned face up and down, put onto the battlefield face down.
from libc.stdint cimport uint8_t, uint16_t
from lkicore._layout cimport Game

# They are turned face up together (CR 708.8).
cdef void turn_up(Game *g, const uint16_t *rows, int n) noexcept nogil
# They are turned face down together, and are `form` then (CR 708.2a, 708.2b).
cdef void turn_down(Game *g, const uint16_t *rows, int n, uint16_t form) noexcept nogil
# Objects outside the battlefield are to enter face down, as `form` (CR 708.3).
cdef void hide(Game *g, const uint16_t *rows, int n, uint16_t form) noexcept nogil
# X of the cost for which the permanent is turned face up, for its other abilities (CR 702.37f).
cdef void set_x(Game *g, uint16_t row, int x) noexcept nogil
# A position has the permanent face down, known to its controller.
cdef void place_face_down(Game *g, uint16_t row, uint16_t form) noexcept nogil
