"""The outside: many slow calls side by side, and how many calls a question makes."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from time import monotonic, sleep

from benchmarks.measure import Report
from plait.core.expression import Expression
from plait.core.node import MapNode, Node, Suspension, text
from plait.core.scope import Patience, Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Scope


class Slow(Expression):
    """An expression that makes one call of 50 ms."""

    def __init__(self, number: int) -> None:
        self.text = f"!slow {number}"
        self.number = number

    def evaluate(self, scope: Scope) -> Node:
        def call(_: object) -> Node:
            sleep(0.05)
            return text(str(self.number))

        return scope.call("", ("slow", self.number), call, Patience("a slow call"))


def side_by_side(count: int) -> tuple[float, dict[str, int]]:
    """How long it takes to finish a tree of slow calls."""
    root = MapNode({f"k{i}": Suspension(Slow(i), Source("slow"), 0) for i in range(count)}, live=True)
    evaluator = Evaluator()
    began = monotonic()
    evaluator.finish(root, Place(node=root))
    return monotonic() - began, evaluator.counters.as_dict()


def repository(folder: Path) -> int:
    """Five stacks with 200 references to 40 states, in locals, vars and a base component; how many are distinct."""
    (folder / ".git").mkdir()
    (folder / "atmos.yaml").write_text(
        "base_path: .\nstacks: {base_path: stacks, included_paths: ['deploy/**/*'], name_pattern: '{stage}'}\n"
        "components: {terraform: {base_path: components/terraform}}\n"
    )
    base = "".join(f"        b{i}: !terraform.state c{i} .id\n" for i in range(10))
    write(
        folder / "stacks/catalog/base.yaml",
        f"components:\n  terraform:\n    base:\n      metadata: {{type: abstract}}\n      vars:\n{base}",
    )
    for number in range(5):
        outer = "".join(f"  l{i}: !terraform.state c{i} s{number} .id\n" for i in range(10, 20))
        members = "".join(f"    c{i}: {{}}\n" for i in range(40))
        used = "".join(f"        l{i}: '{{{{ .locals.l{i} }}}}'\n" for i in range(10, 20))
        used += "".join(f"        v{i}: !terraform.state c{i} .id\n" for i in range(20, 40))
        users = "".join(f"    u{u}:\n      metadata: {{inherits: [base]}}\n      vars:\n{used}" for u in range(2))
        text = (
            f"import: [catalog/base]\nvars: {{stage: s{number}}}\nlocals:\n{outer}components:\n  "
            f"terraform:\n{members}{users}"
        )
        write(folder / f"stacks/deploy/s{number}.yaml", text)
        for i in range(40):
            state = {"version": 4, "outputs": {"id": {"value": f"s{number}-c{i}"}}}
            write(
                folder / f"components/terraform/c{i}/terraform.tfstate.d/s{number}/terraform.tfstate", json.dumps(state)
            )
    return 5 * 40


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def run(report: Report) -> None:
    took, counters = side_by_side(200)
    report("200 calls of 50 ms: seconds", took, 1.5, **counters)
    from plait.workspace import Workspace

    with tempfile.TemporaryDirectory() as name:
        distinct = repository(Path(name))
        stacks = Workspace(name).stacks(name)
        stacks.names()
        report("list stacks: calls", stacks.session.project.counters.calls, 0)
        one = Workspace(name).stacks(name)
        one.describe_component("u0", "s1", one.shape("json"))
        report("describe component with 40 references: calls", one.session.project.counters.calls, 40)
        everything = Workspace(name).stacks(name)
        list(everything.describe_stacks(everything.filter(), everything.shape("json")))
        report(
            f"describe stacks, {distinct} distinct references: calls",
            everything.session.project.counters.calls,
            distinct,
        )
