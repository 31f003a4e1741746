"""Tree to text. The same tree gives the same bytes, and reading them back gives the same tree.

Block style, key order as it is, `key:` with its list right below it, text of several lines as literal blocks. Shared
nodes are written out. Values that are secret are masked unless the caller reveals them. Depth needs no Python stack.
Indentation can make a text many times larger than its tree: it is charged to the meter before it is made.
"""

from __future__ import annotations

from _json import encode_basestring as _json_text
from operator import itemgetter

from plait.core import native
from plait.core.diagnostic import Label, PlaitError
from plait.core.lazy import LazyPattern
from plait.core.meter import Meter
from plait.core.node import (
    COMPUTED,
    Failure,
    Key,
    ListNode,
    MapNode,
    Node,
    Scalar,
    Unknown,
    key_text,
    sorted_keys,
    tag_of,
)
from plait.core.visible import DECEIVING, one_line
from plait.report.catalog import DUPLICATE_KEY, NO_JSON
from plait.yaml.schema import Digits
from plait.yaml.words import (
    inline_text,
    inline_value,
    is_plain_in_flow,
    is_word,
    literal,
    number_text,
    quoted,
    tag_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from plait.core.path import Path
    from plait.yaml.schema import Schema

    Line = tuple[str, Path, Node, int]
    """A line, the path and the node that begin on it, and how many rows of it are above the value: those of keys that
    need a `?`."""

LONGEST_KEY = 1000
"""YAML reads a key without a `?` only up to 1,024 characters."""
WIDE = 40
"""Columns of indentation from which on the lines of a container are charged before they are made."""


class Style:
    """How trees are written.

    `indent` spaces a level; dashes `dash` spaces inside their key, and `item` columns before what they hold; keys
    sorted or not; secrets shown or not; the quote to `prefer`, and whether texts are `always` quoted. Where `schema`
    is given, plain scalars that were read by it and not touched since are printed as they were written. `meter` says
    how much may be written.
    """

    __slots__ = (
        "always",
        "dash",
        "indent",
        "item",
        "meter",
        "names",
        "prefer",
        "reveal",
        "schema",
        "sort_keys",
        "unchanged",
    )

    def __init__(
        self,
        indent: int = 2,
        dash: int = 0,
        sort_keys: bool = False,
        reveal: bool = False,
        prefer: str = "'",
        always: bool = False,
        item: int = 2,
        schema: Schema | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.schema = schema
        self.meter = meter or Meter()
        self.indent = indent
        self.dash = dash
        self.sort_keys = sort_keys
        self.reveal = reveal
        self.prefer = prefer
        self.names: dict[Key, str] = {}
        """Keys that were written before, with their colons."""
        self.unchanged: set[tuple[type, object, str]] = set()
        """Values, with their texts, that are written as that text: files repeat the same few hundred."""
        self.always = always
        self.item = item


def emit(node: Node, *, reveal: bool = False, sort_keys: bool = False, indent: int = 2, dash: int = 0) -> str:
    """A document as YAML."""
    return emit_styled(node, Style(indent, dash, sort_keys, reveal))


def emit_documents(nodes: Iterable[Node], style: Style | None = None) -> str:
    """Several documents, each after a `---` of its own but the first."""
    style = style or Style()
    texts = [emit_styled(node, style) for node in nodes]
    return "".join(text if not at or text.startswith("---") else f"---\n{text}" for at, text in enumerate(texts))


def emit_styled(node: Node, style: Style) -> str:
    return "".join(styled_pieces(node, style))


def styled_pieces(node: Node, style: Style) -> list[str]:
    """The same in pieces, for a text so long that two of it would count."""
    writer = _Writer(style)
    if isinstance(node, Scalar):
        writer.out.append(writer.scalar(node, 0, "", root=True) + "\n")
    elif not _is_block(node):
        writer.out.append(writer.empty(node) + "\n")
    else:
        tag = tag_of(node)
        if tag is not None:
            writer.out.append(f"--- {tag_text(tag)}\n")
        writer.write(node, "")
    pieces = writer.out if native.emit is not None else ["".join(writer.out)]
    style.meter.write(sum(map(len, pieces)))
    return pieces


def block(node: Node, column: int, style: Style) -> str:
    """A container's lines, standing at a column; the first without its indentation, the last without its line end."""
    writer = _Writer(style)
    writer.write(node, " " * column)
    return "".join(writer.out)[:-1]


def value_text(node: Scalar, column: int, width: int, style: Style) -> str:
    """A scalar after a key or dash at a column, with its tag; of several lines, `width` deeper, where it is a
    block."""
    value = node.value
    if value.__class__ is str and is_word(value) and node.tag is None and not node.secret and not style.always:
        return value  # nearly always
    return _Writer(style).scalar(node, width, " " * column)


def empty_text(node: Node) -> str | None:
    """A container without members; None for any other node."""
    return None if isinstance(node, Scalar) or _is_block(node) else _Writer(Style()).empty(node)


def key_inline(key: Key, style: Style) -> str | None:
    """A key on one line, without its colon; None for one that needs a `?`."""
    known = style.names.get(key)
    return known[:-1] if known is not None else _Writer(style).key(key)


def _key_before(key: Key, lead: str, column: int, holder: Node, style: Style) -> str:
    """What a line begins with before the value of a key: `lead`, the key and its colon; a key that needs a `?` has
    lines of its own above."""
    writer, pad = _Writer(style), " " * column
    head = style.names.get(key) or writer.head(key, lead, pad, holder)
    return "".join([*writer.out, pad if writer.out else lead, head])


def _is_block(node: Node) -> bool:
    return bool(node.entries if isinstance(node, MapNode) else node.items if isinstance(node, ListNode) else False)


def _size(node: Node) -> int:
    return len(node.entries if isinstance(node, MapNode) else node.items if isinstance(node, ListNode) else ())


def _tagged(tag: str | None, text: str) -> str:
    return text if tag is None else f"{tag_text(tag)} {text}" if text else tag_text(tag)


def _never(_: str) -> None:
    return None


class _Writer:
    def __init__(self, style: Style) -> None:
        self.style = style
        self.out: list[str] = []
        self.names = style.names
        self.wide = 0
        """Characters of wide indentation so far."""

    def write(self, root: Node, pad: str, rows: PrintedRows | None = None) -> None:
        """All lines of a container that is not empty; the native emitter notes which row has what."""
        if native.emit is None:
            self.lines(root, pad)
            return
        style = self.style
        rules = (style.indent, style.dash, style.item, WIDE, LONGEST_KEY, style.always, style.sort_keys)
        native.emit(self, root, len(pad), self.out, self.names, style.unchanged, rules, rows and rows.lists)

    def lines(self, root: Node, pad: str) -> None:
        """The same in Python. `lead` is what the next line begins with."""
        out, names, style = self.out.append, self.names, self.style
        is_usual = _never if style.always else is_word
        as_is, deeper = not style.sort_keys, " " * style.indent
        stack: list[tuple[Node, Iterator[tuple[Key, Node]] | Iterator[Node], str]] = []
        node, lead = root, ""
        while True:
            holder = node
            mapping = node.__class__ is MapNode
            items: Iterator[tuple[Key, Node]] | Iterator[Node]
            items = iter(node.entries.items()) if as_is and isinstance(node, MapNode) else self.members(node)
            while True:
                for item in items:
                    if mapping:
                        key, node = item  # type: ignore[misc]
                        head = names.get(key)
                        if head is None:
                            head = self.head(key, lead, pad, holder)
                            lead = pad if head == ":" else lead
                    else:
                        head, node = "-", item  # type: ignore[assignment]
                    if node.__class__ is not Scalar:
                        if _is_block(node):
                            break
                        out(f"{lead}{head} {self.inline(node)}\n")
                    else:
                        text = node.value
                        if not (text.__class__ is str and is_usual(text) and node.tag is None and not node.secret):
                            text = self.scalar(node, style.indent if mapping else style.item, pad)
                        out(f"{lead}{head} {text}\n" if text else f"{lead}{head}\n")
                    lead = pad
                else:
                    if not stack:
                        return
                    holder, items, pad = stack.pop()
                    mapping = holder.__class__ is MapNode
                    lead = pad
                    continue
                break
            stack.append((holder, items, pad))
            if mapping and node.__class__ is MapNode and node.tag is None and head != ":":  # nearly always
                out(f"{lead}{head}\n")
                lead = pad = pad + deeper
            else:
                lead, pad = self.open(node, f"{lead}{head}", pad, mapping and head != ":")
            if len(pad) > WIDE:
                self.widen(len(pad) * _size(node))

    def widen(self, size: int) -> None:
        """So much indentation is about to be made. The meter is charged with the whole text when it is there."""
        self.wide += size
        self.style.meter.expect(self.wide)

    def tag(self, tag: str) -> str:
        return tag_text(tag)

    def members(self, node: Node) -> Iterator[tuple[Key, Node]] | Iterator[Node]:
        if isinstance(node, MapNode):
            if self.style.sort_keys:
                return iter(_sorted(node.entries))
            return iter(node.entries.items())
        return iter(node.items) if isinstance(node, ListNode) else iter(())

    def open(self, node: Node, head: str, pad: str, keyed: bool) -> tuple[str, str]:
        """Begin a container after a key or a dash: what its first line and its other lines begin with."""
        tag, style = tag_of(node), self.style
        if keyed:
            deeper = pad + " " * (style.dash if node.__class__ is ListNode else style.indent)
            self.out.append(f"{head} {tag_text(tag)}\n" if tag is not None else f"{head}\n")
            return deeper, deeper
        deeper = pad + " " * style.item
        if tag is not None:
            self.out.append(f"{head} {tag_text(tag)}\n")
            return deeper, deeper
        return head + " " * (style.item - 1), deeper

    def head(self, key: Key, lead: str, pad: str, holder: Node) -> str:
        """A key with its colon; where it needs a `?`, that is written and the colon is on a line of its own."""
        text = self.key(key)
        if text != key and self.style.schema is not None:
            from plait.yaml.spelling import plain_key

            if plain_key(holder, key) is not None:
                return f"{key}:"
        if text is not None:
            head = f"{text}:"
            if isinstance(key, str):  # `1` and `+1` are the same number, and each is written as it is
                self.names[key] = head
            return head
        node = key if isinstance(key, Node) else Scalar(key, key)
        writer = _Writer(self.style)
        gap = " " * (self.style.item - 1)
        if _is_block(node):
            tag = tag_of(node)
            deeper = pad + " " * self.style.item
            self.out.append(f"{lead}? {tag_text(tag)}\n{deeper}" if tag is not None else f"{lead}?{gap}")
            writer.write(node, deeper)
            self.out.extend(writer.out)
        else:
            text = self.inline(node)
            self.out.append(f"{lead}? {text}\n")
        return ":"

    def key(self, key: Key) -> str | None:
        if isinstance(key, str):
            text = key if is_word(key) else inline_text(key, self.style.prefer)
        elif _is_block(key):
            return None
        else:
            text = self.inline(key)
            if not text or (isinstance(key, Scalar) and key.value is None and key.tag is not None):
                text = f"{text} null".strip() if not text.endswith("null") else text
        return text if len(text) <= LONGEST_KEY else None

    def inline(self, node: Node) -> str:
        """A scalar or an empty container on one line."""
        if not isinstance(node, Scalar):
            return self.empty(node)
        return self.as_written(node, inline_value(node, self.style.reveal, self.style.prefer))

    def as_written(self, node: Scalar, text: str) -> str:
        """A scalar with its tag; where the style keeps them, an untouched plain one as it is written in its file."""
        schema = self.style.schema
        if schema is None or text == node.text or (node.secret and not self.style.reveal):
            return _tagged(node.tag, text)
        from plait.yaml.spelling import plain_text

        return plain_text(node, schema) or _tagged(node.tag, text)

    def empty(self, node: Node) -> str:
        if not isinstance(node, MapNode | ListNode):
            raise TypeError(f"{node!r} must be evaluated before it is written")
        brackets = "{}" if isinstance(node, MapNode) else "[]"
        return brackets if node.tag is None else f"{tag_text(node.tag)} {brackets}"

    def scalar(self, node: Scalar, indent: int, pad: str, root: bool = False) -> str:
        """A scalar with its tag, as a block where it has several lines."""
        value = node.value
        known = (value.__class__, value, node.text)
        simple = node.tag is None and not node.secret
        if simple and known in self.style.unchanged:
            return node.text
        if value.__class__ is str and (reveal := self.style.reveal or not node.secret):
            text = None
            if "\n" in value:
                if len(pad) > WIDE:
                    self.widen(len(pad) * value.count("\n"))
                text = literal(value, indent or 2, pad + " " * (indent or 2), root)
            if text is None and self.style.always and node.tag is None:
                text = quoted(value, self.style.prefer)
            elif text is None:
                text = inline_value(node, reveal, self.style.prefer)
        else:
            text = inline_value(node, self.style.reveal, self.style.prefer)
        if simple and text == node.text:
            self.style.unchanged.add(known)
            return text
        return self.as_written(node, text)


_KEY: Any = itemgetter(0)


def _sorted(entries: dict[Key, Node]) -> list[tuple[Key, Node]]:
    """Members by their keys; keys that are all text, as nearly always, are compared as they are."""
    try:
        return sorted(entries.items(), key=_KEY)
    except TypeError:
        return sorted(entries.items(), key=lambda item: key_text(item[0]))


def flow(node: Node, style: Style) -> str:
    """A whole tree on one line, between brackets, for a place inside a flow collection."""
    out: list[str] = []
    work: list[Node | str] = [node]
    while work:
        node_or_text = work.pop()
        if isinstance(node_or_text, str):
            out.append(node_or_text)
        elif isinstance(node_or_text, Scalar):
            out.append(_flow_scalar(node_or_text, style))
        else:
            work.extend(reversed(_flow_parts(node_or_text, style)))
    return "".join(out)


def _flow_parts(node: Node, style: Style) -> list[Node | str]:
    """A container's pieces in order: brackets, commas, keys and values."""
    writer = _Writer(style)
    if not _is_block(node):
        return [writer.empty(node)]
    tag = tag_of(node)
    parts: list[Node | str] = [f"{tag_text(tag)} "] if tag is not None else []
    parts.append("{" if isinstance(node, MapNode) else "[")
    for at, item in enumerate(writer.members(node)):
        if at:
            parts.append(", ")
        if isinstance(item, tuple):
            key, value = item
            parts += ["? " if writer.key(key) is None else "", _key_node(key), ": ", value]
        elif isinstance(item, Node):
            parts.append(item)
    return [*parts, "}" if isinstance(node, MapNode) else "]"]


def _key_node(key: Key) -> Node:
    return key if isinstance(key, Node) else Scalar(key, key)


def _flow_scalar(node: Scalar, style: Style) -> str:
    text = inline_value(node, style.reveal, style.prefer) or "null"
    if isinstance(node.value, str) and not (node.secret and not style.reveal) and text == node.value:
        text = text if is_plain_in_flow(text) and not style.always else quoted(text, style.prefer)
    return _tagged(node.tag, text)


_JSON_NUMBER = LazyPattern(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_UNSEEN = LazyPattern(f"[\ud800-\udfff{DECEIVING}]")
"""Halves of characters, which no encoding has, and characters that deceive a reader."""


def emit_json(
    node: Node,
    indent: int = 2,
    *,
    reveal: bool = False,
    sort_keys: bool = False,
    meter: Meter | None = None,
    tight: bool = False,
) -> str:
    """A document as JSON: numbers as they were written, keys of other types as their text. `tight` without blanks."""
    out: list[str] = []
    work: list[tuple[Node | str, str]] = [(node, "\n")]
    step, style, wide = " " * indent, Style(sort_keys=sort_keys, meter=meter), 0
    while work:
        item, line = work.pop()
        if isinstance(item, str):
            out.append(item)
        elif isinstance(item, Scalar):
            out.append(_json_scalar(item, reveal))
        elif not _is_block(item):
            out.append(_Writer(style).empty(item)[-2:])
        else:
            deeper = line + step if indent else ""
            if len(deeper) > WIDE:
                wide += len(deeper) * _size(item)
                style.meter.expect(wide)
            work.append((f"{line if indent else ''}{'}' if isinstance(item, MapNode) else ']'}", ""))
            members = list(_json_members(item, style))
            for at in range(len(members) - 1, -1, -1):
                head, child = members[at]
                head = head.rstrip(" ") if tight else head
                bracket = "," if at else "{" if isinstance(item, MapNode) else "["
                if child.__class__ is Scalar:
                    work.append((f"{bracket}{deeper}{head}{_json_scalar(child, reveal)}", ""))
                else:
                    work.append((child, deeper))
                    work.append((f"{bracket}{deeper}{head}", ""))
    text = "".join([*out, "\n"])
    style.meter.write(len(text))
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSEEN.compiled().sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _json_members(node: Node, style: Style) -> Iterator[tuple[str, Node]]:
    for item in _Writer(style).members(node):
        if not isinstance(item, tuple):
            yield "", item
            continue
        key, child = item
        if not isinstance(key, str):
            key = _json_key(node, key)  # type: ignore[arg-type]
        yield f"{_json_text(key)}: ", child


def _json_key(node: MapNode, key: Node) -> str:
    name = text_key(key)
    if name in node.entries:
        raise same_text(node, name, key, "keys in JSON are strings; rename or remove one of them")
    return name


def text_key(key: Key) -> str:
    """A key as the text that it is where keys can only be text: in JSON, and in a dict."""
    return flow(key, Style()) if isinstance(key, MapNode | ListNode) else key_text(key)


def same_text(node: MapNode, first: Key, second: Key, hint: str) -> PlaitError:
    """The error for two keys of a map that are one text."""
    labels = [Label(node.key_origin(key)) for key in (first, second)]
    return DUPLICATE_KEY.error(*labels, key=text_key(first), hint=hint)


def plain_data(node: Node) -> object:
    """A finished tree as dicts, lists and values, secrets shown. Keys are the text that they are in JSON; two keys of
    one text are an error. Without recursion."""
    made: list[object] = [None]
    work: list[tuple[Any, int | str, Node]] = [(made, 0, node)]
    while work:
        target, place, at = work.pop()
        if isinstance(at, MapNode):
            target[place] = entries = dict.fromkeys(text_keys(at))
            work.extend((entries, name, child) for name, child in zip(entries, at.entries.values(), strict=True))
        elif isinstance(at, ListNode):
            target[place] = items = [None] * len(at.items)
            work.extend((items, index, child) for index, child in enumerate(at.items))
        else:
            assert isinstance(at, Scalar)
            target[place] = at.value
    return made[0]


def text_keys(node: MapNode) -> dict[str, Key]:
    """The keys of a map by their texts; two keys of one text are an error."""
    names: dict[str, Key] = {}
    for key in node.entries:
        name = text_key(key)
        if name in names:
            hint = "keys of a dict are text here: rename one of them, or use text(), which keeps both"
            raise same_text(node, names[name], key, hint)
        names[name] = key
    return names


def _json_scalar(node: Scalar, reveal: bool) -> str:
    value = node.value
    if node.secret and not reveal:
        return f'"{node.mask}"'
    if value.__class__ is str:
        return _json_text(value)
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, bytes):
        from binascii import b2a_base64

        return _json_text(b2a_base64(value, newline=False).decode())
    if isinstance(value, Digits):
        return _json_digits(value, node)
    assert isinstance(value, int | float)
    text = number_text(value, node.text)
    if not _JSON_NUMBER.match(text):
        text = number_text(value, "")
    if not _JSON_NUMBER.match(text):
        raise NO_JSON.error(Label(node.origin), text=text, hint="use --format yaml, or put the value in quotes")
    return text


def _json_digits(digits: Digits, node: Scalar) -> str:
    """A long decimal integer in the form of JSON; another base would have to be converted."""
    sign, rest = ("-", digits[1:]) if digits[0] == "-" else ("", digits.lstrip("+"))
    if not rest.isdecimal():
        raise NO_JSON.error(
            Label(node.origin), text=f"{digits[:10]}...", hint="integers of more than 10,000 digits are not supported"
        )
    return sign + (rest.lstrip("0") or "0")


# The same text with what is on each line: for comments and columns beside it


class PrintedRows:
    """Which row of a printed text has what, from 1. In the order of the text, which is that of the tree."""

    __slots__ = ("holders", "lower", "values")

    def __init__(self) -> None:
        self.values: list[int] = []
        """For each node with nothing below it, the row on which its line begins."""
        self.lower: list[tuple[int, int]] = []
        """The values that are further down, because a key needs a `?`: their number and their row."""
        self.holders: list[tuple[int, int, int]] = []
        """The rows of maps and lists that have one, each with how many values are before it and how deep it is."""

    @property
    def lists(self) -> tuple[list[int], list[tuple[int, int]], list[tuple[int, int, int]]]:
        """What the native emitter fills."""
        return self.values, self.lower, self.holders

    @property
    def of_values(self) -> list[int]:
        """For each node with nothing below it, the row of its value."""
        rows = list(self.values)
        for number, row in self.lower:
            rows[number] = row
        return rows

    def add(self, line: Line, row: int) -> None:
        """The next line begins on a row."""
        _, path, node, above = line
        if _is_block(node):
            self.holders.append((row, len(self.values), len(path)))
            return
        if above:
            self.lower.append((len(self.values), row + above))
        self.values.append(row)


def emit_rows(root: Node, style: Style) -> tuple[str, PrintedRows]:
    """A document as YAML, and which row has what. In the place of a value that could not be computed is a comment."""
    rows = PrintedRows()
    if native.emit is None or not _is_block(root) or tag_of(root) is not None:
        text = _from_lines(lines(root, style), rows)
    else:
        writer = _Commenter(style)
        writer.write(root, "", rows)
        text = "".join(writer.out)
    style.meter.write(len(text))
    return text, rows


def _from_lines(written: list[Line], rows: PrintedRows) -> str:
    """The text of lines, and which row has what."""
    row = 1
    for line in written:
        rows.add(line, row)
        row += 1 + line[0].count("\n")
    return "".join([f"{line[0]}\n" for line in written])


class _Commenter(_Writer):
    """Writes a comment in the place of a value that could not be computed."""

    def empty(self, node: Node) -> str:
        return _comment(node) if isinstance(node, Failure) else super().empty(node)


def lines(root: Node, style: Style) -> list[Line]:
    """The text of a tree as the emitter writes it, line by line; a text of several lines is one. Without recursion."""
    tag = tag_of(root)
    if isinstance(root, Failure):
        return [(_other_text(root) or "", (), root, 0)]
    if isinstance(root, Scalar) or empty_text(root) is not None:
        return [(emit_styled(root, style).removesuffix("\n"), (), root, 0)]
    rows: list[Line] = [(f"--- {tag_text(tag)}", (), root, 0)] if tag is not None else []
    stack: list[tuple[Iterator[tuple[Key | int, Node]], Node, Path, int]] = []
    holder, column, lead = root, 0, ""
    above: Path = ()
    items = _steps(root, style)
    while True:
        pad, keyed = " " * column, isinstance(holder, MapNode)
        width, names = style.indent if keyed else style.item, style.names
        for step, node in items:
            known = names.get(step) if keyed else "-"  # type: ignore[arg-type]
            head = _key_before(step, lead, column, holder, style) if known is None else lead + known  # type: ignore[arg-type]
            path = (*above, step)
            text = value_text(node, column, width, style) if isinstance(node, Scalar) else _other_text(node)
            if text is None:
                break
            rows.append((f"{head} {text}" if text else head, path, node, head.count("\n")))
            lead = pad
        else:
            if not stack:
                return rows
            items, holder, above, column = stack.pop()
            lead = " " * column
            continue
        stack.append((items, holder, above, column))
        beside = not keyed or (known is None and head.endswith(f"\n{pad}:"))
        tag = tag_of(node)
        column += style.item if beside else style.dash if isinstance(node, ListNode) else style.indent
        if beside and tag is None:
            lead = head + " " * (style.item - 1)
        else:
            rows.append((f"{head} {tag_text(tag)}" if tag is not None else head, path, node, head.count("\n")))
            lead = " " * column
        holder, above, items = node, path, _steps(node, style)


def _steps(node: Node, style: Style) -> Iterator[tuple[Key | int, Node]]:
    """What a container holds, in the order in which it is written."""
    if isinstance(node, MapNode):
        return iter(
            [(key, node.entries[key]) for key in sorted_keys(node)] if style.sort_keys else node.entries.items()
        )
    return iter(enumerate(node.items if isinstance(node, ListNode) else ()))


def _other_text(node: Node) -> str | None:
    """An empty container, or a comment in the place of a value that could not be computed; None for any other."""
    return _comment(node) if isinstance(node, Failure) else empty_text(node)


def _comment(node: Failure) -> str:
    return COMPUTED if isinstance(node, Unknown) else f"# {one_line(node.diagnostics[0].message)}"
