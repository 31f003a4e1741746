"""Names and values of a hostile repository cannot forge a line of a report, a command in the log of CI, or markup.

File names, keys, targets, components and stacks have line breaks, escape sequences and markup in them. What is printed
as data (YAML, JSON, CSV) follows the rules of its format; here are the reports for people.
"""

from __future__ import annotations

import gc
import json
import re
from pathlib import Path

import pytest

from plait.apps.cli import main
from plait.core.path import format_path, parse_path
from tests import names
from tests.outside.project import git

EVIL = "\n::error::FORGED\x1b31m\u202e"
W = f"w{EVIL}.yaml"
LINE = re.compile(r"^\s*(?:::|##\[)(?:error|set-output|FORGED)", re.MULTILINE)
ESCAPES = re.compile("[\x1b\u202e]")
LAYERS = {
    "x.yaml": 'a: {b: 1}\n"k\\n::error::FORGED\\e[31m": [1]\nl: [1, 2]\nr: !ref "nn\\n::error::FORGED"\n',
    "y.yaml": 'a: {b: 2}\n"k\\n::error::FORGED\\e[31m": [2]\nl: [2, 2]\n',
    W: 'a: {b: 3}\n"k\\n::error::FORGED\\e[31m": [3]\nl: [3, 2]\n',
    "atmos.yaml": 'stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_pattern: "{stage}"}\n',
    f"stacks/deploy/{W}": 'vars: {stage: "dev\\n::error::FORGED\\e[31m", "k\\n::error::FORGED": 1}\n'
    'components: {terraform: {vpc: {vars: {"q\\n::error::FORGED\\e[31m": 1}}, '
    '"c\\n::error::FORGED\\e[31m": {metadata: {inherits: ["i\\n::error::FORGED"]}}}}\n',
}
COMMANDS = [
    ("merge", "x.yaml"),
    ("merge", W, "x.yaml"),
    ("merge", f"{W}.x"),
    ("merge", W, "y.yaml", "--origins"),
    ("explain", "a.b", W, "y.yaml"),
    ("explain", "nothere", W, "y.yaml"),
    ("explain", '["k\\u000a::error::FORGED\\u001b[31m"]', W, "y.yaml"),
    ("blame", W, "y.yaml"),
    ("blame", "y.yaml", W),
    ("layers", W, "y.yaml"),
    ("why-not", "a.b", "y.yaml", W),
    ("lint", "y.yaml", W),
    ("render", "b", "--origins"),
    ("render", f"prod{EVIL}| <img src=x> @team", "--origins"),
    ("render",),
    ("render", f"{W}.x"),
    ("merge3", "y.yaml", W, "x.yaml", "-o", "-"),
    ("merge3", "y.yaml", "x.yaml", f"{W}.x", "-o", "-"),
    ("diff", W, "x.yaml"),
    ("diff", ".", "stacks"),
    ("get", W, "zz"),
    ("set", W, "q.q", "3", "--dry-run"),
    ("set", W, "a.b", "3", "--dry-run"),
    ("unset", W, "a", "--dry-run"),
    ("targets",),
    ("init", "--check"),
    ("tidy",),
    ("doctor",),
    ("review", "HEAD"),
    ("review", "HEAD", "--full"),
    ("review", "HEAD", "--format", "github"),
    ("review", "HEAD", "--format", "markdown"),
    ("spiff", "diff", W, "x.yaml"),
    ("query", "x(", W),
    ("describe", "component", "vpc", "-s", f"dev{EVIL[:-1]}", "--provenance"),
    ("describe", "component", "nothere", "-s", f"dev{EVIL[:-1]}"),
    ("validate", "stacks"),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("forgery")
    for name, text in LAYERS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    targets = [{"name": f"prod{EVIL}| <img src=x> @team", "layers": ["y.yaml", W]}, {"name": "b", "layers": ["y.yaml"]}]
    (root / "plait.yaml").write_text(json.dumps({"targets": targets}))
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    text = (root / W).read_text().replace("b: 3", 'b: "\\\\| ![](http://evil) | <script> ``` `x"')
    (root / W).write_text(text + '"n\\n::error::FORGED": 1\n')
    return root


def run(
    folder: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.chdir(folder)
    capsys.readouterr()
    assert main(list(words)) in (0, 1, 2)
    gc.enable()
    out, err = capsys.readouterr()
    return out + err


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words).encode("unicode_escape").decode())
def test_no_line_is_forged(
    folder: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run(folder, words, monkeypatch, capsys)
    assert not LINE.search(printed), printed
    assert not ESCAPES.search(printed), printed


def test_markdown_has_no_markup_of_a_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run(folder, ("review", "HEAD", "--format", "markdown"), monkeypatch, capsys)
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", printed)  # without spans of code
    assert "<img" not in outside.replace("\\<", "")
    assert "<script" not in outside
    assert "![" not in outside
    assert "@team" not in outside
    rows = [line for line in printed.splitlines() if line.startswith("| ")]
    assert rows
    for row in rows:
        assert len(re.findall(r"(?<!\\)\|", row)) in (4, 5), row
        assert "\\\\|" not in row


def test_html_has_no_markup_of_a_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run(folder, ("review", "HEAD", "--format", "html"), monkeypatch, capsys)
    assert printed.count("<script>") == 1
    assert "<img" not in printed
    assert not ESCAPES.search(printed)


@pytest.mark.parametrize("key", ["a\nb", "a\x1b[31m", "\u202ex", 'q"\n\\u0041', "a b"])
def test_a_path_with_an_odd_key_can_be_typed(key: str) -> None:
    written = format_path((key, 1))
    assert written.isprintable()
    assert parse_path(written) == (key, 1)


OWN = ("cache", "config", "help", "lsp", "schema", "serve", "version", "watch")
"""Commands that print what plait knows itself, or that have tests of their own."""


def test_every_command_that_reports_is_tried() -> None:
    data = {"expand", "apply", "completion", "functions", "trust", "create", "regenerate", "verify", "stack", "list"}
    tried = {words[0] for words in COMMANDS}
    assert {name.split()[0] for name in names.COMMANDS} - tried - data <= {"patterns", *OWN}
