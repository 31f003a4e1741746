"""Diagnostics as text for people and as data for programs."""

from __future__ import annotations

from plait.core.struct import struct
from plait.core.visible import harmless, one_line, visible
from plait.report.catalog import NO_COMPONENT, NO_STACK, UNCHECKED_CODES, UNCONFIRMED, UNFINISHED
from plait.report.wrap import DEEPER, row, sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.diagnostic import Diagnostic, Label

WRITTEN = (UNCONFIRMED.code, UNFINISHED.code)
"""Errors after which a file may have changed."""
COLOURS = {
    "error": ("1;31", "bold red", "an error, a new one in a review, or a protected value"),
    "warning": ("1;33", "bold yellow", "a warning"),
    "mark": ("31", "red", "the part of a line that is wrong"),
    "old": ("31", "red", "a value or line that was there before"),
    "new": ("32", "green", "a value or line that is there now"),
    "hint": ("32", "green", "what to do next"),
    "place": ("36", "cyan", "where something is written: a file and a line"),
    "why": ("2", "dim", "what a value overrides, and why"),
}
"""Every style that a terminal shows: its code, its name and what it means. Everything is readable without it."""
STYLES = {name: code for name, (code, _, _) in COLOURS.items()}
CODES = frozenset({*STYLES.values(), "0"})
"""What our own styles are for a terminal."""

TAB = "\N{RIGHTWARDS ARROW}"
"""What a tab looks like in a source line."""


WIDEST = 140
"""A source line is shown up to this length; the part around the marked column of a longer one."""


@struct
class Paint:
    """How a stream shows text: with colours, which mark what is readable without them, and how wide."""

    on: bool = False
    columns: int = 0
    """The width of the terminal; 0 where the stream is not a terminal: no line is broken."""

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.on and text else text


PLAIN = Paint()


FOLLOWING = (NO_STACK.code, NO_COMPONENT.code)
"""What is not found where a file that may have it cannot be read."""


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each finding once, sorted by place; what may only follow from others is behind them."""
    unique = {(d.sort_key(), d.severity, tuple(str(label.origin) for label in d.labels[1:])): d for d in diagnostics}
    return sorted((unique[key] for key in sorted(unique)), key=lambda d: d.code in FOLLOWING and not d.labels)


def render(diagnostics: Iterable[Diagnostic], paint: Paint = PLAIN, writes: bool = False) -> str:
    """A report: every finding with its places, then their number.

    `writes`: the command would have written something.
    """
    found = in_order(diagnostics)
    return "\n".join([*(render_one(d, paint) for d in found), _summary(found, writes)]) if found else ""


def _summary(diagnostics: list[Diagnostic], writes: bool) -> str:
    errors = sum(d.severity == "error" for d in diagnostics)
    warnings = len(diagnostics) - errors
    parts = [f"{n} {word}{'s' if n != 1 else ''}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    untouched = errors and writes and not any(d.code in WRITTEN for d in diagnostics)
    return ", ".join(parts) + ("; nothing was written" if untouched else "") + "\n"


def render_one(diagnostic: Diagnostic, paint: Paint = PLAIN) -> str:
    """One finding: the message, the place with its source line, notes, and what to do."""
    head = paint(diagnostic.severity, f"{diagnostic.severity} {diagnostic.code}")
    lines = sentence(f"{head}: {visible(diagnostic.message)}", paint.columns)
    if len(diagnostic.labels) == 1:
        lines += _snippet(diagnostic.labels[0], paint)
    else:
        lines += _places(diagnostic.labels, paint)
    for line in (line for note in diagnostic.notes for line in note.splitlines()):
        lines += _indented(line, paint)
    for line in diagnostic.hint.splitlines():
        lines += [f"  {paint('hint', part[2:])}" for part in _indented(line, paint)]
    return "\n".join(lines) + "\n"


def _indented(line: str, paint: Paint) -> list[str]:
    """A line of a note or a hint: its cells, and then its words, broken where the terminal is too narrow."""
    parts = row(f"  {harmless(visible(line))}", paint.columns)
    return [shorter for part in parts for shorter in sentence(part, paint.columns, 2 + DEEPER)]


def _snippet(label: Label, paint: Paint) -> list[str]:
    """The place, the line, and a mark under it."""
    origin = label.origin
    lines = [f"  {paint('place', one_line(str(origin)))}"]
    text = origin.source.line(origin.line)
    if text.strip():
        number = str(origin.line)
        shown, before = _cut(text, origin.column - 1, _room(paint, len(number) + 5))
        mark = "^" * max(1, min(label.length or 1, len(shown) - before))
        lines.append(f"  {number} | {shown}")
        marked = f"  {' ' * len(number)} | {' ' * before}{paint('mark', mark)}"
        lines += sentence(f"{marked}{' ' + one_line(label.text) if label.text else ''}", paint.columns)
    elif label.text:
        lines.append(f"  {harmless(one_line(label.text))}")
    return lines


def _room(paint: Paint, taken: int) -> int:
    """How much of a source line is shown: on a narrow terminal less, so that the mark stays below its place."""
    return min(WIDEST, max(paint.columns - taken, 10)) if paint.columns else WIDEST


def _cut(text: str, column: int, width: int) -> tuple[str, int]:
    """The part of a long line around a column, its tabs shown, and where the column is in it."""
    column += len(visible(text[:column])) - len(text[:column])
    text = visible(text).replace("\t", TAB)
    if len(text) <= width:
        return text, min(column, len(text))
    start = max(0, column - width // 3)
    return text[start : start + width], column - start


def _places(labels: tuple[Label, ...], paint: Paint) -> list[str]:
    """A table of places, each with its text or its source line."""
    names = [one_line(str(label.origin)) for label in labels]
    width = max(map(len, names), default=0)
    rows = []
    for name, label in zip(names, labels, strict=True):
        text = label.text or _cut(label.origin.source.line(label.origin.line).strip(), 0, 100)[0]
        line = f"  {paint('place', name)}{' ' * (width - len(name))}    {one_line(text)}".rstrip()
        rows += row(line, paint.columns)
    return rows


def to_data(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    """The same as data."""
    return [
        {
            "code": d.code,
            "severity": d.severity,
            "message": d.message,
            "places": [
                {"file": x.origin.file, "line": x.origin.line, "column": x.origin.column, "text": x.text}
                for x in d.labels
            ],
            "notes": list(d.notes),
            "hint": d.hint,
        }
        for d in in_order(diagnostics)
    ]


def checked_data(diagnostics: list[Diagnostic]) -> dict[str, object]:
    """Return findings as data, with the messages about what was not checked under `not_checked` if there are any."""
    unchecked = [one.message for one in in_order(diagnostics) if one.code in UNCHECKED_CODES]
    return {"diagnostics": to_data(diagnostics), **({"not_checked": unchecked} if unchecked else {})}
