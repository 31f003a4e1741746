"""`plait merge`: layers of YAML as one document."""

from __future__ import annotations

import os

from plait.apps.cli.command import LAYERING, WRITING, Argument, Command, Option, when_large
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import layered, merge_options_of, opened, workspace_of, writes_file
from plait.core.diagnostic import Fault, for_each
from plait.report.catalog import BAD_OPTION, NO_FILE, UNWRITABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.apps.cli.namespace import Namespace
    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.fronts.front import Target
    from plait.workspace import Workspace


def deploying(run: Callable[[Namespace, Console], int]) -> Callable[[Namespace, Console], int]:
    """A command whose output is deployed: an error names every value that is not known."""

    def checked(args: Namespace, console: Console) -> int:
        try:
            return run(args, console)
        except Fault as error:
            if not error.unknown:
                raise
            from plait.report.unknown import nothing_to_deploy

            raise nothing_to_deploy(error) from None

    return checked


def run(args: Namespace, console: Console) -> int:
    from plait.yaml.printing import documents_text

    check_output(args.output)
    workspace = workspace_of(args)
    target = opened(args)
    if target is not None:
        return written(rendered(target, args, workspace, console), args, workspace, console)
    bundle = layered(args, workspace)
    if args.origins:
        check_origins(args)
    if args.path:
        member, path = bundle.choose(args.path)
        nodes = [workspace.value(member.tree, path)]
    elif writes_file(args) and not args.reveal:
        nodes = workspace.sealed(bundle)
    else:
        nodes = for_each(lambda member: workspace.value(member.tree), bundle.members)
    if args.origins:
        text = workspace.origins((member.tree for member in bundle.members), bundle.schema, args.reveal)
    else:
        text = documents_text(nodes, args.format, args.reveal, bundle.schema, workspace.meter)
    if not args.notation and any("(( " in line and line.endswith("))") for line in text.splitlines() if "((" in line):
        console.note(SPIFF_NOTE)
    if bundle.notes:
        console.report(bundle.notes, args.format)
    if args.lint:
        console.report(workspace.lint(bundle, merge_options_of(args, workspace)), args.format)
    return written(text, args, workspace, console)


is_large = when_large("layer")


def to_console(args: Namespace) -> bool:
    """Whether a command prints its answer."""
    return not writes_file(args)


def written(text: str, args: Namespace, workspace: Workspace, console: Console) -> int:
    if writes_file(args):
        workspace.write({args.output: text.encode()})
    else:
        console.print(text)
    return OK


def _is_typed(finding: Diagnostic) -> bool:
    """Whether a finding is about something on the command line: a value that nothing reads, for example. An error ends
    the command, which reports it."""
    return finding.severity != "error" and bool(finding.labels) and finding.labels[0].origin.source.given


def rendered(target: Target, args: Namespace, workspace: Workspace, console: Console) -> str:
    """A target of any kind as text: all of it, or one path of one document."""
    from plait.yaml.printing import documents_text

    if args.lint or args.set:
        found = target.findings()
        console.report([one for one in found if args.lint or _is_typed(one)], args.format)
    if not args.lint:
        console.report(target.warnings(), args.format)
    if args.origins:
        check_origins(args)
        from plait.yaml.schema import CORE

        trees = map(target.tree, target.documents())
        return workspace.origins(trees, target.schema or CORE, args.reveal)

    def text(nodes: list[Node]) -> str:
        return documents_text(nodes, args.format, args.reveal, target.schema, workspace.meter)

    if args.path:
        return text([workspace.value(*target.chosen(args.path))])
    rows = target.printed()
    if args.format == "json" or not any(heading for heading, _ in rows):
        return text([node for _, node in rows if node is not None])
    return "".join(f"---\n# {heading}\n{text([node]) if node is not None else ''}" for heading, node in rows)


SPIFF_NOTE = "`(( ... ))` is printed as text: plait spiff merge fills templates, --notation dynaml evaluates it here"
WHOLE_YAML = "--origins prints the whole result as YAML"
EXPLAIN = "plait explain PATH shows where one value comes from"


def check_origins(args: Namespace) -> None:
    """Comments are in a whole document of YAML."""
    if args.path or args.format == "json":
        raise BAD_OPTION.error(why=WHOLE_YAML, hint=EXPLAIN)


def check_output(name: str | None) -> None:
    """`-o json` means --format json in other tools; a folder that does not exist is an error."""
    if name in ("json", "yaml"):
        raise BAD_OPTION.error(why="-o takes the name of a file", hint=f"write `--format {name}`, or `-o ./{name}`")
    folder = os.path.dirname(name or "")
    if folder and not os.path.exists(folder):
        raise NO_FILE.error(name=folder, hint=f"mkdir -p {folder}")
    if name and folder and not os.path.isdir(folder):
        raise UNWRITABLE.error(name=name, why=f"`{folder}` is not a folder")
    if name and os.path.isdir(name):
        hint = f"-o takes the name of a file, as in -o {os.path.join(name, 'merged.yaml')}"
        raise UNWRITABLE.error(name=name, why="it is a folder", hint=hint)


COMMAND = Command(
    "merge",
    "Merge YAML layers; later layers win.",
    (
        "plait merge base.yaml prod.yaml",
        "plait merge base.yaml prod.yaml --path vars.net --format json",
        "plait merge HEAD:base.yaml prod.yaml --profile helm",
        "cat extra.yaml | plait merge base.yaml -",
    ),
    deploying(run),
    (Argument("LAYER", "YAML files, lowest first, or revisions as in HEAD:base.yaml; - is standard input", "*"),),
    (
        *LAYERING,
        Option("--origins", "add the place that each value comes from, as comments", group="Output"),
        Option("--lint", "also print lint warnings", group="Merging"),
        Option("--path", "print only this path", metavar="PATH", group="Output"),
        Option("-o --output", "write to a file, atomically", metavar="FILE", group="Output"),
        *WRITING,
    ),
    "plait explain --help, plait help layers",
    writes=writes_file,
    kept=lambda args: to_console(args) and is_large(args),
)
