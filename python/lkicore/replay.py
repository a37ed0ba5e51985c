"""One game of a run, played again with its trace, as a log to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lkicore._api import GameCore
from lkicore.arguments import AGENTS, DEFAULT_AGENT, MAX_TURNS, DeckLike, whole_number
from lkicore.cards import CardPool
from lkicore.errors import EngineError
from lkicore.opcodes import EndReason
from lkicore.simulate import Setup, prepare
from lkicore.tracelog import REASONS, TraceLog


@dataclass(frozen=True)
class Replay:
    """A game that was played again.

    `lines` is its log, `winner` the seat that won (-1: nobody), `reason` why it ended, `turns` and `choices` as in the
    columns of `SimulationResult`, `starting` the seat on the play, `life` the final life totals by seat.
    """

    lines: tuple[str, ...]
    winner: int
    reason: EndReason
    turns: int
    choices: int
    starting: int
    life: tuple[int, ...]


def replay(
    decks: Sequence[DeckLike],
    *,
    agents: str | Sequence[str] = DEFAULT_AGENT,
    seed: int = 0,
    game: int = 0,
    pool: CardPool | None = None,
    max_turns: int = MAX_TURNS,
    auto_pass: bool = True,
    collapse_trivial: bool = True,
    payment: str = "auto",
    show_choices: bool = False,
) -> Replay:
    """Play game number `game` of the run that `simulate` makes of the same arguments, and log it.

    The log names turns, casts, resolutions, combat, every LKI record and every look-up with its policy;
    `show_choices` adds each choice taken. The outcome is compared with that of the same game played in bulk:
    `EngineError` if they differ. Other errors as of `simulate`.
    """
    game = whole_number("game", game, 0, 2**63 - 1)
    setup = prepare(
        decks,
        seed,
        agents,
        pool=pool,
        max_turns=max_turns,
        auto_pass=auto_pass,
        collapse_trivial=collapse_trivial,
        payment=payment,
    )
    log = TraceLog(
        setup.table.names,
        [deck.name for deck in setup.decks],
        choices=show_choices,
        counters=setup.table.counter_names,
    )
    log.lines += _header(setup, game)
    numbers = [int(AGENTS[name]) for name in setup.agents]
    played = GameCore(setup.table, setup.faces, seed=setup.seed, game=game, trace=True, **setup.core)
    log.feed(played.trace())
    while not played.is_terminal:
        played.step_agent(numbers[played.decider])
        log.feed(played.trace())
    log.close()
    _compare(log, played, setup, game)
    log.lines += ["", *_footer(log, setup, game)]
    return Replay(
        lines=tuple(log.lines),
        winner=log.winner,
        reason=log.reason,
        turns=log.turns,
        choices=log.choices,
        starting=log.starting,
        life=tuple(log.life),
    )


def _header(setup: Setup, game: int) -> list[str]:
    seats = [
        f"p{seat} {deck.name} ({agent})"
        for seat, (deck, agent) in enumerate(zip(setup.decks, setup.agents, strict=True))
    ]
    return [f"Game {game} of seed {setup.seed}: {', '.join(seats)}"]


def _compare(log: TraceLog, played: GameCore, setup: Setup, game: int) -> None:
    """`EngineError` unless the log tells the game that a bulk run plays."""
    columns = setup.columns(1)
    setup.play(game, columns)
    bulk = {name: column[0].tolist() for name, column in columns.items() if name not in ("game", "grown")}
    told = {
        "winner": log.winner,
        "starting": log.starting,
        "turns": log.turns,
        "choices": log.choices,
        "reason": int(log.reason),
        "status": played.status,
        "life": log.life,
        "game_checksum": played.outcome_hash(),
    }
    differences = [f"{name} {told[name]} against {bulk[name]}" for name in bulk if told[name] != bulk[name]]
    if differences:
        what = f"the replay of game {game}, seed {setup.seed}, is not the game of the bulk run"
        raise EngineError(f"{what}: {', '.join(differences)}")


def _footer(log: TraceLog, setup: Setup, game: int) -> list[str]:
    if log.winner >= 0:
        result = f"p{log.winner} {setup.decks[log.winner].name} wins"
    else:
        result = "Nobody wins"
    life = ", ".join(f"p{seat} {life}" for seat, life in enumerate(log.life))
    return [
        f"Result: {result}, {REASONS[log.reason]}; turn {log.turns}, {log.choices} choices, life {life}",
        f"The same as game {game} of a bulk run: outcome, turns, life totals and every choice agree.",
    ]
