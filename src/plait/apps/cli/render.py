"""`plait render`: what a target gives, whatever its kind."""

from __future__ import annotations

import os

from plait.apps.cli.command import CHARTS, COMPOSE, JOBS, WRITING, Argument, Command, Option, always
from plait.apps.cli.console import UNSURE, Console
from plait.apps.cli.merge import check_output, deploying, rendered, to_console, written
from plait.apps.cli.opening import check_fitting, given_of, workspace_of, writes_file
from plait.core.diagnostic import Fault, PlaitError
from plait.core.source import DATA_ENDINGS
from plait.core.visible import one_line
from plait.report.catalog import BAD_OPTION, NO_TARGET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from plait.apps.cli.namespace import Namespace
    from plait.core.diagnostic import Diagnostic
    from plait.fronts.front import Given, Target, Targets
    from plait.workspace import Workspace

    T = TypeVar("T")

SUFFIXES = (*DATA_ENDINGS, ".tgz")


def run(args: Namespace, console: Console) -> int:
    check_output(args.output)
    workspace = workspace_of(args)
    given = given_of(args)
    error: PlaitError | None = None
    if args.target:
        target = workspace.in_folder(args.target, args.values, given, file=True)
        if target is None and args.values:
            why, hint = "-f gives files to a folder, and a target has its own", "name the folder or the file instead"
            raise BAD_OPTION.error(why=why, hint=hint)
        target = target or named(workspace, args.target, given)
        check_fitting(args, target)
        text, targets = rendered(target, args, workspace, console), [target]
    else:
        targets = [*workspace.targets(given)]
        text, error = all_rendered(workspace.targets(given), args, workspace, console)
        if error is not None and (writes_file(args) or not text):
            raise error
    status = written(text, args, workspace, console)
    declaring = [*targets, *_declaring(workspace, args.target, given)] if args.target else targets
    from plait.fronts.deployed import not_applied

    unapplied = list(dict.fromkeys(found for one in declaring for found in not_applied(one.declaration.node)))
    console.report(unapplied, args.format)
    if error is not None:
        raise error
    return UNSURE if unapplied else status


def _declaring(workspace: Workspace, name: str, given: Given) -> list[Target]:
    """The targets of a name that a folder has, too: an object of a deployer may declare it, and say more."""
    if not workspace.project.door.is_folder(name) or os.sep in name:
        return []
    targets = workspace.targets(given)
    return [targets[address] for address in targets.names() if targets[address].name == name]


def named(workspace: Workspace, name: str, given: Given) -> Target:
    """The target of a name. A name that can only be a file's, or a folder's, is a missing one where it is no target."""
    try:
        return workspace.targets(given).find(name)
    except PlaitError:
        door = workspace.project.door
        folder = os.path.dirname(name) or "."
        if door.is_file(name) and workspace.in_folder(folder, [], given) is not None:
            raise NO_TARGET.error(name=name, hint=f"name the folder: plait render {folder}") from None
        if door.is_file(name):
            raise NO_TARGET.error(name=name, hint=f"plait merge {name} prints a file that is no target") from None
        if ("/" in name or name.endswith(SUFFIXES)) and not door.exists(name):
            raise door.missing(name) from None
        raise


def all_rendered(
    targets: Targets, args: Namespace, workspace: Workspace, console: Console
) -> tuple[str, PlaitError | None]:
    """Every target that can be rendered: documents after each other, each target below a comment with its name; as
    JSON, lists of documents by name. And what is wrong with the others."""
    if args.path or not len(targets):
        why = "--path needs the name of a target" if args.path else "there are no targets"
        raise BAD_OPTION.error(why=why, hint="plait targets lists them; plait help targets says how to declare one")
    names = list(targets.names())
    if args.format == "json":
        from plait.yaml.printing import data_text

        each = workspace.project.each(names, len(names), "rendering targets")
        rows, error = _those_without_errors(((name, None) for name in each), lambda name: targets[name].rendered())
        return data_text(rows, "json", args.reveal) if rows or error is None else "", error

    def text(name: str) -> str:
        return f"# {one_line(name)}\n{rendered(targets[name], args, workspace, console)}"

    def attempt(name: str) -> str | None:
        try:
            return text(name)
        except Fault:  # found again by who reports it
            return None

    reports = args.lint or args.set  # these come from one process
    made = map(attempt, names) if reports else workspace.for_names(attempt, names)
    pieces = workspace.project.each(zip(names, made, strict=True), len(names), "rendering targets")
    texts, error = _those_without_errors(pieces, text)
    return "---\n".join(texts.values()), error


def _those_without_errors(
    rows: Iterable[tuple[str, T | None]], work: Callable[[str], T]
) -> tuple[dict[str, T], PlaitError | None]:
    """What each name gives, by some work where it is not there yet, and the errors of those where that fails."""
    from plait.report.unknown import nothing_to_deploy

    made: dict[str, T] = {}
    found: list[Diagnostic] = []
    for name, there in rows:
        try:
            made[name] = work(name) if there is None else there
        except Fault as error:
            found += (nothing_to_deploy(error) if error.unknown else error).diagnostics
    return made, Fault(*found) if found else None


COMMAND = Command(
    "render",
    "Print what a target gives, whatever its kind: its documents, evaluated.",
    (
        "plait render prod",
        "plait render stack:dev --path terraform/app:vars",
        "plait render prod --origins",
        "plait render charts/shop -f values-prod.yaml --release shop",
        "plait render compose.yaml -f compose.prod.yaml --interpolate",
        "plait render --format json",
    ),
    deploying(run),
    (Argument("TARGET", "the target, or a folder with a chart or a Compose project; without it, every target", "?"),),
    (
        *CHARTS,
        *COMPOSE,
        Option("--set", "set a value of a chart", metavar="PATH=VALUE", many=True, group="Charts"),
        Option("--origins", "add the place that each value comes from, as comments", group="Output"),
        Option("--lint", "also print what lint finds", group="Output"),
        Option("--path", "print only this path: PATH or DOCUMENT:PATH", metavar="PATH", group="Output"),
        Option("-o --output", "write to a file, atomically", metavar="FILE", group="Output"),
        JOBS,
        *WRITING,
    ),
    "plait targets, plait help targets",
    writes=writes_file,
    kept=lambda args: always(args) and to_console(args),
)
