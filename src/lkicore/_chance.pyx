"""Coins and dice; names, creature types and numbers chosen on resolution; votes; proliferating."""
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t
from libc.string cimport memset

from lkicore._abilities cimport any_counters, counters_on, drop_entry, entry_next
from lkicore._actions cimport forget, live_objects, remember
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._damage cimport player_counters
from lkicore._defs cimport face_of
from lkicore._enter cimport offer_subtypes
from lkicore._expr cimport Facts, info_of, passes_facts
from lkicore._game cimport NO_ANSWER, NO_PLAYER, add_option, answer_of, in_game, next_player, open_choice
from lkicore._guard cimport on_stack
from lkicore._instead cimport player_at_once
from lkicore._layers cimport dirty, dirty_all, effect_add, settle
from lkicore._lki cimport FROM_LIVE, NO_SLOT
from lkicore._opcodes cimport *
from lkicore._rng cimport N_PURPOSES, S_CHANCE, below
from lkicore._status cimport put_counters
from lkicore._store cimport is_live, trace, zone_first
from lkicore._triggers cimport happened, heard
from lkicore._types cimport NONE16, Face

cdef enum:
    MOST_FLIPS = 1000     # of one instruction
    MOST_NUMBERS = 100    # options for a number


# ------------------------------------------------------------------------------------------------ coins and dice

cdef int flip_coins(Game *g, int player, int n, bint until) noexcept nogil:
    cdef int wins = 0
    cdef int k = 0
    cdef bint won
    while k < MOST_FLIPS and (until or k < n) and g.h.status == GS_RUNNING:
        k += 1
        won = below(&g.stream[(player * N_PURPOSES + S_CHANCE) * 2], 2) == 1
        trace(g, TR_FLIP, player, won, 0, 0, 0)
        if heard(g, EV_FLIP):
            happened(g, EV_FLIP, 0, 0, 0, 0, player, won, 0)
        wins += won
        if until and not won:
            break
    return wins


cdef int roll_dice(Game *g, int player, int n, int sides) noexcept nogil:
    cdef int sum = 0
    cdef int k = 0
    cdef int one
    while k < n and k < MOST_FLIPS and g.h.status == GS_RUNNING:
        k += 1
        one = 1 + <int>below(&g.stream[(player * N_PURPOSES + S_CHANCE) * 2], <uint32_t>max(1, sides))
        trace(g, TR_ROLL, player, one, sides, 0, 0)
        if heard(g, EV_ROLL):
            happened(g, EV_ROLL, 0, 0, 0, 0, player, one, 0)
        sum += one
    return sum


# ------------------------------------------------------------------------------------------------ words and numbers

cdef void printed_facts(const Game *g, uint16_t face, Facts *f) noexcept nogil:
    """A card as it is printed, wherever."""
    cdef const Face *p = face_of(g, face)
    memset(f, 0, sizeof(Facts))
    f.defn = face
    f.types = p.types
    f.colors = p.colors
    f.keywords = p.keywords
    f.power = p.power
    f.toughness = p.toughness
    f.zone = Z_LIBRARY
    f.slot = NO_SLOT
    f.where = FROM_LIVE


cdef void offer_names(Game *g, const Ctx *c, int filter, int player) noexcept nogil:
    """By seat and place in the deck, each name once."""
    cdef Facts f
    cdef uint16_t face
    cdef int k, i
    cdef bint seen
    open_choice(g, CH_NAME, player)
    for k in range(g.h.n_cards):
        face = g.pc_face[k]
        printed_facts(g, face, &f)
        if not passes_facts(g, c, filter, &f):
            continue
        seen = False
        for i in range(g.h.n_options):
            if face_of(g, <uint16_t>g.option[i].num).name_hash == face_of(g, face).name_hash:
                seen = True
                break
        if not seen:
            add_option(g, O_NAME, 0, <int16_t>face, NO_PLAYER)
    if g.h.n_options == 0:
        g.h.choice = CH_NONE


cdef void choose(Game *g, const Ctx *c, int kind, uint32_t what) noexcept nogil:
    """Remember a choice in the place of the last one of its kind (CR 607.2d)."""
    cdef int i
    if c.self_id and is_live(g, c.self_row, c.self_id):
        i = entry_next(g, g.extra[c.self_row], RK_CHOSEN, 0)
        while i >= 0:
            if chunk_refs(g, g.extra[c.self_row])[i].flags == kind:
                drop_entry(g, c.self_row, i)
                break
            i = entry_next(g, g.extra[c.self_row], RK_CHOSEN, i + 1)
    remember(g, c, RK_CHOSEN, what, 0, kind)


cdef bint pick_word(Game *g, const Ctx *c, const int32_t *w, int player) noexcept nogil:
    cdef bint name = w[0] == E_PICK_NAME
    cdef uint32_t what
    if g.h.answer != NO_ANSWER:
        what = <uint32_t><uint16_t>answer_of(g).num
        g.h.answer = NO_ANSWER
        choose(g, c, CN_NAME if name else CN_TYPE, what)
        return False
    if name:
        offer_names(g, c, w[2], player)
    else:
        open_choice(g, CH_SUBTYPE, player)
        offer_subtypes(g)
        if g.h.n_options == 0:
            g.h.choice = CH_NONE
    return g.h.n_options > 0


cdef void offer_words(Game *g, int kind, int but, int player) noexcept nogil:
    """Words of a kind (TextKind) that a text can have (CR 612.2): all but one."""
    cdef int k
    open_choice(g, CH_COLOR if kind == TK_COLOR else CH_SUBTYPE, player)
    if kind == TK_COLOR or kind == TK_WORD:
        for k in range(5):
            if k != but:
                add_option(g, O_COLOR, 0, k, NO_PLAYER)
    if kind == TK_COLOR:
        return
    for k in range(g.cards.n_subtypes):
        if k != but and (g.cards.creature_types[k] == 1 if kind == TK_CREATURE else
                         g.cards.land_abilities[k] != NONE16):
            add_option(g, O_SUBTYPE, 0, k, NO_PLAYER)
    if g.h.n_options == 0:
        g.h.choice = CH_NONE


cdef bint change_text(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 612: a word is chosen, and the one that it becomes. f.b: 1 + the first one, once chosen, and its kind."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int k, n, kind
    cdef int to = w[5]
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).num
        kind = w[3]
        if kind == TK_WORD:
            kind = TK_COLOR if answer_of(g).kind == O_COLOR else TK_LAND
        g.h.answer = NO_ANSWER
        if f.b:
            to = k
        else:
            f.b = 1 + k | kind << 16
            if to < 0:
                offer_words(g, kind, k, player)
                return g.h.n_options > 0
    elif f.b == 0:
        offer_words(g, w[3], to, player)
        return g.h.n_options > 0
    if to < 0 or f.b == 0:
        return False
    kind = f.b >> 16
    n = live_objects(g, c, w[2], rows)
    for k in range(n):
        if g.zone[rows[k]] == Z_BATTLEFIELD or g.zone[rows[k]] == Z_STACK:
            effect_add(g, EK_TEXT, rows[k], g.id[rows[k]], kind, 0, (f.b & 0xFFFF) - 1, w[4], player, c.source_row,
                       c.source_id)
            if g.h.status == GS_RUNNING:
                g.effect[g.h.n_effects - 1].y = <int16_t>to
            dirty(g, rows[k])
            dirty_all(g)  # its abilities may speak of anything
    f.b = 0
    return False


cdef bint pick_number(Game *g, const Ctx *c, int least, int most, int player) noexcept nogil:
    cdef int k
    cdef uint32_t what
    if g.h.answer != NO_ANSWER:
        what = <uint32_t><uint16_t>answer_of(g).num
        g.h.answer = NO_ANSWER
        choose(g, c, CN_NUMBER, what)
        return False
    least = max(0, least)
    open_choice(g, CH_NUMBER, player)
    for k in range(least, max(least, min(most, least + <int>MOST_NUMBERS)) + 1):
        add_option(g, O_NUMBER, 0, k, NO_PLAYER)
    return True


# ------------------------------------------------------------------------------------------------ votes

cdef bint vote(Game *g, const Ctx *c, Frame *f, int players, int choices) noexcept nogil:
    """CR 701.38: one after the other, from the controller on. f.b: a bit for each who has voted, and one more."""
    cdef int p, k
    cdef int _
    if f.b == 0:
        f.b = 1 << 16
        forget(g, c, RK_VOTE)
    if g.h.answer != NO_ANSWER:
        k = answer_of(g).num
        g.h.answer = NO_ANSWER
        trace(g, TR_VOTE, f.c, k, 0, 0, 0)
        remember(g, c, RK_VOTE, 0, <uint16_t>k, f.c)
    p = c.controller if in_game(g, c.controller) else next_player(g, c.controller)
    for _ in range(<int>g.h.n_alive):
        if players >> p & 1 and not f.b >> p & 1:
            f.b |= 1 << p
            f.c = p
            open_choice(g, CH_VOTE, p)
            for k in range(choices):
                add_option(g, O_MODE, 0, k, NO_PLAYER)
            return True
        p = next_player(g, p)
    return False


cdef int votes_for(const Game *g, const Ctx *c, int choice) noexcept nogil:
    cdef uint16_t list = info_of(g, c)
    cdef int n = 0
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_VOTE and chunk_refs(g, list)[i].row == choice:
            n += 1
    return n


# ------------------------------------------------------------------------------------------------ proliferate

cdef bint chosen_yet(const Game *g, const Frame *f, int kind, uint32_t id, int player) noexcept nogil:
    cdef int i
    for i in range(chunk_len(g, f.list)):
        if chunk_refs(g, f.list)[i].kind == kind and (chunk_refs(g, f.list)[i].id == id if kind == RK_OBJECT
                                                      else chunk_refs(g, f.list)[i].row == player):
            return True
    return False


cdef void one_more(Game *g, uint16_t row) noexcept nogil:
    """One counter of each kind that is on the permanent."""
    cdef uint16_t kinds[64]
    cdef int n = 0
    cdef int i, k
    for k in range(CK_POISON):
        if counters_on(g, row, k):
            kinds[n] = <uint16_t>k
            n += 1
    i = entry_next(g, g.extra[row], RK_COUNTER, 0)
    while i >= 0 and n < 64:
        kinds[n] = chunk_refs(g, g.extra[row])[i].row
        n += 1
        i = entry_next(g, g.extra[row], RK_COUNTER, i + 1)
    for i in range(n):
        put_counters(g, row, kinds[i], 1)


cdef void one_more_of_player(Game *g, int player) noexcept nogil:
    cdef uint16_t kinds[64]
    cdef int n = 0
    cdef int i = entry_next(g, g.p_extra[player], RK_COUNTER, 0)
    while i >= 0 and n < 64:
        kinds[n] = chunk_refs(g, g.p_extra[player])[i].row
        n += 1
        i = entry_next(g, g.p_extra[player], RK_COUNTER, i + 1)
    if g.p_poison[player]:
        player_counters(g, player, CK_POISON, 1)
    for i in range(n):
        player_counters(g, player, kinds[i], 1)


cdef bint offer_countered(Game *g, Frame *f, int player) noexcept nogil:
    """Permanents with counters by timestamp, then players by seat, then the end."""
    cdef uint16_t row
    cdef int p
    open_choice(g, CH_PICK, player)
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if not g.status[row] & ST_PHASED_OUT and any_counters(g, row) and not chosen_yet(g, f, RK_OBJECT, g.id[row], 0):
            add_option(g, O_OBJECT, row, 0, NO_PLAYER)
        row = g.znext[row]
    for p in range(<int>g.lay.players):
        if (in_game(g, p) and (g.p_poison[p] or entry_next(g, g.p_extra[p], RK_COUNTER, 0) >= 0)
                and not chosen_yet(g, f, RK_PLAYER, 0, p)):
            add_option(g, O_PLAYER, 0, 0, p)
    if g.h.n_options == 0:
        g.h.choice = CH_NONE
        return False
    add_option(g, O_DONE, 0, 0, NO_PLAYER)
    return True


cdef bint proliferate(Game *g, const Ctx *c, Frame *f, int player, int times) noexcept nogil:
    """CR 701.34: f.c: how often it is done; f.list: what has been chosen this time."""
    cdef int i
    cdef bint ends = False
    times = player_at_once(g, RP_PROLIFERATE, player, times)
    while f.c < times and g.h.status == GS_RUNNING:
        if g.h.answer != NO_ANSWER:
            if answer_of(g).kind == O_OBJECT:
                f.list = refs_add(g, f.list, answer_of(g).id, answer_of(g).row, RK_OBJECT)
            elif answer_of(g).kind == O_PLAYER:
                f.list = refs_add(g, f.list, 0, answer_of(g).player, RK_PLAYER)
            else:
                ends = True
            g.h.answer = NO_ANSWER
        if not ends and offer_countered(g, f, player):
            return True
        ends = False
        g.h.tick += 1
        for i in range(chunk_len(g, f.list)):
            if chunk_refs(g, f.list)[i].kind == RK_PLAYER:
                one_more_of_player(g, chunk_refs(g, f.list)[i].row)
            elif is_live(g, chunk_refs(g, f.list)[i].row, chunk_refs(g, f.list)[i].id):
                one_more(g, chunk_refs(g, f.list)[i].row)
        chunk_free(g, f.list)
        f.list = 0
        f.c += 1
        settle(g)
        if heard(g, EV_PROLIFERATE):
            happened(g, EV_PROLIFERATE, 0, 0, 0, 0, player, 0, 0)
    return False
