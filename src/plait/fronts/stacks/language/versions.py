"""Versions that Atmos locked: `!version NAME` and `{{ .version.NAME }}` read them from the lock file, from the track of
the stack."""

from __future__ import annotations

import os
import re

from plait.core.find import entry
from plait.core.node import Key, MapNode, Node, Scalar
from plait.fronts.stacks.session.reader import READER
from plait.notations.gotemplate.values import MISSING, Object
from plait.yaml.build import Reading, build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Place
    from plait.fronts.stacks.config.config import Config
    from plait.fronts.stacks.session.session import StackSession

LOCK_FILE, TRACK = "versions.lock.yaml", "default"
"""Where versions are locked, and in which track, if nothing says otherwise."""
READ = re.compile(r"\.version\b")
"""How a template reads them."""
PINS = ("digest", "sha")
"""What `pin` of an update policy may say, so that a template gives the digest."""


class LockedVersion(Object):
    """One locked version as templates see it: its text is the version, or the digest where that is pinned."""

    __slots__ = ("_pinned", "digest", "version")
    go_type = "manager.VersionRef"
    go_kind = "struct"

    def __init__(self, version: str, digest: str, pinned: bool) -> None:
        self.version = version
        self.digest = digest
        self._pinned = pinned

    def field(self, name: str) -> object:
        return {"Version": self.version, "Digest": self.digest}.get(name, MISSING)

    def go_string(self) -> str:
        return self.digest if self._pinned and self.digest else self.version


def locked_versions(session: StackSession, config: Config, asserted: str, asker: Place) -> MapNode:
    """The versions that a template or a function can read, by name; none where there is no lock file, or it has no such
    track. `asserted` is the track that a stack asks for; else it is that of the configuration."""
    track = asserted or config.text("version", "track") or TRACK
    found = entry(_lock_file(session, config, asker), "tracks", track)
    entries = found.entries if isinstance(found, MapNode) else {}
    made: dict[Key, Node] = {}
    for name, node in entries.items():
        version, digest = (_text(entry(node, word)) for word in ("version", "digest"))
        written = entry(node, "version") or node
        if version:
            value = LockedVersion(version, digest, _is_pinned(config, track, str(name)))
            made[name] = Scalar(value, version, written.source, written.at)  # type: ignore[arg-type]
    return MapNode(made, found.source, found.at) if found is not None else MapNode(made)


def asserted_track(section: Node | None) -> str:
    """The track that the section `version` of a manifest asks for; empty where it does not."""
    return _text(entry(section, "track"))


def lock_path(config: Config) -> str:
    return os.path.normpath(os.path.join(config.base_path, config.text("version", "lock_file") or LOCK_FILE))


def _lock_file(session: StackSession, config: Config, asker: Place) -> Node | None:
    path = lock_path(config)
    session.project.check_inside(path, entry(config.tree, "version", "lock_file") or config.tree)
    session.trace.opened(asker, path)
    if not session.project.door.is_file(path):
        return None
    source = session.project.source(path, session.shown(path))
    programs = session.documents(source)
    return build(programs[0], source, Reading(READER.schema, text_keys=True)) if programs else None


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) and node.value is not None else ""


def _is_pinned(config: Config, track: str, name: str) -> bool:
    """Whether the update policy of a version pins its digest: that of the entry, else of the track, else of all."""
    of_track = ("version", "tracks", track)
    for place in (
        (*of_track, "dependencies", name),
        ("version", "dependencies", name),
        (*of_track, "defaults"),
        ("version", "defaults"),
    ):
        given = config.get(*place, "update", "pin")
        if given:
            return given in PINS
    return False
