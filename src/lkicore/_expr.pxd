# Reading: facts about specific objects under a policy, references, values, filters of the effect language.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._facts cimport Ctx, Facts, Obj, designated, info_of, plain_context
from lkicore._layout cimport Game
from lkicore._opcodes cimport FT_ALL, FT_PLAYER
from lkicore._types cimport Node

# Power and toughness that an object's own ability defines in every zone (CR 604.3); unchanged where none does.
cdef void cda_size(Game *g, uint16_t row, int controller, int *power, int *toughness) noexcept nogil
cdef bint read_facts(Game *g, uint16_t row, uint32_t id, int policy, Facts *f) noexcept nogil
# The one object of a reference; false for a player, an illegal target (CR 608.2b), several or none.
cdef bint ref_object(Game *g, const Ctx *c, int ref, uint16_t *row, uint32_t *id, int *policy) noexcept nogil
# All objects of a reference, one or several, live or not, in canonical order; `out` holds as many as the arena has
# units, which are more than rows.
cdef int ref_objects(Game *g, const Ctx *c, int ref, Obj *out, int *policy) noexcept nogil
# Bit set of the players of a reference; 0 where there is no answer.
cdef int ref_players(Game *g, const Ctx *c, int ref) noexcept nogil
cdef int value(Game *g, const Ctx *c, int node, bint *known) noexcept nogil
# A condition: an absent one (-1) holds; one without an answer does not.
cdef bint holds(Game *g, const Ctx *c, int node) noexcept nogil
# A filter on a live object; -1 passes.
cdef bint passes(Game *g, const Ctx *c, int node, uint16_t row) noexcept nogil
# A filter on facts, current or last known (for departed objects: CR 608.2h, 603.4).
cdef bint passes_facts(Game *g, const Ctx *c, int node, const Facts *f) noexcept nogil
cdef bint passes_player_node(Game *g, const Ctx *c, const Node *n, int player) noexcept nogil


cdef inline bint passes_player(Game *g, const Ctx *c, int node, int player) noexcept nogil:
    """A filter on a player in target position, or of an event; most ask for any."""
    if node < 0 or g.cards.filters[node].op == FT_PLAYER or g.cards.filters[node].op == FT_ALL:
        return True
    return passes_player_node(g, c, &g.cards.filters[node], player)
