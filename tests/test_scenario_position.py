"""Positions: games set up as data, silently, that can be played on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lkicore import Game
from lkicore.opcodes import ChoiceKind, OptionKind, Status, Step, Zone
from lkicore.scenario import ScenarioError, read_scenario
from scenario_play import BLADE, OGRE, fails, make, passes, skips

pytestmark = pytest.mark.sanitize

BOARD: dict[str, Any] = make(
    p0={
        "battlefield": [
            "Serra Angel",
            {"card": "Plain Blade", "attached_to": "Serra Angel"},
            {"card": "Craw Wurm", "tapped": True, "damage": 2, "counters": {"+1/+1": 1, "-1/-1": 0, "charge": 3}},
            {"card": "Forest", "count": 3},
            {"card": "Raging Goblin", "sick": True},
            {"card": "Grizzly Bears", "owner": "p1"},
            {"card": "Goblin Token", "token": True, "count": 2},
        ],
        "hand": ["Lightning Bolt", "Divination"],
        "library": ["Shock", "Mountain", "Blaze"],
        "graveyard": ["Unsummon", "Murder"],
        "exile": ["Cancel"],
        "command": ["Harmonize"],
        "sideboard": ["Shivan Dragon"],
    },
    p1={"battlefield": ["Wary Ogre", {"card": "Mountain", "tapped": True}], "hand": ["Lava Axe"]},
    cards=[BLADE, OGRE],
    life={"p1": 7},
    library_fill=5,
)


def names(game: Game, zone: Zone, player: int = 0) -> list[str]:
    return [obj.name for obj in game.objects(zone, player)]


def test_everything_is_where_it_is_wanted() -> None:
    game = Game.from_scenario(BOARD)
    assert game.check() is None
    assert names(game, Zone.LIBRARY) == ["Shock", "Mountain", "Blaze", *["Wastes"] * 5]
    assert names(game, Zone.LIBRARY, 1) == ["Wastes"] * 5
    assert names(game, Zone.HAND) == ["Lightning Bolt", "Divination"]
    assert names(game, Zone.GRAVEYARD) == ["Unsummon", "Murder"]
    assert names(game, Zone.EXILE) == ["Cancel"]
    assert names(game, Zone.COMMAND) == ["Harmonize"]
    assert names(game, Zone.SIDEBOARD) == ["Shivan Dragon"]
    field = {obj.name: obj for obj in game.objects(Zone.BATTLEFIELD)}
    wurm = field["Craw Wurm"]
    assert (wurm.power, wurm.toughness, wurm.damage, wurm.tapped) == (7, 5, 2, True)
    assert wurm.counters == {"+1/+1": 1, "charge": 3}
    assert field["Plain Blade"].attached_to == field["Serra Angel"].id
    assert field["Raging Goblin"].status & Status.SICK
    assert not field["Serra Angel"].status & Status.SICK
    assert (field["Grizzly Bears"].controller, field["Grizzly Bears"].owner) == (0, 1)
    assert names(game, Zone.BATTLEFIELD).count("Goblin Token") == 2
    assert field["Goblin Token"].card == -1
    assert [game.life(p) for p in range(2)] == [20, 7]


def test_objects_have_timestamps_in_the_order_listed() -> None:
    game = Game.from_scenario(BOARD)
    stamps = [obj.timestamp for obj in game.objects(Zone.BATTLEFIELD)]
    assert stamps == sorted(set(stamps))


def test_setting_up_is_silent() -> None:
    game = Game.from_scenario(BOARD, trace=True)
    assert game.departures() == []
    assert game.events() == []
    assert [record for record in game.trace() if record[0]] == []


def test_the_active_player_has_priority() -> None:
    game = Game.from_scenario(BOARD)
    assert game.choice is ChoiceKind.PRIORITY
    assert (game.turn, game.active_player, game.current_player, game.step) == (1, 0, 0, Step.MAIN1)
    words = [str(option).split(" #")[0] for option in game.options()]
    assert words == ["pass", "cast Lightning Bolt", "cast Divination"]


@pytest.mark.parametrize("payment", [None, "auto"])
def test_mana_is_free_or_paid(payment: str | None) -> None:
    data = make(p0={"hand": ["Shock"]}, mana="pay" if payment is None else "free")
    game = Game.from_scenario(data, payment=payment)
    assert [o.kind for o in game.options()] == [OptionKind.PASS]


@pytest.mark.parametrize(
    ("step", "drawn"),
    [("upkeep", 0), ("draw", 1), ("main1", 0), ("begin_combat", 0), ("main2", 0), ("end", 0)],
)
def test_any_step_can_be_the_first(step: str, drawn: int) -> None:
    game = Game.from_scenario(make(start={"turn": 3, "active": "p1", "step": step}))
    assert (game.turn, game.active_player, Step(game.step).name.lower()) == (3, 1, step)
    assert game.choice is ChoiceKind.PRIORITY
    assert len(game.zone(Zone.HAND, 1)) == drawn
    assert game.check() is None


def test_combat_steps_as_the_first() -> None:
    board = {"p0": {"battlefield": ["Serra Angel"]}}
    game = Game.from_scenario(make(start={"step": "declare_attackers"}, **board))
    assert game.choice is ChoiceKind.ATTACK
    for step in ("declare_blockers", "first_strike_damage", "combat_damage", "end_combat"):
        game = Game.from_scenario(make(start={"step": step}, **board))
        assert Step(game.step).name.lower() == step
    passes({"attack": {"Serra Angel": "p1"}}, start={"step": "declare_attackers"}, **board)


def test_turns_go_on_from_there() -> None:
    start = {"turn": 4, "active": "p1", "step": "end"}
    passes({"advance": "upkeep"}, start=start, expect={"turn": {"turn": 5, "active": "p0"}})
    data = make({"advance": "draw"}, players=3, start={"turn": 2, "active": "p2"}, expect={"turn": {"active": "p0"}})
    assert read_scenario(data).players == 3


def test_no_draw_in_the_first_turn_of_two_players() -> None:
    """CR 103.8a."""
    start = {"step": "upkeep"}
    passes({"advance": "main1"}, start=start, expect={"hand": {"p0": 0}, "turn": {"turn": 1}})
    passes({"advance": "main1"}, start=start | {"turn": 2}, expect={"hand": {"p0": 1}, "turn": {"turn": 2}})


def test_state_based_actions_are_checked_before_anybody_acts() -> None:
    passes(
        p0={"battlefield": [{"card": "Grizzly Bears", "damage": 2}, {"card": "Serra Angel", "counters": {"-1/-1": 4}}]},
        expect={"zone": {"Grizzly Bears": "graveyard", "Serra Angel": "graveyard"}},
    )


def test_a_game_from_a_scenario_can_be_played_to_its_end() -> None:
    for seed in range(20):
        game = Game.from_scenario(BOARD, seed=seed, max_turns=60)
        while not game.is_terminal:
            assert game.check() is None
            game.step_agent("random" if seed % 2 else "greedy")


def test_copies_bytes_and_seeds() -> None:
    game = Game.from_scenario(BOARD, seed=3)
    other = Game.deserialize(game.serialize(), pool=game.pool)
    third = Game.from_scenario(BOARD, seed=3)
    for _ in range(200):
        if game.is_terminal:
            break
        game.step_agent("random")
        other.step_agent("random")
        third.step_agent("random")
        assert game.hash() == other.hash() == third.hash()


def test_options_of_the_engine() -> None:
    game = Game.from_scenario(make(p0={"battlefield": ["Forest"]}), auto_pass=True, max_turns=3)
    while not game.is_terminal:
        game.apply(0)
    assert game.turn <= 4


def test_many_objects_need_a_larger_block() -> None:
    data = make(
        p0={"battlefield": [{"card": "Grizzly Bears", "count": 700}]}, p1={"hand": [{"card": "Shock", "count": 90}]}
    )
    game = Game.from_scenario(data)
    assert game.check() is None
    assert len(game.zone(Zone.BATTLEFIELD)) == 700
    tokens = make(p0={"battlefield": [{"card": "Goblin Token", "token": True, "count": 600}]}, library_fill=0)
    assert len(Game.from_scenario(tokens).zone(Zone.BATTLEFIELD)) == 600
    with pytest.raises(ScenarioError, match="more objects than a game has room for"):
        Game.from_scenario(make(p0={"battlefield": [{"card": "Goblin Token", "token": True, "count": 9999}] * 4}))
    with pytest.raises(ScenarioError, match="more than the largest block holds"):
        Game.from_scenario(make(p0={"hand": [{"card": "Shock", "count": 9999}] * 4}))


# --- where a scenario comes from


def test_paths_and_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(make(life={"p0": n}) | {"id": f"s{n}"}) for n in (3, 4)), encoding="utf-8")
    assert Game.from_scenario((path, "s4")).life(0) == 4
    assert Game.from_scenario((str(path), "s3")).life(0) == 3
    with pytest.raises(LookupError, match="no scenario 's5'"):
        Game.from_scenario((path, "s5"))
    with pytest.raises(LookupError, match="holds 2 scenarios"):
        Game.from_scenario(path)
    one = tmp_path / "one.yaml"
    one.write_text("{id: one, script: [], expect: {}, life: {p1: 9}}", encoding="utf-8")
    assert Game.from_scenario(one).life(1) == 9
    assert Game.from_scenario(read_scenario(make(life={"p0": 2}))).life(0) == 2


def test_what_cannot_be_set_up() -> None:
    with pytest.raises(ValueError, match="scenario test: Nonesuch: no such card"):
        Game.from_scenario(make(p0={"hand": ["Nonesuch"]}))
    with pytest.raises(ScenarioError, match="unknown key"):
        Game.from_scenario({"id": "x", "board": {}})
    with pytest.raises(ValueError, match="seed"):
        Game.from_scenario(make(), seed=-1)


# --- what is not supported, and what is no position


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"card": "Serra Angel", "counters": {"oddity": 1}}, "'oddity' counters"),
        ({"card": "Serra Angel", "chosen": {"card": "Forest"}}, "chosen card"),
    ],
)
def test_what_is_not_supported_is_skipped(entry: dict[str, Any], reason: str) -> None:
    skips(p0={"battlefield": [entry]}, cards=[BLADE], reason=reason)


def test_counters_none_of_a_kind_that_no_card_has_are_no_matter() -> None:
    passes(p0={"battlefield": [{"card": "Serra Angel", "counters": {"oddity": 0}}]})


@pytest.mark.parametrize(
    ("zone", "entry", "cause"),
    [
        ("hand", {"card": "Goblin Token", "token": True}, "a token is on the battlefield"),
        ("hand", {"card": "Shock", "owner": "p1"}, "only on the battlefield"),
        ("hand", {"card": "Shock", "tapped": True}, "only a permanent has that"),
        ("graveyard", {"card": "Shock", "damage": 1}, "only a permanent has that"),
    ],
)
def test_impossible_positions(zone: str, entry: dict[str, Any], cause: str) -> None:
    with pytest.raises(ScenarioError, match=cause) as caught:
        Game.from_scenario(make(p0={zone: [entry]}))
    assert caught.value.key.startswith(f"zones.p0.{zone}[1].")


def test_tokens_of_the_position_have_labels_of_their_own() -> None:
    zones = {"p0": {"battlefield": [{"card": "Goblin Token", "token": True, "as": "g"}], "hand": ["Shock"]}}
    steps = [{"cast": "Shock", "targets": ["g"]}, {"resolve": "top"}]
    expect = {"zone": {"g": "none"}, "lki": {"g": {"power": 1}}, "tokens": {"p0": {"Goblin": 0}}}
    passes(*steps, expect=expect, **zones)
    fails(
        *steps, expect={"zone": {"g": "graveyard"}}, step="expect", expected="zone of g graveyard", got="none", **zones
    )


def test_tokens_are_called_by_their_subtypes() -> None:
    """CR 111.4."""
    passes(
        p0={"battlefield": [{"card": "Goblin", "token": True}, {"card": "Goblin Token", "token": True, "as": "g"}]},
        expect={"tokens": {"p0": {"Goblin": 2, "Goblin Token": 2}}, "pt": {"g": [1, 1], "Goblin": [1, 1]}},
    )


def test_a_card_that_is_a_copy() -> None:
    passes(
        {"cast": "Murder", "targets": ["Clone"]},
        {"resolve": "top"},
        p0={"battlefield": [{"card": "Clone", "copy_of": "Serra Angel"}], "hand": ["Murder"]},
        expect={
            "zone": {"Clone": "graveyard"},
            "lki": {"Clone": {"power": 4, "keywords": ["flying"], "types": ["Angel"]}},
        },
    )


def test_an_aura_that_enchants_a_player() -> None:
    passes(
        {"advance": "upkeep", "turn": 2, "active": "p1"},
        {"resolve": "top"},
        p0={"battlefield": [{"card": "Curse of the Bloody Tome", "attached_to": "p1"}]},
        start={"active": "p0", "step": "main1"},
        expect={"graveyard": {"p1": 2}},
    )


def test_a_token_that_is_a_copy() -> None:
    entry = {"card": "Goblin Token", "copy_of": "Serra Angel", "token": True, "as": "copy"}
    passes(
        p0={"battlefield": [entry]},
        expect={"pt": {"copy": [4, 4]}, "keywords": {"copy": ["flying"]}, "tokens": {"p0": {"Serra Angel": 1}}},
    )
