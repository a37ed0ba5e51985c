"""Deeds: keyword actions that abilities trigger on, designations, cards revealed, counters moved, life exchanged."""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint8_t

from lkicore._abilities cimport extra_add
from lkicore._actions cimport keep, objects_of
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._damage cimport change_life
from lkicore._expr cimport (Ctx, Facts, Obj, designated, read_facts, ref_object, ref_objects,
                            ref_players, value)
from lkicore._facts cimport counters_known
from lkicore._game cimport NO_PLAYER, in_game
from lkicore._guard cimport on_stack
from lkicore._layers cimport changed, dirty
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._status cimport put_counters
from lkicore._store cimport is_live, touched
from lkicore._triggers cimport happened, heard
from lkicore._zones cimport discard_group


cdef bint is_deed(int op) noexcept nogil:
    return (op == E_REVEAL or op == E_DISCARD_CARD or op == E_ACT or op == E_DESIGNATE or op == E_MOVE_COUNTERS
            or op == E_SET_LIFE
            or op == E_EXCHANGE_LIFE)


cdef int reveal(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """CR 701.20a: all players see the cards; they stay where they are."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, w[1], True, rows)
    cdef int i
    for i in range(n):
        g.known_to[rows[i]] = <uint8_t>g.h.alive
    keep(g, c, rows, n, w[2])
    return n


cdef int discard_these(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """CR 701.9a: cards in hands, by their owners."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, w[1], True, rows)
    cdef int k = 0
    cdef int i
    for i in range(n):
        if g.zone[rows[i]] == Z_HAND:
            rows[k] = rows[i]
            k += 1
    if not discard_group(g, rows, k):
        return 0  # before anything is told of it
    keep(g, c, rows, k, w[2])
    return k


cdef int act(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """Abilities trigger on the action; an object that is gone did it as it last was (CR 701.44c)."""
    cdef Obj *obj = <Obj *>on_stack(g.lay.arena * sizeof(Obj))
    cdef Facts f
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int mask, n, i
    if not heard(g, EV_ACTION):
        return 0
    if w[3] < 0 or not ref_object(g, c, w[3], &row, &id, &policy):
        row = 0
        id = 0
    mask = ref_players(g, c, w[2])
    for i in range(<int>g.lay.players):
        if mask >> i & 1 and in_game(g, i):
            happened(g, EV_ACTION, 0, 0, row, id, i, 0, w[1])
    n = ref_objects(g, c, w[2], obj, &policy)
    for i in range(n):
        if read_facts(g, obj[i].row, obj[i].id, policy, &f):
            happened(g, EV_ACTION, obj[i].row, obj[i].id, row, id, f.controller, 0, w[1])
    return n


cdef int designate(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """Permanents that don't have the designation get it."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef int n = objects_of(g, c, w[1], False, rows)
    cdef int done = 0
    cdef int i
    for i in range(n):
        if designated(g, g.extra[rows[i]], w[2]):
            continue
        extra_add(g, rows[i], RK_DESIGNATED, 0, <uint16_t>w[2], 0)
        dirty(g, rows[i])
        done += 1
    if done:
        changed(g, RD_COUNTERS)
        touched(g)
    return done


cdef int move_kind(Game *g, const Facts *f, uint16_t to, int kind, int most) noexcept nogil:
    """Counters of one kind, from what has them, or last had them."""
    cdef int n = counters_known(g, f, kind)
    if most >= 0 and n > most:
        n = most
    if n <= 0:
        return 0
    if is_live(g, f.row, f.id):
        put_counters(g, f.row, kind, -n)
    put_counters(g, to, kind, n)
    return n


cdef int move_counters(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """CR 122.5: off one permanent, onto another; of one that has left, as many as it had."""
    cdef uint16_t kinds[64]
    cdef uint16_t *to = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef Facts f
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef bint known = True
    cdef int most = value(g, c, w[4], &known) if w[4] >= 0 else -1
    cdef int n = 0
    cdef int done = 0
    cdef int i
    if not known or (w[4] >= 0 and most <= 0) or objects_of(g, c, w[2], False, to) != 1:
        return 0
    if not ref_object(g, c, w[1], &row, &id, &policy) or not read_facts(g, row, id, policy, &f) or id == g.id[to[0]]:
        return 0
    if w[3] >= 0:
        return move_kind(g, &f, to[0], w[3], most)
    for i in range(CK_POISON):
        done += move_kind(g, &f, to[0], i, most)
    for i in range(chunk_len(g, f.extra)):
        if chunk_refs(g, f.extra)[i].kind == RK_COUNTER and n < 64:
            kinds[n] = chunk_refs(g, f.extra)[i].row
            n += 1
    for i in range(n):
        # (The list of a live object changes with what is taken off it.)
        if is_live(g, f.row, f.id):
            f.extra = g.extra[f.row]
        done += move_kind(g, &f, to[0], kinds[i], most)
    return done


cdef int set_life(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """CR 119.5: each gains or loses what is needed."""
    cdef bint known = True
    cdef int n = value(g, c, w[2], &known)
    cdef int mask = ref_players(g, c, w[1]) & g.h.alive
    cdef int p
    for p in range(<int>g.lay.players):
        if known and mask >> p & 1:
            change_life(g, p, n - <int>g.p_life[p])
    return n


cdef int only_player(const Game *g, int mask) noexcept nogil:
    cdef int p
    for p in range(<int>g.lay.players):
        if mask == 1 << p:
            return p
    return NO_PLAYER


cdef int exchange_life(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    """CR 701.12c: each gets the total that the other had; with one player only, nothing happens."""
    cdef int p = only_player(g, ref_players(g, c, w[1]) & g.h.alive)
    cdef int q = only_player(g, ref_players(g, c, w[2]) & g.h.alive)
    cdef int had
    if p == NO_PLAYER or q == NO_PLAYER or p == q:
        return 0
    had = <int>g.p_life[p] - <int>g.p_life[q]
    change_life(g, p, -had)
    change_life(g, q, had)
    return had


cdef int do_deed(Game *g, const Ctx *c, const int32_t *w) noexcept nogil:
    cdef int op = w[0]
    if op == E_REVEAL:
        return reveal(g, c, w)
    if op == E_DISCARD_CARD:
        return discard_these(g, c, w)
    if op == E_ACT:
        return act(g, c, w)
    if op == E_DESIGNATE:
        return designate(g, c, w)
    if op == E_MOVE_COUNTERS:
        return move_counters(g, c, w)
    return set_life(g, c, w) if op == E_SET_LIFE else exchange_life(g, c, w)
