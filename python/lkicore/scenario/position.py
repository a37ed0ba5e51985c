"""The position of a scenario as a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lkicore import _setup
from lkicore.cards import CardPool
from lkicore.characteristics import COLOR_WORDS, COLUMN_COUNTERS, counter_names
from lkicore.game import Game
from lkicore.ir.face_down import FACE_DOWN, MANIFESTED, WARDED
from lkicore.ir.values import COUNTER_NAMES
from lkicore.opcodes import (
    AbilityKind,
    ChosenKind,
    CounterKind,
    EngineOption,
    EnterOp,
    Layout,
    ReplaceOp,
    Step,
    Zone,
)
from lkicore.opcodes import ValueOp as Value

from .cards import face_number
from .errors import ScenarioError, UnsupportedError
from .labels import Handle, Labels
from .model import FILLER, Entry, Scenario, seat, way

#: What a card is face down, by the keyword with which it was cast so; else it was manifested.
_FORMS = {"morph": FACE_DOWN, "megamorph": FACE_DOWN, "disguise": WARDED}
#: Steps of a turn, in order (CR 500.1); the last three of combat only where a script begins there.
_TURN = (
    Step.UNTAP,
    Step.UPKEEP,
    Step.DRAW,
    Step.MAIN1,
    Step.BEGIN_COMBAT,
    Step.DECLARE_ATTACKERS,
    Step.DECLARE_BLOCKERS,
    Step.FIRST_STRIKE_DAMAGE,
    Step.COMBAT_DAMAGE,
    Step.END_COMBAT,
    Step.MAIN2,
    Step.END,
    Step.CLEANUP,
)
_WITH_ATTACKERS = (Step.DECLARE_BLOCKERS, Step.FIRST_STRIKE_DAMAGE, Step.COMBAT_DAMAGE)
_CLASSES = 8


def counter_kind(pool: CardPool, word: str) -> int:
    """Number of a kind of counters; -1 if no card of the pool has them."""
    if word in COLUMN_COUNTERS:
        return int(COLUMN_COUNTERS[word])
    if word in COUNTER_NAMES:
        return int(COUNTER_NAMES[word])
    names = counter_names(pool)
    return len(CounterKind) + names.index(word) if word in names else -1


def build(
    scenario: Scenario,
    pool: CardPool,
    *,
    options: EngineOption,
    seed: int = 0,
    max_turns: int = 0,
    trace: bool = False,
) -> tuple[Game, Labels]:
    """A game in the position of a scenario, run to its first choice, and the labels of its objects.

    `pool` is that of `pool_for`.

    Raises:
        UnsupportedError: the position has something that the engine has not.
        ScenarioError: it is no possible position.
    """
    for size_class in range(-1, _CLASSES):
        game = Game._empty(pool)
        game.set_tracing(trace)
        maker = _Maker(scenario, pool, game)
        try:
            maker.make(options, seed, size_class, max_turns)
        except MemoryError:
            continue
        return game, maker.labels
    raise ScenarioError("more objects than a game has room for", scenario=scenario.id, key="zones")


class _Maker:
    def __init__(self, scenario: Scenario, pool: CardPool, game: Game) -> None:
        self.scenario, self.pool, self.game = scenario, pool, game
        self.labels = Labels()
        #: Physical cards of each entry, or -1 for a token.
        self.numbers: list[tuple[Entry, int]] = []

    def make(self, options: EngineOption, seed: int, size_class: int, max_turns: int) -> None:
        scenario, game = self.scenario, self.game
        turn, active, step = scenario.start
        limit = turn if step is Step.CLEANUP else max_turns
        decks = self._decks()
        try:
            _setup.begin(game, decks, seed=seed, options=int(options), size_class=size_class, max_turns=limit)
        except ValueError as error:
            if "too small" in str(error):
                raise MemoryError from None
            raise ScenarioError(str(error), scenario=scenario.id, key="zones") from None
        for player, life in scenario.life.items():
            _setup.set_life(game, player, life)
        objects = [(entry, self._place(entry, number)) for entry, number in self.numbers]
        for entry, obj in objects:
            self._details(entry, obj)
        for entry, obj in objects:
            if entry.options.get("phased_out"):
                if entry.zone is not Zone.BATTLEFIELD:
                    self._fail(entry, "phased_out", "only a permanent phases out")
                _setup.phase_out(game, obj)
        _setup.start(game, turn, active, int(step), [int(s) for s in _steps_from(step, turn, scenario.players)])

    def _decks(self) -> list[list[int]]:
        """The faces of each player's cards; numbers the physical cards in their order, and labels them."""
        pool, scenario = self.pool, self.scenario
        decks: list[list[int]] = [[] for _ in range(scenario.players)]
        places: list[tuple[Entry, int, int]] = []
        for entry in scenario.entries:
            self._supported(entry)
            for _ in range(entry.count):
                if entry.options.get("token"):
                    places.append((entry, -1, 0))
                    continue
                places.append((entry, entry.owner, len(decks[entry.owner])))
                decks[entry.owner].append(_front(pool, pool.index(entry.card)))
        for deck in decks:
            deck += [pool.index(FILLER)] * scenario.fill
        first = [sum(map(len, decks[:player])) for player in range(scenario.players)]
        self.numbers = [(entry, -1 if owner < 0 else first[owner] + k) for entry, owner, k in places]
        return decks

    def _supported(self, entry: Entry) -> None:
        if entry.options.get("face_down") and entry.zone not in (Zone.BATTLEFIELD, Zone.EXILE):
            self._fail(entry, "face_down", "only permanents, and cards in exile, are face down")
        if entry.options.get("back") and (entry.zone is not Zone.BATTLEFIELD or self._shown(entry) < 0):
            self._fail(entry, "back", "only a permanent of a card with two faces has the other one up")
        if "copy_of" in entry.options and entry.zone is not Zone.BATTLEFIELD:
            self._fail(entry, "copy_of", "only a permanent is a copy")
        if entry.zone is not Zone.BATTLEFIELD:
            if entry.options.get("token"):
                self._fail(entry, "token", "a token is on the battlefield")
            if entry.owner != entry.player and entry.zone not in (Zone.EXILE, Zone.COMMAND):
                self._fail(entry, "owner", "only on the battlefield can a card be another player's")

    def _fail(self, entry: Entry, key: str, cause: str) -> None:
        source = self.scenario.source
        where = (*entry.where, key)
        raise ScenarioError(
            cause, file=source.file, line=source.line_of(where), scenario=self.scenario.id, key=way(where)
        )

    def _place(self, entry: Entry, number: int) -> int:
        """Put one object into its zone; its id there."""
        game = self.game
        if number < 0:
            face = face_number(self.pool, entry.options.get("copy_of", entry.card))
            obj = _setup.place_token(game, face, entry.owner, entry.player)
            handle = Handle(token=obj)
        else:
            controller = entry.player if entry.zone is Zone.BATTLEFIELD else entry.owner
            if entry.zone is Zone.LIBRARY:
                obj = game.object_of(number)
            else:
                obj = _setup.place_card(game, number, int(entry.zone), controller, face=self._shown(entry))
            if entry.options.get("commander"):
                _setup.commander(game, obj)
            handle = Handle(card=number)
            self.labels.cards[number] = entry.label or entry.card
        if entry.label:
            self.labels.known[entry.label] = handle
        else:
            names = {entry.card, *entry.card.split(" // "), *self._other_names(entry)}
            same = [e for e in self.scenario.entries if entry.card in (e.card, *e.card.split(" // "))]
            if len(same) == 1 and entry.count == 1:
                for name in names:
                    self.labels.known.setdefault(name, handle)
        return obj

    def _shown(self, entry: Entry) -> int:
        """The face of a permanent's card that is up, if it is not the one that the card is known by; else -1."""
        pool = self.pool
        if entry.options.get("token") or entry.zone is not Zone.BATTLEFIELD:
            return -1
        number = pool.index(entry.card)
        if not entry.options.get("back"):
            return number if pool.faces[number].back else -1
        other = pool.faces[number].other
        return pool.index(other) if other and pool.faces[number].layout is not Layout.SPLIT else -1

    def _other_names(self, entry: Entry) -> list[str]:
        """Names of the other faces of its card."""
        if entry.options.get("token"):
            return []
        face, found = self.pool[entry.card], []
        while face.other and face.other != entry.card and face.other not in found:
            found.append(face.other)
            face = self.pool[face.other]
        return found

    def _form(self, entry: Entry) -> int:
        """What the object is face down (CR 708.2a)."""
        words = [k.word for k in self.pool[entry.card].keyword_abilities]
        return self.pool.index(next((_FORMS[word] for word in words if word in _FORMS), MANIFESTED))

    # ---------------------------------------------------------------------------------------- what is special
    def _details(self, entry: Entry, obj: int) -> None:
        game, options = self.game, entry.options
        if "copy_of" in options and not options.get("token"):
            _setup.copy(game, obj, face_number(self.pool, options["copy_of"]))
        if options.get("face_down"):
            _setup.face_down(game, obj, self._form(entry))
        if entry.zone is Zone.BATTLEFIELD:
            _setup.set_status(
                game,
                obj,
                tapped=options.get("tapped", False),
                sick=options.get("sick", False),
                damage=options.get("damage", 0),
            )
        else:
            for key in ("tapped", "sick", "damage", "attached_to"):
                if options.get(key):
                    self._fail(entry, key, "only a permanent has that")
        counters = options.get("counters")
        if counters is None and entry.zone is Zone.BATTLEFIELD and not options.get("face_down"):
            counters = entering_counters(self.pool, face_number(self.pool, options.get("copy_of", entry.card)))
        for word, n in (counters or {}).items():
            self._counters(entry, obj, word, n)
        host = options.get("attached_to")
        if host is not None:
            if seat(host) >= 0 and host not in self.labels.known:
                _setup.attach_player(game, obj, seat(host))
            else:
                _setup.attach(game, obj, self.labels.handle(host).now(game))
        if options.get("exiled_with") is not None:
            _setup.link(game, self.labels.handle(options["exiled_with"]).now(game), obj, 0)
        for key, value in options.get("chosen", {}).items():
            _setup.choose(game, obj, *self._chosen(entry, key, value))

    def _counters(self, entry: Entry, obj: int, word: str, n: int) -> None:
        kind = counter_kind(self.pool, word)
        if kind < 0:
            if n == 0:
                return
            raise UnsupportedError(f"{entry.card}: no card of the pool has {word!r} counters")
        _setup.set_counters(self.game, obj, kind, n)

    def _chosen(self, entry: Entry, key: str, value: Any) -> tuple[int, int]:
        """A chosen value as the engine keeps it (`ChosenKind`)."""
        if key == "color" and value in COLOR_WORDS:
            return int(ChosenKind.COLOR), int(COLOR_WORDS[value])
        if key == "type" and value in self.pool.assembly.subtypes:
            return int(ChosenKind.TYPE), self.pool.assembly.subtypes.index(value)
        if key == "name" and value in self.pool:
            return int(ChosenKind.NAME), self.pool.index(value)
        if key == "player":
            return int(ChosenKind.PLAYER), seat(value)
        if key in ("number", "mode"):
            return int(ChosenKind[key.upper()]), int(value)
        raise UnsupportedError(f"{entry.card}: the chosen {key} {value!r} is not supported")


def _front(pool: CardPool, number: int) -> int:
    """The face that the card of a face is known by."""
    while pool.faces[number].back:
        number = pool.index(pool.faces[number].other)
    return number


def _steps_from(step: Step, turn: int, players: int) -> Iterable[Step]:
    """Steps of the turn from `step` on; the starting player of a game of two draws nothing in turn 1 (CR 103.8a)."""
    steps = _TURN[_TURN.index(step) :]
    for other in steps:
        if other is step or other not in _WITH_ATTACKERS:
            if other is Step.DRAW and other is not step and turn == 1 and players == 2:
                continue
            yield other


def entering_counters(pool: CardPool, face: int) -> Mapping[str, int]:
    """Counters that a permanent enters with by its own text (CR 614.1c), where their number is fixed."""
    made = pool.assembly
    changes, values = getattr(made, "changes", ()), made.values
    first, n = made.faces[face]["abilities"]
    names = {int(kind): word for word, kind in (COUNTER_NAMES | COLUMN_COUNTERS).items()}
    names |= {len(CounterKind) + i: word for i, word in enumerate(counter_names(pool))}
    found: dict[str, int] = {}
    for ability in made.abilities[first : first + n]:
        if ability["kind"] != AbilityKind.REPLACEMENT or ability["event"] != ReplaceOp.ENTERS or ability["own"] != 1:
            continue
        start, count = ability["changes"]
        for op, kind, value, _ in changes[start : start + count]:
            if op == EnterOp.COUNTERS and values[value][0] == Value.CONST:
                word = names[kind]
                found[word] = found.get(word, 0) + values[value][1]
    return found
