"""Steps of scenarios: what they do, and how each kind of step fails."""

from __future__ import annotations

from typing import Any

import pytest

from scenario_play import fails, make, outcome, passes, skips

BOLT: dict[str, Any] = {"p0": {"hand": ["Lightning Bolt"]}}


# --- casting


def test_cast_needs_the_card_where_it_can_be_cast() -> None:
    fails(
        {"cast": "Lightning Bolt", "targets": ["p1"]},
        p0={"graveyard": ["Lightning Bolt"]},
        step="step 1 (cast)",
        expected="cast Lightning Bolt by p0",
        got="Lightning Bolt is in graveyard",
    )


def test_cast_at_the_wrong_time() -> None:
    fails(
        {"cast": "Divination"},
        p0={},
        p1={"hand": ["Divination"]},
        step="step 1 (cast)",
        expected="cast Divination by p1",
        got="turn 1 of p0, main1",
    )


@pytest.mark.parametrize(
    ("step", "expected", "got"),
    [
        ({"targets": ["Mountain"]}, "the target Mountain", "p0, p1"),
        ({}, "the targets that the step names", "p0, p1"),
        ({"targets": ["p1", "p0"]}, "the target p0", "nothing asks for that"),
        ({"targets": ["p1"], "x": 2}, "X = 2", "nothing asks for that"),
        ({"targets": ["p1"], "modes": [2]}, "mode 2", "nothing asks for that"),
        ({"targets": ["p1"], "kicked": 1}, "optional cost 1", "nothing asks for that"),
        ({"targets": ["p1"], "cost": "kicker 2"}, "optional cost 2", "nothing asks for that"),
        ({"targets": ["p1"], "divide": [3]}, "a division", "nothing asks for that"),
        ({"targets": ["p1"], "pay": {"sacrifice": ["Mountain"]}}, "Mountain as payment", "nothing asks for that"),
    ],
)
def test_what_a_cast_says_must_be_asked_for(step: dict[str, Any], expected: str, got: str) -> None:
    zones = {"p0": {"hand": ["Lightning Bolt"], "battlefield": ["Mountain"]}}
    cast = {"cast": "Lightning Bolt"} | step
    fails(cast, step="step 1 (cast)", expected=expected, got=got, **zones)
    passes({"illegal": cast}, {"cast": "Lightning Bolt", "targets": ["p1"]}, **zones)


def test_the_value_of_x() -> None:
    zones = {"p0": {"hand": ["Blaze"]}}
    cast = {"cast": "Blaze", "targets": ["p1"]}
    passes(cast | {"x": 4}, {"resolve": "top"}, expect={"life": {"p1": 16}}, **zones)
    fails(cast | {"x": 99}, step="step 1 (cast)", expected="X = 99", got="options 0, 1", **zones)
    fails(cast, step="step 1 (cast)", expected="no value of X", got="options 0, 1", **zones)


def test_the_only_legal_target_is_taken_by_itself() -> None:
    passes(
        {"cast": "Prey Upon", "targets": ["Craw Wurm"]},
        {"resolve": "top"},
        p0={"hand": ["Prey Upon"], "battlefield": ["Craw Wurm"]},
        p1={"battlefield": ["Grizzly Bears"]},
        expect={"zone": {"Grizzly Bears": "graveyard"}},
    )


def test_costs_that_nobody_knows_are_skipped() -> None:
    skips({"cast": "Lightning Bolt", "targets": ["p1"], "cost": "tribute"}, reason="'tribute'", **BOLT)
    fails(
        {"cast": "Lightning Bolt", "targets": ["p1"], "cost": "flashback"},
        step="step 1 (cast)",
        expected="cast",
        got="not legal",
        **BOLT,
    )
    skips({"cast": "Lightning Bolt", "targets": ["p1"], "pay": {"reveal": ["Lightning Bolt"]}}, reason="reveal", **BOLT)
    fails(
        {"cast": "Lightning Bolt", "face": "Thunderbolt"},
        step="step 1 (cast)",
        expected="cast",
        got="not legal",
        **BOLT,
    )


def test_mana_is_free_unless_the_scenario_pays() -> None:
    zones = {"p0": {"hand": ["Lightning Bolt"], "battlefield": ["Mountain"]}}
    cast = {"cast": "Lightning Bolt", "targets": ["p1"]}
    passes(cast, expect={"tapped": {"Mountain": False}}, **zones)
    passes(cast, mana="pay", expect={"tapped": {"Mountain": True}}, **zones)
    fails(cast, mana="pay", step="step 1 (cast)", expected="cast Lightning Bolt", got="not legal", **BOLT)


def test_mana_in_the_pool_is_paid_first() -> None:
    passes(
        {"activate": "First"},
        {"expect": {"mana_pool": {"p0": {"R": 1}}}},
        {"cast": "Lightning Bolt", "targets": ["p1"]},
        mana="pay",
        p0={
            "hand": ["Lightning Bolt"],
            "battlefield": [{"card": "Mountain", "as": "First"}, {"card": "Mountain", "as": "Second"}],
        },
        expect={"mana_pool": {"p0": {}}, "tapped": {"First": True, "Second": False}},
    )


# --- activating and playing


def test_abilities_by_number_and_text() -> None:
    zones = {"p0": {"battlefield": ["Prodigal Pyromancer"]}}
    passes({"activate": "Prodigal Pyromancer", "ability": 1, "targets": ["p1"]}, expect={"stack": 1}, **zones)
    passes({"activate": "Prodigal Pyromancer", "ability": "DAMAGE", "targets": ["p1"]}, expect={"stack": 1}, **zones)
    fails(
        {"activate": "Prodigal Pyromancer", "ability": 2, "targets": ["p1"]},
        step="step 1 (activate)",
        expected="ability 2 of Prodigal Pyromancer",
        got="it has 1 activated abilities",
        **zones,
    )
    skips({"activate": "Prodigal Pyromancer", "ability": "draw"}, reason="by the text 'draw'", **zones)


def test_an_ability_that_cannot_be_activated_now() -> None:
    fails(
        {"activate": "Prodigal Pyromancer", "targets": ["p1"]},
        p0={"battlefield": [{"card": "Prodigal Pyromancer", "sick": True}]},
        step="step 1 (activate)",
        expected="activate Prodigal Pyromancer by p0",
        got="it is not legal (Prodigal Pyromancer is in battlefield",
    )
    fails(
        {"activate": "Forest"},
        p0={"battlefield": [{"card": "Forest", "tapped": True}]},
        step="step 1 (activate)",
        expected="activate Forest",
        got="not legal",
    )


def test_the_colour_of_mana_is_an_answer() -> None:
    zones = {"p0": {"battlefield": ["Birds of Paradise"]}}
    passes(
        {"answer": {"p0": ["blue"]}},
        {"activate": "Birds of Paradise"},
        expect={"mana_pool": {"p0": {"U": 1}}},
        strict=True,
        **zones,
    )
    fails(
        {"answer": {"p0": ["purple"]}},
        {"activate": "Birds of Paradise"},
        step="step 2 (activate)",
        expected="'purple' as mana of Birds of Paradise",
        got="",
        **zones,
    )
    assert len(passes({"activate": "Birds of Paradise"}, **zones).defaulted) == 1


def test_playing_a_land() -> None:
    zones = {"p0": {"hand": ["Forest", "Mountain"]}}
    passes({"play": "Forest"}, {"illegal": {"play": "Mountain"}}, expect={"zone": {"Forest": "battlefield"}}, **zones)
    fails({"play": "Forest"}, {"play": "Mountain"}, step="step 2 (play)", expected="play Mountain", got="hand", **zones)


# --- priority


def test_players_before_the_acting_one_pass() -> None:
    passes(
        {"cast": "Lightning Bolt", "targets": ["p1"]},
        {"cast": "Shock", "targets": ["p0"]},
        {"expect": {"stack": ["Shock", "Lightning Bolt"]}},
        {"resolve": "all"},
        p1={"hand": ["Shock"]},
        expect={"life": {"p0": 18, "p1": 17}, "stack": 0},
        **BOLT,
    )


def test_nothing_resolves_to_give_somebody_priority() -> None:
    """p0 has passed to p1; priority would come back to p0 only when all have passed."""
    result = fails(
        {"cast": "Lightning Bolt", "targets": ["p1"]},
        {"cast": "Shock", "targets": ["p0"]},
        {"illegal": {"cast": "Divination", "by": "p1"}},
        {"expect": {"can": [{"activate": "Mountain"}]}},
        {"cast": "Giant Growth", "targets": ["Elvish Mystic"], "by": "p0"},
        {"resolve": "top"},
        {"cast": "Giant Growth", "targets": ["Elvish Mystic"]},
        p0={"hand": ["Lightning Bolt", "Giant Growth"]},
        p1={"hand": ["Shock", "Divination"], "battlefield": ["Mountain", "Elvish Mystic"]},
        step="step 7 (cast)",
        expected="cast Giant Growth",
        got="",
    )
    assert result.status == "failed"


def test_a_player_who_has_passed_cannot_act_before_something_happens() -> None:
    fails(
        {"activate": "Birds of Paradise", "by": "p1"},
        {"cast": "Lightning Bolt", "targets": ["p1"]},
        p1={"battlefield": ["Birds of Paradise"]},
        step="step 2 (cast)",
        expected="cast Lightning Bolt by p0",
        got="all others have passed",
        **BOLT,
    )


# --- combat


def test_attackers_and_blockers() -> None:
    zones = {
        "p0": {"battlefield": ["Craw Wurm", {"card": "Grizzly Bears", "sick": True}]},
        "p1": {"battlefield": ["Giant Spider", {"card": "Llanowar Elves", "tapped": True}]},
    }
    attack = {"attack": {"Craw Wurm": "p1"}}
    passes(attack, {"advance": "combat_damage"}, expect={"life": {"p1": 14}}, **zones)
    passes(
        attack,
        {"block": {"Giant Spider": "Craw Wurm"}},
        {"advance": "end_combat"},
        expect={"life": {"p1": 20}, "zone": {"Giant Spider": "graveyard"}, "damage": {"Craw Wurm": 2}},
        **zones,
    )
    passes({"attack": {}}, {"advance": "main2"}, expect={"life": {"p1": 20}}, **zones)
    passes(attack, {"block": {}, "by": "p1"}, {"advance": "main2"}, expect={"life": {"p1": 14}}, **zones)
    fails(
        {"attack": {"Grizzly Bears": "p1"}},
        step="step 1 (attack)",
        expected="Grizzly Bears attacks p1",
        got="it can't attack",
        **zones,
    )
    fails({"attack": {"Craw Wurm": "p0"}}, step="step 1 (attack)", expected="attacks p0", got="options no, p1", **zones)
    fails(attack | {"by": "p1"}, step="step 1 (attack)", expected="by p1", got="active player is p0", **zones)
    fails(
        attack,
        {"block": {"Llanowar Elves": "Craw Wurm"}},
        step="step 2 (block)",
        expected="Llanowar Elves blocks Craw Wurm",
        got="it can't block",
        **zones,
    )
    fails(
        {"block": {"Giant Spider": "Craw Wurm"}},
        step="step 1 (block)",
        expected="Giant Spider blocks Craw Wurm",
        got="nobody is asked to",
        **zones,
    )
    fails(
        attack,
        {"block": {"Grizzly Bears": "Craw Wurm"}, "by": "p1"},
        step="step 2 (block)",
        expected="block",
        got="Grizzly Bears is not theirs to block with",
        **zones,
    )
    fails(
        attack,
        {"block": {"Giant Spider": ["Craw Wurm", "Grizzly Bears"]}},
        step="step 2 (block)",
        expected="Giant Spider blocks Grizzly Bears",
        got="it can't block",
        **zones,
    )


def test_evasion_is_the_engines_matter() -> None:
    fails(
        {"attack": {"Serra Angel": "p1"}},
        {"block": {"Grizzly Bears": "Serra Angel"}},
        p0={"battlefield": ["Serra Angel", "Craw Wurm"]},
        p1={"battlefield": ["Grizzly Bears"]},
        step="step 2 (block)",
        expected="",
        got="",
    )


def test_each_defending_player_declares_blockers() -> None:
    data = make(
        {"attack": {"Craw Wurm": "p1", "Grizzly Bears": "p2"}},
        {"block": {"Giant Spider": "Craw Wurm"}},
        {"block": {"Serra Angel": "Grizzly Bears"}},
        {"advance": "combat_damage"},
        players=3,
        zones={
            "p0": {"battlefield": ["Craw Wurm", "Grizzly Bears"]},
            "p1": {"battlefield": ["Giant Spider"]},
            "p2": {"battlefield": ["Serra Angel"]},
        },
        expect={
            "life": {"p1": 20, "p2": 20},
            "zone": {"Giant Spider": "graveyard", "Grizzly Bears": "graveyard", "Serra Angel": "battlefield"},
        },
    )
    assert outcome(data).status == "passed"


# --- resolving and advancing


def test_resolving() -> None:
    fails({"resolve": "top"}, step="step 1 (resolve)", expected="something on the stack", got="an empty stack")
    passes({"resolve": "all"}, expect={"turn": {"step": "main1"}})
    two = {"p0": {"hand": ["Lightning Bolt", "Shock"]}}
    casts = [{"cast": "Lightning Bolt", "targets": ["p1"]}, {"cast": "Shock", "targets": ["p1"]}]
    passes(*casts, {"resolve": "top"}, expect={"life": {"p1": 18}, "stack": 1}, **two)
    passes(*casts, {"resolve": "top", "count": 2}, expect={"life": {"p1": 15}, "stack": 0}, **two)
    fails(
        *casts,
        {"resolve": "top", "count": 3},
        step="step 3 (resolve)",
        expected="something on the stack",
        got="an empty stack after 2",
        **two,
    )


def test_advancing() -> None:
    passes({"advance": "end"}, expect={"turn": {"turn": 1, "step": "end"}})
    passes({"advance": "upkeep"}, expect={"turn": {"turn": 2, "active": "p1", "step": "upkeep"}})
    passes({"advance": "main1"}, expect={"turn": {"turn": 2, "active": "p1", "step": "main1"}, "hand": {"p1": 1}})
    passes({"advance": "draw", "active": "p0"}, expect={"turn": {"turn": 3}, "hand": {"p0": 1, "p1": 1}})
    passes({"advance": "upkeep", "turn": 5}, expect={"turn": {"turn": 5, "active": "p0"}})
    fails(
        {"advance": "combat_damage"},
        step="step 1 (advance)",
        expected="the combat_damage step",
        got="it was never reached (turn 8",
    )
    fails(
        {"advance": "upkeep", "turn": 2, "active": "p0"},
        step="step 1 (advance)",
        expected="the upkeep step of turn 2 of p0",
        got="it was never reached (turn 3",
    )
    fails({"advance": "end"}, {"advance": "main1", "turn": 1}, step="step 2 (advance)", expected="turn 1", got="never")


def test_the_stack_empties_on_the_way() -> None:
    passes(
        {"cast": "Lightning Bolt", "targets": ["p1"]},
        {"advance": "main2"},
        expect={"life": {"p1": 17}, "resolved": ["Lightning Bolt"]},
        **BOLT,
    )


def test_the_cleanup_step_can_be_looked_at() -> None:
    zones = {"p0": {"hand": [{"card": "Forest", "count": 9}], "battlefield": [{"card": "Craw Wurm", "damage": 2}]}}
    steps = [{"expect": {"damage": {"Craw Wurm": 2}}}, {"advance": "cleanup"}]
    here = {"hand": {"p0": 7}, "damage": {"Craw Wurm": 0}, "turn": {"turn": 1, "step": "cleanup"}}
    passes(*steps, {"expect": here}, {"illegal": {"attack": {"Craw Wurm": "p1"}}}, {"expect": here}, **zones)
    passes(*steps, {"advance": "upkeep"}, expect={"turn": {"turn": 2, "active": "p1"}}, **zones)
    passes(*steps, {"advance": "cleanup"}, expect={"turn": {"turn": 2, "step": "cleanup"}, "hand": {"p1": 1}}, **zones)
    passes(start={"step": "cleanup"}, expect=here, **zones)


def test_once_the_game_is_over() -> None:
    steps = [{"cast": "Lightning Bolt", "targets": ["p1"]}, {"resolve": "top"}]
    passes(
        *steps,
        {"advance": "end"},
        {"resolve": "all"},
        {"resolve": "top"},
        life={"p1": 3},
        expect={"winner": "p0"},
        **BOLT,
    )
    for step, verb in (({"play": "Forest"}, "play"), ({"concede": "p0"}, "concede")):
        fails(
            *steps,
            step | {},
            life={"p1": 3},
            p0={"hand": ["Lightning Bolt", "Forest"]},
            step=f"step 3 ({verb})",
            expected="",
            got="the game is over",
        )


# --- other steps


def test_conceding() -> None:
    passes({"concede": "p1"}, expect={"winner": "p0", "lost": ["p1"]})
    data = make({"concede": "p1"}, {"concede": "p1"}, players=3)
    result = outcome(data)
    assert (result.step, result.got) == ("step 2 (concede)", "p1 has left the game")
    fails({"concede": "p1"}, expect={"alive": ["p1"]}, step="expect", expected='alive ["p1"]', got='["p0"]')
    data = make(
        {"concede": "p0"},
        {"cast": "Shock", "targets": ["p2"]},
        players=3,
        p0={"battlefield": ["Grizzly Bears"], "hand": ["Lightning Bolt"]},
        p1={"hand": ["Shock"]},
        expect={"zone": {"Grizzly Bears": "none", "Lightning Bolt": "none"}, "alive": ["p1", "p2"]},
    )
    assert outcome(data).status == "passed"


def test_what_is_legal_is_not_illegal() -> None:
    fails(
        {"illegal": {"cast": "Lightning Bolt", "targets": ["p1"]}},
        step="step 1 (illegal)",
        expected="cast Lightning Bolt is illegal",
        got="it is legal",
        **BOLT,
    )
    passes(
        {"illegal": {"cast": "Lightning Bolt", "targets": ["Lightning Bolt"]}},
        {"cast": "Lightning Bolt", "targets": ["p1"]},
        expect={"stack": 1},
        **BOLT,
    )


def test_a_wrong_expectation_on_the_way() -> None:
    fails({"expect": {"life": {"p0": 3}}}, step="step 1 (expect)", expected="life of p0 3", got="20")


def test_what_the_engine_has_not_got_is_skipped() -> None:
    skips({"special": "Lightning Bolt", "action": "plot"}, reason="special action plot", **BOLT)
    skips({"illegal": {"special": "Lightning Bolt", "action": "suspend"}}, reason="suspend", **BOLT)


def test_an_unknown_token_fails_a_step() -> None:
    fails(
        {"cast": "Lightning Bolt", "targets": ["token:Goblin#1"]},
        step="step 1 (cast)",
        expected="token:Goblin#1",
        got="options p0, p1",
        **BOLT,
    )


def test_objects_on_the_stack_by_label() -> None:
    zones = {
        "p0": {"hand": [{"card": "Shock", "as": "s1"}, {"card": "Shock", "as": "s2"}]},
        "p1": {"hand": ["Cancel"], "battlefield": ["Prodigal Pyromancer"]},
    }
    steps = [
        {"cast": "s1", "targets": ["p1"]},
        {"cast": "s2", "targets": ["p1"]},
        {"activate": "Prodigal Pyromancer", "targets": ["p0"]},
        {"expect": {"stack": ["Prodigal Pyromancer", "s2", "s1"], "zone": {"stack:s1": "stack", "s1": "stack"}}},
    ]
    passes(
        *steps,
        {"cast": "Cancel", "targets": ["stack:s1"]},
        {"resolve": "all"},
        expect={"life": {"p0": 19, "p1": 18}, "not_resolved": ["s1"], "resolved": ["s2", "Prodigal Pyromancer"]},
        **zones,
    )
    fails(
        *steps,
        {"cast": "Cancel", "targets": ["stack:Prodigal Pyromancer"]},
        step="step 5 (cast)",
        expected="the target stack:Prodigal Pyromancer",
        got="options",
        **zones,
    )
    fails(*steps, expect={"zone": {"stack:s1#2": "stack"}}, step="expect", expected="stack:s1#2", got="1 such", **zones)
