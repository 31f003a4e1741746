"""What a stage does for the expressions in it: templates that are put in, merges inside a merge, tags, and facts about
the run.

An expression that waits is started again. So what was made for it is kept by a key, and found again.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, Scalar, Suspension, children, rewrite, text
from plait.core.scope import Place
from plait.core.walk import nodes_of
from plait.fronts.spiff.positions import StagedExpression
from plait.notations.dynaml import looks_like, read
from plait.notations.dynaml.interpolate import interpolated
from plait.notations.dynaml.parse import parse
from plait.notations.dynaml.place import NameFrame
from plait.notations.dynaml.taking import is_plain
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import BAD_TAG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from plait.core.path import Path
    from plait.core.scope import Scope
    from plait.core.source import Source
    from plait.fronts.spiff.address import Address
    from plait.notations.dynaml import Recognised
    from plait.notations.dynaml.dialect import Dialect
    from plait.notations.dynaml.place import StagedPlace
    from plait.notations.dynaml.tree import Term

    class Nest(Protocol):
        """A cascade inside a document."""

        def finished(self, scope: Scope) -> Node:
            """Its result, or `Blocked`."""
            ...

    class HostedStage(Protocol):
        """What the host asks of its stage."""

        document: Node
        top: Place

        def put_in(self, body: Node, address: Address, base: Place, frame: NameFrame) -> Node:
            """A part of a document at another place."""
            ...

        def nest(
            self, documents: list[Node], parent: Place | None, frame_names: dict[str, Node], outer: NameFrame | None
        ) -> Nest:
            """A cascade of its own, whose names go on outside."""
            ...


Tagged = tuple[Node, Place]


class RunFacts:
    """What all stages of a run share: the dialect, the tags that are visible everywhere, the documents so far."""

    def __init__(self, dialect: Dialect, given: dict[str, Node], version: str = "") -> None:
        self.dialect = dialect
        self.given = given
        self.version = version
        self.tags: dict[str, Tagged] = {}
        """Global tags, and in a stream of templates those of the documents before."""
        self.documents: list[Node] = []
        """The finished documents of the stream."""
        self.terms: dict[str, Term] = {}
        self.expressions: dict[str, StagedExpression] = {}


class StageHost:
    """The services of one stage."""

    def __init__(self, stage: HostedStage, facts: RunFacts) -> None:
        self.stage = stage
        self.facts = facts
        self.dialect = facts.dialect
        self.tags: dict[str, Tagged] = {}
        self._made: dict[tuple[object, ...], tuple[dict[str, Node], Any]] = {}
        self._pending: dict[str, list[Path]] = {}
        self._asked: set[str] = set()

    # Templates and merges inside a document

    def instance(
        self, key: tuple[object, ...], body: Node, place: Place, staged: StagedPlace, names: dict[str, Node]
    ) -> tuple[Node, Place]:
        known: tuple[Node, Place] | None = self._known(key, names)
        if known is None:
            parent, seen, outer = _around_here(place, staged, names, self.dialect.control)
            base = Place(parent, place.step)
            base.root = place.root
            base.node = self.stage.put_in(body, staged.address, base, NameFrame(seen, base, outer))  # type: ignore[arg-type]
            known = base.node, base
            self._keep(key, names, known)
        return known

    def nested(
        self,
        key: tuple[object, ...],
        documents: list[Node],
        scope: Scope,
        place: Place,
        staged: StagedPlace,
        names: dict[str, Node],
    ) -> Node:
        known: Nest | None = self._known(key, names)
        if known is None:
            prepared = [self._document(document) for document in documents]
            known = self.stage.nest(prepared, *_around_here(place, staged, names, self.dialect.control))
            self._keep(key, names, known)
        return known.finished(scope)

    def _document(self, node: Node) -> Node:
        """A template's body, or a map in which texts may be expressions."""
        if isinstance(node, TemplateBody) and node.body is not None:
            return node.body
        made = rewrite(node, self._expression)
        return with_life(made)

    def _expression(self, node: Node) -> Node:
        if (
            not isinstance(node, Scalar)
            or isinstance(node, LambdaValue | TemplateBody)
            or not looks_like(node.text, True)
        ):
            return node
        return Suspension(self.expression(node.text), node.source, node.at)

    def expression(self, written: str) -> StagedExpression:
        """The expression that a text is; the same object for the same text."""
        known = self.facts.expressions.get(written)
        if known is None:
            known = self.facts.expressions[written] = StagedExpression.of(read(written, self.dialect.successor))
        return known

    def term(self, written: str) -> Term:
        known = self.facts.terms.get(written)
        if known is None:
            known = self.facts.terms[written] = parse(written, self.dialect.successor)[0]
        return known

    def again(self, value: Scalar) -> Recognised | None:
        """The expression that a value is again, if it is one."""
        if isinstance(value, LambdaValue | TemplateBody) or not isinstance(value.value, str):
            return None
        if looks_like(value.text, self.dialect.successor):
            return self.expression(value.text).dynaml
        if not self.dialect.interpolation or "((" not in value.text:
            return None
        if value.text not in self.facts.expressions:
            found = interpolated(value.text, self.dialect.successor)
            if found is None:
                return None
            self.facts.expressions[value.text] = StagedExpression.of(found)
        return self.facts.expressions[value.text].dynaml

    def kept(self, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
        """What was made for a key, once."""
        known = self._made.get(key)
        return known[1] if known is not None else self._keep(key, {}, make())

    def _known(self, key: tuple[object, ...], names: dict[str, Node]) -> Any:
        known = self._made.get(key)
        return known[1] if known is not None and known[0] == names else None

    def _keep(self, key: tuple[object, ...], names: dict[str, Node], made: Any) -> Any:
        self._made[key] = (names, made)
        return made

    # Tags

    def expect(self, tag: str, path: Path) -> None:
        """A tag that the document defines somewhere below a path, once that is known."""
        self._pending.setdefault(tag.removeprefix("*"), []).append(path)

    def define(self, tag: str, node: Node, place: Place) -> None:
        name = tag.removeprefix("*")
        for table in (self.tags, self.facts.tags):
            if name in table and table[name][1].path != place.path:
                first = Label(table[name][0].origin, "first defined here")
                issue = f"duplicate tag '{name}'"
                raise BAD_TAG.error(first, Label(node.origin), issue=issue, hint="give one of them another name")
        (self.facts.tags if tag.startswith("*") else self.tags)[name] = (node, place)

    def tagged(self, tag: str, scope: Scope) -> list[tuple[str, Node, Place]]:
        if tag.partition(".")[0] == "doc":
            return self._numbered(tag)
        below = f"{tag}."
        for name in self._pending:
            if name == tag or name.startswith(below):
                self._uncover(name, scope)
        known = {**self.facts.tags, **self.tags}
        found = [(name, *known[name]) for name in known if name == tag or name.startswith(below)]
        return sorted(found, key=lambda each: (each[0].count("."), each[0]))

    def _uncover(self, name: str, scope: Scope) -> None:
        """Look at what surrounds a tag, until the tag is defined."""
        for path in self._pending[name]:
            node, place = self.stage.top.node, self.stage.top
            for step in (*path, None):
                if node is None or name in self.tags or name in self.facts.tags:
                    break
                node = scope.known(node, place)
                below = dict(children(node))
                node = below.get(step) if step is not None else None  # type: ignore[arg-type]
                place = place.child(step) if step is not None else place

    def _numbered(self, tag: str) -> list[tuple[str, Node, Place]]:
        """`doc.1`: a document of the stream; `doc.-1` the one before, `doc.0` this one."""
        word = tag.partition(".")[2]
        done = self.facts.documents
        number = int(word) if word.lstrip("-").isdecimal() and len(word) < 9 else len(done) + 2
        if number == 0 or number == len(done) + 1:
            assert self.stage.top.node is not None
            return [(tag, self.stage.top.node, self.stage.top)]
        index = len(done) + number if number < 0 else number - 1
        return [(tag, done[index], Place())] if 0 <= index < len(done) else []

    # RunFacts

    def context(self, place: Place, staged: StagedPlace) -> dict[str, Node]:
        file = self.stage.document.origin.file
        resolved = os.path.realpath(file) if file != "-" else file
        steps = _steps(place.path, staged.address.path)
        plain = {
            "FILE": file,
            "DIR": os.path.dirname(file) or ".",
            "RESOLVED_FILE": resolved,
            "RESOLVED_DIR": os.path.dirname(resolved),
            "PATHNAME": ".".join(steps),
            "VERSION": self.facts.version,
        }
        source: Source = self.stage.document.origin.source
        made: dict[str, Node] = {name: text(value, source) for name, value in plain.items()}
        made["PATH"] = ListNode([text(step, source) for step in steps], source)
        made["STUBPATH"] = ListNode([text(step, source) for step in staged.address.path], source)
        made["BINDINGS"] = bindings = MapNode(dict(self.facts.given.items()), source)
        made["OUTER"] = ListNode([*self._around(place), *([bindings] if self.facts.given else [])], source)
        return made

    def _around(self, place: Place) -> list[Node]:
        """The documents around one that is merged inside another, as far as they are finished."""
        found: list[Node] = []
        outer = place.root.parent
        while outer is not None:
            if outer.root.node is not None and not outer.root.node.live:
                found.append(outer.root.node)
            outer = outer.root.parent
        return found


def _around_here(
    place: Place, staged: StagedPlace, names: dict[str, Node], control: bool
) -> tuple[Place | None, dict[str, Node], NameFrame | None]:
    """What is around something that an expression puts in: the place where its names begin, the names given there,
    and the frames further out. The neighbours of a `<<` are around it too, as far as they are written plainly."""
    at: Place | None = place
    frame = staged.frame
    here = place
    for _ in range(staged.up):
        if at is not None:
            if frame is not None and frame.base is at:
                names, frame = {**frame.names, **names}, frame.outer
            here, at = at, at.parent
    if staged.around is not None:
        plain = {key: node for key, node in staged.around.entries.items() if is_plain(node, control)}
        at = Place(at, here.step, MapNode(plain, staged.around.source, staged.around.at))
        at.root = place.root
    return at, names, frame


def _steps(path: Path, address: tuple[str, ...]) -> list[str]:
    """The steps of a path. An item is called as stubs call it, which a redirecting merge changes only further up."""
    called = (*("",) * len(path), *address)[len(address) :]
    return [
        str(step) if not isinstance(step, int) else name if ":" in name else f"[{step}]"
        for step, name in zip(path, called, strict=True)
    ]


def with_life(root: Node) -> Node:
    """The same tree, in which each container knows whether something in it must be evaluated. Without recursion."""
    for node in reversed(list(nodes_of(root))):
        if isinstance(node, MapNode | ListNode):
            node.live = any(child.live for _, child in children(node))
    return root
