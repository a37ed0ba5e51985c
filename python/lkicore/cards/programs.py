"""Programs: the instructions of an ability in one line of code, control flow as jumps."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lkicore.ir.abilities import ABILITY_CLASSES
from lkicore.ir.effects import EFFECT_SIGNATURES, Effect
from lkicore.ir.flow import If, May, Pay
from lkicore.ir.words import notation, operand_notation
from lkicore.opcodes import EffectOp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lkicore.ir.flow import Instruction
    from lkicore.ir.operands import Signature

#: Words of an instruction: opcode and operands.
INSTRUCTION_WORDS = 8


@dataclass(frozen=True, slots=True)
class Label:
    """Where a jump leads.

    Attributes:
        line: number of the line of the program.
    """

    line: int


@dataclass(frozen=True, slots=True)
class Line:
    """An instruction of a program.

    Attributes:
        op: what is done.
        args: its operands; a `Label` where it may jump to.
        origin: what it was made from, for messages; None: nothing.
    """

    op: EffectOp
    args: tuple[object, ...] = ()
    origin: Instruction | None = None

    @property
    def signature(self) -> Signature:
        """Names and sorts of its operands."""
        return EFFECT_SIGNATURES[self.op]


def lines_of(effects: Iterable[Instruction]) -> list[Line]:
    """Return the program of `effects`, which ends with END."""
    made: list[Line] = []
    _block(effects, made)
    made.append(Line(EffectOp.END))
    return made


def _block(effects: Iterable[Instruction], made: list[Line]) -> None:
    for effect in effects:
        if isinstance(effect, Effect):
            made.append(Line(effect.op, effect.args, effect))
        else:
            _branch(effect, made)


def _branch(effect: If | May | Pay, made: list[Line]) -> None:
    at = len(made)
    made.append(Line(EffectOp.END))
    _block(effect.then, made)
    leave = len(made)
    if effect.otherwise:
        made.append(Line(EffectOp.JUMP))
    other = len(made)
    _block(effect.otherwise, made)
    made[at] = _fork(effect, Label(other))
    if effect.otherwise:
        made[leave] = Line(EffectOp.JUMP, (Label(len(made)),))


def _fork(effect: If | May | Pay, other: Label) -> Line:
    """Return the instruction that goes on at `other` if it isn't so."""
    if isinstance(effect, If):
        return Line(EffectOp.UNLESS, (effect.condition, other), effect)
    if isinstance(effect, May):
        return Line(EffectOp.MAY, (effect.who, other), effect)
    return Line(EffectOp.PAY, (effect.who, effect.cost, other, effect.x), effect)


def head(effect: If | May | Pay) -> str:
    """Return the first line of a branch in words."""
    if isinstance(effect, If):
        return f"if {notation(effect.condition)}"
    if isinstance(effect, May):
        return f"{notation(effect.who)} may"
    x = f" with x = {operand_notation(effect.x)}" if effect.x is not None else ""
    return f"{notation(effect.who)} may pay {effect.cost}{x}"


def nodes_in(node: Any, *, abilities: bool = False) -> Iterator[object]:
    """Yield `node` and every node inside it, outer ones first; those of abilities inside it only if `abilities`."""
    if isinstance(node, tuple):
        for part in node:
            if abilities or not isinstance(part, ABILITY_CLASSES):
                yield from nodes_in(part, abilities=abilities)
        return
    names = _PARTS.get(type(node))
    if names is None:
        names = _PARTS[type(node)] = _parts_of(type(node))
    if names:
        yield node
        for name in names:
            part = getattr(node, name)
            if abilities or not isinstance(part, ABILITY_CLASSES):
                yield from nodes_in(part, abilities=abilities)


#: Names of the fields of each class of nodes; none of other classes.
_PARTS: dict[type, tuple[str, ...]] = {}


def _parts_of(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()
