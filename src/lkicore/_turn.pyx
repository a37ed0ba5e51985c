"""The turn machine (CR 500-514) and the main loop: frames first, then the turn."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, extra_add
from lkicore._actions cimport returns_due
from lkicore._announce cimport run_announce
from lkicore._arena cimport chunk_free, refs_add
from lkicore._choices cimport all_calm, can_act, may_act, offer_priority, sorcery_time, take_priority_option
from lkicore._library cimport draw
from lkicore._stack_copies cimport run_retarget
from lkicore._combat cimport (begin_blocks, begin_damage, blocks_declared, end_combat, gather, has_attackers,
                              needs_first_strike, run_assign, run_attack, run_block,
                              run_join)
from lkicore._defs cimport face_of
from lkicore._delayed cimport begin_anew, tell_step, turns_passed_over
from lkicore._enter cimport entering, run_enter
from lkicore._entries cimport begin_resolve
from lkicore._expr cimport Ctx, passes, plain_context
from lkicore._follow cimport begin_following, follows_now
from lkicore._game cimport (AGAIN_DRAW, AGAIN_SBA, ASKED, ASK_EVENT, ASK_FRAME, ASK_OPEN, NO_ANSWER, NO_PLAYER,
                            add_option,
                            answer_of, drop_frame, event_done, in_game, next_player, open_choice, pop_frame, push_frame,
                            top_frame)
from lkicore._guard cimport apart, on_stack, rare
from lkicore._history cimport history_forget
from lkicore._instead cimport player_at_once
from lkicore._layers cimport changed, effects_expire, settle
from lkicore._layout cimport Frame, Game, Option
from lkicore._mana cimport pools_empty
from lkicore._opcodes cimport *
from lkicore._opening cimport draw_hand, look_outside, run_mulligan, run_opening
from lkicore._phases cimport insert_step, pass_over_combat, skipped, take_over
from lkicore._players cimport look_for_end, players_leave, stop, tell_losses
from lkicore._rng cimport N_PURPOSES, S_CHANCE, below, mix64
from lkicore._sba cimport check_sba, run_commander, run_legend, run_protector
from lkicore._stack cimport begin_order, run_order, run_resolve
from lkicore._state cimport loop_key
from lkicore._status cimport leave_combat, put_counters
from lkicore._store cimport is_live, touched, trace, zone_count, zone_first
from lkicore._tapping cimport run_pay
from lkicore._triggers cimport heard, look_at_states
from lkicore._types cimport ASKS_STEP
from lkicore._untap cimport begin_untap, run_untap
from lkicore._zones cimport discard_card

cdef enum:
    LOOP_LOOK = 200          # passes of priority in a turn without anything else done before loops are looked for
    LOOP_SPAN = 32           # passes that the first look takes; each further one twice as many
    FORCED_LIMIT = 5000      # passes of priority in a turn without anything else done: no game gets there but by a loop


cdef void draw_for_turn(Game *g) noexcept nogil:
    """CR 504.1; what replaces it may be a choice (CR 616.1). Where several cards are drawn instead of it, it is for the
    first of them that players are asked."""
    cdef int n
    if g.h.asks == 0:
        g.h.drawn_before = g.p_drawn[g.h.active]
        if not (g.h.replaces | g.h.shields or g.h.commanders):
            draw(g, g.h.active)  # nobody is asked anything
            return
        g.h.asks = ASK_EVENT * AGAIN_DRAW
    if in_game(g, g.h.active):
        n = player_at_once(g, RP_DRAWS, g.h.active, 1)
        if n > 0 and draw(g, g.h.active) != ASKED:
            g.h.asks = 0
            while n > 1 and g.h.status == GS_RUNNING:
                draw(g, g.h.active)
                n -= 1
    if g.h.asks != ASK_OPEN:
        g.h.asks = 0


# ------------------------------------------------------------------------------------------------ discarding

cdef void discard_one(Game *g, uint16_t row) noexcept nogil:
    """Discard a card for the frame on top; the spell or ability below that told it so remembers the card."""
    cdef Frame *teller
    discard_card(g, row)
    if g.h.n_frames > 1:
        teller = &g.frame[g.h.n_frames - 2]
        while teller.kind == F_DISCARD and teller > g.frame:
            teller -= 1
        if teller.kind == F_RESOLVE and g.id[teller.obj_row] == teller.obj_id:
            extra_add(g, teller.obj_row, RK_MOVED, g.id[row], row, 0)


cdef void discard_at_random(Game *g, int player, int n) noexcept nogil:
    """CR 701.9b."""
    cdef uint16_t row
    cdef uint32_t k
    while n > 0 and zone_count(g, Z_HAND, player) and g.h.status == GS_RUNNING:
        k = below(&g.stream[(player * N_PURPOSES + S_CHANCE) * 2], <uint32_t>zone_count(g, Z_HAND, player))
        row = zone_first(g, Z_HAND, player)
        while k:
            row = g.znext[row]
            k -= 1
        discard_one(g, row)
        n -= 1


cdef void run_discard(Game *g) noexcept nogil:
    """One player discards cards of its choice. frame: a how many are left, b filter of the cards (-1 any), c 1 at
    random."""
    cdef Frame *f = top_frame(g)
    cdef uint16_t row
    cdef int player = f.player
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef int i, n
    cdef Ctx c
    if g.h.answer != NO_ANSWER:
        row = answer_of(g).row
        g.h.answer = NO_ANSWER
        discard_one(g, row)
        f.a -= 1
    if f.c:
        discard_at_random(g, player, f.a)
        pop_frame(g)
        return
    if f.a <= 0 or zone_count(g, Z_HAND, player) == 0:
        pop_frame(g)
        return
    plain_context(g, 0, 0, player, &c)
    open_choice(g, CH_DISCARD, player)
    row = zone_first(g, Z_HAND, player)
    while row:
        if passes(g, &c, f.b, row):
            add_option(g, O_OBJECT, row, 0, NO_PLAYER)
        row = g.znext[row]
    if g.h.n_options == 0 or (g.h.n_options <= f.a and g.h.options_mask & EO_COLLAPSE):
        # All that is left: no choice.
        n = g.h.n_options
        for i in range(n):
            rows[i] = g.option[i].row
        g.h.choice = CH_NONE
        g.h.n_options = 0
        for i in range(n):
            if g.h.status == GS_RUNNING:
                discard_one(g, rows[i])
        pop_frame(g)


# ------------------------------------------------------------------------------------------------ turns and steps

cdef enum:
    USUAL_STEPS = 10

# The steps of a turn; those between attackers and the end of combat join when there are attackers (CR 508.8).
cdef uint8_t[USUAL_STEPS] usual_steps
usual_steps[:] = [STEP_UNTAP, STEP_UPKEEP, STEP_DRAW, STEP_MAIN1, STEP_BEGIN_COMBAT, STEP_DECLARE_ATTACKERS,
                  STEP_END_COMBAT, STEP_MAIN2, STEP_END, STEP_CLEANUP]


cdef void begin_turn(Game *g) noexcept nogil:
    cdef int p
    cdef bint extra = False
    if g.h.turn:
        g.h.spells_last = g.p_casts[g.h.active]
        g.p_turn_last[g.h.active] = g.h.turn
    g.h.turn += 1
    if g.max_turns and g.h.turn > g.max_turns:
        stop(g, GS_ABORTED, END_TURN_LIMIT)
        return
    if g.h.turn == 1:
        p = g.h.starting
        if not in_game(g, p):
            p = next_player(g, p)
    elif g.h.turns_n:
        # CR 500.7: the extra turn created last comes first.
        g.h.turns_n -= 1
        p = g.turns[g.h.turns_n]
        extra = True
        if not in_game(g, p):
            g.h.turn -= 1
            return
    else:
        p = next_player(g, g.h.last_turn_of)
        if rare(g.h.n_alive < g.lay.players):
            turns_passed_over(g, p)
    if not extra:
        g.h.last_turn_of = <uint8_t>p
    if g.h.shields >> EK_SKIP & 1 and skipped(g, p, SK_TURN):
        g.h.turn -= 1  # CR 500.11, 614.10a: it does not begin
        return
    g.p_decider[g.h.active] = g.h.active
    g.h.active = <uint8_t>p
    if g.h.shields >> EK_CONTROL_PLAYER & 1:
        take_over(g, p)
    g.h.cleanup_again = 0
    g.h.forced = 0
    g.h.loop_next = 0
    memcpy(g.steps, usual_steps, USUAL_STEPS)
    g.h.steps_head = 0
    g.h.steps_n = USUAL_STEPS
    if g.h.turn == 1 and g.lay.players == 2:
        memmove(&g.steps[2], &g.steps[3], USUAL_STEPS - 3)  # CR 103.8a: no draw step
        g.h.steps_n -= 1
    g.h.phase_state = TS_NEXT_STEP
    for p in range(<int>g.lay.players):
        g.p_lands[p] = 0
        g.p_drawn[p] = 0
        g.p_casts[p] = 0
        g.p_acts[p] = 0
    if g.h.once or g.h.n_effects:
        begin_anew(g)
    changed(g, RD_TURN | RD_HISTORY)
    if g.h.history_n:
        history_forget(g)
    touched(g)
    trace(g, TR_TURN, g.h.turn, g.h.active, 0, 0, 0)


cdef void cleanup_step(Game *g) noexcept nogil:
    """CR 514.2, after the discard: damage wears off and "until end of turn" ends, together."""
    g.h.tick += 1
    if g.h.damaged:
        # Only permanents have damage marked: the column is all theirs.
        memset(g.damage, 0, g.lay.rows * sizeof(int16_t))
        g.h.damaged = 0
        changed(g, RD_DAMAGE)
    if g.h.n_effects:
        effects_expire(g, D_END_OF_TURN, NO_PLAYER)
    settle(g)


cdef void turn_pages(Game *g) noexcept nogil:
    """CR 714.3b: as the precombat main phase begins, the active player puts a lore counter on each Saga."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t list[MOST_ABILITIES]
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef int n = 0
    cdef int i, k
    settle(g)
    while row:
        if (g.controller[row] == g.h.active and face_of(g, g.defn[row]).chapters
                and not g.status[row] & ST_PHASED_OUT):
            rows[n] = row
            n += 1
        row = g.znext[row]
    g.h.tick += 1 if n else 0
    for i in range(n):
        for k in range(abilities_of(g, rows[i], list)):
            if ability_of(g, list[k]).kind == AB_TRIGGERED and ability_of(g, list[k]).flags & TF_CHAPTER:
                put_counters(g, rows[i], ability_of(g, list[k]).step, 1)
                break


cdef void begin_step(Game *g, bint attack) noexcept nogil:
    """Turn-based actions (CR 703); then players receive priority, in most steps. `attack`: creatures can, it is known.
    """
    cdef int step = g.h.step
    cdef int extra
    cdef Frame *f
    trace(g, TR_STEP, step, 0, 0, 0, 0)
    g.h.phase_state = TS_CHECK
    g.h.priority = g.h.active
    g.h.passes = 0
    if rare(not in_game(g, g.h.active)):
        g.h.priority = <uint8_t>next_player(g, g.h.active)  # CR 800.4j
    if step == STEP_DRAW:
        if in_game(g, g.h.active):
            draw_for_turn(g)  # CR 504.1
    elif step == STEP_MAIN1:
        if heard(g, EV_COUNTERS_PUT):
            turn_pages(g)
    elif step == STEP_DECLARE_ATTACKERS:
        if attack or (in_game(g, g.h.active) and has_attackers(g, g.h.active)):
            push_frame(g, F_ATTACK, g.h.active)
    elif step == STEP_DECLARE_BLOCKERS:
        begin_blocks(g)
    elif step == STEP_FIRST_STRIKE_DAMAGE or step == STEP_COMBAT_DAMAGE:
        begin_damage(g)
    elif step == STEP_CLEANUP:
        extra = 0
        if in_game(g, g.h.active):
            extra = zone_count(g, Z_HAND, g.h.active) - g.p_hand_max[g.h.active]
        if extra > 0:
            f = push_frame(g, F_DISCARD, g.h.active)
            f.a = extra
            f.b = -1
    changed(g, RD_TURN)
    if waits_for_steps(g):
        tell_step(g, step)


cdef inline bint waits_for_steps(const Game *g) noexcept nogil:
    """Some ability triggers at the beginning of a step."""
    return rare(g.h.listening & <uint64_t>1 << EV_STEP or g.h.shields & 1 << EK_DELAYED)


cdef void end_step(Game *g) noexcept nogil:
    """CR 500.5: pools empty; what follows depends on what the step was."""
    cdef int step = g.h.step
    if rare(g.h.pools):
        pools_empty(g)
    g.h.phase_state = TS_NEXT_STEP
    if step == STEP_DECLARE_ATTACKERS:
        if g.h.n_attackers:
            insert_step(g, STEP_COMBAT_DAMAGE)
            insert_step(g, STEP_DECLARE_BLOCKERS)
        # CR 508.8: without attackers the next two steps are skipped.
    elif step == STEP_DECLARE_BLOCKERS:
        if needs_first_strike(g):
            g.h.combat_flags |= CBF_FIRST_STRIKE
            insert_step(g, STEP_FIRST_STRIKE_DAMAGE)
    elif step == STEP_END_COMBAT:
        leave_combat_step(g)


cdef void leave_combat_step(Game *g) noexcept nogil:
    end_combat(g)
    if g.h.n_effects:
        effects_expire(g, D_END_OF_COMBAT, NO_PLAYER)


cdef void look_for_loop(Game *g) noexcept nogil:
    """CR 104.4b, 732: only mandatory actions, and the game is what it was: a draw.

    A key is kept for twice as many passes each time (Brent's way), so that any loop shorter than that is found. Who
    could do something with priority but passes, needn't (732.5). A choice between several options begins anew (`take`):
    as long as a loop may be left so, it is the players' to go on with.
    """
    if g.h.loop_next and g.h.forced < g.h.loop_next:
        if g.h.n_stack == g.h.loop_stack and loop_key(g) == g.h.loop_key:
            stop(g, GS_ENDED, END_LOOP)
        return
    g.h.loop_span = 2 * g.h.loop_span if g.h.loop_next else LOOP_SPAN
    g.h.loop_next = g.h.forced + g.h.loop_span
    g.h.loop_stack = g.h.n_stack
    g.h.loop_key = loop_key(g)


cdef void pass_priority(Game *g) noexcept nogil:
    """CR 117.4: when all have passed in succession, the top of the stack resolves or the step ends."""
    g.h.passes += 1
    g.h.forced += 1
    if g.h.passes < g.h.n_alive:
        g.h.priority = <uint8_t>next_player(g, g.h.priority)
        return
    g.h.passes = 0
    if rare(g.h.forced > LOOP_LOOK):
        if g.h.forced > FORCED_LIMIT:
            stop(g, GS_ABORTED, END_STEP_LIMIT)
        else:
            look_for_loop(g)
        if rare(g.h.status != GS_RUNNING):
            return
    if g.h.n_stack:
        begin_resolve(g)
        g.h.priority = g.h.active if in_game(g, g.h.active) else <uint8_t>next_player(g, g.h.active)  # CR 117.3b
        g.h.phase_state = TS_CHECK
    else:
        g.h.phase_state = TS_END_STEP


cdef inline bint quiet(Game *g) noexcept nogil:
    """Nothing waits and nobody can do anything: in a step without choices all pass and the step ends."""
    return (g.h.options_mask & EO_AUTO_PASS and (g.h.n_stack | g.h.sba | g.h.bits_dirty | g.h.n_triggers) == 0
            and not (rare(g.h.uses & USE_STEPS) and heard(g, EV_STATE)) and g.h.status == GS_RUNNING and all_calm(g))


cdef inline bint without_action(int step) noexcept nogil:
    """A step without a turn-based action that always happens."""
    return (1 << STEP_UPKEEP | 1 << STEP_BEGIN_COMBAT | 1 << STEP_DECLARE_ATTACKERS | 1 << STEP_END_COMBAT
            | 1 << STEP_END) >> step & 1


cdef bint passes_over(Game *g, int step) noexcept nogil:
    """The active player skips this step or phase (CR 500.11): nothing of it happens."""
    if step == STEP_BEGIN_COMBAT:
        if not skipped(g, g.h.active, SK_COMBAT):
            return False
        pass_over_combat(g)
        return True
    if step == STEP_UNTAP:
        return skipped(g, g.h.active, SK_UNTAP)
    if step == STEP_UPKEEP:
        return skipped(g, g.h.active, SK_UPKEEP)
    if step == STEP_DRAW:
        return skipped(g, g.h.active, SK_DRAW)
    return (step == STEP_MAIN1 or step == STEP_MAIN2) and skipped(g, g.h.active, SK_MAIN)


cdef inline bint runs_through(Game *g, int step, bint heeded) noexcept nogil:
    """Nothing but the passing of priority (CR 117.4) in a step that begins, and as long as that is all, in those that
    follow it. False: creatures can attack in the step that it has come to."""
    cdef uint32_t rev = g.h.rev
    while step != STEP_DECLARE_ATTACKERS or not has_attackers(g, g.h.active):
        trace(g, TR_STEP, step, 0, 0, 0, 0)
        g.h.priority = g.h.active
        changed(g, RD_TURN)
        if step == STEP_END_COMBAT:
            leave_combat_step(g)
            return True
        if (g.h.rev != rev or g.h.steps_head == g.h.steps_n or not without_action(g.steps[g.h.steps_head])
                or rare(heeded)):
            return True  # to be looked at as the first one was
        step = g.steps[g.h.steps_head]
        g.h.steps_head += 1
        g.h.step = <uint8_t>step
    return False


cdef void next_steps(Game *g) noexcept nogil:
    """Begin the next step, and run through steps, and into turns, in which nobody can do anything.

    A step that is run through does what the long way would do: its turn-based action, priority passed by all, its end.
    """
    cdef int step
    cdef bint attack
    cdef bint heeded = g.h.uses & USE_STEPS or g.h.watch & ASKS_STEP  # the step itself may mean something to cards
    while g.h.status == GS_RUNNING:
        if g.h.steps_head == g.h.steps_n:
            if not g.h.cleanup_again:
                begin_turn(g)
                continue
            g.h.cleanup_again = 0  # CR 514.3a: another cleanup step
            step = STEP_CLEANUP
        else:
            step = g.steps[g.h.steps_head]
            g.h.steps_head += 1
        g.h.step = <uint8_t>step
        if rare(heeded):
            if (g.h.shields >> EK_SKIP | g.h.restricts >> RU_SKIP) & 1 and passes_over(g, step):
                continue
            touched(g)
        if step == STEP_UNTAP:
            trace(g, TR_STEP, step, 0, 0, 0, 0)
            if begin_untap(g):
                return
            continue  # CR 502.4: no priority
        attack = False
        if without_action(step) and quiet(g) and not g.h.pools and not waits_for_steps(g):
            if runs_through(g, step, heeded):
                continue
            step = STEP_DECLARE_ATTACKERS
            attack = True
        begin_step(g, attack)
        if g.h.n_frames or g.h.choice or g.h.following:
            return
        if step == STEP_CLEANUP:
            end_cleanup(g)
            if g.h.phase_state != TS_END_STEP or g.h.status != GS_RUNNING:
                return
        elif step == STEP_MAIN1 or step == STEP_MAIN2 or not quiet(g):
            return
        end_step(g)


cdef void end_cleanup(Game *g) noexcept nogil:
    """CR 514.2-3: no priority, unless state-based actions are performed or abilities trigger."""
    if not g.h.cleanup_again:
        cleanup_step(g)
    if check_sba(g) or g.h.n_stack or g.h.n_triggers:
        g.h.cleanup_again = 1
    if g.h.n_frames or g.h.following:
        g.h.phase_state = TS_CHECK
        return  # a choice of the check, or of what enters; then it is made again
    if g.h.n_triggers and g.h.status == GS_RUNNING:
        begin_order(g)
    g.h.phase_state = TS_PRIORITY if g.h.cleanup_again else TS_END_STEP


cdef void give_priority(Game *g) noexcept nogil:
    """CR 117.3: the player with priority acts or passes."""
    cdef int p = g.h.priority
    if not g.h.options_mask & EO_AUTO_PASS:
        offer_priority(g, p)
        return
    if sorcery_time(g, p):
        offer_priority(g, p)
        if g.h.n_options != 1:
            return
        g.h.choice = CH_NONE
        g.h.n_options = 0
    elif rare(may_act(g)) and can_act(g, p) & ACT_INSTANT:
        offer_priority(g, p)
        return
    elif all_calm(g):
        g.h.passes = g.h.n_alive - 1  # all pass in succession
    pass_priority(g)


cdef void end_early(Game *g) noexcept nogil:
    """The turn or the combat phase ends (CR 724.1c-e): state-based actions, but no priority; what triggers waits for
    the cleanup step, or for the next phase."""
    check_sba(g)
    if g.h.n_frames or g.h.following or g.h.status != GS_RUNNING:
        return  # a choice of the check; then it is made again
    if g.h.pools:
        pools_empty(g)
    if STEP_BEGIN_COMBAT <= g.h.step <= STEP_END_COMBAT:
        leave_combat_step(g)
    if g.h.ending == EG_TURN:
        # CR 724.1d: in a cleanup step, too, a new one begins.
        g.steps[0] = STEP_CLEANUP
        g.h.steps_head = 0
        g.h.steps_n = 1
        g.h.cleanup_again = 0
    else:
        pass_over_combat(g)
    g.h.ending = EG_NOTHING
    g.h.phase_state = TS_NEXT_STEP


cdef void run_turn(Game *g) noexcept nogil:
    """One move of the turn machine."""
    cdef int state = g.h.phase_state
    cdef int p
    if state == TS_CHECK and rare(g.h.ending):
        end_early(g)
        if g.h.n_frames or g.h.following or g.h.status != GS_RUNNING:
            return
        state = g.h.phase_state
    if state == TS_CHECK:
        if g.h.step == STEP_CLEANUP:
            end_cleanup(g)
        else:
            if g.h.sba | g.h.bits_dirty | g.h.n_attached | g.h.shields:
                if g.h.shields >> EK_RETURN & 1:
                    returns_due(g)
                if not entering(g):
                    check_sba(g)
                if g.h.n_frames or g.h.following:
                    return  # the legend rule asks, or what enters; then this check is made again
            if heard(g, EV_STATE):
                look_at_states(g)
            if rare(g.h.n_triggers) and g.h.status == GS_RUNNING:
                begin_order(g)  # CR 603.3: before a player receives priority; then this check is made again
            else:
                g.h.phase_state = TS_PRIORITY
        if rare(g.h.status != GS_RUNNING) or g.h.n_frames:
            return
    if g.h.phase_state == TS_PRIORITY:
        give_priority(g)
    if g.h.phase_state == TS_END_STEP:
        end_step(g)
        state = TS_NEXT_STEP
    if state == TS_NEXT_STEP:
        next_steps(g)
    elif state == TS_PREGAME:
        # CR 103: libraries are shuffled, hands drawn, mulligans taken.
        trace(g, TR_GAME, g.h.starting, 0, 0, 0, 0)
        look_outside(g)
        for p in range(<int>g.lay.players):
            draw_hand(g, p)
        g.h.phase_state = TS_NEXT_STEP
        push_frame(g, F_MULLIGAN, g.h.starting)


cdef void run_event(Game *g) noexcept nogil:
    """What was about to happen begins again, with one answer more about what replaces it."""
    cdef int step = top_frame(g).step
    cdef int depth = g.h.n_frames
    g.h.asks = ASK_FRAME
    if step == AGAIN_SBA:
        check_sba(g)
    elif step == AGAIN_DRAW:
        draw_for_turn(g)
    if g.h.asks == ASK_FRAME:
        g.h.asks = 0
    if g.h.choice == CH_NONE and g.h.n_frames == depth and top_frame(g).kind == F_EVENT:
        event_done(g)  # it did not happen


cdef void run_frame(Game *g) noexcept nogil:
    cdef int kind = top_frame(g).kind
    g.h.asked = 0
    if kind == F_CAST or kind == F_ACTIVATE or kind == F_TRIGGER:
        run_announce(g)
    elif kind == F_RESOLVE:
        run_resolve(g)
    elif kind == F_ORDER:
        run_order(g)
    elif kind == F_ATTACK:
        run_attack(g)
    elif kind == F_BLOCK:
        run_block(g)
    elif kind == F_ASSIGN:
        run_assign(g)
    elif kind == F_DISCARD:
        run_discard(g)
    elif kind == F_ENTER:
        run_enter(g)
    elif kind == F_EVENT:
        run_event(g)
    elif kind == F_MULLIGAN:
        run_mulligan(g)
    elif kind == F_PAY:
        run_pay(g)
    elif kind == F_COMMANDER:
        run_commander(g)
    elif kind == F_LEGEND:
        run_legend(g)
    elif kind == F_JOIN:
        run_join(g)
    elif kind == F_PROTECTOR:
        run_protector(g)
    elif kind == F_UNTAP:
        run_untap(g)
    elif kind == F_OPENING:
        run_opening(g)
    elif kind == F_RETARGET:
        run_retarget(g)
    else:
        g.h.status = GS_FAULT


cdef bint take_back(Game *g) noexcept nogil:
    """A spell or ability that as it was announced lost what could be chosen, with a player who left: its targets, and
    with them every mode or X. Nothing has been paid yet: nothing happened (CR 733.1)."""
    cdef int kind = top_frame(g).kind if g.h.n_frames else F_NONE
    if (kind != F_CAST and kind != F_ACTIVATE and kind != F_TRIGGER) or g.lay.players == 2:
        return False
    g.h.choice = CH_NONE
    drop_frame(g)
    return True


cdef void advance(Game *g) noexcept nogil:
    """Run until someone must choose or the game ends or stops."""
    while g.h.status == GS_RUNNING:
        if g.h.following and not entering(g) and follows_now(g):
            begin_following(g)
        if g.h.n_frames:
            run_frame(g)
        else:
            run_turn(g)
        if g.h.choice:
            if rare(g.h.status != GS_RUNNING):
                break
            if g.h.n_options == 1 and g.h.options_mask & EO_COLLAPSE:
                take(g, 0)
                continue
            if rare(g.h.n_options == 0) and not take_back(g):
                stop(g, GS_FAULT, END_FAULT)
                break
            if g.h.n_options == 0:
                continue
            return
    if rare(g.h.status == GS_FAULT) and g.h.reason != END_FAULT:
        stop(g, GS_FAULT, END_FAULT)


cdef apart answer_event(Game *g, int option) noexcept nogil:
    """CR 616.1: kept with the frame, which makes out its event again."""
    cdef Frame *f = top_frame(g)
    g.h.asks = 0
    f.answers = refs_add(g, f.answers, <uint32_t>option, 0, RK_EVENT_AMOUNT)
    g.h.n_options = 0


cdef void take(Game *g, int option) noexcept nogil:
    """Take an option of the open choice; `advance` goes on from there."""
    cdef int kind = g.h.choice
    g.h.choice = CH_NONE
    if rare(g.h.asks == ASK_OPEN):
        answer_event(g, option)
        return
    g.h.answer = <uint16_t>option
    if kind != CH_PRIORITY:
        if g.h.n_options > 1:
            g.h.loop_next = 0
    else:
        g.h.phase_state = TS_CHECK
        if g.option[option].kind == O_PASS:
            g.h.answer = NO_ANSWER
            g.h.phase_state = TS_PRIORITY
            pass_priority(g)
        else:
            g.h.forced = 0
            g.h.loop_next = 0
            take_priority_option(g)
            g.h.answer = NO_ANSWER


cdef uint64_t named_label(const Game *g, const Option *o) noexcept nogil:
    """What is named, not its number."""
    return (NAME_O[o.kind] + (<uint64_t>o.player << 24)) ^ (
        face_of(g, <uint16_t>o.num).name_hash if o.kind == O_NAME else g.cards.subtype_hashes[o.num])


cdef inline uint64_t label(const Game *g, const Option *o) noexcept nogil:
    """What an option says, without ids, rows or anything of the layout."""
    cdef uint64_t h
    if rare(o.kind == O_NAME or o.kind == O_SUBTYPE):
        return named_label(g, o)
    h = NAME_O[o.kind] + (<uint64_t><uint16_t>o.num << 8 | <uint64_t>o.player << 24)
    if o.row:
        h ^= face_of(g, g.defn[o.row]).name_hash
    return h


cdef int apply(Game *g, int option) noexcept nogil:
    """Take option number `option` of the open choice; -1 if there is no such option."""
    cdef uint64_t h
    if rare(g.h.status != GS_RUNNING or g.h.choice == CH_NONE or option < 0 or option >= g.h.n_options):
        return -1
    # The sequence of choices taken, each by kind, the card that it is about and the option's label.
    h = g.h.choice_hash ^ NAME_CH[g.h.choice]
    if g.h.n_frames and top_frame(g).obj_row:
        h += face_of(g, g.defn[top_frame(g).obj_row]).name_hash
    g.h.choice_hash = mix64(h * 0x9E3779B97F4A7C15ULL + label(g, &g.option[option]))
    g.h.choices += 1
    trace(g, TR_CHOICE, g.h.decider, option, g.h.n_options, g.h.choice, g.option[option].id)
    take(g, option)
    return 0


cdef void begin_again(Game *g, Frame *f) noexcept nogil:
    """A player left in the middle of a declaration or division: it is made anew among those who are left."""
    cdef int i
    cdef uint16_t row
    for i in range(<int>g.lay.rows if f.kind == F_ATTACK or f.kind == F_BLOCK else 0):
        row = <uint16_t>i
        if f.kind == F_ATTACK:
            g.attacks[row] = 0
            g.combat[row] = 0
            g.blocks_row[row] = 0
            g.blocks_id[row] = 0
        elif g.controller[row] == f.player and g.combat[row] & CB_BLOCKING:
            leave_combat(g, row)
    if f.kind == F_ASSIGN:
        f.player = g.h.active
        chunk_free(g, f.list)
        f.list = 0
    f.step = 0
    f.n = 0
    f.a = 0
    f.b = 0
    f.c = 0
    f.d = 0
    f.obj_row = 0
    f.obj_id = 0
    if f.kind == F_BLOCK or f.kind == F_ASSIGN:
        gather(g)
        for i in range(g.h.n_fighters):
            g.assigned[g.fighter[i]] = 0


cdef void reopen(Game *g, int player) noexcept nogil:
    """A player left while a choice was open: drop what was the player's to do, and offer the rest anew
    (CR 800.4f-h)."""
    cdef Frame *f
    cdef bint last_block
    cdef uint32_t i
    g.h.choice = CH_NONE
    g.h.n_options = 0
    g.h.answer = NO_ANSWER
    g.h.asks = 0
    g.h.asked = 0
    for i in range(g.h.n_frames):
        # What was answered may have been about what is gone.
        chunk_free(g, g.frame[i].answers)
        g.frame[i].answers = 0
    while g.h.n_frames:
        f = top_frame(g)
        if f.kind == F_MULLIGAN:
            # Asked again, the one who stays; never the one who left.
            if f.player != player:
                f.a &= ~(1 << f.player)
            f.b &= ~(1 << player)
            if f.step == 1 and f.player == player:
                f.n = 0
            return
        if f.kind == F_EVENT or f.kind == F_OPENING:
            return  # it begins again
        if f.kind == F_ENTER:
            return  # those that are left are asked for what is left to enter
        if f.kind == F_RESOLVE:
            return  # what resolved is gone with its owner, or goes on for the others
        if f.kind == F_ORDER:
            return  # whose triggers come next is asked anew (CR 800.4d)
        if f.kind == F_LEGEND or f.kind == F_PROTECTOR:
            drop_frame(g)  # the check is made anew
            break
        if f.kind == F_COMMANDER:
            if is_live(g, f.obj_row, f.obj_id):
                g.pc_flags[g.card[f.obj_row]] |= CF_MOVED  # asked anew
            return
        if f.kind == F_UNTAP:
            if f.player == player:
                drop_frame(g)  # nobody's permanents untap
                g.h.phase_state = TS_NEXT_STEP
            return
        if f.kind == F_ASSIGN:
            f.player = g.h.active  # whose frame it is, whoever was asked
        if f.player != player and not ((f.kind == F_CAST or f.kind == F_ACTIVATE)
                                       and not is_live(g, f.obj_row, f.obj_id)):
            # (What another player was announcing is over if its card or source went with its owner.)
            if f.kind == F_ATTACK or f.kind == F_BLOCK or f.kind == F_ASSIGN:
                begin_again(g, f)
            return
        last_block = f.kind == F_BLOCK and (g.h.n_frames == 1 or g.frame[g.h.n_frames - 2].kind != F_BLOCK)
        drop_frame(g)
        if last_block:
            blocks_declared(g)
    g.h.phase_state = TS_CHECK


cdef void concede(Game *g, int player) noexcept nogil:
    """CR 104.3a: a player concedes at any time and leaves the game."""
    cdef uint8_t why[8]
    if g.h.status != GS_RUNNING or not in_game(g, player):
        return
    g.h.tick += 1
    memset(why, 0, sizeof(why))
    why[player] = END_CONCEDE
    tell_losses(g, why)
    players_leave(g, why)
    look_for_end(g)
    if g.h.status == GS_RUNNING and g.h.choice:
        reopen(g, player)
