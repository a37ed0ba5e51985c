"""Whether a spell or ability can be announced (CR 601.3, 602.5)."""
from libc.stdint cimport int16_t, uint16_t, uint64_t

from lkicore._abilities cimport ability_of, counters_on, entry_next
from lkicore._arena cimport chunk_refs
from lkicore._casting cimport (Changed, Manner, announced_face, announced_spell, cant_activate, commander_tax,
                               forbidden, manner_by, price_changes, sorcery_time, split_second)
from lkicore._costs cimport Price, find_payment, parts_payable, payable, plain_sacrifice, price_plain
from lkicore._defs cimport face_of
from lkicore._expr cimport holds, plain_context
from lkicore._guise cimport Guise, put_on, take_off
from lkicore._help cimport help_of
from lkicore._hidden cimport cost_under
from lkicore._mana cimport can_pay
from lkicore._modes cimport modes_cost, some_mode
from lkicore._opcodes cimport *
from lkicore._player_rules cimport CLOSED
from lkicore._price cimport MOST_FREE_X, change_price, less_by_paid, price_of_manner, some_less
from lkicore._targets cimport has_targets
from lkicore._types cimport (FACE_ANNOUNCE, FACE_HAS_COST, FACE_INSTANT_SPEED, FACE_OTHER_COST, FACE_SURE,
                             FACE_X_TARGETS, NONE16, Face, Node)


cdef const Ability *mode_part(const Game *g, int ability, uint16_t info, int k) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef int i = -1
    while k >= 0:
        i = entry_next(g, info, RK_MODE, i + 1)
        if i < 0:
            return a
        k -= 1
    return ability_of(g, a.first_mode + chunk_refs(g, info)[i].row)


cdef int mode_parts(const Game *g, uint16_t info) noexcept nogil:
    cdef int n = 0
    cdef int i = 0
    while True:
        i = entry_next(g, info, RK_MODE, i)
        if i < 0:
            return n
        n += 1
        i += 1


cdef bint has_modes(Game *g, Ctx *c, const Ability *a) noexcept nogil:
    """Enough modes whose targets can be chosen (CR 700.2a)."""
    cdef int k
    cdef int n = 0
    cdef const Ability *m
    for k in range(a.n_modes):
        m = ability_of(g, a.first_mode + k)
        if has_targets(g, c, m.first_target, m.n_targets):
            n += 1
            if n >= a.least_modes:
                return True
    return a.least_modes == 0


cdef bint can_choose(Game *g, Ctx *c, int ability) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    if a.n_modes:
        return has_modes(g, c, a)
    return a.n_targets == 0 or has_targets(g, c, a.first_target, a.n_targets)


cdef bint announceable(Game *g, uint16_t row, const Face *f, int player, const Manner *m) noexcept nogil:
    """Castable in this manner, with all that may be asked for."""
    cdef Ctx c
    cdef Price price
    cdef Changed d
    cdef int spell = announced_spell(g, row, m)
    cdef int n_x = price_of_manner(f, m, &price)
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    c.self_id = g.id[row]
    if (g.h.casting | f.casts_itself) & (1 << CA_LESS | 1 << CA_MORE | 1 << CA_LEAST):
        price_changes(g, row, player, f, &c, &d)
        change_price(&price, &d)
    price.help = help_of(f.keywords)
    price.spell = row
    price.more += commander_tax(g, row)
    if less_by_paid(m.own):
        if not some_less(g, &c, m.own, &price):
            return False
    elif not find_payment(g, player, &price, 0):
        return False
    if not parts_payable(g, &c, f.first_cost, f.n_costs):
        return False
    if m.own != NULL and m.own.n_costs and not parts_payable(g, &c, m.own.first_cost, m.own.n_costs):
        return False
    if m.permit != NULL and m.permit.n_costs and not parts_payable(g, &c, m.permit.first_cost, m.permit.n_costs):
        return False
    if spell != NONE16 and modes_cost(ability_of(g, spell)):
        return some_mode(g, &c, spell, &price, player)
    if spell == NONE16 or can_choose(g, &c, spell):
        return True
    return n_x and f.flags & FACE_X_TARGETS and some_x(g, &c, &price, n_x, spell, player)


cdef bint some_x(Game *g, Ctx *c, const Price *price, int n_x, int ability, int player) noexcept nogil:
    """Some X that the player can pay gives the targets that ask for it a choice."""
    cdef Price more = price[0]
    cdef int x = 0
    while x < MOST_FREE_X:
        x += 1
        more = price[0]
        more.mana.hi += <uint64_t>(x * n_x) << 32
        if not find_payment(g, player, &more, 0):
            return False
        c.x = <int16_t>x
        if can_choose(g, c, ability):
            return True
    return False


cdef bint plain_targets(Game *g, uint16_t row, const Face *f, int player) noexcept nogil:
    """It has targets, if it asks for any."""
    cdef Ctx c
    if f.n_targets == 0 or (f.flags & FACE_SURE and g.h.player_facts & CLOSED == 0):
        return True
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    c.self_id = g.id[row]
    return has_targets(g, &c, f.first_target, f.n_targets)


cdef bint castable_usually(Game *g, uint16_t row, const Face *f, int player) noexcept nogil:
    """In no way of its own and by no permission, with all that is asked or changes the price."""
    cdef Manner usual
    if (g.h.casting | f.casts_itself) >> CA_FORBID & 1 and forbidden(g, row, player):
        return False
    usual.own = NULL
    usual.permit = NULL
    return announceable(g, row, f, player, &usual)


cdef bint castable_ruled(Game *g, uint16_t row, const Face *f, int player) noexcept nogil:
    """`castable` where more than cost and time of the card itself can decide (USE_CASTING)."""
    cdef bint changed = g.h.casting or g.h.n_special or commander_tax(g, row)
    if f.flags & FACE_ANNOUNCE or changed:
        # Where nothing makes it cheaper, or helps to pay, the mana decides first.
        if (f.n_hybrid == 0 and not f.flags & FACE_OTHER_COST
                and (g.h.casting | g.h.n_special | f.casts_itself) == 0 and not can_pay(g, player, &f.cost)):
            return False
        return castable_usually(g, row, f, player)
    # (With mana abilities that are more than plain, `h.casting` is not 0.)
    return can_pay(g, player, &f.cost) and plain_targets(g, row, f, player)


cdef bint more_to_say(Game *g, uint16_t row, const Face *f, int player) noexcept nogil:
    """Its flat mana cost can be paid; so can the rest, and there are modes and targets."""
    cdef const Ability *a
    cdef Ctx c
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    c.self_id = g.id[row]
    if f.n_costs and not parts_payable(g, &c, f.first_cost, f.n_costs):
        return False
    if f.spell == NONE16:
        return True
    a = ability_of(g, f.spell)
    if f.flags & FACE_X_TARGETS or modes_cost(a):
        return castable_usually(g, row, f, player)
    return can_choose(g, &c, f.spell)


cdef bint castable(Game *g, uint16_t row, int player) noexcept nogil:
    cdef const Face *f = face_of(g, g.defn[row])
    if not f.flags & FACE_HAS_COST or split_second(g):
        return False
    if g.h.uses & USE_CASTING:
        return castable_ruled(g, row, f, player)
    if f.n_hybrid:
        return castable_usually(g, row, f, player)
    return can_pay(g, player, &f.cost) and (
        more_to_say(g, row, f, player) if f.flags & FACE_ANNOUNCE else plain_targets(g, row, f, player))


cdef bint castable_in(Game *g, uint16_t row, int player, int own, int permit) noexcept nogil:
    cdef Manner m
    cdef const Face *f
    cdef bint can
    cdef Guise guise
    manner_by(g, own, permit, &m)
    f = announced_face(g, row, &m)
    if m.own != NULL and m.own.face != NONE16:
        # CR 601.3e, 708.4, 709.3b: it is asked about what it would be on the stack.
        put_on(g, row, m.own.face, &guise)
        can = castable_as(g, row, player, f, &m)
        take_off(g, &guise)
        return can
    return castable_as(g, row, player, f, &m)


cdef bint castable_as(Game *g, uint16_t row, int player, const Face *f, const Manner *m) noexcept nogil:
    """It can be cast as this face in this manner."""
    cdef Ctx c
    if split_second(g):
        return False
    if f.layout == LO_SPLIT and not f.back and (g.zone[row] != Z_HAND or not f.flags & FACE_HAS_COST):
        return False  # CR 709.3, 702.102a: a half is cast, but for fuse
    if f.types & T_LAND or (g.h.casting | f.casts_itself) >> CA_FORBID & 1 and forbidden(g, row, player):
        return False
    # CR 118.6: what has no mana cost can be cast only for another one.
    if not f.flags & FACE_HAS_COST and not (
            m.own != NULL and m.own.flags & WF_COST or m.permit != NULL and m.permit.flags & WF_COST):
        return False
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    if (m.own != NULL and not holds(g, &c, m.own.condition)) or (
            m.permit != NULL and not holds(g, &c, m.permit.condition)):
        return False
    return announceable(g, row, f, player, m)


cdef bint in_time(Game *g, uint16_t row, const Ability *a, int ability, int player) noexcept nogil:
    """CR 602.5, 606.3: when it can be activated."""
    cdef int k, used
    if a.timing & TM_SPECIAL and not (face_of(g, g.defn[row]).flags & FACE_INSTANT_SPEED or sorcery_time(g, player)):
        return False
    if a.timing & TM_SORCERY and not (player == g.h.active and g.h.n_stack == 0
                                      and (g.h.step == STEP_MAIN1 or g.h.step == STEP_MAIN2)):
        return False
    if a.timing & TM_YOUR_TURN and player != g.h.active:
        return False
    if a.timing & TM_UPKEEP and (player != g.h.active or g.h.step != STEP_UPKEEP):
        return False
    if a.timing & TM_COMBAT and not STEP_BEGIN_COMBAT <= g.h.step <= STEP_END_COMBAT:
        return False
    if a.timing & (TM_ONCE | TM_LOYALTY) and g.extra[row]:
        k = entry_next(g, g.extra[row], RK_USED, 0)
        while k >= 0:
            used = chunk_refs(g, g.extra[row])[k].row
            # CR 606.3: no loyalty ability of this permanent has been activated this turn.
            if used == ability or a.timing & ability_of(g, used).timing & TM_LOYALTY:
                return False
            k = entry_next(g, g.extra[row], RK_USED, k + 1)
    return True


cdef bint can_turn_up(Game *g, uint16_t row, const Ability *a, int player) noexcept nogil:
    """CR 116.2b, 702.37e: a special action, whenever its player has priority; split second doesn't hinder it."""
    cdef const Face *f = cost_under(g, row, a)
    cdef Price price
    cdef Ctx c
    if not g.status[row] & ST_FACE_DOWN or g.zone[row] != Z_BATTLEFIELD:
        return False
    price_plain(&price)
    price.mana = a.cost if f == NULL else f.cost
    price.hybrid = a.hybrid if f == NULL else f.hybrid
    price.n_hybrid = a.n_hybrid if f == NULL else f.n_hybrid
    if not find_payment(g, player, &price, 0):
        return False
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    return a.n_costs == 0 or parts_payable(g, &c, a.first_cost, a.n_costs)


cdef bint some_counter(const Game *g, uint16_t row, const Ability *a) noexcept nogil:
    """X counters can be removed, and X can't be 0."""
    cdef const Node *part
    cdef int i
    for i in range(a.n_costs):
        part = &g.cards.costs[a.first_cost + i]
        if part.op == CP_REMOVE_COUNTERS and part.b < 0 and counters_on(g, row, part.a) < 1:
            return False
    return True


cdef bint payable_cost(Game *g, uint16_t row, const Ability *a, int player) noexcept nogil:
    """The mana part of an activation cost."""
    cdef Price price
    # {T} among the costs keeps the source from tapping for mana as well.
    cdef uint16_t without = row if a.cost_flags & CO_TAP else 0
    if a.n_hybrid == 0 and not a.cost_flags & CO_SOME_X:
        return payable(g, player, &a.cost, without, 0)
    price_plain(&price)
    price.mana = a.cost
    price.hybrid = a.hybrid
    price.n_hybrid = a.n_hybrid
    if a.cost_flags & CO_SOME_X:
        price.mana.hi += <uint64_t>a.n_x << 32
    return find_payment(g, player, &price, without)


cdef bint can_begin(Game *g, uint16_t row, const Ability *a, int ability, int player) noexcept nogil:
    """Its condition holds, what it costs besides mana can be paid, and it has targets."""
    cdef Ctx c
    cdef Price price
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    c.cost_flags = a.cost_flags
    if a.condition >= 0 and not holds(g, &c, a.condition):
        return False
    if a.n_costs and not parts_payable(g, &c, a.first_cost, a.n_costs):
        return False
    if can_choose(g, &c, ability):
        return True
    if a.n_x == 0:
        return False
    price_plain(&price)
    price.mana = a.cost
    price.hybrid = a.hybrid
    price.n_hybrid = a.n_hybrid
    return some_x(g, &c, &price, a.n_x, ability, player)


cdef inline bint hindered(Game *g, uint16_t row, int player) noexcept nogil:
    return split_second(g) or (g.h.casting >> CA_FORBID_ACTIVATE & 1 and cant_activate(g, row, player))


cdef inline bint can_be_paid(Game *g, uint16_t row, const Ability *a, int ability, int player) noexcept nogil:
    """With its mana paid."""
    cdef int paid
    if a.sure and (a.n_targets == 0 or g.h.player_facts & CLOSED == 0):
        if a.n_costs == 0:
            return True
        if a.n_costs == 1 and not a.cost_flags & CO_SACRIFICE:
            paid = plain_sacrifice(g, &g.cards.costs[a.first_cost], row, player)
            if paid >= 0:
                return paid
    return can_begin(g, row, a, ability, player)


cdef bint activatable_oddly(Game *g, uint16_t row, const Ability *a, int ability, int player) noexcept nogil:
    if a.kind == AB_TURN_UP:
        return can_turn_up(g, row, a, player)
    if not at_hand(g, row, a) or (a.kind != AB_MANA and hindered(g, row, player)):
        return False
    if a.timing and not in_time(g, row, a, ability, player):
        return False
    if a.cost_flags & CO_SOME_X and not some_counter(g, row, a):
        return False
    if (a.cost.hi or a.n_hybrid or a.cost_flags & CO_SOME_X) and not payable_cost(g, row, a, player):
        return False
    return can_be_paid(g, row, a, ability, player)


cdef bint activatable_fully(Game *g, uint16_t row, const Ability *a, int ability, int player) noexcept nogil:
    # {T} among the costs keeps the source from tapping for mana as well.
    return ((not a.timing or in_time(g, row, a, ability, player)) and not hindered(g, row, player)
            and (a.cost.hi == 0 or payable(g, player, &a.cost, row if a.cost_flags & CO_TAP else 0, 0))
            and can_be_paid(g, row, a, ability, player))
