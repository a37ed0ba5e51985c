"""Validating a block: stack, effects, waiting triggers, history, frames, the open choice."""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport abilities_of, ability_of, defender_of
from lkicore._allowed cimport part_of, parts_of
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._attach cimport can_be_attached
from lkicore._casting cimport spell_of_entry
from lkicore._check_cast cimport (check_announce, check_combat_frame, cost_option, has_activated, in_hand,
                                  kick_option, mine, mode_option, modes_fit, play_option, stays, target_option,
                                  targets_fit)
from lkicore._check_codes cimport *
from lkicore._costs cimport BY_LIFE, BY_TWO
from lkicore._defs cimport face_of, is_definition
from lkicore._entries cimport entry_context, entry_of
from lkicore._expr cimport Ctx, ref_players
from lkicore._game cimport AGAIN_DRAW, ASK_OPEN, NO_ANSWER, NO_PLAYER, in_game, top_frame
from lkicore._help cimport GENERIC
from lkicore._hidden cimport turn_ups
from lkicore._layout cimport Effect, Event, Frame, Game, Option, Ref, StackEntry, Trigger
from lkicore._mana cimport tapping
from lkicore._opcodes cimport *
from lkicore._player_rules cimport USUAL_HAND
from lkicore._store cimport has_bit, is_live
from lkicore._types cimport Face, MOST_ABILITIES, NONE16, WORDS
from lkicore._zones cimport EF_ASKS, EF_COPY, EF_HOST

cdef enum:
    # Phases of looking at cards (see `_look`).
    TAKING = 1
    ORDERING = 2
    CASTING = 3


# -------------------------------------------------------------------------------- stack, effects, triggers, history

cdef inline bint resolves_at_once(const Game *g, int ability) noexcept nogil:
    """A mana ability (CR 605.3b), or what follows on a replacement effect (615.5), or an opening hand (103.6)."""
    return (is_ability(g, ability, AB_MANA) or is_ability(g, ability, AB_REPLACEMENT)
            or is_ability(g, ability, AB_OPENING)) and ability_of(g, ability).program >= 0


cdef int check_stack(const Game *g, Scratch *s) noexcept nogil:
    """Entries are the objects of the stack's list in order, with modes and targets as their abilities have them."""
    cdef uint16_t row = g.z_head[Z_STACK * g.lay.players]
    cdef uint32_t i
    cdef int ability
    cdef StackEntry *e
    for i in range(g.h.n_stack):
        e = &g.stack[i]
        if (e.row >= g.lay.rows or not known_id(g, e.source_row, e.source_id) or not is_definition(g, e.face)
                or e.controller >= g.lay.players or e.flags >> N_SF or not own(s, e.targets)):
            return bad(BAD_STACK, i)
        if row == 0 or e.row != row or g.controller[row] != e.controller or g.defn[row] != e.face:
            return bad(BAD_STACK_ORDER, i)
        row = g.znext[row]
        if e.ability == NONE16:
            ability = spell_of_entry(g, i)
            if ability == NONE16:
                ability = -1
            if g.oflags[e.row] & OF_ABILITY or e.source_id or e.flags & SF_TRIGGERED or not 0 <= e.x <= MOST_X:
                return bad(BAD_STACK, i)
        else:
            ability = e.ability
            if not g.oflags[e.row] & OF_ABILITY or e.source_id == 0:
                return bad(BAD_STACK, i)
            if not is_ability(g, ability, AB_TRIGGERED if e.flags & SF_TRIGGERED
                              else AB_ACTIVATED) and not (
                    resolves_at_once(g, ability) if e.flags & SF_AT_ONCE
                    else not e.flags & SF_TRIGGERED and is_ability(g, ability, AB_TURN_UP)):
                return bad(BAD_STACK, i)
        if not modes_fit(g, ability, g.extra[e.row], True):
            return bad(BAD_CHUNK_MODES, g.extra[e.row])
        if ability < 0:
            if e.targets:
                return bad(BAD_TARGETS, i)
        elif not targets_fit(g, e.targets, ability, g.extra[e.row], e.x, 0xFFFF, 0, 0):
            return bad(BAD_TARGETS, i)
        if not kept(g, s, e.source_row, e.source_id):
            return bad(LOST_SOURCE, i)
    return bad(BAD_STACK_ORDER, g.h.n_stack) if row else FINE


cdef inline bint lasting(int duration) noexcept nogil:
    """A duration of continuous effects and shields."""
    return (duration <= D_WHILE_SOURCE or duration == D_WHILE_CONTROLLED or duration == D_NEXT_UNTAP
            or duration == D_WHILE_TAPPED or duration == D_WHILE_YOURS_TAPPED)


cdef bint changes_possible(const Game *g, const Effect *e) noexcept nogil:
    """A continuous effect is made of changes of the card table."""
    cdef int i
    if e.n == 0 or e.what + e.n > g.cards.n_changes or not lasting(e.duration):
        return False
    for i in range(e.n):
        if not is_change(g, e.what + i) or (
                g.cards.changes[e.what + i].op == X_ADD_CHOSEN_ABILITY and not 0 <= e.x < 5):
            return False
    return True


cdef bint effect_possible(const Game *g, const Effect *e) noexcept nogil:
    """What an entry of the table of effects needs, by its kind."""
    cdef int kind = e.kind
    cdef bint there = (e.affected_id != 0 and g.id[e.affected_row] == e.affected_id
                       and (field_row(g, e.affected_row) or g.zone[e.affected_row] == Z_PHASED_OUT))
    if kind == EK_PLAYER:
        return (e.affected_id == 0 and e.affected_row < g.lay.players and e.duration <= D_WHILE_SOURCE
                and changes_possible(g, e))
    if kind == EK_CHANGE:
        return e.affected_id != 0 and g.id[e.affected_row] == e.affected_id and changes_possible(g, e)
    if kind == EK_REGENERATE or kind == EK_EXILE_INSTEAD or kind == EK_EXILE_LEAVING:
        return there and lasting(e.duration)
    if kind == EK_PERMIT:
        return (e.affected_id != 0 and e.affected_row < g.lay.rows and g.id[e.affected_row] == e.affected_id
                and g.zone[e.affected_row] != Z_BATTLEFIELD and g.zone[e.affected_row] != Z_STACK
                and e.what < g.cards.n_ways and lasting(e.duration))
    if kind == EK_PREVENT:
        return ((there or e.affected_id == 0) and lasting(e.duration) and e.what <= g.lay.players
                and e.n >> N_DF == 0 and e.x >= 0 and 0 <= e.y <= g.cards.n_filters
                and (e.follows == 0 or resolves_at_once(g, e.follows - 1)))
    if kind == EK_DELAYED:
        if not is_ability(g, e.what, AB_TRIGGERED) or not is_definition(g, <uint16_t>e.y):
            return False
        if g.cards.abilities[e.what].event != EV_DELAYED:
            return lasting(e.duration) and e.duration <= D_YOUR_NEXT_TURN and e.n <= 1
        return (e.n == 0 and (e.duration == D_END_OF_COMBAT or e.duration == D_NEXT_CLEANUP
                              or D_YOUR_NEXT_MAIN <= e.duration <= D_YOUR_NEXT_END_STEP
                              or D_NEXT_END_STEP <= e.duration <= D_YOUR_NEXT_UPKEEP))
    if kind == EK_COPY:
        return there and lasting(e.duration) and is_definition(g, <uint16_t>e.x)
    if kind == EK_SKIP:
        return e.affected_id == 0 and e.what < N_SK
    if kind == EK_CONTROL_PLAYER:
        return e.affected_id == 0 and e.what < g.lay.players
    if kind == EK_TEXT:
        return (e.what < TK_WORD and lasting(e.duration)
                and e.affected_id != 0 and g.id[e.affected_row] == e.affected_id
                and 0 <= e.x < (5 if e.what == TK_COLOR else g.cards.n_subtypes)
                and 0 <= e.y < (5 if e.what == TK_COLOR else g.cards.n_subtypes))
    if kind == EK_GOAD or kind == EK_REQUIRE or kind == EK_EXERTED:
        return there and e.what <= g.lay.players
    return (kind == EK_RETURN and e.affected_id != 0 and 0 < e.x < N_Z and e.x != Z_STACK
            and e.duration == D_WHILE_SOURCE)


cdef int check_effects(const Game *g, Scratch *s) noexcept nogil:
    cdef uint32_t i
    cdef uint32_t stamp = 0
    cdef Effect *e
    for i in range(g.h.n_effects):
        e = &g.effect[i]
        if ((e.kind != EK_PLAYER and not known_id(g, e.affected_row, e.affected_id))
                or not known_id(g, e.maker_row, e.maker_id) or (e.follows != 0 and e.kind != EK_PREVENT)
                or (e.maker_id != 0) != (e.follows != 0)
                or not known_id(g, e.source_row, e.source_id) or e.player >= g.lay.players or e.timestamp <= stamp
                or e.timestamp >= g.h.clock
                or not effect_possible(g, e)):
            return bad(BAD_EFFECT, i)
        if (e.duration == D_WHILE_SOURCE or e.duration == D_WHILE_CONTROLLED or D_WHILE_TAPPED <= e.duration
                <= D_WHILE_YOURS_TAPPED) and e.kind != EK_RETURN and not (
                field_row(g, e.source_row) and g.id[e.source_row] == e.source_id):
            return bad(BAD_EFFECT, i)
        stamp = e.timestamp
        if not kept(g, s, e.affected_row, e.affected_id):
            return bad(LOST_AFFECTED, i)
        if not kept(g, s, e.source_row, e.source_id):
            return bad(LOST_EFFECT, i)
        if not kept(g, s, e.maker_row, e.maker_id):
            return bad(LOST_MAKER, i)
    return FINE


cdef int check_triggers(const Game *g, Scratch *s) noexcept nogil:
    """Abilities that have triggered and are not on the stack yet (CR 603.3)."""
    cdef uint32_t i
    cdef Trigger *t
    cdef int following = 0
    for i in range(g.h.n_triggers):
        t = &g.trigger[i]
        if (not known_id(g, t.source_row, t.source_id) or t.source_id == 0
                or not known_id(g, t.object_row, t.object_id) or not known_id(g, t.other_row, t.other_id)
                or not (resolves_at_once(g, t.ability) if t.level else is_ability(g, t.ability, AB_TRIGGERED))
                or not is_definition(g, t.defn)
                or t.controller >= g.lay.players or (t.player != NO_PLAYER and t.player >= g.lay.players)):
            return bad(BAD_TRIGGER, i)
        if not kept(g, s, t.source_row, t.source_id):
            return bad(LOST_TRIGGER, i)
        if not kept(g, s, t.object_row, t.object_id):
            return bad(LOST_TRIGGER_OBJECT, i)
        if not kept(g, s, t.other_row, t.other_id):
            return bad(LOST_TRIGGER_OTHER, i)
        following += t.level != 0
    return FINE if following == g.h.following else bad(BAD_TRIGGER, g.h.n_triggers)


cdef int check_special(const Game *g, Scratch *s) noexcept nogil:
    """Mana that is not all alike (CR 106.6): whose, of which colour, made by what, for what."""
    cdef uint32_t i
    for i in range(g.h.n_special):
        if (g.special[i].player >= g.lay.players or g.special[i].color >= 6
                or g.special[i].ability >= g.cards.n_abilities
                or not known_id(g, g.special[i].source_row, g.special[i].source_id) or not g.h.pools):
            return bad(BAD_SPECIAL, i)
        if not kept(g, s, g.special[i].source_row, g.special[i].source_id):
            return bad(LOST_SPECIAL, i)
    return FINE


cdef int check_history(const Game *g, Scratch *s) noexcept nogil:
    cdef uint32_t i
    cdef uint32_t turn = 0
    cdef uint32_t tick = 0
    cdef Event *e
    for i in range(g.h.history_n):
        e = &g.history[i]
        if (e.kind >= N_H or e.player >= g.lay.players or e.obj_row >= g.lay.rows or e.other_row >= g.lay.rows
                or e.obj_id >= g.h.next_id or e.other_id >= g.h.next_id or e.turn < turn or e.turn > g.h.turn
                or e.tick < tick or e.tick > g.h.tick or not (g.h.watch >> e.kind) & 1):
            return bad(BAD_EVENT, i)
        turn = e.turn
        tick = e.tick
        if not kept(g, s, e.obj_row, e.obj_id):
            return bad(LOST_EVENT, i)
        if not kept(g, s, e.other_row, e.other_id):
            return bad(LOST_OTHER, i)
    for i in range(1, g.lay.rows):
        if g.id[i] and face_of(g, g.defn[i]).history & ~g.h.watch:
            return bad(BAD_WATCH, i)
    return FINE


# -------------------------------------------------------------------------------- frames

cdef bint may_stand_on(int kind, int below, bint resolving) noexcept nogil:
    """Which frame can lie on which (0: none); `resolving`: a resolution lies somewhere below."""
    if kind == F_PAY:
        return below == F_CAST or below == F_ACTIVATE
    if kind == F_DISCARD:
        return below == F_NONE or below == F_RESOLVE or (below == F_DISCARD and resolving)
    if kind == F_BLOCK:
        return below == F_NONE or below == F_BLOCK
    if kind == F_TRIGGER:
        return below == F_ORDER
    if kind == F_ENTER:
        return below == F_NONE or below == F_RESOLVE or below == F_ENTER
    if kind == F_JOIN:
        return below == F_RESOLVE or below == F_ENTER
    if kind == F_CAST or kind == F_RETARGET:
        return below == F_NONE or below == F_RESOLVE
    if kind == F_RESOLVE and (below == F_RESOLVE or below == F_DISCARD or below == F_OPENING):
        return True  # what follows at once on a replacement effect (CR 615.5), or is done with an opening hand
    if kind == F_ACTIVATE or kind == F_RESOLVE:
        return below == F_NONE or below == F_PAY  # a mana ability (CR 605.3a)
    return below == F_NONE


cdef int check_frames(const Game *g, Scratch *s) noexcept nogil:
    cdef uint32_t i
    cdef int below = F_NONE
    cdef bint resolving = False
    cdef bint top
    cdef Frame *f
    cdef int code
    for i in range(g.h.n_frames):
        f = &g.frame[i]
        if (f.kind == F_NONE or f.kind >= N_F or f.player >= g.lay.players or not known_id(g, f.obj_row, f.obj_id)
                or (f.obj_row == 0) != (f.obj_id == 0) or not own(s, f.list) or not own(s, f.info)
                or not own(s, f.answers)):
            return bad(BAD_FRAME, i)
        if not may_stand_on(f.kind, below, resolving):
            return bad(BAD_FRAME_ORDER, i)
        if not kept(g, s, f.obj_row, f.obj_id):
            return bad(LOST_FRAME, i)
        if f.kind == F_RESOLVE:
            resolving = True
        below = f.kind
        top = i + 1 == g.h.n_frames
        if g.h.status != GS_RUNNING:
            continue  # nobody goes on with it
        if not holds_only(g, f.answers, 1 << RK_EVENT_AMOUNT) or (f.answers and not top):
            return bad(BAD_FRAME, i)
        if f.kind == F_CAST or f.kind == F_ACTIVATE or f.kind == F_TRIGGER:
            code = check_announce(g, f, top)
        elif f.kind == F_ENTER:
            code = check_enter(g, f, top)
        elif f.kind == F_EVENT:
            code = FINE
            if f.list or f.info or f.a | f.b | f.c | f.d | f.n or not 1 <= f.step <= AGAIN_DRAW:
                code = BAD_FRAME
        elif f.kind == F_UNTAP:
            code = FINE
            if (not holds_only(g, f.list, 1 << RK_OBJECT) or not holds_only(g, f.info, 1 << RK_OBJECT)
                    or f.a | f.b | f.c | f.d | f.n | f.step or f.player != g.h.active or g.h.step != STEP_UNTAP):
                code = BAD_FRAME
        elif f.kind == F_OPENING:
            code = FINE
            if not holds_only(g, f.list, 1 << RK_OBJECT) or f.info or f.a >> g.lay.players or f.b | f.c | f.d | f.n:
                code = BAD_FRAME
        elif f.kind == F_LEGEND:
            code = FINE
            if not holds_only(g, f.list, 1 << RK_OBJECT) or f.info or f.a | f.b | f.c | f.d | f.n | f.step:
                code = BAD_FRAME
        elif f.kind == F_JOIN:
            code = FINE
            if (not holds_only(g, f.list, 1 << RK_OBJECT) or f.info or f.b | f.c | f.d | f.n | f.step
                    or not 0 <= f.a < chunk_len(g, f.list)):
                code = BAD_FRAME
        elif f.kind == F_PROTECTOR:
            code = FINE
            if f.list or f.info or f.a | f.b | f.c | f.d | f.n | f.step or not g.types[f.obj_row] & T_BATTLE:
                code = BAD_FRAME
        elif f.kind == F_COMMANDER:
            code = FINE
            if f.list or f.info or f.a | f.b | f.c | f.d | f.n | f.step or not g.oflags[f.obj_row] & OF_COMMANDER:
                code = BAD_FRAME
        elif f.kind == F_RETARGET:
            code = check_retarget(g, f)
        elif f.kind == F_ASSIGN and (f.info or not holds_only(g, f.list, 1 << RK_ASSIGNED)):
            code = BAD_FRAME
        elif f.kind != F_ASSIGN and (f.info or (f.list and f.kind != F_RESOLVE)):
            code = BAD_FRAME
        elif f.kind == F_PAY:
            code = check_pay(g, f, &g.frame[i - 1])
        elif f.kind == F_RESOLVE:
            code = check_resolve(g, f, top)
        elif f.kind == F_MULLIGAN:
            code = BAD_FRAME
            if f.step <= 1 and not (f.a | f.b) >> g.lay.players and f.n <= USUAL_HAND:
                code = FINE
        elif f.kind == F_DISCARD:
            code = FINE if 0 < f.a and -1 <= f.b < g.cards.n_filters and f.c == 0 else BAD_FRAME
        elif f.kind == F_ORDER:
            code = FINE if not f.a | f.b | f.c | f.d | f.n | f.step | f.obj_row else BAD_FRAME
        else:
            code = check_combat_frame(g, f, top)
        if code:
            return bad(code, i)
    return FINE


cdef int check_enter(const Game *g, const Frame *f, bint top) noexcept nogil:
    """Two entries for each object that enters: what it is, what it was; the one asked about waits for a host."""
    cdef int n = chunk_len(g, f.list)
    cdef int i
    cdef Ref *r
    if n < 2 or n & 1 or f.b or f.n or f.a < 0 or f.a >= n or f.a & 1 or not 0 <= f.d <= 2 or f.c < 0 or f.step > 2:
        return BAD_FRAME
    if not holds_only(g, f.info, 1 << RK_PAID) or (f.d == 0 and (f.c or f.step > 1)):
        return BAD_FRAME
    for i in range(n):
        r = &chunk_refs(g, f.list)[i]
        if r.kind != (RK_OBJECT if not i & 1 else RK_MOVED if r.id else RK_EVENT_AMOUNT):
            return BAD_CHUNK_KIND
        if i & 1:
            if r.flags >= N_Z:
                return BAD_FRAME
        elif r.flags & ~(EF_ASKS if f.d else EF_HOST | EF_COPY):
            return BAD_FRAME
    if not top:
        return FINE
    r = &chunk_refs(g, f.list)[f.a]
    if not r.flags or r.row != f.obj_row or r.id != f.obj_id or not field_row(g, r.row):
        return BAD_FRAME_OBJECT
    return FINE if g.id[r.row] == r.id and g.controller[r.row] == f.player else BAD_FRAME_OBJECT


cdef int check_retarget(const Game *g, const Frame *f) noexcept nogil:
    """CR 115.7, 707.10c: which object on the stack, and which of its targets, is asked about."""
    cdef Ref *r
    cdef int e
    if (f.info or not holds_only(g, f.list, 1 << RK_OBJECT) or not 0 <= f.a < chunk_len(g, f.list) or f.c >> N_CY
            or f.step or f.n or f.d):
        return BAD_FRAME
    r = &chunk_refs(g, f.list)[f.a]
    e = entry_of(g, r.row) if is_live(g, r.row, r.id) else -1
    return FINE if e >= 0 and 0 <= f.b < chunk_len(g, g.stack[e].targets) else BAD_FRAME


cdef int check_pay(const Game *g, const Frame *f, const Frame *cast) noexcept nogil:
    """What is still to pay: coloured and snow symbols within the total (CR 202.1)."""
    cdef uint64_t lo = <uint64_t><uint32_t>f.a | <uint64_t><uint32_t>f.b << 32
    cdef uint64_t hi = <uint64_t><uint32_t>f.c | <uint64_t><uint32_t>f.d << 32
    cdef int pips = 0
    cdef int k
    for k in range(4):
        pips += <int>((lo >> (16 * k)) & 0xFFFF)
    pips += <int>(hi & 0xFFFF) + <int>((hi >> 16) & 0xFFFF)
    pips += <int>(hi >> 48)
    k = <int>((hi >> 32) & 0xFFFF)
    if pips > k or k == 0 or f.n > 1:
        return BAD_PAYMENT
    if f.player != cast.player or f.obj_row != cast.obj_row or f.obj_id != cast.obj_id:
        return BAD_PAYMENT
    return FINE


cdef int check_resolve(const Game *g, const Frame *f, bint top) noexcept nogil:
    """The object that resolves is on the stack; its program, or that of one of its modes, stands at an instruction of
    its own."""
    cdef int e, ability
    cdef int32_t pc
    if f.obj_id == 0:
        return BAD_FRAME_OBJECT
    if not is_live(g, f.obj_row, f.obj_id):
        # Its owner left (CR 800.4a): what others still do for it goes on, then the frame is dropped.
        return BAD_FRAME_OBJECT if top and g.h.choice else FINE
    if g.zone[f.obj_row] != Z_STACK:
        return BAD_FRAME_OBJECT
    e = entry_of(g, f.obj_row)
    if e < 0:
        return BAD_FRAME_OBJECT
    ability = g.stack[e].ability if g.stack[e].ability != NONE16 else spell_of_entry(g, e)
    if ability == NONE16 or not 1 <= f.step <= parts_of(g, ability, g.extra[f.obj_row]):
        return BAD_PROGRAM
    pc = part_of(g, ability, g.extra[f.obj_row], f.step - 1).program
    if pc < 0 or f.a < pc or f.a >= g.cards.n_code or (f.a - pc) % WORDS:
        return BAD_PROGRAM
    while pc < f.a:
        if g.cards.code[pc] == E_END:
            return BAD_PROGRAM
        pc += WORDS
    if not top:
        # What enters, or follows at once, in the middle of an instruction is seen to first.
        return FINE if f.b >= 0 else BAD_PROGRAM
    return check_instruction(g, f, g.cards.code[f.a])


cdef bint goes_on_looking(const Game *g, const Frame *f) noexcept nogil:
    """What was found enters, and its controller chooses how (CR 614.12a); then the search goes on."""
    cdef int op = g.cards.code[f.a]
    cdef int i
    cdef Ref *r
    if f.b != TAKING or f.c <= 0 or f.n or (f + 1).kind != F_ENTER:
        return False
    if op == E_SEARCH_LAND:
        return f.list == 0
    if op != E_DIG or not holds_only(g, f.list, 1 << RK_OBJECT):
        return False
    for i in range(chunk_len(g, f.list)):
        r = &chunk_refs(g, f.list)[i]
        if (not is_live(g, r.row, r.id) or g.zone[r.row] != Z_LIBRARY or listed(g, f.list, r.id) != i
                or g.owner[r.row] != g.owner[chunk_refs(g, f.list)[0].row]):
            return False
    return True


cdef inline bint asks(int op, int choice) noexcept nogil:
    """The instruction can open such a choice."""
    if choice == CH_REPLACE:
        return op != E_PICK and op != E_MAY and op != E_PAY
    if choice == CH_MAY:
        return op == E_MAY
    if choice == CH_PAY_COST or choice == CH_COST:
        return op == E_PAY
    if choice == CH_PICK:
        return op == E_PICK or op == E_PICK_PLAYER or op == E_DIG or op == E_PROLIFERATE
    if choice == CH_CAST:
        return op == E_CAST or op == E_SEARCH_LAND
    if choice == CH_LOOK:
        return op == E_SCRY or op == E_SURVEIL or op == E_DIG
    return ((choice == CH_SEARCH and op == E_SEARCH_LAND)
            or (choice == CH_COLOR and (op == E_PICK_COLOR or op == E_ADD_MANA or op == E_CHANGE_TEXT))
            or (choice == CH_SACRIFICE and op == E_EDICT) or (choice == CH_NAME and op == E_PICK_NAME)
            or (choice == CH_SUBTYPE and (op == E_PICK_TYPE or op == E_CHANGE_TEXT))
            or (choice == CH_NUMBER and op == E_PICK_NUMBER)
            or (choice == CH_VOTE and op == E_VOTE) or (choice == CH_ROOM and op == E_VENTURE))


cdef int check_instruction(const Game *g, const Frame *f, int op) noexcept nogil:
    """How far the instruction that asks has got, and what it has collected."""
    cdef int choice = g.h.choice
    cdef bint right = f.b == 0
    cdef bint looks = op == E_SCRY or op == E_SURVEIL or op == E_DIG
    cdef int i
    cdef Ref *r
    if not asks(op, choice):
        return BAD_PROGRAM
    if op == E_EDICT:
        # A mark that it has begun, and the players who are done.
        right = f.b >> 16 == 1 and (f.b & 0xFFFF) >> g.lay.players == 0
    elif choice == CH_REPLACE:
        right = f.b >= 0
    elif op == E_VOTE:
        right = f.b >> 16 == 1 and (f.b & 0xFFFF) >> g.lay.players == 0 and f.c == g.h.chooser
    elif op == E_PICK:
        right = f.b >= 1
    elif op == E_ADD_MANA:
        right = f.b == 1
    elif op == E_CHANGE_TEXT:
        right = 0 <= f.b >> 16 < TK_WORD and (f.b & 0xFFFF) <= g.cards.n_subtypes
    elif op == E_PAY:
        right = f.b == (1 if choice == CH_PAY_COST else 2)
    elif op == E_SEARCH_LAND and choice == CH_CAST:
        right = f.b == CASTING
    elif op == E_SEARCH_LAND or op == E_SCRY or op == E_SURVEIL:
        right = f.b == TAKING or (op != E_SEARCH_LAND and f.b == ORDERING)
    elif op == E_DIG:
        right = f.b == (TAKING if choice == CH_PICK else ORDERING)
    if not right or f.c < 0 or f.n:
        return BAD_PROGRAM
    if choice == CH_REPLACE:
        # The number that was determined before the choice (CR 608.2h).
        return FINE if holds_only(g, f.list, 1 << RK_EVENT_AMOUNT) else BAD_FRAME
    if op == E_PROLIFERATE:
        return FINE if holds_only(g, f.list, 1 << RK_OBJECT | 1 << RK_PLAYER) else BAD_FRAME
    if not holds_only(g, f.list, 1 << RK_OBJECT) or (f.list and not looks and op != E_EDICT):
        return BAD_FRAME
    for i in range(chunk_len(g, f.list) if looks else 0):
        r = &chunk_refs(g, f.list)[i]
        if (not is_live(g, r.row, r.id) or g.zone[r.row] != Z_LIBRARY or g.owner[r.row] != g.h.chooser
                or listed(g, f.list, r.id) != i):
            return BAD_LOOKED
    return FINE


cdef inline int listed(const Game *g, uint16_t list, uint32_t id) noexcept nogil:
    """Number of the first entry with this id, -1 none."""
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].id == id:
            return i
    return -1


# -------------------------------------------------------------------------------- the choice

cdef bint entering_option(const Game *g, const Frame *f, const Option *o) noexcept nogil:
    """CR 614.12a: what is chosen, paid or sacrificed as something enters."""
    cdef int kind = g.h.choice
    if kind == CH_HOST and o.kind == O_PLAYER:
        return o.row == 0 and stays(g, o.player)
    if kind == CH_HOST:
        return o.kind == O_OBJECT and o.row != f.obj_row and (field_row(g, o.row) or g.zone[o.row] == Z_GRAVEYARD)
    if kind == CH_COPY:
        return f.d == 0 and f.step == 1 and (o.row == 0 if o.kind == O_NO else (
            o.kind == O_OBJECT and o.row != 0 and o.row != f.obj_row and g.zone[o.row] != Z_LIBRARY))
    if kind == CH_PAY_COST:
        return yes_or_no(o, 0)
    if kind == CH_COLOR:
        return o.kind == O_COLOR and o.row == 0 and 0 <= o.num < 5
    if kind == CH_SUBTYPE:
        return (o.kind == O_SUBTYPE and o.row == 0 and 0 <= o.num < g.cards.n_subtypes
                and g.cards.creature_types[o.num])
    if kind == CH_NUMBER:
        return o.kind == O_NUMBER and o.row == 0 and 0 <= o.num
    if kind == CH_PICK:
        return o.kind == O_PLAYER and o.row == 0 and stays(g, o.player)
    if kind == CH_SACRIFICE:
        return (o.kind == O_DONE and o.row == 0) or (o.kind == O_OBJECT and mine(g, o.row)
                                                     and listed(g, f.info, o.id) < 0)
    return o.kind == O_OBJECT and o.row != 0 and (mine(g, o.row) or in_hand(g, o.row, Z_HAND)
                                                  or in_hand(g, o.row, Z_GRAVEYARD))


cdef bint replacing_option(const Game *g, const Option *o) noexcept nogil:
    """CR 616.1: an effect, by its number among those that apply; or none."""
    if o.kind == O_NO:
        return o.row == 0
    return o.kind == O_EFFECT and -<int>g.h.n_effects <= o.num < g.h.n_options and (o.row == 0) == (o.num < 0)


cdef bint opens_with(const Game *g, uint16_t row, int k) noexcept nogil:
    """Ability number k of the card can be used from the opening hand (CR 103.6)."""
    cdef uint16_t list[MOST_ABILITIES]
    return 0 <= k < abilities_of(g, row, list) and ability_of(g, list[k]).kind == AB_OPENING


cdef bint frame_of_choice(int choice, int kind) noexcept nogil:
    """A frame of this kind on top can open such a choice."""
    if choice == CH_MULLIGAN or choice == CH_BOTTOM:
        return kind == F_MULLIGAN
    if choice == CH_PRIORITY:
        return kind == F_NONE
    if choice == CH_TARGET or choice == CH_MODE:
        return kind == F_CAST or kind == F_ACTIVATE or kind == F_TRIGGER
    if choice == CH_X:
        return kind == F_CAST or kind == F_ACTIVATE
    if choice == CH_KICK or choice == CH_HELP:
        return kind == F_CAST
    if choice == CH_REVEAL:
        return kind == F_TRIGGER
    if choice == CH_SYMBOL:
        return kind == F_CAST or kind == F_ACTIVATE
    if choice == CH_DIVIDE:
        return kind == F_CAST or kind == F_ACTIVATE or kind == F_TRIGGER
    if choice == CH_COST:
        return kind == F_CAST or kind == F_ACTIVATE or kind == F_RESOLVE or kind == F_ENTER
    if choice == CH_ATTACK or choice == CH_EXERT:
        return kind == F_ATTACK
    if choice == CH_BLOCK:
        return kind == F_BLOCK
    if choice == CH_ASSIGN:
        return kind == F_ASSIGN
    if choice == CH_DISCARD:
        return kind == F_DISCARD
    if choice == CH_PAY:
        return kind == F_PAY
    if choice == CH_RETARGET:
        return kind == F_RETARGET
    if choice == CH_ORDER:
        return kind == F_ORDER
    if choice == CH_HOST or choice == CH_COPY:
        return kind == F_ENTER
    if choice == CH_SUBTYPE or choice == CH_NUMBER:
        return kind == F_ENTER or kind == F_RESOLVE
    if kind == F_ENTER:
        return choice == CH_COLOR or choice == CH_PICK or choice == CH_PAY_COST or choice == CH_SACRIFICE
    if kind == F_PROTECTOR or kind == F_JOIN:
        return choice == CH_PICK
    if choice == CH_REPLACE:
        return kind == F_RESOLVE or kind == F_EVENT or kind == F_ASSIGN
    if choice == CH_LEGEND:
        return kind == F_LEGEND
    if choice == CH_COMMANDER:
        return kind == F_COMMANDER
    if choice == CH_UNTAP:
        return kind == F_UNTAP
    if choice == CH_OPENING:
        return kind == F_OPENING
    return kind == F_RESOLVE


cdef bint in_time(const Game *g, int top) noexcept nogil:
    """The turn machine stands where it stands while such a frame is on top."""
    if g.h.choice == CH_PRIORITY:
        return g.h.phase_state == TS_PRIORITY
    if top == F_MULLIGAN or g.h.turn == 0:
        return g.h.phase_state == TS_NEXT_STEP and g.h.turn == 0
    if top == F_UNTAP:
        return g.h.phase_state == TS_NEXT_STEP
    if (top == F_ORDER or top == F_TRIGGER) and g.h.step == STEP_CLEANUP:
        return g.h.phase_state == TS_PRIORITY  # CR 514.3a
    return g.h.phase_state == TS_CHECK


cdef int check_choice(const Game *g) noexcept nogil:
    """A running game stands at a choice with options, of the kind that its top frame or the turn machine asks for."""
    cdef int kind = g.h.choice
    cdef int top = top_frame(g).kind if g.h.n_frames else F_NONE
    cdef uint32_t i
    cdef Option *o
    if kind == CH_NONE:
        if g.h.n_options or (g.h.status == GS_RUNNING and (g.h.phase_state != TS_PREGAME or g.h.turn or top)):
            return BAD_CHOICE
        return FINE
    if g.h.status != GS_RUNNING or g.h.n_options == 0 or g.h.answer != NO_ANSWER:
        return BAD_CHOICE
    if not in_game(g, g.h.chooser) or not in_game(g, g.h.decider):
        return BAD_CHOICE
    if not frame_of_choice(kind, top) or not in_time(g, top):
        return BAD_CHOICE
    if g.h.asks != (ASK_OPEN if kind == CH_REPLACE else 0) or g.h.asked:
        return BAD_CHOICE
    if kind == CH_PRIORITY and (g.h.chooser != g.h.priority or g.option[0].kind != O_PASS):
        return BAD_CHOICE
    if top == F_MULLIGAN and (kind == CH_BOTTOM) != (top_frame(g).step == 1):
        return BAD_CHOICE
    if top and top != F_RESOLVE and kind != CH_REPLACE and g.h.chooser != top_frame(g).player:
        return BAD_CHOICE
    for i in range(g.h.n_options):
        o = &g.option[i]
        if (o.kind >= N_O or o.row >= g.lay.rows or o.id != g.id[o.row] or (o.row and o.id == 0)
                or (o.player != NO_PLAYER and o.player >= g.lay.players) or not option_fits(g, o)):
            return bad(BAD_OPTION, i)
    return FINE


cdef inline bint yes_or_no(const Option *o, int num) noexcept nogil:
    return o.row == 0 and o.num == num and (o.kind == O_NO or o.kind == O_YES)


cdef bint mana_option(const Game *g, const Option *o) noexcept nogil:
    return mine(g, o.row) and 0 <= o.num < 6 and ((g.mana_in[o.row] >> o.num) & 1 or (tapping(g) and g.mana[o.row]))


cdef int option_types(const Game *g, const Option *o) noexcept nogil:
    """Types of the face or half that an option is about."""
    cdef const Face *face = face_of(g, g.defn[o.row])
    cdef uint16_t other = NONE16
    if o.num & 63 and (o.num & 63) <= face.n_ways:
        other = g.cards.ways[face.first_way + (o.num & 63) - 1].face
    return face.types if other == NONE16 else g.cards.faces[other].types


cdef bint priority_option(const Game *g, const Option *o) noexcept nogil:
    cdef uint16_t list[MOST_ABILITIES]
    if o.kind == O_PASS:
        return o.row == 0
    if o.kind == O_PLAY:
        return play_option(g, o) and (option_types(g, o) & T_LAND) != 0
    if o.kind == O_CAST:
        return play_option(g, o) and not option_types(g, o) & T_LAND
    if o.kind == O_TURN_UP:
        return mine(g, o.row) and 0 <= o.num < turn_ups(g, o.row, list)
    if o.kind == O_ACTIVATE:
        if not mine(g, o.row) and not (in_hand(g, o.row, g.zone[o.row]) and g.zone[o.row] != Z_STACK):
            return False
        return 0 <= o.num < abilities_of(g, o.row, list) and has_activated(g, o.row, list[o.num])
    return o.kind == O_MANA and mana_option(g, o)


cdef bint option_fits(const Game *g, const Option *o) noexcept nogil:
    """Rows of an option are where the choice takes them from, numbers what it allows."""
    cdef int kind = g.h.choice
    cdef const Frame *f = top_frame(g) if g.h.n_frames else NULL
    if kind == CH_MULLIGAN:
        return o.row == 0 and (o.kind == O_KEEP or o.kind == O_MULLIGAN)
    if kind == CH_BOTTOM or kind == CH_DISCARD:
        return o.kind == O_OBJECT and in_hand(g, o.row, Z_HAND)
    if kind == CH_PRIORITY:
        return priority_option(g, o)
    if kind == CH_TARGET:
        return target_option(g, f, o)
    if kind == CH_X:
        return o.kind == O_NUMBER and o.row == 0 and 0 <= o.num <= MOST_X
    if kind == CH_MODE:
        return mode_option(g, f, o)
    if kind == CH_KICK:
        return kick_option(g, f, o)
    if kind == CH_REVEAL:
        return yes_or_no(o, 0)
    if kind == CH_SYMBOL:
        return o.row == 0 and (o.kind == O_COLOR and 0 <= o.num < 6 or o.kind == O_NUMBER and o.num == BY_TWO
                               or o.kind == O_YES and o.num == BY_LIFE)
    if kind == CH_DIVIDE:
        return o.kind == O_NUMBER and o.row == 0 and 0 < o.num <= MOST_COUNTERS
    if kind == CH_HELP:
        if o.kind == O_DONE:
            return o.row == 0
        return (o.kind == O_OBJECT and 0 <= o.num <= GENERIC
                and (mine(g, o.row) or in_hand(g, o.row, Z_GRAVEYARD)))
    if kind == CH_COST and f.kind != F_ENTER:
        return cost_option(g, f, o)
    if kind == CH_ORDER:
        return (o.kind == O_TRIGGER and 0 <= o.num < g.h.n_triggers and g.trigger[o.num].controller == g.h.chooser
                and (o.row == 0 or o.id == g.trigger[o.num].source_id))
    if kind == CH_REPLACE:
        return replacing_option(g, o)
    if f != NULL and f.kind == F_ENTER:
        return entering_option(g, f, o)
    if f != NULL and f.kind == F_JOIN:
        return (o.kind == O_PLAYER and o.row == f.obj_row and stays(g, o.player) if o.kind != O_OBJECT
                else field_row(g, o.row) and (g.types[o.row] & (T_PLANESWALKER | T_BATTLE)) != 0)
    if f != NULL and f.kind == F_PROTECTOR:
        return o.kind == O_PLAYER and o.row == 0 and stays(g, o.player)
    if kind == CH_ATTACK:
        if o.kind == O_OBJECT:
            return (field_row(g, o.row) and (g.types[o.row] & (T_PLANESWALKER | T_BATTLE)) != 0
                    and defender_of(g, o.row) != g.h.chooser)
        return o.row == f.obj_row and (o.kind == O_NO or (o.kind == O_PLAYER and stays(g, o.player)
                                                          and o.player != g.h.chooser))
    if kind == CH_EXERT:
        return o.row == f.obj_row and (o.kind == O_NO or o.kind == O_YES)
    if kind == CH_COMMANDER:
        return yes_or_no(o, 0)
    if kind == CH_UNTAP:
        return o.row == f.obj_row and (o.kind == O_NO or o.kind == O_YES)
    if kind == CH_OPENING:
        if o.kind == O_DONE:
            return o.row == 0
        return (o.kind == O_OBJECT and (in_hand(g, o.row, Z_HAND) or in_hand(g, o.row, Z_SIDEBOARD))
                and opens_with(g, o.row, o.num))
    if kind == CH_LEGEND:
        return (o.kind == O_OBJECT and mine(g, o.row) and (g.types[o.row] & T_LEGENDARY) != 0
                and listed(g, f.list, o.id) < 0)
    if kind == CH_BLOCK:
        if o.kind == O_NO:
            return o.row == f.obj_row
        return o.kind == O_OBJECT and field_row(g, o.row) and g.attacks[o.row] == 1 + g.h.chooser
    if kind == CH_ASSIGN:
        return o.kind == O_NUMBER and o.row == g.fighter[f.b] and 0 <= o.num <= f.a
    if kind == CH_PAY:
        if o.kind == O_COLOR:
            return o.row == 0 and 0 <= o.num < 6 and g.p_pool[g.h.chooser * 6 + o.num] > 0
        return (o.kind == O_MANA and mana_option(g, o)) or (o.kind == O_ACTIVATE and priority_option(g, o))
    if kind == CH_RETARGET:
        return o.num == f.b and (o.kind == O_DONE and o.row == 0 or o.kind == O_OBJECT and o.row != 0
                                 or o.kind == O_PLAYER and o.row == 0 and stays(g, o.player))
    return resolving_option(g, f, o)


cdef bint resolving_option(const Game *g, const Frame *f, const Option *o) noexcept nogil:
    """Options of choices that an instruction opens (CR 608.2d)."""
    cdef int kind = g.h.choice
    cdef const int32_t *w = &g.cards.code[f.a]
    if kind == CH_MAY or kind == CH_PAY_COST:
        return yes_or_no(o, 0)
    if kind == CH_CAST:
        if o.kind == O_NO:
            return o.row == 0
        return ((o.kind == O_CAST or o.kind == O_PLAY) and o.row != 0 and g.zone[o.row] != Z_BATTLEFIELD
                and g.zone[o.row] != Z_STACK and o.num >> 6 == 1
                and (o.num & 63) <= face_of(g, g.defn[o.row]).n_ways)
    if kind == CH_COLOR:
        return o.kind == O_COLOR and o.row == 0 and 0 <= o.num < 6
    if kind == CH_NAME:
        return o.kind == O_NAME and o.row == 0 and <int><uint16_t>o.num < g.cards.n_faces
    if kind == CH_SUBTYPE and w[0] == E_CHANGE_TEXT:
        # CR 612.2: a colour, a basic land type or a creature type
        if o.kind == O_COLOR:
            return w[3] == TK_WORD and o.row == 0 and 0 <= o.num < 5
        return o.kind == O_SUBTYPE and o.row == 0 and 0 <= o.num < g.cards.n_subtypes
    if kind == CH_SUBTYPE:
        return o.kind == O_SUBTYPE and o.row == 0 and 0 <= o.num < g.cards.n_subtypes
    if kind == CH_NUMBER:
        return o.kind == O_NUMBER and o.row == 0 and o.num >= 0
    if kind == CH_VOTE:
        return o.kind == O_MODE and o.row == 0 and 0 <= o.num < w[2]
    if kind == CH_ROOM:
        return o.kind == O_ROOM and 0 <= o.num < 16 and g.zone[o.row] == Z_COMMAND
    if kind == CH_SACRIFICE:
        return o.kind == O_OBJECT and mine(g, o.row) and listed(g, f.list, o.id) < 0
    if kind == CH_SEARCH:
        if o.kind == O_NO:
            return o.row == 0
        # Its own library, or that of the player whom the instruction names.
        return o.kind == O_OBJECT and o.row != 0 and (in_hand(g, o.row, Z_LIBRARY) if w[6] < 0
                                                      else g.zone[o.row] == Z_LIBRARY)
    if o.kind == O_DONE:
        return o.row == 0
    if kind == CH_LOOK:
        return (o.kind == O_TOP or o.kind == O_BOTTOM or o.kind == O_GRAVEYARD) and listed(g, f.list, o.id) >= 0
    if kind != CH_PICK:
        return False
    if w[0] == E_PROLIFERATE:
        return ((o.kind == O_PLAYER and o.row == 0 and stays(g, o.player))
                or (o.kind == O_OBJECT and field_row(g, o.row) and listed(g, f.list, o.id) < 0))
    if w[0] == E_PICK_PLAYER:
        return o.kind == O_PLAYER and o.row == 0 and stays(g, o.player)
    if w[0] == E_DIG:
        return o.kind == O_OBJECT and listed(g, f.list, o.id) >= 0
    return o.kind == O_OBJECT and o.row != 0 and (g.zone[o.row] == w[5]
                                                  or (w[6] & PF_SOURCES and g.zone[o.row] == Z_STACK))


# -------------------------------------------------------------------------------- what the engine says to it

cdef bint right_player(Game *g) noexcept nogil:
    """Whoever is asked while something resolves is the player that the instruction names."""
    cdef Frame *f = top_frame(g)
    cdef int i = entry_of(g, f.obj_row)
    cdef int ability = g.stack[i].ability
    cdef int k, mask
    cdef Ctx c
    if g.h.choice == CH_SACRIFICE or g.h.choice == CH_VOTE or g.h.choice == CH_REPLACE:
        return True  # one after the other; whom the event affects
    if ability == NONE16:
        ability = spell_of_entry(g, i)
    entry_context(g, i, &c)
    for k in range(f.step - 1):
        c.spec += part_of(g, ability, g.extra[f.obj_row], k).n_targets
    mask = ref_players(g, &c, g.cards.code[f.a + 1]) & g.h.alive
    for k in range(<int>g.lay.players):
        if mask >> k & 1:
            return k == g.h.chooser
    return False


cdef int check_moment(const Game *g) noexcept nogil:
    cdef Game view = g[0]
    cdef uint16_t row
    if g.h.status != GS_RUNNING or g.h.choice == CH_NONE:
        return FINE
    view.trace = NULL
    if g.h.n_frames and top_frame(g).kind == F_RESOLVE and not right_player(&view):
        return bad(BAD_ASKED, g.h.n_frames - 1)
    if g.h.choice != CH_PRIORITY:
        return FINE
    # CR 117.5: all that waits has been seen to before a player receives priority.
    # (A dungeon is completed once its last room ability has left the stack, CR 704.5t.)
    if g.h.sba & ~<uint16_t>SBA_DUNGEONS or g.h.bits_dirty or g.h.n_triggers:
        return BAD_WAITING
    row = g.z_head[Z_BATTLEFIELD * g.lay.players] if g.h.n_attached else 0
    while row:
        if has_bit(g.b_attached, row) and not g.status[row] & ST_PHASED_OUT:
            if not is_live(g, g.attached_row[row], g.attached_id[row]):
                return bad(BAD_HOST, row)
            if not can_be_attached(&view, row, g.attached_row[row]):
                return bad(BAD_HOST, row)
        row = g.znext[row]
    return FINE
