"""The files of a repository as the finders of targets ask for them: one listing, and texts that are read when asked."""

from __future__ import annotations

import os
import re

from plait.core.diagnostic import Fault
from plait.core.node import Mapping, Node, Scalar, Sequence, key_text
from plait.fronts.signs import CHART, KUSTOMIZATIONS
from plait.fronts.signs import YAML_ENDINGS as YAML
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.project import Project

UNREAD = ("templates", "ci", "tests", "crds")
"""Folders of a chart in which nothing is a target."""
SKIPPED = frozenset({"node_modules", "vendor", "__pycache__", "venv", "site-packages"})
"""Folders of other people's files."""
MOST_FILES = 200_000
"""Files of a repository that are looked at."""
LARGEST = 2_000_000
"""Bytes up to which a file is looked into."""


class Repository:
    """The files below the root of a project, by their paths from it."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.root = project.root
        names = sorted(_listed(project, self.root))
        charts = {os.path.dirname(name) for name in names if os.path.basename(name) == CHART}
        self.charts = sorted(charts)
        """The folders that have a Chart.yaml, of any type."""
        self.files = [name for name in names if not self._is_inside(name, charts)]
        self.known = frozenset(self.files)
        self.folders = frozenset(_folders(self.files))
        self._documents: dict[str, list[Node]] = {}
        self._texts: set[str] = set()

    def _is_inside(self, name: str, charts: set[str]) -> bool:
        """Whether a file is in a folder of a chart that is never looked into."""
        if not charts:
            return False
        parts = name.split("/")
        return any(part in UNREAD and "/".join(parts[:at]) in charts for at, part in enumerate(parts[:-1]))

    def named(self, *names: str) -> Iterator[str]:
        """The files with one of some names, in any folder."""
        wanted = frozenset(names)
        return (file for file in self.files if file.rpartition("/")[2] in wanted)

    def inside(self, folder: str) -> list[str]:
        """The names of the files directly in a folder."""
        prefix = f"{folder}/" if folder else ""
        size = len(prefix)
        return [name[size:] for name in self.files if name.startswith(prefix) and "/" not in name[size:]]

    def below(self, folder: str) -> list[str]:
        """The files below a folder, as paths from it."""
        prefix = f"{folder}/" if folder else ""
        return [name[len(prefix) :] for name in self.files if name.startswith(prefix)]

    def within(self, folder: str) -> list[str]:
        """The names of the folders directly in a folder."""
        prefix = f"{folder}/" if folder else ""
        size = len(prefix)
        return sorted(
            name[size:] for name in self.folders if name.startswith(prefix) and name[size:] and "/" not in name[size:]
        )

    def path(self, *parts: str) -> str:
        """A path from the root, as the listing spells it; a text that is no file of it where it leads out."""
        joined = os.path.normpath("/".join(part for part in parts if part))
        return "" if joined == "." else joined

    def kustomization(self, folder: str) -> str:
        """The kustomization file of a folder; empty where it has none."""
        files = (f"{folder}/{name}" if folder else name for name in KUSTOMIZATIONS)
        return next((file for file in files if file in self.known), "")

    # Texts

    def consulted(self, file: str) -> bool:
        """Whether something was made of the text of a file."""
        return file in self._documents or file in self._texts

    def data(self, file: str) -> bytes:
        """The bytes of a file; none of one that cannot be read, or is too large to be a manifest."""
        try:
            return self.project.door.read(self.project.admit(os.path.join(self.root, file)), LARGEST)
        except Fault:
            return b""

    def text(self, file: str) -> str:
        self._texts.add(file)
        return self.data(file).decode("utf-8", "replace")

    def documents(self, file: str) -> list[Node]:
        """The YAML documents of a file, not evaluated; none of one that is not YAML."""
        if file not in self._documents:
            try:
                path = os.path.relpath(os.path.join(self.root, file))
                self._documents[file] = list(self.project.read(self.project.admit(path), lambda source: Reading()))
            except Fault:
                self._documents[file] = []
        return self._documents[file]

    def document(self, file: str) -> Node | None:
        """The first document of a file."""
        return next(iter(self.documents(file)), None)

    def mentioning(self, words: tuple[bytes, ...]) -> Iterator[str]:
        """The YAML files that contain one of some words."""
        search = re.compile(b"|".join(map(re.escape, words))).search
        return (file for file in self.files if file.endswith(YAML) and search(self.data(file)))


def _listed(project: Project, root: str) -> Iterator[str]:
    """The files below a folder, without hidden ones and those of other people, up to a limit."""
    stack = [""]
    count = 0
    while stack and count < MOST_FILES:
        inner = stack.pop()
        prefix = f"{inner}/" if inner else ""
        try:
            entries = project.door.entries(os.path.join(root, inner) if inner else root)
        except Fault:  # a folder that may not be read has no targets
            continue
        for name, is_folder, link in entries:
            if name.startswith(".") or (is_folder and (link or name in SKIPPED)):
                continue
            if is_folder:
                stack.append(prefix + name)
            else:
                count += 1
                yield prefix + name


def _folders(files: list[str]) -> Iterator[str]:
    seen: set[str] = {""}
    for name in files:
        folder = os.path.dirname(name)
        while folder not in seen:
            seen.add(folder)
            folder = os.path.dirname(folder)
    return iter(seen)


# Nodes


def at(node: Node | None, *keys: str) -> Node | None:
    """What is at a path of keys; None where there is nothing."""
    for key in keys:
        if not isinstance(node, Mapping):
            return None
        node = next((child for name, child in node.entries.items() if key_text(name) == key), None)
    return node


def word(node: Node | None, *keys: str) -> str:
    """The text of a scalar at a path; empty where there is none."""
    found = at(node, *keys)
    return found.text if isinstance(found, Scalar) and found.value is not None else ""


def items(node: Node | None, *keys: str) -> list[Node]:
    """The items of a list at a path."""
    found = at(node, *keys)
    return list(found.items) if isinstance(found, Sequence) else []


def members(node: Node | None, *keys: str) -> dict[str, Node]:
    """The members of a map at a path, by the texts of their keys."""
    found = at(node, *keys)
    return {key_text(key): child for key, child in found.entries.items()} if isinstance(found, Mapping) else {}


def is_kind(node: Node | None, group: str, kind: str) -> bool:
    """Whether a document is a Kubernetes object of a group and a kind."""
    return word(node, "kind") == kind and word(node, "apiVersion").startswith(group)
