"""Looking at cards of a library, one small choice after the other.

The cards looked at are a list of the frame (entries OBJECT); a card that has found its place is taken out of it. Cards
that stay in the library stay the objects that they are.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport entry_next
from lkicore._actions cimport forget, remember
from lkicore._allowed cimport castable_in
from lkicore._announce cimport begin_cast
from lkicore._arena cimport chunk_at, chunk_free, chunk_len, chunk_refs, refs_add
from lkicore._casting cimport NO_WAY
from lkicore._defs cimport face_of
from lkicore._enter cimport entering
from lkicore._expr cimport Ctx, info_of, passes, ref_players, value
from lkicore._game cimport NO_ANSWER, NO_PLAYER, add_option, answer_of, open_choice
from lkicore._guard cimport ctz64
from lkicore._instead cimport player_at_once
from lkicore._layout cimport Frame, Game, Option
from lkicore._library cimport shuffle
from lkicore._opcodes cimport *
from lkicore._player_rules cimport has_fact
from lkicore._rng cimport N_PURPOSES, S_CHANCE, below
from lkicore._store cimport link_head, link_tail, unlink, zone_first, zone_list
from lkicore._triggers cimport happened, heard
from lkicore._types cimport Face
from lkicore._zones cimport TO_END, move_group, move_one

cdef enum:
    MOST_LOOKED = 512

# Phases of looking (frame b).
cdef enum:
    BEGIN = 0
    TAKING = 1     # cards to take, or to put away
    ORDERING = 2   # the rest, one after the other
    CASTING = 3    # while its library is searched, its owner may cast cards from it


cdef void look_at_top(Game *g, Frame *f, int player, int n) noexcept nogil:
    """The top cards go into the frame's list; the player knows them now."""
    cdef uint16_t row = zone_first(g, Z_LIBRARY, player)
    chunk_free(g, f.list)
    f.list = 0
    while row and n > 0:
        f.list = refs_add(g, f.list, g.id[row], row, RK_OBJECT)
        g.known_to[row] |= <uint8_t>(1 << player)
        row = g.znext[row]
        n -= 1


cdef void take_out(Game *g, Frame *f, uint32_t id) noexcept nogil:
    cdef int n = chunk_len(g, f.list)
    cdef int i = 0
    while i < n and chunk_refs(g, f.list)[i].id != id:
        i += 1
    while i + 1 < n:
        chunk_refs(g, f.list)[i] = chunk_refs(g, f.list)[i + 1]
        i += 1
    if n:
        chunk_at(g, f.list).n = <uint16_t>(n - 1)


cdef void place_in_library(Game *g, uint16_t row, int player, bint top) noexcept nogil:
    """A card that stays in the library gets another place there."""
    cdef int k = zone_list(g, Z_LIBRARY, player)
    unlink(g, k, row)
    if top:
        link_head(g, k, row)
    else:
        link_tail(g, k, row)


cdef void offer_looked(Game *g, Frame *f, int kind, int player, bint done) noexcept nogil:
    cdef int i
    open_choice(g, CH_LOOK, player)
    for i in range(chunk_len(g, f.list)):
        add_option(g, kind, chunk_refs(g, f.list)[i].row, 0, NO_PLAYER)
    if done:
        add_option(g, O_DONE, 0, 0, NO_PLAYER)


cdef void end_looking(Game *g, Frame *f) noexcept nogil:
    chunk_free(g, f.list)
    f.list = 0


cdef bint order_rest(Game *g, Frame *f, int player, bint top) noexcept nogil:
    """The rest in any order: on top, the card chosen last is the topmost; on the bottom, the lowest."""
    cdef uint16_t row
    if g.h.answer != NO_ANSWER:
        row = answer_of(g).row
        take_out(g, f, answer_of(g).id)
        g.h.answer = NO_ANSWER
        place_in_library(g, row, player, top)
    if chunk_len(g, f.list) > 1:
        offer_looked(g, f, O_TOP if top else O_BOTTOM, player, False)
        return True
    if chunk_len(g, f.list) == 1:
        place_in_library(g, chunk_refs(g, f.list)[0].row, player, top)
    end_looking(g, f)
    return False


cdef bint scry(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 701.22, 701.25: some to the bottom, or into the graveyard, the rest back on top in any order."""
    cdef bint known = True
    cdef bint to_graveyard = w[0] == E_SURVEIL
    cdef Option *o
    cdef uint16_t row
    cdef int n
    if f.b == BEGIN:
        n = value(g, c, w[2], &known)
        if known and not to_graveyard:
            n = player_at_once(g, RP_SCRY, player, n)
        if not known or n <= 0:
            return False
        look_at_top(g, f, player, min(n, <int>MOST_LOOKED))
        f.b = TAKING
    if f.b == TAKING:
        if g.h.answer != NO_ANSWER:
            o = answer_of(g)
            g.h.answer = NO_ANSWER
            if o.kind == O_DONE:
                f.b = ORDERING
            else:
                row = o.row
                take_out(g, f, o.id)
                if to_graveyard:
                    move_one(g, row, Z_GRAVEYARD, TO_END)
                else:
                    place_in_library(g, row, player, False)
        if f.b == TAKING and chunk_len(g, f.list):
            offer_looked(g, f, O_GRAVEYARD if to_graveyard else O_BOTTOM, player, True)
            return True
        f.b = ORDERING
    if order_rest(g, f, player, True):
        return True
    if to_graveyard:
        if heard(g, EV_ACTION):
            happened(g, EV_ACTION, 0, 0, 0, 0, player, 0, KA_SURVEILS)
    elif heard(g, EV_SCRY):
        happened(g, EV_SCRY, 0, 0, 0, 0, player, 0, 0)
    return False


cdef void rest_of(Game *g, Frame *f, int player, int zone, int flags) noexcept nogil:
    """The rest goes where nobody chooses an order: another zone, or the bottom at random."""
    cdef uint16_t rows[MOST_LOOKED]
    cdef uint64_t *s = &g.stream[(player * N_PURPOSES + S_CHANCE) * 2]
    cdef int n = 0
    cdef int i, k
    cdef uint16_t row
    for i in range(chunk_len(g, f.list)):
        rows[n] = chunk_refs(g, f.list)[i].row
        n += 1
    end_looking(g, f)
    if zone != Z_LIBRARY:
        move_group(g, rows, n, zone, TO_END, -1, False)
        return
    for i in range(n - 1, 0, -1):
        k = <int>below(s, <uint32_t>(i + 1))
        row = rows[i]
        rows[i] = rows[k]
        rows[k] = row
    for i in range(n):
        place_in_library(g, rows[i], player, False)
        g.known_to[rows[i]] = 0


cdef bint dig(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """Look at the top w[2] cards, up to w[3] that pass filter w[4] go to zone w[5], the rest to w[6] (CR 701.20).

    f.c: how many have been taken.
    """
    cdef bint known = True
    cdef int most, i
    cdef Option *o
    cdef uint16_t row
    if f.b == BEGIN:
        most = value(g, c, w[2], &known)
        if not known or most <= 0:
            return False
        look_at_top(g, f, player, min(most, <int>MOST_LOOKED))
        f.b = TAKING
        f.c = 0
        forget(g, c, RK_MOVED)
    if f.b == TAKING:
        most = value(g, c, w[3], &known)
        if g.h.answer != NO_ANSWER:
            o = answer_of(g)
            g.h.answer = NO_ANSWER
            if o.kind == O_DONE:
                f.b = ORDERING
            else:
                row = o.row
                take_out(g, f, o.id)
                move_one(g, row, w[5], TO_END)
                remember(g, c, RK_MOVED, g.id[row], row, 0)
                f.c += 1
                if entering(g):
                    return True
        if f.b == TAKING and f.c < most:
            open_choice(g, CH_PICK, player)
            for i in range(chunk_len(g, f.list)):
                if passes(g, c, w[4], chunk_refs(g, f.list)[i].row):
                    add_option(g, O_OBJECT, chunk_refs(g, f.list)[i].row, 0, NO_PLAYER)
            if g.h.n_options:
                add_option(g, O_DONE, 0, 0, NO_PLAYER)
                return True
            g.h.choice = CH_NONE
        f.b = ORDERING
        if w[6] != Z_LIBRARY or w[7] & MF_RANDOM:
            rest_of(g, f, player, w[6], w[7])
            return False
    return order_rest(g, f, player, not w[7] & MF_BOTTOM)


cdef int reveal_until(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """Until w[2] cards pass filter w[3]: these go to zone w[4], the others to zone w[5] (CR 701.20)."""
    cdef uint16_t rows[MOST_LOOKED]
    cdef bint known = True
    cdef int most = value(g, c, w[2], &known)
    cdef uint16_t row = zone_first(g, Z_LIBRARY, player)
    cdef int seen = 0
    cdef int n = 0
    cdef int i
    forget(g, c, RK_MOVED)
    while row and known and n < most and seen < MOST_LOOKED:
        g.known_to[row] = <uint8_t>g.h.alive
        if passes(g, c, w[3], row):
            rows[n] = row
            n += 1
        else:
            f.list = refs_add(g, f.list, g.id[row], row, RK_OBJECT)
        seen += 1
        row = g.znext[row]
    # What enters comes last: players may have to choose how, before anything else goes on.
    rest_of(g, f, player, w[5], w[6])
    if n and w[4] != Z_LIBRARY:
        move_group(g, rows, n, w[4], TO_END, player if w[4] == Z_BATTLEFIELD else -1, (w[6] & MF_TAPPED) != 0)
    for i in range(n):
        remember(g, c, RK_MOVED, g.id[rows[i]], rows[i], 0)
    return n


cdef bint found_already(const Game *g, const Ctx *c, uint32_t id) noexcept nogil:
    cdef uint16_t list = info_of(g, c)
    cdef int i = entry_next(g, list, RK_MOVED, 0)
    while i >= 0:
        if chunk_refs(g, list)[i].id == id:
            return True
        i = entry_next(g, list, RK_MOVED, i + 1)
    return False


cdef void put_found_on_top(Game *g, const Ctx *c, int owner) noexcept nogil:
    """Cards found stay in the library while it is shuffled, and then lie on top in the order in which they were
    found."""
    cdef uint16_t list = info_of(g, c)
    cdef int i
    for i in range(chunk_len(g, list) - 1, -1, -1):
        if chunk_refs(g, list)[i].kind == RK_MOVED:
            place_in_library(g, chunk_refs(g, list)[i].row, owner, True)


cdef bint casts_while_searching(Game *g, int player) noexcept nogil:
    """CR 701.23, 608.2g: the ways of cards that can be cast from the library are there while their owner searches it.
    True while one is chosen, or cast."""
    cdef uint16_t row = zone_first(g, Z_LIBRARY, player)
    cdef const Face *face
    cdef Option *o
    cdef int k
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind == O_NO:
            return False
        begin_cast(g, o.row, player, face_of(g, g.defn[o.row]).first_way + (o.num & 63) - 1, NO_WAY)
        return True
    while row:
        face = face_of(g, g.defn[row])
        for k in range(face.n_ways):
            if (g.cards.ways[face.first_way + k].zones >> Z_LIBRARY & 1
                    and castable_in(g, row, player, face.first_way + k, NO_WAY)):
                if g.h.choice == CH_NONE:
                    open_choice(g, CH_CAST, player)
                    add_option(g, O_NO, 0, 0, NO_PLAYER)
                add_option(g, O_CAST, row, 64 | k + 1, NO_PLAYER)  # (numbered as by an instruction)
        row = g.znext[row]
    return g.h.choice != CH_NONE


cdef bint search(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil:
    """CR 701.23: choose cards with the quality, or none; put them there; shuffle.

    Cards that are alike are one option: the player sees the whole library, in no order. f.c: how many are found. The
    library is the player's own, or that of player reference w[6]. f.b: TAKING, before that CASTING.
    """
    cdef bint known = True
    cdef int most = value(g, c, w[5], &known)
    cdef uint16_t row, other
    cdef int owner = player
    cdef bint seen
    cdef Option *o
    if w[6] >= 0:
        owner = ref_players(g, c, w[6]) & g.h.alive
        if owner == 0:
            return False
        owner = ctz64(<uint64_t>owner)
    if f.b == BEGIN:
        f.b = CASTING
        f.c = 0
        forget(g, c, RK_MOVED)
    if f.b == CASTING:
        if owner == player and not has_fact(g, player, PY_CANT_SEARCH) and casts_while_searching(g, player):
            return True
        f.b = TAKING
    if g.h.answer != NO_ANSWER:
        o = answer_of(g)
        g.h.answer = NO_ANSWER
        if o.kind == O_OBJECT:
            row = o.row
            if w[3] != Z_LIBRARY:
                move_group(g, &row, 1, w[3], TO_END, player, w[3] == Z_BATTLEFIELD and w[4])
            remember(g, c, RK_MOVED, g.id[row], row, 0)
            f.c += 1
            if entering(g):
                return True
        else:
            f.c = most
    if f.c < most and known and not has_fact(g, player, PY_CANT_SEARCH):
        open_choice(g, CH_SEARCH, player)
        row = zone_first(g, Z_LIBRARY, owner)
        while row:
            if passes(g, c, w[2], row) and not (w[3] == Z_LIBRARY and found_already(g, c, g.id[row])):
                seen = False
                other = zone_first(g, Z_LIBRARY, owner)
                while other != row and not seen:
                    seen = g.defn[other] == g.defn[row]
                    other = g.znext[other]
                if not seen:
                    add_option(g, O_OBJECT, row, 0, NO_PLAYER)
            row = g.znext[row]
        add_option(g, O_NO, 0, 0, NO_PLAYER)
        if f.c == 0 or g.h.n_options > 1:
            return True
        g.h.choice = CH_NONE
    shuffle(g, owner)
    if w[3] == Z_LIBRARY:
        put_found_on_top(g, c, owner)
    return False
