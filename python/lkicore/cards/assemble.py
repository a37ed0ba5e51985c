"""Assembling: faces of the effect language become the plain lists that the core's card table is made of.

Equal nodes, target lists, programs and abilities that aren't a face's own are stored once.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

from lkicore.ir.abilities import (
    ABILITY_CLASSES,
    DREDGE,
    PREVENTING,
    Ability,
    ActivatedAbility,
    EnchantAbility,
    EvasionAbility,
    HexproofAbility,
    LandwalkAbility,
    ManaAbility,
    Modes,
    OpeningAbility,
    ProtectionAbility,
    ReplacementAbility,
    RuleAbility,
    SpellAbility,
    StaticAbility,
    ToxicAbility,
    TriggeredAbility,
    TurnUpAbility,
    tap_for,
)
from lkicore.ir.changes import CHANGE_SIGNATURES, ENTER_SIGNATURES, PLAYER_CHANGES, Change, Enter
from lkicore.ir.costs import COST_SIGNATURES, Cost, OptionalCost, sacrifice
from lkicore.ir.effects import KEEPING, MOVING, PICKING, Effect
from lkicore.ir.face_down import turn_up
from lkicore.ir.faces import BASIC_LAND_TYPES, SORTS
from lkicore.ir.filters import Filter, everything, this
from lkicore.ir.giving import ManaUse, give_mana
from lkicore.ir.keywords import expand, written_out
from lkicore.ir.mana import ANY_COLOR, CHOSEN_KIND, NO_MANA, ManaCost
from lkicore.ir.operands import Sort
from lkicore.ir.references import Ref, source, you
from lkicore.ir.subtypes import OTHER_TYPES
from lkicore.ir.triggers import EventParts
from lkicore.ir.values import Value
from lkicore.ir.values import value as as_value
from lkicore.ir.ways import CastingAbility, Way
from lkicore.ir.words import mana_words
from lkicore.opcodes import (
    AbilityKind,
    CastOp,
    ChangeOp,
    Color,
    CostFlag,
    CostOp,
    Duration,
    EffectOp,
    EnterOp,
    EventKind,
    FilterOp,
    LessFlag,
    ManaFlag,
    ModeFlag,
    MoveFlag,
    RefOp,
    ReplaceOp,
    Timing,
    TriggerFlag,
    TypeBit,
    ValueOp,
    Zone,
)

from .lowering import NOTHING, Assembly, Context, Lowering, Row, as_row
from .programs import INSTRUCTION_WORDS, Label, Line, lines_of, nodes_in
from .reads import reads_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lkicore.ir.faces import Face
    from lkicore.ir.flow import Instruction
    from lkicore.ir.target_specs import TargetSpec

__all__ = ["INSTRUCTION_WORDS", "Assembly", "assemble"]

#: Index of an ability that isn't there.
NO_ABILITY = 0xFFFF
#: In a change of a resolving effect: the numbers bound on resolution (CR 608.2h).
_X, _Y = -1, -2
#: Counters of any kind (`step` of RP_COUNTERS).
_ANY_COUNTER = 0xFF
_EVERYWHERE = sum(1 << z for z in Zone if z not in (Zone.NONE, Zone.PHASED_OUT))
#: What a replaced event has: the object and player that it happens to, the source of damage, how much.
ALL_PARTS = EventParts(object=True, other=True, player=True, amount=True)
_TARGET_REFS = (RefOp.TARGET, RefOp.TARGETS)


def assemble(faces: Sequence[Face]) -> Assembly:
    """Return the lists of a card table that holds `faces`, numbered in their order.

    Raises:
        CardError: a face is not well-typed, refers to a target that it does not have or to an unknown token.
    """
    subtypes = _subtypes(faces)
    made = _Assembler(faces, sorted(subtypes))
    for face in faces:
        made.face(face)
    made.out.subtypes = sorted(subtypes)
    made.out.creature_types = [subtypes[name] for name in made.out.subtypes]
    made.out.land_abilities = [made.land_ability(name) for name in made.out.subtypes]
    return made.out


def text_of(face: Face) -> Iterator[object]:
    """Yield all that stands in a face, with what the keyword abilities that it has or grants stand for."""
    for node in nodes_in((face, face.spell_ability, face.all_abilities, face.optional, face.all_ways), abilities=True):
        yield node
        if isinstance(node, Change) and node.op is ChangeOp.ADD_KEYWORDS:
            with suppress(ValueError):  # what can't be gained is an error where it is assembled, with its place
                yield from nodes_in(written_out((node,)), abilities=True)


def _subtypes(faces: Sequence[Face]) -> dict[str, bool]:
    """Return the subtypes that faces have or ask for, and whether each is a creature type (CR 205.3m)."""
    found: dict[str, bool] = {}
    asked: set[str] = set()
    for face in faces:
        bears = bool(face.types & (TypeBit.CREATURE | TypeBit.KINDRED))
        for name in face.subtypes:
            found[name] = found.get(name, False) or (bears and name not in OTHER_TYPES)
        for node in text_of(face):
            named = isinstance(node, Filter) and node.op is FilterOp.SUBTYPE
            if isinstance(node, Effect) and node.op is EffectOp.CHANGE_TEXT and node.args[-1] is not None:
                asked.add(str(node.args[-1]))
            if named or (isinstance(node, Change) and node.op in (ChangeOp.ADD_SUBTYPE, ChangeOp.SET_SUBTYPE)):
                asked.update(a for a in node.args if isinstance(a, str))  # type: ignore[attr-defined]
    # A type that no face bears is what something becomes or is asked for: mostly a creature type.
    return {name: name not in OTHER_TYPES for name in asked} | found


class _Assembler(Lowering):
    """The state of one assembling."""

    # ---------------------------------------------------------------------------------------------- faces
    def face(self, face: Face) -> None:
        self.current, self.text = face, ""
        cost = face.cost or NO_MANA
        optional = face.optional
        paid = [face.additional] if face.additional else []
        paid += [o.cost for o in optional]
        paid += [w.cost for w in face.all_ways if w.cost is not None]
        base = Context(has_x=cost.n_x > 0, optional=len(optional), paid=sum(c.paid_objects for c in paid))
        spell = NO_ABILITY
        if face.spell_ability is not None:
            with self.within(base):
                spell = self.nested(face.spell_ability)
        ways = [self.way_row(w, base) for w in face.all_ways]
        extra = [self.optional(o, base) for o in optional]
        # What the abilities refer to is lowered before any of them gets its place: a face's own stand together.
        own = [self.own_ability(a, face) for a in face.all_abilities]
        first = len(self.out.abilities)
        self.out.abilities.extend(own)
        self.out.written |= dict(enumerate(face.all_abilities, first))
        self.text = ""
        with self.within(base):
            costs = self.cost_parts(face.additional) if face.additional else (0, 0)
        self.out.faces.append(
            {
                "name": face.name,
                "pips": cost.pips,
                "snow": cost.snow,
                "generic": cost.generic,
                "n_x": cost.n_x,
                "hybrid": self.hybrids(cost),
                "has_cost": face.cost is not None and face.castable,
                "types": int(face.types),
                "colors": int(face.real_colors),
                "power": face.power or 0,
                "toughness": face.toughness or 0,
                "keywords": int(face.marks),
                "spell": spell,
                "abilities": (first, len(own)),
                "subtypes": [self.subtypes[s] for s in face.subtypes],
                "costs": costs,
                "optional": self.stretch("optional", extra),
                "ways": self.stretch("ways", ways),
                "token": face.token,
                "sort": SORTS.index(face.sort),
                "layout": int(face.layout),
                "back": face.back,
                "other": self.other(face),
                "test_only": face.test_only,
                "asks_spent": any(
                    isinstance(n, Value) and n.op is ValueOp.MANA_SPENT
                    for n in nodes_in((face.spell_ability, face.all_abilities), abilities=True)
                ),
            }
        )

    def other(self, face: Face) -> int:
        """Return the number of the other face of its card."""
        if not face.other:
            return NO_ABILITY
        if face.other not in self.numbers:
            raise self.error(f"its other face, {face.other!r}, is missing")
        return self.numbers[face.other]

    @contextmanager
    def within(self, context: Context) -> Iterator[Context]:
        """Lower with `context` for a while."""
        before, text = self.context, self.text
        self.context = replace(context)
        try:
            yield self.context
        finally:
            self.context, self.text = before, text

    def hybrids(self, cost: ManaCost) -> tuple[int, int]:
        return self.stretch("hybrids", cost.hybrid)

    def optional(self, optional: OptionalCost, context: Context) -> dict[str, Any]:
        cost = optional.cost
        with self.within(context):
            self.text = cost
            if cost.mana.hybrid:
                raise self.error("an optional cost with hybrid symbols is not supported")
            return {
                "pips": cost.mana.pips,
                "snow": cost.mana.snow,
                "generic": cost.mana.generic,
                "hybrid": self.hybrids(cost.mana),
                "costs": self.cost_parts(cost),
                "several": optional.several,
                "kicker": optional.kicker,
                "returns": optional.returns,
                "promise": optional.promise,
            }

    def mana_use(self, use: object) -> int:
        assert isinstance(use, ManaUse)
        with self.within(Context()):
            made = self.row(AbilityKind.SPELL)
            made["filter"] = -1 if use.what == everything else self.filter(use.what)
            marks = ((ManaFlag.SURE, use.sure), (ManaFlag.STAYS, use.stays), (ManaFlag.BESIDES, use.besides))
            made["flags"] = sum(int(bit) for bit, wanted in marks if wanted)
            return self.stretch("abilities", [made])[0]

    def way(self, way: Way) -> int:
        return self.stretch("ways", [self.way_row(way, Context())])[0]

    def way_row(self, way: Way, context: Context) -> dict[str, Any]:
        """Return the row of a way of casting."""
        price = way.cost or way.also or Cost()
        with self.within(replace(context, has_x=context.has_x or price.mana.n_x > 0)):
            self.text = price
            spell = NO_ABILITY if way.spell is None else self.nested(way.spell)
            if way.face and way.face not in self.numbers:
                raise self.error(f"no card of the pool is called {way.face!r}")
            return {
                "kind": int(way.kind),
                "pips": price.mana.pips,
                "snow": price.mana.snow,
                "generic": price.mana.generic,
                "n_x": price.mana.n_x,
                "hybrid": self.hybrids(price.mana),
                "costs": self.cost_parts(price),
                "condition": self.condition(way.condition),
                "zones": sum(1 << z for z in way.zones),
                "flags": int(way.all_flags),
                "spell": spell,
                "face": self.numbers[way.face] if way.face else NO_ABILITY,
            }

    # ------------------------------------------------------------------------------------------ abilities
    def own_ability(self, ability: Ability, face: Face) -> dict[str, Any]:
        """Return the row of an ability that `face` has by itself."""
        # X of the spell is known while the permanent enters (CR 107.3m); to other abilities it is 0.
        entering = isinstance(ability, ReplacementAbility) and ability.replaces is ReplaceOp.ENTERS
        has_x = entering and face.cost is not None and face.cost.n_x > 0
        context = Context(has_x=has_x, optional=len(face.optional))
        if isinstance(ability, CastingAbility) and ability.affects == this and face.spell_ability is not None:
            # What the spell costs may depend on its targets (CR 601.2f).
            context.specs = face.spell_ability.targets
        elif isinstance(ability, TriggeredAbility) and (
            ability.works_in is Zone.STACK or (ability.event.kind is EventKind.ENTERS and ability.event.about_itself)
        ):
            context.has_x = face.cost is not None and face.cost.n_x > 0  # CR 107.3i, 107.3m
        elif isinstance(ability, TriggeredAbility) and ability.event.kind is EventKind.TURNED_UP:
            context.has_x = any(  # CR 702.37f
                isinstance(a, TurnUpAbility) and a.cost is not None and a.cost.has_x for a in face.all_abilities
            )
        with self.within(context):
            return self.ability(ability)

    def nested(self, ability: Ability | SpellAbility) -> int:
        """Return the index of an ability that isn't a face's own; equal ones are stored once."""
        number = self.stretch("abilities", [self.ability(ability)])[0]
        self.out.written.setdefault(number, ability)
        return number

    def ability(self, ability: Ability | SpellAbility) -> dict[str, Any]:
        """Return the row of `ability`."""
        if isinstance(ability, SpellAbility):
            return self.spell(ability)
        if isinstance(ability, ManaAbility):
            return self.mana_ability(ability)
        if isinstance(ability, ActivatedAbility):
            return self.activated(ability)
        if isinstance(ability, TriggeredAbility):
            return self.triggered(ability)
        if isinstance(ability, StaticAbility):
            return self.static(ability)
        if isinstance(ability, ReplacementAbility):
            return self.replacement(ability)
        if isinstance(ability, CastingAbility):
            return self.casting(ability)
        if isinstance(ability, ToxicAbility):
            return self.row(AbilityKind.TOXIC) | {"amount": ability.amount}
        if isinstance(ability, EnchantAbility):
            self.text = ability.host
            return self.row(AbilityKind.ENCHANT) | {"filter": self.filter(ability.host)}
        if isinstance(ability, LandwalkAbility):
            self.text = ability.land
            return self.row(AbilityKind.LANDWALK) | {"filter": self.filter(ability.land)}
        if isinstance(ability, EvasionAbility):
            self.text = ability.what
            return self.row(AbilityKind.EVASION) | {
                "filter": self.filter(ability.what),
                "amount": 2 + ability.more if ability.more else int(ability.blocking),
            }
        if isinstance(ability, RuleAbility):
            return self.rule(ability)
        if isinstance(ability, OpeningAbility):
            made = self.row(AbilityKind.OPENING) | {"condition": self.condition(ability.condition)}
            return made | {"program": self.program(ability.effects), "zones": 1 << ability.zone}
        if isinstance(ability, TurnUpAbility):
            return self.turn_up(ability)
        kind = AbilityKind.PROTECTION if isinstance(ability, ProtectionAbility) else AbilityKind.HEXPROOF_FROM
        assert isinstance(ability, ProtectionAbility | HexproofAbility)
        self.text = ability.source
        return self.row(kind) | {"filter": self.filter(ability.source)}

    def spell(self, ability: SpellAbility) -> dict[str, Any]:
        """Return the row of a spell ability or mode, with what its modes, or the mode itself, cost."""
        modes = ability.modes
        made = self.row(AbilityKind.SPELL, ability.cost if modes is None else modes.beyond) | self.content(ability)
        if modes is not None and modes.costs:
            made["flags"] = int(ModeFlag.COSTS)
        return made

    def turn_up(self, ability: TurnUpAbility) -> dict[str, Any]:
        """Return the row of an ability for which something is turned face up (CR 702.37e)."""
        price = ability.cost or Cost()
        self.context.has_x, self.context.paid = price.has_x, price.paid_objects
        self.text = price
        made = self.row(AbilityKind.TURN_UP, price)
        return made | {
            "amount": int(ability.cost is None),
            "timing": int(Timing.SPECIAL),
            "program": self.program((turn_up(source), *ability.effects)),
        }

    def rule(self, ability: RuleAbility) -> dict[str, Any]:
        self.text = ability.affects
        made = self.row(AbilityKind.RULE) | {
            "filter": self.filter(ability.affects),
            "condition": self.condition(ability.condition),
            "event": int(ability.rule),
            "step": int(ability.whom),
        }
        number = ability.number
        self.text = number if isinstance(number, Value) else ability.affects
        return made | {"amount": self.value(number) if isinstance(number, Value) else number}

    def row(self, kind: AbilityKind, cost: Cost | None = None) -> dict[str, Any]:
        """Return the row of an ability of `kind` that does nothing yet."""
        mana = cost.mana if cost is not None else NO_MANA
        return {
            "kind": int(kind),
            "cost_flags": int(cost.flags) if cost is not None else 0,
            "pips": mana.pips,
            "snow": mana.snow,
            "generic": mana.generic,
            "n_x": mana.n_x,
            "hybrid": self.hybrids(mana),
            "program": -1,
            "condition": -1,
            "filter": -1,
            "other": -1,
            "player": -1,
            "amount": 0,
            "reads": 0,
            "targets": (0, 0),
            "costs": self.cost_parts(cost) if cost is not None else (0, 0),
            "changes": (0, 0),
            "modes": (0, 0),
            "least_modes": 0,
            "most_modes": 0,
            "zones": 1 << Zone.BATTLEFIELD,
            "zone_from": 0,
            "zone_to": 0,
            "layers": 0,
            "affects": 0,
            "event": 0,
            "step": 0,
            "flags": 0,
            "timing": 0,
            "own": 0,
            "mana_mask": 0,
            "mana_amount": 0,
        }

    def mana_ability(self, ability: ManaAbility) -> dict[str, Any]:
        cost = ability.cost
        self.text = cost
        effects = ability.effects
        plain = cost == Cost(flags=CostFlag.TAP) and (ability.amount == 1 or _single(ability.colors))
        plain = plain and ability.colors != CHOSEN_KIND
        if not effects and not plain:
            effects = (give_mana(you, mana_words(ability.colors), ability.amount, one=not _single(ability.colors)),)
        self.context.has_x = cost.mana.n_x > 0
        self.context.paid = cost.paid_objects
        made = self.row(AbilityKind.MANA, cost)
        colors = ANY_COLOR if ability.colors == CHOSEN_KIND else ability.colors
        made |= {"mana_mask": int(colors), "mana_amount": ability.amount}
        if effects:
            made |= {"program": self.program(effects), "condition": self.condition(ability.condition)}
            made["flags"] = 0 if _looked_for(cost, effects) else int(ManaFlag.APART)
        return made

    def activated(self, ability: ActivatedAbility) -> dict[str, Any]:
        self.context.has_x = ability.cost.has_x
        self.context.paid = ability.cost.paid_objects
        self.text = ability.cost
        made = self.row(AbilityKind.ACTIVATED, ability.cost)
        made |= {
            "condition": self.condition(ability.condition),
            "timing": int(ability.timing),
            "zones": 1 << ability.zone,
        }
        return made | self.content(ability)

    def triggered(self, ability: TriggeredAbility) -> dict[str, Any]:
        event = ability.event
        self.text = event
        flags = event.flags
        flags |= TriggerFlag.ONCE if ability.once else TriggerFlag(0)
        flags |= TriggerFlag.CHAPTER if ability.chapters else TriggerFlag(0)
        flags |= TriggerFlag.AGAIN if ability.again else TriggerFlag(0)
        flags |= TriggerFlag.MANA if self.adds_mana(ability) else TriggerFlag(0)
        step = int(event.step)
        if event.kind in (EventKind.COUNTERS_PUT, EventKind.COUNTERS_REMOVED, EventKind.PLAYER_COUNTERS):
            step = self.counter(event.counter)
        elif event.action is not None:
            step = int(event.action)
        elif event.kind in (EventKind.ROOM, EventKind.DAY):
            step = event.number
        made = self.row(AbilityKind.TRIGGERED) | {
            "filter": self.optional_filter(event.object),
            "other": self.optional_filter(event.other),
            "player": self.optional_filter(event.player),
            "zones": 1 << ability.works_in,
            "zone_from": _zone_bit(event.zone_from) or _other_zones(event.not_from),
            "zone_to": _zone_bit(event.zone_to),
            "amount": self.tokens[event.title] if event.title else sum(1 << k for k in event.exits),
            "event": int(event.kind),
            "step": step,
            "flags": int(flags),
        }
        if ability.chapters:
            made["amount"] = sum(1 << n - 1 for n in ability.chapters)
        if self.context.event is None or event.kind not in (EventKind.DELAYED, EventKind.REFLEXIVE):
            self.context.event = event.parts
        made["condition"] = self.condition(ability.condition)
        return made | self.content(ability)

    def adds_mana(self, ability: TriggeredAbility) -> bool:
        """Return whether it is a triggered mana ability (CR 605.1b)."""
        adds = [isinstance(e, Effect) and e.op is EffectOp.ADD_MANA for e in ability.effects]
        if ability.event.kind is not EventKind.MANA or ability.targets or not any(adds):
            return False
        if not all(adds):
            raise self.error("a triggered mana ability that does more than adding mana is not supported")
        return True

    def static(self, ability: StaticAbility) -> dict[str, Any]:
        self.context.static = True
        self.text = ability.affects
        defining = any(c.op is ChangeOp.CDA_PT for c in ability.changes)
        made = self.row(AbilityKind.STATIC) | {
            "filter": self.filter(ability.affects),
            "condition": self.condition(ability.condition),
            "own": _own(ability.affects),
            # A characteristic-defining ability works in every zone (CR 604.3).
            "zones": _EVERYWHERE if defining else 1 << ability.zone,
            "affects": _EVERYWHERE if defining else sum(1 << z for z in ability.affected_zones),
        }
        try:
            changes = expand(ability.changes)
            made["reads"] = int(reads_of(ability))
        except ValueError as error:
            raise self.error(str(error)) from None
        made["layers"] = _layers(changes)
        made["changes"] = self.stretch("changes", [self.change(c) for c in changes])
        return made

    def casting(self, ability: CastingAbility) -> dict[str, Any]:
        """Return the row of an ability about casting and activating."""
        self.text = ability.affects
        if ability.says is CastOp.TAPPED:
            self.context.event = EventParts(amount=True)
        own = _own(ability.affects) == 1
        made = self.row(AbilityKind.CASTING) | {
            "filter": self.filter(ability.affects),
            "condition": self.condition(ability.condition),
            "event": int(ability.says),
            "player": self.filter(ability.by),
            "own": int(own),
            "zone_from": sum(1 << z for z in ability.zones),
        }
        if own:
            made["zones"] = _EVERYWHERE
        if ability.amount is not None:
            self.text = ability.amount
            made["amount"] = self.value(ability.amount)
            made["step"] = int(ability.kinds)
            made["flags"] = int(LessFlag.ONLY_COLORS) if ability.only_colors else 0
        if ability.way is not None:
            made["amount"] = self.way(ability.way)
        return made

    def replacement(self, ability: ReplacementAbility) -> dict[str, Any]:
        affects = ability.affects
        self.text = affects or ability.who or ""
        with self.within(replace(self.context, event=ALL_PARTS)):
            made = self.row(AbilityKind.REPLACEMENT) | {
                "filter": self.optional_filter(affects),
                "other": self.optional_filter(ability.by),
                "player": self.optional_filter(ability.who),
                "condition": self.condition(ability.condition),
                "event": int(ability.replaces),
                "flags": int(ability.flags),
                "own": _own(affects) if affects is not None else 0,
                "zones": 1 << ability.zone,
                "step": ability.way if ability.to is None else int(ability.to),
            }
            if ability.effects:
                made["program"] = self.program(ability.effects)
            if ability.replaces in PREVENTING:
                made["amount"] = -1
            if ability.amount is not None:
                self.text = ability.amount
                made["amount"] = self.replaced_number(ability)
        if ability.replaces is ReplaceOp.COUNTERS:
            made["step"] = self.counter(ability.counter) if ability.counter else _ANY_COUNTER
        if ability.replaces is ReplaceOp.GRAVEYARD_EXILE and affects is not None and _own(affects) == 1:
            # It speaks of itself, wherever it is (CR 113.6h).
            made["zones"] = _EVERYWHERE
        rows = []
        for way in ability.enters:
            self.text = way
            if way.op is EnterOp.UNLESS_PAID:
                (price,) = way.args
                assert isinstance(price, Cost)
                rows.append(as_row(way.op, [self.price(price)]))
            elif way.op is EnterOp.DELAY:
                later, when = way.args
                assert isinstance(later, TriggeredAbility)
                assert isinstance(when, Duration)
                rows.append(as_row(way.op, [self.nested(later), int(when)]))
            elif way.op is EnterOp.EITHER:
                rows.append(self.either(way))
            elif way.op is EnterOp.COPY:
                rows.append(self.copying(way))
            else:
                rows.append(as_row(way.op, self.operands(way.op, way.args, ENTER_SIGNATURES[way.op])))
        made["changes"] = self.stretch("changes", rows)
        return made

    def either(self, way: Enter) -> Row:
        """Return the row of counters or something else: the kind, how many, the change, -1 if there is none."""
        kind, amount, other = way.args
        assert isinstance(kind, str)
        assert isinstance(amount, Value)
        assert isinstance(other, tuple)
        return as_row(way.op, [self.counter(kind), self.value(amount), self.exceptions(other)[0] if other else -1])

    def copying(self, way: Enter) -> Row:
        """Return the row of "as a copy": the filter, the first exception, how many with the zone above them."""
        of, but, zone = way.args
        assert isinstance(of, Filter)
        assert isinstance(but, tuple)
        assert isinstance(zone, Zone)
        first, n = self.exceptions(but)
        return as_row(way.op, [self.filter(of), first, n | int(zone) << 8])

    def replaced_number(self, ability: ReplacementAbility) -> int:
        """Return the value of the number that there is instead; of dredge, the number itself."""
        assert ability.amount is not None
        if ability.way == DREDGE and ability.replaces is ReplaceOp.DRAW:
            number = ability.amount.args[0]
            assert isinstance(number, int)
            return number
        return self.value(ability.amount)

    def optional_filter(self, filter_: Filter | None) -> int:
        return -1 if filter_ is None else self.filter(filter_)

    def condition(self, condition: Value | None) -> int:
        if condition is None:
            return -1
        self.text = condition
        return self.value(condition)

    def cost_parts(self, cost: Cost) -> tuple[int, int]:
        rows = [as_row(p.op, self.operands(p.op, p.args, COST_SIGNATURES[p.op])) for p in cost.parts]
        return self.stretch("costs", rows)

    def land_ability(self, subtype: str) -> int:
        """Return the index of the mana ability that a basic land type gives (CR 305.6)."""
        return self.nested(tap_for(BASIC_LAND_TYPES[subtype])) if subtype in BASIC_LAND_TYPES else NO_ABILITY

    # ------------------------------------------------------------------------------------------- changes
    def change(self, change: Change, bound: dict[Value, int] | None = None) -> tuple[int, int, int, int]:
        """Return the row of `change`; values that are keys of `bound` are what it says."""
        signature = CHANGE_SIGNATURES[change.op]
        self.text = change
        words: list[int] = []
        for arg, (name, sort) in zip(change.args, signature, strict=True):
            if bound is not None and isinstance(arg, Value) and arg in bound:
                words.append(bound[arg])
            elif sort is Sort.ABILITY and _is_ability(arg):
                with self.within(Context()):
                    words.append(self.nested(arg))
            elif sort is Sort.ABILITIES and isinstance(arg, tuple):
                with self.within(Context()):
                    words.append(self.stretch("abilities", [self.ability(a) for a in arg])[0])
                self.out.written |= dict(enumerate(arg, words[-1]))
            elif sort is Sort.TYPES and change.op is ChangeOp.SET_TYPES:
                words.append(int(arg) if isinstance(arg, int) else 0)
            else:
                words += self.operand(arg, sort, f"{change.op.name.lower()}: {name}")
        return as_row(change.op, words)

    def bound_changes(self, changes: tuple[Change, ...]) -> list[int]:
        """Return the words of changes of a resolving effect: first, how many, value x, value y."""
        try:
            expanded = expand(changes)
        except ValueError as error:
            raise self.error(str(error)) from None
        if any(c.op is ChangeOp.ADD_CHOSEN_ABILITY for c in expanded) and not self.context.colored:
            raise self.error("a colour is used before one is picked")
        if all(c.op in PLAYER_CHANGES for c in expanded):
            return self.bound_players(expanded)
        numbers: list[Value] = []
        for change in expanded:
            numbers += [a for a in change.args if isinstance(a, Value)]
        bound: dict[Value, int] = {}
        x = y = self.value(as_value(0))
        text = self.text
        if numbers:
            x, y = self.value(numbers[0]), self.value(numbers[1])
            rest = [v for v in numbers[2:] if v not in numbers[:2] and v.op is not ValueOp.CONST]
            if rest:
                raise self.error("changes with more than two numbers that are worked out on resolution")
        rows = []
        seen = False
        for change in expanded:
            first = not seen and any(isinstance(a, Value) for a in change.args)
            seen = seen or first
            if first and numbers[0] == numbers[1]:
                rows.append(as_row(change.op, [_X, _Y]))
                bound = {numbers[0]: _X}
                continue
            if first:
                bound = {numbers[0]: _X, numbers[1]: _Y}
            rows.append(self.change(change, bound))
        self.text = text
        return [*self.stretch("changes", rows), x, y]

    def exceptions(self, changes: tuple[Change, ...]) -> tuple[int, int]:
        """Return the words of the exceptions of a copy: first, how many; their numbers are those of the context."""
        text = self.text
        try:
            rows = [self.change(c) for c in written_out(changes)]
        except ValueError as error:
            raise self.error(str(error)) from None
        self.text = text
        return self.stretch("changes", rows)

    def bound_players(self, changes: tuple[Change, ...]) -> list[int]:
        """Return the words of changes of players by a resolving effect: first, how many, value x, value y."""
        text = self.text
        numbers = list(dict.fromkeys(a for c in changes for a in c.args if isinstance(a, Value)))
        if len(numbers) > len((_X, _Y)):
            raise self.error("changes with more than two numbers that are worked out on resolution")
        bound = dict(zip(numbers, (_X, _Y), strict=False))
        rows = [self.change(change, bound) for change in changes]
        self.text = text
        x, y = (self.value(n) for n in [*numbers, as_value(0), as_value(0)][:2])
        return [*self.stretch("changes", rows), x, y]

    # ------------------------------------------------------------------------------------------ programs
    def content(self, ability: SpellAbility | ActivatedAbility | TriggeredAbility) -> dict[str, Any]:
        """Return targets and program of an ability, or its modes."""
        if ability.modes is not None:
            return self.modes(ability.modes)
        targets = self.targets(ability.targets)
        if isinstance(ability, SpellAbility) and ability.enchants:
            return {"targets": targets, "program": -1}
        if isinstance(ability, TriggeredAbility) and ability.again:
            return {"targets": targets, "program": -1}
        return {"targets": targets, "program": self.program(ability.effects)}

    def modes(self, modes: Modes) -> dict[str, Any]:
        rows = []
        for mode in modes.modes:
            with self.within(self.context):
                rows.append(self.ability(mode))
        return {
            "modes": self.stretch("abilities", rows),
            "least_modes": modes.least,
            "most_modes": modes.most,
        }

    def targets(self, specs: tuple[TargetSpec, ...]) -> tuple[int, int]:
        """Return (first, n) of target specifications; a filter may speak of the targets chosen before."""
        rows = []
        for i, spec in enumerate(specs):
            self.text = spec
            if spec.x and not self.context.has_x:
                raise self.error("X targets, but the cost has no {X}")
            self.context.specs = specs[:i]
            rows.append(
                {
                    "filter": self.filter(spec.filter),
                    "players": spec.players,
                    "objects": spec.objects,
                    "zone": int(spec.zone),
                    "least": spec.least,
                    "most": spec.most,
                    "x": spec.x,
                    "divided": -1 if spec.divided is None else self.value(spec.divided),
                }
            )
        self.context.specs = specs
        return self.stretch("targets", rows)

    def program(self, effects: tuple[Instruction, ...]) -> int:
        """Return the place of a program; its jumps lead to places in the code."""
        specs = self.context.specs
        filters = [s.filter for s in specs]
        used = {n.args[0] for n in nodes_in((effects, *filters)) if isinstance(n, Ref) and n.op in _TARGET_REFS}
        lines = lines_of(effects)
        keeps = any(isinstance(n, Ref) and n.op is RefOp.MOVED for n in nodes_in(effects)) or any(
            line.op is EffectOp.REFLEXIVE for line in lines
        )
        code: list[int] = []
        jumps: list[int] = []
        for line in lines:
            self.text = line.origin
            words = self.instruction(line, keeps)
            for i, word in enumerate(words):
                if isinstance(word, Label):
                    jumps.append(len(code) + i)
            code += [w.line * INSTRUCTION_WORDS if isinstance(w, Label) else w for w in words]
        self.text = ""
        unused = set(range(len(specs))) - used
        if any(isinstance(n, Ref) and n.op is RefOp.ALL_TARGETS for n in nodes_in(effects)):
            unused = set()
        if unused:
            raise self.error(f"target({min(unused)}) is chosen but not used")
        key = ("program", (tuple(code), tuple(jumps)))
        if key not in self.interned:
            start = len(self.out.code)
            self.interned[key] = start
            for at in jumps:
                code[at] += start
            self.out.code += code
        return self.interned[key]

    def instruction(self, line: Line, keeps: bool) -> list[int | Label]:
        """Return the words of an instruction; a label stands for a place in the program."""
        words: list[int | Label] = [int(line.op)]
        for arg, (name, sort) in zip(line.args, line.signature, strict=True):
            what = f"{line.op.name.lower()}: {name}"
            if isinstance(arg, Label):
                words.append(arg)
            elif sort is Sort.CHANGES and isinstance(arg, tuple):
                words += self.bound_changes(arg)
            elif sort is Sort.EXCEPTIONS and isinstance(arg, tuple):
                words += self.exceptions(arg)
            elif sort is Sort.ABILITY and isinstance(arg, TriggeredAbility):
                words.append(self.made_ability(arg, line))
            elif sort is Sort.OPTIONAL_ABILITY and isinstance(arg, ReplacementAbility):
                with self.within(Context(has_x=self.context.has_x)):
                    words.append(self.nested(arg))
            elif sort is Sort.ABILITY and isinstance(arg, Cost):
                words.append(self.price(arg))
            elif sort is Sort.MOVE_FLAGS and line.op in KEEPING and keeps:
                assert isinstance(arg, MoveFlag)
                words.append(int(arg | MoveFlag.KEEP))
            elif isinstance(arg, Filter):
                words.append(self.filter_of(line.op, line.args, arg, what))
            else:
                words += self.operand(arg, sort, what)
        self.remember(line)
        return [*words, *[0] * (INSTRUCTION_WORDS - len(words))]

    def remember(self, line: Line) -> None:
        """Note what later instructions can refer to."""
        context = self.context
        if line.op is EffectOp.MANA:
            colors = line.args[0]
            assert isinstance(colors, Color)
            if not _single(colors):
                raise self.error("mana of a chosen colour is made by mana abilities alone")
        for arg in line.args:
            if isinstance(arg, Cost):
                context.paid += arg.paid_objects
        context.moved = context.moved or line.op in MOVING
        context.picked |= PICKING.get(line.op, NOTHING)
        context.colored = context.colored or line.op is EffectOp.PICK_COLOR
        context.result = context.result or line.op not in (EffectOp.JUMP, EffectOp.UNLESS, EffectOp.MAY)

    def made_ability(self, ability: TriggeredAbility, line: Line) -> int:
        """Return the index of a delayed or reflexive ability; it knows only what it is told (CR 603.7, 603.12)."""
        about = len(line.args) > 1 and line.args[1] is not None
        reflexive = ability.event.kind is EventKind.REFLEXIVE
        parts = EventParts(object=reflexive or about, amount=reflexive)
        # X is handed on.
        with self.within(Context(has_x=self.context.has_x, optional=self.context.optional, event=parts)):
            return self.nested(ability)

    def price(self, cost: Cost) -> int:
        """Return the index of the ability that stands for a cost that an effect asks for."""
        with self.within(replace(self.context, has_x=cost.mana.n_x > 0)):
            self.text = cost
            if cost.flags & ~CostFlag.SACRIFICE:
                raise self.error("an effect asks for {T} or {Q} as a cost")
            if cost.flags:
                # To whom it is offered is asked for objects, of which the source is the only one that passes.
                cost = replace(cost, flags=CostFlag(0), parts=(*cost.parts, sacrifice(this)))
            return self.stretch("abilities", [self.row(AbilityKind.SPELL, cost)])[0]


def _looked_for(cost: Cost, effects: Iterable[object]) -> bool:
    """Return whether payment looks for a mana ability: what it costs and does is what payment knows."""
    if cost.mana.hybrid or cost.flags & CostFlag.UNTAP:
        return False
    if any(part.op is not CostOp.LIFE or not _constant(part.args[0]) for part in cost.parts):
        return False
    return all(
        isinstance(effect, Effect)
        and (
            (effect.op is EffectOp.ADD_MANA and effect.args[0] == you)
            or (effect.op is EffectOp.DAMAGE and effect.args[1] == you and _constant(effect.args[2]))
        )
        for effect in effects
    )


def _constant(amount: object) -> bool:
    return not isinstance(amount, Value) or amount.op is ValueOp.CONST


def _single(colors: Color) -> bool:
    return int(colors).bit_count() == 1


def _is_ability(node: object) -> TypeGuard[Ability]:
    return isinstance(node, ABILITY_CLASSES)


def _own(affects: Filter) -> int:
    """Return 1 for "this", 2 for "what this is attached to", else 0."""
    return {FilterOp.SOURCE: 1, FilterOp.HOST: 2}.get(affects.op, 0)


def _zone_bit(zone: Zone | None) -> int:
    return 0 if zone is None else 1 << zone


def _other_zones(zone: Zone | None) -> int:
    """All zones but this one; 0 if none is meant."""
    return 0 if zone is None else sum(1 << z for z in Zone if z not in (Zone.NONE, zone))


def _layers(changes: tuple[Change, ...]) -> int:
    found = 0
    for change in changes:
        found |= 1 << change.layer
    return found
