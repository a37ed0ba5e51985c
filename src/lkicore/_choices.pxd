# Priority: what a player can do, as a quick answer and as a list of options; taking an option.
from lkicore._casting cimport sorcery_time
from lkicore._guard cimport rare
from lkicore._layout cimport Game
from lkicore._opcodes cimport *

cdef int can_act(Game *g, int player) noexcept nogil
cdef bint look_for_actors(Game *g) noexcept nogil
cdef void offer_priority(Game *g, int player) noexcept nogil
cdef void take_priority_option(Game *g) noexcept nogil


cdef inline bint at_other_times(const Game *g) noexcept nogil:
    """Cards may be played that are not, or not then, to be played by themselves (CR 601.3)."""
    return (g.h.casting & (1 << CA_PERMIT | 1 << CA_FLASH) | g.h.shields & 1 << EK_PERMIT) != 0


cdef inline bint acts_otherwise(const Game *g) noexcept nogil:
    """Players may do at instant speed what no card of their hand or battlefield says by itself (with USE_CASTING)."""
    return g.h.options_mask & EO_PAY_MANUAL or at_other_times(g) or g.h.commanders


cdef inline bint may_act(const Game *g) noexcept nogil:
    """Somebody has something that could be done at instant speed: it must be looked at."""
    return g.h.n_instants or (rare(g.h.uses & USE_CASTING) and acts_otherwise(g))


cdef inline bint all_calm(Game *g) noexcept nogil:
    """Nobody in the game can do anything at instant speed: whoever has priority in a step without choices passes."""
    if not may_act(g):
        return True
    return g.h.calm if g.h.calm_rev == g.h.rev else look_for_actors(g)
