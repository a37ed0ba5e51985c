"""The LKI store: recording departures, pins, look-ups."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from lkicore._arena cimport Chunk, chunk_at, chunk_free, chunk_refs
from lkicore._guard cimport check, rare
from lkicore._layout cimport Game, LkiRow
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


cdef void mark_arena(Game *g) noexcept nogil:
    """References in arena lists: targets, whatever rows keep beside them."""
    cdef uint32_t h = 1
    cdef Chunk *c
    cdef int i
    while h < g.h.arena_top:
        c = chunk_at(g, <uint16_t>h)
        if c.kind == AK_REFS:
            for i in range(c.n):
                if RK_REFERS >> chunk_refs(g, <uint16_t>h)[i].kind & 1:
                    if not is_live(g, chunk_refs(g, <uint16_t>h)[i].row, chunk_refs(g, <uint16_t>h)[i].id):
                        pin(g, chunk_refs(g, <uint16_t>h)[i].id)
        h += <uint32_t>1 << c.log2


include "_marks.pxi"


cdef void lki_mark(Game *g) noexcept nogil:
    """Find all rows that anything can still ask about; the head is at slot 0 afterwards."""
    cdef uint16_t s
    cdef bint more = True
    for s in range(g.h.lki_limit):
        g.lki[s].pinned = 0
    g.h.lki_pinned = 0
    mark_roots(g)
    while more:
        more = False
        for s in range(g.h.lki_limit):
            if g.lki[s].pinned:
                more |= mark_row(g, s)
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


cdef void drop(Game *g, uint16_t slot) noexcept nogil:
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
    chunk_free(g, r.extra)
    r.id = 0
    r.extra = 0


cdef uint16_t lki_record(Game *g, uint16_t row, int zone_to) noexcept nogil:
    """Copy a departing object's row into the ring (CR 608.2h); returns the slot.

    The caller has called `lki_begin` for its whole group, sets `became` once the object has moved, and gives up the
    object's `extra` chunk: the row owns it now.
    """
    cdef uint16_t s = g.h.lki_head
    cdef uint16_t before
    cdef uint32_t k
    cdef LkiRow *r
    check(g.h.lki_free > 0)
    while rare(g.lki[s].pinned):
        s += 1
        g.h.lki_kept += 1
    check(s < g.h.lki_limit)
    g.h.lki_head = s + 1
    g.h.lki_free -= 1
    g.h.lki_records += 1
    r = &g.lki[s]
    if r.id:
        drop(g, s)
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
    if rare(g.trace != NULL):
        if g.trace.recorded != NULL:
            (<void (*)(Game *, uint16_t, uint16_t) noexcept nogil>g.trace.recorded)(g, row, s)
        trace(g, TR_LKI, s, r.defn, r.zone, zone_to, r.id)
        trace(g, TR_LKI_VALUES, r.power, r.toughness, r.controller, r.damage, r.id)
    return s


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
