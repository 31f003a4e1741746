"""What a stage leaves in a document: expressions that know where they are, and what their containers wait for."""

from __future__ import annotations

from plait.core.expression import Brought, Expression
from plait.core.node import Key, ListNode, MapNode, Mark, Node, Scalar, Suspension, rewrite, text
from plait.core.policy import ListRule
from plait.core.scope import Place
from plait.core.walk import nodes_of
from plait.fronts.spiff.address import Address, Later
from plait.notations.dynaml import Dynaml, Recognised, read, reference_in
from plait.notations.dynaml.items import text_of
from plait.notations.dynaml.lookup import standing, straight, unmarked
from plait.notations.dynaml.marks import SIGN
from plait.notations.dynaml.place import Effects, StagedPlace
from plait.notations.dynaml.taking import INSERT, insertion_key
from plait.notations.dynaml.tree import CallTerm, Literal, Marked, Reference, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from plait.core.meter import Meter
    from plait.core.path import Step
    from plait.core.scope import Scope
    from plait.notations.dynaml.items import Items
    from plait.notations.dynaml.place import Host, NameFrame
    from plait.notations.dynaml.values import TemplateBody

    class Staging(Protocol):
        """The stage that an expression is part of."""

        given: dict[str, Node]
        items: Items

        @property
        def host(self) -> Host: ...

        def value(self, dynaml: Recognised, scope: Scope, position: StagePosition) -> Node: ...

        def insert(self, insertion: Insertion, scope: Scope, address: Address) -> Node: ...

        def splice(self, splice: Splice, scope: Scope, address: Address) -> Node: ...

        def control(self, control: ControlMap, scope: Scope, position: StagePosition) -> Node: ...

        def arrived(self, node: Node, scope: Scope, position: StagePosition) -> Node: ...

    Force = Callable[[Node, Place], Node]

TAG = "key:"

Somewhere = Address | Later
Where = tuple["Where", "Key | int"] | Place
"""A place, made only where it is needed."""


class StagePosition:
    """The position of a suspension in a stage: its address, and whether a stub's value may take its place.

    `index` is the position of a list item, whose address is that of its list until its value is known. `key` is that of
    a value in a map for which no stub has anything: its address, one step below that of the map, is made when it is
    asked for.
    """

    __slots__ = (
        "_address",
        "_staged",
        "around",
        "field",
        "frame",
        "free",
        "index",
        "key",
        "override",
        "stage",
        "target",
    )

    def __init__(
        self,
        stage: Staging,
        address: Somewhere,
        override: bool = False,
        frame: NameFrame | None = None,
        key: Key | None = None,
        index: int = -1,
        field: str = "",
        around: MapNode | ListNode | None = None,
    ) -> None:
        self.frame = frame
        """The names around it, inside a template that was put in."""
        self.stage = stage
        self._address = address
        self.override = override
        self.key = key
        self.index = index
        self.field = field
        self.around = around
        """What holds the `<<` whose value this is."""
        self.target: tuple[Node, Place] | None = None
        """What the reference at this place leads to, once it is found."""
        self._staged: StagedPlace | None = None
        self.free = frame is None and around is None and isinstance(address, Address) and not address.nodes
        """Whether no stub has a value for it, and names mean what the document says."""

    @property
    def address(self) -> Somewhere:
        if self.key is not None:
            self._address = self._address.child(str(self.key))
            self.key = None
        return self._address

    def staged(self, address: Address) -> StagedPlace:
        """A `<<` is in its container, and that of a list in an item of its own: names begin beyond them."""
        if self._staged is None:
            around, up = (
                (self.around, 2) if isinstance(self.around, MapNode) else (None, 1 if self.around is None else 3)
            )
            here = address if self.index < 0 else address.child(f"[{self.index}]")
            stage = self.stage
            self._staged = StagedPlace(here, stage.given, stage.items, around, up, stage.host, self.frame)
        return self._staged


class Inserted(Node):
    """What a `<<` gives, with the effects that its container needs to know."""

    __slots__ = ("effects", "value")
    kind = "insertion"
    live = False

    def __init__(self, value: Node, effects: Effects) -> None:
        self.value = value
        self.effects = effects
        self.source = value.source
        self.at = value.at


class StagedExpression(Expression):
    """An expression of dynaml in a stage. Most are read when they are asked for, and then forgotten with their value: a
    long list has many."""

    __slots__ = ("_dynaml", "marks", "reference", "text")

    def __init__(self, text: str, dynaml: Recognised | None = None, reference: Reference | None = None) -> None:
        self.text = text
        self._dynaml = dynaml
        self.reference = reference
        self.marks: tuple[str, ...] = ()
        """The marks that it is written with."""

    @classmethod
    def of(cls, dynaml: Recognised) -> StagedExpression:
        tree = dynaml.pattern if isinstance(dynaml, Dynaml) else None
        tree = dynaml.tree if isinstance(dynaml, Dynaml) and isinstance(tree, Reference) else tree
        made = cls(dynaml.text, dynaml, tree if isinstance(tree, Reference) else None)
        made.marks = tree.marks if isinstance(tree, Marked) else ()
        return made

    @classmethod
    def written(cls, text: str) -> StagedExpression:
        """The expression that a text is, which looks like one. One that may be marked is read at once."""
        reference = reference_in(text)
        return cls.of(read(text)) if reference is None and SIGN in text else cls(text, None, reference)

    @property
    def dynaml(self) -> Recognised:
        if self._dynaml is None:
            self._dynaml = read(self.text)
        return self._dynaml

    def tags(self) -> list[str]:
        """The tags that it gives to its value, as far as their names are written."""
        if not isinstance(self.dynaml, Dynaml) or self.reference is not None:
            return []
        calls = [each for each in walk(self.dynaml.tree) if isinstance(each, CallTerm) and each.word == "tagdef"]
        names = [call.arguments[0] for call in calls if call.arguments]
        defined = [str(name.value) for name in names if isinstance(name, Literal)]
        return [*(mark.removeprefix("tag:") for mark in self.marks if mark.startswith("tag:")), *defined]

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        position = scope.written
        assert isinstance(position, StagePosition)
        if not isinstance(self.dynaml, Dynaml):
            return []
        return self.dynaml.named(scope, position.staged(position.address.known(scope)))

    def at_hand(self, node: Node, around: Place, meter: Meter) -> Node | None:
        assert isinstance(node, Suspension)
        written, reference = node.written, self.reference
        if written.__class__ is not StagePosition or not written.free:
            return None
        if reference is not None:
            found = standing(reference.steps, reference.rooted, around)
            return found if found.__class__ is Scalar and found.tag is None and not found.secret else None
        return self.dynaml.at_hand(node, around, meter) if isinstance(self.dynaml, Dynaml) else None

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        if self.reference is not None and position.target is None and position.free:
            position.target = straight(self.reference, scope.place)
        if position.target is None:
            return position.stage.value(self.dynaml, scope, position)
        node = scope.known(*position.target)
        if isinstance(node, Mark):  # the dialect says what that means
            return position.stage.value(self.dynaml, scope, position)
        return unmarked(scope.finished(node, position.target[1]) if node.live else node)


class Plain(Expression):
    """A scalar whose address is not known yet."""

    __slots__ = ("scalar", "text")
    way = ""

    def __init__(self, scalar: Scalar) -> None:
        self.scalar = scalar
        self.text = scalar.text

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        found = position.address.known(scope).found()
        return self.scalar if found is None else position.stage.arrived(found, scope, position)


class Insertion(Expression):
    """A map with a `<<`; `key` is how it is written."""

    __slots__ = ("inner", "key", "mapping")
    way = ""
    text = INSERT

    def __init__(self, mapping: MapNode, inner: Node, key: str) -> None:
        self.mapping = mapping
        self.inner = inner
        self.key = key

    def brings(self, step: Step, place: Place, force: Force) -> Brought | None:
        """What its `<<` has and the map has not, or only before it; or what it says that the map's own keys are taken
        from, elsewhere in the stubs."""
        there = place.child(self.key)
        value, effects = content(force(self.inner, there))
        own = step in self.mapping.entries and not effects.replace and str(step) > self.key and not effects.redirect
        if own or not isinstance(value, MapNode) or step not in value.entries:
            return None
        instead = step in self.mapping.entries and not effects.replace
        return Brought(self.inner, there, self.key, step, value.entries[step] if instead else None)  # type: ignore[index]

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        return position.stage.insert(self, scope, position.address.known(scope))


class Splice(Expression):
    """A list with one or more `- <<`; `inner` has what each of them inserts, by its position."""

    __slots__ = ("inner", "items", "key", "sequence")
    way = ""
    text = "- " + INSERT

    def __init__(self, sequence: ListNode, items: list[Node], inner: dict[int, Node], key: str) -> None:
        self.sequence = sequence
        self.items = items
        self.inner = inner
        self.key = key

    def brings(self, step: Step, place: Place, force: Force) -> Brought | None:
        """What one of its `- <<` has: items follow one another, and those that the list has by name stay there."""
        key = self.key
        before = 0
        for position, item in enumerate(self.items):
            inner = self.inner.get(position)
            if inner is None:
                before += 1
                continue
            written = insertion_key(item) if isinstance(item, MapNode) else ""
            there = place.child(position).child(written)
            value, effects = content(force(inner, there))
            if not written or not isinstance(step, int):
                return None  # how many items a control gives is not known here
            items = value.items if isinstance(value, ListNode) else []
            key = effects.key or (field_of(value) if isinstance(value, ListNode) else "") or key
            new = items if effects.replace else new_items(items, self.items, key or "name")
            before = 0 if effects.replace else before
            if 0 <= step - before < len(new):
                index = next(at for at, each in enumerate(items) if each is new[step - before])
                return Brought(inner, there, f"- {written}", index)
            before += len(new)
        return None

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """What is written in the list."""
        return [(written_tree(self.sequence), scope.place)]

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        return position.stage.splice(self, scope, position.address.known(scope))


class ControlMap(Expression):
    """A map with a control key: `<<if` and its like."""

    __slots__ = ("mapping", "text")

    def __init__(self, mapping: MapNode, key: str) -> None:
        self.mapping = mapping
        self.text = f"<{key.removeprefix('<<')} control>"

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """What is written in the map."""
        return [(written_tree(self.mapping), scope.place)]

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        return position.stage.control(self, scope, position)


class Arrival(Expression):
    """A template of a stub that is evaluated wherever it arrives."""

    __slots__ = ("template",)
    way = ""
    text = "&dynamic"

    def __init__(self, template: TemplateBody) -> None:
        self.template = template

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        return position.stage.arrived(self.template, scope, position)


def content(node: Node) -> tuple[Node, Effects]:
    """What a `<<` brings, with its effects."""
    return (node.value, node.effects) if isinstance(node, Inserted) else (node, Effects())


def written_tree(root: Node) -> Node:
    """A part of a document as it is written, also inside what takes in other parts."""

    def leaf(node: Node) -> Node:
        if not isinstance(node, Suspension):
            return node
        expression = node.expression
        if isinstance(expression, Insertion | ControlMap):
            return written_tree(expression.mapping)
        return text(expression.text, node.source, node.at)

    return finished_tree(rewrite(root, leaf))


def finished_tree(root: Node) -> Node:
    """A tree that was just made, with nothing left to compute."""
    for node in nodes_of(root):
        if isinstance(node, MapNode | ListNode):
            node.live = False
    return root


def keyed(node: ListNode, key: str) -> ListNode:
    """A list whose items are identified by another field than `name`."""
    if not key:
        return node
    return node.but(rule=ListRule("key", (key,)))


def field_of(node: ListNode) -> str:
    """The field that a list says tells its items apart."""
    return node.rule.keys[0] if node.rule is not None and node.rule.keys else ""


def place_of(where: Where) -> Place:
    """The place itself."""
    steps: list[Key | int] = []
    while not isinstance(where, Place):
        where, step = where
        steps.append(step)
    for step in reversed(steps):
        where = where.child(step)
    return where


def untagged_items(items: list[Node]) -> tuple[list[Node], str]:
    """The items without their `key:` tags, and the field that the last tag names."""
    found = ""
    clean: list[Node] = []
    for item in items:
        if isinstance(item, MapNode):
            for name in item.entries:
                if isinstance(name, str) and name.startswith(TAG) and len(name) > len(TAG):
                    found = name[len(TAG) :]
                    item = _renamed(item, name, found)
                    break
        clean.append(item)
    return clean, found


def _renamed(item: MapNode, old: str, new: str) -> MapNode:
    entries: dict[Key, Node] = {
        new.removeprefix("!") if key == old else key: node for key, node in item.entries.items()
    }
    return MapNode(entries, item.source, item.at, item.tag, item.live, item.marks)


def new_items(brought: list[Node], written: list[Node], field: str) -> list[Node]:
    """The items that a list does not have by name yet."""
    names = {
        name for item in written if isinstance(item, MapNode) and (name := text_of(item.entries.get(field))) is not None
    }
    return [item for item in brought if not isinstance(item, MapNode) or text_of(item.entries.get(field)) not in names]
