"""The import list of a manifest: paths, and maps with a path and options."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.node import ListNode, MapNode, Node, Scalar, Suspension, plain_value, rewrite
from plait.fronts.stacks.ask.remote import RemoteImport
from plait.fronts.stacks.session.secrets import public_value
from plait.report.catalog import BAD_IMPORT
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.language.scope import FileScope

OPTIONS = (
    "path",
    "context",
    "skip_templates_processing",
    "ignore_missing_template_values",
    "skip_if_missing",
    "nested_imports",
    "ttl",
)


class ImportItem(RemoteImport):
    """One entry of an import list."""

    __slots__ = ("context", "ignore_missing", "simple", "skip")

    def __init__(self, node: Node, path: str, simple: bool = True) -> None:
        super().__init__(node, path)
        self.simple = simple
        """Whether it is a path and nothing else."""
        self.context: dict[str, object] = {}
        self.skip = False
        """Whether the file is imported without rendering its templates."""
        self.ignore_missing = False

    def data(self) -> dict[str, object]:
        """The entry as plain data: its path, and the options that it has."""
        options = {
            "context": self.context,
            "skip_templates_processing": self.skip,
            "ignore_missing_template_values": self.ignore_missing,
            "skip_if_missing": self.skip_missing,
            "nested_imports": self.nested,
            "ttl": self.ttl,
        }
        return {"path": self.path, **{name: value for name, value in options.items() if value}}


def read_items(node: Node | None, scope: FileScope) -> list[ImportItem]:
    """An import list. Anything but a list of paths and maps with a path is an error."""
    if node is None or (isinstance(node, Scalar) and node.value is None):
        return []
    if not isinstance(node, ListNode):
        raise BAD_IMPORT.error(
            Label(node.origin),
            why=f"invalid import section in '{scope.file}': it must be a list",
            hint="write `import:` with `- path` below it",
        )
    return [_item(child, scope) for child in node.items]


def _item(node: Node, scope: FileScope) -> ImportItem:
    if isinstance(node, MapNode):
        return _long_form(node, scope)
    value = written_value(node)
    if not isinstance(value, str) or not value:
        raise _bad(node, scope, "an import is a path, or a map with a `path`")
    return ImportItem(node, value)


def _long_form(node: MapNode, scope: FileScope) -> ImportItem:
    path = node.entries.get("path")
    value = written_value(path) if path is not None else None
    if not isinstance(value, str) or not value:
        raise _bad(node, scope, "a map needs a `path`")
    for key in node.entries:
        if key not in OPTIONS:
            near = nearest(str(key), OPTIONS, 1)
            raise _bad(node, scope, f"unknown option `{key}`" + (f"; did you mean `{near[0]}`?" if near else ""))
    item = ImportItem(path or node, value, simple=False)
    context = node.entries.get("context")
    if context is not None:
        values = _values(context, scope)
        if values is not None and not isinstance(values, dict):
            raise _bad(context, scope, "its `context` must be a map")
        item.context = values or {}
    item.skip = _flag(node, "skip_templates_processing")
    item.ignore_missing = _flag(node, "ignore_missing_template_values")
    item.skip_missing = _flag(node, "skip_if_missing")
    nested = node.entries.get("nested_imports")
    item.nested = str(nested.value).strip().lower() if isinstance(nested, Scalar) else ""
    ttl = node.entries.get("ttl")
    item.ttl = ttl.text if isinstance(ttl, Scalar) else ""
    if item.nested not in ("", "local", "remote"):
        raise _bad(node, scope, "`nested_imports` is `local` or `remote`")
    return item


def _values(node: Node, scope: FileScope) -> object:
    """Plain data: what can be computed, or, where anything cannot, the sources of all that waits."""
    try:
        return scope.session.plain(node, scope.place)
    except Fault:
        return plain_value(rewrite(node, _as_written), reveal=True)


def _as_written(node: Node) -> Node:
    return node.as_text() if isinstance(node, Suspension) else node


def _flag(node: MapNode, name: str) -> bool:
    found = node.entries.get(name)
    return isinstance(found, Scalar) and found.value is True


def written_value(node: Node) -> object:
    """A scalar's value, or the text of an expression: an import's path is rendered later."""
    if isinstance(node, Suspension):
        return node.expression.text
    return public_value(node, "an import path") if isinstance(node, Scalar) else None


def _bad(node: Node, scope: FileScope, why: str) -> PlaitError:
    return BAD_IMPORT.error(
        Label(node.origin),
        why=f"invalid import in '{scope.file}': {why}",
        hint="for example: `- catalog/vpc`, or `- path: catalog/vpc`",
    )
