# The rest of a turn as instructions change it: phases added, skipped and ended (CR 500.7-11, 723, 724).
from libc.stdint cimport int32_t, uint16_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game

cdef enum:
    QUEUE = 32         # entries of `steps` and `turns`
    MOST_STEPS = 29    # steps to come; a combat phase under way adds up to three more (CR 508.8, 510.4)

# A step that comes next.
cdef void insert_step(Game *g, int step) noexcept nogil
# ExtraPhase `what` after the present phase or step (CR 500.8).
cdef void extra_phase(Game *g, int what) noexcept nogil
# A player skips the next of its kind (Skip; CR 614.10).
cdef void skip_next(Game *g, int player, int what, uint16_t source_row) noexcept nogil
# The player skips this now: by an effect, which is used up, or by what a permanent says.
cdef bint skipped(Game *g, int player, int what) noexcept nogil
# Go on behind the combat phase (CR 500.11).
cdef void pass_over_combat(Game *g) noexcept nogil
# CR 724: the stack is exiled; the rest is done as soon as nothing resolves (`h.ending`).
cdef void end_now(Game *g, int what) noexcept nogil
# CR 723: `controller` controls the player during that player's next turn.
cdef void control_next_turn(Game *g, int player, int controller, uint16_t source_row) noexcept nogil
# As a player's turn begins: who makes its choices.
cdef void take_over(Game *g, int player) noexcept nogil
# Instructions about turns and phases, and who controls what.
cdef void run_turns(Game *g, Ctx *c, const int32_t *w) noexcept nogil
