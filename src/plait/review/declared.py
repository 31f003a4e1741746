"""The targets that plait.yaml declares, evaluated."""

from __future__ import annotations

from plait.core.diagnostic import PlaitError
from plait.core.meter import Overrun
from plait.fronts.targets import Targets
from plait.review.causes import TargetResult
from plait.review.messages import inside, is_everywhere, messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.node import Node
    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.reach import Changed, Entry
    from plait.review.hunks import Hunk


class DeclaredTargets:
    """The targets that plait.yaml declares."""

    kind = "target"

    def __init__(self, project: Project, tree: str) -> None:
        self.project = project
        self.tree = tree
        self.targets = Targets(project)
        self._known: dict[str, tuple[TargetResult, frozenset[str]]] = {}

    def names(self) -> list[str]:
        return list(self.targets.known)

    def touches(self, name: str, changed: Changed) -> bool:
        return not self._evaluated(name)[1].isdisjoint(changed) or any(map(is_everywhere, changed))

    def entries(self, name: str, changed: Changed) -> frozenset[Entry] | None:
        return None

    def result(self, name: str, entries: frozenset[Entry] | None = None) -> TargetResult:
        return self._evaluated(name)[0]

    def sees(self, name: str, hunk: Hunk) -> bool:
        return bool(hunk.whole) or hunk.file in self._evaluated(name)[1]

    def _evaluated(self, name: str) -> tuple[TargetResult, frozenset[str]]:
        if name not in self._known:
            with self.project.watching() as read:
                result = self._result(name)
            self._known[name] = (result, inside(read, self.tree))
        return self._known[name]

    def _result(self, name: str) -> TargetResult:
        target = self.targets.known.get(name)
        if target is None:
            return TargetResult({})
        try:
            return evaluated(self.targets.documents(target), self.tree)
        except Overrun:
            raise
        except PlaitError as error:
            return TargetResult({}, {"": messages(error, self.tree)})


def evaluated(documents: dict[str, Callable[[], Node]], tree: str) -> TargetResult:
    """The documents of a target; one that fails is represented by its errors."""
    result = TargetResult({})
    for label, value in documents.items():
        try:
            result.documents[label] = value()
        except Overrun:
            raise
        except PlaitError as error:
            result.errors[label] = messages(error, tree)
    return result
