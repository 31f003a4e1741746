"""What people ask of spiff: merge a template with its stubs, compare two manifests."""

from __future__ import annotations

from plait.fronts.spiff import Spiff
from plait.fronts.spiff.options import options_of
from plait.fronts.spiff.output import SpiffOutput, documents
from plait.fronts.spiff.report import Unresolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from plait.core.diagnostic import Diagnostic, PlaitError
    from plait.core.node import Node
    from plait.fronts.project import Project
    from plait.fronts.spiff.diff import ManifestDifference
    from plait.fronts.spiff.options import SpiffOptions


class SpiffQuestions:
    """The templates and stubs that the user names."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def merge(
        self,
        names: list[str],
        *,
        given: Iterable[str] = (),
        bindings: Iterable[str] = (),
        strict: bool = False,
        options: SpiffOptions | None = None,
        **output: Any,
    ) -> tuple[list[Node], list[Diagnostic]]:
        """The documents of a template, named first, filled from the stubs that follow, and the warnings.

        `output` is what `SpiffOutput` says about the part that is printed.
        """
        chosen = options or self.options()
        for _, file in chosen.tags:
            self.project.admit(file)
        front = Spiff(self.project, given, self._admitted(bindings), strict, chosen)
        front.spends = True
        nodes = documents(front, self._admitted(names), SpiffOutput(**output))
        return nodes, front.warnings

    def options(
        self,
        dialect: str = "",
        features: Iterable[str] = (),
        tags: Iterable[str] = (),
        preserve_escapes: bool = False,
        preserve_temporary: bool = False,
    ) -> SpiffOptions:
        """How a template is merged: what flags say, then plait.yaml, then the environment."""
        return options_of(self.project, dialect, features, tags, preserve_escapes, preserve_temporary)

    def diff(self, a: str, b: str) -> tuple[list[ManifestDifference], list[Diagnostic]]:
        """What differs between two deployment manifests, and the warnings; expressions are compared as text."""
        from plait.fronts.spiff.diff import compare  # a merge compares nothing

        front = Spiff(self.project)
        differences = compare(*(front.read(name, expressions=False) for name in self._admitted((a, b))))
        return differences, front.warnings

    def _admitted(self, names: Iterable[str]) -> list[str]:
        return [self.project.admit(name) for name in names]

    @staticmethod
    def unresolved(error: PlaitError) -> str | None:
        """The report that spiff's users know, where a stage of a cascade did not resolve."""
        return str(error) if isinstance(error, Unresolved) else None
