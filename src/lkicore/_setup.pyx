"""Positions set up as data: the objects of a game are put where they are wanted before it is played on.

Everything here is silent: no event, no trigger, no record of last known information. The functions work on a
:class:`lkicore._api.GameCore`; `lkicore.scenario` calls them in this order: `begin`, objects (`place_card`,
`place_token`), what is special about them, `start`.

They raise `ValueError` for an object or number that can't be, and `MemoryError` when the block has no room for the
position; the caller then begins again in a larger class.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from lkicore._api cimport Block, GameCore
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._attach cimport attach_to_player
from lkicore._copies cimport redefine
from lkicore._effects cimport effect_add
from lkicore._game cimport Seats, game_seed, game_template, uses_of
from lkicore._layers cimport dirty, reset_values, settle
from lkicore._layout cimport Game, Ref
from lkicore._mana cimport mana_update
from lkicore._opcodes cimport *
from lkicore._phasing cimport phase_out as phase_rows_out
from lkicore._rng cimport N_PURPOSES, mix, stream_seed
from lkicore._state cimport block_new
from lkicore._store cimport clear_bit, link_tail, look_at, new_id, new_timestamp, set_bit, take_row, touched, zone_list
from lkicore._turning cimport place_face_down
from lkicore._types cimport Face, NONE16, Trace
from lkicore._zones cimport place


cdef enum:
    MOST_STEPS = 29
    MOST_COUNTERS = 32000


def begin(GameCore game not None, list decks, *, uint64_t seed=0, int options=0, int size_class=-1,
          uint32_t max_turns=0):
    """Lay out a block in which every card is in its owner's library, in the order given (from the top).

    `decks` are lists of faces by seat; physical cards are numbered in their order, seat 0 first.
    """
    cdef Seats seats = Seats(game.table, decks, size_class, 0)
    cdef Block block = Block.__new__(Block)
    cdef int p
    block.lay = seats.lay
    block.memory = block_new(seats.lay)
    if block.memory == NULL:
        raise MemoryError(f"{seats.lay.bytes} bytes for a game")
    game.adopt(block)
    game_template(&game.g, &game.table.t, seats.deck, 0, options)
    game.g.max_turns = max_turns
    memset(&game.g.h.watch, 0xFF, sizeof(game.g.h.watch))
    game_seed(&game.g, seed, 0)
    for p in range(<int>game.g.lay.players):
        game.g.p_kept[p] = 1  # CR 103.5: there is no opening hand to keep


cdef uint16_t live(GameCore game, uint32_t id) except 0:
    cdef uint16_t row = game.row_of(id)
    if row == 0:
        raise ValueError(f"no object {id}")
    return row


cdef int room(GameCore game) except -1:
    if game.g.h.status == GS_NEED_ROOM:
        raise MemoryError("the block is too small for this position")
    return 0


def place_card(GameCore game not None, int card, int zone, int controller, *, int face=-1):
    """Put a physical card into a zone; returns the id of the object that it is there. `face`: the face of it that is
    up on the battlefield, if it is not the one that the card is known by."""
    cdef uint16_t row
    game.seat(controller)
    if not -1 <= face < game.table.t.n_faces:
        raise ValueError(f"no face {face}")
    if not 0 <= card < game.g.h.n_cards:
        raise ValueError(f"no card {card}")
    if not 0 < zone < N_Z:
        raise ValueError(f"no zone {zone}")
    row = game.g.pc_row[card]
    if face >= 0:
        game.g.defn[row] = <uint16_t>face
        reset_values(&game.g, row)
    place(&game.g, row, zone, controller)
    if face >= 0 and game.table.t.faces[face].back:
        game.g.status[row] |= ST_FLIPPED
    if zone == Z_SIDEBOARD:
        game.g.pc_flags[card] |= CF_SIDEBOARD
    room(game)
    return game.g.id[row]


def face_down(GameCore game not None, uint32_t id, int form):
    """A permanent is face down, as the face `form` (CR 708.2a), or a card is exiled face down (406.3)."""
    cdef uint16_t row = live(game, id)
    if not 0 <= form < game.table.t.n_faces:
        raise ValueError(f"no face {form}")
    if game.g.zone[row] == Z_EXILE:
        game.g.status[row] |= ST_FACE_DOWN
        game.g.known_to[row] = <uint8_t>(1 << game.g.owner[row])
        return
    place_face_down(&game.g, row, <uint16_t>form)
    room(game)


def commander(GameCore game not None, uint32_t id):
    """Its card is a commander (CR 903.3)."""
    cdef uint16_t row = live(game, id)
    game.g.oflags[row] |= OF_COMMANDER
    game.g.pc_flags[game.g.card[row]] |= CF_COMMANDER
    game.g.h.commanders = 1
    game.g.h.uses = uses_of(&game.g)


def place_token(GameCore game not None, int face, int owner, int controller):
    """Put a token onto the battlefield (CR 111.1); returns its id."""
    cdef Game *g = &game.g
    cdef const Face *f
    cdef uint16_t row
    game.seat(owner)
    game.seat(controller)
    if not 0 <= face < g.cards.n_faces:
        raise ValueError(f"no face {face}")
    row = take_row(g)
    room(game)
    f = &g.cards.faces[face]
    g.id[row] = new_id(g)
    g.timestamp[row] = new_timestamp(g)
    g.zone[row] = Z_EXILE
    g.owner[row] = <uint8_t>owner
    g.controller[row] = <uint8_t>owner
    g.card[row] = NONE16
    g.defn[row] = <uint16_t>face
    g.oflags[row] = OF_TOKEN
    g.types[row] = f.types
    g.power[row] = f.power
    g.toughness[row] = f.toughness
    g.colors[row] = f.colors
    g.keywords[row] = f.keywords
    g.mana[row] = f.mana
    link_tail(g, zone_list(g, Z_EXILE, owner), row)
    place(g, row, Z_BATTLEFIELD, controller)
    room(game)
    return g.id[row]


def set_status(GameCore game not None, uint32_t id, *, bint tapped=False, bint sick=False, int damage=0):
    """Status of a permanent as the position has it (CR 110.5, 302.6), and the damage marked on it (CR 120.6)."""
    cdef uint16_t row = live(game, id)
    cdef Game *g = &game.g
    if not 0 <= damage <= MOST_COUNTERS:
        raise ValueError(f"damage {damage}")
    if tapped:
        g.status[row] |= ST_TAPPED
        clear_bit(g.b_untapped, row)
    if sick:
        g.status[row] |= ST_SICK | ST_NEW
        set_bit(g.b_sick, row)
    else:
        g.status[row] &= <uint8_t>~<int>(ST_SICK | ST_NEW)
        clear_bit(g.b_sick, row)
    if damage:
        g.damage[row] = <int16_t>damage
        g.h.damaged = 1
    mana_update(g, row)
    touched(g)


def set_counters(GameCore game not None, uint32_t id, int kind, int n):
    """Give an object exactly so many counters of a kind (CR 122): `CounterKind`, or after its members the number of a
    name in the table's list of counters."""
    cdef uint16_t row = live(game, id)
    cdef Game *g = &game.g
    cdef Ref *r
    cdef int i
    if not 0 <= n <= MOST_COUNTERS:
        raise ValueError(f"{n} counters")
    if kind == CK_P1P1:
        g.c_p1p1[row] = <int16_t>n
    elif kind == CK_M1M1:
        g.c_m1m1[row] = <int16_t>n
    elif kind == CK_LOYALTY:
        g.c_loyalty[row] = <int16_t>n
    elif kind == CK_CHARGE:
        g.c_charge[row] = <int16_t>n
    else:
        if n and CK_SHIELD <= kind <= CK_FINALITY:
            g.h.rule_counters = 1
        for i in range(chunk_len(g, g.extra[row])):
            r = &chunk_refs(g, g.extra[row])[i]
            if r.kind == RK_COUNTER and r.row == kind:
                r.id = <uint32_t>n
                return
        if n:
            g.extra[row] = refs_add(g, g.extra[row], <uint32_t>n, <uint16_t>kind, RK_COUNTER)
    room(game)


def attach(GameCore game not None, uint32_t id, uint32_t host):
    """An Aura, Equipment or Fortification is attached to a permanent (CR 701.3)."""
    cdef uint16_t row = live(game, id)
    cdef uint16_t to = live(game, host)
    cdef Game *g = &game.g
    if g.zone[row] != Z_BATTLEFIELD or g.zone[to] != Z_BATTLEFIELD or row == to:
        raise ValueError("only a permanent is attached, to another permanent")
    if g.attached_id[row] == 0:
        g.h.n_attached += 1
    g.attached_row[row] = to
    g.attached_id[row] = host
    set_bit(g.b_attached, row)


def attach_player(GameCore game not None, uint32_t id, int player):
    """An Aura is attached to a player (CR 303.4)."""
    cdef uint16_t row = live(game, id)
    game.seat(player)
    if game.g.zone[row] != Z_BATTLEFIELD or not game.g.types[row] & T_ENCHANTMENT:
        raise ValueError("only an Aura on the battlefield is attached to a player")
    attach_to_player(&game.g, row, player)
    room(game)


def copy(GameCore game not None, uint32_t id, int face):
    """A permanent is a copy of what a face says (CR 707.2), for as long as it is on the battlefield."""
    cdef uint16_t row = live(game, id)
    cdef Game *g = &game.g
    if g.zone[row] != Z_BATTLEFIELD:
        raise ValueError("only a permanent is a copy")
    if not 0 <= face < g.cards.n_faces:
        raise ValueError(f"no face {face}")
    effect_add(g, EK_COPY, row, id, 0, 0, face, D_PERMANENT, g.controller[row], 0, 0)
    redefine(g, row)
    settle(g)
    room(game)


def phase_out(GameCore game not None, uint32_t id):
    """A permanent has phased out, with what is attached to it (CR 702.26)."""
    cdef uint16_t row = live(game, id)
    if game.g.zone[row] != Z_BATTLEFIELD:
        raise ValueError("only a permanent phases out")
    phase_rows_out(&game.g, &row, 1)
    room(game)


def link(GameCore game not None, uint32_t id, uint32_t to, int number=0):
    """Link object `to` to object `id`, as an effect of `id` would (CR 607.2)."""
    cdef uint16_t row = live(game, id)
    cdef uint16_t other = live(game, to)
    add_entry(game, row, to, other, RK_LINK, number)


def choose(GameCore game not None, uint32_t id, int kind, uint32_t value):
    """A value was chosen for an object (`ChosenKind`, CR 607.2d)."""
    if not 0 <= kind < N_CN:
        raise ValueError(f"no kind of choice {kind}")
    add_entry(game, live(game, id), value, 0, RK_CHOSEN, kind)


cdef int add_entry(GameCore game, uint16_t row, uint32_t id, uint16_t ref_row, int kind, int flags) except -1:
    cdef Game *g = &game.g
    cdef int n
    g.extra[row] = refs_add(g, g.extra[row], id, ref_row, kind)
    room(game)
    n = chunk_len(g, g.extra[row])
    chunk_refs(g, g.extra[row])[n - 1].flags = <uint8_t>flags
    return 0


def set_life(GameCore game not None, int player, int life):
    """A player's life total (CR 119)."""
    game.seat(player)
    game.g.p_life[player] = life
    game.g.h.sba |= SBA_PLAYERS


def start(GameCore game not None, uint32_t turn, int active, int step, list steps):
    """The game stands in a step of turn number `turn` and runs to its first choice.

    `steps` are the steps of the turn from this one on. The first main phase has begun: its active player gets priority
    once state-based actions are checked. Any other step begins now, with its turn-based actions.
    """
    cdef Game *g = &game.g
    cdef Trace *traced = g.trace
    cdef int i
    cdef uint16_t row
    game.seat(active)
    if not 0 < len(steps) <= MOST_STEPS:
        raise ValueError(f"{len(steps)} steps")
    for i, s in enumerate(steps):
        if not 0 < s < N_STEP:
            raise ValueError(f"no step {s}")
        g.steps[i] = <uint8_t>s
    g.h.steps_n = <uint8_t>len(steps)
    g.h.turn = turn
    g.h.active = <uint8_t>active
    g.h.last_turn_of = <uint8_t>active
    g.h.starting = <uint8_t>((active + <int>g.lay.players * <int>turn - (<int>turn - 1)) % <int>g.lay.players)
    g.h.priority = <uint8_t>active
    g.h.passes = 0
    row = g.z_head[zone_list(g, Z_BATTLEFIELD, 0)]
    while row:
        dirty(g, row)
        look_at(g, row)
        row = g.znext[row]
    g.h.sba |= SBA_PLAYERS
    g.h.fighters_old = 1
    g.trace = NULL
    settle(g)
    g.trace = traced
    touched(g)
    if step == STEP_MAIN1:
        g.h.steps_head = 1
        g.h.step = STEP_MAIN1
        g.h.phase_state = TS_CHECK
    else:
        g.h.steps_head = 0
        g.h.step = STEP_UPKEEP if step != STEP_UPKEEP else STEP_UNTAP
        g.h.phase_state = TS_NEXT_STEP
    room(game)
    game.run_on(-1, -1)


# ------------------------------------------------------------------------------------------ while the game is played

def set_options(GameCore game not None, int options):
    """Change the engine's options; while somebody has priority, what that player can do is offered anew."""
    cdef Game *g = &game.g
    g.h.options_mask = <uint8_t>options
    touched(g)
    if g.h.choice == CH_PRIORITY and g.h.status == GS_RUNNING:
        g.h.choice = CH_NONE
        g.h.n_options = 0
        g.h.phase_state = TS_PRIORITY
        game.run_on(-1, -1)


def options(GameCore game not None):
    """The engine's options now."""
    return game.g.h.options_mask


def set_turn_limit(GameCore game not None, uint32_t turns):
    """The game stops when the turn after number `turns` would begin; 0 for never."""
    game.g.max_turns = turns


def go_on(GameCore game not None):
    """Go on with a game that stopped at its turn limit, just before the next turn; `ValueError` for another one."""
    cdef Game *g = &game.g
    if g.h.status != GS_ABORTED or g.h.reason != END_TURN_LIMIT:
        raise ValueError("the game did not stop at its turn limit")
    g.h.status = GS_RUNNING
    g.h.reason = END_NONE
    g.h.turn -= 1
    g.max_turns = 0
    game.run_on(-1, -1)


def reseed(GameCore game not None, uint64_t seed):
    """Other chance from now on: what is shuffled, flipped and rolled from here follows `seed`."""
    cdef int p, k
    for p in range(<int>game.g.lay.players):
        for k in range(N_PURPOSES):
            stream_seed(&game.g.stream[(p * N_PURPOSES + k) * 2], mix(seed, game.g.h.tick, k, p))
