"""Reading scenario files: good ones in every format, and one clear message for each fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lkicore.scenario import ScenarioError, read_scenario, read_scenarios
from scenario_play import BLADE, OGRE, make, outcome, skips

YAML = """\
- id: first
  zones:
    p0: {battlefield: [Serra Angel], hand: [{card: Shock, as: s}]}
  script:
    - answer: {p0: [yes, no, 3]}
    - cast: s
      targets: [p1]
  expect:
    tapped: {Serra Angel: no}
- id: second
  script: []
  expect: {life: {p0: 20}}
"""


def write(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_yaml(tmp_path: Path) -> None:
    first, second = read_scenarios(write(tmp_path, "a.yaml", YAML))
    assert (first.id, second.id) == ("first", "second")
    assert first.script[0].value == {0: ["yes", "no", 3]}
    assert first.expect == {"tapped": {"Serra Angel": False}}
    assert first.source.line_of(("script", 1, "targets")) == 7


def test_one_scenario_in_yaml_and_json(tmp_path: Path) -> None:
    (one,) = read_scenarios(write(tmp_path, "a.yml", "id: one\nscript: []\nexpect: {}\n"))
    assert one.id == "one"
    (two,) = read_scenarios(write(tmp_path, "a.json", json.dumps(make())))
    assert two.id == "test"
    assert len(read_scenarios(write(tmp_path, "b.json", json.dumps([make(), make() | {"id": "b"}])))) == 2


def test_json_lines(tmp_path: Path) -> None:
    lines = [json.dumps(make() | {"id": "a"}), "", json.dumps(make() | {"id": "b"})]
    scenarios = read_scenarios(write(tmp_path, "a.jsonl", "\ufeff" + "\n".join(lines)))
    assert [s.id for s in scenarios] == ["a", "b"]
    assert [s.source.line for s in scenarios] == [1, 3]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"id": "a"\n', "a.jsonl:1: not JSON"),
        (
            "a.jsonl",
            f"\n{json.dumps(make())}\n{json.dumps(make())}",
            "a.jsonl:3: scenario test: id: the id stands twice",
        ),
        ("a.jsonl", '{"id": "a", "id": "b"}', "a.jsonl:1: the key 'id' stands twice"),
        ("a.jsonl", "[" * 100_000, "not JSON"),
        ("a.yaml", "- {id: a, id: b}", "a.yaml:1: the key 'id' stands twice"),
        ("a.yaml", "- {id: [}", "a.yaml:1: not YAML"),
        ("a.yaml", "- id: a\n  script: []\n  expects: {}\n", "a.yaml:3: scenario a: expects: unknown key 'expects'"),
        ("a.yaml", "- id: a\n  script:\n  - cast: Shock\n", "a.yaml:3: scenario a: script[1].cast: no object"),
        ("a.txt", "", "a scenario file ends in .jsonl, .json or .yaml, not in '.txt'"),
    ],
)
def test_faulty_files(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_scenarios(write(tmp_path, name, text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_text_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        read_scenarios(path)
    with pytest.raises(OSError, match=r"b\.jsonl"):
        read_scenarios(tmp_path / "b.jsonl")


def bad(**changes: Any) -> dict[str, Any]:
    data = make(p0={"battlefield": ["Serra Angel", {"card": "Forest", "count": 2}], "hand": ["Shock"]})
    data |= changes
    return {key: value for key, value in data.items() if value is not None}


def step(**keys: Any) -> dict[str, Any]:
    return bad(script=[keys])


def expect(**keys: Any) -> dict[str, Any]:
    return bad(expect=keys)


def zones(**keys: Any) -> dict[str, Any]:
    return bad(zones={"p0": keys})


@pytest.mark.parametrize(
    ("data", "key", "cause"),
    [
        # the top
        (bad(id=None), "", "a scenario without an id"),
        (bad(id=3), "id", "text is wanted here, not 3"),
        (bad(script=None), "", "a scenario without a script"),
        (bad(script={}), "script", "a list is wanted here"),
        (bad(expect=None), "", "expects nothing"),
        (bad(surprise=1), "surprise", "unknown key 'surprise'"),
        (bad(title=1), "title", "text is wanted"),
        (bad(tags=["a", 1]), "tags[2]", "text is wanted"),
        (bad(players=9), "players", "the number 9 is out of range"),
        (bad(players=True), "players", "a whole number is wanted here, not True"),
        (bad(life={"p2": 3}), "life.p2", "unknown player 'p2'; the players are p0 to p1"),
        (bad(life={"p1": "3"}), "life.p1", "a whole number is wanted"),
        (bad(mana="cheap"), "mana", "unknown way of paying 'cheap'"),
        (bad(library_fill=-1), "library_fill", "out of range"),
        (bad(start={"step": "untap"}), "start.step", "unknown step 'untap'"),
        (bad(start={"turn": 0}), "start.turn", "out of range"),
        (bad(start={"phase": "main1"}), "start.phase", "unknown key"),
        (bad(cards=[{"mana_cost": "{R}"}]), "cards[1]", "a card without a name"),
        (bad(cards=[{"name": "A", "text": ""}]), "cards[1].text", "unknown key 'text'"),
        (bad(cards=[{"name": "A"}, {"name": "A"}]), "cards[2].name", "stands twice"),
        # objects
        (bad(zones={"p2": {}}), "zones.p2", "unknown player"),
        (zones(stack=["Shock"]), "zones.p0.stack", "unknown key 'stack'"),
        (zones(hand="Shock"), "zones.p0.hand", "a list is wanted"),
        (zones(hand=[{"as": "x"}]), "zones.p0.hand[1]", "an object without a card"),
        (zones(hand=[{"card": "Shock", "tap": True}]), "zones.p0.hand[1].tap", "did you mean tapped?"),
        (zones(hand=[{"card": "Shock", "count": 0}]), "zones.p0.hand[1].count", "out of range"),
        (zones(hand=[{"card": "Shock", "as": "p1"}]), "zones.p0.hand[1].as", "'p1' is not a label"),
        (zones(hand=[{"card": "Shock", "as": "a"}] * 2), "zones.p0.hand[2].as", "given twice"),
        (zones(hand=[{"card": "Shock", "as": "a", "count": 2}]), "zones.p0.hand[1].as", "one label for 2 objects"),
        (zones(battlefield=[{"card": "Forest", "tapped": 1}]), "zones.p0.battlefield[1].tapped", "true or false"),
        (zones(battlefield=[{"card": "Forest", "counters": {"x": -1}}]), "battlefield[1].counters.x", "range"),
        (
            zones(battlefield=[{"card": "Forest", "attached_to": "X"}]),
            "zones.p0.battlefield[1].attached_to",
            "no object",
        ),
        (zones(battlefield=[{"card": "Forest", "chosen": {"animal": "cat"}}]), "chosen.animal", "unknown key"),
        (zones(battlefield=[{"card": "Forest", "owner": "p5"}]), "zones.p0.battlefield[1].owner", "unknown player"),
        # steps
        (bad(script=["draw"]), "script[1]", "a map is wanted here, not 'draw'"),
        (step(targets=[]), "script[1]", "a step without a verb"),
        (step(cast="Shock", play="Shock"), "script[1]", "a step has one verb; here are cast, play"),
        (step(cast="Shock", target=["p1"]), "script[1].target", "unknown key 'target'; did you mean targets?"),
        (step(cast="p0"), "script[1].cast", "an object is wanted here, not the player p0"),
        (step(cast="Forest"), "script[1].cast", "2 objects are named 'Forest'; they need labels"),
        (step(cast="Shok"), "script[1].cast", "no object of the scenario is called 'Shok'; did you mean Shock?"),
        (step(cast="Shock", targets="p1"), "script[1].targets", "a list is wanted"),
        (step(cast="Shock", targets=["p7"]), "script[1].targets[1]", "unknown player 'p7'"),
        (step(cast="Shock", targets=["token:#1"]), "script[1].targets[1]", "a token is named token:NAME#k"),
        (step(cast="Shock", targets=["stack:Bolt"]), "script[1].targets[1]", "no object"),
        (step(cast="Shock", by="p4"), "script[1].by", "unknown player"),
        (step(cast="Shock", x="two"), "script[1].x", "a whole number"),
        (step(cast="Shock", modes=[0]), "script[1].modes[1]", "out of range"),
        (step(cast="Shock", divide=[0]), "script[1].divide[1]", "out of range"),
        (step(cast="Shock", cost=3), "script[1].cost[1]", "text is wanted"),
        (step(cast="Shock", pay={"burn": []}), "script[1].pay.burn", "unknown key 'burn'"),
        (step(cast="Shock", pay={"life": "2"}), "script[1].pay.life", "a whole number"),
        (step(cast="Shock", pay={"counters": {"Serra Angel": {"x": "1"}}}), "counters.Serra Angel.x", "a whole number"),
        (step(activate="Serra Angel", ability=0), "script[1].ability", "out of range"),
        (step(attack=["Serra Angel"]), "script[1].attack", "a map is wanted"),
        (step(attack={"Serra Angel": "p3"}), "script[1].attack.Serra Angel", "unknown player"),
        (step(block={"Serra Angel": ["p1"]}), "script[1].block.Serra Angel", "an object is wanted"),
        (step(resolve="bottom"), "script[1].resolve", "unknown thing to resolve 'bottom'"),
        (step(resolve="top", count=0), "script[1].count", "out of range"),
        (step(advance="combat"), "script[1].advance", "unknown step 'combat'"),
        (step(advance="end", turn="2"), "script[1].turn", "a whole number"),
        (step(answer=["yes"]), "script[1].answer", "a map is wanted"),
        (step(answer={"p0": "yes"}), "script[1].answer.p0", "a list is wanted"),
        (step(answer={"p0": [{"order": ["Shock"], "top": []}]}), "script[1].answer.p0[1]", "an answer is of one kind"),
        (step(answer={"p0": [{"middle": []}]}), "script[1].answer.p0[1].middle", "unknown key"),
        (step(answer={"p0": [None]}), "script[1].answer.p0[1]", "text is wanted"),
        (step(concede="Shock"), "script[1].concede", "unknown player"),
        (step(special="Shock", action="dance"), "script[1].action", "unknown special action"),
        (step(illegal={"advance": "end"}), "script[1].illegal", "not an action that can be illegal"),
        (step(coin=["edge"]), "script[1].coin[1]", "unknown side 'edge'"),
        (step(die=[0]), "script[1].die[1]", "out of range"),
        (step(shuffle={"p0": "Shock"}), "script[1].shuffle.p0", "a list is wanted"),
        # expectations
        (expect(lives={"p0": 1}), "expect.lives", "unknown key 'lives'; did you mean alive or life?"),
        (expect(life=20), "expect.life", "a map is wanted"),
        (expect(zone={"Shock": "limbo"}), "expect.zone.Shock", "unknown zone 'limbo'"),
        (expect(controller={"Shock": "me"}), "expect.controller.Shock", "unknown player 'me'"),
        (expect(pt={"Serra Angel": [4]}), "expect.pt.Serra Angel", "[power, toughness]"),
        (expect(tapped={"Serra Angel": 1}), "expect.tapped.Serra Angel", "true or false"),
        (expect(counters={"Serra Angel": 2}), "expect.counters.Serra Angel", "a map is wanted"),
        (expect(keywords={"Serra Angel": "flying"}), "expect.keywords.Serra Angel", "a list is wanted"),
        (expect(tokens={"Shock": {}}), "expect.tokens.Shock", "unknown player"),
        (expect(count=[{"zone": "hand"}]), "expect.count[1]", "a count without 'n'"),
        (expect(count=[{"n": 1}]), "expect.count[1]", "a count without 'zone'"),
        (expect(count=[{"zone": "hand", "n": 1, "who": "p0"}]), "expect.count[1].who", "unknown key"),
        (expect(stack="Shock"), "expect.stack", "a whole number"),
        (expect(resolved="Shock"), "expect.resolved", "a list is wanted"),
        (expect(lki={"Shock": {"size": 1}}), "expect.lki.Shock.size", "unknown key 'size'"),
        (expect(turn={"step": "untap"}), "expect.turn.step", "unknown step"),
        (expect(alive=["p9"]), "expect.alive[1]", "unknown player"),
        (expect(winner="nobody"), "expect.winner", "unknown player"),
        (expect(mana_pool={"p0": {"X": 1}}), "expect.mana_pool.p0.X", "unknown mana 'X'"),
        (expect(attacking={"Serra Angel": 3}), "expect.attacking.Serra Angel", "text is wanted"),
        (expect(day="noon"), "expect.day", "unknown time 'noon'"),
        (expect(can=[{"cast": "Bolt"}]), "expect.can[1].cast", "no object"),
        (expect(cannot={"cast": "Shock"}), "expect.cannot", "a list is wanted"),
    ],
)
def test_faulty_scenarios(data: dict[str, Any], key: str, cause: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_scenario(data)
    assert key in caught.value.key
    assert cause in caught.value.cause
    assert "\n" not in str(caught.value)


# --- cards


def test_cards_of_the_scenario_itself() -> None:
    data = make(
        p0={"battlefield": ["Wary Ogre", "Plain Blade", {"card": "Local Imp", "as": "imp"}]},
        cards=[OGRE, BLADE, {"name": "Local Imp", "ir": {"type": "Creature — Imp", "cost": "{B}", "pt": "2/1"}}],
        expect={"pt": {"Wary Ogre": [3, 3], "imp": [2, 1]}, "colors": {"imp": ["black"], "Wary Ogre": ["red"]}},
    )
    assert outcome(data).status == "passed"


def test_ir_may_be_text_and_takes_the_other_fields_over() -> None:
    ir = 'abilities: [{cost: "{T}", targets: [any_target], do: ["damage(target(0), 2)"]}]'
    card = {"name": "Local Archer", "mana_cost": "{1}{R}", "type_line": "Creature — Human Archer", "power": "1"}
    data = make(
        {"activate": "Local Archer", "targets": ["p1"]},
        {"resolve": "top"},
        p0={"battlefield": ["Local Archer"]},
        cards=[card | {"toughness": "2", "ir": ir}],
        expect={"life": {"p1": 18}, "pt": {"Local Archer": [1, 2]}},
    )
    assert outcome(data).status == "passed"


def test_a_card_of_the_pool_wins() -> None:
    fake = {"name": "Grizzly Bears", "type_line": "Creature — Bear", "power": "9", "toughness": "9"}
    data = make(p0={"battlefield": ["Grizzly Bears"]}, cards=[fake], expect={"pt": {"Grizzly Bears": [2, 2]}})
    assert outcome(data).status == "passed"


def test_cards_that_are_not_understood_are_skipped_with_the_sentence() -> None:
    text = "Flying\nWhen this creature enters, draw a card. Then dance."
    card = {"name": "Odd Bird", "type_line": "Creature — Bird", "power": "1", "toughness": "1", "oracle_text": text}
    skips(
        p0={"hand": ["Odd Bird"]},
        cards=[card],
        reason="Odd Bird: its text is not understood: When this creature enters, draw a card.",
    )
    skips(p0={"hand": ["Nonesuch"]}, reason="Nonesuch: no such card in the pool")
    skips(cards=[{"name": "Odd Spell", "type_line": "Instant"}], reason="Odd Spell: a spell without ir")
    skips(cards=[{"name": "A // B", "card_faces": [{}, {}]}], reason="several faces")


def test_faulty_notation_is_a_bad_file() -> None:
    for ir, cause in (
        ({"type": "Creature", "pt": "1/1", "keywords": ["swiming"]}, "swiming"),
        ("[", "not YAML"),
        ("3", "the ir of a card is a map"),
    ):
        with pytest.raises(ScenarioError) as caught:
            outcome(make(cards=[{"name": "Odd", "ir": ir}]))
        assert cause in str(caught.value)
        assert caught.value.key.startswith("cards[1]")
