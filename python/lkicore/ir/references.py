"""References: which object or which players an effect speaks of. Each kind has a declared policy of reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lkicore.opcodes import REF_POLICY, Policy, RefOp

from .filters import Filter, filter_of_objects
from .operands import Kind, Signature, Sort, covers, describe, number

if TYPE_CHECKING:
    from .values import ValueLike

REF_SIGNATURES: dict[RefOp, Signature] = {
    RefOp.SOURCE: (),
    RefOp.TARGET: (("number", Sort.TARGET),),
    RefOp.EACH: (("filter", Sort.FILTER),),
    RefOp.YOU: (),
    RefOp.EACH_OPPONENT: (),
    RefOp.EACH_PLAYER: (),
    RefOp.CONTROLLER_OF: (("of", Sort.ONE),),
    RefOp.OWNER_OF: (("of", Sort.ONE_OBJECT),),
    RefOp.TARGETS: (("number", Sort.TARGET),),
    RefOp.EVENT_OBJECT: (),
    RefOp.EVENT_OTHER: (),
    RefOp.EVENT_CARD: (),
    RefOp.EVENT_PLAYER: (),
    RefOp.PAID: (("number", Sort.NUMBER),),
    RefOp.HOST: (),
    RefOp.MOVED: (),
    RefOp.PICKED: (),
    RefOp.LINKED: (("number", Sort.NUMBER),),
    RefOp.ACTIVE_PLAYER: (),
    RefOp.DEFENDING_PLAYER: (),
    RefOp.STATIC_LINKED: (("number", Sort.NUMBER),),
    RefOp.IT: (),
    RefOp.BLOCKERS_OF: (("of", Sort.ONE_OBJECT),),
    RefOp.ATTACHED_TO: (("to", Sort.ONE_OBJECT), ("filter", Sort.FILTER)),
    RefOp.CHOSEN_PLAYER: (),
    RefOp.HOST_PLAYER: (),
    RefOp.OTHER_OPPONENT: (("number", Sort.NUMBER),),
    RefOp.TOP_CARDS: (("of", Sort.PLAYERS), ("amount", Sort.VALUE)),
    RefOp.GRAVEYARD_TOP: (("of", Sort.ONE_PLAYER), ("filter", Sort.FILTER)),
    RefOp.ALL_TARGETS: (),
    RefOp.SOURCE_CARD: (),
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
    RefOp.TARGETS: Kind.OBJECT | Kind.PLAYER,
    RefOp.EVENT_OBJECT: Kind.OBJECT,
    RefOp.EVENT_OTHER: Kind.OBJECT,
    RefOp.EVENT_CARD: Kind.OBJECT,
    RefOp.EVENT_PLAYER: Kind.PLAYER,
    RefOp.PAID: Kind.OBJECT,
    RefOp.HOST: Kind.OBJECT,
    RefOp.MOVED: Kind.OBJECT,
    RefOp.PICKED: Kind.OBJECT | Kind.PLAYER,
    RefOp.LINKED: Kind.OBJECT,
    RefOp.ACTIVE_PLAYER: Kind.PLAYER,
    RefOp.DEFENDING_PLAYER: Kind.PLAYER,
    RefOp.STATIC_LINKED: Kind.OBJECT,
    RefOp.IT: Kind.OBJECT,
    RefOp.BLOCKERS_OF: Kind.OBJECT,
    RefOp.ATTACHED_TO: Kind.OBJECT,
    RefOp.CHOSEN_PLAYER: Kind.PLAYER,
    RefOp.HOST_PLAYER: Kind.PLAYER,
    RefOp.OTHER_OPPONENT: Kind.PLAYER,
    RefOp.TOP_CARDS: Kind.OBJECT,
    RefOp.GRAVEYARD_TOP: Kind.OBJECT,
    RefOp.ALL_TARGETS: Kind.OBJECT,
    RefOp.SOURCE_CARD: Kind.OBJECT,
}
covers(RefOp, _KINDS, "kinds of references")

#: References that mean several things wherever they stand. `moved`, `picked` and `linked` mean as many as there were;
#: where one thing is wanted, the first.
_SEVERAL = frozenset(
    {
        RefOp.EACH,
        RefOp.EACH_OPPONENT,
        RefOp.EACH_PLAYER,
        RefOp.TARGETS,
        RefOp.ALL_TARGETS,
        RefOp.TOP_CARDS,
        RefOp.BLOCKERS_OF,
        RefOp.ATTACHED_TO,
    }
)
#: References to the event that triggered the ability.
EVENT_REFS = frozenset({RefOp.EVENT_OBJECT, RefOp.EVENT_OTHER, RefOp.EVENT_CARD, RefOp.EVENT_PLAYER})

#: More target specifications than any card needs.
MAX_TARGETS = 8
#: Numbers of links and of objects paid are smaller than this.
MAX_LINKS = 16


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference node.

    Attributes:
        op: its kind.
        args: its operands, as the signature of `op` says.
    """

    op: RefOp
    args: tuple[object, ...] = ()

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


def targets(index: int) -> Ref:
    """Return the reference to all targets of target specification `index`: "up to two target creatures".

    Raises:
        TypeError, ValueError: `index` is not a number from 0 to 7.
    """
    return Ref(RefOp.TARGETS, target(index).args)


def _numbered(op: RefOp, word: str, k: int) -> Ref:
    if not 0 <= number(k, word) < MAX_LINKS:
        raise ValueError(f"{word}: {k} is not from 0 to {MAX_LINKS - 1}")
    return Ref(op, (k,))


def paid(k: int = 0) -> Ref:
    """Return the reference to object number `k` paid as a cost: "the sacrificed creature" (CR 608.2h).

    Raises:
        TypeError, ValueError: `k` is not a small number.
    """
    return _numbered(RefOp.PAID, "paid", k)


def other_opponent(k: int) -> Ref:
    """Return the reference to opponent number `k`, from 1, in turn order, other than the defending player (CR 702.116);
    nobody if there are fewer.

    Raises:
        TypeError, ValueError: `k` is not a small number.
    """
    return _numbered(RefOp.OTHER_OPPONENT, "other_opponent", k)


def linked(k: int = 0) -> Ref:
    """Return the reference to the objects linked to the source by number `k`: "the exiled card" (CR 607.2).

    Raises:
        TypeError, ValueError: `k` is not a small number.
    """
    return _numbered(RefOp.LINKED, "linked", k)


def static_linked(k: int = 0) -> Ref:
    """Return the reference to the linked object as a static ability sees it (CR 604.7, 607.2).

    Raises:
        TypeError, ValueError: `k` is not a small number.
    """
    return _numbered(RefOp.STATIC_LINKED, "static_linked", k)


def blockers_of(of: Ref) -> Ref:
    """Return the reference to the creatures that block `of` (CR 509.1)."""
    return Ref(RefOp.BLOCKERS_OF, (reference(of, "blockers_of", one=True, kind=Kind.OBJECT),))


def attached_to(to: Ref, what: Filter) -> Ref:
    """Return the reference to what is attached to `to` and passes `what` (CR 301.5, 303.4)."""
    host = reference(to, "attached_to", one=True, kind=Kind.OBJECT)
    return Ref(RefOp.ATTACHED_TO, (host, filter_of_objects(what, "attached_to")))


def top_cards(of: Ref, amount: ValueLike = 1) -> Ref:
    """Return the reference to the top `amount` cards of the libraries of players (CR 401), from the top."""
    from .values import value

    return Ref(RefOp.TOP_CARDS, (reference(of, "top_cards", kind=Kind.PLAYER), value(amount, "top_cards")))


def top_of_graveyard(of: Ref, what: Filter) -> Ref:
    """Return the reference to the newest card of a player's graveyard that passes `what` (CR 404.2)."""
    whose = reference(of, "top_of_graveyard", one=True, kind=Kind.PLAYER)
    return Ref(RefOp.GRAVEYARD_TOP, (whose, filter_of_objects(what, "top_of_graveyard")))


def each(objects: Filter) -> Ref:
    """Return the reference to every object on the battlefield that passes `objects`.

    Raises:
        TypeError: `objects` is not a filter of objects.
    """
    return Ref(RefOp.EACH, (filter_of_objects(objects, "each"),))


def controller_of(of: Ref) -> Ref:
    """Return the reference to the controller of object `of` (CR 109.4); of a target that is a player, that player."""
    return Ref(RefOp.CONTROLLER_OF, (reference(of, "controller_of", one=True),))


def owner_of(of: Ref) -> Ref:
    """Return the reference to the owner of object `of` (CR 108.3)."""
    return Ref(RefOp.OWNER_OF, (reference(of, "owner_of", one=True, kind=Kind.OBJECT),))


#: The spell itself, or the source of the ability (CR 113.7).
source = Ref(RefOp.SOURCE)
#: The source while it is there, else the card that it became where it went: "return this card" (CR 400.7).
source_card = Ref(RefOp.SOURCE_CARD)
#: All targets of all entries, which are objects.
all_targets = Ref(RefOp.ALL_TARGETS)
#: The controller of the spell or ability.
you = Ref(RefOp.YOU)
each_opponent = Ref(RefOp.EACH_OPPONENT)
each_player = Ref(RefOp.EACH_PLAYER)
#: Object of the event that triggered the ability; the other object (what was damaged, blocked, targeting); what the
#: object became where it went (CR 400.7e); the player.
event_object = Ref(RefOp.EVENT_OBJECT)
event_other = Ref(RefOp.EVENT_OTHER)
event_card = Ref(RefOp.EVENT_CARD)
event_player = Ref(RefOp.EVENT_PLAYER)
#: What the source is, or was, attached to.
host = Ref(RefOp.HOST)
#: What the last instruction that moves objects moved, where it is now (CR 400.7j).
moved = Ref(RefOp.MOVED)
#: What was chosen while resolving (CR 608.2d).
picked = Ref(RefOp.PICKED)
active_player = Ref(RefOp.ACTIVE_PLAYER)
#: The player whom the source attacks, or attacked (CR 506.2).
defending_player = Ref(RefOp.DEFENDING_PLAYER)
#: The player chosen for the source (CR 607.2d).
chosen_player = Ref(RefOp.CHOSEN_PLAYER)
#: The player that the source is attached to (CR 702.5d).
host_player = Ref(RefOp.HOST_PLAYER)
#: The object that a filter or a static ability is asked about.
it = Ref(RefOp.IT)
