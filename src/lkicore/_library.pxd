# Drawing and shuffling.
from lkicore._layout cimport Game

cdef enum:
    # What a draw came to, besides `ASKED`.
    NO_CARD = 0
    DREW = 1
    REPLACED = 2
    # What happens instead of a draw (`step` of an ability RP_DRAW).
    DRAW_SKIPPED = 0
    DRAW_GIVEN = 1    # the controller of the ability draws
    DRAW_DREDGE = 2   # CR 702.52
    DRAW_OTHERWISE = 3   # the program of the ability (CR 614.11)

cdef int draw(Game *g, int player) noexcept nogil
cdef void shuffle(Game *g, int player) noexcept nogil
