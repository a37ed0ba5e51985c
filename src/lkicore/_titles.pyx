"""Emblems, titles, dungeons: objects in the command zone without a card; day and night.

A title is an object whose owner has it: its abilities work for that player (CR 724.2, 726.2). The venture marker of a
dungeon is a number chosen for it; a room is an ability that triggers as the marker moves there (309.4).
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport ability_of, entry_next, extra_add, extra_drop
from lkicore._arena cimport chunk_refs
from lkicore._defs cimport face_of
from lkicore._game cimport NO_ANSWER, NO_PLAYER, add_option, answer_of, open_choice
from lkicore._layers cimport changed, dirty, reset_values
from lkicore._opcodes cimport *
from lkicore._store cimport link_tail, new_id, new_timestamp, take_row, touched, trace, zone_first, zone_list
from lkicore._triggers cimport happened, heard
from lkicore._types cimport Ability, Face, NONE16
from lkicore._departures cimport begin_event, record
from lkicore._zones cimport cease, join_elsewhere

cdef enum:
    EVERYONE = 0xFF


cdef uint16_t into_command(Game *g, int player, int face) noexcept nogil:
    """An object of the player in the command zone; 0 when there is no room."""
    cdef uint16_t row = take_row(g)
    if row == 0:
        return 0
    g.h.tick += 1
    g.id[row] = new_id(g)
    g.timestamp[row] = new_timestamp(g)
    g.zone[row] = Z_COMMAND
    g.owner[row] = <uint8_t>player
    g.controller[row] = <uint8_t>player
    g.base_ctrl[row] = <uint8_t>player
    g.card[row] = NONE16
    g.defn[row] = <uint16_t>face
    g.oflags[row] = OF_EMBLEM
    g.known_to[row] = EVERYONE
    reset_values(g, row)
    link_tail(g, zone_list(g, Z_COMMAND, player), row)
    join_elsewhere(g, row, face_of(g, <uint16_t>face))
    if g.h.reach >> Z_COMMAND & 1:
        dirty(g, row)
    touched(g)
    trace(g, TR_TITLE, player, face, 0, 0, g.id[row])
    return row


cdef bint leave_command(Game *g, uint16_t row) noexcept nogil:
    if not begin_event(g, 1):
        return False
    record(g, row, Z_NONE)
    cease(g, row)
    return True


cdef void get_emblem(Game *g, int player, int face) noexcept nogil:
    into_command(g, player, face)


# ------------------------------------------------------------------------------------------------ titles

cdef uint16_t title_of(const Game *g, int face) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_COMMAND, 0)
    while row and not (g.oflags[row] & OF_EMBLEM and g.defn[row] == face):
        row = g.znext[row]
    return row


cdef void get_title(Game *g, int player, int face, bint again) noexcept nogil:
    cdef uint16_t row = title_of(g, face)
    if row and g.owner[row] == player:
        if not again:
            return
    else:
        if row and not leave_command(g, row):
            return
        if into_command(g, player, face) == 0:
            return
        changed(g, RD_PLAYERS)
    if heard(g, EV_TITLE):
        happened(g, EV_TITLE, 0, 0, 0, 0, player, 0, face)


cdef int titles_left(const Game *g, int leaving, uint16_t *faces) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_COMMAND, 0)
    cdef int n = 0
    while row:
        if (g.oflags[row] & OF_EMBLEM and leaving >> g.owner[row] & 1 and n < MOST_TITLES
                and face_of(g, g.defn[row]).sort == SORT_TITLE):
            faces[n] = g.defn[row]
            n += 1
        row = g.znext[row]
    return n


# ------------------------------------------------------------------------------------------------ dungeons

cdef uint16_t dungeon_of(const Game *g, int player) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_COMMAND, 0)
    while row and not (g.owner[row] == player and g.oflags[row] & OF_EMBLEM
                       and face_of(g, g.defn[row]).sort == SORT_DUNGEON):
        row = g.znext[row]
    return row


cdef int room_of(const Game *g, uint16_t row) noexcept nogil:
    """Where the venture marker is."""
    cdef int i = entry_next(g, g.extra[row], RK_CHOSEN, 0)
    return <int>chunk_refs(g, g.extra[row])[i].id if i >= 0 else 0


cdef int exits_of(const Game *g, uint16_t row, int room) noexcept nogil:
    """Rooms that the arrows of a room lead to (1 << room); 0 for the bottommost."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef const Ability *a
    cdef int k
    for k in range(f.n_abilities):
        a = ability_of(g, f.first_ability + k)
        if a.kind == AB_TRIGGERED and a.event == EV_ROOM and a.step == room:
            return a.amount
    return 0


cdef void enter_room(Game *g, int player, uint16_t row, int room) noexcept nogil:
    """CR 309.4c: the venture marker moves, and the room's ability triggers."""
    extra_drop(g, row, RK_CHOSEN)
    extra_add(g, row, RK_CHOSEN, <uint32_t>room, 0, CN_NUMBER)
    trace(g, TR_ROOM, player, room, g.defn[row], 0, g.id[row])
    if heard(g, EV_ROOM):
        happened(g, EV_ROOM, row, g.id[row], 0, 0, player, room, room)
    if exits_of(g, row, room) == 0:
        g.h.sba |= SBA_DUNGEONS


cdef bint venture(Game *g, int player, int face) noexcept nogil:
    cdef uint16_t row = dungeon_of(g, player)
    cdef int exits, k
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).num
        g.h.answer = NO_ANSWER
        if row:
            enter_room(g, player, row, k)
        return False
    exits = exits_of(g, row, room_of(g, row)) if row else 0
    if exits == 0:
        # CR 701.49a, 701.49c: without a dungeon, or on the bottommost room, a new one is entered.
        if row and not leave_command(g, row):
            return False
        row = into_command(g, player, face)
        if row:
            enter_room(g, player, row, 0)
        return False
    open_choice(g, CH_ROOM, player)
    for k in range(16):
        if exits >> k & 1:
            add_option(g, O_ROOM, row, k, NO_PLAYER)
    return True


cdef bint busy(const Game *g, uint32_t id) noexcept nogil:
    """A room ability of the dungeon has triggered and not left the stack yet."""
    cdef uint32_t i
    for i in range(g.h.n_stack):
        if g.stack[i].source_id == id:
            return True
    for i in range(g.h.n_triggers):
        if g.trigger[i].source_id == id:
            return True
    return False


cdef bint complete_dungeons(Game *g) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_COMMAND, 0)
    cdef uint16_t next_
    cdef bint any = False
    cdef int owner
    while row:
        next_ = g.znext[row]
        owner = g.owner[row]
        if (g.oflags[row] & OF_EMBLEM and face_of(g, g.defn[row]).sort == SORT_DUNGEON
                and exits_of(g, row, room_of(g, row)) == 0):
            if busy(g, g.id[row]):
                g.h.sba |= SBA_DUNGEONS
            elif leave_command(g, row):
                any = True
                g.p_marks[owner] |= PM_COMPLETED_DUNGEON  # CR 309.7
                g.h.rules = 1
                g.h.bits_dirty |= 1
                changed(g, RD_PLAYERS)
        row = next_
    return any


# ------------------------------------------------------------------------------------------------ day and night

cdef void become_day(Game *g, int day) noexcept nogil:
    cdef bint first = g.h.day == 0
    if g.h.day == day:
        return
    g.h.day = <uint8_t>day
    trace(g, TR_DAY, day, 0, 0, 0, 0)
    changed(g, RD_TURN)
    touched(g)
    if not first and heard(g, EV_DAY):
        happened(g, EV_DAY, 0, 0, 0, 0, g.h.active, day, day)


cdef void turn_of_day(Game *g) noexcept nogil:
    if g.h.day == 1 and g.h.spells_last == 0:
        become_day(g, 2)
    elif g.h.day == 2 and g.h.spells_last >= 2:
        become_day(g, 1)
