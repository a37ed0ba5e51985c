"""The beginning of a game: a block with every card in its library, then seeded."""
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc

from lkicore._cards cimport CardTable as Cards
from lkicore._layout cimport Game, N_CLASSES, class_for, layout_of
from lkicore._lki cimport lki_init
from lkicore._opcodes cimport *
from lkicore._rng cimport N_PURPOSES, S_CHANCE, below, mix, stream_seed
from lkicore._store cimport link_tail, new_id, new_timestamp, take_row, zone_list
from lkicore._types cimport CardTable, Face, NONE16


cdef class Seats:
    """Decks by seat as the core takes them, and the layout of the block for them.

    `ValueError` for a number of decks, a face, a size class or a ring that can't be.
    """

    def __cinit__(self, Cards table, decks, int size_class=-1, int ring=0):
        cdef Py_ssize_t k = 0
        cdef int least
        self.players = len(decks)
        if not 2 <= self.players <= 8:
            raise ValueError(f"{self.players} decks; 2 to 8 are possible")
        # A seat: faces of the library, or a triple of those of library, command zone and sideboard.
        seats = [d if len(d) == 3 and not isinstance(d[0], int) else (d, (), ()) for d in decks]
        self.cards = sum([len(part) for parts in seats for part in parts])
        least = class_for(<int>min(self.cards, 1 << 20), self.players)
        if least < 0:
            raise ValueError(f"{self.cards} cards are more than the largest block holds")
        if 0 <= size_class < least:
            raise ValueError(f"size_class={size_class} is too small for {self.cards} cards; {least} is the least")
        self.lay = layout_of(max(size_class, least), self.players, ring)
        if self.lay == NULL:
            raise ValueError(f"no layout for size_class={max(size_class, least)}, ring={ring}: classes 0 to "
                             f"{N_CLASSES - 1}, rings 0, 8, 12, 16, 32")
        self.faces = <uint16_t *>malloc(max(self.cards, 1) * sizeof(uint16_t))
        if self.faces == NULL:
            raise MemoryError()
        for p, parts in enumerate(seats):
            self.deck[p].faces = self.faces + k
            self.deck[p].n = sum([len(part) for part in parts])
            self.deck[p].commanders = len(parts[1])
            self.deck[p].outside = len(parts[2])
            for face in [face for part in parts for face in part]:
                if not 0 <= face < table.t.n_faces:
                    raise ValueError(f"deck {p}: no face {face} in the table")
                self.faces[k] = face
                k += 1

    def __dealloc__(self):
        free(self.faces)


cdef void game_template(Game *g, const CardTable *cards, const SeatDeck *decks, int ring, int options) noexcept nogil:
    """Lay out a block, bound and zeroed, for these decks: CR 103.1 up to the shuffling.

    `ring` > 0 makes the LKI ring that small (tests).
    """
    cdef int p, i
    cdef uint16_t row
    cdef uint16_t card = 0
    cdef const Face *f
    cdef int library
    for p in range(<int>g.lay.players):
        if decks[p].commanders:
            g.h.commanders = 1
    g.cards = cards
    g.h.magic = 0x42494B4C
    g.h.version = 1
    g.h.size_class = <uint8_t>g.lay.size_class
    g.h.players = <uint8_t>g.lay.players
    g.h.pool_hash = cards.hash
    g.h.options_mask = <uint8_t>options
    g.h.winner = -1
    g.h.next_id = 1
    g.h.tick = 1
    g.h.clock = 1
    g.h.arena_top = 1
    g.h.arena_used = 1
    g.h.answer = NO_ANSWER
    g.h.wakes = cards.way_reads
    g.h.uses = uses_of(g)
    g.h.lki_limit = <uint16_t>(ring if ring > 0 else <int>g.lay.ring)
    for i in range(<int>g.lay.cards):
        g.pc_lki[i] = NONE16
        g.pc_face[i] = NONE16
    lki_init(g)
    for i in range(1, <int>g.lay.rows):
        g.znext[i] = <uint16_t>(i + 1 if i + 1 < <int>g.lay.rows else 0)
    g.h.free_head = 1
    g.h.n_free = <uint16_t>(g.lay.rows - 1)
    g.card[0] = NONE16
    for p in range(<int>g.lay.players):
        g.h.alive |= <uint8_t>(1 << p)
        g.h.n_alive += 1
        g.p_life[p] = 40 if g.h.commanders else 20  # CR 103.4, 903.7
        g.p_hand_max[p] = 7  # CR 402.2
        g.p_decider[p] = <uint8_t>p
        g.p_land_max[p] = 1  # CR 305.2
        library = decks[p].n - decks[p].commanders - decks[p].outside
        for i in range(decks[p].n):
            row = take_row(g)
            f = &cards.faces[decks[p].faces[i]]
            g.id[row] = new_id(g)
            g.timestamp[row] = new_timestamp(g)
            # CR 903.6: commanders begin in the command zone; 400.11a: the sideboard is outside the game.
            g.zone[row] = (Z_LIBRARY if i < library else Z_COMMAND if i < library + decks[p].commanders
                           else Z_SIDEBOARD)
            g.owner[row] = <uint8_t>p
            g.controller[row] = <uint8_t>p
            g.card[row] = card
            g.defn[row] = decks[p].faces[i]
            g.types[row] = f.types
            g.power[row] = f.power
            g.toughness[row] = f.toughness
            g.colors[row] = f.colors
            g.keywords[row] = f.keywords
            g.mana[row] = f.mana
            g.h.watch |= f.history
            link_tail(g, zone_list(g, g.zone[row], p), row)
            if g.zone[row] == Z_COMMAND:
                g.oflags[row] = OF_COMMANDER
                g.pc_flags[card] = CF_COMMANDER
                g.known_to[row] = 0xFF
            elif g.zone[row] == Z_SIDEBOARD:
                g.pc_flags[card] = CF_SIDEBOARD
                g.known_to[row] = <uint8_t>(1 << p)
            g.pc_face[card] = decks[p].faces[i]
            g.pc_row[card] = row
            g.pc_owner[card] = <uint8_t>p
            card += 1
    g.h.n_cards = card


cdef void game_seed(Game *g, uint64_t seed, uint64_t game) noexcept nogil:
    """Start the streams of chance; who begins is drawn by them (CR 103.1)."""
    cdef int p, k
    g.h.seed = seed
    g.h.game = game
    for p in range(<int>g.lay.players):
        for k in range(N_PURPOSES):
            stream_seed(&g.stream[(p * N_PURPOSES + k) * 2], mix(seed, game, k, p))
    g.h.starting = <uint8_t>below(&g.stream[S_CHANCE * 2], g.lay.players)
    g.h.phase_state = TS_PREGAME
