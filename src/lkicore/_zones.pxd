# Zone changes, tokens, discarding, sacrificing.
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from lkicore._layout cimport Game
from lkicore._types cimport Face

# Where in a zone's order an object goes.
cdef enum:
    TO_END = 0   # the newest; the bottom of a library
    TO_TOP = 1   # the top of a library

# Marks of an object in the list of an F_ENTER frame.
cdef enum:
    EF_HOST = 1   # its controller chooses what it enchants (CR 303.4f)
    EF_COPY = 4   # its controller chooses what it copies (CR 707.5)
    EF_ASKS = 2   # what is chosen as it enters is still to be chosen (CR 614.12a)

cdef enum:
    HOST_PLAYER = 0xFF00   # `host` of an Aura spell that enchants a player: and the player

# One event (CR 400.6, 603.10): replacements, look-back triggers, all recorded, all moved, further triggers. `to` holds
# the zone of each (Z_NONE: it ceases to exist) and is changed by replacements. `controller` of what enters the
# battlefield, -1 its owner (a spell: its controller). False: no room, nothing happened.
cdef bint move_all(Game *g, const uint16_t *rows, uint8_t *to, int n, int where, int controller,
                   bint tapped) noexcept nogil
# What its controller chooses as a permanent enters: EF_HOST, EF_COPY.
cdef int entering_marks(const Game *g, uint16_t row) noexcept nogil
# What follows on zone changes that have been made: how permanents enter, then what triggers. `was`, `zone`: ids and
# zones that the objects had, 0 where nobody listened.
cdef void entered(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone, int n) noexcept nogil
# Only what triggers on them.
cdef void tell_entered(Game *g, const uint16_t *rows, const uint32_t *was, const uint8_t *zone, int n) noexcept nogil
# The same with one zone for all.
cdef bint move_group(Game *g, const uint16_t *rows, int n, int zone_to, int where, int controller,
                     bint tapped) noexcept nogil
# A spell or ability leaves the stack: resolved, countered or without a legal target (CR 608.2b, 608.2n, 701.6);
# `host`: what an Aura spell becomes attached to (608.3c), 0 nothing.
cdef void leave_stack(Game *g, uint16_t row, int zone_to, uint16_t host) noexcept nogil
# A player must choose first what replaces that.
cdef bint asks_leaving_stack(Game *g, uint16_t row, int zone_to) noexcept nogil
# A player draws the top card, or has none; nothing replaces it any more.
cdef bint draw_top(Game *g, int player) noexcept nogil
cdef void put_on_stack(Game *g, uint16_t row) noexcept nogil
cdef void move_one(Game *g, uint16_t row, int zone_to, int where) noexcept nogil
# The plain change of zone of a recorded object.
cdef void change_zone(Game *g, uint16_t row, int zone_to, int where) noexcept nogil
# Tokens of a face, created together; `rows` has room for `n`.
cdef int make_tokens(Game *g, int player, int face, int n, bint tapped, uint16_t *rows) noexcept nogil
# A copy of a spell or card is there: what its abilities are found by.
cdef void copy_joins(Game *g, uint16_t row) noexcept nogil
# Abilities that work where an object is now, outside the battlefield (CR 113.6).
cdef void join_elsewhere(Game *g, uint16_t row, const Face *f) noexcept nogil
cdef void cease(Game *g, uint16_t row) noexcept nogil
cdef void discard_card(Game *g, uint16_t row) noexcept nogil
cdef bint discard_group(Game *g, const uint16_t *rows, int n) noexcept nogil
# Sacrifice (CR 701.21): players' own permanents, together.
cdef bint sacrifice_group(Game *g, const uint16_t *rows, int n) noexcept nogil
# Setting a game up: an object is put silently where it begins, with everything that the zones know about it.
cdef void place(Game *g, uint16_t row, int zone, int controller) noexcept nogil
