"""Effects on turns, phases and players: what comes besides, what is skipped, ended, exchanged or taken over."""

from __future__ import annotations

from typing import TypeVar

from lkicore.opcodes import EffectOp, Ending, ExtraPhase, Skip, TextKind

from . import changes as _changes
from .effects import Effect
from .operands import Kind, describe
from .references import Ref, reference

T = TypeVar("T", ExtraPhase, Ending, TextKind)

#: What comes besides: after this phase a combat phase, that and a main phase; after this step an upkeep step.
EXTRA_WORDS: dict[str, ExtraPhase] = {
    "combat_phase": ExtraPhase.COMBAT,
    "combat_and_main_phase": ExtraPhase.COMBAT_MAIN,
    "upkeep_step": ExtraPhase.UPKEEP,
}
#: What is ended.
ENDING_WORDS: dict[str, Ending] = {"turn": Ending.TURN, "combat_phase": Ending.COMBAT}
#: What a player skips.
SKIP_WORDS: dict[str, Skip] = {
    "turn": Skip.TURN,
    "untap": Skip.UNTAP,
    "draw": Skip.DRAW,
    "combat": Skip.COMBAT,
    "upkeep": Skip.UPKEEP,
    "main": Skip.MAIN,
}


def skip_of(word: object, what: str) -> Skip:
    """Return what `word` means that a player skips.

    Raises:
        ValueError: it is none of the words.
    """
    if not isinstance(word, str) or word not in SKIP_WORDS:
        raise ValueError(f"{what}: {', '.join(SKIP_WORDS)} can be skipped, not {word!r}")
    return SKIP_WORDS[word]


def one_of(words: dict[str, T], word: object, what: str) -> T:
    """Return what `word` stands for.

    Raises:
        ValueError: it is none of the words.
    """
    if not isinstance(word, str) or word not in words:
        raise ValueError(f"{what}: there are {', '.join(words)}, not {word!r}")
    return words[word]


def additional(what: str) -> Effect:
    """After this phase there is an additional one (CR 500.8): "combat_phase", "combat_and_main_phase"; after this step
    an "upkeep_step".

    Raises:
        ValueError: it is none of them.
    """
    return Effect(EffectOp.EXTRA_PHASE, (one_of(EXTRA_WORDS, what, "additional"),))


def skip(player: Ref, what: str) -> Effect:
    """Players skip their next "turn", "combat" phase, "main" phase, or "untap", "upkeep" or "draw" step (CR 614.10)."""
    return Effect(EffectOp.SKIP, (reference(player, "skip", kind=Kind.PLAYER), skip_of(what, "skip")))


def end_the(what: str) -> Effect:
    """End the "turn" (CR 724.1), or the "combat_phase" (CR 724.2).

    Raises:
        ValueError: it is neither.
    """
    return Effect(EffectOp.CUT_SHORT, (one_of(ENDING_WORDS, what, "end_the"),))


def control_player(player: Ref) -> Effect:
    """You control a player during that player's next turn (CR 723)."""
    return Effect(EffectOp.CONTROL_PLAYER, (reference(player, "control_player", one=True, kind=Kind.PLAYER),))


def phase_out(what: Ref) -> Effect:
    """Permanents phase out (CR 702.26)."""
    return Effect(EffectOp.PHASE_OUT, (reference(what, "phase_out", kind=Kind.OBJECT),))


def exchange_control(one: Ref, other: Ref) -> Effect:
    """Two permanents exchange their controllers, or nothing happens (CR 701.12b)."""
    pair = tuple(reference(r, "exchange_control", one=True, kind=Kind.OBJECT) for r in (one, other))
    return Effect(EffectOp.EXCHANGE_CONTROL, (*pair, (_changes.control,)))


def goad(what: Ref) -> Effect:
    """Creatures are goaded until your next turn (CR 701.15)."""
    return Effect(EffectOp.GOAD, (reference(what, "goad", kind=Kind.OBJECT),))


def must_attack_or_block(what: Ref, against: Ref) -> Effect:
    """Creatures attack a player or planeswalker, or block a creature, this turn if able (CR 508.1d, 509.1c).

    Raises:
        TypeError: something is no reference.
    """
    if not isinstance(against, Ref):
        raise TypeError(f"must_attack_or_block: a reference is wanted, not {describe(against)}")
    objects = reference(what, "must_attack_or_block", kind=Kind.OBJECT)
    return Effect(EffectOp.REQUIRE, (objects, reference(against, "must_attack_or_block", one=True)))
