# Variable data of a block: chunks of 1 << k units of 8 bytes. The first unit is the header, then the entries.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._layout cimport Game, Ref

cdef struct Chunk:
    uint8_t kind   # ChunkKind
    uint8_t log2   # units
    uint16_t n     # entries in use
    uint16_t next  # free list
    uint16_t spare


cdef inline Chunk *chunk_at(const Game *g, uint16_t handle) noexcept nogil:
    return <Chunk *>&g.arena[handle]


cdef inline Ref *chunk_refs(const Game *g, uint16_t handle) noexcept nogil:
    return <Ref *>&g.arena[handle + 1]


cdef inline int chunk_len(const Game *g, uint16_t handle) noexcept nogil:
    return chunk_at(g, handle).n if handle else 0


cdef uint16_t chunk_new(Game *g, int kind, int entries) noexcept nogil
cdef void chunk_give_back(Game *g, uint16_t handle) noexcept nogil


cdef inline void chunk_free(Game *g, uint16_t handle) noexcept nogil:
    """Give a list back; 0 is none."""
    if handle:
        chunk_give_back(g, handle)


cdef uint16_t refs_add(Game *g, uint16_t handle, uint32_t id, uint16_t row, int kind) noexcept nogil
# A list with the same entries, 0 for none, or if the arena is full (the game then needs room).
cdef uint16_t list_copy(Game *g, uint16_t handle) noexcept nogil
