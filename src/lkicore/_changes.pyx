"""What the changes of continuous effects do to an object, layer by layer (CR 613.1)."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._abilities cimport MOST_ABILITIES, ability_of, entry_next, extra_add, extra_drop, has_subtype
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._defs cimport ability_at, face_of, subtype_at
from lkicore._expr cimport Ctx, value
from lkicore._guard cimport ctz64
from lkicore._layout cimport Game, Ref
from lkicore._opcodes cimport *
from lkicore._store cimport is_live
from lkicore._text cimport subtype_in_text
from lkicore._types cimport Ability, Face, NONE16, Node

cdef enum:
    SUPERTYPES = 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13


cdef void static_add(Game *g, Pass *p, uint16_t row, int ability, uint32_t timestamp, int after) noexcept nogil:
    """A static ability begins to exist; number `after` is being applied (-1 none), and those before it have been."""
    cdef int i = p.n_statics
    cdef Static *s
    if not ability_of(g, ability).zones >> g.zone[row] & 1:
        return
    if p.n_statics == p.most_statics:
        p.full = True
        return
    while i > after + 1 and p.statics[i - 1].timestamp > timestamp:
        p.statics[i] = p.statics[i - 1]
        i -= 1
    p.n_statics += 1
    s = &p.statics[i]
    memset(s, 0, sizeof(Static))
    s.timestamp = timestamp
    s.set = NO_SET
    s.row = row
    s.ability = <uint16_t>ability
    p.layers |= ability_of(g, ability).layers
    if ability_of(g, ability).reads & RD_SIZE:
        p.sizes_asked = True


cdef void own_list(Game *g, uint16_t row) noexcept nogil:
    """The object's abilities become a list of its own: those of its definition first."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int k
    if not g.oflags[row] & OF_OWN_ABILITIES:
        g.oflags[row] |= OF_OWN_ABILITIES
        for k in range(f.n_abilities):
            extra_add(g, row, RK_ABILITY, 0, <uint16_t>ability_at(g, f, k), 0)


cdef void grant(Game *g, Pass *p, uint16_t row, int ability, uint32_t timestamp, int after) noexcept nogil:
    cdef const Ability *a = ability_of(g, ability)
    own_list(g, row)
    extra_add(g, row, RK_ABILITY, 0, <uint16_t>ability, 1)
    if a.kind == AB_STATIC:
        # CR 613.7a: the timestamp of the object, or of the effect that grants it, whichever is later.
        static_add(g, p, row, ability, max(timestamp, g.timestamp[row]), after)
    elif a.kind == AB_PROTECTION or a.kind == AB_HEXPROOF_FROM:
        g.keywords[row] |= K_PROTECTION
    elif a.kind == AB_TOXIC:
        g.keywords[row] |= K_TOXIC
    elif a.kind == AB_LANDWALK:
        g.keywords[row] |= K_LANDWALK
    elif a.kind == AB_EVASION:
        g.keywords[row] |= K_EVASION


cdef int restrictions(uint64_t keywords) noexcept nogil:
    """Keywords that stand for what an object can't or must do, packed.

    Printed ones are its own abilities; what an effect says of it ("enchanted creature can't attack") is none.
    """
    return ((1 if keywords & K_CANT_BLOCK else 0) | (2 if keywords & K_UNBLOCKABLE else 0)
            | (4 if keywords & K_CANT_ATTACK else 0) | (8 if keywords & K_DOESNT_UNTAP else 0)
            | (16 if keywords & K_MUST_ATTACK else 0) | (32 if keywords & K_MUST_BLOCK else 0)
            | (64 if keywords & K_MUST_BE_BLOCKED else 0) | (128 if keywords & K_LURE else 0))


cdef uint64_t restricting(int packed) noexcept nogil:
    return ((K_CANT_BLOCK if packed & 1 else 0) | (K_UNBLOCKABLE if packed & 2 else 0)
            | (K_CANT_ATTACK if packed & 4 else 0) | (K_DOESNT_UNTAP if packed & 8 else 0)
            | (K_MUST_ATTACK if packed & 16 else 0) | (K_MUST_BLOCK if packed & 32 else 0)
            | (K_MUST_BE_BLOCKED if packed & 64 else 0) | (K_LURE if packed & 128 else 0))


cdef void lose_all(Game *g, Pass *p, uint16_t row) noexcept nogil:
    """CR 613.1f. What defined its types has done so in layer 4; what effects forbid it stays forbidden."""
    cdef int i
    g.oflags[row] |= OF_OWN_ABILITIES
    extra_drop(g, row, RK_ABILITY)
    g.keywords[row] = g.keywords[row] & K_CHANGELING | restricting(p.restricted[row])
    for i in range(p.n_statics):
        if p.statics[i].row == row:
            p.statics[i].lost = LOST


cdef void lose_kinds(Game *g, uint16_t row, uint64_t mask) noexcept nogil:
    """Keywords that stand for ability instances: those go with them (CR 702.11e for hexproof)."""
    cdef uint16_t kept[MOST_ABILITIES]
    cdef uint8_t flags[MOST_ABILITIES]
    cdef Ref *r
    cdef uint64_t bit
    cdef uint64_t left = 0
    cdef int n = 0
    cdef int i, kind
    own_list(g, row)
    for i in range(chunk_len(g, g.extra[row])):
        r = &chunk_refs(g, g.extra[row])[i]
        if r.kind != RK_ABILITY or n == MOST_ABILITIES:
            continue
        kind = ability_of(g, r.row).kind
        bit = 0
        if kind == AB_PROTECTION:
            bit = K_PROTECTION
        elif kind == AB_HEXPROOF_FROM:
            bit = K_HEXPROOF
        elif kind == AB_TOXIC:
            bit = K_TOXIC
        elif kind == AB_EVASION:
            bit = K_EVASION
        if bit & mask:
            continue
        left |= K_PROTECTION if bit & K_HEXPROOF else bit
        kept[n] = r.row
        flags[n] = r.flags
        n += 1
    extra_drop(g, row, RK_ABILITY)
    for i in range(n):
        extra_add(g, row, RK_ABILITY, 0, kept[i], flags[i])
    g.keywords[row] = g.keywords[row] & ~<uint64_t>(K_PROTECTION | K_TOXIC) | left


cdef void own_subtypes(Game *g, uint16_t row, int but) noexcept nogil:
    """The object's subtypes become a list of its own, without creature types (but = 1) or the others (but = 0)."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef uint16_t kept[256]
    cdef int n = 0
    cdef int k
    cdef bint own = (g.oflags[row] & OF_OWN_SUBTYPES) != 0
    if own and but < 0:
        return
    if own:
        for k in range(chunk_len(g, g.extra[row])):
            if chunk_refs(g, g.extra[row])[k].kind == RK_SUBTYPE and n < 256:
                kept[n] = chunk_refs(g, g.extra[row])[k].row
                n += 1
        extra_drop(g, row, RK_SUBTYPE)
    else:
        for k in range(f.n_subtypes):
            kept[n] = subtype_at(g, f, k)
            n += 1
    g.oflags[row] |= OF_OWN_SUBTYPES
    for k in range(n):
        if g.cards.creature_types[kept[k]] != but:
            extra_add(g, row, RK_SUBTYPE, 0, kept[k], 0)
    if but == 1:
        g.keywords[row] &= ~<uint64_t>K_CHANGELING


cdef void add_subtype(Game *g, uint16_t row, int subtype) noexcept nogil:
    cdef int k
    own_subtypes(g, row, -1)
    for k in range(chunk_len(g, g.extra[row])):
        if chunk_refs(g, g.extra[row])[k].kind == RK_SUBTYPE and chunk_refs(g, g.extra[row])[k].row == subtype:
            return
    extra_add(g, row, RK_SUBTYPE, 0, <uint16_t>subtype, 0)


cdef void types_of_linked(Game *g, uint16_t row, int number) noexcept nogil:
    """The creature types of the last object linked to it by this number, as that is (CR 607.2, 604.7)."""
    cdef uint16_t list = g.extra[row]
    cdef uint16_t other = 0
    cdef const Face *f
    cdef Ref r
    cdef int k, s
    for k in range(chunk_len(g, list)):
        r = chunk_refs(g, list)[k]
        if r.kind == RK_LINK and r.flags == number and is_live(g, r.row, r.id):
            other = r.row
    if other == 0:
        return
    f = face_of(g, g.defn[other])
    if g.keywords[other] & K_CHANGELING:
        g.keywords[row] |= K_CHANGELING
    for k in range(f.n_subtypes):
        s = subtype_at(g, f, k)
        if g.cards.creature_types[s]:
            add_subtype(g, row, s)


cdef void change_type_words(Game *g, uint16_t row) noexcept nogil:
    cdef Ref *r
    cdef int i, old, now
    own_subtypes(g, row, -1)
    for i in range(chunk_len(g, g.extra[row])):
        r = &chunk_refs(g, g.extra[row])[i]
        if r.kind != RK_SUBTYPE:
            continue
        old = r.row
        now = subtype_in_text(g, row, g.id[row], old)
        if now == old:
            continue
        r.row = <uint16_t>now
        if g.types[row] & T_LAND and g.cards.land_abilities[old] != NONE16:
            change_land_ability(g, row, g.cards.land_abilities[old], g.cards.land_abilities[now])


cdef void change_land_ability(Game *g, uint16_t row, uint16_t old, uint16_t now) noexcept nogil:
    """The mana ability that a basic land type means becomes that of another (CR 305.6)."""
    cdef Ref *r
    cdef int i
    own_list(g, row)
    for i in range(chunk_len(g, g.extra[row])):
        r = &chunk_refs(g, g.extra[row])[i]
        if (r.kind == RK_ABILITY and now != NONE16 and ability_of(g, r.row).kind == AB_MANA
                and ability_of(g, r.row).program < 0
                and ability_of(g, r.row).mana_mask == ability_of(g, old).mana_mask):
            r.row = now
            return


cdef inline bint is_land_type(const Game *g, uint16_t row, int subtype) noexcept nogil:
    """A basic land type, on a land: it means a mana ability (CR 305.6)."""
    return g.types[row] & T_LAND and g.cards.land_abilities[subtype] != NONE16


cdef bint of_land_type(const Game *g, int ability) noexcept nogil:
    """It is the ability that a basic land type means."""
    cdef int k
    for k in range(g.cards.n_subtypes):
        if g.cards.land_abilities[k] == ability:
            return True
    return False


cdef void lose_printed(Game *g, Pass *p, uint16_t row) noexcept nogil:
    """CR 305.7: a land whose basic land type is set loses the abilities of its rules text and of its old land types,
    and no others."""
    cdef uint16_t kept[MOST_ABILITIES]
    cdef Ref *r
    cdef int n = 0
    cdef int i
    own_list(g, row)
    for i in range(chunk_len(g, g.extra[row])):
        r = &chunk_refs(g, g.extra[row])[i]
        if r.kind == RK_ABILITY and r.flags and not of_land_type(g, r.row) and n < MOST_ABILITIES:
            kept[n] = r.row
            n += 1
    extra_drop(g, row, RK_ABILITY)
    for i in range(n):
        extra_add(g, row, RK_ABILITY, 0, kept[i], 1)
    g.keywords[row] &= K_CHANGELING
    for i in range(p.n_statics):
        if p.statics[i].row == row and not p.statics[i].began:
            p.statics[i].lost = LOST


cdef void set_types(Game *g, uint16_t row, int types) noexcept nogil:
    """CR 205.1a: supertypes stay; creature types go with the types that they belong to."""
    g.types[row] = <uint16_t>((g.types[row] & SUPERTYPES) | types)
    if not types & (T_CREATURE | T_KINDRED):
        own_subtypes(g, row, 1)


cdef int chosen_color(const Game *g, uint16_t row) noexcept nogil:
    """Number of the colour chosen for a permanent (CR 607.2d), -1 none."""
    cdef int i = entry_next(g, g.extra[row], RK_CHOSEN, 0)
    while i >= 0:
        if chunk_refs(g, g.extra[row])[i].flags == CN_COLOR and chunk_refs(g, g.extra[row])[i].id:
            return ctz64(chunk_refs(g, g.extra[row])[i].id)
        i = entry_next(g, g.extra[row], RK_CHOSEN, i + 1)
    return -1


cdef void change_quality(Game *g, Pass *p, uint16_t row, const Node *x, int color, uint32_t timestamp,
                         int after) noexcept nogil:
    """A change in layers 4 to 6; `color`: number of the chosen colour, -1 none. `p` NULL: only to see what it would do
    to types, subtypes, colours and keywords."""
    cdef uint64_t mask
    if x.op == X_ADD_KEYWORDS:
        mask = <uint64_t><uint32_t>x.a | <uint64_t><uint32_t>x.b << 32
        g.keywords[row] |= mask
        if p != NULL:
            p.restricted[row] |= <uint8_t>restrictions(mask)
    elif x.op == X_LOSE_KEYWORDS:
        mask = <uint64_t><uint32_t>x.a | <uint64_t><uint32_t>x.b << 32
        g.keywords[row] &= ~mask | K_CHANGELING
        if p != NULL and mask & (K_PROTECTION | K_HEXPROOF | K_TOXIC):
            lose_kinds(g, row, mask)
    elif p == NULL and (x.op == X_ADD_ABILITY or x.op == X_ADD_CHOSEN_ABILITY):
        if ability_of(g, x.a).kind == AB_PROTECTION or ability_of(g, x.a).kind == AB_HEXPROOF_FROM:
            g.keywords[row] |= K_PROTECTION
    elif p == NULL and x.op == X_LOSE_ABILITIES:
        g.keywords[row] &= K_CHANGELING
    elif x.op == X_ADD_ABILITY:
        grant(g, p, row, x.a, timestamp, after)
    elif x.op == X_ADD_CHOSEN_ABILITY:
        if 0 <= color < 5:
            grant(g, p, row, x.a + color, timestamp, after)
    elif x.op == X_LOSE_ABILITIES:
        lose_all(g, p, row)
    elif x.op == X_ADD_TYPES:
        g.types[row] |= <uint16_t>x.a
    elif x.op == X_SET_TYPES:
        set_types(g, row, x.a)
    elif x.op == X_ADD_SUBTYPE:
        if (p != NULL and is_land_type(g, row, x.a)
                and not has_subtype(g, g.defn[row], g.oflags[row], g.extra[row], x.a)):
            grant(g, p, row, g.cards.land_abilities[x.a], timestamp, after)
        add_subtype(g, row, x.a)
    elif x.op == X_SET_SUBTYPE:
        if p == NULL and is_land_type(g, row, x.a):
            g.keywords[row] &= K_CHANGELING
        elif is_land_type(g, row, x.a):
            lose_printed(g, p, row)
            grant(g, p, row, g.cards.land_abilities[x.a], timestamp, after)
        own_subtypes(g, row, g.cards.creature_types[x.a])
        add_subtype(g, row, x.a)
    elif x.op == X_TYPES_OF_LINKED:
        types_of_linked(g, row, x.a)
    elif x.op == X_LOSE_TYPES:
        g.types[row] &= <uint16_t>~x.a
        if x.a & (T_CREATURE | T_KINDRED) and not g.types[row] & (T_CREATURE | T_KINDRED):
            own_subtypes(g, row, 1)  # CR 205.1a
    elif x.op == X_ALL_CREATURE_TYPES:
        g.keywords[row] |= K_CHANGELING
    elif x.op == X_SET_COLORS:
        g.colors[row] = <uint8_t>x.a
    elif x.op == X_ADD_COLORS:
        g.colors[row] |= <uint8_t>x.a


cdef void change_size(Game *g, uint16_t row, const Node *x, int power, int toughness, bint has_power,
                      bint has_toughness) noexcept nogil:
    """A change in layer 7. What is no creature has no size (CR 208.3)."""
    if not g.types[row] & T_CREATURE:
        return
    if x.op == X_SWITCH_PT:
        power = g.power[row]
        g.power[row] = g.toughness[row]
        g.toughness[row] = <int16_t>power
        return
    if x.op == X_ADD_PT:
        power += g.power[row]
        toughness += g.toughness[row]
    if has_power:
        g.power[row] = sized(power)
    if has_toughness:
        g.toughness[row] = sized(toughness)


cdef int number(Game *g, const Ctx *c, int node) noexcept nogil:
    """A number of a change: 0 where there is no answer."""
    cdef bint known = True
    cdef int v
    if g.cards.values[node].op == V_CONST:
        return sized(g.cards.values[node].a)
    v = value(g, c, node, &known)
    return v if known else 0
