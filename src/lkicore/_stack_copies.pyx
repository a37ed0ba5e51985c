"""Copies of spells, abilities and cards (CR 707.10, 707.12), and other targets for what is on the stack (115.7).

    frame F_RETARGET: list what gets new targets, entries OBJECT | a which of them | b which of its targets | c CopyFlag
    | d 1: copies, that become targets of nothing yet | obj the source of the effect
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from lkicore._allowed cimport part_of, parts_of
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._casting cimport spell_of_entry
from lkicore._entries cimport entry_context, entry_of, entry_push, make_ability
from lkicore._expr cimport Facts, read_facts
from lkicore._finish cimport tell_targets
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, open_choice, pop_frame, push_frame, top_frame)
from lkicore._layers cimport reset_values
from lkicore._layout cimport Option, Ref, StackEntry
from lkicore._opcodes cimport *
from lkicore._store cimport (PRIVATE_ZONES, is_live, link_tail, new_id, new_timestamp, take_row, touched, trace,
                             zone_first, zone_list)
from lkicore._targets cimport legal_object, legal_player
from lkicore._triggers cimport happened, heard
from lkicore._types cimport NONE16, Ability, TargetSpec
from lkicore._zones cimport copy_joins

cdef enum:
    # What a copy takes over from the list of its original: all choices made for it (CR 707.10).
    COPIED = (1 << RK_MODE | 1 << RK_KICKED | 1 << RK_WAY | 1 << RK_PAID | 1 << RK_DIVIDED | 1 << RK_EVENT_OBJECT
              | 1 << RK_EVENT_OTHER | 1 << RK_EVENT_PLAYER | 1 << RK_EVENT_AMOUNT | 1 << RK_CHOSEN)
    TARGETED = 1 << RK_OBJECT | 1 << RK_PLAYER


cdef uint16_t copied_list(Game *g, uint16_t list, int kinds) noexcept nogil:
    """The entries of these kinds in a list of their own; 0 none."""
    cdef uint16_t made = 0
    cdef Ref r
    cdef int i, n
    for i in range(chunk_len(g, list)):
        r = chunk_refs(g, list)[i]
        if not kinds >> r.kind & 1:
            continue
        n = chunk_len(g, made)
        made = refs_add(g, made, r.id, r.row, r.kind)
        if chunk_len(g, made) == n:
            return made  # no room: the step is lost
        chunk_refs(g, made)[n].flags = r.flags & <uint8_t>~<int>RF_ILLEGAL if kinds & 1 << RK_OBJECT else r.flags
    return made


cdef uint16_t new_copy(Game *g, uint16_t defn, int player, int zone) noexcept nogil:
    """A copy of a card or spell: an object without a card (CR 707.10a); 0 no room."""
    cdef uint16_t row = take_row(g)
    if row == 0:
        return 0
    g.id[row] = new_id(g)
    g.timestamp[row] = new_timestamp(g)
    g.zone[row] = <uint8_t>zone
    g.owner[row] = <uint8_t>player
    g.controller[row] = <uint8_t>player
    g.base_ctrl[row] = <uint8_t>player
    g.card[row] = NONE16
    g.defn[row] = defn
    g.oflags[row] = OF_COPY
    g.known_to[row] = 0xFF
    g.status[row] = 0
    reset_values(g, row)
    link_tail(g, zone_list(g, zone, player), row)
    touched(g)
    return row


cdef uint16_t new_ability_copy(Game *g, uint16_t defn, int player) noexcept nogil:
    cdef uint16_t row = make_ability(g, player, defn)
    if row:
        g.oflags[row] |= OF_COPY
        touched(g)
    return row


cdef uint16_t copy_on_stack(Game *g, uint16_t row, uint32_t id, int player, int n) noexcept nogil:
    """CR 707.10: modes, targets, X, costs paid and what an ability knows of its event are copied; it isn't cast."""
    cdef Facts f
    cdef StackEntry e
    cdef StackEntry *made
    cdef uint16_t list = 0
    cdef uint16_t info, targets, copy
    cdef int i
    cdef int k = entry_of(g, row) if is_live(g, row, id) else -1
    if not read_facts(g, row, id, P_LIVE_THEN_LKI, &f) or (k < 0 and f.zone != Z_STACK):
        return 0
    if k >= 0:
        e = g.stack[k]
    elif f.oflags & OF_ABILITY:
        return 0  # an ability that has left the stack is not known well enough to be copied
    for _ in range(n):
        if f.oflags & OF_ABILITY:
            copy = new_ability_copy(g, f.defn, player)
        else:
            copy = new_copy(g, f.defn, player, Z_STACK)
        if copy == 0 or g.h.status != GS_RUNNING:
            break
        targets = copied_list(g, g.stack[k].targets if k >= 0 else f.extra, TARGETED)
        info = copied_list(g, g.extra[row] if k >= 0 else f.extra, COPIED)
        made = entry_push(g, copy, player)
        made.targets = targets
        made.x = f.x
        made.flags = SF_COPY
        if k >= 0:
            made.ability = e.ability
            made.source_row = e.source_row
            made.source_id = e.source_id
            made.x = e.x
            made.flags = e.flags & SF_TRIGGERED | SF_COPY
        g.extra[copy] = info
        if not f.oflags & OF_ABILITY:
            copy_joins(g, copy)
        trace(g, TR_COPY, player, f.defn, 0, 0, g.id[copy])
        list = refs_add(g, list, g.id[copy], copy, RK_OBJECT)
    if heard(g, EV_COPIED) and not f.oflags & OF_ABILITY:
        for i in range(chunk_len(g, list)):
            happened(g, EV_COPIED, chunk_refs(g, list)[i].row, chunk_refs(g, list)[i].id, 0, 0, player, 0, 0)
    return list


cdef uint16_t copy_card(Game *g, uint16_t row, int player) noexcept nogil:
    """CR 707.12: it can be cast; else it ceases to exist (704.5e)."""
    cdef uint16_t copy = new_copy(g, g.defn[row], player, g.zone[row])
    if copy:
        g.h.n_tokens += 1
        g.h.sba |= SBA_TOKENS
        copy_joins(g, copy)
    return copy


# ------------------------------------------------------------------------------------------------ other targets

cdef void begin_retarget(Game *g, int player, uint16_t list, int flags, uint16_t source_row,
                         uint32_t source_id) noexcept nogil:
    cdef Frame *f = push_frame(g, F_RETARGET, player)
    f.list = list
    f.c = flags
    f.obj_row = source_row
    f.obj_id = source_id


cdef const TargetSpec *spec_of(const Game *g, int entry, int number, int *base) noexcept nogil:
    """The specification that a target was chosen for, and the number of the first one of its mode."""
    cdef StackEntry *e = &g.stack[entry]
    cdef int ability = e.ability if e.ability != NONE16 else spell_of_entry(g, entry)
    cdef int parts = parts_of(g, ability, g.extra[e.row])
    cdef int spec = chunk_refs(g, e.targets)[number].flags >> 1
    cdef int part = 0
    cdef const Ability *a = part_of(g, ability, g.extra[e.row], 0)
    base[0] = 0
    while part + 1 < parts and spec >= base[0] + a.n_targets:
        base[0] += a.n_targets
        part += 1
        a = part_of(g, ability, g.extra[e.row], part)
    return &g.cards.targets[a.first_target + spec - base[0]]


cdef bint taken(const Game *g, uint16_t list, int number, int kind, uint16_t row, uint32_t id) noexcept nogil:
    """It is a target for the same specification already (CR 601.2c), or the present one."""
    cdef Ref *mine = &chunk_refs(g, list)[number]
    cdef Ref *r
    cdef int i
    for i in range(chunk_len(g, list)):
        r = &chunk_refs(g, list)[i]
        if r.flags >> 1 == mine.flags >> 1 and r.kind == kind and r.row == row and r.id == id:
            return True
    return False


cdef void offer_new_targets(Game *g, Frame *f, int entry, int number) noexcept nogil:
    """CR 115.7: other legal targets in the order in which targets are offered, then to leave it."""
    cdef StackEntry *e = &g.stack[entry]
    cdef int base = 0
    cdef const TargetSpec *t = spec_of(g, entry, number, &base)
    cdef Ctx c
    cdef int p
    cdef uint16_t row
    cdef uint16_t others = copied_list(g, e.targets, TARGETED)
    entry_context(g, entry, &c)
    # The filters ask about the targets as while they are chosen.
    c.targets = others
    c.spec = <uint8_t>base
    open_choice(g, CH_RETARGET, f.player)
    if t.players and not f.c & CY_TO_SOURCE:
        for p in range(<int>g.lay.players):
            if not taken(g, e.targets, number, RK_PLAYER, <uint16_t>p, 0) and legal_player(g, &c, t, p):
                add_option(g, O_PLAYER, 0, number, p)
    if t.objects:
        for p in range(<int>g.lay.players if PRIVATE_ZONES >> t.zone & 1 else 1):
            row = zone_first(g, t.zone, p)
            while row:
                if (not taken(g, e.targets, number, RK_OBJECT, row, g.id[row])
                        and (not f.c & CY_TO_SOURCE or g.id[row] == f.obj_id) and legal_object(g, &c, t, row)):
                    add_option(g, O_OBJECT, row, number, NO_PLAYER)
                row = g.znext[row]
    if not f.c & CY_MUST or g.h.n_options == 0:
        add_option(g, O_DONE, 0, number, NO_PLAYER)
    chunk_free(g, others)


cdef void run_retarget(Game *g) noexcept nogil:
    cdef Frame *f = top_frame(g)
    cdef Option *o
    cdef Ref *t
    cdef uint16_t row
    cdef int entry
    cdef bint changed = False
    while f.a < chunk_len(g, f.list):
        row = chunk_refs(g, f.list)[f.a].row
        entry = entry_of(g, row) if is_live(g, row, chunk_refs(g, f.list)[f.a].id) else -1
        if entry < 0:
            g.h.answer = NO_ANSWER
            f.a += 1
            f.b = 0
            continue
        if g.h.answer != NO_ANSWER:
            o = answer_of(g)
            g.h.answer = NO_ANSWER
            changed = o.kind != O_DONE
            if changed:
                t = &chunk_refs(g, g.stack[entry].targets)[f.b]
                t.kind = RK_PLAYER if o.kind == O_PLAYER else RK_OBJECT
                t.row = o.player if o.kind == O_PLAYER else o.row
                t.id = 0 if o.kind == O_PLAYER else o.id
                t.flags &= <uint8_t>~<int>RF_ILLEGAL
            # One target is enough where only one is changed.
            f.b = f.b + 1 if not changed or not f.c & CY_ONE else 0x7FFF
        if f.b < chunk_len(g, g.stack[entry].targets) and f.c & (CY_NEW_TARGETS | CY_MUST | CY_ONE | CY_TO_SOURCE):
            offer_new_targets(g, f, entry, f.b)
            if g.h.n_options > 1 or (g.h.n_options == 1 and g.option[0].kind != O_DONE):
                return
            g.h.choice = CH_NONE
            g.h.n_options = 0
            f.b += 1
            continue
        if g.h.listening:
            tell_targets(g, g.stack[entry].targets, row, g.stack[entry].controller)
        f.a += 1
        f.b = 0
    chunk_free(g, f.list)
    f.list = 0
    pop_frame(g)
