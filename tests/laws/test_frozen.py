"""Nothing that others hold is changed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import plait
from plait.apps.cli import main as run
from plait.core.node import Bound, Failure, ListNode, MapNode, Mark, Node, Overlay, Scalar, Suspension, children
from plait.core.policy import MergePolicy
from plait.yaml.build import build

KINDS = (Scalar, ListNode, MapNode, Suspension, Overlay, Mark, Bound, Failure)
EXAMPLES = Path(__file__).parents[2] / "examples"


class Seals:
    """The nodes that somebody holds: those of a document that was read, and the parts of a merge.

    `inside` is what each of them contains.
    """

    def __init__(self) -> None:
        self.held: dict[int, Node] = {}
        self.inside: dict[int, list[tuple[object, int]]] = {}

    def seal(self, root: Node) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            if id(node) not in self.held:
                self.held[id(node)] = node
                self.inside[id(node)] = contents(node)
                stack.extend(child for _, child in children(node))

    def set(self, node: Node, name: str, value: object) -> None:
        assert id(node) not in self.held, f"{name} of {node!r} is changed"
        object.__setattr__(node, name, value)
        for part in value if name == "parts" and isinstance(value, tuple) else ():
            self.seal(part)

    def check(self) -> None:
        """That every container still contains what it did."""
        for key, node in self.held.items():
            assert contents(node) == self.inside[key], f"what {node!r} contains is changed"


def contents(node: Node) -> list[tuple[object, int]]:
    return [(step, id(child)) for step, child in children(node)]


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seals]:
    seals = Seals()
    for kind in KINDS:
        monkeypatch.setattr(kind, "__setattr__", lambda node, name, value: seals.set(node, name, value), raising=False)

    def sealed(*arguments: Any, **more: Any) -> Node:
        node = build(*arguments, **more)
        seals.seal(node)
        return node

    for name in ("fronts.spiff", "fronts.unfurl.loading", "fronts.lint", "fronts.stacks.answers.questions"):
        import_module(f"plait.{name}")
    for name, module in list(sys.modules.items()):
        if name.startswith("plait.") and name != "plait.yaml.build" and vars(module).get("build") is build:
            monkeypatch.setattr(module, "build", sealed)
    yield seals
    assert seals.held
    seals.check()


def test_a_change_would_be_noticed(frozen: Seals) -> None:
    part = MapNode({})
    Overlay((part, part), MergePolicy())
    with pytest.raises(AssertionError, match="live of MapNode"):
        part.live = True
    part.entries["x"] = Scalar(1, "1")
    with pytest.raises(AssertionError, match="what MapNode"):
        frozen.check()
    part.entries.clear()


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


FILES = {
    "base.yaml": "a: {x: 1, l: [{name: n, v: 1}], gone: 1}\nb: !ref a.x\ns: !sensitive z\n"
    "t: &k {u: 1}\nm: {<<: *k, w: 2}\n",
    "prod.yaml": "a: {x: 2, l: !merge-by:name [{name: n, w: 2}], gone: null}\ns: w\nt: !replace {v: 2}\n",
    "t.yml": "meta: {<<: (( merge )), d: x}\njobs:\n- name: web\n  n: (( merge || 1 ))\n"
    "- <<: (( merge ))\nq: (( meta.d ))\n",
    "s.yml": "meta: {c: 2}\njobs:\n- {name: web, n: (( meta.c ))}\n- {name: db, n: 1}\n",
    "u.yaml": "base: {env: {A: 1}, l: [1]}\napp: {+/base: , env: {B: 2}}\nv: {eval: ::base::env::A}\n",
}
STACKS = ["-C", str(EXAMPLES / "stacks")]
COMMANDS = [
    "merge base.yaml prod.yaml --nulls delete --set a.x=3",
    "merge base.yaml prod.yaml --origins",
    "explain a base.yaml prod.yaml",
    "blame base.yaml prod.yaml --gone",
    "lint base.yaml prod.yaml",
    "layers base.yaml prod.yaml",
    "diff base.yaml prod.yaml",
    "spiff merge t.yml s.yml",
    "blame --front spiff t.yml s.yml",
    "expand u.yaml",
    "blame --front unfurl u.yaml",
    "query ::base::env u.yaml",
]
OF_STACKS = [
    "describe component web -s ue1-prod",
    "describe component web -s ue1-prod --provenance",
    "explain component web -s ue1-prod vars",
    "blame component web -s ue1-prod",
    "describe stacks",
    "list components",
    "validate stacks",
]


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("command", COMMANDS)
def test_no_front_changes_a_node(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(command.split()) in (0, 1)


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("command", OF_STACKS)
def test_stacks_change_no_node(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), *STACKS]) == 0
    assert any(capsys.readouterr())
