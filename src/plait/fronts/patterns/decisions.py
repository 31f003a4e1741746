"""What people decide about lines of a report, and what they have not decided yet: as the record keeps it."""

from __future__ import annotations

from plait.core.node import ListNode, Node, equal
from plait.core.path import Path
from plait.fronts.patterns.plan import ACCEPTED, DELETED, Plan, ResourceChange
from plait.fronts.patterns.record import Record, Refusal, digest, of_resource, pairs_text, path_text
from plait.merging.threeway import ReportEntry, agreed_list, next_alignment, outer_list, value_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def pins_note(pins: Iterable[str]) -> str:
    return f"Pinned, left to others: {', '.join(sorted(pins))} (--unpin PATH ends it)"


def accepted_of(plan: Plan) -> dict[str, dict[str, str]]:
    """The lines that somebody decided to keep, each with a sign of the values that it was about."""
    accepted: dict[str, dict[str, str]] = {}
    for line in plan.lines:
        if line.kind == ACCEPTED:
            entry = line.entry
            fresh = line.document.node if entry.row is DELETED else entry.fresh
            accepted.setdefault(line.document.recorded, {})[path_text(entry.path)] = digest(entry.existing, fresh)
    return accepted


def refused_of(plan: Plan, before: Record, refusal: Callable[[Node | None], Refusal]) -> dict[str, dict[Path, Refusal]]:
    """What this run, or an earlier one, wanted and did not get; `refusal` makes one of this run."""
    refused: dict[str, dict[Path, Refusal]] = {}
    for change in plan.changes:
        for path, (base, entries) in _bases_of_refused(change).items():
            if not _same(base, value_at(change.fresh.node, path)):  # else only the key of an item moved
                made = _known(before, change, path, base) or refusal(base)
                made.pairs = _pairs(change, path, entries) if entries else ""
                refused.setdefault(change.fresh.recorded, {})[path] = made
    return refused


def _known(before: Record, change: ResourceChange, path: Path, base: Node | None) -> Refusal | None:
    """The refusal of an earlier run, where the pattern still wants the same."""
    known = (of_resource(before.refused, change.fresh) or {}).get(path)
    last = before.find(change.fresh)
    wanted = value_at(last.tree(change.fresh), path) if last is not None else None
    if known is None or not _same(wanted, value_at(change.fresh.node, path)):
        return None
    return Refusal(base, known.version, known.day, known.by)


def _same(a: Node | None, b: Node | None) -> bool:
    return a is b or (a is not None and b is not None and equal(a, b))


DISPUTED = (9, 10, 11, 15)
"""The rows of the decision table in which both sides changed a field, and it is known what it was before."""


def _pairs(change: ResourceChange, path: Path, entries: list[ReportEntry]) -> str:
    """Which items of a list without keys are which, for the next run; nothing where that cannot be told."""
    here, fresh = value_at(change.node, path), value_at(change.fresh.node, path)
    known = next_alignment(entries, len(path))
    if known is None or fresh is None or not isinstance(here, ListNode) or known[2] != len(here.items):
        return ""
    return pairs_text(here, fresh, *known[:2])


def _bases_of_refused(change: ResourceChange) -> dict[Path, tuple[Node | None, list[ReportEntry]]]:
    """The conflicts of a resource by their paths as the record keeps them, and what merges begin with there: a list
    without keys as a whole, with its conflicts."""
    found: dict[Path, tuple[Node | None, list[ReportEntry]]] = {}
    lists: dict[Path, list[ReportEntry]] = {}
    for entry in (line.entry for line in change.lines if line.conflict and line.entry.row.number in DISPUTED):
        outer = outer_list(entry.path)
        if outer is None:
            found[entry.fresh_path] = entry.agreed, []
        else:
            lists.setdefault(entry.fresh_path[: len(outer)], []).append(entry)
    for path, entries in lists.items():
        fresh = value_at(change.fresh.node, path)
        found[path] = agreed_list(fresh, entries, len(path)) if isinstance(fresh, ListNode) else None, entries
    return found
