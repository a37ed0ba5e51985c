"""What the commands share: options, and the one line that an error is."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from lkicore.arguments import DEFAULT_DECKS
from lkicore.cards import bundled_decks, workloads

#: Exit status for input that is not usable.
BAD_INPUT = 2
#: Exit status after Ctrl-C: 128 + SIGINT.
INTERRUPTED = 130

Decks = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DECK",
        help="2 to 8 decks, by seat: bundled names, workloads or files of lines like '4 Grizzly Bears'; "
        f"default: {' '.join(DEFAULT_DECKS)}.",
        show_default=False,
    ),
]
Agents = Annotated[
    str, typer.Option(metavar="NAMES", help="One agent for all seats, or one for each, separated by commas.")
]
Seed = Annotated[int, typer.Option(metavar="S", help="Seed of the run, 0 to 2**64 - 1.")]


def one_line(text: str) -> str:
    """`text` without anything that would break the line or steer a terminal."""
    text = re.sub(r"\s*\n\s*", "; ", text.strip())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def complain(message: str) -> None:
    """Print one line about what is wrong to stderr."""
    print(f"lkicore: {one_line(message)}", file=sys.stderr)


def fail(message: str, status: int = BAD_INPUT) -> NoReturn:
    """Print one line about what is wrong and end the command with `status`."""
    complain(message)
    raise typer.Exit(status)


def chosen(decks: list[str] | None) -> list[str | Path]:
    """The decks named, or the default ones when none are: what is not the name of a deck is the path of one."""
    known = {*bundled_decks(), *workloads()}
    return [deck if deck in known else Path(deck) for deck in decks or DEFAULT_DECKS]


def split(names: str) -> str | list[str]:
    """`greedy` or `greedy,random` as `simulate` takes them."""
    parts = [name.strip() for name in names.split(",")]
    return parts[0] if len(parts) == 1 else parts
