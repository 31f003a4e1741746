"""The changes of a module, and the module as each of them makes it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = ("body", "orelse", "finalbody")


class Mutant(NamedTuple):
    """One change of a file: the how manyth it is there, its line, the function that has it, what was there and what is
    there instead."""

    file: Path
    number: int
    line: int
    function: str
    was: str
    becomes: str

    @property
    def name(self) -> str:
        """What it is called in lists: no line, so that it stays the same when others change."""
        return f"{self.file.name} {self.function}: {self.was} -> {self.becomes}"


class Change(NamedTuple):
    """A node of a tree, the function that it is in, and what makes the node that stands there instead."""

    node: ast.AST
    function: str
    instead: Callable[[], ast.AST]


def mutants(file: Path) -> list[Mutant]:
    """All mutants of a file, in the order of its tree."""
    rows = enumerate(changes(ast.parse(file.read_text(encoding="utf-8"))))
    return [
        Mutant(file, number, one.node.lineno, one.function, _shown(one.node), _shown(one.instead()))  # type: ignore[attr-defined]
        for number, one in rows
    ]


def text_of(mutant: Mutant) -> str:
    """The file as the mutant has it."""
    tree = ast.parse(mutant.file.read_text(encoding="utf-8"))
    chosen = list(changes(tree))[mutant.number]
    return ast.unparse(ast.fix_missing_locations(_Changed(chosen).visit(tree)))


class _Changed(ast.NodeTransformer):
    def __init__(self, change: Change) -> None:
        self.change = change

    def visit(self, node: ast.AST) -> ast.AST:
        return self.change.instead() if node is self.change.node else super().visit(node)


def changes(tree: ast.AST) -> Iterator[Change]:
    """Every change of what functions do. Annotations, and the `strict=True` of a `zip`, decide nothing."""
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, function = stack.pop()
        if isinstance(node, FUNCTIONS):
            function = node.name
            yield from (Change(one, function, ast.Pass) for one in _early_returns(node))
        if function:
            yield from (Change(node, function, make) for make in _instead(node))
        stack += [(child, function) for child in _below(node)][::-1]


def _below(node: ast.AST) -> Iterator[ast.AST]:
    is_zip = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip"
    left_out = ("annotation", "returns", "keywords" if is_zip else "")
    for name, value in ast.iter_fields(node):
        if name not in left_out:
            yield from (
                child for child in (value if isinstance(value, list) else [value]) if isinstance(child, ast.AST)
            )


def _early_returns(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Return]:
    """The returns of a function before its end."""
    stack: list[ast.AST] = [*function.body[:-1], *ast.iter_child_nodes(function.body[-1])]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.expr)):
            stack += reversed(list(ast.iter_child_nodes(node)))


def _instead(node: ast.AST) -> Iterator[Callable[[], ast.AST]]:
    """What makes the nodes that could stand in place of one."""
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            ops = [*node.ops[:at], COMPARED[type(op)](), *node.ops[at + 1 :]]
            yield lambda ops=ops: ast.Compare(node.left, ops, node.comparators)  # type: ignore[misc]
    elif isinstance(node, ast.BoolOp):
        yield lambda: ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield lambda: node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield lambda: ast.Constant(value)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) < 70 else text[:67] + "..."
