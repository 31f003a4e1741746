"""`plait explain`: where a value comes from and what it overrides, through expressions down to the written values.

What prints the answer is loaded when there is one to print: an answer that is found again needs none of it.
"""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, FRONT, LAYERING, PROVE, SPIFF, Argument, Command, when_large
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import check_order, layered, opened, operands_of, workspace_of
from plait.core.source import DATA_ENDINGS
from plait.report.catalog import BAD_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.evaluate.explain import Explanation
    from plait.workspace import Workspace
    from plait.yaml.schema import Schema

    Explained = tuple[Explanation, Schema | None]


def run(args: Namespace, console: Console) -> int:
    workspace = workspace_of(args)
    layers = args.run.operands.layers
    if layers:  # a pattern that comes with plait has no files here
        check_order(workspace, layers[-1], [args.path], "plait explain {path} {file}", folders=True)
        if args.path.endswith(DATA_ENDINGS) and workspace.project.door.is_file(args.path):
            hint = f"plait explain PATH {' '.join([args.path, *layers])}, or plait blame for all of it"
            raise BAD_OPTION.error(why=f"PATH is missing: `{args.path}` is a file", hint=hint)
    generated = len(layers) == 1 and not args.prove and _is_generated(workspace, layers[0])
    if generated and explain_generated(args, workspace, console):
        return OK
    from plait.apps.cli.explanation import show
    from plait.apps.cli.proving import proof_of

    return show(*_explained(args, workspace), args, console, proof_of(args, again) if args.prove else None)


def _is_generated(workspace: Workspace, file: str) -> bool:
    """Whether the folder of a file has a record of `plait create`, so that the file may be generated."""
    from plait.fronts.questions import beside_a_record

    return beside_a_record(workspace.project, file)


def _explained(args: Namespace, workspace: Workspace) -> Explained:
    target = opened(args)
    if target is not None:
        return workspace.explain(*target.chosen(args.path)), target.schema
    return FRONTS[args.front](workspace, args)


def again(args: Namespace, workspace: Workspace) -> Explanation:
    """The same question to a workspace whose files have changed."""
    args.run.operands = operands_of(args, workspace)
    return _explained(args, workspace)[0]


def explain_generated(args: Namespace, workspace: Workspace, console: Console) -> bool:
    """The answer for a field of a generated file; False where the file is none."""
    explanation = workspace.patterns.why(args.path, args.run.operands.layers[0])
    if explanation is None:
        return False
    from plait.yaml.printing import data_text

    lines = "\n".join(explanation.lines()) + "\n"
    console.print(data_text(explanation.data(), "json", args.reveal) if args.format == "json" else lines)
    return True


def _layers(workspace: Workspace, args: Namespace) -> Explained:
    bundle = layered(args, workspace)
    member, path = bundle.choose(args.path)
    return workspace.explain(member.tree, path), bundle.schema


def _unfurl(workspace: Workspace, args: Namespace) -> Explained:
    from plait.yaml.schema import CORE as YAML12

    layers = args.run.operands.layers
    if len(layers) != 1:
        raise BAD_OPTION.error(
            why="--front unfurl takes one file", hint="name only the main file; its directives include the others"
        )
    return workspace.explain(workspace.directives.document(layers[0], evaluate=True).tree, args.path), YAML12


FRONTS = {"layers": _layers, "unfurl": _unfurl}
"""How files are read that are no target, by name."""


def _may_be_generated(args: Namespace) -> bool:
    """Whether one file is asked about: git knows who changed a generated one."""
    return len(args.layer) < 2


COMMAND = Command(
    "explain",
    "Show where a value comes from: the value that wins, what it overrides and why, and the chain of expressions.",
    (
        "plait explain vars.net base.yaml prod.yaml",
        "plait explain 'jobs[name=web].instances' base.yaml prod.yaml --list jobs=key:name",
        "plait explain vars.net base.yaml prod.yaml --format json",
        "plait explain vars.net.cidr base.yaml prod.yaml --prove",
        "plait explain Function/api-handler:spec.forProvider.memorySize compute.yaml",
        "plait explain jobs.web.instances --spiff template.yml stub.yml",
    ),
    run,
    (
        Argument("PATH", "the value to explain, as a.b, a[0], a[name=web]"),
        Argument("LAYER", "YAML files, lowest first; - is standard input", "*"),
    ),
    (
        *LAYERING,
        FRONT,
        AS_TEXT,
        *SPIFF,
        PROVE,
    ),
    "plait help layers, plait help spiff, plait help unfurl",
    kept=when_large("layer"),
    asks_git=_may_be_generated,
)
