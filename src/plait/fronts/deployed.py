"""Objects of Argo CD and Flux: what tells them from other resources, and what a review asks about those that are not
evaluated."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.find import entry, items_of, word
from plait.core.node import MapNode
from plait.report.catalog import NOT_APPLIED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Protocol

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.front import TargetInputs

    class DeployedObject(Protocol):
        """One object, or what of it is not evaluated."""

        @property
        def file(self) -> str:
            """Its manifest."""

        @property
        def kind(self) -> str: ...

        @property
        def name(self) -> str: ...

        @property
        def key(self) -> tuple[str, str, str]:
            """What tells it from the others."""

        @property
        def label(self) -> str:
            """What it is called in reports."""

        @property
        def evaluated(self) -> set[Path]:
            """The places of its fields that targets are made of."""

        def read(self) -> tuple[Node, TargetInputs]:
            """All that it says beside what is evaluated, and all that is in what it names; and what was read for
            that."""


ARGO, FLUX = b"argoproj.io/", b"toolkit.fluxcd.io/"
GROUP, BUILDS, RELEASES = "argoproj.io/", "kustomize.toolkit.fluxcd.io/", "helm.toolkit.fluxcd.io/"
SOURCES = "source.toolkit.fluxcd.io/"
KINDS = {
    **dict.fromkeys(("Application", "ApplicationSet", "AppProject"), GROUP),
    "Kustomization": BUILDS,
    "HelmRelease": RELEASES,
    **dict.fromkeys(("GitRepository", "OCIRepository", "HelmRepository", "HelmChart", "Bucket"), SOURCES),
}
"""The kinds of these objects, each with its group."""
APPLIED = frozenset(
    (
        *("path", "interval", "retryInterval", "timeout", "prune", "suspend", "wait", "force", "dependsOn"),
        *("sourceRef", "serviceAccountName", "kubeConfig", "healthChecks", "healthCheckExprs", "deletionPolicy"),
    )
)
"""The fields of a Kustomization of Flux that change no manifest: they say how manifests are applied."""
INLINE = ("values", "valuesObject")
EVALUATED = (*INLINE, "parameters", "valueFiles", "ignoreMissingValueFiles", "releaseName")
"""The fields of `helm` in a source of an Application that a target is made of."""
UNIMPORTANT = ("passCredentials", "skipSchemaValidation", "version")
"""Those that change no manifest."""


def is_deployed_object(node: Node | None) -> bool:
    """Whether a document is an object of Argo CD or Flux."""
    kind = word(node, "kind")
    return kind in KINDS and word(node, "apiVersion").startswith(KINDS[kind])


def marks_in(data: bytes) -> set[bytes]:
    """The words of Argo CD and Flux in the text of a file."""
    return {word for word in (ARGO, FLUX) if word in data}


def unapplied_fields(document: Node) -> Iterator[tuple[str, MapNode, str]]:
    """The fields of a Kustomization of Flux, or of an Application, that change what its folder gives, and that no
    target applies: the path of each, the map that it is in, and its key there."""
    spec = entry(document, "spec")
    if is_deployed_object(document) and word(document, "kind") == "Kustomization":
        yield from _members("spec", spec, APPLIED)
    if is_deployed_object(document) and word(document, "kind") == "Application":
        sources: list[tuple[str, Node | None]]
        sources = [(f"spec.sources[{at}]", one) for at, one in enumerate(items_of(spec, "sources"))]
        for path, source in sources or [("spec.source", entry(spec, "source"))]:
            yield from _members(f"{path}.helm", entry(source, "helm"), (*EVALUATED, *UNIMPORTANT))
            yield from _members(f"{path}.kustomize", entry(source, "kustomize"), ("version",))
            if isinstance(source, MapNode) and "plugin" in source.entries:
                yield f"{path}.plugin", source, "plugin"


def _members(path: str, node: Node | None, known: Collection[str]) -> Iterator[tuple[str, MapNode, str]]:
    if isinstance(node, MapNode):
        names = (key for key in node.entries if isinstance(key, str))
        yield from ((f"{path}.{name}", node, name) for name in names if name not in known)


def not_applied(document: Node | None) -> list[Diagnostic]:
    """A warning for each of these fields, at its line."""
    found = unapplied_fields(document) if document is not None else ()
    hint = "what is printed is what its folder gives without it"
    return [NOT_APPLIED(Label(node.key_origin(key)), name=name, hint=hint) for name, node, key in found]
