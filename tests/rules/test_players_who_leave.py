"""Players who left: their objects, what is known of them, the turn and combat without them (CR 104.5, 506.4, 800.4)."""

from __future__ import annotations

import pytest
from scene import Scene

from lkicore import CardPool, Game
from lkicore.opcodes import ChoiceKind, EndReason, GameStatus, OptionKind, Step, Zone

CARDS = """
- name: Tim
  cost: "{0}"
  type: Creature — Wizard
  pt: 2/2
  keywords: [flash, haste]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [any_target], do: ["damage(target(0), 2)"]}
- {name: Rhino, cost: "{0}", type: Creature, pt: 5/5, keywords: [flash, haste, trample], test_only: true}
- {name: Ruin, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [player], do: ["lose_life(target(0), 25)"]}}
- {name: Storm, cost: "{0}", type: Instant, test_only: true, spell: {do: ["damage(each(creature), 1)",
   "lose_life(each_opponent, 1)", "gain_life(you, 1)"]}}
- {name: Twins, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [player, player], do: ["lose_life(target(0), 1)", "lose_life(target(1), 2)"]}}
- {name: Drain, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [player], do: ["lose_life(target(0), 1)", "gain_life(you, 5)"]}}
- {name: Army, cost: "{0}", type: Instant, test_only: true, spell: {do: ['create_tokens(you, 1, "Scout Token")']}}
"""


def alive(scene: Scene) -> list[int]:
    return [p for p in range(scene.game.players) if not scene.game.lost(p)]


def owned_by(scene: Scene, player: int) -> list[int]:
    """Ids of everything that a player owns, in whatever zone."""
    zones = [(zone, p) for zone in (Zone.LIBRARY, Zone.HAND, Zone.GRAVEYARD) for p in range(scene.game.players)]
    zones += [(zone, 0) for zone in (Zone.BATTLEFIELD, Zone.STACK, Zone.EXILE)]
    return [obj.id for zone, p in zones for obj in scene.game.objects(zone, p) if obj.owner == player]


# ------------------------------------------------------------------------------------------------ their objects


def test_800_4a_all_objects_leave_at_once_with_records() -> None:
    """CR 800.4a: permanents, hand, library, graveyard, exile and spells of the leaver leave together, and immediately:
    one event, one record each, as they were.

    Kills: only the battlefield; one after another; waiting for the next state-based check; no records.
    """
    scene = Scene(["Banish"], ["Bear", "Ogre", "Footman", "Grow", "Salve", "Slay"], ["Slay"], later=2, cards=CARDS)
    scene.put(1, "Bear", "Ogre", "Footman")
    scene.cast(1, "Grow", "Bear")
    scene.resolve()
    scene.cast(1, "Slay", "Footman")
    scene.resolve()
    scene.cast(0, "Banish", "Ogre")
    scene.resolve()
    scene.cast(1, "Salve")
    bear = scene.obj("Bear")
    owned = owned_by(scene, 1)
    tick = scene.game.tick
    assert len(owned) == len(scene.decks[1])
    scene.game.concede(1)
    assert owned_by(scene, 1) == []
    assert scene.stack() == []
    records = [scene.game.lki(obj) for obj in owned]
    assert all(record is not None and record.zone_to is Zone.NONE and record.became == 0 for record in records)
    assert len({record.tick for record in records if record}) == 1
    assert all(record.tick > tick for record in records if record)
    record = scene.left(bear.id)
    assert (record.power, record.controller, record.zone) == (5, 1, Zone.BATTLEFIELD)
    assert scene.life() == [20, 20, 20]


def test_800_4a_tokens_and_abilities_leave_too() -> None:
    """CR 800.4a, 113.1c: an ability on the stack that the leaver controls ceases to exist; tokens leave as well.

    Kills: abilities that resolve for a player who has left.
    """
    scene = Scene(["Zap"], ["Tim", "Army"], ["Zap"], later=2, cards=CARDS)
    scene.put(1, "Tim", "Army")
    scene.activate(1, "Tim", "p0")
    assert len(scene.stack()) == 1
    scene.game.concede(1)
    assert scene.stack() == []
    assert scene.field() == []
    assert scene.life() == [20, 20, 20]


def test_800_4_other_spells_stay_and_their_effects_too() -> None:
    """CR 800.4a: only what the leaver owns (or controls) goes: others' spells stay, and so does the leaver's pump.

    Kills: clearing the stack; ending continuous effects of the leaver (only control effects end).
    """
    scene = Scene(["Bear", "Salve"], ["Grow", "Salve"], ["Salve"], later=4)
    scene.put(0, "Bear")
    scene.cast(1, "Grow", "Bear")
    scene.resolve()
    scene.cast(0, "Salve")
    scene.cast(1, "Salve")
    scene.cast(2, "Salve")
    scene.game.concede(1)
    assert scene.stack() == ["Salve", "Salve"]
    assert [obj.owner for obj in scene.game.objects(Zone.STACK)] == [0, 2]
    assert scene.obj("Bear").power == 5
    scene.resolve_all()
    assert scene.life() == [24, 20, 24]
    scene.to(Step.UPKEEP, 2)
    assert scene.obj("Bear").power == 2


def test_608_2b_a_target_who_left() -> None:
    """CR 608.2b, 800.4: a player who left, or a creature that left with its owner, is no legal target.

    Kills: damage to departed players, or a spell that resolves without a target (the life of the Drain).
    """
    scene = Scene(["Bolt", "Bolt", "Twins", "Drain"], ["Bear"], ["Zap"], later=4, cards=CARDS)
    scene.put(1, "Bear")
    scene.cast(0, "Drain", "p1")
    scene.cast(0, "Twins", "p1", "p2")
    scene.cast(0, "Bolt", "p1")
    scene.cast(0, "Bolt", "Bear")
    scene.game.concede(1)
    scene.resolve_all()
    assert scene.life() == [20, 20, 18]
    assert scene.graveyard(0) == ["Bolt", "Bolt", "Drain", "Twins"]


def test_608_2b_nothing_is_known_of_a_target_who_left() -> None:
    """CR 608.2b before 800.4i: a departed player is an illegal target, whose life total the spell doesn't learn; the
    part about the legal target happens.

    Kills: life gained by the last known life total.
    """
    cards = """
- {name: Envy, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [player, player], do: ["lose_life(target(1), 1)", "gain_life(you, life_of(target(0)))"]}}
"""
    scene = Scene(["Envy"], ["Zap"], ["Zap"], later=4, cards=cards)
    scene.cast(0, "Envy", "p1", "p2")
    scene.game.concede(1)
    scene.resolve_all()
    assert scene.life() == [20, 20, 19]


def test_115_1_who_left_is_no_target_any_more() -> None:
    """CR 115.1, 800.4: never offered.

    Kills: targets by seat instead of by who is in the game.
    """
    scene = Scene(["Bolt", "Ruin"], ["Zap"], ["Zap"], later=4, cards=CARDS)
    scene.game.concede(1)
    scene.priority(0)
    scene.pick(OptionKind.CAST, "Ruin")
    assert scene.offered(OptionKind.PLAYER) == ["p0", "p2"]


# ------------------------------------------------------------------------------------------------ what stays


def test_800_4i_what_is_known_of_who_left() -> None:
    """CR 800.4i: life total and hand size as they last were.

    Kills: 0 for who left; a hand counted after it went.
    """
    scene = Scene(["Bolt"], ["Zap", "Zap"], ["Zap"], later=4)
    scene.cast(0, "Bolt", "p1")
    scene.resolve()
    hand = len(scene.game.zone(Zone.HAND, 1))
    assert hand == 7
    scene.game.concede(1)
    assert scene.game.life(1) == 17
    assert int(scene.game.column("p_left_hand")[1]) == hand
    assert scene.game.lost(1) == EndReason.CONCEDE


def test_704_3_two_players_who_lose_together_leave_together() -> None:
    """CR 704.3, 800.4a: all that one check does is one event: what two losers own leaves at the same time.

    Kills: an event for each loser, in which the second loser's objects outlive the first's.
    """
    cards = """
- {name: Doom Pair, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [player, player], do: ["lose_life(target(0), 20)", "lose_life(target(1), 20)"]}}
"""
    scene = Scene(["Doom Pair"], ["Bear"], ["Ogre"], ["Zap"], later=2, cards=cards)
    bear, ogre = *scene.put(1, "Bear"), *scene.put(2, "Ogre")
    scene.cast(0, "Doom Pair", "p1", "p2")
    scene.resolve()
    assert alive(scene) == [0, 3]
    assert scene.field() == []
    assert scene.left(bear).tick == scene.left(ogre).tick


def test_800_4i_life_below_zero_is_the_last_known() -> None:
    """CR 800.4i, 704.5a: a player who lost with -5 life had -5 life.

    Kills: cutting life at 0.
    """
    scene = Scene(["Ruin"], ["Bear"], ["Zap"], later=4, cards=CARDS)
    scene.put(1, "Bear")
    scene.cast(0, "Ruin", "p1")
    scene.resolve()
    assert scene.life() == [20, -5, 20]
    assert scene.game.lost(1) == EndReason.LIFE
    assert scene.field() == []
    assert not scene.game.is_terminal


def test_800_4_effects_on_each_reach_those_who_are_left() -> None:
    """CR 800.4, 102.2: "each opponent" are the opponents who are left.

    Kills: life lost by a departed player.
    """
    scene = Scene(["Storm"], ["Zap"], ["Zap"], later=4, cards=CARDS)
    scene.game.concede(1)
    scene.put(0, "Storm")
    assert scene.life() == [21, 20, 19]


# ------------------------------------------------------------------------------------------------ the turn


def test_800_4j_the_turn_goes_on_without_its_player() -> None:
    """CR 800.4j: the active player left: its turn goes on without an active player, the next player in turn order gets
    priority first; nobody else has its turn in between.

    Kills: ending the turn, making another player active (its draw, its attacks, its main phase).
    """
    scene = Scene(["Zap"], ["Cub", "Bear", "Zap"], ["Zap"], later=4)
    scene.put(1, "Bear")
    scene.game.concede(0)
    assert (scene.game.turn, Step(scene.game.step)) == (1, Step.MAIN1)
    assert scene.has_priority(1)
    assert not scene.offers(OptionKind.CAST, "Cub")  # it is not its main phase
    seen = []
    while scene.game.turn == 1:
        assert scene.game.choice is ChoiceKind.PRIORITY  # no attack, no discard
        seen.append((Step(scene.game.step), scene.game.current_player))
        scene.pick(OptionKind.PASS)
    steps = [Step.MAIN1, Step.BEGIN_COMBAT, Step.DECLARE_ATTACKERS, Step.END_COMBAT, Step.MAIN2, Step.END]
    assert seen == [(step, player) for step in steps for player in (1, 2)]
    assert scene.game.active_player == 1


def test_800_4j_after_a_resolution_the_next_player_has_priority() -> None:
    """CR 800.4j, 117.3b: without an active player, the next player in turn order.

    Kills: priority for a player who has left, or for the controller of what resolved.
    """
    scene = Scene(["Zap"], ["Zap"], ["Salve"], later=4)
    scene.cast(2, "Salve")
    scene.game.concede(0)
    assert scene.stack() == ["Salve"]
    scene.resolve()
    assert scene.life() == [20, 20, 24]
    assert scene.has_priority(1)


def test_800_4k_turns_of_departed_players_do_not_begin() -> None:
    """CR 800.4k: the turn order closes up.

    Kills: an empty turn of a player who left; skipping its neighbour.
    """
    scene = Scene(["Zap"], ["Zap"], ["Zap"], ["Zap"], later=4)
    scene.game.concede(1)
    scene.game.concede(2)
    order = []
    for turn in (1, 2, 3):
        scene.to(Step.MAIN1, turn)
        order.append(scene.game.active_player)
    assert order == [0, 3, 0]


def test_800_4j_no_draw_without_an_active_player() -> None:
    """CR 800.4j, 504.1: the player left in its upkeep: nobody draws in the draw step of that turn.

    Kills: drawing for the next player, or from the library of a departed one (which would be a loss).
    """
    scene = Scene(["Zap"], ["Zap"], ["Zap"], later=4, begin=False)
    scene.to(Step.UPKEEP, 2)
    before = [len(scene.hand(p)) for p in (0, 2)]
    scene.game.concede(1)
    scene.to(Step.MAIN1, 2)
    assert [len(scene.hand(p)) for p in (0, 2)] == before
    assert alive(scene) == [0, 2]


# ------------------------------------------------------------------------------------------------ combat


def test_800_4e_no_combat_damage_to_who_left() -> None:
    """CR 800.4e, 506.4c: an attacker of a departed player goes on attacking and assigns no damage to anybody; what
    attacks others does.

    Kills: damage to the departed player (its life would change), or to the next one.
    """
    scene = Scene(["Bear", "Rhino", "Ogre"], ["Zap"], ["Zap"], later=4, cards=CARDS)
    scene.put(0, "Bear", "Rhino", "Ogre")
    scene.attack(("Bear", 1), ("Rhino", 1), ("Ogre", 2))
    scene.game.concede(1)
    assert scene.obj("Bear").attacking == 1
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 20, 17]


def test_800_4e_no_trample_over_who_left() -> None:
    """CR 800.4e, 702.19e: with the player its blocker left too: a trampling attacker assigns no damage.

    Kills: trample damage to a departed player.
    """
    scene = Scene(["Rhino"], ["Wall"], ["Zap"], later=4, cards=CARDS)
    scene.put(0, "Rhino")
    scene.put(1, "Wall")
    scene.attack(("Rhino", 1))
    scene.block({"Wall": "Rhino"})
    scene.game.concede(1)
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 20, 20]
    assert scene.field() == ["Rhino"]


def test_800_4a_the_attacking_player_leaves() -> None:
    """CR 800.4a, 506.4: the attackers leave with their owner; no damage comes from them.

    Kills: damage by last known information.
    """
    scene = Scene(["Bear", "Ogre"], ["Wall"], ["Zap"], later=4)
    scene.put(0, "Bear", "Ogre")
    scene.put(1, "Wall")
    scene.attack(("Bear", 1), ("Ogre", 2))
    scene.block({"Wall": "Bear"})
    scene.game.concede(0)
    scene.to(Step.MAIN2)
    assert scene.life() == [20, 20, 20]
    assert scene.obj("Wall").damage == 0


#: Announced by p1 about what p0 has, each with more than one thing to say before a target.
ABOUT_OTHERS = """
- {name: Hush, cost: "{X}", type: Instant, test_only: true, spell: {targets: [spell], do: [counter(target(0))]}}
- name: Fork
  cost: "{1}"
  type: Instant
  test_only: true
  spell:
    modes:
      - {targets: [spell], do: [counter(target(0))]}
      - {targets: [creature & ~yours], do: [destroy(target(0))]}
- {name: Pick, cost: "{1}", type: Instant, test_only: true, spell: {targets: [creature & ~yours],
   do: [destroy(target(0))]}}
- name: Gun
  type: Artifact
  cost: "{1}"
  test_only: true
  abilities: [{cost: "{X}, {T}", targets: [creature & ~yours], do: ["damage(target(0), x)"]}]
"""


@pytest.mark.parametrize("what", ["Hush", "Fork", "Pick", "Gun"])
def test_733_1_what_loses_all_that_it_could_be_about_is_taken_back(what: str) -> None:
    """CR 733.1, 800.4a: a player leaves while a spell or ability about that player's objects is announced.

    Kills: a choice without options, which ends the game as a fault.
    """
    zones: dict[str, dict[str, list[str]]] = {
        "p0": {"battlefield": ["Forest", "Forest", "Hill Giant", "Elvish Visionary"], "hand": ["Grizzly Bears"]},
        "p1": {"battlefield": ["Island", "Island"], "hand": []},
        "p2": {"battlefield": ["Island"]},
    }
    zones["p1"]["battlefield" if what == "Gun" else "hand"].append(what)
    pool = CardPool.builtin().with_cards(ABOUT_OTHERS)
    game = Game.from_scenario({"players": 3, "zones": zones}, pool=pool)

    def take(kind: OptionKind) -> None:
        game.apply(next(k for k, option in enumerate(game.options()) if option.kind is kind))

    take(OptionKind.CAST)
    take(OptionKind.PASS)
    assert game.decider == 1
    take(OptionKind.ACTIVATE if what == "Gun" else OptionKind.CAST)
    assert game.choice in (ChoiceKind.X, ChoiceKind.MODE, ChoiceKind.TARGET)
    game.concede(0)
    assert game.status is GameStatus.RUNNING
    assert game.check() is None
    # What it was about is gone, and nothing of it has happened; its player may do something else.
    zone = Zone.BATTLEFIELD if what == "Gun" else Zone.HAND
    assert [o.name for o in game.objects(zone, 1) if o.name == what] == [what]
    assert not any(o.tapped for o in game.objects(Zone.BATTLEFIELD))
    assert not game.objects(Zone.STACK)
