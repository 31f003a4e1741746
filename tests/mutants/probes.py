"""The code of functions with probes: each statement that has a mutant notes first that it is run.

A statement is known by its function, with the text of it, and by its number there: what was seen of it once stays true
while others change.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from tests.mutants.changes import Mutant, changed, code_in, compiled, mutants

ROOT = Path(__file__).parents[2]
Place = tuple[int, int]
"""A line and a column."""
Spot = tuple[str, int]
"""A function, with its file and its text, and the number of a statement in it."""


class FileProbes(NamedTuple):
    """The functions of a file with probes; all of it can be written down."""

    functions: dict[str, int]
    """The number of the first statement of each function."""
    codes: list[CodeType]
    size: int
    """How many statements there are."""
    spots: dict[Place, Spot]


def probed(file: str) -> FileProbes:
    text = Path(file).read_text(encoding="utf-8")
    lines = text.splitlines()
    own: dict[ast.AST, list[Mutant]] = {}
    for mutant in mutants(file):
        own.setdefault(mutant.function, []).append(mutant)
    functions: dict[str, int] = {}
    spots: dict[Place, Spot] = {}
    times: Counter[str] = Counter()
    for function, some in own.items():
        around = _statements(function)
        name = _name(file, function, lines)
        times[name] += 1
        name += f" {times[name]}"
        functions[name] = len(spots)
        places = sorted({_place(around[id(mutant.node)]) for mutant in some})
        spots |= {place: (name, number) for number, place in enumerate(places)}
    tree = _Probing(probe_of(file), {place: number for number, place in enumerate(spots)}).visit(ast.parse(text))
    return FileProbes(functions, code_in(tree, file, list(own)) if own else [], len(spots), spots)


def probe_of(file: str) -> str:
    """The name under which the functions of a file find where to note what they run."""
    return "_run_" + "".join(letter if letter.isalnum() else "_" for letter in os.path.relpath(file, ROOT))


def whole_code(mutant: Mutant) -> CodeType:
    """The code of the whole file as the mutant has it, with a probe, the number 0, before its statement."""
    place = _place(_statements(mutant.function)[id(mutant.node)])
    return compiled(_Probing(probe_of(mutant.file), {place: 0}).visit(changed(mutant)), mutant.file)


class Probes:
    """Files with probes; their statements have numbers one after the other."""

    def __init__(self, parts: dict[str, FileProbes]) -> None:
        self._parts = parts
        self.functions: dict[str, int] = {}
        """The number of the first statement of each function."""
        self.spans: dict[str, tuple[int, int]] = {}
        """The first number and the end of those of each file."""
        self.size = 0
        for file, part in parts.items():
            self.functions |= {name: self.size + first for name, first in part.functions.items()}
            self.spans[file] = (self.size, self.size + part.size)
            self.size += part.size

    @property
    def codes(self) -> Iterator[CodeType]:
        return (code for part in self._parts.values() for code in part.codes)

    def spot(self, mutant: Mutant) -> Spot:
        return self._parts[mutant.file].spots[_place(_statements(mutant.function)[id(mutant.node)])]


def _name(file: str, function: ast.AST, lines: list[str]) -> str:
    """What a function is called: where it is, and what it says."""
    first, last = function.lineno, function.end_lineno  # type: ignore[attr-defined]
    said = hashlib.sha256("\n".join(lines[first - 1 : last]).encode()).hexdigest()
    return f"{os.path.relpath(file, ROOT)} {function.name} {said[:20]}"  # type: ignore[attr-defined]


def _place(node: ast.AST) -> Place:
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
    def __init__(self, probe: str, numbers: dict[Place, int]) -> None:
        self.probe = probe
        self.numbers = numbers

    def generic_visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:  # type: ignore[override]
        super().generic_visit(node)
        if not isinstance(node, ast.stmt) or _place(node) not in self.numbers:
            return node
        note = ast.parse(f"{self.probe}[{self.numbers[_place(node)]}] = 1").body[0]
        return [ast.copy_location(note, node), node]
