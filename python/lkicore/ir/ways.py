"""Ways of casting (CR 118.9, 601.2b, 601.3), and abilities that are about casting and activating (CR 601.2f, 602.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lkicore.opcodes import CastOp, Color, WayFlag, WayKind, Zone

from .costs import Cost
from .filters import Filter, filter_of_objects, this, yourself
from .mana import NO_MANA
from .values import Value

if TYPE_CHECKING:
    from .abilities import SpellAbility

_FROM = (Zone.HAND, Zone.GRAVEYARD, Zone.EXILE, Zone.LIBRARY, Zone.COMMAND)
NO_FLAGS = WayFlag(0)
NO_KINDS = Color(0)
#: All kinds of mana.
MOST_KINDS = 63


@dataclass(frozen=True, slots=True)
class Way:
    """A way in which a card can be cast or played, besides the usual one.

    Attributes:
        kind: its name.
        cost: what is paid rather than the mana cost; None: the mana cost.
        zones: where the card itself allows it.
        condition: when it can be chosen, or None: always.
        flags: what it means.
        spell: the spell ability that the card has then, or None: its own.
        face: name of the half or face that is cast so, or "": the card as it is.
        also: what is paid besides, no mana, where its mana cost is paid (retrace, CR 702.81).
    """

    kind: WayKind
    cost: Cost | None = None
    zones: tuple[Zone, ...] = (Zone.HAND,)
    condition: Value | None = None
    flags: WayFlag = NO_FLAGS
    spell: SpellAbility | None = None
    face: str = ""
    also: Cost | None = None

    def __post_init__(self) -> None:
        if any(z not in _FROM for z in self.zones):
            raise ValueError("a card is cast from a hand, graveyard, library, from exile or the command zone")
        if self.cost is not None and self.cost.flags:
            raise ValueError("the cost of a way of casting has neither {T}, {Q} nor a sacrifice of the card itself")
        if WayFlag.COST in self.flags:
            raise ValueError("a way that pays another cost says which")
        if self.also is not None and (self.cost is not None or self.also.mana != NO_MANA or self.also.flags):
            raise ValueError("what is paid besides the mana cost is no mana, and no other cost is paid then")

    @property
    def all_flags(self) -> WayFlag:
        """Its flags, with the one that says that its cost is paid."""
        return self.flags | (WayFlag.COST if self.cost is not None else NO_FLAGS)


#: What is played: lands, spells, or both.
PLAYED: dict[str, WayFlag] = {
    "lands": WayFlag.LANDS,
    "spells": WayFlag.SPELLS,
    "cards": WayFlag.LANDS | WayFlag.SPELLS,
}


@dataclass(frozen=True, slots=True)
class CastingAbility:
    """A static ability that says what players may cast, play or activate, and what that costs.

    Attributes:
        says: what it says.
        affects: the cards, spells or permanents that it is about; `this`: the card itself, wherever it is.
        by: the players whom it is about.
        amount: how much more, less, or at least; TAPPED: how much mana there is instead of `event_amount`.
        way: PERMIT: the way in which they can be played.
        zones: PERMIT: from where.
        condition: "as long as ...", or None.
        kinds: TAPPED: the kinds of mana instead, or none: as they are. LESS: the colours of which so much mana each is
            less; where the cost has less of them, the rest is less generic mana (CR 118.7c).
        only_colors: LESS: it reduces coloured mana alone.
        keyword: text of the keyword ability that it comes from; no part of its identity.
    """

    says: CastOp
    affects: Filter = this
    by: Filter = yourself
    amount: Value | None = None
    way: Way | None = None
    zones: tuple[Zone, ...] = ()
    condition: Value | None = None
    kinds: Color = NO_KINDS
    only_colors: bool = False
    keyword: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        filter_of_objects(self.affects, "affects")
        numbers = (CastOp.LESS, CastOp.MORE, CastOp.LEAST, CastOp.TAPPED)
        if self.kinds and (self.says not in (CastOp.TAPPED, CastOp.LESS) or int(self.kinds) > MOST_KINDS):
            raise ValueError("kinds of mana are said where mana is replaced or spells cost less, and only there")
        if self.only_colors and not (self.kinds and self.says is CastOp.LESS):
            raise ValueError("only_colors is said where spells cost less of some colours, and only there")
        if (self.amount is not None) is not (self.says in numbers):
            raise ValueError("how much it costs more or less is said where it does, and only there")
        if (self.way is not None) is not (self.says is CastOp.PERMIT) or bool(self.zones) is not (self.way is not None):
            raise ValueError("a permission says from where and how cards are played, and nothing else does")
