"""The stacks of a repository and the targets that its plait.yaml declares, in one survey."""

from __future__ import annotations

from functools import cached_property

from plait.fronts.selecting import beside_stacks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.evaluate.tree import Tree
    from plait.survey.declared import SurveyedTargets
    from plait.survey.stacks import SurveyedStacks
    from plait.survey.uses import DocumentUses, Looker


class SurveyedTogether:
    """Stacks first, then targets. A target that has the name of a stack is called `NAME (target)` here."""

    kind, part = "target", "document"

    def __init__(self, stacks: SurveyedStacks, declared: SurveyedTargets) -> None:
        self.stacks = stacks
        self.declared = declared
        self.members = (stacks, declared)
        self._stacks: frozenset[str] | None = None
        """The names of the stacks, where they are known from an earlier survey."""

    @cached_property
    def _declared(self) -> dict[str, str]:
        """The targets of plait.yaml by the names that they have here."""
        taken = self._stacks if self._stacks is not None else frozenset(self.stacks.targets())
        return beside_stacks(self.declared.targets(), taken)

    def _of(self, target: str) -> tuple[SurveyedStacks | SurveyedTargets, str]:
        """What a target is asked of, and the name that it has there."""
        return (self.declared, self._declared[target]) if target in self._declared else (self.stacks, target)

    def own_name(self, target: str) -> str:
        return self._of(target)[1]

    def targets(self) -> list[str]:
        return [*self.stacks.targets(), *self._declared]

    def documents(self, target: str) -> list[str]:
        member, name = self._of(target)
        return member.documents(name)

    def places(self, target: str) -> list[str]:
        member, name = self._of(target)
        return member.places(name)

    def recall(self, places: dict[str, list[str]]) -> None:
        known = {target: files for target, files in places.items() if files}
        self._stacks = frozenset(known) if known else None
        self.stacks.recall(known)

    def tree(self, target: str, document: str) -> Tree:
        member, name = self._of(target)
        return member.tree(name, document)

    def sections(self, target: str) -> tuple[str, ...]:
        member, name = self._of(target)
        return member.sections(name)

    def look(self, target: str, looker: Looker) -> dict[str, DocumentUses]:
        member, name = self._of(target)
        return member.look(name, looker)

    def is_stack(self, target: str) -> bool:
        member, name = self._of(target)
        return member.is_stack(name)

    # Files

    def files_of(self, target: str) -> list[str]:
        member, name = self._of(target)
        return member.files_of(name)

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
