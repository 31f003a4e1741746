"""The laws of a review where files of charts, kustomizations and Compose files come and go, with whole folders and with
links."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.review.laws import Files, hold

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {}\ndata:\n  a: '{}'\n"
CHART = "apiVersion: v2\nname: {}\nversion: 0.1.0\n"
TEMPLATE = MAP.format("{{ .Release.Name }}", "{{ .Values.a }}")
POOL: dict[str, list[str]] = {
    "base/kustomization.yaml": ["resources: [one.yaml]\n", "namePrefix: n-\nresources: [one.yaml]\n"],
    "base/one.yaml": [MAP.format("one", 1), MAP.format("one", 2)],
    "over/kustomization.yaml": [
        "resources: [../base]\n",
        "resources: [../base, two.yaml]\n",
        "namespace: n\nresources: [two.yaml]\n",
        "resources: [linked.yaml, two.yaml]\n",
        "resources: [deep/one.yaml]\n",
    ],
    "over/linked.yaml": ["-> ../base/one.yaml", "-> again.yaml", MAP.format("three", 1)],
    "over/again.yaml": ["-> ../base/one.yaml", "-> two.yaml"],
    "over/deep": ["-> ../base"],
    "over/deep/one.yaml": [MAP.format("four", 1)],
    "over/two.yaml": [MAP.format("two", 1), MAP.format("two", 2)],
    "over/part/kustomization.yaml": ["resources: [../../base]\n"],
    "chart/Chart.yaml": [CHART.format("chart"), CHART.format("other")],
    "chart/values.yaml": ["a: 1\n", "a: 2\nsub: {a: 3}\n"],
    "chart/templates/map.yaml": [TEMPLATE],
    "chart/charts/sub/Chart.yaml": [CHART.format("sub")],
    "chart/charts/sub/values.yaml": ["a: 4\n", "a: 5\n"],
    "chart/charts/sub/templates/map.yaml": [TEMPLATE],
    "web/compose.yaml": ["services: {a: {image: a}}\n", "services: {a: {image: a, env_file: [.env]}}\n"],
    "web/compose.override.yaml": ["services: {a: {image: b}}\n"],
    "web/.env": ["A=1\n", "A=2\n", "-> ../chart/values.yaml"],
}
ALWAYS = [
    "base/kustomization.yaml",
    "base/one.yaml",
    "chart/Chart.yaml",
    "chart/templates/map.yaml",
    "web/compose.yaml",
]


@st.composite
def changes(draw: st.DrawFn) -> tuple[Files, Files]:
    some = draw(st.sets(st.sampled_from(sorted(POOL))))
    before = {name: draw(st.sampled_from(POOL[name])) for name in sorted({*ALWAYS, *some})}
    after = dict(before)
    for name in draw(st.sets(st.sampled_from(sorted(POOL)), min_size=1, max_size=4)):
        text = draw(st.sampled_from([None, *POOL[name]]))
        if text is None:
            after.pop(name, None)
        else:
            after[name] = text
    for folder in draw(st.sets(st.sampled_from(["over/", "chart/charts/", "chart/", "base/"]), max_size=1)):
        after = {name: text for name, text in after.items() if not name.startswith(folder)}
    return possible(before), possible(after)


def possible(files: Files) -> Files:
    """Without what would be below a link."""
    return {name: text for name, text in files.items() if not any(f"{other}/" in name for other in files)}


@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(changes())
def test_the_causes_are_true_where_files_come_and_go(sides: tuple[Files, Files]) -> None:
    hold(sides)
