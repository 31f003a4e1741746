"""What plait.yaml would have to say so that it has every target that is found: one entry for all that a manifest
declares, one for the environments of a chart where a glob finds them, and one for each other target."""

from __future__ import annotations

import os

from plait.core.node import ListNode, Scalar, text
from plait.core.struct import struct
from plait.fronts.editing import one_line
from plait.fronts.entries import FROM
from plait.fronts.front import SETTINGS
from plait.fronts.globbed import glob_files
from plait.yaml.build import Reading
from plait.yaml.edits import END, Insert, Raw
from plait.yaml.files import read_source
from plait.yaml.load import load
from plait.yaml.patch import apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from plait.core.node import Node
    from plait.core.source import Source
    from plait.fronts.discovery.found import TargetQuestion
    from plait.fronts.front import Declaration
    from plait.fronts.project import Project
    from plait.yaml.edits import Edit

HEAD = """\
# What is deployed from here, as plait init found it. plait targets lists it, plait help targets explains entries,
# plait init --check says which targets are new.
"""
MOST_NAMES = 8


@struct
class TargetEntry:
    """One entry of `targets`, as it is written, and the names of the targets that it gives."""

    fields: dict[str, Any]
    names: list[str]

    @property
    def text(self) -> str:
        return "{" + ", ".join(f"{key}: {_flow(value)}" for key, value in self.fields.items()) + "}"

    @property
    def comment(self) -> str:
        """The names of its targets, where the entry does not say them."""
        if self.fields.get("name") in self.names:
            return ""
        more = len(self.names) - MOST_NAMES
        return ", ".join(self.names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


class TargetProposal:
    """The targets that are found and that plait.yaml does not have, and the text in which it has them."""

    def __init__(
        self,
        project: Project,
        declared: Iterable[Declaration],
        found: list[Declaration],
        questions: list[TargetQuestion],
        has_stacks: bool,
    ) -> None:
        self.project = project
        self.has_stacks = has_stacks
        """Whether there are stacks, which are targets by themselves."""
        self.folder = project.home or project.root
        self.file = os.path.relpath(os.path.join(self.folder, SETTINGS))
        known = {_key(one) for one in declared}
        self.missing = [one for one in found if _key(one) not in known]
        self.questions = questions
        self.count = len(found)
        """How many targets are found."""
        self.entries = list(_entries(project, self.folder, found, self.missing))

    def rows(self) -> list[tuple[str, str, list[str]]]:
        """The name, the kind and the files of each target that plait.yaml does not have."""
        return [(one.name, one.kind, one.paths) for one in self.missing]

    @property
    def exists(self) -> bool:
        return self.project.door.is_file(self.file)

    def texts(self) -> tuple[str, str]:
        """The text of plait.yaml as it is, and with every target that is found."""
        if not self.exists:
            return "", HEAD + _block(self.entries) + "".join(f"# {line}\n" for line in self._asked())
        source = read_source(self.file, door=self.project.door)
        return source.text, apply(source, self._edits(source)) if _root(source) is not None else self._below(source)

    def _below(self, source: Source) -> str:
        """A file that has only comments, and the targets below them."""
        return "\n".join(filter(None, (source.text.rstrip(), _block(self.entries))))

    def _edits(self, source: Source) -> list[Edit]:
        if isinstance(self.project.settings.targets, ListNode):
            return [Insert(("targets", END), Raw(one.text), comment=one.comment or None) for one in self.entries]
        root = _root(source)
        is_flow = root is not None and source.text.startswith("{", root.at)
        flow = f"[{', '.join(one.text for one in self.entries)}]"
        return [Insert(("targets",), Raw(flow if is_flow else _lines(self.entries)))]

    def _asked(self) -> Iterator[str]:
        for one in self.questions:
            yield f"not a target: {', '.join(one.files)}: {one.why}"


def _root(source: Source) -> Node | None:
    """The document of plait.yaml; None where it has only comments."""
    found = next(iter(load(source, Reading())), None)
    return None if isinstance(found, Scalar) and found.value is None else found


def _lines(entries: list[TargetEntry]) -> str:
    return "\n".join(f"- {one.text}" + (f"  # {one.comment}" if one.comment else "") for one in entries)


def _block(entries: list[TargetEntry]) -> str:
    return f"targets:\n{_lines(entries)}\n"


def _key(one: Declaration) -> tuple[object, ...]:
    """What makes a declaration of plait.yaml and one that was found the same target."""
    real = tuple(os.path.realpath(os.path.join(one.folder, path)) for path in one.paths)
    inline = tuple((node.origin.file, node.origin.line, node) for node in one.parameters.get("inline", ()))
    return (one.kind, real, inline)


def _entries(
    project: Project, base: str, found: list[Declaration], missing: list[Declaration]
) -> Iterator[TargetEntry]:
    by_file, everything = _by_file(missing), _by_file(found)
    for file, several in by_file.items():
        path = os.path.relpath(file, base)
        if len(several) == len(everything[file]):
            yield TargetEntry({FROM: path}, [one.name for one in several])
        else:
            yield from (TargetEntry({"name": one.name, FROM: path}, [one.name]) for one in several)
    named = [one for one in missing if not one.told]
    by_chart: dict[str, list[Declaration]] = {}
    for one in named:
        if one.kind == "chart":
            by_chart.setdefault(one.parameters["chart"], []).append(one)
    for several in by_chart.values():
        loop = _loop(project, base, several)
        if loop is not None:
            yield loop
        else:
            yield from map(_entry, several)
    yield from (_entry(one) for one in named if one.kind != "chart")


def _by_file(found: list[Declaration]) -> dict[str, list[Declaration]]:
    """Those that a manifest declares, by its path."""
    files: dict[str, list[Declaration]] = {}
    for one in found:
        if one.told:
            files.setdefault(one.told[0], []).append(one)
    return files


def _entry(one: Declaration) -> TargetEntry:
    """A target on its own."""
    fields: dict[str, Any] = {"name": one.name}
    if one.kind == "chart":
        fields |= {"chart": one.parameters["chart"]} | ({"values": one.files} if one.files else {})
    elif one.kind == "kustomization":
        fields |= {"kustomization": one.parameters["kustomization"]}
    else:
        fields |= {one.kind: one.files}
    fields |= {"profile": one.parameters["profile"]} if one.parameters.get("profile") else {}
    return TargetEntry(fields, [one.name])


def _loop(project: Project, base: str, several: list[Declaration]) -> TargetEntry | None:
    """The environments of a chart as one entry with `for`; None where a glob does not find exactly these."""
    first = several[0]
    chart = first.parameters["chart"]
    lowest, highest = min(one.name for one in several), max(one.name for one in several)
    same = next((at for at, (a, b) in enumerate(zip(lowest, highest, strict=False)) if a != b), len(lowest))
    start = lowest[: lowest.rfind("-", 0, same) + 1]
    words = [one.name.removeprefix(start) for one in several]
    patterns = {
        one.files[0].replace(word, "*") for one, word in zip(several, words, strict=True) if len(one.files) == 1
    }
    if len(several) < 2 or len(patterns) != 1 or any(len(one.files) != 1 for one in several):
        return None
    pattern = patterns.pop()
    found = glob_files(project.door, base, pattern)
    if pattern.count("*") != 1 or sorted(found) != sorted(one.files[0] for one in several):
        return None
    fields = {"name": f"{start}{{env}}", "chart": chart, "values": [pattern.replace("*", "{env}")]}
    return TargetEntry({**fields, "for": {"env": pattern}}, [one.name for one in several])


def _flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(child)}" for key, child in value.items()) + "}"
    return one_line(text(str(value)))
