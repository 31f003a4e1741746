"""Compares the stacks of a repository with those of a revision, or of another folder.

The earlier files are a view of the working tree if that can show them, otherwise a copy.
"""

from __future__ import annotations

import os

from plait.access.checkout import checkout
from plait.fronts.stacks.answers.affected import Affected, AffectedSide, Comparison, affected
from plait.fronts.stacks.answers.changes import between, default_base, since
from plait.fronts.stacks.answers.reach import ChangeReach
from plait.fronts.stacks.answers.repository import Repository, no_stacks
from plait.fronts.stacks.assemble.assembly import Assembly
from plait.fronts.stacks.config.search import ConfigFlags
from plait.fronts.stacks.session.git import GitRepository
from plait.fronts.stacks.session.session import StackSession
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
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

    def with_folder(self, folder: str, wanted: RowChoice) -> Affected:
        """What differs from a clone."""
        project = self._session.project
        other = os.path.realpath(os.path.join(self._session.folder, folder))
        project.door.add_root(project.admit(other))
        return self._compared(between(project, other, self.git_root()), other, wanted, f"compared with {folder}")

    def with_revision(self, ref: str, wanted: RowChoice) -> Affected:
        """What differs from a revision; without one, since this branch left the main one."""
        change, heading = self.changed_since(ref)
        found = self._compared(change, "", wanted, heading)
        if not found.rows and not self._repository.index.manifests.files():
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
        after = ChangeReach(self._repository, self._assembly.config.files, change.root)
        if not changed:
            return Affected([], [heading, "nothing has changed"])
        old = self._as_it_was(other, change.root) if other else self._view(change, after.knows(changed))
        before = ChangeReach(Repository(old), old.config.files, other or change.root)
        if not other:
            after.narrow(before.repository, changed)
            before.beside = (after, changed)
        sides = [AffectedSide(reach.repository, reach, changed) for reach in (before, after)]
        comparison = Comparison(sides[0], sides[1], change, other, wanted)
        rows = affected(comparison)
        self._session.project.depend_on(old.session.project, bool(other))
        computed = sum(one.session.project.counters.forced for one in (self._assembly, old))
        account = [
            heading,
            f"changed files: {', '.join(sorted(changed))}",
            f"components looked at: {comparison.looked_at}; values computed: {computed}",
        ]
        return Affected(rows, account, comparison.looked_at, computed)

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
