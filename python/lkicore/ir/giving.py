"""Adding mana that is not all alike, or of kinds that a player chooses (CR 106)."""

from __future__ import annotations

from dataclasses import dataclass

from lkicore.opcodes import EffectOp

from .effects import Effect
from .filters import Filter, everything, filter_of_objects
from .mana import mana_colors
from .operands import Kind, describe, flag
from .references import Ref, reference
from .values import ValueLike, value


@dataclass(frozen=True, slots=True)
class ManaUse:
    """What mana can be spent on, and what it means (CR 106.6).

    Attributes:
        what: spells that it can be spent on; everything: anything.
        sure: a spell that it is spent on can't be countered.
        stays: it doesn't empty until the turn ends.
        besides: it can be spent on whatever is no spell, too.
    """

    what: Filter = everything
    sure: bool = False
    stays: bool = False
    besides: bool = False


def spend_on(what: Filter, sure: bool = False, stays: bool = False, besides: bool = False) -> ManaUse:
    """Return "spend this mana only to cast spells that pass `what`" (CR 106.6); `everything`: on anything.

    Args:
        what: the spells.
        sure: a spell that it is spent on can't be countered.
        stays: it doesn't empty until the turn ends.
        besides: it can be spent on whatever is no spell, too: it can't be spent on other spells.
    """
    marks = (flag(on, f"spend_on: {name}") for on, name in ((sure, "sure"), (stays, "stays"), (besides, "besides")))
    return ManaUse(filter_of_objects(what, "spend_on"), *marks)


def give_mana(player: Ref, colors: str, amount: ValueLike = 1, use: ManaUse | None = None, one: bool = False) -> Effect:
    """Players add mana of `colors` ("R", "R/G", "any"), each of them as they choose (CR 106.3).

    Args:
        player: the players.
        colors: the kinds of mana.
        amount: how much.
        use: what it can be spent on, or None: anything.
        one: all of one kind.
    """
    if use is not None and not isinstance(use, ManaUse):
        raise TypeError(f"give_mana: use is spend_on(...), not {describe(use)}")
    who = reference(player, "give_mana", kind=Kind.PLAYER)
    operands = (who, mana_colors(colors), value(amount, "give_mana"), use, flag(one, "give_mana: one"))
    return Effect(EffectOp.ADD_MANA, operands)
