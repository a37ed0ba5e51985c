"""The words of the notation, and nodes written in them: ``evaluate(notation(node)) == node``."""

from __future__ import annotations

from typing import TypeAlias

from lkicore.opcodes import Color, CounterKind, EffectOp, FilterOp, Keyword, RefOp, TypeBit, ValueOp, Zone

from . import effects as _effects
from . import filters as _filters
from . import references as _references
from . import values as _values
from .costs import ANY_COLOR, COLOR_LETTERS
from .effects import Effect
from .filters import Filter
from .operands import INT_MAX, INT_MIN, covers
from .references import Ref
from .values import COUNTER_NAMES, Value

Node: TypeAlias = "Filter | Ref | Value | Effect"

_FILTER_WORDS: dict[str, Filter] = {n: v for n, v in vars(_filters).items() if isinstance(v, Filter)}
_REF_WORDS: dict[str, Ref] = {n: v for n, v in vars(_references).items() if isinstance(v, Ref)}
_KEYWORD_WORDS: dict[str, Keyword] = {k.name.lower(): k for k in Keyword if k.name}
#: Zones by the word that names them: "exile" alone is what is done.
_ZONE_WORDS: dict[str, Zone] = {
    "exile_zone" if z is Zone.EXILE else z.name.lower(): z for z in Zone if z is not Zone.NONE
}

#: Effects: the word, and the operands in the order of the word's parameters (numbers of the signature).
_EFFECT_CALLS: dict[EffectOp, tuple[str, tuple[int, ...]]] = {
    EffectOp.END: ("end", ()),
    EffectOp.DAMAGE: ("damage", (1, 2, 0)),
    EffectOp.DESTROY: ("destroy", (0,)),
    EffectOp.EXILE: ("exile", (0,)),
    EffectOp.RETURN: ("return_to_hand", (0,)),
    EffectOp.DRAW: ("draw", (0, 1)),
    EffectOp.DISCARD: ("discard", (0, 1)),
    EffectOp.GAIN_LIFE: ("gain_life", (0, 1)),
    EffectOp.LOSE_LIFE: ("lose_life", (0, 1)),
    EffectOp.PUMP: ("pump", (0, 1, 2, 3)),
    EffectOp.TAP: ("tap", (0,)),
    EffectOp.UNTAP: ("untap", (0,)),
    EffectOp.COUNTERS: ("put_counters", (0, 2, 1)),
    EffectOp.FIGHT: ("fight", (0, 1)),
    EffectOp.TOKEN: ("create_tokens", (0, 1, 2)),
    EffectOp.MANA: ("add_mana", (0, 1)),
    EffectOp.SEARCH_LAND: ("search_library", (0, 1, 2, 3)),
    EffectOp.COUNTER: ("counter", (0,)),
    EffectOp.MILL: ("mill", (0, 1)),
}
#: Last operands that need not be written.
_DEFAULTS: dict[EffectOp, object] = {
    EffectOp.DAMAGE: _references.source,
    EffectOp.PUMP: Keyword(0),
    EffectOp.SEARCH_LAND: False,
}
_VALUE_CALLS: dict[ValueOp, str] = {
    ValueOp.CONST: "",
    ValueOp.X: "x",
    ValueOp.POWER: "power_of",
    ValueOp.TOUGHNESS: "toughness_of",
    ValueOp.MANA_VALUE: "mana_value_of",
    ValueOp.COUNT: "count",
    ValueOp.HAND_SIZE: "hand_size",
    ValueOp.LIFE: "life_of",
    ValueOp.ADD: "+",
    ValueOp.SUB: "-",
    ValueOp.MUL: "*",
    ValueOp.MIN: "lesser",
    ValueOp.MAX: "greater",
    ValueOp.COUNTERS: "counters_on",
}
_REF_CALLS: dict[RefOp, str] = {
    RefOp.SOURCE: "source",
    RefOp.TARGET: "target",
    RefOp.EACH: "each",
    RefOp.YOU: "you",
    RefOp.EACH_OPPONENT: "each_opponent",
    RefOp.EACH_PLAYER: "each_player",
    RefOp.CONTROLLER_OF: "controller_of",
    RefOp.OWNER_OF: "owner_of",
}
covers(EffectOp, _EFFECT_CALLS, "words of effects")
covers(ValueOp, _VALUE_CALLS, "words of values")
covers(RefOp, _REF_CALLS, "words of references")

_FILTER_FUNCTIONS = ("has", "subtype", "in_zone", "power", "toughness", "mana_value")
_RANGE_CALLS = {FilterOp.POWER: "power", FilterOp.TOUGHNESS: "toughness", FilterOp.MANA_VALUE: "mana_value"}


def _namespace() -> dict[str, object]:
    made: dict[str, object] = {}
    functions = [
        *((_filters, name) for name in _FILTER_FUNCTIONS),
        *((_references, name) for name in _REF_CALLS.values()),
        *((_values, name) for name in _VALUE_CALLS.values() if name.isidentifier()),
        *((_effects, name) for name, _ in _EFFECT_CALLS.values() if name != "end"),
    ]
    parts: list[dict[str, object]] = [
        {name: getattr(module, name) for module, name in functions},
        dict(_FILTER_WORDS),
        dict(_KEYWORD_WORDS),
        dict(_ZONE_WORDS),
    ]
    for part in parts:
        clash = made.keys() & part.keys()
        if clash:
            raise RuntimeError(f"words with two meanings: {', '.join(sorted(clash))}")
        made |= part
    return made


#: Everything that an expression of a card file can name.
NAMESPACE: dict[str, object] = _namespace()

_NAMED_FILTERS = {f: n for n, f in _FILTER_WORDS.items()}
_COUNTER_WORDS = {k: n for n, k in COUNTER_NAMES.items()}


def notation(node: Node) -> str:
    """Return `node` in the notation of card files."""
    if isinstance(node, Filter):
        return _filter(node)
    if isinstance(node, Ref):
        return _call(_REF_CALLS[node.op], [operand_notation(a) for a in node.args])
    if isinstance(node, Value):
        return _value(node)
    word, order = _EFFECT_CALLS[node.op]
    operands = [node.args[i] for i in order]
    if node.op in _DEFAULTS and operands[-1] == _DEFAULTS[node.op]:
        operands.pop()
    parts = [operand_notation(a) for a in operands]
    if node.op is EffectOp.DAMAGE and len(parts) == 3:
        parts[2] = f"by={parts[2]}"
    return _call(word, parts)


def _call(word: str, parts: list[str]) -> str:
    return f"{word}({', '.join(parts)})" if parts else word


def operand_notation(operand: object) -> str:
    """Return an operand of a node in the notation of card files."""
    if isinstance(operand, Filter | Ref | Value | Effect):
        return notation(operand)
    if isinstance(operand, Keyword):
        return " | ".join(n for n, k in _KEYWORD_WORDS.items() if k in operand) or "none"
    if isinstance(operand, Zone):
        return next(n for n, z in _ZONE_WORDS.items() if z is operand)
    if isinstance(operand, CounterKind):
        return f'"{_COUNTER_WORDS[operand]}"'
    if isinstance(operand, Color):
        return f'"{mana_words(operand)}"'
    if isinstance(operand, str):
        return '"' + operand.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(operand)


def mana_words(colors: Color) -> str:
    """Return the kinds of mana in words: "G", "R/G", "any"."""
    return "any" if colors == ANY_COLOR else "/".join(c for c in COLOR_LETTERS if Color[c] in colors)


def _value(node: Value) -> str:
    word = _VALUE_CALLS[node.op]
    if node.op is ValueOp.CONST:
        return str(node.args[0])
    parts = [operand_notation(a) for a in node.args]
    if not word.isidentifier():
        # Inner sums and products keep their brackets: the shape of the tree is the card's.
        wrapped = [
            f"({p})" if isinstance(a, Value) and len(a.args) == 2 else p for a, p in zip(node.args, parts, strict=True)
        ]
        return f"{wrapped[0]} {word} {wrapped[1]}"
    return _call(word, parts)


def _filter(node: Filter) -> str:
    named = _NAMED_FILTERS.get(node)
    if named:
        return named
    operand = node.args[0] if node.args else None
    if isinstance(operand, TypeBit | Color):
        negative = node.op in (FilterOp.TYPES_NONE, FilterOp.COLORS_NONE)
        words = _mask_words(operand)
        text = " | ".join(words)
        if negative:
            return f"~({text})" if len(words) > 1 else f"~{text}"
        return text
    if node.op in (FilterOp.KEYWORDS_ALL, FilterOp.KEYWORDS_NONE):
        return ("~" if node.op is FilterOp.KEYWORDS_NONE else "") + f"has({operand_notation(operand)})"
    if node.op in _RANGE_CALLS:
        low, high = node.args[0], node.args[1]
        parts = [f"at_least={low}"] * (low != INT_MIN) + [f"at_most={high}"] * (high != INT_MAX)
        return f"{_RANGE_CALLS[node.op]}({', '.join(parts)})"
    if node.op is FilterOp.NOT:
        return f"~{_tight(node.parts[0])}"
    if node.op is FilterOp.AND:
        left, right = node.parts
        return f"{_filter(left) if left.op is FilterOp.AND else _tight(left)} & {_tight(right)}"
    if node.op is FilterOp.OR:
        left, right = node.parts
        return f"{_filter(left)} | {_tight(right)}"
    word = "subtype" if node.op is FilterOp.SUBTYPE else "in_zone"
    return f"{word}({operand_notation(operand)})"


def _tight(node: Filter) -> str:
    """Return `node` so that ``~``, ``&`` and ``|`` can stand before it."""
    text = _filter(node)
    several = node.op in (FilterOp.TYPES_ANY, FilterOp.COLORS_ANY) and " | " in text
    loose = several or node.op in (FilterOp.AND, FilterOp.OR)
    return f"({text})" if loose and node not in _NAMED_FILTERS else text


def _mask_words(mask: TypeBit | Color) -> list[str]:
    kind = type(mask)
    words = {f.args[0]: n for n, f in _FILTER_WORDS.items() if len(f.args) == 1 and type(f.args[0]) is kind}
    return [words.get(bit, str(bit.name).lower()) for bit in kind if bit in mask]
