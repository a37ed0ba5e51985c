"""Triggered abilities that wait for zone changes (CR 603.6): which of them trigger, and what they learn afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lkicore.opcodes import Policy, Zone
from lkicore.reference.cards import Watch

if TYPE_CHECKING:
    from lkicore.reference.layers import Values
    from lkicore.reference.lki import Record
    from lkicore.reference.model import GameObject
    from lkicore.reference.policies import Answer


@dataclass(slots=True)
class Trigger:
    """A triggered ability that waits to be put on the stack (CR 603.3), with the object of its event."""

    label: str
    controller: int
    source: int
    object: int


@dataclass(slots=True)
class Watcher:
    """A permanent with an ability that may trigger, and who controls it."""

    source: int
    controller: int
    timestamp: int
    watch: Watch


class Triggers:
    """The part of the model that knows triggered abilities."""

    objects: dict[int, GameObject]
    in_game: set[int]
    zone: Callable[[int, int], list[int]]
    board: Callable[[], dict[int, Values]]
    read: Callable[[int, Policy], Answer]

    def __init__(self) -> None:
        self.waiting: list[Trigger] = []

    def watchers(self) -> list[Watcher]:
        """Who watches now, in timestamp order, the abilities of each in printed order."""
        places = self.zone(Zone.BATTLEFIELD, 0)
        if not places:
            return []
        board = self.board()
        found = [
            Watcher(i, board[i].controller, self.objects[i].timestamp, ability)
            for i in places
            for ability, _ in board[i].abilities
            if isinstance(ability, Watch)
        ]
        return sorted(found, key=lambda watcher: watcher.timestamp)

    def look_back(self, watchers: list[Watcher], records: Iterable[Record]) -> None:
        """Leaves-the-battlefield abilities of what was there just before the event, leaving itself or not, see
        objects as they were then (CR 603.10a).
        """
        for record in records:
            if record.zone != Zone.BATTLEFIELD:
                continue
            for watcher in watchers:
                watch = watcher.watch
                if watch.enters or (watch.zone_to is not None and watch.zone_to != record.zone_to):
                    continue
                if watch.test(watcher.controller, record.controller, record.types, record.power):
                    self._trigger(watcher, record.id)

    def entered(self, objects: Iterable[GameObject]) -> None:
        """Enters abilities of what is there after the event, newcomers among it, see objects with all effects applied
        (CR 603.6a, 603.6d).
        """
        newcomers = [obj for obj in objects if obj.zone == Zone.BATTLEFIELD]
        if not newcomers:
            return
        watchers, board = self.watchers(), self.board()
        for obj in newcomers:
            values = board[obj.id]
            for watcher in watchers:
                if watcher.watch.enters and watcher.watch.test(
                    watcher.controller, values.controller, values.types, values.power
                ):
                    self._trigger(watcher, obj.id)

    def _trigger(self, watcher: Watcher, object_id: int) -> None:
        self.waiting.append(Trigger(watcher.watch.label, watcher.controller, watcher.source, object_id))

    def react(self) -> tuple[Any, ...]:
        """The first ability that waits learns of its source and of the object of its event, as they are or last were
        (CR 603.10, 608.2h). Those of players who have left are dropped (CR 800.4d)."""
        self.waiting = [trigger for trigger in self.waiting if trigger.controller in self.in_game]
        if not self.waiting:
            return ()
        trigger = self.waiting.pop(0)
        return (
            trigger.label,
            trigger.controller,
            self.read(trigger.source, Policy.LIVE_THEN_LKI),
            self.read(trigger.object, Policy.LIVE_THEN_LKI),
        )
