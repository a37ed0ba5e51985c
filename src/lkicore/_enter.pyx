"""How objects enter where a player must choose: what an Aura that was not cast enchants (CR 303.4f), and what its own
abilities have chosen, paid or sacrificed as a permanent enters (614.1c-d, 614.12a).

The objects are where they go to already, with their values as they would be (614.12); nothing has triggered. The
frame's list has two entries for each: what it is now, and what it was. frame: a number of the object asked about, c its
next choice, step how far a payment has got, info what is paid or sacrificed, d 1 once hosts are chosen (before that,
step 1: it is asked for what it copies, CR 707.5, info what it has copied).
"""
from libc.stdint cimport uint16_t, uint32_t, uint8_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, extra_add, protector_of
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._attach cimport attach, attach_to_player, can_be_attached, could_enchant_player, host_zone
from lkicore._copies cimport copy_of, set_base
from lkicore._costs cimport Price, find_payment, offer_cost, parts_payable, pay_parts, price_plain
from lkicore._damage cimport change_life
from lkicore._defs cimport face_of, subtype_at
from lkicore._expr cimport Ctx, holds, passes, passes_player, plain_context, value
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, in_game, next_player, open_choice, pop_frame,
                            top_frame)
from lkicore._guard cimport on_stack
from lkicore._instead cimport counters_at_once
from lkicore._layers cimport change_controller, dirty_all, effect_change, settle
from lkicore._layout cimport Frame, Game, Ref
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._payment cimport pay_mana
from lkicore._replace cimport enter_tapped, enters_modified
from lkicore._status cimport put_counters
from lkicore._store cimport PRIVATE_ZONES, is_live, zone_first
from lkicore._types cimport Ability, Face, Node
from lkicore._zones cimport EF_ASKS, EF_COPY, EF_HOST, entering_marks, sacrifice_group, tell_entered

cdef enum:
    MOST_SUBTYPES = 1024
    SUBTYPE_WORDS = 16
    # Steps of a payment as something enters.
    PAY_BEGIN = 0
    PAY_ASKED = 1
    PAY_WITH = 2


cdef inline bint enters_here(const Game *g, const Frame *f, uint16_t row) noexcept nogil:
    """It enters in this very event: it is not on the battlefield yet for what is chosen (CR 303.4f, 614.13)."""
    cdef int i
    for i in range(0, chunk_len(g, f.list), 2):
        if chunk_refs(g, f.list)[i].row == row and chunk_refs(g, f.list)[i].id == g.id[row]:
            return True
    return False


cdef inline bint is_in(const Game *g, uint16_t list, uint16_t row) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].id == g.id[row]:
            return True
    return False


cdef int next_of(const Game *g, const Frame *f, int flag) noexcept nogil:
    """The next object with this mark: players choose in turn order, the active player first (CR 101.4)."""
    cdef Ref *r
    cdef int p = g.h.active if in_game(g, g.h.active) else next_player(g, g.h.active)
    cdef int i, _
    for _ in range(<int>g.h.n_alive):
        for i in range(0, chunk_len(g, f.list), 2):
            r = &chunk_refs(g, f.list)[i]
            if r.flags & flag and is_live(g, r.row, r.id) and g.controller[r.row] == p:
                return i
        p = next_player(g, p)
    return -1


cdef void about(Game *g, Frame *f, int i) noexcept nogil:
    cdef uint16_t row = chunk_refs(g, f.list)[i].row
    f.a = i
    f.player = g.controller[row]
    f.obj_row = row
    f.obj_id = g.id[row]


# ------------------------------------------------------------------------------------------------ copies

cdef const Node *copying(Game *g, uint16_t row, Ctx *c, uint16_t *ability) noexcept nogil:
    """What it says that it may enter as a copy of, if it has that ability as it is on the battlefield (CR 614.12)."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef int n, i
    settle(g)
    n = abilities_of(g, row, list)
    plain_context(g, row, g.id[row], g.controller[row], c)
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind == AB_REPLACEMENT and a.event == RP_COPY and holds(g, c, a.condition):
            ability[0] = list[i]
            return &g.cards.changes[a.first_change]
    return NULL


cdef bint offer_originals(Game *g, Frame *f) noexcept nogil:
    """CR 707.5: what it may enter as a copy of, none of it targeted; false: nothing. What it has copied already is not
    offered again: the abilities that it would have from there have had their opportunity (614.5)."""
    cdef uint16_t ability
    cdef Ctx c
    cdef const Node *way = copying(g, f.obj_row, &c, &ability)
    cdef uint16_t other
    cdef int zone, p
    if way == NULL:
        return False
    zone = way.c >> 8
    open_choice(g, CH_COPY, f.player)
    add_option(g, O_NO, 0, 0, NO_PLAYER)
    for p in range(<int>g.lay.players if PRIVATE_ZONES >> zone & 1 else 1):
        other = zone_first(g, zone, p)
        while other:
            if (not g.status[other] & ST_PHASED_OUT and not enters_here(g, f, other) and not is_in(g, f.info, other)
                    and passes(g, &c, way.a, other)):
                add_option(g, O_OBJECT, other, 0, NO_PLAYER)
            other = g.znext[other]
    if g.h.n_options > 1:
        return True
    g.h.choice = CH_NONE
    g.h.n_options = 0
    return False


cdef void copied(Game *g, const Frame *f, uint16_t original) noexcept nogil:
    """It enters as a copy of that, as it is now (CR 707.2, 707.5)."""
    cdef uint16_t ability
    cdef Ctx c
    cdef const Node *way = copying(g, f.obj_row, &c, &ability)
    if way == NULL:
        return
    set_base(g, f.obj_row, copy_of(g, &c, g.defn[original], way.b, way.c & 0xFF, ability))
    settle(g)


cdef bint copies(Game *g, Frame *f) noexcept nogil:
    """True while a player is asked."""
    cdef uint16_t row
    cdef int i
    if f.step and g.h.answer != NO_ANSWER:
        row = answer_of(g).row
        g.h.answer = NO_ANSWER
        chunk_refs(g, f.list)[f.a].flags &= <uint8_t>~<int>EF_COPY
        if row:
            f.info = refs_add(g, f.info, g.id[row], row, RK_PAID)
            copied(g, f, row)
            # What it copies may say in its turn how it enters (CR 707.5, 616.1f).
            chunk_refs(g, f.list)[f.a].flags = <uint8_t>entering_marks(g, f.obj_row)
    f.step = 0
    while True:
        i = next_of(g, f, EF_COPY)
        if f.info and i != f.a:
            chunk_free(g, f.info)
            f.info = 0
        if i < 0:
            return False
        about(g, f, i)
        if offer_originals(g, f):
            f.step = 1
            return True
        chunk_refs(g, f.list)[i].flags &= <uint8_t>~<int>EF_COPY


# ------------------------------------------------------------------------------------------------ hosts

cdef bint offer_hosts(Game *g, Frame *f) noexcept nogil:
    """CR 303.4f: what the Aura may enchant, none of it targeted; false: nothing."""
    cdef int zone = host_zone(g, f.obj_row)
    cdef uint16_t host
    cdef int p
    open_choice(g, CH_HOST, f.player)
    for p in range(<int>g.lay.players):
        if zone == Z_NONE:
            if could_enchant_player(g, f.obj_row, p, f.player):
                add_option(g, O_PLAYER, 0, 0, p)
            continue
        host = zone_first(g, zone, p)
        while host:
            if can_be_attached(g, f.obj_row, host) and not enters_here(g, f, host):
                add_option(g, O_OBJECT, host, 0, NO_PLAYER)
            host = g.znext[host]
        if zone == Z_BATTLEFIELD:
            break
    if g.h.n_options == 0:
        g.h.choice = CH_NONE
    return g.h.n_options > 0


cdef bint hosts(Game *g, Frame *f) noexcept nogil:
    """True while a player is asked."""
    cdef int i
    if g.h.answer != NO_ANSWER:
        if answer_of(g).kind == O_PLAYER:
            attach_to_player(g, f.obj_row, answer_of(g).player)
        else:
            attach(g, f.obj_row, answer_of(g).row)
        g.h.answer = NO_ANSWER
        chunk_refs(g, f.list)[f.a].flags &= <uint8_t>~<int>EF_HOST
    while True:
        i = next_of(g, f, EF_HOST)
        if i < 0:
            break
        about(g, f, i)
        if offer_hosts(g, f):
            return True
        chunk_refs(g, f.list)[i].flags &= <uint8_t>~<int>EF_HOST
    f.d = 1
    f.c = 0
    for i in range(0, chunk_len(g, f.list), 2):
        if g.zone[chunk_refs(g, f.list)[i].row] == Z_BATTLEFIELD:
            chunk_refs(g, f.list)[i].flags = EF_ASKS
    return False


# ------------------------------------------------------------------------------------------------ as it enters

cdef const Node *choice_of(Game *g, uint16_t row, int number, Ctx *c) noexcept nogil:
    """Choice number so and so of the object's own abilities that say how it enters (CR 614.12); NULL: no more."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef int i, k
    cdef int n = abilities_of(g, row, list)
    plain_context(g, row, g.id[row], g.controller[row], c)
    c.it_row = row
    c.it_id = g.id[row]
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind != AB_REPLACEMENT or a.event != RP_ENTERS or a.own != 1:
            continue
        if not holds(g, c, a.condition):
            continue
        for k in range(a.first_change, a.first_change + a.n_changes):
            if not EN_CHOOSE <= g.cards.changes[k].op <= EN_UNDER:
                continue
            if number == 0:
                return &g.cards.changes[k]
            number -= 1
    return NULL


cdef void choose_value(Game *g, uint16_t row, int kind, uint32_t v) noexcept nogil:
    extra_add(g, row, RK_CHOSEN, v, 0, kind)
    dirty_all(g)


cdef void offer_subtypes(Game *g) noexcept nogil:
    """Creature types that some object of the game has: any other would be as good as none (CR 205.3m)."""
    cdef uint64_t seen[SUBTYPE_WORDS]
    cdef const Face *face
    cdef uint32_t i
    cdef int k, s
    for k in range(SUBTYPE_WORDS):
        seen[k] = 0
    for i in range(1, g.lay.rows):
        if g.id[i] == 0:
            continue
        face = face_of(g, g.defn[i])
        for k in range(face.n_subtypes):
            s = subtype_at(g, face, k)
            if s < MOST_SUBTYPES and g.cards.creature_types[s]:
                seen[s // 64] |= <uint64_t>1 << (s % 64)
    for s in range(min(<int>MOST_SUBTYPES, g.cards.n_subtypes)):
        if seen[s // 64] >> (s % 64) & 1:
            add_option(g, O_SUBTYPE, 0, s, NO_PLAYER)


cdef bint choose(Game *g, Frame *f, const Node *n, const Ctx *c) noexcept nogil:
    """CR 614.12a, 607.2d: a colour, a creature type, a number, a player. True while it is open."""
    cdef int k
    cdef int kind = n.a
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).num
        if kind == CN_COLOR:
            k = 1 << k
        elif kind == CN_PLAYER:
            k = answer_of(g).player
        g.h.answer = NO_ANSWER
        choose_value(g, f.obj_row, kind, <uint32_t>k)
        return False
    open_choice(g, CH_COLOR if kind == CN_COLOR else CH_SUBTYPE if kind == CN_TYPE
                else CH_NUMBER if kind == CN_NUMBER else CH_PICK, f.player)
    if kind == CN_COLOR:
        for k in range(5):
            add_option(g, O_COLOR, 0, k, NO_PLAYER)
    elif kind == CN_TYPE:
        offer_subtypes(g)
    elif kind == CN_NUMBER:
        for k in range(n.c + 1):
            add_option(g, O_NUMBER, 0, k, NO_PLAYER)
    else:
        for k in range(<int>g.lay.players):
            if in_game(g, k) and passes_player(g, c, n.b, k):
                add_option(g, O_PLAYER, 0, 0, k)
    if g.h.n_options == 0:
        g.h.choice = CH_NONE
        return False
    return True


cdef bint unless_paid(Game *g, Frame *f, const Node *n, Ctx *c) noexcept nogil:
    """It enters tapped, unless its controller pays as it enters (CR 614.1c, 118.12). True while it is open."""
    cdef const Ability *a = ability_of(g, n.a)
    cdef Price price
    cdef bint can
    price_plain(&price)
    price.mana = a.cost
    price.hybrid = a.hybrid
    price.n_hybrid = a.n_hybrid
    if f.step == PAY_BEGIN:
        absent(g, f, True)
        can = parts_payable(g, c, a.first_cost, a.n_costs) and find_payment(g, f.player, &price, 0)
        absent(g, f, False)
        if not can:
            enter_tapped(g, f.obj_row)
            return False
        f.step = PAY_ASKED
        open_choice(g, CH_PAY_COST, f.player)
        add_option(g, O_NO, 0, 0, NO_PLAYER)
        add_option(g, O_YES, 0, 0, NO_PLAYER)
        return True
    if f.step == PAY_ASKED:
        if g.h.answer == NO_ANSWER or answer_of(g).kind != O_YES:
            g.h.answer = NO_ANSWER
            f.step = PAY_BEGIN
            enter_tapped(g, f.obj_row)
            return False
        g.h.answer = NO_ANSWER
        f.step = PAY_WITH
    if g.h.answer != NO_ANSWER:
        f.info = refs_add(g, f.info, answer_of(g).id, answer_of(g).row, RK_PAID)
        if f.info:
            chunk_refs(g, f.info)[chunk_len(g, f.info) - 1].flags = <uint8_t>answer_of(g).num
        g.h.answer = NO_ANSWER
    if offer_cost(g, c, a.first_cost, a.n_costs, 0, f.info):
        return True
    # What enters is not there yet, to be tapped for mana (CR 614.12).
    absent(g, f, True)
    can = find_payment(g, f.player, &price, 0) and pay_mana(g, f.player, &price.mana, 0, 0)
    absent(g, f, False)
    if can:
        if price.life:
            change_life(g, f.player, -price.life)
        pay_parts(g, c, a.first_cost, a.n_costs, 0, f.info)
    else:
        enter_tapped(g, f.obj_row)
    done_with_payment(g)
    return False


cdef void done_with_payment(Game *g) noexcept nogil:
    cdef Frame *f = top_frame(g)
    chunk_free(g, f.info)
    f.info = 0
    f.step = PAY_BEGIN


cdef bint devour(Game *g, Frame *f, const Node *n) noexcept nogil:
    """CR 702.82: any number of creatures that don't enter with it (614.13b-c) are sacrificed before it enters; it
    enters with n +1/+1 counters for each. True while it is open."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t row
    cdef Ref *r
    cdef int i
    cdef int k = 0
    if g.h.answer != NO_ANSWER:
        if answer_of(g).kind == O_OBJECT:
            f.info = refs_add(g, f.info, answer_of(g).id, answer_of(g).row, RK_PAID)
        else:
            f.step = PAY_WITH
        g.h.answer = NO_ANSWER
    if f.step != PAY_WITH:
        open_choice(g, CH_SACRIFICE, f.player)
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if (g.controller[row] == f.player and g.types[row] & T_CREATURE and not g.status[row] & ST_PHASED_OUT
                    and not enters_here(g, f, row) and not is_in(g, f.info, row)):
                add_option(g, O_OBJECT, row, 0, NO_PLAYER)
            row = g.znext[row]
        if g.h.n_options:
            add_option(g, O_DONE, 0, 0, NO_PLAYER)
            return True
        g.h.choice = CH_NONE
    for i in range(chunk_len(g, f.info)):
        r = &chunk_refs(g, f.info)[i]
        if is_live(g, r.row, r.id):
            rows[k] = r.row
            k += 1
    done_with_payment(g)
    if k:
        # What enters is not there yet: it neither triggers on this nor replaces it.
        absent(g, f, True)
        sacrifice_group(g, rows, k)
        absent(g, f, False)
    choose_value(g, f.obj_row, CN_NUMBER, <uint32_t>k)
    if k:
        put_counters(g, f.obj_row, CK_P1P1, counters_at_once(g, f.obj_row, CK_P1P1, n.a * k))
    return False


cdef void absent(Game *g, const Frame *f, bint away) noexcept nogil:
    cdef Ref *r
    cdef int i
    for i in range(0, chunk_len(g, f.list), 2):
        r = &chunk_refs(g, f.list)[i]
        if is_live(g, r.row, r.id) and g.zone[r.row] == Z_BATTLEFIELD:
            if away:
                g.status[r.row] |= ST_PHASED_OUT
            else:
                g.status[r.row] &= <uint8_t>~<int>ST_PHASED_OUT
            mana_update(g, r.row)


cdef bint either(Game *g, Frame *f, const Node *n, Ctx *c) noexcept nogil:
    """Counters, or what a change says, as its controller chooses: 0 the counters, 1 the other (CR 702.98a, 702.136a).
    Each such ability is chosen for by itself. True while it is open."""
    cdef bint known = True
    cdef int m
    if g.h.answer == NO_ANSWER:
        open_choice(g, CH_NUMBER, f.player)
        add_option(g, O_NUMBER, 0, 0, NO_PLAYER)
        add_option(g, O_NUMBER, 0, 1, NO_PLAYER)
        return True
    m = answer_of(g).num
    g.h.answer = NO_ANSWER
    if m == 0:
        m = value(g, c, n.b, &known)
        if known and m > 0:
            put_counters(g, f.obj_row, n.a, counters_at_once(g, f.obj_row, n.a, m))
    elif n.c >= 0:
        effect_change(g, f.obj_row, n.c, 1, 0, 0, D_PERMANENT, f.player, f.obj_row, f.obj_id)
        settle(g)
    return False


cdef bint as_they_enter(Game *g, Frame *f) noexcept nogil:
    """The choices of one permanent after another. True while a player is asked."""
    cdef const Node *n
    cdef Ctx c
    cdef bint open_ = False
    cdef int i = f.a if f.d == 2 else -1
    cdef int p
    while True:
        if i < 0 or not is_live(g, chunk_refs(g, f.list)[i].row, chunk_refs(g, f.list)[i].id):
            g.h.answer = NO_ANSWER
            if i >= 0:
                chunk_refs(g, f.list)[i].flags = 0
                done_with_payment(g)
            i = next_of(g, f, EF_ASKS)
            if i < 0:
                return False
            about(g, f, i)
            f.c = 0
            f.d = 2
            settle(g)
        n = choice_of(g, f.obj_row, f.c, &c)
        if n == NULL:
            chunk_refs(g, f.list)[i].flags = 0
            i = -1
            continue
        if n.op == EN_CHOOSE:
            open_ = choose(g, f, n, &c)
        elif n.op == EN_UNLESS_PAID:
            open_ = unless_paid(g, f, n, &c)
        elif n.op == EN_DEVOUR:
            open_ = devour(g, f, n)
        elif n.op == EN_EITHER:
            open_ = either(g, f, n, &c)
        elif n.op == EN_UNDER:
            # CR 616.1b: under the control of whom was chosen.
            p = protector_of(g, f.obj_row)  # (the player chosen for it)
            if p >= 0 and in_game(g, p):
                change_controller(g, f.obj_row, p)
        if open_:
            return True
        f.c += 1


cdef const Node *protector_choice(Game *g, uint16_t row, Ctx *c) noexcept nogil:
    cdef int k = 0
    cdef const Node *n = choice_of(g, row, 0, c)
    while n != NULL and not (n.op == EN_CHOOSE and n.a == CN_PLAYER):
        k += 1
        n = choice_of(g, row, k, c)
    return n


cdef void run_enter(Game *g) noexcept nogil:
    cdef Frame *f = top_frame(g)
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint32_t *was = <uint32_t *>on_stack(g.lay.rows * sizeof(uint32_t))
    cdef uint8_t *zone = <uint8_t *>on_stack(g.lay.rows)
    cdef Ref *r
    cdef int i
    cdef int n = 0
    if f.d == 0 and (copies(g, f) or hosts(g, f)):
        return
    if as_they_enter(g, f) or g.h.status != GS_RUNNING:
        return
    f = top_frame(g)
    for i in range(0, chunk_len(g, f.list), 2):
        r = &chunk_refs(g, f.list)[i]
        if is_live(g, r.row, r.id):
            rows[n] = r.row
            was[n] = chunk_refs(g, f.list)[i + 1].id
            zone[n] = chunk_refs(g, f.list)[i + 1].flags
            n += 1
    chunk_free(g, f.list)
    chunk_free(g, f.info)
    f.list = 0
    f.info = 0
    pop_frame(g)
    settle(g)
    for i in range(n):
        if g.zone[rows[i]] == Z_BATTLEFIELD:
            enters_modified(g, rows[i], rows, n)
    settle(g)
    tell_entered(g, rows, was, zone, n)
