"""What the objects of a driver are, as the model's own plain definitions; `core_cards` says the same to the core.

A face says what is printed on a card (CR 200), an `EFFECTS` entry what a resolved spell does to one object (CR 611.2),
an `EXCEPTIONS` entry how a copy differs from what it copies (CR 707.9).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from lkicore.opcodes import Color, Keyword, TypeBit, Zone

if TYPE_CHECKING:
    from lkicore.reference.layers import Board
    from lkicore.reference.model import GameObject

#: Layers and sublayers in the order of CR 613.1 and 613.4; 7a to 7d are 7 to 10.
COPY, CONTROL, TEXT, TYPES, COLORS, ABILITIES, CDA, SET_SIZE, ADD_SIZE, SWITCH_SIZE = range(1, 11)


class Change(NamedTuple):
    """One thing that a continuous effect does, and the layer in which it does it."""

    layer: int
    what: str
    a: Any = 0
    b: Any = 0


@dataclass(frozen=True, eq=False)
class Static:
    """A static ability on the battlefield (CR 604): what it changes, and of which permanents.

    `scope` is "self", "host" or "each"; of each permanent, of those that pass `test`. `asks` are the layers that decide
    what `test` and `condition` look at: only effects there can be what the ability depends on (CR 613.8a).
    """

    label: str
    changes: tuple[Change, ...]
    scope: str = "each"
    test: Callable[[Board, GameObject, GameObject], bool] | None = None
    condition: Callable[[Board, GameObject], bool] | None = None
    asks: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class Protection:
    """Protection from colours (CR 702.16)."""

    label: str
    colors: int


@dataclass(frozen=True, eq=False)
class Watch:
    """A triggered ability about a permanent that leaves the battlefield, or enters it (CR 603.6).

    `zone_to`: only of what goes there. `test` gets who controls the ability, and of the permanent who controls it, its
    types and power.
    """

    label: str
    test: Callable[[int, int, int, int], bool]
    enters: bool = False
    zone_to: int | None = None


@dataclass(frozen=True, eq=False)
class Gate:
    """A replacement ability: permanents that pass enter with one more +1/+1 counter (CR 614.1c)."""

    label: str
    test: Callable[[int, int, int, int], bool]


Ability = Static | Protection | Watch | Gate


@dataclass(frozen=True, eq=False)
class Face:
    """What is printed on a card, or defines a token."""

    name: str
    types: int
    colors: int = 0
    power: int = 0
    toughness: int = 0
    keywords: int = 0
    subtypes: frozenset[str] = frozenset()
    abilities: tuple[Ability, ...] = ()
    mana_value: int = 0

    @property
    def defines_size(self) -> bool:
        """A characteristic-defining ability says its power and toughness, in every zone (CR 604.3)."""
        return any(c.layer == CDA for a in self.abilities if isinstance(a, Static) for c in a.changes)


# ---------------------------------------------------------------------------------------------- the model's cards

ARTIFACT, CREATURE, ENCHANTMENT, LAND = (
    int(t) for t in (TypeBit.ARTIFACT, TypeBit.CREATURE, TypeBit.ENCHANTMENT, TypeBit.LAND)
)
W, U, B, R, G = (int(c) for c in (Color.W, Color.U, Color.B, Color.R, Color.G))
FLYING, TRAMPLE, VIGILANCE, LIFELINK, HASTE, HEXPROOF, SHROUD, PROTECTION = (
    int(k)
    for k in (
        Keyword.FLYING,
        Keyword.TRAMPLE,
        Keyword.VIGILANCE,
        Keyword.LIFELINK,
        Keyword.HASTE,
        Keyword.HEXPROOF,
        Keyword.SHROUD,
        Keyword.PROTECTION,
    )
)
#: The subtypes that go with each card type (CR 205.3).
SUBTYPES_OF = {CREATURE: frozenset({"Bear", "Bird", "Wall", "Goblin", "Frog"}), ARTIFACT: frozenset({"Equipment"})}


def creature(board: Board, obj: GameObject) -> bool:
    return bool(board[obj.id].types & CREATURE)


def yours(board: Board, source: GameObject, obj: GameObject) -> bool:
    return board[obj.id].controller == board[source.id].controller


def colored(color: int) -> Callable[[Board, GameObject, GameObject], bool]:
    return lambda board, _, obj: creature(board, obj) and bool(board[obj.id].colors & color)


def of_kind(subtype: str) -> Callable[[Board, GameObject, GameObject], bool]:
    return lambda board, _, obj: subtype in board[obj.id].subtypes


def creatures_of(board: Board, source: GameObject) -> int:
    """How many creatures the controller of `source` controls."""
    return sum(creature(board, obj) and yours(board, source, obj) for obj in board.permanents)


def static(label: str, *changes: Change, **rest: Any) -> Static:
    return Static(label, changes, asks=frozenset(rest.pop("asks", ())), **rest)


LORD = static(
    "lord",
    Change(ADD_SIZE, "add_size", 1, 1),
    test=lambda board, source, obj: obj is not source and creature(board, obj) and yours(board, source, obj),
    asks=(CONTROL, TYPES),
)
BEARS_FLY = static(
    "bears fly",
    Change(ABILITIES, "add_keywords", FLYING),
    test=lambda board, source, obj: "Bear" in board[obj.id].subtypes and yours(board, source, obj),
    asks=(CONTROL, TYPES),
)
KNIGHTED = Protection("protection from green", G)

_BEAR, _BIRD, _WALL, _GOBLIN = (frozenset({kind}) for kind in ("Bear", "Bird", "Wall", "Goblin"))
_EQUIPMENT = frozenset({"Equipment"})
FACES: tuple[Face, ...] = (
    Face("Driver Bear", CREATURE, G, 2, 2, subtypes=_BEAR, mana_value=2),
    Face("Driver Bird", CREATURE, U, 1, 1, FLYING, _BIRD, mana_value=1),
    Face("Driver Land", LAND),
    Face("Driver Wall", CREATURE, W, 0, 4, 0, _WALL, mana_value=1),
    Face("Driver Token", CREATURE, R, 1, 1, 0, _GOBLIN),
    Face("Driver Lord", CREATURE, W, 2, 2, VIGILANCE, _BEAR, (LORD,), 2),
    Face("Driver Herald", CREATURE, G, 1, 3, 0, _BIRD, (BEARS_FLY,), 3),
    Face(
        "Driver Blade",
        ARTIFACT,
        0,
        subtypes=_EQUIPMENT,
        abilities=(
            static(
                "blade", Change(ABILITIES, "add_keywords", TRAMPLE), Change(ADD_SIZE, "add_size", 2, 1), scope="host"
            ),
        ),
        mana_value=1,
    ),
    Face(
        "Driver Leash",
        ARTIFACT,
        0,
        subtypes=_EQUIPMENT,
        abilities=(static("leash", Change(CONTROL, "control"), scope="host"),),
        mana_value=2,
    ),
    Face(
        "Driver Gag",
        ARTIFACT,
        R,
        subtypes=_EQUIPMENT,
        abilities=(static("gag", Change(ABILITIES, "lose_all"), Change(ADD_SIZE, "add_size", 0, -1), scope="host"),),
        mana_value=1,
    ),
    Face(
        "Driver Leveler",
        ENCHANTMENT,
        W,
        abilities=(
            static(
                "leveler",
                Change(ABILITIES, "lose_all"),
                Change(SET_SIZE, "set_size", 1, 1),
                test=lambda board, _, obj: creature(board, obj),
                asks=(TYPES,),
            ),
        ),
        mana_value=4,
    ),
    Face(
        "Driver Awakener",
        CREATURE,
        G,
        2,
        3,
        0,
        _BEAR,
        (
            static(
                "awakener",
                Change(TYPES, "add_types", CREATURE),
                Change(SET_SIZE, "set_size", 1, 2),
                test=lambda board, source, obj: bool(board[obj.id].types & LAND) and yours(board, source, obj),
                asks=(CONTROL, TYPES),
            ),
        ),
        3,
    ),
    Face(
        "Driver Painter",
        ENCHANTMENT,
        U,
        abilities=(
            static(
                "painter",
                Change(COLORS, "add_colors", U),
                test=lambda board, _, obj: "Bear" in board[obj.id].subtypes,
                asks=(TYPES,),
            ),
        ),
        mana_value=1,
    ),
    Face(
        "Driver Banner",
        ENCHANTMENT,
        0,
        abilities=(
            static(
                "banner",
                Change(ABILITIES, "add_keywords", HASTE),
                Change(ADD_SIZE, "add_size", 1, 0),
                test=colored(U),
                asks=(TYPES, COLORS),
            ),
        ),
        mana_value=2,
    ),
    Face(
        "Driver Mason",
        CREATURE,
        R,
        1,
        1,
        0,
        _GOBLIN,
        (
            static(
                "mason",
                Change(TYPES, "add_subtype", "Wall"),
                test=lambda board, source, obj: "Bear" in board[obj.id].subtypes and yours(board, source, obj),
                asks=(CONTROL, TYPES),
            ),
        ),
        2,
    ),
    Face(
        "Driver Forge",
        ENCHANTMENT,
        R,
        abilities=(static("forge", Change(TYPES, "add_types", ARTIFACT), test=of_kind("Wall"), asks=(TYPES,)),),
        mana_value=2,
    ),
    Face(
        "Driver Choir",
        ENCHANTMENT,
        W,
        abilities=(
            static(
                "choir",
                Change(ABILITIES, "add_keywords", LIFELINK),
                test=lambda board, _, obj: bool(board[obj.id].keywords & FLYING) and creature(board, obj),
                asks=(TYPES, ABILITIES),
            ),
        ),
        mana_value=2,
    ),
    Face(
        "Driver Crowd",
        CREATURE,
        B,
        1,
        1,
        0,
        _GOBLIN,
        (
            static(
                "crowd",
                Change(ADD_SIZE, "add_size", creatures_of, 0),
                scope="self",
                asks=(CONTROL, TYPES),
            ),
        ),
        2,
    ),
    Face(
        "Driver Sleeper",
        CREATURE,
        B,
        2,
        2,
        0,
        _WALL,
        (
            static(
                "sleeper",
                Change(ABILITIES, "add_keywords", FLYING),
                Change(SET_SIZE, "set_size", 5, 5),
                scope="self",
                condition=lambda board, source: any(
                    board[obj.id].types & LAND and yours(board, source, obj) for obj in board.permanents
                ),
                asks=(CONTROL, TYPES),
            ),
        ),
        3,
    ),
    Face("Driver Knight", CREATURE, B, 3, 3, PROTECTION, _WALL, (KNIGHTED,), 2),
    Face("Driver Ghost", CREATURE, U, 2, 1, HEXPROOF, _BIRD, (), 1),
    Face(
        "Driver Watcher",
        CREATURE,
        W,
        1,
        1,
        0,
        _WALL,
        (
            Watch(
                "mourns",
                lambda player, its, types, _: player == its and bool(types & CREATURE),
                zone_to=int(Zone.GRAVEYARD),
            ),
            Watch("misses", lambda _, __, types, power: bool(types & CREATURE) and power >= 2),
            Watch(
                "greets",
                lambda player, its, types, power: player == its and bool(types & CREATURE) and power >= 3,
                enters=True,
            ),
        ),
        2,
    ),
    Face(
        "Driver Gate",
        ENCHANTMENT,
        G,
        abilities=(
            Gate("gate", lambda player, its, types, power: player == its and bool(types & CREATURE) and power >= 3),
        ),
        mana_value=2,
    ),
    Face(
        "Driver Swarm",
        CREATURE,
        G,
        0,
        0,
        0,
        _GOBLIN,
        (
            static(
                "swarm",
                Change(CDA, "set_size", creatures_of, creatures_of),
                scope="self",
                asks=(CONTROL, TYPES),
            ),
        ),
        3,
    ),
)
NUMBER_OF = {face.name: number for number, face in enumerate(FACES)}
#: Faces that the cards of a driver have in turn, if nothing else is said.
CARD_FACES = 4
TOKEN = 4

#: What effects do to the object that they affect; "x" and "y" are the numbers that they are begun with (CR 608.2h).
EFFECTS: dict[str, tuple[Change, ...]] = {
    "pump": (Change(ADD_SIZE, "add_size", "x", "y"),),
    "set size": (Change(SET_SIZE, "set_size", "x", "y"),),
    "switch": (Change(SWITCH_SIZE, "switch"),),
    "fly": (Change(ABILITIES, "add_keywords", FLYING),),
    "land": (Change(ABILITIES, "lose_keywords", FLYING),),
    "shroud": (Change(ABILITIES, "add_keywords", SHROUD),),
    "gag": (Change(ABILITIES, "lose_all"),),
    "frog": (
        Change(TYPES, "set_subtype", "Frog"),
        Change(COLORS, "set_colors", U),
        Change(ABILITIES, "lose_all"),
        Change(SET_SIZE, "set_size", "x", "y"),
    ),
    "animate": (Change(TYPES, "add_types", CREATURE), Change(SET_SIZE, "set_size", "x", "y")),
    "statue": (Change(TYPES, "set_types", ARTIFACT),),
    "beast": (Change(TYPES, "set_types", CREATURE),),
    "petrify": (Change(TYPES, "lose_types", CREATURE),),
    "bear": (Change(TYPES, "add_subtype", "Bear"),),
    "wall": (Change(TYPES, "set_subtype", "Wall"),),
    "redden": (Change(COLORS, "set_colors", R),),
    "blacken": (Change(COLORS, "add_colors", B),),
    "fade": (Change(COLORS, "set_colors", 0),),
    "lead": (Change(ABILITIES, "gain_ability", LORD),),
    "herald": (Change(ABILITIES, "gain_ability", BEARS_FLY),),
    "knight": (Change(ABILITIES, "gain_ability", KNIGHTED),),
    "control": (Change(CONTROL, "control"),),
}
EFFECT_NAMES = tuple(EFFECTS)
#: Exceptions of copies (CR 707.9): what they change of the copied values, and how they are written for the core.
EXCEPTIONS: dict[str, tuple[str, Callable[[Face], Face]]] = {
    # CR 707.9d: what defines the size is not copied then.
    "size": (
        "sets_pt(7, 6)",
        lambda face: replace(
            face, power=7, toughness=6, abilities=tuple(a for a in face.abilities if a.label != "swarm")
        ),
    ),
    "fly": ("gain(flying)", lambda face: replace(face, keywords=face.keywords | FLYING)),
    "bear": ('add_subtype("Bear")', lambda face: replace(face, subtypes=face.subtypes | {"Bear"})),
    "animate": ("add_types(creature)", lambda face: replace(face, types=face.types | CREATURE)),
}
