"""A document by its parts: each is built when it is asked for; the others are never built.

Most questions need little of most files (which names are there, one section, one component). A document that uses
anchors is built whole, because a part may then need another. The parse cache keeps documents by their parts too, so
that parts that are not asked for are not even unpacked.
"""

from __future__ import annotations

import marshal
from bisect import bisect_left
from itertools import accumulate

from plait.core import native
from plait.core.diagnostic import Fault
from plait.core.node import Key, MapNode, Node
from plait.core.source import Source
from plait.yaml.build import Reading, build
from plait.yaml.program import ALIAS, END, MAP, PROPS, SEQ, TEXT, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from plait.core.path import Path

    Packed = tuple[int, int, bool, dict[str, tuple[int, int, "bytes | Packed"]]]
    """A mapping: where it begins and ends, whether a key in it has a brace, and for each key where it is, how it is
    written, and its value."""

KEY_NEXT, VALUE_NEXT = -1, -2
"""What comes next in a mapping."""
PACKED_LEVELS = 3
"""How deep mappings of mappings are kept by their parts."""


class Outline:
    """One mapping of a document that has not been built: its keys, and its values on demand."""

    __slots__ = ("_branch", "_built", "_lower", "_reading", "_whole", "places", "source")

    def __init__(self, branch: Steps | Pack, source: Source, reading: Reading) -> None:
        self._branch = branch
        self.places = branch.places
        """Where each key is in the text."""
        self.source = source
        self._reading = reading
        self._whole: MapNode | None = None
        self._built: dict[str, Node] = {}
        self._lower: dict[str, Outline] = {}

    @classmethod
    def of(cls, document: Program | Pack, source: Source, reading: Reading) -> Outline | Node:
        """The outline of a document, or the document itself where it cannot be taken apart."""
        branch = document if isinstance(document, Pack) else Steps.of(document)
        return cls(branch, source, reading) if branch is not None else build(document, source, reading)  # type: ignore[arg-type]

    def __contains__(self, key: str) -> bool:
        return key in self.places

    def keys(self) -> list[str]:
        return list(self.places)

    def text(self, key: str) -> str:
        """What is written between a key and the next one."""
        start = self.places[key]
        return self.source.text[
            start : min((at for at in self.places.values() if at > start), default=len(self.source.text))
        ]

    def part(self, key: str) -> Program:
        """The steps of the value of a key."""
        return self._branch.part(key)

    def get(self, key: str) -> Node | None:
        """The value of a key, built now."""
        if key in self._built:
            return self._built[key]
        if key not in self.places:
            return None
        lower = self._lower.get(key) if self._reading.closed is None else None  # what it built is not built again
        node = lower.whole() if lower is not None else self._branch.built(key, self.source, self._reading)
        self._built[key] = node
        return node

    def build_all(self) -> None:
        """Build all values in one go, for a question that asks for many of them. What is wrong with one is found when
        that one is asked for."""
        reading = self._reading
        if not isinstance(self._branch, Steps) or reading.faults is not None or reading.closed is not None:
            return
        try:
            node = self._branch.whole(self.source, reading)
        except Fault:
            return
        if isinstance(node, MapNode) and not self._lower:
            self._built = {**node.entries, **self._built}  # type: ignore[dict-item]

    def words(self, key: str) -> list[str] | None:
        """The texts of a value that is a list of texts and nothing else; None for any other, and where the front
        looks into every list."""
        part = self._branch.part(key) if key in self.places and self._reading.closed is None else None
        if part is None or part.kinds[0] != SEQ or max(part.kinds[1:-1], default=TEXT) > TEXT:
            return None
        schema, words = self._reading.schema, part.texts[1:-1]
        for kind, word in zip(part.kinds[1:], words, strict=False):
            if kind != TEXT and word[:1] in schema.starts and not isinstance(schema.resolve(word), str):  # type: ignore[index, arg-type]
                return None
        return words  # type: ignore[return-value]

    def below(self, key: str) -> Outline | None:
        """The outline of a value that is a mapping, the same one whenever it is asked for; None where it is not, or
        cannot be taken apart."""
        lower = self._lower.get(key)
        if lower is None and key in self.places and key not in self._built:
            branch = self._branch.below(key)
            if branch is not None:
                lower = self._lower[key] = Outline(branch, self.source, self._reading)
        return lower

    def whole(self) -> MapNode:
        """The mapping itself, with every part built once."""
        if self._whole is None:
            entries: dict[Key, Node] = {}
            for key in self.places:
                node = self.get(key)
                assert node is not None
                entries[key] = node
            live = any(node.live for node in entries.values())
            self._whole = MapNode(entries, self.source, self._branch.at, None, live, tuple(self.places.values()))
        return self._whole


class Steps:
    """A mapping in a program that was just scanned."""

    __slots__ = ("_end", "_program", "_spans", "_start", "at", "places")

    def __init__(self, program: Program, start: int, spans: dict[str, tuple[int, int]]) -> None:
        self._program = program
        self._spans = spans
        self._start = start
        self._end = next(reversed(spans.values()))[1] if spans else start + 1
        self.at = program.ats[start]
        self.places = {key: program.ats[span[0] - 1] for key, span in spans.items()}

    @classmethod
    def of(cls, program: Program) -> Steps | None:
        """The mapping that a document is; None where it is none, or cannot be taken apart."""
        anchored = ALIAS in program.kinds or any(anchor for _, anchor in program.props.values())
        if not program.kinds or anchored:
            return None
        program.kinds = bytes(program.kinds)  # many parts are built of it
        return cls._at(program, 0)

    @classmethod
    def _at(cls, program: Program, start: int) -> Steps | None:
        spans = spans_of(program, start)
        return cls(program, start, spans) if spans is not None else None

    def part(self, key: str) -> Program:
        return part_of(self._program, *self._spans[key])

    def built(self, key: str, source: Source, reading: Reading) -> Node:
        """The value of a key, built."""
        return build_part(self._program, self._spans[key], source, reading)

    def whole(self, source: Source, reading: Reading) -> Node:
        """The mapping, built."""
        return build_part(self._program, (self._start, self._end + 1), source, reading)

    def below(self, key: str) -> Steps | None:
        return self._at(self._program, self._spans[key][0])

    def is_map(self, key: str) -> bool:
        return self._program.kinds[self._spans[key][0]] & ~PROPS == MAP

    def offset(self, key: str) -> int:
        """The place where the value of a key begins."""
        return self._program.ats[self._spans[key][0]]

    def values(self) -> list[int]:
        """The places where the values of its keys begin."""
        return [self._program.ats[start] for start, _ in self._spans.values()]

    def packed(self, levels: int = PACKED_LEVELS, flat: Columns | None = None) -> Packed:
        """The same for the cache: a mapping of mappings by its parts, everything else as it is."""
        flat = flat or Columns(self._program)
        entries: dict[str, tuple[int, int, bytes | Packed]] = {}
        for key, (start, end) in self._spans.items():
            below = self.below(key) if levels > 1 and self._holds_mappings(start) else None
            value = flat.part(start, end) if below is None else below.packed(levels - 1, flat)
            entries[key] = (self.places[key], flat.kinds[start - 1], value)
        return self.at, flat.ats[self._end], flat.has_braces(self._start, self._end), entries

    def _holds_mappings(self, start: int) -> bool:
        """Whether a value is a mapping, and its first member one too."""
        kinds = self._program.kinds
        return kinds[start] == MAP and kinds[start + 1] <= TEXT and kinds[start + 2] == MAP


class Columns:
    """The columns of a program, from which the cache takes many parts."""

    __slots__ = ("_braces", "_props", "_texts", "ats", "kinds")

    def __init__(self, program: Program) -> None:
        self.kinds, self.ats, self._texts, props = columns(program)
        self._props = sorted(props.items())
        self._braces = sorted(keys_with_braces(program))

    def part(self, start: int, end: int) -> bytes:
        """The steps of one value, as an entry of the cache holds them."""
        first, last = (bisect_left(self._props, (at,)) for at in (start, end)) if self._props else (0, 0)
        props = {index - start: found for index, found in self._props[first:last]}
        return marshal.dumps((self.kinds[start:end], self.ats[start:end], self._texts[start:end], props))

    def has_braces(self, start: int, end: int) -> bool:
        """Whether a key of some steps has a brace in it."""
        return bisect_left(self._braces, start) < bisect_left(self._braces, end)


class Pack:
    """A mapping as the cache keeps it."""

    __slots__ = ("_data", "at", "braces", "places")

    def __init__(self, data: Packed) -> None:
        self._data = data
        self.at = data[0]
        self.braces = data[2]
        self.places = {key: value[0] for key, value in data[3].items()}

    def part(self, key: str) -> Program:
        value = self._data[3][key][2]
        return Program(*marshal.loads(value)) if isinstance(value, bytes) else Pack(value).program()

    def built(self, key: str, source: Source, reading: Reading) -> Node:
        """The value of a key, built."""
        return build(self.part(key), source, reading)

    def below(self, key: str) -> Steps | Pack | None:
        value = self._data[3][key][2]
        return Steps.of(self.part(key)) if isinstance(value, bytes) else Pack(value)

    def program(self) -> Program:
        """All of it, put together again."""
        at, end, _, found = self._data
        kinds: list[int] = [MAP]
        ats: list[int] = [at]
        texts: list[str | None] = [None]
        props: dict[int, tuple[str | None, str | None]] = {}
        for key, (place, kind, _) in found.items():
            part = self.part(key)
            kinds += (kind, *part.kinds)
            ats += (place, *part.ats)
            texts += (key, *part.texts)
            props.update({len(kinds) - len(part.kinds) + index: value for index, value in part.props.items()})
        return Program([*kinds, END], [*ats, end], [*texts, None], props)


def whole(document: Program | Pack) -> Program:
    """All steps of a document, also of one that is kept by its parts."""
    return document.program() if isinstance(document, Pack) else document


def columns(program: Program) -> tuple[bytes, list[int], list[str | None], dict[int, tuple[str | None, str | None]]]:
    """A program as plain data."""
    return bytes(program.kinds), list(program.ats), list(program.texts), program.props


def has_braces(document: Program | Pack) -> bool:
    """Whether a key has a brace in it; looked for without building anything."""
    if isinstance(document, Pack):
        return document.braces
    return bool(keys_with_braces(document))


def keys_with_braces(program: Program) -> set[int]:
    """The steps of a document that are keys with a brace in them."""
    keys = {index for index, text in enumerate(program.texts) if text and "{" in text}
    return keys.intersection(key_steps(program)) if keys else keys


def key_steps(program: Program) -> Iterator[int]:
    """The steps of a document that are keys."""
    stack: list[int] = []  # for each open container: 0 in a list, 1 where a key comes next, 2 where its value does
    for index, kind in enumerate(program.kinds):
        bare = kind & ~PROPS
        if kind == END:
            stack.pop()
        elif stack and stack[-1] == 1 and bare not in (MAP, SEQ):
            yield index
        if stack and stack[-1] and bare not in (MAP, SEQ):
            stack[-1] = 3 - stack[-1]
        if bare in (MAP, SEQ) and kind != END:
            stack.append(1 if bare == MAP else 0)


def paths_at(program: Program, offsets: Container[int]) -> dict[int, Path] | None:
    """The paths of the values that begin at some offsets, with keys as they are written; nothing is built. None where a
    key is not a single value."""
    texts = program.texts
    found: dict[int, Path] = {}
    above: list[tuple[int, Path]] = []  # for each open container: what comes next around it, and the path of that
    here: Path = ()  # of the innermost one
    expected = VALUE_NEXT  # in it; in a list, the number of the next item
    key = ""  # the last one
    for step, (kind, at) in enumerate(zip(program.kinds, program.ats, strict=True)):
        if kind == END:
            expected, here = above.pop()
            continue
        opens = _CHANGES[kind]
        if expected == KEY_NEXT:
            if opens:
                return None
            key, expected = texts[step] or "", VALUE_NEXT
            continue
        is_wanted = at in offsets and at not in found
        if opens or is_wanted:
            path = (*here, expected if expected >= 0 else key) if above else here
            if is_wanted:
                found[at] = path
        expected = expected + 1 if expected >= 0 else KEY_NEXT
        if opens:
            above.append((expected, here))
            expected, here = (KEY_NEXT if kind & ~PROPS == MAP else 0), path
    return found


def spans_of(program: Program, start: int) -> dict[str, tuple[int, int]] | None:
    """The parts of the value at a step, from their first step to the one after it: None unless it is a mapping with
    plain keys, each once."""
    kinds, texts = program.kinds, program.texts
    if native.spans is not None and kinds.__class__ in (list, bytes) and texts.__class__ is list:
        return native.spans(kinds, texts, start)
    if kinds[start] != MAP:
        return None
    depths = program.depths = program.depths or depths_of(kinds)
    spans: dict[str, tuple[int, int]] = {}
    step = start + 1
    while kinds[step] != END:
        key = texts[step]
        if kinds[step] > TEXT or key is None or key == "<<" or key in spans:
            return None
        end = step + 2
        if _CHANGES[kinds[step + 1]]:
            end = depths.index(depths[step + 1] - 1, end) + 1
        spans[key] = (step + 1, end)
        step = end
    return spans


_CHANGES = [0] * 32
for _kind in (MAP, SEQ, MAP + PROPS, SEQ + PROPS):
    _CHANGES[_kind] = 1
_CHANGES[END] = -1


def depths_of(kinds: Sequence[int]) -> list[int]:
    """How many containers are open after each step: the end of one is where there is one less than at its beginning."""
    return list(accumulate(map(_CHANGES.__getitem__, kinds)))


def build_part(program: Program, span: tuple[int, int], source: Source, reading: Reading) -> Node:
    """The tree of one value of a program, from its first step to the one after it. The program has no anchors."""
    if native.build is None or program.texts.__class__ is not list or program.ats.__class__ is not list:
        return build(part_of(program, *span), source, reading)
    return build(program, source, reading, steps=span)


def part_of(program: Program, start: int, end: int) -> Program:
    """The steps of one value as a program of its own."""
    kinds, props = program.kinds[start:end], program.props
    if len(props) < end - start:
        props = {index - start: found for index, found in props.items() if start <= index < end} if props else {}
    else:
        props = {index: props[start + index] for index, kind in enumerate(kinds) if kind & PROPS}
    return Program(kinds, program.ats[start:end], program.texts[start:end], props)
