# Many games, one after another, without the GIL.
from libc.stdint cimport uint64_t
from lkicore._game cimport SeatDeck
from lkicore._layout cimport Game, Layout
from lkicore._types cimport CardTable

# A block in which games are played, and the template that each begins from; grows when a game needs it.
cdef struct Slot:
    void *block
    void *template
    const Layout *lay

cdef bint short_of_room(const Game *g) noexcept nogil
cdef bint slot_open(Slot *s, int size_class, int players, int ring) noexcept nogil
cdef void slot_close(Slot *s) noexcept nogil
