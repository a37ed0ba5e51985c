"""Zone changes, tokens, drawing, shuffling, tapping, counters.

Order of an event (`move_all`): replacements (CR 614), look-back triggers are matched (603.10), every object that leaves
is recorded, all move, what enters is modified (614.1c), further triggers.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport extra_add
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._attach cimport attach, attachments_leave, could_be_attached
from lkicore._defs cimport face_of
from lkicore._entries cimport entry_of, entry_remove
from lkicore._game cimport push_frame
from lkicore._guard cimport on_stack, rare
from lkicore._history cimport log_event
from lkicore._layers cimport changed, dirty, effects_leave, index_object, reset_values, set_kind_bits, settle
from lkicore._layout cimport Frame, Game, Ref
from lkicore._lki cimport NO_SLOT, lki_begin, lki_find, lki_record
from lkicore._mana cimport mana_count, mana_update
from lkicore._opcodes cimport *
from lkicore._replace cimport enters_modified, zone_instead
from lkicore._rng cimport N_PURPOSES, S_SHUFFLE, below
from lkicore._status cimport leave_combat
from lkicore._store cimport (HIDDEN_ZONES, clear_bit, ctrl_set, free_row, has_bit, link_head, link_tail, look_at,
                             new_id, new_timestamp, set_bit, take_row, touched, trace, unlink, zone_first, zone_list)
from lkicore._triggers cimport happened, heard, look_back, moved
from lkicore._types cimport (FACE_AURA, FACE_ENTERS, FACE_PLAIN, FACE_EQUIPMENT, FACE_INSTANT_SPEED, FACE_STATIC, Face,
                             NONE16)

cdef enum:
    EVERYONE = 0xFF


cdef bint begin_event(Game *g, int departures) noexcept nogil:
    """A new event in which so many objects leave their zones; false when the block has no room for it."""
    g.h.tick += 1
    return lki_begin(g, departures)


cdef void record(Game *g, uint16_t row, int zone_to) noexcept nogil:
    lki_record(g, row, zone_to)


cdef inline bint in_index(const Game *g, uint16_t row) noexcept nogil:
    """The object has abilities that the engine finds by index: triggers, static ones, replacements."""
    cdef const Face *f = face_of(g, g.defn[row])
    return not f.flags & FACE_PLAIN or rare(g.oflags[row] & OF_OWN_ABILITIES)


cdef void leave_battlefield(Game *g, uint16_t row) noexcept nogil:
    log_event(g, H_LEFT, g.controller[row], row, g.id[row], 0, 0, 0)
    if g.mana_in[row]:
        mana_count(g, row, 0)
    if g.h.n_attached:
        attachments_leave(g, row)
    if in_index(g, row):
        index_object(g, row, False)
    g.oflags[row] &= <uint8_t>~<int>(OF_OWN_ABILITIES | OF_OWN_SUBTYPES)
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
    changed(g, RD_BOARD)
    clear_bit(g.b_dirty, row)
    g.damage[row] = 0
    g.c_p1p1[row] = 0
    g.c_m1m1[row] = 0
    g.c_loyalty[row] = 0
    g.c_charge[row] = 0
    g.attached_row[row] = 0
    g.attached_id[row] = 0
    if g.oflags[row] & OF_TOKEN:
        g.h.n_tokens += 1
        g.h.sba |= SBA_TOKENS
    reset_values(g, row)


cdef void join_battlefield(Game *g, uint16_t row, int controller, bint tapped) noexcept nogil:
    """What the battlefield knows about a permanent; its row is linked already."""
    cdef const Face *f = face_of(g, g.defn[row])
    g.controller[row] = <uint8_t>controller
    g.base_ctrl[row] = <uint8_t>controller
    g.status[row] = ST_SICK | (ST_TAPPED if tapped else 0)
    set_bit(ctrl_set(g, controller), row)
    if not tapped:
        set_bit(g.b_untapped, row)
    set_bit(g.b_sick, row)
    set_kind_bits(g, row)
    if in_index(g, row):
        index_object(g, row, True)
    if g.h.n_static or f.flags & FACE_STATIC:
        dirty(g, row)
    if f.flags & (FACE_AURA | FACE_EQUIPMENT) or (g.types[row] & T_CREATURE and g.toughness[row] <= 0):
        look_at(g, row)
    if g.mana[row]:
        mana_update(g, row)
    changed(g, RD_BOARD)


cdef inline bint enters_otherwise(const Game *g, uint16_t row) noexcept nogil:
    """Some replacement says how it enters (CR 614.1c-d)."""
    return g.h.replaces & 1 << RP_ENTERS or face_of(g, g.defn[row]).flags & FACE_ENTERS or g.types[row] & T_PLANESWALKER


cdef void remember_cast(Game *g, uint16_t row, uint16_t slot) noexcept nogil:
    """A permanent's abilities may ask how its spell was cast (CR 400.7d): X, optional costs paid."""
    cdef uint16_t list = g.lki[slot].extra
    cdef Ref r
    cdef int i
    extra_add(g, row, RK_CAST, <uint32_t>max(0, <int>g.lki[slot].x), 0, 0)
    for i in range(chunk_len(g, list)):
        r = chunk_refs(g, list)[i]
        if r.kind == RK_KICKED:
            extra_add(g, row, RK_KICKED, r.id, r.row, r.flags)


cdef void change(Game *g, uint16_t row, int zone_to, int where, int controller, bint tapped) noexcept nogil:
    """Move a recorded object: it becomes a new one (CR 400.7). Nothing triggers here."""
    cdef int zone = g.zone[row]
    cdef int owner = g.owner[row]
    cdef uint32_t old = g.id[row]
    cdef uint32_t became = new_id(g)
    cdef uint16_t slot
    cdef bint instant = False
    cdef const Face *f = face_of(g, g.defn[row])
    cdef bint plain = (f.flags & FACE_PLAIN) != 0
    unlink(g, zone_list(g, zone, owner), row)
    if zone == Z_HAND or zone_to == Z_HAND:
        instant = (f.flags & FACE_INSTANT_SPEED) != 0
        changed(g, RD_HAND)
    if zone == Z_BATTLEFIELD:
        leave_battlefield(g, row)
    elif not plain and f.listen_zones >> zone & 1:
        index_object(g, row, False)
    if g.h.reads and (zone == Z_GRAVEYARD or zone_to == Z_GRAVEYARD):
        changed(g, RD_GRAVEYARD)
    if g.h.bits_dirty and zone == Z_BATTLEFIELD:
        clear_bit(g.b_dirty, row)  # it was still the host of what looks at that
    g.status[row] = 0
    if instant and zone == Z_HAND:
        g.p_instants[owner] -= 1
        g.h.n_instants -= 1
    if not plain and f.act_zones >> zone & 1:
        g.p_actors[owner] -= 1
        g.h.n_instants -= 1
    slot = g.pc_lki[g.card[row]] if g.card[row] != NONE16 else lki_find(g, old)
    if slot != NO_SLOT and g.lki[slot].id == old:
        g.lki[slot].became = became
    else:
        slot = NO_SLOT
    g.id[row] = became
    g.timestamp[row] = new_timestamp(g)  # CR 613.7d
    g.zone[row] = <uint8_t>zone_to
    if zone_to == Z_HAND:
        if instant:
            g.p_instants[owner] += 1
            g.h.n_instants += 1
        # Whoever knew the card still does; everybody saw one that comes from a public zone.
        if (HIDDEN_ZONES >> zone) & 1:
            g.known_to[row] |= <uint8_t>(1 << owner)
        else:
            g.known_to[row] = EVERYONE
    elif zone_to == Z_LIBRARY:
        if not (HIDDEN_ZONES >> zone) & 1:
            g.known_to[row] = EVERYONE
    else:
        g.known_to[row] = EVERYONE
    if where == TO_TOP:
        link_head(g, zone_list(g, zone_to, owner), row)
    else:
        link_tail(g, zone_list(g, zone_to, owner), row)
    touched(g)
    trace(g, TR_MOVE, owner, g.defn[row], zone, zone_to, became)
    if not plain and f.act_zones >> zone_to & 1:
        g.p_actors[owner] += 1
        g.h.n_instants += 1
    if zone_to == Z_BATTLEFIELD:
        if controller < 0:
            controller = g.controller[row] if zone == Z_STACK else owner
        if zone == Z_STACK and slot != NO_SLOT and (
                g.lki[slot].x or g.lki[slot].extra or (g.cards.asks_cast and f.n_abilities)):
            remember_cast(g, row, slot)
        join_battlefield(g, row, controller, tapped)
        log_event(g, H_ENTERED, controller, row, became, 0, 0, 0)
    else:
        g.controller[row] = <uint8_t>owner
        if not plain and f.listen_zones >> zone_to & 1:
            index_object(g, row, True)


cdef void change_zone(Game *g, uint16_t row, int zone_to, int where) noexcept nogil:
    change(g, row, zone_to, where, -1, False)


cdef void log_departure(Game *g, uint16_t row, int zone_to) noexcept nogil:
    if zone_to == Z_GRAVEYARD:
        if g.zone[row] == Z_BATTLEFIELD and g.types[row] & T_CREATURE:
            log_event(g, H_DIED, g.controller[row], row, g.id[row], 0, 0, 0)
        log_event(g, H_GRAVEYARD, g.owner[row], row, g.id[row], 0, 0, 0)


cdef bint has_host(Game *g, uint16_t row, int controller) noexcept nogil:
    """Something on the battlefield could be enchanted by this Aura under the player's control (CR 303.4f)."""
    cdef uint16_t host = zone_first(g, Z_BATTLEFIELD, 0)
    while host:
        if could_be_attached(g, row, host, controller):
            return True
        host = g.znext[host]
    return False


cdef int drop_homeless(Game *g, const uint16_t *rows, uint8_t *to, uint16_t *kept, int n,
                       int controller) noexcept nogil:
    """CR 303.4g: an Aura that would enter without being cast, and has nothing to enchant, stays where it is; from the
    stack it goes to the graveyard. Returns how many objects move."""
    cdef uint16_t row
    cdef int i
    cdef int k = 0
    for i in range(n):
        row = rows[i]
        kept[k] = row
        to[k] = to[i]
        if to[i] == Z_BATTLEFIELD and face_of(g, g.defn[row]).flags & FACE_AURA:
            if not has_host(g, row, controller if controller >= 0
                            else g.controller[row] if g.zone[row] == Z_STACK else g.owner[row]):
                if g.zone[row] != Z_STACK:
                    continue
                to[k] = Z_GRAVEYARD
        k += 1
    return k


cdef inline bint unnoticed(const Game *g, uint16_t row, int zone_to) noexcept nogil:
    """Nothing can replace the move of this object, trigger on it or modify it."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int zone = g.zone[row]
    cdef uint64_t kinds
    if rare(g.oflags[row] & OF_OWN_ABILITIES) or g.h.replaces | g.h.shields:
        return False
    # What an object does about its own moves it does on the battlefield, or in the zones that its face tells.
    if not f.flags & FACE_PLAIN and (zone == Z_BATTLEFIELD or zone_to == Z_BATTLEFIELD or f.replaces
                                     or (f.listen_zones >> zone | f.listen_zones >> zone_to) & 1):
        return False
    if g.h.listening == 0:
        return True
    kinds = <uint64_t>1 << EV_LEAVES if zone == Z_BATTLEFIELD else <uint64_t>1 << EV_MOVES
    if zone_to == Z_BATTLEFIELD:
        kinds |= <uint64_t>1 << EV_ENTERS
    return g.h.listening & kinds == 0


cdef bint all_unnoticed(const Game *g, const uint16_t *rows, const uint8_t *to, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if not unnoticed(g, rows[i], to[i]):
            return False
    return True


cdef bint move_all_unnoticed(Game *g, const uint16_t *rows, const uint8_t *to, int n, int where, int controller,
                             bint tapped) noexcept nogil:
    """What `move_these` comes to for objects whose moves nothing looks at."""
    cdef int i
    if n == 0:
        return True
    if not begin_event(g, n):
        return False
    for i in range(n):
        record(g, rows[i], to[i])
        if g.zone[rows[i]] == Z_STACK:
            entry_remove(g, entry_of(g, rows[i]))
    for i in range(n):
        if g.h.watch:
            log_departure(g, rows[i], to[i])
        if to[i] == Z_NONE:
            cease(g, rows[i])
        else:
            change(g, rows[i], to[i], where, controller, tapped)
    return True


cdef void entered(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone, int n) noexcept nogil:
    """What follows on zone changes that have been made: how permanents enter (CR 614.1c-d), then what triggers."""
    cdef int i
    cdef bint otherwise = False
    for i in range(n):
        if g.zone[rows[i]] == Z_BATTLEFIELD and enters_otherwise(g, rows[i]):
            otherwise = True
    if otherwise:
        settle(g)
        for i in range(n):
            if g.zone[rows[i]] == Z_BATTLEFIELD:
                enters_modified(g, rows[i])
        settle(g)
    # Something that enters may be the first that listens.
    if g.h.listening:
        for i in range(n):
            if g.zone[rows[i]] == Z_BATTLEFIELD and g.h.bits_dirty:
                settle(g)  # CR 603.6d: with continuous effects applied
            if g.zone[rows[i]] != Z_NONE:
                moved(g, rows[i], was[i], zone[i], g.zone[rows[i]])


cdef uint16_t entry_add(Game *g, uint16_t list, int kind, uint32_t id, uint16_t row, int flags) noexcept nogil:
    list = refs_add(g, list, id, row, kind)
    if list:
        chunk_refs(g, list)[chunk_len(g, list) - 1].flags = <uint8_t>flags
    return list


cdef void ask_hosts(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone, int n) noexcept nogil:
    """A frame in which players choose what Auras that enter enchant (CR 303.4f); `_enter` goes on with it.

    Its list holds two entries for each object: what it is now, marked `EF_HOST` if it needs a host, and what it was
    (EVENT_AMOUNT 0: nothing, or nobody asks), with the zone that it left.
    """
    cdef Frame *f = push_frame(g, F_ENTER, g.h.active)
    cdef int i
    cdef int host
    for i in range(n):
        host = EF_HOST if g.zone[rows[i]] == Z_BATTLEFIELD and face_of(g, g.defn[rows[i]]).flags & FACE_AURA else 0
        f.list = entry_add(g, f.list, RK_OBJECT, g.id[rows[i]], rows[i], host)
        f.list = entry_add(g, f.list, RK_MOVED if was[i] else RK_EVENT_AMOUNT, was[i], rows[i] if was[i] else 0,
                           zone[i])


cdef bint move_these(Game *g, const uint16_t *rows, uint8_t *to, int n, int where, int controller, bint tapped,
                     uint16_t host) noexcept nogil:
    """An event of zone changes, see `move_all`; `host`: what the first one becomes attached to as it enters."""
    cdef uint32_t *was
    cdef uint8_t *zone
    cdef uint16_t *kept
    cdef int i
    cdef int k = 0
    cdef bint told = g.h.listening != 0
    cdef bint auras = False
    settle(g)
    if host == 0 and all_unnoticed(g, rows, to, n):
        return move_all_unnoticed(g, rows, to, n, where, controller, tapped)
    was = <uint32_t *>on_stack(g.lay.rows * sizeof(uint32_t))
    zone = <uint8_t *>on_stack(g.lay.rows)
    kept = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    for i in range(n if host == 0 else 0):
        if to[i] == Z_BATTLEFIELD and face_of(g, g.defn[rows[i]]).flags & FACE_AURA:
            auras = True
    if auras:
        n = drop_homeless(g, rows, to, kept, n, controller)
        rows = kept
    if n == 0:
        return True
    for i in range(n):
        if to[i] == Z_GRAVEYARD and (g.h.replaces or g.h.shields or face_of(g, g.defn[rows[i]]).replaces):
            to[i] = <uint8_t>zone_instead(g, rows[i], to[i])
    if not begin_event(g, n):
        return False
    if told:
        look_back(g, rows, to, n)
    for i in range(n):
        record(g, rows[i], to[i])
        if g.zone[rows[i]] == Z_STACK:
            entry_remove(g, entry_of(g, rows[i]))
    for i in range(n):
        was[i] = g.id[rows[i]] if told else 0
        zone[i] = g.zone[rows[i]] if told else <uint8_t>Z_NONE
    auras = False
    for i in range(n):
        log_departure(g, rows[i], to[i])
        if to[i] == Z_NONE:
            cease(g, rows[i])
            continue
        change(g, rows[i], to[i], where, controller, tapped)
        if to[i] == Z_BATTLEFIELD and host == 0 and face_of(g, g.defn[rows[i]]).flags & FACE_AURA:
            auras = True
        kept[k] = rows[i]
        was[k] = was[i]
        zone[k] = zone[i]
        k += 1
    if host and g.zone[rows[0]] == Z_BATTLEFIELD:
        attach(g, rows[0], host)
    if auras:
        ask_hosts(g, kept, was, zone, k)
    else:
        entered(g, kept, was, zone, k)
    return True


cdef bint move_all(Game *g, const uint16_t *rows, uint8_t *to, int n, int where, int controller,
                   bint tapped) noexcept nogil:
    return move_these(g, rows, to, n, where, controller, tapped, 0)


cdef void move_unnoticed(Game *g, uint16_t row, int zone_to, int where) noexcept nogil:
    """The event of one zone change that nothing looks at: what `move_these` comes to."""
    settle(g)
    if not begin_event(g, 1):
        return
    record(g, row, zone_to)
    if g.zone[row] == Z_STACK:
        entry_remove(g, entry_of(g, row))
    if g.h.watch:
        log_departure(g, row, zone_to)
    change(g, row, zone_to, where, -1, False)


cdef void leave_stack(Game *g, uint16_t row, int zone_to, uint16_t host) noexcept nogil:
    cdef uint8_t to = Z_NONE if g.oflags[row] & (OF_ABILITY | OF_COPY) else <uint8_t>zone_to
    cdef int where = TO_TOP if to == Z_LIBRARY else TO_END
    if to == Z_NONE:
        # Ceasing to exist on the stack is no change of zones (CR 111.7): nothing triggers, nothing replaces it.
        settle(g)
        if begin_event(g, 1):
            record(g, row, Z_NONE)
            entry_remove(g, entry_of(g, row))
            cease(g, row)
    elif host == 0 and unnoticed(g, row, to):
        move_unnoticed(g, row, to, where)
    else:
        move_these(g, &row, &to, 1, where, -1, False, host)


cdef bint move_group(Game *g, const uint16_t *rows, int n, int zone_to, int where, int controller,
                     bint tapped) noexcept nogil:
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.rows)
    cdef int i
    for i in range(n):
        to[i] = <uint8_t>zone_to
    return move_all(g, rows, to, n, where, controller, tapped)


cdef void move_one(Game *g, uint16_t row, int zone_to, int where) noexcept nogil:
    """An event in which one object changes zones. Nothing happens if the block has no room."""
    cdef uint8_t to = <uint8_t>zone_to
    if unnoticed(g, row, zone_to):
        move_unnoticed(g, row, zone_to, where)
    else:
        move_all(g, &row, &to, 1, where, -1, False)


cdef bint sacrifice_group(Game *g, const uint16_t *rows, int n) noexcept nogil:
    cdef int i
    settle(g)
    for i in range(n):
        trace(g, TR_SACRIFICE, g.controller[rows[i]], g.defn[rows[i]], 0, 0, g.id[rows[i]])
        log_event(g, H_SACRIFICED, g.controller[rows[i]], rows[i], g.id[rows[i]], 0, 0, 0)
    if heard(g, EV_SACRIFICED):
        # CR 603.10a: by the state before it.
        for i in range(n):
            happened(g, EV_SACRIFICED, rows[i], g.id[rows[i]], 0, 0, g.controller[rows[i]], 0, 0)
    return move_group(g, rows, n, Z_GRAVEYARD, TO_END, -1, False)


cdef void discard_card(Game *g, uint16_t row) noexcept nogil:
    """CR 701.9a: from the hand into the owner's graveyard."""
    cdef int player = g.owner[row]
    move_one(g, row, Z_GRAVEYARD, TO_END)
    log_event(g, H_DISCARDED, player, row, g.id[row], 0, 0, 0)
    if heard(g, EV_DISCARDS):
        happened(g, EV_DISCARDS, row, g.id[row], 0, 0, player, 0, 0)


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
    if aura:
        for i in range(k):
            was[i] = 0
            zone[i] = Z_NONE
        ask_hosts(g, rows, was, zone, k)
        return k
    if otherwise:
        settle(g)
        for i in range(k):
            enters_modified(g, rows[i])
    if heard(g, EV_ENTERS):
        settle(g)
        for i in range(k):
            moved(g, rows[i], 0, Z_NONE, Z_BATTLEFIELD)
    return k


cdef uint16_t make_ability(Game *g, int player, uint16_t defn) noexcept nogil:
    """An ability on the stack is an object without a card (CR 113.1c); 0 when there is no room."""
    cdef uint16_t row = take_row(g)
    if row == 0:
        return 0
    g.id[row] = new_id(g)
    g.timestamp[row] = new_timestamp(g)
    g.zone[row] = Z_STACK
    g.owner[row] = <uint8_t>player
    g.controller[row] = <uint8_t>player
    g.card[row] = NONE16
    g.defn[row] = defn
    g.oflags[row] = OF_ABILITY
    g.known_to[row] = EVERYONE
    g.types[row] = 0
    g.power[row] = 0
    g.toughness[row] = 0
    g.colors[row] = 0
    g.keywords[row] = 0
    g.mana[row] = 0
    link_tail(g, zone_list(g, Z_STACK, player), row)
    return row


cdef void cease(Game *g, uint16_t row) noexcept nogil:
    """A recorded object ceases to exist: its row is free."""
    cdef const Face *f = face_of(g, g.defn[row])
    unlink(g, zone_list(g, g.zone[row], g.owner[row]), row)
    if g.zone[row] == Z_BATTLEFIELD:
        leave_battlefield(g, row)
    else:
        if g.zone[row] == Z_HAND:
            changed(g, RD_HAND)
            if f.flags & FACE_INSTANT_SPEED:
                g.p_instants[g.owner[row]] -= 1
                g.h.n_instants -= 1
        elif g.zone[row] == Z_GRAVEYARD:
            changed(g, RD_GRAVEYARD)
        if not g.oflags[row] & OF_ABILITY:
            if f.listen_zones >> g.zone[row] & 1:
                index_object(g, row, False)
            if f.act_zones >> g.zone[row] & 1:
                g.p_actors[g.owner[row]] -= 1
                g.h.n_instants -= 1
    if g.oflags[row] & OF_TOKEN:
        g.h.n_tokens -= 1
    g.status[row] = 0
    g.oflags[row] = 0
    g.known_to[row] = 0
    if g.card[row] != NONE16:
        g.pc_row[g.card[row]] = 0
    trace(g, TR_MOVE, g.owner[row], g.defn[row], g.zone[row], Z_NONE, 0)
    free_row(g, row)
    touched(g)


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
    if f.act_zones >> zone & 1:
        g.p_actors[owner] += 1
        g.h.n_instants += 1
    if zone == Z_BATTLEFIELD:
        join_battlefield(g, row, controller, False)
        g.status[row] = 0
        clear_bit(g.b_sick, row)
        mana_update(g, row)
    elif f.listen_zones >> zone & 1:
        index_object(g, row, True)
    touched(g)


cdef bint draw(Game *g, int player) noexcept nogil:
    """Draw one card (CR 121.1); false, and noted for 704.5b, from an empty library."""
    cdef uint16_t row = zone_first(g, Z_LIBRARY, player)
    if row == 0:
        g.p_empty_draw[player] = 1
        g.h.sba |= SBA_PLAYERS
        return False
    move_one(g, row, Z_HAND, TO_END)
    if g.p_drawn[player] < 255:
        g.p_drawn[player] += 1
    log_event(g, H_DREW, player, row, g.id[row], 0, 0, 1)
    if heard(g, EV_DRAWS):
        happened(g, EV_DRAWS, row, g.id[row], 0, 0, player, g.p_drawn[player], 0)
    return True


cdef void shuffle(Game *g, int player) noexcept nogil:
    """Randomise a library (CR 701.24); nobody knows a card in it afterwards."""
    cdef int k = zone_list(g, Z_LIBRARY, player)
    cdef uint64_t *s = &g.stream[(player * N_PURPOSES + S_SHUFFLE) * 2]
    cdef uint16_t *order = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t row = g.z_head[k]
    cdef uint16_t prev
    cdef int n = 0
    cdef int i, j
    while row:
        order[n] = row
        g.known_to[row] = 0
        row = g.znext[row]
        n += 1
    if n == 0:
        return
    for i in range(n - 1, 0, -1):
        j = <int>below(s, <uint32_t>(i + 1))
        row = order[i]
        order[i] = order[j]
        order[j] = row
    prev = 0
    for i in range(n):
        row = order[i]
        g.zprev[row] = prev
        if prev:
            g.znext[prev] = row
        else:
            g.z_head[k] = row
        prev = row
    g.znext[prev] = 0
    g.z_tail[k] = prev
    trace(g, TR_SHUFFLE, player, 0, 0, 0, 0)
