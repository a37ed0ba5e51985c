"""The state of a run: the game, what its labels mean, queues of answers, and what has happened so far."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from lkicore import _setup
from lkicore.cards import CardPool
from lkicore.game import Game
from lkicore.opcodes import ChoiceKind, EndReason, EngineOption, GameStatus, OptionKind, Step, TraceKind, Zone

from .errors import StepError
from .labels import Labels, names_of
from .model import STEP_WORDS

#: A record of the trace: (kind, a, b, c, d, id, tick).
Record = Sequence[int]

#: Attempts to find chance that gives what a scenario fixes.
_MOST_TRIALS = 20_000


class Table:
    """A game at which a scenario is played.

    Attributes:
        game: the game, with all passing and every choice left to the runner.
        pool: its cards.
        labels: what words mean in it.
        queues: answers to come, by player.
        defaulted: real choices for which there was no answer, in words.
        outcome: for each object that left the stack, whether it resolved, in the order of leaving.
        departures: records of the LKI store by id, as they were seen; the store may have given some up since.
        begun: steps begun, in order.
        shuffles, randoms: results that are fixed for coming shuffles and picks at random.
    """

    def __init__(
        self, game: Game, pool: CardPool, labels: Labels, *, watch: Callable[[list[Record]], None] | None = None
    ) -> None:
        self.game, self.pool, self.labels = game, pool, labels
        self.queues: list[deque[Any]] = [deque() for _ in range(game.players)]
        self.defaulted: list[str] = []
        self.outcome: dict[int, bool] = {}
        self._decided: dict[int, bool] = {}
        self.departures: dict[int, dict[str, Any]] = {}
        self.begun: list[tuple[int, int, Step]] = []
        self.shuffles: dict[int, list[str]] = {}
        self.coins: deque[bool] = deque()
        self.dice: deque[int] = deque()
        self.randoms: deque[str] = deque()
        #: What is left of the answers to choices that the engine asks for in parts, by what tells them apart; see
        #: `choices`.
        self.groups: dict[tuple[Any, ...], Any] = {}
        self._watch = watch
        self._tick = 0
        self._stack: list[int] = []
        self.listen()

    def fork(self) -> Table:
        """A copy on which an action can be tried."""
        game = self.game.clone()
        game.set_tracing(True)
        copy = Table(game, self.pool, self.labels.copy())
        copy.queues = [deque(queue) for queue in self.queues]
        copy.outcome, copy.departures = dict(self.outcome), dict(self.departures)
        copy._decided = dict(self._decided)
        copy.begun, copy._tick = list(self.begun), self._tick
        copy.shuffles, copy.randoms = dict(self.shuffles), deque(self.randoms)
        copy.coins, copy.dice = deque(self.coins), deque(self.dice)
        return copy

    # ---------------------------------------------------------------------------------------- where the game stands
    @property
    def held(self) -> bool:
        """The game stands in a cleanup step, in which nobody has a choice (CR 514.3)."""
        game = self.game
        return game.status is GameStatus.ABORTED and game.reason is EndReason.TURN_LIMIT and game.step == Step.CLEANUP

    @property
    def turn(self) -> int:
        """Number of the turn."""
        return self.game.turn - self.held

    @property
    def over(self) -> bool:
        """The game has ended. `StepError` if it was stopped: then the engine is at fault."""
        game = self.game
        if not game.is_terminal or self.held:
            return False
        if game.status is not GameStatus.ENDED:
            raise StepError("a game that goes on", f"it was stopped: {game.reason.name.lower().replace('_', ' ')}")
        return True

    def check_running(self) -> None:
        """`StepError` if the game was stopped."""
        _ = self.over

    @property
    def at_priority(self) -> bool:
        """Somebody has priority."""
        return self.game.choice is ChoiceKind.PRIORITY

    def moment(self) -> str:
        """Turn, step, stack and who is to act, in words."""
        game = self.game
        word = STEP_WORDS.get(Step(game.step), "?")
        text = f"turn {self.turn} of p{game.active_player}, {word}, {self.labels.stack_words(game)}"
        if game.is_terminal:
            return f"{text}, the game is over" if not self.held else text
        if self.at_priority:
            return f"{text}, p{game.current_player} has priority"
        return f"{text}, p{game.current_player} chooses ({game.choice.name.lower()})"

    def go_on(self) -> None:
        """Leave a cleanup step in which the game was held."""
        if self.held:
            _setup.go_on(self.game)
            self.listen()

    # ---------------------------------------------------------------------------------------- moves
    def apply(self, option: int) -> list[Record]:
        """Take an option of the open choice; the records of what happened."""
        if not (self.shuffles or self.randoms or self.coins or self.dice):
            self.game.apply(option)
            return self.listen()
        before = self.game.clone()
        self.game.apply(option)
        records: list[Record] = list(self.game.trace())
        self._fix_chance(before, option, records)
        return self.listen(records)

    def option(self, kind: OptionKind) -> int:
        """Number of the first option of a kind, -1 if there is none."""
        return next((i for i, o in enumerate(self.game.options()) if o.kind is kind), -1)

    def pass_priority(self) -> None:
        """The player with priority passes (CR 117.3d)."""
        self.apply(self.option(OptionKind.PASS))

    def with_mana_abilities(self, on: bool) -> None:
        """Offer mana abilities at priority, or not: costs are paid by the engine else."""
        options = EngineOption(_setup.options(self.game))
        wanted = options | EngineOption.PAY_MANUAL if on else options & ~EngineOption.PAY_MANUAL
        if wanted != options:
            _setup.set_options(self.game, int(wanted))
            self.listen()

    # ---------------------------------------------------------------------------------------- what has happened
    def listen(self, records: list[Record] | None = None) -> list[Record]:
        """Take in what has happened since the last time."""
        game, labels = self.game, self.labels
        if records is None:
            records = list(game.trace())
        if self._watch is not None:
            self._watch(records)
        # A resolution may be told long before its object leaves the stack: a choice comes between.
        decided = self._decided
        for kind, a, b, _, _, obj, _ in records:
            if kind == TraceKind.STEP:
                self.begun.append((game.turn, game.active_player, Step(a)))
            elif kind == TraceKind.RESOLVE:
                decided[obj] = True
            elif kind in (TraceKind.NO_TARGET, TraceKind.COUNTERED):
                decided[obj] = False
            elif kind == TraceKind.TOKEN:
                labels.tokens.append((obj, names_of(self.pool.faces[b])))
        for row in game.lki_records(self._tick):
            self.departures[row["id"]] = row
            if row["card"] >= 0:
                labels.ids[row["id"]] = row["card"]
            self._tick = max(self._tick, row["tick"])
        labels.look_at_stack(game)
        stack = game.zone(Zone.STACK)
        for obj in self._stack:
            if obj not in stack:
                self.outcome[obj] = decided.get(obj, False)
        for obj, resolved in decided.items():
            if obj not in stack and obj not in self.outcome:
                self.outcome[obj] = resolved
        self._stack = stack
        return records

    # ---------------------------------------------------------------------------------------- chance
    def _fix_chance(self, before: Game, option: int, records: list[Record]) -> None:
        """If chance decided something that the scenario fixes, take the step again with chance that decides so."""
        wanted: list[Callable[[Game, list[Record]], bool]] = []
        for player, order in list(self.shuffles.items()):
            if any(r[0] == TraceKind.SHUFFLE and r[1] == player for r in records):
                cards = [self.labels.handle(label).card for label in order]
                wanted.append(functools.partial(_on_top, player=player, cards=cards))
                del self.shuffles[player]
        if self.randoms and self._chance_was_used(before):
            handle = self.labels.handle(self.randoms[0])
            was = handle.now(before)
            wanted.append(lambda game, _records: handle.now(game) != was)
            self.randoms.popleft()
        flips, rolls = deque(self.coins), deque(self.dice)
        for queue, kind in ((flips, TraceKind.FLIP), (rolls, TraceKind.ROLL)):
            if queue and any(r[0] == kind for r in records):
                wanted.append(functools.partial(_so_by_chance, kind=kind, results=list(queue)))
        if not wanted or all(test(self.game, records) for test in wanted):
            self._use_up(records)
            return
        for trial in range(_MOST_TRIALS):
            game = before.clone()
            game.set_tracing(True)
            _setup.reseed(game, trial)
            game.apply(option)
            records[:] = list(game.trace())
            if all(test(game, records) for test in wanted):
                self.game.copy_from(game)
                self._use_up(records)
                return
        raise StepError("the results of chance that are fixed", f"none of {_MOST_TRIALS} trials gave them")

    def _use_up(self, records: list[Record]) -> None:
        """Take away the results of coins and dice that have been used."""
        for queue, kind in ((self.coins, TraceKind.FLIP), (self.dice, TraceKind.ROLL)):
            for _ in range(min(len(queue), sum(r[0] == kind for r in records))):
                queue.popleft()

    def _chance_was_used(self, before: Game) -> bool:
        """Whether a player's stream for picks at random has moved."""
        now, then = self.game.column("stream"), before.column("stream")
        return any((now[p * 6 + 2 : p * 6 + 4] != then[p * 6 + 2 : p * 6 + 4]).any() for p in range(self.game.players))


def _so_by_chance(_game: Game, records: list[Record], kind: TraceKind, results: list[int]) -> bool:
    """Whether flips or rolls came as wanted, as far as there were any."""
    got = [r[2] for r in records if r[0] == kind]
    return all(a == b for a, b in zip(got, results, strict=False))


def _on_top(game: Game, records: list[Record], player: int, cards: list[int]) -> bool:
    """Whether the last shuffle of a player put these cards on top, in order."""
    last = max(i for i, r in enumerate(records) if r[0] == TraceKind.SHUFFLE and r[1] == player)
    taken = [r[5] for r in records[last:] if r[0] == TraceKind.MOVE and r[3] == Zone.LIBRARY and r[1] == player]
    order = [game.card_of(obj) for obj in (*taken, *game.zone(Zone.LIBRARY, player))]
    return order[: len(cards)] == cards
