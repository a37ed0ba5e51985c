"""Computed values: what permanents are after all continuous effects, layer by layer (CR 613).

Written from the rule, slowly: in each layer the effects that are left are looked at again after each one that has been
applied, and whether one depends on another (CR 613.8a) is found out by trying: the other is applied, and undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lkicore.opcodes import CounterKind
from lkicore.reference.cards import (
    ABILITIES,
    ADD_SIZE,
    CDA,
    COLORS,
    CONTROL,
    CREATURE,
    PROTECTION,
    SET_SIZE,
    SUBTYPES_OF,
    SWITCH_SIZE,
    TYPES,
    Ability,
    Change,
    Face,
    Protection,
    Static,
)

if TYPE_CHECKING:
    from lkicore.reference.continuous import Effect
    from lkicore.reference.model import GameObject

#: Card types; the other bits are supertypes, which no effect that sets types takes away (CR 205.4b).
CARD_TYPES = (1 << 9) - 1
LAYERS = (CONTROL, TYPES, COLORS, ABILITIES, CDA, SET_SIZE, ADD_SIZE, SWITCH_SIZE)
#: An ability that an object has, and the timestamp of the effect that gave it; 0 by itself.
Instance = tuple[Ability, int]


class Values:
    """The characteristics of one object (CR 109.3) and who controls it, as far as the layers have been applied."""

    __slots__ = ("abilities", "colors", "controller", "face", "keywords", "power", "subtypes", "toughness", "types")

    def __init__(self, face: Face, controller: int) -> None:
        self.face: Face = face
        self.controller: int = controller
        self.types: int = face.types
        self.subtypes: frozenset[str] = face.subtypes
        self.colors: int = face.colors
        self.keywords: int = face.keywords
        self.abilities: tuple[Instance, ...] = tuple((ability, 0) for ability in face.abilities)
        self.power: int = 0
        self.toughness: int = 0

    def copy(self) -> Values:
        new = Values.__new__(Values)
        for name in Values.__slots__:
            setattr(new, name, getattr(self, name))
        return new


class Part:
    """A continuous effect on its way through the layers: of a static ability of `source`, or a resolved one.

    `affected`: the objects that it applies to, once it has begun to apply (CR 613.6); of a resolved effect always the
    one that it was locked in on (CR 611.2c).
    """

    __slots__ = ("affected", "changes", "instance", "source", "timestamp")

    def __init__(
        self,
        timestamp: int,
        changes: Sequence[Change],
        affected: list[GameObject] | None,
        source: GameObject | None = None,
        instance: Instance | None = None,
    ) -> None:
        self.timestamp = timestamp
        self.changes = changes
        self.affected = affected
        self.source = source
        self.instance = instance

    @classmethod
    def of(cls, source: GameObject, instance: Instance) -> Part:
        """The effect of a static ability: its timestamp is the object's, or the later one of what granted the ability
        (CR 613.7a)."""
        ability, granted = instance
        assert isinstance(ability, Static)
        return cls(max(source.timestamp, granted), ability.changes, None, source, instance)

    @property
    def static(self) -> Static:
        assert self.instance is not None
        assert isinstance(self.instance[0], Static)
        return self.instance[0]

    def works_in(self, layer: int) -> bool:
        return any(change.layer == layer for change in self.changes)


class Board:
    """The permanents while their values are being worked out."""

    #: Whether dependency is looked at (CR 613.8); without it timestamps alone decide.
    dependency = True

    def __init__(self, permanents: Sequence[GameObject], faces: Sequence[Face], effects: Iterable[Effect]) -> None:
        self.permanents = permanents
        self.values: dict[int, Values] = {}
        self.parts: list[Part] = []
        by_id = {}
        for obj, face in zip(permanents, faces, strict=True):
            self.values[obj.id] = values = Values(face, obj.controller)
            by_id[obj.id] = obj
            for instance in values.abilities:
                if isinstance(instance[0], Static):
                    self.parts.append(Part.of(obj, instance))
        self.by_id = by_id
        self.parts += [
            Part(effect.timestamp, effect.changes, [by_id[effect.affected]])
            for effect in effects
            if effect.changes and effect.affected in by_id
        ]

    def __getitem__(self, object_id: int) -> Values:
        return self.values[object_id]

    # ------------------------------------------------------------------------------------------ the layers

    def run(self) -> dict[int, Values]:
        for layer in LAYERS:
            if layer == CDA:
                self.begin_sizes()
            if self.parts:
                self.run_layer(layer)
            if layer == ADD_SIZE:
                self.count_counters()
        return self.values

    def begin_sizes(self) -> None:
        """What is no creature has no power and toughness (CR 208.3)."""
        for values in self.values.values():
            if values.types & CREATURE:
                values.power, values.toughness = values.face.power, values.face.toughness

    def count_counters(self) -> None:
        """Layer 7c, too (CR 613.4c)."""
        for obj in self.permanents:
            n = obj.counters[CounterKind.P1P1] - obj.counters[CounterKind.M1M1]
            values = self.values[obj.id]
            if n and values.types & CREATURE:
                values.power += n
                values.toughness += n

    def run_layer(self, layer: int) -> None:
        """Apply the effects of a layer by timestamp (CR 613.7), what depends on others after those (613.8)."""
        waiting = sorted((part for part in self.parts if part.works_in(layer)), key=lambda part: part.timestamp)
        while waiting:
            part = self.next_of(waiting, layer)
            waiting.remove(part)
            known = len(self.parts)
            self.apply(part, layer)
            for granted in self.parts[known:]:
                # An ability that has just been gained may apply in this very layer.
                if granted.works_in(layer):
                    waiting.append(granted)
            waiting.sort(key=lambda each: each.timestamp)

    def next_of(self, waiting: list[Part], layer: int) -> Part:
        """The one to apply next: the earliest of those that wait for no other one, but in a circle (CR 613.8b)."""
        doubtful = [part for part in waiting if self.dependency and self.may_depend(part, waiting, layer)]
        if not doubtful:
            return waiting[0]
        needs: dict[int, list[int]] = {number: [] for number in range(len(waiting))}
        for number, part in enumerate(waiting):
            if part in doubtful:
                needs[number] = [
                    k for k, other in enumerate(waiting) if k != number and self.depends(part, other, layer)
                ]
        for number, part in enumerate(waiting):
            if all(number in _reached(needs, other) for other in _reached(needs, number)):
                return part
        raise AssertionError("every effect waits for another one")

    @staticmethod
    def may_depend(part: Part, waiting: list[Part], layer: int) -> bool:
        """Whether anything of this layer can be what it depends on at all: a resolved effect, and one that has begun to
        apply, asks for nothing any more; an ability exists unless something takes abilities away."""
        if part.affected is not None:
            return False
        if layer in part.static.asks or layer == CONTROL:
            return True
        return layer == ABILITIES and any(c.what == "lose_all" for other in waiting for c in other.changes)

    def depends(self, part: Part, other: Part, layer: int) -> bool:
        """CR 613.8a: applying the other one would change its existence, what it applies to, or what it does."""
        before = self.meaning(part, layer)
        targets = self.would_affect(other)
        if not targets:
            return False
        kept = {obj.id: self.values[obj.id].copy() for obj in targets}
        self.change(other, targets, layer, grant=False)
        after = self.meaning(part, layer)
        self.values.update(kept)
        return after != before

    def meaning(self, part: Part, layer: int) -> tuple[Any, ...]:
        """Whether an effect applies, to what, and what it would do."""
        affected = self.would_affect(part)
        assert part.source is not None
        what = [
            (change.a(self, part.source) if callable(change.a) else change.a)
            for change in part.changes
            if change.layer == layer
        ]
        giver = self.values[part.source.id].controller if layer == CONTROL else -1
        return [obj.id for obj in affected], giver, what

    def exists(self, part: Part) -> bool:
        """The object has the ability still (CR 613.1f)."""
        assert part.source is not None
        return part.instance in self.values[part.source.id].abilities

    def would_affect(self, part: Part) -> list[GameObject]:
        if part.affected is not None:
            return part.affected
        source, ability = part.source, part.static
        assert source is not None
        if not self.exists(part):
            return []
        if ability.condition is not None and not ability.condition(self, source):
            return []
        if ability.scope == "self":
            return [source]
        if ability.scope == "host":
            host = self.by_id.get(source.attached_to)
            return [host] if host is not None else []
        assert ability.test is not None
        return [obj for obj in self.permanents if ability.test(self, source, obj)]

    def apply(self, part: Part, layer: int) -> None:
        affected = self.would_affect(part)
        if part.affected is None:
            source, ability = part.source, part.static
            assert source is not None
            if not self.exists(part):
                return
            if ability.condition is not None and not ability.condition(self, source):
                return  # it may begin in a later layer
            part.affected = affected  # CR 613.6
        self.change(part, affected, layer, grant=True)

    # ------------------------------------------------------------------------------------------ single changes

    def change(self, part: Part, affected: list[GameObject], layer: int, *, grant: bool) -> None:
        for change in part.changes:
            if change.layer != layer:
                continue
            a, b = (self.number(part, n) for n in (change.a, change.b))
            for obj in affected:
                self.change_one(part, obj, change.what, a, b, grant=grant)

    def number(self, part: Part, n: Any) -> Any:
        if not callable(n):
            return n
        assert part.source is not None
        return n(self, part.source)

    def change_one(self, part: Part, obj: GameObject, what: str, a: Any, b: Any, *, grant: bool) -> None:
        values = self.values[obj.id]
        if what == "add_size":
            if values.types & CREATURE:
                values.power += a
                values.toughness += b
        elif what == "set_size":
            if values.types & CREATURE:
                values.power, values.toughness = a, b
        elif what == "switch":
            values.power, values.toughness = values.toughness, values.power
        elif what == "add_keywords":
            values.keywords |= a
        elif what == "lose_keywords":
            values.keywords &= ~a
        elif what == "lose_all":
            values.keywords = 0
            values.abilities = ()
        elif what == "gain_ability":
            instance = (a, part.timestamp)
            values.abilities = (*values.abilities, instance)
            if isinstance(a, Protection):
                values.keywords |= PROTECTION
            elif grant:
                self.parts.append(Part.of(obj, instance))
        elif what == "control":
            values.controller = self.values[part.source.id].controller if part.source is not None else a
        elif what == "set_colors":
            values.colors = a
        elif what == "add_colors":
            values.colors |= a
        else:
            change_types(values, what, a)


def change_types(values: Values, what: str, a: Any) -> None:
    """Layer 4: types, and the subtypes that belong to them (CR 205.1)."""
    if what == "add_types":
        values.types |= a
    elif what in ("set_types", "lose_types"):
        kept = values.types & ~CARD_TYPES | a if what == "set_types" else values.types & ~a
        # CR 205.1a: with a card type go the subtypes of it
        for one, subtypes in SUBTYPES_OF.items():
            if not kept & one:
                values.subtypes -= subtypes
        values.types = kept
    elif what == "add_subtype":
        values.subtypes |= {a}
    else:
        assert what == "set_subtype"
        # CR 205.1a: it replaces those of its own set
        values.subtypes = values.subtypes - SUBTYPES_OF[CREATURE] | {a}


def _reached(needs: dict[int, list[int]], start: int) -> Iterator[int]:
    found: set[int] = set()
    todo = list(needs[start])
    while todo:
        number = todo.pop()
        if number not in found:
            found.add(number)
            todo += needs[number]
    return iter(found)
