"""The turn: steps and phases, priority in them, the draw, lands, the hand (CR 103, 500-514, 305)."""

from __future__ import annotations

import pytest
from scene import EXACT, Scene

from lkicore import Game
from lkicore.opcodes import ChoiceKind, EndReason, HistoryKind, OptionKind, Step, Zone

BEFORE_COMBAT = [Step.UPKEEP, Step.DRAW, Step.MAIN1, Step.BEGIN_COMBAT, Step.DECLARE_ATTACKERS]
AFTER_COMBAT = [Step.END_COMBAT, Step.MAIN2, Step.END]
LANDS = ["Plains", "Forest", "Swamp"]


def priorities(scene: Scene, turns: int) -> list[tuple[int, Step, int]]:
    """(turn, step, player) of every priority, everybody passing and nobody blocking, to the end of turn `turns`."""
    seen = []
    while scene.game.turn <= turns:
        if scene.game.choice is ChoiceKind.PRIORITY:
            seen.append((scene.game.turn, Step(scene.game.step), scene.game.current_player))
        scene.idle()
    return seen


def steps_of(seen: list[tuple[int, Step, int]], turn: int) -> list[Step]:
    """The steps of a turn in which somebody had priority, in order, each once."""
    return list(dict.fromkeys(step for t, step, _ in seen if t == turn))


def test_500_1_steps_in_order_and_priority_in_each() -> None:
    """CR 500.1, 117.3a, 502.4, 514.3: each step gives priority to the active player first, then to the other; the untap
    and cleanup steps to nobody; without attackers no blockers or damage (508.8).

    Kills: a step missing or out of order, priority in untap or cleanup, the other player first, a single priority.
    """
    scene = Scene(["Plains"], ["Plains"], later=6, begin=False)
    seen = priorities(scene, 2)
    second = [(step, player) for turn, step, player in seen if turn == 2]
    assert second == [(step, player) for step in [*BEFORE_COMBAT, *AFTER_COMBAT] for player in (1, 0)]


def test_103_8a_first_draw_step_is_skipped_with_two_players() -> None:
    """CR 103.8a: with two players whoever begins skips the draw step, with its priority, of the first turn only.

    Kills: drawing on the play, a draw step without a draw, skipping the second player's, or everybody's later ones.
    """
    scene = Scene(["Plains"], ["Plains"], later=6, begin=False)
    sizes = [len(scene.hand(0)), len(scene.hand(1))]
    seen = priorities(scene, 2)
    assert sizes == [7, 7]
    assert Step.DRAW not in steps_of(seen, 1)
    assert Step.DRAW in steps_of(seen, 2)
    scene.to(Step.MAIN1, 3)
    drew = [event for event in scene.game.events() if event.kind is HistoryKind.DREW]
    assert [(event.turn, event.player) for event in drew] == [(2, 1), (3, 0)]
    assert [len(scene.game.zone(Zone.LIBRARY, p)) for p in (0, 1)] == [5, 5]


def test_103_8c_first_draw_step_is_not_skipped_with_three_players() -> None:
    """CR 103.8c: with more than two players nobody skips the first draw.

    Kills: skipping by turn number alone.
    """
    scene = Scene(["Plains"], ["Plains"], ["Plains"], later=6, begin=False)
    seen = priorities(scene, 1)
    assert Step.DRAW in steps_of(seen, 1)
    assert len(scene.game.zone(Zone.LIBRARY, 0)) == 5


def test_504_1_the_draw_comes_before_priority() -> None:
    """CR 504.1-2: the active player draws, then gets priority: one card, and nobody else draws.

    Kills: the draw after priority, both players drawing.
    """
    scene = Scene(["Plains"], ["Plains"], later=6, begin=False)
    scene.to(Step.UPKEEP, 2)
    before = [len(scene.hand(p)) for p in (0, 1)]
    scene.to(Step.DRAW, 2)
    assert [len(scene.hand(p)) for p in (0, 1)] == [before[0], before[1] + 1]


def test_101_4_turns_go_round_in_seat_order() -> None:
    """CR 101.4, 500.7: turns go round the table from whoever began; priority too (117.3d).

    Kills: always seat 0 first, two players' alternation for three, priority by seat instead of turn order.
    """
    scene = Scene(["Plains"], ["Plains"], ["Plains"], later=6, first=1, begin=False)
    seen = priorities(scene, 4)
    upkeeps = [(turn, player) for turn, step, player in seen if step is Step.UPKEEP]
    assert upkeeps == [
        (turn, player) for turn, order in enumerate([(1, 2, 0), (2, 0, 1), (0, 1, 2), (1, 2, 0)], 1) for player in order
    ]


def test_508_8_blockers_and_damage_only_with_attackers() -> None:
    """CR 508.8: with attackers there are a declare blockers and a damage step, each with priority (509.3, 510.3).

    Kills: skipping them always, or a first damage step that nobody needs (510.4).
    """
    scene = Scene(["Bear"], [], later=4)
    scene.put(0, "Bear")
    scene.attack("Bear")
    seen = priorities(scene, 1)
    steps = [Step.DECLARE_ATTACKERS, Step.DECLARE_BLOCKERS, Step.COMBAT_DAMAGE, *AFTER_COMBAT]
    assert seen == [(1, step, player) for step in steps for player in (0, 1)]


def test_508_8_attackers_declared_and_gone() -> None:
    """CR 508.8: blockers and damage steps follow the declaration, even if no attacker is left.

    Kills: looking at present attackers at the end of the declare attackers step.
    """
    scene = Scene(["Bear"], ["Slay"], later=4)
    scene.put(0, "Bear")
    scene.attack("Bear")
    scene.cast(1, "Slay", "Bear")
    scene.resolve()
    assert scene.field() == []
    seen = priorities(scene, 1)
    assert steps_of(seen, 1)[1:3] == [Step.DECLARE_BLOCKERS, Step.COMBAT_DAMAGE]


def test_502_3_only_the_active_player_untaps() -> None:
    """CR 502.3: permanents untap in their controller's untap step.

    Kills: untapping everybody's each turn, or nobody's.
    """
    scene = Scene(["Bear"], ["Bear", "Snare", "Snare"], later=4)
    mine, theirs = *scene.put(0, "Bear"), *scene.put(1, "Bear")
    scene.cast(1, "Snare", mine)
    scene.resolve()
    scene.cast(1, "Snare", theirs)
    scene.resolve()
    assert scene.obj(mine).tapped
    assert scene.obj(theirs).tapped
    scene.to(Step.UPKEEP, 2)
    assert (scene.obj(mine).tapped, scene.obj(theirs).tapped) == (True, False)
    scene.to(Step.UPKEEP, 3)
    assert not scene.obj(mine).tapped


def test_305_2_one_land_a_turn() -> None:
    """CR 305.2, 305.1: one land a turn, without the stack; the next turn of the player allows another.

    Kills: no limit, a limit a game, a limit that the opponent's turn does not renew, a land on the stack.
    """
    scene = Scene(LANDS, [], later=4)
    scene.play(0, "Plains")
    assert scene.stack() == []
    assert scene.field() == ["Plains"]
    assert scene.has_priority(0)  # 117.3c, as after any special action (116.3)
    assert not scene.offers(OptionKind.PLAY)
    scene.to(Step.MAIN2)
    assert not scene.offers(OptionKind.PLAY)
    scene.to(Step.MAIN1, 3)
    scene.play(0, "Swamp")
    assert scene.field() == ["Plains", "Swamp"]


@pytest.mark.parametrize("step", [Step.UPKEEP, Step.BEGIN_COMBAT, Step.END_COMBAT, Step.END])
def test_305_1_no_land_outside_a_main_phase(step: Step) -> None:
    """CR 305.1, 116.2a: a land is played in a main phase.

    Kills: lands whenever one has priority.
    """
    scene = Scene(LANDS, [], later=4, begin=False)
    scene.to(step)
    assert scene.has_priority(0)
    assert not scene.offers(OptionKind.PLAY)


def test_305_1_no_land_on_the_other_players_turn_or_with_a_stack() -> None:
    """CR 116.2a, 305.3: only in one's own turn, with an empty stack.

    Kills: lands in another's main phase, lands in response.
    """
    scene = Scene(["Plains", "Salve"], ["Forest"], later=4)
    scene.priority(0)
    assert scene.offers(OptionKind.PLAY)
    scene.cast(0, "Salve")
    assert not scene.offers(OptionKind.PLAY)
    scene.priority(1)
    assert not scene.offers(OptionKind.PLAY)


def test_514_1_discard_to_seven_at_cleanup() -> None:
    """CR 514.1: the active player discards down to seven, and only that player.

    Kills: no discard, discarding at the end step, the other player's discarding, a random or forced card.
    """
    scene = Scene(["Plains"] * 6, ["Plains"], later=3, begin=False)
    scene.to(Step.END, 3)
    assert len(scene.hand(0)) == 8
    while scene.game.choice is ChoiceKind.PRIORITY:
        scene.pick(OptionKind.PASS)
    assert scene.game.choice is ChoiceKind.DISCARD
    assert scene.game.current_player == 0
    assert Step(scene.game.step) is Step.CLEANUP
    assert len(scene.game.options()) == 8
    scene.pick(OptionKind.OBJECT, "Blank")
    assert scene.graveyard(0) == ["Blank"]
    assert scene.hand(0) == ["Blank", *["Plains"] * 6]
    assert scene.game.turn == 4


def test_704_5b_an_empty_library_is_no_loss_until_the_draw() -> None:
    """CR 704.5b, 121.4: whoever draws from an empty library loses, not whoever has one.

    Kills: losing when the last card is drawn, losing at the next check without a draw.
    """
    scene = Scene(["Plains"], [], later=(0, 1), begin=False)
    # Seat 0 has no library; seat 1 draws its last card in turn 2.
    scene.to(Step.END, 2)
    assert [scene.game.zone(Zone.LIBRARY, p) for p in (0, 1)] == [[], []]
    assert not scene.game.is_terminal
    while not scene.game.is_terminal:
        scene.idle()
    assert (scene.game.turn, scene.game.winner) == (3, 1)
    assert scene.game.reason is EndReason.EMPTY_LIBRARY


def test_704_5b_an_empty_draw_on_resolution_counts_at_the_next_check() -> None:
    """CR 704.5b, 704.4: a spell that draws from an empty library resolves to its end first.

    Kills: the loss in the middle of the resolution.
    """
    cards = '- {name: Feast, cost: "{0}", type: Instant, spell: {do: ["draw(you, 1)", "gain_life(you, 5)"]}}\n'
    scene = Scene(["Feast"], ["Zap"], cards=cards)
    scene.cast(0, "Feast")
    scene.resolve()
    assert (scene.game.winner, scene.game.reason) == (1, EndReason.EMPTY_LIBRARY)
    assert scene.life() == [25, 20]


def test_500_5_steps_end_only_with_an_empty_stack() -> None:
    """CR 500.2, 117.4: a step ends when all pass in succession with an empty stack; after a resolution all pass again.

    Kills: going on after the stack has emptied without new priority.
    """
    scene = Scene(["Salve"], ["Salve"], later=4, begin=False)
    scene.to(Step.UPKEEP)
    scene.cast(0, "Salve")
    scene.resolve()
    assert Step(scene.game.step) is Step.UPKEEP
    assert scene.has_priority(0)
    scene.pick(OptionKind.PASS)
    assert scene.has_priority(1)
    scene.cast(1, "Salve")
    scene.resolve()
    assert Step(scene.game.step) is Step.UPKEEP
    assert scene.has_priority(0)
    scene.pick(OptionKind.PASS)
    scene.pick(OptionKind.PASS)
    assert Step(scene.game.step) is Step.MAIN1


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decks", [("red", "green"), ("red", "green", "red")])
def test_117_not_asking_changes_nothing(decks: tuple[str, ...], seed: int) -> None:
    """CR 117.3-4, 500: whoever can do nothing passes: asking for those passes, or running through steps in which nobody
    can act, gives the same game, choice by choice.

    Kills: a step, draw, untap or cleanup lost on the short way; a player passed over who could act.
    """
    games = [Game(list(decks), seed=seed, max_turns=60), Game(list(decks), seed=seed, max_turns=60, **EXACT)]
    courses = []
    for game in games:
        course = []
        while not game.is_terminal:
            options = game.options()
            n = 0
            if len(options) > 1 and game.choice is not ChoiceKind.MULLIGAN:
                n = (game.turn * 7 + len(course) * 3) % len(options)
                course.append((game.turn, game.step, game.current_player, *map(str, options), n))
            game.apply(n)
        lives = [game.life(p) for p in range(len(decks))]
        courses.append((course, game.winner, game.reason, game.turn, game.tick, lives))
    assert len(courses[0][0]) > 50
    assert courses[0] == courses[1]
