# Ability instances of an object, and what else hangs on its `extra` list: counters of rare kinds, links, choices.
#
# An object has its definition's abilities, in printed order, unless OF_OWN_ABILITIES says that the entries ABILITY of
# its `extra` list are its abilities (CR 113.10, 613.1f). An ability is a number of the card table.
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._defs cimport ability_at, face_of
from lkicore._guard cimport rare
from lkicore._layout cimport Game, LkiRow, Ref
from lkicore._opcodes cimport *
from lkicore._types cimport MOST_ABILITIES, Ability, Face


cdef inline const Ability *ability_of(const Game *g, int ability) noexcept nogil:
    return &g.cards.abilities[ability]


cdef int own_abilities(const Game *g, uint16_t extra, uint16_t *out) noexcept nogil


cdef inline int abilities_of(const Game *g, uint16_t row, uint16_t *out) noexcept nogil:
    """The abilities of an object, in order; returns how many. `out` holds MOST_ABILITIES."""
    cdef const Face *f
    cdef int k
    if rare(g.oflags[row] & OF_OWN_ABILITIES):
        return own_abilities(g, g.extra[row], out)
    f = face_of(g, g.defn[row])
    for k in range(f.n_abilities):
        out[k] = <uint16_t>ability_at(g, f, k)
    return f.n_abilities


# The first entry of a kind from entry number `k` on, or -1.
cdef int entry_next(const Game *g, uint16_t list, int kind, int k) noexcept nogil
# Counters of any kind on a live object (CR 122).
cdef int counters_on(const Game *g, uint16_t row, int kind) noexcept nogil
cdef int counters_in(const Game *g, uint16_t extra, int kind) noexcept nogil


cdef inline int player_counter(const Game *g, int player, int kind) noexcept nogil:
    """Counters that a player has (CR 122.1)."""
    if kind == CK_POISON:
        return g.p_poison[player]
    return counters_in(g, g.p_extra[player], kind) if g.p_extra[player] else 0


# It blocks that object as a further one (CR 509.1b); the same of a list of an object that may have left.
cdef bint also_in(const Game *g, uint16_t extra, uint32_t id) noexcept nogil


cdef inline bint blocks_it(const Game *g, uint16_t row, uint32_t id) noexcept nogil:
    """The blocker `row` blocks this attacker, alone or among others."""
    return g.blocks_id[row] == id or (rare(g.combat[row] & CB_MORE) and also_in(g, g.extra[row], id))


# Set the number of counters of a kind without a column; columns are the caller's.
cdef void set_counters(Game *g, uint16_t row, int kind, int n) noexcept nogil
cdef bint any_counters(const Game *g, uint16_t row) noexcept nogil
# The protector of a battle (CR 310.8), -1 none; whom an attack on a planeswalker or battle is an attack on (508.5).
cdef int protector_of(const Game *g, uint16_t row) noexcept nogil
cdef int defender_of(const Game *g, uint16_t row) noexcept nogil
cdef bint has_subtype(const Game *g, uint16_t defn, uint8_t oflags, uint16_t extra, int subtype) noexcept nogil
# Add to, and remove from, the `extra` list of an object.
cdef void extra_add(Game *g, uint16_t row, int kind, uint32_t id, uint16_t what, int flags) noexcept nogil
cdef void drop_entry(Game *g, uint16_t row, int i) noexcept nogil
cdef void extra_drop(Game *g, uint16_t row, int kind) noexcept nogil
