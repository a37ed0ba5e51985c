"""Scenario files from outside the repository: every one is read, none fails for the runner's sake.

LKICORE_SHARED names a folder with `scenarios/*.jsonl`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lkicore.scenario import Result, read_scenarios, run
from scenario_play import pool

SHARED = os.environ.get("LKICORE_SHARED", "")
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
def test_every_scenario_has_an_outcome(path: Path) -> None:
    """Passed, failed or skipped, with a reason: never an exception."""
    for scenario in read_scenarios(path):
        result = run(scenario, pool())
        assert isinstance(result, Result)
        assert result.status != "failed" or (result.step and result.expected and result.got), result
        assert result.status != "skipped" or result.reason, result
