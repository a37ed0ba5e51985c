"""Face-down permanents (CR 708): turned face up and down, put onto the battlefield face down.

A face-down permanent has the definition of its form, a face without a name (708.2a): copies take that (707.2), and what
left was that (708.9, 603.10). What it would be face up stays in its list (`_hidden`). Turning it is no change of zones:
it stays the same object, with its counters, attachments and what applies to it (708.8).
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, entry_next, extra_add
from lkicore._arena cimport chunk_refs
from lkicore._copies cimport redefine
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx, holds, plain_context, value
from lkicore._guise cimport show
from lkicore._hidden cimport HIDDEN, definition_under
from lkicore._instead cimport counters_at_once
from lkicore._layers cimport set_kind_bits, settle
from lkicore._opcodes cimport *
from lkicore._status cimport put_counters
from lkicore._store cimport link_tail, look_at, new_timestamp, touched, unlink, zone_list
from lkicore._triggers cimport happened, heard
from lkicore._types cimport Ability, FACE_PERMANENT, NONE16

cdef enum:
    EVERYONE = 0xFF
    MAX_GROUP = 18432


cdef void turned(Game *g, uint16_t row) noexcept nogil:
    """CR 613.7f: a new timestamp; the battlefield is in the order of timestamps."""
    cdef int k = zone_list(g, Z_BATTLEFIELD, 0)
    redefine(g, row)
    g.timestamp[row] = new_timestamp(g)
    unlink(g, k, row)
    link_tail(g, k, row)
    set_kind_bits(g, row)
    g.h.fighters_old = 1
    look_at(g, row)
    touched(g)


cdef void turn_up(Game *g, const uint16_t *rows, int n) noexcept nogil:
    cdef uint8_t done[MAX_GROUP]
    cdef uint16_t row
    cdef int i
    g.h.tick += 1
    for i in range(n):
        row = rows[i]
        done[i] = 0
        if g.zone[row] != Z_BATTLEFIELD or not g.status[row] & ST_FACE_DOWN:
            continue
        g.known_to[row] = EVERYONE
        if not face_of(g, definition_under(g, row)).flags & FACE_PERMANENT:
            continue  # CR 701.40g: an instant or sorcery card is revealed and stays face down
        done[i] = 1
        g.status[row] &= <uint8_t>~<int>ST_FACE_DOWN
        turned(g, row)
    settle(g)
    for i in range(n):
        if done[i]:
            as_turned_up(g, rows[i])
    settle(g)
    for i in range(n if heard(g, EV_TURNED_UP) else 0):
        if done[i]:
            happened(g, EV_TURNED_UP, rows[i], g.id[rows[i]], 0, 0, g.controller[rows[i]], 0, 0)


cdef void as_turned_up(Game *g, uint16_t row) noexcept nogil:
    """CR 614.1e, 708.8: what it says of being turned face up; it is face up already."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef bint known
    cdef int i, k, m
    cdef int n = abilities_of(g, row, list)
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind != AB_REPLACEMENT or a.event != RP_TURNED_UP:
            continue
        plain_context(g, row, g.id[row], g.controller[row], &c)
        c.self_row = row
        if not holds(g, &c, a.condition):
            continue
        for k in range(a.first_change, a.first_change + a.n_changes):
            if g.cards.changes[k].op == EN_COUNTERS:
                known = True
                m = value(g, &c, g.cards.changes[k].b, &known)
                if known and m > 0:
                    put_counters(g, row, g.cards.changes[k].a, counters_at_once(g, row, g.cards.changes[k].a, m))


cdef void turn_down(Game *g, const uint16_t *rows, int n, uint16_t form) noexcept nogil:
    cdef uint16_t row
    cdef int i, lay
    g.h.tick += 1
    for i in range(n):
        row = rows[i]
        if g.zone[row] != Z_BATTLEFIELD or g.status[row] & ST_FACE_DOWN:
            continue
        # CR 712.16: a double-faced permanent can't be turned face down.
        lay = face_of(g, g.pc_face[g.card[row]] if g.card[row] != NONE16 else g.defn[row]).layout
        if lay == LO_TRANSFORMING or lay == LO_MODAL:
            continue
        g.status[row] |= ST_FACE_DOWN
        extra_add(g, row, RK_BASE, 0, form, HIDDEN)
        turned(g, row)
    settle(g)


cdef void hide(Game *g, const uint16_t *rows, int n, uint16_t form) noexcept nogil:
    cdef int i
    for i in range(n):
        show(g, rows[i], form)
        g.status[rows[i]] |= ST_FACE_DOWN


cdef void set_x(Game *g, uint16_t row, int x) noexcept nogil:
    cdef int i = entry_next(g, g.extra[row], RK_CAST, 0) if g.extra[row] else -1
    if i >= 0:
        chunk_refs(g, g.extra[row])[i].id = <uint32_t>x
    else:
        extra_add(g, row, RK_CAST, <uint32_t>x, 0, 1)


cdef void place_face_down(Game *g, uint16_t row, uint16_t form) noexcept nogil:
    g.status[row] |= ST_FACE_DOWN
    g.known_to[row] = <uint8_t>(1 << g.controller[row])
    extra_add(g, row, RK_BASE, 0, form, HIDDEN)
    redefine(g, row)
    set_kind_bits(g, row)
