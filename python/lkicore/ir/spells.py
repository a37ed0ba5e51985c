"""Effects on spells and abilities: copies of them, other targets (CR 115.7, 707.10, 707.12)."""

from __future__ import annotations

from lkicore.opcodes import CopyFlag, EffectOp

from .effects import Effect
from .operands import Kind, flag
from .references import Ref, reference
from .values import ValueLike, value


def _one(what: Ref, word: str) -> Ref:
    return reference(what, word, one=True, kind=Kind.OBJECT)


def _player(player: Ref, word: str) -> Ref:
    return reference(player, word, one=True, kind=Kind.PLAYER)


def _flags(word: str, **marks: tuple[bool, CopyFlag]) -> CopyFlag:
    made = CopyFlag(0)
    for name, (wanted, bit) in marks.items():
        if flag(wanted, f"{word}: {name}"):
            made |= bit
    return made


def copy_spell(player: Ref, what: Ref, amount: ValueLike = 1, new_targets: bool = False) -> Effect:
    """A player copies a spell or ability, as it is or last was, `amount` times (CR 707.10).

    `new_targets`: the player may choose new targets for each copy (CR 707.10c).
    """
    how = _flags("copy_spell", new_targets=(new_targets, CopyFlag.NEW_TARGETS))
    operands = (_player(player, "copy_spell"), _one(what, "copy_spell"), value(amount, "copy_spell"), how)
    return Effect(EffectOp.COPY_SPELL, operands)


def choose_targets(player: Ref, what: Ref, must: bool = False, one: bool = False, to_source: bool = False) -> Effect:
    """A player may choose new targets for a spell or ability (CR 115.7).

    Args:
        player: the player.
        what: the spell or ability.
        must: "change the target": it must become another one, if it can (CR 115.7a).
        one: one of its targets only.
        to_source: it can become the source of the effect and nothing else.
    """
    marks = _flags(
        "choose_targets",
        must=(must, CopyFlag.MUST),
        one=(one, CopyFlag.ONE),
        to_source=(to_source, CopyFlag.TO_SOURCE),
    )
    return Effect(EffectOp.NEW_TARGETS, (_player(player, "choose_targets"), _one(what, "choose_targets"), marks))


def copy_card(player: Ref, what: Ref) -> Effect:
    """A player copies cards where they are (CR 707.12); `moved` are the copies, which can be cast."""
    return Effect(EffectOp.COPY_CARD, (_player(player, "copy_card"), reference(what, "copy_card", kind=Kind.OBJECT)))
