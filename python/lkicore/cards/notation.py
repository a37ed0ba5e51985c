"""Card files: YAML lists of cards, read with the place of every word.

A card is a map. Everything in it but `name` and `type` may be left out::

    - name: Prodigal Pyromancer
      cost: "{2}{R}"
      type: Creature — Human Wizard
      pt: 1/1
      keywords: []
      abilities:
        - {cost: "{T}", targets: [any_target], do: ["damage(target(0), 1)"]}

Further keys: `loyalty` (of a planeswalker), `defense`, `ways` (of casting it), `colors` (letters, for tokens),
`spell` (targets, do; or choose, modes),
`additional` (a cost),
`token: true`, `test_only: true`. `keywords` are names ("flying") and texts of keyword abilities ("ward {2}"). An
ability has `cost` or `loyalty` (activated; with `mana: "G"` instead of `do` a mana ability), `when` (triggered),
`static`, `enters`,
`instead` or `prevent`. `cost: none` marks a card that has no mana cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import yaml

from lkicore.ir.abilities import Ability, StaticAbility
from lkicore.ir.changes import Change, changes_of, gain_ability, sets_pt
from lkicore.ir.conditions import all_of
from lkicore.ir.faces import CARD_TYPES, KEYWORD_NAMES, SUPERTYPES, Face, Place
from lkicore.ir.filters import this
from lkicore.ir.keywords import COMPOSITIONS, SUMMARY, KeywordAbility, keyword_ability
from lkicore.ir.mana import COLOR_LETTERS, ManaCost, mana_cost
from lkicore.ir.reading import cost
from lkicore.ir.references import source
from lkicore.ir.values import counters_on
from lkicore.opcodes import ChangeOp, Color, Keyword, Layout, TypeBit

from .abilities import AbilityReader
from .errors import CardError, did_you_mean, nearest
from .several import joined, split_card
from .shapes import place_of

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: Largest card file that is read.
MAX_FILE = 64 * 1024 * 1024

_CARD_KEYS = (
    "name",
    "cost",
    "type",
    "pt",
    "loyalty",
    "defense",
    "keywords",
    "colors",
    "additional",
    "ways",
    "spell",
    "abilities",
    "token",
    "sort",
    "test_only",
    "levels",
    "transforms",
    "modal",
    "adventure",
    "flips",
    "halves",
)
#: Keys of what a card has besides its first face, and how they belong together.
_OTHER_FACES = {
    "transforms": Layout.TRANSFORMING,
    "modal": Layout.MODAL,
    "adventure": Layout.ADVENTURE,
    "flips": Layout.FLIP,
}
_TYPE_WORDS = {t.name.capitalize(): t for t in SUPERTYPES + CARD_TYPES if t.name}
_DASH = re.compile(r"\s+(?:—|–|--|-)\s+")
#: Power or toughness: a number, or one that an ability says, such as "*" or "1+*".
_SIZE = r"-?[0-9]{1,4}|\*|[0-9]{1,2}\+\*"


def read_cards(text: str, file: str = "<text>") -> list[Face]:
    """Return the cards of the card file `text`, in its order.

    Args:
        text: YAML.
        file: name of the file, for messages.

    Raises:
        CardError: the text is not YAML, or a card is faulty; with file, line, card, text and cause.
    """
    if len(text) > MAX_FILE:
        raise CardError(f"a card file of {len(text)} characters; at most {MAX_FILE} are read", place=Place(file))
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise CardError(f"not YAML: {error.problem or error.context}", place=Place(file, line)) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise CardError(f"not YAML: {str(error) or 'nested too deeply'}", place=Place(file)) from None
    if root is None:
        return []
    if not isinstance(root, yaml.SequenceNode):
        raise CardError("a card file is a list of cards (- name: ...)", place=place_of(root, file))
    return [face for node in root.value for face in _Card(node, file).faces()]


class _Card(AbilityReader):
    """One card of a file while it is read."""

    def __init__(self, node: yaml.Node, file: str) -> None:
        super().__init__(file)
        self.place = place_of(node, file)
        self.sides: dict[str, Any] = {}
        self.card = self.name_in(node)
        self.fields = self.map(node, _CARD_KEYS, "a card")
        if "name" not in self.fields:
            raise self.error("a card without a name", node)
        self.scalar(self.fields["name"])

    @staticmethod
    def name_in(node: yaml.Node) -> str | None:
        """Return the name before anything is checked: messages of faulty keys need it too."""
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == "name" and isinstance(value, yaml.ScalarNode):
                    return str(value.value).strip()
        return None

    def faces(self) -> list[Face]:
        """Return the card's face, or its faces, the one that it is known by first."""
        for key, layout in _OTHER_FACES.items():
            if key not in self.fields:
                continue
            inner = _Card(self.fields[key], self.file)
            if any(k in inner.fields for k in _OTHER_FACES):
                raise self.error("a face that has other faces", self.fields[key])
            assert self.card is not None
            assert inner.card is not None
            inner.sides = {"layout": layout, "back": True, "other": self.card}
            self.sides = {"layout": layout, "other": inner.card}
            return self.together(lambda i=inner, lay=layout: joined(lay, self.read(), i.read()))  # type: ignore[misc]
        if "halves" in self.fields:
            return self.halves()
        return [self.read()]

    def together(self, make: Callable[[], list[Face]]) -> list[Face]:
        try:
            return make()
        except ValueError as error:
            if isinstance(error, CardError):
                raise
            raise CardError(str(error), place=self.place, card=self.card) from None

    def halves(self) -> list[Face]:
        """Return the faces of a split card (CR 709): its name is that of its halves, "Wear // Tear"."""
        assert self.card is not None
        nodes = self.items(self.fields["halves"])
        extra = [key for key in self.fields if key not in ("name", "halves", "keywords", "test_only")]
        if extra:
            raise self.error(f"a split card has its {extra[0]} on its halves", self.fields[extra[0]])
        inner = [_Card(node, self.file) for node in nodes]
        if self.card.split(" // ") != [half.card for half in inner]:
            raise self.error('the name of a split card is that of its halves: "Wear // Tear"', self.fields["name"])
        for half, other in zip(inner, (inner[1].card, self.card), strict=True):
            half.sides = {"layout": Layout.SPLIT, "back": True, "other": other}
        _, keywords = self.keywords(self.fields.get("keywords"))
        test_only = self.flag(self.fields, "test_only")
        return self.together(
            lambda: split_card(
                str(self.card), inner[0].read(), inner[1].read(), keywords, test_only=test_only, place=self.place
            )
        )

    def read(self) -> Face:
        fields = self.fields
        sort = self.scalar(fields["sort"]) if "sort" in fields else ""
        if "type" not in fields and not sort:
            raise CardError("a card without a type", place=self.place, card=self.card)
        types, subtypes = self.type_line(fields["type"]) if "type" in fields else (TypeBit(0), ())
        power, toughness, size = self.size(fields["pt"]) if "pt" in fields else (None, None, "")
        token = self.flag(fields, "token") or bool(sort)
        spell = self.spell(fields["spell"]) if "spell" in fields else None
        abilities = tuple(a for n in self.items(fields.get("abilities")) for a in self.abilities_of(n))
        abilities += self.level_abilities(fields.get("levels"))
        turned = self.sides.get("back") is True and self.sides.get("layout") in (Layout.TRANSFORMING, Layout.FLIP)
        mana = self.mana(token or TypeBit.LAND in types or turned)
        keywords, keyword_abilities = self.keywords(fields.get("keywords"))
        additional = self.parsed(cost, fields["additional"]) if "additional" in fields else None
        colors = self.colors(fields["colors"]) if "colors" in fields else None
        ways = tuple(self.way_of_casting(n) for n in self.items(fields.get("ways")))
        test_only = self.flag(fields, "test_only")
        assert self.card is not None
        try:
            return Face(
                name=self.card,
                types=types,
                subtypes=subtypes,
                cost=mana,
                colors=colors,
                power=power,
                toughness=toughness,
                loyalty=self.whole(fields["loyalty"], "loyalty") if "loyalty" in fields else None,
                defense=self.whole(fields["defense"], "defense") if "defense" in fields else None,
                keywords=keywords,
                keyword_abilities=keyword_abilities,
                additional=additional,
                ways=ways,
                size=size,
                spell=spell,
                abilities=abilities,
                token=token,
                sort=sort,
                test_only=test_only,
                place=self.place,
                **self.sides,
            )
        except ValueError as error:
            raise CardError(str(error), place=self.place, card=self.card) from None

    # ---------------------------------------------------------------------------------------- fields
    def type_line(self, node: yaml.Node) -> tuple[TypeBit, tuple[str, ...]]:
        parts = _DASH.split(self.scalar(node))
        if len(parts) > 2:
            raise self.error("a type line has one dash", node)
        types = TypeBit(0)
        for word in parts[0].split():
            bit = _TYPE_WORDS.get(word)
            if bit is None:
                raise self.error(f"unknown type {word!r}{did_you_mean(nearest(word, _TYPE_WORDS))}", node)
            if bit in types:
                raise self.error(f"the type {word!r} stands twice", node)
            types |= bit
        if not any(types & t for t in CARD_TYPES):
            raise self.error("no card type", node)
        return types, tuple(parts[1].split()) if len(parts) == 2 else ()

    def size(self, node: yaml.Node) -> tuple[int, int, str]:
        """Return power, toughness, and the text if an ability says what they are."""
        text = self.scalar(node)
        match = re.fullmatch(rf"({_SIZE})\s*/\s*({_SIZE})", text)
        if match is None:
            raise self.error("power and toughness are two numbers such as 2/1, or */* of what an ability says", node)
        numbers = [int(part.partition("+")[0].replace("*", "0")) for part in match.groups()]
        return numbers[0], numbers[1], text if "*" in text else ""

    def whole(self, node: yaml.Node, what: str) -> int:
        text = self.scalar(node)
        if re.fullmatch("[0-9]{1,3}", text) is None:
            raise self.error(f"{what} is a whole number", node)
        return int(text)

    def mana(self, costless: bool) -> ManaCost | None:
        node = self.fields.get("cost")
        if node is None:
            if not costless:
                raise CardError(
                    "a card without a cost (write `cost: none` if it has none)", place=self.place, card=self.card
                )
            return None
        return None if self.scalar(node) == "none" else self.parsed(mana_cost, node)

    def keywords(self, node: yaml.Node | None) -> tuple[Keyword, tuple[KeywordAbility, ...]]:
        """Return keywords that are mere marks, and keyword abilities that are made of others."""
        found = Keyword(0)
        made: list[KeywordAbility] = []
        for item in self.items(node):
            word = self.scalar(item)
            keyword = KEYWORD_NAMES.get(word.lower())
            if keyword is None or keyword in SUMMARY:
                ability = self.keyword_ability(word, item)
                if ability in made:
                    raise self.error(f"the keyword {word!r} stands twice", item)
                made.append(ability)
                continue
            if keyword in found:
                raise self.error(f"the keyword {word!r} stands twice", item)
            found |= keyword
        return found, tuple(made)

    def keyword_ability(self, text: str, node: yaml.Node) -> KeywordAbility:
        words = text.lower().split()
        if not any(word == words[: len(word)] for word in map(str.split, COMPOSITIONS)) and not re.search(
            "cycling|walk", text
        ):
            hint = did_you_mean(
                nearest(text, (*KEYWORD_NAMES, *COMPOSITIONS)) or nearest(text.partition(" ")[0], COMPOSITIONS)
            )
            raise self.error(f"unknown keyword {text!r}{hint}", node)
        return self.parsed(keyword_ability, node)

    def level_abilities(self, node: yaml.Node | None) -> tuple[Ability, ...]:
        """Return what the level symbols of a leveler stand for (CR 711.2): static abilities while it has so many
        level counters."""
        if node is None:
            return ()
        if not isinstance(node, yaml.MappingNode):
            raise self.error('levels are a map such as {"2-6": {pt: 4/4, keywords: [flying]}, "7": {pt: 6/6}}', node)
        return tuple(self.level(key, value) for key, value in node.value)

    def level(self, key: yaml.Node, node: yaml.Node) -> Ability:
        match = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", self.scalar(key))
        if match is None:
            raise self.error('a level is written "2-6" or "7"', key)
        fields = self.map(node, ("pt", "keywords", "abilities"), "a level")
        changes: list[Change] = []
        if "pt" in fields:
            power, toughness, _ = self.size(fields["pt"])
            changes.append(sets_pt(power, toughness))
        marks, others = self.keywords(fields.get("keywords"))
        if marks or others:
            changes.append(Change(ChangeOp.ADD_KEYWORDS, (marks,), tuple(k.text for k in others)))
        changes += [gain_ability(self.ability(n)) for n in self.items(fields.get("abilities"))]
        counters = counters_on(source, "level")
        held = counters >= int(match[1])
        if match[2]:
            held = all_of(held, counters <= int(match[2]))
        return self.made(lambda: StaticAbility(changes_of(tuple(changes), "levels"), this, held), node)

    def colors(self, node: yaml.Node) -> Color:
        text = self.scalar(node)
        letters = COLOR_LETTERS.replace("C", "")
        if len(set(text)) != len(text) or not set(text) <= set(letters):
            raise self.error(f"colours are letters of {letters}, each at most once", node)
        return Color(sum(Color[letter] for letter in text))
