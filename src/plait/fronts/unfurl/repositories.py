"""Repositories that a document itself names: `spec.service_template.repositories.NAME.url`, or below an environment.

A URL that begins with `file:` is a folder, relative to the document; `git-local://COMMIT:PATH` is a folder in the
git repository around the document whose first commit that is. Other URLs are not on this machine: plait.yaml says
where their copies are.
"""

from __future__ import annotations

import os

from plait.access.git import git, git_root
from plait.core.node import MapNode, Node, Scalar
from plait.notations.directives.expand import entry, shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FILE, GIT_LOCAL = "file:", "git-local://"
HOMES = (("spec", "service_template"), ("service_template",), ())
"""The maps of a document that may have `repositories`."""


def url_of(root: Node, name: str) -> str:
    """The URL that a document gives for a repository; empty where it gives none.

    What is written counts, not what is merged in.
    """
    for home in _homes(root):
        url = _written(home, ("repositories", name, "url"))
        if isinstance(url, Scalar) and isinstance(url.value, str):
            return url.value
    return ""


def names_in(root: Node) -> list[str]:
    """The repositories that a document names."""
    sections = [_written(home, ("repositories",)) for home in _homes(root)]
    return [str(key) for node in sections if isinstance(node, MapNode) for key in node.entries if isinstance(key, str)]


def _homes(root: Node) -> Iterator[Node]:
    for path in HOMES:
        node = _written(root, path)
        if node is not None:
            yield node
    environments = _written(root, ("environments",))
    if isinstance(environments, MapNode):
        yield from environments.entries.values()


def _written(node: Node | None, path: tuple[str, ...]) -> Node | None:
    for step in path:
        node = entry(shape(node), step) if node is not None else None
    return shape(node) if node is not None else None


def folder_of(url: str, folder: str) -> str | None:
    """The folder that a URL means to a document in a folder; None where it is not on this machine."""
    address = url.partition("#")[0]
    if address.startswith(FILE):
        path = address.removeprefix(FILE)
        return os.path.join(folder, path.removeprefix("//") if path.startswith("//") else path)
    if not address.startswith(GIT_LOCAL):
        return None
    commit, _, path = address.removeprefix(GIT_LOCAL).partition(":")
    root = _repository(commit, folder)
    return None if root is None else os.path.join(root, path.lstrip("/"))


def _repository(commit: str, folder: str) -> str | None:
    """The nearest git repository around a folder whose first commit is this one."""
    at = folder or os.curdir
    while root := git_root(at):
        answer = git(["rev-list", "--max-parents=0", "HEAD"], root)
        if commit and any(line.startswith(commit) for line in answer.text.split()):
            return os.path.relpath(root)
        above = os.path.dirname(root)
        if above == root:
            return None
        at = above
    return None
