"""Prevention effects of spells and abilities that do something besides (CR 615.5)."""

from __future__ import annotations

from dataclasses import replace

from lkicore.opcodes import EffectOp, ReplaceOp

from .abilities import ReplacementAbility
from .effects import Effect
from .filters import everything
from .flow import instructions_of
from .operands import describe

#: Instructions that make such a shield.
_SHIELDS = (EffectOp.PREVENT, EffectOp.PREVENT_FROM)


def shield(effect: object, then: object) -> Effect:
    """`effect` prevents damage; each time it does, `then` happens at once (CR 615.5).

    In it, `event_amount` is how much was prevented, `event_object` what it would have been dealt to, `event_other` its
    source and `event_player` the player, or the controller of the permanent, that it would have been dealt to.

    Raises:
        TypeError: `effect` prevents nothing.
    """
    if not isinstance(effect, Effect) or effect.op not in _SHIELDS:
        raise TypeError(f"shield: prevent or prevent_from is wanted, not {describe(effect)}")
    follows = ReplacementAbility(ReplaceOp.PREVENT_TO, everything, effects=instructions_of(then, "shield"))
    return replace(effect, args=(*effect.args[:-1], follows))
