"""A report shows only what the commit has: text of untracked and of ignored files is masked in every format of every
report, however it was transformed, and in messages; what the commit has stays visible beside it."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from plait.apps.cli.run import run
from tests.attacks.test_git_folder import ATMOS, CHART, RESOURCE, STACK, put
from tests.outside.project import git

WORD = "CanaryQ7Xk2w"
FORMATS = ("text", "markdown", "json", "html", "github", "sarif")
FILES = {"x.yaml": f"k: {WORD}\n", "x.txt": f"{WORD}\n", "vars": f"A={WORD}\n", "w.txt": WORD}
"""What another step of a pipeline left: in `untracked/` and in `ignored/`."""


def layers(text: str) -> tuple[dict[str, str], dict[str, str]]:
    base = {"plait.yaml": "notations: [gotemplate]\ntargets: [{name: t, layers: [a.yaml]}]\n", "a.yaml": "a: 1\n"}
    return base, {"a.yaml": f"seen: visible\n{text}"}


def chart(action: str, **more: str) -> tuple[dict[str, str], dict[str, str]]:
    base = {**CHART, "c/templates/a.yaml": RESOURCE.replace("visible", "old")}
    return base, {"c/templates/a.yaml": f"{RESOURCE}  v: {action}\n", **more}


def kustomize(text: str) -> tuple[dict[str, str], dict[str, str]]:
    base = {"k/kustomization.yaml": "resources: [r.yaml]\n", "k/r.yaml": RESOURCE.replace("visible", "old")}
    return base, {"k/kustomization.yaml": f"resources: [r.yaml]\n{text}\n", "k/r.yaml": RESOURCE}


def compose(service: str) -> tuple[dict[str, str], dict[str, str]]:
    base = {
        "plait.yaml": "targets: [{name: t, compose: compose.yaml, interpolate: true}]\n",
        "compose.yaml": "services: {a: {image: x}}\n",
    }
    return base, {"compose.yaml": f"services:\n  seen: {{image: visible}}\n  a: {{image: x, {service}}}\n"}


def stacks(vars: str, config: str = "") -> tuple[dict[str, str], dict[str, str]]:
    base = {"atmos.yaml": ATMOS + config, "stacks/dev.yaml": STACK.replace("visible", "old"), "comps/x/main.tf": ""}
    return base, {"stacks/dev.yaml": STACK.replace("seen: visible", f"seen: visible, {vars}")}


def spiff(text: str) -> tuple[dict[str, str], dict[str, str]]:
    return {"plait.yaml": "targets: [{name: t, template: a.yml}]\n", "a.yml": "x: 1\n"}, {
        "a.yml": f"seen: visible\n{text}"
    }


GET = '(.Files.Get "DIR/w.txt")'
CASES = {
    "include": layers("v: !include DIR/x.yaml\n"),
    "a part of it": layers("v: !include DIR/x.yaml\nw: !ref v.k\n"),
    "include, raw": layers("v: !include.raw DIR/x.txt\n"),
    "a template of it": layers("i: !include.raw DIR/w.txt\nv: '{{ .i | b64enc }} {{ .i | upper }}'\n"),
    "its letters": layers("i: !include.raw DIR/w.txt\nv: '{{ .i | splitList \"\" | join \"-\" }}'\n"),
    "an error of a template": layers("i: !include.raw DIR/w.txt\nv: '{{ .i | upper | fail }}'\n"),
    "an index": layers("i: !include DIR/x.yaml\nv: '{{ index (dict) .i.k 1 }}'\n"),
    "a layer": ({"plait.yaml": "targets: [{name: t, layers: [a.yaml]}]\n", "a.yaml": "seen: old\n"},
                {"plait.yaml": "targets: [{name: t, layers: [DIR/x.yaml, a.yaml]}]\n", "a.yaml": "seen: visible\n"}),
    "a link": ({**layers("")[0]}, {"a.yaml": "seen: visible\nv: !include.raw l\n", "l": "-> DIR/w.txt"}),
    **{f"chart, {name}": chart(action, **{"c/DIR/w.txt": "-> ../../DIR/w.txt"}) for name, action in {
        "as it is": f"{{{{ {GET} | quote }}}}", "reversed": f'{{{{ {GET} | splitList "" | reverse | join "" }}}}',
        "coded": f"{{{{ {GET} | b64enc }}}}", "as hex": f'{{{{ {GET} | printf "%x" }}}}',
        "in another case": f"{{{{ {GET} | swapcase }}}}", "fail": f"{{{{ {GET} | fail }}}}",
        "fail, reversed": f'{{{{ {GET} | splitList "" | reverse | join "" | fail }}}}',
        "required": f"{{{{ required {GET} nil }}}}", "include": f"{{{{ include {GET} . }}}}",
        "semver": f'{{{{ semverCompare {GET} "1.0.0" }}}}', "index": f"{{{{ index (dict) {GET} 1 }}}}",
        "a letter": f'{{{{ {GET} | substr 0 1 | printf "%sletter" | fail }}}}',
        "a key": f'"x"\n  {{{{ {GET} }}}}: 1',
        "a key inside": '"x"\n  in: {"{{ ' + GET + ' }}": 1}',
        "a name": f'"x"\n---\nkind: A\nmetadata: {{name: "{{{{ {GET} }}}}"}}',
    }.items()},
    "values of a chart": ({**CHART, "c/templates/a.yaml": RESOURCE.replace("visible", "old"),
                           "plait.yaml": "targets:\n- {name: t, chart: c}\n"},
                          {"plait.yaml": "targets:\n- {name: t, chart: c, values: [DIR/x.yaml]}\n",
                           "c/templates/a.yaml": f"{RESOURCE}  v: {{{{ .Values.k | quote }}}}\n"}),
    "files of a generator": kustomize("configMapGenerator: [{name: g, files: [../DIR/x.txt]}]"),
    "variables of a generator": kustomize("secretGenerator: [{name: g, envs: [../DIR/vars]}]"),
    "an environment of Compose": compose("env_file: [DIR/vars]"),
    "include in a stack": stacks("v: !include ../DIR/x.yaml"),
    "text in a stack": stacks("v: !include.raw ../DIR/w.txt"),
    "gomplate": stacks("v: '{{ file.Read \"DIR/w.txt\" | strings.ToUpper }}'",
                       "templates: {settings: {enabled: true, gomplate: {enabled: true}}}\n"),
    "spiff": spiff('v: (( read("DIR/w.txt", "text") ))\n'),
    "spiff, coded": spiff('v: (( base64(read("DIR/w.txt", "text")) ))\n'),
    "spiff, error": spiff("v: '(( error(\"no: \" read(\"DIR/w.txt\", \"text\")) ))'\n"),
}  # fmt: skip
HIDES_MORE = {
    *(
        f"chart, {name}"
        for name in ("fail", "fail, reversed", "required", "include", "semver", "index", "a letter", "a key")
    ),
    "spiff, error",
}
"""What leaves nothing of the document, or fails with it."""


def spellings() -> list[str]:
    """The word as it is, reversed, in both cases, as hex, and as base64 at each offset."""
    data = WORD.encode()
    coded = [base64.b64encode(b"\0" * at + data)[4 if at else 0 : -4].decode() for at in range(3)]
    return [WORD, WORD[::-1], WORD.upper(), WORD.lower(), WORD.swapcase(), data.hex(), data.hex().upper(),
            "-".join(WORD), *coded]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for kind in ("CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    monkeypatch.setenv("CI", "1")
    git(root, "init", "-q")
    put(root, {".gitignore": "ignored\n"})
    monkeypatch.chdir(root)
    return root


def commit(root: Path) -> None:
    git(root, "add", "-A", ".")
    git(root, "commit", "-qm", "x")


def check(text: str, where: str) -> None:
    assert [one for one in spellings() if one in text] == [], f"{where}: {text}"


@pytest.mark.parametrize("folder", ["untracked", "ignored"])
@pytest.mark.parametrize("what", CASES)
def test_no_report_shows_what_the_commit_does_not_have(
    what: str, folder: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, change = CASES[what]
    put(project, base)
    commit(project)
    put(project, {name.replace("DIR", folder): text.replace("DIR", folder) for name, text in change.items()})
    commit(project)
    put(project / folder, FILES)
    for form in FORMATS:
        for revision in ("HEAD~1", "HEAD~1..HEAD"):
            status = run(["review", revision, "--full", "--no-cache", "--format", form])
            text = "".join(capsys.readouterr())
            assert status in range(6), text
            check(text, f"{form} {revision}")
            if form in ("text", "json", "markdown", "html") and revision == "HEAD~1" and what not in HIDES_MORE:
                assert "visible" in text, text
    for words in (["lint", "--format", "sarif"], ["lint", "--format", "github"]):
        run(words)
        check("".join(capsys.readouterr()), " ".join(words))
    run(["serve", "--export", str(project.parent / "site")])
    check("".join(capsys.readouterr()), "serve")
    for page in (project.parent / "site").rglob("*"):
        if page.is_file():
            check(page.read_text(errors="replace"), str(page))
