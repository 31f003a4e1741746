"""A document with directives that is looked at, edited and saved.

    working = Working(Project("."), "main.yaml")
    working.value(("t", "x"))
    working.change([ValueEdit(("t", "x"), node)])
    working.save()

An edit is one of the expanded document. Saved is the smallest difference, as an override in the document itself; or,
with `in_source`, where the value comes from, which changes it everywhere it is used.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault, PlaitError
from plait.core.find import step_into
from plait.core.node import ListNode, Node, Suspension, equal
from plait.core.path import Path, format_path
from plait.core.source import Source
from plait.core.walk import places_of
from plait.fronts.editing import reach
from plait.fronts.masks import unmasked
from plait.fronts.project import Project
from plait.fronts.touched import Touched, touched_lines
from plait.fronts.typed_values import settled
from plait.fronts.unfurl.edit import ValueEdit, edited, nowhere, reconciled, refuse_directives_in, refuse_new_directives
from plait.fronts.unfurl.loading import DirectiveDocument, GivenText, LoadedFile, location
from plait.fronts.unfurl.restore import detached as detached_text
from plait.fronts.unfurl.restore import saved
from plait.merging.compare import by_position, differences
from plait.notations.directives.expand import Directed, as_written, entry
from plait.report.catalog import CHANGED_SINCE, NOT_RESTORED
from plait.yaml.edits import Delete, Edit, Insert, Replace
from plait.yaml.files import decode, encoding_of
from plait.yaml.layout import lay_out
from plait.yaml.patch import patch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.yaml.layout import Layout


class Working:
    """One document in work: what was read, what it is to be, and the texts that make it so."""

    def __init__(self, project: Project, name: str) -> None:
        self.project = project
        self.name = name
        self.seen: dict[str, bytes] = {}
        source = Source(name, self._read(name))
        self.layouts: list[Layout] | None = lay_out(source, project.budgets.depth)
        given = GivenText(source, [layout.program() for layout in self.layouts])
        self.document = DirectiveDocument(project, name, texts={location(name): given})
        self.before = self.document.expanded()
        self.current = self.wanted = self.before
        """What the document at hand expands to, and what it is to expand to."""
        self.texts: dict[str, str] = {}

    def _read(self, name: str) -> str:
        self.seen[name] = self.project.bytes(name)
        return decode(name, self.seen[name]).text

    def value(self, path: Path = ()) -> Node:
        """The value at a path of the document as it is to be."""
        node = self.wanted
        for step in path:
            child = step_into(node, step)
            if child is None:
                raise nowhere(node, step, path)
            node = child
        return node

    def change(self, changes: Iterable[ValueEdit]) -> None:
        """Edit the expanded document."""
        changes = map(self._settled, changes)
        self.wanted = unmasked(edited(self.wanted, changes), self.current)
        self._restored()

    def become(self, wanted: Node) -> None:
        """Replace the expanded document with an edited version."""
        wanted = reconciled(self.current, unmasked(wanted, self.current))
        refuse_new_directives(self.current, wanted)
        self.wanted = wanted
        self._restored()

    def _restored(self) -> None:
        self.texts[self.name] = saved(self.document, self.wanted, self.current, self.layouts)

    def change_in_source(self, changes: Iterable[ValueEdit]) -> None:
        """Edit each value where it is written, which changes it everywhere it is used."""
        if self.wanted is not self.current:
            self._start_from(self.document.with_text(self.texts[self.name]))
        for change in map(self._settled, changes):
            refuse_directives_in(change)
            self._change_source(change)

    def _settled(self, change: ValueEdit) -> ValueEdit:
        """An edit whose value has a type: what was typed over a quoted string is a string."""
        if change.value is None:
            return change
        node, known = reach(self.wanted, change.path)
        return ValueEdit(change.path, settled(change.value, node if known == len(change.path) else None), change.create)

    def _change_source(self, change: ValueEdit) -> None:
        file, edit = self._edit_of(change)
        if file.name not in self.seen and self._read(file.name) != file.source.text:
            raise CHANGED_SINCE.error(name=file.name, hint="check the file, then run the command again")
        made = patch(file.source, [edit])
        document = self.document.with_text(made.text, file.name, made.programs)
        if not _is_made(change, self.current, document.expanded()):
            raise self._elsewhere(change.path, "would not have the new value")
        self.texts[file.name] = made.text
        self._start_from(document)

    def _start_from(self, document: DirectiveDocument) -> None:
        """Go on with a document that has all edits so far."""
        self.document, self.layouts = document, None
        self.current = self.wanted = document.expanded()

    def _edit_of(self, change: ValueEdit) -> tuple[LoadedFile, Edit]:
        """The file that an edit belongs to, and what is to be done there."""
        above = self.value(change.path[:-1])
        if change.value is not None and change.create and step_into(above, change.path[-1]) is None:
            file, path = self.written_at(change.path[:-1])
            return file, Insert((*path, change.path[-1]), change.value)
        file, path = self.written_at(change.path)
        return file, Delete(path) if change.value is None else Replace(path, change.value)

    def written_at(self, path: Path) -> tuple[LoadedFile, Path]:
        """The file and the path in it at which a value is written as it is."""
        node = self.value(path)
        source = node.origin.source
        for file in self.document.all_files():
            found = _path_at(file.root, node) if file.source is source and file.root is not None else None
            if found is not None:
                return file, found
        raise self._elsewhere(path, "is not written as a value of its own in any file")

    def _elsewhere(self, path: Path, why: str) -> PlaitError:
        hint = "edit it as an override, without --in-source"
        return NOT_RESTORED.error(name=self.name, why=f"`{format_path(path)}` {why}", hint=hint)

    def touched(self) -> list[Touched]:
        """The lines that saving would change."""
        return [line for name, text in self.texts.items() for line in touched_lines(name, self._old(name), text)]

    def _old(self, name: str) -> str:
        return decode(name, self.seen[name]).text

    def moved(self) -> list[Path]:
        """The places of the expanded document that differ from before."""
        return different(self.before, self.wanted)

    def detach(self) -> list[Path] | None:
        """Write maps without their directives where Unfurl would read the result differently; their paths.

        None, and nothing is done, if that does not help.
        """
        texts = dict(self.texts)
        detached: list[Path] = []
        while paths := self.read_differently():
            document = self._as_written_now()
            homes = {_directed_above(document.tree.root, path) for path in paths}
            text = detached_text(document, frozenset(home for home in homes if home)) if all(homes) else None
            if text is None or text == self.texts.get(self.name):
                self.texts = texts
                return None
            self.texts[self.name] = text
            detached += [home for home in homes if home]
        return detached

    def _as_written_now(self) -> DirectiveDocument:
        document = self.document
        for name, text in self.texts.items():
            document = document.with_text(text, name)
        return document

    def read_differently(self) -> list[Path]:
        """The places that Unfurl itself would read differently in what is about to be saved, and not in what was
        there."""
        before = set(_differences(self.document.as_original(), self.before))
        now = self._as_written_now().as_original()
        found = (path for path in _differences(now, self.wanted) if path not in before)
        return list(dict.fromkeys(_of_list(path) for path in found))

    def save(self) -> list[str]:
        """Write what changed; nothing, if a file changed meanwhile or cannot be written."""
        files = {name: self._encoded(name, text) for name, text in self.texts.items()}
        seen = {name: data for name, data in self.seen.items() if name in files}
        return self.project.writer().write(files, seen)

    def _encoded(self, name: str, text: str) -> bytes:
        encoding, skip = encoding_of(self.seen[name])
        return self.seen[name][:skip] + text.encode(encoding)


def _directed_above(root: Node, path: Path) -> Path | None:
    """The innermost map with directives on the way to a place; the document itself does not count."""
    node: Node | None = root
    found = None
    for depth, step in enumerate(path):
        if isinstance(node, Suspension) and isinstance(node.expression, Directed):
            node = node.expression.own
        node = entry(node, step) if node is not None and isinstance(step, str | int | Node) else None
        if isinstance(node, Suspension) and isinstance(node.expression, Directed):
            found = path[: depth + 1]
    return found


def _of_list(path: Path) -> Path:
    """The path of the outermost list on the way; a path without lists is itself."""
    return next((path[:at] for at, step in enumerate(path) if isinstance(step, int)), path)


def _differences(document: DirectiveDocument, wanted: Node) -> list[Path]:
    try:
        return different(wanted, document.expanded())
    except Fault:
        return [()]


def _path_at(root: Node, wanted: Node) -> Path | None:
    """Where in a written tree the node is that a value comes from, as it is."""
    for path, node in places_of(as_written(root)):
        if node.at == wanted.at and node.__class__ is wanted.__class__ and equal(node, wanted):
            return path
    return None


def _is_made(change: ValueEdit, before: Node, after: Node) -> bool:
    """Whether a document has what an edit of it asked for."""
    above, now = _at(before, change.path[:-1]), _at(after, change.path)
    if change.value is None and isinstance(above, ListNode):
        rest = _at(after, change.path[:-1])
        return isinstance(rest, ListNode) and len(rest.items) == len(above.items) - 1
    if now is None or change.value is None:
        return now is change.value
    return equal(now, change.value)


def _at(root: Node, path: Path) -> Node | None:
    node: Node | None = root
    for step in path:
        node = step_into(node, step) if node is not None else None
    return node


def different(old: Node, new: Node) -> list[Path]:
    """The places at which two trees differ, the innermost ones."""
    return [path for path, _, _ in differences(old, reconciled(old, new), by_position)]
