"""Paying by hand, and what tapping permanents for mana triggers (CR 601.2g-h, 605).

Triggered mana abilities resolve at once, without the stack (605.4a): what leaves its player no choice is done here,
else the ability is put on the stack in a frame of its own that goes on with it before anything else does.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._allowed cimport activatable
from lkicore._announce cimport begin_activate, begin_trigger
from lkicore._arena cimport refs_add
from lkicore._expr cimport ref_players, value
from lkicore._game cimport NO_ANSWER, NO_PLAYER, add_option, answer_of, drop_frame, open_choice, pop_frame, top_frame
from lkicore._layout cimport Frame, Option
from lkicore._mana cimport (can_pay_exact, cost_pips, cost_total, generic_of, give_mana, has_others, pool_pays,
                            pool_spend, snow_made, snow_of, tap_for_mana, tapping)
from lkicore._opcodes cimport *
from lkicore._plans cimport (ANY_KIND, Found, Plan, kinds_of, kinds_to_tap, mana_ready, mana_trigger, others_pay,
                             plain_ability, replaced_mana, take_special)
from lkicore._status cimport tap
from lkicore._store cimport has_bit, zone_first
from lkicore._triggers cimport happened, heard, trigger_add
from lkicore._types cimport NONE16, Mana, WORDS


cdef bint leaves_choice(Game *g, const Found *f) noexcept nogil:
    """Its player says of which kind some of its mana is."""
    cdef const int32_t *w = &g.cards.code[f.a.program]
    cdef int mask
    while w[0] != E_END:
        mask = kinds_of(g, &f.c, w[2])
        if mask & (mask - 1):
            return True
        w += WORDS
    return False


cdef void resolve_now(Game *g, const Found *f) noexcept nogil:
    """Its mana, of kinds that are given (CR 605.4a)."""
    cdef const int32_t *w = &g.cards.code[f.a.program]
    cdef bint known
    cdef int k, n, p, mask
    while w[0] != E_END:
        known = True
        mask = kinds_of(g, &f.c, w[2])
        n = value(g, &f.c, w[3], &known)
        k = 0
        while mask and not mask >> k & 1:
            k += 1
        for p in range(<int>g.lay.players if mask and known else 0):
            if ref_players(g, &f.c, w[1]) >> p & 1:
                give_mana(g, p, k, n, w[4], f.row, f.id)
        w += WORDS


cdef void tapped_for_mana(Game *g, uint16_t row, uint32_t id, int player, int kinds) noexcept nogil:
    cdef Found f
    cdef int number = 0
    if heard(g, EV_MANA):
        happened(g, EV_MANA, row, id, 0, 0, player, kinds, 0)
    if not tapping(g) or g.id[row] != id:
        return
    while mana_trigger(g, row, player, kinds, number, &f):
        number += 1
        if not leaves_choice(g, &f):
            resolve_now(g, &f)
            continue
        trigger_add(g, f.ability, f.defn, f.row, f.id, f.controller, row, id, 0, 0, player, kinds, f.x)
    go_on_with_mana(g)


cdef bint go_on_with_mana(Game *g) noexcept nogil:
    """The first triggered mana ability that waits is put on the stack, and resolves at once; false: none does."""
    cdef uint32_t i
    for i in range(g.h.n_triggers):
        if ability_of(g, g.trigger[i].ability).flags & TF_MANA and (
                ability_of(g, g.trigger[i].ability).kind == AB_TRIGGERED):
            begin_trigger(g, i)
            return True
    return False


cdef void tap_by_hand(Game *g, uint16_t row, int color) noexcept nogil:
    cdef int player = g.controller[row]
    cdef int ability, amount
    if not tapping(g):
        tap_for_mana(g, row, color)
        return
    ability = plain_ability(g, row, player, color)
    if ability == NONE16:
        return
    amount = ability_of(g, ability).mana_amount
    replaced_mana(g, row, player, ability_of(g, ability).mana_mask, &amount)
    tap(g, row)
    give_mana(g, player, color, amount, -1, row, g.id[row])
    tapped_for_mana(g, row, g.id[row], player, 1 << color if amount else 0)


cdef uint16_t spell_paid(const Game *g) noexcept nogil:
    """The card that is being cast and paid for, 0 none."""
    cdef Frame *below = &g.frame[g.h.n_frames - 2]
    return below.obj_row if below.kind == F_CAST else 0


cdef bint can_go_on(Game *g, const Frame *f, const Mana *cost, uint16_t row, int color) noexcept nogil:
    """The rest can be paid after this permanent has been tapped for mana of this kind."""
    cdef Plan plan
    cdef uint16_t amount = g.mana_n[row]
    cdef bint can
    cdef int ability
    if tapping(g):
        ability = plain_ability(g, row, f.player, color)
        return ability != NONE16 and others_pay(g, f.player, cost, f.obj_row if f.n else 0, spell_paid(g), row, ability,
                                                color, &plan)
    g.p_pool[f.player * 6 + color] += amount
    g.p_pool_n[f.player] += amount
    snow_made(g, f.player, color, amount, row)
    can = can_pay_exact(g, f.player, cost, row) or (has_others(g) and others_pay(
        g, f.player, cost, row, spell_paid(g), 0, 0, ANY_KIND, &plan))
    g.p_pool[f.player * 6 + color] -= amount
    g.p_pool_n[f.player] -= amount
    if g.types[row] & T_SNOW:
        g.p_snow[f.player * 6 + color] -= amount
    return can


cdef inline bint pays_something(const Game *g, int player, const Mana *cost, int color) noexcept nogil:
    """Mana of the colour in the pool pays for what is left besides coloured symbols."""
    return g.p_pool[player * 6 + color] and (
        generic_of(cost) > 0 or (snow_of(cost) and g.p_snow[player * 6 + color]))


cdef void run_pay(Game *g) noexcept nogil:
    """Manual payment (CR 601.2g-h): tap sources and spend mana, one choice at a time, each with the rest payable."""
    cdef Frame *f = top_frame(g)
    cdef Mana cost
    cdef Option *o
    cdef uint16_t row
    cdef int k, only, n
    cdef uint8_t mask
    cdef uint16_t list[MOST_ABILITIES]
    cdef Frame *below
    cdef Plan plan
    cost.lo = <uint64_t><uint32_t>f.a | <uint64_t><uint32_t>f.b << 32
    cost.hi = <uint64_t><uint32_t>f.c | <uint64_t><uint32_t>f.d << 32
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind == O_MANA:
            tap_by_hand(g, o.row, o.num)
            if top_frame(g).kind != F_PAY:
                return  # a triggered mana ability comes first
        elif o.kind == O_ACTIVATE:
            abilities_of(g, o.row, list)
            begin_activate(g, o.row, list[o.num], f.player)
            return
        else:
            pool_spend(g, f.player, &cost, o.num)
    if g.h.n_special:
        below = &g.frame[g.h.n_frames - 2]
        if take_special(g, f.player, &cost, below.obj_row if below.kind == F_CAST else 0, True):
            below.info = refs_add(g, below.info, 0, 0, RK_SURE)
    while True:
        if cost_total(&cost) == 0:
            pop_frame(g)
            return
        if pool_pays(g, f.player, &cost):
            # Symbols first; what is left is generic, and the player says which mana pays it if there is a choice.
            n = 0
            only = -1
            for k in range(6):
                if cost_pips(&cost, k):
                    only = k
                    n = 1
                    break
                if pays_something(g, f.player, &cost, k):
                    only = k
                    n += 1
            if n == 1 or g.p_pool_n[f.player] == cost_total(&cost):
                pool_spend(g, f.player, &cost, only)
                continue
        break
    f.a = <int>cost.lo
    f.b = <int>(cost.lo >> 32)
    f.c = <int>cost.hi
    f.d = <int>(cost.hi >> 32)
    open_choice(g, CH_PAY, f.player)
    if pool_pays(g, f.player, &cost):
        for k in range(6):
            if pays_something(g, f.player, &cost, k):
                add_option(g, O_COLOR, 0, k, NO_PLAYER)
        return
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        mask = <uint8_t>kinds_to_tap(g, row, f.player) if g.controller[row] == f.player else 0
        if mask and not (f.n and row == f.obj_row):
            for k in range(6):
                if mask >> k & 1 and can_go_on(g, f, &cost, row, k):
                    add_option(g, O_MANA, row, k, NO_PLAYER)
        if g.controller[row] == f.player and has_bit(g.b_casting, row) and not (f.n and row == f.obj_row):
            n = abilities_of(g, row, list)
            for k in range(n):
                if (ability_of(g, list[k]).program >= 0 and mana_ready(g, row, list[k], f.player)
                        and activatable(g, row, list[k], f.player)
                        and others_pay(g, f.player, &cost, f.obj_row if f.n else 0, spell_paid(g), row, list[k],
                                       ANY_KIND, &plan)):
                    add_option(g, O_ACTIVATE, row, k, NO_PLAYER)
        row = g.znext[row]
    if g.h.n_options == 0:
        # CR 733.1: what a mana ability has made doesn't pay; nothing else has been done yet.
        g.h.choice = CH_NONE
        drop_frame(g)
        drop_frame(g)
