"""Dependency of static abilities on other effects of the same layer (CR 613.8).

An effect depends on another one if that would change whether it exists, what it applies to, or what it does (613.8a).
What a static ability asks for in its filter and its condition is compared with what the others change in this layer:
keywords in layer 6, colours in 5, types in 4. Where the two meet, the other one is tried, and undone. What depends
waits until what it depends on has been applied; two that depend on each other keep the order of timestamps (613.8b).
Effects of resolved spells depend on nothing: what they affect is locked in (611.2c). That an ability goes with what
takes it away, and sizes, are seen to in _layers; what depends on an ability that is still to go waits for that here.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memset

from lkicore._abilities cimport ability_of, extra_add, extra_drop
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._changes cimport (DONE, LAYER_ABILITIES, LAYER_COLORS, LAYER_TYPES, LOST, NO_SET, Pass, Qualities, Static,
                               TO_COME, WILL_LOSE, change_quality, layer_of)
from lkicore._expr cimport Ctx, holds, passes
from lkicore._guard cimport on_stack
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._store cimport has_bit, is_live
from lkicore._types cimport Ability, NONE16, Node

cdef enum:
    CARD_TYPES = (1 << 9) - 1

cdef void ref_asks(const Game *g, int node, Qualities *q) noexcept nogil:
    cdef const Node *n = &g.cards.refs[node]
    if n.op == R_EACH:
        filter_asks(g, n.a, q)
    elif n.op == R_CONTROLLER_OF or n.op == R_OWNER_OF or n.op == R_BLOCKERS_OF:
        ref_asks(g, n.a, q)
    elif n.op == R_ATTACHED_TO:
        ref_asks(g, n.a, q)
        filter_asks(g, n.b, q)


cdef void filter_asks(const Game *g, int node, Qualities *q) noexcept nogil:
    """Add what a filter looks at."""
    cdef const Node *n
    if node < 0:
        return
    n = &g.cards.filters[node]
    if n.op == FT_AND or n.op == FT_OR:
        filter_asks(g, n.a, q)
        filter_asks(g, n.b, q)
    elif n.op == FT_NOT:
        filter_asks(g, n.a, q)
    elif n.op == FT_TYPES_ANY or n.op == FT_TYPES_NONE:
        q.types |= <uint16_t>n.a
    elif n.op == FT_SUBTYPE or n.op == FT_SHARES_SUBTYPE or n.op == FT_CHOSEN_SUBTYPE:
        q.subtypes = 1
    elif n.op == FT_COLORS_ANY or n.op == FT_COLORS_NONE:
        q.colors |= <uint8_t>n.a
    elif n.op == FT_COLOR_COUNT or n.op == FT_SHARES_COLOR or n.op == FT_CHOSEN_COLOR:
        q.colors = 31
    elif n.op == FT_KEYWORDS_ALL or n.op == FT_KEYWORDS_NONE:
        q.keywords |= <uint64_t><uint32_t>n.a | <uint64_t><uint32_t>n.b << 32
    elif n.op == FT_IS or n.op == FT_CONTROLLED_BY or n.op == FT_OWNED_BY or n.op == FT_SAME_CONTROLLER:
        ref_asks(g, n.a, q)
    elif n.op == FT_COMPARE:
        value_asks(g, n.b, q)
        value_asks(g, n.c, q)


cdef void value_asks(const Game *g, int node, Qualities *q) noexcept nogil:
    """Add what a value looks at."""
    cdef const Node *n
    if node < 0:
        return
    n = &g.cards.values[node]
    if n.op == V_COUNT or n.op == V_EXISTS or n.op == V_GREATEST_POWER:
        filter_asks(g, n.a, q)
    elif n.op == V_MATCHES:
        ref_asks(g, n.a, q)
        filter_asks(g, n.b, q)
    elif n.op == V_COLORS:
        q.colors = 31
    elif n.op == V_NUMBER_OF or n.op == V_ON_BATTLEFIELD:
        ref_asks(g, n.a, q)
    elif n.op == V_NOT or n.op == V_HALF_UP or n.op == V_HALF_DOWN:
        value_asks(g, n.a, q)
    elif (n.op == V_BOTH or n.op == V_EITHER or n.op == V_AT_LEAST or n.op == V_EQUAL or n.op == V_ADD or n.op == V_SUB
          or n.op == V_MUL or n.op == V_MIN or n.op == V_MAX):
        value_asks(g, n.a, q)
        value_asks(g, n.b, q)


cdef void changes_of(const Game *g, int first, int n, int layer, Qualities *q) noexcept nogil:
    """Add what changes do in a layer."""
    cdef const Node *x
    cdef int i
    for i in range(n):
        x = &g.cards.changes[first + i]
        if layer_of(x.op) != layer:
            continue
        if x.op == X_ADD_TYPES or x.op == X_LOSE_TYPES:
            q.types |= <uint16_t>x.a
            if x.op == X_LOSE_TYPES and x.a & (T_CREATURE | T_KINDRED):
                q.subtypes = 1
        elif x.op == X_SET_TYPES:
            q.types |= CARD_TYPES
            q.subtypes = 1
        elif layer == LAYER_TYPES:
            q.subtypes = 1
        elif x.op == X_ADD_COLORS:
            q.colors |= <uint8_t>x.a
        elif x.op == X_SET_COLORS:
            q.colors = 31
        elif x.op == X_ADD_KEYWORDS or x.op == X_LOSE_KEYWORDS:
            q.keywords |= <uint64_t><uint32_t>x.a | <uint64_t><uint32_t>x.b << 32
        elif x.op == X_LOSE_ABILITIES:
            q.keywords = ~<uint64_t>0
        else:
            q.keywords |= K_PROTECTION | K_TOXIC  # granted abilities: those that have a bit of their own


cdef inline bint meet(const Qualities *a, const Qualities *b, int layer) noexcept nogil:
    if layer == LAYER_TYPES:
        return (a.types & b.types) != 0 or (a.subtypes and b.subtypes)
    if layer == LAYER_COLORS:
        return (a.colors & b.colors) != 0
    return (a.keywords & b.keywords) != 0


cdef void asked(const Game *g, const Static *s, Qualities *q) noexcept nogil:
    cdef const Ability *a = ability_of(g, s.ability)
    memset(q, 0, sizeof(Qualities))
    value_asks(g, a.condition, q)
    if a.own == 0:
        filter_asks(g, a.filter, q)


cdef bint loses(const Game *g, int first, int n, int layer) noexcept nogil:
    """Some change takes all abilities away, or in layer 4 those of lands (CR 305.7)."""
    cdef const Node *x
    cdef int k
    for k in range(n):
        x = &g.cards.changes[first + k]
        if x.op == X_LOSE_ABILITIES if layer == LAYER_ABILITIES else (
                x.op == X_SET_SUBTYPE and g.cards.land_abilities[x.a] != NONE16):
            return True
    return False


cdef bint takes_from(Game *g, const Static *s, uint16_t row, int layer) noexcept nogil:
    """A static ability would take all abilities of this object away, or in layer 4 those of a land."""
    cdef const Ability *a = ability_of(g, s.ability)
    cdef Ctx c
    if not loses(g, a.first_change, a.n_changes, layer) or (layer == LAYER_TYPES and not g.types[row] & T_LAND):
        return False
    context_of(g, s, &c)
    if not holds(g, &c, a.condition):
        return False
    if a.own:
        return only_one(g, s, a.own) == row
    return a.affects >> g.zone[row] & 1 and passes(g, &c, a.filter, row)


cdef inline bint works(const Game *g, const Static *s, int layer) noexcept nogil:
    """It applies in this layer, or would if it were not taken away later in it."""
    return ability_of(g, s.ability).layers >> layer & 1 and (s.began or s.lost != LOST)


# What a static ability comes to: whether its condition holds, and the bits of what passes its filter.
cdef int meaning(Game *g, const Pass *p, const Static *s, uint64_t *set) noexcept nogil:
    cdef const Ability *a = ability_of(g, s.ability)
    cdef Ctx c
    cdef int k
    for k in range(p.width):
        set[k] = 0
    context_of(g, s, &c)
    if not holds(g, &c, a.condition):
        return 0
    for k in range(p.n if a.own == 0 else 0):
        if a.affects >> g.zone[p.rows[k]] & 1 and passes(g, &c, a.filter, p.rows[k]):
            set[k >> 6] |= <uint64_t>1 << (k & 63)
    return 1


cdef int affected_by(Game *g, const Pass *p, const Static *s, uint16_t *rows) noexcept nogil:
    """The objects of the pass that a static ability would be applied to now."""
    cdef uint64_t *set = <uint64_t *>on_stack(p.width * sizeof(uint64_t))
    cdef int own = ability_of(g, s.ability).own
    cdef int n = 0
    cdef int k
    cdef uint16_t host
    if s.began and s.set != NO_SET:
        for k in range(p.width):
            set[k] = p.sets[s.set + <uint32_t>k]
    elif not meaning(g, p, s, set):
        return 0
    if own:
        host = s.row if own == 1 else g.attached_row[s.row]
        if own == 1 or (g.attached_id[s.row] and is_live(g, host, g.attached_id[s.row])):
            rows[0] = host
            return has_bit(g.b_dirty, host)
        return 0
    for k in range(p.n):
        if set[k >> 6] >> (k & 63) & 1:
            rows[n] = p.rows[k]
            n += 1
    return n


# An object's qualities, to be put back.
cdef struct Kept:
    uint64_t keywords
    uint16_t types
    uint16_t first      # its subtypes among those kept
    uint16_t n
    uint8_t colors
    uint8_t own         # it had a list of its own


cdef bint alters(Game *g, const Pass *p, const Static *s, const uint16_t *rows, int n, int first, int changes,
                 int layer) noexcept nogil:
    """These changes of these objects would alter what the static ability comes to: they are made, and undone."""
    cdef uint64_t *before = <uint64_t *>on_stack(p.width * sizeof(uint64_t))
    cdef uint64_t *after = <uint64_t *>on_stack(p.width * sizeof(uint64_t))
    cdef Kept *kept = <Kept *>on_stack((n + 1) * sizeof(Kept))
    cdef uint16_t subtypes[1024]
    cdef int used = 0
    cdef int i, k
    cdef bint other
    cdef uint16_t row
    if n == 0:
        return False
    other = meaning(g, p, s, before)
    for i in range(n):
        row = rows[i]
        kept[i].keywords = g.keywords[row]
        kept[i].types = g.types[row]
        kept[i].colors = g.colors[row]
        kept[i].own = g.oflags[row] & OF_OWN_SUBTYPES
        kept[i].first = <uint16_t>used
        for k in range(chunk_len(g, g.extra[row]) if kept[i].own else 0):
            if chunk_refs(g, g.extra[row])[k].kind == RK_SUBTYPE and used < 1024:
                subtypes[used] = chunk_refs(g, g.extra[row])[k].row
                used += 1
        kept[i].n = <uint16_t>used - kept[i].first
        for k in range(first, first + changes):
            if layer_of(g.cards.changes[k].op) == layer:
                change_quality(g, NULL, row, &g.cards.changes[k], -1, 0, 0)
    other = meaning(g, p, s, after) != other
    for k in range(p.width):
        other |= before[k] != after[k]
    for i in range(n):
        row = rows[i]
        g.keywords[row] = kept[i].keywords
        g.types[row] = kept[i].types
        g.colors[row] = kept[i].colors
        if g.oflags[row] & OF_OWN_SUBTYPES:
            extra_drop(g, row, RK_SUBTYPE)
            g.oflags[row] &= <uint8_t>~<int>OF_OWN_SUBTYPES
        if kept[i].own:
            g.oflags[row] |= OF_OWN_SUBTYPES
            for k in range(kept[i].n):
                extra_add(g, row, RK_SUBTYPE, 0, subtypes[kept[i].first + k], 0)
    return other


cdef bint alters_other(Game *g, const Pass *p, const Static *s, const Static *by, int layer) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack((p.n + 1) * sizeof(uint16_t))
    cdef const Ability *a = ability_of(g, by.ability)
    return alters(g, p, s, rows, affected_by(g, p, by, rows), a.first_change, a.n_changes, layer)


cdef bint may_lose(Game *g, const Pass *p, int i, int layer) noexcept nogil:
    """Something would take its ability away that is to be taken away itself: it waits until that has happened. Others
    than those have been seen to (`lose_first`)."""
    cdef const Static *s = &p.statics[i]
    cdef int k
    for k in range(p.n_statics):
        if (k != i and p.statics[k].lost == WILL_LOSE and not p.statics[k].began and p.statics[k].turn != DONE
                and takes_from(g, &p.statics[k], s.row, layer) and not takes_from(g, s, p.statics[k].row, layer)):
            return True
    return False


cdef bint depends(Game *g, const Pass *p, int i, int layer, uint32_t now) noexcept nogil:
    cdef Qualities wanted
    cdef Qualities done
    cdef const Static *s = &p.statics[i]
    cdef const Ability *a
    cdef uint32_t e
    cdef int k
    if s.began:
        return False  # CR 613.6: it applies already
    if (layer == LAYER_ABILITIES or layer == LAYER_TYPES) and may_lose(g, p, i, layer):
        return True
    asked(g, s, &wanted)
    if not meet(&wanted, &p.stirred, layer):
        return False
    for e in range(g.h.n_effects):
        if (g.effect[e].kind == EK_CHANGE and g.effect[e].timestamp > now
                and is_live(g, g.effect[e].affected_row, g.effect[e].affected_id)):
            memset(&done, 0, sizeof(Qualities))
            changes_of(g, g.effect[e].what, g.effect[e].n, layer, &done)
            if meet(&wanted, &done, layer) and alters(g, p, s, &g.effect[e].affected_row, 1, g.effect[e].what,
                                                      g.effect[e].n, layer):
                return True
    for k in range(p.n_statics):
        if k == i or p.statics[k].turn == DONE or not works(g, &p.statics[k], layer):
            continue
        a = ability_of(g, p.statics[k].ability)
        memset(&done, 0, sizeof(Qualities))
        changes_of(g, a.first_change, a.n_changes, layer, &done)
        # ... and not the other way round (613.8b)
        if (meet(&wanted, &done, layer) and alters_other(g, p, s, &p.statics[k], layer)
                and (p.statics[k].began or not alters_other(g, p, &p.statics[k], s, layer))):
            return True
    return False


cdef bint order_matters(Game *g, Pass *p, int layer) noexcept nogil:
    cdef Qualities q
    cdef const Ability *a
    cdef uint32_t k
    cdef int i
    memset(&p.stirred, 0, sizeof(Qualities))
    for k in range(g.h.n_effects):
        if g.effect[k].kind == EK_CHANGE:
            changes_of(g, g.effect[k].what, g.effect[k].n, layer, &p.stirred)
    for i in range(p.n_statics):
        p.statics[i].turn = TO_COME
        if works(g, &p.statics[i], layer):
            a = ability_of(g, p.statics[i].ability)
            changes_of(g, a.first_change, a.n_changes, layer, &p.stirred)
    for i in range(p.n_statics):
        a = ability_of(g, p.statics[i].ability)
        if p.statics[i].lost == WILL_LOSE and not p.statics[i].began and loses(g, a.first_change, a.n_changes, layer):
            return True  # see `may_lose`
        if not p.statics[i].began and works(g, &p.statics[i], layer):
            asked(g, &p.statics[i], &q)
            if meet(&q, &p.stirred, layer):
                return True
    return False
