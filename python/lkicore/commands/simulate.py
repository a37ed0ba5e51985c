"""`lkicore simulate`: many games between decks, and how often each won."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from lkicore import resultfiles
from lkicore.arguments import DEFAULT_AGENT
from lkicore.commands import common
from lkicore.report import print_report
from lkicore.simulate import Progress as ProgressCallback
from lkicore.simulate import simulate as play


def usable_cpus() -> int:
    """CPUs that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def simulate(
    decks: common.Decks = None,
    *,
    games: Annotated[int, typer.Option(metavar="N", help="Games to play.")] = 1000,
    seed: common.Seed = 0,
    agents: common.Agents = DEFAULT_AGENT,
    threads: Annotated[
        int | None,
        typer.Option(metavar="T", help="Threads; changes no result. Default: one for each CPU.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a row for each game to FILE.csv or FILE.parquet.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of the table.")] = False,
) -> None:
    """Play many games between decks and print how often each deck won.

    Ctrl-C ends the run early: what was played by then is printed (and written), and the exit status is 130.
    """
    write = resultfiles.writer_for(out) if out is not None else None
    try:
        with progress_bar() as progress:
            result = play(
                common.chosen(decks),
                games=games,
                seed=seed,
                agents=common.split(agents),
                threads=usable_cpus() if threads is None else threads,
                progress=progress,
            )
    except KeyboardInterrupt:
        common.fail("interrupted before a game was finished", common.INTERRUPTED)
    if write is not None:
        write(result)
    if as_json:
        print(json.dumps(result.to_json()))
    else:
        print_report(result, sys.stdout)
        if out is not None:
            print(f"written    {out}")
    if result.interrupted:
        raise typer.Exit(common.INTERRUPTED)


class _RateColumn(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f} games/s")


@contextlib.contextmanager
def progress_bar() -> Iterator[ProgressCallback | None]:
    """A progress bar with rate and time left on stderr while it is a terminal; nothing otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        _RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=None)
        yield lambda finished, games: bar.update(task, completed=finished, total=games)
