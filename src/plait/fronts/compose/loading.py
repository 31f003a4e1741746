"""The files of a Compose project: each read, with `extends` and `include` followed, and merged by the profile
`compose`.

Paths are kept from the folder of the project: those of an included file, or of a file that a service extends, are
moved there.
"""

from __future__ import annotations

import os
from functools import partial

from plait.core.diagnostic import Fault, Label
from plait.core.find import entry, items_of, word
from plait.core.node import MapNode, Node, Scalar, key_text, with_changes
from plait.fronts.compose.canonical import RESOURCES, canonical, with_requests
from plait.fronts.compose.consistent import check_names
from plait.fronts.compose.kinds import check_kinds
from plait.fronts.compose.nodes import entries, is_text, map_of, unmarked
from plait.fronts.compose.paths import is_local, rebased, relative
from plait.fronts.compose.ports import PORT, ports_in, with_port_numbers
from plait.fronts.compose.variables import ENV, ComposeVariables, interpolated
from plait.fronts.documents import is_empty
from plait.fronts.layers import LayerReader, merge_options
from plait.fronts.shaping import each_once, shaped
from plait.merging.combine import combine
from plait.report.catalog import COMPOSE
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from plait.fronts.project import Project

    T = TypeVar("T")

    Ring = tuple[tuple[str, str], ...]
    """The services, or files, on the way to one: each a file and a name."""

CHAIN = 100
"""How many services may extend one another."""
INCLUDED = 1000
"""Steps for a project that is included: two may include each of two more."""
SECTIONS = ("services", "models", *RESOURCES)


class ComposeReader:
    """Reads the files of one project."""

    def __init__(self, project: Project, variables: ComposeVariables | None = None, forgiving: bool = False) -> None:
        """Without `variables`, those of the files stay as they are written. A `forgiving` reader leaves what it cannot
        follow as it is written, and checks nothing."""
        self.project = project
        self.variables = variables
        self.forgiving = forgiving
        self.layers = LayerReader(project, merge_options(project, profile="compose"))
        self.policy = self.layers.options.policy()

    def merged(self, files: Iterable[str], folder: str, ring: Ring = ()) -> Node:
        """The files of a project as one document, in the long form."""
        documents = [one for file in files for one in self._documents(file, folder, ring)]
        if not documents:
            return MapNode({})
        self._checked(check_kinds, documents[0])
        self._checked(check_names, documents)
        whole = self._merge([with_requests(documents[0]), *documents[1:]])
        self._checked(check_kinds, whole)
        return self._long(whole)

    def name(self, files: Iterable[str]) -> Node | None:
        """What the last of the files that has a name calls the project."""
        named = [entry(one, "name") for file in files for one in self.layers.read(file)]
        said = [one for one in named if one is not None and word(one)]
        return interpolated(said[-1], self.variables) if said and self.variables is not None else None

    def _checked(self, check: Callable[[T], None], checked: T) -> None:
        if not self.forgiving:
            check(checked)

    def _followed(self, following: Callable[[], T], written: T) -> T:
        """What a name leads to; for a forgiving reader what is written, where it leads nowhere."""
        try:
            return following()
        except Fault:
            if not self.forgiving:
                raise
            return written

    def _long(self, root: Node) -> Node:
        self.project.meter.grow(ports_in(root) * PORT)
        return each_once(canonical(root, self.variables is not None), self.policy)

    def _merge(self, documents: list[Node]) -> Node:
        options = self.layers.options
        return combine(shaped(documents, options.profile, options.nulls, self.policy), self.policy)

    def _documents(self, file: str, folder: str, ring: Ring = ()) -> list[Node]:
        """The documents of one file, with what they include and extend."""
        found = []
        for one in self._read(file):
            version = MapNode({key: node for key, node in one.entries.items() if key == "version"})
            self._checked(check_kinds, version)
            found.append(self._included(self._extended(one, file, folder), folder, ring))
        return [with_changes(one, {"version": None}) for one in found]

    def _read(self, file: str) -> list[MapNode]:
        documents = [one for one in self.layers.read(file) if not is_empty(one)]
        for one in documents:
            if not isinstance(one, MapNode):
                raise COMPOSE.error(Label(one.origin), why=f"a Compose file is a map, not a {one.kind}")
        if self.variables is not None:
            documents = [with_port_numbers(interpolated(one, self.variables)) for one in documents]
        return [one for one in documents if isinstance(one, MapNode)]

    def _other(self, name: str, folder: str, asker: Node) -> str:
        """A file that another one names, which must be inside of the project."""
        if not is_local(name) and not name.startswith("/"):
            why = f"`{name}` is not a file of this machine, and plait does not fetch it"
            raise COMPOSE.error(Label(asker.origin), why=why, hint="save it beside the Compose file")
        file = os.path.normpath(os.path.join(folder, name))
        self.project.check_inside(file, asker)
        return file

    # extends

    def _extended(self, document: MapNode, file: str, folder: str) -> MapNode:
        services = document.entries.get("services")
        if not isinstance(services, MapNode):
            return document
        made = {
            key: self._followed(partial(self._service, document, key_text(key), file, folder, ()), service)
            for key, service in services.entries.items()
            if "extends" in entries(service)
        }
        return with_changes(document, {"services": with_changes(services, made)})

    def _service(self, document: Node, name: str, file: str, folder: str, ring: Ring) -> Node:
        """A service with what it extends."""
        services = entries(entry(document, "services"))
        service = services[name]
        asked = entries(service).get("extends")
        if asked is None or not isinstance(service, MapNode):
            return service
        if (file, name) in ring:
            way = " -> ".join(one for _, one in (*ring, (file, name)))
            raise COMPOSE.error(Label(asked.origin), why=f"services extend each other: {way}")
        if len(ring) > CHAIN:
            raise COMPOSE.error(Label(asked.origin), why=f"more than {CHAIN} services extend one another")
        base = unmarked(self._base(document, name, asked, (file, folder), (*ring, (file, name))))
        own = with_changes(service, {"extends": None})
        layers: list[Node] = [map_of(one, {"services": map_of(one, {name: one})}) for one in (base, own)]
        found = entry(self._merge(layers), "services", name)
        return found if found is not None else own

    def _base(self, document: Node, name: str, asked: Node, here: tuple[str, str], ring: Ring) -> Node:
        """The service that another one extends, with its paths from the folder of that one."""
        file, folder = here
        wanted = word(asked) or word(asked, "service") or name
        named = entry(asked, "file")
        if named is None:
            return self._found(document, wanted, file, folder, asked, ring)
        other = self._other(word(named), folder, named)
        documents = self._read(other)
        inner = os.path.dirname(other)
        holder = next((one for one in documents if wanted in entries(entry(one, "services"))), MapNode({}))
        base = self._found(holder, wanted, other, inner, asked, ring)
        whole = map_of(base, {"services": map_of(base, {wanted: base})})
        moved = entry(rebased(self._long(whole), _between(inner, folder)), "services", wanted)
        return moved if moved is not None else base

    def _found(self, document: Node, name: str, file: str, folder: str, asked: Node, ring: Ring) -> Node:
        known = [key_text(key) for key in entries(entry(document, "services"))]
        if name not in known:
            why = f"service `{name}` is not in {file}"
            raise COMPOSE.error(Label(asked.origin), why=why, hint=did_you_mean(name, known))
        return self._service(document, name, file, folder, ring)

    # include

    def _included(self, document: MapNode, folder: str, ring: Ring) -> MapNode:
        for item in items_of(document, "include"):
            document = self._followed(partial(self._with_included, document, item, folder, ring), document)
        return with_changes(document, {"include": None})

    def _with_included(self, document: MapNode, item: Node, folder: str, ring: Ring) -> MapNode:
        return _imported(document, self._project_of(item, folder, ring), item)

    def _project_of(self, item: Node, folder: str, ring: Ring) -> Node:
        """A project that is included, with its paths from the folder of the one that includes it."""
        named = item if is_text(item) else entry(item, "path")
        paths = [named] if isinstance(named, Scalar) else items_of(named)
        files = [self._other(word(one), folder, one) for one in paths]
        if not files:
            raise COMPOSE.error(Label(item.origin), why="`include` names files, as text or under `path`")
        self.project.meter.step(INCLUDED)
        if (files[0], "") in ring:
            raise COMPOSE.error(Label(item.origin), why=f"{files[0]} includes itself")
        own = entry(item, "project_directory")
        inner = self._other(word(own), folder, own) if own is not None else os.path.dirname(files[0])
        reader = ComposeReader(self.project, self._variables_of(item, inner, folder), self.forgiving)
        found = reader.merged(files, inner, (*ring, (files[0], "")))
        return rebased(found, _between(inner, folder))

    def _variables_of(self, item: Node, inner: str, folder: str) -> ComposeVariables | None:
        """The variables of an included project: those of the one that includes it, and of its own env file."""
        if self.variables is None:
            return None
        named = entry(item, "env_file")
        given = items_of(named) if not is_text(named) else [one for one in (named,) if one is not None]
        files = [self._other(word(one), folder, one) for one in given]
        beside = os.path.join(inner, ENV)
        own = self.variables.fresh().with_files(files or [beside] * self.project.door.is_file(beside))
        return own.below(self.variables)


def _between(inner: str, outer: str) -> str:
    return relative(os.path.relpath(inner or ".", outer or "."))


def _imported(document: MapNode, project: Node, asker: Node) -> MapNode:
    """A document with what another project has."""
    changed: dict[str, Node] = {}
    for section in SECTIONS:
        theirs, own = entries(entry(project, section)), document.entries.get(section)
        for key in theirs:
            clash = entries(own).get(key)
            if clash is not None and clash != theirs[key]:
                why = f"`{section}.{key_text(key)}` is in this file and in one that it includes"
                hint = "rename one of them, or override it in a compose.override.yaml"
                raise COMPOSE.error(
                    Label(theirs[key].origin), Label(clash.origin), Label(asker.origin), why=why, hint=hint
                )
        if isinstance(own, MapNode):
            new = {key: node for key, node in theirs.items() if key not in entries(own)}
            changed[section] = with_changes(own, new)
        elif theirs:
            changed[section] = map_of(asker, {key_text(key): node for key, node in theirs.items()})
    return with_changes(document, changed)
