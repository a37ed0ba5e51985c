"""Assembling: faces of the effect language become the plain lists that the core's card table is made of.

Equal filters, references, values, target lists and programs are stored once. The signatures of the opcodes say how each
operand is lowered, so that nothing here knows a card or, beyond a few rewritings of filters, an opcode.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lkicore.ir.abilities import Ability, ActivatedAbility, ManaAbility, SpellAbility, TargetSpec
from lkicore.ir.costs import ManaCost
from lkicore.ir.effects import EFFECT_SIGNATURES, Effect
from lkicore.ir.filters import FILTER_SIGNATURES, Filter
from lkicore.ir.operands import REFERENCE_SORTS, SINGULAR_SORTS, Kind, Signature, Sort, allowed, covers, words
from lkicore.ir.references import REF_SIGNATURES, Ref
from lkicore.ir.values import VALUE_SIGNATURES, Value
from lkicore.ir.words import notation
from lkicore.opcodes import REF_POLICY, AbilityKind, EffectOp, FilterOp, Keyword, RefOp, ValueOp, Zone

from .errors import CardError, did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lkicore.ir.faces import Face

# A kind of reference without a declared policy must not get into a table.
covers(RefOp, REF_POLICY, "policies of references")

#: Words of an instruction and of a node.
INSTRUCTION_WORDS, NODE_WORDS = 5, 4
_LOW = 0xFFFFFFFF
_NO_COST = ManaCost()
_NEGATIVE = frozenset({FilterOp.NOT, FilterOp.TYPES_NONE, FilterOp.COLORS_NONE, FilterOp.KEYWORDS_NONE, FilterOp.ALL})


@dataclass(slots=True)
class Assembly:
    """The lists of a card table, as the core's constructor takes them.

    Attributes:
        faces: characteristics of each face, by face number.
        abilities: activated abilities.
        targets: target specifications.
        values, filters, refs: nodes (op, a, b, c).
        code: instructions of five words.
        subtypes: names of the subtypes, by number.
    """

    faces: list[dict[str, Any]] = field(default_factory=list)
    abilities: list[dict[str, Any]] = field(default_factory=list)
    targets: list[dict[str, Any]] = field(default_factory=list)
    values: list[tuple[int, int, int, int]] = field(default_factory=list)
    filters: list[tuple[int, int, int, int]] = field(default_factory=list)
    refs: list[tuple[int, int, int, int]] = field(default_factory=list)
    code: list[int] = field(default_factory=list)
    subtypes: list[str] = field(default_factory=list)


def assemble(faces: Sequence[Face]) -> Assembly:
    """Return the lists of a card table that holds `faces`, numbered in their order.

    Raises:
        CardError: a face is not well-typed, refers to a target that it does not have or to an unknown token.
    """
    made = _Assembler(faces)
    for face in faces:
        made.face(face)
    return made.out


class _Assembler:
    """The state of one assembling."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self.out = Assembly()
        self.tokens = {f.name: i for i, f in enumerate(faces) if f.token}
        subtypes = sorted({s for f in faces for s in f.subtypes} | {s for f in faces for s in _subtypes_asked(f)})
        self.subtypes = {s: i for i, s in enumerate(subtypes)}
        self.out.subtypes = subtypes
        self.interned: dict[tuple[str, object], int] = {}
        # What messages and checks are about.
        self.current: Face | None = None
        self.text = ""
        self.specs: tuple[TargetSpec, ...] = ()
        self.has_x = False

    def error(self, cause: str) -> CardError:
        face = self.current
        return CardError(
            cause, place=face.place if face else None, card=face.name if face else None, text=self.text or None
        )

    # ------------------------------------------------------------------------------------------ faces
    def face(self, face: Face) -> None:
        self.current, self.text = face, ""
        cost = face.cost or _NO_COST
        targets, program = (0, 0), -1
        if face.spell is not None:
            targets, program = self.targets(face.spell.targets), self.program(face.spell, cost.n_x > 0)
        abilities = face.all_abilities
        first = len(self.out.abilities)
        self.out.abilities.extend([self.ability(a) for a in abilities])
        self.out.faces.append(
            {
                "name": face.name,
                "pips": cost.pips,
                "generic": cost.generic,
                "n_x": cost.n_x,
                "has_cost": face.cost is not None,
                "types": int(face.types),
                "colors": int(face.real_colors),
                "power": face.power or 0,
                "toughness": face.toughness or 0,
                "keywords": int(face.keywords),
                "targets": targets,
                "program": program,
                "abilities": (first, len(abilities)),
                "subtypes": [self.subtypes[s] for s in face.subtypes],
                "token": face.token,
                "test_only": face.test_only,
            }
        )

    def ability(self, ability: Ability) -> dict[str, Any]:
        mana = ability.cost.mana
        made: dict[str, Any] = {
            "kind": int(AbilityKind.ACTIVATED),
            "cost_flags": int(ability.cost.flags),
            "pips": mana.pips,
            "generic": mana.generic,
            "n_x": mana.n_x,
            "targets": (0, 0),
            "program": -1,
            "mana_mask": 0,
            "mana_amount": 0,
        }
        if isinstance(ability, ManaAbility):
            made |= {
                "kind": int(AbilityKind.MANA),
                "mana_mask": int(ability.colors),
                "mana_amount": ability.amount,
            }
        else:
            made |= {"targets": self.targets(ability.targets), "program": self.program(ability, mana.n_x > 0)}
        return made

    def targets(self, specs: tuple[TargetSpec, ...]) -> tuple[int, int]:
        if not specs:
            return 0, 0
        known = self.interned.get(("targets", specs))
        if known is None:
            rows = []
            for spec in specs:
                self.text = notation(spec.filter)
                rows.append(
                    {
                        "filter": self.filter(spec.filter),
                        "players": spec.players,
                        "objects": spec.objects,
                        "zone": int(spec.zone),
                    }
                )
            known = self.interned["targets", specs] = len(self.out.targets)
            self.out.targets.extend(rows)
        return known, len(specs)

    def program(self, ability: SpellAbility | ActivatedAbility, has_x: bool) -> int:
        self.specs, self.has_x = ability.targets, has_x
        unused = set(range(len(self.specs))) - {n for e in ability.effects for n in _targets_used(e)}
        code: list[int] = []
        for effect in ability.effects:
            self.text = notation(effect)
            code += self.instruction(effect)
        self.text = ""
        if unused:
            raise self.error(f"target({min(unused)}) is chosen but not used")
        code += [int(EffectOp.END)] + [0] * (INSTRUCTION_WORDS - 1)
        key = ("program", tuple(code))
        if key not in self.interned:
            self.interned[key] = len(self.out.code)
            self.out.code += code
        return self.interned[key]

    def instruction(self, effect: Effect) -> list[int]:
        operands = self.operands(effect.args, EFFECT_SIGNATURES[effect.op], effect.op.name)
        return [int(effect.op), *operands, *[0] * (INSTRUCTION_WORDS - 1 - len(operands))]

    # ------------------------------------------------------------------------------------------ nodes
    def operands(self, args: Sequence[object], signature: Signature, what: str) -> list[int]:
        if len(args) != len(signature):
            raise self.error(f"{what}: {len(args)} operands instead of {len(signature)}")
        lowered: list[int] = []
        for arg, (name, sort) in zip(args, signature, strict=True):
            lowered += self.operand(arg, sort, f"{what.lower()}: {name}")
        return lowered

    def operand(self, arg: object, sort: Sort, what: str) -> list[int]:
        if sort in REFERENCE_SORTS and isinstance(arg, Ref):
            return [self.reference(arg, sort, what)]
        if sort is Sort.VALUE and isinstance(arg, Value):
            return [self.value(arg)]
        if sort is Sort.FILTER and isinstance(arg, Filter):
            return [self.battlefield_filter(arg, what)]
        if sort is Sort.KEYWORD_NODE and isinstance(arg, Keyword):
            return [self.node("values", _node(ValueOp.CONST, _halves(arg)))]
        if sort is Sort.KEYWORDS and isinstance(arg, Keyword):
            return _halves(arg)
        if sort is Sort.FACE and isinstance(arg, str):
            if arg not in self.tokens:
                raise self.error(f"no token is called {arg!r}{did_you_mean(nearest(arg, self.tokens))}")
            return [self.tokens[arg]]
        if sort is Sort.SUBTYPE and isinstance(arg, str):
            return [self.subtypes[arg]]
        if isinstance(arg, int) and sort not in REFERENCE_SORTS | {Sort.VALUE, Sort.FILTER, Sort.FACE, Sort.SUBTYPE}:
            return [int(arg)]
        raise self.error(f"{what}: {sort.value} is wanted, not {arg!r}")

    def node(self, where: str, words: tuple[int, int, int, int]) -> int:
        key = (where, words)
        if key not in self.interned:
            rows: list[tuple[int, int, int, int]] = getattr(self.out, where)
            self.interned[key] = len(rows)
            rows.append(words)
        return self.interned[key]

    def reference(self, ref: Ref, sort: Sort, what: str) -> int:
        if ref.several and sort in SINGULAR_SORTS:
            raise self.error(f"{what}: {sort.value} is wanted, not {notation(ref)}")
        kind = ref.kind
        if ref.op is RefOp.TARGET:
            number = ref.args[0]
            assert isinstance(number, int)
            if number >= len(self.specs):
                have = (
                    f"targets are numbered from 0, and there are {len(self.specs)}"
                    if self.specs
                    else "there are no targets"
                )
                raise self.error(f"target({number}) does not exist: {have}")
            kind = self.specs[number].filter.kind
        if kind & ~allowed(sort):
            raise self.error(f"{what}: {sort.value} is wanted, but {notation(ref)} means {words(kind)}")
        operands = self.operands(ref.args, REF_SIGNATURES[ref.op], notation(ref))
        return self.node("refs", _node(ref.op, operands))

    def value(self, value: Value) -> int:
        if value.op is ValueOp.X and not self.has_x:
            raise self.error("x is used, but the cost has no {X}")
        operands = self.operands(value.args, VALUE_SIGNATURES[value.op], value.op.name)
        return self.node("values", _node(value.op, operands))

    def battlefield_filter(self, filter_: Filter, what: str) -> int:
        """Return the index of a filter outside a target specification: over objects of the zone that is searched."""
        try:
            zone = filter_.zone
        except ValueError as error:
            raise self.error(f"{what}: {error}") from None
        if zone not in (None, Zone.BATTLEFIELD):
            raise self.error(f"{what}: only permanents can be meant here, not objects in {zone.name.lower()}")
        return self.filter(filter_)

    def filter(self, filter_: Filter) -> int:
        args: Sequence[object] = filter_.args
        if filter_.op is FilterOp.OR and len({p.kind for p in filter_.parts}) > 1:
            args = [_guarded(p) for p in filter_.parts]
        lowered: list[int] = []
        for arg, (name, sort) in zip(args, FILTER_SIGNATURES[filter_.op], strict=True):
            # Inner filters speak of the same object: their zone is that of the whole.
            if isinstance(arg, Filter):
                lowered.append(self.filter(arg))
            else:
                lowered += self.operand(arg, sort, name)
        return self.node("filters", _node(filter_.op, lowered))


def _guarded(part: Filter) -> Filter:
    """Return `part` so that it passes nothing of the other kind, as "not black" would pass a player."""
    if not _is_negative(part) or part.kind == Kind.OBJECT | Kind.PLAYER:
        return part
    only = Filter(FilterOp.PLAYER)
    return Filter(FilterOp.AND, (only if part.kind is Kind.PLAYER else Filter(FilterOp.NOT, (only,)), part))


def _is_negative(filter_: Filter) -> bool:
    return filter_.op in _NEGATIVE or any(_is_negative(p) for p in filter_.parts)


def _node(op: int, operands: Sequence[int]) -> tuple[int, int, int, int]:
    a, b, c = (*operands, 0, 0, 0)[: NODE_WORDS - 1]
    return int(op), a, b, c


def _halves(mask: int) -> list[int]:
    return [int(mask) & _LOW, int(mask) >> 32]


def _nodes(node: object) -> Iterable[object]:
    """Yield `node` and every node inside it."""
    yield node
    for arg in getattr(node, "args", ()):
        yield from _nodes(arg)


def _targets_used(effect: Effect) -> Iterable[object]:
    return (n.args[0] for n in _nodes(effect) if isinstance(n, Ref) and n.op is RefOp.TARGET)


def _subtypes_asked(face: Face) -> Iterable[str]:
    """Yield the subtypes that filters of `face` ask for."""
    programs = [face.spell, *face.abilities]
    roots: list[object] = []
    for program in programs:
        if isinstance(program, SpellAbility | ActivatedAbility):
            roots += [*program.effects, *(t.filter for t in program.targets)]
    for root in roots:
        for node in _nodes(root):
            if isinstance(node, Filter) and node.op is FilterOp.SUBTYPE:
                yield str(node.args[0])
