"""Expressions of card files: Python call syntax over a given set of words, and nothing else.

The text is parsed with the `ast` module and walked; no code is ever compiled or run. Names, calls with positional and
keyword arguments, whole numbers, strings, True, False, the operators ``& | ~ + - *``, comparisons, and tuples among
the operands of a call are all there is.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from lkicore.opcodes import Keyword

from .conditions import equal, not_
from .filters import Filter
from .hints import did_you_mean, nearest
from .values import Value, value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Longest text of an expression.
MAX_LENGTH = 2000
#: Deepest nesting of an expression.
MAX_DEPTH = 40


class ExpressionError(ValueError):
    """An expression that cannot be understood.

    Attributes:
        cause: what is wrong.
        column: where, from 1; 0: the whole of it.
    """

    def __init__(self, cause: str, column: int = 0) -> None:
        self.cause, self.column = cause, column
        super().__init__(f"{cause} (column {column})" if column else cause)


def evaluate(text: str, namespace: Mapping[str, object]) -> object:
    """Return what `text` means over the words of `namespace`.

    Raises:
        ExpressionError: the text is not an expression of this kind, a word is unknown, or a builder refuses its
            operands.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression of {len(text)} characters; at most {MAX_LENGTH} are allowed")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise ExpressionError(f"not an expression: {error.msg}", error.offset or 0) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"not an expression: {str(error) or 'nested too deeply'}") from None
    return _Walk(namespace).node(tree.body, 0)


class _Walk:
    """One walk over the tree of an expression."""

    def __init__(self, namespace: Mapping[str, object]) -> None:
        self.namespace = namespace

    def node(self, node: ast.expr, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise ExpressionError("nested too deeply", node.col_offset + 1)
        if isinstance(node, ast.Constant):
            return self.constant(node)
        if isinstance(node, ast.Name):
            return self.word(node)
        if isinstance(node, ast.Call):
            return self.call(node, depth)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node, depth)
        if isinstance(node, ast.BinOp):
            return self.binary(node, depth)
        if isinstance(node, ast.Compare):
            return self.comparison(node, depth)
        raise ExpressionError(f"{_kind(node)} is not allowed here", node.col_offset + 1)

    def constant(self, node: ast.Constant) -> object:
        if isinstance(node.value, int | str):
            return node.value
        raise ExpressionError(f"{node.value!r} is neither a whole number nor a string", node.col_offset + 1)

    def word(self, node: ast.Name) -> object:
        if node.id in self.namespace:
            return self.namespace[node.id]
        hint = did_you_mean(nearest(node.id, self.namespace))
        raise ExpressionError(f"unknown word {node.id!r}{hint}", node.col_offset + 1)

    def call(self, node: ast.Call, depth: int) -> object:
        if not isinstance(node.func, ast.Name):
            raise ExpressionError("only a word can be called", node.col_offset + 1)
        function = self.word(node.func)
        if not callable(function):
            raise ExpressionError(f"{node.func.id!r} takes no operands", node.col_offset + 1)
        args = [self.operand(a, depth + 1) for a in node.args]
        keywords: dict[str, object] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise ExpressionError("** is not allowed here", node.col_offset + 1)
            keywords[keyword.arg] = self.operand(keyword.value, depth + 1)
        try:
            return function(*args, **keywords)
        except (TypeError, ValueError) as error:
            raise ExpressionError(str(error), node.col_offset + 1) from None

    def operand(self, node: ast.expr, depth: int) -> object:
        if isinstance(node, ast.Tuple | ast.List):
            return tuple(self.node(n, depth + 1) for n in node.elts)
        return self.node(node, depth)

    def unary(self, node: ast.UnaryOp, depth: int) -> object:
        operand: Any = self.node(node.operand, depth + 1)
        if isinstance(node.op, ast.Invert) and isinstance(operand, Filter):
            return ~operand
        if isinstance(node.op, ast.USub) and type(operand) in (int, Value):
            return -operand
        raise ExpressionError(f"{_sign(node.op)} does not apply to this operand", node.col_offset + 1)

    def binary(self, node: ast.BinOp, depth: int) -> object:
        a, b = self.node(node.left, depth + 1), self.node(node.right, depth + 1)
        operate = _OPERATORS.get(type(node.op))
        # Filters and sets of keywords are joined, numbers and values calculated; nothing else combines.
        fit = _JOINED if isinstance(node.op, ast.BitAnd | ast.BitOr) else _CALCULATED
        if operate is None or not (isinstance(a, fit) and isinstance(b, fit)) or {type(a), type(b)} == _MIXED:
            raise ExpressionError(f"{_sign(node.op)} does not apply to these operands", node.col_offset + 1)
        if fit is _CALCULATED and not all(type(v) in (int, Value) for v in (a, b)):
            raise ExpressionError(f"{_sign(node.op)} does not apply to these operands", node.col_offset + 1)
        try:
            return operate(a, b)
        except (TypeError, ValueError) as error:
            raise ExpressionError(str(error), node.col_offset + 1) from None

    def comparison(self, node: ast.Compare, depth: int) -> object:
        if len(node.ops) != 1:
            raise ExpressionError("one comparison at a time", node.col_offset + 1)
        a, b = self.node(node.left, depth + 1), self.node(node.comparators[0], depth + 1)
        compare = _COMPARISONS.get(type(node.ops[0]))
        if compare is None or not all(type(v) in (int, Value) for v in (a, b)):
            raise ExpressionError(f"{_sign(node.ops[0])} does not apply to these operands", node.col_offset + 1)
        try:
            return compare(value(a), value(b))
        except (TypeError, ValueError) as error:
            raise ExpressionError(str(error), node.col_offset + 1) from None


_JOINED = (Filter, Keyword)
_CALCULATED = (Value, int)
_MIXED = {Filter, Keyword}
_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], object]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_COMPARISONS: dict[type[ast.AST], Callable[[Value, Value], object]] = {
    ast.GtE: operator.ge,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.Lt: operator.lt,
    ast.Eq: equal,
    ast.NotEq: lambda a, b: not_(equal(a, b)),
}
_SIGNS: dict[type[ast.AST], str] = {
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Invert: "~",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Not: "not",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitXor: "^",
    ast.MatMult: "@",
    ast.GtE: ">=",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.Lt: "<",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def _sign(op: ast.AST) -> str:
    return _SIGNS.get(type(op), type(op).__name__)


def _kind(node: ast.AST) -> str:
    names = {"Attribute": "a dot", "Subscript": "[...]", "Lambda": "lambda", "BoolOp": "and/or", "IfExp": "if/else"}
    name = type(node).__name__
    return names.get(name, name.lower())
