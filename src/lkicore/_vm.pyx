"""The interpreter: one instruction of an effect after another (CR 608.2c).

The frame that resolves holds all that survives a choice: `a` the program counter, `b` how far the instruction has got
(0: not begun), `c` its own, `d` the result of the last instruction, `list` what it collects. What later instructions
refer to (moved, picked, paid) stands in the list of the spell or ability itself.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t

from lkicore._actions cimport (DIVIDED, apply_changes, apply_to_players, counters_objects, create, deal,
                               destroy_objects, exile_until, fight, followed, forget, keep, link_to_source, mill,
                               move_objects, objects_of, remember, returns_due, sacrifice_objects, turn_objects, shield,
                               shield_from, tap_objects)
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._attach cimport attach, can_be_attached
from lkicore._casting cimport cant_be_countered
from lkicore._chance cimport change_text, flip_coins, pick_number, pick_word, proliferate, roll_dice, vote
from lkicore._copies cimport copy_of, redefine
from lkicore._damage cimport change_life, player_counters
from lkicore._deeds cimport do_deed, is_deed
from lkicore._delayed cimport delay
from lkicore._enter cimport entering
from lkicore._entries cimport entry_of
from lkicore._expr cimport (Ctx, Facts, Obj, holds, info_of, passes, read_facts, ref_object, ref_objects,
                            ref_players, value)
from lkicore._follow cimport follows_now
from lkicore._game cimport ASKED, ASK_FRAME, ASK_OPEN, NO_ANSWER, NO_PLAYER, top_frame
from lkicore._guard cimport on_stack
from lkicore._instead cimport player_at_once
from lkicore._layers cimport changed, effect_add, settle
from lkicore._layout cimport Frame, Game
from lkicore._library cimport DREW, NO_CARD, draw, shuffle
from lkicore._look cimport dig, reveal_until, scry, search
from lkicore._opcodes cimport *
from lkicore._phases cimport run_turns
from lkicore._picks cimport (VM_DONE, VM_WAIT, apnap, ask_may, ask_payment, cast_now, change_targets, chosen_color,
                             discard, next_edict, next_mana, next_pick, one_of, pick_color, pick_player)
from lkicore._players cimport stop, win
from lkicore._sides cimport set_level, transform
from lkicore._status cimport leave_combat
from lkicore._store cimport is_live, touched, trace, zone_first
from lkicore._titles cimport become_day, get_emblem, get_title, venture
from lkicore._triggers cimport happened, heard, trigger_add
from lkicore._stack_copies cimport copy_card
from lkicore._types cimport NONE16, WORDS
from lkicore._zones cimport TO_END, asks_leaving_stack, leave_stack, move_one

cdef enum:
    MOST_DRAWN = 1000   # cards, tokens and turns of one instruction: more would not end


cdef void copy_cards(Game *g, const Ctx *c, int ref, int player) noexcept nogil:
    """CR 707.12: the copies are what the instruction moved."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, ref, True, rows)
    cdef int i
    cdef uint16_t copy
    forget(g, c, RK_MOVED)
    for i in range(n):
        if g.zone[rows[i]] != Z_BATTLEFIELD:
            copy = copy_card(g, rows[i], player)
            if copy:
                remember(g, c, RK_MOVED, g.id[copy], copy, 0)


cdef void dig_until(Game *g, const Ctx *c, const int32_t *w, int player) noexcept nogil:
    """CR 702.85a: cards from the top, one after the other, until one passes; all are remembered as moved, that one as
    picked."""
    cdef uint16_t row = zone_first(g, Z_LIBRARY, player)
    cdef bint found = False
    g.h.asks = 0  # nobody is asked between two cards what replaces a move
    forget(g, c, RK_MOVED)
    forget(g, c, RK_PICKED)
    forget(g, c, RK_PICKED_PLAYER)
    while row and not found and g.h.status == GS_RUNNING:
        move_one(g, row, w[3], TO_END)
        found = passes(g, c, w[2], row)
        remember(g, c, RK_MOVED, g.id[row], row, 0)
        if found:
            remember(g, c, RK_PICKED, g.id[row], row, 0)
        row = zone_first(g, Z_LIBRARY, player)


cdef void permit(Game *g, const Ctx *c, const int32_t *w, int player) noexcept nogil:
    """CR 601.3, 611.2: the player may play these cards where they are now, for as long as the duration says."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, w[2], True, rows)
    cdef int i
    for i in range(n):
        if g.zone[rows[i]] != Z_BATTLEFIELD:
            effect_add(g, EK_PERMIT, rows[i], g.id[rows[i]], w[3], 0, <int>(g.h.turn & 0x7FFF), w[4], player,
                       c.source_row, c.source_id)
            touched(g)


cdef void counter_objects(Game *g, const Ctx *c, const int32_t *w, Ctx *after) noexcept nogil:
    """CR 701.6a: a spell goes to its owner's graveyard, or where the instruction says; an ability ceases to exist."""
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    if not ref_object(g, c, w[1], &row, &id, &policy) or not is_live(g, row, id) or g.zone[row] != Z_STACK:
        return
    if g.keywords[row] & K_CANT_BE_COUNTERED or cant_be_countered(g, row):
        return
    if asks_leaving_stack(g, row, w[2] if w[2] else Z_GRAVEYARD):
        return  # before anything is told of it
    trace(g, TR_COUNTERED, g.defn[row], 0, 0, 0, id)
    if heard(g, EV_COUNTERED):
        happened(g, EV_COUNTERED, row, id, 0, 0, g.controller[row], 0, 0)  # CR 603.10e
    leave_stack(g, row, w[2] if w[2] else Z_GRAVEYARD, 0)
    find_targets(g, after)


cdef void find_targets(Game *g, Ctx *c) noexcept nogil:
    """Something has left the stack: the entries below, and the lists of targets with them, may have moved."""
    if c.self_id and is_live(g, c.self_row, c.self_id):
        c.targets = g.stack[entry_of(g, c.self_row)].targets
    else:
        c.targets = 0


cdef bint spells_meant(Game *g, const Ctx *c, int ref) noexcept nogil:
    """The reference means another spell, which is on the stack."""
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    return (ref_object(g, c, ref, &row, &id, &policy) and is_live(g, row, id) and g.zone[row] == Z_STACK
            and not g.oflags[row] & OF_ABILITY and row != c.self_row)


cdef int move_spells(Game *g, Ctx *c, int ref, int zone_to, int flags) noexcept nogil:
    """Other spells are exiled or go to a hand, graveyard or on top of a library: they leave the stack without being
    countered. A copy ceases to exist (CR 707.10a). How many left."""
    cdef Obj *obj = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int policy = 0
    cdef int n = ref_objects(g, c, ref, obj, &policy)
    cdef int m = 0
    cdef int k = 0
    cdef int i
    cdef uint16_t row
    for i in range(n):
        row = obj[i].row
        if (not is_live(g, row, obj[i].id) or g.zone[row] != Z_STACK or g.oflags[row] & OF_ABILITY
                or row == c.self_row):
            continue
        if asks_leaving_stack(g, row, zone_to):
            break
        m += 1
        if not g.oflags[row] & OF_COPY:
            rows[k] = row
            k += 1
        leave_stack(g, row, zone_to, 0)
    if m:
        keep(g, c, rows, k, flags)
        find_targets(g, c)
    return m


cdef void attach_objects(Game *g, const Ctx *c, int what, int to) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t *host = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    if objects_of(g, c, what, False, rows) != 1 or objects_of(g, c, to, False, host) != 1:
        return
    if can_be_attached(g, rows[0], host[0]):
        g.h.tick += 1
        attach(g, rows[0], host[0])
        settle(g)


cdef void trigger_reflexive(Game *g, const Ctx *c, int ability, int result) noexcept nogil:
    """CR 603.12: it triggers at once, about what the instruction before it moved."""
    cdef uint16_t list = info_of(g, c)
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef Facts f
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_MOVED:
            row = chunk_refs(g, list)[i].row
            id = chunk_refs(g, list)[i].id
            break
    if not id:
        # Nothing moved but to pay for it: what was sacrificed or exiled.
        for i in range(chunk_len(g, list)):
            if chunk_refs(g, list)[i].kind == RK_PAID and chunk_refs(g, list)[i].id:
                row = chunk_refs(g, list)[i].row
                id = chunk_refs(g, list)[i].id
                break
    else:
        # As it was before it moved: "its power" is last known (CR 608.2h); what it became is EVENT_CARD.
        for i in range(g.h.lki_limit):
            if g.lki[i].id and g.lki[i].became == id:
                row = g.lki[i].row
                id = g.lki[i].id
                break
    read_facts(g, c.source_row, c.source_id, P_LIVE_THEN_LKI, &f)
    trigger_add(g, ability, f.defn, c.source_row, c.source_id, c.controller, row, id, 0, 0, NO_PLAYER, result, c.x)


cdef void delay_ability(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    cdef Obj *about = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef int policy = 0
    cdef Facts f
    cdef int n = 0
    cdef int i
    read_facts(g, c.source_row, c.source_id, P_LIVE_THEN_LKI, &f)
    if w[2] < 0:
        delay(g, w[1], f.defn, 0, 0, w[3], c.controller, c.x, c.source_row, c.source_id)
        return
    n = ref_objects(g, c, w[2], about, &policy)
    for i in range(n):
        delay(g, w[1], f.defn, about[i].row, about[i].id, w[3], c.controller, c.x, c.source_row, c.source_id)


cdef void link_objects(Game *g, const Ctx *c, int ref, int number, int holder) noexcept nogil:
    cdef Obj *obj = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef Ctx his = c[0]
    cdef int policy = 0
    cdef int n = 1
    cdef int i
    if holder >= 0:
        n = ref_objects(g, c, holder, obj, &policy)
        his.source_row = obj[0].row
        his.source_id = obj[0].id
    n = ref_objects(g, c, ref, obj, &policy) if n else 0
    for i in range(n):
        link_to_source(g, &his, obj[i].row, obj[i].id, number)


cdef int draws_of(Game *g, Frame *f, int player, int n) noexcept nogil:
    """CR 121.2a: how many cards the player draws instead, worked out once; f.list keeps it, after the number itself."""
    cdef int i
    for i in range(1, chunk_len(g, f.list)):
        if chunk_refs(g, f.list)[i].row == player:
            return <int>chunk_refs(g, f.list)[i].id
    if f.list == 0:
        f.list = refs_add(g, 0, <uint32_t>max(0, clamped(n)), 0, RK_EVENT_AMOUNT)
    n = player_at_once(g, RP_DRAWS, player, n)
    f.list = refs_add(g, f.list, <uint32_t>max(0, clamped(n)), <uint16_t>player, RK_EVENT_AMOUNT)
    return n


cdef int attacked_player(Game *g, const Ctx *c, int ref) noexcept nogil:
    """Whom tokens that enter attacking attack, by player reference `ref`; -1: whom their controller chooses."""
    return one_of(ref_players(g, c, ref) & g.h.alive) if ref >= 0 else -1


cdef bint player_action(Game *g, const Ctx *c, Frame *f, const int32_t *w, int p, int n, int *done,
                        int *k) noexcept nogil:
    """Instructions that are carried out player by player (CR 101.4); false: no further player, or one must choose.

    `k` counts their events; frame b: how many of them have happened before a choice, c: cards drawn.
    """
    cdef int op = w[0]
    cdef int first = k[0]
    cdef int i, m
    if op == E_DRAW:
        # CR 121.2: one at a time.
        n = max(0, min(n if not g.h.replaces >> RP_DRAWS & 1 else draws_of(g, f, p, n), <int>MOST_DRAWN))
        k[0] += n
        for i in range(max(0, f.b - first), n):
            m = draw(g, p)
            if m == ASKED:
                return False
            f.b = first + i + 1
            if g.h.following:
                # CR 121.6b: what happens instead of this draw comes before the next.
                g.h.asks = ASK_OPEN
                return False
            if m == DREW:
                f.c += 1
            if m == NO_CARD or g.h.status != GS_RUNNING:
                f.b = k[0]
                break
        done[0] = f.c
        return g.h.status == GS_RUNNING
    k[0] += 1
    if k[0] <= f.b:
        return True
    if op == E_GAIN_LIFE:
        change_life(g, p, max(n, 0))
        done[0] += max(n, 0)
    elif op == E_LOSE_LIFE:
        change_life(g, p, -max(n, 0))
        done[0] += max(n, 0)
    elif op == E_MILL:
        mill(g, c, p, n if w[3] & MF_EXILED else player_at_once(g, RP_MILL, p, n), w[3])
    elif op == E_TOKEN:
        create(g, c, p, min(n, <int>MOST_DRAWN),
               with_exceptions(g, c, <uint16_t>w[3], w[5], w[6]) if w[6] else <uint16_t>w[3], w[4],
               attacked_player(g, c, w[7]))
    elif op == E_COPY_TOKEN:
        copy_tokens(g, c, w, p, n)
    if g.h.asks == ASK_OPEN:
        return False
    f.b = k[0]
    return g.h.status == GS_RUNNING


cdef uint16_t with_exceptions(Game *g, const Ctx *c, uint16_t defn, int first, int n) noexcept nogil:
    """The copiable values of a copy with exceptions (CR 707.9); "this ability" is the one that resolves."""
    cdef uint16_t ability = NONE16
    if c.self_id and is_live(g, c.self_row, c.self_id) and g.zone[c.self_row] == Z_STACK:
        ability = g.stack[entry_of(g, c.self_row)].ability
    return copy_of(g, c, defn, first, n, ability)


cdef void become_copies(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """CR 707.2, 611.2c: permanents become copies of an object as it is or last was: layer 1."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef Facts f
    cdef uint16_t d
    cdef int n, i
    if not ref_object(g, c, w[2], &row, &id, &policy) or not read_facts(g, row, id, policy, &f):
        return
    n = objects_of(g, c, w[1], False, rows)
    d = with_exceptions(g, c, f.defn, w[3], w[4])
    for i in range(n):
        effect_add(g, EK_COPY, rows[i], g.id[rows[i]], 0, 0, <int16_t>d, w[5], c.controller, c.source_row, c.source_id)
        redefine(g, rows[i])
    settle(g)


cdef void copy_tokens(Game *g, const Ctx *c, const int32_t *w, int player, int n) noexcept nogil:
    """CR 707.2, 111.12: tokens that are copies of an object as it is or last was."""
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef Facts f
    if ref_object(g, c, w[3], &row, &id, &policy) and read_facts(g, row, id, policy, &f):
        create(g, c, player, min(n, <int>MOST_DRAWN), with_exceptions(g, c, f.defn, w[5], w[6]), w[4],
               attacked_player(g, c, w[7]))


cdef bint possible(Game *g, Ctx *c, const int32_t *w) noexcept nogil:
    """CR 608.2d: what can't be carried out is no option: an instruction that acts on objects, and there are none."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int op
    while w[0] == E_ENTERS_WITH:
        w += WORDS
    op = w[0]
    if (op == E_COUNTERS or op == E_REMOVE_COUNTERS or op == E_TAP or op == E_UNTAP or op == E_DESTROY
            or op == E_SACRIFICE):
        return objects_of(g, c, w[1], False, rows) > 0
    if op == E_EXILE or op == E_RETURN or op == E_MOVE:
        return objects_of(g, c, w[1], True, rows) > 0
    return True


cdef int run_program(Game *g, Ctx *c) noexcept nogil:
    """Run the frame's program on; VM_WAIT when a player must choose."""
    cdef Frame *f = top_frame(g)
    cdef const int32_t *w
    cdef int op, n, m, mask, x, y
    cdef bint known
    while g.h.status == GS_RUNNING:
        w = &g.cards.code[f.a]
        op = w[0]
        known = True
        c.result = <int16_t>f.d
        if g.h.shields & 1 << EK_RETURN:
            returns_due(g)
            if entering(g):
                return VM_WAIT
        if g.h.following and follows_now(g):
            return VM_WAIT
        if op == E_END:
            return VM_DONE
        # Control, and instructions that may open a choice: they go on where they stand.
        if op == E_JUMP:
            f.a = w[1]
            continue
        if op == E_UNLESS:
            f.a = f.a + WORDS if holds(g, c, w[1]) else w[2]
            continue
        if op == E_MAY:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            n = ask_may(g, f, n, CH_MAY) if n >= 0 and (g.h.answer != NO_ANSWER or possible(g, c, w + WORDS)) else 0
            if n < 0:
                return VM_WAIT
            f.a = f.a + WORDS if n else w[2]
            continue
        if op == E_PAY:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            n = ask_payment(g, c, f, w, n) if n >= 0 else 0
            if n < 0:
                return VM_WAIT
            f.b = 0
            f.a = f.a + WORDS if n else w[3]
            continue
        if op == E_EDICT:
            n = value(g, c, w[2], &known)
            if known and next_edict(g, c, f, w, ref_players(g, c, w[1]), n) == VM_WAIT:
                return VM_WAIT
        elif op == E_PICK or op == E_PICK_PLAYER or op == E_PICK_COLOR:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0:
                m = (next_pick(g, c, f, w, n) if op == E_PICK else pick_player(g, c, w, n) if op == E_PICK_PLAYER
                     else pick_color(g, c, n))
                if m == VM_WAIT:
                    return VM_WAIT
        elif op == E_CHANGE_TEXT:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0 and change_text(g, c, f, w, n):
                return VM_WAIT
        elif op == E_PICK_NAME or op == E_PICK_TYPE or op == E_PICK_NUMBER or op == E_VENTURE or op == E_PROLIFERATE:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0:
                x = value(g, c, w[2], &known) if op == E_PICK_NUMBER or op == E_PROLIFERATE else 0
                y = value(g, c, w[3], &known) if op == E_PICK_NUMBER else 0
                if known and (pick_number(g, c, x, y, n) if op == E_PICK_NUMBER else venture(g, n, w[2])
                              if op == E_VENTURE else proliferate(g, c, f, n, x) if op == E_PROLIFERATE
                              else pick_word(g, c, w, n)):
                    return VM_WAIT
        elif op == E_VOTE:
            if vote(g, c, f, ref_players(g, c, w[1]) & g.h.alive, w[2]):
                return VM_WAIT
        elif op == E_ADD_MANA:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0 and next_mana(g, c, f, w, n) == VM_WAIT:
                return VM_WAIT
        elif op == E_COPY_SPELL or op == E_NEW_TARGETS:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0 and change_targets(g, c, f, w, n) == VM_WAIT:
                return VM_WAIT
        elif op == E_CAST:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0 and cast_now(g, c, f, w, n) == VM_WAIT:
                return VM_WAIT
        elif op == E_SEARCH_LAND or op == E_SCRY or op == E_SURVEIL or op == E_DIG:
            n = one_of(ref_players(g, c, w[1]) & g.h.alive)
            if n >= 0:
                m = (search(g, c, f, w, n) if op == E_SEARCH_LAND else dig(g, c, f, w, n) if op == E_DIG
                     else scry(g, c, f, w, n))
                if m:
                    return VM_WAIT
        elif op == E_DISCARD:
            mask = ref_players(g, c, w[1])
            n = value(g, c, w[2], &known)
            if known and mask and discard(g, c, w, mask, n):
                f.a += WORDS
                f.b = 0
                return VM_WAIT
        else:
            n = 0
            if op == E_ENTERS_WITH:
                # One instruction with the next: nothing of it lasts from one choice to another.
                n = value(g, c, w[2], &known)
                g.h.with_kind = <uint16_t>w[1]
                g.h.with_n = <uint16_t>max(0, min(n, 30000)) if known else 0
                n = WORDS
            g.h.asks = ASK_FRAME
            run_plain(g, c, f, w + n)
            g.h.with_n = 0
            if g.h.asks == ASK_OPEN:
                return VM_WAIT  # what replaces it must be chosen first (CR 616.1); then it begins again
            g.h.asks = 0
            f.a += n
        if f.list:
            # A player left in the middle of it: what was collected is nobody's.
            chunk_free(g, f.list)
            f.list = 0
        f.a += WORDS
        f.b = 0
        f.c = 0
        if entering(g):
            return VM_WAIT
    return VM_DONE


cdef void run_plain(Game *g, Ctx *c, Frame *f, const int32_t *w) noexcept nogil:
    """An instruction without a choice."""
    cdef int op = w[0]
    cdef int n, m, i, x, y, mask
    cdef int done = 0
    cdef int k = 0
    cdef int order[8]
    cdef bint known = True
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    if op == E_DAMAGE:
        n = value(g, c, w[3], &known)
        if g.cards.values[w[3]].op == V_DIVIDED:
            n = DIVIDED
        f.d = deal(g, c, w[1], w[2], n) if known else 0
    elif op == E_DESTROY:
        f.d = destroy_objects(g, c, w[1], w[2])
    elif ((op == E_EXILE or op == E_RETURN or op == E_MOVE) and g.h.n_stack > 1
            and g.cards.refs[w[1]].op != R_EACH and spells_meant(g, c, w[1])):
        m = Z_EXILE if op == E_EXILE else Z_HAND if op == E_RETURN else w[2]
        f.d = move_spells(g, c, w[1], m, w[3] if op == E_MOVE else w[2]) if m != Z_BATTLEFIELD else 0
    elif op == E_EXILE:
        f.d = move_objects(g, c, w[1], Z_EXILE, w[2], -1, 0)
    elif op == E_RETURN:
        f.d = move_objects(g, c, w[1], Z_HAND, w[2], -1, 0)
    elif op == E_MOVE:
        m = one_of(ref_players(g, c, w[4])) if w[4] >= 0 else -1
        f.d = move_objects(g, c, w[1], w[2], w[3], m, w[5])
    elif op == E_SACRIFICE:
        f.d = sacrifice_objects(g, c, w[1], w[2])
    elif op == E_APPLY:
        x = value(g, c, w[4], &known)
        y = value(g, c, w[5], &known)
        for i in range(w[3]):
            if g.cards.changes[w[2] + i].op == X_ADD_CHOSEN_ABILITY:
                x = chosen_color(g, c)
        if known:
            apply_changes(g, c, w[1], w[2], w[3], clamped(x), clamped(y), w[6])
    elif op == E_TAP or op == E_UNTAP:
        tap_objects(g, c, w[1], op == E_TAP)
    elif op == E_COUNTERS or op == E_REMOVE_COUNTERS:
        n = value(g, c, w[3], &known) if g.cards.values[w[3]].op != V_DIVIDED else DIVIDED
        if known and n > 0:
            f.d = counters_objects(g, c, w[1], w[2], n if op == E_COUNTERS else -n)
    elif op == E_FIGHT:
        fight(g, c, w[1], w[2])
    elif op == E_COUNTER:
        counter_objects(g, c, w, c)
    elif op == E_MANA:
        n = value(g, c, w[2], &known)
        for i in range(6):
            if w[1] >> i & 1 and known and n > 0:
                n = min(n, 60000 - <int>g.p_pool_n[c.controller])
                g.p_pool[c.controller * 6 + i] += <uint16_t>n
                g.p_pool_n[c.controller] += <uint16_t>n
                g.h.pools = 1
                touched(g)
                trace(g, TR_MANA, c.controller, i, g.defn[c.self_row], n, 0)
                break
    elif op == E_REGENERATE:
        shield(g, c, EK_REGENERATE, w[1], 0, D_END_OF_TURN, 0)
    elif op == E_PREVENT:
        n = value(g, c, w[2], &known) if w[2] >= 0 else 0
        m = g.h.n_effects
        if known:
            shield(g, c, EK_PREVENT, w[1], n, w[3], w[4])
            followed(g, c, m, w[5])
    elif op == E_PREVENT_FROM:
        n = value(g, c, w[3], &known) if w[3] >= 0 else 0
        m = g.h.n_effects
        if known:
            shield_from(g, c, w[1], w[2], n, w[4], w[5], w[6])
            followed(g, c, m, w[7])
    elif op == E_EXILE_LEAVING:
        shield(g, c, EK_EXILE_LEAVING, w[1], 0, w[2], 0)
    elif op == E_EXILE_INSTEAD:
        shield(g, c, EK_EXILE_INSTEAD, w[1], 0, w[2], 0)
    elif op == E_EXILE_UNTIL:
        exile_until(g, c, w[1])
    elif op == E_DELAY:
        delay_ability(g, c, w)
    elif op == E_REFLEXIVE:
        trigger_reflexive(g, c, w[1], f.d)
    elif op == E_ATTACH:
        attach_objects(g, c, w[1], w[2])
    elif op == E_BECOME_COPY:
        become_copies(g, c, w)
    elif op == E_TRANSFORM:
        m = objects_of(g, c, w[1], False, rows)
        transform(g, c, rows, m)
    elif E_TURN_UP <= op <= E_PUT_FACE_DOWN:
        f.d = turn_objects(g, c, w)
    elif op == E_SET_LEVEL:
        m = objects_of(g, c, w[1], False, rows)
        for i in range(m):
            set_level(g, rows[i], w[2])
    elif op == E_LINK:
        link_objects(g, c, w[1], w[2], w[3])
    elif is_deed(op):
        f.d = clamped(do_deed(g, c, w))
    elif op == E_REVEAL_UNTIL:
        n = one_of(ref_players(g, c, w[1]) & g.h.alive)
        if n >= 0:
            f.d = reveal_until(g, c, f, w, n)
    elif op == E_APPLY_PLAYERS:
        x = value(g, c, w[4], &known)
        y = value(g, c, w[5], &known)
        if known:
            apply_to_players(g, c, ref_players(g, c, w[1]), w[2], w[3], clamped(x), clamped(y), w[6])
    elif op == E_DRAW_GAME:
        stop(g, GS_ENDED, END_DRAW)  # CR 104.4c
    elif op == E_DAY:
        become_day(g, w[1])
    elif op == E_REMOVE_FROM_COMBAT:
        m = objects_of(g, c, w[1], False, rows)
        for i in range(m):
            leave_combat(g, rows[i])
        changed(g, RD_COMBAT)
    elif E_EXTRA_PHASE <= op <= E_REQUIRE:
        run_turns(g, c, w)
    else:
        mask = ref_players(g, c, w[1])
        if (op == E_DRAW or op == E_GAIN_LIFE or op == E_LOSE_LIFE or op == E_MILL or op == E_TOKEN
                or op == E_COPY_TOKEN):
            n = value(g, c, w[2], &known)
            if f.list:
                n = <int>chunk_refs(g, f.list)[0].id
        elif op == E_FLIP or op == E_ROLL:
            n = value(g, c, w[2], &known)
        elif op == E_PLAYER_COUNTERS:
            n = value(g, c, w[3], &known)
        else:
            n = 0
        if not known:
            return
        m = apnap(g, mask, order)
        for i in range(m):
            if op == E_SHUFFLE:
                shuffle(g, order[i])
            elif op == E_PLAYER_COUNTERS:
                done += player_counters(g, order[i], w[2], n)
            elif op == E_FLIP:
                done += flip_coins(g, order[i], n, w[3])
            elif op == E_ROLL:
                done += roll_dice(g, order[i], n, w[3])
            elif op == E_EMBLEM:
                get_emblem(g, order[i], w[2])
            elif op == E_TITLE:
                get_title(g, order[i], w[2], w[3])
            elif op == E_WIN_GAME:
                win(g, order[i])
            elif op == E_EXTRA_TURN:
                if g.h.turns_n < 32:
                    g.turns[g.h.turns_n] = <uint8_t>order[i]
                    g.h.turns_n += 1
            elif op == E_PERMIT:
                permit(g, c, w, order[i])
            elif op == E_COPY_CARD:
                copy_cards(g, c, w[2], order[i])
            elif op == E_DIG_UNTIL:
                dig_until(g, c, w, order[i])
            elif op == E_LOSE_GAME:
                g.p_doomed[order[i]] = 1
                g.h.sba |= SBA_PLAYERS
            elif not player_action(g, c, f, w, order[i], n, &done, &k):
                break
        f.d = clamped(done)
        if g.h.asks == ASK_OPEN and f.list == 0:
            # CR 608.2h: the number is determined once.
            f.list = refs_add(g, 0, <uint32_t>max(0, clamped(n)), 0, RK_EVENT_AMOUNT)


cdef inline int clamped(int n) noexcept nogil:
    return max(-30000, min(30000, n))
