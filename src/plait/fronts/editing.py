"""Files on disk, asked and changed one span at a time, and compared by structure.

An edit holds the folder of its file from reading to writing, and a file that changed meanwhile is never overwritten.
"""

from __future__ import annotations

import os

from plait.access.door import Door
from plait.core.diagnostic import Label, PlaitError
from plait.core.find import item_index, step_into, without_marks
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.path import WILDCARDS, Keyed, Path, Step, format_path, split_prefix
from plait.core.policy import MergePolicy
from plait.core.resource import Identity
from plait.core.source import DATA_ENDINGS, SENSITIVE, Source
from plait.core.unknown import presented
from plait.core.visible import counted
from plait.evaluate.absent import no_values_inside
from plait.evaluate.near_paths import dotted_path, named_items, near_paths
from plait.fronts.documents import DocumentGroup, choose, paired
from plait.fronts.masks import unmasked
from plait.fronts.project import Project
from plait.fronts.revisions import revision_files, revision_source
from plait.fronts.typed import is_foreign, matching, typed_path
from plait.fronts.typed_values import settled, type_note
from plait.merging.diff import ADDED, REMOVED, ValueDifference, compare
from plait.report.catalog import BAD_OPTION, NO_SUCH_DOCUMENT, THROUGH_SCALAR, UNKNOWN_PATH
from plait.yaml.build import Reading, build
from plait.yaml.edits import Delete, Edit, Insert, Replace
from plait.yaml.emit import Style, flow
from plait.yaml.files import STDIN, decode, encoding_of, read_bytes, read_source
from plait.yaml.layout import lay_out
from plait.yaml.load import shown_text
from plait.yaml.nested import with_text
from plait.yaml.patch import apply
from plait.yaml.program import ALIAS
from plait.yaml.scan import depth_for, no_garbage_collection
from plait.yaml.schema import CORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.yaml.layout import Layout

    Change = Callable[[Source], str]


class FileDifference:
    """The differences of one pair of documents.

    `name` says which file of a folder; `label` which document of the file; `document` its number, from 1, where it
    has no name of its own.
    """

    __slots__ = ("differences", "document", "gone", "label", "name")

    def __init__(
        self, name: str, label: str, document: int, differences: list[ValueDifference], *, gone: bool = False
    ) -> None:
        self.gone = gone
        """Whether there is no such file on the other side."""
        self.name = name
        self.label = label
        self.document = document
        self.differences = differences


def positions(root: Node, path: Path) -> Path:
    """A path in which items are named by their positions, as far as it leads."""
    steps: list[Step] = []
    node: Node | None = root
    for step in path:
        index = item_index(node, step) if isinstance(node, ListNode) else None
        steps.append(step if index is None else index)
        node = step_into(node, step) if node is not None else None
    return tuple(steps)


def _meet(a: Path, b: Path) -> bool:
    """Whether one path leads to the other."""
    short = min(len(a), len(b))
    return a[:short] == b[:short]


def differences_of(
    before: Node | None, after: Node | None, policy: MergePolicy, *, whole: bool = False
) -> list[ValueDifference]:
    """The differences of a document before and after; one that came or went is one difference."""
    if before is None or after is None:
        return [ValueDifference(ADDED if before is None else REMOVED, (), before, after)]
    return compare(before, after, policy, whole=whole)


class Editor:
    """What `plait get`, `set`, `unset` and `diff` ask."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._opened: tuple[Source, list[Layout], list[Node]] | None = None

    # Asking

    def get(self, name: str, path: str, document: int = 0) -> Node:
        """The value at a path, as the file says it."""
        source = self.source(name)
        number, steps = self.target(source, path, document)
        return found(self.documents(source, number), steps)

    def matches(self, name: str, pattern: str, document: int = 0) -> dict[str, Node]:
        """Every value that a pattern with `*` or `**` matches, by its path."""
        source = self.source(name)
        prefix, rest = split_prefix(pattern)
        number = self.target(source, f"{prefix}:", document)[0] if prefix else document
        steps = typed_path(rest if prefix else pattern, pattern=True)
        nodes = {format_path(path) or ".": node for path, node in matching(self.documents(source, number), steps)}
        if not nodes:
            raise UNKNOWN_PATH.error(path=pattern, hint="`*` is one step, `**` any number of steps")
        return nodes

    def target(self, source: Source, path: str, document: int) -> tuple[int, Path]:
        """The document and the place in it that the user means: `Deployment/web:spec.replicas` names both."""
        name, _ = split_prefix(path)
        if not name:
            return document, typed_path(path)
        trees = self._trees(source)
        groups = [DocumentGroup(number, Identity.of(tree), [tree]) for number, tree in enumerate(trees, 1)]
        if not any(group.identity for group in groups):
            return document, typed_path(path)
        if "/" not in name and not any(name in group.names for group in groups):
            return document, typed_path(path)
        group, rest = choose(groups, path)
        return group.number - 1, typed_path(rest)

    def trees_of(self, source: Source) -> list[Node]:
        """The documents of a text as they are written; where many questions are asked, maps are built when they are
        asked for."""
        reading, project = Reading(nodes=self.project.budgets.nodes), self.project
        with no_garbage_collection():
            return [build(one, source, reading, project.trees is not None) for one in project.programs_of(source)]

    def shown(self, name: str, text: str) -> str:
        """The text of a file with its secrets masked."""
        return shown_text(name, text)

    def open(self, source: Source) -> list[Layout]:
        """The documents of a text that is to be changed, with their places. It is read once for all that is asked
        about it."""
        if self._opened is None or self._opened[0] is not source:
            budgets = self.project.budgets
            layouts = lay_out(source, depth_for(source, budgets.depth))
            programs = [layout.program() for layout in layouts]
            if any(program.secret for program in programs):
                self.project.sensitive.add(source)
            reading = Reading(nodes=budgets.nodes)
            with no_garbage_collection():
                self._opened = (source, layouts, [build(program, source, reading) for program in programs])
        return self._opened[1]

    def _trees(self, source: Source) -> list[Node]:
        known = self._opened
        return known[2] if known is not None and known[0] is source else self.trees_of(source)

    def documents(self, source: Source, document: int) -> Node:
        trees = self._trees(source)
        if not trees and document == 0:
            return Scalar(None, "", source, 0)
        if document >= len(trees):
            hint = f"it has {counted(len(trees), 'document')}"
            raise NO_SUCH_DOCUMENT.error(
                Label.at(source, len(source.text)), name=source.name, number=document + 1, hint=hint
            )
        return trees[document]

    # Changing

    def set(
        self,
        source: Source,
        pairs: Iterable[tuple[str, Node]],
        *,
        create: bool,
        document: int = 0,
        aliases: str = "refuse",
    ) -> str:
        """The text with values at paths; those that are there together, new ones after each other."""
        together: list[Edit] = []
        for text, value in pairs:
            self.open(source)
            number, path = self.target(source, text, document)
            edit = self.edit_for(self.documents(source, number), path, value, create, number)
            if not isinstance(edit, Replace):
                if together:
                    source, together = Source(source.name, self._applied(source, together, aliases)), []
                    edit = self.edit_for(self.documents(source, number), path, value, create, number)
                source = Source(source.name, self._applied(source, [edit], aliases))
            else:
                together.append(edit)
        return self._applied(source, together, aliases) if together else source.text

    def _applied(self, source: Source, edits: Iterable[Edit], aliases: str) -> str:
        return apply(source, edits, aliases=aliases, layouts=self.open(source))

    def type_notes(self, source: Source, pairs: Iterable[tuple[str, Node]], document: int = 0) -> list[str]:
        """What the user should know about the types of values that are typed over others."""
        notes = []
        self.open(source)
        for text, value in pairs:
            number, path = self.target(source, text, document)
            node, known = reach(self.documents(source, number), path)
            notes.append(type_note(path, value, node) if known == len(path) else "")
        return [note for note in notes if note]

    def also_changed(self, source: Source, text: str, paths: Iterable[str], document: int = 0) -> list[Path]:
        """The places beside some paths whose value another text of the file changes: what refers to an anchor there."""
        if not any(ALIAS in layout.kinds for layout in self.open(source)):
            return []
        edited = [self.target(source, path, document) for path in paths]
        found: list[Path] = []
        for number in dict.fromkeys(number for number, _ in edited):
            before, after = self.documents(source, number), self.documents(Source(source.name, text), number)
            mine = [positions(before, path) for at, path in edited if at == number]
            changed = [one.path for one in compare(before, after)]
            found += [path for path in changed if not any(_meet(positions(before, path), own) for own in mine)]
        return found

    def edit_for(self, root: Node, path: Path, value: Node, create: bool, document: int) -> Edit:
        """Replace what is there; else, if that is wanted, add what is missing of the path."""
        node, known = reach(root, path)
        before = node if known == len(path) else None
        value = settled(unmasked(value, before), before)
        if known == len(path):
            return Replace(path, _as_secret_as(node, value), document=document)
        if not create or dotted_path(node, path, known) or is_foreign(root, path):
            raise unknown(node, path, known, "--create adds it")
        if isinstance(node, Scalar) and node.value is not None:
            raise THROUGH_SCALAR.error(
                Label(node.origin),
                name=format_path(path),
                stop=format_path(path[:known]),
                kind="scalar",
                hint="set that value to a mapping first",
            )
        step = path[known]
        return Insert(
            (*path[:known], _place(node, step, path)),
            _member(step, wrapped(path[known + 1 :], value)),
            document=document,
        )

    def applied(self, source: Source, place: WrittenPlace, edit: Edit) -> str:
        """The text of a file with an edit at a place of it."""
        if place.within is None:
            return apply(source, [edit])
        outer = place.within
        return with_text(source, outer.steps, outer.number, apply(place.source, [edit]))

    def unset(self, source: Source, paths: Iterable[str], *, document: int = 0, aliases: str = "refuse") -> str:
        """The text without what is at some paths."""
        edits: dict[tuple[int, Path], Edit] = {}
        self.open(source)
        for text in paths:
            number, path = self.target(source, text, document)
            node = found(self.documents(source, number), path)
            edits[id(node), path] = Delete(path, number)
        return self._applied(source, edits.values(), aliases)

    def change(self, name: str, how: Change, *, dry: bool = False) -> tuple[str, str]:
        """A file's text before and after a change, which is written unless it is only tried, or read from `-`."""
        limit = self.project.budgets.size
        if name == "-" or dry:
            source = read_source(name, size_limit=limit)
            return source.text, how(source)
        writer = self.project.writer()
        with writer.hold([name]) as lock:
            data = read_bytes(name, size_limit=limit)
            source = decode(name, data)
            text = how(source)
            encoding, mark = encoding_of(data)
            writer.write({name: data[:mark] + text.encode(encoding)}, seen={name: data}, lock=lock)
        return source.text, text

    # Comparing

    def diff(self, a: str, b: str, policy: MergePolicy, *, whole: bool = False) -> list[FileDifference]:
        """The differences of two files, folders, or revisions of a file."""
        left, right = self.files(a), self.files(b)
        if left is not None and right is not None:
            names = sorted({*left, *right})
            return [
                one for name in names for one in self.diff_files(left.get(name), right.get(name), policy, name, whole)
            ]
        if (left is None) != (right is None) and "-" not in (a, b):
            folder, other = (a, b) if left is not None else (b, a)
            self.source(other)  # an error of its own where there is no such file
            raise BAD_OPTION.error(
                why=f"`{folder}` is a folder and the other is not", hint="compare two files or two folders"
            )
        return self.diff_files(a, b, policy, "", whole)

    def files(self, name: str) -> dict[str, str] | None:
        """The YAML files of a folder, or of a revision of one, by their path in it; None for anything else."""
        if self.project.door.is_folder(name):
            below = self.project.door.below(self.project.admit(name), hidden=False)
            return {one: os.path.join(name, one) for one in below if one.endswith(DATA_ENDINGS)}
        found = revision_files(self.project, name) if ":" in name else None
        return None if found is None else {one: path for one, path in found.items() if one.endswith(DATA_ENDINGS)}

    def diff_files(
        self, a: str | None, b: str | None, policy: MergePolicy, name: str, whole: bool
    ) -> list[FileDifference]:
        files = []
        for pair in paired(self.trees(a), self.trees(b)):
            differences = differences_of(pair.before, pair.after, policy, whole=whole)
            if differences:
                files.append(FileDifference(name, pair.label, pair.number, differences, gone=b is None))
        return files

    def trees(self, name: str | None) -> list[Node]:
        if name is None:
            return []
        return self.trees_of(self.source(name))

    def source(self, name: str) -> Source:
        """The text of a file, or of a revision of it."""
        revision = revision_source(self.project, name) if ":" in name else None
        return revision or self._read(name)

    def _read(self, name: str) -> Source:
        """The text of a file that the user names, as it is on the disk."""
        door = Door()
        door.trace = self.project.trace
        source = read_source(name, size_limit=self.project.budgets.size, door=door)
        self.project.meter.feed(len(source.text))
        return source


def reach(root: Node, path: Path) -> tuple[Node, int]:
    """How far a path leads: the last node on it, and how many of its steps are there."""
    node = root
    for count, step in enumerate(path):
        below = step_into(node, step)
        if below is None:
            return without_marks(node), count
        node = below
    return node, len(path)


class WrittenPlace:
    """One place of one file. `written` is what the file has there now, None where it has nothing."""

    __slots__ = (
        "computed", "decides", "file", "form", "layer", "number", "path", "reached", "source", "steps",
        "value", "whole", "within", "written",
    )  # fmt: skip

    def __init__(
        self, file: str, path: str, source: Source, layer: str, steps: Path, root: Node, number: int = 0
    ) -> None:
        node, known = reach(root, steps)
        self.file = file
        self.path = path
        self.source = source
        self.layer = layer
        self.number = number
        """Which document of the file it is in, from 0."""
        self.steps = steps
        self.reached = node if known else None
        """The value, or the nearest part of the document that contains it."""
        self.written = node if known == len(steps) else None
        self.computed = ""
        """The expression that the file has there, or above it."""
        self.decides = False
        """Whether the value of the result comes from here."""
        self.value = ""
        """Which value it is a place of, where a result is made of several; empty where all places are of one."""
        self.form: Callable[[Node], Node] | None = None
        """How a value is written here, where the file has it in another form."""
        self.whole = steps
        """What goes when the value goes."""
        self.within: WrittenPlace | None = None
        """The text that `source` is, where that is a value of the file."""

    @property
    def address(self) -> str:
        """The path in the file, which leads through the text that the value is in."""
        outer = self.within.steps if self.within is not None else ()
        return format_path((*outer, *self.steps))

    @property
    def line(self) -> int:
        """Where the value is written, or where the nearest part that contains it begins."""
        return self.reached.origin.line if self.reached is not None else 1

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def about(self) -> str:
        """What a value that is written here applies to."""
        return self.layer

    @property
    def layers(self) -> tuple[str, ...]:
        """The words that name its layer."""
        return (self.layer,)


def found(root: Node, path: Path) -> Node:
    """The value at a path, or near names where there is none."""
    node, known = reach(root, path)
    if known < len(path):
        raise unknown(node, path, known, "")
    return node


def unknown(node: Node, path: Path, known: int, hint: str) -> PlaitError:
    """What there is to say about a path that leads nowhere."""
    step = path[known]
    if isinstance(node, Scalar) and node.value is not None:
        asked = format_path(path)
        return UNKNOWN_PATH.error(Label(node.origin), path=asked, asked=asked, hint=no_values_inside(path[:known]))
    is_there = dotted_path(node, path, known) or (isinstance(node, ListNode) and named_items(node, step))
    is_no_key = isinstance(node, MapNode) and (not isinstance(step, str) or step in WILDCARDS)
    meant = near_paths(node, path, known)
    return UNKNOWN_PATH.error(
        Label(node.origin),
        path=format_path(path[: known + 1]),
        asked=format_path(path),
        hint="\n".join(filter(None, (meant, "" if is_there or is_no_key else hint))),
    )


def _place(node: Node, step: Step, path: Path) -> Step:
    """Where a new member goes: a key, or the end of a list."""
    count = len(node.items) if isinstance(node, ListNode) else 0
    if isinstance(node, ListNode) or (isinstance(node, Scalar) and isinstance(step, int | Keyed)):
        if isinstance(step, int) and step != count:
            raise UNKNOWN_PATH.error(Label(node.origin), path=format_path(path), hint=f"the next item is [{count}]")
        if isinstance(step, str) and not step.isdigit():
            item = format_path((*path[: path.index(step)], Keyed(("name",), (step,))))
            hint = f"this is a list; `{item}` is the item with that name"
            raise UNKNOWN_PATH.error(Label(node.origin), path=format_path(path), hint=hint)
        return count
    if isinstance(step, Keyed | int):
        raise UNKNOWN_PATH.error(
            Label(node.origin), path=format_path(path), hint="this is not a list: use a key, as in a.b"
        )
    return step


def wrapped(path: Path, value: Node) -> Node:
    """A value with the containers that the rest of a path names around it."""
    for step in reversed(path):
        if isinstance(step, int | Keyed):
            value = ListNode([_member(step, value)])
        else:
            value = MapNode({step if isinstance(step, str | Node) else str(step): value})
    return value


def _member(step: Step, value: Node) -> Node:
    """An item that `[name=web]` can find again: with the fields it is known by."""
    if not isinstance(step, Keyed) or step.names == ("",):
        return value
    fields: dict[str | Node, Node] = {
        name: Scalar(CORE.resolve(text), text) for name, text in zip(step.names, step.values, strict=True)
    }
    return MapNode({**fields, **value.entries}) if isinstance(value, MapNode) else value


def _as_secret_as(before: Node, value: Node) -> Node:
    """A new value for a place: it stays marked `!sensitive` where the old one is."""
    if not isinstance(before, Scalar | MapNode | ListNode) or before.tag != SENSITIVE:
        return value
    if isinstance(value, Scalar):
        return value.but(tag=SENSITIVE, secret=True)
    if isinstance(value, MapNode):
        return MapNode(value.entries, value.source, value.at, SENSITIVE, value.live, value.marks)
    return (
        ListNode(value.items, value.source, value.at, SENSITIVE, value.live) if isinstance(value, ListNode) else value
    )


def one_line(node: Node, reveal: bool = False) -> str:
    """A value as one line of YAML, secrets masked unless they are wanted."""
    return flow(presented(node), Style(reveal=reveal))


__all__ = ["STDIN", "Editor", "FileDifference", "found", "one_line"]
