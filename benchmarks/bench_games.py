"""Games in bulk on one thread, all rules on, LKI on, tracing off."""

from __future__ import annotations

import pytest
from benchcases import GAMES, GameCase, outcome

from lkicore import SimulationResult

ROUNDS = 5


@pytest.mark.parametrize("case", GAMES, ids=str)
def test_games(case: GameCase, benchmark, golden, table) -> None:
    results: list[SimulationResult] = []
    benchmark.pedantic(lambda: results.append(case.play(case.games)), rounds=ROUNDS, warmup_rounds=1)
    for result in results:
        golden.check(case.key(case.games), outcome(result))
        assert not result.stopped, f"games that did not end by the rules: {result.stopped}"
    timed = results[-ROUNDS:]
    table.add_games(case, timed)
    one = results[0]
    speeds = sorted(timed, key=lambda result: result.games_per_cpu_second)
    middle = speeds[len(speeds) // 2]
    benchmark.extra_info.update(
        decks=list(case.decks),
        agents=case.agents,
        seed=one.seed,
        games=one.games,
        games_per_cpu_second=middle.games_per_cpu_second,
        choices_per_cpu_second=middle.choices_per_cpu_second,
        best_games_per_cpu_second=speeds[-1].games_per_cpu_second,
        choices_per_game=one.total_choices / one.games,
        turns_per_game=one.total_turns / one.games,
        checksum=one.checksum,
        block_bytes=case.block_bytes(),
        grown=one.grown_games,
    )
