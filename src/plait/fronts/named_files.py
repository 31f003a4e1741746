"""The files and folders that something names which is not evaluated here: it may be made of all that is in them."""

from __future__ import annotations

import os
import re

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.source import DATA_ENDINGS, YAML_ENDINGS, Source
from plait.fronts.signs import CHART, KUSTOMIZATIONS
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from plait.fronts.project import Project

LONGEST = 1_000
"""How many characters a name of a file may have."""
MANIFESTS = (*DATA_ENDINGS, ".jsonnet", ".libsonnet")
"""How the files end that Argo CD reads in a folder."""


def contents_at(project: Project, path: str) -> list[Node]:
    """What is at a path that may be read: the data of a file, or of all files below a folder; nothing else."""
    if not path.isprintable() or not project.door.allows(path):
        return []
    if project.door.is_file(path):
        return [file_content(project, path)]
    if project.door.is_folder(path):
        files = project.door.below(path, hidden=False)
        return [MapNode({name: file_content(project, os.path.join(path, name)) for name in files})]
    return []


def manifests_in(project: Project, folder: str) -> list[Node]:
    """The manifests directly in a folder that may be read, each below its name."""
    if not folder.isprintable() or not project.door.allows(folder):
        return []
    names = [name for name in project.listing(folder) if name.endswith(MANIFESTS)]
    found = {name: os.path.join(folder, name) for name in names}
    return [MapNode({name: file_content(project, path)}) for name, path in found.items() if project.door.is_file(path)]


def file_content(project: Project, path: str) -> Node:
    """The data of a file: its documents where it is YAML, in which comments and the order of keys are nothing; else
    its text."""
    try:
        if path.endswith(DATA_ENDINGS):
            return ListNode(list(project.read(path, lambda source: Reading())))
        data = project.bytes(path).decode("utf-8", "surrogateescape")
    except Fault:
        data = _text(project, path)
    return Scalar(data, data, Source(path, data))


def _text(project: Project, path: str) -> str:
    try:
        return project.bytes(path).decode("utf-8", "surrogateescape")
    except Fault as error:
        return "\n".join(diagnostic.message for diagnostic in error.diagnostics)


COMPUTED = re.compile(r"\{\{.*?\}\}|\(\(.*?\)\)|\$\{.*?\}")
"""A part of a text that is computed, in any notation."""
WORD = re.compile(r"[^\s\"'`,;:=<>|()\[\]{}#]+")
"""What may be the name of a file in any text."""
ENDINGS = ("", *YAML_ENDINGS, *(f"{ending}.tmpl" for ending in YAML_ENDINGS))
"""What names of files may leave out."""
MOST = 500
"""How many files are looked into."""


def files_mentioned(project: Project, tree: str, files: Iterable[str], wanted: Collection[str]) -> set[str]:
    """Those of some files that others name in their texts, or name files that do. All are paths from the root of a
    tree; the wanted ones need not be there.

    A name counts from the folder of its file and from each one above it, with or without an ending; a computed part of
    a name may be anything.
    """
    mentions = _Mentions(project, tree, wanted)
    stack = list(files)
    looked: set[str] = set()
    while stack and len(looked) < MOST:
        file = stack.pop()
        if file not in looked:
            looked.add(file)
            stack += mentions.of(file)
    return {file for file in wanted if file in looked}


class _Mentions:
    """Finds the files that texts name."""

    def __init__(self, project: Project, tree: str, wanted: Iterable[str]) -> None:
        self._project = project
        self._tree = tree
        self._wanted = list(wanted)
        self._known: dict[str, list[str]] = {}
        """The files that are at each path."""

    def of(self, file: str) -> Iterator[str]:
        """The files that the text of one names."""
        path = os.path.relpath(os.path.join(self._tree, file))
        is_readable = self._project.door.allows(path) and self._project.door.is_file(path)
        text = COMPUTED.sub("*", _text(self._project, path)) if is_readable else ""
        for word in dict.fromkeys(WORD.findall(text)):
            if word.strip("./*") and len(word) <= LONGEST:
                yield from self._named(os.path.dirname(file), word)

    def _named(self, folder: str, word: str) -> Iterator[str]:
        """The files that a word may mean in a folder, or above it."""
        while True:
            path = os.path.normpath(os.path.join(folder, word))
            if not path.startswith(os.pardir):
                yield from (file for file in self._wanted if _is_meant(file, path))
                yield from self._there(path)
            if not folder:
                return
            folder = os.path.dirname(folder)

    def _there(self, path: str) -> list[str]:
        """The files that are at a path, or that an evaluation of the folder at that path begins with."""
        if path not in self._known:
            door, place = self._project.door, os.path.relpath(os.path.join(self._tree, path))
            found = [
                path + ending for ending in ENDINGS if door.allows(place + ending) and door.is_file(place + ending)
            ]
            names = door.names(place) if not found and door.allows(place) and door.is_folder(place) else []
            found += [os.path.join(path, name) for name in names if name in KUSTOMIZATIONS]
            found += [file for file in self._wanted if CHART in names and file.startswith(f"{path}/")]
            self._known[path] = found
        return self._known[path]


def _is_meant(file: str, path: str) -> bool:
    """Whether a file may be what a path means: the file itself, a folder that it is in, or a pattern."""
    if "*" in path:
        return any(_fits(file, path + ending) for ending in ENDINGS)
    return any(file == path + ending for ending in ENDINGS)


def _fits(text: str, pattern: str) -> bool:
    """Whether a text is what a pattern says, in which each star is any text, folders included."""
    first, *middle, last = pattern.split("*")
    if not text.startswith(first) or not text.endswith(last):
        return False
    at = len(first)
    for part in middle:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return at <= len(text) - len(last)
