"""`plait explain`: where a value comes from, who lost and why, through expressions down to what was written."""

from __future__ import annotations

import os

from plait.apps.cli.command import LAYERING, Argument, Command, Option
from plait.apps.cli.console import OK, Console, check_order, layered, workspace_of
from plait.core.node import Mapping, Mark, Node, Scalar, Sequence, key_text
from plait.core.path import format_path
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from plait.workspace import Contribution, Explanation, Leaf, Workspace

WIDTH = 60
"""A value longer than this is cut where it stands beside others."""


def run(args: Namespace, console: Console) -> int:
    check_order(args.layer[-1], [args.path], "plait explain {path} {file}")
    workspace = workspace_of(args)
    if len(args.layer) == 1 and beside_a_record(args.layer[0]) and explain_generated(args, workspace, console):
        return OK
    console.print(told_as(explained(args, workspace), args.format, args.reveal))
    return OK


def told_as(told: Explanation, form: str, reveal: bool) -> str:
    """An explanation as text for people, or as JSON."""
    if form == "json":
        import json

        return json.dumps(to_data(told, reveal), indent=2, ensure_ascii=False) + "\n"
    from plait.workspace import as_text

    return to_text(told, as_text(told.value, reveal=reveal), reveal)


def beside_a_record(file: str) -> bool:
    """Whether `plait create` was here: only then is it asked whether it made the file."""
    return os.path.isfile(os.path.join(os.path.dirname(file), ".plait-meta.yaml"))


def explain_generated(args: Namespace, workspace: Workspace, console: Console) -> bool:
    """The answer for a field of a generated file; False where the file is none."""
    told = workspace.patterns.why(args.path, args.layer[0])
    if told is None:
        return False
    from plait.workspace import data_text

    lines = "\n".join(told.lines()) + "\n"
    console.print(data_text(told.data(), "json", args.reveal) if args.format == "json" else lines)
    return True


def explained(args: Namespace, workspace: Workspace) -> Explanation:
    """The explanation that was asked for: of layers, of a template and its stubs, or of a document with directives."""
    return FRONTS["spiff" if args.spiff else args.front](workspace, args)


def _layers(workspace: Workspace, args: Namespace) -> Explanation:
    member, path = layered(args, workspace).choose(args.path)
    return workspace.explain(member.tree, path)


def _spiff(workspace: Workspace, args: Namespace) -> Explanation:
    return workspace.explain_spiff(args.layer, args.path)


def _unfurl(workspace: Workspace, args: Namespace) -> Explanation:
    if len(args.layer) != 1:
        raise BAD_OPTION.error(why="--front unfurl takes one file", hint="its directives bring in the others")
    return workspace.explain(workspace.directives.document(args.layer[0], evaluate=True).tree, args.path)


FRONTS = {"layers": _layers, "spiff": _spiff, "unfurl": _unfurl}
"""How files are read, by name."""


def to_text(told: Explanation, value: str, reveal: bool = False) -> str:
    """The explanation as people read it."""
    lines = [format_path(told.path) or "(the whole document)"]
    lines += [f"  {line}" for line in value.splitlines()]
    braided = isinstance(told.value, Mapping | Sequence) and (len(told.parts) > 1 or bool(told.parts[0].expression))
    if braided:
        parts = _count(len(told.parts))
        lines += ["", f"braided from {parts} parts (deep merge)" if len(told.parts) > 1 else "computed"]
        lines += _parts(told.parts, reveal)
    lines += ["", *_table([_leaf_row(leaf, reveal) for leaf in told.leaves])]
    if len(told.leaves) == 1:
        lines += _source_line(told.leaves[0].winner)
    for leaf in told.leaves:
        if not braided or leaf.path != told.path:  # else the parts have told it already
            lines += _chain(leaf.winner, 1, reveal)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _source_line(part: Contribution) -> list[str]:
    """The line that the winner was written on."""
    origin = part.node.origin
    return [] if origin.kind == "given" else [f"  {origin.line} | {origin.source.line(origin.line)}"]


def _count(number: int) -> str:
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return words[number] if number < len(words) else str(number)


def _parts(parts: list[Contribution], reveal: bool) -> list[str]:
    """Every part, the highest first, and what it read."""
    rows: list[tuple[str, ...]] = [
        (f"  {rank}  {part.node.origin}", brief(part.node, reveal) + _result(part, reveal))
        for rank, part in enumerate(parts, 1)
    ]
    table = _table(rows[::-1])
    lines: list[str] = []
    for row, part in zip(table, parts[::-1], strict=True):
        lines.append(row)
        lines += _chain(part, 2, reveal)
    return lines


def _result(part: Contribution, reveal: bool) -> str:
    return f"     ->  {brief(part.result, reveal)}" if part.expression else ""


def _chain(part: Contribution, depth: int, reveal: bool) -> list[str]:
    """What an expression read, and what that read, down to literals."""
    lines: list[str] = []
    stack = [(read, depth) for read in reversed(part.reads)]
    while stack:
        read, level = stack.pop()
        said = f"{read.expression}  ->  " if read.expression else ""
        lines.append(
            f"{'  ' * level} {format_path(read.path)}    {read.node.origin}    {said}{brief(read.result, reveal)}"
        )
        stack.extend((inner, level + 1) for inner in reversed(read.reads))
    return lines


def _leaf_row(leaf: Leaf, reveal: bool) -> tuple[str, ...]:
    winner = leaf.winner
    via = f"{winner.expression}  ->  " if winner.expression else ""
    losers = "; ".join(f"{brief(lost.result, reveal)} ({lost.node.origin}): {why}" for lost, why in leaf.losers)
    said = f"won over {losers}" if losers else "the only one"
    said += f", brought in by {winner.via}" if winner.via else ""
    return (format_path(leaf.path), via + brief(winner.result, reveal), str(winner.node.origin), said)


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    return ["    ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def brief(node: Node, reveal: bool = False) -> str:
    """A value on one line, cut where it is long."""
    text = _flow(node, reveal)
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def _flow(node: Node, reveal: bool, depth: int = 0) -> str:
    if isinstance(node, Mark):
        return "!unset"
    if isinstance(node, Scalar):
        return (
            "<sensitive>"
            if node.secret and not reveal
            else (node.text.replace("\n", "\\n") or ("null" if node.value is None else '""'))
        )
    if depth > 3:
        return "..."
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{key_text(k)}: {_flow(c, reveal, depth + 1)}" for k, c in node.entries.items()) + "}"
    if isinstance(node, Sequence):
        return "[" + ", ".join(_flow(item, reveal, depth + 1) for item in node.items) + "]"
    return getattr(getattr(node, "expression", None), "text", node.kind)


def to_data(told: Explanation, reveal: bool = False) -> dict[str, object]:
    """The same as data: parts with rank, origin, expression and result; for each leaf winner, losers and reason."""
    return {
        "path": format_path(told.path),
        "value": plain(told.value, reveal),
        "parts": [{"rank": rank, **_contribution(part, reveal)} for rank, part in enumerate(told.parts, 1)],
        "leaves": [
            {
                "path": format_path(leaf.path),
                "winner": _contribution(leaf.winner, reveal),
                "losers": [{**_contribution(lost, reveal), "reason": why} for lost, why in leaf.losers],
            }
            for leaf in told.leaves
        ],
    }


def _contribution(part: Contribution, reveal: bool) -> dict[str, object]:
    origin = part.node.origin
    data: dict[str, object] = {
        "origin": {"file": origin.file, "line": origin.line, "column": origin.column, "kind": origin.kind},
        "source": origin.source.line(origin.line).strip(),  # secrets in it are masked by the source itself
        "value": plain(part.result, reveal),
    }
    if part.via:
        data["via"] = part.via
    if part.expression:
        data["expression"] = part.expression
        data["reads"] = [{"path": format_path(read.path), **_contribution(read, reveal)} for read in part.reads]
    return data


def plain(node: Node, reveal: bool = False) -> object:
    """A finished node as Python data, secrets masked."""
    from plait.workspace import plain_value

    return plain_value(node, reveal)


COMMAND = Command(
    "explain",
    "Tell where a value comes from: the winner, every loser and why, and the chain of expressions.",
    (
        "plait explain vars.net base.yaml prod.yaml",
        "plait explain 'jobs[name=web].instances' base.yaml prod.yaml --list jobs=key:name",
        "plait explain vars.net base.yaml prod.yaml --format json",
        "plait explain Function/api-handler:spec.forProvider.memorySize compute.yaml",
        "plait explain jobs.web.instances --spiff template.yml stub.yml",
    ),
    run,
    (
        Argument("PATH", "the value in question, as a.b, a[0], a[name=web]"),
        Argument("LAYER", "YAML files, lowest first; - is standard input", "+"),
    ),
    (
        *LAYERING,
        Option(
            "--front",
            "how the files are read: layers, a spiff template and its stubs, a document with directives",
            choices=tuple(FRONTS),
            default="layers",
            group="Merging",
        ),
        Option("--spiff", "the same as --front spiff", group="Merging"),
    ),
    "docs/layers.md, docs/fronts/spiff.md, docs/fronts/unfurl.md",
)
