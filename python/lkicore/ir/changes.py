"""Changes: what continuous effects do to objects, each in its layer (CR 613.1), and how permanents enter (614.1c)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lkicore.opcodes import ChangeOp, ChosenKind, Color, EnterOp, FilterOp, Keyword, TypeBit, Zone

from .filters import Filter, filter_of_objects, filter_of_players
from .mana import COLOR_LETTERS
from .operands import NO_KEYWORDS, Signature, Sort, covers, describe, number
from .values import ValueLike, counter_name, value

if TYPE_CHECKING:
    from .abilities import Ability

_SIZE: Signature = (("power", Sort.VALUE), ("toughness", Sort.VALUE))

#: Keywords are two operands: the mask, and texts of keyword abilities ("ward {2}"), which are gone once expanded.
CHANGE_SIGNATURES: dict[ChangeOp, Signature] = {
    ChangeOp.CONTROL: (),
    ChangeOp.ADD_TYPES: (("types", Sort.TYPES),),
    ChangeOp.SET_TYPES: (("types", Sort.TYPES),),
    ChangeOp.ADD_SUBTYPE: (("subtype", Sort.SUBTYPE),),
    ChangeOp.TYPES_OF_LINKED: (("link", Sort.NUMBER),),
    ChangeOp.SET_SUBTYPE: (("subtype", Sort.SUBTYPE),),
    ChangeOp.ALL_CREATURE_TYPES: (),
    ChangeOp.SET_COLORS: (("colors", Sort.COLORS),),
    ChangeOp.ADD_COLORS: (("colors", Sort.COLORS),),
    ChangeOp.ADD_KEYWORDS: (("keywords", Sort.KEYWORDS),),
    ChangeOp.LOSE_KEYWORDS: (("keywords", Sort.KEYWORDS),),
    ChangeOp.ADD_ABILITY: (("ability", Sort.ABILITY),),
    ChangeOp.ADD_CHOSEN_ABILITY: (("abilities", Sort.ABILITIES),),
    ChangeOp.LOSE_ABILITIES: (),
    ChangeOp.CDA_PT: _SIZE,
    ChangeOp.SET_PT: _SIZE,
    ChangeOp.ADD_PT: _SIZE,
    ChangeOp.SWITCH_PT: (),
    ChangeOp.LOSE_TYPES: (("types", Sort.TYPES),),
    ChangeOp.KEEP_ABILITY: (),
    ChangeOp.SET_NAME: (("name", Sort.CARD),),
    ChangeOp.NO_COST: (),
    ChangeOp.PLAYER_FACTS: (("facts", Sort.NUMBER),),
    ChangeOp.LAND_PLAYS: (("more", Sort.VALUE),),
    ChangeOp.HAND_SIZE: (("size", Sort.VALUE),),
    ChangeOp.ADD_HAND_SIZE: (("more", Sort.VALUE),),
    ChangeOp.PROTECT_PLAYER: (("ability", Sort.ABILITY),),
}
covers(ChangeOp, CHANGE_SIGNATURES, "signatures of changes")

#: Changes of players, which come after the layers (CR 613.10-11).
PLAYER_CHANGES = frozenset(
    {
        ChangeOp.PLAYER_FACTS,
        ChangeOp.LAND_PLAYS,
        ChangeOp.HAND_SIZE,
        ChangeOp.ADD_HAND_SIZE,
        ChangeOp.PROTECT_PLAYER,
    }
)

#: Number of the layer or sublayer of each change (CR 613.1, 613.4): 7a to 7d are 7 to 10, what is said of players 11.
PLAYERS_LAYER = 11
LAYERS: dict[ChangeOp, int] = {
    ChangeOp.CONTROL: 2,
    ChangeOp.ADD_TYPES: 4,
    ChangeOp.SET_TYPES: 4,
    ChangeOp.ADD_SUBTYPE: 4,
    ChangeOp.SET_SUBTYPE: 4,
    ChangeOp.ALL_CREATURE_TYPES: 4,
    ChangeOp.SET_COLORS: 5,
    ChangeOp.ADD_COLORS: 5,
    ChangeOp.ADD_KEYWORDS: 6,
    ChangeOp.LOSE_KEYWORDS: 6,
    ChangeOp.ADD_ABILITY: 6,
    ChangeOp.ADD_CHOSEN_ABILITY: 6,
    ChangeOp.LOSE_ABILITIES: 6,
    ChangeOp.CDA_PT: 7,
    ChangeOp.SET_PT: 8,
    ChangeOp.ADD_PT: 9,
    ChangeOp.SWITCH_PT: 10,
    ChangeOp.LOSE_TYPES: 4,
    ChangeOp.TYPES_OF_LINKED: 4,
    ChangeOp.KEEP_ABILITY: 1,
    ChangeOp.SET_NAME: 1,
    ChangeOp.NO_COST: 1,
    **dict.fromkeys(PLAYER_CHANGES, PLAYERS_LAYER),
}
covers(ChangeOp, LAYERS, "layers of changes")

#: Changes that only the exceptions of a copy can make (CR 707.9), and those that exceptions can't make.
ONLY_EXCEPTIONS = frozenset({ChangeOp.KEEP_ABILITY, ChangeOp.SET_NAME, ChangeOp.NO_COST})
NO_EXCEPTIONS = frozenset(
    {ChangeOp.CONTROL, ChangeOp.ADD_CHOSEN_ABILITY, ChangeOp.CDA_PT, ChangeOp.ADD_PT, ChangeOp.SWITCH_PT}
)

ENTER_SIGNATURES: dict[EnterOp, Signature] = {
    EnterOp.TAPPED: (),
    EnterOp.COUNTERS: (("kind", Sort.COUNTER), ("amount", Sort.VALUE)),
    EnterOp.CHOOSE: (("what", Sort.NUMBER), ("players", Sort.OPTIONAL_FILTER), ("most", Sort.NUMBER)),
    EnterOp.UNLESS_PAID: (("cost", Sort.ABILITY),),
    EnterOp.DEVOUR: (("number", Sort.NUMBER),),
    EnterOp.EITHER: (("kind", Sort.COUNTER), ("amount", Sort.VALUE), ("but", Sort.EXCEPTIONS)),
    EnterOp.UNDER: (),
    EnterOp.DELAY: (("ability", Sort.ABILITY), ("when", Sort.DURATION)),
    EnterOp.DAY: (),
    EnterOp.COPY: (("of", Sort.FILTER), ("but", Sort.EXCEPTIONS), ("zone", Sort.ZONE)),
}
covers(EnterOp, ENTER_SIGNATURES, "signatures of ways to enter")


@dataclass(frozen=True, slots=True)
class Change:
    """A change that a continuous effect makes.

    Attributes:
        op: what is changed.
        args: its operands, as the signature of `op` says.
        keywords: ADD_KEYWORDS: texts of keyword abilities that have parameters, such as "ward {2}".
    """

    op: ChangeOp
    args: tuple[object, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def layer(self) -> int:
        """Number of its layer."""
        return LAYERS[self.op]


@dataclass(frozen=True, slots=True)
class Enter:
    """A way in which a permanent enters (CR 614.1c-d).

    Attributes:
        op: the way.
        args: its operands, as the signature of `op` says.
    """

    op: EnterOp
    args: tuple[object, ...] = ()


def changes_of(changes: object, what: str) -> tuple[Change, ...]:
    """Return `changes` in the order of their layers (CR 613.1).

    Raises:
        TypeError: one is no change.
        ValueError: there is none.
    """
    found = changes if isinstance(changes, tuple) else (changes,)
    for change in found:
        if not isinstance(change, Change):
            raise TypeError(f"{what}: a change such as boost(1, 1) is wanted, not {describe(change)}")
        if change.op in ONLY_EXCEPTIONS:
            raise ValueError(f"{what}: only a copy can be changed like that")
    if not found:
        raise ValueError(f"{what}: nothing is changed")
    return tuple(sorted(found, key=lambda c: c.layer))


def exceptions_of(but: object, what: str) -> tuple[Change, ...]:
    """Return the exceptions `but` of a copy (CR 707.9), in order.

    Raises:
        TypeError: one is no change.
        ValueError: one can't be an exception.
    """
    found = but if isinstance(but, tuple) else (but,)
    for change in found:
        if not isinstance(change, Change):
            raise TypeError(f"{what}: an exception such as gain(haste) is wanted, not {describe(change)}")
        if change.op in NO_EXCEPTIONS:
            raise ValueError(f"{what}: that is no exception of a copy")
    if sum(c.op is ChangeOp.SET_PT for c in found) > 1:
        raise ValueError(f"{what}: two sizes")
    return tuple(found)


def boost(power: ValueLike, toughness: ValueLike) -> Change:
    """It gets +`power`/+`toughness` (layer 7c)."""
    return Change(ChangeOp.ADD_PT, (value(power, "boost"), value(toughness, "boost")))


def sets_pt(power: ValueLike, toughness: ValueLike) -> Change:
    """It has base power and toughness `power`/`toughness` (layer 7b)."""
    return Change(ChangeOp.SET_PT, (value(power, "sets_pt"), value(toughness, "sets_pt")))


def cda_pt(power: ValueLike, toughness: ValueLike) -> Change:
    """A characteristic-defining ability says its power and toughness (layer 7a, CR 604.3)."""
    return Change(ChangeOp.CDA_PT, (value(power, "cda_pt"), value(toughness, "cda_pt")))


def keywords_and_texts(what: tuple[object, ...], word: str) -> tuple[Keyword, tuple[str, ...]]:
    """Return `what` as keywords without parameters, and texts of those that have some.

    Raises:
        TypeError, ValueError: something is neither, or no keyword ability is written so.
    """
    # The table of keyword abilities is made of changes: it is read when it is needed.
    from .keywords import check_keywords, keyword_ability

    mask, texts = NO_KEYWORDS, []
    for item in what:
        if isinstance(item, Keyword):
            mask |= item
        elif isinstance(item, str):
            texts.append(keyword_ability(item).text)
        else:
            raise TypeError(f'{word}: keywords such as trample or "ward {{2}}" are wanted, not {describe(item)}')
    check_keywords(mask, word)
    if not mask and not texts:
        raise ValueError(f"{word}: no keyword")
    return mask, tuple(texts)


def gain(*what: Keyword | str) -> Change:
    """It has keyword abilities (layer 6): ``gain(flying | haste)``, ``gain("ward {2}")``.

    Raises:
        TypeError, ValueError: something is no keyword ability.
    """
    mask, texts = keywords_and_texts(what, "gain")
    return Change(ChangeOp.ADD_KEYWORDS, (mask,), texts)


def gain_mark(keywords: Keyword) -> Change:
    """It has the marks `keywords` (layer 6), whatever abilities they stand for."""
    return Change(ChangeOp.ADD_KEYWORDS, (keywords,))


def lose(keywords: Keyword) -> Change:
    """It loses keyword abilities (layer 6).

    Raises:
        TypeError, ValueError: they are none, or keyword abilities that are more than a mark.
    """
    from .keywords import SUMMARY

    wanted: object = keywords
    if not isinstance(wanted, Keyword) or not wanted:
        raise TypeError(f"lose: keywords such as flying are wanted, not {describe(keywords)}")
    if keywords & SUMMARY:
        raise ValueError("lose: a keyword that stands for an ability cannot be lost by itself")
    return Change(ChangeOp.LOSE_KEYWORDS, (keywords,))


def gain_ability(ability: Ability) -> Change:
    """It has `ability` (layer 6)."""
    return Change(ChangeOp.ADD_ABILITY, (ability,))


def type_mask(types: object, what: str) -> TypeBit:
    """Return card types given as a mask or by the filter that asks for them: ``creature | artifact``.

    Raises:
        TypeError: they are neither.
    """
    if isinstance(types, TypeBit) and types:
        return types
    if isinstance(types, Filter) and types.op is FilterOp.TYPES_ANY:
        (mask,) = types.args
        assert isinstance(mask, TypeBit)
        return mask
    raise TypeError(f"{what}: card types such as creature are wanted, not {describe(types)}")


def color_mask(letters: object, what: str) -> Color:
    """Return the colours written as `letters`: "B", "WU", or "colorless".

    Raises:
        TypeError: it is not a string.
        ValueError: it is something else.
    """
    if not isinstance(letters, str):
        raise TypeError(f'{what}: colours such as "B" are wanted, not {describe(letters)}')
    if letters == "colorless":
        return Color(0)
    if not letters or len(set(letters)) != len(letters) or not set(letters) <= set(COLOR_LETTERS.replace("C", "")):
        raise ValueError(f'{what}: {letters!r} are no colours such as "B", "WU" or "colorless"')
    return Color(sum(Color[letter] for letter in letters))


def _subtype(name: str, what: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{what}: a string is wanted, not {describe(name)}")
    if not name.strip():
        raise ValueError(f"{what}: the name is empty")
    return name.strip()


def add_types(types: Filter | TypeBit) -> Change:
    """It has `types` besides its own (layer 4): ``add_types(artifact)``."""
    return Change(ChangeOp.ADD_TYPES, (type_mask(types, "add_types"),))


def lose_types(types: Filter | TypeBit) -> Change:
    """It has `types`, card types or supertypes, no more (layer 4): ``lose_types(legendary)``."""
    return Change(ChangeOp.LOSE_TYPES, (type_mask(types, "lose_types"),))


def has_name(name: str) -> Change:
    """A copy that has this name, of a card of the pool (CR 707.9b)."""
    if not isinstance(name, str):
        raise TypeError(f"has_name: a name is wanted, not {describe(name)}")
    return Change(ChangeOp.SET_NAME, (name,))


def set_types(types: Filter | TypeBit) -> Change:
    """Its card types are `types` alone (layer 4, CR 205.1a)."""
    return Change(ChangeOp.SET_TYPES, (type_mask(types, "set_types"),))


def add_subtype(name: str) -> Change:
    """It has subtype `name` besides its own (layer 4)."""
    return Change(ChangeOp.ADD_SUBTYPE, (_subtype(name, "add_subtype"),))


def creature_types_of_linked(link: int) -> Change:
    """It has the creature types of the last object linked to it by number `link`, besides (layer 4).

    Raises:
        ValueError: there is no such number of a link.
    """
    if not 0 <= number(link, "creature_types_of_linked") < 16:
        raise ValueError("creature_types_of_linked: links are numbered from 0 to 15")
    return Change(ChangeOp.TYPES_OF_LINKED, (link,))


def set_subtype(name: str) -> Change:
    """Its subtype of that kind is `name` alone (layer 4, CR 205.1a)."""
    return Change(ChangeOp.SET_SUBTYPE, (_subtype(name, "set_subtype"),))


def set_colors(letters: str) -> Change:
    """Its colours are `letters` alone (layer 5)."""
    return Change(ChangeOp.SET_COLORS, (color_mask(letters, "set_colors"),))


def add_colors(letters: str) -> Change:
    """It has the colours `letters` besides its own (layer 5)."""
    return Change(ChangeOp.ADD_COLORS, (color_mask(letters, "add_colors"),))


#: The controller of the effect controls it (layer 2).
control = Change(ChangeOp.CONTROL)
#: It has every creature type (layer 4).
all_creature_types = Change(ChangeOp.ALL_CREATURE_TYPES)
#: It loses all abilities (layer 6).
lose_all_abilities = Change(ChangeOp.LOSE_ABILITIES)
#: Its power and toughness are switched (layer 7d).
switch = Change(ChangeOp.SWITCH_PT)
#: A copy that has the ability that makes the copy (CR 707.9a).
this_ability = Change(ChangeOp.KEEP_ABILITY)
#: A copy that has no mana cost.
no_mana_cost = Change(ChangeOp.NO_COST)


def counters(n: ValueLike, kind: str) -> Enter:
    """It enters with `n` counters called `kind` (CR 122.6a)."""
    return Enter(EnterOp.COUNTERS, (counter_name(kind, "counters"), value(n, "counters")))


def counters_or(n: ValueLike, kind: str, keyword: object = None) -> Enter:
    """It enters with `n` counters called `kind` if its controller likes; if not, it gains `keyword` (CR 614.12a).

    Raises:
        TypeError, ValueError: something is no number, no kind of counters, no keyword.
    """
    other: tuple[Change, ...] = ()
    if isinstance(keyword, Keyword) and keyword:
        other = exceptions_of(gain(keyword), "counters_or")
    elif keyword is not None:
        raise TypeError(f"counters_or: a keyword such as haste is wanted, not {describe(keyword)}")
    return Enter(EnterOp.EITHER, (counter_name(kind, "counters_or"), value(n, "counters_or"), other))


def as_copy(of: Filter, but: Change | tuple[Change, ...] = ()) -> Enter:
    """It may enter as a copy of an object that passes `of`, but for the exceptions `but` (CR 707.5).

    Raises:
        TypeError, ValueError: something is no filter of objects, or no exception.
    """
    wanted = filter_of_objects(of, "as_copy")
    zone = wanted.zone or Zone.BATTLEFIELD
    if zone not in (Zone.BATTLEFIELD, Zone.GRAVEYARD, Zone.EXILE):
        raise ValueError(f"as_copy: nothing in {zone.name.lower()} can be copied")
    return Enter(EnterOp.COPY, (wanted, exceptions_of(but, "as_copy"), zone))


#: It enters tapped; in a list of ways to enter, `tapped` means this.
enters_tapped = Enter(EnterOp.TAPPED)
#: If it is neither day nor night, it becomes day as it enters (CR 731).
day_as_it_enters = Enter(EnterOp.DAY)

#: As it enters, its controller chooses a colour, a creature type (CR 614.12a, 607.2d).
choose_color = Enter(EnterOp.CHOOSE, (int(ChosenKind.COLOR), None, 0))
choose_creature_type = Enter(EnterOp.CHOOSE, (int(ChosenKind.TYPE), None, 0))
#: It enters under the control of the player chosen before (CR 616.1b).
under_chosen_player = Enter(EnterOp.UNDER)


def choose_player(who: Filter) -> Enter:
    """As it enters, its controller chooses a player that passes `who` (CR 614.12a).

    Raises:
        TypeError: `who` is no filter of players.
    """
    filter_of_players(who, "choose_player")
    return Enter(EnterOp.CHOOSE, (int(ChosenKind.PLAYER), who, 0))


def choose_number(most: int) -> Enter:
    """As it enters, its controller chooses a number from 0 to `most` (CR 614.12a).

    Raises:
        TypeError, ValueError: `most` is not a number from 1 to 63.
    """
    if not 1 <= number(most, "choose_number") <= 63:
        raise ValueError(f"choose_number: {most} is not from 1 to 63")
    return Enter(EnterOp.CHOOSE, (int(ChosenKind.NUMBER), None, most))


def tapped_unless(price: str) -> Enter:
    """It enters tapped, unless its controller pays `price` as it enters (CR 614.1c).

    Raises:
        TypeError, ValueError: `price` is no cost.
    """
    from .reading import cost

    return Enter(EnterOp.UNLESS_PAID, (cost(price),))


def devour(n: int) -> Enter:
    """Its controller may sacrifice creatures as it enters; it has `n` +1/+1 counters for each (CR 702.82).

    Raises:
        TypeError, ValueError: `n` is not a number from 1 to 99.
    """
    if not 1 <= number(n, "devour") <= 99:
        raise ValueError(f"devour: {n} is not from 1 to 99")
    return Enter(EnterOp.DEVOUR, (n,))
