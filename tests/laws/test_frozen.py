"""Nothing that others hold is changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plait
from plait.apps.cli.run import run
from plait.core.node import Bound, Failure, Mapping, Mark, Node, Overlay, Scalar, Sequence, Suspension, children
from plait.core.policy import MergePolicy
from plait.fronts import layers, project
from plait.fronts.stacks.read import file
from plait.yaml.build import build

KINDS = (Scalar, Sequence, Mapping, Suspension, Overlay, Mark, Bound, Failure)
EXAMPLES = Path(__file__).parents[2] / "examples"


class Seals:
    """The nodes that somebody holds: those of a document that was read, and the parts of a merge."""

    def __init__(self) -> None:
        self.held: dict[int, Node] = {}

    def seal(self, root: Node) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            if id(node) not in self.held:
                self.held[id(node)] = node
                stack.extend(child for _, child in children(node))

    def set(self, node: Node, name: str, value: object) -> None:
        assert id(node) not in self.held, f"{name} of {node!r} is changed"
        object.__setattr__(node, name, value)
        for part in value if name == "parts" and isinstance(value, tuple) else ():
            self.seal(part)


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seals]:
    seals = Seals()
    for kind in KINDS:
        monkeypatch.setattr(kind, "__setattr__", lambda node, name, value: seals.set(node, name, value), raising=False)

    def sealed(*arguments: Any) -> Node:
        node = build(*arguments)
        seals.seal(node)
        return node

    for module in (project, file, layers):
        monkeypatch.setattr(module, "build", sealed, raising=False)
    yield seals
    assert seals.held


def test_a_change_would_be_noticed(frozen: Seals) -> None:
    part = Mapping({})
    Overlay((part, part), MergePolicy())
    with pytest.raises(AssertionError, match="live of Mapping"):
        part.live = True


LAYERS = [
    "a: {x: 1, l: [1]}\nb: !ref a.x\ns: !sensitive z\n",
    "a: {x: {y: 2}, l: !append [2]}\nb: {c: 1}\ns: w\nk: !unset\n",
]


@pytest.mark.usefixtures("frozen")
def test_merging_and_evaluating_change_no_node(tmp_path: Path) -> None:
    names = []
    for number, text in enumerate(LAYERS):
        (tmp_path / f"{number}.yaml").write_text(text)
        names.append(str(tmp_path / f"{number}.yaml"))
    document = plait.merge(names, sets=["a.l=[3]"], folder=str(tmp_path))
    assert document.value("a") == {"x": {"y": 2}, "l": [3]}
    assert document.explain("a.l").leaves
    (tmp_path / "plait.yaml").write_text("kinds: error\n")
    with pytest.raises(plait.PlaitError):
        plait.merge(names, folder=str(tmp_path)).value()


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize(
    "command",
    [
        ["describe", "component", "web", "-s", "ue1-prod", "-C", str(EXAMPLES / "stacks")],
        ["explain", "component", "web", "-s", "ue1-prod", "vars", "-C", str(EXAMPLES / "stacks")],
    ],
    ids=["describe", "explain"],
)
def test_stacks_change_no_node(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command) == 0
    assert "vars" in capsys.readouterr().out
