"""`plait explain config`: where a key of the configuration comes from: a default, a file, the environment, a flag."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, Argument, Command
from plait.apps.cli.console import OK, Console
from plait.apps.cli.explanation import explanation_text
from plait.apps.cli.opening import workspace_of
from plait.apps.cli.stacks import CONFIG, stacks_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    tree = stacks_of(args).config_tree()
    explanation = workspace_of(args).explain(tree, args.path)
    console.print(explanation_text(explanation, args.format, args.reveal, console.paint(console.out)))
    return OK


COMMAND = Command(
    "explain config",
    "Show where a key of the configuration comes from: the value that wins, and what it overrides.",
    ("plait explain config stacks.base_path", "plait explain config stacks --format json"),
    run,
    (Argument("PATH", "the key to explain, as stacks.base_path"),),
    (*CONFIG, AS_TEXT),
    "plait help stacks, plait describe config --help",
)
