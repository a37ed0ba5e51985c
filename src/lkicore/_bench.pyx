"""What `benchmarks/` measures below the level of games: clones, recorded departures, look-ups.

Each loop runs over a real block, through the functions that games call, and returns a checksum of what it read.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from lkicore._agents cimport agent_option
from lkicore._arena cimport list_copy
from lkicore._cards cimport CardTable
from lkicore._check cimport check_block
from lkicore._departures cimport begin_departures, begin_event, record
from lkicore._game cimport Seats, game_seed, game_template
from lkicore._layers cimport effect_change, settle
from lkicore._layout cimport Game, Layout, LkiRow
from lkicore._lki cimport NO_SLOT, lki_find, lki_find_at, lki_mark
from lkicore._opcodes cimport *
from lkicore._rng cimport N_PURPOSES, mix, mix64, next64, stream_seed
from lkicore._state cimport block_copy, block_free, block_new, block_open, state_hash
from lkicore._status cimport put_counters, tap
from lkicore._store cimport new_id, set_bit, zone_first
from lkicore._turn cimport advance, apply
from lkicore._types cimport NONE16, Node
from lkicore._zones cimport TO_END, move_one

from lkicore import _check

cdef enum:
    DEPARTING = 16    # objects that depart in turn, so that each has a few rows in the ring
    QUESTIONS = 1024  # look-ups, asked again and again


def stream_words(uint64_t seed, uint64_t game, int purpose, int player, int n):
    """The first `n` words of a stream of chance."""
    cdef uint64_t s[2]
    if not 0 <= purpose < N_PURPOSES or not 0 <= player < 8:
        raise ValueError(f"no stream for purpose={purpose}, player={player}")
    stream_seed(s, mix(seed, game, purpose, player))
    return [next64(s) for _ in range(n)]


# ------------------------------------------------------------------------------------------------ loops

cdef inline uint64_t folded(uint64_t sum, const LkiRow *r) noexcept nogil:
    return sum + r.id + ((<uint64_t><uint16_t>r.power) << 32) + ((<uint64_t>r.zone) << 48)


cdef uint64_t ring_sum(const Game *g) noexcept nogil:
    """Checksum of the ring's contents, in the order of its slots."""
    cdef uint64_t h = 0
    cdef uint32_t i
    cdef const LkiRow *r
    for i in range(g.h.lki_limit):
        r = &g.lki[i]
        h = mix64(h ^ r.id ^ (<uint64_t>r.tick << 32))
        h = mix64(h ^ r.keywords ^ (<uint64_t>r.defn << 48))
        h = mix64(h ^ (<uint64_t><uint16_t>r.power | <uint64_t><uint16_t>r.toughness << 16
                       | <uint64_t><uint16_t>r.damage << 32 | <uint64_t>r.status << 48 | <uint64_t>r.combat << 56))
        h = mix64(h ^ (<uint64_t><uint16_t>r.c_p1p1 | <uint64_t><uint16_t>r.c_m1m1 << 16
                       | <uint64_t><uint16_t>r.c_loyalty << 32 | <uint64_t><uint16_t>r.c_charge << 48))
        h = mix64(h ^ (<uint64_t>r.attached_id | <uint64_t>r.blocks_id << 32))
    return h


cdef void run_records(Game *g, const uint16_t *rows, uint64_t n) noexcept nogil:
    """Departures one at a time; each leaves a new object in its row, as a zone change does."""
    cdef uint64_t i
    cdef uint16_t row
    for i in range(n):
        row = rows[i % DEPARTING]
        if not begin_event(g, 1):
            return
        record(g, row, Z_GRAVEYARD)
        g.id[row] = new_id(g)


cdef void run_rich_records(Game *g, const uint16_t *rows, const uint16_t *attachments, uint64_t n) noexcept nogil:
    """The same of objects with a list each and two attachments, which stay and are kept as they are then. The next
    object in the row gets a list like it, and the attachments go to the next row."""
    cdef uint64_t i
    cdef uint16_t row, list
    cdef int k
    for i in range(n):
        row = rows[i % DEPARTING]
        for k in range(2):
            g.attached_row[attachments[k]] = row
            g.attached_id[attachments[k]] = g.id[row]
        list = list_copy(g, g.extra[row])
        if not begin_departures(g, &row, 1):
            return
        record(g, row, Z_GRAVEYARD)
        g.oflags[row] &= <uint8_t>~<int>OF_HOST
        g.id[row] = new_id(g)
        g.extra[row] = list


cdef void run_moves(Game *g, const uint16_t *rows, uint64_t n) noexcept nogil:
    """Whole zone changes: each card to the graveyard and under its library in turn."""
    cdef uint64_t i
    for i in range(n):
        move_one(g, rows[i % DEPARTING], Z_LIBRARY if (i // DEPARTING) & 1 else Z_GRAVEYARD, TO_END)


cdef uint64_t run_marks(Game *g, uint64_t n) noexcept nogil:
    cdef uint64_t _
    cdef uint64_t sum = 0
    for _ in range(n):
        lki_mark(g)
        sum += g.h.lki_pinned
    return sum


cdef uint64_t run_finds(const Game *g, const uint32_t *ids, uint64_t n) noexcept nogil:
    cdef uint64_t i
    cdef uint64_t sum = 0
    cdef uint16_t s
    for i in range(n):
        s = lki_find(g, ids[i % QUESTIONS])
        if s != NO_SLOT:
            sum = folded(sum, &g.lki[s])
        else:
            sum += 1
    return sum


cdef uint64_t run_finds_at(const Game *g, const uint16_t *cards, const uint32_t *ticks, uint64_t n) noexcept nogil:
    cdef uint64_t i
    cdef uint64_t sum = 0
    cdef uint16_t s
    for i in range(n):
        s = lki_find_at(g, cards[i % QUESTIONS], ticks[i % QUESTIONS])
        if s != NO_SLOT:
            sum = folded(sum, &g.lki[s])
        else:
            sum += 1
    return sum


cdef void run_copies(void *to, const void *source, const Layout *lay, uint64_t n) noexcept nogil:
    cdef uint64_t _
    for _ in range(n):
        block_copy(to, source, lay)


# ------------------------------------------------------------------------------------------------ a game in its middle

cdef class Scene:
    """A game between built-in agents, played up to a number of choices.

    Parameters
    ----------
    table : CardTable
        The cards.
    decks : sequence of sequences of int
        Faces of each seat's deck, 2 to 8 seats.
    agent : int
        ``Agent`` of all seats.
    seed, game : int
        Which game.
    choices : int
        The scene is the choice that comes after so many.

    Raises
    ------
    ValueError
        For decks or agents that can't be, and if the game ends or needs a larger block before that choice.
    """

    cdef Game g
    cdef void *block
    cdef void *start     # the scene as it is before each measured loop
    cdef const Layout *lay
    cdef CardTable table
    cdef uint16_t row[DEPARTING]
    cdef uint16_t attachment[2]
    cdef bint rich
    cdef bint departing
    cdef bint asking
    cdef uint32_t hit[QUESTIONS]
    cdef uint32_t miss[QUESTIONS]
    cdef uint16_t at_card[QUESTIONS]
    cdef uint32_t at_tick[QUESTIONS]

    def __cinit__(self, CardTable table, decks, *, int agent=0, uint64_t seed=0, uint64_t game=0, uint32_t choices):
        cdef Seats seats = Seats(table, decks)
        self.table = table
        if not 0 <= agent < N_AG:
            raise ValueError(f"no agent {agent}")
        self.lay = seats.lay
        self.block = block_new(self.lay)
        self.start = block_new(self.lay)
        if self.block == NULL or self.start == NULL:
            raise MemoryError()
        block_open(&self.g, self.block, self.lay)
        game_template(&self.g, &table.t, seats.deck, 0, 3)
        game_seed(&self.g, seed, game)
        with nogil:
            advance(&self.g)
            while self.g.h.status == GS_RUNNING and self.g.h.choices < choices:
                if apply(&self.g, agent_option(&self.g, agent)) != 0:
                    break
                advance(&self.g)
        if self.g.h.status != GS_RUNNING or self.g.h.choices != choices:
            raise ValueError(f"game {game} of seed {seed} is over, or needs a larger block, before choice {choices}")
        block_copy(self.start, self.block, self.lay)

    def __dealloc__(self):
        block_free(self.block, self.lay)
        block_free(self.start, self.lay)

    @property
    def bytes(self):
        """Size of the block."""
        return self.lay.bytes

    @property
    def turn(self):
        """Turns begun."""
        return self.g.h.turn

    def state_hash(self):
        """Hash of the logical state."""
        return state_hash(&self.g)

    def check(self):
        """None, or which invariant of the block is broken."""
        code = check_block(&self.g)
        return _check.explain(code) if code else None

    def lki_ids(self):
        """Ids of the departures in the ring, by slot."""
        return [self.g.lki[i].id for i in range(self.g.h.lki_limit) if self.g.lki[i].id]

    # ------------------------------------------------------------------ clones
    def clones(self, uint64_t n):
        """Copy the block n times into one other; returns the sum of all hashes: of the last copy, for each of them."""
        cdef Game copy
        cdef void *to = block_new(self.lay)
        if to == NULL:
            raise MemoryError()
        with nogil:
            run_copies(to, self.block, self.lay, n)
        block_open(&copy, to, self.lay)
        copy.cards = self.g.cards
        h = n * state_hash(&copy)
        block_free(to, self.lay)
        return h & (2**64 - 1)

    # ------------------------------------------------------------------ departures
    cdef object take(self, int types, int n):
        """Rows of n library cards of a type."""
        found = []
        cdef int p
        cdef uint16_t row
        for p in range(<int>self.lay.players):
            row = zone_first(&self.g, Z_LIBRARY, p)
            while row and len(found) < n:
                if self.g.types[row] & types:
                    found.append(row)
                row = self.g.znext[row]
        if len(found) < n:
            raise ValueError(f"the scene has {len(found)} library cards of type {types}, not {n}")
        return found

    cdef int changes(self) except -1:
        """The first of two changes of the card table: keywords, and numbers that are those of the effect."""
        cdef const Node *n
        cdef int k
        for k in range(self.table.t.n_changes - 1):
            n = &self.table.t.changes[k]
            if n.op == X_ADD_KEYWORDS and n[1].op == X_ADD_PT and n[1].a == -1 and n[1].b == -2:
                return k
        raise ValueError("the table has no effect that gives keywords and numbers")

    cdef int given(self) except -1:
        """A change of the card table that gives an ability."""
        cdef int k
        for k in range(self.table.t.n_changes):
            if self.table.t.changes[k].op == X_ADD_ABILITY:
                return k
        raise ValueError("the table has no effect that gives an ability")

    def prepare(self, str kind):
        """Choose what departs: "card" in a library, "plain" creature, or "rich" one.

        A rich creature has five kinds of counter, damage, changed values and an ability that an effect has added; it is
        tapped and blocking, and two permanents are attached to it.
        """
        cdef uint16_t row, host
        if kind not in ("card", "plain", "rich"):
            raise ValueError(f"no departures of kind {kind!r}")
        block_copy(self.block, self.start, self.lay)
        hosts = []
        if kind == "card":
            rows = self.take(0xFFFF, DEPARTING)
        else:
            # (The table of effects has room for those of half as many rich ones.)
            rows = self.take(T_CREATURE, DEPARTING // 2 if kind == "rich" else DEPARTING)
            hosts = self.take(T_LAND, 3)
            for r in rows + hosts:
                move_one(&self.g, r, Z_BATTLEFIELD, TO_END)
        for i, r in enumerate(rows):
            row = r
            self.row[<int>i] = row
            if len(rows) < DEPARTING:
                self.row[<int>i + DEPARTING // 2] = row
            if kind == "rich":
                host = hosts[0]
                effect_change(&self.g, row, self.changes(), 2, 3, 2, D_END_OF_TURN, self.g.controller[row], host,
                              self.g.id[host])
                for k in (*range(4), CK_STUN):
                    put_counters(&self.g, row, k, 1 + k + i % 3)
                host = hosts[0]
                effect_change(&self.g, row, self.given(), 1, 0, 0, D_END_OF_TURN, self.g.controller[row], host,
                              self.g.id[host])
                tap(&self.g, row)
                self.g.damage[row] = 1
                host = hosts[2]
                self.g.blocks_row[row] = host
                self.g.blocks_id[row] = self.g.id[host]
                self.g.combat[row] = CB_BLOCKING
        self.rich = kind == "rich"
        if self.rich:
            for i in range(2):
                row = hosts[i]
                self.attachment[<int>i] = row
                self.g.attached_row[row] = self.row[0]
                self.g.attached_id[row] = self.g.id[self.row[0]]
                set_bit(self.g.b_attached, row)
            self.g.h.n_attached = 2
            self.g.h.uses |= USE_HOSTS
        settle(&self.g)
        if self.g.h.status != GS_RUNNING:
            raise ValueError("the scene's block has no room for the preparation")
        block_copy(self.start, self.block, self.lay)
        self.departing = True

    cdef int begin(self, bint departures) except -1:
        if departures and not self.departing:
            raise ValueError("nothing was prepared")
        block_copy(self.block, self.start, self.lay)
        return 0

    def records(self, uint64_t n):
        """Record n departures of what was prepared, a mark pass each lap of the ring; returns the ring's checksum."""
        self.begin(True)
        with nogil:
            if self.rich:
                run_rich_records(&self.g, self.row, self.attachment, n)
            else:
                run_records(&self.g, self.row, n)
        self.finished(3 * n if self.rich else n)
        return ring_sum(&self.g)

    def moves(self, uint64_t n):
        """n zone changes of what was prepared ("card"), recorded and carried out; hash of the state."""
        self.begin(True)
        with nogil:
            run_moves(&self.g, self.row, n)
        self.finished(n)
        return state_hash(&self.g)

    cdef int finished(self, uint64_t n) except -1:
        cdef Game before
        block_open(&before, self.start, self.lay)
        if self.g.h.status != GS_RUNNING or self.g.h.lki_records - before.h.lki_records != n:
            raise ValueError(f"{self.g.h.lki_records - before.h.lki_records} rows of {n} were recorded")
        return 0

    def marks(self, uint64_t n):
        """n mark passes; returns the sum of the rows pinned."""
        self.begin(False)
        with nogil:
            sum = run_marks(&self.g, n)
        return sum

    # ------------------------------------------------------------------ look-ups
    def questions(self):
        """Prepare the look-ups: of ids in the ring, of ids that were never or are no longer there, of (card, tick)."""
        cdef uint64_t s[2]
        cdef uint32_t i
        cdef const LkiRow *r
        self.begin(False)
        kept = self.lki_ids()
        known = set(kept)
        gone = [k for k in range(1, self.g.h.next_id) if k not in known]
        slots = [k for k in range(self.g.h.lki_limit)
                 if self.g.lki[k].id and self.g.lki[k].card != NONE16 and self.g.lki[k].until > self.g.lki[k].tick]
        if not kept or not gone or not slots:
            raise ValueError("the scene has no departures, or has not forgotten any")
        self.asking = True
        stream_seed(s, 1)
        for i in range(QUESTIONS):
            self.hit[i] = kept[next64(s) % <uint64_t>len(kept)]
            self.miss[i] = gone[next64(s) % <uint64_t>len(gone)]
            r = &self.g.lki[<int>slots[next64(s) % <uint64_t>len(slots)]]
            self.at_card[i] = r.card
            self.at_tick[i] = r.tick + <uint32_t>(next64(s) % (min(r.until, self.g.h.tick + 1) - r.tick))
        return {"hit": [self.hit[i] for i in range(QUESTIONS)], "miss": [self.miss[i] for i in range(QUESTIONS)],
                "at": [(self.at_card[i], self.at_tick[i]) for i in range(QUESTIONS)]}

    def look_ups(self, str kind, uint64_t n):
        """n look-ups: "hit", "miss", or "at" for those by (card, tick); checksum of the rows found."""
        cdef uint64_t sum
        if kind not in ("hit", "miss", "at"):
            raise ValueError(f"no look-ups of kind {kind!r}")
        if not self.asking:
            raise ValueError("nothing was prepared")
        cdef bint at = kind == "at"
        cdef const uint32_t *ids = &self.hit[0]
        if kind == "miss":
            ids = &self.miss[0]
        with nogil:
            if at:
                sum = run_finds_at(&self.g, self.at_card, self.at_tick, n)
            else:
                sum = run_finds(&self.g, ids, n)
        return sum


# ------------------------------------------------------------------------------------------------ clones over a pool

cdef class ClonePool:
    """Blocks of which every other one holds a game; the rest take clones.

    Parameters
    ----------
    scenes : list of Scene
        The games, all of one size of block, in turn.
    blocks : int
        Number of blocks, even.
    """

    cdef list scenes
    cdef void **block
    cdef uint32_t *order
    cdef uint32_t pairs
    cdef const Layout *lay

    def __cinit__(self, list scenes, uint32_t blocks):
        cdef Scene scene
        cdef uint32_t i, j
        cdef uint64_t s[2]
        if not scenes or blocks < 2 or blocks % 2 or len({(<Scene?>x).bytes for x in scenes}) != 1:
            raise ValueError(f"no pool of {blocks} blocks for {len(scenes)} scenes")
        self.scenes = scenes
        self.lay = (<Scene>scenes[0]).lay
        self.pairs = blocks // 2
        self.block = <void **>calloc(blocks, sizeof(void *))
        self.order = <uint32_t *>malloc(2 * self.pairs * sizeof(uint32_t))
        if self.block == NULL or self.order == NULL:
            raise MemoryError()
        for i in range(blocks):
            self.block[i] = block_new(self.lay)
            if self.block[i] == NULL:
                raise MemoryError()
        for i in range(self.pairs):
            scene = self.scenes[i % <uint32_t>len(self.scenes)]
            block_copy(self.block[2 * i], scene.start, self.lay)
        # Two permutations: which game is cloned, and where to. No order of addresses to be guessed.
        stream_seed(s, 2)
        for k in range(2):
            for i in range(self.pairs):
                j = <uint32_t>(next64(s) % (i + 1))
                self.order[<uint32_t>k * self.pairs + i] = self.order[<uint32_t>k * self.pairs + j]
                self.order[<uint32_t>k * self.pairs + j] = i

    def __dealloc__(self):
        cdef uint32_t i
        if self.block != NULL:
            for i in range(2 * self.pairs):
                block_free(self.block[i], self.lay)
        free(self.block)
        free(self.order)

    cdef void copy_all(self, uint64_t rounds) noexcept nogil:
        cdef uint64_t _
        cdef uint32_t i
        for _ in range(rounds):
            for i in range(self.pairs):
                block_copy(self.block[2 * self.order[self.pairs + i] + 1], self.block[2 * self.order[i]], self.lay)

    def clones(self, uint64_t rounds):
        """Clone every game of the pool, `rounds` times; returns the number of clones made."""
        with nogil:
            self.copy_all(rounds)
        return rounds * self.pairs

    def state_hashes(self):
        """Hashes of the clones, each beside the hash of the scene that it must equal."""
        cdef Game g
        cdef uint32_t i
        cdef Scene scene
        found = []
        for i in range(self.pairs):
            scene = self.scenes[self.order[i] % <uint32_t>len(self.scenes)]
            block_open(&g, self.block[2 * self.order[self.pairs + i] + 1], self.lay)
            g.cards = scene.g.cards
            found.append((state_hash(&g), scene.state_hash()))
        return found
