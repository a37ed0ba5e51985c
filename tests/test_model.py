"""The reference model against examples worked by hand from the rules."""

from __future__ import annotations

import pytest

from lkicore.opcodes import CounterKind, Duration, HistoryKind, Keyword, Policy, TypeBit, Zone
from lkicore.reference import FACES, Answer, Model
from lkicore.reference.cards import NUMBER_OF
from lkicore.reference.policies import READS

# Cards of player 0 are 0..3 (ids 1..4): Bear 2/2, Bird 1/1 flying, Land, Wall 0/4; of player 1 4..7 (ids 5..8).
BEAR, BIRD, LAND, WALL = 1, 2, 3, 4
TOKEN = 4


@pytest.fixture
def game() -> Model:
    return Model(2, 4)


def dealt(*names: str, players: int = 2) -> tuple[Model, list[int]]:
    """A game in which all of player 0's cards of these names are on the battlefield."""
    game = Model(players, len(names), deck=[NUMBER_OF[f"Driver {name}"] for name in names])
    return game, game.move(list(range(1, len(names) + 1)), Zone.BATTLEFIELD)


def size(game: Model, object_id: int) -> tuple[int, int]:
    return facts(game, object_id)["power"], facts(game, object_id)["toughness"]


def enter(game: Model, *ids: int) -> list[int]:
    return game.move(list(ids), Zone.BATTLEFIELD)


def known(game: Model, object_id: int) -> dict:
    record = game.lki(object_id)
    assert record is not None
    return record


def facts(game: Model, object_id: int) -> dict:
    answer = game.facts(object_id)
    assert answer is not None
    return answer


# ---------------------------------------------------------------------------------------------- the beginning


def test_cards_begin_in_their_owners_libraries_in_order(game: Model) -> None:
    assert game.zone_list(Zone.LIBRARY, 0) == [1, 2, 3, 4]
    assert game.zone_list(Zone.LIBRARY, 1) == [5, 6, 7, 8]
    assert [facts(game, i)["timestamp"] for i in range(1, 9)] == list(range(1, 9))
    assert game.tick() == 1
    assert game.reachable() == set()


def test_faces(game: Model) -> None:
    assert [(f.power, f.toughness) for f in FACES[:5]] == [(2, 2), (1, 1), (0, 0), (0, 4), (1, 1)]
    assert facts(game, BIRD)["keywords"] == Keyword.FLYING
    assert facts(game, LAND)["types"] == TypeBit.LAND


# ---------------------------------------------------------------------------------------------- 400: zone changes


def test_400_7_a_zone_change_makes_a_new_object(game: Model) -> None:
    [bear] = enter(game, BEAR)
    assert bear == 9
    assert not game.live(BEAR)
    game.tap(bear)
    game.damage(bear, 1)
    game.counters(bear, CounterKind.P1P1, 2)
    game.pump(bear, 3, 3)
    game.control(bear, 1)
    assert (facts(game, bear)["power"], facts(game, bear)["toughness"]) == (7, 7)
    [exiled] = game.move([bear], Zone.EXILE)
    [again] = enter(game, exiled)
    new = facts(game, again)
    assert (new["power"], new["tapped"], new["damage"], new["counters"]) == (2, False, 0, (0, 0, 0, 0))
    assert new["controller"] == 0
    # ... and what acted on the old one can't act on the new one
    game.tap(bear)
    game.counters(bear, CounterKind.P1P1, 1)
    assert game.move([bear], Zone.HAND) == [0]
    assert facts(game, again) == new


def test_608_2h_the_record_is_the_object_just_before_it_left(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.tap(bear)
    game.damage(bear, 1)
    game.counters(bear, CounterKind.P1P1, 2)
    game.counters(bear, CounterKind.M1M1, 1)
    game.pump(bear, 3, 0)
    game.control(bear, 1)
    [dead] = game.move([bear], Zone.GRAVEYARD)
    assert known(game, bear) == {
        "id": bear,
        "tick": 3,
        "zone": Zone.BATTLEFIELD,
        "zone_to": Zone.GRAVEYARD,
        "owner": 0,
        "controller": 1,
        "power": 6,
        "toughness": 3,
        "damage": 1,
        "tapped": True,
        "types": TypeBit.CREATURE,
        "subtypes": ("Bear",),
        "colors": FACES[0].colors,
        "keywords": 0,
        "abilities": (),
        "name": "Driver Bear",
        "counters": (2, 1, 0, 0),
        "attached_to": 0,
        "attachments": (),
        "blocks": 0,
        "became": dead,
        "card": 0,
    }
    assert game.lki(dead) is None, "it has not departed"
    assert game.lki(99) is None


def test_400_3_a_stolen_permanent_goes_to_its_owners_graveyard(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.control(bear, 1)
    [dead] = game.move([bear], Zone.GRAVEYARD)
    assert game.zone_list(Zone.GRAVEYARD, 0) == [dead]
    assert game.zone_list(Zone.GRAVEYARD, 1) == []
    assert facts(game, dead)["controller"] == 0, "CR 108.4: nobody controls it there; asked for, it is its owner"


def test_order_within_zones(game: Model) -> None:
    a, b = game.move([1, 2], Zone.GRAVEYARD)
    [c] = game.move([3], Zone.GRAVEYARD)
    assert game.zone_list(Zone.GRAVEYARD, 0) == [a, b, c]
    back = game.move([a, c], Zone.LIBRARY)
    assert game.zone_list(Zone.LIBRARY, 0) == [back[1], back[0], WALL]
    everyone = enter(game, 5, WALL)
    assert game.zone_list(Zone.BATTLEFIELD, 0) == game.zone_list(Zone.BATTLEFIELD, 1) == everyone


def test_400_8_an_exiled_object_that_is_exiled_becomes_new(game: Model) -> None:
    [a] = game.move([1], Zone.EXILE)
    [b] = game.move([a], Zone.EXILE)
    assert b not in (a, 0)
    assert known(game, a)["became"] == b
    [c] = game.move([b], Zone.HAND)
    assert game.move([c], Zone.HAND) == [0], "being put where it is already is no zone change"
    assert game.live(c)


def test_what_does_not_move_is_left_out(game: Model) -> None:
    assert game.move([1, 1, 99, 2], Zone.HAND) == [9, 0, 0, 10]
    assert game.move([1, 99], Zone.HAND) == [0, 0]
    assert game.tick() == 2, "nothing departed: no event"
    with pytest.raises(ValueError, match="no zone"):
        game.move([9], Zone.NONE)


# ---------------------------------------------------------------------------------------------- groups and look-ups


def test_603_10_a_group_is_recorded_before_any_of_it_moves() -> None:
    game, [bear, bird, wall] = dealt("Bear", "Blade", "Wall")
    game.attach(bird, bear)
    before = {i: facts(game, i) for i in (bear, bird, wall)}
    moved = game.move([bear, bird], Zone.GRAVEYARD)
    group = game.records.group(game.tick())
    assert [record.id for record in group] == [bear, bird]
    assert [record.became for record in group] == moved
    assert known(game, bird)["attached_to"] == bear, "both were there when both left"
    for i in (bear, bird):
        for key in ("power", "toughness", "controller", "tapped", "counters", "attached_to"):
            assert known(game, i)[key] == before[i][key]
    assert game.lki(wall) is None


def test_704_consecutive_events_have_ticks_of_their_own(game: Model) -> None:
    bear, bird = enter(game, BEAR, BIRD)
    game.move([bear], Zone.GRAVEYARD)
    game.move([bird], Zone.GRAVEYARD)
    assert known(game, bear)["tick"] < known(game, bird)["tick"]


def test_look_up_by_card_and_tick_finds_the_last_departure_until_then(game: Model) -> None:
    at = [BEAR]
    for zone in (Zone.BATTLEFIELD, Zone.GRAVEYARD, Zone.BATTLEFIELD, Zone.HAND):
        at += game.move(at[-1:], zone)
    assert [known(game, i)["tick"] for i in at[:-1]] == [2, 3, 4, 5]
    assert game.lki_at(0, 1) is None
    for tick in range(2, 6):
        record = game.lki_at(0, tick)
        assert record is not None
        assert record["id"] == at[tick - 2]
    last = game.lki_at(0, 1000)
    assert last is not None
    assert (last["id"], last["became"]) == (at[3], at[4])
    assert game.lki_at(1, 1000) is None


# ---------------------------------------------------------------------------------------------- tokens


def test_111_7_a_token_that_left_ceases_to_exist_and_stays_known(game: Model) -> None:
    token = game.token(1, TOKEN)
    assert facts(game, token)["controller"] == facts(game, token)["owner"] == 1
    game.counters(token, CounterKind.P1P1, 1)
    [dead] = game.move([token], Zone.GRAVEYARD)
    assert game.zone_list(Zone.GRAVEYARD, 1) == [dead], "CR 111.7: first it goes there"
    assert game.cease() == 1
    assert game.zone_list(Zone.GRAVEYARD, 1) == []
    assert not game.live(dead)
    assert (known(game, token)["power"], known(game, token)["card"]) == (2, -1)
    assert (known(game, dead)["zone_to"], known(game, dead)["became"]) == (Zone.NONE, 0)
    assert game.cease() == 0


def test_111_7_tokens_cease_in_one_group(game: Model) -> None:
    tokens = [game.token(0, TOKEN) for _ in range(3)]
    game.move(tokens[:2], Zone.GRAVEYARD)
    game.move(tokens[2:], Zone.HAND)
    tick = game.tick()
    assert game.cease() == 3
    assert game.tick() == tick + 1
    assert len(game.records.group(tick + 1)) == 3


def test_111_8_a_token_that_left_moves_no_more(game: Model) -> None:
    token = game.token(0, TOKEN)
    [exiled] = game.move([token], Zone.EXILE)
    assert game.move([exiled], Zone.BATTLEFIELD) == [0]
    assert game.move([exiled], Zone.EXILE) == [0]
    assert game.zone_list(Zone.BATTLEFIELD, 0) == []
    assert game.live(exiled)


# ---------------------------------------------------------------------------------------------- abilities, 608.2


def test_113_7a_an_ability_is_independent_of_its_source(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.counters(bear, CounterKind.P1P1, 3)
    ability = game.ability(bear, [])
    assert game.zone_list(Zone.STACK, 0) == [ability]
    assert facts(game, ability)["types"] == 0
    game.pump(bear, 2, -1)
    game.tap(bear)
    game.damage(bear, 4)
    game.move([bear], Zone.GRAVEYARD)
    assert game.resolve()[:-1] == [Answer(2, 7, 4, 0, 4, 3, 1, Zone.BATTLEFIELD)], "as it last existed"
    assert known(game, ability)["zone_to"] == Zone.NONE
    assert not game.live(ability)
    assert game.resolve() == []


def test_608_2h_a_source_that_is_still_there_is_read_now(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.ability(bear, [])
    game.counters(bear, CounterKind.P1P1, 1)
    game.control(bear, 1)
    assert game.resolve()[:-1] == [Answer(1, 3, 3, 1, 0, 1, 0, Zone.BATTLEFIELD)]


def test_400_7_a_source_that_came_back_is_not_that_source(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.counters(bear, CounterKind.P1P1, 1)
    game.ability(bear, [])
    [exiled] = game.move([bear], Zone.EXILE)
    [again] = enter(game, exiled)
    game.counters(again, CounterKind.P1P1, 5)
    assert game.resolve()[:-1] == [Answer(2, 3, 3, 0, 0, 1, 0, Zone.BATTLEFIELD)]


def test_113_8_an_ability_of_a_source_that_left_has_its_last_controller(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.control(bear, 1)
    game.move([bear], Zone.GRAVEYARD)
    assert facts(game, game.ability(bear, []))["controller"] == 1
    assert game.ability(99, []) == 0


def test_608_2b_nothing_is_known_of_a_target_that_left(game: Model) -> None:
    bear, bird, wall = enter(game, BEAR, BIRD, WALL)
    game.ability(bear, [bird, wall])
    [card] = game.move([bird], Zone.GRAVEYARD)
    enter(game, card)
    game.damage(wall, 3)
    assert game.resolve()[1:-1] == [Answer(), Answer(1, 0, 4, 0, 3, 0, 0, Zone.BATTLEFIELD)]


def test_115_1_what_is_not_there_is_not_targeted(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.ability(bear, [BEAR, 99, bear, bear])
    assert len(game.resolve()) == 3, "its source, one target, and what else it asks"


def test_abilities_resolve_last_in_first_out(game: Model) -> None:
    bear, wall = enter(game, BEAR, WALL)
    game.ability(bear, [])
    game.ability(wall, [])
    assert [game.resolve()[0][2] for _ in range(2)] == [4, 2]


def test_604_7_static_abilities_do_not_use_last_known_information(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.move([bear], Zone.GRAVEYARD)
    assert game.read(bear, Policy.LIVE_ONLY) == Answer()
    assert game.read(bear, Policy.RULE_LKI).where == 2
    assert game.read(99, Policy.LIVE_THEN_LKI) == Answer()
    with pytest.raises(ValueError, match="PREVIEW"):
        game.read(bear, Policy.PREVIEW)


def test_an_ability_can_not_change_zones(game: Model) -> None:
    ability = game.ability(BEAR, [])
    assert game.move([ability], Zone.HAND) == [0]
    assert game.live(ability)


# ---------------------------------------------------------------------------------------------- values and actions


def test_208_3_what_is_no_creature_has_no_power(game: Model) -> None:
    [land] = enter(game, LAND)
    game.pump(land, 3, 3)
    game.counters(land, CounterKind.P1P1, 1)
    game.damage(land, 2)
    assert (facts(game, land)["power"], facts(game, land)["toughness"], facts(game, land)["damage"]) == (0, 0, 0)
    assert facts(game, land)["counters"] == (1, 0, 0, 0)


def test_actions_need_a_permanent(game: Model) -> None:
    before = facts(game, BEAR)
    game.tap(BEAR)
    game.damage(BEAR, 1)
    game.counters(BEAR, CounterKind.CHARGE, 1)
    game.control(BEAR, 1)
    game.attach(BEAR, BIRD)
    game.pump(BEAR, 1, 1)
    assert facts(game, BEAR) == before


def test_122_counters_do_not_go_below_none(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.counters(bear, CounterKind.CHARGE, 2)
    game.counters(bear, CounterKind.CHARGE, -5)
    game.counters(bear, CounterKind.LOYALTY, 1)
    assert facts(game, bear)["counters"] == (0, 0, 1, 0)


def test_107_1b_power_may_be_negative(game: Model) -> None:
    [wall] = enter(game, WALL)
    game.counters(wall, CounterKind.M1M1, 2)
    game.pump(wall, -1, 0)
    assert (facts(game, wall)["power"], facts(game, wall)["toughness"]) == (-3, 2)


def test_514_2_effects_end_and_damage_wears_off(game: Model) -> None:
    [bear] = enter(game, BEAR)
    game.pump(bear, 2, 2)
    game.damage(bear, 3)
    game.counters(bear, CounterKind.P1P1, 1)
    game.end_turn()
    assert (facts(game, bear)["power"], facts(game, bear)["damage"]) == (3, 0)


def test_613_7e_attaching_gives_a_new_timestamp() -> None:
    game, [blade, bird, land] = dealt("Blade", "Bird", "Land")
    first = facts(game, blade)["timestamp"]
    assert first < facts(game, bird)["timestamp"], "those that enter together come in the order given"
    game.attach(blade, bird)
    then = facts(game, blade)["timestamp"]
    assert then > facts(game, bird)["timestamp"]
    assert game.zone_list(Zone.BATTLEFIELD, 0) == [bird, land, blade]
    game.attach(blade, bird)
    game.attach(blade, blade)
    game.attach(blade, land)
    game.attach(bird, blade)
    assert facts(game, blade)["timestamp"] == then
    assert facts(game, blade)["attached_to"] == bird
    assert facts(game, bird)["attached_to"] == 0
    game.attach(blade, 0)
    assert facts(game, blade)["attached_to"] == 0


# ---------------------------------------------------------------------------------------------- layers


def begin(game: Model, name: str, object_id: int, x: int = 0, y: int = 0, **how: int) -> None:
    duration, player, source = how.get("duration", Duration.PERMANENT), how.get("player", 0), how.get("source", 0)
    game.effect(name, object_id, x, y, duration, player, source)


def test_613_4_sizes_are_set_before_they_are_changed_and_switched_last() -> None:
    game, [bear] = dealt("Bear")
    begin(game, "switch", bear)
    begin(game, "pump", bear, 3, 0)
    game.counters(bear, CounterKind.P1P1, 1)
    begin(game, "set size", bear, 0, 1)
    assert size(game, bear) == (2, 4), "0/1, then +3/+0 and a counter, then switched"


def test_613_7_in_a_layer_the_later_effect_is_applied_later() -> None:
    game, [bird] = dealt("Bird")
    begin(game, "gag", bird)
    assert facts(game, bird)["keywords"] == 0
    begin(game, "fly", bird)
    assert facts(game, bird)["keywords"] == Keyword.FLYING
    begin(game, "land", bird)
    assert facts(game, bird)["keywords"] == 0


def test_613_1f_what_has_lost_its_abilities_has_no_effect_in_later_layers() -> None:
    game, [lord, bear] = dealt("Lord", "Bear")
    assert size(game, bear) == (3, 3)
    begin(game, "gag", lord, duration=Duration.END_OF_TURN)
    assert (size(game, bear), facts(game, lord)["abilities"]) == ((2, 2), ())
    game.end_turn()
    assert (size(game, bear), facts(game, lord)["abilities"]) == ((3, 3), ("lord",))


def test_613_6_an_effect_that_has_begun_goes_on_though_its_ability_is_gone() -> None:
    game, [awakener, land, leveler] = dealt("Awakener", "Land", "Leveler")
    assert facts(game, land)["types"] == TypeBit.LAND | TypeBit.CREATURE
    assert facts(game, awakener)["abilities"] == ()
    assert size(game, land) == (1, 1), "set to 1/2 by the earlier Awakener, to 1/1 by the Leveler"
    [again] = game.move(game.move([awakener], Zone.EXILE), Zone.BATTLEFIELD)
    assert (size(game, land), facts(game, again)["abilities"]) == ((1, 2), ())
    assert leveler


def test_613_8_a_lord_of_types_waits_for_what_changes_types() -> None:
    game, [forge, mason, bear] = dealt("Forge", "Mason", "Bear")
    assert facts(game, bear)["types"] == TypeBit.CREATURE | TypeBit.ARTIFACT, "the later Mason makes it a Wall first"
    game.move([mason], Zone.EXILE)
    assert facts(game, bear)["types"] == TypeBit.CREATURE
    assert forge


def test_611_2c_an_effect_applies_to_no_new_object() -> None:
    game, [bear] = dealt("Bear")
    begin(game, "pump", bear, 2, 2)
    [again] = game.move(game.move([bear], Zone.EXILE), Zone.BATTLEFIELD)
    assert size(game, again) == (2, 2)
    assert known(game, bear)["power"] == 4


def test_613_1b_control_falls_back_to_earlier_effects_and_then_to_the_owner() -> None:
    game, [bear] = dealt("Bear", players=3)
    begin(game, "control", bear, player=1)
    begin(game, "control", bear, player=2, duration=Duration.END_OF_TURN)
    assert facts(game, bear)["controller"] == 2
    game.end_turn()
    assert facts(game, bear)["controller"] == 1
    [dead] = game.move([bear], Zone.GRAVEYARD)
    assert (known(game, bear)["controller"], facts(game, dead)["controller"]) == (1, 0)


def test_611_2b_an_effect_lasts_as_long_as_what_it_speaks_of() -> None:
    game, [bear, wall] = dealt("Bear", "Wall")
    begin(game, "pump", bear, 1, 1, duration=Duration.WHILE_TAPPED, source=wall)
    assert size(game, bear) == (2, 2), "it would end before it begins"
    game.tap(wall)
    begin(game, "pump", bear, 1, 1, duration=Duration.WHILE_TAPPED, source=wall)
    begin(game, "pump", bear, 2, 2, duration=Duration.WHILE_CONTROLLED, source=wall)
    begin(game, "pump", bear, 4, 4, duration=Duration.WHILE_SOURCE, source=wall)
    assert size(game, bear) == (9, 9)
    game.untap(wall)
    game.tap(wall)
    assert size(game, bear) == (8, 8), "what has ended does not begin again"
    game.control(wall, 1)
    assert size(game, bear) == (6, 6)
    game.move([wall], Zone.HAND)
    assert size(game, bear) == (2, 2)


def test_707_2_a_copy_has_copiable_values_alone() -> None:
    game, [bird, lord] = dealt("Bird", "Lord")
    begin(game, "fade", lord)
    game.counters(lord, CounterKind.P1P1, 3)
    game.become_copy(bird, lord, Duration.END_OF_TURN)
    assert (facts(game, bird)["name"], size(game, bird), facts(game, bird)["colors"]) == ("Driver Lord", (3, 3), 1)
    game.move([lord], Zone.GRAVEYARD)
    token = game.copy_token(1, lord)
    assert (facts(game, token)["name"], facts(game, token)["controller"]) == ("Driver Lord", 1), "as it last was"
    game.move([bird], Zone.GRAVEYARD)
    assert (known(game, bird)["name"], known(game, bird)["abilities"]) == ("Driver Lord", ("lord",))
    assert game.copy_token(0, game.ability(token, [])) == 0


def test_604_3_an_ability_defines_the_size_in_every_zone() -> None:
    game, [swarm, bear] = dealt("Swarm", "Bear")
    assert size(game, swarm) == (2, 2)
    [dead] = game.move([swarm], Zone.GRAVEYARD)
    assert (known(game, swarm)["power"], size(game, dead)) == (2, (1, 1))
    game.move([dead], Zone.EXILE)
    assert known(game, dead)["power"] == 1
    game.become_copy(bear, swarm, Duration.PERMANENT, "size")
    assert (size(game, bear), facts(game, bear)["abilities"]) == ((7, 6), ()), "CR 707.9d"
    begin(game, "gag", bear)
    assert size(game, bear) == (7, 6)


def test_603_10_a_lord_and_what_it_boosts_leave_together_or_one_after_the_other() -> None:
    for together in (True, False):
        game, [lord, bear] = dealt("Lord", "Bear")
        for group in [[lord, bear]] if together else [[lord], [bear]]:
            game.move(group, Zone.GRAVEYARD)
        assert known(game, bear)["power"] == (3 if together else 2)


def test_attachments_go_with_the_values_of_what_they_are_attached_to() -> None:
    game, [bear, blade] = dealt("Bear", "Blade")
    game.attach(blade, bear)
    game.ability(blade, [])
    game.move([bear], Zone.GRAVEYARD)
    assert (known(game, bear)["power"], known(game, bear)["keywords"]) == (4, Keyword.TRAMPLE)
    game.move([blade], Zone.GRAVEYARD)
    assert asked(game.resolve(), "host") == 4, "the last known host, as it last was (CR 608.2h)"


def test_702_16_nothing_protected_from_its_colors_is_equipped() -> None:
    game, [knight, gag, bear] = dealt("Knight", "Gag", "Bear")
    begin(game, "knight", bear)
    game.attach(gag, knight)
    assert facts(game, gag)["attached_to"] == knight, "it is red, and the protection is from green"
    game.attach(gag, 0)
    assert facts(game, knight)["abilities"] == ("protection from green",)


# ---------------------------------------------------------------------------------------------- policies


def asked(answers: list, name: str) -> int | None:
    """The answer to one of the questions that a resolving ability asks."""
    return answers[-1][[read.name for read in READS].index(name)]


def test_608_2h_what_was_paid_as_a_cost_is_known_as_it_last_was() -> None:
    game, [bear, wall] = dealt("Bear", "Wall")
    game.counters(bear, CounterKind.P1P1, 2)
    game.ability(wall, [], 0, 3, [bear])
    assert not game.live(bear)
    answers = game.resolve()
    assert (asked(answers, "paid"), asked(answers, "x")) == (4, 3)


def test_608_2b_legality_is_looked_at_again_with_the_source_as_it_last_was() -> None:
    game, [bear, bird] = dealt("Bear", "Bird")
    game.ability(bear, [bird], 2)  # a creature with less power
    game.pump(bird, 2, 0)
    game.move([bear], Zone.GRAVEYARD)
    assert game.resolve() == [], "the last known 2 is not more than 3: no legal target"
    game, [bear, bird] = dealt("Bear", "Bird")
    game.ability(bear, [bird], 2)
    game.move([bear], Zone.GRAVEYARD)
    assert asked(game.resolve(), "legal") == 1


def test_702_16b_protection_from_the_last_known_color_of_a_source() -> None:
    game, [bear, knight] = dealt("Bear", "Knight")
    game.ability(bear, [knight])
    assert asked(game.resolve(), "legal") == 0, "green is no color that it can be targeted by"
    begin(game, "redden", bear)
    game.ability(bear, [knight])
    game.move([bear], Zone.GRAVEYARD)
    assert asked(game.resolve(), "legal") == 1, "it was red as it left"


def test_702_11b_hexproof_against_opponents_only() -> None:
    game, [ghost, bear] = dealt("Ghost", "Bear")
    game.ability(bear, [ghost])
    assert asked(game.resolve(), "legal") == 1
    game.ability(bear, [ghost])
    game.control(ghost, 1)
    assert game.resolve() == []


def test_702_2e_whether_a_source_that_left_had_a_keyword() -> None:
    game, [bird] = dealt("Bird")
    begin(game, "gag", bird)
    game.ability(bird, [])
    game.move([bird], Zone.GRAVEYARD)
    assert asked(game.resolve(), "flying") == 0, "the card flies, but the creature did not"


def test_608_2i_what_happened_to_objects_that_are_gone() -> None:
    game, [bear, land, wall] = dealt("Bear", "Land", "Wall")
    for each in (bear, land, wall):
        game.log(HistoryKind.DIED, each, 0, 0, 0)
    begin(game, "petrify", wall)
    game.move([bear, land, wall], Zone.EXILE)
    game.ability(land, [])
    assert asked(game.resolve(), "died") == 1, "the Bear was a creature as it left"


# ---------------------------------------------------------------------------------------------- triggered abilities


def test_603_10a_what_leaves_together_sees_each_other_leave() -> None:
    game, [watcher, lord, bear] = dealt("Watcher", "Lord", "Bear")
    assert game.react()[0] == "greets", "the Bear entered together with the Lord, as a 3/3"
    game.move([watcher, bear], Zone.GRAVEYARD)
    heard = [game.react() for _ in range(4)]
    assert [(t[0], t[3].power) for t in heard if t] == [("mourns", 2), ("misses", 2), ("mourns", 3), ("misses", 3)]
    assert game.react() == ()
    game.move([lord], Zone.GRAVEYARD)
    assert game.react() == ()


def test_603_6d_what_enters_is_seen_with_continuous_effects_applied() -> None:
    game, [watcher, lord] = dealt("Watcher", "Lord")
    [dead] = game.move([lord], Zone.GRAVEYARD)
    while game.react():
        pass
    game.token(0, NUMBER_OF["Driver Bear"])
    assert game.react() == ()
    [back] = game.move([dead], Zone.BATTLEFIELD)
    assert game.react() == (), "the Lord itself is 2/2"
    bear = game.token(0, NUMBER_OF["Driver Bear"])
    heard = game.react()
    assert (heard[0], heard[3].power) == ("greets", 3)
    assert (watcher, back, bear) == (watcher, back, bear)


# ---------------------------------------------------------------------------------------------- players who leave


def test_800_4a_what_a_player_owns_leaves_together_and_what_was_controlled_is_exiled() -> None:
    game, [lord, bear] = dealt("Lord", "Bear", players=3)
    theirs = game.token(1, NUMBER_OF["Driver Bear"])
    game.control(lord, 1)
    game.effect("control", theirs, 0, 0, Duration.PERMANENT, 0)
    ability = game.ability(bear, [])
    tick = game.tick()
    assert game.leave(0)
    gone = game.records.group(tick + 1)
    assert {lord, bear, ability} <= {record.id for record in gone}
    assert known(game, lord)["controller"] == 1
    assert facts(game, theirs)["controller"] == 1, "the effect that gave control has ended"
    assert not game.abilities
    assert not game.leave(1), "one of two who are left: the game is over"


def test_800_4a_what_is_controlled_last_is_exiled() -> None:
    game = Model(3, 1, deck=[NUMBER_OF["Driver Leash"], NUMBER_OF["Driver Bear"], NUMBER_OF["Driver Bear"]])
    leash, bear, other = game.move([1, 2, 3], Zone.BATTLEFIELD)
    game.control(leash, 1)
    game.attach(leash, other)
    assert facts(game, other)["controller"] == 1
    tick = game.tick()
    game.leave(1)
    assert facts(game, leash)["controller"] == 0
    assert facts(game, other)["controller"] == 0
    assert (game.live(bear), game.tick()) == (False, tick + 1)


def test_800_4i_the_last_known_life_and_hand_of_a_player() -> None:
    game = Model(3, 2, deck=[NUMBER_OF["Driver Bear"]])
    game.move([2], Zone.HAND)
    [bear] = game.move([1], Zone.BATTLEFIELD)
    game.control(bear, 1)
    game.life(0, -3)
    game.ability(bear, [])
    game.leave(0)
    game.life(0, 5)
    answers = game.resolve()
    assert (asked(answers, "life"), asked(answers, "hand")) == (17, 1)


# ---------------------------------------------------------------------------------------------- reachability


def test_what_the_stack_refers_to_is_reachable_until_it_resolves(game: Model) -> None:
    bear, bird = enter(game, BEAR, BIRD)
    game.ability(bear, [bird])
    assert game.reachable() == set(), "they are live"
    game.move([bear, bird], Zone.GRAVEYARD)
    assert game.reachable() == {bear, bird}
    game.resolve()
    assert game.reachable() == set()
    assert game.lki(bear), "the model never forgets"


def test_a_permanent_and_its_record_refer_to_what_they_were_attached_to() -> None:
    game, [bear, blade, wall] = dealt("Bear", "Blade", "Wall")
    game.attach(blade, bear)
    game.move([bear], Zone.GRAVEYARD)
    assert game.reachable() == {bear}
    assert facts(game, blade)["attached_to"] == bear
    game.ability(blade, [])
    game.move([blade], Zone.GRAVEYARD)
    assert game.reachable() == {bear, blade}, "the ability can ask what its source was attached to"
    game.resolve()
    assert game.reachable() == set()
    assert game.live(wall)


def test_the_source_of_an_effect_is_reachable_while_it_applies(game: Model) -> None:
    bear, bird, wall = enter(game, BEAR, BIRD, WALL)
    game.pump(bear, 1, 1, bird)
    game.pump(wall, 1, 1, bird)
    game.move([bird], Zone.GRAVEYARD)
    assert game.reachable() == {bird}
    game.move([bear], Zone.GRAVEYARD)
    assert game.reachable() == {bird}
    game.end_turn()
    assert game.reachable() == set()


def test_608_2i_history_is_asked_about_this_turn_and_the_last(game: Model) -> None:
    bear, bird = enter(game, BEAR, BIRD)
    game.log(HistoryKind.DAMAGE_OBJECT, bear, bird, 0, 2)
    game.move([bear, bird], Zone.GRAVEYARD)
    assert game.reachable() == {bear, bird}
    game.next_turn()
    assert game.reachable() == {bear, bird}
    game.next_turn()
    assert game.reachable() == set()


def test_608_2h_a_departed_host_knows_what_was_attached_to_it() -> None:
    """What was attached to it becomes unattached a moment later; it was attached then, and as it was then."""
    game, [blade, bird] = dealt("Blade", "Bird")
    game.attach(blade, bird)
    game.control(blade, 1)
    game.move([bird], Zone.GRAVEYARD)
    assert known(game, bird)["attachments"] == ((blade, 1, 0, 0),)
    game.control(blade, 0)
    assert known(game, bird)["attachments"] == ((blade, 1, 0, 0),)
