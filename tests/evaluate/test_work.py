"""What a document says of the work that was done for it, and what an expression may not do."""

from __future__ import annotations

import gc
from contextlib import nullcontext
from pathlib import Path

import pytest

import plait
from plait.core.diagnostic import PlaitError
from plait.core.expression import Expression
from plait.core.node import MapNode, Node, Suspension
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator, ItemIndex
from plait.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Scope

CHAIN = ["a: !ref b\n", "b: !ref c\n", "c: !ref d\n", "d: !ref e\n", "e: !ref f\n", "f: 1\n"]
WORK: dict[tuple[str, ...], tuple[int, int]] = {
    ("a: 1\nb: [2]\n",): (0, 0),
    ("a: !ref b\nb: 1\n",): (1, 1),
    ("a: !ref b\nb: !ref c\nc: 1\n",): (2, 3),  # a begins, waits for b, and is begun again
    ("a: !ref b\nb: !ref c\nc: !ref d\nd: 1\n",): (3, 5),
    ("".join(CHAIN),): (5, 9),  # each but the last twice
    ("".join(reversed(CHAIN)),): (5, 5),  # each finds what it needs
    ("a: [!ref b, !ref b]\nb: 1\n",): (2, 2),
    ("a: !ref m.x\nm: {x: !ref n, y: 2}\nn: 1\n",): (2, 3),
    ("a: !env HOME\nb: !env HOME\n",): (2, 2),  # one call
    ("a: !ref b\nb: !ref a\n",): (2, 2),  # they wait for each other: both are errors
    ("a: !ref b\nb: !ref c\nc: !ref a\nd: !ref a\n",): (4, 5),
    ("a: {x: 1}\nb: {y: 2}\n", "a: !ref b\n", "a: {z: 3}\n"): (2, 2),  # an expression in the way of a merge, at once
    ("a: {x: 1}\nb: !ref c\nc: {y: 2}\n", "a: !ref b\n", "a: {z: 3}\n"): (3, 5),  # the merge waits for it
}
"""Layers, how many of their expressions and merges were evaluated, and in how many steps."""


@pytest.mark.parametrize("layers", WORK)
def test_each_expression_is_evaluated_once_and_what_waits_is_begun_again(
    layers: tuple[str, ...], tmp_path: Path
) -> None:
    names = [str(tmp_path / f"{number}.yaml") for number in range(len(layers))]
    for name, text in zip(names, layers, strict=True):
        Path(name).write_text(text)
    document = plait.merge(names, folder=str(tmp_path))
    with nullcontext() if "!ref a" not in layers[0] else pytest.raises(PlaitError):
        document.value()
    counted = document.counters
    calls = int("!env" in layers[0])
    found = (counted["forced"], counted["steps"], counted["files"], counted["calls"])
    assert found == (*WORK[layers], len(layers), calls)


DOCUMENT = """\
kind: Job
metadata: {{name: {name}}}
size: 1
same: !ref size
jobs: [{{name: a, size: !ref same}}, {{name: b, size: 2}}]
found: !ref 'jobs[name=b].size'
all: !ref jobs
"""


def test_what_is_known_of_a_document_can_be_forgotten(tmp_path: Path) -> None:
    """A question about many documents keeps what it knows of one; the others are not asked for again."""
    gc.freeze()  # what other tests left need not be looked at again and again
    (tmp_path / "a.yaml").write_text("---\n".join(DOCUMENT.format(name=name) for name in "abcd"))
    workspace = Workspace(str(tmp_path), cache=False)
    trees = [one.tree for one in workspace.layers([str(tmp_path / "a.yaml")], workspace.merge_options()).members]
    evaluator, tops = trees[0].evaluator, {tree.top for tree in trees}

    def kept() -> tuple[int, ...]:
        gc.collect()
        indexes = sum(isinstance(one, ItemIndex) and one.place.root in tops for one in gc.get_objects())
        return *map(len, (evaluator.memo, evaluator.reads, evaluator._finished)), evaluator.views.mark(), indexes

    for tree in trees:
        mark = evaluator.mark()
        tree.value()
        assert 0 not in kept()
        evaluator.forget({tree.top}, mark)
        assert set(kept()) == {0}
    mark = evaluator.mark()
    for tree in trees:
        tree.value()
    evaluator.forget({tree.top for tree in trees[1:]}, mark)
    asked = []
    for tree in trees:
        before = evaluator.counters.forced
        tree.value()
        asked.append(evaluator.counters.forced - before)
    assert asked == [0, 4, 4, 4]


SOURCE = Source("a.yaml", "")


class Runs(Expression):
    """An expression that does not wait for what it needs, but has it evaluated."""

    text = "!runs"

    def __init__(self, evaluator: Evaluator, other: Node) -> None:
        self.evaluator = evaluator
        self.other = other

    def evaluate(self, scope: Scope) -> Node:
        return self.evaluator.force(self.other, Place())


@pytest.mark.parametrize("begin", [Evaluator.force, lambda evaluator, *task: evaluator.run([task])])
def test_an_expression_that_runs_the_evaluator_is_a_mistake(begin: object) -> None:
    """It must raise `Blocked`: only so rings are found, and no depth is Python's."""
    evaluator = Evaluator()
    inner = Suspension(Runs(evaluator, MapNode({})), SOURCE, 0)
    with pytest.raises(AssertionError, match="it must raise Blocked"):
        begin(evaluator, Suspension(Runs(evaluator, inner), SOURCE, 0), Place())  # type: ignore[operator]
