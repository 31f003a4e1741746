"""What git prints about changed files and about the contents of its objects."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.access.door import Door

CHANGED_FILES = ("diff", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "-z")
"""The words with which `changed_files` wants git to be asked; revisions follow."""
REGULAR = ("100644", "100755")
"""The modes of ordinary files in git."""


class ChangedFile:
    """A file that git calls changed: what it was, and whether it is an ordinary file on both sides."""

    __slots__ = ("added", "name", "old", "ordinary")

    def __init__(self, name: str, old: str = "", ordinary: bool = False, added: bool = False) -> None:
        self.name = name
        self.old = old
        """The name of the blob that it was; empty where there was no ordinary file."""
        self.ordinary = ordinary
        self.added = added
        """Whether it is an ordinary file that was not there before."""


def changed_files(words: list[str]) -> list[ChangedFile]:
    """The files of a raw difference, which has two words for each."""
    return [_changed_file(facts, name) for facts, name in zip(words[::2], words[1::2], strict=True)]


def _changed_file(facts: str, name: str) -> ChangedFile:
    was, now, old, _, _ = facts.lstrip(":").split()
    added = not was.strip("0") and now in REGULAR
    return ChangedFile(name, old if was in REGULAR else "", was in REGULAR and now in REGULAR, added)


def blobs(door: Door, folder: str, names: Iterable[str]) -> dict[str, bytes]:
    """What blobs hold, by their names."""
    given = "".join(f"{name}\n" for name in sorted(set(names))).encode()
    output = door.git("cat-file", "--batch", folder=folder, given=given).output if given else b""
    contents: dict[str, bytes] = {}
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        name, _, size = output[at:end].decode().split()
        contents[name] = output[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)
    return contents
