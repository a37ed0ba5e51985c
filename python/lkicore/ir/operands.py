"""Operand sorts: what may stand in each place of a node.

Every opcode of the effect language has a *signature*, a tuple of ``(name, Sort)``. Builders check against it, the
assembler lowers by it and the listing prints by it, so that a new opcode is one signature and one builder.
"""

from __future__ import annotations

from enum import Enum, Flag, auto
from typing import TYPE_CHECKING, Any, TypeAlias

from lkicore.opcodes import Keyword

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: No keywords at all.
NO_KEYWORDS = Keyword(0)
#: Bounds of a number in a card.
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


class Sort(Enum):
    """What an operand is. References are told apart by what they may refer to."""

    NUMBER = "a number"
    TYPES = "card types"
    COLORS = "colours"
    KEYWORDS = "keywords"  # two immediate words
    KEYWORD_NODE = "keywords (node)"  # a CONST node that holds the mask
    ZONE = "a zone"
    COUNTER = "a kind of counter"
    SUBTYPE = "a subtype"
    FACE = "a token"
    FLAG = "true or false"
    FILTER = "a filter"
    VALUE = "a value"
    TARGET = "the number of a target"
    ONE_OBJECT = "a reference to one object"
    OBJECTS = "a reference to objects"
    ONE_PLAYER = "a reference to one player"
    PLAYERS = "a reference to players"
    ONE = "a reference to one object or player"
    ANY = "a reference to objects or players"


class Kind(Flag):
    """What a filter can pass or a reference can refer to."""

    OBJECT = auto()
    PLAYER = auto()


Signature: TypeAlias = "tuple[tuple[str, Sort], ...]"

_OBJECT_SORTS = frozenset({Sort.ONE_OBJECT, Sort.OBJECTS})
_PLAYER_SORTS = frozenset({Sort.ONE_PLAYER, Sort.PLAYERS})
#: Sorts whose operand is a reference.
REFERENCE_SORTS = _OBJECT_SORTS | _PLAYER_SORTS | {Sort.ONE, Sort.ANY}
#: Sorts whose operand must refer to exactly one thing.
SINGULAR_SORTS = frozenset({Sort.ONE_OBJECT, Sort.ONE_PLAYER, Sort.ONE})


def allowed(sort: Sort) -> Kind:
    """Return what a reference in a place of `sort` may refer to."""
    if sort in _OBJECT_SORTS:
        return Kind.OBJECT
    if sort in _PLAYER_SORTS:
        return Kind.PLAYER
    return Kind.OBJECT | Kind.PLAYER


def words(kind: Kind) -> str:
    """Return `kind` in words, for messages."""
    return {Kind.OBJECT: "objects", Kind.PLAYER: "players"}.get(kind, "objects or players")


def number(value: object, what: str) -> int:
    """Return `value` if it is a whole number of 32 bits.

    Raises:
        TypeError: it is not a plain int (a bool is none, nor is a zone).
        ValueError: it is out of range.
    """
    if type(value) is not int:
        raise TypeError(f"{what}: a number is wanted, not {describe(value)}")
    if not INT_MIN <= value <= INT_MAX:
        raise ValueError(f"{what}: {value} is out of range")
    return value


def describe(value: object) -> str:
    """Return `value` for a message: its text if it is short, and what it is."""
    kind = type(value).__name__.lower()
    article = "an" if kind[0] in "aeiou" else "a"
    text = str(value)
    return f"{article} {kind}" if len(text) > 60 or callable(value) else f"the {kind} {text}"


def covers(enum: Iterable[object], table: Mapping[Any, object], what: str) -> None:
    """Check that `table` has an entry for every member of `enum`; called while modules are imported.

    Raises:
        RuntimeError: a member has none.
    """
    missing = [str(getattr(m, "name", m)) for m in enum if m not in table]
    if missing:
        raise RuntimeError(f"{what} missing: {', '.join(missing)}")
