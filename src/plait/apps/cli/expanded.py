"""Edits of an expanded document, as `plait set --expanded`, `plait unset --expanded` and `plait apply` make them."""

from __future__ import annotations

from plait.apps.cli.command import Option
from plait.apps.cli.console import OK, Console, workspace_of
from plait.core.path import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from plait.workspace import Working

OPTIONS = (
    Option("--expanded", "edit what the document expands to; its directives stay", group="Directives"),
    Option("--where", "with --expanded: show which lines would change, and write nothing", group="Directives"),
    Option("--in-source", "with --expanded: edit the value where it comes from", group="Directives"),
)


def edit(args: Namespace, console: Console, path: str, value: str | None) -> int:
    """Set a value of the expanded document, or, for None, remove it."""
    from plait.workspace import read_path

    workspace = workspace_of(args)
    working = workspace.directives.working(args.file)
    change = workspace.directives.change(read_path(path), value)
    if args.in_source:
        working.change_in_source([change])
    else:
        working.change([change])
    return finish(working, args, console)


def finish(working: Working, args: Namespace, console: Console) -> int:
    """Write what changed, or show where it would be."""
    if args.where:
        console.print(shown(working))
        return OK
    for name in working.save():
        console.say(f"wrote {name}")
    return OK


def shown(working: Working) -> str:
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
