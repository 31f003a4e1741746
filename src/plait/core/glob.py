"""Patterns of file names, with the rules that people know from doublestar, Atmos and .gitignore tools.

| written | matches |
|---|---|
| `*`, `?` | any text, any character, within one name |
| `**` as a whole name | any number of folders, none included |
| `[ab]`, `[a-z]`, `[!a]`, `[^a]` | one character of a set, or one that is not in it |
| `{a,b}` | one of the alternatives, which may contain patterns |
| `\\x` | the character x itself |

A pattern is compiled to states and a name is matched in one pass over its characters, so that no pattern, however it is
written, takes longer than the product of both lengths.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Test = Callable[[str], bool]
    Edge = tuple[Test | None, int]
    """Where a state leads: with a character that passes a test, or by itself."""

SPECIAL = frozenset("*?[{\\")
NESTED = 32
"""How deep braces may be nested."""
REMEMBERED = 5_000
"""How many moves a pattern keeps."""


class GlobError(ValueError):
    """A pattern that cannot be read, and why."""


class Glob:
    """A compiled pattern."""

    __slots__ = ("_edges", "_end", "_moves", "_start", "pattern")

    def __init__(self, pattern: str, compiled: type[GlobCompiler] | None = None) -> None:
        """`compiled` has other rules than those above."""
        self.pattern = pattern
        compiler = (compiled or GlobCompiler)(pattern)
        self._end = compiler.compile()
        self._edges = compiler.edges
        self._start = self._reached({0})
        self._moves: dict[tuple[frozenset[int], str], frozenset[int]] = {}
        """Where a character leads, as far as names had it already: a pattern is matched with hundreds of names."""

    def matches(self, name: str) -> bool:
        """Whether a whole path, with `/` between names, matches."""
        states, moves = self._start, self._moves
        for character in name:
            after = moves.get((states, character))
            states = self._move(states, character) if after is None else after
            if not states:
                return False
        return self._end in states

    def _move(self, states: frozenset[int], character: str) -> frozenset[int]:
        passed = {to for state in states for test, to in self._edges[state] if test is not None and test(character)}
        after = self._reached(passed)
        if len(self._moves) < REMEMBERED:
            self._moves[states, character] = after
        return after

    def _reached(self, states: set[int]) -> frozenset[int]:
        """The states, and those that they lead to by themselves."""
        todo = list(states)
        while todo:
            for test, to in self._edges[todo.pop()]:
                if test is None and to not in states:
                    states.add(to)
                    todo.append(to)
        return frozenset(states)


def literal_prefix(pattern: str) -> str:
    """The folder in which a search for a pattern can begin: everything before the first name with a special
    character."""
    names = pattern.split("/")
    plain = 0
    while plain < len(names) - 1 and not SPECIAL & set(names[plain]):
        plain += 1
    return "/".join(names[:plain])


def is_pattern(text: str) -> bool:
    """Whether a text has any special character."""
    return bool(SPECIAL & set(text))


class GlobCompiler:
    """Makes states of a pattern: each has the edges that lead from it."""

    def __init__(self, pattern: str) -> None:
        self.pattern = self._simpler(pattern)
        self.at = 0
        self.edges: list[list[Edge]] = []
        self.depth = 0

    def compile(self) -> int:
        """The state that a name which matches ends in."""
        end = self._sequence(self._state(), stop="")
        if self.at < len(self.pattern):
            raise GlobError(f"unexpected `{self.pattern[self.at]}`")
        return end

    def _simpler(self, pattern: str) -> str:
        """The shortest pattern that means the same."""
        while "**/**" in pattern:
            pattern = pattern.replace("**/**", "**")
        return pattern

    def _state(self) -> int:
        self.edges.append([])
        return len(self.edges) - 1

    def _step(self, start: int, test: Test) -> int:
        end = self._state()
        self.edges[start].append((test, end))
        return end

    def _many(self, start: int, test: Test) -> int:
        """Any number of characters that pass a test."""
        inside = self._state()
        self.edges[start].append((None, inside))
        self.edges[inside].append((test, inside))
        return inside

    def _sequence(self, state: int, stop: str) -> int:
        """A run of elements up to the end, or up to one of the characters that end it."""
        while self.at < len(self.pattern) and self.pattern[self.at] not in stop:
            state = self._folders(state) if self._folders_ahead() else self._element(state)
        return state

    def _folders_ahead(self) -> bool:
        """Whether `**` is here as a whole name."""
        after = self.pattern[self.at + 2 : self.at + 3]
        before = self.pattern[self.at - 1 : self.at] if self.at else ""
        return self.pattern.startswith("**", self.at) and after in ("", "/") and before in ("", "/")

    def _folders(self, state: int) -> int:
        self.at += 2
        if self.at == len(self.pattern):  # everything below
            self.edges[state].append((_anything, state))
            return state
        self.at += 1
        inside = self._step(state, _not_slash)
        self.edges[inside] += [(_not_slash, inside), (_slash, state)]
        return state

    def _all_below(self, state: int) -> int:
        """A last `/**`: the folder itself, and everything in it."""
        self.at = len(self.pattern)
        inside = self._step(state, _slash)
        end = self._state()
        self.edges[inside] += [(_anything, inside), (None, end)]
        self.edges[state].append((None, end))
        return end

    def _element(self, state: int) -> int:
        character = self.pattern[self.at]
        self.at += 1
        if character == "*":
            return self._many(state, _not_slash)
        if character == "?":
            return self._step(state, _not_slash)
        if character == "[":
            return self._step(state, self._set())
        if character == "{":
            return self._alternatives(state)
        if character == "/" and self.pattern[self.at :] == "**":
            return self._all_below(state)
        if character == "\\":
            if self.at == len(self.pattern):
                raise GlobError("nothing follows `\\`")
            character = self.pattern[self.at]
            self.at += 1
        return self._step(state, character.__eq__)

    def _set(self) -> Test:
        close = self.pattern.find("]", self.at + (2 if self.pattern[self.at : self.at + 1] in ("!", "^") else 1))
        if close < 0:
            raise GlobError("`[` is not closed")
        body = self.pattern[self.at : close]
        self.at = close + 1
        excluded = body[:1] in ("!", "^")
        ranges: list[tuple[str, str]] = []
        index = int(excluded)
        while index < len(body):
            if body[index + 1 : index + 2] == "-" and index + 2 < len(body):
                ranges.append((body[index], body[index + 2]))
                index += 3
            else:
                ranges.append((body[index], body[index]))
                index += 1
        return lambda character: character != "/" and any(a <= character <= b for a, b in ranges) is not excluded

    def _alternatives(self, state: int) -> int:
        self.depth += 1
        if self.depth > NESTED:
            raise GlobError(f"braces are nested deeper than {NESTED} levels")
        end = self._state()
        while True:
            begin = self._state()
            self.edges[state].append((None, begin))
            self.edges[self._sequence(begin, stop=",}")].append((None, end))
            closed = self._closed()
            self.at += 1
            if closed:
                self.depth -= 1
                return end

    def _closed(self) -> bool:
        """Whether alternatives end here."""
        if self.at == len(self.pattern):
            raise GlobError("`{` is not closed")
        return self.pattern[self.at] == "}"


def _not_slash(character: str) -> bool:
    return character != "/"


def _slash(character: str) -> bool:
    return character == "/"


def _anything(character: str) -> bool:
    return True
