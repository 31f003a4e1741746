"""`vars`: `$(NAME)` in some fields stands for a field of a resource."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import MapNode, Node, Scalar
from plait.fronts.kustomize.history import child
from plait.fronts.kustomize.resource import ResourceId
from plait.fronts.kustomize.walking import leaves, slots
from plait.report.catalog import KUSTOMIZE_CONFLICT, KUSTOMIZE_FIELD, KUSTOMIZE_NO_MATCH, KUSTOMIZE_NOTHING
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.fronts.kustomize.fields import FieldSpec
    from plait.fronts.kustomize.history import History
    from plait.fronts.kustomize.resource import BuiltResource

FILLED = "variable"
NAME = "metadata.name"


class BuildVariable:
    """One entry of `vars`. It is bound to its resource where it is declared, and read when all names are final."""

    __slots__ = ("name", "node", "path", "resource", "used", "value")

    def __init__(self, node: MapNode) -> None:
        self.node = node
        self.name = word(node, "name")
        self.path = word(node.entries.get("fieldref"), "fieldpath") or _fields(node) or NAME
        self.resource: BuiltResource | None = None
        self.used = False
        self.value: Scalar | None = None
        if not self.name:
            raise KUSTOMIZE_FIELD.error(Label(node.origin), why="a variable has a `name` and an `objref`")

    def bind(self, resources: list[BuiltResource]) -> None:
        """Find the resource that it names."""
        reference = self.node.entries.get("objref")
        group, version, kind, name = (word(reference, key) for key in ("group", "version", "kind", "name"))
        api = word(reference, "apiVersion") or f"{group}/{version}".removeprefix("/")
        wanted = ResourceId(api, kind, word(reference, "namespace"), name)
        is_there = bool(word(reference, "namespace"))
        found = [one for one in resources if any(_same(wanted, past, is_there) for past in one.ids)]
        if len(found) > 1:
            labels = (Label(self.node.origin), *(Label(one.document.origin) for one in found))
            raise KUSTOMIZE_CONFLICT.error(*labels, why=f"the variable `{self.name}` means {len(found)} resources")
        if found:
            self.resource = found[0]

    def read(self, resources: list[BuiltResource]) -> Scalar | None:
        """Its value; None where that is no single one, and nothing is replaced."""
        if self.resource is None:
            names = [f"{one.kind}/{one.name}" for one in resources]
            reference = self.node.entries.get("objref")
            near = did_you_mean(f"{word(reference, 'kind')}/{word(reference, 'name')}", names)
            label = Label((reference or self.node).origin)
            raise KUSTOMIZE_NO_MATCH.error(label, why=f"no resource matches the variable `{self.name}`", hint=near)
        node: Node | None = self.resource.node
        for step in _steps(self.path):
            node = child(node, step) if node is not None else None
        if node is None:
            why = f"`{self.path}` is not in {self.resource.kind}/{self.resource.name}"
            raise KUSTOMIZE_NO_MATCH.error(Label(self.node.origin), why=why)
        return node if isinstance(node, Scalar) else None


def _fields(node: MapNode) -> str:
    reference = node.entries.get("fieldref")
    return word(reference, "fieldPath")


def _steps(path: str) -> list[str | int]:
    steps = path.replace("[", ".").replace("]", "").split(".")
    return [int(step) if step.isdecimal() else step for step in steps if step]


def _same(wanted: ResourceId, one: ResourceId, with_namespace: bool) -> bool:
    same_kind = wanted[:3] == one[:3] and wanted.name == one.name
    return same_kind and (not with_namespace or wanted.namespace == one.namespace)


def fill(
    resources: list[BuiltResource], variables: dict[str, BuildVariable], specs: list[FieldSpec], history: History
) -> Iterator[Diagnostic]:
    """Replace `$(NAME)` everywhere where kustomize does."""
    if not variables:
        return
    for variable in variables.values():
        variable.value = variable.read(resources)
    for resource in resources:
        for spec in [spec for spec in specs if spec.fits(*resource.gvk)]:
            for holder, key in list(slots(resource.node, spec.steps)):
                for place, name, node in list(leaves(holder, key)):
                    if isinstance(node.value, str) and "$" in node.value:
                        made, used = expanded(node, variables)
                        if used or made.value != node.value:
                            reads = tuple(one.value for one in used if one.value is not None)
                            asked = used[0].node if used else None
                            history.put(place, name, made, FILLED, asked, reads=reads)
    for variable in variables.values():
        if not variable.used:
            what = f"the variable `{variable.name}`"
            yield KUSTOMIZE_NOTHING(Label(variable.node.origin), what=what, hint=f"write $({variable.name}) somewhere")


def expanded(node: Scalar, variables: dict[str, BuildVariable]) -> tuple[Scalar, list[BuildVariable]]:
    """A text with its variables filled in; a text that is nothing but a variable has the variable's type."""
    text = node.text
    whole = variables.get(text[2:-1]) if text.startswith("$(") and text.endswith(")") else None
    if whole is not None and whole.value is not None:
        whole.used = True
        value = whole.value
        return Scalar(value.value, value.text, node.source, node.at, None, value.secret), [whole]
    made, at, used = "", 0, []
    while at < len(text):
        dollar = text.find("$", at)
        if dollar < 0 or dollar + 1 >= len(text):
            break
        made += text[at:dollar]
        at = dollar + 2
        follows = text[dollar + 1]
        name, closed, _ = text[at:].partition(")")
        if follows == "$":
            made += "$"
        elif follows == "(" and closed:
            at += len(name) + len(closed)
            variable = variables.get(name)
            if variable is not None and variable.value is not None:
                variable.used = True
                used.append(variable)
                made += variable.value.text
            else:
                made += text[dollar:at]
        else:
            made += f"${follows}"
    made += text[at:]
    return Scalar(made, made, node.source, node.at, None, node.secret), used
