"""Sources that are gone: abilities, damage, lifelink, deathtouch by last known information (CR 113.7a, 608.2h, 702.2,
702.15)."""

from __future__ import annotations

from collections.abc import Callable

from scene import Scene

from lkicore.opcodes import Keyword, ObjectFlag, OptionKind, Zone

CARDS = """
- name: Tim
  cost: "{0}"
  type: Creature — Wizard
  pt: 2/2
  keywords: [flash, haste]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [any_target], do: ["damage(target(0), power_of(source))"]}
- name: Link Tim
  cost: "{0}"
  type: Creature — Wizard
  pt: 2/2
  keywords: [flash, haste, lifelink]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [any_target], do: ["damage(target(0), 1)"]}
- name: Touch Tim
  cost: "{0}"
  type: Creature — Wizard
  pt: 2/2
  keywords: [flash, haste, deathtouch]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [any_target], do: ["damage(target(0), 1)"]}
- name: Martyr
  cost: "{0}"
  type: Creature — Cleric
  pt: 2/2
  keywords: [flash]
  test_only: true
  abilities:
    - {cost: sacrifice, targets: [any_target], do: ["damage(target(0), power_of(source))"]}
- name: Counted Martyr
  cost: "{0}"
  type: Creature — Cleric
  pt: 2/2
  keywords: [flash]
  test_only: true
  abilities:
    - {cost: sacrifice, do: ['gain_life(you, counters_on(source, "+1/+1"))', "gain_life(owner_of(source), 10)"]}
- name: Grower
  cost: "{0}"
  type: Creature — Plant
  pt: 2/2
  keywords: [flash]
  test_only: true
  abilities:
    - {cost: "{0}", do: ["pump(source, 1, 1)"]}
- {name: Bite, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature, creature], do: ["damage(target(1), power_of(target(0)), by=target(0))"]}}
- {name: Duel, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature, creature], do: ["fight(target(0), target(1))"]}}
- {name: Link Giant, cost: "{0}", type: Creature, pt: 5/5, keywords: [flash, lifelink], test_only: true}
- {name: Snake, cost: "{0}", type: Creature, pt: 1/1, keywords: [flash, deathtouch], test_only: true}
- {name: Gain Link, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 0, 0, lifelink)"]}}
"""


# ------------------------------------------------------------------------------------------------ abilities


def test_113_7a_an_ability_resolves_without_its_source(scene: Callable[..., Scene]) -> None:
    """CR 113.7a: destroying the source doesn't stop the ability on the stack; it is no card (113.1c).

    Kills: fizzling with the source, an ability in a graveyard.
    """
    game = scene(["Tim", "Salve"], ["Slay", "Zap"], cards=CARDS)
    game.put(0, "Tim")
    game.activate(0, "Tim", "p1")
    game.cast(1, "Slay", "Tim")
    game.resolve_all()
    assert game.life() == [20, 18]
    assert game.graveyard(0) == ["Tim"]


def test_113_1c_the_ability_is_an_object_of_its_own() -> None:
    """CR 113.1c, 113.8, 405.1: on the stack under its activator's control; it ceases to exist after resolving.

    Kills: the permanent itself on the stack, an ability left on the stack.
    """
    scene = Scene(["Tim"], [], cards=CARDS)
    tim = scene.put(0, "Tim")[0]
    scene.activate(0, "Tim", "p1")
    ability = scene.game.objects(Zone.STACK)[0]
    assert ability.flags & ObjectFlag.ABILITY
    assert (ability.controller, ability.card) == (0, -1)
    assert scene.obj(tim).tapped
    scene.resolve()
    assert scene.stack() == []
    record = scene.left(ability.id, Zone.STACK)
    assert (record.zone_to, record.became) == (Zone.NONE, 0)


def test_608_2h_the_power_of_the_departed_source() -> None:
    """CR 608.2h, 113.7a: power as it last existed: grown in response, then destroyed: 5, not 2.

    Kills: the power on activation, the printed power of the card in the graveyard, 0.
    """
    scene = Scene(["Tim", "Grow"], ["Slay"], cards=CARDS)
    scene.put(0, "Tim")
    scene.activate(0, "Tim", "p1")
    scene.cast(0, "Grow", "Tim")
    scene.resolve()
    scene.cast(1, "Slay", "Tim")
    scene.resolve()
    assert scene.field() == []
    scene.resolve()
    assert scene.life() == [20, 15]


def test_608_2h_a_source_that_is_there_is_read_on_resolution() -> None:
    """CR 608.2h: current information while the source is where it was: the power on resolution.

    Kills: the power on activation.
    """
    scene = Scene(["Tim", "Grow"], [], cards=CARDS)
    scene.put(0, "Tim")
    scene.activate(0, "Tim", "p1")
    scene.cast(0, "Grow", "Tim")
    scene.resolve_all()
    assert scene.life() == [20, 15]


def test_400_7_a_source_that_came_back_is_not_the_source() -> None:
    """CR 400.7, 113.7a: the Tim that was cast again (grown to 5) is another object; the ability reads the first one.

    Kills: reading the card, or the row, instead of the object.
    """
    scene = Scene(["Tim", "Grow", "Recall"], [], cards=CARDS)
    scene.put(0, "Tim")
    scene.activate(0, "Tim", "p1")
    scene.cast(0, "Recall", "Tim")
    scene.resolve()
    scene.cast(0, "Tim")
    scene.resolve()
    scene.cast(0, "Grow", "Tim")
    scene.resolve()
    assert scene.obj("Tim").power == 5
    scene.resolve()
    assert scene.life() == [20, 18]


def test_608_2h_sacrificed_as_a_cost_with_pumps(scene: Callable[..., Scene]) -> None:
    """CR 608.2h: the source was sacrificed to pay: its power with what applied then.

    Kills: the printed power, 0, no ability without a source.
    """
    game = scene(["Martyr", "Grow", "Salve"], ["Zap"], cards=CARDS)
    game.put(0, "Martyr")
    game.cast(0, "Grow", "Martyr")
    game.resolve_all()
    game.activate(0, "Martyr", "p1")
    assert game.field() == []
    assert game.graveyard(0) == ["Grow", "Martyr"]
    game.resolve_all()
    assert game.life() == [20, 15]


def test_602_2b_a_cost_is_paid_once() -> None:
    """CR 602.2b, 118.3: a creature sacrificed as a cost is gone at once: the ability can't be activated again, and
    nobody can respond to the sacrifice.

    Kills: sacrificing on resolution.
    """
    scene = Scene(["Martyr"], ["Zap"], cards=CARDS)
    scene.put(0, "Martyr")
    scene.activate(0, "Martyr", "p1")
    assert scene.field() == []
    assert not scene.offers(OptionKind.ACTIVATE)
    scene.priority(1)
    scene.pick(OptionKind.CAST, "Zap")
    assert not scene.offers(OptionKind.OBJECT)


def test_122_2_counters_are_known_after_they_are_gone(scene: Callable[..., Scene]) -> None:
    """CR 122.2, 608.2h: counters cease with the zone change; their number is last known information; owner too.

    Kills: counters of the card in the graveyard (0).
    """
    game = scene(["Counted Martyr", "Grit", "Grit", "Salve"], ["Zap"], cards=CARDS)
    game.put(0, "Counted Martyr")
    for _ in range(2):
        game.cast(0, "Grit", "Counted Martyr")
        game.resolve_all()
    game.activate(0, "Counted Martyr")
    game.resolve_all()
    assert game.life() == [32, 20]


def test_608_2h_an_ability_does_nothing_to_its_departed_source() -> None:
    """CR 608.2h, 400.7: last known information lets nothing be pumped that is gone, nor the card that came back.

    Kills: pumping the new object of the same card.
    """
    scene = Scene(["Grower", "Recall"], [], cards=CARDS)
    scene.put(0, "Grower")
    scene.activate(0, "Grower")
    scene.cast(0, "Recall", "Grower")
    scene.resolve()
    scene.cast(0, "Grower")
    scene.resolve()
    scene.resolve()
    assert scene.stack() == []
    assert (scene.obj("Grower").power, scene.obj("Grower").toughness) == (2, 2)


# ------------------------------------------------------------------------------------------------ lifelink, deathtouch


def test_702_15c_lifelink_of_a_departed_source(scene: Callable[..., Scene]) -> None:
    """CR 702.15b-c: the damage of a departed source with lifelink still gains its last controller life.

    Kills: keywords of live sources only; life for the controller of the dying creature's killer.
    """
    game = scene(["Link Tim", "Salve"], ["Slay", "Zap"], cards=CARDS)
    game.put(0, "Link Tim")
    game.activate(0, "Link Tim", "p1")
    game.cast(1, "Slay", "Link Tim")
    game.resolve_all()
    assert game.life() == [21, 19]


def test_702_15c_lifelink_as_it_last_existed() -> None:
    """CR 702.15c, 608.2h: lifelink granted in response counts though neither the card nor the activation had it.

    Kills: keywords printed on the card, or at activation.
    """
    scene = Scene(["Tim", "Gain Link"], ["Slay"], cards=CARDS)
    scene.put(0, "Tim")
    scene.activate(0, "Tim", "p1")
    scene.cast(0, "Gain Link", "Tim")
    scene.resolve()
    scene.cast(1, "Slay", "Tim")
    scene.resolve_all()
    assert scene.life() == [22, 18]
    assert scene.left("Tim").keywords & Keyword.LIFELINK


def test_702_2e_deathtouch_of_a_departed_source(scene: Callable[..., Scene]) -> None:
    """CR 702.2e: 1 damage of a departed source with deathtouch destroys a Giant.

    Kills: keywords of live sources only.
    """
    game = scene(["Touch Tim", "Salve"], ["Slay", "Giant", "Zap"], cards=CARDS)
    game.put(0, "Touch Tim")
    game.put(1, "Giant")
    game.activate(0, "Touch Tim", "Giant")
    game.cast(1, "Slay", "Touch Tim")
    game.resolve_all()
    assert game.field() == []


def test_702_15b_the_creature_told_to_deal_damage_is_the_source(scene: Callable[..., Scene]) -> None:
    """CR 702.15b, 120.1: damage "dealt by" a creature: its lifelink, its deathtouch, its controller.

    Kills: the spell as the source.
    """
    game = scene(["Link Giant", "Bite", "Salve"], ["Ogre", "Zap"], cards=CARDS)
    game.put(0, "Link Giant")
    game.put(1, "Ogre")
    game.cast(0, "Bite", "Link Giant", "Ogre")
    game.resolve_all()
    assert game.field() == ["Link Giant"]
    assert game.life() == [25, 20]


def test_702_2b_deathtouch_in_a_fight(scene: Callable[..., Scene]) -> None:
    """CR 701.14a, 702.2b, 704.5h: each fighter deals damage equal to its power; any from deathtouch destroys.

    Kills: one-sided fights, deathtouch in combat alone.
    """
    game = scene(["Snake", "Duel", "Salve"], ["Giant", "Zap"], cards=CARDS)
    game.put(0, "Snake")
    game.put(1, "Giant")
    game.cast(0, "Duel", "Snake", "Giant")
    game.resolve_all()
    assert game.field() == []


def test_704_5h_deathtouch_does_not_pass_indestructible(scene: Callable[..., Scene]) -> None:
    """CR 704.5h, 702.12b: deathtouch destroys, and an indestructible creature isn't destroyed.

    Kills: deathtouch as toughness 0.
    """
    game = scene(["Snake", "Duel", "Salve"], ["Golem", "Zap"], cards=CARDS)
    game.put(0, "Snake")
    game.put(1, "Golem")
    game.cast(0, "Duel", "Snake", "Golem")
    game.resolve_all()
    assert game.field() == ["Golem"]
