"""Other definitions that an object has outside the battlefield: the half, face or face-down form in which a card is
cast (CR 601.3, 708.4, 709.3, 712.11, 715.3), or enters (708.3)."""
from libc.stdint cimport uint8_t, uint16_t

from lkicore._abilities cimport extra_drop
from lkicore._defs cimport face_of
from lkicore._index cimport count_actor, dirty, index_object, reset_values
from lkicore._opcodes cimport *
from lkicore._store cimport has_bit, touched
from lkicore._types cimport FACE_INSTANT_SPEED, FACE_PLAIN, NAMELESS, Face


cdef void put_on(Game *g, uint16_t row, uint16_t defn, Guise *w) noexcept nogil:
    cdef const Face *f = face_of(g, defn)
    w.row = row
    w.defn = g.defn[row]
    w.types = g.types[row]
    w.power = g.power[row]
    w.toughness = g.toughness[row]
    w.colors = g.colors[row]
    w.keywords = g.keywords[row]
    w.status = g.status[row]
    if f.sort == NAMELESS:
        g.status[row] |= ST_FACE_DOWN
    g.defn[row] = defn
    g.types[row] = f.types
    g.power[row] = f.power
    g.toughness[row] = f.toughness
    g.colors[row] = f.colors
    g.keywords[row] = f.keywords


cdef void take_off(Game *g, const Guise *w) noexcept nogil:
    g.defn[w.row] = w.defn
    g.types[w.row] = w.types
    g.power[w.row] = w.power
    g.toughness[w.row] = w.toughness
    g.colors[w.row] = w.colors
    g.keywords[w.row] = w.keywords
    g.status[w.row] = w.status


cdef void show(Game *g, uint16_t row, uint16_t defn) noexcept nogil:
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int zone = g.zone[row]
    cdef int owner = g.owner[row]
    if g.defn[row] == defn:
        return
    if f.index_zones >> zone & 1 or g.oflags[row] & OF_OWN_ABILITIES:
        index_object(g, row, False)
    if g.oflags[row] & (OF_OWN_ABILITIES | OF_OWN_SUBTYPES):
        # What it has gained where it is is worked out anew.
        extra_drop(g, row, RK_ABILITY)
        extra_drop(g, row, RK_SUBTYPE)
        g.oflags[row] &= <uint8_t>~<int>(OF_OWN_ABILITIES | OF_OWN_SUBTYPES)
    if has_bit(g.b_acts, row):
        count_actor(g, row, False)
    if zone == Z_HAND and f.flags & FACE_INSTANT_SPEED:
        g.p_instants[owner] -= 1
        g.h.n_instants -= 1
    g.defn[row] = defn
    reset_values(g, row)
    f = face_of(g, defn)
    if zone == Z_HAND and f.flags & FACE_INSTANT_SPEED:
        g.p_instants[owner] += 1
        g.h.n_instants += 1
    if not f.flags & FACE_PLAIN:
        if f.index_zones >> zone & 1:
            index_object(g, row, True)
        if f.act_zones >> zone & 1:
            count_actor(g, row, True)
    if g.h.reach >> zone & 1:
        dirty(g, row)
    touched(g)


cdef bint is_face_down_form(const Game *g, uint16_t defn) noexcept nogil:
    return face_of(g, defn).sort == NAMELESS


cdef void show_spell(Game *g, uint16_t row, uint16_t defn, int known) noexcept nogil:
    cdef const Face *f = face_of(g, defn)
    show(g, row, defn)
    if f.sort == NAMELESS:
        g.status[row] |= ST_FACE_DOWN
        g.known_to[row] = <uint8_t>known  # CR 708.4, 708.5
    elif f.back and (f.layout == LO_TRANSFORMING or f.layout == LO_MODAL):
        g.status[row] |= ST_FLIPPED  # CR 712.8c
