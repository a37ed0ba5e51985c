"""Effects: the instructions of a spell or ability, in the order in which they are followed (CR 608.2c)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lkicore.opcodes import Color, CounterKind, EffectOp, Keyword, Zone

from .costs import mana_colors
from .filters import Filter, filter_of_objects
from .operands import NO_KEYWORDS, Kind, Signature, Sort, covers, describe
from .references import Ref, reference, source
from .values import Value, ValueLike, counter_kind, value

_PLAYER_AMOUNT: Signature = (("player", Sort.PLAYERS), ("amount", Sort.VALUE))
_OBJECTS: Signature = (("what", Sort.OBJECTS),)

EFFECT_SIGNATURES: dict[EffectOp, Signature] = {
    EffectOp.END: (),
    EffectOp.DAMAGE: (("by", Sort.ONE_OBJECT), ("to", Sort.ANY), ("amount", Sort.VALUE)),
    EffectOp.DESTROY: _OBJECTS,
    EffectOp.EXILE: _OBJECTS,
    EffectOp.RETURN: _OBJECTS,
    EffectOp.DRAW: _PLAYER_AMOUNT,
    EffectOp.DISCARD: _PLAYER_AMOUNT,
    EffectOp.GAIN_LIFE: _PLAYER_AMOUNT,
    EffectOp.LOSE_LIFE: _PLAYER_AMOUNT,
    EffectOp.PUMP: (
        ("what", Sort.OBJECTS),
        ("power", Sort.VALUE),
        ("toughness", Sort.VALUE),
        ("keywords", Sort.KEYWORD_NODE),
    ),
    EffectOp.TAP: _OBJECTS,
    EffectOp.UNTAP: _OBJECTS,
    EffectOp.COUNTERS: (("on", Sort.OBJECTS), ("kind", Sort.COUNTER), ("amount", Sort.VALUE)),
    EffectOp.FIGHT: (("a", Sort.ONE_OBJECT), ("b", Sort.ONE_OBJECT)),
    EffectOp.TOKEN: (("player", Sort.PLAYERS), ("amount", Sort.VALUE), ("token", Sort.FACE)),
    EffectOp.MANA: (("colors", Sort.COLORS), ("amount", Sort.VALUE)),
    EffectOp.SEARCH_LAND: (
        ("player", Sort.ONE_PLAYER),
        ("card", Sort.FILTER),
        ("zone", Sort.ZONE),
        ("tapped", Sort.FLAG),
    ),
    EffectOp.COUNTER: _OBJECTS,
    EffectOp.MILL: _PLAYER_AMOUNT,
}
covers(EffectOp, EFFECT_SIGNATURES, "signatures of effects")

EffectOperand: TypeAlias = "Ref | Value | Filter | Keyword | Color | Zone | CounterKind | str | int | bool"


@dataclass(frozen=True, slots=True)
class Effect:
    """An instruction.

    Attributes:
        op: what is done.
        args: its operands, in the order of the signature of `op`.
    """

    op: EffectOp
    args: tuple[EffectOperand, ...] = ()


def _objects(op: EffectOp, word: str, what: Ref) -> Effect:
    return Effect(op, (reference(what, word, kind=Kind.OBJECT),))


def _player(op: EffectOp, word: str, player: Ref, amount: ValueLike) -> Effect:
    return Effect(op, (reference(player, word, kind=Kind.PLAYER), value(amount, word)))


def damage(to: Ref, amount: ValueLike, by: Ref = source) -> Effect:
    """`by` deals `amount` damage to `to` (CR 120). `by` is the source unless another object deals it."""
    dealer = reference(by, "damage: by", one=True, kind=Kind.OBJECT)
    return Effect(EffectOp.DAMAGE, (dealer, reference(to, "damage: to"), value(amount, "damage: amount")))


def destroy(what: Ref) -> Effect:
    """Destroy permanents (CR 701.8)."""
    return _objects(EffectOp.DESTROY, "destroy", what)


def exile(what: Ref) -> Effect:
    """Exile objects (CR 701.13)."""
    return _objects(EffectOp.EXILE, "exile", what)


def return_to_hand(what: Ref) -> Effect:
    """Return objects to their owners' hands."""
    return _objects(EffectOp.RETURN, "return_to_hand", what)


def tap(what: Ref) -> Effect:
    """Tap permanents (CR 701.26)."""
    return _objects(EffectOp.TAP, "tap", what)


def untap(what: Ref) -> Effect:
    """Untap permanents (CR 701.26)."""
    return _objects(EffectOp.UNTAP, "untap", what)


def counter(what: Ref) -> Effect:
    """Counter a spell or ability (CR 701.6)."""
    return _objects(EffectOp.COUNTER, "counter", what)


def draw(player: Ref, amount: ValueLike) -> Effect:
    """Players draw cards (CR 121)."""
    return _player(EffectOp.DRAW, "draw", player, amount)


def discard(player: Ref, amount: ValueLike) -> Effect:
    """Players discard cards of their choice (CR 701.9)."""
    return _player(EffectOp.DISCARD, "discard", player, amount)


def mill(player: Ref, amount: ValueLike) -> Effect:
    """Players put cards from the top of their libraries into their graveyards (CR 701.17)."""
    return _player(EffectOp.MILL, "mill", player, amount)


def gain_life(player: Ref, amount: ValueLike) -> Effect:
    """Players gain life (CR 119.3)."""
    return _player(EffectOp.GAIN_LIFE, "gain_life", player, amount)


def lose_life(player: Ref, amount: ValueLike) -> Effect:
    """Players lose life (CR 119.3)."""
    return _player(EffectOp.LOSE_LIFE, "lose_life", player, amount)


def pump(what: Ref, power: ValueLike, toughness: ValueLike, keywords: Keyword = NO_KEYWORDS) -> Effect:
    """Permanents get +`power`/+`toughness` and gain `keywords` until end of turn (CR 611.2).

    Raises:
        TypeError: an operand is of the wrong sort.
    """
    if not isinstance(keywords, Keyword):
        raise TypeError(f"pump: keywords such as trample are wanted, not {describe(keywords)}")
    operands = (reference(what, "pump", kind=Kind.OBJECT), value(power, "pump"), value(toughness, "pump"), keywords)
    return Effect(EffectOp.PUMP, operands)


def put_counters(on: Ref, amount: ValueLike, kind: str) -> Effect:
    """Put counters called `kind` on permanents (CR 122): ``put_counters(target(0), 1, "+1/+1")``."""
    operands = (reference(on, "put_counters", kind=Kind.OBJECT), counter_kind(kind), value(amount, "put_counters"))
    return Effect(EffectOp.COUNTERS, operands)


def fight(a: Ref, b: Ref) -> Effect:
    """Two creatures fight (CR 701.14)."""
    return Effect(EffectOp.FIGHT, tuple(reference(r, "fight", one=True, kind=Kind.OBJECT) for r in (a, b)))


def create_tokens(player: Ref, amount: ValueLike, token: str) -> Effect:
    """Players create tokens (CR 111); `token` is the name of a face of the pool that is a token.

    Raises:
        TypeError: an operand is of the wrong sort.
    """
    if not isinstance(token, str):
        raise TypeError(f"create_tokens: the name of a token is wanted, not {describe(token)}")
    owner = reference(player, "create_tokens", kind=Kind.PLAYER)
    return Effect(EffectOp.TOKEN, (owner, value(amount, "create_tokens"), token))


def add_mana(colors: str, amount: ValueLike = 1) -> Effect:
    """Add mana of one colour of `colors` ("R", "R/G", "any") to your mana pool (CR 106.4)."""
    return Effect(EffectOp.MANA, (mana_colors(colors), value(amount, "add_mana")))


def search_library(player: Ref, card: Filter, zone: Zone, tapped: bool = False) -> Effect:
    """A player searches the library for a card, puts it into `zone` and shuffles (CR 701.23).

    Raises:
        TypeError: an operand is of the wrong sort.
        ValueError: the card cannot be put into that zone.
    """
    searcher = reference(player, "search_library", one=True, kind=Kind.PLAYER)
    wanted = filter_of_objects(card, "search_library")
    if not isinstance(zone, Zone):
        raise TypeError(f"search_library: a zone is wanted, not {describe(zone)}")
    if zone not in (Zone.BATTLEFIELD, Zone.HAND, Zone.GRAVEYARD, Zone.EXILE):
        raise ValueError(f"search_library: a card found cannot be put into {zone.name.lower()}")
    if not isinstance(tapped, bool):
        raise TypeError(f"search_library: tapped is True or False, not {describe(tapped)}")
    return Effect(EffectOp.SEARCH_LAND, (searcher, wanted, zone, tapped))
