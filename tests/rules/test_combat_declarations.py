"""Declaring attackers and blockers (CR 506-509, 702.3, 702.9, 702.10, 702.17, 702.20, 702.111)."""

from __future__ import annotations

from collections.abc import Callable

from scene import Scene

from lkicore.opcodes import ChoiceKind, HistoryKind, Keyword, OptionKind, Step, Zone

CARDS = """
- {name: Knight, cost: "{0}", type: Creature, pt: 2/2, keywords: [flash, haste, vigilance], test_only: true}
- {name: Hasty Wall, cost: "{0}", type: Creature, pt: 2/2, keywords: [flash, haste, defender], test_only: true}
- {name: Drake, cost: "{0}", type: Creature, pt: 2/2, keywords: [flash, haste, flying], test_only: true}
- {name: Spider, cost: "{0}", type: Creature, pt: 2/4, keywords: [flash, reach], test_only: true}
- {name: Brute, cost: "{0}", type: Creature, pt: 3/2, keywords: [flash, haste, menace], test_only: true}
- {name: Sky Brute, cost: "{0}", type: Creature, pt: 3/2, keywords: [flash, haste, menace, flying], test_only: true}
- {name: Coward, cost: "{0}", type: Creature, pt: 2/2, keywords: [flash, "can't block"], test_only: true}
- {name: Thief, cost: "{0}", type: Creature, pt: 2/2, keywords: [flash, haste, "can't be blocked"], test_only: true}
- {name: Trinket, cost: "{0}", type: Artifact, test_only: true}
- {name: Hurry, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 0, 0, haste)"]}}
- {name: Lift, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 0, 0, flying)"]}}
- {name: Beast, cost: "{0}", type: Creature, pt: 6/6, keywords: [flash, haste], test_only: true,
   abilities: [{static: [gain(lifelink)], affects: creature & blocks_this}]}
- {name: Gatekeeper, cost: "{0}", type: Creature, pt: 0/4, keywords: [flash, can block additional 2], test_only: true}
"""


def asked(scene: Scene, choice: ChoiceKind) -> dict[str, set[object]]:
    """Go on to a declaration and decline everything that can be: creature -> what it was offered besides declining."""
    scene.until(choice)
    player = scene.game.current_player
    found: dict[str, set[object]] = {}
    while scene.game.choice is choice and scene.game.current_player == player:
        creature = scene.game.object(scene.game.subject())
        assert creature is not None
        kind = OptionKind.PLAYER if choice is ChoiceKind.ATTACK else OptionKind.OBJECT
        found[creature.name] = set(scene.offered(kind))
        scene.pick(OptionKind.NO)
    return found


def attackers(scene: Scene) -> list[str]:
    return sorted(obj.name for obj in scene.game.objects(Zone.BATTLEFIELD) if obj.attacking >= 0)


# ------------------------------------------------------------------------------------------------ attackers


def test_508_1a_who_may_attack() -> None:
    """CR 508.1a, 302.6, 702.10b, 702.3b: untapped creatures with haste or under control since the turn began, without
    defender; creatures of the active player alone.

    Kills: sick attackers, haste ignored, defenders attacking, artifacts or the opponent's creatures attacking.
    """
    mine = ["Bear", "Cub", "Hasty Wall", "Trinket", "Ogre"]
    scene = Scene(mine, ["Giant", "Snare"], cards=CARDS)
    scene.put(0, *mine)
    scene.put(1, "Giant")
    scene.cast(1, "Snare", "Ogre")
    scene.resolve()
    assert asked(scene, ChoiceKind.ATTACK) == {"Bear": {"p1"}}


def test_302_6_sickness_ends_with_the_next_turn() -> None:
    """CR 302.6: a creature may attack when its controller has controlled it since the turn began, not since any turn.

    Kills: sickness that ends with the opponent's turn (the Cub came in turn 1, and attacks in turn 3, not 2).
    """
    scene = Scene(["Cub"], ["Bear"], later=4)
    scene.put(0, "Cub")
    scene.put(1, "Bear")
    scene.to(Step.MAIN1, 2)
    assert asked(scene, ChoiceKind.ATTACK) == {"Bear": {"p0"}}
    scene.to(Step.MAIN1, 3)
    assert asked(scene, ChoiceKind.ATTACK) == {"Cub": {"p1"}}


def test_302_6_a_flash_creature_of_the_opponents_turn_attacks_in_ones_own() -> None:
    """CR 302.6: what came in another's turn has been there since one's own turn began.

    Kills: a whole round of sickness.
    """
    cards = CARDS + '- {name: Ambusher, cost: "{0}", type: Creature, pt: 2/2, keywords: [flash], test_only: true}\n'
    scene = Scene([], ["Ambusher"], later=4, cards=cards)
    scene.to(Step.END)
    scene.put(1, "Ambusher")
    scene.to(Step.MAIN1, 2)
    assert asked(scene, ChoiceKind.ATTACK) == {"Ambusher": {"p0"}}


def test_702_10_haste_granted_for_a_turn() -> None:
    """CR 702.10b: haste from an effect counts while it lasts.

    Kills: haste by the printed keywords.
    """
    scene = Scene(["Cub", "Hurry"], [], cards=CARDS)
    scene.put(0, "Cub")
    scene.cast(0, "Hurry", "Cub")
    scene.resolve()
    assert asked(scene, ChoiceKind.ATTACK) == {"Cub": {"p1"}}


def test_508_1f_attackers_tap_and_vigilance() -> None:
    """CR 508.1f, 702.20b: attacking taps; with vigilance it doesn't. They attack from the whole declaration on.

    Kills: no tapping, tapping one by one before the declaration is complete, vigilance ignored.
    """
    scene = Scene(["Bear", "Knight", "Ogre"], ["Zap"], cards=CARDS)
    scene.put(0, "Bear", "Knight", "Ogre")
    scene.until(ChoiceKind.ATTACK)
    scene.pick(OptionKind.PLAYER)
    assert not scene.obj("Bear").tapped  # the declaration is not complete
    scene.pick(OptionKind.PLAYER)
    scene.pick(OptionKind.NO)
    assert attackers(scene) == ["Bear", "Knight"]
    assert [scene.obj(name).tapped for name in ("Bear", "Knight", "Ogre")] == [True, False, False]
    events = [event for event in scene.game.events() if event.kind is HistoryKind.ATTACKED]
    assert len({event.tick for event in events}) == 1
    assert len(events) == 2


def test_508_1b_with_several_opponents_each_attacker_chooses() -> None:
    """CR 508.1b, 802.2: each attacker attacks one of the opponents.

    Kills: all attackers on the next player, oneself as a defending player.
    """
    scene = Scene(["Bear", "Ogre"], [], [], later=2)
    scene.put(0, "Bear", "Ogre")
    scene.until(ChoiceKind.ATTACK)
    assert scene.offered(OptionKind.PLAYER) == ["p1", "p2"]
    scene.attack(("Bear", 2), ("Ogre", 1))
    assert (scene.obj("Bear").attacking, scene.obj("Ogre").attacking) == (2, 1)
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 17, 18]


def test_511_3_combat_ends() -> None:
    """CR 511.3: creatures attack until the end of combat step is over.

    Kills: attackers forgotten after damage, or attacking for ever.
    """
    scene = Scene(["Bear"], ["Zap"])
    scene.put(0, "Bear")
    scene.attack("Bear")
    scene.to(Step.END_COMBAT)
    assert attackers(scene) == ["Bear"]
    scene.to(Step.MAIN2)
    assert attackers(scene) == []


# ------------------------------------------------------------------------------------------------ blockers


def test_509_1a_who_may_block() -> None:
    """CR 509.1a: untapped creatures of the defending player, sick or not; not those that can't block.

    Kills: tapped blockers, sickness keeping from blocking (302.6), defenders not blocking, attackers' own side.
    """
    scene = Scene(["Bear", "Ogre"], ["Giant", "Wall", "Coward", "Footman", "Snare"], cards=CARDS)
    scene.put(0, "Bear", "Ogre")
    scene.put(1, "Giant", "Wall", "Coward", "Footman")
    scene.cast(1, "Snare", "Footman")
    scene.resolve()
    scene.attack("Bear")
    assert asked(scene, ChoiceKind.BLOCK) == {"Giant": {"Bear"}, "Wall": {"Bear"}}


def test_509_1_tapped_attackers_do_not_block_in_the_next_turn() -> None:
    """CR 509.1a, 502.3: who attacked in its turn is tapped in the opponent's; with vigilance it is not.

    Kills: untapping everybody at the end of the turn.
    """
    scene = Scene(["Bear", "Knight"], ["Ogre"], later=4, cards=CARDS)
    scene.put(0, "Bear", "Knight")
    scene.attack("Bear", "Knight")
    scene.to(Step.MAIN2)
    scene.put(1, "Ogre")
    scene.to(Step.MAIN1, 2)
    scene.attack("Ogre")
    assert asked(scene, ChoiceKind.BLOCK) == {"Knight": {"Ogre"}}


def test_702_9b_flying_and_702_17b_reach() -> None:
    """CR 702.9b, 702.17b: a flier is blocked by fliers and by reach; a flier may block what it likes.

    Kills: flying ignored, reach ignored, fliers that block only fliers.
    """
    scene = Scene(["Drake", "Bear"], ["Drake", "Spider", "Ogre"], cards=CARDS)
    mine = scene.put(0, "Drake")[0]
    scene.put(0, "Bear")
    scene.put(1, "Drake", "Spider", "Ogre")
    scene.attack(mine, "Bear")
    both = {"Drake", "Bear"}
    assert asked(scene, ChoiceKind.BLOCK) == {"Drake": both, "Spider": both, "Ogre": {"Bear"}}


def test_509_1b_unblockable_and_flying_by_effect() -> None:
    """CR 509.1b: "can't be blocked"; an evasion granted in the declare attackers step counts, after blocks it doesn't.

    Kills: evasion by printed keywords.
    """
    scene = Scene(["Thief", "Bear", "Lift"], ["Ogre"], cards=CARDS)
    scene.put(0, "Thief", "Bear")
    scene.put(1, "Ogre")
    scene.attack("Thief", "Bear")
    scene.cast(0, "Lift", "Bear")
    scene.resolve()
    scene.to(Step.COMBAT_DAMAGE)  # no BLOCK choice comes: there is nothing to choose
    assert scene.life() == [20, 16]


def test_509_1h_flying_after_blocks_changes_nothing() -> None:
    """CR 509.1h: a blocked creature stays blocked when it gets evasion.

    Kills: checking blocks again on damage.
    """
    scene = Scene(["Bear", "Lift"], ["Wall"], cards=CARDS)
    scene.put(0, "Bear")
    scene.put(1, "Wall")
    scene.attack("Bear")
    scene.block({"Wall": "Bear"})
    scene.cast(0, "Lift", "Bear")
    scene.resolve()
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 20]
    assert scene.obj("Wall").damage == 2


def test_509_1_defending_players_block_their_own_attackers() -> None:
    """CR 509.1a, 802.4b: with several opponents each blocks what attacks it.

    Kills: blocking for another player; one player declaring for all.
    """
    scene = Scene(["Bear", "Ogre"], ["Giant"], ["Wall"], later=2)
    scene.put(0, "Bear", "Ogre")
    scene.put(1, "Giant")
    scene.put(2, "Wall")
    scene.attack(("Bear", 1), ("Ogre", 2))
    assert asked(scene, ChoiceKind.BLOCK) == {"Giant": {"Bear"}}
    assert asked(scene, ChoiceKind.BLOCK) == {"Wall": {"Ogre"}}


# ------------------------------------------------------------------------------------------------ menace


def blocks_open(scene: Scene) -> dict[str, set[object]]:
    """What the creature that is asked about may do: names of attackers, and "no"."""
    creature = scene.game.object(scene.game.subject())
    assert creature is not None
    offers = set(scene.offered(OptionKind.OBJECT))
    return {creature.name: offers | {"no"} if scene.offers(OptionKind.NO) else offers}


def test_702_111b_one_creature_cannot_block_menace(scene: Callable[..., Scene]) -> None:
    """CR 702.111b: not by fewer than two: a single possible blocker is not even asked.

    Kills: menace ignored.
    """
    game = scene(["Brute", "Salve"], ["Giant", "Zap"], cards=CARDS)
    game.put(0, "Brute")
    game.put(1, "Giant")
    game.attack("Brute")
    game.to(Step.MAIN2)
    assert game.life() == [20, 17]
    assert game.field() == ["Brute", "Giant"]


def test_702_111b_two_or_none() -> None:
    """CR 702.111b, 509.1b: when one of two blocks, the other must; when the first doesn't, the second can't.

    Kills: an illegal single block, forcing blocks on who declined.
    """
    scene = Scene(["Brute"], ["Giant", "Wall"], cards=CARDS)
    scene.put(0, "Brute")
    scene.put(1, "Giant", "Wall")
    scene.attack("Brute")
    scene.until(ChoiceKind.BLOCK)
    assert blocks_open(scene) == {"Giant": {"Brute", "no"}}
    declined = scene.game.clone()
    scene.pick(OptionKind.OBJECT, "Brute")
    assert blocks_open(scene) == {"Wall": {"Brute"}}
    scene.pick(OptionKind.OBJECT, "Brute")
    assert scene.game.choice is ChoiceKind.PRIORITY
    assert [scene.obj(name).blocking for name in ("Giant", "Wall")] == [scene.id("Brute")] * 2
    scene.game = declined
    scene.pick(OptionKind.NO)
    assert scene.game.choice is ChoiceKind.PRIORITY
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 17]


def test_702_111b_two_menace_attackers_three_blockers() -> None:
    """CR 702.111b: with three blockers only one of two menace attackers can be blocked; the choice of one must leave
    every attacker with none or at least two.

    Kills: looking at each attacker for itself (one on each, and a third that can complete only one).
    """
    scene = Scene(["Brute", "Brute"], ["Giant", "Wall", "Ogre"], cards=CARDS)
    a, b = scene.put(0, "Brute", "Brute")
    scene.put(1, "Giant", "Wall", "Ogre")
    scene.attack(a, b)
    scene.until(ChoiceKind.BLOCK)
    scene.pick(OptionKind.OBJECT, a)
    assert {o.object for o in scene.game.options() if o.kind is OptionKind.OBJECT} == {a}
    scene.pick(OptionKind.NO)
    assert [o.object for o in scene.game.options()] == [a]
    scene.pick(OptionKind.OBJECT, a)
    assert [scene.obj(name).blocking for name in ("Giant", "Wall", "Ogre")] == [a, 0, a]


def test_702_111b_four_blockers_for_two_menace_attackers() -> None:
    """CR 702.111b: with four blockers both can be blocked; after one on each the rest is forced into place.

    Kills: forbidding the split, allowing three on one and one on the other.
    """
    scene = Scene(["Brute", "Brute"], ["Giant", "Wall", "Ogre", "Footman"], cards=CARDS)
    a, b = scene.put(0, "Brute", "Brute")
    scene.put(1, "Giant", "Wall", "Ogre", "Footman")
    scene.attack(a, b)
    scene.until(ChoiceKind.BLOCK)
    scene.pick(OptionKind.OBJECT, a)
    scene.pick(OptionKind.OBJECT, b)
    assert not scene.offers(OptionKind.NO)
    scene.pick(OptionKind.OBJECT, a)
    assert [o.object for o in scene.game.options()] == [b]
    scene.pick(OptionKind.OBJECT, b)
    assert scene.game.choice is ChoiceKind.PRIORITY


def test_702_111b_who_can_help_counts() -> None:
    """CR 702.111b, 702.9b: a second creature that can't block this attacker is no second blocker.

    Kills: counting untapped creatures instead of possible blockers.
    """
    scene = Scene(["Sky Brute", "Bear"], ["Drake", "Ogre"], cards=CARDS)
    scene.put(0, "Sky Brute", "Bear")
    scene.put(1, "Drake", "Ogre")
    scene.attack("Sky Brute", "Bear")
    scene.until(ChoiceKind.BLOCK)
    assert blocks_open(scene) == {"Drake": {"Bear", "no"}}
    scene.pick(OptionKind.NO)
    assert blocks_open(scene) == {"Ogre": {"Bear", "no"}}


def test_702_111b_a_shared_helper_is_moved_to_where_it_is_needed() -> None:
    """CR 702.111b: a Drake for the flier and an Ogre for the other: both single blocks can be completed, as only the
    Spider can help the flier and the Giant the other.

    Kills: giving the first free helper (the Spider) to the first attacker that wants one.
    """
    scene = Scene(["Brute", "Sky Brute"], ["Ogre", "Drake", "Spider", "Giant"], cards=CARDS)
    scene.put(0, "Brute", "Sky Brute")
    scene.put(1, "Ogre", "Drake", "Spider", "Giant")
    scene.attack("Brute", "Sky Brute")
    scene.until(ChoiceKind.BLOCK)
    scene.pick(OptionKind.OBJECT, "Brute")
    assert blocks_open(scene) == {"Drake": {"Brute", "Sky Brute", "no"}}
    scene.pick(OptionKind.OBJECT, "Sky Brute")
    assert blocks_open(scene) == {"Spider": {"Sky Brute"}}
    scene.pick(OptionKind.OBJECT, "Sky Brute")
    assert blocks_open(scene) == {"Giant": {"Brute"}}


def test_509_1_nothing_blocks_before_all_blocks_are_declared() -> None:
    """CR 509.1: blockers are declared at once: what looks at blocking creatures looks at them from then on, also where
    one blocks several attackers.

    Kills: computing values from the blocks chosen so far; the checks of a block that do so.
    """
    scene = Scene(["Bear", "Beast"], ["Gatekeeper", "Ogre"], cards=CARDS)
    scene.put(0, "Bear", "Beast")
    scene.put(1, "Gatekeeper", "Ogre")
    scene.attack("Bear", "Beast")
    scene.until(ChoiceKind.BLOCK)
    for attacker in ("Bear", "Beast"):
        scene.pick(OptionKind.OBJECT, attacker)
        assert scene.game.check() is None
        assert not scene.obj("Gatekeeper").keywords & Keyword.LIFELINK
    scene.pick(OptionKind.NO)
    assert scene.game.check() is None
    assert scene.obj("Gatekeeper").keywords & Keyword.LIFELINK
    assert not scene.obj("Ogre").keywords & Keyword.LIFELINK
