"""The form of steps, answers and expectations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .model import ALL_ZONES, STEPS, Action
from .source import Path_

if TYPE_CHECKING:
    from .form import Checks

_ANNOUNCED = {"targets", "x", "modes", "pay", "divide", "by"}
#: Options of each verb.
VERBS: dict[str, set[str]] = {
    "cast": _ANNOUNCED | {"kicked", "cost", "face"},
    "activate": _ANNOUNCED | {"ability"},
    "play": {"face", "by"},
    "attack": {"by"},
    "block": {"by"},
    "resolve": {"count"},
    "advance": {"turn", "active"},
    "answer": set(),
    "special": {"action", "pay", "by", "targets", "x"},
    "concede": set(),
    "expect": set(),
    "illegal": set(),
    "coin": set(),
    "die": set(),
    "shuffle": set(),
    "random": set(),
}
SPECIAL = ("suspend", "foretell", "plot", "turn_face_up", "unlock", "companion")
PAID = ("sacrifice", "discard", "tap", "exile", "return", "reveal")
ANSWER_KEYS = ("top", "bottom", "graveyard", "order", "assign")
LKI_KEYS = (
    "power",
    "toughness",
    "controller",
    "counters",
    "keywords",
    "types",
    "colors",
    "damage",
    "tapped",
    "attached_to",
    "zone",
)
COUNT_KEYS = ("player", "zone", "name", "n", "tapped")
_MANA = "WUBRGC"


class ScriptForm:
    """Checks steps and expectations of one scenario by the `Checks` of its other parts."""

    def __init__(self, checks: Checks) -> None:
        self.c = checks
        c = checks
        number = c.number
        self._facts: dict[str, Callable[[Any, Path_], Any]] = {
            "life": lambda v, w: c.by_player(v, w, self._signed),
            "poison": lambda v, w: c.by_player(v, w, number),
            "energy": lambda v, w: c.by_player(v, w, number),
            "hand": lambda v, w: c.by_player(v, w, number),
            "library": lambda v, w: c.by_player(v, w, number),
            "graveyard": lambda v, w: c.by_player(v, w, number),
            "zone": self._by_label(lambda v, w: c.one_of(v, w, ALL_ZONES, "zone")),
            "controller": self._by_label(c.player),
            "owner": self._by_label(c.player),
            "pt": self._by_label(self._size),
            "damage": self._by_label(number),
            "tapped": self._by_label(c.flag),
            "loyalty": self._by_label(number),
            "counters": self._by_label(c.numbers, player=True),
            "attached_to": self._by_label(self._or_none),
            "attacking": self._by_label(self._or_none),
            "blocking": self._by_label(self._or_none),
            "tokens": lambda v, w: c.by_player(v, w, c.numbers),
            "count": self._counts,
            "stack": self._stack,
            "resolved": self._labels,
            "not_resolved": self._labels,
            "lki": self._by_label(self._lki),
            "turn": self._turn,
            "alive": self._players,
            "lost": self._players,
            "winner": lambda v, w: v if v == "draw" else c.player(v, w),
            "mana_pool": lambda v, w: c.by_player(v, w, self._pool),
            "monarch": lambda v, w: v if v is None else c.player(v, w),
            "day": lambda v, w: v if v is None else c.one_of(v, w, ("day", "night"), "time"),
            "can": self._steps,
            "cannot": self._steps,
        }
        for key in ("keywords", "types", "colors"):
            self._facts[key] = self._facts[f"not_{key}"] = self._by_label(c.texts)

    # ---------------------------------------------------------------------------------------- steps
    def step(self, value: Any, where: Path_) -> Action:
        """The step that a map is."""
        step = self.c.mapping(value, where)
        verbs = [key for key in step if key in VERBS]
        if len(verbs) != 1:
            known = ", ".join(verbs) or f"none among {', '.join(map(repr, step)) or 'no keys'}"
            self.c.fail(where, f"a step has one verb; here are {known}" if verbs else f"a step without a verb: {known}")
        verb = verbs[0]
        self.c.mapping(step, where, VERBS[verb] | {verb})
        by = self.c.player(step["by"], (*where, "by")) if "by" in step else None
        options = {key: v for key, v in step.items() if key not in (verb, "by")}
        checked = getattr(self, f"_{verb}")(step[verb], (*where, verb))
        self._options(options, where)
        return Action(verb, checked, options, by, where)

    def _label_of(self, value: Any, where: Path_) -> str:
        return self.c.label(value, where)

    _cast = _activate = _play = _special = _label_of

    def _attack(self, value: Any, where: Path_) -> dict[str, str]:
        found = self.c.mapping(value, where)
        return {self.c.label(k, (*where, k)): self.c.label(v, (*where, k), player=True) for k, v in found.items()}

    def _block(self, value: Any, where: Path_) -> dict[str, list[str]]:
        found = self.c.mapping(value, where)
        return {
            self.c.label(k, (*where, k)): [self.c.label(a, (*where, k)) for a in (v if isinstance(v, list) else [v])]
            for k, v in found.items()
        }

    def _resolve(self, value: Any, where: Path_) -> str:
        return self.c.one_of(value, where, ("top", "all"), "thing to resolve")

    def _advance(self, value: Any, where: Path_) -> str:
        return self.c.one_of(value, where, STEPS, "step")

    def _answer(self, value: Any, where: Path_) -> dict[int, list[Any]]:
        return self.c.by_player(
            value, where, lambda v, w: [self._one_answer(a, (*w, i)) for i, a in enumerate(self.c.items(v, w))]
        )

    def _one_answer(self, value: Any, where: Path_) -> Any:
        """An answer: `yes` and `no` may come as booleans from YAML."""
        c = self.c
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return c.number(value, where, None)
        if isinstance(value, list):
            return [self._one_answer(v, (*where, i)) for i, v in enumerate(value)]
        if isinstance(value, dict):
            c.mapping(value, where, ANSWER_KEYS)
            if "assign" in value and len(value) == 1:
                found = c.mapping(value["assign"], (*where, "assign"))
                for key, v in found.items():
                    c.label(key, (*where, "assign"), player=True)
                    c.number(v, (*where, "assign", key))
            elif "order" in value and len(value) == 1:
                self._labels(value["order"], (*where, "order"))
            elif value and not {"assign", "order"} & set(value):
                for key, v in value.items():
                    self._labels(v, (*where, key))
            else:
                c.fail(where, f"an answer is of one kind, not of {', '.join(value) or 'none'}")
            return value
        word = c.text(value, where)
        if word.startswith(("token:", "stack:")):
            c.label(word, where)
        return word

    def _concede(self, value: Any, where: Path_) -> int:
        return self.c.player(value, where)

    def _expect(self, value: Any, where: Path_) -> dict[str, Any]:
        return self.facts(value, where)

    def _illegal(self, value: Any, where: Path_) -> Action:
        inner = self.step(value, where)
        if inner.verb not in ("cast", "activate", "play", "attack", "block", "special"):
            self.c.fail(where, f"{inner.verb!r} is not an action that can be illegal")
        return inner

    def _coin(self, value: Any, where: Path_) -> list[str]:
        return [
            self.c.one_of(v, (*where, i), ("heads", "tails"), "side") for i, v in enumerate(self.c.items(value, where))
        ]

    def _die(self, value: Any, where: Path_) -> list[int]:
        return [self.c.number(v, (*where, i), 1) for i, v in enumerate(self.c.items(value, where))]

    def _shuffle(self, value: Any, where: Path_) -> dict[int, list[str]]:
        return self.c.by_player(value, where, self._labels)

    def _random(self, value: Any, where: Path_) -> list[str]:
        return [self.c.label(v, (*where, i), player=True) for i, v in enumerate(self.c.items(value, where))]

    # ---------------------------------------------------------------------------------------- options of steps
    def _options(self, options: dict[str, Any], where: Path_) -> None:
        c = self.c
        checks: dict[str, Callable[[Any, Path_], Any]] = {
            "targets": self._targets,
            "x": c.number,
            "kicked": c.number,
            "modes": lambda v, w: [c.number(m, (*w, i), 1) for i, m in enumerate(c.items(v, w))],
            "divide": lambda v, w: [c.number(m, (*w, i), 1) for i, m in enumerate(c.items(v, w))],
            "cost": lambda v, w: c.texts(v if isinstance(v, list) else [v], w),
            "pay": self._pay,
            "face": c.text,
            "ability": lambda v, w: c.text(v, w) if isinstance(v, str) else c.number(v, w, 1),
            "count": lambda v, w: c.number(v, w, 1, 10_000),
            "turn": lambda v, w: c.number(v, w, 1),
            "active": c.player,
            "action": lambda v, w: c.one_of(v, w, SPECIAL, "special action"),
        }
        for key, value in options.items():
            checks[key](value, (*where, key))

    def _targets(self, value: Any, where: Path_) -> None:
        for i, group in enumerate(self.c.items(value, where)):
            for target in group if isinstance(group, list) else [group]:
                self.c.label(target, (*where, i), player=True)

    def _pay(self, value: Any, where: Path_) -> None:
        for key, v in self.c.mapping(value, where, (*PAID, "counters", "life")).items():
            at = (*where, key)
            if key == "life":
                self.c.number(v, at)
            elif key == "counters":
                for label, kinds in self.c.mapping(v, at).items():
                    self.c.label(label, at)
                    self.c.numbers(kinds, (*at, label))
            else:
                self._labels(v, at)

    # ---------------------------------------------------------------------------------------- expectations
    def facts(self, value: Any, where: Path_) -> dict[str, Any]:
        """Expectations, each value in the form in which it is compared."""
        found = self.c.mapping(value, where, self._facts)
        return {key: self._facts[key](v, (*where, key)) for key, v in found.items()}

    def _by_label(
        self, good: Callable[[Any, Path_], Any], *, player: bool = False
    ) -> Callable[[Any, Path_], dict[str, Any]]:
        def check(value: Any, where: Path_) -> dict[str, Any]:
            found = self.c.mapping(value, where)
            return {
                self.c.label(label, (*where, label), player=player): good(v, (*where, label))
                for label, v in found.items()
            }

        return check

    def _labels(self, value: Any, where: Path_) -> list[str]:
        return [self.c.label(v, (*where, i)) for i, v in enumerate(self.c.items(value, where))]

    def _players(self, value: Any, where: Path_) -> list[int]:
        return [self.c.player(v, (*where, i)) for i, v in enumerate(self.c.items(value, where))]

    def _or_none(self, value: Any, where: Path_) -> str | None:
        return None if value is None else self.c.label(value, where, player=True)

    def _signed(self, value: Any, where: Path_) -> int:
        return self.c.number(value, where, None)

    def _size(self, value: Any, where: Path_) -> list[int]:
        size = [self.c.number(v, (*where, i), None) for i, v in enumerate(self.c.items(value, where))]
        if len(size) != 2:
            self.c.fail(where, f"[power, toughness] is wanted here, not {value!r}")
        return size

    def _pool(self, value: Any, where: Path_) -> dict[str, int]:
        found = self.c.numbers(value, where)
        for letter in found:
            if len(letter) != 1 or letter not in _MANA:
                self.c.fail((*where, letter), f"unknown mana {letter!r}; mana is one of {', '.join(_MANA)}")
        return found

    def _stack(self, value: Any, where: Path_) -> int | list[str]:
        return self._labels(value, where) if isinstance(value, list) else self.c.number(value, where)

    def _steps(self, value: Any, where: Path_) -> list[Action]:
        return [self._illegal(v, (*where, i)) for i, v in enumerate(self.c.items(value, where))]

    def _counts(self, value: Any, where: Path_) -> list[dict[str, Any]]:
        return [self._count(v, (*where, i)) for i, v in enumerate(self.c.items(value, where))]

    def _count(self, value: Any, where: Path_) -> dict[str, Any]:
        found = dict(self.c.mapping(value, where, COUNT_KEYS))
        for key in ("zone", "n"):
            if key not in found:
                self.c.fail(where, f"a count without {key!r}")
        self.c.one_of(found["zone"], (*where, "zone"), ALL_ZONES, "zone")
        self.c.number(found["n"], (*where, "n"))
        if "player" in found:
            found["player"] = self.c.player(found["player"], (*where, "player"))
        if "name" in found:
            self.c.text(found["name"], (*where, "name"))
        if "tapped" in found:
            self.c.flag(found["tapped"], (*where, "tapped"))
        return found

    def _turn(self, value: Any, where: Path_) -> dict[str, Any]:
        found = dict(self.c.mapping(value, where, ("turn", "active", "step")))
        if "turn" in found:
            self.c.number(found["turn"], (*where, "turn"), 1)
        if "active" in found:
            found["active"] = self.c.player(found["active"], (*where, "active"))
        if "step" in found:
            self.c.one_of(found["step"], (*where, "step"), STEPS, "step")
        return found

    def _lki(self, value: Any, where: Path_) -> dict[str, Any]:
        found = dict(self.c.mapping(value, where, LKI_KEYS))
        checks: dict[str, Callable[[Any, Path_], Any]] = {
            "power": self._signed,
            "toughness": self._signed,
            "damage": self.c.number,
            "controller": self.c.player,
            "counters": self.c.numbers,
            "tapped": self.c.flag,
            "attached_to": self._or_none,
            "zone": lambda v, w: self.c.one_of(v, w, ALL_ZONES, "zone"),
            "keywords": self.c.texts,
            "types": self.c.texts,
            "colors": self.c.texts,
        }
        return {key: checks[key](v, (*where, key)) for key, v in found.items()}
