"""The changed lines of a change, in pieces that can be undone one by one.

A hunk is a maximal run of changed lines without context, split by key or list item. Any subset of the hunks of a
file can be reverted: `FileChange.without` gives the text in which the hunks of the subset have their old lines and all
others their new ones.
"""

from __future__ import annotations

from plait.access.links import Link
from plait.core.diagnostic import without
from plait.core.source import NOT_IN_COMMIT
from plait.fronts.touched import stretches
from plait.yaml.load import shown_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


class Hunk:
    """Lines of one file: `old` became `new`. `old_line` and `new_line` are where each begins, from 1."""

    __slots__ = ("file", "is_link", "new", "new_line", "old", "old_line", "shown", "whole")

    def __init__(
        self,
        file: str,
        old_line: int,
        old: tuple[str, ...],
        new_line: int,
        new: tuple[str, ...],
        whole: str = "",
        is_link: bool = False,
    ) -> None:
        self.file = file
        self.old_line = old_line
        self.old = old
        self.new_line = new_line
        self.new = new
        self.whole = whole
        """`added` or `deleted` where the whole file is, else empty."""
        self.is_link = is_link
        """Whether a link comes, goes or leads elsewhere, so that whatever is read through it may differ."""
        self.shown = (old, new)
        """The lines as reports may show them: secrets masked."""

    def hide(self, secrets: list[str]) -> None:
        """Show masks instead of these secrets."""
        old, new = (tuple(without(line, secrets) for line in lines) for lines in self.shown)
        self.shown = (old, new)

    def withhold(self) -> None:
        """Show nothing of the lines: the commit does not have the file."""
        old, new = (tuple(NOT_IN_COMMIT for _ in lines[:1]) for lines in self.shown)
        self.shown = (old, new)

    @property
    def line(self) -> int:
        """Where to look: the new line, or for a removal the line that now is there."""
        return self.new_line

    @property
    def is_blank(self) -> bool:
        """Whether it holds nothing but comments and empty lines."""
        return all(not line.strip() or line.strip().startswith("#") for line in (*self.old, *self.new))

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if not self.whole else self.file

    def covers(self, line: int, before: bool) -> bool:
        """Whether a line of the old or new text is one of this hunk's."""
        return line in self.lines(before)

    def lines(self, before: bool) -> range:
        """The numbers of its lines in the old or new text."""
        start, lines = (self.old_line, self.old) if before else (self.new_line, self.new)
        return range(start, start + len(lines))

    @property
    def summary(self) -> str:
        """The change on one line: `cidr: 10.0.0.0/8 -> 10.1.0.0/16`."""
        if self.whole:
            return f"file {self.whole}"
        old, new = (_first(lines) for lines in self.shown)
        key = _key(old)
        if key and key == _key(new) and len(self.old) == len(self.new) == 1:
            return f"{key}: {_value(old)} -> {_value(new)}"
        if old and new:
            return f"{old} -> {new}"
        return f"added: {new}" if new or not self.old else f"removed: {old}"


class FileChange:
    """One changed file: what it is on both sides (a text, a link, or None if it does not exist there), and its hunks in
    order."""

    __slots__ = ("_is_whole", "after", "before", "hunks", "name", "pieces")

    def __init__(self, name: str, before: str | Link | None, after: str | Link | None) -> None:
        self.name = name
        self.before = before
        self.after = after
        self._is_whole = any(not isinstance(side, str) for side in (before, after))
        self.pieces: list[tuple[str, ...] | Hunk] = list(_pieces(name, before, after))
        self.hunks = [piece for piece in self.pieces if isinstance(piece, Hunk)]
        old, new = (_shown_lines(name, side) for side in (before, after))
        for hunk in self.hunks:
            hunk.shown = (_lines(old, hunk.old_line, hunk.old), _lines(new, hunk.new_line, hunk.new))

    @property
    def texts(self) -> tuple[str | None, str | None]:
        """The text on both sides; None where there is no file, or a link."""
        before, after = (side if isinstance(side, str) else None for side in (self.before, self.after))
        return before, after

    def withhold(self) -> None:
        """Show nothing of its text: the commit does not have it."""
        for hunk in self.hunks:
            hunk.withhold()

    def without(self, reverted: Collection[Hunk]) -> str | Link | None:
        """Return the new text, or link, with some hunks undone; None if the file then does not exist."""
        if self._is_whole:
            return self.before if self.hunks[0] in reverted else self.after
        chosen = (
            piece if isinstance(piece, tuple) else piece.old if piece in reverted else piece.new
            for piece in self.pieces
        )
        texts = ["".join(lines) for lines in chosen if lines]
        return "".join([*map(_ended, texts[:-1]), *texts[-1:]])


def _pieces(name: str, before: str | Link | None, after: str | Link | None) -> Iterator[tuple[str, ...] | Hunk]:
    if not isinstance(before, str) or not isinstance(after, str):
        whole = "added" if before is None else "deleted" if after is None else ""
        is_link = isinstance(before, Link) or isinstance(after, Link)
        yield Hunk(name, 1, _whole_lines(before), 1, _whole_lines(after), whole, is_link)
        return
    a, b = before.splitlines(keepends=True), after.splitlines(keepends=True)
    _end_alike(a, b)
    same = 0
    for i, j, k, m in stretches(a, b):
        yield tuple(a[same:i])
        yield from _split(name, i + 1, a[i:j], k + 1, b[k:m])
        same = j
    yield tuple(a[same:])


def _whole_lines(side: str | Link | None) -> tuple[str, ...]:
    """Return the lines of a text; of a link, where it leads."""
    return (side.target,) if isinstance(side, Link) else tuple((side or "").splitlines(keepends=True))


def _shown_lines(name: str, side: str | Link | None) -> list[str]:
    """Return the lines of a file as reports may show them; of a link, that it is one and where it leads."""
    return (
        [f"link to {side.target}"] if isinstance(side, Link) else shown_text(name, side or "").splitlines(keepends=True)
    )


def _end_alike(old: list[str], new: list[str]) -> None:
    """End both texts with a newline where one of them does: a missing one is not a change."""
    if old and new and old[-1].endswith("\n") != new[-1].endswith("\n"):
        for lines in (old, new):
            lines[-1] = lines[-1] if lines[-1].endswith("\n") else lines[-1] + "\n"


def _ended(text: str) -> str:
    """Some lines that others follow: the last line of a file may have no end."""
    return text if text[-1].splitlines() == [""] else text + "\n"


def _split(name: str, old_line: int, old: list[str], new_line: int, new: list[str]) -> Iterator[Hunk]:
    """One run of changed lines as hunks of one key or item each, where both sides can be taken apart alike."""
    left, right = _entries(old), _entries(new)
    rows = _rows(_keys(left), _keys(right))
    if rows is not None and len(rows) == len(left) + len(right) and _are_replaced(left, right):
        rows = [(at, at) for at in range(len(left))]
    for i, j in rows if rows is not None else [(None, None)]:
        if i is None and j is None:
            gone, come = old, new
        else:
            gone, come = left[i] if i is not None else [], right[j] if j is not None else []
        yield Hunk(name, old_line, tuple(gone), new_line, tuple(come))
        old_line += len(gone)
        new_line += len(come)


CONTINUED = "..."
"""Represents the key whose value the lines continue."""


def _entries(lines: list[str]) -> list[list[str]]:
    """Lines grouped by the key or item that each belongs to: a group begins at a line of the smallest indentation."""
    margin = min((_indent(line) for line in lines if line.strip()), default=None)
    groups: list[list[str]] = []
    for line in lines:
        if not groups or (line.strip() and _indent(line) == margin):
            groups.append([])
        groups[-1].append(line)
    return groups


def _keys(groups: list[list[str]]) -> list[str]:
    """The key of each group of lines; comments are distinguished by their order.

    Lines that continue the value above the run come first and have no key of their own.
    """
    firsts = [_first(tuple(lines)) for lines in groups]
    keys = [f"#{at}" if not line or line.startswith("#") else _key(line) for at, line in enumerate(firsts)]
    if len(groups) > 1 and _indent(groups[0][0]) > _indent(groups[1][0]):
        keys[0] = CONTINUED
    return keys


def _are_replaced(left: list[list[str]], right: list[list[str]]) -> bool:
    """Whether as many items without keys take the place of others: each is the change of one."""
    lines = [line.strip() for group in (*left, *right) for line in group]
    return len(left) == len(right) and all(line.startswith("- ") and _key(line) == line for line in lines)


def _rows(left: list[str], right: list[str]) -> list[tuple[int | None, int | None]] | None:
    """Which group of one side becomes which group of the other, in the order of both; None if that cannot be
    decided."""
    if "" in left or "" in right or len(set(left)) < len(left) or len(set(right)) < len(right):
        return None
    rows: list[tuple[int | None, int | None]] = []
    at = 0
    for i, key in enumerate(left):
        if key not in right:
            rows.append((i, None))
            continue
        j = right.index(key)
        if j < at:
            return None  # the keys changed their order
        rows += [(None, other) for other in range(at, j)]
        rows.append((i, j))
        at = j + 1
    return rows + [(None, other) for other in range(at, len(right))]


def _lines(shown: list[str], start: int, lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(shown[start - 1 : start - 1 + len(lines)])


def _first(lines: tuple[str, ...]) -> str:
    return next((line.strip() for line in lines if line.strip()), "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _key(line: str) -> str:
    """The key of a line: the text before its colon, or the text of a list item."""
    item = "- " if line.strip().startswith("- ") else ""
    text = line.strip().removeprefix("- ")
    end = text.find(text[0], 1) + 1 if text[:1] in ("'", '"') else text.find(":")
    if end > 0 and text[end : end + 1] == ":" and text[end + 1 : end + 2] in ("", " ", "\t") and text[0] not in "{[":
        return item + text[:end]
    return line.strip() if item else ""


def _value(line: str) -> str:
    return line.strip().removeprefix(_key(line)).removeprefix(":").strip() or "(a block)"
