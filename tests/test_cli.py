"""The command line: what it prints where, and its exit status, for good input and for every kind of bad input."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lkicore.cards import CardPool, bundled_decks, workloads
from lkicore.cli import app
from lkicore.errors import EngineError
from lkicore.simulate import simulate

JSON_KEYS = {
    "games", "wins", "draws", "stopped", "turns", "choices", "seconds", "cpu_seconds", "games_per_cpu_second",
    "choices_per_cpu_second", "checksum",
}  # fmt: skip
#: The columns that a different machine or moment changes.
TIMES = {"seconds", "cpu_seconds", "games_per_cpu_second", "choices_per_cpu_second", "threads"}


def run(*arguments: str, status: int = 0) -> str:
    """What a command prints to stdout, in this process; checks its exit status."""
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.output


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "lkicore", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        **options,
    )


# --- simulate ---


def test_simulate_in_a_process_of_its_own() -> None:
    done = process("simulate", "--games", "40", "--seed", "3")
    assert done.returncode == 0
    assert done.stderr == "", "no progress where stderr is no terminal"
    assert "40 games, seed 3" in done.stdout
    assert re.search(r"^p0 +red +greedy ", done.stdout, re.MULTILINE)
    assert re.search(r"^p1 +green +greedy ", done.stdout, re.MULTILINE)
    assert simulate(["red", "green"], 40, seed=3).checksum in done.stdout


def test_the_installed_command() -> None:
    command = Path(sys.executable).with_name("lkicore")
    if not command.exists():
        pytest.skip("not installed with its script")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True, timeout=60)
    assert re.fullmatch(r"lkicore \d+\.\d+\.\d+\n", done.stdout)


def test_json_is_one_object() -> None:
    data = json.loads(run("simulate", "red", "green", "--games", "50", "--seed", "9", "--json"))
    assert data.keys() >= JSON_KEYS
    assert data["games"] == 50
    assert len(data["wins"]) == 2
    assert sum(data["wins"]) + data["draws"] + sum(data["stopped"].values()) == 50
    assert re.fullmatch(r"[0-9a-f]{16}", data["checksum"])
    result = simulate(["red", "green"], 50, seed=9)
    assert (data["turns"], data["choices"]) == (result.total_turns, result.total_choices)
    assert data["checksum"] == result.checksum


def test_threads_change_nothing() -> None:
    one, two = (
        json.loads(run("simulate", "--games", "60", "--agents", "random", "--threads", threads, "--json"))
        for threads in ("1", "2")
    )
    assert {k: v for k, v in one.items() if k not in TIMES} == {k: v for k, v in two.items() if k not in TIMES}


def test_agents_by_seat() -> None:
    data = json.loads(run("simulate", "--games", "5", "--agents", "greedy, random", "--json"))
    assert data["agents"] == ["greedy", "random"]


@pytest.mark.parametrize("name", [*bundled_decks(), *workloads()])
def test_every_named_deck_plays(name: str) -> None:
    assert json.loads(run("simulate", name, name, "--games", "3", "--json"))["games"] == 3


def test_a_deck_from_a_file(tmp_path: Path) -> None:
    deck = tmp_path / "my deck [1].txt"
    deck.write_text("36 Mountain\n4 Lightning Bolt\n20 Forest\n", encoding="utf-8")
    assert "my deck [1]" in run("simulate", str(deck), "red", "--games", "3")


def test_out_csv_and_parquet_hold_the_same(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    csv = pytest.importorskip("pyarrow.csv")
    for name in ("games.csv", "games.parquet"):
        text = run("simulate", "--games", "30", "--seed", "4", "--out", str(tmp_path / name))
        assert f"written    {tmp_path / name}" in text
    table = pq.read_table(tmp_path / "games.parquet")
    text = csv.read_csv(tmp_path / "games.csv")
    assert table.num_rows == text.num_rows == 30
    for column in ("game", "winner", "starting", "turns", "choices", "life_0", "life_1", "reason", "status"):
        assert table[column].to_pylist() == text[column].to_pylist(), column
    about = json.loads(table.schema.metadata[b"lkicore"])
    assert about["checksum"] == simulate(["red", "green"], 30, seed=4).checksum
    assert about["agents"] == ["greedy", "greedy"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.csv", "games.parquet"]


# --- replay ---


@pytest.mark.parametrize("game", [0, 1, 17])
def test_replay_agrees_with_simulate(game: int) -> None:
    lines = run("replay", "green", "red", "--agents", "greedy,random", "--seed", "6", "--game", str(game)).splitlines()
    result = simulate(["green", "red"], 1, seed=6, agents=["greedy", "random"], first=game)
    assert lines[0].startswith(f"Game {game} of seed 6: p0 green (greedy), p1 red (random)")
    assert f"; turn {result.turns[0]}, {result.choices[0]} choices" in lines[-2]
    assert (f"p{result.winner[0]} " in lines[-2]) == (result.winner[0] >= 0)


def test_replay_in_a_process_of_its_own() -> None:
    done = process("replay", "--game", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("The same as game 2 of a bulk run")


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = [sys.executable, "-m", "lkicore", "replay"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as pipe:
        assert pipe.stdout is not None
        assert pipe.stderr is not None
        pipe.stdout.readline()
        pipe.stdout.close()
        assert pipe.stderr.read() == b""


# --- cards, version, help ---


def test_cards() -> None:
    text = run("cards", "list")
    assert re.search(r"^Lightning Bolt +\{R\} +Instant", text, re.MULTILINE)
    assert re.search(r"^Gray Ogre .* 2/2", text, re.MULTILINE)
    assert len(text.splitlines()) == 2 + len(CardPool.builtin().names())
    assert "Lightning Bolt" in run("cards", "show", "Lightning Bolt")
    assert run("cards", "show", "lightning", "bolt") == run("cards", "show", "Lightning Bolt")


def test_decks_are_listed_without_the_workloads() -> None:
    text = run("cards", "decks")
    for name in bundled_decks():
        assert re.search(rf"^{re.escape(name)} +\d+", text, re.MULTILINE), name
    for name in workloads():
        assert name not in text


def test_version_and_help() -> None:
    assert re.fullmatch(r"lkicore \d+\.\d+\.\d+\n", run("--version"))
    assert "simulate" in run()
    for command in (["simulate"], ["replay"], ["cards"], ["cards", "show"], []):
        assert "Usage" in run(*command, "--help")


# --- bad input ---

BAD = [
    (["nope"], "No such command 'nope'"),
    (["cards"], "Missing command"),
    (["cards", "nope"], "No such command 'nope'"),
    (["cards", "show"], "NAME"),
    (["cards", "show", "Lightning Blot"], "Lightning Bolt"),
    (["cards", "show", "zzzzzz"], "zzzzzz"),
    (["simulate", "--gamez", "5"], "--gamez"),
    (["simulate", "--games", "0"], "games must be at least 1, not 0"),
    (["simulate", "--games", "-5"], "games must be at least 1, not -5"),
    (["simulate", "--games", "many"], "--games"),
    (["simulate", "--games", "1.5"], "--games"),
    (["simulate", "--games"], "--games"),
    (["simulate", "--seed", "-1"], "seed must be at least 0, not -1"),
    (["simulate", "--seed", str(2**64)], "seed must be at most"),
    (["simulate", "--threads", "0"], "threads must be at least 1, not 0"),
    (["simulate", "--threads", "-2"], "threads must be at least 1, not -2"),
    (["simulate", "--agents", "greddy"], "did you mean greedy"),
    (["simulate", "--agents", "greedy,greedy,greedy"], "one for each of the 2 decks, not 3"),
    (["simulate", "--agents", ""], "unknown agent ''"),
    (["simulate", "red"], "2 to 8 decks, not 1"),
    (["simulate", *["red"] * 9], "2 to 8 decks, not 9"),
    (["simulate", "red", "gren"], "green"),
    (["simulate", "red", "no/such/deck.txt"], "no/such/deck.txt"),
    (["simulate", "red", ""], "deck"),
    (["simulate", "red", "."], "."),
    (["simulate", "red", "small.txt"], "small.txt"),
    (["simulate", "red", "five.txt"], "five.txt"),
    (["simulate", "huge.txt", "huge.txt"], "more than the largest block holds"),
    (["simulate", "red", "unknown.txt"], "unknown.txt:2"),
    (["simulate", "red", "malformed.txt"], "malformed.txt:2"),
    (["simulate", "red", "negative.txt"], "negative.txt:1"),
    (["simulate", "red", "empty.txt"], "empty.txt"),
    (["simulate", "red", "binary.txt"], "binary.txt"),
    (["simulate", "red", "two\nlines.txt"], "lines.txt"),
    (["simulate", "--out", "games.txt"], ".csv or .parquet"),
    (["simulate", "--out", "games"], ".csv or .parquet"),
    (["simulate", "--out", ""], ".csv or .parquet"),
    (["simulate", "--out", "missing/games.csv"], "no folder"),
    (["simulate", "--out", "folder.csv"], "is a folder"),
    (["replay", "--game", "-1"], "game must be at least 0, not -1"),
    (["replay", "--game", "x"], "--game"),
    (["replay", "red", "gren"], "green"),
    (["replay", "--agents", "human"], "unknown agent 'human'"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with deck files that are wrong in one way each."""
    basics = "30 Mountain\n"
    files = {
        "small.txt": "20 Mountain\n",
        "five.txt": basics + "25 Forest\n5 Lightning Bolt\n",
        "unknown.txt": basics + "4 Lightning Blot\n26 Forest\n",
        "malformed.txt": basics + "Lightning Bolt\n30 Forest\n",
        "negative.txt": "-4 Lightning Bolt\n60 Mountain\n",
        "empty.txt": "",
        "huge.txt": "999 Forest\n" * 30,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "before.csv").write_text("what was there before")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_faults_of_a_deck_are_in_the_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "two.txt").write_text("60 Mountain\n4 Xyzzy\nplugh\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        app(["simulate", "two.txt", "red"])
    assert re.search(r"^lkicore: .*; two\.txt:2: .*Xyzzy.*; two\.txt:3: .*plugh.*\n$", capsys.readouterr().err)


@pytest.mark.parametrize("out", ["games.txt", "missing/games.csv", "folder.csv"])
def test_out_is_checked_before_anything_is_played(out: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*args: Any, **options: Any) -> Any:
        raise AssertionError("played")

    monkeypatch.setattr("lkicore.commands.simulate.play", play)
    with pytest.raises(SystemExit):
        app(["simulate", "--out", out])


@pytest.mark.parametrize(("arguments", "said"), BAD, ids=[" ".join(arguments)[:60] for arguments, _ in BAD])
def test_bad_input(arguments: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(folder.rglob("*"))
    takes_out = arguments[0] == "simulate" and "--out" not in arguments
    with pytest.raises(SystemExit) as end:
        app([*arguments, *(["--out", "before.csv"] if takes_out else [])])
    out, err = capsys.readouterr()
    assert end.value.code == 2
    assert out == ""
    assert err.count("\n") == 1, err
    assert err.startswith("lkicore: ")
    assert said in err
    assert sorted(folder.rglob("*")) == before
    assert (folder / "before.csv").read_text() == "what was there before"


@pytest.mark.parametrize(
    "arguments", [["simulate", "red", "unknown.txt"], ["simulate", "--games", "-1"], ["cards", "show", "zzz"]]
)
def test_bad_input_in_a_process_of_its_own(arguments: list[str], folder: Path) -> None:
    done = process(*arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"lkicore: .+\n", done.stderr)


def test_out_in_a_folder_without_write_permission(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if os.access(locked, os.W_OK):
        pytest.skip("permissions do not bind this user")
    with pytest.raises(SystemExit) as end:
        app(["simulate", "--games", "3", "--out", str(locked / "games.csv")])
    assert end.value.code == 2
    assert "cannot be written" in capsys.readouterr().err


def test_parquet_without_pyarrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SystemExit) as end:
        app(["simulate", "--games", "3", "--out", str(tmp_path / "games.parquet")])
    assert end.value.code == 2
    assert "lkicore[arrow]" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only input is complained about in one line; anything else must not be swallowed."""

    def broken(*args: Any, **options: Any) -> Any:
        raise EngineError("core")

    monkeypatch.setattr("lkicore.commands.simulate.play", broken)
    with pytest.raises(EngineError):
        app(["simulate"])


# --- terminals and Ctrl-C ---


def until(descriptor: int, pattern: bytes, seconds: float = 60) -> bytes:
    """Read from a terminal until `pattern` has appeared."""
    seen = b""
    deadline = time.monotonic() + seconds
    while not re.search(pattern, seen):
        left = deadline - time.monotonic()
        assert left > 0, seen
        if select.select([descriptor], [], [], left)[0]:
            try:
                seen += os.read(descriptor, 65536)
            except OSError:  # the other end is closed: the process has ended
                raise AssertionError(seen) from None
    return seen


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_prints_what_is_done(threads: str, tmp_path: Path) -> None:
    """Starts far more games than can be played, waits for the progress bar to count, and interrupts."""
    games = 20_000_000
    out = tmp_path / "games.csv"
    try:
        master, slave = pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminal here: {error}")
    command = [sys.executable, "-m", "lkicore", "simulate", "--games", str(games), "--json", "--out", str(out)]
    with subprocess.Popen(
        [*command, "--threads", threads],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    ) as run:
        os.close(slave)
        try:
            until(master, rb"[1-9]\d*/%d.*[1-9][\d,]* games/s" % games)
            run.send_signal(signal.SIGINT)
            begun = time.monotonic()
            # The terminal must go on being read, or a full buffer would stop the process.
            while run.poll() is None and time.monotonic() - begun < 60:
                if select.select([master], [], [], 0.05)[0]:
                    try:
                        os.read(master, 65536)
                    except OSError:
                        break
            assert run.stdout is not None
            data = json.loads(run.stdout.read())
            assert run.wait(timeout=60) == 130
        finally:
            run.kill()
            os.close(master)
    assert data["interrupted"] is True
    assert data["requested"] == games
    assert 0 < data["games"] < games
    assert sum(data["wins"]) + data["draws"] + sum(data["stopped"].values()) == data["games"]
    assert len(out.read_text().splitlines()) == data["games"] + 1


def test_ctrl_c_before_the_first_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*args: Any, **options: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("lkicore.commands.simulate.play", interrupted)
    with pytest.raises(SystemExit) as end:
        app(["simulate"])
    assert end.value.code == 130
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
