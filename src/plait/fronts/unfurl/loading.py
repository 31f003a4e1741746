"""Reading a document with directives, and every file it includes.

Names (`&name`, `+&: name`) are one table for the document and all its includes, so included files are read with it;
each file once, by where it really is. A file that is missing or broken is reported when what it would bring in is
asked for.
"""

from __future__ import annotations

import os
from functools import reduce

from plait.core.diagnostic import Fault, Label, PlaitError
from plait.core.expression import Expression
from plait.core.node import Failure, ListNode, MapNode, Node, Scalar, Suspension, children, text, whole_text
from plait.core.policy import ListRule, MergePolicy
from plait.core.scope import Place
from plait.core.source import Source
from plait.core.struct import struct
from plait.core.unknown import fault_of, mistakes
from plait.core.walk import places_of
from plait.evaluate.engine import Evaluator
from plait.evaluate.tree import Tree
from plait.fronts.project import Project
from plait.fronts.services import shared_services
from plait.fronts.unfurl.landings import Landings, written_in
from plait.fronts.unfurl.reach import Reach
from plait.fronts.unfurl.repositories import folder_of, names_in, url_of
from plait.merging.combine import combine
from plait.notations.directives.expand import (
    BrokenReference,
    Directed,
    DirectiveFile,
    Use,
    as_written,
    entry,
    referred,
    shape,
    stepped,
    target,
    unmarked,
)
from plait.notations.directives.grammar import STRATEGY, pointer
from plait.notations.directives.recognise import closed
from plait.report.catalog import BAD_INCLUDE, INCLUDE_FAILED, NO_FILE, NOT_A_MAP, NOT_STORED, UNREACHABLE
from plait.report.near import did_you_mean
from plait.yaml.build import Reading, build
from plait.yaml.files import decode, read_source
from plait.yaml.scan import no_garbage_collection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.node import Key
    from plait.core.path import Path
    from plait.core.scope import Permit, Scope
    from plait.fronts.unfurl.expressions import Expressions
    from plait.fronts.unfurl.landings import Parents
    from plait.notations.directives.expand import Guard
    from plait.yaml.program import Program

POLICY = MergePolicy(word=STRATEGY, order="high")
"""How what directives bring in is merged: own keys first and strongest, lists kept, `+%` where a map says otherwise."""

ORIGINAL = MergePolicy(ListRule("set"), word=STRATEGY, order="high")
"""How Unfurl itself merges it: items of lists that are not there yet are appended."""

SHARED_AFTER = 8
"""After so many directives on the way to a place, what a directive refers to is seen from its own place, if it is
the same from there."""

_MISSING = {code.code for code in (NO_FILE, NOT_STORED, UNREACHABLE)}
"""The troubles that mean that a file is not there; what is there and broken is an error, optional or not."""

INCLUDE_KEYS = ("file", "merge", "when", "repository")


class LoadedFile(DirectiveFile):
    """One file that was read: its tree, its own names, and what is in what."""

    __slots__ = ("_parents", "_top", "folder", "load", "name", "own", "root", "source", "uses")

    def __init__(self, load: DirectiveDocument, name: str) -> None:
        self.load = load
        self.name = name
        self.folder = os.path.dirname(name)
        self.own: dict[str, Node] = {}
        self.uses: list[Suspension] = []
        self.root: Node | None = None
        self.source = Source(name)
        self._parents: Parents | None = None
        self._top: Place | None = None

    @property
    def top(self) -> Place:
        """The place that paths in the file itself start from."""
        if self._top is None:
            self._top = Place(node=self.root)
        return self._top

    # What directives ask: see `DirectiveFile`

    def found(self, node: Suspension) -> None:
        self.uses.append(node)

    def named(self, name: str, node: Node) -> None:
        self.own[name] = unmarked(node)

    def names(self) -> list[str]:
        return list(self.load.names)

    def anchor(self, name: str) -> Node | None:
        return self.load.names.get(name)

    def included(self, scope: Scope, use: Use, place: Place, guard: Guard) -> Node | None:
        return self.load.include(self, scope, use, place.child(use.directive.key), guard)

    def landed(self, node: Node, place: Place, by: Suspension, use: Use) -> Place | None:
        return self.load.land(node, place, by, use)

    def written_at(self, node: Suspension) -> Place | None:
        return self.load.written_at(node)

    @property
    def depends_on_place(self) -> bool:
        """Whether anything in the file means something else where it lands."""
        return any(
            use.directive.up
            for node in self.uses
            if isinstance(node.expression, Directed)
            for use in node.expression.uses
        )

    @property
    def parents(self) -> Parents:
        """The containers that each part of the file that is not finished is written in."""
        if self._parents is None:
            self._parents = written_in(self.root)
        return self._parents


@struct
class GivenText:
    """The text of a file that is not read from the disk, and its documents, where they have been read already."""

    source: Source
    programs: list[Program] | None = None


class DirectiveDocument:
    """A document with directives, expanded on demand."""

    def __init__(
        self,
        project: Project,
        name: str,
        notations: Expressions | None = None,
        texts: dict[str, GivenText] | None = None,
        policy: MergePolicy = POLICY,
    ) -> None:
        self.policy = policy
        self.project = project
        self.name = name
        self.notations = notations
        self.texts = texts or {}
        """Files that are not read from the disk but given, by where they are."""
        self.names: dict[str, Node] = {}
        self.files: dict[str, LoadedFile | PlaitError] = {}
        self._landings = Landings(project.meter)
        self._repositories: dict[tuple[str, str], str | None] = {}
        self._merged: dict[tuple[int, ...], tuple[list[Node], Node]] = {}
        self._named_paths: dict[int, Path] | None = None
        self._use_paths: dict[int, Path] | None = None
        self._reach = Reach(self)
        self.shared_after = SHARED_AFTER
        self.placed = notations is not None
        """Whether anything that was read depends on where it lands."""
        with no_garbage_collection():
            main = self.file(name)
        if isinstance(main, PlaitError):
            raise main
        self.main = main
        assert main.root is not None
        _must_be_map(main.root, name)
        services: dict[str, Callable[..., Node]] = {
            **(shared_services(project) if notations is not None else {}),
            "merge": lambda parts: combine(parts, self.policy),
            "merge_once": self._merged_once,
            "read_text": self.read_text,
            "text_if_there": self.text_if_there,
        }
        self.evaluator = Evaluator(project.door, project.meter, services, project.counters)
        if notations is not None:
            self.evaluator.placeholder = notations.placeholder
        top = Place(node=main.root)  # directives merge what is written there, with its marks
        self.tree = Tree(main.root, self.evaluator, top=top)

    def expanded(self) -> Node:
        """The whole document with nothing left to bring in. All errors at once."""
        top = self.tree.top
        with no_garbage_collection():
            finished, failures = self.evaluator.finish(self.tree.root, top)
        if failures and isinstance(self.tree.root, Suspension) and isinstance(self.tree.root.expression, Directed):
            # the top level itself fails: what is below it is still reported
            failures += self.evaluator.finish(self.tree.root.expression.own, top)[1]
        if failures:
            raise fault_of(failures)
        return finished

    def partial(self) -> Node:
        """The same, with what could not be computed in its place; where that is the whole, it is raised."""
        with no_garbage_collection():
            finished, failures = self.evaluator.finish(self.tree.root, self.tree.top)
        if failures and mistakes([finished] if isinstance(finished, Failure) else []):
            return self.expanded()
        return finished

    # Files

    def file(self, name: str) -> LoadedFile | PlaitError:
        """A file, read once, with everything it includes; or why it cannot be read."""
        pending = [name]
        while pending:
            now = pending.pop()
            place = location(now)
            if place in self.files:
                continue
            try:
                file = self._built(now, *self._programs(now))
            except Fault as error:
                self.files[place] = error
                continue
            self._add(place, file)
            pending.extend(reversed(self._mentioned(file)))
        return self.files[location(name)]

    def _add(self, place: str, file: LoadedFile) -> None:
        """A file that was read: what has a name in it has it everywhere."""
        self.files[place] = file
        self.names.update(file.own)
        self.placed = self.placed or file.depends_on_place

    def _built(self, name: str, source: Source, programs: list[Program]) -> LoadedFile:
        file = LoadedFile(self, name)
        file.source = source
        if len(programs) > 1:
            raise NOT_A_MAP.error(
                Label.at(source, programs[1].ats[0]), name=name, what="more than one document", hint="split the file"
            )
        root = build(programs[0], source, self.reading(file)) if programs else Scalar(None, "", source, 0)
        file.root = unmarked(root)
        return file

    def _programs(self, name: str) -> tuple[Source, list[Program]]:
        given = self.texts.get(location(name))
        if given is None:
            return self.project.programs(name)
        return given.source, self.project.parsed(given.source) if given.programs is None else given.programs

    def with_text(self, text: str, name: str | None = None, programs: list[Program] | None = None) -> DirectiveDocument:
        """The same document with another text in one of its files."""
        name = name or self.name
        texts = {**self.texts, location(name): GivenText(Source(name, text), programs)}
        return DirectiveDocument(self.project, self.name, self.notations, texts, self.policy)

    def as_original(self) -> DirectiveDocument:
        """The same document as Unfurl itself reads it."""
        return DirectiveDocument(self.project, self.name, self.notations, self.texts, ORIGINAL)

    def all_files(self) -> list[LoadedFile]:
        """The document and every file it includes that could be read."""
        return [file for file in self.files.values() if isinstance(file, LoadedFile)]

    @property
    def source(self) -> Source:
        return self.main.source

    @property
    def text(self) -> str:
        return self.main.source.text

    def reading(self, file: LoadedFile) -> Reading:
        notations = self.notations
        marked = notations.marked(file) if notations is not None else ((), None)
        return Reading(
            markers=marked[0],
            marked=marked[1],
            tagged=None if notations is None else lambda tag, node: notations.tagged(tag, node, file),
            nodes=self.project.budgets.nodes,
            closed=lambda node: self._closed(node, file),
            named=file.named,
        )

    def _closed(self, node: Node, file: LoadedFile) -> Node:
        made = closed(node, file)
        return self.notations.closed(made, file) if made is node and self.notations is not None else made

    def _mentioned(self, file: LoadedFile) -> list[str]:
        """The files that a file includes, as far as they are written out and may be read."""
        paths: list[str] = []
        for node in file.uses:
            assert isinstance(node.expression, Directed)
            for use in node.expression.uses:
                path = self._path_of(file, use.value) if use.directive.include else None
                if path is not None and self._inside(path):
                    paths.append(path)
        return paths

    def _path_of(self, file: LoadedFile, value: Node) -> str | None:
        """The local file that the value of a directive names, as far as it is written out."""
        folder: str | None = file.folder
        if isinstance(value, MapNode):
            if "when" in value.entries:
                return None
            named = value.entries.get("repository")
            if named is not None:
                folder = self.repository(file, named.text) if isinstance(named, Scalar) else None
            value = value.entries.get("file", value)
        if folder is None or not isinstance(value, Scalar) or not isinstance(value.value, str) or "://" in value.value:
            return None
        return os.path.join(folder, value.value.partition("#")[0])

    def _inside(self, name: str) -> bool:
        return self.project.door.allows(name)

    # What an include brings in

    def include(self, file: LoadedFile, scope: Scope, use: Use, place: Place, guard: Guard) -> Node | None:
        value = scope.known(use.value, place)
        if isinstance(value, MapNode) and not self._is_meant(scope, use, value):
            return None
        name = self._name(scope, use, value, place)
        path, hash_sign, fragment = name.partition("#")
        found = (
            self._fetched(file, path, use) if "://" in path else self._beside(self._folder(file, use, value), path, use)
        )
        if found is None or found.root is None:
            raise BrokenReference(None)
        if isinstance(found.root, Scalar) and found.root.value is None and not found.root.text:
            return None
        node, at = found.root, found.top
        if hash_sign:
            node, at = self._part(found, scope, use, pointer(fragment), name, guard)
        return self._selected(found, node, at, scope, use, guard)

    def _part(
        self, loaded: LoadedFile, scope: Scope, use: Use, path: tuple[str, ...], name: str, guard: Guard
    ) -> tuple[Node, Place]:
        assert loaded.root is not None
        try:
            node = stepped(scope, loaded.root, loaded.top, path, guard)
        except BrokenReference:
            raise INCLUDE_FAILED.error(use.label(), name=name, why="the file has no such part") from None
        at = loaded.top
        for step in path:
            at = at.child(step)
        return node, at

    @staticmethod
    def _selected(loaded: LoadedFile, node: Node, at: Place, scope: Scope, use: Use, guard: Guard) -> Node:
        directive = use.directive
        if directive.anchor is not None:
            if directive.anchor not in loaded.own:
                raise BrokenReference(None, directive.anchor, loaded.own)
            node, at = loaded.own[directive.anchor], loaded.top
        return stepped(scope, node, at, directive.path, guard) if directive.path else node

    def _is_meant(self, scope: Scope, use: Use, value: MapNode) -> bool:
        """Whether a directive in its long form includes anything: `when` may say no."""
        if "file" not in value.entries:
            unknown = next((key for key in value.entries if key not in INCLUDE_KEYS), None)
            rest = f" (`{unknown}` is not known)" if unknown else ""
            raise BAD_INCLUDE.error(
                use.label(), why="`file` is missing", hint=f"write +include: NAME, or {{file: NAME}}{rest}"
            )
        when = value.entries.get("when")
        return not isinstance(when, Scalar) or _variable(scope, when.text)

    def _name(self, scope: Scope, use: Use, value: Node, place: Place) -> str:
        """The file or URL that a directive names. `place` is that of the directive's value."""
        if isinstance(value, MapNode):
            value = scope.known(value.entries["file"], place.child("file"))
        if not isinstance(value, Scalar) or not isinstance(value.value, str):
            shown = value.text if isinstance(value, Scalar) else f"a {value.kind}"
            raise BAD_INCLUDE.error(
                use.label(), why=f"`{shown}` is not a file name", hint="write +include: NAME, or {file: NAME}"
            )
        return value.value

    def _folder(self, file: LoadedFile, use: Use, value: Node) -> str:
        """The folder that an included file's name starts from: that of the file with the directive, or a repository."""
        named = value.entries.get("repository") if isinstance(value, MapNode) else None
        if named is None:
            return file.folder
        name = named.text if isinstance(named, Scalar) else f"a {named.kind}"
        folder = self.repository(file, name)
        if folder is not None:
            return folder
        url = next((url for root in self._roots(file) if (url := url_of(root, name))), "")
        declare = f"set its folder in plait.yaml: `repositories: {{{name}: FOLDER}}`"
        if url:
            raise BAD_INCLUDE.error(
                use.label(), why=f"the repository `{name}` ({url}) is not available locally", hint=declare
            )
        known = [*self.project.settings.repositories, *(each for root in self._roots(file) for each in names_in(root))]
        hint = did_you_mean(name, known) or declare
        raise BAD_INCLUDE.error(use.label(), why=f"the repository `{name}` is not defined", hint=hint)

    def repository(self, file: LoadedFile, name: str) -> str | None:
        """The folder of a repository: as the file that names it says, or the document, or plait.yaml."""
        for root in self._roots(file):
            url = url_of(root, name)
            if url:
                key = (url, file.folder)
                if key not in self._repositories:
                    self._repositories[key] = folder_of(url, file.folder)
                if (folder := self._repositories[key]) is not None:
                    return folder
        return self.project.repository(name)

    def _roots(self, file: LoadedFile) -> list[Node]:
        main = self.files.get(location(self.name))
        roots = [file.root, main.root if isinstance(main, LoadedFile) else None]
        return list(dict.fromkeys(root for root in roots if root is not None))

    def _beside(self, folder: str, name: str, use: Use) -> LoadedFile | None:
        path = os.path.join(folder, name)
        self.project.check_inside(path, Scalar(None, "", use.source, use.at))
        found = self.file(path)
        if not isinstance(found, PlaitError):
            return found
        if use.directive.optional and found.diagnostics[0].code in _MISSING:
            return None
        raise self._failed(name, found, use)

    def _fetched(self, file: LoadedFile, url: str, use: Use) -> LoadedFile | None:
        """A file from the network: fetched once, if that is allowed.

        What it includes is looked for beside the file that names it.
        """
        if not url.startswith(("http://", "https://")):
            raise BAD_INCLUDE.error(
                use.label(),
                why=f"`{url}` is not an http or https URL",
                hint="write http:// or https://, or the path of a file",
            )
        permit = self.project.door.permit("network", Scalar(None, "", use.source, use.at), use.label())
        if url not in self.files:
            try:
                self._add(url, self._downloaded(url, file.folder, permit))
            except Fault as error:
                self.files[url] = error
        found = self.files[url]
        if not isinstance(found, PlaitError):
            return found
        if use.directive.optional and found.diagnostics[0].code in _MISSING:
            return None
        raise self._failed(url, found, use)

    def _downloaded(self, url: str, folder: str, permit: Permit) -> LoadedFile:
        source = decode(url, permit.get(url, limit=self.project.budgets.size))
        file = self._built(url, source, self.project.parsed(source))
        file.folder = folder
        return file

    @staticmethod
    def _failed(name: str, error: PlaitError, use: Use) -> PlaitError:
        first = error.diagnostics[0]
        return INCLUDE_FAILED.error(
            use.label(), *first.labels, name=name, why=first.message, notes=first.notes, hint=first.hint
        )

    def read_text(self, scope: Scope, name: str) -> Node:
        self.project.check_inside(name, scope.node)
        source = read_source(name, size_limit=self.project.budgets.size, door=self.project.door)
        return whole_text(source, Source(name))

    def text_if_there(self, scope: Scope, name: str) -> Node:
        """The text of a file; null where there is no such file."""
        self.project.door.check_not_of_git(name, scope.node)
        return self.read_text(scope, name) if self.project.door.exists(name) else Scalar(None, "")

    def brought(self, use: Use, by: Suspension, place: Place) -> Node | None:
        """What a directive brings in at a place, finished; None for nothing."""
        probe = Suspension(_Probe(use, by), by.source, by.at, by.written)
        found = self.evaluator.answer(probe, place)
        assert isinstance(found, ListNode)
        if not found.items:
            return None
        node = as_written(found.items[0]) if use.raw else found.items[0]
        return self.evaluator.finish(node, place)[0]

    def _merged_once(self, parts: list[Node]) -> Node:
        """Parts that a lookup came upon, merged.

        An expression that is started again must find the same node as before.
        """
        key = tuple(map(id, parts))
        if key not in self._merged:
            self._merged[key] = parts, combine(parts, self.policy)
        return self._merged[key][1]

    # What is inside what

    def land(self, node: Node, place: Place, by: Suspension, use: Use) -> Place | None:
        """Record what is included where; including something in itself is an error. Returns its own place if the chain
        was long and its value is the same there.
        """
        assert isinstance(by.written, LoadedFile)
        landing = self._landings.add(use, node, place, by, by.written.parents)
        if landing.depth <= self.shared_after or use.raw or not node.live:
            return None
        home = self.home(use, place)
        return home if home is not None and (not self.placed or self._reach.same(node, home, place)) else None

    def home(self, use: Use, place: Place) -> Place | None:
        """The place in the document that a directive refers to; None for what is outside it."""
        directive = use.directive
        if directive.include:
            return None
        named = self.named_path(directive.anchor) if directive.anchor is not None else None
        if directive.anchor is not None and named is None:
            return None
        home, node = place.root, self.main.root
        for step in (*named, *(directive.path or ())) if named is not None else referred(directive, place):
            assert isinstance(step, str | int | Node)  # the steps of places and of written paths are plain ones
            home = home.child(_step(node, step) if node is not None else step)
            node = entry(shape(node), step) if node is not None else None
        return home

    def named_path(self, name: str) -> Path | None:
        """Where in the document itself something with a name is."""
        if self._named_paths is None:
            self._named_paths = _paths_of(self.main.root, self.names.values())
        return self._named_paths.get(id(self.names.get(name)))

    def written_at(self, node: Suspension) -> Place | None:
        """Where a map with directives is written in the document itself; None for one of another file."""
        if self._use_paths is None:
            self._use_paths = _paths_of(self.main.root, self.main.uses)
        path = self._use_paths.get(id(node))
        return reduce(Place.child, path, self.tree.top) if path is not None else None

    def included_root(self, node: Node, use: Use) -> Node | None:
        """The tree of a file that a directive includes as a whole, if it has been read."""
        directive, value = use.directive, use.value
        written = node.written if isinstance(node, Suspension) else None
        whole = isinstance(value, Scalar) and "#" not in value.text and directive.anchor is None and not directive.path
        path = self._path_of(written, value) if whole and isinstance(written, LoadedFile) else None
        found = self.files.get(location(path)) if path is not None else None
        return found.root if isinstance(found, LoadedFile) else None


class _Probe(Expression):
    """What a directive refers to, in a list of its own: empty for nothing."""

    __slots__ = ("by", "text", "use")

    def __init__(self, use: Use, by: Suspension) -> None:
        self.use = use
        self.by = by
        self.text = use.directive.key

    def evaluate(self, scope: Scope) -> Node:
        try:
            node = target(scope, self.by, self.use, scope.place, ((self.use, scope.place),))
        except BrokenReference:
            node = None
        return ListNode([] if node is None else [node], scope.node.source, scope.node.at)


def _step(node: Node, step: Key | int | str) -> Key | int | str:
    """A step as the tree has it: an index of a list is a number."""
    return int(step) if isinstance(step, str) and step.isdecimal() and isinstance(shape(node), ListNode) else step


def _paths_of(root: Node | None, wanted: Iterable[Node]) -> dict[int, Path]:
    """Where nodes are in a written tree, first of all. By identity: equal values in two places are two values."""
    ids = {id(node) for node in wanted}
    paths: dict[int, Path] = {}
    for path, node in places_of(root, lambda node: children(shape(node))) if root is not None else ():
        if id(node) in ids:
            paths.setdefault(id(node), path)
    return paths


def location(name: str) -> str:
    """Where a file really is."""
    return name if "://" in name else os.path.realpath(name)


def _variable(scope: Scope, name: str) -> bool:
    found = scope.call("env", ("env", name, "", "when"), lambda permit: text(permit.variable(name) or ""))
    return isinstance(found, Scalar) and bool(found.value)


def _must_be_map(root: Node, name: str) -> None:
    known = isinstance(root, MapNode) or (isinstance(root, Suspension) and isinstance(root.expression, Directed))
    if not known:
        kind = {"sequence": "a list", "scalar": "a single value"}.get(root.kind, "no mapping")
        raise NOT_A_MAP.error(
            Label(root.origin), name=name, what=f"{kind}, not a mapping", hint="directives are keys of a mapping"
        )
