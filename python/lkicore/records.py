"""What a game tells about an object: what it is now, or was just before it left (CR 608.2h)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from lkicore import characteristics as chars
from lkicore.cards import CardPool
from lkicore.opcodes import (
    AbilityKind,
    ChosenKind,
    Color,
    Designation,
    HistoryKind,
    Keyword,
    ListRefKind,
    ObjectFlag,
    Status,
    TypeBit,
    Zone,
)


class AbilityInstance(NamedTuple):
    """An ability that an object has (CR 113).

    `number` in the card table, `kind`, `text`: the ability in the notation of card files, or its keyword; `own`: one of
    its definition's, else an effect has given it.
    """

    number: int
    kind: AbilityKind
    text: str
    own: bool


class CastFacts(NamedTuple):
    """How a spell was cast, which the permanent that it became remembers (CR 400.7d).

    `x`: the chosen X, 0 without; `kicked`: times that optional costs were paid, by their number on the card, from 0
    (CR 702.33); `modes`: numbers of the modes chosen, from 0 (CR 700.2), of a spell on the stack.
    """

    x: int
    kicked: Mapping[int, int]
    modes: tuple[int, ...]


class CopiableValues(NamedTuple):
    """What a copy of the object has (CR 707.2): no counters, no status, nothing that other effects do."""

    name: str
    mana_value: int
    colors: Color
    types: TypeBit
    subtypes: frozenset[str]
    power: int
    toughness: int
    keywords: Keyword
    abilities: tuple[AbilityInstance, ...]


@dataclass(frozen=True, slots=True)
class ObjectFacts:
    """Facts about an object with all computed values (CR 613): what it is now, or was just before it left.

    `card` is the physical card (-1: a token or an ability), `types` holds card types and supertypes. `keywords` is a
    summary of keyword abilities; `abilities` has every instance of the others, gained ones too. `counters` has the
    number of each kind by its name, 0 for others. `attached_to`, `blocking` (its first attacker) and `attachments` are
    ids of objects (0: none), `attacking` the defending player (-1: not attacking). `mana_value` counts X as chosen on
    the stack alone (CR 202.3e). `cast` says how its spell was cast (None: it was not, or the spell is forgotten),
    `chosen` what was chosen for it by `ChosenKind`'s name in lower case, `linked` the ids that its linked abilities
    know by their number (CR 607). `copiable` is what a copy of it has.
    """

    id: int
    name: str
    card: int
    zone: Zone
    owner: int
    controller: int
    power: int
    toughness: int
    damage: int
    status: Status
    flags: ObjectFlag
    types: TypeBit
    subtypes: frozenset[str]
    colors: Color
    keywords: Keyword
    abilities: tuple[AbilityInstance, ...]
    counters: Mapping[str, int]
    attached_to: int
    attachments: tuple[int, ...]
    attacking: int
    blocking: int
    also_blocking: tuple[int, ...]
    mana_value: int
    x: int
    cast: CastFacts | None
    chosen: Mapping[str, Any]
    linked: Mapping[int, tuple[int, ...]]
    designations: frozenset[Designation]
    copiable: CopiableValues
    timestamp: int

    @property
    def tapped(self) -> bool:
        """It is (was) tapped."""
        return bool(self.status & Status.TAPPED)

    @property
    def face_down(self) -> bool:
        """It is (was) face down (CR 708)."""
        return bool(self.status & Status.FACE_DOWN)

    @property
    def token(self) -> bool:
        """It is (was) a token (CR 111)."""
        return bool(self.flags & ObjectFlag.TOKEN)


@dataclass(frozen=True, slots=True)
class LkiRecord(ObjectFacts):
    """A departure in the LKI store: the object as it was immediately before it left `zone` (CR 608.2h).

    `tick` is the event tick, which all members of a simultaneous group share (CR 603.10), `zone_to` the zone entered
    (NONE: it ceased to exist or left the game; PHASED_OUT: it phased out and is still there), `became` the id of the
    object that it became (CR 400.7; 0: none). `attached` holds what was attached to it, as that was then: records with
    the same tick; of what stayed where it was, `zone_to` is `zone`.
    """

    tick: int
    zone_to: Zone
    became: int
    attached: tuple[LkiRecord, ...]


class Incarnation(NamedTuple):
    """One of the objects that a card has been (CR 400.7).

    `since`: event tick from which it was in `zone` (-1: not known, the departure before it is forgotten, or it began
    there), `until`: the tick in which it left (-1: it is there now), `zone_to`: where it went (NONE: out of the game,
    or it is there), `record`: what it was as it left (None: it is there now).
    """

    id: int
    zone: Zone
    since: int
    until: int
    zone_to: Zone
    record: LkiRecord | None


class Event(NamedTuple):
    """An event of this turn or the last (CR 608.2i)."""

    kind: HistoryKind
    turn: int
    tick: int
    player: int
    object: int
    other: int
    amount: int


def facts_of(pool: CardPool, raw: Mapping[str, Any], spell: Mapping[str, Any] | None = None) -> ObjectFacts:
    """What the core tells about a live object, in types. `spell`: the departed object that became it."""
    return ObjectFacts(**_common(pool, raw, spell), attachments=tuple(raw["attachments"]))


def record_of(pool: CardPool, raw: Mapping[str, Any], spell: Mapping[str, Any] | None = None) -> LkiRecord:
    """What the core tells about a departed object, in types. `spell`: the departed object that became it."""
    attached = tuple(record_of(pool, row) for row in raw["attachments"])
    return LkiRecord(
        **_common(pool, raw, spell),
        attachments=tuple(record.id for record in attached),
        tick=raw["tick"],
        zone_to=Zone(raw["zone_to"]),
        became=raw["became"],
        attached=attached,
    )


#: Columns that are taken as they are.
_PLAIN = (
    *("id", "card", "owner", "controller", "power", "toughness", "damage", "attached_to", "attacking", "blocking"),
    *("mana_value", "x", "timestamp"),
)
_TYPED = (
    *(("zone", Zone), ("status", Status), ("flags", ObjectFlag), ("types", TypeBit), ("colors", Color)),
    ("keywords", Keyword),
)


def _common(pool: CardPool, raw: Mapping[str, Any], spell: Mapping[str, Any] | None) -> dict[str, Any]:
    extra = raw["extra"]
    ability = bool(raw["flags"] & ObjectFlag.ABILITY)
    printed = chars.own_abilities(pool, raw)
    return {
        **{name: raw[name] for name in _PLAIN},
        **{name: kind(raw[name]) for name, kind in _TYPED},
        "name": pool.faces[raw["face"]].name,
        "subtypes": frozenset() if ability else frozenset(chars.subtypes(pool, raw)),
        "abilities": () if ability else _instances(pool, chars.abilities(pool, raw), printed),
        "counters": MappingProxyType(Counter(chars.counters(pool, raw))),
        "also_blocking": tuple(i for kind, i, _, _ in extra if kind == ListRefKind.BLOCKS),
        "cast": _cast(raw) or (_cast(spell) if spell is not None else None),
        "chosen": MappingProxyType(_chosen(pool, extra)),
        "linked": MappingProxyType(_linked(extra)),
        "designations": frozenset(Designation(row) for kind, _, row, _ in extra if kind == ListRefKind.DESIGNATED),
        "copiable": _copiable(pool, raw, printed),
    }


def _instances(pool: CardPool, numbers: list[int], printed: list[int]) -> tuple[AbilityInstance, ...]:
    rows = pool.assembly.abilities
    return tuple(
        AbilityInstance(n, AbilityKind(rows[n]["kind"]), chars.ability_text(pool, n), n in printed) for n in numbers
    )


def _copiable(pool: CardPool, raw: Mapping[str, Any], printed: list[int]) -> CopiableValues:
    definition = raw["definition"]
    return CopiableValues(
        pool.faces[raw["face"]].name,
        definition["mana_value"],
        Color(definition["colors"]),
        TypeBit(definition["types"]),
        frozenset(chars.own_subtypes(pool, raw)),
        definition["power"],
        definition["toughness"],
        Keyword(definition["keywords"]),
        _instances(pool, printed, printed),
    )


def _cast(raw: Mapping[str, Any]) -> CastFacts | None:
    extra = raw["extra"]
    spell = raw["zone"] == Zone.STACK and not raw["flags"] & (ObjectFlag.ABILITY | ObjectFlag.COPY)
    cast = [x for kind, x, _, _ in extra if kind == ListRefKind.CAST]
    if not spell and not cast:
        return None
    kicked: Counter[int] = Counter()
    for kind, times, cost, _ in extra:
        if kind == ListRefKind.KICKED:
            kicked[cost] += times
    modes = tuple(row for kind, _, row, _ in extra if kind == ListRefKind.MODE)
    return CastFacts(raw["x"] or sum(cast), MappingProxyType(dict(kicked)), modes)


def _chosen(pool: CardPool, extra: chars.Extra) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind, value, _, what in extra:
        if kind == ListRefKind.CHOSEN:
            chosen = ChosenKind(what)
            found[chosen.name.lower()] = (
                Color(value)
                if chosen is ChosenKind.COLOR
                else pool.assembly.subtypes[value]
                if chosen is ChosenKind.TYPE
                else pool.faces[value].name
                if chosen is ChosenKind.NAME
                else value
            )
    return found


def _linked(extra: chars.Extra) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    for kind, obj, _, number in extra:
        if kind == ListRefKind.LINK:
            found[number] = (*found.get(number, ()), obj)
    return found
