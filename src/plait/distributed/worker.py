"""What a worker of an engine does: unpack a parcel, answer in a process of its own, give the evidence."""

from __future__ import annotations

import os
import zlib

from plait.access.ourselves import exchange, own_process
from plait.access.parcels import unpacked
from plait.distributed.evidence import Evidence
from plait.distributed.plain import packed
from plait.distributed.plain import unpacked as unpack
from plait.version import __version__
from plait.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WORKER = "plait.distributed.worker"


def answer(parcel: bytes, names: list[str]) -> bytes:
    """The answers about some stacks, and the evidence; see `main`."""
    question, folder, files, empty, folders, variables = parcel_of(parcel)
    if question["version"] != __version__:
        raise ValueError(f"this worker has plait {__version__}, the question comes from plait {question['version']}")
    copy = unpacked(files, empty, folders)
    try:
        data = packed((question, names, copy.folder))
        seconds = float(question["seconds"])
        return own_process(WORKER, data, os.path.join(copy.folder, folder), variables, seconds)
    finally:
        copy.close()


def main() -> None:
    """The process of its own: a question on standard input, answers and evidence on standard output."""
    exchange(lambda data: packed(answered(*_tuple(data))))


def parcel_of(data: bytes) -> Any:
    """What was packed for this worker."""
    return _tuple(zlib.decompress(data))


def _tuple(data: bytes) -> tuple[Any, ...]:
    found = unpack(data)
    assert isinstance(found, tuple)
    return found


def answered(question: dict[str, Any], names: list[str], root: str) -> tuple[Any, Any]:
    workspace = Workspace(**question["workspace"], cache=False)
    stacks = workspace.stacks(question["folder"], question["flags"], question["options"])
    found = stacks.part(question["part"], names)
    workspace.project.shield()
    return found, Evidence.of(workspace.project.trace, root).plain()
