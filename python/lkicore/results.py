"""What a run of games gives: columns with one entry a game, and what is counted from them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lkicore.opcodes import EndReason, GameStatus
from lkicore.stats import CONFIDENCE, WinRate, win_rate

#: Raised whenever a column or a key of the result files changes its meaning or goes away.
SCHEMA_VERSION = 1

Column: TypeAlias = npt.NDArray[Any]

#: The columns of a run, one entry a game each, with their types; `life` has one entry a game and seat.
COLUMNS: dict[str, np.dtype[Any]] = {
    "game": np.dtype(np.uint64),
    "winner": np.dtype(np.int8),
    "starting": np.dtype(np.uint8),
    "turns": np.dtype(np.uint32),
    "choices": np.dtype(np.uint32),
    "reason": np.dtype(np.uint8),
    "status": np.dtype(np.uint8),
    "grown": np.dtype(np.uint8),
    "life": np.dtype(np.int32),
    "game_checksum": np.dtype(np.uint64),
}


def engine_version() -> str:
    """The version of the installed package, as in its metadata."""
    return metadata.version("lkicore")


def reason_name(reason: int) -> str:
    """The name of an end reason in tables and files, such as `empty_library`."""
    return EndReason(reason).name.lower()


@dataclass(frozen=True)
class DeckInfo:
    """A deck as a result remembers it: its name, its number of cards and the hash of its list (`Deck.hash`)."""

    name: str
    cards: int
    hash: str


@dataclass(frozen=True)
class LkiCounts:
    """Work of the store of last known information, summed over the games of a run.

    `records`: departures recorded; `answers`: look-ups answered from the store; `kept`: rows that were moved forward
    because something could still ask about them; `kept_answers`: answers from such rows.
    """

    records: int = 0
    answers: int = 0
    kept: int = 0
    kept_answers: int = 0


@dataclass(frozen=True, eq=False)
class SimulationResult:
    """The games of one run.

    Every column is a NumPy array with one entry for each game that was finished, in ascending order of `game`:

    - `game` uint64: number of the game in its run; with the seed it names the game (`lkicore replay --game`);
    - `winner` int8: seat that won, -1 for a draw and for a stopped game; seats are numbered from 0 as the decks are;
    - `starting` uint8: seat on the play; `turns`, `choices` uint32: turns begun, choices taken by the agents;
    - `reason` uint8 (`EndReason`), `status` uint8 (`GameStatus`); `grown` uint8: times the game's block grew;
    - `life` int32 of shape (games, seats): final life totals; `game_checksum` uint64: hash of the game's course.

    A game counts as won, drawn or stopped, never as two of them: `sum(wins) + draws + sum(stopped.values()) == games`.
    `requested` is the number of games asked for, more than `games` only if `interrupted`; `cards_hash` is the hash of
    the card table that was played with: the cards of the decks and what they name. Times are in seconds;
    `cpu_seconds` is the CPU time of the whole process during the run, all threads together.

    `departures`, None unless they were asked for, has shape (games, k): the newest k departures that each game's LKI
    ring held at its end, newest first, as a structured array with a field for each column (`rings.row_dtype`); rows
    with `id` 0 are empty. `names` are the names of the faces that its field `face` means.
    """

    decks: tuple[DeckInfo, ...]
    agents: tuple[str, ...]
    seed: int
    first: int
    requested: int
    threads: int
    options: dict[str, Any]
    cards_hash: str
    seconds: float
    cpu_seconds: float
    interrupted: bool
    lki: LkiCounts
    game: npt.NDArray[np.uint64]
    winner: npt.NDArray[np.int8]
    starting: npt.NDArray[np.uint8]
    turns: npt.NDArray[np.uint32]
    choices: npt.NDArray[np.uint32]
    reason: npt.NDArray[np.uint8]
    status: npt.NDArray[np.uint8]
    grown: npt.NDArray[np.uint8]
    life: npt.NDArray[np.int32]
    game_checksum: npt.NDArray[np.uint64]
    schema_version: int = SCHEMA_VERSION
    engine_version: str = ""
    names: tuple[str, ...] = ()
    departures: npt.NDArray[Any] | None = None

    def __post_init__(self) -> None:
        if not self.engine_version:
            object.__setattr__(self, "engine_version", engine_version())
        games = len(self.game)
        for name, dtype in COLUMNS.items():
            column = getattr(self, name)
            shape = (games, self.seats) if name == "life" else (games,)
            if column.dtype != dtype or column.shape != shape:
                raise ValueError(f"{name} must be {dtype} of shape {shape}, not {column.dtype} of shape {column.shape}")

    def __repr__(self) -> str:
        decks = ", ".join(deck.name for deck in self.decks)
        return f"<SimulationResult: {self.games} games of {decks}, wins {self.wins}, checksum {self.checksum}>"

    # --- counts ---

    @property
    def seats(self) -> int:
        """Number of players."""
        return len(self.decks)

    @property
    def games(self) -> int:
        """Games finished, stopped ones included."""
        return len(self.game)

    @functools.cached_property
    def ended(self) -> npt.NDArray[np.bool_]:
        """For each game: whether it ended by the rules, won or drawn; shape (games,)."""
        return np.asarray(self.status == GameStatus.ENDED, dtype=np.bool_)

    @functools.cached_property
    def wins(self) -> list[int]:
        """Games won, by seat."""
        won = self.winner[self.ended & (self.winner >= 0)]
        return [int(n) for n in np.bincount(won, minlength=self.seats)]

    @functools.cached_property
    def draws(self) -> int:
        """Games that ended without a winner."""
        return int(np.count_nonzero(self.ended & (self.winner < 0)))

    @functools.cached_property
    def stopped(self) -> dict[str, int]:
        """Games that did not end by the rules: cause -> number (turn or step limit, capacity, fault)."""
        return _tally(self._stop_causes(~self.ended))

    @functools.cached_property
    def reasons(self) -> dict[str, int]:
        """Every game by why it ended or was stopped: name of the end reason -> number."""
        numbers, counts = np.unique(self.reason[self.ended], return_counts=True)
        ended = {reason_name(int(r)): int(n) for r, n in zip(numbers, counts, strict=True)}
        return ended | self.stopped

    def stopped_games(self, limit: int = 10) -> list[tuple[int, str]]:
        """(number, cause) of the first `limit` games that did not end by the rules."""
        where = np.flatnonzero(~self.ended)[:limit]
        mask = np.zeros(self.games, dtype=np.bool_)
        mask[where] = True
        return list(zip([int(g) for g in self.game[mask]], self._stop_causes(mask), strict=True))

    def _stop_causes(self, mask: npt.NDArray[np.bool_]) -> list[str]:
        """For each game of `mask`, which did not end: why, the end reason or else the name of its status."""
        pairs = zip(self.reason[mask].tolist(), self.status[mask].tolist(), strict=True)
        return [reason_name(reason) if reason else GameStatus(status).name.lower() for reason, status in pairs]

    @property
    def grown_games(self) -> int:
        """Games whose block grew at least once."""
        return int(np.count_nonzero(self.grown))

    @property
    def growths(self) -> int:
        """Growths of blocks over all games."""
        return int(self.grown.sum(dtype=np.int64))

    @property
    def total_turns(self) -> int:
        """Turns over all games."""
        return int(self.turns.sum(dtype=np.int64))

    @property
    def total_choices(self) -> int:
        """Choices over all games."""
        return int(self.choices.sum(dtype=np.int64))

    # --- win rates ---

    def win_rate(self, seat: int, *, on_play: bool | None = None, confidence: float = CONFIDENCE) -> WinRate:
        """How often `seat` won, of the games that ended by the rules (draws count as not won).

        `on_play=True`: only the games that it began; `False`: only the others. `ValueError` for a seat that is not one.
        """
        if not 0 <= seat < self.seats:
            raise ValueError(f"seat must be between 0 and {self.seats - 1}, not {seat}")
        mask = self.ended
        if on_play is not None:
            mask = mask & ((self.starting == seat) == on_play)
        wins = int(np.count_nonzero(self.winner[mask] == seat))
        return win_rate(wins, int(np.count_nonzero(mask)), confidence)

    # --- departures ---

    def departure_columns(self) -> dict[str, Column]:
        """The departures of all games as columns, one entry a departure: `game`, `name`, and those of `departures`.

        Games in ascending order, the newest departure of a game first. ValueError if none were kept.
        """
        if self.departures is None:
            raise ValueError("no departures were kept: simulate(..., departures=48)")
        there = self.departures["id"] != 0
        rows = self.departures[there]
        game = np.repeat(self.game, there.sum(axis=1))
        name = np.array(self.names, dtype=object)[rows["face"]]
        return {"game": game, "name": name, **{field: rows[field] for field in rows.dtype.names or ()}}

    # --- identity and speed ---

    @functools.cached_property
    def checksum(self) -> str:
        """16 hex digits that depend on the games played alone: the sum of `game_checksum` modulo 2**64."""
        return f"{int(np.add.reduce(self.game_checksum, dtype=np.uint64)):016x}"

    @property
    def games_per_cpu_second(self) -> float:
        """Finished games per second of CPU time; 0 if no time was measured."""
        return self.games / self.cpu_seconds if self.cpu_seconds > 0 else 0.0

    @property
    def choices_per_cpu_second(self) -> float:
        """Choices per second of CPU time; 0 if no time was measured."""
        return self.total_choices / self.cpu_seconds if self.cpu_seconds > 0 else 0.0

    # --- out of the process ---

    def metadata(self) -> dict[str, Any]:
        """What is needed to play the run again, and what of it is the same for every game; JSON-ready."""
        return {
            "schema_version": self.schema_version,
            "engine_version": self.engine_version,
            "decks": [{"name": d.name, "cards": d.cards, "hash": d.hash} for d in self.decks],
            "agents": list(self.agents),
            "cards_hash": self.cards_hash,
            "seed": self.seed,
            "first": self.first,
            "requested": self.requested,
            "options": self.options,
            "interrupted": self.interrupted,
        }

    def to_json(self) -> dict[str, Any]:
        """The run in one JSON-ready dict: counts, rates, times, checksum and `metadata()`, without the columns.

        `turns` and `choices` are totals; rates are fractions with their interval's bounds, None without a game.
        """
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "stopped": self.stopped,
            "stopped_games": [{"game": game, "reason": cause} for game, cause in self.stopped_games()],
            "reasons": self.reasons,
            "win_rates": [_rates(self, seat) for seat in range(self.seats)],
            "turns": self.total_turns,
            "choices": self.total_choices,
            "grown": self.grown_games,
            "growths": self.growths,
            "lki": vars(self.lki).copy(),
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "games_per_cpu_second": self.games_per_cpu_second,
            "choices_per_cpu_second": self.choices_per_cpu_second,
            "threads": self.threads,
            "checksum": self.checksum,
            **self.metadata(),
        }

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write the columns as CSV with a header line; `reason` and `status` by name, one `life_N` column a seat.

        The file appears complete or not at all; `OSError` if it cannot be written.
        """
        from lkicore import resultfiles

        resultfiles.write_csv(self, path)

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write the columns as Parquet; `metadata()` with the checksum is in the schema, as JSON under `lkicore`.

        The file appears complete or not at all. `ResultError` without pyarrow; `OSError` if it cannot be written.
        """
        from lkicore import resultfiles

        resultfiles.write_parquet(self, path)


def _tally(names: Sequence[str]) -> dict[str, int]:
    """Name -> how often, in alphabetical order."""
    return {name: names.count(name) for name in sorted(set(names))}


def _rates(result: SimulationResult, seat: int) -> dict[str, Any]:
    """The three win rates of a seat, JSON-ready: NaN is no JSON."""

    def plain(rate: WinRate) -> dict[str, Any]:
        bounds = {"rate": rate.rate, "low": rate.low, "high": rate.high} if rate.games else dict.fromkeys(_BOUNDS)
        return {"wins": rate.wins, "games": rate.games, **bounds}

    return {
        "seat": seat,
        "all": plain(result.win_rate(seat)),
        "on_play": plain(result.win_rate(seat, on_play=True)),
        "on_draw": plain(result.win_rate(seat, on_play=False)),
    }


_BOUNDS = ("rate", "low", "high")
