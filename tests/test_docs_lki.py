"""docs/lki.md: what its tables name is there; every scenario about last known information stands in a table."""

from __future__ import annotations

import re

import pytest

from doc_tables import ROOT, functions, rows, scenario_ids

TEXT = (ROOT / "docs" / "lki.md").read_text(encoding="utf-8")
#: Rules, what they are about, functions, scenarios or tests.
RULES = rows(TEXT, 4)
#: Rules, what engines get wrong, scenarios.
FAULTS = rows(TEXT, 3)
NAMES = sorted({name for row in RULES for name in re.findall(r"`(_\w+\.\w+)`", row[2])})


def shown(cell: str) -> set[str]:
    """Ids of scenarios in a cell: `SRC-01 to SRC-03, DMG-02`."""
    found = set()
    for first, last in re.findall(r"\b([A-Z]+-\d+)(?: to ([A-Z]+-\d+))?", cell):
        prefix, low = first.split("-")
        high = last.split("-")[1] if last else low
        found |= {f"{prefix}-{n:0{len(low)}d}" for n in range(int(low), int(high) + 1)}
    return found


def test_the_tables_are_read() -> None:
    assert len(RULES) >= 60
    assert len(FAULTS) >= 60
    assert len(NAMES) >= 40


@pytest.mark.parametrize("row", [*RULES, *FAULTS], ids=lambda row: f"{row[0]} {row[1]}")
def test_what_shows_a_row_is_there(row: list[str]) -> None:
    ids = shown(row[-1])
    tests = re.findall(r"`(tests/[\w/]+\.py|test_\w+\.py)`", row[-1])
    assert ids or tests, row
    assert ids - scenario_ids("") == set()
    for name in tests:
        assert (ROOT / name if "/" in name else ROOT / "tests" / name).exists(), name


@pytest.mark.parametrize("name", NAMES)
def test_every_function_is_there(name: str) -> None:
    module, _, function = name.partition(".")
    assert function in functions(module)


def test_every_scenario_of_the_rules_stands_in_a_table() -> None:
    told = set().union(*(shown(row[-1]) for row in [*RULES, *FAULTS]))
    files = ("attachments", "wrong_moment", "wrong_incarnation", "looking_back", "illegal_targets", "departed_players")
    for name in files:
        assert scenario_ids(f"lki/{name}") - told == set(), name
