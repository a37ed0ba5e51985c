"""Announcing spells and abilities.

A cast or activation announces into its frame and changes nothing else until the whole is legal and payable: an illegal
one has nothing to undo (CR 733). Every choice offers only what can be completed to a legal whole.

    frame: obj the card, or the source | b ability, -1 none | a X | list targets | info modes, optional costs, paid
    objects, the trigger's event | step STEP_* | c part, specification and number of it that come next | d the next
    optional cost; F_TRIGGER: what the source was
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport ability_of, entry_next, extra_add
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._costs cimport Price, find_payment, offer_cost, parts_payable, pay_parts, plain_sacrifice
from lkicore._damage cimport change_life
from lkicore._defs cimport face_of
from lkicore._entries cimport entry_push, event_context
from lkicore._expr cimport Ctx, holds, plain_context
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, drop_frame, open_choice, pop_frame, push_frame,
                            top_frame)
from lkicore._history cimport log_event
from lkicore._layout cimport Frame, Game, Option, Ref, StackEntry, Trigger
from lkicore._mana cimport can_pay, can_pay_exact, cost_pips, cost_total, pay_auto, pool_pays, pool_spend, tap_for_mana
from lkicore._opcodes cimport *
from lkicore._status cimport tap, untap
from lkicore._store cimport trace, zone_first
from lkicore._targets cimport has_targets, least_of, most_of, offer_targets
from lkicore._triggers cimport happened, heard, take_trigger
from lkicore._types cimport (FACE_ANNOUNCE, FACE_EASY, FACE_HAS_COST, FACE_SURE, FACE_X_TARGETS, Ability, Face, Mana,
                             NONE16, OptionalCost, TargetSpec)
from lkicore._zones cimport TO_END, make_ability, move_one, sacrifice_group

cdef enum:
    STEP_MODES = 0
    STEP_KICK = 1
    STEP_X = 2
    STEP_TARGETS = 3
    STEP_COSTS = 4
    STEP_PAY = 5
    STEP_FINISH = 6

cdef enum:
    # Where mana is waived, any X could be paid: the options end here, as a list has to end somewhere.
    MOST_FREE_X = 20
    MOST_TIMES = 20   # a multikicker cost is paid
    OWN_COST = 0      # numbers of cost parts: those of the spell or ability itself,
    KICK_COST = 16    # and of optional cost k from KICK_COST * (k + 1) on


# ------------------------------------------------------------------------------------------------ parts

cdef const Ability *part_of(const Game *g, int ability, uint16_t info, int k) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef int i = -1
    if a.n_modes == 0:
        return a
    while k >= 0:
        i = entry_next(g, info, RK_MODE, i + 1)
        if i < 0:
            return a
        k -= 1
    return ability_of(g, a.first_mode + chunk_refs(g, info)[i].row)


cdef int parts_of(const Game *g, int ability, uint16_t info) noexcept nogil:
    cdef int n = 0
    cdef int i = 0
    if ability_of(g, ability).n_modes == 0:
        return 1
    while True:
        i = entry_next(g, info, RK_MODE, i)
        if i < 0:
            return n
        n += 1
        i += 1


cdef void context_of(const Game *g, const Frame *f, Ctx *c) noexcept nogil:
    plain_context(g, f.obj_row, f.obj_id, f.player, c)
    # The spell can't target itself (CR 115.5). An ability's source is another object than the ability, which is not
    # there yet.
    c.self_row = f.obj_row
    c.self_id = f.obj_id if f.kind == F_CAST else 0
    c.targets = f.list
    c.x = <int16_t>f.a
    if f.kind == F_TRIGGER:
        event_context(g, f.info, c)
    elif f.kind == F_ACTIVATE:
        c.cost_flags = ability_of(g, f.b).cost_flags


# ------------------------------------------------------------------------------------------------ can it be announced

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


cdef bint announceable(Game *g, uint16_t row, const Face *f, int player) noexcept nogil:
    """Castable, of a face that asks for more than targets and plain mana; what is plain can be paid."""
    cdef Ctx c
    cdef Price price
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    c.self_id = g.id[row]
    price.mana = f.cost
    price.hybrid = f.hybrid
    price.n_hybrid = f.n_hybrid
    if f.n_hybrid and not find_payment(g, player, &price, 0):
        return False
    if not parts_payable(g, &c, f.first_cost, f.n_costs):
        return False
    if f.spell == NONE16 or ability_of(g, f.spell).sure or can_choose(g, &c, f.spell):
        return True
    return f.flags & FACE_X_TARGETS and some_x(g, &c, &price, f.n_x, f.spell, player)


cdef bint some_x(Game *g, Ctx *c, const Price *price, int n_x, int ability, int player) noexcept nogil:
    """Some X that the player can pay gives the targets that ask for it a choice."""
    cdef Price more
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


cdef bint castable(Game *g, uint16_t row, int player) noexcept nogil:
    cdef const Face *f = face_of(g, g.defn[row])
    cdef Ctx c
    if not f.flags & FACE_HAS_COST:
        return False
    if f.n_hybrid == 0 and not can_pay(g, player, &f.cost):
        return False
    if f.flags & FACE_ANNOUNCE:
        return announceable(g, row, f, player)
    if f.n_targets == 0 or f.flags & FACE_SURE:
        return True
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    c.self_id = g.id[row]
    return has_targets(g, &c, f.first_target, f.n_targets)


cdef bint in_time(Game *g, uint16_t row, const Ability *a, int ability, int player) noexcept nogil:
    """CR 602.5: when it can be activated."""
    cdef int k
    if a.timing & TM_SORCERY and not (player == g.h.active and g.h.n_stack == 0
                                      and (g.h.step == STEP_MAIN1 or g.h.step == STEP_MAIN2)):
        return False
    if a.timing & TM_YOUR_TURN and player != g.h.active:
        return False
    if a.timing & TM_UPKEEP and (player != g.h.active or g.h.step != STEP_UPKEEP):
        return False
    if a.timing & TM_COMBAT and not STEP_BEGIN_COMBAT <= g.h.step <= STEP_END_COMBAT:
        return False
    if a.timing & TM_ONCE and g.extra[row]:
        k = entry_next(g, g.extra[row], RK_USED, 0)
        while k >= 0:
            if chunk_refs(g, g.extra[row])[k].row == ability:
                return False
            k = entry_next(g, g.extra[row], RK_USED, k + 1)
    return True


cdef bint activatable(Game *g, uint16_t row, int ability, int player) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef Ctx c
    cdef Price price
    cdef int paid
    if not a.zones >> g.zone[row] & 1:
        return False
    if a.cost_flags & (CO_TAP | CO_UNTAP):
        if ((g.status[row] & ST_TAPPED) != 0) == ((a.cost_flags & CO_TAP) != 0):
            return False
        if g.status[row] & ST_SICK and g.types[row] & T_CREATURE and not g.keywords[row] & K_HASTE:
            return False  # CR 302.6
    if a.timing and not in_time(g, row, a, ability, player):
        return False
    if a.cost.hi or a.n_hybrid:
        price.mana = a.cost
        price.hybrid = a.hybrid
        price.n_hybrid = a.n_hybrid
        # {T} among the costs keeps the source from tapping for mana as well.
        if not find_payment(g, player, &price, row if a.cost_flags & CO_TAP else 0):
            return False
    if a.sure:
        if a.n_costs == 0:
            return True
        if a.n_costs == 1 and not a.cost_flags & CO_SACRIFICE:
            paid = plain_sacrifice(g, a.first_cost, row, player)
            if paid >= 0:
                return paid
    plain_context(g, row, g.id[row], player, &c)
    c.self_row = row
    c.cost_flags = a.cost_flags
    if a.condition >= 0 and not holds(g, &c, a.condition):
        return False
    if a.n_costs and not parts_payable(g, &c, a.first_cost, a.n_costs):
        return False
    return can_choose(g, &c, ability)


# ------------------------------------------------------------------------------------------------ the price

cdef void price_of(const Game *g, const Frame *f, Price *price) noexcept nogil:
    """Total cost (CR 601.2f): the printed one, the chosen X, optional costs."""
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const Ability *a
    cdef const OptionalCost *o
    cdef int xs, i
    if f.kind == F_ACTIVATE:
        a = ability_of(g, f.b)
        price.mana = a.cost
        price.hybrid = a.hybrid
        price.n_hybrid = a.n_hybrid
        xs = a.n_x
    else:
        price.mana = face.cost
        price.hybrid = face.hybrid
        price.n_hybrid = face.n_hybrid
        xs = face.n_x
    price.mana.hi += <uint64_t>(xs * f.a) << 32
    i = entry_next(g, f.info, RK_KICKED, 0)
    while i >= 0:
        o = &g.cards.optional[face.first_optional + chunk_refs(g, f.info)[i].row]
        price.mana.lo += o.cost.lo * chunk_refs(g, f.info)[i].id
        price.mana.hi += o.cost.hi * chunk_refs(g, f.info)[i].id
        i = entry_next(g, f.info, RK_KICKED, i + 1)


cdef inline uint16_t without_of(const Game *g, const Frame *f) noexcept nogil:
    """The source that can't be tapped for mana, as it taps for the cost itself (CR 602.2b); 0 none."""
    return f.obj_row if f.kind == F_ACTIVATE and ability_of(g, f.b).cost_flags & CO_TAP else 0


cdef int most_x(Game *g, const Frame *f) noexcept nogil:
    """Greatest X that the player can pay."""
    cdef Price price
    cdef Frame trial = f[0]
    if g.h.options_mask & EO_PAY_FREE:
        return MOST_FREE_X
    trial.a = 0
    while trial.a < 1000:
        trial.a += 1
        price_of(g, &trial, &price)
        if not find_payment(g, f.player, &price, without_of(g, f)):
            return trial.a - 1
    return trial.a


# ------------------------------------------------------------------------------------------------ beginning

cdef void begin_cast(Game *g, uint16_t row, int player) noexcept nogil:
    cdef Frame *f = push_frame(g, F_CAST, player)
    f.obj_row = row
    f.obj_id = g.id[row]
    f.b = -1 if face_of(g, g.defn[row]).spell == NONE16 else face_of(g, g.defn[row]).spell


cdef void begin_activate(Game *g, uint16_t row, int ability, int player) noexcept nogil:
    cdef Frame *f = push_frame(g, F_ACTIVATE, player)
    f.obj_row = row
    f.obj_id = g.id[row]
    f.b = ability


cdef void begin_trigger(Game *g, int number) noexcept nogil:
    cdef Trigger t = take_trigger(g, number)
    cdef Frame *f = push_frame(g, F_TRIGGER, t.controller)
    f.obj_row = t.source_row
    f.obj_id = t.source_id
    f.b = t.ability
    f.a = t.x
    f.d = t.defn
    if t.object_id:
        f.info = refs_add(g, f.info, t.object_id, t.object_row, RK_EVENT_OBJECT)
    if t.other_id:
        f.info = refs_add(g, f.info, t.other_id, t.other_row, RK_EVENT_OTHER)
    if t.player != NO_PLAYER:
        f.info = refs_add(g, f.info, 0, t.player, RK_EVENT_PLAYER)
    if t.amount:
        f.info = refs_add(g, f.info, <uint32_t><uint16_t>t.amount, 0, RK_EVENT_AMOUNT)


# ------------------------------------------------------------------------------------------------ choices

cdef bint ask_modes(Game *g, Frame *f, Ctx *c) noexcept nogil:
    """CR 601.2b, 700.2: modes in printed order, each once; true while a choice is open."""
    cdef const Ability *a = ability_of(g, f.b)
    cdef const Ability *m
    cdef int chosen = parts_of(g, f.b, f.info)
    cdef int k, j
    cdef int after = -1
    cdef int more
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).kind
        j = answer_of(g).num
        g.h.answer = NO_ANSWER
        if k == O_DONE:
            return False
        f.info = refs_add(g, f.info, 0, <uint16_t>j, RK_MODE)
        chosen += 1
    if chosen >= a.most_modes:
        return False
    j = entry_next(g, f.info, RK_MODE, 0)
    while j >= 0:
        after = chunk_refs(g, f.info)[j].row
        j = entry_next(g, f.info, RK_MODE, j + 1)
    open_choice(g, CH_MODE, f.player)
    # From behind: a mode can be chosen if enough possible ones come after it.
    for k in range(after + 1, a.n_modes):
        m = ability_of(g, a.first_mode + k)
        if not has_targets(g, c, m.first_target, m.n_targets):
            continue
        more = 0
        for j in range(k + 1, a.n_modes):
            m = ability_of(g, a.first_mode + j)
            if has_targets(g, c, m.first_target, m.n_targets):
                more += 1
        if chosen + 1 + more >= a.least_modes:
            add_option(g, O_MODE, 0, k, NO_PLAYER)
    if chosen >= a.least_modes:
        add_option(g, O_DONE, 0, 0, NO_PLAYER)
    if g.h.n_options:
        return True
    g.h.choice = CH_NONE
    return False


cdef bint kick_payable(Game *g, Frame *f, Ctx *c, int k, int times) noexcept nogil:
    """The optional cost could be paid once more, together with all that is to be paid already."""
    cdef const OptionalCost *o = &g.cards.optional[face_of(g, g.defn[f.obj_row]).first_optional + k]
    cdef Price price
    price_of(g, f, &price)
    price.mana.lo += o.cost.lo
    price.mana.hi += o.cost.hi
    return find_payment(g, f.player, &price, 0) and parts_payable(g, c, o.first_cost, o.n_costs)


cdef bint ask_kicks(Game *g, Frame *f, Ctx *c) noexcept nogil:
    """CR 601.2b, 702.33: each optional cost, once or several times; true while a choice is open. f.d: which one."""
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const OptionalCost *o
    cdef int i
    cdef bint yes
    if g.h.answer != NO_ANSWER:
        yes = answer_of(g).kind == O_YES
        g.h.answer = NO_ANSWER
        o = &g.cards.optional[face.first_optional + f.d]
        if yes:
            i = kicked(g, f.info, f.d)
            if i >= 0:
                chunk_refs(g, f.info)[i].id += 1
            else:
                f.info = refs_add(g, f.info, 1, <uint16_t>f.d, RK_KICKED)
        if not yes or not o.several:
            f.d += 1
    while f.d < face.n_optional:
        i = kicked(g, f.info, f.d)
        if (i < 0 or chunk_refs(g, f.info)[i].id < MOST_TIMES) and kick_payable(g, f, c, f.d, 0):
            open_choice(g, CH_KICK, f.player)
            add_option(g, O_NO, 0, f.d, NO_PLAYER)
            add_option(g, O_YES, 0, f.d, NO_PLAYER)
            return True
        f.d += 1
    return False


cdef int kicked(const Game *g, uint16_t info, int k) noexcept nogil:
    """The entry that says how often optional cost k is paid, -1 none."""
    cdef int i = entry_next(g, info, RK_KICKED, 0)
    while i >= 0 and chunk_refs(g, info)[i].row != k:
        i = entry_next(g, info, RK_KICKED, i + 1)
    return i


cdef bint ask_targets(Game *g, Frame *f, Ctx *c) noexcept nogil:
    """CR 601.2c: target after target; true while a choice is open.

    f.c: specification of the part (8 bits), number of targets chosen for it (16), part (8).
    """
    cdef const Ability *a
    cdef const TargetSpec *t
    cdef Option *o
    cdef int parts = parts_of(g, f.b, f.info)
    cdef int spec = f.c & 0xFF
    cdef int have = f.c >> 8 & 0xFFFF
    cdef int part = f.c >> 24 & 0xFF
    cdef int base, k
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        base = base_of(g, f, part)
        if o.kind == O_DONE:
            spec += 1
            have = 0
        else:
            k = chunk_len(g, f.list)
            if o.kind == O_PLAYER:
                f.list = refs_add(g, f.list, 0, o.player, RK_PLAYER)
            else:
                f.list = refs_add(g, f.list, o.id, o.row, RK_OBJECT)
            if chunk_len(g, f.list) > k:
                chunk_refs(g, f.list)[k].flags = <uint8_t>((base + spec) << 1)
            f.n += 1
            have += 1
    while part < parts:
        a = part_of(g, f.b, f.info, part)
        base = base_of(g, f, part)
        while spec < a.n_targets:
            t = &g.cards.targets[a.first_target + spec]
            c.targets = f.list
            c.spec = <uint8_t>base
            if have < most_of(c, t):
                f.c = spec | have << 8 | part << 24
                offer_targets(g, c, a.first_target, a.n_targets, spec, base, f.player, have >= least_of(c, t))
                f.list = c.targets
                if g.h.n_options == 1 and g.option[0].kind == O_DONE:
                    # Nothing (more) to choose.
                    g.h.choice = CH_NONE
                    g.h.n_options = 0
                elif g.h.n_options:
                    return True
                elif have < least_of(c, t):
                    return True  # lost with a player who left: taken back (CR 733.1)
            spec += 1
            have = 0
        spec = 0
        part += 1
    return False


cdef int base_of(const Game *g, const Frame *f, int part) noexcept nogil:
    """Number of a part's first target specification among those of all parts."""
    cdef int n = 0
    cdef int k
    for k in range(part):
        n += part_of(g, f.b, f.info, k).n_targets
    return n


cdef bint ask_costs(Game *g, Frame *f, Ctx *c) noexcept nogil:
    """What the costs are paid with (CR 601.2h); true while a choice is open."""
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const OptionalCost *o
    cdef const Ability *a
    cdef int i, n
    if g.h.answer != NO_ANSWER:
        n = chunk_len(g, f.info)
        f.info = refs_add(g, f.info, answer_of(g).id, answer_of(g).row, RK_PAID)
        if chunk_len(g, f.info) > n:
            chunk_refs(g, f.info)[n].flags = <uint8_t>answer_of(g).num
        g.h.answer = NO_ANSWER
    if f.kind == F_CAST and not face.flags & FACE_ANNOUNCE:
        return False
    if f.kind == F_ACTIVATE:
        a = ability_of(g, f.b)
        return a.n_costs and offer_cost(g, c, a.first_cost, a.n_costs, OWN_COST, f.info)
    if face.n_costs and offer_cost(g, c, face.first_cost, face.n_costs, OWN_COST, f.info):
        return True
    i = entry_next(g, f.info, RK_KICKED, 0)
    while i >= 0:
        n = chunk_refs(g, f.info)[i].row
        o = &g.cards.optional[face.first_optional + n]
        if o.n_costs and offer_cost(g, c, o.first_cost, o.n_costs, KICK_COST * (n + 1), f.info):
            return True
        i = entry_next(g, f.info, RK_KICKED, i + 1)
    return False


# ------------------------------------------------------------------------------------------------ done

cdef void trace_targets(Game *g, uint16_t list) noexcept nogil:
    cdef int i
    cdef Ref *t
    for i in range(chunk_len(g, list)):
        t = &chunk_refs(g, list)[i]
        trace(g, TR_TARGET, i, -1 - t.row if t.kind == RK_PLAYER else g.defn[t.row], 0, 0, t.id)


cdef void tell_targets(Game *g, uint16_t list, uint16_t row, int player) noexcept nogil:
    """What becomes a target triggers when the spell or ability is on the stack (CR 601.2i, 603.2)."""
    cdef Ref r
    cdef int i
    for i in range(chunk_len(g, list)):
        r = chunk_refs(g, list)[i]
        if r.kind == RK_OBJECT and heard(g, EV_TARGETED):
            happened(g, EV_TARGETED, r.row, r.id, row, g.id[row], player, 0, 0)
        elif r.kind == RK_PLAYER and heard(g, EV_PLAYER_TARGETED):
            happened(g, EV_PLAYER_TARGETED, row, g.id[row], row, g.id[row], r.row, 0, 0)


cdef inline void count_act(Game *g, int player) noexcept nogil:
    if g.p_acts[player] < 255:
        g.p_acts[player] += 1


cdef void finish_cast(Game *g, Frame *f, Price *price) noexcept nogil:
    """CR 601.2a, h, i: the card becomes a spell on the stack; costs besides mana are paid."""
    cdef uint16_t row = f.obj_row
    cdef uint16_t targets = f.list
    cdef uint16_t info = f.info
    cdef int player = f.player
    cdef int x = f.a
    cdef const Face *face = face_of(g, g.defn[row])
    cdef const OptionalCost *o
    cdef StackEntry *e
    cdef Ctx c
    cdef int i, n
    # While the card moves, nothing that a mark pass walks holds the two lists. What they refer to is all still there:
    # mana comes from tapping alone, and other costs are paid below.
    f.list = 0
    f.info = 0
    pop_frame(g)
    move_one(g, row, Z_STACK, TO_END)
    e = entry_push(g, row, player)
    e.targets = targets
    e.x = <int16_t>x
    g.extra[row] = info
    count_act(g, player)
    trace(g, TR_CAST, player, row, g.defn[row], x, g.id[row])
    if g.trace != NULL:
        trace_targets(g, targets)
    log_event(g, H_CAST, player, row, g.id[row], 0, 0, 0)
    if face.flags & FACE_ANNOUNCE:
        plain_context(g, row, g.id[row], player, &c)
        c.self_row = row
        c.self_id = g.id[row]
        c.x = <int16_t>x
        if price.life:
            change_life(g, player, -price.life)
        if face.n_costs:
            pay_parts(g, &c, face.first_cost, face.n_costs, OWN_COST, info)
        i = entry_next(g, info, RK_KICKED, 0)
        while i >= 0:
            n = chunk_refs(g, info)[i].row
            o = &g.cards.optional[face.first_optional + n]
            if o.n_costs:
                pay_parts(g, &c, o.first_cost, o.n_costs, KICK_COST * (n + 1), info)
            i = entry_next(g, info, RK_KICKED, i + 1)
    if g.h.listening:
        if heard(g, EV_CAST):
            happened(g, EV_CAST, row, g.id[row], 0, 0, player, 0, 0)
        tell_targets(g, targets, row, player)
    g.h.passes = 0
    g.h.priority = <uint8_t>player  # CR 117.3c


cdef uint16_t push_ability(Game *g, Frame *f, uint16_t face, int flags) noexcept nogil:
    """The ability is an object on the stack, independent of its source (CR 113.7a); its row, 0 no room."""
    cdef uint16_t source = f.obj_row
    cdef uint32_t source_id = f.obj_id
    cdef uint16_t targets = f.list
    cdef uint16_t info = f.info
    cdef int player = f.player
    cdef int ability = f.b
    cdef int x = f.a
    cdef uint16_t row
    cdef StackEntry *e
    f.list = 0
    f.info = 0
    pop_frame(g)
    row = make_ability(g, player, face)
    if row == 0:
        return 0
    e = entry_push(g, row, player)
    e.ability = <uint16_t>ability
    e.source_row = source
    e.source_id = source_id
    e.targets = targets
    e.flags = <uint8_t>flags
    e.x = <int16_t>x
    g.extra[row] = info
    return row


cdef void finish_activate(Game *g, Frame *f, Price *price) noexcept nogil:
    """CR 602.2: costs are paid, the ability is on the stack."""
    cdef uint16_t source = f.obj_row
    cdef uint32_t source_id = f.obj_id
    cdef uint16_t face = g.defn[source]
    cdef uint16_t targets = f.list
    cdef int player = f.player
    cdef int ability = f.b
    cdef const Ability *a = ability_of(g, ability)
    cdef uint16_t row
    cdef Ctx c
    if a.cost_flags & CO_TAP:
        tap(g, source)
    row = push_ability(g, f, face, 0)
    if row == 0:
        return
    count_act(g, player)
    trace(g, TR_ACTIVATE, player, face, ability, 0, g.id[row])
    if g.trace != NULL:
        trace_targets(g, targets)
    log_event(g, H_ACTIVATED, player, source, source_id, 0, 0, 0)
    if a.timing & TM_ONCE:
        extra_add(g, source, RK_USED, 0, <uint16_t>ability, 0)
        g.h.once = 1
    if a.cost_flags & CO_UNTAP:
        untap(g, source)
    if price.life:
        change_life(g, player, -price.life)
    if a.n_costs:
        plain_context(g, source, source_id, player, &c)
        c.self_row = row
        c.self_id = g.id[row]
        pay_parts(g, &c, a.first_cost, a.n_costs, OWN_COST, g.extra[row])
    if a.cost_flags & CO_SACRIFICE:
        sacrifice_group(g, &source, 1)
    if g.h.listening:
        if heard(g, EV_ACTIVATED):
            happened(g, EV_ACTIVATED, source, source_id, row, g.id[row], player, 0, 0)
        tell_targets(g, targets, row, player)
    g.h.passes = 0
    g.h.priority = <uint8_t>player


cdef void finish_trigger(Game *g, Frame *f) noexcept nogil:
    """CR 603.3: it is on the stack."""
    cdef uint16_t targets = f.list
    cdef int player = f.player
    cdef uint16_t row = push_ability(g, f, <uint16_t>f.d, SF_TRIGGERED)
    if row == 0:
        return
    if g.trace != NULL:
        trace_targets(g, targets)
    if g.h.listening:
        tell_targets(g, targets, row, player)


cdef void run_announce(Game *g) noexcept nogil:
    """A cast, activation or triggered ability goes on, step by step (CR 601.2b-i, 603.3c-d)."""
    cdef Frame *f = top_frame(g)
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const Ability *a = NULL
    cdef Ctx c
    cdef Price price
    cdef Frame *pay
    cdef int x
    cdef int n_x = face.n_x
    if f.b >= 0:
        a = ability_of(g, f.b)
    if f.kind == F_ACTIVATE:
        n_x = a.n_x
    elif f.kind == F_TRIGGER:
        n_x = 0
    context_of(g, f, &c)
    if f.step == STEP_MODES and f.kind == F_CAST and face.flags & FACE_EASY and n_x == 0:
        f.step = STEP_TARGETS if face.n_targets else STEP_COSTS
    if f.step == STEP_MODES:
        if a != NULL and a.n_modes:
            if ask_modes(g, f, &c):
                return
            if f.kind == F_TRIGGER and parts_of(g, f.b, f.info) < a.least_modes:
                drop_frame(g)  # CR 603.3c
                return
        f.step = STEP_KICK
    if f.step == STEP_KICK:
        if f.kind == F_CAST and face.n_optional and ask_kicks(g, f, &c):
            return
        f.step = STEP_X
    if f.step == STEP_X:
        if n_x and g.h.answer == NO_ANSWER:
            open_choice(g, CH_X, f.player)
            for x in range(most_x(g, f) + 1):
                c.x = <int16_t>x
                if f.b < 0 or can_choose(g, &c, f.b):
                    add_option(g, O_NUMBER, 0, x, NO_PLAYER)
            return
        if n_x:
            f.a = answer_of(g).num
            c.x = <int16_t>f.a
            g.h.answer = NO_ANSWER
        f.step = STEP_TARGETS
        if f.kind == F_TRIGGER and a.n_modes == 0 and a.n_targets:
            if not has_targets(g, &c, a.first_target, a.n_targets):
                drop_frame(g)  # CR 603.3d
                return
    if f.step == STEP_TARGETS:
        if a != NULL and ask_targets(g, f, &c):
            return
        f.step = STEP_COSTS
    if f.kind == F_TRIGGER:
        finish_trigger(g, f)
        return
    if f.step == STEP_COSTS:
        if ask_costs(g, f, &c):
            return
        f.step = STEP_PAY
    price_of(g, f, &price)
    price.life = 0
    if f.step == STEP_PAY:
        if price.n_hybrid and not find_payment(g, f.player, &price, without_of(g, f)):
            g.h.status = GS_FAULT
            return
        f.step = STEP_FINISH
        f.c = price.life
        if g.h.options_mask & EO_PAY_MANUAL and not g.h.options_mask & EO_PAY_FREE and cost_total(&price.mana):
            pay = push_frame(g, F_PAY, f.player)
            pay.obj_row = f.obj_row
            pay.obj_id = f.obj_id
            pay.a = <int>price.mana.lo
            pay.b = <int>(price.mana.lo >> 32)
            pay.c = <int>price.mana.hi
            pay.d = <int>(price.mana.hi >> 32)
            # {T} among the costs: the source can't also tap for mana (CR 602.2b).
            pay.n = 1 if f.kind == F_ACTIVATE and a.cost_flags & CO_TAP else 0
            return
        if f.kind == F_ACTIVATE and a.cost_flags & CO_TAP:
            tap(g, f.obj_row)
        if not pay_auto(g, f.player, &price.mana):
            g.h.status = GS_FAULT
            return
    price.life = f.c
    if f.kind == F_ACTIVATE:
        finish_activate(g, f, &price)
    else:
        finish_cast(g, f, &price)


cdef void run_pay(Game *g) noexcept nogil:
    """Manual payment (CR 601.2g-h): tap sources and spend mana, one choice at a time, each with the rest payable."""
    cdef Frame *f = top_frame(g)
    cdef Mana cost
    cdef Mana rest
    cdef Option *o
    cdef uint16_t row
    cdef int k, only, n
    cdef uint8_t mask
    cdef uint16_t amount
    cost.lo = <uint64_t><uint32_t>f.a | <uint64_t><uint32_t>f.b << 32
    cost.hi = <uint64_t><uint32_t>f.c | <uint64_t><uint32_t>f.d << 32
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind == O_MANA:
            tap_for_mana(g, o.row, o.num)
        else:
            pool_spend(g, f.player, &cost, o.num)
    while True:
        if cost_total(&cost) == 0:
            pop_frame(g)
            return
        if pool_pays(g, f.player, &cost):
            # Symbols first; what is left is generic, and the player says which mana pays it if there is a choice.
            n = 0
            only = -1
            for k in range(6):
                if cost_pips(&cost, k):
                    only = k
                    n = 1
                    break
                if g.p_pool[f.player * 6 + k]:
                    only = k
                    n += 1
            if n == 1 or g.p_pool_n[f.player] == cost_total(&cost):
                pool_spend(g, f.player, &cost, only)
                continue
        break
    f.a = <int>cost.lo
    f.b = <int>(cost.lo >> 32)
    f.c = <int>cost.hi
    f.d = <int>(cost.hi >> 32)
    open_choice(g, CH_PAY, f.player)
    if pool_pays(g, f.player, &cost):
        for k in range(6):
            if g.p_pool[f.player * 6 + k]:
                add_option(g, O_COLOR, 0, k, NO_PLAYER)
        return
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.mana_in[row] and g.controller[row] == f.player and not (f.n and row == f.obj_row):
            mask = g.mana_in[row]
            amount = face_of(g, g.defn[row]).mana_amount
            for k in range(6):
                if mask >> k & 1:
                    g.p_pool[f.player * 6 + k] += amount
                    g.p_pool_n[f.player] += amount
                    rest = cost
                    if can_pay_exact(g, f.player, &rest, row):
                        add_option(g, O_MANA, row, k, NO_PLAYER)
                    g.p_pool[f.player * 6 + k] -= amount
                    g.p_pool_n[f.player] -= amount
        row = g.znext[row]
