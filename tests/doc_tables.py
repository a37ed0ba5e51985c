"""What the tables of the documents name: functions of the core, scenarios."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "lkicore"
SCENARIOS = ROOT / "tests" / "scenarios"


def functions(module: str) -> set[str]:
    """Functions that a module of the core defines, in what it includes too."""
    paths = [path for path in (SOURCES / f"{module}.pyx", SOURCES / f"{module}.pxd") if path.exists()]
    assert paths, module
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    for included in re.findall(r'^include "(\w+\.pxi)"', text, re.MULTILINE):
        text += (SOURCES / included).read_text(encoding="utf-8")
    return set(re.findall(r"^(?:cdef|cpdef|def) [^\n(=]*?(\w+)\(", text, re.MULTILINE))


@functools.cache
def scenario_ids(name: str) -> frozenset[str]:
    """Ids of the scenarios of a file, which is named without its ending; "": of all files."""
    paths = (
        [SCENARIOS / f"{name}.yaml"] if name else [p for p in SCENARIOS.rglob("*.yaml") if p.name != "invented.yaml"]
    )
    found = (entry for path in paths for entry in yaml.safe_load(path.read_text(encoding="utf-8")))
    return frozenset(entry["id"] for entry in found)


def rows(text: str, columns: int) -> list[list[str]]:
    """Rows of the tables of a document that have so many columns and are about rules: their first cell is a number."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and len(cells) == columns and re.match(r"\d{3}", cells[0]):
            found.append(cells)
    return found
