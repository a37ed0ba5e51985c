# Costs (CR 118, 601.2f-h): what must be paid, whether it can be, choosing what to pay with, paying.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game, Ref
from lkicore._types cimport Mana

# A cost put together from its parts.
cdef struct Price:
    Mana mana
    int hybrid        # first of n_hybrid symbols
    int n_hybrid
    int life          # life of Phyrexian symbols, once the payment is found

# A payment of the mana part exists; the flat cost that the hybrid symbols come to is left in `price`, the first that
# can be paid: colours before two generic mana, mana before life (CR 107.4e-f). `without`: a source that can't tap.
cdef bint find_payment(Game *g, int player, Price *price, uint16_t without) noexcept nogil
# The parts besides mana can be paid (CR 118.3).
cdef bint parts_payable(Game *g, const Ctx *c, int first, int n) noexcept nogil
# The part is a sacrifice of creatures, whichever: 1 there are enough, 0 not, -1 it is something else. `source` may be
# one of them.
cdef int plain_sacrifice(const Game *g, int part, uint16_t source, int player) noexcept nogil
# Offer the next object to pay with; false when everything is chosen. The entries PAID of `list` are what was chosen.
cdef bint offer_cost(Game *g, const Ctx *c, int first, int n, int base, uint16_t list) noexcept nogil
# Pay the parts besides mana, with what was chosen.
cdef void pay_parts(Game *g, const Ctx *c, int first, int n, int base, uint16_t list) noexcept nogil
