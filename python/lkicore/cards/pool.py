"""Pools of cards: faces by name, and the card table that games read."""

from __future__ import annotations

import functools
import importlib.resources
import unicodedata
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

from lkicore.ir.faces import Face

from .assemble import Assembly, assemble, text_of
from .errors import CardError, UnknownCard
from .notation import read_cards

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lkicore._cards import CardTable

#: Cards as a user gives them: a face, faces, a card file, or the text of one.
Cards: TypeAlias = "Face | Iterable[Face] | Path | str"

#: Characters that are written in several ways.
_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "–": "-", "—": "-", "Æ": "AE", "æ": "ae"}
)


def plain_name(name: str) -> str:
    """Return `name` as names are compared: without case, accents and kinds of apostrophes, blanks and dashes."""
    decomposed = unicodedata.normalize("NFKD", name.translate(_PLAIN))
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(bare.casefold().split())


class CardPool:
    """Faces in a fixed order, looked up by name; their place in it is their face number.

    A pool never changes; `with_cards` makes a larger one, in which known faces keep their numbers. All static checks
    are made when a pool is made.

    Attributes:
        name: what it is called in messages and results.
        faces: its faces, by face number: cards, tokens and cards for tests.
    """

    __slots__ = ("__weakref__", "_assembly", "_by_name", "_table", "faces", "name")

    def __init__(self, faces: Iterable[Face], *, name: str = "pool") -> None:
        """Make a pool of `faces`.

        Raises:
            TypeError: something in `faces` is not a `Face`.
            CardError: two faces have the same name, or one is faulty.
        """
        self.name = name
        self.faces: tuple[Face, ...] = tuple(faces)
        self._by_name: dict[str, int] = {}
        for number, face in enumerate(self.faces):
            if not isinstance(face, Face):
                raise TypeError(f"a pool is made of faces, not of {type(face).__name__}")
            first = self._by_name.setdefault(plain_name(face.name), number)
            if first != number:
                before = self.faces[first].place
                where = f" (the other: {before})" if before else ""
                raise CardError(f"two cards have this name{where}", place=face.place, card=face.name)
        for number, face in enumerate(self.faces):
            if face.other and not face.back:
                # Both faces together, as lists of decks write it: "Bonecrusher Giant // Stomp"
                self._by_name.setdefault(plain_name(f"{face.name} // {face.other}"), number)
        self._assembly = assemble(self.faces)
        self._table: CardTable | None = None

    @classmethod
    def builtin(cls) -> CardPool:
        """Return the pool that comes with the package; it is read once."""
        return _builtin()

    @classmethod
    def from_yaml(cls, source: Path | str, *, name: str | None = None) -> CardPool:
        """Return a pool of the cards in a card file.

        Args:
            source: a path, or the text of a card file (a string with a line break or starting with "-").
            name: name of the pool; the file's if omitted.

        Raises:
            OSError: the file cannot be read.
            CardError: it is not a card file, or a card is faulty.
        """
        faces, file = _read(source)
        return cls(faces, name=name or Path(file).stem)

    def with_cards(self, *cards: Cards, name: str | None = None) -> CardPool:
        """Return a pool of these cards and `cards`: faces, lists of faces, card files or their text.

        Raises:
            OSError: a file cannot be read.
            CardError: a card is faulty, or its name is taken.
        """
        added: list[Face] = []
        for item in cards:
            if isinstance(item, Face):
                added.append(item)
            elif isinstance(item, Path | str):
                added += _read(item)[0]
            else:
                added += item
        return CardPool((*self.faces, *added), name=name or f"{self.name}+{len(added)}")

    def only(self, names: Iterable[str], *, name: str | None = None) -> CardPool:
        """Return the pool of the cards called `names` and of all that their texts name: tokens, other cards.

        Games between them are the same with either pool; the smaller table is what stays in a processor's caches.

        Raises:
            UnknownCard: there is no card of a name.
        """
        kept: set[int] = set()
        todo = [self.index(each) for each in names]
        while todo:
            number = todo.pop()
            if number not in kept:
                kept.add(number)
                todo += (self._by_name[word] for word in _words_in(self.faces[number]) if word in self._by_name)
        return CardPool((self.faces[number] for number in sorted(kept)), name=name or self.name)

    def __len__(self) -> int:
        return len(self.faces)

    def __iter__(self) -> Iterator[str]:
        return (face.name for face in self.faces)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and plain_name(name) in self._by_name

    def __getitem__(self, name: str) -> Face:
        """Return the face called `name`.

        Raises:
            UnknownCard: there is none.
        """
        return self.faces[self.index(name)]

    def __repr__(self) -> str:
        return f"CardPool({self.name!r}, {len(self)} faces)"

    def index(self, name: str) -> int:
        """Return the face number of the face called `name`.

        Raises:
            TypeError: `name` is not a string.
            UnknownCard: there is none; names the nearest.
        """
        if not isinstance(name, str):
            raise TypeError(f"a name of a card is a string, not {type(name).__name__}")
        number = self._by_name.get(plain_name(name))
        if number is None:
            raise UnknownCard(name, self)
        return number

    def names(self, *, test_only: bool = False, tokens: bool = False) -> list[str]:
        """Return the names of the cards, in order; of several faces, the one that the card is known by.

        Args:
            test_only: also those that are no cards of the game.
            tokens: also tokens.
        """
        return [f.name for f in self.faces if not f.back and (test_only or not f.test_only) and (tokens or not f.token)]

    @property
    def assembly(self) -> Assembly:
        """The lists that the card table is made of; not to be changed."""
        return self._assembly

    @property
    def table(self) -> CardTable:
        """The card table of the core, made at the first use."""
        if self._table is None:
            # The pool, its listings and deck checks need no compiled module.
            from lkicore._cards import CardTable

            made = self._assembly
            self._table = CardTable(
                made.faces,
                made.abilities,
                made.targets,
                made.values,
                made.filters,
                made.refs,
                made.code,
                costs=made.costs,
                changes=made.changes,
                optional=made.optional,
                ways=made.ways,
                hybrids=made.hybrids,
                subtypes=made.subtypes,
                creature_types=made.creature_types,
                land_abilities=made.land_abilities,
                counter_names=made.counter_names,
                name=self.name,
            )
        return self._table

    def __copy__(self) -> CardPool:
        """Nothing in a pool changes: copies of games share it."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> CardPool:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """The built-in pool goes to other processes by name, others as their faces: those are made anew there, once for
        all games that share them."""
        if _builtin.cache_info().currsize and self is _builtin():
            return CardPool.builtin, ()
        _KNOWN.setdefault((self.faces, self.name), self)
        return _restore, (self.faces, self.name)


def _words_in(face: Face) -> Iterator[str]:
    """Yield whatever stands where names can stand in the text of a face, as names are compared."""
    for node in text_of(face):
        for part in fields(node):  # type: ignore[arg-type]
            value = getattr(node, part.name)
            for word in value if isinstance(value, tuple) else (value,):
                if isinstance(word, str):
                    yield plain_name(word)


#: Pools that have been pickled or restored, as long as somebody has them.
_KNOWN: WeakValueDictionary[tuple[tuple[Face, ...], str], CardPool] = WeakValueDictionary()


def _restore(faces: tuple[Face, ...], name: str) -> CardPool:
    pool = _KNOWN.get((faces, name))
    if pool is None:
        pool = _KNOWN[faces, name] = CardPool(faces, name=name)
    return pool


def _read(source: Path | str) -> tuple[list[Face], str]:
    """Return the faces of a card file or its text, and what to call it."""
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith(("-", "["))):
        return read_cards(source), "<text>"
    path = Path(source)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CardError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None
    return read_cards(text, path.name), path.name


@functools.cache
def _builtin() -> CardPool:
    folder = importlib.resources.files(__package__) / "data"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name)
    faces = [face for f in files for face in read_cards(f.read_text(encoding="utf-8"), f.name)]
    return CardPool(faces, name="builtin")
