"""A scenario as it is run: what its file says, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lkicore.opcodes import Step, Zone

from .source import Path_, Source

#: Steps by the names that scenarios use.
STEPS = {
    "upkeep": Step.UPKEEP,
    "draw": Step.DRAW,
    "main1": Step.MAIN1,
    "begin_combat": Step.BEGIN_COMBAT,
    "declare_attackers": Step.DECLARE_ATTACKERS,
    "declare_blockers": Step.DECLARE_BLOCKERS,
    "first_strike_damage": Step.FIRST_STRIKE_DAMAGE,
    "combat_damage": Step.COMBAT_DAMAGE,
    "end_combat": Step.END_COMBAT,
    "main2": Step.MAIN2,
    "end": Step.END,
    "cleanup": Step.CLEANUP,
}
STEP_WORDS = {step: word for word, step in STEPS.items()} | {Step.UNTAP: "untap", Step.NONE: "none"}

#: Zones in which objects can be listed, by name.
ZONES = {
    "battlefield": Zone.BATTLEFIELD,
    "hand": Zone.HAND,
    "library": Zone.LIBRARY,
    "graveyard": Zone.GRAVEYARD,
    "exile": Zone.EXILE,
    "command": Zone.COMMAND,
    "sideboard": Zone.SIDEBOARD,
}
#: Zones in which an object can be found.
ALL_ZONES = ZONES | {"stack": Zone.STACK, "none": Zone.NONE}
ZONE_WORDS = {zone: word for word, zone in ALL_ZONES.items()}

#: The land below the listed cards of a library.
FILLER = "Wastes"


@dataclass(frozen=True, slots=True)
class Entry:
    """An object, or several alike, of the position.

    Attributes:
        player: whose zone; on the battlefield the controller.
        zone: the zone.
        card: name of the card or token.
        label: its label, or "".
        count: how many.
        owner: the owner.
        options: the other keys, as they stand there.
        where: its place in the scenario.
    """

    player: int
    zone: Zone
    card: str
    label: str = ""
    count: int = 1
    owner: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    where: Path_ = ()


@dataclass(frozen=True, slots=True)
class Action:
    """A step of the script.

    Attributes:
        verb: its verb.
        value: what stands at the verb; for `illegal` an `Action`.
        options: its options but `by`, as they stand there.
        by: the acting player, None for whom it is left to.
        where: its place in the scenario.
    """

    verb: str
    value: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    by: int | None = None
    where: Path_ = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario whose form is good. `start` is (turn, active player, step); `expect` None where there is none."""

    id: str
    source: Source
    title: str = ""
    tags: tuple[str, ...] = ()
    rule: tuple[str, ...] = ()
    players: int = 2
    life: Mapping[int, int] = field(default_factory=dict)
    start: tuple[int, int, Step] = (1, 0, Step.MAIN1)
    cards: tuple[Mapping[str, Any], ...] = ()
    entries: tuple[Entry, ...] = ()
    free: bool = True
    fill: int = 20
    script: tuple[Action, ...] = ()
    expect: Mapping[str, Any] | None = None


def seat(word: str) -> int:
    """The seat of a player's name, `p0` to `p7`; -1 for another word."""
    return int(word[1]) if len(word) == 2 and word[0] == "p" and word[1] in "01234567" else -1


def way(where: Path_) -> str:
    """A place in words: `script[2].cast`; numbers from 1, as people count steps."""
    text = ""
    for part in where:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text
