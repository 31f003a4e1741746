"""A review for a terminal."""

from __future__ import annotations

from plait.apps.reviews.rows import (
    causes_of,
    count,
    errors_of,
    folded,
    headline,
    idle_rows,
    not_compared,
    remark,
    unseen_rows,
    where,
)
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.reviews.rows import ReviewRow
    from plait.report.render import Paint
    from plait.review.review import CauseGroup, Review

SHORT = 8
"""How many rows of a cause are shown without --full."""


def render(review: Review, paint: Paint, reveal: bool, full: bool) -> str:
    lines = [headline(review)]
    for group in review.groups:
        lines += ["", *_group(review, group, paint, reveal, full)]
    lines += _errors(review, paint)
    lines += _not_compared(review, full)
    lines += _idle(review, full)
    return "\n".join(lines) + "\n"


def _group(review: Review, group: CauseGroup, paint: Paint, reveal: bool, full: bool) -> list[str]:
    size = f"{count(len(group.effects), 'value')}, {count(len(group.targets), review.kind)}"
    summary = one_line(group.hunks[0].summary) if len(group.hunks) == 1 else ""
    lines = ["    ".join(filter(None, (paint("place", one_line(causes_of(group))), summary, size)))]
    if remark(group):
        lines.append(f"  ({remark(group)})")
    lines += [f"    {one_line(hunk.place)}  {one_line(hunk.summary)}" for hunk in group.hunks if len(group.hunks) > 1]
    lines += [paint("error", f"  ! protected: {one_line(guard)}") for guard in review.protected(group)]
    rows = folded(group, reveal)
    chosen = rows if full else rows[:SHORT]
    width = max((len(one_line(row.name)) for row in chosen), default=0)
    wide = min(60, max((len(row.change) for row in chosen), default=0))
    for row in chosen:
        lines.append(
            f"  {one_line(row.name).ljust(width)}    {_change(row, paint)}{' ' * (wide - len(row.change))}    "
            f"{one_line(where(row.targets, review.kind))}"
        )
        if full and len(row.targets) > 1:
            lines.append(f"      {one_line(', '.join(row.targets))}")
    if len(rows) > len(chosen):
        lines.append(f"  and {count(len(rows) - len(chosen), 'more change')} (--full shows all)")
    return lines


def _change(row: ReviewRow, paint: Paint) -> str:
    """What changes: what was there and what is there now, each in its colour."""
    if row.change == f"{row.before} -> {row.after}":
        return f"{paint('old', row.before)} -> {paint('new', row.after)}"
    return paint({"added": "new", "removed": "old"}.get(row.kind, "why"), row.change)


def _errors(review: Review, paint: Paint) -> list[str]:
    lines: list[str] = []
    for title, effects in (("new errors:", review.broken), ("errors fixed by this change:", review.fixed)):
        if not effects:
            continue
        lines += ["", paint("error", title) if effects is review.broken else title]
        for row in errors_of(effects):
            cause = f"    caused by {one_line(row.places)}" if row.places else ""
            lines.append(f"  {one_line(row.name(review.kind))}{cause}")
            lines += [f"    {one_line(item)}" for item in row.messages]
    return lines


def _not_compared(review: Review, full: bool) -> list[str]:
    rows = not_compared(review)
    shown = rows if full else rows[:SHORT]
    lines = [f"  {one_line(name)}    {one_line(why)}" for name, why in shown]
    more = (
        [f"  and {count(len(rows) - len(shown), 'more document')} (--full shows all)"] if len(rows) > len(shown) else []
    )
    return ["", "not compared:", *lines, *more] if rows else []


def _idle(review: Review, full: bool) -> list[str]:
    lines = [
        f"{'no value changes' if why.startswith('code of ') else 'no effect'}: {one_line(place)} ({one_line(why)})"
        for place, why in idle_rows(review)
    ]
    lines += [f"effect not known: {one_line(place)} ({one_line(why)})" for place, why in unseen_rows(review, full)]
    lines += [f"no value changes: {one_line(hunk.place)} ({why})" for hunk, why in review.tied]
    return ["", *lines] if lines else []
