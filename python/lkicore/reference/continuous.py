"""Continuous effects of resolved spells and abilities (CR 611.2): what begins and ends them, what permanents are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lkicore.opcodes import Duration, Zone
from lkicore.reference.cards import CONTROL, CREATURE, EFFECTS, EXCEPTIONS, Change, Face, Static
from lkicore.reference.layers import Board, Values

if TYPE_CHECKING:
    from lkicore.reference.lki import Record, Records
    from lkicore.reference.model import GameObject

#: Durations that end with something that can be seen of the effect's source (CR 611.2b).
SEEN = (Duration.WHILE_SOURCE, Duration.WHILE_CONTROLLED, Duration.WHILE_TAPPED, Duration.WHILE_YOURS_TAPPED)
#: Durations that a driver uses.
DURATIONS = (Duration.END_OF_TURN, Duration.PERMANENT, Duration.YOUR_NEXT_TURN, *SEEN)


@dataclass(slots=True)
class Effect:
    """A continuous effect on one object (CR 611.2c), with its numbers (608.2h): changes, or a copy effect (layer 1)."""

    affected: int
    source: int
    changes: tuple[Change, ...]
    duration: int
    player: int
    timestamp: int
    copy: Face | None = None


@dataclass
class Computed:
    """Values of permanents as they were last worked out, and what has to be worked out anew.

    Without static abilities an object's values hang on nothing but the object and the effects on it.
    """

    values: dict[int, Values] = field(default_factory=dict)
    stale: set[int] = field(default_factory=set)
    all_stale: bool = False
    statics: bool = False


class Continuous:
    """The part of the model that knows continuous effects."""

    objects: dict[int, GameObject]
    records: Records
    in_game: set[int]
    zone: Callable[[int, int], list[int]]
    _timestamp: Callable[[], int]
    _permanent: Callable[[int], GameObject | None]

    board_type: type[Board] = Board

    def __init__(self) -> None:
        self.effects: list[Effect] = []  # by timestamp
        self._computed = Computed()
        self.blockers: set[int] = set()

    # ------------------------------------------------------------------------------------------ values

    def touch(self, object_id: int = 0) -> None:
        """Something about a permanent has changed, or (0) about which permanents there are."""
        if object_id:
            self._computed.stale.add(object_id)
        else:
            self._computed.all_stale = True

    def copiable(self, obj: GameObject) -> Face:
        """Its copiable values: what is printed, or what the last copy effect says (CR 707.2, 613.2a)."""
        assert obj.face is not None
        face = obj.face
        for effect in self.effects:
            if effect.copy is not None and effect.affected == obj.id:
                face = effect.copy
        return face

    def board(self) -> dict[int, Values]:
        """The values of all permanents."""
        done = self._computed
        if done.all_stale or (done.stale and done.statics):
            permanents = [self.objects[i] for i in self.zone(Zone.BATTLEFIELD, 0)]
            self._compute(permanents)
        elif done.stale:
            self._compute([obj for i in done.stale if (obj := self._permanent(i)) is not None])
        return done.values

    def _compute(self, permanents: list[GameObject]) -> None:
        done = self._computed
        faces = [self.copiable(obj) for obj in permanents]
        # Effects that give control to a player who has left do nothing (CR 800.4b).
        effects = [e for e in self.effects if e.player in self.in_game or e.changes[:1] != EFFECTS["control"]]
        board = self.board_type(permanents, faces, effects)
        statics = any(part.source is not None for part in board.parts)
        gives = any(isinstance(c.a, Static) for part in board.parts for c in part.changes)
        whole = done.all_stale or len(permanents) == len(self.zone(Zone.BATTLEFIELD, 0))
        if (statics or gives) and not whole:
            done.all_stale = True
            self.board()
            return
        values = board.run()
        self._leave_combat(values)
        if whole:
            done.values = values
            done.statics = statics or gives
        else:
            done.values.update(values)
        done.stale.clear()
        done.all_stale = False

    def _leave_combat(self, values: dict[int, Values]) -> None:
        """CR 506.4: a blocker that has got another controller, or is no creature any more, is removed from combat."""
        for i in [i for i in self.blockers if i in values or i not in self.objects]:
            obj, before = self.objects.get(i), self._computed.values.get(i)
            if obj is None:
                self.blockers.discard(i)
            elif not values[i].types & CREATURE or (before and before.controller != values[i].controller):
                obj.blocks = 0
                self.blockers.discard(i)

    def values(self, obj: GameObject) -> Values:
        """What an object is: with continuous effects on the battlefield, as printed elsewhere.

        An ability has no characteristics of that kind (CR 113.1).
        """
        if obj.zone == Zone.BATTLEFIELD:
            return self.board()[obj.id]
        if obj.face is None:
            values = Values(_NOTHING, obj.controller)
        else:
            values = Values(obj.face, obj.controller)
        # CR 208.3: off the battlefield whatever has a size printed on it has that.
        values.power, values.toughness = values.face.power, values.face.toughness
        if values.face.defines_size:
            # CR 604.3: in every zone; "you" is its owner there (109.5).
            values.power = values.toughness = self.creatures_of(obj.controller)
        return values

    def creatures_of(self, player: int) -> int:
        """How many creatures the player controls: those that are there (CR 604.7, 109.2)."""
        return sum(bool(v.types & CREATURE) and v.controller == player for v in self.board().values())

    # ------------------------------------------------------------------------------------------ begin and end

    def effect(self, name: str, object_id: int, x: int, y: int, duration: int, player: int, source: int = 0) -> None:
        """A resolved effect of `player` begins to apply to a permanent."""
        obj = self._permanent(object_id)
        if obj is None or player not in self.in_game or not self._lasts(duration, source, player):
            return
        numbers = {"x": x, "y": y}
        changes = tuple(
            c._replace(a=numbers.get(c.a, c.a) if isinstance(c.a, str) else c.a, b=numbers.get(c.b, c.b))
            for c in EFFECTS[name]
        )
        if name == "control":
            changes = (Change(CONTROL, "control", player),)
        self.effects.append(Effect(object_id, source, changes, duration, player, self._timestamp()))
        self.touch(object_id)
        self.settle()

    def pump(self, object_id: int, power: int, toughness: int, source: int = 0) -> None:
        """+power/+toughness until end of turn, by an effect that remembers its source."""
        obj = self._permanent(object_id)
        if obj is not None:
            self.effect("pump", object_id, power, toughness, Duration.END_OF_TURN, self.values(obj).controller, source)

    def control(self, object_id: int, player: int) -> None:
        """The player gains control of the permanent, with no end (CR 613.1b)."""
        self.effect("control", object_id, 0, 0, Duration.PERMANENT, player)

    def become_copy(self, object_id: int, of: int, duration: int, but: str = "") -> None:
        """A permanent becomes a copy of an object as that is or last was (CR 707.2, 608.2h), `but` for an exception."""
        obj, face = self._permanent(object_id), self.original(of, but)
        if obj is None or face is None:
            return
        player = self.values(obj).controller
        self.effects.append(Effect(object_id, 0, (), duration, player, self._timestamp(), face))
        self.touch()
        self.settle()

    def original(self, object_id: int, but: str = "") -> Face | None:
        """The copiable values of an object that is there or was; none of an ability.

        An exception is part of the copiable values of the copy (CR 707.9).
        """
        obj = self.objects.get(object_id)
        if obj is not None:
            face = None if obj.face is None else self.copiable(obj)
        else:
            record: Record | None = self.records.get(object_id)
            face = record.face if record is not None else None
        return face if face is None or not but else EXCEPTIONS[but][1](face)

    def _lasts(self, duration: int, source_id: int, player: int) -> bool:
        """What the duration speaks of is so; an effect for which it never is does not begin (CR 611.2b)."""
        if duration not in SEEN:
            return True
        source = self._permanent(source_id)
        if source is None:
            return False
        if duration == Duration.WHILE_SOURCE:
            return True
        if duration != Duration.WHILE_TAPPED and self.values(source).controller != player:
            return False
        return duration == Duration.WHILE_CONTROLLED or source.tapped

    def settle(self) -> None:
        """Effects end that last for as long as something is so that is so no longer, until that changes nothing."""
        while True:
            ended = [e for e in self.effects if not self._lasts(e.duration, e.source, e.player)]
            if not ended:
                break
            self._end(ended)
        if self.blockers:
            self.board()

    def _end(self, ended: list[Effect]) -> None:
        gone = {id(effect) for effect in ended}
        self.effects = [effect for effect in self.effects if id(effect) not in gone]
        for effect in ended:
            self.touch(effect.affected if effect.copy is None else 0)

    def expire(self, duration: int, player: int = -1) -> None:
        """The effects with this duration end: of one player, for "until your next turn"."""
        self._end([e for e in self.effects if e.duration == duration and player in (-1, e.player)])
        self.settle()

    def effects_leave(self, object_id: int) -> None:
        """A permanent leaves: effects on it don't follow it (CR 400.7)."""
        self.effects = [effect for effect in self.effects if effect.affected != object_id]


#: What an ability is (CR 113.1).
_NOTHING = Face("", 0)
