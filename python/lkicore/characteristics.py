"""Characteristics of an object, there or gone, in words: keywords, types, colours, abilities, counters.

Facts are what the core tells about an object (`GameCore.facts`, `lki_record`).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from lkicore.cards import CardPool
from lkicore.cards.listing import headline
from lkicore.ir.faces import KEYWORD_NAMES
from lkicore.ir.values import COUNTER_NAMES
from lkicore.opcodes import AbilityKind, Color, CounterKind, FilterOp, Keyword, ListRefKind, ObjectFlag, TypeBit

#: Counters with a column of their own, by their names.
COLUMN_COUNTERS = {
    "+1/+1": CounterKind.P1P1,
    "-1/-1": CounterKind.M1M1,
    "loyalty": CounterKind.LOYALTY,
    "charge": CounterKind.CHARGE,
}
COLOR_WORDS = {"white": Color.W, "blue": Color.U, "black": Color.B, "red": Color.R, "green": Color.G}
#: Variable data of an object: (kind, id, row, flags).
Extra = Sequence[tuple[int, int, int, int]]


_KIND_WORDS = {int(kind): word for word, kind in COUNTER_NAMES.items()}


def counter_names(pool: CardPool) -> list[str]:
    """Kinds of counters without a column, in the order of their numbers."""
    return list(getattr(pool.assembly, "counter_names", ()))


def counters(pool: CardPool, facts: Mapping[str, Any]) -> dict[str, int]:
    """Counters of every kind (CR 122) that an object has."""
    found = {word: facts["counters"][kind] for word, kind in COLUMN_COUNTERS.items()}
    names = counter_names(pool)
    for kind, number, row, _ in facts["extra"]:
        if kind == ListRefKind.COUNTER:
            word = names[row - len(CounterKind)] if row >= len(CounterKind) else _KIND_WORDS[row]
            found[word] = found.get(word, 0) + number
    return {word: n for word, n in found.items() if n}


def colors(facts: Mapping[str, Any]) -> set[str]:
    """Colours by word; none for a colourless object (CR 105.2)."""
    return {word for word, color in COLOR_WORDS.items() if facts["colors"] & color}


def subtypes(pool: CardPool, facts: Mapping[str, Any]) -> set[str]:
    """Subtypes (CR 205.3), its own list if it has one, else those of its definition."""
    if facts["flags"] & ObjectFlag.OWN_SUBTYPES:
        names = pool.assembly.subtypes
        return {names[row] for kind, _, row, _ in facts["extra"] if kind == ListRefKind.SUBTYPE}
    return own_subtypes(pool, facts)


def own_subtypes(pool: CardPool, facts: Mapping[str, Any]) -> set[str]:
    """Subtypes of the definition that an object has."""
    if facts["made"] is not None:
        return {pool.assembly.subtypes[row] for row in facts["made"][1]}
    return set(pool.faces[facts["face"]].subtypes)


def has_type(pool: CardPool, facts: Mapping[str, Any], word: str) -> bool:
    """Whether an object has a card type, supertype or subtype."""
    bit = getattr(TypeBit, word.upper(), None)
    if isinstance(bit, TypeBit):
        return bool(facts["types"] & bit)
    if word in subtypes(pool, facts):
        return True
    return bool(facts["keywords"] & Keyword.CHANGELING) and is_creature_type(pool, word)


def is_creature_type(pool: CardPool, word: str) -> bool:
    """Whether a subtype is a creature type (CR 205.3m), as far as the cards of the pool tell."""
    made = pool.assembly
    if word in made.subtypes and hasattr(made, "creature_types"):
        return bool(made.creature_types[made.subtypes.index(word)])
    return any(word in face.subtypes and TypeBit.CREATURE in face.types for face in pool.faces)


def types(pool: CardPool, facts: Mapping[str, Any]) -> list[str]:
    """Supertypes, card types and subtypes, in words."""
    words = [t.name.capitalize() for t in TypeBit if t.name and facts["types"] & t]
    return words + sorted(subtypes(pool, facts))


def abilities(pool: CardPool, facts: Mapping[str, Any]) -> list[int]:
    """Abilities of an object by their number in the card table: its own list if it has one, else its definition's."""
    if facts["flags"] & ObjectFlag.OWN_ABILITIES:
        return [row for kind, _, row, _ in facts["extra"] if kind == ListRefKind.ABILITY]
    return own_abilities(pool, facts)


def own_abilities(pool: CardPool, facts: Mapping[str, Any]) -> list[int]:
    """Abilities of the definition that an object has."""
    if facts["made"] is not None:
        return list(facts["made"][0])
    first, n = pool.assembly.faces[facts["face"]]["abilities"]
    return list(range(first, first + n))


def keywords(pool: CardPool, facts: Mapping[str, Any]) -> set[str]:
    """Keyword abilities in words: `flying`, `ward 2`, `protection from red`."""
    found = {word for word, keyword in KEYWORD_NAMES.items() if facts["keywords"] & keyword}
    for number in abilities(pool, facts):
        found |= ability_words(pool, number)
    return found


@functools.lru_cache(maxsize=64)
def _printed(pool: CardPool) -> dict[int, str]:
    """Texts of the keyword abilities that faces have, by number of the ability in the card table."""
    found: dict[int, str] = {}
    for face, row in zip(pool.faces, pool.assembly.faces, strict=True):
        for i, ability in enumerate(face.all_abilities):
            text = getattr(ability, "keyword", "")
            if text:
                found[row["abilities"][0] + i] = text.replace("{", "").replace("}", "")
    return found


def ability_words(pool: CardPool, number: int) -> set[str]:
    """The keyword that an ability of the card table is, with its number or quality; none if it is no such keyword."""
    printed = _printed(pool).get(number)
    if printed:
        return {printed}
    ability = pool.assembly.abilities[number]
    kind = ability["kind"]
    if kind == AbilityKind.TOXIC:
        return {f"toxic {ability['amount']}"}
    if kind in (AbilityKind.PROTECTION, AbilityKind.HEXPROOF_FROM):
        head = "protection" if kind == AbilityKind.PROTECTION else "hexproof"
        return {f"{head} from {word}" for word in _qualities(pool, ability["filter"])}
    return set()


def ability_text(pool: CardPool, number: int) -> str:
    """An ability of the card table in one line: its keyword, or the notation of card files."""
    ability = pool.assembly.written.get(number)
    if ability is None:
        kind = AbilityKind(pool.assembly.abilities[number]["kind"])
        return ", ".join(ability_words(pool, number)) or kind.name.lower().replace("_", " ")
    return getattr(ability, "keyword", "") or headline(ability, pool.assembly)


def _qualities(pool: CardPool, node: int) -> set[str]:
    """Colours and card types that a filter asks for."""
    op, a, b, _ = pool.assembly.filters[node]
    if op == FilterOp.COLORS_ANY:
        return {word for word, color in COLOR_WORDS.items() if a & color}
    if op == FilterOp.TYPES_ANY:
        return {f"{t.name.lower()}s" for t in TypeBit if t.name and a & t}
    if op == FilterOp.OR:
        return _qualities(pool, a) | _qualities(pool, b)
    return {"everything"} if op == FilterOp.ALL else set()


def pool_words(mana: Sequence[int]) -> dict[str, int]:
    """A mana pool by letter."""
    return {color.name: n for color, n in zip(Color, mana, strict=True) if color.name and n}
