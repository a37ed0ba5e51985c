from collections.abc import Sequence
from typing import final

from lkicore.cards import CardPool, Deck

@final
class Game:
    def __new__(
        cls,
        decks: Sequence[Deck],
        *,
        seed: int = 0,
        game: int = 0,
        pool: CardPool | None = None,
        auto_pass: bool = True,
        collapse_trivial: bool = True,
        payment: str = "auto",
        size_class: int = -1,
        max_turns: int = 1000,
        trace: bool = False,
    ) -> Game: ...
    @property
    def is_terminal(self) -> bool: ...
    @property
    def decider(self) -> int: ...
    def step_agent(self, agent: int) -> int: ...
    def trace(self) -> list[tuple[int, int, int, int, int, int, int]]: ...
