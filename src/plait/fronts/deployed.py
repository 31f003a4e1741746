"""Objects of Argo CD and Flux: what tells them from other resources, and what a review asks about those that are not
evaluated."""

from __future__ import annotations

from plait.core.find import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

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


def is_deployed_object(node: Node | None) -> bool:
    """Whether a document is an object of Argo CD or Flux."""
    kind = word(node, "kind")
    return kind in KINDS and word(node, "apiVersion").startswith(KINDS[kind])


def marks_in(data: bytes) -> set[bytes]:
    """The words of Argo CD and Flux in the text of a file."""
    return {word for word in (ARGO, FLUX) if word in data}
