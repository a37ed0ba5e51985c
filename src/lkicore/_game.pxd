# Frames, choices and the beginning of a game.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset
from lkicore._arena cimport chunk_free, chunk_len, chunk_refs
from lkicore._guard cimport check, rare
from lkicore._layout cimport Frame, Game, Layout, Option
from lkicore._opcodes cimport *
from lkicore._store cimport need_room
from lkicore._types cimport CardTable, NONE16

cdef enum:
    NO_PLAYER = 0xFF
    NO_ANSWER = 0xFFFF

# Cards of one seat: faces, in deck order.
cdef struct SeatDeck:
    const uint16_t *faces   # of the library, then of the command zone, then of the sideboard
    int n
    int commanders          # that begin in the command zone (CR 903.6)
    int outside             # cards of the sideboard


cdef inline uint32_t uses_of(const Game *g) noexcept nogil:
    """What can come up in the game (UseBit)."""
    return g.cards.uses | (USE_CASTING if g.h.commanders or g.h.options_mask & EO_PAY_MANUAL else 0)


cdef inline Frame *top_frame(const Game *g) noexcept nogil:
    return &g.frame[g.h.n_frames - 1]


cdef inline Frame *push_frame(Game *g, int kind, int player) noexcept nogil:
    """A new frame, zeroed; without room the top one, which is lost with the step."""
    if g.h.n_frames == g.lay.frames:
        need_room(g)
        g.h.n_frames -= 1
    cdef Frame *f = &g.frame[g.h.n_frames]
    memset(f, 0, sizeof(Frame))
    g.h.n_frames += 1
    f.kind = <uint8_t>kind
    f.player = <uint8_t>player
    return f


cdef inline void pop_frame(Game *g) noexcept nogil:
    """The frame is done. Its list, if it still has one, has been given away or freed."""
    check(g.h.n_frames > 0)
    g.h.n_frames -= 1
    memset(&g.frame[g.h.n_frames], 0, sizeof(Frame))


cdef inline void drop_frame(Game *g) noexcept nogil:
    """Give up what the frame on top has half done, with its lists."""
    cdef Frame *f = top_frame(g)
    chunk_free(g, f.list)
    chunk_free(g, f.info)
    chunk_free(g, f.answers)
    f.list = 0
    f.info = 0
    f.answers = 0
    pop_frame(g)


cdef inline void open_choice(Game *g, int kind, int player) noexcept nogil:
    """Begin a choice; the options follow in canonical order."""
    g.h.choice = <uint8_t>kind
    g.h.chooser = <uint8_t>player
    g.h.decider = g.p_decider[player]
    g.h.n_options = 0
    g.h.answer = NO_ANSWER


cdef inline void add_option(Game *g, int kind, uint16_t row, int num, int player) noexcept nogil:
    cdef Option *o
    if rare(g.h.n_options == g.lay.options):
        need_room(g)
        return
    o = &g.option[g.h.n_options]
    g.h.n_options += 1
    o.kind = <uint8_t>kind
    o.row = row
    o.id = g.id[row]
    o.num = <int16_t>num
    o.player = <uint8_t>player


cdef inline Option *answer_of(const Game *g) noexcept nogil:
    """The option that was taken."""
    return &g.option[g.h.answer]


# ---------------------------------------------------------------- what replaces an event (CR 616.1)
#
# Whoever makes an event happen asks first what replaces it. `h.asks`: 0 nobody can be asked now, the first way is
# taken; ASK_FRAME: the frame on top begins its event again once the answer is there; ASK_EVENT * k: a frame F_EVENT
# with step k is pushed for that; ASK_OPEN: the open choice is such a question. Answers are kept in the frame until the
# event happens (`event_done`); it is made out anew from them each time.
cdef enum:
    ASK_FRAME = 1
    ASK_OPEN = 2
    ASK_EVENT = 8
    ASKED = -30001     # in place of an amount or a number of options: a player must choose first
    # Steps of F_EVENT: what begins again.
    AGAIN_SBA = 1      # state-based actions
    AGAIN_DRAW = 2     # the draw step's draw


cdef inline int recall(Game *g) noexcept nogil:
    """The next answer about the coming event, -1 none."""
    cdef uint16_t list = top_frame(g).answers if g.h.n_frames else 0
    if g.h.asked >= chunk_len(g, list):
        return -1
    g.h.asked += 1
    return <int>chunk_refs(g, list)[g.h.asked - 1].id


cdef inline bint can_ask(const Game *g) noexcept nogil:
    return g.h.asks == ASK_FRAME or g.h.asks >= ASK_EVENT


cdef inline void ask(Game *g, int kind, int player) noexcept nogil:
    """A question about the coming event; the options follow."""
    cdef Frame *f
    if g.h.asks >= ASK_EVENT:
        f = push_frame(g, F_EVENT, player)
        f.step = g.h.asks // ASK_EVENT
    g.h.asks = ASK_OPEN
    g.h.asked = 0
    open_choice(g, kind, player)


cdef inline void event_done(Game *g) noexcept nogil:
    """The event happens, or is given up: what was answered about it is done with."""
    cdef Frame *f
    g.h.asked = 0
    if g.h.n_frames == 0:
        return
    f = top_frame(g)
    if f.answers:
        chunk_free(g, f.answers)
        f.answers = 0
    if f.kind == F_EVENT:
        pop_frame(g)


cdef inline bint in_game(const Game *g, int player) noexcept nogil:
    return (g.h.alive >> player) & 1


cdef inline int next_player(const Game *g, int player) noexcept nogil:
    """Next player in turn order who is still in the game (CR 101.4, 800.4)."""
    cdef int n = g.lay.players
    cdef int tried = 0
    while tried < n:
        tried += 1
        player += 1
        if player == n:
            player = 0
        if (g.h.alive >> player) & 1:
            return player
    return player


# Decks of a game from Python, checked, and the layout of the block that they need.
cdef class Seats:
    cdef SeatDeck deck[8]
    cdef uint16_t *faces
    cdef const Layout *lay
    cdef readonly int players
    cdef readonly Py_ssize_t cards


cdef void game_template(Game *g, const CardTable *cards, const SeatDeck *decks, int ring, int options) noexcept nogil
cdef void game_seed(Game *g, uint64_t seed, uint64_t game) noexcept nogil
