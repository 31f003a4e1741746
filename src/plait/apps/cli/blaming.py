"""The answer of `plait blame` as text for people and as data."""

from __future__ import annotations

from collections import Counter

from plait.apps.cli.console import FAILED, OK, Console
from plait.apps.cli.explanation import Masks, cut, hop_data, origin_data, plain, short, short_place
from plait.core.node import Failure
from plait.core.path import format_path
from plait.core.source import Origin
from plait.core.unknown import OVERRIDES, mistakes_in
from plait.core.visible import one_line
from plait.evaluate.explain import Leaf
from plait.merging.runs import file_lines_of_runs
from plait.report.columns import columns
from plait.report.margin import longest, with_notes
from plait.report.unknown import not_known_here, unknown_data, unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.apps.cli.namespace import Namespace
    from plait.evaluate.hops import Hop
    from plait.fronts.blame import Blame
    from plait.merging.runs import Run
    from plait.report.render import Paint

MOST_READS = 6
"""So many values that an expression reads are named in its line."""
COLUMN = 44
"""Origins are beside the text; a longer line pushes them out."""
WORDS_FROM = 16
"""What there is to say stands behind a place of this length; a longer one pushes it out."""


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
    paint = console.paint(console.out)
    several = len(blames) > 1
    console.print(
        "---\n".join(f"{_title(name) if several else ''}{_text(blame, paint)}" for name, blame in blames.items())
    )
    console.say(summary(list(blames.values())))
    return _problems(blames, console)


def _title(name: str) -> str:
    """Which of several documents follows, as a comment: a component does not say its name itself."""
    return f"# {one_line(name)}\n" if name else ""


def _problems(blames: dict[str, Blame], console: Console) -> int:
    """Report the values that could not be computed; those that are not known here are no error."""
    failed = [blame for blame in blames.values() if blame.value is not None and blame.has_failures]
    wrong = [finding for blame in failed for finding in mistakes_in(blame.value)]
    unknown = [found for blame in failed for found in unknown_in(blame.value, blame.path)]
    console.report([*wrong, *not_known_here(unknown)])
    return FAILED if wrong else OK


def _text(blame: Blame, paint: Paint) -> str:
    """The lines, each with the place of its value beside it."""
    text, rows = blame.printed()
    if paint.columns:
        text = "\n".join(_shortened(line, paint.columns) for line in text.split("\n"))
    at, holders = list(rows.values), [row for row, _, _ in rows.holders]
    width = min(max(longest(text, at), longest(text, holders)) + 2, COLUMN)
    places, words = _said(blame.told)
    for row, number, depth in rows.holders if blame.holders else ():
        holder = blame.holders.get((number, depth))
        if holder is not None:
            place, words[len(places)] = _leaf_words(holder)
            places.append(place)
            at.append(row)
    if paint.on or paint.columns:
        lines = text.split("\n")
        for number, (row, place) in enumerate(zip(at, places, strict=True)):
            lines[row - 1] = _row(lines[row - 1], place, words.get(number, ""), width, paint).rstrip()
        return "\n".join(lines)
    for number, more in words.items():
        places[number] = f"{places[number]:<{WORDS_FROM}}  {more}"
    if len(at) > len(rows.values):
        at, places = map(list, zip(*sorted(zip(at, places, strict=True)), strict=True))
    return with_notes(text, at, places, width - 2, "  ")


def _said(told: list[Leaf | Run]) -> tuple[list[str], dict[int, str]]:
    """The place of each value, and what else there is to say of some of them, by their number."""
    found = file_lines_of_runs([one for one in told if not isinstance(one, Leaf)], short_place)
    places: list[str] = []
    words: dict[int, str] = {}
    for one in told:
        start = len(places)
        if isinstance(one, Leaf):
            place, words[start] = _leaf_words(one)
            places.append(place)
            continue
        here, below = next(found)
        places += here
        for number, lost in below.items():
            words[start + number] = f"{OVERRIDES} {', '.join(dict.fromkeys(lost)) if len(lost) > 1 else lost[0]}"
    return places, words


def _shortened(line: str, width: int) -> str:
    """The same where it is not longer than this; a mark is in the place of the rest."""
    return line if len(line) <= width else f"{line[: width - 1]}\N{HORIZONTAL ELLIPSIS}"


def _leaf_words(leaf: Leaf) -> tuple[str, str]:
    """The place of a value, and what there is to say of the way it came."""
    words = []
    if leaf.losers:
        words.append(f"{leaf.verb} {', '.join(dict.fromkeys(short(other) for other, _ in leaf.losers))}")
    by: dict[str, list[str]] = {}
    for one in leaf.removed:
        by.setdefault(short(one.by), []).append(short(one.was))
    words += [f"{', '.join(dict.fromkeys(gone))} removed by {place}" for place, gone in by.items()]
    through = [hop for hop in leaf.way if hop.word == "through"]
    if through:
        words.append(f"through {', '.join(_passed(hop, leaf) for hop in through)}")
    reads = [hop for hop in leaf.hops if hop.word == "reads" and hop.kind == "values" and hop.origin is not None]
    reads += [read for hop in through if _gives(hop, leaf) for read in hop.hops if _is_value(read)]
    if reads:
        words.append(f"reads {_some(list(dict.fromkeys(_read(hop) for hop in reads)))}")
    return short(leaf.winner), "  ".join(words)


def _row(head: str, place: str, words: str, width: int, paint: Paint) -> str:
    """A line of the result with a place and some words beside it."""
    why = f"{_gap(place)}{paint('why', words)}" if words else ""
    return f"{_beside(head, width, paint, len(place))}{paint('place', place)}{why}"


def _gap(place: str) -> str:
    """The space between a place and the words after it."""
    return " " * (max(WORDS_FROM - len(place), 0) + 2)


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


def summary(blames: list[Blame]) -> str:
    """How many values of which files were overridden, and how many of the others were removed."""
    losers = [node for blame in blames for node in blame.overridden]
    counts = Counter[str]()
    for source, number in Counter(node.source for node in losers).items():
        counts[Origin(source, 0).file] += number
    beside = {id(node) for node in losers}
    gone = sum(id(row.was.node) not in beside for blame in blames for row in blame.gone)
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
    removed = [
        {
            "origin": origin_data(one.was),
            "role": one.was.role.kind,
            "reason": one.how or "removed",
            "by": origin_data(one.by),
        }
        for one in leaf.removed
    ]
    return {
        "path": format_path(leaf.path),
        "value": plain(leaf.value, reveal),
        "origin": origin_data(leaf.winner),
        "role": leaf.winner.role.kind,
        "overrides": overrides,
        **({"removed": removed} if removed else {}),
        **({"way": [hop_data(hop, Masks([leaf.value], reveal)) for hop in leaf.way]} if leaf.way else {}),
    }
