"""Players: life, hands, and what becomes of the game as one of them leaves it (CR 800.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from lkicore.opcodes import Zone

if TYPE_CHECKING:
    from lkicore.reference.continuous import Effect
    from lkicore.reference.layers import Values
    from lkicore.reference.lki import Record, Records
    from lkicore.reference.model import GameObject
    from lkicore.reference.policies import Ability
    from lkicore.reference.triggers import Watcher


class Players:
    """The part of the model that knows players."""

    objects: dict[int, GameObject]
    abilities: list[Ability]
    effects: list[Effect]
    zone: Callable[[int, int], list[int]]
    board: Callable[[], dict[int, Values]]
    values: Callable[[GameObject], Values]
    move: Callable[[Sequence[int], int], list[int]]
    settle: Callable[[], None]
    touch: Callable[[], None]
    records: Records
    look_back: Callable[[list[Watcher], Iterable[Record]], None]
    watchers: Callable[[], list[Watcher]]
    _record: Callable[[Iterable[GameObject], int], None]
    _leave: Callable[[GameObject], None]
    _end: Callable[[list[Effect]], None]

    def __init__(self, players: int) -> None:
        self.players = players
        self.in_game = set(range(players))
        self.active = 0
        self._life = [20] * players
        #: Cards in hand as a player left, who has none since (CR 800.4i).
        self._left_hand: dict[int, int] = {}

    def life_of(self, player: int) -> int:
        """The life total, of a player who left the last one (CR 800.4i)."""
        return self._life[player]

    def hand_of(self, player: int) -> int:
        """How many cards in hand, of a player who left as many as then (CR 800.4i)."""
        return self._left_hand.get(player, len(self.zone(Zone.HAND, player)))

    def life(self, player: int, n: int) -> None:
        """A player gains or loses life (CR 119.3)."""
        if player in self.in_game:
            self._life[player] += n

    def leave(self, player: int) -> bool:
        """A player leaves (CR 800.4a), if at least two stay.

        All that the player owns leaves the game together, and abilities of the player on the stack cease to exist with
        it. Then effects that give the player control end, and what the player still controls is exiled.
        """
        if player not in self.in_game or len(self.in_game) < 3:
            return False
        self.board()  # last known is what everything was while the player was there
        self.in_game.discard(player)
        self._left_hand[player] = len(self.zone(Zone.HAND, player))
        gone = [
            obj
            for obj in self.objects.values()
            if obj.owner == player or (obj.face is None and obj.controller == player)
        ]
        if gone:
            self._record(gone, Zone.NONE)
            # CR 603.6c: leaving the game with its owner is leaving the battlefield
            self.look_back(self.watchers(), [record for obj in gone if (record := self.records.get(obj.id))])
        for obj in gone:
            self._leave(obj)
        leaving = {obj.id for obj in gone}
        self.abilities = [ability for ability in self.abilities if ability.object.id not in leaving]
        self.touch()
        self.settle()
        self._end(
            [e for e in self.effects if e.player == player and any(change.what == "control" for change in e.changes)]
        )
        self.touch()
        self.settle()
        held = [i for i in self.zone(Zone.BATTLEFIELD, 0) if self.values(self.objects[i]).controller == player]
        if held:
            self.move(held, Zone.EXILE)
        return True
