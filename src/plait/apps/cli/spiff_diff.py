"""`plait spiff diff`: what differs between two deployment manifests."""

from __future__ import annotations

from plait.apps.cli.command import AS_TEXT, Argument, Command, Option, when_large
from plait.apps.cli.console import FAILED, OK, USAGE, Console
from plait.apps.cli.opening import workspace_of
from plait.core.diagnostic import PlaitError
from plait.core.visible import harmless, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.core.node import Node
    from plait.fronts.questions import ManifestDifference
    from plait.report.render import Paint

DIFFERENT, TROUBLE = FAILED, USAGE
"""Exit statuses: differences were found; the manifests could not be read."""


def run(args: Namespace, console: Console) -> int:
    try:
        differences, warnings = workspace_of(args).spiff.diff(args.a, args.b)
    except PlaitError as error:
        console.report(error.diagnostics, args.format)
        return TROUBLE
    console.report(warnings)
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text([as_data(difference) for difference in differences]))
    else:
        paint = console.paint(console.out)
        console.print("".join(as_text(each, args, paint) for each in differences) or "no differences!\n")
    return DIFFERENT if differences else OK


def as_text(difference: ManifestDifference, args: Namespace, paint: Paint) -> str:
    """One difference, in spiff's layout."""
    lines = [f"Difference in {one_line('.'.join(difference.path))}"]
    for name, node, style in ((args.a, difference.a, "error"), (args.b, difference.b, "hint")):
        if node is not None:
            lines += [f"  {one_line(name)} has:", *(f"    {paint(style, harmless(line))}" for line in _lines(node))]
    return "\n".join(lines) + f"\n{args.separator}\n"


def _lines(node: Node) -> list[str]:
    from plait.yaml.printing import as_text as text_of

    return text_of(node, sort_keys=True).splitlines()


def as_data(difference: ManifestDifference) -> dict[str, object]:
    from plait.core.node import plain_value

    sides = {"a": difference.a, "b": difference.b}
    return {
        "path": ".".join(difference.path),
        **{
            side: {"value": plain_value(node), "place": str(node.origin)}
            for side, node in sides.items()
            if node is not None
        },
    }


COMMAND = Command(
    "spiff diff",
    "Compare two deployment manifests as data: lists of named maps by name, only the order of jobs matters.",
    (
        "plait spiff diff deployment.yml current.yml",
        "plait spiff diff deployment.yml current.yml --format json",
    ),
    run,
    (Argument("A", "a manifest"), Argument("B", "the one to compare it with")),
    (Option("--separator", "printed after each difference", metavar="TEXT", default="", group="Output"), AS_TEXT),
    "plait help spiff. Exit status: 0 no differences, 1 differences, 2 trouble",
    kept=when_large("a", "b"),
)
