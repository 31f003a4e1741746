"""Which value is meant: an address inside a target, or a path of a component of a stack."""

from __future__ import annotations

from plait.edits.choosing import written_at
from plait.edits.value import ResultEdit
from plait.evaluate.absent import unknown_path
from plait.evaluate.nowhere import NotThere
from plait.fronts.catalog import world_of
from plait.fronts.typed import typed_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Node
    from plait.fronts.front import DocumentId, Target
    from plait.fronts.project import Project
    from plait.fronts.questions import StackQuestions


def edit_at(target: Target, address: str, value: Node | None) -> ResultEdit:
    """A value of a target to be set or, without a value, removed: `Deployment/web:spec.replicas`."""
    document, path = target.addressed(address)
    return ResultEdit(target, document, typed_path(target.spelled(target.tree(document), path)), value)


class ComponentValue:
    """A value of a component of a stack, by its path."""

    def __init__(self, project: Project, stacks: StackQuestions, component: str, stack: str, path: str) -> None:
        self._project = project
        self._stacks = stacks
        self._component, self._stack = component, stack
        self._path = typed_path(path)

    def edit(self, value: Node | None) -> ResultEdit:
        """The value to be set or, without another one, removed."""
        return ResultEdit(*self._document(), self._path, value)

    def evaluated(self) -> Node:
        try:
            return self._stacks.seen(self._component, self._stack, self._path)
        except NotThere as nowhere:
            raise unknown_path(nowhere, self._path) from None

    def written(self, at: str) -> Node:
        """What is written about it at one place."""
        return written_at(*self._document(), self._path, at)

    def _document(self) -> tuple[Target, DocumentId]:
        targets = world_of(self._project, given={"stack": {"asked": self._stacks}}).targets
        found = self._stacks.component(self._component, self._stack)
        target = targets.at(f"stack:{found.stack}")
        assert target is not None
        return target, target.id(found.type, "", found.name)
