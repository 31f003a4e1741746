"""What git prints about changed files and about the contents of its objects."""

from __future__ import annotations

import os

from plait.report.catalog import UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.access.door import Door
    from plait.core.diagnostic import PlaitError

CHANGED_FILES = ("diff", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "-z")
"""The words with which `changed_files` wants git to be asked; revisions follow."""
SIZES = ("ls-tree", "-r", "-l", "-z")
"""The words with which `too_much` wants git to be asked; a revision follows."""
LIMIT, FILES = 1_000_000_000, 1_000_000
"""How many bytes and files a revision may have that is copied."""
REGULAR, LINK = ("100644", "100755"), "120000"
"""The modes of ordinary files and of links in git."""


class ChangedFile:
    """A file that git calls changed: what it was, and whether it is an ordinary file on both sides."""

    __slots__ = ("added", "gone", "linked", "name", "old", "ordinary")

    def __init__(
        self,
        name: str,
        old: str = "",
        ordinary: bool = False,
        added: bool = False,
        gone: bool = False,
        linked: str = "",
    ) -> None:
        self.name = name
        self.old = old
        """The name of the blob that it was; empty where there was no ordinary file."""
        self.ordinary = ordinary
        self.added = added
        """Whether it is an ordinary file that was not there before."""
        self.gone = gone
        """Whether it was an ordinary file, and nothing is there now."""
        self.linked = linked
        """The name of the blob that says where it led; empty where it was no link."""


def changed_files(words: list[str]) -> list[ChangedFile]:
    """The files of a raw difference, which has two words for each."""
    return [_changed_file(facts, name) for facts, name in zip(words[::2], words[1::2], strict=True)]


def _changed_file(facts: str, name: str) -> ChangedFile:
    was, now, old, _, _ = facts.lstrip(":").split()
    is_regular, added = was in REGULAR, not was.strip("0") and now in REGULAR
    gone = is_regular and not now.strip("0")
    linked = old if was == LINK else ""
    return ChangedFile(name, old if is_regular else "", is_regular and now in REGULAR, added, gone, linked)


FLAGGED = ("ls-files", "-v", "-z")
"""How git is asked for the files of its index, each with a letter."""
SKIPPED = "Ss"
"""The letters of files that a sparse checkout leaves out; other small ones are files that are assumed unchanged."""
DIGESTS = {40: "sha1", 64: "sha256"}
"""By the length of a blob's name, how it is made."""


def unwatched(door: Door, root: str, revision: str) -> list[ChangedFile]:
    """The files that differ from a revision among those that git was told not to look at (`git update-index
    --assume-unchanged` or `--skip-worktree`): its difference leaves them out."""
    listed = door.git_facts(*FLAGGED, folder=root).text.split("\0")
    rows = [(word[0], word[2:]) for word in listed if word[:1].islower() or word[:1] == SKIPPED[0]]
    names = [name for letter, name in rows if letter not in SKIPPED or os.path.lexists(os.path.join(root, name))]
    if not names:
        return []
    trees = door.git_facts("ls-tree", "-r", "-z", "--full-tree", revision, folder=root).text.split("\0")
    before = {name: facts.split() for facts, _, name in (row.partition("\t") for row in trees)}
    found = (_unwatched(door, root, name, *before.get(name, ("", "", ""))) for name in names)
    return [file for file in found if file is not None]


def _unwatched(door: Door, root: str, name: str, mode: str, _: str, old: str) -> ChangedFile | None:
    place = os.path.join(root, name)
    if not door.is_file(place) or os.path.islink(place):
        return None if os.path.isdir(place) else ChangedFile(name, old if mode in REGULAR else "")
    import hashlib  # few repositories have such files

    data = door.read(place, LIMIT)
    if old and old == hashlib.new(DIGESTS[len(old)], b"blob %d\0" % len(data) + data).hexdigest():
        return None
    return ChangedFile(name, old if mode in REGULAR else "", mode in REGULAR, not mode)


def blobs(door: Door, folder: str, names: Iterable[str]) -> dict[str, bytes]:
    """What blobs hold, by their names."""
    given = "".join(f"{name}\n" for name in sorted(set(names))).encode()
    if not given:
        return {}
    answer = door.git_objects(given, folder)
    if answer.status:
        raise _incomplete(answer.why.splitlines()[-1] if answer.why else "git failed")
    return dict(_contents(answer.output))


def _contents(output: bytes) -> Iterator[tuple[str, bytes]]:
    """Each blob of a batch: its name, what it is and its size on a line, and then its bytes."""
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        name, kind, *rest = output[at:end].decode().split()
        if not rest:
            raise _incomplete(f"object {name} is {kind}")
        size = int(rest[0])
        yield name, output[end + 1 : end + 1 + size]
        at = end + 2 + size


def too_much(listing: bytes) -> str:
    """Why a revision, as git lists it with `SIZES`, would fill the disk; empty where it would not. A small repository
    can hold endless files, and endless zeros."""
    rows = listing.split(b"\0")[:-1]
    if len(rows) > FILES:
        return f"it has more than {FILES:,} files"
    sizes = (row.split(None, 4)[3] for row in rows)
    total = sum(int(size) for size in sizes if size.isdigit())
    return f"its files have more than {LIMIT:,} bytes" if total > LIMIT else ""


def _incomplete(why: str) -> PlaitError:
    hint = "in a partial clone, fetch the rest first: git fetch --refetch --no-filter"
    return UNREACHABLE.error(what="the history of this repository", why=why, hint=hint)
