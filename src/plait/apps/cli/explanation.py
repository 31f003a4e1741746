"""An explanation as text for people and as data: values on one line, places, and the ways that values came."""

from __future__ import annotations

from plait.apps.cli.console import FAILED, OK, UNSURE, Console
from plait.apps.cli.proving import proof_data, proof_lines
from plait.core.node import (
    COMPUTED,
    Failure,
    ListNode,
    MapNode,
    Mark,
    Node,
    Scalar,
    Suspension,
    Unknown,
    hidden,
    key_text,
    rewrite,
    secrets_in,
)
from plait.core.path import format_path
from plait.core.policy import LIST_STRATEGIES
from plait.core.role import BASE, DIRECTIVE, ENVIRONMENT, LAYER, OVERRIDE, Role
from plait.core.source import MASK, UNKNOWN, Source
from plait.core.unknown import presented, unknown_of
from plait.core.visible import one_line, visible
from plait.report.render import PLAIN
from plait.report.unknown import UnknownValue, not_known_here, unknown_data, unknown_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.apps.cli.namespace import Namespace
    from plait.core.diagnostic import NotKnown
    from plait.core.source import Origin
    from plait.edits.proof import ExplanationProof as Proved
    from plait.evaluate.explain import Contribution, Explanation, Leaf, RemovedBefore
    from plait.evaluate.hops import Hop
    from plait.report.render import Paint
    from plait.yaml.schema import Schema

NOTHING: dict[str, object] = {"value": COMPUTED, "decision": "only", "parts": []}
"""What the JSON of an explanation says of a value of which nothing is known."""
WIDTH = 60
"""A value longer than this is cut where others are beside it."""


def show(
    explanation: Explanation, schema: Schema | None, args: Namespace, console: Console, proof: Proved | None = None
) -> int:
    """Print an explanation as the options ask for it, and report the values that are not known here."""
    console.print(explanation_text(explanation, args.format, args.reveal, console.paint(console.out), schema, proof))
    console.report(not_known_here(unknown_in(explanation.value, explanation.path)))
    if proof is None:
        return OK
    return FAILED if not proof.held else UNSURE if proof.untried else OK


def nothing_known(error: NotKnown, args: Namespace, console: Console, owner: str = "", **data: object) -> int:
    """Say that what was asked for, or all that it is part of, is not known here, and why: that is no mistake. `data` is
    what the JSON of a command has beside it."""
    found = [UnknownValue((), unknown_of(error), owner)]
    if args.format == "json":
        from plait.report.data import json_text

        console.print(json_text({**data, "leaves": [], "unknown": unknown_data(found)}))
    else:
        console.print(f"{data['path']}\n  {COMPUTED}\n" if data else f"{COMPUTED}\n")
    console.report(not_known_here(found))
    return OK


def explanation_text(
    explanation: Explanation,
    form: str,
    reveal: bool,
    paint: Paint = PLAIN,
    schema: Schema | None = None,
    proof: Proved | None = None,
) -> str:
    """An explanation as text for people, or as JSON. `schema` is that by which `plait merge` prints the same value."""
    if form == "json":
        from plait.report.data import json_text

        return json_text({**to_data(explanation, reveal), **({"proof": proof_data(proof)} if proof else {})})
    from plait.yaml.printing import as_text

    shown = presented(explanation.value) if explanation.value is not None else None
    value = as_text(shown, reveal=reveal, schema=schema) if shown is not None else ""
    said = "\n".join(proof_lines(proof, format_path(explanation.path))) + "\n" if proof is not None else ""
    return to_text(explanation, value, reveal, paint) + said


def to_text(explanation: Explanation, value: str, reveal: bool = False, paint: Paint = PLAIN) -> str:
    """The explanation as people read it."""
    masks = Masks.of(explanation, reveal)
    if explanation.gone:
        return _gone(explanation, masks, paint)
    lines: list[str] = []
    merged = False
    if explanation.value is not None:
        title = format_path(explanation.path) or "(the whole document)"
        lines += [title, *(f"  {line}" for line in value.splitlines()), ""]
        merged = isinstance(explanation.value, MapNode | ListNode) and _is_made(explanation.parts)
    if merged:
        several = len(explanation.parts) > 1
        what = "layers" if all(part.role.kind == LAYER for part in explanation.parts) else "parts"
        lines += [f"merged from {len(explanation.parts)} {what} ({explanation.decision})" if several else "computed"]
        lines += [*_parts(explanation.parts, masks, paint), ""]
    lines += _table([_leaf_row(leaf, masks) for leaf in explanation.leaves], {2: "place", 3: "why"}, paint)
    if len(explanation.leaves) == 1:
        lines += _source_line(explanation.leaves[0].winner)
    lines += way_lines(explanation, masks, paint)
    for leaf in explanation.leaves:
        if not merged or leaf.path != explanation.path:  # else the parts have shown it already
            lines += _chain(leaf.winner, 1, masks, paint)
    lines += [line for one in explanation.removed for line in _gone(one, masks, paint).splitlines()]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _is_made(parts: list[Contribution]) -> bool:
    """Whether a value was merged or computed, and not only written."""
    return len(parts) > 1 or bool(parts[0].expression)


def _gone(explanation: Explanation, masks: Masks, paint: Paint) -> str:
    """A value that is not in the result: what removed or replaced it, and what it was."""
    rows: list[tuple[str, ...]] = [
        ("  was", where(lost), masks.brief(lost.result), why if end is not None else "")
        for (lost, why), end in zip(explanation.losers, explanation.ends, strict=True)
    ]
    title = f"{format_path(explanation.path)} is not in the result"
    if explanation.removed_by is not None:
        how = "removed by" if explanation.decision in ("unset", "deleted") else "replaced by"
        rows = [(f"  {how}", where(explanation.removed_by), masks.brief(explanation.removed_by.node), ""), *rows]
    else:
        title += f": {explanation.losers[0][1]}"
    return "\n".join([title, *_table(rows, {1: "place"}, paint)]) + "\n"


class Masks:
    """Values on one line with secrets masked; a value that overrides a secret is masked too."""

    def __init__(self, values: Iterable[Node], reveal: bool, winners: Iterable[Contribution] = ()) -> None:
        self.reveal = reveal
        texts = set() if reveal else {secret.text for node in values for secret in secrets_in(node)} - {""}
        self.texts = sorted(texts, key=len, reverse=True)
        self.hidden = {id(part) for part in winners}

    @classmethod
    def of(cls, explanation: Explanation, reveal: bool) -> Masks:
        leaves = explanation.leaves
        values = [value for leaf in leaves for value in leaf.values]
        values += [lost.result for one in (explanation, *explanation.removed) for lost, _ in one.losers]
        values += [explanation.value] if explanation.value is not None else []
        hidden = [leaf.winner for leaf in leaves if not reveal and secrets_in(leaf.value)]
        return cls(values, reveal, hidden)

    def brief(self, node: Node) -> str:
        return self.words(brief(node, self.reveal))

    def words(self, text: str) -> str:
        """What is written somewhere, with the secrets masked that are known here."""
        for secret in self.texts:
            text = text.replace(secret, MASK)
        return text

    def data(self, node: Node) -> object:
        """A value as Python data, masked."""

        def leaf(at: Node) -> Node:
            return hidden(at) if isinstance(at, Scalar) and at.text in self.texts else at

        return plain(rewrite(node, leaf) if self.texts else node, self.reveal)

    def result(self, part: Contribution) -> str:
        return MASK if id(part) in self.hidden and isinstance(part.result, Scalar) else self.brief(part.result)


def where(part: Contribution) -> str:
    """The place of a part, and what it is to the merge where that is not plain from the place."""
    as_what = role_words(part.role)
    return f"{part.node.origin} ({as_what})" if as_what else str(part.node.origin)


def short(part: Contribution) -> str:
    """File and line."""
    return short_place(part.node)


def short_place(node: Node) -> str:
    """The same of a node."""
    source = node.source
    if source.__class__ is not Source:  # nearly never
        source, at = node.origin.source, node.origin.at
    else:
        at = node.at
    if source is UNKNOWN:
        return ""
    return source.name if source.given else f"{source.name}:{source.position(at)[0]}"


def inner_where(part: Contribution) -> str:
    """The same inside parentheses."""
    return ", ".join(filter(None, (role_words(part.role), str(part.node.origin))))


def role_words(role: Role) -> str:
    if role.kind in (BASE, OVERRIDE):
        return f"{role.kind} `{role.name}`" if role.name else role.kind
    return f"by {role.name}" if role.kind == DIRECTIVE else OF_NO_FILE.get(role.kind, "")


OF_NO_FILE = {ENVIRONMENT: "environment variable"}
"""What a part is that was written in no file, where its name does not say so."""


def way_lines(explanation: Explanation, masks: Masks, paint: Paint) -> list[str]:
    """The ways that values came: of one value the whole way, of several what they came through, each once."""
    leaves = explanation.leaves
    if len(leaves) == 1:
        return hop_lines(leaves[0].hops, masks, paint)
    shown: set[str] = set()
    stack = list(explanation.parts)
    while stack:
        part = stack.pop()
        shown.add(str(part.node.origin))
        stack += part.reads
    chosen = (hop for leaf in leaves for hop in leaf.hops if hop.word == "through" or hop.kind == "list rule")
    hops = {str(hop.origin): hop for hop in chosen}
    return hop_lines([hop for place, hop in hops.items() if place not in shown], masks, paint)


def hop_lines(hops: list[Hop], masks: Masks, paint: Paint = PLAIN) -> list[str]:
    """A line for each hop: what it is to the value, the path, the place and what is written there."""
    rows: list[tuple[str, ...]] = []
    plain_rows: list[tuple[str, ...]] = []
    stack = [(hop, 1) for hop in reversed(hops)]
    while stack:
        hop, level = stack.pop()
        said = [masks.words(hop.text)] if hop.text else []
        said += [masks.brief(hop.value)] if hop.value is not None else []
        place = str(hop.origin) if hop.origin is not None else ""
        cells = (f"{'  ' * level}{hop.word}", format_path(hop.path), place, visible("  ->  ".join(said)))
        (rows if hop.origin is not None else plain_rows).append(cells)
        stack.extend((inner, level + 1) for inner in reversed(hop.hops))
    if any(cells[1] for cells in rows):
        table = _table(rows, {2: "place"}, paint)
    else:
        table = _table([(cells[0], *cells[2:]) for cells in rows], {1: "place"}, paint)
    return [*table, *(f"{cells[0]}  {cells[3]}" for cells in plain_rows)]


def _source_line(part: Contribution) -> list[str]:
    """The line that the winner was written on."""
    origin = part.node.origin
    return [] if origin.kind == "given" else [f"  {origin.line} | {visible(origin.source.line(origin.line))}"]


def _parts(parts: list[Contribution], masks: Masks, paint: Paint) -> list[str]:
    """Every part, the highest first, and what it read."""
    rows: list[tuple[str, ...]] = [
        (f"  {rank}  {where(part)}", masks.brief(part.node) + _result(part, masks))
        for rank, part in enumerate(parts, 1)
    ]
    table = _table(rows[::-1], {0: "place"}, paint)
    lines: list[str] = []
    for row, part in zip(table, parts[::-1], strict=True):
        lines.append(row)
        lines += _chain(part, 2, masks, paint)
    return lines


def _result(part: Contribution, masks: Masks) -> str:
    return f"     ->  {masks.result(part)}" if part.expression else ""


def _chain(part: Contribution, depth: int, masks: Masks, paint: Paint) -> list[str]:
    """What an expression read, and what that read, down to literals."""
    lines: list[str] = []
    stack = [(read, depth) for read in reversed(part.reads)]
    while stack:
        read, level = stack.pop()
        by = f"{read.expression}  ->  " if read.expression else ""
        path = f"{format_path(read.path)}    " if read.path else ""
        lines.append(f"{'  ' * level} {path}{paint('place', str(read.node.origin))}    {by}{masks.brief(read.result)}")
        lines += [
            f"{'  ' * level}   {hop.word} {paint('place', str(hop.origin))}    {_said(hop, masks)}" for hop in read.hops
        ]
        below = read.reads + (read.inside if len(read.inside) == 1 else [])
        stack.extend((inner, level + 1) for inner in reversed(below))
        if len(read.inside) > 1:
            places = ", ".join(dict.fromkeys(short(inner) for inner in read.inside))
            lines.append(f"{'  ' * level}   {len(read.inside)} values in it are computed: {places}")
    return lines


def _said(hop: Hop, masks: Masks) -> str:
    """What is written at a hop of a value that was read; of a name by which an item is found, its path, too."""
    if hop.text or hop.value is None:
        return masks.words(hop.text)
    return f"{format_path(hop.path)}: {masks.brief(hop.value)}"


def _leaf_row(leaf: Leaf, masks: Masks) -> tuple[str, ...]:
    winner = leaf.winner
    by = f"{winner.expression}  ->  " if winner.expression else ""
    return (format_path(leaf.path), by + masks.brief(leaf.value), where(winner), verdict(leaf, masks))


def verdict(leaf: Leaf, masks: Masks) -> str:
    """What was decided about one value, in one line."""
    losers = "; ".join(f"{masks.brief(lost.result)} ({inner_where(lost)}): {why}" for lost, why in leaf.losers)
    before = [f"{masks.brief(one.was.result)} ({inner_where(one.was)}) {one.why}" for one in leaf.removed]
    if losers or before:
        return "; ".join([*([f"{leaf.verb} {losers}"] if losers else []), *before])
    if leaf.also:
        return f"also {', '.join(str(part.node.origin) for part in leaf.also)}: the items are matched by it"
    return f"{ADDED[leaf.how]} by {short(leaf.winner)}" if leaf.how in ADDED else "set only here"


ADDED = {one.decided: one.added for one in LIST_STRATEGIES.values() if one.added}
"""The reason shown for an item that only the higher list has, by what was decided about the lists."""


def _table(rows: list[tuple[str, ...]], styles: dict[int, str] | None = None, paint: Paint = PLAIN) -> list[str]:
    """Rows with their cells in columns; `styles` are the colours of some columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    styles = styles if styles and paint.on else {}

    def cell(text: str, column: int) -> str:
        before, rest = " " * (len(text) - len(text.lstrip())), " " * (widths[column] - len(text))
        return (before + paint(styles[column], text.lstrip()) if column in styles else text) + rest

    return ["    ".join(cell(text, column) for column, text in enumerate(row)).rstrip() for row in rows]


def brief(node: Node, reveal: bool = False) -> str:
    """A value on one line, cut where it is long."""
    return cut(_flow(node, reveal))


def cut(text: str) -> str:
    """A text that is beside others: the beginning of a long one."""
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def _flow(node: Node, reveal: bool, depth: int = 0) -> str:
    if isinstance(node, Mark):
        return f"!merge-by {','.join(node.rule.keys)}" if node.rule is not None else _as_written(node)
    if isinstance(node, Unknown):
        return _flow(node.known, reveal, depth) if node.known is not None else COMPUTED
    if isinstance(node, Failure):
        return f"error: {node.diagnostics[0].message}" if node.diagnostics else "error"
    if isinstance(node, Scalar):
        if node.secret and not reveal:
            return node.mask
        return visible(_shown_scalar(node).replace("\n", "\\n")) or ("null" if node.value is None else '""')
    if depth > 3:
        return "..."
    if isinstance(node, MapNode):
        return (
            "{"
            + ", ".join(f"{one_line(key_text(k))}: {_flow(c, reveal, depth + 1)}" for k, c in node.entries.items())
            + "}"
        )
    if isinstance(node, ListNode):
        return "[" + ", ".join(_flow(item, reveal, depth + 1) for item in node.items) + "]"
    return node.told if isinstance(node, Suspension) else node.kind


def _shown_scalar(node: Scalar) -> str:
    from plait.yaml.spelling import shown_scalar

    return shown_scalar(node)


def _as_written(mark: Mark) -> str:
    """A word that removes, as it is in its file: `!unset`, or what else removes there: `null`, `$patch: delete`, a word
    of another meaning from which it follows."""
    if isinstance(mark.data, Suspension):
        return mark.data.told
    origin = mark.origin
    line = origin.source.line(origin.line)
    words = line[origin.column - 1 :].replace(",", " ").replace("}", " ").split()
    if words and words[0].startswith(("!", "null", "~")):
        return words[0]
    _, dollar, directive = line[: origin.column - 1].rpartition("$")
    if not dollar:
        return mark.data.text if isinstance(mark.data, Scalar) else "!unset"
    name = directive.strip().rstrip(": [")
    return f"${name}: delete" if name == "patch" else f"${name}"


def to_data(explanation: Explanation, reveal: bool = False) -> dict[str, object]:
    """The same as data: parts with role, rank, origin, expression and result; for each leaf the winner and what it
    overrides."""
    masks = Masks.of(explanation, reveal)
    data: dict[str, object] = {"path": format_path(explanation.path)}
    if explanation.gone:
        data["gone"] = True
        if explanation.removed_by is not None:
            data["removed_by"] = _contribution(explanation.removed_by, masks, value=False)
        data["was"] = _was_data(explanation, masks)
        return data
    if explanation.value is not None:
        data["value"] = plain(presented(explanation.value), reveal)
    data["decision"] = explanation.decision
    data["parts"] = [{"rank": rank, **_contribution(part, masks)} for rank, part in enumerate(explanation.parts, 1)]
    data["leaves"] = [leaf_data(leaf, masks) for leaf in explanation.leaves]
    if unknown := unknown_in(explanation.value, explanation.path):
        data["unknown"] = unknown_data(unknown)
    if explanation.removed:
        data["removed"] = [to_data(one, reveal) for one in explanation.removed]
    return data


def leaf_data(leaf: Leaf, masks: Masks) -> dict[str, object]:
    return {
        "path": format_path(leaf.path),
        "value": plain(leaf.value, masks.reveal),
        **({"how": leaf.how} if leaf.how else {}),
        "winner": _contribution(leaf.winner, masks),
        **({"way": [hop_data(hop, masks) for hop in leaf.way]} if leaf.way else {}),
        "overrides": [{**_contribution(lost, masks), "reason": why} for lost, why in leaf.losers],
        **({"removed": [_removed_data(one, masks) for one in leaf.removed]} if leaf.removed else {}),
    }


def _removed_data(one: RemovedBefore, masks: Masks) -> dict[str, object]:
    """What was gone before a value came: how, and what removed it."""
    return {**_contribution(one.was, masks), "reason": one.how or "removed", "by": origin_data(one.by)}


def _was_data(told: Explanation, masks: Masks) -> list[dict[str, object]]:
    """What there was: why it is gone, and by what, where that is not what decided."""
    return [
        {**_contribution(lost, masks), "reason": why, **({"by": place_data(end)} if end is not None else {})}
        for (lost, why), end in zip(told.losers, told.ends, strict=True)
    ]


def origin_data(part: Contribution) -> dict[str, object]:
    return place_data(part.node.origin)


def place_data(origin: Origin) -> dict[str, object]:
    return {"file": origin.file, "line": origin.line, "column": origin.column, "kind": origin.kind}


def hop_data(hop: Hop, masks: Masks) -> dict[str, object]:
    """A hop as data."""
    data: dict[str, object] = {"word": hop.word}
    data.update({"kind": hop.kind} if hop.kind else {})
    data.update({"path": format_path(hop.path)} if hop.path else {})
    data.update({"origin": place_data(hop.origin)} if hop.origin is not None else {})
    data.update({"text": masks.words(hop.text)} if hop.text else {})
    data.update({"value": masks.data(hop.value)} if hop.value is not None else {})
    data.update({"reads": [hop_data(inner, masks) for inner in hop.hops]} if hop.hops else {})
    return data


def _contribution(part: Contribution, masks: Masks, value: bool = True) -> dict[str, object]:
    origin = part.node.origin
    role = part.role
    data: dict[str, object] = {"role": role.kind, "origin": origin_data(part)}
    data.update({"name": role.name} if role.name else {})
    data.update({"imports": list(role.chain)} if len(role.chain) > 1 else {})
    data["source"] = origin.source.line(origin.line).strip()  # secrets in it are masked by the source itself
    if value:
        data["value"] = MASK if id(part) in masks.hidden else masks.data(part.result)
    if part.expression:
        data["expression"] = part.expression
        data["reads"] = [{"path": format_path(read.path), **_contribution(read, masks)} for read in part.reads]
    return data


def plain(node: Node, reveal: bool = False) -> object:
    """A finished node as Python data, secrets masked; what failed as its message."""
    from plait.core.node import plain_value

    if isinstance(node, Unknown) and node.known is not None:
        return plain_value(presented(node.known), reveal)
    if isinstance(node, Failure | Mark):
        return brief(node, reveal)

    return plain_value(node, reveal)
