"""`plait get`: the value at a path of a file, as the file says it."""

from __future__ import annotations

from plait.apps.cli.command import Argument, Command, Option, when_large
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import check_order, workspace_of
from plait.core.node import MapNode, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node

DOCUMENT = Option("--document", "which document of the file, from 1", metavar="N", number=True, default=1)


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.typed import has_wildcards
    from plait.yaml.printing import as_text
    from plait.yaml.schema import CORE as YAML12

    workspace = workspace_of(args)
    check_order(workspace, args.file, args.path, "plait get {file} {path}")
    editor, meter = workspace.editor, workspace.meter
    for path in args.path or [""]:
        if has_wildcards(path):
            found = editor.matches(args.file, path, args.document - 1)
            console.print(as_text(MapNode(dict(found.items())), args.format, args.reveal, schema=YAML12, meter=meter))
            continue
        node = editor.get(args.file, path, args.document - 1)
        text = (
            node.text if _is_text(node, args) else as_text(node, args.format, args.reveal, schema=YAML12, meter=meter)
        )
        console.print(text if text.endswith("\n") else text + "\n")
    return OK


def _is_text(node: Node, args: Namespace) -> TypeGuard[Scalar]:
    """Whether a value is printed as it is: a text that is not masked."""
    if not isinstance(node, Scalar) or (node.secret and not args.reveal):
        return False
    return isinstance(node.value, str) and args.format == "yaml"


COMMAND = Command(
    "get",
    "Print the value at a path of a file. Text is printed as it is, everything else as YAML or JSON.",
    (
        "plait get app.yaml server.port",
        "plait get app.yaml 'jobs[name=web].instances' --format json",
        "plait get app.yaml 'labels[\"x.y/z\"]'",
        "plait get all.yaml Deployment/web:spec.replicas",
        "plait get HEAD~1:app.yaml '**.image'",
    ),
    run,
    (
        Argument("FILE", "a YAML file, or a revision of one as in HEAD:app.yaml; - is standard input"),
        Argument("PATH", 'as a.b, a[0], a[name=web], a["x.y/z"], *.b, **.b; without one, the whole document', "*"),
    ),
    (DOCUMENT,),
    "plait set --help, plait help editing",
    kept=when_large("file"),
)
