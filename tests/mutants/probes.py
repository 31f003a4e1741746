"""The code of functions with probes: a call before each statement that has a mutant, which notes its number."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from types import CodeType

from tests.mutants.changes import Mutant, code_in

PROBE = "_run_the_mutant_"


def probed(mutants: Sequence[Mutant]) -> list[CodeType]:
    """The functions of some mutants; a probe tells the place of its mutant in the list."""
    found = []
    for file in dict.fromkeys(mutant.file for mutant in mutants):
        numbers: dict[tuple[int, int], list[int]] = {}
        own = [(number, mutant) for number, mutant in enumerate(mutants) if mutant.file == file]
        for number, mutant in own:
            numbers.setdefault(_place(_statement(mutant)), []).append(number)
        tree = _Probing(numbers).visit(ast.parse(Path(file).read_text(encoding="utf-8")))
        functions = {_place(mutant.function): mutant.function for _, mutant in own}
        found += [code_in(tree, file, function) for function in functions.values()]
    return found


def _place(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _statement(mutant: Mutant) -> ast.AST:
    """The innermost statement that has the mutant's node: the last that begins before it and ends behind it."""
    spot = _place(mutant.node)
    around = [
        node
        for node in ast.walk(mutant.function)
        if isinstance(node, ast.stmt) and node is not mutant.function and _place(node) <= spot <= _end(node)
    ]
    return max(around, key=_place)


def _end(node: ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


class _Probing(ast.NodeTransformer):
    def __init__(self, numbers: dict[tuple[int, int], list[int]]) -> None:
        self.numbers = numbers

    def generic_visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:  # type: ignore[override]
        super().generic_visit(node)
        if not isinstance(node, ast.stmt) or _place(node) not in self.numbers:
            return node
        calls: list[ast.AST] = [
            ast.copy_location(ast.parse(f"{PROBE}({number})").body[0], node) for number in self.numbers[_place(node)]
        ]
        return [*calls, node]
