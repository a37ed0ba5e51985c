"""A game to play on from, set up in the position of a scenario (:meth:`lkicore.Game.from_scenario`)."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lkicore.arguments import engine_options
from lkicore.cards import CardPool
from lkicore.errors import ArgumentError

from .cards import pool_for
from .errors import UnsupportedError
from .form import read_scenario, read_scenarios
from .model import Scenario
from .position import build

if TYPE_CHECKING:
    from lkicore.game import Game

#: A scenario as data, the path of a file with one, or a path and the id of one in it.
ScenarioLike: TypeAlias = "Mapping[str, Any] | Scenario | str | PathLike[str] | tuple[str | PathLike[str], str]"


def find_scenario(scenario: ScenarioLike) -> Scenario:
    """The scenario meant.

    Raises:
        ScenarioError: it, or its file, is faulty.
        LookupError: the file has no scenario of that id, or not exactly one.
    """
    if isinstance(scenario, Scenario):
        return scenario
    if isinstance(scenario, Mapping):
        # A position needs neither a name nor a script.
        return read_scenario({"id": "position", "script": [], "expect": {}, **scenario})
    path, wanted = scenario if isinstance(scenario, tuple) else (scenario, None)
    found = read_scenarios(Path(path))
    if wanted is None:
        if len(found) != 1:
            raise LookupError(f"{path} holds {len(found)} scenarios: name one of them, as (path, id)")
        return found[0]
    for one in found:
        if one.id == wanted:
            return one
    raise LookupError(f"no scenario {wanted!r} in {path}")


def start_position(
    scenario: ScenarioLike,
    *,
    pool: CardPool | None,
    seed: int,
    auto_pass: bool,
    collapse_trivial: bool,
    payment: str | None,
    max_turns: int,
    trace: bool,
) -> Game:
    """See :meth:`lkicore.Game.from_scenario`."""
    found = find_scenario(scenario)
    if payment is None:
        payment = "free" if found.free else "auto"
    options = engine_options(auto_pass, collapse_trivial, payment)
    try:
        cards = pool_for(found, CardPool.builtin() if pool is None else pool)
        game, _ = build(found, cards, options=options, seed=seed, max_turns=max_turns, trace=trace)
    except UnsupportedError as error:
        raise ArgumentError(f"scenario {found.id}: {error}") from None
    return game
