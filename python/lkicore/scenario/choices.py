"""Choices that the rules ask for: answered from the players' queues, or by default.

The engine asks for one object, mode or number at a time. A scenario answers a choice as a whole: its parts are told by
the frame that asks, and what is left of an answer is kept in `Table.group`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lkicore import _inspect
from lkicore.cards.pool import plain_name
from lkicore.characteristics import COLOR_WORDS
from lkicore.game import Option
from lkicore.opcodes import ChoiceKind, Color, FrameKind, Keyword, OptionKind

from .errors import StepError
from .labels import player_of
from .table import Table

#: Choices of objects or players, one after another.
PICKS = (
    ChoiceKind.TARGET,
    ChoiceKind.PICK,
    ChoiceKind.SACRIFICE,
    ChoiceKind.DISCARD,
    ChoiceKind.SEARCH,
    ChoiceKind.COST,
    ChoiceKind.BOTTOM,
    ChoiceKind.HOST,
    ChoiceKind.COPY,
    ChoiceKind.LEGEND,
    ChoiceKind.CAST,
    ChoiceKind.HELP,
    ChoiceKind.OPENING,
)
_YES_NO = (
    *(ChoiceKind.MAY, ChoiceKind.PAY_COST, ChoiceKind.KICK),
    *(ChoiceKind.EXERT, ChoiceKind.COMMANDER, ChoiceKind.UNTAP, ChoiceKind.REVEAL),
)
_NUMBERS = (
    *(ChoiceKind.X, ChoiceKind.MODE, ChoiceKind.COLOR, ChoiceKind.DIVIDE, ChoiceKind.SUBTYPE),
    *(ChoiceKind.NUMBER, ChoiceKind.VOTE, ChoiceKind.ROOM),
)
#: Choices of a word.
_WORDS = (ChoiceKind.NAME,)
#: Options that end a choice or decline it.
ENDS = (OptionKind.DONE, OptionKind.NO)
#: Of the number of an option to cast: 1 + the way of the card's own (see `_choices` of the engine).
OWN_WAYS = 63
_PLACES = {OptionKind.TOP: "top", OptionKind.BOTTOM: "bottom", OptionKind.GRAVEYARD: "graveyard"}


@dataclass(slots=True)
class Group:
    """A choice that the engine asks for in parts.

    Attributes:
        left: what is left of the answer; None: it is taken by default.
        plan: the answer as a map (`top`, `order`, `assign` …).
    """

    left: list[Any] | None = None
    plan: dict[str, Any] = field(default_factory=dict)


def settle(table: Table) -> None:
    """Answer choices until somebody has priority or the game is over."""
    while not table.at_priority and not table.game.is_terminal:
        answer(table)
    table.groups.clear()


def answer(table: Table) -> None:
    """Answer the open choice; `StepError` if the next answer is not legal for it."""
    game = table.game
    options = game.options()
    kind = game.choice
    if kind in (ChoiceKind.ATTACK, ChoiceKind.BLOCK):
        # None but those that must.
        table.apply(_decline(options))
    elif kind in (ChoiceKind.PAY, ChoiceKind.SYMBOL):
        table.apply(0)
    elif kind in _YES_NO:
        table.apply(_yes_or_no(table, options))
    elif kind in PICKS:
        table.apply(_pick(table, options))
    elif kind in _NUMBERS:
        table.apply(_number(table, options))
    elif kind is ChoiceKind.REPLACE:
        table.apply(_replace(table, options))
    elif kind is ChoiceKind.RETARGET:
        table.apply(_retarget(table, options))
    elif kind in _WORDS:
        table.apply(_word(table, options))
    elif kind is ChoiceKind.ORDER:
        table.apply(_order(table, options))
    elif kind is ChoiceKind.LOOK:
        table.apply(_look(table, options))
    elif kind is ChoiceKind.ASSIGN:
        table.apply(_assign(table, options))
    else:
        raise StepError("a choice that scenarios know", f"{kind.name.lower()} of p{game.decider}")


# ------------------------------------------------------------------------------------------ words
def names_option(table: Table, label: Any, option: Option) -> bool:
    """Whether a label names the object or player of an option."""
    if not isinstance(label, str):
        return False
    if option.player >= 0 and option.kind is OptionKind.PLAYER:
        return player_of(label, table.labels) == option.player
    obj = _object_of(table, option)
    if obj == 0 or option.kind in ENDS:
        return False
    if label.startswith("stack:"):
        try:
            return table.labels.on_stack(table.game, label, {o.object for o in table.game.options()}) == obj
        except StepError:
            return False
    if label in table.labels.known or label.startswith("token:"):
        handle = table.labels.handle(label)
        if handle not in (table.labels.handle_of(table.game, obj), table.labels.source(obj)):
            return False
        return option.kind not in (OptionKind.CAST, OptionKind.PLAY) or _of_face(table, label, option)
    return option.name == label


def _of_face(table: Table, label: str, option: Option) -> bool:
    """Whether an option to cast is of the face that a label names, if it names one of several."""
    faces = {plain_name(face_of_option(table, o)) for o in table.game.options() if o.object == option.object}
    return plain_name(label) not in faces or plain_name(face_of_option(table, option)) == plain_name(label)


def face_of_option(table: Table, option: Option) -> str:
    """Name of the face or half that an option to cast or play is about."""
    facts = table.game.object(option.object)
    if facts is None:
        return ""
    own, ways = (option.number & OWN_WAYS) - 1, table.pool[facts.name].all_ways
    return (ways[own].face if 0 <= own < len(ways) else "") or facts.name


def _object_of(table: Table, option: Option) -> int:
    """Id of the object that an option is about; of a triggered ability its source."""
    if option.kind is OptionKind.TRIGGER:
        return int(_inspect.triggers(table.game)[option.number][0])
    if option.kind is OptionKind.EFFECT and option.number < 0:
        return int(_inspect.effect_sources(table.game)[-1 - option.number])
    return option.object


def option_word(table: Table, option: Option) -> str:
    """An option as a scenario would name it."""
    if option.kind is OptionKind.PLAYER:
        return f"p{option.player}"
    if option.kind is OptionKind.COLOR:
        return _color_word(option.number, False)
    if option.kind is OptionKind.MODE:
        return f"mode {option.number + 1}"
    if option.kind is OptionKind.SUBTYPE:
        return str(table.pool.assembly.subtypes[option.number])
    if option.kind is OptionKind.EFFECT and _object_of(table, option):
        return table.labels.word(table.game, _object_of(table, option))
    if option.kind is OptionKind.NAME:
        return table.pool.faces[option.number].name
    if option.kind is OptionKind.ROOM:
        return f"room {option.number + 1}"
    if option.kind in (OptionKind.OBJECT, OptionKind.TRIGGER, OptionKind.CAST, OptionKind.PLAY):
        return table.labels.word(table.game, _object_of(table, option))
    if option.object and option.kind in _PLACES:
        return f"{table.labels.word(table.game, option.object)} to the {_PLACES[option.kind]}"
    return str(option.number) if option.kind is OptionKind.NUMBER else option.kind.name.lower()


def offered(table: Table, options: Sequence[Option]) -> str:
    """The options of a choice, in words."""
    words = dict.fromkeys(option_word(table, o) for o in options)
    return ", ".join([*words][:12]) + (" …" if len(words) > 12 else "")


def _illegal(table: Table, said: Any, options: Sequence[Option]) -> StepError:
    game = table.game
    about = table.labels.word(game, game.subject())
    choice = f"p{game.decider}'s choice ({game.choice.name.lower()}, {about})"
    return StepError(f"the answer {said!r} to {choice}", f"the options {offered(table, options)}")


def _decline(options: Sequence[Option]) -> int:
    return next((i for i, o in enumerate(options) if o.kind in ENDS), 0)


def _default(table: Table, options: Sequence[Option], taken: int) -> None:
    """Note that a real choice was taken by default."""
    game = table.game
    words = {option_word(table, o) for o in options}
    if len(words) == 1:
        return  # cards that are alike: no real choice
    word = option_word(table, options[taken])
    table.defaulted.append(f"p{game.decider} {game.choice.name.lower()}: {word} of {offered(table, options)}")


# ------------------------------------------------------------------------------------------ groups
_ANNOUNCING = (FrameKind.CAST, FrameKind.ACTIVATE, FrameKind.TRIGGER)


def _key(table: Table) -> tuple[Any, ...]:
    """What tells the parts of the open choice from another choice: its kind and player, and the frame that asks."""
    frames = _inspect.frames(table.game)
    kind, _, _, _, obj, place, *_ = frames[-1] if frames else (0,) * 9
    game = table.game
    # A resolution stands at one instruction while it asks; parts of a cost are choices of their own.
    at = place if kind == FrameKind.RESOLVE else 0
    part = game.options()[0].number if game.choice is ChoiceKind.COST else 0
    return (len(frames), kind, obj, at, part, game.choice, game.decider)


def _known_group(table: Table) -> Group | None:
    """The group that the open choice is a part of, if it has begun; groups of frames that are done are forgotten."""
    frames = _inspect.frames(table.game)
    for key in list(table.groups):
        depth, kind, obj, *_ = key
        if depth > len(frames) or (depth and (frames[depth - 1][0], frames[depth - 1][4]) != (kind, obj)):
            del table.groups[key]
    key = _key(table)
    if table.game.choice is ChoiceKind.TARGET and frames and frames[-1][0] in _ANNOUNCING and not _chosen(frames[-1]):
        table.groups.pop(key, None)  # the first target: another ability of the same source
    group = table.groups.get(key)
    return group if isinstance(group, Group) else None


def _chosen(frame: Sequence[int]) -> bool:
    """Whether an announcement has got beyond its first target."""
    return frame[7] != 0 or frame[3] != 0


def _new_group(table: Table, left: list[Any] | None = None) -> Group:
    group = table.groups[_key(table)] = Group(left)
    return group


def _head(table: Table) -> Any:
    queue = table.queues[table.game.decider]
    return queue[0] if queue else None


def _pop(table: Table) -> Any:
    return table.queues[table.game.decider].popleft()


# ------------------------------------------------------------------------------------------ kinds
def _yes_or_no(table: Table, options: Sequence[Option]) -> int:
    """CR 608.2d, 118.12. A bare label says yes, and is the answer to the pick that follows."""
    head = _head(table)
    yes = next((i for i, o in enumerate(options) if o.kind is OptionKind.YES), -1)
    no = next((i for i, o in enumerate(options) if o.kind is OptionKind.NO), -1)
    if len(options) == 1:
        if head == ("yes" if yes >= 0 else "no"):
            _pop(table)
        return 0
    if head is None:
        willing = table.game.choice is ChoiceKind.MAY and _controls_effect(table)
        taken = yes if willing or table.game.choice is ChoiceKind.UNTAP else no
        _default(table, options, taken)
        return taken
    if head in ("yes", "no"):
        return yes if _pop(table) == "yes" else no
    if head == []:
        _pop(table)
        return no
    if isinstance(head, int) or (isinstance(head, dict) and ("order" in head or "assign" in head)):
        raise _illegal(table, head, options)
    return yes


def _controls_effect(table: Table) -> bool:
    """Whether who decides controls the spell or ability that resolves."""
    for frame in reversed(_inspect.frames(table.game)):
        if frame[0] == FrameKind.RESOLVE:
            return bool(frame[2] == table.game.decider)
    return True


def _word(table: Table, options: Sequence[Option]) -> int:
    """A name (CR 201.4)."""
    head = _head(table)
    if head is None:
        if len(options) > 1:
            _default(table, options, 0)
        return 0
    found = next((i for i, o in enumerate(options) if _same_word(option_word(table, o), head)), -1)
    if found < 0:
        raise _illegal(table, head, options)
    _pop(table)
    return found


def _same_word(word: str, said: object) -> bool:
    return isinstance(said, str) and word.casefold() == said.casefold()


def _pick(table: Table, options: Sequence[Option]) -> int:
    """Objects or players, one after another, until there are enough or DONE is taken."""
    group = _known_group(table)
    end = next((i for i, o in enumerate(options) if o.kind in ENDS), -1)
    if len(options) == 1:
        _use_forced(table, options[0], group)
        return 0
    first = next(i for i, o in enumerate(options) if o.kind not in ENDS)
    if group is None:
        if end < 0 and all_are_taken(table):
            group = _new_group(table, _equal_set(table, options))
        else:
            group = _new_group(table, _several(table, options))
            if group.left is None:
                _default(table, options, first)
    if group.left is None:
        return first
    if not group.left:
        if end < 0:
            raise _illegal(table, [], options)
        return end
    label = group.left.pop(0)
    found = _named(table, label, options)
    if found < 0:
        raise _illegal(table, label, options)
    return found


def all_are_taken(table: Table) -> bool:
    """Whether a choice takes everything that is offered, one after another: there is one legal answer."""
    copy = table.fork()
    copy.queues = [type(queue)() for queue in copy.queues]
    key, n = _key(copy), len(copy.game.options())
    for left in range(n, 0, -1):
        if copy.game.is_terminal or len(copy.game.options()) != left or _key(copy) != key:
            return False
        copy.apply(0)
    return True


def _equal_set(table: Table, options: Sequence[Option]) -> list[Any] | None:
    """The next answer if it names all the options, in its order: it is used up; else None."""
    head = _head(table)
    if isinstance(head, list) and len(head) == len(options):
        named = {_named(table, label, options) for label in head}
        if -1 not in named and len(named) == len(options):
            return list(_pop(table))
    return None


def _several(table: Table, options: Sequence[Option]) -> list[Any] | None:
    """The next answer as a list; None if there is none. "You may choose": `yes`, and then what is chosen."""
    head = _head(table)
    if head is None:
        return None
    if isinstance(head, int | dict) or (head == "yes" and not any(o.kind in ENDS for o in options)):
        raise _illegal(table, head, options)
    _pop(table)
    if head == "yes":
        others = [option_word(table, o) for o in options if o.kind not in ENDS]
        if len(others) > 1 and table.queues[table.game.decider] and _head(table) not in ("yes", "no"):
            return _several(table, options)
        if len(others) > 1:
            _default(table, options, 0)
        elif others and _equals(_head(table), next(o for o in options if o.kind not in ENDS), table):
            _pop(table)  # the pick that follows has one legal answer: one that equals it is used up
        return others[:1]
    if head == "no":
        return []
    return list(head) if isinstance(head, list) else [head]


def _named(table: Table, label: Any, options: Sequence[Option]) -> int:
    """The option that a label names, -1 if none does."""
    for i, option in enumerate(options):
        if names_option(table, label, option) or (option.kind not in ENDS and option_word(table, option) == label):
            return i
    if table.game.choice is ChoiceKind.SEARCH and isinstance(label, str) and label in table.labels.known:
        # Cards of a library that are alike are one option.
        facts = table.labels.known[label].facts(table.game)
        for i, option in enumerate(options):
            if facts is not None and option.kind is OptionKind.OBJECT and option.name == facts.name:
                return i
    return -1


def _equals(head: Any, option: Option, table: Table) -> bool:
    """Whether an answer names this one option and nothing else."""
    alone = head[0] if isinstance(head, list) and len(head) == 1 else head
    return alone is not None and names_option(table, alone, option)


def _use_forced(table: Table, option: Option, group: Group | None) -> None:
    """A choice with one option is taken by itself; an answer that equals it is used up."""
    if group is not None:
        if group.left and names_option(table, group.left[0], option):
            group.left.pop(0)
        return
    head = _head(table)
    if head is None:
        return
    if _equals(head, option, table) or (option.kind in ENDS and head in ("no", [])):
        _pop(table)
        _new_group(table, [])
    elif isinstance(head, list) and len(head) > 1 and names_option(table, head[0], option):
        _new_group(table, _pop(table)[1:])


def _color_word(number: int, masks: bool) -> str:
    for i, (word, color) in enumerate(COLOR_WORDS.items()):
        if number == (int(color) if masks else i):
            return word
    return str(number)


def _number(table: Table, options: Sequence[Option]) -> int:
    """A number, a mode (from 1) or a colour."""
    masks = any(o.kind is OptionKind.COLOR and o.number > len(Color) - 1 for o in options)

    def equal(said: Any, option: Option) -> bool:
        if option.kind is OptionKind.COLOR:
            return bool(said == _color_word(option.number, masks))
        if option.kind in (OptionKind.MODE, OptionKind.ROOM):
            return bool(said == option.number + 1)
        if option.kind is OptionKind.SUBTYPE:
            return bool(said == option_word(table, option))
        return bool(option.kind is OptionKind.NUMBER and said == option.number)

    group = _known_group(table)
    head = _head(table)
    if len(options) == 1:
        if group is None and head is not None and equal(head, options[0]):
            _pop(table)
        return 0
    if group is not None and group.left == []:
        end = next((i for i, o in enumerate(options) if o.kind in ENDS), -1)
        if end >= 0:
            return end
        group = None
    if group is None:
        group = _new_group(table)
        if head is None:
            _default(table, options, 0)
            return 0
        group.left = list(head) if isinstance(head, list) else [head]
        _pop(table)
    if group.left is None:
        return 0
    said = group.left.pop(0) if group.left else None
    for i, option in enumerate(options):
        if equal(said, option):
            return i
    raise _illegal(table, said, options)


def _planned(
    table: Table, options: Sequence[Option], keys: tuple[str, ...], *, later: bool = False
) -> tuple[Group, bool]:
    """The group of a choice whose answer is a map with some of `keys`, and whether it begins here; its `left` is None
    by default. `later`: an answer that is no map is for a later choice."""
    group = _known_group(table)
    if group is not None:
        return group, False
    head = _head(table)
    group = _new_group(table)
    if head is not None and not (later and not isinstance(head, dict)):
        if not isinstance(head, dict) or not set(head) <= set(keys):
            raise _illegal(table, head, options)
        group.plan = dict(_pop(table))
        group.left = []
    return group, True


def _order(table: Table, options: Sequence[Option]) -> int:
    """Sources of simultaneous triggers in the order in which they are put on the stack (CR 603.3b).

    Abilities of one source that are alike are one option.
    """
    known, head = _known_group(table), _head(table)
    if known is not None and known.plan == {"order": []} and isinstance(head, dict) and "order" in head:
        del table.groups[_key(table)]  # a new batch of triggers
    group, fresh = _planned(table, options, ("order",), later=True)
    if group.left is None:
        if fresh and len(options) > 1:
            _default(table, options, 0)
        return 0
    order = group.plan["order"]
    if not order:
        return 0
    group.plan = {"order": order[1:]}
    for i, option in enumerate(options):
        if names_option(table, order[0], option):
            return i
    raise _illegal(table, order[0], options)


def _replace(table: Table, options: Sequence[Option]) -> int:
    """Which effect applies next (CR 616.1): sources in order, or one; `no` where none has to."""
    end = next((i for i, o in enumerate(options) if o.kind in ENDS), -1)
    head = _head(table)
    if head is None:
        taken = max(end, 0)
        if len(options) > 1:
            _default(table, options, taken)
        return taken
    if head in ("no", []):
        if end < 0:
            raise _illegal(table, head, options)
        _pop(table)
        return end
    if head == "yes" and end >= 0 and len(options) == 2:
        _pop(table)
        return 1 - end
    order = head["order"] if isinstance(head, dict) and set(head) == {"order"} else head
    label = order[0] if isinstance(order, list) and order else order
    found = _named(table, label, options)
    if found < 0:
        raise _illegal(table, head, options)
    _pop(table)
    if isinstance(order, list) and len(order) > 2:
        table.queues[table.game.decider].appendleft({"order": order[1:]})  # the last one applies by itself
    return found


def _retarget(table: Table, options: Sequence[Option]) -> int:
    """A new target (CR 115.7), or the same one: a label that none of the others has; the same by default."""
    end = _decline(options)
    group, head = _known_group(table), _head(table)
    if group is None or not group.left:
        if head is None:
            _default(table, options, end)
            return end
        group = _new_group(table, list(head) if isinstance(head, list) else [head])
        _pop(table)
    assert group.left is not None
    label = group.left.pop(0)
    found = _named(table, label, options)
    return found if found >= 0 else end


def _look(table: Table, options: Sequence[Option]) -> int:
    """Cards looked at (CR 701.22, 701.25, 701.20): those that are not named stay on top.

    The engine asks which cards go to the bottom or into the graveyard, until DONE; then for the order of the others,
    from the lowest up where they go on top.
    """
    end = next((i for i, o in enumerate(options) if o.kind in ENDS), -1)
    place = next(_PLACES[o.kind] for o in options if o.kind in _PLACES)
    group, fresh = _planned(table, options, tuple(_PLACES.values()))
    if group.left is None:
        taken = end if end >= 0 else len(options) - 1 if place == "top" else 0
        if fresh:
            _default(table, options, taken)
        return taken
    if fresh:
        for label in (label for labels in group.plan.values() for label in labels):
            if not any(names_option(table, label, o) for o in options):
                raise _illegal(table, group.plan, options)
        if end >= 0 and set(group.plan) - {"top", place}:
            raise _illegal(table, group.plan, options)
    named = [i for label in group.plan.get(place, ()) for i, o in enumerate(options) if names_option(table, label, o)]
    if place == "top":
        rest = [i for i, o in enumerate(options) if i not in named and o.kind not in ENDS]
        return [*named, *rest][-1]
    if named:
        return named[0]
    return max(end, 0)


def _assign(table: Table, options: Sequence[Option]) -> int:
    """Combat damage of one creature (CR 510.1c-d); lethal damage first, in order, by default."""
    if len(options) == 1:
        return 0
    group, fresh = _planned(table, options, ("assign",))
    game = table.game
    if group.left is None:
        taken = _lethal_first(table, options)
        if fresh:
            _default(table, options, taken)
        return taken
    said: dict[str, int] = group.plan["assign"]
    source = game.object(game.subject())
    if source is not None and sum(said.values()) != source.power:
        raise StepError(f"{source.power} damage assigned by {source.name}", f"{sum(said.values())} in {said}")
    amount = next((n for label, n in said.items() if names_option_object(table, label, options[0])), 0)
    for i, option in enumerate(options):
        if option.number == amount:
            return i
    raise _illegal(table, group.plan, options)


def names_option_object(table: Table, label: str, option: Option) -> bool:
    """Whether a label names the object that a number is for."""
    if player_of(label, table.labels) >= 0:
        return option.object == 0 and option.player == player_of(label, table.labels)
    return table.labels.object(table.game, label) == option.object != 0


def _lethal_first(table: Table, options: Sequence[Option]) -> int:
    game = table.game
    blocker, source = game.object(options[0].object), game.object(game.subject())
    lethal = 0 if blocker is None else max(blocker.toughness - blocker.damage, 0)
    if source is not None and source.keywords & Keyword.DEATHTOUCH:
        lethal = min(lethal, 1)
    enough = [i for i, o in enumerate(options) if o.number >= lethal]
    return enough[0] if enough else len(options) - 1
