"""Policies, references, values and filters of the effect language: they ask each other, so they stand together.

A filter is asked about a live object or about facts, current or last known: one text, compiled for both (`Subject`).
"""
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport ability_of, also_in, entry_next
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._defs cimport ability_at, face_of
from lkicore._facts cimport (became_of, bits_in, blocked_by, cast_way, chosen_for_source, counters_known,
                             defending_player, designated, extra_of, host_of, kicked, kicked_times, known_facts,
                             level_in, logged, mana_value, nth_player, sized_elsewhere, slot_facts, source_card,
                             source_list, target_already, target_players, value_of_players, was_cast)
from lkicore._game cimport NO_PLAYER, in_game
from lkicore._guard cimport ctz64, rare
from lkicore._hidden cimport share_name
from lkicore._layout cimport MOST_OBJECTS, Event, Game, Ref
from lkicore._lki cimport FROM_LIVE, FROM_LKI, NO_SLOT, lki_find, once_attached
from lkicore._opcodes cimport *
from lkicore._store cimport PRIVATE_ZONES, ctrl_set, is_live, trace
from lkicore._subject cimport (FactsPtr, Subject, attacks_of, bears, blocks_of, colors_of, combat_of, controller_of,
                               cost_of, counters_of, damage_of, defn_of, entered_now, has_counter, id_of, list_of,
                               of_subtype, oflags_of, owner_of, passes_plain, power_column, shares_type, sizes_stand,
                               status_of, toughness_column, zone_of)
from lkicore._text cimport subtype_in_text
from lkicore._types cimport Ability, FACE_AURA, FACE_EQUIPMENT, FACE_STATIC, Face, Node

ctypedef bint (*RowTest)(Game *, const Ctx *, int, uint16_t) noexcept nogil
ctypedef bint (*FactsTest)(Game *, const Ctx *, int, FactsPtr) noexcept nogil

# A call that the compiler does not draw into its caller: what is rare must not cost the common case its registers.
cdef extern from *:
    """
    #if defined(__GNUC__)
    #define LKI_APART(f) __extension__ ({ __typeof__(&f) apart = &f; __asm__("" : "+r"(apart)); apart; })
    #else
    #define LKI_APART(f) (f)
    #endif
    """
    RowTest row_apart "LKI_APART"(RowTest f) noexcept nogil
    FactsTest facts_apart "LKI_APART"(FactsTest f) noexcept nogil

cdef enum:
    MOST_NUMBER = 30000   # numbers of the effect language lie between -MOST_NUMBER and MOST_NUMBER


cdef inline int bounded(int v) noexcept nogil:
    """Two bounded numbers have a sum and a product that an int holds: nothing overflows on the way."""
    if v > MOST_NUMBER:
        return MOST_NUMBER
    return -MOST_NUMBER if v < -MOST_NUMBER else v


# ------------------------------------------------------------------------------------------------ facts

cdef void cda_size(Game *g, uint16_t row, int controller, int *power, int *toughness) noexcept nogil:
    """Power and toughness that its own ability defines in every zone (CR 604.3); unchanged if none does."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef const Ability *a
    cdef const Node *x
    cdef Ctx c
    cdef bint known
    cdef int k, i, v
    plain_context(g, row, g.id[row], controller, &c)
    c.it_row = row
    c.it_id = g.id[row]
    c.live_only = 1
    for k in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, k))
        if a.kind != AB_STATIC:
            continue
        for i in range(a.n_changes):
            x = &g.cards.changes[a.first_change + i]
            if x.op != X_CDA_PT:
                continue
            if x.a >= 0:
                known = True
                v = value(g, &c, x.a, &known)
                power[0] = v if known else 0
            if x.b >= 0:
                known = True
                v = value(g, &c, x.b, &known)
                toughness[0] = v if known else 0


cdef bint facts_of(Game *g, uint16_t row, uint32_t id, int policy, bint as_computed, Facts *f) noexcept nogil:
    """`as_computed`: sizes as the columns hold them, for whoever is just computing them."""
    cdef int p, t
    if not known_facts(g, row, id, policy, f):
        return False
    if (f.where == FROM_LIVE and not as_computed and face_of(g, f.defn).flags & FACE_STATIC
            and sized_elsewhere(g, row)):
        p = f.power
        t = f.toughness
        cda_size(g, row, f.controller, &p, &t)
        f.power = <int16_t>p
        f.toughness = <int16_t>t
    return True


cdef bint read_facts(Game *g, uint16_t row, uint32_t id, int policy, Facts *f) noexcept nogil:
    """Facts about the object (row, id) as the policy allows; false if there is no answer.

    The one place where the effect language and the rules learn anything about a specific object. Whoever asks about a
    target has looked at its legality before (608.2b); a target that is gone without being moved by the effect itself
    gives no answer.
    """
    return facts_of(g, row, id, policy, False, f)


cdef inline bint ask(Game *g, const Ctx *c, const Obj *o, int policy, Facts *f) noexcept nogil:
    """Facts for whoever asks: a static ability never uses last known information (CR 604.7)."""
    return facts_of(g, o.row, o.id, P_LIVE_ONLY if c.live_only else policy, c.live_only, f)


# ------------------------------------------------------------------------------------------------ references

include "_walk.pxi"


cdef bint ref_object(Game *g, const Ctx *c, int ref, uint16_t *row, uint32_t *id, int *policy) noexcept nogil:
    cdef const Node *n = &g.cards.refs[ref]
    cdef Walk w
    cdef Obj o
    cdef Obj other
    policy[0] = ref_policy(n.op)
    if n.op == R_SOURCE:
        row[0] = c.source_row
        id[0] = c.source_id
        return c.source_id != 0
    walk(g, c, ref, &w)
    if not walk_next(g, c, &w, &o):
        return False
    row[0] = o.row
    id[0] = o.id
    return not walk_next(g, c, &w, &other)


cdef int ref_objects(Game *g, const Ctx *c, int ref, Obj *out, int *policy) noexcept nogil:
    cdef Walk w
    cdef int n = 0
    policy[0] = ref_policy(g.cards.refs[ref].op)
    walk(g, c, ref, &w)
    while n < <int>g.lay.arena and walk_next(g, c, &w, &out[n]):
        n += 1
    return n


cdef int ref_players(Game *g, const Ctx *c, int ref) noexcept nogil:
    cdef const Node *n = &g.cards.refs[ref]
    cdef Walk w
    cdef Obj o
    cdef Facts f
    cdef int mask = 0
    cdef int i, policy
    if n.op == R_YOU:
        mask = 1 << c.controller
    elif n.op == R_TARGET or n.op == R_TARGETS:
        mask = target_players(g, c, n.a, n.op == R_TARGET)
    elif n.op == R_ALL_TARGETS:
        mask = target_players(g, c, -1, False)
    elif n.op == R_EACH_PLAYER:
        mask = g.h.alive
    elif n.op == R_EACH_OPPONENT:
        mask = g.h.alive & ~(1 << c.controller)
    elif n.op == R_CONTROLLER_OF or n.op == R_OWNER_OF:
        policy = ref_policy(g.cards.refs[n.a].op)
        walk(g, c, n.a, &w)
        if g.cards.refs[n.a].op == R_TARGET:
            mask = ref_players(g, c, n.a)  # "that player or that planeswalker's controller"
        while walk_next(g, c, &w, &o):
            if ask(g, c, &o, policy, &f):
                mask |= 1 << (f.controller if n.op == R_CONTROLLER_OF else f.owner)
    elif n.op == R_EVENT_PLAYER:
        mask = 1 << c.player if c.player != NO_PLAYER else 0
    elif n.op == R_ACTIVE_PLAYER:
        mask = 1 << g.h.active
    elif n.op == R_DEFENDING_PLAYER:
        mask = defending_player(g, c)
    elif n.op == R_OTHER_OPPONENT:
        mask = nth_player(g, g.h.alive & ~(1 << c.controller) & ~defending_player(g, c), c.controller, n.a)
    elif n.op == R_HOST_PLAYER:
        i = entry_next(g, source_list(g, c), RK_PLAYER, 0)
        mask = 1 << chunk_refs(g, source_list(g, c))[i].row if i >= 0 else 0
    elif n.op == R_CHOSEN_PLAYER:
        i = chosen_for_source(g, c, CN_PLAYER)
        mask = 1 << i if i >= 0 else 0
    elif n.op == R_PICKED:
        i = entry_next(g, info_of(g, c), RK_PICKED_PLAYER, 0)
        while i >= 0:
            mask |= 1 << chunk_refs(g, info_of(g, c))[i].row
            i = entry_next(g, info_of(g, c), RK_PICKED_PLAYER, i + 1)
    return mask


# ------------------------------------------------------------------------------------------------ values

include "_counts.pxi"


cdef int over_board(Game *g, const Ctx *c, const Node *n) noexcept nogil:
    """COUNT, EXISTS, GREATEST_POWER: over permanents that are there (CR 702.26b), in any order."""
    cdef bint yours = asks_for(g, n.a, FT_YOURS, 0)
    # Where values are dirty, or being computed, so is the set of creatures.
    cdef bint creatures = g.h.bits_dirty == 0 and asks_for(g, n.a, FT_TYPES_ANY, T_CREATURE)
    cdef int count = 0
    cdef int most = 0
    cdef int p
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    for w in range(g.lay.words):
        bits = 0
        for p in range(<int>g.lay.players):
            if not yours or p == c.controller:
                bits |= ctrl_set(g, p)[w]
        if creatures:
            bits &= g.b_creature[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if not rare(g.status[row] & ST_PHASED_OUT) and passes(g, c, n.a, row):
                if count == 0 or g.power[row] > most:
                    most = g.power[row]
                count += 1
                if n.op == V_EXISTS:
                    return 1
    return most if n.op == V_GREATEST_POWER else count


cdef bint on_battlefield(Game *g, const Ctx *c, int ref) noexcept nogil:
    cdef Walk w
    cdef Obj o
    walk(g, c, ref, &w)
    while walk_next(g, c, &w, &o):
        if is_live(g, o.row, o.id) and g.zone[o.row] == Z_BATTLEFIELD and not rare(g.status[o.row] & ST_PHASED_OUT):
            return True
    return False


cdef int cast_before(Game *g, const Ctx *c, int ref) noexcept nogil:
    """CR 702.40a: spells cast this turn before that one; all, if it was not cast this turn."""
    cdef uint16_t row = 0
    cdef uint32_t id = 0
    cdef int policy = 0
    cdef int count = 0
    cdef int i
    ref_object(g, c, ref, &row, &id, &policy)
    for i in range(g.h.history_n):
        if g.history[i].turn == g.h.turn and 1 << g.history[i].kind == H_CAST:
            if id and g.history[i].obj_id == id:
                break
            count += 1
    return count


cdef int number_of(Game *g, const Ctx *c, int ref) noexcept nogil:
    cdef Walk w
    cdef Obj o
    cdef int n = bits_in(<uint32_t>ref_players(g, c, ref))
    walk(g, c, ref, &w)
    while walk_next(g, c, &w, &o):
        n += 1
    return n


cdef bint matches(Game *g, const Ctx *c, const Node *n, bint *known) noexcept nogil:
    """An object or player of reference a passes filter b; no answer where there is none (CR 608.2b)."""
    cdef Walk w
    cdef Obj o
    cdef Facts f
    cdef int policy = ref_policy(g.cards.refs[n.a].op)
    cdef int mask = ref_players(g, c, n.a)
    cdef int p
    cdef bint any = mask != 0
    for p in range(<int>g.lay.players):
        if mask >> p & 1 and passes_player(g, c, n.b, p):
            return True
    walk(g, c, n.a, &w)
    while walk_next(g, c, &w, &o):
        if ask(g, c, &o, policy, &f):
            any = True
            if passes_facts(g, c, n.b, &f):
                return True
    if not any:
        known[0] = False
    return False


cdef int fact_value(Game *g, const Ctx *c, const Node *n, bint *known) noexcept nogil:
    """A number of one object (CR 608.2h)."""
    cdef Obj o
    cdef Facts f
    cdef int policy = 0
    if not ref_object(g, c, n.a, &o.row, &o.id, &policy) or not ask(g, c, &o, policy, &f):
        known[0] = False
        return 0
    if n.op == V_POWER:
        return f.power
    if n.op == V_TOUGHNESS:
        return f.toughness
    if n.op == V_MANA_VALUE:
        return mana_value(g, f.defn, f.oflags, f.zone, f.x)
    if n.op == V_DAMAGE:
        return f.damage
    if n.op == V_COLORS:
        return bits_in(f.colors & 31)
    if n.op == V_LEVEL:
        return level_in(g, f.extra)
    return counters_known(g, &f, n.b)


cdef int player_value(Game *g, const Ctx *c, const Node *n, bint *known) noexcept nogil:
    """A number of one player, as last known if the player left (CR 800.4i)."""
    cdef int mask = ref_players(g, c, n.a)
    cdef int p, v
    if mask == 0:
        known[0] = False
        return 0
    p = ctz64(<uint64_t>mask)  # one player, or the first of several
    if n.op == V_LIFE:
        v = g.p_life[p]
    elif in_game(g, p):
        v = g.z_n[(Z_LIBRARY if n.op == V_LIBRARY_SIZE else Z_GRAVEYARD if n.op == V_GRAVEYARD_SIZE else Z_HAND)
                  * <int>g.lay.players + p]
    else:
        v = (g.p_left_library if n.op == V_LIBRARY_SIZE else g.p_left_graveyard if n.op == V_GRAVEYARD_SIZE
             else g.p_left_hand)[p]
    if not in_game(g, p):
        trace(g, TR_ANSWER, P_PLAYER, n.op, v, p, 0)
    return v


cdef int both_or_either(Game *g, const Ctx *c, const Node *n, bint *known) noexcept nogil:
    """BOTH, EITHER: one known operand can decide."""
    cdef bint known_a = True
    cdef bint known_b = True
    cdef bint decides = n.op == V_EITHER
    cdef bint a = value(g, c, n.a, &known_a) != 0
    cdef bint b
    if known_a and a == decides:
        return decides
    b = value(g, c, n.b, &known_b) != 0
    if known_b and b == decides:
        return decides
    if not known_a or not known_b:
        known[0] = False
    return not decides


cdef int value(Game *g, const Ctx *c, int node, bint *known) noexcept nogil:
    """A number of the effect language, determined now (CR 608.2h); `known` becomes false where it can't be (608.2b)."""
    cdef const Node *n = &g.cards.values[node]
    cdef int op = n.op
    cdef int a, b
    if op == V_CONST:
        return bounded(n.a)
    elif op == V_X:
        return bounded(c.x)
    elif (op == V_POWER or op == V_TOUGHNESS or op == V_MANA_VALUE or op == V_COUNTERS or op == V_DAMAGE
          or op == V_COLORS or op == V_LEVEL):
        return bounded(fact_value(g, c, n, known))
    elif op == V_COUNT or op == V_EXISTS or op == V_GREATEST_POWER:
        return bounded(over_board(g, c, n))
    elif op == V_HAND_SIZE or op == V_LIFE or op == V_LIBRARY_SIZE or op == V_GRAVEYARD_SIZE:
        return bounded(player_value(g, c, n, known))
    elif op == V_EVENT_AMOUNT:
        return bounded(c.amount)
    elif op == V_NUMBER_OF:
        return bounded(number_of(g, c, n.a))
    elif op == V_RESULT:
        return bounded(c.result)
    elif op == V_KICKED:
        return bounded(kicked_times(g, c, n.a))
    elif op == V_COUNT_ZONE:
        return bounded(count_zone(g, c, n, known))
    elif op == V_HAPPENED:
        return bounded(happened_times(g, c, n))
    elif op == V_MATCHES:
        return matches(g, c, n, known)
    elif op == V_YOUR_TURN:
        return c.controller == g.h.active
    elif op == V_STEP_IS:
        return g.h.step == n.a
    elif op == V_ON_BATTLEFIELD:
        return on_battlefield(g, c, n.a)
    elif op == V_SORCERY_TIME:
        return (c.controller == g.h.active and (g.h.step == STEP_MAIN1 or g.h.step == STEP_MAIN2)
                and g.h.n_stack == (is_live(g, c.source_row, c.source_id) and g.zone[c.source_row] == Z_STACK))
    elif op == V_MANA_SPENT:
        i = entry_next(g, source_list(g, c), RK_SPENT, 0)
        return <int>chunk_refs(g, source_list(g, c))[i].id if i >= 0 else 0
    elif op == V_CHOSEN_NUMBER:
        return max(0, chosen_for_source(g, c, CN_NUMBER))
    elif op == V_WAS_CAST:
        return was_cast(g, c)
    elif op == V_CAST_BEFORE:
        return bounded(cast_before(g, c, n.a))
    elif op == V_DIVIDED:
        return bounded(c.share)
    elif op == V_CAST_WAY:
        return cast_way(g, c, n.a)
    elif op == V_HAPPENED_LAST_TURN:
        return bounded(happened_times(g, c, n))
    elif V_PLAYER_COUNTERS <= op <= V_HAS_FACT:
        return bounded(value_of_players(g, c, n, 0 if op == V_VOTES or op == V_DAY_IS else ref_players(g, c, n.a),
                                        known))
    elif op == V_BOTH or op == V_EITHER:
        return both_or_either(g, c, n, known)
    elif op == V_DEVOTION:
        return bounded(devotion(g, c, n))
    elif op == V_GREATEST or op == V_LEAST:
        return bounded(extreme(g, c, n))
    elif op == V_COUNT_OF:
        return bounded(count_of(g, c, n))
    a = value(g, c, n.a, known)
    if op == V_NOT:
        return a == 0
    elif op == V_HALF_UP:
        return (a + 1) >> 1
    elif op == V_HALF_DOWN:
        return a >> 1
    b = value(g, c, n.b, known)
    if op == V_QUOTIENT:
        return bounded(a // b) if a > 0 and b > 0 else 0
    if op == V_ADD:
        return bounded(a + b)
    elif op == V_SUB:
        return bounded(a - b)
    elif op == V_MUL:
        return bounded(a * b)
    elif op == V_MIN:
        return min(a, b)
    elif op == V_MAX:
        return max(a, b)
    elif op == V_AT_LEAST:
        return a >= b
    return a == b  # V_EQUAL


cdef bint holds(Game *g, const Ctx *c, int node) noexcept nogil:
    cdef bint known = True
    if node < 0:
        return True
    return value(g, c, node, &known) != 0 and known


# ------------------------------------------------------------------------------------------------ filters

cdef int size_elsewhere(Game *g, uint16_t row, bint power) noexcept nogil:
    """CR 604.3: outside the battlefield an ability that defines the size is asked anew."""
    cdef int p = g.power[row]
    cdef int t = g.toughness[row]
    if face_of(g, g.defn[row]).flags & FACE_STATIC and sized_elsewhere(g, row):
        cda_size(g, row, g.controller[row], &p, &t)
    return p if power else t


cdef inline int power_of(Game *g, const Ctx *c, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return power_column(g, s) if sizes_stand(g, c, s) else size_elsewhere(g, s, True)
    else:
        return s.power


cdef inline int toughness_of(Game *g, const Ctx *c, Subject s) noexcept nogil:
    if Subject is uint16_t:
        return toughness_column(g, s) if sizes_stand(g, c, s) else size_elsewhere(g, s, False)
    else:
        return s.toughness


cdef bint targets_one(Game *g, const Ctx *c, int filter, Subject s) noexcept nogil:
    """CR 115.9b: by its present targets; those that are gone are ignored."""
    cdef uint16_t row
    cdef Ref *t
    cdef int i, k
    if Subject is uint16_t:
        row = s
    else:
        row = s.row if s.slot == NO_SLOT else 0
    for i in range(g.h.n_stack):
        if g.stack[i].row == row:
            for k in range(chunk_len(g, g.stack[i].targets)):
                t = &chunk_refs(g, g.stack[i].targets)[k]
                if t.kind == RK_PLAYER:
                    if in_game(g, t.row) and passes_player(g, c, filter, t.row):
                        return True
                elif is_live(g, t.row, t.id) and passes(g, c, filter, t.row):
                    return True
    return False


cdef bint compares(Game *g, const Ctx *c, const Node *n, Subject s) noexcept nogil:
    cdef bint known = True
    cdef int v
    if n.a == FK_POWER:
        v = power_of(g, c, s)
    elif n.a == FK_TOUGHNESS:
        v = toughness_of(g, c, s)
    elif n.a == FK_MANA_VALUE:
        v = cost_of(g, s)
    elif n.a == FK_DAMAGE:
        v = damage_of(g, s)
    else:
        v = counters_of(g, s, CK_P1P1)
    if n.b >= 0 and v < value(g, c, n.b, &known):
        return False
    if n.c >= 0 and v > value(g, c, n.c, &known):
        return False
    return known


cdef bint agrees(Game *g, const Ctx *c, const Node *n, Subject s) noexcept nogil:
    """Filters that compare with an object of a reference; false where there is no answer."""
    cdef Walk w
    cdef Obj o
    cdef Facts f
    cdef int policy = ref_policy(g.cards.refs[n.a].op)
    walk(g, c, n.a, &w)
    while walk_next(g, c, &w, &o):
        if not ask(g, c, &o, policy, &f):
            continue
        if n.op == FT_SAME_NAME:
            if not (f.oflags | oflags_of(g, s)) & OF_ABILITY:
                if share_name(g, f.defn, defn_of(g, s)):
                    return True
        elif n.op == FT_SHARES_COLOR:
            if f.colors & colors_of(g, s) & 31:
                return True
        elif n.op == FT_SAME_CONTROLLER:
            if f.controller == controller_of(g, s):
                return True
        elif shares_type(g, &f, s):
            return True
    return False


cdef bint passes_rare(Game *g, const Ctx *c, int node, Subject s) noexcept nogil:
    """The filters that few ask for."""
    cdef const Node *n = &g.cards.filters[node]
    cdef int op = n.op
    cdef Obj o
    if op == FT_HOST:
        return host_of(g, c, &o) and o.id == id_of(g, s)
    elif op == FT_OWNED:
        return owner_of(g, s) == c.controller
    elif op == FT_CONTROLLED_BY:
        return ref_players(g, c, n.a) >> controller_of(g, s) & 1
    elif op == FT_OWNED_BY:
        return ref_players(g, c, n.a) >> owner_of(g, s) & 1
    elif op == FT_IS:
        return among(g, c, n.a, id_of(g, s))
    elif op == FT_COUNTERS:
        return counters_of(g, s, n.a) >= n.b
    elif op == FT_DAMAGED:
        return damage_of(g, s) > 0
    elif op == FT_NAMED:
        return not oflags_of(g, s) & OF_ABILITY and share_name(g, defn_of(g, s), <uint16_t>n.a)
    elif op == FT_SAME_NAME or op == FT_SHARES_COLOR or op == FT_SAME_CONTROLLER or op == FT_SHARES_SUBTYPE:
        return agrees(g, c, n, s)
    elif op == FT_COMPARE:
        return compares(g, c, n, s)
    elif op == FT_SPELL:
        return zone_of(g, s) == Z_STACK and not oflags_of(g, s) & OF_ABILITY
    elif op == FT_ABILITY:
        return (oflags_of(g, s) & OF_ABILITY) != 0
    elif op == FT_TARGETS:
        return targets_one(g, c, n.a, s)
    elif op == FT_BLOCKED:
        return (combat_of(g, s) & CB_BLOCKED) != 0
    elif op == FT_UNBLOCKED:
        return (attacks_of(g, s) != 0 and not combat_of(g, s) & CB_BLOCKED
                and STEP_DECLARE_BLOCKERS <= g.h.step <= STEP_END_COMBAT)
    elif op == FT_ATTACKS_YOU:
        return attacks_of(g, s) == c.controller + 1 and blocks_of(g, s) == 0
    elif op == FT_COLOR_COUNT:
        return n.a <= bits_in(colors_of(g, s) & 31) <= n.b
    elif op == FT_ENCHANTED:
        return bears(g, s, FACE_AURA)
    elif op == FT_EQUIPPED:
        return bears(g, s, FACE_EQUIPMENT)
    elif op == FT_MODIFIED_BY_COUNTER:
        return has_counter(g, s)
    elif op == FT_OTHER_TARGET:
        return not target_already(g, c, id_of(g, s), RK_OBJECT, 0)
    elif op == FT_CHOSEN_COLOR:
        return max(0, chosen_for_source(g, c, CN_COLOR)) & colors_of(g, s) & 31 != 0
    elif op == FT_CHOSEN_SUBTYPE:
        return chosen_for_source(g, c, CN_TYPE) >= 0 and of_subtype(g, s, chosen_for_source(g, c, CN_TYPE))
    elif op == FT_KICKED:
        return kicked(g, list_of(g, s))
    elif op == FT_ENTERED_NOW:
        return entered_now(g, s)
    elif op == FT_ATTACKED_NOW:
        return logged(g, H_ATTACKED, id_of(g, s))
    elif op == FT_BLOCKS_SOURCE:
        return c.source_id != 0 and (blocks_of(g, s) == c.source_id or also_in(g, list_of(g, s), c.source_id))
    elif op == FT_BLOCKED_BY_SOURCE:
        return blocked_by(g, c) == id_of(g, s) or also_in(g, source_list(g, c), id_of(g, s))
    elif op == FT_DAMAGED_BY:
        return damaged_by(g, c, n.a, id_of(g, s))
    elif op == FT_DESIGNATED:
        return designated(g, list_of(g, s), n.a)
    elif op == FT_NEWLY_CONTROLLED:
        return (status_of(g, s) & ST_NEW) != 0
    return False  # filters of players


cdef inline bint passes_quickly(Game *g, const Ctx *c, int node, Subject s) noexcept nogil:
    cdef int answer = passes_plain(g, c, &g.cards.filters[node], s)
    if answer >= 0:
        return answer
    if Subject is uint16_t:
        return row_apart(passes_node[uint16_t])(g, c, node, s)
    else:
        return facts_apart(passes_node[FactsPtr])(g, c, node, s)


cdef bint passes_node(Game *g, const Ctx *c, int node, Subject s) noexcept nogil:
    """A filter on an object, by computed values."""
    cdef const Node *n = &g.cards.filters[node]
    cdef int answer
    while n.op == FT_AND:
        if not passes_quickly(g, c, n.a, s):
            return False
        node = n.b
        n = &g.cards.filters[node]
    answer = passes_plain(g, c, n, s)
    if answer >= 0:
        return answer
    if n.op == FT_OR:
        return passes_quickly(g, c, n.a, s) or passes_quickly(g, c, n.b, s)
    elif n.op == FT_NOT:
        return not passes_quickly(g, c, n.a, s)
    elif n.op == FT_SUBTYPE:
        return of_subtype(g, s, subtype_in_text(g, c.source_row, c.source_id, n.a))
    elif n.op == FT_MANA_VALUE:
        return n.a <= cost_of(g, s) <= n.b
    elif n.op == FT_POWER:
        return n.a <= power_of(g, c, s) <= n.b
    elif n.op == FT_TOUGHNESS:
        return n.a <= toughness_of(g, c, s) <= n.b
    if Subject is uint16_t:
        return row_apart(passes_rare[uint16_t])(g, c, node, s)
    else:
        return facts_apart(passes_rare[FactsPtr])(g, c, node, s)


cdef bint passes(Game *g, const Ctx *c, int node, uint16_t row) noexcept nogil:
    return node < 0 or passes_quickly(g, c, node, row)


cdef bint passes_facts(Game *g, const Ctx *c, int node, const Facts *f) noexcept nogil:
    return node < 0 or passes_quickly(g, c, node, <FactsPtr>f)


cdef bint passes_player_node(Game *g, const Ctx *c, const Node *n, int player) noexcept nogil:
    if n.op == FT_OPPONENT:
        return player != c.controller
    if n.op == FT_YOU:
        return player == c.controller
    if n.op == FT_AND:
        return passes_player(g, c, n.a, player) and passes_player(g, c, n.b, player)
    if n.op == FT_OR:
        return passes_player(g, c, n.a, player) or passes_player(g, c, n.b, player)
    if n.op == FT_NOT:
        return not passes_player(g, c, n.a, player)
    if n.op == FT_PLAYER_IS or n.op == FT_IS:
        return ref_players(g, c, n.a) >> player & 1
    if n.op == FT_DID:
        return did(g, c, n, player)
    if n.op == FT_OTHER_TARGET:
        return not target_already(g, c, 0, RK_PLAYER, player)
    return False
