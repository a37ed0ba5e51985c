"""What is recorded of an object that leaves, and how to ask for it (CR 400.7, 603.10, 608.2h, 704.3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from scene import Scene

from lkicore import LkiRecord, ObjectFacts
from lkicore.opcodes import Keyword, ObjectFlag, Status, Step, Zone

CARDS = """
- {name: Slinger, cost: "{0}", type: Creature — Elf, pt: 2/2, keywords: [flash, haste, reach], colors: G,
   test_only: true, abilities: [{cost: "{T}", targets: [any_target], do: ["damage(target(0), 1)"]}]}
- {name: Ray, cost: "{X}", type: Instant, test_only: true, spell: {targets: [player], do: ["lose_life(target(0), x)"]}}
- {name: Rock, cost: "{0}", type: Artifact, test_only: true, abilities: [{cost: "{T}", mana: "C"}]}
- {name: Bless, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 1, 2, flying | lifelink)"]}}
- {name: Exile All, cost: "{0}", type: Instant, test_only: true, spell: {do: ["exile(each(creature))"]}}
- {name: Recall All, cost: "{0}", type: Instant, test_only: true, spell: {do: ["return_to_hand(each(creature))"]}}
- {name: Mill, cost: "{0}", type: Instant, test_only: true, spell: {do: ["mill(you, 3)"]}}
"""

FACTS = [field.name for field in dataclasses.fields(ObjectFacts)]


def differences(record: LkiRecord, facts: ObjectFacts) -> dict[str, tuple[object, object]]:
    """Facts that the record has otherwise."""
    pairs = {name: (getattr(record, name), getattr(facts, name)) for name in FACTS}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def departures(scene: Scene, card: int) -> list[LkiRecord]:
    return [record for record in scene.game.departures() if record.card == card]


# ------------------------------------------------------------------------------------------------ what is recorded


@pytest.mark.parametrize(
    ("card", "zone"),
    [("Slay", Zone.GRAVEYARD), ("Banish", Zone.EXILE), ("Recall", Zone.HAND), ("Bolt", Zone.GRAVEYARD)],
)
def test_608_2h_the_record_is_the_object_as_it_was(card: str, zone: Zone) -> None:
    """CR 608.2h: every fact, with damage, counters, pumps, keywords by effect and being tapped; wherever it goes.

    Kills: printed values, values after the move, a forgotten column.
    """
    scene = Scene(["Slinger", "Grit", "Bless", "Zap", "Wither"], ["Zap", card], cards=CARDS)
    scene.put(0, "Slinger")
    slinger = scene.id("Slinger")
    for spell in ("Grit", "Bless"):
        scene.cast(0, spell, slinger)
        scene.resolve()
    scene.cast(0, "Zap", slinger)
    scene.resolve()
    scene.activate(0, slinger, "p1")
    scene.resolve()
    before = scene.obj(slinger)
    assert (before.power, before.toughness, before.damage, before.counters["+1/+1"]) == (4, 5, 1, 1)
    assert before.tapped
    assert before.keywords & Keyword.FLYING
    assert before.keywords & Keyword.LIFELINK
    if card == "Bolt":
        scene.cast(1, "Zap", slinger)
        scene.resolve()
        before = dataclasses.replace(scene.obj(slinger), damage=5)
    scene.cast(1, card, slinger)
    scene.resolve()
    record = scene.game.lki(slinger)
    assert record is not None
    assert differences(record, before) == {}
    assert (record.zone, record.zone_to) == (Zone.BATTLEFIELD, zone)
    after = scene.game.object(record.became)
    assert after is not None
    assert (after.zone, after.power, after.damage, after.counters["+1/+1"], after.tapped) == (zone, 2, 0, 0, False)


def test_608_2h_attackers_and_blockers() -> None:
    """CR 608.2h, 506.4: that it attacked whom, that it blocked what; both die in one event.

    Kills: removing them from combat before the record.
    """
    scene = Scene(["Bear"], ["Ogre", "Wrath"])
    scene.put(0, "Bear")
    scene.put(1, "Ogre")
    scene.attack("Bear")
    scene.block({"Ogre": "Bear"})
    bear, ogre = scene.obj("Bear"), scene.obj("Ogre")
    assert (bear.attacking, ogre.blocking) == (1, bear.id)
    scene.put(1, "Wrath")
    for facts in (bear, ogre):
        record = scene.left(facts.id)
        assert differences(record, facts) == {}
    assert scene.left(bear.id).tapped
    assert not scene.left(ogre.id).tapped


def test_608_2h_lethal_combat_damage_is_in_the_record() -> None:
    """CR 608.2h, 704.5h: damage and the mark of deathtouch as they were when the creature died.

    Kills: damage cleared before the record.
    """
    snake = '- {name: Snake, cost: "{0}", type: Creature, pt: 1/1, keywords: [flash, deathtouch], test_only: true}\n'
    scene = Scene(["Giant"], ["Snake"], cards=snake)
    scene.put(0, "Giant")
    scene.put(1, "Snake")
    scene.attack("Giant")
    scene.block({"Snake": "Giant"})
    scene.to(Step.MAIN2)
    giant, dead = scene.left("Giant"), scene.left("Snake")
    assert (giant.damage, dead.damage, giant.tick) == (1, 5, dead.tick)
    assert giant.status & Status.DEATHTOUCHED


def test_608_2h_the_record_does_not_change_any_more() -> None:
    """CR 608.2h: what ends later (a pump in cleanup, 514.2) was there when it left.

    Kills: a record that is computed when it is asked for.
    """
    scene = Scene(["Bear", "Grow"], ["Slay"], later=3)
    bear = scene.put(0, "Bear")[0]
    scene.cast(0, "Grow", bear)
    scene.resolve()
    scene.cast(1, "Slay", bear)
    scene.resolve()
    record = scene.left(bear)
    scene.to(Step.UPKEEP, 3)
    assert scene.game.lki(bear) == record
    assert record.power == 5


def test_202_3e_spells_and_their_x() -> None:
    """CR 608.2h, 202.3e: a spell that resolved, and one that was countered, with controller and chosen X.

    Kills: X of 0, no record of spells, the owner's opponent as controller.
    """
    scene = Scene(["Rock", "Rock", "Ray", "Ray"], ["Denial"], cards=CARDS)
    scene.put(0, "Rock", "Rock")
    scene.cast(0, "Ray", "p1", x=1)
    first = scene.id("Ray", Zone.STACK)
    scene.resolve()
    scene.cast(0, "Ray", "p1", x=1)
    second = scene.id("Ray", Zone.STACK)
    scene.cast(1, "Denial", second)
    denial = scene.id("Denial", Zone.STACK)
    scene.resolve()
    assert scene.life() == [20, 19]
    for spell, controller, x in ((first, 0, 1), (second, 0, 1), (denial, 1, 0)):
        record = scene.left(spell, Zone.STACK)
        assert (record.controller, record.x, record.zone_to) == (controller, x, Zone.GRAVEYARD)


def test_108_4_no_controller_outside() -> None:
    """CR 108.4: what leaves a hand has its owner for controller, and none of a permanent's facts.

    Kills: facts of a former life of the card in the row of the hand.
    """
    scene = Scene(["Bear", "Grit", "Recall"], [])
    bear = scene.put(0, "Bear")[0]
    scene.cast(0, "Grit", bear)
    scene.resolve()
    scene.cast(0, "Recall", bear)
    scene.resolve()
    card = scene.id("Bear", Zone.HAND)
    scene.cast(0, "Bear")
    record = scene.left(card, Zone.HAND)
    assert (record.zone_to, record.controller, record.power, record.counters["+1/+1"]) == (Zone.STACK, 0, 2, 0)


# ------------------------------------------------------------------------------------------------ by id


def test_400_7_every_zone_change_makes_a_new_object(scene: Callable[..., Scene]) -> None:
    """CR 400.7: the records of a card are a chain: each became the next, the last the object that the card is now.

    Kills: an id that survives a zone change, a missing or wrong link.
    """
    game = scene(["Bear", "Recall", "Slay", "Salve"], ["Zap"])
    game.put(0, "Bear")
    for spell in ("Recall", "Slay"):
        game.cast(0, spell, "Bear")
        game.resolve_all()
        if spell == "Recall":
            game.put(0, "Bear")
    card = game.card(0, "Bear")
    chain = departures(game, card)
    path = [Zone.LIBRARY, Zone.HAND, Zone.STACK, Zone.BATTLEFIELD, Zone.HAND, Zone.STACK, Zone.BATTLEFIELD]
    assert [record.zone for record in chain] == path
    assert [record.zone_to for record in chain] == [*path[1:], Zone.GRAVEYARD]
    assert [record.became for record in chain] == [*[r.id for r in chain[1:]], game.game.object_of(card)]
    assert len({record.id for record in chain}) == len(chain)
    for record in chain:
        assert game.game.lki(record.id) == record
        assert game.game.object(record.id) is None


def test_what_is_still_there_has_no_record() -> None:
    """CR 608.2h: last known information is of what is gone; an id that never was has none.

    Kills: a record made on entering; an answer of another object for an unknown id.
    """
    scene = Scene(["Bear"], [])
    bear = scene.put(0, "Bear")[0]
    assert scene.game.lki(bear) is None
    assert scene.game.object(bear) is not None
    assert scene.game.lki(10**6) is None
    assert scene.game.lki(0) is None


# ------------------------------------------------------------------------------------------------ by card and tick


def test_look_up_by_card_and_tick() -> None:
    """`lki(card, tick=t)` is the card's last departure at or before t: none before the first, the same between two.

    Kills: off by one at a departure's own tick, the nearest instead of the last, the newest always.
    """
    scene = Scene(["Bear", "Recall", "Grow", "Slay"], ["Zap"])
    scene.put(0, "Bear")
    scene.cast(0, "Recall", "Bear")
    scene.resolve()
    scene.put(0, "Bear")
    scene.cast(0, "Grow", "Bear")
    scene.resolve()
    scene.cast(0, "Slay", "Bear")
    scene.resolve()
    card = scene.card(0, "Bear")
    chain = departures(scene, card)
    assert len(chain) == 7
    assert scene.game.lki(card, tick=chain[0].tick - 1) is None
    ends = [*[record.tick for record in chain[1:]], scene.game.tick + 5]
    asked = 0
    for record, end in zip(chain, ends, strict=True):
        assert record.tick < end
        for tick in range(record.tick, end):
            assert scene.game.lki(card, tick=tick) == record
            asked += 1
    assert asked > len(chain)
    by_zone = {Zone.BATTLEFIELD: [r.power for r in chain if r.zone is Zone.BATTLEFIELD]}
    assert by_zone == {Zone.BATTLEFIELD: [2, 5]}


def test_look_up_by_card_keeps_cards_apart() -> None:
    """Two cards of one name are two cards; the second seat's are numbered behind the first's.

    Kills: look-ups by name or by seat.
    """
    scene = Scene(["Bear", "Slay"], ["Bear", "Slay"])
    mine, theirs = *scene.put(0, "Bear"), *scene.put(1, "Bear")
    scene.cast(1, "Slay", mine)
    scene.resolve()
    first = scene.game.tick
    scene.cast(0, "Slay", theirs)
    scene.resolve()
    cards = scene.card(0, "Bear"), scene.card(1, "Bear")
    assert cards == (0, 2)
    now = [scene.game.lki(card, tick=scene.game.tick) for card in cards]
    assert [record.id for record in now if record] == [mine, theirs]
    earlier = scene.game.lki(cards[1], tick=first)
    assert earlier is not None
    assert (earlier.zone, earlier.became) == (Zone.STACK, theirs)


# ------------------------------------------------------------------------------------------------ groups


@pytest.mark.parametrize(
    ("sweeper", "zone"), [("Wrath", Zone.GRAVEYARD), ("Exile All", Zone.EXILE), ("Recall All", Zone.HAND)]
)
def test_603_10_a_sweeper_is_one_event(sweeper: str, zone: Zone) -> None:
    """CR 603.10, 608.2f: all members share a tick and are recorded before any of them moves; what stays (an
    indestructible creature under Wrath) has no record.

    Kills: one event each, a group recorded while it moves, a record for what stayed.
    """
    scene = Scene(["Bear", "Muster", "Golem", "Grow"], ["Ogre", "Zap", sweeper], cards=CARDS)
    ids = scene.put(0, "Bear", "Muster", "Golem") + scene.put(1, "Ogre")
    scene.cast(0, "Grow", ids[0])
    scene.resolve()
    scene.cast(1, "Zap", ids[3])
    scene.resolve()
    before = [scene.obj(obj) for obj in ids]
    stays = [ids[2]] if sweeper == "Wrath" else []
    scene.put(1, sweeper)
    assert scene.game.zone(Zone.BATTLEFIELD) == stays
    records = [scene.game.lki(obj) for obj in ids if obj not in stays]
    assert all(record is not None for record in records)
    assert len({record.tick for record in records if record}) == 1
    for facts in before:
        record = scene.game.lki(facts.id)
        if facts.id in stays:
            assert record is None
        else:
            assert record is not None
            assert differences(record, facts) == {}
            assert record.zone_to is zone


def test_603_10_a_group_in_combat() -> None:
    """CR 603.10, 506.4: attackers with two blockers, all swept: the last one's record still has the combat in full.

    Kills: blocks that are lost when the attacker of the same group has moved.
    """
    scene = Scene(["Bear", "Ogre"], ["Wall", "Footman", "Exile All"], cards=CARDS)
    scene.put(0, "Bear", "Ogre")
    scene.put(1, "Wall", "Footman")
    scene.attack("Bear", "Ogre")
    scene.block({"Wall": "Ogre", "Footman": "Bear"})
    before = [scene.obj(name) for name in ("Bear", "Ogre", "Wall", "Footman")]
    scene.put(1, "Exile All")
    for facts in before:
        assert differences(scene.left(facts.id), facts) == {}
    assert scene.left("Wall").blocking == before[1].id
    assert scene.left("Footman").blocking == before[0].id


def test_704_3_deaths_in_one_check_and_departures_one_after_another() -> None:
    """CR 704.3, 608.2: one check is one event; two spells are two.

    Kills: a tick a turn, or a tick a card in a group.
    """
    scene = Scene(["Bear", "Footman", "Ogre", "Slay"], ["Sweep"])
    ids = scene.put(0, "Bear", "Footman", "Ogre")
    scene.put(1, "Sweep")
    scene.cast(0, "Slay", "Ogre")
    scene.resolve()
    ticks = [scene.left(obj).tick for obj in ids]
    assert ticks[0] == ticks[1] < ticks[2]
    assert [scene.left(obj).damage for obj in ids] == [2, 2, 2]


def test_701_17_a_mill_is_one_event() -> None:
    """CR 701.17a: the cards go together, from a hidden zone, each with a record.

    Kills: a card a tick, no records of hidden zones.
    """
    scene = Scene(["Mill"], [], later=(4, 0), cards=CARDS)
    top = scene.game.zone(Zone.LIBRARY, 0)[:3]
    scene.put(0, "Mill")
    records = [scene.left(obj, Zone.LIBRARY) for obj in top]
    assert len({record.tick for record in records}) == 1
    assert all(record.zone_to is Zone.GRAVEYARD for record in records)
    assert len(scene.game.zone(Zone.LIBRARY, 0)) == 1


def test_111_7_records_of_a_token() -> None:
    """CR 111.7, 400.7: two departures, from the battlefield and from the graveyard; no card to ask by.

    Kills: a token that vanishes without a record.
    """
    scene = Scene(["Muster", "Bless"], ["Slay"], cards=CARDS)
    token = scene.put(0, "Muster")[0]
    scene.cast(0, "Bless", token)
    scene.resolve()
    before = scene.obj(token)
    scene.cast(1, "Slay", token)
    scene.resolve()
    died = scene.left(token)
    assert differences(died, before) == {}
    assert died.flags & ObjectFlag.TOKEN
    ceased = scene.left(died.became, Zone.GRAVEYARD)
    assert (ceased.power, ceased.became, ceased.zone_to) == (1, 0, Zone.NONE)
    assert scene.game.object(died.became) is None
