"""What players do with cards of their opening hands before the first turn (CR 103.6): the starting player first, each
as many of these things as there are, in any order."""
from libc.stdint cimport uint8_t, uint16_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx, holds, plain_context
from lkicore._game cimport NO_ANSWER, NO_PLAYER, add_option, answer_of, drop_frame, in_game, open_choice, top_frame
from lkicore._layout cimport Frame, Game
from lkicore._opcodes cimport *
from lkicore._store cimport zone_first
from lkicore._triggers cimport follow
from lkicore._types cimport FACE_OPENING
from lkicore._zones cimport join_elsewhere


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
