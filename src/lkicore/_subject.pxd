# What a filter is asked about: a live object (its row) or facts, current or last known. Each question is written once
# and compiled for both.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._abilities cimport any_counters, counters_on, entry_next, has_subtype
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._defs cimport face_of, subtype_at
from lkicore._facts cimport Ctx, Facts, counters_known, logged, mana_value, x_of
from lkicore._guard cimport ctz64
from lkicore._layout cimport Game
from lkicore._lki cimport NO_SLOT, once_attached
from lkicore._opcodes cimport *
from lkicore._text cimport colors_in_text
from lkicore._types cimport Face, Node

ctypedef const Facts *FactsPtr

ctypedef fused Subject:
    uint16_t
    FactsPtr


cdef inline uint16_t types_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.types[s]
    else:
        return s.types


cdef inline uint8_t colors_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.colors[s]
    else:
        return s.colors


cdef inline uint64_t keywords_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.keywords[s]
    else:
        return s.keywords


cdef inline uint8_t controller_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.controller[s]
    else:
        return s.controller


cdef inline uint8_t owner_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.owner[s]
    else:
        return s.owner


cdef inline uint8_t status_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.status[s]
    else:
        return s.status


cdef inline uint8_t oflags_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.oflags[s]
    else:
        return s.oflags


cdef inline uint8_t attacks_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.attacks[s]
    else:
        return s.attacks


cdef inline uint8_t combat_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.combat[s]
    else:
        return s.combat


cdef inline uint8_t zone_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.zone[s]
    else:
        return s.zone


cdef inline uint16_t defn_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.defn[s]
    else:
        return s.defn


cdef inline uint32_t id_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.id[s]
    else:
        return s.id


cdef inline uint16_t list_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.extra[s]
    else:
        return s.extra


cdef inline int16_t damage_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.damage[s]
    else:
        return s.damage


cdef inline int16_t power_column(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.power[s]
    else:
        return s.power


cdef inline int16_t toughness_column(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.toughness[s]
    else:
        return s.toughness


cdef inline uint32_t blocks_of(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return g.blocks_id[s]
    else:
        return g.blocks_id[s.row] if s.slot == NO_SLOT else g.lki[s.slot].blocks_id


cdef inline int cost_of(const Game *g, Subject s) noexcept nogil:
    """Mana value."""
    if Subject is uint16_t:
        return mana_value(g, g.defn[s], g.oflags[s], g.zone[s], x_of(g, s) if g.zone[s] == Z_STACK else 0)
    else:
        return mana_value(g, s.defn, s.oflags, s.zone, s.x)


cdef inline int counters_of(const Game *g, Subject s, int kind) noexcept nogil:
    if Subject is uint16_t:
        return counters_on(g, s, kind)
    else:
        return counters_known(g, s, kind)


cdef inline bint has_counter(const Game *g, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return any_counters(g, s)
    else:
        return (s.c_p1p1 or s.c_m1m1 or s.c_loyalty or s.c_charge
                or (s.extra and entry_next(g, s.extra, RK_COUNTER, 0) >= 0))


cdef inline bint changeling(const Game *g, Subject s) noexcept nogil:
    """Every creature type, in every zone (CR 702.73a, 205.3d)."""
    return (keywords_of(g, s) & K_CHANGELING) != 0 and (types_of(g, s) & (T_CREATURE | T_KINDRED)) != 0


cdef inline bint of_subtype(const Game *g, Subject s, int subtype) noexcept nogil:
    """CR 205.3; an ability on the stack has no characteristics of its source."""
    cdef const Face *f
    cdef int k
    cdef uint8_t flags = oflags_of(g, s)
    if not flags & (OF_OWN_SUBTYPES | OF_ABILITY):
        f = face_of(g, defn_of(g, s))
        for k in range(f.n_subtypes):
            if subtype_at(g, f, k) == subtype:
                return True
    elif not flags & OF_ABILITY:
        if has_subtype(g, defn_of(g, s), flags, list_of(g, s), subtype):
            return True
    return (changeling(g, s) and not flags & OF_ABILITY and subtype < g.cards.n_subtypes
            and g.cards.creature_types[subtype])


cdef inline int creature_type(const Game *g, Subject s, int *k) noexcept nogil:
    """The next of its creature types (CR 205.3m) as listed, from number k on; -1 no more."""
    cdef const Face *f = face_of(g, defn_of(g, s))
    cdef uint8_t flags = oflags_of(g, s)
    cdef int t
    if flags & OF_ABILITY:
        return -1
    while k[0] < (chunk_len(g, list_of(g, s)) if flags & OF_OWN_SUBTYPES else f.n_subtypes):
        t = -1
        if not flags & OF_OWN_SUBTYPES:
            t = subtype_at(g, f, k[0])
        elif chunk_refs(g, list_of(g, s))[k[0]].kind == RK_SUBTYPE:
            t = chunk_refs(g, list_of(g, s))[k[0]].row
        k[0] += 1
        if t >= 0 and g.cards.creature_types[t]:
            return t
    return -1


cdef inline bint shares_type(Game *g, const Facts *with_, Subject s) noexcept nogil:
    """A creature type in common; a changeling shares one with whatever has any."""
    cdef int k = 0
    cdef int t
    if changeling(g, <FactsPtr>with_):
        return changeling(g, s) or creature_type(g, s, &k) >= 0
    t = creature_type(g, <FactsPtr>with_, &k)
    while t >= 0:
        if of_subtype(g, s, t):
            return True
        t = creature_type(g, <FactsPtr>with_, &k)
    return False


cdef inline bint bears(const Game *g, Subject s, int face_flag) noexcept nogil:
    """An Aura or Equipment is attached to it (CR 303.4, 301.5), or was when it left."""
    cdef uint32_t id = id_of(g, s)
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    if Subject is FactsPtr:
        if s.slot != NO_SLOT:
            if s.oflags & OF_HOST:
                for w in range(g.h.lki_limit):
                    if once_attached(g, s.slot, <uint16_t>w) and face_of(g, g.lki[w].defn).flags & face_flag:
                        return True
            return False
    if g.h.n_attached:
        for w in range(g.lay.words):
            bits = g.b_attached[w]
            while bits:
                row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
                bits &= bits - 1
                if (g.attached_id[row] == id and face_of(g, g.defn[row]).flags & face_flag
                        and not g.status[row] & ST_PHASED_OUT):
                    return True
    return False


cdef inline bint entered_now(const Game *g, Subject s) noexcept nogil:
    """Under its controller's control since this turn only (CR 302.6).

    Of the active player's permanents the mark tells it; others keep theirs from their controller's own turn.
    """
    if controller_of(g, s) == g.h.active:
        return (status_of(g, s) & ST_SICK) != 0
    return logged(g, H_ENTERED, id_of(g, s))


cdef inline bint sizes_stand(const Game *g, const Ctx *c, Subject s) noexcept nogil:
    """The columns hold the object's size: on the battlefield, and while sizes are just being computed."""
    if Subject is uint16_t:
        return g.zone[s] == Z_BATTLEFIELD or c.live_only
    else:
        return True


cdef inline int passes_plain(const Game *g, const Ctx *c, const Node *n, Subject s) noexcept nogil:
    """1 passes, 0 does not, -1: a filter, or an object, that takes more than a look at the columns."""
    cdef int op = n.op
    cdef uint64_t mask
    cdef const Face *f
    cdef int k
    if op == FT_TYPES_ANY:
        return (types_of(g, s) & n.a) != 0
    elif op == FT_TYPES_NONE:
        return (types_of(g, s) & n.a) == 0
    elif op == FT_COLORS_ANY:
        return (colors_of(g, s) & (n.a if g.n_effects[c.source_row] == 0 else
                                   colors_in_text(g, c.source_row, c.source_id, n.a))) != 0
    elif op == FT_COLORS_NONE:
        return (colors_of(g, s) & (n.a if g.n_effects[c.source_row] == 0 else
                                   colors_in_text(g, c.source_row, c.source_id, n.a))) == 0
    elif op == FT_KEYWORDS_ALL:
        mask = <uint64_t><uint32_t>n.a | <uint64_t><uint32_t>n.b << 32
        return (keywords_of(g, s) & mask) == mask
    elif op == FT_KEYWORDS_NONE:
        mask = <uint64_t><uint32_t>n.a | <uint64_t><uint32_t>n.b << 32
        return (keywords_of(g, s) & mask) == 0
    elif op == FT_POWER:
        return n.a <= power_column(g, s) <= n.b if sizes_stand(g, c, s) else -1
    elif op == FT_TOUGHNESS:
        return n.a <= toughness_column(g, s) <= n.b if sizes_stand(g, c, s) else -1
    elif op == FT_MANA_VALUE:
        return n.a <= face_of(g, defn_of(g, s)).mv <= n.b if zone_of(g, s) != Z_STACK else -1
    elif op == FT_SUBTYPE:
        if (oflags_of(g, s) & (OF_OWN_SUBTYPES | OF_ABILITY) or keywords_of(g, s) & K_CHANGELING
                or g.n_effects[c.source_row]):
            return -1
        f = face_of(g, defn_of(g, s))
        for k in range(f.n_subtypes):
            if subtype_at(g, f, k) == n.a:
                return 1
        return 0
    elif op == FT_YOURS:
        return controller_of(g, s) == c.controller
    elif op == FT_OPPONENTS:
        return controller_of(g, s) != c.controller
    elif op == FT_TAPPED:
        return (status_of(g, s) & ST_TAPPED) != 0
    elif op == FT_UNTAPPED:
        return (status_of(g, s) & ST_TAPPED) == 0
    elif op == FT_ATTACKING:
        return attacks_of(g, s) != 0
    elif op == FT_BLOCKING:
        return (combat_of(g, s) & CB_BLOCKING) != 0
    elif op == FT_FACE_DOWN:
        return (status_of(g, s) & ST_FACE_DOWN) != 0
    elif op == FT_TOKEN:
        return (oflags_of(g, s) & OF_TOKEN) != 0
    elif op == FT_NOT_SOURCE:
        return id_of(g, s) != c.source_id
    elif op == FT_SOURCE:
        return id_of(g, s) == c.source_id
    elif op == FT_ZONE:
        return zone_of(g, s) == n.a
    elif op == FT_ALL:
        return 1
    return -1
