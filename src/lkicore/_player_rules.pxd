# Facts of players that continuous effects make (CR 613.10, 613.11): worked out with computed values, after them.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._facts cimport Facts
from lkicore._layout cimport Game
from lkicore._opcodes cimport *

cdef enum:
    USUAL_HAND = 7        # CR 402.2
    NO_LIMIT = 0xFFFF     # of p_hand_max
    # Facts that keep a player from being a target.
    CLOSED = 1 << 1 | 1 << 2 | 1 << 3
    # Facts that change how life is gained and lost.
    LIFE_FACTS = 1 << 4 | 1 << 5

# Work out the facts of all players anew; true if a fact changed.
cdef bint facts_anew(Game *g) noexcept nogil
# A protection ability of the player passes the source (CR 702.16).
cdef bint player_guarded(Game *g, int player, const Facts *source) noexcept nogil
# A spell or ability of `controller` with this source may target the player (CR 702.11c, 702.16b, 702.18).
cdef bint player_open(Game *g, int player, int controller, uint16_t source_row, uint32_t source_id) noexcept nogil


cdef inline bint has_fact(const Game *g, int player, int fact) noexcept nogil:
    return (g.p_facts[player] & <uint32_t>fact) != 0
