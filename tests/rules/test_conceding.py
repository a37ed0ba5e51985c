"""Conceding: whenever, in the middle of whatever (CR 104.2a, 104.3a, 800.4f-h)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from scene import Scene

from lkicore.opcodes import ChoiceKind, EndReason, OptionKind, Step

CARDS = """
- name: Tim
  cost: "{0}"
  type: Creature — Wizard
  pt: 2/2
  keywords: [flash, haste]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [any_target], do: ["damage(target(0), 2)"]}
- {name: Ruin, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [player], do: ["lose_life(target(0), 25)"]}}
- {name: Flood, cost: "{0}", type: Instant, test_only: true, spell: {do: ["discard(each_player, 1)"]}}
- {name: Twins, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [player, player], do: ["lose_life(target(0), 1)", "lose_life(target(1), 2)"]}}
"""


def alive(scene: Scene) -> list[int]:
    return [p for p in range(scene.game.players) if not scene.game.lost(p)]


# ------------------------------------------------------------------------------------------------ conceding


def test_104_3a_conceding_ends_a_two_player_game() -> None:
    """CR 104.3a, 104.2a: whoever is asked: the other wins at once.

    Kills: conceding on one's own priority only, the conceding player winning.
    """
    for player in (0, 1):
        scene = Scene(["Zap"], ["Zap"])
        scene.game.concede(player)
        assert (scene.game.winner, scene.game.reason) == (1 - player, EndReason.CONCEDE)
        assert scene.game.legal_actions() == []
        assert scene.life() == [20, 20]


def test_104_3a_with_three_players_the_others_play_on() -> None:
    """CR 104.3a, 104.2a, 800.4: the game goes on until one is left.

    Kills: ending with the first who leaves; asking who has left.
    """
    scene = Scene(["Zap"], ["Zap"], ["Zap"], later=4)
    scene.game.concede(1)
    assert not scene.game.is_terminal
    assert alive(scene) == [0, 2]
    scene.to(Step.UPKEEP, 2)
    assert scene.game.active_player == 2
    scene.to(Step.UPKEEP, 3)
    assert scene.game.active_player == 0
    scene.game.concede(0)
    assert (scene.game.winner, scene.game.returns()) == (2, [-1.0, -1.0, 1.0])


def test_117_3d_priority_passes_over_who_left() -> None:
    """CR 117.4, 800.4: those who are left must pass, nobody waits for the one who left.

    Kills: a round of passing that counts the departed player.
    """
    scene = Scene(["Salve"], ["Zap"], ["Zap"], later=4)
    scene.cast(0, "Salve")
    scene.pick(OptionKind.PASS)
    assert scene.has_priority(1)
    scene.game.concede(1)
    asked = []
    while scene.stack():
        asked.append(scene.game.current_player)
        scene.pick(OptionKind.PASS)
    assert set(asked) == {0, 2}
    assert scene.life() == [24, 20, 20]


# ------------------------------------------------------------------------------------------------ at any time


def test_104_3a_conceding_in_the_middle_of_choices() -> None:
    """CR 104.3a, 800.4f-h: at every kind of choice, whoever makes it, each player may leave; the game goes on, with
    nobody asked who has left.

    Kills: a choice left open for a departed player, a frame that waits for it, a spell half cast.
    """
    kinds = set()
    for leaver in (0, 1, 2):
        hands = ["Giant", "Flood", "Twins", "Tim"], ["Bear", "Wall", "Flood"], ["Ogre", "Wall", "Ruin"]
        scene = Scene(*hands, later=4, cards=CARDS)
        scene.put(0, "Giant", "Tim")
        scene.put(1, "Bear", "Wall")
        scene.put(2, "Ogre", "Wall")
        for choice in script(scene):
            kinds.add(choice)
            branch = scene.game.clone()
            branch.concede(leaver)
            assert not branch.is_terminal
            assert branch.check() is None
            for _ in range(200):
                if branch.is_terminal:
                    break
                assert branch.current_player != leaver
                assert branch.options()
                branch.apply(0)
            assert branch.turn > 1
    wanted = {"PRIORITY", "TARGET", "ATTACK", "BLOCK", "ASSIGN", "DISCARD"}
    assert wanted <= {kind.name for kind in kinds}


def script(scene: Scene) -> Iterator[ChoiceKind]:
    """Play a turn with every kind of choice, and yield at each of them."""
    yield scene.game.choice
    scene.pick(OptionKind.CAST, "Twins")
    yield scene.game.choice
    scene.pick(OptionKind.PLAYER, "p1")
    yield scene.game.choice
    scene.pick(OptionKind.PLAYER, "p2")
    yield scene.game.choice
    scene.activate(0, "Tim", "p1")
    yield scene.game.choice
    scene.resolve_all()
    scene.cast(1, "Flood")
    while scene.stack() and scene.game.choice is ChoiceKind.PRIORITY:
        yield scene.game.choice
        scene.pick(OptionKind.PASS)
    while scene.game.choice is ChoiceKind.DISCARD:
        yield scene.game.choice
        scene.pick(OptionKind.OBJECT)
    scene.until(ChoiceKind.ATTACK)
    while scene.game.choice is ChoiceKind.ATTACK:
        yield scene.game.choice
        scene.pick(OptionKind.PLAYER, "p1")
    scene.until(ChoiceKind.BLOCK)
    while scene.game.choice is ChoiceKind.BLOCK:
        yield scene.game.choice
        scene.pick(OptionKind.OBJECT)
    scene.until(ChoiceKind.ASSIGN)
    for _ in itertools.takewhile(lambda _: scene.game.choice is ChoiceKind.ASSIGN, range(9)):
        yield scene.game.choice
        scene.pick(OptionKind.NUMBER)
