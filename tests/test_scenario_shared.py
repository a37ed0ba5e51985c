"""Scenario files from outside the repository: every one is read, and none fails.

LKICORE_SHARED names a folder with `scenarios/*.jsonl`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lkicore.scenario import read_scenario, read_scenarios, run
from scenario_play import pool

SHARED = os.environ.get("LKICORE_SHARED", "")
#: The most scenarios of each file that may be skipped, for cards and mechanisms that are not there yet. Only ever less.
SKIPPED = {"lki": 0, "xmage": 1180}
#: Scripts whose last deed is an attack that can't be declared, to see that nothing comes of it; here a step that is
#: illegal fails. The Siege was cast by p0, so its protector is an opponent, p1 (CR 310.11a); a battle can be attacked
#: by those for whom its protector is a defending player (310.8b, 508.1b), which p1 is not in its own combat (506.2). So
#: p1's creature can attack p0 and nothing else: tests/scenarios/battles.yaml, BAT-04.
REFUSED = {"xmage:cards/battle/BattleDuelTest#testCantAttackBattleYouProtect"}
#: Scripts whose answers don't fit what they expect: one leaves a "may" of another player's ability to default, which
#: declines it, and expects it done; one gives its "no" after the choice that it was for.
MISANSWERED = {
    "xmage:cards/triggers/dies/FecundityTest#testOpponentDrawsACard",
    "xmage:cards/triggers/dies/ElendaTheDuskRoseTest#testKillAndReanimate",
}
#: Scripts that play a land that is a commander from the command zone. A commander can be cast from there (CR 903.8),
#: and a land is not cast (305.1, 305.9).
NOT_CAST = {"xmage:cards/continuous/CommandersCastTest#test_PlayAsLandOneTime"}
#: What the files' invented cards are in the effect language.
INVENTED = Path(__file__).parent / "scenarios" / "invented.yaml"
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
    assert [result for result in failed if result.id not in REFUSED | MISANSWERED | NOT_CAST] == []
    assert all("attacks" in result.expected for result in failed if result.id in REFUSED)
    skipped = [result for result in results if result.status == "skipped"]
    assert all(result.reason for result in skipped)
    assert len(skipped) <= SKIPPED.get(path.stem, 0), skipped


@needs_files
def test_the_rest_of_what_is_refused_holds() -> None:
    """With the attack as a step that must be illegal, everything that the script expects comes true."""
    cards = pool().with_cards(INVENTED)
    found = set()
    for path in files():
        for line in path.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            if data["id"] in REFUSED:
                found.add(data["id"])
                data["script"] = [{"illegal": step} if "attack" in step else step for step in data["script"]]
                assert run(read_scenario(data), cards).status == "passed"
    assert found == REFUSED


@needs_files
def test_the_rest_of_what_is_answered_wrongly_holds() -> None:
    """With each answer where its choice is, everything that the scripts expect comes true."""
    answers = ({"p0": ["yes"]}, {"p0": ["no"]})
    cards = pool().with_cards(INVENTED)
    found = set()
    for path in files():
        for line in path.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            if data["id"] in MISANSWERED:
                found.add(data["id"])
                first = answers["Elenda" in data["id"]]
                script = [step for step in data["script"] if "answer" not in step]
                last = [{"answer": {"p0": ["yes"]}}] if "Elenda" in data["id"] else []
                data["script"] = [{"answer": first}, *script[:-1], *last, script[-1]]
                assert run(read_scenario(data), cards).status == "passed"
    assert found == MISANSWERED
