"""What a game logs of its history (CR 608.2i) is all that its cards can ask: logging everything changes no game."""

from __future__ import annotations

import numpy as np
import pytest

from lkicore import _batch
from lkicore.cards import CardPool, Deck
from test_agents import mixed_decks


def checksum(pool: CardPool, decks: list[Deck], games: int, watch: int) -> int:
    out = {
        "winner": np.zeros(games, np.int8), "reason": np.zeros(games, np.uint8), "status": np.zeros(games, np.uint8),
        "turns": np.zeros(games, np.uint32), "choices": np.zeros(games, np.uint32),
        "starting": np.zeros(games, np.uint8), "grown": np.zeros(games, np.uint8),
        "checksum": np.zeros(games, np.uint64), "life": np.zeros((games, len(decks)), np.int32),
    }  # fmt: skip
    faces = [deck.faces(pool) for deck in decks]
    return int(_batch.run(pool.table, faces, [0] * len(decks), 5, 0, games, watch=watch, out=out)["checksum"])


@pytest.mark.parametrize("number", range(0, 24, 2))
def test_what_nobody_can_ask_changes_nothing(number: int) -> None:
    pool = CardPool.builtin()
    decks = mixed_decks(pool, 24)[number : number + 2]
    assert checksum(pool, decks, 40, 0) == checksum(pool, decks, 40, 0xFFFFFFFF)
