"""Opening hands and mulligans (CR 103.5), and what players do with cards of those hands before the first turn (103.6):
the starting player first, each as many of these things as there are, in any order."""
from libc.stdint cimport uint8_t, uint16_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx, holds, plain_context
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, drop_frame, in_game, open_choice, pop_frame,
                            push_frame, top_frame)
from lkicore._layout cimport Frame, Game, Option
from lkicore._library cimport draw, shuffle
from lkicore._opcodes cimport *
from lkicore._player_rules cimport USUAL_HAND
from lkicore._store cimport trace, zone_count, zone_first
from lkicore._triggers cimport follow
from lkicore._types cimport FACE_OPENING
from lkicore._departures cimport begin_event, record
from lkicore._zones cimport TO_END, change_zone, join_elsewhere, move_one


cdef void hand_to_library(Game *g, int player) noexcept nogil:
    cdef int n = zone_count(g, Z_HAND, player)
    cdef uint16_t row
    if n == 0 or not begin_event(g, n):
        return
    row = zone_first(g, Z_HAND, player)
    while row:
        record(g, row, Z_LIBRARY)
        row = g.znext[row]
    while n:
        change_zone(g, zone_first(g, Z_HAND, player), Z_LIBRARY, TO_END)
        n -= 1


cdef void draw_hand(Game *g, int player) noexcept nogil:
    cdef int left = USUAL_HAND  # CR 103.5
    shuffle(g, player)
    while left:
        left -= 1
        if zone_count(g, Z_LIBRARY, player) == 0 or g.h.status != GS_RUNNING:
            break
        draw(g, player)


cdef int bottom_cards(const Game *g, int player) noexcept nogil:
    """Cards to put on the bottom; in a game of more than two the first mulligan is free (CR 103.5c)."""
    cdef int n = g.p_mulligans[player]
    return n - 1 if g.lay.players > 2 and n > 0 else n


cdef int next_undecided(const Game *g, int asked) noexcept nogil:
    cdef int _
    cdef int p = g.h.starting
    for _ in range(<int>g.lay.players):
        if in_game(g, p) and not g.p_kept[p] and not asked >> p & 1:
            return p
        p = p + 1 if p + 1 < <int>g.lay.players else 0
    return -1


cdef void run_mulligan(Game *g) noexcept nogil:
    """London mulligan (CR 103.5).

    frame: step 0 declarations, 1 cards to the bottom | a players asked in this round | b players who take one |
    player, n the one who puts cards back and how many.
    """
    cdef Frame *f = top_frame(g)
    cdef Option *o
    cdef int p
    cdef uint16_t row
    while g.h.status == GS_RUNNING:
        if g.h.answer != NO_ANSWER:
            o = answer_of(g)
            g.h.answer = NO_ANSWER
            if o.kind == O_KEEP:
                g.p_kept[f.player] = 1
                trace(g, TR_KEEP, f.player, zone_count(g, Z_HAND, f.player), 0, 0, 0)
            elif o.kind == O_MULLIGAN:
                f.b |= 1 << f.player
            else:
                row = o.row
                move_one(g, row, Z_LIBRARY, TO_END)
                f.n -= 1
        if f.step == 0:
            p = next_undecided(g, f.a)
            if p >= 0:
                f.player = <uint8_t>p
                f.a |= 1 << p
                open_choice(g, CH_MULLIGAN, p)
                add_option(g, O_KEEP, 0, 0, NO_PLAYER)
                if bottom_cards(g, p) < USUAL_HAND:
                    add_option(g, O_MULLIGAN, 0, 0, NO_PLAYER)
                return
            if f.b == 0:
                pop_frame(g)
                g.h.phase_state = TS_NEXT_STEP
                if acts_first(g):
                    push_frame(g, F_OPENING, g.h.starting)
                return
            # All who take one, take it together; in turn order where the order can be seen.
            for p in range(<int>g.lay.players):
                if f.b >> p & 1:
                    g.p_mulligans[p] += 1
                    trace(g, TR_MULLIGAN, p, g.p_mulligans[p], 0, 0, 0)
                    hand_to_library(g, p)
                    draw_hand(g, p)
            f.step = 1
            f.n = 0
            f.a = 0
        if f.step == 1:
            if f.n and zone_count(g, Z_HAND, f.player):
                open_choice(g, CH_BOTTOM, f.player)
                row = zone_first(g, Z_HAND, f.player)
                while row:
                    add_option(g, O_OBJECT, row, 0, NO_PLAYER)
                    row = g.znext[row]
                return
            p = 0
            while p < <int>g.lay.players and not f.b >> p & 1:
                p += 1
            if p == <int>g.lay.players:
                f.step = 0
                f.a = 0
                continue
            f.b &= ~(1 << p)
            f.player = <uint8_t>p
            f.n = <uint8_t>bottom_cards(g, p)


cdef bint acts_first(Game *g) noexcept nogil:
    cdef uint16_t row
    cdef int p
    cdef bint any = False
    for p in range(<int>g.lay.players):
        row = zone_first(g, Z_HAND, p)
        while row:
            any |= (face_of(g, g.defn[row]).flags & FACE_OPENING) != 0
            row = g.znext[row]
        row = zone_first(g, Z_SIDEBOARD, p)
        while row:
            any |= (face_of(g, g.defn[row]).flags & FACE_OPENING) != 0
            row = g.znext[row]
    return any


cdef void look_outside(Game *g) noexcept nogil:
    """Abilities that work from the command zone and from outside the game are found from the beginning on."""
    cdef uint16_t row
    cdef int p
    for p in range(<int>g.lay.players):
        row = zone_first(g, Z_COMMAND, p)
        while row:
            join_elsewhere(g, row, face_of(g, g.defn[row]))
            row = g.znext[row]
        row = zone_first(g, Z_SIDEBOARD, p)
        while row:
            join_elsewhere(g, row, face_of(g, g.defn[row]))
            row = g.znext[row]


cdef bint done_with(const Game *g, const Frame *f, uint16_t row, int ability) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, f.list)):
        if chunk_refs(g, f.list)[i].id == g.id[row] and chunk_refs(g, f.list)[i].flags == ability:
            return True
    return False


cdef void offer_zone(Game *g, const Frame *f, int player, int zone) noexcept nogil:
    cdef uint16_t list[MOST_ABILITIES]
    cdef uint16_t row = zone_first(g, zone, player)
    cdef Ctx c
    cdef int k, n
    while row:
        n = abilities_of(g, row, list) if face_of(g, g.defn[row]).flags & FACE_OPENING else 0
        for k in range(n):
            plain_context(g, row, g.id[row], player, &c)
            if (ability_of(g, list[k]).kind == AB_OPENING and ability_of(g, list[k]).zones >> zone & 1
                    and not done_with(g, f, row, k) and holds(g, &c, ability_of(g, list[k]).condition)):
                add_option(g, O_OBJECT, row, k, NO_PLAYER)
        row = g.znext[row]


cdef bint offer(Game *g, const Frame *f, int player) noexcept nogil:
    """The player's cards by their places in the hand and outside the game, each ability by its place; then the end."""
    open_choice(g, CH_OPENING, player)
    offer_zone(g, f, player, Z_HAND)
    offer_zone(g, f, player, Z_SIDEBOARD)
    if g.h.n_options:
        add_option(g, O_DONE, 0, 0, NO_PLAYER)
        return True
    g.h.choice = CH_NONE
    return False


cdef void run_opening(Game *g) noexcept nogil:
    """frame: a bit set of the players who are done, list what has been done, flags the number of the ability."""
    cdef Frame *f = top_frame(g)
    cdef uint16_t list[MOST_ABILITIES]
    cdef uint16_t row
    cdef int p = g.h.starting
    cdef int k, _
    g.h.active = g.h.starting
    if g.h.answer != NO_ANSWER:
        row = answer_of(g).row
        k = answer_of(g).num
        if answer_of(g).kind == O_DONE:
            f.a |= 1 << f.player
        else:
            f.list = refs_add(g, f.list, g.id[row], row, RK_OBJECT)
            if f.list:
                chunk_refs(g, f.list)[chunk_len(g, f.list) - 1].flags = <uint8_t>k
            abilities_of(g, row, list)
            follow(g, list[k], row, g.id[row], g.defn[row], f.player, 0, 0, 0, 0, f.player, 0)
        g.h.answer = NO_ANSWER
        if g.h.following:
            return
    for _ in range(<int>g.lay.players):
        f.player = <uint8_t>p
        if in_game(g, p) and not f.a >> p & 1 and offer(g, f, p):
            return
        f.a |= 1 << p
        p = p + 1 if p + 1 < <int>g.lay.players else 0
    drop_frame(g)
    g.h.phase_state = TS_NEXT_STEP
