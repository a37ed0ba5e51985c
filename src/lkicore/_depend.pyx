"""Dependency of static abilities on other effects of the same layer (CR 613.8).

An effect depends on another one if that would change whether it exists, what it applies to, or what it does (613.8a).
What a static ability asks for in its filter and its condition is compared with what the others change in this layer:
keywords in layer 6, colours in 5, types in 4. What depends waits until what it depends on has been applied; two that
depend on each other keep the order of timestamps (613.8b). Effects of resolved spells depend on nothing: what they
affect is locked in (611.2c). That an ability goes with what takes it away, and sizes, are seen to in _layers.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memset

from lkicore._abilities cimport ability_of
from lkicore._changes cimport DONE, LAYER_COLORS, LAYER_TYPES, Pass, Qualities, Static, TO_COME, layer_of
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Ability, Node

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


cdef inline bint works(const Game *g, const Static *s, int layer) noexcept nogil:
    return ability_of(g, s.ability).layers >> layer & 1 and (s.began or not s.lost)


cdef bint depends(const Game *g, const Pass *p, int i, int layer, uint32_t now) noexcept nogil:
    cdef Qualities wanted
    cdef Qualities mine
    cdef Qualities his
    cdef Qualities done
    cdef const Ability *a = ability_of(g, p.statics[i].ability)
    cdef uint32_t e
    cdef int k
    if p.statics[i].began:
        return False  # CR 613.6: it applies already
    asked(g, &p.statics[i], &wanted)
    if not meet(&wanted, &p.stirred, layer):
        return False
    for e in range(g.h.n_effects):
        if g.effect[e].kind == EK_CHANGE and g.effect[e].timestamp > now:
            memset(&done, 0, sizeof(Qualities))
            changes_of(g, g.effect[e].what, g.effect[e].n, layer, &done)
            if meet(&wanted, &done, layer):
                return True
    memset(&mine, 0, sizeof(Qualities))
    changes_of(g, a.first_change, a.n_changes, layer, &mine)
    for k in range(p.n_statics):
        if k == i or p.statics[k].turn == DONE or not works(g, &p.statics[k], layer):
            continue
        a = ability_of(g, p.statics[k].ability)
        memset(&done, 0, sizeof(Qualities))
        changes_of(g, a.first_change, a.n_changes, layer, &done)
        if not meet(&wanted, &done, layer):
            continue
        if p.statics[k].began:
            return True
        asked(g, &p.statics[k], &his)
        if not meet(&his, &mine, layer):
            return True  # and not the other way round (613.8b)
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
        if not p.statics[i].began and works(g, &p.statics[i], layer):
            asked(g, &p.statics[i], &q)
            if meet(&q, &p.stirred, layer):
                return True
    return False
