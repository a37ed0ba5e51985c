"""Costs read from their text: "{1}{R}, {T}, sacrifice(creature & other)"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lkicore.opcodes import CostFlag

from . import costs as _costs
from .costs import FLAG_WORDS, Cost, CostPart
from .expressions import evaluate
from .hints import did_you_mean, nearest
from .mana import NO_MANA, ManaCost, mana_cost
from .operands import describe
from .vocabulary import NAMESPACE

#: Parts of costs that have operands, by their word.
PART_WORDS: dict[str, Callable[..., CostPart]] = {
    "pay_life": _costs.pay_life,
    "sacrifice": _costs.sacrifice,
    "discard": _costs.discard,
    "exile_from_graveyard": _costs.exile_from_graveyard,
    "exile_from_hand": _costs.exile_from_hand,
    "remove": _costs.remove,
    "put": _costs.put,
    "tap": _costs.tap,
    "return": _costs.return_,
    "mill": _costs.mill,
    "reveal": _costs.reveal,
    "crew": _costs.crew,
    "pay_counters": _costs.pay_counters,
}
#: Parts of costs that have none.
PLAIN_PARTS: dict[str, CostPart] = {
    "exile_this": _costs.exile_this,
    "discard_this": _costs.discard_this,
    "discard_hand": _costs.discard_hand,
}


def _split(text: str) -> Iterator[str]:
    """Yield the parts of a cost: commas inside brackets or strings don't part it."""
    depth, quote, start = 0, "", 0
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    yield text[start:].strip()


def _part(text: str) -> CostPart:
    """Return the part of a cost that is neither mana nor a flag.

    Raises:
        ValueError: it is not understood.
    """
    plain = PLAIN_PARTS.get(text)
    if plain is not None:
        return plain
    word, bracket, rest = text.partition("(")
    build = PART_WORDS.get(word.strip())
    if build is None or not bracket or not rest.endswith(")"):
        known = (*FLAG_WORDS, *PLAIN_PARTS, *(f"{w}(...)" for w in PART_WORDS))
        hint = did_you_mean(nearest(word, known))
        raise ValueError(f"{text!r} is not a cost; there are mana symbols, {', '.join(known)}{hint}")
    # "return" is no word of expressions: the operands are read under another name.
    made: Any = evaluate(f"_({rest}", {**NAMESPACE, "_": build})
    if not isinstance(made, CostPart):
        raise ValueError(f"{text!r} is not a cost")
    return made


def cost(text: str) -> Cost:
    """Return the cost written as `text`: "{1}, {T}, sacrifice" ("sacrifice" means the permanent itself).

    Raises:
        TypeError: `text` is not a string.
        ValueError: a part of it is not understood or stands twice.
    """
    if not isinstance(text, str):
        raise TypeError(f'a cost such as "{{1}}, {{T}}" is wanted, not {describe(text)}')
    mana: ManaCost | None = None
    flags = CostFlag(0)
    parts: list[CostPart] = []
    for part in _split(text):
        flag = FLAG_WORDS.get(part)
        if flag is not None:
            if flag in flags:
                raise ValueError(f"{part} stands twice in the cost {text!r}")
            flags |= flag
        elif part.startswith("{"):
            if mana is not None:
                raise ValueError(f"the cost {text!r} has two mana costs")
            mana = mana_cost(part)
        else:
            parts.append(_part(part))
    return Cost(mana or NO_MANA, flags, tuple(parts))
