"""Choices of an announcement about payment and division (CR 601.2b, 601.2d, 601.2h)."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from lkicore._allowed cimport part_of, parts_of
from lkicore._arena cimport chunk_at, chunk_len, chunk_refs, refs_add
from lkicore._casting cimport Manner, announced_face, manner_of
from lkicore._costs cimport BY_LIFE, BY_TWO, Price, TWO_GENERIC, TWO_LIFE, find_payment
from lkicore._expr cimport value
from lkicore._game cimport NO_ANSWER, NO_PLAYER, add_option, answer_of, open_choice
from lkicore._help cimport GENERIC, HELP_CONVOKE, HELP_DELVE, can_help, help_of, helps_already
from lkicore._layout cimport Ref
from lkicore._mana cimport cost_pips, cost_total, generic_of
from lkicore._opcodes cimport *
from lkicore._price cimport price_of, without_of
from lkicore._status cimport tap
from lkicore._store cimport is_live, zone_first
from lkicore._types cimport Ability
from lkicore._zones cimport TO_END, move_group

cdef enum:
    MOST_HELPERS = 256


cdef bint pays_with(Game *g, Frame *f, int kind, uint32_t id, uint16_t row, int flags) noexcept nogil:
    """The cost can be paid if this entry is chosen as well; the list is left as it was."""
    cdef Price price
    cdef int n = chunk_len(g, f.info)
    cdef bint pays
    f.info = refs_add(g, f.info, id, row, kind)
    if chunk_len(g, f.info) == n:
        return True  # no room: the step is lost anyway
    chunk_refs(g, f.info)[n].flags = <uint8_t>flags
    price_of(g, f, &price)
    pays = find_payment(g, f.player, &price, without_of(g, f))
    chunk_at(g, f.info).n -= 1
    return pays


cdef bint ask_symbols(Game *g, Frame *f) noexcept nogil:
    """CR 601.2b, 107.4e-f: how each hybrid or Phyrexian symbol is paid. Automatic payment finds colours by itself, and
    asks only whether life is paid. f.c: the symbol that comes next."""
    cdef Price price
    cdef int k, mask
    cdef bint manual = g.h.options_mask & EO_PAY_MANUAL
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).num
        if k < BY_LIFE or answer_of(g).kind == O_YES:
            f.info = refs_add(g, f.info, <uint32_t>k, <uint16_t>f.c, RK_SYMBOL)
        g.h.answer = NO_ANSWER
        f.c += 1
    price_of(g, f, &price)
    while f.c < price.n_hybrid:
        mask = g.cards.hybrids[price.hybrid + f.c]
        if not manual and not mask & TWO_LIFE:
            f.c += 1
            continue
        open_choice(g, CH_SYMBOL, f.player)
        for k in range(6):
            if mask >> k & 1 and pays_with(g, f, RK_SYMBOL, <uint32_t>k, <uint16_t>f.c, 0):
                add_option(g, O_COLOR, 0, k, NO_PLAYER)
        if mask & TWO_GENERIC and pays_with(g, f, RK_SYMBOL, BY_TWO, <uint16_t>f.c, 0):
            add_option(g, O_NUMBER, 0, BY_TWO, NO_PLAYER)
        if mask & TWO_LIFE and pays_with(g, f, RK_SYMBOL, BY_LIFE, <uint16_t>f.c, 0):
            add_option(g, O_YES, 0, BY_LIFE, NO_PLAYER)
        if g.h.n_options > 1:
            return True
        # One way, or none any more (with a player who left): nothing to say.
        g.h.choice = CH_NONE
        g.h.n_options = 0
        f.c += 1
    return False


cdef int divided_in_all(Game *g, const Ctx *c, const TargetSpec *t) noexcept nogil:
    cdef bint known = True
    cdef int n = value(g, c, t.divided, &known) if t.divided >= 0 else 0
    return n if known and n > 0 else 0


cdef bint ask_division(Game *g, Frame *f, Ctx *c) noexcept nogil:
    """CR 601.2d: each target gets at least one. f.c: number of the target that comes next."""
    cdef const Ability *a
    cdef const TargetSpec *t
    cdef int n = chunk_len(g, f.list)
    cdef int part, base, spec, left, i, after
    if g.h.answer != NO_ANSWER:
        f.info = refs_add(g, f.info, <uint32_t>answer_of(g).num, <uint16_t>f.c, RK_DIVIDED)
        g.h.answer = NO_ANSWER
        f.c += 1
    while f.c < n:
        spec = chunk_refs(g, f.list)[f.c].flags >> 1
        base = 0
        part = 0
        a = part_of(g, f.b, f.info, 0)
        while part + 1 < parts_of(g, f.b, f.info) and spec >= base + a.n_targets:
            base += a.n_targets
            part += 1
            a = part_of(g, f.b, f.info, part)
        t = &g.cards.targets[a.first_target + spec - base]
        if t.divided < 0:
            f.c += 1
            continue
        c.targets = f.list
        c.spec = <uint8_t>base
        left = divided_in_all(g, c, t)
        after = 0
        for i in range(n):
            if chunk_refs(g, f.list)[i].flags >> 1 == spec:
                if i < f.c:
                    left -= share_of(g, f.info, i)
                elif i > f.c:
                    after += 1
        left = max(1, left - after)
        open_choice(g, CH_DIVIDE, f.player)
        # The last one gets what is left.
        for i in range(left if after == 0 else 1, left + 1):
            add_option(g, O_NUMBER, 0, i, NO_PLAYER)
        return True
    return False


cdef int share_of(const Game *g, uint16_t info, int number) noexcept nogil:
    """What target number `number` gets."""
    cdef int i
    cdef Ref *r
    for i in range(chunk_len(g, info)):
        r = &chunk_refs(g, info)[i]
        if r.kind == RK_DIVIDED and r.row == number:
            return <int>r.id
    return 0


cdef void offer_helper(Game *g, Frame *f, const Price *price, int kinds, uint16_t row) noexcept nogil:
    """The colours, and generic mana, that an object could pay for so that the rest can be paid."""
    cdef int k
    cdef int generic = generic_of(&price.mana)
    if kinds & HELP_CONVOKE and g.zone[row] == Z_BATTLEFIELD and g.types[row] & T_CREATURE:
        for k in range(5):
            if (g.colors[row] >> k & 1 and cost_pips(&price.mana, k)
                    and pays_with(g, f, RK_HELP, g.id[row], row, k)):
                add_option(g, O_OBJECT, row, k, NO_PLAYER)
    if generic > 0 and pays_with(g, f, RK_HELP, g.id[row], row, GENERIC):
        add_option(g, O_OBJECT, row, GENERIC, NO_PLAYER)


cdef bint ask_help(Game *g, Frame *f) noexcept nogil:
    """CR 702.51a, 702.126a, 702.66a: one object after the other, permanents by timestamp, then cards of the graveyard;
    nothing more as soon as mana alone pays the rest."""
    cdef Manner m
    cdef Price price
    cdef Price rest
    cdef int kinds, n
    cdef uint16_t row
    manner_of(g, f.info, &m)
    kinds = help_of(announced_face(g, f.obj_row, &m).keywords)
    if g.h.answer != NO_ANSWER:
        n = chunk_len(g, f.info)
        if answer_of(g).kind == O_DONE:
            g.h.answer = NO_ANSWER
            return False
        f.info = refs_add(g, f.info, answer_of(g).id, answer_of(g).row, RK_HELP)
        if chunk_len(g, f.info) > n:
            chunk_refs(g, f.info)[n].flags = <uint8_t>answer_of(g).num
        g.h.answer = NO_ANSWER
    if g.h.options_mask & EO_PAY_FREE:
        return False  # no mana to pay, nothing to help with
    price_of(g, f, &price)
    rest = price
    if not find_payment(g, f.player, &price, 0) or cost_total(&price.mana) == 0:
        return False
    open_choice(g, CH_HELP, f.player)
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if can_help(g, f.player, kinds, row, f.obj_row) and not helps_already(g, f.info, row):
            offer_helper(g, f, &price, kinds, row)
        row = g.znext[row]
    row = zone_first(g, Z_GRAVEYARD, f.player) if kinds & HELP_DELVE else 0
    while row:
        if can_help(g, f.player, kinds, row, f.obj_row) and not helps_already(g, f.info, row):
            offer_helper(g, f, &price, kinds, row)
        row = g.znext[row]
    rest.help = 0
    if find_payment(g, f.player, &rest, 0):
        add_option(g, O_DONE, 0, 0, NO_PLAYER)
        if g.h.n_options == 1:
            g.h.n_options = 0
            g.h.choice = CH_NONE
            return False
    return True


cdef void help_pays(Game *g, Frame *f, int zone) noexcept nogil:
    cdef uint16_t rows[MOST_HELPERS]
    cdef Ref r
    cdef int n = 0
    cdef int i
    for i in range(chunk_len(g, f.info)):
        r = chunk_refs(g, f.info)[i]
        if r.kind != RK_HELP or not is_live(g, r.row, r.id) or g.zone[r.row] != zone:
            continue
        if zone == Z_BATTLEFIELD:
            tap(g, r.row)
        elif n < MOST_HELPERS:
            rows[n] = r.row
            n += 1
    if n:
        move_group(g, rows, n, Z_EXILE, TO_END, -1, False)
