"""`describe affected` is sound and exact: for repositories and changes of any kind, it reports what rendering
everything before and after finds.

The oracle is what people can ask for: every component of every stack, described in full, in folders of their own. A
component is reported when something of it differs; one that is reported for its files alone (its code, a file that
it names) need not differ. Every row has a cause.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from plait.core.diagnostic import PlaitError
from plait.fronts.stacks.answers.listing import Listing
from plait.workspace import Workspace
from tests.examples import examples
from tests.outside.generated import Files, changes, families, repositories
from tests.outside.project import git

pytestmark = pytest.mark.long

ABOUT_FILES = ("imports", "component_info", "atmos_stack_file", "atmos_manifest", "sources", "deps", "deps_all")
"""Where something is written, not what it is."""
OF_FILES = {"component", "component.module", "file", "folder"}
Key = tuple[str, str]


def write(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (folder / ".git").mkdir(exist_ok=True)
    return folder


def everything(folder: Path) -> dict[Key, object]:
    """Every component, described, or what is said where that fails. PlaitError where a manifest cannot be read."""
    stacks = Workspace(str(folder), cache=False).stacks(str(folder))
    rows = Listing(stacks.repository, stacks.chosen()).rows("instances")
    found: dict[Key, object] = {}
    for row in rows:
        name, stack = str(row["component"]), str(row["stack"])
        alone = Workspace(str(folder), cache=False).stacks(str(folder))
        try:
            told = json.loads(alone.describe_component(name, stack, alone.shape("json", ".")))
            found[stack, name] = {section: value for section, value in told.items() if section not in ABOUT_FILES}
        except PlaitError as error:
            found[stack, name] = sorted(d.message.replace(str(folder), "") for d in error.diagnostics)
    errors = [problem for problem in stacks.problems() if problem.severity == "error"]
    if errors:
        raise PlaitError(*errors)
    return found


def affected(folder: Path) -> list[dict[str, object]] | PlaitError:
    """What `describe affected` tells, or why it does not; what it had to leave out is an error here."""
    stacks = Workspace(str(folder), cache=False).stacks(str(folder))
    try:
        rows = stacks.affected("HEAD").rows
    except PlaitError as error:
        return error
    left_out = stacks.left_out()
    return PlaitError(*left_out) if left_out else rows


def check(before: Files, after: Files, folder: Path) -> None:
    repository = write(folder / "repository", before)
    (repository / ".git").rmdir()
    git(repository, "init", "-q", "-b", "main")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "before")
    try:
        old = everything(write(folder / "before", before))
    except PlaitError:
        event("broken before")
        return
    for name in set(before) - set(after):
        (repository / name).unlink()
    write(repository, after)
    try:
        new = everything(write(folder / "after", after))
    except PlaitError:
        event("broken after")
        assert isinstance(affected(repository), PlaitError), "what cannot be read must not be passed over"
        return
    rows = affected(repository)
    if isinstance(rows, PlaitError):
        stacks = Workspace(str(folder / "after"), cache=False).stacks(str(folder / "after"))
        with suppress(PlaitError):
            list(stacks.describe_stacks(stacks.filter(), stacks.shape("json")))
        assert stacks.left_out(), "what it leaves out, a description of everything leaves out as well"
        event("stopped")
        return
    reported = {(str(row["stack"]), str(row["component"])): row for row in rows}
    differing = {key for key in {*old, *new} if old.get(key) != new.get(key)}
    missed = {str(key): (old.get(key), new.get(key)) for key in differing - set(reported)}
    assert missed == {}, f"sound: {missed}"
    failing = {key for key in old if isinstance(old[key], list)}  # what else differs in them, nobody could see
    beyond = {
        str(key): row["causes"]
        for key, row in reported.items()
        if key not in differing | failing and not set(row["affected_all"]) <= OF_FILES
    }  # type: ignore[call-overload]
    assert beyond == {}, f"exact: {beyond}"
    for key, row in reported.items():
        assert row["causes"] or row["affected"] in ("added", "deleted"), key
        assert row["affected"] != "added" or key not in old or key in failing, key
        assert row["affected"] != "deleted" or key not in new, key
    event(f"{len(differing)} differ of {len(new)}, {len(set(reported) - differing)} reported for their files alone")


@settings(max_examples=examples(6), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_affected_is_what_rendering_everything_finds(data: st.DataObject) -> None:
    before = data.draw(repositories())
    after = data.draw(changes(before))
    folder = Path(tempfile.mkdtemp(prefix="plait-law-"))
    try:
        check(before, after, folder)
    finally:
        shutil.rmtree(folder)


@settings(max_examples=examples(6), deadline=None, suppress_health_check=list(HealthCheck))
@given(files=families())
def test_affected_finds_all_heirs_of_a_changed_entry(files: tuple[Files, Files]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="plait-law-"))
    try:
        check(*files, folder)
    finally:
        shutil.rmtree(folder)
