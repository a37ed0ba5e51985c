"""The rest of a turn, as instructions change it: phases added, skipped and ended, turns that another player controls
(CR 500.7-11, 614.10, 723, 724)."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memmove

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._actions cimport objects_of
from lkicore._expr cimport Ctx, holds, plain_context, ref_players
from lkicore._game cimport in_game
from lkicore._guard cimport ctz64, on_stack
from lkicore._layers cimport effect_add, effect_change, effect_remove, settle
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._phasing cimport phase_out
from lkicore._store cimport touched, zone_first
from lkicore._triggers cimport take_trigger
from lkicore._types cimport Ability
from lkicore._zones cimport TO_END, move_all


# ------------------------------------------------------------------------------------------------ more steps

cdef bint room_for(Game *g, int more) noexcept nogil:
    """Room in the queue for more steps, beside those of combat phases; steps that are over make some."""
    if g.h.steps_n + more > MOST_STEPS:
        memmove(g.steps, &g.steps[g.h.steps_head], g.h.steps_n - g.h.steps_head)
        g.h.steps_n -= g.h.steps_head
        g.h.steps_head = 0
    return g.h.steps_n + more <= MOST_STEPS


cdef void insert_at(Game *g, int at, int step) noexcept nogil:
    memmove(&g.steps[at + 1], &g.steps[at], g.h.steps_n - at)
    g.steps[at] = <uint8_t>step
    g.h.steps_n += 1


cdef void insert_step(Game *g, int step) noexcept nogil:
    if g.h.steps_head:
        g.h.steps_head -= 1  # in the place of a step that is over
        g.steps[g.h.steps_head] = <uint8_t>step
    else:
        insert_at(g, 0, step)


cdef int last_of_phase(int step) noexcept nogil:
    """The last step of the phase that a step belongs to (CR 500.1)."""
    if step <= STEP_DRAW:
        return STEP_DRAW
    if STEP_BEGIN_COMBAT <= step <= STEP_END_COMBAT:
        return STEP_END_COMBAT
    return STEP_CLEANUP if step >= STEP_END else step


cdef int phase_end(const Game *g) noexcept nogil:
    """Where the phase after the present one begins in the queue."""
    cdef int last = last_of_phase(g.h.step)
    cdef int i
    if g.h.step == last:
        return g.h.steps_head
    for i in range(g.h.steps_head, g.h.steps_n):
        if g.steps[i] == last:
            return i + 1
    return g.h.steps_head


cdef void extra_phase(Game *g, int what) noexcept nogil:
    """CR 500.8: directly after this phase or step; the newest comes first. Nothing without room for all of it."""
    if not room_for(g, 1 if what == XP_UPKEEP else 4 if what == XP_COMBAT_MAIN else 3):
        return
    if what == XP_UPKEEP:
        insert_at(g, g.h.steps_head, STEP_UPKEEP)
        return
    # From behind: each comes before those that were put there last.
    if what == XP_COMBAT_MAIN:
        insert_at(g, phase_end(g), STEP_MAIN2)
    insert_at(g, phase_end(g), STEP_END_COMBAT)
    insert_at(g, phase_end(g), STEP_DECLARE_ATTACKERS)
    insert_at(g, phase_end(g), STEP_BEGIN_COMBAT)


# ------------------------------------------------------------------------------------------------ fewer

cdef void skip_next(Game *g, int player, int what, uint16_t source_row) noexcept nogil:
    effect_add(g, EK_SKIP, 0, 0, what, 0, 0, D_PERMANENT, player, source_row, g.id[source_row])


cdef bint says_skip(Game *g, uint16_t row, int player, int what) noexcept nogil:
    """A permanent's ability makes the player skip this."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int n = abilities_of(g, row, list)
    cdef int i
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind != AB_RULE or a.event != RU_SKIP or a.amount != what:
            continue
        if a.step != RW_ANYBODY and g.controller[row] != player:
            continue
        plain_context(g, row, g.id[row], g.controller[row], &c)
        if holds(g, &c, a.condition):
            return True
    return False


cdef bint skipped(Game *g, int player, int what) noexcept nogil:
    cdef uint32_t i
    cdef uint16_t row
    if g.h.shields >> EK_SKIP & 1:
        for i in range(g.h.n_effects):
            if g.effect[i].kind == EK_SKIP and g.effect[i].player == player and g.effect[i].what == what:
                effect_remove(g, i)
                return True
    if g.h.restricts >> RU_SKIP & 1:
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if says_skip(g, row, player, what):
                return True
            row = g.znext[row]
    return False


cdef void pass_over_combat(Game *g) noexcept nogil:
    cdef int i
    for i in range(g.h.steps_head, g.h.steps_n):
        if g.steps[i] == STEP_END_COMBAT:
            g.h.steps_head = <uint8_t>(i + 1)
            return


cdef void end_now(Game *g, int what) noexcept nogil:
    """CR 724.1a-b: what has triggered and is not on the stack yet never will be; all on the stack is exiled."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.arena)
    cdef uint16_t row = zone_first(g, Z_STACK, 0)
    cdef int n = 0
    while g.h.n_triggers:
        take_trigger(g, 0)
    while row:
        rows[n] = row
        to[n] = Z_NONE if g.oflags[row] & (OF_ABILITY | OF_COPY) else Z_EXILE
        n += 1
        row = g.znext[row]
    if n:
        move_all(g, rows, to, n, TO_END, -1, False)
    g.h.ending = <uint8_t>what
    touched(g)


# ------------------------------------------------------------------------------------------------ another's turn

cdef void control_next_turn(Game *g, int player, int controller, uint16_t source_row) noexcept nogil:
    effect_add(g, EK_CONTROL_PLAYER, 0, 0, player, 0, 0, D_PERMANENT, controller, source_row, g.id[source_row])


cdef void take_over(Game *g, int player) noexcept nogil:
    """CR 723.1, 723.1a: of several effects the newest counts, and all are used up."""
    cdef uint32_t i = 0
    while i < g.h.n_effects:
        if g.effect[i].kind == EK_CONTROL_PLAYER and g.effect[i].what == player:
            if g.h.alive >> g.effect[i].player & 1:
                g.p_decider[player] = g.effect[i].player
            effect_remove(g, i)
        else:
            i += 1


# ------------------------------------------------------------------------------------------------ instructions

cdef void exchange_control(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """CR 701.12a-b: all of it or nothing; two permanents of one player are exchanged by nothing happening."""
    cdef uint16_t *one = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t *other = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int p, q
    if objects_of(g, c, w[1], False, one) != 1 or objects_of(g, c, w[2], False, other) != 1:
        return
    p = g.controller[one[0]]
    q = g.controller[other[0]]
    if p != q and in_game(g, p) and in_game(g, q):
        effect_change(g, one[0], w[3], w[4], 0, 0, D_PERMANENT, q, c.source_row, c.source_id)
        effect_change(g, other[0], w[3], w[4], 0, 0, D_PERMANENT, p, c.source_row, c.source_id)
        settle(g)


cdef void require(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """For each of the objects: what it must attack or block this turn if able."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t *against = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, w[1], False, rows)
    cdef int mask = ref_players(g, c, w[2]) & g.h.alive
    cdef int p = ctz64(mask) if mask else -1
    cdef int i
    if p < 0 and objects_of(g, c, w[2], False, against) != 1:
        return
    for i in range(n):
        if p >= 0:
            effect_add(g, EK_REQUIRE, rows[i], g.id[rows[i]], 1 + p, 0, 0, D_END_OF_TURN, c.controller, 0, 0)
        else:
            effect_add(g, EK_REQUIRE, rows[i], g.id[rows[i]], 0, 0, 0, D_END_OF_TURN, c.controller, against[0],
                       g.id[against[0]])


cdef void run_turns(Game *g, Ctx *c, const int32_t *w) noexcept nogil:
    """Instructions about turns and phases, and who controls what."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int op = w[0]
    cdef int i, n
    if op == E_EXTRA_PHASE:
        extra_phase(g, w[1])
    elif op == E_CUT_SHORT:
        # (The combat phase can be ended only while there is one, CR 724.2.)
        if w[1] == EG_TURN or STEP_BEGIN_COMBAT <= g.h.step <= STEP_END_COMBAT:
            end_now(g, w[1])
            c.targets = 0
    elif op == E_SKIP or op == E_CONTROL_PLAYER:
        n = ref_players(g, c, w[1]) & g.h.alive
        for i in range(<int>g.lay.players):
            if not n >> i & 1:
                continue
            if op == E_SKIP:
                skip_next(g, i, w[2], c.source_row)
            else:
                control_next_turn(g, i, c.controller, c.source_row)
    elif op == E_PHASE_OUT:
        phase_out(g, rows, objects_of(g, c, w[1], False, rows))
    elif op == E_EXCHANGE_CONTROL:
        exchange_control(g, c, w)
    elif op == E_GOAD:
        n = objects_of(g, c, w[1], False, rows)
        for i in range(n):
            effect_add(g, EK_GOAD, rows[i], g.id[rows[i]], 0, 0, 0, D_YOUR_NEXT_TURN, c.controller, c.source_row,
                       c.source_id)
    elif op == E_REQUIRE:
        require(g, c, w)
