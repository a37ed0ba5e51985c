"""`lkicore scenario check`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenario_play import make

BOLT = {"p0": {"hand": ["Lightning Bolt"]}}
GOOD = make({"cast": "Lightning Bolt", "targets": ["p1"]}, {"resolve": "top"}, expect={"life": {"p1": 17}}, **BOLT)
WRONG = make({"cast": "Lightning Bolt", "targets": ["p1"]}, expect={"life": {"p1": 17}}, **BOLT)
SKIPPED = make(p0={"hand": ["Nonesuch"]})


def lkicore(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lkicore", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def write(path: Path, *scenarios: dict[str, Any]) -> Path:
    lines = [json.dumps(data | {"id": f"s{i}"}) for i, data in enumerate(scenarios, start=1)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_all_pass(tmp_path: Path) -> None:
    done = lkicore("scenario", "check", write(tmp_path / "a.jsonl", GOOD))
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 passed, 0 failed, 0 skipped\n", "")


def test_a_line_for_each_that_fails_or_is_skipped(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a.jsonl", GOOD, WRONG), tmp_path / "b.yaml"
    second.write_text("- {id: y1, script: [], expect: {life: {p0: 20}}}\n", encoding="utf-8")
    third = write(tmp_path / "c.jsonl", SKIPPED)
    done = lkicore("scenario", "check", first, second, third)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "s2: failed: expect: expected life of p1 17, got 20",
        "s1: skipped: Nonesuch: no such card in the pool builtin",
        "2 passed, 1 failed, 1 skipped",
    ]


def test_a_skipped_scenario_is_no_failure(tmp_path: Path) -> None:
    assert lkicore("scenario", "check", write(tmp_path / "a.jsonl", SKIPPED)).returncode == 0


def test_json(tmp_path: Path) -> None:
    done = lkicore("scenario", "check", "--json", write(tmp_path / "a.jsonl", GOOD, WRONG, SKIPPED))
    assert done.returncode == 1
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["id"], line["status"]) for line in lines] == [("s1", "passed"), ("s2", "failed"), ("s3", "skipped")]
    assert lines[1]["step"] == "expect"
    assert (lines[1]["expected"], lines[1]["got"]) == ("life of p1 17", "20")
    assert lines[0]["expected"] is None
    assert lines[2]["reason"].startswith("Nonesuch")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"id": "s"', "a.jsonl:1: not JSON"),
        ("a.jsonl", '{"id": "s", "script": [], "expect": {}, "extra": 1}', "a.jsonl:1: scenario s: extra: unknown key"),
        ("a.yaml", "- id: s\n  script: [{jump: 1}]\n", "a.yaml:2: scenario s: script[1]: a step without a verb"),
    ],
)
def test_a_bad_file_is_one_line_and_status_2(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    good = write(tmp_path / "good.jsonl", WRONG)
    done = lkicore("scenario", "check", good, path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_not_there() -> None:
    done = lkicore("scenario", "check", "nowhere.jsonl")
    assert done.returncode == 2
    assert done.stderr == "lkicore: nowhere.jsonl: No such file or directory\n"


def test_cards_of_a_pool_file(tmp_path: Path) -> None:
    cards = tmp_path / "cards.yaml"
    cards.write_text('- {name: Nonesuch, cost: "{0}", type: Creature — Imp, pt: 1/1}\n', encoding="utf-8")
    data = make(p0={"battlefield": ["Nonesuch"]}, expect={"pt": {"Nonesuch": [1, 1]}})
    path = write(tmp_path / "a.jsonl", data)
    assert "1 skipped" in lkicore("scenario", "check", path).stdout
    assert lkicore("scenario", "check", "--pool", cards, path).stdout == "1 passed, 0 failed, 0 skipped\n"
    cards.write_text("- {name: Nonesuch}\n", encoding="utf-8")
    assert lkicore("scenario", "check", "--pool", cards, path).returncode == 2


def test_strict_and_the_number_of_defaults(tmp_path: Path) -> None:
    data = make(
        {"cast": "Mind Rot", "targets": ["p1"]},
        {"resolve": "top"},
        p0={"hand": ["Mind Rot"]},
        p1={"hand": ["Shock", "Forest", "Blaze"]},
        expect={"hand": {"p1": 1}},
    )
    path = write(tmp_path / "a.jsonl", data)
    done = lkicore("scenario", "check", path)
    assert (done.returncode, done.stdout) == (0, "choices defaulted: 1\n1 passed, 0 failed, 0 skipped\n")
    done = lkicore("scenario", "check", "--strict", path)
    assert done.returncode == 1
    assert "s1: failed: end: expected an answer to every choice, got choices defaulted: p1 discard" in done.stdout


def test_trace_shows_each_departure(tmp_path: Path) -> None:
    data = make(
        {"cast": "Shock", "targets": ["Grizzly Bears"]},
        {"resolve": "top"},
        {"advance": "upkeep"},
        p0={"hand": ["Shock"]},
        p1={"battlefield": ["Grizzly Bears"]},
        expect={"zone": {"Grizzly Bears": "graveyard"}},
    )
    done = lkicore("scenario", "check", "--trace", write(tmp_path / "a.jsonl", data))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[:3] == ["=== s1", "Turn 1: p0 (life p0 20, p1 20)", "  first main phase"]
    departures = [line.strip() for line in lines if "LKI #" in line and " left " in line]
    assert any(line.endswith("left battlefield for graveyard, controller p1, damage 2") for line in departures)
    assert any("Shock" in line and "left stack for graveyard" in line for line in departures)
    assert any("[LKI 0]" in line for line in lines)
    assert "Turn 2: p1 (life p0 20, p1 20)" in lines
