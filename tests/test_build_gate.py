"""The gate in the build: a performance hint of Cython is an error, in every build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

BAD = """\
cdef int count = 0

cdef void f() nogil:
    global count
    count += 1

def call():
    with nogil:
        f()
    return count
"""
GOOD = BAD.replace("cdef void f() nogil", "cdef void f() noexcept nogil")


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    # A tool of the virtual environment is found although the environment is not activated. What this test compiles
    # must not inherit a sanitizer that was preloaded for us.
    env = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env.get('PATH', '')}"
    return subprocess.run(
        [str(c) for c in command],
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def gate(repo_dir: Path, folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "tiny.pyx").write_text(source)
    script = repo_dir / "cmake" / "cython_gate.py"
    return run(sys.executable, script, *options, "--", "-3", "tiny.pyx", "--output-file", "tiny.c", cwd=folder)


def test_gate_refuses_a_missing_noexcept(repo_dir: Path, tmp_path: Path) -> None:
    done = gate(repo_dir, tmp_path, BAD)
    assert done.returncode != 0, done.stdout
    assert "tiny.pyx:3:" in done.stdout, "the definition is named"
    assert "tiny.pyx:9:" in done.stdout, "the call is named"
    assert "cython_gate: " in done.stdout
    assert not (tmp_path / "tiny.c").exists()


def test_gate_passes_the_mended_source(repo_dir: Path, tmp_path: Path) -> None:
    done = gate(repo_dir, tmp_path, GOOD)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "tiny.c").exists()


def test_gate_passes_on_an_error_of_cython(repo_dir: Path, tmp_path: Path) -> None:
    done = gate(repo_dir, tmp_path, "def f(:\n    pass\n")
    assert done.returncode != 0
    assert "tiny.pyx:1:" in done.stdout


def test_gate_refuses_a_source_that_hides_its_hints(repo_dir: Path, tmp_path: Path) -> None:
    done = gate(repo_dir, tmp_path, "# cython: show_performance_hints=False\n" + BAD)
    assert done.returncode != 0
    assert "switches performance hints off" in done.stdout


def test_gate_lets_only_the_allowed_hint_by(repo_dir: Path, tmp_path: Path) -> None:
    assert gate(repo_dir, tmp_path, BAD, "--allow", "Exception check").returncode == 0
    assert gate(repo_dir, tmp_path, BAD, "--allow", "Use boundscheck(False)").returncode != 0


PROJECT = """\
cmake_minimum_required(VERSION 3.21...3.31)
project(tiny LANGUAGES C)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
list(APPEND CMAKE_MODULE_PATH "{modules}")
include(LkiCython)
lki_extension(tiny)
"""


@pytest.fixture
def build(repo_dir: Path, tmp_path: Path):
    """Configures a project of one extension with our CMake module; the result builds tiny.pyx from a source."""
    tools_dir = Path(sys.executable).parent
    tools = {t: shutil.which(t, path=f"{tools_dir}{os.pathsep}{os.environ['PATH']}") for t in ("cmake", "ninja")}
    for tool, path in tools.items():
        if path is None:
            pytest.skip(f"{tool} not found, neither beside {sys.executable} nor on PATH")
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(modules=(repo_dir / "cmake").as_posix()))

    def build_tiny(source: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "tiny.pyx").write_text(source)
        if not (tmp_path / "b" / "CMakeCache.txt").exists():
            configured = run(
                tools["cmake"], "-S", ".", "-B", "b", "-G", "Ninja",
                f"-DCMAKE_MAKE_PROGRAM={tools['ninja']}", f"-DPython_EXECUTABLE={sys.executable}",
                cwd=tmp_path,
            )  # fmt: skip
            assert configured.returncode == 0, configured.stdout
        return run(tools["cmake"], "--build", "b", cwd=tmp_path)

    return build_tiny


def test_lki_extension_builds_behind_the_gate(build, tmp_path: Path) -> None:
    done = build(BAD)
    assert done.returncode != 0, done.stdout
    assert "tiny.pyx:3:" in done.stdout
    assert "cython_gate: " in done.stdout
    assert build(BAD).returncode != 0, "a second try must not find a result of the first"
    done = build(GOOD)
    assert done.returncode == 0, done.stdout
    assert list((tmp_path / "b").glob("tiny.*.so"))


def test_a_changed_include_rebuilds(build, tmp_path: Path) -> None:
    (tmp_path / "table.pxi").write_text("cdef int VALUE = 1\n")
    (tmp_path / "decl.pxd").write_text("cdef enum: NUMBER = 1\n")
    source = "from decl cimport NUMBER\ninclude 'table.pxi'\ndef get():\n    return VALUE + NUMBER\n"
    generated = tmp_path / "b" / "tiny.c"
    assert build(source).returncode == 0
    for name, text in (("table.pxi", "cdef int VALUE = 2\n"), ("decl.pxd", "cdef enum: NUMBER = 2\n")):
        before = generated.stat().st_mtime_ns
        (tmp_path / name).write_text(text)
        done = build(source)
        assert done.returncode == 0, done.stdout
        assert generated.stat().st_mtime_ns > before, f"{name} changed, and tiny.pyx was not translated again"


def test_nothing_in_the_build_goes_round_the_gate(repo_dir: Path) -> None:
    lists = [repo_dir / "CMakeLists.txt", *(repo_dir / "src").rglob("CMakeLists.txt")]
    other_ways = ("add_custom_command", "cython_transpile", "python_add_library", "add_library", "execute_process")
    found = [f"{path}: {way}" for path in lists for way in other_ways if way in path.read_text().lower()]
    assert not found, textwrap.indent("\n".join(found), "  ")
