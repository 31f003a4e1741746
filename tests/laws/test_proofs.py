"""The law of explanations over every front, with edits made to the text: what is named decides, nothing else does, and
without the winner the first value that it overrides wins. `plait explain --prove` tries it; here it must hold.

Each project is generated: layers with references, aliases, merge keys, includes and keyed lists; stacks with imports,
inheritance, overrides and templates; a spiff template with stubs; a document with directives.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import Fault
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.path import format_path
from plait.edits.proof import prove
from plait.evaluate.hops import Hop
from plait.workspace import Workspace
from tests.core.test_paths import every

if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.edits.proof import ExplanationProof
    from plait.evaluate.explain import Explanation
    from plait.evaluate.tree import Tree

FEW = settings(
    max_examples=int(os.environ.get("PLAIT_PROOFS", "4")),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # each example asks many questions
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
KEYS = st.sampled_from(["a", "b", "c"])
PLAIN: st.SearchStrategy[Any] = st.one_of(st.integers(1, 9), st.sampled_from(["red", "blue", "tall"]), st.booleans())
VALUES = st.recursive(PLAIN, lambda inner: st.dictionaries(KEYS, inner, min_size=1, max_size=3), max_leaves=5)
OTHERS: st.SearchStrategy[str] = st.one_of(
    VALUES.map(lambda value: flow(value)),
    VALUES.map(lambda value: f"!replace {flow(value)}" if isinstance(value, dict) else flow(value)),
    st.sampled_from(["!unset", "null", "[1, 2]", "!ref one", "{a: !unset}"]),
)
MAPS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=3)
ITEMS = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from(["web", "db", "job"]), "n": PLAIN}),
    min_size=1,
    max_size=3,
    unique_by=lambda item: item["name"],
)


def flow(data: Any) -> str:
    if isinstance(data, dict):
        return "{" + ", ".join(f"{key}: {flow(value)}" for key, value in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(map(flow, data)) + "]"
    return str(data).lower()


def plain(node: Node) -> Any:
    if isinstance(node, MapNode):
        return {key: plain(child) for key, child in node.entries.items()}
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    assert isinstance(node, Scalar), node
    return node.value


@st.composite
def layers(draw: st.DrawFn) -> dict[str, str]:
    low = f"""p: &p {flow(draw(MAPS))}
q: {flow(draw(MAPS))}
alias: *p
merged:
  <<: *p
  z: {flow(draw(PLAIN))}
ref: !ref {draw(st.sampled_from(["p", "q", "merged"]))}
again: !ref ref
inc: !include inc.yaml
one: !include one.yaml
jobs: {flow(draw(ITEMS))}
tags: {flow(draw(st.lists(PLAIN, max_size=2)))}
list: [!ref inc, {{k: !ref one}}, *p, {flow(draw(PLAIN))}]
kind: {flow(draw(VALUES))}
text: "{{{{ .one }}}}-{{{{ .list | len }}}}{{{{ if .merged.z }}}}{{{{ toJson .list }}}}{{{{ end }}}}"
"""
    middle = f"""kind: {draw(OTHERS)}
jobs: {flow(draw(ITEMS))}
q: {draw(OTHERS)}
list: {draw(st.sampled_from(["[1]", "!append [1]", "!prepend [!ref one]"]))}
"""
    high = f"""p: {flow(draw(VALUES))}
{draw(st.sampled_from(["q: !unset", "q: {c: 1}", "ref: {a: over}", "other: 1"]))}
jobs: {flow(draw(ITEMS))}
tags: !append {flow(draw(st.lists(PLAIN, max_size=2)))}
kind: {draw(OTHERS)}
"""
    rule = draw(st.sampled_from(["key:name", "append", "index", "replace"]))
    return {
        "low.yaml": low,
        "middle.yaml": middle,
        "high.yaml": high,
        "inc.yaml": f"x: {flow(draw(VALUES))}\n",
        "one.yaml": f"{flow(draw(PLAIN))}\n",
        "plait.yaml": f"notations: [gotemplate]\nlists:\n  jobs: {rule}\n",
    }


def of_layers(workspace: Workspace) -> Tree:
    return workspace.layers(["low.yaml", "middle.yaml", "high.yaml"]).choose("")[0].tree


@st.composite
def stacks(draw: st.DrawFn) -> dict[str, str]:
    base = draw(st.sampled_from(["base", "middle"]))
    lists = draw(st.sampled_from(["replace", "append", "merge"]))
    return {
        "atmos.yaml": f"""base_path: "./"
components: {{terraform: {{base_path: components}}}}
stacks: {{base_path: stacks, included_paths: ["deploy/*"], name_template: "{{{{ .vars.stage }}}}"}}
settings: {{list_merge_strategy: {lists}}}
templates: {{settings: {{enabled: true}}}}
""",
        "stacks/deploy/dev.yaml": f"""import: [mixins/all, catalog/app]
vars: {{stage: dev, root: {flow(draw(PLAIN))}, list: {flow(draw(ITEMS))}}}
terraform: {{vars: {flow(draw(MAPS))}}}
locals: {{size: {flow(draw(PLAIN))}}}
components:
  terraform:
    web:
      metadata: {{inherits: [{base}]}}
      vars: {{list: {flow(draw(ITEMS))}, near: "{{{{ .locals.size }}}}", a: {flow(draw(VALUES))}}}
""",
        "stacks/mixins/all.yaml": f"""vars: {flow(draw(MAPS))}
settings: {flow(draw(MAPS))}
overrides: {{vars: {flow(draw(MAPS))}}}
""",
        "stacks/catalog/app.yaml": f"""import: [./more]
settings: {{size: {flow(draw(PLAIN))}, kind: {flow(draw(MAPS))}}}
components:
  terraform:
    base: {{metadata: {{type: abstract}}, vars: {flow(draw(MAPS))}}}
    middle:
      metadata: {{type: abstract, inherits: [base]}}
      vars:
        text: "{{{{ .settings.size }}}}-{{{{ .vars.root }}}}"
        made: !template '{{{{ toJson .settings.kind }}}}'
        far: "{{{{ if .settings.size }}}}{{{{ toJson .settings.kind }}}}{{{{ end }}}}"
""",
        "stacks/catalog/more.yaml": f"components: {{terraform: {{base: {{vars: {flow(draw(MAPS))}}}}}}}\n",
    }


def of_stacks(workspace: Workspace) -> Tree:
    return workspace.stacks().tree("web", "dev")


@st.composite
def directives(draw: st.DrawFn) -> dict[str, str]:
    return {
        "main.yaml": f"""+include: inc.yaml
base: {flow(draw(MAPS))}
other: {flow(draw(MAPS))}
t:
  +/base:
  +/other:
  own: {flow(draw(VALUES))}
  asked: {{eval: own}}
only:
  +/t:
again:
  +/only:
  mine: {flow(draw(PLAIN))}
""",
        "inc.yaml": f"t: {flow(draw(MAPS))}\nfar: {flow(draw(MAPS))}\n",
    }


def of_directives(workspace: Workspace) -> Tree:
    return workspace.directives.document("main.yaml", evaluate=True).tree


@st.composite
def templates(draw: st.DrawFn) -> dict[str, str]:
    return {
        "template.yml": f"""meta: (( merge ))
sum: (( meta.x "-" meta.y ))
kept: (( sum || 5 ))
plain: {flow(draw(MAPS))}
taken: (( merge || 3 ))
part: (( meta ))
joined: (( join(",", names) ))
names: [(( meta.x )), {flow(draw(PLAIN))}]
sized: (( length(names) ))
kept_map:
  a: {flow(draw(PLAIN))}
  <<: (( {draw(st.sampled_from(["plain", "merge plain", "merge || plain", "merge", "merge replace plain"]))} ))
more:
- name: own
- <<: (( merge jobs ))
jobs:
- name: web
  n: (( merge || 2 ))
  m: {flow(draw(PLAIN))}
- name: db
  n: {flow(draw(PLAIN))}
""",
        "stub.yml": f"""meta: {{x: {flow(draw(PLAIN))}, y: {draw(st.sampled_from(["(( far ))", "(( merge ))", "7"]))}}}
plain: {flow(draw(MAPS))}
jobs: {flow(draw(ITEMS))}
{draw(st.sampled_from(["taken: (( merge ))", "taken: (( far ))", ""]))}
""",
        "far.yml": f"""far: {flow(draw(PLAIN))}
meta: {{y: {flow(draw(PLAIN))}}}
taken: {flow(draw(PLAIN))}
jobs: {flow(draw(ITEMS))}
""",
    }


def of_spiff(workspace: Workspace) -> Tree:
    return workspace.template(["template.yml", "stub.yml", "far.yml"]).chosen("")[0]


@st.composite
def charts(draw: st.DrawFn) -> dict[str, str]:
    return {
        "chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
        "chart/values.yaml": f"""size: {flow(draw(PLAIN))}
on: {flow(draw(st.booleans()))}
labels: {flow(draw(MAPS))}
ports: {flow(draw(st.lists(st.integers(1, 99), min_size=1, max_size=3)))}
image: {{name: nginx, tag: {flow(draw(PLAIN))}}}
""",
        "high.yaml": draw(
            st.sampled_from(["on: true\n", "labels: {a: 3}\n", "image: {tag: two}\nsize: 8\n", "ports: [5, 6]\n"])
        ),
        "chart/templates/_helpers.tpl": """{{- define "web.labels" -}}
{{ toYaml .Values.labels }}
app: {{ .Chart.Name }}
{{- end }}
""",
        "chart/templates/web.yaml": f"""apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {{{{- include "web.labels" . | nindent 4 }}}}
spec:
  {{{{- if .Values.on }}}}
  size: {{{{ .Values.size | default 1 }}}}
  {{{{- else }}}}
  size: none
  {{{{- end }}}}
  {{{{- with .Values.image }}}}
  image: "{{{{ .name }}}}:{{{{ .tag }}}}"
  {{{{- end }}}}
  ports:
  {{{{- range $index, $port := .Values.ports }}}}
  - port: {{{{ $port }}}}
    name: p-{{{{ $index }}}}-{{{{ $port }}}}
  {{{{- end }}}}
  fixed: {flow(draw(PLAIN))}
""",
    }


def of_chart(workspace: Workspace) -> Tree:
    target = workspace.in_folder("chart", ["high.yaml"])
    assert target is not None
    return next(iter(target.trees().values()))


FRONTS: dict[str, tuple[st.SearchStrategy[dict[str, str]], Callable[[Workspace], Tree], tuple[str, ...]]] = {
    "layers": (layers(), of_layers, ()),
    "stacks": (stacks(), of_stacks, ("vars", "settings")),
    "directives": (directives(), of_directives, ()),
    "spiff": (templates(), of_spiff, ()),
    "charts": (charts(), of_chart, ("metadata", "spec")),
}


def proved(open_tree: Callable[[Workspace], Tree], path: str) -> ExplanationProof:
    workspace = Workspace(cache=False)
    return prove(workspace, lambda: workspace.explain(open_tree(workspace), path))


@pytest.mark.long
@pytest.mark.parametrize("front", FRONTS)
@FEW
@given(data=st.data())
def test_the_explanation_of_every_value_can_be_proved(
    front: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: st.DataObject
) -> None:
    drawn, open_tree, sections = FRONTS[front]
    files = data.draw(drawn)
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    tree = open_tree(Workspace(cache=False))
    try:
        result = {name: plain(tree.value((name,))) for name in sections} if sections else plain(tree.value())
    except Fault:
        assume(False)  # a reference to what a higher layer removes
    leaves = [path for path, value in every(result) if not isinstance(value, dict | list)]
    path = format_path(data.draw(st.sampled_from(leaves)))
    proof = proved(open_tree, path)
    shown = "\n".join(f"-- {name}\n{text}" for name, text in files.items())
    assert not proof.refuted, f"{path}: {[(str(origin), what) for origin, what in proof.refuted]}\n{shown}"
    assert proof.named, f"{path}: nothing is named\n{shown}"
    assert not proof.untried, proof.untried


@FEW
@given(data=st.data())
def test_why_a_value_is_not_there_can_be_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: st.DataObject
) -> None:
    monkeypatch.chdir(tmp_path)
    values = [data.draw(VALUES.map(lambda value: {"a": value})), *(data.draw(OTHERS) for _ in range(2))]
    for name, value in zip(("low", "middle", "high"), values, strict=True):
        (tmp_path / f"{name}.yaml").write_text(f"one: 1\nk: {value if isinstance(value, str) else flow(value)}\n")
    tree = of_layers(Workspace(cache=False))
    there = dict(every(plain(tree.value())))
    gone = [("k", *path) for path, value in every(values[0]) if ("k", *path) not in there and path]
    assume(gone)
    path = format_path(data.draw(st.sampled_from(gone)))
    proof = proved(of_layers, path)
    assert not proof.refuted, f"{path}: {values}: {[(str(origin), what) for origin, what in proof.refuted]}"
    assert proof.named, f"{path}: {values}"


def test_a_wrong_explanation_is_refuted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "low.yaml").write_text("a: {x: 1}\nb: !ref a\nc: 5\n")
    (tmp_path / "middle.yaml").write_text("")
    (tmp_path / "high.yaml").write_text("d: 1\n")
    workspace = Workspace(cache=False)

    def without_the_way() -> Explanation:
        found = workspace.explain(of_layers(workspace), "b.x")
        found.leaves[0].hops.clear()
        return found

    def with_another_place() -> Explanation:
        found = workspace.explain(of_layers(workspace), "b.x")
        unrelated = of_layers(workspace).find(("c",))[0]
        found.leaves[0].hops.append(Hop("through", "reference", (), unrelated.origin))
        return found

    places = [str(origin) for origin, _ in prove(workspace, without_the_way).refuted]
    assert places == ["low.yaml:2:4"]
    places = [str(origin) for origin, _ in prove(workspace, with_another_place).refuted]
    assert places == ["low.yaml:3:4"]
