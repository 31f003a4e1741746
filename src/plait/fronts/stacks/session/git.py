"""Facts about the git repository around a folder, read from its files: no command is run."""

from __future__ import annotations

import os
import re

from plait.access.door import Door
from plait.access.gitfolder import GitFolder
from plait.fronts.project import Project

REVISION = re.compile(r"[0-9a-f]{7,64}\Z")
REF = re.compile(r"refs/[^\s\x00-\x1f~^:?*\[\\]+\Z")


class GitRepository:
    """A work tree and its git folder.

    A repository may come from an archive with a crafted git folder. So links in it are followed only inside it, its
    content is used only if it has the form of a name or a revision, and a git folder elsewhere must point back to this
    tree.
    """

    __slots__ = ("_door", "common", "folder", "root")

    def __init__(self, found: GitFolder, project: Project) -> None:
        self.root = found.root
        self.folder = found.folder
        is_worktree = os.path.dirname(found.folder) == os.path.join(found.common, "worktrees")
        self.common = found.common if is_worktree else found.folder
        """The git folder that holds branches and remotes: of a worktree, that of its main repository."""
        self._door = Door([self.common])
        self._door.trace = project.trace

    @classmethod
    def around(cls, start: str, project: Project) -> GitRepository | None:
        """The repository that a folder is in."""
        root = str(project.trace.look("repository", start))
        if not root:
            return None
        found = GitFolder.of_tree(root)
        if os.path.isfile(found.mark):
            project.trace.stamp(found.mark)
        belongs = project.door.inside(found.folder) or any(found.own())
        return cls(found, project) if belongs else None

    def _read(self, name: str, folder: str = "") -> str:
        return self._door.text(os.path.join(folder or self.folder, name))

    def branch(self) -> str:
        name = self._head()[1]
        return name.removeprefix("refs/heads/") if name.startswith("refs/heads/") else ""

    def _head(self) -> tuple[str, str]:
        """The revision that is checked out, where it is named itself; else the name of the branch."""
        head = self._read("HEAD").strip()
        name = head.removeprefix("ref: ").strip()
        if name == head:
            return (head, "") if REVISION.match(head) else ("", "")
        return "", name if REF.match(name) and ".." not in name else ""

    def sha(self) -> str:
        revision, name = self._head()
        if revision or not name:
            return revision
        for folder in (self.folder, self.common):
            found = self._read(name, folder).strip()
            if REVISION.match(found):
                return found
        rows = (line.split(" ", 1) for line in self._read("packed-refs", self.common).splitlines() if " " in line)
        return next((row[0] for row in rows if row[1] == name and REVISION.match(row[0])), "")

    def url(self) -> str:
        """The address of the remote `origin`."""
        text = self._read("config", self.common)
        section = re.search(r'^\[remote "origin"\]\n((?:[ \t].*\n?)*)', text, re.MULTILINE)
        line = re.search(r"^\s*url\s*=\s*(.+)$", section[1], re.MULTILINE) if section else None
        return line[1].strip() if line else ""

    def _address(self) -> tuple[str, str, str]:
        """Host, owner and name of the remote."""
        match = re.match(r"(?:[a-z+]+://)?(?:[^@/]+@)?([^/:]+)(?::\d+)?[:/](.*?)/([^/]+?)(?:\.git)?/?\Z", self.url())
        return (match[1], match[2], match[3]) if match else ("", "", "")

    def host(self) -> str:
        return self._address()[0]

    def owner(self) -> str:
        return self._address()[1]

    def name(self) -> str:
        return self._address()[2]

    def repository(self) -> str:
        _, owner, name = self._address()
        return f"{owner}/{name}" if name else ""

    def top(self) -> str:
        return self.root


QUESTIONS = {
    "root": GitRepository.top,
    "sha": GitRepository.sha,
    "ref": GitRepository.sha,
    "branch": GitRepository.branch,
    "repository": GitRepository.repository,
    "owner": GitRepository.owner,
    "name": GitRepository.name,
    "host": GitRepository.host,
    "url": GitRepository.url,
}
"""What `!git.QUESTION` asks."""
