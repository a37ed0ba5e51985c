"""Games in bulk: each from its own seed, in a block that grows when it must."""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._agents cimport agent_option
from lkicore._cards cimport CardTable
from lkicore._defs cimport face_of
from lkicore._game cimport SeatDeck, Seats, game_seed, game_template
from lkicore._layout cimport Game, LkiRow, N_CLASSES, layout_of
from lkicore._lki cimport is_departure
from lkicore._opcodes cimport *
from lkicore._players cimport stop
from lkicore._state cimport block_copy, block_free, block_grow, block_new, block_open, game_hash
from lkicore._turn cimport advance, apply
from lkicore._types cimport CardTable as CTable


cdef struct Setting:
    const CTable *cards
    const SeatDeck *decks
    int players
    int ring
    int options
    uint32_t max_turns
    int skip_ref
    uint32_t watch
    int agents[8]

cdef struct Tally:
    uint64_t checksum
    uint64_t lki_records
    uint64_t lki_kept
    uint64_t lki_answers
    uint64_t lki_kept_answers


cdef bint short_of_room(const Game *g) noexcept nogil:
    """Head-room at a choice: what an ordinary step takes, and a little of each table."""
    return (g.h.n_free < 4 + g.lay.rows // 32 or g.h.n_stack + 2 >= <int>g.lay.stack
            or g.h.n_effects + 2 >= <int>g.lay.effects
            or g.h.history_n + 4 + g.lay.history // 16 >= g.lay.history or g.h.arena_top + 16 >= <int>g.lay.arena)


cdef bint slot_open(Slot *s, int size_class, int players, int ring) noexcept nogil:
    """Blocks for games of a class; false without memory or class."""
    s.lay = layout_of(size_class, players, ring)
    s.block = NULL
    s.template = NULL
    if s.lay == NULL:
        return False
    s.block = block_new(s.lay)
    s.template = block_new(s.lay)
    return s.block != NULL and s.template != NULL


cdef void slot_close(Slot *s) noexcept nogil:
    block_free(s.block, s.lay)
    block_free(s.template, s.lay)
    s.block = NULL
    s.template = NULL


cdef void make_template(Slot *s, const Setting *t) noexcept nogil:
    cdef Game g
    block_open(&g, s.template, s.lay)
    # A tiny ring stays as tiny in a larger class as its layout says.
    game_template(&g, t.cards, t.decks, 0, t.options)
    g.h.watch |= t.watch


cdef void open_game(Game *g, Slot *s, const Setting *t) noexcept nogil:
    block_open(g, s.block, s.lay)
    g.cards = t.cards
    g.max_turns = t.max_turns
    g.skip_ref = t.skip_ref


cdef int play(Slot *now, Slot *first, const Setting *t, uint64_t seed, uint64_t number, Tally *tally,
              Game *g) noexcept nogil:
    """Play one game in `now`, which begins as `first` and is replaced by larger blocks as needed; times it grew.

    Short of room at a choice, the game moves to the next class. Out of room within a step, it is played again from its
    seed in the next class: the same game, for chance and agents depend on the seed alone.
    """
    cdef Slot bigger
    cdef Game larger
    cdef int grown = 0
    cdef bint move
    block_copy(now.block, now.template, now.lay)
    open_game(g, now, t)
    game_seed(g, seed, number)
    while True:
        advance(g)
        move = g.h.status == GS_RUNNING and g.h.choice and short_of_room(g) and now.lay.size_class + 1 < N_CLASSES
        if g.h.status == GS_NEED_ROOM or move:
            if now.lay.size_class + 1 >= N_CLASSES:
                stop(g, GS_CAPACITY, END_CAPACITY)
                break
            if not slot_open(&bigger, now.lay.size_class + 1, t.players, t.ring):
                slot_close(&bigger)
                stop(g, GS_CAPACITY, END_CAPACITY)
                break
            make_template(&bigger, t)
            grown += 1
            if move:
                open_game(&larger, &bigger, t)
                block_grow(&larger, g)
                larger.lki_answers = g.lki_answers
                larger.lki_kept_answers = g.lki_kept_answers
            else:
                block_copy(bigger.block, bigger.template, bigger.lay)
                open_game(&larger, &bigger, t)
                game_seed(&larger, seed, number)
            if now.block != first.block:
                slot_close(now)
            now[0] = bigger
            g[0] = larger
            if not move:
                continue
        if g.h.status != GS_RUNNING:
            break
        if apply(g, agent_option(g, t.agents[g.h.decider])) != 0:
            stop(g, GS_FAULT, END_FAULT)
            break
    tally.checksum += game_hash(g)
    tally.lki_records += g.h.lki_records
    tally.lki_kept += g.h.lki_kept
    tally.lki_answers += g.lki_answers
    tally.lki_kept_answers += g.lki_kept_answers
    return grown


cdef struct Columns:
    int8_t *winner
    uint8_t *reason
    uint8_t *status
    uint32_t *turns
    uint32_t *choices
    uint8_t *starting
    uint8_t *grown
    uint64_t *checksum
    int32_t *life
    LkiRow *departures   # `kept` of each game, newest first
    int kept


cdef inline bint later(const LkiRow *a, const LkiRow *b) noexcept nogil:
    """Of two departures, the newer; of one event, the younger object."""
    return a.tick > b.tick or (a.tick == b.tick and a.id > b.id)


cdef void newest_departures(const Game *g, LkiRow *out, int most) noexcept nogil:
    """The newest departures that the ring holds, newest first; id 0 where there are no more. Definitions are told as
    faces of the card table."""
    cdef uint32_t s
    cdef int i
    cdef int n = 0
    memset(out, 0, most * sizeof(LkiRow))
    for s in range(g.h.lki_limit):
        if g.lki[s].id == 0 or not is_departure(&g.lki[s]):
            continue
        if n == most:
            if not later(&g.lki[s], &out[n - 1]):
                continue
            n -= 1
        i = n
        while i > 0 and later(&g.lki[s], &out[i - 1]):
            out[i] = out[i - 1]
            i -= 1
        out[i] = g.lki[s]
        n += 1
    for i in range(n):
        out[i].defn = face_of(g, out[i].defn).number


cdef int play_all(Slot *first, const Setting *t, uint64_t seed, uint64_t begin, Py_ssize_t n, Columns *out,
                  Tally *tally) noexcept nogil:
    cdef Py_ssize_t i
    cdef int p
    cdef int grown
    cdef Slot now
    cdef Game g
    make_template(first, t)
    for i in range(n):
        now = first[0]
        grown = play(&now, first, t, seed, begin + <uint64_t>i, tally, &g)
        out.winner[i] = g.h.winner
        out.reason[i] = g.h.reason
        out.status[i] = g.h.status
        out.turns[i] = g.h.turn
        out.choices[i] = g.h.choices
        out.starting[i] = g.h.starting
        out.grown[i] = <uint8_t>grown
        out.checksum[i] = game_hash(&g)
        for p in range(t.players):
            out.life[i * t.players + p] = g.p_life[p]
        if out.kept:
            newest_departures(&g, &out.departures[i * out.kept], out.kept)
        if now.block != first.block:
            slot_close(&now)
    return 0


def run(CardTable table, decks, agents, uint64_t seed, uint64_t first, Py_ssize_t n, *, int options=3,
        int size_class=-1, int ring=0, uint32_t max_turns=1000, uint32_t watch=0, int skip_ref=-1, dict out):
    """Play the games ``first`` to ``first + n - 1`` of a run, without the GIL.

    Parameters
    ----------
    table : CardTable
        The cards.
    decks : sequence of sequences of int
        Faces of each seat's deck, 2 to 8 seats.
    agents : sequence of int
        ``Agent`` of each seat.
    seed, first, n : int
        Game ``k`` of a run depends on ``(seed, k)`` alone.
    options : int
        ``EngineOption`` bits.
    size_class : int
        Class of the blocks to begin with; -1 the smallest that holds the decks.
    ring : int
        0, or the slots of a tiny LKI ring (8, 12, 16, 32; tests).
    max_turns : int
        Games of more turns are stopped and counted as aborted; 0: no limit.
    watch : int
        Events to keep in the history besides those that cards ask about (``HistoryKind`` bits).
    skip_ref : int
        Tests: the reference that the mark pass forgets; -1 none.
    out : dict of ndarray
        Written in place: ``winner`` int8, ``reason`` uint8, ``status`` uint8, ``turns`` uint32, ``choices`` uint32,
        ``starting`` uint8, ``grown`` uint8, ``checksum`` uint64, each of shape (n,), and ``life`` int32 of shape
        (n, seats); where wanted, ``departures``: bytes of shape (n, k * sizeof(LkiRow)), the newest k rows of each
        game's LKI ring.

    Returns
    -------
    dict
        ``checksum`` (sum of the games' hashes modulo 2**64) and counts of the LKI store.

    Raises
    ------
    ValueError
        For decks, agents or sizes that can't be.
    """
    cdef Seats seats = Seats(table, decks, size_class, ring)
    cdef Setting t
    cdef Tally tally
    cdef Slot slot
    cdef Columns c
    cdef int players = seats.players
    if len(agents) != players:
        raise ValueError(f"{len(agents)} agents for {players} seats")
    for p, agent in enumerate(agents):
        if not 0 <= agent < N_AG:
            raise ValueError(f"seat {p}: no agent {agent}")
        t.agents[p] = agent
    if n < 0:
        raise ValueError(f"n={n} is negative")
    cdef int8_t[::1] winner = out["winner"]
    cdef uint8_t[::1] reason = out["reason"]
    cdef uint8_t[::1] status = out["status"]
    cdef uint32_t[::1] turns = out["turns"]
    cdef uint32_t[::1] choices = out["choices"]
    cdef uint8_t[::1] starting = out["starting"]
    cdef uint8_t[::1] grown = out["grown"]
    cdef uint64_t[::1] checksum = out["checksum"]
    cdef int32_t[:, ::1] life = out["life"]
    for name, size in (("winner", winner.shape[0]), ("reason", reason.shape[0]), ("status", status.shape[0]),
                       ("turns", turns.shape[0]), ("choices", choices.shape[0]),
                       ("starting", starting.shape[0]), ("grown", grown.shape[0]),
                       ("checksum", checksum.shape[0]), ("life", life.shape[0])):
        if size != n:
            raise ValueError(f"out[{name!r}] has {size} entries, not n={n}")
    cdef uint8_t[:, ::1] departures
    memset(&c, 0, sizeof(Columns))
    if "departures" in out:
        departures = out["departures"]
        if departures.shape[0] != n or departures.shape[1] == 0 or departures.shape[1] % sizeof(LkiRow):
            raise ValueError(f"out['departures'] must have n={n} rows of whole LKI rows")
        c.kept = <int>(departures.shape[1] // sizeof(LkiRow))
    if life.shape[1] != players:
        raise ValueError(f"out['life'] has {life.shape[1]} columns, not {players}")
    memset(&tally, 0, sizeof(Tally))
    if n == 0:
        return tally_dict(&tally)
    t.cards = &table.t
    t.decks = seats.deck
    t.players = players
    t.ring = ring
    t.options = options
    t.max_turns = max_turns
    t.skip_ref = skip_ref
    t.watch = watch
    c.winner = &winner[0]
    c.reason = &reason[0]
    c.status = &status[0]
    c.turns = &turns[0]
    c.choices = &choices[0]
    c.starting = &starting[0]
    c.grown = &grown[0]
    c.checksum = &checksum[0]
    c.life = &life[0, 0]
    if c.kept:
        c.departures = <LkiRow *>&departures[0, 0]
    if not slot_open(&slot, seats.lay.size_class, players, ring):
        slot_close(&slot)
        raise MemoryError("no memory for a game's block")
    with nogil:
        play_all(&slot, &t, seed, first, n, &c, &tally)
    slot_close(&slot)
    return tally_dict(&tally)


cdef dict tally_dict(const Tally *t):
    return {"checksum": t.checksum, "lki_records": t.lki_records, "lki_kept": t.lki_kept, "lki_answers": t.lki_answers,
            "lki_kept_answers": t.lki_kept_answers}
