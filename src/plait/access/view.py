"""A door through which some files look different from what they are: a tree before a change, or with a part of it undone.

Only what files hold differs: which files there are is the same.
"""

from __future__ import annotations

import os

from plait.access.door import Door
from plait.access.raw import Larger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plait.access.guard import Guard


class View(Door):
    """`altered` maps real paths to what the files are to hold."""

    def __init__(self, roots: Iterable[str], guard: Guard, altered: Mapping[str, bytes]) -> None:
        super().__init__(roots, guard)
        self._altered = altered
        self._names = {os.path.basename(path) for path in altered}

    def is_altered(self, name: str) -> bool:
        """Whether a name, or what it leads to, looks different here."""
        return self._real(name) in self._altered

    def _real(self, name: str) -> str:
        if os.path.basename(name) not in self._names and not os.path.islink(name):
            return name
        return os.path.realpath(name)

    def _read_once(self, name: str, limit: int) -> bytes | None:
        data = self._altered.get(self._real(name))
        if data is None:
            return super()._read_once(name, limit)
        if len(data) > limit:
            raise Larger
        return data
