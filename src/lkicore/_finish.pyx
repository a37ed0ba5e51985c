"""A spell or ability that is announced and paid for is put on the stack (CR 601.2h-i, 602.2b, 603.3)."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport ability_of, entry_next, extra_add
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._casting cimport Manner, announced_face, manner_of
from lkicore._costs cimport pay_parts
from lkicore._damage cimport change_life
from lkicore._entries cimport begin_resolve, entry_push, make_ability
from lkicore._expr cimport Ctx, plain_context
from lkicore._game cimport pop_frame, push_frame
from lkicore._guise cimport show_spell
from lkicore._history cimport log_event
from lkicore._layers cimport dirty, settle
from lkicore._layout cimport Ref, StackEntry
from lkicore._mana cimport TOTAL_SHIFT
from lkicore._modes cimport modes_cost, pay_modes
from lkicore._opcodes cimport *
from lkicore._price cimport KICK_COST, OWN_COST, WAY_COST
from lkicore._status cimport tap, untap
from lkicore._store cimport HIDDEN_ZONES, trace
from lkicore._triggers cimport happened, heard
from lkicore._types cimport FACE_ANNOUNCE, FACE_REBOUND, FACE_SPENT, NONE16, Ability, Face, OptionalCost
from lkicore._zones cimport put_on_stack, sacrifice_group


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
    cdef int spell = f.b
    cdef const Face *face
    cdef Manner m
    cdef const OptionalCost *o
    cdef StackEntry *e
    cdef Ctx c
    cdef bint rebounds
    cdef int i, n, known
    manner_of(g, info, &m)
    face = announced_face(g, row, &m)
    f.list = 0
    f.info = 0
    pop_frame(g)
    if g.oflags[row] & OF_COPY:
        g.h.n_tokens -= 1  # a copy of a card that is cast stays (CR 704.5e, 707.12)
    if g.h.commanders and g.zone[row] == Z_COMMAND and g.oflags[row] & OF_COMMANDER and g.pc_casts[g.card[row]] < 100:
        g.pc_casts[g.card[row]] += 1  # CR 903.8
    rebounds = face.flags & FACE_REBOUND and g.zone[row] == Z_HAND
    # CR 708.4, 708.5: whoever knew the card still does.
    known = g.known_to[row] if HIDDEN_ZONES >> g.zone[row] & 1 or g.status[row] & ST_FACE_DOWN else 0xFF
    # What paid for mana, or helped to, may have left already.
    g.h.held_targets = targets
    g.h.held_info = info
    put_on_stack(g, row)
    g.h.held_targets = 0
    g.h.held_info = 0
    if m.own != NULL and m.own.face != NONE16:
        show_spell(g, row, m.own.face, known | 1 << player)
    e = entry_push(g, row, player)
    e.targets = targets
    e.x = <int16_t>x
    if rebounds:
        e.flags = SF_FROM_HAND
    g.extra[row] = info
    if m.own != NULL and m.own.kind == W_BESTOW:
        dirty(g, row)
        settle(g)  # CR 702.103b: it is an Aura spell
    if face.flags & FACE_SPENT:
        extra_add(g, row, RK_SPENT, <uint32_t>(price.mana.hi >> TOTAL_SHIFT & 0xFFFF), 0, 0)
        info = g.extra[row]
    count_act(g, player)
    trace(g, TR_CAST, player, row, g.defn[row], x, g.id[row])
    if g.trace != NULL:
        trace_targets(g, targets)
    g.p_casts[player] += 1
    log_event(g, H_CAST, player, row, g.id[row], 0, 0, 0)
    if face.flags & FACE_ANNOUNCE or price.life or m.own != NULL or m.permit != NULL:
        plain_context(g, row, g.id[row], player, &c)
        c.self_row = row
        c.self_id = g.id[row]
        c.x = <int16_t>x
        if price.life:
            change_life(g, player, -price.life)
        if face.n_costs:
            pay_parts(g, &c, face.first_cost, face.n_costs, OWN_COST, info)
        if m.own != NULL and m.own.n_costs:
            pay_parts(g, &c, m.own.first_cost, m.own.n_costs, WAY_COST, info)
        elif m.permit != NULL and m.permit.n_costs:
            pay_parts(g, &c, m.permit.first_cost, m.permit.n_costs, WAY_COST, info)
        i = entry_next(g, info, RK_KICKED, 0)
        while i >= 0:
            n = chunk_refs(g, info)[i].row
            o = &g.cards.optional[face.first_optional + n]
            if o.n_costs:
                pay_parts(g, &c, o.first_cost, o.n_costs, KICK_COST * (n + 1), info)
            i = entry_next(g, info, RK_KICKED, i + 1)
        if spell >= 0 and modes_cost(ability_of(g, spell)):
            pay_modes(g, &c, spell, info)
    if g.h.listening:
        if heard(g, EV_CAST):
            happened(g, EV_CAST, row, g.id[row], 0, 0, player, 0, 0)
        tell_targets(g, targets, row, player)
    if g.h.n_frames == 0:
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
    cdef int x = f.a
    cdef Frame *resolve
    cdef const Ability *a = ability_of(g, ability)
    cdef uint16_t row
    cdef Ctx c
    if a.cost_flags & CO_TAP:
        tap(g, source)
    row = push_ability(g, f, face, SF_AT_ONCE if a.kind == AB_MANA else 0)
    if row == 0:
        return
    if a.kind == AB_MANA:
        # CR 605.3b: it resolves at once, whatever is going on.
        resolve = push_frame(g, F_RESOLVE, player)
        resolve.obj_row = row
        resolve.obj_id = g.id[row]
    count_act(g, player)
    trace(g, TR_ACTIVATE, player, face, ability, 0, g.id[row])
    if g.trace != NULL:
        trace_targets(g, targets)
    if not a.timing & TM_SPECIAL:
        log_event(g, H_ACTIVATED, player, source, source_id, 0, 0, 0)
    if a.timing & (TM_ONCE | TM_LOYALTY):
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
        c.x = <int16_t>x
        pay_parts(g, &c, a.first_cost, a.n_costs, OWN_COST, g.extra[row])
    if a.cost_flags & CO_SACRIFICE:
        sacrifice_group(g, &source, 1)
    if a.timing & TM_SPECIAL:
        begin_resolve(g)  # CR 116.2: it does not use the stack; nobody gets priority before it is done
    elif g.h.listening and a.kind != AB_MANA:
        if heard(g, EV_ACTIVATED):
            happened(g, EV_ACTIVATED, source, source_id, row, g.id[row], player, 0, 0)
        tell_targets(g, targets, row, player)
    if g.h.n_frames == 0 or a.timing & TM_SPECIAL:
        g.h.passes = 0
        g.h.priority = <uint8_t>player


cdef void finish_trigger(Game *g, Frame *f) noexcept nogil:
    """CR 603.3: it is on the stack."""
    cdef uint16_t targets = f.list
    cdef int player = f.player
    cdef bint mana = ability_of(g, f.b).flags & TF_MANA
    cdef Frame *resolve
    cdef uint16_t row = push_ability(g, f, <uint16_t>f.d, SF_TRIGGERED | SF_AT_ONCE if mana else SF_TRIGGERED)
    if row == 0:
        return
    if mana:
        # CR 605.4a: it resolves at once, whatever is going on.
        resolve = push_frame(g, F_RESOLVE, player)
        resolve.obj_row = row
        resolve.obj_id = g.id[row]
    if g.trace != NULL:
        trace_targets(g, targets)
    if g.h.listening:
        tell_targets(g, targets, row, player)
