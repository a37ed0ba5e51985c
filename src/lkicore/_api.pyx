"""One game, for Python: :class:`lkicore.Game` is made of it."""
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import hashlib

from lkicore._agents cimport agent_option
from lkicore._arena cimport chunk_len, chunk_refs
from lkicore._batch cimport short_of_room
from lkicore._cards cimport CardTable
from lkicore._check cimport check_block
from lkicore._defs cimport LOCAL_DEFS, ability_at, face_of, subtype_at
from lkicore._expr cimport cda_size
from lkicore._facts cimport mana_value, sized_elsewhere, x_of
from lkicore._game cimport NO_PLAYER, Seats, game_seed, game_template
from lkicore._guard cimport GUARD, unpoison
from lkicore._layout cimport Game, Layout, LkiRow, Ref, bind, layout_hash, layout_of
from lkicore._lki cimport NO_SLOT, is_departure, lki_find, lki_find_at, once_attached
from lkicore._opcodes cimport *
from lkicore._players cimport stop
from lkicore._state cimport block_copy, block_free, block_grow, block_new, block_open, game_hash, state_hash
from lkicore._turn cimport advance, apply, concede
from lkicore._types cimport FACE_STATIC, Face, NONE16, Trace, TraceRecord

from lkicore import _check

MAGIC = b"LKIG"
#: Bytes before the block: magic, version, players, class, ring, layout hash, table hash, turn limit, digest.
cdef enum:
    FORMAT = 2                             # version of saved games
    HEAD = 4 + 4 + 8 + 8 + 8 + 4 + 16


cdef class Block:
    """Memory of one game; NumPy views of it keep it alive."""

    def __dealloc__(self):
        block_free(self.memory, self.lay)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        if GUARD:
            unpoison(self.memory, self.lay.bytes)
        self.shape[0] = self.lay.bytes
        self.strides[0] = 1
        buffer.buf = self.memory
        buffer.format = b"B"
        buffer.internal = NULL
        buffer.itemsize = 1
        buffer.len = self.lay.bytes
        buffer.ndim = 1
        buffer.obj = self
        buffer.readonly = 1
        buffer.shape = self.shape
        buffer.strides = self.strides
        buffer.suboffsets = NULL


cdef Block new_block(const Layout *lay):
    cdef Block b = Block.__new__(Block)
    b.lay = lay
    b.memory = block_new(lay)
    if b.memory == NULL:
        raise MemoryError(f"{lay.bytes} bytes for a game")
    return b


cdef class GameCore:
    """A game in a block of its own. Use :class:`lkicore.Game`."""

    def __cinit__(self, CardTable table, decks=None, *, uint64_t seed=0, uint64_t game=0, int options=3,
                  int size_class=-1, int ring=0, uint32_t max_turns=1000, uint32_t watch=0xFFFFFFFF, bint trace=False):
        cdef Seats seats
        self.table = table
        self.ring_size = ring
        memset(&self.g, 0, sizeof(Game))
        if decks is None:
            return
        seats = Seats(table, decks, size_class, ring)
        self.adopt(new_block(seats.lay))
        game_template(&self.g, &table.t, seats.deck, 0, options)
        self.g.max_turns = max_turns
        self.g.h.watch |= watch
        self.set_tracing(trace)
        game_seed(&self.g, seed, game)
        self.run_on(-1, -1)

    def __dealloc__(self):
        if self.g.trace != NULL:
            free(self.g.trace.record)
            free(self.g.trace)

    cdef void adopt(self, Block block) noexcept:
        """Look at another block from now on."""
        self.block = block
        bind(&self.g, block.memory, block.lay)
        self.g.cards = &self.table.t
        self.g.skip_ref = -1

    cdef void run_on(self, int option, int leaver) except *:
        """Take an option (-1: none), or let a player concede (-1: none), and run to the next choice, in a larger block
        if it must be."""
        cdef const Layout *lay = self.g.lay
        cdef uint32_t traced = self.g.trace.n if self.g.trace != NULL else 0
        if self.spare is None or self.spare.lay != lay:
            self.spare = new_block(lay)
        block_copy(self.spare.memory, self.block.memory, lay)
        while True:
            if option >= 0:
                apply(&self.g, option)
            if leaver >= 0:
                concede(&self.g, leaver)
            with nogil:
                advance(&self.g)
            if self.g.h.status == GS_NEED_ROOM:
                # The game goes on from its last choice in a larger block.
                block_copy(self.block.memory, self.spare.memory, lay)
                if self.g.trace != NULL:
                    self.g.trace.n = traced
                if not self.grow():
                    stop(&self.g, GS_CAPACITY, END_CAPACITY)
                    return
                lay = self.g.lay
                self.spare = new_block(lay)
                block_copy(self.spare.memory, self.block.memory, lay)
                continue
            break
        if self.g.h.status == GS_RUNNING and short_of_room(&self.g):
            self.grow()

    cdef bint grow(self) except -1:
        """Move to the next class; false if there is none."""
        cdef const Layout *lay
        cdef Block bigger
        cdef Game to
        cdef int cls = self.g.lay.size_class
        lay = layout_of(cls + 1, self.g.lay.players, self.ring_size)
        if lay == NULL:
            return False
        bigger = new_block(lay)
        block_open(&to, bigger.memory, lay)
        to.cards = self.g.cards
        block_grow(&to, &self.g)
        self.adopt(bigger)
        return True

    def set_tracing(self, bint on):
        """Keep a trace of what happens from now on, or not."""
        if on and self.g.trace == NULL:
            self.g.trace = <Trace *>malloc(sizeof(Trace))
            if self.g.trace == NULL:
                raise MemoryError()
            memset(self.g.trace, 0, sizeof(Trace))
        elif not on and self.g.trace != NULL:
            free(self.g.trace.record)
            free(self.g.trace)
            self.g.trace = NULL

    cdef object made(self, uint16_t d):
        """Abilities and subtypes of one of the block's own definitions, by number; None of a face of the table."""
        cdef const Face *f
        if d < LOCAL_DEFS:
            return None
        f = face_of(&self.g, d)
        return ([ability_at(&self.g, f, k) for k in range(f.n_abilities)],
                [subtype_at(&self.g, f, k) for k in range(f.n_subtypes)])

    cdef int told(self, int d):
        """A number of a record: of the block's own definitions, the face that they are named as."""
        return face_of(&self.g, <uint16_t>d).number if LOCAL_DEFS <= d < LOCAL_DEFS + <int>self.g.lay.defs else d

    def trace(self):
        """Records since the last call: tuples (kind, a, b, c, d, id, tick)."""
        cdef uint32_t i
        cdef TraceRecord *r
        if self.g.trace == NULL:
            return []
        if self.g.trace.lost:
            raise MemoryError(f"{self.g.trace.lost} records of the trace found no memory")
        out = []
        for i in range(self.g.trace.n):
            r = &self.g.trace.record[i]
            out.append((r.kind, self.told(r.a), self.told(r.b), self.told(r.c), r.d, r.id, r.tick))
        self.g.trace.n = 0
        return out

    # ------------------------------------------------------------------ state
    @property
    def players(self):
        """Number of players that began."""
        return self.g.lay.players

    @property
    def current_player(self):
        """The player whom the open choice is about; -1 when the game is over."""
        return self.g.h.chooser if self.g.h.choice else -1

    @property
    def decider(self):
        """The player who makes the open choice (another one under, say, Mindslaver); -1 when the game is over."""
        return self.g.h.decider if self.g.h.choice else -1

    @property
    def choice(self):
        """``ChoiceKind`` of the open choice, 0 none."""
        return self.g.h.choice

    @property
    def is_terminal(self):
        """The game has ended or was stopped."""
        return self.g.h.status != GS_RUNNING

    @property
    def status(self):
        return self.g.h.status

    @property
    def reason(self):
        return self.g.h.reason

    @property
    def winner(self):
        """Seat of the winner; -1 for none."""
        return self.g.h.winner

    @property
    def turn(self):
        return self.g.h.turn

    @property
    def step(self):
        return self.g.h.step

    @property
    def active_player(self):
        return self.g.h.active

    @property
    def starting_player(self):
        return self.g.h.starting

    @property
    def choices(self):
        """Choices taken so far."""
        return self.g.h.choices

    @property
    def tick(self):
        """Event tick: simultaneous changes share one."""
        return self.g.h.tick

    @property
    def size_class(self):
        return self.g.lay.size_class

    @property
    def bytes(self):
        """Size of the block."""
        return self.g.lay.bytes

    def life(self, int player):
        """Life total; the last one of a player who left (CR 800.4i)."""
        self.seat(player)
        return self.g.p_life[player]

    cdef int seat(self, int player) except -1:
        if not 0 <= player < <int>self.g.lay.players:
            raise ValueError(f"no player {player}: 0 to {self.g.lay.players - 1}")
        return 0

    def lost(self, int player):
        """``EndReason`` with which the player left; 0 in the game."""
        self.seat(player)
        return self.g.p_lost[player]

    def legal_actions(self):
        """Numbers of the options of the open choice."""
        return list(range(self.g.h.n_options)) if self.g.h.choice else []

    def options(self):
        """Options of the open choice: tuples (kind, object id, face, number, player); face and player -1 for none."""
        cdef int i
        out = []
        for i in range(self.g.h.n_options if self.g.h.choice else 0):
            o = self.g.option[i]
            out.append((o.kind, o.id, face_of(&self.g, self.g.defn[o.row]).number if o.row else -1, o.num,
                        -1 if o.player == NO_PLAYER else o.player))
        return out

    def subject(self):
        """Object that the open choice is about (the attacker asked about, the spell being cast): its id, 0 none."""
        if not self.g.h.choice or self.g.h.n_frames == 0:
            return 0
        return self.g.frame[self.g.h.n_frames - 1].obj_id

    def apply(self, Py_ssize_t option):
        """Take an option of the open choice and run to the next one.

        Raises
        ------
        ValueError
            If there is no such option, or the game is over. Nothing has moved then.
        """
        if not self.g.h.choice:
            raise ValueError("the game is over: there is no choice to take an option of")
        if not 0 <= option < self.g.h.n_options:
            raise ValueError(f"no option {option}: the choice has {self.g.h.n_options}, numbered from 0")
        self.run_on(<int>option, -1)

    def agent_option(self, int agent):
        """Option that a built-in agent would take; its stream of chance moves on."""
        if not 0 <= agent < N_AG:
            raise ValueError(f"no agent {agent}")
        if not self.g.h.choice:
            raise ValueError("the game is over: there is no choice to make")
        return agent_option(&self.g, agent)

    def step_agent(self, int agent):
        """Let a built-in agent take an option; returns its number."""
        option = self.agent_option(agent)
        self.run_on(option, -1)
        return option

    def concede(self, int player):
        """The player concedes and leaves the game at once (CR 104.3a). Never an option of a choice."""
        self.seat(player)
        if self.is_terminal:
            raise ValueError("the game is over")
        if not (self.g.h.alive >> player) & 1:
            raise ValueError(f"player {player} has left the game already")
        self.run_on(-1, player)

    def returns(self):
        """For each player 1 for a win, -1 for a loss, 0 while the game goes on, for a draw, or when it was stopped."""
        cdef int p
        if self.g.h.status != GS_ENDED or self.g.h.winner < 0:
            return [0.0] * self.g.lay.players
        return [1.0 if p == self.g.h.winner else -1.0 for p in range(<int>self.g.lay.players)]

    # ------------------------------------------------------------------ copies and bytes
    def copy_from(self, GameCore other not None):
        """Become a copy of another game of the same card table and number of players; no memory is taken if it fits."""
        if other.table is not self.table and other.table.hash != self.table.hash:
            raise ValueError("the games are played with different card tables")
        if self.block is None or self.g.lay != other.g.lay:
            self.adopt(new_block(other.g.lay))
        self.ring_size = other.ring_size
        self.g.max_turns = other.g.max_turns
        block_copy(self.block.memory, other.block.memory, other.g.lay)

    def state_hash(self):
        """64-bit hash of the logical state: equal for games with the same future, whatever their ids and sizes."""
        return state_hash(&self.g)

    def outcome_hash(self):
        """The game's part of a run's checksum."""
        return game_hash(&self.g)

    def to_bytes(self):
        """The block with magic, version, hashes of layout, numbers and card table, and a digest."""
        cdef const Layout *lay = self.g.lay
        if GUARD:
            unpoison(self.block.memory, lay.bytes)
        body = (<const char *>self.block.memory)[:lay.bytes]
        head = (bytes((FORMAT, lay.players, lay.size_class, self.ring_size))
                + int(layout_hash(lay)).to_bytes(8, "little") + int(OPCODES_HASH).to_bytes(8, "little")
                + int(self.table.hash).to_bytes(8, "little") + int(self.g.max_turns).to_bytes(4, "little"))
        return MAGIC + head + hashlib.blake2b(head + body, digest_size=16).digest() + body

    def load_bytes(self, bytes data not None):
        """Become the game that :meth:`to_bytes` wrote.

        Raises
        ------
        ValueError
            If the bytes are cut short, foreign, of another version, layout or card table, or no possible game.
        """
        cdef const Layout *lay
        cdef Block b
        cdef Game trial
        cdef const char *p = data
        cdef int code
        if len(data) < HEAD or data[:4] != MAGIC:
            raise ValueError("these bytes are not a saved game of lkicore")
        if data[4] != FORMAT:
            raise ValueError(f"saved by version {data[4]} of the format; this is version {FORMAT}")
        players, cls, ring = data[5], data[6], data[7]
        lay = layout_of(cls, players, ring) if players >= 2 else NULL
        if lay == NULL or int.from_bytes(data[8:16], "little") != layout_hash(lay):
            raise ValueError("saved with another layout of the block (another version of lkicore, or damaged bytes)")
        if len(data) != HEAD + lay.bytes:
            raise ValueError(f"a saved game of this layout has {HEAD + lay.bytes} bytes; here are {len(data)}: "
                             "cut short?")
        if int.from_bytes(data[16:24], "little") != OPCODES_HASH:
            raise ValueError("saved with other numbers of opcodes (another version of lkicore, or damaged bytes)")
        if int.from_bytes(data[24:32], "little") != self.table.hash:
            raise ValueError("saved with another card table")
        if hashlib.blake2b(data[4:36] + data[HEAD:], digest_size=16).digest() != data[36:HEAD]:
            raise ValueError("the bytes are damaged: their digest doesn't fit")
        b = new_block(lay)
        if GUARD:
            unpoison(b.memory, lay.bytes)
        memcpy(b.memory, p + HEAD, lay.bytes)
        block_open(&trial, b.memory, lay)
        trial.cards = &self.table.t
        code = check_block(&trial)
        if code:
            raise ValueError(f"these bytes are no possible game: {_check.explain(code)}")
        self.ring_size = ring
        self.adopt(b)
        self.g.max_turns = int.from_bytes(data[32:36], "little")

    def check(self):
        """Check every invariant of the block; None, or what is wrong."""
        cdef int code = check_block(&self.g)
        return _check.explain(code) if code else None

    # ------------------------------------------------------------------ objects
    def block_buffer(self):
        """The block as a read-only buffer; whoever holds it keeps its memory."""
        return self.block

    @property
    def ring(self):
        """0, or the slots of the tiny LKI ring that the game is played with (tests)."""
        return self.ring_size

    def zone(self, int zone, int player=0):
        """Ids of the objects of a zone in order: a library from the top, other zones from the oldest."""
        cdef uint16_t row
        self.seat(player)
        if not 0 < zone < N_Z:
            raise ValueError(f"no zone {zone}")
        out = []
        shared = zone in (Z_BATTLEFIELD, Z_STACK, Z_EXILE, Z_COMMAND)
        row = self.g.z_head[zone * self.g.lay.players + (0 if shared else player)]
        while row:
            out.append(self.g.id[row])
            row = self.g.znext[row]
        return out

    cdef uint16_t row_of(self, uint32_t id) noexcept:
        cdef uint32_t i
        if id:
            for i in range(1, self.g.lay.rows):
                if self.g.id[i] == id:
                    return <uint16_t>i
        return 0

    def facts(self, uint32_t id):
        """Facts about a live object as a dict of its columns, or None if there is no object with this id now."""
        cdef uint16_t row = self.row_of(id)
        cdef Game *g = &self.g
        cdef int power = g.power[row]
        cdef int toughness = g.toughness[row]
        if row == 0:
            return None
        if face_of(g, g.defn[row]).flags & FACE_STATIC and sized_elsewhere(g, row):
            cda_size(g, row, g.controller[row], &power, &toughness)
        return {
            "id": id, "face": face_of(g, g.defn[row]).number, "made": self.made(g.defn[row]),
            "card": -1 if g.card[row] == NONE16 else g.card[row], "zone": g.zone[row],
            "owner": g.owner[row], "controller": g.controller[row],
            "power": power, "toughness": toughness, "damage": g.damage[row],
            "status": g.status[row], "flags": g.oflags[row], "types": g.types[row],
            "colors": g.colors[row], "keywords": g.keywords[row],
            "counters": (g.c_p1p1[row], g.c_m1m1[row], g.c_loyalty[row], g.c_charge[row]),
            "attached_to": g.attached_id[row], "timestamp": g.timestamp[row], "attacking": g.attacks[row] - 1,
            "blocking": g.blocks_id[row], "known_to": g.known_to[row], "x": x_of(g, row),
            "mana_value": mana_value(g, g.defn[row], g.oflags[row], g.zone[row], x_of(g, row)),
            "extra": self.entries(g.extra[row]), "attachments": self.attachments(id),
            "definition": self.definition(g.defn[row]),
        }

    cdef list entries(self, uint16_t chunk):
        """Entries of an arena list: tuples (ListRefKind, id, row, flags)."""
        cdef const Ref *r
        cdef int i
        out = []
        for i in range(chunk_len(&self.g, chunk)):
            r = &chunk_refs(&self.g, chunk)[i]
            out.append((r.kind, r.id, r.row, r.flags))
        return out

    cdef list attachments(self, uint32_t id):
        """Ids of the permanents that are attached to a live object, in the order of the battlefield."""
        cdef uint16_t row = self.g.z_head[Z_BATTLEFIELD * self.g.lay.players]
        out = []
        while row:
            if self.g.attached_id[row] == id:
                out.append(self.g.id[row])
            row = self.g.znext[row]
        return out

    cdef dict definition(self, uint16_t d):
        """What a definition says: the copiable values (CR 707.2) of what has it, but for name, subtypes, abilities."""
        cdef const Face *f = face_of(&self.g, d)
        return {"types": f.types, "colors": f.colors, "power": f.power, "toughness": f.toughness,
                "keywords": f.keywords, "mana_value": f.mv}

    def card_of(self, uint32_t id):
        """Physical card of a live object, -1 for a token or ability; None if there is no such object."""
        cdef uint16_t row = self.row_of(id)
        if row == 0:
            return None
        return -1 if self.g.card[row] == NONE16 else self.g.card[row]

    def object_of(self, int card):
        """Id of the object that a physical card is now, 0 if its owner left with it."""
        if not 0 <= card < self.g.h.n_cards:
            raise ValueError(f"no card {card}: 0 to {self.g.h.n_cards - 1}")
        return self.g.id[self.g.pc_row[card]] if self.g.pc_row[card] else 0

    @property
    def n_cards(self):
        return self.g.h.n_cards

    def lki_record(self, uint32_t id):
        """The LKI row of an object that left, or is phased out, as a dict, or None: it is there, or forgotten."""
        cdef uint16_t s = lki_find(&self.g, id) if id else NO_SLOT
        cdef uint16_t i
        if s != NO_SLOT:
            return self.lki_dict(s)
        # CR 702.26: a phased-out permanent is the object that it was, treated as though it did not exist.
        row = self.row_of(id)
        found = None
        if row and self.g.zone[row] == Z_PHASED_OUT:
            for i in range(self.g.h.lki_limit):
                if (self.g.lki[i].zone_to == Z_PHASED_OUT and self.g.lki[i].became == id
                        and (found is None or self.g.lki[i].tick > self.g.lki[<int>found].tick)):
                    found = i
        return None if found is None else self.lki_dict(found)

    def lki_record_at(self, int card, uint32_t tick):
        """A card's last departure at or before an event tick, or None: there was none, or it is forgotten."""
        cdef uint16_t s
        if not 0 <= card < self.g.h.n_cards:
            raise ValueError(f"no card {card}: 0 to {self.g.h.n_cards - 1}")
        s = lki_find_at(&self.g, <uint16_t>card, tick)
        return None if s == NO_SLOT else self.lki_dict(s)

    def lki_records(self, uint32_t since=0):
        """The LKI rows of the departures that the ring holds, from an event tick on, oldest first."""
        cdef uint32_t i
        out = []
        for i in range(self.g.h.lki_limit):
            if self.g.lki[i].id and self.g.lki[i].tick >= since and is_departure(&self.g.lki[i]):
                out.append(self.lki_dict(<uint16_t>i))
        out.sort(key=lambda r: (r["tick"], r["id"]))
        return out

    cdef dict lki_dict(self, uint16_t s):
        cdef LkiRow *r = &self.g.lki[s]
        cdef uint16_t i
        left = is_departure(r)
        return {
            "id": r.id if left else r.became, "tick": r.tick, "face": face_of(&self.g, r.defn).number,
            "made": self.made(r.defn), "card": -1 if r.card == NONE16 else r.card,
            "zone": r.zone, "zone_to": r.zone_to, "owner": r.owner, "controller": r.controller,
            "power": r.power, "toughness": r.toughness, "damage": r.damage,
            "status": r.status, "flags": r.oflags, "types": r.types, "colors": r.colors, "keywords": r.keywords,
            "counters": (r.c_p1p1, r.c_m1m1, r.c_loyalty, r.c_charge), "attached_to": r.attached_id,
            "became": r.became if left else 0, "timestamp": r.timestamp, "attacking": r.attacks - 1,
            "blocking": r.blocks_id, "x": r.x, "slot": s,
            "mana_value": mana_value(&self.g, r.defn, r.oflags, r.zone, r.x), "extra": self.entries(r.extra),
            "attachments": [self.lki_dict(i) for i in range(self.g.h.lki_limit)
                            if r.oflags & OF_HOST and once_attached(&self.g, s, i)],
            "definition": self.definition(r.defn),
        }

    def logged(self):
        """Events of this turn and the last: tuples (kind bit, turn, tick, player, object id, other id, amount)."""
        cdef uint32_t i
        out = []
        for i in range(self.g.h.history_n):
            e = self.g.history[i]
            out.append((1 << e.kind, e.turn, e.tick, e.player, e.obj_id, e.other_id, e.amount))
        return out
