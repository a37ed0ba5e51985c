"""Combat: attackers and blockers declared one creature at a time, damage assigned and dealt.

A declaration is a sequence of small choices in timestamp order; each option can be completed to a legal whole
(CR 508.1c-d, 509.1b-c). Nothing counts as declared before the last choice.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._damage cimport damage_object, damage_player
from lkicore._expr cimport Facts, read_facts
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, in_game, next_player, open_choice, pop_frame,
                            push_frame, top_frame)
from lkicore._history cimport log_event
from lkicore._layout cimport Frame, Game, Option
from lkicore._opcodes cimport *
from lkicore._store cimport ctrl_set, has_bit, is_live, touched, trace, zone_first
from lkicore._zones cimport leave_combat, tap


cdef bint can_attack(const Game *g, uint16_t row) noexcept nogil:
    """CR 508.1a: untapped, no defender, under control since the turn began or with haste."""
    if not g.types[row] & T_CREATURE or g.status[row] & (ST_TAPPED | ST_PHASED_OUT) or g.keywords[row] & K_DEFENDER:
        return False
    return not g.status[row] & ST_SICK or (g.keywords[row] & K_HASTE) != 0


cdef bint has_attackers(const Game *g, int player) noexcept nogil:
    """Some creature of the player may attack."""
    cdef uint32_t w
    cdef uint64_t *mine = ctrl_set(g, player)
    cdef uint16_t row
    cdef uint64_t sick = 0
    for w in range(g.lay.words):
        if mine[w] & g.b_creature[w] & g.b_untapped[w]:
            sick = 1
            break
    if sick == 0:
        return False
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.controller[row] == player and can_attack(g, row):
            return True
        row = g.znext[row]
    return False


cdef bint can_block(const Game *g, uint16_t blocker, uint16_t attacker) noexcept nogil:
    """CR 509.1a-b for one pair; what needs several blockers is looked at in the declaration."""
    cdef uint64_t a = g.keywords[attacker]
    cdef uint64_t b = g.keywords[blocker]
    if a & K_UNBLOCKABLE or b & K_CANT_BLOCK:
        return False
    return not a & K_FLYING or (b & (K_FLYING | K_REACH)) != 0  # CR 702.9b, 702.17b


cdef inline bint may_block(const Game *g, uint16_t row, int player) noexcept nogil:
    return (g.controller[row] == player and g.types[row] & T_CREATURE
            and not g.status[row] & (ST_TAPPED | ST_PHASED_OUT) and not g.keywords[row] & K_CANT_BLOCK)


# ------------------------------------------------------------------------------------------------ attackers

cdef void run_attack(Game *g) noexcept nogil:
    """Declare attackers (CR 508.1). frame: obj the creature asked about."""
    cdef Frame *f = top_frame(g)
    cdef Option *o
    cdef uint16_t row
    cdef int p
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind == O_PLAYER:
            g.attacks[f.obj_row] = <uint8_t>(1 + o.player)
        row = g.znext[f.obj_row]
    else:
        row = zone_first(g, Z_BATTLEFIELD, 0)
    while row and not (g.controller[row] == f.player and can_attack(g, row)):
        row = g.znext[row]
    if row:
        f.obj_row = row
        f.obj_id = g.id[row]
        open_choice(g, CH_ATTACK, f.player)
        add_option(g, O_NO, row, 0, NO_PLAYER)
        p = next_player(g, f.player)
        while p != f.player:
            add_option(g, O_PLAYER, row, 0, p)
            p = next_player(g, p)
        return
    # All asked: attackers tap together (508.1f) and are attacking (508.1k).
    g.h.tick += 1
    g.h.n_attackers = 0
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.attacks[row]:
            g.h.n_attackers += 1
            if not g.keywords[row] & K_VIGILANCE:
                tap(g, row)
            trace(g, TR_ATTACK, g.defn[row], g.attacks[row] - 1, 0, 0, g.id[row])
            log_event(g, H_ATTACKED, f.player, row, g.id[row], 0, 0, g.attacks[row] - 1)
        row = g.znext[row]
    touched(g)
    pop_frame(g)


# ------------------------------------------------------------------------------------------------ blockers

cdef int blockers_of(const Game *g, uint16_t attacker) noexcept nogil:
    cdef int n = 0
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.blocks_row[row] == attacker and g.blocks_id[row] == g.id[attacker]:
            n += 1
        row = g.znext[row]
    return n


cdef bint rescue(const Game *g, uint16_t attacker, uint16_t first, int player, uint16_t *taken, uint64_t *seen) noexcept nogil:
    """Kuhn's augmenting path: find a second blocker among the creatures not asked yet."""
    cdef uint16_t row = first
    while row:
        if may_block(g, row, player) and can_block(g, row, attacker) and not has_bit(seen, row):
            seen[row >> 6] |= <uint64_t>1 << (row & 63)
            if taken[row] == 0 or rescue(g, taken[row], first, player, taken, seen):
                taken[row] = attacker
                return True
        row = g.znext[row]
    return False


cdef bint completable(const Game *g, uint16_t first, int player) noexcept nogil:
    """Every attacker with menace that has one blocker can still get another from the creatures not asked yet (702.111b)."""
    cdef uint16_t taken[18432]
    cdef uint64_t seen[288]
    cdef uint16_t row
    cdef uint32_t i
    for i in range(g.lay.rows):
        taken[i] = 0
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.attacks[row] == 1 + player and g.keywords[row] & K_MENACE and blockers_of(g, row) == 1:
            for i in range(g.lay.words):
                seen[i] = 0
            if not rescue(g, row, first, player, taken, seen):
                return False
        row = g.znext[row]
    return True


cdef bint menace_about(const Game *g, int player) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.attacks[row] == 1 + player and g.keywords[row] & K_MENACE:
            return True
        row = g.znext[row]
    return False


cdef void begin_blocks(Game *g) noexcept nogil:
    """Defending players declare in turn order (CR 509.1, 802.4a); the last frame pushed runs first."""
    cdef int order[8]
    cdef int n = 0
    cdef int i, p
    cdef uint16_t row
    p = next_player(g, g.h.active)
    for i in range(<int>g.h.n_alive):
        if p != g.h.active:
            row = zone_first(g, Z_BATTLEFIELD, 0)
            while row and g.attacks[row] != 1 + p:
                row = g.znext[row]
            if row:
                order[n] = p
                n += 1
        p = next_player(g, p)
    for i in range(n - 1, -1, -1):
        push_frame(g, F_BLOCK, order[i])


cdef void finish_blocks(Game *g, int player) noexcept nogil:
    """CR 509.1g-h."""
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    g.h.tick += 1
    while row:
        if g.combat[row] & CB_BLOCKING and g.controller[row] == player:
            g.combat[g.blocks_row[row]] |= CB_BLOCKED
            trace(g, TR_BLOCK, g.defn[row], g.defn[g.blocks_row[row]], 0, 0, g.id[row])
            log_event(g, H_BLOCKED, player, row, g.id[row], g.blocks_row[row], g.blocks_id[row], 0)
        row = g.znext[row]
    touched(g)


cdef void run_block(Game *g) noexcept nogil:
    """Declare blockers of one player (CR 509.1). frame: obj the creature asked about, c 1 if menace matters."""
    cdef Frame *f = top_frame(g)
    cdef Option *o
    cdef uint16_t row, a
    cdef int p = f.player
    cdef bint fits
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind == O_OBJECT:
            g.blocks_row[f.obj_row] = o.row
            g.blocks_id[f.obj_row] = o.id
            g.combat[f.obj_row] |= CB_BLOCKING
        row = g.znext[f.obj_row]
    else:
        row = zone_first(g, Z_BATTLEFIELD, 0)
        f.c = menace_about(g, p)
    while row:
        if may_block(g, row, p):
            open_choice(g, CH_BLOCK, p)
            f.obj_row = row
            f.obj_id = g.id[row]
            if not f.c or completable(g, g.znext[row], p):
                add_option(g, O_NO, row, 0, NO_PLAYER)
            a = zone_first(g, Z_BATTLEFIELD, 0)
            while a:
                if g.attacks[a] == 1 + p and can_block(g, row, a):
                    fits = True
                    if f.c:
                        g.blocks_row[row] = a
                        g.blocks_id[row] = g.id[a]
                        fits = completable(g, g.znext[row], p)
                        g.blocks_row[row] = 0
                        g.blocks_id[row] = 0
                    if fits:
                        add_option(g, O_OBJECT, a, 0, NO_PLAYER)
                a = g.znext[a]
            if g.h.n_options > 1 or (g.h.n_options == 1 and g.option[0].kind == O_OBJECT):
                return
            g.h.choice = CH_NONE
            g.h.n_options = 0
        row = g.znext[row]
    finish_blocks(g, p)
    pop_frame(g)


# ------------------------------------------------------------------------------------------------ damage

cdef bint needs_first_strike(const Game *g) noexcept nogil:
    """CR 510.4: some attacker or blocker has first or double strike."""
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if (g.attacks[row] or g.combat[row] & CB_BLOCKING) and g.keywords[row] & (K_FIRST_STRIKE | K_DOUBLE_STRIKE):
            return True
        row = g.znext[row]
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


cdef uint16_t blocker_after(const Game *g, uint16_t attacker, uint16_t row) noexcept nogil:
    """The attacker's next blocker in timestamp order after `row` (0: the first)."""
    row = g.znext[row] if row else zone_first(g, Z_BATTLEFIELD, 0)
    while row and not (g.blocks_row[row] == attacker and g.blocks_id[row] == g.id[attacker] and g.types[row] & T_CREATURE):
        row = g.znext[row]
    return row


cdef uint16_t attacker_after(const Game *g, uint16_t row) noexcept nogil:
    row = g.znext[row] if row else zone_first(g, Z_BATTLEFIELD, 0)
    while row and not (g.attacks[row] and g.types[row] & T_CREATURE and deals_now(g, row) and g.power[row] > 0):
        row = g.znext[row]
    return row


cdef bint begin_damage(Game *g) noexcept nogil:
    """A combat damage step begins (CR 510.1); true when a frame assigns the damage."""
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        g.assigned[row] = 0
        row = g.znext[row]
    push_frame(g, F_ASSIGN, g.h.active)
    return True


cdef void deal_all(Game *g) noexcept nogil:
    """All assigned combat damage is dealt at once (CR 510.2)."""
    cdef uint16_t row, b
    cdef Facts source
    cdef int n
    g.h.tick += 1
    row = attacker_after(g, 0)
    while row:
        read_facts(g, row, g.id[row], P_LIVE_ONLY, &source)
        b = blocker_after(g, row, 0)
        while b:
            damage_object(g, &source, b, g.assigned[b], True)
            b = blocker_after(g, row, b)
        if g.assigned[row]:
            damage_player(g, &source, g.attacks[row] - 1, g.assigned[row], True)
        row = attacker_after(g, row)
    # Blockers: each deals its damage to the attacker that it blocks (510.1d).
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.combat[row] & CB_BLOCKING and deals_now(g, row) and g.power[row] > 0 and g.types[row] & T_CREATURE:
            b = g.blocks_row[row]
            n = g.power[row]
            if is_live(g, b, g.blocks_id[row]) and g.attacks[b]:
                read_facts(g, row, g.id[row], P_LIVE_ONLY, &source)
                damage_object(g, &source, b, n, True)
        row = g.znext[row]
    if g.h.step == STEP_FIRST_STRIKE_DAMAGE:
        # Who took part in the first step does not in the second, unless by double strike.
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if (g.attacks[row] or g.combat[row] & CB_BLOCKING) and g.keywords[row] & (K_FIRST_STRIKE | K_DOUBLE_STRIKE):
                g.combat[row] |= CB_DEALT_FIRST
            row = g.znext[row]


cdef void run_assign(Game *g) noexcept nogil:
    """The attacking player divides each attacker's damage (CR 510.1c, 702.19b).

    frame: obj the attacker, list none, a damage left, b blocker asked about, c 1 if some blocker before got less than
    lethal damage, step 1 while an attacker is being asked about.
    """
    cdef Frame *f = top_frame(g)
    cdef uint16_t row = f.obj_row
    cdef uint16_t b
    cdef int n, low, need
    cdef bint trample, death
    if g.h.answer != NO_ANSWER:
        n = answer_of(g).num
        g.h.answer = NO_ANSWER
        b = <uint16_t>f.b
        g.assigned[b] = <int16_t>n
        f.a -= n
        if n < lethal(g, b, (g.keywords[row] & K_DEATHTOUCH) != 0):
            f.c = 1
        f.b = blocker_after(g, row, b)
    while True:
        if f.step == 0:
            row = attacker_after(g, row)
            if row == 0:
                break
            f.obj_row = row
            f.obj_id = g.id[row]
            f.a = g.power[row]
            f.c = 0
            f.step = 1
            f.b = blocker_after(g, row, 0)
            if not g.combat[row] & CB_BLOCKED:
                f.b = 0  # unblocked: all to the player it attacks (510.1b)
        trample = (g.keywords[row] & K_TRAMPLE) != 0
        if f.b == 0:
            # What is left goes to the player: unblocked, or trample past lethal damage to every blocker (702.19b, e).
            if f.a > 0 and (not g.combat[row] & CB_BLOCKED or trample) and in_game(g, g.attacks[row] - 1):
                g.assigned[row] = <int16_t>f.a
            f.step = 0
            continue
        b = <uint16_t>f.b
        death = (g.keywords[row] & K_DEATHTOUCH) != 0
        need = lethal(g, b, death)
        if blocker_after(g, row, b) == 0:
            # The last one: all that is left, or with trample at least lethal damage.
            low = f.a
            if trample and not f.c and need < f.a and in_game(g, g.attacks[row] - 1):
                low = need
        else:
            low = 0
        if low == f.a:
            g.assigned[b] = <int16_t>f.a
            f.a = 0
            f.b = 0
            continue
        open_choice(g, CH_ASSIGN, f.player)
        for n in range(low, f.a + 1):
            add_option(g, O_NUMBER, b, n, NO_PLAYER)
        return
    pop_frame(g)
    deal_all(g)


cdef void end_combat(Game *g) noexcept nogil:
    """CR 511.3: all creatures are removed from combat."""
    cdef uint16_t row
    if g.h.n_attackers == 0:
        return
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        leave_combat(g, row)
        row = g.znext[row]
    g.h.n_attackers = 0
    g.h.combat_flags = 0
