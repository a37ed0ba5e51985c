# What players do with cards of their opening hands before the first turn (CR 103.6).
from lkicore._layout cimport Game

# Once all have kept: whether anybody could do something with a card of the opening hand.
cdef bint acts_first(Game *g) noexcept nogil
# The game begins: cards of the command zone and outside the game.
cdef void look_outside(Game *g) noexcept nogil
cdef void run_opening(Game *g) noexcept nogil
