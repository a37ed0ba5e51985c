"""Abilities: spell abilities, activated abilities and mana abilities (CR 113.3), with their targets (CR 115)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lkicore.opcodes import AbilityKind, Color, CostFlag, Zone

from .costs import Cost, mana_produced
from .effects import Effect
from .filters import Filter
from .operands import Kind, covers, describe
from .references import MAX_TARGETS


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """What one target may be (CR 115.1).

    Attributes:
        filter: what it must pass, on announcing and on resolution.
    """

    filter: Filter

    def __post_init__(self) -> None:
        if not isinstance(self.filter, Filter):
            raise TypeError(f"target: a filter such as creature is wanted, not {describe(self.filter)}")
        if self.objects and self.zone not in (Zone.BATTLEFIELD, Zone.STACK, Zone.GRAVEYARD, Zone.EXILE):
            raise ValueError(f"target: an object in {self.zone.name.lower()} cannot be a target")

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


def _check_parts(targets: tuple[TargetSpec, ...], effects: tuple[Effect, ...]) -> None:
    if len(targets) > MAX_TARGETS:
        raise ValueError(f"{len(targets)} targets; at most {MAX_TARGETS} are supported")
    for effect in effects:
        if not isinstance(effect, Effect):
            raise TypeError(f"an effect such as damage(target(0), 3) is wanted, not {describe(effect)}")
    if not effects:
        raise ValueError("an ability without an effect")


@dataclass(frozen=True, slots=True)
class SpellAbility:
    """What an instant or sorcery does (CR 113.3a).

    Attributes:
        effects: what happens, in order.
        targets: its targets; target(n) is the n-th.
    """

    effects: tuple[Effect, ...]
    targets: tuple[TargetSpec, ...] = ()

    def __post_init__(self) -> None:
        _check_parts(self.targets, self.effects)


@dataclass(frozen=True, slots=True)
class ActivatedAbility:
    """An activated ability that uses the stack (CR 602).

    Attributes:
        cost: what activating costs.
        effects: what happens, in order.
        targets: its targets; target(n) is the n-th.
    """

    cost: Cost
    effects: tuple[Effect, ...]
    targets: tuple[TargetSpec, ...] = ()

    def __post_init__(self) -> None:
        _check_parts(self.targets, self.effects)


@dataclass(frozen=True, slots=True)
class ManaAbility:
    """An activated mana ability (CR 605.1a).

    Attributes:
        cost: what activating costs.
        colors: kinds of mana, of which the player chooses one.
        amount: how much of it.
    """

    cost: Cost
    colors: Color
    amount: int = 1

    def __post_init__(self) -> None:
        if not self.colors:
            raise ValueError("a mana ability that adds no kind of mana")
        if not 1 <= self.amount <= 99:
            raise ValueError(f"a mana ability that adds {self.amount} mana")
        if self.cost.mana.n_x:
            raise ValueError("{X} in the cost of a mana ability is not supported")


Ability: TypeAlias = "ActivatedAbility | ManaAbility"

#: The class of each kind of ability of a face.
ABILITY_KINDS: dict[AbilityKind, type[ActivatedAbility] | type[ManaAbility]] = {
    AbilityKind.MANA: ManaAbility,
    AbilityKind.ACTIVATED: ActivatedAbility,
}
covers(AbilityKind, ABILITY_KINDS, "classes of abilities")


def tap_for(mana: str) -> ManaAbility:
    """Return the mana ability "{T}: add `mana`": ``tap_for("G")``, ``tap_for("{C}{C}")``, ``tap_for("any")``."""
    colors, amount = mana_produced(mana)
    return ManaAbility(Cost(flags=CostFlag.TAP), colors, amount)
