"""Conditions: values that are 0 or 1 (CR 603.4, 608.2c, 611.3a). Comparison operators make them too."""

from __future__ import annotations

from lkicore.opcodes import Step, ValueOp

from .filters import Filter, filter_of_objects
from .operands import Kind, describe, step_of
from .references import Ref, reference
from .values import Value, ValueLike, kicked_times, value
from .way_words import way_kind


def equal(a: ValueLike, b: ValueLike) -> Value:
    """Return the condition "`a` is `b`": ``a == b`` in card files."""
    return Value(ValueOp.EQUAL, (value(a), value(b)))


def not_(condition: ValueLike) -> Value:
    """Return the condition that holds if `condition` does not."""
    return Value(ValueOp.NOT, (value(condition, "not_"),))


def _joined(op: ValueOp, word: str, conditions: tuple[ValueLike, ...]) -> Value:
    if len(conditions) < 2:
        raise TypeError(f"{word} joins two conditions or more")
    made = value(conditions[0], word)
    for condition in conditions[1:]:
        made = Value(op, (made, value(condition, word)))
    return made


def all_of(*conditions: ValueLike) -> Value:
    """Return the condition that holds if all `conditions` do.

    Raises:
        TypeError: there are fewer than two.
    """
    return _joined(ValueOp.BOTH, "all_of", conditions)


def any_of(*conditions: ValueLike) -> Value:
    """Return the condition that holds if one of `conditions` does.

    Raises:
        TypeError: there are fewer than two.
    """
    return _joined(ValueOp.EITHER, "any_of", conditions)


def matches(what: Ref, filter_: Filter) -> Value:
    """Return the condition "`what` passes `filter_`", with last known information where its policy says so."""
    if not isinstance(filter_, Filter):
        raise TypeError(f"matches: a filter is wanted, not {describe(filter_)}")
    return Value(ValueOp.MATCHES, (reference(what, "matches"), filter_))


def exists(objects: Filter) -> Value:
    """Return the condition "there is a permanent that passes `objects`"."""
    return Value(ValueOp.EXISTS, (filter_of_objects(objects, "exists"),))


def step_is(step: Step) -> Value:
    """Return the condition "it is `step`" (CR 500.1).

    Raises:
        TypeError: `step` is none.
    """
    return Value(ValueOp.STEP_IS, (step_of(step, "step_is"),))


def on_battlefield(what: Ref) -> Value:
    """Return the condition "object `what` is on the battlefield"."""
    return Value(ValueOp.ON_BATTLEFIELD, (reference(what, "on_battlefield", one=True, kind=Kind.OBJECT),))


def cast_by(way: str) -> Value:
    """Return the condition "the source, or the spell that it was, was cast for its `way` cost" (CR 400.7d)."""
    return Value(ValueOp.CAST_WAY, (way_kind(way),))


#: The controller is the active player.
your_turn = Value(ValueOp.YOUR_TURN)
#: The source was cast, not put onto the battlefield by other means (CR 400.7d).
was_cast = Value(ValueOp.WAS_CAST)
#: The number chosen for the source as it entered; how many creatures it devoured (CR 607.2d, 702.82c).
chosen_number = Value(ValueOp.CHOSEN_NUMBER)
#: You could cast a sorcery now, but for this on the stack (CR 307.5).
sorcery_time = Value(ValueOp.SORCERY_TIME)
#: Its (first) optional cost was paid (CR 702.33d).
was_kicked = kicked_times(0) >= 1
