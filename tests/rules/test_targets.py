"""Targets: legality on announcing and on resolution (CR 115, 601.2c, 608.2b, 702.11, 702.18, 400.7)."""

from __future__ import annotations

from collections.abc import Callable

from scene import Scene

from lkicore.opcodes import ChoiceKind, OptionKind, Zone

CARDS = """
- {name: Hexer, cost: "{0}", type: Creature — Elf, pt: 2/2, keywords: [flash, hexproof], test_only: true}
- {name: Ghost, cost: "{0}", type: Creature — Spirit, pt: 2/2, keywords: [flash, shroud], test_only: true}
- {name: Thirst, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["damage(target(0), 3)", "gain_life(you, 3)"]}}
- {name: Twin Bolt, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature, creature], do: ["damage(target(0), 1)", "damage(target(1), 1)", "gain_life(you, 2)"]}}
- {name: Measure, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature, player],
           do: ["damage(target(1), power_of(target(0)))", "gain_life(controller_of(target(0)), 5)",
                "lose_life(target(1), 1)"]}}
- {name: Bite, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature & yours, creature & opponents],
           do: ["damage(target(1), power_of(target(0)), by=target(0))"]}}
- {name: Duel, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature & yours, creature & opponents], do: ["fight(target(0), target(1))"]}}
- {name: Small Slay, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature & power(at_most=2)], do: [destroy(target(0)), "draw(you, 1)"]}}
- {name: Exorcise, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature & in_zone(graveyard)], do: [exile(target(0))]}}
- {name: Drain, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [player], do: ["lose_life(target(0), 2)", "gain_life(you, 2)"]}}
- {name: Veil, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 0, 0, hexproof)"]}}
- {name: Shelter, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 0, 0, shroud)"]}}
- {name: Darts, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [any_target, any_target], do: ["damage(target(0), 1)", "damage(target(1), 2)"]}}
"""


def targets_of(scene: Scene, player: int, card: str) -> list[object]:
    """What a spell could target; the game itself does not go on."""
    copy = scene.game.clone()
    scene.priority(player)
    scene.pick(OptionKind.CAST, card)
    assert scene.game.choice is ChoiceKind.TARGET
    found = [*scene.offered(OptionKind.PLAYER), *scene.offered(OptionKind.OBJECT)]
    scene.game = copy
    return found


def test_115_4_any_target() -> None:
    """CR 115.4: "any target" is a creature, player (planeswalker, battle), of whichever controller; not an artifact.

    Kills: opponents' creatures alone, artifacts or cards in the hand as targets.
    """
    cards = '- {name: Trinket, cost: "{0}", type: Artifact, test_only: true}\n'
    scene = Scene(["Bear", "Trinket", "Zap"], ["Ogre"], cards=cards)
    scene.put(0, "Bear", "Trinket")
    scene.put(1, "Ogre")
    assert targets_of(scene, 0, "Zap") == ["p0", "p1", "Bear", "Ogre"]


def test_115_1_targets_in_other_zones() -> None:
    """CR 115.1, 115.2: the filter's zone, of all players; a permanent is no card in a graveyard.

    Kills: one's own graveyard alone, the battlefield in addition.
    """
    scene = Scene(["Bear", "Exorcise"], ["Ogre", "Giant", "Slay", "Slay"], cards=CARDS)
    scene.put(0, "Bear")
    scene.put(1, "Ogre", "Giant")
    for victim in ("Bear", "Ogre"):
        scene.cast(1, "Slay", victim)
        scene.resolve()
    assert targets_of(scene, 0, "Exorcise") == ["Bear", "Ogre"]
    scene.cast(0, "Exorcise", "Ogre")
    scene.resolve()
    assert scene.names(Zone.EXILE) == ["Ogre"]
    assert scene.graveyard(1) == ["Slay", "Slay"]


def test_115_3_two_instances_of_target_may_be_one_object() -> None:
    """CR 115.3, 601.2c: the same object can be chosen for each instance of the word "target".

    Kills: forbidding it.
    """
    scene = Scene(["Darts"], ["Ogre"], cards=CARDS)
    ogre = scene.put(1, "Ogre")[0]
    scene.cast(0, "Darts", ogre, ogre)
    scene.resolve()
    assert scene.field() == []


# ------------------------------------------------------------------------------------------------ who can be targeted


def test_702_11b_hexproof() -> None:
    """CR 702.11b: no target of spells or abilities of opponents; its controller may.

    Kills: hexproof as shroud, hexproof without effect.
    """
    scene = Scene(["Hexer", "Zap"], ["Zap"], cards=CARDS)
    scene.put(0, "Hexer")
    assert targets_of(scene, 0, "Zap") == ["p0", "p1", "Hexer"]
    assert targets_of(scene, 1, "Zap") == ["p0", "p1"]


def test_702_18a_shroud() -> None:
    """CR 702.18a: no target of anybody; without another creature a spell for creatures can't be cast (601.2c).

    Kills: shroud as hexproof; looking for targets without looking at shroud.
    """
    scene = Scene(["Ghost", "Zap", "Slay"], ["Zap"], cards=CARDS)
    scene.put(0, "Ghost")
    assert targets_of(scene, 0, "Zap") == targets_of(scene, 1, "Zap") == ["p0", "p1"]
    assert not scene.offers(OptionKind.CAST, "Slay")


def test_702_18_shroud_does_not_stop_what_does_not_target(scene: Callable[..., Scene]) -> None:
    """CR 702.18a, 115.10a: an effect on each creature doesn't target.

    Kills: shroud or hexproof as immunity.
    """
    game = scene(["Ghost", "Hexer", "Wrath"], ["Zap"], cards=CARDS)
    game.put(0, "Ghost", "Hexer", "Wrath")
    assert game.field() == []


def test_608_2b_hexproof_in_response() -> None:
    """CR 608.2b, 702.11b: legality is checked again on resolution: hexproof stops the opponent's spell, not one's own.

    Kills: checking on announcing only (the Bear would be dead before it grows), hexproof as shroud.
    """
    scene = Scene(["Bear", "Veil", "Grow"], ["Thirst"], cards=CARDS)
    scene.put(0, "Bear")
    scene.cast(0, "Grow", "Bear")
    scene.cast(1, "Thirst", "Bear")
    scene.cast(0, "Veil", "Bear")
    scene.resolve_all()
    bear = scene.obj("Bear")
    assert (bear.power, bear.damage) == (5, 0)
    assert scene.life() == [20, 20]
    assert scene.graveyard(1) == ["Thirst"]


def test_608_2b_shroud_stops_the_controllers_spell_too() -> None:
    """CR 608.2b, 702.18a: the Grow that waits below the Shelter has an illegal target.

    Kills: shroud that ends with the opponents.
    """
    scene = Scene(["Bear", "Shelter", "Grow"], [], cards=CARDS)
    scene.put(0, "Bear")
    scene.cast(0, "Grow", "Bear")
    scene.cast(0, "Shelter", "Bear")
    scene.resolve_all()
    assert (scene.obj("Bear").power, scene.obj("Bear").toughness) == (2, 2)


# ------------------------------------------------------------------------------------------------ one target


def test_608_2b_the_only_target_gone(scene: Callable[..., Scene]) -> None:
    """CR 608.2b: no legal target: the spell doesn't resolve, none of it happens, it goes to the graveyard.

    Kills: the parts without a target happening all the same ("gain 3 life").
    """
    game = scene(["Bear", "Slay"], ["Thirst"], cards=CARDS)
    game.put(0, "Bear")
    game.cast(0, "Slay", "Bear")
    game.cast(1, "Thirst", "Bear")
    # Thirst resolves first here and counts; the Slay is left without a target.
    game.resolve_all()
    assert game.life() == [20, 23]
    game = scene(["Bear", "Slay"], ["Thirst"], cards=CARDS)
    game.put(0, "Bear")
    game.cast(1, "Thirst", "Bear")
    game.cast(0, "Slay", "Bear")
    game.resolve_all()
    assert game.life() == [20, 20]
    assert game.graveyard(1) == ["Thirst"]


def test_608_2b_a_target_that_changed() -> None:
    """CR 608.2b: a creature that has grown too large is no legal target any more.

    Kills: checking presence alone. (The Small Slay draws nothing either.)
    """
    scene = Scene(["Bear", "Grow"], ["Small Slay"], later=(0, 3), cards=CARDS)
    scene.put(0, "Bear")
    before = len(scene.hand(1))
    scene.cast(1, "Small Slay", "Bear")
    scene.cast(0, "Grow", "Bear")
    scene.resolve_all()
    assert scene.field() == ["Bear"]
    assert len(scene.hand(1)) == before - 1


def test_608_2b_a_target_that_becomes_legal_is_not_needed_before_resolution() -> None:
    """CR 608.2b, 601.2c: legality counts when targets are chosen and on resolution, not in between.

    Kills: a legality lost for good when it was lost for a moment.
    """
    scene = Scene(["Bear", "Grow", "Weaken"], ["Small Slay"], later=3, cards=CARDS)
    scene.put(0, "Bear")
    scene.cast(1, "Small Slay", "Bear")
    scene.cast(0, "Grow", "Bear")
    scene.resolve()
    assert scene.obj("Bear").power == 5
    scene.cast(0, "Weaken", "Bear")
    scene.resolve()
    assert scene.obj("Bear").power == 0
    scene.resolve()
    assert scene.field() == []


def test_400_7_a_target_that_left_and_came_back() -> None:
    """CR 400.7, 608.2b: returned to the hand and cast again, it is another object.

    Kills: targets by card, or by row of the battlefield.
    """
    scene = Scene(["Bear", "Recall"], ["Thirst"], cards=CARDS)
    scene.put(0, "Bear")
    old = scene.id("Bear")
    scene.cast(1, "Thirst", "Bear")
    scene.cast(0, "Recall", "Bear")
    scene.resolve()
    scene.cast(0, "Bear")  # flash
    scene.resolve()
    assert scene.stack() == ["Thirst"]
    new = scene.id("Bear")
    scene.resolve()
    assert new != old
    assert scene.obj("Bear").damage == 0
    assert scene.life() == [20, 20]


def test_115_and_players_as_targets(scene: Callable[..., Scene]) -> None:
    """CR 115.1: "target player" offers every player, oneself too.

    Kills: opponents alone.
    """
    game = scene(["Drain", "Salve"], ["Zap"], cards=CARDS)
    game.cast(0, "Drain", "p0")
    game.resolve_all()
    assert game.life() == [20, 20]
    assert game.graveyard(0) == ["Drain"]


def test_608_2b_abilities_too() -> None:
    """CR 608.2b, 602.2b: an ability without a legal target leaves the stack and does nothing; hexproof and shroud hold
    against abilities.

    Kills: checking spells alone; a second part ("gain 1 life") that happens all the same.
    """
    tim = """
- name: Tim
  cost: "{0}"
  type: Creature
  pt: 1/1
  keywords: [flash, haste]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [creature], do: ["damage(target(0), 1)", "gain_life(you, 1)"]}
"""
    scene = Scene(["Hexer", "Ghost", "Bear", "Recall"], ["Tim"], cards=CARDS + tim)
    scene.put(0, "Hexer", "Ghost", "Bear")
    scene.put(1, "Tim")
    scene.priority(1)
    scene.pick(OptionKind.ACTIVATE, "Tim")
    assert scene.offered(OptionKind.OBJECT) == ["Bear", "Tim"]
    scene.pick(OptionKind.OBJECT, "Bear")
    scene.cast(0, "Recall", "Bear")
    scene.resolve_all()
    assert scene.life() == [20, 20]
    assert scene.obj("Tim").tapped  # the cost stays paid


# ------------------------------------------------------------------------------------------------ two targets


def test_608_2b_one_of_two_targets_is_illegal(scene: Callable[..., Scene]) -> None:
    """CR 608.2b: the spell resolves; the legal target is affected, and what needs none happens.

    Kills: all or nothing, in both directions; the second target's part going to the first.
    """
    for gone, kept in (("Ogre", "Giant"), ("Giant", "Ogre")):
        game = scene(["Twin Bolt", "Zap"], ["Ogre", "Giant", "Recall", "Zap"], later=3, cards=CARDS)
        game.put(1, "Ogre", "Giant")
        game.cast(0, "Twin Bolt", "Ogre", "Giant")
        game.cast(1, "Recall", gone)
        game.resolve_all()
        assert game.field() == [kept]
        assert game.obj(kept).damage == 1
        assert game.life() == [22, 20]


def test_608_2b_nothing_is_known_of_an_illegal_target() -> None:
    """CR 608.2b: information about an illegal target is not used: no damage by its power, no life for its controller;
    the rest happens.

    Kills: last known power (5) of the target that left, or its controller gaining life.
    """
    scene = Scene(["Measure", "Zap"], ["Giant", "Recall"], cards=CARDS)
    scene.put(1, "Giant")
    scene.cast(0, "Measure", "Giant", "p1")
    scene.cast(1, "Recall", "Giant")
    scene.resolve_all()
    assert scene.life() == [20, 19]


def test_608_2h_a_legal_target_is_measured() -> None:
    """CR 608.2h: the same spell with its target in place, for comparison; read on resolution, not on announcing.

    Kills: the power when the spell was cast (5).
    """
    scene = Scene(["Measure", "Zap"], ["Giant", "Grow"], cards=CARDS)
    scene.put(1, "Giant")
    scene.cast(0, "Measure", "Giant", "p1")
    scene.cast(1, "Grow", "Giant")
    scene.resolve_all()
    assert scene.life() == [20, 20 - 8 + 5 - 1]


def test_608_2b_bite_with_an_illegal_biter() -> None:
    """CR 608.2b: an illegal target doesn't act: no damage by the last known power of the biter.

    Kills: last known information of an illegal target.
    """
    for card in ("Bite", "Duel"):
        scene = Scene(["Giant", card], ["Ogre", "Recall"], cards=CARDS)
        scene.put(0, "Giant")
        scene.put(1, "Ogre")
        scene.cast(0, card, "Giant", "Ogre")
        scene.cast(1, "Recall", "Giant")
        scene.resolve_all()
        assert scene.field() == ["Ogre"]
        assert scene.obj("Ogre").damage == 0


def test_701_14b_fight_with_one_fighter_gone() -> None:
    """CR 701.14b: if either fighter is gone, neither deals or is dealt damage.

    Kills: the remaining fighter taking damage, or the departed one's by last known information.
    """
    scene = Scene(["Giant", "Duel"], ["Ogre", "Recall"], cards=CARDS)
    scene.put(0, "Giant")
    scene.put(1, "Ogre")
    scene.cast(0, "Duel", "Giant", "Ogre")
    scene.cast(1, "Recall", "Ogre")
    scene.resolve_all()
    assert scene.field() == ["Giant"]
    assert scene.obj("Giant").damage == 0


def test_115_1_filters_of_targets() -> None:
    """CR 601.2c: "creature you control" and "creature an opponent controls" are by controller.

    Kills: ignoring the filter, or taking the owner's side for the caster's.
    """
    scene = Scene(["Giant", "Duel"], ["Ogre", "Duel"], cards=CARDS)
    scene.put(0, "Giant")
    scene.put(1, "Ogre")
    assert targets_of(scene, 0, "Duel") == ["Giant"]
    assert targets_of(scene, 1, "Duel") == ["Ogre"]
