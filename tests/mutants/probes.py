"""The code of functions with probes: each statement that has a mutant notes first that it is run.

A statement is known by its function, with the text of it, and by its number there: what was seen of it once stays true
while others change.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import CodeType
from typing import Any

from tests.mutants.changes import Mutant, code_in, mutants

ROOT = Path(__file__).parents[2]
PROBE = "_run_the_mutants_"
Place = tuple[str, int, int]
"""A file, a line and a column."""
Spot = tuple[str, int]
"""A function, as `Probes.functions` calls it, and the number of a statement in it."""


class Probes:
    """The functions of some files with probes."""

    def __init__(self, files: Iterable[str]) -> None:
        self.functions: dict[str, int] = {}
        """The number of the first statement of each function."""
        self.codes: list[CodeType] = []
        self.size = 0
        self._spots: dict[Place, Spot] = {}
        for file in files:
            self._add(file)

    @property
    def parts(self) -> tuple[Any, ...]:
        """What `again` makes the same of, in types that can be written down."""
        return self.functions, self.codes, self.size, self._spots

    @classmethod
    def again(cls, functions: dict[str, int], codes: list[CodeType], size: int, spots: dict[Place, Spot]) -> Probes:
        made = cls(())
        made.functions, made.codes, made.size, made._spots = functions, codes, size, spots
        return made

    def spot(self, mutant: Mutant) -> Spot:
        return self._spots[mutant.file, *_place(_statements(mutant.function)[id(mutant.node)])]

    def _add(self, file: str) -> None:
        text = Path(file).read_text(encoding="utf-8")
        lines = text.splitlines()
        own: dict[ast.AST, list[Mutant]] = {}
        for mutant in mutants(file):
            own.setdefault(mutant.function, []).append(mutant)
        numbers: dict[tuple[int, int], int] = {}
        times: Counter[str] = Counter()
        for function, some in own.items():
            around = _statements(function)
            name = _name(file, function, lines)
            times[name] += 1
            name += f" {times[name]}"
            self.functions[name] = self.size
            for number, place in enumerate(sorted({_place(around[id(mutant.node)]) for mutant in some})):
                numbers[place] = self.size
                self._spots[file, *place] = (name, number)
                self.size += 1
        if own:
            tree = _Probing(numbers).visit(ast.parse(text))
            self.codes += code_in(tree, file, list(own))


def _name(file: str, function: ast.AST, lines: list[str]) -> str:
    """What a function is called: where it is, and what it says."""
    first, last = function.lineno, function.end_lineno  # type: ignore[attr-defined]
    said = hashlib.sha256("\n".join(lines[first - 1 : last]).encode()).hexdigest()
    return f"{os.path.relpath(file, ROOT)} {function.name} {said[:20]}"  # type: ignore[attr-defined]


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
    def __init__(self, numbers: dict[tuple[int, int], int]) -> None:
        self.numbers = numbers

    def generic_visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:  # type: ignore[override]
        super().generic_visit(node)
        if not isinstance(node, ast.stmt) or _place(node) not in self.numbers:
            return node
        note = ast.parse(f"{PROBE}[{self.numbers[_place(node)]}] = 1").body[0]
        return [ast.copy_location(note, node), node]
