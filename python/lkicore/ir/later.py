"""Abilities that effects make: delayed triggered abilities (CR 603.7) and reflexive ones (CR 603.12)."""

from __future__ import annotations

from lkicore.opcodes import Duration, EffectOp, EventKind

from .abilities import TriggeredAbility
from .effects import Effect
from .flow import instructions_of
from .operands import describe
from .references import Ref, reference
from .target_specs import TargetSpec
from .triggers import Event

#: When delayed triggered abilities trigger.
DELAYS = (Duration.NEXT_END_STEP, Duration.NEXT_UPKEEP, Duration.YOUR_NEXT_UPKEEP, Duration.END_OF_COMBAT)


def delayed(when: Duration, effects: object, about: Ref | None = None) -> Effect:
    """`effects` happen `when` the time has come (CR 603.7); in them, `event_object` is `about`.

    Raises:
        TypeError: an operand is of the wrong sort.
        ValueError: `when` is no such time.
    """
    if when not in DELAYS:
        times = ", ".join(d.name.lower() for d in DELAYS)
        raise ValueError(f"delay: a time is wanted ({times}), not {describe(when)}")
    what = None if about is None else reference(about, "delay: about")
    ability = TriggeredAbility(Event(EventKind.DELAYED), instructions_of(effects, "delay"))
    return Effect(EffectOp.DELAY, (ability, what, when))


def reflexive(effects: object, targets: object = ()) -> Effect:
    """When you do: `effects` with targets of their own (CR 603.12).

    In them, `event_object` is the first object that was moved, `event_amount` the result.
    """
    specs = tuple(targets) if isinstance(targets, tuple | list) else (targets,)
    chosen = tuple(s if isinstance(s, TargetSpec) else TargetSpec(s) for s in specs)
    ability = TriggeredAbility(Event(EventKind.REFLEXIVE), instructions_of(effects, "reflexive"), chosen)
    return Effect(EffectOp.REFLEXIVE, (ability,))
