"""Instructions in which players choose: discards, edicts, picks, whether to do or pay something, casting (CR 608.2)."""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport ability_of
from lkicore._actions cimport forget, objects_of, remember
from lkicore._allowed cimport castable_in
from lkicore._announce cimport begin_cast
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._casting cimport combines
from lkicore._costs cimport Price, find_payment, offer_cost, parts_payable, pay_parts, price_plain
from lkicore._damage cimport change_life
from lkicore._defs cimport face_of
from lkicore._entries cimport entry_of
from lkicore._expr cimport Ctx, Facts, info_of, passes, passes_facts, passes_player, ref_object, value
from lkicore._facts cimport known_facts
from lkicore._game cimport NO_ANSWER, NO_PLAYER, add_option, answer_of, in_game, open_choice, push_frame
from lkicore._guard cimport ctz64, on_stack
from lkicore._lands cimport may_play_land, play_land
from lkicore._layout cimport Frame, Game, Option
from lkicore._mana cimport give_mana, tapping
from lkicore._opcodes cimport *
from lkicore._payment cimport pay_mana
from lkicore._plans cimport kinds_of, replaced_mana
from lkicore._store cimport PRIVATE_ZONES, is_live, zone_count, zone_first
from lkicore._stack_copies cimport begin_retarget, copy_on_stack
from lkicore._types cimport NONE16, WORDS, Ability, Face, Way
from lkicore._zones cimport sacrifice_group

cdef enum:
    MOST_COPIES = 500   # of one instruction


cdef int one_of(int mask) noexcept nogil:
    """The first player of a bit set, -1 none."""
    cdef int p
    for p in range(8):
        if mask >> p & 1:
            return p
    return -1


cdef int apnap(const Game *g, int mask, int *order) noexcept nogil:
    """Players of a bit set who are in the game, the active player first (CR 101.4)."""
    cdef int later = mask & g.h.alive & ((1 << g.h.active) - 1)  # their seats come before the active player's
    cdef int part = mask & g.h.alive & ~later
    cdef int n = 0
    while part | later:
        if part == 0:
            part = later
            later = 0
        order[n] = ctz64(<uint64_t>part)
        n += 1
        part &= part - 1
    return n


cdef bint discard(Game *g, const Ctx *c, const int32_t *w, int players, int n) noexcept nogil:
    """CR 701.9: each of the players chooses cards to discard, or chance does."""
    cdef int order[8]
    cdef int i
    cdef int k = 0
    cdef int m
    cdef Frame *f
    if n <= 0:
        return False
    forget(g, c, RK_MOVED)
    m = apnap(g, players, order)
    for i in range(m):
        if zone_count(g, Z_HAND, order[i]):
            order[k] = order[i]
            k += 1
    # The frame on top runs first.
    for i in range(k - 1, -1, -1):
        f = push_frame(g, F_DISCARD, order[i])
        f.a = n
        f.b = w[3]
        f.c = w[4]
    return k > 0


cdef enum:
    BEGUN = 1 << 16


cdef int next_edict(Game *g, const Ctx *c, Frame *f, const int32_t *w, int players, int n) noexcept nogil:
    """CR 701.21, 101.4: the players choose in turn; all that was chosen is sacrificed together.

    f.b: bit set of the players who are done, and a bit that it has begun; f.c: how many the present one has chosen;
    f.list: all chosen.
    """
    cdef int order[8]
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef Option *o
    cdef Ctx his = c[0]
    cdef uint16_t row
    cdef int m = apnap(g, players, order)
    cdef int i, k, p
    if f.b == 0:
        f.b = BEGUN
        f.c = 0
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        f.list = refs_add(g, f.list, o.id, o.row, RK_OBJECT)
        f.c += 1
    for k in range(m):
        p = order[k]
        if f.b >> p & 1:
            continue
        if f.c < n:
            his.controller = <uint8_t>p
            open_choice(g, CH_SACRIFICE, p)
            row = zone_first(g, Z_BATTLEFIELD, 0)
            while row:
                if (g.controller[row] == p and not g.status[row] & ST_PHASED_OUT
                        and passes(g, &his, w[3], row) and not listed(g, f.list, g.id[row])):
                    add_option(g, O_OBJECT, row, 0, NO_PLAYER)
                row = g.znext[row]
            if g.h.n_options > n - f.c or (g.h.n_options and not g.h.options_mask & EO_COLLAPSE):
                return VM_WAIT
            # All that is left: no choice.
            for i in range(g.h.n_options):
                f.list = refs_add(g, f.list, g.option[i].id, g.option[i].row, RK_OBJECT)
            g.h.choice = CH_NONE
            g.h.n_options = 0
        f.b |= 1 << p
        f.c = 0
    m = 0
    for i in range(chunk_len(g, f.list)):
        if is_live(g, chunk_refs(g, f.list)[i].row, chunk_refs(g, f.list)[i].id):
            rows[m] = chunk_refs(g, f.list)[i].row
            m += 1
    chunk_free(g, f.list)
    f.list = 0
    f.d = m
    if m and sacrifice_group(g, rows, m):
        forget(g, c, RK_MOVED)
        for i in range(m):
            remember(g, c, RK_MOVED, g.id[rows[i]], rows[i], 0)
    return VM_DONE


cdef bint listed(const Game *g, uint16_t list, uint32_t id) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].id == id:
            return True
    return False


cdef int next_pick(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 608.2d: objects chosen on resolution, between value w[3] and value w[4] of them.

    f.b: 1 + how many are chosen.
    """
    cdef bint known = True
    cdef int least = value(g, c, w[3], &known)
    cdef int most = value(g, c, w[4], &known)
    cdef int zone = w[5]
    cdef int p
    cdef Ctx his = c[0]
    cdef Option *o
    cdef uint16_t row
    if f.b == 0:
        f.b = 1
        if not w[6] & PF_ADD:
            forget(g, c, RK_PICKED)
            if g.cards.refs[w[1]].op != R_PICKED:
                forget(g, c, RK_PICKED_PLAYER)  # (who chooses was picked, and goes on choosing)
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind == O_DONE:
            return VM_DONE
        if w[6] & PF_SOURCES and g.oflags[o.row] & OF_ABILITY:
            p = entry_of(g, o.row)
            remember(g, c, RK_PICKED, g.stack[p].source_id, g.stack[p].source_row, 0)
        else:
            remember(g, c, RK_PICKED, o.id, o.row, 0)
        f.b += 1
    if f.b - 1 >= most or not known:
        return VM_DONE
    open_choice(g, CH_PICK, player)
    for p in range(<int>g.lay.players if PRIVATE_ZONES >> zone & 1 else 1):
        if w[6] & PF_OWN and PRIVATE_ZONES >> zone & 1 and p != player:
            continue
        row = zone_first(g, zone, p)
        while row:
            if (not g.status[row] & ST_PHASED_OUT and passes(g, &his, w[2], row)
                    and not (zone == Z_BATTLEFIELD and w[6] & PF_OWN and g.controller[row] != player)
                    and not picked(g, c, g.id[row])):
                if w[6] & PF_HIDDEN:
                    g.known_to[row] |= <uint8_t>(1 << player)
                add_option(g, O_OBJECT, row, 0, NO_PLAYER)
            row = g.znext[row]
    row = zone_first(g, Z_STACK, 0) if w[6] & PF_SOURCES else 0
    while row:
        # CR 609.7a: an ability stands for its source, if that has left.
        if g.oflags[row] & OF_ABILITY:
            if left_source(g, c, &his, w[2], row):
                add_option(g, O_OBJECT, row, 0, NO_PLAYER)
        elif row != c.self_row and passes(g, &his, w[2], row) and not picked(g, c, g.id[row]):
            add_option(g, O_OBJECT, row, 0, NO_PLAYER)
        row = g.znext[row]
    if g.h.n_options == 0:
        g.h.choice = CH_NONE
        return VM_DONE
    if f.b - 1 >= least:
        add_option(g, O_DONE, 0, 0, NO_PLAYER)
    return VM_WAIT


cdef bint left_source(Game *g, const Ctx *c, const Ctx *his, int filter, uint16_t row) noexcept nogil:
    """CR 609.7a: the source of this ability on the stack is no permanent and no spell any more, and passes as it is or
    last was. Of several abilities of it the lowest stands for it."""
    cdef int i = entry_of(g, row)
    cdef uint16_t source = g.stack[i].source_row
    cdef uint32_t id = g.stack[i].source_id
    cdef Facts f
    cdef int k
    if is_live(g, source, id) and (g.zone[source] == Z_BATTLEFIELD or g.zone[source] == Z_STACK):
        return False
    for k in range(i):
        if g.oflags[g.stack[k].row] & OF_ABILITY and g.stack[k].source_id == id:
            return False
    return (not picked(g, c, id) and known_facts(g, source, id, P_LIVE_THEN_LKI, &f)
            and passes_facts(g, his, filter, &f))


cdef bint picked(const Game *g, const Ctx *c, uint32_t id) noexcept nogil:
    cdef uint16_t list = info_of(g, c)
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_PICKED and chunk_refs(g, list)[i].id == id:
            return True
    return False


cdef int pick_player(Game *g, const Ctx *c, const int32_t *w, int player) noexcept nogil:
    cdef int p
    if g.h.answer != NO_ANSWER:
        p = answer_of(g).player
        g.h.answer = NO_ANSWER
        forget(g, c, RK_PICKED)
        forget(g, c, RK_PICKED_PLAYER)
        remember(g, c, RK_PICKED_PLAYER, 0, <uint16_t>p, 0)
        return VM_DONE
    open_choice(g, CH_PICK, player)
    for p in range(<int>g.lay.players):
        if in_game(g, p) and passes_player(g, c, w[2], p):
            add_option(g, O_PLAYER, 0, 0, p)
    if g.h.n_options:
        return VM_WAIT
    g.h.choice = CH_NONE
    return VM_DONE


cdef int pick_color(Game *g, const Ctx *c, int player) noexcept nogil:
    cdef int k
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).num
        g.h.answer = NO_ANSWER
        forget(g, c, RK_CHOSEN)
        remember(g, c, RK_CHOSEN, <uint32_t>(1 << k), 0, CN_COLOR)
        return VM_DONE
    open_choice(g, CH_COLOR, player)
    for k in range(5):
        add_option(g, O_COLOR, 0, k, NO_PLAYER)
    return VM_WAIT


cdef int chosen_color(const Game *g, const Ctx *c) noexcept nogil:
    """Number of the colour chosen for the spell or ability, 0 none."""
    cdef uint16_t list = info_of(g, c)
    cdef int i, k
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_CHOSEN and chunk_refs(g, list)[i].flags == CN_COLOR:
            for k in range(5):
                if chunk_refs(g, list)[i].id >> k & 1:
                    return k
    return 0


cdef int ask_may(Game *g, Frame *f, int player, int chunk) noexcept nogil:
    """A yes or no: 1 yes, 0 no, -1 the choice is open."""
    cdef bint yes
    if g.h.answer != NO_ANSWER:
        yes = answer_of(g).kind == O_YES
        g.h.answer = NO_ANSWER
        return yes
    open_choice(g, chunk, player)
    add_option(g, O_NO, 0, 0, NO_PLAYER)
    add_option(g, O_YES, 0, 0, NO_PLAYER)
    return -1


cdef int ask_payment(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 118.12: a player may pay; 1 paid, 0 not, -1 a choice is open.

    f.b: 0 not asked, 1 asked, 2 chooses what to pay with; f.c: offset of the parts' numbers.
    """
    cdef const Ability *a = ability_of(g, w[2])
    cdef Ctx his = c[0]
    cdef Price price
    cdef bint known = True
    cdef int x = value(g, c, w[4], &known) if w[4] >= 0 else 0
    his.controller = <uint8_t>player
    his.x = <int16_t>x
    his.self_id = 0
    price_plain(&price)
    price.mana = a.cost
    price.mana.hi += <unsigned long long>max(0, a.n_x * x) << 32
    price.hybrid = a.hybrid
    price.n_hybrid = a.n_hybrid
    if f.b == 0:
        if not known or not parts_payable(g, &his, a.first_cost, a.n_costs) or not find_payment(g, player, &price, 0):
            return 0
        f.b = 1
    if f.b == 1:
        x = ask_may(g, f, player, CH_PAY_COST)
        if x <= 0:
            return x
        f.b = 2
        forget(g, c, RK_PAID)
    if g.h.answer != NO_ANSWER:
        remember(g, c, RK_PAID, answer_of(g).id, answer_of(g).row, answer_of(g).num)
        g.h.answer = NO_ANSWER
    if offer_cost(g, &his, a.first_cost, a.n_costs, 0, info_of(g, c)):
        return -1
    if not find_payment(g, player, &price, 0) or not pay_mana(g, player, &price.mana, 0, 0):
        return 0
    if price.life:
        change_life(g, player, -price.life)
    pay_parts(g, &his, a.first_cost, a.n_costs, 0, info_of(g, c))
    return 1


cdef int cast_now(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 608.2g, 601.2: the player may cast one of the objects now, whatever the time, in the way that is said, and in
    an own way of the card that pays another cost where that one says nothing of the cost (118.9a).

    Numbers of options: own way (from 1, 0 none), and 64: by this instruction.
    """
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef const Way *way = &g.cards.ways[w[3]]
    cdef const Face *face
    cdef const Face *whole
    cdef Option *o
    cdef int n, i, k, own, most
    cdef bint known = True
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        f.d = o.kind != O_NO
        if o.kind == O_NO:
            return VM_DONE
        f.a += WORDS
        f.b = 0
        if o.kind == O_PLAY:
            if o.num & 63:
                g.status[o.row] |= ST_FLIPPED  # CR 712.12
            play_land(g, o.row, player)
        else:
            own = (o.num & 63) - 1
            begin_cast(g, o.row, player, face_of(g, g.defn[o.row]).first_way + own if own >= 0 else -1, w[3])
        return VM_WAIT
    f.d = 0
    most = value(g, c, w[5], &known) if w[5] >= 0 else 0
    n = objects_of(g, c, w[2], True, rows)
    open_choice(g, CH_CAST, player)
    if not w[4] & PL_MUST:
        add_option(g, O_NO, 0, 0, NO_PLAYER)
    for i in range(n):
        whole = face_of(g, g.defn[rows[i]])
        for k in range(-1, whole.n_ways):
            # As it is, then in its own ways.
            own = whole.first_way + k if k >= 0 else -1
            if way.kind == W_TRANSFORMED if k < 0 else not combines(&g.cards.ways[own], way, Z_NONE):
                continue
            face = whole if k < 0 or g.cards.ways[own].face == NONE16 else face_of(g, g.cards.ways[own].face)
            if w[5] >= 0 and (face.mv > most or not known):
                continue  # CR 702.85a: the mana value of the spell that it would be
            if face.types & T_LAND:
                if w[4] & PL_LANDS and may_play_land(g, player):
                    add_option(g, O_PLAY, rows[i], 64 | k + 1, NO_PLAYER)
            elif castable_in(g, rows[i], player, own, w[3]):
                add_option(g, O_CAST, rows[i], 64 | k + 1, NO_PLAYER)
    if g.h.n_options == (0 if w[4] & PL_MUST else 1):
        g.h.n_options = 0
        g.h.choice = CH_NONE
        return VM_DONE
    return VM_WAIT


cdef bint taps_now(const Game *g, const Frame *f) noexcept nogil:
    """A mana ability resolves for which its permanent was tapped (CR 106.12)."""
    cdef int i = entry_of(g, f.obj_row)
    return (i >= 0 and g.stack[i].ability != NONE16 and ability_of(g, g.stack[i].ability).kind == AB_MANA
            and ability_of(g, g.stack[i].ability).cost_flags & CO_TAP)


cdef int next_mana(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 106.3, 605: mana of a colour, or of colours, that the player chooses. f.b: begun; f.c: how much there is."""
    cdef bint known = True
    cdef int n = value(g, c, w[3], &known)
    cdef int mask = kinds_of(g, c, w[2])
    cdef int k
    if tapping(g) and taps_now(g, f) and is_live(g, c.source_row, c.source_id):
        mask = replaced_mana(g, c.source_row, player, mask, &n)
    if f.b == 0:
        f.b = 1
        f.c = 0
    if g.h.answer != NO_ANSWER:
        k = n if w[5] else 1
        give_mana(g, player, answer_of(g).num, k, w[4], c.source_row, c.source_id)
        g.h.answer = NO_ANSWER
        f.c += k
    if not known or f.c >= n or mask == 0:
        return VM_DONE
    if mask & (mask - 1) == 0:
        k = 0
        while not mask >> k & 1:
            k += 1
        give_mana(g, player, k, n, w[4], c.source_row, c.source_id)
        return VM_DONE
    open_choice(g, CH_COLOR, player)
    for k in range(6):
        if mask >> k & 1:
            add_option(g, O_COLOR, 0, k, NO_PLAYER)
    return VM_WAIT


cdef int change_targets(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """Copies of a spell or ability (CR 707.10), or new targets for it itself (115.7): a frame goes on with them."""
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef uint16_t list = 0
    cdef bint known = True
    cdef int n
    if not ref_object(g, c, w[2], &row, &id, &policy):
        return VM_DONE
    if w[0] == E_COPY_SPELL:
        n = value(g, c, w[3], &known)
        list = copy_on_stack(g, row, id, player, min(n, <int>MOST_COPIES)) if known and n > 0 else 0
        f.d = chunk_len(g, list)
    elif is_live(g, row, id) and g.zone[row] == Z_STACK:
        list = refs_add(g, 0, id, row, RK_OBJECT)
    if list == 0:
        return VM_DONE
    f.a += WORDS
    f.b = 0
    f.c = 0
    begin_retarget(g, player, list, w[4] if w[0] == E_COPY_SPELL else w[3] | CY_NEW_TARGETS, c.source_row, c.source_id)
    return VM_WAIT
