# Attachments: Auras and Equipment (CR 301.5, 303.4, 701.3).
from libc.stdint cimport uint8_t, uint16_t
from lkicore._layout cimport Game

# It could be attached to this permanent: enchant ability (CR 702.5), Equipment to a creature (301.5), protection
# (702.16c).
cdef bint can_be_attached(Game *g, uint16_t row, uint16_t host) noexcept nogil
# The same under the control of a player who does not control it yet (CR 303.4f).
cdef bint could_be_attached(Game *g, uint16_t row, uint16_t host, int controller) noexcept nogil
# Attach a permanent (CR 701.3b-d): unattaches it first, gives it a new timestamp (613.7e) and the last place in the
# battlefield's order. Nothing happens if it can't be.
cdef void attach(Game *g, uint16_t row, uint16_t host) noexcept nogil
cdef void unattach(Game *g, uint16_t row) noexcept nogil
# A permanent leaves: what it is attached to forgets it; what is attached to it waits for state-based actions.
cdef void attachments_leave(Game *g, uint16_t row) noexcept nogil
# The player's Aura spell, or Aura put onto the battlefield, needs something to enchant.
# It is bestowed (CR 702.103b): it, or the spell that it was, was cast for its bestow cost, and it is an Aura since.
cdef bint bestowed(const Game *g, uint16_t row) noexcept nogil
# It is bestowed no more (CR 702.103e-f); false if it was not.
cdef bint end_bestow(Game *g, uint16_t row) noexcept nogil
cdef bint is_aura(const Game *g, uint16_t row) noexcept nogil
# Auras on players (CR 303.4, 702.5d): the player that it is attached to, -1 none; whether it could be.
cdef int host_player(const Game *g, uint16_t row) noexcept nogil
cdef bint could_enchant_player(Game *g, uint16_t row, int player, int controller) noexcept nogil
cdef void attach_to_player(Game *g, uint16_t row, int player) noexcept nogil
# The zone of what it can enchant, Z_NONE players.
cdef int host_zone(const Game *g, uint16_t row) noexcept nogil
# An Aura under the player's control would find something to enchant (CR 303.4f-g).
cdef bint has_host(Game *g, uint16_t row, int controller) noexcept nogil
# Of what is about to move: Auras that would enter and have nothing to enchant don't; how many objects are left.
cdef int drop_homeless(Game *g, const uint16_t *rows, uint8_t *to, uint16_t *kept, int n,
                       int controller) noexcept nogil
