"""The transformers of a kustomization, in the order of kustomize."""

from __future__ import annotations

from plait.core.diagnostic import Fault, Label
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.fronts.kustomize.fields import METADATA_LABELS, flag, merged, specs
from plait.fronts.kustomize.replacements import Replacement
from plait.fronts.kustomize.transforms import (
    ANNOTATED,
    LABELLED,
    mark,
    rename,
    set_images,
    set_namespace,
    set_replicas,
)
from plait.report.catalog import KUSTOMIZE_FIELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.patches import Patches
    from plait.fronts.kustomize.resource import BuiltResource
    from plait.fronts.kustomize.state import Accumulated, BuildState


class Transformers:
    """Transforms resources in one build."""

    def __init__(self, state: BuildState, patches: Patches) -> None:
        self.state = state
        self.patches = patches

    def transform(self, one: Kustomization, into: Accumulated) -> None:
        """In kustomize's order."""
        history, resources = self.state.history, into.resources
        step = self._steps(one, resources)
        merged_patches = one.items("patchesStrategicMerge")
        with step("PatchStrategicMergeTransformer", bool(merged_patches)):
            for item in merged_patches:
                self.patches.old(one, item, into)
        for node in one.maps("patches"):
            with step("PatchTransformer"):
                self.patches.apply(one, node, into)
        fields = into.fields
        namespace = one.scalar("namespace")
        if namespace is not None:
            with step("NamespaceTransformer"):
                set_namespace(resources, namespace, fields["namespace"], history)
            into.check_unique(namespace)
        for name, transformer, is_prefix in (
            ("namePrefix", "PrefixTransformer", True),
            ("nameSuffix", "SuffixTransformer", False),
        ):
            affix = one.scalar(name)
            if affix is not None:
                with step(transformer):
                    rename(resources, affix, fields[name], history, is_prefix)
        self._labels(one, into)
        for node in one.maps("patchesJson6902"):
            with step("PatchJson6902Transformer"):
                self.patches.apply(one, node, into, keeps_names=False)
        replicas, images, replacements = map(one.maps, ("replicas", "images", "replacements"))
        with step("ReplicaCountTransformer", len(replicas)):
            found = [*set_replicas(resources, replicas, fields["replicas"], history)]
        self.state.findings += self.state.unless_missing(found, fatal=True)
        images += one.maps("imageTags")
        with step("ImageTagTransformer", len(images)):
            found = [*set_images(resources, images, fields["images"], history)]
        self.state.findings += self.state.unless_missing(found)
        with step("ReplacementTransformer", bool(replacements)):
            for node in replacements:
                self.replace(one, node, into)
        into.changed()

    def _steps(self, one: Kustomization, resources: list[BuiltResource]) -> Callable[..., AbstractContextManager[None]]:
        """Notes a transformer of a kustomization, by its name and the number of entries for it, while it is at work."""

        def step(name: str, times: int = 1) -> AbstractContextManager[None]:
            return self.state.step(self.state.maker(one.path, name), resources, times)

        return step

    def _labels(self, one: Kustomization, into: Accumulated) -> None:
        step, entries = self._steps(one, into.resources), one.maps("labels")
        for entry in entries:
            pairs = entry.entries.get("pairs")
            if not isinstance(pairs, MapNode):
                continue
            known = merged(specs(entry.entries.get("fields")), into.fields["labels"], entry)
            if flag(entry, "includeSelectors"):
                known = merged(known, into.fields["commonLabels"], entry)
            else:
                templates = into.fields["templateLabels"] if flag(entry, "includeTemplates") else []
                known = merged(known, [*templates, METADATA_LABELS], entry)
            with step("LabelTransformer"):
                mark(into.resources, pairs, known, self.state.history, LABELLED)
        common = one.mapping("commonLabels")
        with step("LabelTransformer", bool(entries or (common is not None and common.entries))):  # also without any
            if common is not None:
                mark(into.resources, common, into.fields["commonLabels"], self.state.history, LABELLED)
        notes = one.mapping("commonAnnotations")
        if notes is not None and notes.entries:
            with step("AnnotationsTransformer"):
                mark(into.resources, notes, into.fields["commonAnnotations"], self.state.history, ANNOTATED)

    def replace(self, one: Kustomization, node: MapNode, into: Accumulated) -> None:
        path = node.entries.get("path")
        entries: list[Node] = [node]
        if isinstance(path, Scalar):
            if len(node.entries) > 1:
                why = "a replacement is in a file or written here, not both"
                raise KUSTOMIZE_FIELD.error(Label(node.origin), why=why)
            first = next(iter(self.patches.documents(one, path, False)), node)
            entries = list(first.items) if isinstance(first, ListNode) else [first]
        for entry in entries:
            if isinstance(entry, MapNode):
                try:
                    found = Replacement(entry, self.state.history).apply(into.resources)
                    self.state.findings += self.state.unless_missing(found)
                except Fault:
                    if not self.state.missing:
                        raise
        into.changed()
