"""Validating a block: whether bit sets, mana sources, computed values and combat follow from the columns."""
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._check_codes cimport *
from lkicore._defs cimport face_of
from lkicore._game cimport NO_PLAYER
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._rng cimport N_PURPOSES
from lkicore._store cimport ctrl_set, has_bit, set_bit, zone_list
from lkicore._types cimport FACE_ACTS, FACE_INSTANT_SPEED, Face


cdef int check_players(const Game *g) noexcept nogil:
    """Ranges, mana pools, streams of chance, counts of what can be done at instant speed."""
    cdef int p, k, sum
    cdef uint16_t row
    cdef uint32_t quick = 0
    for p in range(<int>g.lay.players):
        if (not -MOST_LIFE <= g.p_life[p] <= MOST_LIFE or g.p_kept[p] > 1 or g.p_empty_draw[p] > 1
                or g.p_act[p] >> N_ACT or g.p_left_tick[p] > g.h.tick):
            return bad(BAD_PLAYER, p)
        sum = 0
        row = g.z_head[zone_list(g, Z_HAND, p)]
        while row:
            if face_of(g, g.defn[row]).flags & FACE_INSTANT_SPEED:
                sum += 1
            row = g.znext[row]
        if sum != g.p_instants[p]:
            return bad(BAD_INSTANTS, p)
        quick += <uint32_t>sum
        sum = 0
        row = g.z_head[Z_BATTLEFIELD * g.lay.players]
        while row:
            if g.controller[row] == p and face_of(g, g.defn[row]).flags & FACE_ACTS:
                sum += 1
            row = g.znext[row]
        if sum != g.p_actors[p]:
            return bad(BAD_ACTORS, p)
        quick += <uint32_t>sum
        sum = 0
        for k in range(6):
            sum += g.p_pool[p * 6 + k]
        if sum != g.p_pool_n[p] or (sum and not g.h.pools):
            return bad(BAD_POOL_SUM, p)
        for k in range(N_PURPOSES):
            if not g.stream[(p * N_PURPOSES + k) * 2] and not g.stream[(p * N_PURPOSES + k) * 2 + 1]:
                return bad(BAD_STREAM, p)
    return FINE if quick == g.h.n_instants else bad(BAD_INSTANTS, NO_PLAYER)


cdef int mana_wanted(const Game *g, uint16_t row) noexcept nogil:
    """The mask that a permanent is to be counted with among its controller's untapped sources (CR 605, 302.6)."""
    if g.status[row] & (ST_TAPPED | ST_PHASED_OUT):
        return 0
    if g.types[row] & T_CREATURE and g.status[row] & ST_SICK and not g.keywords[row] & K_HASTE:
        return 0
    return g.mana[row]


cdef bint values_follow(const Game *g, uint16_t row) noexcept nogil:
    """Computed values anew: definition, effects, counters (CR 613)."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int power = f.power
    cdef int toughness = f.toughness
    cdef uint64_t keywords = f.keywords
    cdef uint32_t i
    if g.oflags[row] & OF_ABILITY:
        return not (g.types[row] | g.colors[row] | g.mana[row] | g.power[row] | g.toughness[row] | g.keywords[row])
    if g.types[row] != f.types or g.colors[row] != f.colors or g.mana[row] != f.mana:
        return False
    if g.zone[row] == Z_BATTLEFIELD:
        for i in range(g.h.n_effects):
            if g.effect[i].affected_row == row and g.effect[i].affected_id == g.id[row]:
                power += g.effect[i].power
                toughness += g.effect[i].toughness
                keywords |= g.effect[i].keywords
        power += g.c_p1p1[row] - g.c_m1m1[row]
        toughness += g.c_p1p1[row] - g.c_m1m1[row]
        if not f.types & T_CREATURE:
            power = 0
            toughness = 0
    return g.power[row] == <int16_t>power and g.toughness[row] == <int16_t>toughness and g.keywords[row] == keywords


cdef bint bits_follow(const Game *g, uint16_t row) noexcept nogil:
    cdef int p
    for p in range(<int>g.lay.players):
        if has_bit(ctrl_set(g, p), row) != (g.controller[row] == p):
            return False
    return (has_bit(g.b_creature, row) == ((g.types[row] & T_CREATURE) != 0)
            and has_bit(g.b_untapped, row) == ((g.status[row] & ST_TAPPED) == 0)
            and has_bit(g.b_sick, row) == ((g.status[row] & ST_SICK) != 0)
            and has_bit(g.b_acts, row) == ((face_of(g, g.defn[row]).flags & FACE_ACTS) != 0))


cdef int check_field(const Game *g, Scratch *s) noexcept nogil:
    """Permanents: order, values, effects, bit sets, mana sources; all other rows have none of these."""
    cdef uint64_t lo[8]
    cdef uint64_t hi[8]
    cdef uint16_t row
    cdef uint32_t stamp = 0
    cdef uint32_t i
    cdef int p, n, c, mask, amount
    cdef uint32_t w
    cdef uint64_t field
    cdef int effects = 0
    memset(lo, 0, sizeof(lo))
    memset(hi, 0, sizeof(hi))
    memset(s.seen, 0, g.lay.words * 8)
    row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    while row:
        set_bit(s.seen, row)
        if g.timestamp[row] <= stamp:
            return bad(BAD_ORDER, row)
        stamp = g.timestamp[row]
        if not bits_follow(g, row):
            return bad(BAD_BITS, row)
        n = 0
        for i in range(g.h.n_effects if g.n_effects[row] else 0):
            if g.effect[i].affected_row == row:
                n += 1
        if n != g.n_effects[row]:
            return bad(BAD_EFFECTS, row)
        effects += n
        if not has_bit(g.b_dirty, row):
            if not values_follow(g, row):
                return bad(BAD_VALUES, row)
            if g.mana_in[row] != mana_wanted(g, row):
                return bad(BAD_MANA_SOURCE, row)
        elif not g.h.bits_dirty:
            return bad(BAD_BITS, row)
        if has_bit(g.b_sba, row) and not g.h.sba & SBA_OBJECTS:
            return bad(BAD_BITS, row)
        mask = g.mana_in[row]
        if mask:
            p = g.controller[row]
            amount = face_of(g, g.defn[row]).mana_amount
            for c in range(4):
                if mask >> c & 1:
                    lo[p] += <uint64_t>amount << (16 * c)
            hi[p] += <uint64_t>amount << 32
            for c in range(4, 6):
                if mask >> c & 1:
                    hi[p] += <uint64_t>amount << (16 * (c - 4))
            if mask & (mask - 1) or amount > 1:
                hi[p] += <uint64_t>1 << 48
        row = g.znext[row]
    if effects != g.h.n_effects:
        return bad(BAD_EFFECTS, 0)
    for p in range(<int>g.lay.players):
        if g.p_mana_lo[p] != lo[p] or g.p_mana_hi[p] != hi[p]:
            return bad(BAD_MANA, p)
    for w in range(g.lay.words):
        field = s.seen[w]
        if (g.b_creature[w] | g.b_untapped[w] | g.b_sick[w] | g.b_acts[w] | g.b_dirty[w] | g.b_sba[w]) & ~field:
            return BAD_STRAY_BITS
        for p in range(<int>g.lay.players):
            if ctrl_set(g, p)[w] & ~field:
                return BAD_STRAY_BITS
    return FINE


cdef int check_elsewhere(const Game *g) noexcept nogil:
    """Objects off the battlefield: values as printed; tokens that wait to cease to exist (CR 704.5d)."""
    cdef uint32_t row
    cdef int tokens = 0
    for row in range(1, g.lay.rows):
        if g.id[row] == 0 or g.zone[row] == Z_BATTLEFIELD:
            continue
        if g.oflags[row] & OF_TOKEN:
            tokens += 1
        if not values_follow(g, <uint16_t>row):
            return bad(BAD_VALUES, row)
    return FINE if tokens == g.h.n_tokens else BAD_TOKENS


cdef int check_combat(const Game *g, Scratch *s) noexcept nogil:
    """Attackers and blockers only in combat; a blocker blocks something; references of permanents are kept."""
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef bint combat = STEP_DECLARE_ATTACKERS <= g.h.step <= STEP_END_COMBAT
    cdef int i
    memset(s.seen, 0, g.lay.words * 8)
    for i in range(g.h.n_fighters):
        set_bit(s.seen, g.fighter[i])
    while row:
        if (g.attacks[row] or g.combat[row] or g.blocks_id[row]) and not has_bit(s.seen, row):
            return bad(BAD_COMBAT, row)
        if g.damage[row] and not g.h.damaged:
            return bad(BAD_DAMAGE, row)
        if not combat and (g.attacks[row] or g.combat[row] or g.blocks_id[row]):
            return bad(BAD_COMBAT, row)
        if (g.blocks_id[row] != 0) != ((g.combat[row] & CB_BLOCKING) != 0):
            return bad(BAD_COMBAT, row)
        if g.combat[row] & CB_BLOCKED and not g.attacks[row]:
            return bad(BAD_COMBAT, row)
        if not kept(g, s, g.attached_row[row], g.attached_id[row]):
            return bad(LOST_ATTACHED, row)
        if not kept(g, s, g.blocks_row[row], g.blocks_id[row]):
            return bad(LOST_BLOCKED, row)
        row = g.znext[row]
    return FINE
