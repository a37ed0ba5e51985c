"""Text that effects have changed (CR 612, layer 3).

A text-changing effect is an entry TEXT of the table of effects. Words of abilities are changed as they are asked about:
colours and subtypes in filters, by the source of the ability; the type line as values are computed (`_values`).
"""
from libc.stdint cimport uint16_t, uint32_t

from lkicore._opcodes cimport *


cdef int colors_in_text(const Game *g, uint16_t row, uint32_t id, int mask) noexcept nogil:
    cdef uint32_t i
    if not g.h.shields >> EK_TEXT & 1:
        return mask
    for i in range(g.h.n_effects):
        if (g.effect[i].kind == EK_TEXT and g.effect[i].affected_row == row and g.effect[i].affected_id == id
                and g.effect[i].what == TK_COLOR and mask >> g.effect[i].x & 1):
            mask = mask & ~(1 << g.effect[i].x) | 1 << g.effect[i].y
    return mask


cdef int subtype_in_text(const Game *g, uint16_t row, uint32_t id, int subtype) noexcept nogil:
    cdef uint32_t i
    if not g.h.shields >> EK_TEXT & 1:
        return subtype
    for i in range(g.h.n_effects):
        if (g.effect[i].kind == EK_TEXT and g.effect[i].affected_row == row and g.effect[i].affected_id == id
                and g.effect[i].what != TK_COLOR and g.effect[i].x == subtype):
            subtype = g.effect[i].y
    return subtype


cdef bint types_change(const Game *g, uint16_t row) noexcept nogil:
    cdef uint32_t i
    if not g.h.shields >> EK_TEXT & 1:
        return False
    for i in range(g.h.n_effects):
        if (g.effect[i].kind == EK_TEXT and g.effect[i].affected_row == row and g.effect[i].affected_id == g.id[row]
                and g.effect[i].what != TK_COLOR):
            return True
    return False
