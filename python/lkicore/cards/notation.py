"""Card files: YAML lists of cards, read with the place of every word.

A card is a map. Everything in it but `name` and `type` may be left out::

    - name: Prodigal Pyromancer
      cost: "{2}{R}"
      type: Creature — Human Wizard
      pt: 1/1
      keywords: []
      abilities:
        - {cost: "{T}", targets: [any_target], do: ["damage(target(0), 1)"]}

Further keys: `colors` (letters, for tokens), `spell` (targets, do), `token: true`, `test_only: true`. An ability with
`mana: "G"` instead of `do` is a mana ability. `cost: none` marks a card that has no mana cost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

import yaml

from lkicore.ir.abilities import Ability, ActivatedAbility, ManaAbility, SpellAbility, TargetSpec
from lkicore.ir.costs import COLOR_LETTERS, ManaCost, cost, mana_cost, mana_produced
from lkicore.ir.effects import Effect
from lkicore.ir.faces import CARD_TYPES, KEYWORD_NAMES, SUPERTYPES, Face, Place
from lkicore.ir.filters import Filter
from lkicore.ir.words import NAMESPACE
from lkicore.opcodes import Color, Keyword, TypeBit

from .errors import CardError, did_you_mean, nearest
from .expressions import ExpressionError, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")
_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: Largest card file that is read.
MAX_FILE = 64 * 1024 * 1024

_CARD_KEYS = (
    "name",
    "cost",
    "type",
    "pt",
    "keywords",
    "colors",
    "spell",
    "abilities",
    "token",
    "test_only",
)
_SPELL_KEYS = ("targets", "do")
_ABILITY_KEYS = ("cost", "mana", "targets", "do")
_TYPE_WORDS = {t.name.capitalize(): t for t in SUPERTYPES + CARD_TYPES if t.name}
_DASH = re.compile(r"\s+(?:—|–|--|-)\s+")


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
        raise CardError("a card file is a list of cards (- name: ...)", place=_place(root, file))
    return [_Card(node, file).read() for node in root.value]


def _place(node: yaml.Node, file: str) -> Place:
    return Place(file, node.start_mark.line + 1)


class _Card:
    """One card of a file while it is read."""

    def __init__(self, node: yaml.Node, file: str) -> None:
        self.file = file
        self.card: str | None = None
        self.place = _place(node, file)
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

    def error(self, cause: str, node: yaml.Node, text: str | None = None) -> CardError:
        if text is None and isinstance(node, yaml.ScalarNode):
            text = node.value
        return CardError(cause, place=_place(node, self.file), card=self.card, text=text)

    def read(self) -> Face:
        fields = self.fields
        if "type" not in fields:
            raise CardError("a card without a type", place=self.place, card=self.card)
        types, subtypes = self.type_line(fields["type"])
        power, toughness = self.size(fields["pt"]) if "pt" in fields else (None, None)
        token = self.flag("token")
        spell = self.spell(fields["spell"]) if "spell" in fields else None
        abilities = tuple(self.ability(n) for n in self.items(fields.get("abilities")))
        mana = self.mana(token or TypeBit.LAND in types)
        keywords = self.keywords(fields.get("keywords"))
        colors = self.colors(fields["colors"]) if "colors" in fields else None
        test_only = self.flag("test_only")
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
                keywords=keywords,
                spell=spell,
                abilities=abilities,
                token=token,
                test_only=test_only,
                place=self.place,
            )
        except ValueError as error:
            raise CardError(str(error), place=self.place, card=self.card) from None

    # ---------------------------------------------------------------------------------------- shapes
    def map(self, node: yaml.Node, keys: Iterable[str], what: str) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            raise self.error(f"{what} is a map (key: value)", node)
        found: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self.scalar(key_node)
            if key not in keys:
                raise self.error(f"unknown key {key!r} of {what}{did_you_mean(nearest(key, keys))}", key_node)
            if key in found:
                raise self.error(f"the key {key!r} stands twice", key_node)
            found[key] = value
        return found

    def scalar(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            kind = "a map" if isinstance(node, yaml.MappingNode) else "a list"
            hint = ' (mana symbols need quotes: "{R}")' if isinstance(node, yaml.MappingNode) else ""
            raise self.error(f"a word or text is wanted here, not {kind}{hint}", node)
        return str(node.value).strip()

    def items(self, node: yaml.Node | None) -> list[yaml.Node]:
        """Return the entries of a list; one entry may stand for a list of one."""
        if node is None:
            return []
        return list(node.value) if isinstance(node, yaml.SequenceNode) else [node]

    def flag(self, key: str) -> bool:
        node = self.fields.get(key)
        if node is None:
            return False
        text = self.scalar(node)
        if text not in ("true", "false"):
            raise self.error(f"{key} is true or false", node)
        return text == "true"

    def parsed(self, parse: Callable[[str], T], node: yaml.Node) -> T:
        """Return what `parse` makes of the text of `node`, its errors with their place."""
        text = self.scalar(node)
        try:
            return parse(text)
        except (TypeError, ValueError) as error:
            raise self.error(str(error), node) from None

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

    def size(self, node: yaml.Node) -> tuple[int, int]:
        text = self.scalar(node)
        match = re.fullmatch(r"(-?[0-9]{1,4})\s*/\s*(-?[0-9]{1,4})", text)
        if match is None:
            raise self.error('power and toughness are two numbers such as 2/1; "*" is not supported', node)
        return int(match[1]), int(match[2])

    def mana(self, costless: bool) -> ManaCost | None:
        node = self.fields.get("cost")
        if node is None:
            if not costless:
                raise CardError(
                    "a card without a cost (write `cost: none` if it has none)", place=self.place, card=self.card
                )
            return None
        return None if self.scalar(node) == "none" else self.parsed(mana_cost, node)

    def keywords(self, node: yaml.Node | None) -> Keyword:
        found = Keyword(0)
        for item in self.items(node):
            word = self.scalar(item)
            keyword = KEYWORD_NAMES.get(word.lower())
            if keyword is None:
                hint = did_you_mean(nearest(word, KEYWORD_NAMES))
                raise self.error(f"unknown keyword {word!r}{hint}", item)
            if keyword in found:
                raise self.error(f"the keyword {word!r} stands twice", item)
            found |= keyword
        return found

    def colors(self, node: yaml.Node) -> Color:
        text = self.scalar(node)
        letters = COLOR_LETTERS.replace("C", "")
        if len(set(text)) != len(text) or not set(text) <= set(letters):
            raise self.error(f"colours are letters of {letters}, each at most once", node)
        return Color(sum(Color[letter] for letter in text))

    # ------------------------------------------------------------------------------------- abilities
    def spell(self, node: yaml.Node) -> SpellAbility:
        fields = self.map(node, _SPELL_KEYS, "a spell ability")
        targets, effects = self.targets(fields), self.effects(fields, node)
        return self.made(lambda: SpellAbility(effects, targets), node)

    def ability(self, node: yaml.Node) -> Ability:
        fields = self.map(node, _ABILITY_KEYS, "an ability")
        if "cost" not in fields:
            raise self.error("an activated ability without a cost", node)
        price = self.parsed(cost, fields["cost"])
        if "mana" in fields:
            if "do" in fields or "targets" in fields:
                raise self.error("a mana ability has neither targets nor further effects (CR 605.1a)", node)
            colors, amount = self.parsed(mana_produced, fields["mana"])
            return self.made(lambda: ManaAbility(price, colors, amount), node)
        targets, effects = self.targets(fields), self.effects(fields, node)
        return self.made(lambda: ActivatedAbility(price, effects, targets), node)

    def made(self, make: Callable[[], T], node: yaml.Node) -> T:
        try:
            return make()
        except (TypeError, ValueError) as error:
            raise self.error(str(error), node) from None

    def targets(self, fields: dict[str, yaml.Node]) -> tuple[TargetSpec, ...]:
        return tuple(self.target(item) for item in self.items(fields.get("targets")))

    def target(self, node: yaml.Node) -> TargetSpec:
        found = self.expression(node)
        if not isinstance(found, Filter):
            raise self.error("a target is described by a filter such as creature & ~black", node)
        return self.made(lambda: TargetSpec(found), node)

    def effects(self, fields: dict[str, yaml.Node], node: yaml.Node) -> tuple[Effect, ...]:
        if "do" not in fields:
            raise self.error("nothing to do: the key 'do' is missing", node)
        return tuple(self.effect(item) for item in self.items(fields["do"]))

    def effect(self, node: yaml.Node) -> Effect:
        found = self.expression(node)
        if not isinstance(found, Effect):
            raise self.error("an effect such as damage(target(0), 3) is wanted", node)
        return found

    def expression(self, node: yaml.Node) -> object:
        text = self.scalar(node)
        try:
            return evaluate(text, NAMESPACE)
        except ExpressionError as error:
            raise self.error(str(error), node) from None
