# What instructions do that needs no choice: one function an action of the rulebook.
from libc.stdint cimport int32_t, uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game

cdef enum:
    DIVIDED = 0x7FFFFFFF

# What a target gets of what is divided, by its place among all targets that are the same object or player; 0 nothing.
cdef int share_of(const Game *g, const Ctx *c, int spec, int kind, uint16_t row, uint32_t id) noexcept nogil
# Live permanents that an instruction acts on; `cards`: cards in graveyards, exile, hands and libraries too.
cdef int objects_of(Game *g, const Ctx *c, int ref, bint cards, uint16_t *rows) noexcept nogil
# All objects of a reference that are still there, in whatever zone: cards and spells too.
cdef int live_objects(Game *g, const Ctx *c, int ref, uint16_t *rows) noexcept nogil
# What was moved, or revealed, can be found by later instructions (CR 400.7j).
# An object is linked to the source by a number (CR 607.2).
cdef void link_to_source(Game *g, const Ctx *c, uint16_t row, uint32_t id, int number) noexcept nogil
cdef void keep(Game *g, const Ctx *c, const uint16_t *rows, int n, int flags) noexcept nogil
# Remember what an instruction moved or chose, in the list of the spell or ability that asks.
cdef void remember(Game *g, const Ctx *c, int kind, uint32_t id, uint16_t row, int flags) noexcept nogil
cdef void forget(Game *g, const Ctx *c, int kind) noexcept nogil
# Turned face up or down, or put onto the battlefield face down, as an instruction says.
cdef int turn_objects(Game *g, const Ctx *c, const int32_t *w) noexcept nogil
cdef int move_objects(Game *g, const Ctx *c, int ref, int zone_to, int flags, int under, int place) noexcept nogil
cdef int destroy_objects(Game *g, const Ctx *c, int ref, int flags) noexcept nogil
cdef int sacrifice_objects(Game *g, const Ctx *c, int ref, int flags) noexcept nogil
# (`amount` DIVIDED: each gets what was announced for it, CR 601.2d.)
cdef int deal(Game *g, const Ctx *c, int source_ref, int to, int amount) noexcept nogil
cdef void fight(Game *g, const Ctx *c, int one, int two) noexcept nogil
cdef void apply_changes(Game *g, const Ctx *c, int ref, int first, int n, int x, int y, int duration) noexcept nogil
cdef void tap_objects(Game *g, const Ctx *c, int ref, bint to_tapped) noexcept nogil
cdef int counters_objects(Game *g, const Ctx *c, int ref, int kind, int n) noexcept nogil
cdef void mill(Game *g, const Ctx *c, int player, int n, int flags) noexcept nogil
# (`whom`: whom they attack if they enter attacking, -1: their controller chooses.)
cdef void create(Game *g, const Ctx *c, int player, int n, int face, int flags, int whom) noexcept nogil
# The shields from entry number `first` of the table on: ability whose program follows on them, -1 none.
cdef void followed(Game *g, const Ctx *c, int first, int ability) noexcept nogil
cdef void shield(Game *g, const Ctx *c, int kind, int ref, int amount, int duration, int flags) noexcept nogil
cdef void shield_from(Game *g, const Ctx *c, int from_, int ref, int amount, int duration, int flags,
                      int filter) noexcept nogil
cdef void exile_until(Game *g, const Ctx *c, int ref) noexcept nogil
# Objects exiled until their source left the battlefield come back (CR 610.3).
cdef void returns_due(Game *g) noexcept nogil
cdef void apply_to_players(Game *g, const Ctx *c, int players, int first, int n, int x, int y,
                           int duration) noexcept nogil
