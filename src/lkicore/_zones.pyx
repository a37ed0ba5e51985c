"""Zone changes, tokens, drawing, shuffling, tapping, counters.

Order of an event (`move_all`): replacements (CR 614), look-back triggers are matched (603.10), every object that leaves
is recorded, all move, what enters is modified (614.1c), further triggers.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport extra_add
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._casting cimport Manner, manner_of, remember_cast
from lkicore._attach cimport attach, attach_to_player, attachments_leave, drop_homeless, has_host, host_player
from lkicore._defs cimport face_of
from lkicore._departures cimport begin_departures, begin_event, record
from lkicore._entries cimport entry_of, entry_remove, keep_targets
from lkicore._game cimport event_done, push_frame
from lkicore._guard cimport apart, on_stack, rare
from lkicore._guise cimport is_face_down_form
from lkicore._hidden cimport HIDDEN, made_as
from lkicore._history cimport log_event
from lkicore._instead cimport counters_at_once
from lkicore._layers cimport (changed, count_actor, dirty, effects_follow, effects_leave, index_object, permits_leave,
                              reset_values, set_kind_bits, settle)
from lkicore._layout cimport Frame, Game
from lkicore._lki cimport NO_SLOT, lki_find
from lkicore._mana cimport mana_count, mana_update
from lkicore._opcodes cimport *
from lkicore._replace cimport asks_as_enters, asks_elsewhere, enters_modified, goes_elsewhere, zone_instead
from lkicore._status cimport leave_combat, put_counters
from lkicore._store cimport (HIDDEN_ZONES, clear_bit, ctrl_set, free_row, has_bit, link_head, link_tail, look_at,
                             new_id, new_timestamp, set_bit, take_row, touched, trace, unlink, zone_first, zone_list)
from lkicore._triggers cimport happened, heard, look_back, moved
from lkicore._types cimport (ENTERS_COPY, FACE_AURA, FACE_ENTERS, FACE_MADNESS, FACE_PLAIN, FACE_INSTANT_SPEED,
                             FACE_STATIC, Face, NONE16)

cdef enum:
    EVERYONE = 0xFF


cdef inline bint in_index(const Game *g, uint16_t row) noexcept nogil:
    """The object has abilities that the engine finds by index: triggers, static ones, replacements."""
    cdef const Face *f = face_of(g, g.defn[row])
    return not f.flags & FACE_PLAIN or rare(g.oflags[row] & OF_OWN_ABILITIES)


cdef void leave_battlefield(Game *g, uint16_t row) noexcept nogil:
    if g.zone[row] == Z_BATTLEFIELD:
        log_event(g, H_LEFT, g.controller[row], row, g.id[row], 0, 0, 0)
    if g.mana_in[row]:
        mana_count(g, row, 0)
    if g.h.n_attached:
        attachments_leave(g, row)
    if in_index(g, row):
        index_object(g, row, False)
    g.oflags[row] &= <uint8_t>~<int>(OF_OWN_ABILITIES | OF_OWN_SUBTYPES | OF_HOST)
    clear_bit(ctrl_set(g, g.controller[row]), row)
    if has_bit(g.b_creature, row):
        clear_bit(g.b_creature, row)
        g.h.fighters_old = 1
    if has_bit(g.b_acts, row):
        clear_bit(g.b_acts, row)
        g.p_actors[g.controller[row]] -= 1
        g.h.n_instants -= 1
    clear_bit(g.b_untapped, row)
    clear_bit(g.b_sick, row)
    clear_bit(g.b_sba, row)
    if g.h.n_effects:
        effects_leave(g, row)
    if g.attacks[row] or g.combat[row]:
        leave_combat(g, row)
    changed(g, RD_BOARD | RD_ORDER)
    clear_bit(g.b_dirty, row)
    g.damage[row] = 0
    g.c_p1p1[row] = 0
    g.c_m1m1[row] = 0
    g.c_loyalty[row] = 0
    g.c_charge[row] = 0
    g.attached_row[row] = 0
    g.attached_id[row] = 0
    if g.card[row] != NONE16:
        g.defn[row] = g.pc_face[g.card[row]]  # what it became or was turned to is over (CR 400.7, 708.9, 712.8a)
    if g.oflags[row] & OF_TOKEN:
        g.defn[row] = made_as(g, row)
        g.h.n_tokens += 1
        g.h.sba |= SBA_TOKENS
    reset_values(g, row)


cdef void leave_reach(Game *g, uint16_t row, int zone_to) noexcept nogil:
    """What applied to the object outside the battlefield doesn't follow it; what applied to a spell follows it onto the
    battlefield (CR 400.7, 400.7a)."""
    g.oflags[row] &= <uint8_t>~<int>(OF_OWN_ABILITIES | OF_OWN_SUBTYPES)
    clear_bit(g.b_dirty, row)
    if g.n_effects[row] and not (g.zone[row] == Z_STACK and zone_to == Z_BATTLEFIELD):
        effects_leave(g, row)
    reset_values(g, row)


cdef void join_elsewhere(Game *g, uint16_t row, const Face *f) noexcept nogil:
    """Abilities that work where the object is now, outside the battlefield (CR 113.6)."""
    if f.index_zones >> g.zone[row] & 1:
        index_object(g, row, True)
    if f.act_zones >> g.zone[row] & 1:
        count_actor(g, row, True)


cdef inline void join_battlefield(Game *g, uint16_t row, int controller, bint tapped) noexcept nogil:
    """What the battlefield knows about a permanent; its row is linked already."""
    cdef const Face *f = face_of(g, g.defn[row])
    g.controller[row] = <uint8_t>controller
    g.base_ctrl[row] = <uint8_t>controller
    g.status[row] = <uint8_t>(g.status[row] & ST_FACE_DOWN | ST_SICK | ST_NEW | (ST_TAPPED if tapped else 0))
    set_bit(ctrl_set(g, controller), row)
    if not tapped:
        set_bit(g.b_untapped, row)
    set_bit(g.b_sick, row)
    set_kind_bits(g, row)
    if in_index(g, row):
        index_object(g, row, True)
    if g.h.n_static or f.flags & FACE_STATIC or g.n_effects[row]:
        dirty(g, row)
    if f.flags & FACE_AURA or f.hosts or (g.types[row] & T_CREATURE and g.toughness[row] <= 0):
        look_at(g, row)
    if g.types[row] & (T_LEGENDARY | T_WORLD | T_PLANESWALKER | T_BATTLE):
        look_at(g, row)
        if g.types[row] & (T_PLANESWALKER | T_BATTLE):
            g.h.walkers = 1
    if g.mana[row]:
        mana_update(g, row)
    if g.keywords[row] & (K_PHASING | K_MAY_STAY_TAPPED):
        g.h.phasing |= UF_PHASING if g.keywords[row] & K_PHASING else UF_STAYS
    if not g.types[row] & T_CREATURE:
        # CR 208.3: a permanent that is no creature has no size, though a Vehicle has one printed.
        g.power[row] = 0
        g.toughness[row] = 0
    changed(g, RD_BOARD)


cdef inline bint enters_otherwise(const Game *g, uint16_t row) noexcept nogil:
    """Some replacement says how it enters (CR 614.1c-d)."""
    return (g.h.replaces & 1 << RP_ENTERS or face_of(g, g.defn[row]).flags & FACE_ENTERS
            or g.types[row] & T_PLANESWALKER or rare(g.h.with_n))


cdef inline bint oddly(const Game *g, uint16_t row) noexcept nogil:
    """It may enter, or be seen, otherwise than as a card with its front face up."""
    return g.status[row] & (ST_FACE_DOWN | ST_FLIPPED) or g.h.day == 2


cdef inline void move_recorded(Game *g, uint16_t row, int zone, int slot, int zone_to, int where, int controller,
                               bint tapped, bint odd) noexcept nogil:
    """Move a recorded object: it becomes a new one (CR 400.7). Nothing triggers here.

    `zone` is the one that it leaves, `slot` that of its row, -1 to be found. `odd` is a constant where this is called:
    `oddly` may hold.
    """
    cdef int owner = g.owner[row]
    cdef uint32_t old = g.id[row]
    cdef uint32_t became = new_id(g)
    cdef bint instant = False
    # Face down in exile, it keeps its definition, and enters face up.
    cdef bint down = (odd and zone != Z_BATTLEFIELD and g.status[row] & ST_FACE_DOWN
                      and is_face_down_form(g, g.defn[row]))
    cdef bint secret = odd and zone == Z_EXILE and g.status[row] & ST_FACE_DOWN
    cdef const Face *f = face_of(g, g.defn[row])
    # CR 702.145: with daybound it enters with its back face up while it is night.
    cdef bint turned = odd and zone != Z_BATTLEFIELD and (g.status[row] & ST_FLIPPED or (
        g.h.day == 2 and zone_to == Z_BATTLEFIELD and f.keywords & K_DAYBOUND and f.other != NONE16))
    cdef bint plain = (f.flags & FACE_PLAIN) != 0
    cdef int reach
    unlink(g, zone_list(g, zone, owner), row)
    if zone == Z_BATTLEFIELD:
        leave_battlefield(g, row)
        f = face_of(g, g.defn[row])
        plain = (f.flags & FACE_PLAIN) != 0
    else:
        reach = g.h.reach  # before an ability of its own reaches no further
        if in_index(g, row) and (f.index_zones >> zone & 1 or g.oflags[row] & OF_OWN_ABILITIES):
            index_object(g, row, False)
        if reach or (g.h.n_effects and g.n_effects[row]):
            leave_reach(g, row, zone_to)
        if has_bit(g.b_acts, row):
            count_actor(g, row, False)
        if g.card[row] != NONE16 and zone_to != Z_BATTLEFIELD and (zone == Z_STACK or down):
            if g.defn[row] != g.pc_face[g.card[row]]:
                g.defn[row] = g.pc_face[g.card[row]]  # CR 709.4, 712.8a, 715.4
                f = face_of(g, g.defn[row])
                plain = (f.flags & FACE_PLAIN) != 0
                reset_values(g, row)
    if zone == Z_HAND or zone_to == Z_HAND:
        instant = (f.flags & FACE_INSTANT_SPEED) != 0
        changed(g, RD_HAND)
    if g.h.shields >> EK_PERMIT & 1:
        permits_leave(g, row)
    if g.h.wakes:
        if zone == Z_EXILE or zone_to == Z_EXILE:
            changed(g, RD_EXILE)
        if zone == Z_GRAVEYARD or zone_to == Z_GRAVEYARD:
            changed(g, RD_GRAVEYARD)
    if g.h.bits_dirty and zone == Z_BATTLEFIELD:
        clear_bit(g.b_dirty, row)  # it was still the host of what looks at that
    g.status[row] = ST_FACE_DOWN if down and zone_to == Z_BATTLEFIELD else 0
    if instant and zone == Z_HAND:
        g.p_instants[owner] -= 1
        g.h.n_instants -= 1
    if slot < 0:
        slot = g.pc_lki[g.card[row]] if g.card[row] != NONE16 else lki_find(g, old)
        if slot != NO_SLOT and g.lki[slot].id != old:
            slot = NO_SLOT
    if slot != NO_SLOT:
        g.lki[slot].became = became
    g.id[row] = became
    g.timestamp[row] = new_timestamp(g)  # CR 613.7d
    g.zone[row] = <uint8_t>zone_to
    if zone_to == Z_HAND:
        if instant:
            g.p_instants[owner] += 1
            g.h.n_instants += 1
        # Whoever knew the card still does; everybody saw one that comes from a public zone.
        if (HIDDEN_ZONES >> zone) & 1 or secret:
            g.known_to[row] |= <uint8_t>(1 << owner)
        else:
            g.known_to[row] = EVERYONE
    elif zone_to == Z_LIBRARY:
        if not (HIDDEN_ZONES >> zone) & 1 and not secret:
            g.known_to[row] = EVERYONE
    elif not down or zone_to != Z_BATTLEFIELD:
        g.known_to[row] = EVERYONE  # CR 708.9: what was face down is shown
    elif zone == Z_GRAVEYARD or (zone == Z_EXILE and not secret):
        g.known_to[row] = EVERYONE
    if where == TO_TOP:
        link_head(g, zone_list(g, zone_to, owner), row)
    else:
        link_tail(g, zone_list(g, zone_to, owner), row)
    touched(g)
    trace(g, TR_MOVE, owner, g.defn[row], zone, zone_to, became)
    if g.h.n_effects and g.n_effects[row]:
        effects_follow(g, row, old)
    if zone_to == Z_BATTLEFIELD:
        if controller < 0:
            controller = g.controller[row] if zone == Z_STACK else owner
        if zone == Z_STACK and slot != NO_SLOT and (
                g.lki[slot].x or g.lki[slot].extra or (g.cards.asks_cast and f.n_abilities)):
            remember_cast(g, row, <uint16_t>slot)
        if turned and not f.back:
            g.defn[row] = f.other  # CR 712.14a
            reset_values(g, row)
        if down:
            g.known_to[row] |= <uint8_t>(1 << controller)  # CR 708.5
            if g.card[row] != NONE16:
                extra_add(g, row, RK_BASE, 0, g.pc_face[g.card[row]], 0)
            extra_add(g, row, RK_BASE, 0, g.defn[row], HIDDEN)
        join_battlefield(g, row, controller, tapped)
        if turned:
            g.status[row] |= ST_FLIPPED
        log_event(g, H_ENTERED, controller, row, became, 0, 0, 0)
    else:
        g.controller[row] = <uint8_t>owner
        if g.oflags[row] & OF_COMMANDER and (zone_to == Z_GRAVEYARD or zone_to == Z_EXILE):
            g.pc_flags[g.card[row]] |= CF_MOVED
            g.h.sba |= SBA_COMMANDERS
        if not plain:
            join_elsewhere(g, row, f)
        if rare(g.h.reach >> zone_to & 1):
            dirty(g, row)


cdef apart change(Game *g, uint16_t row, int zone_to, int where, int controller, bint tapped) noexcept nogil:
    move_recorded(g, row, g.zone[row], -1, zone_to, where, controller, tapped, True)


cdef inline void move_simply(Game *g, uint16_t row, int zone, uint16_t slot, int zone_to) noexcept nogil:
    """What `move_recorded` comes to, to the end of a zone, where `unnoticed` holds and the battlefield is not left.

    The zones are constants where this is called. `slot`: that of its row.
    """
    cdef int owner = g.owner[row]
    cdef uint32_t became
    cdef const Face *f = face_of(g, g.defn[row])
    if rare(g.h.reach | g.h.n_effects or g.h.wakes) or (zone_to == Z_BATTLEFIELD and rare(g.h.day == 2)):
        change(g, row, zone_to, TO_END, -1, False)
        return
    became = new_id(g)
    unlink(g, zone_list(g, zone, owner), row)
    if not f.flags & FACE_PLAIN:
        if f.index_zones >> zone & 1:
            index_object(g, row, False)
        if has_bit(g.b_acts, row):
            count_actor(g, row, False)
    if f.flags & FACE_INSTANT_SPEED and (zone == Z_HAND) != (zone_to == Z_HAND):
        g.p_instants[owner] += 1 if zone_to == Z_HAND else -1
        g.h.n_instants += 1 if zone_to == Z_HAND else -1
    g.lki[slot].became = became
    g.id[row] = became
    g.timestamp[row] = new_timestamp(g)
    g.zone[row] = <uint8_t>zone_to
    g.status[row] = 0
    if zone_to != Z_HAND or not HIDDEN_ZONES >> zone & 1:
        g.known_to[row] = EVERYONE
    else:
        g.known_to[row] |= <uint8_t>(1 << owner)
    link_tail(g, zone_list(g, zone_to, owner), row)
    touched(g)
    trace(g, TR_MOVE, owner, g.defn[row], zone, zone_to, became)
    if zone_to == Z_BATTLEFIELD:
        if zone == Z_STACK:
            owner = g.controller[row]
            if g.lki[slot].x or g.lki[slot].extra or (g.cards.asks_cast and f.n_abilities):
                remember_cast(g, row, slot)
        join_battlefield(g, row, owner, False)
        log_event(g, H_ENTERED, owner, row, became, 0, 0, 0)
    else:
        g.controller[row] = <uint8_t>owner
        if not f.flags & FACE_PLAIN:
            join_elsewhere(g, row, f)


cdef void change_zone(Game *g, uint16_t row, int zone_to, int where) noexcept nogil:
    change(g, row, zone_to, where, -1, False)


cdef void log_departure(Game *g, uint16_t row, int zone_to) noexcept nogil:
    if zone_to == Z_GRAVEYARD:
        if g.zone[row] == Z_BATTLEFIELD and g.types[row] & T_CREATURE:
            log_event(g, H_DIED, g.controller[row], row, g.id[row], 0, 0, 0)
        log_event(g, H_GRAVEYARD, g.owner[row], row, g.id[row], 0, 0, 0)


cdef inline bint unnoticed(const Game *g, uint16_t row, int zone, int zone_to) noexcept nogil:
    """Nothing can replace the move of this object out of its zone, trigger on it or modify it."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef uint64_t kinds
    if rare(g.oflags[row] & (OF_OWN_ABILITIES | OF_COMMANDER)) or (
            g.h.replaces | g.h.shields | g.h.rule_counters | g.h.with_n):
        return False
    # What an object does about its own moves it does in public zones, or in those that its face tells.
    if not f.flags & FACE_PLAIN and (
            f.replaces or not ((1 << Z_LIBRARY | 1 << Z_HAND) >> zone & (1 << Z_HAND | 1 << Z_STACK) >> zone_to & 1)
            or (f.listen_zones >> zone | f.listen_zones >> zone_to) & 1):
        return False
    if zone == Z_BATTLEFIELD or zone == Z_STACK:
        # What was a copy, a half or face down, or is turned back, may be more than plain where it goes.
        if g.card[row] != NONE16 and g.pc_face[g.card[row]] != g.defn[row]:
            return False
    elif g.status[row] & (ST_FLIPPED | ST_FACE_DOWN):
        return False
    if g.h.listening == 0:
        return True
    kinds = <uint64_t>1 << EV_PUT | (
        <uint64_t>1 << EV_LEAVES if zone == Z_BATTLEFIELD else <uint64_t>1 << EV_MOVES)
    if zone_to == Z_BATTLEFIELD:
        kinds |= <uint64_t>1 << EV_ENTERS
    return g.h.listening & kinds == 0


cdef bint all_unnoticed(const Game *g, const uint16_t *rows, const uint8_t *to, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if not unnoticed(g, rows[i], g.zone[rows[i]], to[i]):
            return False
    return True


cdef bint move_all_unnoticed(Game *g, const uint16_t *rows, const uint8_t *to, int n, int where, int controller,
                             bint tapped) noexcept nogil:
    """What `move_together` comes to for objects whose moves nothing looks at."""
    cdef int i
    if n == 0:
        return True
    if not begin_departures(g, rows, n):
        return False
    for i in range(n):
        depart(g, rows[i], to[i])
    for i in range(n):
        if g.h.watch:
            log_departure(g, rows[i], to[i])
        if to[i] == Z_NONE:
            cease(g, rows[i])
        else:
            change(g, rows[i], to[i], where, controller, tapped)
    return True


cdef apart enter_otherwise(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone,
                           int n) noexcept nogil:
    """Something says how one of them enters; then what triggers."""
    cdef int i
    cdef bint asked = False
    settle(g)
    if g.h.with_n:
        for i in range(n):
            if g.zone[rows[i]] == Z_BATTLEFIELD:
                put_counters(g, rows[i], g.h.with_kind, counters_at_once(g, rows[i], g.h.with_kind, g.h.with_n))
        settle(g)
    for i in range(n):
        asked |= g.zone[rows[i]] == Z_BATTLEFIELD and asks_as_enters(g, rows[i])
    if asked:
        push_enter(g, rows, was, zone, n)
        return
    for i in range(n):
        if g.zone[rows[i]] == Z_BATTLEFIELD:
            enters_modified(g, rows[i], rows, n)
    settle(g)
    tell_entered(g, rows, was, zone, n)


cdef inline void follow_moves(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone,
                              int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if g.zone[rows[i]] == Z_BATTLEFIELD and enters_otherwise(g, rows[i]):
            enter_otherwise(g, rows, was, zone, n)
            return
    tell_each(g, rows, was, zone, n)


cdef void entered(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone, int n) noexcept nogil:
    """What follows on zone changes that have been made: how permanents enter (CR 614.1c-d), then what triggers."""
    follow_moves(g, rows, was, zone, n)


cdef void tell_entered(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone, int n) noexcept nogil:
    tell_each(g, rows, was, zone, n)


cdef inline void tell_each(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone,
                           int n) noexcept nogil:
    cdef int i
    # Something that enters may be the first that listens.
    if g.h.listening:
        for i in range(n):
            if g.h.bits_dirty and (g.zone[rows[i]] == Z_BATTLEFIELD or g.h.reach >> g.zone[rows[i]] & 1):
                settle(g)  # CR 603.6d: with continuous effects applied
            if g.zone[rows[i]] != Z_NONE:
                moved(g, rows[i], was[i], zone[i], g.zone[rows[i]])


cdef uint16_t entry_add(Game *g, uint16_t list, int kind, uint32_t id, uint16_t row, int flags) noexcept nogil:
    list = refs_add(g, list, id, row, kind)
    if list:
        chunk_refs(g, list)[chunk_len(g, list) - 1].flags = <uint8_t>flags
    return list


cdef int entering_marks(const Game *g, uint16_t row) noexcept nogil:
    cdef const Face *f = face_of(g, g.defn[row])
    if g.zone[row] != Z_BATTLEFIELD:
        return 0
    # (An Aura spell brings its host along.)
    return (EF_HOST if f.flags & FACE_AURA and not g.attached_id[row] and host_player(g, row) < 0 else 0) | (
        EF_COPY if f.choices & ENTERS_COPY else 0)


cdef void push_enter(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone, int n) noexcept nogil:
    """A frame in which players choose how objects enter: what they copy (CR 707.5), what Auras enchant (303.4f), what
    else is chosen as something enters (614.12a); `_enter` goes on with it.

    Its list holds two entries for each object: what it is now, marked with what is asked (EF_HOST …), and what it was
    (EVENT_AMOUNT 0: nothing, or nobody asks), with the zone that it left.
    """
    cdef Frame *f = push_frame(g, F_ENTER, g.h.active)
    cdef int i
    for i in range(n):
        f.list = entry_add(g, f.list, RK_OBJECT, g.id[rows[i]], rows[i], entering_marks(g, rows[i]))
        f.list = entry_add(g, f.list, RK_MOVED if was[i] else RK_EVENT_AMOUNT, was[i], rows[i] if was[i] else 0,
                           zone[i])


cdef inline bint enters_as_aura(const Game *g, uint16_t row, int zone_to) noexcept nogil:
    return zone_to == Z_BATTLEFIELD and face_of(g, g.defn[row]).flags & FACE_AURA


cdef inline uint16_t depart(Game *g, uint16_t row, int zone_to) noexcept nogil:
    """Record an object that is about to move; it loses its place on the stack. Returns the slot of its row."""
    cdef uint16_t slot
    if g.cards.copies and g.zone[row] == Z_STACK and not g.oflags[row] & OF_ABILITY:
        keep_targets(g, row)
    slot = record(g, row, zone_to)
    if g.zone[row] == Z_STACK:
        entry_remove(g, entry_of(g, row))
    return slot


cdef void attach_entering(Game *g, uint16_t row, uint16_t host) noexcept nogil:
    if host >= HOST_PLAYER:
        attach_to_player(g, row, host - HOST_PLAYER)
    elif g.zone[row] == Z_BATTLEFIELD:
        if not face_of(g, g.defn[row]).flags & FACE_AURA:
            settle(g)  # a bestowed Aura is no creature (CR 702.103d)
        attach(g, row, host)


cdef bint move_alone(Game *g, uint16_t row, int zone_to, int where, int controller, bint tapped,
                     uint16_t host) noexcept nogil:
    """The event of one zone change that something may look at: `move_together` of one object. `host`: what it becomes
    attached to as it enters, 0 nothing."""
    cdef uint8_t to = <uint8_t>zone_to
    cdef uint16_t kept
    cdef uint32_t was = 0
    cdef uint8_t zone = g.zone[row]
    cdef uint16_t slot
    settle(g)
    if host == 0 and enters_as_aura(g, row, to) and drop_homeless(g, &row, &to, &kept, 1, controller) == 0:
        return True
    if g.h.asks and asks_elsewhere(g, &row, &to, 1):
        return False
    if goes_elsewhere(g, row, to):
        to = <uint8_t>zone_instead(g, row, to, True)
    if g.h.asked:
        event_done(g)
    if not begin_departures(g, &row, 1):
        return False
    if g.h.listening:
        look_back(g, &row, &to, 1)
        was = g.id[row]
    slot = depart(g, row, to)
    log_departure(g, row, to)
    if to == Z_NONE:
        cease(g, row)
        return True
    if rare(oddly(g, row)):
        change(g, row, to, where, controller, tapped)
    else:
        move_recorded(g, row, g.zone[row], slot, to, where, controller, tapped, False)
    if host:
        attach_entering(g, row, host)
    elif to == Z_BATTLEFIELD and entering_marks(g, row):
        push_enter(g, &row, &was, &zone, 1)
        return True
    follow_moves(g, &row, &was, &zone, 1)
    return True


cdef bint move_together(Game *g, const uint16_t *rows, uint8_t *to, int n, int where, int controller,
                        bint tapped) noexcept nogil:
    """The event of several zone changes that something may look at, see `move_all`."""
    cdef uint32_t *was = <uint32_t *>on_stack(g.lay.rows * sizeof(uint32_t))
    cdef uint8_t *zone = <uint8_t *>on_stack(g.lay.rows)
    cdef uint16_t *kept = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef int i
    cdef int k = 0
    cdef bint auras = False
    cdef bint asks = False
    for i in range(n):
        auras |= enters_as_aura(g, rows[i], to[i])
    if auras:
        n = drop_homeless(g, rows, to, kept, n, controller)
        rows = kept
    if n == 0:
        return True
    if g.h.asks and asks_elsewhere(g, rows, to, n):
        return False
    for i in range(n):
        if goes_elsewhere(g, rows[i], to[i]):
            to[i] = <uint8_t>zone_instead(g, rows[i], to[i], True)
    if g.h.asked:
        event_done(g)
    if not begin_departures(g, rows, n):
        return False
    if g.h.listening:
        look_back(g, rows, to, n)
    for i in range(n):
        was[i] = g.id[rows[i]] if g.h.listening else 0
        zone[i] = g.zone[rows[i]]  # (what enters may itself ask, though nothing listened before)
        depart(g, rows[i], to[i])
    for i in range(n):
        log_departure(g, rows[i], to[i])
        if to[i] == Z_NONE:
            cease(g, rows[i])
            continue
        change(g, rows[i], to[i], where, controller, tapped)
        if to[i] == Z_BATTLEFIELD and entering_marks(g, rows[i]):
            asks = True
        kept[k] = rows[i]
        was[k] = was[i]
        zone[k] = zone[i]
        k += 1
    if asks:
        push_enter(g, kept, was, zone, k)
    else:
        follow_moves(g, kept, was, zone, k)
    return True


cdef bint move_all(Game *g, const uint16_t *rows, uint8_t *to, int n, int where, int controller,
                   bint tapped) noexcept nogil:
    settle(g)
    if all_unnoticed(g, rows, to, n):
        return move_all_unnoticed(g, rows, to, n, where, controller, tapped)
    if n == 1:
        return move_alone(g, rows[0], to[0], where, controller, tapped, 0)
    return move_together(g, rows, to, n, where, controller, tapped)


cdef inline void move_unnoticed(Game *g, uint16_t row, int zone, int zone_to) noexcept nogil:
    """The event of one zone change that nothing looks at: what `move_together` comes to. As in `move_simply`."""
    cdef uint16_t slot
    settle(g)
    if not begin_event(g, 1):
        return
    if zone == Z_STACK and g.cards.copies:
        keep_targets(g, row)
    slot = record(g, row, zone_to)
    if zone == Z_STACK:
        entry_remove(g, entry_of(g, row))
    if g.h.watch:
        log_departure(g, row, zone_to)
    move_simply(g, row, zone, slot, zone_to)


cdef inline void move_card(Game *g, uint16_t row, int zone, int zone_to) noexcept nogil:
    if unnoticed(g, row, zone, zone_to):
        move_unnoticed(g, row, zone, zone_to)
    else:
        move_alone(g, row, zone_to, TO_END, -1, False, 0)


cdef inline int left_by(const Manner *m) noexcept nogil:
    """Flags of the ways in which a spell was cast."""
    return (m.own.flags if m.own != NULL else 0) | (m.permit.flags if m.permit != NULL else 0)


cdef int zone_after_stack(const Game *g, uint16_t row, int zone_to) noexcept nogil:
    """Where it goes from the stack by what it is and how it was cast; Z_NONE: it ceases to exist."""
    cdef Manner m
    # CR 608.3f: a copy of a permanent spell becomes a token as it resolves.
    if g.oflags[row] & (OF_ABILITY | OF_COPY) and (zone_to != Z_BATTLEFIELD or g.oflags[row] & OF_ABILITY):
        return Z_NONE
    if g.extra[row]:
        manner_of(g, g.extra[row], &m)
        if zone_to != Z_BATTLEFIELD and left_by(&m) & (
                WF_EXILE | (WF_EXILE_INSTEAD if zone_to == Z_GRAVEYARD else 0)):
            return Z_EXILE  # CR 702.34a: wherever it would go, or instead of the graveyard
    if zone_to == Z_GRAVEYARD and g.stack[entry_of(g, row)].flags & SF_EXILES:
        return Z_EXILE
    return zone_to


cdef bint asks_leaving_stack(Game *g, uint16_t row, int zone_to) noexcept nogil:
    cdef uint8_t to = <uint8_t>zone_after_stack(g, row, zone_to)
    return g.h.asks != 0 and to != Z_NONE and asks_elsewhere(g, &row, &to, 1)


cdef void ceases_on_stack(Game *g, uint16_t row) noexcept nogil:
    """An ability or a copy is gone. That is no change of zones (CR 111.7): nothing triggers, nothing replaces it."""
    settle(g)
    if begin_event(g, 1):
        if g.cards.copies and not g.oflags[row] & OF_ABILITY:
            keep_targets(g, row)
        record(g, row, Z_NONE)
        entry_remove(g, entry_of(g, row))
        cease_in(g, row, Z_STACK)


cdef void leave_stack(Game *g, uint16_t row, int zone_to, uint16_t host) noexcept nogil:
    cdef int to = Z_NONE if g.oflags[row] & OF_ABILITY else zone_after_stack(g, row, zone_to)
    if to == Z_NONE:
        ceases_on_stack(g, row)
        return
    if zone_to == Z_BATTLEFIELD and g.oflags[row] & OF_COPY:
        g.oflags[row] = OF_TOKEN
    if to == Z_BATTLEFIELD and host == 0:
        move_card(g, row, Z_STACK, Z_BATTLEFIELD)
    elif to == Z_GRAVEYARD:
        move_card(g, row, Z_STACK, Z_GRAVEYARD)
    else:
        move_alone(g, row, to, TO_TOP if to == Z_LIBRARY else TO_END, -1, False, host)


cdef bint move_group(Game *g, const uint16_t *rows, int n, int zone_to, int where, int controller,
                     bint tapped) noexcept nogil:
    cdef uint8_t *to
    cdef int i
    if n == 1:
        return move_alone(g, rows[0], zone_to, where, controller, tapped, 0)
    to = <uint8_t *>on_stack(g.lay.rows)
    for i in range(n):
        to[i] = <uint8_t>zone_to
    return move_all(g, rows, to, n, where, controller, tapped)


cdef void move_one(Game *g, uint16_t row, int zone_to, int where) noexcept nogil:
    """An event in which one object changes zones. Nothing happens if the block has no room."""
    if g.zone[row] == Z_HAND and zone_to == Z_BATTLEFIELD:
        move_card(g, row, Z_HAND, Z_BATTLEFIELD)
    else:
        move_alone(g, row, zone_to, where, -1, False, 0)


# The same for the most frequent moves, for which much is known beforehand.

cdef bint draw_top(Game *g, int player) noexcept nogil:
    """A player draws the top card of the library (CR 121.1); false, and noted for 704.5b, if there is none."""
    cdef uint16_t row = zone_first(g, Z_LIBRARY, player)
    if rare(row == 0):
        g.p_empty_draw[player] = 1
        g.h.sba |= SBA_PLAYERS
        return False
    move_card(g, row, Z_LIBRARY, Z_HAND)
    if g.p_drawn[player] < 255:
        g.p_drawn[player] += 1
    log_event(g, H_DREW, player, row, g.id[row], 0, 0, 1)
    if heard(g, EV_DRAWS):
        happened(g, EV_DRAWS, row, g.id[row], 0, 0, player, g.p_drawn[player], 0)
    return True


cdef void put_on_stack(Game *g, uint16_t row) noexcept nogil:
    if g.zone[row] == Z_HAND:
        move_card(g, row, Z_HAND, Z_STACK)
    else:
        move_alone(g, row, Z_STACK, TO_END, -1, False, 0)


cdef bint asks_of_sacrifice(Game *g, const uint16_t *rows, int n) noexcept nogil:
    """A player must choose first where one of them goes."""
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.rows)
    cdef int i
    for i in range(n):
        to[i] = Z_GRAVEYARD
    return asks_elsewhere(g, rows, to, n)


cdef bint sacrifice_group(Game *g, const uint16_t *rows, int n) noexcept nogil:
    cdef int i
    settle(g)
    if g.h.asks and asks_of_sacrifice(g, rows, n):
        return False  # before anything is told of it
    for i in range(n):
        trace(g, TR_SACRIFICE, g.controller[rows[i]], g.defn[rows[i]], 0, 0, g.id[rows[i]])
        log_event(g, H_SACRIFICED, g.controller[rows[i]], rows[i], g.id[rows[i]], 0, 0, 0)
    if heard(g, EV_SACRIFICED):
        # CR 603.10a: by the state before it.
        for i in range(n):
            happened(g, EV_SACRIFICED, rows[i], g.id[rows[i]], 0, 0, g.controller[rows[i]], 0, 0)
    return move_group(g, rows, n, Z_GRAVEYARD, TO_END, -1, False)


cdef void discard_card(Game *g, uint16_t row) noexcept nogil:
    """CR 701.9a: from the hand into the owner's graveyard; with madness into exile (702.35a)."""
    cdef int player = g.owner[row]
    move_one(g, row, Z_EXILE if face_of(g, g.defn[row]).flags & FACE_MADNESS else Z_GRAVEYARD, TO_END)
    log_event(g, H_DISCARDED, player, row, g.id[row], 0, 0, 0)
    if heard(g, EV_DISCARDS):
        happened(g, EV_DISCARDS, row, g.id[row], 0, 0, player, 0, 0)


cdef bint discard_group(Game *g, const uint16_t *rows, int n) noexcept nogil:
    """Cards discarded together; false while a player must choose what replaces it."""
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.arena)
    cdef int i
    for i in range(n):
        to[i] = Z_EXILE if face_of(g, g.defn[rows[i]]).flags & FACE_MADNESS else Z_GRAVEYARD
    if n and not move_all(g, rows, to, n, TO_END, -1, False):
        return False
    for i in range(n):
        log_event(g, H_DISCARDED, g.owner[rows[i]], rows[i], g.id[rows[i]], 0, 0, 0)
        if heard(g, EV_DISCARDS):
            happened(g, EV_DISCARDS, rows[i], g.id[rows[i]], 0, 0, g.owner[rows[i]], 0, 0)
    return True


cdef int make_tokens(Game *g, int player, int face, int n, bint tapped, uint16_t *rows) noexcept nogil:
    """Create tokens together (CR 111.1); returns how many there was room for."""
    cdef uint16_t row
    cdef int k = 0
    cdef int i
    cdef bint otherwise = False
    cdef bint aura = (face_of(g, <uint16_t>face).flags & FACE_AURA) != 0
    cdef uint32_t *was = <uint32_t *>on_stack(g.lay.rows * sizeof(uint32_t))
    cdef uint8_t *zone = <uint8_t *>on_stack(g.lay.rows)
    g.h.tick += 1
    while k < n:
        row = take_row(g)
        if row == 0:
            break
        g.id[row] = new_id(g)
        g.timestamp[row] = new_timestamp(g)
        g.zone[row] = Z_BATTLEFIELD
        g.owner[row] = <uint8_t>player
        g.card[row] = NONE16
        g.defn[row] = <uint16_t>face
        g.oflags[row] = OF_TOKEN
        g.known_to[row] = EVERYONE
        reset_values(g, row)
        if aura and k == 0 and not has_host(g, row, player):
            # CR 303.4g: it isn't created.
            g.oflags[row] = 0
            g.known_to[row] = 0
            free_row(g, row)
            return 0
        link_tail(g, zone_list(g, Z_BATTLEFIELD, player), row)
        touched(g)
        trace(g, TR_TOKEN, player, face, 0, 0, g.id[row])
        join_battlefield(g, row, player, tapped)
        log_event(g, H_ENTERED, player, row, g.id[row], 0, 0, 0)
        otherwise |= enters_otherwise(g, row)
        rows[k] = row
        k += 1
    for i in range(k if aura or otherwise else 0):
        was[i] = 0
        zone[i] = Z_NONE
    if k and entering_marks(g, rows[0]):
        push_enter(g, rows, was, zone, k)
        return k
    if otherwise:
        entered(g, rows, was, zone, k)
        return k
    if heard(g, EV_ENTERS):
        settle(g)
        for i in range(k):
            moved(g, rows[i], 0, Z_NONE, Z_BATTLEFIELD)
    return k


cdef void copy_joins(Game *g, uint16_t row) noexcept nogil:
    cdef const Face *f = face_of(g, g.defn[row])
    if not f.flags & FACE_PLAIN and not g.oflags[row] & OF_ABILITY:
        join_elsewhere(g, row, f)


cdef inline void cease_in(Game *g, uint16_t row, int zone) noexcept nogil:
    """A recorded object in this zone ceases to exist: its row is free."""
    cdef const Face *f
    unlink(g, zone_list(g, zone, g.owner[row]), row)
    if g.h.shields >> EK_PERMIT & 1:
        permits_leave(g, row)
    if zone == Z_BATTLEFIELD or zone == Z_PHASED_OUT:
        leave_battlefield(g, row)  # phased out: with its owner (CR 702.26k)
    elif not g.oflags[row] & OF_ABILITY:
        f = face_of(g, g.defn[row])
        if zone == Z_HAND:
            changed(g, RD_HAND)
            if f.flags & FACE_INSTANT_SPEED:
                g.p_instants[g.owner[row]] -= 1
                g.h.n_instants -= 1
        elif zone == Z_GRAVEYARD:
            changed(g, RD_GRAVEYARD)
        elif zone == Z_EXILE:
            changed(g, RD_EXILE)
        if f.index_zones >> zone & 1 or g.oflags[row] & OF_OWN_ABILITIES:
            index_object(g, row, False)
        if g.h.reach or g.n_effects[row]:
            leave_reach(g, row, Z_NONE)
        if has_bit(g.b_acts, row):
            count_actor(g, row, False)
    if g.oflags[row] & OF_TOKEN or (zone != Z_STACK and g.oflags[row] & OF_COPY):
        g.h.n_tokens -= 1
    g.status[row] = 0
    g.oflags[row] = 0
    g.known_to[row] = 0
    if g.card[row] != NONE16:
        g.pc_row[g.card[row]] = 0
    trace(g, TR_MOVE, g.owner[row], g.defn[row], zone, Z_NONE, 0)
    free_row(g, row)
    touched(g)


cdef void cease(Game *g, uint16_t row) noexcept nogil:
    """A recorded object ceases to exist: its row is free."""
    cease_in(g, row, g.zone[row])


cdef void place(Game *g, uint16_t row, int zone, int controller) noexcept nogil:
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int owner = g.owner[row]
    unlink(g, zone_list(g, g.zone[row], owner), row)
    g.zone[row] = <uint8_t>zone
    g.timestamp[row] = new_timestamp(g)
    g.known_to[row] = EVERYONE if zone != Z_LIBRARY and zone != Z_HAND else (1 << owner if zone == Z_HAND else 0)
    link_tail(g, zone_list(g, zone, owner), row)
    if zone == Z_HAND and f.flags & FACE_INSTANT_SPEED:
        g.p_instants[owner] += 1
        g.h.n_instants += 1
    if zone == Z_BATTLEFIELD:
        join_battlefield(g, row, controller, False)
        g.status[row] = 0
        clear_bit(g.b_sick, row)
        mana_update(g, row)
    else:
        join_elsewhere(g, row, f)
        if g.h.reach >> zone & 1:
            dirty(g, row)
    touched(g)
