"""Errors of cards and decks: one clear message with place and cause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lkicore.ir.hints import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lkicore.ir.faces import Place

__all__ = ["CardError", "DeckError", "Fault", "UnknownCard", "did_you_mean", "nearest", "shorten"]


def shorten(text: str, width: int = 100) -> str:
    """Return `text` in one line of at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


class CardError(ValueError):
    """A card that cannot be understood.

    Attributes:
        cause: what is wrong.
        place: where it was read, or None.
        card: name of the card, or None.
        text: the faulty text, or None.
    """

    def __init__(
        self, cause: str, *, place: Place | None = None, card: str | None = None, text: str | None = None
    ) -> None:
        self.cause, self.place, self.card, self.text = cause, place, card, text
        where = [str(part) for part in (place, card) if part]
        message = f"{': '.join(where)}: {cause}" if where else cause
        if text is not None:
            message += f"\n    {shorten(text)}"
        super().__init__(message)


class UnknownCard(LookupError):  # noqa: N818 the public name
    """A name that no card of the pool has.

    Attributes:
        name: the name asked for.
        nearest: names of the pool that look like it.
    """

    def __init__(self, name: str, names: Iterable[str] = ()) -> None:
        self.name = name
        self.nearest = nearest(name, names)
        super().__init__(f"no card is called {shorten(name)!r}{did_you_mean(self.nearest)}")


@dataclass(frozen=True, slots=True)
class Fault:
    """A faulty line of a deck.

    Attributes:
        file: name of the file, or "<text>".
        line: its number from 1; 0: the deck as a whole.
        text: the line.
        reason: what is wrong with it.
        nearest: names that may be meant.
    """

    file: str
    line: int
    text: str
    reason: str
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        quoted = f": {shorten(self.text)!r}" if self.text else ""
        return f"{where}{quoted}: {self.reason}{did_you_mean(self.nearest)}"


class DeckError(ValueError):
    """A deck that cannot be read or is not legal; all faults are in the one error.

    Attributes:
        faults: every fault, in the order of the lines.
    """

    def __init__(self, summary: str, faults: Iterable[Fault] = ()) -> None:
        self.faults = tuple(faults)
        super().__init__("\n  ".join([summary, *map(str, self.faults)]))
