"""Hosts of Ansible inventories, each with its files of variables in Ansible's order."""

from __future__ import annotations

import os
import re
from itertools import islice

from plait.core.find import entry, members_of
from plait.core.node import MapNode, key_text
from plait.core.source import DATA_ENDINGS, YAML_ENDINGS
from plait.fronts.discovery.found import FoundTarget
from plait.fronts.signs import VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.node import Node
    from plait.fronts.discovery.repository import RepositoryFiles

CONFIG = "ansible.cfg"
STEMS = ("hosts", "inventory")
SUFFIXES = ("", ".ini", ".cfg", *YAML_ENDINGS)
CONFIGURED = re.compile(r"^\s*inventory\s*=\s*(.+?)\s*$", re.M)
SCRIPT = "#!"
"""An inventory that is a program is not run: its hosts are not known."""
RANGE = re.compile(r"\[(\w{1,20}):(\w{1,20})(?::(\d{1,9}))?\]")
SECTION = re.compile(r"\[([^\]:]+)(?::(\w+))?\]\s*(?:[#;].*)?\Z")
EVERYTHING, REST = "all", "ungrouped"
MOST_HOSTS = 10_000
DEEPEST = 100
"""Groups in groups."""


class Inventory:
    """Groups with their hosts and the groups inside of them."""

    def __init__(self) -> None:
        self.hosts: dict[str, set[str]] = {}
        """The groups of each host."""
        self.parents: dict[str, set[str]] = {}
        """The groups that a group is in."""
        self._depths: dict[str, int] = {}

    def add(self, host: str, group: str) -> None:
        if len(self.hosts) < MOST_HOSTS:
            self.hosts.setdefault(host, set()).add(group)

    def nest(self, child: str, group: str) -> None:
        self.parents.setdefault(child, set()).add(group)

    def groups(self, host: str) -> list[str]:
        """The groups that a host is in, those that contain others first, then by name; without the one of all."""
        own = {group for group in self.hosts[host] if group != EVERYTHING} or {REST}
        found = set(own)
        stack = list(own)
        while stack:
            for parent in self.parents.get(stack.pop(), ()):
                if parent not in found and parent != EVERYTHING:
                    found.add(parent)
                    stack.append(parent)
        return sorted(found, key=lambda group: (self._depth(group), group))

    def _depth(self, group: str) -> int:
        """How many groups a group is inside of, one in the other, at most."""
        known = self._depths.get(group)
        if known is None:
            known, level = 0, {group}
            while level and known < DEEPEST:  # groups may be inside of each other
                known += 1
                level = {one for name in level for one in self.parents.get(name, ()) if one != EVERYTHING}
            self._depths[group] = known
        return known


def hosts_of(repository: RepositoryFiles) -> Iterator[FoundTarget]:
    """A target for each host that has files of variables."""
    if not any(folder.rpartition("/")[2] in VARIABLES for folder in repository.folders):
        return
    inventories = list(dict.fromkeys(_inventories(repository)))
    for file in inventories:
        inventory = _read(repository, file)
        places = _places(repository, os.path.dirname(file))
        for host in sorted(inventory.hosts):
            files = list(_files(repository, inventory, host, places))
            name = host if len(inventories) == 1 else f"{host}-{_environment(file)}"
            if files:
                yield FoundTarget("layers", name, files, profile="ansible", told=[file])


def _environment(file: str) -> str:
    """What tells one inventory from another: its folder, or its own name."""
    folder, _, name = file.rpartition("/")
    stem = os.path.splitext(name)[0]
    return os.path.basename(folder) if stem in STEMS and folder else stem


def _inventories(repository: RepositoryFiles) -> Iterator[str]:
    """The inventories that an ansible.cfg names, and the files that are called so where none applies."""
    configured = {os.path.dirname(config): _configured(repository, config) for config in repository.named(CONFIG)}
    governed = {folder for folder, files in configured.items() if files}
    for files in configured.values():
        yield from files
    for file in repository.files:
        folders = file.split("/")[:-1]
        if _is_inventory(file, folders) and governed.isdisjoint(
            "/".join(folders[:end]) for end in range(len(folders) + 1)
        ):
            yield file


def _configured(repository: RepositoryFiles, config: str) -> list[str]:
    """The inventories that an ansible.cfg names: they are relative to it."""
    return [
        file
        for match in CONFIGURED.finditer(repository.text(config))
        for name in match.group(1).split(",")
        for file in _named(repository, repository.path(os.path.dirname(config), name.strip()))
    ]


def _is_inventory(file: str, folders: list[str]) -> bool:
    """Whether a file is called as inventories are."""
    stem, suffix = os.path.splitext(os.path.basename(file))
    called = stem in STEMS or (folders and folders[-1] in ("inventory", "inventories"))
    return bool(called) and suffix in SUFFIXES and not {*VARIABLES, "roles"} & set(folders)


def _named(repository: RepositoryFiles, name: str) -> list[str]:
    """A file, or the files of a folder that are inventories."""
    if name in repository.known:
        return [name]
    return [
        f"{name}/{file}"
        for file in (repository.inside(name) if name in repository.folders else ())
        if os.path.splitext(file)[1] in SUFFIXES
    ]


def _places(repository: RepositoryFiles, folder: str) -> list[str]:
    """The folders that hold group_vars and host_vars: that of the inventory, then that of the playbooks."""
    above = [folder]
    while above[-1]:
        above.append(os.path.dirname(above[-1]))
    holding = [one for one in above if any(f"{one}/{name}".lstrip("/") in repository.folders for name in VARIABLES)]
    return holding[:2]


def _files(repository: RepositoryFiles, inventory: Inventory, host: str, places: list[str]) -> Iterator[str]:
    for place in places:
        yield from _variables(repository, place, VARIABLES[0], EVERYTHING)
    for place in places:
        for group in inventory.groups(host):
            yield from _variables(repository, place, VARIABLES[0], group)
    for place in places:
        yield from _variables(repository, place, VARIABLES[1], host)


def _variables(repository: RepositoryFiles, place: str, folder: str, name: str) -> Iterator[str]:
    """The files of variables of a group or a host: one file, or those of a folder, by name."""
    base = f"{place}/{folder}/{name}".lstrip("/")
    for suffix in (*DATA_ENDINGS, ""):
        if f"{base}{suffix}" in repository.known:
            yield f"{base}{suffix}"
    if base in repository.folders:
        yield from (f"{base}/{one}" for one in sorted(repository.below(base)) if one.endswith(DATA_ENDINGS))


# Inventories


def _read(repository: RepositoryFiles, file: str) -> Inventory:
    inventory = Inventory()
    if file.endswith(YAML_ENDINGS):
        document = repository.document(file)
        for group, node in members_of(document).items():
            _read_group(inventory, group, node)
    else:
        _read_lines(inventory, repository.text(file))
    for _ in inventory.hosts:
        repository.charge()
    return inventory


def _read_group(inventory: Inventory, group: str, node: Node) -> None:
    for host in members_of(node, "hosts"):
        for one in islice(expanded(host), MOST_HOSTS):
            inventory.add(one, group)
    children = entry(node, "children")
    for key, child in children.entries.items() if isinstance(children, MapNode) else ():
        inventory.nest(key_text(key), group)
        _read_group(inventory, key_text(key), child)


def _read_lines(inventory: Inventory, text: str) -> None:
    if text.startswith(SCRIPT):
        return
    group, kind = REST, ""
    for line in text.splitlines():
        line = line.strip()
        section = SECTION.match(line)
        if section is not None:
            group, kind = section.group(1), section.group(2) or ""
        elif line and line[0] not in "#;":
            word = line.split()[0]
            if kind == "children":
                inventory.nest(word, group)
            elif not kind:
                for host in islice(expanded(word), MOST_HOSTS):
                    inventory.add(host, group)


def expanded(pattern: str) -> Iterator[str]:
    """The hosts that a pattern stands for: `web[01:03]`, `db-[a:c]`."""
    match = RANGE.search(pattern)
    if match is None:
        yield pattern.partition(":")[0] if pattern.count(":") == 1 else pattern
        return
    first, last, step = match.group(1), match.group(2), int(match.group(3) or 1) or 1
    if first.isdecimal() and last.isdecimal():
        names = [str(number).zfill(len(first)) for number in range(int(first), min(int(last), MOST_HOSTS) + 1, step)]
    else:
        names = [chr(code) for code in range(ord(first[0]), ord(last[0]) + 1, step)]
    for name in names:
        yield from expanded(pattern[: match.start()] + name + pattern[match.end() :])
