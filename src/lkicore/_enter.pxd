# How objects enter where a player must choose: the frame F_ENTER.
from libc.stdint cimport uint16_t

from lkicore._expr cimport Ctx
from lkicore._game cimport top_frame
from lkicore._layout cimport Game
from lkicore._opcodes cimport F_ENTER, F_JOIN
from lkicore._types cimport Node

cdef void run_enter(Game *g) noexcept nogil
# Who may protect a battle, as it says of entering (CR 310.8a): a node EN_CHOOSE; NULL none.
cdef const Node *protector_choice(Game *g, uint16_t row, Ctx *c) noexcept nogil
cdef void offer_subtypes(Game *g) noexcept nogil


cdef inline bint entering(const Game *g) noexcept nogil:
    """Objects that enter wait for a player's choice: nothing else goes on before it is made."""
    return g.h.n_frames and (top_frame(g).kind == F_ENTER or top_frame(g).kind == F_JOIN)
