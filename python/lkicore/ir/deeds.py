"""Effects that are neither moves nor damage: cards revealed, keyword actions told, designations, counters moved."""

from __future__ import annotations

from lkicore.opcodes import Designation, EffectOp, KeywordAction, MoveFlag, Zone

from .effects import Effect, _one_player, random_bottom
from .filters import Filter, filter_of_objects
from .operands import Kind, describe, zone_of
from .references import Ref, reference
from .values import ValueLike, counter_name, value

#: Keyword actions by the word that cards use: "explores", "becomes monstrous".
ACTION_NAMES: dict[str, KeywordAction] = {a.name.lower().replace("_", " "): a for a in KeywordAction}
#: Designations by their word.
DESIGNATION_NAMES: dict[str, Designation] = {d.name.lower(): d for d in Designation}


def action_of(name: object, word: str) -> KeywordAction:
    """Return the keyword action called `name`.

    Raises:
        ValueError: none is.
    """
    found = ACTION_NAMES.get(name) if isinstance(name, str) else name
    if not isinstance(found, KeywordAction):
        raise ValueError(f"{word}: there are {', '.join(ACTION_NAMES)}, not {describe(name)}")
    return found


def designation_of(name: object, word: str) -> Designation:
    """Return the designation called `name`.

    Raises:
        ValueError: none is.
    """
    found = DESIGNATION_NAMES.get(name) if isinstance(name, str) else name
    if not isinstance(found, Designation):
        raise ValueError(f"{word}: there are {', '.join(DESIGNATION_NAMES)}, not {describe(name)}")
    return found


def reveal(what: Ref) -> Effect:
    """Cards are revealed (CR 701.20); `moved` means them afterwards."""
    return Effect(EffectOp.REVEAL, (reference(what, "reveal", kind=Kind.OBJECT), MoveFlag(0)))


def discard_cards(what: Ref) -> Effect:
    """Cards in hands are discarded by their owners: "that player discards that card" (CR 701.9)."""
    return Effect(EffectOp.DISCARD_CARD, (reference(what, "discard_cards", kind=Kind.OBJECT), MoveFlag(0)))


def act(name: str | KeywordAction, who: Ref, about: Ref | None = None) -> Effect:
    """`who` does a keyword action, so that abilities trigger on it: ``act("explores", source)``.

    Args:
        name: the action.
        who: objects, or players, that do it.
        about: what it is done to.
    """
    other = None if about is None else reference(about, "act: about", one=True, kind=Kind.OBJECT)
    return Effect(EffectOp.ACT, (action_of(name, "act"), reference(who, "act"), other))


def designate(what: Ref, name: str | Designation) -> Effect:
    """Permanents get a designation, which they keep until they leave: ``designate(source, "monstrous")``."""
    which = designation_of(name, "designate")
    return Effect(EffectOp.DESIGNATE, (reference(what, "designate", kind=Kind.OBJECT), which))


def move_counters(from_: Ref, to: Ref, kind: str | None = None, amount: ValueLike | None = None) -> Effect:
    """Counters go from one permanent to another (CR 122.5); of one that has left, as many as it had are put there.

    Args:
        from_: where they are.
        to: where they go.
        kind: their kind; None: every kind.
        amount: how many of a kind; None: all.
    """
    giver = reference(from_, "move_counters: from_", one=True, kind=Kind.OBJECT)
    taker = reference(to, "move_counters: to", one=True, kind=Kind.OBJECT)
    which = None if kind is None else counter_name(kind, "move_counters: kind")
    most = None if amount is None else value(amount, "move_counters: amount")
    return Effect(EffectOp.MOVE_COUNTERS, (giver, taker, which, most))


def set_life(players: Ref, total: ValueLike) -> Effect:
    """The life totals of players become `total` (CR 119.5)."""
    return Effect(EffectOp.SET_LIFE, (reference(players, "set_life", kind=Kind.PLAYER), value(total, "set_life")))


def exchange_life(a: Ref, b: Ref) -> Effect:
    """Two players exchange life totals (CR 701.12c)."""
    return Effect(EffectOp.EXCHANGE_LIFE, (_one_player(a, "exchange_life"), _one_player(b, "exchange_life")))


def reveal_until(
    player: Ref,
    what: Filter,
    to: Zone,
    amount: ValueLike = 1,
    rest: MoveFlag | Zone = random_bottom,
    tapped: bool = False,
) -> Effect:
    """A player reveals cards from the top of the library until `amount` of them pass `what` (CR 701.20).

    Args:
        player: who reveals.
        what: what they must pass.
        to: where they go.
        amount: how many.
        rest: where the others go: random_bottom (of the library), graveyard, hand, exile_zone.
        tapped: they enter the battlefield tapped.
    """
    zone = zone_of(to, "reveal_until: to", (Zone.HAND, Zone.BATTLEFIELD, Zone.GRAVEYARD, Zone.EXILE))
    how = MoveFlag.TAPPED if tapped else MoveFlag(0)
    if isinstance(rest, MoveFlag):
        if rest != random_bottom:
            raise ValueError("reveal_until: rest is random_bottom or a zone")
        left, how = Zone.LIBRARY, how | rest
    else:
        left = zone_of(rest, "reveal_until: rest", (Zone.GRAVEYARD, Zone.HAND, Zone.EXILE))
    wanted = filter_of_objects(what, "reveal_until")
    enough = value(amount, "reveal_until: amount")
    return Effect(EffectOp.REVEAL_UNTIL, (_one_player(player, "reveal_until"), enough, wanted, zone, left, how))
