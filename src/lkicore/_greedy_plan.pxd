# Mana: what it is spent on.
from libc.stdint cimport uint16_t
from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Ability

cdef enum:
    ITEMS = 16       # spells and abilities that one plan looks at
    MANA = 32        # mana that one plan looks at
    LATER = -1       # option of an item that can't be taken yet

# Something to spend mana on.
cdef struct Item:
    int cost
    int points
    int option       # LATER: competes for the mana only

cdef struct Plan:
    int n
    Item item[ITEMS]


cdef inline int price(const Game *g, int cost) noexcept nogil:
    return 0 if g.h.options_mask & EO_PAY_FREE else cost


cdef inline int ability_number(const Game *g, uint16_t row, int number) noexcept nogil:
    """Number k of an object's abilities as a number of the card table."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n = abilities_of(g, row, list)
    return list[number] if number < n else 0


cdef inline const Ability *numbered(const Game *g, uint16_t row, int number) noexcept nogil:
    return ability_of(g, ability_number(g, row, number))


cdef int mana_of(const Game *g, int player) noexcept nogil
cdef bint burns_out(Game *g, int me, int victim, uint16_t row, int ability) noexcept nogil
cdef int finishing_option(Game *g, int me) noexcept nogil
cdef void plan_add(Plan *p, int option, int cost, int points) noexcept nogil
cdef int plan_choose(const Plan *p, int mana) noexcept nogil
