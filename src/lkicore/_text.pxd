# Text that effects have changed (CR 612, layer 3): words of abilities and of the type line.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._layout cimport Game

# The colours, or the subtype, that stand in the text of an object where these are printed. Only objects that effects
# apply to (`n_effects`) need be asked.
cdef int colors_in_text(const Game *g, uint16_t row, uint32_t id, int mask) noexcept nogil
cdef int subtype_in_text(const Game *g, uint16_t row, uint32_t id, int subtype) noexcept nogil
# Some effect changes subtypes in its text.
cdef bint types_change(const Game *g, uint16_t row) noexcept nogil
