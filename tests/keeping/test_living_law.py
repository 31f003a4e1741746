"""The law of a workspace that lives: whatever happens to its files, it answers like one that is made anew.

`PLAIT_EXAMPLES=5000 pytest tests/keeping/test_living_law.py` tries more of them.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from plait.core.diagnostic import PlaitError
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.report.render import Paint, render
from plait.workspace import Workspace
from tests.examples import examples
from tests.keeping.test_law import CONFIGS, NAMES, OTHERS, VALUES, manifest, seeds, stateful

EXAMPLES = examples(30)
STEPS = 6 if EXAMPLES <= 200 else 10


def everything(stacks: StackQuestions) -> str:
    return "".join(stacks.describe_stacks(stacks.filter(), stacks.shape()))


def component(stacks: StackQuestions) -> str:
    return stacks.describe_component("web", "dev", stacks.shape())


def names(stacks: StackQuestions) -> str:
    return " ".join(stacks.names())


def listed(stacks: StackQuestions) -> str:
    return stacks.lists.text("instances", stacks.chosen(), stacks.asked(form="json"))


def checked(stacks: StackQuestions) -> str:
    return render(stacks.validate(), Paint(False))


QUESTIONS = [everything, component, names, listed, checked]


def answer(workspace: Workspace, folder: Path, number: int) -> str:
    """What a workspace answers to one of these questions: with what it reports, or its error."""
    try:
        with workspace.asking():
            stacks = workspace.stacks(str(folder))
            text = QUESTIONS[number](stacks)
            return text + render(stacks.problems(), Paint(False))
    except PlaitError as error:
        return render(error.diagnostics, Paint(False))


class Lived(RuleBasedStateMachine):
    """A repository that changes, and a workspace that sees all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.clean = ExitStack()
        self.folder = Path(tempfile.mkdtemp(prefix="plait-living-")).resolve()
        self.clean.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.stacks = self.folder / "stacks"
        self.patch = self.clean.enter_context(pytest.MonkeyPatch.context())
        self.unsaved: dict[Path, str] = {}

    @initialize(seed=seeds)
    def begin(self, seed: int) -> None:
        self.configure("name")
        for number, name in enumerate(NAMES):
            self.write(name, manifest(seed + number, name))
        self.living = Workspace(str(self.folder), cache=False)

    def write(self, name: str, text: str) -> None:
        path = self.stacks / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    # What happens

    @rule(name=st.sampled_from(NAMES), seed=seeds)
    def type(self, name: str, seed: int) -> None:
        self.put(self.stacks / name, manifest(seed, name))

    @rule(name=st.sampled_from(NAMES), old=st.sampled_from(VALUES), new=st.sampled_from(VALUES))
    def type_one_value(self, name: str, old: str, new: str) -> None:
        path = self.stacks / name
        if path in self.unsaved or path.exists():
            text = self.unsaved.get(path) or path.read_text(encoding="utf-8")
            self.put(path, text.replace(f": {old}", f": {new}", 1))

    @rule(name=st.sampled_from([*OTHERS, "data.yaml"]), seed=seeds)
    def type_another_file(self, name: str, seed: int) -> None:
        self.put(self.stacks / name, manifest(seed, name))

    @rule(name=st.sampled_from([*NAMES, *OTHERS]))
    def take_back(self, name: str) -> None:
        self.unsaved.pop(self.stacks / name, None)
        self.living.edit(str(self.stacks / name), None)

    def put(self, path: Path, text: str) -> None:
        self.unsaved[path] = text
        self.living.edit(str(path), text)

    @rule(name=st.sampled_from([*NAMES, *OTHERS]), seed=seeds)
    def save(self, name: str, seed: int) -> None:
        self.write(name, manifest(seed, name))
        self.living.refresh()

    @rule(name=st.sampled_from([*NAMES, *OTHERS]))
    def delete(self, name: str) -> None:
        (self.stacks / name).unlink(missing_ok=True)
        self.living.refresh()

    @rule(kind=st.sampled_from(sorted(CONFIGS)))
    def configure(self, kind: str) -> None:
        (self.folder / "atmos.yaml").write_text(
            f'base_path: "./"\nstacks: {{base_path: stacks, included_paths: ["deploy/**/*"], {CONFIGS[kind]}}}\n'
            "templates: {settings: {enabled: true}}\n",
            encoding="utf-8",
        )
        if hasattr(self, "living"):
            self.living.refresh()

    @rule(name=st.sampled_from(["WHERE", "WHO"]), value=st.sampled_from(["here", "there"]))
    def set_variable(self, name: str, value: str) -> None:
        self.patch.setenv(name, value)

    # The law

    @rule(number=st.integers(0, len(QUESTIONS) - 1))
    def ask(self, number: int) -> None:
        fresh = Workspace(str(self.folder), cache=False)
        for path, text in self.unsaved.items():
            fresh.edit(str(path), text)
        expected = answer(fresh, self.folder, number)
        fresh.project.door.close()
        assert answer(self.living, self.folder, number) == expected
        assert answer(self.living, self.folder, number) == expected

    def teardown(self) -> None:
        if hasattr(self, "living"):
            self.living.project.door.close()
        self.clean.close()


Lived.TestCase.settings = stateful(EXAMPLES, STEPS)
TestLived = Lived.TestCase
