"""Effects that let players cast or play cards (CR 601.3, 608.2g)."""

from __future__ import annotations

from lkicore.opcodes import Duration, EffectOp, PlayFlag, WayFlag, WayKind

from .costs import Cost
from .effects import Effect, duration_of
from .mana import mana_cost
from .operands import Kind, flag
from .references import Ref, reference
from .values import ValueLike, value
from .way_words import way_kind
from .ways import NO_FLAGS, PLAYED, Way

#: Nothing at all: "without paying its mana cost".
_FREE = Cost()


def _way(kind: str, cost: str | Cost | None, marks: WayFlag) -> Way:
    named = way_kind(kind)
    if cost is not None:
        return Way(named, cost if isinstance(cost, Cost) else Cost(mana_cost(cost)), (), flags=marks)
    return Way(named, None if named is WayKind.NORMAL else _FREE, (), flags=marks)


def _marks(word: str, **marks: tuple[bool, WayFlag]) -> WayFlag:
    made = NO_FLAGS
    for name, (wanted, bit) in marks.items():
        if flag(wanted, f"{word}: {name}"):
            made |= bit
    return made


def cast_now(
    player: Ref,
    what: Ref,
    way: str = "free",
    cost: str | Cost | None = None,
    must: bool = False,
    lands: bool = False,
    exiled: bool = False,
    at_most: ValueLike | None = None,
) -> Effect:
    """A player may cast one of the objects now, while this resolves (CR 608.2g); `result` is 1 if that happens.

    Args:
        player: the player.
        what: the cards.
        way: name of the way; "normal": for its mana cost, all others without paying it, unless `cost` says more.
        cost: what is paid instead; as text: mana.
        must: it is cast if able.
        lands: a land may be played, too.
        exiled: the spell is exiled if it would go to a graveyard.
        at_most: the most that the mana value of the spell may be, whatever that of the card is (CR 702.85a).
    """
    how = PlayFlag(0)
    for name, wanted, bit in (("must", must, PlayFlag.MUST), ("lands", lands, PlayFlag.LANDS)):
        if flag(wanted, f"cast_now: {name}"):
            how |= bit
    made = _way(way, cost, _marks("cast_now", exiled=(exiled, WayFlag.EXILE_INSTEAD)))
    limit = None if at_most is None else value(at_most, "cast_now: at_most")
    who = reference(player, "cast_now", one=True, kind=Kind.PLAYER)
    return Effect(EffectOp.CAST, (who, reference(what, "cast_now", kind=Kind.OBJECT), made, how, limit))


def may_play(
    player: Ref,
    what: Ref,
    duration: Duration = Duration.END_OF_TURN,
    way: str = "normal",
    cost: str | Cost | None = None,
    played: str = "cards",
    any_color: bool = False,
    instant: bool = False,
    sorcery: bool = False,
    later: bool = False,
    exiled: bool = False,
    main_face: bool = False,
) -> Effect:
    """Players may play these cards where they are, while the duration lasts (CR 601.3, 611.2).

    Args:
        player: the players.
        what: the cards.
        duration: how long.
        way: name of the way, see `cast_now`.
        cost: what is paid instead; as text: mana.
        played: "cards", "spells" or "lands".
        any_color: mana can be spent as though it were mana of any color.
        instant: as though it had flash.
        sorcery: only at sorcery speed.
        later: not in this turn.
        exiled: the spell is exiled if it would go to a graveyard.
        main_face: as the card is, in none of its other faces or halves (CR 715.3d).
    """
    if played not in PLAYED:
        raise ValueError(f"may_play: played is one of {', '.join(PLAYED)}, not {played!r}")
    marks = _marks(
        "may_play",
        any_color=(any_color, WayFlag.ANY_COLOR),
        instant=(instant, WayFlag.INSTANT),
        sorcery=(sorcery, WayFlag.SORCERY),
        later=(later, WayFlag.LATER),
        exiled=(exiled, WayFlag.EXILE_INSTEAD),
        main_face=(main_face, WayFlag.MAIN_FACE),
    )
    made = _way(way, cost, marks | PLAYED[played])
    if made.kind is WayKind.TRANSFORMED:
        raise ValueError("may_play: cards are cast transformed as something resolves, with cast_now")
    who = reference(player, "may_play", kind=Kind.PLAYER)
    cards = reference(what, "may_play", kind=Kind.OBJECT)
    return Effect(EffectOp.PERMIT, (who, cards, made, duration_of(duration, "may_play")))
