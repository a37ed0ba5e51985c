"""Validating a block: stack, effects, history, frames, the open choice."""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from lkicore._arena cimport chunk_at, chunk_len, chunk_refs
from lkicore._check_codes cimport *
from lkicore._defs cimport ability_of, face_of
from lkicore._entries cimport entry_of
from lkicore._game cimport NO_ANSWER, NO_PLAYER, in_game, top_frame
from lkicore._layout cimport Effect, Event, Frame, Game, Option, Ref, StackEntry
from lkicore._opcodes cimport *
from lkicore._store cimport is_live
from lkicore._types cimport Ability, FACE_HAS_COST, Face, NONE16, TargetSpec


# -------------------------------------------------------------------------------- stack, effects, history

cdef bint targets_fit(const Game *g, uint16_t list, int first, int n, bint whole) noexcept nogil:
    """Chosen targets are of the kinds that the specifications ask for; `whole`: all have been chosen."""
    cdef int i
    cdef int k = chunk_len(g, list)
    cdef Ref *r
    cdef const TargetSpec *t
    if k > n or (whole and k != n):
        return False
    if list and chunk_at(g, list).kind != AK_REFS:
        return False
    for i in range(k):
        r = &chunk_refs(g, list)[i]
        t = &g.cards.targets[first + i]
        if r.kind == RK_PLAYER:
            if not t.players or r.id:
                return False
        elif not t.objects or r.id == 0 or r.row == 0:
            return False
    return True


cdef int check_stack(const Game *g, Scratch *s) noexcept nogil:
    """Entries are the objects of the stack's list in order, with abilities and targets as their faces have them."""
    cdef uint16_t row = g.z_head[Z_STACK * g.lay.players]
    cdef uint32_t i
    cdef int first, n
    cdef StackEntry *e
    cdef const Ability *a
    for i in range(g.h.n_stack):
        e = &g.stack[i]
        if (e.row >= g.lay.rows or e.source_row >= g.lay.rows or e.source_id >= g.h.next_id or e.face >= g.cards.n_faces
                or e.controller >= g.lay.players or e.flags >> N_SF or not own(s, e.targets)):
            return bad(BAD_STACK, i)
        if row == 0 or e.row != row or g.controller[row] != e.controller or g.defn[row] != e.face:
            return bad(BAD_STACK_ORDER, i)
        row = g.znext[row]
        if e.ability == NONE16:
            first = face_of(g, e.face).first_target
            n = face_of(g, e.face).n_targets
            if g.oflags[e.row] & OF_ABILITY or e.source_id:
                return bad(BAD_STACK, i)
        else:
            if not g.oflags[e.row] & OF_ABILITY or e.ability >= face_of(g, e.face).n_abilities or e.source_id == 0:
                return bad(BAD_STACK, i)
            a = ability_of(g, e.face, e.ability)
            if a.kind == AB_MANA:
                return bad(BAD_STACK, i)
            first = a.first_target
            n = a.n_targets
        if not targets_fit(g, e.targets, first, n, True):
            return bad(BAD_TARGETS, i)
        if not kept(g, s, e.source_row, e.source_id):
            return bad(LOST_SOURCE, i)
    return bad(BAD_STACK_ORDER, g.h.n_stack) if row else FINE


cdef int check_effects(const Game *g, Scratch *s) noexcept nogil:
    cdef uint32_t i
    cdef uint32_t stamp = 0
    cdef Effect *e
    for i in range(g.h.n_effects):
        e = &g.effect[i]
        if (not field_row(g, e.affected_row) or g.id[e.affected_row] != e.affected_id or e.source_row >= g.lay.rows
                or e.source_id >= g.h.next_id or e.duration >= N_D or e.player >= g.lay.players
                or e.timestamp <= stamp or e.timestamp >= g.h.clock):
            return bad(BAD_EFFECT, i)
        stamp = e.timestamp
        if not kept(g, s, e.source_row, e.source_id):
            return bad(LOST_EFFECT, i)
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
        if (f.kind == F_NONE or f.kind >= N_F or f.player >= g.lay.players or f.obj_row >= g.lay.rows
                or f.obj_id >= g.h.next_id or (f.obj_row == 0) != (f.obj_id == 0) or not own(s, f.list)):
            return bad(BAD_FRAME, i)
        if f.list and f.kind != F_CAST and f.kind != F_ACTIVATE:
            return bad(BAD_FRAME, i)
        if not may_stand_on(f.kind, below, resolving):
            return bad(BAD_FRAME_ORDER, i)
        if not kept(g, s, f.obj_row, f.obj_id):
            return bad(LOST_FRAME, i)
        top = i + 1 == g.h.n_frames
        if f.kind == F_CAST or f.kind == F_ACTIVATE:
            code = check_cast(g, f, top)
        elif f.kind == F_PAY:
            code = check_pay(g, f, &g.frame[i - 1])
        elif f.kind == F_RESOLVE:
            resolving = True
            code = check_resolve(g, f, top)
        elif f.kind == F_MULLIGAN:
            code = BAD_FRAME
            if f.step <= 1 and not (f.a | f.b) >> g.lay.players and f.n <= g.p_hand_max[f.player]:
                code = FINE
        elif f.kind == F_DISCARD:
            code = FINE if 0 < f.a else BAD_FRAME
        else:
            code = check_combat_frame(g, f, top)
        if code:
            return bad(code, i)
        below = f.kind
    return FINE


cdef int check_cast(const Game *g, const Frame *f, bint top) noexcept nogil:
    """A card in hand that is being cast, or a permanent's ability being activated; X and targets so far."""
    cdef const Face *face
    cdef const Ability *a
    cdef int first, n, n_x
    if f.obj_id == 0 or not is_live(g, f.obj_row, f.obj_id):
        return BAD_FRAME_OBJECT
    face = face_of(g, g.defn[f.obj_row])
    if f.kind == F_CAST:
        if g.zone[f.obj_row] != Z_HAND or g.owner[f.obj_row] != f.player or not face.flags & FACE_HAS_COST:
            return BAD_FRAME_OBJECT
        if face.types & T_LAND:
            return BAD_FRAME_OBJECT
        first = face.first_target
        n = face.n_targets
        n_x = face.n_x
    else:
        if g.zone[f.obj_row] != Z_BATTLEFIELD or g.controller[f.obj_row] != f.player:
            return BAD_FRAME_OBJECT
        if not 0 <= f.b < face.n_abilities:
            return BAD_CAST
        a = ability_of(g, g.defn[f.obj_row], f.b)
        if a.kind == AB_MANA:
            return BAD_CAST
        first = a.first_target
        n = a.n_targets
        n_x = a.n_x
    # Steps of a cast: 0 X, 1 targets, 3 all but the payment done.
    if not 0 <= f.a <= MOST_X or (f.a and not n_x) or f.n != chunk_len(g, f.list) or f.n > n:
        return BAD_CAST
    if not targets_fit(g, f.list, first, n, f.step == 3):
        return BAD_CAST
    if top:
        if g.h.choice == CH_X or (g.h.choice == CH_NONE and f.step == 0):
            return FINE if f.step == 0 and n_x and f.n == 0 and f.a == 0 else BAD_CAST
        return FINE if f.step == 1 and f.n < n else BAD_CAST
    return FINE if f.step == 3 else BAD_CAST


cdef int check_pay(const Game *g, const Frame *f, const Frame *cast) noexcept nogil:
    """What is still to pay: coloured symbols within the total (CR 202.1)."""
    cdef uint64_t lo = <uint64_t><uint32_t>f.a | <uint64_t><uint32_t>f.b << 32
    cdef uint64_t hi = <uint64_t><uint32_t>f.c | <uint64_t><uint32_t>f.d << 32
    cdef int pips = 0
    cdef int k
    for k in range(4):
        pips += <int>((lo >> (16 * k)) & 0xFFFF)
    pips += <int>(hi & 0xFFFF) + <int>((hi >> 16) & 0xFFFF)
    k = <int>((hi >> 32) & 0xFFFF)
    if hi >> 48 or pips > k or k == 0 or f.n > 1:
        return BAD_PAYMENT
    if f.player != cast.player or f.obj_row != cast.obj_row or f.obj_id != cast.obj_id:
        return BAD_PAYMENT
    return FINE


cdef int check_resolve(const Game *g, const Frame *f, bint top) noexcept nogil:
    """The object that resolves is on the stack, its program stands at an instruction of its own."""
    cdef int e
    cdef int32_t pc
    if f.obj_id == 0:
        return BAD_FRAME_OBJECT
    if not is_live(g, f.obj_row, f.obj_id):
        # Its owner left (CR 800.4a): what others still do for it goes on, then the frame is dropped.
        return BAD_FRAME_OBJECT if top and g.h.choice else FINE
    if g.zone[f.obj_row] != Z_STACK:
        return BAD_FRAME_OBJECT
    e = entry_of(g, f.obj_row)
    if e < 0 or f.step != 1:
        return BAD_FRAME_OBJECT
    pc = face_of(g, g.stack[e].face).program
    if g.stack[e].ability != NONE16:
        pc = ability_of(g, g.stack[e].face, g.stack[e].ability).program
    if pc < 0 or f.a < pc or f.a >= g.cards.n_code or (f.a - pc) % 5:
        return BAD_PROGRAM
    while pc < f.a:
        if g.cards.code[pc] == E_END:
            return BAD_PROGRAM
        pc += 5
    if g.h.choice == CH_SEARCH and g.cards.code[f.a] != E_SEARCH_LAND:
        return BAD_PROGRAM
    return FINE


cdef int check_combat_frame(const Game *g, const Frame *f, bint top) noexcept nogil:
    """The creature that is asked about, and what the attacking player still has to assign."""
    cdef uint32_t i
    cdef uint16_t row
    cdef uint32_t stamp = 0
    if not top:
        return FINE if f.kind == F_BLOCK and f.obj_id == 0 and f.step == 0 and f.a == 0 else BAD_COMBAT_FRAME
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if not field_row(g, row) or not g.types[row] & T_CREATURE or g.timestamp[row] <= stamp:
            return BAD_COMBAT_FRAME
        stamp = g.timestamp[row]
    if not field_row(g, f.obj_row) or g.id[f.obj_row] != f.obj_id or g.controller[f.obj_row] != f.player:
        return BAD_FRAME_OBJECT
    if f.kind == F_ATTACK or f.kind == F_BLOCK:
        if f.step != 1 or not 1 <= f.a <= g.h.n_fighters or g.fighter[f.a - 1] != f.obj_row:
            return BAD_COMBAT_FRAME
        if f.kind == F_ATTACK:
            return FINE if g.h.step == STEP_DECLARE_ATTACKERS and f.player == g.h.active else BAD_COMBAT_FRAME
        return FINE if g.h.step == STEP_DECLARE_BLOCKERS and 0 <= f.b <= 1 else BAD_COMBAT_FRAME
    if g.h.step != STEP_COMBAT_DAMAGE and g.h.step != STEP_FIRST_STRIKE_DAMAGE:
        return BAD_COMBAT_FRAME
    if f.n != 1 or not 0 < f.a <= g.power[f.obj_row] or not 0 <= f.c <= 1 or not 0 <= f.b < g.h.n_fighters:
        return BAD_COMBAT_FRAME
    if not 1 <= f.d <= g.h.n_fighters or g.fighter[f.d - 1] != f.obj_row or not g.attacks[f.obj_row]:
        return BAD_COMBAT_FRAME
    row = g.fighter[f.b]
    return FINE if g.blocks_row[row] == f.obj_row and g.blocks_id[row] == f.obj_id else BAD_COMBAT_FRAME


# -------------------------------------------------------------------------------- the choice

cdef int frame_of_choice(int choice) noexcept nogil:
    if choice == CH_MULLIGAN or choice == CH_BOTTOM:
        return F_MULLIGAN
    if choice == CH_ATTACK:
        return F_ATTACK
    if choice == CH_BLOCK:
        return F_BLOCK
    if choice == CH_ASSIGN:
        return F_ASSIGN
    if choice == CH_DISCARD:
        return F_DISCARD
    if choice == CH_PAY:
        return F_PAY
    if choice == CH_SEARCH:
        return F_RESOLVE
    return F_NONE


cdef int check_choice(const Game *g) noexcept nogil:
    """A running game stands at a choice with options, of the kind that its top frame or the turn machine asks for."""
    cdef int kind = g.h.choice
    cdef int top = top_frame(g).kind if g.h.n_frames else F_NONE
    cdef int turn_state = TS_CHECK
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
    if kind == CH_PRIORITY:
        turn_state = TS_PRIORITY
        if top or g.h.chooser != g.h.priority or g.option[0].kind != O_PASS:
            return BAD_CHOICE
    elif kind == CH_TARGET or kind == CH_X:
        if top != F_CAST and top != F_ACTIVATE:
            return BAD_CHOICE
    elif top != frame_of_choice(kind):
        return BAD_CHOICE
    if top == F_MULLIGAN:
        turn_state = TS_NEXT_STEP
        if (kind == CH_BOTTOM) != (top_frame(g).step == 1) or g.h.turn:
            return BAD_CHOICE
    if g.h.phase_state != turn_state or (top and top != F_RESOLVE and g.h.chooser != top_frame(g).player):
        return BAD_CHOICE
    for i in range(g.h.n_options):
        o = &g.option[i]
        if (o.kind >= N_O or o.row >= g.lay.rows or o.id != g.id[o.row] or (o.row and o.id == 0)
                or (o.player != NO_PLAYER and o.player >= g.lay.players) or not option_fits(g, o)):
            return bad(BAD_OPTION, i)
    return FINE


cdef inline bint stays(const Game *g, int player) noexcept nogil:
    """It is a player, who is still in the game."""
    return player < <int>g.lay.players and in_game(g, player)


cdef inline bint in_hand(const Game *g, uint16_t row, int zone) noexcept nogil:
    return row != 0 and g.zone[row] == zone and g.owner[row] == g.h.chooser


cdef bint mana_option(const Game *g, const Option *o) noexcept nogil:
    return (field_row(g, o.row) and g.controller[o.row] == g.h.chooser and 0 <= o.num < 6
            and (g.mana_in[o.row] >> o.num) & 1)


cdef bint option_fits(const Game *g, const Option *o) noexcept nogil:
    """Rows of an option are where the choice takes them from, numbers what it allows."""
    cdef int kind = g.h.choice
    cdef const Frame *f = top_frame(g) if g.h.n_frames else NULL
    cdef const Face *face = face_of(g, g.defn[o.row])
    if kind == CH_MULLIGAN:
        return o.row == 0 and (o.kind == O_KEEP or o.kind == O_MULLIGAN)
    if kind == CH_BOTTOM or kind == CH_DISCARD:
        return o.kind == O_OBJECT and in_hand(g, o.row, Z_HAND)
    if kind == CH_PRIORITY:
        if o.kind == O_PASS:
            return o.row == 0
        if o.kind == O_PLAY:
            return in_hand(g, o.row, Z_HAND) and (face.types & T_LAND) != 0
        if o.kind == O_CAST:
            return in_hand(g, o.row, Z_HAND) and (face.flags & FACE_HAS_COST) != 0 and not face.types & T_LAND
        if o.kind == O_ACTIVATE:
            return (field_row(g, o.row) and g.controller[o.row] == g.h.chooser and 0 <= o.num < face.n_abilities
                    and ability_of(g, g.defn[o.row], o.num).kind != AB_MANA)
        return o.kind == O_MANA and mana_option(g, o)
    if kind == CH_TARGET:
        return target_option(g, f, o)
    if kind == CH_X:
        return o.kind == O_NUMBER and o.row == 0 and 0 <= o.num <= MOST_X
    if kind == CH_ATTACK:
        return o.row == f.obj_row and (o.kind == O_NO or (o.kind == O_PLAYER and stays(g, o.player)
                                                          and o.player != g.h.chooser))
    if kind == CH_BLOCK:
        if o.kind == O_NO:
            return o.row == f.obj_row
        return o.kind == O_OBJECT and field_row(g, o.row) and g.attacks[o.row] == 1 + g.h.chooser
    if kind == CH_ASSIGN:
        return o.kind == O_NUMBER and o.row == g.fighter[f.b] and 0 <= o.num <= f.a
    if kind == CH_PAY:
        if o.kind == O_COLOR:
            return o.row == 0 and 0 <= o.num < 6 and g.p_pool[g.h.chooser * 6 + o.num] > 0
        return o.kind == O_MANA and mana_option(g, o)
    if kind == CH_SEARCH:
        if o.kind == O_NO:
            return o.row == 0
        return o.kind == O_OBJECT and in_hand(g, o.row, Z_LIBRARY)
    return False


cdef bint target_option(const Game *g, const Frame *f, const Option *o) noexcept nogil:
    cdef const Face *face = face_of(g, g.defn[f.obj_row])
    cdef const TargetSpec *t
    if f.kind == F_CAST:
        t = &g.cards.targets[face.first_target + f.n]
    else:
        t = &g.cards.targets[ability_of(g, g.defn[f.obj_row], f.b).first_target + f.n]
    if o.kind == O_PLAYER:
        return t.players and o.row == 0 and stays(g, o.player)
    return o.kind == O_OBJECT and t.objects and o.row != 0 and g.zone[o.row] == t.zone
