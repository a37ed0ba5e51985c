"""One game, step by step: choices, copies, bytes, last known information."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lkicore._api import GameCore
from lkicore._layout import layout as block_layout
from lkicore.arguments import MAX_TURNS, DeckLike, agent_names, engine_options, load_decks, seed_number, whole_number
from lkicore.cards import CardPool
from lkicore.opcodes import Agent, ChoiceKind, EndReason, GameStatus, HistoryKind, OptionKind, Step, Zone
from lkicore.records import Event, Incarnation, LkiRecord, ObjectFacts, facts_of, record_of

if TYPE_CHECKING:
    from lkicore.scenario.start import ScenarioLike

_DTYPES = {
    k: np.dtype(v)
    for k, v in [("u8", "u1"), ("i8", "i1"), ("u16", "u2"), ("i16", "i2"), ("u32", "u4"), ("i32", "i4"), ("u64", "u8")]
}


class Option(NamedTuple):
    """An option of a choice, in canonical order.

    `kind` says what it is; `object` is the id of the object that it names (0: none), `name` that object's card name,
    `number` an amount, ability or colour, `player` a seat (-1: none).
    """

    kind: OptionKind
    object: int
    name: str
    number: int
    player: int

    def __str__(self) -> str:
        words = [self.kind.name.lower()]
        if self.name:
            words.append(f"{self.name} #{self.object}")
        if self.player >= 0:
            words.append(f"p{self.player}")
        if self.kind in (OptionKind.NUMBER, OptionKind.COLOR, OptionKind.MANA, OptionKind.ACTIVATE):
            words.append(str(self.number))
        return " ".join(words)


class Game(GameCore):
    """A game that stops at every choice.

    Parameters
    ----------
    decks : sequence of Deck, str or path
        A deck for each seat, 2 to 8: decks, names of bundled decks or workloads, or deck files.
    seed, game : int
        Seed of the run and number of the game in it: the same game as in :func:`lkicore.simulate`.
    pool : CardPool, optional
        The cards; the built-in pool by default.
    auto_pass : bool
        A player who can do nothing but pass passes at once.
    collapse_trivial : bool
        A choice with one option is taken inside.
    payment : {"auto", "manual", "free"}
        Mana is paid automatically, by the player, or not at all.
    max_turns : int
        The game is stopped after so many turns; 0 for never.
    trace : bool
        Keep a record of what happens, for :meth:`trace`.

    Raises
    ------
    ValueError, LookupError
        For decks, cards or arguments that can't be; the message names them.

    Examples
    --------
    >>> game = Game(["red", "green"], seed=7)
    >>> while not game.is_terminal:
    ...     game.apply(game.legal_actions()[-1])
    >>> sum(game.returns())
    0.0
    """

    pool: CardPool

    def __new__(
        cls,
        decks: Sequence[DeckLike],
        *,
        seed: int = 0,
        game: int = 0,
        pool: CardPool | None = None,
        auto_pass: bool = True,
        collapse_trivial: bool = True,
        payment: str = "auto",
        max_turns: int = MAX_TURNS,
        size_class: int = -1,
        trace: bool = False,
    ) -> Game:
        pool = CardPool.builtin() if pool is None else pool
        loaded = load_decks(decks, pool)
        self = super().__new__(
            cls,
            pool.table,
            [deck.seat(pool) for deck in loaded],
            seed=seed_number(seed),
            game=whole_number("game", game, 0, 2**63 - 1),
            options=int(engine_options(auto_pass=auto_pass, collapse_trivial=collapse_trivial, payment=payment)),
            size_class=size_class,
            max_turns=whole_number("max_turns", max_turns, 0, 2**32 - 1),
            trace=trace,
        )
        self.pool = pool
        return self

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Everything is done by `__new__`."""

    @classmethod
    def from_scenario(
        cls,
        scenario: ScenarioLike,
        *,
        pool: CardPool | None = None,
        seed: int = 0,
        auto_pass: bool = False,
        collapse_trivial: bool = False,
        payment: str | None = None,
        max_turns: int = MAX_TURNS,
        trace: bool = False,
    ) -> Game:
        """A game in the position in which a scenario begins, to play on from: its script is not run.

        The active player has priority, or makes the first choice of the step in which the scenario begins.

        Parameters
        ----------
        scenario : dict, path, (path, id) or Scenario
            A scenario as data, the only one of a file, or the one with that id.
        pool : CardPool, optional
            The cards; the scenario's own definitions count for names that it has not. The built-in pool by default.
            The game's `pool` holds both.
        seed : int
            Seed of what is left to chance.
        auto_pass, collapse_trivial, max_turns, trace
            As of :class:`Game`; but everybody is asked everything unless told otherwise.
        payment : {"auto", "manual", "free"}, optional
            By default as the scenario has it: `mana: free` or `pay`.

        Raises
        ------
        ValueError
            The scenario, or a card of it, is faulty, or something that it needs is not supported.
        LookupError
            The file has no scenario of that id, or not exactly one.

        Examples
        --------
        >>> game = Game.from_scenario(
        ...     {"zones": {"p0": {"hand": ["Lightning Bolt"]}}}
        ... )
        >>> [str(option) for option in game.options()]
        ['pass', 'cast Lightning Bolt #1']
        """
        from lkicore.scenario.start import start_position

        return start_position(
            scenario,
            pool=pool,
            seed=seed_number(seed),
            auto_pass=auto_pass,
            collapse_trivial=collapse_trivial,
            payment=payment,
            max_turns=whole_number("max_turns", max_turns, 0, 2**32 - 1),
            trace=trace,
        )

    @classmethod
    def _empty(cls, pool: CardPool) -> Game:
        self = GameCore.__new__(cls, pool.table)
        self.pool = pool
        return self

    def __repr__(self) -> str:
        if self.is_terminal:
            end = f"winner p{self.winner}" if self.winner >= 0 else self.reason.name.lower()
            return f"<Game: turn {self.turn}, over, {end}>"
        step = Step(self.step).name.lower()
        choice = self.choice.name.lower()
        return f"<Game: turn {self.turn} of p{self.active_player}, {step}, p{self.decider} chooses {choice}>"

    # ------------------------------------------------------------------------------------------ the choice

    @property
    def choice(self) -> ChoiceKind:
        """Kind of the open choice; NONE when the game is over."""
        return ChoiceKind(super().choice)

    @property
    def status(self) -> GameStatus:
        """RUNNING, ENDED, or why the game was stopped."""
        return GameStatus(super().status)

    @property
    def reason(self) -> EndReason:
        """Why the game ended or was stopped."""
        return EndReason(super().reason)

    def options(self) -> list[Option]:
        """Options of the open choice in canonical order; the position is the action's number."""
        names = self.table.names
        return [
            Option(OptionKind(kind), obj, names[face] if face >= 0 else "", number, player)
            for kind, obj, face, number, player in super().options()
        ]

    def step_agent(self, agent: str | int = "greedy") -> int:
        """Let a built-in agent take an option; returns its number. `ValueError` for an agent that isn't known."""
        return super().step_agent(_agent(agent))

    def agent_option(self, agent: str | int = "greedy") -> int:
        """Option that a built-in agent would take; its stream of chance moves on, the game doesn't."""
        return super().agent_option(_agent(agent))

    # ------------------------------------------------------------------------------------------ copies and bytes

    def clone(self) -> Game:
        """An independent copy with the same future under the same options."""
        copy = Game._empty(self.pool)
        copy.copy_from(self)
        return copy

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def serialize(self) -> bytes:
        """The game as bytes, for :meth:`deserialize` with the same card pool and version."""
        return self.to_bytes()

    @classmethod
    def deserialize(cls, data: bytes, *, pool: CardPool | None = None) -> Game:
        """The game that :meth:`serialize` wrote.

        The bytes are checked in full before the engine sees them. `ValueError` with one line if they are cut short,
        foreign, damaged, or of another version, layout or card pool.
        """
        game = cls._empty(CardPool.builtin() if pool is None else pool)
        game.load_bytes(bytes(data))
        return game

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.serialize(), self.pool)

    def hash(self) -> int:
        """64-bit hash of the logical state: no ids, rows or sizes enter it."""
        return self.state_hash()

    # ------------------------------------------------------------------------------------------ objects

    def object(self, id: int) -> ObjectFacts | None:  # noqa: A002 - callers may name it, as in the other look-ups
        """Facts about a live object; None if no object has this id now (CR 400.7: it left, and never comes back)."""
        raw = self.facts(id)
        return None if raw is None else facts_of(self.pool, raw, self._spell(raw))

    def _spell(self, raw: dict[str, Any], rows: Sequence[dict[str, Any]] | None = None) -> dict[str, Any] | None:
        """The spell that became a permanent, if it is one that did and its row is kept; `rows`: those of the store."""
        if raw["zone"] not in (Zone.BATTLEFIELD, Zone.PHASED_OUT) or raw["card"] < 0:
            return None
        kept = self.lki_records() if rows is None else rows
        return next((row for row in kept if row["became"] == raw["id"] and row["zone"] == Zone.STACK), None)

    def objects(self, zone: Zone, player: int = 0) -> list[ObjectFacts]:
        """Objects of a zone in order: a library from the top, other zones from the oldest. `player`: whose, for zones
        that each player has."""
        return [obj for obj in map(self.object, self.zone(zone, player)) if obj is not None]

    def cards(self, name: str, player: int | None = None) -> list[int]:
        """Numbers of the physical cards called `name`, of all players or of the owner `player`.

        Cards are numbered in deck order, seat 0 first. A card is called by its front face, or as it is written in deck
        lists. `UnknownCard`, a LookupError, if the pool has none of that name.
        """
        face = self.pool.index(name)
        faces, owners = self.column("pc_face"), self.column("pc_owner")
        mine = (faces == face) if player is None else (faces == face) & (owners == player)
        return [int(card) for card in np.flatnonzero(mine[: self.n_cards])]

    # ------------------------------------------------------------------------------------------ what is gone

    def lki(self, id_or_card: int, *, tick: int | None = None) -> LkiRecord | None:
        """Last known information (CR 608.2h).

        `lki(id)`: the object with this id as it was just before it left its zone, or, if it is phased out, before it
        phased out. `lki(card, tick=t)`: the last departure of physical card `card` (see :meth:`cards`) at or before
        event tick `t`. None is a definite answer: it never departed, or its row was given up because nothing in the
        game could ask about it any more.
        """
        raw = self.lki_record(id_or_card) if tick is None else self.lki_record_at(id_or_card, tick)
        return None if raw is None else record_of(self.pool, raw, self._spell(raw))

    def departures(self) -> list[LkiRecord]:
        """Every departure that the LKI store holds now, by event tick."""
        rows = self.lki_records()
        return [record_of(self.pool, raw, self._spell(raw, rows)) for raw in rows]

    def history(self, card: int) -> list[Incarnation]:
        """The objects that a physical card has been, oldest first, with their zones and event ticks (CR 400.7).

        Those whose departures are kept in the LKI store, and the one that the card is now. A gap, where a departure was
        given up, shows in `since` -1. ValueError for a number that is no card's.
        """
        now = self.object_of(card)
        rows = self.lki_records()
        records = [record_of(self.pool, raw, self._spell(raw, rows)) for raw in rows if raw["card"] == card]
        found = []
        for before, record in zip([None, *records], records, strict=False):
            since = before.tick if before is not None and before.became == record.id else -1
            found.append(Incarnation(record.id, record.zone, since, record.tick, record.zone_to, record))
        if now:
            last = records[-1] if records else None
            since = last.tick if last is not None and last.became == now else -1
            zone = Zone(self.column("zone")[self.column("pc_row")[card]])
            found.append(Incarnation(now, zone, since, -1, Zone.NONE, None))
        return found

    def events(self) -> list[Event]:
        """Events of this turn and the last, oldest first (CR 608.2i)."""
        return [Event(HistoryKind(kind), *rest) for kind, *rest in self.logged()]

    # ------------------------------------------------------------------------------------------ columns

    def column(self, name: str) -> npt.NDArray[Any]:
        """A column of the block as a read-only NumPy view, without a copy.

        Columns, dtypes and meanings are those of :func:`lkicore.layout`; columns of structs (`stack`, `lki` …) are
        structured arrays. The view shows the game as it goes on, until the game moves to a larger block: then it shows
        the old one, so ask again after each choice. `LookupError` for a name that is no column.
        """
        layout = block_layout(self.players, self.size_class, self.ring)
        arrays = layout["arrays"]
        if name not in arrays:
            raise LookupError(f"no column {name!r}; lkicore.layout()['arrays'] names them")
        array = arrays[name]
        dtype = _DTYPES.get(array["dtype"])
        if dtype is None:
            struct = layout["structs"][array["dtype"]]
            dtype = np.dtype([(field, _DTYPES[kind]) for field, kind, _ in struct["fields"]])
        return np.frombuffer(self.block_buffer(), dtype, array["length"], array["offset"])


def _agent(agent: str | int) -> int:
    return agent if isinstance(agent, int) else int(Agent[agent_names(agent, 1)[0].upper()])


def _restore(data: bytes, pool: CardPool) -> Game:
    return Game.deserialize(data, pool=pool)
