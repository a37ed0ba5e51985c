"""Faces: the characteristics and abilities of a card or token (CR 109.3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lkicore.opcodes import ChangeOp, Color, Keyword, Layout, ReplaceOp, TypeBit, Zone

from . import effects as do
from . import references as r
from .abilities import (
    Ability,
    ActivatedAbility,
    ReplacementAbility,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
    tap_for,
)
from .changes import Change, choose_player
from .changes import counters as enters_counters
from .costs import Cost, OptionalCost
from .filters import opponent, this
from .flow import If
from .keywords import KeywordAbility, abilities_of_marks, check_keywords
from .mana import COLOR_LETTERS, NO_MANA, ManaCost
from .operands import NO_KEYWORDS, covers
from .plays import cast_now
from .relations import has_counters
from .triggers import counters_removed, enters
from .values import kicked_times
from .ways import CastingAbility, Way

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
_KEYWORD_WORDS = {
    Keyword.CANT_BLOCK: "can't block",
    Keyword.UNBLOCKABLE: "can't be blocked",
    Keyword.CANT_ATTACK: "can't attack",
    Keyword.CANT_BE_COUNTERED: "can't be countered",
    Keyword.DOESNT_UNTAP: "doesn't untap",
    Keyword.ONE_BLOCKER: "can't be blocked by more than one creature",
    Keyword.CANT_ATTACK_ALONE: "can't attack alone",
    Keyword.CANT_BLOCK_ALONE: "can't block alone",
}
#: Keywords by the name that cards use.
KEYWORD_NAMES: dict[str, Keyword] = {
    _KEYWORD_WORDS.get(k, k.name.lower().replace("_", " ")): k for k in Keyword if k.name
}

#: Sorts of faces, by number: cards and tokens, and what is in the command zone without a card.
SORTS = ("", "emblem", "title", "dungeon", "face down")
_IN_COMMAND = ("emblem", "title", "dungeon")
#: A Saga enters with a lore counter (CR 714.3a).
_FIRST_CHAPTER = ReplacementAbility(ReplaceOp.ENTERS, enters=(enters_counters(1, "lore"),))
#: An opponent protects a Siege; when its last defense counter is removed, it is exiled and its other face may be cast
#: (CR 310.11).
_SIEGE = (
    ReplacementAbility(ReplaceOp.ENTERS, enters=(choose_player(opponent),)),
    TriggeredAbility(
        counters_removed(this & ~has_counters("defense", 1), "defense"),
        (do.exile(r.source), cast_now(r.you, r.moved, "transformed")),
    ),
)
#: Sizes beyond this are a slip of the pen.
MAX_SIZE = 999
_SPELL_TYPES = TypeBit.INSTANT | TypeBit.SORCERY
#: The gift was promised: its cost is the first optional one.
_PROMISED = kicked_times(0) >= 1


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
        loyalty: loyalty of a planeswalker, which it enters with (CR 306.5), else None.
        defense: defense of a battle, which it enters with (CR 310.4), else None.
        keywords: keyword abilities without parameter.
        keyword_abilities: those of the table of keyword abilities, in order: "ward {2}", "prowess".
        additional: additional cost of casting it, or None.
        ways: further ways of casting it, apart from those of keyword abilities.
        size: power and toughness as printed if a characteristic-defining ability says them ("*/*"), else "".
        spell: what an instant or sorcery does, else None.
        abilities: further abilities, apart from intrinsic ones of basic land types.
        token: it is a token (CR 111), not a card.
        sort: "emblem" (CR 114), "title" (724, 726) or "dungeon" (309): an object of the command zone without a card,
            which is named like a token; "face down": what face-down objects are, which have no name (708.2a); else "".
        test_only: not a card of the game; for workloads and tests.
        layout: how the faces of its card belong together (CR 709-715).
        back: it is not the face that the card is known by: a back face, a half, an adventure.
        other: name of the other face of its card, or "".
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
    loyalty: int | None = None
    defense: int | None = None
    keywords: Keyword = NO_KEYWORDS
    keyword_abilities: tuple[KeywordAbility, ...] = ()
    additional: Cost | None = None
    ways: tuple[Way, ...] = ()
    size: str = ""
    spell: SpellAbility | None = None
    abilities: tuple[Ability, ...] = ()
    token: bool = False
    sort: str = ""
    test_only: bool = False
    layout: Layout = Layout.NORMAL
    back: bool = False
    other: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.name != self.name.strip() or not self.name:
            raise ValueError(f"{self.name!r} is not a name")
        if self.sort not in SORTS or (self.sort and not self.token):
            raise ValueError(f"no sort of faces is called {self.sort!r}")
        if not self.sort and not any(self.types & t for t in CARD_TYPES):
            raise ValueError("no card type")
        self._check_size()
        is_spell = bool(self.types & _SPELL_TYPES)
        if is_spell and self.spell is None:
            raise ValueError("an instant or sorcery without a spell ability")
        if is_spell and self.token:
            raise ValueError("an instant or sorcery cannot be a token")
        for ability in self.all_abilities if is_spell else ():
            if _works_on_battlefield(ability):
                raise ValueError("an instant or sorcery with an ability that works on the battlefield")
        if self.spell is not None and not is_spell:
            raise ValueError("a spell ability, but neither instant nor sorcery")
        costless = self.token or TypeBit.LAND in self.types or (self.back and self.layout is Layout.TRANSFORMING)
        if costless and self.cost is not None:
            raise ValueError("a token, land or back face with a mana cost")
        if len(set(self.subtypes)) != len(self.subtypes):
            raise ValueError("a subtype stands twice")
        if self.colors is not None and Color.C in self.colors:
            raise ValueError("colourless is not a colour (CR 105.1)")
        check_keywords(self.keywords, "keywords")
        if (self.layout is Layout.NORMAL) is bool(self.other) or (self.back and not self.other):
            raise ValueError("a card of several faces, and no other face")
        self._check_parts()

    def _check_parts(self) -> None:
        enchants = [k for k in self.keywords_with_parts if k.parts.enchants is not None]
        if bool(enchants) is not ("Aura" in self.subtypes) or len(enchants) > 1:
            raise ValueError("an Aura says what it enchants, once, and nothing else does (CR 303.4)")
        if self.additional is not None:
            if self.additional.mana != NO_MANA or self.additional.flags:
                raise ValueError("an additional cost has neither mana, {T}, {Q} nor a sacrifice of the spell itself")
            if self.cost is None:
                raise ValueError("an additional cost without a mana cost")
        if self.size and not any(c.op is ChangeOp.CDA_PT for c in self._own_changes()):
            raise ValueError(f"the size {self.size}, but no ability says what it is (static: [cda_pt(..., ...)])")

    def _own_changes(self) -> list[Change]:
        return [c for a in self.abilities if isinstance(a, StaticAbility) for c in a.changes]

    def _check_size(self) -> None:
        # Vehicles and Spacecraft have a size for when they are creatures (CR 301.7a, 721.2).
        creature = TypeBit.CREATURE in self.types or bool({"Vehicle", "Spacecraft"} & set(self.subtypes))
        if (self.power is None) is creature or (self.toughness is None) is creature:
            raise ValueError(
                "a creature without power and toughness" if creature else "power and toughness, but no creature"
            )
        if (self.loyalty is None) is (TypeBit.PLANESWALKER in self.types):
            raise ValueError("a planeswalker has a loyalty, and nothing else does (CR 306.5)")
        if (self.defense is None) is (TypeBit.BATTLE in self.types):
            raise ValueError("a battle has a defense, and nothing else does (CR 310.4)")
        for word, number in (("loyalty", self.loyalty), ("defense", self.defense)):
            if number is not None and not 0 <= number <= MAX_SIZE:
                raise ValueError(f"a {word} of {number}")
        for size in (self.power, self.toughness):
            if size is not None and not -MAX_SIZE <= size <= MAX_SIZE:
                raise ValueError(f"a size of {size}")

    @property
    def real_colors(self) -> Color:
        """Its colours: as given, else those of its mana cost (CR 105.2)."""
        if self.colors is not None:
            return self.colors
        if any(k.parts.colorless for k in self.keyword_abilities):
            return Color(0)
        return self.cost.colors if self.cost is not None else Color(0)

    @property
    def castable(self) -> bool:
        """Whether it can be cast as it is: a split card is cast as one of its halves, or, with fuse, as both (CR 709.3,
        702.102a)."""
        whole = self.layout is Layout.SPLIT and not self.back
        return not whole or any(k.word == "fuse" for k in self.keyword_abilities)

    @property
    def keywords_with_parts(self) -> tuple[KeywordAbility, ...]:
        """Its keyword abilities that are made of others."""
        named = {k.word for k in self.keyword_abilities}
        return self.keyword_abilities + tuple(k for k in abilities_of_marks(self.keywords) if k.word not in named)

    @property
    def marks(self) -> Keyword:
        """Its keywords, with the marks of those that are made of other abilities."""
        found = self.keywords
        for keyword in self.keywords_with_parts:
            found |= keyword.parts.mark
        return found

    @property
    def all_abilities(self) -> tuple[Ability, ...]:
        """Its abilities: intrinsic ones of basic land types (CR 305.6), planeswalkers (306.5b) and battles (310.4b,
        310.11), those of keywords, further ones."""
        land = TypeBit.LAND in self.types
        intrinsic: list[Ability] = [
            tap_for(BASIC_LAND_TYPES[s]) for s in self.subtypes if land and s in BASIC_LAND_TYPES
        ]
        if self.loyalty is not None:
            intrinsic.append(ReplacementAbility(ReplaceOp.ENTERS, enters=(enters_counters(self.loyalty, "loyalty"),)))
        if self.defense is not None:
            intrinsic.append(ReplacementAbility(ReplaceOp.ENTERS, enters=(enters_counters(self.defense, "defense"),)))
        if "Siege" in self.subtypes:
            intrinsic += _SIEGE
        saga = [_FIRST_CHAPTER] if "Saga" in self.subtypes else []
        found = (
            *intrinsic,
            *saga,
            *self._gifts(),
            *(a for k in self.keywords_with_parts for a in k.parts.abilities),
            *self.abilities,
        )
        return tuple(map(_in_command, found)) if self.sort in _IN_COMMAND else found

    @property
    def spell_ability(self) -> SpellAbility | None:
        """What it does as it resolves: of an Aura, what it enchants (CR 303.4a)."""
        for keyword in self.keywords_with_parts:
            if keyword.parts.enchants is not None:
                return keyword.parts.enchants
        given = tuple(g for k in self.keywords_with_parts for g in k.parts.given)
        if self.spell is not None and given:
            if self.spell.modes is not None:
                raise ValueError("a gift, and modes")
            # CR 702.174b: before anything else that it does.
            return replace(self.spell, effects=(If(_PROMISED, given), *self.spell.effects))
        return self.spell

    def _gifts(self) -> tuple[Ability, ...]:
        """What a permanent does as it enters, if a gift was promised (CR 702.174c)."""
        if self.types & _SPELL_TYPES:
            return ()
        return tuple(
            TriggeredAbility(enters(), k.parts.given, condition=_PROMISED, keyword=k.text)
            for k in self.keywords_with_parts
            if k.parts.given
        )

    @property
    def optional(self) -> tuple[OptionalCost, ...]:
        """Costs that may be paid besides, on casting it (CR 601.2b)."""
        return tuple(o for k in self.keywords_with_parts for o in k.parts.optional)

    @property
    def all_ways(self) -> tuple[Way, ...]:
        """Ways of casting it besides the usual one: those of keyword abilities, further ones."""
        return tuple(w for k in self.keywords_with_parts for w in k.parts.ways) + self.ways

    @property
    def printed_size(self) -> str:
        """Power and toughness as printed: "2/2", "*/*", or "" of what has none."""
        return self.size or ("" if self.power is None else f"{self.power}/{self.toughness}")

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
        """Names of its keyword abilities, with their parameters."""
        made = tuple(k.text for k in self.keywords_with_parts)
        plain = tuple(word for word, keyword in KEYWORD_NAMES.items() if keyword in self.keywords and word not in made)
        return plain + made


def _works_on_battlefield(ability: Ability) -> bool:
    if isinstance(ability, TriggeredAbility):
        return ability.works_in is Zone.BATTLEFIELD
    if isinstance(ability, CastingAbility):
        return ability.affects != this
    if isinstance(ability, ActivatedAbility | StaticAbility | ReplacementAbility):
        return ability.zone is Zone.BATTLEFIELD
    return True


def _in_command(ability: Ability) -> Ability:
    """Return `ability` so that it works in the command zone (CR 113.6m, 114.4)."""
    if isinstance(ability, TriggeredAbility | ActivatedAbility | StaticAbility | ReplacementAbility):
        return replace(ability, zone=Zone.COMMAND)
    return ability


def color_letters(colors: Color) -> str:
    """Return the letters of `colors` in the order WUBRG."""
    return "".join(letter for letter in COLOR_LETTERS if Color[letter] in colors)
