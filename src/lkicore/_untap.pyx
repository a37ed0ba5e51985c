"""The untap step (CR 502): phasing, what need not untap, what does not, and the untapping."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._abilities cimport counters_on
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._game cimport (NO_ANSWER, NO_PLAYER, add_option, answer_of, drop_frame, in_game, open_choice, push_frame,
                            top_frame)
from lkicore._guard cimport ctz64, rare
from lkicore._index cimport WATCHED
from lkicore._layers cimport changed, dirty, dirty_all, effects_expire, settle
from lkicore._layout cimport Frame, Game
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._phasing cimport phase_step
from lkicore._sides cimport turn_with_day
from lkicore._status cimport put_counters
from lkicore._store cimport clear_bit, ctrl_set, touched, trace, zone_first
from lkicore._titles cimport turn_of_day
from lkicore._triggers cimport happened, heard


cdef bint exerted(const Game *g, uint16_t row) noexcept nogil:
    """It was exerted, and this is the untap step in which it does not untap (CR 701.43a)."""
    cdef uint32_t i
    for i in range(g.h.n_effects):
        if g.effect[i].kind == EK_EXERTED and g.effect[i].affected_row == row and g.effect[i].affected_id == g.id[row]:
            return True
    return False


cdef bint may_stay(const Game *g, uint16_t row, uint16_t asked) noexcept nogil:
    """It is tapped, may stay so, and its controller has not been asked."""
    cdef int i
    if (g.controller[row] != g.h.active or not g.status[row] & ST_TAPPED or not g.keywords[row] & K_MAY_STAY_TAPPED):
        return False
    for i in range(chunk_len(g, asked)):
        if chunk_refs(g, asked)[i].row == row:
            return False
    return True


cdef void run_untap(Game *g) noexcept nogil:
    """CR 502.3: which of those that may stay tapped untap. frame: obj the one asked about; list those that stay, info
    all that have been asked about."""
    cdef Frame *f = top_frame(g)
    cdef uint16_t row
    cdef int i
    if g.h.answer != NO_ANSWER:
        if answer_of(g).kind == O_NO:
            f.list = refs_add(g, f.list, f.obj_id, f.obj_row, RK_OBJECT)
        f.info = refs_add(g, f.info, f.obj_id, f.obj_row, RK_OBJECT)
        g.h.answer = NO_ANSWER
    row = zone_first(g, Z_BATTLEFIELD, 0)
    while row and not may_stay(g, row, f.info):
        row = g.znext[row]
    if row:
        f.obj_row = row
        f.obj_id = g.id[row]
        open_choice(g, CH_UNTAP, f.player)
        add_option(g, O_NO, row, 0, NO_PLAYER)
        add_option(g, O_YES, row, 0, NO_PLAYER)
        return
    # For the untapping they are as such that don't untap.
    for i in range(chunk_len(g, f.list)):
        g.keywords[chunk_refs(g, f.list)[i].row] |= K_DOESNT_UNTAP
        dirty(g, chunk_refs(g, f.list)[i].row)
    untap_all(g)
    drop_frame(g)


cdef void untap_all(Game *g) noexcept nogil:
    untap_step(g)
    if g.h.n_effects:
        effects_expire(g, D_NEXT_UNTAP, g.h.active)
        if g.h.shields & WATCHED:
            dirty_all(g)  # "for as long as it remains tapped"
    settle(g)


cdef bint asks_to_untap(const Game *g) noexcept nogil:
    cdef uint16_t row = zone_first(g, Z_BATTLEFIELD, 0)
    while row:
        if may_stay(g, row, 0):
            return True
        row = g.znext[row]
    return False


cdef bint stunned(Game *g, uint16_t row) noexcept nogil:
    """CR 122.1d: a stun counter is removed instead of untapping it."""
    if not g.status[row] & ST_TAPPED or not counters_on(g, row, CK_STUN):
        return False
    put_counters(g, row, CK_STUN, -1)
    return True


cdef bint stays(Game *g, uint16_t row) noexcept nogil:
    """What is tapped does not untap."""
    return (g.keywords[row] & K_DOESNT_UNTAP or (g.h.shields >> EK_EXERTED & 1 and exerted(g, row))
            or (g.h.rule_counters and stunned(g, row)))


cdef void untap_step(Game *g) noexcept nogil:
    """CR 502.3; what the active player controls now, it has controlled since the turn began (302.6)."""
    cdef uint32_t w
    cdef uint64_t *mine = ctrl_set(g, g.h.active)
    cdef uint64_t work
    cdef uint16_t row
    cdef bint kept = g.h.shields >> EK_EXERTED & 1 or g.h.rule_counters  # something may not untap for that
    g.h.tick += 1
    for w in range(g.lay.words):
        work = mine[w] & (~g.b_untapped[w] | g.b_sick[w])
        if work:
            g.b_untapped[w] |= mine[w]
            g.b_sick[w] &= ~mine[w]
            while work:
                row = <uint16_t>(w * 64 + <uint32_t>ctz64(work))
                work &= work - 1
                if g.status[row] & ST_TAPPED:
                    if rare(kept or g.keywords[row] & K_DOESNT_UNTAP) and stays(g, row):
                        clear_bit(g.b_untapped, row)
                        g.status[row] &= <uint8_t>~<int>ST_SICK
                        continue
                    trace(g, TR_UNTAP, g.defn[row], 0, 0, 0, g.id[row])
                    if heard(g, EV_UNTAPPED):
                        g.status[row] &= <uint8_t>~<int>ST_TAPPED
                        happened(g, EV_UNTAPPED, row, g.id[row], 0, 0, g.controller[row], 0, 0)
                g.status[row] &= <uint8_t>~<int>(ST_TAPPED | ST_SICK)
                mana_update(g, row)
    changed(g, RD_TAPPED)
    touched(g)


cdef bint begin_untap(Game *g) noexcept nogil:
    """CR 502.1-3; true if a player must choose first what stays tapped."""
    if g.h.phasing & UF_PHASING:
        phase_step(g, g.h.active)
    if g.h.day:
        g.h.tick += 1
        turn_of_day(g)  # CR 502.2
        settle(g)
        turn_with_day(g)
    if g.h.phasing & UF_STAYS and in_game(g, g.h.active) and asks_to_untap(g):
        g.h.phase_state = TS_NEXT_STEP
        push_frame(g, F_UNTAP, g.h.active)
        return True
    if g.h.n_effects:
        untap_all(g)
    else:
        untap_step(g)
    return False
