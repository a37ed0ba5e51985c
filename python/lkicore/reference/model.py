"""Objects, zones and zone changes, written from the Comprehensive Rules; what objects are stands in `layers` and
`continuous`, what abilities ask in `policies`, players in `players`.

What the operations mean where the rules leave it open, or where a driver needs a convention:

- An operation on an object acts only on the live object with that very id; anything else is ignored (CR 400.7).
  `tap` to `effect` act on permanents only, `damage` on creatures only (CR 120.1).
- Event ticks: a group of departures (`move`, `cease`, `resolve`, `leave`) begins by advancing the tick, if anything
  departs. Nothing else but the creation of tokens advances it.
- Objects get their timestamp when they enter a zone, and when they become attached to another object (CR 613.7).
- No state-based actions happen by themselves: damage doesn't destroy, nothing falls off, tokens wait for `cease`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lkicore.opcodes import CounterKind, Duration, Zone
from lkicore.reference.cards import CARD_FACES, CREATURE, FACES, Face, Protection
from lkicore.reference.continuous import Continuous
from lkicore.reference.entering import Entering
from lkicore.reference.layers import Values
from lkicore.reference.lki import Record, Records
from lkicore.reference.players import Players
from lkicore.reference.policies import Ability, Answer, Event, Policies
from lkicore.reference.triggers import Triggers

__all__ = ["CARD_FACES", "FACES", "OWN_ZONES", "Ability", "Answer", "Event", "Face", "GameObject", "Model"]

#: Zones of which each player has one (CR 400.1); the sideboard is no zone but is kept like one (CR 100.4).
OWN_ZONES = frozenset({Zone.LIBRARY, Zone.HAND, Zone.GRAVEYARD, Zone.SIDEBOARD})


@dataclass(slots=True, eq=False)
class GameObject:
    """An object in a zone: a card, a token or an ability (CR 109.1)."""

    id: int
    face: Face | None  # None: an ability, which has no characteristics of that kind (CR 113.1)
    card: int  # -1: no card
    owner: int
    controller: int
    zone: int
    timestamp: int
    token: bool = False
    damage: int = 0
    tapped: bool = False
    counters: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    attached_to: int = 0
    blocks: int = 0


class Model(Continuous, Policies, Players, Triggers, Entering):
    """One game's objects, with everything that ever left a zone."""

    def __init__(
        self,
        players: int,
        cards: int,
        *,
        size_class: int = 0,  # noqa: ARG002 - the core's concern: the model has no limits
        ring: int = 0,  # noqa: ARG002
        deck: Sequence[int] = range(CARD_FACES),
    ) -> None:
        Continuous.__init__(self)
        Policies.__init__(self)
        Players.__init__(self, players)
        Triggers.__init__(self)
        self.faces = FACES
        self.records = Records()
        self.objects: dict[int, GameObject] = {}
        self.next_id = 1
        self._places: dict[tuple[int, int], list[int]] = {
            (int(zone), player): [] for zone in Zone for player in range(players if zone in OWN_ZONES else 1)
        }
        self._tick = 1
        self._turn_number = 1
        self._clock = 1
        for card in range(players * cards):
            owner = card // cards
            obj = self._new_object(self.faces[deck[card % len(deck)]], card, owner, Zone.LIBRARY)
            self._places[Zone.LIBRARY, owner].append(obj.id)

    # ------------------------------------------------------------------------------------------ objects and zones

    def _new_object(
        self, face: Face | None, card: int, owner: int, zone: int, *, token: bool = False, controller: int | None = None
    ) -> GameObject:
        """A new object with no memory of, or relation to, an earlier one (CR 400.7).

        So it begins untapped (CR 110.5b), without damage, counters (CR 122.2), attachment or effects, and, unless
        something says otherwise, under its owner's control (CR 110.2).
        """
        controller = owner if controller is None else controller
        obj = GameObject(self.next_id, face, card, owner, controller, int(zone), self._timestamp(), token)
        self.next_id += 1
        self.objects[obj.id] = obj
        return obj

    def _timestamp(self) -> int:
        now = self._clock
        self._clock += 1
        return now

    def zone(self, zone: int, player: int) -> list[int]:
        """The list itself, in order: libraries from the top, other zones from the oldest."""
        return self._places[zone, player if zone in OWN_ZONES else 0]

    def _place(self, obj: GameObject) -> None:
        # CR 400.3: always the owner's library, hand or graveyard
        place = self.zone(obj.zone, obj.owner)
        if obj.zone == Zone.LIBRARY:
            place.insert(0, obj.id)
        else:
            place.append(obj.id)
        if obj.zone == Zone.BATTLEFIELD:
            self.touch()

    def _leave(self, obj: GameObject) -> None:
        self.zone(obj.zone, obj.owner).remove(obj.id)
        del self.objects[obj.id]
        if obj.zone == Zone.BATTLEFIELD:
            self.effects_leave(obj.id)
            self.touch()

    def _can_move(self, obj: GameObject, zone: int) -> bool:
        if obj.face is None:
            return False  # CR 113.1c: an ability is on the stack or nowhere
        if obj.token and obj.zone != Zone.BATTLEFIELD:
            return False  # CR 111.8: a token that has left the battlefield can't change zones again
        # Being put where it is already is no zone change, but an exiled object that becomes exiled is new (CR 400.8).
        return obj.zone != zone or zone == Zone.EXILE

    def _record(self, leaving: Iterable[GameObject], zone_to: int) -> None:
        """Record a simultaneous group as it is before any of it moves (CR 603.10), as one event."""
        self._tick += 1
        for obj in leaving:
            self.records.add(self.record_of(obj, zone_to))

    def record_of(self, obj: GameObject, zone_to: int) -> Record:
        """The object as it is now, with everything applied (CR 608.2h, 613)."""
        values = self.values(obj)
        return Record(
            id=obj.id,
            tick=self._tick,
            zone=obj.zone,
            zone_to=int(zone_to),
            owner=obj.owner,
            controller=values.controller,
            power=values.power,
            toughness=values.toughness,
            damage=obj.damage,
            tapped=obj.tapped,
            types=values.types,
            subtypes=tuple(sorted(values.subtypes)),
            colors=values.colors,
            keywords=values.keywords,
            abilities=labels(values),
            face=None if obj.face is None else values.face,
            counters=self._counters(obj),
            attached_to=obj.attached_to,
            attachments=tuple(sorted(map(self._as_attached, self.attached_to(obj.id)))),
            blocks=obj.blocks,
            card=obj.card,
        )

    def attached_to(self, object_id: int) -> list[GameObject]:
        """The permanents that are attached to an object."""
        return [obj for obj in self.objects.values() if obj.attached_to == object_id]

    def _as_attached(self, obj: GameObject) -> tuple[int, int, int, int]:
        values = self.values(obj)
        return obj.id, values.controller, values.power, values.toughness

    # ------------------------------------------------------------------------------------------ operations

    def move(self, ids: Sequence[int], zone: int) -> list[int]:
        """Move objects to `zone` in one simultaneous event; new ids in the order of `ids`, 0 for what didn't move."""
        if zone == Zone.NONE:
            raise ValueError("an object can't be moved to no zone")
        leaving: dict[int, GameObject] = {}
        for object_id in ids:
            obj = self.objects.get(object_id)
            if obj is not None and self._can_move(obj, zone):
                leaving[object_id] = obj
        if leaving:
            self._record(leaving.values(), zone)
            self.look_back(self.watchers(), self.records.group(self._tick))
        keepers = self.keepers() if zone == Zone.BATTLEFIELD else []
        moved = []
        for object_id in ids:
            obj = leaving.pop(object_id, None)
            moved.append(self._change_zone(obj, zone) if obj else 0)
        newcomers = [self.objects[i] for i in moved if i and zone == Zone.BATTLEFIELD]
        self.enter(newcomers, keepers)
        self.settle()
        self.entered(newcomers)
        return moved

    def _change_zone(self, obj: GameObject, zone: int) -> int:
        self._leave(obj)
        new = self._new_object(obj.face, obj.card, obj.owner, zone, token=obj.token)
        self._place(new)
        record = self.records.get(obj.id)
        assert record is not None
        record.became = new.id
        return new.id

    def token(self, player: int, face: int) -> int:
        """Create a token; its creator owns it (CR 111.2). Nothing is created under who has left (CR 800.4b)."""
        return self._create(player, self.faces[face])

    def copy_token(self, player: int, of: int, but: str = "") -> int:
        """Create a token that is a copy of an object as that is or last was (CR 707.2, 111.12), with an exception."""
        face = self.original(of, but)
        return 0 if face is None else self._create(player, face)

    def _create(self, player: int, face: Face) -> int:
        if player not in self.in_game:
            return 0
        self._tick += 1  # creating it is an event
        keepers = self.keepers()
        obj = self._new_object(face, -1, player, Zone.BATTLEFIELD, token=True)
        self._place(obj)
        self.enter([obj], keepers)
        self.settle()
        self.entered([obj])
        return obj.id

    def cease(self) -> int:
        """Tokens outside the battlefield cease to exist, all at once (CR 111.7, 704.5d)."""
        gone = [obj for obj in self.objects.values() if obj.token and obj.zone != Zone.BATTLEFIELD]
        if gone:
            self._record(gone, Zone.NONE)
        for obj in gone:
            self._leave(obj)
        self.settle()
        return len(gone)

    def _permanent(self, object_id: int) -> GameObject | None:
        """The live permanent that an action may touch (CR 110.1, 400.7)."""
        obj = self.objects.get(object_id)
        return obj if obj is not None and obj.zone == Zone.BATTLEFIELD else None

    def tap(self, object_id: int) -> None:
        if obj := self._permanent(object_id):
            obj.tapped = True

    def untap(self, object_id: int) -> None:
        if obj := self._permanent(object_id):
            obj.tapped = False
            self.settle()

    def damage(self, object_id: int, n: int) -> None:
        """Mark damage on a creature (CR 120.3e); no damage is no event (CR 120.8)."""
        obj = self._permanent(object_id)
        if obj and n > 0 and self.values(obj).types & CREATURE:
            obj.damage += n

    def counters(self, object_id: int, kind: int, n: int) -> None:
        """Put counters on a permanent (CR 122), or remove as many as there are."""
        if obj := self._permanent(object_id):
            obj.counters[CounterKind(kind)] = max(0, obj.counters[CounterKind(kind)] + n)
            self.touch(object_id)

    def attach(self, object_id: int, to: int) -> None:
        """Attach a permanent to another one (CR 701.3); `to` 0 unattaches it."""
        obj = self._permanent(object_id)
        if obj is None:
            return
        if to == 0:
            obj.attached_to = 0
        elif to != obj.attached_to and (host := self._permanent(to)) and self.can_be_attached(obj, host):
            # Attaching to what it is attached to does nothing (CR 701.3b); else it gets a new timestamp (CR 613.7e).
            obj.attached_to = to
            obj.timestamp = self._timestamp()
            place = self.zone(Zone.BATTLEFIELD, 0)
            place.remove(object_id)
            place.append(object_id)
        else:
            return
        self.touch()
        self.settle()

    def can_be_attached(self, obj: GameObject, host: GameObject) -> bool:
        """An Equipment that is no creature, to another permanent that is one (CR 301.5) and has no protection from it
        (702.16d)."""
        mine, its = self.values(obj), self.values(host)
        if obj is host or "Equipment" not in mine.subtypes or mine.types & CREATURE or not its.types & CREATURE:
            return False
        return not any(isinstance(a, Protection) and a.colors & mine.colors for a, _ in its.abilities)

    def block_with(self, object_id: int, attacker: int) -> None:
        """A creature blocks another one, whatever else the rules of combat say (CR 509.1h).

        It goes on as the attacker leaves; it is over as the blocker gets another controller or is no creature any more
        (CR 506.4).
        """
        obj, other = self._permanent(object_id), self._permanent(attacker)
        if obj and other and obj is not other and self.values(obj).types & self.values(other).types & CREATURE:
            obj.blocks = attacker
            self.blockers.add(object_id)

    def end_turn(self) -> None:
        """The simultaneous part of the cleanup step (CR 514.2)."""
        for obj in self.objects.values():
            obj.damage = 0
        self.expire(Duration.END_OF_TURN)

    def next_turn(self) -> None:
        """The next player's turn begins: "until your next turn" is over (CR 611.2a, 800.4m for who has left)."""
        self._forget()
        while True:
            self.active = (self.active + 1) % self.players
            self.expire(Duration.YOUR_NEXT_TURN, self.active)
            if self.active in self.in_game:
                return

    @staticmethod
    def _counters(obj: GameObject) -> tuple[int, int, int, int]:
        p1p1, m1m1, loyalty, charge = obj.counters
        return p1p1, m1m1, loyalty, charge

    # ------------------------------------------------------------------------------------------ queries

    def live(self, object_id: int) -> bool:
        return object_id in self.objects

    def facts(self, object_id: int) -> dict[str, Any] | None:
        obj = self.objects.get(object_id)
        if obj is None:
            return None
        values = self.values(obj)
        return {
            "zone": obj.zone,
            "owner": obj.owner,
            "controller": values.controller,
            "power": values.power,
            "toughness": values.toughness,
            "damage": obj.damage,
            "tapped": obj.tapped,
            "types": values.types,
            "subtypes": tuple(sorted(values.subtypes)),
            "colors": values.colors,
            "keywords": values.keywords,
            "abilities": labels(values),
            "name": "" if obj.face is None else values.face.name,
            "counters": self._counters(obj),
            "attached_to": obj.attached_to,
            "blocks": obj.blocks,
            "timestamp": obj.timestamp,
        }

    def lki(self, object_id: int) -> dict[str, Any] | None:
        record = self.records.get(object_id)
        return record.as_dict() if record else None

    def lki_at(self, card: int, tick: int) -> dict[str, Any] | None:
        record = self.records.at(card, tick)
        return record.as_dict() if record else None

    def zone_list(self, zone: int, player: int) -> list[int]:
        return list(self.zone(zone, player))

    def tick(self) -> int:
        return self._tick

    def references(self) -> Iterator[tuple[str, int]]:
        """Everything that refers to an object about which it may ask later: (what refers, id)."""
        for object_id in self.zone(Zone.BATTLEFIELD, 0):
            yield "objects.attached", self.objects[object_id].attached_to
            yield "objects.blocks", self.objects[object_id].blocks
        for ability in self.abilities:
            yield "stack.source", ability.source  # CR 113.7a
            for target in (*ability.targets, *ability.paid):
                yield "arena.lists", target  # CR 608.2b, 608.2h
        for effect in self.effects:
            if effect.affected in self.objects:  # CR 611.2c: it applies to nothing else any more
                yield "effect.source", effect.source
        for trigger in self.waiting:
            yield "trigger.source", trigger.source
            yield "trigger.object", trigger.object
        for event in self.history:
            yield "history.obj", event.obj  # CR 608.2i
            yield "history.other", event.other

    def reachable(self) -> set[int]:
        return self.records.reachable((object_id for _, object_id in self.references()), self.objects)


def labels(values: Values) -> tuple[str, ...]:
    """What the abilities are called that an object has, apart from keywords."""
    return tuple(sorted(ability.label for ability, _ in values.abilities))
