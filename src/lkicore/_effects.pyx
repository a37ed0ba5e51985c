"""Effects that outlast what made them: begun, ended, and forgotten as their objects leave."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memmove, memset

from lkicore._abilities cimport ability_of
from lkicore._copies cimport redefine_all
from lkicore._index cimport WATCHED, count_sources, dirty, dirty_all, listen_anew, listen_for
from lkicore._layout cimport Effect, Game
from lkicore._mana cimport tapping
from lkicore._opcodes cimport *
from lkicore._store cimport is_live, need_room, new_timestamp, trace

cdef enum:
    # Kinds that are counted in `n_effects` of the object that they apply to, and end as it leaves (CR 400.7).
    FOLLOWING = 1 << EK_CHANGE | 1 << EK_REGENERATE | 1 << EK_PREVENT | 1 << EK_EXILE_INSTEAD | 1 << EK_COPY \
        | 1 << EK_GOAD | 1 << EK_REQUIRE | 1 << EK_EXERTED | 1 << EK_EXILE_LEAVING \
        | 1 << EK_TEXT
    # Kinds that end with their duration.
    LASTING = FOLLOWING | 1 << EK_PERMIT | 1 << EK_PLAYER


cdef inline bint watched(int duration) noexcept nogil:
    """Something that is no departure may end it."""
    return duration == D_WHILE_CONTROLLED or duration == D_WHILE_TAPPED or duration == D_WHILE_YOURS_TAPPED


cdef Effect *effect_new(Game *g, int kind, uint16_t row, uint32_t id, int what, int n, int x, int duration, int player,
                        uint16_t source_row, uint32_t source_id) noexcept nogil:
    """An entry at the end of the table, which is by timestamp; NULL: no room."""
    cdef Effect *e
    if g.h.n_effects == g.lay.effects:
        need_room(g)
        return NULL
    e = &g.effect[g.h.n_effects]
    g.h.n_effects += 1
    memset(e, 0, sizeof(Effect))
    e.affected_row = row
    e.affected_id = id
    e.source_row = source_row
    e.source_id = source_id
    e.timestamp = new_timestamp(g)
    e.x = <int16_t>x
    e.what = <uint16_t>what
    e.n = <uint8_t>n
    e.kind = <uint8_t>kind
    e.duration = <uint8_t>duration
    e.player = <uint8_t>player
    if FOLLOWING >> kind & 1 and id and is_live(g, row, id):
        g.n_effects[row] += 1
    if kind != EK_CHANGE:
        g.h.shields |= <uint32_t>1 << kind
    elif watched(duration):
        g.h.shields |= WATCHED
    return e


cdef inline bint tied(int duration) noexcept nogil:
    """It lasts no longer than its source is there."""
    return duration == D_WHILE_SOURCE or watched(duration)


cdef inline bint lasts(const Game *g, int duration, uint16_t row, uint32_t id, int player) noexcept nogil:
    """What the duration speaks of is so (CR 611.2b): its source is there, and the player's where that counts."""
    if tied(duration):
        return (is_live(g, row, id) and g.zone[row] == Z_BATTLEFIELD
                and (duration == D_WHILE_SOURCE or duration == D_WHILE_TAPPED or g.controller[row] == player)
                and (duration == D_WHILE_SOURCE or duration == D_WHILE_CONTROLLED or g.status[row] & ST_TAPPED))
    return True


cdef void effects_unseen(Game *g) noexcept nogil:
    """Effects that last for as long as something is so end when it is so no longer."""
    cdef uint32_t i = 0
    while i < g.h.n_effects:
        if (g.effect[i].kind == EK_CHANGE and not lasts(g, g.effect[i].duration, g.effect[i].source_row,
                                                        g.effect[i].source_id, g.effect[i].player)):
            effect_remove(g, i)
        else:
            i += 1


cdef void effect_change(Game *g, uint16_t row, int what, int n, int x, int y, int duration, int player,
                        uint16_t source_row, uint32_t source_id) noexcept nogil:
    """A continuous effect on one object: what it affects is locked in (CR 611.2c), and so are its numbers (608.2h)."""
    cdef Effect *e
    cdef int i
    if not lasts(g, duration, source_row, source_id, player):
        return  # CR 611.2b: it ends before it begins
    e = effect_new(g, EK_CHANGE, row, g.id[row], what, n, x, duration, player, source_row, source_id)
    if e == NULL:
        return
    e.y = <int16_t>y
    dirty(g, row)
    if g.trace != NULL:
        for i in range(n):
            trace(g, TR_APPLY, g.defn[row], g.cards.changes[what + i].op, duration, x, g.id[row])


cdef void effect_on_player(Game *g, int whom, int what, int n, int x, int y, int duration, int player,
                           uint16_t source_row, uint32_t source_id) noexcept nogil:
    """Facts of a player for a duration (CR 611.2); its numbers are locked in (608.2h)."""
    cdef Effect *e
    if duration == D_WHILE_SOURCE and not (is_live(g, source_row, source_id) and g.zone[source_row] == Z_BATTLEFIELD):
        return  # CR 611.2b
    e = effect_new(g, EK_PLAYER, 0, 0, what, n, x, duration, player, source_row, source_id)
    if e == NULL:
        return
    e.affected_row = <uint16_t>whom
    e.y = <int16_t>y
    g.h.rules = 1
    g.h.bits_dirty |= 1


cdef void effect_add(Game *g, int kind, uint16_t row, uint32_t id, int what, int n, int x, int duration, int player,
                     uint16_t source_row, uint32_t source_id) noexcept nogil:
    """A shield, a delayed trigger, an object to come back."""
    cdef Effect *e = effect_new(g, kind, row, id, what, n, x, duration, player, source_row, source_id)
    if e != NULL and kind == EK_DELAYED:
        listen_for(g, what)
        if ability_of(g, what).flags & TF_MANA and not tapping(g):
            g.h.casting |= 1 << CA_TAPPED
            count_sources(g)


cdef void reorder(Game *g, const Effect *e) noexcept nogil:
    """A change of qualities ends: static abilities that waited for it (CR 613.8) may come in another order now."""
    cdef int k
    if g.h.n_static and e.kind == EK_CHANGE:
        for k in range(e.n):
            if g.cards.changes[e.what + k].op < X_CDA_PT or g.cards.changes[e.what + k].op > X_SWITCH_PT:
                dirty_all(g)
                return


cdef void end_effect(Game *g, const Effect *e) noexcept nogil:
    """What hangs on an entry that goes; its object may have gone before it."""
    reorder(g, e)
    if e.kind == EK_PLAYER:
        g.h.bits_dirty |= 1
    if FOLLOWING >> e.kind & 1 and e.affected_id and is_live(g, e.affected_row, e.affected_id):
        g.n_effects[e.affected_row] -= 1
        if e.kind == EK_CHANGE:
            dirty(g, e.affected_row)
    if e.kind == EK_TEXT:
        dirty_all(g)  # its abilities may have spoken of anything


cdef void summarize(Game *g, int gone) noexcept nogil:
    """`h.shields`, `h.listening` and copies after entries of these kinds (1 << EffectKind) have gone."""
    cdef uint32_t i
    if gone & ~(1 << EK_CHANGE) or g.h.shields & WATCHED:
        g.h.shields = 0
        for i in range(g.h.n_effects):
            if g.effect[i].kind != EK_CHANGE:
                g.h.shields |= <uint32_t>1 << g.effect[i].kind
            elif watched(g.effect[i].duration):
                g.h.shields |= WATCHED
    if gone >> EK_DELAYED & 1:
        listen_anew(g)
    if gone >> EK_COPY & 1:
        redefine_all(g)


cdef void effect_remove(Game *g, uint32_t i) noexcept nogil:
    cdef int kind = g.effect[i].kind
    end_effect(g, &g.effect[i])
    memmove(&g.effect[i], &g.effect[i + 1], (g.h.n_effects - i - 1) * sizeof(Effect))
    g.h.n_effects -= 1
    memset(&g.effect[g.h.n_effects], 0, sizeof(Effect))
    summarize(g, 1 << kind)


cdef void effects_leave(Game *g, uint16_t row) noexcept nogil:
    """The permanent leaves: effects on it don't follow (CR 400.7), those that last while it is there end (611.2b)."""
    cdef uint32_t id = g.id[row]
    cdef uint32_t i
    cdef uint32_t kept = 0
    cdef Effect *e
    cdef int gone = 0
    for i in range(g.h.n_effects):
        e = &g.effect[i]
        if LASTING >> e.kind & 1 and (e.affected_id == id or (tied(e.duration) and e.source_id == id)):
            gone |= 1 << e.kind
            if e.affected_id != id:
                end_effect(g, e)
            else:
                reorder(g, e)
        else:
            if kept != i:
                g.effect[kept] = e[0]
            kept += 1
    g.n_effects[row] = 0
    if gone:
        memset(&g.effect[kept], 0, (g.h.n_effects - kept) * sizeof(Effect))
        g.h.n_effects = <uint16_t>kept
        summarize(g, gone)


cdef void effects_follow(Game *g, uint16_t row, uint32_t old) noexcept nogil:
    cdef uint32_t i
    for i in range(g.h.n_effects):
        if FOLLOWING >> g.effect[i].kind & 1 and g.effect[i].affected_id == old:
            g.effect[i].affected_id = g.id[row]


cdef void permits_leave(Game *g, uint16_t row) noexcept nogil:
    """The card leaves the zone where players were allowed to play it (CR 400.7)."""
    cdef uint32_t i = 0
    while i < g.h.n_effects:
        if g.effect[i].kind == EK_PERMIT and g.effect[i].affected_id == g.id[row]:
            effect_remove(g, i)
        else:
            i += 1


cdef void effects_expire(Game *g, int duration, int player) noexcept nogil:
    """Effects with this duration end (CR 514.2, 611.2); what waits for a moment to trigger, or to return, does not."""
    cdef uint32_t i
    cdef uint32_t kept = 0
    cdef Effect *e
    cdef int gone = 0
    for i in range(g.h.n_effects):
        e = &g.effect[i]
        if ((e.duration == duration and (LASTING >> e.kind & 1 or e.kind == EK_DELAYED)
                and (duration != D_YOUR_NEXT_TURN or e.player == player)
                and (duration != D_NEXT_UNTAP or g.controller[e.affected_row] == player))
                or (e.kind == EK_DELAYED and e.n and duration == D_END_OF_TURN)):
            gone |= 1 << e.kind
            end_effect(g, e)
        else:
            if kept != i:
                g.effect[kept] = e[0]
            kept += 1
    if gone:
        memset(&g.effect[kept], 0, (g.h.n_effects - kept) * sizeof(Effect))
        g.h.n_effects = <uint16_t>kept
        summarize(g, gone)
