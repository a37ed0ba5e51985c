"""What casting or activating costs in all (CR 601.2f, 602.2b)."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t

from lkicore._abilities cimport ability_of, counters_on, entry_next
from lkicore._arena cimport chunk_refs
from lkicore._casting cimport Changed, announced_face, commander_tax, manner_of, price_changes
from lkicore._costs cimport PRICE_ANY_COLOR, PRICE_LESS_COLORS, find_payment, pays, price_plain
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx, plain_context
from lkicore._facts cimport mana_value
from lkicore._help cimport help_of
from lkicore._hidden cimport cost_under
from lkicore._mana cimport put_back, set_aside
from lkicore._modes cimport add_modes, modes_cost
from lkicore._opcodes cimport *
from lkicore._store cimport zone_first
from lkicore._types cimport Ability, FACE_EASY, Node, OptionalCost


cdef void change_price(Price *price, const Changed *d) noexcept nogil:
    price.more = d.more
    price.less = d.less
    price.least = d.least
    if d.colors:
        price.marks |= PRICE_LESS_COLORS
        price.off = d.off
        price.only = d.only


cdef int price_of_manner(const Face *face, const Manner *m, Price *price) noexcept nogil:
    price_plain(price)
    if m.own != NULL and m.own.flags & WF_COST:
        price.mana = m.own.cost
        price.hybrid = m.own.hybrid
        price.n_hybrid = m.own.n_hybrid
        price.marks = PRICE_ANY_COLOR if m.permit != NULL and m.permit.flags & WF_ANY_COLOR else 0
        return m.own.n_x
    if m.permit != NULL:
        price.marks = PRICE_ANY_COLOR if m.permit.flags & WF_ANY_COLOR else 0
        if m.permit.flags & WF_COST:
            # CR 107.3b: where no mana cost is paid, X is 0.
            price.mana = m.permit.cost
            price.hybrid = m.permit.hybrid
            price.n_hybrid = m.permit.n_hybrid
            return m.permit.n_x
    price.mana = face.cost
    price.hybrid = face.hybrid
    price.n_hybrid = face.n_hybrid
    return face.n_x


cdef int less_by(const Game *g, const Way *way, uint16_t row) noexcept nogil:
    if way.flags & WF_LESS_POWER:
        return max(0, <int>g.power[row])
    return mana_value(g, g.defn[row], g.oflags[row], g.zone[row], 0)


cdef bint some_less(Game *g, const Ctx *c, const Way *way, const Price *price) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef Price less
    cdef uint8_t counted
    cdef bint found = False
    while row and not found:
        if pays(g, c, &g.cards.costs[way.first_cost], row):
            less = price[0]
            less.less += less_by(g, way, row)
            # What is tapped for the cost makes no mana for it.
            counted = set_aside(g, row) if way.flags & WF_LESS_POWER else 0
            found = find_payment(g, c.controller, &less, 0)
            put_back(g, row, counted)
        row = g.znext[row]
    return found


cdef int less_for_paid(Game *g, const Ctx *c, const Way *way, uint16_t info) noexcept nogil:
    """By what has been chosen; as long as nothing has, by whatever makes it cheapest."""
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef int i = entry_next(g, info, RK_PAID, 0)
    cdef int most = 0
    while i >= 0:
        if chunk_refs(g, info)[i].flags == WAY_COST:
            return less_by(g, way, chunk_refs(g, info)[i].row)
        i = entry_next(g, info, RK_PAID, i + 1)
    while row:
        if pays(g, c, &g.cards.costs[way.first_cost], row):
            most = max(most, less_by(g, way, row))
        row = g.znext[row]
    return most


cdef const Node *x_counters(const Game *g, const Frame *f) noexcept nogil:
    """The part of an ability's cost that removes X counters from its source, NULL none."""
    cdef const Ability *a
    cdef int i
    if f.kind == F_ACTIVATE:
        a = ability_of(g, f.b)
        for i in range(a.n_costs):
            if g.cards.costs[a.first_cost + i].op == CP_REMOVE_COUNTERS and g.cards.costs[a.first_cost + i].b < 0:
                return &g.cards.costs[a.first_cost + i]
    return NULL


cdef int x_symbols(const Game *g, const Frame *f) noexcept nogil:
    cdef const Face *face
    cdef Manner m
    cdef Price price
    if f.kind == F_ACTIVATE:
        face = cost_under(g, f.obj_row, ability_of(g, f.b))
        return face.n_x if face != NULL else 1 if x_counters(g, f) != NULL else ability_of(g, f.b).n_x
    if f.kind == F_TRIGGER:
        return 0
    manner_of(g, f.info, &m)
    return price_of_manner(announced_face(g, f.obj_row, &m), &m, &price)


cdef void price_of(Game *g, const Frame *f, Price *price) noexcept nogil:
    """CR 601.2f: the cost of the way, the chosen X, optional costs, increases, reductions."""
    cdef Manner m
    cdef const Face *face
    cdef const Ability *a
    cdef const OptionalCost *o
    cdef Changed d
    cdef Ctx c
    cdef int xs, i
    if f.kind == F_ACTIVATE:
        a = ability_of(g, f.b)
        price_plain(price)
        price.mana = a.cost
        price.hybrid = a.hybrid
        price.n_hybrid = a.n_hybrid
        price.mana.hi += <uint64_t>(a.n_x * f.a) << 32
        face = cost_under(g, f.obj_row, a)
        if face != NULL:
            price.mana = face.cost
            price.hybrid = face.hybrid
            price.n_hybrid = face.n_hybrid
            price.mana.hi += <uint64_t>(face.n_x * f.a) << 32
        if price.n_hybrid:
            price.list = f.info
        return
    if f.info == 0 and (g.h.casting | g.h.commanders) == 0:
        face = face_of(g, g.defn[f.obj_row])
        if face.flags & FACE_EASY and face.n_x == 0:
            # Its flat mana cost, and nothing else is asked or said.
            price_plain(price)
            price.mana = face.cost
            price.n_hybrid = 0
            price.spell = f.obj_row
            return
    manner_of(g, f.info, &m)
    face = announced_face(g, f.obj_row, &m)
    xs = price_of_manner(face, &m, price)
    price.mana.hi += <uint64_t>(xs * f.a) << 32
    i = entry_next(g, f.info, RK_KICKED, 0)
    while i >= 0:
        o = &g.cards.optional[face.first_optional + chunk_refs(g, f.info)[i].row]
        price.mana.lo += o.cost.lo * chunk_refs(g, f.info)[i].id
        price.mana.hi += o.cost.hi * chunk_refs(g, f.info)[i].id
        i = entry_next(g, f.info, RK_KICKED, i + 1)
    if f.b >= 0 and modes_cost(ability_of(g, f.b)):
        add_modes(g, f.b, f.info, &price.mana)
    if (g.h.casting | face.casts_itself) & (1 << CA_LESS | 1 << CA_MORE | 1 << CA_LEAST):
        plain_context(g, f.obj_row, f.obj_id, f.player, &c)
        c.self_row = f.obj_row
        c.self_id = f.obj_id
        c.targets = f.list
        c.x = <int16_t>f.a
        price_changes(g, f.obj_row, f.player, face, &c, &d)
        change_price(price, &d)
    if less_by_paid(m.own):
        plain_context(g, f.obj_row, f.obj_id, f.player, &c)
        c.self_row = f.obj_row
        c.self_id = f.obj_id
        price.less += less_for_paid(g, &c, m.own, f.info)
    price.more += commander_tax(g, f.obj_row)
    price.help = help_of(face.keywords)
    price.spell = f.obj_row
    if price.help or price.n_hybrid:
        price.list = f.info


cdef uint16_t without_of(const Game *g, const Frame *f) noexcept nogil:
    return f.obj_row if f.kind == F_ACTIVATE and ability_of(g, f.b).cost_flags & CO_TAP else 0


cdef int most_x(Game *g, const Frame *f) noexcept nogil:
    cdef Price price
    cdef Frame trial = f[0]
    cdef int most = 1000
    if x_counters(g, f) != NULL:
        # X may stand among the mana besides.
        most = counters_on(g, f.obj_row, x_counters(g, f).a)
        if ability_of(g, f.b).n_x == 0 or g.h.options_mask & EO_PAY_FREE:
            return most
    elif g.h.options_mask & EO_PAY_FREE:
        return MOST_FREE_X
    trial.a = 0
    while trial.a < most:
        trial.a += 1
        price_of(g, &trial, &price)
        if not find_payment(g, f.player, &price, without_of(g, f)):
            return trial.a - 1
    return trial.a


cdef int kicked(const Game *g, uint16_t info, int k) noexcept nogil:
    cdef int i = entry_next(g, info, RK_KICKED, 0)
    while i >= 0 and chunk_refs(g, info)[i].row != k:
        i = entry_next(g, info, RK_KICKED, i + 1)
    return i
