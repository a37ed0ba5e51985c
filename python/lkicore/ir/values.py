"""Values: numbers that an effect works out when it needs them. An int stands for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lkicore.opcodes import CounterKind, ValueOp

from .filters import Filter, filter_of_objects
from .operands import Kind, Signature, Sort, covers, describe, number
from .references import Ref, reference

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
    ValueOp.COUNTERS: (("of", Sort.ONE_OBJECT), ("kind", Sort.COUNTER)),
}
covers(ValueOp, VALUE_SIGNATURES, "signatures of values")

#: Counters by the name that cards use (CR 122.1).
COUNTER_NAMES: dict[str, CounterKind] = {
    "+1/+1": CounterKind.P1P1,
    "-1/-1": CounterKind.M1M1,
    "loyalty": CounterKind.LOYALTY,
    "charge": CounterKind.CHARGE,
}
covers(CounterKind, {k: n for n, k in COUNTER_NAMES.items()}, "names of counters")


@dataclass(frozen=True, slots=True)
class Value:
    """A value node; ``+``, ``-`` and ``*`` make further ones.

    Attributes:
        op: how it is worked out.
        args: its operands, as the signature of `op` says.
    """

    op: ValueOp
    args: tuple[Value | Ref | Filter | CounterKind | int, ...] = ()

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


def counter_kind(name: str) -> CounterKind:
    """Return the kind of counter called `name`: "+1/+1", "-1/-1", "loyalty" or "charge".

    Raises:
        ValueError: there is none.
    """
    kind = COUNTER_NAMES.get(name)
    if kind is None:
        raise ValueError(f"no kind of counter {name!r}; there are {', '.join(COUNTER_NAMES)}")
    return kind


def power_of(of: Ref) -> Value:
    """Return the power of object `of` (CR 208)."""
    return Value(ValueOp.POWER, (reference(of, "power_of", one=True, kind=Kind.OBJECT),))


def toughness_of(of: Ref) -> Value:
    """Return the toughness of object `of` (CR 208)."""
    return Value(ValueOp.TOUGHNESS, (reference(of, "toughness_of", one=True, kind=Kind.OBJECT),))


def mana_value_of(of: Ref) -> Value:
    """Return the mana value of object `of` (CR 202.3)."""
    return Value(ValueOp.MANA_VALUE, (reference(of, "mana_value_of", one=True, kind=Kind.OBJECT),))


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


def counters_on(of: Ref, kind: str) -> Value:
    """Return the number of counters called `kind` on object `of` (CR 122)."""
    return Value(ValueOp.COUNTERS, (reference(of, "counters_on", one=True, kind=Kind.OBJECT), counter_kind(kind)))


#: The value chosen for {X} (CR 107.3).
x = Value(ValueOp.X)
