"""Control flow: what happens only if something holds, if a player wants it, or if it is paid for (CR 608.2, 118.12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .costs import Cost
from .effects import Effect
from .operands import Kind, describe
from .references import Ref, reference, you
from .values import Value, ValueLike, value

Instruction: TypeAlias = "Effect | If | May | Pay"


@dataclass(frozen=True, slots=True)
class If:
    """`then` is done if `condition` holds when it comes to it, else `otherwise`.

    Attributes:
        condition: a value; 0: it doesn't hold.
        then: instructions.
        otherwise: instructions.
    """

    condition: Value
    then: tuple[Instruction, ...]
    otherwise: tuple[Instruction, ...] = ()

    def __post_init__(self) -> None:
        _check("if", self.then, self.otherwise)


@dataclass(frozen=True, slots=True)
class May:
    """`then` is done if player `who` chooses so, else `otherwise` (CR 608.2d).

    Attributes:
        then: instructions.
        who: the player who chooses.
        otherwise: instructions.
    """

    then: tuple[Instruction, ...]
    who: Ref = you
    otherwise: tuple[Instruction, ...] = ()

    def __post_init__(self) -> None:
        reference(self.who, "may: who", one=True, kind=Kind.PLAYER)
        _check("may", self.then, self.otherwise)


@dataclass(frozen=True, slots=True)
class Pay:
    """`then` is done if player `who` pays `cost`, else `otherwise` (CR 118.12).

    Attributes:
        cost: what is paid.
        then: instructions.
        otherwise: instructions.
        who: the player who may pay.
        x: what X is in the cost, or None if it has none.
    """

    cost: Cost
    then: tuple[Instruction, ...] = ()
    otherwise: tuple[Instruction, ...] = ()
    who: Ref = you
    x: Value | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.cost, Cost):
            raise TypeError(f"pay: a cost is wanted, not {describe(self.cost)}")
        reference(self.who, "pay: who", one=True, kind=Kind.PLAYER)
        _check("pay", self.then, self.otherwise)
        if (self.x is None) is (self.cost.mana.n_x > 0):
            raise ValueError("pay: a cost with {X} says what x is, another doesn't")


def _check(word: str, *blocks: tuple[Instruction, ...]) -> None:
    for block in blocks:
        instructions_of(block, word)
    if not any(blocks):
        raise ValueError(f"{word}: nothing depends on it")


def instructions_of(effects: object, what: str) -> tuple[Instruction, ...]:
    """Return `effects`, one or a sequence, as a tuple of instructions.

    Raises:
        TypeError: something else is among them.
    """
    given = tuple(effects) if isinstance(effects, tuple | list) else (effects,)
    found: tuple[Instruction, ...] = ()
    for effect in given:
        found += effect if isinstance(effect, tuple) else (effect,)  # a keyword action may stand for several
    for effect in found:
        if not isinstance(effect, Effect | If | May | Pay):
            raise TypeError(f"{what}: an effect such as damage(target(0), 3) is wanted, not {describe(effect)}")
    return found


def if_(condition: ValueLike, then: object, otherwise: object = ()) -> If:
    """Return "if `condition`, `then`, otherwise `otherwise`"; both are an effect or several."""
    return If(value(condition, "if_"), instructions_of(then, "if_"), instructions_of(otherwise, "if_"))


def may(effects: object, who: Ref = you, otherwise: object = ()) -> May:
    """Return "`who` may do `effects`. If not, `otherwise`" (CR 608.2d)."""
    return May(instructions_of(effects, "may"), who, instructions_of(otherwise, "may"))


def pay(
    price: Cost | str, then: object = (), otherwise: object = (), who: Ref = you, x: ValueLike | None = None
) -> Pay:
    """Return "`who` may pay `price`. If so, `then`, otherwise `otherwise`" (CR 118.12)."""
    from .reading import cost

    paid = cost(price) if isinstance(price, str) else price
    amount = None if x is None else value(x, "pay: x")
    return Pay(paid, instructions_of(then, "pay"), instructions_of(otherwise, "pay"), who, amount)
