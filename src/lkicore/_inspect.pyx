"""What the runner of scenarios reads of a game besides the facts that :class:`lkicore.Game` gives: entries of
variable data, the stack, frames, pools, counters of players. Nothing here changes a game."""
from lkicore._abilities cimport player_counter
from lkicore._api cimport GameCore
from lkicore._defs cimport face_of
from lkicore._layout cimport Frame, StackEntry
from lkicore._opcodes cimport *
from lkicore._types cimport NONE16


def stack(GameCore game not None):
    """Entries of the stack, bottom first: dicts of id, card (-1 none), face, ability (-1: a spell), source (id),
    controller, flags, x, targets: tuples (ListRefKind, id, row, flags)."""
    cdef int i
    cdef StackEntry *e
    out = []
    for i in range(game.g.h.n_stack):
        e = &game.g.stack[i]
        out.append({
            "id": game.g.id[e.row], "card": -1 if game.g.card[e.row] == NONE16 else game.g.card[e.row],
            "face": face_of(&game.g, e.face).number,
            "ability": -1 if e.ability == NONE16 else e.ability, "source": e.source_id,
            "controller": e.controller, "flags": e.flags, "x": e.x, "targets": game.entries(e.targets),
        })
    return out


def frames(GameCore game not None):
    """What is half done, the innermost last: tuples (FrameKind, step, player, n, object id, a, b, c, d)."""
    cdef int i
    cdef Frame *f
    out = []
    for i in range(game.g.h.n_frames):
        f = &game.g.frame[i]
        out.append((f.kind, f.step, f.player, f.n, f.obj_id, f.a, f.b, f.c, f.d))
    return out


def mana_pool(GameCore game not None, int player):
    """Mana in a player's pool: W U B R G C."""
    cdef int k
    game.seat(player)
    return [game.g.p_pool[player * 6 + k] for k in range(6)]


def poison(GameCore game not None, int player):
    """Poison counters of a player (CR 122.1f)."""
    game.seat(player)
    return game.g.p_poison[player]


def player_counters(GameCore game not None, int player, int kind):
    """Counters of a kind that a player has (CR 122.1)."""
    game.seat(player)
    return player_counter(&game.g, player, kind)


def player_facts(GameCore game not None, int player):
    """Facts of a player as bits (PlayerFact), lands that the player may play in a turn, maximum hand size or 65535."""
    game.seat(player)
    return game.g.p_facts[player], game.g.p_land_max[player], game.g.p_hand_max[player]


def day(GameCore game not None):
    """1 day, 2 night, 0 neither (CR 731)."""
    return game.g.h.day


def passes(GameCore game not None):
    """Players who have passed in succession (CR 117.4)."""
    return game.g.h.passes


def alive(GameCore game not None):
    """Seats of the players in the game."""
    cdef int p
    return [p for p in range(<int>game.g.lay.players) if (game.g.h.alive >> p) & 1]


def effect_sources(GameCore game not None):
    """Ids of the objects that made the entries of the table of effects."""
    return [game.g.effect[i].source_id for i in range(game.g.h.n_effects)]


def triggers(GameCore game not None):
    """Triggered abilities that wait to be put on the stack: tuples (source id, ability, controller)."""
    cdef int i
    return [(game.g.trigger[i].source_id, game.g.trigger[i].ability, game.g.trigger[i].controller)
            for i in range(game.g.h.n_triggers)]
