"""The report for people as blocks: a heading, and lines below the names of resources; long ones are shortened.

Equal lines of more than ten resources are one line with their number. Where that leaves more than a screen or two, so
are lines about the same field, and then what is left is cut; each says how many lines it stands for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Hashable, Iterable

    from plait.fronts.patterns.plan import PlanLine

    Row = tuple[PlanLine, str]
    """A line of the report and its text."""

MANY = 10
"""Equal lines of more resources than this are one line."""
ROOM = 50
"""How many lines a report may have that is not shown in full, its counts aside."""
AT_LEAST = 4
"""How many lines of a block are left where it is cut."""
FULL, EQUAL, ALIKE = 0, 1, 2
"""How much is joined: nothing, lines that are equal, or lines about the same field."""


class ReportBlock:
    """One block of a report. Lines about a replaced edit come before the others."""

    def __init__(self, heading: str, rows: list[Row], names: Counter[str], whole: tuple[str, ...]) -> None:
        self.heading = heading
        self.rows = rows
        self.names = names
        self.whole = whole
        """The kinds of lines about a resource as a whole that need not name its kind."""

    def lines(self, joined: int) -> list[str]:
        out = [self.heading]
        for rows in ([row for row in self.rows if row[0].replaces], [row for row in self.rows if not row[0].replaces]):
            out += self._lines(rows, joined)
        return out

    def _lines(self, rows: list[Row], joined: int) -> list[str]:
        groups: dict[Hashable, list[Row]] = {}
        for number, row in enumerate(rows):
            groups.setdefault((number, _sameness(row, joined))[joined != FULL :], []).append(row)
        single = [row for rows in groups.values() if _count(rows) <= MANY for row in rows]
        many = [rows for rows in groups.values() if _count(rows) > MANY]
        order = {id(line): number for number, (line, _) in enumerate(rows)}
        single.sort(key=lambda row: order[id(row[0])])
        return [*self._by_resource(single), *_joined(many)]

    def _by_resource(self, rows: list[Row]) -> list[str]:
        """Lines under the name of their resource: `Kind/name`, unless they are about fields and no other resource has
        that name."""
        groups: dict[tuple[str, ...], list[Row]] = {}
        for row in rows:
            groups.setdefault(row[0].document.key, []).append(row)
        out: list[str] = []
        for group in groups.values():
            document = group[0][0].document
            fields = all(line.entry.path or line.kind in self.whole for line, _ in group)
            out.append(f"  {document.short if fields and self.names[document.short] == 1 else document.label}:")
            out += [f"    - {text}" for _, text in group]
        return out


def _sameness(row: Row, joined: int) -> Hashable:
    line, text = row
    return text if joined == EQUAL or not line.entry.path else (line.kind, line.entry.path)


def _count(rows: list[Row]) -> int:
    return len({line.document.key for line, _ in rows})


def _joined(groups: Iterable[list[Row]]) -> list[str]:
    """Lines of many resources as one each, with their number; those of the same resources together."""
    by_resources: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for rows in groups:
        others = len({text for _, text in rows}) - 1
        more = f" (and {others:,} other value{'' if others == 1 else 's'}; --full shows all)" if others else ""
        resources = tuple(dict.fromkeys(line.document.key for line, _ in rows))
        by_resources.setdefault(resources, []).append(f"{rows[0][1]}{more}")
    out: list[str] = []
    for resources, texts in by_resources.items():
        out += [f"  {len(resources):,} resources:", *(f"    - {text}" for text in texts)]
    return out


def report_of(blocks: list[ReportBlock], full: bool) -> list[str]:
    """The lines of all blocks; without `full`, no more than fit."""
    if full:
        return [line for block in blocks for line in block.lines(FULL)]
    for joined in (EQUAL, ALIKE):
        shown = [block.lines(joined) for block in blocks]
        if sum(map(len, shown)) <= ROOM:
            return [line for lines in shown for line in lines]
    room = max(AT_LEAST, ROOM // len(shown) - 2)
    return [line for lines in shown for line in _cut(lines, room)]


def _cut(lines: list[str], room: int) -> list[str]:
    more = sum(line.startswith("    - ") for line in lines[room:])
    return lines if more < 2 else [*lines[:room], f"  ... and {more:,} more lines (--full shows all)"]


def counts_line(lines: Iterable[PlanLine], is_edit: Callable[[PlanLine], bool]) -> str:
    """How a report ends: the conflicts, the edits that are kept and those that are replaced; nothing where there are
    none."""
    told = [*lines]
    counts = (
        (sum(line.conflict for line in told), "conflict"),
        (sum(is_edit(line) and not line.conflict for line in told), "kept edit"),
        (sum(line.replaces for line in told), "replaced edit"),
    )
    parts = [f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return f"{', '.join(parts)}." if parts else ""
