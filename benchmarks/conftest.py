"""The table at the end, and the golden checksums."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchcases import keys
from goldenvalues import Golden

if TYPE_CHECKING:
    from benchcases import GameCase, MicroCase

    from lkicore import SimulationResult


class Table:
    """Lines for people, in the order in which the benchmarks ran."""

    def __init__(self) -> None:
        self.games: list[tuple[str, ...]] = []
        self.micro: list[tuple[str, ...]] = []

    def add_games(self, case: GameCase, results: list[SimulationResult]) -> None:
        games, choices = (
            statistics.median(getattr(r, name) for r in results)
            for name in ("games_per_cpu_second", "choices_per_cpu_second")
        )
        one = results[0]
        per_game = (f"{one.total_choices / one.games:.1f}", f"{one.total_turns / one.games:.1f}")
        self.games.append((case.name, case.agents, f"{games:,.0f}", f"{choices:,.0f}", *per_game, one.checksum))

    def add_micro(self, case: MicroCase, ns: list[float], checksum: str) -> None:
        self.micro.append((case.name, f"{statistics.median(ns):,.2f}", f"{min(ns):,.2f}", checksum))


GAMES_HEAD = ("workload", "agents", "games/s", "choices/s", "choices/game", "turns/game", "checksum")
MICRO_HEAD = ("operation", "ns", "least", "checksum")
#: Columns of words; the others hold numbers.
WORDS = {"workload", "agents", "operation", "checksum"}

TABLE = pytest.StashKey[Table]()


def layout(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Lines of a table."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if title in WORDS else cell.rjust(width)
            for title, cell, width in zip(head, row, widths, strict=True)
        ).rstrip()
        for row in (head, *rows)
    ]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TABLE] = Table()
    # One table is enough; -v brings that of pytest-benchmark.
    config.option.benchmark_quiet = True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    table = config.stash[TABLE]
    for title, head, rows in (
        ("games, per CPU-second of one core (median of the rounds)", GAMES_HEAD, table.games),
        ("operations, CPU time of each (median of the rounds, and the least)", MICRO_HEAD, table.micro),
    ):
        if rows:
            terminalreporter.section(title)
            for line in layout(head, rows):
                terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def table(pytestconfig: pytest.Config) -> Table:
    return pytestconfig.stash[TABLE]


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Iterator[Golden]:
    values = Golden(Path(__file__).with_name("golden.json"))
    yield values
    values.save(keys(), pytestconfig)
