"""The fuzz battery: random games in which, at every choice,

- the block passes `check_block`, and each of its options (or a sample) leads to a block that does;
- every departure since the last choice was recorded in time: as the object was just before it left, all members of its
  group still in place (CR 603.10, 608.2h);
- what is remembered about what players can do is what looking anew says;
- the same game in a block of twice the size has the same options and the same logical state;
- now and then: a copy, plain or into a larger block, is played to the end and ends as the game itself does.
"""
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from lkicore._agents cimport agent_option
from lkicore._batch cimport short_of_room
from lkicore._cards cimport CardTable as PyCardTable
from lkicore._check cimport check_block
from lkicore._check_values cimport values_follow
from lkicore._choices cimport all_calm, can_act, sorcery_time
from lkicore._game cimport Seats, game_seed, game_template, in_game, top_frame
from lkicore._layout cimport Game, LkiRow, N_CLASSES, Option, layout_of
from lkicore._lki cimport NO_SLOT, is_departure, lki_find
from lkicore._opcodes cimport *
from lkicore._players cimport stop
from lkicore._rng cimport N_PURPOSES, S_AGENT, below, mix, mix64
from lkicore._state cimport block_copy, block_free, block_grow, block_new, block_open, game_hash, state_hash
from lkicore._store cimport has_bit, is_live
from lkicore._turn cimport advance, apply, concede

from lkicore import _check

cdef enum:
    AG_ANY = N_AG        # uniform over all options, mulligans too

# What a planted reference is: nothing in the pool makes it yet.
cdef enum:
    PLANT_ATTACHED = 1   # permanents are attached to others
    PLANT_FRAME = 2      # a frame that discards is about one of the cards

cdef enum:
    FZ_FINE = 0
    FZ_BLOCK, FZ_AFTER, FZ_REFUSED, FZ_FAULT, FZ_BEYOND, FZ_CAN_ACT, FZ_OFFERED, FZ_CALM
    FZ_GROWN, FZ_TWIN_STATE, FZ_TWIN_OPTIONS, FZ_TWIN_CHOICE, FZ_CLONE, FZ_COPY
    FZ_RECORD_ROW, FZ_RECORD_STALE, FZ_RECORD_LATE, FZ_RECORD_TICK, FZ_UNRECORDED, FZ_MEMORY
    N_FZ

WHAT = (
    "nothing is wrong",
    "at the choice",
    "after the option",
    "a legal option was refused",
    "a legal option led to a fault of the engine",
    "an option that does not exist was taken",
    "what the player can do was remembered wrongly",
    "the options differ from what the player can do",
    "that nobody can act was remembered wrongly",
    "the larger block holds another state",
    "the game in a block of twice the size is in another state",
    "the game in a block of twice the size has other options",
    "the agent chose otherwise in a block of twice the size",
    "a copy of the game ended otherwise",
    "a copy of the game is in another state",
    "an LKI row is not the object as it was just before it left",
    "an object left before its values were computed",
    "an object was recorded after another of its group had moved",
    "an LKI row has another tick than the event",
    "an object left without being recorded",
    "no memory",
)
if len(WHAT) != N_FZ:
    raise ImportError(f"{len(WHAT)} texts for {N_FZ} codes")


# ------------------------------------------------------------------------------------------ departures

cdef void on_record(Game *g, uint16_t row, uint16_t slot) noexcept nogil:
    """Called by the core as soon as a departure is recorded, before anything moves."""
    cdef Watcher *w = <Watcher *>g.trace
    cdef LkiRow *r = &g.lki[slot]
    cdef uint32_t s
    cdef int code = FZ_FINE
    w.records += 1
    if w.code:
        return
    if (r.id != g.id[row] or r.row != row or r.keywords != g.keywords[row] or r.timestamp != g.timestamp[row]
            or r.attached_id != g.attached_id[row] or r.attached_row != g.attached_row[row]
            or r.blocks_id != g.blocks_id[row] or r.blocks_row != g.blocks_row[row] or r.defn != g.defn[row]
            or r.card != g.card[row] or r.types != g.types[row] or r.power != g.power[row]
            or r.toughness != g.toughness[row] or r.damage != g.damage[row] or r.c_p1p1 != g.c_p1p1[row]
            or r.c_m1m1 != g.c_m1m1[row] or r.c_loyalty != g.c_loyalty[row] or r.c_charge != g.c_charge[row]
            or r.zone != g.zone[row] or r.owner != g.owner[row] or r.controller != g.controller[row]
            or r.status != (g.status[row] if r.zone in (Z_BATTLEFIELD, Z_STACK, Z_PHASED_OUT) else 0)
            or r.oflags != g.oflags[row] or r.colors != g.colors[row]
            or r.attacks != g.attacks[row] or r.combat != g.combat[row]):
        code = FZ_RECORD_ROW
    elif r.tick != g.h.tick or r.became or r.until != <uint32_t>0xFFFFFFFF:
        code = FZ_RECORD_TICK
    elif g.zone[row] != Z_PHASED_OUT and (has_bit(g.b_dirty, row) or not values_follow(g, row)):
        code = FZ_RECORD_STALE
    else:
        for s in range(g.h.lki_limit):
            if (g.lki[s].id and is_departure(&g.lki[s]) and g.lki[s].tick == g.h.tick
                    and not is_live(g, g.lki[s].row, g.lki[s].id)):
                code = FZ_RECORD_LATE
                break
    if code:
        w.code = code
        w.id = r.id


cdef bint all_recorded(const Game *g, const Game *before) noexcept nogil:
    """Whatever is no longer what it was a choice ago has an LKI row; not decided when the ring has gone round."""
    cdef uint32_t row
    if g.h.lki_records - before.h.lki_records > before.h.lki_free:
        return True
    for row in range(1, before.lay.rows):
        if before.id[row] and g.id[row] != before.id[row] and lki_find(g, before.id[row]) == NO_SLOT:
            return False
    return True


# ------------------------------------------------------------------------------------------ lanes

cdef void lane_view(Lane *a, const Setting *t) noexcept nogil:
    block_open(&a.g, a.block, a.lay)
    a.g.cards = t.cards
    a.g.max_turns = t.max_turns
    a.g.skip_ref = t.skip_ref
    a.g.trace = &a.watcher.trace if a.watcher != NULL else NULL


cdef void lane_close(Lane *a) noexcept nogil:
    block_free(a.block, a.lay)
    block_free(a.before, a.lay)
    a.block = NULL
    a.before = NULL


cdef bint lane_open(Lane *a, int size_class, const Setting *t) noexcept nogil:
    """Blocks of a class; false without memory or such a class."""
    a.lay = layout_of(size_class, t.players, t.ring)
    a.block = NULL
    a.before = NULL
    if a.lay == NULL:
        return False
    a.block = block_new(a.lay)
    a.before = block_new(a.lay)
    if a.block == NULL or a.before == NULL:
        return False
    lane_view(a, t)
    return True


cdef bint lane_grow(Lane *a, const Setting *t) noexcept nogil:
    """The game goes on in a block of the next class; false if there is none."""
    cdef Lane b
    cdef uint64_t kept = a.g.lki_kept_answers
    b.watcher = a.watcher
    b.grown = a.grown + 1
    if not lane_open(&b, <int>a.lay.size_class + 1, t):
        lane_close(&b)
        return False
    block_grow(&b.g, &a.g)
    lane_close(a)
    a[0] = b
    a.g.lki_kept_answers = kept
    return True


cdef void lane_step(Lane *a, const Setting *t, int option, int leaver) noexcept nogil:
    """Take an option, or let a player concede, and run to the next choice, in a larger block if it must be."""
    if a.watcher != NULL:
        a.watcher.trace.n = 0
    while True:
        block_copy(a.before, a.block, a.lay)
        if leaver >= 0:
            concede(&a.g, leaver)
        elif option >= 0 and apply(&a.g, option) != 0:
            stop(&a.g, GS_FAULT, END_FAULT)
        advance(&a.g)
        if a.g.h.status != GS_NEED_ROOM:
            break
        block_copy(a.block, a.before, a.lay)
        if not lane_grow(a, t):
            stop(&a.g, GS_CAPACITY, END_CAPACITY)
            break
        if a.watcher != NULL:
            a.watcher.trace.n = 0


cdef void lane_seed(Lane *a, const Setting *t, uint64_t number) noexcept nogil:
    """Game `number` up to its first choice."""
    game_template(&a.g, t.cards, t.decks, 0, t.options)
    a.g.h.watch |= t.watch
    game_seed(&a.g, t.seed, number)
    lane_step(a, t, -1, -1)


cdef int choose(Game *g, const Setting *t) noexcept nogil:
    cdef int agent = t.agents[g.h.decider]
    if agent == AG_ANY:
        return <int>below(&g.stream[(g.h.decider * N_PURPOSES + S_AGENT) * 2], g.h.n_options)
    return agent_option(g, agent)


cdef int who_concedes(const Game *g, const Setting *t) noexcept nogil:
    """A player who concedes at this choice, -1 nobody: the same in every block that holds this game."""
    cdef uint64_t h
    cdef int p
    if t.leave == 0:
        return -1
    h = mix64(mix(t.seed, g.h.game, 77, 0) + g.h.choices)
    if <int>(h % 1000) >= t.leave:
        return -1
    p = <int>((h >> 32) % <uint64_t>t.players)
    return p if in_game(g, p) else -1


cdef void play_out(Lane *a, const Setting *t) noexcept nogil:
    cdef int leaver
    while a.g.h.status == GS_RUNNING:
        leaver = who_concedes(&a.g, t)
        lane_step(a, t, choose(&a.g, t) if leaver < 0 else -1, leaver)


# ------------------------------------------------------------------------------------------ looking

cdef bint fail(Tally *y, const Game *g, int what, int code, int option) noexcept nogil:
    y.what = what
    y.code = code
    y.option = option
    y.game = g.h.game
    y.choice = g.h.choices
    return False


cdef bint sound(Tally *y, Lane *a, int what, int option) noexcept nogil:
    """The block passes, and departures were recorded well."""
    cdef int code
    cdef Game was
    y.checks += 1
    if a.watcher != NULL and a.watcher.code:
        y.object = a.watcher.id
        return fail(y, &a.g, a.watcher.code, 0, option)
    if a.g.h.status == GS_FAULT:
        return fail(y, &a.g, FZ_FAULT, 0, option)
    if a.g.h.status == GS_CAPACITY:
        return True
    code = check_block(&a.g)
    if code:
        return fail(y, &a.g, what, code, option)
    block_open(&was, a.before, a.lay)
    if not all_recorded(&a.g, &was):
        return fail(y, &a.g, FZ_UNRECORDED, 0, option)
    return True


cdef bint remembered(Tally *y, Lane *a, Lane *scratch) noexcept nogil:
    """What was computed about what players can do is what computing it anew says (on a copy)."""
    cdef Game *g = &a.g
    cdef int p, act
    cdef bint can
    if g.h.n_frames:
        # In the middle of a declaration nobody asks; the revision grows as it ends.
        return True
    block_copy(scratch.block, a.block, a.lay)
    for p in range(<int>g.lay.players):
        if not in_game(g, p):
            continue
        scratch.g.p_act_rev[p] = g.h.rev - 1
        act = can_act(&scratch.g, p)
        if g.p_act_rev[p] == g.h.rev and act != g.p_act[p]:
            return fail(y, g, FZ_CAN_ACT, p, -1)
        if g.h.choice == CH_PRIORITY and p == g.h.chooser and not sorcery_time(g, p):
            can = act & ACT_INSTANT
            if can != (g.h.n_options > 1):
                return fail(y, g, FZ_OFFERED, p, -1)
    if g.h.calm_rev == g.h.rev:
        scratch.g.h.calm_rev = g.h.rev - 1
        if all_calm(&scratch.g) != g.h.calm:
            return fail(y, g, FZ_CALM, 0, -1)
    return True


cdef bint try_options(Tally *y, Lane *a, Lane *scratch, const Setting *t, uint64_t *chance) noexcept nogil:
    """Each option, or `tries` of many, applies without a fault and leads to a sound block."""
    cdef int n = a.g.h.n_options
    cdef int i, k
    cdef int todo = n if n <= t.tries else t.tries
    for i in range(todo):
        k = i if n <= t.tries else <int>below(chance, <uint32_t>n)
        block_copy(scratch.block, a.block, a.lay)
        block_copy(scratch.before, a.block, a.lay)
        lane_view(scratch, t)
        if i == 0:
            if apply(&scratch.g, -1) != -1 or apply(&scratch.g, n) != -1:
                return fail(y, &a.g, FZ_BEYOND, 0, n)
            if state_hash(&scratch.g) != state_hash(&a.g) or game_hash(&scratch.g) != game_hash(&a.g):
                return fail(y, &a.g, FZ_COPY, 0, -1)
        if scratch.watcher != NULL:
            scratch.watcher.trace.n = 0
        if apply(&scratch.g, k) != 0:
            return fail(y, &a.g, FZ_REFUSED, 0, k)
        advance(&scratch.g)
        y.applied += 1
        if scratch.g.h.status == GS_NEED_ROOM:
            if scratch.watcher.code:
                return fail(y, &a.g, scratch.watcher.code, 0, k)
            continue
        if not sound(y, scratch, FZ_AFTER, k):
            return False
    return True


cdef bint same_choice(Tally *y, Lane *a, Lane *b) noexcept nogil:
    """Two blocks of different sizes hold the same game."""
    cdef int i
    cdef Option *p
    cdef Option *q
    if a.g.h.status != b.g.h.status or state_hash(&a.g) != state_hash(&b.g):
        return fail(y, &a.g, FZ_TWIN_STATE, 0, -1)
    if a.g.h.choice != b.g.h.choice or a.g.h.n_options != b.g.h.n_options:
        return fail(y, &a.g, FZ_TWIN_OPTIONS, 0, -1)
    for i in range(a.g.h.n_options):
        p = &a.g.option[i]
        q = &b.g.option[i]
        if p.kind != q.kind or p.id != q.id or p.num != q.num or p.player != q.player:
            return fail(y, &a.g, FZ_TWIN_OPTIONS, 0, i)
    return True


cdef void plant(Tally *y, Game *g, int what, uint64_t *chance) noexcept nogil:
    """Make references that no card of the pool makes yet; nothing but the store reads them."""
    cdef uint16_t rows[64]
    cdef uint16_t row = g.z_head[Z_BATTLEFIELD * g.lay.players]
    cdef int n = 0
    cdef int i, k
    if what & PLANT_ATTACHED:
        while row and n < 64:
            rows[n] = row
            n += 1
            row = g.znext[row]
        if n > 1:
            i = <int>below(chance, <uint32_t>n)
            k = <int>below(chance, <uint32_t>n)
            if i != k and g.attached_id[rows[i]] == 0:
                g.attached_row[rows[i]] = rows[k]
                g.attached_id[rows[i]] = g.id[rows[k]]
                y.planted += 1
    if what & PLANT_FRAME and g.h.n_frames and top_frame(g).kind == F_DISCARD and top_frame(g).obj_id == 0:
        row = g.option[below(chance, g.h.n_options)].row
        top_frame(g).obj_row = row
        top_frame(g).obj_id = g.id[row]
        y.planted += 1


# ------------------------------------------------------------------------------------------ games

# Everything that a game of the battery is played in.
cdef struct Desk:
    Lane game
    Lane twin
    Lane scratch
    Lane copy
    Watcher watcher
    Watcher tried
    uint64_t ends[16]    # hashes with which copies ended
    int n_ends


cdef bint desk_fit(Desk *d, const Setting *t) noexcept nogil:
    """Scratch blocks of the size that the game has now."""
    if d.scratch.lay == d.game.lay:
        return True
    lane_close(&d.scratch)
    d.scratch.watcher = &d.tried
    return lane_open(&d.scratch, <int>d.game.lay.size_class, t)


cdef bint play_copy(Tally *y, Desk *d, const Setting *t, bint larger) noexcept nogil:
    """Play a copy of the game to its end; `larger`: in a block of the next class."""
    cdef Lane *c = &d.copy
    c.watcher = NULL
    c.grown = 0
    if not lane_open(c, <int>d.game.lay.size_class, t):
        return fail(y, &d.game.g, FZ_MEMORY, 0, -1)
    block_copy(c.block, d.game.block, c.lay)
    if larger and lane_grow(c, t):
        if state_hash(&c.g) != state_hash(&d.game.g) or check_block(&c.g):
            return fail(y, &d.game.g, FZ_GROWN, check_block(&c.g), -1)
    play_out(c, t)
    d.ends[d.n_ends] = game_hash(&c.g)
    d.n_ends += 1
    y.cloned += 1
    if c.g.h.status != GS_CAPACITY and check_block(&c.g):
        return fail(y, &c.g, FZ_BLOCK, check_block(&c.g), -1)
    lane_close(c)
    return True


cdef bint look(Tally *y, Desk *d, const Setting *t, uint64_t *chance) noexcept nogil:
    """All that is looked at at one choice."""
    if not sound(y, &d.game, FZ_BLOCK, -1):
        return False
    if t.twin and not same_choice(y, &d.game, &d.twin):
        return False
    if d.game.g.h.status != GS_RUNNING:
        return True
    if not desk_fit(d, t):
        return fail(y, &d.game.g, FZ_MEMORY, 0, -1)
    if not remembered(y, &d.game, &d.scratch):
        return False
    if t.tries and not try_options(y, &d.game, &d.scratch, t, chance):
        return False
    if d.n_ends < t.clones and below(chance, 24) == 0:
        return play_copy(y, d, t, d.n_ends & 1)
    return True


cdef bint play(Tally *y, Desk *d, const Setting *t, uint64_t number) noexcept nogil:
    """One game; false when something is wrong."""
    cdef Lane *a = &d.game
    cdef uint64_t chance[2]
    cdef int option, leaver, i
    cdef uint32_t seen = 0
    chance[0] = mix(t.seed, number, 99, 0)
    chance[1] = mix(t.seed, number, 99, 1) | 1
    d.n_ends = 0
    a.watcher = &d.watcher
    d.watcher.code = 0
    d.tried.code = 0
    a.grown = 0
    if not lane_open(a, t.size_class, t):
        return fail(y, &a.g, FZ_MEMORY, 0, -1)
    lane_seed(a, t, number)
    if t.twin:
        d.twin.watcher = NULL
        d.twin.grown = 0
        if not lane_open(&d.twin, t.size_class + 1, t):
            return fail(y, &a.g, FZ_MEMORY, 0, -1)
        lane_seed(&d.twin, t, number)
    while a.g.h.status == GS_RUNNING:
        if short_of_room(&a.g):
            lane_grow(a, t)
        if t.every <= 1 or seen % <uint32_t>t.every == 0:
            if not look(y, d, t, chance):
                return False
        elif d.watcher.code:
            return sound(y, a, FZ_BLOCK, -1)
        seen += 1
        y.choices += 1
        leaver = who_concedes(&a.g, t)
        if leaver >= 0:
            y.conceded += 1
        option = choose(&a.g, t) if leaver < 0 else -1
        if t.twin:
            if leaver < 0 and choose(&d.twin.g, t) != option:
                return fail(y, &a.g, FZ_TWIN_CHOICE, 0, option)
            lane_step(&d.twin, t, option, leaver)
        if t.plant:
            plant(y, &a.g, t.plant, chance)
        lane_step(a, t, option, leaver)
    if not look(y, d, t, chance):
        return False
    for i in range(d.n_ends):
        if d.ends[i] != game_hash(&a.g):
            return fail(y, &a.g, FZ_CLONE, i, -1)
    y.games += 1
    y.checksum += game_hash(&a.g)
    y.grown += a.grown
    y.records += a.g.h.lki_records
    y.kept_answers += a.g.lki_kept_answers
    y.ended += a.g.h.status == GS_ENDED
    y.stalled += a.g.h.status == GS_ABORTED and a.g.h.reason == END_STEP_LIMIT
    y.full += a.g.h.status == GS_CAPACITY
    lane_close(a)
    lane_close(&d.twin)
    return True


cdef int play_all(Tally *y, Desk *d, const Setting *t, uint64_t first, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if not play(y, d, t, first + <uint64_t>i):
            break
    lane_close(&d.game)
    lane_close(&d.twin)
    lane_close(&d.scratch)
    lane_close(&d.copy)
    return 0


def fuzz(PyCardTable table, decks, uint64_t seed, uint64_t first, Py_ssize_t n, *, agents=None, int options=3,
         int size_class=-1, int ring=0, uint32_t watch=0, int skip_ref=-1, int every=1, uint32_t max_turns=60,
         int clones=1, int tries=6, bint twin=True, int leave=0, int plant=0):
    """Play the games ``first`` to ``first + n - 1`` of a run and look at them from all sides; stop at the first fault.

    Parameters
    ----------
    table : CardTable
        The cards.
    decks : sequence of sequences of int
        Faces of each seat's deck, 2 to 8 seats.
    seed, first, n : int
        As :func:`lkicore._batch.run`, which plays the same games.
    agents : sequence of int, optional
        ``Agent`` of each seat; one beyond the last is uniform over all options, mulligans too, and the default.
    options, size_class, ring, watch, skip_ref, max_turns : int
        As :func:`lkicore._batch.run`.
    every : int
        Look at every so many choices.
    clones : int
        Copies a game that are played to their end, 0 to 16.
    tries : int
        Options of a choice that are tried; all if there are no more.
    twin : bool
        Play each game in a block of twice the size beside it.
    leave : int
        Chance in a thousand, at each choice, that somebody concedes.
    plant : int
        Make references that no card makes yet: 1 attachments, 2 of frames that discard. Not with clones or a twin.

    Returns
    -------
    dict
        Counts, ``checksum``, and ``failed``: None, or what is wrong where (``what``, ``message``, ``code``, ``seed``,
        ``game``, ``choice``, ``option``, ``object``).

    Raises
    ------
    ValueError
        For decks, agents or sizes that can't be.
    """
    cdef Seats seats = Seats(table, decks, size_class, ring)
    cdef Setting t
    cdef Tally y
    cdef Desk *d
    cdef int players = seats.players
    if agents is None:
        agents = [AG_ANY] * players
    if len(agents) != players or n < 0:
        raise ValueError(f"{players} decks, {len(agents)} agents, {n} games")
    if plant and (clones or twin):
        raise ValueError("planted references are the game's own: no clones, no twin")
    if not 0 <= clones <= 16:
        raise ValueError(f"clones={clones}: 0 to 16 are possible")
    memset(&y, 0, sizeof(Tally))
    memset(&t, 0, sizeof(Setting))
    for p, agent in enumerate(agents):
        if not 0 <= agent <= AG_ANY:
            raise ValueError(f"seat {p}: no agent {agent}")
        t.agents[p] = agent
    d = <Desk *>calloc(1, sizeof(Desk))
    if d == NULL:
        raise MemoryError()
    try:
        t.cards = &table.t
        t.decks = seats.deck
        t.seed = seed
        t.players = players
        t.ring = ring
        t.size_class = seats.lay.size_class
        t.options = options
        t.max_turns = max_turns
        t.skip_ref = skip_ref
        t.watch = watch
        t.every = every
        t.clones = clones
        t.tries = tries
        t.leave = leave
        t.plant = plant
        t.twin = twin and t.size_class + 1 < N_CLASSES
        d.watcher.trace.recorded = <void *>on_record
        d.tried.trace.recorded = <void *>on_record
        with nogil:
            play_all(&y, d, &t, first, n)
    finally:
        free(d.watcher.trace.record)
        free(d.tried.trace.record)
        free(d)
    failed = None
    if y.what:
        about = WHAT[y.what]
        if y.what in (FZ_BLOCK, FZ_AFTER, FZ_GROWN):
            about = f"{about}: {_check.explain(y.code)}"
        failed = {"what": about, "seed": seed, "game": y.game, "choice": y.choice, "option": y.option,
                  "object": y.object,
                  "code": y.code if y.what in (FZ_BLOCK, FZ_AFTER, FZ_GROWN) else 0,
                  "message": f"seed {seed}, game {y.game}, choice {y.choice}, option {y.option}: {about}"}
    return {"games": y.games, "choices": y.choices, "checks": y.checks, "applied": y.applied, "cloned": y.cloned,
            "grown": y.grown, "conceded": y.conceded, "planted": y.planted, "lki_records": y.records,
            "lki_kept_answers": y.kept_answers, "ended": y.ended, "stalled": y.stalled,
            "full": y.full, "checksum": y.checksum, "failed": failed}
