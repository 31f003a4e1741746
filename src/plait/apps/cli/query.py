"""`plait query`: evaluate a path expression or functions on a document."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option, always
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import workspace_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.typed import typed_path
    from plait.yaml.printing import as_text
    from plait.yaml.schema import CORE as YAML12

    workspace = workspace_of(args)
    document = workspace.directives.document(args.file, evaluate=True)
    answer = workspace.directives.query(document, args.expr, typed_path(args.at), args.mode, tuple(args.var))
    assert document.notations is not None
    console.report(document.notations.warnings, args.format)
    for expression, found in document.notations.settings.traced.items():
        console.say(f"{expression}  ->  {found}")
    console.print(as_text(answer, args.format, args.reveal, schema=YAML12, meter=workspace.meter))
    return OK


COMMAND = Command(
    "query",
    "Query a document with a path expression, or with eval and functions in YAML.",
    (
        "plait query 'services::[port=80]::name' main.yaml",
        "plait query '.ancestors::region?' main.yaml --at services.web",
        "plait query '{eval: services::*, foreach: name}' main.yaml --mode list",
    ),
    run,
    (Argument("EXPR", "the expression"), Argument("FILE", "a YAML or JSON file; - is standard input")),
    (
        Option("--at", "where the expression starts; default: the whole document", metavar="PATH", default=""),
        Option("--var", "a variable, written $NAME in the expression", metavar="NAME=VALUE", many=True),
        Option(
            "--mode",
            "all matches, one answer, or a value with expressions in it",
            choices=("list", "one", "map"),
            default="one",
        ),
    ),
    "plait help unfurl",
    kept=always,
)
