"""The rules, proven by scenarios: each is a position, a script and the facts that must hold (`lkicore.scenario`).

A choice that a scenario leaves open, or an answer that nobody asks for, fails it: these scenarios say what they mean.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from lkicore.cards import CardPool
from lkicore.scenario import Scenario, read_scenarios, run

FOLDER = Path(__file__).parent / "scenarios"
#: `invented.yaml` holds cards.
FILES = sorted(path for path in FOLDER.rglob("*.yaml") if path.name != "invented.yaml")
SCENARIOS = [(path, scenario) for path in FILES for scenario in read_scenarios(path)]


def _shared() -> list[Scenario]:
    """Scenarios of the shared folder that the project began with; none where there is no such folder."""
    name = os.environ.get("LKICORE_SHARED")
    path = Path(name, "scenarios", "lki.jsonl") if name else None
    if path is None or not path.is_file():
        return []
    return [scenario for scenario in read_scenarios(path) if "seed" in scenario.tags]


SEEDS = _shared()


@pytest.fixture(scope="module")
def pool() -> CardPool:
    return CardPool.builtin()


@pytest.mark.parametrize("scenario", [pytest.param(s, id=s.id) for _, s in SCENARIOS])
def test_scenario(scenario: Scenario, pool: CardPool) -> None:
    result = run(scenario, pool, strict=True)
    assert result.status == "passed", f"{result.step}: expected {result.expected}, got {result.got} {result.reason}"


@pytest.mark.parametrize("scenario", [pytest.param(s, id=s.id) for s in SEEDS])
def test_seed_scenario(scenario: Scenario, pool: CardPool) -> None:
    result = run(scenario, pool)
    assert result.status == "passed", f"{result.step}: expected {result.expected}, got {result.got} {result.reason}"


def test_shared_folder_has_seeds(shared_dir: Path) -> None:
    assert SEEDS, f"no scenario tagged seed in {shared_dir / 'scenarios' / 'lki.jsonl'}"


def test_every_id_stands_once() -> None:
    ids = Counter(scenario.id for _, scenario in SCENARIOS)
    assert [name for name, n in ids.items() if n > 1] == []


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_scenarios_name_their_rules(path: Path) -> None:
    for scenario in (s for p, s in SCENARIOS if p == path):
        assert scenario.title, f"{scenario.id} has no title"
        assert scenario.rule, f"{scenario.id} cites no rule"
        assert scenario.source.data.get("why"), f"{scenario.id} does not say why"
