"""Tapped and untapped, counters, in combat or not: changes of a permanent that stays where it is."""
from libc.stdint cimport int16_t, uint8_t, uint16_t

from lkicore._abilities cimport counters_on, extra_drop, set_counters
from lkicore._defs cimport face_of
from lkicore._guard cimport apart, rare
from lkicore._index cimport WATCHED
from lkicore._layers cimport changed, dirty
from lkicore._layout cimport Game
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._store cimport clear_bit, look_at, set_bit, touched, trace
from lkicore._triggers cimport happened, heard


cdef inline void clear_combat(Game *g, uint16_t row) noexcept nogil:
    g.attacks[row] = 0
    g.combat[row] = 0
    g.assigned[row] = 0
    g.blocks_row[row] = 0
    g.blocks_id[row] = 0


cdef apart leave_several(Game *g, uint16_t row) noexcept nogil:
    """The same of what blocks several attackers."""
    extra_drop(g, row, RK_BLOCKS)
    clear_combat(g, row)


cdef void leave_combat(Game *g, uint16_t row) noexcept nogil:
    """Removed from combat (CR 506.4)."""
    if rare(g.combat[row] & CB_MORE):
        leave_several(g, row)
    else:
        clear_combat(g, row)


cdef void tap(Game *g, uint16_t row) noexcept nogil:
    if g.status[row] & ST_TAPPED:
        return
    g.status[row] |= ST_TAPPED
    clear_bit(g.b_untapped, row)
    mana_update(g, row)
    touched(g)
    changed(g, RD_TAPPED)
    trace(g, TR_TAP, g.defn[row], 0, 0, 0, g.id[row])
    if heard(g, EV_TAPPED):
        happened(g, EV_TAPPED, row, g.id[row], 0, 0, g.controller[row], 0, 0)


cdef void untap(Game *g, uint16_t row) noexcept nogil:
    if not g.status[row] & ST_TAPPED:
        return
    if g.h.rule_counters and counters_on(g, row, CK_STUN):
        put_counters(g, row, CK_STUN, -1)  # CR 122.1d
        return
    g.status[row] &= <uint8_t>~<int>ST_TAPPED
    set_bit(g.b_untapped, row)
    mana_update(g, row)
    touched(g)
    changed(g, RD_TAPPED)
    if g.h.shields & WATCHED:
        dirty(g, row)  # "for as long as it remains tapped"
    if heard(g, EV_UNTAPPED):
        happened(g, EV_UNTAPPED, row, g.id[row], 0, 0, g.controller[row], 0, 0)


cdef inline bint has_chapters(const Game *g, uint16_t row) noexcept nogil:
    """It is, or may be, a Saga (CR 714)."""
    return face_of(g, g.defn[row]).chapters != 0 or g.oflags[row] & OF_OWN_ABILITIES


cdef void put_counters(Game *g, uint16_t row, int kind, int n) noexcept nogil:
    """Put counters on a permanent or, with n < 0, remove them, never below none (CR 122)."""
    cdef int have = counters_on(g, row, kind)
    if have + n < 0:
        n = -have
    elif have + n > 32000:
        n = 32000 - have
    if n == 0:
        return
    if kind == CK_P1P1:
        g.c_p1p1[row] += <int16_t>n
    elif kind == CK_M1M1:
        g.c_m1m1[row] += <int16_t>n
    elif kind == CK_LOYALTY:
        g.c_loyalty[row] += <int16_t>n
    elif kind == CK_CHARGE:
        g.c_charge[row] += <int16_t>n
    else:
        set_counters(g, row, kind, have + n)
    if kind <= CK_M1M1:
        dirty(g, row)
        look_at(g, row)
    elif kind == CK_LOYALTY or kind == CK_DEFENSE or has_chapters(g, row):
        look_at(g, row)
    changed(g, RD_COUNTERS)
    touched(g)
    trace(g, TR_COUNTERS, g.defn[row], n, kind, 0, g.id[row])
    if n > 0 and heard(g, EV_COUNTERS_PUT):
        happened(g, EV_COUNTERS_PUT, row, g.id[row], 0, 0, g.controller[row], n, kind)
    elif n < 0 and heard(g, EV_COUNTERS_REMOVED):
        happened(g, EV_COUNTERS_REMOVED, row, g.id[row], 0, 0, g.controller[row], -n, kind)
