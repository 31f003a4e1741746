"""A value that a ValueAddTransformer puts at a path of resources, alone or as a part of the path that is there."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import MapNode, Node, Scalar
from plait.fronts.kustomize.fields import path_steps
from plait.fronts.kustomize.history import child, string
from plait.fronts.kustomize.kustomization import READER
from plait.fronts.kustomize.replacements import MADE, places
from plait.fronts.kustomize.transforms import set_namespace
from plait.report.catalog import KUSTOMIZE_FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.kustomize.history import History
    from plait.fronts.kustomize.resource import BuiltResource

ADDED = "added by"
NAMESPACE = "metadata/namespace"


def add_value(resource: BuiltResource, target: MapNode, value: Scalar, history: History) -> None:
    """Put a value where a target says."""
    path = word(target, "fieldPath")
    if not path:
        raise KUSTOMIZE_FIELD.error(Label(target.origin), why="a target of a ValueAddTransformer has a `fieldPath`")
    if path == NAMESPACE:
        set_namespace([resource], value, [], history)
        return
    for holder, key in list(places(resource.node, list(path_steps(path)), value, target)):
        before = child(holder, key)
        if not isinstance(before, Scalar):
            label = Label(target.origin)
            raise KUSTOMIZE_FIELD.error(label, why=f"`{path}` of {resource.kind}/{resource.name} is no single value")
        text = with_part(before.text, _position(target), value.text.strip())
        history.put(holder, key, _typed(text, before, value), ADDED, target, value)
    resource.renamed()


def _position(target: MapNode) -> int:
    found = target.entries.get("filePathPosition")
    return found.value if isinstance(found, Scalar) and isinstance(found.value, int) else 0


def _typed(text: str, before: Scalar, value: Scalar) -> Node:
    """A text is a text where the old value was quoted; else it is what YAML makes of it."""
    was_quoted = isinstance(before.value, str) and not isinstance(READER.schema.resolve(before.text), str)
    if was_quoted and before.tag != MADE:
        return string(text, value)
    return Scalar(READER.schema.resolve(text), text, value.source, value.at, None, value.secret)


def with_part(path: str, position: int, part: str) -> str:
    """A path with one more part, which is the only one where no position is given."""
    if position < 1:
        return part
    parts = [one for one in path.split("/") if one]
    parts.insert(position - 1, part)
    return f"{'/' if path.startswith('/') else ''}{'/'.join(parts)}"
