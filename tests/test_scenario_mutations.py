"""Mutations of good scenarios: changed in any one place of what they expect or do, they fail."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from lkicore.scenario import ScenarioError, read_scenario, run
from scenario_play import make, outcome, pool

#: Scenarios that hold with strictness: every choice has its answer.
GOOD: dict[str, dict[str, Any]] = {
    "source gone": make(
        {"activate": "Prodigal Pyromancer", "ability": 1, "targets": ["p1"]},
        {"cast": "Giant Growth", "targets": ["Prodigal Pyromancer"]},
        {"resolve": "top"},
        {"expect": {"pt": {"Prodigal Pyromancer": [4, 4]}, "stack": 1}},
        {"cast": "Murder", "targets": ["Prodigal Pyromancer"]},
        {"resolve": "top"},
        {"expect": {"stack": ["Prodigal Pyromancer"], "life": {"p1": 20}}},
        {"resolve": "top"},
        p0={"battlefield": ["Prodigal Pyromancer"], "hand": ["Giant Growth"]},
        p1={"hand": ["Murder"]},
        expect={
            "life": {"p0": 20, "p1": 19},
            "zone": {"Prodigal Pyromancer": "graveyard", "Giant Growth": "graveyard", "Murder": "graveyard"},
            "resolved": ["Prodigal Pyromancer", "Murder", "Giant Growth"],
            "lki": {"Prodigal Pyromancer": {"power": 4, "toughness": 4, "controller": "p0", "tapped": True}},
            "graveyard": {"p0": 2, "p1": 1},
            "hand": {"p0": 0, "p1": 0},
        },
    ),
    "illegal target": make(
        {"cast": "Lightning Bolt", "targets": ["Bear"]},
        {"cast": "Unsummon", "targets": ["Bear"]},
        {"resolve": "top", "count": 2},
        p0={"hand": ["Lightning Bolt"]},
        p1={"battlefield": [{"card": "Grizzly Bears", "as": "Bear"}], "hand": ["Unsummon"]},
        expect={
            "zone": {"Bear": "hand", "Lightning Bolt": "graveyard"},
            "not_resolved": ["Lightning Bolt"],
            "lki": {"Bear": {"zone": "battlefield", "types": ["Creature", "Bear"], "damage": 0}},
            "stack": 0,
        },
    ),
    "combat": make(
        {"attack": {"Craw Wurm": "p1", "Serra Angel": "p1"}},
        {"block": {"Giant Spider": "Craw Wurm", "Grizzly Bears": "Craw Wurm"}},
        {"answer": {"p0": [{"assign": {"Giant Spider": 4, "Grizzly Bears": 2}}]}},
        {"advance": "combat_damage"},
        p0={"battlefield": ["Craw Wurm", "Serra Angel"]},
        p1={"battlefield": ["Giant Spider", "Grizzly Bears"]},
        expect={
            "life": {"p1": 16},
            "zone": {"Giant Spider": "graveyard", "Grizzly Bears": "graveyard", "Craw Wurm": "graveyard"},
            "tapped": {"Serra Angel": False},
            "attacking": {"Serra Angel": "p1"},
            "turn": {"turn": 1, "active": "p0", "step": "combat_damage"},
        },
    ),
    "tokens": make(
        {"cast": "Dragon Fodder"},
        {"resolve": "top"},
        {"cast": "Shock", "targets": ["token:Goblin#1"]},
        {"resolve": "top"},
        p0={"hand": ["Dragon Fodder", "Shock"]},
        expect={
            "tokens": {"p0": {"Goblin": 1}},
            "zone": {"token:Goblin#1": "none", "token:Goblin#2": "battlefield"},
            "count": [{"player": "p0", "zone": "battlefield", "name": "Goblin", "n": 1}],
            "types": {"token:Goblin#2": ["Creature", "Goblin"]},
            "colors": {"token:Goblin#2": ["red"]},
        },
    ),
}

_OTHER = {
    "p0": "p1",
    "p1": "p0",
    "battlefield": "exile",
    "graveyard": "hand",
    "hand": "graveyard",
    "none": "battlefield",
    "red": "green",
    "Creature": "Land",
    "combat_damage": "main2",
}


def wrong_values(value: Any) -> Iterator[Any]:
    """Values that differ from a leaf of an expectation."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        if value:
            yield value - 1
    elif value in _OTHER:
        yield _OTHER[value]


def mutants(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every place of an expectation with every wrong value for it."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from mutants(item, (*way, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from mutants(item, (*way, i))
    else:
        for wrong in wrong_values(value):
            yield way, wrong


def changed(data: Any, way: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(data)
    place = made
    for part in way[:-1]:
        place = place[part]
    place[way[-1]] = value
    return made


def expectations(data: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    yield ("expect",)
    for i, step in enumerate(data["script"]):
        if "expect" in step:
            yield ("script", i, "expect")


@pytest.mark.parametrize("name", GOOD)
def test_it_holds(name: str) -> None:
    assert outcome(GOOD[name], strict=True).status == "passed"


@pytest.mark.parametrize("name", GOOD)
def test_every_wrong_expectation_fails(name: str) -> None:
    data = GOOD[name]
    n = 0
    for place in expectations(data):
        facts = data["expect"] if place == ("expect",) else data["script"][place[1]]["expect"]
        for way, wrong in mutants(facts):
            if way[0] == "count" and way[-1] in ("player", "zone"):
                continue  # what is counted, not what is expected
            if way[0] == "lki" and way[-1] == "zone":
                continue  # which departure is meant
            if wrong == 0 and way[-1] == "turn":
                continue
            result = outcome(changed(data, (*place, *way), wrong))
            assert result.status == "failed", (way, wrong, result)
            n += 1
    assert n >= 5


@pytest.mark.parametrize("name", GOOD)
def test_resolved_and_not_resolved_are_opposites(name: str) -> None:
    data = GOOD[name]
    for key, other in (("resolved", "not_resolved"), ("not_resolved", "resolved")):
        for label in data["expect"].get(key, []):
            result = outcome({**data, "expect": {other: [label]}})
            assert result.status == "failed"


@pytest.mark.parametrize("name", GOOD)
def test_a_step_left_out_is_noticed(name: str) -> None:
    """Without any one of its actions a scenario fails, unless the rules make up for it (damage assigned by default)."""
    data = GOOD[name]
    for i, step in enumerate(data["script"]):
        if "expect" in step or "answer" in step:
            continue
        made = copy.deepcopy(data)
        del made["script"][i]
        try:
            result = run(read_scenario(made), pool())
        except ScenarioError:
            continue
        assert result.status == "failed", (step, result)


@pytest.mark.parametrize("name", GOOD)
def test_every_key_and_verb_misspelt_is_a_bad_file(name: str) -> None:
    data = GOOD[name]
    ways = [(), *expectations(data), *(("script", i) for i in range(len(data["script"])))]
    for way in ways:
        place = data
        for part in way:
            place = place[part]
        for key in place:
            made = copy.deepcopy(data)
            inner = made
            for part in way:
                inner = inner[part]
            inner[key + "s" if key != "lki" else "lkis"] = inner.pop(key)
            with pytest.raises(ScenarioError) as caught:
                read_scenario(made)
            assert str(caught.value)
