"""The same games as ever: checksums of every bundled deck and workload, and the streams of chance.

A change of rules, cards, decks or agents changes games. Then

    LKICORE_GOLDEN_UPDATE=1 python -m pytest tests/test_golden.py tests/test_bench_smoke.py benchmarks

rewrites tests/golden.json and benchmarks/golden.json. Any other change must leave them as they are.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lkicore import CardPool, Deck, SimulationResult, bundled_decks, simulate, workloads
from lkicore._bench import stream_words
from lkicore.game import Game

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
Golden = importlib.import_module("goldenvalues").Golden

SEED = 2026
GAMES = 100
AGENTS = ("random", "greedy")

#: Every deck against itself and against the next one.
MATCHES = [
    *((name, name) for name in (*bundled_decks(), *workloads())),
    *sorted(tuple(sorted(pair)) for pair in itertools.pairwise([*bundled_decks(), bundled_decks()[0]])),
]
RUNS = [(*match, *agents) for match in MATCHES for agents in itertools.product(AGENTS, repeat=2)]
KEYS = {" ".join(run) for run in RUNS}
#: Ways to run that no result may depend on.
WAYS = {
    "2 threads": {"threads": 2},
    "2 threads, chunks of 7": {"threads": 2, "chunk": 7},
    "chunks of 1": {"chunk": 1},
    "one chunk": {"chunk": GAMES},
    "twice the block": {"size_class": 1},
    "ring of 8": {"ring": 8},
}


@pytest.fixture(scope="module")
def golden(pytestconfig: pytest.Config) -> Iterator[Golden]:
    values = Golden(Path(__file__).with_name("golden.json"))
    yield values
    values.save(KEYS, pytestconfig)


def play(run: tuple[str, ...], **how: int) -> SimulationResult:
    return simulate(run[:2], GAMES, seed=SEED, agents=run[2:], **how)


def outcome(result: SimulationResult) -> dict[str, object]:
    return {
        "checksum": result.checksum,
        "wins": result.wins,
        "draws": result.draws,
        "turns": result.total_turns,
        "choices": result.total_choices,
    }


def sanitized(run: tuple[str, ...]) -> bool:
    """Every deck and agent once: the sanitizers take their time."""
    return run[0] == run[1] and run[2] == run[3]


@pytest.mark.parametrize(
    "run", [pytest.param(run, marks=pytest.mark.sanitize if sanitized(run) else (), id=" ".join(run)) for run in RUNS]
)
def test_games_are_the_same_as_ever(run: tuple[str, ...], golden: Golden) -> None:
    result = play(run)
    assert result.games == GAMES
    assert not result.stopped, f"games that did not end by the rules: {result.stopped}"
    assert sum(result.wins) + result.draws == GAMES
    golden.check(" ".join(run), outcome(result))


@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_no_way_to_run_changes_a_game(run: tuple[str, ...]) -> None:
    pool = CardPool.builtin()
    least = Game([Deck.load(name) for name in run[:2]], pool=pool).size_class
    whole = play(run)
    for name, how in WAYS.items():
        if "size_class" in how:
            how = {"size_class": least + how["size_class"]}
        other = play(run, **how)
        assert outcome(other) == outcome(whole), name
        assert (other.game_checksum == whole.game_checksum).all(), name
        assert other.lki.records == whole.lki.records, name


def test_every_golden_value_belongs_to_a_run(golden: Golden) -> None:
    if not golden.update:
        assert set(golden.values) == KEYS


def test_seeds_and_first_games(golden: Golden) -> None:
    """Another seed gives other games; the second half of a run is the run of the second half."""
    run = RUNS[0]
    whole = play(run)
    half = simulate(run[:2], GAMES // 2, seed=SEED, agents=run[2:], first=GAMES // 2)
    assert (half.game_checksum == whole.game_checksum[GAMES // 2 :]).all()
    other = simulate(run[:2], GAMES, seed=SEED + 1, agents=run[2:])
    assert not (set(other.game_checksum.tolist()) & set(whole.game_checksum.tolist()))


# --- streams of chance, from their published definitions ---

MASK = 2**64 - 1


def mix64(z: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def rotl(x: int, k: int) -> int:
    return (x << k | x >> (64 - k)) & MASK


def xoroshiro128pp(s0: int, s1: int) -> Iterator[int]:
    """xoroshiro128++ 1.0 (Blackman, Vigna 2019)."""
    while True:
        yield (rotl((s0 + s1) & MASK, 17) + s0) & MASK
        s1 ^= s0
        s0, s1 = rotl(s0, 49) ^ s1 ^ (s1 << 21 & MASK), rotl(s1, 28)


def expected_words(seed: int, game: int, purpose: int, player: int, n: int) -> list[int]:
    """How a stream begins is lkicore's own: its name is hashed, and the state drawn from SplitMix64."""
    h = mix64((seed + 0x9E3779B97F4A7C15) & MASK)
    h = mix64(h ^ (game + 0xD1B54A32D192ED03) & MASK)
    h = mix64(h ^ ((purpose << 32) + player + 0x8CB92BA72F3D8DD7) & MASK)
    gamma = 0x9E3779B97F4A7C15
    state = (mix64((h + k * gamma) & MASK) for k in (1, 2))
    return list(itertools.islice(xoroshiro128pp(*state), n))


#: (seed, game, purpose, player): the first words.
STREAMS = {
    (0, 0, 0, 0): [
        0x1442D4AE714FFFD2,
        0xC2CBD8AA87D4FC0B,
        0x1B9C0DA651A4ED93,
        0x4DCB79A0115A2D68,
        0x3EEDF0EE3078EDA9,
        0xEFB564BF8A95018C,
        0x888915269892EC48,
        0x727A361AB3B9C647,
    ],
    (2026, 12345, 1, 1): [
        0x4A7B7FCD78EA856A,
        0x3770A3934ACABBB6,
        0xC2B3CE6A88ABC342,
        0xB45D8D47478EA22F,
        0x18B7FABAD914CD17,
        0x1BF6C05825136FEB,
        0x1098921C1B083063,
        0x4F0A25A45197C631,
    ],
    (18446744073709551615, 9223372036854775808, 2, 7): [
        0x6EC2087633065550,
        0xEE81C4363DD1827B,
        0xD8EF70E14052346A,
        0xA0C89D2650910BC4,
        0x923A36CC4E8E513F,
        0xC985CD8EEFDF6A21,
        0x79BB34EDFBEA9C22,
        0xD132AF2D3AFFD3A1,
    ],
}


def test_the_generators_of_this_test_are_the_published_ones() -> None:
    """First outputs of the reference implementations: xoroshiro128++ from the state (1, 2), SplitMix64 from 0."""
    assert list(itertools.islice(xoroshiro128pp(1, 2), 4)) == [
        393217, 669327710093319, 1732421326133921491, 11394790081659126983,
    ]  # fmt: skip
    assert [mix64(k * 0x9E3779B97F4A7C15 & MASK) for k in (1, 2, 3)] == [
        16294208416658607535, 7960286522194355700, 487617019471545679,
    ]  # fmt: skip


@pytest.mark.sanitize
@pytest.mark.parametrize("name", STREAMS, ids=str)
def test_streams_of_chance(name: tuple[int, int, int, int]) -> None:
    words = stream_words(*name, 8)
    assert words == expected_words(*name, 8)
    assert words == STREAMS[name]


def test_streams_differ_in_each_part_of_their_name() -> None:
    names = itertools.product((0, 1, 2**64 - 1), (0, 1, 2**63), (0, 1, 2), (0, 1, 7))
    first = [tuple(stream_words(*name, 2)) for name in names]
    assert len(set(first)) == len(first)


def test_no_stream_of_another_purpose_or_player() -> None:
    for purpose, player in ((3, 0), (-1, 0), (0, 8), (0, -1)):
        with pytest.raises(ValueError, match="no stream for"):
            stream_words(0, 0, purpose, player, 1)
