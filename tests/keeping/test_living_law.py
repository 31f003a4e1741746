"""The law of a workspace that lives: whatever happens to its files, it answers like one that is made anew.

`make keeping SECONDS=600` tries more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plait.core.diagnostic import PlaitError
from plait.fronts.stacks.answers.questions import StackQuestions
from plait.report.render import Paint, render
from plait.workspace import Workspace
from tests.examples import examples
from tests.keeping.commands import write
from tests.keeping.histories import Broken, History, run_histories
from tests.keeping.test_law import CONFIG, CONFIGS, NAMES, OTHERS, VALUES, manifest

pytestmark = pytest.mark.long


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


class LivingHistory(History):
    """A repository of stacks that changes, and a workspace that sees all of it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.unsaved: dict[Path, str] = {}
        self.living: Workspace | None = None

    def begin(self) -> None:
        self.configured("name")
        for name in NAMES:
            self.put(f"stacks/{name}", manifest(self.number(), name))
        self.put("stacks/data.yaml", "vars: {a: 1}\n")
        self.living = Workspace(str(self.folder), cache=False)

    @property
    def workspace(self) -> Workspace:
        assert self.living is not None
        return self.living

    def changes(self) -> list[Callable[[], object]]:
        edits = [self.type_one_value, self.type_one_value, self.type_one_value, self.type, self.type_another_file]
        return [*edits, *edits, self.take_back, self.save, self.delete, self.configure, self.set_some_variable]

    def type(self) -> None:
        name = self.draw.choice(NAMES)
        self.typed(self.folder / "stacks" / name, manifest(self.number(), name))

    def type_one_value(self) -> None:
        path = self.folder / "stacks" / self.draw.choice(NAMES)
        old, new = self.draw.choice(VALUES[:4]), self.draw.choice(VALUES)
        if path in self.unsaved or path.exists():
            text = self.unsaved.get(path) or path.read_text(encoding="utf-8")
            self.typed(path, text.replace(f": {old}", f": {new}", 1))

    def type_another_file(self) -> None:
        name = self.draw.choice([*OTHERS, "data.yaml"])
        self.typed(self.folder / "stacks" / name, manifest(self.number(), name))

    def typed(self, path: Path, text: str) -> None:
        self.note(path.name)
        self.unsaved[path] = text
        self.workspace.edit(str(path), text)

    def take_back(self) -> None:
        path = self.folder / "stacks" / self.draw.choice([*NAMES, *OTHERS])
        self.note(path.name)
        self.unsaved.pop(path, None)
        self.workspace.edit(str(path), None)

    def save(self) -> None:
        name = self.draw.choice([*NAMES, *OTHERS])
        self.note(name)
        self.put(f"stacks/{name}", manifest(self.number(), name))
        self.workspace.refresh()

    def delete(self) -> None:
        name = self.draw.choice([*NAMES, *OTHERS])
        self.note(name)
        (self.folder / "stacks" / name).unlink(missing_ok=True)
        self.workspace.refresh()

    def configure(self) -> None:
        self.configured(self.draw.choice(sorted(CONFIGS)))
        self.workspace.refresh()

    def configured(self, kind: str) -> None:
        self.note(kind)
        self.put("atmos.yaml", CONFIG % (CONFIGS[kind], 2))

    def set_some_variable(self) -> None:
        self.set_another(self.draw.choice(["WHERE", "WHO"]), ["here", "there"])

    def ask(self) -> None:
        number = self.draw.randrange(len(QUESTIONS))
        self.asked.append(("stacks", QUESTIONS[number].__name__))
        self.log.append(f"ask {QUESTIONS[number].__name__}")
        fresh = Workspace(str(self.folder), cache=False)
        for path, text in self.unsaved.items():
            fresh.edit(str(path), text)
        expected = answer(fresh, self.folder, number)
        for _ in range(2):
            found = answer(self.workspace, self.folder, number)
            if found != expected:
                told = "\n  ".join(self.log)
                raise Broken(f"after\n  {told}\nliving: {found}\nfresh: {expected}")


def test_a_living_workspace_answers_like_a_new_one() -> None:
    run_histories(LivingHistory, examples(10))


def test_only_manifests_that_read_a_change_are_read_again(tmp_path: Path) -> None:
    """An edit, a file that nothing asks about, one that a pattern finds, and one that takes the place of another."""
    texts = {
        "catalog/base.yaml": "components: {terraform: {web: {vars: {a: 1}}}}\n",
        "mixins/one.yaml": "vars: {m: 1}\n",
        "deploy/dev.yaml": "import: [catalog/base]\nvars: {stage: dev}\n",
        "deploy/prod.yaml": "import: [catalog/base, mixins/*]\nvars: {stage: prod}\n",
    }
    write(tmp_path, texts)
    living = Workspace(str(tmp_path), cache=False)

    def manifests() -> dict[str, object]:
        repository = living.stacks(str(tmp_path)).repository
        return {one.name: one for one in repository.manifests()}

    def changed(name: str, text: str | None) -> set[str]:
        """The manifests that are others after a text was typed."""
        before = manifests()
        living.edit(str(tmp_path / "stacks" / name), text)
        after = manifests()
        assert manifests() == after
        return {name for name, one in after.items() if before.get(name) is not one}

    assert changed("deploy/dev.yaml", "import: [catalog/base]\nvars: {stage: dev, b: 2}\n") == {"deploy/dev"}
    assert changed("catalog/unused.yaml", "vars: {}\n") == set()
    assert changed("mixins/two.yaml", "vars: {m: 2}\n") == {"deploy/prod"}
    assert changed("mixins/two.yaml", None) == {"deploy/prod"}
    assert changed("deploy/more.yaml", "import: [catalog/base]\nvars: {stage: more}\n") == {"deploy/more"}
    assert changed("catalog/base.yaml", "components: {}\n") == {"deploy/dev", "deploy/prod", "deploy/more"}
