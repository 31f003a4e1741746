"""The law of origins over real charts: `python -m tests.charts.law [SCALARS] [SEED]` (make origins).

Scalars of rendered resources are drawn by seed over all cases of ../shared/corpora/helm. For each of them the values
that its explanation names are changed one by one, and the chart is rendered again: some change of each named value
changes the scalar, or whether it is there. Values that are not named, drawn by seed, are changed, too: where that keeps
the structure of the result, the scalar stays as it is.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import yaml

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.path import Path as NodePath
from plait.core.path import format_path
from plait.fronts.charts.chart import ChartReader
from plait.fronts.charts.installation import Installation, ReleaseOptions
from plait.fronts.charts.origins import field_origin
from plait.fronts.charts.rendering import ValueRead
from plait.fronts.project import Project

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpora" / "helm"
OTHERS = 12
"""How many values that are not named are changed for each chart."""

Field = tuple[str, int, str]
Fields = dict[Field, str]


def scalars(node: Node, path: NodePath = ()) -> list[tuple[NodePath, Scalar]]:
    if isinstance(node, MapNode):
        return [one for key, child in node.entries.items() for one in scalars(child, (*path, str(key)))]
    if isinstance(node, ListNode):
        return [one for index, child in enumerate(node.items) for one in scalars(child, (*path, index))]
    return [(path, node)] if isinstance(node, Scalar) and node.value is not None else []


def others(node: Scalar) -> Iterator[Scalar]:
    """Other values: of the same kind first, then of others."""
    value = node.value
    if isinstance(value, bool):
        yield scalar(not value, node)
    elif isinstance(value, int | float):
        yield scalar(value + 1, node)
        yield scalar(0, node)
    else:
        yield scalar(f"{node.text}x", node)
        yield scalar(f"x{node.text}", node)
    for one in ("", "other", True, False, 7):
        yield scalar(one, node)


def scalar(value: Any, node: Scalar) -> Scalar:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return Scalar(value, text, node.source, node.at)


def with_value(node: Node, path: NodePath, new: Node) -> Node:
    if not path:
        return new
    if isinstance(node, MapNode):
        inner = with_value(node.entries[path[0]], path[1:], new)  # type: ignore[index]
        return MapNode({**node.entries, path[0]: inner}, node.source, node.at)  # type: ignore[dict-item]
    assert isinstance(node, ListNode)
    items = list(node.items)
    items[path[0]] = with_value(items[path[0]], path[1:], new)  # type: ignore[index]
    return ListNode(items, node.source, node.at)


def fields(made: Installation) -> Fields:
    """Every scalar of every resource, by its template, its number there and its path."""
    found: Fields = {}
    for number, one in enumerate(made.manifests):
        if one.node is not None:
            found |= {(one.written_by, number, format_path(path)): leaf.text for path, leaf in scalars(one.node)}
    return found


class ChartLaw:
    """One chart with values, and what becomes of it when one of them changes."""

    def __init__(self, chart: Path, values: list[Path], chance: random.Random) -> None:
        self._project = Project(str(chart.parent))
        read = ChartReader(self._project)
        self._given: list[Node] = [node for name in values if (node := read.values(str(name))) is not None]
        self._chart = str(chart)
        self._chance = chance
        self.made = self._installation()
        self.before = fields(self.made)
        self.every = [
            (number, one, path, leaf)
            for number, one in enumerate(self.made.manifests)
            if one.node is not None and one.written_by in self.made.pieces
            for path, leaf in scalars(one.node)
        ]
        self.leaves = dict(scalars(self.made.values))
        self._changed: dict[tuple[NodePath, int], Fields | None] = {}
        self.wrong: list[str] = []

    def _installation(self) -> Installation:
        return Installation(self._project, self._chart, self._given, ReleaseOptions("demo", "prod", "1.32.0"))

    def after(self, path: NodePath, number: int, new: Scalar) -> Fields | None:
        """The scalars where one value is another; None where the chart cannot be rendered then."""
        key = (path, number)
        if key not in self._changed:
            self._project.meter.restart()
            other = self._installation()
            other.__dict__["family"] = self.made.family
            other.__dict__["values"] = with_value(self.made.values, path, new)
            try:
                self._changed[key] = fields(other)
            except Fault:
                self._changed[key] = None
        return self._changed[key]

    def check(self, number: int, one: Any, path: NodePath, leaf: Scalar) -> None:
        """One scalar of the result, in both directions."""
        origin = field_origin(self.made, one, leaf)
        field = (one.written_by, number, format_path(path))
        if origin is None:
            self.wrong.append(f"{field}: it has no origin")
            return
        named = [read.path for read in origin.reads if isinstance(read, ValueRead)]
        decided = [read.path for rule in origin.conditions for read in rule.reads if isinstance(read, ValueRead)]
        self.wrong += [f"{field}: {format_path(name)} is named and changes nothing" for name in named
                       if name in self.leaves and not self._matters(name, field)]  # fmt: skip
        unnamed = [name for name in self.leaves if name not in {*named, *decided}]
        for name in self._chance.sample(unnamed, min(OTHERS, len(unnamed))):
            after = self.after(name, 0, next(others(self.leaves[name])))
            if after is not None and set(after) == set(self.before) and after[field] != self.before[field]:
                self.wrong.append(f"{field}: {format_path(name)} changes it and is not named")

    def _matters(self, name: NodePath, field: Field) -> bool:
        """Whether some change of a value changes a scalar, or whether it is there, or stops the chart."""
        for number, new in enumerate(others(self.leaves[name])):
            after = self.after(name, number, new)
            if after is None or after.get(field) != self.before[field] or set(after) != set(self.before):
                return True
        return False


def laws(chance: random.Random, names: Collection[str]) -> Iterator[ChartLaw]:
    """The cases of the corpus, or those of some charts."""
    for case in yaml.safe_load((CORPUS / "cases-template.yaml").read_text(encoding="utf-8"))["cases"]:
        if not names or case["chart"] in names:
            chart = (CORPUS / "charts" / case["chart"]).resolve()
            yield ChartLaw(chart, [chart / name for name in case["values"]], chance)


def check(count: int, seed: int, names: Collection[str] = ()) -> tuple[int, list[str]]:
    """How many scalars were checked, and what is wrong."""
    chance = random.Random(seed)
    every = list(laws(chance, names))
    rows = [(law, row) for law in every for row in law.every]
    drawn = chance.sample(rows, min(count, len(rows)))
    for law, row in drawn:
        law.check(*row)
    return len(drawn), [f"{Path(law._chart).name} {line}" for law in every for line in law.wrong]


def main() -> int:
    count, seed = [*map(int, sys.argv[1:]), *(2000, 1)[len(sys.argv) - 1 :]]
    checked, wrong = check(count, seed)
    print("\n".join(wrong))
    print(f"{checked} scalars, {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
