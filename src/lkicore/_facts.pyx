"""Facts about objects, current or last known; what an object's lists tell about its past."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from lkicore._abilities cimport counters_in, entry_next, player_counter
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._game cimport NO_PLAYER, in_game
from lkicore._layout cimport Game, LkiRow, Ref
from lkicore._lki cimport FROM_LIVE, FROM_LKI, FROM_MISSING, NO_SLOT, is_departure, lki_find
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, trace
from lkicore._types cimport NONE16, Node

cdef enum:
    PUBLIC_ZONES = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7


cdef void plain_context(const Game *g, uint16_t source_row, uint32_t source_id, int controller, Ctx *c) noexcept nogil:
    memset(c, 0, sizeof(Ctx))
    c.source_row = source_row
    c.source_id = source_id
    c.controller = <uint8_t>controller
    c.player = NO_PLAYER


cdef int x_of(const Game *g, uint16_t row) noexcept nogil:
    """The chosen X of an object on the stack (CR 202.3e), or of the spell that the permanent was (107.3m)."""
    cdef int i
    if g.zone[row] == Z_STACK:
        for i in range(g.h.n_stack):
            if g.stack[i].row == row:
                return g.stack[i].x
    elif g.extra[row]:
        i = entry_next(g, g.extra[row], RK_CAST, 0)
        if i >= 0:
            return <int>chunk_refs(g, g.extra[row])[i].id
    return 0


cdef void slot_facts(const Game *g, uint16_t slot, Facts *f) noexcept nogil:
    cdef const LkiRow *r = &g.lki[slot]
    f.id = r.id if is_departure(r) else r.became
    f.keywords = r.keywords
    f.power = r.power
    f.toughness = r.toughness
    f.damage = r.damage
    f.c_p1p1 = r.c_p1p1
    f.c_m1m1 = r.c_m1m1
    f.c_loyalty = r.c_loyalty
    f.c_charge = r.c_charge
    f.types = r.types
    f.defn = r.defn
    f.colors = r.colors
    f.controller = r.controller
    f.owner = r.owner
    f.status = r.status
    f.oflags = r.oflags
    f.attacks = r.attacks
    f.combat = r.combat
    f.attached_row = r.attached_row
    f.attached_id = r.attached_id
    f.extra = r.extra
    f.zone = r.zone
    f.row = r.row
    f.x = r.x
    f.slot = slot
    f.where = FROM_LKI


cdef bint known_facts(Game *g, uint16_t row, uint32_t id, int policy, Facts *f) noexcept nogil:
    cdef uint16_t s
    if is_live(g, row, id) and (g.zone[row] != Z_PHASED_OUT or policy != P_LIVE_ONLY):
        f.id = id
        f.keywords = g.keywords[row]
        f.power = g.power[row]
        f.toughness = g.toughness[row]
        f.damage = g.damage[row]
        f.c_p1p1 = g.c_p1p1[row]
        f.c_m1m1 = g.c_m1m1[row]
        f.c_loyalty = g.c_loyalty[row]
        f.c_charge = g.c_charge[row]
        f.types = g.types[row]
        f.defn = g.defn[row]
        f.colors = g.colors[row]
        f.controller = g.controller[row]
        f.owner = g.owner[row]
        f.status = g.status[row]
        f.oflags = g.oflags[row]
        f.attacks = g.attacks[row]
        f.combat = g.combat[row]
        f.attached_row = g.attached_row[row]
        f.attached_id = g.attached_id[row]
        f.extra = g.extra[row]
        f.zone = g.zone[row]
        f.row = row
        f.x = <int16_t>x_of(g, row)
        f.slot = NO_SLOT
        # Phased out, it is as it last was (CR 702.26d).
        f.where = FROM_LIVE if f.zone != Z_PHASED_OUT else FROM_LKI
        trace(g, TR_LOOKUP, f.defn, policy, f.where, -1, id)
        return True
    if policy != P_LIVE_ONLY:
        s = lki_find(g, id)
        if s != NO_SLOT:
            slot_facts(g, s, f)
            g.lki_answers += 1
            if g.lki[s].pinned:
                g.lki_kept_answers += 1
            trace(g, TR_LOOKUP, f.defn, policy, FROM_LKI, s, id)
            return True
    memset(f, 0, sizeof(Facts))
    f.slot = NO_SLOT
    trace(g, TR_LOOKUP, -1, policy, FROM_MISSING, -1, id)
    return False


cdef uint16_t extra_of(const Game *g, uint16_t row, uint32_t id, bint live_only) noexcept nogil:
    """The list of what is rare of an object that is there, or was."""
    cdef uint16_t s
    if id == 0:
        return 0
    if is_live(g, row, id):
        return g.extra[row]
    if live_only:
        return 0
    s = lki_find(g, id)
    return g.lki[s].extra if s != NO_SLOT else 0


cdef uint16_t info_of(const Game *g, const Ctx *c) noexcept nogil:
    return extra_of(g, c.self_row, c.self_id, False)


cdef bint host_of(const Game *g, const Ctx *c, Obj *o) noexcept nogil:
    """What the source is attached to, or was when it left (CR 303.4, 400.7f)."""
    cdef uint16_t s
    o.id = 0
    if is_live(g, c.source_row, c.source_id):
        o.row = g.attached_row[c.source_row]
        o.id = g.attached_id[c.source_row]
    elif not c.live_only:
        s = lki_find(g, c.source_id)
        if s != NO_SLOT:
            o.row = g.lki[s].attached_row
            o.id = g.lki[s].attached_id
    return o.id != 0


cdef bint became_of(const Game *g, const Ctx *c, Obj *o) noexcept nogil:
    """CR 400.7e, 603.6: the object that the event's object became, if it is still that one, in a public zone."""
    cdef uint16_t s
    if c.event_id == 0:
        return False
    o.row = c.event_row
    o.id = c.event_id
    if not is_live(g, o.row, o.id):
        s = lki_find(g, c.event_id)
        if s == NO_SLOT or g.lki[s].became == 0:
            return False
        o.row = g.lki[s].row
        o.id = g.lki[s].became
    return is_live(g, o.row, o.id) and PUBLIC_ZONES >> g.zone[o.row] & 1


cdef bint source_card(const Game *g, const Ctx *c, Obj *o) noexcept nogil:
    """The source while it is there, else what it became where it went (CR 400.7)."""
    cdef uint16_t slot
    o.row = c.source_row
    o.id = c.source_id
    if o.id and not is_live(g, o.row, o.id):
        slot = lki_find(g, o.id)
        o.id = g.lki[slot].became if slot != NO_SLOT else 0
    return o.id != 0


cdef uint32_t blocked_by(const Game *g, const Ctx *c) noexcept nogil:
    """What the source blocks, or blocked when it left; an id that nothing has if none."""
    cdef uint32_t id = 0
    cdef uint16_t s
    if is_live(g, c.source_row, c.source_id):
        id = g.blocks_id[c.source_row]
    elif not c.live_only:
        s = lki_find(g, c.source_id)
        if s != NO_SLOT:
            id = g.lki[s].blocks_id
    return id if id else <uint32_t>0xFFFFFFFF


cdef int attacked_by(const Game *g, uint16_t row, uint32_t id, bint live_only) noexcept nogil:
    """1 + the player whom the object attacks, or attacked when it left; 0 none."""
    cdef uint16_t s
    if id and is_live(g, row, id):
        return g.attacks[row]
    s = NO_SLOT if live_only or id == 0 else lki_find(g, id)
    return g.lki[s].attacks if s != NO_SLOT else 0


cdef int defending_player(const Game *g, const Ctx *c) noexcept nogil:
    """CR 506.2, 508.5: whom the source attacks, or attacked when it left; else the event's object, or the host."""
    cdef Obj o
    cdef int attacks = attacked_by(g, c.source_row, c.source_id, c.live_only)
    if attacks == 0:
        attacks = attacked_by(g, c.event_row, c.event_id, c.live_only)
    if attacks == 0 and host_of(g, c, &o):
        attacks = attacked_by(g, o.row, o.id, c.live_only)
    if attacks:
        return 1 << (attacks - 1)
    # CR 506.2: of two players, the one who isn't the active player, whatever became of the attacker.
    return g.h.alive & ~(1 << g.h.active) if g.h.n_alive == 2 and in_game(g, g.h.active) else 0


cdef int nth_player(const Game *g, int mask, int first, int number) noexcept nogil:
    """Player number so and so, from 1, of a set, in turn order after player `first`; as a set."""
    cdef int players = <int>g.lay.players
    cdef int i
    for i in range(1, players):
        number -= mask >> ((first + i) % players) & 1
        if number == 0:
            return 1 << ((first + i) % players)
    return 0


cdef int counters_known(const Game *g, const Facts *f, int kind) noexcept nogil:
    """Counters of a kind; -1: of every kind (CR 122)."""
    cdef int i
    cdef int n
    if kind < 0:
        n = f.c_p1p1 + f.c_m1m1 + f.c_loyalty + f.c_charge
        i = entry_next(g, f.extra, RK_COUNTER, 0)
        while i >= 0:
            n += <int>chunk_refs(g, f.extra)[i].id
            i = entry_next(g, f.extra, RK_COUNTER, i + 1)
        return n
    if kind == CK_P1P1:
        return f.c_p1p1
    if kind == CK_M1M1:
        return f.c_m1m1
    if kind == CK_LOYALTY:
        return f.c_loyalty
    if kind == CK_CHARGE:
        return f.c_charge
    return counters_in(g, f.extra, kind)


cdef int level_in(const Game *g, uint16_t list) noexcept nogil:
    cdef int i = entry_next(g, list, RK_CHOSEN, 0)
    while i >= 0:
        if chunk_refs(g, list)[i].flags == CN_LEVEL:
            return <int>chunk_refs(g, list)[i].id
        i = entry_next(g, list, RK_CHOSEN, i + 1)
    return 1


cdef int kicked_times(const Game *g, const Ctx *c, int cost) noexcept nogil:
    """CR 702.33: by the source's list (a permanent's tells what its spell was, 400.7d), or as it is being cast."""
    cdef uint16_t list = source_list(g, c)
    cdef int times = 0
    cdef int i
    if list == 0:
        for i in range(g.h.n_frames):
            if g.frame[i].kind == F_CAST and g.frame[i].obj_id == c.source_id:
                list = g.frame[i].info
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_KICKED and chunk_refs(g, list)[i].row == cost:
            times += <int>chunk_refs(g, list)[i].id
    return times


cdef bint kicked(const Game *g, uint16_t list) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_KICKED and chunk_refs(g, list)[i].id and not chunk_refs(g, list)[i].flags:
            return True
    return False


cdef bint was_cast(const Game *g, const Ctx *c) noexcept nogil:
    """CR 400.7d: a spell that is no copy, or a permanent that was one."""
    cdef uint16_t s
    cdef int i
    if c.source_id == 0:
        return False
    if is_live(g, c.source_row, c.source_id):
        if g.zone[c.source_row] == Z_STACK:
            return not g.oflags[c.source_row] & (OF_COPY | OF_ABILITY)
    elif not c.live_only:
        s = lki_find(g, c.source_id)
        if s != NO_SLOT and g.lki[s].zone == Z_STACK:
            return not g.lki[s].oflags & (OF_COPY | OF_ABILITY)
    i = entry_next(g, source_list(g, c), RK_CAST, 0)
    return i >= 0 and not chunk_refs(g, source_list(g, c))[i].flags


cdef bint cast_way(const Game *g, const Ctx *c, int kind) noexcept nogil:
    """CR 400.7d: the source, or the spell that it was, was cast in a way of this kind; or it is being cast so."""
    cdef uint16_t list = source_list(g, c)
    cdef Ref *r
    cdef int i
    if list == 0:
        for i in range(g.h.n_frames):
            if g.frame[i].kind == F_CAST and g.frame[i].obj_id == c.source_id:
                list = g.frame[i].info
    i = entry_next(g, list, RK_WAY, 0)
    if i < 0:
        return False
    r = &chunk_refs(g, list)[i]
    return ((r.row != NONE16 and g.cards.ways[r.row].kind == kind)
            or (r.id != 0 and g.cards.ways[r.id - 1].kind == kind))


cdef bint designated(const Game *g, uint16_t list, int what) noexcept nogil:
    """The object that the list belongs, or belonged, to has the designation."""
    cdef int i = entry_next(g, list, RK_DESIGNATED, 0)
    while i >= 0:
        if chunk_refs(g, list)[i].row == what:
            return True
        i = entry_next(g, list, RK_DESIGNATED, i + 1)
    return False


cdef bint logged(const Game *g, int kinds, uint32_t id) noexcept nogil:
    cdef int i
    for i in range(g.h.history_n - 1, -1, -1):
        if g.history[i].turn != g.h.turn:
            break
        if g.history[i].obj_id == id and kinds >> g.history[i].kind & 1:
            return True
    return False


cdef int target_players(const Game *g, const Ctx *c, int spec, bint first) noexcept nogil:
    cdef Ref *t
    cdef int i
    cdef int mask = 0
    for i in range(chunk_len(g, c.targets)):
        t = &chunk_refs(g, c.targets)[i]
        if spec >= 0 and t.flags >> 1 != c.spec + spec:
            continue
        if t.kind == RK_PLAYER and not t.flags & RF_ILLEGAL:
            mask |= 1 << t.row
        if first:
            break
    return mask


cdef bint resolving(const Game *g, const Ctx *c) noexcept nogil:
    """The targets are those of an entry of the stack: all are chosen."""
    cdef int i
    for i in range(g.h.n_stack):
        if g.stack[i].targets == c.targets:
            return True
    return False


cdef bint target_already(const Game *g, const Ctx *c, uint32_t id, int kind, int player) noexcept nogil:
    """It has been chosen as a target (CR 115.3). On resolution the choices are made, and stay."""
    cdef Ref *t
    cdef int i
    for i in range(chunk_len(g, c.targets)):
        t = &chunk_refs(g, c.targets)[i]
        if t.kind == kind and (t.id == id if kind == RK_OBJECT else t.row == player):
            return not resolving(g, c)
    return False


cdef int chosen_for_source(const Game *g, const Ctx *c, int kind) noexcept nogil:
    cdef uint16_t list = source_list(g, c)
    cdef Ref *r
    cdef int i
    cdef int found = -1
    for i in range(chunk_len(g, list)):
        r = &chunk_refs(g, list)[i]
        if r.kind == RK_CHOSEN and r.flags == kind:
            found = <int>r.id
    return found


cdef int value_of_players(const Game *g, const Ctx *c, const Node *n, int mask, bint *known) noexcept nogil:
    cdef int op = n.op
    cdef int p, i
    cdef int sum = 0
    cdef uint16_t row
    if op == V_DAY_IS:
        return g.h.day == n.a
    if op == V_VOTES:
        i = entry_next(g, info_of(g, c), RK_VOTE, 0)
        while i >= 0:
            sum += chunk_refs(g, info_of(g, c))[i].row == n.a
            i = entry_next(g, info_of(g, c), RK_VOTE, i + 1)
        return sum
    if op == V_HAS_TITLE:
        row = g.z_head[Z_COMMAND * g.lay.players]
        while row:
            if g.oflags[row] & OF_EMBLEM and g.defn[row] == n.b and mask >> g.owner[row] & 1:
                return 1
            row = g.znext[row]
        return 0
    if op == V_PLAYER_COUNTERS and mask == 0:
        known[0] = False
    for p in range(<int>g.lay.players):
        if mask >> p & 1:
            if op == V_PLAYER_COUNTERS:
                sum += player_counter(g, p, n.b)
            elif g.p_facts[p] & <uint32_t>n.b:
                return 1
    return sum
