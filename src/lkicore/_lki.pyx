"""The LKI store: recording departures, pins, look-ups."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from lkicore._arena cimport chunk_free, chunk_len, chunk_refs
from lkicore._guard cimport apart, check, rare
from lkicore._layout cimport Game, LkiRow, Ref
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, need_room, trace
from lkicore._types cimport NONE16


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


include "_marks.pxi"


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
    """Forget the row in a slot: out of its id chain and its card's chain."""
    cdef LkiRow *r = &g.lki[slot]
    cdef uint16_t *link = &g.lki_hash[r.id & (g.lay.hash - 1)]
    while link[0] != slot:
        check(link[0] != NO_SLOT)
        link = &g.lki[link[0]].hnext
    link[0] = r.hnext
    if r.card != NONE16:
        link = &g.pc_lki[r.card]
        while link[0] != slot:
            check(link[0] != NO_SLOT)
            link = &g.lki[link[0]].prev
        link[0] = r.prev


cdef inline uint16_t fill(Game *g, uint16_t s, uint16_t row, int zone_to) noexcept nogil:
    """The departing object into slot s, which the head has come to; what it held before is forgotten."""
    cdef uint16_t before
    cdef uint32_t k
    cdef LkiRow *r = &g.lki[s]
    check(s < g.h.lki_limit)
    g.h.lki_head = s + 1
    g.h.lki_free -= 1
    g.h.lki_records += 1
    if r.id:
        unchain(g, s)
    memset(r, 0, sizeof(LkiRow))
    copy_row(g, r, row)
    if r.zone == Z_BATTLEFIELD or r.zone == Z_PHASED_OUT:
        copy_public(g, r, row)
    elif r.zone == Z_STACK:
        copy_public(g, r, row)
        for k in range(g.h.n_stack):
            if g.stack[k].row == row:
                r.x = g.stack[k].x
                break
    r.row = row
    r.tick = g.h.tick
    r.until = <uint32_t>0xFFFFFFFF
    r.zone_to = <uint8_t>zone_to
    k = r.id & (g.lay.hash - 1)
    r.hnext = g.lki_hash[k]
    g.lki_hash[k] = s
    r.prev = NO_SLOT
    if r.card != NONE16:
        before = g.pc_lki[r.card]
        r.prev = before
        if before != NO_SLOT and g.lki[before].until == <uint32_t>0xFFFFFFFF:
            g.lki[before].until = r.tick
        g.pc_lki[r.card] = s
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


cdef uint16_t lki_find_at(const Game *g, uint16_t card, uint32_t tick) noexcept nogil:
    """Slot of a card's last departure at or before a tick, or NO_SLOT when there was none or it is forgotten.

    Rows of a card run from its newest departure to its oldest. A row answers for the ticks from its own up to `until`,
    the card's next departure, even where rows between have been forgotten: never another row's ticks.
    """
    cdef uint16_t s = g.pc_lki[card]
    while s != NO_SLOT:
        if g.lki[s].tick <= tick:
            return s if tick < g.lki[s].until else NO_SLOT
        s = g.lki[s].prev
    return NO_SLOT
