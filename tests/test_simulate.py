"""Runs on threads and in chunks: the same games, every one accounted for, whatever happens meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lkicore import _batch
from lkicore.cards import Deck, workloads
from lkicore.errors import ArgumentError
from lkicore.results import COLUMNS, SimulationResult
from lkicore.simulate import _next_size, prepare, simulate

DECKS = ["red", "green"]
GAMES = 200
#: A deck of 30,000 cards, which no block holds.
HUGE = Deck("huge", ((30_000, "Mountain"),))


def assert_same(one: SimulationResult, other: SimulationResult) -> None:
    for name in COLUMNS:
        if name != "grown":
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert one.checksum == other.checksum


@pytest.fixture(scope="module")
def whole() -> SimulationResult:
    """200 games played in one go."""
    return simulate(DECKS, GAMES, seed=7, chunk=GAMES)


# --- the same games ---


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("chunk", [1, 7, 64, 1000, None])
def test_threads_and_chunks_change_nothing(whole: SimulationResult, threads: int, chunk: int | None) -> None:
    result = simulate(DECKS, GAMES, seed=7, threads=threads, chunk=chunk)
    assert_same(result, whole)
    assert result.lki.records == whole.lki.records
    assert result.lki.answers == whole.lki.answers


def test_a_game_is_the_same_in_every_run(whole: SimulationResult) -> None:
    part = simulate(DECKS, 30, seed=7, first=120)
    assert part.game.tolist() == list(range(120, 150))
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[120:150], err_msg=name)


def test_seeds_make_other_games(whole: SimulationResult) -> None:
    assert simulate(DECKS, GAMES, seed=8).checksum != whole.checksum


def test_checksum_is_the_cores(whole: SimulationResult) -> None:
    setup = prepare(DECKS, 7, "greedy")
    counts = setup.play(0, setup.columns(GAMES))
    assert whole.checksum == f"{counts['checksum']:016x}"


def test_largest_seed_and_numbers() -> None:
    result = simulate(DECKS, 3, seed=2**64 - 1, first=2**63 - 1)
    assert result.game.tolist() == [2**63 - 1, 2**63, 2**63 + 1]
    assert result.seed == 2**64 - 1


# --- accounting ---


@pytest.mark.parametrize("agents", ["greedy", "random", ["greedy", "random"]])
@pytest.mark.parametrize("decks", [DECKS, *[[name, name] for name in workloads()]], ids="-".join)
def test_every_game_is_accounted_for(decks: list[str], agents: str | list[str]) -> None:
    result = simulate(decks, 60, seed=1, agents=agents, threads=2)
    assert result.games == 60
    assert sum(result.wins) + result.draws + sum(result.stopped.values()) == 60
    assert sum(result.reasons.values()) == 60
    assert set(result.starting.tolist()) == {0, 1}
    assert (result.turns > 0).all()
    assert (result.choices > 0).all()
    assert not result.interrupted
    assert result.cpu_seconds > 0


def test_result_names_what_was_played() -> None:
    result = simulate(DECKS, 2, agents=["greedy", "random"])
    assert [deck.name for deck in result.decks] == DECKS
    assert [deck.cards for deck in result.decks] == [60, 60]
    assert result.decks[0].hash != result.decks[1].hash
    assert result.agents == ("greedy", "random")
    assert simulate(DECKS, 1, agents="random").agents == ("random", "random")
    assert len(result.cards_hash) == 16
    assert simulate(["red", "red"], 1).decks[1].hash == result.decks[0].hash


def test_more_seats() -> None:
    result = simulate(["red", "green", "red"], 20, seed=3, agents=["greedy", "random", "greedy"])
    assert result.life.shape == (20, 3)
    assert sum(result.wins) + result.draws + sum(result.stopped.values()) == 20


# --- progress and interrupts ---


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A core that plays its first 40 games and then waits until the event is set, or half a minute."""
    real = _batch.run
    go_on = threading.Event()

    def run(table: Any, decks: Any, agents: Any, seed: int, first: int, n: int, **rest: Any) -> Any:
        if first >= 40:
            go_on.wait(30)
        return real(table, decks, agents, seed, first, n, **rest)

    monkeypatch.setattr(_batch, "run", run)
    yield go_on
    go_on.set()


def test_progress_counts_up(whole: SimulationResult) -> None:
    calls: list[tuple[int, int]] = []
    simulate(DECKS, GAMES, seed=7, progress=lambda done, games: calls.append((done, games)))
    assert calls[-1] == (GAMES, GAMES)
    assert calls == sorted(calls)


@pytest.mark.parametrize("threads", [1, 3])
def test_interrupt_keeps_what_was_played(whole: SimulationResult, slow: threading.Event, threads: int) -> None:
    def interrupt(done: int, games: int) -> None:
        if done >= 40:
            # The chunks under way now end while the run is waiting for them.
            threading.Timer(0.05, slow.set).start()
            raise KeyboardInterrupt

    result = simulate(DECKS, GAMES, seed=7, threads=threads, chunk=10, progress=interrupt)
    assert result.interrupted
    assert result.requested == GAMES
    assert 40 <= result.games <= 40 + 10 * threads
    played = result.game.astype(np.int64)
    assert (np.diff(played) > 0).all()
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(result, name), getattr(whole, name)[played], err_msg=name)
    assert sum(result.wins) + result.draws + sum(result.stopped.values()) == result.games


def test_finished_games_need_not_be_contiguous(whole: SimulationResult, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first chunk fails to end before the second, and is lost with the thread that plays it."""
    real = _batch.run
    second_done = threading.Event()

    def run(table: Any, decks: Any, agents: Any, seed: int, first: int, n: int, **rest: Any) -> Any:
        if first == 0 and n > 0:
            second_done.wait(30)
            raise KeyboardInterrupt
        counts = real(table, decks, agents, seed, first, n, **rest)
        if n > 0:
            second_done.set()
        return counts

    monkeypatch.setattr(_batch, "run", run)
    result = simulate(DECKS, 20, seed=7, threads=2, chunk=10)
    assert result.interrupted
    assert result.game.tolist() == list(range(10, 20))
    np.testing.assert_array_equal(result.choices, whole.choices[10:20])


def test_interrupt_before_the_first_game(monkeypatch: pytest.MonkeyPatch) -> None:
    real = _batch.run

    def run(table: Any, decks: Any, agents: Any, seed: int, first: int, n: int, **rest: Any) -> Any:
        if n > 0:
            raise KeyboardInterrupt
        return real(table, decks, agents, seed, first, n, **rest)

    monkeypatch.setattr(_batch, "run", run)
    with pytest.raises(KeyboardInterrupt):
        simulate(DECKS, 20)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_in_a_thread_is_not_lost(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    real = _batch.run

    def run(table: Any, decks: Any, agents: Any, seed: int, first: int, n: int, **rest: Any) -> Any:
        if first >= 50:
            raise RuntimeError("broken core")
        return real(table, decks, agents, seed, first, n, **rest)

    monkeypatch.setattr(_batch, "run", run)
    with pytest.raises(RuntimeError, match="broken core"):
        simulate(DECKS, GAMES, threads=threads, chunk=10)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("lkicore")]


def test_chunks_last_a_tenth_of_a_second() -> None:
    assert _next_size(100, 0.1, limit=10**6) == 100
    assert _next_size(100, 0.05, limit=10**6) == 200
    assert _next_size(100, 1e-9, limit=10**6) == 800
    assert _next_size(100, 0.0, limit=10**6) == 800
    assert _next_size(100, 50.0, limit=10**6) == 1
    assert _next_size(100, 0.01, limit=250) == 250


# --- arguments ---


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"games": 0}, "games must be at least 1, not 0"),
        ({"games": -5}, "games must be at least 1, not -5"),
        ({"games": 2.5}, r"games must be a whole number, not 2\.5"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"seed": 2**64}, f"seed must be at most {2**64 - 1}, not {2**64}"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"first": -1}, "first must be at least 0"),
        ({"chunk": 0}, "chunk must be at least 1"),
        ({"size_class": -2}, "size_class must be at least -1"),
        ({"ring": -1}, "ring must be at least 0"),
        ({"max_turns": 0}, "max_turns must be at least 1"),
        ({"payment": "fre"}, "unknown payment 'fre'; did you mean free"),
        ({"agents": "greddy"}, r"unknown agent 'greddy'; did you mean greedy\? \(agents: greedy, random\)"),
        ({"agents": ["greedy", "zzz"]}, r"unknown agent 'zzz' \(agents"),
        ({"agents": ["greedy"] * 3}, "one for each of the 2 decks, not 3"),
        ({"agents": []}, "one for each of the 2 decks, not 0"),
        ({"decks": ["red"]}, "a game needs 2 to 8 decks, not 1"),
        ({"decks": "red"}, "a game needs 2 to 8 decks, not 1"),
        ({"decks": ["red"] * 9}, "a game needs 2 to 8 decks, not 9"),
        ({"size_class": 99}, "size_class=99"),
        ({"ring": 7}, "ring=7"),
        ({"decks": [HUGE, HUGE]}, "more than the largest block holds"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = _batch.run

    def run(table: Any, decks: Any, agents: Any, seed: int, first: int, n: int, **rest: Any) -> Any:
        assert n == 0, "played"
        return real(table, decks, agents, seed, first, n, **rest)

    monkeypatch.setattr(_batch, "run", run)
    with pytest.raises(ArgumentError, match=said):
        simulate(**{"decks": DECKS, **arguments})
