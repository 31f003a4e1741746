"""Compares a revision with the working tree, and chooses the revision if none is named."""

from __future__ import annotations

import json
import os

from plait.access.links import Link, link_at
from plait.access.objects import CHANGED_FILES, ChangedFile, blobs, changed_files, unwatched
from plait.core.source import YAML_ENDINGS, Source
from plait.fronts.stacks.answers.reach import changed_entries
from plait.fronts.stacks.config.search import NAMES
from plait.report.catalog import NO_REF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from plait.access.git import GitAnswer
    from plait.fronts.project import Project
    from plait.fronts.stacks.answers.reach import Changed, Entry

DECIDING = ("plait.yaml", *NAMES)
"""Files that decide where a project is and how it is read."""
BRANCHES = (
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "CHANGE_TARGET",
)
"""Variables in which continuous integration names the branch that a change is meant for."""
COMMITS = ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "CI_COMMIT_BEFORE_SHA")
"""Variables in which it names the commit before a change."""


class ChangedFiles:
    """The files that differ, by their paths from the root of the repository."""

    def __init__(
        self,
        project: Project,
        root: str,
        ref: str,
        rows: Iterable[ChangedFile],
        through: Mapping[str, str],
    ) -> None:
        """`through` has the files that a link leads to that is among the rows, each with this link: whoever reads them
        through it reads something else now."""
        self.project = project
        self.root = root
        self.ref = ref
        self.rows = {row.name: row for row in rows}
        self._through = {name: link for name, link in through.items() if name not in self.rows}
        self.rows |= {name: ChangedFile(name) for name in self._through}
        self._old: dict[str, bytes] | None = None
        self._changed: Changed | None = None

    @property
    def names(self) -> set[str]:
        return set(self.rows)

    def among(self, files: Collection[str]) -> list[str]:
        """Those of some files that differ, sorted; for one that only a link leads to now, or led to, that link."""
        return sorted({self._through.get(name, name) for name in self.rows.keys() & files})

    @property
    def is_view(self) -> bool:
        """Whether the old files can be shown as a view of the working tree: texts differ and files were added, but none
        was removed, and no added file determines which files are read."""
        return all(
            row.ordinary or (row.added and os.path.basename(row.name) not in DECIDING) for row in self.rows.values()
        )

    def before(self) -> dict[str, bytes | None]:
        """The earlier content of the files, by name; None for files that did not exist."""
        return {**{row.name: None for row in self.rows.values() if row.added}, **self.old_texts()}

    def old_texts(self) -> dict[str, bytes]:
        """The earlier content of the files that existed, by name."""
        if self._old is None:
            known = blobs(self.project.door, self.root, [row.old for row in self.rows.values() if row.old])
            self._old = {row.name: known[row.old] for row in self.rows.values() if row.old in known}
        return self._old

    def entries(self) -> Changed:
        """The changed files, each with the component entries that contain all its differences; None instead if other
        lines differ too."""
        if self._changed is None:
            self._changed = {name: self._entries(row) for name, row in self.rows.items()}
        return self._changed

    def _entries(self, row: ChangedFile) -> frozenset[Entry] | None:
        if not row.ordinary or not row.name.endswith(YAML_ENDINGS):
            return None
        old = self.old_texts().get(row.name)
        if old is None:
            return None
        new = self.project.bytes(os.path.join(self.root, row.name))
        texts = [Source(row.name, data.decode("utf-8", "surrogateescape")) for data in (old, new)]
        return changed_entries(texts[0], texts[1], self.project.budgets.depth)


def since(project: Project, root: str, ref: str) -> ChangedFiles:
    """The differences between a revision and the working tree."""
    if ref.startswith("-"):
        raise NO_REF.error(what="this repository", ref=ref)
    rows = changed_files(_listed(project, root, ref, *CHANGED_FILES, ref, "--"))
    rows += unwatched(project.door, root, ref)
    led = blobs(project.door, root, [row.linked for row in rows if row.linked])
    for name in _listed(project, root, ref, "ls-files", "--others", "--exclude-standard", "-z"):
        path = os.path.join(root, name)
        project.trace.stamp(path)
        rows.append(ChangedFile(name, added=os.path.isfile(path) and not os.path.islink(path)))
    through: dict[str, str] = {}
    for row in rows:
        was = Link(led[row.linked].decode("utf-8", "surrogateescape")) if row.linked else None
        for link in (was, link_at(os.path.join(root, row.name))):
            through |= dict.fromkeys(_led_to(project, root, row.name, link), row.name)
    return ChangedFiles(project, root, ref, rows, through)


def _led_to(project: Project, root: str, name: str, link: Link | None) -> Iterator[str]:
    """The files of a tree that a link of it leads to; none without one."""
    place = os.path.normpath(os.path.join(os.path.dirname(name), link.target)) if link is not None else os.pardir
    outside = os.path.isabs(place) or place.startswith(os.pardir)
    if outside or not project.door.allows(os.path.join(root, place)):
        return
    if project.door.is_file(os.path.join(root, place)):
        yield place
    yield from (os.path.join(place, file) for file in project.door.below(os.path.join(root, place)))


def between(project: Project, before: str, after: str) -> ChangedFiles:
    """The differences between two clones."""
    sides = [set(_listed(project, side, side, "ls-files", "-z")) for side in (before, after)]
    both = sides[0] & sides[1]
    differing = [name for name in both if _bytes(project, before, name) != _bytes(project, after, name)]
    names = [*differing, *(sides[0] ^ sides[1])]
    through = {
        file: name
        for name in names
        for side in (before, after)
        for file in _led_to(project, side, name, link_at(os.path.join(side, name)))
    }
    return ChangedFiles(project, after, before, map(ChangedFile, names), through)


def _bytes(project: Project, folder: str, name: str) -> bytes:
    path = os.path.join(folder, name)
    link = link_at(path)
    if link is not None:
        return os.fsencode(link.target)
    return project.bytes(path) if project.door.is_file(path) else b""


def _git(project: Project, root: str, ref: str, *words: str) -> GitAnswer:
    answer = project.door.git_facts(*words, folder=root)
    if answer.status:
        hint = "a branch, a tag or a commit; in continuous integration, fetch it first"
        notes = tuple(answer.why.splitlines()[:1])
        raise NO_REF.error(what="this repository", ref=ref, notes=notes, hint=hint)
    return answer


def _listed(project: Project, root: str, ref: str, *words: str) -> list[str]:
    return [name for name in _git(project, root, ref, *words).text.split("\0") if name]


# The revision to compare with


def default_base(project: Project, root: str) -> tuple[str, str]:
    """The revision to compare with, and why.

    It is the base that continuous integration names, else the commit where the branch left the main branch, else the
    last commit.
    """
    for variable in BRANCHES:
        branch = project.door.environment(variable).removeprefix("refs/heads/")
        if branch:
            return _fork(project, root, f"origin/{branch}"), f"where this branch left origin/{branch}, by {variable}"
    for variable in COMMITS:
        commit = project.door.environment(variable)
        if commit.strip("0"):
            return commit, f"by {variable}"
    pushed = _pushed(project)
    if pushed:
        return pushed, "what was there before the push, by GITHUB_EVENT_PATH"
    main = project.door.git_facts("merge-base", "HEAD", "origin/HEAD", folder=root)
    if not main.status:
        return main.text.strip(), "where this branch left origin/HEAD"
    return "HEAD", "the last commit"


def _fork(project: Project, root: str, branch: str) -> str:
    return _git(project, root, branch, "merge-base", "HEAD", branch).text.strip()


def _pushed(project: Project) -> str:
    """The commit before a push, as the event of a workflow has it."""
    path = project.door.environment("GITHUB_EVENT_PATH")
    if not path or not project.door.is_file(path):
        return ""
    try:
        event = json.loads(project.bytes(project.admit(path)))
    except ValueError:
        return ""
    before = event.get("before") if isinstance(event, dict) else None
    return before if isinstance(before, str) and before.strip("0") else ""
