"""A review as Markdown, for a pull request: a summary, a table by cause, details folded; never longer than a comment
may be."""

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
from plait.report.markdown import code_span, running_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.reviews.rows import ReviewRow
    from plait.review.review import CauseGroup, Review

LIMIT = 65_000
"""How many characters a comment on a pull request may have."""


def render(review: Review, reveal: bool) -> str:
    head = [f"## plait review: {running_text(headline(review))}", ""]
    head += [f"> **Protected value changes:** {as_code(guard)}" for guard in _guards(review)]
    if review.groups:
        head += ["", f"| cause | change | values | {review.kind}s |", "|---|---|---|---|"]
        head += [_row(group) for group in review.groups[:50]]
        head += [f"and {count(len(review.groups) - 50, 'more cause')}"] if len(review.groups) > 50 else []
    tail = [*_errors(review), *_not_compared(review), *_idle(review)]
    text = "\n".join(head) + "\n"
    end = "\n".join(tail) + "\n" if tail else ""
    room = LIMIT - len(text) - len(end) - 200
    shown = 0
    for group in review.groups:
        details = _details(review, group, reveal)
        if len(details) > room:
            break
        room -= len(details)
        text += details
        shown += 1
    if shown < len(review.groups):
        text += f"\nand {count(len(review.groups) - shown, 'more cause')}: run `plait review --full` to see all\n"
    return _within(text + end)


CUT = "\n\n**This comment is cut here**: run `plait review --full` to see all.\n"


def _within(text: str) -> str:
    """A comment of whole lines that is not too long, and says so where something is left out."""
    if len(text) <= LIMIT:
        return text
    return text[: text.rindex("\n", 0, LIMIT - len(CUT))] + CUT


def _guards(review: Review) -> list[str]:
    return list(dict.fromkeys(guard for group in review.groups for guard in review.protected(group)))


def _row(group: CauseGroup) -> str:
    summary = group.hunks[0].summary if len(group.hunks) == 1 else remark(group)
    return f"| {as_code(causes_of(group))} | {as_code(summary)} | {len(group.effects)} | {len(group.targets)} |"


def _details(review: Review, group: CauseGroup, reveal: bool) -> str:
    rows = [
        f"| {as_code(row.name)}{_way(row)} | {as_code(row.change)} | {running_text(where(row.targets, review.kind))} |"
        for row in folded(group, reveal)
    ]
    shown = rows[:200]
    more = [f"\nand {count(len(rows) - len(shown), 'more change')}"] if len(rows) > len(shown) else []
    title = f"{running_text(causes_of(group))}: {count(len(group.effects), 'value')}"
    note = [f"({running_text(remark(group))})", ""] if remark(group) else []
    lines = ["", f"<details><summary>{title}</summary>", "", *note, "| value | change | where |", "|---|---|---|"]
    return "\n".join([*lines, *shown, *more, "", "</details>", ""])


def _way(row: ReviewRow) -> str:
    """What a value came through, below its name."""
    return "".join(f"<br>{as_code(hop)}" for hop in row.way)


def _errors(review: Review) -> list[str]:
    lines: list[str] = []
    for title, effects in (("New errors", review.broken), ("Fixed errors", review.fixed)):
        if effects:
            lines += ["", f"### {title}", ""]
        rows = [(row, item) for row in errors_of(effects) for item in row.messages]
        for row, item in rows[:50]:
            caused = f" (caused by {as_code(row.places)})" if row.places else ""
            lines.append(f"- {as_code(row.name(review.kind))} {as_code(item)}{caused}")
        lines += [f"- and {count(len(rows) - 50, 'more error')}"] if len(rows) > 50 else []
    return lines


def _not_compared(review: Review) -> list[str]:
    rows = [f"- {as_code(name)}: {running_text(one_line(why))}" for name, why in not_compared(review)]
    more = [f"- and {count(len(rows) - 50, 'more document')}"] if len(rows) > 50 else []
    return ["", "### Not compared", "", *rows[:50], *more] if rows else []


def _idle(review: Review) -> list[str]:
    idle = [f"- {as_code(place)}: {running_text(why)}" for place, why in idle_rows(review)]
    idle += [f"- {as_code(hunk.place)}: {why}" for hunk, why in review.tied]
    shown = idle[:100] + ([f"- and {count(len(idle) - 100, 'more line')}"] if len(idle) > 100 else [])
    unseen = [f"- {as_code(place)}: {running_text(why)}" for place, why in unseen_rows(review)]
    return [
        *(["", "### Changed lines that change no value", "", *shown] if idle else []),
        *(["", "### Changed lines whose effect is not known", "", *unseen] if unseen else []),
    ]


def as_code(text: str) -> str:
    """Text from a file as code: it can become neither markup nor another column or line."""
    text = one_line(text)
    if "\\|" in text:  # readers of tables disagree about a backslash before a bar: no character of it is markup here
        return f"<code>{''.join(c if c.isalnum() or c == ' ' else f'&#{ord(c)};' for c in text)}</code>"
    return code_span(text.replace("|", "\\|"))
