"""Bit sets and summaries of what objects are and have, kept as they come, go and change."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of
from lkicore._defs cimport ability_at, face_of
from lkicore._expr cimport cda_size
from lkicore._guard cimport apart, ctz64
from lkicore._hidden cimport turn_ups
from lkicore._layout cimport Game
from lkicore._mana cimport mana_update, tapping
from lkicore._opcodes cimport *
from lkicore._store cimport clear_bit, ctrl_set, has_bit, is_live, look_at, set_bit, touched
from lkicore._types cimport Ability, FACE_ACTS, FACE_STATIC, Face, LAYER_PLAYERS

# What an object's abilities ask of the indexes.
cdef struct Survey:
    uint64_t listens     # 1 << EventKind
    uint32_t reads       # Read bits of its static abilities
    uint32_t replaces    # 1 << ReplaceOp
    uint16_t restricts   # 1 << RuleOp
    uint16_t reach       # zones, other than the battlefield, of what its static abilities affect
    uint16_t casting     # 1 << CastOp
    bint has_static
    bint rules           # ... and one says facts of players
    bint reaches         # a static ability affects more than its own permanent


cdef void reset_values(Game *g, uint16_t row) noexcept nogil:
    """Values of an object that only its definition says something about: what is in no zone that effects reach."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int power = f.power
    cdef int toughness = f.toughness
    g.types[row] = f.types
    g.colors[row] = f.colors
    g.keywords[row] = f.keywords
    g.mana[row] = f.mana
    if f.flags & FACE_STATIC:
        cda_size(g, row, g.owner[row], &power, &toughness)
    g.power[row] = <int16_t>power
    g.toughness[row] = <int16_t>toughness


cdef bint has_activated(const Game *g, uint16_t row) noexcept nogil:
    """An activated ability that its player activates by itself and that works where the object is (CR 113.6)."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Face *f
    cdef int n, i
    if g.status[row] & ST_FACE_DOWN and turn_ups(g, row, list):
        return True
    if not g.oflags[row] & OF_OWN_ABILITIES:
        f = face_of(g, g.defn[row])
        return (f.flags & FACE_ACTS) != 0 if g.zone[row] == Z_BATTLEFIELD else f.act_zones >> g.zone[row] & 1
    n = abilities_of(g, row, list)
    for i in range(n):
        if ability_of(g, list[i]).alone and ability_of(g, list[i]).zones >> g.zone[row] & 1:
            return True
    return False


cdef void count_actor(Game *g, uint16_t row, bint acts) noexcept nogil:
    """The object has, or has no more, an ability that its controller could activate."""
    if acts == has_bit(g.b_acts, row):
        return
    if acts:
        set_bit(g.b_acts, row)
        g.p_actors[g.controller[row]] += 1
        g.h.n_instants += 1
    else:
        clear_bit(g.b_acts, row)
        g.p_actors[g.controller[row]] -= 1
        g.h.n_instants -= 1


cdef void out_of_combat(Game *g, uint16_t row) noexcept nogil:
    """CR 506.4: it has another controller, or is no creature any more."""
    if g.attacks[row] or g.combat[row]:
        changed(g, RD_COMBAT)
    g.attacks[row] = 0
    g.combat[row] = 0
    g.assigned[row] = 0
    g.blocks_row[row] = 0
    g.blocks_id[row] = 0


cdef void set_kind_bits(Game *g, uint16_t row) noexcept nogil:
    """Bit sets of a permanent that depend on its types and abilities."""
    cdef bint creature = (g.types[row] & T_CREATURE) != 0
    if creature != has_bit(g.b_creature, row):
        g.h.fighters_old = 1
        if creature:
            set_bit(g.b_creature, row)
        else:
            clear_bit(g.b_creature, row)
            out_of_combat(g, row)
    count_actor(g, row, has_activated(g, row))


cdef void switch_controller(Game *g, uint16_t row, int player) noexcept nogil:
    """A permanent comes under another player's control; it is summoning sick (302.6) and out of combat (506.4)."""
    if g.controller[row] == player:
        return
    # Uncount it with its former controller first.
    g.status[row] |= ST_PHASED_OUT
    mana_update(g, row)
    g.status[row] &= <uint8_t>~<int>ST_PHASED_OUT
    clear_bit(ctrl_set(g, g.controller[row]), row)
    if has_bit(g.b_acts, row):
        g.p_actors[g.controller[row]] -= 1
        g.p_actors[player] += 1
    g.controller[row] = <uint8_t>player
    if g.status[row] & ST_FACE_DOWN:
        g.known_to[row] |= <uint8_t>(1 << player)  # CR 708.5: its controller may look at it
    set_bit(ctrl_set(g, player), row)
    g.status[row] |= ST_SICK | ST_NEW
    set_bit(g.b_sick, row)
    out_of_combat(g, row)
    mana_update(g, row)
    if g.types[row] & (T_LEGENDARY | T_WORLD):
        look_at(g, row)
    touched(g)


cdef bint only_own(const Game *g, uint16_t row) noexcept nogil:
    """All its static abilities that work there affect itself or what it is attached to, and nothing else."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef int k
    if g.oflags[row] & OF_OWN_ABILITIES:
        return False
    for k in range(f.n_abilities):
        if (ability_of(g, ability_at(g, f, k)).kind == AB_STATIC and ability_of(g, ability_at(g, f, k)).own == 0
                and ability_of(g, ability_at(g, f, k)).zones >> g.zone[row] & 1):
            return False
    return True


cdef void reread(Game *g, int read) noexcept nogil:
    """What static abilities look at has changed: what they affect is dirty, all permanents if that can be any."""
    cdef uint32_t w
    cdef uint64_t bits
    cdef uint16_t row
    touched(g)
    if not g.h.reads & <uint32_t>read:
        return
    if g.h.bits_dirty & IN_PASS or g.h.reach or g.h.reads & <uint32_t>read & RD_ORDER:
        # (What defines characteristics of a card that something affects elsewhere is in no index.)
        dirty_all(g)
        return
    for w in range(g.lay.words):
        bits = g.b_static[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if (not g.oflags[row] & OF_OWN_ABILITIES and g.zone[row] == Z_BATTLEFIELD
                    and not face_of(g, g.defn[row]).reads & <uint32_t>read):
                continue
            if not only_own(g, row):
                dirty_all(g)
                return
            dirty(g, row)
            if (g.attached_id[row] and is_live(g, g.attached_row[row], g.attached_id[row])
                    and g.zone[g.attached_row[row]] == Z_BATTLEFIELD):
                dirty(g, g.attached_row[row])


cdef void change_controller(Game *g, uint16_t row, int player) noexcept nogil:
    """Another player controls it from now on, but for what control effects say (CR 110.2)."""
    g.base_ctrl[row] = <uint8_t>player
    switch_controller(g, row, player)
    changed(g, RD_BOARD)
    if has_bit(g.b_static, row):
        dirty_all(g)
    elif g.h.n_static or g.n_effects[row] or g.h.shields & WATCHED:
        dirty(g, row)


cdef inline bint defines(const Ability *a) noexcept nogil:
    """It defines characteristics: it works in every zone, and is asked wherever they are (CR 604.3)."""
    return a.zones >> Z_LIBRARY & a.zones >> Z_BATTLEFIELD & 1


cdef void survey(const Game *g, uint16_t row, Survey *s) noexcept nogil:
    """What the abilities of an object ask for, where it is."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef bint own = (g.oflags[row] & OF_OWN_ABILITIES) != 0
    cdef int n, i
    cdef int zone = g.zone[row]
    s.listens = f.listens if not own and f.listen_zones >> zone & 1 else 0
    s.reads = 0
    s.replaces = 0
    s.restricts = 0
    s.reach = 0
    s.casting = 0
    s.has_static = False
    s.rules = False
    s.reaches = False
    if zone == Z_BATTLEFIELD:
        if f.flags & FACE_STATIC:
            # Static abilities that it has lost may still apply in the layers before those where they are lost
            # (CR 613.6).
            s.reads = f.reads
            s.has_static = True
            s.reaches = own
        if not own:
            s.replaces = f.replaces
            s.casting = f.casting
            s.restricts = f.restricts
            if not s.has_static:
                return
    elif not own and not f.rule_zones >> zone & 1:
        return
    for i in range(f.n_abilities if own else 0):
        # What it has lost may still apply, see above.
        a = ability_of(g, ability_at(g, f, i))
        if a.kind == AB_STATIC and a.zones >> zone & 1 and not defines(a):
            s.reads |= a.reads
            s.reach |= 0 if defines(a) else a.affects
            s.has_static = True
    n = abilities_of(g, row, list)
    for i in range(n):
        a = ability_of(g, list[i])
        if not a.zones >> zone & 1:
            continue
        if a.kind == AB_STATIC and (zone == Z_BATTLEFIELD or not defines(a)):
            s.reads |= a.reads
            s.reach |= 0 if defines(a) else a.affects
            s.has_static = True
            s.rules |= a.layers >> LAYER_PLAYERS & 1
            s.reaches |= a.own == 0  # (a host is told by whoever attaches)
        elif own and a.kind == AB_TRIGGERED:
            s.listens |= <uint64_t>1 << a.event
            if a.flags & TF_MANA and zone == Z_BATTLEFIELD:
                s.casting |= 1 << CA_TAPPED
        elif a.kind == AB_REPLACEMENT and (own or zone != Z_BATTLEFIELD) and a.own != 1:
            s.replaces |= <uint32_t>1 << a.event
        elif own and a.kind == AB_REPLACEMENT and zone == Z_BATTLEFIELD and a.event != RP_TURNED_UP:
            s.replaces |= <uint32_t>1 << a.event
        elif own and a.kind == AB_MANA and a.program >= 0 and zone == Z_BATTLEFIELD:
            s.casting |= <uint16_t>(1 << CA_MANA)
        elif own and a.kind == AB_CASTING and a.own != 1 and zone == Z_BATTLEFIELD:
            s.casting |= <uint16_t>(1 << a.event)
        elif own and a.kind == AB_RULE and zone == Z_BATTLEFIELD:
            s.restricts |= <uint16_t>(1 << a.event)
    s.reach &= <uint16_t>~(1 << Z_BATTLEFIELD)


cdef inline uint64_t listened_for(const Game *g, uint16_t row) noexcept nogil:
    """What the triggered abilities of an object wait for, where it is."""
    cdef const Face *f
    cdef Survey s
    if g.oflags[row] & OF_OWN_ABILITIES:
        survey(g, row, &s)
        return s.listens
    f = face_of(g, g.defn[row])
    return f.listens if f.listen_zones >> g.zone[row] & 1 else 0


cdef void dirty_zones(Game *g, int zones) noexcept nogil:
    """The values of all objects in these zones must be computed anew."""
    cdef uint32_t k
    cdef uint16_t row
    for k in range(g.lay.lists):
        row = g.z_head[k] if zones >> (k // g.lay.players) & 1 else 0
        while row:
            dirty(g, row)
            row = g.znext[row]


cdef void count_sources(Game *g) noexcept nogil:
    """Permanents count as plain sources of mana again, or no more (see `_mana.tapping`)."""
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    while row:
        mana_update(g, row)
        row = g.znext[row]
    touched(g)


cdef void listen_anew(Game *g) noexcept nogil:
    cdef uint64_t bits
    cdef uint32_t w, i
    g.h.listening = 0
    for w in range(g.lay.words):
        bits = g.b_listen[w]
        while bits:
            g.h.listening |= listened_for(g, <uint16_t>(w * 64 + <uint32_t>ctz64(bits)))
            bits &= bits - 1
    for i in range(g.h.n_effects):
        if g.effect[i].kind == EK_DELAYED:
            listen_for(g, g.effect[i].what)
    if tapping(g):
        read_anew(g)  # what is tapped for mana may have waited for no more than its own


cdef void read_anew(Game *g) noexcept nogil:
    """`h.reads`, `h.replaces`, `h.reach` and `h.casting` anew."""
    cdef Survey s
    cdef uint64_t bits
    cdef uint32_t w, i
    cdef int before = g.h.reach
    cdef int cast = g.h.casting
    g.h.reads = g.h.reach_reads | g.h.reads & RD_ORDER
    g.h.replaces = 0
    g.h.restricts = 0
    g.h.reach = 0
    g.h.casting = 0
    for w in range(g.lay.words):
        bits = g.b_static[w] | g.b_replace[w] | g.b_casting[w]
        while bits:
            survey(g, <uint16_t>(w * 64 + <uint32_t>ctz64(bits)), &s)
            g.h.reads |= s.reads
            g.h.replaces |= s.replaces
            g.h.restricts |= s.restricts
            g.h.reach |= s.reach
            g.h.casting |= s.casting
            bits &= bits - 1
    g.h.wakes = g.h.reads | g.cards.way_reads
    for i in range(g.h.n_effects if g.h.shields >> EK_DELAYED & 1 else 0):
        if g.effect[i].kind == EK_DELAYED and ability_of(g, g.effect[i].what).flags & TF_MANA:
            g.h.casting |= 1 << CA_TAPPED
    if (g.h.casting ^ cast) >> CA_TAPPED & 1:
        count_sources(g)
    if before & ~g.h.reach:
        dirty_zones(g, before & ~g.h.reach)  # nothing affects them any more
    if g.h.reach_reads and not g.h.reach:
        g.h.reach_reads = 0
        read_anew(g)


cdef inline bint put_bit(uint64_t *set, uint16_t row, bint on) noexcept nogil:
    """True if the bit was set before."""
    cdef bint was = has_bit(set, row)
    if on:
        set_bit(set, row)
    elif was:
        clear_bit(set, row)
    return was


cdef inline bint only_listens(const Game *g, uint16_t row) noexcept nogil:
    """A permanent that is in none of the indexes but, perhaps, in that of what listens, and isn't to be."""
    cdef const Face *f = face_of(g, g.defn[row])
    cdef uint32_t w = row >> 6
    return (g.zone[row] == Z_BATTLEFIELD and not g.oflags[row] & OF_OWN_ABILITIES
            and (f.flags & FACE_STATIC | f.replaces | f.restricts | f.casting) == 0
            and not (g.b_static[w] | g.b_replace[w] | g.b_casting[w]) >> (row & 63) & 1)


cdef void index_object(Game *g, uint16_t row, bint present) noexcept nogil:
    """The object comes, goes, or has other abilities than before: its bits, and what they add up to."""
    cdef uint64_t listens
    if not only_listens(g, row):
        index_all(g, row, present)
        return
    listens = listened_for(g, row) if present else 0
    if put_bit(g.b_listen, row, listens != 0):
        listen_anew(g)
    else:
        g.h.listening |= listens


cdef apart index_all(Game *g, uint16_t row, bint present) noexcept nogil:
    cdef Survey s
    cdef bint listened, was_static, replaced, ruled
    survey(g, row, &s)
    if not present and g.oflags[row] & OF_OWN_ABILITIES:
        s.reaches = True  # its list may have gone with its LKI row already
    listened = put_bit(g.b_listen, row, present and s.listens != 0)
    replaced = put_bit(g.b_replace, row, present and (s.replaces | s.restricts) != 0)
    ruled = put_bit(g.b_casting, row, present and s.casting != 0)
    was_static = put_bit(g.b_static, row, present and s.has_static)
    if was_static != has_bit(g.b_static, row):
        if was_static:
            g.h.n_static -= 1
        else:
            g.h.n_static += 1
        if s.reaches:
            dirty_all(g)
    if listened:
        listen_anew(g)
    elif present:
        g.h.listening |= s.listens
    if was_static or replaced or ruled:
        read_anew(g)
    elif present:
        g.h.reads |= s.reads
        g.h.wakes |= s.reads
        g.h.replaces |= s.replaces
        if s.casting & ~g.h.casting:
            g.h.casting |= s.casting
            if s.casting >> CA_TAPPED & 1:
                count_sources(g)
        g.h.restricts |= s.restricts
        g.h.rules |= s.rules
        if s.reach & ~g.h.reach:
            g.h.reach |= s.reach
            dirty_all(g)
