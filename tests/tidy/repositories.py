"""Small repositories of every front, drawn at random: files that began as copies of each other.

Every value is on a line of its own, with a comment, and lines are unlike each other in what a person may write: quotes,
spaces, comments above, empty lines. Values are few, so that layers often repeat each other.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Files = dict[str, str]
KEYS = ("a", "b", "c")
SCALARS = st.sampled_from(["1", "2", "x", '"x"', "'1'", "true", "null", "~", '"{}"'])
LISTS = st.lists(st.sampled_from(["1", "x"]), max_size=2).map(lambda items: f"[{', '.join(items)}]")
MAPS = st.dictionaries(st.sampled_from(KEYS), SCALARS, min_size=1, max_size=3)
LAYER = st.dictionaries(st.sampled_from((*KEYS, "m", "o")), st.one_of(SCALARS, LISTS, MAPS), max_size=4)
HEADS = st.sampled_from(["", "# one of many\n\n", "---\n", "# said above\n"])


def lines(values: dict[str, Any], indent: str = "") -> str:
    """Values as lines, each with a comment that all files have alike; some have a space or a line more."""
    made = []
    for key, value in values.items():
        if isinstance(value, dict):
            made.append(f"{indent}{key}:\n{lines(value, indent + '  ')}")
        else:
            beside = f"  # {key}" if key in "ab" else ""
            made.append(f"{indent}{key}:{'  ' if key == 'c' else ' '}{value}{beside}\n")
    return "".join(made)


def layer(values: dict[str, Any], head: str = "") -> str:
    return head + (lines(values) or "{}\n")


@st.composite
def charts(draw: st.DrawFn) -> Files:
    """A chart with a part of its own and environments, of which some share a file; templates read some values."""
    own = {"sub": draw(MAPS), "global": draw(MAPS)}
    asked = draw(st.sets(st.sampled_from((*KEYS, "m", "o", "sub", "global.a")), min_size=1))
    rows = "".join(f"  {one.replace('.', '_')}: {{{{ .Values.{one} | toJson | quote }}}}\n" for one in sorted(asked))
    given = "{{- if .Values.a }}\n  given: {{ .Values.b | quote }}\n{{- end }}\n" if draw(st.booleans()) else ""
    files = {
        "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
        "chart/values.yaml": layer({**draw(LAYER), **own}),
        "chart/templates/a.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata:\n{rows}{given}",
        "chart/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 0.1.0\n",
        "chart/charts/sub/values.yaml": layer(draw(MAPS)),
        "chart/charts/sub/templates/b.yaml": "kind: ConfigMap\nmetadata: {name: b}\ndata: {a: {{ .Values.a | toJson | "
        "quote }}, g: {{ .Values.global | toJson | quote }}}\n",
        "plait.yaml": "targets:\n- {name: dev, chart: chart, values: [all.yaml, dev.yaml]}\n"
        "- {name: prod, chart: chart, values: [all.yaml, prod.yaml]}\n"
        "- {name: test, chart: chart, values: [dev.yaml]}\n",
    }
    some = st.fixed_dictionaries({}, optional={"sub": MAPS, "global": MAPS})
    return {**files, **{f"{name}.yaml": layer({**draw(LAYER), **draw(some)}) for name in ("all", "dev", "prod")}}


FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "replicas": st.sampled_from(["1", "2"]),
        "paused": st.sampled_from(["true", "null"]),
        "selector": st.dictionaries(st.sampled_from(KEYS), st.sampled_from(["x", '"1"']), min_size=1, max_size=2),
    },
)
CONTAINERS = st.lists(
    st.tuples(
        st.sampled_from(["web", "side"]),
        st.fixed_dictionaries(
            {},
            optional={
                "workingDir": st.sampled_from(["/a", "/b"]),
                "args": LISTS,
                "env": st.dictionaries(st.sampled_from(KEYS), st.sampled_from(["x", '"1"']), min_size=1, max_size=2),
            },
        ),
    ),
    max_size=2,
    unique_by=lambda row: row[0],
)


def deployment(fields: dict[str, Any], containers: list[tuple[str, dict[str, Any]]], labels: dict[str, Any]) -> str:
    said = f"  labels:\n{lines(labels, '    ')}" if labels else ""
    text = f"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n{said}"
    body = lines(fields, "  ")
    for name, row in containers:
        body += "" if "containers:" in body else "  template:\n    spec:\n      containers:\n"
        body += f"      - name: {name}\n"
        for key, value in row.items():
            if isinstance(value, dict):
                rows = "".join(f"        - name: {one}\n          value: {two}\n" for one, two in value.items())
                body += f"        {key}:\n{rows}"
            else:
                body += f"        {key}: {value}  # {key}\n"
    return f"{text}spec:\n{body}" if body else text


@st.composite
def kustomizations(draw: st.DrawFn) -> Files:
    """A base, an overlay of it that two others include, and patches in files and in the text of a kustomization."""
    made = {"base/kustomization.yaml": "resources:\n- web.yaml\n"}
    labels = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(["x", "z"]), max_size=2)
    made["base/web.yaml"] = deployment(draw(FIELDS), [*draw(CONTAINERS), ("last", {})], draw(labels))
    for name, below in (("mid", "../base"), ("dev", "../mid"), ("prod", "../mid"), ("test", "../base")):
        patch = deployment(draw(FIELDS), draw(CONTAINERS), draw(labels))
        if draw(st.booleans()):
            made[f"{name}/patch.yaml"] = patch
            said = "patches:\n- path: patch.yaml\n"
        else:
            said = "patches:\n- patch: |-\n" + "".join(f"    {line}\n" for line in patch.splitlines())
        more = "commonLabels:\n  own: x\n" if draw(st.booleans()) else ""
        made[f"{name}/kustomization.yaml"] = f"resources:\n- {below}\n{said}{more}"
    return made


TEMPLATE = st.dictionaries(
    st.sampled_from((*KEYS, "m", "o")),
    st.one_of(
        st.sampled_from(["1", "x", "(( merge ))", "(( merge || 1 ))", '(( merge || "x" ))', "(( a || 2 ))", "(( m ))"]),
        LISTS,
        st.dictionaries(
            st.sampled_from((*KEYS, "<<")), st.sampled_from(["1", "(( merge ))", "(( merge || 1 ))"]), min_size=1
        ),
    ),
    min_size=1,
    max_size=4,
)
STUB = st.dictionaries(st.sampled_from((*KEYS, "m", "o")), st.one_of(SCALARS, LISTS, MAPS), max_size=4)


@st.composite
def stubs(draw: st.DrawFn) -> Files:
    """A template of spiff, a stub that two targets share, and one for each."""
    return {
        "template.yml": layer(draw(TEMPLATE)),
        **{f"{name}.yml": layer(draw(STUB)) for name in ("all", "dev", "prod")},
        "plait.yaml": "targets:\n- {name: dev, template: template.yml, stubs: [dev.yml, all.yml]}\n"
        "- {name: prod, template: template.yml, stubs: [prod.yml, all.yml]}\n",
    }


SERVICE = st.fixed_dictionaries(
    {},
    optional={
        "image": st.sampled_from(["busybox", "nginx"]),
        "command": st.sampled_from(["run", "[run]", "null", "!reset null"]),
        "environment": st.one_of(MAPS, st.sampled_from(["[a=1]", "[a=1, b=x]", "!override [a=1]"])),
        "ports": st.sampled_from(['["80:80"]', '["80:80", "81:81"]', "!override []"]),
        "dns": st.sampled_from(["10.0.0.1", "[10.0.0.1]", "[10.0.0.1, 10.0.0.2]"]),
        "labels": MAPS,
        "profiles": st.sampled_from(["[debug]", "[more]"]),
    },
)


@st.composite
def projects(draw: st.DrawFn) -> Files:
    """Files of Compose for two targets, one with a profile."""
    made = {}
    for name in ("compose", "all", "dev"):
        services = {key: draw(SERVICE) for key in ("web", "db") if name == "compose" or draw(st.booleans())}
        if name == "compose":
            services = {key: {"image": "busybox", **one} for key, one in services.items()}
        made[f"{name}.yaml"] = layer({"services": {key: one or "{}" for key, one in services.items()} or "{}"})
    return {
        **made,
        "plait.yaml": "targets:\n- {name: dev, compose: [compose.yaml, all.yaml, dev.yaml], profiles: [debug]}\n"
        "- {name: prod, compose: [compose.yaml, all.yaml]}\n",
    }


PROFILES = ("helm", "kubernetes", "compose", "ansible", "ansible-merge", "hydra")
NAMED = st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from("12")), max_size=2, unique_by=lambda row: row[0])


@st.composite
def profiles(draw: st.DrawFn) -> Files:
    """Layers that are merged as another tool does it, with lists of named items."""
    profile = draw(st.sampled_from(PROFILES))
    made = {}
    for name in ("base", "mid", "dev", "prod"):
        items = "".join(f"- name: {key}\n  size: {size}\n" for key, size in draw(NAMED))
        made[f"{name}.yaml"] = layer(draw(LAYER), draw(HEADS)) if not items else f"{lines(draw(LAYER))}list:\n{items}"
    rows = "".join(
        f"- {{name: {name}, layers: [base.yaml, mid.yaml, {name}.yaml], profile: {profile}}}\n"
        for name in ("dev", "prod")
    )
    return {**made, "plait.yaml": f"targets:\n{rows}"}


RULED = st.fixed_dictionaries(
    {},
    optional={
        "steps": st.lists(
            st.sampled_from(["{}", "run: a", "run: b", "run: a\n  x: 1", "x: {}", "x:\n    y: 1"]), max_size=4
        ),
        "jobs": st.lists(
            st.sampled_from(["name: a", "name: b", "name: a\n  size: 1", "name: b\n  size: 1\n  z:\n    y: 1"]),
            unique_by=lambda one: one[:7],
        ),
        "ports": st.lists(st.sampled_from(["1", "2", "3"]), unique=True),
        "tags": st.lists(st.sampled_from(["x", "y"]), max_size=2),
        "m": st.sampled_from(["{}", "\n  a: 1", "\n  a: {}", "\n  a:\n    b: 1"]),
        "o": st.lists(st.sampled_from(["1", "2", "[]"]), max_size=2),
    },
)


def ruled(values: dict[str, Any]) -> str:
    """Lists with an item on each line."""
    made = ""
    for key, value in values.items():
        rows = "".join(f"- {one}\n" for one in value) if isinstance(value, list) else ""
        made += f"{key}:\n{rows}" if rows else f"{key}: {value}\n"
    return made or "{}\n"


@st.composite
def lists(draw: st.DrawFn) -> Files:
    """Layers with lists that are merged by index, by a key, as a set and appended, and with empty maps and lists."""
    made = {f"{name}.yaml": ruled(draw(RULED)) for name in ("base", "mid", "dev", "prod")}
    return {
        **made,
        "plait.yaml": "targets:\n- {name: dev, layers: [base.yaml, mid.yaml, dev.yaml]}\n"
        "- {name: prod, layers: [base.yaml, mid.yaml, prod.yaml]}\n"
        'lists:\n  steps: index\n  jobs: "key:name"\n  ports: set\n  tags: append\n',
    }


FRONTS: dict[str, st.SearchStrategy[Files]] = {
    "charts": charts(),
    "kustomize": kustomizations(),
    "spiff": stubs(),
    "compose": projects(),
    "profiles": profiles(),
    "lists": lists(),
}
