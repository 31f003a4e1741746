"""Expanding: a map with directives is what they bring in, merged, under its own keys.

A directive is resolved when the map is asked for, so that directives may refer to each other in any order. Its
lookup steps through written keys first, and through merged ones only where the key is not written. What is found is
evaluated where it lands: a relative path in it means its new surroundings.
"""

from __future__ import annotations

from itertools import islice

from plait.core.diagnostic import Diagnostic, Fault, Label, NotKnown, PlaitError
from plait.core.expression import Expression
from plait.core.find import entry_key
from plait.core.node import (
    Bound,
    Inherited,
    Key,
    ListNode,
    MapNode,
    Mark,
    Node,
    Overlay,
    Scalar,
    Suspension,
    Unknown,
    key_text,
    text,
    unbound,
)
from plait.core.role import DIRECTIVE, Role
from plait.core.scope import Blocked, Place
from plait.core.struct import struct
from plait.core.visible import counted
from plait.core.walk import nothing_known, remade
from plait.notations.directives.grammar import RAW, STRATEGY, Directive
from plait.report.catalog import CYCLE, LEADS_NOWHERE, NO_MAP
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from plait.core.scope import Scope
    from plait.core.source import Computed, Source


LANDINGS = 1000
"""For so many places at which a map lands what its directives brought in is kept."""


class DirectiveFile:
    """A file with directives, and what its front knows of it."""

    __slots__ = ()

    def found(self, node: Suspension) -> None:
        """A map with directives was read."""
        raise NotImplementedError

    def named(self, name: str, node: Node) -> None:
        """Something has a name."""
        raise NotImplementedError

    def anchor(self, name: str) -> Node | None:
        """What has a name, in this file or any other that was read."""
        raise NotImplementedError

    def names(self) -> Iterable[str]:
        """All names there are."""
        raise NotImplementedError

    def included(self, scope: Scope, use: Use, place: Place, guard: Guard) -> Node | None:
        """What an include in the map at a place brings in; None for nothing."""
        raise NotImplementedError

    def landed(self, node: Node, place: Place, by: Suspension, use: Use) -> Place | None:
        """Something lands at a place; an error if it is inside itself.

        Its own place, if it may as well be seen from there.
        """
        raise NotImplementedError

    def written_at(self, node: Suspension) -> Place | None:
        """Where a map with directives is written in the document itself; None for one of another file."""
        raise NotImplementedError


def file_of(node: Suspension) -> DirectiveFile:
    """The file that a map with directives was written in."""
    written = node.written
    assert isinstance(written, DirectiveFile)
    return written


AT_ONCE = 40
"""How many directives one lookup follows by itself before it asks for whole values."""


@struct
class Use:
    """A directive as it is in a map: its key, its value, its place."""

    directive: Directive
    value: Node
    source: Source | Computed
    at: int

    @property
    def raw(self) -> bool:
        value = self.value
        if isinstance(value, MapNode):
            value = value.entries.get("merge", value)
        return isinstance(value, Scalar) and value.value == RAW

    def label(self, text: str = "") -> Label:
        return Label.at(self.source, self.at, text, len(self.directive.key))


class BrokenReference(Exception):
    """A reference without a target: how far it could be followed, or the directives that form a circle."""

    def __init__(
        self, node: Node | None, step: str = "", names: Iterable[str] = (), ring: list[Use] | None = None
    ) -> None:
        super().__init__()
        self.ring = ring or []
        self.node = node
        self.step = step
        self.names: Collection[Key] = node.entries if isinstance(node, MapNode) else dict.fromkeys(names)

    def diagnostic(self, use: Use) -> Diagnostic:
        if self.ring:
            return endless(self.ring).diagnostics[0]
        near = did_you_mean(self.step, self.names) or self._some()
        if isinstance(self.node, ListNode):
            near = f"the list has {counted(len(self.node.items), 'item')}"
        key = use.directive.key
        optional = f"`+?{key[1:]}` if it may be missing"
        return LEADS_NOWHERE(use.label(), key=key, hint="\n".join(filter(None, (near, optional))))

    def _some(self) -> str:
        return f"available: {', '.join(map(key_text, islice(self.names, 8)))}" if self.names else ""


class Directed(Expression):
    """A map with directives."""

    __slots__ = ("_brought", "node", "own", "text", "uses")
    way = "directive"

    def __init__(self, node: MapNode, own: MapNode, uses: list[Use]) -> None:
        self.node = node
        self.own = own
        self.uses = uses
        self.text = ", ".join(use.directive.key for use in uses)
        self._brought: dict[Place, list[Node]] = {}
        """Where a directive brings in a map with directives: what each of them brings in, by the place it lands at."""

    @property
    def may_replace(self) -> bool:
        """Whether what is found takes the place of the map, whatever its kind."""
        return len(self.uses) == 1 and not self.own.entries

    @property
    def data(self) -> Node:
        return self.node

    def evaluate(self, scope: Scope) -> Node:
        try:
            return self._expanded(scope)
        except NotKnown as error:
            error.known = None if self.may_replace else self.own
            raise
        except Inherited as inherited:
            if not isinstance(inherited.failure, Unknown) or self.may_replace:
                raise
            return inherited.failure.over(self.own)

    def names(self, scope: Scope) -> list[tuple[Node, Place]]:
        """What its directives say."""
        said = {key: child for key, child in self.node.entries.items() if key not in self.own.entries}
        return [(as_written(child), scope.place) for child in said.values()]

    def _expanded(self, scope: Scope) -> Node:
        assert isinstance(scope.node, Suspension)
        found = self._found(scope)
        if not found:
            return self.own
        self._note(scope.place, [node for _, node in found])
        if self.may_replace:
            seen = _seen(scope, found[0][1])
            return _without_word(seen) if isinstance(seen, MapNode) else seen
        parts = [self._map(scope, use, node) for use, node in found]
        return scope.service("merge")([*parts, self.own])

    def _note(self, place: Place, found: list[Node]) -> None:
        if any(map(_has_directives, found)):
            self._brought[place] = found
            if len(self._brought) > LANDINGS:
                del self._brought[next(iter(self._brought))]

    def merged_from(self, value: Node, place: Place) -> list[tuple[Node, Role | None]]:
        """What the value was made of, lowest first: what each directive brought in, and the map's own keys."""
        parts = value.parts if isinstance(value, MapNode) and not self.may_replace else ()
        if not parts:
            return [] if value is self.own else [(self._parts(place, (value,))[0], self.brought_by(self.uses))]
        each = len(parts) == len(self.uses) + 1
        roles = (
            [self.brought_by([use]) for use in self.uses] if each else [self.brought_by(self.uses)] * (len(parts) - 1)
        )
        return [*zip(self._parts(place, parts[:-1]), roles, strict=False), (parts[-1], None)]

    def _parts(self, place: Place, parts: tuple[Node, ...]) -> list[Node]:
        """What the directives brought in; a map with directives as it is written, so that these are told, too."""
        found = self._brought.get(place, ())
        if len(found) != len(parts):
            return list(parts)
        return [node if _has_directives(node) else part for node, part in zip(found, parts, strict=True)]

    @staticmethod
    def brought_by(uses: list[Use]) -> Role:
        places = [use.label().origin for use in uses]
        name = ", ".join(f"{use.directive.key} at {place}" for use, place in zip(uses, places, strict=True))
        return Role(DIRECTIVE, name, origin=places[0])

    def _found(self, scope: Scope) -> list[tuple[Use, Node]]:
        """What each directive brings in; all missing ones are reported at once."""
        uses: list[tuple[Use, Node]] = []
        missing: list[Diagnostic] = []
        assert isinstance(scope.node, Suspension)
        for use in self.uses:
            try:
                node = target(scope, scope.node, use, scope.place, ((use, scope.place),))
            except BrokenReference as nowhere:
                if not use.directive.optional:
                    missing.append(nowhere.diagnostic(use))
                continue
            if node is not None:
                node = as_written(node) if use.raw else node
                home = file_of(scope.node).landed(node, scope.place, scope.node, use)
                uses.append((use, Bound(node, home) if home is not None else node))
        if missing:
            raise Fault(*missing)
        return uses

    def _map(self, scope: Scope, use: Use, node: Node) -> MapNode:
        known = scope.part(_seen(scope, node), scope.place)
        if isinstance(known, MapNode):
            return _without_word(known)
        hint = "a directive whose value is not a mapping must be the only key of its mapping"
        raise NO_MAP.error(use.label(), Label(known.origin), key=use.directive.key, kind=known.kind, hint=hint)


def _seen(scope: Scope, node: Node) -> Node:
    """A node as it lands; one that is seen from its own place with everything below it bound to that place."""
    if not isinstance(node, Bound):
        return node
    known, place = scope.part(node, scope.place), node.place
    if isinstance(known, MapNode) and known.live:
        entries = {key: _bound(child, place.child(key)) for key, child in known.entries.items()}
        return known.but(entries=entries, live=True)
    if isinstance(known, ListNode) and known.live:
        items = [_bound(child, place.child(index)) for index, child in enumerate(known.items)]
        return known.but(items=items, live=True)
    return known


def _without_word(node: MapNode) -> MapNode:
    if STRATEGY not in node.entries:
        return node
    entries = {key: child for key, child in node.entries.items() if key != STRATEGY}
    return node.but(entries=entries, marks=())


class Spliced(Expression):
    """A list in which a directive may stand for several items."""

    __slots__ = ("made", "node", "text")
    way = ""

    def __init__(self, node: ListNode, made: ListNode) -> None:
        self.node = node
        self.made = made
        self.text = "a list with directives"

    @property
    def data(self) -> Node:
        return self.node

    def evaluate(self, scope: Scope) -> Node:
        self._wait(scope)
        items: list[Node] = []
        for index, item in enumerate(self.made.items):
            place = scope.place.child(index)
            if not item.live or isinstance(item, Mark):
                items.append(item)
                continue
            known = scope.known(item, place) if _may_replace(item) else item
            if isinstance(known, ListNode) and known is not item:
                items += [_bound(inner, place.child(at)) for at, inner in enumerate(known.items)]
            else:
                items.append(Bound(item, place))
        made = self.made
        return made.but(items=items, live=any(item.live for item in items), parts=())

    def _wait(self, scope: Scope) -> None:
        """All items that may be replaced are asked for at once: a list of n of them is started twice, not n times."""
        wanted: list[tuple[Node, Place]] = []
        for index, item in enumerate(self.made.items):
            if _may_replace(item):
                try:
                    scope.known(item, scope.place.child(index))
                except Blocked as blocked:
                    wanted += blocked.wanted
        if wanted:
            raise Blocked(*wanted)


def shape(node: Node) -> Node:
    """The container that a suspension was written as, without its directives; any other node itself."""
    if isinstance(node, Suspension) and isinstance(node.expression, Directed):
        return node.expression.own
    return node.expression.made if isinstance(node, Suspension) and isinstance(node.expression, Spliced) else node


def unmarked(node: Node) -> Node:
    """What a mark was written as; any other node itself."""
    return node.data or node if isinstance(node, Mark) else node


def _has_directives(node: Node) -> bool:
    meant = node.node if isinstance(node, Bound) else node
    return isinstance(meant, Suspension) and isinstance(meant.expression, Directed)


def _may_replace(node: Node) -> bool:
    return isinstance(node, Suspension) and isinstance(node.expression, Directed) and node.expression.may_replace


def _bound(node: Node, place: Place) -> Node:
    return Bound(node, place) if node.live and not isinstance(node, Bound | Mark) else node


# Looking up

Guard = tuple[tuple[Use, Place], ...]
"""The directives that a lookup is following, and where: none of them is followed again."""


def target(scope: Scope, by: Suspension, use: Use, place: Place, guard: Guard) -> Node | None:
    """What a directive of a map refers to, seen from a place, as it is written. `BrokenReference` if there is nothing
    there."""
    directive, file = use.directive, file_of(by)
    if directive.include:
        return file.included(scope, use, place, guard)
    if directive.anchor is not None:
        named = file.anchor(directive.anchor)
        if named is None:
            raise BrokenReference(None, directive.anchor, file.names())
        return stepped(scope, named, place, directive.path or (), guard)
    try:
        return _followed(scope, directive, place, guard)
    except BrokenReference:
        written = file.written_at(by) if directive.up else None
        if written is None or written is place:
            raise
        return _followed(scope, directive, written, guard)


def _followed(scope: Scope, directive: Directive, place: Place, guard: Guard) -> Node:
    """What is at the path that a directive means at a place."""
    start = place.root
    assert start.node is not None
    return stepped(scope, start.node, start, referred(directive, place), guard)


def referred(directive: Directive, place: Place) -> tuple[Key | int | str, ...]:
    """The path from the root that a directive without an anchor means at a place."""
    path: tuple[Key | int | str, ...] = directive.path or ()
    if not directive.up:
        return path
    above: Place | None = place
    for _ in range(directive.up - 1):
        above = above.parent if above is not None else None
    return (*above.path, *path) if above is not None else path  # type: ignore[arg-type]


def stepped(scope: Scope, node: Node, place: Place, path: tuple[Key | int | str, ...], guard: Guard) -> Node:
    """The node at a path below another one. Where written keys lead nowhere, what is merged in beside them is tried."""
    beside: list[tuple[Suspension, Place, int]] = []
    nowhere: BrokenReference | None = None
    ring: list[Use] = []
    at = 0
    while at < len(path):
        step = path[at]
        node, place = unbound(node, place)
        if (
            isinstance(node, Suspension)
            and isinstance(node.expression, Directed)
            and entry(node.expression.own, step) is not None
        ):
            beside.append((node, place, at))
        child = child_of(scope, node, place, step, guard, ring)
        while child is None:
            nowhere = nowhere or BrokenReference(shape(node), step if isinstance(step, str) else str(step), ring=ring)
            if not beside:
                raise nowhere
            other, place, at = beside.pop()
            step = path[at]
            child = _merged_in(scope, other, place, step, guard, ring)
        node, place, at = child, place.child(step), at + 1
    return node


def child_of(
    scope: Scope, node: Node, place: Place, step: Key | int | str, guard: Guard, ring: list[Use]
) -> Node | None:
    """One step down: through what is written, else through what is merged in."""
    if isinstance(node, Suspension) and isinstance(node.expression, Directed):
        own = entry(node.expression.own, step)
        return own if own is not None else _merged_in(scope, node, place, step, guard, ring)
    if isinstance(node, Suspension) and isinstance(node.expression, Spliced):
        own = entry(node.expression.made, step)
        if own is not None:
            return own
    if isinstance(node, Suspension | Overlay):
        node = scope.known(node, place)
    return entry(node, step)


def entry(node: Node, step: Key | int | str) -> Node | None:
    """A step into a known value: a key, an index, a letter of a text."""
    if isinstance(node, MapNode):
        key = entry_key(node, step)
        child = node.entries[key] if key is not None else None
        return child.data if isinstance(child, Mark) else child
    index = int(step) if isinstance(step, str) and step.isdecimal() else step
    if not isinstance(index, int):
        return None
    if isinstance(node, ListNode):
        return node.items[index] if index < len(node.items) else None
    if isinstance(node, Scalar) and isinstance(node.value, str) and index < len(node.value):
        return text(node.value[index], node.source, node.at)
    return None


def _merged_in(
    scope: Scope, node: Suspension, place: Place, step: Key | int | str, guard: Guard, ring: list[Use]
) -> Node | None:
    """A key that a map does not have itself: what its directives bring in, without waiting for the map as a whole.

    A lookup that comes back to a directive which it is following already does not follow it again, and notes the ring.
    """
    if len(guard) > AT_ONCE:
        return entry(scope.known(node, place), step)
    assert isinstance(node.expression, Directed)
    parts: list[Node] = []
    for use in reversed(node.expression.uses):
        again = next((at for at, (other, where) in enumerate(guard) if use is other and place is where), None)
        if again is not None:
            ring[:] = ring or [*(other for other, _ in guard[again:]), use] if again else ring
            continue
        inner = (*guard, (use, place))
        try:
            found = target(scope, node, use, place, inner)
        except BrokenReference as missing:
            ring[:] = ring or missing.ring
            continue
        child = child_of(scope, found, place, step, inner, ring) if found is not None else None
        if child is not None:
            parts.insert(0, child)
            if isinstance(child, Scalar):
                break
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else scope.service("merge_once")(parts)


# As it was written


def as_written(node: Node) -> Node:
    """A node with its directives as data."""
    return remade(node, _as_data, None, nothing_known)


def _as_data(node: Node, _: None) -> tuple[Node, bool]:
    if isinstance(node, Bound):
        node = node.node
    node = unmarked(node)
    if isinstance(node, Suspension) and isinstance(node.expression, Directed | Spliced):
        node = node.expression.node
    if isinstance(node, MapNode) and node.live:
        return MapNode(node.entries, node.source, node.at, node.tag, True, node.marks), True
    if isinstance(node, ListNode) and node.live:
        return ListNode(node.items, node.source, node.at, node.tag, True), True
    return node, False


def endless(uses: list[Use]) -> PlaitError:
    """The error for directives that bring in each other: the chain, beginning with the first one in its file."""
    ring = uses[:-1] if len(uses) > 1 and uses[0] is uses[-1] else uses
    labels = [use.label(use.directive.key) for use in ring]
    start = min(range(len(labels)), key=lambda at: (labels[at].origin.file, labels[at].origin.at))
    labels = labels[start:] + labels[:start]
    return CYCLE.error(*labels, hint="refer to a part that does not contain the directive")
