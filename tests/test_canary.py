"""One secret, every command, every format, every front, and failures of many kinds: it is never seen.

Standard output, standard error, the cache, the state folder and temporary files are searched, in the usual spellings.
"""

from __future__ import annotations

import base64
import os
import re
import tempfile
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.apps.cli.commands import COMMANDS
from tests.outside.project import git

SECRET = "canary-7Q2x-hunter"
SPELLINGS = (SECRET, SECRET.upper(), base64.b64encode(SECRET.encode()).decode().rstrip("="), SECRET[::-1])

FILES = {
    "base.yaml": f"""\
db:
  password: !sensitive "{SECRET}"
  url: !ref db.password
  list: !sensitive
  - {SECRET}
  - {{key: {SECRET}}}
plain: {{a: 1, b: [x, y]}}
bad: !ref db.password.more
""",
    "prod.yaml": "db: {password: plain-override-" + SECRET + ", list: [" + SECRET + "]}\nplain: {a: 2}\n",
    "same.yaml": f"db:\n  password: !sensitive {SECRET}-2\nplain: {{a: 1, b: [x, y]}}\n",
    "broken.yaml": f"db:\n  password: !sensitive {SECRET}\n  {SECRET[:0]}bad: [1\n",
    "twice.yaml": f"a: !sensitive {SECRET}\na: !sensitive {SECRET}\n",
    "kinds.yaml": f"db: !sensitive {SECRET}\n",
    "template.yml": f"db:\n  password: !sensitive {SECRET}\n  copy: (( db.password ))\n  wrong: (( "
    "db.password + 1 ))\n",
    "good.yml": f'db:\n  password: !sensitive {SECRET}\n  copy: (( db.password ))\n  long: (( "x-" db.password ))\n',
    "stub.yml": f"db:\n  password: stub-{SECRET}\n",
    "directives.yaml": f"base: &b {{pw: !sensitive {SECRET}}}\nweb:\n  +*b:\n  port: 80\nmiss: {{+/nowhere: }}\n",
    "expands.yaml": f"base: &b {{pw: !sensitive {SECRET}}}\nweb:\n  +*b:\n  port: 80\nall: {{eval: ::base::pw}}\n",
    "inner.yaml": f"user: u\ncreds: !sensitive\n  made: '{SECRET}-{{{{ .user }}}}'\n"
    f"  env: !env NO_SUCH_VARIABLE {SECRET}\n"
    "  list: ['{{ .user }}-" + SECRET + "']\n  wrong: '" + SECRET + " {{ .nothing.there }}'\n"
    "copy: !ref creds.made\nmore: 'x{{ .creds.made }}'\n",
    "inner.yml": f'user: u\ncreds: !sensitive\n  made: (( "{SECRET}" user ))\ncopy: (( creds.made ))\n',
    "keys.yaml": f"pw: !sensitive {SECRET}\nmade: \"{{{{ {{('::pw' | eval): 1}} }}}}\"\n"
    "each: {eval: ::names, foreach: {key: {eval: ::pw}, value: 1}}\nnames: [a]\n",
}

COMMAND_LINES = [
    "merge base.yaml",
    "merge base.yaml prod.yaml --path db",
    "merge inner.yaml --notation gotemplate",
    "doctor",
    "tidy",
    "merge inner.yaml --notation gotemplate --path copy --hermetic",
    "merge inner.yaml --notation gotemplate --path creds.wrong",
    "explain creds inner.yaml --notation gotemplate",
    "explain more inner.yaml --notation gotemplate",
    "blame inner.yaml same.yaml --notation gotemplate",
    "lint inner.yaml inner.yaml --notation gotemplate",
    "spiff merge inner.yml",
    "explain creds.made inner.yml --front spiff",
    "merge base.yaml prod.yaml --path db.url",
    "merge base.yaml kinds.yaml --lint",
    "merge base.yaml prod.yaml --path db --lint",
    "merge base.yaml --path bad",
    "merge base.yaml --path db.passwrd",
    "merge broken.yaml",
    "merge twice.yaml",
    "explain db.password base.yaml prod.yaml",
    "explain db base.yaml same.yaml",
    "explain db.url base.yaml prod.yaml",
    "explain bad base.yaml",
    "explain db.password good.yml stub.yml --front spiff",
    "explain base.pw expands.yaml --front unfurl",
    "get base.yaml",
    "get base.yaml **",
    "blame base.yaml prod.yaml",
    "blame base.yaml same.yaml --gone",
    "merge3 base.yaml same.yaml prod.yaml -o merged.yaml",
    "merge3 same.yaml base.yaml kinds.yaml -o merged.yaml",
    "merge3 broken.yaml base.yaml same.yaml -o merged.yaml",
    "render",
    "render s",
    "render u --origins",
    "render d --path web",
    "render t --lint",
    "lint base.yaml prod.yaml kinds.yaml",
    "layers base.yaml prod.yaml",
    "why-not db.password base.yaml base.yaml prod.yaml same.yaml",
    "merge base.yaml same.yaml --origins --path db",
    "get base.yaml db.password",
    "get base.yaml db.list[0]",
    "get base.yaml db.password.more",
    "set base.yaml plain.a 3 --dry-run",
    "set base.yaml db.password other --dry-run",
    "set base.yaml db.password.x 3 --dry-run",
    "set base.yaml nowhere.x 3",
    "unset base.yaml db.password --dry-run",
    "diff base.yaml same.yaml",
    "diff base.yaml same.yaml --patch",
    "diff base.yaml broken.yaml",
    "spiff merge good.yml",
    "spiff merge good.yml stub.yml",
    "spiff merge template.yml",
    "spiff merge template.yml --explain-errors",
    "spiff diff good.yml template.yml",
    "expand expands.yaml",
    "expand expands.yaml --evaluate",
    "expand directives.yaml",
    "query ::made keys.yaml",
    "query ::each keys.yaml",
    "query ::base::pw expands.yaml",
    "query ::web expands.yaml",
    "query ::base::pw::more expands.yaml",
    "set expands.yaml web.pw other --expanded --where",
    "set expands.yaml web.port 81 --expanded --where",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    for name, text in FILES.items():
        (project / name).write_text(text, encoding="utf-8")
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.chdir(project)
    return tmp_path


def leaks(text: str) -> list[str]:
    return [spelling for spelling in SPELLINGS if spelling in text]


@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize("line", COMMAND_LINES)
def test_the_secret_is_never_seen(folder: Path, line: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = line.split()
    if words[0] == "render":
        (folder / "project/over.yaml").write_text(f"db: {{password: plain-{SECRET}}}\n")
        (folder / "project/plait.yaml").write_text(TARGETS)
    status = main([*words, "--format", form])
    printed = capsys.readouterr()
    assert leaks(printed.out) == [], printed.out
    assert leaks(printed.err) == [], printed.err
    assert status in (0, 1, 2)
    assert "Traceback" not in printed.err
    for base, _, names in os.walk(folder):
        if Path(base) == folder / "project":
            continue
        for name in names:
            assert leaks((Path(base) / name).read_bytes().decode("latin-1")) == [], (base, name)


def test_reveal_shows_it_and_a_mask_is_announced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge", "base.yaml", "same.yaml", "--path", "db.password", "--reveal"]) == 0
    assert capsys.readouterr().out == f"{SECRET}-2\n"
    assert main(["merge", "base.yaml", "same.yaml", "--path", "db.password"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "<sensitive>\n"
    assert printed.err == "note: sensitive values are masked as `<sensitive>`; --reveal prints them\n"


COMPARED = {
    "a secret": ("layers: [base.yaml]", "base.yaml", f'!sensitive "{SECRET}-new"'),
    "an override that does not say that it is one": ("layers: [same.yaml, over.yaml]", "over.yaml", f"{SECRET}-new"),
    "a template": ("template: good.yml", "good.yml", f"!sensitive {SECRET}-new"),
    "a document": ("document: expands.yaml", "expands.yaml", f"!sensitive {SECRET}-new"),
}


@pytest.mark.parametrize("name", COMPARED)
def test_a_comparison_shows_no_secret(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Reviews show the lines that cause a change, and proofs the results of another tool."""
    target, file, new = COMPARED[name]
    project = folder / "project"
    (project / "base.yaml").write_text(FILES["base.yaml"].replace("bad: !ref db.password.more\n", ""))
    (project / "over.yaml").write_text(f"db: {{password: plain-{SECRET}}}\n")
    (project / "plait.yaml").write_text(f"targets: [{{name: t, {target}}}]\n")
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "x")
    text = (project / file).read_text()
    old = next(form for form in (f'!sensitive "{SECRET}"', f"!sensitive {SECRET}", f"plain-{SECRET}") if form in text)
    (project / file).write_text(text.replace(old, new))
    (folder / "saved").mkdir()
    theirs = f"base: {{pw: theirs-{SECRET}}}\n" if "document" in name else f"db: {{password: theirs-{SECRET}}}\n"
    (folder / "saved/t.yaml").write_text(theirs)
    for words in (["review", "HEAD"], ["review", "HEAD", "--full"], ["verify", "--against", str(folder / "saved")]):
        for form in ("text", "markdown", "json", "html", "sarif", "github"):
            if words[0] == "review" or form in ("text", "markdown", "json", "html"):
                main([*words, "--format", form])
                printed = capsys.readouterr()
                assert "sensitive" in printed.out or form in ("sarif", "github"), printed.out + printed.err
                assert leaks(printed.out + printed.err) == [], (words, form, printed.out)


def test_no_page_shows_a_secret(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = folder / "project"
    (project / "over.yaml").write_text(f"db: {{password: plain-{SECRET}}}\n")
    (project / "plait.yaml").write_text(
        "targets: [{name: t, layers: [same.yaml, over.yaml]}, {name: u, template: good.yml}]\n"
    )
    assert main(["serve", "--export", str(folder / "site")]) == 0, capsys.readouterr().err
    pages = {page.name: page.read_text() for page in (folder / "site").rglob("*") if page.suffix in (".html", ".json")}
    assert len(pages) > 4
    assert [name for name, text in pages.items() if leaks(text)] == []


TEMPLATE = f"""\
kind: Secret
metadata: {{name: x}}
data:
  pw: !sensitive {SECRET}
  made: !sensitive "{{{{ .size }}}}-{SECRET}"
  size: "{{{{ .size }}}}"
"""


def test_generating_shows_no_secret_and_keeps_its_mark(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Others may remove the mark: the place is still that of a secret."""
    pattern, made = folder / "project/patterns/p", folder / "project/out/template.yaml"
    (pattern / "resources").mkdir(parents=True)
    (pattern / "pattern.yaml").write_text("name: p\nversion: '1'\ndescription: x\ninputs: {size: {default: a}}\n")
    (pattern / "resources/template.yaml").write_text(TEMPLATE)
    create = ["create", "p", "--output-dir", "out"]
    lines = [[], ["--size", "b", "--diff"], ["--size", "b"], ["--size", "c", "--check", "--output", "json"]]
    for words in (*lines, ["--drift"], ["--show"]):
        main([*create, *words])
    assert made.read_text() == TEMPLATE.replace("{{ .size }}", "b")
    made.write_text(made.read_text().replace(f"!sensitive {SECRET}", f"other-{SECRET}"))
    for words in (
        [*create, "--size", "d", "--diff"],
        [*create, "--drift"],
        ["create", "--all", "--output-dir", "out", "--diff"],
        create,
    ):
        main(words)
    main([*create, "--overwrite", "--yes", "--diff"])
    printed = capsys.readouterr()
    assert "<sensitive>" in printed.out
    assert leaks(printed.out + printed.err) == [], printed.out


TARGETS = """targets:
- {name: t, layers: [base.yaml, prod.yaml]}
- {name: s, layers: [base.yaml, same.yaml, over.yaml]}
- {name: u, template: good.yml, stubs: [stub.yml]}
- {name: d, document: expands.yaml}
"""


@pytest.mark.parametrize("file", ["base.yaml", "prod.yaml", "same.yaml", "over.yaml", "good.yml", "expands.yaml"])
def test_no_editor_shows_a_secret(folder: Path, file: str) -> None:
    """Hovers and completions at every word, hints, lenses and findings; in the outline, what the file itself marks."""
    types = pytest.importorskip("lsprotocol.types")
    from plait.apps.lsp import changing, diagnostics, hover, outline
    from plait.apps.lsp.session import Session
    from plait.workspace import Workspace

    project = folder / "project"
    (project / "over.yaml").write_text(f"db:\n  password: plain-{SECRET}\n")
    (project / "plait.yaml").write_text(TARGETS)
    session = Session(lambda name: Workspace(name, cache=False))
    session.add_roots([project.as_uri()])
    place, text = types.TextDocumentIdentifier((project / file).as_uri()), (project / file).read_text()
    whole = types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))
    authoring, path = session.folder_of(str(project / file)), str(project / file)
    told: list[object] = [
        hover.inlay_hints(session, path, types.InlayHintParams(place, whole)),
        outline.code_lenses(session, path, types.CodeLensParams(place)),
    ]
    findings = [
        *authoring.check_text(path),
        *(one for unit in authoring.order(path)[0] for one in authoring.check(unit)),
    ]
    told += [diagnostics.converted(session, finding) for finding in findings]
    if "!sensitive" in text:
        told.append(outline.document_symbols(session, path, types.DocumentSymbolParams(place)))
    for number, line in enumerate(text.splitlines()):
        for word in re.finditer(r"[\w.!-]+", line):
            at = types.Position(number, word.start())
            told.append(hover.hover(session, path, types.HoverParams(place, at)))
            told.append(changing.completion(session, path, types.CompletionParams(place, at)))
    assert any("<sensitive>" in repr(one) for one in told)
    assert [repr(one) for one in told if leaks(repr(one))] == []


def test_every_command_that_reads_yaml_is_tried() -> None:
    tried = {next(name for name in COMMANDS if f"{line} ".startswith(f"{name} ")) for line in COMMAND_LINES}
    elsewhere = {
        name for name in COMMANDS if name.split()[0] in ("describe", "list", "validate", "stack")
    }  # tests/outside
    silent = {
        "init",
        "targets",
        "version",
        "help",
        "cache info",
        "cache clear",
        "watch",
        "schema",
        "functions",
        "completion",
        "trust",
        "patterns list",
        "patterns describe",
        "patterns check",
        "patterns new",
    }
    assert set(COMMANDS) - tried - elsewhere - silent <= {
        "lsp",
        "serve",
        "explain config",
        "config get",
        "review",
        "verify",
        "apply",
        "create",
        "regenerate",
        "explain component",
        "blame component",
    }
