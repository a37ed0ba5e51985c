# Damage and its results, by what the source is or was (CR 120.3); life.
#
# Damage that is dealt at the same time (CR 510.2, 608.2e) goes through one `Dealing`: what players and other objects
# see of it, and the counters that are its results, wait until all of it has been dealt.
#
#     dealing_begin(&d); deal_to_object(g, &d, &source, …) …; source_done(g, &d, &source) after each source;
#     dealing_end(g, &d)
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from lkicore._expr cimport Facts
from lkicore._layout cimport Game

cdef enum:
    MOST_TOLD = 384

# An event to be told, or counters to be put (kind EV_NONE), when all has been dealt.
cdef struct Told:
    uint32_t id
    uint32_t id2
    int32_t amount
    uint16_t row
    uint16_t row2
    uint8_t kind
    uint8_t player
    uint8_t flags

cdef struct Dealing:
    int n
    int gain        # life that the present source's lifelink gains: one event (CR 702.15e)
    Told told[MOST_TOLD]


cdef inline void dealing_begin(Dealing *d) noexcept nogil:
    d.n = 0
    d.gain = 0


cdef int deal_to_player(Game *g, Dealing *d, const Facts *source, int player, int n, bint combat) noexcept nogil
cdef int deal_to_object(Game *g, Dealing *d, const Facts *source, uint16_t row, int n, bint combat) noexcept nogil
cdef void source_done(Game *g, Dealing *d, const Facts *source) noexcept nogil
cdef void dealing_end(Game *g, Dealing *d) noexcept nogil

cdef void change_life(Game *g, int player, int n) noexcept nogil
# Both return how much was dealt, after prevention.
cdef int damage_player(Game *g, const Facts *source, int player, int n, bint combat) noexcept nogil
cdef int damage_object(Game *g, const Facts *source, uint16_t row, int n, bint combat) noexcept nogil
# Counters that players have (CR 122.1): poison, and kinds named by the card table.
cdef int player_counters(Game *g, int player, int kind, int n) noexcept nogil
