"""`plait merge3`: three versions of a YAML file merged by fields: a merge driver for git."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Argument, Command, Option, unless_trying
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import workspace_of
from plait.core.source import MASK
from plait.core.visible import one_line
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace

CONFLICTS = 1


def run(args: Namespace, console: Console) -> int:
    if args.install or args.uninstall:
        return _registered(args, console)
    args.run.confine()
    if args.theirs is None:
        raise BAD_OPTION.error(why="BASE, OURS and THEIRS are needed: three versions of a file")
    from plait.fronts.questions import merge_files, write_merged

    project = workspace_of(args).project
    merged = merge_files(project, args.base, args.ours, args.theirs)
    if args.output == "-":
        console.print(merged.text if args.reveal else merged.shown)
    else:
        write_merged(project, merged.text, args.ours, args.output or args.ours)
    file = f"{one_line(args.name)}: " if args.name else ""
    for conflict in merged.conflicts:
        sides = (("ours", conflict.ours), ("theirs", conflict.theirs), ("was", conflict.base))
        told = ", ".join(f"{name} {_shown(text, conflict.secret)}" for name, text in sides)
        console.say(f"{file}conflict at {conflict.name}: {told}")
    for document, comments in merged.uncommented.items():
        console.note(f"{file}{document}: comments of theirs that could not be merged: {comments}")
    for document, comments in merged.gone.items():
        console.note(f"{file}{document}: comments of ours went with what theirs removed: {comments}")
    return CONFLICTS if merged.conflicts else OK


def _registered(args: Namespace, console: Console) -> int:
    from plait.apps.cli.merge_driver import install, uninstall

    if (args.install and args.uninstall) or args.base is not None:
        raise BAD_OPTION.error(why="--install and --uninstall stand alone, or with --global")
    console.print(install(vars(args)["global"]) if args.install else uninstall(vars(args)["global"]))
    return OK


def _shown(text: str | None, secret: bool) -> str:
    if secret:
        return "deleted" if text is None else MASK
    return "deleted" if text is None else one_line(" | ".join(text.splitlines()) or "nothing")


COMMAND = Command(
    "merge3",
    "Merge three versions of a YAML file by fields and items. OURS becomes the result.",
    (
        "plait merge3 base.yaml ours.yaml theirs.yaml -o merged.yaml",
        "plait merge3 --install",
        "plait merge3 --install --global",
    ),
    run,
    (
        Argument("BASE", "the version that both sides began with", "?"),
        Argument("OURS", "this side; the result is written over it", "?"),
        Argument("THEIRS", "the other side", "?"),
    ),
    (
        Option("-o --output", "write the result to this file; -: print it, with secrets masked", metavar="FILE"),
        Option("--name", "what messages call the file", metavar="FILE"),
        Option("--install", "register plait as a merge driver of git, and print what .gitattributes needs"),
        Option("--uninstall", "remove what --install wrote"),
        Option("--global", "for all repositories of this user, with --install or --uninstall"),
        *WRITING,
    ),
    "plait regenerate --help, plait help merge3",
    writes=unless_trying,
    later=True,
)
