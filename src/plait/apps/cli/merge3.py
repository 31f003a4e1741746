"""`plait merge3`: three versions of a YAML file merged by fields: a merge driver for git."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Argument, Command, Option, unless_trying
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import workspace_of
from plait.core.source import MASK
from plait.core.visible import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace

CONFLICTS = 1


def run(args: Namespace, console: Console) -> int:
    patterns = workspace_of(args).patterns
    merged = patterns.merge3(args.base, args.ours, args.theirs)
    if args.output == "-":
        console.print(merged.text if args.reveal else merged.shown)
    else:
        patterns.write_merged(merged.text, args.ours, args.output or args.ours)
    for conflict in merged.conflicts:
        sides = (("ours", conflict.ours), ("theirs", conflict.theirs), ("was", conflict.base))
        told = ", ".join(f"{name} {_shown(text, conflict.secret)}" for name, text in sides)
        console.say(f"conflict at {conflict.name}: {told}")
    for document, comments in merged.uncommented.items():
        console.note(f"{document}: comments of theirs that could not be merged: {comments}")
    for document, comments in merged.gone.items():
        console.note(f"{document}: comments of ours went with what theirs removed: {comments}")
    return CONFLICTS if merged.conflicts else OK


def _shown(text: str | None, secret: bool) -> str:
    if secret:
        return "deleted" if text is None else MASK
    return "deleted" if text is None else one_line(" | ".join(text.splitlines()) or "nothing")


COMMAND = Command(
    "merge3",
    "Merge three versions of a YAML file by fields and items. OURS becomes the result.",
    (
        "plait merge3 base.yaml ours.yaml theirs.yaml -o merged.yaml",
        "git config merge.plait.driver 'plait merge3 %O %A %B'",
    ),
    run,
    (
        Argument("BASE", "the version that both sides began with"),
        Argument("OURS", "this side; the result is written over it"),
        Argument("THEIRS", "the other side"),
    ),
    (
        Option("-o --output", "write the result to this file; -: print it, with secrets masked", metavar="FILE"),
        *WRITING,
    ),
    "plait regenerate --help, plait help merge3",
    writes=unless_trying,
)
