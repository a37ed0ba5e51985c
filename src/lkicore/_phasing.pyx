"""Phasing (CR 702.26): permanents that are there, but treated as though they did not exist.

A phased-out permanent is the same object and keeps all that it has. It leaves the battlefield's list and every bit set
for a list of its own, which stands for no zone of the rules; so nothing that looks along the battlefield finds it. Who
holds a reference to it finds its columns as they were: they are its last known information until it phases in.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._departures cimport begin_event
from lkicore._game cimport in_game
from lkicore._guard cimport ctz64, on_stack
from lkicore._layers cimport changed, dirty, effects_unseen, index_object, set_kind_bits, settle
from lkicore._layout cimport Game
from lkicore._lki cimport lki_keep
from lkicore._mana cimport mana_count, mana_update
from lkicore._opcodes cimport *
from lkicore._status cimport leave_combat
from lkicore._store cimport (clear_bit, ctrl_set, has_bit, is_live, link_tail, look_at, set_bit, touched, trace,
                             unlink, zone_first, zone_list)
from lkicore._triggers cimport happened, heard

cdef enum:
    # What a permanent that comes or goes may change for static abilities.
    READS = RD_BOARD | RD_ORDER | RD_ATTACHED | RD_TAPPED | RD_COMBAT | RD_SIZE | RD_COUNTERS | RD_DAMAGE


cdef inline void tell_host(Game *g, uint16_t row) noexcept nogil:
    """What it is attached to has, or has no more, what it gives."""
    if is_live(g, g.attached_row[row], g.attached_id[row]) and g.zone[g.attached_row[row]] == Z_BATTLEFIELD:
        dirty(g, g.attached_row[row])


cdef void take_out(Game *g, uint16_t row, bint with_host) noexcept nogil:
    lki_keep(g, row, Z_PHASED_OUT)
    if g.mana_in[row]:
        mana_count(g, row, 0)
    if g.attacks[row] or g.combat[row]:
        leave_combat(g, row)  # CR 506.4
    index_object(g, row, False)
    clear_bit(ctrl_set(g, g.controller[row]), row)
    if has_bit(g.b_creature, row):
        clear_bit(g.b_creature, row)
        g.h.fighters_old = 1
    if has_bit(g.b_acts, row):
        clear_bit(g.b_acts, row)
        g.p_actors[g.controller[row]] -= 1
        g.h.n_instants -= 1
    if has_bit(g.b_attached, row):
        clear_bit(g.b_attached, row)
        g.h.n_attached -= 1
        tell_host(g, row)
    clear_bit(g.b_untapped, row)
    clear_bit(g.b_sick, row)
    clear_bit(g.b_sba, row)
    clear_bit(g.b_dirty, row)
    unlink(g, zone_list(g, Z_BATTLEFIELD, 0), row)
    g.zone[row] = Z_PHASED_OUT
    link_tail(g, zone_list(g, Z_PHASED_OUT, 0), row)
    g.status[row] |= ST_PHASED_OUT | (ST_WITH_HOST if with_host else 0)
    trace(g, TR_PHASE, g.defn[row], 0, 0, 0, g.id[row])


cdef bint goes_along(const Game *g, uint16_t row) noexcept nogil:
    """What it is attached to phases out, or has just phased out (CR 702.26g)."""
    return (g.attached_id[row] != 0 and is_live(g, g.attached_row[row], g.attached_id[row])
            and g.zone[g.attached_row[row]] == Z_PHASED_OUT)


cdef void tell_before(Game *g, const uint16_t *rows, int n) noexcept nogil:
    """CR 603.10b: what triggers on phasing out sees everything as it still is; what is attached goes along."""
    cdef uint16_t *all_ = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t row
    cdef int m = 0
    cdef int i = 0
    for i in range(n):
        if g.zone[rows[i]] == Z_BATTLEFIELD:
            all_[m] = rows[i]
            m += 1
    i = 0
    while i < m:
        row = zone_first(g, Z_BATTLEFIELD, 0) if g.h.n_attached else 0
        while row:
            if g.attached_id[row] == g.id[all_[i]] and not among(all_, m, row):
                all_[m] = row
                m += 1
            row = g.znext[row]
        happened(g, EV_PHASES_OUT, all_[i], g.id[all_[i]], 0, 0, g.controller[all_[i]], 0, 0)
        i += 1


cdef bint among(const uint16_t *rows, int n, uint16_t row) noexcept nogil:
    cdef int i
    for i in range(n):
        if rows[i] == row:
            return True
    return False


cdef void phase_out(Game *g, const uint16_t *rows, int n) noexcept nogil:
    """Together (CR 702.26a); what is attached to them phases out with them, and what is attached to that."""
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t row
    cdef int i
    cdef bint more = True
    settle(g)
    if not begin_event(g, n + g.h.n_attached):
        return
    g.h.phasing |= UF_PHASING
    if heard(g, EV_PHASES_OUT):
        tell_before(g, rows, n)
    for i in range(n):
        if g.zone[rows[i]] == Z_BATTLEFIELD:
            take_out(g, rows[i], False)
    while more and g.h.n_attached:
        more = False
        for w in range(g.lay.words):
            bits = g.b_attached[w]
            while bits:
                row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
                bits &= bits - 1
                if goes_along(g, row):
                    take_out(g, row, True)
                    more = True
    effects_unseen(g)
    changed(g, READS)
    touched(g)
    settle(g)


cdef void put_back(Game *g, uint16_t row) noexcept nogil:
    """The same object as before, at its place in the order of timestamps (CR 613.7)."""
    cdef int k = zone_list(g, Z_BATTLEFIELD, 0)
    cdef uint16_t after = g.z_tail[k]
    unlink(g, zone_list(g, Z_PHASED_OUT, 0), row)
    while after and g.timestamp[after] > g.timestamp[row]:
        after = g.zprev[after]
    if after == g.z_tail[k]:
        link_tail(g, k, row)
    else:
        # Before the first that is younger.
        g.zprev[row] = after
        g.znext[row] = g.znext[after] if after else g.z_head[k]
        g.zprev[g.znext[row]] = row
        if after:
            g.znext[after] = row
        else:
            g.z_head[k] = row
        g.z_n[k] += 1
    g.zone[row] = Z_BATTLEFIELD
    g.status[row] &= <uint8_t>~<int>(ST_PHASED_OUT | ST_WITH_HOST)
    set_bit(ctrl_set(g, g.controller[row]), row)
    if not g.status[row] & ST_TAPPED:
        set_bit(g.b_untapped, row)
    if g.status[row] & ST_SICK:
        set_bit(g.b_sick, row)
    if g.attached_id[row]:
        set_bit(g.b_attached, row)
        g.h.n_attached += 1
        tell_host(g, row)
    g.h.fighters_old = 1
    set_kind_bits(g, row)
    index_object(g, row, True)
    mana_update(g, row)
    dirty(g, row)
    look_at(g, row)
    trace(g, TR_PHASE, g.defn[row], 1, 0, 0, g.id[row])


cdef inline bint comes_with(const Game *g, uint16_t row) noexcept nogil:
    """It phased out with what it is attached to, and that is back or will not come (CR 702.26g)."""
    return (g.status[row] & ST_WITH_HOST and not (is_live(g, g.attached_row[row], g.attached_id[row])
                                                  and g.zone[g.attached_row[row]] == Z_PHASED_OUT))


cdef void phase_step(Game *g, int player) noexcept nogil:
    """CR 502.1: what the player's permanents with phasing do, and those that had phased out, happens at once."""
    cdef uint16_t *out = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t *back = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    cdef uint16_t next
    cdef int n = 0
    cdef int m = 0
    cdef int i
    cdef bint more = True
    settle(g)
    while row:
        if g.controller[row] == player and g.keywords[row] & K_PHASING:
            out[n] = row
            n += 1
        row = g.znext[row]
    row = zone_first(g, Z_PHASED_OUT, 0)
    while row:
        # What somebody controlled who has left phases in the next time anything does (CR 702.26n).
        if not g.status[row] & ST_WITH_HOST and (g.controller[row] == player or not in_game(g, g.controller[row])):
            back[m] = row
            m += 1
        row = g.znext[row]
    if n:
        phase_out(g, out, n)
    if m:
        g.h.tick += 1
    for i in range(m):
        put_back(g, back[i])
    while more and m:
        more = False
        row = zone_first(g, Z_PHASED_OUT, 0)
        while row:
            next = g.znext[row]
            if comes_with(g, row):
                put_back(g, row)
                back[m] = row
                m += 1
                more = True
            row = next
    if m:
        changed(g, READS)
        touched(g)
        settle(g)
    for i in range(m if heard(g, EV_PHASES_IN) else 0):
        happened(g, EV_PHASES_IN, back[i], g.id[back[i]], 0, 0, g.controller[back[i]], 0, 0)
