# Definitions: what `defn` of an object or an LKI row means. Numbers below LOCAL_DEFS are faces of the card table;
# numbers from there on are the block's own definitions: a face with exceptions (CR 707.9).
#
# A definition comes to a Face, which stands in `def_face` and is read like one of the card table. Its abilities and
# subtypes are those of the face that it began with, in one stretch of the card table's lists, and then those that the
# exceptions add, entries of the chunk `more`: abilities first.
from libc.stdint cimport uint16_t
from lkicore._arena cimport chunk_refs
from lkicore._guard cimport check, rare
from lkicore._layout cimport Game
from lkicore._types cimport Ability, CardTable, Face, NONE16, Node

cdef enum:
    LOCAL_DEFS = 0xC000
    FACE_WORDS = 16   # 8-byte words of `def_face` for one Face


cdef inline const Face *face_of(const Game *g, uint16_t d) noexcept nogil:
    if rare(d >= LOCAL_DEFS):
        check(d - LOCAL_DEFS < <int>g.lay.defs)
        return <const Face *>&g.def_face[(d - LOCAL_DEFS) * FACE_WORDS]
    check(d < g.cards.n_faces)
    return &g.cards.faces[d]


cdef inline int ability_at(const Game *g, const Face *f, int k) noexcept nogil:
    """Ability number k of a face."""
    return f.first_ability + k if k < f.n_first else chunk_refs(g, f.more)[k - f.n_first].row


cdef inline int subtype_at(const Game *g, const Face *f, int k) noexcept nogil:
    """Subtype number k of a face."""
    if k < f.n_first_subtypes:
        return g.cards.subtypes[f.first_subtype + k]
    return chunk_refs(g, f.more)[f.n_abilities - f.n_first + k - f.n_first_subtypes].row


cdef inline int spell_program(const Game *g, const Face *f) noexcept nogil:
    """What its spell ability does: instructions, -1 none."""
    return -1 if f.spell == NONE16 else g.cards.abilities[f.spell].program


# What a face knows at once about ability number k of its own; `filters`: the card table's.
cdef void face_ability(Face *f, const Ability *a, int k, const Node *filters) noexcept nogil
# What its types and abilities come to, when all of them have been told.
cdef void face_summary(Face *f) noexcept nogil
# The definition exists: a face of the card table, or an entry in use.
cdef bint is_definition(const Game *g, uint16_t d) noexcept nogil
