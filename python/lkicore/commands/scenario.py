"""`lkicore scenario`: situations with known right answers, as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from lkicore.cards import CardPool
from lkicore.commands import common
from lkicore.scenario import as_dict, read_scenarios, run, totals
from lkicore.scenario.runner import FAILED, PASSED, SKIPPED, Result

app = typer.Typer(help="Situations with known right answers, as data.")


@app.callback()
def _group() -> None:
    """Situations with known right answers, as data."""


@app.command("check")
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files: .jsonl, .json or .yaml.")],
    *,
    pool: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A card file with cards besides the built-in ones.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Choices without an answer, and answers left over, fail.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each scenario.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Print the log of each game.")] = False,
) -> None:
    """Run scenarios: each sets up a position, runs its script and compares what it expects.

    What needs a card or rule that is not supported is skipped, with the reason. Exit status: 1 if any failed, 2 for a
    bad file, else 0.
    """
    cards = CardPool.builtin()
    if pool is not None:
        cards = cards.with_cards(pool)
    # Everything is read first: a bad file stops the command before it prints anything.
    scenarios = [scenario for file in files for scenario in read_scenarios(file)]
    results = []
    for scenario in scenarios:
        result = run(scenario, cards, strict=strict, trace=trace)
        results.append(result)
        if trace:
            print("\n".join([f"=== {result.id}: {scenario.title}".rstrip(": "), *result.log, ""]))
        if as_json:
            print(json.dumps(as_dict(result), ensure_ascii=False))
        elif result.status != PASSED:
            print(common.one_line(line_of(result)))
    if not as_json:
        _summary(results)
    if totals(results)[FAILED]:
        raise typer.Exit(1)


def line_of(result: Result) -> str:
    """What came of a scenario, in one line."""
    if result.status == FAILED:
        return f"{result.id}: failed: {result.step}: expected {result.expected}, got {result.got}"
    if result.status == SKIPPED:
        return f"{result.id}: skipped: {result.reason}"
    return f"{result.id}: passed"


def _summary(results: list[Result]) -> None:
    defaulted = sum(len(result.defaulted) for result in results)
    left = sum(result.left for result in results if result.status == PASSED)
    if defaulted:
        print(f"choices defaulted: {defaulted}")
    if left:
        print(f"answers left over: {left}")
    found = totals(results)
    print(", ".join(f"{found[status]} {status}" for status in (PASSED, FAILED, SKIPPED)))
