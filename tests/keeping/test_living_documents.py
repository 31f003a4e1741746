"""Targets of a workspace that lives: whatever happens to their files, they are what a new workspace makes of them, and
only those are computed again whose files changed."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from plait.access.door import Door
from plait.apps.cli.explanation import plain
from plait.core.diagnostic import Fault, PlaitError
from plait.core.node import Node
from plait.core.unknown import mistakes_in
from plait.report.render import Paint, render
from plait.report.unknown import not_known_here, unknown_in
from plait.workspace import Workspace
from plait.yaml.printing import documents_text
from tests.examples import examples
from tests.keeping.test_documents_law import NAMES, OTHERS, PATTERN, SETTINGS, content

pytestmark = pytest.mark.long

EXAMPLES = examples(30)
STEPS = 6 if EXAMPLES <= 200 else 10
seeds = st.integers(0, 2**32)
"""Texts are made from one number each: drawing every word of them would take most of the time."""
TARGETS = ["app-prod", "filled", "document", "made"]


def answer(workspace: Workspace, name: str) -> str:
    """What a target gives, or the error about it."""
    try:
        with workspace.asking():
            results = [result for _, result in workspace.targets().find(name).results()]
            faults = [one for one in results if isinstance(one, Fault)]
            if faults:
                return render([found for fault in faults for found in fault.diagnostics], Paint(False))
            nodes = [one for one in results if isinstance(one, Node)]
            wrong = [found for node in nodes for found in mistakes_in(node)]
            unknown = not_known_here([found for node in nodes for found in unknown_in(node)])
            if wrong or unknown:  # the others are there all the same
                return render([*wrong, *unknown], Paint(False)) + repr([plain(node, True) for node in nodes])
            return documents_text(nodes)
    except PlaitError as error:
        return render(error.diagnostics, Paint(False))


def stateful(examples: int, steps: int) -> settings:
    """How a law over many steps is tried."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking a failure takes minutes
    )


class Living(RuleBasedStateMachine):
    """A folder that changes, and a workspace that sees all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.clean = ExitStack()
        self.folder = Path(tempfile.mkdtemp(prefix="plait-living-")).resolve()
        self.clean.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.patch = self.clean.enter_context(pytest.MonkeyPatch.context())
        self.unsaved: dict[str, str] = {}

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def put(self, name: str, text: str | None) -> None:
        """Put an unsaved text over a file; None takes it away."""
        self.unsaved.pop(name, None)
        self.unsaved |= {name: text} if text is not None else {}
        self.living.edit(name, text)

    def compare(self, name: str) -> None:
        try:
            fresh = Workspace(cache=False)
            for path, text in self.unsaved.items():
                fresh.edit(path, text)
            expected = answer(fresh, name)
        except PlaitError as error:
            expected = render(error.diagnostics, Paint(False))
        assert answer(self.living, name) == expected
        assert answer(self.living, name) == expected

    def teardown(self) -> None:
        self.clean.close()


class LivingTargets(Living):
    """Layers, templates, documents and patterns."""

    @initialize(seed=seeds)
    def begin(self, seed: int) -> None:
        for number, name in enumerate(NAMES):
            self.write(name, content(seed + number, name) if name != "plait.yaml" else SETTINGS[0])
        self.write("patterns/queue/pattern.yaml", PATTERN)
        self.patch.chdir(self.folder)
        self.living = Workspace(cache=False)

    @rule(name=st.sampled_from([*NAMES, *OTHERS]), seed=seeds)
    def type(self, name: str, seed: int) -> None:
        self.put(name, content(seed, name))

    @rule(name=st.sampled_from([*NAMES, *OTHERS]))
    def take_back(self, name: str) -> None:
        self.put(name, None)

    @rule(name=st.sampled_from([*NAMES, *OTHERS]), seed=seeds)
    def save(self, name: str, seed: int) -> None:
        self.write(name, content(seed, name))
        self.living.refresh()

    @rule(name=st.sampled_from([*NAMES, *OTHERS]))
    def delete(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)
        self.living.refresh()

    @rule(name=st.sampled_from(["WHERE", "WHO"]), value=st.sampled_from(["here", "there"]))
    def set_variable(self, name: str, value: str) -> None:
        self.patch.setenv(name, value)

    @rule(name=st.sampled_from(TARGETS))
    def ask(self, name: str) -> None:
        self.compare(name)


MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  a: {value}\n"
FILES = {
    "plait.yaml": """targets:
- {name: chart, chart: web}
- {name: built, kustomization: built}
- {name: linked, layers: [here/base.yaml]}
""",
    "web/Chart.yaml": "name: web\nversion: 1.0.0\n",
    "web/values.yaml": "size: 1\n",
    "web/templates/a.yaml": MAP.format(name="a", value="{{ .Values.size }}"),
    "web/templates/b.yaml": MAP.format(name="b", value='{{ .Files.Get "words.txt" }}'),
    "web/words.txt": "one",
    "built/kustomization.yaml": "resources: [map.yaml]\nconfigMapGenerator: [{name: made, files: [words.txt]}]\n",
    "built/map.yaml": MAP.format(name="map", value="1"),
    "built/words.txt": "two",
    "one/base.yaml": "a: 1\n",
    "two/base.yaml": "a: 2\n",
}
MORE = ("apps/app.yaml", "web/templates/c.yaml", "web/values.schema.json", "built/kustomization.yml", "two/more.yaml")
"""Files that come: some are listed, some are looked for."""
names = st.one_of(st.sampled_from([name for name in FILES if name != "plait.yaml"]), st.sampled_from(MORE))


APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop}
spec: {source: {path: web}, destination: {namespace: shop}}
"""


class LivingFolders(Living):
    """The same for targets that list folders, look for names, read files that are no YAML, or go through a link. All
    of them are asked after each change."""

    @initialize(is_declared=st.booleans())
    def begin(self, is_declared: bool) -> None:
        for name, text in FILES.items():
            if is_declared or name != "plait.yaml":
                self.write(name, text)
        self.patch.chdir(self.folder)
        (self.folder / "here").symlink_to("one")
        self.living = Workspace(cache=False)
        self.ask_all()

    def ask_all(self) -> None:
        for target in names_in(self.living):
            self.compare(target)
        fresh = Workspace(cache=False)
        for path, text in self.unsaved.items():
            fresh.edit(path, text)
        assert names_in(self.living) == names_in(fresh)

    @rule(name=names, seed=seeds)
    def type(self, name: str, seed: int) -> None:
        self.put(name, other(name, seed))
        self.ask_all()

    @rule(number=st.integers(0, 9))
    def take_back(self, number: int) -> None:
        if self.unsaved:
            self.put([*self.unsaved][number % len(self.unsaved)], None)
            self.ask_all()

    @rule(name=names, seed=seeds)
    def save(self, name: str, seed: int) -> None:
        self.write(name, other(name, seed))
        self.refreshed()

    @rule(name=names)
    def delete(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)
        self.refreshed()

    @rule(folder=st.sampled_from(["one", "two"]))
    def lead(self, folder: str) -> None:
        (self.folder / "here").unlink(missing_ok=True)
        (self.folder / "here").symlink_to(folder)
        self.refreshed()

    @rule(name=names, seed=seeds)
    def remake(self, name: str, seed: int) -> None:
        """A folder is another one, in which one file is different."""
        folder = (self.folder / name).parent
        if folder.is_dir():
            shutil.copytree(folder, self.folder / "copy")
            shutil.rmtree(folder)
            (self.folder / "copy").rename(folder)
            self.save(name, seed)

    def refreshed(self) -> None:
        self.living.refresh()
        self.ask_all()


def names_in(workspace: Workspace) -> list[str]:
    return [target.name for target in workspace.targets()]


def other(name: str, seed: int) -> str:
    """Another text for a file: it often breaks something."""
    if name == "apps/app.yaml" and seed % 2:
        return APPLICATION
    text = FILES.get(name, MAP.format(name=f"more{seed % 3}", value="{{ .Values.size }}"))
    return text.replace("1", str(seed % 5)) if seed % 4 else f"{text}more: {seed % 3}\n"


LivingTargets.TestCase.settings = stateful(EXAMPLES, STEPS)
TestLivingTargets = LivingTargets.TestCase
LivingFolders.TestCase.settings = stateful(EXAMPLES // 2, STEPS)
TestLivingFolders = LivingFolders.TestCase


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    (tmp_path / "plait.yaml").write_text(
        "targets:\n- {name: one, layers: [base.yaml, one.yaml]}\n- {name: two, layers: [base.yaml, two.yaml]}\n",
        encoding="utf-8",
    )
    for name in ("base", "one", "two"):
        (tmp_path / f"{name}.yaml").write_text(f"{name}: 1\nsum: !ref {name}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Workspace(cache=False)


def forced(workspace: Workspace, name: str) -> int:
    """How many values a question evaluates."""
    before = workspace.counters.forced
    answer(workspace, name)
    return workspace.counters.forced - before


def test_only_targets_whose_files_changed_are_computed_again(workspace: Workspace) -> None:
    assert (forced(workspace, "one") > 0, forced(workspace, "two") > 0) == (True, True)
    assert (forced(workspace, "one"), forced(workspace, "two")) == (0, 0)
    workspace.edit("two.yaml", "two: 2\nsum: !ref two\n")
    assert "sum: 2" in answer(workspace, "two")
    assert (workspace.counters.files, forced(workspace, "one"), forced(workspace, "two")) == (1, 0, 0)
    Path("base.yaml").write_text("base: 3\nsum: !ref base\n", encoding="utf-8")
    workspace.refresh()
    assert "base: 3" in answer(workspace, "one")
    assert "base: 3" in answer(workspace, "two")
    assert workspace.counters.files == 1


def test_threads_may_ask_for_targets_at_the_same_time(workspace: Workspace) -> None:
    expected = {name: answer(workspace, name) for name in ("one", "two")}
    wrong: list[str] = []

    def ask(name: str) -> None:
        for _ in range(20):
            workspace.edit("base.yaml", f"base: 1\nsum: !ref base\n{'#' * (len(wrong) + 1)}\n")
            wrong.extend([name] if answer(workspace, name) != expected[name] else [])

    threads = [Thread(target=ask, args=(name,)) for name in ("one", "two", "one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_file_that_comes_concerns_only_who_listed_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "here").symlink_to("one")
    monkeypatch.chdir(tmp_path)
    workspace = Workspace(cache=False)
    before = {name: results(workspace, name) for name in ("chart", "built", "linked")}
    project = workspace.project
    Path("web/templates/c.yaml").write_text(other("", 1), encoding="utf-8")
    assert workspace.refresh() == [str(tmp_path.resolve() / "web/templates/c.yaml")]
    assert workspace.refresh() != [], "until somebody asks, it is still what changed"
    after = {name: results(workspace, name) for name in ("chart", "built", "linked")}
    assert workspace.project is project
    assert len(after["chart"]) == len(before["chart"]) + 1
    assert all(new is old for name in ("built", "linked") for new, old in zip(after[name], before[name], strict=True))
    assert workspace.refresh() == []


def results(workspace: Workspace, name: str) -> list[Node | Fault]:
    return [found for _, found in workspace.targets().find(name).results()]


def test_a_text_that_declares_nothing_is_all_that_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in FILES.items():
        if name != "plait.yaml":
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    workspace = Workspace(cache=False)
    assert names_in(workspace) == ["built", "web"]
    read: list[str] = []
    whole = Door.read
    monkeypatch.setattr(Door, "read", lambda self, name, *rest: (read.append(name), whole(self, name, *rest))[1])
    assert names_in(workspace) == ["built", "web"]
    assert read == []
    workspace.edit("one/base.yaml", "a: 5\n")
    assert names_in(workspace) == ["built", "web"]
    assert read == [str(tmp_path.resolve() / "one/base.yaml")]
    workspace.edit("one/base.yaml", APPLICATION)
    assert names_in(workspace) == ["shop", "built"]
