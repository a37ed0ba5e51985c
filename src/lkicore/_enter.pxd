# How objects enter where a player must choose: the frame F_ENTER.
from lkicore._game cimport top_frame
from lkicore._layout cimport Game
from lkicore._opcodes cimport F_ENTER

cdef void run_enter(Game *g) noexcept nogil


cdef inline bint entering(const Game *g) noexcept nogil:
    """Objects that enter wait for a player's choice: nothing else goes on before it is made."""
    return g.h.n_frames and top_frame(g).kind == F_ENTER
