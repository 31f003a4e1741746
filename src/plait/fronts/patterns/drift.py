"""What others changed since the last generation, and what the record holds: questions that generate nothing.

The files are compared with what was generated last. Who made a change is what git says about the line; for a
deletion, the last commit in which the number of lines that mention the field changed.
"""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Node, key_text
from plait.core.path import Keyed, Path, format_path
from plait.core.source import Source
from plait.fronts.patterns.disk import Folder
from plait.fronts.patterns.flags import CreateFlags, instructions_of
from plait.fronts.patterns.history import Trail
from plait.fronts.patterns.inputs import typed_text
from plait.fronts.patterns.pattern import Library
from plait.fronts.patterns.plan import Plan, PlanLine
from plait.fronts.patterns.record import NAME, InputOrigin, Record, of_resource
from plait.fronts.patterns.report import LINES, by_resource, entry_data, names_in, plural
from plait.fronts.patterns.resources import TextFile
from plait.fronts.project import Project
from plait.merging.threeway import KEPT
from plait.report.catalog import NO_INSTANCE
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Generated:
    """One instance of a pattern as its record has it, and what others changed in its files since."""

    def __init__(self, name: str, record: Record, folder: Folder, lists: dict[str, str], taken: object) -> None:
        self.name = name
        self.record = record
        self.folder = folder
        instructions = instructions_of(CreateFlags(), lists=lists)
        instructions.glance = folder.project.meter.glance
        instructions.taken = taken  # type: ignore[assignment]
        self.plan = Plan(folder.texts, _texts(record), record, instructions)
        self.changes = [line for line in self.plan.lines if line.kind in (*KEPT, "moved") and self._changed(line)]
        self._trail = Trail(folder.project)

    def _changed(self, line: PlanLine) -> bool:
        """Not what `--set` asked for: that is the user's own."""
        asked = of_resource(self.record.user, line.document) or []
        return all(path != line.entry.path for path, _ in asked)

    def author(self, line: PlanLine) -> str:
        """Who made a change, according to git; nothing where it does not know."""
        entry, file = line.entry, self.folder.where(line.document.text.name)
        if entry.existing is not None:
            return self._trail.last_change(file, entry.existing.origin.line)
        return self._trail.last_mention(file, _mention(line))

    # As text

    def drift_lines(self) -> list[str]:
        """What others changed, each with its author."""
        if not self.changes:
            return [f"{self.name}: no changes since it was generated."]
        changes = plural(len(self.changes), "change")
        return [
            f"{self.name}: {changes} since the last generation",
            *by_resource(self.changes, names_in(self.plan), self._with_author),
        ]

    def _with_author(self, line: PlanLine) -> str:
        author = self.author(line)
        return f"   {author}" if author else ""

    def lines(self) -> list[str]:
        """What the record holds, and what is preserved."""
        made = f"{plural(len(self.record.resources), 'resource')} in {plural(self._files(), 'file')}"
        out = [f"{self.name}: version {self.record.version}, {made}"]
        if self.record.inputs:
            out += [
                "  inputs:",
                *(f"    {name}: {typed_text(node)}{self._given(name)}" for name, node in self._inputs()),
            ]
        for heading, fields in (("set", self.record.user), ("accepted", self.record.accepted)):
            if fields:
                out.append(f"  {heading}:")
                out += [f"    {label}: {path}" for label in fields for path in _paths(fields[label])]
        out.append("  preserved:" if self.changes else "  preserved: nothing")
        out += [f"    {line.document.label}: {LINES[line.kind](line)}" for line in self.changes]
        return out

    def _inputs(self) -> list[tuple[str, Node]]:
        return sorted(self.record.inputs.items())

    def _given(self, name: str) -> str:
        given = self.record.given.get(name, InputOrigin())
        last = f"last used by version {given.version or self.record.version}"
        known = [text for text in (given.option, given.by and f"by {given.by}", given.day, last) if text]
        return f"   ({', '.join(known)})" if known else ""

    def _files(self) -> int:
        return len({resource.file for resource in self.record.resources.values()})

    # As data

    def data(self) -> dict[str, object]:
        record = self.record
        return {
            "instance": self.name,
            "pattern": record.pattern,
            "version": record.version,
            "resources": len(record.resources),
            "inputs": [self._input_data(name, node) for name, node in self._inputs()],
            "set": {label: [format_path(path) for path, _ in fields] for label, fields in record.user.items()},
            "accepted": {label: list(fields) for label, fields in record.accepted.items()},
            "preserved": [entry_data(line) for line in self.changes],
        }

    def _input_data(self, name: str, node: Node) -> dict[str, object]:
        given = self.record.given.get(name, InputOrigin())
        about = {
            "option": given.option,
            "by": given.by,
            "day": given.day,
            "lastUsedBy": given.version or self.record.version,
        }
        return {"name": name, "value": node, **{key: value for key, value in about.items() if value}}

    def drift_data(self) -> dict[str, object]:
        changes = [{**entry_data(line), "author": self.author(line)} for line in self.changes]
        return {"instance": self.name, "changes": changes}


def _paths(fields: dict[str, str] | list[tuple[Path, Node]]) -> list[str]:
    if isinstance(fields, dict):
        return list(fields)
    return [f"{format_path(path)}={typed_text(node)}" for path, node in fields]


def _mention(line: PlanLine) -> str:
    """What a line of text that had a deleted field would contain."""
    path = line.entry.path
    if not path:
        return f"name: {line.document.short}"
    step = path[-1]
    return step.values[0] if isinstance(step, Keyed) else f"{key_text(step)}:" if not isinstance(step, int) else ""  # type: ignore[arg-type]


def _texts(record: Record) -> list[TextFile]:
    """What was generated last, as files."""
    files: dict[str, list[str]] = {}
    for resource in record.resources.values():
        files.setdefault(resource.file, []).append(resource.written)
    joined = {
        name: "---\n".join(one if one.endswith("\n") else f"{one}\n" for one in all_) for name, all_ in files.items()
    }
    return [TextFile(name, Source(f"{NAME} ({name})", text)) for name, text in joined.items()]


def generated_in(
    project: Project, output: str, pattern: str, instance: str, folders: Iterable[str] = ()
) -> list[Generated]:
    """The instances that were generated into a folder: all of them, those of one pattern, or one of those."""
    first = Folder(project, output)
    records = first.ledger.records
    wanted = {name: r for name, r in records.items() if not pattern or r.pattern == pattern}
    if instance:
        wanted = {name: r for name, r in wanted.items() if name == f"{pattern}/{instance}"}
    if not wanted:
        name = "/".join(filter(None, (pattern, instance))) or "any pattern"
        hint = did_you_mean(name, records) or f"available: {', '.join(records) or 'none'}"
        raise NO_INSTANCE.error(name=name, folder=output, hint=hint)
    files = [resource.file for record in wanted.values() for resource in record.resources.values()]
    folder = Folder(project, output, list(dict.fromkeys(files)))
    generated = []
    for name, record in wanted.items():
        lists = _lists(Library(project, folders), record.pattern)
        generated.append(Generated(name, record, folder, lists, lambda d, name=name: folder.ledger.owner(d, name)))
    return generated


def _lists(library: Library, pattern: str) -> dict[str, str]:
    """How the pattern matches items of lists; nothing where the pattern itself is not at hand."""
    try:
        return library.find(pattern).lists if pattern in library.folders else {}
    except Fault:
        return {}
