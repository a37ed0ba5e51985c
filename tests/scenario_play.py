"""What the tests of scenarios share: short scenarios as data, and what comes of them."""

from __future__ import annotations

import functools
from typing import Any

from lkicore.cards import CardPool
from lkicore.scenario import Result, read_scenario, run

#: Cards of a test beside the built-in ones; definitions without text need no notation.
BLADE = {"name": "Plain Blade", "mana_cost": "{1}", "type_line": "Artifact — Equipment"}
OGRE = {
    "name": "Wary Ogre",
    "mana_cost": "{2}{R}",
    "type_line": "Creature — Ogre Warrior",
    "oracle_text": "Vigilance, trample (It has both.)",
    "power": "3",
    "toughness": "3",
}


@functools.cache
def pool() -> CardPool:
    """The built-in cards."""
    return CardPool.builtin()


def make(
    *script: dict[str, Any],
    p0: dict[str, Any] | None = None,
    p1: dict[str, Any] | None = None,
    expect: dict[str, Any] | None = None,
    **rest: Any,
) -> dict[str, Any]:
    """A scenario: zones of two players, steps, and what is expected (nothing in particular by default)."""
    zones = {key: zones for key, zones in (("p0", p0), ("p1", p1)) if zones is not None}
    return {"id": "test", "zones": zones, "script": list(script), "expect": expect or {}} | rest


def outcome(data: dict[str, Any], **options: Any) -> Result:
    """What comes of a scenario."""
    return run(read_scenario(data), pool(), **options)


def passes(*script: dict[str, Any], **rest: Any) -> Result:
    """Run a scenario that must pass."""
    options = {key: rest.pop(key) for key in ("strict", "trace") if key in rest}
    result = outcome(make(*script, **rest), **options)
    assert result.status == "passed", result
    return result


def fails(*script: dict[str, Any], step: str, expected: str, got: str, **rest: Any) -> Result:
    """Run a scenario that must fail at `step`, with messages that hold `expected` and `got`."""
    options = {key: rest.pop(key) for key in ("strict", "trace") if key in rest}
    result = outcome(make(*script, **rest), **options)
    assert result.status == "failed", result
    assert result.step == step, result
    assert expected in result.expected, result
    assert got in result.got, result
    return result


def skips(*script: dict[str, Any], reason: str, **rest: Any) -> Result:
    """Run a scenario that must be skipped, for a reason that holds `reason`."""
    result = outcome(make(*script, **rest))
    assert result.status == "skipped", result
    assert reason in result.reason, result
    return result
