"""Random repositories and random changes of them, to compare the verdicts of reviews with brute force.

A repository is one to three parts (layers, a chart, kustomizations, a Compose project, stacks), in one of four with
something that plait cannot evaluate. `unknown` are the lines whose effect nobody knows, by a word that is in them.
"""

from __future__ import annotations

import random
import re
from collections import Counter

Files = dict[str, str]

EXPRESSIONS = r"""
.Values.a
.Values.m.x | quote
len .Values.ports
index .Values.ports 0
keys .Values.m | sortAlpha | join ","
hasKey .Values.m "x"
hasKey .Values.m "none"
.Values.none | default .Values.b
toYaml .Values.m | nindent 4 | quote
toJson .Values.ports | quote
empty .Values.flag
kindOf .Values.a
ternary .Values.a .Values.b .Values.flag
and .Values.flag .Values.a
or .Values.none .Values.a
not .Values.flag
printf "%v-%v" .Values.a .Values.b | quote
range $k, $v := .Values.m }}{{ $k }}{{ $v }}{{ end
if .Values.flag }}{{ .Values.a }}{{ else }}{{ .Values.b }}{{ end
with .Values.m }}{{ .x }}{{ end
include "c.name" . | quote
.Files.Get "x.txt" | trim | quote
first .Values.ports
last .Values.ports
has 1 .Values.ports
get .Values.m "x"
dig "x" "none" .Values.m
coalesce .Values.none .Values.b
max (len .Values.ports) 2
sha256sum (toYaml .Values.m) | trunc 8
""".strip().splitlines()
"""Template expressions of a chart: they read values, keys, lengths, truth and files."""
CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  a: "{a}"\n  b: "{b}"\n'


class Repository:
    """Files, the targets that plait.yaml declares, and the words of lines that reach something unknown."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.files: Files = {}
        self.targets: list[str] = []
        self.unknown: set[tuple[str, str]] = set()
        self.is_whole = True
        parts = [self.layers, self.chart, self.kustomizations, self.compose, self.stacks]
        for make in chance.sample(parts, chance.randint(1, 3)):
            make()
        if chance.random() < 0.25:
            self.is_whole = False
            chance.choice([self.remote_chart, self.remote_base, self.missing_dependency, self.plugin, self.broken])()
        if self.targets:
            rows = "".join(f"- {one}\n" for one in self.targets)
            self.files["plait.yaml"] = f"notations: [gotemplate]\ntargets:\n{rows}"

    def number(self) -> int:
        return self.chance.randint(1, 9)

    def layers(self) -> None:
        n = self.number
        self.files["l/base.yaml"] = f"""a: {n()}
m: {{x: {n()}, y: {n()}}}
ref: !ref m.x
copy: !ref m
list:
- {{name: one, v: {n()}}}
- {{name: two, v: {n()}}}
plain: [{n()}, {n()}]
text: "{{{{ .a }}}}-{{{{ len .plain }}}}"
z: {n()}
"""
        for env in ("dev", "prod"):
            rows = [f"a: {n()}", f"m: {{y: {n()}}}", "list: [!merge-by name, {name: two, v: 7}]"]
            rows += [f"plain: !append [{n()}]", f"own: {n()}"]
            self.files[f"l/{env}.yaml"] = "".join(f"{row}\n" for row in self.chance.sample(rows, 3))
        self.targets += [f"{{name: l-{env}, layers: [l/base.yaml, l/{env}.yaml]}}" for env in ("dev", "prod")]

    def chart(self) -> None:
        n = self.number
        self.files["c/Chart.yaml"] = "apiVersion: v2\nname: c\nversion: 1.0.0\ndescription: one\n"
        self.files["c/values.yaml"] = f"""a: {n()}
b: {n()}
flag: {self.chance.choice(["true", "false"])}
ports:
- {n()}
- {n()}
m:
  x: {n()}
  w: {n()}
idle: {n()}
"""
        self.files["c/x.txt"] = f"text {n()}\n"
        self.files["c/templates/_h.tpl"] = '{{ define "c.name" }}{{ .Values.a }}-c{{ end }}\n'
        rows = [f"  k{at}: {{{{ {one} }}}}\n" for at, one in enumerate(self.chance.sample(EXPRESSIONS, 6))]
        head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n"
        self.files["c/templates/c.yaml"] = head + "".join(rows)
        self.files["c/prod.yaml"] = f"a: {n()}\nm: {{x: {n()}}}\n"
        self.targets += ["{name: c, chart: c}", "{name: c-prod, chart: c, values: [c/prod.yaml]}"]

    def kustomizations(self) -> None:
        n = self.number
        self.files["k/base/kustomization.yaml"] = """resources: [web.yaml]
configMapGenerator:
- name: made
  options: {disableNameSuffixHash: true}
  files: [data.txt]
"""
        self.files["k/base/web.yaml"] = CONFIG.format(name="web", a=n(), b=n())
        self.files["k/base/data.txt"] = f"line {n()}\nmore {n()}\n"
        self.files["k/part/kustomization.yaml"] = """apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches: [{path: patch.yaml}]
"""
        self.files["k/part/patch.yaml"] = f'''apiVersion: v1
kind: ConfigMap
metadata: {{name: web}}
data:
  c: "{n()}"
'''
        self.files["k/over/kustomization.yaml"] = """resources: [../base]
components: [../part]
namePrefix: eu-
replacements:
- source: {kind: ConfigMap, name: web, fieldPath: data.a}
  targets:
  - select: {kind: ConfigMap, name: web}
    fieldPaths: [data.b]
"""
        self.targets += ["{name: k-base, kustomization: k/base}", "{name: k-over, kustomization: k/over}"]

    def compose(self) -> None:
        n = self.number
        self.files["d/compose.yaml"] = f'''services:
  web:
    image: web:{n()}
    environment: {{A: "{n()}", B: "${{PORT}}"}}
    env_file: [web.env]
  db:
    image: db:{n()}
'''
        self.files["d/web.env"] = f"C={n()}\nA={n()}\n"
        self.files["d/.env"] = f"PORT={n()}\n"
        self.targets.append("{name: d, compose: d/compose.yaml}")

    def stacks(self) -> None:
        n = self.number
        self.files["atmos.yaml"] = """base_path: .
stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_template: "{{ .vars.stage }}"}
components: {terraform: {base_path: components}}
"""
        self.files["stacks/catalog/base.yaml"] = f"""vars:
  size: {n()}
  zone: {n()}
components:
  terraform:
    base: {{metadata: {{type: abstract}}, vars: {{n: {n()}}}}}
    web:
      metadata: {{inherits: [base]}}
      vars:
        m: {n()}
        list: [{n()}, {n()}]
        text: "{{{{ .vars.size }}}}-{{{{ len .vars.list }}}}"
"""
        for stage in ("dev", "prod"):
            self.files[f"stacks/deploy/{stage}.yaml"] = f"""import: [catalog/base]
vars:
  stage: {stage}
  zone: {n()}
components: {{terraform: {{web: {{vars: {{own: {n()}}}}}}}}}
"""

    # What cannot be evaluated

    def remote_chart(self) -> None:
        self.files["u/kustomization.yaml"] = """resources: [web.yaml]
helmCharts:
- name: far
  repo: https://charts.example.com
  version: 1.0.0
  valuesFile: values.yaml
"""
        self.files["u/web.yaml"] = CONFIG.format(name="u", a=1, b=2)
        self.files["u/values.yaml"] = "far: 1\nfurther: 2\n"
        self.targets.append("{name: u, kustomization: u}")
        self.unknown |= {("u/values.yaml", ""), ("u/kustomization.yaml", "version"), ("u/kustomization.yaml", "repo")}

    def remote_base(self) -> None:
        self.files["u/kustomization.yaml"] = (
            "resources:\n- web.yaml\n- https://github.com/a/b//c?ref=v1\ncommonAnnotations:\n  who: me\n"
        )
        self.files["u/web.yaml"] = CONFIG.format(name="u", a=1, b=2)
        self.targets.append("{name: u, kustomization: u}")
        self.unknown |= {("u/kustomization.yaml", "ref="), ("u/kustomization.yaml", "who")}

    def missing_dependency(self) -> None:
        self.files["u/Chart.yaml"] = (
            "apiVersion: v2\nname: u\nversion: 1.0.0\ndependencies:\n- name: far\n  version: 1.0.0\n  repository: https://x.example.com\n"
        )
        self.files["u/values.yaml"] = "own: 1\nfar:\n  deep: 1\nglobal:\n  shared: 1\n"
        self.files["u/templates/u.yaml"] = (
            'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: u}\ndata: {own: "{{ .Values.own }}"}\n'
        )
        self.targets.append("{name: u, chart: u}")
        self.unknown |= {
            ("u/values.yaml", "  "),  # whatever is below `far` and `global` is for the chart that is missing
            ("u/Chart.yaml", "repository"),
            ("u/Chart.yaml", "  version"),
        }

    def plugin(self) -> None:
        self.files["u/kustomization.yaml"] = "resources: [web.yaml]\ntransformers: [t.yaml]\n"
        self.files["u/web.yaml"] = CONFIG.format(name="u", a=1, b=2)
        self.files["u/t.yaml"] = "apiVersion: my/v1\nkind: T\nmetadata: {name: t}\nx: 1\ny: 2\n"
        self.targets.append("{name: u, kustomization: u}")
        self.unknown |= {("u/t.yaml", "x:"), ("u/t.yaml", "y:"), ("u/web.yaml", "")}

    def broken(self) -> None:
        self.files["u/kustomization.yaml"] = "resources: [bad.yaml, web.yaml]\n"
        self.files["u/bad.yaml"] = "a: [\n"
        self.files["u/web.yaml"] = CONFIG.format(name="u", a=1, b=2)
        self.targets.append("{name: u, kustomization: u}")
        self.unknown |= {("u/web.yaml", "")}


NUMBER = re.compile(r"\d+(?=[^\d]*$)")


def changed(repository: Repository, chance: random.Random) -> tuple[Files, bool]:
    """The files with one to four random changes of lines, and whether a line whose effect is unknown is among them."""
    files = dict(repository.files)
    wanted = chance.randint(1, 4)
    for _ in range(40):
        names = sorted(name for name in files if name not in ("plait.yaml", "atmos.yaml") and files[name])
        own = [name for name in names if name.startswith("u/")]
        name = chance.choice(own if own and chance.random() < 0.4 else names)
        lines = files[name].splitlines(keepends=True)
        at = chance.randrange(len(lines))
        made = _change(chance.choice(KINDS), name, lines[at], chance)
        if made is not None and made != [lines[at]]:
            files[name] = "".join([*lines[:at], *made, *lines[at + 1 :]])
            wanted -= 1
        if not wanted:
            break
    return files, any(word in line for file, word in repository.unknown for line in _differing(repository, files, file))


def _differing(repository: Repository, files: Files, name: str) -> list[str]:
    """The lines of a file that differ, on either side, without comments."""
    old, new = (Counter(side[name].splitlines()) for side in (repository.files, files))
    return [line for line in ((old - new) + (new - old)) if not line.lstrip().startswith("#")]


KINDS = ("value", "value", "value", "value", "comment", "remove", "add")


def _change(kind: str, name: str, line: str, chance: random.Random) -> list[str] | None:
    """What a line becomes; None where such a change would break the file."""
    margin, text = line[: len(line) - len(line.lstrip())], line.strip()
    is_plain = bool(re.fullmatch(r'(- )?([\w.-]+[:=] ?)?"?\d+"?', text)) or name.endswith((".txt", ".env"))
    if kind == "value" and NUMBER.search(line) and "piVersion" not in line:
        return [NUMBER.sub(lambda found: str(int(found[0]) + 1), line)]
    if kind == "comment" and name.endswith(".yaml") and "templates" not in name:
        return [f"{margin}# a comment\n", line]
    if kind == "remove" and is_plain and chance.random() < 0.5:
        return []
    if kind == "add" and is_plain:
        value = chance.randint(1, 9)
        added = (
            f"N{value}={value}"
            if name.endswith(".env")
            else f"- {value}"
            if text.startswith("-")
            else f"n{value}: {value}"
        )
        return [line, f"{margin}{added}\n"]
    return None
