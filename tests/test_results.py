"""What a result counts, and the files it writes, on columns made by hand."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lkicore import resultfiles
from lkicore.errors import ArgumentError, ResultError
from lkicore.opcodes import EndReason, GameStatus
from lkicore.report import print_report
from lkicore.results import COLUMNS, DeckInfo, LkiCounts, SimulationResult
from lkicore.stats import wilson

# game, winner, starting, turns, choices, reason, status, grown, life
GAMES = [
    (0, 0, 0, 7, 50, EndReason.LIFE, GameStatus.ENDED, 0, (12, -1)),
    (1, 0, 1, 9, 61, EndReason.LIFE, GameStatus.ENDED, 1, (3, 0)),
    (2, 1, 1, 33, 200, EndReason.EMPTY_LIBRARY, GameStatus.ENDED, 2, (20, 20)),
    (3, -1, 0, 8, 70, EndReason.DRAW, GameStatus.ENDED, 0, (0, 0)),
    (4, -1, 1, 1000, 9000, EndReason.TURN_LIMIT, GameStatus.ABORTED, 0, (5, 5)),
    (7, -1, 0, 4, 20, EndReason.CAPACITY, GameStatus.CAPACITY, 3, (5, 5)),
    (9, -1, 0, 2, 9, EndReason.NONE, GameStatus.FAULT, 0, (20, 20)),
]


def make(games: list[tuple[Any, ...]] = GAMES, **changes: Any) -> SimulationResult:
    names = ("game", "winner", "starting", "turns", "choices", "reason", "status", "grown", "life")
    columns = {name: np.array([game[i] for game in games], dtype=COLUMNS[name]) for i, name in enumerate(names)}
    columns["life"] = columns["life"].reshape(len(games), 2)
    columns["game_checksum"] = np.array([2**63 + 5 + game[0] for game in games], dtype=np.uint64)
    fields: dict[str, Any] = {
        "decks": (DeckInfo("red", 60, "00ff"), DeckInfo("green [bold]", 61, "11ee")),
        "agents": ("greedy", "random"),
        "seed": 2**64 - 1,
        "first": 0,
        "requested": len(games),
        "threads": 2,
        "options": {"payment": "auto"},
        "cards_hash": "0123456789abcdef",
        "seconds": 2.0,
        "cpu_seconds": 4.0,
        "interrupted": False,
        "lki": LkiCounts(100, 10, 1, 0),
        "engine_version": "0.1.0",
    }
    return SimulationResult(**fields | columns | changes)


# --- counts ---


def test_every_game_is_counted_once() -> None:
    result = make()
    assert result.games == 7
    assert result.wins == [2, 1]
    assert result.draws == 1
    assert result.stopped == {"turn_limit": 1, "capacity": 1, "fault": 1}
    assert sum(result.wins) + result.draws + sum(result.stopped.values()) == result.games
    assert result.reasons == {
        "life": 2, "empty_library": 1, "draw": 1, "turn_limit": 1, "capacity": 1, "fault": 1
    }  # fmt: skip
    assert sum(result.reasons.values()) == result.games
    assert (result.total_turns, result.total_choices) == (1063, 9410)
    assert (result.grown_games, result.growths) == (3, 6)


def test_stopped_games_are_named() -> None:
    assert make().stopped_games() == [(4, "turn_limit"), (7, "capacity"), (9, "fault")]
    assert make().stopped_games(1) == [(4, "turn_limit")]


def test_a_stopped_game_with_a_winner_is_no_win() -> None:
    game = (0, 1, 0, 5, 5, EndReason.STEP_LIMIT, GameStatus.ABORTED, 0, (1, 2))
    result = make([game])
    assert (result.wins, result.draws, result.stopped) == ([0, 0], 0, {"step_limit": 1})


def test_win_rates_are_over_ended_games() -> None:
    result = make()
    assert result.win_rate(0)[:3] == (2, 4, 0.5)
    assert result.win_rate(0)[3:] == wilson(2, 4)[1:]
    assert result.win_rate(1)[:3] == (1, 4, 0.25)
    # Seat 0 began games 0 (won) and 3 (drawn), seat 1 games 1 and 2.
    assert result.win_rate(0, on_play=True)[:2] == (1, 2)
    assert result.win_rate(0, on_play=False)[:2] == (1, 2)
    assert result.win_rate(1, on_play=True)[:2] == (1, 2)
    assert result.win_rate(1, on_play=False)[:2] == (0, 2)
    assert result.win_rate(0, confidence=0.5).low > result.win_rate(0).low


@pytest.mark.parametrize("seat", [-1, 2])
def test_win_rate_of_no_seat(seat: int) -> None:
    with pytest.raises(ValueError, match=f"seat must be between 0 and 1, not {seat}"):
        make().win_rate(seat)


def test_checksum_wraps_and_ignores_order() -> None:
    result = make()
    total = sum(2**63 + 5 + game[0] for game in GAMES) % 2**64
    assert result.checksum == f"{total:016x}"
    assert make(GAMES[::-1]).checksum == result.checksum
    assert make(GAMES[1:]).checksum != result.checksum


def test_speed() -> None:
    result = make()
    assert result.games_per_cpu_second == 7 / 4
    assert result.choices_per_cpu_second == 9410 / 4
    assert make(cpu_seconds=0.0).games_per_cpu_second == 0


def test_wrong_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="turns must be uint32"):
        make(turns=np.zeros(7, dtype=np.int64))
    with pytest.raises(ValueError, match=r"life must be int32 of shape \(7, 2\)"):
        make(life=np.zeros((7, 3), dtype=np.int32))


# --- JSON ---


def test_json_is_complete_and_plain() -> None:
    data = json.loads(json.dumps(make().to_json(), allow_nan=False))
    assert data["games"] == 7
    assert data["wins"] == [2, 1]
    assert data["draws"] == 1
    assert data["stopped"] == {"turn_limit": 1, "capacity": 1, "fault": 1}
    assert (data["turns"], data["choices"]) == (1063, 9410)
    assert (data["seconds"], data["cpu_seconds"]) == (2.0, 4.0)
    assert (data["games_per_cpu_second"], data["choices_per_cpu_second"]) == (7 / 4, 9410 / 4)
    assert data["checksum"] == make().checksum
    assert data["seed"] == 2**64 - 1
    assert data["decks"][1] == {"name": "green [bold]", "cards": 61, "hash": "11ee"}
    assert data["schema_version"] == 1
    assert data["win_rates"][0]["on_play"]["games"] == 2


def test_json_without_an_ended_game_has_no_nan() -> None:
    data = make(GAMES[4:]).to_json()
    assert data["win_rates"][0]["all"] == {"wins": 0, "games": 0, "rate": None, "low": None, "high": None}
    json.dumps(data, allow_nan=False)


# --- files ---


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    make().to_csv(path)
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    plain = ["game", "winner", "starting", "turns", "choices", "reason", "status", "grown"]
    assert list(rows[0]) == [*plain, "life_0", "life_1", "game_checksum"]
    assert len(rows) == 7
    assert [row["winner"] for row in rows] == ["0", "0", "1", "-1", "-1", "-1", "-1"]
    assert rows[0]["life_1"] == "-1"
    assert (rows[4]["reason"], rows[4]["status"]) == ("turn_limit", "aborted")
    assert rows[5]["game"] == "7"
    assert rows[0]["game_checksum"] == f"{2**63 + 5:016x}"


def test_csv_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make().to_csv(tmp_path / "whole.csv")
    monkeypatch.setattr(resultfiles, "_ROWS", 3)
    make().to_csv(tmp_path / "blocks.csv")
    assert (tmp_path / "blocks.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_parquet(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "games.parquet"
    result = make()
    result.to_parquet(path)
    table = pq.read_table(path)
    assert table.num_rows == 7
    for name in ("game", "winner", "starting", "turns", "choices", "grown", "game_checksum"):
        column = table[name].to_numpy()
        assert column.dtype == COLUMNS[name]
        np.testing.assert_array_equal(column, getattr(result, name))
    np.testing.assert_array_equal(table["life_1"].to_numpy(), result.life[:, 1])
    assert table["reason"].to_pylist()[3:6] == ["draw", "turn_limit", "capacity"]
    assert table["status"].to_pylist()[3:6] == ["ended", "aborted", "capacity"]
    about = json.loads(table.schema.metadata[b"lkicore"])
    assert about == {**result.metadata(), "games": 7, "checksum": result.checksum}
    assert about["decks"][0]["hash"] == "00ff"


def test_parquet_without_pyarrow_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(ResultError, match=r"lkicore\[arrow\]"):
        make().to_parquet(tmp_path / "games.parquet")
    with pytest.raises(ResultError, match=r"lkicore\[arrow\]"):
        resultfiles.writer_for(tmp_path / "games.parquet")
    assert list(tmp_path.iterdir()) == []


class _DiskFullError(OSError):
    pass


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("error", [_DiskFullError, KeyboardInterrupt])
def test_nothing_half_written_stays(
    suffix: str, error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"games.{suffix}"
    path.write_text("what was there before")

    def broken(*args: Any) -> None:
        file = args[-1]
        if isinstance(file, Path):
            file.write_text("half")
        else:
            file.write("half")
        raise error

    monkeypatch.setattr(resultfiles, "_csv_rows", broken)
    if suffix == "parquet":
        monkeypatch.setattr(pytest.importorskip("pyarrow.parquet"), "write_table", broken)
    with pytest.raises(error):
        resultfiles.writer_for(path)(make())
    assert path.read_text() == "what was there before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    make().to_csv(tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("game,")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("games.txt", "games.txt: results are written to .csv or .parquet files"),
        ("games", "games: results are written to"),
        ("missing/games.csv", "there is no folder"),
        ("folder.csv", "is a folder"),
    ],
)
def test_places_that_cannot_be_written(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ArgumentError, match=said):
        resultfiles.writer_for(tmp_path / name)


# --- the table ---


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def report(result: SimulationResult, file: io.StringIO | None = None) -> str:
    file = io.StringIO() if file is None else file
    print_report(result, file)
    return file.getvalue()


def test_report_shows_everything() -> None:
    text = report(make())
    assert "7 games, seed 18446744073709551615" in text
    assert "green [bold]" in text, "a deck's name is not markup"
    assert "50.0% (15.0-85.0)" in text
    assert "life 2" in text
    assert "stopped    capacity 1, fault 1, turn limit 1" in text
    assert "--seed 18446744073709551615 --game 7" in text
    assert f"checksum   {make().checksum}" in text


def test_report_truncates_no_name() -> None:
    name = "a/very/long/path/" + "x" * 60 + "/deck.txt"
    text = report(make(decks=(DeckInfo(name, 60, "0"), DeckInfo("green", 60, "1"))))
    assert name in text
    assert "…" not in text


def test_report_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")  # no escapes, and 80 columns
    text = report(make(), _Terminal())
    assert "…" not in text
    for said in ("red", "greedy", "random", "50.0%", "(15.0-85.0)", "on the draw", make().checksum):
        assert said in text, said
    table = text.split("\n\n")[1].splitlines()
    assert max(map(len, table)) <= 80


def test_report_without_ended_games() -> None:
    text = report(make(GAMES[4:], interrupted=True, requested=50))
    assert "interrupted: 3 of 50 games" in text
    assert "nan" not in text
    assert math.isnan(make(GAMES[4:]).win_rate(0).rate)
