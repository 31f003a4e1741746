"""What a run says: as the requirement's warning for people, and as data for programs, from the same entries."""

from __future__ import annotations

from plait.core.node import Node, Scalar
from plait.core.path import format_path
from plait.fronts.patterns.plan import Change, Line, Plan
from plait.merging.threeway import KEPT
from plait.yaml.emit import Style, flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

GENERATOR = "plait"
WIDTH = 72
"""A value longer than this is cut in a line of the report."""


def shown(node: Node | None) -> str:
    """A value on one line; a text as it is where that is no riddle."""
    if node is None:
        return "absent"
    if isinstance(node, Scalar) and node.secret:
        return "<sensitive>"
    plain = isinstance(node, Scalar) and node.text and "\n" not in node.text and node.tag is None
    value = node.text if plain else flow(node, Style())  # type: ignore[attr-defined]
    return value if len(value) <= WIDTH else value[: WIDTH - 3] + "..."


def _default(line: Line) -> str:
    was = f", was {shown(line.entry.base)}" if line.entry.base is not None and line.kind == "both" else ""
    return f"{GENERATOR} default: {shown(line.entry.fresh)}{was}{_owner(line)}"


def _owner(line: Line) -> str:
    return f", {line.owner}" if line.owner else ""


def _kept(line: Line) -> str:
    value = shown(line.entry.existing) if line.entry.existing is not None else "deleted"
    return f"{_path(line)}: {value} ({_default(line)})"


def _dropped(line: Line) -> str:
    return f"{_path(line)}: {shown(line.entry.existing)} (no longer in pattern, was {shown(line.entry.base)}{_owner(line)})"


def _extra(line: Line) -> str:
    return f"{_path(line)}: {shown(line.entry.existing)} (not in pattern{_owner(line)})"


def _deleted(line: Line) -> str:
    return _kept(line) if line.entry.path else "deleted here, and so it stays (--overwrite brings it back)"


def _moved(line: Line) -> str:
    return f"{_path(line)}: {shown(line.entry.existing)} -> {shown(line.entry.fresh)}"


def _path(line: Line) -> str:
    return format_path(line.entry.path)


LINES: dict[str, Callable[[Line], str]] = {
    "changed": _kept,
    "deleted": _deleted,
    "both": _kept,
    "dropped": _dropped,
    "extra": _extra,
    "orphan": lambda line: "no longer generated; kept (--prune removes it if nobody changed it)",
    "updated": _moved,
    "added": lambda line: f"{_path(line)}: {shown(line.entry.fresh)} (new)",
    "removed": lambda line: f"{_path(line)}: removed (no longer in pattern)",
    "set": _moved,
    "pinned": lambda line: f"{_path(line)}: {shown(line.entry.existing)}",
    "overwritten": _moved,
    "pruned": lambda line: "no longer generated; removed",
}
"""How each kind of entry reads. Kinds that are not here are not shown."""


def sections(plan: Plan, version: str = "") -> list[tuple[str, tuple[str, ...]]]:
    """The blocks of the report, in order: a heading and the kinds below it."""
    before = plan.record.version
    moved = f"Updated from pattern {before} to {version}:" if before and version and before != version else "Updated:"
    return [
        ("Preserving external changes (use --overwrite to discard):", KEPT),
        (moved, ("updated", "added", "removed")),
        ("Set:", ("set",)),
        ("Preserved as asked:", ("pinned",)),
        ("Discarding external changes:", ("overwritten",)),
        ("Removed:", ("pruned",)),
    ]


def report_lines(plan: Plan, version: str = "", blame: Callable[[Line], str] | None = None) -> list[str]:
    """The report as people read it, without its last line."""
    out: list[str] = []
    for heading, kinds in sections(plan, version):
        lines = [line for line in plan.lines if line.kind in kinds]
        if lines:
            out += [heading, *_by_resource(lines, blame)]
    return out


def _by_resource(lines: list[Line], blame: Callable[[Line], str] | None) -> list[str]:
    """Lines under the name of their resource; the full name where two are called alike."""
    groups: dict[tuple[str, ...], list[Line]] = {}
    for line in lines:
        groups.setdefault(line.document.key, []).append(line)
    shorts = [group[0].document.short for group in groups.values()]
    out: list[str] = []
    for group in groups.values():
        document = group[0].document
        name = document.short if shorts.count(document.short) == 1 else document.label
        out.append(f"  {name}:")
        out += [f"    - {LINES[line.kind](line)}{blame(line) if blame is not None else ''}" for line in group]
    return out


def summary(plan: Plan) -> str:
    """How the report ends."""
    files = {change.existing.text.name if change.existing else change.fresh.text.name for change in plan.changes}
    total = len(plan.changes)
    if plan.first:
        return f"Created {_count(total, 'resource')} in {_count(len(files), 'file')}."
    touched = sum(change.state in ("created", "updated") for change in plan.changes)
    return f"Updated {touched} of {_count(total, 'resource')} in {_count(len(files), 'file')}."


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def entry_data(line: Line) -> dict[str, object]:
    """One entry as data, its values as nodes. A value that is absent is left out."""
    entry = line.entry
    data: dict[str, object] = {"resource": line.document.label, "path": format_path(entry.path), "kind": line.kind}
    for name, node in (("existing", entry.existing), ("generated", entry.fresh), ("base", entry.base)):
        if node is not None:
            data[name] = node
    if line.owner:
        data["owner"] = line.owner
    return data


def plan_data(plan: Plan, status: str) -> dict[str, object]:
    """The whole run as data."""
    counts: dict[str, int] = {}
    for change in plan.changes:
        name = file_of(change)
        counts[name] = counts.get(name, 0) + 1
    return {
        "status": status,
        "files": [{"path": name, "resources": count} for name, count in counts.items()],
        "totalResources": len(plan.changes),
        "created": sum(change.state == "created" for change in plan.changes),
        "updated": sum(change.state == "updated" for change in plan.changes),
        "report": [entry_data(line) for line in plan.lines],
    }


def file_of(change: Change) -> str:
    return change.existing.text.name if change.existing is not None else change.fresh.text.name
