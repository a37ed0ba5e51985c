"""Choices in scenarios: the queue of answers, defaults, and results of chance that are fixed."""

from __future__ import annotations

from typing import Any

from scenario_play import fails, make, outcome, passes

ROT: dict[str, Any] = {
    "p0": {"hand": ["Mind Rot"]},
    "p1": {"hand": ["Shock", "Forest", "Lightning Bolt"]},
}
CAST_ROT = [{"cast": "Mind Rot", "targets": ["p1"]}, {"resolve": "top"}]


def test_one_answer_for_several_objects() -> None:
    passes(
        {"answer": {"p1": [["Lightning Bolt", "Shock"]]}},
        *CAST_ROT,
        expect={
            "zone": {"Shock": "graveyard", "Lightning Bolt": "graveyard", "Forest": "hand"},
            "resolved": ["Mind Rot"],
        },
        strict=True,
        **ROT,
    )


def test_answers_are_taken_in_order_by_their_player() -> None:
    rots = [{"card": "Mind Rot", "as": word} for word in ("First", "Second", "Third")]
    passes(
        {"answer": {"p1": [["Shock", "Forest"]], "p0": [["Divination", "Blaze"]]}},
        {"cast": "First", "targets": ["p1"]},
        {"resolve": "all"},
        {"answer": {"p1": [["Lava Axe", "Lightning Bolt"]]}},
        {"cast": "Second", "targets": ["p0"]},
        {"resolve": "all"},
        {"cast": "Third", "targets": ["p1"]},
        {"resolve": "all"},
        p0={"hand": [*rots, "Divination", "Blaze", "Harmonize"]},
        p1={"hand": ["Shock", "Forest", "Lava Axe", "Lightning Bolt", "Unsummon"]},
        expect={"zone": {"Unsummon": "hand", "Harmonize": "hand"}, "hand": {"p0": 1, "p1": 1}},
        strict=True,
    )


def test_an_answer_that_is_not_legal_fails() -> None:
    for answer, expected in (
        ([["Mind Rot", "Shock"]], "'Mind Rot'"),
        (["Shock"], "[]"),
        ([3], "3"),
        (["yes"], "'yes'"),
        ([{"order": ["Shock"]}], "order"),
        ([["Shock", "Shock"]], "'Shock'"),
    ):
        fails(
            {"answer": {"p1": answer}},
            *CAST_ROT,
            step="step 3 (resolve)",
            expected=expected,
            got="the options",
            **ROT,
        )


def test_without_an_answer_the_first_legal_ones_are_taken_and_counted() -> None:
    result = passes(*CAST_ROT, expect={"zone": {"Shock": "graveyard", "Forest": "graveyard"}}, **ROT)
    assert len(result.defaulted) == 1
    assert result.defaulted[0].startswith("p1 discard: Shock of Shock, Forest, Lightning Bolt")
    fails(*CAST_ROT, step="end", expected="an answer to every choice", got="choices defaulted", strict=True, **ROT)


def test_answers_left_over() -> None:
    answer = {"answer": {"p0": ["yes", "Forest"]}}
    result = passes(answer)
    assert result.left == 2
    fails(answer, step="end", expected="every answer is asked for", got="p0 'yes', p0 'Forest'", strict=True)


def test_a_choice_with_one_legal_answer_uses_up_only_an_answer_that_equals_it() -> None:
    zones = {"p0": {"hand": ["Mind Rot"]}, "p1": {"hand": ["Shock"]}}
    assert passes({"answer": {"p1": ["Shock"]}}, *CAST_ROT, strict=True, **zones).left == 0
    assert passes({"answer": {"p1": [["Shock"]]}}, *CAST_ROT, strict=True, **zones).left == 0
    assert passes({"answer": {"p1": ["Forest"]}}, *CAST_ROT, **zones).left == 1


def test_an_answer_may_come_while_the_choice_is_open() -> None:
    """The turn-based discard is asked for as the cleanup step begins; the step that answers comes after it."""
    passes(
        {"answer": {"p0": [["Shock", "Blaze"]]}},
        {"advance": "cleanup"},
        p0={"hand": ["Shock", "Blaze", {"card": "Forest", "count": 7}]},
        expect={"hand": {"p0": 7}, "zone": {"Shock": "graveyard", "Blaze": "graveyard"}},
        strict=True,
    )


def test_combat_damage_is_assigned_by_an_answer() -> None:
    zones = {
        "p0": {"battlefield": ["Craw Wurm", "Colossal Dreadmaw"]},
        "p1": {"battlefield": ["Giant Spider", "Grizzly Bears"]},
    }
    declared = [
        {"attack": {"Craw Wurm": "p1"}},
        {"block": {"Giant Spider": "Craw Wurm", "Grizzly Bears": "Craw Wurm"}},
    ]
    damage = [{"advance": "combat_damage"}]
    passes(
        *declared,
        {"answer": {"p0": [{"assign": {"Giant Spider": 1, "Grizzly Bears": 5}}]}},
        *damage,
        expect={"zone": {"Grizzly Bears": "graveyard"}, "damage": {"Giant Spider": 1}},
        strict=True,
        **zones,
    )
    result = passes(
        *declared, *damage, expect={"zone": {"Grizzly Bears": "graveyard", "Giant Spider": "graveyard"}}, **zones
    )
    assert len(result.defaulted) == 1
    fails(
        *declared,
        {"answer": {"p0": [{"assign": {"Giant Spider": 1, "Grizzly Bears": 4}}]}},
        *damage,
        step="step 4 (advance)",
        expected="6 damage assigned by Craw Wurm",
        got="5",
        **zones,
    )
    fails(
        *declared,
        {"answer": {"p0": ["Giant Spider"]}},
        *damage,
        step="step 4 (advance)",
        expected="'Giant Spider'",
        got="the options",
        **zones,
    )


def test_trample_is_assigned_to_the_player() -> None:
    zones = {"p0": {"battlefield": ["Colossal Dreadmaw"]}, "p1": {"battlefield": ["Grizzly Bears"]}}
    declared = [{"attack": {"Colossal Dreadmaw": "p1"}}, {"block": {"Grizzly Bears": "Colossal Dreadmaw"}}]
    damage = {"advance": "combat_damage"}
    passes(*declared, damage, expect={"life": {"p1": 16}}, **zones)
    answer = {"answer": {"p0": [{"assign": {"Grizzly Bears": 5, "p1": 1}}]}}
    passes(*declared, answer, damage, expect={"life": {"p1": 19}}, strict=True, **zones)


def test_a_shuffle_is_fixed() -> None:
    """Nothing in the pool shuffles alone; that results of chance are fixed is tested where a card does."""
    data = make({"shuffle": {"p0": ["Forest"]}}, p0={"library": ["Mountain", "Forest"]})
    assert outcome(data).status == "passed"


def test_players_without_choices_are_not_asked() -> None:
    result = passes({"advance": "main1", "turn": 3}, strict=True)
    assert (result.defaulted, result.left) == ((), 0)
