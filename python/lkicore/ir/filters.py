"""Filters: which objects (or, in target position, players) are meant.

Filters are combined with ``&``, ``|`` and ``~``: ``creature & ~black & yours``. Each knows whether it passes
objects, players or both; ``~`` stays on its side, so ``~you`` still means players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lkicore.opcodes import Color, FilterOp, Keyword, TypeBit, Zone

from .operands import INT_MAX, INT_MIN, Kind, Signature, Sort, covers, describe, number

_PAIR: Signature = (("a", Sort.FILTER), ("b", Sort.FILTER))
_RANGE: Signature = (("low", Sort.NUMBER), ("high", Sort.NUMBER))

FILTER_SIGNATURES: dict[FilterOp, Signature] = {
    FilterOp.TYPES_ANY: (("types", Sort.TYPES),),
    FilterOp.TYPES_NONE: (("types", Sort.TYPES),),
    FilterOp.COLORS_ANY: (("colors", Sort.COLORS),),
    FilterOp.COLORS_NONE: (("colors", Sort.COLORS),),
    FilterOp.KEYWORDS_ALL: (("keywords", Sort.KEYWORDS),),
    FilterOp.KEYWORDS_NONE: (("keywords", Sort.KEYWORDS),),
    FilterOp.POWER: _RANGE,
    FilterOp.TOUGHNESS: _RANGE,
    FilterOp.MANA_VALUE: _RANGE,
    FilterOp.YOURS: (),
    FilterOp.OPPONENTS: (),
    FilterOp.TAPPED: (),
    FilterOp.UNTAPPED: (),
    FilterOp.ATTACKING: (),
    FilterOp.BLOCKING: (),
    FilterOp.TOKEN: (),
    FilterOp.NOT_SOURCE: (),
    FilterOp.AND: _PAIR,
    FilterOp.OR: _PAIR,
    FilterOp.NOT: (("filter", Sort.FILTER),),
    FilterOp.PLAYER: (),
    FilterOp.OPPONENT: (),
    FilterOp.YOU: (),
    FilterOp.ZONE: (("zone", Sort.ZONE),),
    FilterOp.SUBTYPE: (("subtype", Sort.SUBTYPE),),
    FilterOp.ALL: (),
}
covers(FilterOp, FILTER_SIGNATURES, "signatures of filters")

_PLAYER_OPS = frozenset({FilterOp.PLAYER, FilterOp.OPPONENT, FilterOp.YOU})
#: Plain filters whose negation has an opcode of its own. (Of several keywords, "not all" is not "none".)
_OPPOSITE = {
    FilterOp.TYPES_ANY: FilterOp.TYPES_NONE,
    FilterOp.TYPES_NONE: FilterOp.TYPES_ANY,
    FilterOp.COLORS_ANY: FilterOp.COLORS_NONE,
    FilterOp.COLORS_NONE: FilterOp.COLORS_ANY,
    FilterOp.KEYWORDS_NONE: FilterOp.KEYWORDS_ALL,
    FilterOp.KEYWORDS_ALL: FilterOp.KEYWORDS_NONE,
    FilterOp.TAPPED: FilterOp.UNTAPPED,
    FilterOp.UNTAPPED: FilterOp.TAPPED,
}

FilterOperand: TypeAlias = "Filter | TypeBit | Color | Keyword | Zone | str | int"


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter node.

    Attributes:
        op: what it asks.
        args: its operands, as the signature of `op` says.
    """

    op: FilterOp
    args: tuple[FilterOperand, ...] = ()

    def __and__(self, other: object) -> Filter:
        return _join(FilterOp.AND, self, other)

    def __or__(self, other: object) -> Filter:
        return _join(FilterOp.OR, self, other)

    def __invert__(self) -> Filter:
        if self.op is FilterOp.NOT:
            return self.parts[0]
        several = self.op in (FilterOp.KEYWORDS_ALL, FilterOp.KEYWORDS_NONE) and int(self._int()).bit_count() != 1
        if self.op in _OPPOSITE and not several:
            return Filter(_OPPOSITE[self.op], self.args)
        return Filter(FilterOp.NOT, (self,))

    def _int(self) -> int:
        value = self.args[0]
        return value if isinstance(value, int) else 0

    @property
    def parts(self) -> tuple[Filter, ...]:
        """The filters that it is made of."""
        return tuple(a for a in self.args if isinstance(a, Filter))

    @property
    def kind(self) -> Kind:
        """What it can pass: objects, players or both; empty if it can pass nothing."""
        if self.op in _PLAYER_OPS:
            return Kind.PLAYER
        if self.op is FilterOp.ALL:
            return Kind.OBJECT | Kind.PLAYER
        if self.op is FilterOp.NOT:
            return self.parts[0].kind
        if self.op is FilterOp.AND:
            return self.parts[0].kind & self.parts[1].kind
        if self.op is FilterOp.OR:
            return self.parts[0].kind | self.parts[1].kind
        return Kind.OBJECT

    @property
    def zone(self) -> Zone | None:
        """The one zone that it asks for, or None if it leaves the zone open.

        Raises:
            ValueError: it asks for two zones, or for any zone but one.
        """
        if self.op is FilterOp.ZONE:
            zone = self.args[0]
            assert isinstance(zone, Zone)
            return zone
        zones = {p.zone for p in self.parts if p.kind & Kind.OBJECT}
        if self.op is FilterOp.NOT and zones - {None}:
            raise ValueError("a zone cannot be excluded")
        if self.op is FilterOp.AND:
            zones.discard(None)
        if len(zones) > 1:
            raise ValueError("its objects are in more than one zone")
        return zones.pop() if zones else None


def _join(op: FilterOp, a: Filter, b: object) -> Filter:
    sign = "&" if op is FilterOp.AND else "|"
    if not isinstance(b, Filter):
        raise TypeError(f"{sign} joins filters, not a filter and {describe(b)}")
    # "creature | artifact" is one question about types, "red | green" one about colours.
    if op is FilterOp.OR and a.op is b.op and a.op in (FilterOp.TYPES_ANY, FilterOp.COLORS_ANY):
        mask = a._int() | b._int()
        return Filter(a.op, (TypeBit(mask) if a.op is FilterOp.TYPES_ANY else Color(mask),))
    made = Filter(op, (a, b))
    if not made.kind:
        raise ValueError("nothing is both an object and a player")
    return made


def filter_of_objects(value: object, what: str) -> Filter:
    """Return `value` if it is a filter that can pass objects.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, Filter) or not value.kind & Kind.OBJECT:
        raise TypeError(f"{what}: a filter of objects is wanted, not {describe(value)}")
    return value


def has_type(types: TypeBit) -> Filter:
    """Return the filter "has a type or supertype of `types`"."""
    return Filter(FilterOp.TYPES_ANY, (types,))


def has_color(colors: Color) -> Filter:
    """Return the filter "has a colour of `colors`"."""
    return Filter(FilterOp.COLORS_ANY, (colors,))


def has(keywords: Keyword) -> Filter:
    """Return the filter "has all of `keywords`": ``has(flying)``.

    Raises:
        TypeError: `keywords` are none.
    """
    if not isinstance(keywords, Keyword):
        raise TypeError(f"has: keywords are wanted, not {describe(keywords)}")
    return Filter(FilterOp.KEYWORDS_ALL, (keywords,))


def subtype(name: str) -> Filter:
    """Return the filter "has subtype `name`": ``subtype("Goblin")``.

    Raises:
        TypeError: `name` is not a string.
        ValueError: it is empty.
    """
    if not isinstance(name, str):
        raise TypeError(f"subtype: a string is wanted, not {describe(name)}")
    if not name.strip():
        raise ValueError("subtype: the name is empty")
    return Filter(FilterOp.SUBTYPE, (name.strip(),))


def in_zone(zone: Zone) -> Filter:
    """Return the filter "is in `zone`" (CR 400.1).

    Raises:
        TypeError: `zone` is none.
    """
    if not isinstance(zone, Zone):
        raise TypeError(f"in_zone: a zone is wanted, not {describe(zone)}")
    return Filter(FilterOp.ZONE, (zone,))


def _between(op: FilterOp, what: str, at_least: int | None, at_most: int | None) -> Filter:
    low = INT_MIN if at_least is None else number(at_least, what)
    high = INT_MAX if at_most is None else number(at_most, what)
    if low > high:
        raise ValueError(f"{what}: nothing is at least {low} and at most {high}")
    return Filter(op, (low, high))


def power(at_least: int | None = None, at_most: int | None = None) -> Filter:
    """Return the filter "power between `at_least` and `at_most`" (CR 208); an omitted bound is none."""
    return _between(FilterOp.POWER, "power", at_least, at_most)


def toughness(at_least: int | None = None, at_most: int | None = None) -> Filter:
    """Return the filter "toughness between `at_least` and `at_most`" (CR 208)."""
    return _between(FilterOp.TOUGHNESS, "toughness", at_least, at_most)


def mana_value(at_least: int | None = None, at_most: int | None = None) -> Filter:
    """Return the filter "mana value between `at_least` and `at_most`" (CR 202.3)."""
    return _between(FilterOp.MANA_VALUE, "mana_value", at_least, at_most)


artifact = has_type(TypeBit.ARTIFACT)
battle = has_type(TypeBit.BATTLE)
creature = has_type(TypeBit.CREATURE)
enchantment = has_type(TypeBit.ENCHANTMENT)
instant = has_type(TypeBit.INSTANT)
kindred = has_type(TypeBit.KINDRED)
land = has_type(TypeBit.LAND)
planeswalker = has_type(TypeBit.PLANESWALKER)
sorcery = has_type(TypeBit.SORCERY)
basic = has_type(TypeBit.BASIC)
legendary = has_type(TypeBit.LEGENDARY)
snow = has_type(TypeBit.SNOW)
world = has_type(TypeBit.WORLD)
#: Something of a permanent type (CR 110.4).
permanent = artifact | battle | creature | enchantment | land | planeswalker
#: A spell: a card or copy on the stack, which abilities are not (CR 112.1).
spell = in_zone(Zone.STACK) & (permanent | instant | sorcery | kindred)

white = has_color(Color.W)
blue = has_color(Color.U)
black = has_color(Color.B)
red = has_color(Color.R)
green = has_color(Color.G)

yours = Filter(FilterOp.YOURS)
opponents = Filter(FilterOp.OPPONENTS)
tapped = Filter(FilterOp.TAPPED)
untapped = Filter(FilterOp.UNTAPPED)
attacking = Filter(FilterOp.ATTACKING)
blocking = Filter(FilterOp.BLOCKING)
token = Filter(FilterOp.TOKEN)
#: Not the source itself: "another".
other = Filter(FilterOp.NOT_SOURCE)
everything = Filter(FilterOp.ALL)

player = Filter(FilterOp.PLAYER)
opponent = Filter(FilterOp.OPPONENT)
yourself = Filter(FilterOp.YOU)
#: What "any target" means (CR 115.4).
any_target = creature | planeswalker | battle | player
