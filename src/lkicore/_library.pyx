"""Drawing cards, and what happens instead (CR 121, 614.11, 702.52); shuffling (701.24)."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._expr cimport Ctx, holds, passes_player, plain_context
from lkicore._game cimport ASKED, NO_PLAYER, add_option, ask, can_ask, event_done, recall
from lkicore._guard cimport on_stack, rare
from lkicore._instead cimport is_following, replacers
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._player_rules cimport has_fact
from lkicore._replace cimport asks_elsewhere
from lkicore._rng cimport N_PURPOSES, S_SHUFFLE, below
from lkicore._store cimport is_live, trace, zone_first, zone_list
from lkicore._triggers cimport follow
from lkicore._types cimport Ability
from lkicore._zones cimport TO_END, draw_top, move_group, move_one

cdef enum:
    MOST_CHOICES = 24


cdef bint may_replace_draw(Game *g, int player, uint16_t row, int ability, const uint32_t *done,
                           int n_done) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    cdef Ctx c
    cdef int i
    for i in range(n_done):
        if done[i] == g.id[row]:
            return False  # CR 614.5
    if a.step == DRAW_OTHERWISE and g.h.n_stack and is_following(g, row, g.id[row], ability):
        return False
    if (a.flags & TF_NOT_FIRST and g.h.step == STEP_DRAW and player == g.h.active
            and g.p_drawn[player] == g.h.drawn_before):
        return False
    plain_context(g, row, g.id[row], g.controller[row], &c)
    c.player = <uint8_t>player
    if a.step == DRAW_DREDGE and (g.owner[row] != player or g.z_n[zone_list(g, Z_LIBRARY, player)] < a.amount):
        return False  # CR 702.52b
    return (a.player < 0 or passes_player(g, &c, a.player, player)) and holds(g, &c, a.condition)


cdef inline bint may_draw(const Ability *a) noexcept nogil:
    """The player may draw all the same."""
    return a.step == DRAW_DREDGE or a.flags & TF_MAY


cdef int replace_draw(Game *g, int player, const uint32_t *done, int n_done, uint16_t *row,
                      int *ability) noexcept nogil:
    """CR 121.6, 614.11: which ability replaces this draw, after what the player chose; 0 none, `ASKED`."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t list[MOST_ABILITIES]
    cdef uint16_t found[MOST_CHOICES]
    cdef uint16_t which[MOST_CHOICES]
    cdef const Ability *a
    cdef int n = replacers(g, RP_DRAW, rows)
    cdef int k = 0
    cdef int must = 0
    cdef int i, j, m
    for i in range(n):
        m = abilities_of(g, rows[i], list)
        for j in range(m):
            a = ability_of(g, list[j])
            if (a.kind == AB_REPLACEMENT and a.event == RP_DRAW and a.zones >> g.zone[rows[i]] & 1 and k < MOST_CHOICES
                    and may_replace_draw(g, player, rows[i], list[j], done, n_done)):
                found[k] = rows[i]
                which[k] = list[j]
                must += not may_draw(a)
                k += 1
    if k == 0:
        return 0
    i = 0
    if k > 1 or must == 0:
        i = recall(g)
        if i < 0 and not can_ask(g):
            if must == 0:
                return 0
            i = 0
            while may_draw(ability_of(g, which[i])):
                i += 1
        elif i < 0:
            ask(g, CH_REPLACE, player)
            for i in range(k):
                add_option(g, O_EFFECT, found[i], i, NO_PLAYER)
            if must == 0:
                add_option(g, O_NO, 0, 0, NO_PLAYER)  # "you may", CR 702.52a: it may be drawn as usual
            return ASKED
        if i >= k:
            return 0
    row[0] = found[i]
    ability[0] = which[i]
    return 1


cdef int dredge(Game *g, int player, uint16_t row, int n) noexcept nogil:
    """CR 702.52: mill n, and the card comes back to the hand. In the middle of it nobody is asked what replaces it."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t card = zone_first(g, Z_LIBRARY, player)
    cdef uint32_t id = g.id[row]
    cdef int asks = g.h.asks
    cdef int k = 0
    while card and k < n:
        rows[k] = card
        k += 1
        card = g.znext[card]
    g.h.asks = 0
    if move_group(g, rows, k, Z_GRAVEYARD, TO_END, -1, False) and is_live(g, row, id):
        move_one(g, row, Z_HAND, TO_END)
    g.h.asks = <uint8_t>asks
    return REPLACED


cdef inline bint draws_nothing(Game *g, int player) noexcept nogil:
    """CR 121.3: nothing happens for trying, and nothing replaces it."""
    return (g.h.player_facts & PY_ONE_DRAW_A_TURN and has_fact(g, player, PY_ONE_DRAW_A_TURN)
            and g.p_drawn[player] != 0)


cdef int draw_otherwise(Game *g, int player) noexcept nogil:
    """A draw that something may replace or forbid (CR 614.11, 121.3)."""
    cdef uint16_t row = 0
    cdef uint8_t to = Z_HAND
    cdef int ability = 0
    cdef uint32_t done[MOST_CHOICES]
    cdef int n_done = 0
    cdef int k
    if draws_nothing(g, player):
        return REPLACED
    while g.h.replaces >> RP_DRAW & 1 and n_done < MOST_CHOICES:
        k = replace_draw(g, player, done, n_done, &row, &ability)
        if k == ASKED:
            return ASKED
        if k == 0:
            break
        trace(g, TR_REPLACED, g.defn[row], RP_DRAW, 0, 0, g.id[row])
        if ability_of(g, ability).step == DRAW_SKIPPED:
            event_done(g)
            return REPLACED
        if ability_of(g, ability).step == DRAW_DREDGE:
            event_done(g)
            return dredge(g, player, row, ability_of(g, ability).amount)
        if ability_of(g, ability).step == DRAW_OTHERWISE:
            event_done(g)
            follow(g, ability, row, g.id[row], g.defn[row], g.controller[row], 0, 0, 0, 0, player, 1)
            return REPLACED
        player = g.controller[row]
        done[n_done] = g.id[row]
        n_done += 1
        if draws_nothing(g, player):
            event_done(g)
            return REPLACED
    row = zone_first(g, Z_LIBRARY, player)
    if row and g.h.commanders and asks_elsewhere(g, &row, &to, 1):
        return ASKED  # CR 903.9b: of the same event; its answer comes after those above
    k = DREW if draw_top(g, player) else NO_CARD
    if g.h.asked:
        event_done(g)
    return k


cdef int draw(Game *g, int player) noexcept nogil:
    """Draw one card (CR 121.1); `NO_CARD`, and noted for 704.5b, from an empty library; `REPLACED`, `ASKED`."""
    if rare(g.h.replaces >> RP_DRAW & 1 or g.h.player_facts & PY_ONE_DRAW_A_TURN or g.h.asked or g.h.commanders):
        return draw_otherwise(g, player)
    return draw_top(g, player)  # DREW, NO_CARD


cdef void shuffle(Game *g, int player) noexcept nogil:
    """Randomise a library (CR 701.24); nobody knows a card in it afterwards."""
    cdef int k = zone_list(g, Z_LIBRARY, player)
    cdef uint64_t *s = &g.stream[(player * N_PURPOSES + S_SHUFFLE) * 2]
    cdef uint16_t *order = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t row = g.z_head[k]
    cdef uint16_t prev
    cdef int n = 0
    cdef int i, j
    while row:
        order[n] = row
        g.known_to[row] = 0
        row = g.znext[row]
        n += 1
    if n == 0:
        return
    for i in range(n - 1, 0, -1):
        j = <int>below(s, <uint32_t>(i + 1))
        row = order[i]
        order[i] = order[j]
        order[j] = row
    prev = 0
    for i in range(n):
        row = order[i]
        g.zprev[row] = prev
        if prev:
            g.znext[prev] = row
        else:
            g.z_head[k] = row
        prev = row
    g.znext[prev] = 0
    g.z_tail[k] = prev
    trace(g, TR_SHUFFLE, player, 0, 0, 0, 0)
