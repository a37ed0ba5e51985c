"""Replacement and prevention (CR 614, 615), regeneration (701.19).

Static replacement abilities are looked for among the permanents of `b_replace`, effects of resolved spells and
abilities in the table of effects; two words of the header (`replaces`, `shields`) say whether there are any. Where
several apply, the affected object's own come first, then the others by timestamp (CR 616.1, without the choice).
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, entry_next
from lkicore._arena cimport chunk_refs
from lkicore._defs cimport face_of
from lkicore._expr cimport (Ctx, Facts, holds, passes, passes_facts, passes_player, plain_context,
                            protected_from, value)
from lkicore._guard cimport ctz64, on_stack
from lkicore._layers cimport changed, effect_remove, settle
from lkicore._layout cimport Effect, Game
from lkicore._lki cimport NO_SLOT
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._status cimport leave_combat, put_counters, tap
from lkicore._store cimport clear_bit, is_live, look_at, touched, trace
from lkicore._types cimport Ability, Node, NONE16

cdef enum:
    # TR_REPLACED: what its number counts.
    BY_ABILITY = 0   # ReplaceOp
    BY_EFFECT = 1    # EffectKind


cdef int replacers(const Game *g, int what, uint16_t *rows) noexcept nogil:
    """Permanents that have, or may have, a replacement ability of this kind, by timestamp."""
    cdef uint64_t bits
    cdef uint32_t w
    cdef uint16_t row
    cdef int n = 0
    cdef int k
    for w in range(g.lay.words):
        bits = g.b_replace[w]
        while bits:
            row = <uint16_t>(w * 64 + <uint32_t>ctz64(bits))
            bits &= bits - 1
            if g.zone[row] != Z_BATTLEFIELD or g.status[row] & ST_PHASED_OUT:
                continue  # CR 604.7, 702.26d
            if not g.oflags[row] & OF_OWN_ABILITIES and not face_of(g, g.defn[row]).replaces >> what & 1:
                continue
            k = n
            while k > 0 and g.timestamp[rows[k - 1]] > g.timestamp[row]:
                rows[k] = rows[k - 1]
                k -= 1
            rows[k] = row
            n += 1
    return n


# ------------------------------------------------------------------------------------------------ entering

cdef void enter_tapped(Game *g, uint16_t row) noexcept nogil:
    """It enters tapped; it does not become tapped (CR 614.1c, 701.26a)."""
    if g.status[row] & ST_TAPPED:
        return
    g.status[row] |= ST_TAPPED
    clear_bit(g.b_untapped, row)
    mana_update(g, row)
    changed(g, RD_TAPPED)
    trace(g, TR_TAP, g.defn[row], 0, 0, 0, g.id[row])


cdef bint just_entered(const Game *g, uint16_t row) noexcept nogil:
    """It entered in this very event: what it does exists too late to replace anything of it (CR 614.4, 614.12)."""
    cdef uint16_t s
    if g.card[row] == NONE16:
        return False
    s = g.pc_lki[g.card[row]]
    return s != NO_SLOT and g.lki[s].became == g.id[row] and g.lki[s].tick == g.h.tick


cdef void modify(Game *g, uint16_t source, uint16_t row) noexcept nogil:
    """What the abilities of `source` say about how `row` enters.

    Of its own abilities, those that affect only itself count (CR 614.12); of others, those that affect others.
    """
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef const Node *change
    cdef Ctx c
    cdef bint begun = False
    cdef bint known
    cdef int i, k, m
    cdef int n = abilities_of(g, source, list)
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind != AB_REPLACEMENT or a.event != RP_ENTERS or (a.own == 1) != (source == row):
            continue
        if not begun:
            begun = True
            plain_context(g, source, g.id[source], g.controller[source], &c)
            c.it_row = row
            c.it_id = g.id[row]
            k = entry_next(g, g.extra[source], RK_CAST, 0)
            if k >= 0:
                # X of the spell that became this permanent (CR 107.3m, 400.7d).
                c.x = <int16_t>chunk_refs(g, g.extra[source])[k].id
        if (source != row and not passes(g, &c, a.filter, row)) or not holds(g, &c, a.condition):
            continue
        trace(g, TR_REPLACED, g.defn[row], RP_ENTERS, BY_ABILITY, 0, g.id[row])
        for k in range(a.first_change, a.first_change + a.n_changes):
            change = &g.cards.changes[k]
            if change.op == EN_TAPPED:
                enter_tapped(g, row)
            elif change.op == EN_COUNTERS:
                known = True
                m = value(g, &c, change.b, &known)
                if known:
                    put_counters(g, row, change.a, max(0, m))  # CR 122.6


cdef void enters_modified(Game *g, uint16_t row) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef int i, n
    modify(g, row, row)
    if not g.h.replaces >> RP_ENTERS & 1:
        return
    n = replacers(g, RP_ENTERS, rows)
    for i in range(n):
        if rows[i] != row and not just_entered(g, rows[i]):
            settle(g)  # CR 614.12: as it would be with what has modified it already
            modify(g, rows[i], row)


# ------------------------------------------------------------------------------------------------ going elsewhere

cdef bint ability_replaces(Game *g, int what, uint16_t source, uint16_t row) noexcept nogil:
    """Some ability of `source` replaces this of the object."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int i
    cdef int n = abilities_of(g, source, list)
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind != AB_REPLACEMENT or a.event != what or not a.zones >> g.zone[source] & 1:
            continue
        if a.own == 1 and source != row:
            continue
        plain_context(g, source, g.id[source], g.controller[source], &c)
        c.it_row = row
        c.it_id = g.id[row]
        if passes(g, &c, a.filter, row) and holds(g, &c, a.condition):
            trace(g, TR_REPLACED, g.defn[row], what, BY_ABILITY, 0, g.id[row])
            return True
    return False


cdef bint permanent_replaces(Game *g, int what, uint16_t row) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef int i, n
    if not g.h.replaces >> what & 1:
        return False
    n = replacers(g, what, rows)
    for i in range(n):
        if ability_replaces(g, what, rows[i], row):
            return True
    return False


cdef inline bint about(const Effect *e, int kind, uint16_t row, uint32_t id) noexcept nogil:
    return e.kind == kind and e.affected_row == row and e.affected_id == id


cdef int zone_instead(Game *g, uint16_t row, int zone_to) noexcept nogil:
    cdef uint32_t i
    if zone_to != Z_GRAVEYARD:
        return zone_to
    if g.zone[row] == Z_BATTLEFIELD:
        if g.h.shields >> EK_EXILE_INSTEAD & 1:
            for i in range(g.h.n_effects):
                if about(&g.effect[i], EK_EXILE_INSTEAD, row, g.id[row]):
                    trace(g, TR_REPLACED, g.defn[row], EK_EXILE_INSTEAD, BY_EFFECT, 0, g.id[row])
                    return Z_EXILE
        if permanent_replaces(g, RP_DIES_EXILE, row):
            return Z_EXILE
    elif face_of(g, g.defn[row]).replaces >> RP_GRAVEYARD_EXILE & 1:
        # An object that says so of itself, from anywhere (CR 113.6).
        if ability_replaces(g, RP_GRAVEYARD_EXILE, row, row):
            return Z_EXILE
    return Z_EXILE if permanent_replaces(g, RP_GRAVEYARD_EXILE, row) else zone_to


# ------------------------------------------------------------------------------------------------ regeneration

cdef bint regenerates(Game *g, uint16_t row) noexcept nogil:
    cdef uint32_t i
    if not g.h.shields >> EK_REGENERATE & 1:
        return False
    for i in range(g.h.n_effects):
        if about(&g.effect[i], EK_REGENERATE, row, g.id[row]):
            break
    else:
        return False
    effect_remove(g, i)
    trace(g, TR_REPLACED, g.defn[row], EK_REGENERATE, BY_EFFECT, 0, g.id[row])
    # CR 701.19b: damage is removed, it becomes tapped, it leaves combat.
    g.damage[row] = 0
    g.status[row] &= <uint8_t>~<int>ST_DEATHTOUCHED
    changed(g, RD_DAMAGE)
    if g.attacks[row] or g.combat[row]:
        leave_combat(g, row)
        changed(g, RD_COMBAT)
    touched(g)
    look_at(g, row)
    tap(g, row)
    return True


# ------------------------------------------------------------------------------------------------ prevention

cdef bint ability_prevents(Game *g, int what, const Facts *source, uint16_t row, int player,
                           bint combat) noexcept nogil:
    """A static ability prevents this damage (CR 615.1a): to the object or player, or by the source."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int i, k, m
    cdef int n = replacers(g, what, rows)
    cdef bint fits
    for i in range(n):
        m = abilities_of(g, rows[i], list)
        for k in range(m):
            a = ability_of(g, list[k])
            if a.kind != AB_REPLACEMENT or a.event != what:
                continue
            if a.flags & (TF_NONCOMBAT if combat else TF_COMBAT) or a.flags & (TF_TO_PLAYER if row else TF_TO_OBJECT):
                continue
            plain_context(g, rows[i], g.id[rows[i]], g.controller[rows[i]], &c)
            c.it_row = row
            c.it_id = g.id[row] if row else 0
            if what == RP_PREVENT_BY:
                fits = passes_facts(g, &c, a.filter, source)
            elif row:
                fits = passes(g, &c, a.filter, row)
            else:
                fits = a.filter < 0 or passes_player(g, &c, a.filter, player)
            if fits and holds(g, &c, a.condition):
                return True
    return False


cdef bint shields_from(const Game *g, const Effect *e, const Facts *source, uint16_t row, int player,
                       bint combat) noexcept nogil:
    """The shield is about this damage (CR 615.1, 615.7)."""
    if e.kind != EK_PREVENT or e.n & (DF_NONCOMBAT if combat else DF_COMBAT):
        return False
    if e.n & (DF_TO_PLAYER | DF_TO_OBJECT) and not e.n & (DF_TO_OBJECT if row else DF_TO_PLAYER):
        return False
    if e.n & DF_BY:
        if e.affected_id:
            return e.affected_id == source.id
        return e.what == 0 or e.what == source.controller + 1
    if e.affected_id:
        return row and is_live(g, row, e.affected_id)
    return e.what == 0 or (row == 0 and e.what == player + 1)


cdef int damage_left(Game *g, const Facts *source, uint16_t row, int player, int n, bint combat) noexcept nogil:
    cdef uint32_t i = 0
    cdef int left = n
    cdef int take
    cdef Effect *e
    if n <= 0:
        return 0
    if row and g.keywords[row] & K_PROTECTION and protected_from(g, row, source):
        left = 0  # CR 702.16e
    elif g.h.replaces >> RP_PREVENT_TO & 1 and ability_prevents(g, RP_PREVENT_TO, source, row, player, combat):
        left = 0
    elif g.h.replaces >> RP_PREVENT_BY & 1 and ability_prevents(g, RP_PREVENT_BY, source, row, player, combat):
        left = 0
    elif g.h.shields >> EK_PREVENT & 1:
        while left > 0 and i < g.h.n_effects:
            e = &g.effect[i]
            if not shields_from(g, e, source, row, player, combat):
                i += 1
                continue
            if e.n & DF_ALL:
                left = 0
                break
            # CR 615.7: each 1 damage uses up 1 of the shield.
            take = min(left, max(0, <int>e.x))
            left -= take
            e.x -= <int16_t>take
            if e.x <= 0:
                effect_remove(g, i)
            else:
                i += 1
    if left < n:
        trace(g, TR_PREVENTED, n - left, g.defn[row] if row else -1 - player, source.defn, left,
              g.id[row] if row else 0)
    return left
