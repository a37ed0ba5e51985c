"""What abilities and effects say about casting, playing and activating (CR 601.2f, 601.3, 602.5).

A card is cast for its mana cost, or in another way: one that the card itself offers (`Way`: flashback, evoke …), by a
permission that a static ability or a resolved effect gives (a `Way`, too), or both: an alternative cost can be paid for
a card that may be cast from exile (CR 118.9a). The manner is chosen with the action and stands, as an entry WAY, in the
list of the frame, then of the spell, then of the permanent that it becomes (CR 400.7d).
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport abilities_of, ability_of, entry_next, extra_add
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._defs cimport ability_at, face_of
from lkicore._expr cimport holds, passes, passes_player, plain_context, value
from lkicore._guise cimport Guise, put_on, take_off
from lkicore._layout cimport Ref
from lkicore._store cimport has_bit, is_live, zone_first
from lkicore._types cimport FACE_INSTANT_SPEED, NONE16


cdef void rules_begin(const Game *g, int op, Rules *r) noexcept nogil:
    r.op = op
    r.k = 0
    r.n = 0
    r.row = 0
    if g.h.casting >> op & 1:
        r.row = g.z_head[Z_BATTLEFIELD * g.lay.players]


cdef const Ability *rules_next(Game *g, Rules *r) noexcept nogil:
    cdef const Ability *a
    while r.row or r.k < r.n:
        if r.k == r.n:
            # The permanent after the last one that was looked at.
            r.k = 0
            r.n = 0
            if has_bit(g.b_casting, r.row) and not g.status[r.row] & ST_PHASED_OUT:
                r.n = abilities_of(g, r.row, r.list)
                plain_context(g, r.row, g.id[r.row], g.controller[r.row], &r.c)
                r.c.self_row = r.row
                r.c.live_only = 1  # CR 604.7
            r.row = g.znext[r.row]
            continue
        a = ability_of(g, r.list[r.k])
        r.k += 1
        if (a.kind == AB_CASTING and a.event == r.op and a.own != 1 and a.zones >> Z_BATTLEFIELD & 1
                and holds(g, &r.c, a.condition)):
            return a
    return NULL


# ------------------------------------------------------------------------------------------------ manners

cdef void manner_by(const Game *g, int own, int permit, Manner *m) noexcept nogil:
    m.own = &g.cards.ways[own] if own >= 0 else NULL
    m.permit = &g.cards.ways[permit] if permit >= 0 else NULL


cdef void find_manner(const Game *g, uint16_t list, Manner *m) noexcept nogil:
    cdef int i = entry_next(g, list, RK_WAY, 0)
    if i < 0:
        return
    if chunk_refs(g, list)[i].row != NONE16:
        m.own = &g.cards.ways[chunk_refs(g, list)[i].row]
    if chunk_refs(g, list)[i].id:
        m.permit = &g.cards.ways[chunk_refs(g, list)[i].id - 1]


# ------------------------------------------------------------------------------------------------ may it be played

cdef int permission(Game *g, uint16_t row, int player, int number) noexcept nogil:
    """Static abilities by timestamp, then effects by timestamp."""
    cdef Rules r
    cdef const Ability *a
    cdef int zone = g.zone[row]
    cdef uint32_t i
    rules_begin(g, CA_PERMIT, &r)
    a = rules_next(g, &r)
    while a != NULL:
        if (a.zone_from >> zone & 1 and passes_player(g, &r.c, a.player, player)
                and (zone != Z_LIBRARY or zone_first(g, Z_LIBRARY, g.owner[row]) == row)
                and passes(g, &r.c, a.filter, row)):
            number -= 1
            if number == 0:
                return a.amount
        a = rules_next(g, &r)
    if g.h.shields >> EK_PERMIT & 1:
        for i in range(g.h.n_effects):
            if (g.effect[i].kind == EK_PERMIT and g.effect[i].player == player
                    and is_live(g, row, g.effect[i].affected_id) and g.effect[i].affected_row == row
                    and not (g.cards.ways[g.effect[i].what].flags & WF_LATER
                             and g.effect[i].x == <int>(g.h.turn & 0x7FFF))):
                number -= 1
                if number == 0:
                    return g.effect[i].what
    return NO_WAY


cdef bint own_rule(Game *g, uint16_t row, int player, const Face *f, int op) noexcept nogil:
    """An ability of the card about itself says so (CR 113.6)."""
    cdef const Ability *a
    cdef Ctx c
    cdef int k
    if not f.casts_itself >> op & 1:
        return False
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    for k in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, k))
        if a.kind == AB_CASTING and a.own == 1 and a.event == op and holds(g, &c, a.condition):
            return True
    return False


cdef bint ruled(Game *g, uint16_t row, int player, int op) noexcept nogil:
    """A permanent's ability says so of the player and the card or permanent."""
    cdef Rules r
    cdef const Ability *a
    if not g.h.casting >> op & 1:
        return False
    rules_begin(g, op, &r)
    a = rules_next(g, &r)
    while a != NULL:
        if passes_player(g, &r.c, a.player, player) and passes(g, &r.c, a.filter, row):
            return True
        a = rules_next(g, &r)
    return False


cdef bint forbidden(Game *g, uint16_t row, int player) noexcept nogil:
    return ruled(g, row, player, CA_FORBID) or own_rule(g, row, player, face_of(g, g.defn[row]), CA_FORBID)


cdef bint cant_activate(Game *g, uint16_t row, int player) noexcept nogil:
    return ruled(g, row, player, CA_FORBID_ACTIVATE)


cdef bint cant_be_countered(Game *g, uint16_t row) noexcept nogil:
    return ((g.extra[row] and entry_next(g, g.extra[row], RK_SURE, 0) >= 0)
            or ruled(g, row, g.controller[row], CA_UNCOUNTERABLE))


cdef bint find_split_second(const Game *g) noexcept nogil:
    cdef int i
    for i in range(g.h.n_stack):
        if g.keywords[g.stack[i].row] & K_SPLIT_SECOND:
            return True
    return False


cdef bint in_cast_time(Game *g, uint16_t row, int player, const Face *f, const Manner *m) noexcept nogil:
    cdef int flags = 0
    cdef Guise guise
    cdef bint known
    if m.own != NULL:
        flags |= m.own.flags
    if m.permit != NULL:
        flags |= m.permit.flags
    if sorcery_time(g, player):
        return True
    if flags & WF_SORCERY:
        return False
    if flags & WF_INSTANT or f.flags & FACE_INSTANT_SPEED:
        return True
    if m.own != NULL and m.own.face != NONE16 and g.h.casting >> CA_FLASH & 1:
        put_on(g, row, m.own.face, &guise)
        known = ruled(g, row, player, CA_FLASH)
        take_off(g, &guise)
        return known
    return ruled(g, row, player, CA_FLASH) or own_rule(g, row, player, f, CA_FLASH)


cdef bint combines(const Way *own, const Way *permit, int zone) noexcept nogil:
    """From a zone where the card can be cast in its own way anyway, only another cost makes a difference."""
    if own.kind == W_TRANSFORMED or permit.kind == W_TRANSFORMED:
        return own.kind == permit.kind  # CR 310.11b: nothing but an effect lets it be cast so
    if not own.zones >> Z_HAND & 1:
        return False
    if own.face != NONE16 and not own.flags & WF_COST:
        return not permit.flags & WF_MAIN_FACE and (zone != Z_HAND or permit.flags & WF_COST)
    return own.flags & WF_COST and zone != Z_HAND and not permit.flags & WF_COST


# ------------------------------------------------------------------------------------------------ the price

cdef void price_changes(Game *g, uint16_t row, int player, const Face *f, const Ctx *c, Changed *d) noexcept nogil:
    """Increases, reductions and the least price, of permanents and of the spell itself."""
    cdef Rules r
    cdef const Ability *a
    cdef int op, k
    cdef int n = 0
    cdef bint known = True
    d.more = 0
    d.less = 0
    d.least = 0
    d.colors = False
    for op in range(CA_LESS, CA_LEAST + 1):
        if not (g.h.casting | f.casts_itself) >> op & 1:
            continue
        rules_begin(g, op, &r)
        a = rules_next(g, &r)
        while a != NULL:
            if passes_player(g, &r.c, a.player, player) and passes(g, &r.c, a.filter, row):
                known = True
                n = value(g, &r.c, a.amount, &known)
                add_change(d, a, n if known else 0)
            a = rules_next(g, &r)
        for k in range(f.n_abilities if f.casts_itself >> op & 1 else 0):
            a = ability_of(g, ability_at(g, f, k))
            if a.kind == AB_CASTING and a.own == 1 and a.event == op and holds(g, c, a.condition):
                known = True
                n = value(g, c, a.amount, &known)
                add_change(d, a, n if known else 0)


cdef void add_change(Changed *d, const Ability *a, int n) noexcept nogil:
    cdef Mana *off
    cdef int k
    n = max(0, min(n, 100))
    if a.event == CA_LESS and a.step:
        if not d.colors:
            d.off.lo = 0
            d.off.hi = 0
            d.only = d.off
            d.colors = True
        off = &d.only if a.flags & LS_ONLY_COLORS else &d.off
        for k in range(6):
            if a.step >> k & 1:
                if k < 4:
                    off.lo += <uint64_t>n << 16 * k
                else:
                    off.hi += <uint64_t>n << 16 * (k - 4)
    elif a.event == CA_LESS:
        d.less += n
    elif a.event == CA_MORE:
        d.more += n
    elif n > d.least:
        d.least = n


cdef void remember_cast(Game *g, uint16_t row, uint16_t slot) noexcept nogil:
    """A permanent's abilities may ask how its spell was cast (CR 400.7d): X, optional costs paid."""
    cdef uint16_t list = g.lki[slot].extra
    cdef Ref r
    cdef int i
    # (A copy was not cast.)
    extra_add(g, row, RK_CAST, <uint32_t>max(0, <int>g.lki[slot].x), 0, g.card[row] == NONE16)
    for i in range(chunk_len(g, list)):
        r = chunk_refs(g, list)[i]
        if r.kind == RK_KICKED or r.kind == RK_WAY or r.kind == RK_SPENT or (
                r.kind == RK_CHOSEN and r.flags == CN_PLAYER):
            extra_add(g, row, r.kind, r.id, r.row, r.flags)
