"""Effects that change text (CR 612)."""

from __future__ import annotations

from lkicore.opcodes import Duration, EffectOp, TextKind

from .effects import Effect, duration_of
from .operands import Kind, covers
from .references import Ref, reference, you
from .turns import one_of

#: Kinds of words, as they are called.
TEXT_WORDS: dict[str, TextKind] = {
    "color": TextKind.COLOR,
    "basic land type": TextKind.LAND,
    "creature type": TextKind.CREATURE,
    "color or basic land type": TextKind.WORD,
}
covers(TextKind, {k: w for w, k in TEXT_WORDS.items()}, "words of text kinds")


def change_text(
    what: Ref, word: str, duration: Duration = Duration.PERMANENT, to: str | None = None, player: Ref = you
) -> Effect:
    """In the text of permanents or spells all instances of one word become another (CR 612.1).

    Args:
        what: the objects.
        word: "color", "basic land type", "creature type" or "color or basic land type".
        duration: how long.
        to: the subtype that it becomes; None: it is chosen, too.
        player: who chooses.
    """
    kind = one_of(TEXT_WORDS, word, "change_text")
    written: object = to
    if written is not None and (not isinstance(written, str) or not written or kind is TextKind.COLOR):
        raise TypeError("change_text: to is a subtype, for a text of types")
    who = reference(player, "change_text: player", one=True, kind=Kind.PLAYER)
    target = reference(what, "change_text", kind=Kind.OBJECT)
    return Effect(EffectOp.CHANGE_TEXT, (who, target, kind, duration_of(duration, "change_text"), to))
