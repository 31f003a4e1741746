"""`plait merge`: layers of YAML as one document."""

from __future__ import annotations

from plait.apps.cli.command import LAYERING, Argument, Command, Option
from plait.apps.cli.console import OK, Console, workspace_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.workspace import as_text

    workspace = workspace_of(args)
    policy = workspace.policy(args.list, args.policy)
    braid = workspace.layers(args.layer, policy, sets=args.set, create=args.create, notations=args.notation)
    text = as_text(workspace.value(braid, args.path or ""), args.format, args.reveal)
    if args.lint:
        console.report(workspace.lint(braid, policy), args.format)
    if args.output and args.output != "-":
        workspace.write({args.output: text.encode()})
    else:
        console.print(text)
    return OK


COMMAND = Command(
    "merge",
    "Merge YAML layers; later layers win.",
    (
        "plait merge base.yaml prod.yaml",
        "plait merge base.yaml prod.yaml --path vars.net --format json",
        "cat extra.yaml | plait merge base.yaml -",
    ),
    run,
    (Argument("LAYER", "YAML files, lowest first; - is standard input", "+"),),
    (
        *LAYERING,
        Option("--lint", "also print lint warnings", group="Merging"),
        Option("--path", "print only this path", metavar="PATH", group="Output"),
        Option("-o --output", "write to a file, atomically", metavar="FILE", group="Output"),
    ),
    "plait explain --help, docs/layers.md",
    writes=True,
)
