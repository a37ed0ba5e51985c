"""Scenario files: JSON lines, JSON and YAML, as plain values with the line of every place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from .errors import ScenarioError

#: The way to a place in a scenario: keys of maps and numbers of list entries.
Path_: TypeAlias = "tuple[str | int, ...]"

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: Largest scenario file that is read.
MAX_FILE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Source:
    """A scenario as it was read.

    Attributes:
        data: plain values.
        file: name of the file, "" for none.
        line: its first line, 0 unknown.
        lines: lines of its places by the way to them, where they are known.
    """

    data: Any
    file: str = ""
    line: int = 0
    lines: dict[Path_, int] = field(default_factory=dict, repr=False)

    def line_of(self, where: Path_) -> int:
        """The line of a place, or of the nearest place around it that has one."""
        for n in range(len(where), -1, -1):
            if where[:n] in self.lines:
                return self.lines[where[:n]]
        return self.line


def read_sources(path: Path) -> list[Source]:
    """The scenarios of a file, in its order: `.jsonl`, `.json`, `.yaml` or `.yml`.

    Raises:
        OSError: it cannot be read.
        ScenarioError: it is not of its format, with the line.
    """
    data = path.read_bytes()
    file = str(path)
    if len(data) > MAX_FILE:
        raise ScenarioError(f"larger than {MAX_FILE} bytes", file=file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScenarioError(f"not UTF-8: {error.reason} at byte {error.start}", file=file) from None
    kind = path.suffix.lower()
    if kind == ".jsonl":
        return list(_json_lines(text, file))
    if kind == ".json":
        value = _json(text, file, 1)
        return [Source(v, file) for v in (value if isinstance(value, list) else [value])]
    if kind in (".yaml", ".yml"):
        return _yaml(text, file)
    raise ScenarioError(f"a scenario file ends in .jsonl, .json or .yaml, not in {path.suffix!r}", file=file)


def _json_lines(text: str, file: str) -> Iterator[Source]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield Source(_json(line, file, number), file, number)


def _json(text: str, file: str, line: int) -> Any:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            keys = [key for key, _ in items]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise ScenarioError(f"the key {twice!r} stands twice", file=file, line=line)
        return found

    try:
        return json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise ScenarioError(f"not JSON: {error.msg}", file=file, line=line + error.lineno - 1) from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError(f"not JSON: {str(error) or 'nested too deeply'}", file=file, line=line) from None


def _yaml(text: str, file: str) -> list[Source]:
    try:
        root = yaml.compose(text, Loader=_Loader)
        if root is None:
            return []
        nodes = root.value if isinstance(root, yaml.SequenceNode) else [root]
        sources = []
        for node in nodes:
            lines: dict[Path_, int] = {}
            data = _value(node, (), lines, file)
            sources.append(Source(data, file, _line(node), lines))
        return sources
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise ScenarioError(f"not YAML: {error.problem or error.context}", file=file, line=line) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ScenarioError(f"not YAML: {str(error) or 'nested too deeply'}", file=file) from None


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _value(node: yaml.Node, where: Path_, lines: dict[Path_, int], file: str) -> Any:
    """The plain value of a node; notes the lines of all places in it."""
    lines[where] = _line(node)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*where, i), lines, file) for i, item in enumerate(node.value)]
    if not isinstance(node, yaml.MappingNode):
        return yaml.constructor.SafeConstructor().construct_object(node)
    found: dict[str, Any] = {}
    for key_node, value in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise ScenarioError("a key is a word or text", file=file, line=_line(key_node))
        key = str(key_node.value)
        if key in found:
            raise ScenarioError(f"the key {key!r} stands twice", file=file, line=_line(key_node))
        found[key] = _value(value, (*where, key), lines, file)
    return found
