"""The steps of a script, run one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lkicore import _inspect, _setup
from lkicore.opcodes import GameStatus, Step, Zone

from .actions import act
from .choices import settle
from .errors import StepError, UnsupportedError
from .facts import check_facts
from .model import STEPS, Action
from .table import Table

_ACTIONS = ("cast", "activate", "play", "attack", "block", "special")
#: Steps that only prepare what comes: the choices that are open can still be answered by them.
_PREPARE = ("answer", "coin", "die", "shuffle", "random")


def run_step(table: Table, action: Action) -> None:
    """Run a step.

    Raises:
        StepError: it cannot be done, or what it expects is not so.
        UnsupportedError: the engine has not got what it asks for.
    """
    verb = action.verb
    if verb in _ACTIONS:
        act(table, action)
    else:
        if verb not in _PREPARE:
            settle(table)
        _STEPS[verb](table, action)
    table.check_running()


def _resolve(table: Table, action: Action) -> None:
    """All pass until objects have left the stack by resolving, or for want of a legal target (CR 608)."""
    table.go_on()
    if action.value == "all":
        settle(table)
        while not table.over and table.game.zone(Zone.STACK):
            _resolve_top(table)
            settle(table)  # what has triggered is put on the stack
        return
    for left in range(action.options.get("count", 1)):
        if table.over:
            return
        settle(table)
        if not table.game.zone(Zone.STACK) and not table.over:
            raise StepError("something on the stack to resolve", "an empty stack" + f" after {left}" * bool(left))
        _resolve_top(table)


def _resolve_top(table: Table) -> None:
    """All pass in turn and the top of the stack resolves, with its choices."""
    settle(table)
    if table.over or not table.game.zone(Zone.STACK):
        return
    top = table.game.zone(Zone.STACK)[-1]
    while top in table.game.zone(Zone.STACK) and not table.over:
        if table.at_priority:
            table.pass_priority()
        else:
            settle(table)


def _advance(table: Table, action: Action) -> None:
    """All pass until the next time that a step has begun (CR 500)."""
    game = table.game
    step = STEPS[action.value]
    turn, active = action.options.get("turn"), action.options.get("active")
    seat = None if active is None else int(active[1:])
    first, last = len(table.begun), table.turn + 2 * game.players + 2 if turn is None else turn
    wanted = f"the {action.value} step" + (f" of turn {turn}" if turn else "") + (f" of {active}" if active else "")

    def reached() -> bool:
        there = game.step == step and turn in (None, table.turn) and seat in (None, game.active_player)
        return there and len(table.begun) > first

    table.go_on()
    while True:
        settle(table)
        if table.over or (reached() and (table.at_priority or table.held)):
            return
        if table.turn > last:
            raise StepError(wanted, f"it was never reached ({table.moment()})")
        if table.held:
            table.go_on()
            continue
        if step is Step.CLEANUP:
            # Nobody has a choice there: the game is held before the next turn.
            _setup.set_turn_limit(game, game.turn)
        table.pass_priority()
        if step is Step.CLEANUP and game.status is GameStatus.RUNNING and table.at_priority:
            _setup.set_turn_limit(game, 0)


def _answer(table: Table, action: Action) -> None:
    for player, answers in action.value.items():
        table.queues[player] += answers


def _concede(table: Table, action: Action) -> None:
    """CR 104.3a."""
    table.go_on()
    player: int = action.value
    if table.over or player not in _inspect.alive(table.game):
        raise StepError(f"p{player} concedes", "the game is over" if table.over else f"p{player} has left the game")
    table.game.concede(player)
    table.listen()


def _illegal(table: Table, action: Action) -> None:
    """Try an action on a copy: it must be refused."""
    inner: Action = action.value
    if try_action(table, inner) is None:
        raise StepError(f"{inner.verb} {inner.value} is illegal", "it is legal")


def try_action(table: Table, action: Action, *, anyhow: bool = False) -> str | None:
    """Why an action would be refused now, or None if it is legal; the game does not move."""
    copy = table.fork()
    try:
        settle(copy)
        act(copy, action, anyhow=anyhow)
    except StepError as error:
        return error.got
    return None


def _expect(table: Table, action: Action) -> None:
    check_facts(table, action.value)


def _shuffle(table: Table, action: Action) -> None:
    for player, order in action.value.items():
        table.shuffles[player] = order


def _random(table: Table, action: Action) -> None:
    for label in action.value:
        if label not in table.labels.known:
            raise UnsupportedError(f"random: {label}: only cards are picked at random")
        table.randoms.append(label)


def _coin(table: Table, action: Action) -> None:
    """Heads is called: a flip that comes up heads is won (CR 705.2)."""
    table.coins.extend(side == "heads" for side in action.value)


def _die(table: Table, action: Action) -> None:
    table.dice.extend(action.value)


_STEPS: dict[str, Callable[[Table, Any], None]] = {
    "resolve": _resolve,
    "advance": _advance,
    "answer": _answer,
    "concede": _concede,
    "illegal": _illegal,
    "expect": _expect,
    "shuffle": _shuffle,
    "random": _random,
    "coin": _coin,
    "die": _die,
}
