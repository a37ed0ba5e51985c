"""Mana: sources, pools, payment.

Order of preference of automatic payment (published in docs/architecture.md):

1. mana in the pool, coloured symbols first;
2. for a coloured symbol, then for generic mana: lands before other permanents, sources of fewer colours before sources
   of more; for generic mana the colour of which the player has most untapped sources; then the oldest timestamp.

A source is only taken if the rest of the cost can still be paid, so that a payment is found whenever one exists.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memmove, memset

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._guard cimport ctz64, on_stack, rare
from lkicore._layout cimport Game, SpecialMana
from lkicore._opcodes cimport *
from lkicore._store cimport clear_bit, ctrl_set, need_room, touched, trace
from lkicore._triggers cimport happened, heard
from lkicore._types cimport Mana

cdef int cost_pips(const Mana *cost, int color) noexcept nogil:
    return <int>(((cost.lo if color < 4 else cost.hi) >> (16 * (color & 3))) & 0xFFFF)


cdef int cost_total(const Mana *cost) noexcept nogil:
    return <int>((cost.hi >> TOTAL_SHIFT) & 0xFFFF)


# A source of one mana of a colour of the mask, in lanes, and how many colours those are; by mask.
cdef Mana[64] one_of
cdef int[64] n_colors

cdef void fill_lanes() noexcept:
    cdef uint64_t m
    for m in range(64):
        one_of[m].lo = (m & 1) | (m & 2) << 15 | (m & 4) << 30 | (m & 8) << 45
        one_of[m].hi = (m >> 4 & 1) | (m >> 5 & 1) << 16 | <uint64_t>1 << TOTAL_SHIFT
        n_colors[m] = n_colors[m >> 1] + <int>(m & 1)

fill_lanes()


cdef inline Mana lanes_of(int mask, uint64_t amount) noexcept nogil:
    """A source of `amount` mana of a colour of the mask, in lanes."""
    cdef Mana r = one_of[mask & 63]
    r.lo *= amount
    r.hi *= amount
    if mask & (mask - 1) or amount > 1:
        r.hi += <uint64_t>1 << EXTRA_SHIFT
    return r


cdef int own_amount(const Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t list[MOST_ABILITIES]
    cdef int k = abilities_of(g, row, list)
    cdef int n = 0
    cdef int i
    for i in range(k):
        if ability_of(g, list[i]).kind == AB_MANA and ability_of(g, list[i]).program < 0:
            n = max(n, <int>ability_of(g, list[i]).mana_amount)
    return n if n else 1


cdef void mana_count(Game *g, uint16_t row, int want) noexcept nogil:
    """Change the mask that a permanent is counted with; `extra` counts what the lanes alone can't decide."""
    cdef int p = g.controller[row]
    cdef Mana m
    if g.mana_in[row]:
        m = lanes_of(g.mana_in[row], g.mana_n[row])
        g.p_mana_lo[p] -= m.lo
        g.p_mana_hi[p] -= m.hi
    g.mana_n[row] = <uint8_t>amount_of(g, row) if want else 0
    if want:
        m = lanes_of(want, g.mana_n[row])
        g.p_mana_lo[p] += m.lo
        g.p_mana_hi[p] += m.hi
    g.mana_in[row] = <uint8_t>want
    touched(g)


cdef inline int colors_asked(const Mana *cost) noexcept nogil:
    """The colours, colourless among them, of which the cost has symbols."""
    cdef uint64_t lo = (cost.lo + 0x7FFF7FFF7FFF7FFFULL) & LANES_HIGH
    cdef uint64_t hi = ((cost.hi & 0xFFFFFFFFULL) + 0x7FFF7FFFULL) & 0x80008000ULL
    return <int>(lo >> 15 & 1 | lo >> 30 & 2 | lo >> 45 & 4 | lo >> 60 & 8 | hi >> 11 & 16 | hi >> 26 & 32)


cdef inline uint64_t in_lane(uint64_t n) noexcept nogil:
    """An amount in a pool as a lane takes it: more than any cost asks for is as good."""
    return n if n < 0x3FFF else 0x3FFF


cdef bint can_pay_exact(Game *g, int player, const Mana *cost, uint16_t without) noexcept nogil:
    """Hall's condition: for every set of colours, the coloured symbols in it find enough mana, and all mana is enough.

    A source of several mana of one colour counts as so many sources. `without` leaves one source out. Only sets of
    colours that the cost asks for matter: a further colour adds mana and no need. The lanes decide about sets of one
    colour, and where every source makes one colour, about all.
    """
    cdef uint64_t lo = g.p_mana_lo[player]
    cdef uint64_t hi = g.p_mana_hi[player]
    cdef const uint16_t *pool = &g.p_pool[player * 6]
    cdef Mana m
    cdef int asked
    if without and g.mana_in[without]:
        m = lanes_of(g.mana_in[without], g.mana_n[without])
        lo -= m.lo
        hi -= m.hi
    if rare(g.p_pool_n[player]):
        lo += in_lane(pool[0]) | in_lane(pool[1]) << 16 | in_lane(pool[2]) << 32 | in_lane(pool[3]) << 48
        hi += in_lane(pool[4]) | in_lane(pool[5]) << 16 | in_lane(g.p_pool_n[player]) << TOTAL_SHIFT
    if (((hi | LANES_HIGH) - cost.hi) & ((lo | LANES_HIGH) - cost.lo) & LANES_HIGH) != LANES_HIGH:
        return rare(cost.hi >> SNOW_SHIFT) and can_pay_snow(g, player, cost, without, False)
    if hi >> EXTRA_SHIFT == 0:
        return True
    if rare(cost.hi >> SNOW_SHIFT):
        return can_pay_snow(g, player, cost, without, False)
    asked = colors_asked(cost)
    return asked & (asked - 1) == 0 or sets_find_mana(g, player, cost, without, asked)


cdef bint sets_find_mana(Game *g, int player, const Mana *cost, uint16_t without, int asked) noexcept nogil:
    """Hall's condition for the sets of two and more of the colours asked for."""
    cdef int have[64]     # by mask, of the masks in `seen`
    cdef uint8_t mask_of[64]
    cdef uint64_t seen = 0
    cdef uint64_t bits
    cdef uint64_t *mine = ctrl_set(g, player)
    cdef uint32_t w
    cdef int n = 0
    cdef int set, c, need, got, k, mask
    cdef uint16_t row
    for c in range(6):
        if g.p_pool[player * 6 + c] and asked >> c & 1:
            have[1 << c] = g.p_pool[player * 6 + c]
            seen |= <uint64_t>1 << (1 << c)
            mask_of[n] = <uint8_t>(1 << c)
            n += 1
    for w in range(g.lay.words):
        bits = mine[w] & g.b_untapped[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            mask = g.mana_in[row] & asked
            if mask == 0 or row == without:
                continue
            if not seen >> mask & 1:
                seen |= <uint64_t>1 << mask
                have[mask] = 0
                mask_of[n] = <uint8_t>mask
                n += 1
            have[mask] += g.mana_n[row]
    set = asked
    while set & (set - 1):
        need = 0
        got = 0
        for c in range(6):
            if set >> c & 1:
                need += cost_pips(cost, c)
        for k in range(n):
            if mask_of[k] & set:
                got += have[mask_of[k]]
        if got < need:
            return False
        set = (set - 1) & asked
        while set and set & (set - 1) == 0:
            set = (set - 1) & asked
    return True


cdef int snow_of(const Mana *cost) noexcept nogil:
    return <int>(cost.hi >> SNOW_SHIFT)


cdef void take_snow(Mana *cost) noexcept nogil:
    """One mana paid for a {S} symbol."""
    cost.hi -= <uint64_t>1 << SNOW_SHIFT | <uint64_t>1 << TOTAL_SHIFT


cdef void snow_made(Game *g, int player, int color, int n, uint16_t source) noexcept nogil:
    if g.types[source] & T_SNOW:
        g.p_snow[player * 6 + color] += <uint16_t>n


cdef bint can_pay_snow(Game *g, int player, const Mana *cost, uint16_t without, bint pool_only) noexcept nogil:
    """Hall's condition with snow mana as a kind that {S} symbols ask for, whatever its colour (CR 107.4h)."""
    cdef int have[128]
    cdef uint64_t *mine = ctrl_set(g, player)
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t row
    cdef int asked = colors_asked(cost) | SNOW_KIND
    cdef int set = asked
    cdef int total = 0
    cdef int c, need, got, mask
    memset(have, 0, sizeof(have))
    for c in range(6):
        have[1 << c | SNOW_KIND] += g.p_snow[player * 6 + c]
        have[1 << c] += g.p_pool[player * 6 + c] - g.p_snow[player * 6 + c]
        total += g.p_pool[player * 6 + c]
    for w in range(0 if pool_only else g.lay.words):
        bits = mine[w] & g.b_untapped[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if g.mana_in[row] and row != without:
                have[g.mana_in[row] & 63 | (SNOW_KIND if g.types[row] & T_SNOW else 0)] += g.mana_n[row]
                total += g.mana_n[row]
    if total < cost_total(cost):
        return False
    while set:
        need = snow_of(cost) if set & SNOW_KIND else 0
        got = 0
        for c in range(6):
            if set >> c & 1:
                need += cost_pips(cost, c)
        for mask in range(1, 128):
            if mask & set:
                got += have[mask]
        if got < need:
            return False
        set = (set - 1) & asked
    return True


cdef bint pool_pays_snow(Game *g, int player, Mana *cost) noexcept nogil:
    """A {S} symbol is paid from the pool, with mana that the rest can be paid without."""
    cdef Mana after = cost[0]
    cdef int c
    take_snow(&after)
    for c in range(5, -1, -1):
        if not g.p_snow[player * 6 + c]:
            continue
        g.p_snow[player * 6 + c] -= 1
        g.p_pool[player * 6 + c] -= 1
        g.p_pool_n[player] -= 1
        if can_pay_exact(g, player, &after, 0):
            cost[0] = after
            touched(g)
            return True
        g.p_snow[player * 6 + c] += 1
        g.p_pool[player * 6 + c] += 1
        g.p_pool_n[player] += 1
    return False


cdef bint source_pays_snow(Game *g, int player, Mana *cost) noexcept nogil:
    """A {S} symbol is paid with the preferred snow source that the rest can be paid without."""
    cdef Mana after = cost[0]
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef uint16_t best = 0
    cdef uint8_t counted
    cdef int best_color = 0
    cdef int c, n
    cdef bint fits
    take_snow(&after)
    while row:
        counted = g.mana_in[row]
        if counted and g.controller[row] == player and g.types[row] & T_SNOW and (
                best == 0 or rank_of(g, row) < rank_of(g, best)):
            n = g.mana_n[row] - 1   # the others go into the pool
            for c in range(6):
                if not counted >> c & 1:
                    continue
                set_aside(g, row)
                g.p_snow[player * 6 + c] += <uint16_t>n
                g.p_pool[player * 6 + c] += <uint16_t>n
                g.p_pool_n[player] += <uint16_t>n
                fits = can_pay_exact(g, player, &after, 0)
                g.p_snow[player * 6 + c] -= <uint16_t>n
                g.p_pool[player * 6 + c] -= <uint16_t>n
                g.p_pool_n[player] -= <uint16_t>n
                put_back(g, row, counted)
                if fits:
                    best = row
                    best_color = c
                    break
        row = g.znext[row]
    if best == 0:
        return False
    n = g.mana_n[best] - 1
    tap_quietly(g, best)
    if n:
        g.p_snow[player * 6 + best_color] += <uint16_t>n
        g.p_pool[player * 6 + best_color] += <uint16_t>n
        g.p_pool_n[player] += <uint16_t>n
        g.h.pools = 1
    cost[0] = after
    return True


cdef void take_pip(Mana *cost, int color) noexcept nogil:
    """One mana paid: for a coloured symbol (color 0..5) or for generic mana (-1)."""
    if color >= 4:
        cost.hi -= <uint64_t>1 << (16 * (color - 4))
    elif color >= 0:
        cost.lo -= <uint64_t>1 << (16 * color)
    cost.hi -= <uint64_t>1 << TOTAL_SHIFT


cdef int generic_of(const Mana *cost) noexcept nogil:
    cdef int c
    cdef int n = cost_total(cost)
    for c in range(6):
        n -= cost_pips(cost, c)
    return n - snow_of(cost)


cdef void tapped(Game *g, uint16_t row) noexcept nogil:
    """A source has become tapped: what looks at that, and what triggers on it."""
    if not (g.h.reads | g.h.listening):
        return
    if g.h.reads & RD_TAPPED:
        g.h.all_dirty = 1
        g.h.bits_dirty |= 1
    if heard(g, EV_TAPPED):
        happened(g, EV_TAPPED, row, g.id[row], 0, 0, g.controller[row], 0, 0)
    if heard(g, EV_MANA):
        happened(g, EV_MANA, row, g.id[row], 0, 0, g.controller[row], g.mana[row], 0)


cdef void tap_for_mana(Game *g, uint16_t row, int color) noexcept nogil:
    """Activate a tap-for-mana ability (CR 605.3): the permanent taps, its controller's pool gains the mana."""
    cdef int p = g.controller[row]
    cdef int n = amount_of(g, row)
    g.status[row] |= ST_TAPPED
    clear_bit(g.b_untapped, row)
    mana_update(g, row)
    g.p_pool[p * 6 + color] += <uint16_t>n
    g.p_pool_n[p] += <uint16_t>n
    g.h.pools = 1
    snow_made(g, p, color, n, row)
    trace(g, TR_MANA, p, color, g.defn[row], n, g.id[row])
    tapped(g, row)


cdef bint pool_pays(Game *g, int player, const Mana *cost) noexcept nogil:
    """The pool alone pays the cost."""
    cdef int c
    for c in range(6):
        if g.p_pool[player * 6 + c] < cost_pips(cost, c):
            return False
    if rare(snow_of(cost)):
        return can_pay_snow(g, player, cost, 0, True)
    return g.p_pool_n[player] >= cost_total(cost)


cdef void pool_spend(Game *g, int player, Mana *cost, int color) noexcept nogil:
    """Spend one mana of a colour from the pool: on a symbol of that colour if there is one, else on {S} if it is snow
    mana, else on generic mana. Where there is other mana of the colour, snow mana is kept."""
    g.p_pool[player * 6 + color] -= 1
    g.p_pool_n[player] -= 1
    if rare(g.p_snow[player * 6 + color]):
        if snow_of(cost) and not cost_pips(cost, color):
            g.p_snow[player * 6 + color] -= 1
            take_snow(cost)
            touched(g)
            return
        g.p_snow[player * 6 + color] = min(g.p_snow[player * 6 + color], g.p_pool[player * 6 + color])
    take_pip(cost, color if cost_pips(cost, color) else -1)
    touched(g)


cdef void special_empties(Game *g) noexcept nogil:
    """What says that it stays does so until the turn ends (CR 106.4, 500.5)."""
    cdef uint32_t i = 0
    while i < g.h.n_special:
        if ability_of(g, g.special[i].ability).flags & MA_STAYS and g.h.step != STEP_CLEANUP:
            i += 1
            g.h.pools = 1
        else:
            drop_special(g, i)
            touched(g)


cdef void pools_empty(Game *g) noexcept nogil:
    """CR 500.5: mana pools empty as a step or phase ends."""
    cdef int p, c
    g.h.pools = 0
    for p in range(<int>g.lay.players):
        if g.p_pool_n[p]:
            for c in range(6):
                g.p_pool[p * 6 + c] = 0
                g.p_snow[p * 6 + c] = 0
            g.p_pool_n[p] = 0
            touched(g)
    if g.h.n_special:
        special_empties(g)


cdef void give_mana(Game *g, int player, int color, int n, int use, uint16_t source_row,
                    uint32_t source_id) noexcept nogil:
    cdef SpecialMana *m
    n = min(n, 60000 - <int>g.p_pool_n[player])
    if n <= 0:
        return
    g.h.pools = 1
    touched(g)
    trace(g, TR_MANA, player, color, g.defn[source_row], n, 0)
    if use < 0:
        g.p_pool[player * 6 + color] += <uint16_t>n
        g.p_pool_n[player] += <uint16_t>n
        snow_made(g, player, color, n, source_row)
        return
    for _ in range(n):
        if g.h.n_special == g.lay.special:
            need_room(g)
            return
        m = &g.special[g.h.n_special]
        g.h.n_special += 1
        m.source_row = source_row
        m.source_id = source_id
        m.ability = <uint16_t>use
        m.player = <uint8_t>player
        m.color = <uint8_t>color


cdef void drop_special(Game *g, uint32_t i) noexcept nogil:
    memmove(&g.special[i], &g.special[i + 1], (g.h.n_special - i - 1) * sizeof(SpecialMana))
    g.h.n_special -= 1
    memset(&g.special[g.h.n_special], 0, sizeof(SpecialMana))


cdef uint8_t set_aside(Game *g, uint16_t row) noexcept nogil:
    """Leave a source out of what is counted for a while; what it was counted with."""
    cdef int counted = g.mana_in[row]
    cdef Mana m
    if counted:
        m = lanes_of(counted, g.mana_n[row])
        g.p_mana_lo[g.controller[row]] -= m.lo
        g.p_mana_hi[g.controller[row]] -= m.hi
        g.mana_in[row] = 0
    return <uint8_t>counted


cdef void put_back(Game *g, uint16_t row, int counted) noexcept nogil:
    cdef Mana m
    if counted:
        m = lanes_of(counted, g.mana_n[row])
        g.p_mana_lo[g.controller[row]] += m.lo
        g.p_mana_hi[g.controller[row]] += m.hi
        g.mana_in[row] = <uint8_t>counted


cdef void spend_pool_auto(Game *g, int player, Mana *cost) noexcept nogil:
    """Preference 1: coloured symbols from the pool, then generic mana, colourless and plentiful colours first."""
    cdef int c, best
    for c in range(6):
        while cost_pips(cost, c) and g.p_pool[player * 6 + c]:
            pool_spend(g, player, cost, c)
    while g.p_pool_n[player] and generic_of(cost) > 0:
        best = 5 if g.p_pool[player * 6 + 5] else 0
        if best == 0:
            for c in range(5):
                if g.p_pool[player * 6 + c] > g.p_pool[player * 6 + best]:
                    best = c
        pool_spend(g, player, cost, best)


cdef void tap_quietly(Game *g, uint16_t row) noexcept nogil:
    """Tap a source whose mana is spent at once."""
    g.status[row] |= ST_TAPPED
    clear_bit(g.b_untapped, row)
    mana_count(g, row, 0)
    trace(g, TR_TAP, g.defn[row], 0, 0, 0, g.id[row])
    tapped(g, row)


cdef bint pay_uniform(Game *g, int player, const Mana *cost, int mask) noexcept nogil:
    """All sources make the same one colour: lands first, then the others, oldest first."""
    cdef int left = cost_total(cost)
    cdef int lands = 0
    cdef uint16_t row
    for lands in range(2):
        row = g.z_head[Z_BATTLEFIELD * g.lay.players]
        while row and left:
            if g.mana_in[row] and g.controller[row] == player and (lands == 1 or g.types[row] & T_LAND):
                tap_quietly(g, row)
                left -= 1
            row = g.znext[row]
    return left == 0


cdef inline int rank_of(const Game *g, uint16_t row) noexcept nogil:
    """Lands before other permanents, sources of fewer colours before sources of more."""
    return (0 if g.types[row] & T_LAND else 1 << 20) + (n_colors[g.mana_in[row] & 63] << 16)


cdef int best_source(Game *g, int player, const uint16_t *source, const int *ranks, const uint8_t *unfit, int n,
                     int color) noexcept nogil:
    """The preferred source for a symbol of a colour, or for generic mana (-1); -1 none. `unfit` leaves sources out."""
    cdef int i, k, rank
    cdef int best = -1
    cdef int best_rank = 1 << 30
    cdef int mask
    for i in range(n):
        if unfit[i]:
            continue
        mask = g.mana_in[source[i]]
        if color >= 0 and not mask >> color & 1:
            continue
        rank = ranks[i]
        if color < 0 and rank <= best_rank:
            k = ctz64(<uint64_t>mask)
            rank += 0x7FFF - <int>(((g.p_mana_lo[player] if k < 4 else g.p_mana_hi[player]) >> (16 * (k & 3)))
                                   & 0x7FFF)
        if rank < best_rank or (rank == best_rank and g.timestamp[source[i]] < g.timestamp[source[best]]):
            best_rank = rank
            best = i
    return best


cdef bint pay_auto(Game *g, int player, const Mana *cost) noexcept nogil:
    """Pay a cost for which `can_pay` holds; false (and the game needs looking into) if it could not."""
    cdef Mana left = cost[0]
    cdef uint16_t *source
    cdef int *ranks
    cdef uint8_t *unfit   # it would leave the rest of the cost unpayable if it paid this symbol
    cdef bint again = False
    cdef uint16_t row
    cdef int tried = 0
    cdef int n = 0
    cdef int mask = 0
    cdef int i = 0
    cdef int color
    cdef int made = 0
    cdef int k = 0
    cdef Mana after = left
    cdef uint64_t *mine = ctrl_set(g, player)
    cdef uint64_t bits
    cdef uint32_t w
    if rare(g.h.options_mask & EO_PAY_FREE) or cost_total(cost) == 0:
        return True
    while rare(snow_of(&left)):
        if not pool_pays_snow(g, player, &left) and not source_pays_snow(g, player, &left):
            return False
    if rare(g.p_pool_n[player]):
        spend_pool_auto(g, player, &left)
    if cost_total(&left) == 0:
        return True
    if g.p_mana_hi[player] >> EXTRA_SHIFT == 0:
        after.lo = g.p_mana_lo[player]
        after.hi = g.p_mana_hi[player]
        mask = colors_asked(&after)
        if mask & (mask - 1) == 0:
            return pay_uniform(g, player, &left, mask)
    source = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    ranks = <int *>on_stack(g.lay.rows * sizeof(int))
    unfit = <uint8_t *>on_stack(g.lay.rows)
    for w in range(g.lay.words):
        bits = mine[w] & g.b_untapped[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if g.mana_in[row]:
                source[n] = row
                ranks[n] = rank_of(g, row)
                unfit[n] = 0
                n += 1
    while cost_total(&left):
        mask = colors_asked(&left)
        color = ctz64(<uint64_t>mask) if mask else -1
        if again:
            memset(unfit, 0, n)
            again = False
        while True:
            i = best_source(g, player, source, ranks, unfit, n, color)
            if i < 0:
                return False
            row = source[i]
            made = g.mana_n[row]
            after = left
            take_pip(&after, color)
            if color >= 0:
                k = color
            else:
                k = 0
                while not g.mana_in[row] >> k & 1:
                    k += 1
            tried = 1
            while tried < made and cost_total(&after):
                if cost_pips(&after, k):
                    take_pip(&after, k)
                elif generic_of(&after) > 0:
                    take_pip(&after, -1)
                else:
                    break
                tried += 1
            if cost_total(&after) == 0 or can_pay_exact(g, player, &after, row):
                break
            unfit[i] = 1
            again = True
        n -= 1
        source[i] = source[n]
        ranks[i] = ranks[n]
        unfit[i] = unfit[n]
        tap_quietly(g, row)
        left = after
        if tried < made:
            g.p_pool[player * 6 + k] += <uint16_t>(made - tried)
            g.p_pool_n[player] += <uint16_t>(made - tried)
            snow_made(g, player, k, made - tried, row)
            g.h.pools = 1
            # Mana left over from a source of several stays in the pool.
    return True
