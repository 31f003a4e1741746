"""What a result from another machine depends on, compared with this machine. A result is used only if every file,
folder, name and variable that it depends on is the same here.
"""

from __future__ import annotations

import os

from plait.access.environment import variables
from plait.access.trace import AccessTrace, digest_of, digest_of_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plait.fronts.project import Project

ROOT = "\0root"
"""Stands for the root of the repository."""


FORMS = {"files": dict, "failed": list, "folders": dict, "looked": list, "variables": dict, "unfollowed": list}
ASKED = frozenset({"file", "folder", "exists", "real", "repository", "settings"})
"""What a worker may want to know about a name; a question to git would be words for a command here."""


class Evidence:
    """A trace whose names do not depend on where the repository is."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self.files: dict[str, bytes] = plain["files"]
        self.failed: list[str] = plain["failed"]
        self.folders: dict[str, list[tuple[str, bool, bool]]] = plain["folders"]
        self.looked: list[tuple[str, str, object]] = plain["looked"]
        self.variables: dict[str, bytes] = plain["variables"]
        self.unfollowed: list[str] = plain["unfollowed"]

    @classmethod
    def read(cls, plain: object) -> Evidence:
        """What a worker sent. Raises `ValueError` where it has another form, or would ask this machine more than
        what is there."""
        if not isinstance(plain, dict) or set(plain) != set(FORMS):
            raise ValueError("the worker sent no evidence")
        if not all(isinstance(plain[name], kind) for name, kind in FORMS.items()):
            raise ValueError("the worker sent no evidence")
        if not all(isinstance(row, tuple) and len(row) == 3 and row[0] in ASKED for row in plain["looked"]):
            raise ValueError("the worker asks more than what is there")
        return cls(plain)

    @classmethod
    def of(cls, trace: AccessTrace, root: str) -> Evidence:
        def named(name: object) -> Any:
            if not isinstance(name, str) or not name:
                return name
            full = os.path.abspath(name)
            return ROOT + full[len(root) :] if full == root or full.startswith(root + os.sep) else full

        return cls(
            {
                "files": {named(name): file.digest for name, file in trace.files.items()},
                "failed": [named(name) for name in trace.stamped],
                "folders": {named(folder): entries for folder, entries in trace.folders.items()},
                "looked": [(asked, named(name), named(found)) for (asked, name), found in trace.looked.items()],
                "variables": trace.variables,
                "unfollowed": sorted(trace.unfollowed),
            }
        )

    def plain(self) -> dict[str, Any]:
        return dict(vars(self))

    # Held against this machine

    def holds(self, project: Project) -> bool:
        """Whether everything is the same here, so that the answer is the one this machine would give, and depends on
        the same things."""
        trace = self._trace(project)
        if self.unfollowed or self.missing_files(project) or not trace.surroundings_hold():
            return False
        project.trace.add(trace)
        return True

    def _trace(self, project: Project) -> AccessTrace:
        """The same with the names of this machine, except for files that were read: those are read here."""
        trace = AccessTrace()
        trace.stamped = dict.fromkeys(self.here(name, project) for name in self.failed)
        trace.folders = {
            self.here(folder, project): [(name, is_folder, link) for name, is_folder, link in entries]
            for folder, entries in self.folders.items()
        }
        trace.looked = {
            (asked, self.here(name, project)): self.here(found, project) for asked, name, found in self.looked
        }
        trace.variables = self.variables
        return trace

    def missing_files(self, project: Project) -> list[str]:
        """The files that were read there and look different here, and those that were not there."""
        here = {self.here(name, project): digest for name, digest in self.files.items()}
        absent = [
            self.here(name, project) for name in (*self.failed, *(name for _, name, found in self.looked if not found))
        ]
        return [
            *(name for name, digest in here.items() if _digest(project, name) != digest),
            *(name for name in absent if project.door.is_file(name)),
        ]

    def missing_variables(self, project: Project) -> dict[str, str | None]:
        """The variables that were asked for there and have another value here, except those that files may not
        read."""
        here, withholds = variables(), project.guard.withholds
        differ = (name for name, digest in self.variables.items() if digest_of_value(here.get(name)) != digest)
        return {name: here.get(name) for name in differ if not withholds(name)}

    @staticmethod
    def here(name: Any, project: Project) -> Any:
        """A name, or what was found for it, as it is on this machine."""
        return project.root + name[len(ROOT) :] if isinstance(name, str) and name.startswith(ROOT) else name


def _digest(project: Project, name: str) -> bytes:
    known = project.trace.files.get(name)
    if known is not None:
        return known.digest
    return digest_of(project.bytes(name)) if project.door.is_file(name) else b""
