"""Values: numbers that an effect works out when it needs them. An int stands for itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from lkicore.opcodes import Color, CounterKind, FactKind, HistoryKind, ValueOp, Zone

from .filters import Filter, filter_of_objects
from .operands import Kind, Signature, Sort, covers, describe, number, zone_of
from .references import Ref, reference, you

_PAIR: Signature = (("a", Sort.VALUE), ("b", Sort.VALUE))

VALUE_SIGNATURES: dict[ValueOp, Signature] = {
    ValueOp.CONST: (("number", Sort.NUMBER),),
    ValueOp.X: (),
    ValueOp.POWER: (("of", Sort.ONE_OBJECT),),
    ValueOp.TOUGHNESS: (("of", Sort.ONE_OBJECT),),
    ValueOp.MANA_VALUE: (("of", Sort.ONE_OBJECT),),
    ValueOp.COUNT: (("filter", Sort.FILTER),),
    ValueOp.HAND_SIZE: (("of", Sort.ONE_PLAYER),),
    ValueOp.LIFE: (("of", Sort.ONE_PLAYER),),
    ValueOp.ADD: _PAIR,
    ValueOp.SUB: _PAIR,
    ValueOp.MUL: _PAIR,
    ValueOp.MIN: _PAIR,
    ValueOp.MAX: _PAIR,
    ValueOp.COUNTERS: (("of", Sort.ONE_OBJECT), ("kind", Sort.OPTIONAL_COUNTER)),
    ValueOp.DAMAGE: (("of", Sort.ONE_OBJECT),),
    ValueOp.LEVEL: (("of", Sort.ONE_OBJECT),),
    ValueOp.MANA_SPENT: (),
    ValueOp.EVENT_AMOUNT: (),
    ValueOp.NUMBER_OF: (("of", Sort.ANY),),
    ValueOp.RESULT: (),
    ValueOp.KICKED: (("number", Sort.NUMBER),),
    ValueOp.HALF_UP: (("of", Sort.VALUE),),
    ValueOp.HALF_DOWN: (("of", Sort.VALUE),),
    ValueOp.COUNT_ZONE: (("filter", Sort.FILTER), ("zone", Sort.ZONE), ("of", Sort.PLAYERS)),
    ValueOp.HAPPENED: (("kind", Sort.HISTORY), ("by", Sort.OPTIONAL_PLAYERS), ("of", Sort.OPTIONAL_FILTER)),
    ValueOp.GREATEST_POWER: (("filter", Sort.FILTER),),
    ValueOp.COLORS: (("of", Sort.ONE_OBJECT),),
    ValueOp.LIBRARY_SIZE: (("of", Sort.ONE_PLAYER),),
    ValueOp.GRAVEYARD_SIZE: (("of", Sort.ONE_PLAYER),),
    ValueOp.AT_LEAST: _PAIR,
    ValueOp.EQUAL: _PAIR,
    ValueOp.BOTH: _PAIR,
    ValueOp.EITHER: _PAIR,
    ValueOp.NOT: (("of", Sort.VALUE),),
    ValueOp.MATCHES: (("what", Sort.ANY), ("filter", Sort.FILTER)),
    ValueOp.YOUR_TURN: (),
    ValueOp.EXISTS: (("filter", Sort.FILTER),),
    ValueOp.STEP_IS: (("step", Sort.STEP),),
    ValueOp.ON_BATTLEFIELD: (("what", Sort.ONE_OBJECT),),
    ValueOp.WAS_CAST: (),
    ValueOp.CHOSEN_NUMBER: (),
    ValueOp.SORCERY_TIME: (),
    ValueOp.CAST_BEFORE: (("spell", Sort.ONE_OBJECT),),
    ValueOp.QUOTIENT: (("a", Sort.VALUE), ("b", Sort.VALUE)),
    ValueOp.DIVIDED: (("amount", Sort.VALUE),),
    ValueOp.CAST_WAY: (("way", Sort.WAY_KIND),),
    ValueOp.DEVOTION: (("colors", Sort.COLORS), ("of", Sort.ONE_PLAYER)),
    ValueOp.GREATEST: (("fact", Sort.FACT), ("filter", Sort.FILTER)),
    ValueOp.LEAST: (("fact", Sort.FACT), ("filter", Sort.FILTER)),
    ValueOp.COUNT_OF: (("what", Sort.OBJECTS), ("filter", Sort.FILTER)),
    ValueOp.PLAYER_COUNTERS: (("of", Sort.PLAYERS), ("kind", Sort.COUNTER)),
    ValueOp.HAPPENED_LAST_TURN: (("kind", Sort.HISTORY), ("by", Sort.OPTIONAL_PLAYERS), ("of", Sort.OPTIONAL_FILTER)),
    ValueOp.VOTES: (("choice", Sort.NUMBER),),
    ValueOp.DAY_IS: (("day", Sort.NUMBER),),
    ValueOp.HAS_TITLE: (("who", Sort.PLAYERS), ("title", Sort.FACE)),
    ValueOp.HAS_FACT: (("who", Sort.PLAYERS), ("fact", Sort.NUMBER)),
}
covers(ValueOp, VALUE_SIGNATURES, "signatures of values")

#: Counters with a column of their own, by the name that cards use (CR 122.1).
COUNTER_NAMES: dict[str, CounterKind] = {
    {CounterKind.P1P1: "+1/+1", CounterKind.M1M1: "-1/-1"}.get(k, k.name.lower()): k for k in CounterKind
}
_COUNTER_WORD = re.compile("[a-z][a-z -]{0,30}")
#: Numbers of an object that are compared, by the word that names them.
FACT_NAMES: dict[str, FactKind] = {
    "power": FactKind.POWER,
    "toughness": FactKind.TOUGHNESS,
    "mana value": FactKind.MANA_VALUE,
    "damage": FactKind.DAMAGE,
    "+1/+1": FactKind.P1P1,
}
#: Events of the turn by the word that names them.
HISTORY_NAMES: dict[str, HistoryKind] = {
    k.name.lower(): k for k in HistoryKind if k.name and k is not HistoryKind.LAST_TURNS
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value node; ``+``, ``-``, ``*`` make further ones, and ``>=``, ``<=``, ``>``, ``<`` conditions.

    A condition is a value that is 0 or 1. (``==`` compares nodes; the condition is `equal`.)

    Attributes:
        op: how it is worked out.
        args: its operands, as the signature of `op` says.
    """

    op: ValueOp
    args: tuple[object, ...] = ()

    def __add__(self, other: ValueLike) -> Value:
        return _calculate(ValueOp.ADD, self, other)

    def __radd__(self, other: ValueLike) -> Value:
        return _calculate(ValueOp.ADD, other, self)

    def __sub__(self, other: ValueLike) -> Value:
        return _calculate(ValueOp.SUB, self, other)

    def __rsub__(self, other: ValueLike) -> Value:
        return _calculate(ValueOp.SUB, other, self)

    def __mul__(self, other: ValueLike) -> Value:
        return _calculate(ValueOp.MUL, self, other)

    def __rmul__(self, other: ValueLike) -> Value:
        return _calculate(ValueOp.MUL, other, self)

    def __neg__(self) -> Value:
        return _calculate(ValueOp.SUB, 0, self)

    def __ge__(self, other: ValueLike) -> Value:
        return _calculate(ValueOp.AT_LEAST, self, other)

    def __le__(self, other: ValueLike) -> Value:
        return _calculate(ValueOp.AT_LEAST, other, self)

    def __gt__(self, other: ValueLike) -> Value:
        return Value(ValueOp.NOT, (_calculate(ValueOp.AT_LEAST, other, self),))

    def __lt__(self, other: ValueLike) -> Value:
        return Value(ValueOp.NOT, (_calculate(ValueOp.AT_LEAST, self, other),))


ValueLike: TypeAlias = "Value | int"


def value(of: object, what: str = "value") -> Value:
    """Return `of` as a value node.

    Raises:
        TypeError: it is neither a value nor an int.
        ValueError: it is an int out of the range of 32 bits.
    """
    if isinstance(of, Value):
        return of
    if type(of) is not int:
        raise TypeError(f"{what}: a number or value is wanted, not {describe(of)}")
    return Value(ValueOp.CONST, (number(of, what),))


def _calculate(op: ValueOp, a: object, b: object) -> Value:
    return Value(op, (value(a), value(b)))


def counter_name(name: str, what: str) -> str:
    """Return `name` if counters can be called so: "+1/+1", "-1/-1", or a word such as "fade".

    Raises:
        TypeError: it is not a string.
        ValueError: no kind of counter is called so.
    """
    if not isinstance(name, str):
        raise TypeError(f"{what}: the name of a counter is wanted, not {describe(name)}")
    if name not in COUNTER_NAMES and not _COUNTER_WORD.fullmatch(name):
        raise ValueError(f'no kind of counter {name!r}; there are {", ".join(COUNTER_NAMES)} and words such as "fade"')
    return name


def power_of(of: Ref) -> Value:
    """Return the power of object `of` (CR 208)."""
    return Value(ValueOp.POWER, (reference(of, "power_of", one=True, kind=Kind.OBJECT),))


def toughness_of(of: Ref) -> Value:
    """Return the toughness of object `of` (CR 208)."""
    return Value(ValueOp.TOUGHNESS, (reference(of, "toughness_of", one=True, kind=Kind.OBJECT),))


def mana_value_of(of: Ref) -> Value:
    """Return the mana value of object `of` (CR 202.3)."""
    return Value(ValueOp.MANA_VALUE, (reference(of, "mana_value_of", one=True, kind=Kind.OBJECT),))


def cast_before(spell: Ref) -> Value:
    """Return the number of spells cast before `spell` this turn (CR 702.40a)."""
    return Value(ValueOp.CAST_BEFORE, (reference(spell, "cast_before", one=True, kind=Kind.OBJECT),))


def quotient(a: ValueLike, b: ValueLike) -> Value:
    """Return `a` divided by `b`, rounded down (CR 107.1a)."""
    return Value(ValueOp.QUOTIENT, (value(a, "quotient"), value(b, "quotient")))


def divided(amount: ValueLike) -> Value:
    """Return what each target gets of `amount`, divided as its controller chose (CR 601.2d)."""
    return Value(ValueOp.DIVIDED, (value(amount, "divided"),))


def count(objects: Filter) -> Value:
    """Return the number of objects on the battlefield that pass `objects`.

    Raises:
        TypeError: `objects` is not a filter of objects.
    """
    return Value(ValueOp.COUNT, (filter_of_objects(objects, "count"),))


def hand_size(of: Ref) -> Value:
    """Return the number of cards in the hand of player `of`."""
    return Value(ValueOp.HAND_SIZE, (reference(of, "hand_size", one=True, kind=Kind.PLAYER),))


def life_of(of: Ref) -> Value:
    """Return the life total of player `of` (CR 119)."""
    return Value(ValueOp.LIFE, (reference(of, "life_of", one=True, kind=Kind.PLAYER),))


def lesser(a: ValueLike, b: ValueLike) -> Value:
    """Return the lesser of two values."""
    return _calculate(ValueOp.MIN, a, b)


def greater(a: ValueLike, b: ValueLike) -> Value:
    """Return the greater of two values."""
    return _calculate(ValueOp.MAX, a, b)


#: The mana that was spent to cast the source, or the spell that it was (CR 400.7d).
mana_spent = Value(ValueOp.MANA_SPENT)


def level_of(of: Ref) -> Value:
    """Return the level of a Class (CR 716.2d): 1 if it has become none."""
    return Value(ValueOp.LEVEL, (reference(of, "level_of", one=True, kind=Kind.OBJECT),))


def counters_on(of: Ref, kind: str | None = None) -> Value:
    """Return the number of counters called `kind` on object `of`, or of every kind if none is named (CR 122)."""
    name = None if kind is None else counter_name(kind, "counters_on")
    return Value(ValueOp.COUNTERS, (reference(of, "counters_on", one=True, kind=Kind.OBJECT), name))


def damage_on(of: Ref) -> Value:
    """Return the damage marked on object `of` (CR 120.6)."""
    return Value(ValueOp.DAMAGE, (reference(of, "damage_on", one=True, kind=Kind.OBJECT),))


def number_of(of: Ref) -> Value:
    """Return how many objects or players `of` means."""
    return Value(ValueOp.NUMBER_OF, (reference(of, "number_of"),))


def kicked_times(k: int = 0) -> Value:
    """Return how often optional cost `k` of the source was paid (CR 702.33).

    Raises:
        TypeError, ValueError: `k` is not a number from 0.
    """
    if number(k, "kicked_times") < 0:
        raise ValueError(f"kicked_times: {k} is not from 0")
    return Value(ValueOp.KICKED, (k,))


def half_up(of: ValueLike) -> Value:
    """Return half of `of`, rounded up (CR 107.1a)."""
    return Value(ValueOp.HALF_UP, (value(of, "half_up"),))


def half_down(of: ValueLike) -> Value:
    """Return half of `of`, rounded down (CR 107.1a)."""
    return Value(ValueOp.HALF_DOWN, (value(of, "half_down"),))


def count_in(zone: Zone, objects: Filter, of: Ref) -> Value:
    """Return the number of objects in `zone` of the players of `of` that pass `objects`.

    Raises:
        TypeError: an operand is of the wrong sort.
    """
    wanted = filter_of_objects(objects, "count_in")
    players = reference(of, "count_in: of", kind=Kind.PLAYER)
    return Value(ValueOp.COUNT_ZONE, (wanted, zone_of(zone, "count_in"), players))


def happened(kind: str | HistoryKind, by: Ref | None = None, of: Filter | None = None) -> Value:
    """Return how many events of `kind` there were this turn (CR 608.2i): ``happened("cast", by=you, of=instant)``.

    Raises:
        TypeError: an operand is of the wrong sort.
        ValueError: no kind of event is called so.
    """
    found = HISTORY_NAMES.get(kind) if isinstance(kind, str) else kind
    if not isinstance(found, HistoryKind):
        raise ValueError(f"happened: no kind of event {kind!r}; there are {', '.join(HISTORY_NAMES)}")
    who = None if by is None else reference(by, "happened: by", kind=Kind.PLAYER)
    what = None if of is None else filter_of_objects(of, "happened: of")
    return Value(ValueOp.HAPPENED, (found, who, what))


def greatest_power(objects: Filter) -> Value:
    """Return the greatest power among permanents that pass `objects`; 0 if there are none."""
    return Value(ValueOp.GREATEST_POWER, (filter_of_objects(objects, "greatest_power"),))


def _extreme(op: ValueOp, word: str, fact: str, objects: Filter) -> Value:
    found = FACT_NAMES.get(fact)
    if found is None:
        raise ValueError(f"{word}: no number of an object is called {fact!r}; there are {', '.join(FACT_NAMES)}")
    return Value(op, (found, filter_of_objects(objects, word)))


def greatest(fact: str, objects: Filter) -> Value:
    """Return the greatest `fact` among permanents that pass `objects`; 0 if there are none.

    Raises:
        ValueError: no number of an object is called `fact`.
    """
    return _extreme(ValueOp.GREATEST, "greatest", fact, objects)


def least(fact: str, objects: Filter) -> Value:
    """Return the least `fact` among permanents that pass `objects`: ``least("toughness", creature & yours)``.

    Raises:
        ValueError: no number of an object is called `fact`.
    """
    return _extreme(ValueOp.LEAST, "least", fact, objects)


def count_of(what: Ref, objects: Filter) -> Value:
    """Return how many of the objects that `what` means pass `objects`: ``count_of(moved, ~land)``."""
    return Value(
        ValueOp.COUNT_OF,
        (reference(what, "count_of", kind=Kind.OBJECT), filter_of_objects(objects, "count_of")),
    )


def devotion(colors: str, of: Ref = you) -> Value:
    """Return a player's devotion to `colors`, letters of WUBRG (CR 700.5).

    Raises:
        ValueError: these are no colours.
    """
    letters = set(colors) - {"/"}
    if not letters or not letters <= set("WUBRG"):
        raise ValueError(f"devotion: colours are letters of WUBRG, not {colors!r}")
    mask = Color(sum(Color[letter] for letter in letters))
    return Value(ValueOp.DEVOTION, (mask, reference(of, "devotion: of", one=True, kind=Kind.PLAYER)))


def colors_of(of: Ref) -> Value:
    """Return the number of colours of object `of` (CR 105)."""
    return Value(ValueOp.COLORS, (reference(of, "colors_of", one=True, kind=Kind.OBJECT),))


def library_size(of: Ref) -> Value:
    """Return the number of cards in the library of player `of`."""
    return Value(ValueOp.LIBRARY_SIZE, (reference(of, "library_size", one=True, kind=Kind.PLAYER),))


def graveyard_size(of: Ref) -> Value:
    """Return the number of cards in the graveyard of player `of`."""
    return Value(ValueOp.GRAVEYARD_SIZE, (reference(of, "graveyard_size", one=True, kind=Kind.PLAYER),))


#: Number of the event that triggered the ability: damage dealt, life gained.
event_amount = Value(ValueOp.EVENT_AMOUNT)
#: Result of the last instruction: damage dealt, life lost, cards drawn.
result = Value(ValueOp.RESULT)
#: The value chosen for {X} (CR 107.3).
x = Value(ValueOp.X)
