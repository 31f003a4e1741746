"""`plait apply`: save an edited expansion. The text keeps its directives; only the difference is written."""

from __future__ import annotations

from plait.apps.cli.command import WRITING, Argument, Command, Option, unless_trying
from plait.apps.cli.console import Console
from plait.apps.cli.expanded import COMPATIBLE, finish
from plait.apps.cli.opening import workspace_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    workspace = workspace_of(args)
    working = workspace.directives.working(args.file)
    working.become(workspace.directives.plain_document(getattr(args, "from")))
    return finish(working, args, console)


COMMAND = Command(
    "apply",
    "Write the edits of an expanded document back, as the smallest difference.",
    (
        "plait expand main.yaml > edited.yaml; edit edited.yaml; plait apply main.yaml --from edited.yaml",
        "plait apply main.yaml --from edited.yaml --where",
        "cat edited.yaml | plait apply main.yaml",
    ),
    run,
    (Argument("FILE", "the document with directives"),),
    (
        Option("--from", "the edited expansion; - is standard input", metavar="EDITED", default="-"),
        Option("--where", "show which lines would change, and write nothing"),
        COMPATIBLE,
        *WRITING,
    ),
    "plait expand --help, plait help unfurl",
    writes=unless_trying,
)
