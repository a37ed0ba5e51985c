"""The log of a game: its words, from records made by hand, and its agreement with bulk runs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lkicore.errors import ArgumentError, EngineError
from lkicore.opcodes import ChoiceKind, EndReason, Policy, Step, TraceKind, Zone
from lkicore.replay import replay
from lkicore.simulate import Setup, simulate
from lkicore.tracelog import TraceLog, ranges

K = TraceKind
NAMES = ["Mountain", "Lightning Bolt", "Gray Ogre"]


def record(kind: TraceKind, a: int = 0, b: int = 0, c: int = 0, d: int = 0, number: int = 0) -> tuple[int, ...]:
    return (kind, a, b, c, d, number, 0)


def log_of(*records: tuple[int, ...], **options: bool) -> list[str]:
    log = TraceLog(NAMES, ["red", "green"], **options)
    log.feed(records)
    log.close()
    return log.lines


# --- words ---


def test_ranges() -> None:
    assert ranges([]) == ""
    assert ranges([3, 4, 5, 9, 11, 12, 0]) == "3-5, 9, 11-12, 0"


def test_draws_of_a_hand_are_one_line() -> None:
    draws = []
    for i in range(3):
        draws += [
            record(K.LKI, 10 + i, i, Zone.LIBRARY, Zone.HAND, 50 + i),
            record(K.LKI_VALUES, 0, 0, 1, 0),
            record(K.MOVE, 1, i, Zone.LIBRARY, Zone.HAND, 60 + i),
        ]
    assert log_of(*draws, record(K.KEEP, 1, 3)) == [
        "  p1 draws Mountain #60, Lightning Bolt #61, Gray Ogre #62  [LKI 10-12]",
        "  p1 keeps 3 cards",
    ]


def test_draws_of_two_players_are_two_lines() -> None:
    lines = log_of(
        record(K.MOVE, 0, 0, Zone.LIBRARY, Zone.HAND, 5),
        record(K.MOVE, 1, 0, Zone.LIBRARY, Zone.HAND, 6),
        record(K.MOVE, 1, 2, Zone.LIBRARY, Zone.HAND, 7),
    )
    assert lines == ["  p0 draws Mountain #5", "  p1 draws Mountain #6, Gray Ogre #7"]


def test_empty_steps_are_left_out() -> None:
    lines = log_of(
        record(K.TURN, 4, 1),
        record(K.STEP, Step.UNTAP),
        record(K.STEP, Step.UPKEEP),
        record(K.STEP, Step.DRAW),
        record(K.MOVE, 1, 0, Zone.LIBRARY, Zone.HAND, 9),
        record(K.STEP, Step.MAIN1),
        record(K.CHOICE, 1, 0, 2, ChoiceKind.PRIORITY),
        record(K.STEP, Step.END),
    )
    assert lines == ["", "Turn 4: p1 green (life p0 20, p1 20)", "  draw", "    p1 draws Mountain #9"]


@pytest.mark.parametrize("cast_first", [False, True])
def test_a_bolt_from_cast_to_graveyard(cast_first: bool) -> None:
    cast = record(K.CAST, 0, 3, 1, 0, 41)
    move = [
        record(K.LKI, 7, 1, Zone.HAND, Zone.STACK, 30),
        record(K.LKI_VALUES, 0, 0, 0, 0),
        record(K.MOVE, 0, 1, Zone.HAND, Zone.STACK, 41),
    ]
    targets = record(K.TARGET, 0, 2, 0, 0, 33)
    lines = log_of(
        record(K.TURN, 1, 0),
        record(K.STEP, Step.MAIN1),
        record(K.TAP, 0, 0, 0, 0, 12),
        record(K.TAP, 0, 0, 0, 0, 13),
        *([cast, *move] if cast_first else [*move, cast]),
        targets,
        record(K.LOOKUP, 2, Policy.LEGALITY, 1, -1, 33),
        record(K.RESOLVE, 0, 1, -1, 0, 41),
        record(K.LOOKUP, 1, Policy.LIVE_THEN_LKI, 1, -1, 41),
        record(K.LOOKUP, 2, Policy.LEGAL_TARGET, 1, -1, 33),
        record(K.LOOKUP, 2, Policy.LEGAL_TARGET, 1, -1, 33),
        record(K.DAMAGE, 1, 2, 3, 0, 33),
        record(K.LKI, 8, 1, Zone.STACK, Zone.GRAVEYARD, 41),
        record(K.LKI_VALUES, 0, 0, 0, 0),
        record(K.MOVE, 0, 1, Zone.STACK, Zone.GRAVEYARD, 42),
        record(K.LKI, 9, 2, Zone.BATTLEFIELD, Zone.GRAVEYARD, 33),
        record(K.LKI_VALUES, 2, 2, 1, 3),
        record(K.SBA, 1, 2, 0, 0, 33),
        record(K.MOVE, 1, 2, Zone.BATTLEFIELD, Zone.GRAVEYARD, 43),
    )
    assert lines[2:] == [
        "  first main phase",
        "    p0 casts Lightning Bolt #41 targeting Gray Ogre #33, tapping Mountain #12, Mountain #13  [LKI 7]",
        "    Lightning Bolt #41 resolves (p0)",
        "      look-up Gray Ogre #33 by LEGALITY: live",
        "      Lightning Bolt deals 3 damage to Gray Ogre #33",
        "        look-up Lightning Bolt #41 by LIVE_THEN_LKI: live",
        "        look-up Gray Ogre #33 by LEGAL_TARGET: live (2 times)",
        "      Lightning Bolt goes from stack to p0's graveyard as #42",
        "        LKI #8: Lightning Bolt #41 left stack for graveyard, controller p0",
        "    Gray Ogre #33 has lethal damage (CR 704.5g)",
        "      Gray Ogre goes from battlefield to p1's graveyard as #43",
        "        LKI #9: Gray Ogre #33 2/2 left battlefield for graveyard, controller p1, damage 3",
    ]


def test_mana_and_taps_without_a_spell() -> None:
    lines = log_of(
        record(K.TAP, 0, 0, 0, 0, 12),
        record(K.MANA, 0, 3, 0, 1, 12),
        record(K.TAP, 2, 0, 0, 0, 14),
        record(K.ATTACK, 2, 1, 0, 0, 14),
    )
    assert lines == ["  p0 gets mana: R from Mountain", "    Gray Ogre #14 taps and attacks p1"]


def test_x_is_told() -> None:
    assert log_of(record(K.CAST, 0, 3, 1, 2, 41)) == ["    p0 casts Lightning Bolt #41 with X = 2"]


def test_an_ability_is_paid_for_by_tapping_its_source() -> None:
    lines = log_of(
        record(K.TAP, 2, 0, 0, 0, 14),
        record(K.ACTIVATE, 1, 2, 0, 0, 50),
        record(K.TARGET, 0, -1),
        record(K.RESOLVE, 1, 2, 0, 0, 50),
        record(K.LOOKUP, 2, Policy.LIVE_THEN_LKI, 2, 8, 14),
        record(K.DAMAGE, 2, -1, 1, 0, 14),
        record(K.LKI, 9, 2, Zone.STACK, Zone.NONE, 50),
        record(K.MOVE, 1, 2, Zone.STACK, Zone.NONE, 0),
    )
    assert lines == [
        "    p1 activates Gray Ogre, #50 on the stack targeting p0, tapping Gray Ogre #14",
        "    ability of Gray Ogre, #50 resolves (p1)",
        "      Gray Ogre #14 deals 1 damage to p0",
        "        look-up Gray Ogre #14 by LIVE_THEN_LKI: last known, LKI #8",
        "      Gray Ogre leaves stack and ceases to exist",
        "        LKI #9: Gray Ogre #50 left stack and ceased to exist",
    ]


def test_a_group_recorded_before_it_moves() -> None:
    """CR 603.10: both rows are recorded first; each is told with its own move."""
    lines = log_of(
        record(K.LKI, 1, 2, Zone.BATTLEFIELD, Zone.GRAVEYARD, 20),
        record(K.LKI_VALUES, 2, 2, 0, 2),
        record(K.LKI, 2, 2, Zone.BATTLEFIELD, Zone.GRAVEYARD, 21),
        record(K.LKI_VALUES, 3, 3, 1, 4),
        record(K.MOVE, 0, 2, Zone.BATTLEFIELD, Zone.GRAVEYARD, 30),
        record(K.MOVE, 1, 2, Zone.BATTLEFIELD, Zone.GRAVEYARD, 31),
    )
    assert lines[1] == "    LKI #1: Gray Ogre #20 2/2 left battlefield for graveyard, controller p0, damage 2"
    assert lines[3] == "    LKI #2: Gray Ogre #21 3/3 left battlefield for graveyard, controller p1, damage 4"


def test_records_find_their_own_moves() -> None:
    lines = log_of(
        record(K.LKI, 1, 2, Zone.BATTLEFIELD, Zone.GRAVEYARD, 20),
        record(K.LKI, 2, 2, Zone.BATTLEFIELD, Zone.EXILE, 21),
        record(K.MOVE, 1, 2, Zone.BATTLEFIELD, Zone.EXILE, 31),
        record(K.MOVE, 0, 2, Zone.BATTLEFIELD, Zone.GRAVEYARD, 30),
    )
    assert lines[1] == "    LKI #2: Gray Ogre #21 left battlefield for exile"
    assert lines[3] == "    LKI #1: Gray Ogre #20 left battlefield for graveyard"


def test_a_record_without_its_move_is_not_lost() -> None:
    departure = record(K.LKI, 5, 0, Zone.HAND, Zone.EXILE, 3)
    told = ["  LKI #5: Mountain #3 left hand for exile"]
    assert log_of(departure, record(K.STEP, Step.END)) == told
    assert log_of(departure) == told


def test_combat_and_life() -> None:
    lines = log_of(
        record(K.TURN, 2, 0),
        record(K.STEP, Step.DECLARE_ATTACKERS),
        record(K.TAP, 2, 0, 0, 0, 12),
        record(K.ATTACK, 2, 1, 0, 0, 12),
        record(K.ATTACK, 2, 1, 0, 0, 15),
        record(K.STEP, Step.DECLARE_BLOCKERS),
        record(K.BLOCK, 2, 2, 0, 0, 13),
        record(K.STEP, Step.COMBAT_DAMAGE),
        record(K.LOOKUP, 2, Policy.RULE_LKI, 2, 77, 12),
        record(K.DAMAGE, 2, -2, 2, 1, 12),
        record(K.LIFE, 1, 20, 18),
        record(K.TURN, 3, 1),
        record(K.LOSE, 1, EndReason.LIFE),
        record(K.END, 0, EndReason.LIFE),
    )
    assert lines[2:] == [
        "  declare attackers",
        "    Gray Ogre #12 taps and attacks p1",
        "    Gray Ogre #15 attacks p1",
        "  declare blockers",
        "    Gray Ogre #13 blocks Gray Ogre",
        "  combat damage",
        "    Gray Ogre #12 deals 2 combat damage to p1, life 20 -> 18",
        "      look-up Gray Ogre #12 by RULE_LKI: last known, LKI #77",
        "",
        "Turn 3: p1 green (life p0 20, p1 18)",
        "    p1 loses: no life left (CR 704.5a)",
    ]


def test_missing_answers_and_dead_targets() -> None:
    lines = log_of(
        record(K.LOOKUP, -1, Policy.LEGALITY, 0, -1, 4),
        record(K.ILLEGAL, 0, 1),
        record(K.NO_TARGET, 1, 1, -1, 0, 9),
        record(K.COUNTERED, 1, 0, 0, 0, 9),
        record(K.LOOKUP, 2, Policy.LIVE_ONLY, 0, -1, 4),
    )
    assert [line.strip() for line in lines] == [
        "target 1 of Lightning Bolt is illegal (CR 608.2b)",
        "look-up object #4 by LEGALITY: missing",
        "Lightning Bolt #9 has no legal target left and does nothing (CR 608.2b)",
        "Lightning Bolt #9 is countered",
        "look-up Gray Ogre #4 by LIVE_ONLY: missing",
    ]


def test_choices_on_request() -> None:
    choice = record(K.CHOICE, 1, 2, 5, ChoiceKind.BLOCK)
    assert log_of(choice) == []
    assert log_of(choice, choices=True) == ["  p1 takes option 2 of 5 (block)"]


def test_every_kind_of_record_is_rendered() -> None:
    log = TraceLog(NAMES, ["red", "green"])
    for kind in TraceKind:
        log.feed([record(kind, 0, 1, 1, 0, 5)])
    log.close()
    assert log.lines


# --- whole games ---

RUNS: list[tuple[list[str], Any]] = [
    (["red", "green"], "greedy"),
    (["green", "red"], ["random", "greedy"]),
    (["red", "red"], "random"),
    (["bolt-mirror", "bolt-mirror"], "random"),
    (["ogre-mirror", "ogre-mirror"], "greedy"),
    (["vanilla", "vanilla"], "random"),
]


@pytest.mark.parametrize(("decks", "agents"), RUNS)
def test_replays_are_the_games_of_the_run(decks: list[str], agents: Any) -> None:
    result = simulate(decks, 12, seed=5, agents=agents)
    for game in range(0, 12, 3):
        again = replay(decks, seed=5, agents=agents, game=game)
        assert again.winner == result.winner[game]
        assert again.turns == result.turns[game]
        assert again.choices == result.choices[game]
        assert again.starting == result.starting[game]
        assert list(again.life) == result.life[game].tolist()
        assert again.reason == result.reason[game]
        assert f"; turn {again.turns}, {again.choices} choices" in again.lines[-2]


def test_logs_tell_of_their_games() -> None:
    logs = [replay(["red", "green"], seed=0, game=game).lines for game in range(6)]
    for game, lines in enumerate(logs):
        assert lines[0] == f"Game {game} of seed 0: p0 red (greedy), p1 green (greedy)"
        assert re.fullmatch(r"p[01] is on the play", lines[1])
        assert lines[-2].startswith("Result: p")
        assert lines[-1].startswith(f"The same as game {game} of a bulk run")
    text = "\n".join(line for lines in logs for line in lines)
    for said in ("keeps 7 cards", "plays Mountain #", "plays Forest #", " casts ", " resolves (p", "attacks p"):
        assert said in text, said
    assert re.search(r"casts (Lightning Bolt|Shock|Searing Spear) #\d+ targeting (p[01]|[A-Z].* #\d+), tapping", text)
    assert re.search(r"deals \d+ combat damage to p[01], life -?\d+ -> -?\d+$", text, re.MULTILINE)
    assert re.search(r"LKI #\d+: .* #\d+ \d+/\d+ left battlefield for graveyard, controller p[01]", text)
    assert re.search(r"look-up .* by [A-Z_]+: (live|last known, LKI #\d+|missing)", text)
    assert "object #" not in text, "every face has a name"


def test_a_log_that_differs_from_the_run_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Setup.play

    def play(self: Setup, first: int, columns: Any) -> Any:
        counts = real(self, first, columns)
        columns["choices"] += 1
        return counts

    monkeypatch.setattr(Setup, "play", play)
    with pytest.raises(EngineError, match=r"replay of game 3, seed 0, is not the game of the bulk run: choices \d+"):
        replay(["red", "green"], game=3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"game": -1}, "game must be at least 0, not -1"), ({"agents": "gredy"}, "did you mean greedy")],
)
def test_bad_arguments(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        replay(["red", "green"], **arguments)
