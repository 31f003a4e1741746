"""The output folder: its files as they were read, and writing all of a plan or nothing."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault, for_each
from plait.core.source import YAML_ENDINGS, Source
from plait.fronts.patterns.record import NAME, Ledger
from plait.fronts.patterns.resources import TextFile, held
from plait.fronts.project import Project
from plait.yaml.files import decode, encoding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.yaml.lock import Lock


def yaml_files(project: Project, folder: str) -> list[str]:
    """The YAML files of a folder that are not hidden."""
    names = [name for name in project.listing(folder) if name.endswith(YAML_ENDINGS) and _is_shown(name)]
    return [name for name in names if project.door.is_file(os.path.join(folder, name))]


def _is_shown(name: str) -> bool:
    return not os.path.basename(name).startswith(".")


class Folder:
    """A folder that is generated into.

    Resources are looked for in every YAML file of it, and of the folders written to.
    """

    def __init__(
        self,
        project: Project,
        path: str,
        names: Iterable[str] = (),
        only: Iterable[str] | None = None,
        later: bool = False,
        record: str = "",
    ) -> None:
        self.project = project
        self.record = os.path.relpath(record, path or ".") if record else NAME
        """The file of the record, as a name in the folder."""
        self.path = path
        self.seen: dict[str, bytes | None] = {}
        self.writer = project.writer(_around(path, record))
        project.admit(path or ".")
        with self.writer.wait([self.where(name) for name in names]):  # so that no instance is half done meanwhile
            self.unfinished = self.writer.unfinished()
            """What files hold as soon as something is written, where a run was interrupted, by their real paths."""
            wanted = dict.fromkeys([*self._listed(names), *names] if only is None else only)
            sources = {name: self._source(name) for name in (*wanted, self.record)}
        self.ledger_source = sources.pop(self.record)
        self.sources = {name: source for name, source in sources.items() if source is not None}
        """The files that are there."""
        self.texts: list[TextFile] = []
        if not later:
            self.read()

    def read(self, generated: Iterable[TextFile] = ()) -> None:
        """Read the files; not those of which a generated one has the text already. Where there is
        much, they let go of their trees."""
        made = {text.name: text for text in generated}
        kept = held(self.sources)
        self.texts = for_each(lambda file: self._text(*file, made.get(file[0]), kept), self.sources.items())

    def _text(self, name: str, source: Source, made: TextFile | None, kept: set[str]) -> TextFile:
        self.project.meter.glance()
        if made is not None and made.unread and made.source.text == source.text:
            return TextFile.like(made, source)
        text = TextFile(name, source)
        if name not in kept:
            text.let_go()
        return text

    @property
    def ledger(self) -> Ledger:
        """The record beside the files."""
        return Ledger(self.ledger_source)

    def _listed(self, names: Iterable[str]) -> list[str]:
        """The YAML files of the folder itself, and of those below it that are written to."""
        folders = sorted({os.path.dirname(name) for name in names} | {""})
        listed = [
            os.path.join(folder, name)
            for folder in folders
            for name in yaml_files(self.project, os.path.join(self.path, folder) or ".")
        ]
        top = os.path.realpath(self.path or ".")
        coming = [os.path.relpath(name, top) for name in self.unfinished if name.endswith(YAML_ENDINGS)]
        return listed + [name for name in coming if os.path.dirname(name) in folders and _is_shown(name)]

    def _source(self, name: str) -> Source | None:
        path = self.where(name)
        real = os.path.realpath(path) if self.unfinished else ""
        if real in self.unfinished:
            settled = self.seen[path] = self.unfinished[real]
            return decode(path, settled) if settled is not None else None
        if not self.project.door.exists(path) and os.path.basename(path) not in self._names(os.path.dirname(path)):
            self.seen[path] = None
            return None
        data = self.seen[path] = self.project.bytes(path)
        return decode(path, data)

    def _names(self, folder: str) -> list[str]:
        """What a folder holds, links that lead nowhere included."""
        return self.project.listing(folder or ".")

    def where(self, name: str) -> str:
        """A file of the folder, as it is called from here."""
        where = name if self.path in ("", ".") else os.path.join(self.path, name)
        return os.path.normpath(where) if name.startswith("..") else where

    def write(self, texts: dict[str, str | None], lock: Lock | None = None) -> list[str]:
        """Write all of them, or none; the names of those that changed."""
        return self.writer.write(self.files(texts), self.seen, lock)

    def files(self, texts: dict[str, str | None]) -> dict[str, bytes | None]:
        """The files that hold these texts, each in the encoding that it has."""
        return {self.where(name): self._bytes(name, text) for name, text in texts.items()}

    def _bytes(self, name: str, text: str | None) -> bytes | None:
        """A text in the encoding that the file has."""
        if text is None:
            return None
        before = self.seen.get(self.where(name)) or b""
        encoding, mark = encoding_of(before)
        return before[:mark] + text.encode(encoding)


def _around(path: str, record: str) -> str:
    """The folder that has the files and their record."""
    if not record:
        return path or "."
    folders = [os.path.abspath(path or "."), os.path.abspath(os.path.dirname(record))]
    return os.path.relpath(os.path.commonpath(folders))


def asked_git(project: Project, folder: str, *words: str) -> str | None:
    """What git answers in a folder; None where it fails, or is not there."""
    try:
        answer = project.git(*words, folder=folder or ".")
    except Fault:
        return None
    return answer.output.decode("utf-8", "replace") if answer.status == 0 else None


def user_name(project: Project, folder: str) -> str:
    """Who runs this, as git would call them; the name of their account where git does not know."""
    variable = project.door.environment
    named = variable("GIT_AUTHOR_NAME") or (asked_git(project, folder, "config", "user.name") or "").strip()
    return named or variable("USER") or variable("LOGNAME")


def today(project: Project) -> str:
    """The day, in UTC; that of `SOURCE_DATE_EPOCH` where a build is to be repeatable."""
    import time

    fixed = project.door.environment("SOURCE_DATE_EPOCH")
    return time.strftime("%Y-%m-%d", time.gmtime(int(fixed) if fixed.isdigit() else time.time()))
