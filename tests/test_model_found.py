"""What random play of the core against the model has found, each as a short sequence for both."""

from __future__ import annotations

import pytest

from lkicore.opcodes import Duration, Keyword, TypeBit, Zone
from lkicore.reference import Model, Pair
from lkicore.reference.cards import NUMBER_OF
from lkicore.reference.drive import core


def dealt(*names: str) -> tuple[Pair, list[int]]:
    """A game of two in which all of player 0's cards of these names are on the battlefield."""
    deck = [NUMBER_OF[f"Driver {name}"] for name in names]
    pair = Pair(Model(2, len(names), deck=deck), core()(2, len(names), deck=deck))
    return pair, pair.call("move", list(range(1, len(names) + 1)), int(Zone.BATTLEFIELD))


def now(pair: Pair, object_id: int, what: str) -> object:
    """A fact on which both agree."""
    pair.check_all()
    facts = pair.subject.facts(object_id)
    assert facts is not None
    return facts[what]


def begin(pair: Pair, name: str, object_id: int, duration: Duration = Duration.PERMANENT, player: int = 0) -> None:
    pair.call("effect", name, object_id, 3, 3, int(duration), player, 0)


def test_400_7_a_token_that_has_become_a_copy_is_what_it_was_made_as_where_it_goes() -> None:
    pair, [lord] = dealt("Lord")
    token = pair.call("token", 0, NUMBER_OF["Driver Bird"])
    pair.call("become_copy", token, lord, int(Duration.PERMANENT))
    assert now(pair, token, "name") == "Driver Lord"
    [dead] = pair.call("move", [token], int(Zone.GRAVEYARD))
    assert now(pair, dead, "name") == "Driver Bird"
    pair.check_lki(token)


def test_613_2a_a_copy_effect_that_makes_it_what_it_is_by_itself_hides_the_one_before_only_while_it_lasts() -> None:
    pair, [bear, bird, other] = dealt("Bear", "Bird", "Bear")
    pair.call("become_copy", bear, bird, int(Duration.PERMANENT))
    pair.call("become_copy", bear, other, int(Duration.END_OF_TURN))
    assert now(pair, bear, "name") == "Driver Bear"
    pair.call("end_turn")
    assert now(pair, bear, "name") == "Driver Bird"


def test_613_2a_an_equipment_that_has_become_a_copy_gives_its_host_nothing_more() -> None:
    pair, [blade, bear, bird] = dealt("Blade", "Bear", "Bird")
    pair.call("attach", blade, bear)
    pair.call("become_copy", blade, bird, int(Duration.END_OF_TURN))
    assert now(pair, bear, "power") == 2
    pair.call("end_turn")
    assert now(pair, bear, "power") == 4


def test_614_12_what_enters_together_does_not_make_it_large_enough() -> None:
    pair, [gate, lord, bear] = dealt("Gate", "Lord", "Bear")
    assert now(pair, bear, "counters") == (0, 0, 0, 0)
    back = pair.call("move", [lord, bear], int(Zone.HAND))
    lord, bear = pair.call("move", back, int(Zone.BATTLEFIELD))
    assert now(pair, bear, "counters") == (0, 0, 0, 0), "the Lord's effect did not exist before"
    [bear] = pair.call("move", pair.call("move", [bear], int(Zone.HAND)), int(Zone.BATTLEFIELD))
    assert now(pair, bear, "counters") == (1, 0, 0, 0)
    assert gate


def test_205_1a_creature_types_go_with_the_type() -> None:
    pair, [bear] = dealt("Bear")
    begin(pair, "petrify", bear)
    assert now(pair, bear, "subtypes") == ()
    begin(pair, "animate", bear)
    assert now(pair, bear, "types") == TypeBit.CREATURE
    assert now(pair, bear, "subtypes") == ()


@pytest.mark.parametrize("equipment", [False, True])
def test_613_8a_an_ability_gained_in_layer_6_does_nothing_there_if_it_is_lost_there_later(equipment: bool) -> None:
    pair, [bird, bear, gag] = dealt("Wall", "Bear", "Gag")
    begin(pair, "herald", bird)
    assert now(pair, bear, "keywords") == 1
    if equipment:
        pair.call("attach", gag, bird)
    else:
        begin(pair, "gag", bird)
    assert now(pair, bear, "keywords") == 0
    assert now(pair, bird, "abilities") == ()


def test_613_8_whom_an_ability_gives_control_waits_for_who_controls_its_source() -> None:
    pair, [bear, leash] = dealt("Bear", "Leash")
    pair.call("attach", leash, bear)
    begin(pair, "control", bear, player=0)
    begin(pair, "control", leash, player=1)
    assert now(pair, leash, "controller") == 1
    assert now(pair, bear, "controller") == 1, "its effect is applied just after the one on the Leash"
    begin(pair, "control", bear, player=0)
    assert now(pair, bear, "controller") == 0, "that one is applied later still"


def test_613_8_two_that_give_control_of_each_other_go_by_timestamp() -> None:
    pair, [one, two, bear] = dealt("Leash", "Leash", "Bear")
    pair.call("become_copy", one, bear, int(Duration.END_OF_TURN))
    pair.call("attach", two, one)
    pair.call("end_turn")
    pair.call("become_copy", two, bear, int(Duration.END_OF_TURN))
    pair.call("attach", one, two)
    pair.call("end_turn")
    assert (now(pair, one, "attached_to"), now(pair, two, "attached_to")) == (two, one)
    begin(pair, "control", one, player=1)
    begin(pair, "control", two, player=0)
    pair.check_all()


def test_613_8a_what_would_only_matter_after_a_third_effect_is_not_waited_for() -> None:
    """The Mason's ability would add nothing to the Forge's, as long as the Bird is no Bear."""
    pair, [forge, bird, mason] = dealt("Forge", "Bird", "Mason")
    begin(pair, "bear", bird)
    assert now(pair, bird, "subtypes") == ("Bear", "Bird", "Wall")
    assert now(pair, bird, "types") == TypeBit.CREATURE
    [again] = pair.call("move", pair.call("move", [forge], int(Zone.EXILE)), int(Zone.BATTLEFIELD))
    assert now(pair, bird, "types") == TypeBit.CREATURE | TypeBit.ARTIFACT
    assert again
    assert mason


def test_613_8a_an_unattached_equipment_is_not_waited_for() -> None:
    pair, [choir, wall, bear, gag] = dealt("Choir", "Wall", "Bear", "Gag")
    begin(pair, "herald", wall)
    assert now(pair, bear, "keywords") == 1, "it flies, but not yet as the Choir's ability was applied"
    assert choir
    assert gag


def test_613_8_what_takes_abilities_away_and_is_taken_away_itself_takes_nothing() -> None:
    """The Leveler takes the Gag's ability away, as that is a creature, and so the Lord keeps its own."""
    pair, [gag, lord, bear, leveler] = dealt("Gag", "Lord", "Bear", "Leveler")
    [leveler] = pair.call("move", [leveler], int(Zone.HAND))
    pair.call("attach", gag, lord)
    begin(pair, "petrify", lord)
    begin(pair, "animate", gag)
    assert now(pair, bear, "power") == 2
    pair.call("move", [leveler], int(Zone.BATTLEFIELD))
    assert now(pair, gag, "abilities") == ()
    assert now(pair, lord, "abilities") == ("lord",)
    assert now(pair, bear, "power") == 2, "the Leveler's 1/1, and the Lord's +1/+1"


def test_613_8_what_waits_for_an_ability_that_is_lost_later_waits_until_then() -> None:
    """The Choir's effect depends on the Herald's, and that on the gag: one that begins before the gag comes first."""
    pair, [choir, bear, herald] = dealt("Choir", "Bear", "Herald")
    begin(pair, "herald", bear)
    begin(pair, "gag", herald)
    assert now(pair, herald, "abilities") == ()
    assert now(pair, bear, "keywords") == Keyword.FLYING | Keyword.LIFELINK
    assert choir


def test_613_8_an_ability_waits_for_what_would_take_it_away_even_if_that_is_lost_first() -> None:
    """The Levelers that are creatures wait for the third one, and that for the gag. Then they go by timestamp."""
    pair, [one, two, bear, third] = dealt("Leveler", "Leveler", "Bear", "Leveler")
    begin(pair, "animate", one)
    begin(pair, "animate", two)
    begin(pair, "lead", one)
    assert now(pair, bear, "power") == 2
    begin(pair, "gag", third)
    assert now(pair, one, "abilities") == (), "what it gained before the gag goes, too"
    assert now(pair, two, "abilities") == ()
    assert now(pair, bear, "power") == 1


def test_613_8_what_leaves_may_have_been_why_one_effect_waited_for_another() -> None:
    """The Forge's effect waits for the Mason's while that does something to the first Bear."""
    pair, [forge, bird, mason, first] = dealt("Forge", "Bird", "Mason", "Bear")
    begin(pair, "bear", bird)
    assert now(pair, bird, "types") == TypeBit.CREATURE | TypeBit.ARTIFACT
    pair.call("move", [first], int(Zone.GRAVEYARD))
    assert now(pair, bird, "types") == TypeBit.CREATURE
    assert now(pair, bird, "subtypes") == ("Bear", "Bird", "Wall")
    assert forge
    assert mason
