"""One stage of the cascade: a document with the stubs on its right, already finished.

The document's structure stays. Walking it together with its address in the stubs gives at once whatever is plain: a
scalar is overridden by what a stub has at its address. An expression becomes a suspension that knows its address. A
map with a `<<`, or a list with a `- <<`, is one suspension: what it inserts decides which fields there are, and a
redirecting merge moves the address of all of them.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.expression import Expression
from plait.core.node import Bound, Key, Mapping, Node, Scalar, Sequence, Suspension, in_place_of
from plait.core.policy import ListRule
from plait.core.scope import Denied, Place
from plait.core.source import Computed
from plait.fronts.spiff.address import Address, Later, Stubs
from plait.notations.dynaml import Dynaml, Recognised, looks_like, read
from plait.notations.dynaml.items import Items, text_of
from plait.notations.dynaml.lookup import marked, straight, unmarked
from plait.notations.dynaml.place import Effects, StagedPlace
from plait.notations.dynaml.tree import Merge, Reference
from plait.report.catalog import TEXT_LOOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.meter import Meter
    from plait.core.scope import Scope

INSERT = "<<"
TAG = "key:"
ROUNDS = 20
"""How often the text that an expression gives may be an expression again."""

Somewhere = Address | Later
Where = tuple["Where", "Key | int"] | Place
"""A place, made only where it is needed."""


class StagePosition:
    """The position of a suspension in a stage: its address, and whether a stub's value may take its place.

    `index` is the position of a list item, whose address is that of its list until its value is known.
    """

    __slots__ = ("_staged", "address", "around", "field", "index", "override", "stage", "target")

    def __init__(
        self,
        stage: Stage,
        address: Somewhere,
        override: bool = False,
        index: int = -1,
        field: str = "",
        around: Mapping | Sequence | None = None,
    ) -> None:
        self.stage = stage
        self.address = address
        self.override = override
        self.index = index
        self.field = field
        self.around = around
        """What holds the `<<` whose value this is."""
        self.target: tuple[Node, Place] | None = None
        """What the reference at this place leads to, once it is found."""
        self._staged: StagedPlace | None = None

    @property
    def free(self) -> bool:
        """Whether no stub has a value for it."""
        return self.around is None and isinstance(self.address, Address) and not self.address.nodes

    def staged(self, address: Address) -> StagedPlace:
        """A `<<` is in its container, and that of a list in an item of its own: names begin beyond them."""
        if self._staged is None:
            around, up = (
                (self.around, 2) if isinstance(self.around, Mapping) else (None, 1 if self.around is None else 3)
            )
            here = address if self.index < 0 else address.child(f"[{self.index}]")
            self._staged = StagedPlace(here, self.stage.given, self.stage.items, around, up)
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
    """An expression of dynaml in a stage."""

    __slots__ = ("dynaml", "reference", "text")

    def __init__(self, dynaml: Recognised) -> None:
        self.dynaml = dynaml
        self.text = dynaml.text
        self.reference = dynaml.tree if isinstance(dynaml, Dynaml) and isinstance(dynaml.tree, Reference) else None

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        if self.reference is not None and position.target is None and position.free:
            position.target = straight(self.reference, scope)
        if position.target is None:
            return position.stage.value(self.dynaml, scope, position)
        node = scope.known(*position.target)
        return unmarked(scope.finished(node, position.target[1]) if node.live else node)


class Plain(Expression):
    """A scalar whose address is not known yet."""

    __slots__ = ("scalar", "text")

    def __init__(self, scalar: Scalar) -> None:
        self.scalar = scalar
        self.text = scalar.text

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        found = position.address.known(scope).found()
        return self.scalar if found is None else found


class Insertion(Expression):
    """A map with a `<<`."""

    __slots__ = ("inner", "mapping")
    text = INSERT

    def __init__(self, mapping: Mapping, inner: Node) -> None:
        self.mapping = mapping
        self.inner = inner

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        return position.stage.insert(self, scope, position.address.known(scope))


class Splice(Expression):
    """A list with one or more `- <<`; `inner` has what each of them inserts, by its position."""

    __slots__ = ("inner", "items", "key", "sequence")
    text = "- " + INSERT

    def __init__(self, sequence: Sequence, items: list[Node], inner: dict[int, Node], key: str) -> None:
        self.sequence = sequence
        self.items = items
        self.inner = inner
        self.key = key

    def evaluate(self, scope: Scope) -> Node:
        position = scope.written
        assert isinstance(position, StagePosition)
        return position.stage.splice(self, scope, position.address.known(scope))


class Stage:
    """A document, its stubs, and the walk through both."""

    def __init__(self, document: Node, stubs: Stubs, given: dict[str, Node], meter: Meter) -> None:
        self.document = document
        self.address = Address.root(stubs, len(stubs.level.nodes))
        self.given = given
        self.meter = meter
        text = document.origin.source.text
        self.clean = INSERT not in text and TAG not in text
        """Whether no part of the document needs a second look unless it is live."""
        self.items = Items()
        self.marked = False
        self.finished: Node | None = None
        self.top = Place()
        self.top.node = self.flow(document, self.address, self.top, raw=True)

    # The walk

    def flow(self, node: Node, address: Somewhere, where: Where, *, raw: bool, override: bool = True) -> Node:
        """A tree as it is in this stage. What is not `raw` has been through a stage already."""
        return _Walk(self, raw).run(node, address, where, override)

    # Values of expressions

    def value(self, dynaml: Recognised, scope: Scope, position: StagePosition) -> Node:
        address = position.address.known(scope)
        node = address.found() if position.override and address.nodes else None
        if node is not None and dynaml.plain:
            return node
        try:
            value, effects, prefer = self.run(dynaml, scope, position.staged(address))
        except Denied:
            raise
        except Fault:
            if node is not None:
                return node
            if position.around is not None and _optional(dynaml, address):
                return Inserted(Scalar(None, "null"), Effects())
            raise
        if position.around is not None:
            return Inserted(value, effects)
        result = self.under_stubs(value, effects, prefer, position, address, scope.place)
        return self.mark(result, effects) if effects.marks else result

    def run(self, dynaml: Recognised, scope: Scope, staged: StagedPlace) -> tuple[Node, Effects, bool]:
        """The value of an expression. A text that looks like an expression again is one."""
        merged = False
        for _ in range(ROUNDS):
            value, effects = dynaml.run(scope, staged)
            merged = effects.merged = merged or effects.merged
            if not isinstance(value, Scalar) or not isinstance(value.source, Computed) or not looks_like(value.text):
                return value, effects, dynaml.prefer
            dynaml = read(value.text)
        raise TEXT_LOOP.error(Label(scope.node.origin), hint=f"after {ROUNDS} rounds it is still `{dynaml.text}`")

    def under_stubs(
        self, value: Node, effects: Effects, prefer: bool, position: StagePosition, address: Address, place: Place
    ) -> Node:
        """What a value becomes under the stubs: overridden as a whole, merged with them below, or as it is."""
        at = effects.redirect
        merged = effects.merged or at is not None  # also where what was merged failed, and `||` gave a default
        at = at if isinstance(at, Address) else address
        container = isinstance(value, Mapping | Sequence)
        if position.override and not merged and not (prefer and container):
            return in_place_of(at.found() or value, value)
        if not container or effects.replace:
            return value
        if effects.key and isinstance(value, Sequence):
            value = keyed(value, effects.key)
        if position.index >= 0:
            name = text_of(value.entries.get(position.field)) if isinstance(value, Mapping) else None
            at = address.child(f"[{position.index}]" if name is None else f"{position.field}:{name}")
        return self.flow(value, at, place, raw=False)

    def mark(self, node: Node, effects: Effects) -> Node:
        self.marked = True
        return marked(node, effects.marks[-1])

    # Insertions

    def insert(self, insertion: Insertion, scope: Scope, address: Address) -> Node:
        """A map with what its `<<` brings: keys that sort before `<<` give way to it, all others win over it."""
        mapping = insertion.mapping
        got = scope.known(insertion.inner, scope.place.child(INSERT))
        value, effects = (got.value, got.effects) if isinstance(got, Inserted) else (got, Effects())
        base = value.entries if isinstance(value, Mapping) else {}
        tag = None
        if effects.marks:
            self.marked, tag = True, effects.marks[-1]
        if effects.replace:
            return Mapping(dict(base), mapping.source, mapping.at, tag)
        address = effects.redirect if isinstance(effects.redirect, Address) else address
        written = {key: node for key, node in mapping.entries.items() if key != INSERT}
        before: dict[Key, Node] = {key: node for key, node in written.items() if isinstance(key, str) and key < INSERT}
        entries: dict[Key, Node] = {
            **before,
            **base,
            **{key: node for key, node in written.items() if key not in before},
        }
        finished = isinstance(got, Inserted)
        result: dict[Key, Node] = {}
        for key, node in entries.items():
            raw = not (finished and base.get(key) is node)
            result[key] = self.flow(node, address.child(str(key)), scope.place.child(key), raw=raw)
        return Mapping(result, mapping.source, mapping.at, tag, any(node.live for node in result.values()), parts=())

    def splice(self, splice: Splice, scope: Scope, address: Address) -> Node:
        """A list with what each `- <<` brings, except items that the list has by name: those are merged where they
        position."""
        key, items = splice.key, []
        finished: set[int] = set()
        tag = None
        for position, item in enumerate(splice.items):
            if position not in splice.inner:
                items.append(item)
                continue
            got = scope.known(splice.inner[position], scope.place.child(position).child(INSERT))
            value, effects = (got.value, got.effects) if isinstance(got, Inserted) else (got, Effects())
            if effects.marks:
                self.marked, tag = True, effects.marks[-1]
            if not isinstance(value, Sequence):
                continue
            key = effects.key or field_of(value) or key
            if effects.replace:
                return keyed(Sequence(value.items, splice.sequence.source, splice.sequence.at, tag), key)
            new = _new_items(value.items, splice.items, key or "name")
            address = effects.redirect if isinstance(effects.redirect, Address) else address
            finished.update(map(id, new))
            items.extend(new)
        made = Sequence(items, splice.sequence.source, splice.sequence.at, tag, True)
        return _Walk(self, True, finished).items_of(keyed(made, key), address, scope.place)


def _optional(dynaml: Recognised, address: Address) -> bool:
    """`<<: (( merge ))` alone may find nothing, unless an outer redirect gives its path."""
    return isinstance(dynaml, Dynaml) and isinstance(dynaml.tree, Merge) and dynaml.tree.simple and not address.moved


def _new_items(brought: list[Node], written: list[Node], field: str) -> list[Node]:
    names = {
        name for item in written if isinstance(item, Mapping) and (name := text_of(item.entries.get(field))) is not None
    }
    return [item for item in brought if not isinstance(item, Mapping) or text_of(item.entries.get(field)) not in names]


def keyed(node: Sequence, key: str) -> Sequence:
    """A list whose items are identified by another field than `name`."""
    if not key:
        return node
    return Sequence(node.items, node.source, node.at, node.tag, node.live, node.parts, ListRule("key", (key,)))


def field_of(node: Sequence) -> str:
    """The field that a list says tells its items apart."""
    return node.rule.keys[0] if node.rule is not None and node.rule.keys else ""


def is_insertion(item: Node) -> bool:
    """Whether a list item is a `- <<: ...` and nothing else."""
    return isinstance(item, Mapping) and len(item.entries) == 1 and INSERT in item.entries


class _Walk:
    """One walk through a tree, by a stack of its own."""

    def __init__(self, stage: Stage, raw: bool, finished: set[int] | None = None) -> None:
        self.stage = stage
        self.raw = raw
        self.finished = finished or set()
        """Parts that have been through a stage, among those that have not."""
        self.work: list[tuple[dict[Key, Node] | list[Node], Key | int, Node, Somewhere, Where, bool, bool]] = []
        self.made: list[Mapping | Sequence] = []

    def run(self, node: Node, address: Somewhere, where: Where, override: bool = True) -> Node:
        holder: list[Node] = [node]
        self.work.append((holder, 0, node, address, where, override, self.raw))
        self.finish()
        return holder[0]

    def items_of(self, node: Sequence, address: Address, place: Place) -> Node:
        """A list whose insertions are done."""
        self.made.append(node)
        for index, item in enumerate(node.items):
            self.item(node, index, item, address, place, id(item) not in self.finished, field_of(node) or "name")
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
            elif isinstance(node, Mapping) and not self.at_rest(node, address, raw):
                self.mapping(target, key, node, address, where, raw)
            elif isinstance(node, Sequence) and not self.at_rest(node, address, raw):
                self.sequence(target, key, node, address, where, raw)
        for container in reversed(self.made):
            below = container.entries.values() if isinstance(container, Mapping) else container.items
            container.live = any(child.live for child in below)

    def at_rest(self, node: Mapping | Sequence, address: Somewhere, raw: bool) -> bool:
        """Whether nothing can happen to a container: no stub has anything there, or it comes from there."""
        if node.live or isinstance(address, Later) or (raw and not self.stage.clean):
            return False
        return not address.nodes or address.nodes[0] is node

    def scalar(self, target: object, key: Key | int, node: Scalar, address: Somewhere, override: bool) -> None:
        if not override:
            return
        if isinstance(address, Later):
            position = StagePosition(self.stage, address, True)
            target[key] = Suspension(Plain(node), node.source, node.at, position)  # type: ignore[index]
        elif address.nodes:
            target[key] = in_place_of(address.found() or node, node)  # type: ignore[index]

    def suspension(
        self, target: object, key: Key | int, node: Suspension, address: Somewhere, override: bool, **item: object
    ) -> None:
        """An expression is overridden as a whole, before it is evaluated where nothing else depends on it."""
        expression = node.expression
        if not isinstance(expression, StagedExpression):
            return
        if override and isinstance(address, Address) and address.nodes and expression.dynaml.plain:
            target[key] = address.found()  # type: ignore[index]
            return
        position = StagePosition(self.stage, address, override, **item)  # type: ignore[arg-type]
        target[key] = Suspension(expression, node.source, node.at, position)  # type: ignore[index]

    def mapping(
        self, target: object, key: Key | int, node: Mapping, address: Somewhere, where: Where, raw: bool
    ) -> None:
        if raw and INSERT in node.entries:
            target[key] = self.insertion(node, address, where)  # type: ignore[index]
            return
        entries = dict(node.entries)
        made = Mapping(entries, node.source, node.at, node.tag, False, node.marks, node.parts)
        self.made.append(made)
        target[key] = made  # type: ignore[index]
        for name, child in node.entries.items():
            self.work.append((entries, name, child, address.child(str(name)), (where, name), True, raw))

    def insertion(self, node: Mapping, address: Somewhere, where: Where) -> Suspension:
        inner = self.inserted(node.entries[INSERT], address, (where, INSERT), node)
        return Suspension(Insertion(node, inner), node.source, node.at, StagePosition(self.stage, address))

    def inserted(self, node: Node, address: Somewhere, where: Where, around: Mapping | Sequence) -> Node:
        """What a `<<` holds: an expression with the address of its container, or a map by an alias."""
        if isinstance(node, Suspension):
            return Suspension(node.expression, node.source, node.at, StagePosition(self.stage, address, around=around))
        return _Walk(self.stage, True).run(node, address, where, False)

    def sequence(
        self, target: object, key: Key | int, node: Sequence, address: Somewhere, where: Where, raw: bool
    ) -> None:
        items, tag = untagged_items(node.items) if raw else (node.items, "")
        field = tag or field_of(node)
        if raw and any(map(is_insertion, items)):
            inner = {
                index: self.inserted(item.entries[INSERT], address, ((where, index), INSERT), node)
                for index, item in enumerate(items)
                if isinstance(item, Mapping) and is_insertion(item)
            }
            position = StagePosition(self.stage, address)
            target[key] = Suspension(Splice(node, items, inner, field), node.source, node.at, position)  # type: ignore[index]
            return
        made = keyed(Sequence(list(items), node.source, node.at, node.tag, False, node.parts), field)
        self.made.append(made)
        target[key] = made  # type: ignore[index]
        for index, item in enumerate(items):
            self.item(made, index, item, address, where, raw, field or "name")

    def item(
        self, made: Sequence, index: int, item: Node, address: Somewhere, where: Where, raw: bool, field: str
    ) -> None:
        """An item is addressed by its name, or by its position; a plain value in a list is never overridden."""
        if isinstance(item, Suspension):
            self.suspension(made.items, index, item, address, False, index=index, field=field)
            return
        name = item.entries.get(field) if isinstance(item, Mapping) else None
        waits = isinstance(name, Suspension) and (isinstance(address, Later) or bool(address.nodes))
        if waits and isinstance(item, Mapping) and INSERT not in item.entries:
            self.named_later(made, index, item, Later(address, "", place_of((where, index)), field, index), raw)
            return
        known = text_of(name)
        inner = address.child(f"[{index}]" if known is None else f"{field}:{known}")
        self.work.append((made.items, index, item, inner, (where, index), False, raw))

    def named_later(self, made: Sequence, index: int, item: Node, address: Later, raw: bool) -> None:
        """An item whose name is an expression: the walk below it waits for nothing, its values do.

        What a stub has for the item depends on its name. So the name is computed beside the item, in a copy that no
        stub changes.
        """
        assert address.place is not None
        node = _Walk(self.stage, raw).run(item, address, address.place, False)
        address.place.node = made.items[index] = node
        name = node.entries[address.field] if isinstance(node, Mapping) else None
        if isinstance(node, Mapping) and isinstance(name, Suspension):
            beside = Place(address.place.parent, index)
            beside.node = _Walk(self.stage, raw).run(item, self.stage.address.nowhere(), beside, False)
            node.entries[address.field] = Bound(name, beside.child(address.field))


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
        if isinstance(item, Mapping):
            for name in item.entries:
                if isinstance(name, str) and name.startswith(TAG) and len(name) > len(TAG):
                    found = name[len(TAG) :]
                    item = _renamed(item, name, found)
                    break
        clean.append(item)
    return clean, found


def _renamed(item: Mapping, old: str, new: str) -> Mapping:
    entries: dict[Key, Node] = {new if key == old else key: node for key, node in item.entries.items()}
    return Mapping(entries, item.source, item.at, item.tag, item.live, item.marks)
