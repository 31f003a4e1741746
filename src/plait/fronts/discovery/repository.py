"""The files of a repository as the finders of targets ask for them: one listing, and texts that are read when asked."""

from __future__ import annotations

import os
import re
from functools import cached_property

from plait.core.diagnostic import Fault
from plait.core.find import word
from plait.core.node import Node
from plait.core.source import YAML_ENDINGS
from plait.fronts.deployed import marks_in
from plait.fronts.signs import CHART, KUSTOMIZATIONS, VARIABLES
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from plait.fronts.project import Project

UNREAD = ("templates", "ci", "tests", "crds")
"""Folders of a chart in which nothing is a target."""
SKIPPED = frozenset({"node_modules", "vendor", "__pycache__", "venv", "site-packages"})
"""Folders of other people's files."""
LIKELY = re.compile("argo|flux|appset|application|apps|gitops|cluster|bootstrap|release|helm|deploy|infra|env", re.I)
"""Parts of the names of manifests that deploy something, and of the folders that they are in."""
MARKED = "marks of manifests"
MOST_FILES = 200_000
"""Files of a repository that are looked at."""
FOUND = 20
"""Steps for one thing that a file says: a host, an application, a file of a configuration."""
LARGEST = 2_000_000
"""Bytes up to which a file is looked into."""


class RepositoryFiles:
    """The files below the root of a project, by their paths from it."""

    def __init__(self, project: Project, beside: RepositoryFiles | None = None, changed: Container[str] = ()) -> None:
        """`beside` are those of a world that differs in the `changed` files alone: others are not looked into again."""
        self.project = project
        self.root = project.root
        self._beside = beside
        self._changed = changed
        listing = dict(_listed(project, self.root))
        self.charts = sorted(folder for folder, names in listing.items() if CHART in names)
        """The folders that have a Chart.yaml, of any type."""
        charts = frozenset(self.charts)
        self._inside = {folder: names for folder, names in sorted(listing.items()) if not _is_within(folder, charts)}
        self.folders = self._inside.keys()
        self.files = [_path(folder, name) for folder, names in self._inside.items() for name in names]
        self.known = frozenset(self.files)
        self._below: dict[str, list[str]] = {}
        for folder in self.folders:
            above, _, name = folder.rpartition("/")
            if folder:
                self._below.setdefault(above, []).append(name)
        self._documents: dict[str, list[Node]] = {}
        self._texts: set[str] = set()

    def charge(self) -> None:
        """Something more was found in a file: a few lines can say millions."""
        self.project.meter.step(FOUND)

    def named(self, *names: str) -> Iterator[str]:
        """The files with one of some names, in any folder."""
        wanted = frozenset(names)
        for folder, inside in self._inside.items():
            if not wanted.isdisjoint(inside):
                yield from (_path(folder, name) for name in inside if name in wanted)

    def inside(self, folder: str) -> list[str]:
        """The names of the files directly in a folder."""
        return self._inside.get(folder, [])

    def within(self, folder: str) -> list[str]:
        """The names of the folders directly in a folder."""
        return self._below.get(folder, [])

    def below(self, folder: str) -> list[str]:
        """The files below a folder, as paths from it."""
        found: list[str] = []
        stack = [""]
        while stack:
            inner = stack.pop()
            place = _path(folder, inner) if inner else folder
            found += [_path(inner, name) for name in self.inside(place)]
            stack += [_path(inner, name) for name in self.within(place)]
        return sorted(found)

    def path(self, *parts: str) -> str:
        """A path from the root, as the listing spells it; a text that is no file of it where it leads out."""
        joined = os.path.normpath("/".join(part for part in parts if part))
        return "" if joined == "." else joined

    def is_expected(self, file: str, may_be_missing: bool) -> bool:
        """Whether a file that something names is there, must be there, or belongs to git, which is an error."""
        is_there = file in self.known or not may_be_missing
        return is_there or self.project.door.is_of_git(os.path.join(self.root, file))

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
        return _data(self.project, os.path.join(self.root, file))

    def text(self, file: str) -> str:
        self._texts.add(file)
        return self.data(file).decode("utf-8", "replace")

    def documents(self, file: str) -> list[Node]:
        """The YAML documents of a file, not evaluated; none of one that is not YAML."""
        if file not in self._documents:
            try:
                path = os.path.relpath(os.path.join(self.root, file))
                self._documents[file] = list(self.project.read(path, lambda source: Reading()))
            except Fault:
                self._documents[file] = []
        return self._documents[file]

    def document(self, file: str) -> Node | None:
        """The first document of a file."""
        return next(iter(self.documents(file)), None)

    def mentioning(self, word: bytes) -> list[str]:
        """The YAML files that contain a word of Argo CD or Flux."""
        return [file for file, words in self._marked.items() if word in words]

    @cached_property
    def _marked(self) -> dict[str, set[bytes]]:
        """The manifests, each with the words of Argo CD and Flux that it contains."""
        known = self._beside._marked if self._beside is not None else {}
        same = {file: words for file, words in known.items() if file not in self._changed}
        return {file: same[file] if file in same else self._marks_in(file) for file in self._manifests()}

    def _marks_in(self, file: str) -> set[bytes]:
        project, path = self.project, os.path.join(self.root, file)
        return project.queries.compare((MARKED, path), lambda: marks_in(_data(project, path)))

    def _manifests(self) -> Iterator[str]:
        """The files that may be manifests. In a repository with nothing to deploy, those that are called as manifests
        often are, or are in such a folder."""
        deploys = bool(self.charts) or any(True for _ in self.named(*KUSTOMIZATIONS))
        for folder, names in self._inside.items():
            likely = deploys or LIKELY.search(folder)
            for name in names:
                if name.endswith(YAML_ENDINGS) and (likely or LIKELY.search(name)):
                    yield _path(folder, name)


def _path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _is_within(folder: str, charts: frozenset[str]) -> bool:
    """Whether a folder is one of a chart that is never looked into."""
    if not charts or not folder:
        return False
    parts = folder.split("/")
    return any(part in UNREAD and "/".join(parts[:at]) in charts for at, part in enumerate(parts))


def _data(project: Project, path: str) -> bytes:
    try:
        return project.door.read(path, LARGEST)
    except Fault:
        return b""


def _listed(project: Project, root: str) -> Iterator[tuple[str, list[str]]]:
    """The folders below a folder with the names of their files, without hidden ones and those of other people, up to a
    limit."""
    stack = [""]
    count = 0
    while stack and count < MOST_FILES:
        inner = stack.pop()
        try:
            entries = project.door.entries(f"{root}/{inner}" if inner else root)
        except Fault:  # a folder that may not be read has no targets
            continue
        shown = [entry for entry in entries if not entry[0].startswith(".")]
        stack += [_path(inner, name) for name, folder, link in shown if folder and _is_listed(inner, name, link)]
        files = [name for name, is_folder, _ in shown if not is_folder]
        count += len(files)
        yield inner, files


def _is_listed(folder: str, name: str, link: bool) -> bool:
    """Whether a folder inside of another one is looked into. Of links only variables of Ansible, which inventories
    share; the door refuses those that lead out."""
    if link:
        return name in VARIABLES and not set(VARIABLES) & set(folder.split("/"))
    return name not in SKIPPED


# Nodes


def is_kind(node: Node | None, group: str, kind: str) -> bool:
    """Whether a document is a Kubernetes object of a group and a kind."""
    return word(node, "kind") == kind and word(node, "apiVersion").startswith(group)
