"""Attachments: Auras and Equipment (CR 301.5, 303.4, 701.3).

A permanent whose host has left stays among `b_attached`, with the reference to what its host was, until state-based
actions see to it (CR 704.5m-n): abilities may still ask what it was attached to.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, extra_add, extra_drop
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._casting cimport Manner, manner_of
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx, Facts, passes, passes_player, plain_context, read_facts
from lkicore._game cimport in_game
from lkicore._guard cimport ctz64, on_stack
from lkicore._layers cimport changed, dirty, dirty_all
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._player_rules cimport player_guarded
from lkicore._protection cimport protected_from
from lkicore._store cimport (clear_bit, has_bit, is_live, link_tail, look_at, new_timestamp, set_bit, touched, trace,
                             unlink, zone_first, zone_list)
from lkicore._triggers cimport happened, heard
from lkicore._types cimport Face, FACE_AURA, NONE16, TargetSpec


cdef int gained_enchant(const Game *g, uint16_t row) noexcept nogil:
    """The filter of an enchant ability that it has gained instead of its own (CR 303.4, 702.5); -1 none."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int i, n
    if not g.oflags[row] & OF_OWN_ABILITIES:
        return -1
    n = abilities_of(g, row, list)
    for i in range(n - 1, -1, -1):
        if ability_of(g, list[i]).kind == AB_ENCHANT:
            return ability_of(g, list[i]).filter
    return -1


cdef bint bestowed(const Game *g, uint16_t row) noexcept nogil:
    cdef Manner m
    if g.extra[row] == 0:
        return False
    manner_of(g, g.extra[row], &m)
    return m.own != NULL and m.own.kind == W_BESTOW


cdef bint end_bestow(Game *g, uint16_t row) noexcept nogil:
    if not bestowed(g, row):
        return False
    extra_drop(g, row, RK_WAY)
    dirty(g, row)
    touched(g)
    return True


cdef bint is_aura(const Game *g, uint16_t row) noexcept nogil:
    return (face_of(g, g.defn[row]).flags & FACE_AURA) != 0 or gained_enchant(g, row) >= 0


cdef const TargetSpec *enchants(const Game *g, uint16_t row) noexcept nogil:
    """What its printed enchant ability allows (CR 303.4a, 702.5a): what its spell targets; NULL nothing."""
    cdef const Face *f = face_of(g, g.defn[row])
    if f.spell == NONE16 or g.cards.abilities[f.spell].n_targets == 0:
        return NULL
    return &g.cards.targets[g.cards.abilities[f.spell].first_target]


cdef int host_zone(const Game *g, uint16_t row) noexcept nogil:
    """The zone of what it can enchant; Z_NONE: players."""
    cdef const TargetSpec *t = enchants(g, row)
    if gained_enchant(g, row) >= 0 or t == NULL:
        return Z_BATTLEFIELD
    return t.zone if t.objects else Z_NONE


cdef bint can_enchant(Game *g, uint16_t row, uint16_t host, int controller) noexcept nogil:
    cdef const TargetSpec *t
    cdef Ctx c
    cdef int filter = gained_enchant(g, row)
    plain_context(g, row, g.id[row], controller, &c)
    if filter >= 0:
        return g.zone[host] == Z_BATTLEFIELD and passes(g, &c, filter, host)
    t = enchants(g, row)
    if t == NULL or not t.objects or t.zone != g.zone[host]:
        return False
    return passes(g, &c, t.filter, host)


cdef bint could_enchant_player(Game *g, uint16_t row, int player, int controller) noexcept nogil:
    cdef const TargetSpec *t = enchants(g, row)
    cdef Ctx c
    cdef Facts own
    if t == NULL or not t.players or not in_game(g, player):
        return False
    if g.h.player_facts & PY_PLAYER_PROTECTION and read_facts(g, row, g.id[row], P_LIVE_ONLY, &own) \
            and player_guarded(g, player, &own):
        return False  # CR 702.16c
    plain_context(g, row, g.id[row], controller, &c)
    return passes_player(g, &c, t.filter, player)


cdef int host_player(const Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t list = g.extra[row]
    cdef int i
    for i in range(chunk_len(g, list)):
        if chunk_refs(g, list)[i].kind == RK_PLAYER:
            return chunk_refs(g, list)[i].row
    return -1


cdef void attach_to_player(Game *g, uint16_t row, int player) noexcept nogil:
    if g.zone[row] != Z_BATTLEFIELD or not could_enchant_player(g, row, player, g.controller[row]):
        return
    extra_drop(g, row, RK_PLAYER)
    extra_add(g, row, RK_PLAYER, 0, <uint16_t>player, 0)
    g.timestamp[row] = new_timestamp(g)
    unlink(g, zone_list(g, Z_BATTLEFIELD, 0), row)
    link_tail(g, zone_list(g, Z_BATTLEFIELD, 0), row)
    dirty_all(g)
    look_at(g, row)
    touched(g)
    trace(g, TR_ATTACH, g.defn[row], -2 - player, 0, 0, g.id[row])


cdef bint could_be_attached(Game *g, uint16_t row, uint16_t host, int controller) noexcept nogil:
    cdef const Face *f = face_of(g, g.defn[row])
    cdef Facts facts
    # CR 301.5c, 303.4d: not to itself, and not while it is a creature.
    if row == host or host == 0 or g.types[row] & T_CREATURE or g.status[host] & ST_PHASED_OUT:
        return False
    if is_aura(g, row):
        if not can_enchant(g, row, host, controller):
            return False
    elif g.zone[host] != Z_BATTLEFIELD or not g.types[host] & f.hosts:
        return False  # CR 301.5, 301.6
    if not g.keywords[host] & K_PROTECTION:
        return True
    # CR 702.16c-d.
    return read_facts(g, row, g.id[row], P_LIVE_ONLY, &facts) and not protected_from(g, host, &facts)


cdef bint can_be_attached(Game *g, uint16_t row, uint16_t host) noexcept nogil:
    return could_be_attached(g, row, host, g.controller[row])


cdef bint affects_others(const Game *g, uint16_t row) noexcept nogil:
    """It has a static ability about more than itself and its host: its timestamp counts for all of them."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef int n, i
    if not has_bit(g.b_static, row):
        return False
    n = abilities_of(g, row, list)
    for i in range(n):
        if ability_of(g, list[i]).kind == AB_STATIC and ability_of(g, list[i]).own == 0:
            return True
    return False


cdef void let_go(Game *g, uint16_t row) noexcept nogil:
    """It is not attached any more (CR 701.3d)."""
    cdef uint16_t host = g.attached_row[row]
    cdef uint32_t id = g.attached_id[row]
    clear_bit(g.b_attached, row)
    g.h.n_attached -= 1
    g.attached_row[row] = 0
    g.attached_id[row] = 0
    dirty(g, row)
    changed(g, RD_ATTACHED)
    touched(g)
    # Where the host has left, it became unattached then.
    if id and is_live(g, host, id) and g.zone[host] == Z_BATTLEFIELD:
        dirty(g, host)
        if heard(g, EV_UNATTACHED):
            happened(g, EV_UNATTACHED, row, g.id[row], host, id, g.controller[row], 0, 0)


cdef void attach(Game *g, uint16_t row, uint16_t host) noexcept nogil:
    cdef int k = zone_list(g, Z_BATTLEFIELD, 0)
    if g.zone[row] != Z_BATTLEFIELD or g.status[row] & ST_PHASED_OUT:
        return
    if has_bit(g.b_attached, row):
        # CR 701.3b: to what it is attached to already, nothing happens.
        if (g.attached_row[row] == host and is_live(g, host, g.attached_id[row])) or not can_be_attached(g, row, host):
            return
        let_go(g, row)
    elif not can_be_attached(g, row, host):
        return
    g.attached_row[row] = host
    g.attached_id[row] = g.id[host]
    set_bit(g.b_attached, row)
    g.h.n_attached += 1
    # CR 613.7e, 701.3c: a new timestamp; the battlefield is in the order of timestamps.
    g.timestamp[row] = new_timestamp(g)
    unlink(g, k, row)
    link_tail(g, k, row)
    dirty(g, row)
    if g.zone[host] == Z_BATTLEFIELD:
        dirty(g, host)
    if affects_others(g, row):
        dirty_all(g)
    changed(g, RD_ATTACHED)
    look_at(g, row)
    touched(g)
    trace(g, TR_ATTACH, g.defn[row], g.defn[host], 0, 0, g.id[row])
    if heard(g, EV_ATTACHED):
        happened(g, EV_ATTACHED, row, g.id[row], host, g.id[host], g.controller[row], 0, 0)


cdef void unattach(Game *g, uint16_t row) noexcept nogil:
    if not has_bit(g.b_attached, row):
        return
    let_go(g, row)
    end_bestow(g, row)
    look_at(g, row)
    trace(g, TR_ATTACH, g.defn[row], -1, 0, 0, g.id[row])


cdef void attachments_leave(Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t other
    cdef int n = 0
    cdef int k
    if has_bit(g.b_attached, row):
        let_go(g, row)
    if g.h.n_attached == 0:
        return
    for w in range(g.lay.words):
        bits = g.b_attached[w]
        while bits:
            other = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if g.attached_row[other] != row or g.attached_id[other] != g.id[row]:
                continue
            k = n
            while k > 0 and g.timestamp[rows[k - 1]] > g.timestamp[other]:
                rows[k] = rows[k - 1]
                k -= 1
            rows[k] = other
            n += 1
    for k in range(n):
        dirty(g, rows[k])
        changed(g, RD_ATTACHED)
        look_at(g, rows[k])
        if heard(g, EV_UNATTACHED):
            # CR 603.10c: both are still there.
            happened(g, EV_UNATTACHED, rows[k], g.id[rows[k]], row, g.id[row], g.controller[rows[k]], 0, 0)


cdef bint has_host(Game *g, uint16_t row, int controller) noexcept nogil:
    """Something could be enchanted by this Aura under the player's control (CR 303.4f): a permanent, a card in a
    graveyard, a player."""
    cdef int zone = host_zone(g, row)
    cdef uint16_t host
    cdef int p
    for p in range(<int>g.lay.players):
        if zone == Z_NONE:
            if could_enchant_player(g, row, p, controller):
                return True
            continue
        host = zone_first(g, zone, p)
        while host:
            if could_be_attached(g, row, host, controller):
                return True
            host = g.znext[host]
        if zone == Z_BATTLEFIELD:
            break
    return False


cdef int drop_homeless(Game *g, const uint16_t *rows, uint8_t *to, uint16_t *kept, int n,
                       int controller) noexcept nogil:
    """CR 303.4g: an Aura that would enter without being cast, and has nothing to enchant, stays where it is; from the
    stack it goes to the graveyard. Returns how many objects move."""
    cdef uint16_t row
    cdef int i
    cdef int k = 0
    for i in range(n):
        row = rows[i]
        kept[k] = row
        to[k] = to[i]
        if to[i] == Z_BATTLEFIELD and face_of(g, g.defn[row]).flags & FACE_AURA:
            if not has_host(g, row, controller if controller >= 0
                            else g.controller[row] if g.zone[row] == Z_STACK else g.owner[row]):
                if g.zone[row] != Z_STACK:
                    continue
                to[k] = Z_GRAVEYARD
        k += 1
    return k
