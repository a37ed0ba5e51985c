"""The LKI store: recording departures, pins, look-ups."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, list_copy
from lkicore._guard cimport apart, check, rare
from lkicore._layout cimport Game, LkiRow, Ref
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, need_room, trace
from lkicore._types cimport NONE16, Trace


cdef enum:
    FOREVER = 0xFFFFFFFF
    # Z_BATTLEFIELD, STACK, PHASED_OUT: objects there have more than cards elsewhere.
    PUBLIC = 1 << 3 | 1 << 5 | 1 << 9


cdef void lki_init(Game *g) noexcept nogil:
    memset(g.lki, 0, g.h.lki_limit * sizeof(LkiRow))
    memset(g.lki_hash, 0xFF, g.lay.hash * 2)
    g.h.lki_head = 0
    g.h.lki_pinned = 0
    g.h.lki_free = g.h.lki_limit


cdef inline bint pin(Game *g, uint32_t id) noexcept nogil:
    """Pin the row of a departed object; true if it was not pinned before."""
    cdef uint16_t s = lki_find(g, id)
    if s == NO_SLOT or g.lki[s].pinned:
        return False
    g.lki[s].pinned = 1
    g.h.lki_pinned += 1
    return True


cdef bint mark_list(Game *g, uint16_t handle) noexcept nogil:
    """References of an arena list: targets, whatever is kept beside an object; true if a row was pinned."""
    cdef Ref *r
    cdef bint more = False
    cdef int i
    for i in range(chunk_len(g, handle)):
        r = &chunk_refs(g, handle)[i]
        if RK_REFERS >> r.kind & 1 and not is_live(g, r.row, r.id):
            more |= pin(g, r.id)
    return more


cdef void mark_lists(Game *g, const uint16_t *handles) noexcept nogil:
    """References of the lists that objects hold, wherever they are; most objects hold none."""
    cdef uint64_t[2] eight
    cdef uint32_t row, k
    for row in range(0, g.lay.rows, 8):  # a multiple of 8
        memcpy(eight, &handles[row], 16)
        if eight[0] | eight[1]:
            for k in range(row, row + 8):
                if handles[k]:
                    mark_list(g, handles[k])


cdef bint mark_attached(Game *g, uint16_t host) noexcept nogil:
    """What was attached to the departed object of a slot as it left; true if a row was pinned."""
    cdef bint more = False
    cdef uint16_t s
    for s in range(g.h.lki_limit):
        if not g.lki[s].pinned and once_attached(g, host, s):
            more |= pin(g, g.lki[s].id)
    return more


# Rows are written in words of eight bytes, the first field lowest.
cdef extern from *:
    """
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    #error "lkicore is for little-endian processors"
    #endif
    """


include "_marks.pxi"
include "_record.pxi"


cdef void lki_mark(Game *g) noexcept nogil:
    """Find all rows that anything can still ask about; the head is at slot 0 afterwards."""
    cdef uint16_t s = 0
    cdef int left = g.h.lki_pinned
    cdef bint more = True
    while left:
        left -= g.lki[s].pinned
        g.lki[s].pinned = 0
        s += 1
    g.h.lki_pinned = 0
    mark_roots(g)
    mark_list(g, g.h.held_targets)
    mark_list(g, g.h.held_info)
    while more:
        more = False
        left = g.h.lki_pinned
        s = 0
        while left:  # as many as were pinned when this round began
            if g.lki[s].pinned:
                more |= mark_row(g, s)
                if rare(g.lki[s].oflags & OF_HOST):
                    more |= mark_attached(g, s)
                left -= 1
            s += 1
    g.h.lki_head = 0
    g.h.lki_free = g.h.lki_limit - g.h.lki_pinned
    if g.h.lki_pinned * 2 > g.h.lki_limit:
        need_room(g)


cdef bint lki_make_room(Game *g, int departures) noexcept nogil:
    """The head has gone around: mark what must stay. False: the game needs a larger ring."""
    lki_mark(g)
    if departures > g.h.lki_free:
        need_room(g)
    return g.h.status == GS_RUNNING


cdef inline void unchain(Game *g, uint16_t slot) noexcept nogil:
    """Forget the row in a slot: out of its id chain.

    Its card's chain is left as it is: whoever walks along it sees that another row stands there (`follows`).
    """
    cdef LkiRow *r = &g.lki[slot]
    cdef uint16_t *link = &g.lki_hash[r.id & (g.lay.hash - 1)]
    while link[0] != slot:
        check(link[0] != NO_SLOT)
        link = &g.lki[link[0]].hnext
    link[0] = r.hnext


cdef apart forget_host(Game *g, uint16_t slot) noexcept nogil:
    """What was attached to something as that left is about to be forgotten: so is that, for it would be asked in vain.

    Nothing refers to it: else both were pinned.
    """
    cdef uint16_t host = lki_find(g, g.lki[slot].attached_id)
    if host == NO_SLOT or not once_attached(g, host, slot) or g.lki[host].pinned:
        return
    unchain(g, host)
    chunk_free(g, g.lki[host].extra)
    memset(&g.lki[host], 0, sizeof(LkiRow))
    g.lki[host].card = <uint16_t>NONE16


cdef inline uint16_t fill(Game *g, uint16_t s, uint16_t row, int zone_to) noexcept nogil:
    """The departing object into slot s, which the head has come to; what it held before is forgotten."""
    cdef uint16_t before = NO_SLOT
    cdef uint16_t card = g.card[row]
    cdef uint32_t tick = g.h.tick
    cdef uint16_t *head = &g.lki_hash[g.id[row] & (g.lay.hash - 1)]
    cdef int x = 0
    cdef uint32_t k
    cdef LkiRow *r = &g.lki[s]
    check(s < g.h.lki_limit)
    g.h.lki_head = s + 1
    g.h.lki_free -= 1
    g.h.lki_records += 1
    if r.id:
        if rare(r.attached_id):
            forget_host(g, s)
        unchain(g, s)
    if card != NONE16:
        before = g.pc_lki[card]
        g.pc_lki[card] = s
        if before != NO_SLOT and g.lki[before].card == card and g.lki[before].until == <uint32_t>FOREVER:
            g.lki[before].until = tick
    if PUBLIC >> g.zone[row] & 1:
        if g.zone[row] == Z_STACK:
            for k in range(g.h.n_stack):
                if g.stack[k].row == row:
                    x = g.stack[k].x
                    break
        write_row(g, r, row, tick, FOREVER, 0, row, before, head[0], <int16_t>x, <uint8_t>zone_to, 0)
    else:
        write_hidden(g, r, row, tick, FOREVER, 0, row, before, head[0], 0, <uint8_t>zone_to, 0)
    head[0] = s
    g.extra[row] = 0
    return s


cdef apart record_anyhow(Game *g, uint16_t row, int zone_to) noexcept nogil:
    """`lki_record` where the head stands at a pinned slot or a row with a list, or somebody looks on."""
    cdef uint16_t s = g.h.lki_head
    cdef LkiRow *r
    while rare(g.lki[s].pinned):
        s += 1
        g.h.lki_kept += 1
    r = &g.lki[s]
    chunk_free(g, r.extra)
    fill(g, s, row, zone_to)
    if g.trace != NULL:
        if g.trace.recorded != NULL:
            (<void (*)(Game *, uint16_t, uint16_t) noexcept nogil>g.trace.recorded)(g, row, s)
        trace(g, TR_LKI, s, r.defn, r.zone, zone_to, r.id)
        trace(g, TR_LKI_VALUES, r.power, r.toughness, r.controller, r.damage, r.id)


cdef uint16_t lki_record(Game *g, uint16_t row, int zone_to) noexcept nogil:
    """Copy a departing object's row into the ring (CR 608.2h); returns the slot.

    The caller has called `lki_begin` for its whole group, sets `became` once the object has moved, and gives up the
    object's `extra` chunk: the row owns it now.
    """
    cdef uint16_t s = g.h.lki_head
    check(g.h.lki_free > 0)
    if rare(g.lki[s].pinned or g.lki[s].extra or g.trace != NULL):
        record_anyhow(g, row, zone_to)
        return g.h.lki_head - 1
    # (Nothing is called on the usual way: it keeps all in registers that nobody else needs back.)
    return fill(g, s, row, zone_to)


cdef void lki_keep(Game *g, uint16_t row, int zone_to) noexcept nogil:
    """Keep how an object is now that does not leave its zone (`is_departure`): what was attached to something that
    leaves (zone_to: Z_BATTLEFIELD), what phases out. The row has a number that is no object's; `became` is the object.

    The caller has counted it among the departures of its event.
    """
    cdef uint16_t list = g.extra[row]
    cdef uint16_t card = g.card[row]
    cdef uint32_t id = g.id[row]
    cdef Trace *looking = g.trace
    if g.h.status != GS_RUNNING:
        return
    g.extra[row] = list_copy(g, list)
    g.card[row] = <uint16_t>NONE16  # not one of the card's departures
    g.id[row] = KEPT | g.h.lki_records
    g.trace = NULL
    g.lki[lki_record(g, row, zone_to)].became = id
    g.trace = looking
    g.id[row] = id
    g.card[row] = card
    g.extra[row] = list


cdef uint16_t newest_until(const Game *g, uint16_t card, uint32_t tick) noexcept nogil:
    """Slot of a card's last departure at or before a tick, by looking along the ring."""
    cdef uint16_t found = NO_SLOT
    cdef uint16_t s
    for s in range(g.h.lki_limit):
        if (g.lki[s].id and g.lki[s].card == card and g.lki[s].tick <= tick
                and (found == NO_SLOT or g.lki[s].tick > g.lki[found].tick)):
            found = s
    return found


cdef uint16_t lki_find_at(const Game *g, uint16_t card, uint32_t tick) noexcept nogil:
    """Slot of a card's last departure at or before a tick, or NO_SLOT when there was none or it is forgotten.

    Rows of a card run from its newest departure to its oldest, until a row has been forgotten. A row answers for the
    ticks from its own up to `until`, the card's next departure, even where rows between have been forgotten: never
    another row's ticks.
    """
    cdef uint16_t s = g.pc_lki[card]
    cdef uint32_t later = <uint32_t>0xFFFFFFFF
    while s != NO_SLOT:
        if rare(not follows(g, s, card, later)):
            s = newest_until(g, card, tick)  # older rows may be pinned
            break
        if g.lki[s].tick <= tick:
            break
        later = g.lki[s].tick
        s = g.lki[s].prev
    return s if s != NO_SLOT and tick < g.lki[s].until else NO_SLOT
