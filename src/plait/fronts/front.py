"""The protocol between fronts and everything that asks about targets.

A *finder* looks at a folder and yields declarations: what there is, of which kind, and the line that says so. A
*front* opens a declaration of its kind as a `Target`: documents, each a tree; the files that it read; what a change of
files can touch; the places where a value can be written. Both are asked about a `World`: the texts that a question is
about. The tables of finders and fronts are in `fronts/catalog.py`. A new front is one subclass of `Target` with
`trees`; everything else has a default.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cached_property, partial

from plait.access.links import Link
from plait.access.trace import files_in, places_in
from plait.core.diagnostic import Fault, Label, NotKnown, for_each, placed
from plait.core.find import step_into
from plait.core.node import Container, Failure, Node, Scalar, Unknown, children
from plait.core.path import ANYWHERE, NOWHERE
from plait.core.resource import Identity
from plait.core.struct import struct
from plait.core.unknown import unknown_of
from plait.core.walk import nodes_of
from plait.evaluate.engine import Evaluator
from plait.fronts.documents import choose
from plait.fronts.named_files import files_mentioned
from plait.report.catalog import NO_TARGET, SEVERAL_TARGETS
from plait.report.near import did_you_mean, nearest
from plait.report.unknown import UnknownValue, unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
    from typing import Any, Protocol, TypeVar

    from plait.core.diagnostic import Diagnostic, PlaitError
    from plait.core.path import Path, Places
    from plait.core.source import Origin
    from plait.core.steps import Steps
    from plait.evaluate.tree import Tree
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.project import Project
    from plait.memory.queries import RememberedAnswer
    from plait.report.unknown import UnknownValue
    from plait.yaml.readers import YamlReader
    from plait.yaml.schema import Schema

    T = TypeVar("T")
    DocumentsReached = frozenset[tuple[str, str]] | None
    """The parts of a target that contain everything that may differ, in words of its front; None for all of it."""
    Sections = Callable[["DocumentId"], frozenset[str] | None]
    """The sections of a document that somebody asks for; None for all of them."""
    Given = Mapping[str, Mapping[str, object]]
    """What the command line says to the fronts: words of each kind of target."""

    class Names(Protocol):
        """The names of documents: a target has them."""

        def needs_type(self, name: str) -> bool:
            """Whether a name alone does not say which document is meant."""

    class Catalog(Protocol):
        """What can be recognised, and how it is opened."""

        def find(self, world: World, without: Collection[str] = ()) -> Iterator[Declaration]:
            """Everything that the folder of a world declares, without some kinds."""

        def open(self, world: World, declaration: Declaration) -> Target:
            """A declaration as a target."""

        def places(self, target: Target, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
            """The place of a value in every file of a target."""


SETTINGS = "plait.yaml"
WHOLE = "document"
"""What the only document of a target is called where there must be a name."""
WHOLE_FOLDERS = ("chart", "pattern")
"""The kinds of targets that are made of all that is in their folder."""
VALUES = "values"
"""What the values are called that templates see: beside the documents, and as the first step of what templates read."""


class DocumentId(tuple[str, str, str, str]):
    """The name of a document: its target, its type, its namespace and its name. Empty for what it does not have."""

    __slots__ = ()

    def __new__(cls, target: str, type: str = "", namespace: str = "", name: str = "") -> DocumentId:
        return super().__new__(cls, (target, type, namespace, name))

    @property
    def target(self) -> str:
        return self[0]

    @property
    def type(self) -> str:
        return self[1]

    @property
    def namespace(self) -> str:
        return self[2]

    @property
    def name(self) -> str:
        return self[3]

    @property
    def names(self) -> tuple[str, ...]:
        """What people may call it inside its target: `TYPE/NAMESPACE/NAME`, `TYPE/NAME` or its name alone."""
        return (label(self), "/".join(filter(None, (self.type, self.name))), self.name)

    def __getnewargs__(self) -> tuple[str, str, str, str]:
        return (self.target, self.type, self.namespace, self.name)

    def __repr__(self) -> str:
        return f"DocumentId({self.target} {label(self)})"


def label(document: DocumentId, *targets: Names) -> str:
    """What a document is called where something is printed: its name where that is enough in its target (on both sides
    of a change: in two), else `TYPE/NAME` with the namespace between them. Empty for the only document of a target."""
    if targets and not any(target.needs_type(document.name) for target in targets):
        return document.name
    return "/".join(filter(None, document[1:]))


class NamedWord(str):
    """A word of a command that the repository chose: it may not be an option."""

    __slots__ = ()


class Declaration:
    """Something that a folder declares to be a target: its kind, its parameters, and the node that says so."""

    __slots__ = ("files", "folder", "given", "kind", "name", "named", "node", "parameters")

    def __init__(
        self,
        kind: str,
        name: str,
        folder: str,
        files: list[str],
        node: Node | None = None,
        parameters: dict[str, Any] | None = None,
        given: Iterable[str] = (),
        named: dict[str, Node] | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.given = tuple(given)
        """The files and folders that the user names; a repository names the others, and none may be outside."""
        self.folder = folder
        """The folder that its files are named from."""
        self.files = files
        self.node = node
        self.parameters = parameters or {}
        self.named = named or {}
        """The node that names each of its files and folders, where more is known than the node of all of it."""

    def asker(self, path: str) -> Node | None:
        """What names a file or folder, which is given as it is opened from the working folder."""
        return self.named.get(os.path.relpath(path, self.folder), self.node)

    @property
    def origin(self) -> Origin | None:
        """The line that says so; None where a folder does."""
        return self.node.origin if self.node is not None else None

    @property
    def address(self) -> str:
        return f"{self.kind}:{self.name}"

    @property
    def paths(self) -> list[str]:
        """Its folder, where its kind has one, and its files, from the folder that they are named from."""
        return [path for path in dict.fromkeys((self.parameters.get(self.kind), *self.files)) if path]

    @property
    def told(self) -> list[str]:
        """The files that declare it where plait.yaml does not, as they are opened from the working folder."""
        return [os.path.relpath(os.path.join(self.folder, name)) for name in self.parameters.get("told", ())]

    def __repr__(self) -> str:
        return f"Declaration({self.address} {self.files})"


class Changes:
    """Files that differ between two worlds, by their paths from the root of the tree, each with both texts; None where
    there is no such file."""

    __slots__ = ("_made", "_shared", "adds", "has_settings", "moved", "texts")

    def __init__(
        self,
        texts: Mapping[str, tuple[str | None, str | None]],
        shared: dict[tuple[object, ...], Any] | None = None,
        has_links: bool = False,
    ) -> None:
        """`shared` has what was made of pairs of texts that other changes have, too; `has_links` says that a side of a
        file is a link, which has no text."""
        self.texts = texts
        self.has_settings = has_links or any(map(is_settings, texts))
        """Whether a file of plait's own settings is among them, or a link: everything may differ."""
        self.adds = any(before is None for before, _ in texts.values())
        """Whether there are files that were not there before."""
        self.moved = frozenset(place for name, sides in texts.items() if None in sides for place in way_to(name))
        """The files that come or go, and the folders above them, which may come or go with them."""
        self._shared = shared if shared is not None else {}
        self._made: dict[str, Any] = {}

    def __bool__(self) -> bool:
        return bool(self.texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def only(self, files: Iterable[str]) -> Changes:
        """Those of some files."""
        return Changes({name: self.texts[name] for name in files}, self._shared)

    def each(self, what: str, make: Callable[[str, str | None, str | None], T]) -> dict[str, T]:
        """What a front makes of the two texts of each file, made once."""
        found: dict[str, T] | None = self._made.get(what)
        if found is None:
            found = self._made[what] = {name: self._of(what, name, make) for name in self.texts}
        return found

    def _of(self, what: str, name: str, make: Callable[[str, str | None, str | None], T]) -> T:
        key = (what, name, *self.texts[name])
        if key not in self._shared:
            self._shared[key] = make(name, *self.texts[name])
        found: T = self._shared[key]
        return found


def changes_of(
    sides: Mapping[str, tuple[str | Link | None, str | Link | None]],
    shared: dict[tuple[object, ...], Any] | None = None,
) -> Changes:
    """Return the files of which the two sides differ, each a text, a link or None."""
    differing = {name: pair for name, pair in sides.items() if pair[0] != pair[1]}
    has_links = any(isinstance(side, Link) for pair in differing.values() for side in pair)
    texts = {name: (_text_of(before), _text_of(after)) for name, (before, after) in differing.items()}
    return Changes(texts, shared, has_links)


def _text_of(side: str | Link | None) -> str | None:
    return side if isinstance(side, str) else None


def way_to(name: str) -> Iterator[str]:
    """A file and the folders above it."""
    while name:
        yield name
        name = os.path.dirname(name)
    yield os.curdir


@struct
class TargetInputs:
    """What the documents of a target are made of, as paths from the root of the tree, by where each really is."""

    files: frozenset[str]
    """The files that were read."""
    places: frozenset[str]
    """The names that were looked for, and the folders that were listed: a file that comes or goes may change that."""


NAMED, RESULT = "named", "the result"
"""What is given about files that the user named, and what the target is called that they are the layers of."""


class World:
    """The texts that a question is asked about: those of a folder on the disk, of a revision, or edited texts over
    either. A project reads them; what fronts open in a world stays open in it."""

    def __init__(
        self,
        project: Project,
        catalog: Catalog,
        *,
        tree: str = "",
        given: Given | None = None,
        beside: World | None = None,
        changes: Changes | None = None,
    ) -> None:
        """`tree` is the folder that reports name files from. `beside` is a world of the same tree that differs in the
        `changes` alone: what cannot differ from it need not be read here."""
        self.project = project
        self.catalog = catalog
        self.tree = tree or project.root
        self.shown = self.tree
        """The folder that values are shown to be in, where they name one below the tree."""
        self.given: Given = given or {}
        self.beside = beside
        self.changes = changes
        self.wanted: frozenset[str] | None = None
        """The names of the targets that are asked about, where they are known to be those of the world beside."""
        self.recalled: list[Declaration] = []
        """What an earlier run found in the same files."""
        self.opened: dict[object, Any] = {}
        """What fronts have open here, by what it is."""

    @cached_property
    def targets(self) -> Targets:
        """Everything that the folder declares; of files that the user named, what they are as layers."""
        files = [str(name) for name in self.given.get(NAMED, {})]
        named = [Declaration("layers", RESULT, "", files, given=files)] if files else self.catalog.find(self)
        return Targets([self.catalog.open(self, one) for one in named])

    def remember(self) -> list[tuple[object, ...]]:
        """The targets that take long to find, as plain data for `recall` in a later run."""
        rows = ((target.declaration, target.remembered()) for target in self.targets)
        return [(one.kind, one.name, one.folder, one.files, more) for one, more in rows if more]

    def recall(self, rows: list[tuple[Any, ...]]) -> None:
        """Open targets as an earlier run found them: their kinds are not looked for again."""
        self.recalled = [Declaration(kind, name, folder, files, None, more) for kind, name, folder, files, more in rows]

    def open(self, declaration: Declaration) -> Target:
        """A declaration as a target of this world: how a front asks for the documents of another."""
        return self.catalog.open(self, declaration)

    def with_texts(self, altered: Mapping[str, bytes]) -> World:
        """The same where some files have other bytes, by their paths."""
        staged = {os.path.realpath(path): data for path, data in altered.items()}
        project = self.project.in_tree(self.project.folder, staged, self.project)
        texts = {self.file(path): (self._text(path), _decoded(data)) for path, data in altered.items()}
        return World(project, self.catalog, tree=self.tree, given=self.given, beside=self, changes=Changes(texts))

    def read_again(self) -> World:
        """The files as they are on the disk now."""
        fresh = self.project.in_tree(self.project.folder, {})
        return World(fresh, self.catalog, tree=self.tree, given=self.given, beside=self, changes=Changes({}))

    def with_words(self, given: Given) -> World:
        """The same with other words to some fronts."""
        both = {kind: {**self.given.get(kind, {}), **given.get(kind, {})} for kind in {**self.given, **given}}
        other = World(self.project, self.catalog, tree=self.tree, given=both)
        other.shown = self.shown
        return other

    def file(self, path: str) -> str:
        """A file as a path from the root of the tree, by where it really is: a link may lead to it."""
        real, tree = self.project.door.paths.real(path), self._real_tree
        return real[len(tree) :] if real.startswith(tree) else os.path.relpath(real, tree)

    @cached_property
    def _real_tree(self) -> str:
        return os.path.join(os.path.realpath(self.tree), "")

    def _text(self, path: str) -> str | None:
        door = self.project.door
        return _decoded(door.read(path, self.project.budgets.size)) if door.is_file(path) else None


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


class TemplateRead:
    """A place of a template that names one of the values that documents are computed from: `.Values.a.b`."""

    __slots__ = ("names", "prefix", "spans")

    def __init__(self, prefix: Path, names: tuple[str, ...], spans: list[tuple[int, int]]) -> None:
        self.prefix = prefix
        """Where the values of the template are among all values."""
        self.names = names
        self.spans = spans
        """Where each of the names is written."""

    @property
    def path(self) -> Path:
        return (*self.prefix, *self.names)

    @property
    def span(self) -> tuple[int, int]:
        return self.spans[0][0], self.spans[-1][1]

    def to(self, offset: int) -> TemplateRead:
        """The same up to the name at a place of the text."""
        count = sum(1 for start, _ in self.spans if start <= offset) or 1
        return TemplateRead(self.prefix, self.names[:count], self.spans[:count])


class Target:
    """What people deploy: documents, each a tree that can be explained. A front says at least `trees`."""

    front = ""
    """How it is made, in the words of the documentation."""
    part = "document"
    """What a document is called in reports."""
    steering_sections: tuple[str, ...] = ()
    """The sections of a document that decide how it is put together."""
    own_sections: tuple[str, ...] = ()
    """The sections in which a document says what it is itself, though it may get them from another one."""
    schema: Schema | None = None
    """By which its scalars are printed; None for the usual one."""
    reader: YamlReader | None = None
    """How its tool reads YAML, also what the tool prints; None for plait's own way."""
    takes = False
    """Whether expressions in its files take values of others of them."""
    is_rendered = False
    """Whether its documents are made from its files, and are not a merge of them: people look at both side by side."""
    stacked = False
    """Whether each of its files is merged over the one before it."""

    def __init__(self, world: World, declaration: Declaration) -> None:
        self.world = world
        self.declaration = declaration
        self.project = world.project
        self.unknown: list[UnknownValue] = []
        """The values that are not known, once its findings were asked for."""

    # What it is

    @property
    def name(self) -> str:
        return self.declaration.name

    @property
    def kind(self) -> str:
        return self.declaration.kind

    @property
    def files(self) -> list[str]:
        """Its own files, as they are opened from the working folder."""
        return [os.path.relpath(os.path.join(self.declaration.folder, name)) for name in self.declaration.files]

    def admitted(self, name: str, wanted: str = "file") -> str:
        """A file or folder that the declaration names, which may be read: the user named it, or it is inside; and it
        is there."""
        for given in self.declaration.given:
            self.project.admit(os.path.relpath(given))
        asker = self.declaration.asker(name)
        self.project.door.check_inside(name, asker)
        if asker is not None:
            self.project.door.check_there(name, asker, wanted)
        return name

    def named_at(self, path: str, work: Callable[[], T]) -> T:
        """What some work with a file or folder of the declaration gives; an error that has no place shows its name."""
        asker = self.declaration.asker(path)
        try:
            return work()
        except Fault as error:
            raise placed(error, Label(asker.origin)) if asker is not None else error from None

    @property
    def readable(self) -> list[str]:
        """Its own files, as far as they may be read; an error if one may not."""
        return for_each(self.admitted, self.files)

    @property
    def folder(self) -> str:
        """The folder that it is made from, as it is opened from the working folder, where its kind has one."""
        return os.path.relpath(os.path.join(self.declaration.folder, self.declaration.parameters[self.kind]))

    @cached_property
    def evaluator(self) -> Evaluator:
        """What evaluates documents that have no notations."""
        return Evaluator(self.project.door, self.project.meter, {}, self.project.counters)

    def remembered(self) -> dict[str, object]:
        """Parameters with which it can be opened in a later run, while nothing that it depends on has changed, without
        being found again; empty where it is found quickly."""
        return {}

    def id(self, type: str = "", namespace: str = "", name: str = "") -> DocumentId:
        """The id of one of its documents."""
        return DocumentId(self.declaration.address, type, namespace, name)

    def resource(self, identity: Identity) -> DocumentId:
        """The id of a Kubernetes resource."""
        return self.id(identity.kind, identity.namespace, identity.name)

    def by_id(self, rows: Iterable[tuple[Identity | None, str, T]]) -> dict[DocumentId, T]:
        """Things by the ids of the resources that they are, or by a name. Resources of one kind and name are told apart
        by their API groups (`Ingress.extensions`), and by a number where that does not do."""
        known = [(self.resource(one) if one else self.id(name=name), one, value) for one, name, value in rows]
        seen: set[DocumentId] = set()
        shared = {document for document, _, _ in known if document in seen or seen.add(document)}  # type: ignore[func-returns-value]
        found: dict[DocumentId, T] = {}
        for document, identity, value in known:
            if document in shared and identity and identity.group:
                document = self.id(f"{identity.kind}.{identity.group}", identity.namespace, identity.name)
            found[_free(document, found)] = value
        return found

    # Its documents

    def sections(self, tree: Tree) -> tuple[str, ...]:
        """The sections of a document that come from files; empty where all of it does."""
        return ()

    def trees(self) -> dict[DocumentId, Tree]:
        """Its documents, each evaluated when it is asked."""
        raise NotImplementedError

    def values(self) -> dict[DocumentId, Callable[[], Node]]:
        """The same, each as a finished value, in which a value that cannot be computed does not hide the others: for a
        front that can do this faster than by a tree."""
        trees = self.__dict__["_opened"] = self.trees()  # `tree` need not make them again
        return {document: tree.partial for document, tree in trees.items()}

    def documents(self) -> list[DocumentId]:
        """The ids of its documents; PlaitError where they cannot be read."""
        return list(self._known.answer)

    @property
    def _known(self) -> RememberedAnswer:
        """Its documents: each is finished, or what finishes it. They are made again where something changed."""
        return self.project.answer(self._question, lambda: dict(self.values()))

    def needs_type(self, name: str) -> bool:
        """Whether a name alone does not say which of its documents is meant."""
        return True

    def labelled(self) -> dict[str, Tree]:
        """The documents by what they are called inside of it."""
        return {label(document, self): self.tree(document) for document in self.documents()}

    def tree(self, document: DocumentId) -> Tree:
        """One document; PlaitError where there is none, or it cannot be read."""
        trees = self._opened
        if document not in trees:
            raise choose_error(self, document)
        return trees[document]

    @cached_property
    def _opened(self) -> dict[DocumentId, Tree]:
        return self.trees()

    def addressed(self, address: str) -> tuple[DocumentId, str]:
        """The document that an address names, and the path in it."""
        return choose(self.documents(), address)

    def chosen(self, address: str) -> tuple[Tree, str]:
        """The document that an address names, `TYPE/NAME:PATH`, and the path in it."""
        document, path = self.addressed(address)
        tree = self.tree(document)
        return tree, self.spelled(tree, path)

    def spelled(self, tree: Tree, path: str) -> str:
        """A path of one of its documents, where its users have another way to write one."""
        return path

    def named(self, text: str) -> DocumentId:
        """The document that people call so inside the target."""
        return choose(self.documents(), f"{text}:" if text else "")[0]

    def beside(self, text: str) -> DocumentId | None:
        """A document of this name that its own ones are computed from, as values of a chart; None where there is
        none."""
        return None

    def each(self, parts: DocumentsReached = None) -> Iterator[tuple[DocumentId, Callable[[], Tree]]]:
        """Its documents, or those that some parts make, one after the other: a front may let go of one when the next
        is asked for."""
        return ((document, lambda document=document: self.tree(document)) for document in self.documents())  # type: ignore[misc]

    @contextmanager
    def visited(self, document: DocumentId) -> Iterator[Tree]:
        """One document for a while: a front may let go of what was computed for it afterwards."""
        yield self.tree(document)

    def results(
        self,
        parts: DocumentsReached = None,
        whole: bool = False,
    ) -> Iterator[tuple[DocumentId, Node | Fault]]:
        """The finished values of its documents, or of those that some parts make; what is wrong where there is none.

        With `whole`, also what a document says about its own place and name.
        """
        try:
            known = self._known
        except Fault as error:
            yield self.id(), error
            return
        for document in known.answer:
            yield document, self._value(known, document)

    def finished(self, parts: DocumentsReached = None) -> Iterator[tuple[DocumentId, Node | Fault]]:
        """The same for who does not ask afterwards what was read for them: `reads`, `sees`."""
        return self.results(parts)

    def _value(self, known: RememberedAnswer, document: DocumentId) -> Node | Fault:
        """The finished value of a document; what is wrong where there is none, which is looked at again each time."""
        made: dict[DocumentId, Node | Callable[[], Node]] = known.answer
        found = made[document]
        if not isinstance(found, Node):
            try:
                found = made[document] = self.project.queries.go_on(known, found)
            except Fault as error:
                return error
        return found

    def looked_at(self) -> Iterator[Callable[[], Tree]]:
        """The trees of its documents, one after the other, also of one that cannot be read: for who looks at how they
        are put together, and asks for few of their values."""
        return (partial(self.tree, document) for document, _ in self.results())

    def rendered(self) -> list[Node]:
        """What is printed for it: its documents."""
        return for_each(lambda document: self.tree(document).value(), self.documents())

    def printed(self) -> list[tuple[str, Node | None]]:
        """The same, each below a comment, where the tool of its users prints comments; a comment may stand alone."""
        return [("", node) for node in self.rendered()]

    @cached_property
    def _question(self) -> object:
        """What makes its documents, apart from what is read."""
        declared = self.declaration
        words = _frozen((declared.files, declared.parameters, self.world.given))
        return "target", declared.address, declared.folder, words, self.project.guard.comparing

    def holding(self, file: str, is_root: Callable[[Node], bool]) -> Iterator[tuple[str, Tree]]:
        """The documents in which a text takes part, each with its label; the label of the only one is empty.

        `is_root` says of a node whether it is the document of the text that is asked about.
        """
        trees = self.trees()
        for document, tree in trees.items():
            root = tree.root
            if any(is_root(part) for part in (root, *(root.parts if isinstance(root, Container) else ()))):
                yield label(document, self) if len(trees) > 1 else "", tree

    def decided(self, wrote: Callable[[Node], bool]) -> Iterator[tuple[str, Tree, Path]]:
        """The fields that a place decides which has another path than they: the document of each with its label, and
        the path in it. `wrote` says of a node whether it is written there."""
        return iter(())

    # Files

    @cached_property
    def asked(self) -> TargetInputs:
        """What its documents are made of."""
        with self.project.recording() as reads:
            for _ in self.results():
                pass
        files = frozenset(self.world.file(name) for name in (*files_in(reads), *self.declaration.told))
        return TargetInputs(files, frozenset(map(self.world.file, places_in(reads))))

    @property
    def read(self) -> frozenset[str]:
        """The files that it reads, and those that declare it without plait.yaml, as paths from the root of the tree."""
        return self.asked.files

    @property
    def recorded(self) -> TargetInputs | None:
        """What it reads if that is known, and took an evaluation."""
        return self.__dict__.get("asked")

    def recall(self, asked: TargetInputs) -> None:
        """Take what an earlier run recorded that could evaluate it: nothing has changed that it read."""
        self.__dict__["asked"] = asked
        self.__dict__["is_broken"] = False

    @cached_property
    def is_broken(self) -> bool:
        """Whether it has errors as a whole."""
        errors = (found for document, found in self.results() if not document.name)
        return any(isinstance(found, Fault) and not isinstance(found, NotKnown) for found in errors)

    stands_alone = False
    """Whether it is there follows from what it reads alone, and not from what others read."""

    def touches(self, changes: Changes) -> bool:
        """Whether it may differ where some files do."""
        if changes.has_settings or not self.read.isdisjoint(changes):
            return True
        return bool(changes.moved) and not self.asked.places.isdisjoint(changes.moved)

    def is_apart(self, document: DocumentId, changes: Changes) -> bool:
        """Whether changes certainly have nothing to do with a document that cannot be read."""
        return False

    def reached_by(self, changes: Changes) -> DocumentsReached:
        """The parts of it that contain everything that may differ then."""
        return None

    def reads(self, document: DocumentId, changes: Changes) -> Places:
        """The places of one of its documents, or of one that it does not have, that may differ where some files do."""
        return ANYWHERE if any(self.sees(file, None in texts) for file, texts in changes.texts.items()) else NOWHERE

    def alike(self, documents: Iterable[DocumentId], states: Iterable[Changes]) -> dict[DocumentId, Hashable]:
        """What is equal for some of its documents where the changes of each state reach the same places of both."""
        return {document: document for document in documents}

    def stays(self, changes: Changes) -> bool:
        """Whether it is there and can be read also where some files differ, and no other target comes or goes; False
        where that is not known."""
        return False

    def sees(self, file: str, whole: bool) -> bool:
        """Whether it may notice that a file changed or, with `whole`, that it comes or goes."""
        return whole or is_settings(file) or self.opens(file)

    def opens(self, file: str) -> bool:
        """Whether it reads a file, as far as that is known."""
        return file in self.read

    def may_read(self, files: Collection[str]) -> set[str]:
        """Those of some files that it reads, or may read where an error ended its evaluation before: those that its
        files name. All are paths from the root of the tree."""
        own = [self.world.file(name) for name in self.files]
        folder = f"{self.world.file(self.folder)}/" if self.kind in WHOLE_FOLDERS else None
        found = {file for file in files if file in own or file in self.read or (folder and file.startswith(folder))}
        return found | files_mentioned(self.project, self.world.tree, (*own, *self.read), files)

    def path(self, file: str) -> str:
        """A file that its values name as their origin, as a path from the root of the tree."""
        return self.world.file(file)

    def made_of(self) -> list[str]:
        """The files that it is made of, as reports name them, its own first."""
        own, root = self.files, self.world.tree
        read = sorted(self.read.difference(map(self.world.file, own)))
        return [*dict.fromkeys(own), *(os.path.relpath(os.path.join(root, name)) for name in read)]

    def links(self) -> Iterator[tuple[str, dict[str, int]]]:
        """Each of these files with the files that it asks for, or that it is merged over, each with the line that says
        so."""
        own = self.files
        below = dict(zip(own[1:], own, strict=False)) if self.stacked else {}
        return ((file, {below[file]: 1} if file in below else {}) for file in self.made_of())

    def place_of(self, file: str) -> str:
        """Where a file that reports name is, from the folder that the program runs in."""
        return file

    def published(self, files: Iterable[str]) -> set[str]:
        """Those of some files that others read too, who are no targets here: what nobody needs here may be needed
        there."""
        return set()

    def runs(self, file: str) -> list[str]:
        """The documents whose code a file is part of: code that is deployed with them, and is no configuration."""
        return []

    def fallbacks(self, file: str, texts: Project | None = None) -> dict[DocumentId, dict[Path, Node]]:
        """For each document whose code a file is part of: the values that its code gives where nothing sets them; with
        the code as another project of the same folder has it."""
        return {}

    def steering(self, file: str) -> set[int]:
        """The lines of a file that decide how it is put together, and are no values."""
        return set()

    def steers(self, file: str) -> bool:
        """Whether all of a file does."""
        return file in self.declaration.told

    def unused(self) -> Iterable[Diagnostic]:
        """What its files say and nothing reads, as far as that is known: each at the key that could go."""
        return ()

    def computed_from(self) -> Iterator[tuple[Tree, Callable[[Path], bool]]]:
        """What its documents are computed from, where that is merged before: each with the paths that are read."""
        return iter(())

    # Templates that it is rendered from

    def values_tree(self) -> Tree | None:
        """The values that its templates see; None where it has no templates."""
        return None

    def renders(self, file: str) -> bool:
        """Whether a file, by its real path, is one of its templates."""
        return False

    def template_reads(self) -> Iterator[tuple[str, list[TemplateRead]]]:
        """Its templates by their real paths, each with the places that name values."""
        return iter(())

    def values_schema(self, file: str) -> str:
        """The file with the JSON Schema of the values that a file of it holds; empty where there is none."""
        return ""

    def prefixes(self, file: str) -> list[Path]:
        """Where the values that a template sees are among all values: several, where a subchart takes part several
        times."""
        return []

    @property
    def asks_outside(self) -> bool:
        """Whether it is known to ask for external data."""
        return False

    # Checking and writing

    def findings(self) -> list[Diagnostic]:
        """What is wrong with it, and what is probably not meant; `unknown` has then what is not known in it."""
        found: list[Diagnostic] = []
        self.unknown = []
        for document, result in self.results():
            named = label(document, self)
            owner = f" of `{named}` in `{self.name}`" if named else f" of `{self.name}`"
            if isinstance(result, NotKnown):
                self.unknown.append(UnknownValue((), unknown_of(result), owner))
                continue
            found += _diagnostics(result)
            if not isinstance(result, Fault):
                self.unknown += unknown_in(result, (), owner)
        return found

    def warnings(self) -> list[Diagnostic]:
        """What its own tool refuses, and plait only doubts: told wherever it is printed."""
        return []

    def findings_in_steps(self) -> Steps[list[Diagnostic]]:
        """The same in small steps, where it takes long."""
        yield
        return self.findings()

    def findings_near(self, path: Path) -> list[Diagnostic] | None:
        """What is wrong with one value of a result, as far as that can be known without a look at all of it; None
        where it cannot."""
        return None

    def places(self, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
        """Every place where a value could be written, the one that usually reaches the least first."""
        return self.world.catalog.places(self, document, path)

    def in_result(self, document: DocumentId, path: Path) -> Path:
        """The path that a document has for a value which people name in another way."""
        return path

    def wanted(self, document: DocumentId, path: Path, value: Node) -> Node:
        """A value that is to be set, as the document is to have it."""
        return value

    def path_in(self, at: int, path: Path) -> Path | None:
        """A path of the result as one of its files has it, by its number; None where that file is elsewhere in it."""
        return path

    def value_in(self, world: World, document: DocumentId, path: Path) -> Node | None:
        """A value of one of its documents as another world has it; None where there is none."""
        there = world.targets.at(self.declaration.address)
        rows = there.results() if there is not None else ()
        found = next((result for one, result in rows if one == document and not isinstance(result, Fault)), None)
        return at(found, path) if isinstance(found, Node) else None

    def place_words(self, at: int, count: int) -> str:
        """What one of its files is to the result, the lowest being 0: said where a value could be written in it."""
        return f"layer {at + 1} of {count}" if count > 1 else "the only layer"

    @property
    def remover(self) -> Scalar:
        """What a file has in the place of a value that a lower file gives and the result is not to have."""
        return Scalar(None, "", tag="!unset")

    def commands(self) -> list[list[str]]:
        """Commands of the tool that its users have which print the same, each of another program; none where there is
        no such command. What the repository chose is a `NamedWord`."""
        return []

    def _named_files(self) -> list[str]:
        """Its files as words of a command, each after `-f`."""
        return [word for name in self.files for word in ("-f", NamedWord(name))]

    shares_output = False
    """Whether another tool prints all targets of this kind in one output."""

    def in_output(self, nodes: list[Node]) -> dict[DocumentId, Node] | None:
        """What the documents of another tool's output are to it; None where they say nothing about it."""
        known = self.documents()
        if len(nodes) == 1 and len(known) < 2:
            return {known[0] if known else self.id(): nodes[0]}
        return self.by_id((Identity.of(node), f"document {at}", node) for at, node in enumerate(nodes, 1))

    def trials(self, lists: Iterable[Path]) -> Iterator[tuple[str, Given]]:
        """Options that may make it equal to the result of another tool: what they are called, and the words that set
        them. `lists` are the places of lists that differ."""
        return iter(())


def _free(document: DocumentId, taken: Collection[DocumentId]) -> DocumentId:
    """The id, with a number after its name where it is taken."""
    target, type, namespace, name = document
    number = 1
    while document in taken:
        number += 1
        document = DocumentId(target, type, namespace, f"{name}#{number}")
    return document


def _frozen(data: object) -> object:
    """Plain data with nodes in it as a key: a node of another text is another one."""
    if isinstance(data, Node):
        return data.source, data.at, data
    if isinstance(data, dict):
        return tuple((key, _frozen(value)) for key, value in data.items())
    if isinstance(data, set):
        return frozenset(data)
    return tuple(map(_frozen, data)) if isinstance(data, list | tuple) else data


def _diagnostics(found: Node | Fault) -> Iterator[Diagnostic]:
    """What is wrong with a result: all of it, or values in it that could not be computed because of a mistake."""
    if isinstance(found, Fault):
        yield from found.diagnostics
        return
    for node in nodes_of(found):
        if isinstance(node, Failure) and not isinstance(node, Unknown):
            yield from node.diagnostics


def lines_of(node: Node | None, file: str = "") -> set[int]:
    """The lines that a value takes up, as far as the values in it say; those that are in a certain file."""
    numbers: set[int] = set()
    stack = [node] if node is not None else []
    while stack:
        top = stack.pop()
        if not file or top.origin.file == file:
            numbers.add(top.origin.line)
        stack.extend(child for _, child in children(top))
        stack.extend(top.parts if isinstance(top, Container) else ())
    return numbers


def at(node: Node, path: Path) -> Node | None:
    """What a finished value has at a path; None where it has nothing."""
    found: Node | None = node
    for step in path:
        found = step_into(found, step) if found is not None else None
    return found


def is_settings(file: str) -> bool:
    return file.rsplit("/", 1)[-1] == SETTINGS


def choose_error(target: Target, document: DocumentId) -> PlaitError:
    """What is reported for a document that a target does not have."""
    known = [label(one, target) for one in target.documents()]
    hint = did_you_mean(label(document), known) or f"available: {', '.join(known[:12])}"
    return NO_TARGET.error(name=f"{target.name} {label(document)}".strip(), hint=hint)


class Targets:
    """The targets of one world by address: their names, with the kind before it where two have the same name."""

    def __init__(self, targets: list[Target], shared: Collection[str] = ()) -> None:
        """`shared` are names that two targets have in another world that this one is compared with."""
        self._targets = targets
        counts: dict[str, int] = {}
        for target in targets:
            counts[target.name] = counts.get(target.name, 0) + 1
        self.shared = frozenset(name for name, count in counts.items() if count > 1).union(shared)
        """The names that mean several targets."""
        self._known = {self._address(target): target for target in targets}

    def _address(self, target: Target) -> str:
        return target.declaration.address if target.name in self.shared else target.name

    def beside(self, other: Targets) -> Targets:
        """The same with the addresses that they have beside those of another world."""
        kinds = {target.name: target.kind for target in other}
        differing = {one.name for one in self if kinds.get(one.name, one.kind) != one.kind}
        return Targets(self._targets, self.shared | other.shared | differing)

    def __iter__(self) -> Iterator[Target]:
        return iter(self._targets)

    def __len__(self) -> int:
        return len(self._targets)

    def __contains__(self, address: str) -> bool:
        return address in self._known

    def __getitem__(self, address: str) -> Target:
        return self._known[address]

    def get(self, address: str) -> Target | None:
        return self._known.get(address)

    def at(self, address: str) -> Target | None:
        """The target of a kind and a name."""
        return next((one for one in self._targets if one.declaration.address == address), None)

    def names(self) -> list[str]:
        """Their addresses."""
        return list(self._known)

    def find(self, address: str) -> Target:
        """The one target that an address means."""
        found = self.selected([address])
        if len(found) > 1:
            raise SEVERAL_TARGETS.error(name=address, hint=f"write one of: {', '.join(found)}")
        return self._known[found[0]]

    def selected(self, only: Collection[str]) -> list[str]:
        """The addresses of the targets that some words mean, by their names or by kind and name; all of them where
        there are no words. A name that several targets share means all of these."""
        meant = {address: {address, target.name, target.declaration.address} for address, target in self._known.items()}
        known = frozenset().union(*meant.values())
        unknown = sorted(set(only) - known)
        if unknown:
            raise no_target(unknown[0], meant)
        return [address for address, words in meant.items() if not only or not words.isdisjoint(only)]

    @property
    def kind(self) -> str:
        """The word for one of them in reports."""
        kinds = {target.kind for target in self._targets}
        return kinds.pop() if len(kinds) == 1 and "stack" in kinds else "target"


def no_target(name: str, meant: Mapping[str, Collection[str]]) -> PlaitError:
    """What is reported for a name that is not among these: addresses, each with all that it may be called."""
    near = set(nearest(name, [word for words in meant.values() for word in words]))
    meaning = [address for address, words in meant.items() if not near.isdisjoint(words)]
    available = f"available: {', '.join(meant)}" if meant else "declare it under `targets` in plait.yaml"
    hint = f"did you mean {' or '.join(f'`{address}`' for address in meaning)}?" if meaning else available
    return NO_TARGET.error(name=name, hint=hint)
