"""`lkicore cards`: the cards and decks that come with the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from lkicore.cards import CardPool, Deck, bundled_decks, listing
from lkicore.ir.faces import color_letters
from lkicore.opcodes import Color, TypeBit
from lkicore.report import console

app = typer.Typer(help="The cards and decks that come with lkicore.")


def _table(*headers: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for header in headers:
        table.add_column(header, overflow="fold", justify="right" if header in ("cards", "lands") else "left")
    return table


@app.command("list")
def list_cards() -> None:
    """List the cards of the pool: name, cost, type and size."""
    pool = CardPool.builtin()
    table = _table("card", "cost", "type", "size")
    for name in sorted(pool.names()):
        face = pool[name]
        size = "" if face.power is None else f"{face.power}/{face.toughness}"
        table.add_row(*map(Text, (name, str(face.cost or ""), face.type_line, size)))
    console(sys.stdout).print(table)


@app.command("show")
def show_card(
    name: Annotated[list[str], typer.Argument(metavar="NAME", help="A card's name; quotes may be left out.")],
    pool: Annotated[Path | None, typer.Option(metavar="FILE", help="A card file whose cards join the pool.")] = None,
) -> None:
    """Show a card as the engine plays it: characteristics, abilities, policies and instructions."""
    cards = CardPool.builtin() if pool is None else CardPool.builtin().with_cards(pool)
    print(listing.show(cards, " ".join(name)))


@app.command("decks")
def list_decks() -> None:
    """List the decks that can be named in `simulate` and `replay`."""
    pool = CardPool.builtin()
    table = _table("deck", "cards", "lands", "colours", "cards that are no basic lands")
    for name in bundled_decks():
        deck = Deck.load(name, pool)
        faces = [(count, pool[card]) for count, card in deck.cards]
        lands = sum(count for count, face in faces if TypeBit.LAND in face.types)
        colors = Color(0)
        for _, face in faces:
            colors |= face.real_colors
        spells = ", ".join(f"{count} {face.name}" for count, face in faces if not face.is_basic_land)
        table.add_row(*map(Text, (name, str(len(deck)), str(lands), color_letters(colors), spells)))
    console(sys.stdout).print(table)
