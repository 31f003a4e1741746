"""JSON patches (RFC 6902) on resources, in place."""

from __future__ import annotations

from math import isfinite

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.floats import shortest
from plait.core.node import ListNode, MapNode, Node, Scalar, children
from plait.fronts.kustomize.generators import as_json, go_json
from plait.fronts.kustomize.history import COPIED, History, child, copied, is_absent, own
from plait.report.catalog import KUSTOMIZE_ADDED, KUSTOMIZE_PATCH
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.diagnostic import Diagnostic, PlaitError
    from plait.fronts.kustomize.history import Holder

PATCHED = "patched by"


def is_json_patch(node: Node) -> bool:
    """Whether a document is a list of operations."""
    return isinstance(node, ListNode)


class JsonPatch:
    """The operations of one patch. `added` are the replacements of fields that were not there."""

    __slots__ = ("_asked", "_history", "_operations", "added")

    def __init__(self, operations: Node, history: History, asked: Node | None) -> None:
        self._operations = (
            [item for item in operations.items if isinstance(item, MapNode)] if isinstance(operations, ListNode) else []
        )
        self._history = history
        self._asked = asked
        self.added: dict[int, Diagnostic] = {}

    def apply(self, root: MapNode) -> None:
        for operation in self._operations:
            name = word(operation, "op")
            run = _OPERATIONS.get(name)
            if run is None:
                why = f"unknown operation `{name}`" if name else "an operation has no `op`"
                hint = did_you_mean(name, list(_OPERATIONS)) or f"write one of: {', '.join(_OPERATIONS)}"
                raise KUSTOMIZE_PATCH.error(Label(operation.entries.get("op", operation).origin), why=why, hint=hint)
            run(self, root, operation)
        _plain_numbers(root, self._history)

    def _at(
        self, root: MapNode, operation: MapNode, name: str = "path", is_new: bool = False
    ) -> tuple[Holder, str | int]:
        """The container and the key or index that a pointer means; with `is_new` where something is put in."""
        node = operation.entries.get(name)
        steps = pointer(word(operation, name))
        if not steps:
            raise _bad(node or operation, "a path names a field, as in `/spec/replicas`")
        holder: Node = root
        for depth, step in enumerate(steps[:-1]):
            found = child(holder, self._key(holder, step, operation))
            if found is None or is_absent(found):
                gone = "/".join(("", *steps[: depth + 1]))
                raise _bad(node or operation, f"`{gone}` is not there", _near(holder, step))
            holder = found
        if not isinstance(holder, MapNode | ListNode):
            raise _bad(node or operation, f"`/{'/'.join(steps[:-1])}` is a single value")
        return holder, self._key(holder, steps[-1], operation, is_new)

    def _key(self, holder: Node, step: str, operation: MapNode, is_new: bool = False) -> str | int:
        """A negative index counts from the end; that of something new, from the end that the list will have."""
        if not isinstance(holder, ListNode):
            return step
        if step == "-" and is_new:
            return len(holder.items)
        if not step.removeprefix("-").isdecimal():
            raise _bad(operation.entries.get("path", operation), f"`{step}` is not an index of a list")
        at = int(step)
        found = at if at >= 0 else len(holder.items) + is_new + at
        if found < 0:
            raise _bad(operation.entries.get("path", operation), f"the list has only {len(holder.items)} items")
        return found

    def _value(self, operation: MapNode) -> Node:
        """What an operation sets: null where it does not say."""
        value = operation.entries.get("value")
        if value is None:
            return Scalar(None, "null", operation.source, operation.at)
        return own(value, self._history, PATCHED, self._asked)

    def _put(self, holder: Holder, key: str | int, node: Node) -> None:
        before = child(holder, key)
        if isinstance(node, Scalar) and id(node) in self._history.changes:
            self._history.changes[id(node)].before = before
        if isinstance(holder, MapNode):
            holder.entries[str(key)] = node
        else:
            holder.items[int(key)] = node

    def _add(self, root: MapNode, operation: MapNode) -> None:
        self._insert(*self._at(root, operation, is_new=True), self._value(operation), operation)

    def _insert(self, holder: Holder, key: str | int, node: Node, operation: MapNode) -> None:
        if isinstance(holder, MapNode):
            self._put(holder, key, node)
        elif 0 <= int(key) <= len(holder.items):
            holder.items.insert(int(key), node)
        else:
            raise _bad(operation.entries.get("path", operation), f"the list has only {len(holder.items)} items")

    def _existing(self, root: MapNode, operation: MapNode, name: str = "path") -> tuple[Holder, str | int, Node]:
        holder, key = self._at(root, operation, name)
        found = child(holder, key)
        if found is None:
            why = f"`{word(operation, name)}` is not there"
            raise _bad(operation.entries.get(name, operation), why, _near(holder, str(key)))
        return holder, key, found

    def _replace(self, root: MapNode, operation: MapNode) -> None:
        if not word(operation, "path") and "path" in operation.entries:
            self._replace_root(root, operation)
            return
        holder, key = self._at(root, operation)
        if isinstance(holder, MapNode) and key not in holder.entries:
            label = Label(operation.entries["path"].origin)
            hint = _near(holder, str(key)) or "write `op: add` if that is what you want"
            self.added[operation.at] = KUSTOMIZE_ADDED(label, name=word(operation, "path"), hint=hint)
        else:
            holder, key, _ = self._existing(root, operation)
        self._put(holder, key, self._value(operation))

    def _replace_root(self, root: MapNode, operation: MapNode) -> None:
        value = self._value(operation)
        if not isinstance(value, MapNode):
            raise _bad(operation, "what replaces a whole resource is a mapping")
        root.entries.clear()
        root.entries.update(value.entries)

    def _remove(self, root: MapNode, operation: MapNode) -> None:
        holder, key, _ = self._existing(root, operation)
        self._history.remove(holder, key, operation)

    def _move(self, root: MapNode, operation: MapNode) -> None:
        holder, key, found = self._existing(root, operation, "from")
        self._history.remove(holder, key, operation)
        self._insert(*self._at(root, operation, is_new=True), found, operation)

    def _copy(self, root: MapNode, operation: MapNode) -> None:
        holder, key = self._at(root, operation, "from")
        if isinstance(holder, MapNode) and key not in holder.entries:
            found: Node = Scalar(None, "null", operation.source, operation.at)
        else:
            found = self._existing(root, operation, "from")[2]
        nodes = [found]
        for node in nodes:
            self._history.meter.step(COPIED, Label(operation.origin))
            nodes += [below for _, below in children(node)]
        self._insert(*self._at(root, operation, is_new=True), copied(found), operation)

    def _test(self, root: MapNode, operation: MapNode) -> None:
        found: Node | None = root
        if word(operation, "path"):
            found = child(*self._at(root, operation))
        wanted = operation.entries.get("value")
        if is_absent(found) or is_absent(wanted):
            same = is_absent(found) and is_absent(wanted)
        else:
            same = found is not None and wanted is not None and go_json(as_json(found)) == go_json(as_json(wanted))
        if not same:
            labels = [Label(operation.origin)] + ([Label(found.origin, "this value")] if found is not None else [])
            why = f"the test of `{word(operation, 'path')}` fails"
            raise KUSTOMIZE_PATCH.error(*labels, why=why, hint="change the patch, or what it expects")


_OPERATIONS: dict[str, Callable[[JsonPatch, MapNode, MapNode], None]] = {
    "add": JsonPatch._add,
    "remove": JsonPatch._remove,
    "replace": JsonPatch._replace,
    "move": JsonPatch._move,
    "copy": JsonPatch._copy,
    "test": JsonPatch._test,
}


def _plain_numbers(root: MapNode, history: History) -> None:
    """Numbers as JSON has them: kustomize turns a resource into JSON to patch it."""
    stack: list[Holder] = [root]
    while stack:
        holder = stack.pop()
        for key, node in list(children(holder)):
            if isinstance(node, MapNode | ListNode):
                stack.append(node)
            elif isinstance(node, Scalar) and isinstance(node.value, float) and isfinite(node.value):
                value = int(node.value) if node.value.is_integer() else node.value
                text = str(value) if isinstance(value, int) else shortest(value, -6, 21)
                history.retype(holder, key, Scalar(value, text, node.source, node.at, None, node.secret))


def pointer(text: str) -> list[str]:
    """The steps of a JSON pointer."""
    return [step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:]]


def _near(holder: Node, step: str) -> str:
    return did_you_mean(step, [str(key) for key in holder.entries]) if isinstance(holder, MapNode) else ""


def _bad(node: Node, why: str, hint: str = "") -> PlaitError:
    return KUSTOMIZE_PATCH.error(Label(node.origin), why=why, hint=hint)
