"""Filters that speak of other objects, of players, or of numbers: `controlled_by`, `is_`, `power`."""

from __future__ import annotations

from lkicore.opcodes import FactKind, FilterOp, HistoryKind

from .filters import Filter, everything, filter_of_objects
from .operands import INT_MAX, INT_MIN, Kind, number
from .references import Ref, reference
from .values import FACT_NAMES, HISTORY_NAMES, Value, ValueLike, counter_name, value

_RANGES = {
    FactKind.POWER: FilterOp.POWER,
    FactKind.TOUGHNESS: FilterOp.TOUGHNESS,
    FactKind.MANA_VALUE: FilterOp.MANA_VALUE,
}


def _bounds(fact: FactKind, what: str, at_least: ValueLike | None, at_most: ValueLike | None) -> Filter:
    low = INT_MIN if at_least is None else at_least
    high = INT_MAX if at_most is None else at_most
    if isinstance(low, Value) or isinstance(high, Value) or fact not in _RANGES:
        return Filter(FilterOp.COMPARE, (fact, value(low, what), value(high, what)))
    if number(low, what) > number(high, what):
        raise ValueError(f"{what}: nothing is at least {low} and at most {high}")
    return Filter(_RANGES[fact], (low, high))


def power(at_least: ValueLike | None = None, at_most: ValueLike | None = None) -> Filter:
    """Return the filter "power between `at_least` and `at_most`" (CR 208); an omitted bound is none."""
    return _bounds(FactKind.POWER, "power", at_least, at_most)


def toughness(at_least: ValueLike | None = None, at_most: ValueLike | None = None) -> Filter:
    """Return the filter "toughness between `at_least` and `at_most`" (CR 208)."""
    return _bounds(FactKind.TOUGHNESS, "toughness", at_least, at_most)


def mana_value(at_least: ValueLike | None = None, at_most: ValueLike | None = None) -> Filter:
    """Return the filter "mana value between `at_least` and `at_most`" (CR 202.3)."""
    return _bounds(FactKind.MANA_VALUE, "mana_value", at_least, at_most)


def compare(fact: str, at_least: ValueLike | None = None, at_most: ValueLike | None = None) -> Filter:
    """Return the filter "`fact` between `at_least` and `at_most`": ``compare("damage", at_least=1)``.

    Raises:
        ValueError: no number of an object is called `fact`.
    """
    found = FACT_NAMES.get(fact)
    if found is None:
        raise ValueError(f"compare: no number of an object is called {fact!r}; there are {', '.join(FACT_NAMES)}")
    return _bounds(found, "compare", at_least, at_most)


def has_counters(kind: str, n: int = 1) -> Filter:
    """Return the filter "has at least `n` counters called `kind`" (CR 122)."""
    return Filter(FilterOp.COUNTERS, (counter_name(kind, "has_counters"), number(n, "has_counters")))


def _of_object(op: FilterOp, word: str, what: Ref) -> Filter:
    return Filter(op, (reference(what, word, one=True, kind=Kind.OBJECT),))


def _of_players(op: FilterOp, word: str, who: Ref) -> Filter:
    return Filter(op, (reference(who, word, kind=Kind.PLAYER),))


def controlled_by(who: Ref) -> Filter:
    """Return the filter "a player of `who` controls it" (CR 109.4)."""
    return _of_players(FilterOp.CONTROLLED_BY, "controlled_by", who)


def owned_by(who: Ref) -> Filter:
    """Return the filter "a player of `who` owns it" (CR 108.3)."""
    return _of_players(FilterOp.OWNED_BY, "owned_by", who)


def is_player(who: Ref) -> Filter:
    """Return the filter of players "is among `who`"."""
    return _of_players(FilterOp.PLAYER_IS, "is_player", who)


def did(kind: str | HistoryKind, of: Filter = everything, least: int = 1) -> Filter:
    """Return the filter of players "did at least `least` events of `kind` this turn" (CR 608.2i).

    ``did("cast", of=~creature)``: who has cast a noncreature spell; for the kinds see `happened`.
    """
    found = HISTORY_NAMES.get(kind) if isinstance(kind, str) else kind
    if not isinstance(found, HistoryKind):
        raise ValueError(f"did: no kind of event {kind!r}; there are {', '.join(HISTORY_NAMES)}")
    return Filter(FilterOp.DID, (found, filter_of_objects(of, "did"), number(least, "did")))


def is_(what: Ref) -> Filter:
    """Return the filter "is among `what`"."""
    return Filter(FilterOp.IS, (reference(what, "is_", kind=Kind.OBJECT),))


def damaged_by(what: Ref) -> Filter:
    """Return the filter "was dealt damage this turn by an object among `what`" (CR 608.2i)."""
    return Filter(FilterOp.DAMAGED_BY, (reference(what, "damaged_by", kind=Kind.OBJECT),))


def designated(name: str) -> Filter:
    """Return the filter "has the designation `name`": ``designated("monstrous")`` (CR 701.37, 702.112)."""
    from .deeds import designation_of

    return Filter(FilterOp.DESIGNATED, (designation_of(name, "designated"),))


def same_name(what: Ref) -> Filter:
    """Return the filter "has the name of `what`" (CR 201.2a)."""
    return _of_object(FilterOp.SAME_NAME, "same_name", what)


def same_controller(what: Ref) -> Filter:
    """Return the filter "has the controller of `what`"."""
    return _of_object(FilterOp.SAME_CONTROLLER, "same_controller", what)


def shares_color(what: Ref) -> Filter:
    """Return the filter "shares a colour with `what`"."""
    return _of_object(FilterOp.SHARES_COLOR, "shares_color", what)


def shares_creature_type(what: Ref) -> Filter:
    """Return the filter "shares a creature type with `what`" (CR 205.3m)."""
    return _of_object(FilterOp.SHARES_SUBTYPE, "shares_creature_type", what)
