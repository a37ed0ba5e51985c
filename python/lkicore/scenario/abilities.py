"""Activated abilities of an object by their numbers and texts, as steps name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lkicore.cards import CardPool
from lkicore.characteristics import abilities
from lkicore.ir.abilities import ActivatedAbility, ManaAbility
from lkicore.ir.effects import Effect
from lkicore.ir.faces import BASIC_LAND_TYPES
from lkicore.ir.words import notation
from lkicore.opcodes import AbilityKind, Color, CostFlag, TypeBit, Zone


@dataclass(frozen=True, slots=True)
class Activated:
    """An activated ability of an object.

    Attributes:
        numbers: what options call it: its place among the abilities that the object has.
        mana: the kinds of mana that it makes; none: it is no mana ability.
        texts: what it can be called by.
    """

    numbers: tuple[int, ...]
    mana: Color
    texts: tuple[str, ...]


def activated_abilities(pool: CardPool, facts: Mapping[str, Any]) -> list[Activated]:
    """Activated abilities of an object that work where it is, as scenarios number them.

    Printed ones come first, in order. A card file has keywords apart; printed cards have equip, cycling and the like
    behind other activated abilities. Those of basic land types follow (CR 305.6), then granted ones.
    """
    if facts["made"] is not None:
        # A copy with exceptions: as the abilities stand, without texts.
        return _granted(pool, list(enumerate(abilities(pool, facts))), facts["zone"])
    face = pool.faces[facts["face"]]
    first, n = pool.assembly.faces[facts["face"]]["abilities"]
    own = abilities(pool, facts)
    land = TypeBit.LAND in face.types
    intrinsic = sum(land and word in BASIC_LAND_TYPES for word in face.subtypes)
    ranked: list[tuple[int, Activated]] = []
    for place, ability in enumerate(face.all_abilities):
        if not isinstance(ability, ActivatedAbility | ManaAbility) or _zone(ability) != facts["zone"]:
            continue
        rank = 2 if place < intrinsic else 1 if getattr(ability, "keyword", "") else 0
        mana = ability.colors if isinstance(ability, ManaAbility) else Color(0)
        texts = tuple(ability_texts(ability, face.name))
        if first + place in own:
            ranked.append((rank, Activated((own.index(first + place),), mana, texts)))
    found = [ability for _, ability in sorted(ranked, key=lambda item: item[0])]
    granted = [(place, i) for place, i in enumerate(own) if not first <= i < first + n]
    return found + _granted(pool, granted, facts["zone"])


def _zone(ability: ActivatedAbility | ManaAbility) -> Zone:
    zone: Zone = getattr(ability, "zone", Zone.BATTLEFIELD)
    return zone


def _granted(pool: CardPool, numbers: Sequence[tuple[int, int]], zone: int) -> list[Activated]:
    """Those that the object has by an effect, by their place and their number in the card table; without a text."""
    found = []
    for place, number in numbers:
        row = pool.assembly.abilities[number]
        if row["kind"] in (AbilityKind.ACTIVATED, AbilityKind.MANA) and row["zones"] >> zone & 1:
            mana = Color(row["mana_mask"]) if row["kind"] == AbilityKind.MANA else Color(0)
            found.append(Activated((place,), mana, ()))
    return found


def by_text(known: Iterable[Activated], fragment: str) -> list[Activated]:
    """Abilities whose text holds a fragment, without case; those that begin with it first."""
    wanted = fragment.casefold()
    texts = [(found, [text.casefold() for text in found.texts]) for found in known]
    begins = [found for found, ways in texts if any(text.startswith(wanted) for text in ways)]
    holds = [found for found, ways in texts if any(wanted in text for text in ways)]
    return begins + [found for found in holds if found not in begins]


def ability_texts(ability: ActivatedAbility | ManaAbility, name: str) -> list[str]:
    """An ability in one line: in the notation; with a sacrifice of itself as cards have it; its keyword."""
    cost = str(ability.cost)
    if isinstance(ability, ManaAbility):
        letters = "".join(f"{{{color.name}}}" for color in Color if color in ability.colors)
        what = f"add {letters * ability.amount}"
    else:
        modes = getattr(ability, "modes", None)
        effects = ability.effects if modes is None else [e for mode in modes.modes for e in mode.effects]
        what = ", ".join(_effects(effects))
    texts = [f"{cost}: {what}"]
    if ability.cost.flags & CostFlag.SACRIFICE:
        texts += [
            f"{cost[: -len('sacrifice')]}Sacrifice {me}: {what}" for me in (name, "this creature", "this artifact")
        ]
    keyword = getattr(ability, "keyword", "")
    return [keyword, *texts] if keyword else texts


def _effects(effects: Iterable[Any]) -> list[str]:
    """Effects in the notation, those of branches after one another."""
    found: list[str] = []
    for effect in effects:
        if isinstance(effect, Effect):
            found.append(notation(effect))
        else:
            found += _effects((*effect.then, *effect.otherwise))
    return found
