"""A door behind which some files have other bytes than on the disk: what a run would see if they were written."""

from __future__ import annotations

import os

from plait.access.door import SIZE_LIMIT, Door
from plait.access.raw import within
from plait.report.catalog import NO_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plait.access.guard import Guard
    from plait.access.trace import Entry


class Staged(Door):
    """The files on the disk, with other bytes for some of them, by real path; some may not be on the disk yet, and
    those with None are hidden.

    What may not be read is refused as ever.
    """

    def __init__(self, roots: Iterable[str], guard: Guard, files: Mapping[str, bytes | None]) -> None:
        super().__init__(roots, guard)
        self.stage(files)

    def stage(self, files: Mapping[str, bytes | None]) -> None:
        """Give these files other bytes, and no others any more."""
        self._files = dict(files)
        self._names = {os.path.basename(name) for name in files}

    def is_staged(self, name: str) -> bool:
        """Whether a file, or what a link leads to, has other bytes here."""
        return self._real(name) in self._files

    def _real(self, name: str) -> str:
        if not self._files:
            return ""
        seen = os.path.basename(name) in self._names or os.path.islink(name)
        return os.path.realpath(name) if seen else ""

    def _is_hidden(self, name: str) -> bool:
        return self._files.get(self._real(name), b"") is None

    def read(self, name: str, limit: int = SIZE_LIMIT) -> bytes:
        if self._is_hidden(name):
            raise NO_FILE.error(name=name)
        found = self._files.get(self._real(name))
        if found is not None and not super().is_file(name):
            self.check_inside(name)
            return within(found, limit)
        data = super().read(name, limit)
        return data if found is None else within(found, limit)

    def is_file(self, name: str) -> bool:
        return not self._is_hidden(name) and (super().is_file(name) or self.is_staged(name))

    def exists(self, name: str) -> bool:
        return not self._is_hidden(name) and (super().exists(name) or self.is_staged(name))

    def entries(self, folder: str) -> list[Entry]:
        found = super().entries(folder)
        if not self._files:
            return found
        real = os.path.realpath(folder)
        staged = {os.path.basename(name): data for name, data in self._files.items() if os.path.dirname(name) == real}
        if not staged:
            return found
        kept = [row for row in found if staged.get(row[0], b"") is not None]
        fresh = {name for name, data in staged.items() if data is not None} - {row[0] for row in found}
        return sorted([*kept, *((name, False, False) for name in fresh)])
