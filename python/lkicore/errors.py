"""Errors of the public functions that belong to no other module."""

from __future__ import annotations


class ArgumentError(ValueError):
    """An argument of a public function is out of its range; the one-line message names it and the value given."""


class ResultError(RuntimeError):
    """A result cannot be written: its folder or its format's library is missing."""


class EngineError(RuntimeError):
    """The core contradicted itself (a replay that is not the game it replays); never the caller's doing."""
