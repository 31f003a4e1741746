"""`plait why-not`: why a value of a layer is not in the result."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, LAYERING, SPIFF, Argument, Command, when_large
from plait.apps.cli.console import OK, Console, layered, opened, workspace_of
from plait.apps.cli.explain import brief
from plait.core.path import format_path
from plait.report.catalog import UNKNOWN_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.workspace import Verdict


def run(args: Namespace, console: Console) -> int:
    workspace = workspace_of(args)
    target = opened(args)
    if target is None:
        found = workspace.why_not(layered(args, workspace), args.path, args.which)
    else:
        found = workspace.target_why_not(target, args.path, args.which)
    found = found or workspace.left_out(args.path, args.which)
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


def _lines(verdict: Verdict, reveal: bool) -> list[str]:
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
