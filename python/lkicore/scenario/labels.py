"""Labels: which object of a game a word of a scenario means (a label follows a physical card)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from lkicore import _inspect
from lkicore.cards import CardPool
from lkicore.game import Game
from lkicore.ir.faces import Face
from lkicore.opcodes import Zone
from lkicore.records import ObjectFacts

from .errors import StepError
from .model import seat

_NUMBERED = re.compile(r"(.+)#([1-9]\d*)$")


@dataclass(frozen=True, slots=True)
class Handle:
    """What a label follows: a physical card, or a token by the id that it has (`card` is -1 then)."""

    card: int = -1
    token: int = 0

    def now(self, game: Game) -> int:
        """Id of the object that it is now; 0: it ceased to exist or left the game."""
        if self.card >= 0:
            return game.object_of(self.card)
        return self.token if game.facts(self.token) is not None else 0

    def facts(self, game: Game) -> ObjectFacts | None:
        """Facts about the object that it is now."""
        obj = self.now(game)
        return game.object(obj) if obj else None


@dataclass(slots=True)
class Labels:
    """The labels of a scenario in its game.

    Attributes:
        known: physical cards and tokens of the position by label, and by name where one object has it.
        cards: a word for each physical card.
        tokens: tokens made by the script, in order: (id, names).
        sources: for each object that was on the stack, what it is of (its card, or the source of the ability).
        ids: for ids of objects that are gone, the physical card.
        spells: the card that was cast last, by the name of the spell: what a copy of a spell is of.
    """

    known: dict[str, Handle] = field(default_factory=dict)
    cards: dict[int, str] = field(default_factory=dict)
    tokens: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    sources: dict[int, Handle] = field(default_factory=dict)
    ids: dict[int, int] = field(default_factory=dict)
    spells: dict[str, Handle] = field(default_factory=dict)

    def copy(self) -> Labels:
        """An independent copy, for a copy of the game."""
        return Labels(self.known, self.cards, list(self.tokens), dict(self.sources), dict(self.ids), dict(self.spells))

    # ---------------------------------------------------------------------------------------- words to objects
    def handle(self, label: str) -> Handle:
        """What a label follows; `StepError` for a token that was not made."""
        if label in self.known:
            return self.known[label]
        if label.startswith("token:"):
            match = _NUMBERED.match(label.removeprefix("token:"))
            if match:
                made = [obj for obj, names in self.tokens if match[1] in names]
                number = int(match[2])
                if number <= len(made):
                    return Handle(token=made[number - 1])
                raise StepError(f"the token {label}", f"{len(made)} tokens of that name were made")
        raise StepError(f"an object called {label!r}", "no such object")

    def on_stack(self, game: Game, label: str, among: Collection[int] | None = None) -> int:
        """Id of the object on the stack that `stack:LABEL` or `stack:LABEL#k` means: the k-th from the top. Of `among`,
        where only some can be meant: the topmost of them, and the k-th of them if the k-th of all is none of them."""
        word = label.removeprefix("stack:")
        number = 1
        if word not in self.known:
            match = _NUMBERED.match(word)
            # `token:NAME#k` has a number of its own.
            if match and (not word.startswith("token:") or _NUMBERED.match(match[1])):
                word, number = match[1], int(match[2])
        handle = self.handle(word)
        there = [obj for obj in reversed(game.zone(Zone.STACK)) if self.source(obj) == handle]
        found = there if among is None else [obj for obj in there if obj in among]
        if number > 1 and number <= len(there) and (among is None or there[number - 1] in among):
            return there[number - 1]
        if number > len(found):
            raise StepError(label, f"{len(found)} such objects on the stack ({self.stack_words(game)})")
        return found[number - 1]

    def object(self, game: Game, label: str) -> int:
        """Id of the object that a label means now, 0 if it is nowhere."""
        return self.on_stack(game, label) if label.startswith("stack:") else self.handle(label).now(game)

    # ---------------------------------------------------------------------------------------- objects to words
    def handle_of(self, game: Game, obj: int) -> Handle:
        """What an object, there or gone, is of: its physical card, or it is a token."""
        card = game.card_of(obj)
        if card is None:
            card = self.ids.get(obj, -1)
        return Handle(card=card) if card >= 0 else Handle(token=obj)

    def source(self, obj: int) -> Handle | None:
        """What an object that is or was on the stack is of."""
        return self.sources.get(obj)

    def word(self, game: Game, obj: int) -> str:
        """A word for an object, there or gone, as a scenario would name it."""
        if obj == 0:
            return "nothing"
        handle = self.handle_of(game, obj)
        if handle.card >= 0:
            return self.cards.get(handle.card, f"card {handle.card}")
        if obj in self.sources:
            return f"stack:{self.word_of(self.sources[obj])}"
        return self.word_of(handle)

    def word_of(self, handle: Handle) -> str:
        """A word for what a label follows."""
        if handle.card >= 0:
            return self.cards.get(handle.card, f"card {handle.card}")
        for label, known in self.known.items():
            if known == handle:
                return label
        for i, (obj, names) in enumerate(self.tokens):
            if obj == handle.token:
                number = sum(1 for _, other in self.tokens[: i + 1] if other[0] == names[0])
                return f"token:{names[0]}#{number}"
        return f"object {handle.token}"

    def stack_words(self, game: Game) -> str:
        """The stack from the top, in words."""
        words = [
            self.word_of(self.sources[obj]) if obj in self.sources else self.word(game, obj)
            for obj in reversed(game.zone(Zone.STACK))
        ]
        return f"stack: {', '.join(words)}" if words else "the stack is empty"

    # ---------------------------------------------------------------------------------------- what happens
    def look_at_stack(self, game: Game) -> None:
        """Note what the objects on the stack are of; they can be asked about after they left."""
        for entry in _inspect.stack(game):
            obj = entry["id"]
            if obj in self.sources:
                continue
            name = game.table.names[entry["face"]]
            if entry["card"] >= 0:
                self.sources[obj] = self.spells[name] = Handle(card=entry["card"])
            elif entry["source"]:
                self.sources[obj] = self.sources.get(entry["source"]) or self.handle_of(game, entry["source"])
            else:
                self.sources[obj] = self.known.get(name) or self.spells.get(name, Handle(token=obj))


def names_of(face: Face) -> tuple[str, ...]:
    """What an object of a face is called; the name of its face last.

    A token is called by its subtypes and the word "Token" (CR 111.4), which scenarios leave out; the pool tells tokens
    of one name apart by further words.
    """
    if not face.token or "Token" not in face.name:
        return (*(face.name.split(" // ") if " // " in face.name else ()), face.name)
    name = " ".join(face.subtypes)
    return (name, f"{name} Token", face.name)


def same_name(pool: CardPool, name: str, asked: str) -> bool:
    """Whether an object whose face is called `name` is meant by `asked`."""
    return name == asked or asked in names_of(pool[name])


def player_of(label: str, labels: Labels) -> int:
    """The seat that a word names, -1 if it is an object's label."""
    return -1 if label in labels.known else seat(label)


def all_objects(game: Game, zone: Zone) -> Iterator[ObjectFacts]:
    """Objects of a zone, of every player where each has one."""
    for player in range(game.players if zone in _PRIVATE else 1):
        yield from game.objects(zone, player)


_PRIVATE = (Zone.LIBRARY, Zone.HAND, Zone.GRAVEYARD, Zone.SIDEBOARD)
