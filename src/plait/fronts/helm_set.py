"""Values on the command line as helm reads them: `--set a.b=1,c={x,y},d[0].e=null` and its relatives.

Each flag is a layer above all files. Numbers are whole numbers, `true`, `false` and `null` are what they say, and all
else is text; `--set-string` takes everything as text, `--set-json` reads JSON, `--set-file` the text of a file. A
backslash takes the meaning from `.`, `,`, `=`, `[` and `{`, but for `--set-literal`, which takes all that is there.
"""

from __future__ import annotations

import json
from math import isinf

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, Scalar, hidden
from plait.core.plain import from_plain
from plait.core.policy import MergePolicy
from plait.core.source import MASK, Source
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
ALL_ITEMS = 500_000
"""The highest sum of all of them: a list is filled up to the item that is set."""
WORDS = {"true": True, "false": False, "null": None}
"""Words that mean a value, in capitals or not."""


class SecretFlag(str):
    """A flag whose value is a secret."""

    __slots__ = ()


class _Reader:
    """Reads one flag, character by character."""

    __slots__ = ("_at", "_flag", "_place", "_source", "escape")

    def __init__(self, flag: str, source: Source, place: int | None = None) -> None:
        """`source` is the flag itself, or the file that says the same at a `place`."""
        self._flag = flag
        self._at = 0
        self._source = source
        self._place = place
        self.escape = "\\"
        """What makes the character after it one like any other; empty where nothing does."""

    def assignments(self, value: Callable[[_Reader], Node]) -> Iterator[Assignment]:
        """The values of the flag, which commas separate."""
        while self._at < len(self._flag):
            path = tuple(self.path())
            yield path, value(self)

    def wrong(self, why: str) -> PlaitError:
        at = min(self._at, len(self._flag) - 1) if self._place is None else self._place
        return BAD_OPTION.error(Label.at(self._source, at), why=why)

    def until(self, stops: str) -> tuple[str, str]:
        """The text up to one of some characters, and that character; empty at the end."""
        out: list[str] = []
        while self._at < len(self._flag):
            letter = self._flag[self._at]
            self._at += 1
            if letter == self.escape:
                out.append(self._flag[self._at : self._at + 1])
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

    def _took(self, letter: str) -> bool:
        """Whether a letter comes next, which is read then."""
        found = self._flag[self._at : self._at + 1] == letter
        self._at += found
        return found

    def path(self, stops: str = ".=[,") -> Iterator[Step]:
        """The steps of a path, up to `=`."""
        while True:
            name, stop = self.until(stops)
            if stop in ("", ","):
                raise self.wrong(f"`{name}` has no value: write {name or 'NAME'}=VALUE")
            if not name:
                raise self.wrong("a key is missing: write NAME=VALUE, with a dot between the keys of a path")
            yield name
            while stop == "[":
                yield self._index()
                stop = next((letter for letter in "[.=" if self._took(letter)), "")
            if not stop:
                raise self.wrong("write `.` or `=` after `]`")
            if stop == "=":
                return

    def _index(self) -> int:
        """The number of an item, up to the closing bracket."""
        index, closed = self.until("]")
        if not closed or not index.removeprefix("+").isdecimal() or int(index) > MOST_ITEMS:
            raise self.wrong(f"`[{index}]` is not the number of an item")
        return int(index)

    def starts_list(self) -> bool:
        return self._took("{")

    def scalar(self, text: str, typed: bool) -> Scalar:
        return Scalar(_typed(text) if typed else text, text, self._source, self._place or 0)

    def is_at_end(self) -> bool:
        return self._at >= len(self._flag)

    def items(self, item: Callable[[str], Node]) -> ListNode:
        """The items of `{a,b}`, up to the closing brace, each made of its text."""
        found: list[Node] = []
        while True:
            text, stop = self.until(",}")
            if not stop:
                raise self.wrong("a list must end with `}`")
            found.append(item(text))
            if stop == "}":
                break
        self._took(",")
        return ListNode(found, self._source, self._place or 0)

    def data(self) -> Node:
        """The JSON value that comes next; null where nothing does."""
        text = self._flag[self._at :]
        start = len(text) - len(text.lstrip())
        if start == len(text):
            self._at = len(self._flag)
            return self.scalar("null", typed=True)
        try:
            value, length = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite).raw_decode(text, start)
        except (ValueError, RecursionError):
            raise self.wrong(f"`{text}` is not JSON") from None
        self._at += length
        while self._took(" "):
            pass
        self._took(",")
        return from_plain(value, self._source)


def _flag(flag: str, option: str) -> _Reader:
    shown = f"{flag.partition('=')[0]}={MASK}" if isinstance(flag, SecretFlag) else flag
    return _Reader(flag, Source(f"{option} {shown}", flag, given=True))


def _finite(word: str) -> float:
    """A number that is not too large to be one."""
    number = float(word)
    if isinf(number):
        raise ValueError(word)
    return number


def _no_number(word: str) -> None:
    """NaN and its relatives, which Python reads, are not JSON."""
    raise ValueError(word)


def _typed(text: str) -> str | int | bool | None:
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    digits = text.removeprefix("-").removeprefix("+")
    whole = digits.isdecimal() and digits.isascii() and (text == "0" or not text.startswith("0"))
    return int(text) if whole and len(digits) < 20 else text


def _value(typed: bool) -> Callable[[_Reader], Node]:
    def value(reader: _Reader) -> Node:
        if reader.starts_list():
            return reader.items(lambda text: reader.scalar(text, typed))
        return reader.scalar(reader.until(",")[0], typed)

    return value


def _file_value(read: ReadFile) -> Callable[[_Reader], Node]:
    """The texts of the files that a flag names; a flag that ends with `=` names none, and means empty text."""

    def value(reader: _Reader) -> Node:
        if reader.starts_list():
            return reader.items(lambda name: text_of(reader, name))
        return reader.scalar("", typed=False) if reader.is_at_end() else text_of(reader, reader.until(",")[0])

    def text_of(reader: _Reader, name: str) -> Node:
        if not name:
            raise reader.wrong("the name of a file is missing")
        return reader.scalar(read(name), typed=False)

    return value


def with_flags(
    files: list[Node],
    sets: Iterable[str] = (),
    strings: Iterable[str] = (),
    jsons: Iterable[str] = (),
    files_set: Iterable[str] = (),
    read: ReadFile = lambda name: name,
    literals: Iterable[str] = (),
) -> list[Node]:
    """The values of files, and above them the layers that flags make, lowest first."""
    above = [_literal(flag) for flag in literals]
    return with_assignments(files, [*_assignments(sets, strings, jsons, files_set, read), *above])


def assignments_in(flag: str, source: Source, place: int, typed: bool) -> Iterator[Assignment]:
    """What a file says at a place, in the words of `--set` or, not `typed`, of `--set-string`."""
    return _Reader(flag, source, place).assignments(_value(typed))


def with_assignments(files: list[Node], assignments: Iterable[Assignment]) -> list[Node]:
    """The values of files, and above them a layer for each value that is set by its path, lowest first. Lists of the
    files are changed item by item; a map that is set replaces that of the files, which is left out there."""
    layers = list(files)
    begun = 0
    for path, node in assignments:
        begun += sum(step for step in path if isinstance(step, int))
        if begun > ALL_ITEMS:
            why = f"the items that are set have positions of more than {ALL_ITEMS:,} together"
            raise BAD_OPTION.error(Label(node.origin), why=why, hint="write the list in a file of values")
        if path and isinstance(node, MapNode):
            layers = [_without(layer, path) for layer in layers]
        maps = [layer for layer in layers if isinstance(layer, MapNode)]
        layers.append(_layer(combine(maps, POLICY) if maps else MapNode({}), path, node))
    return layers


def _assignments(
    sets: Iterable[str], strings: Iterable[str], jsons: Iterable[str], files_set: Iterable[str], read: ReadFile
) -> Iterator[Assignment]:
    """What all flags say, in the order in which helm applies them."""
    for flag in jsons:
        yield from _of_json(flag)
    for flag in sets:
        yield from _flag(flag, "--set").assignments(_value(typed=True))
    for flag in strings:
        yield from _flag(flag, "--set-string").assignments(_value(typed=False))
    for flag in files_set:
        yield from _flag(flag, "--set-file").assignments(_file_value(read))


def _literal(flag: str) -> Assignment:
    """What `--set-literal` says: nothing in it is quoted by a backslash, and a comma ends nothing."""
    reader = _flag(flag, "--set-literal")
    reader.escape = ""
    path = tuple(reader.path(".=["))
    return path, reader.scalar(reader.rest(), typed=False)


def _of_json(flag: str) -> Iterator[Assignment]:
    reader = _flag(flag, "--set-json")
    if not flag.lstrip().startswith("{"):
        is_secret = isinstance(flag, SecretFlag)
        yield from reader.assignments(lambda one: hidden(one.data()) if is_secret else one.data())
        return
    yield (), reader.data()  # a whole map is merged, and replaces nothing


def _without(node: Node, path: tuple[Step, ...]) -> Node:
    """A value without what it has at a path of keys."""
    if not isinstance(node, MapNode) or not isinstance(path[0], str) or path[0] not in node.entries:
        return node
    entries = dict(node.entries)
    if len(path) > 1:
        entries[path[0]] = _without(entries[path[0]], path[1:])
    else:
        del entries[path[0]]
    return MapNode(entries, node.source, node.at, node.tag, node.live, parts=node.parts)


def _check_kind(at: Node | None, path: tuple[Step, ...], node: Node) -> None:
    """That the last step of a path leads into a list or a map, or into nothing: helm refuses to replace a value by
    going into it, except for an item of a list that becomes a map, or that is null."""
    step, of_item = path[-1], len(path) > 1 and isinstance(path[-2], int)
    if at is None or isinstance(at, ListNode if isinstance(step, int) else MapNode):
        return
    if of_item and (isinstance(step, str) or (isinstance(at, Scalar) and at.value is None)):
        return
    wanted = f"item {step}" if isinstance(step, int) else f"`{step}`"
    is_null = isinstance(at, Scalar) and at.value is None
    why = f"cannot set {wanted} in {'null' if is_null else f'a {at.kind}'}"
    raise BAD_OPTION.error(Label(node.origin), Label(at.origin), why=why)


def _layer(base: Node, path: tuple[Step, ...], node: Node) -> Node:
    """A layer that sets one value. A list on the way is that of the base, with one item changed."""
    below: list[Node | None] = []
    at: Node | None = base
    for step in path:
        _check_kind(at, path[: len(below) + 1], node)
        below.append(at)
        if isinstance(step, int):
            at = at.items[step] if isinstance(at, ListNode) and step < len(at.items) else None
        else:
            at = at.entries.get(step) if isinstance(at, MapNode) else None
    for depth in reversed(range(len(path))):
        step, under = path[depth], below[depth]
        if isinstance(step, str):
            node = MapNode({step: node}, node.source, node.at)
            continue
        items = list(under.items) if isinstance(under, ListNode) else []
        items += [Scalar(None, "null", node.source, node.at) for _ in range(step + 1 - len(items))]
        inner = path[depth + 1 :]
        old = _without(items[step], inner) if inner else items[step]
        deep = inner and isinstance(old, MapNode) and isinstance(node, MapNode)
        items[step] = combine([old, node], POLICY) if deep else node
        node = ListNode(items, node.source, node.at)
    return node
