"""Expressions of card files; see `lkicore.ir.expressions`, where they are read."""

from __future__ import annotations

from lkicore.ir.expressions import MAX_DEPTH, MAX_LENGTH, ExpressionError, evaluate

__all__ = ["MAX_DEPTH", "MAX_LENGTH", "ExpressionError", "evaluate"]
