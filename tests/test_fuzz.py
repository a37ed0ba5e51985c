"""The fuzz battery: random games looked at from all sides at every choice (see `lkicore._fuzz`)."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fuzz_cards
from lkicore import _batch, _check, _fuzz
from lkicore.opcodes import Agent, EngineOption

SANITIZED = "LKICORE_SANITIZED" in os.environ
REGRESSIONS = sorted((Path(__file__).parent / "regressions").glob("*.json"))

#: Uniform over all options, mulligans too; only the battery has it.
ANY = len(Agent)
RANDOM, GREEDY = int(Agent.RANDOM), int(Agent.GREEDY)
DEFAULT = int(EngineOption.AUTO_PASS | EngineOption.COLLAPSE)
MANUAL, FREE = int(EngineOption.PAY_MANUAL), int(EngineOption.PAY_FREE)
ALL_EVENTS = 0xFFFF

#: Name, decks of the seats, share of the games, further arguments.
WORK: list[tuple[str, str, float, dict[str, Any]]] = [
    ("red-green", "red/green", 0.15, {}),
    ("random", "red/green", 0.05, {"agents": [RANDOM, RANDOM]}),
    ("greedy", "red/green", 0.05, {"agents": [GREEDY, GREEDY]}),
    ("greedy-random", "green/red", 0.05, {"agents": [GREEDY, ANY]}),
    ("red-mirror", "red/red", 0.04, {"agents": [GREEDY, RANDOM]}),
    ("green-mirror", "green/green", 0.04, {"agents": [RANDOM, GREEDY]}),
    ("bolts", "bolt-mirror/bolt-mirror", 0.05, {}),
    ("bolts-greedy", "bolt-mirror/bolt-mirror", 0.03, {"agents": [GREEDY, GREEDY]}),
    ("ogres", "ogre-mirror/ogre-mirror", 0.05, {"agents": [ANY, GREEDY]}),
    ("vanilla", "vanilla/vanilla", 0.05, {"agents": [RANDOM, GREEDY]}),
    ("every-pass", "red/green", 0.02, {"options": 0}),
    ("no-collapse", "green/red", 0.03, {"options": int(EngineOption.AUTO_PASS)}),
    ("manual", "red/green", 0.03, {"options": DEFAULT | MANUAL}),
    ("manual-every-pass", "vanilla/green", 0.01, {"options": MANUAL, "max_turns": 25}),
    ("free", "red/green", 0.03, {"options": DEFAULT | FREE}),
    ("history", "red/green", 0.04, {"watch": ALL_EVENTS}),
    ("history-greedy", "green/red", 0.02, {"watch": ALL_EVENTS, "agents": [GREEDY, GREEDY]}),
    ("three", "red/green/vanilla", 0.02, {"leave": 3}),
    ("four", "red/green/ogre-mirror/bolt-mirror", 0.02, {"watch": ALL_EVENTS}),
    ("four-leave", "red/green/green/red", 0.02, {"leave": 10, "agents": [ANY, GREEDY, RANDOM, ANY]}),
    ("four-brawl", "brawl/cards/war/brawl", 0.01, {"leave": 5, "options": 0, "max_turns": 12}),
    ("ring-8", "red/green", 0.03, {"ring": 8}),
    ("ring-8-history", "green/red", 0.02, {"ring": 8, "watch": ALL_EVENTS}),
    ("ring-16-history", "red/green", 0.02, {"ring": 16, "watch": ALL_EVENTS}),
    ("ring-32-history", "green/green", 0.02, {"ring": 32, "watch": ALL_EVENTS}),
    ("large", "red/green", 0.02, {"size_class": 3}),
    ("brawl", "brawl/brawl", 0.03, {}),
    ("brawl-greedy", "brawl/brawl", 0.02, {"agents": [GREEDY, GREEDY]}),
    ("brawl-manual", "brawl/brawl", 0.01, {"options": DEFAULT | MANUAL, "ring": 12}),
    ("pingers", "pingers/pingers", 0.02, {"ring": 8}),
    ("oracles", "oracles/oracles", 0.02, {"ring": 8}),
    ("cards", "cards/brawl", 0.02, {"ring": 8, "watch": ALL_EVENTS}),
    ("war", "war/war", 0.02, {"watch": ALL_EVENTS}),
    ("rites", "rites/charms", 0.02, {"ring": 8}),
    ("storms", "storms/omens", 0.02, {"ring": 12, "agents": [RANDOM, GREEDY]}),
    ("humility", "humility/humility", 0.02, {"options": DEFAULT | FREE}),
    ("assaults", "assaults/assaults", 0.02, {"options": DEFAULT | FREE, "max_turns": 12}),
    ("floods", "floods/floods", 0.02, {"options": MANUAL, "max_turns": 12}),
    ("entrants", "entrants/entrants", 0.02, {}),
    ("four-rites", "rites/storms/omens/charms", 0.01, {"leave": 5, "max_turns": 12}),
    # Decks that come with the package, each against the next one, by two kinds of players.
    *((f"{a}-{b}", f"{a}/{b}", 0.02, {}) for a, b in fuzz_cards.neighbours()),
    *((f"{a}-{b}-greedy", f"{a}/{b}", 0.02, {"agents": [GREEDY, GREEDY]}) for a, b in fuzz_cards.neighbours()),
]
IDS = [w[0] for w in WORK]
#: Games in CI, under the sanitizers, and in `make soak`.
GAMES, GAMES_SANITIZED, GAMES_SOAK, GAMES_SOAK_SANITIZED = 2_000, 300, 100_000, 5_000

#: Random decks from all cards: what their games are played with, in turn; how many of them in CI, under the sanitizers,
#: and in `make soak`.
WAYS: list[dict[str, Any]] = [
    {},
    {"agents": [GREEDY, ANY]},
    {"ring": 8, "watch": ALL_EVENTS},
    {"options": DEFAULT | MANUAL},
    {"agents": [GREEDY, GREEDY], "ring": 12},
    {"leave": 10},
    {"options": 0, "max_turns": 12},
    {"agents": [RANDOM, GREEDY], "size_class": 2},
    {"players": 3, "leave": 3},
    {"players": 4, "max_turns": 16},
    {"players": 5, "leave": 4, "max_turns": 14},
    {"players": 3, "agents": [GREEDY, RANDOM, ANY]},
    # (Where mana is waived boards grow quickly, and blocks with them: a look at one takes milliseconds. An ability that
    # costs nothing is activated as often as not, so that most games would hardly end: somebody concedes.)
    {"options": DEFAULT | FREE, "agents": [GREEDY, ANY], "max_turns": 4, "leave": 4, "every": 4, "tries": 1},
    {"led": True},
    {"led": True, "players": 3, "options": DEFAULT | MANUAL, "max_turns": 16},
    {"led": True, "players": 4, "agents": [GREEDY, ANY, GREEDY, RANDOM], "leave": 3, "max_turns": 16},
    {"options": MANUAL, "max_turns": 12},
]
#: Games of random decks, two with the same decks.
RANDOM_GAMES, RANDOM_GAMES_SANITIZED, RANDOM_GAMES_SOAK, RANDOM_GAMES_SOAK_SANITIZED = 400, 48, 50_000, 3_000


def shares(games: int) -> list[int]:
    """Games of each line of WORK; together at least `games`."""
    total = sum(share for _, _, share, _ in WORK)
    return [max(2, round(games * share / total + 0.5)) for _, _, share, _ in WORK]


def fuzz(names: str, first: int, n: int, *, seed: int = 1, **kw: Any) -> dict[str, Any]:
    return _fuzz.fuzz(fuzz_cards.pool().table, fuzz_cards.decks(names), seed, first, n, **kw)


def assert_sound(names: str, report: dict[str, Any], n: int, kw: dict[str, Any]) -> None:
    """Nothing was found; what was found comes as the text of a file for tests/regressions."""
    failed = report["failed"]
    if failed is not None:
        case = {
            "decks": names,
            "seed": failed["seed"],
            "game": failed["game"],
            "arguments": kw,
            "found": failed["what"],
        }
        name = f"seed_{failed['seed']}_game_{failed['game']}_{names.replace('/', '_')}.json"
        pytest.fail(f"{failed['message']}\nregressions/{name}:\n{json.dumps(case, indent=2)}", pytrace=False)
    assert report["games"] == n
    assert report["checks"] * kw.get("every", 1) >= report["choices"]


@pytest.mark.sanitize
@pytest.mark.parametrize("k", range(len(WORK)), ids=IDS)
def test_games(k: int) -> None:
    _, names, _, kw = WORK[k]
    n = shares(GAMES_SANITIZED if SANITIZED else GAMES)[k]
    assert_sound(names, fuzz(names, 0, n, **kw), n, kw)


def test_the_numbers_of_games_are_what_is_promised() -> None:
    assert sum(shares(GAMES)) >= GAMES
    assert sum(shares(GAMES_SANITIZED)) >= GAMES_SANITIZED


@pytest.mark.soak
@pytest.mark.parametrize("k", range(len(WORK)), ids=IDS)
def test_many_games(k: int) -> None:
    """On all processors, other games than above."""
    _, names, _, kw = WORK[k]
    n = shares(GAMES_SOAK_SANITIZED if SANITIZED else GAMES_SOAK)[k]
    chunks = [range(i, min(i + 100, n)) for i in range(0, n, 100)]
    with ThreadPoolExecutor() as pool:
        for report, chunk in zip(
            pool.map(lambda c: fuzz(names, 10_000 + c.start, len(c), seed=2, **kw), chunks), chunks, strict=True
        ):
            assert_sound(names, report, len(chunk), kw)


def random_game(k: int) -> None:
    """Games between random decks, numbered."""
    kw: dict[str, Any] = {"max_turns": 25, "tries": 3, **WAYS[k % len(WAYS)]}
    players, kind = kw.pop("players", 2), "led" if kw.pop("led", False) else "any"
    names = "/".join(f"{kind}-{k}-{p}" for p in range(players))
    assert_sound(names, fuzz(names, 0, 2, **kw), 2, kw)


@pytest.mark.sanitize
@pytest.mark.parametrize("way", range(len(WAYS)), ids=lambda way: "-".join(WAYS[way]) or "plain")
def test_random_decks(way: int) -> None:
    for k in range(way, (RANDOM_GAMES_SANITIZED if SANITIZED else RANDOM_GAMES) // 2, len(WAYS)):
        random_game(k)


@pytest.mark.soak
@pytest.mark.parametrize("way", range(len(WAYS)), ids=lambda way: "-".join(WAYS[way]) or "plain")
def test_many_random_decks(way: int) -> None:
    """On all processors, other decks than above."""
    games = RANDOM_GAMES_SOAK_SANITIZED if SANITIZED else RANDOM_GAMES_SOAK
    numbers = range(10_000 + way, 10_000 + games // 2, len(WAYS))
    with ThreadPoolExecutor() as pool:
        for _ in pool.map(random_game, numbers):
            pass


@pytest.mark.sanitize
@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda p: p.stem)
def test_regression(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    report = fuzz(case["decks"], case["game"], 1, seed=case["seed"], **case["arguments"])
    assert_sound(case["decks"], report, 1, case["arguments"])


# --- the battery itself ---


def test_the_battery_plays_the_games_of_a_run() -> None:
    for names, agents in (("red/green", [RANDOM, GREEDY]), ("brawl/cards", [RANDOM, RANDOM])):
        report = fuzz(names, 5, 40, agents=agents, max_turns=60, every=7)
        assert report["checksum"] == run(names, 40, first=5, agents=agents, max_turns=60)[0]
        assert report["lki_records"] > 0
        assert report["cloned"] > 0


def test_faults_are_told_with_seed_and_place() -> None:
    failed = fuzz("oracles/oracles", 0, 300, ring=8, skip_ref=3, twin=False)["failed"]
    assert failed["message"].startswith(f"seed 1, game {failed['game']}, choice {failed['choice']}, ")
    assert "neither live nor in the LKI store (entry " in failed["message"]
    with_twin = fuzz("oracles/oracles", 0, 300, ring=8, skip_ref=3)["failed"]
    assert with_twin["what"] == "the game in a block of twice the size is in another state"


def test_codes_are_explained() -> None:
    texts = [_check.explain(code) for code in range(len(_check.messages))]
    assert texts[0] == "nothing is wrong"
    assert len(set(texts)) == len(texts)
    assert _check.explain(len(texts)) == f"code {len(texts)} is unknown"
    with_place = [code for code, text in enumerate(_check.messages) if text.startswith("{row}")]
    assert all(_check.explain(code | 17 << 8).endswith("(row 17)") for code in with_place)


@pytest.mark.parametrize(
    "kw",
    [{"agents": [0]}, {"agents": [0, 99]}, {"size_class": 9}, {"ring": 7}, {"clones": 17}, {"plant": 1}],
    ids=str,
)
def test_wrong_arguments(kw: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        fuzz("red/green", 0, 1, **kw)


# --- the same games, whatever the blocks, threads and chunks ---


def run(
    names: str, n: int, *, first: int = 0, agents: list[int] | None = None, **kw: Any
) -> tuple[int, dict[str, Any]]:
    decks = fuzz_cards.decks(names)
    out = {
        "winner": np.zeros(n, np.int8),
        "reason": np.zeros(n, np.uint8),
        "status": np.zeros(n, np.uint8),
        "turns": np.zeros(n, np.uint32),
        "choices": np.zeros(n, np.uint32),
        "starting": np.zeros(n, np.uint8),
        "grown": np.zeros(n, np.uint8),
        "checksum": np.zeros(n, np.uint64),
        "life": np.zeros((n, len(decks)), np.int32),
    }
    seats = agents or [RANDOM] * len(decks)
    result = _batch.run(fuzz_cards.pool().table, decks, seats, 1, first, n, out=out, **kw)
    return result["checksum"], {**result, **out}


MIRRORS = [
    ("red/green", [RANDOM, RANDOM]),
    ("red/green", [GREEDY, GREEDY]),
    ("bolt-mirror/bolt-mirror", [RANDOM, GREEDY]),
    ("vanilla/ogre-mirror", [GREEDY, RANDOM]),
    ("brawl/cards", [RANDOM, RANDOM]),
    ("oracles/war", [RANDOM, RANDOM]),
    ("red/green/vanilla/brawl", [RANDOM, GREEDY, GREEDY, RANDOM]),
    ("rites/charms", [RANDOM, RANDOM]),
    ("any-1/any-2", [RANDOM, GREEDY]),
    *((f"{a}/{b}", [RANDOM, GREEDY]) for a, b in fuzz_cards.neighbours()),
]


@pytest.mark.parametrize(("names", "agents"), MIRRORS, ids=[f"{names}-{agents}" for names, agents in MIRRORS])
def test_one_checksum(names: str, agents: list[int]) -> None:
    n = 100
    whole, columns = run(names, n, agents=agents)
    assert not np.isin(columns["status"], [0, 2, 3, 5]).any()
    for chunk in (7, 33):
        parts = [run(names, min(chunk, n - i), first=i, agents=agents)[0] for i in range(0, n, chunk)]
        assert sum(parts) % 2**64 == whole
    with ThreadPoolExecutor(2) as pool:
        halves = pool.map(lambda i: run(names, n // 2, first=i, agents=agents)[0], (0, n // 2))
        assert sum(halves) % 2**64 == whole
    small = 1 if len(agents) > 2 else 0
    for size_class in (small + 1, small + 2):
        assert run(names, n, agents=agents, size_class=size_class)[0] == whole
    for ring in (8, 12, 16, 32):
        assert run(names, n, agents=agents, ring=ring)[0] == whole
    assert run(names, n, agents=agents, watch=ALL_EVENTS)[0] == whole
    assert run(names, n, agents=agents, watch=ALL_EVENTS, ring=8)[0] == whole
