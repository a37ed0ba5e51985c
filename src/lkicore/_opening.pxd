# Opening hands and mulligans (CR 103.5), and what players do with cards of those hands before the first turn (103.6).
from lkicore._layout cimport Game

cdef void draw_hand(Game *g, int player) noexcept nogil
cdef void run_mulligan(Game *g) noexcept nogil
# Once all have kept: whether anybody could do something with a card of the opening hand.
cdef bint acts_first(Game *g) noexcept nogil
# The game begins: cards of the command zone and outside the game.
cdef void look_outside(Game *g) noexcept nogil
cdef void run_opening(Game *g) noexcept nogil
