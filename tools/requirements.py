"""Prints requirements out of pyproject.toml, one a line, for `pip install -r`.

    python tools/requirements.py build run test lint ...  [--without NAME]...

`build` is what a build without isolation needs (CMake and Ninja included), `run` the run-time dependencies, any other
word an extra.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from pathlib import Path


def requirements(project: dict, group: str) -> list[str]:
    if group == "build":
        tools = project["tool"]["scikit-build"]
        return [
            *project["build-system"]["requires"],
            "cmake" + tools["cmake"]["version"],
            "ninja" + tools["ninja"]["version"],
        ]
    if group == "run":
        return project["project"]["dependencies"]
    return project["project"]["optional-dependencies"][group]


def main() -> None:
    parser = argparse.ArgumentParser(description="requirements out of pyproject.toml")
    parser.add_argument("groups", nargs="+")
    parser.add_argument("--without", action="append", default=[], metavar="NAME")
    options = parser.parse_args()
    path = Path(__file__).parent.parent / "pyproject.toml"
    project = tomllib.loads(path.read_text(encoding="utf-8"))
    for group in options.groups:
        for line in requirements(project, group):
            if re.match(r"[\w.-]+", line)[0] not in options.without:
                print(line)


if __name__ == "__main__":
    main()
