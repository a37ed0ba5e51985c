"""Effects that change objects for a time (CR 611.2): `pump`, `gains`, `becomes`."""

from __future__ import annotations

from lkicore.opcodes import ChangeOp, Duration, EffectOp, Keyword, TypeBit

from . import changes as _changes
from .changes import Change, changes_of, color_mask, keywords_and_texts, type_mask
from .effects import Effect, duration_of
from .filters import Filter
from .operands import NO_KEYWORDS, Kind, describe, flag
from .references import Ref, reference
from .values import ValueLike


def apply(what: Ref, *changes: Change, duration: Duration = Duration.END_OF_TURN) -> Effect:
    """Objects are changed for `duration`; numbers are worked out on resolution (CR 608.2h, 611.2c).

    Raises:
        TypeError, ValueError: something is no change, or there is none.
    """
    objects = reference(what, "apply", kind=Kind.OBJECT)
    return Effect(EffectOp.APPLY, (objects, changes_of(changes, "apply"), duration_of(duration, "apply")))


def _apply(word: str, what: Ref, changes: tuple[Change, ...], duration: Duration) -> Effect:
    objects = reference(what, word, kind=Kind.OBJECT)
    return Effect(EffectOp.APPLY, (objects, changes_of(changes, word), duration_of(duration, word)))


def pump(
    what: Ref,
    power: ValueLike,
    toughness: ValueLike,
    keywords: Keyword = NO_KEYWORDS,
    duration: Duration = Duration.END_OF_TURN,
) -> Effect:
    """Permanents get +`power`/+`toughness` and gain `keywords` for `duration`.

    Raises:
        TypeError: an operand is of the wrong sort.
    """
    if not isinstance(keywords, Keyword):
        raise TypeError(f"pump: keywords such as trample are wanted, not {describe(keywords)}")
    reference(what, "pump", kind=Kind.OBJECT)
    made = (_changes.boost(power, toughness),)
    return _apply("pump", what, (*([_changes.gain(keywords)] if keywords else []), *made), duration)


def gains(what: Ref, *abilities: object, duration: Duration = Duration.END_OF_TURN) -> Effect:
    """Permanents gain abilities for `duration`: keywords, texts of keyword abilities, or abilities.

    Raises:
        TypeError, ValueError: something is no ability.
    """
    from .abilities import ABILITY_CLASSES

    words = tuple(a for a in abilities if isinstance(a, Keyword | str))
    others = [a for a in abilities if not isinstance(a, Keyword | str)]
    made: list[Change] = []
    if words or not others:
        mask, texts = keywords_and_texts(words, "gains")
        made.append(Change(ChangeOp.ADD_KEYWORDS, (mask,), texts))
    for ability in others:
        if not isinstance(ability, ABILITY_CLASSES):
            raise TypeError(f"gains: an ability is wanted, not {describe(ability)}")
        made.append(Change(ChangeOp.ADD_ABILITY, (ability,)))
    return _apply("gains", what, tuple(made), duration)


def loses(what: Ref, keywords: Keyword, duration: Duration = Duration.END_OF_TURN) -> Effect:
    """Permanents lose keyword abilities for `duration`."""
    return _apply("loses", what, (_changes.lose(keywords),), duration)


def gain_control(what: Ref, duration: Duration = Duration.PERMANENT) -> Effect:
    """You gain control of permanents for `duration` (layer 2)."""
    return _apply("gain_control", what, (_changes.control,), duration)


def switch_pt(what: Ref, duration: Duration = Duration.END_OF_TURN) -> Effect:
    """Power and toughness of creatures are switched (layer 7d)."""
    return _apply("switch_pt", what, (_changes.switch,), duration)


def becomes(
    what: Ref,
    types: Filter | TypeBit | None = None,
    subtypes: tuple[str, ...] | str = (),
    colors: str | None = None,
    pt: tuple[ValueLike, ValueLike] | None = None,
    keywords: Keyword = NO_KEYWORDS,
    all_creature_types: bool = False,
    lose_abilities: bool = False,
    keep: bool = True,
    duration: Duration = Duration.END_OF_TURN,
) -> Effect:
    """Permanents become something else for `duration`.

    Args:
        what: the permanents.
        types: card types.
        subtypes: subtypes, one word or several.
        colors: letters of the colours that they have instead of their own, or "colorless".
        pt: base power and toughness.
        keywords: keyword abilities that they gain.
        all_creature_types: they have every creature type.
        lose_abilities: they lose all abilities, and have those alone that they gain here.
        keep: types and subtypes are added to their own, which they keep.
        duration: how long.

    Raises:
        TypeError, ValueError: an operand is of the wrong sort, or nothing is changed.
    """
    kept = flag(keep, "becomes: keep")
    made: list[Change] = []
    if types is not None:
        op = ChangeOp.ADD_TYPES if kept else ChangeOp.SET_TYPES
        made.append(Change(op, (type_mask(types, "becomes: types"),)))
    names = tuple(subtypes.split()) if isinstance(subtypes, str) else tuple(subtypes)
    for i, name in enumerate(names):
        first = i == 0 and not kept
        made.append(_changes.set_subtype(name) if first else _changes.add_subtype(name))
    if flag(all_creature_types, "becomes: all_creature_types"):
        made.append(_changes.all_creature_types)
    if colors is not None:
        made.append(Change(ChangeOp.SET_COLORS, (color_mask(colors, "becomes: colors"),)))
    if flag(lose_abilities, "becomes: lose_abilities"):
        made.append(_changes.lose_all_abilities)
    if keywords:
        made.append(_changes.gain(keywords))
    if pt is not None:
        size: object = pt
        if not isinstance(size, tuple) or len(size) != 2:
            raise TypeError(f"becomes: pt is two numbers such as (2, 2), not {describe(pt)}")
        made.append(_changes.sets_pt(*pt))
    return _apply("becomes", what, tuple(made), duration)


def protection_from_chosen_color(what: Ref, duration: Duration = Duration.END_OF_TURN) -> Effect:
    """Permanents gain protection from the colour chosen by `pick_color` before (CR 702.16, 608.2d)."""
    from .keywords import PROTECTION_FROM_COLORS

    made = (_changes.gain_mark(Keyword.PROTECTION), Change(ChangeOp.ADD_CHOSEN_ABILITY, (PROTECTION_FROM_COLORS,)))
    return _apply("protection_from_chosen_color", what, made, duration)
