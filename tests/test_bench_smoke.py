"""The benchmarks, run once and tiny: they give their checksums, and read what the rest of the core reads."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lkicore import CardPool, Deck
from lkicore._api import GameCore
from lkicore._bench import ClonePool, Scene
from lkicore.opcodes import Agent

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
cases = importlib.import_module("benchcases")
Golden = importlib.import_module("goldenvalues").Golden

MASK = 2**64 - 1


@pytest.fixture(scope="module")
def golden(pytestconfig: pytest.Config) -> Iterator[Golden]:
    values = Golden(BENCHMARKS / "golden.json")
    yield values
    values.save(cases.keys(), pytestconfig)


@pytest.fixture(scope="module")
def faces() -> list[list[int]]:
    return [Deck.load(name).faces(CardPool.builtin()) for name in ("red", "green")]


@pytest.mark.parametrize("case", cases.GAMES, ids=str)
def test_games_give_their_checksum(case, golden: Golden) -> None:
    result = case.play(cases.TINY_GAMES)
    assert not result.stopped
    golden.check(case.key(cases.TINY_GAMES), cases.outcome(result))


@pytest.mark.sanitize
@pytest.mark.parametrize("case", cases.MICRO, ids=str)
def test_operations_give_their_checksum(case, golden: Golden) -> None:
    loop = case.make()
    first = loop.run(case.tiny)
    assert loop.run(case.tiny) == first
    golden.check(case.key(case.tiny), f"{loop.checksum(first):016x}")


def test_every_golden_value_belongs_to_a_case(golden: Golden) -> None:
    if not golden.update:
        assert set(golden.values) == cases.keys()


# --- against the rest of the core ---


def game_like(scene_number: int, choices: int, faces: list[list[int]]) -> GameCore:
    """The same game, stepped from Python."""
    game = GameCore(CardPool.builtin().table, faces, seed=cases.SEED, game=scene_number, watch=0)
    while game.choices < choices:
        game.step_agent(int(Agent.RANDOM))
    return game


@pytest.fixture(scope="module")
def number(faces: list[list[int]]) -> int:
    """Number of a game that lasts long enough for a scene."""
    for k in range(1000):
        try:
            make(k, faces)
        except ValueError:
            continue
        return k
    pytest.fail("no game lasts long enough for a scene")


def make(k: int, faces: list[list[int]], choices: int = cases.CHOICES) -> Scene:
    table = CardPool.builtin().table
    return Scene(table, faces, agent=int(Agent.RANDOM), seed=cases.SEED, game=k, choices=choices)


def test_a_scene_is_the_game_that_python_plays(number: int, faces: list[list[int]]) -> None:
    scene, game = make(number, faces), game_like(number, cases.CHOICES, faces)
    assert scene.check() is None
    assert scene.state_hash() == game.state_hash()
    assert scene.bytes == game.bytes
    assert scene.turn == game.turn
    assert sorted(scene.lki_ids()) == sorted(record["id"] for record in game.lki_records())


def test_look_ups_find_what_python_finds(number: int, faces: list[list[int]]) -> None:
    scene, game = make(number, faces), game_like(number, cases.CHOICES, faces)
    asked = scene.questions()

    def folded(record: dict | None) -> int:
        return 1 if record is None else record["id"] + (record["power"] % 2**16 << 32) + (record["zone"] << 48)

    hits = [game.lki_record(k) for k in asked["hit"]]
    misses = [game.lki_record(k) for k in asked["miss"]]
    at = [game.lki_record_at(*question) for question in asked["at"]]
    assert None not in hits
    assert set(map(type, misses)) == {type(None)}
    assert None not in at
    assert len({record["id"] for record in hits}) == len(scene.lki_ids())
    for kind, found in (("hit", hits), ("miss", misses), ("at", at)):
        assert scene.look_ups(kind, len(found)) == sum(map(folded, found)) & MASK, kind
        assert scene.look_ups(kind, 3 * len(found)) == 3 * sum(map(folded, found)) & MASK, kind


def test_clones_have_the_hash_of_their_game(number: int, faces: list[list[int]]) -> None:
    scene = make(number, faces)
    before = scene.state_hash()
    assert scene.clones(7) == 7 * before & MASK
    other = make(number, faces, cases.CHOICES - 10)
    pool = ClonePool([scene, other], 12)
    assert pool.clones(2) == 12
    hashes = pool.state_hashes()
    assert sorted(clone for clone, _ in hashes) == sorted([before, other.state_hash()] * 3)
    assert all(clone == game for clone, game in hashes)
    assert scene.state_hash() == before
    assert ClonePool([scene], 2).state_hashes() != hashes[:1]


def test_zone_changes_leave_a_sound_game(number: int, faces: list[list[int]]) -> None:
    scene = make(number, faces)
    scene.prepare("card")
    scene.moves(1000)
    assert scene.check() is None


def test_kinds_of_departures_differ(number: int, faces: list[list[int]]) -> None:
    sums = set()
    for kind in ("card", "plain", "rich"):
        scene = make(number, faces)
        scene.prepare(kind)
        sums.add(scene.records(100))
    assert len(sums) == 3


# --- what can't be ---


def test_bad_arguments(number: int, faces: list[list[int]]) -> None:
    scene = make(number, faces)
    table = CardPool.builtin().table
    for call, match in (
        (lambda: make(number, faces, 10**6), "is over"),
        (lambda: Scene(table, faces[:1], choices=0), "1 decks; 2 to 8"),
        (lambda: Scene(table, faces, agent=99, choices=0), "no agent 99"),
        (lambda: Scene(table, [[10**6], [0]], choices=0), "no face 1000000"),
        (lambda: scene.records(1), "nothing was prepared"),
        (lambda: scene.moves(1), "nothing was prepared"),
        (lambda: scene.look_ups("hit", 1), "nothing was prepared"),
        (lambda: scene.prepare("odd"), "kind 'odd'"),
        (lambda: scene.look_ups("odd", 1), "kind 'odd'"),
        (lambda: ClonePool([scene], 3), "no pool of 3 blocks"),
        (lambda: ClonePool([], 2), "no pool of 2 blocks"),
    ):
        with pytest.raises(ValueError, match=match):
            call()


@pytest.mark.slow
def test_benchmarks_are_found_and_end_with_a_table(repo_dir: Path) -> None:
    """One benchmark, as `make bench` runs it."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "benchmarks", "--benchmark-only", "-k", "found", "-p", "no:cacheprovider"],
        cwd=repo_dir,
        env={k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "LKICORE_GOLDEN"))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("operation "))
    assert lines[head].split() == ["operation", "ns", "least", "checksum"]
    assert lines[head + 1].startswith("LKI look-up by id, found ")
