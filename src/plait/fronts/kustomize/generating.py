"""What a kustomization generates: ConfigMaps, Secrets, and the resources of charts."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import MapNode, Node, Scalar
from plait.fronts.kustomize.charts import chart_folder, values_files
from plait.fronts.kustomize.generators import GENERATED, DataGenerator
from plait.fronts.kustomize.history import is_absent
from plait.fronts.kustomize.kustomization import from_folder
from plait.fronts.kustomize.patches import restore
from plait.fronts.kustomize.state import MissingPart
from plait.report.catalog import KUSTOMIZE_CONFLICT, KUSTOMIZE_NO_MATCH, KUSTOMIZE_REMOTE
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.source import Source
    from plait.evaluate.tree import Tree
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource, Maker
    from plait.fronts.kustomize.state import Accumulated, BuildState

    Charts = Callable[[MapNode, Kustomization], list[Tree]]


class Generators:
    """Generates resources in one build."""

    def __init__(self, state: BuildState, charts: Charts) -> None:
        self.state = state
        self._charts = charts

    def generate(self, one: Kustomization, into: Accumulated) -> None:
        for field, kind in (("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")):
            for node in one.maps(field):
                self.data(one, kind, node, into, self.state.maker(one.path, f"{kind}Generator"))
        for node in one.maps("helmCharts"):
            self.chart(one, node, into, self.state.maker(one.path, "HelmChartInflationGenerator"))

    def data(self, one: Kustomization, kind: str, node: MapNode, into: Accumulated, maker: Maker) -> None:
        """A ConfigMap or a Secret."""
        shared = one.mapping("generatorOptions")
        generator = DataGenerator(kind, node, shared, lambda name, item: self.bytes(one, name, item))
        made = generator.resource(self.state.history, maker)
        self._absorb(into, made, node)

    def chart(self, one: Kustomization, node: MapNode, into: Accumulated, maker: Maker) -> None:
        folder = chart_folder(node, one)
        self.state.project.door.check_not_of_git(folder, node.entries.get("name", node))
        if not self.state.project.door.is_folder(folder):
            why = f"there is no folder `{from_folder(folder, one.folder)}` beside it, and plait downloads nothing"
            name = node.entries.get("name", node)
            hint = "helm pull --untar puts it there"
            found = KUSTOMIZE_REMOTE(Label(name.origin), name=word(node, "name"), why=why, hint=hint)
            values = self.state.contents(one, *values_files(node))
            settings = one.fields.get("helmGlobals", MapNode({}))
            self.state.missing.append(MissingPart(name, found, node, settings, *values))
            return
        self.state.link(one, os.path.join(folder, "Chart.yaml"), node)
        for tree in self._charts(node, one):
            for resource in self.state.resources(tree.root, maker, node):
                resource.tree = tree
                into.add(resource, node)

    def bytes(self, one: Kustomization, name: str, item: Node) -> tuple[Source, bytes]:
        return self.state.files.bytes(self.state.file(one, name, item), item)

    def _absorb(self, into: Accumulated, made: BuiltResource, node: Node) -> None:
        """A generated resource: new, or merged with or in place of one that is there."""
        there = into.named(made.id)
        behavior = made.behavior or "create"
        label = Label((node.entries.get("behavior", node) if isinstance(node, MapNode) else node).origin)
        if not there and behavior in ("merge", "replace"):
            names = [f"{one.name}" for one in into.resources if one.kind == made.kind]
            why = f"there is no {made.kind} `{made.name}` to {behavior}"
            if self.state.missing:
                for part in self.state.missing:
                    part.inputs.append(made.node)
                return
            raise KUSTOMIZE_NO_MATCH.error(label, why=why, hint=did_you_mean(made.name, names))
        if not there:
            into.add(made, node)
            return
        if behavior not in ("merge", "replace") or len(there) > 1:
            why = f"{made.kind} `{made.name}` is there already"
            labels = (label, *(Label(one.document.origin, "it is here") for one in there))
            raise KUSTOMIZE_CONFLICT.error(*labels, why=why, hint="`behavior: merge` adds to it, `replace` replaces it")
        self._over(there[0], made, behavior, node)

    def _over(self, old: BuiltResource, new: BuiltResource, behavior: str, node: Node) -> None:
        """Lay a generated resource over an older one, which keeps its name."""
        if behavior == "replace":
            old.origin = new.origin
        for field in ("data", "binaryData"):
            low, high = old.node.entries.get(field), new.node.entries.get(field)
            if isinstance(high, MapNode):
                kept = low.entries if isinstance(low, MapNode) and behavior == "merge" else {}
                target = MapNode(dict(kept), high.source, high.at)
                old.node.entries[field] = target
                for key, value in high.entries.items():
                    assert isinstance(value, Scalar)
                    mine = value.but(tag=None)
                    self.state.history.put(target, str(key), mine, GENERATED, node, value)
            elif behavior == "replace" or is_absent(low):
                old.node.entries.pop(field, None)
        for key in ("type", "immutable"):  # these are always those of the new one
            restore(old.node, key, new.node.entries.get(key))
        for key in ("labels", "annotations"):
            found = new.metadata.entries.get(key)
            if isinstance(found, MapNode):
                own = old.metadata.entries.setdefault(key, MapNode({}, found.source, found.at))
                assert isinstance(own, MapNode)
                own.entries.update(found.entries)
        old.wants_hash = old.wants_hash and new.wants_hash
        old.written.append(node)
