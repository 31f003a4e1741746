"""JSON patches (RFC 6902) on resources, in place."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import Mapping, Node, Scalar, Sequence, children, equal
from plait.fronts.kustomize.history import COPIED, History, child, copied, own
from plait.report.catalog import KUSTOMIZE_PATCH
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.diagnostic import PlaitError
    from plait.fronts.kustomize.history import Holder

PATCHED = "patched by"


def is_json_patch(node: Node) -> bool:
    """Whether a document is a list of operations."""
    return isinstance(node, Sequence)


class JsonPatch:
    """The operations of one patch."""

    __slots__ = ("_asked", "_history", "_operations")

    def __init__(self, operations: Node, history: History, asked: Node | None) -> None:
        self._operations = (
            [item for item in operations.items if isinstance(item, Mapping)] if isinstance(operations, Sequence) else []
        )
        self._history = history
        self._asked = asked

    def apply(self, root: Mapping) -> None:
        for operation in self._operations:
            name = word(operation, "op")
            run = _OPERATIONS.get(name)
            if run is None:
                why = f"unknown operation `{name}`" if name else "an operation has no `op`"
                hint = did_you_mean(name, list(_OPERATIONS)) or f"write one of: {', '.join(_OPERATIONS)}"
                raise KUSTOMIZE_PATCH.error(Label(operation.entries.get("op", operation).origin), why=why, hint=hint)
            run(self, root, operation)

    def _at(self, root: Mapping, operation: Mapping, name: str = "path") -> tuple[Holder, str | int]:
        """The container and the key or index that a pointer means."""
        node = operation.entries.get(name)
        steps = pointer(word(operation, name))
        if not steps:
            raise _bad(node or operation, "a path names a field, as in `/spec/replicas`")
        holder: Node = root
        for depth, step in enumerate(steps[:-1]):
            found = child(holder, self._key(holder, step, operation))
            if found is None:
                gone = "/".join(("", *steps[: depth + 1]))
                raise _bad(node or operation, f"`{gone}` is not there", _near(holder, step))
            holder = found
        if not isinstance(holder, Mapping | Sequence):
            raise _bad(node or operation, f"`/{'/'.join(steps[:-1])}` is a single value")
        return holder, self._key(holder, steps[-1], operation)

    def _key(self, holder: Node, step: str, operation: Mapping) -> str | int:
        if not isinstance(holder, Sequence):
            return step
        if step == "-":
            return len(holder.items)
        if not step.lstrip("-").isdecimal():
            raise _bad(operation.entries.get("path", operation), f"`{step}` is not an index of a list")
        at = int(step)
        return at if at >= 0 else len(holder.items) + at

    def _value(self, operation: Mapping) -> Node:
        value = operation.entries.get("value")
        if value is None:
            raise _bad(operation, f"`{word(operation, 'op')}` has no value", "add `value: ...`")
        return own(value, self._history, PATCHED, self._asked)

    def _put(self, holder: Holder, key: str | int, node: Node) -> None:
        before = child(holder, key)
        if isinstance(node, Scalar) and id(node) in self._history.changes:
            self._history.changes[id(node)].before = before
        if isinstance(holder, Mapping):
            holder.entries[str(key)] = node
        else:
            holder.items[int(key)] = node

    def _add(self, root: Mapping, operation: Mapping) -> None:
        self._insert(*self._at(root, operation), self._value(operation), operation)

    def _insert(self, holder: Holder, key: str | int, node: Node, operation: Mapping) -> None:
        if isinstance(holder, Mapping):
            self._put(holder, key, node)
        elif 0 <= int(key) <= len(holder.items):
            holder.items.insert(int(key), node)
        else:
            raise _bad(operation.entries.get("path", operation), f"the list has only {len(holder.items)} items")

    def _existing(self, root: Mapping, operation: Mapping, name: str = "path") -> tuple[Holder, str | int, Node]:
        holder, key = self._at(root, operation, name)
        found = child(holder, key)
        if found is None:
            why = f"`{word(operation, name)}` is not there"
            raise _bad(operation.entries.get(name, operation), why, _near(holder, str(key)))
        return holder, key, found

    def _replace(self, root: Mapping, operation: Mapping) -> None:
        holder, key, _ = self._existing(root, operation)
        self._put(holder, key, self._value(operation))

    def _remove(self, root: Mapping, operation: Mapping) -> None:
        holder, key, _ = self._existing(root, operation)
        self._history.remove(holder, key, operation)

    def _move(self, root: Mapping, operation: Mapping) -> None:
        holder, key, found = self._existing(root, operation, "from")
        self._history.remove(holder, key, operation)
        self._insert(*self._at(root, operation), found, operation)

    def _copy(self, root: Mapping, operation: Mapping) -> None:
        _, _, found = self._existing(root, operation, "from")
        nodes = [found]
        for node in nodes:
            self._history.meter.step(COPIED, Label(operation.origin))
            nodes += [below for _, below in children(node)]
        self._insert(*self._at(root, operation), copied(found), operation)

    def _test(self, root: Mapping, operation: Mapping) -> None:
        holder, key = self._at(root, operation)
        found, wanted = child(holder, key), operation.entries.get("value")
        same = found is wanted if found is None or wanted is None else equal(found, wanted)
        if not same:
            labels = [Label(operation.origin)] + ([Label(found.origin, "this value")] if found is not None else [])
            why = f"the test of `{word(operation, 'path')}` fails"
            raise KUSTOMIZE_PATCH.error(*labels, why=why, hint="change the patch, or what it expects")


_OPERATIONS: dict[str, Callable[[JsonPatch, Mapping, Mapping], None]] = {
    "add": JsonPatch._add,
    "remove": JsonPatch._remove,
    "replace": JsonPatch._replace,
    "move": JsonPatch._move,
    "copy": JsonPatch._copy,
    "test": JsonPatch._test,
}


def pointer(text: str) -> list[str]:
    """The steps of a JSON pointer."""
    return [step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:]]


def _near(holder: Node, step: str) -> str:
    return did_you_mean(step, [str(key) for key in holder.entries]) if isinstance(holder, Mapping) else ""


def _bad(node: Node, why: str, hint: str = "") -> PlaitError:
    return KUSTOMIZE_PATCH.error(Label(node.origin), why=why, hint=hint)
