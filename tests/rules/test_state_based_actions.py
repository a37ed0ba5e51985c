"""State-based actions and the cleanup step (CR 704, 111.7, 104.4a, 514)."""

from __future__ import annotations

from collections.abc import Callable

from scene import Scene

from lkicore.opcodes import EndReason, HistoryKind, ObjectFlag, Status, Step, Zone

CARDS = """
- {name: Viper, cost: "{0}", type: Creature, pt: 3/3, keywords: [flash, haste, deathtouch], test_only: true}
- {name: Plague, cost: "{0}", type: Instant, test_only: true, spell: {do: ["pump(each(creature), -2, -2)"]}}
- {name: Doom, cost: "{0}", type: Instant, test_only: true, spell: {do: ["lose_life(each_player, 20)"]}}
- {name: Mutual, cost: "{0}", type: Instant, test_only: true, spell: {do: ["draw(each_player, 1)"]}}
- {name: Final Gasp, cost: "{0}", type: Instant, test_only: true,
   spell: {do: ["lose_life(you, 20)", "gain_life(you, 1)"]}}
- {name: Big Wither, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ['put_counters(target(0), 3, "-1/-1")']}}
- {name: Army, cost: "{0}", type: Instant, test_only: true, spell: {do: ['create_tokens(you, 3, "Scout Token")']}}
- {name: Shot, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["damage(target(0), 2)", "pump(target(0), 0, 3)"]}}
- {name: Rally, cost: "{0}", type: Instant, test_only: true, spell: {
   do: ["destroy(each(creature))", "move(each(creature & in_zone(graveyard)), battlefield, under=you)"]}}
- {name: Fade, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 0, 0, indestructible)"]}}
"""


# ------------------------------------------------------------------------------------------------ creatures


def test_704_5g_lethal_damage(scene: Callable[..., Scene]) -> None:
    """CR 704.5g, 120.6: damage marked in sum, against present toughness; less isn't lethal.

    Kills: only the last damage counting, damage lowering the toughness.
    """
    game = scene(["Ogre", "Zap", "Zap", "Zap", "Salve"], ["Zap"])
    game.put(0, "Ogre")
    for n in (1, 2):
        game.cast(0, "Zap", "Ogre")
        game.resolve_all()
        ogre = game.obj("Ogre")
        assert (ogre.damage, ogre.toughness) == (n, 3)
    game.cast(0, "Zap", "Ogre")
    game.resolve_all()
    assert game.field() == []
    died = [event for event in game.game.events() if event.kind is HistoryKind.DIED]
    assert len(died) == 1


def test_704_5g_damage_on_a_creature_that_shrinks(scene: Callable[..., Scene]) -> None:
    """CR 704.5g: 2 damage on a 5/5; shrunk to 2/2 it has lethal damage.

    Kills: checking when damage is dealt only.
    """
    game = scene(["Giant", "Zap", "Zap", "Shrink", "Salve"], ["Zap"])
    game.put(0, "Giant")
    for card in ("Zap", "Zap", "Shrink"):
        game.cast(0, card, "Giant")
        game.resolve_all()
    assert game.field() == []


def test_704_5f_toughness_0_is_no_destruction(scene: Callable[..., Scene]) -> None:
    """CR 704.5f, 702.12b: an indestructible creature with toughness 0 or less dies; with lethal damage it lives.

    Kills: indestructible against toughness 0, or useless against damage and "destroy".
    """
    game = scene(["Golem", "Bolt", "Slay", "Wrath", "Salve"], ["Shrink", "Zap"])
    game.put(0, "Golem")
    for card in ("Bolt", "Slay"):
        game.cast(0, card, "Golem")
        game.resolve_all()
    game.put(0, "Wrath")
    assert game.field() == ["Golem"]
    game.cast(1, "Shrink", "Golem")
    game.resolve_all()
    assert game.field() == []
    assert game.graveyard(0) == ["Bolt", "Golem", "Slay", "Wrath"]


def test_704_5g_indestructible_until_the_effect_ends() -> None:
    """CR 702.12b, 514.2: an indestructible creature with lethal damage loses damage and keyword together: it lives.

    Kills: the keyword ending before the damage wears off.
    """
    scene = Scene(["Bear", "Fade", "Bolt"], [], later=3, cards=CARDS)
    scene.put(0, "Bear")
    scene.cast(0, "Fade", "Bear")
    scene.resolve()
    scene.cast(0, "Bolt", "Bear")
    scene.resolve()
    assert scene.obj("Bear").damage == 3
    scene.to(Step.UPKEEP, 2)
    assert scene.obj("Bear").damage == 0


def test_704_5h_the_mark_of_deathtouch_lasts_for_one_check() -> None:
    """CR 704.5h: dealt damage by deathtouch *since the last check*: an indestructible creature that survived the check
    doesn't die when it is dealt other damage later.

    Kills: a mark that stays as long as the damage.
    """
    bite = (
        '- {name: Bite, cost: "{0}", type: Instant, test_only: true, spell: {targets: [creature, creature], '
        'do: ["damage(target(1), 1, by=target(0))"]}}\n'
    )
    scene = Scene(["Viper", "Bite", "Zap"], ["Giant", "Fade"], cards=CARDS + bite)
    scene.put(0, "Viper")
    scene.put(1, "Giant")
    scene.cast(1, "Fade", "Giant")
    scene.resolve()
    scene.cast(0, "Bite", "Viper", "Giant")
    scene.resolve()
    assert scene.obj("Giant").damage == 1
    assert not scene.obj("Giant").status & Status.DEATHTOUCHED
    scene.cast(0, "Zap", "Giant")
    scene.resolve()
    assert scene.obj("Giant").damage == 2


def test_704_4_not_in_the_middle_of_a_resolution(scene: Callable[..., Scene]) -> None:
    """CR 704.4: 2 damage, then +0/+3 by the same spell: a Bear survives.

    Kills: checking after each instruction.
    """
    game = scene(["Bear", "Shot", "Salve"], ["Zap"], cards=CARDS)
    game.put(0, "Bear")
    game.cast(0, "Shot", "Bear")
    game.resolve_all()
    assert game.field() == ["Bear"]


def test_704_3_simultaneous_deaths(scene: Callable[..., Scene]) -> None:
    """CR 704.3: all that dies in one check dies at once: one event tick, for lethal damage and toughness 0 together.

    Kills: one after another.
    """
    game = scene(["Bear", "Footman", "Sweep", "Salve"], ["Bear", "Ogre", "Zap"])
    ids = [*game.put(0, "Bear", "Footman"), *game.put(1, "Bear", "Ogre")]
    game.put(0, "Sweep")
    assert game.field() == ["Ogre"]
    ticks = [game.left(obj).tick for obj in ids[:3]]
    assert ticks == ticks[:1] * 3
    assert game.graveyard(1)[0] == "Bear"


def test_704_3_again_until_nothing_happens(scene: Callable[..., Scene]) -> None:
    """CR 704.3, 704.5d: a token dies in one check and ceases to exist in the next, before anybody has priority.

    Kills: a single check; a token in the graveyard.
    """
    game = scene(["Muster", "Salve"], ["Plague", "Zap"], cards=CARDS)
    token = game.put(0, "Muster")[0]
    game.put(1, "Plague")
    assert game.field() == []
    assert "Scout Token" not in game.graveyard(0)
    record = game.left(token)
    gone = game.left(record.became, Zone.GRAVEYARD)
    assert gone.tick > record.tick


# ------------------------------------------------------------------------------------------------ counters and tokens


def test_704_5q_counters_annihilate(scene: Callable[..., Scene]) -> None:
    """CR 704.5q: as many pairs of +1/+1 and -1/-1 counters as there are, removed together.

    Kills: keeping both, removing all of both.
    """
    game = scene(["Giant", "Grit", "Grit", "Grit", "Wither", "Salve"], ["Zap"])
    game.put(0, "Giant")
    for card in ("Grit", "Grit", "Grit", "Wither"):
        game.cast(0, card, "Giant")
        game.resolve_all()
    giant = game.obj("Giant")
    assert (giant.counters["+1/+1"], giant.counters["-1/-1"]) == (2, 0)
    assert (giant.power, giant.toughness) == (7, 7)


def test_704_8_counters_are_recorded_before_they_annihilate(scene: Callable[..., Scene]) -> None:
    """CR 704.8, 704.3: a Bear with one +1/+1 and three -1/-1 counters dies with all of them in its last information.

    Kills: removing pairs before the record is made.
    """
    game = scene(["Bear", "Grit", "Big Wither", "Salve"], ["Zap"], cards=CARDS)
    bear = game.put(0, "Bear")[0]
    game.cast(0, "Grit", bear)
    game.resolve_all()
    game.cast(0, "Big Wither", bear)
    game.resolve_all()
    record = game.left(bear)
    assert (record.counters["+1/+1"], record.counters["-1/-1"]) == (1, 3)
    assert (record.power, record.toughness) == (0, 0)


def test_111_7_tokens_cease_in_every_zone(scene: Callable[..., Scene]) -> None:
    """CR 704.5d, 111.7: from hand, exile and graveyard; what they were stays known.

    Kills: tokens that stay in a hand or in exile; a record that goes with the token.
    """
    for card, zone in (("Recall", Zone.HAND), ("Banish", Zone.EXILE), ("Slay", Zone.GRAVEYARD)):
        game = scene(["Muster", "Grit", "Salve"], [card, "Zap"], cards=CARDS)
        token = game.put(0, "Muster")[0]
        game.cast(0, "Grit", token)
        game.resolve_all()
        game.cast(1, card, token)
        game.resolve_all()
        assert "Scout Token" not in [*game.hand(0), *game.names(Zone.EXILE), *game.graveyard(0), *game.field()]
        record = game.left(token)
        assert (record.zone_to, record.power, record.counters["+1/+1"]) == (zone, 2, 1)
        assert record.flags & ObjectFlag.TOKEN
        assert record.card == -1
        last = game.left(record.became, zone)
        assert (last.zone_to, last.became) == (Zone.NONE, 0)


def test_111_8_tokens_that_have_left_stay_where_they_are(scene: Callable[..., Scene]) -> None:
    """CR 111.8: in the same resolution a token is still in the graveyard, but nothing moves it on or back.

    Kills: tokens that come back, or are counted twice on their way.
    """
    game = scene(["Bear", "Muster", "Rally", "Salve"], ["Footman"], cards=CARDS)
    game.put(0, "Bear")
    game.put(0, "Muster")
    game.put(1, "Footman")
    game.put(0, "Rally")
    assert sorted(game.field()) == ["Bear", "Footman"]
    assert "Scout Token" not in game.graveyard(0)


def test_111_tokens_are_creatures_like_others() -> None:
    """CR 111.1, 111.2: created under their creator's control and ownership, as many as said, each an object.

    Kills: one token for three, tokens of the wrong side.
    """
    scene = Scene([], ["Army"], cards=CARDS)
    tokens = scene.put(1, "Army")
    assert len(set(tokens)) == 3
    for token in tokens:
        facts = scene.obj(token)
        assert (facts.controller, facts.owner, facts.power, facts.toughness) == (1, 1, 1, 1)


# ------------------------------------------------------------------------------------------------ players


def test_704_5a_life_0(scene: Callable[..., Scene]) -> None:
    """CR 704.5a, 104.2a: 0 or less loses, and the last player wins.

    Kills: losing at 1, or below 0 only.
    """
    game = scene(["Blast", "Salve"], ["Zap"])
    game.cast(0, "Blast", "p1")
    game.resolve_all()
    assert game.life() == [20, 0]
    assert (game.game.winner, game.game.reason) == (0, EndReason.LIFE)
    assert game.game.returns() == [1.0, -1.0]


def test_704_4_life_below_0_within_a_resolution(scene: Callable[..., Scene]) -> None:
    """CR 704.4: at 0 in the middle of a resolution, at 1 at its end: nobody loses.

    Kills: losing at once.
    """
    game = scene(["Final Gasp", "Salve"], ["Zap"], cards=CARDS)
    game.put(0, "Final Gasp")
    assert not game.game.is_terminal
    assert game.life() == [1, 20]


def test_104_4a_all_lose_together(scene: Callable[..., Scene]) -> None:
    """CR 104.4a, 704.3: both players at 0 in one check: a draw.

    Kills: the active player losing first, or the other.
    """
    game = scene(["Doom", "Salve"], ["Zap"], cards=CARDS)
    game.put(0, "Doom")
    assert game.game.is_terminal
    assert (game.game.winner, game.game.reason) == (-1, EndReason.DRAW)
    assert game.game.returns() == [0.0, 0.0]
    assert game.life() == [0, 0]


def test_104_4a_life_and_library_together() -> None:
    """CR 104.4a: by different rules in the same check: still a draw.

    Kills: rules that are checked one after another.
    """
    mix = (
        '- {name: Mixed, cost: "{0}", type: Instant, test_only: true, '
        'spell: {do: ["lose_life(you, 20)", "draw(each_opponent, 1)"]}}\n'
    )
    scene = Scene(["Mixed"], ["Zap"], cards=mix)
    scene.cast(0, "Mixed")
    scene.resolve()
    assert (scene.game.winner, scene.game.reason) == (-1, EndReason.DRAW)
    assert [scene.game.lost(p) for p in (0, 1)] == [EndReason.LIFE, EndReason.EMPTY_LIBRARY]


def test_704_5b_both_draw_from_empty_libraries() -> None:
    """CR 704.5b, 104.4a: each player draws, none can: a draw; a player with a card left wins.

    Kills: the loss in the middle of the resolution, of whoever draws first.
    """
    for libraries, winner in (((0, 0), -1), ((0, 1), 1), ((1, 0), 0)):
        scene = Scene(["Mutual"], ["Zap"], later=libraries, cards=CARDS)
        scene.cast(0, "Mutual")
        scene.resolve()
        assert scene.game.is_terminal
        assert scene.game.winner == winner


def test_104_4a_three_players_two_lose_together() -> None:
    """CR 104.2a, 704.3: the one who is left wins.

    Kills: ending with the first loser, a draw of those who lost.
    """
    drain = (
        '- {name: Ruin, cost: "{0}", type: Instant, test_only: true, spell: {do: ["lose_life(each_opponent, 20)"]}}\n'
    )
    scene = Scene(["Zap"], ["Ruin"], ["Zap"], later=2, cards=drain)
    scene.cast(1, "Ruin")
    scene.resolve()
    assert (scene.game.winner, scene.game.is_terminal) == (1, True)
    assert scene.game.returns() == [-1.0, 1.0, -1.0]


# ------------------------------------------------------------------------------------------------ cleanup


def test_514_2_damage_and_pumps_end_together() -> None:
    """CR 514.2: 4 damage on a Bear pumped to 5/5: at once the damage wears off and the pump ends; it lives.

    Kills: the pump ending first (4 damage on a 2/2).
    """
    scene = Scene(["Bear", "Grow", "Bolt", "Zap"], [], later=3)
    scene.put(0, "Bear")
    for card in ("Grow", "Bolt", "Zap"):
        scene.cast(0, card, "Bear")
        scene.resolve()
    assert scene.obj("Bear").damage == 4
    scene.to(Step.END)
    assert (scene.obj("Bear").damage, scene.obj("Bear").toughness) == (4, 5)
    scene.to(Step.UPKEEP, 2)
    assert (scene.obj("Bear").damage, scene.obj("Bear").toughness, scene.obj("Bear").power) == (0, 2, 2)


def test_514_2_of_every_player_in_every_turn() -> None:
    """CR 514.2: damage on all permanents and effects of all players end in each turn's cleanup.

    Kills: the active player's alone, or one's own next cleanup.
    """
    scene = Scene(["Ogre", "Grow"], ["Ogre", "Zap", "Grow"], later=3)
    mine, theirs = *scene.put(0, "Ogre"), *scene.put(1, "Ogre")
    scene.cast(1, "Zap", theirs)
    scene.resolve()
    scene.cast(1, "Grow", theirs)
    scene.resolve()
    scene.to(Step.UPKEEP, 2)
    assert (scene.obj(theirs).damage, scene.obj(theirs).power) == (0, 3)
    assert scene.obj(mine).power == 3


def test_122_1_counters_stay() -> None:
    """CR 122.1a, 514.2: counters don't end with the turn.

    Kills: counters as effects until end of turn.
    """
    scene = Scene(["Bear", "Grit"], [], later=3)
    scene.put(0, "Bear")
    scene.cast(0, "Grit", "Bear")
    scene.resolve()
    scene.to(Step.UPKEEP, 3)
    assert (scene.obj("Bear").power, scene.obj("Bear").counters["+1/+1"]) == (3, 1)


def test_514_3a_actions_in_cleanup_give_priority_and_another_cleanup() -> None:
    """CR 514.3a: a creature that dies as the pump ends: players get priority in the cleanup step, then there is
    another one, in which a pump of that priority ends as well.

    Kills: no check in cleanup, no priority after it, an effect that lasts into the next turn.
    """
    scene = Scene(["Footman", "Grow", "Wither", "Bear", "Grow"], [], later=3)
    scene.put(0, "Footman", "Bear")
    scene.cast(0, "Grow", "Footman")
    scene.resolve()
    scene.cast(0, "Wither", "Footman")
    scene.resolve()
    assert scene.obj("Footman").toughness == 3
    scene.to(Step.CLEANUP)
    assert scene.field() == ["Bear"]
    assert scene.has_priority(0)
    scene.cast(0, "Grow", "Bear")
    scene.resolve()
    assert Step(scene.game.step) is Step.CLEANUP
    assert scene.obj("Bear").power == 5
    scene.to(Step.UPKEEP, 2)
    assert scene.obj("Bear").power == 2
