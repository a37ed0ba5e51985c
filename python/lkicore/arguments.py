"""What `simulate`, `replay` and the command line ask of their arguments, in one place."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import SupportsIndex, TypeAlias

from lkicore.cards import CardPool, Deck
from lkicore.cards.errors import did_you_mean, nearest
from lkicore.errors import ArgumentError
from lkicore.opcodes import Agent, EngineOption

#: A deck, the name of a bundled deck or workload, or the path of a deck file.
DeckLike: TypeAlias = "Deck | str | PathLike[str]"

#: The decks that are played when none are named.
DEFAULT_DECKS = ("red", "green")
#: The agent of every seat when none is named.
DEFAULT_AGENT = "greedy"
#: A game that reaches the end of this turn is stopped.
MAX_TURNS = 1000
MIN_SEATS = 2
MAX_SEATS = 8

AGENTS = {agent.name.lower(): agent for agent in Agent}
PAYMENTS = {"auto": EngineOption(0), "manual": EngineOption.PAY_MANUAL, "free": EngineOption.PAY_FREE}


def whole_number(name: str, value: SupportsIndex, low: int, high: int | None = None) -> int:
    """`value` as an int within [low, high]; `ArgumentError` that names the argument and the value otherwise."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name} must be a whole number, not {value!r}") from None
    if number < low:
        raise ArgumentError(f"{name} must be at least {low}, not {number}")
    if high is not None and number > high:
        raise ArgumentError(f"{name} must be at most {high}, not {number}")
    return number


def seed_number(value: SupportsIndex) -> int:
    """A seed: 0 to 2**64 - 1."""
    return whole_number("seed", value, 0, 2**64 - 1)


def _hint(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?`, or nothing when no known word is near."""
    return did_you_mean(nearest(word, known)[:1])


def agent_names(agents: str | Sequence[str], seats: int) -> list[str]:
    """One agent's name for each seat: a single name stands for all of them.

    `ArgumentError` for a name that is not an agent, or when there are neither one nor as many names as seats.
    """
    names = [agents] if isinstance(agents, str) else list(agents)
    for name in names:
        if name not in AGENTS:
            known = sorted(AGENTS)
            raise ArgumentError(f"unknown agent {name!r}{_hint(str(name), known)} (agents: {', '.join(known)})")
    if len(names) == 1:
        return names * seats
    if len(names) != seats:
        raise ArgumentError(f"agents: one name, or one for each of the {seats} decks, not {len(names)}")
    return names


def engine_options(auto_pass: bool, collapse_trivial: bool, payment: str) -> EngineOption:
    """The engine's options as a mask; `ArgumentError` for an unknown way of paying."""
    if payment not in PAYMENTS:
        raise ArgumentError(f"unknown payment {payment!r}{_hint(payment, PAYMENTS)} ({', '.join(PAYMENTS)})")
    mask = PAYMENTS[payment]
    if auto_pass:
        mask |= EngineOption.AUTO_PASS
    if collapse_trivial:
        mask |= EngineOption.COLLAPSE
    return mask


def load_decks(decks: Sequence[DeckLike], pool: CardPool) -> list[Deck]:
    """The decks of a game by seat.

    What is loaded, by name or from a file, is held to the deck rules, from which workloads are free; `Deck` objects are
    taken as they are. Errors: `ArgumentError` for a number of decks that no game has, those of `Deck.load` and
    `Deck.validate`.
    """
    given: list[DeckLike] = [decks] if isinstance(decks, str | PathLike | Deck) else list(decks)
    if not MIN_SEATS <= len(given) <= MAX_SEATS:
        raise ArgumentError(f"a game needs {MIN_SEATS} to {MAX_SEATS} decks, not {len(given)}")
    return [deck if isinstance(deck, Deck) else _load(deck, pool) for deck in given]


def _load(source: str | PathLike[str], pool: CardPool) -> Deck:
    deck = Deck.load(source if isinstance(source, str) else Path(source), pool)
    deck.validate(pool)
    return deck
