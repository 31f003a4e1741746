"""`plait diff`: what differs between two files, by structure and with places."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, LISTS, Argument, Command, Option, when_large
from plait.apps.cli.console import OK, UNSURE, Console
from plait.apps.cli.opening import workspace_of
from plait.core.node import Unknown
from plait.core.path import format_path
from plait.core.source import MASK
from plait.core.visible import one_line
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from plait.apps.cli.difference_causes import BothCauses
    from plait.apps.cli.namespace import Namespace
    from plait.fronts.editing import FileDifference
    from plait.fronts.front import Target
    from plait.merging.diff import ValueDifference as Difference
    from plait.report.render import Paint
    from plait.workspace import Workspace

    Causes = dict[int, BothCauses]
    """What made each difference of two targets, by its identity."""

DIFFERENT = 1


def run(args: Namespace, console: Console) -> int:
    workspace = workspace_of(args)
    policy = workspace.policy(args.list, args.policy)
    targets = _targets(args, workspace)
    found: Sequence[FileDifference]
    causes: Causes = {}
    missed: list[str] = []
    if targets is not None:
        from plait.review.between import differing, not_compared
        from plait.review.reads import DifferenceCauses

        asked = DifferenceCauses(*targets)
        found = between = differing(*targets, policy)
        missed = not_compared(*targets)
        causes = {id(row): asked.of(one, row) for one in between for row in one.differences}
    else:
        found = workspace.editor.diff(args.a, args.b, policy, whole=args.patch)
    if args.patch:
        console.print("".join(line + "\n" for one in found for line in patch(one, args.a, args.b, args.reveal)))
    elif args.format == "json":
        from plait.report.data import json_text

        console.print(json_text([entry for one in found for entry in to_data(one, causes, args.reveal)]))
    else:
        console.print(to_text(found, causes, args.reveal, console.paint(console.out)))
    for line in missed:
        console.say(f"not compared: {one_line(line)}")
    if any(not is_uncertain(row) for one in found for row in one.differences):
        return DIFFERENT
    return UNSURE if found or missed else OK


def is_uncertain(difference: Difference) -> bool:
    """Whether both sides have a value, and nobody knows whether it is another one: one of them is not known."""
    sides = (difference.before, difference.after)
    return None not in sides and any(isinstance(side, Unknown) for side in sides)


def _targets(args: Namespace, workspace: Workspace) -> tuple[Target, Target] | None:
    """The two targets that are compared: by name, or folders that are targets by themselves; None for files."""
    folders = [target for name in (args.a, args.b) if name and (target := workspace.in_folder(name, []))]
    targets = workspace.targets() if args.target else None
    named = [targets.find(name) for name in args.target] if targets is not None else []
    if not named and len(folders) < 2 and args.a and args.b:
        return None
    given = len(named) + len([name for name in (args.a, args.b) if name])
    if given != 2 or len(named) + len(folders) != 2 or args.patch:
        raise BAD_OPTION.error(why=_why(args, given), hint="plait diff A B, or plait diff --target ONE --target OTHER")
    first, second = [*folders, *named]
    return first, second


def _why(args: Namespace, given: int) -> str:
    if given != 2:
        return f"two things are compared, and {given or 'none'} {'is' if given == 1 else 'are'} given"
    return "--patch compares files" if args.patch else f"`{args.a}` is no folder of a target"


STYLES = {"added": "new", "removed": "old"}
"""The colour of what happened to a value; a change has none."""


def to_text(differences: Sequence[FileDifference], causes: Causes, reveal: bool, paint: Paint) -> str:
    """A line for each difference: where, what, and the place to look at; of two targets, what made it."""
    lines: list[str] = []
    count = 0
    for one in differences:
        heading = " ".join(filter(None, (one.name, f"({one.label})" if one.name and one.label else one.label)))
        lines += [f"{one_line(heading)}:"] if heading else []
        rows = [(format_path(d.path) or "(everything)", described(d, reveal)) for d in one.differences]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        for d, (path, what) in zip(one.differences, rows, strict=True):
            what = (
                paint(STYLES[d.kind], what) + " " * (widths[1] - len(what))
                if d.kind in STYLES
                else what.ljust(widths[1])
            )
            lines.append(f"{path.ljust(widths[0])}    {what}    {_looked_at(d, causes.get(id(d)), reveal, paint)}")
        count += len(rows)
    return "\n".join([*lines, f"{count} difference{'s' if count != 1 else ''}" if count else "no difference"]) + "\n"


def _looked_at(difference: Difference, causes: BothCauses | None, reveal: bool, paint: Paint) -> str:
    """The place to look at: that of what made the difference, and then that of the value itself."""
    if causes is None or not any(causes):
        return paint("place", place(difference))
    from plait.apps.cli.difference_causes import cause_words

    found = causes[1] or causes[0]
    said = cause_words(found, difference, reveal)
    return f"{paint('place', str(found[0].origin))}    {said} ({paint('place', place(difference))})"


def described(difference: Difference, reveal: bool) -> str:
    from plait.apps.cli.explanation import brief

    before, after = difference.before, difference.after
    if difference.kind == "added" and after is not None:
        return f"+ {brief(after, reveal)}"
    if difference.kind == "changed" and before is not None and after is not None:
        if isinstance(before, Unknown) and isinstance(after, Unknown):
            return f"(computed) `{one_line(before.expression)}` -> `{one_line(after.expression)}`"
        left, right = brief(before, reveal), brief(after, reveal)
        if left != right:
            return f"{left} -> {right}"
        return f"{left} -> {right} ({'changed' if left == MASK else 'another type'})"
    return difference.kind


def place(difference: Difference) -> str:
    node = difference.after if difference.after is not None else difference.before
    return str(node.origin) if node is not None else ""


def to_data(one: FileDifference, causes: Causes, reveal: bool) -> list[dict[str, object]]:
    return [
        {**_where(one), **_entry(difference, reveal), **_causes_data(causes.get(id(difference)), difference, reveal)}
        for difference in one.differences
    ]


def _causes_data(causes: BothCauses | None, difference: Difference, reveal: bool) -> dict[str, object]:
    if causes is None or not any(causes):
        return {}
    from plait.apps.cli.difference_causes import causes_data

    return causes_data(causes, difference, reveal)


def _where(one: FileDifference) -> dict[str, object]:
    named: dict[str, object] = {"name": one.name} if one.name else {}
    return {**named, "document": one.document or one.label} if one.label else named


def _entry(difference: Difference, reveal: bool) -> dict[str, object]:
    from plait.core.node import plain_value

    entry: dict[str, object] = {"path": format_path(difference.path), "kind": difference.kind}
    for side, node in (("before", difference.before), ("after", difference.after)):
        if node is not None:
            origin = node.origin
            entry[side] = plain_value(node, reveal)
            entry[f"{side}_at"] = {"file": origin.file, "line": origin.line, "column": origin.column}
            if isinstance(node, Unknown):
                entry[f"{side}_unknown"] = {"expression": node.expression, "reason": node.why}
    return entry


def patch(one: FileDifference, a: str, b: str, reveal: bool) -> list[str]:
    """The commands that turn the first file into the second."""
    import os

    name, other = (os.path.join(side, one.name) if one.name else side for side in (a, b))
    ordered = sorted(one.differences, key=lambda difference: difference.kind == "removed")
    return [_command(difference, name, other, one, reveal) for difference in ordered]


def _command(difference: Difference, name: str, other: str, one: FileDifference, reveal: bool) -> str:
    from shlex import join

    from plait.fronts.editing import one_line
    from plait.fronts.typed_values import as_typed

    path = format_path(difference.path)
    which = ["--document", str(one.document)] if one.document else []
    if not path and difference.kind != "changed":  # a whole file, or a whole document
        if one.label:
            return f"# {name}: {one.label} is {difference.kind}"
        return join(["rm", name] if one.gone else ["cp", other, name])
    path = f"{one.label}:{path}" if one.label and not one.document else path
    if difference.kind == "removed" or difference.after is None:
        return join(["plait", "unset", name, *which, *_end((path,)), path])
    create = ["--create"] if difference.kind == "added" else []
    value = as_typed(difference.after, difference.before, one_line(difference.after, reveal))
    return join(["plait", "set", name, *create, *which, *_end((path, value)), path, value])


def _end(words: tuple[str, ...]) -> list[str]:
    """The end of the options, where a word after them would be taken for one."""
    return ["--"] if any(word.startswith("-") for word in words) else []


COMMAND = Command(
    "diff",
    "Show what differs between two YAML files, or two targets. The order of keys does not matter; types do.",
    (
        "plait diff before.yaml after.yaml",
        "plait diff HEAD:app.yaml app.yaml --format json",
        "plait diff stacks-old/ stacks/ --list '**.rules=key:id'",
        "plait diff before.yaml after.yaml --patch",
        "plait diff --target staging --target prod",
    ),
    run,
    (
        Argument("A", "a file, a folder, or a revision of a file as in HEAD:app.yaml", "?"),
        Argument("B", "what to compare it with", "?"),
    ),
    (
        Option("--target", "compare the results of two targets: give it twice", metavar="NAME", many=True),
        *LISTS,
        AS_TEXT,
        Option("--patch", "print the commands that turn A into B", group="Output"),
    ),
    "plait help editing",
    kept=when_large("a", "b"),
)
