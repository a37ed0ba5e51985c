"""Keyword abilities that are made of others, or have parameters (CR 702): one table, one entry a keyword.

A keyword that is only a mark (flying) is a member of `Keyword` and needs nothing here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from lkicore.opcodes import ChangeOp, Color, EnterOp, Keyword, ReplaceOp, Step, Timing, TypeBit, Zone

from . import effects as do
from . import filters as f
from . import references as r
from . import triggers as when
from .abilities import (
    Ability,
    ActivatedAbility,
    HexproofAbility,
    ProtectionAbility,
    ReplacementAbility,
    SpellAbility,
    ToxicAbility,
    TriggeredAbility,
)
from .changes import Change, Enter, changes_of
from .conditions import any_of, equal
from .costs import Cost, OptionalCost, discard_this
from .expressions import evaluate
from .filters import Filter
from .flow import if_, may, pay
from .hints import did_you_mean, nearest
from .lasting import pump
from .operands import NO_KEYWORDS, Kind, covers
from .reading import cost
from .target_specs import TargetSpec
from .values import counters_on, power_of, result, toughness_of, value
from .vocabulary import NAMESPACE

#: Tokens that keyword abilities create, by the names that the pool must have them under.
SPIRIT_TOKEN, SERVO_TOKEN = "Afterlife Spirit Token", "Servo Token"


class Parameter(Enum):
    """What stands after a keyword."""

    NONE = "nothing"
    NUMBER = "a number"
    COST = "a cost"
    FILTER = "a filter"
    QUALITY = "a colour, a card type in the plural, or a filter"


@dataclass(frozen=True, slots=True)
class Parts:
    """What a keyword ability stands for.

    Attributes:
        mark: the bit of `Keyword` that says that it is there, if there is one.
        abilities: abilities of the object.
        optional: costs that may be paid besides, on casting it.
        enchants: what an Aura spell targets, or None.
    """

    mark: Keyword = NO_KEYWORDS
    abilities: tuple[Ability, ...] = ()
    optional: tuple[OptionalCost, ...] = ()
    enchants: SpellAbility | None = None


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
    effects = (do.move(r.event_card, Zone.BATTLEFIELD), do.put_counters(r.moved, 1, counter))
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
    grown = do.put_counters(r.source, 1, "+1/+1")
    return (TriggeredAbility(event, (grown,), condition=larger, keyword=text),)


def _battle_cry(_: None, text: str) -> tuple[object, ...]:
    others = r.each(f.creature & f.attacking & f.other)
    return (TriggeredAbility(when.attacks(), (pump(others, 1, 0),), keyword=text),)


# ----------------------------------------------------------------------------------------------- with a number
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


# ------------------------------------------------------------------------------------------------- with a cost
def _ward(price: Cost, text: str) -> tuple[object, ...]:
    unpaid = pay(price, otherwise=do.counter(r.event_other), who=r.event_player)
    return (TriggeredAbility(when.becomes_target(by=f.opponent), (unpaid,), keyword=text),)


def _equip(price: Cost, text: str) -> tuple[object, ...]:
    bearer = TargetSpec(f.creature & f.yours)
    effects = (do.attach(r.source, r.target(0)),)
    return (ActivatedAbility(price, effects, (bearer,), timing=Timing.SORCERY, keyword=text),)


def _from_hand(price: Cost, effect: do.Effect, text: str) -> tuple[object, ...]:
    whole = Cost(price.mana, price.flags, (*price.parts, discard_this))
    return (ActivatedAbility(whole, (effect,), zone=Zone.HAND, keyword=text),)


def _cycling(price: Cost, text: str) -> tuple[object, ...]:
    return _from_hand(price, do.draw(r.you, 1), text)


def _kicker(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001 all makers are called alike
    return (OptionalCost(price),)


def _multikicker(price: Cost, text: str) -> tuple[object, ...]:  # noqa: ARG001
    return (OptionalCost(price, several=True),)


# ---------------------------------------------------------------------------------------------- with a quality
def _enchant(what: Filter, text: str) -> tuple[object, ...]:  # noqa: ARG001
    if what.kind & Kind.PLAYER:
        raise ValueError("enchant: only objects can be enchanted, not players")
    return (SpellAbility(targets=(TargetSpec(what),), enchants=True),)


def _protection(what: Filter, text: str) -> tuple[object, ...]:
    return (ProtectionAbility(what, keyword=text),)


def _hexproof_from(what: Filter, text: str) -> tuple[object, ...]:
    return (HexproofAbility(what, keyword=text),)


_NONE, _NUMBER, _COST = Parameter.NONE, Parameter.NUMBER, Parameter.COST

#: The table: keyword abilities by their word.
COMPOSITIONS: dict[str, Composition] = {
    "afterlife": Composition("702.135", _NUMBER, _afterlife, Keyword.AFTERLIFE),
    "annihilator": Composition("702.86", _NUMBER, _annihilator),
    "battle cry": Composition("702.91", _NONE, _battle_cry),
    "bushido": Composition("702.45", _NUMBER, _bushido),
    "cycling": Composition("702.29", _COST, _cycling),
    "enchant": Composition("702.5", Parameter.FILTER, _enchant),
    "equip": Composition("702.6", _COST, _equip),
    "evolve": Composition("702.100", _NONE, _evolve, Keyword.EVOLVE),
    "exalted": Composition("702.83", _NONE, _exalted, Keyword.EXALTED),
    "extort": Composition("702.101", _NONE, _extort, Keyword.EXTORT),
    "fabricate": Composition("702.123", _NUMBER, _fabricate),
    "fading": Composition("702.32", _NUMBER, _fading, Keyword.FADING),
    "flanking": Composition("702.25", _NONE, _flanking, Keyword.FLANKING),
    "frenzy": Composition("702.68", _NUMBER, _frenzy),
    # The mark says that sources are to be looked at; protection and hexproof from something share it.
    "hexproof from": Composition("702.11d", Parameter.QUALITY, _hexproof_from, Keyword.PROTECTION),
    "kicker": Composition("702.33", _COST, _kicker),
    "modular": Composition("702.43", _NUMBER, _modular),
    "multikicker": Composition("702.33c", _COST, _multikicker),
    "persist": Composition("702.79", _NONE, lambda _, text: _comes_back("-1/-1", text), Keyword.PERSIST),
    "protection from": Composition("702.16", Parameter.QUALITY, _protection, Keyword.PROTECTION),
    "prowess": Composition("702.108", _NONE, _prowess, Keyword.PROWESS),
    "toxic": Composition("702.164", _NUMBER, _toxic, Keyword.TOXIC),
    "undying": Composition("702.93", _NONE, lambda _, text: _comes_back("+1/+1", text), Keyword.UNDYING),
    "vanishing": Composition("702.63", _NUMBER, _vanishing),
    "ward": Composition("702.21", _COST, _ward, Keyword.WARD),
}
#: Marks that say that there is an ability of the table, and those of abilities without parameter.
SUMMARY = functools.reduce(lambda a, b: a | b, (c.mark for c in COMPOSITIONS.values()))
_BY_MARK = {c.mark: word for word, c in COMPOSITIONS.items() if c.mark and c.parameter is _NONE}
_WITH_PARAMETER = {c.mark: word for word, c in COMPOSITIONS.items() if c.mark and c.parameter is not _NONE}
#: The members of `Keyword` from the first summary on are all in the table.
covers(
    (k for k in Keyword if k >= Keyword.PROTECTION), {c.mark: w for w, c in COMPOSITIONS.items()}, "keyword abilities"
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
}
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
    return cost(text) if kind is Parameter.COST else _filter(text, word)


@functools.cache
def _parts(word: str, parameter: str) -> Parts:
    text = f"{word} {parameter}" if parameter else word
    composition = COMPOSITIONS.get(word)
    if composition is None:
        made, mark = _typecycling(word, parameter, text), NO_KEYWORDS
    else:
        made = composition.make(_parameter(word, composition.parameter, parameter), text)
        mark = composition.mark
    enchants = [m for m in made if isinstance(m, SpellAbility)]
    optional = tuple(m for m in made if isinstance(m, OptionalCost))
    abilities: Any = tuple(m for m in made if not isinstance(m, SpellAbility | OptionalCost))
    return Parts(mark, abilities, optional, enchants[0] if enchants else None)


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
            if ability.parts.optional or ability.parts.enchants is not None:
                raise ValueError(f"a permanent cannot gain {ability.text}")
        if mask:
            found.append(Change(ChangeOp.ADD_KEYWORDS, (mask,)))
        found += [Change(ChangeOp.ADD_ABILITY, (a,)) for ability in gained for a in ability.parts.abilities]
    return tuple(found)
