# Other definitions that an object has outside the battlefield: the half, face or face-down form in which a card is cast
# (CR 601.3, 708.4, 709.3, 712.11, 715.3).
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from lkicore._layout cimport Game

# An object's own characteristics, while it stands for another definition.
cdef struct Guise:
    uint64_t keywords
    uint16_t row
    uint16_t defn
    uint16_t types
    int16_t power
    int16_t toughness
    uint8_t colors
    uint8_t status

# CR 601.3e, 708.4, 709.3b: whether and how it can be cast is asked about what it would be on the stack. Nothing but
# its own characteristics is touched; `take_off` must follow before anything happens.
cdef void put_on(Game *g, uint16_t row, uint16_t defn, Guise *w) noexcept nogil
cdef void take_off(Game *g, const Guise *w) noexcept nogil
# The object has another definition from now on, where it is: not on the battlefield.
cdef void show(Game *g, uint16_t row, uint16_t defn) noexcept nogil
# The spell on the stack is this half, face or face-down form; `known`: players who know its card.
cdef void show_spell(Game *g, uint16_t row, uint16_t defn, int known) noexcept nogil
# The definition is what something face down is (CR 708.2a).
cdef bint is_face_down_form(const Game *g, uint16_t defn) noexcept nogil
