"""Running scenarios: from a scenario to what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lkicore.cards import CardPool
from lkicore.game import Game
from lkicore.opcodes import EngineOption, Step, TraceKind
from lkicore.tracelog import TraceLog

from .cards import pool_for
from .choices import settle
from .errors import StepError, UnsupportedError
from .facts import check_facts
from .form import read_scenario, read_scenarios
from .model import Scenario
from .position import build
from .script import run_step
from .table import Record, Table

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a scenario.

    Attributes:
        id: of the scenario.
        status: `passed`, `failed` or `skipped`.
        step: where it failed: `step 3 (cast)`, `expect` or `end`; "" otherwise.
        expected: what the scenario says there.
        got: what there was instead.
        reason: why it was skipped: the card and sentence, or the word that the engine has not got.
        defaulted: real choices that no answer was given for, in words.
        left: answers that nobody asked for.
        log: the game's log, with `trace`.
    """

    id: str
    status: str
    step: str = ""
    expected: str = ""
    got: str = ""
    reason: str = ""
    defaulted: tuple[str, ...] = ()
    left: int = 0
    log: tuple[str, ...] = ()


def check(
    source: str | Path | Mapping[str, Any] | Scenario | Iterable[Scenario],
    *,
    pool: CardPool | None = None,
    strict: bool = False,
    trace: bool = False,
) -> list[Result]:
    """Run scenarios and say what came of each.

    Parameters
    ----------
    source : path, dict, Scenario or scenarios
        A scenario file, a scenario as data, or scenarios as `read_scenarios` gives them.
    pool : CardPool, optional
        The cards; a scenario's own definitions count only for names that it has not. The built-in pool by default.
    strict : bool
        Choices taken by default, and answers left over, fail a scenario.
    trace : bool
        Keep the log of each game.

    Raises
    ------
    ScenarioError
        A file or scenario is faulty.
    """
    if isinstance(source, Mapping):
        source = read_scenario(source)
    elif isinstance(source, str | Path):
        source = read_scenarios(source)
    scenarios = [source] if isinstance(source, Scenario) else list(source)
    base = CardPool.builtin() if pool is None else pool
    return [run(scenario, base, strict=strict, trace=trace) for scenario in scenarios]


def run(scenario: Scenario, pool: CardPool, *, strict: bool = False, trace: bool = False) -> Result:
    """Run one scenario with the cards of `pool`. `ScenarioError` if its position or a card of it is none."""
    return _Run(scenario, pool, strict, trace).result()


class _Run:
    def __init__(self, scenario: Scenario, pool: CardPool, strict: bool, trace: bool) -> None:
        self.scenario, self.base, self.strict, self.trace = scenario, pool, strict, trace
        self.table: Table | None = None
        self.log: TraceLog | None = None
        self.place = "start"

    def result(self) -> Result:
        step = expected = got = reason = ""
        status = PASSED
        try:
            self._play()
        except UnsupportedError as error:
            status, reason = SKIPPED, str(error)
        except StepError as error:
            status, step, expected, got = FAILED, self.place, error.expected, error.got
        table = self.table
        if self.log is not None:
            self.log.close()
        return Result(
            id=self.scenario.id,
            status=status,
            step=step,
            expected=expected,
            got=got,
            reason=reason,
            defaulted=tuple(table.defaulted) if table else (),
            left=sum(map(len, table.queues)) if table else 0,
            log=tuple(line.replace("  (life", " (life") for line in self.log.lines) if self.log else (),
        )

    def _play(self) -> None:
        scenario = self.scenario
        pool = pool_for(scenario, self.base)
        options = EngineOption.PAY_FREE if scenario.free else EngineOption(0)
        game, labels = build(scenario, pool, options=options, trace=True)
        if self.trace:
            self.log = trace_log(game, pool, scenario)
        self.table = table = Table(game, pool, labels, watch=self._watch if self.trace else None)
        for number, action in enumerate(scenario.script, start=1):
            self.place = f"step {number} ({action.verb})"
            run_step(table, action)
        self.place = "end"
        settle(table)
        table.check_running()
        if scenario.expect is not None:
            self.place = "expect"
            check_facts(table, scenario.expect)
        self.place = "end"
        if self.strict:
            if table.defaulted:
                raise StepError("an answer to every choice", f"choices defaulted: {'; '.join(table.defaulted)}")
            left = [f"p{p} {a!r}" for p, queue in enumerate(table.queues) for a in queue]
            if left:
                raise StepError("every answer is asked for", f"left over: {', '.join(left)}")

    def _watch(self, records: Sequence[Record]) -> None:
        assert self.log is not None
        self.log.feed(records)


def trace_log(game: Game, pool: CardPool, scenario: Scenario) -> TraceLog:
    """A log for a game that begins in the midst of a turn."""
    log = TraceLog(pool.table.names, ["" for _ in range(scenario.players)])
    turn, active, step = scenario.start
    log.life = [scenario.life.get(player, 20) for player in range(scenario.players)]
    life = ", ".join(f"p{seat} {n}" for seat, n in enumerate(log.life))
    log.lines.append(f"Turn {turn}: p{active} (life {life})")
    if step is Step.MAIN1:
        log.feed([(int(TraceKind.STEP), int(step), 0, 0, 0, 0, game.tick)])
    return log


def totals(results: Iterable[Result]) -> dict[str, int]:
    """How many passed, failed and were skipped."""
    found = {PASSED: 0, FAILED: 0, SKIPPED: 0}
    for result in results:
        found[result.status] += 1
    return found


def as_dict(result: Result) -> dict[str, Any]:
    """A result as a JSON object."""
    return {
        "id": result.id,
        "status": result.status,
        "step": result.step or None,
        "expected": result.expected or None,
        "got": result.got or None,
        "reason": result.reason or None,
        "defaulted": len(result.defaulted),
        "left": result.left,
    }
