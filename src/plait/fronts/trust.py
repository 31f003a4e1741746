"""Trusted folders, whose files may use capabilities: recorded in the user's own configuration, never in the repository.

Trust covers the files of a folder, wherever a run starts, and nothing that comes from elsewhere. It holds for the
files as they were when the folder was trusted: one that is new or has changed since must be trusted again before it
may ask for anything. Values flow from file to file (a command may be written in another file than the function that
runs it), so every file of the folder that a run has read must be as it was. What a command itself reads, such as a
script, is not checked.
"""

from __future__ import annotations

import os

from plait.access.copies import own_text, private_folder, replace_private
from plait.access.door import Door
from plait.access.environment import config_home
from plait.access.guard import CAPABILITIES
from plait.core.diagnostic import Fault
from plait.core.source import Source
from plait.report.catalog import BAD_OPTION, UNREADABLE, UNWRITABLE
from plait.report.near import did_you_mean
from plait.yaml.files import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNS = (b"!", b"((", b"{{", b"{%", b"://", b"::")
"""How everything begins that can ask for a capability, outside of YAML and JSON."""
SUFFIXES = (".yaml", ".yml", ".json")
LARGEST = 64_000_000


def trust_folder() -> str:
    """Where trust is recorded, one file for each trusted folder: `$XDG_CONFIG_HOME/plait/trusted/`."""
    return os.path.join(config_home(), "plait", "trusted")


def _record(folder: str) -> str:
    return os.path.join(trust_folder(), f"{_digest(folder)[:32]}.json")


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class TrustedFolder:
    """A trusted folder: what its files may do, and a digest of each file that can ask."""

    __slots__ = ("allow", "files", "folder")

    def __init__(self, folder: str, allow: list[str], files: dict[str, str]) -> None:
        self.folder = folder
        self.allow = allow
        self.files = files

    @classmethod
    def read(cls, name: str) -> TrustedFolder | None:
        """The entry of a record; None where there is none."""
        import json  # only where something is trusted

        try:
            found = json.loads(own_text(name))
            files = {str(file): str(digest) for file, digest in found["files"].items()}
            return cls(str(found["folder"]), [str(word) for word in found["allow"]], files)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, AttributeError, TypeError, KeyError) as trouble:
            hint = "delete the file, then run plait trust again; until then the folder is not trusted"
            raise UNREADABLE.error(name=name, why=str(trouble), hint=hint) from None

    def write(self) -> None:
        import json

        name = _record(self.folder)
        data = {"folder": self.folder, "allow": self.allow, "files": self.files}
        try:
            private_folder(os.path.dirname(name))
            replace_private(name, json.dumps(data, indent=1, sort_keys=True) + "\n")
        except OSError as trouble:
            raise UNWRITABLE.error(name=name, why=trouble.strerror or str(trouble)) from None


class Trust:
    """Whether the user has trusted the file that asks. Asked only when no flag grants what it wants."""

    def __init__(self, root: str, sources: dict[str, Source]) -> None:
        self.root = root
        self.sources = sources
        """The files of this run, by the names they were read under."""
        self._entries: dict[str, TrustedFolder | None] = {}

    def __call__(self, capability: str, source: Source) -> str | None:
        """None if it is trusted; else a hint, or an empty text for the usual one."""
        source = source.written or source
        path = self._path_of(source)
        why = ""
        for entry in self._around(path) if path else ():
            if capability not in entry.allow:
                continue
            inner = os.path.relpath(path, entry.folder)
            if source.given or entry.files.get(inner) == _digest(source.text):
                inner = self._changed(entry)
            if not inner:
                return None
            what = "changed" if inner in entry.files else "is new"
            words = ",".join(entry.allow)
            why = (
                f"`{inner}` {what} since {entry.folder} was trusted\ncheck it, then:  plait trust --allow "
                f"{words} {entry.folder}"
            )
        return why

    def _changed(self, entry: TrustedFolder) -> str:
        """A file of a trusted folder that this run has read and that is not as it was; empty where there is none."""
        inside = os.path.join(entry.folder, "")
        for name, source in self.sources.items():
            path = os.path.realpath(name)
            inner = path.removeprefix(inside)
            if inner != path and _can_ask(inner, source.text) and entry.files.get(inner) != _digest(source.text):
                return inner
        return ""

    def _path_of(self, source: Source) -> str:
        """Where a text was read; what the user typed counts as the project's own."""
        if source.given:
            return os.path.join(self.root, "")
        return next((os.path.realpath(name) for name, known in self.sources.items() if known is source), "")

    def _around(self, path: str) -> Iterator[TrustedFolder]:
        """The trusted folders that a path is in, the nearest first."""
        at = os.path.dirname(path)
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
        if name not in CAPABILITIES:
            hint = did_you_mean(name, CAPABILITIES) or f"available: {', '.join(CAPABILITIES)}"
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
        raise BAD_OPTION.error(why=f"folder not found: `{folder}`")
    known = TrustedFolder.read(_record(real))
    allow = sorted(capabilities(words) | frozenset(known.allow if known else ()))
    TrustedFolder(real, allow, dict(_seen(real))).write()
    return real, allow


def _seen(folder: str) -> Iterator[tuple[str, str]]:
    """The files of a folder that can ask for something, with their digests. Links are not followed."""
    door = Door([folder])
    stack = [""]
    while stack:
        inner = stack.pop()
        for name, is_folder, link in door.entries(os.path.join(folder, inner)):
            path = os.path.join(inner, name)
            if link or name == ".git":
                continue
            if is_folder:
                stack.append(path)
            elif (digest := _asking(door, folder, path)) is not None:
                yield path, digest


def _can_ask(path: str, text: str) -> bool:
    return path.endswith(SUFFIXES) or any(sign.decode() in text for sign in SIGNS)


def _asking(door: Door, folder: str, path: str) -> str | None:
    try:
        data = door.read(os.path.join(folder, path), LARGEST)
        if not path.endswith(SUFFIXES) and not any(sign in data for sign in SIGNS):
            return None
        return _digest(decode(path, data).text)
    except Fault:  # what cannot be read as text cannot ask
        return None


def forget_trust(folder: str) -> str | None:
    """Trust a folder no longer; None where it was not."""
    real = os.path.realpath(folder)
    name = _record(real)
    if TrustedFolder.read(name) is None:
        return None
    os.unlink(name)
    return real
