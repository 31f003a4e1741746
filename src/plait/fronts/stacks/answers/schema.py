"""The JSON Schema of a manifest, and what it says about one: each finding at the line and column it is about.

Another schema can be named by `schemas.atmos.manifest`. Values that are functions or templates are not checked: what
they give is not known yet.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label
from plait.core.find import step_into
from plait.core.meter import Meter
from plait.core.node import Mapping, Mark, Node, Scalar, Sequence
from plait.core.path import Path, format_path
from plait.fronts.stacks.config.keys import TYPES
from plait.report.catalog import SCHEMA
from plait.report.near import nearest
from plait.schemas import Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

Json = dict[str, object]

OBJECT: Json = {"type": ["object", "null"]}
TEXT: Json = {"type": ["string", "null"]}
FLAG: Json = {"type": ["boolean", "null"]}
TEXTS: Json = {"type": ["array", "null"], "items": {"type": "string"}}
SCALARS: Json = {"type": ["object", "null"], "additionalProperties": {"type": ["string", "number", "boolean", "null"]}}
LOCALS: Json = {"type": ["object", "null"], "propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_-]*$"}}
STRATEGY: Json = {"enum": ["replace", "append", "merge"]}
SETTINGS: Json = {"type": ["object", "null"], "properties": {"list_merge_strategy": STRATEGY}}

IMPORT: Json = {
    "type": ["array", "null"],
    "items": {
        "type": ["string", "object"],
        "minLength": 1,
        "required": ["path"],
        "additionalProperties": False,
        "properties": {
            "path": {"type": "string", "minLength": 1},
            "context": OBJECT,
            "skip_templates_processing": FLAG,
            "ignore_missing_template_values": FLAG,
            "skip_if_missing": FLAG,
            "nested_imports": TEXT,
            "ttl": {},
        },
    },
}
"""A path, or a map with one: rules about texts and rules about maps do not touch each other."""

METADATA: Json = {
    "type": ["object", "null"],
    "properties": {
        "type": {"enum": ["abstract", "real", None]},
        "enabled": FLAG,
        "locked": FLAG,
        "component": TEXT,
        "name": TEXT,
        "inherits": TEXTS,
        "tags": {"type": ["array", "null"]},
        "labels": SCALARS,
        "custom": OBJECT,
        "terraform_workspace": TEXT,
        "terraform_workspace_pattern": TEXT,
        "terraform_workspace_template": TEXT,
    },
}

OVERRIDES: Json = {
    "type": ["object", "null"],
    "properties": {
        "vars": OBJECT,
        "settings": SETTINGS,
        "env": SCALARS,
        "command": TEXT,
        "providers": OBJECT,
        "hooks": OBJECT,
    },
}

COMPONENT: Json = {
    "type": ["object", "null"],
    "additionalProperties": False,
    "properties": {
        "vars": OBJECT,
        "settings": SETTINGS,
        "env": SCALARS,
        "locals": LOCALS,
        "metadata": METADATA,
        "component": TEXT,
        "command": TEXT,
        "backend": OBJECT,
        "backend_type": TEXT,
        "remote_state_backend": OBJECT,
        "remote_state_backend_type": TEXT,
        "providers": OBJECT,
        "required_providers": OBJECT,
        "required_version": TEXT,
        "hooks": OBJECT,
        "generate": OBJECT,
        "auth": OBJECT,
        "secrets": OBJECT,
        "dependencies": OBJECT,
        "depends_on": {},
        "source": {},
        "provision": OBJECT,
        "retry": OBJECT,
        "test": OBJECT,
        "mocks": {},
        "overrides": OVERRIDES,
        "description": TEXT,
        "templates": OBJECT,
    },
}

TYPE: Json = {
    "type": ["object", "null"],
    "properties": {
        "vars": OBJECT,
        "settings": SETTINGS,
        "env": SCALARS,
        "locals": LOCALS,
        "command": TEXT,
        "backend": OBJECT,
        "backend_type": TEXT,
        "remote_state_backend": OBJECT,
        "remote_state_backend_type": TEXT,
        "providers": OBJECT,
        "required_providers": OBJECT,
        "hooks": OBJECT,
        "generate": OBJECT,
        "dependencies": OBJECT,
        "overrides": OVERRIDES,
    },
}

MANIFEST: Json = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "A stack manifest",
    "type": ["object", "null"],
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "import": IMPORT,
        "vars": OBJECT,
        "settings": SETTINGS,
        "env": SCALARS,
        "locals": LOCALS,
        "metadata": METADATA,
        "overrides": OVERRIDES,
        "hooks": OBJECT,
        "generate": OBJECT,
        "auth": OBJECT,
        "secrets": OBJECT,
        "dependencies": OBJECT,
        **dict.fromkeys(TYPES, TYPE),
        "components": {
            "type": ["object", "null"],
            "additionalProperties": {"type": ["object", "null"], "additionalProperties": COMPONENT},
        },
    },
}


PLAIN = ("type", "required", "additionalProperties", "minLength", "enum", "propertyNames")
"""Rules that a container breaks or keeps whatever the values in it are."""


class Checker:
    """Checks manifests against one schema."""

    def __init__(self, schema: Json | None = None, meter: Meter | None = None) -> None:
        """Raises `ImportError` where the package of the extra `schema` is not installed.

        Another schema than ours needs a meter.
        """
        self.schema = MANIFEST if schema is None else schema
        self._validator = Validator(self.schema, meter)

    def check(self, root: Node) -> list[Diagnostic]:
        """Every finding about a manifest."""
        data = checkable(root)
        return [finding for error in self._validator.errors(data) for finding in self._findings(error, root)]

    def _findings(self, error: Any, root: Node) -> Iterator[Diagnostic]:
        path = tuple(error.instance_path)
        node = node_at(root, path)
        kind = error.kind.name
        if node is not None and not (is_known(node) and (kind in PLAIN or not node.live)):
            return
        if kind == "additionalProperties" and isinstance(node, Mapping):
            yield from self._unexpected(node, path, error)
            return
        expected = self._expected(error.schema_path) if kind in ("type", "anyOf", "oneOf") else []
        if expected and kind_of(node) in expected:
            why = "has not the shape that is expected here"
        elif expected:
            why = f"expected {' or '.join(expected)}, but got {kind_of(node)}"
        elif kind == "propertyNames":
            why = "a name has letters, digits, `_` and `-`, and begins with a letter or `_`"
        else:
            why = error.message
        yield SCHEMA(*([Label.of(node)] if node is not None else []), path=format_path(path) or "the manifest", why=why)

    def _unexpected(self, node: Mapping, path: tuple[object, ...], error: Any) -> Iterator[Diagnostic]:
        holder = self._schema_at(list(error.schema_path)[:-1])
        known = list(holder.get("properties", {})) if isinstance(holder, dict) else []
        for key in node.entries:
            if key not in known:
                near = nearest(str(key), known, 1)
                hint = f"did you mean `{near[0]}`?" if near else f"there are: {', '.join(sorted(known))}"
                label = Label(node.key_origin(key), length=len(str(key)))
                yield SCHEMA(label, path=format_path((*path, str(key))), why="is not known here", hint=hint)  # type: ignore[arg-type]

    def _schema_at(self, path: list[object]) -> Any:
        schema: Any = self.schema
        for step in path:
            schema = schema[step]
        return schema

    def _expected(self, path: Iterable[object]) -> list[str]:
        """The types that would do, from all alternatives."""
        found = self._schema_at(list(path))
        words: list[str] = []
        for alternative in found if isinstance(found, list) else [found]:
            types = alternative.get("type", []) if isinstance(alternative, dict) else alternative
            words += [types] if isinstance(types, str) else list(types)
        return list(dict.fromkeys(word for word in words if word != "null"))


def node_at(root: Node, path: Path | tuple[object, ...]) -> Node | None:
    node: Node | None = root
    for step in path:
        node = step_into(node, step) if node is not None else None  # type: ignore[arg-type]
    return node


def kind_of(node: Node | None) -> str:
    """What JSON Schema calls a node's type."""
    if isinstance(node, Mapping):
        return "object"
    if isinstance(node, Sequence):
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
        if isinstance(node, Mapping):
            value = entries = {str(name): None for name in node.entries}
            work.extend((entries, str(name), child) for name, child in node.entries.items() if is_known(child))
        elif isinstance(node, Sequence):
            value = items = [""] * len(node.items)
            work.extend((items, index, child) for index, child in enumerate(node.items) if is_known(child))
        elif isinstance(node, Scalar):
            value = node.value
        target[key] = value
    return made[0]


def is_known(node: Node) -> bool:
    return isinstance(node, Mapping | Sequence | Scalar) and not isinstance(node, Mark)
