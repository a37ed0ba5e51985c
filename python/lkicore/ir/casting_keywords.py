"""Keyword abilities about casting (CR 702): ways and costs, what is cast later, and what casting triggers.

Entries of the table in `keywords`; each function returns what the keyword stands for.
"""

from __future__ import annotations

from lkicore.opcodes import (
    CastOp,
    Duration,
    EnterOp,
    EventKind,
    Keyword,
    ReplaceOp,
    Step,
    Timing,
    WayFlag,
    WayKind,
    Zone,
)

from . import ability_words
from . import effects as do
from . import filters as f
from . import references as r
from . import triggers as when
from .abilities import (
    ActivatedAbility,
    EnchantAbility,
    ReplacementAbility,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
)
from .changes import Enter, add_subtype, changes_of, gain, gain_ability, lose_types, sets_pt
from .conditions import all_of, cast_by, equal
from .costs import Cost, OptionalCost, discard, exile_this, sacrifice, tap
from .filters import Filter
from .flow import Instruction, if_
from .lasting import apply
from .later import delayed
from .mana import mana_cost
from .plays import cast_now, may_play
from .reading import cost
from .relations import mana_value, power
from .spells import copy_spell
from .target_specs import TargetSpec
from .triggers import Event
from .values import (
    cast_before,
    count,
    counters_on,
    event_amount,
    happened,
    kicked_times,
    mana_value_of,
    result,
    value,
)
from .ways import CastingAbility, Way


def storm(_: None, text: str) -> tuple[object, ...]:
    # A copy of the spell as it is, or last was, for each spell cast before it this turn.
    copies = copy_spell(r.you, r.event_object, cast_before(r.event_object), new_targets=True)
    return (TriggeredAbility(when.cast(f.this), (copies,), keyword=text),)


def gravestorm(_: None, text: str) -> tuple[object, ...]:
    # For each permanent put into a graveyard this turn; what was put there from the battlefield was one (CR 608.2i).
    gone = happened("graveyard", of=f.in_zone(Zone.BATTLEFIELD))
    copies = copy_spell(r.you, r.event_object, gone, new_targets=True)
    return (TriggeredAbility(when.cast(f.this), (copies,), keyword=text),)


def cascade(_: None, text: str) -> tuple[object, ...]:
    less = mana_value_of(r.event_object) - 1
    effects = (
        do.dig_until(r.you, ~f.land & mana_value(at_most=less)),
        cast_now(r.you, r.picked, "cascade", at_most=less),
        do.move(r.moved, Zone.LIBRARY, bottom=True, random=True),
    )
    return (TriggeredAbility(when.cast(f.this), effects, keyword=text),)


def bargain(_: None, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (OptionalCost(cost("sacrifice(artifact | enchantment | token)"), kicker=False),)


def kicker(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001 all makers are called alike
    return (OptionalCost(price),)


def multikicker(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (OptionalCost(price, several=True),)


def buyback(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (OptionalCost(price, kicker=False, returns=True),)


def flashback(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (Way(WayKind.FLASHBACK, price, (Zone.GRAVEYARD,), flags=WayFlag.EXILE),)


def escape(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (Way(WayKind.ESCAPE, price, (Zone.GRAVEYARD,)),)


def evoke(price: Cost, text: str) -> tuple[object, ...]:
    # "When this permanent enters, if its evoke cost was paid, its controller sacrifices it."
    left = TriggeredAbility(when.enters(), (do.sacrifice(r.source),), condition=cast_by("evoke"), keyword=text)
    return (Way(WayKind.EVOKE, price), left)


def unearth(price: Cost, text: str) -> tuple[object, ...]:
    back = (
        do.move(r.source, Zone.BATTLEFIELD),
        apply(r.moved, gain(Keyword.HASTE), duration=Duration.PERMANENT),
        do.exile_if_leaves(r.moved),
        delayed(Duration.NEXT_END_STEP, do.exile(r.event_object), about=r.moved),
    )
    return (ActivatedAbility(price, back, timing=Timing.SORCERY, zone=Zone.GRAVEYARD, keyword=text),)


def spectacle(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (Way(WayKind.SPECTACLE, price, condition=ability_words.spectacle),)


def warp(price: Cost, text: str) -> tuple[object, ...]:
    later = may_play(r.owner_of(r.moved), r.moved, Duration.PERMANENT, played="spells", later=True)
    gone = (do.exile(r.source), later)
    left = TriggeredAbility(when.begins(Step.END), gone, condition=cast_by("warp"), keyword=text)
    return (Way(WayKind.WARP, price), left)


def quick(word: str, text: str) -> StaticAbility:
    return StaticAbility((gain(Keyword.HASTE),), condition=cast_by(word), keyword=text)


def dash(price: Cost, text: str) -> tuple[object, ...]:
    back = (do.return_to_hand(r.source),)
    left = TriggeredAbility(when.begins(Step.END), back, condition=cast_by("dash"), keyword=text)
    return (Way(WayKind.DASH, price), quick("dash", text), left)


def blitz(price: Cost, text: str) -> tuple[object, ...]:
    drawn = TriggeredAbility(when.dies(), (do.draw(r.you, 1),), condition=cast_by("blitz"), keyword=text)
    gone = (do.sacrifice(r.source),)
    left = TriggeredAbility(when.begins(Step.END), gone, condition=cast_by("blitz"), keyword=text)
    return (Way(WayKind.BLITZ, price), quick("blitz", text), drawn, left)


def offspring(price: Cost, text: str) -> tuple[object, ...]:
    young = do.copy_token(r.you, 1, r.source, but=sets_pt(1, 1))
    born = TriggeredAbility(when.enters(), (young,), condition=kicked_times(0) >= 1, keyword=text)
    return (OptionalCost(price, kicker=False), born)


def squad(price: Cost, text: str) -> tuple[object, ...]:
    others = do.copy_token(r.you, kicked_times(0), r.source)
    called = TriggeredAbility(when.enters(), (others,), condition=kicked_times(0) >= 1, keyword=text)
    return (OptionalCost(price, several=True, kicker=False), called)


def replicate(price: Cost, text: str) -> tuple[object, ...]:
    copies = copy_spell(r.you, r.event_object, kicked_times(0), new_targets=True)
    cast = TriggeredAbility(when.cast(f.this), (copies,), condition=kicked_times(0) >= 1, keyword=text)
    return (OptionalCost(price, several=True, kicker=False), cast)


def plot(price: Cost, text: str) -> tuple[object, ...]:
    # A special action: in the main phase, nobody can respond; the card can be cast on a later turn.
    whole = Cost(price.mana, price.flags, (*price.parts, exile_this))
    plotted = may_play(r.you, r.source_card, Duration.PERMANENT, way="plot", played="spells", sorcery=True, later=True)
    return (ActivatedAbility(whole, (plotted,), timing=Timing.SPECIAL | Timing.SORCERY, zone=Zone.HAND, keyword=text),)


def suspend(given: tuple[int, Cost], text: str) -> tuple[object, ...]:
    n, price = given
    whole = Cost(price.mana, price.flags, (*price.parts, exile_this))
    time = counters_on(r.source, "time")
    # What it becomes keeps what applies to the spell (CR 400.7a).
    quick = apply(r.source_card, gain(Keyword.HASTE), duration=Duration.PERMANENT)
    begun = ActivatedAbility(
        whole, (do.put_counters(r.source_card, n, "time"),), timing=Timing.SPECIAL, zone=Zone.HAND, keyword=text
    )
    passing = TriggeredAbility(
        when.begins(Step.UPKEEP, f.yourself),
        (do.remove_counters(r.source, 1, "time"),),
        condition=time >= 1,
        zone=Zone.EXILE,
        keyword=text,
    )
    over = TriggeredAbility(
        when.counters_removed(f.this, "time"),
        (cast_now(r.you, r.source, "suspend", lands=True), if_(equal(result, 1), quick)),
        condition=equal(time, 0),
        zone=Zone.EXILE,
        keyword=text,
    )
    return (begun, passing, over)


def affinity(what: Filter, text: str) -> tuple[object, ...]:
    return (CastingAbility(CastOp.LESS, amount=count(what & f.yours), keyword=text),)


def retrace(_: None, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (Way(WayKind.RETRACE, None, (Zone.GRAVEYARD,), also=Cost(parts=(discard(1, f.land),))),)


def jump_start(_: None, text: str) -> tuple[object, ...]:  # noqa: ARG001
    also = Cost(parts=(discard(1),))
    return (Way(WayKind.JUMP_START, None, (Zone.GRAVEYARD,), flags=WayFlag.EXILE, also=also),)


def surge(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (Way(WayKind.SURGE, price, condition=happened("cast", by=r.you) >= 1),)


def casualty(n: int, text: str) -> tuple[object, ...]:
    copied = copy_spell(r.you, r.event_object, 1, new_targets=True)
    price = Cost(parts=(sacrifice(f.creature & power(at_least=n)),))
    cast = TriggeredAbility(when.cast(f.this), (copied,), condition=kicked_times(0) >= 1, keyword=text)
    return (OptionalCost(price, kicker=False), cast)


def rebound(_: None, text: str) -> tuple[object, ...]:
    # The engine has it wait for its controller's next upkeep as the spell, cast from a hand, is exiled.
    again = (cast_now(r.you, r.source, "rebound"),)
    return (TriggeredAbility(Event(EventKind.DELAYED), again, zone=Zone.EXILE, keyword=text),)


def madness(price: Cost, text: str) -> tuple[object, ...]:
    # Discarded into exile; as the ability resolves, it is cast, or put into the graveyard (CR 702.35a).
    left = if_(equal(result, 0), do.move(r.source, Zone.GRAVEYARD))
    event = when.discards(f.yourself, f.this)
    cast = TriggeredAbility(event, (cast_now(r.you, r.source, "madness", price), left), zone=Zone.EXILE, keyword=text)
    return (cast,)


def miracle(price: Cost, text: str) -> tuple[object, ...]:
    drawn = when.draws(f.yourself, f.this, revealed=True)
    first = equal(event_amount, 1)
    cast = cast_now(r.you, r.source, "miracle", price)
    return (TriggeredAbility(drawn, (cast,), condition=first, zone=Zone.HAND, keyword=text),)


def foretell(price: Cost, text: str) -> tuple[object, ...]:
    # A special action of one's own turn; the card can be cast on a later turn (CR 116.2h, 702.143a).
    when_ = Timing.SPECIAL | Timing.YOUR_TURN
    hidden = do.move(r.source, Zone.EXILE, face_down=True)  # nobody gets to know it by that
    later = may_play(r.you, r.moved, Duration.PERMANENT, "foretell", price, played="spells", later=True)
    return (ActivatedAbility(Cost(mana_cost("{2}")), (hidden, later), timing=when_, zone=Zone.HAND, keyword=text),)


def impending(given: tuple[int, Cost], text: str) -> tuple[object, ...]:
    n, price = given
    time, so_cast = counters_on(r.source, "time"), cast_by("impending")
    enters = Enter(EnterOp.COUNTERS, ("time", value(n)))
    waits = StaticAbility((lose_types(f.creature),), condition=all_of(so_cast, time >= 1), keyword=text)
    passes = TriggeredAbility(
        when.begins(Step.END, f.yourself),
        (do.remove_counters(r.source, 1, "time"),),
        condition=all_of(so_cast, time >= 1),
        keyword=text,
    )
    counted = ReplacementAbility(ReplaceOp.ENTERS, enters=(enters,), condition=so_cast, keyword=text)
    return (Way(WayKind.IMPENDING, price), counted, waits, passes)


def bestow(price: Cost, text: str) -> tuple[object, ...]:
    """CR 702.103b: as long as it is bestowed, it is an Aura with enchant creature, as a spell and as a permanent."""
    enchants = SpellAbility(targets=(TargetSpec(f.creature),), enchants=True)
    aura = changes_of((lose_types(f.creature), add_subtype("Aura"), gain_ability(EnchantAbility(f.creature))), "bestow")
    there = StaticAbility(aura, condition=cast_by("bestow"), keyword=text)
    as_spell = StaticAbility(aura[:-1], condition=cast_by("bestow"), zone=Zone.STACK, keyword=text)
    return (Way(WayKind.BESTOW, price, spell=enchants), there, as_spell)


def emerge(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    whole = Cost(price.mana, price.flags, (sacrifice(f.creature), *price.parts))
    return (Way(WayKind.EMERGE, whole, flags=WayFlag.LESS_VALUE),)


def harmonize(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    # With a creature tapped for it, or without (CR 702.180a).
    whole = Cost(price.mana, price.flags, (tap(f.creature), *price.parts))
    ways = ((price, WayFlag.EXILE), (whole, WayFlag.EXILE | WayFlag.LESS_POWER))
    return tuple(Way(WayKind.HARMONIZE, c, (Zone.GRAVEYARD,), flags=marks) for c, marks in ways)


#: What is given to the opponent that it was promised to (CR 702.174d-i).
GIFTS: dict[str, Instruction] = {
    "a card": do.draw(r.chosen_player, 1),
    "a food": do.create_tokens(r.chosen_player, 1, "Food Token"),
    "a treasure": do.create_tokens(r.chosen_player, 1, "Treasure Token"),
    "a tapped fish": do.create_tokens(r.chosen_player, 1, "Fish Token", tapped=True),
    "an octopus": do.create_tokens(r.chosen_player, 1, "Octopus Token"),
    "an extra turn": do.extra_turn(r.chosen_player),
}


def gift(what: str, text: str) -> tuple[object, ...]:
    found = GIFTS.get(what.lower())
    if found is None:
        raise ValueError(f"{text}: there are {', '.join(f'gift {g}' for g in GIFTS)}")
    return (OptionalCost(Cost(), kicker=False, promise=True), found)
