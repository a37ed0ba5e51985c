# What casting or activating costs in all (CR 601.2f, 602.2b): the way's cost, X, optional costs, changes.
from libc.stdint cimport uint16_t
from lkicore._casting cimport Changed, Manner
from lkicore._costs cimport Price
from lkicore._layout cimport Frame, Game
from lkicore._expr cimport Ctx
from lkicore._opcodes cimport *
from lkicore._types cimport Face, Node, Way

cdef enum:
    # Where mana is waived, any X could be paid: the options end here, as a list has to end somewhere.
    MOST_FREE_X = 20
    OWN_COST = 0      # numbers of cost parts: those of the spell or ability itself,
    KICK_COST = 16    # of optional cost k from KICK_COST * (k + 1) on,
    WAY_COST = 240    # and of the way in which it is cast

# What changes the cost of a spell is part of the price.
cdef void change_price(Price *price, const Changed *d) noexcept nogil
# The cost of a face cast in a manner, before X, optional costs and changes; how many X it has.
cdef int price_of_manner(const Face *face, const Manner *m, Price *price) noexcept nogil
# What an announcement costs as far as it has got.
cdef void price_of(Game *g, const Frame *f, Price *price) noexcept nogil
# The part of an ability's cost that removes X counters from its source, NULL none.
cdef const Node *x_counters(const Game *g, const Frame *f) noexcept nogil
# CR 702.119a, 702.180a: how much less a way costs if this permanent is paid besides, its mana value or its power.
cdef int less_by(const Game *g, const Way *way, uint16_t row) noexcept nogil
# The way costs less by what it is paid with besides.
cdef inline bint less_by_paid(const Way *way) noexcept nogil:
    return way != NULL and (way.flags & (WF_LESS_VALUE | WF_LESS_POWER)) != 0 and way.n_costs != 0


# Some permanent can be paid so that the rest of the price can be.
cdef bint some_less(Game *g, const Ctx *c, const Way *way, const Price *price) noexcept nogil
# Number of X symbols in the cost that is paid.
cdef int x_symbols(const Game *g, const Frame *f) noexcept nogil
# Greatest X that the player can pay.
cdef int most_x(Game *g, const Frame *f) noexcept nogil


# The source that can't be tapped for mana, as it taps for the cost itself (CR 602.2b); 0 none.
cdef uint16_t without_of(const Game *g, const Frame *f) noexcept nogil
# The entry that says how often optional cost k is paid, -1 none.
cdef int kicked(const Game *g, uint16_t info, int k) noexcept nogil
