# A block as a whole: making, clearing, copying, growing, hashing, validating.
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from lkicore._layout cimport Game, Layout

cdef void *block_new(const Layout *l) noexcept nogil
cdef void block_free(void *block, const Layout *l) noexcept nogil
cdef void block_open(Game *g, void *block, const Layout *l) noexcept nogil
cdef void block_copy(void *to, const void *source, const Layout *l) noexcept nogil
cdef void block_grow(Game *to, const Game *source) noexcept nogil
cdef uint64_t game_hash(const Game *g) noexcept nogil
cdef uint64_t loop_key(const Game *g) noexcept nogil
cdef uint64_t state_hash(const Game *g) noexcept nogil
