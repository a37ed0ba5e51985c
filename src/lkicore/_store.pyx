"""The object store: what is not inlined."""
from libc.stdint cimport uint32_t
from libc.stdlib cimport realloc

from lkicore._layout cimport Game
from lkicore._types cimport TraceRecord


cdef void trace_add(Game *g, int kind, int a, int b, int c, int d, uint32_t id) noexcept nogil:
    """Append a record; the trace grows outside the block, and only while somebody looks on."""
    cdef uint32_t cap
    cdef TraceRecord *more
    if g.trace.n == g.trace.cap:
        cap = g.trace.cap * 2 if g.trace.cap else 1024
        more = <TraceRecord *>realloc(g.trace.record, cap * sizeof(TraceRecord))
        if more == NULL:
            g.trace.lost += 1
            return
        g.trace.record = more
        g.trace.cap = cap
    more = &g.trace.record[g.trace.n]
    more.kind = kind
    more.a = a
    more.b = b
    more.c = c
    more.d = d
    more.id = id
    more.tick = g.h.tick
    g.trace.n += 1
