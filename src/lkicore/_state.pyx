"""A block as a whole: allocation, copies, growth, hashes."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._defs cimport FACE_WORDS, LOCAL_DEFS, face_of
from lkicore._guard cimport GUARD, poison, unpoison
from lkicore._layout cimport (Definition, Effect, Event, Frame, Game, Header, Layout, LkiRow, N_ARRAYS, Option, Ref,
                              SpecialMana, StackEntry, Trigger, bind)
from lkicore._lki cimport NO_SLOT, lki_find
from lkicore._opcodes cimport *
from lkicore._rng cimport mix64
from lkicore._store cimport is_live
from lkicore._types cimport Face, NONE16

cdef extern from "stdlib.h" nogil:
    int posix_memalign(void **p, size_t align, size_t size)


cdef void guard_block(void *block, const Layout *l) noexcept nogil:
    """Debug build: poison the red zones before each array."""
    cdef uint32_t i
    if GUARD:
        for i in range(N_ARRAYS):
            poison(<char *>block + (((l.off[i] - GUARD) + 7) & ~<uint32_t>7), (GUARD - 8) & ~<uint32_t>7)


cdef void *block_new(const Layout *l) noexcept nogil:
    """A zeroed block, aligned to 64 bytes; NULL without memory."""
    cdef void *p = NULL
    if posix_memalign(&p, 64, l.bytes) != 0:
        return NULL
    memset(p, 0, l.bytes)
    guard_block(p, l)
    return p


cdef void block_free(void *block, const Layout *l) noexcept nogil:
    if block != NULL:
        if GUARD:
            unpoison(block, l.bytes)
        free(block)


cdef void block_open(Game *g, void *block, const Layout *l) noexcept nogil:
    """A view of a block, without card table or trace."""
    memset(g, 0, sizeof(Game))
    bind(g, block, l)
    g.skip_ref = -1


cdef void block_copy(void *to, const void *source, const Layout *l) noexcept nogil:
    """Copy a block to another of the same layout."""
    if GUARD:
        unpoison(to, l.bytes)
        unpoison(source, l.bytes)
    memcpy(to, source, l.bytes)
    if GUARD:
        guard_block(to, l)
        guard_block(<void *>source, l)


cdef void block_grow(Game *to, const Game *source) noexcept nogil:
    """Copy a game into a zeroed block of a larger class, layout to layout: ids, rows and slots stay what they are."""
    cdef uint32_t i, n
    cdef const Layout *a = source.lay
    cdef const Layout *b = to.lay
    memcpy(to.h, source.h, sizeof(Header))
    to.h.size_class = <uint8_t>b.size_class
    grow_arrays(to, source)
    # New rows join the end of the free list, so that rows are taken in the same order as before.
    to.h.n_free += <uint16_t>(b.rows - a.rows)
    n = to.h.free_head
    if n == 0:
        to.h.free_head = <uint16_t>a.rows
    else:
        while to.znext[n]:
            n = to.znext[n]
        to.znext[n] = <uint16_t>a.rows
    for i in range(a.rows, b.rows):
        to.znext[i] = <uint16_t>(i + 1 if i + 1 < b.rows else 0)
    for i in range(a.cards, b.cards):
        to.pc_lki[i] = NONE16
        to.pc_face[i] = NONE16
    # The ring: slots stay, the id chains are made anew over the larger index.
    to.h.lki_limit = <uint16_t>(source.h.lki_limit * (b.ring // a.ring))
    memset(to.lki_hash, 0xFF, b.hash * 2)
    rechain(to, source)


cdef void rechain(Game *to, const Game *source) noexcept nogil:
    """Chains by id in the order that they had: newest first within each chain."""
    cdef uint32_t k
    cdef uint16_t s
    for k in range(source.lay.hash):
        s = source.lki_hash[k]
        while s != NO_SLOT:
            tail_link(to, s)
            s = source.lki[s].hnext
    to.h.lki_free += to.h.lki_limit - source.h.lki_limit


cdef void tail_link(Game *to, uint16_t s) noexcept nogil:
    cdef uint16_t *link = &to.lki_hash[to.lki[s].id & (to.lay.hash - 1)]
    while link[0] != NO_SLOT:
        link = &to.lki[link[0]].hnext
    link[0] = s
    to.lki[s].hnext = NO_SLOT


include "_grow.pxi"


# ------------------------------------------------------------------------------------------------ hashes

cdef uint64_t game_hash(const Game *g) noexcept nogil:
    """The game's part of the run's checksum (order-free sum): no id, row, opcode or layout enters it."""
    cdef uint64_t h = mix64(g.h.game + 0x9E3779B97F4A7C15ULL)
    cdef int p
    h = mix64(h ^ (<uint64_t><uint8_t>g.h.winner | <uint64_t>g.h.turn << 16) + NAME_END[g.h.reason])
    h = mix64(h ^ (<uint64_t>g.h.choices << 32 | <uint64_t>g.h.starting))
    for p in range(<int>g.lay.players):
        h = mix64(h ^ (<uint64_t><uint32_t>g.p_life[p] << 8 | <uint64_t>p))
    return mix64(h ^ g.h.choice_hash)


cdef inline uint64_t fold(uint64_t h, uint64_t x) noexcept nogil:
    return mix64(h ^ (x + 0x9E3779B97F4A7C15ULL))


cdef uint64_t rank_of(const Game *g, uint16_t row, uint32_t id) noexcept nogil:
    """A reference by logical content: zone and position of a live object, else what its LKI row holds."""
    cdef uint16_t s, r
    cdef uint64_t n = 0
    if id == 0:
        return 0
    if is_live(g, row, id):
        r = g.zprev[row]
        while r:
            n += 1
            r = g.zprev[r]
        return 1 + (<uint64_t>g.zone[row] | <uint64_t>g.owner[row] << 8 | n << 16)
    s = lki_find(g, id)
    if s == NO_SLOT:
        return 2
    return lki_content(g, &g.lki[s])


cdef uint64_t definition_content(const Game *g, uint16_t d) noexcept nogil:
    """What a definition is: the face's number, or all that the block's own one comes to."""
    cdef uint64_t w[FACE_WORDS]
    cdef const Face *f
    cdef Face bare
    cdef uint64_t h = d
    cdef size_t i
    if d < LOCAL_DEFS:
        return d
    f = face_of(g, d)
    # (Assigned, the struct would come without what lies between its members.)
    memcpy(&bare, f, sizeof(Face))
    bare.more = 0
    memcpy(w, &bare, sizeof(Face))
    for i in range(sizeof(Face) // 8):
        h = fold(h if i else 1, w[i])
    return fold_rest(g, h, f.more)


cdef uint64_t lki_content(const Game *g, const LkiRow *r) noexcept nogil:
    cdef uint64_t h = fold(3, face_of(g, r.defn).name_hash)
    h = fold(h, r.keywords)
    h = fold(h, <uint64_t><uint16_t>r.power | <uint64_t><uint16_t>r.toughness << 16
             | <uint64_t><uint16_t>r.damage << 32 | <uint64_t>r.types << 48)
    h = fold(h, <uint64_t>r.zone | <uint64_t>r.zone_to << 8 | <uint64_t>r.owner << 16 | <uint64_t>r.controller << 24
             | <uint64_t>r.status << 32 | <uint64_t>r.oflags << 40 | <uint64_t>r.colors << 48)
    h = fold(h, <uint64_t><uint16_t>r.c_p1p1 | <uint64_t><uint16_t>r.c_m1m1 << 16
             | <uint64_t><uint16_t>r.c_loyalty << 32 | <uint64_t><uint16_t>r.c_charge << 48)
    h = fold(h, <uint64_t><uint16_t>r.x | <uint64_t>r.attacks << 16 | <uint64_t>r.combat << 24)
    if r.defn >= LOCAL_DEFS:
        h = fold(h, definition_content(g, r.defn))
    return fold_rest(g, h, r.extra)


cdef inline bint refers(const Ref *r) noexcept nogil:
    return RK_REFERS >> r.kind & 1


cdef uint64_t fold_rest(const Game *g, uint64_t h, uint16_t handle) noexcept nogil:
    """What a list says of itself: all of it but the objects that it refers to."""
    cdef int i
    cdef Ref *r
    for i in range(chunk_len(g, handle)):
        r = &chunk_refs(g, handle)[i]
        h = fold(h, <uint64_t>r.kind | <uint64_t>r.flags << 8)
        if r.kind == RK_BASE:
            h = fold(h, definition_content(g, r.row))
        elif not refers(r):
            h = fold(h, <uint64_t>r.row | <uint64_t>r.id << 16)
    return h


cdef uint64_t fold_list(const Game *g, uint64_t h, uint16_t handle) noexcept nogil:
    """A list by content, in its order."""
    cdef int i
    cdef Ref *r
    if handle == 0:
        return h
    h = fold_rest(g, h, handle)
    for i in range(chunk_len(g, handle)):
        r = &chunk_refs(g, handle)[i]
        if refers(r):
            h = fold(h, rank_of(g, r.row, r.id))
    return h


cdef uint64_t hash_header(const Game *g) noexcept nogil:
    cdef uint64_t h = 1
    cdef uint32_t i
    h = fold(h, g.h.pool_hash)
    h = fold(h, <uint64_t>g.h.turn | <uint64_t>g.h.active << 32 | <uint64_t>g.h.step << 40
             | <uint64_t>g.h.phase_state << 48 | <uint64_t>g.h.priority << 56)
    h = fold(h, <uint64_t>g.h.passes | <uint64_t>g.h.alive << 8 | <uint64_t>g.h.status << 16
             | <uint64_t><uint8_t>g.h.winner << 24 | <uint64_t>g.h.reason << 32 | <uint64_t>g.h.options_mask << 40
             | <uint64_t>g.h.cleanup_again << 48 | <uint64_t>g.h.combat_flags << 56)
    h = fold(h, <uint64_t>g.h.last_turn_of | <uint64_t>g.h.starting << 8 | <uint64_t>g.h.n_attackers << 16
             | <uint64_t>g.h.sba << 32 | <uint64_t>g.h.n_tokens << 48)
    if g.h.ending:
        h = fold(h, g.h.ending)
    h = fold(h, <uint64_t>g.h.day | <uint64_t>g.h.spells_last << 16)
    for i in range(g.h.n_cards if g.h.commanders else 0):
        h = fold(h, <uint64_t>g.pc_flags[i] | <uint64_t>g.pc_casts[i] << 8)
    for i in range(g.h.steps_head, g.h.steps_n):
        h = fold(h, g.steps[i])
    for i in range(g.h.turns_n):
        h = fold(h, g.turns[i])
    return h


cdef uint64_t hash_players(const Game *g, uint64_t h, bint chance) noexcept nogil:
    cdef int p, k
    for p in range(<int>g.lay.players):
        h = fold(h, <uint64_t><uint32_t>g.p_life[p] | <uint64_t>g.p_poison[p] << 32 | <uint64_t>g.p_lands[p] << 48
                 | <uint64_t>g.p_kept[p] << 56)
        h = fold(h, <uint64_t>g.p_mulligans[p] | <uint64_t>g.p_lost[p] << 8 | <uint64_t>g.p_empty_draw[p] << 16
                 | <uint64_t>g.p_marks[p] << 24 | <uint64_t>g.p_doomed[p] << 32 | <uint64_t>g.p_drawn[p] << 40
                 | <uint64_t>g.p_hand_max[p] << 48)
        h = fold(h, <uint64_t>g.p_facts[p] | <uint64_t>g.p_land_max[p] << 32 | <uint64_t>g.p_casts[p] << 40
                 | <uint64_t>(g.p_decider[p] ^ p) << 56)
        h = fold(h, g.h.turn - g.p_turn_last[p] if g.p_turn_last[p] else 0)
        h = fold_list(g, h, g.p_extra[p])
        for k in range(6):
            h = fold(h, g.p_pool[p * 6 + k] | <uint64_t>g.p_snow[p * 6 + k] << 16)
            if chance:
                h = fold(h, g.stream[p * 6 + k])
    return h


cdef uint64_t hash_object(const Game *g, uint64_t h, uint16_t row) noexcept nogil:
    h = fold(h, face_of(g, g.defn[row]).name_hash)
    h = fold(h, g.keywords[row])
    h = fold(h, <uint64_t><uint16_t>g.power[row] | <uint64_t><uint16_t>g.toughness[row] << 16
             | <uint64_t><uint16_t>g.damage[row] << 32 | <uint64_t>g.types[row] << 48)
    h = fold(h, <uint64_t><uint16_t>g.c_p1p1[row] | <uint64_t><uint16_t>g.c_m1m1[row] << 16
             | <uint64_t><uint16_t>g.c_loyalty[row] << 32 | <uint64_t><uint16_t>g.c_charge[row] << 48)
    h = fold(h, <uint64_t>g.owner[row] | <uint64_t>g.controller[row] << 8 | <uint64_t>g.status[row] << 16
             | <uint64_t>g.oflags[row] << 24 | <uint64_t>g.colors[row] << 32 | <uint64_t>g.attacks[row] << 40
             | <uint64_t>g.combat[row] << 48 | <uint64_t>g.known_to[row] << 56)
    h = fold(h, <uint64_t><uint16_t>g.assigned[row] | <uint64_t>g.n_effects[row] << 16
             | <uint64_t>g.mana[row] << 32 | <uint64_t>(g.base_ctrl[row] if g.zone[row] == Z_BATTLEFIELD else 0) << 40)
    if g.defn[row] >= LOCAL_DEFS:
        h = fold(h, definition_content(g, g.defn[row]))
    h = fold(h, rank_of(g, g.attached_row[row], g.attached_id[row]))
    h = fold(h, rank_of(g, g.blocks_row[row], g.blocks_id[row]))
    return fold_list(g, h, g.extra[row])


cdef uint64_t hash_stack(const Game *g, uint64_t h) noexcept nogil:
    cdef uint32_t i
    cdef StackEntry *e
    cdef Frame *f
    for i in range(g.h.n_stack):
        e = &g.stack[i]
        h = fold(h, rank_of(g, e.row, g.id[e.row]))
        h = fold(h, <uint64_t>e.ability | <uint64_t><uint16_t>e.x << 16 | <uint64_t>e.controller << 32
                 | <uint64_t>e.flags << 40)
        h = fold(h, rank_of(g, e.source_row, e.source_id))
        h = fold_list(g, h, e.targets)
    for i in range(g.h.n_frames):
        f = &g.frame[i]
        h = fold(h, <uint64_t>f.kind | <uint64_t>f.step << 8 | <uint64_t>f.player << 16 | <uint64_t>f.n << 24)
        h = fold(h, rank_of(g, f.obj_row, f.obj_id))
        h = fold_list(g, h, f.list)
        h = fold_list(g, h, f.info)
        h = fold(h, <uint64_t><uint32_t>f.a | <uint64_t><uint32_t>f.c << 32)
        h = fold(h, <uint64_t><uint32_t>f.b
                 | (definition_content(g, <uint16_t>f.d) if f.kind == F_TRIGGER else <uint64_t><uint32_t>f.d) << 32)
    return h


cdef uint64_t hash_tables(const Game *g, uint64_t h) noexcept nogil:
    """Effects, waiting triggers."""
    cdef uint32_t i
    cdef Effect *x
    cdef Trigger *t
    for i in range(g.h.n_effects):
        x = &g.effect[i]
        h = fold(h, rank_of(g, x.affected_row, x.affected_id))
        h = fold(h, rank_of(g, x.source_row, x.source_id))
        h = fold(h, <uint64_t>x.kind | <uint64_t>x.n << 8 | <uint64_t>x.duration << 16 | <uint64_t>x.player << 24
                 | <uint64_t>x.what << 32 | <uint64_t>(x.affected_row if x.kind == EK_PLAYER else 0) << 48)
        if x.follows:
            h = fold(h, rank_of(g, x.maker_row, x.maker_id) << 16 | x.follows)
        h = fold(h, (definition_content(g, <uint16_t>x.x) if x.kind == EK_COPY else <uint64_t><uint16_t>x.x)
                 | (definition_content(g, <uint16_t>x.y) if x.kind == EK_DELAYED else <uint64_t><uint16_t>x.y) << 16)
    for i in range(g.h.n_triggers):
        t = &g.trigger[i]
        h = fold(h, rank_of(g, t.source_row, t.source_id))
        h = fold(h, rank_of(g, t.object_row, t.object_id))
        h = fold(h, rank_of(g, t.other_row, t.other_id))
        h = fold(h, <uint64_t>t.ability | <uint64_t>t.controller << 32 | <uint64_t>t.player << 40
                 | <uint64_t>t.level << 48)
        h = fold(h, definition_content(g, t.defn))
        h = fold(h, <uint64_t><uint16_t>t.amount | <uint64_t><uint16_t>t.x << 16)
    for i in range(g.h.n_special):
        h = fold(h, rank_of(g, g.special[i].source_row, g.special[i].source_id))
        h = fold(h, <uint64_t>g.special[i].ability | <uint64_t>g.special[i].player << 16
                 | <uint64_t>g.special[i].color << 24)
    return h


cdef uint64_t hash_history(const Game *g, uint64_t h) noexcept nogil:
    cdef uint32_t i
    cdef Event *v
    for i in range(g.h.history_n):
        v = &g.history[i]
        h = fold(h, <uint64_t>v.kind | <uint64_t>v.player << 8 | <uint64_t><uint16_t>v.amount << 16
                 | <uint64_t>(g.h.turn - v.turn) << 32)
        h = fold(h, rank_of(g, v.obj_row, v.obj_id))
        h = fold(h, rank_of(g, v.other_row, v.other_id))
    return h


cdef uint64_t hash_zones(const Game *g, uint64_t h) noexcept nogil:
    cdef uint32_t i
    cdef uint16_t row
    for i in range(g.lay.lists):
        row = g.z_head[i]
        h = fold(h, i)
        while row:
            h = hash_object(g, h, row)
            row = g.znext[row]
    return h


cdef uint64_t hash_state(const Game *g, bint chance) noexcept nogil:
    """What the game is like, with or without chance to come."""
    return hash_tables(g, hash_stack(g, hash_zones(g, hash_players(g, hash_header(g), chance))))


cdef uint64_t loop_key(const Game *g) noexcept nogil:
    """What the game is like, whatever led there: without chance to come, events past and the open choice.

    Equal keys at two passes of priority with nothing but mandatory actions between them: the game goes on like that
    for ever (CR 104.4b).
    """
    return hash_state(g, False)


cdef uint64_t state_hash(const Game *g) noexcept nogil:
    """Hash of the logical state: what the rest of the game depends on, without ids, rows, slots or sizes."""
    cdef uint64_t h = hash_history(g, hash_state(g, True))
    cdef uint32_t i
    cdef Option *o
    h = fold(h, <uint64_t>g.h.choice | <uint64_t>g.h.chooser << 8 | <uint64_t>g.h.decider << 16
             | <uint64_t>g.h.n_options << 24)
    for i in range(g.h.n_options):
        o = &g.option[i]
        h = fold(h, <uint64_t>o.kind | <uint64_t><uint16_t>o.num << 8 | <uint64_t>o.player << 24)
        h = fold(h, rank_of(g, o.row, o.id))
    return h
