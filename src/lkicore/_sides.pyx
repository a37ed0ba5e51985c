"""Permanents that are turned over: transformed or flipped (CR 701.27, 710), Classes that become a level (716)."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport extra_add, entry_next
from lkicore._arena cimport chunk_refs
from lkicore._copies cimport other_side, set_base
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx
from lkicore._hidden cimport base_of
from lkicore._index cimport changed, dirty
from lkicore._layers cimport settle
from lkicore._layout cimport MOST_OBJECTS, Game
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, link_tail, new_timestamp, touched, unlink, zone_first, zone_list
from lkicore._triggers cimport happened, heard
from lkicore._types cimport FACE_PERMANENT, Face, NONE16


cdef bint has_back(const Game *g, uint16_t row) noexcept nogil:
    cdef const Face *f
    if g.card[row] == NONE16:
        return False
    f = &g.cards.faces[g.pc_face[g.card[row]]]
    return f.layout == LO_TRANSFORMING and g.cards.faces[f.other].flags & FACE_PERMANENT


cdef uint16_t turned_over(Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t base = base_of(g, row)
    cdef const Face *f = face_of(g, base)
    cdef const Face *card
    if g.card[row] != NONE16:
        # The card itself has two faces, and the permanent shows one of them, under whatever it copies.
        card = &g.cards.faces[g.pc_face[g.card[row]]]
        if f.number != card.number and f.number != card.other:
            return base
    if f.layout == LO_FLIP:
        return other_side(g, base) if not f.back else base  # CR 710.4: it stays flipped
    if f.layout != LO_TRANSFORMING or not g.cards.faces[f.other].flags & FACE_PERMANENT:
        return base
    return other_side(g, base)


cdef bint since(const Game *g, const Ctx *c, uint16_t row) noexcept nogil:
    """CR 701.27f: it has been turned over since the ability that tells it to was put on the stack."""
    return (row == c.source_row and c.source_id == g.id[row] and c.self_id != 0 and is_live(g, c.self_row, c.self_id)
            and g.oflags[c.self_row] & OF_ABILITY and g.timestamp[row] > g.timestamp[c.self_row])


cdef void turn_with_day(Game *g) noexcept nogil:
    """CR 702.145c, f: daybound permanents are transformed while it is night, nightbound ones while it is day."""
    cdef uint16_t rows[MOST_OBJECTS]
    cdef uint64_t bound = <uint64_t>K_NIGHTBOUND
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef int n = 0
    if g.h.day == 2:
        bound = <uint64_t>K_DAYBOUND
    while row:
        if g.keywords[row] & bound and not g.status[row] & ST_PHASED_OUT and turned_over(g, row) != base_of(g, row):
            rows[n] = row
            n += 1
        row = g.znext[row]
    if n:
        turn_over(g, NULL, rows, n)


cdef void transform(Game *g, const Ctx *c, const uint16_t *rows, int n) noexcept nogil:
    turn_over(g, c, rows, n)


cdef void turn_over(Game *g, const Ctx *c, const uint16_t *rows, int n) noexcept nogil:
    """`c`: of the instruction that says so; NULL: it is day, or night (CR 702.145d: nothing else turns those)."""
    cdef int k = zone_list(g, Z_BATTLEFIELD, 0)
    cdef uint16_t base, row
    cdef int i
    cdef uint8_t done[18432]
    g.h.tick += 1
    for i in range(n):
        row = rows[i]
        done[i] = 0
        base = base_of(g, row)
        if g.status[row] & ST_FACE_DOWN or turned_over(g, row) == base:
            continue
        if c != NULL and (since(g, c, row) or g.keywords[row] & (K_DAYBOUND | K_NIGHTBOUND)):
            continue
        done[i] = 1
        set_base(g, row, turned_over(g, row))
        g.status[row] ^= ST_FLIPPED
        # CR 613.7g: a new timestamp; the battlefield is in the order of timestamps.
        g.timestamp[row] = new_timestamp(g)
        g.h.fighters_old = 1
        unlink(g, k, row)
        link_tail(g, k, row)
        g.h.fighters_old = 1
        dirty(g, row)
    settle(g)
    for i in range(n if heard(g, EV_TRANSFORMS) else 0):
        if done[i]:
            happened(g, EV_TRANSFORMS, rows[i], g.id[rows[i]], 0, 0, g.controller[rows[i]], 0, 0)


cdef void set_level(Game *g, uint16_t row, int level) noexcept nogil:
    cdef int i = entry_next(g, g.extra[row], RK_CHOSEN, 0)
    while i >= 0 and chunk_refs(g, g.extra[row])[i].flags != CN_LEVEL:
        i = entry_next(g, g.extra[row], RK_CHOSEN, i + 1)
    if i >= 0:
        chunk_refs(g, g.extra[row])[i].id = <uint32_t>level
    else:
        extra_add(g, row, RK_CHOSEN, <uint32_t>level, 0, CN_LEVEL)
    changed(g, RD_COUNTERS)
    touched(g)
    settle(g)
    if heard(g, EV_LEVEL):
        happened(g, EV_LEVEL, row, g.id[row], 0, 0, g.controller[row], level, 0)
