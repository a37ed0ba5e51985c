# Priority: what a player can do, as a quick answer and as a list of options; taking an option.
from lkicore._layout cimport Game
from lkicore._opcodes cimport *

cdef int can_act(Game *g, int player) noexcept nogil
cdef bint look_for_actors(Game *g) noexcept nogil
cdef void offer_priority(Game *g, int player) noexcept nogil
cdef void take_priority_option(Game *g) noexcept nogil


cdef inline bint sorcery_time(const Game *g, int player) noexcept nogil:
    """CR 307.1: an own main phase with an empty stack."""
    return player == g.h.active and g.h.n_stack == 0 and (g.h.step == STEP_MAIN1 or g.h.step == STEP_MAIN2)


cdef inline bint all_calm(Game *g) noexcept nogil:
    """Nobody in the game can do anything at instant speed: whoever has priority in a step without choices passes."""
    if g.h.n_instants == 0 and not g.h.options_mask & EO_PAY_MANUAL:
        return True
    return g.h.calm if g.h.calm_rev == g.h.rev else look_for_actors(g)
