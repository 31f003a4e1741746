"""Transformers and generators that a kustomization names under `transformers` and `generators`: those that are part of
kustomize do here what its fields do; all others are programs, and what they would give is not known."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.find import word
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.plain import from_plain
from plait.fronts.kustomize.fields import flag, specs
from plait.fronts.kustomize.generators import add_hashes
from plait.fronts.kustomize.history import string
from plait.fronts.kustomize.resource import Maker
from plait.fronts.kustomize.selecting import Selector
from plait.fronts.kustomize.state import Accumulated, MissingPart
from plait.fronts.kustomize.transforms import (
    ANNOTATED,
    LABELLED,
    mark,
    rename,
    set_images,
    set_namespace,
    set_replicas,
)
from plait.fronts.kustomize.values import add_value
from plait.report.catalog import KUSTOMIZE_FIELD, KUSTOMIZE_REMOTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.kustomize.generating import Generators
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.resource import BuiltResource
    from plait.fronts.kustomize.state import BuildState
    from plait.fronts.kustomize.transforming import Transformers

    Inner = Callable[[str, Scalar, tuple[str, ...]], list[tuple[Node, Maker]]]
    """The resources that the kustomization of a folder gives, inside of other folders."""

BUILTIN = "builtin"


class PluginRun:
    """One plugin that is part of kustomize, in one kustomization."""

    __slots__ = ("config", "fields", "into", "maker", "one", "plugins")

    def __init__(self, plugins: Plugins, one: Kustomization, config: MapNode, into: Accumulated, maker: Maker) -> None:
        self.plugins = plugins
        self.one = one
        self.config = config
        self.into = into
        self.maker = maker
        self.fields = specs(config.entries.get("fieldSpecs"))

    @property
    def state(self) -> BuildState:
        return self.plugins.state

    def scalar(self, key: str) -> Scalar | None:
        found = self.config.entries.get(key)
        return found if isinstance(found, Scalar) and found.value is not None and found.text else None

    def maps(self, key: str) -> list[MapNode]:
        return maps_of(self.config, key)

    def made(self, **entries: Node | None) -> MapNode:
        """The entry of a kustomization that says the same."""
        made = dict(self.config.entries)
        made.update((key, node) for key, node in entries.items() if node is not None)
        return MapNode(made, self.config.source, self.config.at)


def maps_of(node: Node, key: str) -> list[MapNode]:
    """The mappings of a list, or the only one."""
    found = node.entries.get(key) if isinstance(node, MapNode) else None
    items = found.items if isinstance(found, ListNode) else [found]
    return [item for item in items if isinstance(item, MapNode)]


def _affixes(run: PluginRun) -> None:
    if "fieldSpecs" not in run.config.entries:
        raise KUSTOMIZE_FIELD.error(Label(run.config.origin), why=f"a {word(run.config, 'kind')} has `fieldSpecs`")
    for key, is_prefix in (("prefix", True), ("suffix", False)):
        affix = run.scalar(key)
        if affix is not None:
            rename(run.into.resources, affix, run.fields, run.state.history, is_prefix)


def _labels(run: PluginRun) -> None:
    for pairs in run.maps("labels"):
        mark(run.into.resources, pairs, run.fields, run.state.history, LABELLED)


def _annotations(run: PluginRun) -> None:
    for pairs in run.maps("annotations"):
        mark(run.into.resources, pairs, run.fields, run.state.history, ANNOTATED)


def _namespace(run: PluginRun) -> None:
    metadata = run.config.entries.get("metadata")
    name = metadata.entries.get("namespace") if isinstance(metadata, MapNode) else None
    if isinstance(name, Scalar) and name.text:
        subjects, unset = word(run.config, "setRoleBindingSubjects"), flag(run.config, "unsetOnly")
        set_namespace(run.into.resources, name, run.fields, run.state.history, subjects, unset)
        run.into.check_unique(name)


def _images(run: PluginRun) -> None:
    told = set_images(run.into.resources, run.maps("imageTag"), run.fields, run.state.history)
    run.state.findings += run.state.unless_missing(told)


def _replicas(run: PluginRun) -> None:
    told = set_replicas(run.into.resources, run.maps("replica"), run.fields, run.state.history)
    run.state.findings += run.state.unless_missing(told, fatal=True)


def _patch(run: PluginRun) -> None:
    run.plugins.transformers.patches.apply(run.one, run.config, run.into)


def _json_patch(run: PluginRun) -> None:
    node = run.made(patch=run.config.entries.get("jsonOp"))
    run.plugins.transformers.patches.apply(run.one, node, run.into, keeps_names=False)


def _strategic_patches(run: PluginRun) -> None:
    patches, paths = run.plugins.transformers.patches, run.config.entries.get("paths")
    for item in paths.items if isinstance(paths, ListNode) else ():
        patches.old(run.one, item, run.into)
    inline = run.scalar("patches")
    if inline is not None:
        patches.named(run.state.files.inline(inline), inline, run.into)


def _replacements(run: PluginRun) -> None:
    for entry in run.maps("replacements"):
        run.plugins.transformers.replace(run.one, entry, run.into)


def _hashes(run: PluginRun) -> None:
    add_hashes(run.into.resources, run.state.history)


def _added_values(run: PluginRun) -> None:
    """A value that is put at paths; without one, the name of the folder."""
    value = run.scalar("value") or string(os.path.basename(os.path.abspath(run.one.folder)), run.config)
    shared = run.scalar("targetFilePath")
    documents = run.plugins.transformers.patches.documents(run.one, shared, False) if shared else []
    targets = [item for node in (run.config, *documents[:1]) for item in maps_of(node, "targets")]
    if not targets:
        raise KUSTOMIZE_FIELD.error(Label(run.config.origin), why="a ValueAddTransformer has `targets`")
    for target in targets:
        select = target.entries.get("selector")
        chosen = Selector(select).selects if isinstance(select, MapNode) else None
        for resource in [one for one in run.into.resources if chosen is None or chosen(one)]:
            add_value(resource, target, value, run.state.history)


TRANSFORMERS: dict[str, Callable[[PluginRun], None]] = {
    "HashTransformer": _hashes,
    "ValueAddTransformer": _added_values,
    "PrefixTransformer": _affixes,
    "SuffixTransformer": _affixes,
    "PrefixSuffixTransformer": _affixes,
    "LabelTransformer": _labels,
    "AnnotationsTransformer": _annotations,
    "NamespaceTransformer": _namespace,
    "ImageTagTransformer": _images,
    "ReplicaCountTransformer": _replicas,
    "PatchTransformer": _patch,
    "PatchJson6902Transformer": _json_patch,
    "PatchStrategicMergeTransformer": _strategic_patches,
    "ReplacementTransformer": _replacements,
}


def _data(run: PluginRun) -> None:
    metadata = run.config.entries.get("metadata")
    named = metadata.entries if isinstance(metadata, MapNode) else {}
    own = {key: run.config.entries.get(key, named.get(key)) for key in ("name", "namespace")}
    node = run.made(**own)
    run.plugins.generators.data(run.one, word(run.config, "kind").removesuffix("Generator"), node, run.into, run.maker)


def _chart(run: PluginRun) -> None:
    run.plugins.generators.chart(run.one, run.config, run.into, run.maker)


def _account(run: PluginRun) -> None:
    """A ServiceAccount of Kubernetes that is bound to one of Google's cloud."""
    if word(run.config, "cloud") != "gke":
        label = Label(run.config.entries.get("cloud", run.config).origin)
        raise KUSTOMIZE_FIELD.error(
            label, why=f"the cloud `{word(run.config, 'cloud')}` is not known", hint="write gke"
        )
    service, account = run.config.entries.get("kubernetesService"), run.config.entries.get("serviceAccount")
    user = f"{word(account, 'name')}@{word(account, 'projectId')}.iam.gserviceaccount.com"
    notes: dict[str, object] = {"iam.gke.io/gcp-service-account": user}
    metadata: dict[str, object] = {"annotations": notes, "name": word(service, "name")}
    if word(service, "namespace"):
        metadata["namespace"] = word(service, "namespace")
    made = from_plain(
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}, run.config.source, run.config.at
    )
    for resource in run.state.resources(made, run.maker, run.config):
        run.into.add(resource, run.config)


GENERATORS: dict[str, Callable[[PluginRun], None]] = {
    "IAMPolicyGenerator": _account,
    "ConfigMapGenerator": _data,
    "SecretGenerator": _data,
    "HelmChartInflationGenerator": _chart,
}


class Plugins:
    """Runs the plugins of kustomizations in one build."""

    def __init__(self, state: BuildState, generators: Generators, transformers: Transformers, inner: Inner) -> None:
        self.state = state
        self.generators = generators
        self.transformers = transformers
        self._inner = inner

    def generate(self, one: Kustomization, into: Accumulated, above: tuple[str, ...]) -> None:
        self._run(one, into, above, "generators", GENERATORS)
        for item in one.items("helmChartInflationGenerator"):
            values = self.state.contents(one, item.entries.get("values") if isinstance(item, MapNode) else None)
            self._unknown(item, "helmChartInflationGenerator", item, *values)

    def transform(self, one: Kustomization, into: Accumulated, above: tuple[str, ...]) -> None:
        self._run(one, into, above, "transformers", TRANSFORMERS)
        for item, config in self._named(one, "validators", above):
            self._unknown(item, "validators", config.node, *(resource.node for resource in into.resources))
        into.changed()

    def _run(
        self,
        one: Kustomization,
        into: Accumulated,
        above: tuple[str, ...],
        field: str,
        known: dict[str, Callable[[PluginRun], None]],
    ) -> None:
        for item, resource in self._named(one, field, above):
            config, kind = resource.node, resource.kind
            plugin = known.get(kind) if resource.api == BUILTIN else None
            if plugin is None:
                changed = into.resources if field == "transformers" else ()
                self._unknown(item, field, config, *(resource.node for resource in changed))
            else:
                maker = Maker(resource.origin.where, kind, resource.name, resource.namespace)
                with self.state.step(maker, into.resources, field == "transformers"):
                    plugin(PluginRun(self, one, config, into, maker))

    def _named(self, one: Kustomization, field: str, above: tuple[str, ...]) -> list[tuple[Node, BuiltResource]]:
        """What configures plugins, each with the entry that names it; no two have one name."""
        found: list[tuple[Node, BuiltResource]] = []
        together = Accumulated()
        for item in one.items(field):
            for config, origin in self._configs(one, item, above):
                for resource in self.state.resources(config, origin):
                    together.add(resource, item)
                    found.append((item, resource))
        return found

    def _configs(self, one: Kustomization, item: Node, above: tuple[str, ...]) -> list[tuple[Node, Maker]]:
        """What an entry says, and where that is written: it names a file or a folder, or is the text itself."""
        if not isinstance(item, Scalar):
            return []
        found = self.state.inline(item)
        if found:
            return [(node, self.state.maker(one.path)) for node in found]
        path = os.path.normpath(os.path.join(one.folder, item.text))
        self.state.project.check_inside(path, item)
        if self.state.project.door.is_folder(path):
            return self._inner(path, item, above)
        if not self.state.project.door.is_file(path):
            self.state.elsewhere(one, item)
            return []
        self.state.link(one, path, item)
        self.state.plugins.add(path)
        return [(node, self.state.maker(path)) for node in self.state.files.documents(path)]

    def _unknown(self, item: Node, field: str, *inputs: Node) -> None:
        """Note an entry whose plugin is not run. `inputs` are its configuration and the resources that it sees."""
        what = item.text if isinstance(item, Scalar) and "\n" not in item.text else field
        why = f"plait does not run {field}"
        hint = "use the fields of a kustomization"
        found = KUSTOMIZE_REMOTE(Label(item.origin), name=what, why=why, hint=hint)
        known = next((part for part in self.state.missing if part.node is item), None)
        if known is not None:
            known.inputs += inputs
        else:
            self.state.missing.append(MissingPart(item, found, *inputs))
