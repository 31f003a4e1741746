"""What one connection to an editor knows: the open texts, the folders, and how places are converted."""

from __future__ import annotations

import os
from contextlib import suppress

from lsprotocol import types
from pygls import uris

from plait.apps.lsp.background import Background
from plait.apps.lsp.positions import UTF16, Lines, changed
from plait.apps.schemas.files import FILES_OF_PEOPLE
from plait.core.diagnostic import Fault, PlaitError
from plait.core.source import Origin, Source
from plait.fronts.catalog import roots as marks
from plait.report.catalog import CANNOT_RENAME
from plait.workspace import Workspace
from plait.yaml.places import moved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.authoring.session import Authoring
    from plait.fronts.findings import Finding

    TextChange = tuple[str, tuple[int, int], str]
    """A file, a span of it, and its new text."""

SCHEMAS = {"settings": FILES_OF_PEOPLE["plait"][1], "pattern": FILES_OF_PEOPLE["pattern"][1]}
"""The schemas of plait.yaml and pattern.yaml."""
HOVER = "hover"
"""The key of work in the background that completes a hover."""


MOST_TARGETS = 40
"""In a folder with more targets an editor does not look for what could be simpler: `plait tidy` does."""
MOST_PROPOSALS = 500
MOST_TEXT = 500_000
"""Nor in one with a file open that has more characters: all of it would be built."""


class Unopened(Fault):
    """A folder whose settings have an error, and had none that are good since the server was started."""


class Session:
    """One connection. `make` opens a workspace in a folder."""

    def __init__(
        self, make: Callable[[str], Workspace], enter: Callable[[list[str]], Callable[[str], bool]] | None = None
    ) -> None:
        self._make = make
        self._enter = enter or (lambda folders: lambda folder: True)
        self._may_read: Callable[[str], bool] = lambda folder: True
        self.encoding: str = UTF16
        self.roots: list[str] = []
        self.texts: dict[str, str] = {}
        """The open files by real path, as the editor has them."""
        self.changes = 0
        """How often a text has changed."""
        self.versions: dict[str, int] = {}
        self.folders: dict[str, Authoring] = {}
        self._answering: dict[str, Answering] = {}
        """For each folder with texts that cannot be read at the moment: the same with the last good ones."""
        self._good: dict[str, str] = {}
        """The last text of each open file that could be read."""
        self._simpler: dict[str, Simpler] = {}
        """What could be simpler in each folder, where somebody has asked for it since its texts changed."""
        self.published: dict[str, list[types.Diagnostic]] = {}
        """The findings that the editor has, by file."""
        self.shifted: set[str] = set()
        """Files whose findings were moved with their lines since the editor was told."""
        self.edited: dict[str, types.Position] = {}
        """Where each file was changed last."""
        self.text_findings: dict[str, set[Finding]] = {}
        """Those of them that are about the text of a file alone."""
        self._spelled: dict[str, str] = {}
        """The address of a file as the editor writes it."""

        self._lines: dict[str, Lines] = {}
        """The lines of the texts that were asked about last."""
        self.background = Background()

    # Names

    def path(self, uri: str) -> str | None:
        """The real path of a file; None for an address that is not one of a file."""
        if not uri.startswith("file:"):
            return None
        found = uris.to_fs_path(uri)
        if not found or "\0" in found:
            return None
        path = os.path.realpath(found)
        self._spelled[path] = uri
        return path

    def uri(self, path: str) -> str:
        return self._spelled.get(path) or uris.from_fs_path(path) or ""

    def enter(self, folders: list[str]) -> None:
        """The editor opened these folders first: the server reads no others."""
        self.add_roots(folders)
        self._may_read = self._enter(self.roots)

    def add_roots(self, folders: list[str]) -> list[str]:
        """The editor opened these folders. Returns those that must not be read."""
        found = [path for path in map(self.path, folders) if path is not None]
        self.roots += filter(self._may_read, found)
        return [path for path in found if not self._may_read(path)]

    # Texts

    def open(self, path: str, text: str, version: int = 0) -> None:
        self.texts[path] = text
        self.versions[path] = version
        self._edited(path, text)

    def change(self, path: str, changes: list[types.TextDocumentContentChangeEvent], version: int = 0) -> None:
        lines = self._lines_of(path, self.texts.get(path, ""))
        for change in changes:
            lines = changed(lines, change)
            if not isinstance(change, types.TextDocumentContentChangeWholeDocument):
                self._shift(path, change)
                self.edited[path] = change.range.start
        self._lines[path] = lines
        self.open(path, lines.text, version)

    def _shift(self, path: str, change: types.TextDocumentContentChangePartial) -> None:
        """Move the findings below a change with their lines, as editors do."""
        first, last = change.range.start.line, change.range.end.line
        delta = change.text.count("\n") - (last - first)
        for row in self.published.get(path, ()) if delta else ():
            start, end = row.range.start, row.range.end
            if start.line > last:
                moved = (types.Position(at.line + delta, at.character) for at in (start, end))
                row.range = types.Range(*moved)
                self.shifted.add(path)

    def close(self, path: str) -> None:
        self.edited.pop(path, None)
        self.texts.pop(path, None)
        self.versions.pop(path, None)
        self._good.pop(path, None)
        self.text_findings.pop(path, None)
        self._lines.clear()
        self._edited(path, None)

    def _edited(self, path: str, text: str | None) -> None:
        self.changes += 1
        self._simpler.clear()
        for folder, authoring in self.folders.items():
            if _is_below(path, folder):
                authoring.edit(path, text)
        with suppress(Unopened):
            self.folder_of(path)

    def refresh(self) -> None:
        """Files changed on the disk."""
        self.changes += 1
        self._simpler.clear()
        for authoring in self.folders.values():
            authoring.refresh()
        self._answering.clear()

    # Folders

    def folder_of(self, path: str) -> Authoring:
        """The project that a file belongs to."""
        folder = self._home(path)
        if folder not in self.folders:
            authoring = self.folders[folder] = self._opened(folder)
            for name, text in self.texts.items():
                if _is_below(name, folder):
                    authoring.edit(name, text)
        return self.folders[folder]

    def open_folders(self) -> list[Authoring]:
        """The projects that files are open in; where none is, those of the folders that the editor opened."""
        for root in self.roots if not self.folders else ():
            with suppress(Unopened):
                self.folder_of(os.path.join(root, "plait.yaml"))
        return list(self.folders.values())

    def _opened(self, folder: str) -> Authoring:
        try:
            return self._make(folder).authoring()
        except PlaitError as error:
            raise Unopened(*error.diagnostics) from None

    def _home(self, path: str) -> str:
        """The nearest folder above a file that is a project, up to the folder that the editor opened."""
        top = max((root for root in self.roots if _is_below(path, root)), key=len, default="")
        at = os.path.dirname(path)
        while not any(os.path.isfile(os.path.join(at, mark)) for mark in marks()):
            above = os.path.dirname(at)
            if at in (top, above):
                return top or os.path.dirname(path)
            at = above
        return at

    # Answers

    def answers(self, path: str) -> Authoring:
        """What answers questions about a file. A text that cannot be read counts as it was before; so does one with
        which nothing can be put together."""
        folder = self.folder_of(path)
        broken = False
        for name in self.texts:
            if self.folder_of(name) is folder:
                readable = folder.is_readable(name)
                sound = readable and folder.is_sound(name)
                broken = broken or not readable or (not sound and name in self._good)
                if sound:
                    self._good[name] = self.texts[name]
        if not broken:
            self._answering.pop(folder.folder, None)
            return folder
        if folder.folder not in self._answering:
            self._answering[folder.folder] = Answering(self._make(folder.folder).authoring())
        answering = self._answering[folder.folder]
        mine = [name for name in self.texts if self.folder_of(name) is folder]
        return answering.holding({name: self._good[name] for name in mine if name in self._good}, folder)

    def remember(self, path: str) -> None:
        """Keep a text for the time when it cannot be read, if it is good now."""
        folder = self.folder_of(path)
        if path in self.texts and folder.is_readable(path) and folder.is_sound(path):
            self._good[path] = self.texts[path]

    def simpler(self, path: str, look: bool) -> Simpler | None:
        """What could be simpler in the folder of a file; without `look`, only where it is known already. None where a
        text cannot be read at the moment: nothing can be proved then."""
        folder = self.folder_of(path)
        if self.answers(path) is not folder:
            return None
        if look and folder.folder not in self._simpler:
            mine = {name: text for name, text in self.texts.items() if self.folder_of(name) is folder}
            self._simpler[folder.folder] = Simpler(self._make(folder.folder), mine)
        return self._simpler.get(folder.folder)

    def renamed_key(self, path: str, key: str, name: str) -> list[TextChange]:
        """The edits that give a key another name in all layers and in everything that reads it, proved with the unsaved
        texts."""
        folder = self.folder_of(path)
        workspace = self._make(folder.folder)
        try:
            for file, text in self.texts.items():
                if self.folder_of(file) is folder:
                    workspace.edit(file, text)
            found = workspace.renaming(key, name)
            if not found.proposals:
                why = (
                    next((one.obstacle for one in found.others), "") or "it cannot be proved that results stay the same"
                )
                raise CANNOT_RENAME.error(why=why)
            return [change for one in found.proposals for change in found.spans(one)]
        finally:
            workspace.close()

    def offset(self, path: str, position: types.Position) -> int:
        """The offset of a position, in the text that answers."""
        lines = self.lines(path)
        return moved(lines.offset(position), lines.text, self._answering_text(path, lines.text))

    def ranges(self, path: str) -> Callable[[int, int], types.Range]:
        """From spans of the text that answers to ranges of the text that the editor has."""
        lines = self.lines(path)
        text = self._answering_text(path, lines.text)
        if text == lines.text:
            return lines.range
        return lambda start, end: lines.range(moved(start, text, lines.text), moved(end, text, lines.text))

    def range(self, path: str, start: int, end: int) -> types.Range:
        """A span of the text that answers, in the text that the editor has."""
        return self.ranges(path)(start, end)

    def _answering_text(self, path: str, text: str) -> str:
        return self.answers(path).source(path).text if path in self.texts else text

    # Places

    def lines(self, path: str) -> Lines:
        """The lines of a file as it is now."""
        text = self.texts.get(path)
        return self._lines_of(path, self.folder_of(path).source(path).text if text is None else text)

    def _lines_of(self, path: str, text: str) -> Lines:
        """The lines of a text: they are looked for once."""
        known = self._lines.get(path)
        if known is None or known.text is not text:
            known = self._lines[path] = Lines(text, self.encoding)
        return known

    def location(self, authoring: Authoring, origin: Origin, length: int = 0) -> types.Location | None:
        """A place in a file; None where it is not in one."""
        path = authoring.path_of(origin.source)
        if not path:
            return None
        if path in self.texts and origin.source.written is None:
            end = origin.at + (length or word_at(origin.source, origin.at))
            return types.Location(self.uri(path), self.range(path, origin.at, end))
        return types.Location(self.uri(path), self.range_of(origin, length))

    def span(self, path: str, start: int, end: int) -> types.Location:
        """A span of a file."""
        return types.Location(self.uri(path), self.range(path, start, end))

    def range_of(self, origin: Origin, length: int = 0) -> types.Range:
        """The range of an origin, as long as is known; else to the end of its word."""
        source = origin.source.written or origin.source
        lines = self._lines_of(source.name, source.text)
        if origin.source.written is not None:
            line, column = origin.source.position(origin.at)
            at = source.starts[line - 1] + column - 1
        else:
            at = origin.at
        return lines.range(at, min(at + (length or word_at(source, at)), lines.line_end(at)))


class Simpler:
    """What could be simpler in a folder with its unsaved texts: looked for in a workspace of its own, because values
    are not computed there as people see them (the time, random values)."""

    def __init__(self, workspace: Workspace, texts: dict[str, str]) -> None:
        self._found: list[list[TextChange]] = []
        self._titles: list[str] = []
        try:
            for name, text in texts.items():
                workspace.edit(name, text)
            is_small = all(len(text) <= MOST_TEXT for text in texts.values())
            if is_small and len(workspace.targets()) <= MOST_TARGETS:
                self._look(workspace)
        except PlaitError:
            return  # diagnostics say what is wrong
        finally:
            workspace.close()

    def _look(self, workspace: Workspace) -> None:
        found = workspace.tidying.proposals()
        above = os.path.relpath(workspace.project.root) + os.sep
        for one in found.proposals[:MOST_PROPOSALS]:
            self._found.append(found.spans(one))
            reason = (
                one.reason if above == f".{os.sep}" else one.reason.replace(above, "")
            )  # files are named as in the folder that the editor shows
            self._titles.append(found.masked(f"Simpler: {one.path} ({one.kind}: {reason})"))

    def at(self, path: str, start: int, end: int) -> list[tuple[str, list[TextChange]]]:
        """The proposals that take away lines of a file which a span touches, each with a title."""
        return [
            (title, changes)
            for title, changes in zip(self._titles, self._found, strict=True)
            if any(file == path and first <= end and start < last for file, (first, last), _ in changes)
        ]


class Answering:
    """A folder in which texts that cannot be read are replaced by what they were."""

    __slots__ = ("_authoring", "_texts")

    def __init__(self, authoring: Authoring) -> None:
        self._authoring = authoring
        self._texts: dict[str, str] = {}

    def holding(self, texts: dict[str, str], present: Authoring) -> Authoring:
        """The folder with these texts; `present` has read them before."""
        for name in {**self._texts, **texts}:
            if self._texts.get(name) != texts.get(name):
                self._authoring.edit(name, texts.get(name))
                self._authoring.take_from(present, name)
        self._texts = texts
        return self._authoring


def word_at(source: Source, at: int) -> int:
    """How many characters the word at a place has."""
    rest = source.text[at : at + 400].split("\n", 1)[0].rstrip("\r")
    stop = rest.find(rest[0], 1) + 1 if rest[:1] in ('"', "'") else rest.find(" #") if " #" in rest else len(rest)
    return max(stop, 1)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))
