"""A value of one file as another one gets it: with its own text, its comments and its quotes, where that can be."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Container, MapNode
from plait.fronts.editing import Editor, reach
from plait.yaml.edits import Insert, Raw, Replace
from plait.yaml.patch import apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.path import Path
    from plait.fronts.project import Project
    from plait.tidy.written import WrittenFile, WrittenValue
    from plait.yaml.edits import Edit


def put(project: Project, into: WrittenFile, steps: Path, number: int, file: WrittenFile, value: WrittenValue) -> Edit:
    """The edit that writes a value of one file at a place of another: as it is written, else as its value."""
    root = next((one.node for one in into.roots if one.number == number), MapNode({}, into.source))
    edit = Editor(project).edit_for(root, steps, value.node, True, number)
    text = _text(file, value)
    if isinstance(edit, Insert):
        edit.comment, edit.above = file.comment(value) or None, file.comment_above(value) or None
    if text and isinstance(edit, Insert | Replace):
        plain, missing = edit.value, steps[len(edit.path) :]
        edit.value = Raw(_wrapped(text, missing, file.comment(value), file.comment_above(value)))
        if not _fits(into, edit):
            edit.value = plain
        elif missing and isinstance(edit, Insert):
            edit.comment = edit.above = None
    return edit


def _fits(into: WrittenFile, edit: Edit) -> bool:
    try:
        apply(into.source, [edit])
    except Fault:
        return False
    return True


def _text(file: WrittenFile, value: WrittenValue) -> str:
    """The text of a value, with its first line at the left; empty where it means something only at its place."""
    spot = file.spot(value)
    if spot is None or spot.alias is not None:
        return ""
    start, end = spot.value_span
    text = file.source.text
    first = text.rfind("\n", 0, start) + 1
    if "\n" not in text[spot.key_span[1] : end]:
        return text[start:end]
    if not isinstance(value.node, Container) or text[start] in "[{&!" or text[first:start].strip():
        return ""
    after = text.find("\n", spot.key_span[1]) + 1  # comments above its first line belong to it
    return _at_the_left(text[after:end].split("\n"), start - first)


def _at_the_left(lines: list[str], indent: int) -> str:
    """Lines without their indentation; empty where one has less of it."""
    if any(line.strip() and line[:indent].strip() for line in lines):
        return ""
    return "\n".join(line[indent:].rstrip("\r") for line in lines)


def _wrapped(text: str, path: Path, comment: str, above: str) -> str:
    """A value below the keys of a path, with its comments beside and above the last of them."""
    is_block = "\n" in text
    for number, step in enumerate(reversed(path)):
        beside = f"  # {comment}" if comment and not number else ""
        line = f"{step}:{beside}\n{_indented(text)}" if is_block else f"{step}: {text}{beside}"
        signs = [f"# {one}".rstrip() for one in above.split("\n")] if above and not number else []
        text, is_block = "\n".join([*signs, line]), True
    return text


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.split("\n"))


def spread(
    project: Project, into: WrittenFile, steps: Path, number: int, file: WrittenFile, value: WrittenValue, wins: bool
) -> Iterator[Edit]:
    """The edits that write a value into a file which may have a part of it; what it has stays where it `wins`."""
    root = next((one.node for one in into.roots if one.number == number), None)
    there, known = reach(root, steps) if root is not None else (None, -1)
    if known < len(steps):
        yield put(project, into, steps, number, file, value)
    elif isinstance(there, MapNode) and isinstance(value.node, MapNode):
        for child in value.below:
            yield from spread(project, into, (*steps, child.steps[-1]), number, file, child, wins)
    elif not wins:
        yield put(project, into, steps, number, file, value)
