"""A flat program to a tree, by a stack of our own: depth never touches Python's stack.

`tagged`, `marked` and `closed` are how notations come in: the reader knows none of them. `tagged` is asked about
every node that carries a tag; `marked` about every text scalar of a document that contains one of the front's
markers; `closed` about every container, inner ones first. `named` is called for every anchor.
"""

from __future__ import annotations

from plait.core import native
from plait.core.diagnostic import Diagnostic, Fault, Label, PlaitError
from plait.core.node import (
    NULL,
    STR,
    Container,
    Failure,
    Key,
    ListNode,
    MapNode,
    Node,
    Scalar,
    Value,
    as_withheld,
    hidden,
    key_text,
)
from plait.core.source import SENSITIVE, Source
from plait.report.catalog import BAD_TAGGED, COMPUTED_KEY, CYCLIC_ALIAS, DUPLICATE_KEY, TOO_MANY, UNKNOWN_ALIAS
from plait.yaml.program import ALIAS, END, MAP, PLAIN, PROPS, SEQ, TEXT, Program, SpannedTexts
from plait.yaml.scan import no_garbage_collection
from plait.yaml.schema import CORE, Digits, Schema
from plait.yaml.unbuilt import UnbuiltMap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

YAML_TAG = "tag:yaml.org,2002:"
PLAIN_CONTAINERS = ((None, "!", YAML_TAG + "map"), (None, "!", YAML_TAG + "seq"))
"""The tags that say nothing new: of a mapping, of a list."""
MOST_FAULTS = 50
"""How many errors of one document are looked for."""


class Reading:
    """How a front wants its files read."""

    __slots__ = (
        "_holds",
        "_looked",
        "alike",
        "closed",
        "duplicates",
        "faults",
        "keys",
        "marked",
        "markers",
        "merge_keys",
        "named",
        "nodes",
        "repeated",
        "schema",
        "signs",
        "tagged",
        "text_keys",
        "values",
    )

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
        alike: Callable[[Key, Node, Node, Label, Label], Node] | None = None,
        repeated: Callable[[Key, Label, Label], None] | None = None,
        faults: list[Diagnostic] | None = None,
        signs: tuple[str, ...] = (),
    ) -> None:
        self.schema = schema
        self.merge_keys = merge_keys
        self.tagged = tagged
        self.markers = markers
        self.marked = marked
        self.signs = signs
        """What a text has one of that `marked` makes something of: any other may be left unasked. Without signs, every
        text is asked about."""
        self.nodes = nodes
        self.duplicates = duplicates
        self.text_keys = text_keys
        """Whether a plain key is always text: `1:` and `"1":` are one key."""
        self.closed = closed
        self.named = named
        self.keys = keys
        """What a key becomes that is not plain text; without it, text of the schema or the node itself."""
        self.alike = alike
        """What becomes of two values whose keys differ in kind alone, where keys are text: `1` and `"1"`. Without
        it, this is a duplicate key."""
        self.repeated = repeated
        """Called for a duplicate key, of which the last value is used; without it, a duplicate key is an error."""
        self.faults = faults
        """Collects what is wrong, and gives a tree with failures in its place; without it, an error ends the reading
        of a document, with everything that is wrong in it."""
        self.values: dict[str, Value] = {}
        """What plain scalars mean, once it was worked out: the same few are used everywhere."""
        self._looked: Source | None = None
        self._holds = False

    @property
    def meaning(self) -> object:
        """Equal for two ways of reading that give the same tree of a document without tags, anchors and expressions."""
        rules = (self.merge_keys, self.duplicates, self.text_keys, self.keys, self.alike, self.repeated)
        return (self.schema, self.markers, self.closed, self.named, self.nodes, *rules)

    def marks(self, source: Source) -> Callable[[Scalar], Node] | None:
        """What looks at the texts of a source: nothing where the source contains no marker.

        A source is searched once, however many parts are built.
        """
        if self._looked is not source:
            self._looked = source
            self._holds = any(marker in source.text for marker in self.markers)
        return self.marked if self._holds else None


def build(
    program: Program,
    source: Source,
    reading: Reading,
    by_parts: bool = False,
    steps: tuple[int, int] | None = None,
) -> Node:
    """The tree of one document. With `by_parts`, maps below its root in which nothing can be wrong are built when they
    are asked for, where the native reader is in use. `steps` are those of one value, for the native reader alone."""
    return _Builder(program, source, reading, by_parts).build(steps)


LEAST_STEPS, MOST_STEPS = 24, 2000
"""How many steps a map has that is built when it is asked for: a smaller one is as soon built, and a larger one is
looked through for such maps."""


MOST_SHARED = 5000
"""So many short texts of a document that is built in parts are held, to be used again."""


class _Parts:
    """A document whose maps are built one by one."""

    __slots__ = ("program", "reading", "source")

    def __init__(self, program: Program, source: Source, reading: Reading) -> None:
        self.program = program
        self.source = source
        self.reading = reading

    def later(self, step: int, at: int) -> MapNode:
        """The map at a step, not built yet."""
        return WrittenMap(_Part(self, step), self.source, at)

    def built(self, steps: list[int]) -> list[Node]:
        """The values at some steps."""
        assert native.build is not None
        assert isinstance(self.program.texts, SpannedTexts)
        kinds, pairs = self.program.kinds, self.program.texts.pairs
        spans = tuple((step, (pairs[step] if kinds[step] > TEXT else step) + 1) for step in steps)
        with no_garbage_collection():
            made = _Builder(self.program, self.source, self.reading).natively(native.build, spans)
            return [as_withheld(one, self.source) for one in made] if self.source.is_withheld else made

    def fields(self, found: list[tuple[str, int]]) -> dict[Key, Node]:
        """Some fields of a map, each with the step of its value. Large maps among them are not built yet."""
        program, texts = self.program, self.program.texts
        assert isinstance(texts, SpannedTexts)
        kinds, pairs = program.kinds, texts.pairs
        now = [step for _, step in found if kinds[step] != MAP or pairs[step] - step < LEAST_STEPS]
        made = dict(zip(now, self.built(now), strict=True)) if now else {}
        return {key: made.get(step) or self.later(step, program.ats[step]) for key, step in found}


class _Part:
    """One map of such a document, by its first step."""

    __slots__ = ("document", "step")

    def __init__(self, document: _Parts, step: int) -> None:
        self.document = document
        self.step = step

    def __call__(self) -> MapNode:
        (node,) = self.document.built([self.step])
        assert isinstance(node, MapNode)
        return node

    def unlike(self, other: _Part) -> list[tuple[str, int, int]] | None:
        """The fields that are not written alike in two maps, by their steps; None where that cannot be told, or alike
        texts may mean two things."""
        one, two = self.document, other.document
        if native.differing is None or one.reading.schema is not two.reading.schema:
            return None
        columns = [(part.program.kinds, part.program.ats, part.program.texts.columns()) for part in (one, two)]  # type: ignore[union-attr]
        return native.differing(columns[0], self.step, columns[1], other.step)


class WrittenMap(UnbuiltMap):
    """A map of a document that is built when it is asked for. Two of them are compared by what is written."""

    __slots__ = ()

    def fields_unlike(self, other: MapNode) -> tuple[dict[Key, Node], dict[Key, Node]] | None:
        one, two = self.maker, other.maker if isinstance(other, UnbuiltMap) else None
        found = one.unlike(two) if isinstance(one, _Part) and isinstance(two, _Part) else None
        if found is None:
            return None
        assert isinstance(one, _Part)
        assert isinstance(two, _Part)
        here = [(key, step) for key, step, _ in found if step >= 0]
        there = [(key, step) for key, _, step in found if step >= 0]
        return one.document.fields(here), two.document.fields(there)


class _Builder:
    __slots__ = (
        "aliased", "anchors", "by_parts", "faults", "limit", "marked", "merged", "merges", "program", "reading",
        "source",
    )  # fmt: skip

    def __init__(self, program: Program, source: Source, reading: Reading, by_parts: bool = False) -> None:
        self.program = program
        self.source = source
        self.reading = reading
        self.by_parts = by_parts
        self.anchors: dict[str, Node | None] = {}
        self.aliased = False
        self.merges: dict[int, list[Node]] = {}
        self.merged = 0
        self.limit = min(reading.nodes, max(100 * len(program.kinds), 10_000))
        self.marked = reading.marks(source)
        self.faults: list[Diagnostic] = []

    def build(self, steps: tuple[int, int] | None = None) -> Node:
        """The tree; where something is wrong, an error with everything that is."""
        try:
            tree = self.made(steps)
        except Fault as error:
            raise Fault(*self.faults, *error.diagnostics) if self.faults else error from None
        if self.faults:
            if self.reading.faults is None:
                raise Fault(*self.faults)
            self.reading.faults += self.faults
        return tree

    def wrong(self, error: Fault, instead: Node) -> Node:
        """Note what is wrong with a value, and go on."""
        self.faults += error.diagnostics
        if len(self.faults) >= MOST_FAULTS:
            raise Fault(*self.faults)
        return instead if self.reading.faults is None else Failure(error.diagnostics, self.source, instead.at)

    def made(self, steps: tuple[int, int] | None) -> Node:
        """The tree, by the native builder where there is one: it makes nodes and calls this object for whatever is
        unusual."""
        spans = ((0, len(self.program.kinds)) if steps is None else steps,)
        roots = self.in_python() if native.build is None else self.natively(native.build, spans)
        result = roots[0] if roots else Scalar(None, "", self.source, 0)
        result = as_withheld(result, self.source)
        if self.aliased:
            self.check_size(result)
        return result

    def natively(self, build: Callable[..., list[Node]], spans: tuple[tuple[int, int], ...]) -> list[Node]:
        """The roots of the steps from one to another, of each span."""
        program, reading, schema = self.program, self.reading, self.reading.schema
        texts: object = program.texts
        if isinstance(texts, SpannedTexts):
            if len(texts.shared) > MOST_SHARED:
                texts.shared.clear()
            texts, ats = texts.columns(), program.ats
        else:
            ats = program.ats if isinstance(program.ats, list) else list(program.ats)
        columns = (program.kinds, ats, texts, program.props)
        meaning = (reading.values, schema.resolve, schema.starts, schema.words, self.marked, reading.signs)
        asks = (reading.text_keys, reading.keys is not None, reading.closed is not None)
        later = _Parts(program, self.source, reading).later if self.by_parts else None
        which = (spans, later, (LEAST_STEPS, MOST_STEPS))
        return build(self, *columns, self.source, *meaning, *asks, self.merges, self.anchors, *which)

    def in_python(self) -> list[Node]:
        """One pass over the steps. What is open is in local names; what surrounds it, on a stack."""
        program, source, props = self.program, self.source, self.program.props
        resolve, starts, marked = self.reading.schema.resolve, self.reading.schema.starts, self.marked
        text_keys = self.reading.text_keys
        stack: list[Any] = []
        entries: dict[Key, Node] | None = None
        items: list[Node] = []
        marks: list[int] = []
        key: Key | None = None
        live, opened, began, key_at = False, -1, 0, 0
        root = items
        node: Any
        text: Any
        value: Any
        known, watched = self.reading.values, self.reading.closed is not None
        for index, (kind, at, text) in enumerate(zip(program.kinds, program.ats, program.texts, strict=True)):
            if kind <= TEXT:
                if kind == TEXT or text[:1] not in starts or (text_keys and key is None and entries is not None):
                    if key is None and entries is not None:
                        key, key_at = text, at
                        continue
                    node = Scalar(text, text, source, at)
                    if marked is not None:
                        node = marked(node)
                        live = live or node.live
                else:
                    value = known.get(text, known)
                    if value is known:
                        value = known[text] = resolve(text)
                    node = Scalar(value, text, source, at)
            elif kind == END:
                if entries is None:
                    node = ListNode(items, source, began, None, live)
                else:
                    node = MapNode(entries, source, began, None, live, tuple(marks))
                if opened in props or watched or self.merges:
                    node = self.finish(node, opened)
                entries, items, marks, key, live, opened, began, key_at = stack.pop()
                live = live or node.live
            elif kind & ~PROPS in (MAP, SEQ):
                stack.append((entries, items, marks, key, live, opened, began, key_at))
                entries = {} if kind & ~PROPS == MAP else None
                items, marks, key, live, opened, began = [], [], None, False, index, at
                if kind & PROPS and (anchor := props[index][1]):
                    self.anchors[anchor] = None
                continue
            else:
                node = self.special(index, kind, at, text or "")
                live = live or node.live
            if entries is None:
                items.append(node)
            elif key is None:
                key, key_at = self.as_key(node), at
            else:
                if (key in entries or key == "<<") and self.takes_special_key(
                    entries, marks, key, key_at, node, opened
                ):
                    key = None
                    continue
                entries[key] = node
                marks.append(key_at)
                key = None
        return root

    def takes_special_key(
        self, entries: dict[Key, Node], marks: list[int], key: Key, at: int, node: Node, opened: int
    ) -> bool:
        """A key that needs a second look: a merge key, or a duplicate. True for one that is dealt with."""
        if key == "<<" and self.reading.merge_keys and self.mergeable(node) and self.is_plain(at):
            self.merges.setdefault(opened, []).append(node)
            return True
        if key not in entries:
            return False
        first = marks[list(entries).index(key)]
        if self.reading.alike is not None and self.meant(key, first) != self.meant(key, at):
            node = self.reading.alike(key, entries[key], node, Label.at(self.source, first), Label.at(self.source, at))
        elif self.reading.repeated is not None:
            self.reading.repeated(key, Label.at(self.source, first), Label.at(self.source, at))
        elif self.reading.duplicates == "error":
            labels = Label.at(self.source, first), Label.at(self.source, at)
            node = self.wrong(DUPLICATE_KEY.error(*labels, key=key_text(key), hint="remove one of them"), node)
        entries[key] = node
        return True

    def meant(self, key: Key, at: int) -> type:
        """What kind of value a key would be by itself: without quotes, `1` is a number."""
        plain = isinstance(key, str) and self.source.text.startswith(key, at)
        return self.reading.schema.resolve(key).__class__ if plain else str  # type: ignore[arg-type]

    def is_plain(self, at: int) -> bool:
        """Whether a key is written without quotes: a quoted `"<<"` is only a name."""
        return self.source.text.startswith("<<", at)

    @staticmethod
    def mergeable(node: Node) -> bool:
        if isinstance(node, ListNode):
            return bool(node.items) and all(isinstance(item, MapNode) for item in node.items)
        return isinstance(node, MapNode)

    def finish(self, node: Node, opened: int) -> Node:
        """A container with a tag, an anchor or a merge key."""
        assert isinstance(node, MapNode | ListNode)
        tag, anchor = self.program.props.get(opened, (None, None))
        node.tag = None if tag in PLAIN_CONTAINERS[isinstance(node, ListNode)] else tag
        if opened in self.merges and isinstance(node, MapNode):
            node = self.with_merges(node, self.merges.pop(opened))
        done: Node = node
        if node.tag == SENSITIVE:
            self.source.conceal(node.at)
            done = hidden(node)
        if node.tag is not None:
            done = self.tagged(node.tag, done)
        if self.reading.closed is not None:
            done = self.reading.closed(done)
        if node.tag == SENSITIVE and done.live:
            done = hidden(done)
        if anchor:
            self.name(anchor, done)
        return done

    def with_merges(self, node: MapNode, merges: list[Node]) -> MapNode:
        """What `<<` brings in. It multiplies as aliases do, and is counted as they are."""
        merged = _merge_keys(node, merges)
        self.merged += len(merged.entries)
        if self.merged > self.limit:
            raise self.too_many(node.at)
        return merged

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
            if tag == SENSITIVE:
                self.source.conceal(at)
                node = hidden(node)
            node = self.tagged(tag, node)
        if anchor:
            self.name(anchor, node)
        return node

    def tagged(self, tag: str, node: Node) -> Node:
        """What a tag makes of a value."""
        try:
            return node if self.reading.tagged is None else self.reading.tagged(tag, node)
        except Fault as error:
            return self.wrong(error, node)

    def alias(self, name: str, at: int) -> Node:
        nothing, label = Scalar(None, "", self.source, at), Label.at(self.source, at)
        if name not in self.anchors:
            hint = f'define it first as `&{name}`, or, if this is a string, put it in quotes: "*{name}"'
            return self.wrong(UNKNOWN_ALIAS.error(label, name=name, hint=hint), nothing)
        node = self.anchors[name]
        if node is None:
            return self.wrong(CYCLIC_ALIAS.error(label, name=name), nothing)
        self.aliased = True
        self.source.aliases[at] = node
        return node

    def typed(self, tag: str, text: str, at: int) -> Node:
        """A scalar with one of YAML's own tags: `!!str 12` is text."""
        kind = tag[len(YAML_TAG) :]
        value = self.reading.schema.resolve(text)
        if tag == STR:
            return Scalar(text, text, self.source, at)
        if (
            tag == NULL
            or (kind in ("bool", "int") and value.__class__.__name__ == kind)
            or (kind == "int" and isinstance(value, Digits))
        ):
            return Scalar(None if tag == NULL else value, text, self.source, at)
        if kind == "float" and isinstance(value, int | float) and not isinstance(value, bool):
            return Scalar(float(value), text, self.source, at)
        if kind in ("bool", "int", "float"):
            wrong = BAD_TAGGED.error(Label.at(self.source, at), text=text, what=kind)
            return self.wrong(wrong, Scalar(text, text, self.source, at))
        return Scalar(text, text, self.source, at, tag)

    def as_key(self, node: Node) -> Key:
        """A key that is not plain text: its text, or the node itself."""
        if self.reading.keys is not None:
            return self.reading.keys(node)
        if node.live:
            hint = "write the key itself, or compute the whole mapping"
            if not isinstance(node, Failure):
                self.wrong(COMPUTED_KEY.error(Label(node.origin), hint=hint), node)
            return self.source.text[node.at : node.at + 80].partition("\n")[0].partition(":")[0]
        return node.value if isinstance(node, Scalar) and isinstance(node.value, str) and node.tag is None else node

    def check_size(self, root: Node) -> None:
        """Aliases can make a small text mean an enormous tree: count its nodes without walking it."""
        if expanded_size(root) > self.limit:
            raise self.too_many(root.at)

    def too_many(self, at: int) -> PlaitError:
        hint = "aliases multiply here; --max-nodes raises the limit"
        return TOO_MANY.error(Label.at(self.source, at), limit=self.limit, hint=hint)


def _merge_keys(own: MapNode, merges: list[Node]) -> MapNode:
    """YAML's `<<`: what the mapping itself does not say. The earlier of several wins."""
    flat = [part for node in merges for part in (node.items if isinstance(node, ListNode) else (node,))]
    entries: dict[Key, Node] = {}
    for part in reversed(flat):
        assert isinstance(part, MapNode)
        entries.update(part.entries)
    entries.update(own.entries)
    live = own.live or any(part.live for part in flat)
    return MapNode(entries, own.source, own.at, own.tag, live, parts=(*reversed(flat), own))


def expanded_size(root: Node) -> int:
    """How many nodes the tree has when every alias is written out."""
    sizes: dict[int, int] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        below = node.entries.values() if isinstance(node, MapNode) else node.items if isinstance(node, ListNode) else ()
        inner = [child for child in below if child.__class__ is not Scalar and isinstance(child, Container)]
        missing = [child for child in inner if id(child) not in sizes]
        if missing and id(node) not in sizes:
            stack.extend(missing)
            continue
        stack.pop()
        sizes[id(node)] = 1 + len(below) + sum([sizes[id(child)] - 1 for child in inner])
    return sizes[id(root)]
