"""Scenario files from outside the repository: every one is read, and none fails.

LKICORE_SHARED names a folder with `scenarios/*.jsonl`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lkicore.scenario import read_scenarios, run
from scenario_play import pool

SHARED = os.environ.get("LKICORE_SHARED", "")
#: The most scenarios of each file that may be skipped, for cards and mechanisms that are not there yet. Only ever less.
SKIPPED = {"lki": 0, "xmage": 1330}
#: Scripts that attack what can't be attacked, to see that nothing comes of it (CR 310.8b): the attack is refused.
REFUSED = {"xmage:cards/battle/BattleDuelTest#testCantAttackBattleYouProtect"}
#: What the files' invented cards are in the effect language.
INVENTED = Path(__file__).parent / "invented_cards.yaml"
needs_files = pytest.mark.skipif(not SHARED, reason="LKICORE_SHARED names no folder with scenarios/*.jsonl")


def files() -> list[Path]:
    return sorted((Path(SHARED) / "scenarios").glob("*.jsonl")) if SHARED else []


@needs_files
@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_every_scenario_is_read(path: Path) -> None:
    scenarios = read_scenarios(path)
    assert scenarios
    assert len({scenario.id for scenario in scenarios}) == len(scenarios)


@needs_files
@pytest.mark.slow
@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_no_scenario_fails(path: Path) -> None:
    """Passed, or skipped with a reason, and no more of these than there were."""
    cards = pool().with_cards(INVENTED)
    results = [run(scenario, cards) for scenario in read_scenarios(path)]
    failed = [result for result in results if result.status not in ("passed", "skipped")]
    assert [result for result in failed if result.id not in REFUSED] == []
    assert all("attacks" in result.expected for result in failed)
    skipped = [result for result in results if result.status == "skipped"]
    assert all(result.reason for result in skipped)
    assert len(skipped) <= SKIPPED.get(path.stem, 0), skipped
