"""What the git repository around a folder says, read from its files: no command is run."""

from __future__ import annotations

import os
import re


class GitRepository:
    """A work tree and its git folder."""

    __slots__ = ("folder", "root")

    def __init__(self, root: str, folder: str) -> None:
        self.root = root
        self.folder = folder

    @classmethod
    def around(cls, start: str) -> GitRepository | None:
        """The repository that a folder lies in."""
        at = os.path.realpath(start)
        while True:
            mark = os.path.join(at, ".git")
            if os.path.isdir(mark):
                return cls(at, mark)
            if os.path.isfile(mark):  # a worktree or a submodule points to its git folder
                pointer = _read(mark).partition("gitdir:")[2].strip()
                return cls(at, os.path.normpath(os.path.join(at, pointer))) if pointer else None
            above = os.path.dirname(at)
            if above == at:
                return None
            at = above

    @property
    def common(self) -> str:
        """The git folder that holds branches and remotes: of a worktree, that of its main repository."""
        pointer = _read(os.path.join(self.folder, "commondir")).strip()
        return os.path.normpath(os.path.join(self.folder, pointer)) if pointer else self.folder

    def branch(self) -> str:
        head = _read(os.path.join(self.folder, "HEAD")).strip()
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""

    def sha(self) -> str:
        head = _read(os.path.join(self.folder, "HEAD")).strip()
        if not head.startswith("ref: "):
            return head
        name = head[5:]
        for folder in (self.folder, self.common):
            loose = _read(os.path.join(folder, name)).strip()
            if loose:
                return loose
        packed = re.search(
            rf"^([0-9a-f]+) {re.escape(name)}$", _read(os.path.join(self.common, "packed-refs")), re.MULTILINE
        )
        return packed[1] if packed else ""

    def url(self) -> str:
        """The address of the remote `origin`."""
        text = _read(os.path.join(self.common, "config"))
        section = re.search(r'^\[remote "origin"\]\n((?:[ \t].*\n?)*)', text, re.MULTILINE)
        line = re.search(r"^\s*url\s*=\s*(.+)$", section[1], re.MULTILINE) if section else None
        return line[1].strip() if line else ""

    def _address(self) -> tuple[str, str, str]:
        """Host, owner and name of the remote."""
        found = re.match(r"(?:[a-z+]+://)?(?:[^@/]+@)?([^/:]+)(?::\d+)?[:/](.*?)/([^/]+?)(?:\.git)?/?\Z", self.url())
        return (found[1], found[2], found[3]) if found else ("", "", "")

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
    "root": GitRepository.top, "sha": GitRepository.sha, "ref": GitRepository.sha, "branch": GitRepository.branch,
    "repository": GitRepository.repository, "owner": GitRepository.owner, "name": GitRepository.name, "host": GitRepository.host,
    "url": GitRepository.url,
}  # fmt: skip
"""What `!git.QUESTION` asks."""


def _read(name: str) -> str:
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
