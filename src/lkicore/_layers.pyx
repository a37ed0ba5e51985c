"""Computed values: what objects are after continuous effects in layers and timestamp order (CR 613).

A pass computes some permanents, or all, and with them the objects of other zones that something affects (`h.reach`),
from nothing but definitions, counters, the table of effects and the static abilities that work where they are
(CR 113.6); it takes nothing from an earlier pass except, in the layers before them, power and toughness.
Layer by layer, and in timestamp order within a layer, each effect is applied to what it affects as the objects stand
then; an effect that has begun to apply goes on with the same objects in later layers, even if its ability is gone
(613.6). Within a layer the order is that of timestamps, but for dependencies (613.8): see `lose_first`,
`run_layer` and _depend.

Without static abilities on the battlefield only single objects are computed. With them, too, where that gives the same:
where no static ability looks at sizes or at the log of events, none is granted or lost, and none depends on another
effect of its layer. What comes out of that is what a pass over all permanents gives.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._abilities cimport ability_of, extra_drop
from lkicore._changes cimport (Before, DONE, LAYER_ABILITIES, LAYER_ADD, LAYER_CDA, LAYER_CONTROL, LAYER_SWITCH,
                               LAYER_TYPES, LOST, NO_SET, Pass, Static, TO_COME, WAITS, WILL_LOSE, change_quality,
                               change_size, chosen_color, layer_of, number, sized, static_add, there)
from lkicore._defs cimport ability_at, face_of
from lkicore._depend cimport context_of, depends, loses, only_one, order_matters, takes_from
from lkicore._expr cimport Ctx, holds, passes, plain_context
from lkicore._facts cimport reached
from lkicore._game cimport in_game
from lkicore._guard cimport ctz64, on_stack
from lkicore._effects cimport effects_unseen
from lkicore._index cimport (IN_PASS, WATCHED, changed, count_actor, dirty_all, has_activated, index_object,
                             reread, reset_values, set_kind_bits, switch_controller)
from lkicore._layout cimport Effect, Game
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._player_rules cimport facts_anew
from lkicore._store cimport clear_bit, has_bit, is_live, look_at, set_bit, touched, trace
from lkicore._triggers cimport heard, lost_control
from lkicore._types cimport Ability, FACE_ACTS, FACE_STATIC, Face, Node
from lkicore._values cimport count_counters, finish_row, look_at_attached, start_rows, start_sizes

cdef enum:
    FEW_STATICS = 96
    FEW_SETS = 384
    MOST_STATICS = 8192  # more are not applied
    MOST_SETS = 32768
    MARKED = 64           # entries of the table of effects whose layers a pass keeps
    MOST_ROUNDS = 8       # passes until values that depend on sizes stay the same

# ------------------------------------------------------------------------------------------------ static abilities

cdef inline bint concerns(const Game *g, const Pass *p, uint16_t row, int ability) noexcept nogil:
    """It may affect an object of the pass: not if it affects only its own permanent, or its host, and that is none."""
    cdef int own = ability_of(g, ability).own
    if p.whole or own == 0 or ability_of(g, ability).layers >> LAYER_CONTROL & 1:
        return True
    if own == 1:
        return has_bit(g.b_dirty, row)
    return g.attached_id[row] != 0 and has_bit(g.b_dirty, g.attached_row[row])


cdef void statics_of(Game *g, Pass *p, uint16_t row) noexcept nogil:
    """The static abilities that an object has by its definition."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int k
    if not g.status[row] & ST_PHASED_OUT:
        for k in range(f.n_abilities):
            if ability_of(g, ability_at(g, f, k)).kind == AB_STATIC and concerns(g, p, row, ability_at(g, f, k)):
                static_add(g, p, row, ability_at(g, f, k), g.timestamp[row], -1)


cdef void collect(Game *g, Pass *p, uint16_t *where) noexcept nogil:
    """Everything that could apply: static abilities by definition, and in which layers the table of effects does.

    `where`: the layers of the first MARKED entries of the table that change an object of the pass.
    """
    cdef uint64_t bits
    cdef uint32_t w, i
    cdef Effect *e
    cdef int k, layers
    if g.h.n_static:
        for w in range(g.lay.words):
            bits = g.b_static[w]
            while bits:
                statics_of(g, p, <uint16_t>(w * 64 + <uint32_t>ctz64(bits)))
                bits &= bits - 1
    if g.h.reach:
        for k in range(p.n):
            # What defines its characteristics applies outside the battlefield, too (CR 604.3).
            if (g.zone[p.rows[k]] != Z_BATTLEFIELD and not has_bit(g.b_static, p.rows[k])
                    and face_of(g, g.defn[p.rows[k]]).flags & FACE_STATIC):
                g.h.reach_reads |= face_of(g, g.defn[p.rows[k]]).reads
                g.h.reads |= g.h.reach_reads
                g.h.wakes |= g.h.reach_reads
                statics_of(g, p, p.rows[k])
    for i in range(g.h.n_effects):
        e = &g.effect[i]
        layers = 0
        if e.kind == EK_CHANGE and has_bit(g.b_dirty, e.affected_row) and is_live(g, e.affected_row, e.affected_id):
            for k in range(e.n):
                layers |= 1 << layer_of(g.cards.changes[e.what + k].op)
        p.layers |= layers
        if i < MARKED:
            where[i] = <uint16_t>layers


cdef void set_of(Game *g, Pass *p, const Ctx *c, const Ability *a, uint64_t *set) noexcept nogil:
    """The set of the objects that pass a filter, in the zones that it speaks of, before the effect changes any."""
    cdef int k
    for k in range(p.width):
        set[k] = 0
    for k in range(p.n):
        if a.affects >> g.zone[p.rows[k]] & 1 and passes(g, c, a.filter, p.rows[k]):
            set[k >> 6] |= <uint64_t>1 << (k & 63)


cdef bint begins(Game *g, Pass *p, Static *s, const Ctx *c, int layer) noexcept nogil:
    """CR 613.6: it begins to apply in this layer, to a set that stays if more layers follow."""
    cdef const Ability *a = ability_of(g, s.ability)
    if s.lost or not holds(g, c, a.condition):
        return False
    if a.own:
        s.only = only_one(g, s, a.own)
        s.began = 1
    elif a.layers >> (layer + 1):
        if p.used + p.width * 2 > p.most_sets:
            p.full = True  # without room for the set, each layer asks again
            return True
        s.set = <uint32_t>p.used
        set_of(g, p, c, a, &p.sets[p.used])
        p.used += p.width
        s.began = 1
    return True


# ------------------------------------------------------------------------------------------------ layers

cdef void apply_effect(Game *g, Pass *p, const Effect *e, int layer, int after) noexcept nogil:
    """An entry of the table (CR 611.2c): its set is the one object, its numbers are x and y."""
    cdef const Node *x
    cdef Ctx c
    cdef int i, power, toughness
    cdef uint16_t row = e.affected_row
    for i in range(e.n):
        x = &g.cards.changes[e.what + i]
        if layer_of(x.op) != layer:
            continue
        if layer < LAYER_CDA:
            change_quality(g, p, row, x, e.x, e.timestamp, after)
            continue
        power = e.x if x.a == -1 else e.y
        toughness = e.x if x.b == -1 else e.y
        if x.op != X_SWITCH_PT and (x.a >= 0 or x.b >= 0):
            plain_context(g, e.source_row, e.source_id, e.player, &c)
            c.it_row = row
            c.it_id = g.id[row]
            if x.a >= 0:
                power = number(g, &c, x.a)
            if x.b >= 0:
                toughness = number(g, &c, x.b)
        change_size(g, row, x, power, toughness, True, True)


cdef void apply_to(Game *g, Pass *p, const Static *s, const Node *x, Ctx *c, const uint64_t *set, uint16_t only,
                   int after) noexcept nogil:
    """One change of a static ability, on each object of the set, or on one: all numbers first, then the changes."""
    cdef int k
    cdef int color = -1
    cdef bint size = layer_of(x.op) >= LAYER_CDA
    cdef uint32_t timestamp = s.timestamp
    if x.op == X_ADD_CHOSEN_ABILITY:
        color = chosen_color(g, s.row)
    if set == NULL:
        c.it_row = only
        c.it_id = g.id[only]
        if not size:
            change_quality(g, p, only, x, color, timestamp, after)
        elif x.op == X_SWITCH_PT:
            change_size(g, only, x, 0, 0, True, True)
        else:
            change_size(g, only, x, number(g, c, x.a) if x.a >= 0 else 0, number(g, c, x.b) if x.b >= 0 else 0,
                        x.a >= 0, x.b >= 0)
        return
    if size and x.op != X_SWITCH_PT:
        for k in range(p.n):
            if set[k >> 6] >> (k & 63) & 1:
                c.it_row = p.rows[k]
                c.it_id = g.id[p.rows[k]]
                p.first[k] = sized(number(g, c, x.a)) if x.a >= 0 else 0
                p.second[k] = sized(number(g, c, x.b)) if x.b >= 0 else 0
    for k in range(p.n):
        if not set[k >> 6] >> (k & 63) & 1:
            continue
        if not size:
            change_quality(g, p, p.rows[k], x, color, timestamp, after)
        elif x.op == X_SWITCH_PT:
            change_size(g, p.rows[k], x, 0, 0, True, True)
        else:
            change_size(g, p.rows[k], x, p.first[k], p.second[k], x.a >= 0, x.b >= 0)


cdef void apply_static(Game *g, Pass *p, int number_, int layer, int after) noexcept nogil:
    cdef Static *s = &p.statics[number_]
    cdef Static as_it_is
    cdef const Ability *a = ability_of(g, s.ability)
    cdef const Node *x
    cdef const uint64_t *set = NULL
    cdef Ctx c
    cdef int i
    context_of(g, s, &c)
    if not s.began and not begins(g, p, s, &c, layer):
        return
    if a.own:
        if s.only == 0 or not has_bit(g.b_dirty, s.only):
            return
    elif s.set != NO_SET:
        set = &p.sets[s.set]
    else:
        set_of(g, p, &c, a, &p.sets[p.used])
        set = &p.sets[p.used]
    as_it_is = s[0]  # granting moves the others
    for i in range(a.n_changes):
        x = &g.cards.changes[a.first_change + i]
        if layer_of(x.op) == layer:
            apply_to(g, p, &as_it_is, x, &c, set, as_it_is.only, after)


cdef inline bint works_in(const Game *g, const Static *s, int layer) noexcept nogil:
    return ability_of(g, s.ability).layers >> layer & 1 and (s.began or not s.lost)


cdef inline uint32_t next_effect(const Game *g, const uint16_t *where, int layer, uint32_t k) noexcept nogil:
    """The next entry of the table, from number k on, that changes an object of the pass."""
    while k < MARKED and k < g.h.n_effects:
        if where[k] >> layer & 1:
            return k
        k += 1
    while k < g.h.n_effects and not (g.effect[k].kind == EK_CHANGE and has_bit(g.b_dirty, g.effect[k].affected_row)
                                     and is_live(g, g.effect[k].affected_row, g.effect[k].affected_id)):
        k += 1
    return k


cdef bint run_waiting(Game *g, Pass *p, int layer, int before, uint32_t now, bint all) noexcept nogil:
    """Apply the first static ability that has waited and need not any more, or with `all` the first; false if none."""
    cdef int i
    for i in range(before):
        if p.statics[i].turn != WAITS or not works_in(g, &p.statics[i], layer):
            continue
        if all or not depends(g, p, i, layer, now):
            p.statics[i].turn = DONE
            apply_static(g, p, i, layer, before - 1)
            return True
    return False


cdef bint doomed(Game *g, Pass *p, int i, uint32_t k) noexcept nogil:
    """A static ability that was gained in layer 6 is still to be taken away there, by entry number k of the table or a
    later one, or by another static ability: that comes first, as in `lose_first` (CR 613.8a)."""
    cdef uint16_t row = p.statics[i].row
    cdef int j
    if p.statics[i].began:
        return False
    while k < g.h.n_effects:
        if (g.effect[k].kind == EK_CHANGE and g.effect[k].affected_row == row
                and is_live(g, row, g.effect[k].affected_id)
                and loses(g, g.effect[k].what, g.effect[k].n, LAYER_ABILITIES)):
            return True
        k += 1
    for j in range(p.n_statics):
        if (j != i and p.statics[j].turn != DONE and (p.statics[j].began or not p.statics[j].lost)
                and takes_from(g, &p.statics[j], row, LAYER_ABILITIES)):
            return True
    return False


cdef void run_layer(Game *g, Pass *p, const uint16_t *where, int layer) noexcept nogil:
    """Layers 4 to 6: static abilities and entries of the table, by timestamp (CR 613.7) and dependency (613.8)."""
    cdef int i = 0
    cdef uint32_t k = 0
    cdef uint32_t now = 0
    cdef bint order
    cdef bint waiting = False
    cdef int known = p.n_statics
    if not p.layers >> layer & 1:
        return
    order = p.n_statics > 0 and order_matters(g, p, layer)
    if order:
        g.h.reads |= RD_ORDER
        g.h.wakes |= RD_ORDER
        if not p.whole:
            dirty_all(g)  # what changes here may change the order in which others are changed
    while True:
        while waiting and run_waiting(g, p, layer, i, now, False):
            pass
        while i < p.n_statics and not works_in(g, &p.statics[i], layer):
            i += 1
        k = next_effect(g, where, layer, k)
        if k < g.h.n_effects and (i == p.n_statics or g.effect[k].timestamp < p.statics[i].timestamp):
            now = g.effect[k].timestamp
            apply_effect(g, p, &g.effect[k], layer, i - 1)
            k += 1
        elif i < p.n_statics:
            now = max(now, p.statics[i].timestamp)
            if p.n_statics > known and layer == LAYER_ABILITIES and doomed(g, p, i, k):
                p.statics[i].lost = WILL_LOSE
            elif order and depends(g, p, i, layer, now):
                p.statics[i].turn = WAITS
                waiting = True
            else:
                p.statics[i].turn = DONE
                apply_static(g, p, i, layer, i)
            i += 1
        else:
            break
    # What is left depends on itself in a circle: by timestamp, as is what that lets go.
    now = <uint32_t>0xFFFFFFFF
    while waiting and (run_waiting(g, p, layer, i, now, False) or run_waiting(g, p, layer, i, now, True)):
        i = p.n_statics


cdef void run_sizes(Game *g, Pass *p, const uint16_t *where, int layer, bint late) noexcept nogil:
    """A part of layer 7. Abilities that look at sizes depend on all that changes them: they come last (`late`)."""
    cdef int i = 0
    cdef uint32_t k = g.h.n_effects if late else 0
    if not p.layers >> layer & 1:
        return
    while True:
        while i < p.n_statics and not (works_in(g, &p.statics[i], layer)
                                       and (ability_of(g, p.statics[i].ability).reads & RD_SIZE != 0) == late):
            i += 1
        k = next_effect(g, where, layer, k)
        if k < g.h.n_effects and (i == p.n_statics or g.effect[k].timestamp < p.statics[i].timestamp):
            apply_effect(g, p, &g.effect[k], layer, i - 1)
            k += 1
        elif i < p.n_statics:
            apply_static(g, p, i, layer, i)
            i += 1
        else:
            return


cdef void lose_statics(Pass *p, uint16_t row) noexcept nogil:
    cdef int i
    for i in range(p.n_statics):
        if p.statics[i].row == row and not p.statics[i].began and p.statics[i].lost != LOST:
            p.statics[i].lost = WILL_LOSE


cdef int next_taker(Game *g, const Pass *p, int layer) noexcept nogil:
    """The first static ability left that takes abilities away and is not taken away itself by another one left, but in
    a circle; -1 none."""
    cdef const Static *s
    cdef int i, k
    cdef int first = -1
    for i in range(p.n_statics):
        s = &p.statics[i]
        if (s.turn == DONE or (s.lost and not s.began)
                or not loses(g, ability_of(g, s.ability).first_change, ability_of(g, s.ability).n_changes, layer)):
            continue
        if first < 0:
            first = i
        for k in range(p.n_statics if not s.began else 0):
            if (k != i and p.statics[k].turn != DONE and (p.statics[k].began or not p.statics[k].lost)
                    and takes_from(g, &p.statics[k], s.row, layer)
                    and (p.statics[k].began or not takes_from(g, s, p.statics[k].row, layer))):
                break
        else:
            return i
    return first


cdef void lose_first(Game *g, Pass *p, int layer) noexcept nogil:
    """Whether a static ability exists depends on what takes it away in the same layer: that comes first, whatever the
    timestamps (CR 613.8a-b). One that began to apply in an earlier layer goes on (613.6). Others wait
    for it until it is taken away, see `depends`."""
    cdef uint32_t k
    cdef int i, j
    for k in range(g.h.n_effects):
        if (g.effect[k].kind == EK_CHANGE and is_live(g, g.effect[k].affected_row, g.effect[k].affected_id)
                and loses(g, g.effect[k].what, g.effect[k].n, layer)
                and (layer == LAYER_ABILITIES or g.types[g.effect[k].affected_row] & T_LAND)):
            lose_statics(p, g.effect[k].affected_row)
    for j in range(p.n_statics):
        p.statics[j].turn = TO_COME
    i = next_taker(g, p, layer)
    while i >= 0:
        p.statics[i].turn = DONE
        for j in range(p.n_statics):
            if (j != i and not p.statics[j].began and p.statics[j].lost != LOST
                    and takes_from(g, &p.statics[i], p.statics[j].row, layer)):
                p.statics[j].lost = WILL_LOSE
        i = next_taker(g, p, layer)
    for j in range(p.n_statics):
        p.statics[j].turn = TO_COME


# Who gives control of what (layer 2): an entry of the table, or a static ability.
cdef struct Giver:
    uint32_t timestamp
    uint16_t row       # the object, 0: what passes the filter
    uint16_t source    # the permanent whose controller gets it, 0: `player`
    uint8_t player
    uint16_t number    # of the static ability


cdef int given_to(const Game *g, const Giver *w, const uint8_t *holder) noexcept nogil:
    """The player who would get control by it now; who has left gets none (CR 800.4b), -1."""
    cdef int player = holder[w.source] if w.source else w.player
    return player if in_game(g, player) else -1


cdef bint gives(Game *g, Pass *p, const Giver *w, uint16_t row, const uint8_t *holder) noexcept nogil:
    """It gives control of this object."""
    cdef const Ability *a
    cdef Ctx c
    if w.source == 0:
        return w.row == row
    a = ability_of(g, p.statics[w.number].ability)
    context_of(g, &p.statics[w.number], &c)
    c.controller = holder[w.source]
    return (row == w.row if a.own else passes(g, &c, a.filter, row)) and holds(g, &c, a.condition)


cdef int next_giver(Game *g, Pass *p, const Giver *w, int n, uint64_t left, const uint8_t *holder) noexcept nogil:
    """The earliest one left that does not depend on another (CR 613.8), except in a circle: to whom an ability gives
    control hangs on who controls its source."""
    cdef uint64_t needs[64]
    cdef int i, k
    cdef bint more = True
    for i in range(n):
        needs[i] = 0
        for k in range(n if left >> i & 1 and w[i].source else 0):
            if (k != i and left >> k & 1 and given_to(g, &w[k], holder) >= 0
                    and given_to(g, &w[k], holder) != holder[w[i].source] and gives(g, p, &w[k], w[i].source, holder)):
                needs[i] |= <uint64_t>1 << k
    while more:
        more = False
        for i in range(n):
            for k in range(n):
                if needs[i] >> k & 1 and needs[k] & ~needs[i]:
                    needs[i] |= needs[k]
                    more = True
    for i in range(n):
        if left >> i & 1:
            for k in range(n):
                if needs[i] >> k & 1 and not needs[k] >> i & 1:
                    break
            else:
                return i
    return ctz64(left)


cdef int givers_of(Game *g, Pass *p, Giver *w) noexcept nogil:
    """All that gives control of something, by timestamp; at most 64."""
    cdef uint32_t k = 0
    cdef int n = 0
    cdef int i = 0
    cdef Effect *e
    cdef const Ability *a
    while n < 64:
        while k < g.h.n_effects and not (
                g.effect[k].kind == EK_CHANGE and g.cards.changes[g.effect[k].what].op == X_CONTROL
                and is_live(g, g.effect[k].affected_row, g.effect[k].affected_id)):
            k += 1
        while i < p.n_statics and not ability_of(g, p.statics[i].ability).layers >> LAYER_CONTROL & 1:
            i += 1
        e = &g.effect[k] if k < g.h.n_effects else NULL
        if e == NULL and i == p.n_statics:
            break
        memset(&w[n], 0, sizeof(Giver))
        if e != NULL and (i == p.n_statics or e.timestamp < p.statics[i].timestamp):
            w[n].timestamp = e.timestamp
            w[n].row = e.affected_row
            w[n].player = e.player
            k += 1
        else:
            a = ability_of(g, p.statics[i].ability)
            w[n].timestamp = p.statics[i].timestamp
            w[n].source = p.statics[i].row
            w[n].row = only_one(g, &p.statics[i], a.own) if a.own else 0
            w[n].number = <uint16_t>i
            if a.own:
                p.statics[i].only = w[n].row
                p.statics[i].began = 1
            i += 1
        n += 1
    return n


cdef void work_out_control(Game *g, Pass *p, uint8_t *holder) noexcept nogil:
    """Layer 2 for all permanents, from who controlled them first (CR 110.2)."""
    cdef Giver w[64]
    cdef int n, i, player
    cdef uint64_t left
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    while row:
        holder[row] = g.base_ctrl[row]
        row = g.znext[row]
    n = givers_of(g, p, w)
    left = (<uint64_t>1 << n) - 1 if n < 64 else ~<uint64_t>0
    while left:
        i = next_giver(g, p, w, n, left, holder)
        left &= ~(<uint64_t>1 << i)
        player = given_to(g, &w[i], holder)
        if player < 0:
            continue
        if w[i].row:
            if gives(g, p, &w[i], w[i].row, holder):
                holder[w[i].row] = <uint8_t>player
            continue
        row = g.z_head[Z_BATTLEFIELD * g.lay.players]
        while row and w[i].source:
            if gives(g, p, &w[i], row, holder):
                holder[row] = <uint8_t>player
            row = g.znext[row]


cdef bint controlling(const Game *g, const Pass *p) noexcept nogil:
    cdef int i
    for i in range(p.n_statics):
        if ability_of(g, p.statics[i].ability).layers >> LAYER_CONTROL & 1:
            return True
    return False


cdef void run_control(Game *g, Pass *p) noexcept nogil:
    """Layer 2: effects give control in the order of timestamps. A static ability gives it to who controls its source,
    which may depend on others (CR 613.8)."""
    cdef uint8_t *holder = NULL
    cdef bint more = True
    cdef int rounds = 0
    cdef int k, player
    cdef uint32_t n
    cdef uint16_t row
    cdef Effect *e
    if p.layers >> LAYER_CONTROL & 1 and controlling(g, p):
        holder = <uint8_t *>on_stack(g.lay.rows)
    while more and rounds < 4:
        more = False
        rounds += 1
        if holder != NULL:
            work_out_control(g, p, holder)
        for k in range(p.n):
            row = p.rows[k]
            if g.zone[row] != Z_BATTLEFIELD:
                continue
            player = g.base_ctrl[row] if holder == NULL else holder[row]
            for n in range(g.h.n_effects if holder == NULL and p.layers >> LAYER_CONTROL & 1 else 0):
                e = &g.effect[n]
                if (e.kind == EK_CHANGE and e.affected_row == row and e.affected_id == g.id[row]
                        and g.cards.changes[e.what].op == X_CONTROL and in_game(g, e.player)):
                    player = e.player
            if player != g.controller[row]:
                switch_controller(g, row, player)
                if p.whole:
                    more = holder != NULL  # what a condition or filter asks may have changed
                elif has_bit(g.b_static, row):
                    dirty_all(g)  # its static abilities may be about what "you" control


# ------------------------------------------------------------------------------------------------ a pass

cdef void run(Game *g, Pass *p, uint64_t *own) noexcept nogil:
    """The whole of a pass. Bits of b_dirty: rows of the pass."""
    cdef int k, layer
    cdef uint16_t where[MARKED]
    p.width = (p.n + 63) >> 6
    start_rows(g, p, own)
    if p.whole and g.h.reads & RD_ORDER:
        g.h.reads &= ~<uint32_t>RD_ORDER
        g.h.wakes = g.h.reads | g.cards.way_reads
    collect(g, p, where)
    run_control(g, p)
    for layer in range(LAYER_TYPES, LAYER_CDA):
        if (layer == LAYER_ABILITIES or layer == LAYER_TYPES) and p.layers >> layer & 1:
            lose_first(g, p, layer)
        run_layer(g, p, where, layer)
    start_sizes(g, p)
    for layer in range(LAYER_CDA, LAYER_SWITCH + 1):
        run_sizes(g, p, where, layer, False)
        if layer == LAYER_ADD:
            count_counters(g, p)
        if p.sizes_asked:
            run_sizes(g, p, where, layer, True)
    for k in range(p.n):
        finish_row(g, p, k, own[k >> 6] >> (k & 63) & 1)
    for k in range(p.n if heard(g, EV_LOSES_CONTROL) else 0):
        if g.zone[p.rows[k]] == Z_BATTLEFIELD and p.before[k].controller != g.controller[p.rows[k]]:
            lost_control(g, p.rows[k], p.before[k].controller)


cdef bint compute_alone(Game *g, uint16_t row) noexcept nogil:
    """One permanent, while there are no static abilities: its definition, its counters, effects that only add to it.

    False, and nothing is done, if other effects apply to it: those need a pass.
    """
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int power = f.power + g.c_p1p1[row] - g.c_m1m1[row]
    cdef int toughness = f.toughness + g.c_p1p1[row] - g.c_m1m1[row]
    cdef uint64_t keywords = f.keywords
    cdef bint creature = (f.types & T_CREATURE) != 0
    cdef const Node *x
    cdef Effect *e
    cdef uint32_t i
    cdef int k
    if not there(g, row) or g.oflags[row] & (OF_OWN_ABILITIES | OF_OWN_SUBTYPES):
        return False
    if g.n_effects[row]:
        for i in range(g.h.n_effects):
            e = &g.effect[i]
            if e.kind == EK_TEXT and e.affected_row == row and e.affected_id == g.id[row]:
                return False
            if e.kind != EK_CHANGE or e.affected_row != row or e.affected_id != g.id[row]:
                continue
            for k in range(e.n):
                x = &g.cards.changes[e.what + k]
                if x.op == X_ADD_PT and x.a < 0 and x.b < 0:
                    power += e.x if x.a == -1 else e.y
                    toughness += e.x if x.b == -1 else e.y
                elif x.op == X_ADD_KEYWORDS:
                    keywords |= <uint64_t><uint32_t>x.a | <uint64_t><uint32_t>x.b << 32
                else:
                    return False
    if not creature:
        power = toughness = 0  # CR 208.3
    if g.trace != NULL and (power != g.power[row] or toughness != g.toughness[row]):
        trace(g, TR_PUMP, g.defn[row], power, toughness, 0, g.id[row])
    if g.h.n_attached and (keywords != g.keywords[row] or f.types != g.types[row] or f.colors != g.colors[row]
                           or g.controller[row] != g.base_ctrl[row]):
        look_at_attached(g, row)
    g.types[row] = f.types
    g.colors[row] = f.colors
    g.keywords[row] = keywords
    g.mana[row] = f.mana
    g.power[row] = sized(power)
    g.toughness[row] = sized(toughness)
    k = g.controller[row]
    if k != g.base_ctrl[row]:
        switch_controller(g, row, g.base_ctrl[row])
        if heard(g, EV_LOSES_CONTROL):
            lost_control(g, row, k)
    # What a face-down permanent can be turned up for may have changed, though its form hasn't.
    if (creature != has_bit(g.b_creature, row) or has_bit(g.b_acts, row) != ((f.flags & FACE_ACTS) != 0)
            or g.status[row] & ST_FACE_DOWN):
        set_kind_bits(g, row)
    if creature:
        look_at(g, row)
    mana_update(g, row)
    touched(g)
    return True


cdef void after_pass(Game *g, const Pass *p, bint again) noexcept nogil:
    if p.any_changed and not again and g.h.reads & RD_SIZE:
        dirty_all(g)  # what depends on sizes has seen some of those before
    elif p.any_quality and not p.whole and g.h.reads & RD_BOARD:
        reread(g, RD_BOARD)  # what depends on other permanents has not been computed


cdef bint run_pass(Game *g, const uint16_t *rows, int n, bint whole, bint again, int statics, int sets) noexcept nogil:
    """A pass with room for so many static abilities and sets; false if it did not fit into that."""
    cdef Pass p
    memset(&p, 0, sizeof(Pass))
    p.rows = rows
    p.n = n
    p.restricted = <uint8_t *>on_stack(g.lay.rows)
    p.before = <Before *>on_stack(n * sizeof(Before))
    p.first = <int16_t *>on_stack(n * sizeof(int16_t))
    p.second = <int16_t *>on_stack(n * sizeof(int16_t))
    p.statics = <Static *>on_stack(statics * sizeof(Static))
    p.most_statics = statics
    p.sets = <uint64_t *>on_stack(sets * sizeof(uint64_t))
    p.most_sets = sets
    p.whole = whole
    p.all_changed = again
    run(g, &p, <uint64_t *>on_stack(g.lay.words * sizeof(uint64_t)))
    after_pass(g, &p, again)
    return not p.full


cdef void all_to_compute(Game *g) noexcept nogil:
    """Bits of all permanents, and of the objects elsewhere that something may affect."""
    cdef uint32_t k
    cdef int zones = g.h.reach | 1 << Z_BATTLEFIELD
    cdef uint16_t row
    for k in range(g.lay.lists):
        row = g.z_head[k] if zones >> (k // g.lay.players) & 1 else 0
        while row:
            set_bit(g.b_dirty, row)
            row = g.znext[row]


cdef void as_printed(Game *g, uint16_t row) noexcept nogil:
    """Nothing affects it, or nothing any more, where it is."""
    if g.oflags[row] & (OF_OWN_ABILITIES | OF_OWN_SUBTYPES):
        extra_drop(g, row, RK_ABILITY)
        extra_drop(g, row, RK_SUBTYPE)
        g.oflags[row] &= <uint8_t>~<int>(OF_OWN_ABILITIES | OF_OWN_SUBTYPES)
        index_object(g, row, True)
        count_actor(g, row, has_activated(g, row))
    reset_values(g, row)
    touched(g)


cdef void compute_rows(Game *g, bint whole) noexcept nogil:
    """Compute what is in b_dirty; with `whole` all permanents, and all that is reached."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t row
    cdef uint64_t bits
    cdef uint32_t w
    cdef int n = 0
    if whole:
        all_to_compute(g)
    for w in range(g.lay.words):
        bits = g.b_dirty[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if g.zone[row] == Z_PHASED_OUT:
                pass  # as it was, until it phases in
            elif there(g, row):
                if g.h.n_static or not compute_alone(g, row):
                    rows[n] = row
                    n += 1
                    continue
            elif g.zone[row] != Z_BATTLEFIELD and g.id[row] and not g.oflags[row] & OF_ABILITY:
                if reached(g, row):
                    rows[n] = row
                    n += 1
                    continue
                as_printed(g, row)
            clear_bit(g.b_dirty, row)
    if n and not run_pass(g, rows, n, whole, False, FEW_STATICS, FEW_SETS):
        run_pass(g, rows, n, whole, True, MOST_STATICS, MOST_SETS)
    for w in range(g.lay.words):
        g.b_dirty[w] = 0


cdef bint each_alone(const Game *g) noexcept nogil:
    """No static ability looks at sizes or events, and none is granted or lost: an object's values hang on itself and on
    which permanents there are (RD_BOARD), and a change of those makes all dirty."""
    cdef uint32_t w
    cdef uint64_t bits
    if g.h.reads & (RD_SIZE | RD_HISTORY):
        return False
    for w in range(g.lay.words):
        bits = g.b_static[w]
        while bits:
            if g.oflags[w * 64 + <uint32_t>ctz64(bits)] & OF_OWN_ABILITIES:
                return False
            bits &= bits - 1
    return True


cdef bint compute_singly(Game *g) noexcept nogil:
    """The usual case: no static abilities. False if something is left that needs more."""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint64_t left = 0
    for w in range(g.lay.words):
        bits = g.b_dirty[w]
        while bits:
            if (g.zone[w * 64 + <uint32_t>ctz64(bits)] == Z_PHASED_OUT
                    or compute_alone(g, <uint16_t>(w * 64 + <uint32_t>ctz64(bits)))):
                g.b_dirty[w] &= ~(bits & (~bits + 1))
            bits &= bits - 1
        left |= g.b_dirty[w]
    return left == 0


cdef void compute_dirty(Game *g) noexcept nogil:
    compute_waiting(g)
    while g.h.shields & WATCHED:
        # Effects that last while their source is under somebody's control may have ended with that (CR 611.2b).
        effects_unseen(g)
        if not g.h.bits_dirty:
            break
        compute_waiting(g)


cdef void compute_waiting(Game *g) noexcept nogil:
    cdef int rounds = 0
    cdef bint whole
    if g.h.n_static == 0 and not g.h.rules and not g.h.all_dirty and compute_singly(g):
        g.h.bits_dirty = 0
        return
    while g.h.bits_dirty and rounds < MOST_ROUNDS:
        whole = g.h.all_dirty or (g.h.n_static and not each_alone(g))
        g.h.bits_dirty = IN_PASS
        g.h.all_dirty = 0
        compute_rows(g, whole)
        g.h.bits_dirty &= 1
        rounds += 1
        if g.h.rules and facts_anew(g):
            changed(g, RD_PLAYERS)
    g.h.bits_dirty = 0
    g.h.all_dirty = 0
