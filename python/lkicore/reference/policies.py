"""Abilities on the stack, their targets, and what they learn of objects and players (CR 608.2, 113.7a)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from lkicore.opcodes import CounterKind, HistoryKind, Policy, Zone
from lkicore.reference.cards import CREATURE, FLYING, HEXPROOF, SHROUD, Face, Protection

if TYPE_CHECKING:
    from lkicore.reference.layers import Values
    from lkicore.reference.lki import Records
    from lkicore.reference.model import GameObject


@dataclass(slots=True)
class Ability:
    """An ability on the stack: what it remembers of its source, targets and announcement (CR 113.7, 115, 602.2).

    `kind` is the number of one of `KINDS`, `x` the chosen X, `paid` what was sacrificed as a cost.
    """

    object: GameObject
    source: int
    targets: list[int]
    kind: int = 0
    x: int = 0
    paid: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Known:
    """What is known of an object: as it is, or as it last was. `where` as in `Answer`."""

    where: int
    id: int
    zone: int
    owner: int
    controller: int
    power: int
    toughness: int
    damage: int
    tapped: bool
    types: int
    subtypes: frozenset[str]
    colors: int
    keywords: int
    counters: tuple[int, ...]
    face: Face | None
    attached_to: int


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


class Policies:
    """The part of the model that reads information."""

    objects: dict[int, GameObject]
    records: Records
    in_game: set[int]
    values: Callable[[GameObject], Values]
    board: Callable[[], dict[int, Values]]
    zone: Callable[[int, int], list[int]]
    move: Callable[[Sequence[int], int], list[int]]
    life_of: Callable[[int], int]
    hand_of: Callable[[int], int]
    creatures_of: Callable[[int], int]
    attached_to: Callable[[int], list[GameObject]]
    _permanent: Callable[[int], GameObject | None]
    _new_object: Callable[..., GameObject]
    _place: Callable[[GameObject], None]
    _leave: Callable[[GameObject], None]
    _record: Callable[[Iterable[GameObject], int], None]

    def __init__(self) -> None:
        self.abilities: list[Ability] = []  # bottom first
        self.history: list[Event] = []
        self._turn_number = 1

    def ability(self, source: int, targets: Sequence[int], kind: int = 0, x: int = 0, paid: Sequence[int] = ()) -> int:
        """Put an ability of `source` on the stack; it exists from now on independently of it (CR 113.7a).

        Its controller is its source's (CR 113.8), as last known if the source has left; if that player has left the
        game, nothing happens (800.4d). Of `targets` those are chosen that are legal (115.1, 601.2c). Then permanents of
        its controller are sacrificed as a cost (601.2h). 0, and nothing happens, if there never was such a source.
        """
        controller = self.controller_of(source)
        if controller is None or controller not in self.in_game:
            return 0
        obj = self._new_object(None, -1, controller, Zone.STACK)
        self._place(obj)
        ability = Ability(obj, source, [], kind, x)
        for target in dict.fromkeys(targets):
            if self.legal(ability, target):
                ability.targets.append(target)
        self.abilities.append(ability)
        ability.paid = [
            i
            for i in dict.fromkeys(paid)
            if (permanent := self._permanent(i)) is not None and self.values(permanent).controller == controller
        ]
        if ability.paid:
            self.move(ability.paid, Zone.GRAVEYARD)
        return obj.id

    def legal(self, ability: Ability, target: int) -> bool:
        """Whether it may be a target, or still is a legal one (CR 115.1, 608.2b).

        It is a permanent that passes, as it is now, and that nothing guards: shroud (702.18), hexproof against
        opponents (702.11), protection from a quality of the source (702.16), as that is or last was.
        """
        obj = self._permanent(target)
        if obj is None:
            return False
        values = self.values(obj)
        if values.keywords & SHROUD:
            return False
        if values.keywords & HEXPROOF and values.controller != ability.object.controller:
            return False
        source = self.known(ability.source)
        for guard, _ in values.abilities:
            if isinstance(guard, Protection) and source is not None and source.colors & guard.colors:
                return False
        return KINDS[ability.kind].test(self, ability, values)

    def controller_of(self, object_id: int) -> int | None:
        """Who controls an object, or last did; None: there never was such an object."""
        if (obj := self.objects.get(object_id)) is not None:
            return self.values(obj).controller
        record = self.records.get(object_id)
        return record.controller if record is not None else None

    def resolve(self) -> list[Answer | tuple[int | None, ...]]:
        """Resolve the topmost ability: what it learns of its source, of each target, and from `READS`.

        [] if there is none, and if all its targets are illegal: then it does not resolve (CR 608.2b).
        """
        if not self.abilities:
            return []
        ability = self.abilities.pop()
        legal = {target for target in ability.targets if self.legal(ability, target)}
        answers: list[Answer | tuple[int | None, ...]] = []
        if legal or not ability.targets:
            answers.append(self.read(ability.source, Policy.LIVE_THEN_LKI))
            answers += [self.read_target(target, target in legal) for target in ability.targets]
            answers.append(tuple(read.value(self, ability, legal) for read in READS))
        # CR 608.2n: the ability leaves the stack and ceases to exist
        self._record([ability.object], Zone.NONE)
        self._leave(ability.object)
        return answers

    def read_target(self, target: int, legal: bool) -> Answer:
        """Nothing is known of an illegal target (CR 608.2b)."""
        return self.read(target, Policy.LEGAL_TARGET) if legal else Answer()

    def log(self, kind: int, object_id: int, other: int, player: int, amount: int) -> None:
        self.history.append(Event(kind, object_id, other, player, amount, self._turn_number))

    def _forget(self) -> None:
        """Effects ask about this turn and the last (CR 608.2i): what is older is forgotten."""
        self._turn_number += 1
        self.history = [event for event in self.history if event.turn >= self._turn_number - 1]

    def known(self, object_id: int, policy: Policy = Policy.LIVE_THEN_LKI) -> Known | None:
        """What a policy lets be known of a specific object.

        The id is the zone's too: whoever changes zones gets another (CR 400.7).
        """
        obj = self.objects.get(object_id)
        if obj is not None:
            if policy == Policy.COST_PAID:
                return None
            values = self.values(obj)
            return Known(
                1,
                obj.id,
                obj.zone,
                obj.owner,
                values.controller,
                values.power,
                values.toughness,
                obj.damage,
                obj.tapped,
                values.types,
                values.subtypes,
                values.colors,
                values.keywords,
                tuple(obj.counters),
                None if obj.face is None else values.face,
                obj.attached_to,
            )
        if policy in (Policy.LEGAL_TARGET, Policy.LEGALITY, Policy.LIVE_ONLY):
            return None  # CR 608.2b: nothing is known of an illegal target; CR 604.7: static abilities use no LKI
        if policy not in (Policy.LIVE_THEN_LKI, Policy.COST_PAID, Policy.RULE_LKI, Policy.HISTORY):
            raise ValueError(f"the model doesn't read by {policy!r}")
        record = self.records.get(object_id)
        if record is None:
            return None
        # CR 113.7a, 608.2h: last known information
        return Known(
            2,
            record.id,
            record.zone,
            record.owner,
            record.controller,
            record.power,
            record.toughness,
            record.damage,
            record.tapped,
            record.types,
            frozenset(record.subtypes),
            record.colors,
            record.keywords,
            record.counters,
            record.face,
            record.attached_to,
        )

    def read(self, object_id: int, policy: Policy) -> Answer:
        """Information about a specific object, by one of the policies that a driver can use."""
        known = self.known(object_id, policy)
        if known is None:
            return Answer()
        return Answer(
            known.where,
            known.power,
            known.toughness,
            known.controller,
            known.damage,
            known.counters[CounterKind.P1P1],
            int(known.tapped),
            known.zone,
        )

    def happened(self, kind: int, player: int, types: int) -> int:
        """How many events of a kind there were this turn, done by a player, whose object is or was of a type: wherever
        it is now (CR 608.2i)."""
        return sum(
            event.kind == kind
            and event.player == player
            and event.turn == self._turn_number
            and (known := self.known(event.obj, Policy.HISTORY)) is not None
            and bool(known.types & types)
            for event in self.history
        )


# ---------------------------------------------------------------------------------------------- what abilities target


class Kind(NamedTuple):
    """What an ability may target, in the effect language and here."""

    text: str
    test: Callable[[Policies, Ability, Values], bool]


def _smaller(game: Policies, ability: Ability, values: Values) -> bool:
    source = game.known(ability.source)
    return bool(values.types & CREATURE) and source is not None and values.power <= source.power - 1


def _unlike(game: Policies, ability: Ability, values: Values) -> bool:
    source = game.known(ability.source)
    return bool(values.types & CREATURE) and not (source is not None and values.colors & source.colors)


KINDS: tuple[Kind, ...] = (
    Kind("tapped | untapped", lambda *_: True),
    Kind("creature & power(at_most=2)", lambda _, __, values: bool(values.types & CREATURE) and values.power <= 2),
    Kind("creature & power(at_most=power_of(source) - 1)", _smaller),
    Kind("creature & ~shares_color(source)", _unlike),
    Kind("(tapped | untapped) & yours", lambda _, ability, values: values.controller == ability.object.controller),
    Kind(
        "creature & opponents",
        lambda _, ability, values: bool(values.types & CREATURE) and values.controller != ability.object.controller,
    ),
    Kind('subtype("Bear")', lambda _, __, values: "Bear" in values.subtypes),
    Kind("creature & has(flying)", lambda _, __, values: bool(values.types & CREATURE and values.keywords & FLYING)),
)


# ---------------------------------------------------------------------------------------------- what abilities ask


class Read(NamedTuple):
    """One question of a resolving ability: by which policy, in the effect language, and answered here.

    None: the question has no answer.
    """

    name: str
    policy: Policy
    text: str
    value: Callable[[Policies, Ability, set[int]], int | None]


def _of_source(what: Callable[[Known], int]) -> Callable[[Policies, Ability, set[int]], int | None]:
    def value(game: Policies, ability: Ability, _: set[int]) -> int | None:
        known = game.known(ability.source)
        return None if known is None else what(known)

    return value


def _host(game: Policies, ability: Ability) -> Known | None:
    """What the source is attached to, or was when it left: as that is, or last was (CR 608.2h, twice)."""
    source = game.known(ability.source)
    return game.known(source.attached_to) if source is not None and source.attached_to else None


def _of_host(game: Policies, ability: Ability, _: set[int]) -> int | None:
    host = _host(game, ability)
    return None if host is None else host.power


def _of_paid(game: Policies, ability: Ability, _: set[int]) -> int | None:
    """The object sacrificed as a cost, as it last was (CR 608.2h)."""
    known = game.known(ability.paid[0], Policy.COST_PAID) if ability.paid else None
    return None if known is None else known.power


def _attached(game: Policies, ability: Ability, _: set[int]) -> int:
    """How many are attached to the source, or were when it left (CR 608.2h)."""
    record = game.records.get(ability.source)
    return len(game.attached_to(ability.source)) if record is None else len(record.attachments)


def _blockers(game: Policies, ability: Ability, _: set[int]) -> int:
    return sum(obj.blocks == ability.source for obj in game.objects.values())


def _buried(game: Policies, ability: Ability, _: set[int]) -> int:
    return sum(
        bool(game.values(game.objects[i]).types & CREATURE)
        for i in game.zone(Zone.GRAVEYARD, ability.object.controller)
    )


def _life(game: Policies, ability: Ability, _: set[int]) -> int | None:
    """Of a player who left, the last life total (CR 800.4i)."""
    known = game.known(ability.source)
    return None if known is None else game.life_of(known.owner)


def _hand(game: Policies, ability: Ability, _: set[int]) -> int | None:
    known = game.known(ability.source)
    return None if known is None else game.hand_of(known.owner)


READS: tuple[Read, ...] = (
    Read("power", Policy.LIVE_THEN_LKI, "power_of(source)", _of_source(lambda known: known.power)),
    Read(
        "flying", Policy.RULE_LKI, "matches(source, has(flying))", _of_source(lambda k: int(bool(k.keywords & FLYING)))
    ),
    Read(
        "colors", Policy.LIVE_THEN_LKI, "colors_of(source)", _of_source(lambda known: (known.colors & 31).bit_count())
    ),
    Read("counters", Policy.LIVE_THEN_LKI, "counters_on(source)", _of_source(lambda known: sum(known.counters))),
    Read(
        "value", Policy.LIVE_THEN_LKI, "mana_value_of(source)", _of_source(lambda k: k.face.mana_value if k.face else 0)
    ),
    Read(
        "bear",
        Policy.LIVE_THEN_LKI,
        'matches(source, subtype("Bear"))',
        _of_source(lambda k: int("Bear" in k.subtypes)),
    ),
    Read("host", Policy.LIVE_THEN_LKI, "power_of(host)", _of_host),
    Read("paid", Policy.COST_PAID, "power_of(paid(0))", _of_paid),
    Read("x", Policy.AT_ANNOUNCE, "x", lambda _, ability, __: ability.x),
    Read("attached", Policy.LIVE_THEN_LKI, "number_of(attached_to(source, everything))", _attached),
    Read("blockers", Policy.LIVE_ONLY, "number_of(blockers_of(source))", _blockers),
    Read(
        "creatures",
        Policy.LIVE_ONLY,
        "count(creature & yours)",
        lambda game, a, _: game.creatures_of(a.object.controller),
    ),
    Read("buried", Policy.LIVE_ONLY, "count_in(graveyard, creature, of=you)", _buried),
    Read("legal", Policy.LEGALITY, "number_of(targets(0))", lambda _, __, legal: len(legal)),
    Read("life", Policy.PLAYER, "life_of(owner_of(source))", _life),
    Read("hand", Policy.PLAYER, "hand_size(owner_of(source))", _hand),
    Read(
        "died",
        Policy.HISTORY,
        "happened(died, by=you, of=creature)",
        lambda game, ability, _: game.happened(HistoryKind.DIED, ability.object.controller, CREATURE),
    ),
)
