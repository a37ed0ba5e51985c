"""Departures as the rules see them: every one is remembered, and none ever changes."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lkicore.reference.cards import Face


@dataclass(slots=True)
class Record:
    """An object exactly as it was immediately before it left a zone (CR 608.2h).

    `became` is filled in when the object has moved; all else is fixed when the record is made.
    """

    id: int
    tick: int
    zone: int
    zone_to: int
    owner: int
    controller: int
    power: int
    toughness: int
    damage: int
    tapped: bool
    types: int
    subtypes: tuple[str, ...]
    colors: int
    keywords: int
    abilities: tuple[str, ...]
    face: Face | None  # copiable values; None: an ability
    counters: tuple[int, int, int, int]
    attached_to: int
    #: What was attached to it as it left, as that was then: (id, controller, power, toughness).
    attachments: tuple[tuple[int, int, int, int], ...]
    blocks: int
    card: int
    became: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "tick": self.tick,
            "zone": self.zone,
            "zone_to": self.zone_to,
            "owner": self.owner,
            "controller": self.controller,
            "power": self.power,
            "toughness": self.toughness,
            "damage": self.damage,
            "tapped": self.tapped,
            "types": self.types,
            "subtypes": self.subtypes,
            "colors": self.colors,
            "keywords": self.keywords,
            "abilities": self.abilities,
            "name": "" if self.face is None else self.face.name,
            "counters": self.counters,
            "attached_to": self.attached_to,
            "attachments": self.attachments,
            "blocks": self.blocks,
            "became": self.became,
            "card": self.card,
        }


class Records:
    """All departures of a game, in order."""

    def __init__(self) -> None:
        self.order: list[Record] = []
        self._by_id: dict[int, Record] = {}
        self._by_card: dict[int, list[Record]] = {}
        self._group_start: dict[int, int] = {}
        #: Rows of the ring before each group: a departure takes one, and so does each attachment that is kept with it.
        self._rows_before: dict[int, int] = {}
        self._rows = 0

    def add(self, record: Record) -> None:
        # CR 400.7: an object departs once; what it becomes has another id
        assert record.id not in self._by_id
        self._group_start.setdefault(record.tick, len(self.order))
        self._rows_before.setdefault(record.tick, self._rows)
        self._rows += 1 + len(record.attachments)
        self.order.append(record)
        self._by_id[record.id] = record
        if record.card >= 0:
            self._by_card.setdefault(record.card, []).append(record)

    def get(self, object_id: int) -> Record | None:
        return self._by_id.get(object_id)

    def at(self, card: int, tick: int) -> Record | None:
        """The card's last departure at or before `tick`."""
        for record in reversed(self._by_card.get(card, [])):
            if record.tick <= tick:
                return record
        return None

    def group(self, tick: int) -> list[Record]:
        """The departures of one simultaneous event (CR 603.10)."""
        start = self._group_start.get(tick)
        if start is None:
            return []
        return [record for record in self.order[start:] if record.tick == tick]

    @property
    def newest_tick(self) -> int:
        """Event tick of the newest departures, 0 if there are none."""
        return self.order[-1].tick if self.order else 0

    def newer(self, object_id: int) -> int:
        """How many other rows are newer than this object's, or of its own group, at most."""
        return self._rows - self._rows_before[self._by_id[object_id].tick] - 1

    def reachable(self, references: Iterable[int], live: Container[int], *, skip: str | None = None) -> set[int]:
        """The departed objects among `references`, and those that their records refer to in turn.

        A departed object can be asked what it was attached to, and that object, if it has departed, what it was
        (CR 608.2h applied twice); so it is with what it blocked. `skip` forgets one kind of such references.
        """
        found: set[int] = set()
        waiting = list(references)
        while waiting:
            object_id = waiting.pop()
            if object_id in found or object_id in live:
                continue
            record = self._by_id.get(object_id)
            if record is None:
                continue
            found.add(object_id)
            if record.attached_to and skip != "lki.attached":
                waiting.append(record.attached_to)
            if record.blocks and skip != "lki.blocks":
                waiting.append(record.blocks)
        return found
