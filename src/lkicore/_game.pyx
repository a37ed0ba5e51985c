"""The beginning of a game: a block with every card in its library, then seeded."""
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from lkicore._layout cimport Game
from lkicore._lki cimport lki_init
from lkicore._opcodes cimport *
from lkicore._rng cimport N_PURPOSES, S_CHANCE, below, mix, stream_seed
from lkicore._store cimport link_tail, new_id, new_timestamp, take_row, zone_list
from lkicore._types cimport CardTable, Face, NONE16


cdef void game_template(Game *g, const CardTable *cards, const SeatDeck *decks, int ring, int options) noexcept nogil:
    """Lay out a block, bound and zeroed, for these decks: CR 103.1 up to the shuffling.

    `ring` > 0 makes the LKI ring that small (tests).
    """
    cdef int p, i
    cdef uint16_t row
    cdef uint16_t card = 0
    cdef const Face *f
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
        g.p_life[p] = 20  # CR 103.4
        g.p_hand_max[p] = 7  # CR 402.2
        for i in range(decks[p].n):
            row = take_row(g)
            f = &cards.faces[decks[p].faces[i]]
            g.id[row] = new_id(g)
            g.timestamp[row] = new_timestamp(g)
            g.zone[row] = Z_LIBRARY
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
            link_tail(g, zone_list(g, Z_LIBRARY, p), row)
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
