"""Triggered abilities: which of them an event triggers, and the list of those that wait (CR 603.2, 603.3, 603.10).

An ability triggers when its event, zones, filters and intervening "if" (603.4) fit. It then waits in `g.trigger` until
a player would receive priority. Canonical order: by event, then by the timestamp of the source, then printed order;
never by row.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, entry_next, extra_add
from lkicore._arena cimport chunk_refs
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx, Facts, holds, passes, passes_facts, passes_player, plain_context, read_facts
from lkicore._game cimport NO_PLAYER
from lkicore._guard cimport ctz64, on_stack, rare
from lkicore._layout cimport Game, Trigger
from lkicore._opcodes cimport *
from lkicore._store cimport HIDDEN_ZONES, is_live, need_room, trace
from lkicore._types cimport Ability, Face

cdef void trigger_add(Game *g, int ability, uint16_t defn, uint16_t source_row, uint32_t source_id, int controller,
                      uint16_t row, uint32_t id, uint16_t row2, uint32_t id2, int player, int amount,
                      int x) noexcept nogil:
    cdef Trigger *t
    if g.h.n_triggers == g.lay.triggers:
        need_room(g)
        return
    t = &g.trigger[g.h.n_triggers]
    g.h.n_triggers += 1
    memset(t, 0, sizeof(Trigger))
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


cdef Trigger take_trigger(Game *g, int k) noexcept nogil:
    cdef Trigger taken = g.trigger[k]
    cdef uint32_t i
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
    if (a.event == EV_COUNTERS_PUT or a.event == EV_COUNTERS_REMOVED) and e.flags != a.step:
        return False
    if a.event == EV_DAMAGE:
        if (a.filter < 0) != ((e.flags & DF_TOTAL) != 0):
            return False  # "is dealt damage" is one event, whatever the number of sources (CR 603.2c)
        if (a.flags & TF_COMBAT and not e.flags & DF_COMBAT) or (a.flags & TF_NONCOMBAT and e.flags & DF_COMBAT):
            return False
        if (a.flags & TF_TO_PLAYER and e.id2) or (a.flags & TF_TO_OBJECT and not e.id2):
            return False
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


cdef void ask(Game *g, uint16_t row, const Happening *e) noexcept nogil:
    """Which abilities of one object the event triggers."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef bint begun = False
    cdef int k
    cdef int n = abilities_of(g, row, list)
    for k in range(n):
        a = ability_of(g, list[k])
        if a.kind != AB_TRIGGERED or a.event != e.kind or not a.zones >> g.zone[row] & 1:
            continue
        if not begun:
            plain_context(g, row, g.id[row], g.controller[row], &c)
            c.event_row = e.row
            c.event_id = e.id
            c.other_row = e.row2
            c.other_id = e.id2
            c.player = <uint8_t>e.player
            c.amount = <int16_t>max(-30000, min(30000, e.amount))
            begun = True
        if not fits(g, a, e, &c) or (a.flags & TF_ONCE and used_up(g, row, list[k])):
            continue
        trigger_add(g, list[k], g.defn[row], row, g.id[row], g.controller[row], e.row, e.id, e.row2, e.id2, e.player,
                    e.amount, 0)


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
    for k in range(n):
        ask(g, rows[k], e)


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
    e.zone_from = 0
    e.zone_to = 0
    tell(g, &e)


cdef inline bint looks_back(int zone_from, int zone_to) noexcept nogil:
    """CR 603.10a: leaving the battlefield or a graveyard, and public objects put into a hand or library."""
    return (zone_from == Z_BATTLEFIELD or zone_from == Z_GRAVEYARD
            or (HIDDEN_ZONES >> zone_to & 1 and not HIDDEN_ZONES >> zone_from & 1))


cdef void zone_event(Game *g, uint16_t row, uint32_t id, int zone_from, int zone_to, int player) noexcept nogil:
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
    e.zone_from = zone_from
    e.zone_to = zone_to
    tell(g, &e)


cdef void look_back(Game *g, const uint16_t *rows, const uint8_t *to, int n) noexcept nogil:
    cdef int i
    cdef uint16_t row
    if not g.h.listening & (<uint64_t>1 << EV_LEAVES | <uint64_t>1 << EV_MOVES):
        return
    for i in range(n):
        row = rows[i]
        if to[i] == Z_NONE and g.zone[row] != Z_BATTLEFIELD:
            continue  # ceasing to exist is no change of zones (CR 111.7)
        if looks_back(g.zone[row], to[i]):
            zone_event(g, row, g.id[row], g.zone[row], to[i], g.controller[row])


cdef void moved(Game *g, uint16_t row, uint32_t was, int zone_from, int zone_to) noexcept nogil:
    if zone_to == Z_BATTLEFIELD and heard(g, EV_ENTERS):
        happened(g, EV_ENTERS, row, g.id[row], 0, 0, g.controller[row], 0, 0)
    if heard(g, EV_MOVES) and not looks_back(zone_from, zone_to):
        zone_event(g, row, was, zone_from, zone_to, g.owner[row])
