"""The laws of a review, for any change.

Nothing is missed against a comparison of both sides; every value that differs has a cause; reverting all causes of a
value restores it; a hunk that has no effect changes nothing when it is reverted alone, one that is cancelled by others
changes something, and one that others need gives errors; the counts add up.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest

from plait.core.diagnostic import PlaitError
from plait.core.find import step_into
from plait.core.node import Node, equal
from plait.fronts.catalog import world_of
from plait.fronts.front import DocumentId
from plait.fronts.project import Project
from plait.fronts.stacks.answers.changes import DECIDING
from plait.merging.diff import CHANGED
from plait.review.causes import BROKEN, ERRORS, TargetResult
from plait.review.compared import ComparedTargets
from plait.review.hunks import FileChange, Hunk
from plait.review.review import Review, review
from plait.review.sides import Side, TreeChange, between_folders

Files = dict[str, str]
LINK = "-> "
"""A text that begins so is that of a link."""


def write(folder: Path, texts: Files) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if text.startswith(LINK):
            (folder / name).symlink_to(text.removeprefix(LINK))
        else:
            (folder / name).write_text(text, encoding="utf-8")


def hold(sides: tuple[Files, Files]) -> None:
    """All of it for a change between two sets of files."""
    with tempfile.TemporaryDirectory() as place:
        change = change_of(*sides, Path(place))
        try:
            check(change, Path(place))
        finally:
            change.close()


def opened(folder: str, altered: dict[str, bytes | None] | None, beside: Project | None) -> Project:
    return Project(folder, altered=altered, beside=beside)


def results(side: Side) -> dict[str, TargetResult]:
    """Everything, each target on its own, without any of the review's short cuts."""
    found = ComparedTargets(world_of(Project(side.folder, altered=side.altered), side.folder))
    return {name: found.result(name) for name in found.targets.names()}


def results_or_none(side: Side) -> dict[str, TargetResult]:
    """The same; nothing where the settings are broken."""
    try:
        return results(side)
    except PlaitError:
        return {}


def change_of(before: Files, after: Files, folder: Path) -> TreeChange:
    """A change as the review sees it: where no settings come or go and no link differs, the old side is a view of the
    new one."""
    write(folder / "old", before)
    write(folder / "new", after)
    door = Project(str(folder)).door
    names = sorted(name for name in {**before, **after} if before.get(name) != after.get(name))
    links = any(text.startswith(LINK) for side in (before, after) for name in names if (text := side.get(name, "")))
    if links or not {Path(name).name for name in before.keys() ^ after.keys()}.isdisjoint(DECIDING):
        return between_folders(door, str(folder / "old"), str(folder / "new"))
    files = [FileChange(name, before.get(name), after.get(name)) for name in names]
    return TreeChange(door, str((folder / "new").resolve()), files, "", "old")


def at(result: TargetResult | None, document: DocumentId, path: tuple[object, ...]) -> Node | tuple[str, ...] | None:
    if result is None:
        return () if path == ERRORS else None
    if path == ERRORS:
        return result.errors.get(document, ())
    node: Node | None = result.documents.get(document)
    for step in path:
        node = step_into(node, step) if node is not None else None  # type: ignore[arg-type]
    return node


def same(a: object, b: object) -> bool:
    return equal(a, b) if isinstance(a, Node) and isinstance(b, Node) else a == b


def without(hunk: Hunk, change: TreeChange, after: dict[str, TargetResult]) -> set[str]:
    """The kinds of what differs from the new side when a hunk is reverted alone."""
    try:
        reverted = results(change.partly(frozenset((hunk,))))
    except PlaitError:
        return {BROKEN}  # the settings
    nothing, names = TargetResult({}), {*after, *reverted}
    rows = [after.get(name, nothing).differences(reverted.get(name, nothing)).values() for name in names]
    return {row.kind for some in rows for row in some}


def shaped(hunk: Hunk, change: TreeChange, after: dict[str, TargetResult], places: set[Any]) -> list[Any]:
    """The values that differ and are yet others, all of them sound, when a hunk is reverted alone."""
    reverted, nothing = results(change.partly(frozenset((hunk,)))), TargetResult({})
    return [
        (name, document, path)
        for name in {*after, *reverted}
        for (document, path), row in after.get(name, nothing).differences(reverted.get(name, nothing)).items()
        if (name, document, path) in places and row.kind == CHANGED
    ]


def check(change: TreeChange, folder: Path) -> Review | None:
    """Review a change, and hold the review against the laws.

    Where the settings of a side are broken, there is no review.
    """
    try:
        before, after = results(Side(str((folder / "old").resolve()))), results(change.after)
    except PlaitError:
        with pytest.raises(PlaitError):
            review(change, opened)
        return None
    report = review(change, opened)
    nothing = TargetResult({})
    expected = {
        (name, document, path)
        for name in {*before, *after}
        for document, path in before.get(name, nothing).differences(after.get(name, nothing))
    }
    found = [(effect.target, effect.id, effect.path) for effect in report.effects]
    assert set(found) == expected, "missed or made up"
    assert len(found) == len(set(found))
    for effect in report.effects:
        assert effect.cause.hunks
        restored = results_or_none(change.partly(frozenset(effect.cause.hunks)))
        sides = [at(side.get(effect.target), effect.id, effect.path) for side in (restored, before)]
        assert same(*sides), f"reverting the causes does not restore {effect.target} {effect.document} {effect.path}"
    for hunk, _ in report.idle:
        assert not without(hunk, change, after), f"{hunk.place} is not without effect"
    for hunk in report.cancelling:
        is_other = without(hunk, change, after) or results(change.partly(frozenset((hunk,)))).keys() != after.keys()
        assert is_other, f"{hunk.place} is without effect"
        assert not shaped(hunk, change, after, expected), f"{hunk.place} is a cause"
    for hunk in report.needed:
        assert BROKEN in without(hunk, change, after), f"{hunk.place} is not needed"
    assert sum(len(group.effects) for group in report.groups) == len(report.values)
    return report
