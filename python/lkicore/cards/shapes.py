"""Shapes of card files: maps, lists and words of YAML, with errors that name their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import yaml

from lkicore.ir.expressions import ExpressionError, evaluate
from lkicore.ir.faces import Place
from lkicore.ir.vocabulary import NAMESPACE

from .errors import CardError, did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")


def place_of(node: yaml.Node, file: str) -> Place:
    """Return where `node` stands."""
    return Place(file, node.start_mark.line + 1)


class Shapes:
    """Reads the parts of one card.

    Attributes:
        file: name of the file.
        card: name of the card, or None while it isn't known.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.card: str | None = None

    def error(self, cause: str, node: yaml.Node, text: str | None = None) -> CardError:
        """Return the error `cause` at `node`."""
        if text is None and isinstance(node, yaml.ScalarNode):
            text = node.value
        return CardError(cause, place=place_of(node, self.file), card=self.card, text=text)

    def map(self, node: yaml.Node, keys: Iterable[str], what: str) -> dict[str, yaml.Node]:
        """Return the entries of a map that may have `keys`."""
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

    def keys(self, node: yaml.Node) -> list[str]:
        """Return the keys of a map before they are checked; none of anything else."""
        if not isinstance(node, yaml.MappingNode):
            return []
        return [str(k.value).strip() for k, _ in node.value if isinstance(k, yaml.ScalarNode)]

    def scalar(self, node: yaml.Node) -> str:
        """Return a word or text."""
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

    def flag(self, fields: dict[str, yaml.Node], key: str) -> bool:
        """Return the entry `key`, true or false; false if it is missing."""
        node = fields.get(key)
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

    def made(self, make: Callable[[], T], node: yaml.Node) -> T:
        """Return what `make` makes, its errors with the place of `node`."""
        try:
            return make()
        except (TypeError, ValueError) as error:
            raise self.error(str(error), node) from None

    def expression(self, node: yaml.Node) -> object:
        """Return what the expression `node` means."""
        text = self.scalar(node)
        try:
            return evaluate(text, NAMESPACE)
        except ExpressionError as error:
            raise self.error(str(error), node) from None

    def of_type(self, kind: type[T], node: yaml.Node, wanted: str) -> T:
        """Return what the expression `node` means, which must be a `kind`: `wanted` in words."""
        found = self.expression(node)
        if not isinstance(found, kind):
            raise self.error(f"{wanted} is wanted", node)
        return found
