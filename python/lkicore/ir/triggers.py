"""Events that abilities trigger on (CR 603.2): `dies(creature & yours)`, `begins(upkeep, yourself)`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lkicore.opcodes import EventKind, FilterOp, KeywordAction, Step, TriggerFlag, Zone

from .filters import Filter, everything, filter_of_objects, filter_of_players, spell, this
from .operands import Kind, covers, describe, flag, step_of, zone_of
from .values import counter_name

NO_TRIGGER_FLAGS = TriggerFlag(0)


@dataclass(frozen=True, slots=True)
class EventParts:
    """What an event has.

    Attributes:
        object, other, player, amount: whether it has these.
    """

    object: bool = False
    other: bool = False
    player: bool = False
    amount: bool = False


def _parts(letters: str) -> EventParts:
    return EventParts("o" in letters, "t" in letters, "p" in letters, "a" in letters)


#: What each event has: o object, t the other object, p player, a amount.
EVENT_PARTS: dict[EventKind, EventParts] = {
    EventKind.NONE: _parts(""),
    EventKind.ENTERS: _parts("op"),
    EventKind.LEAVES: _parts("op"),
    EventKind.MOVES: _parts("op"),
    EventKind.SACRIFICED: _parts("op"),
    EventKind.CAST: _parts("op"),
    EventKind.MANA: _parts("opa"),
    EventKind.COPIED: _parts("op"),
    EventKind.ACTIVATED: _parts("otp"),
    EventKind.ATTACKS: _parts("opa"),
    EventKind.BLOCKS: _parts("otp"),
    EventKind.BECOMES_BLOCKED: _parts("otpa"),
    EventKind.DAMAGE: _parts("otpa"),
    EventKind.GAINS_LIFE: _parts("pa"),
    EventKind.LOSES_LIFE: _parts("pa"),
    EventKind.DRAWS: _parts("opa"),
    EventKind.DISCARDS: _parts("op"),
    EventKind.TAPPED: _parts("o"),
    EventKind.UNTAPPED: _parts("o"),
    EventKind.COUNTERS_PUT: _parts("oa"),
    EventKind.STEP: _parts("pa"),
    EventKind.TARGETED: _parts("otp"),
    EventKind.PLAYER_TARGETED: _parts("tp"),
    EventKind.COUNTERS_REMOVED: _parts("oa"),
    EventKind.ATTACHED: _parts("otp"),
    EventKind.UNATTACHED: _parts("otp"),
    EventKind.UNBLOCKED: _parts("op"),
    EventKind.EXERTED: _parts("op"),
    EventKind.LAND_PLAYED: _parts("op"),
    EventKind.SCRY: _parts("p"),
    EventKind.COUNTERED: _parts("op"),
    EventKind.ATTACKERS: _parts("pa"),
    EventKind.LOSES_GAME: _parts("p"),
    EventKind.TRANSFORMS: _parts("op"),
    EventKind.PHASES_OUT: _parts("op"),
    EventKind.PHASES_IN: _parts("op"),
    EventKind.LEVEL: _parts("opa"),
    EventKind.TURNED_UP: _parts("op"),
    EventKind.LOSES_CONTROL: _parts("op"),
    EventKind.REFLEXIVE: _parts("oa"),
    EventKind.DELAYED: _parts("o"),
    EventKind.PUT: _parts("op"),
    EventKind.ACTION: _parts("otp"),
    EventKind.STATE: _parts("o"),
    EventKind.PLAYER_COUNTERS: _parts("pa"),
    EventKind.TITLE: _parts("p"),
    EventKind.ROOM: _parts("op"),
    EventKind.DAY: _parts("pa"),
    EventKind.FLIP: _parts("pa"),
    EventKind.ROLL: _parts("pa"),
    EventKind.PROLIFERATE: _parts("p"),
}
covers(EventKind, EVENT_PARTS, "parts of events")


@dataclass(frozen=True, slots=True)
class Event:
    """An event that an ability triggers on (CR 603.2).

    Attributes:
        kind: what happens.
        object: what its object must pass, or None: any.
        other: what the other object must pass.
        player: what its player must pass.
        zone_from: the zone that the object left, or None: any.
        zone_to: the zone that it entered.
        not_from: PUT: the zone that the object must not have left.
        step: STEP: the step that begins.
        action: ACTION: the keyword action.
        counter: COUNTERS_PUT, COUNTERS_REMOVED, PLAYER_COUNTERS: the kind of counter.
        number: ROOM: the room; DAY: 1 day, 2 night.
        exits: ROOM: the rooms that its arrows lead to.
        title: TITLE: name of the face that stands for it.
        flags: further marks.
    """

    kind: EventKind
    object: Filter | None = None
    other: Filter | None = None
    player: Filter | None = None
    zone_from: Zone | None = None
    zone_to: Zone | None = None
    step: Step = Step.NONE
    counter: str = ""
    number: int = 0
    exits: tuple[int, ...] = ()
    title: str = ""
    flags: TriggerFlag = NO_TRIGGER_FLAGS
    action: KeywordAction | None = None
    not_from: Zone | None = None

    @property
    def parts(self) -> EventParts:
        """What the event has."""
        if TriggerFlag.TOGETHER in self.flags:
            return replace(EVENT_PARTS[self.kind], amount=True)
        return EVENT_PARTS[self.kind]

    @property
    def about_itself(self) -> bool:
        """Whether its object can be nothing but the source."""
        return self.object is not None and _only_this(self.object)


def _only_this(filter_: Filter) -> bool:
    if filter_.op is FilterOp.AND:
        return any(_only_this(p) for p in filter_.parts)
    return filter_.op is FilterOp.SOURCE


def _object(what: object, word: str) -> Filter | None:
    """Return the filter of an event's object; `everything` asks nothing."""
    return None if what == everything else filter_of_objects(what, word)


def _optional(what: object, word: str) -> Filter | None:
    return None if what is None else _object(what, word)


def _player(who: object, word: str) -> Filter | None:
    return None if who is None else filter_of_players(who, word)


def _zone(zone: object, word: str) -> Zone | None:
    return None if zone is None else zone_of(zone, word)


def enters(what: Filter = this, from_zone: Zone | None = None) -> Event:
    """An object enters the battlefield (CR 603.6a), from `from_zone`."""
    return Event(EventKind.ENTERS, _object(what, "enters"), zone_from=_zone(from_zone, "enters"))


def _together(together: object, word: str) -> TriggerFlag:
    if together == "power":
        return TriggerFlag.TOGETHER | TriggerFlag.TOTAL_POWER
    return TriggerFlag.TOGETHER if flag(together, f"{word}: together") else NO_TRIGGER_FLAGS


def leaves(what: Filter = this, to_zone: Zone | None = None, together: bool | str = False) -> Event:
    """An object leaves the battlefield (CR 603.6c); `together`: one or more do, with a number, see `dies`."""
    flags = _together(together, "leaves")
    return Event(EventKind.LEAVES, _object(what, "leaves"), zone_to=_zone(to_zone, "leaves"), flags=flags)


def dies(what: Filter = this, together: bool | str = False) -> Event:
    """An object is put into a graveyard from the battlefield (CR 700.4).

    Args:
        what: what it must pass.
        together: one or more do, and it triggers once for all that die in one event (CR 603.2c). The event's number is
            how many there are, or, for "power", their total power.
    """
    flags = _together(together, "dies")
    return Event(EventKind.LEAVES, _object(what, "dies"), zone_to=Zone.GRAVEYARD, flags=flags)


def loses_control(what: Filter = this, by: Filter | None = None) -> Event:
    """A player loses control of a permanent, to another player or as it leaves (CR 603.10d)."""
    player = _player(by, "loses_control")
    return Event(EventKind.LOSES_CONTROL, _object(what, "loses_control"), player=player)


def moves(what: Filter = this, from_zone: Zone | None = None, to_zone: Zone | None = None) -> Event:
    """An object leaves a zone (CR 603.6)."""
    left = _zone(from_zone, "moves")
    if left is Zone.BATTLEFIELD:
        return leaves(what, to_zone)
    return Event(EventKind.MOVES, _object(what, "moves"), zone_from=left, zone_to=_zone(to_zone, "moves"))


def put_into(what: Filter, zone: Zone, not_from: Zone | None = None, from_zone: Zone | None = None) -> Event:
    """An object is put into a zone from anywhere, or anywhere but `not_from`; asked as it is there (CR 603.6c).

    `from_zone`: from that zone alone, such as the library (CR 603.6).
    """
    other = _zone(not_from, "put_into: not_from")
    left = _zone(from_zone, "put_into: from_zone")
    to = _zone(zone, "put_into")
    return Event(EventKind.PUT, _object(what, "put_into"), zone_from=left, zone_to=to, not_from=other)


def sacrificed(what: Filter, by: Filter | None = None) -> Event:
    """A player sacrifices a permanent (CR 701.21)."""
    return Event(EventKind.SACRIFICED, _object(what, "sacrificed"), player=_player(by, "sacrificed"))


def cast(what: Filter = spell, by: Filter | None = None) -> Event:
    """A player casts a spell (CR 601.2i)."""
    wanted = None if what == spell else _object(what, "cast")
    return Event(EventKind.CAST, wanted, player=_player(by, "cast"))


def copied(what: Filter = spell, by: Filter | None = None) -> Event:
    """A player copies a spell (CR 707.10)."""
    wanted = None if what == spell else _object(what, "copied")
    return Event(EventKind.COPIED, wanted, player=_player(by, "copied"))


def tapped_for_mana(what: Filter, by: Filter | None = None) -> Event:
    """A player taps a permanent for mana (CR 106.12)."""
    return Event(EventKind.MANA, _object(what, "tapped_for_mana"), player=_player(by, "tapped_for_mana"))


def activated(what: Filter, by: Filter | None = None) -> Event:
    """A player activates an ability of an object (CR 602.2)."""
    return Event(EventKind.ACTIVATED, _object(what, "activated"), player=_player(by, "activated"))


def attacks(what: Filter = this, whom: Filter | None = None, alone: bool = False) -> Event:
    """A creature attacks (CR 508.3a), alone (CR 506.5)."""
    flags = TriggerFlag.ALONE if flag(alone, "attacks: alone") else NO_TRIGGER_FLAGS
    return Event(EventKind.ATTACKS, _object(what, "attacks"), player=_player(whom, "attacks"), flags=flags)


def attackers(by: Filter) -> Event:
    """A player attacks with one or more creatures (CR 508.3d)."""
    return Event(EventKind.ATTACKERS, player=_player(by, "attackers"))


def blocks(blocker: Filter = this, what: Filter | None = None) -> Event:
    """A creature blocks, or blocks a creature that passes `what` (CR 509.3a-b)."""
    return Event(EventKind.BLOCKS, _object(blocker, "blocks"), _optional(what, "blocks"))


def becomes_blocked(what: Filter = this) -> Event:
    """A creature becomes blocked, once by however many (CR 509.3c); each of them: ``blocks(creature, this)``."""
    return Event(EventKind.BECOMES_BLOCKED, _object(what, "becomes_blocked"))


def unblocked(what: Filter = this) -> Event:
    """A creature attacks and isn't blocked (CR 509.3g)."""
    return Event(EventKind.UNBLOCKED, _object(what, "unblocked"))


def exerted(what: Filter = this, by: Filter | None = None) -> Event:
    """A creature is exerted (CR 701.43)."""
    return Event(EventKind.EXERTED, _object(what, "exerted"), player=None if by is None else _player(by, "exerted"))


def _combat(combat: bool | None, word: str) -> TriggerFlag:
    if combat is None:
        return NO_TRIGGER_FLAGS
    return TriggerFlag.COMBAT if flag(combat, f"{word}: combat") else TriggerFlag.NONCOMBAT


def _damaged(to: Filter | None, word: str) -> tuple[Filter | None, Filter | None, TriggerFlag]:
    """Return (other, player, flags) of damage to something that passes `to`."""
    if to is None or to == everything:
        return None, None, NO_TRIGGER_FLAGS
    if not isinstance(to, Filter):
        raise TypeError(f"{word}: a filter is wanted, not {describe(to)}")
    if to.kind is Kind.PLAYER:
        return None, to, TriggerFlag.TO_PLAYER
    if to.kind is Kind.OBJECT:
        return to, None, TriggerFlag.TO_OBJECT
    raise ValueError(f"{word}: damage to players and damage to objects are two events; write two abilities")


def deals_damage(what: Filter = this, to: Filter | None = None, combat: bool | None = None) -> Event:
    """An object deals damage to objects or to players that pass `to` (CR 120)."""
    other, player, flags = _damaged(to, "deals_damage")
    source = _object(what, "deals_damage")
    return Event(EventKind.DAMAGE, source, other, player, flags=flags | _combat(combat, "deals_damage"))


def is_dealt_damage(to: Filter = this, combat: bool | None = None, by: Filter | None = None) -> Event:
    """Objects or players that pass `to` are dealt damage (CR 120)."""
    other, player, flags = _damaged(to, "is_dealt_damage")
    source = _optional(by, "is_dealt_damage")
    return Event(EventKind.DAMAGE, source, other, player, flags=flags | _combat(combat, "is_dealt_damage"))


def _of_player(kind: EventKind, word: str, who: Filter) -> Event:
    return Event(kind, player=filter_of_players(who, word))


def gains_life(who: Filter) -> Event:
    """A player gains life (CR 119.9)."""
    return _of_player(EventKind.GAINS_LIFE, "gains_life", who)


def loses_life(who: Filter) -> Event:
    """A player loses life (CR 119.10)."""
    return _of_player(EventKind.LOSES_LIFE, "loses_life", who)


def draws(who: Filter, what: Filter | None = None, revealed: bool = False) -> Event:
    """A player draws a card (CR 121); `revealed`: and reveals it as it is drawn (CR 702.94a)."""
    player = filter_of_players(who, "draws")
    flags = TriggerFlag.REVEAL if flag(revealed, "draws: revealed") else NO_TRIGGER_FLAGS
    return Event(EventKind.DRAWS, _optional(what, "draws"), player=player, flags=flags)


def scries(who: Filter) -> Event:
    """A player scries (CR 701.22)."""
    return _of_player(EventKind.SCRY, "scries", who)


def loses_game(who: Filter) -> Event:
    """A player loses the game (CR 603.10f)."""
    return _of_player(EventKind.LOSES_GAME, "loses_game", who)


def discards(who: Filter, what: Filter | None = None) -> Event:
    """A player discards a card (CR 701.9)."""
    player = filter_of_players(who, "discards")
    return Event(EventKind.DISCARDS, _optional(what, "discards"), player=player)


def land_played(who: Filter, what: Filter | None = None) -> Event:
    """A player plays a land (CR 305.1)."""
    player = filter_of_players(who, "land_played")
    return Event(EventKind.LAND_PLAYED, _optional(what, "land_played"), player=player)


def becomes_tapped(what: Filter = this) -> Event:
    """A permanent becomes tapped (CR 701.26)."""
    return Event(EventKind.TAPPED, _object(what, "becomes_tapped"))


def becomes_untapped(what: Filter = this) -> Event:
    """A permanent becomes untapped (CR 701.26)."""
    return Event(EventKind.UNTAPPED, _object(what, "becomes_untapped"))


def _counters(kind: EventKind, word: str, what: Filter, name: str) -> Event:
    return Event(kind, _object(what, word), counter=counter_name(name, word))


def counters_put(what: Filter, kind: str) -> Event:
    """Counters are put on an object (CR 122.6)."""
    return _counters(EventKind.COUNTERS_PUT, "counters_put", what, kind)


def counters_removed(what: Filter, kind: str) -> Event:
    """Counters are removed from an object (CR 122)."""
    return _counters(EventKind.COUNTERS_REMOVED, "counters_removed", what, kind)


def turned_up(what: Filter = this) -> Event:
    """A permanent is turned face up; it is asked as it is now (CR 708.8)."""
    return Event(EventKind.TURNED_UP, _object(what, "turned_up"))


def transforms(what: Filter = this) -> Event:
    """A permanent has transformed; it is asked as it is now (CR 701.27)."""
    return Event(EventKind.TRANSFORMS, _object(what, "transforms"))


def phases_out(what: Filter = this) -> Event:
    """A permanent phases out; it is asked as it still is (CR 603.10b, 702.26)."""
    return Event(EventKind.PHASES_OUT, _object(what, "phases_out"))


def phases_in(what: Filter = this) -> Event:
    """A permanent phases in (CR 702.26)."""
    return Event(EventKind.PHASES_IN, _object(what, "phases_in"))


def becomes_level(what: Filter = this) -> Event:
    """A Class becomes a level (CR 716.2); its number is the event's."""
    return Event(EventKind.LEVEL, _object(what, "becomes_level"))


def begins(step: Step, whose: Filter | None = None) -> Event:
    """A step or phase of a player's turn begins (CR 603.6b): ``begins(upkeep, yourself)``."""
    return Event(EventKind.STEP, player=_player(whose, "begins"), step=step_of(step, "begins"))


def becomes_target(what: Filter = this, of: Filter | None = None, by: Filter | None = None) -> Event:
    """An object or player becomes the target of a spell or ability of a player (CR 603.2e)."""
    subject: object = what
    if isinstance(subject, Filter) and subject.kind is Kind.PLAYER:
        if by is not None:
            raise ValueError("becomes_target: of a player, only what targets it can be asked; write of=")
        return Event(EventKind.PLAYER_TARGETED, None, _optional(of, "becomes_target"), what)
    other, player = _optional(of, "becomes_target"), _player(by, "becomes_target")
    return Event(EventKind.TARGETED, _object(what, "becomes_target"), other, player)


def becomes_attached(what: Filter = this, to: Filter | None = None) -> Event:
    """A permanent becomes attached to another (CR 701.3)."""
    return Event(EventKind.ATTACHED, _object(what, "becomes_attached"), _optional(to, "becomes_attached"))


def becomes_unattached(what: Filter = this, from_: Filter | None = None) -> Event:
    """A permanent becomes unattached from another (CR 701.3d, 603.10c)."""
    return Event(EventKind.UNATTACHED, _object(what, "becomes_unattached"), _optional(from_, "becomes_unattached"))


def is_countered(what: Filter) -> Event:
    """A spell is countered (CR 701.6, 603.10e)."""
    return Event(EventKind.COUNTERED, _object(what, "is_countered"))


def does(action: str, what: Filter) -> Event:
    """An object, or a player, does a keyword action (CR 701, 702): ``does("explores", creature & yours)``."""
    from .deeds import action_of

    which = action_of(action, "does")
    subject: object = what
    if isinstance(subject, Filter) and subject.kind is Kind.PLAYER:
        return Event(EventKind.ACTION, player=subject, action=which)
    return Event(EventKind.ACTION, _object(what, "does"), action=which)


#: The state that the ability's "if" names holds (CR 603.8); it is asked only as the ability triggers.
state = Event(EventKind.STATE, flags=TriggerFlag.ONLY_THEN)


def gets_counters(who: Filter, kind: str) -> Event:
    """A player gets counters (CR 122.6)."""
    player = filter_of_players(who, "gets_counters")
    return Event(EventKind.PLAYER_COUNTERS, player=player, counter=counter_name(kind, "gets_counters"))


def becomes_monarch(who: Filter) -> Event:
    """A player becomes the monarch (CR 724.1)."""
    return Event(EventKind.TITLE, player=filter_of_players(who, "becomes_monarch"), title="The Monarch")


def takes_initiative(who: Filter) -> Event:
    """A player takes the initiative (CR 726.1)."""
    return Event(EventKind.TITLE, player=filter_of_players(who, "takes_initiative"), title="The Initiative")


def room(k: int, *exits: int) -> Event:
    """The venture marker moves into room `k` of this dungeon, whose arrows lead to the rooms `exits` (CR 309.4c).

    Raises:
        ValueError: a room has another number than 0 to 15.
    """
    for n in (k, *exits):
        if type(n) is not int or not 0 <= n < 16:
            raise ValueError(f"room: {n} is not from 0 to 15")
    return Event(EventKind.ROOM, this, number=k, exits=exits)


#: Night becomes day, or day becomes night, or either (CR 731).
day_comes = Event(EventKind.DAY, number=1)
night_comes = Event(EventKind.DAY, number=2)
day_or_night_comes = Event(EventKind.DAY)


def flips_coin(who: Filter) -> Event:
    """A player flips a coin; `event_amount` is 1 if the flip is won (CR 705)."""
    return _of_player(EventKind.FLIP, "flips_coin", who)


def rolls_die(who: Filter) -> Event:
    """A player rolls a die; `event_amount` is the result (CR 706)."""
    return _of_player(EventKind.ROLL, "rolls_die", who)


def proliferates(who: Filter) -> Event:
    """A player proliferates (CR 701.34)."""
    return _of_player(EventKind.PROLIFERATE, "proliferates", who)
