"""Keyword actions that are made of other effects (CR 701): each word stands for several instructions, in order.

Those that are instructions of their own (scry, fight, mill …) stand in `effects`.
"""

from __future__ import annotations

from lkicore.opcodes import Duration, Zone

from . import effects as do
from . import filters as f
from . import references as r
from .changes import add_subtype
from .conditions import equal, exists, matches, not_
from .deeds import act, designate, reveal
from .flow import Instruction, if_, may
from .lasting import apply
from .plays import cast_now
from .relations import designated, mana_value, toughness
from .relations import is_ as f_is
from .values import ValueLike, count_of, counters_on, least, number_of, result

#: Tokens that keyword actions create, by the names that the pool must have them under.
CLUE_TOKEN = "Clue Token"
_PLUS = "+1/+1"


def investigate(player: r.Ref = r.you, times: ValueLike = 1) -> tuple[Instruction, ...]:
    """Players investigate: each creates a Clue (CR 701.16)."""
    return do.create_tokens(player, times, CLUE_TOKEN), act("investigates", player)


def explore(what: r.Ref = r.source) -> tuple[Instruction, ...]:
    """A creature explores (CR 701.44); one that is gone does, as far as it can, by its last controller (701.44c)."""
    who = r.controller_of(what)
    grown = do.put_counters(what, 1, _PLUS)
    put_away = may(do.move(r.moved, Zone.GRAVEYARD), who)
    found = if_(matches(r.moved, f.land), do.move(r.moved, Zone.HAND), (grown, put_away))
    return reveal(r.top_cards(who)), found, act("explores", what)


def connive(what: r.Ref = r.source, amount: ValueLike = 1) -> tuple[Instruction, ...]:
    """A creature connives (CR 701.50): draw, discard, a +1/+1 counter for each nonland card discarded."""
    who = r.controller_of(what)
    grown = do.put_counters(what, count_of(r.moved, ~f.land), _PLUS)
    return do.draw(who, amount), do.discard(who, amount), grown, act("connives", what)


def amass(kind: str, amount: ValueLike) -> tuple[Instruction, ...]:
    """You amass: an Army of yours, new if there is none, gets counters and the creature type `kind` (CR 701.47)."""
    army = f.subtype("Army") & f.creature & f.yours
    made = if_(not_(exists(army)), do.create_tokens(r.you, 1, f"{kind} Army Token"))
    typed = apply(r.picked, add_subtype(kind), duration=Duration.PERMANENT)
    return made, do.pick(r.you, army, 1, 1), do.put_counters(r.picked, amount, _PLUS), typed


def learn() -> tuple[Instruction, ...]:
    """You learn: take a Lesson from outside the game, or discard a card and draw one (CR 701.48)."""
    lesson = do.pick(r.you, f.subtype("Lesson"), 0, 1, zone=Zone.SIDEBOARD, own=True)
    drawn = (do.discard(r.you, 1), if_(number_of(r.moved) >= 1, do.draw(r.you, 1)))
    return lesson, if_(number_of(r.picked) >= 1, do.move(r.picked, Zone.HAND), may(drawn))


def adapt(amount: ValueLike) -> tuple[Instruction, ...]:
    """The source adapts: +1/+1 counters if it has none (CR 701.46)."""
    return (if_(equal(counters_on(r.source, _PLUS), 0), do.put_counters(r.source, amount, _PLUS)),)


def monstrosity(amount: ValueLike) -> tuple[Instruction, ...]:
    """The source becomes monstrous, with +1/+1 counters, if it isn't (CR 701.37)."""
    becomes = (
        do.put_counters(r.source, amount, _PLUS),
        designate(r.source, "monstrous"),
        act("becomes monstrous", r.source),
    )
    return (if_(not_(matches(r.source, designated("monstrous"))), becomes),)


def bolster(amount: ValueLike) -> tuple[Instruction, ...]:
    """+1/+1 counters on a creature of yours with the least toughness (CR 701.39)."""
    mine = f.creature & f.yours
    smallest = mine & toughness(at_most=least("toughness", mine))
    return do.pick(r.you, smallest, 1, 1), do.put_counters(r.picked, amount, _PLUS)


def discover(most: ValueLike) -> tuple[Instruction, ...]:
    """You discover: exile cards up to a nonland one of mana value `most` or less; cast it free, or take it (701.57)."""
    rest = r.each(f.in_zone(Zone.EXILE) & f_is(r.moved) & ~f_is(r.picked))
    others = do.move(rest, Zone.LIBRARY, bottom=True, random=True)
    taken = (others, do.move(r.picked, Zone.HAND))
    return (
        do.dig_until(r.you, ~f.land & mana_value(at_most=most)),
        cast_now(r.you, r.picked, "discover", at_most=most),
        if_(equal(result, 0), taken, others),
    )


def populate() -> tuple[Instruction, ...]:
    """You create a copy of a creature token of yours (CR 701.36)."""
    return do.pick(r.you, f.creature & f.token & f.yours, 1, 1), do.copy_token(r.you, 1, r.picked)
