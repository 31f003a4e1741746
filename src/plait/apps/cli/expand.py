"""`plait expand`: a document with everything its directives bring in."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Argument, Command, Option
from plait.apps.cli.console import Console
from plait.apps.cli.merge import to_console, written
from plait.apps.cli.opening import workspace_of, writes_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.yaml.printing import as_text
    from plait.yaml.schema import CORE as YAML12

    workspace = workspace_of(args)
    document = workspace.directives.document(args.file, evaluate=args.evaluate)
    value = workspace.value(document.tree, args.path) if args.path else document.expanded()
    text = as_text(value, args.format, args.reveal, schema=YAML12, meter=workspace.meter)
    if document.notations is not None:
        console.report(document.notations.warnings, args.format)
    return written(text, args, workspace, console)


COMMAND = Command(
    "expand",
    "Print a document with its directives (+include, +/path, +*anchor, ...) expanded.",
    (
        "plait expand main.yaml",
        "plait expand main.yaml --path spec.web --format json",
    ),
    run,
    (Argument("FILE", "a YAML or JSON file; - is standard input"),),
    (
        Option("--path", "compute and print only this", metavar="PATH", group="Output"),
        Option("--evaluate", "also evaluate the expressions in it (eval, get_env, templates)"),
        Option("-o --output", "write to a file, atomically", metavar="FILE", group="Output"),
        *WRITING,
    ),
    "plait query --help, plait help unfurl",
    writes=writes_file,
    kept=to_console,
)
