"""Every mechanism that decks are made of: at least two real cards of the pool use it, and a scenario plays one of them.

Looked up in the effect language that a card became, not in texts: keywords are expanded, so that what a composition is
made of counts too.
"""

from __future__ import annotations

import dataclasses
import enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lkicore import ir
from lkicore.ir.changes import Change, choose_color, choose_creature_type
from lkicore.ir.effects import Effect
from lkicore.ir.faces import Face
from lkicore.ir.keywords import COMPOSITIONS, KeywordAbility
from lkicore.ir.references import Ref
from lkicore.ir.triggers import Event
from lkicore.ir.values import Value
from lkicore.opcodes import (
    ChangeOp,
    CostOp,
    EffectOp,
    EnterOp,
    EventKind,
    Keyword,
    KeywordAction,
    Layout,
    PlayerFact,
    ReplaceOp,
    RuleOp,
    TypeBit,
    ValueOp,
    WayKind,
)
from lkicore.scenario import read_scenarios
from test_pool import CARDS, POOL, parts

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent

#: One real card has it, or it is nothing that a card alone shows: why.
EXEMPT = {
    "companion": "played by tests/test_opening_hands.py: it is chosen before the game",
    "companion of a deck of at least": "Yorion alone; tests/test_opening_hands.py",
    "fortify": "one card that is no token maker besides",
    "frenzy": "Slivers alone have it, by one card",
}


@cache
def nodes(name: str) -> tuple[object, ...]:
    return tuple(parts(POOL[name]))


@cache
def members(name: str) -> frozenset[tuple[type, int]]:
    """Opcodes, events, costs … of the face as pairs of enumeration and number; flags bit by bit."""
    found: set[tuple[type, int]] = set()
    for node in nodes(name):
        if isinstance(node, enum.Flag):
            found |= {(type(node), bit.value) for bit in node}
        elif isinstance(node, enum.Enum):
            found.add((type(node), node.value))
    return frozenset(found)


@cache
def words(name: str) -> frozenset[str]:
    """Keyword abilities that are made of others, its own or given to something."""
    own = {n.word for n in nodes(name) if isinstance(n, KeywordAbility)}
    given = {text for n in nodes(name) if isinstance(n, Change) for text in n.keywords}
    return frozenset(own | {w for w in COMPOSITIONS for text in given if f"{text} ".startswith(f"{w} ")})


def uses(*any_of: enum.Enum) -> Callable[[str], bool]:
    wanted = {(type(m), m.value) for m in any_of}
    return lambda name: bool(wanted & members(name))


def keyword(*any_of: str) -> Callable[[str], bool]:
    return lambda name: bool(set(any_of) & words(name))


def subtype(kind: str) -> Callable[[str], bool]:
    return lambda name: kind in POOL[name].subtypes


def layout(kind: Layout) -> Callable[[str], bool]:
    return lambda name: POOL[name].layout is kind and not POOL[name].back


def type_(kind: TypeBit) -> Callable[[str], bool]:
    return lambda name: kind in POOL[name].types


def says(*texts: str) -> Callable[[str], bool]:
    """One of the words, kinds of counters or names of tokens stands in it."""
    return lambda name: any(n in texts for n in nodes(name) if isinstance(n, str))


def made_of(*instructions: tuple[object, ...]) -> Callable[[str], bool]:
    """It has the instructions of a keyword action, in whichever size."""

    def found(name: str) -> bool:
        return any(
            isinstance(n, tuple) and n[k : k + len(wanted)] == wanted
            for n in nodes_and_tuples(name)
            for wanted in instructions
            for k in range(len(n))
        )

    return found


@cache
def nodes_and_tuples(name: str) -> tuple[tuple[object, ...], ...]:
    found: list[tuple[object, ...]] = []

    def walk(node: object) -> None:
        if isinstance(node, tuple):
            found.append(node)
            for inner in node:
                walk(inner)
        elif isinstance(node, KeywordAbility):
            walk(node.parts)
        elif dataclasses.is_dataclass(node) and not isinstance(node, type):
            for item in dataclasses.fields(node):
                walk(getattr(node, item.name))

    walk(POOL[name])
    return tuple(found)


def holding(part: type, *inner: enum.Enum, **facts: object) -> Callable[[str], bool]:
    """A part of this kind with these attributes that has all of these members in it."""
    wanted = {(type(m), m.value) for m in inner}

    def found(name: str) -> bool:
        for node in nodes(name):
            if not isinstance(node, part) or any(getattr(node, key) != fact for key, fact in facts.items()):
                continue
            has: set[tuple[type, int]] = set()
            for inside in parts(node):
                if isinstance(inside, enum.Flag):
                    has |= {(type(inside), bit.value) for bit in inside}
                elif isinstance(inside, enum.Enum):
                    has.add((type(inside), inside.value))
            if wanted <= has:
                return True
        return False

    return found


def event(kind: EventKind, *inner: enum.Enum) -> Callable[[str], bool]:
    return holding(Event, *inner, kind=kind)


def value_of(*values: object) -> Callable[[str], bool]:
    return lambda name: any(n in values for n in nodes(name) if isinstance(n, Value))


def of_numbers(action: Callable[[int], tuple[object, ...]]) -> Callable[[str], bool]:
    return made_of(*(action(n) for n in range(1, 8)))


def way(kind: WayKind) -> Callable[[str], bool]:
    return uses(kind)


def mode_costs(name: str) -> bool:
    spell = POOL[name].spell
    return spell is not None and spell.modes is not None and bool(spell.modes.costs)


#: What real decks use, in our own words: how a card is known to have it.
MECHANICS: dict[str, Callable[[str], bool]] = {
    "enters tapped": uses(EnterOp.TAPPED),
    "searches a library": uses(EffectOp.SEARCH_LAND),
    "replacement": uses(*ReplaceOp),
    "returns a card from a graveyard": holding(Effect, EffectOp.RETURN),
    "counters a spell": uses(EffectOp.COUNTER),
    "Auras": subtype("Aura"),
    "a choice as it enters": uses(EnterOp.CHOOSE),
    "each opponent": holding(Ref, ir.each_opponent.op),
    "sacrifices something": uses(CostOp.SACRIFICE, EffectOp.EDICT),
    "scry": uses(EffectOp.SCRY),
    "planeswalkers": type_(TypeBit.PLANESWALKER),
    "discards": uses(EffectOp.DISCARD, CostOp.DISCARD),
    "regeneration": uses(EffectOp.REGENERATE),
    "copies of permanents": uses(EffectOp.COPY_TOKEN, EnterOp.COPY, EffectOp.BECOME_COPY),
    "becomes a copy": uses(EffectOp.BECOME_COPY),
    "Equipment": subtype("Equipment"),
    "prevention": uses(EffectOp.PREVENT, ReplaceOp.PREVENT_TO),
    "surveil": uses(EffectOp.SURVEIL),
    "mill": uses(EffectOp.MILL),
    "transforming cards": layout(Layout.TRANSFORMING),
    "modal double-faced cards": layout(Layout.MODAL),
    "split cards": layout(Layout.SPLIT),
    "Adventures": layout(Layout.ADVENTURE),
    "Sagas": subtype("Saga"),
    "Classes": subtype("Class"),
    "Vehicles": subtype("Vehicle"),
    "Treasures": says("Treasure Token"),
    "Food": says("Food Token"),
    "Blood": says("Blood Token"),
    "Clues": made_of(ir.investigate()),
    "Maps": says("Map Token"),
    "emblems": uses(EffectOp.EMBLEM),
    "landfall": event(EventKind.ENTERS, TypeBit.LAND),
    "fights": uses(EffectOp.FIGHT),
    "a colour chosen": lambda name: uses(EffectOp.PICK_COLOR)(name) or choose_color in nodes(name),
    "a creature type chosen": lambda name: choose_creature_type in nodes(name),
    "control changes": uses(ChangeOp.CONTROL),
    "extra turns": uses(EffectOp.EXTRA_TURN),
    "additional combat phases": uses(EffectOp.EXTRA_PHASE),
    "energy": says("energy"),
    "poison counters": lambda name: says("poison")(name) or uses(Keyword.INFECT, Keyword.TOXIC)(name),
    "devotion": uses(ValueOp.DEVOTION),
    "metalcraft": value_of(ir.metalcraft),
    "delirium": value_of(ir.delirium),
    "revolt": value_of(ir.revolt),
    "morbid": value_of(ir.morbid),
    "raid": value_of(ir.raid),
    "modes with costs": mode_costs,
    "attacks if able": uses(Keyword.MUST_ATTACK),
    "can't attack": uses(Keyword.CANT_ATTACK),
    "can't block": uses(Keyword.CANT_BLOCK),
    "can't be countered": uses(Keyword.CANT_BE_COUNTERED),
    "coins": uses(EffectOp.FLIP),
    "proliferate": uses(EffectOp.PROLIFERATE),
    "adapt": of_numbers(ir.adapt),
    "monstrosity": of_numbers(ir.monstrosity),
    "discover": way(WayKind.DISCOVER),
    "amass": says("Zombie Army Token", "Orc Army Token"),
    "explore": uses(KeywordAction.EXPLORES),
    "connive": uses(KeywordAction.CONNIVES),
    "the initiative": lambda name: uses(EffectOp.TITLE)(name) and says("The Initiative")(name),
    "the monarch": lambda name: uses(EffectOp.TITLE)(name) and says("The Monarch")(name),
    "the city's blessing": lambda name: keyword("ascend")(name) or uses(PlayerFact.CITYS_BLESSING)(name),
    "phasing out": uses(EffectOp.PHASE_OUT, Keyword.PHASING),
    "goad": uses(EffectOp.GOAD),
    "exert": uses(Keyword.EXERT),
    "taxes on attacking": uses(RuleOp.ATTACK_TAX),
    "battles": type_(TypeBit.BATTLE),
    "casting from exile": holding(Effect, EffectOp.PERMIT),
}


@cache
def played() -> frozenset[str]:
    """Names of the cards that scenarios name."""
    paths = sorted(path for path in (HERE / "scenarios").rglob("*.yaml") if path.name != "invented.yaml")
    return frozenset(entry.card for path in paths for scenario in read_scenarios(path) for entry in scenario.entries)


def is_played(face: Face) -> bool:
    return bool({face.name, face.other} & played())


def check(name: str, has: Callable[[str], bool]) -> None:
    cards = [face for face in CARDS if not face.sort and has(face.name)]
    assert len(cards) >= 2, f"{name}: {[f.name for f in cards]}"
    assert any(map(is_played, cards)), f"{name}: no scenario with {[f.name for f in cards][:8]}"


@pytest.mark.parametrize("name", MECHANICS)
def test_a_mechanism_has_two_cards_and_a_scenario(name: str) -> None:
    check(name, MECHANICS[name])


@pytest.mark.parametrize("name", sorted(COMPOSITIONS))
def test_a_keyword_ability_has_two_cards_and_a_scenario(name: str) -> None:
    if name not in EXEMPT:
        check(name, keyword(name))


@pytest.mark.parametrize("mark", list(Keyword), ids=lambda mark: mark.name.lower())
def test_a_mark_has_two_cards_and_a_scenario(mark: Keyword) -> None:
    check(str(mark.name), uses(mark))


def test_exemptions_are_still_needed() -> None:
    for name in EXEMPT:
        cards = [f for f in CARDS if keyword(name)(f.name)]
        assert len(cards) < 2 or not any(map(is_played, cards)), name


def test_what_has_a_mechanism_is_told_from_what_has_not() -> None:
    """The test of the tests."""
    bear = "Grizzly Bears"
    assert not any(has(bear) for has in MECHANICS.values())
    assert keyword("prowess")("Monastery Swiftspear")
    assert MECHANICS["landfall"]("Kazandu Mammoth")
    assert not MECHANICS["landfall"]("Champion of the Parish")
