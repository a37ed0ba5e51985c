# Modes that cost something of their own (CR 601.2b, 700.2h): spree (702.172), escalate (702.120), entwine (702.42).
from libc.stdint cimport uint16_t
from lkicore._costs cimport Price
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport Ability, Mana, Node

cdef enum:
    # Numbers of cost parts: those of the chosen mode number j from MODE_COST + j * MODE_SPAN on, those of each mode
    # beyond the first from BEYOND more on.
    MODE_COST = 128
    MODE_SPAN = 8
    BEYOND = 4
    MOST_COSTLY_MODES = 14

cdef inline bint modes_cost(const Ability *a) noexcept nogil:
    """Choosing its modes, or some of them, costs something."""
    return a.kind == AB_SPELL and a.n_modes != 0 and (a.flags & MD_COSTS) != 0

# The mana of the chosen modes is added to a cost.
cdef void add_modes(const Game *g, int ability, uint16_t info, Mana *mana) noexcept nogil
# One mode, whose targets can be chosen, can be paid besides `price` (CR 700.2h).
cdef bint some_mode(Game *g, Ctx *c, int ability, const Price *price, int player) noexcept nogil
# Mode k can be paid besides those chosen, as far as parts go that are no mana.
cdef bint mode_parts(Game *g, const Ctx *c, int ability, uint16_t info, int k) noexcept nogil
# Offer the next object that a part is paid with; false: everything is chosen.
cdef bint offer_modes(Game *g, const Ctx *c, int ability, uint16_t info) noexcept nogil
cdef void pay_modes(Game *g, const Ctx *c, int ability, uint16_t info) noexcept nogil
# The part of the cost that has this number, NULL none.
cdef const Node *part_of_mode(const Game *g, int ability, uint16_t info, int number) noexcept nogil
