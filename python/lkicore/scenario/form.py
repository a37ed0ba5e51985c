"""The form of a scenario: keys, types of values and labels are checked, and a `Scenario` is made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NoReturn

from lkicore.cards.errors import did_you_mean, nearest

from .errors import ScenarioError
from .model import STEPS, ZONES, Action, Entry, Scenario, seat, way
from .source import Path_, Source, read_sources
from .syntax import ScriptForm

_KEYS = {
    "id",
    "title",
    "rule",
    "why",
    "source",
    "tags",
    "players",
    "life",
    "start",
    "cards",
    "zones",
    "mana",
    "library_fill",
    "script",
    "expect",
}
_FLAGS = ("tapped", "sick", "face_down", "back", "token", "phased_out", "commander")
_ENTRY_KEYS = {
    *_FLAGS,
    "card",
    "as",
    "count",
    "damage",
    "counters",
    "attached_to",
    "owner",
    "copy_of",
    "exiled_with",
    "chosen",
}
_CARD_KEYS = {
    "name",
    "mana_cost",
    "type_line",
    "oracle_text",
    "power",
    "toughness",
    "loyalty",
    "colors",
    "card_faces",
    "ir",
}
_CHOSEN_KEYS = {"color", "type", "name", "player", "number", "mode", "card"}
#: More objects than this are a slip of the pen.
_MAX_COUNT = 10_000


def read_scenarios(path: Path | str) -> list[Scenario]:
    """The scenarios of a file, in its order.

    Raises:
        OSError: the file cannot be read.
        ScenarioError: it is faulty, or an id stands twice; with file, line, scenario and key.
    """
    scenarios: list[Scenario] = []
    seen: set[str] = set()
    for source in read_sources(Path(path)):
        made = read_scenario(source)
        if made.id in seen:
            raise ScenarioError("the id stands twice", file=source.file, line=source.line, scenario=made.id, key="id")
        seen.add(made.id)
        scenarios.append(made)
    return scenarios


def read_scenario(source: Source | Mapping[str, Any]) -> Scenario:
    """The scenario that a map is; `ScenarioError` names the key that is wrong."""
    return _Form(source if isinstance(source, Source) else Source(dict(source))).read()


class Checks:
    """Checks of values, with messages that name the place. Subclasses walk through a scenario."""

    def __init__(self, source: Source) -> None:
        self.source = source
        data = source.data
        self.id = data["id"] if isinstance(data, dict) and isinstance(data.get("id"), str) else ""
        self.players = 2
        #: Labels given with `as`, and how many objects have each name.
        self.labels: set[str] = set()
        self.named: Counter[str] = Counter()

    def fail(self, where: Path_, cause: str) -> NoReturn:
        line = self.source.line_of(where)
        raise ScenarioError(cause, file=self.source.file, line=line, scenario=self.id, key=way(where))

    def mapping(self, value: Any, where: Path_, keys: Collection[str] | None = None) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.fail(where, f"a map is wanted here, not {value!r}")
        for key in value:
            if not isinstance(key, str):
                self.fail(where, f"a key is text, not {key!r}")
            if keys is not None and key not in keys:
                self.fail((*where, key), f"unknown key {key!r}{did_you_mean(nearest(key, keys))}")
        return value

    def items(self, value: Any, where: Path_) -> list[Any]:
        if not isinstance(value, list):
            self.fail(where, f"a list is wanted here, not {value!r}")
        return value

    def text(self, value: Any, where: Path_) -> str:
        if not isinstance(value, str) or not value:
            self.fail(where, f"text is wanted here, not {value!r}")
        return value

    def number(self, value: Any, where: Path_, low: int | None = 0, high: int = 2**31 - 1) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(where, f"a whole number is wanted here, not {value!r}")
        if not (-(2**31) if low is None else low) <= value <= high:
            self.fail(where, f"the number {value} is out of range")
        return value

    def flag(self, value: Any, where: Path_) -> bool:
        if not isinstance(value, bool):
            self.fail(where, f"true or false is wanted here, not {value!r}")
        return value

    def player(self, value: Any, where: Path_) -> int:
        number = seat(value) if isinstance(value, str) else -1
        if not 0 <= number < self.players:
            self.fail(where, f"unknown player {value!r}; the players are p0 to p{self.players - 1}")
        return number

    def one_of(self, value: Any, where: Path_, words: Collection[str], what: str) -> str:
        if not isinstance(value, str) or value not in words:
            hint = did_you_mean(nearest(str(value), words))
            self.fail(where, f"unknown {what} {value!r}{hint}")
        return value

    def texts(self, value: Any, where: Path_) -> list[str]:
        return [self.text(v, (*where, i)) for i, v in enumerate(self.items(value, where))]

    def numbers(self, value: Any, where: Path_, low: int | None = 0) -> dict[str, int]:
        """A map of numbers, such as counters by kind."""
        return {key: self.number(v, (*where, key), low) for key, v in self.mapping(value, where).items()}

    def by_player(self, value: Any, where: Path_, good: Callable[[Any, Path_], Any]) -> dict[int, Any]:
        """A map by player, each value checked by `good`."""
        found = self.mapping(value, where)
        return {self.player(key, (*where, key)): good(v, (*where, key)) for key, v in found.items()}

    def label(self, value: Any, where: Path_, *, player: bool = False) -> str:
        """A reference to an object, or with `player` also to a player."""
        label = self.text(value, where)
        if seat(label) >= 0 and label not in self.labels:
            if not player:
                self.fail(where, f"an object is wanted here, not the player {label}")
            self.player(label, where)
            return label
        base, _, number = label.rpartition("#")
        if label.startswith("stack:"):
            self.label(base.removeprefix("stack:") if base and number.isdigit() else label[6:], where)
        elif label.startswith("token:"):
            if not (base.removeprefix("token:") and number.isdigit() and int(number) > 0):
                self.fail(where, f"a token is named token:NAME#k, not {label!r}")
        elif label not in self.labels and self.named[label] != 1:
            n = self.named[label]
            if n > 1:
                self.fail(where, f"{n} objects are named {label!r}; they need labels (as: …)")
            known = {*self.labels, *(name for name, n in self.named.items() if n == 1)}
            self.fail(where, f"no object of the scenario is called {label!r}{did_you_mean(nearest(label, known))}")
        return label


class _Form(Checks):
    """Reads one scenario."""

    def read(self) -> Scenario:
        data = self.mapping(self.source.data, (), _KEYS)
        if "id" not in data:
            self.fail((), "a scenario without an id")
        self.text(data["id"], ("id",))
        for key in ("title", "why", "source"):
            if key in data:
                self.text(data[key], (key,))
        self.players = self.number(data.get("players", 2), ("players",), 2, 8)
        cards = self._cards(data.get("cards", []))
        entries = self._zones(data.get("zones", {}))
        script = self.items(data.get("script"), ("script",)) if "script" in data else None
        if script is None:
            self.fail((), "a scenario without a script")
        form = ScriptForm(self)
        actions = tuple(form.step(step, ("script", i)) for i, step in enumerate(script))
        expect = form.facts(data["expect"], ("expect",)) if "expect" in data else None
        if expect is None and not any(a.verb == "expect" for a in actions):
            self.fail((), "a scenario that expects nothing: neither `expect` nor an expect step")
        return Scenario(
            id=self.id,
            source=self.source,
            title=data.get("title", ""),
            tags=tuple(self.texts(data.get("tags", []), ("tags",))),
            rule=tuple(self.texts(data.get("rule", []), ("rule",))),
            players=self.players,
            life=self.by_player(data.get("life", {}), ("life",), lambda v, w: self.number(v, w, None)),
            start=self._start(data.get("start", {}), ("start",)),
            cards=cards,
            entries=entries,
            free=self.one_of(data.get("mana", "free"), ("mana",), ("free", "pay"), "way of paying") == "free",
            fill=self.number(data.get("library_fill", 20), ("library_fill",), 0, _MAX_COUNT),
            script=actions,
            expect=expect,
        )

    def _start(self, value: Any, where: Path_) -> tuple[int, int, Any]:
        start = self.mapping(value, where, ("turn", "active", "step"))
        turn = self.number(start.get("turn", 1), (*where, "turn"), 1, 10**6)
        active = self.player(start.get("active", "p0"), (*where, "active"))
        return turn, active, STEPS[self.one_of(start.get("step", "main1"), (*where, "step"), STEPS, "step")]

    def _cards(self, value: Any) -> tuple[Mapping[str, Any], ...]:
        cards = self.items(value, ("cards",))
        for i, card in enumerate(cards):
            where: Path_ = ("cards", i)
            self.mapping(card, where, _CARD_KEYS)
            if "name" not in card:
                self.fail(where, "a card without a name")
            self.text(card["name"], (*where, "name"))
        names = [card["name"] for card in cards]
        for i, name in enumerate(names):
            if name in names[:i]:
                self.fail(("cards", i, "name"), f"the card {name!r} stands twice")
        return tuple(cards)

    def _zones(self, value: Any) -> tuple[Entry, ...]:
        entries: list[Entry] = []
        for who, zones in self.mapping(value, ("zones",)).items():
            player = self.player(who, ("zones", who))
            for zone, objects in self.mapping(zones, ("zones", who), ZONES).items():
                where: Path_ = ("zones", who, zone)
                for i, item in enumerate(self.items(objects, where)):
                    entries.append(self._entry(item, (*where, i), player, zone))
        for entry in entries:
            for key in ("attached_to", "exiled_with"):
                if entry.options.get(key) is not None:
                    self.label(entry.options[key], (*entry.where, key), player=key == "attached_to")
        return tuple(entries)

    def _entry(self, item: Any, where: Path_, player: int, zone: str) -> Entry:
        if isinstance(item, str):
            item = {"card": item}
        options = dict(self.mapping(item, where, _ENTRY_KEYS))
        if "card" not in options:
            self.fail(where, "an object without a card")
        card = self.text(options.pop("card"), (*where, "card"))
        count = self.number(options.pop("count", 1), (*where, "count"), 1, _MAX_COUNT)
        owner = self.player(options.pop("owner"), (*where, "owner")) if "owner" in options else player
        for name in {card, *(card.split(" // ") if " // " in card else ())}:
            self.named[name] += count
        label = self.text(options.pop("as"), (*where, "as")) if "as" in options else ""
        if label:
            if seat(label) >= 0 or label.startswith(("stack:", "token:")):
                self.fail((*where, "as"), f"{label!r} is not a label")
            if label in self.labels:
                self.fail((*where, "as"), f"the label {label!r} is given twice")
            if count > 1:
                self.fail((*where, "as"), f"one label for {count} objects")
            self.labels.add(label)
        self._entry_options(options, where)
        return Entry(player, ZONES[zone], card, label, count, owner, options, where)

    def _entry_options(self, options: Mapping[str, Any], where: Path_) -> None:
        for key in _FLAGS:
            if key in options:
                self.flag(options[key], (*where, key))
        if "damage" in options:
            self.number(options["damage"], (*where, "damage"), 0, 30_000)
        if "counters" in options:
            self.numbers(options["counters"], (*where, "counters"))
        if "copy_of" in options:
            self.text(options["copy_of"], (*where, "copy_of"))
        if "chosen" in options:
            chosen = self.mapping(options["chosen"], (*where, "chosen"), _CHOSEN_KEYS)
            if "player" in chosen:
                self.player(chosen["player"], (*where, "chosen", "player"))
            for key in ("number", "mode"):
                if key in chosen:
                    self.number(chosen[key], (*where, "chosen", key))


__all__ = ["Action", "Checks", "read_scenario", "read_scenarios"]
