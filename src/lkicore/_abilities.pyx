"""Ability instances and the `extra` list of an object."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from lkicore._arena cimport chunk_at, chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._defs cimport face_of, subtype_at
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Face


cdef int own_abilities(const Game *g, uint16_t extra, uint16_t *out) noexcept nogil:
    cdef int n = 0
    cdef int i
    for i in range(chunk_len(g, extra)):
        if chunk_refs(g, extra)[i].kind == RK_ABILITY and n < MOST_ABILITIES:
            out[n] = chunk_refs(g, extra)[i].row
            n += 1
    return n


cdef int entry_next(const Game *g, uint16_t list, int kind, int k) noexcept nogil:
    while k < chunk_len(g, list):
        if chunk_refs(g, list)[k].kind == kind:
            return k
        k += 1
    return -1


cdef int counters_in(const Game *g, uint16_t extra, int kind) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, extra)):
        if chunk_refs(g, extra)[i].kind == RK_COUNTER and chunk_refs(g, extra)[i].row == kind:
            return <int>chunk_refs(g, extra)[i].id
    return 0


cdef int counters_on(const Game *g, uint16_t row, int kind) noexcept nogil:
    if kind == CK_P1P1:
        return g.c_p1p1[row]
    if kind == CK_M1M1:
        return g.c_m1m1[row]
    if kind == CK_LOYALTY:
        return g.c_loyalty[row]
    if kind == CK_CHARGE:
        return g.c_charge[row]
    return counters_in(g, g.extra[row], kind) if g.extra[row] else 0


cdef bint any_counters(const Game *g, uint16_t row) noexcept nogil:
    return (g.c_p1p1[row] or g.c_m1m1[row] or g.c_loyalty[row] or g.c_charge[row]
            or entry_next(g, g.extra[row], RK_COUNTER, 0) >= 0)


cdef bint also_in(const Game *g, uint16_t extra, uint32_t id) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, extra)):
        if chunk_refs(g, extra)[i].kind == RK_BLOCKS and chunk_refs(g, extra)[i].id == id:
            return True
    return False


cdef int protector_of(const Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t list = g.extra[row]
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_CHOSEN and chunk_refs(g, list)[i].flags == CN_PLAYER:
            return <int>chunk_refs(g, list)[i].id
    return -1


cdef int defender_of(const Game *g, uint16_t row) noexcept nogil:
    return protector_of(g, row) if g.types[row] & T_BATTLE else g.controller[row]


cdef void drop_entry(Game *g, uint16_t row, int i) noexcept nogil:
    """Take entry number i out of an object's list; the order of the others stays."""
    cdef uint16_t list = g.extra[row]
    cdef int k
    for k in range(i, chunk_len(g, list) - 1):
        chunk_refs(g, list)[k] = chunk_refs(g, list)[k + 1]
    chunk_at(g, list).n -= 1
    if chunk_at(g, list).n == 0:
        chunk_free(g, list)
        g.extra[row] = 0


cdef void set_counters(Game *g, uint16_t row, int kind, int n) noexcept nogil:
    cdef int i
    if CK_SHIELD <= kind <= CK_FINALITY:
        g.h.rule_counters = 1
    for i in range(chunk_len(g, g.extra[row])):
        if chunk_refs(g, g.extra[row])[i].kind == RK_COUNTER and chunk_refs(g, g.extra[row])[i].row == kind:
            if n > 0:
                chunk_refs(g, g.extra[row])[i].id = <uint32_t>n
            else:
                drop_entry(g, row, i)
            return
    if n > 0:
        extra_add(g, row, RK_COUNTER, <uint32_t>n, <uint16_t>kind, 0)


cdef bint has_subtype(const Game *g, uint16_t defn, uint8_t oflags, uint16_t extra, int subtype) noexcept nogil:
    """CR 205.3: by the computed list if the object has one, else by its definition."""
    cdef const Face *f
    cdef int k
    if oflags & OF_OWN_SUBTYPES:
        for k in range(chunk_len(g, extra)):
            if chunk_refs(g, extra)[k].kind == RK_SUBTYPE and chunk_refs(g, extra)[k].row == subtype:
                return True
        return False
    f = face_of(g, defn)
    for k in range(f.n_subtypes):
        if subtype_at(g, f, k) == subtype:
            return True
    return False


cdef void extra_add(Game *g, uint16_t row, int kind, uint32_t id, uint16_t what, int flags) noexcept nogil:
    cdef uint16_t list = refs_add(g, g.extra[row], id, what, kind)
    if list == 0:
        return
    g.extra[row] = list
    # Without room the list is as it was, and the step is lost.
    if chunk_refs(g, list)[chunk_len(g, list) - 1].kind == kind:
        chunk_refs(g, list)[chunk_len(g, list) - 1].flags = <uint8_t>flags


cdef void extra_drop(Game *g, uint16_t row, int kind) noexcept nogil:
    cdef int i = entry_next(g, g.extra[row], kind, 0)
    while i >= 0:
        drop_entry(g, row, i)
        i = entry_next(g, g.extra[row], kind, i)
