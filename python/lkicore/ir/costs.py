"""Costs: what an ability, a spell or an effect asks to pay, mana and other things (CR 118, 602.1a)."""

from __future__ import annotations

from dataclasses import dataclass

from lkicore.opcodes import CostFlag, CostOp, ValueOp

from .filters import Filter, creature, everything, filter_of_objects
from .mana import NO_MANA, ManaCost
from .operands import Signature, Sort, covers, number
from .values import Value, ValueLike, counter_name, value

NO_FLAGS = CostFlag(0)
#: Words of costs that are flags.
FLAG_WORDS = {"{T}": CostFlag.TAP, "{Q}": CostFlag.UNTAP, "sacrifice": CostFlag.SACRIFICE, "x_not_0": CostFlag.SOME_X}
covers(CostFlag, {f: w for w, f in FLAG_WORDS.items()}, "words of costs")

_CARDS: Signature = (("what", Sort.FILTER), ("n", Sort.NUMBER))
_COUNTERS: Signature = (("kind", Sort.COUNTER), ("n", Sort.NUMBER))

COST_SIGNATURES: dict[CostOp, Signature] = {
    CostOp.LIFE: (("amount", Sort.VALUE),),
    CostOp.SACRIFICE: _CARDS,
    CostOp.DISCARD: _CARDS,
    CostOp.EXILE_GRAVEYARD: _CARDS,
    CostOp.EXILE_HAND: _CARDS,
    CostOp.REMOVE_COUNTERS: _COUNTERS,
    CostOp.TAP_CREATURES: _CARDS,
    CostOp.RETURN: _CARDS,
    CostOp.PUT_COUNTERS: _COUNTERS,
    CostOp.EXILE_SELF: (),
    CostOp.DISCARD_SELF: (),
    CostOp.DISCARD_HAND: (),
    CostOp.MILL: (("n", Sort.NUMBER),),
    CostOp.REVEAL: _CARDS,
    CostOp.CREW: _CARDS,
    CostOp.PLAYER_COUNTERS: (("kind", Sort.COUNTER), ("n", Sort.VALUE)),
}
covers(CostOp, COST_SIGNATURES, "signatures of costs")

#: Costs that are paid with objects, which `paid` refers to.
OBJECT_COSTS = frozenset(
    {
        CostOp.SACRIFICE,
        CostOp.DISCARD,
        CostOp.EXILE_GRAVEYARD,
        CostOp.EXILE_HAND,
        CostOp.TAP_CREATURES,
        CostOp.RETURN,
        CostOp.EXILE_SELF,
        CostOp.DISCARD_SELF,
        CostOp.REVEAL,
    }
)
#: The most objects that one part of a cost asks for.
MAX_NUMBER = 99
#: Number of a part of a cost that asks for X.
X_OF_THEM = -1


@dataclass(frozen=True, slots=True)
class CostPart:
    """A part of a cost that is no mana (CR 118).

    Attributes:
        op: what is paid.
        args: its operands, as the signature of `op` says.
    """

    op: CostOp
    args: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost (CR 118.1).

    Attributes:
        mana: its mana cost.
        flags: what is done to the permanent itself: tap, untap, sacrifice.
        parts: what is paid besides.
    """

    mana: ManaCost = NO_MANA
    flags: CostFlag = NO_FLAGS
    parts: tuple[CostPart, ...] = ()

    def __str__(self) -> str:
        from .words import cost_notation

        return cost_notation(self)

    @property
    def paid_objects(self) -> int:
        """How many objects are paid: those that ``paid(k)`` can refer to."""
        found = int(CostFlag.SACRIFICE in self.flags)
        for part in self.parts:
            if part.op in OBJECT_COSTS:
                numbers = [a for a in part.args if isinstance(a, int)]
                found += numbers[0] if numbers else 1
        return found

    @property
    def has_x(self) -> bool:
        """Whether X is chosen for it (CR 601.2b): for {X}, or for X counters."""
        return self.mana.n_x > 0 or any(p.op is CostOp.REMOVE_COUNTERS and p.args[1] == X_OF_THEM for p in self.parts)


@dataclass(frozen=True, slots=True)
class OptionalCost:
    """A cost that may be paid besides, on casting: kicker and the like (CR 601.2b, 702.33).

    Attributes:
        cost: what is paid.
        several: it may be paid any number of times (multikicker).
        kicker: it is a kicker cost: what it is paid for was kicked (CR 702.33d).
        returns: if it was paid, the spell goes to its owner's hand as it resolves (buyback, CR 702.27).
        promise: a gift is promised to an opponent, whom ``chosen_player`` means (CR 702.174).
    """

    cost: Cost
    several: bool = False
    kicker: bool = True
    returns: bool = False
    promise: bool = False

    def __post_init__(self) -> None:
        if self.cost.flags or self.cost.mana.n_x:
            raise ValueError("an optional cost has neither {T}, {Q}, a sacrifice of the spell itself nor {X} here")


def _several(n: int, what: str) -> int:
    if not 1 <= number(n, what) <= MAX_NUMBER:
        raise ValueError(f"{what}: {n} is not from 1 to {MAX_NUMBER}")
    return n


def _cards(op: CostOp, word: str, what: Filter, n: int) -> CostPart:
    return CostPart(op, (filter_of_objects(what, word), _several(n, word)))


def pay_life(amount: ValueLike) -> CostPart:
    """Pay `amount` life (CR 119.4)."""
    return CostPart(CostOp.LIFE, (value(amount, "pay_life"),))


def sacrifice(what: Filter, n: int = 1) -> CostPart:
    """Sacrifice `n` permanents that pass `what` (CR 701.21)."""
    return _cards(CostOp.SACRIFICE, "sacrifice", what, n)


def discard(n: int, what: Filter = everything) -> CostPart:
    """Discard `n` cards that pass `what` (CR 701.9)."""
    return _cards(CostOp.DISCARD, "discard", what, n)


def exile_from_graveyard(what: Filter, n: int = 1) -> CostPart:
    """Exile `n` cards that pass `what` from your graveyard."""
    return _cards(CostOp.EXILE_GRAVEYARD, "exile_from_graveyard", what, n)


def exile_from_hand(what: Filter, n: int = 1) -> CostPart:
    """Exile `n` cards that pass `what` from your hand."""
    return _cards(CostOp.EXILE_HAND, "exile_from_hand", what, n)


def remove(n: int | Value, kind: str) -> CostPart:
    """Remove `n` counters called `kind` from the source (CR 122); `x` of them, as many as the player chooses."""
    if isinstance(n, Value) and n.op is ValueOp.X:
        return CostPart(CostOp.REMOVE_COUNTERS, (counter_name(kind, "remove"), X_OF_THEM))
    if isinstance(n, Value):
        raise ValueError("remove: a number or x is wanted")
    return CostPart(CostOp.REMOVE_COUNTERS, (counter_name(kind, "remove"), _several(n, "remove")))


def put(n: int, kind: str) -> CostPart:
    """Put `n` counters called `kind` on the source (CR 122)."""
    return CostPart(CostOp.PUT_COUNTERS, (counter_name(kind, "put"), _several(n, "put")))


def loyalty(n: int | None) -> Cost:
    """The cost of a loyalty ability (CR 606.4): `n` loyalty counters are put on it, -n removed; None: X removed."""
    kind = counter_name("loyalty", "loyalty")
    if n is None:
        return Cost(parts=(CostPart(CostOp.REMOVE_COUNTERS, (kind, X_OF_THEM)),))
    if n == 0:
        return Cost()
    return Cost(parts=(put(n, "loyalty") if n > 0 else remove(-n, "loyalty"),))


def tap(what: Filter, n: int = 1) -> CostPart:
    """Tap `n` untapped permanents that pass `what` (CR 701.26)."""
    return _cards(CostOp.TAP_CREATURES, "tap", what, n)


def return_(what: Filter, n: int = 1) -> CostPart:
    """Return `n` permanents that pass `what` to their owner's hand."""
    return _cards(CostOp.RETURN, "return", what, n)


def crew(n: int, what: Filter = creature) -> CostPart:
    """Tap any number of untapped permanents that pass `what` with total power `n` or more (CR 702.122)."""
    return _cards(CostOp.CREW, "crew", what, n)


def mill(n: int) -> CostPart:
    """Mill `n` cards (CR 701.17)."""
    return CostPart(CostOp.MILL, (_several(n, "mill"),))


def reveal(what: Filter, n: int = 1) -> CostPart:
    """Reveal `n` cards of your hand that pass `what` (CR 701.20)."""
    return _cards(CostOp.REVEAL, "reveal", what, n)


exile_this = CostPart(CostOp.EXILE_SELF)
discard_this = CostPart(CostOp.DISCARD_SELF)
discard_hand = CostPart(CostOp.DISCARD_HAND)


def pay_counters(n: ValueLike, kind: str) -> CostPart:
    """Remove `n` counters called `kind` from yourself: ``pay_counters(2, "energy")`` (CR 107.14)."""
    return CostPart(CostOp.PLAYER_COUNTERS, (counter_name(kind, "pay_counters"), value(n, "pay_counters")))
