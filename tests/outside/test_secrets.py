"""A secret goes through every route there is, and every command that could show it is asked: no byte of it may come
out.

Looked for in what is printed on both streams, in what is written with `--file`, and in everything under the cache
folder: the secret itself, and what templates make of it.
"""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import pytest

from tests.outside.project import Repository
from tests.outside.servers import Web

SECRET = 'Zq7-Xw"9\\kVt'
LINES = "BEGIN-PrIvAtE\nm0re-Of-iT"
FORMS = {
    "as it is": SECRET,
    "in JSON": json.dumps(SECRET)[1:-1],
    "in JSON in JSON": json.dumps(json.dumps(SECRET)[1:-1])[1:-1],
    "in capitals": SECRET.upper(),
    "in base64": base64.b64encode(SECRET.encode()).decode().rstrip("="),
    "swapped": SECRET.swapcase(),
    "its first half": SECRET[:6],
    "its second line": "m0re-Of-iT",
    "a number": "8405119",
}
CONFIG = """\
stores:
  hush: {type: file, kind: secret, options: {path: hush.json}}
  open: {type: file, options: {path: open.yaml}}
"""
CATALOG = """\
locals:
  pw: !store.get hush pw
  url: "postgres://u:{{ .locals.pw }}@db"
  deep: {list: ["{{ .locals.pw }}", {in: "{{ .locals.url }}"}]}
  called: !template '{{ dict "k" .locals.pw | toJson }}'
  asked: !env '{{ b64enc .locals.pw }}'
settings: {token: "{{ .locals.pw }}"}
components:
  terraform:
    base:
      metadata: {type: abstract}
      vars: {inherited: "{{ .locals.url }}", loser: "{{ .locals.pw }}"}
"""
RENDERED = """\
locals: {pw: !store.get hush pw}
components:
  terraform:
    rendered:
      env: {TOKEN: '{{ .locals.pw | replace "\\"" "" | replace "\\\\" "" }}'}
      vars:
        half: '{{ .locals.pw | trunc 6 }}'
        coded: "{{ .locals.pw | b64enc }}"
        call: !template '{{ .locals.pw | b64enc }}'
        asked: !env '{{ .locals.pw | b64enc }} fallback'
        flavor: "{{ .flavor }}"
        number: {{ .pin }}
"""
STACK = """\
import:
  - catalog/base
  - {path: catalog/rendered, context: {flavor: blue, pin: !store.get hush pin}}
locals:
  pw: !store.get hush pw
  call: "!env {{ .locals.pw | b64enc }}"
terraform:
  vars: {shared: "{{ .settings.token }}"}
components:
  terraform:
    app:
      metadata: {inherits: [base], component: app}
      secrets: {DB: {store: hush, key: pw}, KEY: {store: hush, key: lines}, TREE: {store: hush, key: tree}}
      vars:
        pw: !secret DB
        key: !secret KEY
        tree: !secret TREE
        one: !secret TREE | path .list[0]
        pin: !store.get hush pin
        loser: visible
        local: "{{ .locals.pw }}"
        local_call: "{{ .locals.call }}"
        upper: "{{ .vars.pw | upper }}"
        coded: '{{ .vars.pw | b64enc }}'
        swapped: !template '{{ .vars.pw | swapcase }}'
        json: "{{ toJson .vars.tree }}"
        call: !template '{{ toJson .vars.tree }}'
        argument: !env '{{ .vars.coded }}'
        fallback: !env NOBODY_HAS_THIS {{ .vars.coded }}
        quoted: "!env NOBODY_HAS_THIS {{ .vars.coded }}"
        command: !exec printf %s '{{ .vars.pw }}' | tr a-z A-Z
        stored: !store open {{ .vars.coded }} id | default {{ .vars.coded }}
        later: !store.get open no/{{ .vars.coded }}
        resolved: '{{ atmos.Resolve "!secret DB" }}'
        resolved_call: '{{ atmos.Resolve (printf "!env NOPE %s" .vars.coded) }}'
        from_store: '{{ atmos.Store "hush" "" "tree" "name" }}'
        other: '{{ (atmos.Component "other" "dev").vars.copy }}'
        whole: '{{ toJson (atmos.Component "other" "dev").vars }}'
        list: ["{{ .vars.pw }}", {in: ["{{ .vars.list_inner }}"]}]
        list_inner: "{{ index .vars.tree.list 0 }}"
        half: "{{ trunc 6 .vars.pw }}"
        env: !env TOKEN
        output: !terraform.state other .password
        joined: !terraform.state other '.host + .password'
        visible: plain
      env: {TOKEN: !secret DB}
      settings: {conn: "{{ .vars.coded }}", depends_on: {1: {component: other}}}
      backend_type: s3
      backend: {s3: {bucket: "b-{{ .vars.half }}"}}
    other:
      secrets: {DB: {store: hush, key: pw}}
      vars: {copy: !secret DB}
"""
COMMANDS = [
    ("describe", "component", "app", "-s", "dev"),
    ("describe", "component", "app", "-s", "dev", "--provenance=false"),
    ("describe", "component", "app", "-s", "dev", "-f", "json"),
    ("describe", "component", "app", "-s", "dev", "-q", "."),
    ("describe", "component", "app", "-s", "dev", "-q", ".sources"),
    ("describe", "component", "app", "-s", "dev", "-q", ".vars | tojson"),
    ("describe", "component", "app", "-s", "dev", "--process-functions=false"),
    ("describe", "component", "app", "-s", "dev", "--process-templates=false"),
    ("describe", "component", "app", "-s", "dev", "--skip", "template,env"),
    ("describe", "component", "rendered", "-s", "dev"),
    ("describe", "component", "rendered", "-s", "dev", "-q", "."),
    ("describe", "component", "rendered", "-s", "dev", "--process-functions=false"),
    ("describe", "stacks"),
    ("describe", "stacks", "-f", "json"),
    ("describe", "stacks", "-q", ".dev.components.terraform.app"),
    ("describe", "locals", "-s", "dev"),
    ("describe", "locals", "-s", "dev", "-f", "json"),
    ("describe", "locals", "-s", "dev", "--view", "manifest"),
    ("describe", "locals", "rendered", "-s", "dev"),
    ("describe", "dependents", "other", "-s", "dev"),
    ("describe", "affected", "--base", "HEAD"),
    ("describe", "affected", "--base", "HEAD", "--format", "matrix"),
    ("describe", "affected", "--base", "HEAD", "--include-dependents"),
    ("describe", "config"),
    ("list", "stacks"),
    ("list", "components"),
    ("list", "instances", "--format", "json"),
    ("list", "vars", "app"),
    ("list", "values", "app", "--format", "json"),
    ("list", "settings", "app"),
    ("list", "values", "rendered"),
    ("explain", "component", "app", "-s", "dev", "vars"),
    ("explain", "component", "app", "-s", "dev", "vars", "--format", "json"),
    ("explain", "component", "app", "-s", "dev", "env", "--format", "json"),
    ("explain", "component", "app", "-s", "dev", "settings"),
    ("explain", "component", "app", "-s", "dev", "backend"),
    ("explain", "component", "rendered", "-s", "dev", "vars"),
    ("explain", "component", "rendered", "-s", "dev", "vars", "--format", "json"),
    ("explain", "component", "rendered", "-s", "dev", "env"),
    ("validate", "stacks"),
    ("blame", "component", "app", "-s", "dev"),
    ("blame", "component", "app", "-s", "dev", "--gone", "--format", "json"),
    ("stack", "get", "app", "-s", "dev", "vars"),
    ("stack", "get", "rendered", "-s", "dev", "vars"),
    ("stack", "set", "app", "-s", "dev", "vars.visible", "x", "--at", "narrowest", "--dry-run"),
    ("stack", "unset", "app", "-s", "dev", "vars.visible", "--at", "narrowest", "--dry-run"),
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository in which a secret goes everywhere, with a change since its last commit."""
    made = Repository(tmp_path_factory.mktemp("secrets"), CONFIG)
    (made.folder / ".git").rmdir()
    values = {"pw": SECRET, "lines": LINES, "pin": 8405119, "tree": {"name": SECRET, "list": [SECRET, {"in": SECRET}]}}
    made.write("hush.json", json.dumps(values))
    made.write("open.yaml", "a: b\n")
    made.write("stacks/catalog/base.yaml", CATALOG)
    made.write("stacks/catalog/rendered.yaml.tmpl", RENDERED)
    made.stack("dev", STACK)
    made.provision("other", "dev-other", {"host": "h", "password": SECRET}, ("password",))
    made.provision("other", "dev", {"host": "h", "password": SECRET}, ("password",))
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=me", "-c", "user.email=me@example.org", "commit", "-q", "-m", "As it was"],
    ):
        subprocess.run(["git", *words], cwd=made.folder, check=True)
    made.stack("dev", STACK.replace("upper: ", "upper2: ").replace("@db", "@elsewhere"))
    made.write("hush.json", json.dumps({**values, "old": "x"}))
    return made


def leaks(text: str) -> list[str]:
    """The lines that tell a secret, each with the form in which they do."""
    return [f"{name}: {line.strip()}" for line in text.splitlines() for name, form in FORMS.items() if form in line]


def cached(home: Path) -> str:
    """Everything that plait left for later, as text."""
    return "\n".join(
        file.read_bytes().decode(errors="replace") + str(file) for file in home.rglob("*") if file.is_file()
    )


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_tells_a_secret(
    repository: Repository, nobody: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    said = repository.plait(*words, ATMOS_DEBUG_LOCALS="true")
    assert said.status == 0 or "--process" in words[-1], said.err
    assert leaks(said.out) == []
    assert leaks(said.err) == []
    assert leaks(cached(nobody)) == []


def test_what_is_no_secret_is_shown(repository: Repository) -> None:
    found = repository.vars("rendered", "dev")
    assert isinstance(found, dict)
    assert found["flavor"] == "blue"
    assert {name for name, value in found.items() if value == "<sensitive>"} == {
        "half",
        "coded",
        "call",
        "asked",
        "number",
        "shared",
    }
    app = repository.vars("app", "dev")
    assert isinstance(app, dict)
    assert (app["visible"], app["loser"], app["tree"]["list"][1]) == ("plain", "visible", {"in": "<sensitive>"})


REVEALED = [
    (("describe", "component", "app", "-s", "dev", "-f", "json"), ("as it is", "swapped", "a number")),
    (("describe", "component", "app", "-s", "dev", "-q", ".sources"), ("in base64",)),
    (("describe", "component", "rendered", "-s", "dev"), ("in base64", "its first half")),
    (("describe", "stacks", "-f", "json"), ("as it is", "in base64")),
    (("describe", "locals", "-s", "dev"), ("as it is",)),
    (("describe", "locals", "-s", "dev", "-f", "json"), ("as it is",)),
    (("describe", "affected", "--base", "HEAD"), ("in capitals",)),
    (("list", "values", "app"), ("swapped",)),
    (("explain", "component", "app", "-s", "dev", "vars"), ("in base64",)),
]


@pytest.mark.parametrize(("words", "forms"), REVEALED, ids=[" ".join(words) for words, _ in REVEALED])
def test_reveal_tells_them(repository: Repository, words: tuple[str, ...], forms: tuple[str, ...]) -> None:
    said = repository.plait(*words, "--reveal")
    assert said.status == 0, said.err
    assert [
        form for form in forms if FORMS[form] not in said.out and json.dumps(FORMS[form])[1:-1] not in said.out
    ] == []


def test_a_written_answer_is_masked_too(repository: Repository, tmp_path: Path) -> None:
    target = repository.folder / "answer.yaml"
    said = repository.plait("describe", "stacks", "--file", str(target))
    assert said.status == 0, said.err
    assert leaks(target.read_text()) == []


FAILING = {
    "a template that fails": "x: '{{ fail (printf \"bad %s\" .vars.pw) }}'",
    "one that quotes it": "x: '{{ fail (printf \"bad %q\" .vars.pw) }}'",
    "one that fails with a code of it": "x: '{{ fail (b64enc .vars.pw) }}'",
    "a function of templates": "x: '{{ atoi .vars.pw | fail }}'",
    "one that cannot read it": "x: '{{ fromJson .vars.pw }}'",
    "one that looks into it": "x: '{{ .vars.pw.deeper.still }}'",
    "a pattern that is none": 'x: \'{{ regexFind (printf "(%s" .vars.pw) "x" }}\'',
    "a file of that name": "x: !include 'no/{{ .vars.pw }}.yaml'",
    "a command": "x: !exec 'printf \"no: %s\" ''{{ .vars.pw }}'' >&2; exit 3'",
    "a command of that name": "x: !exec '{{ b64enc .vars.pw }} --now'",
    "a store of that name": "x: !store.get '{{ b64enc .vars.pw }} k'",
    "a component of that name": "x: !terraform.state '{{ b64enc .vars.pw }} .id'",
    "too many words": "x: !env '{{ .vars.pw }} b c d'",
    "a query of it": "x: !store.get 'open a | query .[\"{{ b64enc .vars.pw }}'",
    "a data source": "x: '{{ datasource .vars.pw }}'",
    "a host of that name": "x: !include 'https://127.0.0.1:1/{{ b64enc .vars.pw }}/x.yaml'",
    "a repository of that name": "x: !include 'git::https://127.0.0.1:1/{{ b64enc .vars.pw }}.git//x.yaml'",
    "another component": "x: '{{ (atmos.Component .vars.pw \"dev\").vars }}'",
    "another store": 'x: \'{{ atmos.Store .vars.pw "" "a" "b" }}\'',
    "a function in a template": "x: '{{ atmos.Resolve (printf \"!nope %s\" .vars.pw) }}'",
    "a key": "x: {'{{ .vars.pw }}': 1}",
    "a key of a code of it": "x: {'k{{ b64enc .vars.pw }}': 1}",
    "a key in a function": "x: !template '{\"{{ b64enc .vars.pw }}\": 1}'",
    "a key in a local": "x: '{{ .locals.map }}'",
}
UNREACHED = ("a host of that name", "a repository of that name")
"""Those of them that are no mistake: a server does not answer, so the value is not known."""


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A component for each of them."""
    made = small(tmp_path_factory.mktemp("failing"), "y: 1")
    components = [
        f"    '{name}': {{metadata: {{inherits: [app]}}, vars: {{{line}}}}}\n" for name, line in FAILING.items()
    ]
    made.stack("dev", SMALL + "".join(components))
    return made


@pytest.mark.parametrize("name", FAILING)
def test_no_error_tells_a_secret(failing: Repository, nobody: Path, name: str) -> None:
    said = failing.plait("explain", "component", name, "-s", "dev", "vars.x")
    assert leaks(said.out + said.err) == []
    assert "Traceback" not in said.err
    if name in UNREACHED:
        assert (said.status, "->  (computed)" in said.out) == (0, True)
        assert "<sensitive>" in said.err
    else:
        assert said.status == 1 or "<sensitive>" in said.out
    assert leaks(cached(nobody)) == []


@pytest.mark.parametrize(
    "words",
    [
        ("describe", "stacks"),
        ("describe", "stacks", "--error-mode", "strict"),
        ("list", "values", "app"),
        ("validate", "stacks"),
    ],
    ids=" ".join,
)
def test_no_list_of_errors_tells_a_secret(failing: Repository, nobody: Path, words: tuple[str, ...]) -> None:
    said = failing.plait(*words)
    assert leaks(said.out + said.err) == []
    assert leaks(cached(nobody)) == []


SMALL = """\
locals: {pw: !store.get hush pw, map: {'{{ .locals.pw }}': 1}}
components:
  terraform:
    app:
      vars:
        pw: !store.get hush pw
"""


def small(folder: Path, line: str) -> Repository:
    """One component with a secret and one more line."""
    made = Repository(folder / "repo", CONFIG)
    made.write("hush.json", json.dumps({"pw": SECRET}))
    made.write("open.yaml", "a: b\n")
    made.stack("dev", SMALL + f"        {line}\n")
    return made


NAMES = {
    "a key": ("components: {terraform: {x: {vars: {'{{ .pw | b64enc }}': 1}}}}", "a secret would be visible in a key"),
    "a key of its own local": (
        "locals: {pw: !store.get hush pw}\ncomponents: {terraform: {'x-{{ .locals.pw | b64enc }}': {}}}",
        "a secret would be visible in a key",
    ),
    "a component": ("components: {terraform: {'x-{{ .pw | b64enc }}': {}}}", "a secret would be visible in a key"),
    "an import": ("import: ['catalog/{{ .pw | b64enc }}']", "a secret would be visible in an import path"),
    "a folder": (
        "components: {terraform: {x: {metadata: {component: '{{ .pw | b64enc }}'}}}}",
        "a secret would be visible in the name of a folder",
    ),
    "a workspace": (
        "components: {terraform: {x: {metadata: {terraform_workspace: '{{ .pw | b64enc }}'}}}}",
        "workspace: <sensitive>",
    ),
    "a type of backend": (
        "components: {terraform: {x: {backend_type: '{{ .pw | b64enc }}'}}}",
        "a secret would be visible in backend_type",
    ),
    "a bad document": (
        "components: {'{{ .pw | b64enc }}': 1, '{{ .pw | b64enc }}': 2}",
        "a secret would be visible in a key",
    ),
    "what is no YAML": ("components: ['{{ .pw | b64enc }}' {{ .pw | b64enc }}: {", "error PL"),
    "a function": ("components: {terraform: {x: {vars: {a: !envv '{{ .pw | b64enc }}'}}}}", "unsupported YAML tag"),
    "words of a function": (
        "components: {terraform: {x: {vars: {a: !env '{{ .pw | b64enc }} b c d'}}}}",
        "!env takes NAME [DEFAULT]",
    ),
    "a failure": ("components: {terraform: {x: {vars: {a: '{{ fail .pw }}'}}}}", "error calling fail: <sensitive>"),
    "a shape that depends on it": (
        'components: {terraform: {x: {vars: { {{ if hasPrefix "Zq" .pw }}a: {{ b64enc .pw }}{{ else '
        "}}b: {c: d}{{ end }} }}}}",
        "a secret would be visible in a key",
    ),
}


@pytest.mark.parametrize(("body", "message"), NAMES.values(), ids=NAMES)
def test_a_name_in_a_rendered_file_tells_no_secret(tmp_path: Path, body: str, message: str) -> None:
    made = small(tmp_path, "y: 1")
    made.write("stacks/catalog/x.yaml.tmpl", f"{body}\n")
    made.stack("dev", "import: [{path: catalog/x, context: {pw: !store.get hush pw}}]\n")
    said = made.plait("describe", "stacks")
    whole = said.out + said.err
    assert leaks(whole) == []
    assert message in whole
    assert "Traceback" not in whole


@pytest.mark.parametrize(
    "stacks",
    [
        "name_template: '{{ .vars.pw }}'",
        "name_template: 'x{{ .vars.pw | b64enc }}'",
        "name_pattern: '{stage}-{tenant}'",
    ],
)
def test_a_stack_is_not_called_after_a_secret(tmp_path: Path, stacks: str) -> None:
    made = small(tmp_path, "y: 1")
    made.write("atmos.yaml", (made.folder / "atmos.yaml").read_text().replace('name_pattern: "{stage}"', stacks))
    made.write(
        "stacks/deploy/dev.yaml",
        "vars: {stage: dev, pw: !store.get hush pw, tenant: !store.get hush pw}\ncomponents: {terraform: {app: {}}}\n",
    )
    said = made.plait("list", "stacks")
    assert leaks(said.out + said.err) == []
    assert (said.out, said.status) == ("", 1)
    assert "PL3723" in said.err
    wrong = made.plait("describe", "component", "app", "-s", "dev")
    assert leaks(wrong.out + wrong.err) == []


def test_an_address_made_of_a_secret_is_not_told(tmp_path: Path, nobody: Path, web: Web) -> None:
    """Neither by the copy that is kept, nor by the warning that it is used, nor where the time is up."""
    code = base64.b64encode(SECRET.encode()).decode()
    made = small(tmp_path, f"x: !include 'http://127.0.0.1:{web.port}/{{{{ b64enc .vars.pw }}}}/x.yaml'")
    web.serve(f"/{code}/x.yaml", "a: 1\n")
    words = ("describe", "component", "app", "-s", "dev", "-f", "json", "-q", ".vars.x")
    said = made.plait(*words)
    assert json.loads(said.out) == {"a": "<sensitive>"}
    assert leaks(cached(nobody)) == []
    web.serve(f"/{code}/x.yaml", "", status=503)
    said = made.plait(*words)
    assert "a copy fetched" in said.err
    assert leaks(said.out + said.err) == []
    web.slow = 3.0
    (tmp_path / "soon").mkdir()
    (tmp_path / "soon/sitecustomize.py").write_text("from plait.core import meter\n\nmeter.WALL = 1\n")
    said = made.plait(*words, "--max-seconds", "1", PYTHONPATH=str(tmp_path / "soon"))
    assert "waiting for http" in said.err
    assert leaks(said.out + said.err) == []


@pytest.mark.parametrize(
    "text", ['{"pw": "%s" oops', '{"pw": "%s", "pw": "%s"}', '{"pw": *%s}', '["%s"]', "pw: %s\n\tx: y\n"]
)
def test_a_store_of_secrets_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    made = small(tmp_path, "x: 1")
    made.write("hush.json", text.replace("%s", "Zq7-XwPlain"))
    said = made.plait("describe", "component", "app", "-s", "dev")
    assert "the store `hush` " in said.err
    assert leaks(said.out + said.err) == []
    assert "Traceback" not in said.err


DECLARED = """\
secrets: {ROOT: {store: hush, key: pw, description: what others say about it is theirs}}
overrides: {secrets: {OVER: {store: hush, key: pw}}}
components:
  terraform:
    base: {metadata: {type: abstract}, secrets: {BASE: {store: hush, key: other}, DB: {store: hush, key: other}}}
    app:
      metadata: {inherits: [base]}
      secrets: {DB: {store: hush, key: "{{ .vars.which }}"}, own: {store: hush}, GONE: {store: hush, key: no/such}}
      vars:
        which: pw
        x: {a: !secret ROOT , b: !secret BASE , c: !secret DB , d: !secret OVER , e: !secret own ,
            f: !secret GONE | default none}
        g: !secret '%s'
"""


def declared(folder: Path, name: str, stores: str = CONFIG) -> Repository:
    made = Repository(folder / "repo", stores)
    made.write("hush.json", json.dumps({"pw": "one", "other": "two", "dev": {"app": {"own": "three"}}}))
    made.stack("dev", DECLARED % name)
    return made


def test_how_secrets_are_declared(tmp_path: Path) -> None:
    """At the root, in a base, in the component and in overrides, as other sections are; with a key, or under the
    name of the component."""
    said = declared(tmp_path, "ROOT").plait(
        "describe", "component", "app", "-s", "dev", "-f", "json", "-q", ".vars.x", "--reveal"
    )
    assert said.data == {"a": "one", "b": "two", "c": "one", "d": "one", "e": "three", "f": "none"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ROOTT", "the secret `ROOTT` is not declared\n"),
        ("GONE", "the store `hush` has no `no/such`"),
        ("", "!secret takes NAME"),
        ("a b", "!secret takes NAME"),
    ],
)
def test_a_secret_that_is_not_there(tmp_path: Path, name: str, why: str) -> None:
    said = declared(tmp_path, name).plait("describe", "component", "app", "-s", "dev", "--error-mode", "strict")
    assert said.status == 1
    assert why in said.err


@pytest.mark.parametrize("form", ["text", "[a]", "{key: pw}", "{store: ''}", "null"])
def test_a_declaration_that_says_nothing(tmp_path: Path, form: str) -> None:
    made = small(tmp_path, "x: !secret DB")
    made.stack("dev", f"components: {{terraform: {{app: {{secrets: {{DB: {form}}}, vars: {{x: !secret DB }}}}}}}}\n")
    said = made.plait("describe", "component", "app", "-s", "dev")
    assert "the secret `DB` is not declared" in said.err
    assert "declare it: secrets: {vars: {NAME: {store: STORE, key: KEY}}}" in said.err
