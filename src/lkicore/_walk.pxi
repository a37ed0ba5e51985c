# Part of _expr.pyx: the objects of a reference, one after another. References ask values and filters, which ask
# references: so it cannot be a module of its own.

# A walk over the objects of a reference, in canonical order: of chosen, paid and linked objects the order in which they
# were, of permanents that of the battlefield.
cdef struct Walk:
    const Node *n
    Obj one          # the next object of a reference to one
    int k            # next entry of `list`
    int kind         # entries of this kind
    int flags        # with these flags, -1 any
    int most         # so many more
    uint16_t list
    uint16_t row     # next permanent, or card of a zone
    uint16_t slot    # of the departed object whose attachments are walked over, NO_SLOT none
    uint8_t zone     # of EACH
    uint8_t seat     # whose, of a zone that each player has


cdef inline void walk_list(Walk *w, uint16_t list, int kind, int flags) noexcept nogil:
    w.list = list
    w.kind = kind
    w.flags = flags


cdef void walk_zone(const Game *g, Walk *w) noexcept nogil:
    """The first card of the next player's zone that has any."""
    w.row = 0
    while w.row == 0 and w.seat < (g.lay.players if PRIVATE_ZONES >> w.zone & 1 else 1):
        w.row = g.z_head[w.zone * <int>g.lay.players + w.seat]
        w.seat += 1


cdef void walk_top(Game *g, const Ctx *c, Walk *w) noexcept nogil:
    """The top cards of the libraries of one or several players: `kind` bit set of these, `flags` how many of each."""
    cdef bint known = True
    w.kind = ref_players(g, c, w.n.a)
    w.flags = value(g, c, w.n.b, &known)
    w.seat = 0
    next_top(g, w)


cdef void next_top(const Game *g, Walk *w) noexcept nogil:
    """The first card of the next player's library that has any."""
    w.row = 0
    w.most = w.flags
    while w.row == 0 and w.flags > 0 and w.seat < g.lay.players:
        if w.kind >> w.seat & 1:
            w.row = g.z_head[Z_LIBRARY * <int>g.lay.players + w.seat]
        w.seat += 1


cdef void newest_buried(Game *g, const Ctx *c, const Node *n, Obj *o) noexcept nogil:
    """The top card of a graveyard that passes: the newest one (CR 404.2)."""
    cdef int p = 0
    while p < <int>g.lay.players and o.id == 0:
        o.row = g.z_tail[Z_GRAVEYARD * <int>g.lay.players + p] if ref_players(g, c, n.a) >> p & 1 else 0
        while o.row and not passes(g, c, n.b, o.row):
            o.row = g.zprev[o.row]
        o.id = g.id[o.row]
        p += 1


cdef uint16_t departed_host(Game *g, const Ctx *c, int ref) noexcept nogil:
    """Slot of the object of a reference if it has left with something attached to it (CR 608.2h), else NO_SLOT."""
    cdef Obj o
    cdef int policy
    cdef uint16_t s
    if c.live_only or not ref_object(g, c, ref, &o.row, &o.id, &policy) or is_live(g, o.row, o.id):
        return NO_SLOT
    s = lki_find(g, o.id)
    return s if s != NO_SLOT and g.lki[s].oflags & OF_HOST else NO_SLOT


cdef bint next_once_attached(Game *g, const Ctx *c, Walk *w, Obj *o) noexcept nogil:
    """What was attached to the departed object, and passed the filter then; it is known by its id, wherever it is."""
    cdef Facts f
    cdef uint16_t s
    while w.k < <int>g.h.lki_limit:
        s = <uint16_t>w.k
        w.k += 1
        if once_attached(g, w.slot, s):
            slot_facts(g, s, &f)
            if passes_facts(g, c, w.n.b, &f):
                trace(g, TR_LOOKUP, f.defn, P_LIVE_THEN_LKI, FROM_LKI, s, f.id)
                o.row = f.row
                o.id = f.id
                return True
    return False


cdef void walk(Game *g, const Ctx *c, int ref, Walk *w) noexcept nogil:
    """Begin a walk; a reference to players has no objects."""
    cdef const Node *n = &g.cards.refs[ref]
    w.n = n
    w.one.id = 0
    w.k = 0
    w.list = 0
    w.row = 0
    w.seat = 0
    w.zone = 0
    w.slot = NO_SLOT
    w.most = MOST_OBJECTS
    if n.op == R_SOURCE:
        w.one.row = c.source_row
        w.one.id = c.source_id
    elif n.op == R_TARGET:
        w.most = 1
        w.list = c.targets
    elif n.op == R_TARGETS or n.op == R_ALL_TARGETS:
        w.list = c.targets
    elif n.op == R_SOURCE_CARD:
        source_card(g, c, &w.one)
    elif n.op == R_EACH:
        w.zone = n.b if n.b else Z_BATTLEFIELD
        walk_zone(g, w)
    elif n.op == R_BLOCKERS_OF:
        w.row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    elif n.op == R_EVENT_OBJECT:
        w.one.row = c.event_row
        w.one.id = c.event_id
    elif n.op == R_EVENT_OTHER:
        w.one.row = c.other_row
        w.one.id = c.other_id
    elif n.op == R_EVENT_CARD:
        if not became_of(g, c, &w.one):
            w.one.id = 0
    elif n.op == R_PAID:
        walk_list(w, info_of(g, c), RK_PAID, -1)
        w.k = n.a
    elif n.op == R_HOST:
        host_of(g, c, &w.one)
    elif n.op == R_MOVED:
        walk_list(w, info_of(g, c), RK_MOVED, -1)
    elif n.op == R_PICKED:
        walk_list(w, info_of(g, c), RK_PICKED, -1)
    elif n.op == R_LINKED:
        walk_list(w, source_list(g, c), RK_LINK, n.a)
    elif n.op == R_STATIC_LINKED:
        walk_list(w, extra_of(g, c.source_row, c.source_id, True), RK_LINK, n.a)
    elif n.op == R_IT:
        w.one.row = c.it_row
        w.one.id = c.it_id
    elif n.op == R_ATTACHED_TO:
        w.slot = departed_host(g, c, n.a)
        if w.slot == NO_SLOT and g.h.n_attached:
            w.row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    elif n.op == R_TOP_CARDS:
        walk_top(g, c, w)
    elif n.op == R_GRAVEYARD_TOP:
        newest_buried(g, c, n, &w.one)


cdef bint next_target(Game *g, const Ctx *c, Walk *w, Obj *o) noexcept nogil:
    """The next legal target of the specification that is an object (CR 608.2b); TARGET is the first chosen one only."""
    cdef Ref *t
    while w.k < chunk_len(g, w.list) and w.most:
        t = &chunk_refs(g, w.list)[w.k]
        w.k += 1
        if t.flags >> 1 != c.spec + w.n.a and w.n.op != R_ALL_TARGETS:
            continue
        w.most -= 1
        if t.kind == RK_OBJECT and not t.flags & RF_ILLEGAL:
            o.row = t.row
            o.id = t.id
            return True
    return False


cdef bint next_permanent(Game *g, const Ctx *c, Walk *w, Obj *o) noexcept nogil:
    cdef uint16_t row
    cdef bint found
    while w.row:
        row = w.row
        w.row = g.znext[row]
        if w.row == 0 and w.n.op == R_EACH:
            walk_zone(g, w)
        if rare(g.status[row] & ST_PHASED_OUT):
            continue  # CR 702.26b
        if w.n.op == R_EACH:
            found = passes(g, c, w.n.a, row)
        elif w.n.op == R_BLOCKERS_OF:
            found = g.blocks_id[row] != 0 and (among(g, c, w.n.a, g.blocks_id[row]) or (
                rare(g.combat[row] & CB_MORE) and any_among(g, c, w.n.a, g.extra[row])))
        else:
            found = (g.attached_id[row] != 0 and among(g, c, w.n.a, g.attached_id[row])
                     and passes(g, c, w.n.b, row))
        if found:
            o.row = row
            o.id = g.id[row]
            return True
    return False


cdef bint walk_next(Game *g, const Ctx *c, Walk *w, Obj *o) noexcept nogil:
    cdef Ref *t
    cdef int seen
    if w.one.id:
        o[0] = w.one
        w.one.id = 0
        return True
    if w.slot != NO_SLOT:
        return next_once_attached(g, c, w, o)
    if w.row and w.n.op == R_TOP_CARDS:
        o.row = w.row
        o.id = g.id[w.row]
        w.row = g.znext[w.row]
        w.most -= 1
        if w.row == 0 or w.most == 0:
            next_top(g, w)
        return True
    if w.row:
        return next_permanent(g, c, w, o)
    if w.list == 0:
        return False
    if w.n.op == R_TARGET or w.n.op == R_TARGETS or w.n.op == R_ALL_TARGETS:
        return next_target(g, c, w, o)
    if w.n.op == R_PAID:
        # Number k of them, in the order of payment.
        seen = w.k
        w.k = entry_next(g, w.list, RK_PAID, 0)
        while seen and w.k >= 0:
            w.k = entry_next(g, w.list, RK_PAID, w.k + 1)
            seen -= 1
        if w.k >= 0:
            o.row = chunk_refs(g, w.list)[w.k].row
            o.id = chunk_refs(g, w.list)[w.k].id
        w.list = 0
        return w.k >= 0
    while w.k < chunk_len(g, w.list):
        t = &chunk_refs(g, w.list)[w.k]
        w.k += 1
        if t.kind == w.kind and (w.flags < 0 or t.flags == w.flags):
            o.row = t.row
            o.id = t.id
            return True
    return False


cdef bint any_among(Game *g, const Ctx *c, int ref, uint16_t extra) noexcept nogil:
    """One of the further attackers of a blocker's list is among the reference."""
    cdef int i
    for i in range(chunk_len(g, extra)):
        if chunk_refs(g, extra)[i].kind == RK_BLOCKS and among(g, c, ref, chunk_refs(g, extra)[i].id):
            return True
    return False


cdef bint among(Game *g, const Ctx *c, int ref, uint32_t id) noexcept nogil:
    """The object is one of a reference's."""
    cdef Walk w
    cdef Obj o
    walk(g, c, ref, &w)
    while walk_next(g, c, &w, &o):
        if o.id == id:
            return True
    return False
