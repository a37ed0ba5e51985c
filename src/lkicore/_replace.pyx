"""Replacement and prevention (CR 614, 615), regeneration (701.19).

Static replacement abilities are looked for among the permanents of `b_replace`, effects of resolved spells and
abilities in the table of effects; two words of the header (`replaces`, `shields`) say whether there are any. Where
several apply to a number, a draw or where something goes, and it matters, the affected player chooses (CR 616.1).
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, counters_on, entry_next
from lkicore._arena cimport chunk_refs
from lkicore._defs cimport face_of
from lkicore._delayed cimport delay
from lkicore._expr cimport Ctx, holds, passes, plain_context, value
from lkicore._game cimport ASKED, NO_PLAYER, add_option, ask, can_ask, recall
from lkicore._guard cimport on_stack
from lkicore._instead cimport counters_at_once, replacers
from lkicore._layers cimport changed, dirty_all, effect_remove, settle
from lkicore._layout cimport Effect, Game
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._status cimport leave_combat, put_counters, tap
from lkicore._store cimport clear_bit, look_at, touched, trace
from lkicore._triggers cimport follow
from lkicore._types cimport Ability, FACE_ENTERS, Node

cdef enum:
    # TR_REPLACED: what its number counts.
    BY_ABILITY = 0   # ReplaceOp
    BY_EFFECT = 1    # EffectKind


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
        if not a.zones >> g.zone[source] & 1:
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
            elif change.op == EN_DELAY:
                delay(g, change.a, g.defn[row], row, g.id[row], change.b, g.controller[row], 0, row, g.id[row])
            elif change.op == EN_DAY:
                if g.h.day == 0:
                    g.h.day = 1  # neither day becomes night nor night day
                    changed(g, RD_TURN)
            elif change.op == EN_COUNTERS:
                known = True
                m = value(g, &c, change.b, &known)
                if known:
                    # CR 122.6: what changes how many applies, as to counters put on it by an effect.
                    put_counters(g, row, change.a, counters_at_once(g, row, change.a, max(0, m)))


cdef bint entering_now(const uint16_t *entrants, int n, uint16_t row) noexcept nogil:
    cdef int i
    for i in range(n):
        if entrants[i] == row:
            return True
    return False


cdef void hide(Game *g, uint16_t row, const uint16_t *entrants, int n, bint on) noexcept nogil:
    """What enters together with `row` is treated as though it did not exist, or is so no more."""
    cdef int i
    for i in range(n):
        if entrants[i] != row and g.zone[entrants[i]] == Z_BATTLEFIELD:
            if on:
                g.status[entrants[i]] |= ST_PHASED_OUT
            else:
                g.status[entrants[i]] &= <uint8_t>~<int>ST_PHASED_OUT
    dirty_all(g)


cdef void enters_modified(Game *g, uint16_t row, const uint16_t *entrants, int n_entrants) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef int i, n
    cdef bint hidden = False
    modify(g, row, row)
    if not g.h.replaces >> RP_ENTERS & 1:
        return
    n = replacers(g, RP_ENTERS, rows)
    for i in range(n):
        # What enters in the same event exists too late to replace anything of it (CR 614.4, 614.12).
        if rows[i] != row and not entering_now(entrants, n_entrants, rows[i]):
            if n_entrants > 1 and g.h.n_static and not hidden:
                # CR 614.12: what it would be is said by its own static abilities and by effects that exist already.
                hidden = True
                hide(g, row, entrants, n_entrants, True)
            settle(g)  # ... with what has modified it already
            modify(g, rows[i], row)
    if hidden:
        hide(g, row, entrants, n_entrants, False)
        settle(g)


cdef bint asks_as_enters(Game *g, uint16_t row) noexcept nogil:
    """Its own abilities have its controller choose something as it enters (CR 614.12a)."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef int i, k, n
    if not face_of(g, g.defn[row]).flags & FACE_ENTERS and not g.oflags[row] & OF_OWN_ABILITIES:
        return False
    n = abilities_of(g, row, list)
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind == AB_REPLACEMENT and a.event == RP_ENTERS and a.own == 1:
            for k in range(a.n_changes):
                if EN_CHOOSE <= g.cards.changes[a.first_change + k].op <= EN_UNDER:
                    return True
    return False


# ------------------------------------------------------------------------------------------------ going elsewhere

cdef enum:
    MOST_WAYS = 16
    BY_RULE = 254        # `what`: a finality counter (CR 122.1h), or a commander's owner (903.9b)

# Where an object goes instead, and by what.
cdef struct Elsewhere:
    uint16_t row      # the object whose ability it is, 0 an effect or a rule
    int ability       # number of the ability, or of the effect
    int what          # ReplaceOp, EffectKind, BY_RULE
    int zone


cdef inline bint about(const Effect *e, int kind, uint16_t row, uint32_t id) noexcept nogil:
    return e.kind == kind and e.affected_row == row and e.affected_id == id


cdef int by_abilities(Game *g, int what, uint16_t source, uint16_t row, Elsewhere *found, int k) noexcept nogil:
    """What abilities of `source` say of this object."""
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int i
    cdef int n = abilities_of(g, source, list)
    for i in range(n):
        a = ability_of(g, list[i])
        if a.kind != AB_REPLACEMENT or a.event != what or not a.zones >> g.zone[source] & 1 or k == MOST_WAYS:
            continue
        if a.own == 1 and source != row:
            continue
        plain_context(g, source, g.id[source], g.controller[source], &c)
        c.it_row = row
        c.it_id = g.id[row]
        if passes(g, &c, a.filter, row) and holds(g, &c, a.condition):
            found[k].row = source
            found[k].ability = list[i]
            found[k].what = what
            found[k].zone = a.step if a.step else Z_EXILE
            k += 1
    return k


cdef int by_permanents(Game *g, int what, uint16_t row, Elsewhere *found, int k) noexcept nogil:
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef int i, n
    if not g.h.replaces >> what & 1:
        return k
    n = replacers(g, what, rows)
    for i in range(n):
        k = by_abilities(g, what, rows[i], row, found, k)
    return k


cdef int by_effects(Game *g, int kind, uint16_t row, Elsewhere *found, int k) noexcept nogil:
    cdef uint32_t i
    if not g.h.shields >> kind & 1:
        return k
    for i in range(g.h.n_effects):
        if about(&g.effect[i], kind, row, g.id[row]) and k < MOST_WAYS:
            found[k].row = 0
            found[k].ability = <int>i
            found[k].what = kind
            found[k].zone = Z_EXILE
            return k + 1  # another of the kind would be the same
    return k


cdef int elsewhere(Game *g, uint16_t row, int zone_to, Elsewhere *found) noexcept nogil:
    """All that would send it elsewhere."""
    cdef int k = 0
    if g.zone[row] == Z_BATTLEFIELD and zone_to != Z_EXILE and zone_to != Z_NONE:
        k = by_effects(g, EK_EXILE_LEAVING, row, found, k)
    if g.h.commanders and g.oflags[row] & OF_COMMANDER and (zone_to == Z_HAND or zone_to == Z_LIBRARY):
        found[k].row = 0
        found[k].ability = -1
        found[k].what = BY_RULE
        found[k].zone = Z_COMMAND
        k += 1
    if zone_to != Z_GRAVEYARD:
        return k
    if g.zone[row] == Z_BATTLEFIELD:
        k = by_effects(g, EK_EXILE_INSTEAD, row, found, k)
        if g.h.rule_counters and counters_on(g, row, CK_FINALITY) and k < MOST_WAYS:
            found[k].row = 0
            found[k].ability = 0
            found[k].what = BY_RULE
            found[k].zone = Z_EXILE
            k += 1
        k = by_permanents(g, RP_DIES_EXILE, row, found, k)
    elif face_of(g, g.defn[row]).replaces >> RP_GRAVEYARD_EXILE & 1:
        # An object that says so of itself, from anywhere (CR 113.6).
        k = by_abilities(g, RP_GRAVEYARD_EXILE, row, row, found, k)
    return by_permanents(g, RP_GRAVEYARD_EXILE, row, found, k)


cdef inline bint alike(const Game *g, const Elsewhere *a, const Elsewhere *b) noexcept nogil:
    """They come to the same."""
    return (a.zone == b.zone and a.what == b.what and a.row == 0 and b.row == 0) or (
        a.zone == b.zone and (a.row == 0 or ability_of(g, a.ability).program < 0)
        and (b.row == 0 or ability_of(g, b.ability).program < 0))


cdef inline bint for_owner(const Elsewhere *way) noexcept nogil:
    return way.what == BY_RULE and way.zone == Z_COMMAND


cdef int choose_way(Game *g, uint16_t row, int zone_to, const Elsewhere *found, int k) noexcept nogil:
    """Which of them applies: number k none, `ASKED` while a player is asked (CR 616.1, 903.9b)."""
    cdef bint optional = k == 1 and for_owner(&found[0])
    cdef bint same = not optional
    cdef int i
    for i in range(1, k):
        same &= alike(g, &found[0], &found[i])
    if same:
        return 0
    i = recall(g)
    if i >= 0:
        return min(i, k)
    if not can_ask(g):
        return k if optional and zone_to == Z_HAND else 0
    # Of a permanent or spell its controller, of any other object its owner says it.
    ask(g, CH_REPLACE, g.owner[row] if optional else g.controller[row])
    for i in range(k):
        add_option(g, O_EFFECT, found[i].row if found[i].row else row, i, NO_PLAYER)
    if optional:
        add_option(g, O_NO, 0, 0, NO_PLAYER)
    return ASKED


cdef int zone_instead(Game *g, uint16_t row, int zone_to, bint really) noexcept nogil:
    cdef Elsewhere found[MOST_WAYS]
    cdef int k, i
    cdef int times = 0
    while times < 3:
        times += 1
        k = elsewhere(g, row, zone_to, found)
        if k == 0:
            return zone_to
        i = choose_way(g, row, zone_to, found, k)
        if i == ASKED:
            return ASKED
        if i >= k:
            return zone_to
        zone_to = found[i].zone
        if not really:
            continue
        if found[i].what != BY_RULE:
            trace(g, TR_REPLACED, g.defn[row], found[i].what, BY_ABILITY if found[i].row else BY_EFFECT, 0, g.id[row])
        if found[i].row and ability_of(g, found[i].ability).program >= 0:
            follow(g, found[i].ability, found[i].row, g.id[found[i].row], g.defn[found[i].row],
                   g.controller[found[i].row], row, g.id[row], 0, 0, g.controller[row], 0)
    return zone_to


cdef bint asks_elsewhere(Game *g, const uint16_t *rows, const uint8_t *to, int n) noexcept nogil:
    cdef int asked = g.h.asked
    cdef int i
    if not can_ask(g):
        return False
    for i in range(n):
        if goes_elsewhere(g, rows[i], to[i]) and zone_instead(g, rows[i], to[i], False) == ASKED:
            return True
    g.h.asked = <uint8_t>asked
    return False


# ------------------------------------------------------------------------------------------------ regeneration

cdef bint regenerates(Game *g, uint16_t row) noexcept nogil:
    cdef uint32_t i
    if g.h.rule_counters and counters_on(g, row, CK_SHIELD):
        put_counters(g, row, CK_SHIELD, -1)  # CR 122.1c; the one for the other: neither is a choice of worth
        return True
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


# ------------------------------------------------------------------------------------------------ umbra armor

cdef uint16_t umbra_among(Game *g, uint16_t row) noexcept nogil:
    """CR 702.89: what is destroyed instead of this permanent, 0 nothing; all damage is removed from the permanent."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.rows * sizeof(uint16_t))
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int i, k, m, n
    n = replacers(g, RP_DESTROY, rows)
    for i in range(n):
        m = abilities_of(g, rows[i], list)
        for k in range(m):
            a = ability_of(g, list[k])
            if a.kind != AB_REPLACEMENT or a.event != RP_DESTROY or rows[i] == row:
                continue
            plain_context(g, rows[i], g.id[rows[i]], g.controller[rows[i]], &c)
            c.it_row = row
            c.it_id = g.id[row]
            if not passes(g, &c, a.filter, row) or not holds(g, &c, a.condition):
                continue
            trace(g, TR_REPLACED, g.defn[row], RP_DESTROY, BY_ABILITY, 0, g.id[row])
            g.damage[row] = 0
            g.status[row] &= <uint8_t>~<int>ST_DEATHTOUCHED
            changed(g, RD_DAMAGE)
            touched(g)
            look_at(g, row)
            return rows[i]
    return 0
