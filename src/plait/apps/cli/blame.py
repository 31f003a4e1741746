"""`plait blame`: the whole result, each line with the place that its value comes from."""

from __future__ import annotations

from collections import Counter

from plait.apps.cli.command import AS_TEXT, FRONT, LAYERING, SPIFF, Argument, Command, Option, when_large
from plait.apps.cli.console import FAILED, OK, Console, layered, opened, workspace_of
from plait.apps.cli.explain import Masks, cut, hop_data, origin_data, plain, short, short_places
from plait.core.node import Failure, Node
from plait.core.path import format_path
from plait.core.unknown import MAYBE, mistakes_in
from plait.core.visible import one_line
from plait.evaluate.explain import Leaf
from plait.report.catalog import BAD_OPTION
from plait.report.columns import columns
from plait.report.unknown import not_known_here, unknown_data, unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.evaluate.hops import Hop
    from plait.fronts.blame import Blame, Gone
    from plait.fronts.layers import Bundle
    from plait.report.render import Paint
    from plait.workspace import Workspace

MOST_READS = 6
"""So many values that an expression reads are named in its line."""
COLUMN = 44
"""Origins are beside the text; a longer line pushes them out."""


def run(args: Namespace, console: Console) -> int:
    workspace = workspace_of(args)
    target = opened(args)
    found = workspace.target_blames(target, args.path, args.reveal) if target else FRONTS[args.front](workspace, args)
    return print_blames(found, args, console)


def _layers(workspace: Workspace, args: Namespace) -> dict[str, Blame]:
    return _blamed(layered(args, workspace), workspace, args)


def _blamed(bundle: Bundle, workspace: Workspace, args: Namespace) -> dict[str, Blame]:
    chosen = [bundle.choose(args.path)] if args.path else [(member, "") for member in bundle.members]
    return {
        member.group.label: workspace.blame(member.tree, path, args.reveal, schema=bundle.schema, partial=True)
        for member, path in chosen
    }


def _unfurl(workspace: Workspace, args: Namespace) -> dict[str, Blame]:
    if len(args.layer) != 1:
        raise BAD_OPTION.error(
            why="--front unfurl takes one file", hint="name only the main file; its directives include the others"
        )
    tree = workspace.directives.document(args.layer[0], evaluate=True).tree
    return {"": workspace.blame(tree, args.path or "", args.reveal, partial=True)}


FRONTS = {"layers": _layers, "unfurl": _unfurl}
"""How files are read that are no target, by name."""


def print_blames(blames: dict[str, Blame], args: Namespace, console: Console) -> int:
    """The answer as the options ask for it: one document, or several by name."""
    if args.format == "json":
        data: object = [{"document": name, **to_data(blame, args)} for name, blame in blames.items()]
        if len(blames) == 1:
            data = to_data(next(iter(blames.values())), args)
        from plait.report.data import json_text

        console.print(json_text(data))
        return _problems(blames, console)
    if args.gone or all(blame.value is None for blame in blames.values()):
        rows = {name: gone_lines(blame, args.reveal) for name, blame in blames.items()}
        prefix = len(blames) > 1
        console.print("".join(f"{f'{name}:' if prefix else ''}{line}\n" for name in rows for line in rows[name]))
        return OK
    texts, leaves = list[str](), list[Leaf]()
    for blame in blames.values():
        mine = blame.beside()
        leaves += [one for _, one in mine if isinstance(one, Leaf)]
        texts.append(_rows(mine, console.paint(console.out)))
    console.print("---\n".join(texts))
    console.say(summary(leaves, [gone for blame in blames.values() for gone in blame.gone]))
    return _problems(blames, console)


def _problems(blames: dict[str, Blame], console: Console) -> int:
    """Report the values that could not be computed; those that are not known here are no error."""
    failed = [blame for blame in blames.values() if blame.value is not None and blame.has_failures]
    wrong = [finding for blame in failed for finding in mistakes_in(blame.value)]
    unknown = [found for blame in failed for found in unknown_in(blame.value, blame.path)]
    console.report([*wrong, *not_known_here(unknown)])
    return FAILED if wrong else OK


def _rows(lines: list[tuple[str, Leaf | Node | None]], paint: Paint) -> str:
    """The lines, each with the place of its value beside it."""
    lines = [(_shortened(text, paint.columns), one) for text, one in lines] if paint.columns else lines
    heads = [text.partition("\n")[0] if "\n" in text else text for text, _ in lines]
    width = min(max([*map(len, heads), 0]) + 2, COLUMN)
    places = iter(short_places([one for _, one in lines if isinstance(one, Node)]))
    plain = not paint.on and not paint.columns
    rows = []
    for (text, one), head in zip(lines, heads, strict=True):
        if one is None:
            rows.append(f"{text}\n")
            continue
        if one.__class__ is Leaf:
            row = _row(head, one, width, paint)
        elif plain:
            row = f"{head}  ".ljust(width) + next(places)
        else:
            place = next(places)
            row = f"{_beside(head, width, paint, len(place))}{paint('place', place)}"
        rows.append(f"{row.rstrip()}{text[len(head) :]}\n")
    return "".join(rows)


def _shortened(text: str, width: int) -> str:
    """The same where no line is longer than this; a mark is in the place of the rest."""
    texts = text.split("\n")
    if max(map(len, texts)) <= width:
        return text
    return "\n".join(one if len(one) <= width else f"{one[: width - 1]}\N{HORIZONTAL ELLIPSIS}" for one in texts)


def _row(head: str, leaf: Leaf, width: int, paint: Paint) -> str:
    origin, lost = short(leaf.winner), ""
    if leaf.losers:
        others = dict.fromkeys(short(other) for other, _ in leaf.losers)
        lost = f"  {leaf.verb} {', '.join(others)}"
    through = [hop for hop in leaf.way if hop.word == "through"]
    if through:
        lost += f"  through {', '.join(_passed(hop, leaf) for hop in through)}"
    reads = [hop for hop in leaf.hops if hop.word == "reads" and hop.kind == "values" and hop.origin is not None]
    reads += [read for hop in through if _gives(hop, leaf) for read in hop.hops if _is_value(read)]
    if reads:
        lost += f"  reads {_some(list(dict.fromkeys(_read(hop) for hop in reads)))}"
    gap = " " * (max(16 - len(origin), 0) + 2)
    why = f"{gap}{paint('why', lost.lstrip())}" if lost else ""
    return f"{_beside(head, width, paint, len(origin))}{paint('place', origin)}{why}"


def _beside(head: str, width: int, paint: Paint, taken: int) -> str:
    """A line of the result, and the space before its place. On a terminal, a place that does not fit goes below it."""
    fits = not paint.columns or max(len(head) + 2, width) + taken <= paint.columns
    return f"{head}  ".ljust(width) if fits else f"{head}    "


def _some(texts: list[str]) -> str:
    """A list in a line: `plait explain` has the whole."""
    more = len(texts) - MOST_READS
    return ", ".join(texts[:MOST_READS]) + (f" and {more} more" if more > 0 else "")


def _gives(hop: Hop, leaf: Leaf) -> bool:
    """Whether a hop is the expression that gives the value itself."""
    return str(hop.origin) == str(leaf.winner.node.origin)


def _is_value(read: Hop) -> bool:
    return read.origin is not None and bool(read.path) and not isinstance(read.value, Failure)


def _passed(hop: Hop, leaf: Leaf) -> str:
    """What a value came through, and where that is written."""
    return f"{cut(one_line(leaf.told(hop)))} ({hop.origin})"


def _read(hop: Hop) -> str:
    """A value that a template read, and its line."""
    origin = hop.origin
    place = str(origin) if origin is None or origin.source.given else f"{origin.file}:{origin.line}"
    return f"{one_line(format_path(hop.path))} ({place})"


def summary(leaves: list[Leaf], removed: list[Gone]) -> str:
    """How many values of which files were overridden, and how many of the others were removed."""
    losers = [lost.node for leaf in leaves for lost, why in leaf.losers if why != MAYBE]
    counts = Counter(node.origin.file for node in losers)
    beside = {id(node) for node in losers}
    gone = sum(id(row.was.node) not in beside for row in removed)
    parts = [f"{count} value{'s' * (count != 1)} of {name} overridden" for name, count in counts.items()]
    parts += [f"{gone} removed (--gone lists them)"] if gone else []
    return "; ".join(parts) if parts else "nothing is overridden or removed"


def gone_lines(blame: Blame, reveal: bool) -> list[str]:
    """What is not in the result, a line each."""
    found = blame.gone
    masks = Masks([gone.was.result for gone in found], reveal)
    rows = [
        (
            format_path(gone.path),
            masks.brief(gone.was.result),
            short(gone.was),
            f"{gone.reason}{f' ({short(gone.by)})' if gone.by is not None else ''}",
        )
        for gone in found
    ]
    return columns(rows)


def to_data(blame: Blame, args: Namespace) -> dict[str, object]:
    """Each leaf with path, value, origin and what it overrides; with --gone also what was dropped."""
    data: dict[str, object] = {"leaves": [_leaf(leaf, args.reveal) for leaf in blame.leaves]}
    if unknown := unknown_in(blame.value, blame.path):
        data["unknown"] = unknown_data(unknown)
    if args.gone or blame.value is None:
        data["gone"] = [
            {
                "path": format_path(gone.path),
                "value": plain(gone.was.result, args.reveal),
                "origin": origin_data(gone.was),
                "reason": gone.reason,
                **({"by": origin_data(gone.by)} if gone.by is not None else {}),
            }
            for gone in blame.gone
        ]
    return data


def _leaf(leaf: Leaf, reveal: bool) -> dict[str, object]:
    overrides = [{"origin": origin_data(lost), "role": lost.role.kind, "reason": why} for lost, why in leaf.losers]
    return {
        "path": format_path(leaf.path),
        "value": plain(leaf.value, reveal),
        "origin": origin_data(leaf.winner),
        "role": leaf.winner.role.kind,
        "overrides": overrides,
        **({"way": [hop_data(hop, Masks([leaf.value], reveal)) for hop in leaf.way]} if leaf.way else {}),
    }


OPTIONS = (
    Option("--path", "only this path", metavar="PATH", group="Output"),
    Option("--gone", "list values that are not in the result: removed, or overridden completely", group="Output"),
)

COMMAND = Command(
    "blame",
    "Print the whole result, each line with the place that its value comes from.",
    (
        "plait blame base.yaml prod.yaml",
        "plait blame base.yaml prod.yaml --path vars.net",
        "plait blame base.yaml prod.yaml --gone",
        "plait blame base.yaml prod.yaml --format json",
    ),
    run,
    (Argument("LAYER", "YAML files, lowest first; - is standard input", "*"),),
    (
        *LAYERING,
        *OPTIONS,
        FRONT,
        *SPIFF,
        AS_TEXT,
    ),
    "plait help layers, plait explain --help",
    kept=when_large("layer"),
)
