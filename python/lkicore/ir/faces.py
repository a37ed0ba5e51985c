"""Faces: the characteristics and abilities of a card or token (CR 109.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from lkicore.opcodes import Color, Keyword, TypeBit

from .abilities import Ability, SpellAbility, tap_for
from .costs import COLOR_LETTERS, ManaCost
from .operands import NO_KEYWORDS, covers

#: Supertypes, in the order in which a type line has them.
SUPERTYPES = (TypeBit.LEGENDARY, TypeBit.BASIC, TypeBit.SNOW, TypeBit.WORLD, TypeBit.ONGOING)
#: Card types, in the order in which a type line has them.
CARD_TYPES = (
    TypeBit.KINDRED,
    TypeBit.ENCHANTMENT,
    TypeBit.ARTIFACT,
    TypeBit.LAND,
    TypeBit.CREATURE,
    TypeBit.PLANESWALKER,
    TypeBit.BATTLE,
    TypeBit.INSTANT,
    TypeBit.SORCERY,
)
covers(TypeBit, dict.fromkeys(SUPERTYPES + CARD_TYPES), "places in the type line")

#: Land types with an intrinsic mana ability (CR 305.6).
BASIC_LAND_TYPES = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}

#: Keywords whose name in a card file is not the member's name in lower case with blanks.
_KEYWORD_WORDS = {Keyword.CANT_BLOCK: "can't block", Keyword.UNBLOCKABLE: "can't be blocked"}
#: Keywords by the name that cards use.
KEYWORD_NAMES: dict[str, Keyword] = {
    _KEYWORD_WORDS.get(k, k.name.lower().replace("_", " ")): k for k in Keyword if k.name
}

#: Sizes beyond this are a slip of the pen.
MAX_SIZE = 999
_SPELL_TYPES = TypeBit.INSTANT | TypeBit.SORCERY


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card was read: for messages.

    Attributes:
        file: name of the file, or "<text>".
        line: line number from 1, or 0.
    """

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Face:
    """A face of a card, or a token.

    Attributes:
        name: its name (CR 201).
        types: card types and supertypes.
        subtypes: subtypes, in the order of the type line.
        cost: mana cost, or None if it has none (CR 202.1b): lands, tokens.
        colors: colours; None: those of its mana cost.
        power: power of a creature, else None.
        toughness: toughness of a creature, else None.
        keywords: keyword abilities.
        spell: what an instant or sorcery does, else None.
        abilities: further abilities, apart from intrinsic ones of basic land types.
        token: it is a token (CR 111), not a card.
        test_only: not a card of the game; for workloads and tests.
        place: where it was read; no part of its identity.

    Raises:
        ValueError: the parts do not go together.
    """

    name: str
    types: TypeBit
    subtypes: tuple[str, ...] = ()
    cost: ManaCost | None = None
    colors: Color | None = None
    power: int | None = None
    toughness: int | None = None
    keywords: Keyword = NO_KEYWORDS
    spell: SpellAbility | None = None
    abilities: tuple[Ability, ...] = ()
    token: bool = False
    test_only: bool = False
    place: Place | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.name != self.name.strip() or not self.name:
            raise ValueError(f"{self.name!r} is not a name")
        if not any(self.types & t for t in CARD_TYPES):
            raise ValueError("no card type")
        self._check_size()
        is_spell = bool(self.types & _SPELL_TYPES)
        if is_spell and self.spell is None:
            raise ValueError("an instant or sorcery without a spell ability")
        if is_spell and (self.abilities or self.token):
            raise ValueError("an instant or sorcery cannot be a token or have activated abilities here")
        if self.spell is not None and not is_spell:
            raise ValueError("a spell ability, but neither instant nor sorcery")
        costless = self.token or TypeBit.LAND in self.types
        if costless and self.cost is not None:
            raise ValueError("a token or land with a mana cost")
        if len(set(self.subtypes)) != len(self.subtypes):
            raise ValueError("a subtype stands twice")
        if self.colors is not None and Color.C in self.colors:
            raise ValueError("colourless is not a colour (CR 105.1)")

    def _check_size(self) -> None:
        creature = TypeBit.CREATURE in self.types
        if (self.power is None) is creature or (self.toughness is None) is creature:
            raise ValueError(
                "a creature without power and toughness" if creature else "power and toughness, but no creature"
            )
        for size in (self.power, self.toughness):
            if size is not None and not -MAX_SIZE <= size <= MAX_SIZE:
                raise ValueError(f"a size of {size}")

    @property
    def real_colors(self) -> Color:
        """Its colours: as given, else those of its mana cost (CR 105.2)."""
        if self.colors is not None:
            return self.colors
        return self.cost.colors if self.cost is not None else Color(0)

    @property
    def all_abilities(self) -> tuple[Ability, ...]:
        """Its abilities, the intrinsic ones of basic land types first (CR 305.6)."""
        if TypeBit.LAND not in self.types:
            return self.abilities
        intrinsic = tuple(tap_for(BASIC_LAND_TYPES[s]) for s in self.subtypes if s in BASIC_LAND_TYPES)
        return intrinsic + self.abilities

    @property
    def mana_value(self) -> int:
        """Its mana value (CR 202.3)."""
        return self.cost.mana_value if self.cost is not None else 0

    @property
    def is_basic_land(self) -> bool:
        """Whether a deck may hold any number of it (CR 100.2a)."""
        return TypeBit.BASIC in self.types and TypeBit.LAND in self.types

    @property
    def type_line(self) -> str:
        """Its type line (CR 205): "Basic Land — Forest"."""
        words = [t.name.capitalize() for t in SUPERTYPES + CARD_TYPES if t in self.types and t.name]
        line = " ".join(words)
        return f"{line} — {' '.join(self.subtypes)}" if self.subtypes else line

    @property
    def keyword_names(self) -> tuple[str, ...]:
        """Names of its keyword abilities."""
        return tuple(word for word, keyword in KEYWORD_NAMES.items() if keyword in self.keywords)


def color_letters(colors: Color) -> str:
    """Return the letters of `colors` in the order WUBRG."""
    return "".join(letter for letter in COLOR_LETTERS if Color[letter] in colors)
