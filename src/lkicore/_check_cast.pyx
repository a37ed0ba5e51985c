"""Validating a block: spells and abilities that are being announced, and what is offered for them."""
from libc.stdint cimport uint16_t, uint8_t

from lkicore._abilities cimport abilities_of, ability_of, blocks_it, entry_next
from lkicore._allowed cimport part_of, parts_of
from lkicore._announce cimport *
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._casting cimport Manner, NO_WAY, announced_face, announced_spell, manner_of, permission
from lkicore._check_codes cimport *
from lkicore._defs cimport face_of, is_definition
from lkicore._hidden cimport turn_ups
from lkicore._layout cimport Ref
from lkicore._modes cimport MODE_COST, modes_cost, part_of_mode
from lkicore._opcodes cimport *
from lkicore._price cimport KICK_COST, WAY_COST, x_symbols
from lkicore._store cimport is_live
from lkicore._types cimport FACE_HAS_COST, Ability, Face, MOST_ABILITIES, NONE16, Node, TargetSpec, Way

cdef enum:
    ANY_NUMBER = 0xFF  # most targets


cdef inline bint enough(const TargetSpec *t, int x, int n) noexcept nogil:
    """So many targets can have been chosen for the specification."""
    if t.x:
        return n == x
    return t.least <= n and (t.most == ANY_NUMBER or n <= t.most)


cdef bint targets_fit(const Game *g, uint16_t list, int ability, uint16_t info, int x, int part, int spec,
                      int have) noexcept nogil:
    """Chosen targets are what the specifications ask for, in order: all of them up to number `spec` of part `part`, and
    `have` of that one."""
    cdef int n = chunk_len(g, list)
    cdef int parts = parts_of(g, ability, info)
    cdef int base = 0
    cdef int i = 0
    cdef int p, k, count
    cdef const Ability *a
    cdef const TargetSpec *t
    cdef Ref *r
    if not holds_only(g, list, 1 << RK_OBJECT | 1 << RK_PLAYER):
        return False
    for p in range(parts):
        a = part_of(g, ability, info, p)
        for k in range(a.n_targets):
            t = &g.cards.targets[a.first_target + k]
            count = 0
            while i < n and chunk_refs(g, list)[i].flags >> 1 == base + k:
                r = &chunk_refs(g, list)[i]
                if not (t.players if r.kind == RK_PLAYER else t.objects):
                    return False
                count += 1
                i += 1
            if p < part or (p == part and k < spec):
                if not enough(t, x, count):
                    return False
            elif count != (have if p == part and k == spec else 0):
                return False
        base += a.n_targets
    return i == n


cdef bint modes_fit(const Game *g, int ability, uint16_t info, bint whole) noexcept nogil:
    """Chosen modes are the ability's, in printed order, each once (CR 700.2); `whole`: all have been chosen."""
    cdef const Ability *a
    cdef int i = entry_next(g, info, RK_MODE, 0)
    cdef int before = -1
    cdef int n = 0
    if ability < 0:
        return i < 0
    a = ability_of(g, ability)
    while i >= 0:
        if chunk_refs(g, info)[i].row <= before or chunk_refs(g, info)[i].row >= a.n_modes:
            return False
        before = chunk_refs(g, info)[i].row
        n += 1
        i = entry_next(g, info, RK_MODE, i + 1)
    return a.n_modes == 0 or (n <= a.most_modes and (n >= a.least_modes or not whole))


cdef bint has_activated(const Game *g, uint16_t row, int ability) noexcept nogil:
    """The object has this activated ability, and it works where the object is."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n, i
    if is_ability(g, ability, AB_TURN_UP):
        n = turn_ups(g, row, list)
        for i in range(n):
            if list[i] == ability:
                return True
        return False
    if (not (is_ability(g, ability, AB_ACTIVATED) or is_ability(g, ability, AB_MANA))
            or not ability_of(g, ability).zones >> g.zone[row] & 1):
        return False
    n = abilities_of(g, row, list)
    for i in range(n):
        if list[i] == ability:
            return True
    return False


cdef bint cast_possible(const Game *g, const Frame *f) noexcept nogil:
    """The card is where it can be cast in the manner that was announced (CR 601.3)."""
    cdef Manner m
    cdef const Face *face
    cdef int spell, zone
    cdef uint16_t row = f.obj_row
    cdef int i = entry_next(g, f.info, RK_WAY, 0)
    if i >= 0 and entry_next(g, f.info, RK_WAY, i + 1) >= 0:
        return False
    manner_of(g, f.info, &m)
    face = announced_face(g, row, &m)
    spell = announced_spell(g, row, &m)
    if g.zone[row] == Z_BATTLEFIELD or g.zone[row] == Z_STACK or g.oflags[row] & OF_ABILITY or face.types & T_LAND:
        return False
    if m.permit == NULL:
        zone = Z_HAND if g.zone[row] == Z_COMMAND and g.oflags[row] & OF_COMMANDER else g.zone[row]  # CR 903.8
        if g.owner[row] != f.player or not (1 << Z_HAND if m.own == NULL else <int>m.own.zones) >> zone & 1:
            return False
    if not face.flags & FACE_HAS_COST and not (
            m.own != NULL and m.own.flags & WF_COST or m.permit != NULL and m.permit.flags & WF_COST):
        return False
    return f.b == (-1 if spell == NONE16 else spell)


cdef bint can_announce(const Game *g, const Frame *f) noexcept nogil:
    """The card in hand that is being cast, the object whose ability is being activated."""
    cdef uint16_t row = f.obj_row
    if f.obj_id == 0 or not is_live(g, row, f.obj_id):
        return False
    if f.kind == F_CAST:
        return cast_possible(g, f)
    if (g.controller[row] if g.zone[row] == Z_BATTLEFIELD else g.owner[row]) != f.player:
        return False
    return has_activated(g, row, f.b)


cdef bint kicks_fit(const Game *g, const Frame *f, const Face *face) noexcept nogil:
    """Optional costs that are paid are the face's, each listed once."""
    cdef int i = entry_next(g, f.info, RK_KICKED, 0)
    cdef int before = -1
    while i >= 0:
        if chunk_refs(g, f.info)[i].row <= before or chunk_refs(g, f.info)[i].row >= face.n_optional:
            return False
        before = chunk_refs(g, f.info)[i].row
        i = entry_next(g, f.info, RK_KICKED, i + 1)
    return True


cdef inline int choice_of_step(int step) noexcept nogil:
    """What is asked in a step of an announcement."""
    if step == STEP_MODES:
        return CH_MODE
    if step == STEP_KICK:
        return CH_KICK
    if step == STEP_X:
        return CH_X
    if step == STEP_TARGETS:
        return CH_TARGET
    if step == STEP_SYMBOLS:
        return CH_SYMBOL
    if step == STEP_DIVIDE:
        return CH_DIVIDE
    if step == STEP_HELP:
        return CH_HELP
    return CH_COST if step == STEP_COSTS else CH_NONE


cdef int check_announce(const Game *g, const Frame *f, bint top) noexcept nogil:
    """A spell or ability on its way to the stack: what has been announced so far, and what is asked now."""
    cdef const Face *face
    cdef Manner m
    cdef int kinds = 1 << RK_MODE
    cdef int n_x = 0
    cdef int parts
    cdef int spec = f.c & 0xFF
    cdef int have = f.c >> 8 & 0xFFFF
    cdef int part = f.c >> 24 & 0xFF
    manner_of(g, f.info if f.kind == F_CAST else 0, &m)
    face = announced_face(g, f.obj_row, &m)
    if f.kind == F_TRIGGER:
        kinds |= 1 << RK_EVENT_OBJECT | 1 << RK_EVENT_OTHER | 1 << RK_EVENT_PLAYER | 1 << RK_EVENT_AMOUNT
        if f.obj_id == 0 or not is_ability(g, f.b, AB_TRIGGERED) or not 0 <= f.d <= 0xFFFF or not (
                is_definition(g, <uint16_t>f.d)):
            return BAD_CAST
        if not -0x8000 <= f.a < 0x8000:
            return BAD_CAST
    elif not can_announce(g, f):
        return BAD_FRAME_OBJECT
    else:
        n_x = x_symbols(g, f)
        if not 0 <= f.a <= MOST_X or (f.a and (f.step <= STEP_X or not n_x)):
            return BAD_CAST
        if f.step >= STEP_SYMBOLS:
            kinds |= 1 << RK_SYMBOL
        if f.step >= STEP_HELP:
            kinds |= 1 << RK_HELP
        if f.step >= STEP_COSTS:
            kinds |= 1 << RK_PAID
    if f.step >= STEP_DIVIDE:
        kinds |= 1 << RK_DIVIDED
    if f.kind == F_CAST:
        kinds |= 1 << RK_WAY
        if f.step >= STEP_KICK:
            kinds |= 1 << RK_KICKED | 1 << RK_CHOSEN
        if f.step == STEP_FINISH:
            kinds |= 1 << RK_SURE  # what mana says that has been spent already
        if f.d < 0 or f.d > face.n_optional or (f.d == face.n_optional and f.step == STEP_KICK):
            return BAD_CAST
    if not holds_only(g, f.info, kinds):
        return BAD_CHUNK_KIND
    if not modes_fit(g, f.b, f.info, f.step > STEP_MODES) or not kicks_fit(g, f, face):
        return BAD_CHUNK_MODES
    if f.n != <uint8_t>chunk_len(g, f.list) or (f.b < 0 and f.list):
        return BAD_CAST
    if f.b >= 0:
        parts = parts_of(g, f.b, f.info)
        if f.step < STEP_TARGETS:
            part = 0
            spec = 0
            have = 0
        elif f.step > STEP_TARGETS:
            part = parts
        elif part >= parts or spec >= part_of(g, f.b, f.info, part).n_targets:
            return BAD_TARGETS
        if not targets_fit(g, f.list, f.b, f.info, f.a, part, spec, have):
            return BAD_TARGETS
    if not top:
        return FINE if f.step == STEP_FINISH and 0 <= f.c <= MOST_X else BAD_CAST
    if g.h.choice != choice_of_step(f.step) and not (
            g.h.choice == CH_REVEAL and f.kind == F_TRIGGER and f.step == STEP_MODES
            and ability_of(g, f.b).flags & TF_REVEAL):
        return BAD_CAST
    if f.step == STEP_X and not n_x:
        return BAD_CAST
    if f.kind == F_TRIGGER and (f.step > STEP_DIVIDE or f.step == STEP_SYMBOLS):
        return BAD_CAST
    if (f.step == STEP_SYMBOLS or f.step == STEP_DIVIDE) and not 0 <= f.c < 256:
        return BAD_CAST
    return FINE if f.step != STEP_KICK or f.kind == F_CAST else BAD_CAST


cdef bint play_option(const Game *g, const Option *o) noexcept nogil:
    """A card, the way of its own that the option names, and the permission, which must be there (CR 601.3)."""
    cdef const Face *face = face_of(g, g.defn[o.row])
    cdef int own = (o.num & 63) - 1
    cdef int zone = g.zone[o.row]
    cdef Game view
    if o.row == 0 or g.zone[o.row] == Z_BATTLEFIELD or g.zone[o.row] == Z_STACK or o.num < 0 or own >= face.n_ways:
        return False
    if o.num >= 64:
        view = g[0]
        view.trace = NULL
        return permission(&view, o.row, g.h.chooser, o.num // 64) != NO_WAY
    if zone == Z_COMMAND:
        # CR 903.8: a commander is cast in every way in which it could be cast from the hand.
        if not g.oflags[o.row] & OF_COMMANDER or g.owner[o.row] != g.h.chooser:
            return False
        return (g.cards.ways[face.first_way + own].zones >> Z_HAND & 1 if own >= 0
                else face.flags & FACE_HAS_COST) != 0
    if own >= 0:
        # (A land face is played, whether or not it has a cost.)
        return in_hand(g, o.row, zone) and (g.cards.ways[face.first_way + own].zones >> zone & 1) != 0
    return in_hand(g, o.row, Z_HAND) and (face.types & T_LAND or face.flags & FACE_HAS_COST)


cdef bint kick_option(const Game *g, const Frame *f, const Option *o) noexcept nogil:
    """No, yes, or of a promised gift the opponent who gets it (CR 702.174a)."""
    cdef Manner m
    cdef const Face *face
    if o.row or o.num != f.d:
        return False
    if o.kind == O_NO:
        return True
    manner_of(g, f.info, &m)
    face = announced_face(g, f.obj_row, &m)
    if f.d >= face.n_optional or not g.cards.optional[face.first_optional + f.d].promise:
        return o.kind == O_YES
    return o.kind == O_PLAYER and o.player != f.player and stays(g, o.player)


cdef bint mode_option(const Game *g, const Frame *f, const Option *o) noexcept nogil:
    """CR 700.2: a mode after those chosen, or no more of them."""
    cdef const Ability *a
    cdef int i
    cdef int after = -1
    cdef int n = 0
    if f.b < 0 or o.row:
        return False
    a = ability_of(g, f.b)
    i = entry_next(g, f.info, RK_MODE, 0)
    while i >= 0:
        after = chunk_refs(g, f.info)[i].row
        n += 1
        i = entry_next(g, f.info, RK_MODE, i + 1)
    if o.kind == O_DONE:
        return n >= a.least_modes
    return o.kind == O_MODE and after < o.num < a.n_modes and n < a.most_modes


cdef const Node *part_of_cost(const Game *g, const Frame *f, int number) noexcept nogil:
    """The part of the cost that an object is chosen for; NULL: there is no such part."""
    cdef const Face *face
    cdef const Ability *a
    cdef Manner m
    cdef const Way *way
    cdef int k = number // KICK_COST - 1
    cdef int i
    if number < 0:
        return NULL
    if f.kind != F_CAST:
        a = ability_of(g, f.b if f.kind == F_ACTIVATE else g.cards.code[f.a + 2])
        return &g.cards.costs[a.first_cost + number] if number < a.n_costs else NULL
    manner_of(g, f.info, &m)
    face = announced_face(g, f.obj_row, &m)
    if number >= WAY_COST:
        way = m.own if m.own != NULL and m.own.n_costs else m.permit
        number -= WAY_COST
        return &g.cards.costs[way.first_cost + number] if way != NULL and number < way.n_costs else NULL
    if number >= MODE_COST:
        return part_of_mode(g, f.b, f.info, number) if f.b >= 0 and modes_cost(ability_of(g, f.b)) else NULL
    if number < face.n_costs and number < KICK_COST:
        return &g.cards.costs[face.first_cost + number]
    i = entry_next(g, f.info, RK_KICKED, 0)
    while i >= 0:
        if chunk_refs(g, f.info)[i].row == k:
            i = number % KICK_COST
            if i < g.cards.optional[face.first_optional + k].n_costs:
                return &g.cards.costs[g.cards.optional[face.first_optional + k].first_cost + i]
            return NULL
        i = entry_next(g, f.info, RK_KICKED, i + 1)
    return NULL


cdef bint cost_option(const Game *g, const Frame *f, const Option *o) noexcept nogil:
    """CR 601.2h: an object that the part of the cost can be paid with."""
    cdef const Node *part = part_of_cost(g, f, o.num)
    if o.kind != O_OBJECT or part == NULL:
        return False
    if part.op == CP_SACRIFICE or part.op == CP_TAP_CREATURES or part.op == CP_RETURN or part.op == CP_CREW:
        return mine(g, o.row)
    if part.op == CP_DISCARD or part.op == CP_REVEAL or part.op == CP_EXILE_HAND:
        return in_hand(g, o.row, Z_HAND)
    return part.op == CP_EXILE_GRAVEYARD and in_hand(g, o.row, Z_GRAVEYARD)


cdef bint target_option(const Game *g, const Frame *f, const Option *o) noexcept nogil:
    cdef const TargetSpec *t = &g.cards.targets[part_of(g, f.b, f.info, f.c >> 24 & 0xFF).first_target + (f.c & 0xFF)]
    cdef int have = f.c >> 8 & 0xFFFF
    if o.kind == O_DONE:
        return o.row == 0 and enough(t, f.a, have)
    if t.x and have >= f.a or not t.x and t.most != ANY_NUMBER and have >= t.most:
        return False
    if o.kind == O_PLAYER:
        return t.players and o.row == 0 and stays(g, o.player)
    return o.kind == O_OBJECT and t.objects and o.row != 0 and g.zone[o.row] == t.zone


# -------------------------------------------------------------------------------- combat

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
    if f.kind == F_ASSIGN and g.h.choice == CH_REPLACE:
        # All is assigned; the damage is about to be dealt.
        return FINE if f.n == 0 and f.d >= g.h.n_fighters and (
            g.h.step == STEP_COMBAT_DAMAGE or g.h.step == STEP_FIRST_STRIKE_DAMAGE) else BAD_COMBAT_FRAME
    if not field_row(g, f.obj_row) or g.id[f.obj_row] != f.obj_id or g.controller[f.obj_row] != f.player:
        return BAD_FRAME_OBJECT
    if f.kind == F_ATTACK or f.kind == F_BLOCK:
        if f.step != 1 or not 1 <= f.a <= g.h.n_fighters or g.fighter[f.a - 1] != f.obj_row:
            return BAD_COMBAT_FRAME
        if f.kind == F_ATTACK and (not 0 <= f.b <= 1 or f.n != (g.h.choice == CH_EXERT)):
            return BAD_COMBAT_FRAME
        if f.kind == F_ATTACK:
            return FINE if g.h.step == STEP_DECLARE_ATTACKERS and f.player == g.h.active else BAD_COMBAT_FRAME
        if f.n > 0 and (f.b != 2 or not g.combat[f.obj_row] & CB_BLOCKING):
            return BAD_COMBAT_FRAME
        return FINE if g.h.step == STEP_DECLARE_BLOCKERS and 0 <= f.b <= 2 else BAD_COMBAT_FRAME
    if g.h.step != STEP_COMBAT_DAMAGE and g.h.step != STEP_FIRST_STRIKE_DAMAGE:
        return BAD_COMBAT_FRAME
    if f.n != 1 or not 0 < f.a <= g.power[f.obj_row] or not 0 <= f.c <= 1 or not 0 <= f.b < g.h.n_fighters:
        return BAD_COMBAT_FRAME
    if not 1 <= f.d <= g.h.n_fighters or g.fighter[f.d - 1] != f.obj_row or f.step > 1:
        return BAD_COMBAT_FRAME
    row = g.fighter[f.b]
    if f.step == 1:
        return FINE if g.combat[f.obj_row] & CB_MORE and blocks_it(g, f.obj_row, g.id[row]) else BAD_COMBAT_FRAME
    return FINE if g.attacks[f.obj_row] and blocks_it(g, row, f.obj_id) else BAD_COMBAT_FRAME
