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
        around: dict[int, ast.stmt] = {}
        for function in {id(mutant.function): mutant.function for _, mutant in own}.values():
            around |= _statements(function)
        for number, mutant in own:
            numbers.setdefault(_place(around[id(mutant.node)]), []).append(number)
        tree = _Probing(numbers).visit(ast.parse(Path(file).read_text(encoding="utf-8")))
        functions = {_place(mutant.function): mutant.function for _, mutant in own}
        found += code_in(tree, file, list(functions.values()))
    return found


def _place(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _statements(function: ast.AST) -> dict[int, ast.stmt]:
    """The innermost statement around each node of a function, by the identity of the node: places tell less, because
    those inside of a formatted text are not always true."""
    found: dict[int, ast.stmt] = {}
    for node in ast.walk(function):
        own = node if isinstance(node, ast.stmt) and node is not function else found.get(id(node))
        if own is not None:
            found |= {id(each): own for each in (node, *ast.iter_child_nodes(node))}
    return found


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
