"""What helps to pay besides mana (CR 702.51, 702.126, 702.66): chosen object by object, after the total cost is known.

A chosen helper is an entry HELP of the list of the announcement; its flags say what it pays for: a colour's number, or
GENERIC.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport entry_next
from lkicore._arena cimport chunk_refs
from lkicore._guard cimport ctz64
from lkicore._mana cimport TOTAL_SHIFT, cost_pips, cost_total, generic_of
from lkicore._store cimport ctrl_set, zone_first


cdef bint can_help(const Game *g, int player, int kinds, uint16_t row, uint16_t spell) noexcept nogil:
    if g.zone[row] == Z_GRAVEYARD:
        return (kinds & HELP_DELVE) != 0 and g.owner[row] == player and row != spell
    if g.zone[row] != Z_BATTLEFIELD or g.controller[row] != player or g.status[row] & (ST_TAPPED | ST_PHASED_OUT):
        return False
    if kinds & HELP_CONVOKE and g.types[row] & T_CREATURE:
        return True
    return kinds & HELP_IMPROVISE and g.types[row] & T_ARTIFACT


cdef bint helps_already(const Game *g, uint16_t list, uint16_t row) noexcept nogil:
    cdef int i = entry_next(g, list, RK_HELP, 0)
    while i >= 0:
        if chunk_refs(g, list)[i].row == row:
            return True
        i = entry_next(g, list, RK_HELP, i + 1)
    return False


cdef bint take_help(const Game *g, uint16_t list, Mana *cost) noexcept nogil:
    cdef int i = entry_next(g, list, RK_HELP, 0) if list else -1
    cdef int k
    while i >= 0:
        k = chunk_refs(g, list)[i].flags
        if k < GENERIC:
            if cost_pips(cost, k) == 0:
                return False
            if k < 4:
                cost.lo -= <uint64_t>1 << (16 * k)
            else:
                cost.hi -= <uint64_t>1 << (16 * (k - 4))
        else:
            if generic_of(cost) <= 0:
                return False
        cost.hi -= <uint64_t>1 << TOTAL_SHIFT
        i = entry_next(g, list, RK_HELP, i + 1)
    return True


cdef int help_limit(const Mana *cost, int kinds) noexcept nogil:
    return cost_total(cost) if kinds & HELP_CONVOKE else generic_of(cost)


cdef inline bint among(const uint16_t *used, int n, uint16_t row) noexcept nogil:
    cdef int i
    for i in range(n):
        if used[i] == row:
            return True
    return False


cdef Mana most_help(Game *g, int player, int kinds, uint16_t list, uint16_t spell) noexcept nogil:
    cdef Mana most
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef int color
    most.lo = 0
    most.hi = 0
    while row:
        if can_help(g, player, kinds, row, spell) and not helps_already(g, list, row):
            for color in range(5 if kinds & HELP_CONVOKE and g.types[row] & T_CREATURE else 0):
                if g.colors[row] >> color & 1:
                    if color < 4:
                        most.lo += <uint64_t>1 << 16 * color
                    else:
                        most.hi += 1
            most.hi += <uint64_t>1 << TOTAL_SHIFT
        row = g.znext[row]
    row = zone_first(g, Z_GRAVEYARD, player) if kinds & HELP_DELVE else 0
    while row:
        if can_help(g, player, kinds, row, spell) and not helps_already(g, list, row):
            most.hi += <uint64_t>1 << TOTAL_SHIFT
        row = g.znext[row]
    return most


cdef bint can_pay_helped(Game *g, int player, const Mana *cost, uint16_t without, int kinds, uint16_t list,
                         uint16_t spell, const uint16_t *used, int n_used, int limit) noexcept nogil:
    """Hall's condition as in `_mana.can_pay_exact`, over sources, helpers, and what can be one or the other.

    A helper without a colour of the cost pays generic mana only: it counts for the total alone.
    """
    cdef int have[64]
    cdef uint64_t *mine = ctrl_set(g, player)
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t row
    cdef int total = 0
    cdef int helpers = 0
    cdef int asked = 0
    cdef int set, c, need, got, mask, amount
    if g.h.options_mask & EO_PAY_FREE:
        return True
    for c in range(64):
        have[c] = 0
    for c in range(6):
        if cost_pips(cost, c):
            asked |= 1 << c
        have[1 << c] = g.p_pool[player * 6 + c]
        total += g.p_pool[player * 6 + c]
    for w in range(g.lay.words):
        bits = mine[w] & g.b_untapped[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if helps_already(g, list, row):
                continue
            mask = g.mana_in[row] & 63 if row != without else 0
            amount = g.mana_n[row] if mask else 0
            if can_help(g, player, kinds, row, spell) and not among(used, n_used, row):
                if kinds & HELP_CONVOKE and g.types[row] & T_CREATURE and amount <= 1:
                    mask |= g.colors[row] & 31
                if amount == 0:
                    have[mask] += 1
                    helpers += 1
            have[mask] += amount
            total += amount
    if kinds & HELP_DELVE:
        row = zone_first(g, Z_GRAVEYARD, player)
        while row:
            if can_help(g, player, kinds, row, spell) and not helps_already(g, list, row):
                helpers += 1
            row = g.znext[row]
    if total + min(helpers, limit) < cost_total(cost):
        return False
    set = asked
    while set:
        need = 0
        got = 0
        for c in range(6):
            if set >> c & 1:
                need += cost_pips(cost, c)
        for mask in range(1, 64):
            if mask & set:
                got += have[mask]
        if got < need:
            return False
        set = (set - 1) & asked
    return True
