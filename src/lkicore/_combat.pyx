"""Combat: attackers and blockers declared one creature at a time, damage assigned and dealt.

A declaration is a sequence of small choices in timestamp order; each option can be completed to a legal whole
(CR 508.1c-d, 509.1b-c). Nothing counts as declared before the last choice.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport blocks_it, defender_of, extra_add
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._damage cimport (Dealing, deal_to_object, deal_to_player, dealing_begin, dealing_end, source_done)
from lkicore._expr cimport Facts, read_facts
from lkicore._game cimport (ASKED, ASK_FRAME, NO_ANSWER, NO_PLAYER, add_option, answer_of, event_done, in_game,
                            next_player, open_choice, pop_frame, push_frame, top_frame)
from lkicore._guard cimport ctz64, on_stack, rare
from lkicore._history cimport log_event
from lkicore._instead cimport damage_heeds, damage_instead
from lkicore._layers cimport changed, effect_add, settle
from lkicore._layout cimport Frame, Game, Option, Ref
from lkicore._opcodes cimport *
from lkicore._restrict cimport (attack_rules, block_rules, can_attack, can_be_attacked, can_block, may_block,
                                more_blocks, pay_taxes, restrict_attack, restrict_block)
from lkicore._status cimport leave_combat, tap
from lkicore._store cimport ctrl_set, has_bit, is_live, look_at, touched, trace, zone_first
from lkicore._triggers cimport happened, heard


cdef enum:
    FEW = 24   # creatures that are sorted rather than found along the battlefield


cdef bint has_attackers(const Game *g, int player) noexcept nogil:
    """Some creature of the player may attack."""
    cdef uint32_t w
    cdef uint64_t *mine = ctrl_set(g, player)
    cdef uint64_t bits
    cdef uint16_t row
    for w in range(g.lay.words):
        bits = mine[w] & g.b_creature[w] & g.b_untapped[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            if can_attack(g, row):
                return True
            bits &= bits - 1
    return False


cdef bint still_attacked(const Game *g, uint16_t row) noexcept nogil:
    """What this creature attacks is still there to be dealt damage (CR 506.4c, 800.4e)."""
    if g.blocks_id[row] == 0:
        return in_game(g, g.attacks[row] - 1)
    return (is_live(g, g.blocks_row[row], g.blocks_id[row]) and g.zone[g.blocks_row[row]] == Z_BATTLEFIELD
            and can_be_attacked(g, g.blocks_row[row], g.attacks[row] - 1))


cdef void gather(Game *g) noexcept nogil:
    """List the creatures by timestamp: what the declaration or damage step that begins now looks at."""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    cdef int n = 0
    cdef int k
    if not g.h.fighters_old:
        return
    g.h.fighters_old = 0
    for w in range(g.lay.words):
        bits = g.b_creature[w]
        while bits and n <= FEW:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if g.status[row] & ST_PHASED_OUT:
                continue
            k = n
            while k > 0 and g.timestamp[g.fighter[k - 1]] > g.timestamp[row]:
                g.fighter[k] = g.fighter[k - 1]
                k -= 1
            g.fighter[k] = row
            n += 1
    if n > FEW:
        # Many: the battlefield's own order is cheaper than sorting.
        n = 0
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if g.types[row] & T_CREATURE and not g.status[row] & ST_PHASED_OUT:
                g.fighter[n] = row
                n += 1
            row = g.znext[row]
    g.h.n_fighters = <uint16_t>n


# ------------------------------------------------------------------------------------------------ attackers

cdef void attackers_declared(Game *g, int player) noexcept nogil:
    """CR 508.1m: what triggers on attackers being declared."""
    cdef uint16_t row
    cdef int n = g.h.n_attackers
    cdef int i
    changed(g, RD_COMBAT)
    if not g.h.listening & (<uint64_t>1 << EV_ATTACKERS | <uint64_t>1 << EV_ATTACKS):
        return
    settle(g)
    if heard(g, EV_ATTACKERS):
        happened(g, EV_ATTACKERS, 0, 0, 0, 0, player, n, 0)
    if heard(g, EV_ATTACKS):
        for i in range(g.h.n_fighters):
            row = g.fighter[i]
            if g.attacks[row]:
                happened(g, EV_ATTACKS, row, g.id[row], g.blocks_row[row], g.blocks_id[row], g.attacks[row] - 1, n, 0)


cdef void offer_defenders(Game *g, uint16_t row, int player) noexcept nogil:
    """Players in turn order, each followed by the planeswalkers that it controls and the battles that it protects
    (CR 508.1b)."""
    cdef int p = next_player(g, player)
    cdef uint16_t walker
    while p != player:
        add_option(g, O_PLAYER, row, 0, p)
        walker = zone_first(g, Z_BATTLEFIELD, 0) if g.h.walkers else 0
        while walker:
            if can_be_attacked(g, walker, p):
                add_option(g, O_OBJECT, walker, 0, NO_PLAYER)
            walker = g.znext[walker]
        p = next_player(g, p)


cdef void attack_what(Game *g, uint16_t row, const Option *o) noexcept nogil:
    """The creature is to attack the player, planeswalker or battle of this option."""
    if o.kind == O_PLAYER:
        g.attacks[row] = <uint8_t>(1 + o.player)
    elif o.kind == O_OBJECT:
        g.attacks[row] = <uint8_t>(1 + defender_of(g, o.row))
        g.blocks_row[row] = o.row
        g.blocks_id[row] = o.id


cdef void exert_all(Game *g, int player) noexcept nogil:
    """What was exerted won't untap in its controller's next untap step (CR 701.43a)."""
    cdef uint16_t row
    cdef int i
    for i in range(g.h.n_fighters if g.cards.keywords & K_EXERT else 0):
        row = g.fighter[i]
        if g.combat[row] & CB_EXERTED:
            effect_add(g, EK_EXERTED, row, g.id[row], 0, 0, 0, D_NEXT_UNTAP, player, row, g.id[row])
            if heard(g, EV_EXERTED):
                happened(g, EV_EXERTED, row, g.id[row], 0, 0, player, 0, 0)


cdef void run_attack(Game *g) noexcept nogil:
    """Declare attackers (CR 508.1).

    frame: obj the creature asked about, a the number of the next one, b 1 if more than the creatures by themselves
    decides, n 1 while it is asked whether it is exerted, step 1 begun.
    """
    cdef Frame *f = top_frame(g)
    cdef Option *o
    cdef uint16_t row
    cdef int p, i
    if f.step == 0:
        gather(g)
        f.step = 1
        f.b = attack_rules(g, f.player)
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if f.n:
            f.n = 0
            if o.kind == O_YES:
                g.combat[f.obj_row] |= CB_EXERTED
        else:
            attack_what(g, f.obj_row, o)
            if g.attacks[f.obj_row] and g.keywords[f.obj_row] & K_EXERT:
                # CR 508.1g, 701.43d: an optional cost of attacking.
                f.n = 1
                open_choice(g, CH_EXERT, f.player)
                add_option(g, O_NO, f.obj_row, 0, NO_PLAYER)
                add_option(g, O_YES, f.obj_row, 0, NO_PLAYER)
                return
    while f.a < g.h.n_fighters:
        row = g.fighter[f.a]
        f.a += 1
        if g.controller[row] != f.player or not can_attack(g, row):
            continue
        f.obj_row = row
        f.obj_id = g.id[row]
        open_choice(g, CH_ATTACK, f.player)
        # CR 508.1d: it could attack, and nothing but a cost would excuse it.
        if f.b or not g.keywords[row] & K_MUST_ATTACK:
            add_option(g, O_NO, row, 0, NO_PLAYER)
        offer_defenders(g, row, f.player)
        if f.b:
            restrict_attack(g, f.player, row, f.a)
        return
    # All asked: attackers tap together (508.1f) and are attacking (508.1k).
    g.h.tick += 1
    g.h.n_attackers = 0
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if g.attacks[row]:
            g.h.n_attackers += 1
            if not g.keywords[row] & K_VIGILANCE:
                tap(g, row)
            trace(g, TR_ATTACK, g.defn[row], g.attacks[row] - 1,
                  1 + g.defn[g.blocks_row[row]] if g.blocks_id[row] else 0, 0,
                  g.id[row])
            log_event(g, H_ATTACKED, f.player, row, g.id[row], g.blocks_row[row], g.blocks_id[row], g.attacks[row] - 1)
    touched(g)
    p = f.player
    if f.b:
        pay_taxes(g, p)
    pop_frame(g)
    if g.h.n_attackers:
        exert_all(g, p)
        attackers_declared(g, p)


cdef bint is_about(const Game *g, const Option *o, int player) noexcept nogil:
    """The option is this player, or a planeswalker of the player."""
    if o.kind == O_PLAYER:
        return o.player == player
    return (g.types[o.row] & T_PLANESWALKER) != 0 and g.controller[o.row] == player


cdef void run_join(Game *g) noexcept nogil:
    """CR 508.4: the controller of what entered attacking chooses what it attacks. It is attacking already.

    frame: a number of the creature asked about, obj it; flags of an entry: 1 + the player whom, or whose planeswalker,
    it attacks, 0 any.
    """
    cdef Frame *f = top_frame(g)
    cdef Ref *r
    cdef Option *o
    cdef int n, i
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if is_live(g, f.obj_row, f.obj_id) and g.attacks[f.obj_row]:
            g.blocks_row[f.obj_row] = 0
            g.blocks_id[f.obj_row] = 0
            attack_what(g, f.obj_row, o)
            changed(g, RD_COMBAT)
        f.a += 1
    while f.a < chunk_len(g, f.list):
        r = &chunk_refs(g, f.list)[f.a]
        if is_live(g, r.row, r.id) and g.attacks[r.row]:
            f.obj_row = r.row
            f.obj_id = r.id
            f.player = g.controller[r.row]
            open_choice(g, CH_PICK, f.player)
            offer_defenders(g, r.row, f.player)
            n = 0
            for i in range(g.h.n_options):
                o = &g.option[i]
                if r.flags == 0 or is_about(g, o, r.flags - 1):
                    g.option[n] = g.option[i]
                    n += 1
            g.h.n_options = <uint16_t>n
            if n:
                return
            g.h.choice = CH_NONE
            leave_combat(g, f.obj_row)
            g.h.n_attackers -= 1
        f.a += 1
    chunk_free(g, f.list)
    f.list = 0
    pop_frame(g)
    changed(g, RD_COMBAT)


# ------------------------------------------------------------------------------------------------ blockers

cdef int blockers_of(const Game *g, uint16_t attacker) noexcept nogil:
    cdef int n = 0
    cdef int i
    for i in range(g.h.n_fighters):
        if blocks_it(g, g.fighter[i], g.id[attacker]):
            n += 1
    return n


cdef bint rescue(const Game *g, uint16_t attacker, int first, int player, uint16_t *taken,
                 uint64_t *seen) noexcept nogil:
    """Kuhn's augmenting path: find a second blocker among the creatures not asked yet."""
    cdef uint16_t row
    cdef int i
    for i in range(first, g.h.n_fighters):
        row = g.fighter[i]
        if may_block(g, row, player) and can_block(g, row, attacker) and not has_bit(seen, row):
            seen[row >> 6] |= <uint64_t>1 << (row & 63)
            if taken[row] == 0 or rescue(g, taken[row], first, player, taken, seen):
                taken[row] = attacker
                return True
    return False


cdef bint completable(const Game *g, int first, int player) noexcept nogil:
    """Every attacker with menace that has one blocker can still get another from the creatures not asked yet
    (702.111b).

    `first` is the number of the first creature not asked yet.
    """
    cdef uint16_t *taken = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint64_t *seen = <uint64_t *>on_stack(g.lay.words * sizeof(uint64_t))
    cdef uint16_t row
    cdef uint32_t i
    cdef int k
    for i in range(g.lay.rows):
        taken[i] = 0
    for k in range(g.h.n_fighters):
        row = g.fighter[k]
        if g.attacks[row] == 1 + player and g.keywords[row] & K_MENACE and blockers_of(g, row) == 1:
            for i in range(g.lay.words):
                seen[i] = 0
            if not rescue(g, row, first, player, taken, seen):
                return False
    return True


cdef bint menace_about(const Game *g, int player) noexcept nogil:
    cdef int i
    for i in range(g.h.n_fighters if g.cards.keywords & K_MENACE else 0):
        if g.attacks[g.fighter[i]] == 1 + player and g.keywords[g.fighter[i]] & K_MENACE:
            return True
    return False


cdef bint several_about(Game *g, int player) noexcept nogil:
    """Some creature of the player can block several attackers."""
    cdef int i
    for i in range(g.h.n_fighters if g.cards.keywords & K_EVASION else 0):
        if g.keywords[g.fighter[i]] & K_EVASION and may_block(g, g.fighter[i], player) and more_blocks(g, g.fighter[i]):
            return True
    return False


cdef void begin_blocks(Game *g) noexcept nogil:
    """Defending players declare in turn order (CR 509.1, 802.4a); the last frame pushed runs first."""
    cdef int order[8]
    cdef int n = 0
    cdef int i, p, _
    cdef uint32_t attacked = 0
    gather(g)
    for i in range(g.h.n_fighters):
        if g.attacks[g.fighter[i]]:
            attacked |= <uint32_t>1 << (g.attacks[g.fighter[i]] - 1)
    p = next_player(g, g.h.active)
    for _ in range(<int>g.h.n_alive):
        if p != g.h.active and attacked >> p & 1:
            order[n] = p
            n += 1
        p = next_player(g, p)
    for i in range(n - 1, -1, -1):
        push_frame(g, F_BLOCK, order[i])
    if n == 0:
        blocks_declared(g)


cdef inline void becomes_blocked(Game *g, uint16_t row, uint16_t attacker, int player) noexcept nogil:
    g.combat[attacker] |= CB_BLOCKED
    trace(g, TR_BLOCK, g.defn[row], g.defn[attacker], 0, 0, g.id[row])
    log_event(g, H_BLOCKED, player, row, g.id[row], attacker, g.id[attacker], 0)


cdef void finish_blocks(Game *g, int player) noexcept nogil:
    """CR 509.1g-h."""
    cdef uint16_t row, a
    cdef int i, k
    g.h.tick += 1
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if not g.combat[row] & CB_BLOCKING or g.controller[row] != player:
            continue
        if not rare(g.combat[row] & CB_MORE):
            a = g.blocks_row[row]
            if is_live(g, a, g.blocks_id[row]) and g.attacks[a]:
                becomes_blocked(g, row, a, player)
            continue
        for k in range(g.h.n_fighters):
            a = g.fighter[k]
            if g.attacks[a] and blocks_it(g, row, g.id[a]):
                becomes_blocked(g, row, a, player)
    touched(g)


cdef void blocks_declared(Game *g) noexcept nogil:
    """All defending players have declared blockers: what triggers on that (CR 509.1i, 509.3)."""
    cdef uint16_t row
    cdef Ref r
    cdef int i, k
    changed(g, RD_COMBAT)
    if not g.h.listening & (<uint64_t>1 << EV_BLOCKS | <uint64_t>1 << EV_BECOMES_BLOCKED | <uint64_t>1 << EV_UNBLOCKED):
        return
    settle(g)
    if heard(g, EV_BLOCKS):
        for i in range(g.h.n_fighters):
            row = g.fighter[i]
            if not g.combat[row] & CB_BLOCKING:
                continue
            happened(g, EV_BLOCKS, row, g.id[row], g.blocks_row[row], g.blocks_id[row], g.controller[row], 1, 0)
            for k in range(chunk_len(g, g.extra[row]) if g.combat[row] & CB_MORE else 0):
                # CR 509.3a-b: "blocks" triggers once, "blocks a creature" for each.
                r = chunk_refs(g, g.extra[row])[k]
                if r.kind == RK_BLOCKS:
                    happened(g, EV_BLOCKS, row, g.id[row], r.row, r.id, g.controller[row], 2, 0)
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if not g.attacks[row]:
            continue
        if not g.combat[row] & CB_BLOCKED:
            if heard(g, EV_UNBLOCKED):
                happened(g, EV_UNBLOCKED, row, g.id[row], 0, 0, g.attacks[row] - 1, 0, 0)  # CR 509.3g
        elif heard(g, EV_BECOMES_BLOCKED):
            # CR 509.3c: once, however many creatures block it; the other object is the first of them.
            k = blocker_after(g, row, 0)
            if k >= 0:
                happened(g, EV_BECOMES_BLOCKED, row, g.id[row], g.fighter[k], g.id[g.fighter[k]], g.controller[row],
                         blockers_of(g, row), 0)


cdef void run_block(Game *g) noexcept nogil:
    """Declare blockers of one player (CR 509.1). frame: obj the creature asked about, a the number of the next one, b 1
    if menace matters, 2 if more does, n how many attackers it blocks that may block another, step 1 begun."""
    cdef Frame *f = top_frame(g)
    cdef Option *o
    cdef uint16_t row, a
    cdef int p = f.player
    cdef int i
    cdef bint fits
    if f.step == 0:
        f.step = 1
        f.b = 2 if block_rules(g, p) or several_about(g, p) else menace_about(g, p)
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind != O_OBJECT:
            f.n = 0
        elif f.n == 0:
            g.blocks_row[f.obj_row] = o.row
            g.blocks_id[f.obj_row] = o.id
            g.combat[f.obj_row] |= CB_BLOCKING
        else:
            extra_add(g, f.obj_row, RK_BLOCKS, o.id, o.row, 0)
            g.combat[f.obj_row] |= CB_MORE
        if o.kind == O_OBJECT:
            f.n = <uint8_t>(f.n + 1 if f.n < more_blocks(g, f.obj_row) and f.n < 250 else 0)
            if f.n:
                f.a -= 1  # CR 509.1b: it is asked again
    while f.a < g.h.n_fighters:
        row = g.fighter[f.a]
        f.a += 1
        if not may_block(g, row, p):
            f.n = 0
            continue
        open_choice(g, CH_BLOCK, p)
        f.obj_row = row
        f.obj_id = g.id[row]
        if f.b != 1 or completable(g, f.a, p):
            add_option(g, O_NO, row, 0, NO_PLAYER)
        for i in range(g.h.n_fighters):
            a = g.fighter[i]
            if g.attacks[a] == 1 + p and can_block(g, row, a) and not (f.n and blocks_it(g, row, g.id[a])):
                fits = True
                if f.b == 1:
                    g.blocks_row[row] = a
                    g.blocks_id[row] = g.id[a]
                    fits = completable(g, f.a, p)
                    g.blocks_row[row] = 0
                    g.blocks_id[row] = 0
                if fits:
                    add_option(g, O_OBJECT, a, 0, NO_PLAYER)
        if f.b == 2:
            restrict_block(g, p, row, f.a)
        if g.h.n_options > 1 or (g.h.n_options == 1 and g.option[0].kind == O_OBJECT):
            return
        g.h.choice = CH_NONE
        g.h.n_options = 0
        f.n = 0
    finish_blocks(g, p)
    pop_frame(g)
    if g.h.n_frames == 0 or top_frame(g).kind != F_BLOCK:
        blocks_declared(g)


# ------------------------------------------------------------------------------------------------ damage

cdef bint needs_first_strike(Game *g) noexcept nogil:
    """CR 510.4: some attacker or blocker has first or double strike."""
    cdef uint16_t row
    cdef int i
    if not g.cards.keywords & (K_FIRST_STRIKE | K_DOUBLE_STRIKE):
        return False
    gather(g)
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if (g.attacks[row] or g.combat[row] & CB_BLOCKING) and g.keywords[row] & (K_FIRST_STRIKE | K_DOUBLE_STRIKE):
            return True
    return False


cdef bint deals_now(const Game *g, uint16_t row) noexcept nogil:
    """The creature assigns damage in this damage step (CR 510.4, 702.7b)."""
    if g.h.step == STEP_FIRST_STRIKE_DAMAGE:
        return (g.keywords[row] & (K_FIRST_STRIKE | K_DOUBLE_STRIKE)) != 0
    if g.h.combat_flags & CBF_FIRST_STRIKE:
        return not g.combat[row] & CB_DEALT_FIRST or (g.keywords[row] & K_DOUBLE_STRIKE) != 0
    return True


cdef int lethal(const Game *g, uint16_t row, bint deathtouch) noexcept nogil:
    """Damage that is lethal for a blocker as it stands (CR 120.6, 702.2c, 702.19b)."""
    cdef int n = g.toughness[row] - g.damage[row]
    if g.status[row] & ST_DEATHTOUCHED:
        return 0
    if deathtouch and n > 1:
        n = 1
    return n if n > 0 else 0


cdef int blocker_after(const Game *g, uint16_t attacker, int k) noexcept nogil:
    """Number of the attacker's next blocker from number `k` on; -1 none."""
    while k < g.h.n_fighters:
        if blocks_it(g, g.fighter[k], g.id[attacker]):
            return k
        k += 1
    return -1


cdef int attacker_after(const Game *g, uint16_t blocker, int k) noexcept nogil:
    """Number of the next attacker from number `k` on that the blocker blocks and can damage; -1 none."""
    while k < g.h.n_fighters:
        if g.attacks[g.fighter[k]] and blocks_it(g, blocker, g.id[g.fighter[k]]):
            return k
        k += 1
    return -1


cdef void assign(Game *g, Frame *f, int by, int to, int n) noexcept nogil:
    """Fighter `by` assigns damage to fighter `to`. What a blocker of several attackers gets, or deals, stands in the
    frame's list."""
    if (g.combat[g.fighter[by]] | g.combat[g.fighter[to]]) & CB_MORE:
        f.list = refs_add(g, f.list, <uint32_t>by << 16 | <uint32_t>max(0, min(n, 0xFFFF)), <uint16_t>to, RK_ASSIGNED)
    else:
        g.assigned[g.fighter[to]] = <int16_t>n


cdef int assigned_by(const Game *g, const Frame *f, int by, int to) noexcept nogil:
    cdef int i
    if not (g.combat[g.fighter[by]] | g.combat[g.fighter[to]]) & CB_MORE:
        return g.assigned[g.fighter[to]]
    for i in range(chunk_len(g, f.list)):
        if chunk_refs(g, f.list)[i].row == to and chunk_refs(g, f.list)[i].id >> 16 == <uint32_t>by:
            return chunk_refs(g, f.list)[i].id & 0xFFFF
    return 0


cdef int assigned_before(const Game *g, const Frame *f, int to) noexcept nogil:
    """Damage that others assign to it in this step (CR 702.19b)."""
    cdef int i
    cdef int n = 0
    for i in range(chunk_len(g, f.list)):
        if chunk_refs(g, f.list)[i].row == to:
            n += chunk_refs(g, f.list)[i].id & 0xFFFF
    return n


cdef inline bint strikes(const Game *g, uint16_t row) noexcept nogil:
    return deals_now(g, row) and g.power[row] > 0


cdef void begin_damage(Game *g) noexcept nogil:
    """A combat damage step begins (CR 510.1): the frame assigns and deals the damage."""
    cdef int i
    gather(g)
    for i in range(g.h.n_fighters):
        g.assigned[g.fighter[i]] = 0
    push_frame(g, F_ASSIGN, g.h.active)


cdef bint asks_sources(const Game *g) noexcept nogil:
    """Something may ask more about a source of combat damage than the damage itself does."""
    cdef int i
    if g.h.replaces | g.h.shields or g.trace != NULL:
        return True
    for i in range(g.h.n_fighters if g.cards.keywords & K_PROTECTION else 0):
        if g.keywords[g.fighter[i]] & K_PROTECTION:
            return True
    return False


cdef inline void striker(Game *g, uint16_t row, bint whole, Facts *f) noexcept nogil:
    """A source of combat damage, on the battlefield as it deals it; only what dealing looks at, unless `whole`."""
    if whole:
        read_facts(g, row, g.id[row], P_RULE_LKI, f)
        return
    f.keywords = g.keywords[row]
    f.id = g.id[row]
    f.row = row
    f.types = g.types[row]
    f.defn = g.defn[row]
    f.oflags = g.oflags[row]
    f.extra = g.extra[row]
    f.controller = g.controller[row]


cdef bint asks_before(Game *g) noexcept nogil:
    """Some player must choose how a part of the combat damage is replaced or prevented, in the order of `deal_all`."""
    cdef Facts source
    cdef uint16_t row, b
    cdef uint16_t to = 0
    cdef Frame *f = top_frame(g)
    cdef int i
    cdef int k = 0
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if not g.attacks[row] or not strikes(g, row):
            continue
        read_facts(g, row, g.id[row], P_RULE_LKI, &source)
        k = blocker_after(g, row, 0) if g.combat[row] & CB_BLOCKED else -1
        while k >= 0:
            b = g.fighter[k]
            if damage_instead(g, &source, b, g.controller[b], assigned_by(g, f, i, k), True, False, &to) == ASKED:
                return True
            k = blocker_after(g, row, k + 1)
        b = g.blocks_row[row] if g.blocks_id[row] else 0
        if g.assigned[row] and damage_instead(g, &source, b, g.controller[b] if b else g.attacks[row] - 1,
                                              g.assigned[row], True, False, &to) == ASKED:
            return True
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        b = g.blocks_row[row]
        if g.combat[row] & CB_MORE and strikes(g, row):
            read_facts(g, row, g.id[row], P_RULE_LKI, &source)
            k = attacker_after(g, row, 0)
            while k >= 0:
                b = g.fighter[k]
                if damage_instead(g, &source, b, g.controller[b], assigned_by(g, f, i, k), True, False, &to) == ASKED:
                    return True
                k = attacker_after(g, row, k + 1)
            continue
        if g.combat[row] & CB_BLOCKING and strikes(g, row) and is_live(g, b, g.blocks_id[row]) and g.attacks[b]:
            read_facts(g, row, g.id[row], P_RULE_LKI, &source)
            if damage_instead(g, &source, b, g.controller[b], g.power[row], True, False, &to) == ASKED:
                return True
    g.h.asked = 0
    return False


cdef void deal_all(Game *g) noexcept nogil:
    """All assigned combat damage is dealt at once (CR 510.2): counters that it puts, and what triggers on it, wait
    until the last of it is dealt."""
    cdef uint16_t row, b
    cdef Facts source
    cdef Dealing d
    cdef Frame *f = top_frame(g)
    cdef int i, k
    cdef bint whole = asks_sources(g)
    g.h.tick += 1
    dealing_begin(&d)
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if not g.attacks[row] or not strikes(g, row):
            continue
        striker(g, row, whole, &source)
        if g.combat[row] & CB_BLOCKED:
            k = blocker_after(g, row, 0)
            while k >= 0:
                deal_to_object(g, &d, &source, g.fighter[k], assigned_by(g, f, i, k), True)
                k = blocker_after(g, row, k + 1)
        if g.assigned[row] and g.blocks_id[row]:
            deal_to_object(g, &d, &source, g.blocks_row[row], g.assigned[row], True)
        elif g.assigned[row]:
            deal_to_player(g, &d, &source, g.attacks[row] - 1, g.assigned[row], True)
        if d.gain:
            source_done(g, &d, &source)
    # Each blocker deals its damage to the attacker that it blocks, or as it was divided (510.1d).
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if not g.combat[row] & CB_BLOCKING or not strikes(g, row):
            continue
        if rare(g.combat[row] & CB_MORE):
            striker(g, row, whole, &source)
            k = attacker_after(g, row, 0)
            while k >= 0:
                deal_to_object(g, &d, &source, g.fighter[k], assigned_by(g, f, i, k), True)
                k = attacker_after(g, row, k + 1)
            if d.gain:
                source_done(g, &d, &source)
        else:
            b = g.blocks_row[row]
            if is_live(g, b, g.blocks_id[row]) and g.attacks[b]:
                striker(g, row, whole, &source)
                deal_to_object(g, &d, &source, b, g.power[row], True)
                if d.gain:
                    source_done(g, &d, &source)
    if g.h.step == STEP_FIRST_STRIKE_DAMAGE:
        # Who took part in the first step does not in the second, unless by double strike.
        for i in range(g.h.n_fighters):
            row = g.fighter[i]
            if (g.attacks[row] or g.combat[row] & CB_BLOCKING) and g.keywords[row] & (K_FIRST_STRIKE | K_DOUBLE_STRIKE):
                g.combat[row] |= CB_DEALT_FIRST
    if d.n:
        dealing_end(g, &d)


cdef bint divides_back(Game *g, Frame *f) noexcept nogil:
    """CR 510.1d: the controller of a creature that blocks several attackers divides its damage among them. True while a
    player is asked."""
    cdef uint16_t row
    cdef int n, after
    while True:
        if f.n == 0:
            while f.d < g.h.n_fighters and not (g.combat[g.fighter[f.d]] & CB_MORE and strikes(g, g.fighter[f.d])):
                f.d += 1
            if f.d >= g.h.n_fighters:
                f.player = g.h.active
                return False
            row = g.fighter[f.d]
            f.d += 1
            f.obj_row = row
            f.obj_id = g.id[row]
            f.player = g.controller[row]
            f.a = g.power[row]
            f.n = 1
            f.b = attacker_after(g, row, 0)
        row = f.obj_row
        if f.b < 0:
            f.n = 0
            continue
        after = attacker_after(g, row, f.b + 1)
        if after < 0 or f.a == 0:
            assign(g, f, f.d - 1, f.b, f.a)
            f.a = 0
            f.b = after
            continue
        open_choice(g, CH_ASSIGN, f.player)
        for n in range(f.a + 1):
            add_option(g, O_NUMBER, g.fighter[f.b], n, NO_PLAYER)
        return True


cdef void run_assign(Game *g) noexcept nogil:
    """The attacking player divides each attacker's damage (CR 510.1c, 702.19b).

    frame: obj the attacker, n 1 while it is being asked about, a damage left, b number of the blocker asked about (-1:
    none left), c 1 if some blocker before got less than lethal damage, d number of the next creature; step 1 once
    blockers of several attackers are asked about (510.1d), list what they get and deal.
    """
    cdef Frame *f = top_frame(g)
    cdef uint16_t row = f.obj_row
    cdef uint16_t b
    cdef int n, low, after
    cdef bint trample, death, player
    if g.h.answer != NO_ANSWER:
        n = answer_of(g).num
        g.h.answer = NO_ANSWER
        b = g.fighter[f.b]
        if n < lethal(g, b, (g.keywords[row] & K_DEATHTOUCH) != 0) - assigned_before(g, f, f.b):
            f.c = 1
        assign(g, f, f.d - 1, f.b, n)
        f.a -= n
        f.b = blocker_after(g, row, f.b + 1) if f.step == 0 else attacker_after(g, row, f.b + 1)
    while f.step == 0:
        if f.n == 0:
            while f.d < g.h.n_fighters and not (g.attacks[g.fighter[f.d]] and strikes(g, g.fighter[f.d])):
                f.d += 1
            if f.d >= g.h.n_fighters:
                f.step = 1
                f.d = 0
                break
            row = g.fighter[f.d]
            f.d += 1
            f.obj_row = row
            f.obj_id = g.id[row]
            f.a = g.power[row]
            f.c = 0
            f.n = 1
            f.b = blocker_after(g, row, 0) if g.combat[row] & CB_BLOCKED else -1
        trample = (g.keywords[row] & K_TRAMPLE) != 0
        player = still_attacked(g, row)
        if f.b < 0:
            # What is left goes to the player or planeswalker: unblocked (510.1b), or trample past lethal damage to
            # every blocker
            # (702.19b, e).
            if f.a > 0 and player and (trample or not g.combat[row] & CB_BLOCKED):
                g.assigned[row] = <int16_t>f.a
            f.n = 0
            continue
        b = g.fighter[f.b]
        death = (g.keywords[row] & K_DEATHTOUCH) != 0
        after = blocker_after(g, row, f.b + 1)
        low = 0
        if after < 0:
            # The last one: all that is left, or with trample at least lethal damage.
            low = f.a
            n = max(0, lethal(g, b, death) - assigned_before(g, f, f.b))
            if trample and player and not f.c and n < f.a:
                low = n
        if low == f.a:
            assign(g, f, f.d - 1, f.b, f.a)
            f.a = 0
            f.b = after
            continue
        open_choice(g, CH_ASSIGN, f.player)
        for n in range(low, f.a + 1):
            add_option(g, O_NUMBER, b, n, NO_PLAYER)
        return
    # (Only with abilities of evasion can a creature block several.)
    if g.cards.keywords & K_EVASION and divides_back(g, f):
        return
    if damage_heeds(g):
        g.h.asks = ASK_FRAME
        if asks_before(g):
            return  # which effect applies first (CR 616.1): all of it is chosen before any damage is dealt
        g.h.asks = 0
        deal_all(g)
        event_done(g)
    else:
        deal_all(g)
    chunk_free(g, f.list)
    f.list = 0
    pop_frame(g)


cdef void end_combat(Game *g) noexcept nogil:
    """CR 511.3: all creatures are removed from combat."""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    cdef int i
    if g.h.n_attackers == 0:
        return
    row = zone_first(g, Z_BATTLEFIELD, 0) if g.h.walkers else 0
    while row:
        if g.types[row] & T_BATTLE:
            look_at(g, row)  # CR 704.5w: nobody attacks it any more
        row = g.znext[row]
    # Whoever is in combat was a creature as the last of its steps began, or has joined it since.
    for i in range(g.h.n_fighters):
        row = g.fighter[i]
        if g.attacks[row] or g.combat[row]:
            leave_combat(g, row)
    if g.h.fighters_old:
        for w in range(g.lay.words):
            bits = g.b_creature[w]
            while bits:
                row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
                bits &= bits - 1
                if g.attacks[row] or g.combat[row]:
                    leave_combat(g, row)
    touched(g)
    g.h.n_attackers = 0
    g.h.combat_flags = 0
    changed(g, RD_COMBAT)
