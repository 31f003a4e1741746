"""`!include`: a file as data, as text, or the part of it that a query names.

What is included has one place for each root that it is seen from, however often it is named there. So a file that
includes itself, over however many others, is a circular reference like any other, and a long chain of files is a
chain of steps.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import without
from plait.core.node import Bound, Key, MapNode, Node, Scalar, as_withheld, plain_value, text, whole_text
from plait.core.plain import from_plain
from plait.core.source import DATA_ENDINGS, Computed, Source
from plait.fronts.stacks.ask.question import answer_to
from plait.fronts.stacks.session.reader import READER
from plait.report.catalog import NO_INCLUDE, STACK_QUERY
from plait.services.remote import RemoteAddress, inside, is_remote
from plait.yaml.build import Reading, build
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Place
    from plait.fronts.stacks.ask.sources import Sources
    from plait.fronts.stacks.session.session import StackSession
    from plait.fronts.stacks.session.yaml_function import Invocation, Written


class Includes:
    """The included files of one run: each is read once for each scope that it is included from."""

    __slots__ = ("_nodes", "_session", "_sources")

    def __init__(self, session: StackSession, sources: Sources) -> None:
        self._session = session
        self._sources = sources
        self._nodes: dict[tuple[Source, bool, Written], Node] = {}

    def node(self, use: Invocation, raw: bool = False) -> Node:
        """What an `!include` gives."""
        path, expression = use.arguments.path, use.arguments.query
        source, name = self._source(use, path)
        key = (source, raw, use.written)
        node = self._nodes.get(key)
        if node is None:  # an expression that waits starts again, and must find the same tree
            node = self._nodes[key] = _text(source, use) if raw else self._data(source, name, use)
        place = included_place(use.scope.place.root, source)
        if not expression:
            return Bound(node, place) if node.live else node
        found = queried(use, expression, plain_value(use.scope.finished(node, place), reveal=True))
        return from_plain(found, Computed(use.call.text, source, 0), 0)

    def _source(self, use: Invocation, path: str) -> tuple[Source, str]:
        project = self._session.project
        if is_remote(path):
            secrets = use.scope.secrets
            copy = str(answer_to(self._sources.copy(path, secrets=secrets), use.scope, self._session, use.call.node))
            address = RemoteAddress(path, secrets)
            copy = project.admit(copy)
            full = copy if project.door.is_file(copy) else inside(copy, address.inner, address.what)
            return project.source(full, without(path, secrets)), full
        full = self._found(use, path)
        project.check_inside(full, use.call.node)
        self._session.trace.opened(use.scope.place.root, full)
        return project.source(full, self._session.shown(full)), full

    def _found(self, use: Invocation, path: str) -> str:
        own = os.path.dirname(use.written.path)
        folders = [own] if path.split("/", 1)[0] in (".", "..") else [*use.written.folders, own]
        candidates = [os.path.join(folder, path) for folder in folders]
        for full in candidates:
            if self._session.project.door.is_file(full):
                return os.path.normpath(full)
            self._session.project.door.check_not_of_git(full, use.call.node)
        shown = self._session.shown
        tried = tuple(f"looked for {shown(os.path.normpath(full))}" for full in dict.fromkeys(candidates))
        raise NO_INCLUDE.error(
            use.label(),
            path=path,
            notes=(f"referenced in {use.written.file}", *tried),
            hint="`./` means the folder of the manifest",
        )

    def _data(self, source: Source, name: str, use: Invocation) -> Node:
        """A file read by its extension."""
        extension = os.path.splitext(name)[1]
        if extension in DATA_ENDINGS:
            programs = self._session.documents(source)
            return build(programs[0], source, use.written.reading()) if programs else Scalar(None, "", source, 0)
        if extension in (".hcl", ".tf", ".tfvars"):
            from plait.notations.hcl import read_hcl

            return as_withheld(read_hcl(source), source)
        if extension == ".env" or name.endswith("/.env"):
            return dotenv(source)
        return _text(source, use)


def included_place(root: Place, source: Source) -> Place:
    """Where an included file is seen from: below the root that asks, under its own name."""
    return root.child(source.name)


def _text(source: Source, use: Invocation) -> Node:
    """A text that is included: a template where it is not a secret."""
    whole = whole_text(source)
    return whole if whole.secret else use.written.text_node(whole)


def queried(use: Invocation, expression: str, data: object) -> object:
    """A yq expression on plain data; a bare name is a field."""
    from plait.notations.yq import YqError, query

    try:
        return query(expression, data, use.scope.meter)
    except YqError as trouble:
        raise STACK_QUERY.error(use.label(), text=expression, why=trouble.message) from None


def dotenv(source: Source) -> Node:
    """`NAME=value` lines."""
    entries: dict[Key, Node] = {}
    at = 0
    for line in source.text.split("\n"):
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            entries[name.strip()] = text(value.strip().strip("\"'"), source, at)
        at += len(line) + 1
    return as_withheld(MapNode(entries, source, 0), source)


def data_of(source: Source, kind: str, depth: int) -> Node:
    """A text as data, by the kind that its server names."""
    if kind in ("json", "yaml"):
        programs = scan(source, depth)
        return build(programs[0], source, Reading(READER.schema, text_keys=True)) if programs else MapNode({})
    return dotenv(source) if kind == "env" else whole_text(source)
