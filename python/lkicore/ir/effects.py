"""Effects: the instructions of a spell or ability, in the order in which they are followed (CR 608.2c)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from lkicore.opcodes import DamageFlag, Duration, EffectOp, MoveFlag, PickFlag, Zone

from .changes import Change, exceptions_of
from .filters import Filter, everything, filter_of_objects, filter_of_players
from .mana import mana_colors
from .operands import Kind, Signature, Sort, covers, describe, flag, number, zone_of
from .references import MAX_LINKS, Ref, reference, source, you
from .values import Value, ValueLike, counter_name, value

_PLAYER_AMOUNT: Signature = (("player", Sort.PLAYERS), ("amount", Sort.VALUE))
_OBJECTS: Signature = (("what", Sort.OBJECTS),)
_PLAYERS: Signature = (("player", Sort.PLAYERS),)
_MOVED: Signature = (("what", Sort.OBJECTS), ("how", Sort.MOVE_FLAGS))

#: JUMP, UNLESS, MAY and PAY are made from control flow alone; their last operand is where to go on.
EFFECT_SIGNATURES: dict[EffectOp, Signature] = {
    EffectOp.END: (),
    EffectOp.DAMAGE: (("by", Sort.ONE_OBJECT), ("to", Sort.ANY), ("amount", Sort.VALUE)),
    EffectOp.DESTROY: _MOVED,
    EffectOp.EXILE: _MOVED,
    EffectOp.RETURN: _MOVED,
    EffectOp.DRAW: _PLAYER_AMOUNT,
    EffectOp.DISCARD: (*_PLAYER_AMOUNT, ("filter", Sort.OPTIONAL_FILTER), ("random", Sort.FLAG)),
    EffectOp.GAIN_LIFE: _PLAYER_AMOUNT,
    EffectOp.LOSE_LIFE: _PLAYER_AMOUNT,
    EffectOp.APPLY: (("what", Sort.OBJECTS), ("changes", Sort.CHANGES), ("duration", Sort.DURATION)),
    EffectOp.TAP: _OBJECTS,
    EffectOp.UNTAP: _OBJECTS,
    EffectOp.COUNTERS: (("on", Sort.OBJECTS), ("kind", Sort.COUNTER), ("amount", Sort.VALUE)),
    EffectOp.FIGHT: (("a", Sort.ONE_OBJECT), ("b", Sort.ONE_OBJECT)),
    EffectOp.TOKEN: (
        *_PLAYER_AMOUNT,
        ("token", Sort.FACE),
        ("how", Sort.MOVE_FLAGS),
        ("but", Sort.EXCEPTIONS),
        ("whom", Sort.OPTIONAL_PLAYERS),
    ),
    EffectOp.MANA: (("colors", Sort.COLORS), ("amount", Sort.VALUE)),
    EffectOp.SEARCH_LAND: (
        ("player", Sort.ONE_PLAYER),
        ("card", Sort.FILTER),
        ("zone", Sort.ZONE),
        ("tapped", Sort.FLAG),
        ("amount", Sort.VALUE),
        ("of", Sort.OPTIONAL_PLAYERS),
    ),
    EffectOp.COUNTER: (("what", Sort.OBJECTS), ("to", Sort.ZONE)),
    EffectOp.MILL: (*_PLAYER_AMOUNT, ("how", Sort.MOVE_FLAGS)),
    EffectOp.REMOVE_COUNTERS: (("on", Sort.OBJECTS), ("kind", Sort.COUNTER), ("amount", Sort.VALUE)),
    EffectOp.SACRIFICE: _MOVED,
    EffectOp.EDICT: (*_PLAYER_AMOUNT, ("filter", Sort.FILTER)),
    EffectOp.MOVE: (
        ("what", Sort.OBJECTS),
        ("zone", Sort.ZONE),
        ("how", Sort.MOVE_FLAGS),
        ("under", Sort.OPTIONAL_PLAYERS),
        ("place", Sort.NUMBER),
    ),
    EffectOp.JUMP: (("to", Sort.NUMBER),),
    EffectOp.UNLESS: (("condition", Sort.VALUE), ("to", Sort.NUMBER)),
    EffectOp.MAY: (("player", Sort.ONE_PLAYER), ("to", Sort.NUMBER)),
    EffectOp.PAY: (
        ("player", Sort.ONE_PLAYER),
        ("cost", Sort.ABILITY),
        ("to", Sort.NUMBER),
        ("x", Sort.OPTIONAL_VALUE),
    ),
    EffectOp.PICK: (
        ("player", Sort.ONE_PLAYER),
        ("filter", Sort.FILTER),
        ("least", Sort.VALUE),
        ("most", Sort.VALUE),
        ("zone", Sort.ZONE),
        ("how", Sort.PICK_FLAGS),
    ),
    EffectOp.PICK_PLAYER: (("player", Sort.ONE_PLAYER), ("filter", Sort.PLAYER_FILTER)),
    EffectOp.PICK_COLOR: (("player", Sort.ONE_PLAYER),),
    EffectOp.REGENERATE: _OBJECTS,
    EffectOp.PREVENT: (
        ("to", Sort.OPTIONAL_ANY),
        ("amount", Sort.VALUE),
        ("duration", Sort.DURATION),
        ("which", Sort.DAMAGE_FLAGS),
        ("then", Sort.OPTIONAL_ABILITY),
    ),
    EffectOp.PREVENT_FROM: (
        ("source", Sort.OBJECTS),
        ("to", Sort.OPTIONAL_ANY),
        ("amount", Sort.VALUE),
        ("duration", Sort.DURATION),
        ("which", Sort.DAMAGE_FLAGS),
        ("still", Sort.OPTIONAL_FILTER),
        ("then", Sort.OPTIONAL_ABILITY),
    ),
    EffectOp.EXILE_LEAVING: (("what", Sort.OBJECTS), ("duration", Sort.DURATION)),
    EffectOp.DELAY: (("ability", Sort.ABILITY), ("about", Sort.OPTIONAL_ANY), ("when", Sort.DURATION)),
    EffectOp.REFLEXIVE: (("ability", Sort.ABILITY),),
    EffectOp.ATTACH: (("what", Sort.OBJECTS), ("to", Sort.ONE_OBJECT)),
    EffectOp.SCRY: _PLAYER_AMOUNT,
    EffectOp.SURVEIL: _PLAYER_AMOUNT,
    EffectOp.SHUFFLE: _PLAYERS,
    EffectOp.PLAYER_COUNTERS: (("player", Sort.PLAYERS), ("kind", Sort.COUNTER), ("amount", Sort.VALUE)),
    EffectOp.EXILE_INSTEAD: (("what", Sort.OBJECTS), ("duration", Sort.DURATION)),
    EffectOp.EXILE_UNTIL: _OBJECTS,
    EffectOp.DIG: (
        ("player", Sort.ONE_PLAYER),
        ("look", Sort.VALUE),
        ("take", Sort.VALUE),
        ("filter", Sort.FILTER),
        ("to", Sort.ZONE),
        ("rest", Sort.ZONE),
        ("how", Sort.MOVE_FLAGS),
    ),
    EffectOp.EXTRA_TURN: (("player", Sort.ONE_PLAYER),),
    EffectOp.LINK: (("what", Sort.OBJECTS), ("number", Sort.NUMBER), ("of", Sort.OPTIONAL_ANY)),
    EffectOp.REMOVE_FROM_COMBAT: _OBJECTS,
    EffectOp.LOSE_GAME: _PLAYERS,
    EffectOp.COPY_TOKEN: (
        *_PLAYER_AMOUNT,
        ("of", Sort.ONE_OBJECT),
        ("how", Sort.MOVE_FLAGS),
        ("but", Sort.EXCEPTIONS),
        ("whom", Sort.OPTIONAL_PLAYERS),
    ),
    EffectOp.TRANSFORM: _OBJECTS,
    EffectOp.SET_LEVEL: (("what", Sort.OBJECTS), ("level", Sort.NUMBER)),
    EffectOp.TURN_UP: _OBJECTS,
    EffectOp.TURN_DOWN: (("what", Sort.OBJECTS), ("form", Sort.FACE)),
    EffectOp.PUT_FACE_DOWN: (
        ("what", Sort.OBJECTS),
        ("form", Sort.FACE),
        ("under", Sort.ONE_PLAYER),
        ("how", Sort.MOVE_FLAGS),
    ),
    EffectOp.BECOME_COPY: (
        ("what", Sort.OBJECTS),
        ("of", Sort.ONE_OBJECT),
        ("but", Sort.EXCEPTIONS),
        ("duration", Sort.DURATION),
    ),
    EffectOp.CAST: (
        ("player", Sort.ONE_PLAYER),
        ("what", Sort.OBJECTS),
        ("way", Sort.WAY),
        ("how", Sort.PLAY_FLAGS),
        ("at_most", Sort.OPTIONAL_VALUE),
    ),
    EffectOp.PERMIT: (
        ("player", Sort.PLAYERS),
        ("what", Sort.OBJECTS),
        ("way", Sort.WAY),
        ("duration", Sort.DURATION),
    ),
    EffectOp.COPY_SPELL: (
        ("player", Sort.ONE_PLAYER),
        ("what", Sort.ONE_OBJECT),
        ("amount", Sort.VALUE),
        ("how", Sort.COPY_FLAGS),
    ),
    EffectOp.NEW_TARGETS: (("player", Sort.ONE_PLAYER), ("what", Sort.ONE_OBJECT), ("how", Sort.COPY_FLAGS)),
    EffectOp.DIG_UNTIL: (("player", Sort.ONE_PLAYER), ("filter", Sort.FILTER), ("zone", Sort.ZONE)),
    EffectOp.COPY_CARD: (("player", Sort.ONE_PLAYER), ("what", Sort.OBJECTS)),
    EffectOp.ADD_MANA: (
        ("player", Sort.PLAYERS),
        ("colors", Sort.COLORS),
        ("amount", Sort.VALUE),
        ("use", Sort.MANA_USE),
        ("one", Sort.FLAG),
    ),
    EffectOp.REVEAL: _MOVED,
    EffectOp.DISCARD_CARD: _MOVED,
    EffectOp.ACT: (("action", Sort.ACTION), ("who", Sort.ANY), ("about", Sort.OPTIONAL_ANY)),
    EffectOp.DESIGNATE: (("what", Sort.OBJECTS), ("designation", Sort.DESIGNATION)),
    EffectOp.MOVE_COUNTERS: (
        ("from", Sort.ONE_OBJECT),
        ("to", Sort.ONE_OBJECT),
        ("kind", Sort.OPTIONAL_COUNTER),
        ("amount", Sort.OPTIONAL_VALUE),
    ),
    EffectOp.SET_LIFE: _PLAYER_AMOUNT,
    EffectOp.EXCHANGE_LIFE: (("a", Sort.ONE_PLAYER), ("b", Sort.ONE_PLAYER)),
    EffectOp.REVEAL_UNTIL: (
        ("player", Sort.ONE_PLAYER),
        ("amount", Sort.VALUE),
        ("filter", Sort.FILTER),
        ("to", Sort.ZONE),
        ("rest", Sort.ZONE),
        ("how", Sort.MOVE_FLAGS),
    ),
    EffectOp.EXTRA_PHASE: (("what", Sort.NUMBER),),
    EffectOp.SKIP: (("player", Sort.PLAYERS), ("what", Sort.NUMBER)),
    EffectOp.CUT_SHORT: (("what", Sort.NUMBER),),
    EffectOp.CONTROL_PLAYER: (("player", Sort.ONE_PLAYER),),
    EffectOp.PHASE_OUT: _OBJECTS,
    EffectOp.EXCHANGE_CONTROL: (("one", Sort.ONE_OBJECT), ("other", Sort.ONE_OBJECT), ("changes", Sort.CHANGES)),
    EffectOp.GOAD: _OBJECTS,
    EffectOp.REQUIRE: (("what", Sort.OBJECTS), ("against", Sort.ONE)),
    EffectOp.APPLY_PLAYERS: (("who", Sort.PLAYERS), ("changes", Sort.CHANGES), ("duration", Sort.DURATION)),
    EffectOp.WIN_GAME: (("player", Sort.ONE_PLAYER),),
    EffectOp.DRAW_GAME: (),
    EffectOp.PROLIFERATE: (("player", Sort.ONE_PLAYER), ("times", Sort.VALUE)),
    EffectOp.EMBLEM: (("players", Sort.PLAYERS), ("emblem", Sort.FACE)),
    EffectOp.TITLE: (("player", Sort.ONE_PLAYER), ("title", Sort.FACE), ("again", Sort.FLAG)),
    EffectOp.VENTURE: (("player", Sort.ONE_PLAYER), ("dungeon", Sort.FACE)),
    EffectOp.DAY: (("day", Sort.NUMBER),),
    EffectOp.FLIP: (("player", Sort.ONE_PLAYER), ("n", Sort.VALUE), ("until_lost", Sort.FLAG)),
    EffectOp.ROLL: (("player", Sort.ONE_PLAYER), ("n", Sort.VALUE), ("sides", Sort.NUMBER)),
    EffectOp.PICK_NAME: (("player", Sort.ONE_PLAYER), ("filter", Sort.FILTER)),
    EffectOp.PICK_TYPE: (("player", Sort.ONE_PLAYER),),
    EffectOp.PICK_NUMBER: (("player", Sort.ONE_PLAYER), ("least", Sort.VALUE), ("most", Sort.VALUE)),
    EffectOp.CHANGE_TEXT: (
        ("player", Sort.ONE_PLAYER),
        ("what", Sort.OBJECTS),
        ("word", Sort.NUMBER),
        ("duration", Sort.DURATION),
        ("to", Sort.OPTIONAL_SUBTYPE),
    ),
    EffectOp.VOTE: (("players", Sort.PLAYERS), ("choices", Sort.NUMBER)),
    EffectOp.ENTERS_WITH: (("kind", Sort.COUNTER), ("amount", Sort.VALUE)),
}
covers(EffectOp, EFFECT_SIGNATURES, "signatures of effects")

#: Instructions that move objects, and mark what they moved if told so (MoveFlag.KEEP).
KEEPING = frozenset(
    {
        EffectOp.DESTROY,
        EffectOp.EXILE,
        EffectOp.RETURN,
        EffectOp.SACRIFICE,
        EffectOp.MOVE,
        EffectOp.MILL,
        EffectOp.TOKEN,
        EffectOp.COPY_TOKEN,
        EffectOp.COPY_CARD,
        EffectOp.REVEAL,
        EffectOp.DISCARD_CARD,
        EffectOp.PUT_FACE_DOWN,
    }
)
#: Instructions after which `moved` means something: those, and such as always mark what they moved.
MOVING = KEEPING | {
    EffectOp.EXILE_UNTIL,
    EffectOp.DISCARD,
    EffectOp.SEARCH_LAND,
    EffectOp.EDICT,
    EffectOp.DIG,
    EffectOp.DIG_UNTIL,
    EffectOp.REVEAL_UNTIL,
}
#: Instructions after which `picked` means something, and what.
PICKING = {EffectOp.PICK: Kind.OBJECT, EffectOp.DIG_UNTIL: Kind.OBJECT, EffectOp.PICK_PLAYER: Kind.PLAYER}


#: The deepest place of a library, counted from the top, that an effect names.
MAX_PLACE = 20
#: The highest level of a Class.
MAX_LEVEL = 9


class Amount(Enum):
    """Amounts that are no number."""

    ALL = "all of it"


#: The amount of a prevention effect that prevents all damage.
all_damage = Amount.ALL
#: Where the cards go that `dig` leaves: on top of the library, on its bottom, there in a random order.
top = MoveFlag(0)
bottom = MoveFlag.BOTTOM
random_bottom = MoveFlag.BOTTOM | MoveFlag.RANDOM
_RESTS = (top, bottom, random_bottom)


@dataclass(frozen=True, slots=True)
class Effect:
    """An instruction.

    Attributes:
        op: what is done.
        args: its operands, in the order of the signature of `op`.
    """

    op: EffectOp
    args: tuple[object, ...] = ()


def _objects(op: EffectOp, word: str, what: Ref, *rest: object) -> Effect:
    return Effect(op, (reference(what, word, kind=Kind.OBJECT), *rest))


def _player(op: EffectOp, word: str, player: Ref, amount: ValueLike, *rest: object) -> Effect:
    return Effect(op, (reference(player, word, kind=Kind.PLAYER), value(amount, word), *rest))


def _one_player(player: Ref, word: str) -> Ref:
    return reference(player, word, one=True, kind=Kind.PLAYER)


def _flags(word: str, *, tapped: bool = False, attacking: bool = False, link: bool = False) -> MoveFlag:
    made = MoveFlag(0)
    marks = (("tapped", tapped, MoveFlag.TAPPED), ("attacking", attacking, MoveFlag.ATTACKING))
    for name, wanted, bit in (*marks, ("link", link, MoveFlag.LINK)):
        if flag(wanted, f"{word}: {name}"):
            made |= bit
    return made


def duration_of(duration: object, word: str) -> Duration:
    """Return `duration` if it is one of a continuous effect (CR 611.2).

    Raises:
        TypeError: it is none.
    """
    lasting = (
        Duration.END_OF_TURN,
        Duration.PERMANENT,
        Duration.YOUR_NEXT_TURN,
        Duration.END_OF_COMBAT,
        Duration.WHILE_SOURCE,
        Duration.WHILE_CONTROLLED,
        Duration.NEXT_UNTAP,
        Duration.WHILE_TAPPED,
        Duration.WHILE_YOURS_TAPPED,
    )
    if not isinstance(duration, Duration) or duration not in lasting:
        raise TypeError(f"{word}: a duration such as end_of_turn is wanted, not {describe(duration)}")
    return duration


def damage(to: Ref, amount: ValueLike, by: Ref = source) -> Effect:
    """`by` deals `amount` damage to `to` (CR 120). `by` is the source unless another object deals it."""
    dealer = reference(by, "damage: by", one=True, kind=Kind.OBJECT)
    return Effect(EffectOp.DAMAGE, (dealer, reference(to, "damage: to"), value(amount, "damage: amount")))


def destroy(what: Ref, regenerate: bool = True) -> Effect:
    """Destroy permanents (CR 701.8); they can't be regenerated if `regenerate` is False."""
    allowed = flag(regenerate, "destroy: regenerate")
    return _objects(EffectOp.DESTROY, "destroy", what, MoveFlag(0) if allowed else MoveFlag.NO_REGENERATION)


def exile(what: Ref, link: bool = False) -> Effect:
    """Exile objects (CR 701.13); `link`: the source's other abilities speak of them (CR 607.2)."""
    return _objects(EffectOp.EXILE, "exile", what, _flags("exile", link=link))


def return_to_hand(what: Ref) -> Effect:
    """Return objects to their owners' hands."""
    return _objects(EffectOp.RETURN, "return_to_hand", what, MoveFlag(0))


def sacrifice(what: Ref) -> Effect:
    """Permanents are sacrificed by their controllers (CR 701.21)."""
    return _objects(EffectOp.SACRIFICE, "sacrifice", what, MoveFlag(0))


def edict(players: Ref, amount: ValueLike, what: Filter) -> Effect:
    """Players sacrifice `amount` permanents of their choice that pass `what` (CR 701.21)."""
    return _player(EffectOp.EDICT, "edict", players, amount, filter_of_objects(what, "edict"))


def move(
    what: Ref,
    zone: Zone,
    tapped: bool = False,
    bottom: bool = False,
    under: Ref | None = None,
    attacking: bool = False,
    link: bool = False,
    random: bool = False,
    transformed: bool = False,
    face_down: bool = False,
    place: int = 0,
) -> Effect:
    """Put objects into `zone` (CR 400.7).

    Args:
        what: the objects.
        zone: where they go.
        tapped: they enter the battlefield tapped.
        bottom: they go to the bottom of the library, not on its top.
        under: the player under whose control they enter; None: their owners.
        attacking: they enter the battlefield attacking (CR 508.4).
        link: the source's other abilities speak of them (CR 607.2).
        random: they go to the bottom of the library in a random order.
        transformed: they enter with their back faces up; what has none stays where it is (CR 712.14a).
        face_down: they are exiled face down (CR 406.3).
        place: into the library so many cards from the top: 3 is "third from the top" (CR 401.7).
    """
    how = _flags("move", tapped=tapped, attacking=attacking, link=link)
    if flag(transformed, "move: transformed"):
        how |= MoveFlag.TRANSFORMED
    if flag(bottom, "move: bottom"):
        how |= MoveFlag.BOTTOM
    if flag(random, "move: random"):
        if not bottom:
            raise ValueError("move: a random order is that of the bottom of a library")
        how |= MoveFlag.RANDOM
    if flag(face_down, "move: face_down"):
        how |= MoveFlag.FACE_DOWN
    to = zone_of(zone, "move", (Zone.LIBRARY, Zone.HAND, Zone.BATTLEFIELD, Zone.GRAVEYARD, Zone.EXILE))
    entering = MoveFlag.TAPPED | MoveFlag.ATTACKING | MoveFlag.TRANSFORMED
    if (how & entering or under is not None) and to is not Zone.BATTLEFIELD:
        raise ValueError("move: tapped, attacking and under speak of the battlefield")
    if face_down and to is not Zone.EXILE:
        raise ValueError("move: what enters face down is said with put_face_down")
    if bottom and to is not Zone.LIBRARY:
        raise ValueError("move: bottom speaks of the library")
    whose = None if under is None else _one_player(under, "move: under")
    if not 0 <= number(place, "move: place") <= MAX_PLACE or (place and (bottom or to is not Zone.LIBRARY)):
        raise ValueError(f"move: a place is one of a library, from 1 to {MAX_PLACE} from the top")
    return _objects(EffectOp.MOVE, "move", what, to, how, whose, place)


def put_on_library(what: Ref, bottom: bool = False, place: int = 0) -> Effect:
    """Put objects on top, or on the bottom, of their owners' libraries, or so many cards from the top (CR 401.7)."""
    return move(what, Zone.LIBRARY, bottom=bottom, place=place)


def dig_until(player: Ref, what: Filter, zone: Zone = Zone.EXILE) -> Effect:
    """A player puts cards from the top of the library into `zone` until one passes `what` (CR 702.85a).

    Afterwards `picked` is that card, and `moved` are all of them.
    """
    to = zone_of(zone, "dig_until", (Zone.EXILE, Zone.GRAVEYARD))
    return Effect(EffectOp.DIG_UNTIL, (_one_player(player, "dig_until"), filter_of_objects(what, "dig_until"), to))


def tap(what: Ref) -> Effect:
    """Tap permanents (CR 701.26)."""
    return _objects(EffectOp.TAP, "tap", what)


def untap(what: Ref) -> Effect:
    """Untap permanents (CR 701.26)."""
    return _objects(EffectOp.UNTAP, "untap", what)


def counter(what: Ref, to: Zone = Zone.NONE) -> Effect:
    """Counter spells or abilities (CR 701.6); `to`: the zone a spell goes to instead of the graveyard."""
    if to is not Zone.NONE:
        zone_of(to, "counter", (Zone.EXILE, Zone.HAND, Zone.LIBRARY))
    return _objects(EffectOp.COUNTER, "counter", what, to)


def draw(player: Ref, amount: ValueLike) -> Effect:
    """Players draw cards (CR 121)."""
    return _player(EffectOp.DRAW, "draw", player, amount)


def discard(player: Ref, amount: ValueLike, what: Filter | None = None, random: bool = False) -> Effect:
    """Players discard cards that pass `what`, of their choice or at random (CR 701.9)."""
    wanted = None if what is None else filter_of_objects(what, "discard")
    return _player(EffectOp.DISCARD, "discard", player, amount, wanted, flag(random, "discard: random"))


def mill(player: Ref, amount: ValueLike) -> Effect:
    """Players put cards from the top of their libraries into their graveyards (CR 701.17)."""
    return _player(EffectOp.MILL, "mill", player, amount, MoveFlag(0))


def exile_top(player: Ref, amount: ValueLike = 1, link: bool = False) -> Effect:
    """Players exile cards from the top of their libraries; `link`: the source's other abilities speak of them."""
    return _player(EffectOp.MILL, "exile_top", player, amount, MoveFlag.EXILED | _flags("exile_top", link=link))


def gain_life(player: Ref, amount: ValueLike) -> Effect:
    """Players gain life (CR 119.3)."""
    return _player(EffectOp.GAIN_LIFE, "gain_life", player, amount)


def lose_life(player: Ref, amount: ValueLike) -> Effect:
    """Players lose life (CR 119.3)."""
    return _player(EffectOp.LOSE_LIFE, "lose_life", player, amount)


def put_counters(on: Ref, amount: ValueLike, kind: str) -> Effect:
    """Put counters called `kind` on permanents (CR 122): ``put_counters(target(0), 1, "+1/+1")``."""
    name = counter_name(kind, "put_counters")
    return _objects(EffectOp.COUNTERS, "put_counters", on, name, value(amount, "put_counters"))


def enters_with(amount: ValueLike, kind: str) -> Effect:
    """What the next instruction puts onto the battlefield enters with counters called `kind` (CR 614.1c).

    "Return it with a +1/+1 counter": ``enters_with(1, "+1/+1")``, then ``move(event_card, battlefield)``.
    """
    name = counter_name(kind, "enters_with")
    return Effect(EffectOp.ENTERS_WITH, (name, value(amount, "enters_with")))


def remove_counters(on: Ref, amount: ValueLike, kind: str) -> Effect:
    """Remove counters called `kind` from permanents (CR 122)."""
    name = counter_name(kind, "remove_counters")
    return _objects(EffectOp.REMOVE_COUNTERS, "remove_counters", on, name, value(amount, "remove_counters"))


def give_counters(player: Ref, amount: ValueLike, kind: str) -> Effect:
    """Players get counters called `kind` (CR 122): ``give_counters(target(0), 1, "poison")``."""
    who = reference(player, "give_counters", kind=Kind.PLAYER)
    operands = (who, counter_name(kind, "give_counters"), value(amount, "give_counters"))
    return Effect(EffectOp.PLAYER_COUNTERS, operands)


def fight(a: Ref, b: Ref) -> Effect:
    """Two creatures fight (CR 701.14)."""
    return Effect(EffectOp.FIGHT, tuple(reference(r, "fight", one=True, kind=Kind.OBJECT) for r in (a, b)))


def create_tokens(
    player: Ref,
    amount: ValueLike,
    token: str,
    tapped: bool = False,
    attacking: bool = False,
    link: bool = False,
    but: Change | tuple[Change, ...] = (),
    whom: Ref | None = None,
) -> Effect:
    """Players create tokens (CR 111); `token` is the name of a face of the pool that is a token.

    `but`: what is otherwise than the face says, worked out as they are created: the size of an X/X token (CR 111.3).
    `attacking`: their controller chooses what they attack (CR 508.4); if `whom` says a player, that player or a
    planeswalker of the player.

    Raises:
        TypeError: an operand is of the wrong sort.
    """
    if not isinstance(token, str):
        raise TypeError(f"create_tokens: the name of a token is wanted, not {describe(token)}")
    how = _flags("create_tokens", tapped=tapped, attacking=attacking, link=link)
    exceptions = exceptions_of(but, "create_tokens")
    return _player(EffectOp.TOKEN, "create_tokens", player, amount, token, how, exceptions, _whom(whom, how))


def copy_token(
    player: Ref,
    amount: ValueLike,
    of: Ref,
    but: Change | tuple[Change, ...] = (),
    tapped: bool = False,
    attacking: bool = False,
    link: bool = False,
    whom: Ref | None = None,
) -> Effect:
    """Players create tokens that are copies of `of`, but for the exceptions `but` (CR 707.2, 707.9, 111.12)."""
    how = _flags("copy_token", tapped=tapped, attacking=attacking, link=link)
    copied = reference(of, "copy_token: of", one=True, kind=Kind.OBJECT)
    exceptions = exceptions_of(but, "copy_token")
    return _player(EffectOp.COPY_TOKEN, "copy_token", player, amount, copied, how, exceptions, _whom(whom, how))


def _whom(whom: Ref | None, how: MoveFlag) -> Ref | None:
    if whom is None:
        return None
    if MoveFlag.ATTACKING not in how:
        raise ValueError("whom they attack is said of tokens that enter attacking")
    return reference(whom, "whom", one=True, kind=Kind.PLAYER)


def become_copy(
    what: Ref, of: Ref, but: Change | tuple[Change, ...] = (), duration: Duration = Duration.PERMANENT
) -> Effect:
    """Permanents become copies of `of` for `duration`, but for the exceptions `but` (layer 1, CR 707.2, 707.9)."""
    copied = reference(of, "become_copy: of", one=True, kind=Kind.OBJECT)
    exceptions, lasting = exceptions_of(but, "become_copy"), duration_of(duration, "become_copy")
    return _objects(EffectOp.BECOME_COPY, "become_copy", what, copied, exceptions, lasting)


def transform(what: Ref) -> Effect:
    """Permanents are turned over: transformed (CR 701.27), or flipped (CR 710.4)."""
    return _objects(EffectOp.TRANSFORM, "transform", what)


def set_level(what: Ref, level: int) -> Effect:
    """Classes become this level (CR 716.2b)."""
    if not 1 < number(level, "set_level") <= MAX_LEVEL:
        raise ValueError(f"set_level: {level} is not from 2 to {MAX_LEVEL}")
    return _objects(EffectOp.SET_LEVEL, "set_level", what, level)


def add_mana(colors: str, amount: ValueLike = 1) -> Effect:
    """Add mana of one colour of `colors` ("R", "R/G", "any") to your mana pool (CR 106.4)."""
    return Effect(EffectOp.MANA, (mana_colors(colors), value(amount, "add_mana")))


def search_library(
    player: Ref, card: Filter, zone: Zone, tapped: bool = False, amount: ValueLike = 1, of: Ref | None = None
) -> Effect:
    """A player searches the library for up to `amount` cards, puts them into `zone` and shuffles (CR 701.23).

    Into the library: on top of it after it was shuffled. Onto the battlefield: under the player's control.

    Args:
        player: who searches.
        card: what is searched for.
        zone: where the cards go.
        tapped: they enter the battlefield tapped.
        amount: at most so many.
        of: whose library is searched and shuffled; None: the player's own.

    Raises:
        TypeError: an operand is of the wrong sort.
        ValueError: a card cannot be put into that zone.
    """
    searcher = _one_player(player, "search_library")
    wanted = filter_of_objects(card, "search_library")
    if not isinstance(zone, Zone):
        raise TypeError(f"search_library: a zone is wanted, not {describe(zone)}")
    if zone not in (Zone.BATTLEFIELD, Zone.HAND, Zone.GRAVEYARD, Zone.EXILE, Zone.LIBRARY):
        raise ValueError(f"search_library: a card found cannot be put into {zone.name.lower()}")
    whose = None if of is None else _one_player(of, "search_library: of")
    operands = (searcher, wanted, zone, flag(tapped, "search_library: tapped"), value(amount, "search_library"), whose)
    return Effect(EffectOp.SEARCH_LAND, operands)


def pick(
    player: Ref,
    what: Filter,
    least: ValueLike,
    most: ValueLike,
    zone: Zone = Zone.BATTLEFIELD,
    add: bool = False,
    hidden: bool = False,
    own: bool = False,
    sources: bool = False,
) -> Effect:
    """A player chooses objects while the spell or ability resolves (CR 608.2d); `picked` refers to them.

    Args:
        player: who chooses.
        what: what can be chosen.
        least: the fewest.
        most: the most.
        zone: where the objects are.
        add: they are chosen besides those chosen before.
        hidden: cards of another player's hidden zone, which is looked at.
        own: only in the player's own zone.
        sources: sources of damage, on the stack too (CR 609.7a).
    """
    how = PickFlag(0)
    for name, wanted, bit in (
        ("add", add, PickFlag.ADD),
        ("hidden", hidden, PickFlag.HIDDEN),
        ("own", own, PickFlag.OWN),
        ("sources", sources, PickFlag.SOURCES),
    ):
        how |= bit if flag(wanted, f"pick: {name}") else PickFlag(0)
    chosen = filter_of_objects(what, "pick")
    fewest, mostly = value(least, "pick: least"), value(most, "pick: most")
    return Effect(
        EffectOp.PICK, (_one_player(player, "pick"), chosen, fewest, mostly, zone_of(zone, "pick: zone"), how)
    )


def pick_player(player: Ref, who: Filter) -> Effect:
    """A player chooses a player that passes `who` (CR 608.2d); `picked` refers to it."""
    return Effect(EffectOp.PICK_PLAYER, (_one_player(player, "pick_player"), filter_of_players(who, "pick_player")))


def pick_color(player: Ref) -> Effect:
    """A player chooses a colour (CR 608.2d)."""
    return Effect(EffectOp.PICK_COLOR, (_one_player(player, "pick_color"),))


def regenerate(what: Ref) -> Effect:
    """Permanents get a regeneration shield until end of turn (CR 701.19)."""
    return _objects(EffectOp.REGENERATE, "regenerate", what)


def prevent(
    to: Ref | Filter,
    amount: ValueLike | Amount,
    combat: bool = False,
    duration: Duration = Duration.END_OF_TURN,
    by: bool = False,
) -> Effect:
    """Prevent the next `amount` damage, or `all_damage` (CR 615).

    Args:
        to: what is protected; `everything`: whatever it is dealt to.
        amount: how much of it.
        combat: combat damage only.
        duration: how long.
        by: damage dealt by `to`, not to it.
    """
    shielded = None if to == everything else reference(to, "prevent")
    which = DamageFlag.COMBAT if flag(combat, "prevent: combat") else DamageFlag(0)
    if flag(by, "prevent: by"):
        which |= DamageFlag.BY
    if isinstance(amount, Amount):
        which |= DamageFlag.ALL
    number_ = value(0 if isinstance(amount, Amount) else amount, "prevent")
    return Effect(EffectOp.PREVENT, (shielded, number_, duration_of(duration, "prevent"), which, None))


def prevent_from(
    source: Ref,
    to: Ref | Filter,
    amount: ValueLike | Amount,
    still: Filter | None = None,
    duration: Duration = Duration.END_OF_TURN,
    each_time: bool = False,
) -> Effect:
    """The next time `source` would deal damage, prevent `amount` of it, or `all_damage` (CR 609.7, 615.8).

    Args:
        source: the source of the damage, such as one that was picked.
        to: what is protected; `everything`: whatever it is dealt to.
        amount: how much of it.
        still: what the source must still be when it would deal the damage (CR 615.9).
        duration: how long.
        each_time: whenever the source would deal damage, not the next time only; with `all_damage`.
    """
    shielded = None if to == everything else reference(to, "prevent_from")
    which = DamageFlag.TOTAL | (DamageFlag.ALL if isinstance(amount, Amount) else DamageFlag(0))
    if flag(each_time, "prevent_from: each_time"):
        if not isinstance(amount, Amount):
            raise ValueError("prevent_from: each_time goes with all_damage")
        which |= DamageFlag.TOTAL_BY
    number_ = value(0 if isinstance(amount, Amount) else amount, "prevent_from")
    dealer = reference(source, "prevent_from", kind=Kind.OBJECT)
    if still is not None:
        filter_of_objects(still, "prevent_from: still")
    return Effect(
        EffectOp.PREVENT_FROM, (dealer, shielded, number_, duration_of(duration, "prevent_from"), which, still, None)
    )


def pick_source(what: Filter = everything) -> Effect:
    """You choose a source of damage: a permanent, or what is on the stack (CR 609.7a); `picked` refers to it."""
    return pick(you, what, 1, 1, sources=True)


def exile_if_leaves(what: Ref, duration: Duration = Duration.PERMANENT) -> Effect:
    """If permanents would leave the battlefield, they are exiled instead of going anywhere else (CR 614.6)."""
    return _objects(EffectOp.EXILE_LEAVING, "exile_if_leaves", what, duration_of(duration, "exile_if_leaves"))


def exile_if_dies(what: Ref, duration: Duration = Duration.END_OF_TURN) -> Effect:
    """If permanents would die, they are exiled instead (CR 614.6)."""
    return _objects(EffectOp.EXILE_INSTEAD, "exile_if_dies", what, duration_of(duration, "exile_if_dies"))


def exile_until_leaves(what: Ref) -> Effect:
    """Exile objects until the source leaves the battlefield (CR 610.3)."""
    return _objects(EffectOp.EXILE_UNTIL, "exile_until_leaves", what)


def attach(what: Ref, to: Ref) -> Effect:
    """Attach permanents to `to` (CR 701.3)."""
    return _objects(EffectOp.ATTACH, "attach", what, reference(to, "attach: to", one=True, kind=Kind.OBJECT))


def scry(player: Ref, amount: ValueLike) -> Effect:
    """Players scry (CR 701.22)."""
    return _player(EffectOp.SCRY, "scry", player, amount)


def surveil(player: Ref, amount: ValueLike) -> Effect:
    """Players surveil (CR 701.25)."""
    return _player(EffectOp.SURVEIL, "surveil", player, amount)


def shuffle(player: Ref) -> Effect:
    """Players shuffle their libraries (CR 701.24)."""
    return Effect(EffectOp.SHUFFLE, (reference(player, "shuffle", kind=Kind.PLAYER),))


def dig(
    player: Ref,
    look: ValueLike,
    take: ValueLike,
    what: Filter,
    to: Zone = Zone.HAND,
    rest: MoveFlag | Zone = MoveFlag.BOTTOM,
) -> Effect:
    """A player looks at the top cards of the library and puts some of them elsewhere (CR 701.20).

    Args:
        player: who looks.
        look: at how many cards.
        take: how many of them can be put into `to`.
        what: what they must pass.
        to: where they go.
        rest: where the others go: top, bottom, random_bottom (of the library), graveyard, hand, exile_zone.
    """
    if isinstance(rest, MoveFlag) and rest in _RESTS:
        left: tuple[Zone, MoveFlag] = (Zone.LIBRARY, rest)
    else:
        left = (zone_of(rest, "dig: rest", (Zone.GRAVEYARD, Zone.HAND, Zone.EXILE)), MoveFlag(0))
    zone = zone_of(to, "dig: to", (Zone.HAND, Zone.BATTLEFIELD, Zone.GRAVEYARD, Zone.EXILE))
    numbers = (value(look, "dig: look"), value(take, "dig: take"))
    return Effect(EffectOp.DIG, (_one_player(player, "dig"), *numbers, filter_of_objects(what, "dig"), zone, *left))


def extra_turn(player: Ref) -> Effect:
    """A player takes an extra turn after this one (CR 500.7)."""
    return Effect(EffectOp.EXTRA_TURN, (_one_player(player, "extra_turn"),))


def link(what: Ref, k: int = 0, of: Ref | None = None) -> Effect:
    """Link objects to the source by number `k`; ``linked(k)`` refers to them (CR 607.2).

    `of`: to this object instead, whose own abilities then speak of them: what a card in exile haunts (CR 702.55b).
    """
    if not 0 <= number(k, "link") < MAX_LINKS:
        raise ValueError(f"link: {k} is not from 0 to {MAX_LINKS - 1}")
    holder = None if of is None else reference(of, "link: of", one=True, kind=Kind.OBJECT)
    return _objects(EffectOp.LINK, "link", what, k, holder)


def remove_from_combat(what: Ref) -> Effect:
    """Remove creatures from combat (CR 506.4)."""
    return _objects(EffectOp.REMOVE_FROM_COMBAT, "remove_from_combat", what)


def lose_game(player: Ref) -> Effect:
    """Players lose the game (CR 104.3e)."""
    return Effect(EffectOp.LOSE_GAME, (reference(player, "lose_game", kind=Kind.PLAYER),))


def amount_of(effect: Effect) -> Value | Amount:
    """Return how much damage the prevention effect `effect` prevents."""
    _, amount, _, which = effect.args
    assert isinstance(which, DamageFlag)
    assert isinstance(amount, Value)
    return Amount.ALL if DamageFlag.ALL in which else amount
