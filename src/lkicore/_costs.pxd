# Costs (CR 118, 601.2f-h): what must be paid, whether it can be, choosing what to pay with, paying.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game, Ref
from lkicore._types cimport Mana, Node

cdef enum:
    # Marks of a hybrid symbol besides its colours (CR 107.4e-f).
    TWO_GENERIC = 0x40
    TWO_LIFE = 0x80
    # How a symbol is paid, in entries SYMBOL, besides the numbers of colours.
    BY_TWO = 6
    BY_LIFE = 7

# Price.marks
cdef enum:
    PRICE_ANY_COLOR = 1     # mana can be spent as though it were mana of any color
    PRICE_LESS_COLORS = 2   # it is less by coloured mana

# A cost put together from its parts.
cdef struct Price:
    Mana mana
    int hybrid        # first of n_hybrid symbols
    int n_hybrid
    int life          # life of Phyrexian symbols, once the payment is found
    int more          # generic mana more, then less, and at least so much in all (CR 601.2f)
    int less
    int least
    int marks         # PRICE_ANY_COLOR, PRICE_LESS_COLORS
    Mana off          # coloured mana less, and beyond the cost's own generic mana (CR 118.7c); `only`: coloured alone
    Mana only
    int help          # what else may still help to pay (HELP_CONVOKE …)
    uint16_t list     # entries SYMBOL, HELP: how symbols are paid, what helps
    uint16_t spell    # row of the spell, 0 none

cdef inline bint plain_price(const Price *price) noexcept nogil:
    """Flat mana, and nothing changes it or helps to pay it."""
    return (price.n_hybrid | price.more | price.less | price.least | price.marks | price.help | price.list) == 0


cdef void price_plain(Price *price) noexcept nogil


# A payment of the mana part exists; the flat cost that the hybrid symbols come to is left in `price`, the first that
# can be paid: colours before two generic mana, mana before life (CR 107.4e-f). `without`: a source that can't tap.
cdef bint find_payment(Game *g, int player, Price *price, uint16_t without) noexcept nogil
# Flat mana can be paid, for the spell or (0) anything else.
cdef bint payable(Game *g, int player, const Mana *cost, uint16_t without, uint16_t spell) noexcept nogil
# The parts besides mana can be paid (CR 118.3).
cdef bint parts_payable(Game *g, const Ctx *c, int first, int n) noexcept nogil
# One part, paid `times` times (a number of objects in it is that of all times).
cdef bint part_payable(Game *g, const Ctx *c, const Node *part, int times) noexcept nogil
# This object can be chosen for the part.
cdef bint pays(Game *g, const Ctx *c, const Node *part, uint16_t row) noexcept nogil
# The part is a sacrifice of creatures, whichever: 1 there are enough, 0 not, -1 it is something else. `source` may be
# one of them.
cdef int plain_sacrifice(const Game *g, const Node *cost, uint16_t source, int player) noexcept nogil
# Offer the next object to pay with; false when everything is chosen. The entries PAID of `list` are what was chosen.
cdef bint offer_cost(Game *g, const Ctx *c, int first, int n, int base, uint16_t list) noexcept nogil
# Pay the parts besides mana, with what was chosen.
cdef void pay_parts(Game *g, const Ctx *c, int first, int n, int base, uint16_t list) noexcept nogil
