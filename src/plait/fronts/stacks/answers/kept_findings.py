"""That nothing is wrong with manifests, said again after a change by looking only at what it can reach.

The earlier run found nothing wrong. What is wrong with a file follows from its own text; what is wrong with a component
from the same parts of files as any other answer about it: see `kept_components`.
"""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault
from plait.fronts.stacks.answers.kept_components import KeptComponents
from plait.fronts.stacks.answers.validate import CheckedComponents, check_file, manifest_checker, validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Diagnostic
    from plait.fronts.stacks.answers.kept_components import Reused
    from plait.fronts.stacks.answers.repository import Repository

FINE = "fine"


class KeptFindings:
    """What is wrong with all manifests of a repository, where an earlier run may have found that nothing is."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._kept = KeptComponents(repository, FINE)
        self._checked = CheckedComponents(repository)

    def all(self) -> list[Diagnostic]:
        """Every finding; where there are none, that is left for the next run."""
        if self._is_fine():
            return []
        self._kept.start_over()
        self._checked = CheckedComponents(self.repository)
        found = validate(self.repository, None, self._checked)
        if not found and not self.repository.session.project.trace.is_shared:
            names = self._kept.names(self.repository.named)
            self._leave(dict.fromkeys(names))
        return found

    def _is_fine(self) -> bool:
        """Whether nothing is wrong with what differs from the earlier run, in which nothing was wrong."""
        if not self._kept.is_narrowing:
            return False
        try:
            reused = {name: self._kept.find(name) for name in self._kept.names(self.repository.named)}
            return self._kept.has_same_files and self._has_no_findings(reused)
        except (Fault, ImportError):
            return False

    def _has_no_findings(self, reused: dict[str, Reused | None]) -> bool:
        repository, language = self.repository, self.repository.index.shared.language
        wrong: list[Diagnostic] = []
        checker = manifest_checker(repository, wrong)
        for path in self._kept.changed:
            file = repository.session.answer(partial(repository.index.manifests.loader.file, path))
            wrong += check_file(file, checker, language)
        for stack, found in reused.items():
            manifests = repository.manifests_of(stack)
            if found is not None and not found.touched:
                continue
            if len(manifests) != 1 or wrong:
                return False
            for type in manifests[0].types():
                for name in manifests[0].names(type):
                    if found is None or (type, name) in found.touched:
                        self._checked.add(repository.whole(repository.in_manifest(manifests[0], type, name)))
        if wrong or repository.broken or repository.session.trace.reports or self._checked.backends.has_others:
            return False
        self._leave(reused)
        return True

    def _leave(self, reused: dict[str, Reused | None]) -> None:
        if self._checked.backends.has_others:  # whether one of them is used at all, every component decides
            return
        bases = {stack: self._checked.bases.get(stack, {}) for stack in reused}
        self._kept.keep_items({stack: [] for stack in reused}, bases, reused)
