"""Casting, activating and resolving.

A cast or activation announces into its frame (X in `a`, targets in `list`) and changes nothing else until the whole is
legal and payable: an illegal one has nothing to undo (CR 733).

    frame: obj the card or permanent | step STEP_* | n targets chosen | a X | b ability | c mana still to pay (manual)
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._defs cimport ability_of, face_of
from lkicore._entries cimport entry_of, entry_push, leave_stack
from lkicore._expr cimport Ctx, may_target, passes, passes_player
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, in_game, open_choice, pop_frame, push_frame,
                            top_frame)
from lkicore._history cimport log_event
from lkicore._layers cimport settle
from lkicore._layout cimport Frame, Game, Option, Ref, StackEntry
from lkicore._lki cimport FROM_LIVE, FROM_MISSING
from lkicore._mana cimport can_pay, can_pay_exact, cost_pips, cost_total, pay_auto, pool_pays, pool_spend, tap_for_mana
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, trace, zone_first
from lkicore._types cimport Ability, Face, FACE_PERMANENT, Mana, NONE16, TargetSpec
from lkicore._vm cimport VM_WAIT, run_program
from lkicore._zones cimport TO_END, begin_event, change_zone, make_ability, move_one, record, tap

cdef enum:
    STEP_X = 0
    STEP_TARGETS = 1
    STEP_PAY = 2
    STEP_FINISH = 3

cdef enum:
    # Where mana is waived, any X could be paid: the options end here, as a list has to end somewhere.
    MOST_FREE_X = 20


cdef inline void context_of(const Game *g, const Frame *f, Ctx *c) noexcept nogil:
    c.source_row = f.obj_row
    c.source_id = f.obj_id
    # The spell can't target itself (CR 115.5). An ability's source is another object than the ability, which is not
    # there yet.
    c.self_row = f.obj_row
    c.self_id = 0 if f.kind == F_ACTIVATE else f.obj_id
    c.targets = f.list
    c.x = <int16_t>f.a
    c.controller = f.player


cdef inline bint legal_object(Game *g, const Ctx *c, const TargetSpec *t, uint16_t row) noexcept nogil:
    """CR 115.1, 115.5: a spell or ability is no legal target for itself."""
    return g.id[row] != c.self_id and may_target(g, c.controller, row) and passes(g, c, t.filter, row)


cdef bint has_target(Game *g, const Ctx *c, const TargetSpec *t) noexcept nogil:
    """Some legal target exists (CR 601.2c)."""
    cdef int p
    cdef uint16_t row
    if t.players:
        for p in range(<int>g.lay.players):
            if in_game(g, p) and passes_player(g, c, t.filter, p):
                return True
    if t.objects:
        for p in range(<int>g.lay.players if t.zone == Z_GRAVEYARD else 1):
            row = zone_first(g, t.zone, p)
            while row:
                if legal_object(g, c, t, row):
                    return True
                row = g.znext[row]
    return False


cdef void offer_targets(Game *g, const Ctx *c, const TargetSpec *t, int player) noexcept nogil:
    """Canonical order: players by seat, then objects by zone and timestamp."""
    cdef int p
    cdef uint16_t row
    open_choice(g, CH_TARGET, player)
    if t.players:
        for p in range(<int>g.lay.players):
            if in_game(g, p) and passes_player(g, c, t.filter, p):
                add_option(g, O_PLAYER, 0, 0, p)
    if t.objects:
        for p in range(<int>g.lay.players if t.zone == Z_GRAVEYARD else 1):
            row = zone_first(g, t.zone, p)
            while row:
                if legal_object(g, c, t, row):
                    add_option(g, O_OBJECT, row, 0, NO_PLAYER)
                row = g.znext[row]


cdef inline bint is_activation(const Frame *f) noexcept nogil:
    return f.kind == F_ACTIVATE


cdef void cost_of(const Game *g, const Frame *f, Mana *cost) noexcept nogil:
    """Total cost (CR 601.2f): the printed one, with the chosen X."""
    cdef int xs
    if is_activation(f):
        cost[0] = ability_of(g, g.defn[f.obj_row], f.b).cost
        xs = ability_of(g, g.defn[f.obj_row], f.b).n_x
    else:
        cost[0] = face_of(g, g.defn[f.obj_row]).cost
        xs = face_of(g, g.defn[f.obj_row]).n_x
    cost.hi += <uint64_t>(xs * f.a) << 32


cdef int most_x(Game *g, const Frame *f) noexcept nogil:
    """Greatest X that the player can pay."""
    cdef Mana cost
    cdef Frame trial = f[0]
    if g.h.options_mask & EO_PAY_FREE:
        return MOST_FREE_X
    trial.a = 0
    while trial.a < 1000:
        trial.a += 1
        cost_of(g, &trial, &cost)
        if not can_pay(g, f.player, &cost):
            return trial.a - 1
    return trial.a


cdef void begin_cast(Game *g, uint16_t row, int player) noexcept nogil:
    cdef Frame *f = push_frame(g, F_CAST, player)
    f.obj_row = row
    f.obj_id = g.id[row]


cdef void begin_activate(Game *g, uint16_t row, int ability, int player) noexcept nogil:
    cdef Frame *f = push_frame(g, F_ACTIVATE, player)
    f.obj_row = row
    f.obj_id = g.id[row]
    f.b = ability


cdef void trace_targets(Game *g, uint16_t list) noexcept nogil:
    cdef int i
    cdef Ref *t
    for i in range(chunk_len(g, list)):
        t = &chunk_refs(g, list)[i]
        trace(g, TR_TARGET, i, -1 - t.row if t.kind == RK_PLAYER else g.defn[t.row], 0, 0, t.id)


cdef void finish_cast(Game *g, Frame *f) noexcept nogil:
    """CR 601.2a, i: the card becomes a spell on the stack."""
    cdef uint16_t row = f.obj_row
    cdef uint16_t targets = f.list
    cdef int player = f.player
    cdef int x = f.a
    cdef StackEntry *e
    f.list = 0
    pop_frame(g)
    move_one(g, row, Z_STACK, TO_END)
    e = entry_push(g, row, player)
    e.targets = targets
    e.x = <int16_t>x
    trace(g, TR_CAST, player, row, g.defn[row], x, g.id[row])
    if g.trace != NULL:
        trace_targets(g, targets)
    log_event(g, H_CAST, player, row, g.id[row], 0, 0, 0)
    g.h.passes = 0
    g.h.priority = <uint8_t>player  # CR 117.3c


cdef void finish_activate(Game *g, Frame *f) noexcept nogil:
    """CR 602.2: costs are paid, the ability is an object on the stack, independent of its source (113.7a)."""
    cdef uint16_t source = f.obj_row
    cdef uint32_t source_id = f.obj_id
    cdef uint16_t targets = f.list
    cdef int player = f.player
    cdef int ability = f.b
    cdef int x = f.a
    cdef uint16_t face = g.defn[source]
    cdef uint8_t costs = ability_of(g, face, ability).cost_flags
    cdef uint16_t row
    cdef StackEntry *e
    f.list = 0
    pop_frame(g)
    if costs & CO_TAP:
        tap(g, source)
    row = make_ability(g, player, face)
    if row == 0:
        return
    e = entry_push(g, row, player)
    e.ability = <uint16_t>ability
    e.source_row = source
    e.source_id = source_id
    e.targets = targets
    e.x = <int16_t>x
    trace(g, TR_ACTIVATE, player, face, ability, 0, g.id[row])
    if g.trace != NULL:
        trace_targets(g, targets)
    log_event(g, H_ACTIVATED, player, source, source_id, 0, 0, 0)
    if costs & CO_SACRIFICE:
        settle(g)
        if begin_event(g, 1):
            if g.types[source] & T_CREATURE:
                log_event(g, H_DIED, player, source, source_id, 0, 0, 0)
            record(g, source, Z_GRAVEYARD)
            change_zone(g, source, Z_GRAVEYARD, TO_END)
    g.h.passes = 0
    g.h.priority = <uint8_t>player


cdef void run_cast(Game *g) noexcept nogil:
    """A cast or activation goes on: X, targets, payment, done (CR 601.2b-i)."""
    cdef Frame *f = top_frame(g)
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const Ability *a = NULL
    cdef Ctx c
    cdef Option *o
    cdef Mana cost
    cdef Frame *pay
    cdef int first = face.first_target
    cdef int n = face.n_targets
    cdef int n_x = face.n_x
    cdef int x
    if is_activation(f):
        a = ability_of(g, g.defn[f.obj_row], f.b)
        first = a.first_target
        n = a.n_targets
        n_x = a.n_x
    if f.step == STEP_X:
        if n_x == 0:
            f.step = STEP_TARGETS
        elif g.h.answer == NO_ANSWER:
            open_choice(g, CH_X, f.player)
            for x in range(most_x(g, f) + 1):
                add_option(g, O_NUMBER, 0, x, NO_PLAYER)
            return
        else:
            f.a = answer_of(g).num
            g.h.answer = NO_ANSWER
            f.step = STEP_TARGETS
    if f.step == STEP_TARGETS:
        if g.h.answer != NO_ANSWER:
            o = answer_of(g)
            g.h.answer = NO_ANSWER
            if o.kind == O_PLAYER:
                f.list = refs_add(g, f.list, 0, o.player, RK_PLAYER)
            else:
                f.list = refs_add(g, f.list, o.id, o.row, RK_OBJECT)
            f.n += 1
        if f.n < n:
            context_of(g, f, &c)
            offer_targets(g, &c, &g.cards.targets[first + f.n], f.player)
            return
        f.step = STEP_PAY
    if f.step == STEP_PAY:
        cost_of(g, f, &cost)
        f.step = STEP_FINISH
        if g.h.options_mask & EO_PAY_MANUAL and not g.h.options_mask & EO_PAY_FREE and cost_total(&cost):
            pay = push_frame(g, F_PAY, f.player)
            pay.obj_row = f.obj_row
            pay.obj_id = f.obj_id
            pay.a = <int>cost.lo
            pay.b = <int>(cost.lo >> 32)
            pay.c = <int>cost.hi
            pay.d = <int>(cost.hi >> 32)
            # {T} among the costs: the source can't also tap for mana (CR 602.2b).
            pay.n = 1 if a != NULL and a.cost_flags & CO_TAP else 0
            return
        if a != NULL and a.cost_flags & CO_TAP:
            tap(g, f.obj_row)
        if not pay_auto(g, f.player, &cost):
            g.h.status = GS_FAULT
            return
    if is_activation(f):
        finish_activate(g, f)
    else:
        finish_cast(g, f)


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
                    rest = cost
                    if can_pay_exact(g, f.player, &rest, row):
                        add_option(g, O_MANA, row, k, NO_PLAYER)
                    g.p_pool[f.player * 6 + k] -= amount
        row = g.znext[row]


cdef void begin_resolve(Game *g) noexcept nogil:
    """The top object of the stack begins to resolve (CR 608.1)."""
    cdef Frame *f = push_frame(g, F_RESOLVE, g.stack[g.h.n_stack - 1].controller)
    f.obj_row = g.stack[g.h.n_stack - 1].row
    f.obj_id = g.id[f.obj_row]


cdef bint check_targets(Game *g, StackEntry *e, const Ctx *c, int first, int n) noexcept nogil:
    """CR 608.2b: mark the illegal targets; false if there were targets and none is legal."""
    cdef int i
    cdef int legal = 0
    cdef Ref *t
    cdef const TargetSpec *s
    for i in range(n):
        t = &chunk_refs(g, e.targets)[i]
        s = &g.cards.targets[first + i]
        if t.kind == RK_PLAYER:
            if in_game(g, t.row) and passes_player(g, c, s.filter, t.row):
                legal += 1
                continue
        elif is_live(g, t.row, t.id):
            trace(g, TR_LOOKUP, g.defn[t.row], P_LEGALITY, FROM_LIVE, -1, t.id)
            if g.zone[t.row] == s.zone and legal_object(g, c, s, t.row):
                legal += 1
                continue
        else:
            trace(g, TR_LOOKUP, -1, P_LEGALITY, FROM_MISSING, -1, t.id)
        t.flags |= RF_ILLEGAL
        trace(g, TR_ILLEGAL, i, e.face, 0, 0, t.id)
    return n == 0 or legal > 0


cdef void run_resolve(Game *g) noexcept nogil:
    """CR 608.2: targets, then the instructions in order, then the object leaves the stack (608.2n, 608.3)."""
    cdef Frame *f = top_frame(g)
    cdef int i = entry_of(g, f.obj_row)
    cdef StackEntry *e
    cdef const Face *face
    cdef const Ability *a
    cdef Ctx c
    cdef int first, n, program
    cdef uint16_t row = f.obj_row
    cdef uint32_t id = f.obj_id
    cdef bint permanent
    if i < 0 or not is_live(g, row, f.obj_id):
        # It left the stack while it resolved (CR 608.2m): nothing more to put anywhere.
        pop_frame(g)
        return
    e = &g.stack[i]
    face = face_of(g, e.face)
    program = face.program
    first = face.first_target
    n = face.n_targets
    if e.ability != NONE16:
        a = ability_of(g, e.face, e.ability)
        program = a.program
        first = a.first_target
        n = a.n_targets
    permanent = e.ability == NONE16 and face.flags & FACE_PERMANENT
    if f.step == 0:
        f.step = 1
        f.a = program
        if n > 0:
            c.source_row = row if e.ability == NONE16 else e.source_row
            c.source_id = g.id[row] if e.ability == NONE16 else e.source_id
            c.self_row = row
            c.self_id = g.id[row]
            c.targets = e.targets
            c.x = e.x
            c.controller = e.controller
            if not check_targets(g, e, &c, first, n):
                trace(g, TR_NO_TARGET, e.controller, e.face, -1 if e.ability == NONE16 else e.ability, 0, g.id[row])
                leave_stack(g, row, Z_GRAVEYARD)
                pop_frame(g)
                return
        trace(g, TR_RESOLVE, e.controller, e.face, -1 if e.ability == NONE16 else e.ability, 0, g.id[row])
    if f.a >= 0 and run_program(g, i) == VM_WAIT:
        return
    if g.h.status != GS_RUNNING:
        return
    settle(g)
    pop_frame(g)
    if is_live(g, row, id):
        leave_stack(g, row, Z_BATTLEFIELD if permanent else Z_GRAVEYARD)  # CR 608.3a, 608.2n
