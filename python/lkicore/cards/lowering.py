"""Lowering: nodes of the effect language become rows of numbers, each stored once, and are checked on the way.

The signatures of the opcodes say how each operand is lowered, so that nothing here knows a card or, beyond a few
rewritings of filters, an opcode. A `Context` says what can be referred to where a node stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lkicore.ir.costs import Cost
from lkicore.ir.filters import FILTER_SIGNATURES, Filter
from lkicore.ir.flow import If, May, Pay
from lkicore.ir.operands import (
    FILTER_SORTS,
    OPTIONAL_SORTS,
    REFERENCE_SORTS,
    SINGULAR_SORTS,
    VALUE_SORTS,
    Kind,
    Signature,
    Sort,
    allowed,
    covers,
    words,
)
from lkicore.ir.references import REF_SIGNATURES, Ref
from lkicore.ir.values import COUNTER_NAMES, VALUE_SIGNATURES, Value
from lkicore.ir.ways import Way
from lkicore.ir.words import cost_notation, notation
from lkicore.opcodes import REF_POLICY, CostOp, CounterKind, EffectOp, FilterOp, Keyword, RefOp, ValueOp, Zone

from .errors import CardError, did_you_mean, nearest
from .programs import head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lkicore.ir.faces import Face
    from lkicore.ir.target_specs import TargetSpec
    from lkicore.ir.triggers import EventParts

# A kind of reference without a declared policy must not get into a table.
covers(RefOp, REF_POLICY, "policies of references")

#: What was chosen before anything was.
NOTHING = Kind(0)
#: Words of a node.
NODE_WORDS = 4
_SIGN, _WORD = 1 << 31, 1 << 32
_NEGATIVE = frozenset({FilterOp.NOT, FilterOp.TYPES_NONE, FilterOp.COLORS_NONE, FilterOp.KEYWORDS_NONE, FilterOp.ALL})
#: Part of an event that a reference to it needs.
_EVENT_PART = {
    RefOp.EVENT_OBJECT: "object",
    RefOp.EVENT_CARD: "object",
    RefOp.EVENT_OTHER: "other",
    RefOp.EVENT_PLAYER: "player",
}

Row = tuple[int, int, int, int]


@dataclass(slots=True)
class Assembly:
    """The lists of a card table, as the core's constructor takes them.

    Attributes:
        faces: characteristics of each face, by face number.
        abilities: those of faces, one face after the other; between them spell abilities, modes and others.
        targets: target specifications.
        values, filters, refs, costs, changes: nodes (op, a, b, c).
        optional: costs that may be paid besides.
        ways: ways of casting, besides the usual one of a card.
        hybrids: masks of hybrid mana symbols.
        code: instructions of `INSTRUCTION_WORDS` words.
        subtypes: names of the subtypes, by number.
        land_abilities: the mana ability of each basic land type (CR 305.6), 0xFFFF none, by number of the subtype.
        creature_types: whether each subtype is a creature type (CR 205.3m).
        counter_names: names of the kinds of counters after those of `CounterKind`.
        written: what abilities say, by their number; not those of an effect's own making.
    """

    faces: list[dict[str, Any]] = field(default_factory=list)
    abilities: list[dict[str, Any]] = field(default_factory=list)
    targets: list[dict[str, Any]] = field(default_factory=list)
    values: list[Row] = field(default_factory=list)
    filters: list[Row] = field(default_factory=list)
    refs: list[Row] = field(default_factory=list)
    costs: list[Row] = field(default_factory=list)
    changes: list[Row] = field(default_factory=list)
    optional: list[dict[str, Any]] = field(default_factory=list)
    ways: list[dict[str, Any]] = field(default_factory=list)
    hybrids: list[int] = field(default_factory=list)
    code: list[int] = field(default_factory=list)
    subtypes: list[str] = field(default_factory=list)
    creature_types: list[bool] = field(default_factory=list)
    land_abilities: list[int] = field(default_factory=list)
    counter_names: list[str] = field(default_factory=list)
    written: dict[int, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Context:
    """What can be referred to where a node stands.

    Attributes:
        specs: target specifications.
        has_x: a value of X was chosen.
        event: what the event has that triggered the ability, or None.
        static: it is a static ability.
        optional: number of optional costs of the source.
        paid: number of objects that its cost was paid with.
        moved, colored, result: whether an instruction before moves objects, has a colour chosen, or has a result.
        picked: what an instruction before has chosen.
        inside: how many filters the node stands in.
    """

    specs: tuple[TargetSpec, ...] = ()
    has_x: bool = False
    event: EventParts | None = None
    static: bool = False
    optional: int = 0
    paid: int = 0
    moved: bool = False
    picked: Kind = NOTHING
    colored: bool = False
    result: bool = False
    inside: int = 0


class Lowering:
    """Nodes into rows. Subclassed by the assembler, which lowers abilities."""

    def __init__(self, faces: Sequence[Face], subtypes: Sequence[str]) -> None:
        self.out = Assembly()
        self.numbers = {f.name: i for i, f in enumerate(faces)}
        self.tokens = {f.name: i for i, f in enumerate(faces) if f.token}
        self.subtypes = {s: i for i, s in enumerate(subtypes)}
        self.interned: dict[tuple[str, object], int] = {}
        # What messages and checks are about.
        self.current: Face | None = None
        self.text: object = ""
        self.context = Context()

    def error(self, cause: str) -> CardError:
        """Return the error `cause` of the card and text that are being lowered."""
        face = self.current
        text = text_of(self.text) if self.text else ""
        return CardError(cause, place=face.place if face else None, card=face.name if face else None, text=text or None)

    def node(self, where: str, row: Row) -> int:
        """Return the number of `row` in list `where`; equal rows are stored once."""
        key = (where, row)
        if key not in self.interned:
            rows: list[Row] = getattr(self.out, where)
            self.interned[key] = len(rows)
            rows.append(row)
        return self.interned[key]

    def stretch(self, where: str, rows: Sequence[object]) -> tuple[int, int]:
        """Return (first, n) of `rows`, which stand one after the other in list `where`; equal ones once."""
        if not rows:
            return 0, 0
        key = (f"stretch of {where}", tuple(map(_frozen, rows)))
        if key not in self.interned:
            kept: list[object] = getattr(self.out, where)
            self.interned[key] = len(kept)
            kept.extend(rows)
        return self.interned[key], len(rows)

    # ------------------------------------------------------------------------------------------- operands
    def operands(self, op: Any, args: Sequence[object], signature: Signature) -> list[int]:
        """Return the words of the operands `args` of `op`."""
        if len(args) != len(signature):
            raise self.error(f"{op.name}: {len(args)} operands instead of {len(signature)}")
        lowered: list[int] = []
        for arg, (name, sort) in zip(args, signature, strict=True):
            what = f"{op.name.lower()}: {name}"
            if isinstance(arg, Filter) and sort in FILTER_SORTS:
                lowered.append(self.filter_of(op, args, arg, what))
            else:
                lowered += self.operand(arg, sort, what)
        return lowered

    def operand(self, arg: object, sort: Sort, what: str) -> list[int]:
        """Return the words of one operand."""
        if arg is None and sort in OPTIONAL_SORTS:
            return [-1]
        if sort in REFERENCE_SORTS and isinstance(arg, Ref):
            return [self.reference(arg, sort, what)]
        if sort in VALUE_SORTS and isinstance(arg, Value):
            return [self.value(arg)]
        if sort is Sort.WAY and isinstance(arg, Way):
            return [self.way(arg)]
        if sort is Sort.MANA_USE:
            return [-1] if arg is None else [self.mana_use(arg)]
        if sort is Sort.KEYWORDS and isinstance(arg, Keyword):
            return _halves(arg)
        if isinstance(arg, str):
            return [self.named(arg, sort, what)]
        if isinstance(arg, int) and sort is Sort.HISTORY:
            return [int(arg).bit_length() - 1]  # the log holds numbers of bits
        if isinstance(arg, int) and sort not in REFERENCE_SORTS | VALUE_SORTS | FILTER_SORTS:
            return [int(arg)]
        raise self.error(f"{what}: {sort.value} is wanted, not {arg!r}")

    def named(self, name: str, sort: Sort, what: str) -> int:
        """Return the number of something that is given by its name."""
        if sort in (Sort.COUNTER, Sort.OPTIONAL_COUNTER):
            return self.counter(name)
        if sort in (Sort.SUBTYPE, Sort.OPTIONAL_SUBTYPE):
            return self.subtypes[name]
        known, kind = (self.tokens, "token") if sort is Sort.FACE else (self.numbers, "card of the pool")
        if sort not in (Sort.FACE, Sort.CARD):
            raise self.error(f"{what}: {sort.value} is wanted, not {name!r}")
        if name not in known:
            raise self.error(f"no {kind} is called {name!r}{did_you_mean(nearest(name, known))}")
        return known[name]

    def counter(self, name: str) -> int:
        """Return the number of a kind of counter; kinds without a column are numbered after those that have one."""
        if name in COUNTER_NAMES:
            return int(COUNTER_NAMES[name])
        if name not in self.out.counter_names:
            self.out.counter_names.append(name)
        return len(CounterKind) + self.out.counter_names.index(name)

    def mana_use(self, use: object) -> int:
        """Return the number of the ability that stands for what mana can be spent on."""
        raise NotImplementedError

    def way(self, way: Way) -> int:
        """Return the number of a way of casting."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------- nodes
    def reference(self, ref: Ref, sort: Sort, what: str) -> int:
        """Return the number of reference `ref` in a place of `sort`."""
        if ref.several and sort in SINGULAR_SORTS:
            raise self.error(f"{what}: {sort.value} is wanted, not {notation(ref)}")
        self._check_reference(ref)
        kind = ref.kind
        if ref.op is RefOp.ALL_TARGETS and not self.context.specs:
            raise self.error("all_targets is used, but there are no targets")
        if ref.op in (RefOp.TARGET, RefOp.TARGETS):
            kind = self._target(ref).filter.kind
        if ref.op is RefOp.PICKED:
            kind = self.context.picked
        if kind & ~allowed(sort):
            raise self.error(f"{what}: {sort.value} is wanted, but {notation(ref)} means {words(kind)}")
        operands = self.operands(ref.op, ref.args, REF_SIGNATURES[ref.op])
        if ref.op is RefOp.EACH:
            operands = [*operands, int(_zone_asked(ref.op, ref.args))]
        return self.node("refs", as_row(ref.op, operands))

    def _target(self, ref: Ref) -> TargetSpec:
        specs = self.context.specs
        number = ref.args[0]
        assert isinstance(number, int)
        if number >= len(specs):
            have = f"targets are numbered from 0, and there are {len(specs)}" if specs else "there are no targets"
            raise self.error(f"{notation(ref)} does not exist: {have}")
        if ref.op is RefOp.TARGET and specs[number].several:
            raise self.error(f"{notation(ref)} is one of several targets: write targets({number})")
        return specs[number]

    def _check_reference(self, ref: Ref) -> None:
        context = self.context
        part = _EVENT_PART.get(ref.op)
        if part is not None:
            word = notation(ref)
            if context.event is None:
                raise self.error(f"{word} is used, but no event triggers this")
            if not getattr(context.event, part):
                raise self.error(f"{word} is used, but the event has no {part}")
        elif ref.op is RefOp.MOVED and not context.moved:
            raise self.error("moved is used before anything moves")
        elif ref.op is RefOp.PICKED and not context.picked:
            raise self.error("picked is used before anything is picked")
        elif ref.op is RefOp.IT and not (context.inside or context.static):
            raise self.error("it is used outside a filter or static ability")
        elif ref.op is RefOp.LINKED and context.static:
            raise self.error(f"{notation(ref)} is used in a static ability: write static_linked (CR 604.7)")
        elif ref.op is RefOp.PAID:
            number = ref.args[0]
            assert isinstance(number, int)
            if number >= context.paid:
                raise self.error(f"{notation(ref)} is used, but {context.paid} objects are paid as a cost")

    def value(self, value: Value) -> int:
        """Return the number of value `value`."""
        context = self.context
        if value.op is ValueOp.X and not context.has_x:
            raise self.error("x is used, but the cost has no {X}")
        if value.op is ValueOp.RESULT and not context.result:
            raise self.error("result is used before anything is done")
        if value.op is ValueOp.EVENT_AMOUNT and (context.event is None or not context.event.amount):
            cause = "no event triggers this" if context.event is None else "the event has no number"
            raise self.error(f"event_amount is used, but {cause}")
        if value.op is ValueOp.KICKED:
            number = value.args[0]
            assert isinstance(number, int)
            if number >= context.optional:
                raise self.error(f"{notation(value)} is used, but there are {context.optional} optional costs")
        return self.node("values", as_row(value.op, self.operands(value.op, value.args, VALUE_SIGNATURES[value.op])))

    def filter_of(self, op: object, args: Sequence[object], filter_: Filter, what: str) -> int:
        """Return the number of a filter among the operands of `op`: over objects of the zone that is looked at."""
        try:
            zone = filter_.zone
        except ValueError as error:
            raise self.error(f"{what}: {error}") from None
        asked = _zone_asked(op, args)
        if asked is not Zone.NONE and zone not in (None, asked):
            if asked is Zone.BATTLEFIELD:
                raise self.error(f"{what}: only permanents can be meant here, not objects in {zone.name.lower()}")
            raise self.error(
                f"{what}: only objects in {asked.name.lower()} can be meant here, not in {zone.name.lower()}"
            )
        return self.filter(filter_)

    def filter(self, filter_: Filter) -> int:
        """Return the number of filter `filter_`."""
        args: Sequence[object] = filter_.args
        if filter_.op is FilterOp.OR and len({p.kind for p in filter_.parts}) > 1:
            args = [_guarded(p) for p in filter_.parts]
        self.context.inside += 1
        if filter_.parts:
            # Inner filters speak of the same object: their zone is that of the whole.
            lowered = [self.filter(arg) for arg in args if isinstance(arg, Filter)]
        else:
            lowered = self.operands(filter_.op, args, FILTER_SIGNATURES[filter_.op])
        self.context.inside -= 1
        return self.node("filters", as_row(filter_.op, lowered))


def _zone_asked(op: object, args: Sequence[object]) -> Zone:
    """Return the zone whose objects a filter among the operands of `op` speaks of; NONE: any."""
    if op is RefOp.EACH:
        # Zones that are open to all can be spoken of from anywhere.
        asked = [a.zone for a in args if isinstance(a, Filter)]
        return asked[0] if asked and asked[0] in _ZONES_OF_EACH else Zone.BATTLEFIELD
    if op in (EffectOp.PICK, ValueOp.COUNT_ZONE) and isinstance(op, EffectOp | ValueOp):
        zones = [a for a in args if isinstance(a, Zone)]
        return zones[0] if zones else Zone.NONE
    for opcodes, zone in _ZONES_ASKED:
        if any(op is o for o in opcodes):
            return zone
    return Zone.BATTLEFIELD


#: Zones whose cards "each" can mean: those that are open to all, and those that an effect speaks of as a whole.
_ZONES_OF_EACH = (Zone.GRAVEYARD, Zone.EXILE, Zone.HAND, Zone.LIBRARY)
_ZONES_ASKED: tuple[tuple[tuple[object, ...], Zone], ...] = (
    ((EffectOp.SEARCH_LAND, EffectOp.DIG, EffectOp.REVEAL_UNTIL), Zone.LIBRARY),
    ((EffectOp.DISCARD, CostOp.DISCARD, CostOp.REVEAL, CostOp.EXILE_HAND), Zone.HAND),
    ((CostOp.EXILE_GRAVEYARD,), Zone.GRAVEYARD),
    ((ValueOp.MATCHES, ValueOp.HAPPENED, ValueOp.COUNT_OF, FilterOp.TARGETS), Zone.NONE),
)


def _guarded(part: Filter) -> Filter:
    """Return `part` so that it passes nothing of the other kind, as "not black" would pass a player."""
    if not _is_negative(part) or part.kind == Kind.OBJECT | Kind.PLAYER:
        return part
    only = Filter(FilterOp.PLAYER)
    return Filter(FilterOp.AND, (only if part.kind is Kind.PLAYER else Filter(FilterOp.NOT, (only,)), part))


def _is_negative(filter_: Filter) -> bool:
    return filter_.op in _NEGATIVE or any(_is_negative(p) for p in filter_.parts)


def text_of(node: Any) -> str:
    """Return what is being lowered, for messages."""
    if isinstance(node, Cost):
        return cost_notation(node)
    return head(node) if isinstance(node, If | May | Pay) else notation(node)


def as_row(op: int, operands: Sequence[int]) -> Row:
    """Return the row of a node."""
    a, b, c = (*operands, 0, 0, 0)[: NODE_WORDS - 1]
    return int(op), a, b, c


def _halves(mask: int) -> list[int]:
    """Return `mask` as two words of 32 bits; words have a sign."""
    halves = (int(mask) % _WORD, int(mask) // _WORD)
    return [h - _WORD if h >= _SIGN else h for h in halves]


def _frozen(row: object) -> object:
    return tuple(sorted(row.items())) if isinstance(row, dict) else row
