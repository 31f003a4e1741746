"""Primary configurations of Hydra, each with the files of its defaults list in the order of composition."""

from __future__ import annotations

import os
import re

from plait.core.find import items_of
from plait.core.node import ListNode, MapNode, Scalar, key_text
from plait.core.source import YAML_ENDINGS
from plait.fronts.discovery.found import FoundTarget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.fronts.discovery.repository import RepositoryFiles

MAIN = re.compile(r"@(?:hydra\.)?main\(([^)]*)\)", re.S)
WORD = re.compile(r"(config_path|config_name)\s*=\s*[\"']([^\"']*)[\"']")
FOLDERS = frozenset({"conf", "config", "configs", "cfg", "cfgs", "hydra", "hydra_conf", "hydra_configs"})
"""What the folder of a configuration is usually called: only then programs are looked into."""
PACKAGE = re.compile(r"^#\s*@package:?\s+(\S+)", re.M)
SELF = "_self_"
DEEPEST = 20


def configurations_of(repository: RepositoryFiles) -> Iterator[FoundTarget]:
    """A target for each configuration that a program is started with."""
    if not any(folder.rpartition("/")[2] in FOLDERS for folder in repository.folders):
        return
    for file in repository.files:
        text = repository.text(file) if file.endswith(".py") else ""
        for match in MAIN.finditer(text) if "hydra" in text else ():
            words = dict(WORD.findall(match.group(1)))
            folder = repository.path(os.path.dirname(file), words.get("config_path", ""))
            name = words.get("config_name", "").removesuffix(".yaml")
            files = Composition(repository, folder).files(name) if name and "config_path" in words else {}
            if files:
                packages = list(files.values())
                yield FoundTarget("layers", name, list(files), profile="hydra", packages=packages, told=[file])


class Composition:
    """The files that a configuration is composed of."""

    def __init__(self, repository: RepositoryFiles, folder: str) -> None:
        self.repository = repository
        self.folder = folder
        self._overrides: dict[str, str] = {}

    def files(self, name: str) -> dict[str, str]:
        """The files of a primary configuration, the lowest first, each with its package: where it is in the result."""
        for entry in self._defaults(name):
            group, options = _choice(entry)
            if group.startswith("override ") and options:
                self._overrides[group.removeprefix("override ").lstrip("/").partition("@")[0]] = options[0]
        found: dict[str, str] = {}
        for file, package in self._composed(name, "", "", 0):
            found.setdefault(file, package)
        return found

    def _file(self, name: str) -> str:
        names = (self.repository.path(self.folder, f"{name}{suffix}") for suffix in YAML_ENDINGS)
        return next((file for file in names if file in self.repository.known), "")

    def _defaults(self, name: str) -> list[Node]:
        file = self._file(name)
        return items_of(self.repository.document(file), "defaults") if file else []

    def _composed(self, name: str, group: str, package: str, depth: int) -> Iterator[tuple[str, str]]:
        """The files of a configuration and its defaults, in the order in which they are merged."""
        file = self._file(name)
        if not file or depth > DEEPEST:
            return
        self.repository.charge()
        header = PACKAGE.search(self.repository.text(file)[:2000])
        if header is not None:
            package = _declared(header.group(1), group)
        entries = self._defaults(name)
        if not any(isinstance(entry, Scalar) and entry.text == SELF for entry in entries):
            entries = [*entries, Scalar(SELF, SELF)]
        for entry in entries:
            if isinstance(entry, Scalar) and entry.text == SELF:
                yield file, package
            elif isinstance(entry, Scalar):
                other, _, where = entry.text.partition("@")
                path = _path(other, group)
                inner = _inner(os.path.dirname(other.lstrip("/")) if other.startswith("/") else "", package, where)
                yield from self._composed(path, os.path.dirname(path), inner, depth + 1)
            else:
                yield from self._chosen(entry, group, package, depth)

    def _chosen(self, entry: Node, group: str, package: str, depth: int) -> Iterator[tuple[str, str]]:
        """The files that an entry of a group chooses."""
        chosen, options = _choice(entry)
        name, _, where = chosen.removeprefix("optional ").partition("@")
        place = _path(name, group)
        if chosen.startswith("override ") or place.startswith("hydra/"):
            return
        for option in [self._overrides[place]] if place in self._overrides else options:
            yield from self._composed(f"{place}/{option}", place, _inner(name.lstrip("/"), package, where), depth + 1)


def _path(name: str, group: str) -> str:
    """A name of a defaults list as a path from the folder of the configuration."""
    return name.lstrip("/") if name.startswith("/") else f"{group}/{name}".lstrip("/")


def _inner(group: str, package: str, where: str) -> str:
    """The package of a configuration that another one chooses: its group, or what `@` says, inside of the other's."""
    if where == "_global_" or where.startswith("_global_."):
        return where[len("_global_.") :]
    own = "" if where == "_here_" else where or group.replace("/", ".")
    return ".".join(filter(None, (package, own)))


def _declared(package: str, group: str) -> str:
    """What `# @package` says."""
    words = {"_global_": "", "_group_": group.replace("/", ".")}
    return words.get(package, package)


def _choice(entry: Node) -> tuple[str, list[str]]:
    """An entry of a defaults list: the group, and what is chosen of it."""
    if not isinstance(entry, MapNode) or len(entry.entries) != 1:
        return "", []
    ((key, value),) = entry.entries.items()
    chosen = value.items if isinstance(value, ListNode) else [value]
    return key_text(key), [one.text for one in chosen if isinstance(one, Scalar) and one.value is not None]
