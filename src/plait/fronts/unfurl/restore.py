"""Saving: the smallest change of the text after which expanding it gives the edited document.

The written tree is walked beside what the document expands to and what it is to be. Where a map has directives, only
what differs from what they bring in is written: an override, `whiteout` for a key that goes, `nullout` for a map
that becomes null. An override that equals the included value is removed. A directive whose target is gone, or
no map any more, is given up and what it brought in is written out.

What the targets will be after the edit is read from the edited document. That is right for nearly everything; the
text is expanded again, and whatever still differs is corrected in the same way, in the end by writing it out in
full.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Key, ListNode, MapNode, Mark, Node, Scalar, Suspension, children, equal
from plait.core.path import Path
from plait.core.scope import Place
from plait.core.source import UNKNOWN
from plait.core.struct import struct
from plait.core.walk import nodes_of
from plait.fronts.unfurl.edit import reconciled
from plait.fronts.unfurl.loading import POLICY, DirectiveDocument
from plait.merging.combine import combine
from plait.notations.directives.expand import Directed, Spliced, Use, as_written, entry, referred
from plait.notations.directives.grammar import NAME, STRATEGY, parse_directive
from plait.report.catalog import NOT_RESTORED
from plait.yaml.edits import Delete, Edit, Insert, Replace
from plait.yaml.patch import patch
from plait.yaml.scan import no_garbage_collection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plait.yaml.layout import Layout

ROUNDS = 8
"""How often a text is corrected, first with what differs, then with maps written out in full."""


def saved(
    document: DirectiveDocument, wanted: Node, current: Node | None = None, layouts: list[Layout] | None = None
) -> str:
    """The text of a document that expands to what is wanted.

    `current` and `layouts` are what it expands to now and how it is written, where that is known.
    """
    current = document.expanded() if current is None else current
    if reconciled(current, wanted) is current:
        return document.text
    with no_garbage_collection():
        for in_full in (False, True):
            text = _corrected(document, current, wanted, in_full, layouts)
            if text is not None:
                return text
    raise NOT_RESTORED.error(
        name=document.name, why="its directives would restore the old value", hint="edit the file by hand"
    )


def _corrected(
    document: DirectiveDocument, current: Node, wanted: Node, in_full: bool, layouts: list[Layout] | None
) -> str | None:
    """The text after as many corrections as it takes; None if they do not lead there."""
    for _ in range(ROUNDS):
        edits = Restorer(document, current, reconciled(current, wanted), in_full).edits()
        if not edits:
            return None
        edits += orphans(document, edits)
        try:
            made = patch(document.source, edits, "here", layouts)
            document, layouts = document.with_text(made.text, programs=made.programs), None
            current = document.expanded()
        except Fault:
            return None
        if equal(current, wanted):
            return document.text
    return None


def detached(document: DirectiveDocument, paths: frozenset[Path]) -> str | None:
    """The text of a document in which the maps at some paths have no directives, and what they brought in is written
    out; None if it is not the same then."""
    found = document.expanded()
    edits = Restorer(document, found, found, False, paths).edits()
    try:
        made = patch(document.source, edits + orphans(document, edits), "here")
        same = equal(document.with_text(made.text, programs=made.programs).expanded(), found)
    except Fault:
        return None
    return made.text if same else None


def orphans(document: DirectiveDocument, edits: list[Edit]) -> list[Edit]:
    """Edits that write out the aliases of anchors which other edits take away, where no edit inside them does it."""
    gone = [edit.path for edit in edits if isinstance(edit, Delete | Replace)]
    inside = {edit.path[:length] for edit in edits for length in range(len(edit.path))}
    if "*" not in document.text or not gone or document.main.root is None:
        return []
    places: dict[int, list[tuple[Path, Node]]] = {}
    for path, node in _written_nodes(document.main.root):
        places.setdefault(id(node), []).append((path, node))
    made: list[Edit] = []
    for (anchor, node), *aliases in places.values():
        if aliases and _inside(anchor, gone):
            for path, _ in aliases:
                if path not in inside and not _inside(path, gone):
                    made.append(Replace(path, as_written(node)))
                    gone.append(path)
    return made


def _inside(path: Path, others: list[Path]) -> bool:
    return any(path[: len(other)] == other for other in others)


def _written_nodes(root: Node) -> Iterator[tuple[Path, Node]]:
    """Every value of a text with its path, in the order of the text; what has an alias comes again at each of them,
    by itself."""
    seen: set[int] = set()
    stack: list[tuple[Path, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        yield path, node
        if id(node) in seen:
            continue
        seen.add(id(node))
        head = 1 if isinstance(node, ListNode) and node.rule is not None and node.rule.strategy == "set" else 0
        inner: Node = (
            node.expression.node
            if isinstance(node, Suspension) and isinstance(node.expression, Directed | Spliced)
            else node
        )
        below = [(step + head if isinstance(step, int) else step, child) for step, child in children(inner)]
        stack.extend(((*path, step), child) for step, child in reversed(below))


class Under:
    """What is brought in below a written value: worked out on demand.

    `changed`: whether it differs from before.
    """

    __slots__ = ("_make", "_value", "changed")

    def __init__(self, make: Callable[[], Node | None], changed: bool) -> None:
        self._make: Callable[[], Node | None] | None = make
        self._value: Node | None = None
        self.changed = changed

    @property
    def value(self) -> Node | None:
        if self._make is not None:
            self._value, self._make = self._make(), None
        return self._value

    def child(self, key: Key) -> Under:
        return Under(lambda: self.value.entries.get(key) if isinstance(self.value, MapNode) else None, self.changed)


NOTHING = Under(lambda: None, False)


@struct
class Visit:
    """One place: what is written there, what is under it, what it expands to now and what it is to be."""

    written: Node | None
    under: Under
    now: Node | None
    wanted: Node | None
    path: Path
    place: Place


class Restorer:
    """One round: the edits of the text that the differences ask for."""

    def __init__(
        self,
        document: DirectiveDocument,
        before: Node,
        wanted: Node,
        in_full: bool,
        detached: frozenset[Path] = frozenset(),
    ) -> None:
        self.document = document
        self.before = before
        self.wanted = wanted
        self.in_full = in_full
        self.detached = detached
        """The maps that lose their directives, whatever they bring in."""
        self.made: list[Edit] = []
        self.stack: list[Visit] = []

    def edits(self) -> list[Edit]:
        top = self.document.tree
        self.stack.append(Visit(top.root, NOTHING, self.before, self.wanted, (), top.top))
        while self.stack:
            self.visit(self.stack.pop())
        return self.made

    def visit(self, at: Visit) -> None:
        if at.wanted is None:
            self.removed(at)
        elif at.written is None:
            self.added(at)
        elif at.now is at.wanted and not at.written.live and not at.under.changed:
            return
        else:
            self.changed(at, at.wanted)

    def removed(self, at: Visit) -> None:
        if isinstance(at.written, Mark) and at.now is None:
            return  # it says so already
        under = at.under.value is not None
        if at.written is None:
            if under:
                self.made.append(Insert(at.path, _word("whiteout")))
        elif not under:
            self.made.append(Delete(at.path))
        else:
            self.made.append(Replace(at.path, _word("whiteout")))

    def added(self, at: Visit) -> None:
        assert at.wanted is not None
        under = at.under.value
        if under is None or not equal(under, at.wanted):
            self.made.append(Insert(at.path, difference(under, at.wanted)))

    def changed(self, at: Visit, wanted: Node) -> None:
        """A written value: kept as far as it can be."""
        written = at.written
        edited = at.now is not wanted
        if isinstance(written, Suspension) and isinstance(written.expression, Directed):
            return self.directed(at, written, wanted)
        if edited and self.redundant(at, wanted):
            return None
        kept = (
            written.expression.made
            if isinstance(written, Suspension) and isinstance(written.expression, Spliced)
            else written
        )
        if isinstance(kept, MapNode) and isinstance(wanted, MapNode):
            return self.members(at, kept, wanted, self.beneath(at, kept))
        if isinstance(kept, ListNode) and isinstance(wanted, ListNode):
            return self.items(at, kept, wanted)
        if edited or at.under.changed:
            self.replace(at, wanted)
        return None

    def redundant(self, at: Visit, wanted: Node) -> bool:
        """An override that says what is brought in anyway disappears."""
        under = at.under.value
        if under is None or not equal(under, wanted) or not at.path:
            return False
        self.made.append(Delete(at.path))
        return True

    def replace(self, at: Visit, wanted: Node) -> None:
        value = at.written
        if isinstance(value, Mark) and at.under.value is not None:
            value = value.taken  # with nothing under it, a word to the merge says nothing
        if isinstance(value, Scalar) and equal(value, wanted):
            return
        self.made.append(Replace(at.path, difference(at.under.value, wanted)))

    @staticmethod
    def beneath(at: Visit, written: MapNode) -> Under:
        """What is under the members of a written map: nothing, where it asks to replace."""
        strategy = written.entries.get(STRATEGY)
        if isinstance(strategy, Scalar) and strategy.text != "merge":
            return NOTHING
        return at.under

    # Maps

    def members(
        self, at: Visit, written: MapNode, wanted: MapNode, under: Under, skip: frozenset[Key] = frozenset()
    ) -> None:
        now = at.now.entries if isinstance(at.now, MapNode) else {}
        own = {key: node for key, node in written.entries.items() if key not in skip}
        if at.now is wanted and not under.changed:
            keys: list[Key] = [key for key, node in own.items() if node.live]
        else:
            keys = list(dict.fromkeys([*own, *wanted.entries, *_keys(under.value)]))
        for key in reversed(keys):
            if key == STRATEGY and key in own:
                if key in now and key not in wanted.entries:  # a word that stands there as data, and goes
                    self.made.append(Delete((*at.path, key)))
                continue
            visit = Visit(
                own.get(key),
                under.child(key),
                now.get(key),
                wanted.entries.get(key),
                (*at.path, key),
                at.place.child(key),
            )
            if visit.written is None and visit.now is visit.wanted and not under.changed:
                continue
            self.stack.append(visit)

    def directed(self, at: Visit, node: Suspension, wanted: Node) -> None:
        """A map with directives."""
        expression = node.expression
        assert isinstance(expression, Directed)
        edited = at.now is not wanted
        changed = [use for use in expression.uses if self.target_changed(use, at.place)]
        if at.path in self.detached and expression.own.entries and isinstance(wanted, MapNode):
            self.made += [Delete((*at.path, use.directive.key)) for use in expression.uses]
            self.members(at, expression.own, wanted, Under(lambda: at.under.value, True))
            return
        if at.path in self.detached or (self.in_full and (edited or changed)):
            self.full(at, expression, wanted)
            return
        if not edited and not changed and not at.under.changed and isinstance(wanted, MapNode):
            under = Under(lambda: self.brought(at, node, expression.uses), False)
            self.members(at, expression.own, wanted, under)
            return
        if not edited and not changed and not at.under.changed:
            return
        kept = [use for use in expression.uses if self.usable(use, node, at, expression, wanted)]
        if not isinstance(wanted, MapNode):
            self.replaced(at, node, expression, kept, wanted)
            return
        given_up = [use for use in expression.uses if use not in kept]
        if given_up and not expression.own.entries and not kept and NAME not in expression.node.entries and at.path:
            self.made.append(Replace(at.path, difference(at.under.value, wanted)))
            return
        self.made += [Delete((*at.path, use.directive.key)) for use in given_up]
        under = Under(lambda: self.brought(at, node, kept), bool(changed or given_up or at.under.changed))
        self.members(at, expression.own, wanted, under)

    def full(self, at: Visit, expression: Directed, wanted: Node) -> None:
        """Without its directives: everything they brought in is written out."""
        if at.path:
            self.made.append(Replace(at.path, difference(at.under.value, wanted)))
            return
        assert isinstance(wanted, MapNode)
        self.made += [Delete((use.directive.key,)) for use in expression.uses]
        self.members(at, expression.own, wanted, Under(lambda: None, True))

    def replaced(self, at: Visit, node: Suspension, expression: Directed, kept: list[Use], wanted: Node) -> None:
        """A map with a directive that stands for something else than a map."""
        if len(kept) == 1 and expression.may_replace:
            value = self.brought(at, node, kept)
            if value is not None and equal(value, wanted):
                return
        if not self.redundant(at, wanted):
            self.made.append(Replace(at.path, difference(at.under.value, wanted)))

    def usable(self, use: Use, node: Suspension, at: Visit, expression: Directed, wanted: Node) -> bool:
        """Whether a directive still refers to something that can be merged here."""
        value = self.after(use, node, at.place)
        if value is None:
            return use.directive.optional or not self.target_changed(use, at.place)
        return isinstance(value, MapNode) is isinstance(wanted, MapNode)

    def brought(self, at: Visit, node: Suspension, uses: list[Use]) -> Node | None:
        """What directives bring in after the edit, over what is under the map itself."""
        parts = [value for use in uses if (value := self.after(use, node, at.place)) is not None]
        if len(parts) == 1 and not isinstance(parts[0], MapNode):
            return parts[0]
        outer = at.under.value
        parts = [part for part in parts if isinstance(part, MapNode)]
        if isinstance(outer, MapNode):
            parts = [outer, *parts]
        return combine(parts, POLICY) if parts else None

    # Targets

    def after(self, use: Use, node: Suspension, place: Place) -> Node | None:
        """What a directive refers to after the edit."""
        path = self.target_path(use, place)
        if path is not None and self.target_changed(use, place):
            return _at(self.wanted, path)
        return self.document.brought(use, node, place)

    def target_changed(self, use: Use, place: Place) -> bool:
        path = self.target_path(use, place)
        if path is None:
            return False
        before, after = _at(self.before, path), _at(self.wanted, path)
        return before is not after and not (
            isinstance(before, Scalar) and isinstance(after, Scalar) and equal(before, after)
        )

    def target_path(self, use: Use, place: Place) -> Path | None:
        """Where in the document a directive refers to; None for what is outside it."""
        directive = use.directive
        if directive.include:
            return None
        if directive.anchor is not None:
            path = self.document.named_path(directive.anchor)
            return None if path is None else (*path, *(directive.path or ()))
        return referred(directive, place)

    # Lists

    def items(self, at: Visit, written: ListNode, wanted: ListNode) -> None:
        chunks = self.chunks(at, written)
        rule = written.rule.strategy if written.rule is not None else ""
        edited = at.now is not wanted
        if rule and (edited or at.under.changed):
            self.worded(at, written, chunks, wanted, rule)
            return
        self.aligned(at, written, chunks, wanted.items, 0)

    def worded(self, at: Visit, written: ListNode, chunks: list[list[Node]], wanted: ListNode, rule: str) -> None:
        """A list that asks to be merged: kept if it is clear what it adds to what is under it."""
        under = at.under.value
        base = under.items if isinstance(under, ListNode) else []
        head, tail = wanted.items[: len(base)], wanted.items[len(base) :]
        fits = len(head) == len(base) and all(equal(a, b) for a, b in zip(base, head, strict=True))
        if rule != "set" or not fits or any(item in wanted.items[:index] for index, item in enumerate(wanted.items)):
            self.made.append(Replace(at.path, literal(wanted)))
            return
        self.aligned(at, written, chunks, tail, 1)

    def chunks(self, at: Visit, written: ListNode) -> list[list[Node]]:
        """For each written item, what it expands to now."""
        now = at.now.items if isinstance(at.now, ListNode) else []
        skipped = len(now) - len(written.items) if written.rule is not None and written.rule.strategy == "set" else 0
        position = max(skipped, 0)
        chunks: list[list[Node]] = []
        for index, item in enumerate(written.items):
            count = self.count(item, at.place.child(index))
            chunks.append(now[position : position + count])
            position += count
        return chunks

    def count(self, item: Node, place: Place) -> int:
        """How many items of the expanded list a written one stands for."""
        if isinstance(item, Mark):
            return 0
        if (
            not isinstance(item, Suspension)
            or not isinstance(item.expression, Directed)
            or not item.expression.may_replace
        ):
            return 1
        value = self.document.evaluator.force(item, place)
        return len(value.items) if isinstance(value, ListNode) else 1

    def aligned(self, at: Visit, written: ListNode, chunks: list[list[Node]], wanted: list[Node], head: int) -> None:
        """Keep the items whose part of the list stays, from both ends; pair the others in order.

        `head`: an item that heads the list.
        """
        fresh = [
            self.fresh(item, chunk, at.place.child(index))
            for index, (item, chunk) in enumerate(zip(written.items, chunks, strict=True))
        ]
        first, start = _matching(fresh, wanted)
        rest_items, rest_wanted = len(fresh) - first, len(wanted) - start
        last, stop = _matching([chunk[::-1] for chunk in reversed(fresh[first:])], wanted[start:][::-1])
        last, stop = min(last, rest_items), min(stop, rest_wanted)
        middle = range(first, len(fresh) - last)
        values = wanted[start : len(wanted) - stop]
        for index in [*range(first), *range(len(fresh) - last, len(fresh))]:
            self.kept_item(at, written, index, chunks[index], head)
        self.paired(at, written, middle, values, chunks, head)

    def kept_item(self, at: Visit, written: ListNode, index: int, chunk: list[Node], head: int) -> None:
        item = written.items[index]
        if item.live and len(chunk) == 1 and not isinstance(item, Mark):
            self.stack.append(Visit(item, NOTHING, chunk[0], chunk[0], (*at.path, index + head), at.place.child(index)))

    def paired(
        self, at: Visit, written: ListNode, middle: range, values: list[Node], chunks: list[list[Node]], head: int
    ) -> None:
        """Items that do not stay as they are: those that stand for one value each get a new one in order; more are
        added, fewer taken away."""
        begin = middle.start
        single = [index for index in middle if len(chunks[index]) == 1 and not isinstance(written.items[index], Mark)]
        for index in middle:
            if index not in single and not isinstance(written.items[index], Mark):
                self.made.append(Delete((*at.path, index + head)))
        for index, value in zip(single, values, strict=False):
            self.stack.append(
                Visit(
                    written.items[index],
                    NOTHING,
                    chunks[index][0],
                    value,
                    (*at.path, index + head),
                    at.place.child(index),
                )
            )
        self.made += [Delete((*at.path, index + head)) for index in single[len(values) :]]
        if len(values) > len(single):
            where = (single[-1] + 1) if single else begin
            self.made += [Insert((*at.path, where + head), literal(value)) for value in values[len(single) :]]

    def fresh(self, item: Node, chunk: list[Node], place: Place) -> list[Node]:
        """What a written item will expand to if nothing is done about it."""
        if (
            not isinstance(item, Suspension)
            or not isinstance(item.expression, Directed)
            or not item.expression.may_replace
        ):
            return chunk
        (use,) = item.expression.uses
        if not self.target_changed(use, place):
            return chunk
        value = self.after(use, item, place)
        if isinstance(value, ListNode):
            return value.items
        if value is None:
            return [item.expression.own if use.directive.optional else _GONE]
        return [value]


_GONE = Mark(UNKNOWN, 0)
"""Equal to nothing: what stands for a target that is not there any more."""


def _matching(chunks: list[list[Node]], wanted: list[Node]) -> tuple[int, int]:
    """How many chunks, from the start, are what is wanted, and how many items they are."""
    position = 0
    for index, chunk in enumerate(chunks):
        piece = wanted[position : position + len(chunk)]
        if len(piece) != len(chunk) or not all(a is b or equal(a, b) for a, b in zip(chunk, piece, strict=True)):
            return index, position
        position += len(chunk)
    return len(chunks), position


def _keys(node: Node | None) -> list[Key]:
    return list(node.entries) if isinstance(node, MapNode) else []


def _at(node: Node, path: Path) -> Node | None:
    found: Node | None = node
    for step in path:
        found = entry(found, step) if found is not None and isinstance(step, str | int | Node) else None
    return found


# What is written


def _word(word: str) -> MapNode:
    return MapNode({STRATEGY: Scalar(word, word)})


def literal(node: Node) -> Node:
    """A value as it is written out. Directives that are in it as data cannot be."""
    for at in nodes_of(node):
        for key in at.entries if isinstance(at, MapNode) else ():
            if isinstance(key, str) and parse_directive(key) is not None:
                why = f"`{key}` is data in it and would be read as a directive"
                raise NOT_RESTORED.error(name=at.origin.file, why=why, hint="edit the file by hand")
    return node


def difference(under: Node | None, wanted: Node) -> Node:
    """What must be written over something so that the merge gives what is wanted. Without recursion."""
    holder: dict[Key, Node] = {}
    work: list[tuple[Node | None, Node, dict[Key, Node], Key]] = [(under, wanted, holder, "")]
    while work:
        below, node, target, key = work.pop()
        if isinstance(below, MapNode) and isinstance(node, Scalar) and node.value is None:
            target[key] = _word("nullout")
        elif isinstance(below, MapNode) and isinstance(node, MapNode) and STRATEGY not in below.entries:
            entries: dict[Key, Node] = {}
            for name, child in node.entries.items():
                lower = below.entries.get(name)
                if lower is None or not equal(lower, child):
                    entries[name] = child
                    work.append((lower, child, entries, name))
            entries.update({name: _word("whiteout") for name in below.entries if name not in node.entries})
            target[key] = MapNode(entries)
        else:
            target[key] = literal(node)
    return holder[""]
