"""Values that a run must give again, in a JSON file; rewritten only with LKICORE_GOLDEN_UPDATE=1 in the environment."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from pathlib import Path

import pytest

UPDATE = "LKICORE_GOLDEN_UPDATE"


class Golden:
    """The values of one file, by key."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.values: dict[str, object] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.update = os.environ.get(UPDATE) == "1"
        self.changed: list[str] = []
        if self.update and "PYTEST_XDIST_WORKER" in os.environ:
            raise RuntimeError(f"{UPDATE}=1 rewrites {path.name}: run it without -n")

    def check(self, key: str, value: object) -> None:
        """Assert that a value is what it was; with LKICORE_GOLDEN_UPDATE=1 make it so."""
        known = self.values.get(key)
        if self.update:
            if known != value:
                self.values[key] = value
                self.changed.append(key)
            return
        how = f"if it is meant to change, {UPDATE}=1 rewrites {self.path.name}"
        assert known is not None, f"{self.path.name} has no value for {key!r}; {UPDATE}=1 writes it"
        assert value == known, f"{key!r} gives {value}, not {known} as {self.path.name} says; {how}"

    def save(self, keys: Collection[str], config: pytest.Config) -> None:
        """Write the file without the values of other keys, when that was asked for, and say so."""
        if not self.update:
            return
        kept = {key: self.values[key] for key in sorted(self.values) if key in keys}
        dropped = len(self.values) - len(kept)
        if self.changed or dropped:
            lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in kept.items())
            self.path.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
        config.pluginmanager.register(
            Notice(f"{self.path}: {len(self.changed)} values changed, {dropped} dropped, {len(kept)} there")
        )


class Notice:
    """A line at the end of the run: while tests run, what is printed is captured."""

    def __init__(self, text: str) -> None:
        self.text = text

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.write_line(self.text)
