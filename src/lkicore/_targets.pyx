"""Targets: candidates in canonical order, and choices that can be completed.

An entry of a list of targets holds in its flags the number of its specification (flags >> 1), over all modes of the
spell or ability. Objects chosen for one specification differ (CR 601.2c); what else they must have to do with each
other is said by filters that ask about the other targets, and then an option is offered only if the rest of the
specifications can still be satisfied.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from lkicore._arena cimport chunk_at, chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._expr cimport Ctx, passes, passes_player
from lkicore._game cimport NO_PLAYER, add_option, in_game, open_choice
from lkicore._layout cimport Game, Ref
from lkicore._lki cimport FROM_LIVE, FROM_MISSING
from lkicore._opcodes cimport *
from lkicore._player_rules cimport CLOSED, player_open
from lkicore._protection cimport may_target
from lkicore._store cimport PRIVATE_ZONES, is_live, trace, zone_first
from lkicore._types cimport Node, TargetSpec

cdef enum:
    ANY_NUMBER = 0xFF


cdef bint legal_object(Game *g, const Ctx *c, const TargetSpec *t, uint16_t row) noexcept nogil:
    """CR 115.1, 115.5: a spell or ability is no legal target for itself."""
    return g.id[row] != c.self_id and passes(g, c, t.filter, row) and may_target(g, c, row)


cdef int types_asked(const Game *g, int filter) noexcept nogil:
    """A mask: whatever passes the filter has one of these types; all bits if it says nothing about types."""
    cdef const Node *n
    cdef int mask
    if filter < 0:
        return 0xFFFF
    n = &g.cards.filters[filter]
    if n.op == FT_TYPES_ANY:
        return n.a
    if n.op == FT_PLAYER or n.op == FT_OPPONENT or n.op == FT_YOU:
        return 0  # no object is a player
    if n.op == FT_OR:
        return types_asked(g, n.a) | types_asked(g, n.b)
    if n.op == FT_AND:
        # One of the two is enough; both together ask for an object that may have different types.
        mask = types_asked(g, n.a)
        return mask if mask != 0xFFFF else types_asked(g, n.b)
    return 0xFFFF


cdef int least_of(const Ctx *c, const TargetSpec *t) noexcept nogil:
    return c.x if t.x else t.least


cdef int most_of(const Ctx *c, const TargetSpec *t) noexcept nogil:
    if t.x:
        return c.x
    return 0x7FFF if t.most == ANY_NUMBER else t.most


cdef inline bint is_chosen(const Game *g, uint16_t list, int spec, int kind, uint16_t row, uint32_t id) noexcept nogil:
    cdef int i
    cdef Ref *r
    for i in range(chunk_len(g, list)):
        r = &chunk_refs(g, list)[i]
        if r.flags >> 1 == spec and r.kind == kind and r.row == row and r.id == id:
            return True
    return False


cdef bint legal_player(Game *g, const Ctx *c, const TargetSpec *t, int p) noexcept nogil:
    return (in_game(g, p) and (t.anybody or passes_player(g, c, t.filter, p))
            and (g.h.player_facts & CLOSED == 0 or player_open(g, p, c.controller, c.source_row, c.source_id)))


cdef bint enough(Game *g, const Ctx *c, const TargetSpec *t, int want) noexcept nogil:
    """At least so many legal targets exist."""
    cdef int p, types
    cdef uint16_t row
    if want <= 0:
        return True
    if t.players:
        for p in range(<int>g.lay.players):
            if legal_player(g, c, t, p):
                want -= 1
                if want == 0:
                    return True
    if t.objects:
        types = types_asked(g, t.filter)
        for p in range(<int>g.lay.players if PRIVATE_ZONES >> t.zone & 1 else 1):
            row = zone_first(g, t.zone, p)
            while row:
                if (types == 0xFFFF or g.types[row] & types) and legal_object(g, c, t, row):
                    want -= 1
                    if want == 0:
                        return True
                row = g.znext[row]
    return False


cdef void forget_last(Game *g, Ctx *c) noexcept nogil:
    if c.targets:
        chunk_at(g, c.targets).n -= 1


cdef bint completes(Game *g, Ctx *c, int first, int n, int spec, int base, int have) noexcept nogil:
    """The specifications from `spec` on, of which that one has `have` targets, can be satisfied: searched in depth.

    The list of `c` grows and shrinks with the search and is as it was in the end.
    """
    cdef const TargetSpec *t
    cdef int p
    cdef uint16_t row
    cdef bint found = False
    cdef int before
    if spec == n:
        return True
    t = &g.cards.targets[first + spec]
    if have >= least_of(c, t):
        return completes(g, c, first, n, spec + 1, base, 0)
    if t.players:
        for p in range(<int>g.lay.players):
            if (not found and legal_player(g, c, t, p)
                    and not is_chosen(g, c.targets, base + spec, RK_PLAYER, <uint16_t>p, 0)):
                before = chunk_len(g, c.targets)
                add_target(g, c, base + spec, RK_PLAYER, <uint16_t>p, 0)
                if chunk_len(g, c.targets) == before:
                    return True  # no room: the step is lost anyway
                found = completes(g, c, first, n, spec, base, have + 1)
                forget_last(g, c)
    if t.objects:
        for p in range(<int>g.lay.players if PRIVATE_ZONES >> t.zone & 1 else 1):
            row = zone_first(g, t.zone, p)
            while row and not found:
                if (legal_object(g, c, t, row)
                        and not is_chosen(g, c.targets, base + spec, RK_OBJECT, row, g.id[row])):
                    before = chunk_len(g, c.targets)
                    add_target(g, c, base + spec, RK_OBJECT, row, g.id[row])
                    if chunk_len(g, c.targets) == before:
                        return True
                    found = completes(g, c, first, n, spec, base, have + 1)
                    forget_last(g, c)
                row = g.znext[row]
    return found


cdef void add_target(Game *g, Ctx *c, int spec, int kind, uint16_t row, uint32_t id) noexcept nogil:
    cdef int n = chunk_len(g, c.targets)
    cdef uint16_t list = refs_add(g, c.targets, id, row, kind)
    if list and chunk_len(g, list) > n:
        c.targets = list
        chunk_refs(g, list)[n].flags = <uint8_t>(spec << 1)


cdef inline bint related(const Game *g, int first, int n) noexcept nogil:
    """Some specification asks about the other targets."""
    cdef int k
    for k in range(n):
        if g.cards.targets[first + k].related:
            return True
    return False


cdef bint has_targets(Game *g, Ctx *c, int first, int n) noexcept nogil:
    cdef int k
    cdef bint found
    if n > 1 and related(g, first, n):
        c.targets = 0
        found = completes(g, c, first, n, 0, 0, 0)
        chunk_free(g, c.targets)
        c.targets = 0
        return found
    for k in range(n):
        if not enough(g, c, &g.cards.targets[first + k], least_of(c, &g.cards.targets[first + k])):
            return False
    return True


cdef void offer_targets(Game *g, Ctx *c, int first, int n, int spec, int base, int player, bint done) noexcept nogil:
    """Canonical order: players by seat, then objects by zone and timestamp, then the end."""
    cdef const TargetSpec *t = &g.cards.targets[first + spec]
    cdef bint look_on = n > 1 and related(g, first, n)
    cdef uint16_t list = c.targets
    cdef int have = 0
    cdef int p, i
    cdef int types = types_asked(g, t.filter)
    cdef bint fits
    cdef uint16_t row
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].flags >> 1 == base + spec:
            have += 1
    open_choice(g, CH_TARGET, player)
    if t.players:
        for p in range(<int>g.lay.players):
            if (legal_player(g, c, t, p)
                    and not is_chosen(g, c.targets, base + spec, RK_PLAYER, <uint16_t>p, 0)):
                fits = True
                if look_on:
                    add_target(g, c, base + spec, RK_PLAYER, <uint16_t>p, 0)
                    fits = completes(g, c, first, n, spec, base, have + 1)
                    forget_last(g, c)
                if fits:
                    add_option(g, O_PLAYER, 0, 0, p)
    if t.objects:
        for p in range(<int>g.lay.players if PRIVATE_ZONES >> t.zone & 1 else 1):
            row = zone_first(g, t.zone, p)
            while row:
                if ((types == 0xFFFF or g.types[row] & types) and legal_object(g, c, t, row)
                        and not is_chosen(g, c.targets, base + spec, RK_OBJECT, row, g.id[row])):
                    fits = True
                    if look_on:
                        add_target(g, c, base + spec, RK_OBJECT, row, g.id[row])
                        fits = completes(g, c, first, n, spec, base, have + 1)
                        forget_last(g, c)
                    if fits:
                        add_option(g, O_OBJECT, row, 0, NO_PLAYER)
                row = g.znext[row]
    if done:
        add_option(g, O_DONE, 0, 0, NO_PLAYER)


cdef bint still_legal(Game *g, const Ctx *c, const TargetSpec *t, int i) noexcept nogil:
    cdef Ref *r = &chunk_refs(g, c.targets)[i]
    if r.kind == RK_PLAYER:
        return legal_player(g, c, t, r.row)
    if is_live(g, r.row, r.id):
        trace(g, TR_LOOKUP, g.defn[r.row], P_LEGALITY, FROM_LIVE, -1, r.id)
        return g.zone[r.row] == t.zone and legal_object(g, c, t, r.row)
    trace(g, TR_LOOKUP, -1, P_LEGALITY, FROM_MISSING, -1, r.id)
    return False
