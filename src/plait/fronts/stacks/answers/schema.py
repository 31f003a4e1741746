"""JSON Schema for manifests, components and the configuration: each finding at the line and column it is about.

The schemas of plait are the JSON files in `documents/`. Another one for manifests can be named by
`schemas.atmos.manifest`. Values that are functions or templates are not checked: what they give is not known yet.
"""

from __future__ import annotations

import json
from pkgutil import get_data

from plait.core.diagnostic import Diagnostic, Label
from plait.core.find import step_into
from plait.core.meter import Meter
from plait.core.node import ListNode, MapNode, Mark, Node, Scalar
from plait.core.path import Path, format_path
from plait.report.catalog import SCHEMA
from plait.report.near import nearest
from plait.schemas import Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

Json = dict[str, object]
MANIFEST, CONFIG = "manifest", "config"
"""The schemas that come with plait."""
PLAIN = ("type", "required", "additionalProperties", "minLength", "enum", "propertyNames")
"""Rules that a container breaks or keeps whatever the values in it are."""
ALTERNATIVES = ("anyOf", "oneOf")


def shipped(name: str) -> Json:
    """A schema that comes with plait."""
    data = get_data("plait.fronts.stacks.answers", f"documents/{name}.json")
    assert data is not None
    found: Json = json.loads(data)
    return found


class Checker:
    """Checks trees against one schema."""

    def __init__(self, schema: Json, meter: Meter | None = None, what: str = "the manifest") -> None:
        """Raises `ImportError` where `jsonschema_rs` is not installed.

        Another schema than ours needs a meter.
        """
        self.schema = schema
        self.what = what
        self.ours = meter is None
        """Whether the schema comes with plait."""
        self._validator = Validator(self.schema, meter)

    def check(self, root: Node) -> list[Diagnostic]:
        """Every finding about a tree, each once."""
        diagnostics: dict[tuple[str, str], Diagnostic] = {}
        for error in self._validator.errors(checkable(root)):
            for leaf in self._leaves(error, root):
                for finding in self._findings(leaf, root):
                    diagnostics.setdefault((finding.message, finding.hint), finding)
        return list(diagnostics.values())

    # Alternatives

    def _leaves(self, error: Any, root: Node) -> list[Any]:
        """What is wrong, without the alternatives that were not meant: of each group, the errors of its best branch."""
        work, found = [error], []
        while work:
            one = work.pop()
            branches = one.branches
            if not branches:
                found.append(one)
                continue
            if any(all(self._is_open(inner, root) for inner in branch) for branch in branches):
                continue  # a value that is not known yet may fit this branch
            likeness, _, best = max((_likeness(branch, one), -number, branch) for number, branch in enumerate(branches))
            if likeness[0]:
                work += best
            else:
                found.append(one)  # no branch takes a value of this type
        return found[::-1]

    def _is_open(self, error: Any, root: Node) -> bool:
        """Whether an error is about a value that is not known yet, or depends on one."""
        node = node_at(root, tuple(error.instance_path))
        return node is not None and not (is_known(node) and (error.kind in PLAIN or not node.live))

    # Findings

    def _findings(self, error: Any, root: Node) -> Iterator[Diagnostic]:
        path = tuple(error.instance_path)
        node = node_at(root, path)
        if self._is_open(error, root):
            return
        if error.kind == "additionalProperties" and isinstance(node, MapNode):
            yield from self._unexpected(node, path, error)
            return
        labels = [Label(node.origin)] if node is not None else []
        yield SCHEMA(*labels, path=format_path(path) or self.what, why=self._why(error, node))

    def _why(self, error: Any, node: Node | None) -> str:
        kind = error.kind
        expected = self._expected(error) if kind in ("type", *ALTERNATIVES) else []
        if expected and kind_of(node) not in expected:
            return f"expected {' or '.join(expected)}, but got {kind_of(node)}"
        if kind == "required":
            return f"`{error.missing}` is missing"
        if kind == "propertyNames":
            return "a name has letters, digits, `_` and `-`, and begins with a letter or `_`"
        if kind in ALTERNATIVES:
            return "it matches several alternatives, but must match exactly one"
        message = str(error.message)
        if kind == "enum":
            message = f"{json_line(error.instance)} is not one of {listed(self._schema_at(list(error.schema_path)))}"
        if isinstance(node, Scalar):
            return message if not node.secret else f"does not satisfy the rule `{kind}`"
        short = message.removeprefix(json_line(error.instance)).strip()
        return short if short != message else f"does not satisfy the rule `{kind}`"

    def _unexpected(self, node: MapNode, path: tuple[object, ...], error: Any) -> Iterator[Diagnostic]:
        holder = self._schema_at(list(error.schema_path)[:-1])
        known = list(holder.get("properties", {})) if isinstance(holder, dict) else []
        for key in error.unexpected:
            near = nearest(str(key), known, 1)
            hint = f"did you mean `{near[0]}`?" if near else f"available: {', '.join(sorted(known))}"
            label = Label(node.key_origin(key) if key in node.entries else node.origin, length=len(str(key)))
            yield SCHEMA(label, path=format_path((*path, str(key))), why="is not known here", hint=hint)  # type: ignore[arg-type]

    def _schema_at(self, path: list[object]) -> Any:
        schema: Any = self.schema
        for step in path:
            if isinstance(schema, list) and isinstance(step, int):
                schema = schema[step]
            else:
                schema = schema.get(step) if isinstance(schema, dict) else None
        return schema

    def _expected(self, error: Any) -> list[str]:
        """The types that would do: of a rule about types, or of all alternatives that say only that the type is
        wrong."""
        branches = error.branches
        errors = [inner for branch in branches for inner in branch] if branches else [error]
        words: list[str] = []
        for inner in errors:
            if inner.kind == "type" and list(inner.instance_path) == list(error.instance_path):
                types = self._schema_at(list(inner.schema_path))
                words += [types] if isinstance(types, str) else list(types or ())
        return list(dict.fromkeys(word for word in words if word != "null"))


def json_line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def listed(choices: object) -> str:
    """`"a", "b" or "c"`."""
    words = [json_line(choice) for choice in choices if choice not in (None, "")] if isinstance(choices, list) else []
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _likeness(branch: list[Any], error: Any) -> tuple[bool, int, int]:
    """How much a value is like one alternative: of its type at all, wrong only deep inside, wrong in few places."""
    here = len(error.instance_path)
    depths = [len(inner.instance_path) for inner in branch]
    typed = not any(inner.kind == "type" and len(inner.instance_path) == here for inner in branch)
    return typed, min(depths, default=0), -len(branch)


def node_at(root: Node, path: Path | tuple[object, ...]) -> Node | None:
    node: Node | None = root
    for step in path:
        node = step_into(node, step) if node is not None else None  # type: ignore[arg-type]
    return node


def kind_of(node: Node | None) -> str:
    """What JSON Schema calls a node's type."""
    if isinstance(node, MapNode):
        return "object"
    if isinstance(node, ListNode):
        return "array"
    value = node.value if isinstance(node, Scalar) else None
    names = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    return names.get(type(value), "string")


def checkable(root: Node) -> object:
    """A tree as data; what is not known yet is null or empty. Without recursion."""
    made: list[object] = [None]
    work: list[tuple[Any, Any, Node]] = [(made, 0, root)]
    while work:
        target, key, node = work.pop()
        value: object = None
        if isinstance(node, MapNode):
            value = entries = {str(name): None for name in node.entries}
            work.extend((entries, str(name), child) for name, child in node.entries.items() if is_known(child))
        elif isinstance(node, ListNode):
            value = items = [""] * len(node.items)
            work.extend((items, index, child) for index, child in enumerate(node.items) if is_known(child))
        elif isinstance(node, Scalar):
            value = node.value
        target[key] = value
    return made[0]


def is_known(node: Node) -> bool:
    return isinstance(node, MapNode | ListNode | Scalar) and not isinstance(node, Mark)
