"""docs/rules.md: every function, module and scenario that it names is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from doc_tables import functions, scenario_ids

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
#: Rules, what they are about, functions, scenarios.
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith(("| rules", "| ---"))
]
NAMES = sorted({name for row in ROWS for name in re.findall(r"`([^`]+)`", row[2])})


def test_every_row_names_rules_functions_and_what_shows_them() -> None:
    assert len(ROWS) >= 80
    for row in ROWS:
        assert len(row) == 4, row
        assert re.match(r"\d{3}", row[0]), row
        assert re.search(r"`[^`]+`", row[2]), row
        assert row[3], row


@pytest.mark.parametrize("name", NAMES)
def test_every_function_is_there(name: str) -> None:
    module, _, function = name.partition(".")
    if module.startswith("_"):
        assert function in functions(module)
        return
    parts = name.split(".")
    try:
        found = importlib.import_module(f"lkicore.{name}")
    except ModuleNotFoundError:
        found = getattr(importlib.import_module(f"lkicore.{'.'.join(parts[:-1])}"), parts[-1])
    assert found is not None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_scenario_is_there(row: list[str]) -> None:
    for shown in row[3].split("; "):
        if shown.startswith("tests/"):
            assert (ROOT / shown).exists(), shown
            continue
        name, _, ids = shown.partition(": ")
        assert ids, shown
        assert set(ids.split(", ")) - scenario_ids(name) == set(), shown
