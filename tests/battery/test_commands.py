"""Twenty-two lines that stand for four million values are refused by every command, however they are written.

Each bomb is built with references, aliases, included files or templates, alone and in two layers: a merge of two trees
that share their parts does not share them any more.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
from pathlib import Path

import pytest

from plait.apps.cli.run import run
from plait.merging.account import Account
from tests.battery.inputs import laughs, lines
from tests.battery.test_growth import REFUSALS, lay_out

LEVELS = 22
ALIASES = "a0: &a0 {x: 1}\n" + lines(LEVELS, lambda i: f"a{i + 1}: &a{i + 1} {{p: *a{i}, q: *a{i}}}")
CONFIG = (
    "stacks: {base_path: stacks, included_paths: ['**/*'], name_pattern: '{stage}'}\n"
    "components: {terraform: {base_path: components/terraform}}\ntemplates: {settings: {enabled: true}}\n"
)


def doubled(indent: str, value: str) -> str:
    """Maps with two values each; `{}` in `value` is the number of the map before."""
    return lines(LEVELS, lambda i: f"{indent}a{i + 1}: {{p: {value.format(i)}, q: {value.format(i)}}}")


LAYERS = {
    "ref.yaml": laughs(LEVELS),
    "ref2.yaml": laughs(LEVELS).replace("x: 1", "x: 2"),
    "alias.yaml": ALIASES,
    "alias2.yaml": ALIASES.replace("x: 1", "x: 2"),
    "list.yaml": "a0: [1]\n" + lines(LEVELS, lambda i: f"a{i + 1}: [!ref a{i}, !ref a{i}]"),
    "dynaml.yml": "a0: {x: 1}\n" + doubled("", "(( a{} ))"),
    "directives.yaml": "a0: {x: 1}\n" + lines(LEVELS, lambda i: f"a{i + 1}: {{p: {{+/a{i}: }}, q: {{+/a{i}: }}}}"),
    "queries.yaml": "a0: {x: 1}\n" + doubled("", "{{eval: '::a{}'}}"),
    "small.yaml": "a0: {x: 1}\n",
    **{f"i{i + 1}.yaml": f"p: !include i{i}.yaml\nq: !include i{i}.yaml\n" for i in range(LEVELS)},
    "i0.yaml": "x: 1\n",
    "patterns/conf/pattern.yaml": "name: conf\nversion: 1.0.0\ninputs: {}\n",
    "patterns/conf/resources/made.yaml": "kind: ConfigMap\nmetadata: {name: x}\ndata:\n  a0: {x: 1}\n"
    + doubled("  ", "!ref resource.data.a{}"),
    "plait.yaml": "targets:\n- {name: t, layers: [ref.yaml, ref2.yaml]}\n",
}
STACKS = {
    "atmos.yaml": CONFIG,
    "stacks/dev.yaml": "vars: {stage: dev}\ncomponents:\n  terraform:\n    c:\n      vars:\n        a0: {x: 1}\n"
    + doubled("        ", "!template '{{{{ toJson .vars.a{} }}}}'"),
}
LOCALS = {
    "atmos.yaml": CONFIG,
    "stacks/dev.yaml": "vars: {stage: dev}\nlocals:\n  a0: {x: 1}\n"
    + doubled("  ", "!template '{{{{ toJson .locals.a{} }}}}'")
    + "components: {terraform: {c: {vars: {z: '{{ toJson .locals.a22 }}'}}}}\n",
}
COMMANDS = {
    **dict.fromkeys(
        (
            "merge ref.yaml",
            "merge ref.yaml --format json",
            "merge ref.yaml ref2.yaml",
            "merge ref.yaml --path a22.p.q",
            "merge ref.yaml --origins",
            "merge list.yaml",
            "merge alias.yaml alias2.yaml",
            "merge i22.yaml",
            "merge i22.yaml i21.yaml",
            "get alias.yaml",
            "get alias.yaml a22 --format json",
            "get alias.yaml **",
            "set alias.yaml a0.x 3 --dry-run",
            "unset alias.yaml a22.p --dry-run",
            "explain a22 ref.yaml",
            "explain a22 ref.yaml ref2.yaml --format json",
            "explain a22 alias.yaml alias2.yaml",
            "blame ref.yaml ref2.yaml",
            "blame alias.yaml alias2.yaml --gone",
            "lint ref.yaml ref2.yaml",
            "lint i22.yaml i21.yaml",
            "layers ref.yaml ref2.yaml",
            "why-not a22 ref.yaml ref.yaml ref2.yaml",
            "diff alias.yaml alias2.yaml",
            "diff alias.yaml small.yaml --format json",
            "spiff merge dynaml.yml",
            "spiff merge alias.yaml",
            "spiff diff alias.yaml alias2.yaml",
            "expand directives.yaml",
            "expand queries.yaml --evaluate",
            "expand alias.yaml --format json",
            "query ::a22 queries.yaml",
            "query ::a22 alias.yaml",
            "create conf --dry-run",
            "patterns check conf",
            "regenerate --fresh alias2.yaml --base alias.yaml alias.yaml --dry-run",
            "review HEAD",
            "review HEAD --format json",
            "verify --against small.yaml",
            "verify --against alias.yaml",
        ),
        LAYERS,
    ),
    **dict.fromkeys(
        (
            "describe stacks",
            "describe component c -s dev --format json",
            "list values c",
            "explain component c -s dev vars",
            "blame component c -s dev",
            "stack get c -s dev vars",
            "stack set c -s dev vars.a0.x 5",
            "stack set c -s dev vars.new 5 --at narrowest",
            "stack unset c -s dev vars.a0",
        ),
        STACKS,
    ),
    "describe locals -s dev": LOCALS,
    "describe component c -s dev": LOCALS,
}
SMALL = "8000000"
"""A small budget of memory: what is refused with it early is refused with the usual one a little later, by the same
charge. `test_growth` measures some of them with the usual one."""


@pytest.mark.long
@pytest.mark.parametrize("line", COMMANDS)
def test_no_command_writes_out_what_doubles(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path, COMMANDS[line])
    monkeypatch.chdir(tmp_path)
    words = line.split()
    if words[0] == "review":
        _commit(tmp_path)
        (tmp_path / "ref.yaml").write_text(laughs(LEVELS).replace("x: 1", "x: 3"))
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as errors:
        status = run([*words, "--no-cache", "--max-memory", SMALL, "--max-nodes", "100000"])
    assert status in (1, 2), errors.getvalue()[-500:]
    shown = output.getvalue() + errors.getvalue()
    assert any(word in shown for word in (*REFUSALS, "bytes of values")), shown[-500:]
    assert len(output.getvalue()) < 2_000


@pytest.mark.parametrize("files", [LAYERS, STACKS, LOCALS])
def test_the_explorer_refuses_what_doubles_before_it_looks_at_lines(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    looked_at: list[Account] = []
    below = Account._below
    monkeypatch.setattr(Account, "_below", lambda account: looked_at.append(account) or below(account))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert run(["serve", "--export", "pages", "--no-cache", "--max-memory", SMALL]) == 1
    assert len(looked_at) < 200, "the survey began before the size of the document was known"


def _commit(folder: Path) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
        subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "before")
