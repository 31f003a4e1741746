"""The stacks of a repository and the targets that its plait.yaml declares, in one survey."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.evaluate.tree import Tree
    from plait.survey.declared import SurveyedTargets
    from plait.survey.stacks import SurveyedStacks
    from plait.survey.uses import DocumentUses, Looker


class SurveyedTogether:
    """Stacks first, then targets. A target that is called like a stack is found under that name, the stack is not."""

    kind, part = "target", "document"

    def __init__(self, stacks: SurveyedStacks, declared: SurveyedTargets) -> None:
        self.stacks = stacks
        self.declared = declared
        self.members = (stacks, declared)

    def _of(self, target: str) -> SurveyedStacks | SurveyedTargets:
        return self.declared if target in self.declared.declared.known else self.stacks

    def targets(self) -> list[str]:
        return list(dict.fromkeys(name for member in self.members for name in member.targets()))

    def documents(self, target: str) -> list[str]:
        return self._of(target).documents(target)

    def places(self, target: str) -> list[str]:
        return self._of(target).places(target)

    def recall(self, places: dict[str, list[str]]) -> None:
        self.stacks.recall({target: files for target, files in places.items() if files})

    def tree(self, target: str, document: str) -> Tree:
        return self._of(target).tree(target, document)

    def sections(self, target: str) -> tuple[str, ...]:
        return self._of(target).sections(target)

    def look(self, target: str, looker: Looker) -> dict[str, DocumentUses]:
        return self._of(target).look(target, looker)

    def is_stack(self, target: str) -> bool:
        return self._of(target).is_stack(target)

    # Files

    def files_of(self, target: str) -> list[str]:
        return self._of(target).files_of(target)

    def links(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for member in self.members:
            for file, rows in member.links().items():
                found.setdefault(file, {}).update(rows)
        return found

    def path(self, file: str) -> str:
        return self.stacks.path(file)

    def steering(self, file: str) -> set[int]:
        return self.stacks.steering(file) | self.declared.steering(file)

    def heirs(self, name: str) -> dict[str, list[str]]:
        return self.stacks.heirs(name)
