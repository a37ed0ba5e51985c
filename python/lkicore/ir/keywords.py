"""Keyword abilities that are made of others, or have parameters (CR 702): one table, one entry a keyword.

A keyword that is only a mark (flying) is a member of `Keyword` and needs nothing here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from lkicore.opcodes import (
    ChangeOp,
    Color,
    CostFlag,
    CostOp,
    Duration,
    EnterOp,
    Keyword,
    ReplaceOp,
    Step,
    Timing,
    TriggerFlag,
    TypeBit,
    Zone,
)

from . import casting_keywords as casting
from . import effects as do
from . import face_down
from . import filters as f
from . import leaving_keywords as leaving
from . import references as r
from . import triggers as when
from . import values as v
from .abilities import (
    DREDGE,
    Ability,
    ActivatedAbility,
    EvasionAbility,
    HexproofAbility,
    LandwalkAbility,
    OpeningAbility,
    ProtectionAbility,
    ReplacementAbility,
    SpellAbility,
    StaticAbility,
    ToxicAbility,
    TriggeredAbility,
)
from .changes import (
    Change,
    Enter,
    add_subtype,
    add_types,
    changes_of,
    counters_or,
    day_as_it_enters,
    gain,
    no_mana_cost,
    set_colors,
    sets_pt,
)
from .conditions import all_of, any_of, equal, exists, matches, not_
from .costs import Cost, OptionalCost, crew, discard_this, exile_this, return_
from .deeds import act, designate, move_counters
from .effects import Effect
from .expressions import evaluate
from .filters import Filter
from .flow import Instruction, if_, may, pay
from .hints import did_you_mean, nearest
from .lasting import apply, pump
from .later import delayed
from .mana import ManaCost
from .operands import NO_KEYWORDS, covers
from .players import citys_blessing
from .reading import cost
from .relations import designated, mana_value, power
from .target_specs import TargetSpec
from .values import (
    counters_on,
    event_amount,
    happened,
    mana_value_of,
    number_of,
    power_of,
    result,
    toughness_of,
    value,
)
from .vocabulary import NAMESPACE
from .ways import Way

#: Tokens that keyword abilities create, by the names that the pool must have them under.
SPIRIT_TOKEN, SERVO_TOKEN, GERM_TOKEN = "Afterlife Spirit Token", "Servo Token", "Phyrexian Germ Token"


class Parameter(Enum):
    """What stands after a keyword."""

    NONE = "nothing"
    NUMBER = "a number"
    COST = "a cost"
    FILTER = "a filter"
    QUALITY = "a colour, a card type in the plural, or a filter"
    NUMBER_COST = "a number and a cost"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Parts:
    """What a keyword ability stands for.

    Attributes:
        mark: the bit of `Keyword` that says that it is there, if there is one.
        abilities: abilities of the object.
        optional: costs that may be paid besides, on casting it.
        enchants: what an Aura spell targets, or None.
        ways: ways of casting it.
        colorless: the object has no colours, in every zone (CR 702.114).
        given: what happens first as the spell resolves, or as the permanent enters, if its optional cost was paid.
    """

    mark: Keyword = NO_KEYWORDS
    abilities: tuple[Ability, ...] = ()
    optional: tuple[OptionalCost, ...] = ()
    enchants: SpellAbility | None = None
    ways: tuple[Way, ...] = ()
    colorless: bool = False
    given: tuple[Instruction, ...] = ()


@dataclass(frozen=True, slots=True)
class Composition:
    """An entry of the table.

    Attributes:
        rule: number of its rule.
        parameter: what stands after it.
        make: returns what it stands for, of its parameter and its text.
        mark: the bit of `Keyword` that says that it is there.
    """

    rule: str
    parameter: Parameter
    make: Callable[[Any, str], tuple[object, ...]]
    mark: Keyword = NO_KEYWORDS


# ------------------------------------------------------------------------------------------- without parameter
def _prowess(_: None, text: str) -> tuple[object, ...]:
    event = when.cast(f.spell & ~f.creature, by=f.yourself)
    return (TriggeredAbility(event, (pump(r.source, 1, 1),), keyword=text),)


def _exalted(_: None, text: str) -> tuple[object, ...]:
    event = when.attacks(f.creature & f.yours, alone=True)
    return (TriggeredAbility(event, (pump(r.event_object, 1, 1),), keyword=text),)


def _comes_back(counter: str, text: str) -> tuple[object, ...]:
    # The condition looks back at the permanent (CR 603.10a), the card is found where it went (CR 400.7e).
    effects = (do.enters_with(1, counter), do.move(r.event_card, Zone.BATTLEFIELD))
    without = equal(counters_on(r.event_object, counter), 0)
    return (TriggeredAbility(when.dies(), effects, condition=without, keyword=text),)


def _flanking(_: None, text: str) -> tuple[object, ...]:
    event = when.blocks(f.creature & ~f.has(Keyword.FLANKING), what=f.this)
    return (TriggeredAbility(event, (pump(r.event_object, -1, -1),), keyword=text),)


def _extort(_: None, text: str) -> tuple[object, ...]:
    drained = (do.lose_life(r.each_opponent, 1), do.gain_life(r.you, result))
    return (TriggeredAbility(when.cast(by=f.yourself), (pay("{W/B}", drained),), keyword=text),)


def _evolve(_: None, text: str) -> tuple[object, ...]:
    larger = any_of(
        power_of(r.event_object) > power_of(r.source), toughness_of(r.event_object) > toughness_of(r.source)
    )
    event = when.enters(f.creature & f.yours & f.other)
    grown = (do.put_counters(r.source, 1, "+1/+1"), act("evolves", r.source))
    return (TriggeredAbility(event, grown, condition=larger, keyword=text),)


def _embalmed(price: Cost, text: str, *but: Change) -> tuple[object, ...]:
    # The card is exiled as a cost: the copy is of what it was in the graveyard (CR 702.128a, 702.129a).
    token = do.copy_token(r.you, 1, r.source, (*but, add_subtype("Zombie"), no_mana_cost))
    spent = replace(price, parts=(*price.parts, exile_this))
    return (ActivatedAbility(spent, (token,), timing=Timing.SORCERY, zone=Zone.GRAVEYARD, keyword=text),)


def _embalm(price: Cost, text: str) -> tuple[object, ...]:
    return _embalmed(price, text, set_colors("W"))


def _eternalize(price: Cost, text: str) -> tuple[object, ...]:
    return _embalmed(price, text, set_colors("B"), sets_pt(4, 4))


def _level_up(price: Cost, text: str) -> tuple[object, ...]:
    raised = do.put_counters(r.source, 1, "level")
    return (ActivatedAbility(price, (raised,), timing=Timing.SORCERY, keyword=text),)


def _battle_cry(_: None, text: str) -> tuple[object, ...]:
    others = r.each(f.creature & f.attacking & f.other)
    return (TriggeredAbility(when.attacks(), (pump(others, 1, 0),), keyword=text),)


def _myriad(_: None, text: str) -> tuple[object, ...]:
    def token(k: int) -> Instruction:
        whom = r.other_opponent(k)
        copied = do.copy_token(r.you, 1, r.source, tapped=True, attacking=True, whom=whom)
        gone = delayed(Duration.END_OF_COMBAT, do.exile(r.event_object), about=r.moved)
        return if_(number_of(whom) >= 1, may((copied, gone)))

    # A game has at most eight players, so six opponents besides the defending one.
    return (TriggeredAbility(when.attacks(), tuple(token(k) for k in range(1, 7)), keyword=text),)


def _mobilize(n: int, text: str) -> tuple[object, ...]:
    made = do.create_tokens(r.you, n, "Warrior Token (red)", tapped=True, attacking=True)
    lost = delayed(Duration.NEXT_END_STEP, do.sacrifice(r.event_object), about=r.moved)
    return (TriggeredAbility(when.attacks(), (made, lost), keyword=text),)


def _mark(_: None, text: str) -> tuple[object, ...]:  # noqa: ARG001 the rules ask for the mark
    return ()


def _training(_: None, text: str) -> tuple[object, ...]:
    larger = exists(f.creature & f.yours & f.attacking & f.other & power(at_least=power_of(r.source) + 1))
    trained = (do.put_counters(r.source, 1, "+1/+1"), act("trains", r.source))
    return (TriggeredAbility(when.attacks(), trained, condition=larger, keyword=text),)


def _mentor(_: None, text: str) -> tuple[object, ...]:
    smaller = TargetSpec(f.creature & f.attacking & power(at_most=power_of(r.source) - 1))
    grown = (do.put_counters(r.target(0), 1, "+1/+1"), act("mentors", r.source, about=r.target(0)))
    return (TriggeredAbility(when.attacks(), grown, (smaller,), keyword=text),)


def _exploit(_: None, text: str) -> tuple[object, ...]:
    # What triggers on it sees the creature that exploits, even if it is the one sacrificed.
    chosen = do.pick(r.you, f.creature & f.yours, 1, 1)
    given = (act("exploits", r.source, about=r.picked), do.sacrifice(r.picked))
    choice = may((chosen, if_(number_of(r.picked) >= 1, given)))
    return (TriggeredAbility(when.enters(), (choice,), keyword=text),)


def _living_weapon(_: None, text: str) -> tuple[object, ...]:
    effects = (do.create_tokens(r.you, 1, GERM_TOKEN), do.attach(r.source, r.moved))
    return (TriggeredAbility(when.enters(), effects, keyword=text),)


def _ingest(_: None, text: str) -> tuple[object, ...]:
    event = when.deals_damage(to=f.player, combat=True)
    return (TriggeredAbility(event, (do.exile(r.top_cards(r.event_player)),), keyword=text),)


def _station(_: None, text: str) -> tuple[object, ...]:
    effects = (do.put_counters(r.source, power_of(r.paid(0)), "charge"),)
    price = cost("tap(creature & other)")
    return (ActivatedAbility(price, effects, timing=Timing.SORCERY, keyword=text),)


# ----------------------------------------------------------------------------------------------- with a number
def _devour(n: int, text: str) -> tuple[object, ...]:
    return (ReplacementAbility(ReplaceOp.ENTERS, enters=(Enter(EnterOp.DEVOUR, (n,)),), keyword=text),)


def _dredge(n: int, text: str) -> tuple[object, ...]:
    made = ReplacementAbility(
        ReplaceOp.DRAW, None, zone=Zone.GRAVEYARD, amount=value(n), who=f.yourself, way=DREDGE, keyword=text
    )
    return (made,)


def _umbra_armor(_: object, text: str) -> tuple[object, ...]:
    return (ReplacementAbility(ReplaceOp.DESTROY, f.host_of_this, keyword=text),)


def _enters_with(n: int, counter: str, text: str) -> ReplacementAbility:
    return ReplacementAbility(ReplaceOp.ENTERS, enters=(Enter(EnterOp.COUNTERS, (counter, value(n))),), keyword=text)


def _fading(n: int, text: str) -> tuple[object, ...]:
    fades = if_(counters_on(r.source, "fade") >= 1, do.remove_counters(r.source, 1, "fade"), do.sacrifice(r.source))
    upkeep = TriggeredAbility(when.begins(Step.UPKEEP, f.yourself), (fades,), keyword=text)
    return (_enters_with(n, "fade", text), upkeep)


def _vanishing(n: int, text: str) -> tuple[object, ...]:
    time = counters_on(r.source, "time")
    removed = do.remove_counters(r.source, 1, "time")
    upkeep = when.begins(Step.UPKEEP, f.yourself)
    last = when.counters_removed(f.this, "time")
    return (
        _enters_with(n, "time", text),
        TriggeredAbility(upkeep, (removed,), condition=time >= 1, keyword=text),
        TriggeredAbility(last, (do.sacrifice(r.source),), condition=equal(time, 0), keyword=text),
    )


def _afterlife(n: int, text: str) -> tuple[object, ...]:
    return (TriggeredAbility(when.dies(), (do.create_tokens(r.you, n, SPIRIT_TOKEN),), keyword=text),)


def _bushido(n: int, text: str) -> tuple[object, ...]:
    grown = (pump(r.source, n, n),)
    return tuple(TriggeredAbility(event, grown, keyword=text) for event in (when.blocks(), when.becomes_blocked()))


def _modular(n: int, text: str) -> tuple[object, ...]:
    passed = may(do.put_counters(r.target(0), counters_on(r.event_object, "+1/+1"), "+1/+1"))
    heir = TargetSpec(f.artifact & f.creature)
    return (_enters_with(n, "+1/+1", text), TriggeredAbility(when.dies(), (passed,), (heir,), keyword=text))


def _fabricate(n: int, text: str) -> tuple[object, ...]:
    grown = do.put_counters(r.source, n, "+1/+1")
    choice = may(grown, otherwise=do.create_tokens(r.you, n, SERVO_TOKEN))
    return (TriggeredAbility(when.enters(), (choice,), keyword=text),)


def _toxic(n: int, text: str) -> tuple[object, ...]:
    return (ToxicAbility(n, keyword=text),)


def _annihilator(n: int, text: str) -> tuple[object, ...]:
    return (TriggeredAbility(when.attacks(), (do.edict(r.event_player, n, f.permanent),), keyword=text),)


def _frenzy(n: int, text: str) -> tuple[object, ...]:
    return (TriggeredAbility(when.unblocked(), (pump(r.source, n, 0),), keyword=text),)


def _rampage(n: int, text: str) -> tuple[object, ...]:
    more = n * (event_amount - 1)
    return (TriggeredAbility(when.becomes_blocked(), (pump(r.source, more, more),), keyword=text),)


def _afflict(n: int, text: str) -> tuple[object, ...]:
    return (TriggeredAbility(when.becomes_blocked(), (do.lose_life(r.defending_player, n),), keyword=text),)


def _poisonous(n: int, text: str) -> tuple[object, ...]:
    event = when.deals_damage(to=f.player, combat=True)
    return (TriggeredAbility(event, (do.give_counters(r.event_player, n, "poison"),), keyword=text),)


def _bloodthirst(n: int, text: str) -> tuple[object, ...]:
    hurt = happened("damage_player", by=r.each_opponent) >= 1
    return (replace(_enters_with(n, "+1/+1", text), condition=hurt),)


def _riot(_: object, text: str) -> tuple[object, ...]:
    return (ReplacementAbility(ReplaceOp.ENTERS, enters=(counters_or(1, "+1/+1", Keyword.HASTE),), keyword=text),)


def _unleash(_: object, text: str) -> tuple[object, ...]:
    # CR 702.98b: the counter's origin doesn't matter.
    held = StaticAbility((gain(Keyword.CANT_BLOCK),), condition=counters_on(r.source, "+1/+1") >= 1, keyword=text)
    return (ReplacementAbility(ReplaceOp.ENTERS, enters=(counters_or(1, "+1/+1"),), keyword=text), held)


def _graft(n: int, text: str) -> tuple[object, ...]:
    given = may(move_counters(r.source, r.event_object, "+1/+1", 1))
    has_one = counters_on(r.source, "+1/+1") >= 1
    passed = TriggeredAbility(when.enters(f.creature & f.other), (given,), condition=has_one, keyword=text)
    return (_enters_with(n, "+1/+1", text), passed)


def _renown(n: int, text: str) -> tuple[object, ...]:
    event = when.deals_damage(to=f.player, combat=True)
    renowned = (
        do.put_counters(r.source, n, "+1/+1"),
        designate(r.source, "renowned"),
        act("becomes renowned", r.source),
    )
    condition = not_(matches(r.source, designated("renowned")))
    return (TriggeredAbility(event, renowned, condition=condition, keyword=text),)


def _soulshift(n: int, text: str) -> tuple[object, ...]:
    card = TargetSpec(f.subtype("Spirit") & f.owned & f.in_zone(Zone.GRAVEYARD) & mana_value(at_most=n))
    back = may(do.return_to_hand(r.target(0)))
    return (TriggeredAbility(when.dies(), (back,), (card,), keyword=text),)


# ------------------------------------------------------------------------------------------------- with a cost
def _echo(price: Cost, text: str) -> tuple[object, ...]:
    # Whether it is new is asked only as the upkeep begins: it has been there in that upkeep when this resolves.
    unpaid = pay(price, otherwise=do.sacrifice(r.source))
    event = replace(when.begins(Step.UPKEEP, f.yourself), flags=TriggerFlag.ONLY_THEN)
    return (TriggeredAbility(event, (unpaid,), condition=matches(r.source, f.newly_controlled), keyword=text),)


def _cumulative_upkeep(price: Cost, text: str) -> tuple[object, ...]:
    # The whole cost is paid for each counter, or nothing (702.24b).
    mana, times = price.mana, counters_on(r.source, "age")
    other = any(mana.pips) or mana.snow or mana.n_x or mana.hybrid or price.flags
    if other or any(part.op is not CostOp.LIFE for part in price.parts):
        raise ValueError(f"{text}: only generic mana and life can be paid for each counter")
    parts = tuple(replace(part, args=(value(part.args[0]) * times,)) for part in price.parts)
    each = replace(price, mana=ManaCost(n_x=mana.generic, text="{X}" * mana.generic), parts=parts)
    unpaid = pay(each, otherwise=do.sacrifice(r.source), x=times if mana.generic else None)
    aged = do.put_counters(r.source, 1, "age")
    return (TriggeredAbility(when.begins(Step.UPKEEP, f.yourself), (aged, unpaid), keyword=text),)


def _outlast(price: Cost, text: str) -> tuple[object, ...]:
    whole = Cost(price.mana, price.flags | CostFlag.TAP, price.parts)
    grown = (do.put_counters(r.source, 1, "+1/+1"),)
    return (ActivatedAbility(whole, grown, timing=Timing.SORCERY, keyword=text),)


def _scavenge(price: Cost, text: str) -> tuple[object, ...]:
    whole = Cost(price.mana, price.flags, (*price.parts, exile_this))
    grown = (do.put_counters(r.target(0), power_of(r.source), "+1/+1"),)
    heir = (TargetSpec(f.creature),)
    return (ActivatedAbility(whole, grown, heir, timing=Timing.SORCERY, zone=Zone.GRAVEYARD, keyword=text),)


def _transmute(price: Cost, text: str) -> tuple[object, ...]:
    whole = Cost(price.mana, price.flags, (*price.parts, discard_this))
    same = mana_value_of(r.source)
    found = (do.search_library(r.you, mana_value(at_least=same, at_most=same), Zone.HAND),)
    return (ActivatedAbility(whole, found, timing=Timing.SORCERY, zone=Zone.HAND, keyword=text),)


def _ward(price: Cost, text: str) -> tuple[object, ...]:
    unpaid = pay(price, otherwise=do.counter(r.event_other), who=r.event_player)
    return (TriggeredAbility(when.becomes_target(by=f.opponent), (unpaid,), keyword=text),)


def _equip(price: Cost, text: str) -> tuple[object, ...]:
    bearer = TargetSpec(f.creature & f.yours)
    effects = (do.attach(r.source, r.target(0)),)
    return (ActivatedAbility(price, effects, (bearer,), timing=Timing.SORCERY, keyword=text),)


def _fortify(price: Cost, text: str) -> tuple[object, ...]:
    held = TargetSpec(f.land & f.yours)
    effects = (do.attach(r.source, r.target(0)),)
    return (ActivatedAbility(price, effects, (held,), timing=Timing.SORCERY, keyword=text),)


def _from_hand(price: Cost, effect: do.Effect, text: str) -> tuple[object, ...]:
    whole = Cost(price.mana, price.flags, (*price.parts, discard_this))
    return (ActivatedAbility(whole, (effect,), zone=Zone.HAND, keyword=text),)


def _cycling(price: Cost, text: str) -> tuple[object, ...]:
    return _from_hand(price, do.draw(r.you, 1), text)


# --------------------------------------------------------------------------------------- with a number and a cost
# ---------------------------------------------------------------------------------------------- with a quality
def _enchant(what: Filter, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (SpellAbility(targets=(TargetSpec(what),), enchants=True),)


def _protection(what: Filter, text: str) -> tuple[object, ...]:
    return (ProtectionAbility(what, keyword=text),)


#: More attackers than one creature blocks.
MAX_BLOCKS = 250


def _landwalk(land: Filter, text: str) -> tuple[object, ...]:
    return (LandwalkAbility(land, keyword=text),)


def _cant_be_blocked(what: Filter, text: str) -> tuple[object, ...]:
    return (EvasionAbility(what, keyword=text),)


def _cant_be_blocked_except(what: Filter, text: str) -> tuple[object, ...]:
    return (EvasionAbility(~what, keyword=text),)


def _cant_block_them(what: Filter, text: str) -> tuple[object, ...]:
    return (EvasionAbility(what, True, keyword=text),)


def _can_block_more(n: int, text: str) -> tuple[object, ...]:
    return (EvasionAbility(f.everything, more=min(n, MAX_BLOCKS), keyword=text),)


def _can_block_all(_: None, text: str) -> tuple[object, ...]:
    return (EvasionAbility(f.everything, more=MAX_BLOCKS, keyword=text),)


def _can_block_only(what: Filter, text: str) -> tuple[object, ...]:
    return (EvasionAbility(~what, True, keyword=text),)


def _crew(n: int, text: str) -> tuple[object, ...]:
    price = Cost(parts=(crew(n, f.creature & f.other),))
    return (ActivatedAbility(price, (apply(r.source, add_types(f.creature)),), keyword=text),)


def _ninjutsu(price: Cost, text: str) -> tuple[object, ...]:
    # CR 702.49a, c: it attacks what the creature returned to hand attacked.
    whole = Cost(price.mana, price.flags, (*price.parts, return_(f.unblocked_attacker & f.yours)))
    put = do.move(r.source, Zone.BATTLEFIELD, tapped=True, attacking=True)
    return (ActivatedAbility(whole, (put,), zone=Zone.HAND, keyword=text),)


def _hexproof_from(what: Filter, text: str) -> tuple[object, ...]:
    return (HexproofAbility(what, keyword=text),)


def _ascend(_: None, text: str) -> tuple[object, ...]:
    """CR 702.131b: of a permanent; an instant or sorcery says so among what it does."""
    ten = v.count(f.permanent & f.yours) >= 10
    return (StaticAbility((citys_blessing,), f.yourself, ten, keyword=text),)


def _daybound(_: None, text: str) -> tuple[object, ...]:
    """CR 702.145: the rest of it is a rule that asks for the mark."""
    return (ReplacementAbility(ReplaceOp.ENTERS, enters=(day_as_it_enters,), keyword=text),)


def _companion(deck: Filter, text: str) -> tuple[object, ...]:
    """CR 702.139: before the game it is revealed, if all cards of the deck pass; once it is put into the hand."""
    beyond = v.count_in(Zone.LIBRARY, ~deck, r.you) + v.count_in(Zone.HAND, ~deck, r.you)
    return _companion_if(equal(beyond + v.count_in(Zone.COMMAND, ~deck, r.you), 0), text)


def _companion_of(n: int, text: str) -> tuple[object, ...]:
    cards = v.count_in(Zone.LIBRARY, f.everything, r.you) + v.count_in(Zone.HAND, f.everything, r.you)
    return _companion_if(cards >= n, text)


def _companion_if(allowed: v.Value, text: str) -> tuple[object, ...]:
    others = v.count_in(Zone.SIDEBOARD, designated("companion"), r.you)
    revealed = OpeningAbility(
        (designate(r.source, "companion"),), all_of(allowed, equal(others, 0)), Zone.SIDEBOARD, keyword=text
    )
    fetched = ActivatedAbility(
        cost("{3}"),
        (do.move(r.source, Zone.HAND),),
        condition=matches(r.source, designated("companion")),
        timing=Timing.SORCERY | Timing.SPECIAL,
        zone=Zone.SIDEBOARD,
        keyword=text,
    )
    return (revealed, fetched)


def _partner_with(name: str, text: str) -> tuple[object, ...]:
    """CR 702.124j: target player may search for the other."""
    found = may(do.search_library(r.target(0), f.named(name), Zone.HAND), r.target(0))
    return (TriggeredAbility(when.enters(), (found,), (TargetSpec(f.player),), keyword=text),)


_NONE, _NUMBER, _COST = Parameter.NONE, Parameter.NUMBER, Parameter.COST

#: The table: keyword abilities by their word.
COMPOSITIONS: dict[str, Composition] = {
    "aftermath": Composition("702.127", _NONE, lambda _, text: ()),  # noqa: ARG005 how the half is cast, see split cards
    "affinity for": Composition("702.41", Parameter.QUALITY, casting.affinity),
    "afflict": Composition("702.130", _NUMBER, _afflict),
    "afterlife": Composition("702.135", _NUMBER, _afterlife, Keyword.AFTERLIFE),
    "annihilator": Composition("702.86", _NUMBER, _annihilator),
    "ascend": Composition("702.131", _NONE, _ascend),
    "bargain": Composition("702.166", _NONE, casting.bargain),
    "bestow": Composition("702.103", _COST, casting.bestow),
    "battle cry": Composition("702.91", _NONE, _battle_cry),
    "blitz": Composition("702.152", _COST, casting.blitz),
    "bloodthirst": Composition("702.54", _NUMBER, _bloodthirst),
    "bushido": Composition("702.45", _NUMBER, _bushido),
    "buyback": Composition("702.27", _COST, casting.buyback),
    "cascade": Composition("702.85", _NONE, casting.cascade, Keyword.CASCADE),
    "can block additional": Composition("509.1b", _NUMBER, _can_block_more, Keyword.EVASION),
    "can block any number of creatures": Composition("509.1b", _NONE, _can_block_all, Keyword.EVASION),
    "can block only": Composition("509.1b", Parameter.QUALITY, _can_block_only, Keyword.EVASION),
    "can't be blocked by": Composition("509.1b", Parameter.QUALITY, _cant_be_blocked, Keyword.EVASION),
    "can't be blocked except by": Composition("509.1b", Parameter.QUALITY, _cant_be_blocked_except, Keyword.EVASION),
    "can't block creatures that are": Composition("509.1b", Parameter.QUALITY, _cant_block_them, Keyword.EVASION),
    "casualty": Composition("702.153", _NUMBER, casting.casualty),
    "champion": Composition("702.72", Parameter.FILTER, leaving.champion),
    "companion": Composition("702.139", Parameter.FILTER, _companion),
    "companion of a deck of at least": Composition("702.139", _NUMBER, _companion_of),
    "convoke": Composition("702.51", _NONE, _mark, Keyword.CONVOKE),
    "crew": Composition("702.122", _NUMBER, _crew),
    "cumulative upkeep": Composition("702.24", _COST, _cumulative_upkeep),
    "cycling": Composition("702.29", _COST, _cycling),
    "devour": Composition("702.82", _NUMBER, _devour),
    "disguise": Composition("702.168", _COST, face_down.disguise),
    "dredge": Composition("702.52", _NUMBER, _dredge),
    "umbra armor": Composition("702.89", _NONE, _umbra_armor),
    "daybound": Composition("702.145", _NONE, _daybound, Keyword.DAYBOUND),
    "dash": Composition("702.109", _COST, casting.dash),
    "delve": Composition("702.66", _NONE, _mark, Keyword.DELVE),
    "devoid": Composition("702.114", _NONE, lambda _, text: ()),  # noqa: ARG005 a mark of the face alone
    "echo": Composition("702.30", _COST, _echo),
    "embalm": Composition("702.128", _COST, _embalm),
    "emerge": Composition("702.119", _COST, casting.emerge),
    "enchant": Composition("702.5", Parameter.FILTER, _enchant),
    "equip": Composition("702.6", _COST, _equip),
    "escape": Composition("702.138", _COST, casting.escape),
    "eternalize": Composition("702.129", _COST, _eternalize),
    "evoke": Composition("702.74", _COST, casting.evoke),
    "evolve": Composition("702.100", _NONE, _evolve, Keyword.EVOLVE),
    "exalted": Composition("702.83", _NONE, _exalted, Keyword.EXALTED),
    "exploit": Composition("702.110", _NONE, _exploit),
    "extort": Composition("702.101", _NONE, _extort, Keyword.EXTORT),
    "fabricate": Composition("702.123", _NUMBER, _fabricate),
    "fading": Composition("702.32", _NUMBER, _fading, Keyword.FADING),
    "flanking": Composition("702.25", _NONE, _flanking, Keyword.FLANKING),
    "flashback": Composition("702.34", _COST, casting.flashback),
    "foretell": Composition("702.143", _COST, casting.foretell),
    "fortify": Composition("702.67", _COST, _fortify),
    "frenzy": Composition("702.68", _NUMBER, _frenzy),
    "fuse": Composition("702.102", _NONE, lambda _, text: ()),  # noqa: ARG005 how the card is cast, see split cards
    "gift": Composition("702.174", Parameter.WORDS, casting.gift),
    "graft": Composition("702.58", _NUMBER, _graft),
    # The mark says that sources are to be looked at; protection and hexproof from something share it.
    "harmonize": Composition("702.180", _COST, casting.harmonize),
    "hideaway": Composition("702.75", _NUMBER, face_down.hideaway),
    "hexproof from": Composition("702.11d", Parameter.QUALITY, _hexproof_from, Keyword.PROTECTION),
    "impending": Composition("702.176", Parameter.NUMBER_COST, casting.impending),
    "improvise": Composition("702.126", _NONE, _mark, Keyword.IMPROVISE),
    "ingest": Composition("702.115", _NONE, _ingest),
    "jump-start": Composition("702.133", _NONE, casting.jump_start),
    "kicker": Composition("702.33", _COST, casting.kicker),
    "level up": Composition("702.87", _COST, _level_up),
    "landwalk": Composition("702.14", Parameter.FILTER, _landwalk, Keyword.LANDWALK),
    "living weapon": Composition("702.92", _NONE, _living_weapon),
    "madness": Composition("702.35", _COST, casting.madness),
    "megamorph": Composition("702.37b", _COST, face_down.megamorph),
    "mentor": Composition("702.134", _NONE, _mentor),
    "miracle": Composition("702.94", _COST, casting.miracle),
    "mobilize": Composition("702.181", _NUMBER, _mobilize),
    "modular": Composition("702.43", _NUMBER, _modular),
    "morph": Composition("702.37", _COST, face_down.morph),
    "multikicker": Composition("702.33c", _COST, casting.multikicker),
    "myriad": Composition("702.116", _NONE, _myriad),
    "ninjutsu": Composition("702.49", _COST, _ninjutsu),
    "offspring": Composition("702.175", _COST, casting.offspring),
    "outlast": Composition("702.107", _COST, _outlast),
    "persist": Composition("702.79", _NONE, lambda _, text: _comes_back("-1/-1", text), Keyword.PERSIST),
    "partner": Composition("702.124", _NONE, lambda _, text: ()),  # noqa: ARG005 a rule of decks
    "partner with": Composition("702.124", Parameter.WORDS, _partner_with),
    "plot": Composition("702.170", _COST, casting.plot),
    "poisonous": Composition("702.70", _NUMBER, _poisonous),
    "protection from": Composition("702.16", Parameter.QUALITY, _protection, Keyword.PROTECTION),
    "prowess": Composition("702.108", _NONE, _prowess, Keyword.PROWESS),
    "rampage": Composition("702.23", _NUMBER, _rampage),
    "rebound": Composition("702.88", _NONE, casting.rebound),
    "renown": Composition("702.112", _NUMBER, _renown),
    "replicate": Composition("702.56", _COST, casting.replicate),
    "retrace": Composition("702.81", _NONE, casting.retrace),
    "riot": Composition("702.136", _NONE, _riot),
    "scavenge": Composition("702.97", _COST, _scavenge),
    "soulshift": Composition("702.46", _NUMBER, _soulshift),
    "spectacle": Composition("702.137", _COST, casting.spectacle),
    "split second": Composition("702.61", _NONE, _mark, Keyword.SPLIT_SECOND),
    "station": Composition("702.184", _NONE, _station),
    "squad": Composition("702.157", _COST, casting.squad),
    "gravestorm": Composition("702.69", _NONE, casting.gravestorm),
    "haunt": Composition("702.55", _NONE, leaving.haunt),
    "storm": Composition("702.40", _NONE, casting.storm, Keyword.STORM),
    "surge": Composition("702.117", _COST, casting.surge),
    "suspend": Composition("702.62", Parameter.NUMBER_COST, casting.suspend),
    "toxic": Composition("702.164", _NUMBER, _toxic, Keyword.TOXIC),
    "training": Composition("702.149", _NONE, _training),
    "transmute": Composition("702.53", _COST, _transmute),
    "undying": Composition("702.93", _NONE, lambda _, text: _comes_back("+1/+1", text), Keyword.UNDYING),
    "unleash": Composition("702.98", _NONE, _unleash),
    "unearth": Composition("702.84", _COST, casting.unearth),
    "vanishing": Composition("702.63", _NUMBER, _vanishing),
    "ward": Composition("702.21", _COST, _ward, Keyword.WARD),
    "warp": Composition("702.185", _COST, casting.warp),
}
#: Marks that say that there is an ability of the table, and those of abilities without parameter.
SUMMARY = functools.reduce(lambda a, b: a | b, (c.mark for c in COMPOSITIONS.values()))
_BY_MARK = {c.mark: word for word, c in COMPOSITIONS.items() if c.mark and c.parameter is _NONE}
_WITH_PARAMETER = {c.mark: word for word, c in COMPOSITIONS.items() if c.mark and c.parameter is not _NONE}
#: Keywords that are rules themselves, though they come behind the summaries.
PLAIN_MARKS = (
    *(Keyword.PHASING, Keyword.MUST_BLOCK, Keyword.MUST_BE_BLOCKED, Keyword.LURE, Keyword.ONE_BLOCKER, Keyword.EXERT),
    *(Keyword.CANT_ATTACK_ALONE, Keyword.CANT_BLOCK_ALONE, Keyword.MAY_STAY_TAPPED, Keyword.NIGHTBOUND),
)
#: The other members of `Keyword` from the first summary on are all in the table.
covers(
    (k for k in Keyword if k >= Keyword.PROTECTION and k not in PLAIN_MARKS),
    {c.mark: w for w, c in COMPOSITIONS.items()},
    "keyword abilities",
)

_COLOR_WORDS = {"white": Color.W, "blue": Color.U, "black": Color.B, "red": Color.R, "green": Color.G}
#: Qualities after "protection from" and "hexproof from" that are no filters by themselves.
_QUALITIES: dict[str, Filter] = {
    **{word: f.has_color(color) for word, color in _COLOR_WORDS.items()},
    **{f"{t.name.lower()}s": f.has_type(t) for t in TypeBit if t.name},
    "sorceries": f.sorcery,
    "all colors": f.colors_between(1, 5),
    "each color": f.colors_between(1, 5),
    "monocolored": f.colors_between(1, 1),
    "the chosen color": f.chosen_color,
}
#: "Islandwalk", "snow swampwalk", "nonbasic landwalk" (CR 702.14a).
_WALK = re.compile(r"((?:snow |nonbasic |legendary |artifact )?[a-z]+)walk", re.IGNORECASE)


def _land_of(words: str) -> str:
    """Return the filter of the land in the name of a landwalk ability."""
    *qualities, kind = words.lower().split()
    parts = [{"nonbasic": "~basic"}.get(q, q) for q in qualities]
    if kind != "land":
        parts.append(f'subtype("{kind.capitalize()}")')
    return " & ".join(parts) or "land"


#: Landcycling and the like (CR 702.29e).
_TYPECYCLING = re.compile(r"((?:basic )?[a-z]+)cycling (.+)", re.IGNORECASE)
#: Protection from each colour, in the order of the colours' bits: what "the colour of your choice" chooses from.
PROTECTION_FROM_COLORS: tuple[Ability, ...] = tuple(
    ProtectionAbility(f.has_color(color), keyword=f"protection from {word}") for word, color in _COLOR_WORDS.items()
)


@dataclass(frozen=True, slots=True)
class KeywordAbility:
    """A keyword ability of the table, with its parameter.

    Attributes:
        word: the keyword.
        parameter: the text after it, "" none.
    """

    word: str
    parameter: str = ""

    @property
    def text(self) -> str:
        """The keyword and its parameter."""
        return f"{self.word} {self.parameter}" if self.parameter else self.word

    @property
    def rule(self) -> str:
        """Number of its rule."""
        return "702.29e" if self.word not in COMPOSITIONS else COMPOSITIONS[self.word].rule

    @property
    def parts(self) -> Parts:
        """What it stands for."""
        return _parts(self.word, self.parameter)


def _filter(text: str, word: str) -> Filter:
    found = _QUALITIES.get(text.lower()) if word != "enchant" else None
    made = found if found is not None else evaluate(text, NAMESPACE)
    if not isinstance(made, Filter):
        raise ValueError(f"{word}: {text!r} is no filter such as creature")
    return made


def _parameter(word: str, kind: Parameter, text: str) -> object:
    if kind is Parameter.NONE:
        if text:
            raise ValueError(f"{word} has no parameter, but {text!r} follows it")
        return None
    if not text:
        raise ValueError(f"{word}: {kind.value} must follow")
    if kind is Parameter.NUMBER:
        if not re.fullmatch("[1-9][0-9]?", text):
            raise ValueError(f"{word}: a number from 1 to 99 must follow, not {text!r}")
        return int(text)
    if kind is Parameter.NUMBER_COST:
        number, _, price = text.partition(" ")
        if not re.fullmatch("[1-9][0-9]?", number) or not price:
            raise ValueError(f"{word}: a number from 1 to 99 and a cost must follow, not {text!r}")
        return int(number), cost(price)
    if kind is Parameter.WORDS:
        return text
    return cost(text) if kind is Parameter.COST else _filter(text, word)


@functools.cache
def _parts(word: str, parameter: str) -> Parts:
    text = f"{word} {parameter}" if parameter else word
    composition = COMPOSITIONS.get(word)
    if word == "devoid":
        return Parts(colorless=True)
    if composition is None:
        made, mark = _typecycling(word, parameter, text), NO_KEYWORDS
    else:
        made = composition.make(_parameter(word, composition.parameter, parameter), text)
        mark = composition.mark
    enchants = [m for m in made if isinstance(m, SpellAbility)]
    optional = tuple(m for m in made if isinstance(m, OptionalCost))
    ways = tuple(m for m in made if isinstance(m, Way))
    given = tuple(m for m in made if isinstance(m, Effect))
    abilities: Any = tuple(m for m in made if not isinstance(m, SpellAbility | OptionalCost | Way | Effect))
    return Parts(mark, abilities, optional, enchants[0] if enchants else None, ways, given=given)


def _typecycling(word: str, parameter: str, text: str) -> tuple[object, ...]:
    kind = word.removesuffix("cycling")
    basic = kind.startswith("basic ")
    name = kind.removeprefix("basic ")
    wanted = f.land if name == "land" else f.subtype(name.capitalize())
    card = f.basic & wanted if basic else wanted
    return _from_hand(cost(parameter), do.search_library(r.you, card, Zone.HAND), text)


def keyword_ability(text: str) -> KeywordAbility:
    """Return the keyword ability written as `text`: "prowess", "ward {2}", "protection from red".

    Raises:
        ValueError: there is none, or its parameter is not understood.
    """
    plain = " ".join(text.split())
    lower = plain.lower()
    walk = _WALK.fullmatch(plain)
    if walk is not None:
        return KeywordAbility("landwalk", _land_of(walk[1]))
    for word in sorted(COMPOSITIONS, key=len, reverse=True):
        if lower == word or lower.startswith(f"{word} "):
            made = KeywordAbility(word, plain[len(word) :].strip())
            break
    else:
        match = _TYPECYCLING.fullmatch(plain)
        if match is None:
            hint = did_you_mean(nearest(lower.partition(" ")[0], COMPOSITIONS))
            raise ValueError(f"no keyword ability is written {text!r}{hint}")
        made = KeywordAbility(f"{match[1].lower()}cycling", match[2])
    _ = made.parts
    return made


def check_keywords(mask: Keyword, what: str) -> None:
    """Check that each of `mask` says all that there is to say.

    Raises:
        ValueError: one of them has a parameter, which is missing.
    """
    for mark, word in _WITH_PARAMETER.items():
        if mark in mask:
            raise ValueError(f'{what}: {word} has a parameter: write the text, such as "{word} ..."')


def abilities_of_marks(mask: Keyword) -> tuple[KeywordAbility, ...]:
    """Return the keyword abilities without parameter that `mask` stands for."""
    return tuple(KeywordAbility(word) for mark, word in _BY_MARK.items() if mark in mask)


def expand(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return `changes` with keyword abilities written out, in the order of their layers.

    Raises:
        ValueError: a keyword ability cannot be gained by a permanent.
    """
    return changes_of(written_out(changes), "gain")


def written_out(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return `changes` with keyword abilities written out: marks and abilities.

    Raises:
        ValueError: a keyword ability cannot be gained by a permanent.
    """
    found: list[Change] = []
    for change in changes:
        if change.op is not ChangeOp.ADD_KEYWORDS:
            found.append(change)
            continue
        (mask,) = change.args
        assert isinstance(mask, Keyword)
        gained = (*abilities_of_marks(mask), *map(keyword_ability, change.keywords))
        for ability in gained:
            mask |= ability.parts.mark
            if ability.parts.optional or ability.parts.ways or ability.parts.enchants is not None:
                raise ValueError(f"a permanent cannot gain {ability.text}")
        if mask:
            found.append(Change(ChangeOp.ADD_KEYWORDS, (mask,)))
        found += [Change(ChangeOp.ADD_ABILITY, (a,)) for ability in gained for a in ability.parts.abilities]
    return tuple(found)
