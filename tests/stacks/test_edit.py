"""`plait stack set` and `unset`: what is announced is what happens, and nothing is written where it would not be."""

from __future__ import annotations

import copy
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait.apps.cli import main
from plait.core.diagnostic import PlaitError
from plait.core.node import plain_value
from plait.core.plain import from_plain
from plait.edits.asking import ComponentValue
from plait.fronts.stacks.answers.describe import described
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.assemble.layers import Siblings
from plait.workspace import Workspace
from plait.yaml.emit import Style, emit_styled
from tests.examples import examples

CONFIG = """
base_path: ./
stacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_template: "{{ .settings.stage }}"}
components: {terraform: {base_path: components/terraform}}
"""
KEYS = st.sampled_from("abc")
LEAVES = st.one_of(
    st.integers(0, 3), st.booleans(), st.sampled_from(["x", "y", "{{ .vars.a }}-t", "{{ .settings.b }}"])
)
VALUES = st.recursive(LEAVES, lambda inner: st.dictionaries(KEYS, inner, max_size=2), max_leaves=3)
SECTION = st.dictionaries(KEYS, VALUES, max_size=3)
NEW = st.one_of(
    st.integers(4, 6), st.sampled_from(["new", "other"]), st.dictionaries(KEYS, st.integers(7, 9), max_size=2)
)


@st.composite
def repositories(draw: st.DrawFn) -> dict[str, object]:
    """A catalog with a base and two components, a mixin, and two stacks that import them."""
    files: dict[str, object] = {}
    files["catalog/base.yaml"] = {"components": {"terraform": {"base": _component(draw, {"type": "abstract"})}}}
    files["catalog/app.yaml"] = {
        "import": ["catalog/base"],
        "vars": draw(SECTION),
        "terraform": {"vars": draw(SECTION)},
        "components": {"terraform": {"web": _component(draw, {"inherits": ["base"]}), "job": _component(draw, {})}},
    }
    files["mixins/team.yaml"] = {"vars": draw(SECTION)}
    if draw(st.booleans()):
        files["mixins/team.yaml"] = {**_map(files["mixins/team.yaml"]), "overrides": {"vars": draw(SECTION)}}
    for name in ("dev", "prod"):
        files[f"deploy/{name}.yaml"] = {
            "import": ["catalog/app", *draw(st.sampled_from([[], ["mixins/team"]]))],
            "settings": {"stage": name},
            "vars": draw(SECTION),
            "components": {"terraform": {"web": _component(draw, {})} if draw(st.booleans()) else {}},
        }
    return files


def _component(draw: st.DrawFn, metadata: dict[str, object]) -> dict[str, object]:
    return {"metadata": metadata, "vars": draw(SECTION)} if metadata else {"vars": draw(SECTION)}


def _map(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value


def write(folder: Path, files: dict[str, object]) -> None:
    (folder / "atmos.yaml").write_text(CONFIG)
    for name, data in files.items():
        path = folder / "stacks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(emit_styled(from_plain(data), Style()))


def results(folder: Path) -> dict[tuple[str, str], object]:
    """Every component of every stack, computed afresh from the files."""
    stacks = Workspace(str(folder), cache=False).stacks(str(folder))
    return {
        (one.stack, one.name): plain_value(described(one, include_empty=True))
        for one in stacks.repository.components()
        if not one.abstract
    }


def applied(before: dict[tuple[str, str], object], changes: list[dict[str, object]]) -> dict[tuple[str, str], object]:
    """The results with announced changes made to them."""
    after = copy.deepcopy(before)
    for change in changes:
        key = (str(change["target"]), str(change["document"]))
        steps = str(change["path"]).split(".") if change["path"] else []
        if not steps:
            after.pop(key, None)
            if "after" in change:
                after[key] = change["after"]
            continue
        target = _map(after[key])
        for step in steps[:-1]:
            target = _map(target[step])
        if "after" in change:
            target[steps[-1]] = change["after"]
        else:
            del target[steps[-1]]
    return after


@pytest.mark.long
@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(repositories(), KEYS, st.sampled_from(["vars", "settings"]), st.one_of(st.none(), NEW), st.data())
def test_the_promise_is_the_result(
    files: dict[str, object], key: str, section: str, value: object, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, files)
        before = results(folder)
        workspace = Workspace(name, cache=False)
        node = None if value is None else from_plain(value)
        try:
            edit = ComponentValue(workspace.project, workspace.stacks(name), "web", "prod", f"{section}.{key}").edit(
                node
            )
        except PlaitError:
            assert results(folder) == before
            return
        trials = edit.trials()
        trial = data.draw(st.sampled_from(trials))
        try:
            edit.commit(trial)
        except PlaitError:
            assert not trial.works
            assert results(folder) == before
            return
        assert results(folder) == applied(before, [change.as_data() for change in trial.changes])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(
        tmp_path,
        {
            "catalog/app.yaml": {"components": {"terraform": {"web": {"vars": {"size": 1}}}}},
            "mixins/team.yaml": {"vars": {"team": "a"}},
            "deploy/dev.yaml": {"import": ["catalog/app", "mixins/team"], "settings": {"stage": "dev"}},
            "deploy/prod.yaml": {"import": ["catalog/app"], "settings": {"stage": "prod"}},
        },
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nothing_is_written_where_other_values_would_change(folder: Path) -> None:
    workspace = Workspace(".")
    edit = ComponentValue(workspace.project, workspace.stacks(), "web", "dev", "vars.size").edit(from_plain(2))
    trial = edit.chosen("where-defined")
    assert [change.target for change in trial.changes] == ["dev", "prod"]
    prod = folder / "stacks/deploy/prod.yaml"
    prod.write_text(prod.read_text() + "components: {terraform: {web: {vars: {size: 5}}}}\n")
    before = (folder / "stacks/catalog/app.yaml").read_bytes()
    with pytest.raises(PlaitError, match="PL3256"):
        edit.commit(trial)
    assert (folder / "stacks/catalog/app.yaml").read_bytes() == before
    assert not list((folder / "stacks/catalog").glob(".plait-*"))


def test_nothing_is_written_where_the_file_changed(folder: Path) -> None:
    workspace = Workspace(".")
    edit = ComponentValue(workspace.project, workspace.stacks(), "web", "dev", "vars.size").edit(from_plain(2))
    trial = edit.chosen("where-defined")
    catalog = folder / "stacks/catalog/app.yaml"
    catalog.write_text("# mine\n" + catalog.read_text())
    with pytest.raises(PlaitError, match="PL1"):
        edit.commit(trial)
    assert catalog.read_text().startswith("# mine\n")
    assert "size: 1" in catalog.read_text()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "changed"), [("2\n", "catalog/app.yaml"), ("1\n", "deploy/dev.yaml"), ("\n", "")])
def test_a_terminal_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str, changed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {path: path.read_bytes() for path in (folder / "stacks").rglob("*.yaml")}
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    err = Terminal()
    monkeypatch.setattr("sys.stderr", err)
    status = main(["stack", "set", "web", "-s", "dev", "vars.size", "3"])
    assert "write at which place? [1-2, empty for none]" in err.getvalue()
    assert status == (0 if changed else 2)
    assert [str(path.relative_to(folder / "stacks")) for path in files if path.read_bytes() != files[path]] == [
        *([changed] if changed else [])
    ]


@pytest.mark.parametrize("others", [2, 20])
def test_a_trial_looks_only_at_the_stacks_that_a_write_may_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    files: dict[str, object] = {"catalog/app.yaml": {"components": {"terraform": {"web": {"vars": {"a": 1}}}}}}
    for name in ("prod", *(f"other{number}" for number in range(others))):
        files[f"deploy/{name}.yaml"] = {"import": ["catalog/app"], "settings": {"stage": name}}
    write(tmp_path, files)
    workspace = Workspace(str(tmp_path))
    edit = ComponentValue(workspace.project, workspace.stacks(str(tmp_path)), "web", "prod", "vars.a").edit(
        from_plain(2)
    )
    made: list[str] = []
    build = Component.__init__

    def counted(self: Component, siblings: Siblings, name: str) -> None:
        made.append(siblings.manifest.name)
        build(self, siblings, name)

    monkeypatch.setattr(Component, "__init__", counted)
    trial = edit.chosen("stacks/deploy/prod.yaml")
    assert [change.target for change in trial.changes] == ["prod"]
    assert set(made) == {"deploy/prod"}
    assert len(made) <= 4
