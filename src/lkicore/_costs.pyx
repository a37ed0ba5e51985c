"""Costs besides plain mana: hybrid symbols, and nodes CostOp of the card table (CR 118).

What a part is paid with is chosen object by object before anything is paid; the chosen ones are entries PAID of a list
(flags: number of the part), which becomes the spell's or ability's own: "the sacrificed creature" is read from it.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport counters_on, entry_next, player_counter
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._damage cimport change_life, player_counters
from lkicore._expr cimport Ctx, passes, value
from lkicore._game cimport NO_PLAYER, add_option, open_choice
from lkicore._guard cimport ctz64, rare
from lkicore._help cimport can_pay_helped, help_limit, take_help
from lkicore._layout cimport Game, Ref
from lkicore._mana cimport (SNOW_SHIFT, TOTAL_SHIFT, can_pay, can_pay_exact, cost_pips, cost_total, generic_of,
                            has_others, snow_of, take_pip)
from lkicore._opcodes cimport *
from lkicore._plans cimport ANY_KIND, Plan, others_pay, others_pay_helped
from lkicore._player_rules cimport has_fact
from lkicore._status cimport put_counters, tap
from lkicore._store cimport ctrl_set, has_bit, is_live, zone_count, zone_first
from lkicore._types cimport Mana, Node
from lkicore._zones cimport TO_END, discard_card, move_group, move_one, sacrifice_group

cdef enum:
    MOST_PAID = 256


cdef void price_plain(Price *price) noexcept nogil:
    """Nothing changes the cost."""
    price.life = 0
    price.more = 0
    price.less = 0
    price.least = 0
    price.marks = 0
    price.help = 0
    price.list = 0
    price.spell = 0


cdef int less_colors(const Price *price, Mana *m) noexcept nogil:
    """Symbols that it costs less; how much generic mana less is left of that (CR 118.7c)."""
    cdef int rest = 0
    cdef int k, n
    for k in range(6):
        n = min(cost_pips(m, k), cost_pips(&price.only, k))
        for _ in range(n):
            take_pip(m, k)
        n = min(cost_pips(m, k), cost_pips(&price.off, k))
        for _ in range(n):
            take_pip(m, k)
        rest += cost_pips(&price.off, k) - n
    return rest


cdef void adjust(const Price *price, Mana *m) noexcept nogil:
    """CR 601.2f: increases, then reductions, of generic mana alone (118.7a) or by colours (118.7c), then what is to be
    paid at least."""
    cdef int less = price.less
    cdef uint64_t snow
    cdef int total, generic
    if price.marks & PRICE_LESS_COLORS:
        less += less_colors(price, m)
    total = cost_total(m)
    generic = generic_of(m)
    snow = <uint64_t>snow_of(m) << SNOW_SHIFT
    total += price.more - min(less, generic + price.more)
    total = max(total, price.least)
    if price.marks & PRICE_ANY_COLOR:
        m.lo = 0
        m.hi = 0
    m.hi = (m.hi & <uint64_t>0xFFFFFFFFu) | <uint64_t>total << TOTAL_SHIFT | snow


cdef int announced(const Game *g, const Price *price, int symbol) noexcept nogil:
    """What a symbol is paid with: all that it may be, unless its player has said so (CR 601.2b)."""
    cdef int i
    if price.list == 0:
        return 0xFF
    i = entry_next(g, price.list, RK_SYMBOL, 0)
    while i >= 0:
        if chunk_refs(g, price.list)[i].row == symbol - price.hybrid:
            i = <int>chunk_refs(g, price.list)[i].id
            return TWO_LIFE if i == BY_LIFE else TWO_GENERIC if i == BY_TWO else 1 << i
        i = entry_next(g, price.list, RK_SYMBOL, i + 1)
    return 0xFF


cdef bint payable(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell) noexcept nogil:
    cdef Plan plan
    if without and g.mana_in[without] and not g.h.options_mask & EO_PAY_FREE:
        if can_pay_exact(g, player, cost, without):
            return True
    elif can_pay(g, player, cost):
        return True
    return has_others(g) and others_pay(g, player, cost, without, spell, 0, 0, ANY_KIND, &plan)


cdef bint payable_helped(Game *g, int player, const Mana *cost, uint16_t without, const Price *price) noexcept nogil:
    cdef Plan plan
    return can_pay_helped(g, player, cost, without, price.help, price.list, price.spell, NULL, 0,
                          help_limit(cost, price.help)) or (
        has_others(g) and others_pay_helped(g, player, cost, without, price.spell, price.help, price.list, &plan))


cdef inline bint can_pay_life(const Game *g, int player, int n) noexcept nogil:
    """CR 119.4, 119.8: more than 0, of a player who can lose life."""
    return g.p_life[player] >= n and not has_fact(g, player, PY_CANT_LOSE_LIFE)


cdef bint next_symbol(Game *g, int player, const Price *price, const Mana *sum, int symbol, int left, int life,
                      uint16_t without, Mana *found, int *paid) noexcept nogil:
    """Try the alternatives of one hybrid symbol after the other."""
    cdef Mana m
    cdef int mask, k
    if left == 0:
        m = sum[0]
        if price.more | price.less | price.least | price.marks:
            adjust(price, &m)
        if price.list and not take_help(g, price.list, &m):
            return False
        if life and not can_pay_life(g, player, life):
            return False
        if price.help or (price.list and entry_next(g, price.list, RK_HELP, 0) >= 0):
            # (What has been chosen to help makes no mana any more.)
            if not payable_helped(g, player, &m, without, price):
                return False
        elif not payable(g, player, &m, without, price.spell):
            return False
        found[0] = m
        paid[0] = life
        return True
    mask = g.cards.hybrids[symbol] & announced(g, price, symbol)
    for k in range(6):
        if mask >> k & 1:
            m = sum[0]
            if k < 4:
                m.lo += <uint64_t>1 << (16 * k)
            else:
                m.hi += <uint64_t>1 << (16 * (k - 4))
            m.hi += <uint64_t>1 << 32
            if next_symbol(g, player, price, &m, symbol + 1, left - 1, life, without, found, paid):
                return True
    if mask & TWO_GENERIC:
        m = sum[0]
        m.hi += <uint64_t>2 << 32
        if next_symbol(g, player, price, &m, symbol + 1, left - 1, life, without, found, paid):
            return True
    if mask & TWO_LIFE:
        return next_symbol(g, player, price, sum, symbol + 1, left - 1, life + 2, without, found, paid)
    return False


cdef bint find_payment(Game *g, int player, Price *price, uint16_t without) noexcept nogil:
    cdef Mana base = price.mana
    price.life = 0
    if plain_price(price):
        return payable(g, player, &base, without, price.spell)
    return next_symbol(g, player, price, &base, price.hybrid, price.n_hybrid, 0, without, &price.mana, &price.life)


cdef inline int zone_of_part(int op) noexcept nogil:
    """Where the objects are that a part is paid with; 0 for parts without a choice."""
    if op == CP_SACRIFICE or op == CP_TAP_CREATURES or op == CP_RETURN or op == CP_CREW:
        return Z_BATTLEFIELD
    if op == CP_DISCARD or op == CP_REVEAL or op == CP_EXILE_HAND:
        return Z_HAND
    return Z_GRAVEYARD if op == CP_EXILE_GRAVEYARD else 0


cdef bint pays(Game *g, const Ctx *c, const Node *part, uint16_t row) noexcept nogil:
    """This object can be chosen for the part."""
    cdef int op = part.op
    if op == CP_SACRIFICE or op == CP_TAP_CREATURES or op == CP_RETURN or op == CP_CREW:
        if g.controller[row] != c.controller or g.status[row] & ST_PHASED_OUT:
            return False
        if (op == CP_TAP_CREATURES or op == CP_CREW) and g.status[row] & ST_TAPPED:
            return False
        # One tapping, one sacrifice can't pay twice (CR 118.3).
        if row == c.source_row and c.cost_flags & (
                CO_TAP if op == CP_TAP_CREATURES or op == CP_CREW else CO_SACRIFICE):
            return False
    elif g.id[row] == c.self_id:
        return False  # the card that is being cast is on the stack by then (CR 601.2a)
    return passes(g, c, part.a, row)


cdef bint only_creatures(const Game *g, int filter) noexcept nogil:
    """The filter asks for creatures first."""
    cdef const Node *n = &g.cards.filters[filter]
    if n.op == FT_AND:
        n = &g.cards.filters[n.a]
    return n.op == FT_TYPES_ANY and n.a == T_CREATURE


cdef inline bint any_creature(const Game *g, const Node *part) noexcept nogil:
    """A sacrifice of creatures, whichever."""
    return (part.op == CP_SACRIFICE and part.a >= 0 and g.cards.filters[part.a].op == FT_TYPES_ANY
            and g.cards.filters[part.a].a == T_CREATURE)


cdef int plain_sacrifice(const Game *g, const Node *cost, uint16_t source, int player) noexcept nogil:
    cdef const uint64_t *mine = ctrl_set(g, player)
    cdef const uint64_t *creatures = g.b_creature
    cdef uint64_t bits
    cdef uint32_t words = g.lay.words
    cdef uint32_t w = source >> 6
    cdef int left = cost.b
    if not any_creature(g, cost):
        return -1
    # The source itself will do, most often.
    if (left == 1 and mine[w] & creatures[w] & <uint64_t>1 << (source & 63)
            and not rare(g.status[source] & ST_PHASED_OUT)):
        return True
    for w in range(words):
        bits = mine[w] & creatures[w]
        while bits:
            if not rare(g.status[w * 64 + <uint32_t>ctz64(bits)] & ST_PHASED_OUT):
                left -= 1
                if left <= 0:
                    return True
            bits &= bits - 1
    return False


cdef bint enough_permanents(Game *g, const Ctx *c, const Node *part) noexcept nogil:
    """So many permanents that the player controls can pay; the order doesn't matter for that."""
    cdef uint64_t *mine = ctrl_set(g, c.controller)
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t row
    cdef int left = part.b
    cdef bint creatures = part.a >= 0 and only_creatures(g, part.a)
    for w in range(g.lay.words):
        bits = mine[w] & g.b_creature[w] if creatures else mine[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if pays(g, c, part, row):
                left -= 1 if part.op != CP_CREW else max(0, <int>g.power[row])
                if left <= 0:
                    return True
    return left <= 0


cdef bint enough_payers(Game *g, const Ctx *c, const Node *part) noexcept nogil:
    cdef uint16_t row
    cdef int left = part.b
    if zone_of_part(part.op) == Z_BATTLEFIELD:
        return enough_permanents(g, c, part)
    row = zone_first(g, zone_of_part(part.op), c.controller)
    while row and left > 0:
        if pays(g, c, part, row):
            left -= 1
        row = g.znext[row]
    return left <= 0


cdef bint part_payable(Game *g, const Ctx *c, const Node *part, int times) noexcept nogil:
    cdef bint known = True
    cdef int amount
    if part.op == CP_LIFE:
        amount = value(g, c, part.a, &known) * times
        return amount <= 0 or can_pay_life(g, c.controller, amount)
    if part.op == CP_REMOVE_COUNTERS:
        return counters_on(g, c.source_row, part.a) >= part.b  # (-1: X of them, which may be 0)
    if part.op == CP_PLAYER_COUNTERS:
        return player_counter(g, c.controller, part.a) >= value(g, c, part.b, &known) * times
    if part.op == CP_MILL:
        return <int>zone_count(g, Z_LIBRARY, c.controller) >= part.a
    if not zone_of_part(part.op):
        return True
    # (No part of the cost takes the source first.)
    amount = -1 if c.cost_flags & CO_SACRIFICE else plain_sacrifice(g, part, c.source_row, c.controller)
    return amount > 0 or (amount < 0 and enough_payers(g, c, part))


cdef bint parts_payable(Game *g, const Ctx *c, int first, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if not part_payable(g, c, &g.cards.costs[first + i], 1):
            return False
    return True


cdef int chosen_for(const Game *g, uint16_t list, int number) noexcept nogil:
    cdef int i
    cdef int n = 0
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_PAID and chunk_refs(g, list)[i].flags == number:
            n += 1
    return n


cdef bint enough_chosen(const Game *g, uint16_t list, int number, const Node *part) noexcept nogil:
    """As many objects as the part asks for; to crew: as much power (CR 702.122a)."""
    cdef int i
    cdef int sum = 0
    if part.op != CP_CREW:
        return chosen_for(g, list, number) >= part.b
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_PAID and chunk_refs(g, list)[i].flags == number:
            sum += max(0, <int>g.power[chunk_refs(g, list)[i].row])
    return sum >= part.b


cdef bint is_chosen(const Game *g, uint16_t list, uint32_t id) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, list)):
        if ((chunk_refs(g, list)[i].kind == RK_PAID or chunk_refs(g, list)[i].kind == RK_HELP)
                and chunk_refs(g, list)[i].id == id):
            return True
    return False


cdef bint offer_cost(Game *g, const Ctx *c, int first, int n, int base, uint16_t list) noexcept nogil:
    cdef const Node *part
    cdef uint16_t row
    cdef int i, zone
    cdef bint any
    for i in range(n):
        part = &g.cards.costs[first + i]
        zone = zone_of_part(part.op)
        if zone == 0 or enough_chosen(g, list, base + i, part):
            continue
        open_choice(g, CH_COST, c.controller)
        any = any_creature(g, part)
        row = zone_first(g, zone, c.controller)
        while row:
            if any and not has_bit(g.b_creature, row):
                pass
            elif ((zone != Z_BATTLEFIELD or g.controller[row] == c.controller) and pays(g, c, part, row)
                  and not is_chosen(g, list, g.id[row]) and (part.op != CP_CREW or g.power[row] > 0)):
                add_option(g, O_OBJECT, row, base + i, NO_PLAYER)
            row = g.znext[row]
        if g.h.n_options:
            return True
        g.h.n_options = 0
        # Nothing left to pay with: whoever began has looked, so only an overlap of two parts leads here.
        g.h.choice = CH_NONE
    return False


cdef void pay_parts(Game *g, const Ctx *c, int first, int n, int base, uint16_t list) noexcept nogil:
    cdef const Node *part
    cdef uint16_t rows[MOST_PAID]
    cdef Ref r
    cdef bint known = True
    cdef uint16_t row
    cdef int i, k, m
    for i in range(n):
        part = &g.cards.costs[first + i]
        m = 0
        for k in range(chunk_len(g, list)):
            r = chunk_refs(g, list)[k]
            if r.kind == RK_PAID and r.flags == base + i and is_live(g, r.row, r.id) and m < MOST_PAID:
                rows[m] = r.row
                m += 1
        if part.op == CP_LIFE:
            change_life(g, c.controller, -max(0, value(g, c, part.a, &known)))
        elif part.op == CP_SACRIFICE:
            sacrifice_group(g, rows, m)
        elif part.op == CP_DISCARD:
            for k in range(m):
                discard_card(g, rows[k])
        elif part.op == CP_EXILE_GRAVEYARD or part.op == CP_EXILE_HAND:
            move_group(g, rows, m, Z_EXILE, TO_END, -1, False)
        elif part.op == CP_RETURN:
            move_group(g, rows, m, Z_HAND, TO_END, -1, False)
        elif part.op == CP_TAP_CREATURES or part.op == CP_CREW:
            for k in range(m):
                tap(g, rows[k])
        elif part.op == CP_REMOVE_COUNTERS:
            put_counters(g, c.source_row, part.a, -part.b if part.b >= 0 else -c.x)
        elif part.op == CP_PUT_COUNTERS:
            put_counters(g, c.source_row, part.a, part.b)
        elif part.op == CP_PLAYER_COUNTERS:
            player_counters(g, c.controller, part.a, -max(0, value(g, c, part.b, &known)))
        elif part.op == CP_EXILE_SELF:
            if is_live(g, c.source_row, c.source_id):
                move_one(g, c.source_row, Z_EXILE, TO_END)
        elif part.op == CP_DISCARD_SELF:
            if is_live(g, c.source_row, c.source_id):
                discard_card(g, c.source_row)
        elif part.op == CP_DISCARD_HAND:
            while zone_count(g, Z_HAND, c.controller) and g.h.status == GS_RUNNING:
                discard_card(g, zone_first(g, Z_HAND, c.controller))
        elif part.op == CP_MILL:
            for _ in range(part.a):
                row = zone_first(g, Z_LIBRARY, c.controller)
                if row and g.h.status == GS_RUNNING:
                    move_one(g, row, Z_GRAVEYARD, TO_END)
