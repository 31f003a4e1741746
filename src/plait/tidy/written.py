"""The values of one file as they are written: where each is, and which a person said to keep."""

from __future__ import annotations

import re
from functools import cached_property

from plait.core.diagnostic import Fault
from plait.core.node import Container, MapNode, children
from plait.yaml.build import Reading
from plait.yaml.load import built
from plait.yaml.outline import Steps, paths_at
from plait.yaml.places import Written
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Source
    from plait.yaml.places import WrittenSpot
    from plait.yaml.program import Program

    Read = Callable[[], bytes]
    Scan = Callable[[Source], list[Program]]

COMMENT = re.compile(r"(?:^|\s)#\s?(.*)\Z")
KEEP = re.compile(r"#\s*plait:\s*keep\b")


class WrittenValue:
    """A value of a file, at a path of one of its documents."""

    __slots__ = ("above", "below", "node", "number", "steps")

    def __init__(self, node: Node, number: int, steps: Path, above: WrittenValue | None) -> None:
        self.node = node
        self.number = number
        """Which document of the file it is in, from 0."""
        self.steps = steps
        self.above = above
        self.below: list[WrittenValue] = []

    @property
    def line(self) -> int:
        return self.node.origin.line

    def leaves(self) -> Iterator[WrittenValue]:
        """The values at or below it that have nothing below them, in the order in which they are written."""
        stack = [self]
        while stack:
            one = stack.pop()
            if not one.below:
                yield one
            stack.extend(reversed(one.below))


class WrittenFile:
    """A file: its text, and its values by the offset of theirs. Most files of a repository are not looked into."""

    def __init__(self, name: str, path: str, source: Source, read: Read, scanned: Scan = scan) -> None:
        """`read` gives its bytes, which are needed to change it; `scanned` gives the documents of its text."""
        self.name = name
        """As reports name it."""
        self.path = path
        self.source = source
        self._read = read
        self._scanned = scanned
        self._branches: dict[Path, Steps | None] = {}
        """Maps in the only document, as far as they were asked for."""

    @cached_property
    def data(self) -> bytes:
        """Its bytes; PlaitError where they are not those of its text any more."""
        return self._read()

    @cached_property
    def _lines(self) -> list[str]:
        """The lines of the file, by the numbers that reports have."""
        return (self.source.written or self.source).text.splitlines()

    @cached_property
    def nodes(self) -> list[Node]:
        """Its documents as they are written; none where it is not YAML before it is rendered."""
        try:
            return list(built(self._programs, self.source, Reading(merge_keys=False)))
        except Fault:
            return []

    @cached_property
    def _programs(self) -> list[Program]:
        try:
            return self._scanned(self.source)
        except Fault:
            return []

    def paths(self, offsets: Collection[int]) -> dict[int, Path]:
        """The paths of the values at some offsets, with keys as they are written. Few files are built for it."""
        found: dict[int, Path] = {}
        for program in self._programs:
            some = paths_at(program, offsets)
            if some is None:
                return {at: self.at[at].steps for at in offsets if at in self.at}
            found = {**some, **found}
        return found

    def has_at(self, path: Path, offset: int) -> bool:
        """Whether the value at an offset is at a path, with keys as they are written. Few files are built for it."""
        above = self._branch
        for depth, key in enumerate(path):
            if above is None or not isinstance(key, str):
                break
            if key not in above.places:
                return False
            if depth == len(path) - 1:
                return above.offset(key) == offset
            here = path[: depth + 1]
            if here not in self._branches:
                self._branches[here] = above.below(key)
            above = self._branches[here]
        return self.paths((offset,)).get(offset) == path

    @cached_property
    def _branch(self) -> Steps | None:
        """The map that the only document is, where it can be taken apart."""
        return Steps.of(self._programs[0]) if len(self._programs) == 1 else None

    def values_in(self, maps: Collection[Path]) -> list[int]:
        """Where the values begin that are in certain maps of the first document. Few files are built for it."""
        found = self._values_by_parts(maps)
        if found is not None:
            return found
        return [at for at, one in self.at.items() if one.steps and not one.number and one.steps[:-1] in maps]

    def _values_by_parts(self, maps: Collection[Path]) -> list[int] | None:
        """The same for a file that can be taken apart; None for another one."""
        root = Steps.of(self._programs[0]) if self._programs else None
        stack: list[tuple[Path, Steps]] = [((), root)] if root is not None and () in maps else []
        found: list[int] = []
        while stack:
            steps, one = stack.pop()
            found += one.values()
            for key in [key for key in one.places if (*steps, key) in maps]:
                below = one.below(key)
                if below is not None:
                    stack.append(((*steps, key), below))
                elif one.is_map(key):
                    return None
        return found if root is not None else None

    @property
    def roots(self) -> list[WrittenValue]:
        """The values that its documents are."""
        return self._values[0]

    @property
    def at(self) -> dict[int, WrittenValue]:
        """Its values by the offset of their text."""
        return self._values[1]

    @cached_property
    def _values(self) -> tuple[list[WrittenValue], dict[int, WrittenValue]]:
        roots = [WrittenValue(node, number, (), None) for number, node in enumerate(self.nodes)]
        found: dict[int, WrittenValue] = {}
        for root in roots:
            stack = [root]
            while stack:
                one = stack.pop()
                if found.setdefault(one.node.at, one) is not one:
                    continue  # an alias: what it stands for is written elsewhere
                if isinstance(one.node, Container):
                    number, steps = one.number, one.steps
                    one.below = [WrittenValue(child, number, (*steps, step), one) for step, child in children(one.node)]
                    stack.extend(reversed(one.below))
        return roots, found

    @cached_property
    def by_place(self) -> dict[tuple[int, Path], WrittenValue]:
        """Its values by the number of the document and the path."""
        return {(one.number, one.steps): one for one in reversed(self.at.values())}

    @cached_property
    def written(self) -> Written:
        """What is written at each place of its text."""
        return Written(self.source)

    @cached_property
    def _keys(self) -> dict[int, WrittenValue]:
        """The values of maps by the offset of their keys."""
        rows = [(one, one.above.node) for one in self.at.values() if one.above is not None]
        return {above.key_origin(one.steps[-1]).at: one for one, above in rows if isinstance(above, MapNode)}  # type: ignore[arg-type]

    @cached_property
    def _by_line(self) -> dict[int, list[WrittenValue]]:
        found: dict[int, list[WrittenValue]] = {}
        for value in self.at.values():
            found.setdefault(value.line, []).append(value)
        return found

    def on_line(self, line: int) -> list[WrittenValue]:
        """The values that begin on a line."""
        return self._by_line.get(line, [])

    def by_key(self, offset: int) -> WrittenValue | None:
        """The value whose key begins at an offset, or that begins there itself."""
        return self._keys.get(offset) or self.at.get(offset)

    def spot(self, value: WrittenValue) -> WrittenSpot | None:
        return self.written.find(value.steps, value.number) if value.steps else None

    def comment(self, value: WrittenValue) -> str:
        """The comment beside a value; of one on several lines, beside its key. Empty where there is none."""
        spot = self.spot(value)
        if spot is None:
            return ""
        text = self.source.text
        first, last = spot.value_span
        end = last if "\n" not in text[first:last] and "\n" not in text[spot.key_span[1] : first] else spot.key_span[1]
        found = COMMENT.search(text[end:].split("\n", 1)[0].rstrip("\r"))
        return found.group(1) if found is not None else ""

    def has_comment_near(self, value: WrittenValue) -> bool:
        """Whether there may be a comment beside a value, beside its key, or right above it."""
        return any("#" in row for row in self._lines[max(_key_line(value) - 2, 0) : value.line])

    def comment_above(self, value: WrittenValue, at_head: bool = False) -> str:
        """The comment on the lines right above a value that has a line of its own, without its signs. What a file
        begins with is about the file, unless one asks for what is `at_head`, too."""
        spot = self.spot(value)
        above = self.source.text[: spot.whole_span[0]] if spot is not None else ""
        rows = above.split("\n")[:-1]
        line = len(rows)
        found: list[str] = []
        while line and rows[line - 1].lstrip().startswith("#"):
            line -= 1
            found.insert(0, rows[line].strip().removeprefix("#").removeprefix(" "))
        return "\n".join(found) if line or at_head else ""

    def is_kept(self, value: WrittenValue | None) -> bool:
        """Whether a comment beside a value, or beside what it is in, says to keep it."""
        while value is not None:
            line = _key_line(value)
            last = line if isinstance(value.node, Container) else value.line
            before = self._lines[max(line - 2, 0) : line - 1]
            near = self._lines[line - 1 : last] + [text for text in before if text.lstrip().startswith("#")]
            if any(KEEP.search(text) for text in near):
                return True
            above = value.above
            value = above if above is not None and above.steps else None  # a document begins where its first value does
        return False


class WrittenText(WrittenFile):
    """The text of one value of a file, which has values of its own: a patch in a kustomization."""

    def __init__(self, path: str, source: Source, outer: WrittenFile, value: WrittenValue) -> None:
        super().__init__(outer.name, path, source, source.text.encode)
        self.outer = outer
        """The file that it is in."""
        self.value = value
        """What it is the text of."""

    @property
    def has_own_lines(self) -> bool:
        """Whether its lines are written as they are, so that the others stay when one changes."""
        spot = self.outer.spot(self.value)
        text = self.outer.source.text[slice(*spot.value_span)] if spot is not None else "\n"
        return text.startswith("|") or "\n" not in text

    def is_kept(self, value: WrittenValue | None) -> bool:
        return super().is_kept(value) or self.outer.is_kept(self.value)


def _key_line(value: WrittenValue) -> int:
    """The line of the key of a value; for an item of a list, its own."""
    above = value.above.node if value.above is not None else None
    return above.key_origin(value.steps[-1]).line if isinstance(above, MapNode) else value.line  # type: ignore[arg-type]
