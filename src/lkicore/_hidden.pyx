"""What is under a face-down object (CR 708.2): what it would be face up, and how it can be turned so."""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport ability_of, entry_next
from lkicore._arena cimport chunk_refs
from lkicore._defs cimport ability_at, face_of
from lkicore._lki cimport NO_SLOT, lki_find
from lkicore._opcodes cimport *
from lkicore._store cimport is_live
from lkicore._types cimport FACE_HAS_COST, MOST_ABILITIES, NAMELESS


cdef int base_entry(const Game *g, uint16_t row, int flags) noexcept nogil:
    cdef int i = entry_next(g, g.extra[row], RK_BASE, 0) if g.extra[row] else -1
    while i >= 0 and chunk_refs(g, g.extra[row])[i].flags != flags:
        i = entry_next(g, g.extra[row], RK_BASE, i + 1)
    return i


cdef uint16_t base_of(const Game *g, uint16_t row) noexcept nogil:
    cdef int i = base_entry(g, row, 0)
    return chunk_refs(g, g.extra[row])[i].row if i >= 0 else g.defn[row]


cdef uint16_t made_as(const Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t slot = lki_find(g, g.id[row])
    cdef int i = entry_next(g, g.lki[slot].extra, RK_BASE, 0) if slot != NO_SLOT and g.lki[slot].extra else -1
    while i >= 0 and chunk_refs(g, g.lki[slot].extra)[i].flags:
        i = entry_next(g, g.lki[slot].extra, RK_BASE, i + 1)
    return chunk_refs(g, g.lki[slot].extra)[i].row if i >= 0 else g.defn[row]


cdef uint16_t definition_under(const Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t d = base_of(g, row)
    cdef uint32_t k
    for k in range(g.h.n_effects if g.n_effects[row] else 0):
        if (g.effect[k].kind == EK_COPY and g.effect[k].affected_row == row
                and is_live(g, row, g.effect[k].affected_id)):
            d = <uint16_t>g.effect[k].x
    return d


cdef int add_turn_ups(const Game *g, const Face *f, bint own_cost, uint16_t *list, int n) noexcept nogil:
    """Abilities of a face for which it is turned up, for the cost that they say or (`own_cost`) for its mana cost."""
    cdef int k
    for k in range(f.n_abilities):
        if (ability_of(g, ability_at(g, f, k)).kind == AB_TURN_UP and n < MOST_ABILITIES
                and (ability_of(g, ability_at(g, f, k)).amount != 0) == own_cost):
            list[n] = <uint16_t>ability_at(g, f, k)
            n += 1
    return n


cdef int turn_ups(const Game *g, uint16_t row, uint16_t *list) noexcept nogil:
    cdef const Face *f
    cdef int n
    if not g.status[row] & ST_FACE_DOWN or g.zone[row] != Z_BATTLEFIELD:
        return 0
    f = face_of(g, definition_under(g, row))
    n = add_turn_ups(g, f, False, list, 0)
    if f.types & T_CREATURE and f.flags & FACE_HAS_COST:
        n = add_turn_ups(g, face_of(g, g.defn[row]), True, list, n)
    return n


cdef const Face *cost_under(const Game *g, uint16_t row, const Ability *a) noexcept nogil:
    return face_of(g, definition_under(g, row)) if a.kind == AB_TURN_UP and a.amount else NULL


cdef bint has_name(const Game *g, const Face *f, uint64_t name) noexcept nogil:
    cdef const Face *half
    if f.name_hash == name:
        return f.sort != NAMELESS
    if f.layout != LO_SPLIT or f.back:
        return False
    half = &g.cards.faces[f.other]
    return half.name_hash == name or g.cards.faces[half.other].name_hash == name


cdef bint share_name(const Game *g, uint16_t d, uint16_t other) noexcept nogil:
    cdef const Face *f = face_of(g, d)
    cdef const Face *o = face_of(g, other)
    cdef const Face *half
    if has_name(g, f, o.name_hash):
        return o.sort != NAMELESS
    if o.layout != LO_SPLIT or o.back:
        return False
    half = &g.cards.faces[o.other]
    return has_name(g, f, half.name_hash) or has_name(g, f, g.cards.faces[half.other].name_hash)
