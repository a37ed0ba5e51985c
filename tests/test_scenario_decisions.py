"""Choices in scenarios: modes, optional costs, groups of targets, looking, searching, ordering, paying."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from lkicore.cards import CardPool
from lkicore.scenario import Result, read_scenario, run
from scenario_play import make

pytestmark = pytest.mark.sanitize

CARDS = """
- {name: Hopeful Scribe, cost: "{1}{U}", type: Creature — Human Wizard, pt: 1/1,
   abilities: [{when: enters(this), do: [{may: ["draw(you, 1)"]}]}]}
- {name: Stern Decree, cost: "{1}{B}", type: Sorcery, spell: {targets: [player], do: ["edict(target(0), 2, creature)"]}}
- {name: Twin Tamer, cost: "{2}{G}", type: Creature — Human, pt: 2/2, abilities: [{when: enters(this),
   targets: [creature & opponents, creature & yours], do: ["tap(target(0))", 'put_counters(target(1), 1, "+1/+1")']}]}
- {name: Double Snare, cost: "{1}{U}", type: Instant, spell: {targets: ["up_to(2, creature)"], do: ["tap(targets(0))"]}}
- {name: Many Ways, cost: "{2}", type: Instant, spell: {choose: "1-2", modes: [
   {targets: [creature], do: ["tap(target(0))"]},
   {do: ["draw(you, 1)"]},
   {targets: [player], do: ["lose_life(target(0), 2)"]}]}}
- {name: Kicked Spark, cost: "{R}", type: Instant, keywords: ["kicker {3}"], spell: {targets: [any_target],
   do: [{if: was_kicked, then: ["damage(target(0), 5)"], else: ["damage(target(0), 2)"]}]}}
- {name: Growing Spark, cost: "{R}", type: Instant, keywords: ["multikicker {1}"],
   spell: {targets: [any_target], do: ["damage(target(0), kicked_times() + 1)"]}}
- {name: Far Sight, cost: "{U}", type: Sorcery, spell: {do: ["scry(you, 3)"]}}
- {name: Deep Sight, cost: "{U}", type: Sorcery, spell: {do: ["surveil(you, 2)"]}}
- {name: Wide Search, cost: "{G}", type: Sorcery, spell: {do: ["search_library(you, land, hand)"]}}
- {name: Costly Rites, cost: "{B}", type: Sorcery, additional: sacrifice(creature), spell: {do: ["draw(you, 2)"]}}
- {name: Toll Road, cost: "{W}", type: Sorcery,
   spell: {do: [{pay: sacrifice(creature), then: ["draw(you, 1)"], else: ["lose_life(you, 3)"]}]}}
- {name: Free Choice, cost: "{W}", type: Sorcery, spell: {do: ["pick(you, creature, 1, 2)", tap(picked)]}}
- {name: Color Ward, cost: "{W}", type: Instant,
   spell: {targets: [creature], do: ["pick_color(you)", "protection_from_chosen_color(target(0))"]}}
- {name: Mourner, cost: "{B}", type: Creature — Zombie, pt: 1/1,
   abilities: [{when: dies(creature), do: ["gain_life(you, 1)"]}]}
- {name: Avenger, cost: "{B}", type: Creature — Zombie, pt: 1/1,
   abilities: [{when: dies(creature), targets: [player], do: ["lose_life(target(0), 1)"]}]}
- {name: Random Rot, cost: "{B}", type: Sorcery, spell: {targets: [player], do: ["discard(target(0), 1, random=True)"]}}
- {name: Altar, cost: "{3}", type: Artifact,
   abilities: [{cost: "sacrifice(creature)", do: ["gain_life(you, power_of(paid()))"]}]}
- {name: Spore Pile, cost: "{2}", type: Artifact,
   abilities: [{enters: ['counters(3, "spore")']}, {cost: '{T}, remove(1, "spore")', do: ["draw(you, 1)"]}]}
"""


@functools.cache
def pool() -> CardPool:
    return CardPool.builtin().with_cards(CARDS)


def outcome(*script: dict[str, Any], **rest: Any) -> Result:
    strict = rest.pop("strict", False)
    return run(read_scenario(make(*script, **rest)), pool(), strict=strict)


def passes(*script: dict[str, Any], **rest: Any) -> Result:
    result = outcome(*script, **rest)
    assert result.status == "passed", result
    return result


def fails(*script: dict[str, Any], expected: str, got: str, **rest: Any) -> None:
    result = outcome(*script, **rest)
    assert result.status == "failed", result
    assert expected in result.expected, result
    assert got in result.got, result


# --- yes or no


def test_may_of_a_players_own_ability_is_accepted_by_default() -> None:
    zones = {"p0": {"hand": ["Hopeful Scribe"]}}
    enter = [{"cast": "Hopeful Scribe"}, {"resolve": "all"}]
    assert len(passes(*enter, expect={"hand": {"p0": 1}}, **zones).defaulted) == 1
    passes({"answer": {"p0": ["yes"]}}, *enter, expect={"hand": {"p0": 1}}, strict=True, **zones)
    passes({"answer": {"p0": ["no"]}}, *enter, expect={"hand": {"p0": 0}}, strict=True, **zones)
    fails({"answer": {"p0": [3]}}, *enter, expected="the answer 3", got="the options no, yes", **zones)


def test_payments_are_declined_by_default_and_a_bare_label_pays() -> None:
    zones = {"p0": {"hand": ["Toll Road"], "battlefield": ["Grizzly Bears", "Elvish Mystic"]}}
    cast = [{"cast": "Toll Road"}, {"resolve": "top"}]
    lost = {"life": {"p0": 17}, "zone": {"Grizzly Bears": "battlefield"}, "hand": {"p0": 0}}
    paid = {
        "life": {"p0": 20},
        "zone": {"Grizzly Bears": "battlefield", "Elvish Mystic": "graveyard"},
        "hand": {"p0": 1},
    }
    assert len(passes(*cast, expect=lost, **zones).defaulted) == 1
    passes({"answer": {"p0": ["no"]}}, *cast, expect=lost, strict=True, **zones)
    passes({"answer": {"p0": ["yes", "Elvish Mystic"]}}, *cast, expect=paid, strict=True, **zones)
    passes({"answer": {"p0": ["Elvish Mystic"]}}, *cast, expect=paid, strict=True, **zones)
    fails({"answer": {"p0": ["Toll Road"]}}, *cast, expected="'Toll Road'", got="Grizzly Bears, Elvish Mystic", **zones)


# --- modes, costs and targets of a spell


def test_modes_and_their_targets() -> None:
    zones = {"p0": {"hand": ["Many Ways"]}, "p1": {"battlefield": ["Grizzly Bears"]}}
    tapped, untapped = {"tapped": {"Grizzly Bears": True}}, {"tapped": {"Grizzly Bears": False}}
    top = {"resolve": "top"}
    passes({"cast": "Many Ways", "modes": [2]}, top, expect={"hand": {"p0": 1}} | untapped, strict=True, **zones)
    both = {"cast": "Many Ways", "modes": [1, 3]}
    for targets in (["Grizzly Bears", "p1"], [["Grizzly Bears"], ["p1"]]):
        passes(both | {"targets": targets}, top, expect={"life": {"p1": 18}} | tapped, strict=True, **zones)
    fails({"cast": "Many Ways"}, expected="no mode", got="mode 1, mode 2, mode 3", **zones)
    fails({"cast": "Many Ways", "modes": [4]}, expected="mode 4", got="mode 1", **zones)
    fails(
        {"cast": "Many Ways", "modes": [1, 2, 3], "targets": ["Grizzly Bears"]},
        expected="mode 3",
        got="nothing",
        **zones,
    )
    passes(
        expect={"can": [{"cast": "Many Ways"}], "cannot": [{"cast": "Many Ways", "modes": [1], "targets": ["p1"]}]},
        **zones,
    )


def test_optional_costs() -> None:
    spark = {"cast": "Kicked Spark", "targets": ["p1"]}
    zones = {"p0": {"hand": ["Kicked Spark", "Growing Spark"]}}
    top = {"resolve": "top"}
    passes(spark, top, expect={"life": {"p1": 18}}, strict=True, **zones)
    passes(spark | {"kicked": 1}, top, expect={"life": {"p1": 15}}, strict=True, **zones)
    passes(spark | {"cost": "kicker"}, top, expect={"life": {"p1": 15}}, strict=True, **zones)
    fails(spark | {"kicked": 2}, expected="optional cost 1", got="nothing asks", **zones)
    growing = {"cast": "Growing Spark", "targets": ["p1"]}
    passes(growing | {"kicked": 3}, top, expect={"life": {"p1": 16}}, strict=True, **zones)
    passes(growing, top, expect={"life": {"p1": 19}}, strict=True, **zones)


def test_up_to_so_many_targets() -> None:
    zones = {"p0": {"hand": ["Double Snare"]}, "p1": {"battlefield": ["Grizzly Bears", "Serra Angel"]}}
    for targets in ([], ["Serra Angel"], ["Serra Angel", "Grizzly Bears"], [["Serra Angel"]], [[]]):
        named = [t for group in targets for t in (group if isinstance(group, list) else [group])]
        expect = {"tapped": {name: name in named for name in ("Grizzly Bears", "Serra Angel")}}
        passes({"cast": "Double Snare", "targets": targets}, {"resolve": "top"}, expect=expect, strict=True, **zones)
    fails({"cast": "Double Snare", "targets": ["p1"]}, expected="the target p1", got="nothing asks for that", **zones)


def test_objects_that_costs_are_paid_with() -> None:
    zones = {"p0": {"hand": ["Costly Rites"], "battlefield": ["Altar", "Grizzly Bears", "Serra Angel"]}}
    rites = {"cast": "Costly Rites", "pay": {"sacrifice": ["Serra Angel"]}}
    passes(rites, expect={"zone": {"Serra Angel": "graveyard", "Grizzly Bears": "battlefield"}}, strict=True, **zones)
    altar = {"activate": "Altar", "ability": 1, "pay": {"sacrifice": ["Serra Angel"]}}
    passes(altar, {"resolve": "top"}, expect={"life": {"p0": 24}}, strict=True, **zones)
    passes({"activate": "Altar", "ability": "sacrifice", "pay": {"sacrifice": ["Serra Angel"]}}, strict=True, **zones)
    result = passes({"cast": "Costly Rites"}, expect={"zone": {"Grizzly Bears": "graveyard"}}, **zones)
    assert len(result.defaulted) == 1
    wrong = {"cast": "Costly Rites", "pay": {"sacrifice": ["Altar"]}}
    fails(wrong, expected="Altar as payment", got="Grizzly Bears, Serra Angel", **zones)
    more = {"cast": "Costly Rites", "pay": {"sacrifice": ["Serra Angel", "Grizzly Bears"]}}
    fails(more, expected="Grizzly Bears as payment", got="nothing asks for that", **zones)


# --- choices on resolution


def test_targets_of_a_triggered_ability() -> None:
    zones = {
        "p0": {"hand": ["Twin Tamer"], "battlefield": ["Elvish Mystic"]},
        "p1": {"battlefield": ["Grizzly Bears", "Serra Angel"]},
    }
    enter = [{"cast": "Twin Tamer"}, {"resolve": "top"}]
    passes(
        {"answer": {"p0": [["Serra Angel", "Elvish Mystic"]]}},
        *enter,
        {"expect": {"stack": ["Twin Tamer"]}},
        {"resolve": "top"},
        expect={"tapped": {"Serra Angel": True, "Grizzly Bears": False}, "pt": {"Elvish Mystic": [2, 2]}},
        strict=True,
        **zones,
    )
    passes(*enter, {"answer": {"p0": [["Serra Angel", "Twin Tamer"]]}}, {"resolve": "top"}, strict=True, **zones)
    fails(*enter, {"answer": {"p0": ["Serra Angel"]}}, {"resolve": "top"}, expected="[]", got="Elvish Mystic", **zones)


def test_sacrifices_and_picks() -> None:
    mine = {"battlefield": ["Elvish Mystic", "Grizzly Bears", "Serra Angel"]}
    decree = [{"cast": "Stern Decree", "targets": ["p1"]}, {"resolve": "top"}]
    zones = {"p0": {"hand": ["Stern Decree"]}, "p1": mine}
    passes(
        {"answer": {"p1": [["Serra Angel", "Elvish Mystic"]]}},
        *decree,
        expect={"zone": {"Grizzly Bears": "battlefield", "Serra Angel": "graveyard"}, "graveyard": {"p1": 2}},
        strict=True,
        **zones,
    )
    fails({"answer": {"p1": ["Serra Angel"]}}, *decree, expected="[]", got="Elvish Mystic, Grizzly Bears", **zones)
    choice = [{"cast": "Free Choice"}, {"resolve": "top"}]
    zones = {"p0": {"hand": ["Free Choice"]}, "p1": mine}
    for answer in (["Serra Angel"], [["Serra Angel"]], [["Serra Angel", "Elvish Mystic"]]):
        expect = {"tapped": {"Serra Angel": True, "Grizzly Bears": False}}
        passes({"answer": {"p0": answer}}, *choice, expect=expect, strict=True, **zones)
    fails({"answer": {"p0": [[]]}}, *choice, expected="[]", got="Serra Angel", **zones)


def test_a_colour() -> None:
    zones = {"p0": {"hand": ["Color Ward", "Shock"], "battlefield": ["Grizzly Bears"]}}
    ward = [{"cast": "Color Ward", "targets": ["Grizzly Bears"]}, {"resolve": "top"}]
    shock = {"cast": "Shock", "targets": ["Grizzly Bears"]}
    expect = {"keywords": {"Grizzly Bears": ["protection from red"]}, "cannot": [shock]}
    passes({"answer": {"p0": ["red"]}}, *ward, expect=expect, strict=True, **zones)
    other = {"not_keywords": {"Grizzly Bears": ["protection from red"]}, "can": [shock]}
    passes({"answer": {"p0": ["black"]}}, *ward, expect=other, strict=True, **zones)
    fails({"answer": {"p0": ["purple"]}}, *ward, expected="'purple'", got="white, blue, black, red, green", **zones)


def test_order_of_simultaneous_triggers() -> None:
    zones = {
        "p0": {"battlefield": ["Mourner", "Avenger"], "hand": ["Shock"]},
        "p1": {"battlefield": ["Grizzly Bears"]},
    }
    shock = [{"cast": "Shock", "targets": ["Grizzly Bears"]}, {"resolve": "top"}]
    for order in (["Mourner", "Avenger"], ["Avenger", "Mourner"]):
        passes(
            {"answer": {"p0": [{"order": order}, "p1"]}},
            *shock,
            expect={"stack": list(reversed(order))},
            strict=True,
            **zones,
        )
    result = passes(*shock, expect={"stack": 2}, **zones)
    assert [word.split(":")[0] for word in result.defaulted] == ["p0 order", "p0 target"]
    fails(
        {"answer": {"p0": [{"order": ["Shock", "Mourner"]}]}},
        *shock,
        expect={"stack": 2},
        expected="'Shock'",
        got="Mourner, Avenger",
        **zones,
    )


def test_a_label_may_stand_twice_in_an_order() -> None:
    """Two creatures die at once, so each of the two abilities triggers twice."""
    zones = {
        "p0": {"battlefield": ["Mourner", "Avenger"], "hand": ["Stern Decree"]},
        "p1": {"battlefield": ["Grizzly Bears", "Elvish Mystic"]},
    }
    order = ["Avenger", "Mourner", "Avenger", "Mourner"]
    passes(
        {"answer": {"p0": [{"order": order}, "p1", "p1"]}},
        {"cast": "Stern Decree", "targets": ["p1"]},
        {"resolve": "top"},
        {"expect": {"stack": list(reversed(order))}},
        {"resolve": "all"},
        expect={"life": {"p0": 22, "p1": 18}},
        strict=True,
        **zones,
    )


# --- libraries


def test_scry() -> None:
    zones = {"p0": {"hand": ["Far Sight"], "library": ["Shock", "Blaze", "Murder", "Unsummon"]}}
    sight = [{"cast": "Far Sight"}, {"resolve": "top"}]

    def after(answer: dict[str, Any] | None, *drawn: str) -> None:
        said = [] if answer is None else [{"answer": {"p0": [answer]}}]
        turns = [{"advance": "draw", "turn": 1 + 2 * (i + 1)} for i in range(len(drawn))]
        steps = [step for i, turn in enumerate(turns) for step in (turn, {"expect": {"zone": {drawn[i]: "hand"}}})]
        passes(*said, *sight, *steps, **zones)

    after(None, "Shock", "Blaze", "Murder")
    after({"top": ["Murder", "Shock"], "bottom": ["Blaze"]}, "Murder", "Shock", "Unsummon")
    after({"bottom": ["Shock"]}, "Blaze", "Murder", "Unsummon")
    after({"top": ["Murder"]}, "Murder", "Shock", "Blaze")
    after({"top": [], "bottom": ["Murder", "Blaze", "Shock"]}, "Unsummon")
    fails({"answer": {"p0": [{"graveyard": ["Shock"]}]}}, *sight, expected="graveyard", got="to the bottom", **zones)
    fails({"answer": {"p0": [{"bottom": ["Unsummon"]}]}}, *sight, expected="Unsummon", got="Shock", **zones)
    fails({"answer": {"p0": ["Shock"]}}, *sight, expected="'Shock'", got="options", **zones)


def test_the_bottom_in_order() -> None:
    zones = {"p0": {"hand": ["Far Sight"], "library": ["Shock", "Blaze", "Murder"]}}
    passes(
        {"answer": {"p0": [{"bottom": ["Murder", "Shock"]}]}},
        {"cast": "Far Sight"},
        {"resolve": "top"},
        {"advance": "draw", "turn": 3},
        {"expect": {"zone": {"Blaze": "hand"}}},
        {"advance": "draw", "turn": 5},
        {"expect": {"zone": {"Murder": "hand", "Shock": "library"}}},
        library_fill=0,
        p1={"library": ["Forest", "Mountain", "Plains"]},
        **zones,
    )


def test_surveil() -> None:
    zones = {"p0": {"hand": ["Deep Sight"], "library": ["Shock", "Blaze", "Murder"]}}
    sight = [{"cast": "Deep Sight"}, {"resolve": "top"}]
    answer = {"answer": {"p0": [{"graveyard": ["Shock"], "top": ["Blaze"]}]}}
    passes(answer, *sight, expect={"zone": {"Shock": "graveyard", "Blaze": "library"}}, strict=True, **zones)
    passes({"answer": {"p0": [{"graveyard": ["Blaze", "Shock"]}]}}, *sight, expect={"graveyard": {"p0": 3}}, **zones)
    fails({"answer": {"p0": [{"bottom": ["Blaze"]}]}}, *sight, expected="bottom", got="to the graveyard", **zones)


def test_searching_and_shuffling() -> None:
    zones = {"p0": {"hand": ["Wide Search"], "library": ["Shock", "Forest", "Mountain", "Blaze"]}}
    search = [{"cast": "Wide Search"}, {"resolve": "top"}]
    passes({"answer": {"p0": ["Mountain"]}}, *search, expect={"zone": {"Mountain": "hand"}}, strict=True, **zones)
    passes({"answer": {"p0": [[]]}}, *search, expect={"hand": {"p0": 0}}, strict=True, **zones)
    fails({"answer": {"p0": ["Shock"]}}, *search, expected="'Shock'", got="Forest, Mountain", **zones)
    passes(
        {"answer": {"p0": ["Mountain"]}},
        {"shuffle": {"p0": ["Blaze", "Shock"]}},
        *search,
        {"advance": "draw", "turn": 3},
        {"expect": {"zone": {"Blaze": "hand", "Shock": "library"}}},
        {"advance": "draw", "turn": 5},
        expect={"zone": {"Shock": "hand"}},
        **zones,
    )


def test_picks_at_random_are_fixed() -> None:
    hand = ["Shock", "Blaze", "Murder", "Unsummon", "Forest"]
    zones = {"p0": {"hand": ["Random Rot"]}, "p1": {"hand": hand}}
    for card in hand:
        passes(
            {"random": [card]},
            {"cast": "Random Rot", "targets": ["p1"]},
            {"resolve": "top"},
            expect={"zone": {other: "graveyard" if other == card else "hand" for other in hand}},
            **zones,
        )


# --- counters without a column


def test_counters_of_any_kind() -> None:
    passes(
        {"activate": "Spore Pile"},
        p0={"battlefield": [{"card": "Spore Pile", "counters": {"spore": 2, "charge": 1}}]},
        expect={"counters": {"Spore Pile": {"spore": 1, "charge": 1}}},
    )
    passes(p0={"battlefield": ["Spore Pile"]}, expect={"counters": {"Spore Pile": {"spore": 3}}})
    zones = {"p0": {"battlefield": [{"card": "Spore Pile", "counters": {"spore": 0}}]}}
    passes(expect={"counters": {"Spore Pile": {"spore": 0}}, "cannot": [{"activate": "Spore Pile"}]}, **zones)
    fails(
        expect={"counters": {"Spore Pile": {"spore": 1}}}, expected="counters (spore) of Spore Pile 1", got="0", **zones
    )
