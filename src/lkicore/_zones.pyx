"""Zone changes, tokens, drawing, shuffling, tapping, counters.

Order of an event: `begin_event` for the whole group, `record` every object that leaves, then `change_zone` each: all
members are recorded before any of them moves (CR 603.10, 608.2h).
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._defs cimport face_of
from lkicore._history cimport log_event
from lkicore._layers cimport dirty, effects_leave, reset_values, set_kind_bits
from lkicore._layout cimport Game
from lkicore._lki cimport NO_SLOT, lki_begin, lki_find, lki_record
from lkicore._mana cimport mana_count, mana_update
from lkicore._opcodes cimport *
from lkicore._rng cimport N_PURPOSES, S_SHUFFLE, below
from lkicore._store cimport (HIDDEN_ZONES, clear_bit, ctrl_set, free_row, has_bit, link_head, link_tail, look_at,
                             new_id, new_timestamp, set_bit, take_row, touched, trace, unlink, zone_first, zone_list)
from lkicore._types cimport FACE_INSTANT_SPEED, NONE16

cdef enum:
    EVERYONE = 0xFF


cdef bint begin_event(Game *g, int departures) noexcept nogil:
    """A new event in which so many objects leave their zones; false when the block has no room for it."""
    g.h.tick += 1
    return lki_begin(g, departures)


cdef void record(Game *g, uint16_t row, int zone_to) noexcept nogil:
    lki_record(g, row, zone_to)


cdef void leave_combat(Game *g, uint16_t row) noexcept nogil:
    """Removed from combat (CR 506.4)."""
    g.attacks[row] = 0
    g.combat[row] = 0
    g.assigned[row] = 0
    g.blocks_row[row] = 0
    g.blocks_id[row] = 0


cdef void leave_battlefield(Game *g, uint16_t row) noexcept nogil:
    log_event(g, H_LEFT, g.controller[row], row, g.id[row], 0, 0, 0)
    if g.mana_in[row]:
        mana_count(g, row, 0)
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
    clear_bit(g.b_dirty, row)
    if g.n_effects[row]:
        effects_leave(g, row)
    leave_combat(g, row)
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


cdef void enter_battlefield(Game *g, uint16_t row, int controller) noexcept nogil:
    """What the battlefield knows about a new permanent; its row is linked already."""
    g.controller[row] = <uint8_t>controller
    g.status[row] = ST_SICK
    set_bit(ctrl_set(g, controller), row)
    set_bit(g.b_untapped, row)
    set_bit(g.b_sick, row)
    set_kind_bits(g, row)
    if g.types[row] & T_CREATURE and g.toughness[row] <= 0:
        look_at(g, row)
    if g.mana[row]:
        mana_update(g, row)
    log_event(g, H_ENTERED, controller, row, g.id[row], 0, 0, 0)


cdef void change_zone(Game *g, uint16_t row, int zone_to, int where) noexcept nogil:
    """Move a recorded object: it becomes a new one (CR 400.7), at `where` in the new zone's order."""
    cdef int zone = g.zone[row]
    cdef int owner = g.owner[row]
    cdef int controller = owner
    cdef uint32_t old = g.id[row]
    cdef uint32_t became = new_id(g)
    cdef uint16_t slot
    cdef bint instant = False
    unlink(g, zone_list(g, zone, owner), row)
    if zone == Z_HAND or zone_to == Z_HAND:
        instant = (face_of(g, g.defn[row]).flags & FACE_INSTANT_SPEED) != 0
    if zone == Z_BATTLEFIELD:
        leave_battlefield(g, row)
    elif zone == Z_STACK:
        controller = g.controller[row]
    g.status[row] = 0
    if instant and zone == Z_HAND:
        g.p_instants[owner] -= 1
        g.h.n_instants -= 1
    slot = g.pc_lki[g.card[row]] if g.card[row] != NONE16 else lki_find(g, old)
    if slot != NO_SLOT and g.lki[slot].id == old:
        g.lki[slot].became = became
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
    if zone_to == Z_BATTLEFIELD:
        enter_battlefield(g, row, controller)
    else:
        g.controller[row] = <uint8_t>owner


cdef void move_one(Game *g, uint16_t row, int zone_to, int where) noexcept nogil:
    """An event in which one object changes zones. Nothing happens if the block has no room."""
    if not begin_event(g, 1):
        return
    record(g, row, zone_to)
    change_zone(g, row, zone_to, where)


cdef uint16_t make_token(Game *g, int player, int face) noexcept nogil:
    """Create a token (CR 111.1); 0 when there is no room."""
    cdef uint16_t row = take_row(g)
    if row == 0:
        return 0
    g.id[row] = new_id(g)
    g.timestamp[row] = new_timestamp(g)
    g.zone[row] = Z_BATTLEFIELD
    g.owner[row] = <uint8_t>player
    g.card[row] = NONE16
    g.defn[row] = <uint16_t>face
    g.oflags[row] = OF_TOKEN
    g.known_to[row] = EVERYONE
    reset_values(g, row)
    link_tail(g, zone_list(g, Z_BATTLEFIELD, player), row)
    touched(g)
    trace(g, TR_TOKEN, player, face, 0, 0, g.id[row])
    enter_battlefield(g, row, player)
    return row


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
    unlink(g, zone_list(g, g.zone[row], g.owner[row]), row)
    if g.zone[row] == Z_BATTLEFIELD:
        leave_battlefield(g, row)
    elif g.zone[row] == Z_HAND and face_of(g, g.defn[row]).flags & FACE_INSTANT_SPEED:
        g.p_instants[g.owner[row]] -= 1
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


cdef bint draw(Game *g, int player) noexcept nogil:
    """Draw one card (CR 121.1); false, and noted for 704.5b, from an empty library."""
    cdef uint16_t row = zone_first(g, Z_LIBRARY, player)
    if row == 0:
        g.p_empty_draw[player] = 1
        g.h.sba |= SBA_PLAYERS
        return False
    move_one(g, row, Z_HAND, TO_END)
    log_event(g, H_DREW, player, row, g.id[row], 0, 0, 1)
    return True


cdef void shuffle(Game *g, int player) noexcept nogil:
    """Randomise a library (CR 701.24); nobody knows a card in it afterwards."""
    cdef int k = zone_list(g, Z_LIBRARY, player)
    cdef uint64_t *s = &g.stream[(player * N_PURPOSES + S_SHUFFLE) * 2]
    cdef uint16_t order[18432]
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


cdef void tap(Game *g, uint16_t row) noexcept nogil:
    if g.status[row] & ST_TAPPED:
        return
    g.status[row] |= ST_TAPPED
    clear_bit(g.b_untapped, row)
    mana_update(g, row)
    touched(g)
    trace(g, TR_TAP, g.defn[row], 0, 0, 0, g.id[row])


cdef void untap(Game *g, uint16_t row) noexcept nogil:
    if not g.status[row] & ST_TAPPED:
        return
    g.status[row] &= <uint8_t>~<int>ST_TAPPED
    set_bit(g.b_untapped, row)
    mana_update(g, row)
    touched(g)


cdef void put_counters(Game *g, uint16_t row, int kind, int n) noexcept nogil:
    """Put counters on a permanent or, with n < 0, remove them, never below none (CR 122)."""
    cdef int16_t *c
    if kind == CK_P1P1:
        c = &g.c_p1p1[row]
    elif kind == CK_M1M1:
        c = &g.c_m1m1[row]
    elif kind == CK_LOYALTY:
        c = &g.c_loyalty[row]
    else:
        c = &g.c_charge[row]
    if c[0] + n < 0:
        n = -c[0]
    elif c[0] + n > 32000:
        n = 32000 - c[0]
    c[0] += <int16_t>n
    if kind <= CK_M1M1:
        dirty(g, row)
        look_at(g, row)
    trace(g, TR_COUNTERS, g.defn[row], n, kind, 0, g.id[row])
