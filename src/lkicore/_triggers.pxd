# Triggered abilities (CR 603): matching events, waiting triggers.
#
# Whoever makes something happen asks `heard` first, a test of one word, and then tells what happened. Patterns that
# look back in time (603.10) are matched by `look_back` before a group's departures are recorded and anything moves; all
# others right after the change.
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._guard cimport rare
from lkicore._layout cimport Game, Trigger
from lkicore._types cimport Ability

cdef struct Happening:
    uint32_t id          # the object
    uint32_t id2         # the other object
    uint16_t row
    uint16_t row2
    int kind             # EventKind
    int player           # NO_PLAYER none
    int amount
    int zone_from
    int zone_to
    int flags            # DamageFlag; CounterKind of counters
    uint32_t first       # of objects that leave together: triggers that waited before any of them was told of


cdef inline bint heard(const Game *g, int kind) noexcept nogil:
    """Some ability waits for events of this kind."""
    return rare(g.h.listening >> kind & 1)


# An event without a change of zones.
cdef void happened(Game *g, int kind, uint16_t row, uint32_t id, uint16_t row2, uint32_t id2, int player, int amount,
                   int flags) noexcept nogil
# A player has lost control of a permanent, or loses it as it leaves (CR 603.10d). Ask `heard` first.
cdef void lost_control(Game *g, uint16_t row, int player) noexcept nogil
# Objects about to leave together (CR 603.10a); `to`: the zone that each goes to.
cdef void look_back(Game *g, const uint16_t *rows, const uint8_t *to, int n) noexcept nogil
# An object has moved: EV_ENTERS or EV_MOVES; (row, id) as it was, `now` the id that it has.
cdef void moved(Game *g, uint16_t row, uint32_t was, int zone_from, int zone_to) noexcept nogil
# State triggers (CR 603.8): each whose state holds, unless it waits or is on the stack already.
cdef void look_at_states(Game *g) noexcept nogil
# Waiting trigger number k is taken out of the table, and returned.
cdef Trigger take_trigger(Game *g, int k) noexcept nogil
# One ability triggers (delayed, reflexive).
cdef void trigger_add(Game *g, int ability, uint16_t defn, uint16_t source_row, uint32_t source_id, int controller,
                      uint16_t row, uint32_t id, uint16_t row2, uint32_t id2, int player, int amount,
                      int x) noexcept nogil
# What a replacement or prevention effect does besides, or instead (CR 614.6, 615.5): the program of its ability is run
# as soon as the event is over. `player`: affected; `row`: what it happened to; `row2`: the source of damage.
cdef void follow(Game *g, int ability, uint16_t source_row, uint32_t source_id, uint16_t defn, int controller,
                 uint16_t row, uint32_t id, uint16_t row2, uint32_t id2, int player, int amount) noexcept nogil
# How many objects that resolve at once are resolving now.
cdef int depth_at_once(const Game *g) noexcept nogil
# The event is what the ability waits for, in the context of its source.
cdef bint fits(Game *g, const Ability *a, const Happening *e, const Ctx *c) noexcept nogil
cdef void event_of(Ctx *c, const Happening *e) noexcept nogil
