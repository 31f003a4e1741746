"""The law of kept answers for merged targets and expanded documents: whatever happens to the files, a kept answer is
what a fresh run prints, byte for byte, with its warnings, its errors and its exit status.

`PLAIT_EXAMPLES=1000 pytest tests/keeping/test_documents_law.py` tries more of them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import plait.access.trace
import plait.apps.cli.command
import plait.workspace
import plait.yaml.cache
from plait.apps.cli.command import never
from plait.apps.cli.commands import COMMANDS as ALL_COMMANDS
from plait.apps.cli.commands import load
from tests.examples import examples
from tests.keeping import test_law
from tests.keeping.commands import Outcome, run_here

EXAMPLES = examples(30)
STEPS = 5 if EXAMPLES <= 200 else 10
LAYERS = ("base.yaml", "env/prod.yaml")
COMMANDS = [
    ("merge", *LAYERS),
    ("merge", *LAYERS, "--notation", "gotemplate"),
    ("merge", *LAYERS, "--format", "json", "--lint"),
    ("merge", *LAYERS, "--origins"),
    ("merge", "base.yaml", "missing/other.yaml"),
    ("merge", "HEAD:base.yaml", "env/prod.yaml"),
    ("merge", "--target", "app-prod"),
    ("merge", "--target", "filled"),
    ("merge", "--target", "document"),
    ("merge", "--target", "made"),
    ("render", "app-prod"),
    ("render", "filled", "--origins"),
    ("render", "--format", "json"),
    ("explain", "a", *LAYERS),
    ("explain", "a", "base.yaml"),
    ("explain", "out", "--spiff", "template.yml", "stub.yml"),
    ("blame", *LAYERS, "--gone"),
    ("layers", *LAYERS),
    ("why-not", "a", "base.yaml", *LAYERS),
    ("lint", *LAYERS),
    ("lint",),
    ("get", "base.yaml", "a"),
    ("get", "base.yaml", "**.x", "--format", "json"),
    ("get", "nowhere.yaml", "env/prod.yaml"),
    ("diff", *LAYERS),
    ("diff", "env", "folder"),
    ("spiff", "merge", "template.yml", "stub.yml"),
    ("spiff", "merge", "template.yml", "stub.yml", "more.yml", "--explain-errors"),
    ("spiff", "diff", "template.yml", "stub.yml"),
    ("expand", "main.yaml"),
    ("expand", "main.yaml", "--evaluate"),
    ("expand", "main.yaml", "--evaluate", "--path", "a", "--format", "json"),
    ("query", "own::x", "main.yaml"),
    ("query", "{get_env: WHERE}", "main.yaml"),
    ("query", "{file: part.yaml}", "main.yaml", "--mode", "list"),
]
NAMES = ["base.yaml", "env/prod.yaml", "template.yml", "stub.yml", "main.yaml", "part.yaml", "plait.yaml"]
NAMES += ["patterns/queue/resources/queue.yaml"]
OTHERS = ["env/dev.yaml", "more.yml", "other.yaml", "nowhere.yaml", "folder/prod.yaml", ".plait-meta.yaml"]
KEYS = ["a", "b", "own", "list"]
VALUES = ["1", "two", "[p, q]", "{x: 1}", "{x: 2, y: 3}", "null", "!env WHERE none", "!ref a", "'{{ .b }}'", "yes"]
VALUES += ["'{{ env \"WHO\" }}'", "!include part.yaml", "!append [r]"]
RARE = ["!sensitive hush", "'{{ now | date \"2006\" }}'", "!env PASSWORD none", "!exec echo 1", "!unset"]
RARE += ["!ref nowhere", "*no", "!include ../outside.yaml", "ENC[x]", "!env NOWHERE"]
DYNAML = ["(( merge ))", "(( a ))", "(( b.x ))", "(( concat a b ))", "(( merge || 3 ))", "(( a || 1 ))", "4", "{x: 5}"]
QUERIES = ["{get_env: WHERE}", "{eval: own::x}", "'{{ \"a\" | upper }}'", "{file: part.yaml}", "{x: 1}", "[1, 2]"]
QUERIES += ["{generate_string: {len: 4}}", "{lookup: {env: WHO}}"]
SETTINGS = [
    "targets: [{name: 'app-{e}', layers: [base.yaml, 'env/{e}.yaml'], for: {e: 'env/*.yaml'}},\n"
    "  {name: filled, template: template.yml, stubs: [stub.yml]}, {name: document, document: main.yaml},\n"
    "  {name: made, pattern: queue, inputs: {size: 3}}]\n",
    "targets: [{name: app-prod, layers: ['env/*.yaml']}, {name: filled, files: ['*.yml']}]\n",
    "notations: [gotemplate]\nlists: {list: append}\n",
    "nonsense: 1\n",
    "kinds: error\n",
]
VARIABLES = ["WHERE", "WHO", "PASSWORD", "PLAIT_ALLOW"]
PATTERN = "name: queue\nversion: 1.0.0\ndescription: d\ninputs: {size: {type: integer, default: 2}}\n"
seeds = st.integers(0, 2**32)


def test_every_command_whose_answers_are_kept_is_among_them() -> None:
    kept = {name for name in ALL_COMMANDS if load(name).kept is not never}
    words = [*COMMANDS, *test_law.COMMANDS]
    assert {" ".join(one[:2]) if " ".join(one[:2]) in kept else one[0] for one in words} == kept


def mapping(draw: Random, values: list[str]) -> str:
    names = draw.sample(KEYS, draw.randrange(1, len(KEYS)))
    return "".join(f"{name}: {draw.choice(RARE if draw.random() < 0.05 else values)}\n" for name in names)


def document(draw: Random) -> str:
    head = draw.choice(["", "+include: part.yaml\n", "+?include: other.yaml\n", "m: {+/own: }\n"])
    return head + mapping(draw, [*QUERIES, "1", "{x: 1}", "{+include: part.yaml}", "{+/own: , y: 2}"])


def resource(draw: Random) -> str:
    extra = draw.choice(["", ", now: {{ now }}", ', env: {{ env "WHO" }}', ", x: !ref inputs.size"])
    return f"apiVersion: v1\nkind: Queue\nmetadata: {{name: q}}\nspec: {{size: {{{{ .size }}}}{extra}}}\n"


def content(seed: int, name: str) -> str:
    """The text of a file, made from one number: drawing every word of it would take most of the time."""
    draw = Random(seed)
    if draw.random() < 0.03:
        return "broken: [\n"
    if name == "plait.yaml":
        return SETTINGS[0] if draw.random() < 0.6 else draw.choice(SETTINGS)
    if name.startswith("patterns"):
        return resource(draw)
    if name == "main.yaml":
        return document(draw)
    if name == "template.yml":
        return mapping(draw, DYNAML) + "out: (( a || own || 7 ))\n"
    text = mapping(draw, VALUES if name != "stub.yml" else ["1", "two", "{x: 1}", "(( b || 2 ))"])
    return text + ("# a comment\n" if draw.random() < 0.2 else "") + (f"---\n{text}" if draw.random() < 0.05 else "")


class KeptDocuments(RuleBasedStateMachine):
    """A folder that changes, and commands that are asked twice: with kept answers, and without."""

    def __init__(self) -> None:
        super().__init__()
        self.clean = ExitStack()
        self.top = Path(tempfile.mkdtemp(prefix="plait-law-"))
        self.clean.callback(shutil.rmtree, self.top, ignore_errors=True)
        self.folder = self.top / "project"
        patch = self.clean.enter_context(pytest.MonkeyPatch.context())
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"):
            patch.setenv(name, str(self.top / name.lower()))
        patch.setattr(plait.apps.cli.command, "TINY", -1)
        patch.setattr(plait.workspace, "WORTHWHILE", 0)
        patch.setattr(plait.yaml.cache, "WORTHWHILE", 0)
        patch.setattr(plait.access.trace, "YOUNG", -(10**18))
        self.patch = patch
        self.clock = 10**18

    @initialize(seed=seeds)
    def begin(self, seed: int) -> None:
        for number, name in enumerate(NAMES):
            self.put(name, content(seed + number, name))
        self.put("patterns/queue/pattern.yaml", PATTERN)
        (self.top / "outside.yaml").write_text("x: 1\n", encoding="utf-8")
        (self.folder / ".git/refs/heads").mkdir(parents=True)
        self.head("main")
        self.patch.chdir(self.folder)

    def put(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.stamp(path)

    def stamp(self, path: Path) -> None:
        """Every state of a file has a time of its own."""
        self.clock += 1000
        os.utime(path, ns=(self.clock, self.clock))

    # What happens

    @rule(name=st.sampled_from(NAMES), seed=seeds)
    def edit(self, name: str, seed: int) -> None:
        self.put(name, content(seed, name))

    @rule(name=st.sampled_from(OTHERS), seed=seeds)
    def add(self, name: str, seed: int) -> None:
        self.put(name, content(seed, name))

    @rule(name=st.sampled_from([*OTHERS, *NAMES]))
    def delete(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)

    @rule(old=st.sampled_from(NAMES), new=st.sampled_from([*OTHERS, *NAMES]))
    def rename(self, old: str, new: str) -> None:
        if (self.folder / old).exists():
            (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / old).rename(self.folder / new)

    @rule(old=st.sampled_from(NAMES), new=st.sampled_from([*OTHERS, *NAMES]))
    def link(self, old: str, new: str) -> None:
        place = self.folder / new
        if old != new and (self.folder / old).exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            place.symlink_to(self.folder / old)

    @rule(name=st.sampled_from(NAMES))
    def touch(self, name: str) -> None:
        if (self.folder / name).exists():
            self.stamp(self.folder / name)

    @rule(name=st.sampled_from(VARIABLES), value=st.sampled_from(["", "here", "exec"]))
    def set_variable(self, name: str, value: str) -> None:
        if value:
            self.patch.setenv(name, value)
        else:
            self.patch.delenv(name, raising=False)

    @rule(name=st.sampled_from(["main", "other"]))
    def head(self, name: str) -> None:
        path = self.folder / ".git/HEAD"
        path.write_text(f"ref: refs/heads/{name}\n", encoding="utf-8")
        self.stamp(path)

    @rule(text=st.sampled_from(["", "budgets: {depth: 20}\n", "budgets: {depth: 2}\n"]))
    def configure_user(self, text: str) -> None:
        path = self.top / "xdg_config_home/plait/config.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.stamp(path)

    # The law

    @rule(words=st.sampled_from(COMMANDS))
    def ask(self, words: tuple[str, ...]) -> None:
        assert run_here(*words) == self.fresh(words)

    @rule(words=st.sampled_from(COMMANDS))
    def ask_twice(self, words: tuple[str, ...]) -> None:
        fresh = self.fresh(words)
        assert run_here(*words) == fresh
        assert run_here(*words) == fresh

    @rule(words=st.sampled_from(COMMANDS))
    def ask_beside_another_process(self, words: tuple[str, ...]) -> None:
        child = os.fork()
        if not child:
            with suppress(BaseException):
                run_here(*words)
            os._exit(0)
        try:
            assert run_here(*words) == self.fresh(words)
        finally:
            os.waitpid(child, 0)

    def fresh(self, words: tuple[str, ...]) -> Outcome:
        return run_here(*words, "--no-cache")

    def teardown(self) -> None:
        self.clean.close()


KeptDocuments.TestCase.settings = test_law.stateful(EXAMPLES, STEPS)
TestKeptDocuments = KeptDocuments.TestCase
