"""What a kustomization may contain: every field of it, down to the last one, with its form.

Source: the types of kustomize 5.5 (api/types). kustomize refuses a field that it does not know, and a value of another
form; it takes no notice of capital letters in the names of fields.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import ListNode, MapNode, Node, Scalar, key_text
from plait.report.catalog import KUSTOMIZE_FIELD
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import PlaitError

    Form = str | dict[str, "Form"]
    """A word of `SINGLE`, `any`, or the fields of a mapping; a field whose name ends in `[]` is a list of what is said,
    one that ends in `{}` a mapping of names to it."""

SINGLE = {
    "text": (str, "a text", "put it in quotes"),
    "flag": (bool, "true or false", ""),
    "number": (int, "a whole number", ""),
}


def _texts(names: str) -> dict[str, Form]:
    return dict.fromkeys(names.split(), "text")


_KIND = _texts("group version kind")
_RESOURCE = {**_KIND, **_texts("name namespace")}
_FIELD: dict[str, Form] = {**_KIND, "path": "text", "create": "flag"}
_SELECTOR = {**_RESOURCE, **_texts("labelSelector annotationSelector")}
_PATCH: dict[str, Form] = {**_texts("path patch"), "target": _SELECTOR, "options{}": "flag"}
_IMAGE = _texts("name newName tagSuffix newTag digest")
_OPTIONS: dict[str, Form] = {**_texts("delimiter encoding"), "index": "number", "create": "flag"}
_REPLACEMENT: dict[str, Form] = {
    "path": "text",
    "source": {**_RESOURCE, "fieldPath": "text", "options": _OPTIONS},
    "targets[]": {"select": _SELECTOR, "reject[]": _SELECTOR, "fieldPaths[]": "text", "options": _OPTIONS},
}
_NOTES: dict[str, Form] = {"labels{}": "text", "annotations{}": "text"}
_GENERATOR_OPTIONS: dict[str, Form] = {**_NOTES, "disableNameSuffixHash": "flag", "immutable": "flag"}
_GENERATOR: dict[str, Form] = {
    **_texts("namespace name behavior env"),
    **_texts("literals[] files[] envs[]"),
    "options": _GENERATOR_OPTIONS,
}
_CHART: dict[str, Form] = {
    **_texts("name version repo releaseName namespace valuesFile valuesMerge kubeVersion nameTemplate"),
    **_texts("additionalValuesFiles[] apiVersions[]"),
    **dict.fromkeys(("includeCRDs", "skipHooks", "skipTests", "debug"), "flag"),
    "valuesInline": "any",
}
KUSTOMIZATION: dict[str, Form] = {
    **_texts("apiVersion kind namePrefix nameSuffix namespace"),
    **_texts("resources[] bases[] components[] crds[] configurations[] generators[] transformers[] validators[]"),
    **_texts("patchesStrategicMerge[] buildMetadata[] commonLabels{} commonAnnotations{} openapi{}"),
    "metadata": {**_texts("name namespace"), **_NOTES},
    "labels[]": {
        "pairs{}": "text",
        "includeSelectors": "flag",
        "includeTemplates": "flag",
        "fields[]": _FIELD,
    },
    "patches[]": _PATCH,
    "patchesJson6902[]": _PATCH,
    "images[]": _IMAGE,
    "imageTags[]": _IMAGE,
    "replicas[]": {"name": "text", "count": "number"},
    "replacements[]": _REPLACEMENT,
    "vars[]": {
        "name": "text",
        "objref": {**_RESOURCE, "apiVersion": "text"},
        "fieldref": {"fieldPath": "text"},
    },
    "configMapGenerator[]": _GENERATOR,
    "secretGenerator[]": {**_GENERATOR, "type": "text"},
    "generatorOptions": _GENERATOR_OPTIONS,
    "helmCharts[]": _CHART,
    "helmGlobals": _texts("chartHome configHome"),
    "helmChartInflationGenerator": "any",
    "inventory": "any",
    "sortOptions": {"order": "text", "legacySortOptions": _texts("orderFirst[] orderLast[]")},
}
FIELDS = tuple(name.rstrip("[]{}") for name in KUSTOMIZATION)
"""The fields of a kustomization itself."""


def check_shape(root: MapNode, form: dict[str, Form] | None = None) -> None:
    """Refuse what kustomize does not know, or has in another form."""
    stack: list[tuple[Node, Form, str]] = [(root, form or KUSTOMIZATION, "")]
    while stack:
        node, wanted, name = stack.pop()
        if wanted == "any" or (isinstance(node, Scalar) and node.value is None):
            continue
        if isinstance(wanted, str):
            _check_single(node, wanted, name)
            continue
        if not isinstance(node, MapNode):
            raise _other_form(node, name, "a mapping")
        known = {field.rstrip("[]{}").lower(): field for field in wanted}
        for key, child in reversed(node.entries.items()):
            field = known.get(key_text(key).lower())
            if field is None:
                raise _unknown(node, key_text(key), [one.rstrip("[]{}") for one in wanted])
            stack.extend(_members(child, field, wanted[field]))


def _members(node: Node, field: str, wanted: Form) -> list[tuple[Node, Form, str]]:
    """What is in a field, each with the form that it has to have."""
    name = field.rstrip("[]{}")
    if name == field or (isinstance(node, Scalar) and node.value is None):
        return [(node, wanted, name)]
    if field.endswith("[]"):
        if not isinstance(node, ListNode):
            raise _other_form(node, name, "a list")
        return [(item, wanted, f"{name}[{at}]") for at, item in enumerate(node.items)][::-1]
    if not isinstance(node, MapNode):
        raise _other_form(node, name, "a mapping")
    return [(child, wanted, f"{name}.{key_text(key)}") for key, child in node.entries.items()][::-1]


def _check_single(node: Node, wanted: str, name: str) -> None:
    type, what, hint = SINGLE[wanted]
    value = node.value if isinstance(node, Scalar) else node
    if isinstance(value, float) and type is int and value.is_integer():
        return
    if not isinstance(value, type) or (type is int and isinstance(value, bool)):
        raise _other_form(node, name, what, hint)


def _other_form(node: Node, name: str, what: str, hint: str = "") -> PlaitError:
    is_ = f"`{node.text}` is a {_KINDS[type(node.value).__name__]}" if isinstance(node, Scalar) else node.kind
    return KUSTOMIZE_FIELD.error(Label(node.origin), why=f"`{name}` must be {what}: {is_}", hint=hint)


_KINDS = {"str": "text", "int": "number", "float": "number", "bool": "boolean", "bytes": "text"}


def _unknown(node: MapNode, name: str, known: list[str]) -> PlaitError:
    label = Label(node.key_origin(name), length=len(name)) if name in node.entries else Label(node.origin)
    hint = did_you_mean(name, known) or f"fields: {', '.join(known)}"
    return KUSTOMIZE_FIELD.error(label, why=f"unknown field `{name}`", hint=hint)
