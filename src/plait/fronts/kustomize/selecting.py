"""Which resources a selector means: `target` of a patch, `select` and `reject` of a replacement."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import MapNode, Node
from plait.fronts.kustomize.labels import label_test
from plait.regexp import Regexp
from plait.report.catalog import KUSTOMIZE_FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.kustomize.resource import BuiltResource, ResourceId


def whole(pattern: str, node: Node) -> Callable[[str], bool]:
    """Whether a text matches a pattern from its beginning to its end; an empty pattern matches everything."""
    if not pattern:
        return lambda text: True
    if _is_name(pattern):
        return lambda text: text == pattern
    try:
        regexp = Regexp(f"^(?:{pattern.removeprefix('^').removesuffix('$')})$")
    except ValueError as trouble:
        raise KUSTOMIZE_FIELD.error(Label(node.origin), why=f"invalid pattern `{pattern}`: {trouble}") from None
    return lambda text: regexp.found_in(text)


def _is_name(pattern: str) -> bool:
    """Whether a pattern matches nothing but itself."""
    return pattern.replace("-", "").replace("_", "").isalnum()


class Selector:
    """A selector with regular expressions, labels and annotations."""

    __slots__ = ("_annotations", "_labels", "_tests", "node")

    def __init__(self, node: MapNode) -> None:
        self.node = node
        self._tests = [
            whole(word(node, name), node.entries.get(name, node))
            for name in ("group", "version", "kind", "namespace", "name")
        ]
        self._labels = label_test(word(node, "labelSelector"), node)
        self._annotations = label_test(word(node, "annotationSelector"), node)

    @property
    def names_one(self) -> bool:
        """Whether it says the kind and the name of a resource: another one with both would have another namespace."""
        return all(_is_name(word(self.node, key)) for key in ("kind", "name"))

    def selects(self, resource: BuiltResource) -> bool:
        group, version, kind, namespace, name = self._tests
        now, first = resource.id, resource.original
        return (
            (namespace(first.namespace) or namespace(now.namespace))
            and (name(first.name) or name(now.name))
            and group(now.group)
            and version(now.version)
            and kind(now.kind)
            and self.suits(resource)
        )

    def suits(self, resource: BuiltResource) -> bool:
        """Whether its labels and annotations fit."""
        return self._labels(_texts(resource, "labels")) and self._annotations(_texts(resource, "annotations"))

    @property
    def has_labels(self) -> bool:
        return "labelSelector" in self.node.entries or "annotationSelector" in self.node.entries


def _texts(resource: BuiltResource, name: str) -> dict[str, str]:
    return {key: value.text for key, value in resource.texts(name).items()}


NAMES = ("group", "version", "kind", "name", "namespace")


def names_one(node: Node | None, one: ResourceId) -> bool:
    """Whether plain words of a map fit an id; what it does not say fits everything."""
    wanted = [word(node, name) for name in ("group", "version", "kind", "namespace", "name")]
    return all(not text or text == field for text, field in zip(wanted, one, strict=True))


def says_names(node: Node | None) -> bool:
    return any(word(node, name) for name in NAMES)
