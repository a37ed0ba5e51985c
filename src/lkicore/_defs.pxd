# Definitions: what `def` of an object or an LKI row means. Numbers below LOCAL_DEFS are faces of the card table;
# numbers from there on are the block's own definitions (a face with exceptions: copies "except", face-down objects).
from libc.stdint cimport uint16_t
from lkicore._guard cimport check
from lkicore._layout cimport Game
from lkicore._types cimport Face

cdef enum:
    LOCAL_DEFS = 0xC000


cdef inline const Face *face_of(const Game *g, uint16_t d) noexcept nogil:
    check(d < g.cards.n_faces)
    return &g.cards.faces[d]
