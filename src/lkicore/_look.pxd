# Looking at cards of a library: search (CR 701.23), scry (701.22), surveil (701.25), "look at the top".
from libc.stdint cimport int32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Frame, Game

# Each goes on with its instruction `w`; true while a choice is open. The frame holds how far it is.
cdef bint search(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
# Cards from the top are revealed until enough have the quality; returns how many have it.
cdef int reveal_until(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
cdef bint scry(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
cdef bint dig(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
