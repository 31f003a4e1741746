"""The changes: each takes a node of a syntax tree and gives the nodes that could stand there instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import CodeType

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
TESTED = (ast.Compare, ast.BoolOp, ast.UnaryOp)
"""Conditions that have changes of their own."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Mutant:
    """One change: where it is, what it was and what it is, and the function that has it."""

    def __init__(self, file: str, function: ast.AST, node: ast.AST, instead: ast.AST) -> None:
        self.file = file
        self.function = function
        self.node = node
        self.instead = instead
        self.line: int = node.lineno  # type: ignore[attr-defined]

    @property
    def name(self) -> str:
        """What it is called in lists: no line, so that it stays the same when others change."""
        return f"{Path(self.file).name} {self.function.name}: {self.was} -> {self.becomes}"  # type: ignore[attr-defined]

    @property
    def was(self) -> str:
        return _shown(self.node)

    @property
    def becomes(self) -> str:
        return _shown(self.instead)


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) < 70 else text[:67] + "..."


def mutants(file: str) -> list[Mutant]:
    """All mutants of a file, in the order of its lines."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    found = [
        Mutant(file, function, node, instead)
        for function in _outermost(tree)
        for statement in function.body  # type: ignore[attr-defined]
        for node in _walked(statement)
        for instead in _instead(node)
    ]
    return sorted(found, key=lambda mutant: mutant.line)


def _outermost(tree: ast.AST) -> Iterator[ast.AST]:
    """Functions of a module and methods of its classes, without those inside of functions."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, FUNCTIONS):
            yield child
        elif not isinstance(child, ast.expr):
            yield from _outermost(child)


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node and decides something: no annotations, and not the `strict=True` of a `zip`, a check of ours
    that never fails."""
    if hasattr(node, "lineno"):
        yield node
    is_zip = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip"
    left_out = ("annotation", "returns", "keywords" if is_zip else "")
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in left_out:
                yield from _walked(child)


def _instead(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        yield _with(node, ops=[COMPARED[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        yield _with(node, op=COMPUTED[type(node.op)]())
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield _with(node, value=not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.IfExp | ast.If | ast.While) and not isinstance(node.test, TESTED):
        yield _with(node, test=_negated(node.test))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.copy_location(ast.Pass(), node)
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield _with(node, value=ast.copy_location(ast.Constant(None), node.value))


def _negated(test: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _with(node: ast.AST, **changes: object) -> ast.AST:
    made = type(node)(**{**dict(ast.iter_fields(node)), **changes})
    return ast.copy_location(made, node)


def changed(mutant: Mutant) -> ast.AST:
    """The file as the mutant has it."""
    tree = ast.parse(Path(mutant.file).read_text(encoding="utf-8"))
    return _Changed(_position(mutant.node), mutant.instead).visit(tree)


def code_of(mutant: Mutant) -> CodeType:
    """The code of the function as the mutant has it."""
    return code_in(changed(mutant), mutant.file, [mutant.function])[0]


def code_in(tree: ast.AST, file: str, functions: Sequence[ast.AST]) -> list[CodeType]:
    """The code of some functions of a changed file."""
    whole = compiled(_Closing(_closures(file)).visit(tree), file)
    found = {key_of(code): code for code in reversed(list(codes_in(whole)))}
    return [found[_key(function)] for function in functions]


def compiled(tree: ast.AST, file: str) -> CodeType:
    """The code of a whole file."""
    return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)  # type: ignore[call-overload, no-any-return]


@cache
def _closures(file: str) -> dict[tuple[str, int], tuple[str, ...]]:
    """The names that functions inside of others take from around them, as the file has them."""
    whole = compiled(ast.parse(Path(file).read_text(encoding="utf-8")), file)
    return {key_of(code): code.co_freevars for code in codes_in(whole) if code.co_freevars}


class _Closing(ast.NodeTransformer):
    """Functions inside of others take the same names from around them, whatever a change leaves out: only then a
    function that exists already can get the code."""

    def __init__(self, closures: dict[tuple[str, int], tuple[str, ...]]) -> None:
        self.closures = closures

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        names = self.closures.get(_key(node))
        if names:
            kept = ast.parse(f"if False: {', '.join(names)}").body[0]
            node.body.append(ast.copy_location(kept, node.body[-1]))
        return node


SPAN = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def _position(node: ast.AST) -> tuple[object, ...]:
    return (type(node), *(getattr(node, name, None) for name in SPAN))


class _Changed(ast.NodeTransformer):
    def __init__(self, place: tuple[object, ...], instead: ast.AST) -> None:
        self.place = place
        self.instead = instead

    def visit(self, node: ast.AST) -> ast.AST:
        return self.instead if _position(node) == self.place else super().visit(node)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)


def key_of(code: CodeType) -> tuple[str, int]:
    return code.co_name, code.co_firstlineno


def _key(function: ast.AST) -> tuple[str, int]:
    """How a code object of a function is found: its name, and its first line, which is that of its first decorator."""
    decorators = function.decorator_list  # type: ignore[attr-defined]
    return function.name, (decorators[0].lineno if decorators else function.lineno)  # type: ignore[attr-defined]
