"""The law of kept answers: whatever happens to a repository, a kept answer is what a fresh run prints, byte for byte.

`PLAIT_EXAMPLES=5000 pytest tests/keeping/test_law.py` tries more of them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import plait.access.trace
import plait.workspace
import plait.yaml.cache
from tests.examples import examples
from tests.keeping.commands import Outcome, run

EXAMPLES = examples(40)
STEPS = 4 if EXAMPLES <= 200 else 8
"""Fewer steps in the suite, which has little time."""
COMMANDS = [
    ("describe", "stacks"),
    ("describe", "stacks"),
    ("describe", "stacks"),
    ("describe", "stacks", "--format", "json"),
    ("describe", "stacks", "-s", "dev", "--sections", "vars,settings"),
    ("list", "stacks"),
    ("list", "instances"),
    ("list", "instances", "--type", "all", "--columns", "component,stack,vars.a"),
    ("list", "vars"),
    ("list", "components", "--format", "json"),
    ("list", "vars", "web"),
    ("list", "settings", "web"),
    ("list", "values", "db"),
    ("list", "metadata"),
    ("list", "dependencies"),
    ("list", "sources"),
    ("describe", "stacks", "--include-empty-stacks", "--components", "web,db"),
    ("describe", "component", "web", "-s", "dev"),
    ("describe", "component", "db", "-s", "prod", "--format", "json"),
    ("describe", "dependents", "db", "-s", "dev"),
    ("describe", "locals", "-s", "dev"),
    ("describe", "config"),
    ("describe", "workflows"),
    ("explain", "component", "web", "-s", "dev", "vars"),
    ("blame", "component", "web", "-s", "dev"),
    ("validate", "stacks"),
    ("validate", "stacks"),
    ("describe", "affected", "--base", "HEAD"),
    ("list", "affected", "--base", "HEAD"),
    ("review", "HEAD"),
]
NAMES = ["catalog/base.yaml", "catalog/more.yaml", "mixins/all.yaml", "deploy/dev.yaml", "deploy/prod.yaml"]
OTHERS = ["deploy/extra.yaml", "catalog/base.yaml.tmpl", "catalog/more.yml", "mixins/two.yaml", "deploy/sub/deep.yaml"]
VALUES = ["1", "two", "[a, b]", "{x: 1}", "{x: 2, y: 3}", "!env WHERE none", "'{{ .vars.stage }}'"]
VALUES += ["'{{ env \"WHO\" }}'", "null", "{x: [1, {y: 2}], 'on': b}", '"two\\nlines\\n"']
RARE = ["!include data.yaml", "!git.branch", "!sensitive hush", "'{{ now | date \"2006\" }}'", "!exec echo 1"]
RARE += ["'{{ .vars.nowhere.x }}'", "*no", "!unset"]
IMPORTS = ["catalog/base", "catalog/more", "mixins/all", "mixins/*", "catalog/missing", "mixins/two"]
COMPONENTS = ["base", "other", "web", "db"]
BACKENDS = ["{s3: {}}", "{s3: {}, gcs: {}}"]
CONFIGS = {
    "name": 'name_template: "{{ .vars.stage }}"',
    "pattern": 'name_pattern: "{stage}"',
    "excluded": 'name_template: "{{ .vars.stage }}", excluded_paths: ["deploy/extra.yaml"]',
    "broken": "name_template: [",
}


seeds = st.integers(0, 2**32)
"""Texts are made from one number each: drawing every word of them would take most of the time."""


def mapping(found: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {text}" for key, text in found.items()) + "}"


def variables(draw: Random, sound: bool = False) -> dict[str, str]:
    names = draw.sample(["a", "b"] if sound else ["a", "b", "stage"], draw.randrange(3))
    return {name: draw.choice(RARE if draw.random() < (0.01 if sound else 0.1) else VALUES) for name in names}


def component(draw: Random, name: str, sound: bool = False) -> str:
    lines = [f"    {name}:"]
    metadata = {"type": "abstract"} if name in ("base", "other") and draw.random() < 0.5 else {}
    base = draw.choice(COMPONENTS[: COMPONENTS.index(name) + 1] if sound else ["base", "other", "web", name, name])
    if base != name:
        metadata["inherits"] = f"[{base}]"
    lines += [f"      metadata: {mapping(metadata)}"] if metadata else []
    lines += [f"      vars: {mapping(variables(draw, sound))}"]
    lines += [f"      settings: {mapping(variables(draw, sound))}"] if draw.random() < 0.5 else []
    lines += ["      # a comment"] if draw.random() < 0.2 else []
    if draw.random() < 0.1:  # one that nothing uses is a finding
        lines += [f"      backend_type: {draw.choice(['s3', 'gcs'])}", f"      backend: {draw.choice(BACKENDS)}"]
    return "\n".join(lines)


def manifest(seed: int, name: str) -> str:
    draw = Random(seed)
    lines: list[str] = []
    sound = draw.random() < 0.8  # else imports and bases may be missing, or lead back
    wanted = draw.sample(IMPORTS[:3] if draw.random() < 0.8 else IMPORTS, draw.randrange(3))
    wanted = ["catalog/base", *wanted] if name.startswith("deploy") and draw.random() < 0.8 else wanted
    if sound:
        below = ["catalog/base", "catalog/more"] if name.startswith("deploy") else []
        wanted = [*below[: draw.choice([1, 2])], *["mixins/all"][: draw.randrange(2)]]
    if wanted and not name.startswith("mixins"):
        lines.append(f"import: [{', '.join(dict.fromkeys(wanted))}]")
    stage = name.split("/")[-1].split(".")[0]
    root = {**variables(draw, sound), **({"stage": stage} if name.startswith("deploy") else {})}
    lines += [f"vars: {mapping(root)}"] if root else []
    lines += [f"{name}: {mapping(variables(draw, sound))}" for name in ("settings", "env") if draw.random() < 0.5]
    lines += [f"terraform: {{vars: {mapping(variables(draw, sound))}}}"] if draw.random() < 0.2 else []
    lines += [f"locals: {{l: {draw.choice(['1', 'x'])}}}"] if draw.random() < 0.5 else []
    chosen = COMPONENTS if sound and name == NAMES[0] else draw.sample(COMPONENTS, draw.randrange(4))
    entries = [component(draw, one, sound) for one in chosen]
    lines += ["components:", "  terraform:", *entries] if entries else []
    if draw.random() < 0.02:
        lines.append("broken: [")
    return "\n".join(lines) + "\n"


def stateful(examples: int, steps: int) -> settings:
    """How a law over many steps is tried."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking a failure takes minutes
    )


class Kept(RuleBasedStateMachine):
    """A repository that changes, and commands that are asked twice: with kept answers, and without."""

    def __init__(self) -> None:
        super().__init__()
        self.clean = ExitStack()
        self.top = Path(tempfile.mkdtemp(prefix="plait-law-"))
        self.clean.callback(shutil.rmtree, self.top, ignore_errors=True)
        self.folder = self.top / "repository"
        self.stacks = self.folder / "stacks"
        patch = self.clean.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("XDG_CACHE_HOME", str(self.top / "cache"))
        patch.setenv("HOME", str(self.top))
        patch.setattr(plait.workspace, "WORTHWHILE", 0)
        patch.setattr(plait.yaml.cache, "WORTHWHILE", 0)
        patch.setattr(plait.access.trace, "YOUNG", -(10**18))
        self.patch = patch
        self.clock = 10**18

    @initialize(seed=seeds)
    def begin(self, seed: int) -> None:
        self.configure("name", 2)
        for number, name in enumerate(NAMES):
            self.put(name, manifest(seed + number, name))
        (self.folder / "stacks/data.yaml").write_text("vars: {a: 1}\n", encoding="utf-8")
        (self.folder / ".git/refs/heads").mkdir(parents=True)
        self.head("main")

    def put(self, name: str, text: str) -> None:
        path = self.stacks / name
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
        self.put(name, manifest(seed, name))

    @rule(name=st.sampled_from(NAMES), old=st.sampled_from(VALUES), new=st.sampled_from(VALUES))
    def edit_one_value(self, name: str, old: str, new: str) -> None:
        if (self.stacks / name).exists():
            text = (self.stacks / name).read_text(encoding="utf-8")
            self.put(name, text.replace(f": {old}", f": {new}", 1))

    @rule(name=st.sampled_from(NAMES[:3]), one=st.sampled_from(COMPONENTS), seed=seeds)
    def add_entry(self, name: str, one: str, seed: int) -> None:
        path = self.stacks / name
        text = path.read_text(encoding="utf-8") if path.exists() else "components:\n  terraform:\n"
        if "  terraform:\n" in text and f"    {one}:\n" not in text:
            self.put(name, text + component(Random(seed), one, sound=seed % 5 > 0) + "\n")

    @rule(name=st.sampled_from(OTHERS), seed=seeds)
    def add(self, name: str, seed: int) -> None:
        self.put(name, manifest(seed, name))

    @rule(name=st.sampled_from([*OTHERS, *NAMES]))
    def delete(self, name: str) -> None:
        (self.stacks / name).unlink(missing_ok=True)

    @rule(old=st.sampled_from(NAMES), new=st.sampled_from([*OTHERS, *NAMES]))
    def rename(self, old: str, new: str) -> None:
        if (self.stacks / old).exists():
            (self.stacks / new).parent.mkdir(parents=True, exist_ok=True)
            (self.stacks / old).rename(self.stacks / new)

    @rule(name=st.sampled_from(NAMES))
    def touch(self, name: str) -> None:
        if (self.stacks / name).exists():
            self.stamp(self.stacks / name)

    @rule(kind=st.sampled_from(sorted(CONFIGS)), width=st.sampled_from([2, 4]))
    def configure(self, kind: str, width: int) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "atmos.yaml"
        path.write_text(
            f'base_path: "./"\nstacks: {{base_path: stacks, included_paths: ["deploy/**/*"], {CONFIGS[kind]}}}\n'
            f"templates: {{settings: {{enabled: true}}}}\nsettings: {{terminal: {{tab_width: {width}}}}}\n",
            encoding="utf-8",
        )
        self.stamp(path)

    @rule(text=st.sampled_from(["budgets: {depth: 50}\n", "nonsense: 1\n", ""]))
    def settle(self, text: str) -> None:
        path = self.folder / "plait.yaml"
        if text:
            path.write_text(text, encoding="utf-8")
            self.stamp(path)
        else:
            path.unlink(missing_ok=True)

    @rule(name=st.sampled_from(["WHERE", "WHO", "ATMOS_STACK"]), value=st.sampled_from(["", "here", "dev"]))
    def set_variable(self, name: str, value: str) -> None:
        if value:
            self.patch.setenv(name, value)
        else:
            self.patch.delenv(name, raising=False)

    @rule(text=st.sampled_from(["vars: {a: 1}\n", "vars: {b: 2}\n", ""]))
    def change_included_file(self, text: str) -> None:
        for path in (self.stacks / "data.yaml", self.stacks / "catalog/data.yaml"):
            if text:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
                self.stamp(path)
            else:
                path.unlink(missing_ok=True)

    @rule(name=st.sampled_from(["main", "other"]))
    def head(self, name: str) -> None:
        path = self.folder / ".git/HEAD"
        path.write_text(f"ref: refs/heads/{name}\n", encoding="utf-8")
        self.stamp(path)

    # The law

    @rule(words=st.sampled_from(COMMANDS))
    def ask(self, words: tuple[str, ...]) -> None:
        assert run(self.folder, *words) == self.fresh(words)

    @rule(words=st.sampled_from(COMMANDS))
    def ask_twice(self, words: tuple[str, ...]) -> None:
        fresh = self.fresh(words)
        assert run(self.folder, *words) == fresh
        assert run(self.folder, *words) == fresh

    @rule(words=st.sampled_from(COMMANDS))
    def ask_beside_another_process(self, words: tuple[str, ...]) -> None:
        child = os.fork()
        if not child:
            with suppress(BaseException):
                run(self.folder, *words)
            os._exit(0)
        try:
            assert run(self.folder, *words) == self.fresh(words)
        finally:
            os.waitpid(child, 0)

    def fresh(self, words: tuple[str, ...]) -> Outcome:
        return run(self.folder, *words, fresh=True)

    def teardown(self) -> None:
        self.clean.close()


Kept.TestCase.settings = stateful(EXAMPLES, STEPS)
TestKept = Kept.TestCase
