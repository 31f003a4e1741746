"""Finds out why a changed line has no effect: what overrides it, in every target that reads it."""

from __future__ import annotations

from bisect import bisect_right

from plait.core.diagnostic import Fault
from plait.core.node import Node, Scalar, Unknown
from plait.core.walk import nodes_of
from plait.evaluate.explain import describe_loss
from plait.fronts.origins import verdicts
from plait.review.fates import ERROR, LineFate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from plait.fronts.front import Changes
    from plait.fronts.origins import Verdict
    from plait.review.compared import ComparedTargets
    from plait.review.hunks import Hunk

MOST = 300
"""The maximum number of documents to search for values that override the lines; each is merged and walked once."""


class LineFates:
    """The reasons why some hunks have no effect, found by walking the account of each document that reads them."""

    def __init__(self, hunks: Collection[Hunk], before: bool, side: ComparedTargets) -> None:
        """`before`: the lines are those of the old side, whose targets `side` has."""
        self.before = before
        self.side = side
        self.known = {hunk: LineFate() for hunk in hunks}
        self._lines = {(hunk.file, line): hunk for hunk in hunks for line in hunk.lines(before)}
        self._starts: dict[str, list[int]] = {}
        for hunk in hunks:
            self._starts.setdefault(hunk.file, []).append(hunk.lines(before).start)
        self.looked_at = 0
        self.complete = True
        """Whether every document was looked through."""
        self._files: dict[tuple[str, str], str] = {}
        """The names that the values of a target give to files, and their paths."""

    def look(self, target: str, changes: Changes) -> None:
        """Walk through the documents of a target that changes may affect, where they may."""
        if not self.complete:
            return  # nothing is put together to see that there is more
        for tree, places in self.side.trees(target, changes):
            if self.looked_at >= MOST:
                self.complete = False
                return
            self.looked_at += 1
            try:
                for verdict in verdicts(tree.account(), expressions=True, places=places):
                    self._note(target, verdict)
            except Fault:
                continue  # reported as an error of the target

    def _note(self, target: str, verdict: Verdict) -> None:
        for node in nodes_of(verdict.node) if verdict.drop is not None else (verdict.node,):
            for hunk in self._covering(target, node):
                fate = self.known[hunk]
                if verdict.drop is None:
                    fate.kept[_kept(verdict)] = None
                elif verdict.by is not None:
                    fate.by[self._place(target, verdict.by)] = None
                else:
                    fate.reasons[describe_loss(verdict.drop)] = None

    def _covering(self, target: str, node: Node) -> Iterator[Hunk]:
        """The hunks in which a value is written, or into which its text continues."""
        if node.origin.source.given:
            return
        file, line = self._file(target, node), node.origin.line
        if (file, line) in self._lines:
            yield self._lines[file, line]
        if isinstance(node, Scalar):
            starts = self._starts.get(file, [])
            for start in starts[bisect_right(starts, line) :]:
                if not _reaches(node, line, start):
                    break
                yield self._lines[file, start]

    def _place(self, target: str, node: Node) -> str:
        return f"{self._file(target, node)}:{node.origin.line}"

    def _file(self, target: str, node: Node) -> str:
        name = node.origin.file
        if (target, name) not in self._files:
            self._files[target, name] = self.side.path(target, name)
        return self._files[target, name]


def _kept(verdict: Verdict) -> str:
    """Why a value that is in a result is no difference: two equal errors are not two equal values."""
    if verdict.failure is None:
        return "it sets the same value"
    if isinstance(verdict.failure, Unknown):
        return "it sets a value that is not known, by the same expression"
    return ERROR


def _reaches(node: Node, line: int, start: int) -> bool:
    """Whether the text that begins at one line continues down to another."""
    source = node.origin.source
    margin = _indent(source.line(line))
    return all(_indent(source.line(at)) > margin for at in range(line + 1, start + 1) if source.line(at).strip())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
