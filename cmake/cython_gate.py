"""Runs Cython and fails when it prints a performance hint.

    python cython_gate.py [--allow TEXT]... -- ARGUMENTS-OF-CYTHON

Cython accepts `cdef void f() nogil` without `noexcept` and merely hints that each call now takes the GIL to look for
an exception: some 70 ns, and threads that wait for each other. Here the hint is an error. Warnings need nothing of
this: cython has -Werror for them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

HINT = re.compile(r"performance hint:", re.IGNORECASE)
SWITCHED_OFF = re.compile(r"show_performance_hints\s*[=(]\s*False")


def split_arguments(argv: list[str]) -> tuple[list[str], list[str]]:
    """(texts of hints that are allowed, arguments of cython)."""
    allowed: list[str] = []
    rest = list(argv)
    while rest and rest[0] == "--allow":
        allowed.append(rest[1])
        del rest[:2]
    if rest and rest[0] == "--":
        del rest[0]
    return allowed, rest


def sources_that_hide_hints(arguments: list[str]) -> list[str]:
    sources = [Path(a) for a in arguments if a.endswith(".pyx")]
    return [str(s) for s in sources if s.is_file() and SWITCHED_OFF.search(s.read_text(encoding="utf-8"))]


def remove_output(arguments: list[str]) -> None:
    """No .c may stay behind that a build tool could take for the result of a good run."""
    for flag, value in pairwise(arguments):
        if flag in ("-o", "--output-file"):
            Path(value).unlink(missing_ok=True)


def main(argv: list[str]) -> int:
    allowed, arguments = split_arguments(argv)
    for source in sources_that_hide_hints(arguments):
        print(f"cython_gate: {source} switches performance hints off", file=sys.stderr)
        return 1
    run = subprocess.run(
        [sys.executable, "-m", "cython", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    sys.stderr.write(run.stdout)
    hints = [line for line in run.stdout.splitlines() if HINT.search(line) and not any(a in line for a in allowed)]
    if run.returncode != 0:
        return run.returncode
    if hints:
        remove_output(arguments)
        print(f"cython_gate: {len(hints)} performance hint(s) above: an error in this project", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
