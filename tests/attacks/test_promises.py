"""The six lines of SECURITY.md: one hostile repository, every command, nothing allowed.

The commands run in this process, which the kernel does not limit: what holds here holds by plait's own checks.
"""

from __future__ import annotations

import gc
import json
import os
import re
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from fuzz.sinks import COLOURS, DECEIVING, streams

from plait.apps.cli.run import run
from tests.names import COMMANDS

HERE = Path(__file__).parents[2]
PROMISED = re.findall(r"^\| (\d) \| (.+) \| `(\w+)` \|$", (HERE / "SECURITY.md").read_text(), re.MULTILINE)
OUTSIDE, SECRET = "OUTSIDE5K1p", "SECRET8W3q"
EVIL = "e\x1b]52;c;cm0=\x07\x9b2J\u202e"
RUNS = "touch $OUT/ran"
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n" for level in range(1, 12)
)
STACK = f"""\
vars: {{stage: dev, evil: {json.dumps(EVIL)}, pw: !sensitive {SECRET}}}
components:
  terraform:
    vpc:
      vars:
        ran: !exec {RUNS}
        read: !include $OUT/s.yaml
        linked: !include ./link.yaml
        made: '{{{{ exec "sh" "-c" "{RUNS}" }}}}'
        file: '{{{{ readFile "$OUT/s.yaml" }}}}'
        url: !include http://127.0.0.1:$PORT/x.yaml
        out: !terraform.output vpc id
        state: !terraform.state vpc id
        kept: !store.get remote x
        copied: '{{{{ .vars.pw }}}}'
"""
FILES = {
    "a.yaml": f"user: u\nran: !exec {RUNS}\nread: !include ../out/s.yaml\nlinked: !include link.yaml\n"
    f"raw: !include.raw $OUT/s.yaml\nurl: !include http://127.0.0.1:$PORT/x.yaml\n"
    f"pw: !sensitive {SECRET}\ncopy: !ref pw\n{json.dumps(EVIL)}: {json.dumps(EVIL)}\n",
    "b.yaml": f"user: v\npw: !sensitive other-{SECRET}\nlist: [{json.dumps(EVIL)}]\n",
    "plain.yaml": "user: u\n",
    "bomb.yaml": BOMB,
    "wrong.yaml": f"pw: !sensitive {SECRET}: x: [\n",
    "t.yml": f'ran: (( exec("sh", "-c", "{RUNS}") ))\nread: (( read("../out/s.yaml") ))\n'
    f'wrote: (( write("../out/planted", "x") ))\npw: !sensitive {SECRET}\n',
    "d.yaml": f"ran: {{eval: {{python: 'os:getcwd'}}}}\nread: {{eval: {{file: $OUT/s.yaml, select: contents}}}}\n"
    f"+include: ../out/s.yaml\n"
    f"text: \"{{{{ lookup('pipe', '{RUNS}') }}}}{{{{ lookup('file', '$OUT/s.yaml') }}}}\"\n"
    f"pw: !sensitive {SECRET}\nurl: {{eval: {{url: 'http://127.0.0.1:$PORT/x'}}}}\n",
    "atmos.yaml": "stacks: {base_path: stacks, included_paths: ['deploy/**/*'], name_pattern: '{stage}'}\n"
    "components: {terraform: {base_path: components/terraform, command: ./evil.sh}}\n"
    "templates: {settings: {enabled: true, gomplate: {enabled: true}}}\n"
    "stores: {remote: {type: redis, options: {url: 'redis://127.0.0.1:$PORT'}}}\n"
    "schemas: {jsonschema: {base_path: ../out}}\n",
    "stacks/deploy/dev.yaml": STACK,
    "components/terraform/vpc/main.tf": 'output "id" { value = file("../../../../out/s.yaml") }\n',
    "components/terraform/vpc/evil.sh": f"#!/bin/sh\n{RUNS}\n",
    "plait.yaml": "targets:\n- {name: layers, layers: [a.yaml, b.yaml]}\n- {name: out, layers: [../out/s.yaml]}\n"
    "- {name: spiff, template: t.yml}\n- {name: unfurl, document: d.yaml}\n- {name: bomb, layers: [bomb.yaml]}\n",
    "chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 1.0.0\n",
    "chart/values.yaml": f"pw: !sensitive {SECRET}\n",
    "chart/templates/x.yaml": 'kind: A\nmetadata: {name: a}\nread: {{ .Files.Get "../../out/s.yaml" | quote }}\n'
    'env: {{ env "HOME" | quote }}\n',
    "over/kustomization.yaml": "resources: [../../out, http://127.0.0.1:$PORT/x.yaml, ../plain.yaml]\n",
    "compose.yaml": "services: {a: {image: x, env_file: $OUT/s.yaml, extends: {file: $OUT/s.yaml, service: a}}}\n",
    "patterns/evil/pattern.yaml": "name: evil\nversion: 1.0.0\ninputs: {where: {type: string, default: x}}\n"
    "outputs: [{template: r.yaml, file: '../../out/planted'}]\n",
    "patterns/evil/resources/r.yaml": f"kind: A\nmetadata: {{name: a}}\nran: '{{{{ exec \"{RUNS}\" }}}}'\n",
    ".gitattributes": "*.yaml filter=evil diff=evil\n",
    ".plait/journal": f"{RUNS}\n",
}
GIT = (
    "[core]\n\tfsmonitor = $RUNS\n\tpager = $RUNS\n\teditor = $RUNS\n\tsshCommand = $RUNS\n"
    '[filter "evil"]\n\tclean = $RUNS\n\tsmudge = $RUNS\n\tprocess = $RUNS\n[diff "evil"]\n\tcommand = $RUNS\n'
    "\ttextconv = $RUNS\n[diff]\n\texternal = $RUNS\n[credential]\n\thelper = !$RUNS\n[gpg]\n\tprogram = $RUNS\n"
)
WORDS = {
    "merge": [
        "a.yaml b.yaml", "a.yaml --path copy --format json", "bomb.yaml", "wrong.yaml", "HEAD:a.yaml b.yaml",
        "a.yaml --notation gotemplate --lint", "compose.yaml",
    ],
    "explain": ["copy a.yaml b.yaml", "** a.yaml b.yaml --format json", "a0 bomb.yaml"],
    "blame": ["a.yaml b.yaml --gone"],
    "init": ["--check", ""],
    "lint": ["", "a.yaml b.yaml --format sarif"],
    "layers": ["a.yaml b.yaml"],
    "why-not": ["pw a.yaml a.yaml b.yaml"],
    "get": ["a.yaml **", "bomb.yaml a3"],
    "set": ["a.yaml user w --dry-run", "plain.yaml user w", "link.yaml user w"],
    "unset": ["a.yaml user --dry-run", "link.yaml vars"],
    "diff": ["a.yaml b.yaml", "HEAD:a.yaml a.yaml", "--target layers --target out"],
    "review": ["HEAD", "HEAD --format markdown --full"],
    "verify": ["layers --against b.yaml"],
    "targets": ["--format json"],
    "tidy": ["", "--format json", "--write"],
    "render": ["", "layers", "chart", "over", "compose"],
    "spiff merge": ["t.yml", "t.yml b.yaml --partial"],
    "spiff diff": ["t.yml a.yaml"],
    "expand": ["d.yaml"],
    "query": ["::text d.yaml", "::read d.yaml", "::pw d.yaml"],
    "apply": ["d.yaml b.yaml"],
    "create": ["evil", "evil --where ../../out/planted", "--drift"],
    "merge3": ["a.yaml b.yaml plain.yaml -o -"],
    "regenerate": ["--base a.yaml --fresh b.yaml plain.yaml --check"],
    "patterns list": [""],
    "patterns describe": ["evil"],
    "patterns new": ["evil"],
    "patterns check": ["evil"],
    "explain component": ["vpc -s dev vars.copied"],
    "explain config": ["stores"],
    "blame component": ["vpc -s dev"],
    "describe component": ["vpc -s dev", "vpc -s dev --error-mode strict"],
    "describe stacks": ["", "--format json"],
    "describe locals": ["-s dev"],
    "describe affected": ["--ref HEAD"],
    "describe dependents": ["vpc -s dev"],
    "describe config": ["--format json"],
    "describe workflows": [""],
    "config get": ["stores"],
    **{f"list {name}": [""] for name in ("stacks", "components", "instances", "workflows", "sources", "dependencies")},
    **{f"list {name}": ["vpc"] for name in ("vars", "values", "settings", "metadata")},
    "list affected": ["--ref HEAD"],
    "validate stacks": [""],
    "validate component": ["vpc -s dev"],
    "validate config": [""],
    "validate schema": [""],
    "stack get": ["vpc -s dev vars.copied"],
    "stack set": ["vpc -s dev vars.new 1 --dry-run"],
    "stack unset": ["vpc -s dev vars.url --dry-run"],
    "cache info": [""],
    "cache clear": [""],
    "functions": [""],
    "completion": ["bash"],
    "schema": ["plait.yaml"],
    "help": ["merge"],
    "version": ["--verbose"],
    "doctor": [""],
}  # fmt: skip
"""What each command is asked here."""
ELSEWHERE = ("serve", "lsp", "watch", "trust")
"""Commands that go on, or that are the user's consent: they have tests of their own."""
WRITES = {"set plain.yaml user w": {"plain.yaml"}}
"""What the user asked plait to write."""


LINES = [f"{name} {words}".strip() for name, rest in WORDS.items() for words in rest]
NEEDED = (*WRITES, "merge a.yaml b.yaml", "merge bomb.yaml", "get bomb.yaml a3", "blame a.yaml b.yaml --gone", "render")
ASKED = LINES if os.environ.get("PLAIT_PROMISES") == "all" else [*LINES[::4], *NEEDED]
"""All of them in `make attack`, which takes some seconds; else some."""


class Ran(NamedTuple):
    line: str
    status: int
    printed: str
    changed: set[str]


class Hostile:
    """A cloned repository, what is outside of it, and everything that was run in it."""

    def __init__(self, base: Path, port: int) -> None:
        self.base, self.root, self.out = base, base / "repo", base / "out"
        self.out.mkdir()
        (self.out / "s.yaml").write_text(f"vars: {{stolen: {OUTSIDE}}}\n{OUTSIDE}: {OUTSIDE}\n")
        self.git = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for name, text in FILES.items():
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("$OUT", str(self.out)).replace("$PORT", str(port)))
        for name in ("link.yaml", "stacks/deploy/link.yaml"):
            (self.root / name).symlink_to(self.out / "s.yaml")
        for words in ("init -q", "add -A -f", "-c user.name=x -c user.email=x commit -qm x"):
            subprocess.run(["git", *words.split()], cwd=self.root, env=self.git, check=True)
        self._arm()
        self.runs: list[Ran] = []

    def _arm(self) -> None:
        command = RUNS.replace("$OUT", str(self.out))
        with (self.root / ".git/config").open("a") as config:
            config.write(GIT.replace("$RUNS", command))
        for name in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "post-merge"):
            hook = self.root / ".git/hooks" / name
            hook.write_text(f"#!/bin/sh\n{command}\n")
            hook.chmod(0o755)
        for name in ("evil.sh", "git", "terraform", "sops", "helm"):
            tool = self.root / name
            tool.write_text(f"#!/bin/sh\n{command}\n")
            tool.chmod(0o755)

    def files(self) -> dict[str, bytes]:
        """Everything in the repository and outside of it; the user's cache and state are plait's to write."""
        found: dict[str, bytes] = {}
        for top in (self.root, self.out):
            for folder, _, names in os.walk(top):
                for name in names:
                    path = Path(folder, name)
                    is_file = stat.S_ISREG(path.lstat().st_mode)
                    found[str(path)] = path.read_bytes() if is_file else os.readlink(path).encode()
        return found

    def ask(self, line: str) -> None:
        before = self.files()
        with streams(terminal=True) as shown:
            status = run([*line.split(), "--no-pager"] if takes_pages(line) else line.split())
        gc.enable()
        after = self.files()
        changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        names = {os.path.relpath(name, self.root) for name in changed}
        self.runs.append(Ran(line, status, "".join(stream.getvalue() for stream in shown), names))


def takes_pages(line: str) -> bool:
    return line.startswith(("merge ", "explain ", "blame ", "describe ", "review "))


@pytest.fixture(scope="module")
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, listening: socket.socket) -> Iterator[Hostile]:
    base = tmp_path_factory.mktemp("promises")
    made = Hostile(base, listening.getsockname()[1])
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("ATMOS_", "PLAIT_", "GIT_"))]:
            patch.delenv(name)
        patch.setenv("HOME", str(base / "home"))
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        for kind in ("CONFIG", "CACHE", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(base / "home" / kind.lower()))
        patch.chdir(made.root)
        for line in ASKED:
            made.ask(line)
        yield made


def test_every_command_is_asked() -> None:
    assert set(WORDS) | set(ELSEWHERE) == set(COMMANDS)


def test_every_line_names_its_test() -> None:
    assert [number for number, *_ in PROMISED] == list("123456")
    for _, line, name in PROMISED:
        assert name in globals(), line


def test_1_nothing_runs(hostile: Hostile) -> None:
    assert not (hostile.out / "ran").exists()
    later = {name for ran in hostile.runs for name in ran.changed if ".git" in Path(name).parts}
    assert later == set(), "a hook or a configuration would run something later"
    assert not (hostile.out / "planted").exists()


def test_2_nothing_outside_is_read_and_nobody_is_called(hostile: Hostile, listening: socket.socket) -> None:
    assert [ran.line for ran in hostile.runs if OUTSIDE in ran.printed] == []
    with pytest.raises(BlockingIOError):
        listening.accept()


def test_3_only_what_was_asked_for_is_written(hostile: Hostile) -> None:
    wrong = {ran.line: ran.changed for ran in hostile.runs if ran.changed - WRITES.get(ran.line, set())}
    assert wrong == {}
    assert {ran.line for ran in hostile.runs if ran.changed} == set(WRITES), "the test would not see a write"


def test_4_budgets_hold(hostile: Hostile) -> None:
    refused = [ran for ran in hostile.runs if "bomb.yaml" in ran.line]
    assert len(refused) >= 2
    for ran in refused:
        assert (ran.status, "PL5002" in ran.printed or len(ran.printed) < 100_000) == (1, True), ran.line
    assert max(len(ran.printed) for ran in hostile.runs) < 1_000_000
    kept = sum(path.lstat().st_size for path in (hostile.base / "home").rglob("*"))
    assert kept < 10_000_000


def test_5_no_secret_is_shown_and_no_terminal_driven(hostile: Hostile) -> None:
    assert [ran.line for ran in hostile.runs if SECRET in ran.printed] == []
    assert [ran.line for ran in hostile.runs if DECEIVING.search(COLOURS.sub("", ran.printed))] == []
    assert sum("<sensitive>" in ran.printed for ran in hostile.runs) > 3, "the test would not see a secret"


def test_6_no_command_crashes(hostile: Hostile) -> None:
    wrong = [(ran.line, ran.status) for ran in hostile.runs if ran.status not in (0, 1, 2, 3, 4, 5)]
    assert wrong == []
    assert [ran.line for ran in hostile.runs if "Traceback" in ran.printed or "bug in plait" in ran.printed] == []
