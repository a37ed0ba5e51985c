from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from lkicore._cards import CardTable
from lkicore.cards.deck import Seat

def run(
    table: CardTable,
    decks: Sequence[Seat],
    agents: Sequence[int],
    seed: int,
    first: int,
    n: int,
    *,
    options: int = 3,
    size_class: int = -1,
    ring: int = 0,
    max_turns: int = 1000,
    watch: int = 0,
    skip_ref: int = -1,
    out: dict[str, npt.NDArray[Any]],
) -> dict[str, int]: ...
