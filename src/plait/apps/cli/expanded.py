"""Edits of an expanded document, as `plait set --expanded`, `plait unset --expanded` and `plait apply` make them."""

from __future__ import annotations

from plait.apps.cli.command import Option
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import workspace_of
from plait.core.diagnostic import Fault
from plait.core.path import format_path
from plait.report.catalog import BAD_OPTION, NOT_COMPATIBLE, READ_DIFFERENTLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.fronts.questions import Working

COMPATIBLE = Option(
    "--compatible",
    "write a form that the original program reads the same way, or refuse the edit",
    choices=("unfurl",),
    group="Directives",
)
EXPANDED = (
    Option("--expanded", "edit what the document expands to; its directives stay", group="Directives"),
    Option("--where", "with --expanded: show which lines would change, and write nothing", group="Directives"),
    Option("--in-source", "with --expanded: edit the value where it comes from", group="Directives"),
    COMPATIBLE,
)


def wanted(args: Namespace) -> bool:
    """Whether the expanded document is to be edited."""
    if (args.where or args.in_source) and not args.expanded:
        flag = "--where" if args.where else "--in-source"
        raise BAD_OPTION.error(
            why=f"{flag} needs --expanded", hint="--dry-run shows what an edit of the text would change"
        )
    return bool(args.expanded)


def edit(args: Namespace, console: Console, values: Iterable[tuple[Path, Node | None]]) -> int:
    """Set values of the expanded document, or, for None, remove them."""
    directives = workspace_of(args).directives
    working = directives.working(args.file)
    changes = [directives.change(path, value, getattr(args, "create", False)) for path, value in values]
    if args.in_source:
        working.change_in_source(changes)
    else:
        working.change(changes)
    return finish(working, args, console)


def finish(working: Working, args: Namespace, console: Console) -> int:
    """Write what changed, or show where it would be."""
    detached = (working.detach() or []) if args.compatible else []
    if args.where:
        console.print(preview(working))
        return OK
    paths = [format_path(path) or "(all of it)" for path in working.read_differently()]
    if paths and args.compatible:
        hint = "edit the list where it is written (--in-source), or without --compatible"
        raise Fault(*(NOT_COMPATIBLE(path=path, hint=hint) for path in paths))
    for name in working.save():
        console.confirm(f"wrote {name}")
    for path in detached:
        console.say(f"`{format_path(path)}` is written in full, without its directives")
    hint = (
        "it appends to lists that come from a directive; --compatible unfurl writes a form that it reads the same way"
    )
    console.report([READ_DIFFERENTLY(path=path, hint=hint) for path in paths])
    return OK


def preview(working: Working) -> str:
    """The lines that would change, and the places whose value would."""
    lines: list[str] = []
    for touched in working.touched():
        lines.append(f"{touched.name}:{touched.line}")
        lines += [f"  - {line}" for line in touched.before] + [f"  + {line}" for line in touched.after]
    if not lines:
        return "nothing would change\n"
    lines += ["", "changes in the expanded document:"]
    lines += [f"  {format_path(path) or '(all of it)'}" for path in working.moved()] or ["  none"]
    return "\n".join(lines) + "\n"
