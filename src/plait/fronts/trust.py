"""Trusted folders, whose files may use capabilities: recorded in the user's own configuration, never in the repository.

Trust covers the files of a folder, wherever a run starts, and nothing that comes from elsewhere. It holds for the
files as they were when the folder was trusted: one that is new or has changed since must be trusted again before it
may ask for anything. Values flow from file to file (a command may be written in another file than the function that
runs it), so every file that a run has read must be as it was, whatever its name, and a command needs that none of them
came from elsewhere, unless the user named it. What a command itself reads, such as a script, is not checked.
"""

from __future__ import annotations

import os

from plait.access.door import Door
from plait.access.environment import config_home
from plait.access.guard import CAPABILITIES, VARIABLE
from plait.access.sinks import UNPINNED, is_given
from plait.access.trace import digest_of
from plait.core.diagnostic import Fault
from plait.core.source import Source
from plait.report.catalog import BAD_OPTION, NO_FILE, UNREADABLE, UNWRITABLE
from plait.yaml.files import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.access.trace import FileTrace

LARGEST = 64_000_000
COMMANDS = ("exec", "python")
"""Capabilities with which a value that any file gave can become a command."""


def trust_folder() -> str:
    """Where trust is recorded, one file for each trusted folder: `$XDG_CONFIG_HOME/plait/trusted/`."""
    return os.path.join(config_home(), "plait", "trusted")


def _record(folder: str) -> str:
    return os.path.join(trust_folder(), f"{_digest(folder)[:32]}.json")


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class TrustedFolder:
    """A trusted folder: what its files may do, and the digests of each file: of its bytes, and of its text where that
    is encoded in another way."""

    __slots__ = ("allow", "files", "folder")

    def __init__(self, folder: str, allow: list[str], files: dict[str, list[str]]) -> None:
        self.folder = folder
        self.allow = allow
        self.files = files

    @classmethod
    def read(cls, name: str) -> TrustedFolder | None:
        """The entry of a record; None where there is none."""
        import json  # only where something is trusted

        from plait.access.copies import own_text

        try:
            found = json.loads(own_text(name))
            files = {str(file): [str(one) for one in digests] for file, digests in found["files"].items()}
            return cls(str(found["folder"]), [str(word) for word in found["allow"]], files)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, AttributeError, TypeError, KeyError) as trouble:
            hint = "delete the file, then run plait trust again; until then the folder is not trusted"
            raise UNREADABLE.error(name=name, why=str(trouble), hint=hint) from None

    def write(self) -> None:
        import json

        from plait.access.copies import private_folder, replace_private

        name = _record(self.folder)
        data = {"folder": self.folder, "allow": self.allow, "files": self.files}
        try:
            private_folder(os.path.dirname(name))
            replace_private(name, json.dumps(data, indent=1, sort_keys=True) + "\n")
        except OSError as trouble:
            raise UNWRITABLE.error(name=name, why=trouble.strerror or str(trouble)) from None


class Trust:
    """Whether the user has trusted the file that asks. Asked only when no flag grants what it wants."""

    def __init__(self, root: str, sources: dict[str, Source], door: Door) -> None:
        self.root = root
        self.sources = sources
        """The texts of this run, by the names they were read under."""
        self.door = door
        self._entries: dict[str, TrustedFolder | None] = {}
        self._found: dict[str, list[TrustedFolder]] = {}
        """The trusted folders around each folder that was asked for."""
        self._paths: dict[int, tuple[Source, str]] = {}
        """Where texts were read, by identity: a file may ask thousands of times."""
        self._same: dict[tuple[str, str], object] = {}
        """What was found to be as it was, by the trusted folder and the name it was read under."""

    def __call__(self, capability: str, source: Source) -> str | None:
        """None if it is trusted; else a hint, or an empty text for the usual one."""
        path = self._path_of(source.written or source)
        why = ""
        for entry in self._around(path) if path else ():
            if capability not in entry.allow:
                continue
            why = self._objection(entry, capability)
            if not why:
                return None
        return why

    def _objection(self, entry: TrustedFolder, capability: str) -> str:
        """Why this run is not covered by the trust in a folder; empty where it is."""
        for name, found in self._read():
            if self._same.get((entry.folder, name)) is found:
                continue
            path = os.path.realpath(name)
            inner = path.removeprefix(os.path.join(entry.folder, ""))
            if inner == path:
                if capability in COMMANDS and not self._is_known(name, path, found):
                    why = f"`{name}` was read too, and is not part of {entry.folder}"
                    return f"{why}\ncheck it, then:  --allow {capability}"
            elif not is_given(UNPINNED) and _digest_of(found) not in entry.files.get(inner, ()):
                what = "changed" if inner in entry.files else "is new"
                words = ",".join(entry.allow)
                return (
                    f"`{inner}` {what} since {entry.folder} was trusted\ncheck it, then:  plait trust --allow "
                    f"{words} {entry.folder}"
                )
            self._same[entry.folder, name] = found
        return ""

    def _read(self) -> Iterator[tuple[str, Source | FileTrace]]:
        """Everything that this run has read, under its name."""
        yield from self.sources.items()
        files = self.door.trace.files if self.door.trace is not None else {}
        yield from ((name, file) for name, file in files.items() if name not in self.sources)

    def _is_known(self, name: str, path: str, found: Source | FileTrace) -> bool:
        """Whether a file elsewhere is one that the user named or configured, or is trusted as it is."""
        if self.door.is_named(name):
            return True
        digest = _digest_of(found)
        return any(digest in entry.files.get(os.path.relpath(path, entry.folder), ()) for entry in self._around(path))

    def _path_of(self, source: Source) -> str:
        """Where a text was read; what the user typed counts as the project's own."""
        if source.given:
            return os.path.join(self.root, "")
        known = self._paths.get(id(source))
        if known is None or known[0] is not source:
            name = next((name for name, one in self.sources.items() if one is source), "")
            known = (source, os.path.realpath(name) if name else "")
            if name:
                self._paths[id(source)] = known
        return known[1]

    def _around(self, path: str) -> list[TrustedFolder]:
        """The trusted folders that a path is in, the nearest first."""
        folder = os.path.dirname(path)
        if folder not in self._found:
            self._found[folder] = list(self._looked_up(folder))
        return self._found[folder]

    def _looked_up(self, at: str) -> Iterator[TrustedFolder]:
        while True:
            if at not in self._entries:
                self._entries[at] = TrustedFolder.read(_record(at))
            entry = self._entries[at]
            if entry is not None and entry.folder == at:
                yield entry
            above = os.path.dirname(at)
            if above == at:
                return
            at = above


def capabilities(words: list[str]) -> frozenset[str]:
    """Names of capabilities, as a flag or a variable lists them."""
    names = [name.strip() for word in words for name in word.split(",") if name.strip()]
    for name in names:
        if name not in CAPABILITIES and not (name.startswith(VARIABLE) and name != VARIABLE):
            from plait.report.near import did_you_mean

            hint = did_you_mean(name, CAPABILITIES) or f"available: {', '.join(CAPABILITIES)}, {VARIABLE}NAME"
            raise BAD_OPTION.error(why=f"unknown capability `{name}`", hint=hint)
    return frozenset(names)


def read_trust() -> dict[str, list[str]]:
    """The trusted folders, and what the files of each may do."""
    door = Door()
    place = trust_folder()
    names = [name for name in door.names(place) if name.endswith(".json")] if door.is_folder(place) else []
    entries = [entry for name in names if (entry := TrustedFolder.read(os.path.join(place, name)))]
    return {entry.folder: entry.allow for entry in sorted(entries, key=lambda entry: entry.folder)}


def is_trusted(folder: str) -> bool:
    """Whether the user has trusted a folder, for whatever."""
    return TrustedFolder.read(_record(os.path.realpath(folder))) is not None


def record_trust(folder: str, words: list[str]) -> tuple[str, list[str]]:
    """Trust a folder with capabilities, beside those it has, as its files are now."""
    real = os.path.realpath(folder)
    if not os.path.isdir(real):
        raise NO_FILE.error(name=folder)
    known = TrustedFolder.read(_record(real))
    allow = sorted(capabilities(words) | frozenset(known.allow if known else ()))
    TrustedFolder(real, allow, dict(_seen(real))).write()
    return real, allow


def _seen(folder: str) -> Iterator[tuple[str, list[str]]]:
    """The files of a folder, with their digests. Links are not followed."""
    door = Door([folder])
    stack = [""]
    while stack:
        inner = stack.pop()
        for name, is_folder, link in door.entries(os.path.join(folder, inner)):
            path = os.path.join(inner, name)
            if link:
                continue
            if is_folder:
                stack.append(path)
            elif digests := _digests(door, folder, path):
                yield path, digests


def _digests(door: Door, folder: str, path: str) -> list[str]:
    """What a file is recognised by; nothing where it cannot be read, so that it is not trusted."""
    try:
        data = door.read(os.path.join(folder, path), LARGEST)
    except Fault:
        return []
    found = digest_of(data).hex()
    try:
        return sorted({found, _digest_of(decode(path, data))})
    except Fault:  # it is no text
        return [found]


def _digest_of(found: Source | FileTrace) -> str:
    """By what a file that was read is recognised."""
    if isinstance(found, Source):
        return digest_of(found.text.encode("utf-8", "surrogatepass")).hex()
    return found.digest.hex()


def forget_trust(folder: str) -> str | None:
    """Trust a folder no longer; None where it was not."""
    real = os.path.realpath(folder)
    name = _record(real)
    if TrustedFolder.read(name) is None:
        return None
    os.unlink(name)
    return real
