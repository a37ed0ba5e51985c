"""Arena of a block: chunks with a header, freed into lists by size."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy

from lkicore._guard cimport check
from lkicore._layout cimport Game, Ref
from lkicore._opcodes cimport *
from lkicore._store cimport need_room


cdef uint16_t chunk_new(Game *g, int kind, int entries) noexcept nogil:
    """A chunk for at least `entries` entries, or 0 when the arena is full (the game then needs room)."""
    cdef int k = 0
    cdef uint16_t h
    cdef Chunk *c
    while (1 << k) < entries + 1:
        k += 1
    if k > 11:
        need_room(g)
        return 0
    h = g.arena_free[k]
    if h:
        c = chunk_at(g, h)
        g.arena_free[k] = c.next
    else:
        h = g.h.arena_top
        if h + (1 << k) > <int>g.lay.arena:
            need_room(g)
            return 0
        g.h.arena_top = <uint16_t>(h + (1 << k))
        c = chunk_at(g, h)
        c.log2 = <uint8_t>k
    g.h.arena_used += <uint16_t>(1 << k)
    c.kind = <uint8_t>kind
    c.n = 0
    c.next = 0
    c.spare = 0
    return h


cdef void chunk_give_back(Game *g, uint16_t handle) noexcept nogil:
    cdef Chunk *c = chunk_at(g, handle)
    check(c.kind != AK_FREE)
    g.h.arena_used -= <uint16_t>(1 << c.log2)
    c.kind = AK_FREE
    c.next = g.arena_free[c.log2]
    g.arena_free[c.log2] = handle


cdef uint16_t refs_add(Game *g, uint16_t handle, uint32_t id, uint16_t row, int kind) noexcept nogil:
    """Append a reference to a list (0: a new one); returns its handle, which changes when the list grows."""
    cdef Chunk *c
    cdef Ref *r
    cdef uint16_t bigger
    cdef int i
    if handle == 0:
        handle = chunk_new(g, AK_REFS, 1)
        if handle == 0:
            return 0
    c = chunk_at(g, handle)
    if c.n + 1 >= (1 << c.log2):
        bigger = chunk_new(g, AK_REFS, c.n + 1)
        if bigger == 0:
            return handle
        for i in range(c.n):
            chunk_refs(g, bigger)[i] = chunk_refs(g, handle)[i]
        chunk_at(g, bigger).n = c.n
        chunk_free(g, handle)
        handle = bigger
        c = chunk_at(g, handle)
    r = &chunk_refs(g, handle)[c.n]
    r.id = id
    r.row = row
    r.kind = <uint8_t>kind
    r.flags = 0
    c.n += 1
    return handle


cdef uint16_t list_copy(Game *g, uint16_t handle) noexcept nogil:
    cdef int n = chunk_len(g, handle)
    cdef uint16_t copy = chunk_new(g, chunk_at(g, handle).kind, n) if n else 0
    if copy:
        memcpy(chunk_refs(g, copy), chunk_refs(g, handle), n * sizeof(Ref))
        chunk_at(g, copy).n = chunk_at(g, handle).n
    return copy
