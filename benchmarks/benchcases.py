"""What is measured: games in bulk, and what games are made of. Each case gives a checksum; tests run them tiny."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lkicore import CardPool, Deck, SimulationResult, simulate
from lkicore._bench import ClonePool, Scene
from lkicore.opcodes import Agent
from lkicore.simulate import prepare

SEED = 1
MASK = 2**64 - 1


@dataclass(frozen=True)
class GameCase:
    """Games of two decks between two agents of one kind."""

    name: str
    decks: tuple[str, str]
    agents: str
    games: int

    def __str__(self) -> str:
        return f"{self.name} {self.agents}"

    def key(self, games: int) -> str:
        """Name of the golden value."""
        return f"{self}, {games} games"

    def play(self, games: int) -> SimulationResult:
        """Play the first games of the seed, on one thread."""
        return simulate(self.decks, games, seed=SEED, agents=self.agents)

    def block_bytes(self) -> int:
        """Size of the block that games begin in."""
        setup = prepare(self.decks, SEED, self.agents)
        return Scene(setup.table, setup.faces, seed=SEED, choices=0).bytes


def outcome(result: SimulationResult) -> dict[str, object]:
    """What a run must give again."""
    return {"checksum": result.checksum, "choices": result.total_choices, "turns": result.total_turns}


GAMES = (
    GameCase("bolt-mirror", ("bolt-mirror", "bolt-mirror"), "random", 10_000),
    GameCase("ogre-mirror", ("ogre-mirror", "ogre-mirror"), "random", 4_000),
    GameCase("vanilla", ("vanilla", "vanilla"), "random", 4_000),
    GameCase("red-green", ("red", "green"), "random", 6_000),
    GameCase("red-green", ("red", "green"), "greedy", 2_000),
)


# --- below the level of games: scenes of red against green, random agents ---

#: Choices taken before the scene: most games of these decks are in their middle, and the LKI ring is full.
CHOICES = 80
#: Blocks in the pool of clones, and how many different games they hold.
POOL, POOL_GAMES = 4096, 16


def scenes(n: int) -> list[Scene]:
    """The first `n` games of the seed that last long enough."""
    decks = [Deck.load(name) for name in ("red", "green")]
    # (In neither: what a rich creature is under.)
    pool = CardPool.builtin().only(
        ["Brute Strength", "Banishing Knack", *(name for deck in decks for _, name in deck.cards)]
    )
    faces = [deck.faces(pool) for deck in decks]
    found: list[Scene] = []
    game = 0
    while len(found) < n:
        try:
            found.append(Scene(pool.table, faces, agent=Agent.RANDOM, seed=SEED, game=game, choices=CHOICES))
        except ValueError:  # over before
            assert game < 1000, "no game lasts long enough for a scene"
        game += 1
    return found


def scene() -> Scene:
    """A game in its middle."""
    return scenes(1)[0]


@dataclass(frozen=True)
class Loop:
    """`run(n)` carries out n operations; `checksum`, which is not timed, makes a checksum of what it returned."""

    run: Callable[[int], int]
    checksum: Callable[[int], int] = int


@dataclass(frozen=True)
class MicroCase:
    """A loop over one operation, made by `make`; `n` operations a round, `tiny` in tests."""

    name: str
    make: Callable[[], Loop]
    n: int
    tiny: int

    def __str__(self) -> str:
        return self.name

    def key(self, n: int) -> str:
        """Name of the golden value."""
        return f"{self.name}, {n} times"


def clone_warm() -> Loop:
    """Clones from one block into one other."""
    return Loop(scene().clones)


def clone_pool(blocks: int) -> Loop:
    """Clones from and to blocks all over a pool; the state hash of each must be that of the game cloned."""
    pool = ClonePool(scenes(POOL_GAMES), blocks)

    def run(n: int) -> int:
        made = pool.clones(n * 2 // blocks)
        assert made == n
        return made

    def checksum(_: int) -> int:
        hashes = pool.state_hashes()
        wrong = sum(clone != game for clone, game in hashes)
        assert not wrong, f"{wrong} of {len(hashes)} clones differ from their games"
        assert len({game for _, game in hashes}) == POOL_GAMES
        return sum(clone for clone, _ in hashes) & MASK

    return Loop(run, checksum)


def records(kind: str) -> Loop:
    """Departures recorded, with the mark pass that each lap of the ring takes; nothing moves."""
    one = scene()
    one.prepare(kind)
    return Loop(one.records)


def moves() -> Loop:
    """Whole zone changes: graveyard and library in turn."""
    one = scene()
    one.prepare("card")
    return Loop(one.moves)


def look_ups(kind: str) -> Loop:
    """Look-ups of 1,024 ids, or cards and ticks, again and again."""
    one = scene()
    one.questions()
    return Loop(lambda n: one.look_ups(kind, n))


MICRO = (
    MicroCase("clone, warm", clone_warm, 50_000, 10),
    MicroCase(f"clone, pool of {POOL:,} blocks", lambda: clone_pool(POOL), 5 * POOL // 2, POOL // 2),
    MicroCase("LKI record, card leaves a hidden zone", lambda: records("card"), 1_000_000, 1_000),
    MicroCase("LKI record, plain creature", lambda: records("plain"), 1_000_000, 1_000),
    MicroCase("LKI record, rich creature", lambda: records("rich"), 1_000_000, 1_000),
    MicroCase("zone change, recorded and moved", moves, 1_000_000, 1_000),
    MicroCase("LKI look-up by id, found", lambda: look_ups("hit"), 4_000_000, 5_000),
    MicroCase("LKI look-up by id, not there", lambda: look_ups("miss"), 4_000_000, 5_000),
    MicroCase("LKI look-up by card and tick", lambda: look_ups("at"), 4_000_000, 5_000),
)

#: Games of a tiny run.
TINY_GAMES = 10


def keys() -> set[str]:
    """Names of all golden values, those of the tiny runs included."""
    return {
        *(case.key(n) for case in GAMES for n in (case.games, TINY_GAMES)),
        *(case.key(n) for case in MICRO for n in (case.n, case.tiny)),
    }
