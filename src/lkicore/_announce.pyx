"""Announcing spells and abilities.

A cast or activation announces into its frame and changes nothing else until the whole is legal and payable: an illegal
one has nothing to undo (CR 733). Every choice offers only what can be completed to a legal whole.

    frame: obj the card, or the source | b ability, -1 none | a X | list targets | info way, modes, optional costs, paid
    objects, the trigger's event | step STEP_* | c part, specification and number of it that come next | d the next
    optional cost; F_TRIGGER: what the source was
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport ability_of, entry_next
from lkicore._allowed cimport can_choose, part_of, parts_of
from lkicore._arena cimport chunk_at, chunk_len, chunk_refs, refs_add
from lkicore._casting cimport Manner, announced_face, announced_spell, manner_by, manner_of
from lkicore._choosing cimport ask_division, ask_help, ask_symbols, divided_in_all, help_pays
from lkicore._costs cimport Price, find_payment, offer_cost, parts_payable, plain_price, price_plain
from lkicore._defs cimport face_of
from lkicore._entries cimport event_context
from lkicore._expr cimport Ctx, plain_context
from lkicore._finish cimport finish_activate, finish_cast, finish_trigger
from lkicore._guise cimport Guise, put_on, take_off
from lkicore._help cimport help_of
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, drop_frame, next_player, open_choice,
                            push_frame, top_frame)
from lkicore._layout cimport Frame, Option, Trigger
from lkicore._mana cimport cost_total, pay_auto, put_back, set_aside
from lkicore._modes cimport mode_parts, modes_cost, offer_modes
from lkicore._opcodes cimport *
from lkicore._payment cimport pay_mana
from lkicore._price cimport (KICK_COST, OWN_COST, WAY_COST, kicked, less_by_paid, most_x, price_of, without_of,
                             x_symbols)
from lkicore._status cimport tap
from lkicore._store cimport is_live, touched
from lkicore._targets cimport has_targets, least_of, most_of, offer_targets
from lkicore._triggers cimport take_trigger
from lkicore._types cimport FACE_ANNOUNCE, FACE_EASY, Ability, Face, NONE16, OptionalCost, TargetSpec, Way

cdef enum:
    MOST_TIMES = 20   # a multikicker cost is paid


cdef const Face *face_announced(const Game *g, const Frame *f) noexcept nogil:
    """The face that is being cast; of an ability, that of its source."""
    cdef Manner m
    if f.info == 0 or f.kind != F_CAST:
        return face_of(g, g.defn[f.obj_row])
    manner_of(g, f.info, &m)
    return announced_face(g, f.obj_row, &m)


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


cdef void begin_cast(Game *g, uint16_t row, int player, int own, int permit) noexcept nogil:
    cdef Frame *f = push_frame(g, F_CAST, player)
    cdef Manner m
    cdef int spell
    f.obj_row = row
    f.obj_id = g.id[row]
    if own < 0 and permit < 0:
        spell = face_of(g, g.defn[row]).spell
    else:
        f.info = refs_add(g, f.info, <uint32_t>(permit + 1), <uint16_t>own if own >= 0 else <uint16_t>NONE16, RK_WAY)
        manner_by(g, own, permit, &m)
        spell = announced_spell(g, row, &m)
    f.b = -1 if spell == NONE16 else spell


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
        if not has_targets(g, c, m.first_target, m.n_targets) or (modes_cost(a) and not mode_payable(g, f, c, k)):
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


cdef bint mode_payable(Game *g, Frame *f, const Ctx *c, int k) noexcept nogil:
    """The mode could be chosen besides, as far as costs go; the list is left as it was."""
    cdef Price price
    cdef int n = chunk_len(g, f.info)
    cdef bint pays
    if not mode_parts(g, c, f.b, f.info, k):
        return False
    f.info = refs_add(g, f.info, 0, <uint16_t>k, RK_MODE)
    if chunk_len(g, f.info) == n:
        return True  # no room: the step is lost anyway
    price_of(g, f, &price)
    pays = find_payment(g, f.player, &price, 0)
    chunk_at(g, f.info).n -= 1
    return pays


cdef bint kick_payable(Game *g, Frame *f, Ctx *c, int k, int times) noexcept nogil:
    """The optional cost could be paid once more, together with all that is to be paid already."""
    cdef const OptionalCost *o = &g.cards.optional[face_announced(g, f).first_optional + k]
    cdef Price price
    price_of(g, f, &price)
    price.mana.lo += o.cost.lo
    price.mana.hi += o.cost.hi
    return find_payment(g, f.player, &price, 0) and parts_payable(g, c, o.first_cost, o.n_costs)


cdef bint ask_kicks(Game *g, Frame *f, Ctx *c) noexcept nogil:
    """CR 601.2b, 702.33: each optional cost, once or several times; true while a choice is open. f.d: which one."""
    cdef const Face *face = face_announced(g, f)
    cdef const OptionalCost *o
    cdef int i, p
    cdef bint yes
    if g.h.answer != NO_ANSWER:
        yes = answer_of(g).kind != O_NO
        if answer_of(g).kind == O_PLAYER:
            i = chunk_len(g, f.info)
            f.info = refs_add(g, f.info, answer_of(g).player, 0, RK_CHOSEN)
            if chunk_len(g, f.info) > i:
                chunk_refs(g, f.info)[i].flags = CN_PLAYER
        g.h.answer = NO_ANSWER
        o = &g.cards.optional[face.first_optional + f.d]
        if yes:
            i = kicked(g, f.info, f.d)
            if i >= 0:
                chunk_refs(g, f.info)[i].id += 1
            else:
                i = chunk_len(g, f.info)
                f.info = refs_add(g, f.info, 1, <uint16_t>f.d, RK_KICKED)
                if chunk_len(g, f.info) > i:
                    chunk_refs(g, f.info)[i].flags = not o.kicker
        if not yes or not o.several:
            f.d += 1
    while f.d < face.n_optional:
        i = kicked(g, f.info, f.d)
        if (i < 0 or chunk_refs(g, f.info)[i].id < MOST_TIMES) and kick_payable(g, f, c, f.d, 0):
            open_choice(g, CH_KICK, f.player)
            add_option(g, O_NO, 0, f.d, NO_PLAYER)
            if not g.cards.optional[face.first_optional + f.d].promise:
                add_option(g, O_YES, 0, f.d, NO_PLAYER)
                return True
            p = next_player(g, f.player)
            while p != f.player:
                add_option(g, O_PLAYER, 0, f.d, p)  # CR 702.174a: an opponent
                p = next_player(g, p)
            return True
        f.d += 1
    return False


cdef bint one_more(Game *g, Frame *f, int spec) noexcept nogil:
    """The spell costs more for each target, and one more can be paid for (CR 601.2c, 601.2f)."""
    cdef Price price
    cdef int n = chunk_len(g, f.list)
    cdef bint pays
    f.list = refs_add(g, f.list, 0, 0, RK_OBJECT)
    if chunk_len(g, f.list) == n:
        return True  # no room: the step is lost anyway
    chunk_refs(g, f.list)[n].flags = <uint8_t>(spec << 1)
    price_of(g, f, &price)
    pays = find_payment(g, f.player, &price, without_of(g, f))
    chunk_at(g, f.list).n -= 1
    return pays


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
    cdef int base, k, most
    cdef const Face *face = face_announced(g, f)
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
            most = most_of(c, t)
            if t.divided >= 0:
                most = min(most, divided_in_all(g, c, t))  # CR 601.2d: each gets at least one
            if face.casts_itself >> CA_MORE & 1 and have >= least_of(c, t) and not one_more(g, f, base + spec):
                most = have
            c.targets = f.list
            if have < most:
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


cdef bint keep_payable(Game *g, Frame *f, const Way *way) noexcept nogil:
    """Of the permanents that a cost could be paid with, those stay that make it cheap enough; always true."""
    cdef Price price
    cdef int n = chunk_len(g, f.info)
    cdef int k = 0
    cdef int i
    cdef uint8_t counted
    cdef bint pays
    if g.option[0].num != WAY_COST:
        return True
    f.info = refs_add(g, f.info, 0, 0, RK_PAID)
    if chunk_len(g, f.info) == n:
        return True  # no room: the step is lost anyway
    chunk_refs(g, f.info)[n].flags = WAY_COST
    for i in range(<int>g.h.n_options):
        chunk_refs(g, f.info)[n].row = g.option[i].row
        chunk_refs(g, f.info)[n].id = g.option[i].id
        price_of(g, f, &price)
        counted = set_aside(g, g.option[i].row) if way.flags & WF_LESS_POWER else 0
        pays = find_payment(g, f.player, &price, 0)
        put_back(g, g.option[i].row, counted)
        if pays:
            g.option[k] = g.option[i]
            k += 1
    chunk_at(g, f.info).n -= 1
    g.h.n_options = k
    if k == 0:
        # What was chosen before has made it too dear: taken back (CR 733.1).
        g.h.choice = CH_NONE
        drop_frame(g)
    return True


cdef void tap_for_less(Game *g, const Frame *f, const Way *way) noexcept nogil:
    """What is tapped for the cost can't be tapped for mana besides."""
    cdef int i = entry_next(g, f.info, RK_PAID, 0)
    while i >= 0 and way.flags & WF_LESS_POWER:
        if chunk_refs(g, f.info)[i].flags == WAY_COST:
            tap(g, chunk_refs(g, f.info)[i].row)
        i = entry_next(g, f.info, RK_PAID, i + 1)


cdef inline void paid_with(Game *g, Frame *f) noexcept nogil:
    """What has been chosen for a cost is noted."""
    cdef int n
    if g.h.answer != NO_ANSWER:
        n = chunk_len(g, f.info)
        f.info = refs_add(g, f.info, answer_of(g).id, answer_of(g).row, RK_PAID)
        if chunk_len(g, f.info) > n:
            chunk_refs(g, f.info)[n].flags = <uint8_t>answer_of(g).num
        g.h.answer = NO_ANSWER


cdef bint ask_costs(Game *g, Frame *f, Ctx *c) noexcept nogil:
    """What the costs are paid with (CR 601.2h); true while a choice is open."""
    cdef const Face *face = face_announced(g, f)
    cdef const OptionalCost *o
    cdef Manner m
    cdef const Ability *a
    cdef int i, n
    paid_with(g, f)
    if f.kind == F_CAST and not face.flags & FACE_ANNOUNCE and f.info == 0:
        return False
    if f.kind == F_ACTIVATE:
        a = ability_of(g, f.b)
        return a.n_costs and offer_cost(g, c, a.first_cost, a.n_costs, OWN_COST, f.info)
    if face.n_costs and offer_cost(g, c, face.first_cost, face.n_costs, OWN_COST, f.info):
        return True
    manner_of(g, f.info, &m)
    if m.own != NULL and m.own.n_costs:
        if offer_cost(g, c, m.own.first_cost, m.own.n_costs, WAY_COST, f.info):
            return not less_by_paid(m.own) or keep_payable(g, f, m.own)
    elif m.permit != NULL and m.permit.n_costs:
        if offer_cost(g, c, m.permit.first_cost, m.permit.n_costs, WAY_COST, f.info):
            return True
    i = entry_next(g, f.info, RK_KICKED, 0)
    while i >= 0:
        n = chunk_refs(g, f.info)[i].row
        o = &g.cards.optional[face.first_optional + n]
        if o.n_costs and offer_cost(g, c, o.first_cost, o.n_costs, KICK_COST * (n + 1), f.info):
            return True
        i = entry_next(g, f.info, RK_KICKED, i + 1)
    return f.b >= 0 and modes_cost(ability_of(g, f.b)) and offer_modes(g, c, f.b, f.info)


cdef bint revealed(Game *g, Frame *f) noexcept nogil:
    """CR 702.94a: the card has been revealed, so that the ability triggers; false while that is asked, and if not."""
    cdef bint yes
    if not is_live(g, f.obj_row, f.obj_id):
        drop_frame(g)
        return False
    if g.h.answer == NO_ANSWER:
        open_choice(g, CH_REVEAL, f.player)
        add_option(g, O_NO, 0, 0, NO_PLAYER)
        add_option(g, O_YES, 0, 0, NO_PLAYER)
        return False
    yes = answer_of(g).kind == O_YES
    g.h.answer = NO_ANSWER
    if yes:
        g.known_to[f.obj_row] = <uint8_t>g.h.alive
        touched(g)
    else:
        drop_frame(g)
    return yes


cdef void run_announce(Game *g) noexcept nogil:
    """A cast, activation or triggered ability goes on, step by step (CR 601.2b-i, 603.3c-d)."""
    cdef Frame *f = top_frame(g)
    cdef Price price
    cdef Manner m
    cdef Guise guise
    cdef bint complete
    if f.kind == F_TRIGGER:
        announce_trigger(g, f)
        return
    if not g.h.uses & USE_CASTING and flat(g, f):
        announce_flat(g, f)
        return
    if f.kind == F_CAST and f.info:
        manner_of(g, f.info, &m)
        if m.own != NULL and m.own.face != NONE16:
            # It is announced as what it is on the stack (CR 601.2a, 708.4, 709.3a).
            put_on(g, f.obj_row, m.own.face, &guise)
            complete = announced(g, f, &price)
            take_off(g, &guise)
            if complete:
                finish_cast(g, f, &price)
            return
    if not announced(g, f, &price):
        return
    if f.kind == F_ACTIVATE:
        finish_activate(g, f, &price)
    else:
        finish_cast(g, f, &price)


cdef void announce_trigger(Game *g, Frame *f) noexcept nogil:
    """Modes and targets of a triggered ability (CR 603.3c-d)."""
    cdef const Ability *a = ability_of(g, f.b)
    cdef Ctx c
    if a.n_targets or a.n_modes or a.flags & TF_REVEAL:
        context_of(g, f, &c)
        if f.step == STEP_MODES:
            if a.flags & TF_REVEAL and not revealed(g, f):
                return
            if a.n_modes:
                if ask_modes(g, f, &c):
                    return
                if parts_of(g, f.b, f.info) < a.least_modes:
                    drop_frame(g)  # CR 603.3c
                    return
            elif a.n_targets and not has_targets(g, &c, a.first_target, a.n_targets):
                drop_frame(g)  # CR 603.3d
                return
            f.step = STEP_TARGETS
            f.c = 0
        if f.step == STEP_TARGETS:
            if ask_targets(g, f, &c):
                return
            f.step = STEP_DIVIDE
            f.c = 0
        if f.list and g.h.uses & USE_DIVIDING and ask_division(g, f, &c):
            return
    finish_trigger(g, f)


cdef inline bint flat(const Game *g, const Frame *f) noexcept nogil:
    """Nothing is to be said but targets, and it costs flat mana, in a game where nothing changes that: most spells and
    abilities."""
    cdef const Face *face
    if f.kind == F_ACTIVATE:
        return ability_of(g, f.b).flat
    face = face_of(g, g.defn[f.obj_row])
    return (face.n_x | face.n_hybrid | face.n_optional) == 0 and (f.b < 0 or ability_of(g, f.b).n_modes == 0)


cdef void announce_flat(Game *g, Frame *f) noexcept nogil:
    """The steps of `announced` that are left there."""
    cdef const Ability *a = ability_of(g, f.b) if f.b >= 0 else NULL
    cdef bint activates = f.kind == F_ACTIVATE
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef int first = a.first_cost if activates else face.first_cost
    cdef int n = a.n_costs if activates else face.n_costs
    cdef Ctx c
    cdef Price price
    if n or (a != NULL and a.n_targets):
        context_of(g, f, &c)
        if f.step <= STEP_TARGETS:
            f.step = STEP_TARGETS
            if a != NULL and ask_targets(g, f, &c):
                return
            f.step = STEP_DIVIDE
            f.c = 0
        if f.step == STEP_DIVIDE:
            if f.list and g.h.uses & USE_DIVIDING and ask_division(g, f, &c):
                return
            f.step = STEP_COSTS
        if n:
            paid_with(g, f)
            if offer_cost(g, &c, first, n, OWN_COST, f.info):
                return
    price_plain(&price)
    price.mana = a.cost if activates else face.cost
    if activates and a.cost_flags & CO_TAP:
        tap(g, f.obj_row)  # {T} among the costs: the source can't also tap for mana (CR 602.2b)
    if cost_total(&price.mana) and not g.h.options_mask & EO_PAY_FREE and not pay_auto(g, f.player, &price.mana):
        g.h.status = GS_FAULT
        return
    if activates:
        finish_activate(g, f, &price)
    else:
        finish_cast(g, f, &price)


cdef bint announced(Game *g, Frame *f, Price *total) noexcept nogil:
    """The next step; true: all is announced and paid for, and the spell or ability goes on the stack."""
    cdef const Face *face = face_announced(g, f)
    cdef const Ability *a = NULL
    cdef Ctx c
    cdef Manner m
    cdef Price price
    cdef Frame *pay
    cdef int x, paid
    cdef int n_x = face.n_x if f.kind == F_CAST and f.info == 0 else x_symbols(g, f)
    if f.b >= 0:
        a = ability_of(g, f.b)
    context_of(g, f, &c)
    if f.step == STEP_MODES and f.kind == F_CAST and face.flags & FACE_EASY and n_x == 0 and f.info == 0:
        f.step = STEP_TARGETS if face.n_targets else STEP_COSTS
    if f.step == STEP_MODES:
        if a != NULL and a.n_modes:
            if ask_modes(g, f, &c):
                return False
            if parts_of(g, f.b, f.info) < a.least_modes:
                drop_frame(g)  # what its modes were about has left with a player (CR 733.1)
                return False
        f.step = STEP_KICK
    if f.step == STEP_KICK:
        if f.kind == F_CAST and face.n_optional and ask_kicks(g, f, &c):
            return False
        f.step = STEP_X
    if f.step == STEP_X:
        if n_x and g.h.answer == NO_ANSWER:
            open_choice(g, CH_X, f.player)
            x = 1 if a != NULL and f.kind == F_ACTIVATE and a.cost_flags & CO_SOME_X and most_x(g, f) else 0
            for x in range(x, most_x(g, f) + 1):
                c.x = <int16_t>x
                if f.b < 0 or can_choose(g, &c, f.b):
                    add_option(g, O_NUMBER, 0, x, NO_PLAYER)
            return False
        if n_x:
            f.a = answer_of(g).num
            c.x = <int16_t>f.a
            g.h.answer = NO_ANSWER
        f.step = STEP_SYMBOLS
    if f.step == STEP_SYMBOLS:
        if ask_symbols(g, f):
            return False
        f.step = STEP_TARGETS
        f.c = 0
    if f.step == STEP_TARGETS:
        if a != NULL and ask_targets(g, f, &c):
            return False
        f.step = STEP_DIVIDE
        f.c = 0
    if f.step == STEP_DIVIDE:
        if f.list and g.h.uses & USE_DIVIDING and ask_division(g, f, &c):
            return False
        f.step = STEP_HELP
    if f.step == STEP_HELP:
        if f.kind == F_CAST and help_of(face.keywords) and ask_help(g, f):
            return False
        f.step = STEP_COSTS
    if f.step == STEP_COSTS:
        if ask_costs(g, f, &c):
            return False
        f.step = STEP_PAY
    price_of(g, f, &price)
    price.help = 0
    if f.step == STEP_PAY:
        manner_of(g, f.info if f.kind == F_CAST else 0, &m)
        if less_by_paid(m.own):
            tap_for_less(g, f, m.own)
        if not plain_price(&price) and not find_payment(g, f.player, &price, without_of(g, f)):
            g.h.status = GS_FAULT
            return False
        if f.kind == F_CAST and help_of(face.keywords):
            help_pays(g, f, Z_BATTLEFIELD)
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
            return False
        if f.kind == F_ACTIVATE and a.cost_flags & CO_TAP:
            tap(g, f.obj_row)
        paid = pay_mana(g, f.player, &price.mana, without_of(g, f), f.obj_row if f.kind == F_CAST else 0)
        if paid == 0:
            g.h.status = GS_FAULT
            return False
        if paid == 2:
            f.info = refs_add(g, f.info, 0, 0, RK_SURE)
    if f.kind == F_CAST and help_of(face.keywords):
        help_pays(g, f, Z_GRAVEYARD)  # after the mana abilities (CR 601.2g), which may count them
    total[0] = price
    total.life = f.c
    return True
