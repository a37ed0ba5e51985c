"""Decks: lists of cards, read from the plain text that players use."""

from __future__ import annotations

import codecs
import hashlib
import importlib.resources
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lkicore.ir.abilities import ManaAbility, OpeningAbility
from lkicore.ir.costs import Cost
from lkicore.ir.effects import Effect
from lkicore.ir.faces import color_letters
from lkicore.ir.filters import Filter
from lkicore.ir.mana import ANY_COLOR, ManaCost
from lkicore.ir.values import Value
from lkicore.opcodes import Color, EffectOp, TypeBit, Zone

from .errors import DeckError, Fault, UnknownCard, did_you_mean, nearest, shorten
from .pool import CardPool
from .programs import nodes_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from lkicore.ir.faces import Face

#: Smallest deck, most copies of a card, largest sideboard (CR 100.2a, 100.4a).
MIN_CARDS, MAX_COPIES, MAX_SIDEBOARD = 60, 4, 15
#: Cards of a deck with a commander, commanders included, and how many of those there can be (CR 903.5a, 702.124).
COMMANDER_CARDS, MAX_COMMANDERS = 100, 2
#: Most copies that a line may ask for, and largest deck file.
MAX_COUNT, MAX_FILE = 999, 1 << 20

Entries = tuple[tuple[int, str], ...]
#: What a game is begun with: face numbers of a library, or of library, command zone and sideboard.
Seat = list[int] | tuple[list[int], list[int], list[int]]

_LINE = re.compile(r"(?P<side>SB:\s*)?(?P<count>[0-9]{1,9})\s*(?:[xX]\s+|\s)\s*(?P<name>\S.*)", re.IGNORECASE)
_COMMENT = re.compile(r"\s+(?:#|//\s).*$")
# "Lightning Bolt (M10) 146 *F*", as exports have it.
_PRINTING = re.compile(r"\s+\([A-Za-z0-9_]{2,6}\)(?:\s+\S{1,8})?(?:\s+\*[FE]\*)?$")
_SECTIONS = {
    "deck": "main",
    "main": "main",
    "maindeck": "main",
    "mainboard": "main",
    "sideboard": "side",
    "side": "side",
    "commander": "command",
    "commanders": "command",
}
_OTHER_SECTIONS = ("companion", "about", "maybeboard", "tokens", "considering")


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck.

    Attributes:
        name: what it is called.
        cards: (count, name), each name once, in the order of the list.
        sideboard: likewise; in games, cards outside the game (CR 400.11a).
        commanders: likewise; they begin in the command zone (CR 903.6).
        workload: an input of benchmarks and tests that is free of the rules for decks.
        origin: file that it was read from, or "<text>"; no part of its identity.
    """

    name: str
    cards: Entries
    sideboard: Entries = ()
    workload: bool = False
    origin: str = field(default="", compare=False)
    commanders: Entries = ()

    @classmethod
    def load(cls, source: str | Path, pool: CardPool | None = None) -> Deck:
        """Read a deck.

        Args:
            source: name of a bundled deck or workload, a path, or the text of a list. A `str` that is blank, has a
                line break or is itself a line such as "4 Shock" is text; a bundled name goes before a file of that
                name (use "./red" or a `Path` for the file).
            pool: cards that it may hold; the built-in pool if omitted.

        Raises:
            DeckError: there is no such deck or file, or lines of it are faulty: all of them, with number, text,
                reason and nearest names.
        """
        cards = pool if pool is not None else CardPool.builtin()
        if isinstance(source, str):
            stripped = source.strip()
            if not stripped or "\n" in source or "\r" in source or _LINE.fullmatch(stripped):
                return _parse(source, cards, "<text>", "deck")
            bundled = _bundled().get(source)
            if bundled is not None:
                text, workload = bundled.read_text(encoding="utf-8"), source in workloads()
                return _parse(text, cards, bundled.name, source, workload=workload)
        path = Path(source)
        return _parse(_decode(_read(path, str(source))), cards, path.name, path.stem)

    def __len__(self) -> int:
        return sum(count for count, _ in self.cards)

    def faces(self, pool: CardPool | None = None) -> list[int]:
        """Return the face number of each card of the library, sideboard and commanders apart.

        Raises:
            UnknownCard: a card is not in `pool`.
        """
        return _numbers(self.cards, pool if pool is not None else CardPool.builtin())

    def seat(self, pool: CardPool | None = None) -> Seat:
        """Return what a game is begun with: face numbers of the library, or of library, command zone and sideboard.

        The sideboard is left out where no card of the deck can ask for what is outside the game.

        Raises:
            UnknownCard: a card is not in `pool`.
        """
        cards = pool if pool is not None else CardPool.builtin()
        asks = any(_looks_outside(cards[n]) for _, n in (*self.cards, *self.commanders))
        side = self.sideboard if asks or any(_is_companion(cards[n]) for _, n in self.sideboard) else ()
        if not side and not self.commanders:
            return self.faces(cards)
        return _numbers(self.cards, cards), _numbers(self.commanders, cards), _numbers(side, cards)

    @property
    def hash(self) -> str:
        """SHA-256 of what is in the deck, in hexadecimal; the same for any order of the list and any name."""
        lines = [f"{count} {name}" for count, name in self.cards]
        lines += [f"SB: {count} {name}" for count, name in self.sideboard]
        lines += [f"commander: {count} {name}" for count, name in self.commanders]
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()

    def validate(self, pool: CardPool | None = None) -> None:
        """Check the rules for constructed decks (CR 100.2a, 100.4a), of a deck with commanders those of CR 903.4-5.
        Workloads are free of them.

        Raises:
            DeckError: too few cards, too many copies of one, too large a sideboard, or cards that are no cards of the
                game; all of it in one error.
            UnknownCard: a card is not in `pool`.
        """
        if self.workload:
            return
        cards = pool if pool is not None else CardPool.builtin()
        faults: list[str] = []
        most = 1 if self.commanders else MAX_COPIES
        if self.commanders:
            faults += self._commander_faults(cards)
        elif len(self) < MIN_CARDS:
            faults.append(f"{len(self)} cards; a deck has at least {MIN_CARDS} (CR 100.2a)")
        copies: dict[str, int] = {}
        for count, name in (*self.cards, *self.sideboard, *self.commanders):
            copies[name] = copies.get(name, 0) + count
        for name, count in copies.items():
            face = cards[name]
            if count > most and not face.is_basic_land:
                rule = "903.5b" if self.commanders else "100.2a"
                faults.append(f"{count} copies of {name}; at most {most} are allowed (CR {rule})")
            if face.test_only:
                faults.append(f"{name} is for tests only, no card of the game")
        n_side = sum(count for count, _ in self.sideboard)
        if n_side > MAX_SIDEBOARD:
            faults.append(f"{n_side} cards in the sideboard; at most {MAX_SIDEBOARD} are allowed (CR 100.4a)")
        if faults:
            where = self.origin or self.name
            summary = f"the deck {self.name!r} is not legal: {_faults(len(faults))}"
            raise DeckError(summary, [Fault(where, 0, "", reason) for reason in faults])

    def _commander_faults(self, pool: CardPool) -> list[str]:
        """What is wrong with a deck with commanders (CR 903.3-5)."""
        faults = []
        leaders = [pool[name] for count, name in self.commanders for _ in range(count)]
        size = len(self) + len(leaders)
        if size != COMMANDER_CARDS:
            faults.append(f"{size} cards with the commander; there are {COMMANDER_CARDS} (CR 903.5a)")
        if len(leaders) > MAX_COMMANDERS or (len(leaders) > 1 and not _partners(leaders)):
            faults.append(f"{len(leaders)} commanders; one, or two with partner (CR 903.3, 702.124)")
        identity = Color(0)
        for face in leaders:
            if not (TypeBit.LEGENDARY in face.types and TypeBit.CREATURE in face.types):
                faults.append(f"{face.name} is no legendary creature, no commander (CR 903.3)")
            identity |= color_identity(face)
        for _, name in self.cards:
            beyond = color_identity(pool[name]) & ~identity
            if beyond:
                faults.append(f"{name} is {color_letters(beyond)} besides the commander's colour identity (CR 903.5c)")
        return faults


def _partners(leaders: list[Face]) -> bool:
    """Return whether two commanders may lead a deck together (CR 702.124)."""
    if all("partner" in face.keyword_names for face in leaders):
        return True
    one, other = leaders[0], leaders[-1]
    return all(f"partner with {b.name}" in a.keyword_names for a, b in ((one, other), (other, one)))


def _numbers(entries: Entries, pool: CardPool) -> list[int]:
    return [number for count, name in entries for number in [pool.index(name)] * count]


def _looks_outside(face: Face) -> bool:
    """Return whether a card speaks of what is outside the game (CR 400.11)."""
    return any(
        Zone.SIDEBOARD in node.args
        for node in nodes_in((face.spell_ability, face.all_abilities), abilities=True)
        if isinstance(node, Effect | Value | Filter)
    )


def _is_companion(face: Face) -> bool:
    """Return whether a card may be a companion (CR 702.139)."""
    return any(isinstance(a, OpeningAbility) and a.zone is Zone.SIDEBOARD for a in face.all_abilities)


def color_identity(face: Face) -> Color:
    """Return the colour identity of a card (CR 903.4): its colours, and those of mana symbols in its text."""
    found = face.real_colors
    parts = (face.cost, face.spell_ability, face.all_abilities, face.additional, face.optional)
    for node in nodes_in(parts, abilities=True):
        if isinstance(node, ManaCost):
            found |= node.colors
        elif isinstance(node, Cost):
            found |= node.mana.colors
        elif isinstance(node, ManaAbility) and node.colors != ANY_COLOR:
            found |= node.colors
        elif isinstance(node, Effect) and node.op is EffectOp.MANA:
            (colors, _) = node.args
            assert isinstance(colors, Color)
            found |= colors
    return found & ~Color.C


def bundled_decks() -> tuple[str, ...]:
    """Return the names of the decks that come with the package."""
    return tuple(sorted(name for name, (_, workload) in _listed().items() if not workload))


def workloads() -> tuple[str, ...]:
    """Return the names of the workloads: benchmark inputs, the same deck in every seat, free of the deck rules."""
    return tuple(sorted(name for name, (_, workload) in _listed().items() if workload))


def _listed() -> dict[str, tuple[Traversable, bool]]:
    root = importlib.resources.files("lkicore") / "decks"
    found: dict[str, tuple[Traversable, bool]] = {}
    for folder, workload in ((root, False), (root / "workloads", True)):
        for file in folder.iterdir():
            if file.name.endswith(".txt"):
                found[file.name.removesuffix(".txt")] = file, workload
    return found


def _bundled() -> dict[str, Traversable]:
    return {name: file for name, (file, _) in _listed().items()}


def _faults(n: int) -> str:
    return "1 fault" if n == 1 else f"{n} faults"


def _read(path: Path, asked: str) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except FileNotFoundError:
        known = (*bundled_decks(), *workloads())
        hint = did_you_mean(nearest(asked, known)) or f"; bundled are {', '.join(known)}"
        raise DeckError(f"no deck or file is called {shorten(asked)!r}{hint}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DeckError(f"the deck {shorten(asked)!r} cannot be read: {reason}") from None
    if len(data) > MAX_FILE:
        raise DeckError(f"{path} is larger than {MAX_FILE} bytes; it is no deck")
    return data


def _decode(data: bytes) -> str:
    """Return the text of a deck file: UTF-8 or UTF-16 by its mark, UTF-8, else latin-1."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _parse(text: str, pool: CardPool, file: str, name: str, *, workload: bool = False) -> Deck:
    faults: list[Fault] = []
    sections: dict[str, dict[str, int]] = {"main": {}, "side": {}, "command": {}}
    for section, count, card in _deck_lines(text.removeprefix("\ufeff"), pool, file, faults):
        cards = sections[section]
        cards[card] = cards.get(card, 0) + count
    if not faults and not sections["main"]:
        faults.append(Fault(file, 0, "", "there is no card in it"))
    if faults:
        raise DeckError(f"{file}: {_faults(len(faults))} in the deck", faults)
    main, side, command = (tuple((n, c) for c, n in sections[s].items()) for s in ("main", "side", "command"))
    return Deck(name, main, side, workload, file, command)


def _deck_lines(text: str, pool: CardPool, file: str, faults: list[Fault]) -> Iterator[tuple[str, int, str]]:
    """Yield (section, count, name) of each good line; put the others into `faults`."""
    section = "main"
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith(("#", "//")):
            continue
        header = stripped.rstrip(":").strip().casefold()
        if header in _SECTIONS:
            section = _SECTIONS[header]
            continue
        entry = _entry(stripped, header, pool)
        if isinstance(entry, tuple):
            count, name, side = entry
            yield "side" if side else section, count, name
        else:
            faults.append(Fault(file, number, stripped, entry.reason, entry.nearest))


def _entry(line: str, header: str, pool: CardPool) -> tuple[int, str, bool] | Fault:
    """Return (count, name, sideboard) of a line, or what is wrong with it."""
    match = _LINE.fullmatch(line)
    if match is None:
        if header in _OTHER_SECTIONS:
            return Fault("", 0, line, f"the section {header!r} is not supported")
        return Fault("", 0, line, "not a line such as '4 Lightning Bolt'", _names_like(line, pool))
    count = int(match["count"])
    if not 1 <= count <= MAX_COUNT:
        return Fault("", 0, line, f"the count {match['count']} is not from 1 to {MAX_COUNT}")
    for name in _readings(match["name"]):
        if name in pool:
            face = pool[name]
            if face.token:
                return Fault("", 0, line, f"{face.name} is a token, no card")
            if face.back:
                return Fault("", 0, line, f"{face.name} is no card of its own, but a face of {face.other}")
            return count, face.name, bool(match["side"])
    name = _readings(match["name"])[-1]
    return Fault("", 0, line, f"no card is called {shorten(name)!r}", UnknownCard(name, pool.names()).nearest)


def _readings(text: str) -> list[str]:
    """Return what the name of a line can be: as it stands, without a comment behind it, without a printing."""
    readings = [text.strip()]
    for pattern in (_COMMENT, _PRINTING):
        shorter = pattern.sub("", readings[-1])
        if shorter and shorter != readings[-1]:
            readings.append(shorter)
    return readings


def _names_like(line: str, pool: CardPool) -> tuple[str, ...]:
    return nearest(line, pool.names())
