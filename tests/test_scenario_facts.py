"""Expectations of scenarios: right ones pass, and a wrong one of every kind is reported as expected … got …."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from lkicore.scenario.facts import _CHECKS
from scenario_play import BLADE, OGRE, fails, make, outcome, passes

#: A position with something of everything, and what happened in it: p0's Pyromancer was shot with its ability on the
#: stack, p0 attacks with an Angel, p1 blocks with a Spider.
POSITION: dict[str, Any] = make(
    {"activate": "Prodigal Pyromancer", "targets": ["p1"]},
    {"cast": "Shock", "targets": ["Prodigal Pyromancer"]},
    {"resolve": "top", "count": 2},
    {"cast": "Dragon Fodder"},
    {"resolve": "top"},
    {"cast": "Doom Blade", "targets": ["Doomed"]},
    {"cast": "Unsummon", "targets": ["Doomed"]},
    {"resolve": "all"},
    {"attack": {"Serra Angel": "p1"}},
    {"block": {"Giant Spider": "Serra Angel"}},
    {"activate": "Forest"},
    {"cast": "Lightning Bolt", "targets": ["p1"]},
    {"cast": "Cancel", "targets": ["stack:Lightning Bolt"]},
    p0={
        "battlefield": [
            "Prodigal Pyromancer",
            "Serra Angel",
            {"card": "Plain Blade", "attached_to": "Serra Angel"},
            {"card": "Craw Wurm", "as": "Worn", "tapped": True, "damage": 2, "counters": {"+1/+1": 1, "charge": 3}},
            "Forest",
            {"card": "Grizzly Bears", "as": "Borrowed", "owner": "p1"},
        ],
        "hand": ["Dragon Fodder", "Unsummon", "Lightning Bolt", "Blaze"],
    },
    p1={
        "battlefield": ["Giant Spider", {"card": "Grizzly Bears", "as": "Doomed"}, "Wary Ogre"],
        "hand": ["Shock", "Cancel", "Mind Rot"],
        "graveyard": ["Lava Axe", "Mountain"],
        "exile": ["Divination"],
    },
    cards=[BLADE, OGRE],
)
POSITION["zones"]["p0"]["hand"].append("Doom Blade")

#: Key, a right value, a wrong value, what is reported for the wrong one.
CASES: list[tuple[str, Any, Any, str, str]] = [
    ("life", {"p0": 20, "p1": 19}, {"p1": 18}, "life of p1 18", "19"),
    ("poison", {"p0": 0}, {"p1": 1}, "poison of p1 1", "0"),
    ("hand", {"p0": 1, "p1": 2}, {"p1": 3}, "hand of p1 3", "2"),
    ("library", {"p0": 20}, {"p0": 19}, "library of p0 19", "20"),
    ("graveyard", {"p0": 4, "p1": 3}, {"p0": 0}, "graveyard of p0 0", "4"),
    ("zone", {"Giant Spider": "battlefield", "Divination": "exile"}, {"Doomed": "graveyard"}, "zone of Doomed", "hand"),
    ("zone", {"stack:Cancel": "stack"}, {"Cancel": "hand"}, "zone of Cancel hand", "stack"),
    ("controller", {"Borrowed": "p0", "Doomed": "p1"}, {"Borrowed": "p1"}, "controller of Borrowed p1", "p0"),
    ("owner", {"Borrowed": "p1"}, {"Borrowed": "p0"}, "owner of Borrowed p0", "p1"),
    ("pt", {"Worn": [7, 5], "token:Goblin#1": [1, 1]}, {"Worn": [6, 4]}, "pt of Worn [6, 4]", "[7, 5]"),
    ("damage", {"Worn": 2, "Serra Angel": 0}, {"Worn": 0}, "damage of Worn 0", "2"),
    ("tapped", {"Worn": True, "Serra Angel": False}, {"Forest": False}, "tapped of Forest false", "true"),
    ("loyalty", {"Worn": 0}, {"Worn": 4}, "loyalty of Worn 4", "0"),
    (
        "counters",
        {"Worn": {"+1/+1": 1, "charge": 3, "-1/-1": 0}, "p0": {"poison": 0}},
        {"Worn": {"charge": 2}},
        "counters (charge) of Worn 2",
        "3",
    ),
    ("counters", {"p1": {"poison": 0}}, {"p1": {"poison": 2}}, "counters (poison) of p1 2", "0"),
    (
        "keywords",
        {"Serra Angel": ["flying", "vigilance"], "Wary Ogre": ["trample"]},
        {"Serra Angel": ["flying", "trample"]},
        'keywords of Serra Angel ["flying", "trample"]',
        '["flying", "vigilance"]',
    ),
    (
        "not_keywords",
        {"Serra Angel": ["trample"]},
        {"Serra Angel": ["trample", "flying"]},
        "not_keywords of Serra Angel",
        "flying",
    ),
    (
        "types",
        {"Wary Ogre": ["Creature", "Ogre", "Warrior"], "Forest": ["Basic", "Land", "Forest"]},
        {"Wary Ogre": ["Creature", "Goblin"]},
        'types of Wary Ogre ["Creature", "Goblin"]',
        '["Creature", "Ogre", "Warrior"]',
    ),
    ("not_types", {"Wary Ogre": ["Goblin"]}, {"Wary Ogre": ["Ogre"]}, 'not_types of Wary Ogre ["Ogre"]', "Warrior"),
    (
        "colors",
        {"Wary Ogre": ["red"], "Plain Blade": []},
        {"Wary Ogre": ["green"]},
        'colors of Wary Ogre ["green"]',
        "red",
    ),
    ("colors", {"Forest": []}, {"Wary Ogre": []}, "colors of Wary Ogre []", "red"),
    ("not_colors", {"Wary Ogre": ["green"]}, {"Wary Ogre": ["red"]}, 'not_colors of Wary Ogre ["red"]', "red"),
    (
        "attached_to",
        {"Plain Blade": "Serra Angel", "Worn": None},
        {"Plain Blade": "Worn"},
        "attached_to of Plain Blade Worn",
        "Serra Angel",
    ),
    ("attached_to", {}, {"Plain Blade": None}, "attached_to of Plain Blade null", "Serra Angel"),
    ("attacking", {"Serra Angel": "p1", "Worn": None}, {"Worn": "p1"}, "attacking of Worn p1", "null"),
    (
        "blocking",
        {"Giant Spider": "Serra Angel", "Wary Ogre": None},
        {"Wary Ogre": "Serra Angel"},
        "blocking of Wary Ogre Serra Angel",
        "null",
    ),
    ("tokens", {"p0": {"Goblin": 2}, "p1": {"Goblin": 0}}, {"p0": {"Goblin": 3}}, "tokens of p0 named Goblin 3", "2"),
    (
        "count",
        [
            {"player": "p0", "zone": "battlefield", "n": 7},
            {"zone": "battlefield", "name": "Grizzly Bears", "n": 1},
            {"player": "p1", "zone": "hand", "name": "Grizzly Bears", "n": 1},
            {"zone": "graveyard", "n": 7},
            {"player": "p0", "zone": "battlefield", "tapped": True, "n": 2},
            {"zone": "stack", "n": 2},
            {"zone": "none", "n": 0},
        ],
        [{"player": "p1", "zone": "battlefield", "tapped": False, "n": 4}],
        "count of p1 in battlefield untapped 4",
        "2",
    ),
    (
        "count",
        [{"zone": "stack", "name": "Cancel", "n": 1}],
        [{"zone": "exile", "name": "Divination", "n": 0}],
        "count in exile named Divination 0",
        "1",
    ),
    ("stack", 2, 1, "stack 1", "2 (stack: Cancel, Lightning Bolt)"),
    ("stack", ["Cancel", "Lightning Bolt"], ["Lightning Bolt", "Cancel"], "stack", "stack: Cancel, Lightning Bolt"),
    ("resolved", ["Shock", "Prodigal Pyromancer"], ["Doom Blade"], "resolved Doom Blade", "without resolving"),
    ("resolved", [], ["Cancel"], "resolved Cancel", "nothing of it has left the stack"),
    ("not_resolved", ["Doom Blade"], ["Shock"], "not_resolved Shock", "it resolved"),
    (
        "lki",
        {
            "Prodigal Pyromancer": {
                "power": 1,
                "toughness": 1,
                "controller": "p0",
                "types": ["Creature", "Human", "Wizard"],
                "keywords": [],
                "colors": ["red"],
                "counters": {"+1/+1": 0},
                "damage": 2,
                "tapped": True,
                "attached_to": None,
                "zone": "battlefield",
            },
            "Shock": {"zone": "hand"},
            "Doomed": {"tapped": False},
        },
        {"Prodigal Pyromancer": {"power": 2, "damage": 2}},
        "lki of Prodigal Pyromancer: power 2",
        "1",
    ),
    ("turn", {"turn": 1, "active": "p0", "step": "declare_blockers"}, {"turn": 2}, "turn 2", "1"),
    ("turn", {}, {"active": "p1"}, "turn active p1", "p0"),
    ("turn", {}, {"step": "main2"}, "turn step main2", "declare_blockers"),
    ("alive", ["p0"], [], "alive []", '["p0", "p1"]'),
    ("lost", [], ["p1"], 'lost ["p1"]', "[]"),
    ("mana_pool", {"p0": {"G": 1, "R": 0}, "p1": {}}, {"p0": {"G": 2}}, 'mana_pool of p0 {"G": 2}', '{"G": 1}'),
    ("mana_pool", {"p1": {"W": 0}}, {"p0": {}}, "mana_pool of p0 {}", '{"G": 1}'),
    (
        "can",
        [],
        [{"cast": "Blaze"}],
        "can cast Blaze",
        "it is not legal (Blaze is in hand; turn 1 of p0, declare_blockers",
    ),
    ("cannot", [{"cast": "Blaze"}, {"attack": {"Worn": "p1"}}], [{"cast": "Unsummon"}], "", ""),
]
LKI_WRONG: list[tuple[str, Any, str, str]] = [
    ("toughness", 3, "toughness 3", "1"),
    ("controller", "p1", "controller p1", "p0"),
    ("types", ["Goblin"], 'types ["Goblin"]', "Wizard"),
    ("keywords", ["flying"], 'keywords ["flying"]', "[]"),
    ("colors", ["green"], 'colors ["green"]', "red"),
    ("counters", {"+1/+1": 2}, "+1/+1 counters 2", "0"),
    ("damage", 0, "damage 0", "2"),
    ("tapped", False, "tapped false", "true"),
    ("attached_to", "Worn", "attached_to Worn", "null"),
    ("zone", "exile", "lki of Prodigal Pyromancer", "has not departed from exile"),
]


def with_expect(expect: dict[str, Any]) -> dict[str, Any]:
    data = copy.deepcopy(POSITION)
    data["expect"] = expect
    return data


def test_the_position_holds_whatever_is_right() -> None:
    for key, right, _, _, _ in CASES:
        result = outcome(with_expect({key: right}))
        assert result.status == "passed", (key, result)


@pytest.mark.parametrize(("key", "right", "wrong", "expected", "got"), CASES)
def test_a_wrong_expectation_of_every_kind_is_reported(
    key: str, right: Any, wrong: Any, expected: str, got: str
) -> None:
    if not expected:
        return
    result = outcome(with_expect({key: wrong}))
    assert (result.status, result.step) == ("failed", "expect"), result
    assert expected in result.expected
    assert got in result.got


@pytest.mark.parametrize(("key", "wrong", "expected", "got"), LKI_WRONG)
def test_wrong_last_known_information_is_reported(key: str, wrong: Any, expected: str, got: str) -> None:
    result = outcome(with_expect({"lki": {"Prodigal Pyromancer": {key: wrong}}}))
    assert (result.status, result.step) == ("failed", "expect"), result
    assert expected in result.expected
    assert got in result.got


def test_every_key_is_tested_here() -> None:
    tested = {key for key, *_ in CASES} | {"winner", "energy", "monarch", "day"}
    assert tested == set(_CHECKS)


def test_every_difference_is_reported() -> None:
    result = outcome(with_expect({"life": {"p0": 1, "p1": 2}, "zone": {"Doomed": "exile"}}))
    assert result.expected == "life of p0 1; life of p1 2; zone of Doomed exile"
    assert result.got == "20; 19; hand"


def test_facts_about_what_is_nowhere_are_differences() -> None:
    result = outcome(with_expect({"pt": {"token:Goblin#3": [1, 1]}, "tapped": {"stack:Shock": True}}))
    assert "the token" not in result.expected
    assert "pt of token:Goblin#3 [1, 1]" in result.expected
    assert "2 tokens of that name were made" in result.got
    assert "0 such objects on the stack" in result.got


# --- facts that need a position of their own


def test_can_and_cannot_look_at_what_would_be_legal_now() -> None:
    zones = {
        "p0": {"hand": ["Shock", "Divination", "Forest"], "battlefield": ["Mountain", "Prodigal Pyromancer"]},
        "p1": {"hand": ["Lava Spike"], "battlefield": [{"card": "Grizzly Bears"}]},
    }
    legal = [
        {"cast": "Shock"},
        {"cast": "Shock", "targets": ["Grizzly Bears"]},
        {"cast": "Divination"},
        {"play": "Forest"},
        {"activate": "Mountain"},
        {"activate": "Prodigal Pyromancer", "ability": 1},
        {"attack": {"Prodigal Pyromancer": "p1"}},
    ]
    illegal = [
        {"cast": "Lava Spike"},
        {"cast": "Shock", "targets": ["Mountain"]},
        {"activate": "Prodigal Pyromancer", "ability": 2},
        {"attack": {"Grizzly Bears": "p0"}},
        {"block": {"Grizzly Bears": "Prodigal Pyromancer"}},
        {"cast": "Divination", "by": "p1"},
    ]
    passes(expect={"can": legal, "cannot": illegal}, **zones)
    for action in legal:
        verb = next(iter(action))
        got = "it is legal"
        fails(expect={"cannot": [action]}, step="expect", expected=f"cannot {verb}", got=got, **zones)
    for action in illegal:
        fails(expect={"can": [action]}, step="expect", expected=f"can {next(iter(action))}", got="", **zones)


def test_asking_what_is_legal_moves_nothing() -> None:
    zones = {"p0": {"hand": ["Shock"]}}
    passes(
        {
            "expect": {
                "can": [{"cast": "Shock", "targets": ["p1"]}],
                "cannot": [{"cast": "Shock", "targets": ["Shock"]}],
            }
        },
        {"expect": {"zone": {"Shock": "hand"}, "life": {"p1": 20}, "stack": 0}},
        **zones,
    )


def test_winner_and_who_lost() -> None:
    zones = {"p0": {"hand": ["Lightning Bolt"]}}
    steps = [{"cast": "Lightning Bolt", "targets": ["p1"]}, {"resolve": "top"}]
    right = {"winner": "p0", "lost": ["p1"], "alive": ["p0"], "zone": {"Lightning Bolt": "graveyard"}}
    passes(*steps, life={"p1": 3}, expect=right, **zones)
    fails(*steps, life={"p1": 3}, expect={"winner": "p1"}, step="expect", expected="winner p1", got="p0", **zones)
    fails(*steps, life={"p1": 3}, expect={"winner": "draw"}, step="expect", expected="winner draw", got="p0", **zones)
    fails(*steps, expect={"winner": "p0"}, step="expect", expected="winner p0", got="none: the game goes on", **zones)
    fails(*steps, life={"p1": 3}, expect={"lost": []}, step="expect", expected="lost []", got='["p1"]', **zones)


def test_a_draw() -> None:
    passes(expect={"winner": "draw", "lost": ["p0", "p1"]}, life={"p0": 0, "p1": 0})
    fails(expect={"winner": "p0"}, life={"p0": 0, "p1": 0}, step="expect", expected="winner p0", got="draw")


def test_what_players_have() -> None:
    passes(expect={"monarch": None, "day": None, "energy": {"p0": 0}, "counters": {"p0": {"experience": 0}}})
    fails(step="expect", expect={"monarch": "p0"}, expected="monarch p0", got="null")
    fails(step="expect", expect={"day": "night"}, expected="day night", got="null")
    fails(step="expect", expect={"energy": {"p0": 2}}, expected="energy of p0 2", got="0")


def test_the_newest_departure_counts() -> None:
    """The card left its hand last; without a zone the battlefield or stack is meant."""
    passes(
        {"cast": "Unsummon", "targets": ["Grizzly Bears"]},
        {"resolve": "top"},
        {"answer": {"p1": [["Grizzly Bears", "Forest"]]}},
        {"cast": "Mind Rot", "targets": ["p1"]},
        {"resolve": "top"},
        p0={"hand": ["Unsummon", "Mind Rot"]},
        p1={"battlefield": ["Grizzly Bears"], "hand": ["Forest"]},
        expect={
            "lki": {"Grizzly Bears": {"power": 2, "controller": "p1"}, "Forest": {"zone": "hand"}},
            "zone": {"Grizzly Bears": "graveyard", "Forest": "graveyard"},
        },
    )
