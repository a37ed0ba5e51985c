"""What a step announces for a spell or ability: modes, targets, X, optional costs, what costs are paid with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lkicore import _inspect
from lkicore.cards.pool import plain_name
from lkicore.game import Option
from lkicore.ir.way_words import WAY_WORDS
from lkicore.opcodes import ChoiceKind, OptionKind, WayFlag, WayKind

from .choices import ENDS, OWN_WAYS, face_of_option, names_option, offered
from .errors import StepError, UnsupportedError
from .model import Action
from .syntax import PAID
from .table import Table

#: Life that pays a Phyrexian symbol (CR 107.4f).
_LIFE_OF_SYMBOL = 2
#: Ways that say which face or half a card is cast as.
_FACE_WAYS = (WayKind.HALF, WayKind.ADVENTURE, WayKind.BACK, WayKind.AFTERMATH)
#: Ways of casting by name; a keyword that lets a card be cast face down is a name of that way, too (CR 702.37c).
_WAYS = WAY_WORDS | dict.fromkeys(("morph", "megamorph", "disguise"), WAY_WORDS["face-down"])
#: Names of optional costs that count as kicker (CR 702.33).
_KICKERS = ("kicker", "multikicker")


class Announcement:
    """Answers the choices of one cast or activation (CR 601.2b-h, 602.2b) by what the step says.

    `anyhow`: what the step does not say may be chosen freely (whether an action is legal *with some* choice).
    """

    def __init__(self, table: Table, action: Action, *, anyhow: bool = False) -> None:
        options = action.options
        self.table = table
        self.what = f"{action.verb} {action.value}"
        self.anyhow = anyhow
        targets = options.get("targets", [])
        #: A list for each target group, or one list for all of them.
        self.grouped = bool(targets) and all(isinstance(t, list) for t in targets)
        self.targets: list[list[str]] = [list(t) for t in targets] if self.grouped else [list(map(str, targets))]
        self.by_mode = self.grouped and len(targets) == len(options.get("modes", [])) > 1
        self.x: int | None = options.get("x")
        self.x_used = False
        self.modes = list(options.get("modes", []))
        self.kicks = kicks(options)
        self.pay = [label for key in PAID for label in options.get("pay", {}).get(key, [])]
        self.life = options.get("pay", {}).get("life", 0)
        self.divide = list(options.get("divide", []))
        self.asked_kick = -1
        self.asked: list[tuple[int, int]] = []

    # ---------------------------------------------------------------------------------------- the engine asks
    def answer(self) -> int:
        """Number of the option to take; `StepError` if what the step says is not among them."""
        game = self.table.game
        options = game.options()
        kind = game.choice
        if kind is ChoiceKind.TARGET:
            return self._target(options)
        if kind is ChoiceKind.X:
            return self._x(options)
        if kind is ChoiceKind.MODE:
            return self._mode(options)
        if kind in (ChoiceKind.KICK, ChoiceKind.MAY, ChoiceKind.PAY_COST):
            return self._kick(options)
        if kind in (ChoiceKind.COST, ChoiceKind.SACRIFICE, ChoiceKind.DISCARD, ChoiceKind.PICK):
            return self._cost(options)
        if kind in (ChoiceKind.ASSIGN, ChoiceKind.DIVIDE):
            return self._divide(options)
        if kind is ChoiceKind.SYMBOL:
            return self._symbol(options)
        if kind is ChoiceKind.HELP:
            return self._help(options)
        if kind is ChoiceKind.PAY:
            return 0
        if kind is ChoiceKind.COLOR:
            raise UnsupportedError(f"{self.what}: a colour chosen while it is announced")
        raise StepError(self.what, f"the engine asks for {kind.name.lower()}")

    def _fail(self, said: str, options: Sequence[Option]) -> StepError:
        return StepError(f"{self.what} with {said}", f"the options {offered(self.table, options)}")

    def _find(self, label: str, options: Sequence[Option]) -> int:
        return next((i for i, o in enumerate(options) if names_option(self.table, label, o)), -1)

    def _group(self) -> list[str]:
        """The list of targets that the open choice is answered from."""
        if not self.grouped:
            return self.targets[0]
        # The frame says which specification, of which part (mode), the engine asks about.
        place = _inspect.frames(self.table.game)[-1][7]
        part, spec = place >> 24 & 0xFF, place & 0xFF
        key = (part, 0) if self.by_mode else (part, spec)
        if key not in self.asked:
            self.asked.append(key)
        number = part if self.by_mode else spec if part == 0 else self.asked.index(key)
        return self.targets[number] if number < len(self.targets) else []

    def _target(self, options: Sequence[Option]) -> int:
        end = next((i for i, o in enumerate(options) if o.kind in ENDS), -1)
        group = self._group()
        if group:
            found = self._find(group[0], options)
            if found < 0 and end >= 0:
                return end
            if found < 0:
                raise self._fail(f"the target {group[0]}", options)
            group.pop(0)
            return found
        if end >= 0:
            return end
        if len(options) == 1 or self.anyhow:
            return 0
        raise self._fail("the targets that the step names", options)

    def _x(self, options: Sequence[Option]) -> int:
        self.x_used = True
        if self.x is None:
            if len(options) == 1 or self.anyhow:
                return 0
            raise self._fail("no value of X", options)
        found = next((i for i, o in enumerate(options) if o.number == self.x), -1)
        if found < 0:
            raise self._fail(f"X = {self.x}", options)
        return found

    def _mode(self, options: Sequence[Option]) -> int:
        end = next((i for i, o in enumerate(options) if o.kind in ENDS), -1)
        if self.modes:
            found = next(
                (i for i, o in enumerate(options) if o.kind is OptionKind.MODE and o.number + 1 == self.modes[0]), -1
            )
            if found < 0:
                raise self._fail(f"mode {self.modes[0]}", options)
            self.modes.pop(0)
            return found
        if end >= 0:
            return end
        if len(options) == 1 or self.anyhow:
            return 0
        raise self._fail("no mode", options)

    def _kick(self, options: Sequence[Option]) -> int:
        """Optional costs, in printed order; `number` of an option is the cost's, or how often it is paid."""
        numbers = [o for o in options if o.kind is OptionKind.NUMBER]
        if numbers:
            self.asked_kick += 1
            wanted = self.kicks.pop(self.asked_kick, 0)
            found = next((i for i, o in enumerate(options) if o.number == wanted and o.kind is OptionKind.NUMBER), -1)
            if found < 0:
                raise self._fail(f"the optional cost paid {wanted} times", options)
            return found
        yes = next((i for i, o in enumerate(options) if o.kind in (OptionKind.YES, OptionKind.PLAYER)), -1)
        no = next((i for i, o in enumerate(options) if o.kind is OptionKind.NO), -1)
        cost = max(options[yes].number, 0) if yes >= 0 else 0
        if yes >= 0 and self.kicks.get(cost, 0) > 0:
            self.kicks[cost] -= 1
            # Of a gift: to which opponent, as the next answer says (CR 702.174a).
            queue = self.table.queues[self.table.game.decider]
            given = self._find(queue[0], options) if queue else -1
            if given >= 0:
                queue.popleft()
            return max(yes, given)
        return max(no, 0)

    def _cost(self, options: Sequence[Option]) -> int:
        """An object that a cost is paid with: as the step says, or the next answer, or the first one."""
        for label in self.pay:
            found = self._find(label, options)
            if found >= 0:
                self.pay.remove(label)
                return found
        if self.pay:
            raise self._fail(f"{self.pay[0]} as payment", options)
        queue = self.table.queues[self.table.game.decider]
        if queue and isinstance(queue[0], str) and not self.anyhow:
            # A choice like any other, where the step does not make it.
            found = self._find(queue[0], options)
            if found >= 0:
                queue.popleft()
                return found
        if len(options) > 1 and not self.anyhow:
            self.table.defaulted.append(f"{self.what}: paid with the first of {offered(self.table, options)}")
        return 0

    def _symbol(self, options: Sequence[Option]) -> int:
        """A hybrid or Phyrexian symbol (CR 601.2b): with life as long as the step says so, else the first way."""
        life = next((i for i, o in enumerate(options) if o.kind is OptionKind.YES), -1)
        if life >= 0 and self.life >= _LIFE_OF_SYMBOL:
            self.life -= _LIFE_OF_SYMBOL
            return life
        return 0

    def _help(self, options: Sequence[Option]) -> int:
        """An object that the step names to help to pay (CR 702.51); no more than must where it names none."""
        for label in self.pay:
            found = self._find(label, options)
            if found >= 0:
                self.pay.remove(label)
                return found
        return next((i for i, o in enumerate(options) if o.kind in ENDS), 0)

    def _divide(self, options: Sequence[Option]) -> int:
        if not self.divide:
            if len(options) == 1 or self.anyhow:
                return 0
            raise self._fail("nothing said of how it is divided", options)
        amount = self.divide.pop(0)
        found = next((i for i, o in enumerate(options) if o.number == amount), -1)
        if found < 0:
            raise self._fail(f"{amount} of what is divided", options)
        return found

    # ---------------------------------------------------------------------------------------- afterwards
    def finish(self) -> None:
        """`StepError` for what the step says and nobody asked for."""
        left = [f"the target {label}" for group in self.targets for label in group][:1]
        if self.x is not None and not self.x_used:
            left.append(f"X = {self.x}")
        left += [f"mode {mode}" for mode in self.modes[:1]]
        left += [f"optional cost {cost + 1}" for cost, n in self.kicks.items() if n > 0]
        left += [f"{label} as payment" for label in self.pay[:1]]
        left += ["a division" for _ in self.divide[:1]]
        if left:
            raise StepError(f"{self.what} with {' and '.join(left)}", "nothing asks for that")


def kicks(options: Mapping[str, Any]) -> dict[int, int]:
    """How often each optional cost is to be paid, by its number from 0.

    `UnsupportedError` for a cost that is neither optional nor a way of casting.
    """
    found: dict[int, int] = {}
    if "kicked" in options:
        found[0] = options["kicked"]
    for name in _cost_names(options):
        word, _, number = name.partition(" ")
        if word in _WAYS:
            continue  # how it is cast, see `way_option`
        if word not in _KICKERS or not (number.isdigit() or not number):
            raise UnsupportedError(f"the cost {name!r} is not supported")
        cost = int(number) - 1 if number else 0
        found[cost] = max(found.get(cost, 0), 1)
    return found


def way_option(table: Table, action: Action, options: Sequence[Option]) -> int:
    """Which of the options to cast one card a step means: by the name of the way (`cost`), else the usual one, else
    the first; -1 none."""
    named = [_WAYS[name] for name in _cost_names(action.options) if name in _WAYS]
    face = _face_meant(table, action, options)
    if face is not None and (not named or named[0] in _FACE_WAYS):
        fitting = [i for i, o in enumerate(options) if plain_name(face_of_option(table, o)) == plain_name(face)]
        return (fitting or [-1])[0]
    if not named:
        usual = [i for i, o in enumerate(options) if o.number == 0]
        return (usual or [*range(len(options)), -1])[0]
    permitted = -1
    for i, option in enumerate(options):
        own = (option.number & OWN_WAYS) - 1
        facts = table.game.object(option.object)
        ways = table.pool[facts.name].all_ways if facts is not None else ()
        if 0 <= own < len(ways) and ways[own].kind is named[0]:
            # Of two ways of one kind (harmonize) the one whose cost what is paid belongs to.
            if WayFlag.LESS_POWER in ways[own].flags or "tap" not in action.options.get("pay", {}):
                return i
            permitted = i
        if own < 0 < option.number and permitted < 0:
            permitted = i
    return permitted


def _face_meant(table: Table, action: Action, options: Sequence[Option]) -> str | None:
    """The face that a step names: as `face`, or by calling the card so; None: it names none."""
    if "face" in action.options:
        return str(action.options["face"])
    label = plain_name(action.value)
    faces = {plain_name(face_of_option(table, option)) for option in options}
    return action.value if len(faces) > 1 and label in faces else None


def _cost_names(options: Mapping[str, Any]) -> Iterator[str]:
    cost = options.get("cost", [])
    yield from cost if isinstance(cost, list) else [cost]
