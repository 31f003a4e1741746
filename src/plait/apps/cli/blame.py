"""`plait blame`: the whole result, each line with the place that its value comes from.

What prints the answer is loaded when there is one to print: an answer that is found again needs none of it.
"""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, FRONT, LAYERING, SPIFF, Argument, Command, Option, when_large
from plait.apps.cli.console import Console
from plait.apps.cli.opening import layered, opened, workspace_of
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.fronts.blame import Blame
    from plait.fronts.layers import Bundle
    from plait.workspace import Workspace


def run(args: Namespace, console: Console) -> int:
    from plait.apps.cli.blaming import print_blames

    workspace = workspace_of(args)
    target = opened(args)
    found = workspace.target_blames(target, args.path, args.reveal) if target else FRONTS[args.front](workspace, args)
    return print_blames(found, args, console)


def _layers(workspace: Workspace, args: Namespace) -> dict[str, Blame]:
    return _blamed(layered(args, workspace), workspace, args)


def _blamed(bundle: Bundle, workspace: Workspace, args: Namespace) -> dict[str, Blame]:
    chosen = [bundle.choose(args.path)] if args.path else [(member, "") for member in bundle.members]
    return {
        member.group.label: workspace.blame(member.tree, path, args.reveal, schema=bundle.schema, partial=True)
        for member, path in chosen
    }


def _unfurl(workspace: Workspace, args: Namespace) -> dict[str, Blame]:
    if len(args.run.operands.layers) != 1:
        raise BAD_OPTION.error(
            why="--front unfurl takes one file", hint="name only the main file; its directives include the others"
        )
    tree = workspace.directives.document(args.run.operands.layers[0], evaluate=True).tree
    return {"": workspace.blame(tree, args.path or "", args.reveal, partial=True)}


FRONTS = {"layers": _layers, "unfurl": _unfurl}
"""How files are read that are no target, by name."""


OPTIONS = (
    Option("--path", "only this path", metavar="PATH", group="Output"),
    Option("--gone", "list values that are not in the result: removed, or overridden completely", group="Output"),
)


COMMAND = Command(
    "blame",
    "Print the whole result, each line with the place that its value comes from.",
    (
        "plait blame base.yaml prod.yaml",
        "plait blame base.yaml prod.yaml --path vars.net",
        "plait blame base.yaml prod.yaml --gone",
        "plait blame base.yaml prod.yaml --format json",
    ),
    run,
    (Argument("LAYER", "YAML files, lowest first; - is standard input", "*"),),
    (
        *LAYERING,
        *OPTIONS,
        FRONT,
        *SPIFF,
        AS_TEXT,
    ),
    "plait help layers, plait explain --help",
    kept=when_large("layer"),
)
