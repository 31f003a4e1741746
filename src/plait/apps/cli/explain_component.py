"""`plait explain component`: where a value of a component comes from, through imports, inheritance, overrides and
functions."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, PROVE, Argument, Command
from plait.apps.cli.console import Console
from plait.apps.cli.stacks import CONFIG, EVALUATING, STACK, stack_name, stacks_in, stacks_of, to_console
from plait.core.diagnostic import NotKnown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.evaluate.explain import Explanation
    from plait.fronts.questions import StackQuestions
    from plait.workspace import Workspace


def run(args: Namespace, console: Console) -> int:
    from plait.apps.cli.explanation import NOTHING, nothing_known, show
    from plait.apps.cli.proving import proof_of

    try:
        explanation = _explained(args, stacks_of(args))
    except NotKnown as error:
        owner = f" of `{args.component}` in `{stack_name(args)}`"
        return nothing_known(error, args, console, owner, path=args.path, **NOTHING)
    return show(explanation, None, args, console, proof_of(args, again) if args.prove else None)


def again(args: Namespace, workspace: Workspace) -> Explanation:
    """The same question to a workspace whose files have changed."""
    return _explained(args, stacks_in(args, workspace))


def _explained(args: Namespace, stacks: StackQuestions) -> Explanation:
    explanation: Explanation = args.run.open_workspace.explain(stacks.tree(args.component, stack_name(args)), args.path)
    return explanation


COMMAND = Command(
    "explain component",
    "Show where a value of a component comes from: the value that wins, what it overrides, the chain of expressions.",
    (
        "plait explain component vpc -s plat-ue1-prod vars.cidr",
        "plait explain component vpc -s plat-ue1-prod vars --format json",
        "plait explain component vpc -s plat-ue1-prod vars.cidr --prove",
    ),
    run,
    (Argument("COMPONENT", "the component"), Argument("PATH", "the value to explain, as vars.net, vars.zones[0]")),
    (STACK, *EVALUATING, *CONFIG, AS_TEXT, PROVE),
    "plait help stacks",
    kept=to_console,
)
