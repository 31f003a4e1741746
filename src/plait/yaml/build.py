"""A flat program to a tree, by a stack of our own: depth never touches Python's stack.

`tagged`, `marked` and `closed` are how notations come in: the reader knows none of them. `tagged` is asked about every node that
carries a tag; `marked` about every text scalar of a document that contains one of the front's markers; `closed` about every
container, inner ones first. `named` is told of every anchor.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import NULL, STR, Key, Mapping, Node, Scalar, Sequence, key_text
from plait.core.source import Source
from plait.report.catalog import BAD_TAGGED, COMPUTED_KEY, CYCLIC_ALIAS, DUPLICATE_KEY, TOO_MANY, UNKNOWN_ALIAS
from plait.yaml.scan import ALIAS, END, MAP, PLAIN, PROPS, SEQ, TEXT, Program
from plait.yaml.schema import CORE, Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

YAML_TAG = "tag:yaml.org,2002:"
PLAIN_CONTAINERS = ((None, "!", YAML_TAG + "map"), (None, "!", YAML_TAG + "seq"))
"""The tags that say nothing new: of a mapping, of a list."""


class Reading:
    """How a front wants its files read."""

    __slots__ = ("closed", "duplicates", "keys", "marked", "markers", "merge_keys", "named", "nodes", "schema", "tagged", "text_keys")

    def __init__(
        self,
        schema: Schema = CORE,
        merge_keys: bool = True,
        tagged: Callable[[str, Node], Node] | None = None,
        markers: tuple[str, ...] = (),
        marked: Callable[[Scalar], Node] | None = None,
        nodes: int = 1_000_000,
        duplicates: str = "error",
        text_keys: bool = False,
        closed: Callable[[Node], Node] | None = None,
        named: Callable[[str, Node], None] | None = None,
        keys: Callable[[Node], Key] | None = None,
    ) -> None:
        self.schema = schema
        self.merge_keys = merge_keys
        self.tagged = tagged
        self.markers = markers
        self.marked = marked
        self.nodes = nodes
        self.duplicates = duplicates
        self.text_keys = text_keys
        """Whether a plain key is always text: `1:` and `"1":` are one key."""
        self.closed = closed
        self.named = named
        self.keys = keys
        """What a key becomes that is no plain text; without it, text of the schema or the node itself."""


class _Frame:
    """A container that is still open, and what surrounds it."""

    __slots__ = ("at", "entries", "index", "items", "key", "key_at", "live", "marks", "merges")

    def __init__(self, index: int, at: int, mapping: bool) -> None:
        self.index = index
        self.at = at
        self.entries: dict[Key, Node] | None = {} if mapping else None
        self.items: list[Node] = []
        self.marks: list[int] = []
        self.merges: list[Node] | None = None
        self.key: Key | None = None
        self.key_at = 0
        self.live = False


def build(program: Program, source: Source, reading: Reading) -> Node:
    """The tree of one document."""
    return _Builder(program, source, reading).run()


class _Builder:
    def __init__(self, program: Program, source: Source, reading: Reading) -> None:
        self.program = program
        self.source = source
        self.reading = reading
        self.anchors: dict[str, Node | None] = {}
        self.aliased = False
        self.stack: list[_Frame] = []
        has_markers = any(marker in source.text for marker in reading.markers)
        self.marked = reading.marked if has_markers else None

    def run(self) -> Node:
        program, source, stack = self.program, self.source, self.stack
        resolve, starts, marked = self.reading.schema.resolve, self.reading.schema.starts, self.marked
        text_keys = self.reading.text_keys
        top = _Frame(-1, 0, False)
        frame, entries, key = top, top.entries, top.key
        for index, (kind, at, text) in enumerate(zip(program.kinds, program.ats, program.texts, strict=True)):
            node: Node
            if kind <= TEXT:
                if entries is not None and key is None and (kind == TEXT or text_keys or text[:1] not in starts):  # type: ignore[index]
                    key = text
                    frame.key_at = at
                    continue
                if kind == TEXT or text[:1] not in starts:  # type: ignore[index]
                    node = Scalar(text, text, source, at)  # type: ignore[arg-type]
                    if marked is not None:
                        node = marked(node)
                        frame.live = frame.live or node.live
                else:
                    node = Scalar(resolve(text), text, source, at)  # type: ignore[arg-type]
            elif kind == END:
                node = self.close(frame)
                frame = stack.pop()
                entries, key = frame.entries, frame.key
                frame.live = frame.live or node.live
            elif kind & ~PROPS in (MAP, SEQ):
                frame.key = key
                stack.append(frame)
                frame = _Frame(index, at, kind & ~PROPS == MAP)
                entries, key = frame.entries, None
                if kind & PROPS and (anchor := program.props[index][1]):
                    self.anchors[anchor] = None
                continue
            else:
                node = self.special(index, kind, at, text or "")
                frame.live = frame.live or node.live
            if entries is None:
                frame.items.append(node)
            elif key is None:
                key = self.as_key(node)
                frame.key_at = at
            else:
                if key in entries or (key == "<<" and self.reading.merge_keys):
                    self.attach(frame, key, node)
                else:
                    entries[key] = node
                    frame.marks.append(frame.key_at)
                key = None
        node = top.items[0] if top.items else Scalar(None, "", source, 0)
        if self.aliased:
            self.check_size(node)
        return node

    def attach(self, frame: _Frame, key: Key, node: Node) -> None:
        """A key that needs a second look: a merge key, or one that stands there twice."""
        assert frame.entries is not None
        if key == "<<" and self.reading.merge_keys and self.mergeable(node) and self.is_plain(frame.key_at):
            frame.merges = [*(frame.merges or []), node]
            return
        if key in frame.entries and self.reading.duplicates == "error":
            first = frame.marks[list(frame.entries).index(key)]
            raise DUPLICATE_KEY.error(
                Label.at(self.source, first), Label.at(self.source, frame.key_at), key=key_text(key), hint="remove one of them"
            )
        if key not in frame.entries:
            frame.marks.append(frame.key_at)
        frame.entries[key] = node

    def is_plain(self, at: int) -> bool:
        """Whether a key stands there without quotes: a quoted `"<<"` is only a name."""
        return self.source.text.startswith("<<", at)

    @staticmethod
    def mergeable(node: Node) -> bool:
        if isinstance(node, Sequence):
            return bool(node.items) and all(isinstance(item, Mapping) for item in node.items)
        return isinstance(node, Mapping)

    def close(self, frame: _Frame) -> Node:
        """The finished container."""
        program, source = self.program, self.source
        tag, anchor = program.props.get(frame.index, (None, None))
        if tag in PLAIN_CONTAINERS[frame.entries is None]:
            tag = None
        node: Node
        if frame.entries is None:
            node = Sequence(frame.items, source, frame.at, tag, frame.live)
        else:
            node = Mapping(frame.entries, source, frame.at, tag, frame.live, tuple(frame.marks))
            if frame.merges:
                node = _merge_keys(node, frame.merges)
        if tag is not None and self.reading.tagged is not None:
            node = self.reading.tagged(tag, node)
        if self.reading.closed is not None:
            node = self.reading.closed(node)
        if anchor:
            self.name(anchor, node)
        return node

    def name(self, anchor: str, node: Node) -> None:
        self.anchors[anchor] = node
        if self.reading.named is not None:
            self.reading.named(anchor, node)

    def special(self, index: int, kind: int, at: int, text: str) -> Node:
        """An alias, or a scalar with a tag or an anchor."""
        if kind == ALIAS:
            return self.alias(text, at)
        tag, anchor = self.program.props[index]
        plain = kind & ~PROPS == PLAIN
        if tag is None or tag == "!":
            node: Node = Scalar(self.reading.schema.resolve(text) if plain else text, text, self.source, at)
            if self.marked is not None and isinstance(node, Scalar) and isinstance(node.value, str):
                node = self.marked(node)
        elif tag.startswith(YAML_TAG):
            node = self.typed(tag, text, at)
        else:
            node = Scalar(self.reading.schema.resolve(text) if plain else text, text, self.source, at, tag)
            if self.reading.tagged is not None:
                node = self.reading.tagged(tag, node)
        if anchor:
            self.name(anchor, node)
        return node

    def alias(self, name: str, at: int) -> Node:
        if name not in self.anchors:
            raise UNKNOWN_ALIAS.error(Label.at(self.source, at), name=name, hint="an anchor must stand before its alias")
        node = self.anchors[name]
        if node is None:
            raise CYCLIC_ALIAS.error(Label.at(self.source, at), name=name)
        self.aliased = True
        return node

    def typed(self, tag: str, text: str, at: int) -> Scalar:
        """A scalar with one of YAML's own tags: `!!str 12` is text."""
        kind = tag[len(YAML_TAG) :]
        value = CORE.resolve(text)
        if tag == STR:
            return Scalar(text, text, self.source, at)
        if tag == NULL or (kind in ("bool", "int") and value.__class__.__name__ == kind):
            return Scalar(None if tag == NULL else value, text, self.source, at)
        if kind == "float" and isinstance(value, int | float) and not isinstance(value, bool):
            return Scalar(float(value), text, self.source, at)
        if kind in ("bool", "int", "float"):
            raise BAD_TAGGED.error(Label.at(self.source, at), text=text, what=kind)
        return Scalar(text, text, self.source, at, tag)

    def as_key(self, node: Node) -> Key:
        """A key that is no plain text: text all the same, or the node itself."""
        if self.reading.keys is not None:
            return self.reading.keys(node)
        if node.live:
            raise COMPUTED_KEY.error(Label.of(node), hint="write the key itself, or compute the whole mapping")
        return node.value if isinstance(node, Scalar) and isinstance(node.value, str) and node.tag is None else node

    def check_size(self, root: Node) -> None:
        """Aliases can make a small text stand for an enormous tree: count it without walking it out."""
        written = len(self.program.kinds)
        limit = min(self.reading.nodes, max(100 * written, 10_000))
        if expanded_size(root) > limit:
            raise TOO_MANY.error(
                Label.at(self.source, root.at), limit=limit, hint="aliases multiply here; --max-nodes raises the limit"
            )


def _merge_keys(own: Mapping, merges: list[Node]) -> Mapping:
    """YAML's `<<`: what the mapping itself does not say. The earlier of several wins."""
    flat = [part for node in merges for part in (node.items if isinstance(node, Sequence) else (node,))]
    entries: dict[Key, Node] = {}
    for part in reversed(flat):
        assert isinstance(part, Mapping)
        entries.update(part.entries)
    entries.update(own.entries)
    live = own.live or any(part.live for part in flat)
    return Mapping(entries, own.source, own.at, own.tag, live, parts=(*reversed(flat), own))


def expanded_size(root: Node) -> int:
    """How many nodes the tree has when every alias is written out."""
    sizes: dict[int, int] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        below = (
            node.entries.values() if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else ()
        )
        missing = [child for child in below if id(child) not in sizes and isinstance(child, Mapping | Sequence)]
        if missing and id(node) not in sizes:
            stack.extend(missing)
            continue
        stack.pop()
        sizes[id(node)] = 1 + sum(sizes.get(id(child), 1) for child in below)
    return sizes[id(root)]
