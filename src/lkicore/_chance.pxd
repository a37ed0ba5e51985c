# Coins and dice (CR 705, 706); choices of words and numbers on resolution (201.4, 608.2d); votes (701.38);
# proliferating (701.34).
from libc.stdint cimport int32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Frame, Game

# How many flips are won; `until`: flips until one is lost (CR 705.2).
cdef int flip_coins(Game *g, int player, int n, bint until) noexcept nogil
# The sum of n rolls with a die of so many sides.
cdef int roll_dice(Game *g, int player, int n, int sides) noexcept nogil
# Options, in canonical order: names of the cards of the game that pass the filter (CR 201.4).
# None if there are none.
cdef void offer_names(Game *g, const Ctx *c, int filter, int player) noexcept nogil
# Instructions: true while a choice is open.
cdef bint pick_word(Game *g, const Ctx *c, const int32_t *w, int player) noexcept nogil
cdef bint pick_number(Game *g, const Ctx *c, int least, int most, int player) noexcept nogil
cdef bint vote(Game *g, const Ctx *c, Frame *f, int players, int choices) noexcept nogil
cdef int votes_for(const Game *g, const Ctx *c, int choice) noexcept nogil
cdef bint proliferate(Game *g, const Ctx *c, Frame *f, int player, int times) noexcept nogil
# Text is changed (CR 612): true while a word is chosen.
cdef bint change_text(Game *g, const Ctx *c, Frame *f, const int32_t *w, int player) noexcept nogil
