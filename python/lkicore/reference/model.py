"""Objects, zones, zone changes and reading of information, written from the Comprehensive Rules.

What the operations mean where the rules leave it open, or where a driver needs a convention:

- An operation on an object acts only on the live object with that very id; anything else is ignored (CR 400.7).
  `tap` to `pump` act on permanents only, `damage` on creatures only (CR 120.1).
- Event ticks: a group of departures (`move`, `cease`, `resolve`) begins by advancing the tick, if anything departs.
  Nothing else advances it.
- Objects get their timestamp when they enter a zone, and when they become attached to another object (CR 613.7).
- No state-based actions happen by themselves: damage doesn't destroy, nothing falls off, tokens wait for `cease`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lkicore.opcodes import Color, CounterKind, Keyword, Policy, TypeBit, Zone
from lkicore.reference.lki import Record, Records

#: Zones of which each player has one (CR 400.1); the sideboard is no zone but is kept like one (CR 100.4).
OWN_ZONES = frozenset({Zone.LIBRARY, Zone.HAND, Zone.GRAVEYARD, Zone.SIDEBOARD})


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on a card, or defines a token."""

    name: str
    types: int
    colors: int = 0
    power: int = 0
    toughness: int = 0
    keywords: int = 0


FACES: tuple[Face, ...] = (
    Face("Driver Bear", int(TypeBit.CREATURE), int(Color.G), 2, 2),
    Face("Driver Bird", int(TypeBit.CREATURE), int(Color.U), 1, 1, int(Keyword.FLYING)),
    Face("Driver Land", int(TypeBit.LAND)),
    Face("Driver Wall", int(TypeBit.CREATURE), int(Color.W), 0, 4),
    Face("Driver Token", int(TypeBit.CREATURE), int(Color.R), 1, 1),
)
#: Faces that the cards of a driver have in turn.
CARD_FACES = 4


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


@dataclass(slots=True)
class Ability:
    """An ability on the stack: what it remembers of its source and its targets (CR 113.7, 115)."""

    object: GameObject
    source: int
    targets: list[int]


@dataclass(slots=True)
class Effect:
    """A continuous effect "until end of turn" (CR 611.2a)."""

    affected: int
    source: int
    power: int
    toughness: int


@dataclass(slots=True)
class Event:
    """Something that happened, for effects that ask about it later (CR 608.2i)."""

    kind: int
    obj: int
    other: int
    player: int
    amount: int
    turn: int


class Answer(NamedTuple):
    """Information about a specific object. `where`: 0 no answer, 1 the live object, 2 last known."""

    where: int = 0
    power: int = 0
    toughness: int = 0
    controller: int = 0
    damage: int = 0
    p1p1: int = 0
    tapped: int = 0
    zone: int = 0


class Model:
    """One game's objects, with everything that ever left a zone."""

    def __init__(
        self,
        players: int,
        cards: int,
        *,
        size_class: int = 0,  # noqa: ARG002 - the core's concern: the model has no limits
        ring: int = 0,  # noqa: ARG002
        table: Sequence[Face] | None = None,
    ) -> None:
        self.players = players
        self.faces = FACES if table is None else tuple(table)
        self.records = Records()
        self.objects: dict[int, GameObject] = {}
        self.abilities: list[Ability] = []  # bottom first
        self.effects: list[Effect] = []
        self.history: list[Event] = []
        self.next_id = 1
        self._places: dict[tuple[int, int], list[int]] = {
            (int(zone), player): [] for zone in Zone for player in range(players if zone in OWN_ZONES else 1)
        }
        self._tick = 1
        self._turn_number = 1
        self._clock = 1
        for card in range(players * cards):
            owner = card // cards
            obj = self._new_object(self.faces[card % CARD_FACES], card, owner, Zone.LIBRARY)
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

    def _leave(self, obj: GameObject) -> None:
        self.zone(obj.zone, obj.owner).remove(obj.id)
        del self.objects[obj.id]

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
            self.records.add(
                Record(
                    id=obj.id,
                    tick=self._tick,
                    zone=obj.zone,
                    zone_to=int(zone_to),
                    owner=obj.owner,
                    controller=obj.controller,
                    power=self._power(obj),
                    toughness=self._toughness(obj),
                    damage=obj.damage,
                    tapped=obj.tapped,
                    types=obj.face.types if obj.face else 0,
                    colors=obj.face.colors if obj.face else 0,
                    keywords=obj.face.keywords if obj.face else 0,
                    counters=self._counters(obj),
                    attached_to=obj.attached_to,
                    card=obj.card,
                )
            )

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
        moved = []
        for object_id in ids:
            obj = leaving.pop(object_id, None)
            moved.append(self._change_zone(obj, zone) if obj else 0)
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
        """Create a token; its creator owns it (CR 111.2)."""
        self._tick += 1  # creating it is an event
        obj = self._new_object(self.faces[face], -1, player, Zone.BATTLEFIELD, token=True)
        self._place(obj)
        return obj.id

    def cease(self) -> int:
        """Tokens outside the battlefield cease to exist, all at once (CR 111.7, 704.5d)."""
        gone = [obj for obj in self.objects.values() if obj.token and obj.zone != Zone.BATTLEFIELD]
        if gone:
            self._record(gone, Zone.NONE)
        for obj in gone:
            self._leave(obj)
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

    def damage(self, object_id: int, n: int) -> None:
        """Mark damage on a creature (CR 120.3e); no damage is no event (CR 120.8)."""
        obj = self._permanent(object_id)
        if obj and _is_creature(obj) and n > 0:
            obj.damage += n

    def counters(self, object_id: int, kind: int, n: int) -> None:
        """Put counters on a permanent (CR 122), or remove as many as there are."""
        if obj := self._permanent(object_id):
            obj.counters[CounterKind(kind)] = max(0, obj.counters[CounterKind(kind)] + n)

    def control(self, object_id: int, player: int) -> None:
        if obj := self._permanent(object_id):
            obj.controller = player

    def attach(self, object_id: int, to: int) -> None:
        """Attach a permanent to another one (CR 701.3); `to` 0 unattaches it."""
        obj = self._permanent(object_id)
        if obj is None:
            return
        if to == 0:
            obj.attached_to = 0
        elif to not in (object_id, obj.attached_to) and self._permanent(to):
            # Attaching to what it is attached to does nothing (CR 701.3b); else it gets a new timestamp (CR 613.7).
            obj.attached_to = to
            obj.timestamp = self._timestamp()

    def pump(self, object_id: int, power: int, toughness: int, source: int = 0) -> None:
        """+power/+toughness until end of turn, by an effect that remembers its source."""
        if self._permanent(object_id):
            self.effects.append(Effect(object_id, source, power, toughness))

    def end_turn(self) -> None:
        """The simultaneous part of the cleanup step (CR 514.2)."""
        self.effects.clear()
        for obj in self.objects.values():
            obj.damage = 0

    def ability(self, source: int, targets: Sequence[int]) -> int:
        """Put an ability of `source` on the stack; it exists from now on independently of it (CR 113.7a).

        Its controller is its source's (CR 113.8), as last known if the source has left. Targets must be there when they
        are chosen (CR 115.1): others are left out. 0, and nothing happens, if there never was such a source.
        """
        origin = self.objects.get(source) or self.records.get(source)
        if origin is None:
            return 0
        chosen = [target for target in targets if target in self.objects]  # never the ability itself (CR 115.5)
        obj = self._new_object(None, -1, origin.controller, Zone.STACK)
        self._place(obj)
        self.abilities.append(Ability(obj, source, chosen))
        return obj.id

    def resolve(self) -> list[Answer]:
        """Resolve the topmost ability: what it learns of its source, then of each target. [] if there is none."""
        if not self.abilities:
            return []
        ability = self.abilities.pop()
        answers = [self.read(ability.source, Policy.LIVE_THEN_LKI)]
        answers += [self.read(target, Policy.LEGAL_TARGET) for target in ability.targets]
        # CR 608.2n: the ability leaves the stack and ceases to exist
        self._record([ability.object], Zone.NONE)
        self._leave(ability.object)
        return answers

    def log(self, kind: int, object_id: int, other: int, player: int, amount: int) -> None:
        self.history.append(Event(kind, object_id, other, player, amount, self._turn_number))

    def next_turn(self) -> None:
        """Effects ask about this turn and the last (CR 608.2i): what is older is forgotten."""
        self._turn_number += 1
        self.history = [event for event in self.history if event.turn >= self._turn_number - 1]

    # ------------------------------------------------------------------------------------------ values

    def _power(self, obj: GameObject) -> int:
        if not _is_creature(obj):
            return 0  # CR 208.3: only creatures have power and toughness
        assert obj.face is not None
        pumped = sum(effect.power for effect in self.effects if effect.affected == obj.id)  # CR 613.4c, with counters
        return obj.face.power + obj.counters[CounterKind.P1P1] - obj.counters[CounterKind.M1M1] + pumped

    def _toughness(self, obj: GameObject) -> int:
        if not _is_creature(obj):
            return 0
        assert obj.face is not None
        pumped = sum(effect.toughness for effect in self.effects if effect.affected == obj.id)
        return obj.face.toughness + obj.counters[CounterKind.P1P1] - obj.counters[CounterKind.M1M1] + pumped

    @staticmethod
    def _counters(obj: GameObject) -> tuple[int, int, int, int]:
        p1p1, m1m1, loyalty, charge = obj.counters
        return p1p1, m1m1, loyalty, charge

    def read(self, object_id: int, policy: Policy) -> Answer:
        """Information about a specific object, by one of the policies that a driver can use."""
        obj = self.objects.get(object_id)
        if obj is not None:
            # The id is the zone's too: whoever changes zones gets another (CR 400.7).
            return Answer(
                1,
                self._power(obj),
                self._toughness(obj),
                obj.controller,
                obj.damage,
                obj.counters[CounterKind.P1P1],
                int(obj.tapped),
                obj.zone,
            )
        if policy in (Policy.LEGAL_TARGET, Policy.LIVE_ONLY):
            return Answer()  # CR 608.2b: nothing is known of an illegal target; CR 604.7: static abilities use no LKI
        if policy not in (Policy.LIVE_THEN_LKI, Policy.COST_PAID, Policy.RULE_LKI):
            raise ValueError(f"the model doesn't read by {policy!r}")
        record = self.records.get(object_id)
        if record is None:
            return Answer()
        # CR 113.7a, 608.2h: last known information
        return Answer(
            2,
            record.power,
            record.toughness,
            record.controller,
            record.damage,
            record.counters[CounterKind.P1P1],
            int(record.tapped),
            record.zone,
        )

    # ------------------------------------------------------------------------------------------ queries

    def live(self, object_id: int) -> bool:
        return object_id in self.objects

    def facts(self, object_id: int) -> dict[str, Any] | None:
        obj = self.objects.get(object_id)
        if obj is None:
            return None
        return {
            "zone": obj.zone,
            "owner": obj.owner,
            "controller": obj.controller,
            "power": self._power(obj),
            "toughness": self._toughness(obj),
            "damage": obj.damage,
            "tapped": obj.tapped,
            "types": obj.face.types if obj.face else 0,
            "colors": obj.face.colors if obj.face else 0,
            "keywords": obj.face.keywords if obj.face else 0,
            "counters": self._counters(obj),
            "attached_to": obj.attached_to,
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
        for ability in self.abilities:
            yield "stack.source", ability.source  # CR 113.7a
            for target in ability.targets:
                yield "arena.lists", target  # CR 608.2b
        for effect in self.effects:
            if effect.affected in self.objects:  # CR 611.2c: it applies to nothing else any more
                yield "effect.source", effect.source
        for event in self.history:
            yield "history.obj", event.obj  # CR 608.2i
            yield "history.other", event.other

    def reachable(self) -> set[int]:
        return self.records.reachable((object_id for _, object_id in self.references()), self.objects)


def _is_creature(obj: GameObject) -> bool:
    return obj.face is not None and bool(obj.face.types & TypeBit.CREATURE)
