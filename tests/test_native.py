"""The portable build against a build for this machine's own instruction set: the same games, bit for bit."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

import lkicore

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = [
    ("red", "green", "greedy"),
    ("red", "green", "random"),
    ("vanilla", "vanilla", "random"),
    ("bolt-mirror", "bolt-mirror", "random"),
]
GAMES = 2000

PROGRAM = """
import json, sys, lkicore
cases, games = json.loads(sys.argv[1])
runs = [lkicore.simulate([a, b], games=games, seed=17, agents=agent).checksum for a, b, agent in cases]
print(json.dumps([lkicore.__file__, runs]))
"""


@pytest.mark.soak
def test_a_native_build_plays_the_same_games(tmp_path: pathlib.Path) -> None:
    for tool in ("scikit_build_core", "Cython"):
        if importlib.util.find_spec(tool) is None:
            pytest.skip(f"{tool} is not installed here: no second build")
    target = tmp_path / "native"
    pip_install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps"]
    subprocess.run(
        [*pip_install, "--target", str(target), f"-Cbuild-dir={tmp_path / 'build'}", str(ROOT)],
        check=True,
        env={**os.environ, "LKI_NATIVE": "ON", "LKI_DEBUG": "OFF"},
    )
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([CASES, GAMES])],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(target)},
    )
    where, native = json.loads(out.stdout)
    assert pathlib.Path(where).is_relative_to(target), "the native build was not the one that played"
    portable = [lkicore.simulate([a, b], games=GAMES, seed=17, agents=agent).checksum for a, b, agent in CASES]
    assert native == portable
