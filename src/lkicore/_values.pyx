"""Values before and after a pass over the layers: where they start, and what hangs on them when they are computed."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, ability_of, extra_drop, own_abilities
from lkicore._changes cimport Before, Pass, change_type_words, sized
from lkicore._defs cimport face_of
from lkicore._guard cimport ctz64
from lkicore._index cimport count_actor, dirty_all, has_activated, index_object, set_kind_bits
from lkicore._layout cimport Game
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._store cimport has_bit, look_at, touched, trace
from lkicore._text cimport types_change
from lkicore._types cimport FACE_ACTS, Face


cdef void start_row(Game *g, Pass *p, int k) noexcept nogil:
    """As its definition says, but for the size, which earlier layers read as it was."""
    cdef uint16_t row = p.rows[k]
    cdef const Face *f = face_of(g, g.defn[row])
    cdef Before *b = &p.before[k]
    b.keywords = g.keywords[row]
    b.power = g.power[row]
    b.toughness = g.toughness[row]
    b.types = g.types[row]
    b.colors = g.colors[row]
    b.controller = g.controller[row]
    p.restricted[row] = 0
    g.types[row] = f.types
    g.colors[row] = f.colors
    g.keywords[row] = f.keywords
    if g.oflags[row] & OF_OWN_SUBTYPES:
        extra_drop(g, row, RK_SUBTYPE)
        g.oflags[row] &= <uint8_t>~<int>OF_OWN_SUBTYPES
    if g.n_effects[row] and types_change(g, row):
        change_type_words(g, row)  # CR 613.1c: layer 3


cdef void start_rows(Game *g, Pass *p, uint64_t *own) noexcept nogil:
    cdef int k
    cdef uint16_t row
    for k in range(p.width):
        own[k] = 0
    for k in range(p.n):
        row = p.rows[k]
        if g.oflags[row] & OF_OWN_ABILITIES:
            own[k >> 6] |= <uint64_t>1 << (k & 63)
            extra_drop(g, row, RK_ABILITY)
            g.oflags[row] &= <uint8_t>~<int>OF_OWN_ABILITIES
        start_row(g, p, k)


cdef void start_sizes(Game *g, Pass *p) noexcept nogil:
    cdef int k
    cdef uint16_t row
    cdef const Face *f
    for k in range(p.n):
        row = p.rows[k]
        f = face_of(g, g.defn[row])
        g.power[row] = f.power if g.types[row] & T_CREATURE else 0
        g.toughness[row] = f.toughness if g.types[row] & T_CREATURE else 0


cdef void count_counters(Game *g, Pass *p) noexcept nogil:
    """Layer 7c: sums don't depend on the order."""
    cdef int k
    cdef uint16_t row
    for k in range(p.n):
        row = p.rows[k]
        if g.types[row] & T_CREATURE and (g.c_p1p1[row] or g.c_m1m1[row]):
            g.power[row] = sized(g.power[row] + g.c_p1p1[row] - g.c_m1m1[row])
            g.toughness[row] = sized(g.toughness[row] + g.c_p1p1[row] - g.c_m1m1[row])


cdef int mana_of(const Game *g, uint16_t row) noexcept nogil:
    """Colours that the tap-for-mana abilities of its list make."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n, i
    cdef int mask = 0
    if not g.oflags[row] & OF_OWN_ABILITIES:
        return face_of(g, g.defn[row]).mana
    n = own_abilities(g, g.extra[row], list)
    for i in range(n):
        if ability_of(g, list[i]).kind == AB_MANA and ability_of(g, list[i]).program < 0:
            mask |= ability_of(g, list[i]).mana_mask
    return mask


cdef void look_at_attached(Game *g, uint16_t row) noexcept nogil:
    """What is attached to it may be so no longer (CR 704.5m-p)."""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t other
    if has_bit(g.b_attached, row):
        look_at(g, row)
    for w in range(g.lay.words):
        bits = g.b_attached[w]
        while bits:
            other = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            if g.attached_row[other] == row:
                look_at(g, other)
            bits &= bits - 1


cdef void finish_elsewhere(Game *g, Pass *p, uint16_t row, bint indexed, bint other) noexcept nogil:
    """What hangs on the values of an object outside the battlefield (CR 113.6)."""
    cdef bint was_static = has_bit(g.b_static, row)
    if indexed:
        index_object(g, row, True)
        count_actor(g, row, has_activated(g, row))
        if not p.whole and (was_static or has_bit(g.b_static, row)):
            dirty_all(g)
    if indexed or other:
        touched(g)
    if other:
        p.any_changed = True


cdef void finish_row(Game *g, Pass *p, int k, bint had_own) noexcept nogil:
    """What hangs on the values: bit sets, mana, indexes, state-based actions."""
    cdef uint16_t row = p.rows[k]
    cdef const Before *b = &p.before[k]
    cdef const Face *f = face_of(g, g.defn[row])
    cdef bint own = (g.oflags[row] & OF_OWN_ABILITIES) != 0
    cdef bint resized = b.power != g.power[row] or b.toughness != g.toughness[row]
    cdef bint other = (p.all_changed or b.keywords != g.keywords[row] or b.types != g.types[row]
                       or b.colors != g.colors[row] or b.controller != g.controller[row])
    cdef bint was_static = False
    if g.zone[row] != Z_BATTLEFIELD:
        finish_elsewhere(g, p, row, own or had_own, other or resized)
        return
    if (other or own or had_own or g.mana[row] != f.mana
            or has_bit(g.b_acts, row) != ((f.flags & FACE_ACTS) != 0) or g.status[row] & ST_FACE_DOWN):
        g.mana[row] = <uint8_t>mana_of(g, row)
        set_kind_bits(g, row)
    if own or had_own:
        was_static = has_bit(g.b_static, row)
        index_object(g, row, True)
        if not p.whole and (was_static or has_bit(g.b_static, row)):
            dirty_all(g)
    mana_update(g, row)
    if (other or own or had_own) and g.h.n_attached:
        look_at_attached(g, row)
    if other or resized or own or had_own or not p.whole:
        if g.types[row] & (T_CREATURE | T_LEGENDARY | T_WORLD | T_PLANESWALKER | T_BATTLE):
            look_at(g, row)
            if g.types[row] & (T_PLANESWALKER | T_BATTLE):
                g.h.walkers = 1
        touched(g)
    if other:
        if g.keywords[row] & K_PHASING:
            g.h.phasing |= UF_PHASING
        if g.keywords[row] & K_MAY_STAY_TAPPED:
            g.h.phasing |= UF_STAYS
        p.any_quality = True
    if other or resized:
        p.any_changed = True
    if resized and g.types[row] & T_CREATURE:
        trace(g, TR_PUMP, g.defn[row], g.power[row], g.toughness[row], 0, g.id[row])
