"""Another name for a key: in all layers, and in everything that reads it."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from plait.authoring.reading import steps_read, template_steps
from plait.authoring.renaming import renamed
from plait.authoring.session import Authoring
from plait.core.diagnostic import Fault, Label
from plait.core.find import entry_key
from plait.core.node import MapNode, Scalar, key_text
from plait.core.path import format_path
from plait.core.source import YAML_ENDINGS
from plait.core.steps import outcome
from plait.core.visible import counted
from plait.core.walk import leaves_of
from plait.fronts.catalog import world_of
from plait.fronts.front import SETTINGS, at, is_settings, label
from plait.fronts.structure import LOCAL
from plait.report.catalog import CANNOT_RENAME
from plait.report.near import did_you_mean
from plait.review.compared import comparing
from plait.tidy.proposal import Proposal, SpanEdit
from plait.tidy.renamed import KeyRename, RenameProof
from plait.tidy.tidy import ProvedChanges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.authoring.symbols import Symbols
    from plait.core.diagnostic import PlaitError
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Origin
    from plait.evaluate.tree import Tree
    from plait.fronts.front import DocumentId, Target, World
    from plait.fronts.living import Living
    from plait.tidy.written import WrittenFile, WrittenValue
    from plait.yaml.places import Span

RENAME = "rename"
VALUES, ITEM = "Values", "*"
"""What templates of charts call all values, and an item of a list."""
CHART, SCHEMA = "chart", "values.schema.json"
NAMES = re.compile(r"[^.:/\[\]\s\"']+")
ENDS_PATH = "()[]{}\"',|"


def renaming(living: Living, path: str, key: str) -> Renaming:
    """Another name for the key at a path, in all layers and in everything that reads it."""
    with comparing(living.project):
        return Renaming(world_of(living.project), Authoring(living).symbols, path, key)


class Renaming(ProvedChanges):
    """The one proposal to rename a key."""

    asked = True

    def __init__(self, world: World, symbols: Symbols, text: str, key: str) -> None:
        super().__init__(world)
        self.symbols = symbols
        self.rename = KeyRename(text, key)
        self.alike = " after the same rename"
        self.keys: dict[tuple[str, Span], None] = {}
        """The places where the key is written."""
        self.reads: dict[tuple[str, Span], None] = {}
        """The places where it is read."""
        self._plain: dict[str, list[Span]] = {}
        """Texts of files that are no expressions, though they look like one."""
        self._taken: PlaitError | None = None
        """What is wrong where the new name is there already."""
        self._first: tuple[WrittenFile, WrittenValue] | None = None
        self.proof = RenameProof(world, self.files, self.rename)
        for address in world.targets.names():
            self._look(address, world.targets[address])
        if self._first is None:
            self._locals()
        else:
            self._readers()
        if self._taken is not None:
            raise self._taken
        if self._first is None:
            raise self.no_value(text, self._hint())
        outcome(self.settle([self._proposal(*self._first)]))
        for one in self.proposals:
            one.more += [f"also in results: {place}" for place in sorted(map(self._copy, self.rename.copied))]

    def _hint(self) -> str:
        """Names that are near, of the map that the key would be in."""
        path, known = self.rename.path, set()
        for target in self.world.targets:
            for _, found in target.results():
                above = at(found, path[:-1]) if not isinstance(found, Fault) else None
                known |= set(map(key_text, above.entries)) if isinstance(above, MapNode) else set()
        names = sorted(format_path((*path[:-1], name)) for name in known)
        near = did_you_mean(format_path(path), names)
        return near or "name a value of a target, as plait merge or plait render prints it"

    def _copy(self, place: tuple[DocumentId, Path]) -> str:
        document, path = place
        where = "/".join(filter(None, (document.target.partition(":")[2], label(document))))
        return f"{format_path(path)} -> {format_path((*path[:-1], self.rename.key))} ({where})"

    def _proposal(self, file: WrittenFile, value: WrittenValue) -> Proposal:
        places = [*self.keys, *self.reads]
        files = counted(len({path for path, _ in places}), "file")
        reads = f" and {counted(len(self.reads), 'reference')}" if self.reads else ""
        made = Proposal(RENAME, file, value, f"{counted(len(self.keys), 'key')}{reads} in {files}")
        made.text = f"{format_path(self.rename.path)} -> {format_path(self.rename.new)}"
        made.edits = [(path, SpanEdit(*span, self.rename.key)) for path, span in places]
        made.places = [(one.target.partition(":")[2], self.rename.path) for one in self.rename.documents]
        rows = [(*self._place(path, span), f"{self.rename.old}:") for path, span in self.keys]
        rows += [(*self._place(path, span), self._words(path, span)) for path, span in self.reads]
        made.more = [f"{name}:{line}    {words}" for name, line, words in sorted(rows)]
        made.line = file.source.text.count("\n", 0, min(span[0] for path, span in self.keys if path == file.path)) + 1
        return made

    def _place(self, path: str, span: Span) -> tuple[str, int]:
        file = self.files[path]
        return file.name, file.source.text.count("\n", 0, span[0]) + 1

    def _words(self, path: str, span: Span) -> str:
        """The path that a reference is part of."""
        text = self.files[path].source.text
        start, end = span
        before, after = text[text.rfind("\n", 0, start) + 1 : start], text[end:].partition("\n")[0]
        return f"{_attached(before[::-1], '])', '[(')[::-1]}{text[start:end]}{_attached(after, '[(', '])')}".rstrip(":")

    # Where the key is written

    def _look(self, address: str, target: Target) -> None:
        count = 0
        try:
            for tree, _ in target.computed_from():
                self._tree(target, None, tree)
                count += 1
            for document, opened in target.each():
                self._tree(target, document, opened())
                count += 1
            for _, found in target.results():
                if not isinstance(found, Fault):
                    self._literals(target, found)
        except Fault:
            if not count:
                self.failing.append(address)

    def _literals(self, target: Target, found: Node) -> None:
        """Remember the texts that are in a result as they are written: nothing in them is read."""
        for _, node in leaves_of(found):
            origin = node.origin
            if isinstance(node, Scalar) and origin.computed is None and self.rename.old in node.text:
                path = os.path.realpath(target.place_of(origin.file))
                file = self.open(origin.file, path) if not origin.source.given else None
                value = file.at.get(node.at) if file is not None else None
                if value is not None and isinstance(value.node, Scalar) and value.node.text == node.text:
                    self._plain.setdefault(path, []).append((node.at, node.at + len(node.text)))

    def _tree(self, target: Target, document: DocumentId | None, tree: Tree) -> None:
        rename = self.rename
        account = tree.account().find(rename.path) if rename.means(target, document) else None
        if account is None:
            return
        self._note_taken(target, document, tree)
        if document is not None and not account.gone:
            rename.documents[document] = None
        for part in account.everything_written():
            origin = part.node.origin
            if origin.computed is None and not origin.source.given and origin.source.written is None:
                self._written(target, origin.file, origin.at)
        if document is not None:
            self._places(target, document)

    def _places(self, target: Target, document: DocumentId) -> None:
        """The key in every file that could say it, also where it takes no part."""
        with suppress(Fault):  # of a value that is computed, nothing is written
            for place in target.places(document, self.rename.path):
                file = self.open(place.file, os.path.realpath(place.path)) if place.within is None else None
                if place.written is not None and file is not None:
                    self._written(target, file.name, place.written.at)

    def _note_taken(self, target: Target, document: DocumentId | None, tree: Tree) -> None:
        other = tree.account().find(self.rename.new)
        if other is not None and not other.gone:
            where = " of ".join(filter(None, (label(document, target) if document else "", target.name)))
            self._taken = self._exists(other.winner.node.origin, where)

    def _exists(self, origin: Origin, where: str) -> PlaitError:
        """What is wrong where the new name is there already."""
        why = f"`{format_path(self.rename.new)}` exists already, in {where}"
        return CANNOT_RENAME.error(Label(origin), why=why, hint="take another name")

    def _written(self, target: Target, name: str, offset: int) -> None:
        file = self.open(name, os.path.realpath(target.place_of(name)))
        value = file.at.get(offset) if file is not None else None
        if file is not None and value is not None:
            self._key(file, value)

    def _key(self, file: WrittenFile, value: WrittenValue) -> None:
        above = value.above.node if value.above is not None else None
        if not isinstance(above, MapNode) or entry_key(above, self.rename.old) != value.steps[-1]:
            return
        written = self.symbols.authoring.written(file.path)
        spot = written.find(value.steps, value.number) if written is not None else None
        if spot is not None:
            self.keys[file.path, spot.name_span] = None
            self._first = self._first or (file, value)

    def _locals(self) -> None:
        """The key as the name of a local, which no result has: in each file that has one, with what reads it there."""
        self.alike = ""
        rename, names = self.rename, {name for target in self.world.targets for name in target.read}
        for name in sorted(names):
            path = os.path.realpath(os.path.join(self.world.tree, name))
            file = self.read(os.path.relpath(path), path) if path.endswith(YAML_ENDINGS) else None
            for value in file.at.values() if file is not None else ():
                is_meant = not rename.only or rename.only in value.steps
                if value.steps[-len(rename.path) :] == rename.path and is_meant and file is not None:
                    self._local(file, value)

    def _local(self, file: WrittenFile, value: WrittenValue) -> None:
        spot = file.spot(value)
        found = self.symbols.at(file.path, spot.name_span[0]) if spot is not None else None
        if spot is None or found is None or found[0].kind != LOCAL:
            return
        other = file.by_place.get((value.number, (*value.steps[:-1], self.rename.key)))
        if other is not None:
            self._taken = self._exists(other.node.origin, file.name)
        self._first = self._first or (file, value)
        self.keys[file.path, spot.name_span] = None
        for path, span in renamed(self.symbols, file.path, spot.name_span[0], self.rename.key):
            if self.open(os.path.relpath(path), path) is not None and (path, span) not in self.keys:
                self.reads[path, span] = None

    # Where it is read

    def _readers(self) -> None:
        for target in self.world.targets:
            for name in sorted(target.read):
                path = os.path.realpath(os.path.join(self.world.tree, name))
                file = self.open(os.path.relpath(path), path) if not is_settings(path) else None
                for read, span in _steps(self.symbols, target, file) if file is not None else ():
                    if (
                        _is_path(read, self.rename.path)
                        and (path, span) not in self.keys
                        and not self._is_plain(path, span)
                    ):
                        self.reads[path, span] = None
        self._settings()

    def _is_plain(self, path: str, span: Span) -> bool:
        return any(start <= span[0] <= end for start, end in self._plain.get(path, ()))

    def _settings(self) -> None:
        home = self.world.project.home
        path = os.path.realpath(os.path.join(home or "", SETTINGS))
        file = self.open(os.path.relpath(path), path) if home else None
        for span in _patterns(self.symbols, path, self.rename.path) if file is not None else ():
            self.reads[path, span] = None


def _attached(text: str, opening: str, closing: str) -> str:
    """What a text begins with that is of the same path: up to what ends one outside of brackets."""
    depth = 0
    for length, sign in enumerate(text):
        if sign in opening:
            depth += 1
        elif depth:
            depth -= sign in closing
        elif sign.isspace() or sign in ENDS_PATH:
            return text[:length]
    return text


def _is_path(read: Path, path: Path) -> bool:
    """Whether a template that reads `read` reads what is at `path`; in a list, any item."""
    same = (one == two or (one == ITEM and not isinstance(two, str)) for one, two in zip(read, path, strict=False))
    return len(read) == len(path) and all(same)


def _steps(symbols: Symbols, target: Target, file: WrittenFile) -> Iterator[tuple[Path, Span]]:
    """The steps of paths that a file of a target reads, as paths of its values."""
    if file.path.endswith(SCHEMA):
        yield from _schema_steps(symbols, file.path)
    elif file.roots and (target.kind != CHART or "{{" not in file.source.text):
        yield from steps_read(symbols, file.path)
    else:
        for read, start in template_steps(file.source.text):
            below = read[read.index(VALUES) + 1 :] if VALUES in read else read
            yield below, (start, start + len(key_text(read[-1])))  # type: ignore[arg-type]


def _schema_steps(symbols: Symbols, path: str) -> Iterator[tuple[Path, Span]]:
    """The keys that a schema of values names: as properties, and as required ones."""
    written = symbols.authoring.written(path)
    for spot in written.spots() if written is not None else ():
        if spot.path[-2:-1] == ("properties",) and not len(spot.path) % 2:
            yield spot.path[1::2], spot.name_span
        elif spot.path[-2:-1] == ("required",) and len(spot.path) % 2 == 0 and spot.is_scalar:
            start, end = spot.value_span
            quote = int(spot.layout.text[start : start + 1] in ('"', "'"))
            yield (*spot.path[1:-2:2], spot.text or ""), (start + quote, end - quote)


def _patterns(symbols: Symbols, path: str, wanted: Path) -> Iterator[Span]:
    """The places in plait.yaml where a pattern of paths names the key: rules of lists, what is kept or protected."""
    written = symbols.authoring.written(path)
    for spot in written.spots() if written is not None else ():
        if spot.path[:1] == ("lists",) and len(spot.path) == 2:
            start, end = spot.name_span
        elif spot.path[:1] in (("keep",), ("review",)) and spot.is_scalar:
            start, end = spot.value_span
            start += (spot.layout.text.rfind(": ", start, end) - start + 1) if ": " in (spot.text or "") else 0
        else:
            continue
        names = list(NAMES.finditer(spot.layout.text, start, end))[: len(wanted)]
        if tuple(one[0] for one in names) == wanted:
            yield names[-1].span()
