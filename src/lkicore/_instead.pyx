"""Events with a number that replacement and prevention effects change (CR 614, 615): damage, counters, tokens, life.

One effect after another applies, each once (CR 614.5); the affected player, or the controller of the affected object,
chooses which comes first (616.1), where the order matters. It is looked for among the permanents of `b_replace` and,
for shields, in the table of effects. Every effect that applies is a function of the number: where two of them commute
at the present number, nobody is asked.
"""
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport MOST_ABILITIES, abilities_of, ability_of, counters_on
from lkicore._defs cimport face_of
from lkicore._expr cimport Ctx, Facts, holds, passes, passes_facts, passes_player, plain_context, value
from lkicore._facts cimport known_facts
from lkicore._game cimport ASKED, NO_PLAYER, add_option, ask, can_ask, recall
from lkicore._guard cimport ctz64, on_stack
from lkicore._layers cimport effect_remove
from lkicore._layout cimport Effect, Game
from lkicore._opcodes cimport *
from lkicore._player_rules cimport player_guarded
from lkicore._protection cimport protected_from
from lkicore._status cimport put_counters
from lkicore._store cimport is_live, trace
from lkicore._triggers cimport follow
from lkicore._types cimport Ability

cdef enum:
    MOST_FOUND = 24
    MOST = 30000
    BY_ABILITY = 0
    BY_EFFECT = 1
    BY_COUNTER = 254   # `what`: a shield counter (CR 122.1c)

# An effect that applies to the event.
cdef struct Found:
    uint16_t row      # permanent whose ability it is, 0 an entry of the table of effects
    uint32_t id
    int ability       # or number of the entry
    int what          # ReplaceOp, or EffectKind


# ------------------------------------------------------------------------------------------------ what applies

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
            if g.status[row] & ST_PHASED_OUT:
                continue  # CR 702.26d
            if not g.oflags[row] & OF_OWN_ABILITIES and not face_of(g, g.defn[row]).replaces >> what & 1:
                continue
            k = n
            while k > 0 and g.timestamp[rows[k - 1]] > g.timestamp[row]:
                rows[k] = rows[k - 1]
                k -= 1
            rows[k] = row
            n += 1
    return n


cdef void context(Game *g, const Event_ *e, uint16_t row, int n, Ctx *c) noexcept nogil:
    plain_context(g, row, g.id[row], g.controller[row], c)
    c.it_row = e.row
    c.it_id = g.id[e.row] if e.row else 0
    c.player = <unsigned char>e.player
    c.amount = <int16_t>min(n, <int>MOST)


cdef bint meets(Game *g, const Event_ *e, const Ctx *c, const Ability *a) noexcept nogil:
    """The ability is about this event: what it happens to, and what deals the damage."""
    if a.flags & (TF_NONCOMBAT if e.combat else TF_COMBAT) and e.source != NULL:
        return False
    if a.event == RP_COUNTERS and a.step != ANY_KIND and a.step != e.kind:
        return False
    if a.event == RP_PREVENT_BY:
        if not passes_facts(g, c, a.filter, e.source):
            return False
    elif a.event == RP_PREVENT_TO:
        if e.row and a.filter < 0:
            return False
        if a.flags & (TF_TO_PLAYER if e.row else TF_TO_OBJECT):
            return False
        if e.row:
            if a.filter >= 0 and not passes(g, c, a.filter, e.row):
                return False
        elif not passes_player(g, c, a.player if a.player >= 0 else a.filter, e.player):
            return False
    elif e.row:
        if a.filter < 0 or not passes(g, c, a.filter, e.row):
            return False
    elif a.player < 0 or not passes_player(g, c, a.player, e.player):
        return False
    if a.other >= 0 and a.event != RP_PREVENT_BY and (e.source == NULL or not passes_facts(g, c, a.other, e.source)):
        return False
    return holds(g, c, a.condition)


cdef bint shields_from(Game *g, const Effect *e, const Facts *source, uint16_t row, int player,
                       bint combat) noexcept nogil:
    """The shield is about this damage (CR 615.1, 615.7)."""
    cdef Ctx c
    if e.kind != EK_PREVENT or e.n & (DF_NONCOMBAT if combat else DF_COMBAT):
        return False
    if e.n & (DF_TO_PLAYER | DF_TO_OBJECT) and not e.n & (DF_TO_OBJECT if row else DF_TO_PLAYER):
        return False
    if e.y > 0:
        plain_context(g, e.source_row, 0, e.player, &c)
        if not passes_facts(g, &c, e.y - 1, source):
            return False  # CR 615.9: it must still be such a source
    if e.n & DF_TOTAL:
        # From one source, to whom the effect protects: a player or a permanent (CR 609.7).
        return e.source_id == source.id and (is_live(g, row, e.affected_id) if e.affected_id and row
                                             else e.affected_id == 0 and (e.what == 0 or row == 0
                                                                          and e.what == player + 1))
    if e.n & DF_BY:
        if e.affected_id:
            return e.affected_id == source.id
        return e.what == 0 or e.what == source.controller + 1
    if e.affected_id:
        return row and is_live(g, row, e.affected_id)
    return e.what == 0 or (row == 0 and e.what == player + 1)


cdef bint is_following(const Game *g, uint16_t row, uint32_t id, int ability) noexcept nogil:
    cdef uint32_t i
    for i in range(g.h.n_stack):
        if (g.stack[i].flags & SF_AT_ONCE and g.stack[i].ability == ability and g.stack[i].source_row == row
                and g.stack[i].source_id == id):
            return True
    return False


cdef int seek(Game *g, const Event_ *e, int what, int n, const Found *done, int n_done, Found *out,
              int k) noexcept nogil:
    """Abilities of one kind that apply and have not done so (CR 614.5), by timestamp."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int i, j, m, d
    cdef int most
    cdef bint used
    if not g.h.replaces >> what & 1:
        return k
    most = replacers(g, what, rows)
    for i in range(most):
        m = abilities_of(g, rows[i], list)
        for j in range(m):
            a = ability_of(g, list[j])
            if a.kind != AB_REPLACEMENT or a.event != what or not a.zones >> g.zone[rows[i]] & 1 or k == MOST_FOUND:
                continue
            used = g.h.n_stack and is_following(g, rows[i], g.id[rows[i]], list[j])
            for d in range(n_done):
                used |= done[d].row == rows[i] and done[d].id == g.id[rows[i]] and done[d].ability == list[j]
            if used:
                continue
            context(g, e, rows[i], n, &c)
            if meets(g, e, &c, a):
                out[k].row = rows[i]
                out[k].id = g.id[rows[i]]
                out[k].ability = list[j]
                out[k].what = what
                k += 1
    return k


cdef inline bint prevents(const Found *f) noexcept nogil:
    """It prevents damage: an ability, a shield, a shield counter."""
    return f.row == 0 or f.what == RP_PREVENT_TO or f.what == RP_PREVENT_BY or f.what == BY_COUNTER


cdef void follow_up(Game *g, const Event_ *e, const Found *f, int n) noexcept nogil:
    """What the effect does besides (CR 615.5), or instead (614.6); `n` was prevented, or replaced."""
    cdef const Effect *x
    cdef uint16_t source = e.source.row if e.source != NULL else 0
    cdef uint32_t source_id = e.source.id if e.source != NULL else 0
    cdef Facts made
    if f.what == BY_COUNTER:
        put_counters(g, e.row, CK_SHIELD, -1)  # CR 122.1c
    elif f.row == 0:
        x = &g.effect[f.ability]
        if x.follows:
            # What made the shield has left, more often than not.
            known_facts(g, x.maker_row, x.maker_id, P_LIVE_THEN_LKI, &made)
            follow(g, x.follows - 1, x.maker_row, x.maker_id, made.defn, x.player, e.row,
                   g.id[e.row] if e.row else 0, source, source_id, e.player, n)
    elif ability_of(g, f.ability).program >= 0:
        follow(g, f.ability, f.row, f.id, g.defn[f.row], g.controller[f.row], e.row, g.id[e.row] if e.row else 0,
               source, source_id, e.player, n)


cdef int result_of(Game *g, const Event_ *e, const Found *f, int n) noexcept nogil:
    """The number after this effect."""
    cdef const Ability *a
    cdef Ctx c
    cdef bint known = True
    cdef int v
    if f.what == BY_COUNTER:
        return 0
    if f.row == 0:
        if g.effect[f.ability].n & DF_ALL:
            return 0
        return n - min(n, max(0, <int>g.effect[f.ability].x))  # CR 615.7
    if f.what == RP_REDIRECT:
        return n
    a = ability_of(g, f.ability)
    if prevents(f) and a.amount < 0:
        return 0
    context(g, e, f.row, n, &c)
    v = value(g, &c, a.amount, &known)
    if prevents(f):
        return n - max(0, min(v, n)) if known else n
    return max(0, min(v, <int>MOST)) if known else n


cdef bint in_question(Game *g, const Event_ *e, const Found *found, int k, int n) noexcept nogil:
    """Some two of the effects lead to different ends in different orders."""
    cdef int i, j
    for i in range(k):
        for j in range(i):
            if found[i].row and found[i].ability == found[j].ability:
                continue
            if (found[i].row and found[i].what == RP_REDIRECT) or (found[j].row and found[j].what == RP_REDIRECT):
                return True
            if result_of(g, e, &found[j], result_of(g, e, &found[i], n)) != result_of(
                    g, e, &found[i], result_of(g, e, &found[j], n)):
                return True
            if found[i].row == 0 and found[j].row == 0 and g.effect[found[i].ability].n & DF_ALL == 0 and (
                    g.effect[found[j].ability].n & DF_ALL == 0):
                return g.effect[found[i].ability].x + g.effect[found[j].ability].x > n  # what is left of which shield
    return False


cdef int choose(Game *g, const Event_ *e, const Found *found, int k, int n) noexcept nogil:
    """Number of the effect that applies next; `ASKED` while the affected player is asked (CR 616.1)."""
    cdef int i
    if k == 1 or not in_question(g, e, found, k, n):
        return 0
    i = recall(g)
    if i >= 0:
        return min(i, k - 1)
    if not can_ask(g):
        return 0
    ask(g, CH_REPLACE, e.player)
    for i in range(k):
        # A shield by its number in the table of effects: what made it may be gone.
        add_option(g, O_EFFECT, found[i].row, i if found[i].row else -1 - found[i].ability, NO_PLAYER)
    return ASKED


# ------------------------------------------------------------------------------------------- counters, tokens, life

cdef int amount_instead(Game *g, Event_ *e, int n) noexcept nogil:
    cdef Found found[MOST_FOUND]
    cdef Found done[MOST_FOUND]
    cdef int was[MOST_FOUND]
    cdef int n_done = 0
    cdef int k, i
    while n > 0 and n_done < MOST_FOUND:
        k = seek(g, e, e.what, n, done, n_done, found, 0)
        if k == 0:
            break
        i = choose(g, e, found, k, n)
        if i == ASKED:
            return ASKED
        trace(g, TR_REPLACED, g.defn[e.row] if e.row else g.defn[found[i].row], e.what, BY_ABILITY, 0,
              g.id[e.row] if e.row else found[i].id)
        was[n_done] = n
        n = result_of(g, e, &found[i], n)
        done[n_done] = found[i]
        n_done += 1
    for i in range(n_done):
        follow_up(g, e, &done[i], was[i])
    return n


cdef int counters_instead(Game *g, uint16_t row, int kind, int n) noexcept nogil:
    cdef Event_ e
    if n <= 0 or not g.h.replaces >> RP_COUNTERS & 1:
        return n
    e.source = NULL
    e.row = row
    e.player = g.controller[row]
    e.what = RP_COUNTERS
    e.kind = kind
    e.combat = False
    return amount_instead(g, &e, n)


cdef int counters_at_once(Game *g, uint16_t row, int kind, int n) noexcept nogil:
    cdef int asks = g.h.asks
    cdef int asked = g.h.asked
    g.h.asks = 0
    g.h.asked = 0xFF  # what was answered was about something else
    n = counters_instead(g, row, kind, n)
    g.h.asks = <unsigned char>asks
    g.h.asked = <unsigned char>asked
    return n


cdef int player_at_once(Game *g, int what, int player, int n) noexcept nogil:
    cdef int asks = g.h.asks
    cdef int asked = g.h.asked
    g.h.asks = 0
    g.h.asked = 0xFF  # what was answered was about something else
    n = of_player(g, what, player, n)
    g.h.asks = <unsigned char>asks
    g.h.asked = <unsigned char>asked
    return n


cdef int of_player(Game *g, int what, int player, int n) noexcept nogil:
    cdef Event_ e
    if n <= 0 or not g.h.replaces >> what & 1:
        return n
    e.source = NULL
    e.row = 0
    e.player = player
    e.what = what
    e.kind = ANY_KIND
    e.combat = False
    return amount_instead(g, &e, n)


cdef int tokens_instead(Game *g, int player, int n) noexcept nogil:
    return of_player(g, RP_TOKENS, player, n)


cdef int life_instead(Game *g, int player, int n) noexcept nogil:
    if n < 0:
        n = of_player(g, RP_LIFE_LOSS, player, -n)
        return n if n == ASKED else -n
    return of_player(g, RP_LIFE_GAIN, player, n)


cdef int life_at_once(Game *g, int player, int n) noexcept nogil:
    cdef int asks = g.h.asks
    cdef int asked = g.h.asked
    g.h.asks = 0
    g.h.asked = 0xFF  # what was answered was about something else
    n = life_instead(g, player, n)
    g.h.asks = <unsigned char>asks
    g.h.asked = <unsigned char>asked
    return n


# ------------------------------------------------------------------------------------------------ damage

cdef bint unpreventable(Game *g, const Event_ *e) noexcept nogil:
    """CR 615.12: what would prevent it does nothing, and no shield is used up."""
    cdef uint16_t *rows = <uint16_t *>on_stack(g.lay.arena * sizeof(uint16_t))
    cdef uint16_t list[MOST_ABILITIES]
    cdef const Ability *a
    cdef Ctx c
    cdef int i, j, m, n
    if g.h.shields >> EK_UNPREVENTABLE & 1:
        return True
    if not g.h.replaces >> RP_UNPREVENTABLE & 1:
        return False
    n = replacers(g, RP_UNPREVENTABLE, rows)
    for i in range(n):
        m = abilities_of(g, rows[i], list)
        for j in range(m):
            a = ability_of(g, list[j])
            if a.kind != AB_REPLACEMENT or a.event != RP_UNPREVENTABLE or not a.zones >> g.zone[rows[i]] & 1:
                continue
            context(g, e, rows[i], 0, &c)
            if a.flags & (TF_NONCOMBAT if e.combat else TF_COMBAT):
                continue
            if passes_facts(g, &c, a.filter, e.source) and holds(g, &c, a.condition):
                return True
    return False


cdef uint16_t new_victim(Game *g, const Found *f) noexcept nogil:
    """What the damage is dealt to instead (CR 614.9): the source of the ability, or what that is attached to; 0 where
    that can't be dealt damage: then nothing is redirected (614.9a)."""
    cdef uint16_t row = f.row
    if ability_of(g, f.ability).step:
        if not g.attached_id[row] or not is_live(g, g.attached_row[row], g.attached_id[row]):
            return 0
        row = g.attached_row[row]
    if g.zone[row] != Z_BATTLEFIELD or g.status[row] & ST_PHASED_OUT:
        return 0
    return row if g.types[row] & (T_CREATURE | T_PLANESWALKER | T_BATTLE) else 0


cdef int damage_instead(Game *g, const Facts *source, uint16_t row, int player, int n, bint combat, bint really,
                        uint16_t *to) noexcept nogil:
    cdef Found found[MOST_FOUND]
    cdef Found done[MOST_FOUND]
    cdef Event_ e
    cdef bint sure
    cdef int n_done = 0
    cdef int prevented = 0
    cdef int k, i, left
    cdef uint32_t s
    to[0] = 0
    e.source = source
    e.row = row
    e.player = player
    e.what = RP_DAMAGE
    e.kind = ANY_KIND
    e.combat = combat
    sure = unpreventable(g, &e)
    while n > 0 and n_done < MOST_FOUND:
        if e.row and not sure and g.keywords[e.row] & K_PROTECTION and protected_from(g, e.row, source):
            prevented += n  # CR 702.16e: nothing else comes before it that could matter
            n = 0
            break
        if not e.row and not sure and g.h.player_facts & PY_PLAYER_PROTECTION and player_guarded(g, e.player, source):
            prevented += n
            n = 0
            break
        k = seek(g, &e, RP_DAMAGE, n, done, n_done, found, 0)
        k = seek(g, &e, RP_REDIRECT, n, done, n_done, found, k)
        if not sure:
            k = seek(g, &e, RP_PREVENT_TO, n, done, n_done, found, k)
            k = seek(g, &e, RP_PREVENT_BY, n, done, n_done, found, k)
            if g.h.rule_counters and e.row and counters_on(g, e.row, CK_SHIELD) and k < MOST_FOUND:
                for i in range(n_done):
                    if done[i].what == BY_COUNTER:
                        break
                else:
                    found[k].row = e.row
                    found[k].id = g.id[e.row]
                    found[k].ability = 0xFFFF
                    found[k].what = BY_COUNTER
                    k += 1
            if g.h.shields >> EK_PREVENT & 1:
                for s in range(g.h.n_effects):
                    if k < MOST_FOUND and shields_from(g, &g.effect[s], source, e.row, e.player, combat):
                        for i in range(n_done):
                            if done[i].row == 0 and done[i].id == g.effect[s].timestamp:
                                break
                        else:
                            found[k].row = 0
                            found[k].id = g.effect[s].timestamp
                            found[k].ability = <int>s
                            found[k].what = EK_PREVENT
                            k += 1
        if k == 0:
            break
        i = choose(g, &e, found, k, n)
        if i == ASKED:
            return ASKED
        left = result_of(g, &e, &found[i], n)
        if found[i].row and found[i].what == RP_REDIRECT:
            if new_victim(g, &found[i]):
                e.row = new_victim(g, &found[i])
                e.player = g.controller[e.row]
                to[0] = e.row
        elif prevents(&found[i]):
            prevented += n - left
        done[n_done] = found[i]
        n_done += 1
        if really and (n > left or not prevents(&found[i])):
            follow_up(g, &e, &found[i], n - left if prevents(&found[i]) else n)
        if found[i].what == BY_COUNTER:
            pass
        elif found[i].row == 0 and really:
            s = <uint32_t>found[i].ability
            if g.effect[s].n & DF_TOTAL_BY:
                pass  # all that the source would deal while the effect lasts
            elif g.effect[s].n & DF_TOTAL:
                effect_remove(g, s)
            elif not g.effect[s].n & DF_ALL:
                g.effect[s].x -= <int16_t>(n - left)
                if g.effect[s].x <= 0:
                    effect_remove(g, s)
        elif really and not prevents(&found[i]):
            trace(g, TR_REPLACED, g.defn[e.row] if e.row else g.defn[found[i].row], found[i].what, BY_ABILITY, 0,
                  g.id[e.row] if e.row else found[i].id)
        n = left
    if prevented and really:
        trace(g, TR_PREVENTED, prevented, g.defn[e.row] if e.row else -1 - e.player, source.defn, n,
              g.id[e.row] if e.row else 0)
    return n
