"""What may be done to an object: protection (CR 702.16), hexproof, shroud (702.11, 702.18), indestructible (702.12)."""
from libc.stdint cimport uint16_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._expr cimport passes_facts, plain_context, read_facts
from lkicore._opcodes cimport *
from lkicore._types cimport Ability


cdef bint guarded(Game *g, uint16_t row, const Facts *source, bint from_opponent) noexcept nogil:
    """A protection ability (CR 702.16), or against an opponent a hexproof one (702.11d), that the source passes."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = abilities_of(g, row, list)
    cdef const Ability *a
    cdef Ctx c
    cdef int i
    plain_context(g, row, g.id[row], g.controller[row], &c)
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind == AB_PROTECTION or (a.kind == AB_HEXPROOF_FROM and from_opponent):
            if passes_facts(g, &c, a.filter, source):
                return True
    return False


cdef bint protected_from(Game *g, uint16_t row, const Facts *source) noexcept nogil:
    return (g.keywords[row] & K_PROTECTION) != 0 and g.zone[row] == Z_BATTLEFIELD and guarded(g, row, source, False)


cdef bint may_target(Game *g, const Ctx *c, uint16_t row) noexcept nogil:
    cdef uint64_t k = g.keywords[row] & (K_SHROUD | K_HEXPROOF | K_PROTECTION)
    cdef Facts source
    if g.status[row] & ST_PHASED_OUT:
        return False  # CR 702.26d
    if k == 0 or g.zone[row] != Z_BATTLEFIELD:
        return True  # These abilities work on the battlefield only (CR 113.6).
    if k & K_SHROUD or (k & K_HEXPROOF and g.controller[row] != c.controller):
        return False
    if not k & K_PROTECTION:
        return True
    # The source may be last known (CR 608.2b, 702.16); one that nothing is known of has no quality.
    if not read_facts(g, c.source_row, c.source_id, P_LEGALITY, &source):
        return True
    return not guarded(g, row, &source, g.controller[row] != c.controller)


cdef bint can_die(const Game *g, uint16_t row) noexcept nogil:
    """Destruction moves it (CR 702.12b)."""
    return not g.keywords[row] & K_INDESTRUCTIBLE
