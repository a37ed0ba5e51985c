"""Listings: a card in words: characteristics, abilities in the notation with policies, assembled instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lkicore.ir.abilities import ActivatedAbility, ManaAbility, SpellAbility
from lkicore.ir.effects import EFFECT_SIGNATURES
from lkicore.ir.faces import color_letters
from lkicore.ir.operands import REFERENCE_SORTS, Sort
from lkicore.ir.references import Ref
from lkicore.ir.words import mana_words, notation, operand_notation
from lkicore.opcodes import EffectOp

from .assemble import INSTRUCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lkicore.ir.faces import Face

    from .pool import CardPool

_TABLES = {Sort.VALUE: "v", Sort.KEYWORD_NODE: "v", Sort.FILTER: "f"}


def show(pool: CardPool, name: str) -> str:
    """Return the readable listing of the card called `name`, in lines.

    Raises:
        UnknownCard: there is none.
    """
    return "\n".join(_lines(pool, pool.index(name)))


def _lines(pool: CardPool, number: int) -> Iterator[str]:
    face = pool.faces[number]
    row = pool.assembly.faces[number]
    yield from _characteristics(face, number)
    if face.spell is not None:
        yield "spell ability"
        yield from _ability(face.spell, pool, row["program"])
    first, _ = row["abilities"]
    for i, ability in enumerate(face.all_abilities):
        if isinstance(ability, ManaAbility):
            amount = f"{ability.amount} x " if ability.amount > 1 else ""
            yield f"mana ability {i}: {ability.cost}: add {amount}{mana_words(ability.colors)}"
        else:
            yield f"activated ability {i}: {ability.cost}"
            yield from _ability(ability, pool, pool.assembly.abilities[first + i]["program"])


def _characteristics(face: Face, number: int) -> Iterator[str]:
    yield f"{face.name}  {face.cost}" if face.cost is not None else face.name
    size = f"  {face.power}/{face.toughness}" if face.power is not None else ""
    yield face.type_line + size
    colors = color_letters(face.real_colors) or "colourless"
    marks = [f"face {number}", f"colours {colors}", f"mana value {face.mana_value}"]
    marks += ["token"] * face.token + ["for tests only"] * face.test_only
    yield ", ".join(marks)
    if face.keywords:
        yield f"keywords: {', '.join(face.keyword_names)}"


def _ability(ability: SpellAbility | ActivatedAbility, pool: CardPool, program: int) -> Iterator[str]:
    for i, spec in enumerate(ability.targets):
        yield (
            f"  target({i}): {notation(spec.filter)}, in {spec.zone.name.lower()}"
            if spec.objects
            else (f"  target({i}): {notation(spec.filter)}")
        )
    for effect in ability.effects:
        yield f"  {notation(effect)}"
        for ref in dict.fromkeys(_references(effect)):
            yield f"      {notation(ref)} is read {ref.policy.name}"
    yield f"  instructions from word {program}"
    yield from _instructions(ability, pool, program)


def _references(node: object) -> Iterable[Ref]:
    """Yield the references in `node`, outer ones first."""
    if isinstance(node, Ref):
        yield node
    for arg in getattr(node, "args", ()):
        yield from _references(arg)


def _instructions(ability: SpellAbility | ActivatedAbility, pool: CardPool, program: int) -> Iterator[str]:
    code = pool.assembly.code
    for i, effect in enumerate(ability.effects):
        at = program + i * INSTRUCTION_WORDS
        words = code[at + 1 : at + INSTRUCTION_WORDS]
        signature = EFFECT_SIGNATURES[effect.op]
        operands = [_word(sort, w, arg) for (_, sort), w, arg in zip(signature, words, effect.args, strict=False)]
        yield f"    {at:5d}  {EffectOp(code[at]).name:<12}{'  '.join(operands)}".rstrip()
    at = program + len(ability.effects) * INSTRUCTION_WORDS
    yield f"    {at:5d}  {EffectOp(code[at]).name}"


def _word(sort: Sort, word: int, arg: object) -> str:
    """Return an operand in words: the index of its node, or the immediate word, and what it means."""
    if sort in REFERENCE_SORTS:
        return f"r{word}={operand_notation(arg)}"
    if sort in _TABLES:
        return f"{_TABLES[sort]}{word}={operand_notation(arg)}"
    return f"{word}={operand_notation(arg)}"
