"""A run of games as a table, for terminals and for plain text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lkicore.results import SimulationResult
from lkicore.stats import CONFIDENCE, WinRate

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Columns that a table may take where there is no terminal whose width would bound it.
PLAIN_WIDTH = 1000


def console(file: TextIO) -> Console:
    """A console that takes text as it is (no markup, no highlighting) and is wide enough when it is no terminal."""
    width = None if file.isatty() else PLAIN_WIDTH
    return Console(file=file, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def percent(rate: WinRate) -> str:
    """`53.1% (52.1-54.1)`, or a dash without games; a narrow table may break it at the blank alone."""
    if math.isnan(rate.rate):
        return "-"
    return f"{100 * rate.rate:.1f}% ({100 * rate.low:.1f}-{100 * rate.high:.1f})"


def win_table(result: SimulationResult) -> Table:
    """A row for each seat: deck, agent, wins, and win rates with their intervals."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("seat")
    for header in ("deck", "agent"):
        table.add_column(header, overflow="fold", min_width=6)
    table.add_column("wins", justify="right", no_wrap=True)
    for header in (f"win rate ({100 * CONFIDENCE:.0f}%)", "on the play", "on the draw"):
        table.add_column(header, justify="right", min_width=11)
    for seat in range(result.seats):
        table.add_row(
            f"p{seat}",
            Text(result.decks[seat].name),
            result.agents[seat],
            f"{result.wins[seat]:,}",
            percent(result.win_rate(seat)),
            percent(result.win_rate(seat, on_play=True)),
            percent(result.win_rate(seat, on_play=False)),
        )
    return table


def counts(numbers: Mapping[str, int]) -> str:
    """`empty library 12, life 988`, the most frequent first; `none` without any."""
    ordered = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name.replace('_', ' ')} {number:,}" for name, number in ordered) or "none"


def summary(result: SimulationResult) -> list[str]:
    """The lines around the table: what was played, how it ended, how long it took."""
    games = result.games
    ended = {name: number for name, number in result.reasons.items() if name not in result.stopped}
    lines = [
        f"ended by   {counts(ended)}",
        f"draws      {result.draws:,}",
        f"stopped    {counts(result.stopped)}",
    ]
    lines += [
        f"           game {game} ({cause.replace('_', ' ')}): replay it with --seed {result.seed} --game {game}"
        for game, cause in result.stopped_games(3)
    ]
    cpu = f"{result.games_per_cpu_second:,.0f} games and {result.choices_per_cpu_second:,.0f} choices per CPU-second"
    threads = _number(result.threads, "thread")
    lines += [
        f"a game     {result.total_turns / games:.1f} turns, {result.total_choices / games:.1f} choices",
        f"blocks     {result.grown_games:,} games outgrew theirs",
        f"LKI        {result.lki.records:,} records, {result.lki.answers:,} answers",
        f"time       {result.seconds:.2f} s on {threads}, {result.cpu_seconds:.2f} s of CPU: {cpu}",
        f"checksum   {result.checksum}",
    ]
    return lines


def _number(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def print_report(result: SimulationResult, file: TextIO) -> None:
    """Print the run's table and summary to `file`; as wide as a terminal, else up to `PLAIN_WIDTH` columns."""
    out = console(file)
    head = _number(result.games, "game")
    if result.interrupted:
        head = f"interrupted: {result.games:,} of {_number(result.requested, 'game')}"
    if result.first:
        head += f" from number {result.first:,} on"
    out.print(Text(f"{head}, seed {result.seed}"))
    out.print()
    out.print(win_table(result))
    out.print()
    for line in summary(result):
        out.print(Text(line), soft_wrap=True)
