"""What is said of players, and done by them: facts (CR 613.10-11), emblems, titles, chance, votes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lkicore.opcodes import ChangeOp, Duration, EffectOp, PlayerFact, ValueOp

from .changes import PLAYER_CHANGES, Change, changes_of
from .effects import Effect, duration_of
from .filters import Filter, everything, filter_of_objects
from .operands import Kind, describe, flag, number
from .references import Ref, reference
from .values import Value, ValueLike, counter_name, value

if TYPE_CHECKING:
    from lkicore.opcodes import HistoryKind

#: Names of the faces that stand for titles.
MONARCH, INITIATIVE, UNDERCITY = "The Monarch", "The Initiative", "Undercity"
#: The most choices of a vote, and sides of a die.
MAX_CHOICES, MAX_SIDES = 16, 1000


def _fact(facts: PlayerFact) -> Change:
    return Change(ChangeOp.PLAYER_FACTS, (facts,))


no_maximum_hand_size = _fact(PlayerFact.NO_MAXIMUM_HAND_SIZE)
player_hexproof = _fact(PlayerFact.PLAYER_HEXPROOF)
player_shroud = _fact(PlayerFact.PLAYER_SHROUD)
cant_gain_life = _fact(PlayerFact.CANT_GAIN_LIFE)
cant_lose_life = _fact(PlayerFact.CANT_LOSE_LIFE)
#: Neither gained nor lost, nor paid (CR 119.7-8).
life_cant_change = _fact(PlayerFact.CANT_GAIN_LIFE | PlayerFact.CANT_LOSE_LIFE)
cant_lose_game = _fact(PlayerFact.CANT_LOSE_GAME)
cant_win_game = _fact(PlayerFact.CANT_WIN_GAME)
#: Doesn't lose for having 0 or less life (CR 704.5a).
keeps_at_zero_life = _fact(PlayerFact.KEEPS_AT_ZERO_LIFE)
#: All damage is dealt to the player as though its source had infect (CR 702.90b).
damaged_as_by_infect = _fact(PlayerFact.DAMAGED_AS_BY_INFECT)
cant_search = _fact(PlayerFact.CANT_SEARCH)
one_draw_a_turn = _fact(PlayerFact.ONE_DRAW_A_TURN)
#: Gets the city's blessing, for the rest of the game (CR 702.131c).
citys_blessing = _fact(PlayerFact.CITYS_BLESSING)

#: Has completed a dungeon (CR 309.7).
completed_dungeon = _fact(PlayerFact.COMPLETED_DUNGEON)


def land_plays(more: ValueLike) -> Change:
    """The player may play `more` additional lands on each turn (CR 305.2)."""
    return Change(ChangeOp.LAND_PLAYS, (value(more, "land_plays"),))


def hand_size(size: ValueLike) -> Change:
    """The player's maximum hand size is `size` (CR 402.2)."""
    return Change(ChangeOp.HAND_SIZE, (value(size, "maximum_hand_size"),))


def add_hand_size(more: ValueLike) -> Change:
    """The player's maximum hand size is larger by `more`, which may be negative."""
    return Change(ChangeOp.ADD_HAND_SIZE, (value(more, "add_hand_size"),))


def protect_player(source: Filter) -> Change:
    """The player has protection from what passes `source` (CR 702.16)."""
    from .abilities import ProtectionAbility

    return Change(ChangeOp.PROTECT_PLAYER, (ProtectionAbility(filter_of_objects(source, "protect_player")),))


def apply_to_players(who: Ref, *changes: Change, duration: Duration = Duration.END_OF_TURN) -> Effect:
    """Something is said of players for `duration` (CR 611.2).

    Raises:
        TypeError, ValueError: something is no change of players, or there is none.
    """
    made = changes_of(changes, "apply_to_players")
    if any(c.op not in PLAYER_CHANGES for c in made):
        raise ValueError("apply_to_players: that is a change of objects, not of players")
    players = reference(who, "apply_to_players", kind=Kind.PLAYER)
    return Effect(EffectOp.APPLY_PLAYERS, (players, made, duration_of(duration, "apply_to_players")))


# ------------------------------------------------------------------------------------------------ effects
def _players(op: EffectOp, word: str, who: Ref, *rest: object) -> Effect:
    return Effect(op, (reference(who, word, kind=Kind.PLAYER), *rest))


def _player(op: EffectOp, word: str, who: Ref, *rest: object) -> Effect:
    return Effect(op, (reference(who, word, one=True, kind=Kind.PLAYER), *rest))


def win_game(player: Ref) -> Effect:
    """A player wins the game (CR 104.2b)."""
    return _player(EffectOp.WIN_GAME, "win_game", player)


def proliferate(player: Ref, times: ValueLike = 1) -> Effect:
    """A player proliferates (CR 701.34)."""
    return _player(EffectOp.PROLIFERATE, "proliferate", player, value(times, "proliferate"))


def _name(name: object, word: str) -> str:
    if not isinstance(name, str) or not name:
        raise TypeError(f"{word}: a name is wanted, not {describe(name)}")
    return name


def get_emblem(players: Ref, name: str) -> Effect:
    """Players get the emblem called `name` in card files (CR 114)."""
    return _players(EffectOp.EMBLEM, "get_emblem", players, _name(name, "get_emblem"))


def become_monarch(player: Ref) -> Effect:
    """A player becomes the monarch (CR 724)."""
    return _player(EffectOp.TITLE, "become_monarch", player, MONARCH, False)


def take_initiative(player: Ref) -> Effect:
    """A player takes the initiative (CR 726)."""
    return _player(EffectOp.TITLE, "take_initiative", player, INITIATIVE, True)


def venture(player: Ref, dungeon: str = UNDERCITY) -> Effect:
    """A player ventures into a dungeon (CR 701.49)."""
    return _player(EffectOp.VENTURE, "venture", player, _name(dungeon, "venture"))


#: It becomes day, or night (CR 731).
become_day = Effect(EffectOp.DAY, (1,))
become_night = Effect(EffectOp.DAY, (2,))
#: The game is a draw (CR 104.4c).
draw_game = Effect(EffectOp.DRAW_GAME)


def flip_coins(player: Ref, n: ValueLike = 1, until_lost: bool = False) -> Effect:
    """A player flips `n` coins, or until a flip is lost; `result` is how many are won (CR 705)."""
    return _player(
        EffectOp.FLIP, "flip_coins", player, value(n, "flip_coins"), flag(until_lost, "flip_coins: until_lost")
    )


def roll(player: Ref, sides: int, n: ValueLike = 1) -> Effect:
    """A player rolls `n` dice; `result` is their sum (CR 706)."""
    if not 2 <= number(sides, "roll") <= MAX_SIDES:
        raise ValueError(f"roll: no die has {sides} sides here")
    return _player(EffectOp.ROLL, "roll", player, value(n, "roll"), sides)


def pick_name(player: Ref, what: Filter = everything) -> Effect:
    """A player chooses the name of a card, of those in the game, that passes `what` (CR 201.4)."""
    return _player(EffectOp.PICK_NAME, "pick_name", player, filter_of_objects(what, "pick_name"))


def pick_type(player: Ref) -> Effect:
    """A player chooses a creature type, of those in the game."""
    return _player(EffectOp.PICK_TYPE, "pick_type", player)


def pick_number(player: Ref, least: ValueLike, most: ValueLike) -> Effect:
    """A player chooses a number from `least` to `most`."""
    return _player(EffectOp.PICK_NUMBER, "pick_number", player, value(least, "pick_number"), value(most, "pick_number"))


def vote(players: Ref, choices: int) -> Effect:
    """Players vote for one of `choices` choices, the controller first (CR 701.38); ``votes(k)`` counts them."""
    if not 2 <= number(choices, "vote") <= MAX_CHOICES:
        raise ValueError(f"vote: {choices} choices; 2 to {MAX_CHOICES} are possible")
    return _players(EffectOp.VOTE, "vote", players, choices)


# ------------------------------------------------------------------------------------------------ values
def counters_of(players: Ref, kind: str) -> Value:
    """Return how many counters called `kind` players have (CR 122.1)."""
    return Value(
        ValueOp.PLAYER_COUNTERS,
        (reference(players, "counters_of", kind=Kind.PLAYER), counter_name(kind, "counters_of")),
    )


def happened_last_turn(kind: HistoryKind | str, by: Ref | None = None, of: Filter | None = None) -> Value:
    """Return how many events of this kind there were in the last turn of whoever did them (CR 608.2i, 800.4i)."""
    from .values import happened

    return Value(ValueOp.HAPPENED_LAST_TURN, happened(kind, by, of).args)


def votes(choice: int) -> Value:
    """Return the number of votes for a choice, counted from 0."""
    if not 0 <= number(choice, "votes") < MAX_CHOICES:
        raise ValueError(f"votes: {choice} is not from 0 to {MAX_CHOICES - 1}")
    return Value(ValueOp.VOTES, (choice,))


def _title(players: Ref, word: str, name: str) -> Value:
    return Value(ValueOp.HAS_TITLE, (reference(players, word, kind=Kind.PLAYER), name))


def is_monarch(players: Ref) -> Value:
    """Return the condition "a player of `players` is the monarch" (CR 724.1)."""
    return _title(players, "is_monarch", MONARCH)


def has_initiative(players: Ref) -> Value:
    """Return the condition "a player of `players` has the initiative" (CR 726.1)."""
    return _title(players, "has_initiative", INITIATIVE)


def player_has(players: Ref, fact: Change) -> Value:
    """Return the condition "this fact is true of a player of `players`": ``player_has(you, citys_blessing)``."""
    if getattr(fact, "op", None) is not ChangeOp.PLAYER_FACTS:
        raise TypeError(f"player_has: a fact of players such as citys_blessing is wanted, not {describe(fact)}")
    return Value(ValueOp.HAS_FACT, (reference(players, "player_has", kind=Kind.PLAYER), fact.args[0]))


#: Day and night (CR 731).
is_day = Value(ValueOp.DAY_IS, (1,))
is_night = Value(ValueOp.DAY_IS, (2,))
