"""Triggered abilities: which of them an event triggers, and the list of those that wait (CR 603.2, 603.3, 603.10).

An ability triggers when its event, zones, filters and intervening "if" (603.4) fit. It then waits in `g.trigger` until
a player would receive priority. Canonical order: by event, then by the timestamp of the source, then printed order;
never by row.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, counters_on, entry_next, extra_add
from lkicore._arena cimport chunk_refs
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx, Facts, holds, passes, passes_facts, passes_player, plain_context, read_facts
from lkicore._facts cimport x_of
from lkicore._game cimport NO_PLAYER
from lkicore._guard cimport ctz64, on_stack, rare
from lkicore._layout cimport Effect, Game, Trigger
from lkicore._opcodes cimport *
from lkicore._store cimport HIDDEN_ZONES, has_bit, is_live, need_room, trace
from lkicore._types cimport Ability, Face

cdef Trigger *new_trigger(Game *g) noexcept nogil:
    cdef Trigger *t
    if g.h.n_triggers == g.lay.triggers:
        need_room(g)
        return NULL
    t = &g.trigger[g.h.n_triggers]
    g.h.n_triggers += 1
    memset(t, 0, sizeof(Trigger))
    return t


cdef void trigger_add(Game *g, int ability, uint16_t defn, uint16_t source_row, uint32_t source_id, int controller,
                      uint16_t row, uint32_t id, uint16_t row2, uint32_t id2, int player, int amount,
                      int x) noexcept nogil:
    cdef Trigger *t = new_trigger(g)
    if t == NULL:
        return
    t.ability = <uint16_t>ability
    t.defn = defn
    t.source_row = source_row
    t.source_id = source_id
    t.controller = <uint8_t>controller
    t.object_row = row
    t.object_id = id
    t.other_row = row2
    t.other_id = id2
    t.player = <uint8_t>player
    t.amount = <int16_t>max(-30000, min(30000, amount))
    t.x = <int16_t>x
    trace(g, TR_TRIGGER, defn, ability, controller, 0, source_id)


cdef int depth_at_once(const Game *g) noexcept nogil:
    cdef int n = 0
    cdef uint32_t i, k
    for i in range(g.h.n_frames):
        if g.frame[i].kind != F_RESOLVE:
            continue
        for k in range(g.h.n_stack):
            if g.stack[k].row == g.frame[i].obj_row:
                n += (g.stack[k].flags & SF_AT_ONCE) != 0
                break
    return n


cdef void follow(Game *g, int ability, uint16_t source_row, uint32_t source_id, uint16_t defn, int controller,
                 uint16_t row, uint32_t id, uint16_t row2, uint32_t id2, int player, int amount) noexcept nogil:
    cdef Trigger *t = new_trigger(g)
    if t == NULL:
        return
    t.ability = <uint16_t>ability
    t.defn = defn
    t.source_row = source_row
    t.source_id = source_id
    t.controller = <uint8_t>controller
    t.object_row = row
    t.object_id = id
    t.other_row = row2
    t.other_id = id2
    t.player = <uint8_t>player
    t.amount = <int16_t>max(-30000, min(30000, amount))
    t.level = <uint8_t>(1 + depth_at_once(g))
    g.h.following += 1


cdef Trigger take_trigger(Game *g, int k) noexcept nogil:
    cdef Trigger taken = g.trigger[k]
    cdef uint32_t i
    if taken.level:
        g.h.following -= 1
    for i in range(<uint32_t>k, g.h.n_triggers - 1):
        g.trigger[i] = g.trigger[i + 1]
    g.h.n_triggers -= 1
    memset(&g.trigger[g.h.n_triggers], 0, sizeof(Trigger))
    return taken


cdef bint passes_ref(Game *g, const Ctx *c, int filter, uint16_t row, uint32_t id) noexcept nogil:
    """The event's object passes, as it is or last was."""
    cdef Facts f
    if filter < 0:
        return True
    if id == 0:
        return False
    if is_live(g, row, id):
        return passes(g, c, filter, row)
    return read_facts(g, row, id, P_LIVE_THEN_LKI, &f) and passes_facts(g, c, filter, &f)


cdef bint fits(Game *g, const Ability *a, const Happening *e, const Ctx *c) noexcept nogil:
    """The event is what the ability waits for (CR 603.2), its intervening "if" included (603.4)."""
    if a.zone_from and not a.zone_from >> e.zone_from & 1:
        return False
    if a.zone_to and not a.zone_to >> e.zone_to & 1:
        return False
    if a.event == EV_STEP and e.amount != a.step:
        return False
    if ((a.event == EV_COUNTERS_PUT or a.event == EV_COUNTERS_REMOVED or a.event == EV_ACTION)
            and e.flags != a.step):
        return False
    if a.event >= EV_PLAYER_COUNTERS:
        if (a.event == EV_PLAYER_COUNTERS or a.event == EV_ROOM) and e.flags != a.step:
            return False
        if a.event == EV_DAY and a.step and e.flags != a.step:
            return False
        if a.event == EV_TITLE and e.flags != a.amount:
            return False
    if a.event == EV_DAMAGE:
        if (a.filter < 0) != ((e.flags & DF_TOTAL) != 0):
            return False  # "is dealt damage" is one event, whatever the number of sources (CR 603.2c)
        if (a.filter >= 0 and a.other < 0 and a.player < 0
                and not a.flags & (TF_TO_PLAYER | TF_TO_OBJECT)) != ((e.flags & DF_TOTAL_BY) != 0):
            return False  # so is "deals damage", whatever the number of those that are dealt it
        if (a.flags & TF_COMBAT and not e.flags & DF_COMBAT) or (a.flags & TF_NONCOMBAT and e.flags & DF_COMBAT):
            return False
        if (a.flags & TF_TO_PLAYER and e.id2) or (a.flags & TF_TO_OBJECT and not e.id2):
            return False
    if a.event == EV_BLOCKS and e.amount > 1 and a.other < 0:
        return False  # CR 509.3a: once, however many it blocks
    if a.flags & TF_ALONE and e.amount != 1:
        return False
    if a.player >= 0 and (e.player == NO_PLAYER or not passes_player(g, c, a.player, e.player)):
        return False
    if not passes_ref(g, c, a.filter, e.row, e.id) or not passes_ref(g, c, a.other, e.row2, e.id2):
        return False
    return holds(g, c, a.condition)


cdef bint used_up(Game *g, uint16_t row, int ability) noexcept nogil:
    """It triggers only once each turn and has done so; else notes that it has now."""
    cdef int k = entry_next(g, g.extra[row], RK_USED, 0)
    while k >= 0:
        if chunk_refs(g, g.extra[row])[k].row == ability:
            return True
        k = entry_next(g, g.extra[row], RK_USED, k + 1)
    extra_add(g, row, RK_USED, 0, <uint16_t>ability, 0)
    g.h.once = 1
    return False


cdef int x_known(const Game *g, uint16_t row, const Happening *e) noexcept nogil:
    """X of the spell, for what triggers on casting it or as the permanent enters (CR 107.3i, 107.3m); else 0."""
    if g.zone[row] == Z_STACK or ((e.kind == EV_ENTERS or e.kind == EV_TURNED_UP) and e.id == g.id[row]):
        return x_of(g, row)
    return 0


cdef inline int his(const Game *g, uint16_t row, const Happening *e) noexcept nogil:
    """Who controls abilities of an object that the event triggers: who has lost control of it, did before (603.10d)."""
    return e.player if e.kind == EV_LOSES_CONTROL and e.id == g.id[row] else g.controller[row]


cdef bint joined(Game *g, const Ability *a, int ability, uint16_t row, const Happening *e) noexcept nogil:
    """It has triggered on another object of this event, and counts this one to it (CR 603.2c)."""
    cdef uint32_t i
    cdef bint found = False
    for i in range(e.first, g.h.n_triggers):
        if g.trigger[i].ability == ability and g.trigger[i].source_id == g.id[row]:
            g.trigger[i].amount += <int16_t>(g.power[e.row] if a.flags & TF_TOTAL_POWER else 1)
            found = True
    return found


cdef void ask(Game *g, uint16_t row, const Happening *e, const int *again) noexcept nogil:
    """Which abilities of one object the event triggers; `again`: how many more times those of each player do."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef bint begun = False
    cdef int k, times, amount
    cdef int player = his(g, row, e)
    cdef int n = abilities_of(g, row, list)
    for k in range(n):
        a = ability_of(g, list[k])
        if (a.kind != AB_TRIGGERED or a.event != e.kind or not a.zones >> g.zone[row] & 1
                or a.flags & (TF_MANA | TF_AGAIN)):  # (the one doesn't wait: CR 605.4a)
            continue
        if not begun:
            plain_context(g, row, g.id[row], player, &c)
            event_of(&c, e)
            begun = True
        if not fits(g, a, e, &c) or (a.flags & TF_ONCE and used_up(g, row, list[k])):
            continue
        amount = e.amount
        if a.flags & TF_TOGETHER:
            if joined(g, a, list[k], row, e):
                continue
            amount = g.power[e.row] if a.flags & TF_TOTAL_POWER else 1
        times = chapters_reached(g, a, e) if a.flags & TF_CHAPTER else 1
        if again != NULL and g.zone[row] == Z_BATTLEFIELD and not a.flags & TF_ONCE:
            times *= 1 + again[player]
        for _ in range(times):
            trigger_add(g, list[k], g.defn[row], row, g.id[row], player, e.row, e.id, e.row2, e.id2,
                        e.player, amount, x_known(g, row, e))


cdef bint count_again(Game *g, const uint16_t *rows, int n, const Happening *e, int *again) noexcept nogil:
    """CR 603.2d: how many more times what the event triggers of each player's permanents does so, if at all."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int i, k, m
    cdef bint any = False
    for i in range(8):
        again[i] = 0
    for i in range(n):
        m = abilities_of(g, rows[i], list)
        for k in range(m):
            a = ability_of(g, list[k])
            if (a.kind != AB_TRIGGERED or a.event != e.kind or not a.flags & TF_AGAIN
                    or not a.zones >> g.zone[rows[i]] & 1):
                continue
            plain_context(g, rows[i], g.id[rows[i]], g.controller[rows[i]], &c)
            event_of(&c, e)
            if fits(g, a, e, &c):
                again[g.controller[rows[i]]] += 1
                any = True
    return any


cdef int chapters_reached(const Game *g, const Ability *a, const Happening *e) noexcept nogil:
    """How many of a chapter ability's chapters the lore counters that were put reach (CR 714.2b-c)."""
    cdef int now = counters_on(g, e.row, e.flags)
    cdef int n = 0
    cdef int k
    for k in range(max(0, now - e.amount), min(now, 16)):
        n += a.amount >> k & 1
    return n


cdef void tell(Game *g, const Happening *e) noexcept nogil:
    """Ask all objects that listen, in timestamp order."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint64_t bits
    cdef uint64_t kind = <uint64_t>1 << e.kind
    cdef const Face *f
    cdef uint32_t w
    cdef uint16_t row
    cdef int n = 0
    cdef int k
    cdef int again[8]
    cdef bint more
    for w in range(g.lay.words):
        bits = g.b_listen[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if not rare(g.oflags[row] & OF_OWN_ABILITIES):
                f = face_of(g, g.defn[row])
                if not f.listens & kind or (row != e.row and f.listens_own & kind):
                    continue
            if rare(g.status[row] & ST_PHASED_OUT):
                continue  # CR 702.26e
            k = n
            while k > 0 and g.timestamp[rows[k - 1]] > g.timestamp[row]:
                rows[k] = rows[k - 1]
                k -= 1
            rows[k] = row
            n += 1
    more = rare(g.cards.again) and count_again(g, rows, n, e, again)
    for k in range(n):
        ask(g, rows[k], e, again if more else NULL)
    if g.h.shields >> EK_DELAYED & 1:
        ask_delayed(g, e)


cdef void event_of(Ctx *c, const Happening *e) noexcept nogil:
    """The event stands in the context of whoever asks about it."""
    c.event_row = e.row
    c.event_id = e.id
    c.other_row = e.row2
    c.other_id = e.id2
    c.player = <uint8_t>e.player
    c.amount = <int16_t>max(-30000, min(30000, e.amount))


cdef void ask_delayed(Game *g, const Happening *e) noexcept nogil:
    """Delayed abilities that wait for an event (CR 603.7): once, or each time. `it` is what they are about.

    One that has triggered is spent (`n`); its entry goes with the turn.
    """
    cdef Effect *d
    cdef const Ability *a
    cdef Ctx c
    cdef uint32_t i
    for i in range(g.h.n_effects):
        d = &g.effect[i]
        if d.kind != EK_DELAYED or d.n:
            continue
        a = ability_of(g, d.what)
        if a.event != e.kind or a.flags & TF_MANA:
            continue
        plain_context(g, d.source_row, d.source_id, d.player, &c)
        c.it_row = d.affected_row
        c.it_id = d.affected_id
        event_of(&c, e)
        if not fits(g, a, e, &c):
            continue
        if not a.flags & TF_EACH_TIME:
            d.n = 1
        trigger_add(g, d.what, <uint16_t>d.y, d.source_row, d.source_id, d.player, e.row, e.id, e.row2, e.id2,
                    e.player, e.amount, d.x)


cdef bint pending(const Game *g, int ability, uint32_t source_id) noexcept nogil:
    """An ability of this source has triggered and has not left the stack (CR 603.8)."""
    cdef uint32_t i
    for i in range(g.h.n_triggers):
        if g.trigger[i].ability == ability and g.trigger[i].source_id == source_id:
            return True
    for i in range(g.h.n_stack):
        if g.stack[i].ability == ability and g.stack[i].source_id == source_id:
            return True
    return False


cdef void look_at_states(Game *g) noexcept nogil:
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef int k, n
    while row:
        if has_bit(g.b_listen, row) and not g.status[row] & ST_PHASED_OUT:
            n = abilities_of(g, row, list)
            for k in range(n):
                a = ability_of(g, list[k])
                if a.kind != AB_TRIGGERED or a.event != EV_STATE or pending(g, list[k], g.id[row]):
                    continue
                plain_context(g, row, g.id[row], g.controller[row], &c)
                if holds(g, &c, a.condition):
                    trigger_add(g, list[k], g.defn[row], row, g.id[row], g.controller[row], row, g.id[row], 0, 0,
                                NO_PLAYER, 0, 0)
        row = g.znext[row]


cdef void happened(Game *g, int kind, uint16_t row, uint32_t id, uint16_t row2, uint32_t id2, int player, int amount,
                   int flags) noexcept nogil:
    cdef Happening e
    e.kind = kind
    e.row = row
    e.id = id
    e.row2 = row2
    e.id2 = id2
    e.player = player
    e.amount = amount
    e.flags = flags
    e.first = g.h.n_triggers
    e.zone_from = 0
    e.zone_to = 0
    tell(g, &e)


cdef void lost_control(Game *g, uint16_t row, int player) noexcept nogil:
    happened(g, EV_LOSES_CONTROL, row, g.id[row], 0, 0, player, 0, 0)


cdef inline bint looks_back(int zone_from, int zone_to) noexcept nogil:
    """CR 603.10a: leaving the battlefield or a graveyard, and public objects put into a hand or library."""
    return (zone_from == Z_BATTLEFIELD or zone_from == Z_GRAVEYARD
            or (HIDDEN_ZONES >> zone_to & 1 and not HIDDEN_ZONES >> zone_from & 1))


cdef void zone_event(Game *g, uint16_t row, uint32_t id, int zone_from, int zone_to, int player,
                     uint32_t first) noexcept nogil:
    cdef Happening e
    e.kind = EV_LEAVES if zone_from == Z_BATTLEFIELD else EV_MOVES
    if not heard(g, e.kind):
        return
    e.row = row
    e.id = id
    e.row2 = 0
    e.id2 = 0
    e.player = player
    e.amount = 0
    e.flags = 0
    e.first = first
    e.zone_from = zone_from
    e.zone_to = zone_to
    tell(g, &e)


cdef void put_event(Game *g, int kind, uint16_t row, int zone_from, int zone_to, int player) noexcept nogil:
    """Put into a zone, or onto the battlefield, from anywhere: no ability that looks back (CR 603.6a, 603.6c)."""
    cdef Happening e
    e.kind = kind
    e.row = row
    e.id = g.id[row]
    e.row2 = 0
    e.id2 = 0
    e.player = player
    e.amount = 0
    e.flags = 0
    e.first = g.h.n_triggers
    e.zone_from = zone_from
    e.zone_to = zone_to
    tell(g, &e)


cdef void look_back(Game *g, const uint16_t *rows, const uint8_t *to, int n) noexcept nogil:
    cdef int i
    cdef uint16_t row
    cdef uint32_t first = g.h.n_triggers
    if not g.h.listening & (<uint64_t>1 << EV_LEAVES | <uint64_t>1 << EV_MOVES | <uint64_t>1 << EV_LOSES_CONTROL):
        return
    for i in range(n):
        row = rows[i]
        if g.zone[row] == Z_BATTLEFIELD and heard(g, EV_LOSES_CONTROL):
            lost_control(g, row, g.controller[row])
        if to[i] == Z_NONE and g.zone[row] != Z_BATTLEFIELD:
            continue  # ceasing to exist is no change of zones (CR 111.7)
        if looks_back(g.zone[row], to[i]):
            zone_event(g, row, g.id[row], g.zone[row], to[i], g.controller[row], first)
    if g.h.n_triggers != first:
        trace(g, TR_ANSWER, P_LOOK_BACK, 0, g.h.n_triggers - first, 0, 0)


cdef void moved(Game *g, uint16_t row, uint32_t was, int zone_from, int zone_to) noexcept nogil:
    if zone_to == Z_BATTLEFIELD and heard(g, EV_ENTERS):
        put_event(g, EV_ENTERS, row, zone_from, zone_to, g.controller[row])
    if heard(g, EV_MOVES) and not looks_back(zone_from, zone_to):
        zone_event(g, row, was, zone_from, zone_to, g.owner[row], g.h.n_triggers)
    if heard(g, EV_PUT):
        put_event(g, EV_PUT, row, zone_from, zone_to, g.owner[row])
