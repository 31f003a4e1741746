"""Python's `re` runs our own constant patterns only, and none of them can take exponential time."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import Any

import pytest

import plait
from plait.core.lazy import LazyPattern

SOURCE = Path(plait.__file__).parent
CALLS = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
EXCEPTIONS = {
    "notations/gotemplate/clock.py": "the pieces of a layout, from a table of ours",
    "notations/gotemplate/lex.py": "the delimiters of a template, escaped",
    "authoring/completion.py": "the rules of a table of ours",
    "access/git.py": "the rules of a table of ours",
    "yaml/ambiguous.py": "put together from signs of ours",
    "yaml/reader12.py": "put together from signs of ours",
    "yaml/schema.py": "the rules of a table of ours",
    "core/lazy.py": "what LazyPattern is given, which is checked where it is given",
    "fronts/stacks/read/mentions.py": "names of sections, which are ours",
    "fronts/stacks/answers/section_text.py": "columns, which are numbers",
}
"""Modules that put patterns together, and of what."""
HAS_PATTERNS = re.compile(r"\bimport re\b|from re\b|LazyPattern|glob|fnmatch")
"""What a module has in it that may have to do with patterns: parsing all of them takes long."""


def is_constant(node: ast.expr) -> bool:
    """Whether a pattern is written in the code: texts, names of constants, and texts that are escaped."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return node.id.lstrip("_").isupper()
    if isinstance(node, ast.BinOp):
        return is_constant(node.left) and is_constant(node.right)
    if isinstance(node, ast.JoinedStr):
        return all(is_constant(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "escape"


@cache
def nodes() -> dict[str, list[ast.AST]]:
    """The calls and imports of every module that may have to do with patterns."""
    texts = {str(file.relative_to(SOURCE)): file.read_text(encoding="utf-8") for file in sorted(SOURCE.rglob("*.py"))}
    return {
        name: [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call | ast.Import | ast.ImportFrom)]
        for name, text in texts.items()
        if HAS_PATTERNS.search(text)
    }


def computed_patterns(name: str) -> Iterator[int]:
    for node in nodes()[name]:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in CALLS
            and not is_constant(node.args[0])
        ):
            yield node.lineno
        late = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "LazyPattern"
        if late and not is_constant(node.args[0]):
            yield node.lineno


def test_no_pattern_of_a_file_or_a_flag_reaches_re() -> None:
    found = {name: list(computed_patterns(name)) for name in nodes() if name not in EXCEPTIONS}
    assert not {name: at for name, at in found.items() if at}, "use plait.regexp for patterns that are not ours"


def test_fnmatch_and_glob_are_not_used() -> None:
    for file, found in nodes().items():
        for node in found:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"fnmatch", "glob"} & set(names), file


# A pattern is ambiguous without bound where one state can be reached from itself in two ways by the same text.


END = "the end of the text"
FULFILLED = (sre.AT, sre.ASSERT, sre.ASSERT_NOT, sre.POSSESSIVE_REPEAT, sre.ATOMIC_GROUP, sre.GROUPREF)
"""What is taken as fulfilled: anchors and lookaround, and what is never tried again."""


class Automaton:
    """A pattern of Python's as states with empty moves."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.empty: list[list[int]] = []
        self.takes: list[tuple[frozenset[str], int] | None] = []
        parsed = sre_parse.parse(pattern, flags)
        self.alphabet = frozenset(representatives(parsed))
        self.fold = bool(flags & re.IGNORECASE)
        self.newlines = bool(flags & re.DOTALL)
        self.checks: set[int] = set()
        """States that something about their place must hold for."""
        self.end = self.row(list(parsed), self.state())

    def state(self) -> int:
        self.empty.append([])
        self.takes.append(None)
        return len(self.empty) - 1

    def row(self, items: list[Any], at: int) -> int:
        for kind, what in items:
            at = self.item(kind, what, at)
        return at

    def item(self, kind: Any, what: Any, at: int) -> int:
        if kind in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            after = self.state()
            self.takes[at] = (self.characters(kind, what), after)
            return after
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            return self.repeat(*what, at)
        if kind is sre.SUBPATTERN:
            return self.row(list(what[3]), at)
        if kind is sre.BRANCH:
            return self.branches([list(branch) for branch in what[1]], at)
        if kind is sre.AT and what in (sre.AT_END, sre.AT_END_STRING):
            after = self.state()
            self.takes[at] = (frozenset([END]), after)
            return after
        assert kind in FULFILLED, f"{kind}: teach the test about it"
        after = self.split(at)
        self.checks.add(after)
        return after

    def repeat(self, low: int, high: Any, body: Any, at: int) -> int:
        for _ in range(min(low, 2)):
            at = self.row(list(body), self.split(at))
        if high is sre.MAXREPEAT or high > 10:
            inner, after = self.state(), self.state()
            self.empty[at] += [inner, after]
            self.empty[self.row(list(body), inner)] += [inner, after]
            return after
        end = self.state()
        for _ in range(min(high - low, 2)):
            self.empty[at].append(end)
            at = self.row(list(body), self.split(at))
        self.empty[at].append(end)
        return end

    def split(self, at: int) -> int:
        after = self.state()
        self.empty[at].append(after)
        return after

    def branches(self, branches: list[list[Any]], at: int) -> int:
        end = self.state()
        for branch in branches:
            self.empty[self.row(branch, self.split(at))].append(end)
        return end

    def characters(self, kind: Any, what: Any) -> frozenset[str]:
        if kind is sre.ANY:
            return frozenset(c for c in self.alphabet if c != "\n" or self.newlines)
        if kind is sre.IN:
            rules = [rule for rule in what if rule[0] is not sre.NEGATE]
            hit = frozenset(c for c in self.alphabet if any(matches(rule, c, self.fold) for rule in rules))
            return self.alphabet - hit if what[0][0] is sre.NEGATE else hit
        hit = frozenset(c for c in self.alphabet if matches((sre.LITERAL, what), c, self.fold))
        return self.alphabet - hit if kind is sre.NOT_LITERAL else hit

    def closure(self, state: int) -> list[int]:
        """The states that wait for a character, once for each way that leads there without one."""
        found, todo = [], [(state, frozenset([state]))]
        while todo:
            at, seen = todo.pop()
            if self.takes[at] is not None:
                found.append(at)
            todo += [(after, seen | {after}) for after in self.empty[at] if after not in seen]
        return found

    def moves(self, state: int) -> list[tuple[frozenset[str], int]]:
        taken = self.takes[state]
        assert taken is not None
        return [(taken[0], after) for after in self.closure(taken[1])]

    def is_ambiguous(self) -> bool:
        """Whether a state leads back to itself in two ways by one text, and not past a place where the pattern may
        end."""
        waiting = [state for state in range(len(self.takes)) if self.takes[state] is not None]
        following = {state: [] if self._ends(state) else self.moves(state) for state in waiting}
        return any(self._twice(state, following) for state in waiting)

    def _ends(self, state: int) -> bool:
        """Whether the pattern may end right behind a state's character: then nothing makes the engine try again."""
        taken = self.takes[state]
        assert taken is not None
        seen, todo = set(), [taken[1]]
        while todo:
            at = todo.pop()
            if at in self.checks or at in seen:
                continue
            seen.add(at)
            todo += self.empty[at]
        return self.end in seen

    def _twice(self, state: int, following: dict[int, list[tuple[frozenset[str], int]]]) -> bool:
        seen: set[tuple[int, int, bool]] = set()
        todo = [(state, state, False)]
        while todo:
            a, b, apart = todo.pop()
            for i, (x, after_a) in enumerate(following[a]):
                for j, (y, after_b) in enumerate(following[b]):
                    if not x & y:
                        continue
                    parted = apart or after_a != after_b or (a == b and i != j)
                    if parted and after_a == after_b == state:
                        return True
                    if (after_a, after_b, parted) not in seen:
                        seen.add((after_a, after_b, parted))
                        todo.append((after_a, after_b, parted))
        return False


CATEGORIES = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
}


def matches(rule: tuple[Any, Any], character: str, fold: bool) -> bool:
    kind, what = rule
    if kind is sre.LITERAL:
        return ord(character) == what or (fold and character.lower() == chr(what).lower())
    if kind is sre.RANGE:
        return what[0] <= ord(character) <= what[1]
    holds = CATEGORIES.get(what)
    if holds is not None:
        return bool(holds(character))
    return not next(test for name, test in CATEGORIES.items() if str(what) == str(name).replace("GORY_", "GORY_NOT_"))(
        character
    )


def representatives(parsed: Any) -> Iterator[str]:
    """Characters enough to tell every two sets of a pattern apart."""
    yield from "aZ0_ \n\té"
    todo = [parsed]
    while todo:
        item = todo.pop()
        if isinstance(item, int) and not isinstance(item, bool) and 0 <= item < 0x10FFFF:
            yield from (chr(code) for code in (item - 1, item, item + 1) if code >= 0 and not 0xD800 <= code < 0xE000)
        elif isinstance(item, list | tuple | sre_parse.SubPattern):
            todo.extend(item)


def constants() -> dict[str, tuple[str, int]]:
    """The compiled patterns of all our modules, and the texts that calls name."""
    found: dict[str, tuple[str, int]] = {}
    for module in pkgutil.walk_packages(plait.__path__, "plait."):
        if not module.name.endswith("__main__"):
            loaded = importlib.import_module(module.name)
            for name, value in vars(loaded).items():
                if isinstance(value, LazyPattern):
                    value = value.compiled()
                pattern = value if isinstance(value, re.Pattern) else getattr(value, "__self__", None)
                if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
                    found[f"{module.name}.{name}"] = (pattern.pattern, pattern.flags)
    for file, inside in nodes().items():
        for node in inside:
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in CALLS
                and node.args
            ):
                first = node.args[0]
                named = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
                if named and isinstance(first, ast.Constant) and isinstance(first.value, str):
                    flags = re.DOTALL if "DOTALL" in ast.dump(node) else 0
                    found[f"{file}:{node.lineno}"] = (first.value, flags)
    return found


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"(a|a)*b", r"(a|b|ab)*c", r"(?:\s*\w*)*x", r"(?:[^x]|y)*x"])
def test_the_check_finds_what_it_looks_for(pattern: str) -> None:
    assert Automaton(pattern, 0).is_ambiguous()


def test_none_of_our_patterns_takes_exponential_time() -> None:
    ambiguous = [name for name, (pattern, flags) in constants().items() if Automaton(pattern, flags).is_ambiguous()]
    assert not ambiguous
