"""Filters: which objects (or, in target position, players) are meant.

Filters are combined with ``&``, ``|`` and ``~``: ``creature & ~black & yours``. Each knows whether it passes
objects, players or both; ``~`` stays on its side, so ``~you`` still means players.
"""

from __future__ import annotations

from dataclasses import dataclass

from lkicore.opcodes import Color, FilterOp, Keyword, TypeBit, Zone

from .operands import Kind, Signature, Sort, covers, describe, number

_PAIR: Signature = (("a", Sort.FILTER), ("b", Sort.FILTER))
_ONE: Signature = (("what", Sort.ONE_OBJECT),)
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
    FilterOp.FACE_DOWN: (),
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
    FilterOp.SOURCE: (),
    FilterOp.HOST: (),
    FilterOp.OWNED: (),
    FilterOp.CONTROLLED_BY: (("by", Sort.PLAYERS),),
    FilterOp.OWNED_BY: (("by", Sort.PLAYERS),),
    FilterOp.IS: (("what", Sort.OBJECTS),),
    FilterOp.COUNTERS: (("kind", Sort.COUNTER), ("least", Sort.NUMBER)),
    FilterOp.DAMAGED: (),
    FilterOp.NAMED: (("name", Sort.CARD),),
    FilterOp.SAME_NAME: _ONE,
    FilterOp.COMPARE: (("fact", Sort.FACT), ("low", Sort.VALUE), ("high", Sort.VALUE)),
    FilterOp.SPELL: (),
    FilterOp.ABILITY: (),
    FilterOp.TARGETS: (("filter", Sort.FILTER),),
    FilterOp.BLOCKED: (),
    FilterOp.UNBLOCKED: (),
    FilterOp.ATTACKS_YOU: (),
    FilterOp.COLOR_COUNT: _RANGE,
    FilterOp.SHARES_COLOR: _ONE,
    FilterOp.ENCHANTED: (),
    FilterOp.EQUIPPED: (),
    FilterOp.MODIFIED_BY_COUNTER: (),
    FilterOp.PLAYER_IS: (("who", Sort.PLAYERS),),
    FilterOp.OTHER_TARGET: (),
    FilterOp.KICKED: (),
    FilterOp.SAME_CONTROLLER: _ONE,
    FilterOp.ENTERED_NOW: (),
    FilterOp.ATTACKED_NOW: (),
    FilterOp.SHARES_SUBTYPE: _ONE,
    FilterOp.BLOCKS_SOURCE: (),
    FilterOp.BLOCKED_BY_SOURCE: (),
    FilterOp.CHOSEN_COLOR: (),
    FilterOp.CHOSEN_SUBTYPE: (),
    FilterOp.DAMAGED_BY: (("what", Sort.OBJECTS),),
    FilterOp.DESIGNATED: (("designation", Sort.DESIGNATION),),
    FilterOp.NEWLY_CONTROLLED: (),
    FilterOp.DID: (("kind", Sort.HISTORY), ("of", Sort.FILTER), ("least", Sort.NUMBER)),
}
covers(FilterOp, FILTER_SIGNATURES, "signatures of filters")

_PLAYER_OPS = frozenset({FilterOp.PLAYER, FilterOp.OPPONENT, FilterOp.YOU, FilterOp.PLAYER_IS, FilterOp.DID})
#: Filters that pass objects and players alike.
_OPEN_OPS = frozenset({FilterOp.ALL, FilterOp.OTHER_TARGET})
#: Filters made of filters over the same object.
_JOINING_OPS = frozenset({FilterOp.AND, FilterOp.OR, FilterOp.NOT})
#: Filters that only objects on the stack pass.
_STACK_OPS = frozenset({FilterOp.SPELL, FilterOp.ABILITY, FilterOp.TARGETS})
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


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter node.

    Attributes:
        op: what it asks.
        args: its operands, as the signature of `op` says.
    """

    op: FilterOp
    args: tuple[object, ...] = ()

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
        """The filters over the same object that it is made of."""
        return tuple(a for a in self.args if isinstance(a, Filter)) if self.op in _JOINING_OPS else ()

    @property
    def kind(self) -> Kind:
        """What it can pass: objects, players or both; empty if it can pass nothing."""
        if self.op in _PLAYER_OPS:
            return Kind.PLAYER
        if self.op in _OPEN_OPS:
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
        if self.op in _STACK_OPS:
            return Zone.STACK
        zones = {p.zone for p in self.parts if p.kind & Kind.OBJECT}
        if self.op is FilterOp.NOT and zones - {None}:
            raise ValueError("a zone cannot be excluded")
        if self.op is FilterOp.AND:
            zones.discard(None)
        if len(zones) > 1:
            raise ValueError("its objects are in more than one zone")
        return zones.pop() if zones else None


def zones_of(filter_: Filter) -> frozenset[Zone] | None:
    """Return the zones whose objects a static ability with this filter affects (CR 113.6); None: it names none.

    Raises:
        ValueError: a part of it names zones and another part, beside it, none.
    """
    if filter_.op is FilterOp.ZONE:
        zone = filter_.args[0]
        assert isinstance(zone, Zone)
        return frozenset({zone})
    if filter_.op in _STACK_OPS:
        return frozenset({Zone.STACK})
    parts = [zones_of(p) for p in filter_.parts if p.kind & Kind.OBJECT]
    named = [p for p in parts if p is not None]
    if not named:
        return None
    if filter_.op is FilterOp.NOT:
        return frozenset(z for z in Zone if z is not Zone.NONE) - named[0]
    if filter_.op is FilterOp.AND:
        return frozenset.intersection(*named)
    if len(named) < len(parts):
        raise ValueError("a part of it names a zone, another one none: in_zone(battlefield)?")
    return frozenset.union(*named)


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


def filter_of_players(value: object, what: str) -> Filter:
    """Return `value` if it is a filter of players alone.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, Filter) or value.kind is not Kind.PLAYER:
        raise TypeError(f"{what}: a filter of players such as opponent is wanted, not {describe(value)}")
    return value


def colors_between(at_least: int, at_most: int) -> Filter:
    """Return the filter "has between `at_least` and `at_most` colours" (CR 105.2).

    Raises:
        TypeError, ValueError: a bound is no number, or nothing lies between them.
    """
    low, high = number(at_least, "colors_between"), number(at_most, "colors_between")
    if low > high:
        raise ValueError(f"colors_between: nothing is at least {low} and at most {high}")
    return Filter(FilterOp.COLOR_COUNT, (low, high))


def named(name: str) -> Filter:
    """Return the filter "is named `name`" (CR 201.2); the pool must have a card of this name.

    Raises:
        TypeError: `name` is not a string.
    """
    if not isinstance(name, str):
        raise TypeError(f"named: a string is wanted, not {describe(name)}")
    return Filter(FilterOp.NAMED, (name,))


def targeting(what: Filter) -> Filter:
    """Return the filter "is a spell or ability with a target that passes `what`" (CR 115.9b).

    Raises:
        TypeError: `what` is not a filter.
    """
    if not isinstance(what, Filter):
        raise TypeError(f"targeting: a filter is wanted, not {describe(what)}")
    return Filter(FilterOp.TARGETS, (what,))


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
spell = Filter(FilterOp.SPELL)
#: An activated or triggered ability on the stack (CR 113.3).
ability = Filter(FilterOp.ABILITY)

white = has_color(Color.W)
blue = has_color(Color.U)
black = has_color(Color.B)
red = has_color(Color.R)
green = has_color(Color.G)

yours = Filter(FilterOp.YOURS)
opponents = Filter(FilterOp.OPPONENTS)
tapped = Filter(FilterOp.TAPPED)
face_down = Filter(FilterOp.FACE_DOWN)
untapped = Filter(FilterOp.UNTAPPED)
attacking = Filter(FilterOp.ATTACKING)
blocking = Filter(FilterOp.BLOCKING)
token = Filter(FilterOp.TOKEN)
#: Not the source itself: "another".
other = Filter(FilterOp.NOT_SOURCE)
everything = Filter(FilterOp.ALL)
#: The source itself, by what it is called in its own text (CR 201.5).
this = Filter(FilterOp.SOURCE)
#: What the source is attached to: "equipped creature", "enchanted permanent" (CR 301.5, 303.4).
host_of_this = Filter(FilterOp.HOST)
owned = Filter(FilterOp.OWNED)
damaged = Filter(FilterOp.DAMAGED)
blocked = Filter(FilterOp.BLOCKED)
unblocked_attacker = Filter(FilterOp.UNBLOCKED)
attacks_you = Filter(FilterOp.ATTACKS_YOU)
enchanted = Filter(FilterOp.ENCHANTED)
equipped = Filter(FilterOp.EQUIPPED)
#: Has a counter of any kind.
countered = Filter(FilterOp.MODIFIED_BY_COUNTER)
#: Not among the targets chosen before: "another target creature".
other_target = Filter(FilterOp.OTHER_TARGET)
kicked = Filter(FilterOp.KICKED)
#: It has the colour, or the creature type, chosen for the source (CR 607.2d).
chosen_color = Filter(FilterOp.CHOSEN_COLOR)
chosen_creature_type = Filter(FilterOp.CHOSEN_SUBTYPE)
entered_this_turn = Filter(FilterOp.ENTERED_NOW)
attacked_this_turn = Filter(FilterOp.ATTACKED_NOW)
blocks_this = Filter(FilterOp.BLOCKS_SOURCE)
blocked_by_this = Filter(FilterOp.BLOCKED_BY_SOURCE)
#: It came under its controller's control since the beginning of that player's last upkeep (CR 702.30a).
newly_controlled = Filter(FilterOp.NEWLY_CONTROLLED)

player = Filter(FilterOp.PLAYER)
opponent = Filter(FilterOp.OPPONENT)
yourself = Filter(FilterOp.YOU)
#: What "any target" means (CR 115.4).
any_target = creature | planeswalker | battle | player

multicolored = colors_between(2, 5)
colorless = colors_between(0, 0)
