"""Copies and saved games: equal futures; bytes that are no game are refused, and none of them harms."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import random
from typing import Any

import numpy as np
import pytest

import fuzz_cards
import lkicore
from lkicore import Game
from lkicore.cards import CardPool
from lkicore.opcodes import GameStatus

SANITIZED = "LKICORE_SANITIZED" in os.environ
#: Bytes of the magic and of the digest, which stands right before the block.
MAGIC, DIGEST = 4, 16


def new_game(decks: str = "red/green", **kw: Any) -> Game:
    return Game([fuzz_cards.deck(name) for name in decks.split("/")], pool=fuzz_cards.pool(), **kw)


def resume(data: bytes) -> Game:
    return Game.deserialize(data, pool=fuzz_cards.pool())


def start(game: Game) -> int:
    """Where the block begins in a saved game."""
    return len(game.serialize()) - game.bytes


def signed(data: bytes | bytearray, block: int) -> bytes:
    """The bytes with a digest that fits; the block begins at `block`."""
    data = bytes(data)
    head = data[MAGIC : block - DIGEST]
    digest = hashlib.blake2b(head + data[block:], digest_size=DIGEST).digest()
    return data[: block - DIGEST] + digest + data[block:]


def play(game: Game, choices: int, chance: random.Random) -> None:
    """Take so many random options, or as many as there are."""
    for _ in range(choices):
        if game.is_terminal:
            return
        game.apply(chance.randrange(len(game.legal_actions())))


def finish(game: Game) -> int:
    while not game.is_terminal:
        game.step_agent("random")
    return game.outcome_hash()


def same(a: Game, b: Game) -> bool:
    return a.hash() == b.hash() and a.options() == b.options() and a.check() is None and b.check() is None


CASES = [
    ("red/green", {}),
    ("red/green", {"payment": "manual"}),
    ("brawl/cards", {}),
    ("war/oracles", {"auto_pass": False}),
    ("vanilla/green", {"collapse_trivial": False}),
    ("red/green/brawl/cards", {}),
    ("rites/charms", {}),
    ("storms/omens", {}),
    ("any-1/any-2", {}),
    ("any-3/any-4", {"payment": "manual"}),
    *((f"{a}/{b}", {}) for a, b in fuzz_cards.neighbours()),
]


@pytest.mark.sanitize
@pytest.mark.parametrize(("decks", "kw"), CASES, ids=[d + "".join(f"-{k}" for k in kw) for d, kw in CASES])
def test_copies_have_the_same_future(decks: str, kw: dict[str, Any]) -> None:
    for number in range(2 if SANITIZED else 6):
        chance = random.Random(number)
        game = new_game(decks, seed=11, game=number, **kw)
        while not game.is_terminal:
            play(game, chance.randrange(60), chance)
            copies = [game.clone(), resume(game.serialize()), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
            assert all(same(game, other) for other in copies)
            assert all(other.serialize() == game.serialize() for other in copies)
            if chance.random() < 0.3 or game.is_terminal:
                break
        ends = {finish(other) for other in [*copies, game]}
        assert len(ends) == 1


@pytest.mark.sanitize
def test_copies_are_apart() -> None:
    game = new_game(seed=1)
    play(game, 30, random.Random(0))
    before = game.serialize()
    for other in (game.clone(), resume(before)):
        play(other, 40, random.Random(1))
        assert game.serialize() == before
    other = new_game("green/red", seed=9)
    other.copy_from(game)
    assert same(game, other)
    play(game, 20, random.Random(2))
    assert other.serialize() == before


def test_a_saved_game_stops_where_it_would_have_stopped() -> None:
    game = new_game("vanilla/vanilla", seed=3, max_turns=4)
    again, clone = resume(game.serialize()), game.clone()
    assert finish(game) == finish(clone) == finish(again)
    assert game.status == again.status == GameStatus.ABORTED


def test_the_end_of_a_game_can_be_saved() -> None:
    game = new_game(seed=2)
    finish(game)
    again = resume(game.serialize())
    assert again.is_terminal
    assert (again.winner, again.reason, again.returns()) == (game.winner, game.reason, game.returns())


def refused(data: bytes, pool: CardPool | None = None) -> str:
    """What the error says: one line."""
    with pytest.raises(ValueError, match=r".+") as error:
        Game.deserialize(data, pool=pool or fuzz_cards.pool())
    message = str(error.value)
    assert message.splitlines() == [message]
    assert 20 < len(message) < 200
    return message


@pytest.mark.sanitize
def test_short_and_foreign_bytes_are_refused() -> None:
    game = new_game(seed=1)
    data, block = game.serialize(), start(game)
    for size in (0, 1, 3, 4, 5, 23, 24, block - DIGEST, block - 1, block, block + 1, 1000, len(data) - 1):
        refused(data[:size])
    assert "cut short" in refused(data[:-1])
    assert "bytes" in refused(data + b"\0")
    noise = random.Random(1).randbytes(len(data))
    for other in (b"", b"\0" * len(data), b"PK\x03\x04" + data[4:], noise, pickle.dumps(3)):
        assert "not a saved game" in refused(other)
    assert "version" in refused(data[:4] + b"\x07" + data[5:])
    assert "layout" in refused(data[:5] + b"\x03" + data[6:])
    assert "layout" in refused(data[:6] + b"\x01" + data[7:])
    assert "layout" in refused(data[:7] + b"\x08" + data[8:])
    assert "layout" in refused(data[:9] + bytes([data[9] ^ 1]) + data[10:])
    assert "card table" in refused(data, CardPool.builtin())
    assert "opcodes" in refused(signed(data[:16] + bytes([data[16] ^ 1]) + data[17:], block))
    assert "card table" in refused(signed(data[:24] + bytes(8) + data[32:], block))


def test_any_flipped_bit_is_noticed() -> None:
    data = new_game(seed=1).serialize()
    chance = random.Random(5)
    places = [*range(64), *(chance.randrange(len(data)) for _ in range(400))]
    for place in places:
        broken = bytearray(data)
        broken[place] ^= 1 << chance.randrange(8)
        refused(bytes(broken))


# --- bytes made to harm: the digest fits ---


WIDTH = {"u8": "<u1", "i8": "<i1", "u16": "<u2", "i16": "<i2", "u32": "<u4", "i32": "<i4", "u64": "<u8"}


class Forger:
    """Changes values of a saved game where they hurt, and signs it again."""

    def __init__(self, game: Game) -> None:
        layout = lkicore.layout(game.players, game.size_class)
        self.data = game.serialize()
        self.block = start(game)
        self.fields: dict[str, list[tuple[int, str]]] = {}
        structs = layout["structs"]
        self.struct("Header", structs["Header"]["fields"], 0, 1, 0)
        for name, array in layout["arrays"].items():
            kind, offset, n = array["dtype"], array["offset"], array["length"]
            if kind in WIDTH:
                size = np.dtype(WIDTH[kind]).itemsize
                self.fields[name] = [(offset + i * size, kind) for i in range(n)]
            else:
                self.struct(name, structs[kind]["fields"], offset, n, structs[kind]["bytes"])

    def struct(self, name: str, fields: list[tuple[str, str, str]], offset: int, n: int, size: int) -> None:
        for field, kind, _ in fields:
            self.fields[f"{name}.{field}"] = [(offset + i * size, kind) for i in range(n)]
            offset += np.dtype(WIDTH[kind]).itemsize

    def forged(self, chance: random.Random, changes: int) -> tuple[bytes, list[str]]:
        data = bytearray(self.data)
        told = []
        for _ in range(changes):
            name = chance.choice(list(self.fields))
            places = self.fields[name]
            # Fields in use lie at the beginning of most tables.
            last = min(len(places), chance.choice((1, 4, 16, 1 << 20)))
            place, kind = places[chance.randrange(last)]
            dtype = np.dtype(WIDTH[kind])
            view = np.frombuffer(data, dtype, 1, self.block + place)
            old = int(view[0])
            info = np.iinfo(dtype)
            near = (0, 1, 2, old + 1, old - 1, old ^ 1 << chance.randrange(info.bits))
            far = (int(info.max), int(info.min), 0x7F, *(chance.randrange(n) for n in (64, 200, 2**info.bits)))
            new = chance.choice(near + far)
            new = (new - info.min) % 2**info.bits + info.min
            view[:] = new
            told.append(f"{name}[{place}]: {old} -> {new}")
        return signed(data, self.block), told


def use(game: Game, chance: random.Random) -> None:
    """Read everything, play on; the copies have red zones around their columns in the debug build."""
    game = game.clone()
    game.hash()
    game.options()
    game.departures()
    assert game.events() is not None
    for card in range(game.n_cards):
        game.lki(card, tick=1 << 30)
    for zone in range(1, 9):
        for player in range(game.players):
            game.objects(zone, player)
    for _ in range(250):
        if game.is_terminal:
            break
        if chance.random() < 0.02:
            game.concede(chance.choice([p for p in range(game.players) if not game.lost(p)]))
            continue
        if chance.random() < 0.3:
            game.step_agent(chance.choice(("random", "greedy")))
        else:
            game.apply(chance.randrange(len(game.legal_actions())))
    game.hash()
    game.outcome_hash()


@pytest.mark.sanitize
@pytest.mark.parametrize("case", range(len(CASES)))
def test_forged_games_are_refused_or_play_on(case: int) -> None:
    decks, kw = CASES[case]
    accepted = rejected = 0
    for number in range(5 if SANITIZED else 11):
        chance = random.Random(f"{case} {number}")
        game = new_game(decks, seed=21, game=number, max_turns=200, **kw)
        play(game, chance.randrange(150), chance)
        forger = Forger(game)
        for _ in range(30):
            data, told = forger.forged(chance, chance.choice((1, 1, 1, 2, 4)))
            try:
                forged = resume(data)
            except ValueError as error:
                rejected += 1
                if "no possible game" not in str(error):
                    pytest.fail(f"{told}: {error}")
                continue
            accepted += 1
            use(forged, chance)
    assert rejected > accepted > 0


@pytest.mark.sanitize
def test_a_block_of_noise_is_refused() -> None:
    """Each byte of the block random, then only some of its tables: nothing of it is followed."""
    game = new_game(seed=4)
    play(game, 60, random.Random(4))
    forger = Forger(game)
    chance = random.Random(6)
    block = forger.block
    refused(signed(forger.data[:block] + chance.randbytes(game.bytes), block))
    for name, places in forger.fields.items():
        if name.startswith("Header."):
            continue
        for _ in range(2):
            data = bytearray(forger.data)
            for place, kind in places:
                size = np.dtype(WIDTH[kind]).itemsize
                data[block + place : block + place + size] = chance.randbytes(size)
            try:
                forged = resume(signed(data, block))
            except ValueError:
                continue
            use(forged, chance)
