"""Players who lose and leave the game; the end of the game."""
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t

from lkicore._entries cimport entry_of, entry_remove
from lkicore._attach cimport host_player
from lkicore._game cimport in_game, next_player
from lkicore._guard cimport on_stack
from lkicore._layers cimport effect_remove, settle
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._player_rules cimport has_fact
from lkicore._store cimport look_at, touched, trace, zone_list
from lkicore._titles cimport MOST_TITLES, get_title, titles_left
from lkicore._triggers cimport happened, heard, look_back
from lkicore._departures cimport begin_departures, record
from lkicore._zones cimport TO_END, cease, move_group


cdef void stop(Game *g, int status, int reason) noexcept nogil:
    """The game ends or stops here."""
    g.h.status = <uint8_t>status
    g.h.reason = <uint8_t>reason
    g.h.choice = CH_NONE
    g.h.n_options = 0
    trace(g, TR_END, g.h.winner, reason, 0, 0, 0)


cdef void remove_objects(Game *g, int leaving) noexcept nogil:
    """CR 800.4a: what the leaving players own leaves the game, together; abilities that they control cease to exist."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint8_t *to = <uint8_t *>on_stack(g.lay.rows)
    cdef uint16_t row, i
    cdef int n = 0
    cdef int k
    settle(g)
    for i in range(1, g.lay.rows):
        if g.id[i] and (leaving >> g.owner[i] & 1 or (g.oflags[i] & OF_ABILITY and leaving >> g.controller[i] & 1)):
            rows[n] = i
            n += 1
    if n == 0 or not begin_departures(g, rows, n):
        return
    # Canonical order: by id, never by row.
    for k in range(1, n):
        row = rows[k]
        i = <uint16_t>k
        while i > 0 and g.id[rows[i - 1]] > g.id[row]:
            rows[i] = rows[i - 1]
            i -= 1
        rows[i] = row
    for k in range(n):
        to[k] = Z_NONE
    look_back(g, rows, to, n)  # CR 603.6c: leaving the game with its owner is leaving the battlefield
    for k in range(n):
        record(g, rows[k], Z_NONE)
    for k in range(n):
        if g.zone[rows[k]] == Z_STACK:
            entry_remove(g, entry_of(g, rows[k]))
        cease(g, rows[k])


cdef void end_control(Game *g, int leaving) noexcept nogil:
    """CR 800.4a: effects that give the leaving players control end; what they still control is exiled."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t row
    cdef uint32_t i = 0
    cdef int n = 0
    cdef int k
    cdef bint controls
    while i < g.h.n_effects:
        controls = False
        if g.effect[i].kind == EK_CHANGE and leaving >> g.effect[i].player & 1:
            for k in range(g.effect[i].n):
                controls |= g.cards.changes[g.effect[i].what + k].op == X_CONTROL
        if controls:
            effect_remove(g, i)
        else:
            i += 1
    settle(g)
    row = g.z_head[zone_list(g, Z_BATTLEFIELD, 0)]
    while row:
        if leaving >> g.controller[row] & 1:
            rows[n] = row
            n += 1
        row = g.znext[row]
    row = g.z_head[zone_list(g, Z_STACK, 0)]
    while row:
        # Spells that they cast with cards of others.
        if leaving >> g.controller[row] & 1:
            rows[n] = row
            n += 1
        row = g.znext[row]
    if n:
        move_group(g, rows, n, Z_EXILE, TO_END, -1, False)


cdef void tell_losses(Game *g, const uint8_t *why) noexcept nogil:
    """What triggers on players losing the game looks back: at everything as it still is (CR 603.10f)."""
    cdef int p
    if heard(g, EV_LOSES_GAME):
        for p in range(<int>g.lay.players):
            if why[p] and in_game(g, p):
                happened(g, EV_LOSES_GAME, 0, 0, 0, 0, p, 0, 0)


cdef void forsake(Game *g, int leaving) noexcept nogil:
    """CR 303.4c, 310.10: Auras on players who left, and battles; state-based actions see to them (704.5m, 704.5w)."""
    cdef uint16_t row = g.z_head[zone_list(g, Z_BATTLEFIELD, 0)]
    while row:
        if g.types[row] & T_BATTLE or (
                g.extra[row] and host_player(g, row) >= 0 and leaving >> host_player(g, row) & 1):
            look_at(g, row)
        row = g.znext[row]


cdef void players_leave(Game *g, const uint8_t *why) noexcept nogil:
    """Players lose and leave together (CR 104.5); `why` holds an EndReason for each, 0 for those who stay.

    A player's own row stays as it is: last known information (CR 800.4i).
    """
    cdef uint16_t titles[MOST_TITLES]
    cdef int p, q, k, n
    cdef int leaving = 0
    settle(g)  # last known is what everything was while they were there
    for p in range(<int>g.lay.players):
        if why[p] and in_game(g, p):
            leaving |= 1 << p
            g.p_lost[p] = why[p]
            g.p_left_tick[p] = g.h.tick
            g.p_left_hand[p] = g.z_n[zone_list(g, Z_HAND, p)]
            g.p_left_library[p] = g.z_n[zone_list(g, Z_LIBRARY, p)]
            g.p_left_graveyard[p] = g.z_n[zone_list(g, Z_GRAVEYARD, p)]
            g.h.alive &= <uint8_t>~(1 << p)
            g.h.n_alive -= 1
            trace(g, TR_LOSE, p, why[p], 0, 0, 0)
            for q in range(<int>g.lay.players):
                if g.p_decider[q] == p:
                    g.p_decider[q] = <uint8_t>q  # CR 723.5, 800.4a: nobody is controlled by who left
    if leaving == 0 or g.h.n_alive < 2:
        return
    n = titles_left(g, leaving, titles)
    remove_objects(g, leaving)
    forsake(g, leaving)
    end_control(g, leaving)
    for k in range(n):
        # CR 724.4, 726.5: the active player gets it, or the next one in turn order.
        get_title(g, g.h.active if in_game(g, g.h.active) else next_player(g, g.h.active), titles[k], False)
    # Creatures that attacked a player who left stay attacking, and assign no damage to it (CR 506.4c, 800.4e).
    if leaving >> g.h.priority & 1:
        g.h.priority = <uint8_t>next_player(g, g.h.priority)
    g.h.passes = 0
    touched(g)


cdef void win(Game *g, int player) noexcept nogil:
    """CR 104.2b: an effect says that the player wins; not who can't, nor over opponents who can't lose to that."""
    if has_fact(g, player, PY_CANT_WIN_GAME) or not in_game(g, player):
        return
    g.h.winner = <int8_t>player
    stop(g, GS_ENDED, END_EFFECT)


cdef void look_for_end(Game *g) noexcept nogil:
    """CR 104.2a, 104.4a."""
    cdef int p
    if g.h.n_alive == 1:
        p = next_player(g, 0)
        g.h.winner = <int8_t>p
        stop(g, GS_ENDED, last_reason(g))
    elif g.h.n_alive == 0:
        stop(g, GS_ENDED, END_DRAW)


cdef int last_reason(const Game *g) noexcept nogil:
    """Why the player who left last left."""
    cdef int p
    cdef int best = -1
    for p in range(<int>g.lay.players):
        if g.p_lost[p] and (best < 0 or g.p_left_tick[p] > g.p_left_tick[best]):
            best = p
    return g.p_lost[best] if best >= 0 else END_NONE
