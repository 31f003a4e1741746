"""The tree: values that are known, values that are not known yet, and values that failed.

Nodes are immutable. Known kinds (`Scalar`, `ListNode`, `MapNode`) compare by value; deferred ones by identity.
`live` says that something in or below a node still has to be evaluated; a tree that is not live is finished.

A merged container keeps the `parts` it was made of, lowest first. The history of every value below it, its losers
included, is read from there on demand, so that merging itself stores nothing per value.
"""

from __future__ import annotations

from plait.core.base import Node as Node
from plait.core.lazy import LazyPattern
from plait.core.source import MASK, NOT_IN_COMMIT, SENSITIVE, UNKNOWN, Computed, Origin, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from plait.core.diagnostic import Diagnostic
    from plait.core.expression import Expression
    from plait.core.policy import ListRule, MergePolicy
    from plait.core.scope import Place

    Report = Callable[[str], Diagnostic]
    Change = Callable[["Node"], "Node"]
    Steps = Mapping["Key | int", "tuple[Key | int, Change | None]"]

Value = str | int | float | bool | bytes | None
COMPUTED = "(computed)"
"""What is shown in the place of a value that is not known."""
FAILED = "(error)"
"""What is shown in the place of a value that a mistake in the files prevents."""
STR, NULL = "tag:yaml.org,2002:str", "tag:yaml.org,2002:null"


KEPT: Any = object()
"""Stands for what a node has, where another one is made that differs in some fields."""


class Parts(tuple["Node", ...]):
    """What a container was merged from, lowest first, and the policy that it was merged with.

    A plain tuple of parts is a shallow merge: each key is that of the highest part that has it.
    """

    policy: MergePolicy


class Remade(tuple["Node", ...]):
    """What a container was before a front gave it another form: one container, as it was written or merged.

    `steps` say of each key or item of the new form which one of the container it was made of, and by what, where
    that can be done to what it overrides, too.
    """

    steps: Steps


class Known(Node):
    """A value that is known at its outermost; it may have a tag."""

    __slots__ = ()
    tag: str | None

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, Node) else NotImplemented

    __hash__ = object.__hash__


class Container(Known):
    """A list or a map. `parts` are what it was merged from, lowest first."""

    __slots__ = ()
    parts: tuple[Node, ...]

    @property
    def size(self) -> int:
        raise NotImplementedError

    @property
    def as_key(self) -> str:
        """All of it on one line: `[a, {b: 1}]`. Without recursion."""
        out: list[str] = []
        work: list[Node | str] = [self]
        while work:
            at = work.pop()
            if isinstance(at, ListNode):
                work += ["]", *_with_commas([[item] for item in at.items]), "["]
            elif isinstance(at, MapNode):
                work += ["}", *_with_commas([[value, ": ", key] for key, value in at.entries.items()]), "{"]
            else:
                out.append(at if isinstance(at, str) else at.as_key)
        return "".join(out)


def _with_commas(members: list[list[Node | str]]) -> list[Node | str]:
    """The members of a container, the last one first."""
    return [part for at, member in enumerate(reversed(members)) for part in ([", ", *member] if at else member)]


class Scalar(Known):
    """A single value. `text` is how it was written, so that an untouched number prints as it was.

    `tag` is None for a scalar of the schema, else the tag that is written. `secret` values are never shown: it is True,
    or the words that are printed in their place.
    """

    __slots__ = ("secret", "tag", "text", "value")
    live = False
    kind = "scalar"

    def __init__(
        self,
        value: Value,
        text: str,
        source: Source | Computed = UNKNOWN,
        at: int = 0,
        tag: str | None = None,
        secret: bool | str = False,
    ) -> None:
        self.value = value
        self.text = text
        self.source = source
        self.at = at
        self.tag = tag
        self.secret = secret

    def but(self, value: Value = KEPT, text: str = KEPT, tag: str | None = KEPT, secret: bool | str = KEPT) -> Scalar:
        """The same with other values for some fields."""
        return Scalar(
            self.value if value is KEPT else value,
            self.text if text is KEPT else text,
            self.source,
            self.at,
            self.tag if tag is KEPT else tag,
            self.secret if secret is KEPT else secret,
        )

    @property
    def as_key(self) -> str:
        return self.text

    @property
    def mask(self) -> str:
        """What is printed in its place, where it is secret."""
        return self.secret if isinstance(self.secret, str) else MASK

    def __hash__(self) -> int:
        value = self.value
        return hash((value.__class__, value if value == value else None))  # NaN is NaN here

    def __repr__(self) -> str:
        return (
            "Scalar(<secret>)"
            if self.secret
            else f"Scalar({self.value!r})"
            if isinstance(self.value, str)
            else f"Scalar({self.text})"
        )


Key = str | Node
"""A mapping's key: a plain str where it is text (nearly always), else the node itself."""


class ListNode(Container):
    """A list. `parts` are the lists it was merged from, lowest first; empty for one that was written.

    `rule` is how the list itself asks to be merged with what is below it (`!append`), where it does.
    """

    __slots__ = ("items", "live", "parts", "rule", "tag")
    kind = "sequence"

    def __init__(
        self,
        items: list[Node],
        source: Source | Computed = UNKNOWN,
        at: int = 0,
        tag: str | None = None,
        live: bool = False,
        parts: tuple[Node, ...] = (),
        rule: ListRule | None = None,
    ) -> None:
        self.items = items
        self.source = source
        self.at = at
        self.tag = tag
        self.live = live
        self.parts = parts
        self.rule = rule

    def but(
        self,
        items: list[Node] = KEPT,
        tag: str | None = KEPT,
        live: bool = KEPT,
        parts: tuple[Node, ...] = KEPT,
        rule: ListRule | None = KEPT,
    ) -> ListNode:
        """The same with other values for some fields."""
        return ListNode(
            self.items if items is KEPT else items,
            self.source,
            self.at,
            self.tag if tag is KEPT else tag,
            self.live if live is KEPT else live,
            self.parts if parts is KEPT else parts,
            self.rule if rule is KEPT else rule,
        )

    def __hash__(self) -> int:
        return _hash(self)

    @property
    def size(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"ListNode({len(self.items)} items)"


class MapNode(Container):
    """A map in key order. `marks` are the offsets of its keys, in the same order, for one that was written.

    `alone` says that it asks to replace what is below it (`!replace`).
    """

    __slots__ = ("alone", "entries", "live", "marks", "parts", "tag")
    kind = "mapping"
    is_unbuilt = False
    """Whether it is built when it is asked for. All keys in it are texts, and it has no tags, anchors and aliases."""

    def __init__(
        self,
        entries: dict[Key, Node],
        source: Source | Computed = UNKNOWN,
        at: int = 0,
        tag: str | None = None,
        live: bool = False,
        marks: Sequence[int] = (),
        parts: tuple[Node, ...] = (),
        alone: bool = False,
    ) -> None:
        self.entries = entries
        self.source = source
        self.at = at
        self.tag = tag
        self.live = live
        self.marks = marks
        self.parts = parts
        self.alone = alone

    def but(
        self,
        entries: dict[Key, Node] = KEPT,
        tag: str | None = KEPT,
        live: bool = KEPT,
        marks: Sequence[int] = KEPT,
        parts: tuple[Node, ...] = KEPT,
        alone: bool = KEPT,
    ) -> MapNode:
        """The same with other values for some fields."""
        return MapNode(
            self.entries if entries is KEPT else entries,
            self.source,
            self.at,
            self.tag if tag is KEPT else tag,
            self.live if live is KEPT else live,
            self.marks if marks is KEPT else marks,
            self.parts if parts is KEPT else parts,
            self.alone if alone is KEPT else alone,
        )

    def for_a_look(self) -> MapNode:
        """The map for somebody who looks at it and keeps nothing of it: one that is not built yet stays so."""
        return self

    def fields_unlike(self, other: MapNode) -> tuple[dict[Key, Node], dict[Key, Node]] | None:
        """The entries of both maps without those that are written alike, where neither is built yet: only these are
        built then, and for the caller alone. Those that only the other has come last. None where it has to be found out
        by building them."""
        return None

    def key_origin(self, key: Key) -> Origin:
        """Where a key was written; in a merged mapping, by the highest part that has it."""
        for part in reversed(self.parts):
            if isinstance(part, MapNode) and key in part.entries:
                return part.key_origin(key)
        for mark, name in zip(self.marks, self.entries, strict=False):
            if name == key:
                return Origin(self.source, mark)
        return self.entries[key].origin

    def __hash__(self) -> int:
        return _hash(self)

    @property
    def size(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"MapNode({', '.join(map(str, self.entries))})"


class Deferred(Node):
    """A node whose value must be asked for. Compares by identity: two questions are never the same question."""

    __slots__ = ()
    live = True


class Suspension(Deferred):
    """An expression not yet evaluated. `written` is what its front knows of the place it was written in."""

    __slots__ = ("expression", "written")
    kind = "suspension"

    def __init__(self, expression: Expression, source: Source | Computed, at: int, written: object = None) -> None:
        self.expression = expression
        self.source = source
        self.at = at
        self.written = written

    def __repr__(self) -> str:
        return f"Suspension({self.told!r})"

    @property
    def secret(self) -> bool:
        """Whether it is inside of a value that is marked as secret: what it gives is secret too."""
        return isinstance(self.source, Source) and self.source.conceals_expression(self.at)

    @property
    def told(self) -> str:
        """How it was written, as it may be shown."""
        return MASK if self.secret else self.expression.text

    def as_text(self) -> Scalar:
        """How it was written, as a value."""
        written = self.expression.text
        return Scalar(written, written, self.source, self.at, secret=self.secret)


class Overlay(Deferred):
    """Parts, lowest first, and the policy to merge them with, because one of them is not known yet."""

    __slots__ = ("parts", "policy")
    kind = "overlay"

    def __init__(self, parts: tuple[Node, ...], policy: MergePolicy) -> None:
        self.parts = parts
        self.policy = policy
        self.source = parts[-1].source
        self.at = parts[-1].at

    def __repr__(self) -> str:
        return f"Overlay{self.parts!r}"


class Mark(Deferred):
    """An instruction to the merge, not a value; it is never printed: `!unset`, or `- !merge-by name` heading a list.

    `taken` is what a merge makes of it, where that is not the mark itself. `data` is how it was written, for a notation
    in which it is data wherever no merge takes it from inside a list. `item` names the item of a keyed list that it
    removes: `- !unset {name: web}`.
    """

    __slots__ = ("data", "item", "rule", "taken")
    kind = "mark"

    def __init__(
        self,
        source: Source | Computed,
        at: int,
        rule: ListRule | None = None,
        taken: Node | None = None,
        data: Node | None = None,
        item: Node | None = None,
    ) -> None:
        self.source = source
        self.at = at
        self.rule = rule
        self.taken = taken
        self.data = data
        self.item = item

    def __repr__(self) -> str:
        return f"Mark({self.rule or 'unset'})"


class Bound(Deferred):
    """A node as it is seen from another place: what a reference to something unfinished gives."""

    __slots__ = ("node", "place")
    kind = "bound"

    def __init__(self, node: Node, place: Place) -> None:
        self.node = node
        self.place = place
        self.source = node.source
        self.at = node.at

    def __repr__(self) -> str:
        return f"Bound({self.node!r})"


def unbound(node: Node, place: Place) -> tuple[Node, Place]:
    """The node itself and the place it is to be seen from."""
    while isinstance(node, Bound):
        place = node.place
        node = node.node
    return node, place


class Failure(Node):
    """A value that could not be computed, with what there is to say about it.

    `inherited` marks a value that failed because something it refers to failed; its diagnostics are the same ones.
    """

    __slots__ = ("diagnostics", "inherited")
    live = True
    kind = "failure"

    def __init__(
        self,
        diagnostics: tuple[Diagnostic, ...],
        source: Source | Computed = UNKNOWN,
        at: int = 0,
        inherited: bool = False,
    ) -> None:
        self.diagnostics = diagnostics
        self.source = source
        self.at = at
        self.inherited = inherited

    def saying(self, diagnostics: tuple[Diagnostic, ...]) -> Failure:
        """The same with something else to say about it."""
        return Failure(diagnostics, self.source, self.at, self.inherited)

    def __repr__(self) -> str:
        return f"Failure({self.diagnostics[0].message!r})" if self.diagnostics else "Failure()"


class Clash(Failure):
    """Parts that must not be merged. `report` makes the error, for words that say where it is: see `seen_at`."""

    __slots__ = ("report",)

    def __init__(self, report: Report, source: Source | Computed = UNKNOWN, at: int = 0) -> None:
        super().__init__((report(""),), source, at)
        self.report = report

    def seen_at(self, path: str) -> Failure:
        """The failure as it is reported of a path."""
        return Failure((self.report(f" at `{path}`" if path else ""),), self.source, self.at)


class Unknown(Failure):
    """A value that cannot be known here: something may not or cannot be asked. It is not a mistake in the files.

    Code that needs the value treats it like any value that could not be computed: what is made of it is not known
    either, for the same reason. Two are equal if their expressions and inputs are.
    """

    __slots__ = ("expression", "inputs", "known", "why")
    kind = "unknown"

    def __init__(
        self,
        diagnostics: tuple[Diagnostic, ...],
        source: Source | Computed = UNKNOWN,
        at: int = 0,
        *,
        why: str,
        expression: str,
        inputs: tuple[Node, ...] = (),
        known: Container | None = None,
    ) -> None:
        super().__init__(diagnostics, source, at)
        self.why = why
        """The reason, in words that many values share: `network is not allowed (--allow network)`."""
        self.expression = expression
        """The text that would give the value, as it was written."""
        self.inputs = inputs
        """What the expression would be computed from, as far as that is known."""
        self.known = known
        """The map or list that is merged over it: these keys and items are known whatever it is."""

    def over(self, known: Container | None, *below: Node) -> Unknown:
        """The same with something known merged over it, or with other things below it."""
        return self.with_inputs((*self.inputs, *below), known)

    def saying(self, diagnostics: tuple[Diagnostic, ...]) -> Unknown:
        return self.with_inputs(self.inputs, self.known, diagnostics)

    def with_inputs(
        self, inputs: tuple[Node, ...], known: Container | None, diagnostics: tuple[Diagnostic, ...] = ()
    ) -> Unknown:
        return Unknown(
            diagnostics or self.diagnostics,
            self.source,
            self.at,
            why=self.why,
            expression=self.expression,
            inputs=inputs,
            known=known,
        )

    def __repr__(self) -> str:
        return f"Unknown({self.expression!r})"


class Inherited(Exception):
    """Something that was referred to has failed; there is nothing new to report."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure


def tag_of(node: Node) -> str | None:
    """The tag of a known value."""
    return node.tag if isinstance(node, Known) else None


def same_scalar(a: Node | None, b: Node | None) -> bool:
    """Whether two nodes are equal single values: the short way to know it of most fields of most documents."""
    if a.__class__ is not Scalar or b.__class__ is not Scalar:
        return False
    return a.value.__class__ is b.value.__class__ and a.value == b.value and a.tag == b.tag


def differing_entries(a: MapNode, b: MapNode) -> list[tuple[Key, Node | None, Node | None]]:
    """The keys under which two maps have not one and the same node, with what each has there, in the order of the
    first map."""
    mine, others = a.entries, b.entries
    found: list[tuple[Key, Node | None, Node | None]] = [
        (key, one, other) for key, one in mine.items() if (other := others.get(key)) is not one
    ]
    if not others.keys() <= mine.keys():
        found += [(key, None, other) for key, other in others.items() if key not in mine]
    return found


def equal(left: Node | None, right: Node | None) -> bool:
    """Whether two nodes hold the same data: type and value, order of keys aside; what is not there is equal to nothing
    else. Without recursion."""
    pairs = [(left, right)]
    asked: set[tuple[int, int]] = set()
    while pairs:
        a, b = pairs.pop()
        if a is b:
            continue
        if a.__class__ is not b.__class__:
            return False
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            if a.value.__class__ is not b.value.__class__ or a.tag != b.tag:
                return False
            if a.value != b.value and not (a.value != a.value and b.value != b.value):  # NaN is NaN here
                return False
        elif isinstance(a, Deferred):
            return False
        elif isinstance(a, Failure) and isinstance(b, Failure):
            below = _below(a, b)
            if below is None:
                return False
            if (id(a), id(b)) not in asked:  # many values may be made of one that is not known
                asked.add((id(a), id(b)))
                pairs.extend(below)
        elif isinstance(a, MapNode) and isinstance(b, MapNode):
            if len(a.entries) != len(b.entries) or a.tag != b.tag:
                return False
            for key, child in a.entries.items():
                other = b.entries.get(key)
                if other is None:
                    return False
                if other is not child:
                    pairs.append((child, other))
        elif isinstance(a, ListNode) and isinstance(b, ListNode):
            if len(a.items) != len(b.items) or a.tag != b.tag:
                return False
            pairs.extend(zip(a.items, b.items, strict=True))
    return True


def _below(a: Failure, b: Failure) -> list[tuple[Node, Node]] | None:
    """What must be equal if two values that could not be computed are; None where they differ themselves.

    An error is what its message says.
    """
    if not isinstance(a, Unknown) or not isinstance(b, Unknown):
        same = [d.message for d in a.diagnostics] == [d.message for d in b.diagnostics]
        return [] if same else None
    if a.expression != b.expression or len(a.inputs) != len(b.inputs) or (a.known is None) is not (b.known is None):
        return None
    known = [(a.known, b.known)] if a.known is not None and b.known is not None else []
    return [*zip(a.inputs, b.inputs, strict=True), *known]


def rewrite(
    root: Node,
    leaf: Callable[[Node], Node],
    items_of: Callable[[list[Node]], Iterable[Node]] = list,
    whole: Callable[[MapNode], Node] | None = None,
) -> Node:
    """The same tree with every node that is not a container replaced by what `leaf` makes of it. Without recursion.

    `items_of` says which items of a list stay; `whole` may put something else in the place of a map.
    """
    holder: list[Node] = [root]
    work: list[tuple[dict[Key, Node] | list[Node], Key | int]] = [(holder, 0)]
    while work:
        target, key = work.pop()
        node = target[key]  # type: ignore[index]
        if whole is not None and isinstance(node, MapNode):
            node = whole(node)
        if isinstance(node, MapNode):
            entries = dict(node.entries)
            work.extend((entries, name) for name in entries)
            node = MapNode(entries, node.source, node.at, node.tag, node.live, node.marks, node.parts, node.alone)
        elif isinstance(node, ListNode):
            items = list(items_of(node.items))
            work.extend((items, index) for index in range(len(items)))
            node = ListNode(items, node.source, node.at, node.tag, node.live, node.parts, node.rule)
        else:
            node = leaf(node)
        target[key] = node  # type: ignore[index]
    return holder[0]


def with_entries(node: MapNode, entries: dict[Key, Node], alone: bool | None = None) -> MapNode:
    """A map with other values, in the place of the one that it was written as."""
    if node.parts and alone is None:
        return with_changes(node, {**dict.fromkeys(node.entries), **entries})
    live = any(child.live for child in entries.values())
    written = dict(zip(node.entries, node.marks, strict=False))
    marks = tuple(written.get(key, child.at) for key, child in entries.items()) if written else ()
    return MapNode(
        entries, node.source, node.at, node.tag, live, marks, node.parts, node.alone if alone is None else alone
    )


def with_changes(
    node: MapNode, changes: Mapping[Any, Node | None], change: Callable[[Node], Node] | None = None
) -> MapNode:
    """A map with other values for some keys, or without them; what is not changed comes first, as in any merge.

    `change` is what made the values of those that were there.
    """
    changes = {key: new for key, new in changes.items() if new is not node.entries.get(key)}
    if not changes:
        return node
    kept = {key: child for key, child in node.entries.items() if key not in changes}
    new = {key: value for key, value in changes.items() if value is not None}
    steps = {key: (key, change if key in new else None) for key in (*kept, *new)}
    return remade_map(node, {**kept, **new}, steps)


def remade_map(
    node: Container, entries: dict[Key, Node], steps: Mapping[Any, tuple[Key | int, Change | None]]
) -> MapNode:
    """A container as a map; `steps` as in `Remade`."""
    live = any(child.live for child in entries.values())
    alone = isinstance(node, MapNode) and node.alone
    return MapNode(entries, node.source, node.at, live=live, parts=_history(node, steps), alone=alone)


def remade_list(node: Container, rows: Iterable[tuple[Node, Any, Change | None]]) -> ListNode:
    """A container as a list: each item, the key or item that it was made of, and by what."""
    made = list(rows)
    items = [item for item, _, _ in made]
    steps: Steps = {index: (step, change) for index, (_, step, change) in enumerate(made)}
    live = any(item.live for item in items)
    rule = node.rule if isinstance(node, ListNode) else None
    return ListNode(items, node.source, node.at, live=live, parts=_history(node, steps), rule=rule)


def _history(node: Container, steps: Steps) -> Remade:
    before = node.parts
    made = Remade(before if isinstance(before, Remade) else (node,))
    made.steps = steps
    if isinstance(before, Remade):
        rows = [(new, before.steps.get(step), change) for new, (step, change) in steps.items()]
        made.steps = {new: (old[0], _both(old[1], change)) for new, old, change in rows if old is not None}
    return made


def _both(first: Change | None, second: Change | None) -> Change | None:
    if first is None or second is None:
        return first or second
    return lambda node: second(first(node))


def before_forms(node: Node) -> Node:
    """A container as it was written or merged, before a front gave it another form."""
    parts = node.parts if isinstance(node, Container) else ()
    return parts[0] if isinstance(parts, Remade) else node


def with_items(node: ListNode, items: list[Node], rule: ListRule | None = None) -> ListNode:
    """A list with other items, in the place of the one that it was written as."""
    live = any(item.live for item in items)
    return ListNode(items, node.source, node.at, node.tag, live, node.parts, rule or node.rule)


def is_null(node: Node | None) -> bool:
    """Whether null is written or computed here; where there is nothing, there is no null."""
    return isinstance(node, Scalar) and node.value is None


LITERAL = LazyPattern(r"""["']([^"'\\]+)["']""")
"""A text inside of an expression, in any notation."""


def hidden(root: Node, mask: bool | str = True) -> Node:
    """The same tree with every scalar secret, and masked where a line of its source is shown; what its expressions
    give will be secret. `mask` may be the words that are printed in place of them."""

    def leaf(node: Node) -> Node:
        if isinstance(node, Suspension) and isinstance(node.source, Source):
            node.source.conceal_expression(node.at)
            node.source.secrets.update(LITERAL.compiled().findall(node.expression.text))
        if not isinstance(node, Scalar) or node.secret:
            return node
        if isinstance(node.source, Source) and node.text:
            node.source.secrets.update(line.strip() for line in node.text.splitlines() if line.strip())
        return node.but(secret=mask)

    return rewrite(root, leaf)


def mask_of(*secrets: bool | str) -> bool | str:
    """The mask of what was made of several values, by what `Scalar.secret` is of each: that of a secret, where it was
    made of one."""
    masks = {one for one in secrets if one}
    return masks.pop() if len(masks) == 1 else bool(masks)


def untagged(node: Node) -> Node:
    """The same value without its tag."""
    return node.but(tag=None) if isinstance(node, Scalar | MapNode | ListNode) else node


def in_place_of(value: Node, *below: Node) -> Node:
    """A value that overrides others: it is secret too where one of them is."""
    return hidden(value) if any(map(_has_secret, below)) else value


def _has_secret(node: Node) -> bool:
    if isinstance(node, Scalar):
        return bool(node.secret)
    if not isinstance(node, MapNode | ListNode):
        return False
    before = before_forms(node)
    parts = (node, *node.parts, *(before.parts if isinstance(before, Container) else ()))
    written = any(isinstance(part.source, Source) and part.source.secrets for part in parts)
    return written and bool(secrets_in(node))


def secrets_in(root: Node, clean: dict[int, Node] | None = None) -> list[Scalar]:
    """The secrets in a finished tree. `clean` remembers the containers in which there is none."""
    clean = {} if clean is None else clean
    scalars: list[Scalar] = []
    seen: dict[int, Node] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Scalar):
            if node.secret:
                scalars.append(node)
            continue
        identity = id(node)
        if identity not in seen and identity not in clean:
            seen[identity] = node
            below = (
                node.entries.values() if isinstance(node, MapNode) else node.items if isinstance(node, ListNode) else ()
            )
            stack += [child for child in below if child.__class__ is not Scalar or child.secret]
    if not scalars:
        clean.update(seen)
    return scalars


def _hash(node: Node) -> int:
    """A number that equal containers share, of the first values in them: keys of mappings may be containers."""
    seen: list[int] = []
    stack = [node]
    while stack and len(seen) < 64:
        top = stack.pop()
        if isinstance(top, ListNode):
            seen.append(len(top.items))
            stack.extend(top.items[:8])
        elif isinstance(top, MapNode):
            small = (
                top.entries if len(top.entries) <= 8 else {}
            )  # keys have no order, so that a part of many means nothing
            values = ((key, child) for key, child in small.items() if isinstance(key, str))
            seen.append(len(top.entries))
            seen.append(
                hash(frozenset((key, hash(child) if isinstance(child, Scalar) else 0) for key, child in values))
            )
        else:
            seen.append(hash(top) if isinstance(top, Scalar) else 0)
    return hash(tuple(seen))


def text(value: str, source: Source | Computed = UNKNOWN, at: int = 0) -> Scalar:
    """A text scalar."""
    return Scalar(value, value, source, at)


def whole_text(source: Source, name: Source | None = None) -> Scalar:
    """The text of a file as one value: a secret, where something in it is marked as one."""
    found = source.text
    return Scalar(found, found, name or source, 0, None, secrecy_of(source))


def as_withheld(node: Node, source: Source) -> Node:
    """What was made of a text, masked where nothing of it is shown."""
    return hidden(node, NOT_IN_COMMIT) if source.is_withheld else node


def secrecy_of(source: Source) -> bool | str:
    """What `Scalar.secret` is of the text of a file: a secret, where something in it is marked as one."""
    return SENSITIVE in source.text or (NOT_IN_COMMIT if source.is_withheld else False)


def key_text(key: Key) -> str:
    """A key as people write it in a path or a message."""
    return key if isinstance(key, str) else key.as_key


def sorted_keys(node: MapNode) -> list[Key]:
    """The keys of a map in the order of their texts."""
    return sorted(node.entries, key=key_text)


def children(node: Node) -> Iterator[tuple[Key | int, Node]]:
    """The steps and nodes one level down; nothing for a scalar."""
    if isinstance(node, MapNode):
        yield from node.entries.items()
    elif isinstance(node, ListNode):
        yield from enumerate(node.items)


def plain_value(node: Node, reveal: bool = False) -> object:
    """A finished node as plain Python data; a secret as its mask, and words for what could not be computed. Keys become
    text."""
    made: list[object] = [None]
    work: list[tuple[list[object] | dict[str, object], int | str, Node]] = [(made, 0, node)]
    while work:
        target, key, at = work.pop()
        value: object
        if isinstance(at, MapNode):
            value = entries = dict.fromkeys(key_text(name) for name in at.entries)
            work.extend((entries, key_text(name), child) for name, child in at.entries.items())
        elif isinstance(at, ListNode):
            value = items = [None] * len(at.items)
            work.extend((items, index, child) for index, child in enumerate(at.items))  # type: ignore[misc]
        elif isinstance(at, Unknown) and at.known is not None:
            work.append((target, key, at.known))
            continue
        elif isinstance(at, Failure):
            value = COMPUTED if isinstance(at, Unknown) else FAILED
        else:
            assert isinstance(at, Scalar)
            value = at.mask if at.secret and not reveal else at.value
        target[key] = value  # type: ignore[index]
    return made[0]
