"""Loops: what draws a game, and what does not (CR 104.4b, 732). The plain draws: tests/scenarios/loops.yaml."""

from __future__ import annotations

from typing import Any

import pytest

from lkicore import CardPool, Game
from lkicore.opcodes import ChoiceKind, EndReason, GameStatus, OptionKind

#: An enchantment whose ability triggers on what it does itself.
WELLS = """
- name: Ever Deeper Well
  cost: "{W}"
  type: Enchantment
  abilities:
    - {when: gains_life(yourself), do: ["gain_life(you, 1)"]}
- name: Well That Stays
  cost: "{W}"
  type: Enchantment
  abilities:
    - {when: gains_life(yourself), do: ["gain_life(you, 1)", "lose_life(you, 1)"]}
- name: Well That Asks
  cost: "{W}"
  type: Enchantment
  abilities:
    - {when: gains_life(yourself), do: [{may: ["gain_life(you, 1)", "lose_life(you, 1)"]}]}
"""

POOL = CardPool.builtin().with_cards(WELLS)


def position(*battlefield: Any, hand: tuple[str, ...] = ("Healing Salve",), auto_pass: bool = True) -> Game:
    scenario = {"zones": {"p0": {"battlefield": list(battlefield), "hand": list(hand)}}}
    return Game.from_scenario(scenario, pool=POOL, auto_pass=auto_pass)


def take(game: Game, kind: OptionKind, name: str = "") -> None:
    """The first option of a kind, about an object of that name."""
    for k, option in enumerate(game.options()):
        if option.kind is kind and (not name or game.object(option.object).name == name):
            game.apply(k)
            return
    raise AssertionError(f"no {kind.name} {name} among {game.options()}")


def go_on(game: Game, most: int = 30_000) -> int:
    """Pass, and choose the first there is; how often anything but passing was chosen."""
    chosen = 0
    for _ in range(most):
        if game.is_terminal:
            return chosen
        passing = game.choice is ChoiceKind.PRIORITY
        chosen += not passing
        yes = [k for k, option in enumerate(game.options()) if option.kind is OptionKind.YES]
        game.apply(yes[0] if yes else 0)
    raise AssertionError("the game goes on")


@pytest.mark.parametrize("auto_pass", [True, False])
def test_104_4b_a_game_that_repeats_itself_is_drawn(auto_pass: bool) -> None:
    """Kills: the limit instead of a draw, a draw that one player wins, priority that counts as a choice."""
    game = position("Well That Stays", auto_pass=auto_pass)
    take(game, OptionKind.CAST, "Healing Salve")
    go_on(game)
    assert (game.status, game.reason, game.winner) == (GameStatus.ENDED, EndReason.LOOP, -1)


def test_104_4b_a_loop_that_grows_is_stopped_and_not_drawn() -> None:
    """Life goes up each time: nothing repeats. Nobody has won, lost or drawn; the limit stops the game.

    Kills: a key without life totals.
    """
    game = position("Ever Deeper Well")
    take(game, OptionKind.CAST, "Healing Salve")
    go_on(game)
    assert (game.status, game.reason) == (GameStatus.ABORTED, EndReason.STEP_LIMIT)


def test_104_4b_a_loop_with_a_choice_is_the_players() -> None:
    """The same with "you may": a loop that contains an optional action draws nothing.

    Kills: looking for loops across choices.
    """
    game = position("Well That Asks", auto_pass=False)
    take(game, OptionKind.CAST, "Healing Salve")
    chosen = go_on(game)
    assert (game.status, game.reason) == (GameStatus.ABORTED, EndReason.STEP_LIMIT)
    assert chosen > 1000  # each of them could have ended it


def test_732_a_loop_may_be_left_by_a_target() -> None:
    """Three Rings and a creature: each Ring could exile the creature, so the game goes on, and ends well if one does.

    Kills: a draw although a mandatory ability offers a choice that ends the loop.
    """
    game = position("Oblivion Ring", "Grizzly Bears", hand=("Oblivion Ring", "Oblivion Ring"), auto_pass=True)
    rounds = 0
    casts = 2
    while rounds < 300:
        if game.choice is ChoiceKind.PRIORITY:
            if casts and any(option.kind is OptionKind.CAST for option in game.options()):
                take(game, OptionKind.CAST)
                casts -= 1
            else:
                game.apply(0)
        else:
            assert game.choice is ChoiceKind.TARGET
            take(game, OptionKind.OBJECT, "Oblivion Ring")
            rounds += 1
        assert game.status is GameStatus.RUNNING
    while game.choice is not ChoiceKind.TARGET:
        game.apply(0)
    take(game, OptionKind.OBJECT, "Grizzly Bears")
    turn = game.turn
    while game.turn == turn:
        game.apply(0)
        assert game.status is GameStatus.RUNNING


def test_the_look_for_loops_goes_with_the_game() -> None:
    """A game saved in the middle of a loop ends at the same pass as the game itself.

    Kills: what is remembered of the loop kept outside the block.
    """
    game = position("Well That Stays", auto_pass=False)
    take(game, OptionKind.CAST, "Healing Salve")
    saved = []
    passes = 0
    while not game.is_terminal:
        if game.choice is ChoiceKind.PRIORITY:
            passes += 1
            if passes > 190:
                saved.append(game.serialize())
        game.apply(0)
    assert game.reason is EndReason.LOOP
    for data in saved:
        other = Game.deserialize(data, pool=POOL)
        go_on(other)
        assert other.reason is EndReason.LOOP
        assert other.choices == game.choices


def test_each_original_is_offered_once() -> None:
    """What may enter as a copy, as a copy of another such: each original has one opportunity (CR 614.5, 707.5).

    Kills: the same original offered without end.
    """
    two = ("Sculpting Steel", "Sculpting Steel")
    game = position(*two, "Mind Stone", "Island", "Island", "Island", hand=("Sculpting Steel",))
    take(game, OptionKind.CAST, "Sculpting Steel")
    offered = []
    while len(offered) < 9:
        if game.choice is not ChoiceKind.COPY:
            if offered:
                break
            game.apply(0)
            continue
        names = [game.object(option.object).name for option in game.options() if option.kind is OptionKind.OBJECT]
        offered.append(sorted(names))
        take(game, OptionKind.OBJECT, "Sculpting Steel" if "Sculpting Steel" in names else names[0])
    assert offered == [["Mind Stone", *two], ["Mind Stone", "Sculpting Steel"], ["Mind Stone"]]
