"""Validating a block: whether bit sets, indexes, mana sources, computed values and combat follow from the columns."""
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._abilities cimport abilities_of, ability_of, entry_next, extra_drop
from lkicore._arena cimport chunk_refs
from lkicore._check_codes cimport *
from lkicore._copies cimport layer_one
from lkicore._defs cimport ability_at, face_of
from lkicore._facts cimport reached
from lkicore._game cimport NO_PLAYER, in_game, top_frame
from lkicore._hidden cimport turn_ups
from lkicore._index cimport WATCHED
from lkicore._layers cimport settle
from lkicore._layout cimport Effect, Game
from lkicore._mana cimport amount_of, tapping
from lkicore._opcodes cimport *
from lkicore._player_rules cimport USUAL_HAND
from lkicore._rng cimport N_PURPOSES
from lkicore._state cimport block_copy, block_free, block_new, block_open
from lkicore._store cimport ctrl_set, has_bit, set_bit, zone_first
from lkicore._types cimport FACE_ACTS, FACE_INSTANT_SPEED, FACE_STATIC, Ability, Face, MOST_ABILITIES, Node

cdef enum:
    MOST_POISON = 30000
    MOST_SIZE = 30000     # power and toughness stop here

cdef enum:
    # Kinds of effects that are counted in `n_effects` of the permanent that they apply to.
    FOLLOWING = 1 << EK_CHANGE | 1 << EK_REGENERATE | 1 << EK_PREVENT | 1 << EK_EXILE_INSTEAD | 1 << EK_COPY \
        | 1 << EK_GOAD | 1 << EK_REQUIRE | 1 << EK_EXERTED | 1 << EK_EXILE_LEAVING \
        | 1 << EK_TEXT

# What an object's abilities want of the indexes, where it is.
cdef struct Wants:
    uint64_t listens
    uint32_t reads
    int replaces
    int restricts
    int reach
    int casting
    bint is_static
    bint acts


cdef int hand_instants(const Game *g, int player) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_HAND, player)
    cdef int n = 0
    while row:
        if face_of(g, g.defn[row]).flags & FACE_INSTANT_SPEED:
            n += 1
        row = g.znext[row]
    return n


cdef int actors(const Game *g, int player) noexcept nogil:
    """Permanents, and cards elsewhere, with activated abilities that work there."""
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef int n = 0
    cdef int zone
    cdef Wants w
    while row:
        if g.controller[row] == player:
            survey(g, row, &w)
            if w.acts:
                n += 1
        row = g.znext[row]
    for zone in range(1, N_Z):
        if zone == Z_BATTLEFIELD or zone == Z_LIBRARY:
            continue
        row = zone_first(g, zone, player)
        while row:
            if (g.owner[row] == player and not g.oflags[row] & OF_ABILITY
                    and has_bit(g.b_acts, row)):
                n += 1
            row = g.znext[row]
    return n


cdef int check_players(const Game *g) noexcept nogil:
    """Ranges, mana pools, streams of chance, counts of what can be done at instant speed."""
    cdef int p, k, sum
    cdef uint32_t quick = 0
    cdef uint32_t facts = 0
    for p in range(<int>g.lay.players):
        if in_game(g, p):
            facts |= g.p_facts[p]
            if not g.h.rules and (g.p_facts[p] or g.p_hand_max[p] != USUAL_HAND or g.p_land_max[p] != 1):
                return bad(BAD_PLAYER, p)
    if facts & ~g.h.player_facts:
        return bad(BAD_PLAYER, 0)
    for p in range(<int>g.lay.players):
        if (not -MOST_LIFE <= g.p_life[p] <= MOST_LIFE or g.p_kept[p] > 1 or g.p_empty_draw[p] > 1
                or g.p_act[p] >> N_ACT or g.p_left_tick[p] > g.h.tick or g.p_doomed[p] > 1
                or g.p_poison[p] > MOST_POISON or g.p_decider[p] >= g.lay.players
                or g.p_facts[p] >> N_PY or g.p_marks[p] >> N_PM
                or g.p_turn_last[p] > g.h.turn or g.p_extra[p] >= g.lay.arena):
            return bad(BAD_PLAYER, p)
        sum = hand_instants(g, p)
        if sum != g.p_instants[p]:
            return bad(BAD_INSTANTS, p)
        quick += <uint32_t>sum
        sum = actors(g, p)
        if sum != g.p_actors[p]:
            return bad(BAD_ACTORS, p)
        quick += <uint32_t>sum
        sum = 0
        for k in range(6):
            sum += g.p_pool[p * 6 + k]
            if g.p_snow[p * 6 + k] > g.p_pool[p * 6 + k]:
                return bad(BAD_POOL_SUM, p)
        if sum != g.p_pool_n[p] or (sum and not g.h.pools):
            return bad(BAD_POOL_SUM, p)
        for k in range(N_PURPOSES):
            if not g.stream[(p * N_PURPOSES + k) * 2] and not g.stream[(p * N_PURPOSES + k) * 2 + 1]:
                return bad(BAD_STREAM, p)
    return FINE if quick == g.h.n_instants else bad(BAD_INSTANTS, NO_PLAYER)


cdef int mana_wanted(const Game *g, uint16_t row) noexcept nogil:
    """The mask that a permanent is to be counted with among its controller's untapped sources (CR 605, 302.6)."""
    if g.status[row] & (ST_TAPPED | ST_PHASED_OUT):
        return 0
    if g.types[row] & T_CREATURE and g.status[row] & ST_SICK and not g.keywords[row] & K_HASTE:
        return 0
    return 0 if tapping(g) else g.mana[row]


cdef bint plain_effects(const Game *g, uint16_t row, int *power, int *toughness, uint64_t *keywords) noexcept nogil:
    """Add up effects that give numbers and keywords and nothing else; false if there are others."""
    cdef uint32_t i
    cdef int k
    cdef const Effect *e
    cdef const Node *change
    for i in range(g.h.n_effects if g.n_effects[row] else 0):
        e = &g.effect[i]
        if e.kind != EK_CHANGE or e.affected_row != row or e.affected_id != g.id[row]:
            continue
        for k in range(e.n):
            change = &g.cards.changes[e.what + k]
            if change.op == X_ADD_KEYWORDS:
                keywords[0] |= <uint64_t><uint32_t>change.a | <uint64_t><uint32_t>change.b << 32
            elif change.op == X_ADD_PT and change.a == -1 and change.b == -2:
                power[0] += e.x
                toughness[0] += e.y
            else:
                return False
    return True


cdef bint values_follow(const Game *g, uint16_t row) noexcept nogil:
    """Computed values anew: definition, effects, counters (CR 613)."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int power = f.power
    cdef int toughness = f.toughness
    cdef uint64_t keywords = f.keywords
    if g.oflags[row] & OF_ABILITY:
        return not (g.types[row] | g.colors[row] | g.mana[row] | g.power[row] | g.toughness[row] | g.keywords[row])
    if g.zone[row] != Z_BATTLEFIELD and (reached(g, row) or has_bit(g.b_dirty, row)):
        return True
    if g.zone[row] == Z_BATTLEFIELD:
        if (g.h.n_static or f.flags & FACE_STATIC or g.oflags[row] & (OF_OWN_ABILITIES | OF_OWN_SUBTYPES)
                or not plain_effects(g, row, &power, &toughness, &keywords)):
            return True
        if g.controller[row] != g.base_ctrl[row]:
            return False
        power = max(-MOST_SIZE, min(MOST_SIZE, power + g.c_p1p1[row] - g.c_m1m1[row]))
        toughness = max(-MOST_SIZE, min(MOST_SIZE, toughness + g.c_p1p1[row] - g.c_m1m1[row]))
    if g.types[row] != f.types or g.colors[row] != f.colors or g.mana[row] != f.mana or g.keywords[row] != keywords:
        return False
    if f.flags & FACE_STATIC or (g.zone[row] == Z_BATTLEFIELD and not f.types & T_CREATURE):
        return True  # CR 604.3: the card itself may define them; 208.3: there are none
    return g.power[row] == <int16_t>power and g.toughness[row] == <int16_t>toughness


cdef inline bint defines(const Ability *a) noexcept nogil:
    """It defines characteristics, in every zone (CR 604.3)."""
    return a.zones >> Z_LIBRARY & a.zones >> Z_BATTLEFIELD & 1


cdef void survey(const Game *g, uint16_t row, Wants *w) noexcept nogil:
    """Which events it waits for, whether it acts, replaces, has static abilities: by the abilities that it has."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int zone = g.zone[row]
    cdef bint field = zone == Z_BATTLEFIELD
    cdef bint own = (g.oflags[row] & OF_OWN_ABILITIES) != 0
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef int n, i
    memset(w, 0, sizeof(Wants))
    if g.oflags[row] & OF_ABILITY:
        return
    # Abilities that static abilities took away still apply in the layers before (CR 613.6).
    for i in range(f.n_abilities):
        a = ability_of(g, ability_at(g, f, i))
        if a.kind == AB_STATIC and a.zones >> zone & 1 and (field or not defines(a)):
            w.is_static = True
            w.reads |= a.reads
            w.reach |= 0 if defines(a) else a.affects
    if not own:
        if f.listen_zones >> zone & 1:
            w.listens = f.listens
        if field:
            w.replaces = f.replaces
            w.restricts = f.restricts
        if field:
            w.casting = f.casting
        w.acts = (f.flags & FACE_ACTS) != 0 if field else f.act_zones >> zone & 1
        w.acts = w.acts or turn_ups(g, row, list) > 0
        if field or not f.rule_zones >> zone & 1:
            w.reach &= ~(1 << Z_BATTLEFIELD)
            return
    w.acts = turn_ups(g, row, list) > 0
    n = abilities_of(g, row, list)
    for i in range(n):
        a = ability_of(g, list[i])
        if not a.zones >> zone & 1:
            continue
        if a.kind == AB_TRIGGERED and field and a.flags & TF_MANA:
            w.casting |= 1 << CA_TAPPED
        if own and a.kind == AB_TRIGGERED:
            w.listens |= <uint64_t>1 << a.event
        elif own and a.kind == AB_ACTIVATED:
            w.acts = True
        elif a.kind == AB_REPLACEMENT and a.event == RP_TURNED_UP:
            pass
        elif own and field and a.kind == AB_RULE:
            w.restricts |= 1 << a.event
        elif a.kind == AB_REPLACEMENT and (field or a.own != 1):
            w.replaces |= 1 << a.event
        elif a.kind == AB_MANA:
            if field and a.program >= 0:
                w.casting |= 1 << CA_MANA
                w.acts = w.acts or (own and a.flags & MA_APART)
        elif a.kind == AB_CASTING:
            if field and a.own != 1:
                w.casting |= 1 << a.event
        elif a.kind == AB_STATIC and (field or not defines(a)):
            w.is_static = True
            w.reads |= a.reads
            w.reach |= 0 if defines(a) else a.affects
    w.reach &= ~(1 << Z_BATTLEFIELD)


cdef int check_index(const Game *g) noexcept nogil:
    cdef Wants w
    cdef uint64_t listening = 0
    cdef uint32_t reads = 0
    cdef int replaces = 0
    cdef int restricts = 0
    cdef int reach = 0
    cdef int casting = 0
    cdef int shields = 0
    cdef int n_static = 0
    cdef int n_attached = 0
    cdef uint32_t i
    cdef uint16_t row
    for i in range(1, g.lay.rows):
        row = <uint16_t>i
        if g.id[row] == 0:
            memset(&w, 0, sizeof(Wants))
        else:
            survey(g, row, &w)
        if has_bit(g.b_listen, row) != (w.listens != 0):
            return bad(BAD_LISTEN, i)
        if has_bit(g.b_static, row) != w.is_static:
            return bad(BAD_STATIC, i)
        if has_bit(g.b_replace, row) != ((w.replaces | w.restricts) != 0):
            return bad(BAD_REPLACE, i)
        if has_bit(g.b_casting, row) != (w.casting != 0):
            return bad(BAD_CASTING, i)
        if has_bit(g.b_attached, row) != (g.attached_id[row] != 0 and g.zone[row] != Z_PHASED_OUT):
            return bad(BAD_ATTACHED, i)
        listening |= w.listens
        reads |= w.reads
        replaces |= w.replaces
        restricts |= w.restricts
        reach |= w.reach
        casting |= w.casting
        n_static += w.is_static
        n_attached += g.attached_id[row] != 0 and g.zone[row] != Z_PHASED_OUT
    if (g.b_listen[0] | g.b_static[0] | g.b_replace[0] | g.b_attached[0] | g.b_casting[0]) & 1:
        return BAD_STRAY_BITS
    for i in range(g.h.n_effects):
        if g.effect[i].kind != EK_CHANGE:
            shields |= 1 << g.effect[i].kind
        elif g.effect[i].duration in (D_WHILE_CONTROLLED, D_WHILE_TAPPED, D_WHILE_YOURS_TAPPED):
            shields |= WATCHED
        if g.effect[i].kind == EK_DELAYED:
            listening |= <uint64_t>1 << ability_of(g, g.effect[i].what).event
    if n_static != g.h.n_static:
        return bad(BAD_STATIC, 0)
    if n_attached != g.h.n_attached:
        return bad(BAD_ATTACHED, 0)
    if listening != g.h.listening:
        return BAD_LISTENING
    # (Cards that something affects elsewhere add what their own abilities look at.)
    # Nor does an ability say that order matters.
    if reads | g.h.reach_reads != g.h.reads & ~<uint32_t>RD_ORDER or reach != g.h.reach or (
            g.h.reach_reads and not reach) or (g.h.wakes != g.h.reads | g.cards.way_reads):
        return BAD_READS
    if replaces != g.h.replaces or restricts != g.h.restricts:
        return BAD_REPLACES
    for i in range(<int>g.h.n_effects):
        if g.effect[i].kind == EK_DELAYED and ability_of(g, g.effect[i].what).flags & TF_MANA:
            casting |= 1 << CA_TAPPED
    if casting != g.h.casting:
        return bad(BAD_CASTING, 0)
    return FINE if shields == g.h.shields else BAD_SHIELDS


cdef bint bits_follow(const Game *g, uint16_t row) noexcept nogil:
    cdef Wants w
    cdef int p
    for p in range(<int>g.lay.players):
        if has_bit(ctrl_set(g, p), row) != (g.controller[row] == p):
            return False
    survey(g, row, &w)
    return (has_bit(g.b_creature, row) == ((g.types[row] & T_CREATURE) != 0)
            and has_bit(g.b_untapped, row) == ((g.status[row] & ST_TAPPED) == 0)
            and has_bit(g.b_sick, row) == ((g.status[row] & ST_SICK) != 0)
            and has_bit(g.b_acts, row) == w.acts)


cdef int check_field(const Game *g, Scratch *s) noexcept nogil:
    """Permanents: order, values, effects, bit sets, mana sources; all other rows have none of these."""
    cdef uint64_t lo[8]
    cdef uint64_t hi[8]
    cdef uint16_t row
    cdef uint32_t stamp = 0
    cdef uint32_t i
    cdef int p, n, c, mask, amount
    cdef uint32_t w
    cdef uint64_t field
    memset(lo, 0, sizeof(lo))
    memset(hi, 0, sizeof(hi))
    memset(s.seen, 0, g.lay.words * 8)
    row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    while row:
        set_bit(s.seen, row)
        if g.timestamp[row] <= stamp:
            return bad(BAD_ORDER, row)
        stamp = g.timestamp[row]
        if not bits_follow(g, row):
            return bad(BAD_BITS, row)
        if layer_one(g, row) != g.defn[row]:
            return bad(BAD_LAYER_ONE, row)
        n = 0
        for i in range(g.h.n_effects):
            if FOLLOWING >> g.effect[i].kind & 1 and g.effect[i].affected_id == g.id[row]:
                n += 1
        if n != g.n_effects[row]:
            return bad(BAD_EFFECTS, row)
        if g.h.all_dirty or has_bit(g.b_dirty, row):
            if not g.h.bits_dirty:
                return bad(BAD_BITS, row)
        else:
            if not values_follow(g, row):
                return bad(BAD_VALUES, row)
            if g.mana_in[row] != mana_wanted(g, row):
                return bad(BAD_MANA_SOURCE, row)
        if has_bit(g.b_sba, row) and not g.h.sba & SBA_OBJECTS:
            return bad(BAD_BITS, row)
        mask = g.mana_in[row]
        if mask:
            p = g.controller[row]
            amount = amount_of(g, row)
            if g.mana_n[row] != amount:
                return bad(BAD_MANA_SOURCE, row)
            for c in range(4):
                if mask >> c & 1:
                    lo[p] += <uint64_t>amount << (16 * c)
            hi[p] += <uint64_t>amount << 32
            for c in range(4, 6):
                if mask >> c & 1:
                    hi[p] += <uint64_t>amount << (16 * (c - 4))
            if mask & (mask - 1) or amount > 1:
                hi[p] += <uint64_t>1 << 48
        row = g.znext[row]
    for p in range(<int>g.lay.players):
        if g.p_mana_lo[p] != lo[p] or g.p_mana_hi[p] != hi[p]:
            return bad(BAD_MANA, p)
    for w in range(g.lay.words):
        field = s.seen[w]
        if (g.b_creature[w] | g.b_untapped[w] | g.b_sick[w] | g.b_sba[w]) & ~field:
            return BAD_STRAY_BITS
        for p in range(<int>g.lay.players):
            if ctrl_set(g, p)[w] & ~field:
                return BAD_STRAY_BITS
    return FINE


cdef int check_elsewhere(const Game *g) noexcept nogil:
    """Objects off the battlefield: values as printed unless something affects them there; tokens that wait to cease to
    exist (CR 704.5d)."""
    cdef uint32_t row
    cdef uint32_t i
    cdef int tokens = 0
    cdef int n
    cdef Wants wants
    for row in range(1, g.lay.rows):
        if g.id[row] == 0:
            if has_bit(g.b_acts, <uint16_t>row) or has_bit(g.b_dirty, <uint16_t>row):
                return BAD_STRAY_BITS
            continue
        if g.zone[row] == Z_BATTLEFIELD:
            continue
        if g.zone[row] == Z_PHASED_OUT:
            # As it was (CR 702.26): in no bit set, and counted nowhere.
            if (has_bit(g.b_acts, <uint16_t>row) or has_bit(g.b_creature, <uint16_t>row) or g.mana_in[row]
                    or g.attacks[row] or g.combat[row] or not g.status[row] & ST_PHASED_OUT
                    or not g.h.phasing & UF_PHASING):
                return bad(BAD_BITS, row)
            continue
        survey(g, <uint16_t>row, &wants)
        if has_bit(g.b_acts, <uint16_t>row) != wants.acts or (has_bit(g.b_dirty, <uint16_t>row) and not g.h.bits_dirty):
            return bad(BAD_BITS, row)
        n = 0
        for i in range(g.h.n_effects):
            if FOLLOWING >> g.effect[i].kind & 1 and g.effect[i].affected_id == g.id[row]:
                n += 1
        if n != g.n_effects[row]:
            return bad(BAD_EFFECTS, row)
        if g.oflags[row] & OF_TOKEN:
            tokens += 1
        if not values_follow(g, <uint16_t>row):
            return bad(BAD_VALUES, row)
    return FINE if tokens == g.h.n_tokens else BAD_TOKENS


# -------------------------------------------------------------------------------- computed anew

cdef bint same_list(const Game *a, const Game *b, uint16_t row, int kind) noexcept nogil:
    """The entries of one kind in an object's list are the same, in the same order."""
    cdef int i = entry_next(a, a.extra[row], kind, 0)
    cdef int k = entry_next(b, b.extra[row], kind, 0)
    while i >= 0 and k >= 0:
        if chunk_refs(a, a.extra[row])[i].row != chunk_refs(b, b.extra[row])[k].row:
            return False
        i = entry_next(a, a.extra[row], kind, i + 1)
        k = entry_next(b, b.extra[row], kind, k + 1)
    return i < 0 and k < 0


cdef inline bint same_bit(const uint64_t *a, const uint64_t *b, uint16_t row) noexcept nogil:
    return has_bit(a, row) == has_bit(b, row)


cdef bint same_index(const Game *a, const Game *b, uint16_t row) noexcept nogil:
    return (a.mana[row] == b.mana[row] and a.mana_in[row] == b.mana_in[row] and same_bit(a.b_acts, b.b_acts, row)
            and same_bit(a.b_creature, b.b_creature, row) and same_bit(a.b_listen, b.b_listen, row)
            and same_bit(a.b_static, b.b_static, row) and same_bit(a.b_replace, b.b_replace, row))


cdef int compare(const Game *a, const Game *b) noexcept nogil:
    """What computing all of `a` anew, which gave `b`, has changed."""
    cdef uint32_t i
    cdef uint16_t row
    for i in range(1, a.lay.rows):
        row = <uint16_t>i
        if a.id[row] == 0:
            continue
        if a.types[row] != b.types[row] or a.colors[row] != b.colors[row] or a.keywords[row] != b.keywords[row]:
            return bad(BAD_COMPUTED, i)
        if a.power[row] != b.power[row] or a.toughness[row] != b.toughness[row]:
            return bad(BAD_COMPUTED_SIZE, i)
        if (a.controller[row] != b.controller[row] or a.status[row] != b.status[row]
                or a.attacks[row] != b.attacks[row] or a.combat[row] != b.combat[row]):
            return bad(BAD_COMPUTED_CONTROL, i)
        if (a.oflags[row] != b.oflags[row] or not same_list(a, b, row, RK_ABILITY)
                or not same_list(a, b, row, RK_SUBTYPE)):
            return bad(BAD_COMPUTED_LIST, i)
        if not same_index(a, b, row):
            return bad(BAD_COMPUTED_INDEX, i)
    for i in range(a.lay.players):
        if (a.p_facts[i] != b.p_facts[i] or a.p_hand_max[i] != b.p_hand_max[i] or a.p_land_max[i] != b.p_land_max[i]):
            return bad(BAD_PLAYER, i)
    # (That order matters may be known from an earlier pass.)
    if (a.h.listening != b.h.listening or a.h.reads != b.h.reads | a.h.reads & RD_ORDER
            or a.h.replaces != b.h.replaces or a.h.n_static != b.h.n_static or a.h.reach != b.h.reach
            or a.h.n_instants != b.h.n_instants):
        return bad(BAD_COMPUTED_INDEX, 0)
    return FINE


cdef void undeclare(Game *g) noexcept nogil:
    """Nothing counts as declared before the last choice of a declaration (CR 508.1, 509.1)."""
    cdef int kind = top_frame(g).kind if g.h.n_frames else F_NONE
    cdef uint32_t i
    for i in range(1, g.lay.rows if kind == F_ATTACK or kind == F_BLOCK else 1):
        if kind == F_ATTACK:
            g.attacks[i] = 0
        if g.combat[i] & CB_MORE:
            extra_drop(g, <uint16_t>i, RK_BLOCKS)
        g.combat[i] = 0
        if g.attacks[i] == 0:
            g.blocks_row[i] = 0
            g.blocks_id[i] = 0


cdef int check_computed(const Game *g) noexcept nogil:
    cdef void *first
    cdef void *second
    cdef Game a, b
    cdef int code = FINE
    if g.h.status != GS_RUNNING:
        return FINE
    first = block_new(g.lay)
    second = block_new(g.lay)
    if first != NULL and second != NULL:
        # What waits to be computed is computed as it would be; then all of it, as if nothing were known.
        block_open(&a, first, g.lay)
        block_copy(first, g.h, g.lay)
        a.cards = g.cards
        undeclare(&a)
        settle(&a)
        block_open(&b, second, g.lay)
        block_copy(second, first, g.lay)
        b.cards = g.cards
        b.h.all_dirty = 1
        b.h.bits_dirty = 1
        settle(&b)
        if a.h.status == GS_RUNNING and b.h.status == GS_RUNNING:
            code = compare(&a, &b)
    block_free(first, g.lay)
    block_free(second, g.lay)
    return code


cdef int check_combat(const Game *g, Scratch *s) noexcept nogil:
    """Attackers and blockers only in combat; a blocker blocks something; references of permanents are kept."""
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef bint combat = STEP_DECLARE_ATTACKERS <= g.h.step <= STEP_END_COMBAT
    cdef int i
    memset(s.seen, 0, g.lay.words * 8)
    for i in range(g.h.n_fighters):
        set_bit(s.seen, g.fighter[i])
    while row:
        # CR 508.4: what was put onto the battlefield attacking is not among the fighters yet.
        if ((g.attacks[row] or g.combat[row] or g.blocks_id[row]) and not has_bit(s.seen, row)
                and not g.h.fighters_old):
            return bad(BAD_COMBAT, row)
        if g.damage[row] and not g.h.damaged:
            return bad(BAD_DAMAGE, row)
        if not combat and (g.attacks[row] or g.combat[row] or g.blocks_id[row]):
            return bad(BAD_COMBAT, row)
        # (An attacker's reference is the planeswalker or battle that it attacks.)
        if (g.blocks_id[row] != 0 and not g.attacks[row]) != ((g.combat[row] & CB_BLOCKING) != 0):
            return bad(BAD_COMBAT, row)
        if g.combat[row] & CB_MORE and not g.combat[row] & CB_BLOCKING:
            return bad(BAD_COMBAT, row)
        if g.combat[row] & CB_BLOCKED and not g.attacks[row]:
            return bad(BAD_COMBAT, row)
        if not kept(g, s, g.attached_row[row], g.attached_id[row]):
            return bad(LOST_ATTACHED, row)
        if not kept(g, s, g.blocks_row[row], g.blocks_id[row]):
            return bad(LOST_BLOCKED, row)
        row = g.znext[row]
    return FINE
