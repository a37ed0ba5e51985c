"""Abilities that effects make: delayed triggered abilities (CR 603.7) and reflexive ones (CR 603.12)."""

from __future__ import annotations

from dataclasses import replace

from lkicore.opcodes import Duration, EffectOp, EventKind, TriggerFlag

from .abilities import TriggeredAbility
from .effects import Effect
from .flow import instructions_of
from .operands import Kind, describe, flag
from .references import Ref, reference
from .target_specs import TargetSpec
from .triggers import Event

#: When delayed triggered abilities trigger.
DELAYS = (
    Duration.NEXT_END_STEP,
    Duration.NEXT_UPKEEP,
    Duration.YOUR_NEXT_UPKEEP,
    Duration.YOUR_NEXT_MAIN,
    Duration.YOUR_NEXT_END_STEP,
    Duration.END_OF_COMBAT,
    Duration.NEXT_CLEANUP,
)


def delayed(
    when: Duration | Event,
    effects: object,
    about: Ref | None = None,
    until: Duration = Duration.END_OF_TURN,
    each_time: bool = False,
) -> Effect:
    """`effects` happen `when` the time has come (CR 603.7); in them, `event_object` is `about`.

    Or `when` an event happens: "when that creature dies this turn". In its filters, `it` is what `about` means, and
    the effects speak of the event.

    Args:
        when: a time, or an event.
        effects: what happens.
        about: the object that it is about.
        until: an event: how long it is waited for, `end_of_turn` or `always`.
        each_time: an event: it triggers each time, not once.

    Raises:
        TypeError: an operand is of the wrong sort.
        ValueError: `when` is no such time.
    """
    if isinstance(when, Event):
        return _waiting(when, effects, about, until, each_time)
    if when not in DELAYS:
        times = ", ".join(d.name.lower() for d in DELAYS)
        raise ValueError(f"delay: a time is wanted ({times}), not {describe(when)}")
    what = None if about is None else reference(about, "delay: about")
    ability = TriggeredAbility(Event(EventKind.DELAYED), instructions_of(effects, "delay"))
    return Effect(EffectOp.DELAY, (ability, what, when))


def _waiting(when: Event, effects: object, about: Ref | None, until: Duration, each_time: bool) -> Effect:
    what = None if about is None else reference(about, "delay: about", kind=Kind.OBJECT)
    if until not in (Duration.END_OF_TURN, Duration.PERMANENT, Duration.YOUR_NEXT_TURN):
        raise ValueError("delay: an event is waited for until end_of_turn, your_next_turn or always")
    if flag(each_time, "delay: each_time"):
        when = replace(when, flags=when.flags | TriggerFlag.EACH_TIME)
    return Effect(EffectOp.DELAY, (TriggeredAbility(when, instructions_of(effects, "delay")), what, until))


def reflexive(effects: object, targets: object = ()) -> Effect:
    """When you do: `effects` with targets of their own (CR 603.12).

    In them, `event_object` is the first object that was moved, `event_amount` the result.
    """
    specs = tuple(targets) if isinstance(targets, tuple | list) else (targets,)
    chosen = tuple(s if isinstance(s, TargetSpec) else TargetSpec(s) for s in specs)
    ability = TriggeredAbility(Event(EventKind.REFLEXIVE), instructions_of(effects, "reflexive"), chosen)
    return Effect(EffectOp.REFLEXIVE, (ability,))
