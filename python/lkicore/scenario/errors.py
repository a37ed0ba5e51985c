"""Errors of scenarios: a bad file, something that the engine hasn't got, a step or fact that is not as expected."""

from __future__ import annotations


class ScenarioError(ValueError):
    """A scenario file that cannot be read, or a scenario that is not one; one message with the place.

    Attributes:
        cause: what is wrong.
        file: the file, or "" for a scenario that came as a map.
        line: line number from 1, 0 unknown.
        scenario: its id, or "".
        key: the way to the faulty place, such as `script[2].cast`, or "".
    """

    def __init__(self, cause: str, *, file: str = "", line: int = 0, scenario: str = "", key: str = "") -> None:
        self.cause, self.file, self.line, self.scenario, self.key = cause, file, line, scenario, key
        place = f"{file}:{line}" if file and line else file
        parts = [place, f"scenario {scenario}" if scenario else "", key, cause]
        super().__init__(": ".join(part for part in parts if part))


class UnsupportedError(Exception):
    """Something that no rule or card of this version backs: the scenario is skipped, never passed."""


class StepError(Exception):
    """A step, choice or fact is not as the scenario has it: the scenario fails.

    Attributes:
        expected: what the scenario says.
        got: what there is instead.
    """

    def __init__(self, expected: str, got: str) -> None:
        self.expected, self.got = expected, got
        super().__init__(f"expected {expected}, got {got}")
