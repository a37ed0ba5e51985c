"""Combat damage: how it is assigned and divided, and its results (CR 509.1h, 510, 702.2, 702.15)."""

from __future__ import annotations

from collections.abc import Callable

from scene import Scene

from lkicore.opcodes import ChoiceKind, OptionKind, Step

CARDS = """
- {name: Viper, cost: "{0}", type: Creature, pt: 3/3, keywords: [flash, haste, deathtouch], test_only: true}
- {name: Cleric, cost: "{0}", type: Creature, pt: 3/3, keywords: [flash, haste, lifelink], test_only: true}
- {name: Imp, cost: "{0}", type: Creature, pt: -2/3, keywords: [flash, haste, lifelink], test_only: true}
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


# ------------------------------------------------------------------------------------------------ the simple cases


def test_510_1b_an_unblocked_creature_damages_the_player(scene: Callable[..., Scene]) -> None:
    """CR 510.1a-b: damage equal to its power, to the player it attacks.

    Kills: damage by toughness, to the wrong player, twice.
    """
    game = scene(["Wall", "Bear", "Salve"], ["Zap"])
    game.put(0, "Bear")
    game.attack("Bear")
    game.to(Step.MAIN2)
    assert game.life() == [20, 18]


def test_510_2_damage_is_dealt_at_once(scene: Callable[..., Scene]) -> None:
    """CR 510.2, 510.1d: attacker and blocker damage each other at the same time; nothing goes to the player.

    Kills: the attacker first, blocked damage to the player.
    """
    game = scene(["Bear", "Salve"], ["Bear", "Zap"])
    fight(game, "Bear")
    mine = game.id("Bear")
    theirs = game.put(1, "Bear")[0]
    game.block({theirs: mine})
    game.to(Step.MAIN2)
    assert game.field() == []
    assert game.life() == [20, 20]
    records = [game.left(mine), game.left(theirs)]
    assert records[0].tick == records[1].tick


def test_509_1h_blocked_and_the_blocker_left() -> None:
    """CR 509.1h, 510.1c: it stays blocked when its blocker is gone, and deals no damage.

    Kills: damage to the player because nothing blocks it now.
    """
    scene = Scene(["Giant"], ["Wall", "Recall"])
    fight(scene, "Giant", "Wall")
    scene.cast(1, "Recall", "Wall")
    scene.resolve()
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 20]


def test_510_1d_a_blocker_of_what_left_deals_no_damage() -> None:
    """CR 510.1d, 506.4: a blocker whose attacker is gone deals none, to nobody.

    Kills: damage to the attacking player, or to the card that came back in its row.
    """
    scene = Scene(["Bear", "Recall"], ["Giant"])
    fight(scene, "Bear", "Giant")
    scene.cast(0, "Recall", "Bear")
    scene.resolve()
    scene.cast(0, "Bear")
    scene.resolve()
    scene.to(Step.MAIN2)
    assert scene.field() == ["Bear", "Giant"]
    assert scene.obj("Bear").damage == 0
    assert scene.life() == [20, 20]


def test_510_1a_power_when_damage_is_dealt() -> None:
    """CR 510.1a, 608.2h: the power in the damage step; 0 or less deals none (107.1b, 120.8).

    Kills: the power on attacking; negative damage that heals; lifelink on it.
    """
    scene = Scene(["Bear", "Imp", "Weaken"], ["Grow"], cards=CARDS)
    scene.put(0, "Bear", "Imp")
    scene.attack("Bear", "Imp")
    scene.cast(1, "Grow", "Bear")
    scene.resolve()
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 15]


def test_506_4_tapped_creatures_stay_in_combat() -> None:
    """CR 506.4, 509.1h, 510.1a: tapping an attacker or blocker after its declaration changes nothing.

    Kills: tapped blockers that deal no damage.
    """
    scene = Scene(["Bear", "Snare"], ["Ogre"])
    fight(scene, "Bear", "Ogre")
    scene.cast(0, "Snare", "Ogre")
    scene.resolve()
    scene.to(Step.MAIN2)
    assert scene.field() == ["Ogre"]
    assert scene.obj("Ogre").damage == 2


def test_510_1c_one_of_two_blockers_left() -> None:
    """CR 510.1c: all damage to the blocker that is still there, without a choice.

    Kills: dividing with the departed one, nothing for the remaining.
    """
    scene = Scene(["Giant"], ["Wall", "Ogre", "Recall"])
    fight(scene, "Giant", "Wall", "Ogre")
    scene.cast(1, "Recall", "Wall")
    scene.resolve()
    scene.to(Step.MAIN2)
    assert scene.field() == ["Giant"]
    assert scene.obj("Giant").damage == 3
    assert scene.life() == [20, 20]


# ------------------------------------------------------------------------------------------------ division


def test_510_1c_division_among_blockers() -> None:
    """CR 510.1c (2025): the attacking player divides as it likes: no order of blockers, nothing must be lethal.

    Kills: lethal damage to the first before the next, the same amount for all, the defending player dividing.
    """
    scene = Scene(["Giant"], ["Bear", "Ogre", "Wall"])
    fight(scene, "Giant", "Bear", "Ogre", "Wall")
    scene.until(ChoiceKind.ASSIGN)
    assert scene.game.current_player == 0
    assert amounts(scene) == [0, 1, 2, 3, 4, 5]
    scene.assign(1, 3)
    # The last blocker gets what is left: all of it is assigned.
    scene.to(Step.MAIN2)
    assert scene.field() == ["Bear", "Wall"]
    assert [scene.obj(name).damage for name in ("Bear", "Wall")] == [1, 1]
    assert scene.graveyard(0) == ["Giant"]  # 2 + 3 + 0 from the blockers


def test_510_1c_all_on_one() -> None:
    """CR 510.1c: all damage on the last of several.

    Kills: at least 1 for each blocker.
    """
    scene = Scene(["Giant"], ["Bear", "Ogre"])
    fight(scene, "Giant", "Bear", "Ogre")
    scene.assign(0)
    scene.to(Step.COMBAT_DAMAGE)
    assert scene.field() == ["Bear"]
    assert scene.obj("Bear").damage == 0


def test_510_1_two_attackers_divide_each_their_own() -> None:
    """CR 510.1c: each attacker among its own blockers.

    Kills: mixing the blockers of two attackers.
    """
    scene = Scene(["Giant", "Ogre"], ["Bear", "Footman", "Wall", "Golem"])
    scene.put(0, "Giant", "Ogre")
    scene.put(1, "Bear", "Footman", "Wall", "Golem")
    scene.attack("Giant", "Ogre")
    scene.block({"Bear": "Giant", "Wall": "Giant", "Footman": "Ogre", "Golem": "Ogre"})
    scene.assign(2)
    assert amounts(scene) == [0, 1, 2, 3]
    scene.assign(1)
    scene.to(Step.COMBAT_DAMAGE)
    assert scene.field() == ["Giant", "Golem", "Wall"]
    assert [scene.obj(name).damage for name in ("Giant", "Golem", "Wall")] == [2, 2, 3]


# ------------------------------------------------------------------------------------------------ results


def test_702_15b_lifelink_in_combat(scene: Callable[..., Scene]) -> None:
    """CR 702.15b, 120.3f: life for the controller, from damage to players and to creatures, attacking or blocking.

    Kills: lifelink on players only, of attackers only, by excess damage.
    """
    game = scene(["Cleric", "Salve"], ["Wall", "Zap"], cards=CARDS)
    fight(game, "Cleric", "Wall")
    game.to(Step.MAIN2)
    assert game.life() == [23, 20]
    game = scene(["Footman", "Salve"], ["Cleric", "Zap"], cards=CARDS)
    fight(game, "Footman", "Cleric")
    game.to(Step.MAIN2)
    assert game.life() == [20, 23]


def test_120_3_lifelink_saves_from_simultaneous_damage() -> None:
    """CR 510.2, 120.3f, 704.3: life is gained as the damage is dealt, before state-based actions: 2 - 3 + 3.

    Kills: losing at 0 or less between the damage and the gain.
    """
    cards = CARDS + '- {name: Bleed, cost: "{0}", type: Instant, spell: {do: ["lose_life(each_opponent, 18)"]}}\n'
    scene = Scene(["Cleric", "Bear"], ["Ogre", "Footman", "Bleed"], later=4, cards=cards)
    scene.put(0, "Cleric")
    scene.to(Step.MAIN1, 2)
    scene.put(1, "Ogre", "Footman", "Bleed")
    assert scene.life() == [2, 20]
    scene.attack("Ogre", "Footman")
    scene.block({"Cleric": "Footman"})
    scene.to(Step.MAIN2)
    assert scene.life() == [2, 20]
    assert scene.graveyard(1) == ["Bleed", "Footman"]


def test_702_2b_deathtouch_in_combat(scene: Callable[..., Scene]) -> None:
    """CR 702.2b, 704.5h: any damage destroys; several blockers with 1 each.

    Kills: lethal damage by toughness alone.
    """
    game = scene(["Viper", "Salve"], ["Giant", "Wall", "Zap"], cards=CARDS)
    fight(game, "Viper", "Giant", "Wall")
    game.assign(1)
    game.to(Step.MAIN2)
    assert game.field() == []  # 5 damage kill the Viper too
    assert game.graveyard(1) == ["Giant", "Wall"]


def test_702_2_no_damage_no_deathtouch() -> None:
    """CR 704.5h: only a creature that was dealt damage.

    Kills: deathtouch by being blocked.
    """
    scene = Scene(["Viper"], ["Giant", "Wall"], cards=CARDS)
    fight(scene, "Viper", "Giant", "Wall")
    scene.assign(0)
    scene.to(Step.MAIN2)
    assert scene.field() == ["Giant"]
