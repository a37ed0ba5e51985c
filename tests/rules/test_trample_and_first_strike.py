"""Trample, first strike and double strike (CR 510.4, 702.2c, 702.4, 702.7, 702.19)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scene import Scene

from lkicore.opcodes import ChoiceKind, OptionKind, Step, Zone

CARDS = """
- {name: Rhino, cost: "{0}", type: Creature, pt: 5/5, keywords: [flash, haste, trample], test_only: true}
- {name: Dire Brute, cost: "{0}", type: Creature, pt: 5/5, keywords: [flash, haste, trample, deathtouch],
   test_only: true}
- {name: Fencer, cost: "{0}", type: Creature, pt: 2/2, keywords: [flash, haste, first strike], test_only: true}
- {name: Twin Blade, cost: "{0}", type: Creature, pt: 2/2, keywords: [flash, haste, double strike], test_only: true}
- {name: Twin Rhino, cost: "{0}", type: Creature, pt: 3/3, keywords: [flash, haste, double strike, trample],
   test_only: true}
- {name: Quicken, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 0, 0, first_strike)"]}}
- {name: Stampede, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 0, 0, trample)"]}}
"""


def fight(scene: Scene, attacker: str, *blockers: str) -> None:
    """One attacker of seat 0, blocked by creatures of seat 1."""
    scene.put(0, attacker)
    scene.put(1, *blockers)
    scene.attack(attacker)
    if blockers:
        scene.block(dict.fromkeys(blockers, attacker))


def amounts(scene: Scene) -> list[object]:
    return scene.offered(OptionKind.NUMBER)


# ------------------------------------------------------------------------------------------------ trample


def test_702_19b_trample_past_lethal_damage() -> None:
    """CR 702.19b: lethal damage to the blocker, the rest to the player; or more to the blocker.

    Kills: trample ignored, all 5 to the player, forced excess.
    """
    scene = Scene(["Rhino"], ["Ogre"], cards=CARDS)
    fight(scene, "Rhino", "Ogre")
    scene.until(ChoiceKind.ASSIGN)
    assert amounts(scene) == [3, 4, 5]
    scene.assign(4)
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 19]
    assert scene.field() == ["Rhino"]


def test_702_19b_lethal_damage_to_all_blockers_first() -> None:
    """CR 702.19b: the player gets damage only when every blocker is assigned lethal damage.

    Kills: looking at the last blocker alone.
    """
    scene = Scene(["Rhino"], ["Bear", "Footman"], cards=CARDS)
    fight(scene, "Rhino", "Bear", "Footman")
    scene.until(ChoiceKind.ASSIGN)
    assert amounts(scene) == [0, 1, 2, 3, 4, 5]
    kept = scene.game.clone()
    scene.assign(2)
    assert amounts(scene) == [1, 2, 3]
    scene.assign(1)
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 18]
    scene.game = kept
    scene.assign(1)  # not lethal: the rest goes to the Footman
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 20]
    assert scene.field() == ["Bear", "Rhino"]


def test_702_19b_damage_marked_before_counts() -> None:
    """CR 702.19b, 120.6: lethal damage takes damage already marked into account; indestructible doesn't matter.

    Kills: toughness instead of what is left of it.
    """
    scene = Scene(["Rhino"], ["Golem", "Zap"], cards=CARDS)
    fight(scene, "Rhino", "Golem")
    scene.cast(1, "Zap", "Golem")
    scene.resolve()
    scene.until(ChoiceKind.ASSIGN)
    assert amounts(scene) == [1, 2, 3, 4, 5]
    scene.assign(1)
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 16]


def test_702_2c_trample_with_deathtouch() -> None:
    """CR 702.2c, 702.19b: any damage from deathtouch is lethal: 1 for each blocker.

    Kills: lethal by toughness.
    """
    scene = Scene(["Dire Brute"], ["Giant", "Wall"], cards=CARDS)
    fight(scene, "Dire Brute", "Giant", "Wall")
    scene.assign(1)
    assert amounts(scene) == [1, 2, 3, 4]
    scene.assign(1)
    scene.to(Step.COMBAT_DAMAGE)
    assert scene.life() == [20, 17]
    assert scene.field() == []  # the Giant's 5 kill the Brute too


def test_702_19e_trample_with_the_blocker_gone() -> None:
    """CR 702.19e: all its damage to the player.

    Kills: a blocked creature without blockers dealing none although it tramples.
    """
    scene = Scene(["Rhino"], ["Wall", "Recall"], cards=CARDS)
    fight(scene, "Rhino", "Wall")
    scene.cast(1, "Recall", "Wall")
    scene.resolve()
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 15]


def test_702_19_trample_granted_after_blocks() -> None:
    """CR 702.19b, 509.1h: trample counts on assignment.

    Kills: trample as it was on the declaration.
    """
    scene = Scene(["Giant", "Stampede"], ["Ogre"], cards=CARDS)
    fight(scene, "Giant", "Ogre")
    scene.cast(0, "Stampede", "Giant")
    scene.resolve()
    scene.assign(3)
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 18]


# ------------------------------------------------------------------------------------------------ first strike


def test_702_7b_first_strike_kills_before_it_is_hit(scene: Callable[..., Scene]) -> None:
    """CR 510.4, 702.7b: a first damage step; who died in it deals none in the second.

    Kills: one damage step for all; the Fencer striking again in the second (the player would be hit, were it
    unblocked).
    """
    game = scene(["Fencer", "Salve"], ["Bear", "Zap"], cards=CARDS)
    fight(game, "Fencer", "Bear")
    game.to(Step.MAIN2)
    assert game.field() == ["Fencer"]
    assert game.obj("Fencer").damage == 0


def test_510_4_two_damage_steps_with_priority() -> None:
    """CR 510.4, 510.3: both damage steps exist, with priority and state-based actions in each.

    Kills: a merged step, no priority between them.
    """
    scene = Scene(["Fencer", "Bear"], ["Zap"], cards=CARDS)
    scene.put(0, "Fencer", "Bear")
    scene.attack("Fencer", "Bear")
    scene.to(Step.FIRST_STRIKE_DAMAGE)
    assert scene.life() == [20, 18]
    scene.priority(1)
    scene.to(Step.COMBAT_DAMAGE)
    assert scene.life() == [20, 16]


@pytest.mark.parametrize(("attacker", "life"), [("Bear", 18), ("Fencer", 18), ("Twin Blade", 16)])
def test_702_4b_double_strike_in_both_steps(attacker: str, life: int, scene: Callable[..., Scene]) -> None:
    """CR 702.4b, 702.7b: double strike deals damage in both steps, first strike in the first only.

    Kills: first strike twice, double strike once.
    """
    game = scene([attacker, "Salve"], ["Zap"], cards=CARDS)
    fight(game, attacker)
    game.to(Step.MAIN2)
    assert game.life() == [20, life]


def test_702_4b_double_strike_against_a_blocker() -> None:
    """CR 702.4b, 510.4: 2 and 2 damage on a Wall of 4; the second with damage marked.

    Kills: damage that is forgotten between the steps.
    """
    scene = Scene(["Twin Blade"], ["Wall"], cards=CARDS)
    fight(scene, "Twin Blade", "Wall")
    scene.to(Step.FIRST_STRIKE_DAMAGE)
    assert scene.obj("Wall").damage == 2
    scene.to(Step.COMBAT_DAMAGE)
    assert scene.field() == ["Twin Blade"]


def test_702_19e_double_strike_and_trample_over_a_dead_blocker() -> None:
    """CR 702.19e, 510.4: the blocker dies in the first step; in the second all damage tramples over.

    Kills: no damage in the second step, because its blocker is gone.
    """
    scene = Scene(["Twin Rhino"], ["Ogre"], cards=CARDS)
    fight(scene, "Twin Rhino", "Ogre")
    scene.to(Step.MAIN2)
    assert scene.field() == ["Twin Rhino"]
    assert scene.life() == [20, 17]


def test_702_4_double_strike_without_trample_stays_blocked() -> None:
    """CR 509.1h, 510.4: the same without trample: nothing for the player.

    Kills: an unblocked second strike.
    """
    scene = Scene(["Twin Blade"], ["Footman"], cards=CARDS)
    fight(scene, "Twin Blade", "Footman")
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 20]


def test_510_4_a_first_striker_outside_combat_makes_no_step() -> None:
    """CR 510.4: the first step exists if an *attacking or blocking* creature has first or double strike as the damage
    step begins, also one that got it after blocks.

    Kills: any first striker on the battlefield counting; only those counting that had it when declared.
    """
    scene = Scene(["Bear", "Quicken"], ["Fencer", "Bear"], cards=CARDS)
    mine, theirs = *scene.put(0, "Bear"), *scene.put(1, "Bear")
    scene.put(1, "Fencer")
    scene.attack(mine)
    scene.block({theirs: mine})
    branch = scene.game.clone()
    while Step(scene.game.step) is Step.DECLARE_BLOCKERS:
        scene.pick(OptionKind.PASS)
    assert Step(scene.game.step) is Step.COMBAT_DAMAGE
    assert scene.field() == ["Fencer"]
    scene.game = branch
    scene.cast(0, "Quicken", mine)
    scene.resolve()
    scene.to(Step.FIRST_STRIKE_DAMAGE)
    assert scene.game.zone(Zone.BATTLEFIELD)[0] == mine
    assert scene.graveyard(1) == ["Bear"]


def test_510_4_first_strike_gained_between_the_steps() -> None:
    """CR 510.4, 702.7c: who had no first strike when the first step began deals damage in the second, even with first
    strike by then.

    Kills: choosing the second step's creatures by present first strike.
    """
    scene = Scene(["Fencer", "Bear", "Quicken"], ["Zap"], cards=CARDS)
    scene.put(0, "Fencer", "Bear")
    scene.attack("Fencer", "Bear")
    scene.to(Step.FIRST_STRIKE_DAMAGE)
    scene.cast(0, "Quicken", "Bear")
    scene.resolve()
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 16]
