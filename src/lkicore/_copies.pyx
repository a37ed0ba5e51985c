"""Copies (CR 707): definitions with exceptions, and copy effects, which are layer 1 (613.2a).

A copy without exceptions has the very definition of what it copies; one with exceptions (707.9) has a definition of
the block's own, made from the other and interned, so that a copy of a copy adds none. An entry that nothing refers to
any more is freed when the table is full.

An object's `defn` is what layer 1 gives. Where that is not what it would be without copy effects and without being
face down, the entry BASE of its list says what that is.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from lkicore._abilities cimport ability_of, entry_next, extra_add, extra_drop
from lkicore._arena cimport chunk_at, chunk_free, chunk_refs, refs_add
from lkicore._cards cimport replaces_given
from lkicore._defs cimport (FACE_WORDS, LOCAL_DEFS, ability_at, face_ability, face_of, face_summary, subtype_at)
from lkicore._expr cimport Ctx, value
from lkicore._hidden cimport HIDDEN, base_entry, base_of, definition_under
from lkicore._index cimport dirty, index_object
from lkicore._layout cimport Definition, Game
from lkicore._mana cimport mana_count
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, look_at, need_room, touched, zone_first
from lkicore._types cimport (Ability, FACE_ACTS, FACE_ENTERS, FACE_HAS_COST, FACE_INSTANT_SPEED, FACE_PERMANENT,
                             FACE_PLAIN, FACE_STATIC, Face, MOST_ABILITIES, NONE16, Node)

cdef enum:
    SUPERTYPES = 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13
    SUMMARY = FACE_ACTS | FACE_ENTERS | FACE_INSTANT_SPEED | FACE_PERMANENT | FACE_PLAIN | FACE_STATIC

if sizeof(Face) > FACE_WORDS * 8:
    raise RuntimeError(f"a face has {sizeof(Face)} bytes: raise FACE_WORDS and the length of def_face")


# ------------------------------------------------------------------------------------------------ definitions

cdef bint sizes(const Game *g, int ability) noexcept nogil:
    """A characteristic-defining ability that says power and toughness."""
    cdef const Ability *a = ability_of(g, ability)
    cdef int k
    for k in range(a.first_change, a.first_change + a.n_changes if a.kind == AB_STATIC else a.first_change):
        if g.cards.changes[k].op == X_CDA_PT:
            return True
    return False


cdef int without_kind(const Game *g, uint16_t *subtypes, int n, int kind) noexcept nogil:
    """Take creature types (kind 1) or other subtypes (0) out of a list."""
    cdef int i
    cdef int k = 0
    for i in range(n):
        if g.cards.creature_types[subtypes[i]] != kind:
            subtypes[k] = subtypes[i]
            k += 1
    return k


cdef int expected(const Game *g, const Definition *d, Face *f, uint16_t *list, int *n_subtypes) noexcept nogil:
    cdef const Face *base = face_of(g, d.base)
    cdef uint16_t abilities[MOST_ABILITIES]
    cdef uint16_t subtypes[256]
    cdef const Node *x
    cdef int n = min(<int>base.n_abilities, <int>MOST_ABILITIES)
    cdef int m = base.n_subtypes
    cdef int i, k
    cdef int listed = 0
    memcpy(f, base, sizeof(Face))
    for i in range(n):
        abilities[i] = <uint16_t>ability_at(g, base, i)
    for i in range(m):
        subtypes[i] = subtype_at(g, base, i)
    for i in range(d.n):
        x = &g.cards.changes[d.change + i]
        if x.op == X_ADD_TYPES:
            f.types |= <uint16_t>x.a
        elif x.op == X_LOSE_TYPES:
            f.types &= <uint16_t>~x.a
            if x.a & (T_CREATURE | T_KINDRED) and not f.types & (T_CREATURE | T_KINDRED):
                m = without_kind(g, subtypes, m, 1)  # CR 205.1a
        elif x.op == X_SET_TYPES:
            f.types = <uint16_t>((f.types & SUPERTYPES) | x.a)
            if not x.a & (T_CREATURE | T_KINDRED):
                m = without_kind(g, subtypes, m, 1)
        elif x.op == X_ADD_SUBTYPE or x.op == X_SET_SUBTYPE:
            if x.op == X_SET_SUBTYPE:
                m = without_kind(g, subtypes, m, g.cards.creature_types[x.a])
            for k in range(m):
                if subtypes[k] == x.a:
                    break
            else:
                if m < 255:
                    subtypes[m] = <uint16_t>x.a
                    m += 1
        elif x.op == X_ALL_CREATURE_TYPES:
            f.keywords |= K_CHANGELING
        elif x.op == X_SET_COLORS:
            f.colors = <uint8_t>x.a
        elif x.op == X_ADD_COLORS:
            f.colors |= <uint8_t>x.a
        elif x.op == X_ADD_KEYWORDS:
            f.keywords |= <uint32_t>x.a | <unsigned long long><uint32_t>x.b << 32
        elif x.op == X_LOSE_KEYWORDS:
            f.keywords &= ~(<uint32_t>x.a | <unsigned long long><uint32_t>x.b << 32)
        elif x.op == X_LOSE_ABILITIES:
            n = 0
            f.keywords &= K_CHANGELING
        elif x.op == X_ADD_ABILITY or x.op == X_KEEP_ABILITY:
            if n < MOST_ABILITIES:
                abilities[n] = <uint16_t>x.a if x.op == X_ADD_ABILITY else d.ability
                n += 1
        elif x.op == X_SET_PT:
            # CR 707.9d: what defines the size is not copied.
            k = 0
            for listed in range(n):
                if not sizes(g, abilities[listed]):
                    abilities[k] = abilities[listed]
                    k += 1
            n = k
            f.power = d.x
            f.toughness = d.y
        elif x.op == X_SET_NAME:
            f.name_hash = g.cards.faces[x.a].name_hash
            f.number = <uint16_t>x.a
        elif x.op == X_NO_COST:
            memset(&f.cost, 0, sizeof(f.cost))
            f.n_x = 0
            f.n_hybrid = 0
            f.mv = 0
            f.flags &= ~<uint32_t>FACE_HAS_COST
    summarize(g, f, abilities, n)
    f.n_subtypes = <uint8_t>m
    # What still stands as the face began with is not listed.
    f.n_first = 0
    while f.n_first < min(n, <int>base.n_first) and abilities[f.n_first] == f.first_ability + f.n_first:
        f.n_first += 1
    f.n_first_subtypes = 0
    while (f.n_first_subtypes < min(m, <int>base.n_first_subtypes)
           and subtypes[f.n_first_subtypes] == g.cards.subtypes[f.first_subtype + f.n_first_subtypes]):
        f.n_first_subtypes += 1
    listed = 0
    for i in range(f.n_first, n):
        list[listed] = abilities[i]
        listed += 1
    n_subtypes[0] = m - f.n_first_subtypes
    for i in range(f.n_first_subtypes, m):
        list[listed] = subtypes[i]
        listed += 1
    f.more = d.list
    return listed


cdef void summarize(const Game *g, Face *f, const uint16_t *abilities, int n) noexcept nogil:
    """What the face knows about its abilities at once, anew."""
    cdef int i
    f.listens = 0
    f.listens_own = 0
    f.listen_zones = 0
    f.act_zones = 0
    f.replaces = 0
    f.restricts = 0
    f.rule_zones = 0
    f.chapters = 0
    f.choices = 0
    f.casting = 0
    f.casts_itself = 0
    f.reads = 0
    f.mana = 0
    f.mana_amount = 0
    f.mana_ability = 0
    f.casting = 0
    f.casts_itself = 0
    f.flags &= ~<uint32_t>SUMMARY
    f.n_abilities = <uint8_t>n
    for i in range(n):
        face_ability(f, ability_of(g, abilities[i]), i, g.cards.filters)
        f.replaces |= replaces_given(g.cards, ability_of(g, abilities[i]))
    face_summary(f)


cdef inline void mark(uint8_t *used, uint16_t d) noexcept nogil:
    if d >= LOCAL_DEFS:
        used[d - LOCAL_DEFS] = 1


cdef void mark_definitions(const Game *g, uint16_t also, uint8_t *used) noexcept nogil:
    """Which entries something refers to: objects, last known ones, stack, triggers, effects, frames, other entries."""
    cdef uint32_t i, h
    cdef int k
    cdef bint more = True
    memset(used, 0, MOST_DEFS)
    mark(used, also)
    for i in range(1, g.lay.rows):
        if g.id[i]:
            mark(used, g.defn[i])
    for i in range(g.lay.ring):
        if g.lki[i].id:
            mark(used, g.lki[i].defn)
    for i in range(g.h.n_stack):
        mark(used, g.stack[i].face)
    for i in range(g.h.n_triggers):
        mark(used, g.trigger[i].defn)
    for i in range(g.h.n_effects):
        if g.effect[i].kind == EK_COPY:
            mark(used, <uint16_t>g.effect[i].x)
        elif g.effect[i].kind == EK_DELAYED:
            mark(used, <uint16_t>g.effect[i].y)
    for i in range(g.h.n_frames):
        if g.frame[i].kind == F_TRIGGER:
            mark(used, <uint16_t>g.frame[i].d)
    h = 1
    while h < g.h.arena_top:
        if chunk_at(g, <uint16_t>h).kind == AK_REFS:
            for k in range(chunk_at(g, <uint16_t>h).n):
                if chunk_refs(g, <uint16_t>h)[k].kind == RK_BASE:
                    mark(used, chunk_refs(g, <uint16_t>h)[k].row)
        h += <uint32_t>1 << chunk_at(g, <uint16_t>h).log2
    while more:
        more = False
        for i in range(g.lay.defs):
            if used[i] and g.definition[i].base >= LOCAL_DEFS and not used[g.definition[i].base - LOCAL_DEFS]:
                used[g.definition[i].base - LOCAL_DEFS] = 1
                more = True


cdef int free_entry(Game *g, uint16_t also) noexcept nogil:
    """A free entry of the table, -1 none; `also`: what the caller still needs."""
    cdef uint8_t used[MOST_DEFS]
    cdef int i
    cdef int found = -1
    for i in range(<int>g.lay.defs):
        if g.definition[i].n == 0:
            return i
    mark_definitions(g, also, used)
    for i in range(<int>g.lay.defs):
        if not used[i]:
            chunk_free(g, g.definition[i].list)
            memset(&g.definition[i], 0, sizeof(Definition))
            memset(&g.def_face[i * FACE_WORDS], 0, FACE_WORDS * 8)
            found = i
    return found


cdef uint16_t define(Game *g, uint16_t base, int first, int n, int ability, int x, int y) noexcept nogil:
    cdef uint16_t listed[MOST_ABILITIES + 256]
    cdef Definition d
    cdef Definition *e
    cdef int i, k, n_subtypes
    cdef bint keeps = False
    cdef bint resized = False
    if n == 0:
        return base
    for i in range(n):
        keeps |= g.cards.changes[first + i].op == X_KEEP_ABILITY
        resized |= g.cards.changes[first + i].op == X_SET_PT
    memset(&d, 0, sizeof(Definition))
    d.base = base
    d.change = <uint16_t>first
    d.n = <uint8_t>n
    d.ability = <uint16_t>ability if keeps else <uint16_t>NONE16
    d.x = <int16_t>x if resized else 0
    d.y = <int16_t>y if resized else 0
    if keeps and ability == NONE16:
        return base
    for i in range(<int>g.lay.defs):
        e = &g.definition[i]
        if (e.n == d.n and e.base == d.base and e.change == d.change and e.ability == d.ability and e.x == d.x
                and e.y == d.y):
            return <uint16_t>(LOCAL_DEFS + i)
    k = free_entry(g, base)
    if k < 0:
        need_room(g)
        return base
    e = &g.definition[k]
    e[0] = d
    n = expected(g, e, <Face *>&g.def_face[k * FACE_WORDS], listed, &n_subtypes)
    for i in range(n):
        e.list = refs_add(g, e.list, 0, listed[i], RK_SUBTYPE if i >= n - n_subtypes else RK_ABILITY)
    (<Face *>&g.def_face[k * FACE_WORDS]).more = e.list
    return <uint16_t>(LOCAL_DEFS + k)


cdef inline int clamped(int n) noexcept nogil:
    return max(-30000, min(30000, n))


cdef uint16_t copy_of(Game *g, const Ctx *c, uint16_t defn, int first, int n, int ability) noexcept nogil:
    cdef int i
    cdef int x = 0
    cdef int y = 0
    cdef bint known = True
    for i in range(first, first + n):
        if g.cards.changes[i].op == X_SET_PT:
            x = value(g, c, g.cards.changes[i].a, &known)
            y = value(g, c, g.cards.changes[i].b, &known)
    return define(g, defn, first, n, ability, clamped(x), clamped(y))


cdef uint16_t other_side(Game *g, uint16_t d) noexcept nogil:
    cdef Definition e
    cdef uint16_t base
    if d < LOCAL_DEFS:
        return g.cards.faces[d].other if g.cards.faces[d].other != NONE16 else d
    e = g.definition[d - LOCAL_DEFS]
    base = other_side(g, e.base)
    return define(g, base, e.change, e.n, e.ability, e.x, e.y) if base != e.base else d


# ------------------------------------------------------------------------------------------------ layer 1

cdef void switch_definition(Game *g, uint16_t row, uint16_t d) noexcept nogil:
    """A permanent has another definition from now on; its values are computed anew."""
    if g.mana_in[row]:
        mana_count(g, row, 0)  # as it was counted
    index_object(g, row, False)
    g.defn[row] = d
    index_object(g, row, True)
    dirty(g, row)
    if g.attached_id[row] and is_live(g, g.attached_row[row], g.attached_id[row]):
        dirty(g, g.attached_row[row])  # its old abilities, and its new ones, are about that
    look_at(g, row)
    touched(g)


cdef uint16_t layer_one(const Game *g, uint16_t row) noexcept nogil:
    cdef int i = base_entry(g, row, HIDDEN) if g.status[row] & ST_FACE_DOWN else -1
    return chunk_refs(g, g.extra[row])[i].row if i >= 0 else definition_under(g, row)


cdef void redefine(Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t base = base_of(g, row)
    cdef uint16_t d = layer_one(g, row)
    cdef uint16_t hidden = 0
    cdef int i = base_entry(g, row, HIDDEN)
    if i >= 0:
        hidden = chunk_refs(g, g.extra[row])[i].row
    extra_drop(g, row, RK_BASE)
    if d != base:
        extra_add(g, row, RK_BASE, 0, base, 0)
    if i >= 0 and g.status[row] & ST_FACE_DOWN:
        extra_add(g, row, RK_BASE, 0, hidden, HIDDEN)
    if d != g.defn[row]:
        switch_definition(g, row, d)
    elif i >= 0:
        dirty(g, row)  # what it can be turned up for may be another thing


cdef void set_base(Game *g, uint16_t row, uint16_t d) noexcept nogil:
    cdef int i = base_entry(g, row, 0)
    if i >= 0:
        chunk_refs(g, g.extra[row])[i].row = d
        redefine(g, row)
    elif d != g.defn[row]:
        switch_definition(g, row, d)


cdef void redefine_all(Game *g) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        # (A copy of what it is by itself leaves no entry, until that effect ends.)
        if g.n_effects[row] or (g.extra[row] and entry_next(g, g.extra[row], RK_BASE, 0) >= 0):
            redefine(g, row)
        row = g.znext[row]
