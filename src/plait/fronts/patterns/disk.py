"""The output folder: its files as they were read, and writing all of a plan or nothing."""

from __future__ import annotations

import os

from plait.core.source import Source
from plait.fronts.patterns.record import NAME, Ledger
from plait.fronts.patterns.resources import Text
from plait.yaml.files import decode, encoding_of, read_bytes
from plait.yaml.write import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.yaml.lock import Lock

ENDINGS = (".yaml", ".yml")


class Folder:
    """A folder that is generated into. Resources are looked for in every YAML file of it, and of the folders written to."""

    def __init__(self, writer: Writer, path: str, names: Iterable[str] = (), only: Iterable[str] | None = None) -> None:
        self.writer = writer
        self.path = path
        self.seen: dict[str, bytes | None] = {}
        with writer.wait([self.where(name) for name in names]):  # so that nobody is half done meanwhile
            wanted = dict.fromkeys([*self._listed(names), *names] if only is None else only)
            sources = {name: self._source(name) for name in (*wanted, NAME)}
        self.ledger_source = sources.pop(NAME)
        self.texts = [Text(name, source) for name, source in sources.items() if source is not None]

    @property
    def ledger(self) -> Ledger:
        """The record beside the files."""
        return Ledger(self.ledger_source)

    def _listed(self, names: Iterable[str]) -> list[str]:
        """The YAML files of the folder itself, and of those below it that are written to."""
        found: list[str] = []
        for folder in sorted({os.path.dirname(name) for name in names} | {""}):
            path = os.path.join(self.path, folder)
            inside = sorted(os.listdir(path)) if os.path.isdir(path) else []
            files = [name for name in inside if name.endswith(ENDINGS) and not name.startswith(".")]
            found += [os.path.join(folder, name) for name in files if os.path.isfile(os.path.join(path, name))]
        return found

    def _source(self, name: str) -> Source | None:
        path = self.where(name)
        if not os.path.lexists(path):
            self.seen[path] = None
            return None
        data = self.seen[path] = read_bytes(path)
        return decode(path, data)

    def where(self, name: str) -> str:
        """A file of the folder, as it is called from here."""
        return name if self.path in ("", ".") else os.path.join(self.path, name)

    def write(self, texts: dict[str, str | None], lock: Lock | None = None) -> list[str]:
        """Write all of them, or none; the names of those that changed."""
        files = {self.where(name): self._bytes(name, text) for name, text in texts.items()}
        return self.writer.write(files, self.seen, lock)

    def _bytes(self, name: str, text: str | None) -> bytes | None:
        """A text in the encoding that the file has."""
        if text is None:
            return None
        before = self.seen.get(self.where(name)) or b""
        encoding, mark = encoding_of(before)
        return before[:mark] + text.encode(encoding)


def git(folder: str, *words: str) -> str | None:
    """What git says; None where it fails, or is not there."""
    import subprocess  # most runs do not ask git

    try:
        done = subprocess.run(
            ["git", *words], cwd=folder or ".", capture_output=True, timeout=30, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def user_name(folder: str) -> str:
    """Who runs this, as git would call them; the name of their account where git does not know."""
    import getpass

    found = os.environ.get("GIT_AUTHOR_NAME") or (git(folder, "config", "user.name") or "").strip()
    try:
        return found or getpass.getuser()
    except (OSError, KeyError):
        return ""


def today() -> str:
    """The day, in UTC; that of `SOURCE_DATE_EPOCH` where a build is to be repeatable."""
    import time

    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return time.strftime("%Y-%m-%d", time.gmtime(int(fixed) if fixed.isdigit() else time.time()))
