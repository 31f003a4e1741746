"""Who owns a field, where a resource says so itself: the annotation `plait.dev/field-owners`, a `path: owner` on each
line.

`path: plait@HASH` says that plait generated the field, and what it generated. A field that is ours and still has
that value may move; one that has another value was changed by an unknown owner; one with another owner is
theirs.
"""

from __future__ import annotations

from plait.core.find import step_into
from plait.core.node import MapNode, Node, Scalar
from plait.core.path import Path, PathError, format_path, parse_path
from plait.fronts.patterns.record import digest
from plait.merging.threeway import FieldRule, value_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

IN_ALL = "field-owners"
ANNOTATIONS = (f"plait.dev/{IN_ALL}", f"xpand.io/{IN_ALL}")
OURS = ("plait", "xpand")
USER = "user"
"""The owner of a field that was set by a flag."""


def annotation_of(node: Node) -> tuple[str, Scalar] | None:
    """The annotation that names owners: its key and its text."""
    metadata = step_into(node, "metadata")
    annotations = step_into(metadata, "annotations") if metadata is not None else None
    if isinstance(annotations, MapNode):
        for name in ANNOTATIONS:
            found = annotations.entries.get(name)
            if isinstance(found, Scalar) and isinstance(found.value, str):
                return name, found
    return None


def owners_of(node: Node) -> dict[str, tuple[str, str]]:
    """For each path that the annotation lists: the owner, and the hash of what was generated (or nothing)."""
    found = annotation_of(node)
    owners: dict[str, tuple[str, str]] = {}
    for line in str(found[1].value).splitlines() if found is not None else ():
        path, colon, owner = line.strip().rpartition(": ")
        if colon and path:
            name, _, mark = owner.strip().partition("@")
            owners[path.strip()] = (name, mark)
    return owners


def rules_of(owners: dict[str, tuple[str, str]], existing: Node) -> tuple[FieldRule, ...]:
    """The fields that are ours as they are (one that is gone was deleted by others), and those that were set."""
    made = []
    for text, (owner, mark) in owners.items():
        try:
            path = parse_path(text)
        except PathError:
            continue
        value = value_at(existing, path)
        if owner == USER and value is not None:
            made.append(FieldRule("user", path, value))
        elif owner in OURS and (value is None or mark in ("", digest(value))):
            made.append(FieldRule("ours", path))
    return tuple(made)


def kept_annotation(node: Node) -> tuple[FieldRule, ...]:
    """The annotation is bookkeeping: it stays as it is, and is not reported."""
    found = annotation_of(node)
    return (FieldRule("user", ("metadata", "annotations", found[0]), found[1]),) if found is not None else ()


def owner_of(owners: dict[str, tuple[str, str]], path: Path) -> str:
    """The owner that a field, or what it is in, is listed with; none where it is ours."""
    for length in range(len(path), 0, -1) if owners else ():
        owner, mark = owners.get(format_path(path[:length]), ("", ""))
        if owner in OURS:
            return "an unclaimed change" if mark else ""
        if owner:
            return owner
    return ""


NAMES = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))
"""The name of a resource has no owner."""


def listed(node: Node, paths: Iterable[Path]) -> dict[str, tuple[str, str]]:
    """Entries for fields that were generated."""
    return {format_path(path): (OURS[0], digest(value_at(node, path))) for path in paths if path not in NAMES}


def after_run(
    owners: dict[str, tuple[str, str]], node: Node, moved: Iterable[Path], chosen: Iterable[Path], gone: Iterable[Path]
) -> dict[str, tuple[str, str]]:
    """The entries once a run is done: fields that were generated again, fields that were set, and without those that
    went.

    A field that others changed keeps the sign of what was generated, so that it stays theirs.
    """
    left = {format_path(path) for path in gone}
    kept = {path: entry for path, entry in owners.items() if path not in left}
    return {**kept, **listed(node, moved), **{format_path(path): (USER, "") for path in chosen}}


def spelled(owners: dict[str, tuple[str, str]]) -> str:
    """The annotation's text."""
    return "".join(f"{path}: {owner}{'@' + mark if mark else ''}\n" for path, (owner, mark) in owners.items())
