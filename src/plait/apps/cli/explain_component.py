"""`plait explain component`: where a value of a component comes from, through imports, inheritance, overrides and
functions."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, Argument, Command
from plait.apps.cli.console import Console
from plait.apps.cli.explain import show
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, stack_name, stacks_of, to_console

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace


def run(args: Namespace, console: Console) -> int:
    stacks = stacks_of(args)
    tree = stacks.tree(args.component, stack_name(args))
    return show(args.workspace.explain(tree, args.path), args, console)


COMMAND = Command(
    "explain component",
    "Show where a value of a component comes from: the value that wins, what it overrides, the chain of expressions.",
    (
        "plait explain component vpc -s plat-ue1-prod vars.cidr",
        "plait explain component vpc -s plat-ue1-prod vars --format json",
    ),
    run,
    (Argument("COMPONENT", "the component"), Argument("PATH", "the value to explain, as vars.net, vars.zones[0]")),
    (STACK, *EVALUATING, *CONFIG, AS_TEXT),
    "plait help stacks",
    kept=to_console,
)
