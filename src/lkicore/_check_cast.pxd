# Validating a block: what is announced, and what is offered for it.
from libc.stdint cimport uint16_t
from lkicore._check_codes cimport field_row
from lkicore._game cimport in_game
from lkicore._layout cimport Frame, Game, Option

cdef bint targets_fit(const Game *g, uint16_t list, int ability, uint16_t info, int x, int part, int spec,
                      int have) noexcept nogil
cdef bint modes_fit(const Game *g, int ability, uint16_t info, bint whole) noexcept nogil
cdef int check_announce(const Game *g, const Frame *f, bint top) noexcept nogil
cdef bint has_activated(const Game *g, uint16_t row, int ability) noexcept nogil
cdef bint play_option(const Game *g, const Option *o) noexcept nogil
cdef bint kick_option(const Game *g, const Frame *f, const Option *o) noexcept nogil
cdef bint mode_option(const Game *g, const Frame *f, const Option *o) noexcept nogil
cdef bint cost_option(const Game *g, const Frame *f, const Option *o) noexcept nogil
cdef bint target_option(const Game *g, const Frame *f, const Option *o) noexcept nogil


cdef inline bint stays(const Game *g, int player) noexcept nogil:
    """It is a player, who is still in the game."""
    return player < <int>g.lay.players and in_game(g, player)


cdef inline bint in_hand(const Game *g, uint16_t row, int zone) noexcept nogil:
    return row != 0 and g.zone[row] == zone and g.owner[row] == g.h.chooser


cdef inline bint mine(const Game *g, uint16_t row) noexcept nogil:
    return field_row(g, row) and g.controller[row] == g.h.chooser
cdef int check_combat_frame(const Game *g, const Frame *f, bint top) noexcept nogil
