"""Compares the stacks of a repository with those of a revision, or of another folder.

The earlier files are a view of the working tree if that can show them, otherwise a copy.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial

from plait.access.checkout import checkout
from plait.core.diagnostic import Fault
from plait.fronts.stacks.answers.affected import Affected, AffectedSide, Comparison, affected
from plait.fronts.stacks.answers.changes import between, default_base, since
from plait.fronts.stacks.answers.kept_affected import KeptAffected
from plait.fronts.stacks.answers.reach import ChangeReach
from plait.fronts.stacks.answers.repository import Repository, no_stacks
from plait.fronts.stacks.assemble.assembly import Assembly
from plait.fronts.stacks.config.search import ConfigFlags
from plait.fronts.stacks.session.git import GitRepository
from plait.fronts.stacks.session.session import StackSession
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.access.trace import Input
    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.affected import RowChoice
    from plait.fronts.stacks.answers.changes import ChangedFiles


class Comparer:
    """The stacks as they are, to be compared with other states of their files."""

    def __init__(self, assembly: Assembly, repository: Repository, flags: ConfigFlags) -> None:
        self._assembly = assembly
        self._session = assembly.session
        self._repository = repository
        self._flags = flags
        self._besides: frozenset[Input] = frozenset()
        """What was read to know which files changed, and had not been read before."""

    def with_folder(self, folder: str, wanted: RowChoice) -> Affected:
        """What differs from a clone."""
        project = self._session.project
        other = os.path.realpath(os.path.join(self._session.folder, folder))
        project.door.add_root(project.admit(other))
        return self._compared(between(project, other, self.git_root()), other, wanted, f"compared with {folder}")

    def with_revision(self, ref: str, wanted: RowChoice) -> Affected:
        """What differs from a revision; without one, since this branch left the main one."""
        project = self._session.project
        known = {*project.trace.inputs()}
        with project.recording() as reads:
            change, heading = self.changed_since(ref)
            change.entries()
        self._besides = frozenset(reads - known)
        found = self._compared(change, "", wanted, heading)
        manifests = self._repository.index.manifests
        if not found.rows and not manifests.is_narrowed and not manifests.files():
            raise no_stacks(self._repository)
        return found

    def git_root(self) -> str:
        git = GitRepository.around(self._session.folder, self._session.project)
        if git is None:
            raise BAD_OPTION.error(
                why="this folder is not in a git repository, so there is nothing to compare with",
                hint="run the command in a git repository",
            )
        return git.root

    def changed_since(self, ref: str) -> tuple[ChangedFiles, str]:
        """The differences from a revision, or since this branch left the main branch, and a description of what was
        compared."""
        root = self.git_root()
        ref, why = (ref, "as asked") if ref else default_base(self._session.project, root)
        return since(self._session.project, root, ref), f"compared with {ref} ({why})"

    def _compared(self, change: ChangedFiles, other: str, wanted: RowChoice, heading: str) -> Affected:
        """A comparison with another folder, or with the files of a revision.

        The revision is a view of the working tree if that can show the old files, otherwise a copy.
        """
        if other or (change.is_view and "exec" not in self._session.project.guard.allowed):
            return self._comparison(change, other, wanted, heading)
        copy = checkout(change.root, change.ref)
        try:
            return self._comparison(change, copy.folder, wanted, heading)
        finally:
            copy.close()

    def _comparison(self, change: ChangedFiles, other: str, wanted: RowChoice, heading: str) -> Affected:
        changed = change.entries()
        if not changed:
            return Affected([], [heading, "nothing has changed"])
        with self._session.project.recording() as reads:
            is_kept = self._session.project.notes is not None and not other and not wanted.dependents
            kept = KeptAffected(self._reach(change), change) if is_kept else None
            comparison = self._narrow_comparison(kept, change, wanted) if kept is not None else None
            comparison = comparison or self._whole_comparison(change, other, wanted)
            rows = affected(comparison)
            for side in comparison.sides[1:]:
                self._session.project.depend_on(side.repository.session.project, bool(other))
        if kept is not None and comparison.is_kept:
            kept.leave(comparison.found, self._besides - reads)
        computed = sum(side.repository.session.project.counters.forced for side in comparison.sides)
        account = [
            heading,
            f"changed files: {', '.join(sorted(changed))}",
            f"components looked at: {comparison.looked_at}; values computed: {computed}",
        ]
        return Affected(rows, account, comparison.looked_at, computed)

    def _reach(self, change: ChangedFiles) -> ChangeReach:
        return ChangeReach(self._repository, self._assembly.config.files, change.root)

    def _whole_comparison(self, change: ChangedFiles, other: str, wanted: RowChoice) -> Comparison:
        """A comparison of everything that a change may reach."""
        changed, after = change.entries(), self._reach(change)
        old = self._as_it_was(other, change.root) if other else self._view(change, after.knows(changed))
        before = ChangeReach(Repository(old), old.config.files, other or change.root)
        if not other:
            after.narrow(before.repository, changed)
            before.beside = (after, changed)
        return Comparison(partial(AffectedSide, before, changed), AffectedSide(after, changed), change, other, wanted)

    def _narrow_comparison(self, kept: KeptAffected, change: ChangedFiles, wanted: RowChoice) -> Comparison | None:
        """A comparison of what differs from an earlier run; None where that is not enough."""
        if kept.answers.is_narrowed:
            changed = change.entries()

            def before() -> AffectedSide:
                old = self._view(change, kept.knows(changed))
                reach = ChangeReach(Repository(old), old.config.files, change.root, kept.same)
                kept.answers.narrow_beside(reach.repository)
                return AffectedSide(reach, changed)

            with suppress(Fault):
                after = ChangeReach(self._repository, self._assembly.config.files, change.root, kept.same)
                comparison = Comparison(before, AffectedSide(after, changed), change, "", wanted, kept)
                comparison.compare()
                if comparison.is_kept:
                    return comparison
        kept.start_over()
        return None

    def _view(self, change: ChangedFiles, share: bool) -> Assembly:
        """The same question with the earlier content of the changed files.

        External data is shared if it cannot depend on a changed file.
        """
        project = self._session.project
        altered = {os.path.realpath(os.path.join(change.root, name)): data for name, data in change.before().items()}
        made = project.in_tree(self._session.folder, altered, project)
        made.progress, made.meter = project.progress, project.meter
        made.door.add_root(project.root)
        return self._opened(made, self._session.folder, self._flags, share)

    def _as_it_was(self, root: str, here: str) -> Assembly:
        """The same question in the files of a revision: paths below this folder become paths below that one."""

        def moved(path: str) -> str:
            full = os.path.realpath(os.path.join(self._session.folder, path))
            return root + full[len(here) :] if full == here or full.startswith(here + os.sep) else path

        def named(given: list[str], variable: str) -> list[str]:
            return [
                moved(path)
                for path in given
                or [
                    word.strip() for word in self._session.project.door.environment(variable).split(",") if word.strip()
                ]
            ]

        base = self._flags.base_path or self._session.project.door.environment("ATMOS_BASE_PATH")
        flags = ConfigFlags(
            moved(base) if base else "",
            named(self._flags.config, "ATMOS_CONFIG"),
            named(self._flags.config_path, "ATMOS_CONFIG_PATH"),
            self._flags.profile,
            self._flags.values,
        )
        flags.pinned = next(iter(named([], "ATMOS_CLI_CONFIG_PATH")), "")
        project = self._session.project
        made = project.in_tree(moved(self._session.folder))
        made.progress, made.meter = project.progress, project.meter
        made.admit(project.root)  # what git ignores is the same before and after
        found = self._opened(made, moved(self._session.folder), flags, share=True)
        found.session.git_folder = here
        return found

    def _opened(self, project: Project, folder: str, flags: ConfigFlags, share: bool) -> Assembly:
        """The stacks of another state of the files, with the external data of this one if that is to be shared."""
        session = StackSession(project, folder, self._session.options)
        if share:
            session.evaluator.share(self._session.evaluator)
        return Assembly(session, flags)
