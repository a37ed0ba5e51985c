"""How permanents enter: replacement effects that look at what one would be on the battlefield (CR 614.1c-d, 614.12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lkicore.opcodes import CounterKind, Zone
from lkicore.reference.cards import Gate

if TYPE_CHECKING:
    from lkicore.reference.cards import Face
    from lkicore.reference.continuous import Effect
    from lkicore.reference.layers import Board, Values
    from lkicore.reference.model import GameObject


@dataclass(slots=True)
class Keeper:
    """A permanent with such an ability, and who controls it."""

    controller: int
    timestamp: int
    gate: Gate


class Entering:
    """The part of the model that lets permanents enter."""

    objects: dict[int, GameObject]
    effects: list[Effect]
    board_type: type[Board]
    zone: Callable[[int, int], list[int]]
    board: Callable[[], dict[int, Values]]
    copiable: Callable[[GameObject], Face]
    touch: Callable[[int], None]

    def keepers(self) -> list[Keeper]:
        """Who has a say now. What enters in the same event has none (CR 614.4)."""
        places = self.zone(Zone.BATTLEFIELD, 0)
        if not places:
            return []
        board = self.board()
        found = [
            Keeper(board[i].controller, self.objects[i].timestamp, ability)
            for i in places
            for ability, _ in board[i].abilities
            if isinstance(ability, Gate)
        ]
        return sorted(found, key=lambda keeper: keeper.timestamp)

    def enter(self, newcomers: Sequence[GameObject], keepers: list[Keeper]) -> None:
        """Each gets the counters that it enters with, from one after the other."""
        if not keepers:
            return
        for obj in newcomers:
            for keeper in keepers:
                values = self.preview(obj, newcomers)
                if keeper.gate.test(keeper.controller, values.controller, values.types, values.power):
                    obj.counters[CounterKind.P1P1] += 1
                    self.touch(obj.id)

    def preview(self, obj: GameObject, newcomers: Sequence[GameObject]) -> Values:
        """What it would be on the battlefield: with what has modified how it enters already, its own static abilities,
        and effects that exist already; not those of what enters together with it (CR 614.12)."""
        together = {other.id for other in newcomers if other is not obj}
        permanents = [self.objects[i] for i in self.zone(Zone.BATTLEFIELD, 0) if i not in together]
        faces = [self.copiable(each) for each in permanents]
        return self.board_type(permanents, faces, self.effects).run()[obj.id]
