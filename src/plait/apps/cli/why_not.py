"""`plait why-not`: why a value of a layer is not in the result."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, LAYERING, SPIFF, Argument, Command, when_large
from plait.apps.cli.console import OK, Console
from plait.apps.cli.opening import layered, opened, workspace_of
from plait.core.diagnostic import Fault
from plait.core.node import Scalar
from plait.core.path import format_path
from plait.report.catalog import BAD_OPTION, UNKNOWN_PATH
from plait.yaml.files import STDIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.fronts.origins import Verdict
    from plait.workspace import Workspace


def run(args: Namespace, console: Console) -> int:
    from plait.fronts.origins import names_of, why_not
    from plait.fronts.typed import typed_path

    workspace = workspace_of(args)
    target = opened(args)
    which = STDIN if args.which == "-" else args.which
    if target is None:
        bundle = layered(args, workspace)
        _check(workspace, which, names_of(bundle), "layer")
        member, rest = bundle.choose(args.path)
        tree = member.tree
    else:
        tree, rest = target.chosen(args.path)
        _check(workspace, which, target.made_of() if target.files else [], "file")
    found = why_not(tree, typed_path(rest), which) or _left_out(workspace, args.path, args.which)
    if not found:
        hint = f"`{args.which}` does not set this path; plait get {args.which} prints what it sets"
        raise UNKNOWN_PATH.error(path=args.path, hint=hint)
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text([_data(verdict) for verdict in found]))
        return OK
    for verdict in found:
        console.print("\n".join(_lines(verdict, args.reveal)) + "\n")
    return OK


def _check(workspace: Workspace, which: str, names: list[str], word: str) -> None:
    if which not in names:
        if which != STDIN:
            workspace.project.present(which)
        if not names:
            why = "this target is not merged from files of which one can be asked about"
            raise BAD_OPTION.error(why=why, hint="name the layers instead of it: plait why-not PATH WHICH LAYER...")
        hint = f"name the {word} you ask about, then all {word}s; available: {', '.join(names)}"
        raise BAD_OPTION.error(why=f"`{which}` is not one of the {word}s", hint=hint)


def _left_out(workspace: Workspace, path: str, layer: str) -> list[Verdict]:
    """What a layer says at a path by itself, where the merge did not take it at all."""
    from plait.fronts.origins import Verdict
    from plait.fronts.typed import typed_path

    try:
        node = workspace.editor.get(layer, path, 0)
    except Fault:
        return []
    null = isinstance(node, Scalar) and node.value is None
    why = "null changes nothing here" if null else "the rules of this merge leave it out"
    return [Verdict(typed_path(path), node, None, why)]


def _lines(verdict: Verdict, reveal: bool) -> list[str]:
    from plait.apps.cli.explanation import brief

    name = format_path(verdict.path) or "(the whole document)"
    value = brief(verdict.node, reveal)
    if verdict.in_result:
        return [f"{name}: {value} ({verdict.node.origin}) is in the result"]
    word = "may be" if verdict.is_open else "is not"
    lines = [f"{name}: {value} ({verdict.node.origin}) {word} in the result: {verdict.reason}"]
    by = verdict.by
    return [*lines, f"  {by.origin}    {by.origin.source.line(by.origin.line).strip()}"] if by is not None else lines


def _data(verdict: Verdict) -> dict[str, object]:
    by = verdict.by
    return {
        "path": format_path(verdict.path),
        "at": str(verdict.node.origin),
        "in_result": verdict.in_result if not verdict.is_open else None,
        "reason": verdict.reason,
        "by": str(by.origin) if by is not None else None,
    }


COMMAND = Command(
    "why-not",
    "Show why a value of one layer is not in the result: what replaces or removes it, and where.",
    (
        "plait why-not replicas values.yaml values.yaml values-prod.yaml",
        "plait why-not vars.net base.yaml base.yaml prod.yaml --format json",
        "plait why-not services.web.ports compose.yaml --target shop",
    ),
    run,
    (
        Argument("PATH", "the value to explain, as a.b, a[0], a[name=web]"),
        Argument("WHICH", "the layer whose value is missing"),
        Argument("LAYER", "all layers, lowest first", "*"),
    ),
    (*LAYERING, *SPIFF, AS_TEXT),
    "plait explain --help, plait layers --help",
    kept=when_large("layer"),
)
