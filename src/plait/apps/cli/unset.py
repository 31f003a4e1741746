"""`plait unset`: take keys and items out of a file; every other byte stays as it is."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, unless_trying
from plait.apps.cli.console import Console, check_order, workspace_of
from plait.apps.cli.expanded import EXPANDED, edit, wanted
from plait.apps.cli.set import EDITING, change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.workspace import read_path

    workspace = workspace_of(args)
    check_order(workspace, args.file, args.path, "plait unset {file} {path}")
    editor = workspace.editor
    if wanted(args):
        return edit(args, console, [(read_path(path), None) for path in args.path])
    return change(
        args, console, lambda source: editor.unset(source, args.path, document=args.document - 1, aliases=args.at)
    )


COMMAND = Command(
    "unset",
    "Remove keys and list items from a file, with the comments that belong to them.",
    (
        "plait unset app.yaml server.debug",
        "plait unset app.yaml 'jobs[name=worker]' labels.old --dry-run",
        "plait unset --expanded main.yaml services.web.debug",
    ),
    run,
    (
        Argument("FILE", "a YAML file; - is standard input, and the result goes to standard output"),
        Argument("PATH", "what to remove", "+"),
    ),
    (*EDITING, *EXPANDED),
    "plait set --help, plait help editing",
    writes=unless_trying,
)
