"""Operand sorts: what may stand in each place of a node.

Every opcode of the effect language has a *signature*, a tuple of ``(name, Sort)``. Builders check against it, the
assembler lowers by it and the listing prints by it, so that a new opcode is one signature and one builder.
"""

from __future__ import annotations

from enum import Enum, Flag, auto
from typing import TYPE_CHECKING, Any, TypeAlias

from lkicore.opcodes import Keyword, Step, Zone

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
    ZONE = "a zone"
    COUNTER = "a kind of counter"
    OPTIONAL_COUNTER = "a kind of counter or nothing"
    SUBTYPE = "a subtype"
    OPTIONAL_SUBTYPE = "a subtype or nothing"
    FACE = "a token"
    CARD = "a card"
    FLAG = "true or false"
    STEP = "a step"
    DURATION = "a duration"
    HISTORY = "a kind of event of the turn"
    FACT = "a number of an object"
    ACTION = "a keyword action"
    DESIGNATION = "a designation"
    MOVE_FLAGS = "marks of a move"
    PICK_FLAGS = "marks of a choice"
    DAMAGE_FLAGS = "marks of damage"
    FILTER = "a filter"
    PLAYER_FILTER = "a filter of players"
    OPTIONAL_FILTER = "a filter or nothing"
    VALUE = "a value"
    OPTIONAL_VALUE = "a value or nothing"
    CHANGES = "changes"  # two words: the first and how many; the numbers x and y follow as values
    EXCEPTIONS = "exceptions of a copy"  # two words: the first change and how many, also none
    ABILITY = "an ability"
    OPTIONAL_ABILITY = "what follows on it, or nothing"
    ABILITIES = "an ability for each colour"
    TARGET = "the number of a target"
    WAY = "a way of casting"
    WAY_KIND = "a kind of way of casting"
    PLAY_FLAGS = "marks of casting"
    COPY_FLAGS = "marks of copying"
    MANA_USE = "what mana is for"
    ONE_OBJECT = "a reference to one object"
    OBJECTS = "a reference to objects"
    ONE_PLAYER = "a reference to one player"
    PLAYERS = "a reference to players"
    ONE = "a reference to one object or player"
    ANY = "a reference to objects or players"
    OPTIONAL_PLAYERS = "a reference to players or nothing"
    OPTIONAL_ANY = "a reference to objects or players, or nothing"


class Kind(Flag):
    """What a filter can pass or a reference can refer to."""

    OBJECT = auto()
    PLAYER = auto()


Signature: TypeAlias = "tuple[tuple[str, Sort], ...]"

_OBJECT_SORTS = frozenset({Sort.ONE_OBJECT, Sort.OBJECTS})
_PLAYER_SORTS = frozenset({Sort.ONE_PLAYER, Sort.PLAYERS, Sort.OPTIONAL_PLAYERS})
#: Sorts whose operand is a reference.
REFERENCE_SORTS = _OBJECT_SORTS | _PLAYER_SORTS | {Sort.ONE, Sort.ANY, Sort.OPTIONAL_ANY}
#: Sorts whose operand is a filter or a value.
FILTER_SORTS = frozenset({Sort.FILTER, Sort.PLAYER_FILTER, Sort.OPTIONAL_FILTER})
VALUE_SORTS = frozenset({Sort.VALUE, Sort.OPTIONAL_VALUE})
#: Sorts whose operand may be absent (the word -1).
OPTIONAL_SORTS = frozenset(
    {
        *(Sort.OPTIONAL_FILTER, Sort.OPTIONAL_VALUE, Sort.OPTIONAL_PLAYERS, Sort.OPTIONAL_ANY, Sort.OPTIONAL_COUNTER),
        Sort.OPTIONAL_ABILITY,
        Sort.OPTIONAL_SUBTYPE,
    }
)
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


def flag(value: object, what: str) -> bool:
    """Return `value` if it is True or False.

    Raises:
        TypeError: it is neither.
    """
    if not isinstance(value, bool):
        raise TypeError(f"{what} is True or False, not {describe(value)}")
    return value


def zone_of(zone: object, what: str, among: tuple[Zone, ...] = ()) -> Zone:
    """Return `zone` if it is one of `among`, or any zone if that is empty.

    Raises:
        TypeError: it is no zone.
        ValueError: it is another.
    """
    if not isinstance(zone, Zone) or zone is Zone.NONE:
        raise TypeError(f"{what}: a zone is wanted, not {describe(zone)}")
    if among and zone not in among:
        raise ValueError(f"{what}: it cannot be put into {zone.name.lower()}")
    return zone


def step_of(step: object, what: str) -> Step:
    """Return `step` if it is one.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(step, Step) or step is Step.NONE:
        raise TypeError(f"{what}: a step such as upkeep is wanted, not {describe(step)}")
    return step


def covers(enum: Iterable[object], table: Mapping[Any, object], what: str) -> None:
    """Check that `table` has an entry for every member of `enum`; called while modules are imported.

    Raises:
        RuntimeError: a member has none.
    """
    missing = [str(getattr(m, "name", m)) for m in enum if m not in table]
    if missing:
        raise RuntimeError(f"{what} missing: {', '.join(missing)}")
