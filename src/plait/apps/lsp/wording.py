"""Explanations as an editor shows them: Markdown, in which no text of a file is markup."""

from __future__ import annotations

from plait.core.node import Node, Scalar, secrets_in
from plait.core.path import format_path
from plait.core.source import MASK, Origin
from plait.core.unknown import overriding
from plait.fronts.editing import one_line
from plait.report.markdown import code_span, name, running_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.authoring.session import Authoring
    from plait.authoring.state import Value
    from plait.authoring.symbols import Symbol
    from plait.evaluate.explain import Contribution, Leaf
    from plait.evaluate.hops import Hop
    from plait.yaml.places import WrittenSpot

LONG = 60
SHOWN = 12
"""How many values of a map or list are shown one by one."""


class Words:
    """How values and places of one folder are shown."""

    def __init__(self, authoring: Authoring) -> None:
        self.authoring = authoring

    def place(self, origin: Origin) -> str:
        """A place, as short as it can be."""
        path = self.authoring.path_of(origin.source)
        if not path:
            return str(origin)
        return f"{self.authoring.near(path)}:{origin.line}"

    def value(self, node: Node) -> str:
        """A value on one line, secrets masked."""
        text = one_line(node).strip() if self.authoring.is_known(node) else NOT_COMPUTED
        return text if len(text) <= LONG else text[: LONG - 3] + "..."

    def beside(self, spot: WrittenSpot, values: list[Value]) -> str:
        """The hint beside a value: what an expression gives, and what the value overrides."""
        text = spot.text or ""
        texts: list[str] = []
        values = [value for value in values if not value.lost and not self._is_overridden(value, spot)]
        is_query = spot.path[-1] in QUERIES and self.authoring.kind_of(self._file(spot)) == "document"
        if spot.tag.startswith("!") or "{{" in text or text.startswith("((") or is_query:
            given = list(dict.fromkeys(self._short(value) for value in values))
            is_news = [value for value in values if not isinstance(value.node, Scalar) or value.node.text != text]
            several = f"= {len(given)} values" if len(given) > 1 else ""
            texts += [several or f"= {given[0]}"] if is_news else []
        deciding = [value for value in values if value.decides and value.explanation is not None]
        losers = [(leaf, part) for value in deciding[:1] for leaf in self._leaves(value) for part, _ in leaf.losers]
        return ", ".join([*texts, *(f"{leaf.verb} {self.place(part.node.origin)}" for leaf, part in losers[:1])])

    def _is_overridden(self, value: Value, spot: WrittenSpot) -> bool:
        """Whether what is written at a place is not the value."""
        leaves = self._leaves(value)
        leaf = leaves[0] if len(leaves) == 1 else None
        lost = leaf.lost if leaf is not None else []
        return not value.decides and any(
            self.authoring.path_of(origin.source) == self._file(spot)
            and origin.line == spot.layout.source.position(spot.at)[0]
            for origin in (part.node.origin for part in lost)
        )

    def _file(self, spot: WrittenSpot) -> str:
        return self.authoring.path_of(spot.layout.source)

    @staticmethod
    def _leaves(value: Value) -> list[Leaf]:
        return value.explanation.leaves if value.explanation is not None else []

    # Names

    def component(
        self, symbol: Symbol, defined: list[tuple[str, tuple[int, int]]], bases: list[Symbol], heirs: list[Symbol]
    ) -> str:
        """A component: where it is written, what it inherits, and what inherits it."""
        places = [self.place(Origin(self.authoring.source(file), start)) for file, (start, _) in defined]
        rows = {"written in": places, "inherits": names_of(bases), "inherited by": names_of(heirs)}
        lines = [f"- {head} {self._listed(row)}" for head, row in rows.items() if row]
        return "\n".join([f"{name(symbol.name)}: a component of type {name(symbol.type)}", "", *lines])

    @staticmethod
    def input(title: str, about: str, default: str) -> str:
        """An input of a pattern."""
        usual = f"default {code_span(default)}" if default else ""
        return "\n\n".join(filter(None, [f"**{name(title)}**: an input of the pattern", running_text(about), usual]))

    def files(self, paths: list[str]) -> str:
        """The files that a name means."""
        return self._listed([self.authoring.near(path) for path in paths])

    @staticmethod
    def _listed(names: list[str]) -> str:
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return ", ".join(map(name, names[:SHOWN])) + more

    # Several results

    def about(self, values: list[Value], left: int = 0) -> str:
        """Everything that there is to say about a written place; `left` are results that were not looked at yet."""
        several = "stack or target reads" if left == 1 else "stacks or targets read"
        more = f"\n\n{left} more {several} this; hover again to see all" if left else ""
        told = dict.fromkeys(value.result.about for value in values if value.result.about)
        return "\n\n".join([f"{self._about(values)}{more}", *map(code_span, list(told)[:SHOWN])])

    def _about(self, values: list[Value]) -> str:
        values = list({(value.result.label, self._short(value)): value for value in values}.values())
        if not values:
            return ""
        if len(values) == 1:
            return self.one(values[0])
        path = format_path(values[0].path)
        groups: dict[str, list[Value]] = {}
        for value in values:
            groups.setdefault(self._short(value), []).append(value)
        most = sorted(groups.items(), key=lambda row: -len(row[1]))
        counted = ", ".join(f"{code_span(text)} in {len(members)}" for text, members in most)
        lines = [
            f"**{name(path)}**",
            "",
            f"{counted_as(values)}: {counted}" if len(most) > 1 else code_span(most[0][0]),
        ]
        for text, members in most if len(most) > 1 else [("", most[0][1])]:
            lines += ["", *([f"{code_span(text)}:"] if text else []), self._names(members)]
        lines += ["", *self._story(most[0][1][0])]
        return "\n".join(lines).rstrip()

    def _names(self, members: list[Value]) -> str:
        return self._listed([member.result.label for member in members])

    def _short(self, value: Value) -> str:
        if value.node is None:
            return "(removed)" if value.computed else NOT_COMPUTED
        return self.value(value.node)

    def in_targets(self, values: list[Value], names: tuple[str, ...]) -> str:
        """A value that a template names, in each target with the place that decides it."""
        lines = [
            f"- {name(value.result.label)}: {code_span(self._short(value))}{self._decided(value)}" for value in values
        ]
        known = lines[:SHOWN] or ["no values file sets it"]
        more = [f"- and {len(lines) - SHOWN} more targets"] if len(lines) > SHOWN else []
        return "\n".join([f"**.Values.{name('.'.join(names))}**", "", *known, *more])

    def _decided(self, value: Value) -> str:
        """The place that decides a value, and what it overrides."""
        leaves = value.explanation.leaves if value.explanation is not None else []
        if len(leaves) != 1:
            return ""
        winner, losers = leaves[0].winner, leaves[0].losers
        over = f", {leaves[0].verb} {self._part(losers[0][0])}" if losers else ""
        return f" ({name(self.place(winner.node.origin))}{over})"

    def used(self, places: list[tuple[str, tuple[int, int]]]) -> str:
        """The lines of templates that name a value."""
        rows = dict.fromkeys(
            f"{self.authoring.near(file)}:{self.authoring.source(file).position(span[0])[0]}" for file, span in places
        )
        return f"used in {self._listed(list(rows))}" if rows else ""

    # One result

    def one(self, value: Value) -> str:
        explanation = value.explanation
        if explanation is None:
            said = value.why or (value.obstacle.message if value.obstacle is not None else "")
            why = f"- {running_text(said)}" if said else ""
            head = f"**{name(format_path(value.path))}**: {NOT_COMPUTED}"
            return "\n".join([head, "", name(value.result.label), "", why]).rstrip()
        head = f"**{name(format_path(explanation.path))}** = {code_span(self._short(value))}"
        return "\n".join([head, "", name(value.result.label), "", *self._story(value)]).rstrip()

    def _story(self, value: Value) -> list[str]:
        explanation = value.explanation
        if explanation is None:
            return []
        if explanation.gone:
            by = explanation.removed_by
            lines = [f"- removed by {name(self.place(by.node.origin))}"] if by is not None else []
            return [*lines, *(f"- was {self._part(part)}" for part, _ in explanation.losers)]
        lines = []
        alone = len(explanation.leaves) == 1
        secret = alone and explanation.value is not None and self._is_secret(explanation.value)
        for leaf in explanation.leaves[:SHOWN]:
            lines += self._leaf(leaf, alone, secret or self._is_secret(leaf.value))
        if len(explanation.leaves) > SHOWN:
            lines.append(f"- and {len(explanation.leaves) - SHOWN} more values")
        return lines

    def _is_secret(self, node: Node) -> bool:
        return self.authoring.is_known(node) and bool(secrets_in(node))

    def _leaf(self, leaf: Leaf, alone: bool, secret: bool) -> list[str]:
        path = "" if alone else f"{code_span(format_path(leaf.path))}: "
        how = f" ({running_text(leaf.how)})" if leaf.how else ""
        derived = leaf.winner.node.origin.source.given and not leaf.winner.node.origin.source.text
        lines = [f"- {path}{DERIVED if derived else f'set by {self._part(leaf.winner, secret)}{how}'}"]
        hops = [*leaf.hops, *(self.authoring.generating(leaf) if alone else ())]
        for hop in hops:
            if hop.word not in ("written", "imported by"):
                lines.append(f"  - {self._hop(hop, leaf.told(hop))}")
                lines += [f"    - {self._hop(read, leaf.told(read))}" for read in hop.hops[:SHOWN]]
        chain = leaf.winner.role.chain
        importers = ", which is imported by ".join(map(name, chain[-2::-1]))
        lines += [f"  - imported by {importers}"] if importers else []
        lines += [f"  - {overriding(why)} {self._part(part)}: {running_text(why)}" for part, why in leaf.losers]
        lines += [f"  - {self._part(one.was)} {running_text(one.why)}" for one in leaf.removed]
        lines += [f"  - reads {name(format_path(read.path))} {self._part(read)}".rstrip() for read in leaf.winner.reads]
        return lines

    def _hop(self, hop: Hop, text: str) -> str:
        """What the value came through: the path, the place and what is written there."""
        path = f" {name(format_path(hop.path))}" if hop.path else ""
        place = f" {name(self.place(hop.origin))}" if hop.origin is not None else ""
        first = text.strip().splitlines()[:1]
        return f"{running_text(hop.word)}{path}{place}{f' {code_span(first[0])}' if first else ''}"

    def _part(self, part: Contribution, secret: bool = False) -> str:
        """The value that one place has. `secret`: what overrides a secret is one, even without a mark."""
        written = part.expression.strip().splitlines()[0] if part.expression.strip() else ""
        value = MASK if secret else self.value(part.result)
        shown = f"{code_span(written)} -> {code_span(value)}" if written else code_span(value)
        return f"{name(self.place(part.node.origin))} {shown}"


def names_of(symbols: list[Symbol]) -> list[str]:
    """The names of some components, each once."""
    return list(dict.fromkeys(symbol.name for symbol in symbols))


def counted_as(values: list[Value]) -> str:
    """How many results there are, as people count them: stacks, components in stacks, or targets."""
    stacks = {value.result.stack for value in values}
    if "" in stacks:
        return (
            f"{len(values)} targets"
            if len({value.result.unit for value in values}) == len(values)
            else (f"{len(values)} results")
        )
    if len(stacks) == len(values):
        return f"{len(stacks)} stacks"
    return f"{len(values)} components in {len(stacks)} stack{'' if len(stacks) == 1 else 's'}"


QUERIES = ("eval", "ref", "get_nodes")
"""Keys of a document whose values are expressions."""
NOT_COMPUTED = "(not computed)"
DERIVED = "worked out from the manifests"
