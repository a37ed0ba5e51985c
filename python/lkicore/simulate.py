"""Playing games in bulk, on any number of threads, with the same result on each of them."""

from __future__ import annotations

import concurrent.futures
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from lkicore import _batch, rings
from lkicore.arguments import (
    AGENTS,
    DEFAULT_AGENT,
    MAX_TURNS,
    DeckLike,
    agent_names,
    engine_options,
    load_decks,
    seed_number,
    whole_number,
)
from lkicore.cards import CardPool
from lkicore.errors import ArgumentError
from lkicore.results import COLUMNS, Column, DeckInfo, LkiCounts, SimulationResult

if TYPE_CHECKING:
    from lkicore._cards import CardTable
    from lkicore.cards import Deck
    from lkicore.cards.deck import Seat

#: Called with (games finished, games asked for), a few times a second, on the thread that called `simulate`.
Progress = Callable[[int, int], None]

#: Seconds that a chunk is made to last: short enough for a prompt Ctrl-C, long enough not to be felt.
CHUNK_SECONDS = 0.1
#: The first chunk of each thread, before anything is measured.
FIRST_CHUNK = 8
#: Most games a chunk may have, whatever the measurement says.
MAX_CHUNK = 1 << 16
#: Seconds between two calls of `progress`.
PROGRESS_SECONDS = 0.1


@dataclass(frozen=True)
class Setup:
    """Checked arguments of a run as the core takes them: all but which games are played."""

    table: CardTable
    decks: list[Deck]
    faces: list[Seat]
    agents: list[str]
    seed: int
    core: dict[str, int]
    options: dict[str, Any]
    names: tuple[str, ...]
    departures: int = 0

    @property
    def seats(self) -> int:
        """Number of players."""
        return len(self.decks)

    def columns(self, games: int) -> dict[str, Column]:
        """Room for `games` games: an array for each of `results.COLUMNS`."""
        columns: dict[str, Column] = {
            name: np.zeros((games, self.seats) if name == "life" else games, dtype) for name, dtype in COLUMNS.items()
        }
        return columns | ({"departures": rings.room(games, self.departures)} if self.departures else {})

    def play(self, first: int, columns: dict[str, Column]) -> dict[str, int]:
        """Play as many games as `columns` have room for, from number `first` on; returns the core's counts."""
        games = len(columns["game"])
        columns["game"][:] = np.arange(games, dtype=np.uint64) + np.uint64(first)
        out = {name: column for name, column in columns.items() if name not in ("game", "game_checksum")}
        out["checksum"] = columns["game_checksum"]
        if self.departures:
            out["departures"] = rings.as_bytes(columns["departures"])
        agents = [int(AGENTS[name]) for name in self.agents]
        return _batch.run(self.table, self.faces, agents, self.seed, first, games, out=out, **self.core)

    def deck_infos(self) -> tuple[DeckInfo, ...]:
        """What a result says about the decks."""
        return tuple(DeckInfo(name=deck.name, cards=len(deck), hash=deck.hash) for deck in self.decks)


def prepare(
    decks: Sequence[DeckLike],
    seed: int,
    agents: str | Sequence[str],
    *,
    pool: CardPool | None = None,
    size_class: int = -1,
    ring: int = 0,
    max_turns: int = MAX_TURNS,
    auto_pass: bool = True,
    collapse_trivial: bool = True,
    payment: str = "auto",
    departures: int = 0,
) -> Setup:
    """Check and load everything that a run needs; arguments and errors as of `simulate`."""
    options = engine_options(auto_pass=auto_pass, collapse_trivial=collapse_trivial, payment=payment)
    seed = seed_number(seed)
    core = {
        "options": int(options),
        "size_class": whole_number("size_class", size_class, -1),
        "ring": whole_number("ring", ring, 0),
        "max_turns": whole_number("max_turns", max_turns, 1, 2**31 - 1),
    }
    pool = CardPool.builtin() if pool is None else pool
    loaded = load_decks(decks, pool)
    played = pool.only(name for deck in loaded for _, name in (*deck.cards, *deck.commanders, *deck.sideboard))
    setup = Setup(
        table=played.table,
        decks=loaded,
        faces=[deck.seat(played) for deck in loaded],
        agents=agent_names(agents, len(loaded)),
        seed=seed,
        core=core,
        options={
            "auto_pass": auto_pass,
            "collapse_trivial": collapse_trivial,
            "payment": payment,
            "max_turns": max_turns,
        },
        names=tuple(face.name for face in played.faces),
        departures=whole_number("departures", departures, 0, 6144),
    )
    try:
        setup.play(0, setup.columns(0))  # no game, but the core's own checks: sizes of decks and blocks
    except ValueError as error:
        raise ArgumentError(str(error)) from None
    return setup


def simulate(
    decks: Sequence[DeckLike],
    games: int = 1000,
    seed: int = 0,
    agents: str | Sequence[str] = DEFAULT_AGENT,
    threads: int = 1,
    *,
    first: int = 0,
    pool: CardPool | None = None,
    progress: Progress | None = None,
    chunk: int | None = None,
    size_class: int = -1,
    ring: int = 0,
    max_turns: int = MAX_TURNS,
    auto_pass: bool = True,
    collapse_trivial: bool = True,
    payment: str = "auto",
    departures: int = 0,
) -> SimulationResult:
    """Play `games` games between `decks` and return one column entry for each.

    - `decks`: two to eight, by seat: names of bundled decks or workloads, paths of deck files, or `Deck` objects.
      Who begins is drawn by each game's seed.
    - `seed`: 0 to 2**64 - 1. Game `k` of a seed is the same game in every run, however many are played, on however many
      `threads` and in whatever chunks; `first` is the number of the first game.
    - `agents`: one name for all seats, or one for each: "greedy" or "random".
    - `pool`: the cards that names and files mean; the built-in ones by default.
    - `progress`: called as (finished, games) a few times a second, on this thread.
    - `chunk`: games that a thread takes at a time; by default as many as take a tenth of a second.
    - `size_class`, `ring`: the core's blocks (-1 and 0: as the decks need); no result depends on them.
    - `max_turns`: a game is stopped at the end of that turn; `auto_pass`, `collapse_trivial`, `payment` ("auto",
      "manual", "free"): what the agents are asked, as of `Game`.
    - `departures`: keep so many of the newest rows of each game's LKI ring (`SimulationResult.departures`). A ring
      holds 48 in a small game.

    On KeyboardInterrupt the games that are being played are finished and the result, marked `interrupted`, holds all
    that were; which these are says its column `game`. With no game finished, KeyboardInterrupt goes on.

    Errors, all before the first game: `ArgumentError` (a ValueError) for an argument out of range or an unknown agent,
    `UnknownCard` (a LookupError) and `DeckError` (a ValueError) for decks. MemoryError if the columns do not fit.
    """
    games = whole_number("games", games, 1, 2**63 - 1)
    first = whole_number("first", first, 0, 2**63 - 1)
    threads = whole_number("threads", threads, 1, 4096)
    if chunk is not None:
        chunk = whole_number("chunk", chunk, 1)
    setup = prepare(
        decks,
        seed,
        agents,
        pool=pool,
        size_class=size_class,
        ring=ring,
        max_turns=max_turns,
        auto_pass=auto_pass,
        collapse_trivial=collapse_trivial,
        payment=payment,
        departures=departures,
    )
    run = _Run(setup=setup, first=first, games=games, chunk=chunk, columns=setup.columns(games))
    wall, cpu = time.perf_counter(), time.process_time()
    interrupted = run.play(threads, progress)
    seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
    return SimulationResult(
        decks=setup.deck_infos(),
        agents=tuple(setup.agents),
        seed=setup.seed,
        first=first,
        requested=games,
        threads=threads,
        options=setup.options,
        cards_hash=f"{setup.table.hash & (2**64 - 1):016x}",
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        interrupted=interrupted,
        lki=LkiCounts(
            run.counts["lki_records"], run.counts["lki_answers"], run.counts["lki_kept"], run.counts["lki_kept_answers"]
        ),
        names=setup.names,
        **run.finished_columns(),
    )


@dataclass
class _Run:
    """A run while it is played: threads take ranges of games from it and write into slices of its columns."""

    setup: Setup
    first: int
    games: int
    chunk: int | None
    columns: dict[str, Column]
    taken: int = 0
    finished: int = 0
    #: (start, end) of the chunks that are done, in the order in which they became so.
    done: list[tuple[int, int]] = field(default_factory=list)
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("lki_records", "lki_answers", "lki_kept", "lki_kept_answers"), 0)
    )
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)

    def play(self, threads: int, progress: Progress | None) -> bool:
        """Play on `threads` threads until all is done; returns whether it was interrupted."""
        threads = min(threads, self.games)
        share = -(-self.games // threads)
        executor = concurrent.futures.ThreadPoolExecutor(threads, thread_name_prefix="lkicore")
        waiting: set[concurrent.futures.Future[None]] = set()
        interrupted = False
        try:
            waiting = {executor.submit(self._work, share) for _ in range(threads)}
            while waiting:
                over, waiting = concurrent.futures.wait(
                    waiting, timeout=PROGRESS_SECONDS, return_when=concurrent.futures.FIRST_EXCEPTION
                )
                for future in over:
                    future.result()
                if progress is not None:
                    progress(self.finished, self.games)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self.stop.set()
            executor.shutdown(wait=True, cancel_futures=True)
        for future in waiting:
            if not future.cancelled():
                future.result()
        if interrupted and not self.finished:
            raise KeyboardInterrupt
        return interrupted and self.finished < self.games

    def _work(self, share: int) -> None:
        """Take chunks and play them until none are left, or the run is stopped. `share`: games a thread would have."""
        size = self.chunk or min(FIRST_CHUNK, share)
        while not self.stop.is_set():
            with self.lock:
                start = self.taken
                end = min(start + size, self.games)
                self.taken = end
            if start == end:
                return
            begun = time.perf_counter()
            counts = self.setup.play(self.first + start, {name: c[start:end] for name, c in self.columns.items()})
            spent = time.perf_counter() - begun
            with self.lock:
                self.done.append((start, end))
                self.finished += end - start
                for name in self.counts:
                    self.counts[name] += counts[name]
            if self.chunk is None:
                size = _next_size(end - start, spent, limit=min(MAX_CHUNK, max(1, share // 4)))

    def finished_columns(self) -> dict[str, Any]:
        """The columns with an entry for each finished game."""
        if self.finished == self.games:
            return dict(self.columns)
        mask = np.zeros(self.games, dtype=np.bool_)
        for start, end in self.done:
            mask[start:end] = True
        return {name: column[mask] for name, column in self.columns.items()}


def _next_size(games: int, seconds: float, limit: int) -> int:
    """Games that take about `CHUNK_SECONDS`, when `games` took `seconds`; grows eightfold at most."""
    wished = int(games * CHUNK_SECONDS / seconds) if seconds > 0 else games * 8
    return max(1, min(wished, games * 8, limit))
