"""Files from another machine: put into a private folder, and a process of their own that works on them there."""

from __future__ import annotations

import os
import subprocess
import sys

from plait.access.checkout import WorkingCopy
from plait.access.copies import private_folder, write_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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


def own_process(module: str, data: bytes, folder: str, environment: Mapping[str, str], seconds: float) -> bytes:
    """What `main()` of one of our modules prints when it is given data, in a process that knows only this environment.

    The folder of the process is not a place from which code is loaded.
    """
    places = [place for place in sys.path if os.path.isabs(place)]
    code = f"import sys; sys.path[:] = {places!r}; from {module} import main; main()"
    words = [sys.executable, "-I", "-c", code]
    done = subprocess.run(
        words, input=data, cwd=folder, env=dict(environment), capture_output=True, timeout=seconds, check=False
    )
    if done.returncode:
        raise OSError(f"it ended with exit status {done.returncode}: {done.stderr.decode(errors='replace')[-1000:]}")
    return done.stdout


def exchange(answer: Callable[[bytes], bytes]) -> None:
    """In the process of its own: what is given becomes what is printed."""
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
