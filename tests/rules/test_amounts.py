"""Amounts read from objects: what this very effect moved, and negative numbers (CR 107.1b, 120.8, 608.2h)."""

from __future__ import annotations

from collections.abc import Callable

from scene import Scene

from lkicore.opcodes import Zone

CARDS = """
- {name: Swords, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: [exile(target(0)), "gain_life(controller_of(target(0)), power_of(target(0)))"]}}
- {name: Crush, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature],
           do: [destroy(target(0)), "lose_life(controller_of(target(0)), toughness_of(target(0)))"]}}
- {name: Pay Back, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["damage(controller_of(target(0)), power_of(target(0)), by=target(0))"]}}
- {name: Duel, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature, creature], do: ["fight(target(0), target(1))"]}}
- {name: Imp, cost: "{0}", type: Creature, pt: -1/3, keywords: [flash], test_only: true}
"""


# ------------------------------------------------------------------------------------------------ this effect moved it


def test_608_2h_swords(scene: Callable[..., Scene]) -> None:
    """CR 608.2h: power and controller of the creature that this spell exiled, with everything applied, as it was then.

    Kills: printed power (5), the card in exile without a controller, the caster gaining life.
    """
    game = scene(["Swords", "Zap"], ["Giant", "Grow", "Grit"], cards=CARDS)
    game.put(1, "Giant")
    game.cast(1, "Grit", "Giant")
    game.resolve_all()
    game.cast(0, "Swords", "Giant")
    game.cast(1, "Grow", "Giant")
    game.resolve_all()
    assert game.life() == [20, 29]
    assert game.names(Zone.EXILE) == ["Giant"]


def test_608_2h_of_what_was_destroyed(scene: Callable[..., Scene]) -> None:
    """CR 608.2h: the same for toughness of what died.

    Kills: reading the card in the graveyard, or its toughness less damage.
    """
    game = scene(["Crush", "Zap"], ["Giant", "Grit", "Salve"], cards=CARDS)
    game.put(1, "Giant")
    game.cast(1, "Grit", "Giant")
    game.resolve_all()
    game.cast(0, "Zap", "Giant")
    game.resolve_all()
    game.cast(0, "Crush", "Giant")
    game.resolve_all()
    assert game.life() == [20, 14]


def test_608_2h_of_what_was_not_destroyed() -> None:
    """CR 608.2h, 701.8: an indestructible creature stays, and is read as it is.

    Kills: last known information without a departure (no answer).
    """
    scene = Scene(["Crush"], ["Golem"], cards=CARDS)
    scene.put(1, "Golem")
    scene.cast(0, "Crush", "Golem")
    scene.resolve()
    assert scene.field() == ["Golem"]
    assert scene.life() == [20, 18]


# ------------------------------------------------------------------------------------------------ negative numbers


def test_107_1b_negative_power_deals_no_damage(scene: Callable[..., Scene]) -> None:
    """CR 107.1b, 120.8: a power of -1 deals no damage, in effects and in fights.

    Kills: damage that heals, or life gained by it.
    """
    game = scene(["Imp", "Pay Back", "Duel", "Salve"], ["Ogre", "Zap"], cards=CARDS)
    game.put(0, "Imp")
    game.put(1, "Ogre")
    game.cast(0, "Pay Back", "Imp")
    game.resolve_all()
    assert game.life() == [20, 20]
    game.cast(0, "Duel", "Imp", "Ogre")
    game.resolve_all()
    assert game.field() == ["Ogre"]
    assert game.life() == [20, 20]


def test_107_1b_negative_power_is_a_number_in_sums() -> None:
    """CR 107.1b: the negative value itself is used in a calculation: -3 + 3 pumped again is 0, not 3.

    Kills: power cut off at 0 in the layers.
    """
    scene = Scene(["Bear", "Weaken", "Grow", "Pay Back"], [], cards=CARDS)
    scene.put(0, "Bear")
    scene.cast(0, "Weaken", "Bear")
    scene.resolve()
    assert scene.obj("Bear").power == -3
    scene.cast(0, "Grow", "Bear")
    scene.resolve()
    assert scene.obj("Bear").power == 0
    scene.cast(0, "Pay Back", "Bear")
    scene.resolve()
    assert scene.life() == [20, 20]


def test_107_1b_swords_on_negative_power() -> None:
    """CR 107.1b: a negative amount of life to gain is 0.

    Kills: losing life by gaining.
    """
    scene = Scene(["Swords"], ["Imp"], cards=CARDS)
    scene.put(1, "Imp")
    scene.cast(0, "Swords", "Imp")
    scene.resolve()
    assert scene.life() == [20, 20]
    assert scene.left("Imp").power == -1
