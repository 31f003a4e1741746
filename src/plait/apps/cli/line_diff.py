"""The lines of a file that differ, as version control shows them."""

from __future__ import annotations

from plait.core.visible import one_line
from plait.report.lines import difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.report.render import Paint


def differing_lines(name: str, before: str, after: str) -> str:
    """The lines that differ, as version control shows them."""
    return difference(before, after, one_line(name), one_line(name))


LINE_STYLES = {"+": "new", "-": "old", "@": "place"}


def painted(difference: str, paint: Paint) -> str:
    """The lines that differ, in colours where they are on."""
    if not paint.on:
        return difference
    lines = difference.splitlines(keepends=True)
    return "".join(
        f"{paint(style, line.rstrip())}\n" if (style := LINE_STYLES.get(line[:1])) else line for line in lines
    )
