"""One stage of the cascade: a document with the stubs on its right, already finished.

The document's structure stays. Walking it together with its address in the stubs gives at once whatever is plain: a
scalar is overridden by what a stub has at its address. An expression becomes a suspension that knows its address. A
map with a `<<`, or a list with a `- <<`, is one suspension: what it inserts decides which fields there are, and a
redirecting merge moves the address of all of them.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.node import (
    Bound,
    Container,
    Deferred,
    Inherited,
    Key,
    ListNode,
    MapNode,
    Mark,
    Node,
    Scalar,
    Suspension,
    Unknown,
    children,
    in_place_of,
    is_null,
    rewrite,
    text,
    unbound,
)
from plait.core.scope import Denied, Place
from plait.core.source import Computed, Source
from plait.core.struct import struct
from plait.core.walk import places_of
from plait.fronts.spiff.address import Address, Behind, Later, Stubs
from plait.fronts.spiff.control import ControlKey, Fields, chosen, evaluated
from plait.fronts.spiff.hosting import StageHost
from plait.fronts.spiff.positions import (
    TAG,
    Arrival,
    ControlMap,
    Inserted,
    Insertion,
    Plain,
    Somewhere,
    Splice,
    StagedExpression,
    StagePosition,
    Where,
    field_of,
    finished_tree,
    keyed,
    new_items,
    place_of,
    untagged_items,
    written_tree,
)
from plait.notations.dynaml import Dynaml, Recognised
from plait.notations.dynaml.asking import kind_of
from plait.notations.dynaml.compute import instance_of
from plait.notations.dynaml.env import Env, apply
from plait.notations.dynaml.items import Items, text_of
from plait.notations.dynaml.lookup import mark_tag, marked, marks_in, marks_of
from plait.notations.dynaml.marks import SIGN
from plait.notations.dynaml.place import Effects, NameFrame, StagedPlace
from plait.notations.dynaml.shapes import ExpressionShape
from plait.notations.dynaml.taking import INSERT, control_keys, insertion_key, is_insertion
from plait.notations.dynaml.tree import Bracketed, Literal, Marked, Merge, walk
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import BAD_CONTROL, BAD_INSERT, TEXT_LOOP
from plait.yaml.unbuilt import UnbuiltMap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.meter import Meter
    from plait.core.path import Path
    from plait.core.scope import Scope
    from plait.fronts.spiff.hosting import RunFacts
    from plait.notations.dynaml.dialect import Dialect

WIDE = 64
"""The items of a list of so many are walked when they are asked for, where each is forgotten once it is known."""
MANY_PLACES = (SIGN, "->", "tagdef", "<<<")
"""What is written where a part of a document may be used from elsewhere than its place."""
ROUNDS = 20
"""How often the text that an expression gives may be an expression again."""


class Stage:
    """A document, its stubs, and the walk through both.

    `parent` and `frame` are what surrounds a document that is merged inside another.
    """

    def __init__(
        self,
        document: Node,
        stubs: Stubs,
        facts: RunFacts,
        meter: Meter,
        parent: Place | None = None,
        frame: tuple[dict[str, Node], NameFrame | None] | None = None,
        spends: bool = False,
    ) -> None:
        self.document = document
        self.facts = facts
        self.dialect = facts.dialect
        self.stubs = stubs
        self.address = Address.root(stubs, len(stubs.level.nodes))
        self.given = facts.given
        self.meter = meter
        written = document.origin.source.text
        self.clean = INSERT not in written and TAG not in written and not stubs.injects and parent is None
        """Whether no part of the document needs a second look unless it is live."""
        self.items = Items()
        self.marked = False
        self.finished: Node | None = None
        self.downstream: dict[Path, Node] = {}
        """What stubs bring to the next stage in another form than this stage sees it."""
        self.outside: dict[Path, Node] = {}
        """What stubs have for templates: the result has it, while expressions of this document use its own template."""
        self.wide: list[tuple[ListNode, Place]] | None = [] if spends and _is_simple(document, facts.dialect) else None
        """The long lists whose items are walked when they are asked for, with their places; the document has their
        items no more. None where that is needed."""
        self.host = StageHost(self, facts)
        self.top = Place(parent)
        self.top.root = self.top
        self.frame = None if frame is None else NameFrame(frame[0], self.top, frame[1])
        if "tag" in written:
            self._expect_tags()
        first = _Walk(self, True, frame=self.frame)
        first.wide = self.wide
        self.top.node = first.walk(document, self.address, self.top)

    def _expect_tags(self) -> None:
        """The tags that the document defines, and where: what is inside of a `<<` is walked late."""
        for path, node in places_of(self.document):
            self.meter.step()
            if isinstance(node, Suspension) and isinstance(node.expression, StagedExpression):
                for tag in node.expression.tags():
                    self.host.expect(tag.replace(":", "."), path)

    # The walk

    def flow(
        self,
        node: Node,
        address: Somewhere,
        where: Where,
        *,
        raw: bool,
        override: bool = True,
        frame: NameFrame | None = None,
    ) -> Node:
        """A tree as it is in this stage. What is not `raw` has been through a stage already."""
        return _Walk(self, raw, frame=frame).walk(node, address, where, override)

    def put_in(self, body: Node, address: Address, base: Place, frame: NameFrame) -> Node:
        """The body of a template at a place of its own."""
        return self.flow(body, address, base, raw=True, override=False, frame=frame)

    def nest(
        self, documents: list[Node], parent: Place | None, names: dict[str, Node], outer: NameFrame | None
    ) -> NestedCascade:
        return NestedCascade(self, documents, parent, (names, outer))

    # Values of expressions

    def value(self, dynaml: Recognised, scope: Scope, position: StagePosition) -> Node:
        address = position.address.known(scope)
        node = address.found() if position.override and address.nodes else None
        if node is not None and dynaml.plain:
            return self.arrived(node, scope, position)
        try:
            value, effects, prefer = self.value_and_effects(dynaml, scope, position.staged(address))
        except Denied:
            raise
        except Fault:
            if node is not None:
                return self.in_place_of_failed(node, dynaml, scope, position)
            if position.around is not None and _optional(dynaml, address, self.dialect.successor):
                return Inserted(Scalar(None, "null"), Effects())
            raise
        if position.around is not None:
            effects.replace = effects.replace and not (effects.marks and self.dialect.successor)
            return Inserted(self.settled(value, scope), effects)
        result = self.under_stubs(value, effects, prefer, position, address, scope.place)
        if "dynamic" in effects.marks and not isinstance(result, TemplateBody):
            if node is not None and not isinstance(value, TemplateBody):
                return self.in_place_of_failed(node, dynaml, scope, position)
            result = value  # only another template takes its place
        return self.mark(result, effects, scope, position) if effects.marks else result

    def in_place_of_failed(self, node: Node, dynaml: Recognised, scope: Scope, position: StagePosition) -> Node:
        """What a stub has for an expression that fails: it gets the marks that the expression is written with."""
        arrived = self.arrived(node, scope, position)
        tree = dynaml.pattern if isinstance(dynaml, Dynaml) else None
        if not isinstance(tree, Marked) or not self.dialect.successor:
            return arrived
        effects = Effects()
        kept = (mark for mark in tree.marks if mark not in DROPPED_MARKS)
        effects.marks = tuple("inject" if mark == "default" else mark for mark in kept)
        return self.mark(arrived, effects, scope, position)

    def settled(self, value: Node, scope: Scope) -> Node:
        """A value that is finished, or undefined."""
        value = scope.known(value, scope.place) if isinstance(value, Deferred) else value
        return value if isinstance(value, Mark) or not value.live else scope.finished(value, scope.place)

    def value_and_effects(self, dynaml: Recognised, scope: Scope, staged: StagedPlace) -> tuple[Node, Effects, bool]:
        """The value of an expression. A text that looks like an expression again is one."""
        merged = False
        successor = self.dialect.successor
        for _ in range(ROUNDS):
            value, effects = dynaml.value_and_effects(scope, staged)
            merged = effects.merged = merged or effects.merged
            if not isinstance(value, Scalar) or not (successor or isinstance(value.source, Computed)):
                return value, effects, dynaml.prefer
            again = self.host.again(value)
            if again is None:
                return value, effects, dynaml.prefer
            dynaml = again
        raise TEXT_LOOP.error(Label(scope.node.origin), hint=f"after {ROUNDS} rounds it is still `{dynaml.text}`")

    def under_stubs(
        self, value: Node, effects: Effects, prefer: bool, position: StagePosition, address: Address, place: Place
    ) -> Node:
        """What a value becomes under the stubs: overridden as a whole, merged with them below, or as it is."""
        at = effects.redirect
        merged = effects.merged or at is not None  # also where what was merged failed, and `||` gave a default
        at = at if isinstance(at, Address) else address
        container = isinstance(value, Container)
        if position.override and not merged and not (prefer and (container or value.live)):
            found = at.found()
            return value if found is None else in_place_of(found, value)
        if not container or effects.replace:
            return value
        if effects.key and isinstance(value, ListNode):
            value = keyed(value, effects.key)
        if effects.merged and self.dialect.successor:
            return value  # what was added to it stays
        if position.index >= 0:
            name = text_of(value.entries.get(position.field)) if isinstance(value, MapNode) else None
            at = address.child(f"[{position.index}]" if name is None else f"{position.field}:{name}")
        return self.flow(value, at, place, raw=False, frame=position.frame)

    # Marks and templates

    def mark(self, node: Node, effects: Effects, scope: Scope, position: StagePosition) -> Node:
        """A value with the marks of its expression."""
        self.marked = True
        for mark in effects.marks:
            if mark.startswith("tag:"):
                self.host.define(mark.removeprefix("tag:"), scope.node, scope.place)
        kept = kept_marks(effects.marks)
        if "dynamic" in effects.marks:
            return self.dynamic(node, kept, scope, position)
        known = self.settled(node, scope) if node.live and kept else node
        return known if isinstance(known, Mark) else marked(known, mark_tag((*kept, *marks_of(known))))

    def dynamic(self, node: Node, kept: tuple[str, ...], scope: Scope, position: StagePosition) -> Node:
        """A template that every stage evaluates for itself: downstream goes the template."""
        if not isinstance(node, TemplateBody):
            raise BAD_INSERT.error(
                Label(scope.node.origin), issue="`&dynamic` needs a template", hint="write &dynamic &template(..)"
            )
        return self.arrived(node.tagged(mark_tag((*kept, "dynamic"))), scope, position)

    def arrived(self, node: Node, scope: Scope, position: StagePosition) -> Node:
        """What a stub brought: a template that is `&dynamic` is evaluated here."""
        if not isinstance(node, TemplateBody) or "dynamic" not in marks_of(node):
            return node
        self.downstream[scope.place.path] = node
        address = position.address.known(scope)
        env = Env(scope, node.text, position.staged(address))
        value = instance_of(_HERE, env, node)
        kept = tuple(mark for mark in marks_of(node) if mark != "dynamic")
        self.marked = True
        known = self.settled(value, scope)
        return known if isinstance(known, Mark) else marked(known, mark_tag(kept))

    # Insertions

    def insert(self, insertion: Insertion, scope: Scope, address: Address) -> Node:
        """A map with what its `<<` brings: keys that sort before `<<` give way to it, all others win over it."""
        mapping, place = insertion.mapping, scope.place
        try:
            value, effects, finished = self.brought(insertion.inner, place.child(insertion.key), scope)
        except Inherited as inherited:
            if not isinstance(inherited.failure, Unknown):
                raise
            return self.beside(inherited.failure, insertion, scope, address)
        if isinstance(value, Mark):
            return value
        if self.dialect.successor and not isinstance(value, MapNode) and not is_null(value):
            raise BAD_INSERT.error(
                Label(insertion.inner.origin), issue="`<<` needs a map", hint="a list is put in by `- <<`"
            )
        base = value.entries if isinstance(value, MapNode) else {}
        tag = self.inherited(self.marks_here(effects, scope.node, place), address)
        if effects.replace:
            return MapNode(dict(base), mapping.source, mapping.at, tag)
        here = address
        address = effects.redirect if isinstance(effects.redirect, Address) else address
        entries = inserted_entries(mapping, base, insertion.key)
        frame = position_of(scope).frame
        result: dict[Key, Node] = {}
        for key, node in entries.items():
            raw = not (finished and base.get(key) is node)
            result[key] = self.flow(node, address.child(str(key)), place.child(key), raw=raw, frame=frame)
        if self.stubs.injects:
            self.injected(result, here)
        return MapNode(result, mapping.source, mapping.at, tag, any(node.live for node in result.values()), parts=())

    def beside(self, unknown: Unknown, insertion: Insertion, scope: Scope, address: Address) -> Unknown:
        """A map whose `<<` brings something that is not known: its own keys are, except those that give way to it."""
        mapping, frame = insertion.mapping, position_of(scope).frame
        own: dict[Key, Node] = {}
        for key, node in inserted_entries(mapping, {}, insertion.key).items():
            if not isinstance(key, str) or key > insertion.key:
                own[key] = self.flow(node, address.child(str(key)), scope.place.child(key), raw=True, frame=frame)
        live = any(node.live for node in own.values())
        below = [written_tree(node) for key, node in mapping.entries.items() if isinstance(key, str) and key < INSERT]
        return unknown.over(MapNode(own, mapping.source, mapping.at, None, live, parts=()), *below)

    def brought(self, inner: Node, place: Place, scope: Scope) -> tuple[Node, Effects, bool]:
        """What a `<<` brings, its effects, and whether it has been through a stage."""
        got = scope.known(inner, place)
        if isinstance(got, Inserted):
            return got.value, got.effects, True
        return got, Effects(), False

    def marks_here(self, effects: Effects, node: Node, place: Place) -> str | None:
        """The tag of a container that is marked by its `<<`."""
        if not effects.marks:
            return None
        self.marked = True
        for mark in effects.marks:
            if mark.startswith("tag:"):
                self.host.define(mark.removeprefix("tag:"), node, place)
        return mark_tag(kept_marks(effects.marks))

    def inherited(self, tag: str | None, address: Somewhere) -> str | None:
        """The tag of a container, with the marks of what a stub has in its place."""
        marks = address.inherited() if isinstance(address, Address) else ()
        if not marks:
            return tag
        self.marked = True
        return mark_tag((*marks_in(tag), *marks))

    def injected(self, entries: dict[Key, Node], address: Address) -> None:
        """The entries that stubs put into a map without being asked."""
        for key, node in address.injected(entries):
            entries[key] = node
            self.marked = True

    def splice(self, splice: Splice, scope: Scope, address: Address) -> Node:
        """A list with what each `- <<` brings, except items that the list has by name: those are merged where they
        position. A control in a list gives one item, or the items of a list."""
        key, items = splice.key, []
        finished: set[int] = set()
        settled: set[int] = set()
        tag, stub = None, address
        for position, item in enumerate(splice.items):
            if position not in splice.inner:
                items.append(item)
                continue
            inner = splice.inner[position]
            if isinstance(inner, Suspension) and isinstance(inner.expression, ControlMap):
                new, raw = self.controlled(inner, scope, position)
                finished.update(() if raw else map(id, new))
                items.extend(new)
                continue
            here = scope.place.child(position).child(insertion_key(item))  # type: ignore[arg-type]
            value, effects, _ = self.brought(inner, here, scope)
            tag = self.marks_here(effects, scope.node, scope.place) or tag
            if isinstance(effects.redirect, Address) and effects.merged:
                address = effects.redirect
            if not isinstance(value, ListNode):
                continue
            key = effects.key or field_of(value) or key
            if effects.replace:
                tag = self.inherited(tag, stub)
                return keyed(ListNode(value.items, splice.sequence.source, splice.sequence.at, tag), key)
            new = new_items(value.items, splice.items, key or "name")
            address = effects.redirect if isinstance(effects.redirect, Address) else address
            finished.update(map(id, new))
            settled.update(map(id, new) if self.dialect.successor else ())
            items.extend(new)
        made = ListNode(items, splice.sequence.source, splice.sequence.at, self.inherited(tag, stub), True)
        frame = position_of(scope).frame
        merges = any(map(takes_by_merge, splice.inner.values()))
        return _Walk(self, True, finished, frame).items_of(keyed(made, key), address, scope.place, merges, settled)

    # Controls

    def controlled(self, node: Suspension, scope: Scope, index: int) -> tuple[list[Node], bool]:
        """The items that a control stands for in a list, and whether some of them are as they are written. Its place is
        beside the list, whose items are unknown."""
        place = self.host.kept(("item", scope.node, scope.place, index), lambda: _beside(scope, index))
        assert isinstance(place, Place)
        got = scope.known(node, place)
        if isinstance(got, Mark):
            return [], False
        whole, raw = self.as_far_as_it_goes(got, place, scope)
        items = list(whole.items) if isinstance(whole, ListNode) else [whole]
        return items, raw

    def control(self, control: ControlMap, scope: Scope, position: StagePosition) -> Node:
        """What a control gives: a stub has values for the entries of a map, and takes the place of anything else."""
        address = position.address.known(scope)
        found = address.found() if position.override and address.nodes else None
        kind = chosen(control.mapping, control_keys(control.mapping))
        if found is None:
            return self.given_by(kind, control.mapping, scope, position, address)
        try:
            made = self.given_by(kind, control.mapping, scope, position, address)
        except Denied:
            raise
        except Fault:
            return self.arrived(found, scope, position)
        except Inherited:
            if "<<mapkey" not in control.mapping.entries:
                raise
            return self.arrived(found, scope, position)
        # names mean what is there once stubs have their say
        before = self.host.kept(("before stubs", scope.node, scope.place), lambda: _same_place(scope.place))
        try:
            known = scope.known(made, before) if made.live else made
        except Inherited as inherited:
            if isinstance(inherited.failure, Unknown) or _takes_in(unbound(made, before)[0]):
                raise
            return self.arrived(found, scope, position)
        if not isinstance(known, MapNode):
            return self.arrived(found, scope, position)
        whole, raw = self.as_far_as_it_goes(known, before, scope)
        return self.flow(whole, address, scope.place, raw=raw, frame=position.frame)

    def as_far_as_it_goes(self, node: Node, place: Place, scope: Scope) -> tuple[Node, bool]:
        """A finished value; or, where a part of it fails, with such parts as they are written, which is told. A stub
        may have values for them."""
        try:
            return (scope.finished(node, place) if node.live else node), False
        except Inherited as inherited:
            if isinstance(inherited.failure, Unknown):
                raise
        holder: list[Node] = [node]
        work: list[tuple[dict[Key, Node] | list[Node], Key | int, Node, Place]] = [(holder, 0, node, place)]
        while work:
            target, key, child, at = work.pop()
            self.meter.step()
            if isinstance(child, MapNode | ListNode) and child.live:
                made = child.but(entries=dict(child.entries)) if isinstance(child, MapNode) else _with_own_items(child)
                below: dict[Key, Node] | list[Node] = made.entries if isinstance(made, MapNode) else made.items
                target[key] = made  # type: ignore[index]
                work += [(below, step, inner, at.child(step)) for step, inner in children(child)]
            elif child.live:
                try:
                    target[key] = scope.finished(child, at)  # type: ignore[index]
                except Inherited:
                    target[key] = _written(child, at)  # type: ignore[index]
        return holder[0], True

    def given_by(
        self, kind: ControlKey, mapping: MapNode, scope: Scope, position: StagePosition, address: Address
    ) -> Node:
        """What a control gives by itself."""
        key = ("control", scope.node, scope.place)
        entries, base = self.host.kept(key, lambda: self.fields(mapping, kind.templates, scope, position.frame))
        maker = ControlMaker(self, scope, position.staged(address), mapping)
        value = evaluated(kind, Fields(kind.name, mapping, entries, base, scope, maker))
        marks = self.control_marks(mapping)
        if not marks or isinstance(value, Mark):
            return value
        effects = Effects()
        effects.marks = marks
        return self.mark(value, effects, scope, position)

    def fields(
        self, mapping: MapNode, templates: tuple[str, ...], scope: Scope, frame: NameFrame | None
    ) -> tuple[dict[Key, Node], Place]:
        """The fields of a control as parts of the document, at a place beside it: no stub overrides them."""
        base = _same_place(scope.place)
        nowhere = self.address.nowhere()
        entries: dict[Key, Node] = {}
        if frame is not None and frame.base is scope.place:
            frame = NameFrame(frame.names, base, frame.outer)
        for key, node in mapping.entries.items():
            if key not in templates and key != INSERT:
                entries[key] = self.flow(node, nowhere, base.child(key), raw=True, frame=frame)
        base.node = MapNode(entries, mapping.source, mapping.at, None, True)
        return entries, base

    def control_marks(self, mapping: MapNode) -> tuple[str, ...]:
        beside = mapping.entries.get(INSERT)
        if isinstance(beside, Suspension) and isinstance(beside.expression, StagedExpression):
            return beside.expression.marks
        return ()


@struct
class ControlMaker:
    """Evaluates the fields, templates and lambdas of one control."""

    stage: Stage
    scope: Scope
    staged: StagedPlace
    mapping: MapNode

    def template(self, turn: object, body: Node, names: dict[str, Node]) -> Node:
        key = ("control", self.scope.node, self.scope.place, turn)
        node, place = self.stage.host.instance(key, body, self.scope.place, self.staged, names)
        known = self.scope.known(node, place) if isinstance(node, Deferred) else node
        return known if isinstance(known, Mark) or not known.live else self.scope.finished(known, place)

    def fields(self, names: dict[str, Node]) -> tuple[dict[Key, Node], Place]:
        scope, stage = self.scope, self.stage
        key = ("merged fields", scope.node, scope.place)
        outermost = scope.place
        while outermost.parent is not None:
            outermost = outermost.parent
        frame = beyond(self.staged.frame, NameFrame(names, outermost, None))
        entries, base = stage.host.kept(key, lambda: stage.fields(self.mapping, (), scope, frame))
        return entries, base

    def calls(self, function: Node, value: Node) -> bool:
        """Whether a lambda says yes to a value; what it cannot decide it says no to, and what is no lambda says yes."""
        if not isinstance(function, LambdaValue):
            return True
        try:
            answer = apply(_HERE, Env(self.scope, "match", self.staged), function, [value])
        except Denied:
            raise
        except Fault:
            return False
        if not isinstance(answer, Scalar) or not isinstance(answer.value, bool):
            issue = f"the lambda of `match` must give a boolean; it gives {kind_of(answer)}"
            hint = "such as (( |x|->x > 1 ))"
            raise BAD_CONTROL.error(Label(self.mapping.key_origin("<<cases")), issue=issue, hint=hint)
        return answer.value


class NestedCascade:
    """A cascade inside a document: the first of some documents, with the others as its stubs."""

    def __init__(
        self, outer: Stage, documents: list[Node], parent: Place | None, frame: tuple[dict[str, Node], NameFrame | None]
    ) -> None:
        self.outer = outer
        self.left = documents
        self.parent = parent
        self.frame = frame
        self.stubs = Stubs(outer.stubs.keeps)
        self.stage: Stage | None = None

    def finished(self, scope: Scope) -> Node:
        """The result. What was done before an expression had to wait is not done again."""
        while True:
            if self.stage is None:
                document = self.left[-1]
                self.stage = Stage(document, self.stubs, self.outer.facts, self.outer.meter, self.parent, self.frame)
            top = self.stage.top
            assert top.node is not None
            node = scope.known(top.node, top) if isinstance(top.node, Deferred) else top.node
            node = scope.finished(node, top) if node.live else node
            self.outer.marked = self.outer.marked or self.stage.marked
            if len(self.left) == 1:
                return node
            self.left = self.left[:-1]
            self.stubs.add(node)
            self.stage = None


_HERE = Literal(0, None)
"""A piece for the label of what is not written as an expression."""
DROPPED_MARKS = ("template", "dynamic")


def beyond(frame: NameFrame | None, last: NameFrame) -> NameFrame:
    """A frame with another one around all of it."""
    frames: list[NameFrame] = []
    while frame is not None:
        frames.append(frame)
        frame = frame.outer
    for each in reversed(frames):
        last = NameFrame(each.names, each.base, last)
    return last


def _same_place(place: Place) -> Place:
    """A place once more, for something that is not what is there in the end."""
    again = Place(place.parent, place.step)
    again.root = place.root
    return again


def _beside(scope: Scope, index: int) -> Place:
    around = scope.place
    return Place(Place(around.parent, around.step, ListNode([])), index)


def kept_marks(marks: tuple[str, ...]) -> tuple[str, ...]:
    """The marks that a value carries on; the others have done what they do."""
    return tuple(mark for mark in marks if mark not in DROPPED_MARKS and not mark.startswith("tag:"))


def position_of(scope: Scope) -> StagePosition:
    position = scope.written
    assert isinstance(position, StagePosition)
    return position


def inserted_entries(mapping: MapNode, base: dict[Key, Node], insert: str) -> dict[Key, Node]:
    """The entries of a map with those that its `<<` brings."""
    written = {key: node for key, node in mapping.entries.items() if key != insert}
    before: dict[Key, Node] = {key: node for key, node in written.items() if isinstance(key, str) and key < insert}
    return {**before, **base, **{key: node for key, node in written.items() if key not in before}}


def _takes_in(node: Node) -> bool:
    """Whether a node is a map or a list that takes in another."""
    return isinstance(node, Suspension) and isinstance(node.expression, Insertion | Splice)


def _with_own_items(node: ListNode) -> ListNode:
    return ListNode(list(node.items), node.source, node.at, node.tag, node.live, node.parts, node.rule)


def _written(node: Node, place: Place) -> Node:
    """What is not computed yet as the document has it."""
    node, _ = unbound(node, place)
    expression = node.expression if isinstance(node, Suspension) else None
    if isinstance(expression, Insertion | ControlMap):
        return expression.mapping
    return expression.sequence if isinstance(expression, Splice) else node


def _optional(dynaml: Recognised, address: Address, successor: bool) -> bool:
    """`<<: (( merge ))` alone may find nothing, unless an outer redirect gives its path."""
    tree = dynaml.pattern if isinstance(dynaml, Dynaml) else None
    while isinstance(tree, Marked | Bracketed) and not successor:
        tree = tree.inner
    return isinstance(tree, Merge) and tree.simple and not address.moved


class _Walk:
    """One walk through a tree, by a stack of its own."""

    def __init__(
        self, stage: Stage, raw: bool, finished: set[int] | None = None, frame: NameFrame | None = None
    ) -> None:
        self.stage = stage
        self.frame = frame
        self.raw = raw
        self.finished = finished or set()
        """Parts that have been through a stage, among those that have not."""
        self.wide: list[tuple[ListNode, Place]] | None = None
        """Collects lists whose items are walked when they are asked for."""
        self.work: list[tuple[dict[Key, Node] | list[Node], Key | int, Node, Somewhere, Where, bool, bool]] = []
        self.made: list[MapNode | ListNode] = []

    def walk(self, node: Node, address: Somewhere, where: Where, override: bool = True) -> Node:
        holder: list[Node] = [node]
        self.work.append((holder, 0, node, address, where, override, self.raw))
        self.finish()
        return holder[0]

    def items_of(self, node: ListNode, address: Address, place: Place, merges: bool, settled: set[int]) -> Node:
        """A list whose insertions are done; no stub changes those that are `settled`.

        Where items have no names, and some came by `merge`, stubs have no values for them: positions have moved.
        """
        self.made.append(node)
        field = field_of(node) or "name"
        if self.stage.dialect.successor and not has_keys(node.items, field):
            address = address.nowhere() if merges else address
            field = ""
        for index, item in enumerate(node.items):
            if id(item) not in settled:
                self.item(node, index, item, address, place, id(item) not in self.finished, field)
        self.finish()
        return node

    def finish(self) -> None:
        work, meter = self.work, self.stage.meter
        while work:
            target, key, node, address, where, override, raw = work.pop()
            meter.step()
            if isinstance(node, Scalar):
                self.scalar(target, key, node, address, override)
            elif isinstance(node, Suspension):
                self.suspension(target, key, node, address, override)
            elif isinstance(node, MapNode) and not self.at_rest(node, address, raw):
                self.mapping(target, key, node, address, where, override, raw)
            elif isinstance(node, ListNode) and not self.at_rest(node, address, raw):
                self.sequence(target, key, node, address, where, raw)
        for container in reversed(self.made):
            below = container.entries.values() if isinstance(container, MapNode) else container.items
            container.live = any(child.live for child in below)

    def at_rest(self, node: MapNode | ListNode, address: Somewhere, raw: bool) -> bool:
        """Whether nothing can happen to a container: no stub has anything there, or it comes from there."""
        if node.live or isinstance(address, Later) or (raw and not self.stage.clean):
            return False
        return not address.nodes or address.nodes[0] is node

    def scalar(self, target: object, key: Key | int, node: Scalar, address: Somewhere, override: bool) -> None:
        if not override:
            return
        if isinstance(address, Later):
            position = StagePosition(self.stage, address, True, frame=self.frame)
            target[key] = Suspension(Plain(node), node.source, node.at, position)  # type: ignore[index]
        elif address.nodes:
            target[key] = self.arriving(in_place_of(address.found() or node, node), address)  # type: ignore[index]

    def arriving(self, node: Node, address: Address) -> Node:
        """What a stub brought; a template that is `&dynamic` is evaluated here."""
        if not isinstance(node, TemplateBody) or "dynamic" not in marks_of(node):
            return node
        position = StagePosition(self.stage, address, frame=self.frame)
        return Suspension(Arrival(node), node.source, node.at, position)

    def suspension(
        self, target: object, key: Key | int, node: Suspension, address: Somewhere, override: bool, **item: object
    ) -> None:
        """An expression is overridden as a whole, before it is evaluated where nothing else depends on it."""
        expression = node.expression
        if not isinstance(expression, StagedExpression):
            return
        if override and isinstance(address, Address) and address.nodes and expression.dynaml.plain:
            found = address.found()
            assert found is not None
            target[key] = self.arriving(found, address)  # type: ignore[index]
            return
        position = StagePosition(self.stage, address, override, frame=self.frame, **item)  # type: ignore[arg-type]
        target[key] = Suspension(expression, node.source, node.at, position)  # type: ignore[index]

    def mapping(
        self,
        target: object,
        key: Key | int,
        node: MapNode,
        address: Somewhere,
        where: Where,
        override: bool,
        raw: bool,
    ) -> None:
        if raw and not self.stage.clean and self.special(target, key, node, address, where, override):
            return
        entries = dict(node.entries)
        tag = self.stage.inherited(node.tag, address)
        made = node.but(entries=entries, tag=tag, live=False)
        self.made.append(made)
        target[key] = made  # type: ignore[index]
        alone = isinstance(address, Address) and not address.nodes and not self.stage.stubs.injects
        settled = 0
        stage, frame = self.stage, self.frame
        for name, child in node.entries.items():
            if alone and child.__class__ is Scalar:  # no stub says anything about it
                settled += 1
            elif alone and child.__class__ is Suspension:
                settled += 1
                assert isinstance(child, Suspension)
                expression = child.expression
                if isinstance(expression, StagedExpression):
                    position = StagePosition(stage, address, True, frame, name)
                    entries[name] = Suspension(expression, child.source, child.at, position)
            else:
                self.work.append((entries, name, child, address.child(str(name)), (where, name), True, raw))
        self.stage.meter.step(settled)
        if self.stage.stubs.injects and isinstance(address, Address):
            self.inject(entries, address)

    def inject(self, entries: dict[Key, Node], address: Address) -> None:
        before = set(entries)
        self.stage.injected(entries, address)
        for key in entries.keys() - before:
            entries[key] = self.arriving(entries[key], address.child(str(key)))

    def special(
        self, target: object, key: Key | int, node: MapNode, address: Somewhere, where: Where, override: bool
    ) -> bool:
        """A map that is a template, a control, or takes in another."""
        insert = insertion_key(node)
        controls = control_keys(node) if self.stage.dialect.control else []
        if controls and not (insert and _is_template(node.entries[insert])):
            position = StagePosition(self.stage, address, override, frame=self.frame)
            target[key] = Suspension(ControlMap(node, controls[0]), node.source, node.at, position)  # type: ignore[index]
        elif insert:
            if insert == INSERT and "<<<" in node.entries:
                raise BAD_INSERT.error(Label(node.key_origin("<<<")), issue="a map has one `<<` or one `<<<`, not both")
            template = self.template(node, insert, address, where)
            if template is None:
                target[key] = self.insertion(node, address, where, insert)  # type: ignore[index]
            else:
                target[key] = template  # type: ignore[index]
        return bool(insert or controls)

    def template(self, node: MapNode | ListNode, insert: str, address: Somewhere, where: Where) -> Node | None:
        """A part of the document that `<<: (( &template ))` keeps from being evaluated; None for any other."""
        inner = node.entries[insert] if isinstance(node, MapNode) else template_item(node, insert)
        expression = inner.expression if isinstance(inner, Suspension) else None
        if not isinstance(expression, StagedExpression) or "template" not in expression.marks:
            return None
        assert isinstance(inner, Suspension)
        place = place_of(where)
        position = StagePosition(self.stage, address, True, frame=self.frame)
        known = address if isinstance(address, Address) else self.stage.address.nowhere()
        body = template_body(node, insert, inner)
        value = TemplateBody(body, None, as_written(node), "template", place, position.staged(known))
        for mark in expression.marks:
            if mark.startswith("tag:"):
                self.stage.host.define(mark.removeprefix("tag:"), value, place)
        self.stage.marked = True
        if isinstance(address, Address) and address.nodes and (found := address.found()) is not None:
            if "dynamic" in (*marks_of(found), *expression.marks):
                return self.arriving(found, address)
            self.stage.outside[place.path] = found
        dynamic = ("dynamic",) if "dynamic" in expression.marks else ()
        return value.tagged(mark_tag((*kept_marks(expression.marks), *dynamic)))

    def insertion(self, node: MapNode, address: Somewhere, where: Where, insert: str) -> Suspension:
        inner = self.inserted(node.entries[insert], address, (where, insert), node)
        position = StagePosition(self.stage, address, frame=self.frame)
        made = Suspension(Insertion(node, inner, insert), node.source, node.at, position)
        written = node.entries[insert]
        if isinstance(written, Suspension) and isinstance(written.expression, StagedExpression):
            for mark in written.expression.marks:
                if mark.startswith("tag:"):
                    self.stage.host.define(mark.removeprefix("tag:"), made, place_of(where))
        return made

    def inserted(self, node: Node, address: Somewhere, where: Where, around: MapNode | ListNode) -> Node:
        """What a `<<` holds: an expression with the address of its container, or a map by an alias."""
        if isinstance(node, Suspension):
            position = StagePosition(self.stage, address, around=around, frame=self.frame)
            return Suspension(node.expression, node.source, node.at, position)
        return _Walk(self.stage, True, frame=self.frame).walk(node, address, where, False)

    def sequence(
        self, target: object, key: Key | int, node: ListNode, address: Somewhere, where: Where, raw: bool
    ) -> None:
        items, tag = untagged_items(node.items) if raw else (node.items, "")
        field = tag or field_of(node)
        inner = self.inner_items(node, items, address, where) if raw else {}
        if inner is None:
            target[key] = self.template(node, template_key(items), address, where)  # type: ignore[index]
            return
        if inner:
            position = StagePosition(self.stage, address, frame=self.frame)
            target[key] = Suspension(Splice(node, items, inner, field), node.source, node.at, position)  # type: ignore[index]
            return
        named = not self.stage.dialect.successor or has_keys(items, field or "name")
        mark = self.stage.inherited(node.tag, address)
        if self.stage.stubs.injects and isinstance(address, Address) and (new := self.injected_items(address)):
            address = Behind(address, len(new))
            items = [*new, *items]
        made = keyed(ListNode(list(items), node.source, node.at, mark, False, node.parts), field)
        self.made.append(made)
        target[key] = made  # type: ignore[index]
        if self.wide is not None and len(items) >= WIDE and raw and isinstance(address, Address):
            self.wide.append((made, place_of(where)))
            below = _LongList(self.stage, self.frame, address, where, field or "name")
            for index, item in enumerate(items):
                self.item_later(made, index, item, below)
            node.items.clear()
            return
        for index, item in enumerate(items):
            self.item(made, index, item, address, where, raw, (field or "name") if named else "")

    def inner_items(
        self, node: ListNode, items: list[Node], address: Somewhere, where: Where
    ) -> dict[int, Node] | None:
        """What stands for other items of a list: `- <<` and controls, by their positions. None for a template."""
        inner: dict[int, Node] = {}
        for index, item in enumerate(items):
            if not isinstance(item, MapNode):
                continue
            if is_insertion(item):
                insert = insertion_key(item)
                written = item.entries[insert]
                if _is_template(written):
                    return None
                inner[index] = self.inserted(written, address, ((where, index), insert), node)
            elif self.stage.dialect.control and (controls := control_keys(item)):
                position = StagePosition(self.stage, self.stage.address.nowhere(), frame=self.frame)
                inner[index] = Suspension(ControlMap(item, controls[0]), item.source, item.at, position)
        return inner

    def injected_items(self, address: Address) -> list[Node]:
        """The items that stubs put in front of a list."""
        found = address.injected_items()
        self.stage.marked = self.stage.marked or bool(found)
        return found

    def item(
        self,
        made: ListNode,
        index: int,
        item: Node,
        address: Somewhere,
        where: Where,
        raw: bool,
        field: str,
    ) -> None:
        """An item is addressed by its name, or by its position; a plain value in a list is never overridden."""
        if isinstance(item, Suspension):
            self.suspension(made.items, index, item, address, False, index=index, field=field)
            return
        name = item.entries.get(field) if isinstance(item, MapNode) else None
        waits = isinstance(name, Suspension) and (isinstance(address, Later) or bool(address.nodes))
        successor = self.stage.dialect.successor
        if waits and isinstance(item, MapNode) and (successor or INSERT not in item.entries):
            self.named_later(made, index, item, Later(address, "", place_of((where, index)), field, index), raw)
            return
        known = text_of(name)
        inner = address.child(f"[{index}]" if known is None else f"{field}:{known}")
        self.work.append((made.items, index, item, inner, (where, index), False, raw))

    def item_later(self, made: ListNode, index: int, item: Node, below: _LongList) -> None:
        """The same for an item of a long list: a map that takes in nothing is walked when it is asked for."""
        name = item.entries.get(below.field) if isinstance(item, MapNode) else None
        if not isinstance(item, MapNode) or isinstance(name, Suspension) or _is_special(item):
            self.item(made, index, item, below.address, below.where, True, below.field)
            return
        walked = _ItemOfLongList(below, index, item)
        made.items[index] = UnbuiltMap(walked, item.source, item.at, True) if item.live else walked()

    def named_later(self, made: ListNode, index: int, item: MapNode, address: Later, raw: bool) -> None:
        """An item whose name is an expression: the walk below it waits for nothing, its values do.

        What a stub has for the item depends on its name. So the name is computed beside the item, in a copy that no
        stub changes.
        """
        assert address.place is not None
        beside = Place(address.place.parent, index)
        alone = {key: child for key, child in item.entries.items() if str(key)[:2] != INSERT}
        beside.node = _Walk(self.stage, raw, frame=self.frame).walk(
            item.but(entries=alone), self.stage.address.nowhere(), beside, False
        )
        node = _Walk(self.stage, raw, frame=self.frame).walk(item, address, address.place, False)
        made.items[index] = node
        if isinstance(node, MapNode):
            address.place.node = node
            written = item.entries[address.field]
            assert isinstance(written, Suspension)
            override = not self.stage.dialect.successor
            self.suspension(node.entries, address.field, written, address.child(address.field), override)
            name = node.entries[address.field]
            if name.live:
                node.entries[address.field], node.live = Bound(name, beside.child(address.field)), True
        else:  # the map is not known before its name is
            address.place = beside


class _LongList:
    """A list whose items are walked when they are asked for: what all of them share."""

    __slots__ = ("address", "field", "frame", "stage", "where")

    def __init__(self, stage: Stage, frame: NameFrame | None, address: Address, where: Where, field: str) -> None:
        self.stage = stage
        self.frame = frame
        self.address = address
        self.where = where
        self.field = field


class _ItemOfLongList:
    """The walk below one item. There may be a hundred thousand of them: it keeps nothing that can be made again."""

    __slots__ = ("below", "index", "item")

    def __init__(self, below: _LongList, index: int, item: MapNode) -> None:
        self.below = below
        self.index = index
        self.item = item

    def __call__(self) -> MapNode:
        below, index = self.below, self.index
        known = text_of(self.item.entries.get(below.field))
        address = below.address.child(f"[{index}]" if known is None else f"{below.field}:{known}")
        node = _Walk(below.stage, True, frame=below.frame).walk(self.item, address, (below.where, index), False)
        assert isinstance(node, MapNode)
        return node


def _is_simple(document: Node, dialect: Dialect) -> bool:
    """Whether every part of a document is used in its place alone: there are no aliases, marks, tags and lambdas."""
    source = document.source
    if dialect.successor or dialect.control or not isinstance(source, Source) or source.aliases:
        return False
    return not any(sign in source.text for sign in MANY_PLACES)


def _is_special(item: MapNode) -> bool:
    return any(key.__class__ is not str or key[:2] == INSERT for key in item.entries)


def takes_by_merge(inner: Node) -> bool:
    """Whether what a `- <<` inserts comes from stubs at the path of its list."""
    expression = inner.expression if isinstance(inner, Suspension) else None
    dynaml = expression.dynaml if isinstance(expression, StagedExpression) else None
    return isinstance(dynaml, Dynaml) and any(isinstance(each, Merge) for each in walk(dynaml.pattern))


def has_keys(items: list[Node], field: str) -> bool:
    """Whether every item of a list is a map with a key of its own; one that is computed counts as such."""
    seen: set[str] = set()
    for item in items:
        key = item.entries.get(field) if isinstance(item, MapNode) else None
        if not isinstance(key, Scalar | Suspension):
            return False
        text = text_of(key) if isinstance(key, Scalar) else None
        if text in seen or (text is None and isinstance(key, Scalar)):
            return False
        seen.add(text or "")
    return True


def as_template(root: Node) -> Node:
    """A document as the template that it is."""
    written = as_written(root)
    mark = text("(( &template ))", root.source, root.at)
    if isinstance(written, MapNode):
        return MapNode({"<<<": mark, **written.entries}, written.source, written.at)
    if isinstance(written, ListNode):
        head = MapNode({"<<<": mark}, written.source, written.at)
        return ListNode([head, *written.items], written.source, written.at)
    return written


def _is_template(node: Node) -> bool:
    expression = node.expression if isinstance(node, Suspension) else None
    return isinstance(expression, StagedExpression) and "template" in expression.marks


def template_key(items: list[Node]) -> str:
    """How the `- <<` is written that makes a list a template."""
    keys = ((item, insertion_key(item)) for item in items if isinstance(item, MapNode) and is_insertion(item))
    return next(key for item, key in keys if _is_template(item.entries[key]))


def template_item(node: ListNode, insert: str) -> Node | None:
    """The expression of the `- <<` that makes a list a template."""
    found = [
        item.entries[insert]
        for item in node.items
        if isinstance(item, MapNode) and is_insertion(item) and insert in item.entries
    ]
    return next((each for each in found if _is_template(each)), None)


def template_body(node: MapNode | ListNode, insert: str, inner: Suspension) -> Node:
    """A template without its mark. What follows the mark in brackets stays a `<<`."""
    rest = _after_mark(inner)
    if isinstance(node, MapNode):
        entries = {key: child for key, child in node.entries.items() if key != insert}
        if rest is not None:
            entries[insert] = rest
        return MapNode(entries, node.source, node.at, None, any(child.live for child in entries.values()))
    items: list[Node] = []
    for item in node.items:
        if not (isinstance(item, MapNode) and is_insertion(item) and item.entries.get(insert) is inner):
            items.append(item)
        elif rest is not None:
            items.append(MapNode({insert: rest}, item.source, item.at, None, True))
    return ListNode(items, node.source, node.at, None, any(item.live for item in items), rule=node.rule)


def _after_mark(inner: Suspension) -> Suspension | None:
    expression = inner.expression
    assert isinstance(expression, StagedExpression)
    tree = expression.dynaml.tree if isinstance(expression.dynaml, Dynaml) else None
    if not isinstance(tree, Marked) or tree.inner is None:
        return None
    rest = Dynaml(f"(( {tree.inner} ))", ExpressionShape(tree.inner, False))
    return Suspension(StagedExpression.of(rest), inner.source, inner.at)


def as_written(root: Node) -> Node:
    """A part of a document with its expressions as texts."""

    def leaf(node: Node) -> Node:
        return node.as_text() if isinstance(node, Suspension) else node

    return finished_tree(rewrite(root, leaf))
