"""`lkicore replay`: the log of one game of a run."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from lkicore.arguments import DEFAULT_AGENT
from lkicore.commands import common
from lkicore.replay import replay as play_again


def replay(
    decks: common.Decks = None,
    *,
    agents: common.Agents = DEFAULT_AGENT,
    seed: common.Seed = 0,
    game: Annotated[int, typer.Option(metavar="K", help="Number of the game in its run, from 0 on.")] = 0,
) -> None:
    """Print the log of game K of the run that `lkicore simulate` plays with the same decks, agents and seed.

    Turns, casts, resolutions, combat, each record of last known information and each look-up by its policy.
    """
    done = play_again(common.chosen(decks), agents=common.split(agents), seed=seed, game=game)
    for line in done.lines:
        sys.stdout.write(line + "\n")
