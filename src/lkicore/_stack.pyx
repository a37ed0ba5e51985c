"""Resolving what is on top of the stack; putting triggered abilities there in APNAP order."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport abilities_of, ability_of, entry_next
from lkicore._allowed cimport part_of, parts_of
from lkicore._announce cimport begin_trigger
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs
from lkicore._attach cimport bestowed, end_bestow
from lkicore._casting cimport Manner, manner_of, spell_of_entry
from lkicore._defs cimport face_of
from lkicore._delayed cimport delay
from lkicore._entries cimport entry_context, entry_of
from lkicore._expr cimport Ctx, holds
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, drop_frame, in_game, next_player, open_choice,
                            pop_frame, push_frame, top_frame)
from lkicore._guard cimport on_stack, rare
from lkicore._layers cimport effect_add, settle
from lkicore._layout cimport Frame, Game, StackEntry
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, touched, trace
from lkicore._tapping cimport go_on_with_mana, tapped_for_mana
from lkicore._targets cimport still_legal
from lkicore._triggers cimport take_trigger
from lkicore._types cimport Ability, FACE_AURA, FACE_PERMANENT, FACE_REBOUND, Face, MOST_ABILITIES, NONE16, Way
from lkicore._vm cimport VM_WAIT, run_program
from lkicore._zones cimport HOST_PLAYER, leave_stack


cdef void mark_illegal(Game *g, const StackEntry *e, int i) noexcept nogil:
    chunk_refs(g, e.targets)[i].flags |= RF_ILLEGAL
    trace(g, TR_ILLEGAL, i, e.face, 0, 0, chunk_refs(g, e.targets)[i].id)


cdef bint check_targets(Game *g, StackEntry *e, Ctx *c, int ability) noexcept nogil:
    """CR 608.2b: mark the illegal targets; false if there were targets and none is legal.

    All are judged before any is marked: one may be legal by what another one is, or last was, though that is illegal.
    """
    cdef int n = chunk_len(g, e.targets)
    cdef int legal = 0
    cdef int i, part, base, spec
    cdef const Ability *a
    cdef int parts = parts_of(g, ability, g.extra[e.row])
    cdef uint8_t *fine = <uint8_t *>on_stack(g.lay.arena)
    if parts == 1 and ability_of(g, ability).n_modes == 0:
        a = ability_of(g, ability)
        for i in range(n):
            fine[i] = still_legal(g, c, &g.cards.targets[a.first_target + (chunk_refs(g, e.targets)[i].flags >> 1)], i)
    else:
        for i in range(n):
            spec = chunk_refs(g, e.targets)[i].flags >> 1
            base = 0
            part = 0
            a = part_of(g, ability, g.extra[e.row], 0)
            while part + 1 < parts and spec >= base + a.n_targets:
                base += a.n_targets
                part += 1
                a = part_of(g, ability, g.extra[e.row], part)
            c.spec = <uint8_t>base
            fine[i] = still_legal(g, c, &g.cards.targets[a.first_target + spec - base], i)
        c.spec = 0
    for i in range(n):
        if fine[i]:
            legal += 1
        else:
            mark_illegal(g, e, i)
    return n == 0 or legal > 0


cdef void end_resolve(Game *g) noexcept nogil:
    """The resolution is over; an answer to what it asked while its spell or ability left is nobody's."""
    g.h.answer = NO_ANSWER
    drop_frame(g)


cdef bint bought_back(const Game *g, uint16_t row, const Face *face) noexcept nogil:
    """An optional cost that returns the spell as it resolves was paid (CR 702.27a)."""
    cdef int i
    if face.n_optional == 0:
        return False
    i = entry_next(g, g.extra[row], RK_KICKED, 0)
    while i >= 0:
        if g.cards.optional[face.first_optional + chunk_refs(g, g.extra[row])[i].row].returns:
            return True
        i = entry_next(g, g.extra[row], RK_KICKED, i + 1)
    return False


cdef void rebound(Game *g, uint16_t row) noexcept nogil:
    """CR 702.88a: cast from a hand, it is exiled as it resolves, and can be cast again in the player's next upkeep."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = abilities_of(g, row, list)
    cdef int player = g.controller[row]
    cdef bint again = g.stack[entry_of(g, row)].flags & SF_FROM_HAND and not g.oflags[row] & OF_COPY
    cdef int k
    leave_stack(g, row, Z_EXILE if again else Z_GRAVEYARD, 0)
    for k in range(n if again and g.zone[row] == Z_EXILE else 0):
        if ability_of(g, list[k]).kind == AB_TRIGGERED and ability_of(g, list[k]).event == EV_DELAYED:
            delay(g, list[k], g.defn[row], 0, 0, D_YOUR_NEXT_UPKEEP, player, 0, row, g.id[row])


cdef void run_resolve(Game *g) noexcept nogil:
    """CR 608.2: intervening "if", targets, then the instructions in order, then the object leaves the stack (608.2n,
    608.3).

    frame: step 0 not begun, else 1 + number of the part whose program runs.
    """
    cdef Frame *f = top_frame(g)
    cdef int i = entry_of(g, f.obj_row)
    cdef StackEntry *e
    cdef const Face *face
    cdef Ctx c
    cdef Manner m
    cdef uint16_t row = f.obj_row
    cdef uint32_t id = f.obj_id
    cdef uint16_t host = 0
    cdef int ability, k
    cdef bint permanent, at_once
    if i < 0 or not is_live(g, row, f.obj_id):
        # It left the stack while it resolved (CR 608.2m): nothing more to put anywhere.
        end_resolve(g)
        return
    e = &g.stack[i]
    face = face_of(g, e.face)
    ability = e.ability if e.ability != NONE16 else spell_of_entry(g, i)
    permanent = e.ability == NONE16 and face.flags & FACE_PERMANENT
    at_once = e.flags & SF_AT_ONCE
    c.targets = 0
    if ability != NONE16 or e.targets:
        entry_context(g, i, &c)
    if f.step == 0:
        f.step = 1
        f.a = -1
        if (e.flags & SF_TRIGGERED and not ability_of(g, ability).flags & TF_ONLY_THEN
                and not holds(g, &c, ability_of(g, ability).condition)):
            # CR 603.4, 608.2a
            trace(g, TR_RESOLVE, e.controller, e.face, ability, 0, id)
            leave_stack(g, row, Z_GRAVEYARD, 0)
            pop_frame(g)
            return
        if e.targets and not check_targets(g, e, &c, ability):
            if permanent and end_bestow(g, row):
                # CR 608.3b, 702.103e: it goes on as a creature spell.
                chunk_free(g, e.targets)
                e.targets = 0
                c.targets = 0
                ability = NONE16
            else:
                trace(g, TR_NO_TARGET, e.controller, e.face, -1 if e.ability == NONE16 else e.ability, 0, id)
                leave_stack(g, row, Z_GRAVEYARD, 0)
                pop_frame(g)
                return
        trace(g, TR_RESOLVE, e.controller, e.face, -1 if e.ability == NONE16 else e.ability, 0, id)
        if ability != NONE16:
            if not ability_of(g, ability).n_modes:
                f.a = ability_of(g, ability).program
            elif parts_of(g, ability, g.extra[row]):
                f.a = part_of(g, ability, g.extra[row], 0).program
    while f.a >= 0:
        # The targets of this part come after those of the parts before it.
        c.spec = 0
        for k in range(f.step - 1):
            c.spec += part_of(g, ability, g.extra[row], k).n_targets
        if run_program(g, &c) == VM_WAIT:
            return
        if g.h.status != GS_RUNNING:
            return
        f.a = -1
        if not is_live(g, row, id):
            break
        if ability_of(g, ability).n_modes and f.step < parts_of(g, ability, g.extra[row]):
            f.step += 1
            f.b = 0
            f.c = 0
            f.a = part_of(g, ability, g.extra[row], f.step - 1).program
            i = entry_of(g, row)
            entry_context(g, i, &c)
    settle(g)
    end_resolve(g)
    if not is_live(g, row, id):
        return
    if permanent and c.targets and (face.flags & FACE_AURA or bestowed(g, row)):
        # CR 608.3c; with an illegal target it has left already (608.2b).
        host = chunk_refs(g, g.stack[entry_of(g, row)].targets)[0].row
        if chunk_refs(g, g.stack[entry_of(g, row)].targets)[0].kind == RK_PLAYER:
            host += HOST_PLAYER
    if not permanent and face.flags & FACE_REBOUND and not bought_back(g, row, face):
        rebound(g, row)
        return
    if rare(at_once) and ability != NONE16:
        if ability_of(g, ability).kind == AB_MANA and ability_of(g, ability).cost_flags & CO_TAP:
            leave_stack(g, row, Z_GRAVEYARD, 0)
            tapped_for_mana(g, c.source_row, c.source_id, c.controller, ability_of(g, ability).mana_mask)
            return
        if ability_of(g, ability).kind == AB_TRIGGERED and ability_of(g, ability).flags & TF_MANA:
            leave_stack(g, row, Z_GRAVEYARD, 0)
            go_on_with_mana(g)
            return
    manner_of(g, g.extra[row], &m)
    if not permanent and m.own != NULL and m.own.kind == W_ADVENTURE:
        go_on_adventure(g, row, m.own)
        return
    # CR 608.3a, 608.2n; 702.27a
    leave_stack(g, row, Z_BATTLEFIELD if permanent else Z_HAND if bought_back(g, row, face) else Z_GRAVEYARD, host)


cdef void go_on_adventure(Game *g, uint16_t row, const Way *way) noexcept nogil:
    """CR 715.3d: its controller exiles it, and may cast it from there for as long as it is there; the way says what."""
    cdef int player = g.controller[row]
    leave_stack(g, row, Z_EXILE, 0)
    if g.zone[row] == Z_EXILE and g.card[row] != NONE16:
        effect_add(g, EK_PERMIT, row, g.id[row], <int>(way - g.cards.ways), 0, <int>(g.h.turn & 0x7FFF), D_PERMANENT,
                   player, row, g.id[row])
        touched(g)


# ------------------------------------------------------------------------------------------------ triggers

cdef void begin_order(Game *g) noexcept nogil:
    push_frame(g, F_ORDER, g.h.active)


cdef int first_alike(const Game *g, int player, int k) noexcept nogil:
    """The first trigger of the player, before number k, that is like it; k if none is (same ability, same source)."""
    cdef int i
    for i in range(k):
        if (g.trigger[i].controller == player and g.trigger[i].ability == g.trigger[k].ability
                and g.trigger[i].source_id == g.trigger[k].source_id):
            return i
    return k


cdef void run_order(Game *g) noexcept nogil:
    """CR 603.3b: each player in APNAP order puts the waiting triggers that the player controls on the stack.

    Each frame on top of this one announces one of them. What triggers meanwhile waits for the next time.
    """
    cdef Frame *f = top_frame(g)
    cdef int p, k, _
    cdef int found = -1
    cdef int kinds = 0
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).num
        g.h.answer = NO_ANSWER
        begin_trigger(g, k)
        return
    # Triggers of players who have left are not put on the stack (CR 800.4d).
    k = 0
    while k < g.h.n_triggers:
        if in_game(g, g.trigger[k].controller):
            k += 1
        else:
            take_trigger(g, k)
    if g.h.n_triggers == 0:
        pop_frame(g)
        g.h.phase_state = TS_CHECK
        return
    p = g.h.active if in_game(g, g.h.active) else next_player(g, g.h.active)
    for _ in range(<int>g.h.n_alive):
        for k in range(g.h.n_triggers):
            if g.trigger[k].controller == p:
                if found < 0:
                    found = k
                if first_alike(g, p, k) == k:
                    kinds += 1
        if found >= 0:
            break
        p = next_player(g, p)
    f.player = <uint8_t>p
    if kinds < 2:
        begin_trigger(g, found)
        return
    open_choice(g, CH_ORDER, p)
    for k in range(g.h.n_triggers):
        if g.trigger[k].controller == p and first_alike(g, p, k) == k:
            row = g.trigger[k].source_row
            add_option(g, O_TRIGGER, row if is_live(g, row, g.trigger[k].source_id) else 0, k, NO_PLAYER)
