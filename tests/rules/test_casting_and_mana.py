"""Casting: X, costs, automatic, manual and free payment, mana pools (CR 601.2, 602, 605, 106, 302.6, 500.5)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scene import Scene

from lkicore.opcodes import ChoiceKind, OptionKind, Step, Zone

# Sources enter free of charge: lands are played one a turn only, these are artifacts and creatures as wanted.
CARDS = """
- {name: Green Rock, cost: "{0}", type: Artifact, test_only: true, abilities: [{cost: "{T}", mana: "G"}]}
- {name: Red Rock, cost: "{0}", type: Artifact, test_only: true, abilities: [{cost: "{T}", mana: "R"}]}
- {name: Twin Rock, cost: "{0}", type: Artifact, test_only: true, abilities: [{cost: "{T}", mana: "R/G"}]}
- {name: Any Rock, cost: "{0}", type: Artifact, test_only: true, abilities: [{cost: "{T}", mana: any}]}
- {name: Great Rock, cost: "{0}", type: Artifact, test_only: true, abilities: [{cost: "{T}", mana: "{C}{C}"}]}
- {name: Mana Elf, cost: "{0}", type: Creature — Elf, pt: 1/1, test_only: true, abilities: [{cost: "{T}", mana: "G"}]}
- {name: Fast Elf, cost: "{0}", type: Creature — Elf, pt: 1/1, keywords: [haste], test_only: true,
   abilities: [{cost: "{T}", mana: "G"}]}
- {name: Red Imp, cost: "{0}", type: Creature — Imp, pt: 1/1, keywords: [haste], test_only: true,
   abilities: [{cost: "{T}", mana: "R"}]}
- {name: Dual, type: Land, test_only: true, abilities: [{cost: "{T}", mana: "R/G"}]}
- {name: Tim, cost: "{0}", type: Creature — Wizard, pt: 1/1, test_only: true,
   abilities: [{cost: "{T}", targets: [any_target], do: ["damage(target(0), 1)"]}]}
- {name: Fast Tim, cost: "{0}", type: Creature — Wizard, pt: 1/1, keywords: [haste], test_only: true,
   abilities: [{cost: "{T}", targets: [any_target], do: ["damage(target(0), 1)"]}]}
- {name: Idol, cost: "{0}", type: Artifact, test_only: true,
   abilities: [{cost: "{T}", do: ["gain_life(you, 1)"]}]}
- {name: Firebreather, cost: "{0}", type: Creature — Dragon, pt: 1/1, test_only: true,
   abilities: [{cost: "{R}", do: ["pump(source, 1, 0)"]}]}
- {name: One Green, cost: "{G}", type: Instant, test_only: true, spell: {do: ["gain_life(you, 1)"]}}
- {name: One Red, cost: "{R}", type: Instant, test_only: true, spell: {do: ["gain_life(you, 1)"]}}
- {name: Red Green, cost: "{R}{G}", type: Instant, test_only: true, spell: {do: ["gain_life(you, 1)"]}}
- {name: One Any, cost: "{1}", type: Instant, test_only: true, spell: {do: ["gain_life(you, 1)"]}}
- {name: Three Any, cost: "{3}", type: Instant, test_only: true, spell: {do: ["gain_life(you, 1)"]}}
- {name: Fire Lance, cost: "{X}{R}", type: Instant, test_only: true,
   spell: {targets: [any_target], do: ["damage(target(0), x)"]}}
- {name: Double Ball, cost: "{X}{X}{R}", type: Instant, test_only: true,
   spell: {targets: [any_target], do: ["damage(target(0), x)"]}}
- {name: Ritual, cost: "{0}", type: Instant, test_only: true, spell: {do: ['add_mana("R", 3)']}}
"""


def tapped(scene: Scene) -> list[str]:
    return sorted(obj.name for obj in scene.game.objects(Zone.BATTLEFIELD) if obj.tapped)


def pool(scene: Scene, player: int = 0) -> list[int]:
    """Mana of each kind, WUBRGC, in a player's pool."""
    return [int(n) for n in scene.game.column("p_pool")[6 * player : 6 * player + 6]]


# ------------------------------------------------------------------------------------------------ X


def test_601_2b_x_is_chosen_and_paid(scene: Callable[..., Scene]) -> None:
    """CR 601.2b, f: X up to what can be paid besides the rest of the cost; damage and payment are by that X.

    Kills: X beyond the mana, X not paid, X read as 0 on resolution.
    """
    game = scene(["Red Rock", "Red Rock", "Green Rock", "Fire Lance"], ["Zap"], cards=CARDS)
    game.put(0, "Red Rock", "Red Rock", "Green Rock")
    game.priority(0)
    game.pick(OptionKind.CAST, "Fire Lance")
    assert game.game.choice is ChoiceKind.X
    assert game.offered(OptionKind.NUMBER) == [0, 1, 2]
    game.pick(OptionKind.NUMBER, number=2)
    game.pick(OptionKind.PLAYER, "p1")
    assert tapped(game) == ["Green Rock", "Red Rock", "Red Rock"]
    game.resolve_all()
    assert game.life() == [20, 18]


def test_107_3_two_x_cost_twice() -> None:
    """CR 107.3a, 601.2f: {X}{X} is X paid twice; the effect uses X once.

    Kills: {X}{X} paid once, or X doubled in the effect.
    """
    scene = Scene([*["Red Rock"] * 6, "Double Ball"], ["Zap"], cards=CARDS)
    scene.put(0, *["Red Rock"] * 6)
    scene.priority(0)
    scene.pick(OptionKind.CAST, "Double Ball")
    assert scene.offered(OptionKind.NUMBER) == [0, 1, 2]
    scene.pick(OptionKind.NUMBER, number=2)
    scene.pick(OptionKind.PLAYER, "p1")
    assert len(tapped(scene)) == 5
    scene.resolve()
    assert scene.life() == [20, 18]


def test_107_3_x_may_be_zero() -> None:
    """CR 107.3b, 120.8: X can be 0; 0 damage is no damage.

    Kills: X from 1, damage of at least 1.
    """
    scene = Scene(["Red Rock", "Fire Lance"], ["Footman"], cards=CARDS)
    scene.put(0, "Red Rock")
    squire = scene.put(1, "Footman")[0]
    scene.cast(0, "Fire Lance", squire, x=0)
    scene.resolve()
    assert scene.obj(squire).damage == 0


# ------------------------------------------------------------------------------------------------ legality


def test_601_2c_no_cast_without_a_legal_target(scene: Callable[..., Scene]) -> None:
    """CR 601.2c: a spell that needs a target can't be cast without one.

    Kills: offering it anyway; a creature spell in the hand counting as a target.
    """
    game = scene(["Slay", "Cub", "Salve"], ["Zap"])
    game.priority(0)
    assert set(game.offered(OptionKind.CAST)) == {"Cub", "Salve"}
    game.put(0, "Cub")
    assert "Slay" in game.offered(OptionKind.CAST)


def test_601_2h_no_cast_that_cannot_be_paid(scene: Callable[..., Scene]) -> None:
    """CR 601.2h, 601.3: neither too little mana nor the wrong colour pays.

    Kills: counting sources without their colours, or one source of two colours for both symbols.
    """
    game = scene(["Twin Rock", "Green Rock", "One Red", "Red Green", "Three Any", "Salve"], ["Zap"], cards=CARDS)
    game.put(0, "Green Rock")
    game.priority(0)
    assert set(game.offered(OptionKind.CAST)) == {"Twin Rock", "Salve"}
    game.put(0, "Twin Rock")
    game.priority(0)
    assert set(game.offered(OptionKind.CAST)) == {"One Red", "Red Green", "Salve"}


def test_302_6_a_sick_creature_does_not_tap_for_mana(scene: Callable[..., Scene]) -> None:
    """CR 302.6, 702.10c: {T} of a creature needs control since the turn began, or haste; artifacts never wait.

    Kills: mana from a creature just cast, artifacts with summoning sickness, haste for attacks only.
    """
    game = scene(["Mana Elf", "One Green", "Fast Elf", "Salve"], ["Zap"], later=4, cards=CARDS)
    game.put(0, "Mana Elf")
    game.priority(0)
    assert not game.offers(OptionKind.CAST, "One Green")
    game.put(0, "Fast Elf")
    game.cast(0, "One Green")
    assert tapped(game) == ["Fast Elf"]
    game.resolve_all()
    game.to(Step.MAIN1, 3)
    assert not game.obj("Mana Elf").tapped


def test_302_6_a_creature_taps_for_mana_in_its_next_turn() -> None:
    """CR 302.6: from its controller's next turn on, and from then in every turn.

    Kills: sickness that never ends, or that comes back each turn.
    """
    scene = Scene(["Mana Elf", "One Green"], ["Zap"], later=4, cards=CARDS)
    scene.put(0, "Mana Elf")
    scene.to(Step.MAIN1, 2)
    scene.priority(0)
    assert not scene.offers(OptionKind.CAST, "One Green")  # its controller's own turn must begin
    scene.to(Step.MAIN1, 3)
    assert scene.offers(OptionKind.CAST, "One Green")
    scene.to(Step.UPKEEP, 4)
    scene.priority(0)
    assert scene.offers(OptionKind.CAST, "One Green")


def test_302_6_tap_abilities_of_sick_creatures() -> None:
    """CR 302.6, 602.5a: an ability with {T} in its cost waits too; one without {T}, or of another
    permanent than a creature, doesn't.

    Kills: sickness for attacks alone, for all abilities, for artifacts.
    """
    cards = ["Tim", "Fast Tim", "Firebreather", "Red Rock", "Idol"]
    scene = Scene(cards, ["Zap"], later=4, cards=CARDS)
    scene.put(0, *cards)
    scene.priority(0)
    assert scene.offered(OptionKind.ACTIVATE) == ["Fast Tim", "Firebreather", "Idol"]
    scene.activate(0, "Fast Tim", "p1")
    assert scene.obj("Fast Tim").tapped
    assert scene.offered(OptionKind.ACTIVATE) == ["Firebreather", "Idol"]  # tapped: the cost can't be paid again
    scene.to(Step.MAIN1, 3)
    assert scene.offered(OptionKind.ACTIVATE) == ["Tim", "Fast Tim", "Firebreather", "Idol"]


# ------------------------------------------------------------------------------------------------ automatic payment


def test_auto_payment_takes_lands_before_creatures(scene: Callable[..., Scene]) -> None:
    """CR 601.2g-h: the engine chooses; lands before other permanents, whatever is older.

    Kills: oldest first, creatures first.
    """
    game = scene(["Fast Elf", "Green Rock", "Forest", "One Green"], ["Zap"], cards=CARDS)
    game.put(0, "Fast Elf", "Green Rock")
    game.play(0, "Forest")
    game.cast(0, "One Green")
    assert tapped(game) == ["Forest"]


def test_auto_payment_takes_fewer_colours_first(scene: Callable[..., Scene]) -> None:
    """CR 601.2g-h: sources of fewer colours before sources of more, whatever is older.

    Kills: oldest first.
    """
    rocks = ["Any Rock", "Twin Rock", "Green Rock"]
    game = scene([*rocks, "One Green", "One Any", "One Green"], ["Zap"], cards=CARDS)
    game.put(0, *rocks)
    game.cast(0, "One Green")
    assert tapped(game) == ["Green Rock"]
    game.resolve_all()
    game.cast(0, "One Any")
    assert tapped(game) == ["Green Rock", "Twin Rock"]
    game.resolve_all()
    game.cast(0, "One Green")
    assert tapped(game) == ["Any Rock", "Green Rock", "Twin Rock"]


def test_auto_payment_takes_a_land_of_two_colours_before_a_creature_of_one(scene: Callable[..., Scene]) -> None:
    """CR 601.2g-h: lands come first, before the number of colours is looked at, for symbols and for generic mana.

    Kills: fewer colours before lands.
    """
    for spell in ("One Green", "One Any"):
        game = scene(["Fast Elf", "Dual", spell], ["Zap"], cards=CARDS)
        game.put(0, "Fast Elf")
        game.play(0, "Dual")
        game.cast(0, spell)
        assert tapped(game) == ["Dual"]


def test_auto_payment_keeps_what_the_rest_needs(scene: Callable[..., Scene]) -> None:
    """CR 601.2h: if a cost can be paid, it is: the only green source is not spent on red, though it is a land.

    Kills: greedy payment by preference alone, which would then be stuck.
    """
    game = scene(["Red Imp", "Dual", "Red Green"], ["Zap"], cards=CARDS)
    game.put(0, "Red Imp")
    game.play(0, "Dual")
    game.cast(0, "Red Green")
    assert tapped(game) == ["Dual", "Red Imp"]
    game.resolve_all()
    assert game.life() == [21, 20]


def test_auto_payment_spends_the_plentiful_colour_on_generic(scene: Callable[..., Scene]) -> None:
    """CR 601.2h: generic mana from the colour of which most sources are untapped.

    Kills: the oldest source of the same number of colours.
    """
    game = scene(["Red Rock", "Green Rock", "Green Rock", "One Any", "Salve"], ["Zap"], cards=CARDS)
    game.put(0, "Red Rock", "Green Rock", "Green Rock")
    game.cast(0, "One Any")
    assert tapped(game) == ["Green Rock"]


def test_106_4_left_over_mana_stays_in_the_pool_and_is_spent_first() -> None:
    """CR 106.4: unspent mana of a source of two stays in the pool, and pays before another source taps.

    Kills: losing it at once; tapping sources before the pool.
    """
    scene = Scene(["Great Rock", "Green Rock", "One Any", "One Any"], ["Zap"], cards=CARDS)
    scene.put(0, "Great Rock")
    scene.cast(0, "One Any")
    assert pool(scene) == [0, 0, 0, 0, 0, 1]
    scene.resolve()
    scene.put(0, "Green Rock")
    scene.cast(0, "One Any")
    assert pool(scene) == [0] * 6
    assert tapped(scene) == ["Great Rock"]


# ------------------------------------------------------------------------------------------------ pools


@pytest.mark.parametrize("payment", ["auto", "manual"])
def test_500_5_pools_empty_between_steps_and_phases(payment: str) -> None:
    """CR 500.5, 106.4: unspent mana empties as each step and phase ends, of every player.

    Kills: mana that lasts until the end of the turn, or of the active player alone.
    """
    scene = Scene(["Ritual", "One Red"], ["Ritual", "One Red"], later=4, cards=CARDS, payment=payment)
    for player in (0, 1):
        scene.cast(player, "Ritual")
        scene.resolve()
    assert pool(scene, 0) == pool(scene, 1) == [0, 0, 0, 3, 0, 0]
    assert scene.offers(OptionKind.CAST, "One Red")
    scene.to(Step.BEGIN_COMBAT)
    assert pool(scene, 0) == pool(scene, 1) == [0] * 6
    assert not scene.offers(OptionKind.CAST, "One Red")


def test_500_5_mana_lasts_through_a_step() -> None:
    """CR 500.5: not emptied when something resolves in the step.

    Kills: emptying pools on each resolution or pass.
    """
    scene = Scene(["Ritual", "One Red", "One Red", "Salve"], ["Zap"], cards=CARDS)
    scene.put(0, "Ritual", "Salve", "One Red")
    assert pool(scene) == [0, 0, 0, 2, 0, 0]
    scene.put(0, "One Red")
    assert scene.life() == [26, 20]


# ------------------------------------------------------------------------------------------------ other ways to pay


def test_manual_payment_asks_for_each_source() -> None:
    """CR 601.2g-h: the player taps what it wants, as long as the rest stays payable.

    Kills: automatic tapping under `manual`, offering a source without which the cost can't be paid.
    """
    scene = Scene(["Twin Rock", "Any Rock", "Green Rock", "Red Green"], ["Zap"], cards=CARDS, payment="manual")
    scene.put(0, "Twin Rock", "Any Rock", "Green Rock")
    scene.priority(0)
    scene.pick(OptionKind.CAST, "Red Green")
    assert scene.game.choice is ChoiceKind.PAY
    red, green = 3, 4
    offered = {(o.name, o.number) for o in scene.game.options()}
    assert {("Twin Rock", red), ("Twin Rock", green), ("Any Rock", red), ("Green Rock", green)} <= offered
    scene.pick(OptionKind.MANA, "Any Rock", green)
    assert scene.game.choice is ChoiceKind.PAY
    # One may tap too much, but not the last source of red for green.
    assert {(o.name, o.number) for o in scene.game.options()} == {("Twin Rock", red), ("Green Rock", green)}
    scene.pick(OptionKind.MANA, "Twin Rock", red)
    assert scene.stack() == ["Red Green"]
    assert tapped(scene) == ["Any Rock", "Twin Rock"]
    assert pool(scene) == [0] * 6


def test_manual_payment_spends_mana_tapped_before() -> None:
    """CR 605.3a, 106.4: mana abilities can be activated at priority, before casting.

    Kills: asking for sources although the pool pays.
    """
    scene = Scene(["Red Rock", "Green Rock", "One Red"], ["Zap"], cards=CARDS, payment="manual")
    scene.put(0, "Red Rock", "Green Rock")
    scene.priority(0)
    scene.pick(OptionKind.MANA, "Red Rock")
    assert pool(scene) == [0, 0, 0, 1, 0, 0]
    scene.pick(OptionKind.CAST, "One Red")
    assert scene.stack() == ["One Red"]
    assert tapped(scene) == ["Red Rock"]


def test_free_payment_waives_mana_but_not_tapping() -> None:
    """Payment "free": mana costs are waived; timing, targets and costs other than mana are not.

    Kills: tapping sources under `free`, waiving {T}, casting a card without a mana cost (CR 202.1b, 118.6).
    """
    cards = ["Green Rock", "Three Any", "Fast Tim", "Tim"]
    scene = Scene(cards, ["Zap"], later=4, cards=CARDS, payment="free")
    scene.put(0, "Green Rock", "Three Any", "Fast Tim", "Tim")
    assert scene.life() == [21, 20]
    assert tapped(scene) == []
    assert not scene.offers(OptionKind.CAST, "Blank")
    assert scene.offered(OptionKind.ACTIVATE) == ["Fast Tim"]
    scene.activate(0, "Fast Tim", "p1")
    assert tapped(scene) == ["Fast Tim"]
    assert not scene.offers(OptionKind.ACTIVATE)
