"""State-based actions: all that apply at once, one group, again until none does (CR 704.3).

They look only at what has changed: players when life, poison or a draw did (`SBA_PLAYERS`), the rows of `b_sba`, tokens
off the battlefield.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from lkicore._abilities cimport (MOST_ABILITIES, abilities_of, ability_of, counters_on, drop_entry, extra_add,
                                 protector_of)
from lkicore._actions cimport returns_due
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._attach cimport (bestowed, can_be_attached, could_enchant_player, end_bestow, host_player, is_aura,
                              unattach)
from lkicore._defs cimport face_of
from lkicore._enter cimport entering, protector_choice
from lkicore._expr cimport Ctx, passes_player
from lkicore._game cimport (AGAIN_SBA, ASK_EVENT, NO_ANSWER, NO_PLAYER, add_option, answer_of, in_game, next_player,
                            open_choice, pop_frame,
                            push_frame, top_frame)
from lkicore._guard cimport ctz64, on_stack
from lkicore._hidden cimport share_name
from lkicore._history cimport log_event
from lkicore._layers cimport changed, dirty, dirty_all, settle
from lkicore._layout cimport Frame, Game
from lkicore._opcodes cimport *
from lkicore._player_rules cimport has_fact
from lkicore._players cimport look_for_end, players_leave, tell_losses
from lkicore._protection cimport can_die
from lkicore._replace cimport asks_elsewhere, regenerates, umbra_of
from lkicore._sides cimport turn_with_day
from lkicore._store cimport has_bit, is_live, look_at, trace, zone_first
from lkicore._titles cimport complete_dungeons
from lkicore._triggers cimport happened, heard
from lkicore._types cimport ASKS_HOST, FACE_RESTLESS, NONE16, Node
from lkicore._departures cimport begin_event
from lkicore._zones cimport TO_END, move_all, move_one

cdef enum:
    RULE_LETHAL = 1
    RULE_TOUGHNESS = 2
    RULE_DEATHTOUCH = 3
    RULE_TOKEN = 4
    RULE_COUNTERS = 5
    RULE_LOYALTY = 6
    RULE_AURA = 7
    RULE_LOOSE = 8
    RULE_LEGEND = 9
    RULE_WORLD = 10
    RULE_SAGA = 11
    RULE_DEFENSE = 12
    COMMANDER_DAMAGE = 21
    GOING = 1 << RP_DIES_EXILE | 1 << RP_GRAVEYARD_EXILE   # of h.replaces: what sends elsewhere what dies

# The flags of eight rows, all tokens and copies.
cdef uint64_t EIGHT_PASSING = <uint64_t>(OF_TOKEN | OF_COPY) * 0x0101010101010101ULL


cdef void sort_by_timestamp(const Game *g, uint16_t *rows, int n) noexcept nogil:
    cdef int i, k
    cdef uint16_t row
    for i in range(1, n):
        row = rows[i]
        k = i
        while k > 0 and g.timestamp[rows[k - 1]] > g.timestamp[row]:
            rows[k] = rows[k - 1]
            k -= 1
        rows[k] = row


cdef int collect(const Game *g, uint16_t *rows) noexcept nogil:
    """Rows to look at, by timestamp: sorted where they are few, found along the battlefield where they are many."""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    cdef int n = 0
    for w in range(g.lay.words):
        bits = g.b_sba[w]
        while bits:
            if n < 24:
                rows[n] = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            n += 1
            bits &= bits - 1
    if n <= 24:
        sort_by_timestamp(g, rows, n)
        return n
    n = 0
    row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    while row:
        if has_bit(g.b_sba, row):
            rows[n] = row
            n += 1
        row = g.znext[row]
    return n


cdef inline bint sits(Game *g, uint16_t row) noexcept nogil:
    """It is attached to what it may be attached to (CR 303.4c, 301.5c)."""
    if host_player(g, row) >= 0:
        return could_enchant_player(g, row, host_player(g, row), g.controller[row])
    return (has_bit(g.b_attached, row) and is_live(g, g.attached_row[row], g.attached_id[row])
            and can_be_attached(g, row, g.attached_row[row]))


cdef inline bint listed(const Game *g, uint16_t list, uint16_t row) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].row == row:
            return True
    return False


cdef bint newer_world(const Game *g, uint16_t row) noexcept nogil:
    """Another permanent has been a world permanent for a shorter time (CR 704.5k)."""
    cdef uint16_t other = g.znext[row]
    while other:
        if g.types[other] & T_WORLD and not g.status[other] & ST_PHASED_OUT:
            return True
        other = g.znext[other]
    return False


cdef bint telling(const Game *g, uint32_t id) noexcept nogil:
    """A chapter ability of the Saga has triggered and not left the stack (CR 714.4)."""
    cdef uint32_t i
    for i in range(g.h.n_stack):
        if (g.stack[i].source_id == id and g.stack[i].ability != NONE16 and g.stack[i].flags & SF_TRIGGERED
                and ability_of(g, g.stack[i].ability).flags & TF_CHAPTER):
            return True
    for i in range(g.h.n_triggers):
        if g.trigger[i].source_id == id and ability_of(g, g.trigger[i].ability).flags & TF_CHAPTER:
            return True
    return False


cdef bint triggers_wait(const Game *g, uint32_t id) noexcept nogil:
    """It is the source of an ability that has triggered and not left the stack yet (CR 310.7)."""
    cdef uint32_t i
    for i in range(g.h.n_stack):
        if g.stack[i].source_id == id and g.stack[i].flags & SF_TRIGGERED:
            return True
    for i in range(g.h.n_triggers):
        if g.trigger[i].source_id == id:
            return True
    return False


cdef bint told(const Game *g, uint16_t row) noexcept nogil:
    """A Saga has come to its end: its lore counters reach its final chapter, and none is being told (CR 714.4)."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = abilities_of(g, row, list)
    cdef int final = 0
    cdef int i, kind
    for i in range(n):
        if ability_of(g, list[i]).kind == AB_TRIGGERED and ability_of(g, list[i]).flags & TF_CHAPTER:
            kind = ability_of(g, list[i]).step
            while ability_of(g, list[i]).amount >> final:
                final += 1
    return final > 0 and counters_on(g, row, kind) >= final and not telling(g, g.id[row])


cdef int verdict(Game *g, uint16_t row, uint16_t doomed) noexcept nogil:
    """Which rule puts this permanent into the graveyard, 0 none; `doomed`: list of those that the legend rule does."""
    cdef int types = g.types[row]
    if g.status[row] & ST_PHASED_OUT:
        return 0
    if types & T_CREATURE:
        if g.toughness[row] <= 0:
            return RULE_TOUGHNESS  # CR 704.5f
        if can_die(g, row):
            if g.damage[row] >= g.toughness[row]:
                return RULE_LETHAL  # CR 704.5g
            # Damage by wither or infect left no mark but this one.
            if g.status[row] & ST_DEATHTOUCHED:
                return RULE_DEATHTOUCH  # CR 704.5h
    if types & T_PLANESWALKER and g.c_loyalty[row] <= 0:
        return RULE_LOYALTY  # CR 704.5i
    if types & T_BATTLE and counters_on(g, row, CK_DEFENSE) == 0 and not triggers_wait(g, g.id[row]):
        return RULE_DEFENSE  # CR 704.5v
    if types & T_ENCHANTMENT and is_aura(g, row) and not sits(g, row):
        return RULE_AURA  # CR 704.5m
    if types & T_ENCHANTMENT and face_of(g, g.defn[row]).chapters and told(g, row):
        return RULE_SAGA  # CR 704.5s
    if doomed and listed(g, doomed, row):
        return RULE_LEGEND  # CR 704.5j
    if types & T_WORLD and newer_world(g, row):
        return RULE_WORLD
    return 0


cdef int lost_tokens(const Game *g, uint16_t *out) noexcept nogil:
    """Tokens and copies of cards and spells that are where they can't stay, by timestamp (CR 704.5d-e)."""
    cdef uint64_t eight
    cdef uint16_t row
    cdef int i
    cdef int n = 0
    for i in range(0, <int>g.lay.rows, 8):
        memcpy(&eight, &g.oflags[i], 8)
        if not eight & EIGHT_PASSING:
            continue
        for row in range(<uint16_t>i, <uint16_t>(i + 8)):
            if (g.oflags[row] & (OF_TOKEN | OF_COPY) and g.id[row]
                    and not (1 << Z_BATTLEFIELD | 1 << Z_STACK | 1 << Z_PHASED_OUT) >> g.zone[row] & 1):
                out[n] = row
                n += 1
        if n == g.h.n_tokens:
            break
    sort_by_timestamp(g, out, n)
    return n


cdef bint objects_pass(Game *g, bint tokens, uint16_t doomed) noexcept nogil:
    """The part of one pass that concerns objects: one group (704.3, 704.8)."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t *paired = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t *loose = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.rows)
    cdef int n, i, m
    cdef int dying = 0
    cdef int ceasing = 0
    cdef int pairs = 0
    cdef int falling = 0
    cdef bint saved = False
    cdef uint16_t umbra
    cdef uint16_t row
    n = collect(g, rows)
    for i in range(<int>g.lay.words):
        g.b_sba[i] = 0
    for i in range(n):
        row = rows[i]
        m = verdict(g, row, doomed)
        if m == RULE_AURA and bestowed(g, row):
            loose[falling] = row
            falling += 1
            continue
        # CR 701.19b, 704.5g-h: instead of being destroyed.
        if (m == RULE_LETHAL or m == RULE_DEATHTOUCH) and regenerates(g, row):
            saved = True
            m = 0
        if m == RULE_LETHAL or m == RULE_DEATHTOUCH:
            umbra = umbra_of(g, row)
            if umbra and not can_die(g, umbra):
                saved = True
                m = 0
            elif umbra:
                # CR 702.89: in its place, in the same event.
                row = umbra
        if m == RULE_SAGA:
            log_event(g, H_SACRIFICED, g.controller[row], row, g.id[row], 0, 0, 0)
            if heard(g, EV_SACRIFICED):
                happened(g, EV_SACRIFICED, row, g.id[row], 0, 0, g.controller[row], 0, 0)
        if m:
            rows[dying] = row
            to[dying] = Z_GRAVEYARD
            dying += 1
            trace(g, TR_SBA, m, g.defn[row], 0, 0, g.id[row])
            continue
        if g.c_p1p1[row] and g.c_m1m1[row]:
            paired[pairs] = row
            pairs += 1
        # A mark of deathtouch lasts for one check (704.5h).
        g.status[row] &= <uint8_t>~<int>ST_DEATHTOUCHED
        if (g.h.n_attached and has_bit(g.b_attached, row) and not g.status[row] & ST_PHASED_OUT
                and not sits(g, row)):
            loose[falling] = row
            falling += 1
    if dying == 0 and pairs == 0 and falling == 0 and not tokens:
        return saved
    if tokens:
        ceasing = lost_tokens(g, rows + dying)
        for i in range(ceasing):
            to[dying + i] = Z_NONE
        for i in range(ceasing):
            trace(g, TR_SBA, RULE_TOKEN, g.defn[rows[dying + i]], 0, 0, g.id[rows[dying + i]])
    # What leaves is recorded as it was before any of these actions (CR 704.8).
    g.h.asks = 0
    if dying + ceasing:
        if not move_all(g, rows, to, dying + ceasing, TO_END, -1, False):
            return False
    elif not begin_event(g, 0):
        return False
    for i in range(pairs):
        row = paired[i]
        m = min(g.c_p1p1[row], g.c_m1m1[row])
        g.c_p1p1[row] -= <int16_t>m
        g.c_m1m1[row] -= <int16_t>m
        trace(g, TR_SBA, RULE_COUNTERS, g.defn[row], m, 0, g.id[row])
        changed(g, RD_COUNTERS)
        dirty(g, row)
        if heard(g, EV_COUNTERS_REMOVED):
            happened(g, EV_COUNTERS_REMOVED, row, g.id[row], 0, 0, g.controller[row], m, CK_P1P1)
            happened(g, EV_COUNTERS_REMOVED, row, g.id[row], 0, 0, g.controller[row], m, CK_M1M1)
    for i in range(falling):
        trace(g, TR_SBA, RULE_LOOSE, g.defn[loose[i]], 0, 0, g.id[loose[i]])
        unattach(g, loose[i])  # CR 704.5n, 704.5p
        end_bestow(g, loose[i])  # CR 702.103f instead of 704.5m
    return True


cdef bint slain_by_commander(const Game *g, int player) noexcept nogil:
    """CR 704.6c: 21 or more combat damage by the same commander over the course of the game."""
    cdef int i
    for i in range(chunk_len(g, g.p_extra[player])):
        if (chunk_refs(g, g.p_extra[player])[i].kind == RK_COMMANDER
                and chunk_refs(g, g.p_extra[player])[i].id >= COMMANDER_DAMAGE):
            return True
    return False


cdef bint players_verdict(Game *g, uint8_t *why) noexcept nogil:
    """CR 704.5a-c: who loses, and why (EndReason); true if somebody does."""
    cdef int p
    cdef bint any = False
    for p in range(<int>g.lay.players):
        why[p] = 0
        if not in_game(g, p):
            continue
        if has_fact(g, p, PY_CANT_LOSE_GAME):
            pass
        elif g.p_life[p] <= 0 and not has_fact(g, p, PY_KEEPS_AT_ZERO_LIFE):
            why[p] = END_LIFE
        elif g.p_empty_draw[p]:
            why[p] = END_EMPTY_LIBRARY
        elif g.p_poison[p] >= 10:
            why[p] = END_POISON
        elif g.p_doomed[p]:
            why[p] = END_EFFECT  # CR 104.3e
        elif g.h.commanders and slain_by_commander(g, p):
            why[p] = END_COMMANDER
        g.p_empty_draw[p] = 0
        g.p_doomed[p] = 0
        if why[p]:
            any = True
    return any


cdef void look_at_restless(Game *g) noexcept nogil:
    """Auras whose enchant ability asks for what no computed value tells: tapped, damaged, in combat, alone …"""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    for w in range(g.lay.words):
        bits = g.b_attached[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if face_of(g, g.defn[row]).flags & FACE_RESTLESS:
                look_at(g, row)


cdef void look_at_curses(Game *g) noexcept nogil:
    """Auras on players, while a player has protection (CR 702.16c): they may have become what it is protection from."""
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.types[row] & T_ENCHANTMENT and host_player(g, row) >= 0:
            look_at(g, row)
        row = g.znext[row]


# ------------------------------------------------------------------------------------------------ legends, worlds

cdef inline bint legend_of(const Game *g, uint16_t row, int player) noexcept nogil:
    return (g.types[row] & T_LEGENDARY and g.controller[row] == player and not g.status[row] & ST_PHASED_OUT)


cdef uint16_t namesake(const Game *g, uint16_t row, uint16_t after, int player, uint16_t doomed) noexcept nogil:
    """The next legendary permanent of the player behind `after` that has the name of `row` and stays; 0 none."""
    after = g.znext[after]
    while after:
        if legend_of(g, after, player) and share_name(g, g.defn[row], g.defn[after]) and not listed(g, doomed, after):
            return after
        after = g.znext[after]
    return 0


cdef uint16_t clash(Game *g, uint16_t doomed, int *player) noexcept nogil:
    """The oldest of several legendary permanents of one name that a player controls (CR 704.5j), in APNAP order; 0:
    there are none."""
    cdef int p = g.h.active if in_game(g, g.h.active) else next_player(g, g.h.active)
    cdef uint16_t row
    cdef int _
    for _ in range(<int>g.h.n_alive):
        row = zone_first(g, Z_BATTLEFIELD, 0)
        while row:
            if legend_of(g, row, p) and not listed(g, doomed, row) and namesake(g, row, row, p, doomed):
                player[0] = p
                return row
            row = g.znext[row]
        p = next_player(g, p)
    return 0


cdef int supertypes_about(const Game *g) noexcept nogil:
    """LEGENDARY, WORLD and BATTLE if what has them is to be looked at."""
    cdef uint32_t w
    cdef uint64_t bits
    cdef int found = 0
    for w in range(g.lay.words):
        bits = g.b_sba[w]
        while bits:
            found |= g.types[w * 64 + <uint32_t>ctz64(bits)]
            bits &= bits - 1
    return found & (T_LEGENDARY | T_WORLD | T_BATTLE)


cdef void look_at_worlds(Game *g) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if g.types[row] & T_WORLD:
            look_at(g, row)
        row = g.znext[row]


cdef void run_legend(Game *g) noexcept nogil:
    """The legend rule: players choose what stays; then this check is performed, with all that applies at once.

    frame: obj the first of a group of namesakes, player whose, list those that go.
    """
    cdef Frame *f = top_frame(g)
    cdef uint16_t row, kept, list
    cdef int p = 0
    if g.h.answer != NO_ANSWER:
        kept = answer_of(g).row
        g.h.answer = NO_ANSWER
        row = f.obj_row
        while row:
            if row != kept:
                f.list = refs_add(g, f.list, g.id[row], row, RK_OBJECT)
                look_at(g, row)
            row = namesake(g, f.obj_row, row, f.player, 0)
    row = clash(g, f.list, &p)
    if row == 0:
        list = f.list
        f.list = 0
        pop_frame(g)
        perform(g, list)
        chunk_free(g, list)
        return
    f.obj_row = row
    f.obj_id = g.id[row]
    f.player = <uint8_t>p
    open_choice(g, CH_LEGEND, p)
    while row:
        add_option(g, O_OBJECT, row, 0, NO_PLAYER)
        row = namesake(g, f.obj_row, row, p, f.list)


# ------------------------------------------------------------------------------------------------ battles

cdef bint attacked(const Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t other = zone_first(g, Z_BATTLEFIELD, 0)
    while other:
        if g.attacks[other] and g.blocks_row[other] == row and g.blocks_id[other] == g.id[row]:
            return True
        other = g.znext[other]
    return False


cdef uint16_t unprotected(Game *g) noexcept nogil:
    """The next battle whose controller chooses a protector: nobody in the game protects it, and no creature attacks it
    (CR 310.10, 704.5w); or whoever protects it may not: a Siege's own controller (704.5x). 0 none."""
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef const Node *n
    cdef Ctx c
    cdef int p
    while row:
        if g.types[row] & T_BATTLE and not g.status[row] & ST_PHASED_OUT:
            p = protector_of(g, row)
            if p < 0 or not in_game(g, p):
                if not attacked(g, row):
                    return row
            else:
                n = protector_choice(g, row, &c)
                if n != NULL and not passes_player(g, &c, n.b, p):
                    return row
        row = g.znext[row]
    return 0


cdef void run_protector(Game *g) noexcept nogil:
    """Battles get protectors, one after another; without a battle type it is the controller (CR 310.9). frame: obj the
    battle."""
    cdef Frame *f = top_frame(g)
    cdef const Node *n
    cdef Ctx c
    cdef int p
    if g.h.answer != NO_ANSWER:
        extra_drop_player(g, f.obj_row)
        extra_add(g, f.obj_row, RK_CHOSEN, answer_of(g).player, 0, CN_PLAYER)
        g.h.answer = NO_ANSWER
        dirty_all(g)
    f.obj_row = unprotected(g)
    if f.obj_row == 0:
        f.obj_id = 0
        pop_frame(g)
        return
    f.obj_id = g.id[f.obj_row]
    f.player = g.controller[f.obj_row]
    n = protector_choice(g, f.obj_row, &c)
    open_choice(g, CH_PICK, f.player)
    for p in range(<int>g.lay.players):
        if in_game(g, p) and (passes_player(g, &c, n.b, p) if n != NULL else p == f.player):
            add_option(g, O_PLAYER, 0, 0, p)


cdef void extra_drop_player(Game *g, uint16_t row) noexcept nogil:
    """The player who was chosen for it is so no more."""
    cdef int i
    for i in range(chunk_len(g, g.extra[row])):
        if chunk_refs(g, g.extra[row])[i].kind == RK_CHOSEN and chunk_refs(g, g.extra[row])[i].flags == CN_PLAYER:
            drop_entry(g, row, i)
            return


# ------------------------------------------------------------------------------------------------ commanders

cdef int moved_commander(const Game *g) noexcept nogil:
    """The next commander that was put into a graveyard or exile since the last check, and is there; -1 none."""
    cdef int k
    for k in range(g.h.n_cards):
        if g.pc_flags[k] & CF_MOVED:
            return k
    return -1


cdef void run_commander(Game *g) noexcept nogil:
    """CR 704.6d, 903.9a: its owner may put it into the command zone. frame: obj the commander."""
    cdef Frame *f = top_frame(g)
    cdef int k
    cdef bint yes
    if g.h.answer != NO_ANSWER:
        yes = answer_of(g).kind == O_YES
        g.h.answer = NO_ANSWER
        if yes and is_live(g, f.obj_row, f.obj_id):
            move_one(g, f.obj_row, Z_COMMAND, TO_END)
            if g.h.status != GS_RUNNING:
                return
    while True:
        k = moved_commander(g)
        if k < 0:
            pop_frame(g)
            return
        g.pc_flags[k] &= <uint8_t>~<int>CF_MOVED
        f.obj_row = g.pc_row[k]
        if f.obj_row and in_game(g, g.pc_owner[k]) and (g.zone[f.obj_row] == Z_GRAVEYARD
                                                        or g.zone[f.obj_row] == Z_EXILE):
            f.obj_id = g.id[f.obj_row]
            f.player = g.pc_owner[k]
            open_choice(g, CH_COMMANDER, f.player)
            add_option(g, O_NO, 0, 0, NO_PLAYER)
            add_option(g, O_YES, 0, 0, NO_PLAYER)
            return


# ------------------------------------------------------------------------------------------------ the check

cdef bint perform(Game *g, uint16_t doomed) noexcept nogil:
    """All state-based actions that apply, at once (CR 704.3); true if there were any."""
    cdef int what = g.h.sba
    cdef uint8_t why[8]
    cdef bint lost = False
    cdef bint more = False
    g.h.sba = 0
    if what & SBA_PLAYERS:
        lost = players_verdict(g, why)
        if lost:
            tell_losses(g, why)  # CR 603.10f: before anything goes
    if what & (SBA_OBJECTS | SBA_TOKENS):
        more = objects_pass(g, g.h.n_tokens > 0, doomed)
    if lost and g.h.status == GS_RUNNING:
        if not more:
            g.h.tick += 1
        players_leave(g, why)
        look_for_end(g)
        more = True
    if what & SBA_DUNGEONS and g.h.status == GS_RUNNING and complete_dungeons(g):
        more = True
    if g.h.shields >> EK_RETURN & 1:
        returns_due(g)
    settle(g)
    return more


cdef bint asks_before(Game *g) noexcept nogil:
    """CR 616.1: where what dies goes instead must be chosen before anything is done."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.rows)
    cdef int n, i
    cdef int k = 0
    if g.h.shields >> EK_REGENERATE & 1 or g.h.replaces >> RP_DESTROY & 1 or g.h.rule_counters:
        return False  # which of them die is not known before; by timestamp, then
    n = collect(g, rows)
    for i in range(n):
        if verdict(g, rows[i], 0):
            rows[k] = rows[i]
            to[k] = Z_GRAVEYARD
            k += 1
    if k == 0:
        return False
    if g.h.asks == 0:
        g.h.asks = ASK_EVENT * AGAIN_SBA
    return asks_elsewhere(g, rows, to, k)


cdef bint check_sba(Game *g) noexcept nogil:
    """Perform state-based actions to the fixed point, or until a frame asks for a choice of one of them; true if any
    was performed."""
    cdef bint any = False
    cdef int types
    cdef int player = 0
    cdef int waiting = 0   # a room ability of a dungeon has not left the stack yet (CR 704.5t)
    cdef int tried
    settle(g)
    if g.h.day:
        turn_with_day(g)
    if g.h.n_attached and g.h.watch & ASKS_HOST:
        look_at_restless(g)
    if g.h.player_facts & PY_PLAYER_PROTECTION:
        look_at_curses(g)
    while g.h.sba & ~waiting and g.h.status == GS_RUNNING and not entering(g) and not g.h.following:
        if g.h.sba & SBA_OBJECTS:
            types = supertypes_about(g)
            if types & T_WORLD:
                look_at_worlds(g)
            if types & T_LEGENDARY and clash(g, 0, &player):
                push_frame(g, F_LEGEND, player)
                return True
            if types & T_BATTLE and unprotected(g):
                push_frame(g, F_PROTECTOR, g.controller[unprotected(g)])
                return True
        if g.h.sba & SBA_COMMANDERS:
            g.h.sba &= <uint16_t>~<int>SBA_COMMANDERS
            if moved_commander(g) >= 0:
                push_frame(g, F_COMMANDER, 0)
                return True
        if g.h.replaces & GOING and g.h.sba & SBA_OBJECTS and asks_before(g):
            return any
        tried = g.h.sba & SBA_DUNGEONS
        any |= perform(g, 0)
        waiting = g.h.sba & tried
    return any
