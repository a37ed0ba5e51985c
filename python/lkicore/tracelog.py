"""A game's trace, records of numbers, as lines to read: turns, casts, resolutions, combat, LKI records and look-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lkicore.opcodes import (
    ChoiceKind,
    Duration,
    EffectKind,
    EndReason,
    HistoryKind,
    Policy,
    ReplaceOp,
    Step,
    TraceKind,
    ValueOp,
    Zone,
)

#: (kind, a, b, c, d, id, tick); what a to d are depends on the kind, see docs/opcodes.md.
Record = Sequence[int]

STARTING_LIFE = 20
_INDENT = "  "
_COLOURS = "WUBRGC"

STEP_NAMES = {
    Step.NONE: "before the game",
    Step.UNTAP: "untap",
    Step.UPKEEP: "upkeep",
    Step.DRAW: "draw",
    Step.MAIN1: "first main phase",
    Step.BEGIN_COMBAT: "beginning of combat",
    Step.DECLARE_ATTACKERS: "declare attackers",
    Step.DECLARE_BLOCKERS: "declare blockers",
    Step.FIRST_STRIKE_DAMAGE: "first-strike damage",
    Step.COMBAT_DAMAGE: "combat damage",
    Step.END_COMBAT: "end of combat",
    Step.MAIN2: "second main phase",
    Step.END: "end",
    Step.CLEANUP: "cleanup",
}
REASONS = {
    EndReason.NONE: "no reason given",
    EndReason.LIFE: "no life left (CR 704.5a)",
    EndReason.EMPTY_LIBRARY: "drew from an empty library (CR 704.5b)",
    EndReason.POISON: "ten poison counters (CR 704.5c)",
    EndReason.CONCEDE: "conceded (CR 104.3a)",
    EndReason.DRAW: "all lost together (CR 104.4a)",
    EndReason.LOOP: "a loop that nobody can leave (CR 104.4b)",
    EndReason.TURN_LIMIT: "stopped at the turn limit",
    EndReason.STEP_LIMIT: "stopped: too many steps without a choice",
    EndReason.CAPACITY: "stopped: the largest block is too small",
    EndReason.FAULT: "stopped: a fault of the engine",
}
_SBA = {
    1: "has lethal damage (CR 704.5g)",
    2: "has toughness 0 or less (CR 704.5f)",
    3: "was dealt damage by deathtouch (CR 704.5h)",
    4: "is a token outside the battlefield and ceases to exist (CR 704.5d)",
    5: "loses its pairs of +1/+1 and -1/-1 counters (CR 704.5q)",
    6: "has no loyalty (CR 704.5i)",
    12: "has no defense (CR 704.5v)",
    7: "is an Aura that enchants nothing, or not legally (CR 704.5m)",
    8: "is attached illegally and becomes unattached (CR 704.5n, 704.5p)",
    9: "is not the one of its name that stays (CR 704.5j)",
    10: "is a world permanent, and not the newest (CR 704.5k)",
}
#: Counters with a number of their own (`CounterKind`).
_COUNTERS = ("+1/+1", "-1/-1", "loyalty", "charge", "poison", "shield", "stun", "finality", "defense")
_ANSWERED = ("missing", "live", "last known")
_EVENT_NAMES = {int(kind): str(kind.name).lower().replace("_", " ") for kind in HistoryKind}
_ZONE_NAMES = {zone: zone.name.lower() for zone in Zone} | {Zone.NONE: "nowhere"}


@dataclass
class _Lki:
    """An LKI record that waits for the move it belongs to."""

    slot: int
    face: int
    left: int
    entered: int
    id: int
    values: tuple[int, ...] = ()


@dataclass
class _Line:
    """A line that may still grow by the records that follow."""

    depth: int
    text: str
    #: What may join it: the object's id, or a key such as ("draws", 0).
    key: object = None
    items: list[str] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)
    payment: list[str] = field(default_factory=list)
    details: list[str] = field(default_factory=list)


def ranges(numbers: Iterable[int]) -> str:
    """`3-6, 9` for 3, 4, 5, 6, 9: runs of consecutive numbers in the order given."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


class TraceLog:
    """Turns the trace of one game into lines.

    `names`: the card table's names by face; `decks`: the decks' names by seat. `feed` it the records in order and call
    `close` at the end; `lines` grows meanwhile. What was read off is in `turns`, `choices`, `winner`, `reason` and
    `life`. `choices=True` adds a line for each choice taken; `counters` are the table's names of counters.
    """

    def __init__(
        self, names: Sequence[str], decks: Sequence[str], *, choices: bool = False, counters: Sequence[str] = ()
    ) -> None:
        self.lines: list[str] = []
        self.turns = 0
        self.choices = 0
        self.winner = -1
        self.reason = EndReason.NONE
        self.starting = -1
        self.life = [STARTING_LIFE] * len(decks)
        self._names = names
        self._decks = decks
        self._counter_names = counters
        self._show_choices = choices
        self._step: str | None = None
        self._depth = 1
        self._open: _Line | None = None
        self._departures: list[_Lki] = []
        self._lookups: list[str] = []
        self._handlers: dict[int, Callable[[Record], None]] = {
            kind: getattr(self, f"_on_{kind.name.lower()}") for kind in TraceKind
        }

    def feed(self, records: Iterable[Record]) -> None:
        """Take the next records."""
        for record in records:
            self._handlers[record[0]](record)

    def close(self) -> None:
        """Write out what still waits."""
        self._pause()

    # --- lines ---

    def _flush(self) -> None:
        """Write the open line."""
        line, self._open = self._open, None
        if line is None:
            return
        if self._step is not None:
            self.lines.append(f"{_INDENT}{self._step}")
            self._step = None
        text = line.text + ", ".join(line.items)
        if line.payment:
            text += f", tapping {', '.join(line.payment)}"
        if line.slots:
            text += f"  [LKI {ranges(line.slots)}]"
        self.lines.append(_INDENT * line.depth + text)
        self.lines += [_INDENT * (line.depth + 1) + detail for detail in line.details]

    def _say(self, text: str, *, depth: int | None = None, key: object = None) -> _Line:
        """Open a line, with the look-ups that led to it; the one before is written."""
        self._flush()
        line = self._open = _Line(self._depth if depth is None else depth, text, key)
        self._tell_lookups(line)
        return line

    def _join(self, key: object, text: str, item: str) -> _Line:
        """Add an item to the open line if that has this key, else open a line for it."""
        line = self._open
        if line is None or line.key != key:
            line = self._say(text, key=key)
        self._tell_lookups(line)
        line.items.append(item)
        return line

    def _tell_lookups(self, line: _Line) -> None:
        for text in dict.fromkeys(self._lookups):
            times = self._lookups.count(text)
            line.details.append(f"{text} ({times} times)" if times > 1 else text)
        self._lookups.clear()

    def _pause(self) -> None:
        """Write what is open; look-ups that led to nothing and LKI records without a move become lines of their own."""
        self._flush()
        for text in [*self._lookups, *map(self._lki_text, self._departures)]:
            self._open = _Line(self._depth, text)
            self._flush()
        self._lookups.clear()
        self._departures.clear()

    def _event(self, text: str, *, key: object = None) -> _Line:
        """A line at the level of a player's actions; what follows is no longer part of a resolution."""
        self._depth = 2
        return self._say(text, key=key)

    # --- words ---

    def _object(self, face: int, number: int) -> str:
        name = self._names[face] if 0 <= face < len(self._names) else "object"
        return f"{name} #{number}" if number else name

    def _source(self, face: int) -> str:
        return self._object(face, 0)

    def _lki_text(self, lki: _Lki) -> str:
        text = f"LKI #{lki.slot}: {self._object(lki.face, lki.id)}"
        power, toughness, controller, damage = lki.values or (0, 0, -1, 0)
        if power or toughness:
            text += f" {power}/{toughness}"
        entered = f" for {_ZONE_NAMES[Zone(lki.entered)]}" if lki.entered else " and ceased to exist"
        text += f" left {_ZONE_NAMES[Zone(lki.left)]}{entered}"
        if controller >= 0:
            text += f", controller p{controller}"
        if damage:
            text += f", damage {damage}"
        return text

    # --- the game's frame ---

    def _on_game(self, record: Record) -> None:
        self.starting = record[1]
        self._say(f"p{record[1]} is on the play", depth=0)

    def _on_turn(self, record: Record) -> None:
        self._pause()
        self.turns = record[1]
        player = record[2]
        life = ", ".join(f"p{seat} {life}" for seat, life in enumerate(self.life))
        self.lines += ["", f"Turn {record[1]}: p{player} {self._decks[player]} (life {life})"]
        self._step, self._depth = None, 2

    def _on_step(self, record: Record) -> None:
        self._pause()
        self._step, self._depth = STEP_NAMES[Step(record[1])], 2

    def _on_choice(self, record: Record) -> None:
        self.choices += 1
        self._pause()
        if ChoiceKind(record[4]) == ChoiceKind.PRIORITY:
            self._depth = min(self._depth, 2)
        if self._show_choices:
            kind = ChoiceKind(record[4]).name.lower()
            self._say(f"p{record[1]} takes option {record[2]} of {record[3]} ({kind})")

    def _on_mulligan(self, record: Record) -> None:
        self._say(f"p{record[1]} mulligans (number {record[2]})")

    def _on_keep(self, record: Record) -> None:
        self._say(f"p{record[1]} keeps {record[2]} cards")

    def _on_shuffle(self, record: Record) -> None:
        self._say(f"p{record[1]} shuffles")

    def _on_lose(self, record: Record) -> None:
        self._event(f"p{record[1]} loses: {REASONS[EndReason(record[2])]}")

    def _on_end(self, record: Record) -> None:
        self.winner, self.reason = record[1], EndReason(record[2])
        self._pause()

    # --- players' actions ---

    def _act(self, text: str, number: int) -> None:
        """A cast or land: takes over the line of the move that it made."""
        line = self._open
        if line is not None and line.key == number:
            self._depth = line.depth = 2
            line.text = text
        else:
            payment = self._take_taps()
            self._event(text, key=number).payment = payment

    def _take_taps(self) -> list[str]:
        """What the open line says is tapped, which is then part of the next line: a payment."""
        line = self._open
        if line is None or line.key != "taps":
            return []
        self._open = None
        return line.items

    def _on_cast(self, record: Record) -> None:
        x = f" with X = {record[4]}" if record[4] > 0 else ""
        self._act(f"p{record[1]} casts {self._object(record[3], record[5])}{x}", record[5])

    def _on_way(self, record: Record) -> None:
        pass  # the mana and the zone that it leaves say as much

    def _on_copy(self, record: Record) -> None:
        self._say(f"p{record[1]} copies {self._object(record[2], record[5])}")

    def _on_play(self, record: Record) -> None:
        self._act(f"p{record[1]} plays {self._object(record[3], record[5])}", record[5])

    def _on_activate(self, record: Record) -> None:
        self._act(f"p{record[1]} activates {self._source(record[2])}, #{record[5]} on the stack", record[5])

    def _on_target(self, record: Record) -> None:
        face = record[2]
        target = f"p{-1 - face}" if face < 0 else self._object(face, record[5])
        if self._open is None:
            self._say("", key="targets")
        assert self._open is not None
        self._open.items.append(target)
        if len(self._open.items) == 1:
            self._open.text += f"{' ' if self._open.text else ''}targeting "

    def _on_mana(self, record: Record) -> None:
        line = self._open
        source = self._source(record[3])
        if line is not None and line.key == "taps" and line.items and line.items[-1].startswith(source):
            line.items.pop()
            if not line.items:
                self._open = None
        self._join(("mana", record[1]), f"p{record[1]} gets mana: ", f"{_COLOURS[record[2]]} from {source}")

    def _on_tap(self, record: Record) -> None:
        self._join("taps", "taps ", self._object(record[1], record[5]))

    def _on_untap(self, record: Record) -> None:
        self._join("untaps", "untaps ", self._object(record[1], record[5]))

    def _on_attack(self, record: Record) -> None:
        attacker = self._object(record[1], record[5])
        whom = f"{self._source(record[3] - 1)} of p{record[2]}" if record[3] else f"p{record[2]}"
        tapped = self._open is not None and self._open.key == "taps" and self._open.items == [attacker]
        if tapped:
            self._open = None
        self._event(f"{attacker} {'taps and ' if tapped else ''}attacks {whom}")

    def _on_block(self, record: Record) -> None:
        self._event(f"{self._object(record[1], record[5])} blocks {self._source(record[2])}")

    # --- resolving ---

    def _stack_object(self, record: Record) -> str:
        name = self._object(record[2], record[5])
        if record[3] < 0:
            return name
        return f"ability of {self._source(record[2])}, #{record[5]}"

    def _on_resolve(self, record: Record) -> None:
        self._event(f"{self._stack_object(record)} resolves (p{record[1]})")
        self._depth = 3

    def _on_no_target(self, record: Record) -> None:
        self._event(f"{self._stack_object(record)} has no legal target left and does nothing (CR 608.2b)")
        self._depth = 3

    def _on_illegal(self, record: Record) -> None:
        self._say(f"target {record[1] + 1} of {self._source(record[2])} is illegal (CR 608.2b)")

    def _on_countered(self, record: Record) -> None:
        self._say(f"{self._object(record[1], record[5])} is countered")

    def _on_lookup(self, record: Record) -> None:
        answer = _ANSWERED[record[3]]
        if record[4] >= 0 and record[3] == 2:
            answer += f", LKI #{record[4]}"
        self._lookups.append(f"look-up {self._object(record[1], record[5])} by {Policy(record[2]).name}: {answer}")

    def _on_answer(self, record: Record) -> None:
        """What was asked about the past, or about a player who left: the policy and the answer."""
        policy, asked, answer, player = Policy(record[1]), record[2], record[3], record[4]
        if policy is Policy.PLAYER:
            what = f"{ValueOp(asked).name.lower().replace('_', ' ')} of p{player}, who left,"
        elif policy is Policy.HISTORY:
            what = f"events ({_EVENT_NAMES[1 << asked]})"
        else:
            what = "abilities that trigger on what leaves"
        self._lookups.append(f"look-up {what} by {policy.name}: {answer}")

    def _on_damage(self, record: Record) -> None:
        to_player = record[2] < 0
        source = self._object(record[1], record[5] if to_player else 0)
        target = f"p{-1 - record[2]}" if to_player else self._object(record[2], record[5])
        combat = "combat damage" if record[4] else "damage"
        self._say(f"{source} deals {record[3]} {combat} to {target}")

    def _on_life(self, record: Record) -> None:
        self.life[record[1]] = record[3]
        text = f"p{record[1]} life {record[2]} -> {record[3]}"
        if self._open is not None and self._open.text.endswith(f" to p{record[1]}"):
            self._open.text += f", {text.split(' ', 1)[1]}"
        else:
            self._say(text)

    def _on_pump(self, record: Record) -> None:
        self._say(f"{self._object(record[1], record[5])} is {record[2]}/{record[3]} now")

    def _on_counters(self, record: Record) -> None:
        self._say(f"{self._object(record[1], record[5])}: {record[2]:+d} {self._counter(record[3])} counters")

    def _counter(self, kind: int) -> str:
        if kind < len(_COUNTERS):
            return _COUNTERS[kind]
        named = kind - len(_COUNTERS)
        return self._counter_names[named] if named < len(self._counter_names) else f"kind {kind}"

    def _on_player_counters(self, record: Record) -> None:
        self._say(f"p{record[1]}: {record[2]:+d} {self._counter(record[3])} counters")

    def _on_flip(self, record: Record) -> None:
        self._event(f"p{record[1]} flips a coin and {'wins' if record[2] else 'loses'} the flip")

    def _on_roll(self, record: Record) -> None:
        self._event(f"p{record[1]} rolls {record[2]} with a d{record[3]}")

    def _on_title(self, record: Record) -> None:
        self._event(f"p{record[1]} has {self._object(record[2], record[5])} in the command zone")

    def _on_day(self, record: Record) -> None:
        self._event("it becomes day" if record[1] == 1 else "it becomes night")

    def _on_room(self, record: Record) -> None:
        self._event(f"p{record[1]} enters room {record[2] + 1} of {self._object(record[3], record[5])}")

    def _on_vote(self, record: Record) -> None:
        self._event(f"p{record[1]} votes for choice {record[2] + 1}")

    def _on_trigger(self, record: Record) -> None:
        self._say(f"an ability of {self._object(record[1], record[5])} triggers (p{record[3]})")

    def _on_apply(self, record: Record) -> None:
        duration = Duration(record[3]).name.lower().replace("_", " ")
        self._say(f"a continuous effect begins on {self._object(record[1], record[5])} ({duration})")

    def _on_attach(self, record: Record) -> None:
        what = self._object(record[1], record[5])
        self._say(f"{what} becomes unattached" if record[2] < 0 else f"{what} is attached to {self._source(record[2])}")

    def _on_phase(self, record: Record) -> None:
        self._event(f"{self._object(record[1], record[5])} phases {'in' if record[2] else 'out'}")

    def _on_replaced(self, record: Record) -> None:
        by = EffectKind(record[2]) if record[3] else ReplaceOp(record[2])
        name = by.name.lower().replace("_", " ")
        self._say(f"what happens to {self._object(record[1], record[5])} is replaced: {name} (CR 614)")

    def _on_prevented(self, record: Record) -> None:
        target = f"p{-1 - record[2]}" if record[2] < 0 else self._object(record[2], record[5])
        self._say(f"{record[1]} damage by {self._source(record[3])} to {target} is prevented (CR 615)")

    def _on_sacrifice(self, record: Record) -> None:
        self._say(f"p{record[1]} sacrifices {self._object(record[2], record[5])}")

    def _on_token(self, record: Record) -> None:
        self._act(f"p{record[1]} creates {self._object(record[2], record[5])}", record[5])
        self._depth = 3

    def _on_sba(self, record: Record) -> None:
        what = _SBA.get(record[1], f"meets state-based action {record[1]}")
        self._event(f"{self._object(record[2], record[5])} {what}")
        self._depth = 3

    # --- moves and their LKI records ---

    def _on_lki(self, record: Record) -> None:
        self._departures.append(_Lki(record[1], record[2], record[3], record[4], record[5]))

    def _on_lki_values(self, record: Record) -> None:
        if self._departures:
            self._departures[-1].values = tuple(record[1:5])

    def _on_move(self, record: Record) -> None:
        owner, face, left, entered, number = record[1], record[2], Zone(record[3]), Zone(record[4]), record[5]
        lki = next((d for d in self._departures if (d.face, d.left, d.entered) == (face, left, entered)), None)
        if lki is not None:
            self._departures.remove(lki)
        if self._open is not None and self._open.key == number and number:
            line = self._open
        elif (left, entered) == (Zone.LIBRARY, Zone.HAND):
            line = self._join(("draws", owner), f"p{owner} draws ", self._object(face, number))
        elif (left, entered) == (Zone.HAND, Zone.LIBRARY):
            line = self._join(("puts back", owner), f"p{owner} puts back ", self._object(face, number))
        elif not entered:
            line = self._say(f"{self._source(face)} leaves {_ZONE_NAMES[left]} and ceases to exist")
        elif entered == Zone.BATTLEFIELD:
            line = self._say(f"{self._object(face, number)} enters the battlefield", key=number)
        else:
            payment = self._take_taps() if entered == Zone.STACK else []
            line = self._say(
                f"{self._source(face)} goes from {_ZONE_NAMES[left]} to p{owner}'s {_ZONE_NAMES[entered]} as #{number}",
                key=number,
            )
            line.payment = payment
        if lki is None:
            return
        if left in (Zone.BATTLEFIELD, Zone.STACK, Zone.GRAVEYARD, Zone.EXILE):
            line.details.append(self._lki_text(lki))
        else:
            line.slots.append(lki.slot)
