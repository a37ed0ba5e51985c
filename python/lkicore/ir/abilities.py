"""Abilities of every kind (CR 113.3), with their targets (CR 115), modes (CR 700.2) and conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from lkicore.opcodes import (
    AbilityKind,
    ChangeOp,
    Color,
    CostFlag,
    EnterOp,
    EventKind,
    FilterOp,
    ReplaceOp,
    RuleOp,
    RuleWhom,
    Timing,
    TriggerFlag,
    Zone,
)

from .changes import PLAYER_CHANGES, Change, Enter, changes_of
from .costs import Cost
from .filters import Filter, creature, filter_of_objects, filter_of_players, this, zones_of
from .flow import Instruction, instructions_of
from .mana import MADE_KIND, mana_produced
from .operands import covers, describe
from .references import MAX_TARGETS
from .target_specs import TargetSpec
from .triggers import NO_TRIGGER_FLAGS, Event
from .values import Value
from .ways import CastingAbility

#: The last chapter that a Saga can have.
MAX_CHAPTERS = 16
#: The most modes of an ability.
MAX_MODES = 16
#: The most modes that cost something, and the most parts of such a cost that are no mana.
MAX_COSTLY_MODES, MAX_MODE_PARTS = 14, 4
NO_TIMING = Timing(0)
#: When a loyalty ability can be activated (CR 606.3).
LOYALTY_TIMING = Timing.SORCERY | Timing.LOYALTY


@dataclass(frozen=True, slots=True)
class Modes:
    """The modes of a spell or ability, and how many are chosen (CR 700.2).

    Attributes:
        modes: the modes, each with targets and effects of its own.
        least: the fewest that are chosen.
        most: the most.
        beyond: what each mode beyond the first costs besides (escalate, CR 702.120), or None.
    """

    modes: tuple[SpellAbility, ...]
    least: int = 1
    most: int = 1
    beyond: Cost | None = None

    def __post_init__(self) -> None:
        if not 2 <= len(self.modes) <= MAX_MODES:
            raise ValueError(f"{len(self.modes)} modes; 2 to {MAX_MODES} are supported")
        if not 0 <= self.least <= self.most <= len(self.modes) or not self.most:
            raise ValueError(f"{self.least} to {self.most} of {len(self.modes)} modes cannot be chosen")
        if any(mode.modes is not None for mode in self.modes):
            raise ValueError("a mode with modes of its own")
        for price in self.costs:
            if price.flags or price.mana.n_x or price.mana.hybrid or len(price.parts) > MAX_MODE_PARTS:
                raise ValueError("a mode costs mana without {X} and hybrid symbols, and a few other parts")
        if self.costs and (self.least > 1 or self.most > MAX_COSTLY_MODES):
            raise ValueError(f"modes that cost something: one or more of at most {MAX_COSTLY_MODES} are chosen")

    @property
    def costs(self) -> tuple[Cost, ...]:
        """What choosing them costs: that of each mode, that of each beyond the first."""
        found = [mode.cost for mode in self.modes] + [self.beyond]
        return tuple(price for price in found if price is not None)


def _check_parts(targets: tuple[TargetSpec, ...], effects: tuple[Instruction, ...], modes: Modes | None) -> None:
    if len(targets) > MAX_TARGETS:
        raise ValueError(f"{len(targets)} targets; at most {MAX_TARGETS} are supported")
    for spec in targets:
        if not isinstance(spec, TargetSpec):
            raise TypeError(f"a target specification is wanted, not {describe(spec)}")
    instructions_of(effects, "do")
    if modes is not None and (effects or targets):
        raise ValueError("an ability with modes has its targets and effects in them")
    if modes is None and not effects:
        raise ValueError("an ability without an effect")


@dataclass(frozen=True, slots=True)
class SpellAbility:
    """What an instant or sorcery does (CR 113.3a), one of its modes, or what an Aura spell targets (CR 303.4a).

    Attributes:
        effects: what happens, in order.
        targets: its targets; target(n) is the n-th.
        modes: its modes, instead of effects and targets.
        enchants: it is that of an Aura: it has one target and no effect.
        cost: of a mode: what choosing it costs besides (CR 700.2h), or None.
    """

    effects: tuple[Instruction, ...] = ()
    targets: tuple[TargetSpec, ...] = ()
    modes: Modes | None = None
    enchants: bool = False
    cost: Cost | None = None

    def __post_init__(self) -> None:
        if self.enchants:
            if self.effects or self.modes is not None or len(self.targets) != 1 or self.targets[0].several:
                raise ValueError("an Aura spell has one target and no effect (CR 303.4a)")
        else:
            _check_parts(self.targets, self.effects, self.modes)


@dataclass(frozen=True, slots=True)
class ActivatedAbility:
    """An activated ability that uses the stack (CR 602).

    Attributes:
        cost: what activating costs.
        effects: what happens, in order.
        targets: its targets; target(n) is the n-th.
        modes: its modes, instead of effects and targets.
        condition: "activate only if ..." (CR 602.5b), or None.
        timing: when it can be activated.
        zone: where it works: the battlefield, the graveyard or the hand.
        keyword: text of the keyword ability that it comes from; no part of its identity.
    """

    cost: Cost
    effects: tuple[Instruction, ...] = ()
    targets: tuple[TargetSpec, ...] = ()
    modes: Modes | None = None
    condition: Value | None = None
    timing: Timing = NO_TIMING
    zone: Zone = Zone.BATTLEFIELD
    keyword: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        _check_parts(self.targets, self.effects, self.modes)
        if self.zone in (Zone.NONE, Zone.LIBRARY, Zone.STACK, Zone.PHASED_OUT):
            raise ValueError(f"an ability cannot be activated from {self.zone.name.lower()}")


@dataclass(frozen=True, slots=True)
class ManaAbility:
    """An activated mana ability (CR 605.1a).

    Attributes:
        cost: what activating costs.
        colors: kinds of mana, of which the player chooses one.
        amount: how much of it.
        effects: what it does, if that is more than adding so much mana of one kind: it adds mana, and may do more.
        condition: "activate only if ...", or None.
        keyword: text of the keyword ability that it comes from; no part of its identity.
    """

    cost: Cost
    colors: Color
    amount: int = 1
    effects: tuple[Instruction, ...] = ()
    condition: Value | None = None
    keyword: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.colors or self.colors == MADE_KIND:
            raise ValueError("a mana ability that adds no kind of mana")
        if not 1 <= self.amount <= 99:
            raise ValueError(f"a mana ability that adds {self.amount} mana")
        instructions_of(self.effects, "mana")
        if self.condition is not None and not self.effects:
            raise ValueError("a mana ability with a condition says in effects what it makes")
        if self.cost.mana.n_x:
            raise ValueError("{X} in the cost of a mana ability is not supported")


@dataclass(frozen=True, slots=True)
class TriggeredAbility:
    """A triggered ability (CR 603).

    Attributes:
        event: what it triggers on.
        effects: what happens, in order.
        targets: its targets; target(n) is the n-th.
        modes: its modes, instead of effects and targets.
        condition: its intervening "if" (CR 603.4), or None.
        zone: where it works, or None: on the battlefield; if it triggers on casting its own spell, on the stack.
        once: it triggers only once each turn.
        chapters: it is a chapter ability of these chapters (CR 714.2).
        again: a static ability: what the event triggers of its controller's permanents triggers once more (603.2d).
        keyword: text of the keyword ability that it comes from; no part of its identity.
    """

    event: Event
    effects: tuple[Instruction, ...] = ()
    targets: tuple[TargetSpec, ...] = ()
    modes: Modes | None = None
    condition: Value | None = None
    zone: Zone | None = None
    once: bool = False
    keyword: str = field(default="", compare=False)
    chapters: tuple[int, ...] = ()
    again: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.event, Event):
            raise TypeError(f"an event such as enters(this) is wanted, not {describe(self.event)}")
        if self.chapters and not all(1 <= n <= MAX_CHAPTERS for n in self.chapters):
            raise ValueError(f"chapters are numbered from 1 to {MAX_CHAPTERS}")
        if self.again:
            if self.effects or self.targets or self.modes is not None or self.once:
                raise ValueError("what makes abilities trigger again does nothing else")
            return
        _check_parts(self.targets, self.effects, self.modes)

    @property
    def works_in(self) -> Zone:
        """The zone in which it works (CR 113.6)."""
        if self.zone is not None:
            return self.zone
        own_spell = self.event.kind is EventKind.CAST and self.event.about_itself
        return Zone.STACK if own_spell else Zone.BATTLEFIELD


@dataclass(frozen=True, slots=True)
class StaticAbility:
    """A static ability with a continuous effect (CR 604, 611.3).

    Attributes:
        changes: what it changes, in the order of the layers.
        affects: the objects that it changes.
        condition: "as long as ...", or None.
        zone: where it works.
        keyword: text of the keyword ability that it comes from; no part of its identity.
    """

    changes: tuple[Change, ...]
    affects: Filter = this
    condition: Value | None = None
    zone: Zone = Zone.BATTLEFIELD
    keyword: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.changes != changes_of(self.changes, "static"):
            raise ValueError("static: changes stand in the order of their layers")
        if self.of_players:
            filter_of_players(self.affects, "affects")
            if any(c.op not in PLAYER_CHANGES for c in self.changes):
                raise ValueError("static: one ability changes either objects or players")
            return
        filter_of_objects(self.affects, "affects")
        zones = self.affected_zones
        if not zones:
            raise ValueError("static: what it affects is in no zone")
        if zones != {Zone.BATTLEFIELD} and any(c.op is ChangeOp.CONTROL for c in self.changes):
            raise ValueError("static: only permanents can be controlled")

    @property
    def of_players(self) -> bool:
        """Whether it says something of players (CR 613.10-11)."""
        return any(c.op in PLAYER_CHANGES for c in self.changes)

    @property
    def affected_zones(self) -> frozenset[Zone]:
        """The zones of the objects that it affects: the battlefield, if its filter names none (CR 113.6)."""
        if self.of_players:
            return frozenset()
        if self.affects.op is FilterOp.SOURCE:
            return frozenset({self.zone})
        return zones_of(self.affects) or frozenset({Zone.BATTLEFIELD})


#: Replacements of a number of something, and of what can happen to players.
WITH_AMOUNT = frozenset(
    {
        *(ReplaceOp.COUNTERS, ReplaceOp.TOKENS, ReplaceOp.DAMAGE, ReplaceOp.LIFE_GAIN, ReplaceOp.LIFE_LOSS),
        *(ReplaceOp.DRAWS, ReplaceOp.MILL, ReplaceOp.SCRY, ReplaceOp.PROLIFERATE),
    }
)
#: Those that may prevent only so much.
PREVENTING = frozenset({ReplaceOp.PREVENT_TO, ReplaceOp.PREVENT_BY})
#: Those that send an object elsewhere than to a graveyard.
SENDING = frozenset({ReplaceOp.DIES_EXILE, ReplaceOp.GRAVEYARD_EXILE})
#: Those whose effects follow on them at once, or are what happens instead (CR 614.6, 615.5).
FOLLOWED = PREVENTING | SENDING | WITH_AMOUNT | {ReplaceOp.DRAW}
OF_PLAYERS = WITH_AMOUNT | {ReplaceOp.DRAW, ReplaceOp.REDIRECT, ReplaceOp.PREVENT_TO}
#: Ways of replacing a draw: it is skipped, the controller of the ability draws instead, dredge (CR 614.10, 702.52), the
#: effects of the ability happen.
SKIPPED, GIVEN, DREDGE, OTHERWISE = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class ReplacementAbility:
    """A static ability that replaces or prevents something (CR 614, 615).

    Attributes:
        replaces: what it replaces.
        affects: the objects of which it does.
        enters: ENTERS: how they enter.
        condition: when it does, or None.
        flags: PREVENT_TO, PREVENT_BY, DAMAGE: which damage; none: all. DRAW: NOT_FIRST.
        zone: where it works.
        amount: what number there is instead of `event_amount`; DRAW: of dredge.
        who: the players of whom it replaces something, or None.
        by: DAMAGE, REDIRECT: the sources of the damage, or None: any.
        counter: COUNTERS: of this kind, or any if empty.
        way: DRAW: 0 skipped, 1 you draw, 2 dredge, 3 the effects; REDIRECT: 0 to this, 1 to what this is attached to.
        keyword: text of the keyword ability that it comes from; no part of its identity.
        effects: what happens besides (CR 615.5), or instead (614.6).
        to: where the object goes instead: exile, if it is None.
    """

    replaces: ReplaceOp
    affects: Filter | None = this
    enters: tuple[Enter, ...] = ()
    condition: Value | None = None
    flags: TriggerFlag = NO_TRIGGER_FLAGS
    zone: Zone = Zone.BATTLEFIELD
    amount: Value | None = None
    who: Filter | None = None
    by: Filter | None = None
    counter: str = ""
    way: int = 0
    keyword: str = field(default="", compare=False)
    effects: tuple[Instruction, ...] = ()
    to: Zone | None = None

    def __post_init__(self) -> None:
        instructions_of(self.effects, "do")
        if self.effects and self.replaces not in FOLLOWED:
            raise ValueError("do: nothing follows on such a replacement")
        if (self.way == OTHERWISE and self.replaces is ReplaceOp.DRAW) and not self.effects:
            raise ValueError("do: what happens instead of the draw is missing")
        if self.to is not None and (self.replaces not in SENDING or self.to in (Zone.BATTLEFIELD, Zone.STACK)):
            raise ValueError(
                "to: where something goes instead is said where it would go to a graveyard, and only there"
            )
        if self.affects is not None:
            filter_of_objects(self.affects, "affects")
        elif self.replaces not in OF_PLAYERS:
            raise ValueError("affects: what it replaces something of is missing")
        if self.who is not None and self.replaces not in OF_PLAYERS:
            raise ValueError("who: it replaces nothing of players")
        drawn = self.replaces is ReplaceOp.DRAW and self.way == DREDGE
        if (self.amount is not None) is not (self.replaces in WITH_AMOUNT or drawn) and self.replaces not in PREVENTING:
            raise ValueError("amount: how much there is instead is said where a number is replaced, and only there")
        for way in self.enters:
            if not isinstance(way, Enter):
                raise TypeError(f'enters: tapped or counters(1, "+1/+1") is wanted, not {describe(way)}')
        if bool(self.enters) is not (self.replaces in (ReplaceOp.ENTERS, ReplaceOp.COPY, ReplaceOp.TURNED_UP)):
            raise ValueError("enters: how something enters is said where it enters, and only there")
        copies = sum(way.op is EnterOp.COPY for way in self.enters)
        if copies and (self.replaces is not ReplaceOp.COPY or len(self.enters) > 1 or self.affects != this):
            raise ValueError("enters: only the object itself enters as a copy, and nothing else is said beside it")


@dataclass(frozen=True, slots=True)
class OpeningAbility:
    """What its owner may do with the card from the opening hand, before the first turn (CR 103.6).

    Attributes:
        effects: what happens, in order.
        condition: when it can be done, or None: always.
        zone: where the card is: the opening hand, or outside the game.
        keyword: how it is written, if it is a keyword; no part of its identity.
    """

    effects: tuple[Instruction, ...]
    condition: Value | None = None
    zone: Zone = Zone.HAND
    keyword: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.effects:
            raise ValueError("an ability without an effect")
        instructions_of(self.effects, "opening_hand")


@dataclass(frozen=True, slots=True)
class ProtectionAbility:
    """Protection from what passes a filter (CR 702.16).

    Attributes:
        source: what it is protected from.
        keyword: text of the keyword ability; no part of its identity.
    """

    source: Filter
    keyword: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class HexproofAbility:
    """Hexproof from what passes a filter (CR 702.11d).

    Attributes:
        source: what it is hexproof from.
        keyword: text of the keyword ability; no part of its identity.
    """

    source: Filter
    keyword: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class LandwalkAbility:
    """Landwalk (CR 702.14): it can't be blocked while the defending player controls such a land.

    Attributes:
        land: what the land must pass.
        keyword: text of the keyword ability; no part of its identity.
    """

    land: Filter
    keyword: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class EnchantAbility:
    """The enchant ability that something gains as it becomes an Aura (CR 303.4, 702.5).

    Attributes:
        host: the permanents that it can enchant.
        keyword: text of the keyword ability; no part of its identity.
    """

    host: Filter
    keyword: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ToxicAbility:
    """Toxic (CR 702.164).

    Attributes:
        amount: the toxic number.
        keyword: text of the keyword ability; no part of its identity.
    """

    amount: int
    keyword: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class EvasionAbility:
    """A creature can't be blocked by, or can't block, what passes a filter; or it can block more (CR 509.1b).

    Attributes:
        what: the creatures.
        blocking: it can't block them, instead of be blocked by them.
        more: instead of all that: how many additional creatures it can block each combat.
        keyword: how it is written; no part of its identity.
    """

    what: Filter
    blocking: bool = False
    more: int = 0
    keyword: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class RuleAbility:
    """A static ability that changes rules of turns or combat (CR 613.11).

    Attributes:
        rule: what it says.
        affects: the creatures that it speaks of.
        whom: against whom.
        number: what each attacker costs, how many creatures at most, or what is skipped.
        condition: "as long as ...", or None.
        keyword: how it is written, if it is a keyword; no part of its identity.
    """

    rule: RuleOp
    affects: Filter = creature
    whom: RuleWhom = RuleWhom.ANYBODY
    number: Value | int = 0
    condition: Value | None = None
    keyword: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        filter_of_objects(self.affects, "affects")
        if isinstance(self.number, Value) is not (self.rule is RuleOp.ATTACK_TAX):
            raise TypeError("rule: an attack tax is a value, other numbers are whole numbers")


@dataclass(frozen=True, slots=True)
class TurnUpAbility:
    """What a permanent is turned face up for while it is face down (CR 116.2b, 702.37e, 701.40b): a special action.

    Attributes:
        cost: what is paid, or None: the mana cost of what it is face up.
        effects: what happens besides as it is turned face up.
        keyword: text of the keyword ability that it comes from; no part of its identity.
    """

    cost: Cost | None = None
    effects: tuple[Instruction, ...] = ()
    keyword: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.cost is not None and self.cost.flags:
            raise ValueError("a cost for which something is turned face up has neither {T}, {Q} nor a sacrifice of it")


Ability: TypeAlias = (
    "ActivatedAbility | ManaAbility | TriggeredAbility | StaticAbility | ReplacementAbility | ProtectionAbility"
    " | HexproofAbility | ToxicAbility | CastingAbility | LandwalkAbility | EvasionAbility | RuleAbility"
    " | EnchantAbility | OpeningAbility | TurnUpAbility"
)

#: The class of each kind of ability.
ABILITY_KINDS: dict[AbilityKind, type] = {
    AbilityKind.MANA: ManaAbility,
    AbilityKind.ACTIVATED: ActivatedAbility,
    AbilityKind.SPELL: SpellAbility,
    AbilityKind.TRIGGERED: TriggeredAbility,
    AbilityKind.STATIC: StaticAbility,
    AbilityKind.REPLACEMENT: ReplacementAbility,
    AbilityKind.PROTECTION: ProtectionAbility,
    AbilityKind.HEXPROOF_FROM: HexproofAbility,
    AbilityKind.TOXIC: ToxicAbility,
    AbilityKind.CASTING: CastingAbility,
    AbilityKind.LANDWALK: LandwalkAbility,
    AbilityKind.ENCHANT: EnchantAbility,
    AbilityKind.EVASION: EvasionAbility,
    AbilityKind.RULE: RuleAbility,
    AbilityKind.OPENING: OpeningAbility,
    AbilityKind.TURN_UP: TurnUpAbility,
}
covers(AbilityKind, ABILITY_KINDS, "classes of abilities")
#: Abilities that something can have.
ABILITY_CLASSES = tuple(c for k, c in ABILITY_KINDS.items() if k is not AbilityKind.SPELL)


def tap_for(mana: str) -> ManaAbility:
    """Return the mana ability "{T}: add `mana`": ``tap_for("G")``, ``tap_for("{C}{C}")``, ``tap_for("any")``."""
    colors, amount = mana_produced(mana)
    return ManaAbility(Cost(flags=CostFlag.TAP), colors, amount)
