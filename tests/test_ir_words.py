"""Every word of the notation: what its builder takes, what it refuses, and that what is written is read back."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lkicore.cards import CardPool
from lkicore.cards.expressions import evaluate
from lkicore.cards.programs import nodes_in
from lkicore.ir import NAMESPACE, Change, Effect, Event, Filter, Ref, TargetSpec, Value, cost, notation
from lkicore.ir.abilities import ABILITY_CLASSES
from lkicore.ir.changes import CHANGE_SIGNATURES, Enter
from lkicore.ir.costs import COST_SIGNATURES, CostPart
from lkicore.ir.effects import EFFECT_SIGNATURES
from lkicore.ir.filters import FILTER_SIGNATURES
from lkicore.ir.reading import PART_WORDS, PLAIN_PARTS
from lkicore.ir.references import REF_SIGNATURES
from lkicore.ir.triggers import EVENT_PARTS
from lkicore.ir.values import VALUE_SIGNATURES
from lkicore.opcodes import ChangeOp, CostOp, EffectOp, EventKind, FilterOp, Keyword, RefOp, ValueOp

#: Operands of every sort, right and wrong.
TEXTS = (
    *('"color"', '"creature type"'),
    *(
        "target(0)",
        "target(1)",
        "targets(0)",
        "you",
        "each_opponent",
        "each(creature & yours)",
        "event_object",
        "moved",
    ),
    *("paid(0)", "linked(1)", "creature", "creature & ~black", "artifact | enchantment", "player", "opponent", "this"),
    *("any_target", "in_zone(graveyard)", "everything", "0", "3", "x", "count(creature) + 1", "kicked_times(0) >= 1"),
    *("flying", "flying | haste", "battlefield", "hand", "graveyard", "library", "upkeep", "end_of_turn", "always"),
    *(
        "next_end_step",
        '"+1/+1"',
        '"fade"',
        '"Goblin"',
        '"Goblin Token"',
        '"R"',
        '"died"',
        '"power"',
        '"ward {2}"',
        '"evoke"',
        '"explores"',
        '"monstrous"',
        '"combat_phase"',
        '"turn"',
        '"pay_life(2)"',
    ),
    *("True", "False", "top", "random_bottom", "all_damage", "boost(1, x)", "gain(flying)", "died"),
    *("citys_blessing", "land_plays(1)"),
)
#: No more operands than this are tried together; the others keep their defaults.
TOGETHER = 2
KINDS = (Filter, Ref, Value, Effect, Change, Event, TargetSpec, Enter, CostPart)


def of(text: str) -> Any:
    return evaluate(text, NAMESPACE)


def builders() -> dict[str, Callable[..., Any]]:
    return {name: word for name, word in NAMESPACE.items() if inspect.isfunction(word)}


@functools.cache
def operands() -> tuple[Any, ...]:
    return (*(of(text) for text in TEXTS), (1, 2), ())


def calls(build: Callable[..., Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Calls of a builder: what it must be given in all combinations, then one further operand by its name."""
    parameters = inspect.signature(build).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_POSITIONAL]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        needed = [*needed, *needed[:1]] or [*parameters] * 2
    optional = [p.name for p in parameters if p.default is not p.empty]
    n = min(len(needed), TOGETHER)
    rests: list[tuple[Any, ...]] = [()]
    if len(needed) > n:
        further = [of(text) for text in ("2", "creature", "hand", "target(0)", '"fade"')]
        rests = [*itertools.product(further, repeat=len(needed) - n)]
    for given in itertools.product(operands(), repeat=n):
        for rest in rests:
            yield (*given, *rest), {}
    # (`becomes` takes nothing that says only what.)
    for given in [*itertools.islice(good(build, n, rests), 3)] or [(of("target(0)"),)]:
        for name in optional:
            for operand in operands():
                yield given, {name: operand}


def good(build: Callable[..., Any], n: int, rests: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Operands that a builder takes."""
    for given in itertools.product(operands(), repeat=n):
        for rest in rests:
            try:
                build(*given, *rest)
            except (TypeError, ValueError):
                continue
            yield (*given, *rest)


@pytest.mark.parametrize("word", sorted(builders()))
def test_a_builder_makes_what_is_read_back_or_refuses(word: str) -> None:
    made = 0
    build = builders()[word]
    for given, named in calls(build):
        try:
            node = build(*given, **named)
        except (TypeError, ValueError):
            continue
        made += 1
        # A keyword action is several instructions, each with a word of its own.
        for part in node if isinstance(node, tuple) else (node,):
            if isinstance(part, KINDS):
                assert of(notation(part)) == part, (given, named)
    assert made


def test_words_that_are_nodes_are_read_back() -> None:
    nodes = {name: word for name, word in NAMESPACE.items() if isinstance(word, KINDS)}
    assert len(nodes) >= 70
    for name, node in nodes.items():
        assert of(notation(node)) == node, name


def test_costs_are_read_back() -> None:
    filters = [of(text) for text in ("creature & other", "land", "everything", "artifact | creature")]
    seen: set[CostOp] = set()
    for build in PART_WORDS.values():
        for given in itertools.product(
            (*filters, 1, 2, of("x"), "fade", "+1/+1"), repeat=len(inspect.signature(build).parameters)
        ):
            try:
                part = build(*given)
            except (TypeError, ValueError):
                continue
            seen.add(part.op)
            assert cost(notation(part)).parts == (part,)
    seen.update(part.op for part in PLAIN_PARTS.values())
    assert seen == set(CostOp)
    for text in ("{1}{R}, {T}, sacrifice", "{Q}", "{0}", "{W/P}{2/W}, discard_hand", "return(land), exile_this"):
        assert str(cost(text)) == text
    assert cost('remove(1, "fade"), sacrifice(creature & ~black, 2)').paid_objects == 2


# ------------------------------------------------------------------------------------------------ completeness
#: What no expression makes: ends and jumps, what stands in maps of a card file, and marks of other nodes.
NOT_IN_EXPRESSIONS = (
    *(EffectOp.END, EffectOp.JUMP, EffectOp.UNLESS, EffectOp.MAY, EffectOp.PAY, EffectOp.DELAY, EffectOp.REFLEXIVE),
    *(ChangeOp.ADD_ABILITY, EventKind.NONE, EventKind.DELAYED, EventKind.REFLEXIVE),
)


def made_nodes() -> Iterator[Any]:
    """A few nodes of every builder, and of the operators."""
    for build in builders().values():
        for given, named in itertools.islice(calls(build), 400_000):
            try:
                yield build(*given, **named)
            except (TypeError, ValueError):
                continue
    yield from (word for word in NAMESPACE.values() if isinstance(word, KINDS))
    for text in ("x + 1", "x - 1", "x * 2", "x == 1", "~(creature & yours)", "creature & yours | token"):
        yield of(text)
    for text in ("all_of(x, 1)", "any_of(x, 1)", "~creature", "~black", "~has(flying)"):
        yield of(text)


def test_every_opcode_has_a_word() -> None:
    made: dict[type, set[Any]] = {}
    for node in made_nodes():
        for inner in nodes_in(node, abilities=True):
            op = inner.kind if isinstance(inner, Event) else getattr(inner, "op", None)
            if op is not None:
                made.setdefault(type(op), set()).add(op)
    for kind, signatures in (
        *((ValueOp, VALUE_SIGNATURES), (FilterOp, FILTER_SIGNATURES), (RefOp, REF_SIGNATURES)),
        *((EffectOp, EFFECT_SIGNATURES), (ChangeOp, CHANGE_SIGNATURES), (EventKind, EVENT_PARTS)),
    ):
        members = set(kind)
        assert members == set(signatures)
        missing = {m for m in members - made[kind] if not any(m is n for n in NOT_IN_EXPRESSIONS)}
        assert not missing
    assert set(CostOp) == set(COST_SIGNATURES)


def test_the_pool_is_read_back() -> None:
    seen = 0
    for face in CardPool.builtin().faces:
        for node in nodes_in((face.spell_ability, face.all_abilities)):
            # A target may be a filter alone; the parts of costs are no expressions; abilities are written as maps.
            given = any(isinstance(n, ABILITY_CLASSES) for n in nodes_in(node, abilities=True))
            op = getattr(node, "op", None)
            # Nor is a number that is a node, or a mark without the ability that it stands for.
            apart = op is ValueOp.CONST or any(op is o for o in NOT_IN_EXPRESSIONS)
            mark = isinstance(node, Change) and node.args[:1] == (Keyword.PROTECTION,)
            if isinstance(node, KINDS) and not isinstance(node, CostPart | TargetSpec) and not (given or apart or mark):
                assert of(notation(node)) == node
                seen += 1
    assert seen >= 60
