"""A Cython package from outside uses the C interface of the installed lkicore."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import lkicore

SITE = Path(lkicore.__file__).parent.parent

# Inline functions are compiled into the outside module; chunk_new is fetched from lkicore._arena when it is imported,
# and Cython then compares signatures.
OUTSIDE = """\
from libc.stdint cimport uint64_t
from lkicore._arena cimport chunk_len, chunk_new
from lkicore._rng cimport below, mix, next64, stream_seed

def draws(uint64_t seed, int n):
    cdef uint64_t s[2]
    stream_seed(s, mix(seed, 0, 0, 0))
    return [next64(s) for _ in range(n)], [below(s, 6) for _ in range(n)]

def imported():
    return <void *>chunk_new != NULL and chunk_len(NULL, 0) == 0
"""


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        [str(c) for c in command],
        cwd=cwd,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture
def outside(tmp_path: Path):
    """Builds a package `outside` with one extension module; the result runs Python statements with it."""
    compiler = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler on PATH")
    package = tmp_path / "outside"
    package.mkdir()
    (package / "__init__.py").touch()

    def build_and_run(source: str, statements: str) -> str:
        (package / "_agent.pyx").write_text(source)
        run(sys.executable, "-m", "cython", "-3", "-Werror", "-I", SITE, "outside/_agent.pyx", cwd=tmp_path)
        run(
            compiler, "-O1", "-shared", "-fPIC", f"-I{sysconfig.get_paths()['include']}",
            "outside/_agent.c", "-o", f"outside/_agent{sysconfig.get_config_var('EXT_SUFFIX')}",
            cwd=tmp_path,
        )  # fmt: skip
        return run(sys.executable, "-c", statements, cwd=tmp_path).strip()

    return build_and_run


@pytest.mark.slow
def test_an_outside_package_cimports_lkicore(outside) -> None:
    statements = """if True:
        from outside import _agent
        words, dice = _agent.draws(1, 100)
        assert len(set(words)) == 100 and max(words).bit_length() > 60, words
        assert set(dice) == set(range(6)), dice
        assert _agent.draws(1, 100) == (words, dice) != _agent.draws(2, 100)
        assert _agent.imported()
        print("good")
    """
    assert outside(OUTSIDE, statements) == "good"


@pytest.mark.slow
def test_the_gate_sees_our_declarations_as_an_outsider_does(repo_dir: Path, tmp_path: Path) -> None:
    """No installed .pxd makes an outside caller pay for an exception check."""
    names = sorted(p.stem for p in (SITE / "lkicore").glob("_[a-z]*.pxd"))
    assert names
    (tmp_path / "all.pyx").write_text("".join(f"from lkicore cimport {name}\n" for name in names))
    gate = repo_dir / "cmake" / "cython_gate.py"
    run(sys.executable, gate, "--", "-3", "-I", SITE, "all.pyx", "--output-file", "all.c", cwd=tmp_path)
