# Instructions in which players choose. Those that say how far they have got: VM_WAIT, a player must choose first.
from libc.stdint cimport int32_t, uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Frame, Game

cdef enum:
    VM_DONE = 0
    VM_WAIT = 1    # a frame was pushed or a choice opened; the same instruction, or the next one, goes on afterwards

cdef int one_of(int mask) noexcept nogil
cdef int apnap(const Game *g, int mask, int *order) noexcept nogil
cdef bint discard(Game *g, const Ctx *c, const int32_t *w, int players, int n) noexcept nogil
cdef int next_edict(Game *g, const Ctx *c, Frame *f, const int32_t *w, int players, int n) noexcept nogil
cdef int next_pick(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
cdef int pick_player(Game *g, const Ctx *c, const int32_t *w, int player) noexcept nogil
cdef int pick_color(Game *g, const Ctx *c, int player) noexcept nogil
cdef int chosen_color(const Game *g, const Ctx *c) noexcept nogil
cdef int ask_may(Game *g, Frame *f, int player, int chunk) noexcept nogil
cdef int ask_payment(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
cdef int cast_now(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
cdef int next_mana(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
cdef int change_targets(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
