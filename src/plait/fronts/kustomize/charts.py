"""`helmCharts`: the resources of a chart that is in the repository, rendered by the front of charts."""

from __future__ import annotations

import os

from plait.core.find import items_of, word
from plait.core.node import MapNode, Node, Scalar, secrets_in
from plait.core.unknown import failures_in, fault_of
from plait.fronts.front import Declaration
from plait.fronts.helm_set import SecretFlag
from plait.fronts.kustomize.fields import flag
from plait.fronts.kustomize.generators import as_json, go_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.evaluate.tree import Tree
    from plait.fronts.front import World
    from plait.fronts.kustomize.kustomization import Kustomization

HOME = "charts"
"""The folder of charts beside a kustomization, unless `helmGlobals` says another."""


def chart_folder(node: MapNode, one: Kustomization) -> str:
    """Where the chart of an entry would be."""
    home = word(node, "chartHome") or word(one.fields.get("helmGlobals"), "chartHome") or HOME
    return os.path.normpath(os.path.join(one.folder, home, word(node, "name")))


def chart_resources(world: World, node: MapNode, one: Kustomization) -> list[Tree]:
    """What an entry renders to, each resource as a tree that knows its template and values."""
    name = word(node, "name")
    files = [os.path.normpath(os.path.join(one.folder, file.text)) for file in values_files(node)]
    words: dict[str, object] = {"flags": {"jsons": list(_inline(node))}}
    for key, option in (("releaseName", "release"), ("namespace", "namespace"), ("kubeVersion", "kube_version")):
        if word(node, key):
            words[option] = word(node, key)
    for key, option in (("includeCRDs", "include_crds"), ("skipTests", "skip_tests"), ("skipHooks", "no_hooks")):
        words[option] = flag(node, key)
    words["api_versions"] = [item.text for item in _texts(node, "apiVersions")]
    parameters = {"chart": chart_folder(node, one), "release": words}
    trees = [*world.open(Declaration("chart", name, "", files, node, parameters)).trees().values()]
    missing = [failure for tree in trees if tree.root.live for failure in failures_in(tree.root)]
    if missing:
        raise fault_of(missing)
    return trees


def _texts(node: MapNode, key: str) -> list[Scalar]:
    return [item for item in items_of(node, key) if isinstance(item, Scalar)]


def values_files(node: MapNode) -> list[Scalar]:
    """The names of the files with values that an entry names."""
    own = node.entries.get("valuesFile")
    return [*([own] if isinstance(own, Scalar) and own.text else []), *_texts(node, "additionalValuesFiles")]


def _inline(node: MapNode) -> Iterator[str]:
    """The values that are written in the entry, each as helm's flag for it."""
    stack: list[tuple[str, Node]] = [("", node.entries["valuesInline"])] if "valuesInline" in node.entries else []
    while stack:
        path, value = stack.pop()
        if isinstance(value, MapNode) and value.entries:
            names = [
                (str(key).replace("\\", "\\\\").replace(".", "\\."), child) for key, child in value.entries.items()
            ]
            stack.extend((f"{path}.{name}" if path else name, child) for name, child in reversed(names))
        elif path:
            flag = f"{path}={go_json(as_json(value))}"
            yield SecretFlag(flag) if secrets_in(value) else flag
