"""Scenarios: small deterministic situations with known right answers, as data.

`check` runs them, `read_scenarios` reads a file of them, and :meth:`lkicore.Game.from_scenario` sets a game up in a
scenario's position, to play on from it.
"""

from __future__ import annotations

from .errors import ScenarioError
from .form import read_scenario, read_scenarios
from .model import Scenario
from .runner import Result, as_dict, check, run, totals

__all__ = [
    "Result",
    "Scenario",
    "ScenarioError",
    "as_dict",
    "check",
    "read_scenario",
    "read_scenarios",
    "run",
    "totals",
]
