"""The report of a run: as the requirement's warning for people, and as data for programs, from the same entries."""

from __future__ import annotations

from plait.core.node import Node, Scalar, equal
from plait.core.path import format_path
from plait.fronts.patterns.blocks import FULL, ReportBlock, counts_line, report_of
from plait.fronts.patterns.plan import EDITS, LOST, Plan, PlanLine, ResourceChange
from plait.merging.differing import changes
from plait.merging.lines import LineConflict
from plait.merging.threeway import KEPT, ORDER_LOST
from plait.yaml.emit import Style, flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

GENERATOR = "plait"
WIDTH = 72
"""A value longer than this is cut in a line of the report."""
AROUND = 12
"""How much of two long values is shown before the place where they begin to differ."""


def short_value(node: Node | None) -> str:
    """A value on one line, cut where it is long."""
    value = _whole(node)
    return value if len(value) <= WIDTH else value[: WIDTH - 3] + "..."


def _whole(node: Node | None) -> str:
    """A value on one line; a text without quotes where that is clear."""
    if node is None:
        return "absent"
    if isinstance(node, Scalar) and node.secret:
        return "<sensitive>"
    if isinstance(node, Scalar) and node.text and "\n" not in node.text and node.tag is None:
        return node.text
    return flow(node, Style())


def both_shown(one: Node | None, other: Node | None) -> tuple[str, str]:
    """Two values on one line each. Long ones are cut to where they differ, so that they never look alike."""
    left, right = _lines(one), _lines(other)
    if left != right and len(left) > 1 and len(right) > 1:
        return _differing_lines(left, right)
    return _cut_both(_whole(one), _whole(other))


def _lines(node: Node | None) -> list[str]:
    return (
        node.value.splitlines(keepends=True)
        if isinstance(node, Scalar) and isinstance(node.value, str) and not node.secret
        else []
    )


def _differing_lines(left: list[str], right: list[str]) -> tuple[str, str]:
    """Two texts of several lines: the first lines in which they differ, and which others do."""
    first, *more = [LineConflict(a + 1, [], left[a:b], right[c:d]) for a, b, c, d in changes(left, right)]
    others = f" (and {', '.join(part.numbers for part in more)})" if more else ""
    one, other = _cut_both(_on_one_line(first.existing), _on_one_line(first.fresh))
    return f"{first.lines}{others}: {one}", other


def _cut_both(left: str, right: str) -> tuple[str, str]:
    if max(len(left), len(right)) <= WIDTH:
        return left, right
    same = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        same += 1
    start = max(0, same - AROUND)
    return _cut(left, start), _cut(right, start)


def _cut(value: str, start: int) -> str:
    inner = value[start : start + WIDTH]
    before = "..." if start and len(value) > start else ""
    return f"{before}{inner}{'...' if start + WIDTH < len(value) else ''}" or value


def _clash(clash: LineConflict) -> str:
    """Lines of a text that both sides changed, with all three versions."""
    here, generated = _cut_both(_on_one_line(clash.existing), _on_one_line(clash.fresh))
    return f"{clash.lines}: {here} ({GENERATOR} default: {generated}, was {_cut(_on_one_line(clash.base), 0)}"


def _on_one_line(lines: str) -> str:
    """Lines of text on one line."""
    return " | ".join(lines.splitlines()) or "nothing"


def _kept(line: PlanLine) -> str:
    entry = line.entry
    here, generated, before = _told_apart(entry.existing, entry.fresh, entry.base)
    at = _at(line)
    value = here if entry.existing is not None else "deleted"
    if entry.clashes:
        return "; ".join(f"{at}{_clash(one)}{_about(line)})" for one in entry.clashes)
    was = f", was {before}" if entry.base is not None and line.kind == "both" else ""
    return f"{at}{value} ({GENERATOR} default: {generated}{was}{_about(line)})"


def _told_apart(existing: Node | None, fresh: Node | None, base: Node | None) -> tuple[str, str, str]:
    """Three values on one line each; with quotes where a text would look like the number that another one is."""
    here, generated = both_shown(existing, fresh)
    texts, sides = [here, generated, short_value(base)], (existing, fresh, base)
    for at, side in enumerate(sides if len(set(texts)) < len({*map(id, sides)}) else ()):
        if not isinstance(side, Scalar) or not isinstance(side.value, str) or side.secret:
            continue
        alike = [other for place, other in enumerate(sides) if texts[place] == texts[at] and place != at]
        if any(other is not None and other is not side and not equal(side, other) for other in alike):
            texts[at] = flow(side, Style(prefer='"', always=True))
    return texts[0], texts[1], texts[2]


def _about(line: PlanLine) -> str:
    """The inputs that move the field, and its owner."""
    inputs = "".join([f", input {name}" for name in line.entry.inputs])
    return f"{inputs}, {line.owner}" if line.owner else inputs


def _dropped(line: PlanLine) -> str:
    here, before = both_shown(line.entry.existing, line.entry.base)
    return f"{_at(line)}{here} (no longer in pattern, was {before}{_about(line)})"


def _extra(line: PlanLine) -> str:
    return f"{_at(line)}{short_value(line.entry.existing)} (not in pattern{_about(line)})"


def _deleted(line: PlanLine) -> str:
    return _kept(line) if line.entry.path else "deleted here; stays deleted (--overwrite restores it)"


def _moved(line: PlanLine) -> str:
    here, there = both_shown(line.entry.existing, line.entry.fresh)
    return f"{_at(line)}{here} -> {there}"


def _updated(line: PlanLine) -> str:
    return f"{_moved(line)}{_beside_it(line)}"


def _beside_it(line: PlanLine) -> str:
    """The comments of others that are beside a value that is another one now."""
    return f"; {line.entry.note} is still beside it" if line.entry.note else ""


def _set(line: PlanLine) -> str:
    """A field that `--set`, an input or a decision gives another value, with what that replaces."""
    earlier = [f"set earlier to {short_value(line.entry.earlier)}"] if line.entry.earlier is not None else []
    about = [*earlier, *([f"was changed here{_by(line)}"] if line.replaces else [])]
    told = f" ({', '.join(about)})" if about else ""
    return f"{_moved(line)}{told}{_beside_it(line)}"


def _by(line: PlanLine) -> str:
    return f" by {line.who}" if line.who else ""


def _set_earlier(line: PlanLine) -> str:
    value, there = both_shown(line.entry.existing, line.entry.fresh)
    return f"{_at(line)}{value} (the pattern has {there}; --forget {line.name} drops it)"


def _not_written(line: PlanLine) -> str:
    entry = line.entry
    wanted = f"write {short_value(entry.fresh)}" if entry.fresh is not None else "remove it"
    return f"{_at(line)}{wanted} at {entry.note}"


def _overwritten(line: PlanLine) -> str:
    entry = line.entry
    if entry.row is ORDER_LOST:
        return f"{_ordered(line)} in the order here"
    by = f" (was changed here{_by(line)})" if line.who or line.entry.base is not None else ""
    return f"{_moved(line)}{by}{_beside_it(line)}"


def _ordered(line: PlanLine) -> str:
    """What has an order: the items of a list, or the documents of a file."""
    return line.entry.note or f"{_at(line)}items"


def _taken(line: PlanLine) -> str:
    return _set(line) if line.entry.path else "the lines of the pattern"


def _restored(line: PlanLine) -> str:
    if not line.entry.path:
        return "deleted here; restored"
    return f"{_at(line)}deleted here; restored as {short_value(line.entry.fresh)}"


def _at(line: PlanLine) -> str:
    """The path before what is said about it; nothing for a file as a whole."""
    return f"{format_path(line.entry.path)}: " if line.entry.path else ""


def _orphan(line: PlanLine) -> str:
    if line.conflict:
        return "no longer generated; kept, because it was changed"
    return "no longer generated; kept (--prune removes it if nobody changed it)"


LINES: dict[str, Callable[[PlanLine], str]] = {
    "changed": _kept,
    "deleted": _deleted,
    "both": _kept,
    "dropped": _dropped,
    "extra": _extra,
    "moved": lambda line: f"in {line.document.text.name} (the pattern puts it into {line.entry.note})",
    "orphan": _orphan,
    "updated": _updated,
    "merged": lambda line: f"{_at(line)}merged by lines, yours and the pattern's",
    "added": lambda line: f"{_at(line)}{short_value(line.entry.fresh)} (new)",
    "removed": lambda line: f"{_at(line)}removed (no longer in pattern)",
    "set": _set,
    "set earlier": _set_earlier,
    "taken": _taken,
    "pinned": lambda line: f"{_at(line)}{short_value(line.entry.existing)}",
    "overwritten": _overwritten,
    "reordered": lambda line: f"{_ordered(line)} in the order of the pattern",
    "order kept": lambda line: f"{_ordered(line)} in the order here (the pattern has another one)",
    "restored": _restored,
    "not written": _not_written,
    "pruned": lambda line: "no longer generated; removed",
    "comments": lambda line: "comments",
    "comments kept": lambda line: f"comments of the pattern that could not be merged: {line.entry.note}",
    "comments gone": lambda line: f"comments written here went with what is removed: {line.entry.note}",
    "created": lambda line: f"in {line.document.text.name}",
    "renamed": lambda line: f"it was {line.entry.note}",
}
"""How each kind of entry reads. Kinds that are not here are not shown."""

COMMENTS = ("comments", "comments kept", "comments gone")
"""The kinds that are about comments in a resource."""


def sections(plan: Plan, version: str = "") -> list[tuple[str, tuple[str, ...]]]:
    """The blocks of the report, in order: a heading and the kinds below it. What may replace edits comes before what is
    routine."""
    before = plan.record.version
    moved = f"Updated from pattern {before} to {version}:" if before and version and before != version else "Updated:"
    created = () if plan.first else ("created",)
    return [
        ("Preserving external changes (use --overwrite to discard):", (*KEPT, "moved", "order kept", "comments kept")),
        ("Not updated, because it cannot be edited here (write it by hand):", ("not written",)),
        ("Discarding external changes:", LOST),
        ("Set:", ("set",)),
        ("Set earlier:", ("set earlier",)),
        ("Taken as asked:", ("taken",)),
        ("Preserved as asked:", ("pinned",)),
        ("Created:", created),
        ("Renamed:", ("renamed",)),
        (moved, ("updated", "added", "removed", "merged", "reordered", "comments", "comments gone")),
        ("Removed:", ("pruned",)),
    ]


def loss_lines(plan: Plan) -> list[str]:
    """Exactly the edits that `--overwrite` discards, deletions among them, one line each."""
    rows = [(line, LINES[line.kind](line)) for line in plan.lines if line.kind in LOST]
    return ReportBlock("Discarding external changes:", rows, names_in(plan), COMMENTS).lines(FULL)


def report_lines(
    plan: Plan, version: str = "", blame: Callable[[PlanLine], str] | None = None, full: bool = False
) -> list[str]:
    """The report as people read it, without its last lines."""
    names, blocks = names_in(plan), sections(plan, version)
    groups: list[list[PlanLine]] = [[] for _ in blocks]
    place = {kind: number for number, (_, kinds) in enumerate(blocks) for kind in kinds}
    pinned = {format_path(pin.path) for pin in plan.instructions.pins}
    for line in plan.lines:
        if line.kind in place and not (line.kind == "pinned" and format_path(line.entry.path) in pinned):
            groups[place[line.kind]].append(line)
    made = [
        ReportBlock(heading, _rows(lines, blame), names, COMMENTS)
        for (heading, _), lines in zip(blocks, groups, strict=True)
        if lines
    ]
    return report_of(made, full) if made else []


def _rows(lines: list[PlanLine], blame: Callable[[PlanLine], str] | None) -> list[tuple[PlanLine, str]]:
    return [(line, f"{LINES[line.kind](line)}{blame(line) if blame is not None else ''}") for line in lines]


def counts(plan: Plan) -> str:
    """The last line of a report: conflicts, kept and replaced edits."""
    return counts_line(plan.lines, lambda line: line.kind in EDITS)


def names_in(plan: Plan) -> Counter[str]:
    """How many resources of the run have each name."""
    from collections import Counter

    changed = (change.existing or change.fresh for change in plan.changes)
    return Counter(document.short for document in (*changed, *(line.document for line in plan.orphans)))


def by_resource(lines: list[PlanLine], names: Counter[str], blame: Callable[[PlanLine], str]) -> list[str]:
    """Lines under the names of their resources."""
    return ReportBlock("", _rows(lines, blame), names, COMMENTS).lines(FULL)[1:]


def summary(plan: Plan) -> str:
    """How the report ends."""
    files = {file_of(change) for change in plan.changes}
    total = len(plan.changes)
    if plan.first:
        return f"Created {plural(total, 'resource')} in {plural(len(files), 'file')}."
    touched = sum(change.state in ("created", "updated") for change in plan.changes)
    return f"{_states(plan)}Updated {touched} of {plural(total, 'resource')} in {plural(len(files), 'file')}."


STATES = {"created": "created", "updated": "updated", "unchanged": "unchanged", "deleted": "deleted by others"}


def counted(plan: Plan) -> dict[str, int]:
    """How many resources of the run are in each state: they add up to all of them."""
    counts = dict.fromkeys(STATES, 0)
    for change in plan.changes:
        counts[change.state] += 1
    return counts


def _states(plan: Plan) -> str:
    """The counts, where `Updated K of N` alone does not say them."""
    counts = counted(plan)
    if not counts["created"] and not counts["deleted"]:
        return ""
    return ", ".join(f"{count} {STATES[state]}" for state, count in counts.items() if count) + ".\n"


def plural(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def entry_data(line: PlanLine) -> dict[str, object]:
    """One entry as data, its values as nodes. What is absent is left out."""
    entry = line.entry
    data: dict[str, object] = {"resource": line.document.label, "path": format_path(entry.path), "kind": line.kind}
    for name, node in (("existing", entry.existing), ("generated", entry.fresh), ("base", entry.base)):
        if node is not None:
            data[name] = node
    if entry.inputs:
        data["inputs"] = list(entry.inputs)
    if line.who:
        data["who"] = line.who
    if line.owner:
        data["owner"] = line.owner
    if entry.earlier is not None:
        data["earlier"] = entry.earlier
    if entry.note:
        data["note"] = entry.note
    if entry.clashes:
        data["lines"] = [
            {"first": one.first, "last": one.last, "existing": one.existing, "generated": one.fresh, "base": one.base}
            for one in entry.clashes
        ]
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
        **counted(plan),
        "removed": len(plan.pruned),
        "noLongerGenerated": len(plan.orphans) - len(plan.pruned),
        "conflicts": len(plan.conflicts),
        "kept": sum(line.kind in EDITS and not line.conflict for line in plan.lines),
        "replaced": sum(line.replaces for line in plan.lines),
        "report": [entry_data(line) for line in plan.lines],
    }


def file_of(change: ResourceChange) -> str:
    return change.existing.text.name if change.existing is not None else change.fresh.text.name
