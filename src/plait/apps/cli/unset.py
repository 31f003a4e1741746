"""`plait unset`: take keys and items out of a file; every other byte stays as it is."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, unless_trying
from plait.apps.cli.console import USAGE, Console
from plait.apps.cli.expanded import EXPANDED, edit, wanted
from plait.apps.cli.opening import check_order, workspace_of
from plait.apps.cli.result_edit import edit_target
from plait.apps.cli.set import EDITING, alias_of, change, one_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.core.source import Source


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.typed import typed_path

    if args.target:
        (path,) = one_value([args.file, *args.path], 1)
        return edit_target(args, console, path, None)
    if not args.path:
        console.say("plait unset: PATH is missing: what to remove\nsee `plait unset --help`")
        return USAGE
    aliases = alias_of(args, console)
    workspace = workspace_of(args)
    check_order(workspace, args.file, args.path, "plait unset {file} {path}")
    editor = workspace.editor
    if wanted(args):
        return edit(args, console, [(typed_path(path), None) for path in args.path])

    def how(source: Source) -> str:
        return editor.unset(source, args.path, document=args.document - 1, aliases=aliases)

    return change(args, console, editor, how, "removed", args.path)


COMMAND = Command(
    "unset",
    "Remove keys and list items from a file, with the comments that belong to them.",
    (
        "plait unset app.yaml server.debug",
        "plait unset app.yaml 'jobs[name=worker]' labels.old --dry-run",
        "plait unset --target prod Deployment/web:spec.replicas",
        "plait unset --expanded main.yaml services.web.debug",
    ),
    run,
    (
        Argument(
            "FILE", "a YAML file, unless a target is given; - is standard input, and the result goes to standard output"
        ),
        Argument("PATH", "what to remove", "*"),
    ),
    (*EDITING, *EXPANDED),
    "plait set --help, plait help editing",
    writes=unless_trying,
)
