"""Computed values: definition, continuous effects by layer and timestamp, counters (CR 613)."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memmove, memset

from lkicore._defs cimport face_of
from lkicore._guard cimport ctz64
from lkicore._layout cimport Effect, Game
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._store cimport clear_bit, ctrl_set, has_bit, look_at, need_room, new_timestamp, set_bit, touched
from lkicore._types cimport Face, FACE_ACTS


cdef void reset_values(Game *g, uint16_t row) noexcept nogil:
    """Values of an object that only its definition says something about: what is in no zone that effects reach."""
    cdef const Face *f = face_of(g, g.defn[row])
    g.types[row] = f.types
    g.power[row] = f.power
    g.toughness[row] = f.toughness
    g.colors[row] = f.colors
    g.keywords[row] = f.keywords
    g.mana[row] = f.mana


cdef void set_kind_bits(Game *g, uint16_t row) noexcept nogil:
    """Bit sets of a permanent that depend on its types and abilities."""
    cdef bint creature = (g.types[row] & T_CREATURE) != 0
    cdef bint acts = (face_of(g, g.defn[row]).flags & FACE_ACTS) != 0
    if creature != has_bit(g.b_creature, row):
        g.h.fighters_old = 1
        if creature:
            set_bit(g.b_creature, row)
        else:
            clear_bit(g.b_creature, row)
    if acts != has_bit(g.b_acts, row):
        if acts:
            set_bit(g.b_acts, row)
            g.p_actors[g.controller[row]] += 1
            g.h.n_instants += 1
        else:
            clear_bit(g.b_acts, row)
            g.p_actors[g.controller[row]] -= 1
            g.h.n_instants -= 1


cdef void compute(Game *g, uint16_t row) noexcept nogil:
    """Compute one object's values."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int power = f.power
    cdef int toughness = f.toughness
    cdef uint64_t keywords = f.keywords
    cdef uint32_t i
    cdef Effect *e
    clear_bit(g.b_dirty, row)
    if g.zone[row] != Z_BATTLEFIELD:
        reset_values(g, row)
        return
    if g.n_effects[row]:
        for i in range(g.h.n_effects):
            e = &g.effect[i]
            if e.affected_row == row and e.affected_id == g.id[row]:
                keywords |= e.keywords   # layer 6
                power += e.power         # layer 7c, with the counters: sums don't depend on the order
                toughness += e.toughness
    power += g.c_p1p1[row] - g.c_m1m1[row]
    toughness += g.c_p1p1[row] - g.c_m1m1[row]
    g.types[row] = f.types
    g.colors[row] = f.colors
    g.mana[row] = f.mana
    if not f.types & T_CREATURE:
        power = toughness = 0  # CR 208.3
    g.power[row] = <int16_t>power
    g.toughness[row] = <int16_t>toughness
    g.keywords[row] = keywords
    set_kind_bits(g, row)
    if g.types[row] & T_CREATURE:
        look_at(g, row)
    mana_update(g, row)
    touched(g)


cdef void compute_dirty(Game *g) noexcept nogil:
    cdef uint32_t w
    cdef uint64_t bits
    for w in range(g.lay.words):
        bits = g.b_dirty[w]
        while bits:
            compute(g, <uint16_t>(w * 64 + <uint32_t>ctz64(bits)))
            bits &= bits - 1
        g.b_dirty[w] = 0
    g.h.bits_dirty = 0


cdef void effect_add(Game *g, uint16_t row, int power, int toughness, uint64_t keywords, int duration, int player,
                     uint16_t source_row, uint32_t source_id) noexcept nogil:
    """A continuous effect of a resolving spell or ability on one object (CR 611.2c: the set is locked)."""
    cdef Effect *e
    if g.h.n_effects == g.lay.effects:
        need_room(g)
        return
    e = &g.effect[g.h.n_effects]
    g.h.n_effects += 1
    memset(e, 0, sizeof(Effect))
    e.affected_row = row
    e.affected_id = g.id[row]
    e.source_row = source_row
    e.source_id = source_id
    e.keywords = keywords
    e.timestamp = new_timestamp(g)
    e.power = <int16_t>power
    e.toughness = <int16_t>toughness
    e.duration = <uint8_t>duration
    e.player = <uint8_t>player
    g.n_effects[row] += 1
    dirty(g, row)


cdef void remove_effect(Game *g, uint32_t i) noexcept nogil:
    cdef uint32_t n = g.h.n_effects - i - 1
    memmove(&g.effect[i], &g.effect[i + 1], n * sizeof(Effect))
    g.h.n_effects -= 1
    memset(&g.effect[g.h.n_effects], 0, sizeof(Effect))


cdef void effects_leave(Game *g, uint16_t row) noexcept nogil:
    """The object leaves: effects on it don't follow (CR 400.7)."""
    cdef uint32_t i = 0
    while i < g.h.n_effects:
        if g.effect[i].affected_row == row and g.effect[i].affected_id == g.id[row]:
            remove_effect(g, i)
        else:
            i += 1
    g.n_effects[row] = 0


cdef void effects_expire(Game *g) noexcept nogil:
    """CR 514.2: "until end of turn" effects end."""
    cdef uint32_t i
    cdef uint32_t kept = 0
    cdef uint16_t row
    for i in range(g.h.n_effects):
        if g.effect[i].duration == D_END_OF_TURN:
            row = g.effect[i].affected_row
            g.n_effects[row] -= 1
            dirty(g, row)
        else:
            if kept != i:
                g.effect[kept] = g.effect[i]
            kept += 1
    memset(&g.effect[kept], 0, (g.h.n_effects - kept) * sizeof(Effect))
    g.h.n_effects = <uint16_t>kept


cdef void change_controller(Game *g, uint16_t row, int player) noexcept nogil:
    """A permanent comes under another player's control (CR 110.2); it is summoning sick and out of combat (506.4)."""
    if g.controller[row] == player:
        return
    # Uncount it with its former controller first.
    g.status[row] |= ST_PHASED_OUT
    mana_update(g, row)
    g.status[row] &= <uint8_t>~<int>ST_PHASED_OUT
    clear_bit(ctrl_set(g, g.controller[row]), row)
    if has_bit(g.b_acts, row):
        g.p_actors[g.controller[row]] -= 1
        g.p_actors[player] += 1
    g.controller[row] = <uint8_t>player
    set_bit(ctrl_set(g, player), row)
    g.status[row] |= ST_SICK
    set_bit(g.b_sick, row)
    g.attacks[row] = 0
    g.combat[row] = 0
    g.blocks_row[row] = 0
    g.blocks_id[row] = 0
    mana_update(g, row)
    touched(g)
