"""Target specifications: what one instance of the word "target" asks for (CR 115.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lkicore.opcodes import Zone

from .filters import Filter
from .operands import Kind, describe, number
from .values import Value, ValueLike, value

#: The `most` of "any number of targets".
ANY_NUMBER = 255


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """What targets of one specification may be, and how many different ones are chosen (CR 115.1, 115.3).

    Attributes:
        filter: what each must pass, on announcing and on resolution.
        least: the fewest that are chosen.
        most: the most; ANY_NUMBER: as many as there are.
        x: exactly X are chosen.
        divided: what is divided among them as the player chooses, each getting at least one (CR 601.2d), or None.

    Raises:
        TypeError: `filter` is none.
        ValueError: the numbers are none, or the objects cannot be targets.
    """

    filter: Filter
    least: int = 1
    most: int = 1
    x: bool = False
    divided: Value | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.filter, Filter):
            raise TypeError(f"target: a filter such as creature is wanted, not {describe(self.filter)}")
        if self.objects and self.zone not in (Zone.BATTLEFIELD, Zone.STACK, Zone.GRAVEYARD, Zone.EXILE):
            raise ValueError(f"target: an object in {self.zone.name.lower()} cannot be a target")
        if not 0 <= self.least <= self.most <= ANY_NUMBER or not self.most:
            raise ValueError(f"target: {self.least} to {self.most} is no number of targets")

    @property
    def players(self) -> bool:
        """Whether a player can be the target."""
        return bool(self.filter.kind & Kind.PLAYER)

    @property
    def objects(self) -> bool:
        """Whether an object can be the target."""
        return bool(self.filter.kind & Kind.OBJECT)

    @property
    def zone(self) -> Zone:
        """Where the objects are: the battlefield, unless the filter names another zone."""
        return self.filter.zone or Zone.BATTLEFIELD

    @property
    def several(self) -> bool:
        """Whether it may ask for more than one target."""
        return self.x or self.most > 1


def up_to(n: int, filter_: Filter) -> TargetSpec:
    """Return the specification "up to `n` targets that pass `filter_`"."""
    return TargetSpec(filter_, 0, number(n, "up_to"))


def exactly(n: int, filter_: Filter) -> TargetSpec:
    """Return the specification "`n` targets that pass `filter_`"."""
    return TargetSpec(filter_, number(n, "exactly"), n)


def any_number(filter_: Filter) -> TargetSpec:
    """Return the specification "any number of targets that pass `filter_`"."""
    return TargetSpec(filter_, 0, ANY_NUMBER)


def x_targets(filter_: Filter) -> TargetSpec:
    """Return the specification "X targets that pass `filter_`"."""
    return TargetSpec(filter_, 0, ANY_NUMBER, x=True)


def divided_among(amount: ValueLike, spec: TargetSpec | Filter) -> TargetSpec:
    """Return `spec` with `amount` divided among its targets (CR 601.2d): ``divided_among(4, any_number(creature))``."""
    inner = spec if isinstance(spec, TargetSpec) else TargetSpec(spec)
    return replace(inner, divided=value(amount, "divided_among"))
