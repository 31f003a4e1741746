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
    from plait.fronts.kustomize.kustomization import Kustomization
    from plait.fronts.kustomize.patches import Patches
    from plait.fronts.kustomize.state import Accumulated, BuildState


class Transformers:
    """Transforms resources in one build."""

    def __init__(self, state: BuildState, patches: Patches) -> None:
        self.state = state
        self.patches = patches

    def transform(self, one: Kustomization, into: Accumulated) -> None:
        """In kustomize's order."""
        history, resources = self.state.history, into.resources
        for item in one.items("patchesStrategicMerge"):
            self.patches.old(one, item, into)
        for node in one.maps("patches"):
            self.patches.apply(one, node, into)
        fields = into.fields
        namespace = one.scalar("namespace")
        if namespace is not None:
            set_namespace(resources, namespace, fields["namespace"], history)
            into.check_unique(namespace)
            self.state.trace(one, resources, "NamespaceTransformer")
        for name, known, is_prefix in (
            ("namePrefix", fields["namePrefix"], True),
            ("nameSuffix", fields["nameSuffix"], False),
        ):
            affix = one.scalar(name)
            if affix is not None:
                rename(resources, affix, known, history, is_prefix)
                self.state.trace(one, resources, "PrefixTransformer" if is_prefix else "SuffixTransformer")
        self._labels(one, into)
        for node in one.maps("patchesJson6902"):
            self.patches.apply(one, node, into, keeps_names=False)
        self.state.findings += self.state.unless_missing(
            set_replicas(resources, one.maps("replicas"), fields["replicas"], history), fatal=True
        )
        self.state.findings += self.state.unless_missing(
            set_images(resources, one.maps("images", "imageTags"), fields["images"], history)
        )
        for node in one.maps("replacements"):
            self.replace(one, node, into)
        into.changed()

    def _labels(self, one: Kustomization, into: Accumulated) -> None:
        for entry in one.maps("labels"):
            pairs = entry.entries.get("pairs")
            if not isinstance(pairs, MapNode):
                continue
            known = merged(specs(entry.entries.get("fields")), into.fields["labels"], entry)
            if flag(entry, "includeSelectors"):
                known = merged(known, into.fields["commonLabels"], entry)
            else:
                templates = into.fields["templateLabels"] if flag(entry, "includeTemplates") else []
                known = merged(known, [*templates, METADATA_LABELS], entry)
            mark(into.resources, pairs, known, self.state.history, LABELLED)
            self.state.trace(one, into.resources, "LabelTransformer")
        common = one.mapping("commonLabels")
        if common is not None:
            mark(into.resources, common, into.fields["commonLabels"], self.state.history, LABELLED)
            self.state.trace(one, into.resources, "LabelTransformer")
        notes = one.mapping("commonAnnotations")
        if notes is not None:
            mark(into.resources, notes, into.fields["commonAnnotations"], self.state.history, ANNOTATED)
            self.state.trace(one, into.resources, "AnnotationsTransformer")

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
