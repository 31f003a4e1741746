"""Files from another machine, put into a private folder."""

from __future__ import annotations

import os

from plait.access.checkout import WorkingCopy
from plait.access.copies import private_folder, write_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SETTLED = 1_000_000_000
"""The time of every file, in seconds: one that is long ago."""


def unpacked(files: Mapping[str, bytes], empty: Iterable[str], folders: Iterable[str]) -> WorkingCopy:
    """A private folder with files, others of which only the names are known, and folders; paths are relative."""
    contents = {**dict.fromkeys(empty, b""), **files}
    for name in (*folders, *contents):
        if os.path.isabs(name) or os.pardir in name.split(os.sep):
            raise ValueError(f"a parcel has no place for `{name}`")
    copy = WorkingCopy()
    for name in ("", *folders):
        private_folder(os.path.join(copy.folder, name))
    for name, data in contents.items():
        place = os.path.join(copy.folder, name)
        private_folder(os.path.dirname(place))
        if not os.path.lexists(place):
            write_private(place, data)
            os.utime(place, (SETTLED, SETTLED))
    return copy
