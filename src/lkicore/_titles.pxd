# What is in the command zone beside commanders: emblems (CR 114), titles that one player has at most, such as the
# monarch (724) and the initiative (726), dungeons (309). And day and night (731).
from libc.stdint cimport int32_t, uint16_t
from lkicore._layout cimport Frame, Game

# Kinds of faces that are no cards (Face.sort).
cdef enum:
    SORT_CARD = 0
    SORT_EMBLEM = 1
    SORT_TITLE = 2
    SORT_DUNGEON = 3

cdef void get_emblem(Game *g, int player, int face) noexcept nogil
# The player gets the title from whoever has it; `again`: it is an event if the player has it already (CR 726.4).
cdef void get_title(Game *g, int player, int face, bint again) noexcept nogil
# The object that stands for a title, 0 if nobody has it; its owner has it.
cdef uint16_t title_of(const Game *g, int face) noexcept nogil
# CR 724.4, 726.5: titles of players who leave; `faces` takes at most MOST_TITLES of them.
cdef enum:
    MOST_TITLES = 16
cdef int titles_left(const Game *g, int leaving, uint16_t *faces) noexcept nogil
# CR 701.49: true while a room must be chosen.
cdef bint venture(Game *g, int player, int face) noexcept nogil
# CR 704.5t: dungeons whose last room has been dealt with are completed; true if one was.
cdef bint complete_dungeons(Game *g) noexcept nogil
cdef void become_day(Game *g, int day) noexcept nogil
# CR 502.2, 731.2: as an untap step begins.
cdef void turn_of_day(Game *g) noexcept nogil
