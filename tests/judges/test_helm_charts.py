"""Generated charts and expressions, rendered as helm renders them (make judges).

What is known to differ is in docs/fronts/charts.md, and left out here.
"""

from __future__ import annotations

import json
import os
import random
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cases.preloaded import preloaded
from tests.conformance.helm import documents, sources
from tests.judges import said, seeds

TEXTS = (
    *("", " ", "a", "yes", "no", "null", "~", "1", "01", "0x1F", "1e3", "1.0", "-", "- a", "a: b", "a:", "#x", "a #b"),
    *("'q'", '"q"', "two\nlines", "trail \n", "\tx", "é", "😀", "{a}", "[b]", "&a", "*a", "!t", "|", ">", "%x", "@x"),
    *("a\\b", "12:30", "2024-01-01", "0o17", "1_000", ".inf", "<<", "=", "x" * 90, "word " * 30, "\n", "\na", "a\n\n"),
)
CALLS = (
    *("{} | quote", "{} | squote", "{} | upper", "{} | lower", "{} | title", "{} | trunc 3", "{} | trunc -3"),
    *("{} | trim", "{} | nindent 2", "{} | indent 2", "{} | b64enc", "{} | b64enc | b64dec", "{} | sha256sum"),
    *("{} | sha1sum", "{} | adler32sum", "{} | toJson", "{} | toYaml", "list {} 1 | toYaml", 'dict "k" {} | toYaml'),
    *("{} | toString | len", '{} | replace "a" "b"', '{} | contains "a"', '{} | hasPrefix "a"', "{} | repeat 2"),
    *('{} | splitList ":" | toJson', '{} | split ":" | toJson', "{} | snakecase", "{} | kebabcase"),
    *("{} | abbrev 6", "{} | wrap 10", "{} | int", "{} | int64", "{} | float64", "{} | atoi"),
    *('{} | default "d"', "{} | empty", '{} | ternary "t" "f"', 'printf "%s|%v|%q|%5s|%-5s|" {} {} {} {} {}'),
    *('printf "%d" (int {})', 'regexReplaceAll "[a-c]" {} "<$0>"', 'regexMatch "^[a-z]+$" {}', 'regexFind "[0-9]+" {}'),
    *('regexSplit "[: ]" {} -1 | toJson', "{} | nospace", "{} | swapcase"),
    *(
        "{} | untitle",
        "{} | substr 0 2",
        '{} | cat "x"',
        '{} | trimSuffix "a"',
        '{} | trimPrefix "a"',
        '{} | plural "s" 2',
    ),
    *("{} | kindOf", "{} | typeOf", "{} | urlquery", "{} | html"),
    *("{} | js", "{} | toToml", 'dict "k" {} | toToml', 'dict "k" (list {} "b") | toJson', 'eq {} "a"', 'ne {} ""'),
    *(
        'coalesce "" {} "z"',
        'tpl "{{{{ . }}}}" {}',
        'list {} {} "b" | uniq | toJson',
        'list "b" {} | sortAlpha | join ","',
    ),
    *('without (list "a" {}) "a" | toJson', 'has {} (list "a")', "{} | base", "{} | dir", "{} | ext", "{} | clean"),
    *('semverCompare ">=1.0" (default "1.0" {})', "{} | toRawJson", "{} | toPrettyJson", "{} | quote | quote"),
    *('dict "a" {} "b" (dict "c" {}) | toYaml | nindent 4', "{} | toYaml | nindent 4", "print {} 1 2 {}", "println {}"),
)


def _chart(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {"Chart.yaml": "apiVersion: v2\nname: judged\nversion: 0.1.0\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _both(chart: Path, *words: str) -> tuple[str | None, str | None]:
    """What helm and plait print; None where one refuses."""
    done = said("helm", "template", "demo", str(chart), *words)
    status, out, _ = preloaded().run(["render", str(chart), "--release", "demo", *words], chart, dict(os.environ), b"")
    return (done.stdout if not done.returncode else None), (out.decode() if not status else None)


def _same(chart: Path, *words: str) -> None:
    helm, plait = _both(chart, *words)
    assert (helm is None) == (plait is None), f"helm {'refuses' if helm is None else 'prints'} it"
    if helm is None or plait is None:
        return
    if "--include-crds" in words:  # helm prints those of subcharts that Chart.yaml does not name in an order of chance
        assert sorted(sources(plait)) == sorted(sources(helm))
        return
    assert sources(plait) == sources(helm)
    assert documents(plait) == documents(helm)


@pytest.mark.parametrize("call", CALLS)
def test_a_function_gives_what_it_gives_in_helm(call: str, tmp_path: Path) -> None:
    """Each call with each text: its result as JSON, or that it fails."""
    expression = call.format(*["$v"] * 5)
    one = 'r{{ $i }}: {{ printf "%v" (' + expression + ") | toJson }}\n"
    body = "{{ range $i, $v := .Values.texts }}" + one + "{{ end }}"
    chart = _chart(
        tmp_path, {"templates/a.yaml": body, "values.yaml": json.dumps({"texts": TEXTS}, ensure_ascii=False)}
    )
    helm, plait = _both(chart)
    if helm is not None or plait is not None:
        assert helm is not None, "only helm refuses it"
        assert plait is not None, "only plait refuses it"
        assert yaml.safe_load(plait) == yaml.safe_load(helm)
        return
    for text in TEXTS:  # one of them fails: each alone
        (chart / "values.yaml").write_text(json.dumps({"texts": [text]}, ensure_ascii=False))
        _same(chart)


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.random()
    if depth == 0 or kind < 0.5:
        return chance.choice((*TEXTS, None, True, False, 0, 1, -5, 1.5, 1e21, 123456789, 1e-7, [], {}))
    if kind < 0.7:
        return [_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    return {chance.choice(KEYS): _value(chance, depth - 1) for _ in range(chance.randrange(5))}


SEEN = (
    *(".Chart", ".Capabilities", ".Capabilities.KubeVersion", ".Capabilities.HelmVersion", ".Release", ".Files"),
    *('(.Files.Glob "x*")', '(toDate "2006-01-02" "2024-02-03")', '(semver "1.2.3-a+b")', "(concat (list) (list))"),
    *('(regexFindAll "x" "a" -1)', '(regexSplit "x" "a" 0)', '(fromJsonArray "null")', '(fromJson "null")', "(list)"),
    *("(until 0)", "(keys (dict))", '(urlParse "https://a:b@c:1/d?e#f")', '(split "," "a,b")', "(divf 1 3)", "(dict)"),
)
WAYS = (
    *("{} | toJson", "{} | toYaml", "{} | toString", "{} | kindOf", 'printf "%v" {}', 'printf "%s" {}', "{} | quote"),
    *("{} | empty", "{} | toPrettyJson", '{} | default "D"', "list {} | toJson", 'join "," {}', "cat {}"),
    *('dict "k" {} | toToml', 'dict "k" {} | toYaml', 'coalesce {} "z"', "{} | toStrings", "{} | int", "{} | float64"),
)


def test_what_templates_see_is_written_as_helm_writes_it(tmp_path: Path) -> None:
    """Structs, moments and lists that nobody made, in every way that a template can write them."""
    calls = [way.format(seen) for seen in SEEN for way in WAYS]
    body = "kind: Seen\n" + "".join(f"r{n}: {{{{ {call} | toJson | quote }}}}\n" for n, call in enumerate(calls))
    helm, plait = _both(_chart(tmp_path, {"templates/a.yaml": body}))
    assert helm is not None
    assert plait is not None
    rows = zip(calls, yaml.safe_load(helm).items(), yaml.safe_load(plait).items(), strict=False)
    assert [row for row in rows if row[1] != row[2]] == []


LETTERS = ("a", "B", "9", "_", "-", " ", "HTTP", "é", "É", ".", "Aa", "bC", "ß", "日", "\u00a0")


@pytest.mark.parametrize("seed", seeds(3))
def test_words_are_found_as_helm_finds_them(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    words = ["".join(chance.choices(LETTERS, k=chance.randrange(1, 8))) for _ in range(200)]
    names = ("camelcase", "snakecase", "kebabcase", "title", "untitle", "initials", "nospace", "swapcase")
    each = "".join(f"{name}-{{{{ $i }}}}: {{{{ {name} $v | b64enc }}}}\n" for name in names)
    body = "kind: Seen\n{{ range $i, $v := .Values.words }}" + each + "{{ end }}"
    helm, plait = _both(_chart(tmp_path, {"templates/a.yaml": body, "values.yaml": json.dumps({"words": words})}))
    assert yaml.safe_load(plait or "") == yaml.safe_load(helm or "")


KEYS = ("a", "b10", "b9", "B", "yes", "1", "x.y", "é", "a b", "", "null", "a:", "-x", "Z9z")


@pytest.mark.parametrize("seed", seeds(20))
def test_yaml_is_written_as_helm_writes_it(seed: int, tmp_path: Path) -> None:
    """Letter for letter: checksums are made of it."""
    chance = random.Random(seed)
    values = {"many": [_value(chance, 4) for _ in range(25)]}
    rows = "y{{ $i }}: {{ toYaml $v | toJson }}\nj{{ $i }}: {{ toJson $v | toJson }}\n"
    table = 't{{ $i }}: {{ if kindIs "map" $v }}{{ toToml $v | toJson }}{{ end }}\n'
    body = f"{{{{ range $i, $v := .Values.many }}}}{rows}{table}{{{{ end }}}}"
    chart = _chart(tmp_path, {"templates/a.yaml": body, "values.yaml": json.dumps(values, ensure_ascii=False)})
    _same(chart)


def _family(chance: random.Random) -> dict[str, str]:
    """A chart with subcharts of all sorts."""
    names = ["one", "two", "three"]
    declared, files, own = [], {}, {"global": {"g": 1}, "tags": {"t": chance.random() < 0.5}}
    for name in names:
        row: dict[str, Any] = {
            "name": name,
            "version": chance.choice(["1.x", ">=0.1.0", "2.x", "0.1.0"]),
            "repository": "",
        }
        if chance.random() < 0.4:
            row["alias"] = f"{name}-alias"
        if chance.random() < 0.4:
            row["condition"] = chance.choice([f"{name}.enabled", f"{name}.on,global.on", "missing.path"])
        if chance.random() < 0.4:
            row["tags"] = chance.sample(["t", "u"], chance.randrange(1, 3))
        if chance.random() < 0.4:
            row["import-values"] = chance.choice([["data"], [{"child": "deep.map", "parent": "taken"}]])
        if chance.random() < 0.8:
            declared.append(row)
        called = row.get("alias", name)
        own[called] = chance.choice([{"enabled": False}, {"enabled": True, "v": 2}, {"on": False}, {"v": None}, {}])
        base = f"charts/{name}/"
        kind = chance.choice(["application", "application", "library"])
        files[base + "Chart.yaml"] = (
            f"apiVersion: v2\nname: {name}\nversion: {chance.choice(['1.2.0', '0.1.0'])}\ntype: {kind}\n"
        )
        files[base + "values.yaml"] = json.dumps(
            {"v": 1, "global": {"h": name}, "exports": {"data": {"from": name}}, "deep": {"map": {"k": name}}}
        )
        files[base + "templates/_h.tpl"] = f'{{{{ define "shared" }}}}{name}{{{{ end }}}}'
        files[base + "templates/c.yaml"] = (
            'apiVersion: v1\nkind: {{ .Values.kind | default "ConfigMap" }}\nmetadata: {name: {{ .Chart.Name }}}\n'
            'data: {v: {{ .Values | toJson | quote }}, s: {{ include "shared" . }}, '
            "p: {{ .Template.Name }}, r: '{{ .Chart.IsRoot }}'}\n"
        )
        files[base + "crds/d.yaml"] = f"kind: CustomResourceDefinition\nmetadata: {{name: {name}}}\n"
    files["values.yaml"] = json.dumps(own)
    files["Chart.yaml"] = yaml.safe_dump(
        {"apiVersion": "v2", "name": "top", "version": "0.1.0", "dependencies": declared}
    )
    files["templates/top.yaml"] = (
        "kind: Service\nmetadata: {name: top}\nv: {{ .Values | toJson | quote }}\n"
        "sub: {{ keys .Subcharts | sortAlpha | toJson }}\n"
    )
    files["templates/hook.yaml"] = (
        "kind: Job\nmetadata:\n  name: hook\n  annotations: {helm.sh/hook: "
        + chance.choice(["test", "pre-install", '"pre-install,post-upgrade"', "none"])
        + "}\n"
        "---\nkind: Pod\nmetadata: {name: p}\n---\n# nothing\n---\nkind: Widget\nmetadata: {name: w}\n"
    )
    files["files/a.txt"], files["files/b.conf"], files[".helmignore"] = (
        "a\nb\n",
        "x=1",
        chance.choice(["*.conf\n", "files/\n", "# no\n"]),
    )
    files["templates/files.yaml"] = (
        'kind: Secret\nmetadata: {name: f}\ng: {{ .Files.Get "files/a.txt" | quote }}\n'
        'l: {{ .Files.Lines "files/a.txt" | toJson }}\nd:\n{{ (.Files.Glob "files/**").AsConfig | indent 2 }}\n'
        'k: {{ .Capabilities.KubeVersion }} \nhas: {{ .Capabilities.APIVersions.Has "batch/v1" }}\n'
        'own: {{ .Capabilities.APIVersions.Has "x/v1" }}\n'
        'l2: {{ lookup "v1" "Pod" "a" "b" | toJson }}\nu: {{ .Release.IsUpgrade }}\n'
    )
    return files


FLAGS: tuple[tuple[str, ...], ...] = (
    (),
    ("--include-crds",),
    ("--no-hooks",),
    ("--skip-tests",),
    ("--is-upgrade",),
    ("--api-versions", "x/v1"),
)
FLAGS += (
    ("--kube-version", "1.28.3"),
    ("--set", "one.enabled=true,tags.t=true"),
    ("--show-only", "templates/top.yaml"),
)


@pytest.mark.parametrize("seed", seeds(40))
def test_a_family_of_charts_is_rendered_as_helm_renders_it(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    chart = _chart(tmp_path / "top", _family(chance))
    if seed % 4 == 0:  # one of them packed
        inner = chart / "charts" / "two"
        with tarfile.open(chart / "charts" / "two-1.0.tgz", "w:gz") as packed:
            packed.add(inner, "two")
        for path in sorted(inner.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        inner.rmdir()
    _same(chart, *FLAGS[seed % len(FLAGS)])


NAMES = ("a", "ab", "abc", "a.b", "x/a", "x/ab.yaml", "x/y/ab.yaml", "x/y/c", "[a]", "a]b", "a,b", "é", "x/é")
GLOBS = (
    *(
        "a",
        "b",
        "x",
        "/",
        "*",
        "**",
        "?",
        "[ab]",
        "[!a]",
        "[a-c]",
        "[!a-c]",
        "{a,b}",
        "{a,x/*}",
        "{a,{b,c}}",
        "*/",
        "**/",
    ),
    *(
        "x/",
        "\\*",
        "\\",
        "[",
        "}",
        "]",
        ",",
        "[c-a]",
        "[a-cx]",
        "[\\]]",
        "[/]",
        "[!]",
        "é",
        "[a-z]",
        "{a*,*b}",
        ".yaml",
    ),
)


@pytest.mark.parametrize("seed", seeds(20))
def test_globs_match_the_files_that_helm_matches(seed: int, tmp_path: Path) -> None:
    """Without empty alternatives, for which its library has faults."""
    chance = random.Random(seed)
    globs = ["".join(chance.choices(GLOBS, k=chance.randrange(1, 5))) for _ in range(20)]
    globs = [one for one in globs if "***" not in one]
    body = (
        "{{- range $at, $glob := .Values.globs }}\nk{{ $at }}: |-\n"
        "{{- range $name, $_ := $.Files.Glob $glob }}\n  {{ $name }}{{ end }}\n{{- end }}\n"
    )
    texts = {"templates/a.yaml": body, "values.yaml": json.dumps({"globs": globs}), **dict.fromkeys(NAMES, "1")}
    _same(_chart(tmp_path / "chart", texts))
