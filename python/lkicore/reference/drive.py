"""Random operations for the core and the model: `python -m lkicore.reference.drive --ops N --seed S --ring R`.

A run is a sequence of episodes, each a new game of its own temperament, which is a function of (seed, episode) alone: a
failure names both, and `--episode` plays just that one.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

from lkicore.opcodes import CounterKind, Duration, HistoryKind, Zone
from lkicore.reference.cards import EFFECT_NAMES, EXCEPTIONS, FACES, NUMBER_OF, TOKEN
from lkicore.reference.compare import MismatchError, Pair, Subject
from lkicore.reference.continuous import DURATIONS
from lkicore.reference.model import Model
from lkicore.reference.policies import KINDS

#: Makes what is compared with the model, from the same arguments.
Factory = Callable[..., Subject]

ZONES = (Zone.BATTLEFIELD, Zone.GRAVEYARD, Zone.HAND, Zone.EXILE, Zone.LIBRARY, Zone.STACK, Zone.COMMAND)
ZONE_WEIGHTS = (40, 25, 10, 8, 7, 7, 3)
OPERATIONS: dict[str, int] = {
    "move": 34,
    "enter": 4,
    "tap": 4,
    "untap": 2,
    "damage": 6,
    "counters": 8,
    "control": 4,
    "attach": 10,
    "pump": 6,
    "effect": 12,
    "become_copy": 3,
    "copy_token": 2,
    "ability": 8,
    "resolve": 6,
    "log": 6,
    "token": 4,
    "cease": 3,
    "react": 8,
    "block_with": 3,
    "life": 1,
    "leave": 2,
    "end_turn": 1,
    "next_turn": 2,
}
#: What the cards of an episode are, and the effects that go with them. Effects that add or take creature types and such
#: that change card types are in different ones: an object can't have subtypes of types that it has lost (CR 205.3d).
SIZES = ("pump", "set size", "switch")
GIFTS = ("fly", "land", "shroud", "gag", "lead", "herald", "knight")
PAINTS = ("redden", "blacken", "fade")
MATTERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "plain": (("Bear", "Bird", "Land", "Wall"), ("pump",)),
    "gear": (
        ("Bear", "Blade", "Leash", "Bird", "Gag", "Knight", "Blade", "Ghost"),
        (*SIZES, *GIFTS, *PAINTS, "control"),
    ),
    "lords": (("Bear", "Lord", "Herald", "Crowd", "Land", "Sleeper", "Leveler"), (*SIZES, *GIFTS, "bear", "control")),
    "lands": (
        ("Land", "Awakener", "Bird", "Land", "Lord", "Leveler", "Sleeper", "Crowd"),
        (*SIZES, "animate", "statue", "beast", "petrify", "gag", "control"),
    ),
    "colors": (
        ("Bear", "Painter", "Banner", "Bird", "Lord", "Knight"),
        (*SIZES, *PAINTS, "bear", "knight", "gag", "control"),
    ),
    "kinds": (
        ("Bear", "Mason", "Forge", "Painter", "Herald", "Wall", "Banner"),
        (*SIZES, "bear", "wall", "frog", "gag", "herald", "control"),
    ),
    "flyers": (("Bear", "Choir", "Bird", "Herald", "Leveler", "Gag"), (*SIZES, *GIFTS)),
}
#: All together, but for what the note above sets apart.
_ALL = tuple(
    face.name.removeprefix("Driver ") for face in FACES if face.name not in ("Driver Token", "Driver Awakener")
)
_TURNING, _KINDS = ("animate", "statue", "beast", "petrify"), ("bear", "wall", "frog")
MATTERS["all kinds"] = (_ALL, tuple(name for name in EFFECT_NAMES if name not in _TURNING))
MATTERS["all types"] = (
    tuple(name for name in (*_ALL, "Awakener") if name not in ("Blade", "Leash", "Gag", "Mason")),
    tuple(name for name in EFFECT_NAMES if name not in _KINDS),
)
MATTERS["sizes"] = (("Swarm", "Bear", "Swarm", "Lord", "Awakener", "Land"), (*SIZES, "gag", "control", "petrify"))
MATTERS["watch"] = (
    ("Bear", "Watcher", "Lord", "Gag", "Gate", "Watcher", "Crowd"),
    (*SIZES, "gag", "control", "petrify"),
)
EPISODE = 2000  # operations, at most
CHECK_ALL = 64  # operations between two comparisons of everything


@dataclass(frozen=True, slots=True)
class Temperament:
    """How much of what an episode has at a time. The upper bounds fit the smallest block."""

    players: int
    cards: int
    tokens: int
    stack: int
    effects: int
    events: int
    length: int
    matter: str
    copies: bool

    @classmethod
    def draw(cls, rng: Random, matter: str = "") -> Temperament:
        return cls(
            players=rng.choice((2, 2, 2, 3, 4)),
            cards=rng.choice((3, 8, 15)),
            tokens=rng.choice((0, 4, 16)),
            stack=rng.choice((1, 2, 8)),
            effects=rng.choice((0, 3, 12, 12)),
            events=rng.choice((0, 2, 4, 20)),
            length=rng.randrange(EPISODE // 4, EPISODE),
            matter=matter or rng.choice(tuple(MATTERS)),
            copies=rng.random() < 0.5,
        )


class Episode:
    """One game: random operations on both, with samples of all look-ups after each."""

    def __init__(self, seed: int, episode: int, ring: int, factory: Factory, matter: str = "") -> None:
        self.rng = Random(seed * 1_000_003 + episode)
        self.ways = Temperament.draw(self.rng, matter)
        self.step = 0
        players, cards = self.ways.players, self.ways.cards
        names, self.effects = MATTERS[self.ways.matter]
        deck = tuple(NUMBER_OF[f"Driver {name}"] for name in names)
        self.token_faces = (TOKEN, *deck)
        self.model = Model(players, cards, ring=ring, deck=deck)
        self.pair = Pair(self.model, factory(players, cards, ring=ring, deck=deck), ring)
        self.names = list(OPERATIONS)
        self.weights = list(OPERATIONS.values())

    def run(self, limit: int) -> int:
        """Operations done: the episode's own length, or `limit`."""
        self.pair.check_all()
        n = min(limit, self.ways.length)
        for name in self.rng.choices(self.names, self.weights, k=n):
            self.step += 1
            getattr(self, name)()
            self.sample()
            if self.step % CHECK_ALL == 0:
                self.pair.check_all()
        self.pair.check_all()
        return n

    def sample(self) -> None:
        """A few look-ups, of departed objects above all."""
        pair, rng, next_id = self.pair, self.rng, self.model.next_id
        pair.check_lki(rng.randrange(max(1, next_id - 24), next_id))
        pair.check_lki(rng.randrange(next_id + 2))
        pair.check_live(rng.randrange(max(0, next_id - 48), next_id + 1))
        if self.model.history and (asked := rng.choice(self.model.history).obj):
            pair.check_reference(asked)
        if self.model.abilities:
            pair.check_reference(rng.choice(self.model.abilities).source)
        tick = self.model.tick()
        first = max(0, tick - 40) if rng.random() < 0.5 else 0
        pair.check_lki_at(rng.randrange(self.ways.players * self.ways.cards), rng.randrange(first, tick + 2))

    # ------------------------------------------------------------------------------------------ what to act on

    def permanent(self) -> int:
        """Mostly a permanent; at times any number that is, was or will be an object's id."""
        battlefield = self.model.zone(Zone.BATTLEFIELD, 0)
        if battlefield and self.rng.random() < 0.92:
            return self.rng.choice(battlefield)
        return self.rng.randrange(self.model.next_id + 1)

    def anything(self) -> int:
        """A live or a departed object, rather a recent one, that a reference can still be made to; 0 at times."""
        object_id = self.permanent()
        if self.rng.random() < 0.4:
            next_id = self.model.next_id
            object_id = self.rng.randrange(max(1, next_id - 40), next_id)
        return object_id if self.pair.referable(object_id) else 0

    def player(self) -> int:
        return self.rng.choice(sorted(self.model.in_game))

    def movable(self) -> int:
        rng = self.rng
        chance = rng.random()
        if chance < 0.5:
            return self.permanent()
        if chance < 0.9:
            zone = rng.choice((Zone.LIBRARY, Zone.HAND, Zone.GRAVEYARD, Zone.EXILE, Zone.STACK))
            place = self.model.zone(zone, rng.randrange(self.ways.players))
            if place:
                return place[0] if rng.random() < 0.5 else place[-1]
        return rng.randrange(self.model.next_id + 1)

    # ------------------------------------------------------------------------------------------ operations

    def move(self) -> None:
        rng = self.rng
        zone = rng.choices(ZONES, ZONE_WEIGHTS)[0]
        if zone == Zone.STACK and len(self.model.zone(Zone.STACK, 0)) > self.ways.stack:
            zone = Zone.GRAVEYARD
        while len(self.model.waiting) > self.ways.events:
            self.react()
        n = rng.choice((1, 1, 1, 1, 2, 2, 3)) if zone == Zone.STACK or rng.random() < 0.95 else rng.randrange(4, 12)
        self.pair.call("move", [self.movable() for _ in range(n)], int(zone))

    def enter(self) -> None:
        """Several cards enter the battlefield together."""
        rng = self.rng
        zones = (Zone.LIBRARY, Zone.HAND, Zone.GRAVEYARD, Zone.EXILE)
        cards = self.model.zone(rng.choice(zones), rng.randrange(self.ways.players))
        if cards:
            self.pair.call("move", rng.sample(cards, min(len(cards), rng.randrange(1, 5))), int(Zone.BATTLEFIELD))
        else:
            self.move()

    def tap(self) -> None:
        self.pair.call("tap", self.permanent())

    def untap(self) -> None:
        self.pair.call("untap", self.permanent())

    def damage(self) -> None:
        self.pair.call("damage", self.permanent(), self.rng.randrange(0, 6))

    def counters(self) -> None:
        self.pair.call("counters", self.permanent(), self.rng.randrange(CounterKind.POISON), self.rng.randrange(-3, 5))

    def control(self) -> None:
        self.pair.call("control", self.permanent(), self.rng.randrange(self.ways.players))

    def attach(self) -> None:
        self.pair.call("attach", self.permanent(), 0 if self.rng.random() < 0.2 else self.permanent())

    def pump(self) -> None:
        if len(self.model.effects) >= self.ways.effects:
            self.end_turn()
        else:
            rng = self.rng
            self.pair.call("pump", self.permanent(), rng.randrange(-3, 5), rng.randrange(-3, 5), self.anything())

    def effect(self) -> None:
        if len(self.model.effects) >= self.ways.effects:
            self.end_turn()
            return
        rng = self.rng
        duration = rng.choices(DURATIONS, (8, 3, 2, 2, 2, 1, 1))[0]
        player, source = self.player(), self.anything()
        if duration not in (Duration.END_OF_TURN, Duration.PERMANENT) and rng.random() < 0.9:
            source = self.permanent()
            if (controller := self.model.controller_of(source)) is not None and rng.random() < 0.9:
                player = controller
        if not self.pair.referable(source):
            source = 0
        name, x, y = rng.choice(self.effects), rng.randrange(-3, 5), rng.randrange(-3, 5)
        self.pair.call("effect", name, self.permanent(), x, y, int(duration), player, source)

    def become_copy(self) -> None:
        if not self.ways.copies or len(self.model.effects) >= self.ways.effects:
            self.pump()
            return
        duration = self.rng.choice((Duration.END_OF_TURN, Duration.PERMANENT, Duration.YOUR_NEXT_TURN))
        self.pair.call("become_copy", self.permanent(), self.anything(), int(duration), self.exception())

    def copy_token(self) -> None:
        if not self.ways.copies or sum(obj.token for obj in self.model.objects.values()) >= self.ways.tokens:
            self.cease()
            return
        self.pair.call("copy_token", self.player(), self.anything(), self.exception())

    def exception(self) -> str:
        return "" if self.rng.random() < 0.6 else self.rng.choice(tuple(EXCEPTIONS))

    def end_turn(self) -> None:
        self.pair.call("end_turn")

    def ability(self) -> None:
        if len(self.model.abilities) >= self.ways.stack:
            self.resolve()
        else:
            rng = self.rng
            targets = [self.permanent() for _ in range(rng.randrange(4))]
            paid = [self.permanent() for _ in range(rng.choice((0, 0, 1, 2)))]
            source = rng.choice((*targets, *paid)) if (targets or paid) and rng.random() < 0.3 else self.anything()
            source = source if self.pair.referable(source) else 0
            self.pair.call("ability", source, targets, rng.randrange(len(KINDS)), rng.randrange(10), paid)

    def resolve(self) -> None:
        self.pair.call("resolve")

    def log(self) -> None:
        if len(self.model.history) >= self.ways.events:
            self.next_turn()
        else:
            rng = self.rng
            kind = int(rng.choice(list(HistoryKind)))
            player = rng.randrange(self.ways.players)
            self.pair.call("log", kind, self.anything(), self.anything(), player, rng.randrange(10))

    def next_turn(self) -> None:
        self.pair.call("next_turn")

    def token(self) -> None:
        if sum(obj.token for obj in self.model.objects.values()) < self.ways.tokens:
            self.pair.call("token", self.rng.randrange(self.ways.players), self.rng.choice(self.token_faces))
        else:
            self.cease()

    def cease(self) -> None:
        self.pair.call("cease")

    def react(self) -> None:
        self.pair.call("react")

    def block_with(self) -> None:
        self.pair.call("block_with", self.permanent(), self.permanent())

    def life(self) -> None:
        self.pair.call("life", self.rng.randrange(self.ways.players), self.rng.randrange(-4, 5))

    def leave(self) -> None:
        player = self.rng.randrange(self.ways.players)
        if self.rng.random() > 0.3:
            self.life()
        elif self.pair.call("leave", player):
            while self.model.waiting:
                self.react()
            # What left with its owner under another player's control can be asked about its owner.
            records = self.model.records
            for record in records.group(records.newest_tick):
                if record.owner == player and record.controller in self.model.in_game:
                    self.pair.call("ability", record.id, [], 0, 1, [])
                    break


@dataclass(slots=True)
class Run:
    """What a run did."""

    operations: int = 0
    episodes: int = 0
    forgotten: int = 0
    kept_by_reference: int = 0
    grown: int = 0


def core() -> Factory:
    """The core's driver."""
    return cast(Factory, importlib.import_module("lkicore._debug").Driver)


def drive(
    operations: int,
    seed: int,
    ring: int = 0,
    *,
    factory: Factory | None = None,
    episode: int | None = None,
    matter: str = "",
) -> Run:
    """Compare `factory` (the core) with the model for so many operations. A MismatchError says where it happened.

    `matter`: all episodes are about that one of `MATTERS`.
    """
    factory = core() if factory is None else factory
    run = Run()
    number = 0 if episode is None else episode
    while run.operations < operations:
        game = None
        try:
            game = Episode(seed, number, ring, factory, matter)
            run.operations += game.run(operations - run.operations)
        except Exception as error:
            where = f"seed {seed} ring {ring} episode {number} step {game.step if game else 0}"
            text = str(error) if isinstance(error, MismatchError) else f"{type(error).__name__}: {error}"
            raise MismatchError(f"{where}: {text}") from error
        run.episodes += 1
        run.forgotten += game.pair.forgotten
        run.kept_by_reference += game.pair.kept_by_reference
        grown = getattr(game.pair.subject, "grown", None)
        run.grown += grown() if grown else 0
        number += 1
        if episode is not None:
            break
    return run


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lkicore.reference.drive", description=__doc__)
    parser.add_argument("--ops", type=int, default=200_000, help="operations (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ring", type=int, default=0, help="slots of the LKI ring, 0: the block's own")
    parser.add_argument("--episode", type=int, help="only this one")
    parser.add_argument("--model", action="store_true", help="the model against itself")
    args = parser.parse_args(argv)
    begin = time.perf_counter()
    try:
        run = drive(args.ops, args.seed, args.ring, factory=Model if args.model else None, episode=args.episode)
    except MismatchError as mismatch:
        print(f"differ: {mismatch}")
        return 1
    rate = run.operations / (time.perf_counter() - begin)
    print(
        f"equal: {run.operations:,} operations, {run.episodes} episodes, {run.kept_by_reference:,} answers kept by "
        f"references, {run.forgotten:,} forgotten, ring grown {run.grown} times, {rate:,.0f} operations/s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
