"""The documents of files, parsed once."""

from __future__ import annotations

from plait.yaml.outline import whole
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plait.core.source import Source
    from plait.fronts.project import Project
    from plait.yaml.outline import Pack
    from plait.yaml.program import Program


class Documents:
    """What the files of one run consist of, before any language has looked at them."""

    __slots__ = ("_known", "_project")

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: dict[str, Sequence[Program | Pack]] = {}

    def parts(self, source: Source, path: str) -> Sequence[Program | Pack]:
        """The documents of a text, to be taken apart: of a file as it is written, once."""
        if source.written is not None:
            return scan(source, self._project.budgets.depth)
        if path not in self._known:
            self._known[path] = self._project.parts(source)
        return self._known[path]

    def forget(self, paths: Iterable[str]) -> None:
        """Some files have other texts now."""
        for path in paths:
            self._known.pop(path, None)

    def parsed(self, source: Source, path: str) -> list[Program]:
        """The same, each document whole."""
        return [whole(part) for part in self.parts(source, path)]
