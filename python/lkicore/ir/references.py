"""References: which object or which players an effect speaks of. Each kind has a declared policy of reading."""

from __future__ import annotations

from dataclasses import dataclass

from lkicore.opcodes import REF_POLICY, Policy, RefOp

from .filters import Filter, filter_of_objects
from .operands import Kind, Signature, Sort, covers, describe, number

REF_SIGNATURES: dict[RefOp, Signature] = {
    RefOp.SOURCE: (),
    RefOp.TARGET: (("number", Sort.TARGET),),
    RefOp.EACH: (("filter", Sort.FILTER),),
    RefOp.YOU: (),
    RefOp.EACH_OPPONENT: (),
    RefOp.EACH_PLAYER: (),
    RefOp.CONTROLLER_OF: (("of", Sort.ONE_OBJECT),),
    RefOp.OWNER_OF: (("of", Sort.ONE_OBJECT),),
}
covers(RefOp, REF_SIGNATURES, "signatures of references")
# A reference cannot be read before it says how (CR 608.2h, 608.2b).
covers(RefOp, REF_POLICY, "policies of references")

#: What each kind refers to. A target: what its target specification admits.
_KINDS: dict[RefOp, Kind] = {
    RefOp.SOURCE: Kind.OBJECT,
    RefOp.TARGET: Kind.OBJECT | Kind.PLAYER,
    RefOp.EACH: Kind.OBJECT,
    RefOp.YOU: Kind.PLAYER,
    RefOp.EACH_OPPONENT: Kind.PLAYER,
    RefOp.EACH_PLAYER: Kind.PLAYER,
    RefOp.CONTROLLER_OF: Kind.PLAYER,
    RefOp.OWNER_OF: Kind.PLAYER,
}
covers(RefOp, _KINDS, "kinds of references")

_SEVERAL = frozenset({RefOp.EACH, RefOp.EACH_OPPONENT, RefOp.EACH_PLAYER})

#: More targets than any card of this stage needs.
MAX_TARGETS = 8


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference node.

    Attributes:
        op: its kind.
        args: its operands, as the signature of `op` says.
    """

    op: RefOp
    args: tuple[Ref | Filter | int, ...] = ()

    @property
    def policy(self) -> Policy:
        """How facts about what it refers to are read."""
        return REF_POLICY[self.op]

    @property
    def kind(self) -> Kind:
        """What it may refer to; for a target, whatever a target can be."""
        return _KINDS[self.op]

    @property
    def several(self) -> bool:
        """Whether it may refer to more than one thing."""
        return self.op in _SEVERAL


def reference(value: object, what: str, *, one: bool = False, kind: Kind | None = None) -> Ref:
    """Return `value` if it is a reference fit for the place `what`.

    Raises:
        TypeError: it is not a reference, refers to several things where one is wanted, or to things of another kind.
    """
    if not isinstance(value, Ref):
        raise TypeError(f"{what}: a reference such as target(0) is wanted, not {describe(value)}")
    if one and value.several:
        raise TypeError(f"{what}: a reference to one thing is wanted, not to each of several")
    if kind is not None and not value.kind & kind:
        wanted = "objects" if kind is Kind.OBJECT else "players"
        raise TypeError(f"{what}: a reference to {wanted} is wanted")
    return value


def target(index: int) -> Ref:
    """Return the reference to target `index`, counted from 0 in the order of the target specifications.

    Raises:
        TypeError, ValueError: `index` is not a number from 0 to 7.
    """
    if not 0 <= number(index, "target") < MAX_TARGETS:
        raise ValueError(f"target: {index} is not from 0 to {MAX_TARGETS - 1}")
    return Ref(RefOp.TARGET, (index,))


def each(objects: Filter) -> Ref:
    """Return the reference to every object on the battlefield that passes `objects`.

    Raises:
        TypeError: `objects` is not a filter of objects.
    """
    return Ref(RefOp.EACH, (filter_of_objects(objects, "each"),))


def controller_of(of: Ref) -> Ref:
    """Return the reference to the controller of object `of` (CR 109.4)."""
    return Ref(RefOp.CONTROLLER_OF, (reference(of, "controller_of", one=True, kind=Kind.OBJECT),))


def owner_of(of: Ref) -> Ref:
    """Return the reference to the owner of object `of` (CR 108.3)."""
    return Ref(RefOp.OWNER_OF, (reference(of, "owner_of", one=True, kind=Kind.OBJECT),))


#: The spell itself, or the source of the ability (CR 113.7).
source = Ref(RefOp.SOURCE)
#: The controller of the spell or ability.
you = Ref(RefOp.YOU)
each_opponent = Ref(RefOp.EACH_OPPONENT)
each_player = Ref(RefOp.EACH_PLAYER)
