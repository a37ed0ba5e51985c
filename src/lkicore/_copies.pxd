# Copies (CR 707): definitions with exceptions, and what an object is after copy effects and being face down (layer 1).
from libc.stdint cimport uint8_t, uint16_t
from lkicore._facts cimport Ctx
from lkicore._layout cimport Definition, Game
from lkicore._types cimport Face

cdef enum:
    MOST_DEFS = 6 << 7   # of the largest block

# The definition that is `base` but for the changes first..first+n (CR 707.9), the same number for the same exceptions;
# `ability`: what KEEP_ABILITY means; x, y: the size that the exceptions say. Without room: `base`, and the step is
# lost.
cdef uint16_t define(Game *g, uint16_t base, int first, int n, int ability, int x, int y) noexcept nogil
# The copiable values of a copy of `defn` with exceptions, whose numbers are worked out now.
cdef uint16_t copy_of(Game *g, const Ctx *c, uint16_t defn, int first, int n, int ability) noexcept nogil
# The other side of a double-faced permanent's definition (CR 712), the same exceptions on it; itself if there is none.
cdef uint16_t other_side(Game *g, uint16_t d) noexcept nogil
# Another base from now on: it has turned over (CR 701.27a).
cdef void set_base(Game *g, uint16_t row, uint16_t d) noexcept nogil
# What layer 1 gives: the last copy effect (CR 613.2a), unless it is face down (613.2b).
cdef uint16_t layer_one(const Game *g, uint16_t row) noexcept nogil
# Layer 1 anew: the last copy effect (613.2a), then whether it is face down (613.2b).
cdef void redefine(Game *g, uint16_t row) noexcept nogil
# The same for all permanents on which copy effects have worked: one of those has ended.
cdef void redefine_all(Game *g) noexcept nogil
# What a definition has to come to: its face, and the entries of its list; how many those are.
cdef int expected(const Game *g, const Definition *d, Face *f, uint16_t *list, int *n_subtypes) noexcept nogil
cdef void mark_definitions(const Game *g, uint16_t also, uint8_t *used) noexcept nogil
