# Immutable card tables: what is printed, targets, programs.
from libc.stdint cimport uint64_t
from lkicore._types cimport Ability, CardTable as CTable, Face, Mana, Node


cdef inline uint64_t lane(int k, uint64_t n) noexcept nogil:
    return n << (16 * k)


cdef inline int lane_of(uint64_t w, int k) noexcept nogil:
    return <int>((w >> (16 * k)) & 0xFFFF)


# What a static ability gives to others that says how they enter, as bits of Face.replaces (CR 614.12).
cdef unsigned int replaces_given(const CTable *t, const Ability *a) noexcept nogil


cdef class CardTable:
    cdef CTable t
    cdef void *memory
    cdef readonly list names      # of the faces
    cdef readonly list subtype_names
    cdef readonly list counter_names   # kinds of counters without a column: number N_CK + index
    cdef dict sizes
    cdef readonly str name
    cdef void _nodes(self, str what, Node *nodes, list src, int count, dict operands) except *
    cdef void _copying(self, const Node *way, int n, int own, object i) except *
    cdef void _ability(self, const Ability *a, object d, object i) except *
