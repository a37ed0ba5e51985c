# What abilities and effects say about casting, playing and activating: who may, when, at what price (CR 601.2f, 601.3,
# 602.5); the ways in which a card can be cast (118.9).
from libc.stdint cimport uint16_t, uint32_t
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport MOST_ABILITIES, NONE16, Ability, Face, Mana, Way

cdef enum:
    NO_WAY = -1

# How a card is cast: in a way of its own, by a permission of another object, both or neither; NULL none.
cdef struct Manner:
    const Way *own
    const Way *permit

# A walk over the abilities of permanents about one matter (CastOp), in timestamp order.
cdef struct Rules:
    Ctx c             # of the ability found
    int op
    int k
    int n
    uint16_t row
    uint16_t list[MOST_ABILITIES]

cdef void rules_begin(const Game *g, int op, Rules *r) noexcept nogil
# The next one whose condition holds; NULL: no further.
cdef const Ability *rules_next(Game *g, Rules *r) noexcept nogil
cdef void find_manner(const Game *g, uint16_t list, Manner *m) noexcept nogil
cdef void manner_by(const Game *g, int own, int permit, Manner *m) noexcept nogil
# Way of the permission number `number` (from 1) that the player has for this card; NO_WAY: there are fewer.
cdef int permission(Game *g, uint16_t row, int player, int number) noexcept nogil
# The permission lets the card, which is in this zone, be cast in its own way too: one that pays another cost (CR
# 118.9a), or that says which face or half it is (709.3, 712.11, 715.3). Z_NONE: whatever the zone.
cdef bint combines(const Way *own, const Way *permit, int zone) noexcept nogil
# The card can't be cast by the player (CR 601.3), whatever it costs.
cdef bint forbidden(Game *g, uint16_t row, int player) noexcept nogil
# A permanent's ability, or mana spent on it, says that it can't be countered (CR 701.6a).
cdef bint cant_be_countered(Game *g, uint16_t row) noexcept nogil
cdef bint find_split_second(const Game *g) noexcept nogil
# It can be cast now, as far as time is concerned (CR 117.1a, 307.1).
cdef bint in_cast_time(Game *g, uint16_t row, int player, const Face *f, const Manner *m) noexcept nogil
# Abilities of this object can't be activated by the player (CR 602.5).
cdef bint cant_activate(Game *g, uint16_t row, int player) noexcept nogil


# How costs change (CR 601.2f): generic mana more, less, and the least that is to be paid.
cdef struct Changed:
    int more
    int less
    int least
    bint colors       # less by colours: what goes beyond that is less generic mana (CR 118.7c), or nothing
    Mana off
    Mana only

# CR 903.8: what a commander that is cast from the command zone costs more.
cdef inline int commander_tax(const Game *g, uint16_t row) noexcept nogil:
    if g.h.commanders and g.zone[row] == Z_COMMAND and g.oflags[row] & OF_COMMANDER:
        return 2 * g.pc_casts[g.card[row]]
    return 0


cdef void price_changes(Game *g, uint16_t row, int player, const Face *f, const Ctx *c, Changed *d) noexcept nogil


cdef inline bint sorcery_time(const Game *g, int player) noexcept nogil:
    """CR 307.1: an own main phase with an empty stack."""
    return player == g.h.active and g.h.n_stack == 0 and (g.h.step == STEP_MAIN1 or g.h.step == STEP_MAIN2)


cdef inline bint has_permits(const Game *g) noexcept nogil:
    """Somebody may play cards that cannot be played otherwise."""
    return (g.h.casting >> CA_PERMIT & 1) != 0 or (g.h.shields >> EK_PERMIT & 1) != 0


cdef inline void manner_of(const Game *g, uint16_t list, Manner *m) noexcept nogil:
    """What the list of a frame, spell or permanent says of how it is or was cast."""
    m.own = NULL
    m.permit = NULL
    if list and g.h.uses & USE_CASTING:
        find_manner(g, list, m)


cdef inline const Face *announced_face(const Game *g, uint16_t row, const Manner *m) noexcept nogil:
    """The face that is announced: the half or face of the way, else the object's own."""
    if m.own != NULL and m.own.face != NONE16:
        return face_of(g, m.own.face)
    return face_of(g, g.defn[row])


cdef inline int announced_spell(const Game *g, uint16_t row, const Manner *m) noexcept nogil:
    """Its spell ability in this manner, NONE16 none."""
    if m.own != NULL and m.own.spell != NONE16:
        return m.own.spell
    return announced_face(g, row, m).spell


cdef inline bint split_second(const Game *g) noexcept nogil:
    """A spell with split second is on the stack (CR 702.61): nothing but mana abilities can be begun."""
    return g.h.n_stack != 0 and g.cards.keywords & K_SPLIT_SECOND and find_split_second(g)


cdef inline int spell_of_entry(const Game *g, int i) noexcept nogil:
    """The spell ability of an entry of the stack that is a spell, NONE16 none."""
    cdef Manner m
    manner_of(g, g.extra[g.stack[i].row], &m)
    if m.own != NULL and m.own.spell != NONE16:
        return m.own.spell
    return face_of(g, g.stack[i].face).spell

# A permanent's abilities may ask how its spell was cast: that goes on from the row of the spell, in this slot.
cdef void remember_cast(Game *g, uint16_t row, uint16_t slot) noexcept nogil
