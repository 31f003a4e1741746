"""Values on the command line as helm reads them: `--set a.b=1,c={x,y},d[0].e=null` and its relatives.

Each flag is a layer above all files. Numbers are whole numbers, `true`, `false` and `null` are what they say, and all
else is text; `--set-string` takes everything as text, `--set-json` reads JSON, `--set-file` the text of a file. A
backslash takes the meaning from `.`, `,`, `=`, `[` and `{`.
"""

from __future__ import annotations

import json

from plait.core.diagnostic import Label
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.core.plain import from_plain
from plait.core.policy import MergePolicy
from plait.core.source import Source
from plait.merging.combine import combine
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.diagnostic import PlaitError

    Step = str | int
    Assignment = tuple[tuple[Step, ...], Node]
    ReadFile = Callable[[str], str]

POLICY = MergePolicy()
MOST_ITEMS = 65_536
"""The highest index that helm accepts."""
WORDS = {"true": True, "false": False, "null": None}


class _Reader:
    """Reads one flag, character by character."""

    __slots__ = ("_at", "_flag", "_source")

    def __init__(self, flag: str, option: str) -> None:
        self._flag = flag
        self._at = 0
        self._source = Source(f"{option} {flag}", flag, given=True)

    def assignments(self, value: Callable[[_Reader], Node]) -> Iterator[Assignment]:
        """The values of the flag, which commas separate."""
        while self._at < len(self._flag):
            path = tuple(self._path())
            yield path, value(self)

    def wrong(self, why: str) -> PlaitError:
        return BAD_OPTION.error(Label.at(self._source, min(self._at, len(self._flag) - 1)), why=why)

    def until(self, stops: str) -> tuple[str, str]:
        """The text up to one of some characters, and that character; empty at the end."""
        out: list[str] = []
        while self._at < len(self._flag):
            letter = self._flag[self._at]
            self._at += 1
            if letter == "\\" and self._at < len(self._flag):
                out.append(self._flag[self._at])
                self._at += 1
            elif letter in stops:
                return "".join(out), letter
            else:
                out.append(letter)
        return "".join(out), ""

    def rest(self) -> str:
        """Everything that is left."""
        text, self._at = self._flag[self._at :], len(self._flag)
        return text

    def _path(self) -> Iterator[Step]:
        while True:
            name, stop = self.until(".=[,")
            if stop in ("", ","):
                raise self.wrong(f"`{name}` has no value: write {name or 'NAME'}=VALUE")
            if name:
                yield name
            if stop == "[":
                index, closed = self.until("]")
                if not closed or not index.isdecimal() or int(index) > MOST_ITEMS:
                    raise self.wrong(f"`[{index}]` is not the number of an item")
                yield int(index)
                if self._flag[self._at : self._at + 1] == "=":
                    self._at += 1
                    return
                if self._flag[self._at : self._at + 1] == ".":
                    self._at += 1
            elif stop == "=":
                return

    def starts_list(self) -> bool:
        if self._flag[self._at : self._at + 1] != "{":
            return False
        self._at += 1
        return True

    def scalar(self, text: str, typed: bool) -> Scalar:
        return Scalar(_typed(text) if typed else text, text, self._source, 0)

    def items(self, typed: bool) -> Sequence:
        """The items of `{a,b}`, up to the closing brace."""
        found: list[Node] = []
        while True:
            text, stop = self.until(",}")
            if not stop:
                raise self.wrong("a list must end with `}`")
            found.append(self.scalar(text, typed))
            if stop == "}":
                break
        self.until(",")
        return Sequence(found, self._source, 0)

    def data(self, text: str) -> Node:
        """A JSON text as a node."""
        try:
            return from_plain(json.loads(text), self._source)
        except (ValueError, RecursionError):
            raise self.wrong(f"`{text}` is not JSON") from None


def _typed(text: str) -> str | int | bool | None:
    if text in WORDS:
        return WORDS[text]
    digits = text.removeprefix("-").removeprefix("+")
    whole = digits.isdecimal() and digits.isascii() and (text == "0" or not text.startswith("0"))
    return int(text) if whole and len(digits) < 20 else text


def _value(typed: bool) -> Callable[[_Reader], Node]:
    def value(reader: _Reader) -> Node:
        return reader.items(typed) if reader.starts_list() else reader.scalar(reader.until(",")[0], typed)

    return value


def layers_of(
    base: Node | None,
    sets: Iterable[str] = (),
    strings: Iterable[str] = (),
    jsons: Iterable[str] = (),
    files: Iterable[str] = (),
    read: ReadFile = lambda name: name,
) -> list[Node]:
    """The layers that flags make, lowest first, above the values of `base`: lists in it are changed item by item."""
    made: list[Node] = []
    current = base if isinstance(base, Mapping) else Mapping({})
    for path, node in _assignments(sets, strings, jsons, files, read):
        layer = _layer(current, path, node)
        made.append(layer)
        merged = combine([current, layer], POLICY)
        current = merged if isinstance(merged, Mapping) else current
    return made


def _assignments(
    sets: Iterable[str], strings: Iterable[str], jsons: Iterable[str], files: Iterable[str], read: ReadFile
) -> Iterator[Assignment]:
    """What all flags say, in the order in which helm applies them."""
    for flag in jsons:
        yield from _of_json(flag)
    for flag in sets:
        yield from _Reader(flag, "--set").assignments(_value(typed=True))
    for flag in strings:
        yield from _Reader(flag, "--set-string").assignments(_value(typed=False))
    for flag in files:
        reader = _Reader(flag, "--set-file")
        yield from reader.assignments(lambda one: one.scalar(read(one.until(",")[0]), typed=False))


def _of_json(flag: str) -> Iterator[Assignment]:
    reader = _Reader(flag, "--set-json")
    if not flag.lstrip().startswith("{"):
        yield from reader.assignments(lambda one: one.data(one.rest()))
        return
    whole = reader.data(reader.rest())
    if isinstance(whole, Mapping):
        yield from (((str(key),), child) for key, child in whole.entries.items())


def _check_kind(at: Node | None, step: Step, node: Node) -> None:
    """That a step leads into a list or a map, or into nothing: helm refuses to replace a value by going into it."""
    fits = isinstance(at, Sequence if isinstance(step, int) else Mapping)
    if at is not None and not fits and not (isinstance(at, Scalar) and at.value is None):
        wanted = f"item {step}" if isinstance(step, int) else f"`{step}`"
        why = f"cannot set {wanted} in a {at.kind}"
        raise BAD_OPTION.error(Label(node.origin), Label(at.origin), why=why)


def _layer(base: Node, path: tuple[Step, ...], node: Node) -> Node:
    """A layer that sets one value. A list on the way is that of the base, with one item changed."""
    below: list[Node | None] = []
    at: Node | None = base
    for step in path:
        if not below or not isinstance(path[len(below) - 1], int):
            _check_kind(at, step, node)
        below.append(at)
        if isinstance(step, int):
            at = at.items[step] if isinstance(at, Sequence) and step < len(at.items) else None
        else:
            at = at.entries.get(step) if isinstance(at, Mapping) else None
    for step, under in zip(reversed(path), reversed(below), strict=True):
        if isinstance(step, str):
            node = Mapping({step: node}, node.source, node.at)
            continue
        items = list(under.items) if isinstance(under, Sequence) else []
        items += [Scalar(None, "null", node.source, node.at) for _ in range(step + 1 - len(items))]
        old = items[step]
        deep = isinstance(old, Mapping) and isinstance(node, Mapping)
        items[step] = combine([old, node], POLICY) if deep else node
        node = Sequence(items, node.source, node.at)
    return node
